"""The embedded engine: DuckDB streams the survey, past memory if need be, in a private folder that is wiped."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dpmap.engines import LimiterSql, Progress
from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.policy import Policy
from dpmap.sealed import Sealed, Tally, Totals
from dpmap.survey import Survey
from dpmap.survey.people import PLACEHOLDERS, SIMPLE, is_missing, normalise
from dpmap.survey.sources import literal, point_coordinates, quoted

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Answer = TypeVar("Answer")
BATCH = 1 << 17
JOINT = "\x01"
"""Between the parts of a unit of several columns; it is removed from the parts themselves."""
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
        question = _Question(survey, grid, policy)
        question.source.check()
        _place_rows_patiently(database, question)
        progress("joining spellings of one name")
        _name_rows(database, question)
        _check_not_blank(database, question)
        return Counted(database, progress)

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


class _Question:
    """The SQL words for one survey and policy: which columns are read, and which rows can count at all."""

    def __init__(self, survey: Survey, grid: Grid, policy: Policy) -> None:
        self.roles, self.source, self.grid = survey.roles, survey._source, grid
        self.units = [survey.require(column, flag="--unit") for column in policy.unit_columns]
        self.unit = _unit_sql(self.units)
        self.place = [column for column in (self.roles.geometry, self.roles.x, self.roles.y) if column]
        self.consent = "true"
        self.columns = [*self.place, *self.units]
        if policy.consent is not None:
            column = survey.require(policy.consent.column, flag="--consent")
            self.columns.append(column)
            meant = ", ".join(f"lower({literal(value.strip())})" for value in policy.consent.values)
            self.consent = f"lower(trim(CAST({quoted(column)} AS VARCHAR))) IN ({meant})"

    @property
    def all_in_sql(self) -> bool:
        """Whether DuckDB can place the points by itself: square cells in the survey's own CRS."""
        same = self.roles.geometry is None and crs_tools.same(self.roles.crs, self.grid.crs)
        return same and isinstance(self.grid.cells, Squares)

    def value(self, column: str) -> str:
        """A place column as what it must hold: a geometry as it is, a coordinate as a number."""
        return quoted(column) if self.roles.geometry else _number(column)

    @contextmanager
    def asked(self, database: "duckdb.DuckDBPyConnection") -> Iterator[str]:
        """The relation to select from, open for one reading."""
        if self.source.stream is None:
            yield self.source.sql
            return
        with self.source.stream(list(dict.fromkeys(self.columns))) as reader:
            database.register("survey", reader)
            yield "survey"
            database.unregister("survey")


def _place_rows_patiently(database: "duckdb.DuckDBPyConnection", question: _Question) -> None:
    """`_place_rows`, once more in a slower way where the fast reader gives up on a text file."""
    import duckdb

    try:
        _place_rows(database, question)
    except duckdb.Error:
        if not question.source.patient_sql:
            raise
        question.source = replace(question.source, sql=question.source.patient_sql, patient_sql="")
        database.execute("DROP TABLE IF EXISTS placed")
        _place_rows(database, question)


def _place_rows(database: "duckdb.DuckDBPyConnection", question: _Question) -> None:
    """The table `placed (unit, cell, weight)`: rows in the area with consent, their unit as it was written."""
    where = f"{question.unit} IS NOT NULL AND {question.consent}"
    kept = "SELECT unit, cell, CAST(1 AS BIGINT) AS weight FROM located WHERE cell >= 0"
    with question.asked(database) as relation:
        if question.all_in_sql:
            x, y = (_number(column) for column in question.place)
            points = f"SELECT {question.unit} AS unit, {x} AS x, {y} AS y FROM {relation} WHERE {where}"
            located = question.grid.cells.sql(points, "unit")  # type: ignore[union-attr]  # all_in_sql: they are Squares
            if question.grid.mask is not None:
                database.register("inside", {"cell": np.flatnonzero(question.grid.inside)})
                kept += " AND cell IN (SELECT cell FROM inside)"
            database.execute(f"CREATE TABLE placed AS WITH located AS ({located}) {kept}")
            return
        place = ", ".join(question.value(column) for column in question.place)
        reader = database.sql(f"SELECT {question.unit} AS unit, {place} FROM {relation} WHERE {where}").to_arrow_reader(
            BATCH
        )
        with database.cursor() as writer, reader:
            writer.execute("CREATE TABLE placed (unit VARCHAR, cell BIGINT, weight BIGINT)")
            for batch in _located(reader, question):  # here, since PROJ knows no database in the engine's own threads
                writer.register("located", batch)
                writer.execute(f"INSERT INTO placed {kept}")
                writer.unregister("located")


