"""The cluster engine: Apache Spark hands each piece of a survey, then the rows of some units, to the embedded engine's code.

What is said of one row, its place, consent, weight and unit's spelling, is settled on the machine that holds its piece,
by `engines.rows` in a DuckDB of that task's own. What needs a unit's other rows, withdrawal and the cap, is the vault's
SQL after one shuffle by unit, again in a DuckDB of each task's own: a partition holds all rows of its units, so what the
partitions answer adds up to the whole. So the pieces, their order and their machines change no bit of the totals, and
nothing but those comes back.
"""

import os
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from dpmap import errors
from dpmap.engines import NUMBERED, Progress
from dpmap.engines.duckdb import DuckDB, told
from dpmap.engines.meant import FEW, check_not_empty, glance
from dpmap.engines.rows import BATCH, Rows, chosen_for
from dpmap.errors import DpmapError, MissingExtra, Refused, SystemFailed
from dpmap.grid import Grid
from dpmap.policy import Policy
from dpmap.sealed import Sealed, Tally, Totals
from dpmap.survey import Survey
from dpmap.survey.selection import OWN, Selection
from dpmap.survey.sources import Source, literal

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

ROWS_AT_ONCE = 1 << 18
OWN_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.eventLog.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}
QUERY_SETTINGS = {"spark.sql.optimizer.canChangeCachedPlanOutputPartitioning": "false"}
"""Rows that are kept stay together by unit."""
KEPT = -(1 << 62)
"""Beside its answers, under this number, each partition says how many rows it counted, as far as `FEW`."""


class Spark:
    """Counts on the cluster of a `SparkSession`; without one on the active session, or else on one of its own, its UI
    and event log off and its folder private.

    `pieces` is how many a file is cut into (three for each core); `memory` bounds each task's DuckDB; `folder` is
    where tasks may spill. A given session whose UI or event log is on is refused, since both keep exact counts of
    rows and units, unless `watched=True` says that whoever sees them may see the survey.
    """

    def __init__(
        self,
        session: "SparkSession | None" = None,
        *,
        pieces: int | None = None,
        memory: str | None = None,
        folder: str | None = None,
        watched: bool = False,
    ) -> None:
        self._session, self._pieces, self._watched = session, pieces, watched
        self._memory, self._folder = memory or "1GB", folder

    def totals(self, survey: Survey, grid: Grid, policy: Policy, limiter: str, progress: Progress) -> Totals:
        """One pass over the pieces, one shuffle by unit, the limiter's SQL."""
        with ExitStack() as closing:
            return self._placed(closing, survey, grid, policy, progress).totals(limiter)

    @contextmanager
    def opened(self, survey: Survey, grid: Grid, policy: Policy, progress: Progress) -> "Iterator[Counted]":
        """The rows by unit, kept by the executors for as long as the block lasts: each question reads them."""
        with ExitStack() as closing:
            rows = self._placed(closing, survey, grid, policy, progress)
            rows.keep(closing)
            yield rows

    def _placed(self, closing: ExitStack, survey: Survey, grid: Grid, policy: Policy, progress: Progress) -> "Counted":
        progress("starting Spark")
        session = closing.enter_context(self._running(survey))
        _check_unwatched(session, policy, watched=self._watched)
        closing.enter_context(_set(session, QUERY_SETTINGS))
        task = Task(chosen_for(survey, grid, policy), grid, self._memory, self._folder)
        progress("reading the survey")
        return Counted(session, survey, task, self._sources(session, survey), progress)

    def _sources(self, session: "SparkSession", survey: Survey) -> list[Source]:
        """The survey's files in pieces."""
        source = survey._source
        if source.frame is not None or source.cut is None:
            return [source]
        return source.cut(self._pieces or 3 * _cores(session))

    @contextmanager
    def _running(self, survey: Survey) -> "Iterator[SparkSession]":
        """The session to use: that of the survey's own table, the given one, the active one, or a new one."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise MissingExtra('Spark needs pyspark; type: pip install "dpmap[spark]"') from None
        frame = survey._source.frame
        session = frame.sparkSession if frame is not None else self._session or SparkSession.getActiveSession()
        if session is not None:
            yield session
            return
        with tempfile.TemporaryDirectory(prefix="dpmap-", dir=self._folder) as private:
            session = _started(private)
            try:
                yield session
            finally:
                session.stop()


def _started(private: str) -> "SparkSession":
    """A session of our own: quiet, private, on this machine unless Spark's own settings name a master."""
    with _quiet_start():
        try:
            from pyspark import SparkConf
            from pyspark.sql import SparkSession

            conf = SparkConf()
            local = str(conf.get("spark.master", "local[*]")).startswith("local")
            mine = {
                **OWN_SETTINGS,
                "spark.local.dir": private,
                "spark.sql.warehouse.dir": os.path.join(private, "none"),
            }
            if local:
                mine |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
            return SparkSession.builder.config(conf=conf.setAll(list(mine.items()))).getOrCreate()
        except Exception:  # noqa: BLE001  # py4j raises what it likes
            failed = SystemFailed(
                "engine: Spark did not start; it needs Java 17 or later (java -version), for example "
                "apt install default-jre-headless, and the master that its settings name"
            )
    raise failed


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Workers run this Python, spill goes where the settings say, and what Java has to tell is not printed."""
    before = {key: os.environ.pop(key, None) for key in ("PYSPARK_PYTHON", "SPARK_LOCAL_DIRS")}
    os.environ["PYSPARK_PYTHON"] = before["PYSPARK_PYTHON"] or sys.executable
    screen, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        with _no_warnings():
            yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
        os.close(nowhere)
        for key, value in before.items():
            os.environ.pop(key, None)
            if value is not None:
                os.environ[key] = value


@contextmanager
def _no_warnings() -> Iterator[None]:
    """PySpark warns of every pandas newer than itself, though none is used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _cores(session: "SparkSession") -> int:
    """How many tasks the cluster runs at once, as far as it tells (a session through Spark Connect does not)."""
    try:
        return max(2, int(session.sparkContext.defaultParallelism))
    except Exception:  # noqa: BLE001  # another error in every version
        return 16


