"""Runs in the executors of a cluster: places and names the rows of a piece, then answers the vault's SQL over whole units."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from dpmap.engines import NUMBERED
from dpmap.engines.duckdb import DuckDB, told
from dpmap.engines.meant import FEW, glance, numbers
from dpmap.engines.rows import BATCH, Rows
from dpmap.errors import DpmapError, SystemFailed
from dpmap.grid import Grid
from dpmap.survey import Survey
from dpmap.survey.selection import OWN, Selection
from dpmap.survey.sources import Source, literal

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ROWS_AT_ONCE = 1 << 18
KEPT = -(1 << 62)
"""Beside its answers, under this number, each partition says how many rows it counted, as far as `FEW`."""


class Task:
    """Describes the work on one piece of a survey; it travels to the executors and holds public words only."""

    def __init__(self, chosen: Selection, grid: Grid, memory: str, folder: str | None) -> None:
        self.chosen, self.grid, self.memory, self.folder = chosen, grid, memory, folder
        self.mark = f"dpmap {uuid4().hex}"

    @property
    def owned(self) -> bool:
        """Whether each row that names nobody is a unit of its own."""
        return self.chosen.roles.reading.missing_unit == "own-unit" and not self.chosen.by_row

    @property
    def row(self) -> dict[str, str]:
        """The columns of a row that is sent, with Spark's types for them."""
        return {"unit": "string", **dict.fromkeys(("cell", *self.chosen.counted.split(", "), "copies"), "bigint")}

    def rows(self, source: Source, piece: str, part: int = 0) -> "Iterator[pa.RecordBatch]":
        """Yields the piece's rows, placed and named: equal rows once with their number, and cell -1 for each unit that
        withdraws in it.

        A row that is a unit of its own is called by its piece, cell, weight, level and copy: by nothing that another order
        of rows would change, so a piece that is done twice names the same.
        """
        with self._opened(source, part) as rows:
            with rows.told_apart():
                rows.place(self.grid)
                rows.name()
            counted = self.chosen.counted
            asked = f"SELECT unit, cell, {counted} FROM rows"
            if self.owned:
                alone = f"starts_with(unit, {literal(OWN)})"
                asked = (
                    f"SELECT CASE WHEN {alone} THEN concat_ws('/', {literal(OWN + piece)}, cell, {counted}, row_number() OVER "
                    f"(PARTITION BY {alone}, cell, {counted})) ELSE unit END AS unit, cell, {counted} FROM rows"
                )
            asked = f"SELECT *, count(*) AS copies FROM ({asked}) GROUP BY ALL"
            if self.chosen.withdraws:
                asked += f" UNION ALL SELECT unit, -1{', 0' * (len(self.row) - 2)} FROM gone"
            kinds = {"string": "VARCHAR", "bigint": "BIGINT"}
            sent = ", ".join(f"CAST({name} AS {kinds[kind]}) AS {name}" for name, kind in self.row.items())
            yield from rows.database.sql(f"SELECT {sent} FROM ({asked})").to_arrow_reader(BATCH)

    def glance(self, source: Source, piece: str, part: int = 0) -> "Iterator[pa.RecordBatch]":  # noqa: ARG002  # called like `rows`
        """Counts why hardly a row counts, as far as this piece tells."""
        with self._opened(source, part) as rows:
            yield _counts(glance(rows, self.grid))

    def numbers(self, source: Source, piece: str, part: int = 0) -> "Iterator[pa.RecordBatch]":  # noqa: ARG002  # called like `rows`
        """Tells whether this piece has numbers, and whether it has texts, where counts stand."""
        with self._opened(source, part) as rows:
            yield _counts(numbers(rows, rows.chosen.roles.reading.count))

    def answers(
        self, batches: "Iterator[pa.RecordBatch]", sql: str, key: str, value: str
    ) -> "Iterator[pa.RecordBatch]":
        """Answers the vault's SQL over the rows of some units, each of them whole, without the units that withdrew."""
        with self._database() as database:
            database.register("arriving", _reader(batches, self.row))
            self._gather(database)
            kept = f"SELECT {KEPT} AS key, count(*) AS value FROM (SELECT 1 FROM rows LIMIT {FEW})"
            told = f"SELECT CAST({key} AS BIGINT) AS key, CAST({value} AS BIGINT) AS value FROM ({sql}) AS answer"
            yield from database.sql(f"{told} UNION ALL {kept}").to_arrow_reader(BATCH)

    def _gather(self, database: "duckdb.DuckDBPyConnection") -> None:
        """Makes `rows`, `names`, `numbered` and `wholes`, which the vault's SQL reads, of the arriving rows; equal rows of
        several pieces are joined, with their number.
        """
        ask, counted = database.execute, self.chosen.counted
        ask("CREATE TABLE sent AS SELECT * FROM arriving")
        stays = "WHERE unit NOT IN (SELECT unit FROM sent WHERE cell < 0)" if self.chosen.withdraws else ""
        ask("CREATE TABLE names AS SELECT CAST(row_number() OVER () AS INTEGER) AS unit, unit AS name "
            f"FROM (SELECT DISTINCT unit FROM sent {stays})")  # fmt: skip
        ask(f"CREATE TABLE alike AS SELECT names.unit AS unit, cell, {counted}, CAST(sum(copies) AS BIGINT) AS copies "
            f"FROM sent JOIN names ON sent.unit IS NOT DISTINCT FROM name GROUP BY ALL")  # fmt: skip
        ask("DROP TABLE sent")
        ask(f"CREATE VIEW rows AS SELECT unit, cell, {counted} FROM alike, range(copies)")
        each = f"SELECT unit, cell, {counted}, copy + 1 AS copy FROM alike, range(copies) AS each (copy)"
        ask(f"CREATE VIEW numbered AS {each if counted == 'weight' else NUMBERED}")
        ask("CREATE VIEW wholes AS SELECT unit, weight * copies AS weight FROM alike")

    @contextmanager
    def _opened(self, source: Source, part: int) -> Iterator[Rows]:
        """Opens the piece, of this part of the survey, in a database of its own."""
        chosen = replace(self.chosen.parts[part], team=self.chosen.team) if self.chosen.parts else self.chosen
        with self._database() as database, Survey(source, chosen.roles).held() as held:
            yield Rows(database, held, chosen)

    @contextmanager
    def _database(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Opens a database for this task; a failure carries one line that quotes nothing, and the mark."""
        try:
            with DuckDB(memory=self.memory, threads=1, folder=self.folder).connected() as database:
                yield database
        except Exception as error:  # noqa: BLE001  # its message may quote a row
            failure = error if isinstance(error, DpmapError) else told(error)
            if isinstance(error, OSError) or type(error).__name__ == "IOException":
                failure = SystemFailed(UNSEEN)
        else:
            return
        raise RuntimeError(f"{self.mark} {type(failure).__name__}: {failure}")


UNSEEN = (
    "engine: an executor could not read the survey or write its temporary folder; put the file where every machine "
    "sees it under the same path, or give dm.read a table that Spark reads"
)


def _counts(seen: "Counter[str]") -> "pa.RecordBatch":
    """Returns what was seen as a batch of names and numbers."""
    import pyarrow as pa

    return pa.record_batch({"name": pa.array(seen, pa.string()), "many": pa.array(seen.values(), pa.int64())})


def each_piece(
    task: "Callable[[Source, str, int], Iterator[pa.RecordBatch]]", sources: list[tuple[Source, int]]
) -> Any:
    """Makes the function that runs a task over batches of the pieces' numbers; each piece is of a part of the survey."""

    def placed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        for batch in batches:
            for piece in batch.column(0).to_pylist():
                source, part = sources[piece]
                yield from task(source, str(piece), part)

    return placed


def each_partition(task: Task, sql: str, key: str, value: str) -> Any:
    """Makes the function that answers over the batches of one partition."""
    return lambda batches: task.answers(batches, sql, key, value)


def _reader(batches: "Iterator[pa.RecordBatch]", columns: dict[str, str]) -> "pa.RecordBatchReader":
    """Returns Spark's batches as one stream, even if no batch comes."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "bigint": pa.int64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in batches))


def each_chunk(task: "Callable[[Source, str], Iterator[pa.RecordBatch]]", work: Task) -> Any:
    """Makes the function that runs a task over a partition of Spark's own table, many batches at once."""
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
        if sum(one.num_rows for one in chunk) >= ROWS_AT_ONCE:
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
