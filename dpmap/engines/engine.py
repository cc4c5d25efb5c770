"""What a counting engine does, and the tables that the vault's SQL reads."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from dpmap.errors import DpmapError
from dpmap.grid import Grid
from dpmap.private_totals import Edges, PrivateRungCounts, PrivateTotals, Sealed
from dpmap.promise.policy import Policy
from dpmap.survey import Survey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dpmap.engines.row_runs import RowRuns

Answer = TypeVar("Answer")
Progress = Callable[[str], None]

NAMES = "SELECT DISTINCT unit, unit AS name FROM rows"
NUMBERED = (
    "SELECT *, ROW_NUMBER() OVER (PARTITION BY unit, cell, weight ORDER BY cell) AS copy FROM rows"
)
WHOLES = "SELECT unit, weight FROM rows"
BESIDE = f"names AS ({NAMES}), numbered AS ({NUMBERED}), wholes AS ({WHOLES})"
"""What the vault's SQL reads beside `rows (unit, cell, weight)`, where units are texts and
nothing better is known.
"""


class RowPrefilter(Protocol):
    """Finds which rows of some units the cap would leave out, so that the engine can spare
    itself putting them in order.
    """

    @property
    def orders(self) -> str:
        """SQL over `names` and `sizes (unit, whole, row_count)` that answers what `kept` needs to
        know of units.
        """
        ...

    def kept(self, runs: "RowRuns", orders: "Mapping[str, NDArray[Any]]") -> "NDArray[np.int64]":
        """Returns the rows that count, of all rows of some units."""
        ...


class EngineRows(Sealed):
    """Holds a survey's rows, placed and named once, as the tables that the vault's SQL reads: `rows
    (unit, cell, weight)`, `names`, `numbered` and `wholes`. It answers with sealed sums only.
    """

    __slots__ = ("_progress",)

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def totals(self, limiter: str, prefilter: RowPrefilter | None = None) -> PrivateTotals:
        """Returns the capped total of every occupied cell, from SQL that answers `(cell,
        steps)`.
        """
        self._progress("capping and counting")
        return PrivateTotals(*self._run_sql(limiter, "cell", "steps", prefilter))

    def tally(self, sizes: str) -> PrivateRungCounts:
        """Returns how many units have which size, from SQL that answers `(bin, units)`."""
        self._progress("counting units by size")
        return PrivateRungCounts(*self._run_sql(sizes, "bin", "units", None))

    def _run_sql(
        self, sql: str, key: str, value: str, prefilter: RowPrefilter | None
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Returns what the SQL answers: its keys, each once, and their values."""
        raise NotImplementedError


class Engine(Protocol):
    """Declares what a counting engine must do; every engine passes the contract suite in the
    tests.
    """

    def opened(
        self, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> AbstractContextManager[EngineRows]:
        """Keeps the rows open, for two questions when the cap is chosen privately: unit sizes,
        then the totals.
        """
        ...

    def totals(
        self,
        survey: Survey,
        grid: Grid,
        policy: Policy,
        limiter: str,
        progress: Progress,
        prefilter: RowPrefilter | None = None,
    ) -> PrivateTotals:
        """Returns the capped total of every occupied cell, bit for bit the same on every engine,
        row order and file split, and whether or not rows are prefiltered.
        """
        with self.opened(survey, grid, policy, progress) as rows:
            return rows.totals(limiter, prefilter)


@runtime_checkable
class Pairing(Protocol):
    """Declares what an engine must do besides, to count for two units at once."""

    def pairs(
        self,
        survey: Survey,
        sites: Survey,
        grid: Grid,
        policy: Policy,
        sql: str,
        progress: Progress,
    ) -> Edges:
        """Returns who was at which listed site, from the vault's SQL over `rows` and `listed`."""
        ...


def shelter(step: Callable[[], Answer], describe: Callable[[Exception], BaseException]) -> Answer:
    """Runs a step and turns its failure into one line that quotes nothing."""
    failure: BaseException
    try:
        return step()
    except DpmapError as error:
        failure = error
        failure.__context__ = None
    except Exception as error:  # noqa: BLE001  # its message may quote a row
        failure = describe(error)
    try:
        raise failure  # here, where the engine's own error is not its context
    finally:
        # or its traceback would hold this frame, and what the failed step had open, until collected
        del failure


@runtime_checkable
class Following(Protocol):
    """Declares progress that can also show a query's percentage, which it asks for while the
    query runs (below 0: unknown).
    """

    def follow(self, percent: Callable[[], float]) -> AbstractContextManager[None]:
        """Asks for the percentage again and again, from another thread, until the block ends."""
        ...
