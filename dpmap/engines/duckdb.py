"""The embedded engine: DuckDB streams the survey, past memory if need be, and spills to a
private folder that is wiped.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.engines.engine import Engine, EngineRows, Following, Progress, RowPrefilter, shelter
from dpmap.engines.rows import RowTable, chosen_for, single_number
from dpmap.engines.run_sql import Answering, QueryMeter
from dpmap.engines.sanity_checks import check_intended, few
from dpmap.errors import BadInput, SystemFailed
from dpmap.grid import Grid
from dpmap.private_folder import private_folder
from dpmap.private_totals import Edges
from dpmap.promise.policy import Policy
from dpmap.survey import Survey
from dpmap.survey.row_sql import selection
from dpmap.survey.sources import literal, printable_name

if TYPE_CHECKING:
    import duckdb

    from dpmap.engines.row_runs import Numbers

DISABLED = "join_filter_pushdown,statistics_propagation,join_order,build_side_probe_side"
"""What DuckDB's planner must not do: believe what a file says of all its values together. Names
that a file lists must not leave out rows, and least and greatest values, which Parquet states
without NaN, must not make a condition on each row's place needless: a NaN then had a place where
others' numbers stood. Nor may it turn joins round: without those statistics it guesses that few
rows pass our conditions, and put all rows into a table in memory to look up units in it. Each join
has the smaller side on its right, as it is written here and in the vault.
"""


class DuckDB(Engine):
    """Counts on this machine; it is what `release` takes unless told otherwise.

    - `memory`: the most it may use, such as `"2GB"`. `threads`: how many at once; all cores unless
      given.
    - `folder`: where it may spill what memory cannot hold (a private folder is made in it and
      wiped).

    >>> import dpmap as dm
    >>> engine = dm.engines.DuckDB(memory="2GB", threads=2)
    >>> survey, grid = dm.read("raptors.csv"), dm.Grid.covering("study_area.gpkg", cell="20 km")
    >>> policy = dm.Policy(epsilon=1, unit="observer_id", cap=5)
    >>> paid = dict(ledger="engine.ledger", dataset="Raptors 2026", budget=3)
    >>> dm.release(survey, grid, policy, **paid, strategy="flat", engine=engine).fresh
    True
    """

    def __init__(
        self, *, memory: str | None = None, threads: int | None = None, folder: str | None = None
    ) -> None:
        self._settings = {"memory_limit": memory, "threads": threads}
        self._folder = folder

    @contextmanager
    def opened(
        self, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> "Iterator[DuckDBRows]":
        """Locates and filters the rows, unites the spellings of each name, and keeps them for as
        long as the block lasts.
        """
        with ExitStack() as closing:
            yield shelter(
                lambda: self._placed(closing, survey, grid, policy, progress), describe_failure
            )

    def _placed(
        self, closing: ExitStack, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> "DuckDBRows":
        database = closing.enter_context(self.connected())
        meter = QueryMeter(database)
        closing.enter_context(_followed(database, progress, meter))
        progress("reading the survey")
        held = closing.enter_context(survey.held())
        rows = RowTable(database, held, chosen_for(survey, grid, policy), coded=True)
        with rows.naming_part():
            rows.place(grid)
            progress("joining spellings of one name")
            rows.name()
        check_intended(few(rows.by_unit), lambda question: question(rows, grid), survey)
        return DuckDBRows(rows, progress, Answering(rows.by_unit, meter, closing))

    def pairs(
        self,
        survey: Survey,
        sites: Survey,
        grid: Grid,
        policy: Policy,
        sql: str,
        progress: Progress,
    ) -> Edges:
        """Returns who was at which listed site: places and names the sites, then the survey's pairs
        of names, then runs the vault's SQL over `rows` and `listed`.
        """

        def found() -> dict[str, Any]:
            with self.connected() as database, _followed(database, progress):
                progress("reading the sites")
                with sites.held() as held:
                    listed = RowTable(
                        database, held, selection(sites.header, policy.site, None, None)
                    )
                    _check_listed_once(listed)
                    listed.place(grid)
                    listed.name()
                    check_intended(
                        few(listed.by_unit), lambda question: question(listed, grid), sites
                    )
                database.execute("ALTER TABLE rows RENAME TO listed")
                progress("reading the survey")
                with survey.held() as held:
                    links = selection(
                        survey.header, policy.unit, policy.consent, None, site=policy.site
                    )
                    RowTable(database, held, links).pair()
                progress("capping and counting")
                return dict(database.execute(sql).fetchnumpy())

        columns = shelter(found, describe_failure)
        return Edges(
            *(np.asarray(columns[name], dtype=np.int64) for name in ("who", "site", "cell"))
        )

    def answered(self, question: "Callable[[duckdb.DuckDBPyConnection], Any]") -> Any:
        """Answers a question from a database of its own; a failure becomes one line that quotes
        nothing.
        """

        def asked() -> Any:
            with self.connected() as database:
                return question(database)

        return shelter(asked, describe_failure)

    @contextmanager
    def connected(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Opens a database in memory that spills to a private (0700) folder, which is wiped."""
        import duckdb

        with ExitStack() as closing:
            private = self._private(closing)
            config: dict[str, Any] = {
                "temp_directory": private,
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "preserve_insertion_order": False,
                "disabled_optimizers": DISABLED,
            }
            with duckdb.connect(":memory:", config=config) as database:
                _silence(database)
                database.execute(
                    "SET GLOBAL TimeZone = 'UTC'"
                )  # else a moment's date is that of this machine's clock
                for name, value in self._settings.items():
                    if value is not None:
                        self._set(database, name, value)
                yield database

    def _private(self, closing: ExitStack) -> str:
        """Makes the private folder, which is wiped as `closing` ends."""
        try:
            return closing.enter_context(private_folder(self._folder))
        except (FileNotFoundError, PermissionError, NotADirectoryError):
            raise SystemFailed(
                "engine: the folder of --temp takes no files; name one with room and the right to"
                " write in it"
            ) from None

    def _set(self, database: "duckdb.DuckDBPyConnection", name: str, value: object) -> None:
        """Applies one setting, or says what to type instead."""
        import duckdb

        try:
            database.execute(f"SET {name} = {literal(str(value))}")
        except duckdb.Error:
            like = {"memory_limit": ("memory", "2GB"), "threads": ("threads", "4")}[name]
            raise BadInput(
                "--{0} ({0}=): it is not understood; write it like {1}".format(*like)
            ) from None


