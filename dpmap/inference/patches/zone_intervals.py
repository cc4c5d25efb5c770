"""What is believed of any land of a map: one law, whoever asks. Cells, places, zones, hot spots and
lists are read from it.

Land takes its share of every smallest region that it meets, by ground. Three things make its total
unsure: what the regions hold (their beliefs, whose errors of neighbours lean the same way), where
in a region that is cut its points lie, and what all of this takes for granted. The first two are
worked out; the third is rehearsed: on land as it is believed, answered with new noise of the true
law about the very regions that were measured, zones of many sizes are asked about and places are
chosen for standing out, and what holds for all of these at a level is taken for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.patches import posterior
from dpmap.inference.patches.calibration import EVEN_IN, Digits, gathered, like_noise, seed
from dpmap.inference.patches.pieces import Ground
from dpmap.inference.patches.place_selection import PlaceSelection, Touching
from dpmap.inference.patches.region_growing import distinct, summed
from dpmap.inference.patches.region_tree import Belief, Regions
from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]

TWICE, TOGETHER, MOST = 2.0, 0.02, 4.0
"""The beliefs' variance counts twice, and neighbours' errors as if a fiftieth of each were shared
by all of a zone, up to four times the variance itself. What is left is rehearsed.
"""
UPWARDS = 1.15
"""Intervals reach so much further up than down: a town that noise hid is further off than noise
that looks like one, and the laws are skewed.
"""
CAUTIOUS = 0.25
"""Places grow by variances of which this part counts what was answered only, and nothing of what is
usual: what stands out by chance then seldom is a place of its own, nor is every empty cell.
"""
PAIRED, CLEAR = 0.4, 40.0
"""How unevenly two neighbours share their sum is taken to be 0.4 of as unevenly as can be until
so many clear pairs say otherwise.
"""
LEANING = 0.2
"""By how much of their deviations the laws of all regions may lean the same way: on maps of
towns they hold too much of empty land.
"""
WITHIN = 0.75
"""How unevenly the two parts of a region share its points, as a part of how unevenly neighbours
do.
"""
ZONES, LEAST, SPAN = 300, 3.0, 100.0
"""So many zones are rehearsed, of so many cells and up to a hundred times that, alike many of
each size.
"""
WALKS = 4
"""How often the way is walked again with zones."""
SIDE, LARGE = 128, 1 << 15
"""On maps of more cells than this only a square of so many along a side is rehearsed, the one
that holds most.
"""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneOverlap:
    """Holds which smallest regions some zones meet, and the share of each that is the zone's."""

    zones: int
    zone: Index
    region: Index
    share: Numbers

    @classmethod
    def add_up(cls, zones: int, zone: Index, region: Index, ground: Numbers, area: Numbers) -> Self:
        """Adds up so much ground of zones and regions; ground in no region is left out. `area`
        is that of each region.
        """
        known = (region >= 0) & (ground > 0)
        pair, at = np.unique(zone[known] * len(area) + region[known], return_inverse=True)
        of_zone, of_region = np.divmod(pair, len(area))
        share = np.minimum(np.bincount(at, ground[known], len(pair)) / area[of_region], 1.0)
        return cls(zones, of_zone, of_region, share)

    def summed(self, parts: Numbers) -> Numbers:
        """Adds up numbers of the pairs for each zone."""
        return summed(self.zone, parts, self.zones)


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLand:
    """Holds measured regions and where on a raster of this shape each cell lies."""

    regions: Regions
    shape: tuple[int, ...]
    at: Index

    def believed(self, noisy: Numbers, uneven: float | None = None) -> "PosteriorLand":
        """Returns what these answers tell of the smallest regions; how unevenly points lie
        within them, unless that is given, too.
        """
        held, variance, alike = posterior.estimate_totals(self.regions, noisy, self.shape, self.at)
        usual = self.regions.believed(noisy, held, variance)
        kept = replace(usual, spread=_single(usual.spread), wide=_single(usual.wide))
        shift, common, share = self._shared(noisy, usual)
        mean = np.maximum(usual.mean + (alike + (1 - alike) * share) * shift, 0.0)
        unevenness = self._unevenness(noisy, usual) if uneven is None else uneven
        return PosteriorLand(_single(mean), kept, unevenness, alike, alike * common)

    def _shared(self, noisy: Numbers, usual: Belief) -> tuple[Numbers, float, float]:
        """Returns what is to be added to each region where one mean is taken for all, which part of
        their errors all then share, and how much of that is to be added where none is.

        One mean is learned from these very answers, so of the total of all land nothing more is
        known than they tell by themselves: it is theirs, and as unsure. What it misses is shared
        out by the regions' deviations, and so is its error. Where regions have laws of their own
        these may still lean the same way, by about `LEANING` of the deviations: the total of all
        land is then the mean of theirs and of the answers', each weighted by how unsure the other
        is.
        """
        smallest, whole = self.regions.smallest, np.zeros(len(usual.mean), dtype=np.int64)
        answered = self.regions.believed(noisy, noisy[smallest], self.regions.variance[smallest])
        deviation = np.sqrt(usual.alone)
        leaning = max(float(deviation.sum()), 1e-300)
        unsure = float(answered.variances(whole, 1)[0])
        missing = unsure - float(TWICE * usual.variances(whole, 1)[0])
        shift = deviation * float(answered.mean.sum() - usual.mean.sum()) / leaning
        weight = (LEANING * leaning) ** 2
        return shift, max(missing, 0.0) / leaning**2, weight / max(weight + unsure, 1e-300)

    def _unevenness(self, noisy: Numbers, usual: Belief) -> float:
        """Returns which part of its square a region's total varies by between the halves of a cut,
        beyond chance.

        Learned from neighbours of one size: the square of what tells their answers apart, less the
        noise's and chance's part of it, to the square of their sum. A region's own halves are
        nearer to each other than two neighbours: `WITHIN`.
        """
        one, other = self._neighbours()
        noise = self.regions.variance[self.regions.smallest]
        own, both = noisy[self.regions.smallest], noise[one] + noise[other]
        total = np.maximum(usual.mean[one] + usual.mean[other], 0.0)
        square = total**2 + usual.alone[one] + usual.alone[other]
        weight = square / (both + total + PAIRED / 2 * square) ** 2
        apart = (own[one] - own[other]) ** 2 - both - total
        prior = CLEAR / (PAIRED / 2) ** 2
        found = float((weight * apart).sum() + PAIRED * prior) / float(
            (weight * square).sum() + prior
        )
        return min(max(found, 0.0), 1.0) * WITHIN

    def _neighbours(self) -> tuple[Index, Index]:
        """Returns pairs of smallest regions of one size that have cells side by side."""
        laid = np.full(self.shape, -1, dtype=np.int64)
        laid.flat[self.at] = self.regions.of_cell
        size = np.append(self.regions.cells[self.regions.smallest], 0)
        pairs = []
        for one, other in ((laid[:, :-1], laid[:, 1:]), (laid[:-1], laid[1:])):
            kept = (one != other) & (one >= 0) & (size[one] == size[other])
            pairs.append((np.minimum(one, other)[kept], np.maximum(one, other)[kept]))
        first, second = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        return distinct(first, second, len(size))

    def cropped(self, held: Numbers) -> tuple["MeasuredLand", Numbers]:
        """Returns the square of a large map that holds most, with what its smallest regions
        hold; a small map as it is.
        """
        if len(self.at) <= LARGE:
            return self, held
        row, column = np.divmod(self.at, self.shape[1])
        tile = row // SIDE * (self.shape[1] // SIDE + 1) + column // SIDE
        known = self.regions.of_cell >= 0
        each = np.where(
            known,
            np.append(held / self.regions.cells[self.regions.smallest], 0)[self.regions.of_cell],
            0,
        )
        most = np.flatnonzero(tile == int(np.bincount(tile, each).argmax()))
        inner = self.regions.within(most)
        at = row[most] % SIDE * SIDE + column[most] % SIDE
        there = inner.of_cell >= 0
        return MeasuredLand(inner, (SIDE, SIDE), at), summed(
            inner.of_cell[there], each[most][there], len(inner.smallest)
        )

    def family(self) -> ZoneOverlap:
        """Returns discs and corridors of many sizes about places of the map, which nothing but
        its shape decides.
        """
        laid = np.full(self.shape, -1, dtype=np.int64)
        laid.flat[self.at] = np.arange(len(self.at))
        chances = Digits(b"zones").uniform(5 * ZONES).reshape(ZONES, 5)
        found = [self._zone(number, laid, *row) for number, row in enumerate(chances.tolist())]
        cell, share, zone = (np.concatenate(parts) for parts in zip(*found, strict=True))
        region = self.regions.of_cell[cell]
        return ZoneOverlap.add_up(
            ZONES, zone, region, share, self.regions.cells[self.regions.smallest].astype(np.float64)
        )

    def _zone(
        self,
        number: int,
        laid: Index,
        big: float,
        where: float,
        off: float,
        turn: float,
        slim: float,
    ) -> tuple[Index, Numbers, Index]:
        """Returns the cells of one zone with their shares; even ones are discs, odd ones
        corridors half a cell to four cells wide.
        """
        area = min(LEAST * SPAN**big, max(len(self.at) / 4, 0.5))
        row, column = divmod(int(self.at[int(where * len(self.at))]), self.shape[1])
        middle = np.array([row + off, column + (off * 997) % 1])
        broad = (
            2 * np.sqrt(area / np.pi)
            if number % 2 == 0
            else 0.5 + slim * min(3.5, max(np.sqrt(area) - 0.5, 0.0))
        )
        length = broad if number % 2 == 0 else area / broad
        reach = np.hypot(length, broad) / 2 + 1
        first = np.maximum(np.floor(middle - reach), 0).astype(np.int64)
        last = np.minimum(np.ceil(middle + reach), self.shape).astype(np.int64)
        down, right = np.meshgrid(
            *(np.arange(a, b) + 0.5 for a, b in zip(first, last, strict=True)), indexing="ij"
        )
        down, right = down - middle[0], right - middle[1]
        if number % 2 == 0:
            share = np.clip(broad / 2 - np.hypot(down, right) + 0.5, 0, 1)
        else:
            along, across = np.cos(turn * np.pi), np.sin(turn * np.pi)
            share = np.clip(
                broad / 2 - np.abs(down * across - right * along) + 0.5, 0, min(1.0, broad)
            )
            share = share * np.clip(length / 2 - np.abs(down * along + right * across) + 0.5, 0, 1)
        cell = laid[first[0] : last[0], first[1] : last[1]]
        kept = (cell >= 0) & (share > 0)
        return cell[kept], share[kept], np.full(int(kept.sum()), number)


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorLand:
    """Holds the mean of each smallest region, the belief that variances follow from, how unevenly
    points lie within a region, how sure it is that cells measured alone are alike all over the map,
    and which part of their errors all regions then share.
    """

    mean: Numbers
    usual: Belief
    uneven: float
    alike: float
    common: float

    def __post_init__(self) -> None:
        read_only_fields(self)

    def totals(self, met: ZoneOverlap) -> tuple[Numbers, Numbers]:
        """Returns the total of each zone and its variance, but for what is rehearsed."""
        variance = self.usual.of_shares(met.region, met.zone, met.share, met.zones)
        leaning = met.summed(met.share * np.sqrt(self.usual.alone)[met.region]) ** 2
        variance = self.widened(variance, leaning)
        unknown = self.cut(met, self.mean, self.usual.alone)
        return met.summed(met.share * self.mean[met.region]), variance + unknown

    def widened(self, variance: Numbers, leaning: Numbers) -> Numbers:
        """Returns variances of land with what its regions' errors share, whose deviations added
        up and squared are `leaning`.
        """
        return (
            TWICE * variance
            + np.minimum(TOGETHER * leaning, MOST * variance)
            + self.common * leaning
        )

    def cut(self, met: ZoneOverlap, total: Numbers, variance: "Numbers | float") -> Numbers:
        """Returns the variance that comes of not knowing where in a region that is cut its
        points lie: chance, and unevenness.
        """
        each = total + self.uneven * (total**2 + variance)
        return met.summed(met.share * (1 - met.share) * each[met.region])


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseBelief:
    """Holds one release's smallest region of each cell of the whole grid, the area of each, and
    what is believed of them.
    """

    smallest: Index
    area: Numbers
    land: MeasuredLand
    held: PosteriorLand

    def __post_init__(self) -> None:
        read_only_fields(self)


