"""Puts a survey's rows into a database: what every engine does with a survey, or with each piece
of one.
"""

import os
import re
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.engines.unit_spelling import folded_name_sql, name_units
from dpmap.errors import BadInput, SystemFailed
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.promise.policy import Policy
from dpmap.survey import Survey
from dpmap.survey.cell_lookup import cells, origin_is_missing
from dpmap.survey.row_sql import OWN, Selection, cell_metres, selection
from dpmap.survey.sources import literal, printable_name, quote_column

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BATCH = 1 << 17


def chosen_for(survey: Survey, grid: Grid, policy: Policy) -> Selection:
    """Builds the SQL for the rows of a survey that count under a policy."""
    return selection(
        survey.header,
        policy.unit,
        policy.consent,
        cell_metres(grid.ground),
        grid.axes,
        policy.epsilon_by,
    )


class TakenBatches:
    """Hands a reader's batches to the engine, and knows whether it took them all."""

    def __init__(self, batches: "pa.RecordBatchReader") -> None:
        import pyarrow as pa

        self._batches = batches
        self._begun = False
        self._ended = False
        self.reader = pa.RecordBatchReader.from_batches(batches.schema, self._hand_over())

    def _hand_over(self) -> "Iterator[pa.RecordBatch]":
        self._begun = True
        yield from self._batches
        self._ended = True

    def check_whole(self) -> None:
        """Fails where the engine left rows behind. Where it needed none, since no row can fulfil
        the question, the file is read all the same, so that a survey that is refused is refused
        whatever is asked.
        """
        if not self._begun:
            for _ in self._batches:
                pass
        elif not self._ended:
            raise SystemFailed(
                "engine: DuckDB did not take every row of the survey; please report it"
            )


