"""The cluster engine: Spark hands each piece of a survey, then the rows of some units, to the
embedded engine's code.

What is said of one row, its place, consent, weight and unit's spelling, is settled on the machine
that holds its piece, by `engines.rows` in a DuckDB of that task's own. What needs a unit's other
rows, withdrawal and the cap, is the vault's SQL after one shuffle by unit, again in a DuckDB of
each task's own: a partition holds all rows of its units, so what the partitions answer adds up to
the whole. So the pieces, their order and their machines change no bit of the totals, and nothing
but those comes back.
"""

import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap import errors
from dpmap.engines.engine import Engine, EngineRows, Progress, RowPrefilter, shelter
from dpmap.engines.rows import chosen_for
from dpmap.engines.sanity_checks import Question, check_intended
from dpmap.engines.spark_blocks import PACKED, bins
from dpmap.engines.spark_task import KEPT, Task, each_chunk, each_partition, each_piece
from dpmap.errors import BadInput, MissingExtra, Refused, SystemFailed
from dpmap.grid import Grid
from dpmap.private_folder import private_folder
from dpmap.private_totals import PrivateRungCounts
from dpmap.promise.policy import Policy
from dpmap.survey import Survey
from dpmap.survey.files.frames import KIND
from dpmap.survey.row_sql import Selection
from dpmap.survey.sources import Source

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

OWN_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.eventLog.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}
QUERY_SETTINGS = {
    "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning": "false",
    "spark.sql.execution.arrow.maxBytesPerBatch": "64m",
}
"""Rows that are kept stay together by unit, and a task is handed blocks of them a few at a time."""


class Spark(Engine):
    """Counts on the cluster of a `SparkSession`: the given one, else the active one, else one of
    its own, whose UI and event log are off and whose folder is private.

    `pieces` is how many a file is cut into at least (one for each core); `memory` bounds each
    task's DuckDB; `folder` is where tasks may spill. A given session whose UI or event log is on is
    refused, since both keep exact counts of rows and units, unless `watched=True` says that whoever
    sees them may see the survey.
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
        self._session = session
        self._pieces = pieces
        self._watched = watched
        self._memory = memory or "1GB"
        self._folder = folder

    @contextmanager
    def opened(
        self, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> "Iterator[SparkRows]":
        """Reads the rows in one pass over the pieces, and groups them by unit in one shuffle, when
        they are asked for.
        """
        with ExitStack() as closing:
            yield self._placed(closing, survey, grid, policy, progress)

    def _placed(
        self, closing: ExitStack, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> "SparkRows":
        _check_reaches(survey)
        progress("starting Spark")
        session = closing.enter_context(self._running(survey))
        _check_unwatched(session, policy, watched=self._watched)
        closing.enter_context(_set(session, QUERY_SETTINGS))
        task = Task(
            chosen_for(survey, grid, policy),
            grid,
            bins(_partitions(session)),
            self._memory,
            self._folder,
        )
        progress("reading the survey")
        sources = self._sources(session, survey)
        return SparkRows(session, survey, task, sources, progress, closing)

    def _sources(self, session: "SparkSession", survey: Survey) -> list[tuple[Source, int]]:
        """Cuts the survey's files into pieces, each with the number of the part it is of."""
        if survey._source.frame is not None:
            return [(survey._source, 0)]
        count = self._pieces or _cores(session)
        pieces = list[tuple[Source, int]]()
        for number, part in enumerate(survey.parts or [survey]):
            source = part._source
            pieces += [
                (piece, number)
                for piece in (source.cut(count) if source.cut is not None else [source])
            ]
        return pieces

    @contextmanager
    def _running(self, survey: Survey) -> "Iterator[SparkSession]":
        """Yields the session to use: that of the survey's own table, the given one, the active
        one, or a new one.
        """
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise MissingExtra('Spark needs pyspark; type: pip install "pyspark>=4.0"') from None
        frame = survey._source.frame
        session = (
            frame.sparkSession
            if frame is not None
            else self._session or SparkSession.getActiveSession()
        )
        if session is not None:
            yield session
            return
        with private_folder(self._folder) as private:
            session = _started(private)
            try:
                yield session
            finally:
                session.stop()


def _check_reaches(survey: Survey) -> None:
    """Refuses a table in memory, whose sealed rows no other machine gets."""
    if survey.schema.kind == KIND:
        raise BadInput(
            "engine: a table in memory is counted on this machine; leave engine out, or give Spark"
            " a table of its own"
        )


