"""Guards the totals: a session debits, draws noise, then adds it.

A strategy holds a session and nothing else. Whatever it asks, each answer is the totals of disjoint
regions plus exact noise, and the shares it spends cannot pass the epsilon that was reserved.

**Theorem (asked again).** Let a strategy declare a course of shares e_1 .. e_m, and answer i be
about a partition that depends on earlier answers only. A region asked at the consecutive questions
i .. j as the same region gets, at question k of them, a noise of scale C * L / (e_i + .. + e_k),
each earlier one being a noisier copy of the later (copies). All answers together lose at most e_1 +
.. + e_m.

*Proof.* Take two surveys whose cells differ by d, the sum of |d| being at most C * L, and any
answers. They settle all partitions, and so the regions and the questions i .. j at which each was
asked; the chance of these answers is a product over the regions, as what was drawn for questions
after j is told to no one and its chances add up to 1. Of one region all answers are the last one
and noisier copies, which know nothing more (copies), so they cost what the last one does: the
chances in both surveys lie within a factor e^x, x = (e_i + .. + e_j) |sum of d over its cells| / (C
* L). Add up x over all regions: each cell's |d| is counted, at most, with the shares of all regions
that it lay in; and these were asked at different questions, so that the shares add up to e_1 + .. +
e_m at most. QED

**Corollary (several readers).** Let readers 1 .. n have factors 1 = f_1 < .. < f_n, and give reader
r an answer of scale C * L / (f_r (e_i + .. + e_k)), all of a region being copies of one draw, while
the partitions depend on the answers of reader 1 only. All that the readers 1 .. r were told loses
at most f_r (e_1 + .. + e_m), not the sum of all; reader r alone no more either.

*Proof.* Of each region those answers are the last one of reader r and noisier copies of it; the
partitions depend on answers that are among them. The rest is as above. What is chosen privately in
between (`choose`) is told to all, and costs each reader no more than the share that it takes from
reader 1, which is at most f_r times it. QED
"""

import os
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import ceil
from threading import RLock
from typing import Any, NoReturn
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.partition import strips
from dpmap.grid.squares import Squares
from dpmap.ledger.ledger import Reservation, own_process
from dpmap.noise.scales import before_sampling
from dpmap.numbers import exact
from dpmap.private_totals import PrivateTotals
from dpmap.record import Measurement, Prior
from dpmap.vault.laplace import MOST_SCALES
from dpmap.vault.mechanism import GaussianMechanism, LaplaceMechanism, Mechanism
from dpmap.vault.noise_chains import MOST_QUESTIONS, Chains, Steps
from dpmap.vault.permute_and_flip import choose, evenness

_MINT = object()
_MADE: "WeakSet[FreshMeasurement]" = WeakSet()


class FreshMeasurement(Measurement):
    """Marks a measurement that the vault of this process made.

    There is no other way to get one: the constructor wants the mint, which is not exported, each
    one made is remembered, and `Measurement` refuses every other subclass and every change. A copy
    is no longer fresh.
    """

    __slots__ = ()

    def __init__(self, mint: object, *args: Any, **named: Any) -> None:
        if mint is not _MINT:
            raise TypeError("only the vault mints fresh measurements")
        super().__init__(*args, **named)
        _MADE.add(self)

    @property
    # a plain measurement answers with a constant
    def fresh(self) -> bool:  # type: ignore[override]
        """Whether the vault really made this very object."""
        return self in _MADE