class RowTable:
    """Holds the survey's rows in a database as `rows (unit, cell, weight)`, with `level` if units
    state limits; also answers what `inspect` asks.

    Where `coded`, each name is kept once, in `names`, and `rows` has its code; it is a view, and of
    Parquet reads the files once more. Of a survey in several parts each is read and placed by
    itself, by its own columns; only then are their rows put together and named.
    """

    def __init__(
        self,
        database: "duckdb.DuckDBPyConnection",
        survey: Survey,
        chosen: Selection,
        *,
        coded: bool = False,
    ) -> None:
        self.database = database
        self.chosen = chosen
        self._source = survey._source
        if self._source.of_unit is not None:
            self._source = self._source.of_unit(chosen.people, chosen.team)
        self.file = survey.name
        self._coded = (
            coded and chosen.roles.reading.missing_unit != "own-unit" and not chosen.by_row
        )
        self.by_unit = UnitRows(database, chosen)
        self._sql = self._source.sql
        if self._source.frame is not None:
            raise BadInput(
                "engine: this survey is a table that Spark reads; add engine=dm.engines.Spark()"
            )
        if self._source.bind is not None:
            self._source = self._source.bind(self.chosen.needs)
        if self._source.prepare is not None:
            ((folder,),) = database.execute("SELECT current_setting('temp_directory')").fetchall()
            self._sql = self._source.prepare(folder, self.chosen.needs)
        self._marks = {path: _mark(path) for path in self._source.files}
        self.parts = [
            RowTable(database, part, part_chosen)
            for part, part_chosen in zip(survey.parts, chosen.parts, strict=True)
        ]

    def each(self, step: "Callable[[RowTable], None]", *tables: str) -> None:
        """Takes a step that makes these tables; of a survey in several parts once for each, and
        puts their tables together.
        """
        if not self.parts:
            step(self)
            return
        ask = self.database.execute
        for table in tables:
            ask(f"DROP TABLE IF EXISTS all_{table}")
        for part in self.parts:
            step(part)
            for table in tables:
                ask(f"CREATE TABLE IF NOT EXISTS all_{table} AS SELECT * FROM {table} LIMIT 0")
                ask(f"INSERT INTO all_{table} SELECT * FROM {table}")
                ask(f"DROP TABLE {table}")
        for table in tables:
            ask(f"ALTER TABLE all_{table} RENAME TO {table}")

    @contextmanager
    def relation(self, *, whole: bool = False) -> Iterator[str]:
        """Yields the relation to select from, open for one reading; a `whole` one takes every
        row there is, which is checked.
        """
        if self._source.stream is None:
            yield self.chosen.over(self._with_lacking_columns(self._sql))
            return
        with self._source.stream(self._own_columns()) as reader:
            taken = TakenBatches(reader)
            self.database.register("survey", taken.reader)
            yield self.chosen.over(self._with_lacking_columns("survey"))
            self.database.unregister("survey")
            if whole:
                taken.check_whole()

    def _own_columns(self) -> list[str]:
        """Lists the columns that are read and that this part has."""
        return [column for column in self.chosen.columns if column not in self.chosen.lacking]

    def _with_lacking_columns(self, relation: str) -> str:
        """Returns the relation with each declared column that this part lacks, empty in every
        row.
        """
        empty = "".join(
            f", CAST(NULL AS VARCHAR) AS {quote_column(column)}" for column in self.chosen.lacking
        )
        return f"(SELECT *{empty} FROM {relation})" if empty else relation

    @contextmanager
    def naming_part(self) -> Iterator[None]:
        """Names the part of the survey that a failure is about, if the engine's own message does
        not.
        """
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            part = self._damaged() if type(error) is duckdb.Error else None
            if part is None:
                raise
            raise BadInput(
                f"survey: {part} breaks off or is damaged inside; export it again"
            ) from None

    def check_unchanged(self) -> None:
        """Refuses rows of files that changed since they were opened: they are read more than once,
        and what is capped must be what is counted.
        """
        for part in self.parts:
            part.check_unchanged()
        changed = next((path for path, mark in self._marks.items() if _mark(path) != mark), None)
        if changed is not None:
            raise BadInput(
                f"survey: {printable_name(os.path.basename(changed))} changed while it was read;"
                " try again"
                " when nobody writes to it"
            )

    def _damaged(self) -> str | None:
        """Returns the first file of a survey in several that cannot be read by itself."""
        import duckdb

        if self.parts:
            return next((file for part in self.parts if (file := part._damaged())), None)
        if self._source.cut is None or not self._source.sql:
            return None
        every = ", ".join(
            quote_column(column) for column in self._own_columns()
        )  # a mere count is answered from the footer
        for part in self._source.cut(1):
            try:
                self.database.execute(f"SELECT bit_xor(hash({every})) FROM {part.sql}")
            except duckdb.Error:
                path = re.search(r"read_parquet\(\['([^']+)'", part.sql)
                return printable_name(os.path.basename(path[1])) if path else None
        return None

    def place(self, grid: Grid) -> None:
        """Makes the table `placed`: what `rows` will hold, with the unit still as it was
        written.
        """
        withdrawn = ["withdrawn"] if self.chosen.withdraws else []
        self.by_unit.cells = grid.size
        self.each(lambda part: part._place(grid), "placed", *withdrawn)

    def _place(self, grid: Grid) -> None:
        """Places the rows of one part."""
        wanted = {"unit": self.chosen.unit, "weight": self.chosen.weight}
        if self.chosen.level:
            wanted["level"] = self.chosen.level
        if self.chosen.layer:
            wanted["layer"] = self.chosen.layer
        fast = self.chosen.in_sql(grid)
        if fast:
            self._place_in_sql(wanted, self.chosen.keep(), grid)
        else:
            self.table("placed", wanted, self.chosen.keep(), grid)
        if self.chosen.withdraws:
            self._withdraw()

    def _place_in_sql(self, wanted: dict[str, str], where: str, grid: Grid) -> None:
        """Fills `placed` with one filter and one projection, all in SQL."""
        spot = self.chosen.spot
        names = ", ".join(wanted)
        expressions = ", ".join(f"{expression} AS {alias}" for alias, expression in wanted.items())
        with self.relation(whole=True) as relation:
            points = (
                f"SELECT {expressions}, {spot.x} AS x, {spot.y} AS y FROM {relation} WHERE {where}"
            )
            if origin_is_missing(self.chosen.roles.crs):
                # of abs, below which DuckDB does not push it: it would read each number twice
                points = f"SELECT * FROM ({points}) WHERE NOT (abs(x) = 0 AND abs(y) = 0)"
            if crs_tools.is_lonlat(self.chosen.roles.crs):
                points = f"SELECT * FROM ({points}) WHERE abs(x) <= 180 AND abs(y) <= 90"
            # in_sql: they are Squares
            located = grid.cells.sql(points, names)  # type: ignore[union-attr]
            if grid.mask is not None:
                self.database.register("given", {"cell": np.flatnonzero(grid.ground.inside)})
                self.database.execute("CREATE OR REPLACE TABLE inside AS SELECT * FROM given")
                located = f"SELECT * FROM ({located}) WHERE cell IN (SELECT cell FROM inside)"
            again = self._coded and "read_parquet(" in self._sql  # as soon read again as copied
            kind = "VIEW" if again else "TABLE"
            self.database.execute(
                f"CREATE OR REPLACE {kind} placed AS SELECT {_stacked(wanted, grid)} FROM"
                f" ({located})"
            )

    def table(
        self,
        name: str,
        wanted: dict[str, str],
        where: str,
        grid: Grid | None,
        condition: str = "cell >= 0",
    ) -> None:
        """Makes a table of some expressions over the rows and their `cell`, of the rows for
        which the condition holds.
        """
        spot = self.chosen.spot
        expressions = ", ".join(f"{expression} AS {alias}" for alias, expression in wanted.items())
        extra = f", {spot.crs} AS crs" if spot.crs != "NULL" else ""
        extra += f", {self.chosen.shape} AS shape" if self.chosen.shape else ""
        with self.relation(whole=True) as relation:
            reader = self.database.sql(
                f"SELECT {expressions}, {spot.x} AS x, {spot.y} AS y{extra}"
                f" FROM {relation} WHERE {where}"
            ).to_arrow_reader(BATCH)
            located = _located(reader, list(wanted), self.chosen, grid)
            put = f"CREATE OR REPLACE TABLE {name} AS"
            with self.database.cursor() as writer, reader, closing(located):
                for batch in located:
                    writer.register("located", batch)
                    writer.execute(
                        f"{put} SELECT {_stacked(wanted, grid)} FROM located WHERE {condition}"
                    )
                    put = f"INSERT INTO {name}"
                writer.unregister("located")

    def pair(self) -> None:
        """Makes the table `rows` of a survey's contributors and sites, wherever its rows are."""
        self.each(RowTable._pair, "placed")
        self.name()

    def _pair(self) -> None:
        """Reads the contributors and sites of one part."""
        wanted = {"unit": self.chosen.unit, "weight": self.chosen.weight}
        self.table("placed", wanted, self.chosen.keep(), None, condition="true")

    def withdraw(self) -> None:
        """Makes the table `withdrawn`: the units of which some row refuses, wherever it is."""
        self.each(RowTable._withdraw, "withdrawn")

    def _withdraw(self) -> None:
        """Finds the units that withdraw in one part."""
        with self.relation(whole=True) as relation:
            self.database.execute(
                f"CREATE OR REPLACE TABLE withdrawn AS SELECT DISTINCT {self.chosen.unit} AS unit"
                f" FROM {relation} WHERE {self.chosen.refused} AND {self.chosen.unit} IS NOT NULL"
            )

    def name(self) -> None:
        """Makes the table `rows` from `placed`: each unit under its one spelling, and a row that
        names several people once, whole, for each of them.

        So what a row is for one of them does not depend on the others, nor on how many there are.
        Where every unit is in its one spelling, `placed` serves as it is.
        """
        ask = self.database.execute
        own_unit = self.chosen.roles.reading.missing_unit == "own-unit"
        level = ", level" if self.chosen.level else ""
        if self.chosen.by_row:
            ask("ALTER TABLE placed RENAME TO rows")
            return
        differ = self._spellings("placed", own_unit=own_unit, counted=self._coded)
        if self.chosen.withdraws:
            self._spellings("withdrawn", own_unit=own_unit)
            ask(
                "CREATE TABLE gone AS SELECT DISTINCT name AS unit FROM withdrawn_spellings "
                f"WHERE name IS NOT NULL AND name <> {literal(OWN)}"
            )
            differ = True
        if self._coded:
            self.by_unit.code(each_its_own=not differ)
        elif differ:
            ask(
                f"CREATE TABLE rows AS SELECT name AS unit, cell, weight{level} "
                "FROM placed JOIN placed_spellings ON unit = spelling"
                f" WHERE {self.chosen.who_counts}"
            )
            ask("DROP TABLE placed")
        else:
            ask("ALTER TABLE placed RENAME TO rows")
        if own_unit:
            ask(
                f"UPDATE rows SET unit = unit || CAST(rowid AS VARCHAR) WHERE unit = {literal(OWN)}"
            )

    def _spellings(self, table: str, *, own_unit: bool, counted: bool = False) -> bool:
        """Makes the table `*_spellings (spelling, name)` of everyone whom each distinct text names;
        returns whether any text differs from its normal spelling. `*_texts` holds the texts, where
        `counted` with their rows and weight.

        Plain names are folded in SQL, the rest by `spelling.named`.
        """
        sums = f", {self.chosen.sums}" if counted else ""
        ask = self.database.execute
        ask(
            f"CREATE OR REPLACE TABLE {table}_texts AS SELECT unit AS spelling,"
            f" {folded_name_sql(self.chosen)} AS name{sums} FROM {table} GROUP BY unit"
        )
        spelt = (
            f"{table}_spellings AS SELECT spelling, name FROM {table}_texts WHERE name IS NOT NULL"
        )
        if single_number(self.database, f"SELECT count(*) FROM {table}_texts WHERE name IS NULL"):
            left = (
                self.database.cursor()
                .sql(f"SELECT spelling FROM {table}_texts WHERE name IS NULL")
                .to_arrow_reader(BATCH)
            )
            with self.database.cursor() as writer:
                writer.register(
                    "read_names",
                    name_units(
                        left, self.chosen.team, own_unit=own_unit, joined=self.chosen.joined
                    ),
                )
                writer.execute(
                    f"CREATE OR REPLACE TABLE {spelt} UNION ALL SELECT * FROM read_names"
                )
        else:  # and Arrow need not be loaded
            ask(f"CREATE OR REPLACE {'VIEW' if counted else 'TABLE'} {spelt}")
        differ = f"SELECT count(*) FROM {table}_spellings WHERE name IS DISTINCT FROM spelling"
        return single_number(self.database, differ) > 0

    def different(self, column: str, table: str) -> tuple[int, int]:
        """Counts the names in a column, spellings joined as those of units are, and the rows
        that name anybody, for the operator.
        """
        self.database.execute(
            f"CREATE OR REPLACE VIEW offered AS SELECT {column} AS unit FROM {table} WHERE {column}"
            " IS NOT NULL"
        )
        self._spellings("offered", own_unit=False)
        names = "SELECT count(DISTINCT name) FROM offered_spellings"
        named = (
            "SELECT count(*) FROM offered JOIN offered_spellings ON unit = spelling WHERE name IS"
            " NOT NULL"
        )
        return single_number(self.database, names), single_number(self.database, named)

    NAMELESS = "SELECT spelling FROM placed_spellings GROUP BY spelling HAVING count(name) = 0"
    """The texts that name nobody, after `name` has run."""

    def nameless(self, table: str) -> int:
        """Deletes the rows whose text names nobody, after `name` has run, and returns how many
        there were.
        """
        return self._drop(table, f"unit IN ({self.NAMELESS})")

    def withdrawn(self, table: str) -> int:
        """Deletes the rows that belong only to withdrawn units, after `name` has run, and
        returns how many there were.
        """
        if not single_number(
            self.database, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'gone'"
        ):
            return 0
        left = (
            "unit IN (SELECT spelling FROM placed_spellings GROUP BY spelling "
            "HAVING bool_and(name IS NULL OR name IN (SELECT unit FROM gone)))"
        )
        return self._drop(table, left)

    def _drop(self, table: str, where: str) -> int:
        row_count = single_number(self.database, f"SELECT count(*) FROM {table} WHERE {where}")
        self.database.execute(f"DELETE FROM {table} WHERE {where}")
        return row_count


