"""The embedded engine: DuckDB streams the survey, past memory if need be, in a private folder that is wiped."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dpmap.engines import LimiterSql, Progress
from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.policy import Policy
from dpmap.sealed import Sealed, Tally, Totals
from dpmap.survey import Survey
from dpmap.survey.locate import cells, origin_is_missing
from dpmap.survey.people import MAYBE_TEAM, PLACEHOLDERS, SIMPLE, members
from dpmap.survey.selection import JOINT, OWN, Selection, cell_metres, selection
from dpmap.survey.sources import literal

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Answer = TypeVar("Answer")
BATCH = 1 << 17
NOBODY = ", ".join(literal(word) for word in sorted(PLACEHOLDERS))


class DuckDB:
    """Counts on this machine. `memory` such as "2GB" bounds it; `threads` defaults to the cores; `folder` is where
    it may spill (a private folder is made in it and wiped).
    """

    def __init__(self, *, memory: str | None = None, threads: int | None = None, folder: str | None = None) -> None:
        self._settings = {"memory_limit": memory, "threads": threads}
        self._folder = folder

    def totals(self, survey: Survey, grid: Grid, policy: Policy, limiter: LimiterSql, progress: Progress) -> Totals:
        """Three steps: rows located and filtered, names made one spelling, the limiter's SQL."""
        with self.opened(survey, grid, policy, progress) as rows:
            return rows.totals(limiter)

    @contextmanager
    def opened(self, survey: Survey, grid: Grid, policy: Policy, progress: Progress) -> "Iterator[Counted]":
        """The first two of those steps, the rows kept for as long as the block lasts."""
        with ExitStack() as closing:
            yield _sheltered(lambda: self._placed(closing, survey, grid, policy, progress))

    def _placed(self, closing: ExitStack, survey: Survey, grid: Grid, policy: Policy, progress: Progress) -> "Counted":
        database = closing.enter_context(self._connected())
        progress("reading the survey")
        rows = Rows(database, survey, selection(survey, policy.unit, policy.consent, cell_metres(grid)))
        rows.place(grid)
        progress("joining spellings of one name")
        rows.name()
        check_not_empty(rows, survey, grid)
        return Counted(database, progress)

    def answered(self, question: "Callable[[duckdb.DuckDBPyConnection], Any]") -> Any:
        """The question's answer from a database of its own; a failure becomes one line that quotes nothing."""

        def asked() -> Any:
            with self._connected() as database:
                return question(database)

        return _sheltered(asked)

    @contextmanager
    def _connected(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """A database in memory, its spill in a private (0700) folder that is wiped."""
        import duckdb

        with tempfile.TemporaryDirectory(prefix="dpmap-", dir=self._folder) as private:
            config: dict[str, Any] = {
                "temp_directory": private,
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "preserve_insertion_order": False,
            }
            with duckdb.connect(":memory:", config=config) as database:
                _silence(database)
                for name, value in self._settings.items():
                    if value is not None:
                        self._set(database, name, value)
                yield database

    def _set(self, database: "duckdb.DuckDBPyConnection", name: str, value: object) -> None:
        """One setting, or what to type instead."""
        import duckdb

        try:
            database.execute(f"SET {name} = {literal(str(value))}")
        except duckdb.Error:
            raise BadInput(f"engine: {name.replace('_', ' ')} is not understood; write it like 2GB or 4") from None


def _sheltered(step: "Callable[[], Answer]") -> "Answer":
    """What the step answers; its failure becomes one line that quotes nothing."""
    failure: BaseException
    try:
        return step()
    except DpmapError:
        raise
    except Exception as error:  # noqa: BLE001  # its message may quote a row
        failure = _told(error)
    raise failure  # here, where the engine's own error is not its context


def _told(error: Exception) -> BaseException:
    """The one line, quoting nothing, that an engine's failure becomes."""
    import duckdb

    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()
    if isinstance(error, duckdb.OutOfMemoryException):
        return SystemFailed("engine: memory ran out; allow more with --memory, or close other programs")
    if isinstance(error, duckdb.IOException | OSError):
        return SystemFailed("engine: the survey or the temporary folder could not be read or written; check the disk")
    if isinstance(error, duckdb.DataError | duckdb.InvalidInputException | duckdb.SerializationException):
        return BadInput("survey: the file breaks off or is damaged inside; export it again")
    if isinstance(error, duckdb.Error):
        return SystemFailed(f"engine: DuckDB stopped ({type(error).__name__}); please report it")
    return BadInput("survey: the file cannot be read to its end; it may be damaged, so export it again")


class Counted(Sealed):
    """The table `rows` of one open database; it answers the vault's SQL with sealed sums only."""

    __slots__ = ("_database", "_progress")

    def __init__(self, database: "duckdb.DuckDBPyConnection", progress: Progress) -> None:
        self._database, self._progress = database, progress

    def totals(self, limiter: LimiterSql) -> Totals:
        """The capped total of every occupied cell."""
        self._progress("capping and counting")
        found = self._asked(limiter)
        return Totals(np.asarray(found["cell"], dtype=np.int64), np.asarray(found["steps"], dtype=np.int64))

    def tally(self, sizes: LimiterSql) -> Tally:
        """How many units have which size."""
        self._progress("counting units by size")
        found = self._asked(sizes)
        return Tally(np.asarray(found["bin"], dtype=np.int64), np.asarray(found["units"], dtype=np.int64))

    def _asked(self, words: LimiterSql) -> dict[str, Any]:
        return _sheltered(lambda: dict(self._database.execute(words("//", "BIGINT")).fetchnumpy()))


def _silence(database: "duckdb.DuckDBPyConnection") -> None:
    """No progress bar; in a notebook without ipywidgets it is off already, and DuckDB refuses to be told so."""
    if database.execute("SELECT current_setting('enable_progress_bar')").fetchall() != [(False,)]:
        database.execute("SET enable_progress_bar = false")


class Rows:
    """The survey's rows in a database: `rows (unit, cell, weight)` of those that count, and what `inspect` asks."""

    def __init__(self, database: "duckdb.DuckDBPyConnection", survey: Survey, chosen: Selection) -> None:
        self.database, self.chosen, self._source = database, chosen, survey._source
        self._sql = self._source.sql
        if self._source.prepare is not None:
            ((folder,),) = database.execute("SELECT current_setting('temp_directory')").fetchall()
            self._sql = self._source.prepare(folder)

    @contextmanager
    def asked(self) -> Iterator[str]:
        """The relation to select from, open for one reading."""
        if self._source.stream is None:
            yield self.chosen.spot.over(self._sql)
            return
        with self._source.stream(list(self.chosen.columns)) as reader:
            self.database.register("survey", reader)
            yield self.chosen.spot.over("survey")
            self.database.unregister("survey")

    def run(self, question: "Callable[[], Any]") -> Any:
        """The question's answer; asked again on one thread where a quoted field breaks over lines, which DuckDB can
        not read on several while it pads short rows.
        """
        import duckdb

        try:
            return question()
        except duckdb.Error:
            if "parallel=true" not in self._sql:
                raise
            self._sql = self._sql.replace("parallel=true", "parallel=false")
            return question()

    def place(self, grid: Grid) -> None:
        """The table `placed (unit, cell, weight)`: rows in the area with consent, their unit as it was written."""
        wanted = {"unit": self.chosen.unit, "weight": self.chosen.weight}
        fast = self.chosen.in_sql(grid)
        self.run(lambda: (self._place_in_sql if fast else self.table)("placed", wanted, self.chosen.keep(), grid))
        if self.chosen.roles.reading.consent_by == "unit" and self.chosen.refused != "false":
            self.run(self.withdraw)

    def _place_in_sql(self, name: str, wanted: dict[str, str], where: str, grid: Grid) -> None:
        """One filter and one projection, all in SQL."""
        spot, names = self.chosen.spot, ", ".join(wanted)
        asked = ", ".join(f"{expression} AS {alias}" for alias, expression in wanted.items())
        with self.asked() as relation:
            points = f"SELECT {asked}, {spot.x} AS x, {spot.y} AS y FROM {relation} WHERE {where}"
            if origin_is_missing(self.chosen.roles.crs):
                points = f"SELECT * FROM ({points}) WHERE NOT (x = 0 AND y = 0)"
            if crs_tools.is_lonlat(self.chosen.roles.crs):
                points = f"SELECT * FROM ({points}) WHERE abs(x) <= 180 AND abs(y) <= 90"
            located = grid.cells.sql(points, names)  # type: ignore[union-attr]  # in_sql: they are Squares
            if grid.mask is not None:
                self.database.register("inside", {"cell": np.flatnonzero(grid.inside)})
                located = f"SELECT * FROM ({located}) WHERE cell IN (SELECT cell FROM inside)"
            self.database.execute(f"CREATE OR REPLACE TABLE {name} AS {located}")

    def table(self, name: str, wanted: dict[str, str], where: str, grid: Grid | None, kept: str = "cell >= 0") -> None:
        """A table of some expressions over the rows and their `cell`, of those rows that are `kept`."""
        spot, names = self.chosen.spot, ", ".join(wanted)
        asked = ", ".join(f"{expression} AS {alias}" for alias, expression in wanted.items())
        extra = f", {spot.crs} AS crs" if spot.crs != "NULL" else ""
        extra += f", {self.chosen.shape} AS shape" if self.chosen.shape else ""
        with self.asked() as relation:
            reader = self.database.sql(
                f"SELECT {asked}, {spot.x} AS x, {spot.y} AS y{extra} FROM {relation} WHERE {where}"
            ).to_arrow_reader(BATCH)
            located = _located(reader, list(wanted), self.chosen, grid)
            chosen = f"SELECT {names}, cell FROM located WHERE {kept}"
            with self.database.cursor() as writer, reader:
                writer.register("located", located.schema.empty_table())
                writer.execute(f"CREATE OR REPLACE TABLE {name} AS {chosen}")
                for batch in located:  # here, since PROJ knows no database in the engine's own threads
                    writer.register("located", batch)
                    writer.execute(f"INSERT INTO {name} {chosen}")
                writer.unregister("located")

    def withdraw(self) -> None:
        """The table `withdrawn`: units one of whose rows refuses, wherever it is."""
        with self.asked() as relation:
            self.database.execute(
                f"CREATE OR REPLACE TABLE withdrawn AS SELECT DISTINCT {self.chosen.unit} AS unit FROM {relation} "
                f"WHERE {self.chosen.refused} AND {self.chosen.unit} IS NOT NULL"
            )

    def name(self) -> None:
        """The table `rows`: `placed` with each unit under its one spelling, a team's row as one share for each member.

        A team's weight is divided by its size as written; the share of a member who names nobody, or who withdrew,
        is lost, and the others' stay as they were. Where every unit is in its one spelling, `placed` serves as it is.
        """
        if self.chosen.by_row:
            self.database.execute("ALTER TABLE placed RENAME TO rows")
            return
        own = self.chosen.roles.reading.missing_unit == "own-unit"
        if self._spellings("placed", own=own):
            self.database.execute(
                "CREATE TABLE rows AS SELECT name AS unit, cell, CAST(weight // size AS BIGINT) AS weight "
                "FROM placed JOIN placed_spellings ON unit = spelling WHERE name IS NOT NULL"
            )
            self.database.execute("DROP TABLE placed")
        else:
            self.database.execute("ALTER TABLE placed RENAME TO rows")
        if own:
            self.database.execute(f"UPDATE rows SET unit = unit || CAST(rowid AS VARCHAR) WHERE unit = {literal(OWN)}")
        if self.chosen.roles.reading.consent_by == "unit" and self.chosen.refused != "false":
            self._spellings("withdrawn", own=own)
            self.database.execute(
                "CREATE TABLE gone AS SELECT DISTINCT name AS unit FROM withdrawn_spellings "
                f"WHERE name IS NOT NULL AND name <> {literal(OWN)}"
            )
            self.database.execute("DELETE FROM rows WHERE unit IN (SELECT unit FROM gone)")

    def _spellings(self, table: str, *, own: bool) -> bool:
        """The table `*_spellings (spelling, name, size)`: whom each distinct text names, one row for each of a team;
        whether any text is not its own spelling already.

        Plain ASCII names are folded in SQL, the rest, and what may be a team, by `people.members`.
        """
        team = self.chosen.team
        plain = f"regexp_full_match(trim(unit), {literal(SIMPLE)}) AND lower(trim(unit)) NOT IN ({NOBODY})"
        if team == "auto":
            plain += f" AND NOT regexp_matches(lower(unit), {literal(MAYBE_TEAM)})"
        elif team != "none":
            plain += "".join(f" AND NOT contains(unit, {literal(mark)})" for mark in team)
        folded = f"CASE WHEN {plain} THEN lower(trim(unit)) END" if not self.chosen.joined else "CAST(NULL AS VARCHAR)"
        self.database.execute(
            f"CREATE OR REPLACE TABLE folded AS SELECT unit AS spelling, {folded} AS name FROM (SELECT DISTINCT unit FROM {table})"
        )
        unusual = self.database.cursor().sql("SELECT spelling FROM folded WHERE name IS NULL").to_arrow_reader(BATCH)
        with self.database.cursor() as writer:
            writer.register("told", _members(unusual, team, own=own, joined=self.chosen.joined))
            writer.execute(
                f"CREATE OR REPLACE TABLE {table}_spellings AS SELECT spelling, name, 1 AS size FROM folded "
                "WHERE name IS NOT NULL UNION ALL SELECT * FROM told"
            )
        differ = f"SELECT count(*) FROM {table}_spellings WHERE name IS DISTINCT FROM spelling OR size > 1"
        return _one(self.database, differ) > 0

    def nameless(self, table: str) -> int:
        """How many rows of a table hold a text that names nobody, once `name` has told; they are deleted."""
        nobody = "unit IN (SELECT spelling FROM placed_spellings GROUP BY spelling HAVING count(name) = 0)"
        return self._drop(table, nobody)

    def withdrawn(self, table: str) -> int:
        """How many rows of a table belong only to units that withdrew, once `name` has told; they are deleted."""
        if not _one(self.database, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'gone'"):
            return 0
        left = (
            "unit IN (SELECT spelling FROM placed_spellings GROUP BY spelling "
            "HAVING bool_and(name IS NULL OR name IN (SELECT unit FROM gone)))"
        )
        return self._drop(table, left)

    def _drop(self, table: str, where: str) -> int:
        found = _one(self.database, f"SELECT count(*) FROM {table} WHERE {where}")
        self.database.execute(f"DELETE FROM {table} WHERE {where}")
        return found


def _members(spellings: "pa.RecordBatchReader", team: str, *, own: bool, joined: bool) -> "pa.RecordBatchReader":
    """(spelling, name, size) for every member of every spelling, batch by batch."""
    import pyarrow as pa

    schema = pa.schema([("spelling", pa.string()), ("name", pa.string()), ("size", pa.int32())])
    nobody = OWN if own else None

    def batches() -> "Iterator[pa.RecordBatch]":
        for batch in spellings:
            named = [(text, _people(text, team, joined=joined)) for text in batch.column(0).to_pylist()]
            flat = [(text, one or nobody, len(people)) for text, people in named for one in people]
            columns = [pa.array([row[i] for row in flat], schema.field(i).type) for i in range(3)]
            yield pa.record_batch(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _people(text: str, team: str, *, joined: bool) -> list[str | None]:
    """Whom a unit's text names; one of several columns names nobody where any of them does."""
    if text == OWN:
        return [None]
    if not joined:
        return members(text, team)
    parts = [members(part, "none")[0] for part in text.split(JOINT)]
    return [None if None in parts else JOINT.join(part for part in parts if part)]


def _located(
    reader: "pa.RecordBatchReader", names: list[str], chosen: Selection, grid: Grid | None
) -> "pa.RecordBatchReader":
    """The wanted columns with each row's cell, batch by batch; what cannot be placed gets a code below 0."""
    import pyarrow as pa

    schema = pa.schema([*(reader.schema.field(name) for name in names), ("cell", pa.int64())])

    def batches() -> "Iterator[pa.RecordBatch]":
        for batch in reader:
            cell = pa.array(cells(batch, chosen.roles, grid), pa.int64())
            yield pa.record_batch([*(batch.column(name) for name in names), cell], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


FEW = 100


def check_not_empty(rows: Rows, survey: Survey, grid: Grid) -> None:
    """When hardly a row counts, says so if a named column is blank throughout or the axes are swapped.

    This depends on rows and is for the operator's screen: the promise page lists it.
    """
    kept = _one(rows.database, f"SELECT count(*) FROM (SELECT 1 FROM rows LIMIT {FEW})")
    if kept >= FEW:
        return
    chosen = rows.chosen
    if not chosen.roles.reading.swap and chosen.spot.crs == "NULL" and not chosen.shape and grid.kind == "squares":
        _check_not_swapped(rows, grid)
    if kept:
        return
    placed = f"count({chosen.spot.x}), count({chosen.spot.y})" if not chosen.shape else "count(*), count(*)"

    def ask() -> Any:
        with rows.asked() as relation:
            return rows.database.execute(f"SELECT count(*), {placed} FROM {relation}").fetchall()[0]

    every, *numbers = rows.run(ask)
    columns = [column for column in (survey.roles.x, survey.roles.y) if column] or [
        place.cell for place in survey.roles.places
    ]
    for column, count in zip(columns, numbers, strict=False):
        if every and not count:
            raise BadInput(f"place: no row of {column!r} holds a coordinate; name the columns with --x --y --crs")
    if every and not chosen.by_row and OWN not in chosen.unit and not rows.run(lambda: _anyone(rows)):
        raise BadInput(
            "--unit: every row is blank or a placeholder there; name a column that is filled in, or --unit row"
        )


def _anyone(rows: Rows) -> bool:
    """Whether any row names anybody."""
    with rows.asked() as relation:
        distinct = rows.database.sql(f"SELECT DISTINCT {rows.chosen.unit} FROM {relation}").to_arrow_reader(BATCH)
        texts = (text for batch in distinct for text in batch.column(0).to_pylist() if text is not None)
        return any(any(_people(text, rows.chosen.team, joined=rows.chosen.joined)) for text in texts)


def _check_not_swapped(rows: Rows, grid: Grid) -> None:
    """Refuses when far more rows fall in the area with x for y than as they were read, whoever they belong to."""
    roles, spot = rows.chosen.roles, rows.chosen.spot
    if not crs_tools.is_lonlat(roles.crs):
        return

    def inside(east: str, north: str) -> int:
        with rows.asked() as relation:
            reader = rows.database.sql(f"SELECT {east} AS x, {north} AS y FROM {relation}").to_arrow_reader(BATCH)
            return sum(int((cells(batch, roles, grid) >= 0).sum()) for batch in reader)

    if rows.run(lambda: inside(spot.y, spot.x)) > 10 * rows.run(lambda: inside(spot.x, spot.y)):
        raise BadInput(
            "place: longitude and latitude look swapped, as the rows fall in the area only the other way round; "
            "add --swap, or name them with --x and --y"
        )


def _one(database: "duckdb.DuckDBPyConnection", query: str) -> int:
    ((value,),) = database.execute(query).fetchall()
    return int(value)