def _check_listed_once(sites: RowTable) -> None:
    """Refuses a file in which one site has two lines: which place is meant is not for us to
    choose.
    """
    sites.pair()
    twice = single_number(sites.database, "SELECT count(*) - count(DISTINCT unit) FROM rows")
    sites.database.execute("DROP TABLE rows")
    if twice:
        raise BadInput(
            "--sites: a site stands in more than one line of that file; give each site one line,"
            " with its place"
        )


def describe_failure(error: Exception) -> BaseException:
    """Returns the one-line error, quoting nothing, for an engine's failure."""
    import duckdb

    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()
    if re.search("max_temp_directory_size|No space left|Disk quota|File too large", str(error)):
        return SystemFailed(
            "engine: the temporary folder's disk is full; name a folder with more room with --temp,"
            " or allow more --memory"
        )
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return SystemFailed(
            "engine: memory ran out; allow more with --memory, or close other programs"
        )
    if "can't start new thread" in str(error):
        return SystemFailed("engine: the system allows no more threads; use fewer with --threads")
    if isinstance(error, duckdb.IOException | OSError):
        return _of_the_disk(str(error))
    wrong = _of_the_survey(error)
    if wrong is not None:
        return wrong
    if isinstance(error, duckdb.Error):
        return SystemFailed(f"engine: DuckDB stopped ({type(error).__name__}); please report it")
    return BadInput(
        "survey: the file cannot be read to its end; it may be damaged, so export it again"
    )


def _of_the_disk(words: str) -> SystemFailed:
    """Returns the error for what the system refused."""
    if re.search("No files found|No such file|does not exist", words):
        return SystemFailed(
            "engine: a file of the survey is no longer where it was; put it back, and leave it"
            " there"
        )
    if "Permission denied" in words:
        return SystemFailed(
            "engine: no right to read the survey, or to write the temporary folder; check their"
            " permissions"
        )
    return SystemFailed(
        "engine: the survey or the temporary folder could not be read or written; check the disk"
    )


def _of_the_survey(error: Exception) -> BadInput | None:
    """Returns the error for damaged bytes in the survey, if that is what the engine failed on."""
    import duckdb

    if re.search("not valid UTF-?8|Invalid unicode", str(error)):
        wrong = "holds a text that is not UTF-8, as its format asks; export it again as UTF-8"
    elif re.search(
        "Could not convert Timestamp|Invalid TIME value|out of range in timestamp", str(error)
    ):
        wrong = "holds a date or time beyond what its type can hold; export that column as text"
    elif (
        isinstance(
            error, duckdb.DataError | duckdb.InvalidInputException | duckdb.SerializationException
        )
        or type(error) is duckdb.Error
    ):
        wrong = "breaks off or is damaged inside; export it again"
    else:
        return None
    return BadInput(f"survey: {_file_in(error)} {wrong}")


def _file_in(error: Exception) -> str:
    """Finds the file that an engine's failure is about: the first quoted text in it that is a
    file's path, and not one of a program's that a traceback names.
    """
    paths = re.findall('"([^"]+)"', str(error).partition("Traceback (most recent")[0])
    return next(
        (printable_name(os.path.basename(path)) for path in paths if os.path.isfile(path)),
        "the file",
    )


class DuckDBRows(EngineRows):
    """Holds the rows of one open database."""

    __slots__ = ("_answering", "_rows")

    def __init__(self, rows: RowTable, progress: Progress, answering: Answering) -> None:
        super().__init__(progress)
        self._rows = rows
        self._answering = answering

    def _run_sql(
        self, sql: str, key: str, value: str, prefilter: RowPrefilter | None
    ) -> "tuple[Numbers, Numbers]":
        def asked() -> "tuple[Numbers, Numbers]":
            with self._rows.naming_part():
                answer = self._answering.answer(sql, key, value, prefilter)
            self._rows.check_unchanged()
            return answer

        return shelter(asked, describe_failure)


@contextmanager
def _followed(
    database: "duckdb.DuckDBPyConnection",
    progress: Progress,
    meter: Callable[[], float] | None = None,
) -> Iterator[None]:
    """Reports each query's percentage to progress that asks for it; DuckDB itself prints
    nothing.
    """
    if not isinstance(progress, Following):
        yield
        return
    for setting in (
        "enable_progress_bar = true",
        "enable_progress_bar_print = false",
        "progress_bar_time = 0",
    ):
        database.execute(f"SET {setting}")
    with progress.follow(meter or database.query_progress):
        yield


def _silence(database: "duckdb.DuckDBPyConnection") -> None:
    """Turns the progress bar off; in a notebook without ipywidgets it is off already and DuckDB
    refuses the setting.
    """
    if database.execute("SELECT current_setting('enable_progress_bar')").fetchall() != [(False,)]:
        database.execute("SET enable_progress_bar = false")