class UnitRows:
    """Numbers the units of `placed`, whose texts name whom `placed_spellings` says: `rows (unit,
    cell, weight)`, with `level` if units state limits, has their numbers, and `names` and `wholes`
    stand beside it.

    Every engine counts by these, wherever `placed` is from: its unit is a text, or on a cluster
    what a piece of the survey calls a unit. `units` is 0 where none were numbered.

    **Why a row stays its unit's.** A row has the number of each name that its text has in
    `placed_spellings`, and of no other: numbers are one to one with names, and both joins are by
    equality. A unit that withdrew has no name in `names`, so none of its rows is left.
    """

    def __init__(self, database: "duckdb.DuckDBPyConnection", chosen: Selection) -> None:
        self.database = database
        self.chosen = chosen
        self.units = self.row_count = self.cells = 0
        self._one_text_each = False

    def code(self, *, each_its_own: bool) -> None:
        """Makes `rows`, which is `placed` with each text's code, `names (unit, name)`, and `wholes
        (unit, weight)`: each unit's weight, added up text by text (`placed_texts`).
        """
        ask = self.database.execute
        counts = self.chosen.who_counts
        level = ", level" if self.chosen.level else ""
        table_sizes = set[int]()
        if each_its_own:
            ask(
                "CREATE VIEW coded AS SELECT spelling, CAST(rowid + 1 AS INTEGER) AS code, whole,"
                " row_count FROM placed_texts"
            )
            ask("CREATE VIEW names AS SELECT code AS unit, spelling AS name FROM coded")
        else:
            ask(
                "CREATE TABLE names AS SELECT CAST(row_number() OVER () AS INTEGER) AS unit, name "
                f"FROM (SELECT DISTINCT name FROM placed_spellings WHERE {counts})"
            )
            ask(
                "CREATE TABLE coded AS SELECT spelling, names.unit AS code, whole, row_count "
                "FROM placed_spellings JOIN names USING (name) JOIN placed_texts USING (spelling)"
            )
            table_sizes = {
                single_number(self.database, f"SELECT count(*) FROM {table}")
                for table in ("placed_texts", "placed_spellings", "coded")
            }
            ask("DROP TABLE placed_texts")
        ask("CREATE VIEW wholes AS SELECT code AS unit, whole AS weight FROM coded")
        ask(
            f"CREATE VIEW rows AS SELECT code AS unit, cell, weight{level} FROM placed JOIN coded"
            " ON unit = spelling"
        )
        self.units = single_number(self.database, "SELECT count(*) FROM names")
        self._one_text_each = each_its_own or table_sizes == {self.units}
        self.row_count = single_number(
            self.database, "SELECT CAST(coalesce(sum(row_count), 0) AS BIGINT) FROM coded"
        )

    @contextmanager
    def texts_as_units(self) -> Iterator[None]:
        """Lets `rows`, `names` and `wholes` call each unit by its text for as long as the block
        lasts, where every unit has exactly one; elsewhere they keep its code.

        So no row need be joined to a code before its unit's weight is looked up.

        **Why a row stays its unit's.** `placed_spellings` has at least one row for each distinct
        text (without a name where it names nobody), `coded` one for each of these that has a name
        that counts, and each of `names` has at least one row in `coded`. So where all four are
        equally many, each text names exactly one unit, and each unit has exactly one text: two
        rows are of one unit if and only if their texts are equal. Whether that is so changes no
        total, since no total looks at codes.
        """
        views = {
            "rows": "SELECT * FROM placed",
            "wholes": "SELECT spelling AS unit, whole AS weight FROM coded",
            "names": (
                "SELECT spelling AS unit, name FROM coded JOIN memory.main.names"
                " ON code = names.unit"
            ),
        }
        views = views if self._one_text_each else {}
        for name, view in views.items():
            self.database.execute(f"CREATE TEMP VIEW {name} AS {view}")
        try:
            yield
        finally:
            for name in views:
                self.database.execute(f"DROP VIEW temp.{name}")

    def largest(self, most: int) -> dict[int, int]:
        """Returns the codes of the units that have most rows, and how many rows each has, the
        largest first; at most so many units.
        """
        query = (
            "SELECT code, CAST(sum(row_count) AS BIGINT) AS row_count FROM coded GROUP BY code"
            f" ORDER BY row_count DESC, code LIMIT {most}"
        )
        return dict(self.database.execute(query).fetchall())

    def coded(self, *, at_once: bool) -> "Iterator[dict[str, np.ndarray[Any, Any]]]":
        """Yields the rows, all `at_once` or some at a time: `row`, which is the unit's code <<
        32 | cell, and what differs from row to row.
        """
        query = (
            "SELECT CAST(unit AS BIGINT) << 32 | cell AS"
            f" row{'' if self.chosen.alike else f', {self.chosen.counted}'} FROM rows"
        )
        if at_once:  # and Arrow need not be loaded
            yield dict(self.database.execute(query).fetchnumpy())
            return
        with self.database.cursor() as reader, reader.sql(query).to_arrow_reader(BATCH) as batches:
            for batch in batches:
                yield {name: _numbers(batch.column(name)) for name in batch.schema.names}


