"""Public plans for spending epsilon: each may only ask a session to measure, and never sees a
true count.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from dpmap.errors import BadInput, WrongType
from dpmap.grid import Grid, Partition
from dpmap.numbers import exact
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.strategies.custom_strategy import CustomStrategy as CustomStrategy
from dpmap.strategies.custom_strategy import invented_counts as invented_counts
from dpmap.strategies.custom_strategy import one_line as one_line
from dpmap.strategies.few_cells import FEW, has_few
from dpmap.strategies.session import ListingSession as ListingSession
from dpmap.strategies.session import StrategySession

Strategy = Callable[[StrategySession], None]


def flat(session: StrategySession) -> None:
    """Measures every cell by itself with all of epsilon: the mechanism as in the textbooks."""
    session.measure(Partition.cells(session.grid), session.epsilon)


def _adaptive(session: StrategySession) -> None:
    """Measures few, then many regions: land that looks empty in large blocks, the rest ever
    finer.
    """
    from dpmap.strategies.adaptive import adaptive as measure

    measure(session)


SPARSE = "sparse:"
STRATEGIES: dict[str, Strategy] = {"adaptive": _adaptive, "flat": flat}
if [*STRATEGIES, SPARSE.removesuffix(":")] != [*STRATEGY_SPECS]:
    raise TypeError("each strategy has its spec in promise/strategies and its questions here")


def _sparse(least: Fraction, session: ListingSession) -> None:
    """Measures as `flat` does, but lists only cells whose noisy total is at least a public
    threshold.
    """
    session.measure_from(least, session.epsilon)


def threshold(name: str) -> Fraction | None:
    """Returns the public threshold of a sparse strategy, in points; None for any other.

    >>> threshold("sparse:20")
    Fraction(20, 1)
    """
    if not name.startswith(SPARSE):
        return None
    return exact(name.removeprefix(SPARSE), name="strategy: the threshold after sparse:")


def by_cell(name: str, grid: Grid) -> str:
    """Says why a map of this grid is read cell by cell, which no public prior would change; nothing
    where it is read by its regions.

    >>> by_cell("flat", Grid(bounds=(0, 0, 9, 9), shape=(9, 9), crs="EPSG:3857"))
    '--strategy flat'
    """
    plain = name.partition(":")[0]
    if plain in STRATEGY_SPECS and STRATEGY_SPECS[plain].by_cell:
        return f"--strategy {plain}"
    return f"at most {FEW} cells" if has_few(grid) else ""


def find_strategy(strategy: "str | Strategy") -> Callable[[ListingSession], None]:
    """Returns the strategy of this name, or one that was brought; `sparse:20` is `flat` that shows
    only cells of at least 20 noisy points.

    >>> find_strategy("flat") is flat
    True
    """
    if isinstance(strategy, CustomStrategy):
        return strategy
    if callable(strategy):
        return CustomStrategy(strategy)
    if not isinstance(strategy, str):
        raise WrongType("strategy: give a strategy's name, or a function of one session")
    least = threshold(strategy)
    if least is not None:
        return partial(_sparse, least)
    if strategy not in STRATEGIES:
        raise BadInput(f"strategy: not one of {', '.join(STRATEGIES)}, {SPARSE}THRESHOLD")
    return STRATEGIES[strategy]


def record_name(strategy: "str | Strategy") -> str:
    """Returns what a record says of a strategy: its name, and `custom:` before that of one that was
    brought.

    >>> record_name("flat"), record_name(flat)
    ('flat', 'custom:flat')
    """
    return CustomStrategy(strategy).record_name if callable(strategy) else strategy