class ZoneIntervals:
    """Answers for any land of one map, from the measurements of one release, or of several whose
    totals add up.
    """

    def __init__(
        self, grid: Grid, releases: Sequence[tuple[Grid, tuple[Measurement, ...]]]
    ) -> None:
        self._area = grid.square_km.ravel()
        self.ground = Ground.lay_out(grid, releases)
        self.parts: list[ReleaseBelief] = []
        for part, smallest in zip(self.ground.parts, self.ground.smallest, strict=True):
            laid, land = smallest.ravel(), MeasuredLand(part.regions, part.shape, part.at)
            known = laid >= 0
            area = summed(laid[known], self._area[known], len(part.regions.smallest))
            self.parts.append(ReleaseBelief(laid, area, land, land.believed(part.regions.noisy)))
        self._seed = seed(
            one.steps.tobytes() for _, measurements in releases for one in measurements
        )

    def answer(self, cells: Index, shares: Numbers, level: float) -> tuple[float, float, float]:
        """Returns middle, low and high of the total of a zone that takes these shares of these
        cells.
        """
        total, deviation = self.believed(cells, shares)
        low, high = self.bounds(np.array([total]), np.array([deviation]), level)
        return max(total, 0.0), float(low[0]), float(high[0])

    def bounds(self, total: Numbers, deviation: Numbers, level: float) -> tuple[Numbers, Numbers]:
        """Returns low and high of totals that are believed with these deviations."""
        about = self.wide(level) * deviation
        return np.maximum(total - about, 0.0), np.maximum(total + UPWARDS * about, 0.0)

    def believed(self, cells: Index, shares: Numbers) -> tuple[float, float]:
        """Returns what a zone that takes these shares of these cells is believed to hold, and
        its deviation but for what is rehearsed.
        """
        total, deviation = self.of_places(cells, np.zeros(len(cells), dtype=np.int64), 1, shares)
        return float(total[0]), float(deviation[0])

    def of_places(
        self, cells: Index, place: Index, places: int, shares: Numbers | float = 1.0
    ) -> tuple[Numbers, Numbers]:
        """Returns what each place is believed to hold, and its deviation; `place` is that of
        each of these cells, which count by their shares.
        """
        ground = shares * self._area[cells]
        total, variance = np.zeros(places), np.zeros(places)
        for part in self.parts:
            own, spread = part.held.totals(
                ZoneOverlap.add_up(places, place, part.smallest[cells], ground, part.area)
            )
            total, variance = total + own, variance + spread
        return total, np.sqrt(variance)

    def wide(self, level: float) -> float:
        """Returns how many deviations about hold at this level: what was rehearsed, and no less
        than a normal law asks for.
        """
        normal = NormalDist().inv_cdf((1 + level) / 2)
        most = max(_holding(off, level) for off in (*self._rehearsed, *self._picked))
        if level > NINE:
            most = max(most, self.wide(NINE) * normal / NormalDist().inv_cdf((1 + NINE) / 2))
        return max(most, normal / float(np.sqrt(TWICE)))

    @cached_property
    def _rehearsed(self) -> list[Numbers]:
        """How many deviations rehearsed answers are off, in order: for each release those about
        discs, and those about corridors.
        """
        digits = Digits(self._seed)
        return [off for part in self.parts for off in _walked(part.land, part.held, digits)]

    @cached_property
    def _picked(self) -> list[Numbers]:
        """How many deviations the strongest places are off that are chosen on rehearsed maps, in
        order; where noise alone explains the map, every place that is told, nearly empty ones too.
        """
        ground, digits = self.ground, Digits(self._seed + b"places")
        if len(ground.area) > PICKED:
            return []
        touching = Touching.find(ground, self.of_pieces([part.held for part in self.parts]))
        even = [
            one.regions.evened(part.held.mean)
            for one, part in zip(ground.parts, self.parts, strict=True)
        ]
        noise_alone = like_noise(ground, even)
        shapes = even if noise_alone else [part.held.mean for part in self.parts]

        def walk(wide: float) -> Numbers:
            answers = [
                one.regions.sums(mine) + digits.noise(one.regions)
                for one, mine in zip(ground.parts, shapes, strict=True)
            ]
            again = [
                part.land.believed(noisy, 0.0)
                for part, noisy in zip(self.parts, answers, strict=True)
            ]
            choice = self.choice(again, self.of_pieces(again), touching, max(wide, zones))
            off = (
                self._summed(shapes, choice.place, len(choice.area)) - choice.total
            ) / np.maximum(choice.deviation, 1e-300)
            low = choice.low / choice.area
            counted = np.flatnonzero(
                choice.coloured & (noise_alone | (choice.total > choice.least * choice.area))
            )
            return off[counted[np.argsort(-low[counted], kind="stable")]]

        zones = max(_holding(off, NINE) for off in self._rehearsed)
        every, strongest = gathered(walk, NINE, len(ground.area), zones)
        return [every, strongest] if noise_alone else [strongest]

    def choice(
        self, held: "Sequence[PosteriorLand]", total: Numbers, touching: Touching, wide: float
    ) -> PlaceSelection:
        """Grows places by these beliefs until they are told, `wide` deviations about; places
        follow the `total` given of each piece.
        """
        ground = self.ground
        variance = np.zeros(len(ground.area))
        for part, one in zip(ground.parts, held, strict=True):
            answered = part.regions.variance[part.regions.smallest]
            cautious = CAUTIOUS * answered + (1 - CAUTIOUS) * one.usual.alone
            variance += TWICE * summed(part.piece, cautious, len(variance))
        unsure = float(
            np.sqrt(self._variances(held, np.zeros(len(variance), dtype=np.int64), 1)[0])
        )
        place, least = touching.grown(total, variance, unsure, wide)
        places = int(place.max(initial=-1)) + 1
        middle = summed(place, self.of_pieces(held), places)
        deviation = np.sqrt(self._variances(held, place, places))
        low, high = np.maximum(middle - wide * deviation, 0.0), middle + UPWARDS * wide * deviation
        return PlaceSelection(
            place, middle, deviation, low, high, summed(place, ground.area, places), least
        )

    def of_pieces(self, held: "Sequence[PosteriorLand]") -> Numbers:
        """Returns what each piece of land is believed to hold."""
        means = [one.mean for one in held]
        return self._summed(means, np.arange(len(self.ground.area)), len(self.ground.area))

    def _summed(self, means: Sequence[Numbers], place: Index, places: int) -> Numbers:
        """Adds up what the smallest regions hold, for each place of pieces."""
        found = np.zeros(places)
        for part, mean in zip(self.ground.parts, means, strict=True):
            found += summed(place[part.piece], mean, places)
        return found

    def _variances(self, held: "Sequence[PosteriorLand]", place: Index, places: int) -> Numbers:
        """Returns the variance of each place of pieces, as `Held.told` has it for whole regions."""
        found = np.zeros(places)
        for part, one in zip(self.ground.parts, held, strict=True):
            own = place[part.piece]
            variance = one.usual.variances(own, places)
            found += one.widened(variance, summed(own, np.sqrt(one.usual.alone), places) ** 2)
        return found