def _stacked(wanted: dict[str, str], grid: Grid | None) -> str:
    """Returns the wanted columns and the cell's number among all layers: one layer's cells after
    another's.
    """
    above = f" + layer * {grid.ground.size}" if grid is not None and "layer" in wanted else ""
    return ", ".join([*(name for name in wanted if name != "layer"), f"cell{above} AS cell"])


def _mark(path: str) -> tuple[int, ...]:
    """Returns what changes whenever a file is written to or another is put in its place."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _numbers(column: "pa.Array") -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Returns a column of 64-bit numbers, none of them missing, as the array that it is."""
    return np.frombuffer(column.buffers()[1], np.int64, len(column), 8 * column.offset)


def _arrow(numbers: "np.ndarray[Any, Any]") -> "pa.Array":
    """Converts numbers to Arrow in place; `pa.array` would load pandas first."""
    import pyarrow as pa

    held = np.ascontiguousarray(numbers)
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(held.dtype), len(held), [None, pa.py_buffer(held)]
    )


def _located(
    reader: "pa.RecordBatchReader", names: list[str], chosen: Selection, grid: Grid | None
) -> "Generator[pa.RecordBatch]":
    """Yields the wanted columns with each row's cell, batch by batch; what cannot be placed gets a
    code below 0.

    One batch is placed while the next is read, in a thread of ours: PROJ knows no database in the
    engine's own.
    """
    import pyarrow as pa

    def placed(batch: "pa.RecordBatch") -> "pa.RecordBatch":
        cell = _arrow(cells(batch, chosen.roles, grid).astype(np.int64, copy=False))
        return pa.record_batch(
            [*(batch.column(name) for name in names), cell], names=[*names, "cell"]
        )

    with ThreadPoolExecutor(1) as worker:
        none = pa.RecordBatch.from_arrays(
            [pa.nulls(0, field.type) for field in reader.schema], schema=reader.schema
        )
        waiting = worker.submit(placed, none)
        for batch in reader:
            placing = waiting
            waiting = worker.submit(placed, batch)
            yield placing.result()
        yield waiting.result()


def single_number(database: "duckdb.DuckDBPyConnection", query: str) -> int:
    """Returns the one number that a query answers."""
    ((value,),) = database.execute(query).fetchall()
    return int(value)
