"""Guards the data behind one function, `Session.measure`, which debits, draws, then adds.

A strategy holds a session and nothing else. Whatever it asks, however clever or wrong, each answer is the totals of
disjoint regions plus exact noise, and the shares it spends cannot pass the epsilon that was reserved.
"""

import os
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import ceil
from threading import Lock
from typing import Any, NoReturn
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.squares import Squares
from dpmap.ledger.ledger import Reservation, own_process
from dpmap.noise.budgets import before_sampling
from dpmap.numbers import exact
from dpmap.record import Measurement
from dpmap.sealed import Totals
from dpmap.vault.choose import choose, evenness
from dpmap.vault.laplace import MOST_SCALES
from dpmap.vault.mechanism import Gaussian, Laplace, Mechanism

_MINT = object()
_MADE: "WeakSet[FreshMeasurement]" = WeakSet()


class FreshMeasurement(Measurement):
    """Marks a measurement that the vault of this process made.

    There is no other way to get one: the constructor wants the mint, which is not exported, each one made is
    remembered, and `Measurement` refuses every other subclass and every change. A copy is no longer fresh.
    """

    __slots__ = ()

    def __init__(self, mint: object, *args: Any, **named: Any) -> None:
        if mint is not _MINT:
            raise TypeError("only the vault mints fresh measurements")
        super().__init__(*args, **named)
        _MADE.add(self)

    @property
    def fresh(self) -> bool:  # type: ignore[override]  # a plain measurement answers with a constant
        """Whether the vault really made this very object."""
        return self in _MADE


class Session:
    """Measures the totals behind it, never spending more than its epsilon.

    Over private totals only with a reservation that the ledger has made durable, and only once for each; over the totals of
    a `sample` of units it may spend what the draw turns into the reserved epsilon (sampling). Over public numbers, for
    simulation, with any epsilon and delta: the same noise, no ledger, nothing fresh. With a delta the noise is Gaussian.
    """

    __slots__ = ("_fresh", "_left", "_lock", "_made", "_mechanism", "_process", "_totals", "epsilon", "grid")

    def __init__(
        self,
        behind: Totals | NDArray[Any],
        grid: Grid,
        paid: Reservation | Fraction,
        cap: int,
        lattice: int,
        delta: Fraction = Fraction(0),
        *,
        source: str = "dpmap",
        sample: Fraction | None = None,
    ) -> None:
        if isinstance(behind, Totals) and isinstance(paid, Reservation):
            totals, (epsilon, delta) = behind, _claimed(paid, sample)
        elif isinstance(behind, Totals) or isinstance(paid, Reservation):
            raise TypeError("private totals are measured under a reservation, public numbers without one")
        else:
            (totals, lattice), epsilon = _public(behind, lattice), paid
        self._mechanism: Mechanism = Gaussian(cap, lattice, epsilon, delta) if delta else Laplace(cap, lattice, source)
        self._totals, self._fresh, self._process = totals, isinstance(paid, Reservation), os.getpid()
        self._left, self._made, self._lock = epsilon, list[Measurement](), Lock()
        self.grid, self.epsilon = grid, epsilon

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Refused("a session cannot be copied: its epsilon is spent once")

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("grid", "epsilon", "_mechanism") and hasattr(self, name):
            raise AttributeError("a session's promise cannot be changed")
        object.__setattr__(self, name, value)

    @property
    def cap(self) -> int:
        """The most points that one unit adds."""
        return self._mechanism.cap

    @property
    def lattice(self) -> int:
        """How many lattice steps make one point."""
        return self._mechanism.lattice

    @property
    def left(self) -> Fraction:
        """The epsilon that may still be spent."""
        return self._left

    @property
    def made(self) -> tuple[Measurement, ...]:
        """All measurements so far, in order."""
        return tuple(self._made)

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Returns noisy totals of the partition's regions, at a privacy loss of exactly `epsilon`, or its share of epsilon and delta.

        That the noise is enough is the proof of its mechanism. The debit precedes the draw, and the draw precedes the
        first look at the totals, so neither failure nor time spent on noise can tell of them.
        """
        partition = self._own(partition)
        self._mechanism.check(partition)
        share, scale = self._debited(epsilon)
        noise = self._mechanism.noise(partition.regions, scale)
        steps = noise + _region_totals(self._totals, partition)
        return self._minted(partition, steps, share)

    def choose(self, partition: Partition, epsilon: Fraction) -> int:
        """Returns the number of a region, likely the one that holds most, at a privacy loss of exactly `epsilon`.

        A region's score is its own total: one unit more adds nothing below 0 to any, and to none more than
        C * lattice (limiter, theorem b), which is what the corollary in `choose` asks. Its totals are told to no one.
        """
        partition = self._own(partition)
        self._only_laplace("choose")
        if not partition.regions:
            raise BadInput("session: choose among one region or more")
        share, _ = self._debited(epsilon)
        scores = _region_totals(self._totals, partition).tolist()
        return choose(scores, share, Fraction(self.cap * self.lattice), rising=True)

    def choose_size(self, partitions: Sequence[Partition], epsilon: Fraction, *, spending: Fraction) -> int:
        """Returns the number of the partition that, measured at `spending`, likely makes the best map of the single cells.

        Costs exactly `epsilon`. The score is `evenness`, which says by how much one unit moves it, up or down, so the
        theorem in `choose` asks for twice the noise of its corollary.
        """
        own = [self._own(partition) for partition in partitions]
        self._only_laplace("choose")
        if not own or spending <= 0:
            raise BadInput("session: choose among one partition or more, to be measured at a loss above 0")
        share, _ = self._debited(epsilon)
        steps = self.cap * self.lattice
        scores = [evenness(self._totals, partition, steps / spending) for partition in own]
        return choose(scores, share, Fraction(2 * steps + 1))

    def _own(self, partition: Partition) -> Partition:
        """Returns a copy of the partition, checked again, that the caller cannot change."""
        if type(partition) is not Partition or type(partition.labels) is not np.ndarray:
            raise BadInput("session: measure a Partition")
        partition = Partition(partition.labels, int(partition.regions))
        if partition.labels.shape != self.grid.shape:
            raise BadInput("session: the partition has another shape than the grid")
        return partition

    def measure_from(self, threshold: Fraction, epsilon: Fraction) -> Measurement:
        """Measures all single cells and returns the noisy totals of at least `threshold` points: a loss of `epsilon`.

        The answer has the law of `measure` over single cells with all values below the threshold left out, which is a
        function of what `measure` answers and so loses no more. *Proof.* The noises of cells are independent. Those of
        all cells, as if all were empty, are drawn before the first look at the totals, as `discrete_laplace_from` proves. In
        a cell that holds something, that draw is thrown away and another takes its place, added to the total: it has
        the same law and is independent of the first one and of all others. QED

        How many numbers are drawn after the look, and so how long this takes, grows with the occupied cells, as counting
        them did: the promise page says so.
        """
        laplace = self._only_laplace("measure_from")
        threshold = exact(threshold, name="threshold")
        check_sparse(threshold, self.grid, Fraction(self.cap) / self.epsilon, laplace.source)
        share, scale = self._debited(epsilon)
        least = ceil(threshold * self.lattice)
        places, noise = laplace.noise_from(least, self.grid.size, scale)
        occupied = self._totals._cells
        steps = self._totals._steps + laplace.noise(len(occupied), scale)
        empty = np.isin(places, occupied, invert=True)
        if self.grid.mask is not None:
            empty &= self.grid.mask.ravel()[places]
        cells = np.concatenate([places[empty], occupied[steps >= least]])
        values = np.concatenate([noise[empty], steps[steps >= least]])
        order = np.argsort(cells)
        return self._minted(Shown(cells[order], threshold), values[order], share)

    def _debited(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Spends a share, after checking it, and returns it with the noise scale in steps that it buys; in its own process only."""
        own_process(self._process, "session")
        share = exact(epsilon, name="epsilon", longest=10_000)
        if share <= 0:
            raise BudgetExceeded("session: a measurement must cost more than 0 and no more than is left")
        scale = self._mechanism.scale(share)
        if scale > self._mechanism.largest:
            raise BadInput("epsilon: a share this small needs more noise than 64-bit totals hold; raise it")
        with self._lock:
            if share > self._left:
                raise BudgetExceeded("session: a measurement must cost more than 0 and no more than is left")
            self._left -= share
        return share, scale

    def _only_laplace(self, what: str) -> Laplace:
        """Returns the mechanism, or refuses Gaussian noise, for which `what` is not proved."""
        if not isinstance(self._mechanism, Laplace):
            raise Refused(f"session: {what} is proved for epsilon alone; leave out delta")
        return self._mechanism

    def _minted(self, regions: Partition, steps: NDArray[np.int64], share: Fraction) -> Measurement:
        """Makes the measurement and remembers it."""
        kind = partial(FreshMeasurement, _MINT) if self._fresh else Measurement
        scale = self._mechanism.scale(share) / self.lattice
        measurement = kind(regions, steps, lattice=self.lattice, scale=scale, epsilon=share, kind=self._mechanism.kind)
        self._made.append(measurement)
        return measurement