PICKED = 400_000
"""On land of more pieces than this no places are drawn, and none are rehearsed."""
PAIRED_UP = 96
"""So many rehearsed answers of each map are taken together with as many of another's."""


def apart(
    first: ZoneIntervals, second: ZoneIntervals, deviations: tuple[float, float], level: float
) -> float:
    """Returns half the width of the interval at this level of the difference of one zone's totals
    in two maps, of these deviations.

    The maps' noises are independent. So each answer that the one rehearsed goes with each that the
    other did, as often added up as taken from each other, and the width is what this share of all
    pairs stays within; beyond `NINE`, and no less than what a normal law asks for, as in
    `Zones.wide`.
    """
    normal = NormalDist().inv_cdf((1 + level) / 2)
    shares = (np.arange(PAIRED_UP) + 0.5) / PAIRED_UP
    one, other = (
        deviation
        * np.quantile(
            # of this file
            max(zones._rehearsed, key=lambda off: _holding(off, NINE)),  # noqa: SLF001
            shares,
        )
        for zones, deviation in zip((first, second), deviations, strict=True)
    )
    both = np.sort(np.abs(np.concatenate([one[:, None] + other, one[:, None] - other])).ravel())
    most = _holding(both, min(level, NINE)) * max(
        1.0, normal / NormalDist().inv_cdf((1 + NINE) / 2)
    )
    return max(most, normal / float(np.sqrt(TWICE)) * float(np.hypot(*deviations)))


