"""What a counting engine does, and the tables that the vault's SQL reads."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dpmap.grid import Grid
from dpmap.private_totals import Edges, PrivateRungCounts, PrivateTotals
from dpmap.promise.policy import Policy
from dpmap.survey import Survey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dpmap.engines.row_runs import RowRuns

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

    def kept(
        self, runs: "RowRuns", orders: "Mapping[str, NDArray[Any]]"
    ) -> "NDArray[np.int64]":
        """Returns the rows that count, of all rows of some units."""
        ...


class EngineRows(Protocol):
    """Holds a survey's rows, placed and named once, as the tables that the vault's SQL reads: `rows
    (unit, cell, weight)`, `names`, `numbered` and `wholes`.
    """

    def totals(self, limiter: str, prefilter: RowPrefilter | None = None) -> PrivateTotals:
        """Returns the capped total of every occupied cell, from SQL that answers `(cell,
        steps)`.
        """
        ...

    def tally(self, sizes: str) -> PrivateRungCounts:
        """Returns how many units have which size, from SQL that answers `(bin, units)`."""
        ...


class Engine(Protocol):
    """Declares what a counting engine must do; every engine passes the contract suite in the
    tests.
    """

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
        ...

    def opened(
        self, survey: Survey, grid: Grid, policy: Policy, progress: Progress
    ) -> AbstractContextManager[EngineRows]:
        """Keeps the rows open for two questions, when the cap is chosen privately: unit sizes,
        then the totals.
        """
        ...


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


@runtime_checkable
class Following(Protocol):
    """Declares progress that can also show a query's percentage, which it asks for while the
    query runs (below 0: unknown).
    """

    def follow(self, percent: Callable[[], float]) -> AbstractContextManager[None]:
        """Asks for the percentage again and again, from another thread, until the block ends."""
        ...