def _check_unwatched(session: "SparkSession", policy: Policy, *, watched: bool) -> None:
    """Refuses a session that records exact counts; and always where it would record which units were drawn."""
    kept = [
        name
        for name, setting, usual in (
            ("UI", "spark.ui.enabled", "true"),
            ("event log", "spark.eventLog.enabled", "false"),
        )
        if str(session.conf.get(setting, usual)).lower() != "false"
    ]
    if kept and policy.sample is not None:
        raise Refused(
            f"engine: this Spark session's {' and '.join(kept)} would keep the secret of the sample; start it with "
            "spark.ui.enabled=false and spark.eventLog.enabled=false, or leave out the sample"
        )
    if kept and not watched:
        raise Refused(
            f"engine: this Spark session's {' and '.join(kept)} would keep exact counts of rows and units; start it with "
            "spark.ui.enabled=false and spark.eventLog.enabled=false, or say Spark(session, watched=True) where whoever "
            "sees them may see the survey"
        )


@contextmanager
def _set(session: "SparkSession", settings: dict[str, str]) -> Iterator[None]:
    """These settings for as long as the block lasts."""
    before = {key: session.conf.get(key, None) for key in settings}
    for key, value in settings.items():
        session.conf.set(key, value)
    try:
        yield
    finally:
        for key, usual in before.items():
            if usual is None:
                session.conf.unset(key)
            else:
                session.conf.set(key, usual)


class Counted(Sealed):
    """A survey's rows as Spark will make them, asked with the vault's SQL; only sealed sums come back."""

    __slots__ = ("_checked", "_progress", "_rows", "_session", "_sources", "_survey", "_task")

    def __init__(
        self, session: "SparkSession", survey: Survey, task: "Task", sources: list[Source], progress: Progress
    ) -> None:
        self._session, self._survey, self._task, self._sources = session, survey, task, sources
        self._progress, self._checked = progress, False
        sent = self._over(task.rows, task.row)
        self._rows = sent if task.chosen.by_row else sent.repartition("unit")

    def keep(self, closing: ExitStack) -> None:
        """The rows, once made, stay with the executors, in memory or on disk, until `closing` ends."""
        self._rows = self._rows.persist()
        closing.callback(self._rows.unpersist)

    def totals(self, limiter: str) -> Totals:
        """The capped total of every occupied cell."""
        self._progress("capping and counting")
        cells, steps = self._asked(limiter, "cell", "steps")
        return Totals(cells, steps)

    def tally(self, sizes: str) -> Tally:
        """How many units have which size."""
        self._progress("counting units by size")
        bins, units = self._asked(sizes, "bin", "units")
        return Tally(bins, units)

    def _glance(self) -> "Counter[str]":
        seen = self._ran(lambda: self._over(self._task.glance, SEEN).toArrow())
        total = Counter[str]()
        for one in seen.to_pylist():
            total[one["name"]] += one["many"]
        return total

    def _over(self, task: "Callable[[Source, str], Iterator[pa.RecordBatch]]", columns: dict[str, str]) -> "DataFrame":
        """What the task answers for each piece of the survey, one after the other."""
        frame = self._survey._source.frame
        with _no_warnings():
            if frame is not None:
                chosen = _columns(frame, self._task.chosen)
                return chosen.mapInArrow(_each_chunk(task, self._task), _schema(columns))
            count = len(self._sources)
            pieces = self._session.range(0, count, 1, count)
            return pieces.mapInArrow(_each_piece(task, self._sources), _schema(columns))

    def _asked(self, sql: str, key: str, value: str) -> "tuple[Numbers, Numbers]":
        """What the SQL answers over `rows`, the answers of the partitions added up; where hardly a row counts, every
        piece is asked why.
        """

        def ask() -> Any:
            told = self._rows.mapInArrow(_each_partition(self._task, sql, key, value), _schema(ANSWER))
            return told.groupBy("key").agg({"value": "sum"}).toArrow()

        found = self._ran(ask)
        keys, values = (np.asarray(column.to_numpy(), dtype=np.int64) for column in found.columns)
        real = keys != KEPT
        if not self._checked:
            check_not_empty(int(values[~real].sum()), self._glance, self._survey)
            self._checked = True
        return keys[real], values[real]

    def _ran(self, job: "Callable[[], Any]") -> Any:
        """What the job answers; its failure becomes one line that quotes nothing."""
        try:
            with _no_warnings():
                return job()
        except DpmapError:
            raise
        except Exception as error:  # noqa: BLE001  # its message may quote a row
            failure = _told(error, self._task.mark)
        raise failure  # here, where Spark's own error is not its context


