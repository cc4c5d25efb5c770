"""Suites that code of others can be run through: what dpmap asks of a strategy, and of its own."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpmap import strategies
from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Kinds
from dpmap.inference.patches.calibration import Digits
from dpmap.maps import read_measurements
from dpmap.noise.scales import lattice_of
from dpmap.record import Measurement
from dpmap.selftest.check import Broken
from dpmap.strategies import CustomStrategy
from dpmap.vault.session import Session

__all__ = ["check_strategy"]

Counts = NDArray[np.float64]
EPSILONS = (Fraction(1, 100), Fraction(1), Fraction(30))
CAP = 2


class PublicRun:
    """A session over public numbers that keeps what was asked.

    With `digits` it answers with numbers that have nothing to do with any counts.
    """

    def __init__(
        self,
        counts: Counts,
        grid: Grid,
        epsilon: Fraction,
        *,
        noisier: Sequence[Fraction] = (),
        digits: Digits | None = None,
    ) -> None:
        self.session = Session(counts, grid, epsilon, CAP, lattice_of(CAP), noisier=noisier)
        self.grid = grid
        self.epsilon = self.session.epsilon
        self.finest = self.session.finest
        self.cap = CAP
        self.priors = ()
        self.measurements = list[Measurement]()
        self._digits = digits

    @property
    def left(self) -> Fraction:
        """The epsilon that may still be spent."""
        return self.session.left

    def course(self, shares: Sequence[Fraction]) -> None:
        """Declares what the next questions cost."""
        self.session.course(shares)

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Returns noisy totals, or invented ones."""
        answer = self.session.measure(partition, epsilon)
        if self._digits is not None:
            size = 10.0 ** (7 * self._digits.uniform(1)[0])
            points = size * (self._digits.uniform(partition.regions) - 0.5)
            answer = Measurement(
                answer.partition,
                np.rint(points * answer.lattice).astype(np.int64),
                lattice=answer.lattice,
                scale=answer.scale,
                epsilon=answer.epsilon,
                pooled=answer.pooled,
                earlier=answer.earlier,
            )
        self.measurements.append(answer)
        return answer


def check_strategy(strategy: "str | strategies.Strategy", grid: Grid | None = None) -> None:
    """Runs a strategy through everything that dpmap asks of one, and raises where it fails.

    - `strategy`: a function of a `dm.StrategySession`, or the name of one of dpmap's own.
    - `grid`: the grid to try it on; by default squares, squares with land left out, a thin strip
      and two layers, one after the other.

    On each grid, at three epsilons: it asks something and spends no more than epsilon; each of its
    questions is about all land; what it asks follows from answers alone, whatever was counted; it
    can serve several readers of one draw; and a map can be read from what it measured. Raises
    `Broken` with what failed, or what the strategy itself raised.

    >>> import dpmap as dm
    >>> grid = dm.Grid(bounds=(0, 0, 9, 9), shape=(9, 9), crs="EPSG:3857")
    >>> dm.testing.check_strategy("flat", grid)
    """
    brought = strategies.STRATEGIES.get(strategy) if isinstance(strategy, str) else strategy
    if brought is None:
        raise BadInput(f"strategy: give a function, or one of {', '.join(strategies.STRATEGIES)}")
    run = CustomStrategy(brought)
    for tried in _grids() if grid is None else (grid,):
        counts = strategies.invented_counts(tried)
        for epsilon in EPSILONS:
            _check_map(run, tried, counts, epsilon)
        _check_answers_only(run, tried, counts)
        run(PublicRun(counts, tried, Fraction(2), noisier=(Fraction(1, 2),)))


def _grids() -> tuple[Grid, ...]:
    """Returns small grids of different shapes."""
    mask = np.zeros((21, 26), dtype=bool)
    mask[2:18, 3:25] = True
    mask[9:12, 10:14] = False
    strip = Grid(bounds=(0, 0, 50, 1), shape=(1, 50), crs="EPSG:3857")
    land = Grid(bounds=(0, 0, 26, 21), shape=(21, 26), crs="EPSG:3857")
    with_mask = Grid(bounds=(0, 0, 26, 21), shape=(21, 26), crs="EPSG:3857", mask=mask)
    return land, with_mask, strip, land.layered(Kinds("kind", ("first", "second")))


def _check_map(run: CustomStrategy, grid: Grid, counts: Counts, epsilon: Fraction) -> None:
    """Checks what is spent, and the map that is read from the answers."""
    session = PublicRun(counts, grid, epsilon)
    run(session)
    spent = sum((made.epsilon for made in session.measurements), Fraction(0))
    if not 0 < spent <= epsilon:
        raise Broken(f"{run.name}: of an epsilon of {epsilon}, answers worth {spent} were asked")
    for place in grid.maps.values():
        within = (made.within(place) for made in session.measurements)
        measured = tuple(part for part in within if part is not None)
        reading = read_measurements(grid.single, measured).reading
        low, high = reading.interval(0.9)
        inside = grid.single.inside
        values = reading.values[inside]
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise Broken(f"{run.name}: the map read from its answers has no number for some cell")
        if not (low[inside] <= high[inside]).all():
            raise Broken(f"{run.name}: the map read from its answers has an empty interval")


def _check_answers_only(run: CustomStrategy, grid: Grid, counts: Counts) -> None:
    """Checks that two surveys that get the same answers are asked the same questions."""
    runs = []
    for counted in (np.zeros(grid.shape), 1000 * counts):
        session = PublicRun(counted, grid, Fraction(1), digits=Digits(b"answers"))
        run(session)
        runs.append(session.measurements)
    if len(runs[0]) != len(runs[1]) or any(
        first.epsilon != second.epsilon
        or not np.array_equal(first.partition.labels, second.partition.labels)
        for first, second in zip(*runs, strict=True)
    ):
        raise Broken(
            f"{run.name}: asks other questions after the same answers; let them follow from the"
            " answers and the grid alone, and give random numbers a fixed seed"
        )
