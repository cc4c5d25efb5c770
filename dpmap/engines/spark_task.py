"""Runs in the executors of a cluster: places and names the rows of a piece, then answers the
vault's SQL over whole units.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from dpmap.engines.duckdb import DuckDB, describe_failure
from dpmap.engines.engine import RowPrefilter
from dpmap.engines.rows import BATCH, RowTable, UnitRows
from dpmap.engines.run_sql import Answering, QueryMeter
from dpmap.engines.sanity_checks import Question, few
from dpmap.engines.spark_blocks import PACKED_AT_ONCE, pack_blocks, unpack_blocks
from dpmap.errors import DpmapError, SystemFailed
from dpmap.grid import Grid
from dpmap.survey import Survey
from dpmap.survey.row_sql import OWN, Selection
from dpmap.survey.sources import Source, literal

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ROWS_AT_ONCE = 1 << 20
ANSWERS = {"answers": {"key": "BIGINT", "value": "BIGINT"}}
KEPT = -(1 << 62)
"""Beside its answers, under this number, each partition says how many rows it counted, as far as
`FEW`.
"""


class Task:
    """Describes the work on one piece of a survey; it travels to the executors and holds public
    words only.
    """

    def __init__(
        self, chosen: Selection, grid: Grid, bins: list[int], memory: str, folder: str | None
    ) -> None:
        self.chosen = chosen
        self.grid = grid
        self.bins = bins
        self.memory = memory
        self.folder = folder
        self.mark = f"dpmap {uuid4().hex}"

    @property
    def owned(self) -> bool:
        """Whether each row that names nobody is a unit of its own."""
        return self.chosen.roles.reading.missing_unit == "own-unit" and not self.chosen.by_row

    @property
    def kinds(self) -> dict[str, dict[str, str]]:
        """The kinds of blocks that are sent, and the columns of each; a weight that every row
        has alike is left out.
        """
        counted = [] if self.chosen.alike else self.chosen.counted.split(", ")
        return {
            "names": {"code": "INTEGER", "name": "VARCHAR"},
            "sent": {"code": "INTEGER", "cell": "INTEGER", **dict.fromkeys(counted, "BIGINT")},
            "gone": {"name": "VARCHAR"},
        }

    def rows(self, source: Source, piece: str, part: int = 0) -> "Iterator[pa.RecordBatch]":
        """Yields the piece's rows, placed and named, in blocks of three kinds: `names` (a number
        for each unit of the piece), `sent` (the rows, with that number), and `gone` (the units that
        withdraw in it).

        All that is said of one unit goes to the bin that its name's MD5 gives.
        """
        with self._open_piece(source, part, coded=True) as rows, rows.naming_part():
            rows.place(self.grid)
            rows.name()
            if self.owned or self.chosen.by_row:
                self._number(rows.database, piece)
            for kind, sql in self._queries(rows.database).items():
                yield from pack_blocks(
                    rows.database.sql(sql).to_arrow_reader(PACKED_AT_ONCE), self.bins, piece, kind
                )
            rows.check_unchanged()

    def _queries(self, database: "duckdb.DuckDBPyConnection") -> dict[str, str]:
        """Returns the SQL that answers each kind of rows that are sent, with the bin that each
        goes to.
        """
        bin_of = f"CAST(md5_number_lower(name) % {len(self.bins)} AS INTEGER) AS bin"
        database.execute(f"CREATE TABLE dealt AS SELECT *, {bin_of} FROM names")
        sent = ", ".join(
            f"CAST({name} AS {kind}) AS {name}" for name, kind in self.kinds["sent"].items()
        )
        queries = {
            "names": "SELECT bin, unit AS code, name FROM dealt",
            "sent": (
                f"SELECT bin, {sent} FROM (SELECT *, unit AS code FROM rows) JOIN dealt USING"
                " (unit)"
            ),
        }
        if self.chosen.withdraws:
            queries["gone"] = f"SELECT {bin_of}, name FROM (SELECT unit AS name FROM gone)"
        return queries

    def _number(self, database: "duckdb.DuckDBPyConnection", piece: str) -> None:
        """Numbers the units of `rows` that are still texts, as `names` says.

        A row that is a unit of its own is called by its piece, cell, weight, level and copy: by
        nothing that another order of rows would change, so a piece that is done twice names the
        same.
        """
        counted = self.chosen.counted
        who = "unit"
        if self.owned:
            alone = f"starts_with(unit, {literal(OWN)})"
            who = (
                f"CASE WHEN {alone} THEN concat_ws('/', {literal(OWN + piece)}, cell, {counted},"
                f" row_number() OVER (PARTITION BY {alone}, cell, {counted})) ELSE unit END"
            )
        database.execute(f"CREATE TABLE called AS SELECT {who} AS name, cell, {counted} FROM rows")
        database.execute("DROP TABLE rows")
        database.execute(
            "CREATE TABLE names AS SELECT CAST(row_number() OVER () AS INTEGER) AS unit, name"
            " FROM (SELECT DISTINCT name FROM called)"
        )
        database.execute(
            f"CREATE VIEW rows AS SELECT unit, cell, {counted} FROM called JOIN names USING (name)"
        )

    def look(
        self,
        source: Source,
        piece: str,  # noqa: ARG002  # called like `rows`
        part: int = 0,
        *,
        question: Question,
    ) -> "Iterator[pa.RecordBatch]":
        """Answers a question of the sanity checks, as far as this piece tells."""
        with self._open_piece(source, part) as rows:
            yield _counts(question(rows, self.grid))

    def answers(
        self,
        batches: "Iterator[pa.RecordBatch]",
        sql: str,
        key: str,
        value: str,
        prefilter: RowPrefilter | None,
    ) -> "Iterator[pa.RecordBatch]":
        """Answers the vault's SQL over the rows of some units, each of them whole, without the
        units that withdrew; what is answered under one key goes to one bin.
        """
        with self._database() as database, ExitStack() as closing:
            rows = self._gather(database, batches)
            keys, values = Answering(rows, QueryMeter(database), closing).answer(
                sql, key, value, prefilter
            )
            columns = {"key": np.append(keys, KEPT), "value": np.append(values, few(rows))}
            database.register("answered", columns)
            dealt = f"SELECT CAST(abs(key) % {len(self.bins)} AS INTEGER) AS bin, * FROM answered"
            yield from pack_blocks(
                database.sql(dealt).to_arrow_reader(PACKED_AT_ONCE), self.bins, "", "answers"
            )

    def sums(self, batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        """Adds up, for each key of some bins, what was answered by all tasks."""
        with self._database() as database:
            _store(database, batches, ANSWERS)
            added = (
                "SELECT key, CAST(sum(value) AS BIGINT) AS value FROM arrived_answers GROUP BY key"
            )
            yield from database.sql(added).to_arrow_reader(BATCH)

    def _gather(
        self, database: "duckdb.DuckDBPyConnection", batches: "Iterator[pa.RecordBatch]"
    ) -> UnitRows:
        """Makes of the arriving blocks what the embedded engine makes of a survey: `placed`, whose
        `unit` is the piece that a row is from and the code that this piece gave to its unit, and
        what these name.

        **Why a row stays its unit's.** A piece's number is not another's (`unpack_blocks`) and a
        code is below 2^31, so no two pieces call two units alike, and each text has exactly one
        name.
        """
        ask = database.execute
        _store(database, batches, self.kinds)
        text = "CAST(number AS BIGINT) << 32 | code"
        counted = f"{self.chosen.weight} AS weight" if self.chosen.alike else self.chosen.counted
        ask(
            f"CREATE VIEW placed AS SELECT {text} AS unit, CAST(cell AS BIGINT) AS cell, {counted}"
            " FROM arrived_sent"
        )
        rows = UnitRows(database, self.chosen)
        rows.cells = self.grid.size
        if self.chosen.by_row:
            ask("CREATE VIEW rows AS SELECT * FROM placed")
            return rows
        ask(f"CREATE VIEW placed_spellings AS SELECT {text} AS spelling, name FROM arrived_names")
        ask(
            f"CREATE TABLE placed_texts AS SELECT unit AS spelling, {self.chosen.sums} FROM placed"
            " GROUP BY unit"
        )
        if self.chosen.withdraws:
            ask("CREATE VIEW gone AS SELECT name AS unit FROM arrived_gone")
        rows.code(each_its_own=False)
        return rows

    @contextmanager
    def _open_piece(self, source: Source, part: int, *, coded: bool = False) -> Iterator[RowTable]:
        """Opens the piece, of this part of the survey, in a database of its own."""
        chosen = (
            replace(self.chosen.parts[part], team=self.chosen.team)
            if self.chosen.parts
            else self.chosen
        )
        with self._database() as database, Survey(source, chosen.roles).held() as held:
            yield RowTable(database, held, chosen, coded=coded)

    @contextmanager
    def _database(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Opens a database for this task; a failure carries one line that quotes nothing, and
        the mark.
        """
        try:
            with DuckDB(memory=self.memory, threads=1, folder=self.folder).connected() as database:
                yield database
        except Exception as error:  # noqa: BLE001  # its message may quote a row
            failure = error if isinstance(error, DpmapError) else describe_failure(error)
            if isinstance(error, OSError) or type(error).__name__ == "IOException":
                failure = SystemFailed(UNSEEN)
        else:
            _freeze_once()
            return
        line = failure.terminal_line if isinstance(failure, DpmapError) else str(failure)
        raise RuntimeError(f"{self.mark} {type(failure).__name__}: {line}")