def along(maps: "Sequence[ZoneIntervals]", deviations: Numbers, level: float) -> float:
    """Returns half the width of the interval at this level of a weighted sum of one zone's totals
    in several maps; `deviations` are each map's, times its weight. Two maps go together as in
    `apart`, the sum of theirs with the next one's, and so on.
    """
    normal = NormalDist().inv_cdf((1 + level) / 2)
    shares = (np.arange(PAIRED_UP) + 0.5) / PAIRED_UP
    total = np.zeros(1)
    for zones, deviation in zip(maps, np.abs(deviations).tolist(), strict=True):
        off = deviation * np.quantile(
            # of this file
            max(zones._rehearsed, key=lambda off: _holding(off, NINE)),  # noqa: SLF001
            shares,
        )
        total = np.quantile(
            np.abs(np.concatenate([total[:, None] + off, total[:, None] - off])), shares
        )
    most = _holding(total, min(level, NINE)) * max(
        1.0, normal / NormalDist().inv_cdf((1 + NINE) / 2)
    )
    return max(most, normal / float(np.sqrt(TWICE)) * float(np.sqrt((deviations**2).sum())))


NINE = 0.9
"""Beyond this level too few rehearsed answers are left to go by them alone."""


def _holding(off: Numbers, level: float) -> float:
    """Returns what this share of numbers in order, and of one more, stays below."""
    rank = min(int(np.ceil((len(off) + 1) * level)), len(off))
    return float(off[rank - 1]) if rank else 0.0


def _walked(land: MeasuredLand, held: PosteriorLand, digits: Digits) -> list[Numbers]:
    """Returns in order how many deviations the answers of all walks are off, about discs and
    about corridors.
    """
    from scipy.special import ndtri

    here, shape = land.cropped(np.maximum(held.usual.mean, 0.0))
    met, even = here.family(), here.regions.evened(shape)
    found = []
    for walk in range(1, WALKS + 1):
        truth = shape if walk % EVEN_IN else even
        again = here.believed(here.regions.sums(truth) + digits.noise(here.regions), held.uneven)
        told, variance = again.totals(met)
        lying = np.sqrt(held.cut(met, truth, 0.0)) * ndtri(digits.uniform(met.zones))
        off = np.abs(told - met.summed(met.share * truth[met.region]) - lying)
        found.append(off / np.sqrt(np.maximum(variance, 1e-300)))
    seen = np.bincount(met.zone, minlength=met.zones) > 0
    return [np.sort(np.array(found)[:, kind::2][:, seen[kind::2]].ravel()) for kind in (0, 1)]


def _single(values: Numbers) -> Numbers:
    """Rounds to single precision, in which pages carry these: they then answer the same."""
    return values.astype(np.float32).astype(np.float64)