def _started(private: str) -> "SparkSession":
    """Starts a session of our own: quiet, private, on this machine unless Spark's own settings
    name a master.
    """
    with _quiet_start():
        try:
            from pyspark import SparkConf
            from pyspark.sql import SparkSession

            conf = SparkConf()
            local = str(conf.get("spark.master", "local[*]")).startswith("local")
            settings = {
                **OWN_SETTINGS,
                "spark.local.dir": private,
                "spark.sql.warehouse.dir": os.path.join(private, "none"),
            }
            if local:
                settings |= {
                    "spark.driver.host": "127.0.0.1",
                    "spark.driver.bindAddress": "127.0.0.1",
                }
            return SparkSession.builder.config(
                conf=conf.setAll(list(settings.items()))
            ).getOrCreate()
        except Exception:  # noqa: BLE001  # py4j raises what it likes
            failed = SystemFailed(
                "engine: Spark did not start; it needs Java 17 or later (java -version), for"
                " example apt install default-jre-headless, and the master that its settings name"
            )
    raise failed


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Makes workers run this Python and spill where the settings say, and hides what Java
    prints.
    """
    before = {key: os.environ.pop(key, None) for key in ("PYSPARK_PYTHON", "SPARK_LOCAL_DIRS")}
    os.environ["PYSPARK_PYTHON"] = before["PYSPARK_PYTHON"] or sys.executable
    screen = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
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
    """Hides PySpark's warning about every pandas newer than itself, since none is used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _cores(session: "SparkSession") -> int:
    """Returns how many tasks the cluster runs at once, as far as it tells (a session through
    Spark Connect does not).
    """
    try:
        return max(2, int(session.sparkContext.defaultParallelism))
    except Exception:  # noqa: BLE001  # another error in every version
        return 16


def _partitions(session: "SparkSession") -> int:
    """Returns how many partitions a shuffle has; where a platform says "auto", as many as Spark
    makes unless told.
    """
    setting = str(session.conf.get("spark.sql.shuffle.partitions", "200"))
    return int(setting) if setting.isdecimal() else 200


def _check_unwatched(session: "SparkSession", policy: Policy, *, watched: bool) -> None:
    """Refuses a session that records exact counts, unless that is allowed, and always if a
    sample is drawn.
    """
    recorders = [
        name
        for name, setting, usual in (
            ("UI", "spark.ui.enabled", "true"),
            ("event log", "spark.eventLog.enabled", "false"),
        )
        if str(session.conf.get(setting, usual)).lower() != "false"
    ]
    if recorders and policy.sample is not None:
        raise Refused(
            f"engine: this Spark session's {' and '.join(recorders)} would keep the secret of the"
            " sample; start it with spark.ui.enabled=false and spark.eventLog.enabled=false, or"
            " leave out the sample"
        )
    if recorders and not watched:
        raise Refused(
            f"engine: this Spark session's {' and '.join(recorders)} would keep exact counts of"
            " rows and units; start it with spark.ui.enabled=false and"
            " spark.eventLog.enabled=false, or say"
            " Spark(session, watched=True) where whoever sees them may see the survey"
        )


@contextmanager
def _set(session: "SparkSession", settings: dict[str, str]) -> Iterator[None]:
    """Applies these settings for as long as the block lasts."""
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