def _claimed(paid: Reservation, sample: Fraction | None) -> tuple[Fraction, Fraction]:
    """Claims a reservation and returns the epsilon and delta that it pays for."""
    if paid.spend.delta and sample is not None:
        raise Refused("session: that a draw amplifies is proved for epsilon alone; leave out delta or the sample")
    reserved = paid.claim()
    return reserved if sample is None else before_sampling(reserved, sample), paid.spend.delta


def _public(counts: NDArray[Any], lattice: int) -> tuple[Totals, int]:
    """Converts public numbers to totals, and returns their lattice."""
    points = np.asarray(counts, dtype=np.float64).ravel()
    while lattice > 1 and points.sum() >= 2**62 / lattice:
        lattice //= 2  # large public numbers get a coarser lattice
    if points.sum() >= 2**62:
        raise BadInput("simulate: the counts are too large; divide them all by one number")
    steps = np.rint(points * lattice).astype(np.int64)
    cells = np.flatnonzero(steps)
    return Totals(cells, steps[cells]), lattice


def _region_totals(totals: Totals, partition: Partition) -> NDArray[np.int64]:
    """Returns the exact total of each region; cells in no region count nowhere. Sums of integers do not depend on their order."""
    region = partition.labels.ravel()[totals._cells]
    sums = np.zeros(partition.regions, dtype=np.int64)
    counted = region >= 0
    np.add.at(sums, region[counted], totals._steps[counted])
    return sums


def check_sparse(threshold: Fraction, grid: Grid, scale: Fraction, source: str) -> None:
    """Refuses a sparse release that cannot be made, before anything is counted or reserved."""
    if not isinstance(grid.cells, Squares) or grid.axes or source != "dpmap":
        raise BadInput("strategy: sparse is for square cells without layers, with dpmap's own noise")
    if not 0 < threshold <= MOST_SCALES * scale:
        raise BadInput("strategy: the threshold after sparse: lies above 0, and at most 500 noise scales high")