class Session:
    """Measures the totals behind it, never spending more than its epsilon.

    Over private totals only with a reservation that the ledger has made durable, and only once for
    each; over the totals of a `sample` of units it may spend what the draw turns into the reserved
    epsilon (sampling). Over public numbers, for simulation, with any epsilon and delta: the same
    noise, no ledger, nothing fresh. With a delta the noise is Gaussian.

    With `noisier`, the losses of readers who are told less, rising and below epsilon, each answer
    is drawn for all readers at once, and the strategy is told what the noisiest is told: `epsilon`
    is that reader's. `priors` are public, and carried to the strategy as they are.
    """

    __slots__ = (
        "_chains",
        "_fresh",
        "_left",
        "_lock",
        "_made",
        "_mechanism",
        "_process",
        "_readers",
        "_totals",
        "epsilon",
        "grid",
        "priors",
    )

    def __init__(
        self,
        behind: PrivateTotals | NDArray[Any],
        grid: Grid,
        paid: Reservation | Fraction,
        cap: int,
        lattice: int,
        delta: Fraction = Fraction(0),
        *,
        source: str = "dpmap",
        sample: Fraction | None = None,
        noisier: Sequence[Fraction] = (),
        priors: Sequence[Prior] = (),
    ) -> None:
        if isinstance(behind, PrivateTotals) and isinstance(paid, Reservation):
            totals = behind
            epsilon, delta = _claim(paid, sample)
        elif isinstance(behind, PrivateTotals) or isinstance(paid, Reservation):
            raise TypeError(
                "private totals are measured under a reservation, public numbers without one"
            )
        else:
            totals, lattice = _public_totals(behind, lattice)
            epsilon = paid
        self._mechanism: Mechanism = (
            GaussianMechanism(cap, lattice, epsilon, delta)
            if delta
            else LaplaceMechanism(cap, lattice, source)
        )
        self._totals = totals
        self._fresh = isinstance(paid, Reservation)
        self._process = os.getpid()
        self._lock = RLock()
        self._readers = _check_readers((*noisier, epsilon), self._mechanism)
        self._made = tuple(list[Measurement]() for _ in self._readers)
        self._chains = Chains()
        self.grid = grid
        self.priors = tuple(priors)
        self.epsilon = self._left = self._readers[0]

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Refused("a session cannot be copied: its epsilon is spent once")

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("grid", "epsilon", "_mechanism", "_readers") and hasattr(self, name):
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
    def finest(self) -> Fraction:
        """The epsilon of the reader who is told most: public, and the strategy's own where there
        is one reader.
        """
        return self._readers[-1]

    @property
    def left(self) -> Fraction:
        """The epsilon that may still be spent."""
        return self._left

    @property
    def made(self) -> tuple[Measurement, ...]:
        """All measurements so far, in order."""
        return tuple(self._made[0])

    @property
    def made_for(self) -> tuple[tuple[Measurement, ...], ...]:
        """Ends the session and returns all measurements of each reader, from the noisiest to the
        one who is told most.

        A strategy that looks gets no further answer: what is asked must depend on the noisiest
        answers alone (corollary).
        """
        with self._lock:
            self._left = Fraction(0)
            self._chains = Chains()
            return tuple(tuple(measurements) for measurements in self._made)

    def course(self, shares: Sequence[Fraction]) -> None:
        """Declares what the next questions cost, and debits all of it at once, before the first
        draw.

        Only so may a region be asked again: how noisy its copies are follows from the shares to
        come.
        """
        shares = [self._share(epsilon) for epsilon in shares]
        if len(shares) > MOST_QUESTIONS:
            raise BadInput(
                f"session: a course has at most {MOST_QUESTIONS} questions; declare fewer"
            )
        with self._lock:
            if self._chains.shares:
                raise BadInput("session: the course before has questions left; ask them first")
            self._debit(sum(shares, Fraction(0)))
            self._chains = Chains(shares, copying=self._mechanism.copied)

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Returns noisy totals of the partition's regions, at a privacy loss of exactly `epsilon`,
        or its share of epsilon and delta.

        That the noise is enough is the proof of its mechanism and the theorems above. The debit
        precedes the draw, and the draw precedes the first look at the totals, so neither failure
        nor time spent on noise can tell of them. A question that fails takes the rest of its course
        with it: all of it stays paid, and nothing of its noise is left that another could be told.
        """
        own_process(self._process, "session")
        partition = self._copy_partition(partition)
        share = self._share(epsilon)
        self._mechanism.check(partition)
        with self._lock:
            if not self._chains.shares:
                self.course([share])
            elif share != self._chains.shares[0]:
                raise BadInput("session: the course has another share here; ask as it was declared")
            chains = self._chains
            self._chains = Chains()
            noises = chains.drawn(partition, self._scales(chains.shares), self._mechanism)
            totals = _region_totals(self._totals, partition)
            steps = [
                np.add(totals, noise, out=totals if noise is noises[-1] else None)
                for noise in noises
            ]
            del totals, noises
            measurements = [
                self._mint(partition, values, share, reader, chains)
                for reader, values in enumerate(steps)
            ]
            self._remember(measurements)
            chains.end_question()
            self._chains = chains
        return measurements[0]

    def choose(self, partition: Partition, epsilon: Fraction) -> int:
        """Returns the number of a region, likely the one that holds most, at a privacy loss of
        exactly `epsilon`.

        A region's score is its own total: one unit more adds nothing below 0 to any, and to none
        more than C * lattice (limiter, theorem b), which is what the corollary in `choose` asks.
        Its totals are told to no one.
        """
        partition = self._copy_partition(partition)
        self._only_laplace("choose")
        if not partition.regions:
            raise BadInput("session: choose among one region or more")
        share, _ = self._spend(epsilon)
        scores = _region_totals(self._totals, partition).tolist()
        return choose(scores, share, Fraction(self.cap * self.lattice), rising=True)

    def choose_size(
        self, partitions: Sequence[Partition], epsilon: Fraction, *, spending: Fraction
    ) -> int:
        """Returns the number of the partition that, measured at `spending`, likely makes the best
        map of the single cells.

        Costs exactly `epsilon`. The score is `evenness`, which says by how much one unit moves it,
        up or down, so the theorem in `choose` asks for twice the noise of its corollary.
        """
        partitions = [self._copy_partition(partition) for partition in partitions]
        self._only_laplace("choose")
        if not partitions or spending <= 0:
            raise BadInput(
                "session: choose among one partition or more, to be measured at a loss above 0"
            )
        share, _ = self._spend(epsilon)
        steps = self.cap * self.lattice
        scores = [evenness(self._totals, partition, steps / spending) for partition in partitions]
        return choose(scores, share, Fraction(2 * steps + 1))

    def _scales(self, shares: Sequence[Fraction]) -> list[list[Fraction]]:
        """Returns what scales a region asked from now on gets: for each question to come, if it
        is still the same, one for each reader.
        """
        return [
            [self._mechanism.scale(share * reader / self.epsilon) for reader in self._readers]
            for share in accumulate(shares)
        ]

    def _copy_partition(self, partition: Partition) -> Partition:
        """Returns a copy of the partition, checked again, that the caller cannot change."""
        if type(partition) is not Partition or type(partition.labels) is not np.ndarray:
            raise BadInput("session: measure a Partition")
        partition = Partition(partition.labels, int(partition.regions))
        if partition.labels.shape != self.grid.shape:
            raise BadInput("session: the partition has another shape than the grid")
        return partition

    def measure_from(self, threshold: Fraction, epsilon: Fraction) -> Measurement:
        """Measures all single cells and returns the noisy totals of at least `threshold` points: a
        loss of `epsilon`.

        The answer has the law of `measure` over single cells with all values below the threshold
        left out, which is a function of what `measure` answers and so loses no more. *Proof.* The
        noises of cells are independent. Those of all cells, as if all were empty, are drawn before
        the first look at the totals, as `discrete_laplace_from` proves. In a cell that holds
        something, that draw is thrown away and another takes its place, added to the total: it has
        the same law and is independent of the first one and of all others. QED

        How many numbers are drawn after the look, and so how long this takes, grows with the
        occupied cells, as counting them did: the promise page says so.
        """
        laplace = self._only_laplace("measure_from")
        if len(self._readers) > 1:
            raise Refused("session: that a sparse map has noisier copies is not proved")
        threshold = exact(threshold, name="threshold")
        check_sparse(threshold, self.grid, Fraction(self.cap) / self.epsilon, laplace.source)
        share, scale = self._spend(epsilon)
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
        measurement = self._mint(Shown(cells[order], threshold), values[order], share)
        self._remember([measurement])
        return measurement

    def _spend(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Spends a share, after checking it, and returns it with the noise scale in steps that
        it buys.
        """
        share = self._share(epsilon)
        self._debit(share)
        return share, self._mechanism.scale(share)

    def _share(self, epsilon: Fraction) -> Fraction:
        """Returns a share of epsilon as an exact number, after checking that its noise can be
        held.
        """
        share = exact(epsilon, name="epsilon", longest=10_000)
        if share <= 0:
            raise BudgetExceeded(
                "session: a measurement must cost more than 0 and no more than is left"
            )
        if self._mechanism.scale(share) > self._mechanism.largest:
            raise BadInput(
                "epsilon: a share this small needs more noise than 64-bit totals hold; raise it"
            )
        return share

    def _debit(self, share: Fraction) -> None:
        """Spends so much, after checking it; in the session's own process only."""
        own_process(self._process, "session")
        with self._lock:
            if not 0 < share <= self._left:
                raise BudgetExceeded(
                    "session: a measurement must cost more than 0 and no more than is left"
                )
            self._left -= share

    def _only_laplace(self, what: str) -> LaplaceMechanism:
        """Returns the mechanism, or refuses Gaussian noise, for which `what` is not proved."""
        if not isinstance(self._mechanism, LaplaceMechanism):
            raise Refused(f"session: {what} is proved for epsilon alone; leave out delta")
        return self._mechanism

    def _mint(
        self,
        regions: Partition,
        steps: Steps,
        share: Fraction,
        reader: int = 0,
        chains: Chains | None = None,
    ) -> Measurement:
        """Makes one reader's measurement, with how many questions each answer pools."""
        make = partial(FreshMeasurement, _MINT) if self._fresh else Measurement
        factor = self._readers[reader] / self.epsilon
        return make(
            regions,
            steps,
            lattice=self.lattice,
            scale=self._mechanism.scale(share * factor) / self.lattice,
            epsilon=share * factor,
            kind=self._mechanism.kind,
            pooled=None if chains is None else chains.pooled,
            earlier=[] if chains is None else [cost * factor for cost in chains.earlier],
        )

    def _remember(self, measurements: Sequence[Measurement]) -> None:
        """Keeps one question's measurement for each reader."""
        for made, measurement in zip(self._made, measurements, strict=True):
            made.append(measurement)