@cache
def _freeze_once() -> None:
    """Exempts what a worker has loaded by the end of its first task from the search for garbage
    that Spark makes after each.
    """
    gc.collect()
    gc.freeze()


UNSEEN = (
    "engine: an executor could not read the survey or write its temporary folder; put the file"
    " where every machine sees it under the same path, or give dm.read a table that Spark reads"
)


def _store(
    database: "duckdb.DuckDBPyConnection",
    batches: "Iterator[pa.RecordBatch]",
    kinds: dict[str, dict[str, str]],
) -> None:
    """Puts the rows of the arriving blocks into a table for each kind, past memory if need be."""
    for kind, columns in kinds.items():
        typed = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
        database.execute(f"CREATE TABLE arrived_{kind} ({typed}, number BIGINT)")
    for kind, blocks in unpack_blocks(batches):
        database.register("blocks", blocks)
        database.execute(f"INSERT INTO arrived_{kind} BY NAME SELECT * FROM blocks")
        database.unregister("blocks")


def _counts(counts: "Counter[str]") -> "pa.RecordBatch":
    """Returns what was seen as a batch of names and numbers."""
    import pyarrow as pa

    return pa.record_batch(
        {"name": pa.array(counts, pa.string()), "count": pa.array(counts.values(), pa.int64())}
    )