SEEN = {"name": "string", "many": "bigint"}
ANSWER = {"key": "bigint", "value": "bigint"}
Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Task:
    """What is done to one piece of a survey; it travels to the executors, and holds public words only."""

    def __init__(self, chosen: Selection, grid: Grid, memory: str, folder: str | None) -> None:
        self.chosen, self.grid, self.memory, self.folder = chosen, grid, memory, folder
        self.mark = f"dpmap {uuid4().hex}"

    @property
    def owned(self) -> bool:
        """Whether rows that name nobody are units of their own."""
        return self.chosen.roles.reading.missing_unit == "own-unit" and not self.chosen.by_row

    @property
    def row(self) -> dict[str, str]:
        """The columns of a row that is sent, and Spark's types for them."""
        return {"unit": "string", **dict.fromkeys(("cell", *self.chosen.counted.split(", "), "copies"), "bigint")}

    def rows(self, source: Source, piece: str) -> "Iterator[pa.RecordBatch]":
        """The piece's rows, placed and named, equal ones once with their number, and -1 for the cell of each unit that
        withdraws in it.

        A row that is a unit of its own is called by its piece, cell, weight, level and copy: by nothing that another order
        of rows would change, so a piece that is done twice names the same.
        """
        with self._opened(source) as rows:
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

    def glance(self, source: Source, piece: str) -> "Iterator[pa.RecordBatch]":  # noqa: ARG002  # called like `rows`
        """Why hardly a row counts, as far as this piece tells."""
        import pyarrow as pa

        with self._opened(source) as rows:
            seen = glance(rows, self.grid)
            yield pa.record_batch({"name": list(seen), "many": pa.array(seen.values(), pa.int64())})

    def answers(
        self, batches: "Iterator[pa.RecordBatch]", sql: str, key: str, value: str
    ) -> "Iterator[pa.RecordBatch]":
        """What the vault's SQL answers over the rows of some units, each of them whole, but for the units that withdrew."""
        with self._database() as database:
            database.register("arriving", _reader(batches, self.row))
            self._gather(database)
            kept = f"SELECT {KEPT} AS key, count(*) AS value FROM (SELECT 1 FROM rows LIMIT {FEW})"
            told = f"SELECT CAST({key} AS BIGINT) AS key, CAST({value} AS BIGINT) AS value FROM ({sql}) AS answer"
            yield from database.sql(f"{told} UNION ALL {kept}").to_arrow_reader(BATCH)

    def _gather(self, database: "duckdb.DuckDBPyConnection") -> None:
        """`rows`, `names` and `numbered`, as the vault's SQL reads them, of what arrives: equal rows of several pieces are
        one again, with their number.
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

    @contextmanager
    def _opened(self, source: Source) -> Iterator[Rows]:
        """The piece in a database of its own."""
        with self._database() as database, Survey(source, self.chosen.roles).held() as held:
            yield Rows(database, held, self.chosen)

    @contextmanager
    def _database(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """A database of this task's own; a failure carries one line that quotes nothing, and the mark."""
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