def _check_readers(readers: tuple[Fraction, ...], mechanism: Mechanism) -> tuple[Fraction, ...]:
    """Returns the readers' losses, after checking that they rise and that copies of this noise
    are proved.
    """
    readers = tuple(map(Fraction, readers))
    if any(not 0 < less < more for less, more in pairwise(readers)):
        raise BadInput("session: the readers' epsilons rise, from above 0 up to what was reserved")
    if len(readers) > 1 and not mechanism.copied:
        raise Refused("session: noisier copies are proved for dpmap's own Laplace noise alone")
    return readers


def _claim(paid: Reservation, sample: Fraction | None) -> tuple[Fraction, Fraction]:
    """Claims a reservation and returns the epsilon and delta that it pays for."""
    if paid.spend.delta and sample is not None:
        raise Refused(
            "session: that a draw amplifies is proved for epsilon alone; leave out delta or the"
            " sample"
        )
    reserved = paid.claim()
    return reserved if sample is None else before_sampling(reserved, sample), paid.spend.delta


def _public_totals(counts: NDArray[Any], lattice: int) -> tuple[PrivateTotals, int]:
    """Converts public numbers to totals, and returns their lattice."""
    points = np.asarray(counts, dtype=np.float64).ravel()
    while lattice > 1 and points.sum() >= 2**62 / lattice:
        lattice //= 2  # large public numbers get a coarser lattice
    if points.sum() >= 2**62:
        raise BadInput("simulate: the counts are too large; divide them all by one number")
    occupied = np.empty(len(points), dtype=bool)
    for strip, mask in zip(strips(points), strips(occupied), strict=True):
        mask[:] = np.rint(strip * lattice) != 0
    cells = np.flatnonzero(occupied).astype(np.int32)
    steps = np.empty(len(cells), dtype=np.int64)
    for part, values in zip(strips(cells), strips(steps), strict=True):
        values[:] = np.rint(points[part] * lattice)
    return PrivateTotals(cells, steps), lattice


def _region_totals(totals: PrivateTotals, partition: Partition) -> NDArray[np.int64]:
    """Returns the exact total of each region; cells in no region count nowhere. Sums of integers
    do not depend on their order.
    """
    labels = partition.packed.ravel()
    sums = np.zeros(partition.regions + 1, dtype=np.int64)
    for cells, steps in zip(strips(totals._cells), strips(totals._steps), strict=True):
        np.add.at(sums, labels[cells], steps)  # label -1 is the last
    return sums[:-1]


def check_sparse(threshold: Fraction, grid: Grid, scale: Fraction, source: str) -> None:
    """Refuses a sparse release that cannot be made, before anything is counted or reserved."""
    if not isinstance(grid.cells, Squares) or grid.axes or source != "dpmap":
        raise BadInput(
            "strategy: sparse is for square cells without layers, with dpmap's own noise"
        )
    if not 0 < threshold <= MOST_SCALES * scale:
        raise BadInput(
            "strategy: the threshold after sparse: lies above 0, and at most 500 noise scales high"
        )