def each_piece(
    task: "Callable[[Source, str, int], Iterator[pa.RecordBatch]]",
    sources: list[tuple[Source, int]],
) -> Any:
    """Makes the function that runs a task over batches of the pieces' numbers; each piece is of
    a part of the survey.
    """

    def placed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        for batch in batches:
            for piece in batch.column(0).to_pylist():
                source, part = sources[piece]
                yield from task(source, str(piece), part)

    return placed


def each_partition(task: "Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]") -> Any:
    """Makes the function that runs a task over the blocks of one partition, if there are any."""

    def done(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        for first in batches:
            yield from task(chain([first], batches))

    return done


def each_chunk(task: "Callable[[Source, str], Iterator[pa.RecordBatch]]", work: Task) -> Any:
    """Makes the function that runs a task over a partition of Spark's own table, many batches at
    once.
    """
    columns = work.chosen.columns

    def placed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        from pyspark import TaskContext

        place = TaskContext.get()
        partition = place.partitionId() if place is not None else 0
        for number, chunk in enumerate(_chunks(batches)):
            yield from task(Source(columns, stream=_stream(chunk)), f"{partition}.{number}")

    return placed


def _chunks(batches: "Iterator[pa.RecordBatch]") -> "Iterator[list[pa.RecordBatch]]":
    """Groups Spark's small batches into chunks of `ROWS_AT_ONCE` rows or more."""
    chunk: list[pa.RecordBatch] = []
    for batch in batches:
        chunk.append(batch)
        if sum(part.num_rows for part in chunk) >= ROWS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _stream(chunk: "list[pa.RecordBatch]") -> Any:
    """Makes a stream of batches that lie in memory."""
    import pyarrow as pa

    @contextmanager
    def opened(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        yield pa.Table.from_batches(chunk).select(wanted).to_reader()

    return opened