def _each_piece(task: "Callable[[Source, str], Iterator[pa.RecordBatch]]", sources: list[Source]) -> Any:
    """The task over batches of the pieces' numbers."""

    def placed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        for batch in batches:
            for piece in batch.column(0).to_pylist():
                yield from task(sources[piece], str(piece))

    return placed


def _each_partition(task: Task, sql: str, key: str, value: str) -> Any:
    """The task's answers over the batches of one partition."""
    return lambda batches: task.answers(batches, sql, key, value)


def _reader(batches: "Iterator[pa.RecordBatch]", columns: dict[str, str]) -> "pa.RecordBatchReader":
    """Spark's batches as one stream, which there is even where no batch comes."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "bigint": pa.int64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in batches))


def _each_chunk(task: "Callable[[Source, str], Iterator[pa.RecordBatch]]", work: Task) -> Any:
    """The task over the batches of a partition of Spark's own table, many at once."""
    columns = work.chosen.columns

    def placed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        from pyspark import TaskContext

        place = TaskContext.get()
        partition = place.partitionId() if place is not None else 0
        for number, chunk in enumerate(_chunks(batches)):
            yield from task(Source(columns, stream=_stream(chunk)), f"{partition}.{number}")

    return placed


def _chunks(batches: "Iterator[pa.RecordBatch]") -> "Iterator[list[pa.RecordBatch]]":
    """Spark's small batches, `ROWS_AT_ONCE` or more of their rows at a time."""
    chunk: list[pa.RecordBatch] = []
    for batch in batches:
        chunk.append(batch)
        if sum(one.num_rows for one in chunk) >= ROWS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _stream(chunk: "list[pa.RecordBatch]") -> Any:
    """A way into batches that lie in memory."""
    import pyarrow as pa

    @contextmanager
    def opened(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        yield pa.Table.from_batches(chunk).select(wanted).to_reader()

    return opened


def _columns(frame: "DataFrame", chosen: Selection) -> "DataFrame":
    """The columns that are read, lists as text joined by "|"; in an order that a second run repeats where rows that
    name nobody are told apart by it.
    """
    named = [_column(frame.schema[column]) for column in chosen.columns]
    read = frame.selectExpr(*named)
    if chosen.roles.reading.missing_unit == "own-unit":
        return read.sortWithinPartitions(*(_ticked(column) for column in chosen.columns))
    return read


def _column(field: Any) -> str:
    """A column of Spark's table as the same column of a Parquet file would be read."""
    name, kind = _ticked(field.name), field.dataType
    if kind.typeName() != "array":
        return name
    item = kind.elementType
    single = item.typeName() == "struct" and len(item.fields) == 1
    inner = f"item.{_ticked(item.fields[0].name)}" if single else "item"
    return f"array_join(transform({name}, item -> CAST({inner} AS STRING)), '|') AS {name}"


def _ticked(column: str) -> str:
    """A column name inside Spark's SQL."""
    return "`" + column.replace("`", "``") + "`"


def _schema(columns: dict[str, str]) -> Any:
    """Spark's types, its text compared byte by byte whatever the session's usual collation is."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    types = {"string": StringType(), "bigint": LongType()}
    return StructType([StructField(name, types[kind]) for name, kind in columns.items()])


def _told(error: Exception, mark: str) -> BaseException:
    """The one line, quoting nothing, that a failed job becomes: a task's own where it left one."""
    text = str(error)
    left = re.search(rf"{mark} (\w+): ([^\n]*)", text)
    if left is not None:
        kind = getattr(errors, left[1], None)
        return kind(left[2].strip()) if kind else KeyboardInterrupt()
    for sign, line in SIGNS.items():
        if re.search(sign, text):
            return SystemFailed(f"engine: {line}")
    return SystemFailed(f"engine: Spark stopped ({type(error).__name__}); its own logs tell why")


SIGNS = {
    "No space left|DiskBlock|Disk quota": "an executor's disk is full; give Spark more room (spark.local.dir)",
    "OutOfMemory|memory limit|exit code 137|exit code 143": "an executor ran out of memory; give it more, or cut smaller pieces with Spark(pieces=N)",
    "ExecutorLost|executor lost|Lost executor|FetchFailed|Worker lost": "an executor was lost more often than Spark tries again; nothing was released, so try once more",
    "Python worker (exited|failed|is dead)|EOFException|No module named": "an executor's Python stopped; every executor needs dpmap and its libraries",
    "cancelled|shut down|stopped SparkContext|Connection refused|Py4JNetworkError": "Spark went away while counting; start it again",
}
"""What of Spark's own words is known, and the line it becomes."""
