"""Engines count: they read a sealed survey, find each row's cell, run the limiter's SQL, and hand back sealed totals."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.promise.policy import Policy
from dpmap.sealed import Edges, Tally, Totals
from dpmap.survey import Survey

if TYPE_CHECKING:
    from dpmap.engines.duckdb import DuckDB as DuckDB
    from dpmap.engines.spark import Spark as Spark

Progress = Callable[[str], None]

NAMES = "SELECT DISTINCT unit, unit AS name FROM rows"
NUMBERED = "SELECT *, ROW_NUMBER() OVER (PARTITION BY unit, cell, weight ORDER BY cell) AS copy FROM rows"
BESIDE = f"names AS ({NAMES}), numbered AS ({NUMBERED})"
"""What the vault's SQL reads beside `rows (unit, cell, weight)`, where units are texts and nothing better is known."""


class Rows(Protocol):
    """A survey's rows, placed and named once, as the table `rows (unit, cell, weight)` that the vault's SQL reads, and
    beside it `names` and `numbered`.
    """

    def totals(self, limiter: str) -> Totals:
        """The capped total of every occupied cell, from SQL that answers `(cell, steps)`."""
        ...

    def tally(self, sizes: str) -> Tally:
        """How many units have which size, from SQL that answers `(bin, units)`."""
        ...


class Engine(Protocol):
    """What a counting engine must do; every one passes the contract suite in the tests."""

    def totals(self, survey: Survey, grid: Grid, policy: Policy, limiter: str, progress: Progress) -> Totals:
        """The capped total of every occupied cell, bit for bit the same on every engine, row order and file split."""
        ...

    def opened(self, survey: Survey, grid: Grid, policy: Policy, progress: Progress) -> AbstractContextManager[Rows]:
        """The same rows, kept open for two questions when the cap is chosen privately: unit sizes, then the totals."""
        ...


_CLASSES = {"duckdb": "DuckDB", "spark": "Spark"}


@runtime_checkable
class Pairing(Protocol):
    """What an engine must do besides, to count for two units at once."""

    def pairs(self, survey: Survey, sites: Survey, grid: Grid, policy: Policy, sql: str, progress: Progress) -> Edges:
        """Who was at which listed site, from the vault's SQL over `rows` and `listed`."""
        ...


@runtime_checkable
class Following(Protocol):
    """Progress that also shows how far a query is: the percentage, below 0 where it is not known, is asked for meanwhile."""

    def follow(self, percent: Callable[[], float]) -> AbstractContextManager[None]:
        """Asks again and again, from another thread, until the block ends."""
        ...


def named(name: str, **settings: Any) -> Engine:
    """The engine of this name, with settings of its own, such as `memory` (of each task, on a cluster)."""
    if name not in _CLASSES:
        raise BadInput(f"engine: not one of {', '.join(_CLASSES)}")
    made: Engine = __getattr__(_CLASSES[name])(**settings)
    return made


def __getattr__(name: str) -> Any:
    """`DuckDB` and `Spark`, each loaded when it is first used."""
    if name not in _CLASSES.values():
        raise AttributeError(f"module 'dpmap.engines' has no attribute {name!r}")
    return getattr(import_module(f"dpmap.engines.{name.lower()}"), name)