class SparkRows(EngineRows):
    """Holds a survey's rows as Spark will make them."""

    __slots__ = ("_checked", "_closing", "_rows", "_session", "_sources", "_survey", "_task")

    def __init__(
        self,
        session: "SparkSession",
        survey: Survey,
        task: "Task",
        sources: list[tuple[Source, int]],
        progress: Progress,
        closing: ExitStack,
    ) -> None:
        super().__init__(progress)
        self._session = session
        self._survey = survey
        self._task = task
        self._sources = sources
        self._closing = closing
        self._checked = False
        sent = self._over(task.rows, PACKED)
        self._rows = sent if task.chosen.by_row else sent.repartition("bin")

    def tally(self, sizes: str) -> PrivateRungCounts:
        """Returns how many units have which size, and keeps the rows with the executors, in memory
        or on disk, since totals are asked for next.
        """
        self._rows = self._rows.persist()
        self._closing.callback(self._rows.unpersist)
        return super().tally(sizes)

    def _add_up_pieces(self, question: Question) -> "Counter[str]":
        """Adds up what is answered in each piece of the survey."""
        look = partial(self._task.look, question=question)
        counts = self._run_job(lambda: self._over(look, SEEN).toArrow())
        total = Counter[str]()
        for row in counts.to_pylist():
            total[row["name"]] += row["count"]
        return total

    def _over(
        self, task: "Callable[..., Iterator[pa.RecordBatch]]", columns: dict[str, str]
    ) -> "DataFrame":
        """Runs the task over each piece of the survey, one after the other."""
        frame = self._survey._source.frame
        with _no_warnings():
            if frame is not None:
                chosen = _columns(frame, self._task.chosen)
                return chosen.mapInArrow(each_chunk(task, self._task), _schema(columns))
            count = len(self._sources)
            pieces = self._session.range(0, count, 1, count)
            return pieces.mapInArrow(each_piece(task, self._sources), _schema(columns))

    def _run_sql(
        self, sql: str, key: str, value: str, prefilter: RowPrefilter | None
    ) -> "tuple[Numbers, Numbers]":
        """Answers the SQL over `rows`, adding up the partitions' answers; if hardly a row
        counts, asks every piece why.
        """

        def ask() -> Any:
            answers = each_partition(
                partial(self._task.answers, sql=sql, key=key, value=value, prefilter=prefilter)
            )
            blocks = self._rows.mapInArrow(answers, _schema(PACKED)).repartition("bin")
            return blocks.mapInArrow(each_partition(self._task.sums), _schema(ANSWER)).toArrow()

        answer = self._run_job(ask)
        keys, values = (np.asarray(column.to_numpy(), dtype=np.int64) for column in answer.columns)
        real = keys != KEPT
        if not self._checked:
            check_intended(int(values[~real].sum()), self._add_up_pieces, self._survey)
            self._checked = True
        return keys[real], values[real]

    def _run_job(self, job: "Callable[[], Any]") -> Any:
        """Runs the job and turns its failure into one line that quotes nothing."""
        with _no_warnings():
            return shelter(job, partial(_error_of_job, mark=self._task.mark))


SEEN = {"name": "string", "count": "bigint"}
ANSWER = {"key": "bigint", "value": "bigint"}
Numbers = np.ndarray[Any, np.dtype[np.int64]]


def _columns(frame: "DataFrame", chosen: Selection) -> "DataFrame":
    """Selects the columns that are read, with lists as text joined by "|"; in a repeatable order if
    rows that name nobody are told apart by it.
    """
    named = [_column(frame.schema[column]) for column in chosen.columns]
    read = frame.selectExpr(*named)
    if chosen.roles.reading.missing_unit == "own-unit":
        return read.sortWithinPartitions(*(_ticked(column) for column in chosen.columns))
    return read


def _column(field: Any) -> str:
    """Selects a column of Spark's table as the same column of a Parquet file would be read."""
    name = _ticked(field.name)
    kind = field.dataType
    if kind.typeName() != "array":
        return name
    item = kind.elementType
    single = item.typeName() == "struct" and len(item.fields) == 1
    inner = f"item.{_ticked(item.fields[0].name)}" if single else "item"
    return f"array_join(transform({name}, item -> CAST({inner} AS STRING)), '|') AS {name}"


def _ticked(column: str) -> str:
    """Writes a column name for Spark's SQL."""
    return "`" + column.replace("`", "``") + "`"


def _schema(columns: dict[str, str]) -> Any:
    """Returns Spark's types; its text is compared byte by byte whatever the session's collation
    is.
    """
    from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

    types = {"string": StringType(), "bigint": LongType(), "binary": BinaryType()}
    return StructType([StructField(name, types[kind]) for name, kind in columns.items()])


def _error_of_job(error: Exception, mark: str) -> BaseException:
    """Returns the one-line error, quoting nothing, for a failed job: the task's own if it left
    one.
    """
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
    "No space left|DiskBlock|Disk quota": (
        "an executor's disk is full; give Spark more room (spark.local.dir)"
    ),
    "OutOfMemory|memory limit|exit code 137|exit code 143": (
        "an executor ran out of memory; give it more, or cut smaller pieces with Spark(pieces=N)"
    ),
    "ExecutorLost|executor lost|Lost executor|FetchFailed|Worker lost": (
        "an executor was lost more often than Spark tries again; nothing was released, so try once"
        " more"
    ),
    "Python worker (exited|failed|is dead)|EOFException|No module named": (
        "an executor's Python stopped; every executor needs dpmap and its libraries"
    ),
    "cancelled|shut down|stopped SparkContext|Connection refused|Py4JNetworkError": (
        "Spark went away while counting; start it again"
    ),
}
"""What of Spark's own words is known, and the line it becomes."""