def _located(reader: "pa.RecordBatchReader", question: _Question) -> "pa.RecordBatchReader":
    """The same rows as (unit, cell), batch by batch; what cannot be placed gets cell -1."""
    import pyarrow as pa

    schema = pa.schema([("unit", pa.string()), ("cell", pa.int64())])

    def batches() -> "Iterator[pa.RecordBatch]":
        for batch in reader:
            if question.roles.geometry:
                x, y = point_coordinates(batch.column(1).to_numpy(zero_copy_only=False))
            else:
                x, y = (batch.column(i).to_numpy(zero_copy_only=False) for i in (1, 2))
            cell = question.grid.locate(x, y, question.roles.crs)
            yield pa.record_batch([batch.column(0).cast(pa.string()), pa.array(cell)], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _name_rows(database: "duckdb.DuckDBPyConnection", question: _Question) -> None:
    """The table `rows`: `placed` with each unit under its one spelling, rows that name nobody left out.

    Every distinct spelling is folded once: plain ASCII in SQL, the rest by `normalise`. Where all are in their one
    spelling already, `placed` serves as it is.
    """
    if not question.units:
        database.execute("ALTER TABLE placed RENAME TO rows")
        return
    database.execute(f"""
        CREATE TABLE spellings AS SELECT unit AS spelling, {_FOLDED if len(question.units) == 1 else "CAST(NULL AS VARCHAR)"} AS name
        FROM (SELECT DISTINCT unit FROM placed)""")
    if _one(database, "SELECT count(*) FROM spellings WHERE name IS NULL"):
        unusual = database.cursor().sql("SELECT spelling FROM spellings WHERE name IS NULL").to_arrow_reader(BATCH)
        with database.cursor() as writer:
            writer.register("folded", _folded(unusual))
            writer.execute("CREATE TABLE unusual AS SELECT * FROM folded")
        database.execute(
            "UPDATE spellings SET name = unusual.name FROM unusual WHERE spellings.spelling = unusual.spelling"
        )
    if _one(database, "SELECT count(*) FROM spellings WHERE name IS DISTINCT FROM spelling") == 0:
        database.execute("ALTER TABLE placed RENAME TO rows")
        return
    database.execute("""
        CREATE TABLE rows AS SELECT name AS unit, cell, weight FROM placed JOIN spellings ON unit = spelling
        WHERE name IS NOT NULL""")
    database.execute("DROP TABLE placed")


_FOLDED = f"CASE WHEN regexp_full_match(trim(unit), {literal(SIMPLE)}) AND lower(trim(unit)) NOT IN ({NOBODY}) THEN lower(trim(unit)) END"


def _folded(spellings: "pa.RecordBatchReader") -> "pa.RecordBatchReader":
    """(spelling, name) for every spelling, batch by batch."""
    import pyarrow as pa

    schema = pa.schema([("spelling", pa.string()), ("name", pa.string())])
    batches = (
        pa.record_batch([pa.array(texts, pa.string()), pa.array(map(_name, texts), pa.string())], schema=schema)
        for texts in (batch.column(0).to_pylist() for batch in spellings)
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def _name(spelling: str) -> str | None:
    """The one spelling of a unit, part by part; None where any part names nobody."""
    parts = [normalise(part) for part in spelling.split(JOINT)]
    return None if any(is_missing(part) for part in parts) else JOINT.join(parts)


def _check_not_blank(database: "duckdb.DuckDBPyConnection", question: _Question) -> None:
    """When no row counts at all, says so if a column the steward named is blank throughout.

    This depends on rows and is for the operator's screen: the promise page lists it.
    """
    if _one(database, "SELECT count(*) FROM rows") > 0:
        return
    counts = ", ".join(f"count({question.value(column)})" for column in question.place)
    with question.asked(database) as relation:
        ((rows, *usable),) = database.execute(f"SELECT count(*), {counts} FROM {relation}").fetchall()
    for column, count in zip(question.place, usable, strict=True):
        if rows and not count:
            raise BadInput(f"place: no row of {column!r} holds a coordinate; name the columns with --x --y --crs")
    if not rows or not question.units:
        return
    with question.asked(database) as relation:
        distinct = database.sql(f"SELECT DISTINCT {question.unit} FROM {relation}").to_arrow_reader(BATCH)
        named = any(
            text is not None and _name(text) is not None for batch in distinct for text in batch.column(0).to_pylist()
        )
    if not named:
        raise BadInput(
            "--unit: every row is blank or a placeholder there; name a column that is filled in, or --unit row"
        )


def _unit_sql(columns: list[str]) -> str:
    """A row's unit as it was written, its parts joined; NULL where a part is NULL."""
    parts = (f"replace(CAST({quoted(column)} AS VARCHAR), {literal(JOINT)}, '')" for column in columns)
    return (
        f" || {literal(JOINT)} || ".join(parts)
        if len(columns) > 1
        else f"CAST({quoted(columns[0])} AS VARCHAR)"
        if columns
        else "''"
    )


def _number(column: str) -> str:
    """A coordinate column as a number; NULL where it is none."""
    return f"TRY_CAST({quoted(column)} AS DOUBLE)"


def _one(database: "duckdb.DuckDBPyConnection", query: str) -> int:
    ((value,),) = database.execute(query).fetchall()
    return int(value)
