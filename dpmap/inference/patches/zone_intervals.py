"""The posterior of any land of a map: one law, from which cells, places, zones, hot spots and lists
are read.

Land takes its share of every smallest region that it meets, by ground. Three things make its total
unsure: the totals of the regions (whose errors are correlated among neighbours), where in a region
that is cut its points lie, and the assumptions of all this. The first two are computed; the third
is calibrated by a bootstrap: on land as it is estimated, measured with new noise of the true law in
the very regions that were measured, zones of many sizes are answered and places are chosen for
standing out, and the width that holds for all of these at a level is used for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid.partition import STRIP, strips
from dpmap.inference.patches.calibration import EVEN_IN, Digits, collect_errors, like_noise, seed
from dpmap.inference.patches.pieces import Ground
from dpmap.inference.patches.place_selection import PlaceSelection, TouchingPieces
from dpmap.inference.patches.posterior import estimate_totals
from dpmap.inference.patches.region_growing import distinct_pairs, sum_by_place
from dpmap.inference.patches.region_tree import Belief, Regions
from dpmap.read_only_arrays import read_only, read_only_fields, read_only_property
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Labels = NDArray[np.signedinteger[Any]]

TWICE = 2.0
"""The factor of the beliefs' variance."""
TOGETHER = 0.02
"""The part of neighbours' errors that all of a zone share."""
MOST = 4.0
"""The variance of shared errors is at most so many times the variance itself."""
UPWARDS = 1.15
"""Intervals reach so much further up than down: a town hidden by noise is further off than noise
that looks like one, and the laws are skewed.
"""
CAUTIOUS = 0.25
"""The weight of the noise variance, without priors, in the variance that places grow by: chance
peaks then are seldom places of their own, nor is every empty cell.
"""
PAIRED = 0.4
"""The prior of how unevenly two neighbours share their sum, as a part of the most uneven."""
CLEAR = 40.0
"""The number of clear pairs that this prior counts as."""
LEANING = 0.2
"""The bias that the laws of all regions may have in common, in deviations: on maps of towns they
overestimate empty land.
"""
WITHIN = 0.75
"""How unevenly the two parts of a region share its points, as a part of how unevenly neighbours
do.
"""
ZONES = 300
"""The number of rehearsed zones."""
LEAST = 3.0
"""The size of the smallest rehearsed zone, in cells."""
SPAN = 100.0
"""The largest zone over the smallest; sizes are uniform on a logarithmic scale."""
WALKS = 4
"""The number of rehearsals with zones."""
LARGE = 1 << 15
"""Maps of more cells than this are rehearsed on a square of `SIDE` cells along a side alone, the
one with the largest total.
"""
SIDE = 128


@dataclass(frozen=True, slots=True, eq=False)
class ZoneOverlap:
    """The smallest regions that some zones meet, and the share of each that is the zone's."""

    zones: int
    zone: Index
    region: Index
    share: Numbers

    @classmethod
    def collect(
        cls, zones: int, zone: Labels, region: Labels, ground: Numbers, area: Numbers
    ) -> Self:
        """Collects the ground that zones and regions share; ground in no region is left out. `area`
        is that of each region.
        """
        known = (region >= 0) & (ground > 0)
        pair, pair_index = np.unique(
            zone[known].astype(np.int64) * len(area) + region[known], return_inverse=True
        )
        pair_zone, pair_region = np.divmod(pair, len(area))
        share = np.minimum(
            np.bincount(pair_index, ground[known], len(pair)) / area[pair_region], 1.0
        )
        return cls(zones, pair_zone, pair_region, share)

    def sum_by_zone(self, parts: Numbers) -> Numbers:
        """Returns the sum of the pairs' numbers for each zone."""
        return sum_by_place(self.zone, parts, self.zones)


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLand:
    """Measured regions, and where on a raster of this shape each cell lies."""

    regions: Regions
    shape: tuple[int, ...]
    at: Labels

    def estimate(self, noisy: Numbers, uneven: float | None = None) -> "PosteriorLand":
        """Estimates the smallest regions from these answers, and how unevenly points lie within
        them, unless `uneven` is given.
        """
        region_mean, variance, one_mean = estimate_totals(self.regions, noisy, self.shape, self.at)
        belief = self.regions.combine(noisy, region_mean, variance)
        rounded = replace(
            belief, spread=_round_to_single(belief.spread), wide=_round_to_single(belief.wide)
        )
        shift, shared_part, share = self._shared_errors(noisy, belief)
        mean = np.maximum(belief.mean + (one_mean + (1 - one_mean) * share) * shift, 0.0)
        unevenness = self._estimate_unevenness(noisy, belief) if uneven is None else uneven
        return PosteriorLand(
            _round_to_single(mean), rounded, unevenness, one_mean, one_mean * shared_part
        )

    def _shared_errors(self, noisy: Numbers, belief: Belief) -> tuple[Numbers, float, float]:
        """Returns the shift of each region's mean where all share one mean, the part of their
        errors that all then share, and the part of the shift where they do not.

        One mean is learned from these very answers, so the total of all land is only as sure as
        that of the answers: it is theirs, with their variance. The difference is shared out by the
        regions' deviations, and so is its error. Where regions have laws of their own these may
        still be biased alike, by about `LEANING` of the deviations: the total of all land is then
        the mean of theirs and of the answers', each weighted by the other's variance.
        """
        smallest = self.regions.smallest
        one_place = np.zeros(len(belief.mean), dtype=np.int64)
        from_answers = self.regions.combine(noisy, noisy[smallest], self.regions.variance[smallest])
        deviation = np.sqrt(belief.alone)
        total_deviation = max(float(deviation.sum()), 1e-300)
        variance_from_answers = float(from_answers.variances(one_place, 1)[0])
        missing = variance_from_answers - float(TWICE * belief.variances(one_place, 1)[0])
        shift = deviation * float(from_answers.mean.sum() - belief.mean.sum()) / total_deviation
        weight = (LEANING * total_deviation) ** 2
        return (
            shift,
            max(missing, 0.0) / total_deviation**2,
            weight / max(weight + variance_from_answers, 1e-300),
        )

    def _estimate_unevenness(self, noisy: Numbers, belief: Belief) -> float:
        """Returns the variance between the halves of a cut region, beyond chance, as a part of the
        square of its total.

        Learned from neighbours of one size: the squared difference of their answers, less that of
        noise and chance, over the square of their sum. The halves of a region differ less than two
        neighbours: `WITHIN`.
        """
        first, second = self._neighbour_pairs()
        noise = self.regions.variance[self.regions.smallest]
        noisy_totals = noisy[self.regions.smallest]
        noise_of_pair = noise[first] + noise[second]
        total = np.maximum(belief.mean[first] + belief.mean[second], 0.0)
        square = total**2 + belief.alone[first] + belief.alone[second]
        weight = square / (noise_of_pair + total + PAIRED / 2 * square) ** 2
        excess = (noisy_totals[first] - noisy_totals[second]) ** 2 - noise_of_pair - total
        prior = CLEAR / (PAIRED / 2) ** 2
        unevenness = float((weight * excess).sum() + PAIRED * prior) / float(
            (weight * square).sum() + prior
        )
        return min(max(unevenness, 0.0), 1.0) * WITHIN

    def _neighbour_pairs(self) -> tuple[Index, Index]:
        """Returns pairs of smallest regions of one size that have cells side by side."""
        region_raster = np.full(self.shape, -1, dtype=np.int32)
        region_raster.ravel()[self.at] = self.regions.of_cell
        size = np.append(self.regions.cells[self.regions.smallest], 0)
        pairs = []
        rows = max(1, STRIP // self.shape[1])
        for start in range(0, self.shape[0], rows):
            strip = region_raster[start : start + rows + 1]
            beside = strip[:rows]
            for first, second in ((beside[:, :-1], beside[:, 1:]), (strip[:-1], strip[1:])):
                meet = np.flatnonzero((first != second) & (first >= 0) & (second >= 0))
                lower = first.ravel()[meet]
                upper = second.ravel()[meet]
                same_size = size[lower] == size[upper]
                pairs.append(distinct_pairs(lower[same_size], upper[same_size], len(size)))
        lower, upper = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        return distinct_pairs(lower, upper, len(size))

    def crop(self, totals: Numbers) -> tuple["MeasuredLand", Numbers]:
        """Returns the square of a large map with the largest total, and the totals of its smallest
        regions; a small map as it is.
        """
        if len(self.at) <= LARGE:
            return self, totals
        row, column = np.divmod(self.at, self.shape[1])
        tile = row // SIDE * (self.shape[1] // SIDE + 1) + column // SIDE
        known = self.regions.of_cell >= 0
        cell_density = np.where(
            known,
            np.append(totals / self.regions.cells[self.regions.smallest], 0)[self.regions.of_cell],
            0,
        )
        in_tile = np.flatnonzero(tile == int(np.bincount(tile, cell_density).argmax()))
        inner = self.regions.restrict(in_tile)
        at = row[in_tile] % SIDE * SIDE + column[in_tile] % SIDE
        measured = inner.of_cell >= 0
        return MeasuredLand(inner, (SIDE, SIDE), at), sum_by_place(
            inner.of_cell[measured], cell_density[in_tile][measured], len(inner.smallest)
        )

    def sample_zones(self) -> ZoneOverlap:
        """Returns discs and corridors of many sizes on the map, which depend on its shape alone."""
        cell_raster = np.full(self.shape, -1, dtype=np.int64)
        cell_raster.flat[self.at] = np.arange(len(self.at))
        chances = Digits(b"zones").uniform(5 * ZONES).reshape(ZONES, 5)
        sampled = [
            self._sample_zone(number, cell_raster, *row)
            for number, row in enumerate(chances.tolist())
        ]
        cell, share, zone = (np.concatenate(parts) for parts in zip(*sampled, strict=True))
        region = self.regions.of_cell[cell]
        return ZoneOverlap.collect(
            ZONES, zone, region, share, self.regions.cells[self.regions.smallest].astype(np.float64)
        )

    def _sample_zone(
        self,
        number: int,
        cell_raster: Index,
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
        down = down - middle[0]
        right = right - middle[1]
        if number % 2 == 0:
            share = np.clip(broad / 2 - np.hypot(down, right) + 0.5, 0, 1)
        else:
            along = np.cos(turn * np.pi)
            across = np.sin(turn * np.pi)
            share = np.clip(
                broad / 2 - np.abs(down * across - right * along) + 0.5, 0, min(1.0, broad)
            )
            share = share * np.clip(length / 2 - np.abs(down * along + right * across) + 0.5, 0, 1)
        cell = cell_raster[first[0] : last[0], first[1] : last[1]]
        in_zone = (cell >= 0) & (share > 0)
        return cell[in_zone], share[in_zone], np.full(int(in_zone.sum()), number)


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorLand:
    """The mean of each smallest region, the belief that variances follow from, how unevenly points
    lie within a region, the probability that cells measured alone are alike all over the map, and
    the part of their errors that all regions then share.
    """

    mean: Numbers
    belief: Belief
    uneven: float
    alike: float
    common: float

    def __post_init__(self) -> None:
        read_only_fields(self)

    def totals(self, met: ZoneOverlap) -> tuple[Numbers, Numbers]:
        """Returns the total of each zone and its variance, before calibration."""
        variance = self.belief.share_variances(met.region, met.zone, met.share, met.zones)
        leaning = met.sum_by_zone(met.share * np.sqrt(self.belief.alone)[met.region]) ** 2
        variance = self.widen(variance, leaning)
        unknown = self.cut_variance(met, self.mean, self.belief.alone)
        return met.sum_by_zone(met.share * self.mean[met.region]), variance + unknown

    def totals_of_parts(self, region: Labels, share: Numbers) -> tuple[Numbers, Numbers]:
        """Returns what `totals` does of zones that are each a share of one smallest region."""
        alone = self.belief.alone
        leaning = (share * np.sqrt(alone)[region]) ** 2
        variance = self.widen(self.belief.variances_by_itself(region, share), leaning)
        total = self.mean
        each = total + self.uneven * (total**2 + alone)
        unknown = share * (1 - share) * each[region]
        return share * total[region], variance + unknown

    def widen(self, variance: Numbers, leaning: Numbers) -> Numbers:
        """Returns variances of land with those of the errors that its regions share; `leaning` is
        the square of the sum of their deviations.
        """
        return (
            TWICE * variance
            + np.minimum(TOGETHER * leaning, MOST * variance)
            + self.common * leaning
        )

    def cut_variance(
        self, met: ZoneOverlap, total: Numbers, variance: "Numbers | float"
    ) -> Numbers:
        """Returns the variance from not knowing where in a cut region its points lie: chance, and
        unevenness.
        """
        each = total + self.uneven * (total**2 + variance)
        return met.sum_by_zone(met.share * (1 - met.share) * each[met.region])


@dataclass(frozen=True, eq=False)
class ReleaseBelief:
    """One release's smallest region of each cell of the whole grid, and their posterior."""

    grid: Grid
    smallest: Labels
    land: MeasuredLand
    posterior: PosteriorLand

    def __post_init__(self) -> None:
        read_only_fields(self)

    @read_only_property
    def area(self) -> Numbers:
        """The area of each smallest region."""
        known = self.smallest >= 0
        return sum_by_place(
            self.smallest[known],
            self.grid.square_km.ravel()[known],
            len(self.land.regions.smallest),
        )


class ZoneIntervals:
    """Answers for any land of one map, from the measurements of one release, or of several whose
    totals add up.
    """

    def __init__(
        self, grid: Grid, releases: Sequence[tuple[Grid, tuple[Measurement, ...]]]
    ) -> None:
        self._grid = grid
        self.ground = Ground.lay_out(grid, releases)
        self.parts: list[ReleaseBelief] = []
        for part, smallest in zip(self.ground.parts, self.ground.smallest, strict=True):
            land = MeasuredLand(part.regions, part.shape, part.at)
            self.parts.append(
                ReleaseBelief(grid, smallest.ravel(), land, land.estimate(part.regions.noisy))
            )
        self._seed = seed(
            measurement.steps.tobytes()
            for _, measurements in releases
            for measurement in measurements
        )

    @property
    def _area(self) -> Numbers:
        """The area of each cell; only made where answers are about parts of regions."""
        return self._grid.square_km.ravel()

    def answer(self, cells: Index, shares: Numbers, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of a zone that takes these shares of these
        cells.
        """
        total, deviation = self.estimate_zone(cells, shares)
        low, high = self.bounds(np.array([total]), np.array([deviation]), level)
        return max(total, 0.0), float(low[0]), float(high[0])

    def bounds(self, total: Numbers, deviation: Numbers, level: float) -> tuple[Numbers, Numbers]:
        """Returns low and high of totals with these deviations."""
        about = self.width_factor(level) * deviation
        return np.maximum(total - about, 0.0), np.maximum(total + UPWARDS * about, 0.0)

    def estimate_zone(self, cells: Index, shares: Numbers) -> tuple[float, float]:
        """Returns the estimated total of a zone that takes these shares of these cells, and its
        deviation before calibration.
        """
        total, deviation = self.estimate_places(
            cells, np.zeros(len(cells), dtype=np.int64), 1, shares
        )
        return float(total[0]), float(deviation[0])

    def estimate_places(
        self, cells: Index, place: Index, places: int, shares: Numbers | float = 1.0
    ) -> tuple[Numbers, Numbers]:
        """Returns the estimated total of each place, and its deviation; `place` is that of each of
        these cells, which count by their shares.
        """
        ground = shares * self._area[cells]
        total = np.zeros(places)
        variance = np.zeros(places)
        for part in self.parts:
            part_total, part_variance = part.posterior.totals(
                ZoneOverlap.collect(places, place, part.smallest[cells], ground, part.area)
            )
            total += part_total
            variance += part_variance
        return total, np.sqrt(variance)

    def estimate_cells(self, cells: Index) -> tuple[Numbers, Numbers]:
        """Returns what `estimate_places` does where each of these cells is a place of its own, a
        strip at a time.
        """
        area = self._area
        total = np.zeros(len(cells))
        variance = np.zeros(len(cells))
        for cells_strip, totals_strip, variances_strip in zip(
            *map(strips, (cells, total, variance)), strict=True
        ):
            for part in self.parts:
                region = part.smallest[cells_strip]
                ground = area[cells_strip]
                known = np.flatnonzero((region >= 0) & (ground > 0))
                region = region[known]
                share = np.minimum(ground[known] / part.area[region], 1.0)
                part_total, part_variance = part.posterior.totals_of_parts(region, share)
                totals_strip[known] += part_total
                variances_strip[known] += part_variance
        return total, np.sqrt(variance)

    def width_factor(self, level: float) -> float:
        """Returns the half-width of intervals at this level, in deviations: as calibrated, and no
        less than a normal law needs.
        """
        normal = NormalDist().inv_cdf((1 + level) / 2)
        width = max(
            _sorted_quantile(errors, level) for errors in (*self.zone_errors, *self._place_errors)
        )
        if level > NINE:
            width = max(
                width, self.width_factor(NINE) * normal / NormalDist().inv_cdf((1 + NINE) / 2)
            )
        return max(width, normal / float(np.sqrt(TWICE)))

    @cached_property
    def zone_errors(self) -> list[Numbers]:
        """The sorted errors of rehearsed answers, in deviations: for each release those about discs
        and those about corridors.
        """
        digits = Digits(self._seed)
        return [
            read_only(errors)
            for part in self.parts
            for errors in _rehearse_zones(part.land, part.posterior, digits)
        ]

    @cached_property
    def _place_errors(self) -> list[Numbers]:
        """The sorted errors, in deviations, of the strongest places chosen on rehearsed maps; where
        noise alone explains the map, also of every place that is coloured, nearly empty or not.
        """
        ground = self.ground
        digits = Digits(self._seed + b"places")
        if len(ground.area) > PICKED:
            return []
        touching = TouchingPieces.find(
            ground, self.piece_totals([part.posterior for part in self.parts])
        )
        even = [
            pieces.regions.even_out(part.posterior.mean)
            for pieces, part in zip(ground.parts, self.parts, strict=True)
        ]
        noise_alone = like_noise(ground, even)
        shapes = even if noise_alone else [part.posterior.mean for part in self.parts]

        def walk(wide: float) -> Numbers:
            answers = [
                pieces.regions.sums(totals) + digits.noise(pieces.regions)
                for pieces, totals in zip(ground.parts, shapes, strict=True)
            ]
            posteriors = [
                part.land.estimate(noisy, 0.0)
                for part, noisy in zip(self.parts, answers, strict=True)
            ]
            choice = self.choose_places(
                posteriors, self.piece_totals(posteriors), touching, max(wide, zones)
            )
            errors = (
                self._sum_by_place(shapes, choice.place, len(choice.area)) - choice.total
            ) / np.maximum(choice.deviation, 1e-300)
            low = choice.low / choice.area
            coloured = np.flatnonzero(
                choice.coloured & (noise_alone | (choice.total > choice.least * choice.area))
            )
            return errors[coloured[np.argsort(-low[coloured], kind="stable")]]

        zones = max(_sorted_quantile(errors, NINE) for errors in self.zone_errors)
        all_errors, strongest = collect_errors(walk, NINE, len(ground.area), zones)
        return [all_errors, strongest] if noise_alone else [strongest]

    def choose_places(
        self,
        posteriors: "Sequence[PosteriorLand]",
        total: Numbers,
        touching: TouchingPieces,
        wide: float,
    ) -> PlaceSelection:
        """Grows places by these posteriors until they can be coloured, `wide` deviations about;
        places follow the `total` given of each piece.
        """
        ground = self.ground
        variance = np.zeros(len(ground.area))
        for part, posterior in zip(ground.parts, posteriors, strict=True):
            noise_variance = part.regions.variance[part.regions.smallest]
            cautious = CAUTIOUS * noise_variance + (1 - CAUTIOUS) * posterior.belief.alone
            variance += TWICE * sum_by_place(part.piece, cautious, len(variance))
        unsure = float(
            np.sqrt(self._variances(posteriors, np.zeros(len(variance), dtype=np.int64), 1)[0])
        )
        place, least = touching.grow(total, variance, unsure, wide)
        places = int(place.max(initial=-1)) + 1
        middle = sum_by_place(place, self.piece_totals(posteriors), places)
        deviation = np.sqrt(self._variances(posteriors, place, places))
        low = np.maximum(middle - wide * deviation, 0.0)
        high = middle + UPWARDS * wide * deviation
        return PlaceSelection(
            place, middle, deviation, low, high, sum_by_place(place, ground.area, places), least
        )

    def piece_totals(self, posteriors: "Sequence[PosteriorLand]") -> Numbers:
        """Returns the estimated total of each piece of land."""
        means = [posterior.mean for posterior in posteriors]
        return self._sum_by_place(means, np.arange(len(self.ground.area)), len(self.ground.area))

    def _sum_by_place(self, means: Sequence[Numbers], place: Index, places: int) -> Numbers:
        """Returns the sum of the smallest regions' means for each place of pieces."""
        totals = np.zeros(places)
        for part, mean in zip(self.ground.parts, means, strict=True):
            totals += sum_by_place(place[part.piece], mean, places)
        return totals

    def _variances(
        self, posteriors: "Sequence[PosteriorLand]", place: Index, places: int
    ) -> Numbers:
        """Returns the variance of each place of pieces, as `PosteriorLand.totals` does for
        zones.
        """
        variances = np.zeros(places)
        for part, posterior in zip(self.ground.parts, posteriors, strict=True):
            region_place = place[part.piece]
            variance = posterior.belief.variances(region_place, places)
            leaning = sum_by_place(region_place, np.sqrt(posterior.belief.alone), places) ** 2
            variances += posterior.widen(variance, leaning)
        return variances


PICKED = 400_000
"""On land of more pieces than this no places are drawn, and none are rehearsed."""
PAIRED_UP = 96
"""The quantiles of each map's errors that are paired with those of another map."""
NINE = 0.9
"""Beyond this level there are too few rehearsed answers to use them alone."""


def difference_width(
    first: ZoneIntervals, second: ZoneIntervals, deviations: tuple[float, float], level: float
) -> float:
    """Returns half the width of the interval at this level of the difference of one zone's totals
    in two maps, of these deviations.

    The maps' noises are independent. So each rehearsed error of the one is paired with each of the
    other, added and subtracted, and the width is what this share of all pairs stays within; beyond
    `NINE`, and no less than what a normal law needs, as in `ZoneIntervals.width_factor`.
    """
    first_errors = deviations[0] * _error_quantiles(first)
    second_errors = deviations[1] * _error_quantiles(second)
    combined = np.sort(_pair_errors(first_errors, second_errors).ravel())
    return _widen_to_normal(combined, float(np.hypot(*deviations)), level)


def weighted_sum_width(maps: "Sequence[ZoneIntervals]", deviations: Numbers, level: float) -> float:
    """Returns half the width of the interval at this level of a weighted sum of one zone's totals
    in several maps; `deviations` are each map's, times its weight. The errors of two maps are
    paired as in `difference_width`, those of their sum with the next map's, and so on.
    """
    combined = np.zeros(1)
    for zones, deviation in zip(maps, np.abs(deviations).tolist(), strict=True):
        errors = deviation * _error_quantiles(zones)
        combined = np.quantile(_pair_errors(combined, errors), _SHARES)
    return _widen_to_normal(combined, float(np.sqrt((deviations**2).sum())), level)


_SHARES = (np.arange(PAIRED_UP) + 0.5) / PAIRED_UP


def _error_quantiles(zones: ZoneIntervals) -> Numbers:
    """Returns quantiles of the rehearsed errors of discs or of corridors, whichever are larger."""
    errors = max(zones.zone_errors, key=lambda errors: _sorted_quantile(errors, NINE))
    return np.asarray(np.quantile(errors, _SHARES))


def _pair_errors(first: Numbers, second: Numbers) -> Numbers:
    """Returns the sizes of the sums and differences of each error with each other one."""
    return np.asarray(np.abs(np.concatenate([first[:, None] + second, first[:, None] - second])))


def _widen_to_normal(combined: Numbers, deviation: float, level: float) -> float:
    """Returns the half-width from sorted errors, beyond `NINE` scaled as a normal law, and no less
    than that of a normal law of this deviation.
    """
    normal = NormalDist().inv_cdf((1 + level) / 2)
    width = _sorted_quantile(combined, min(level, NINE)) * max(
        1.0, normal / NormalDist().inv_cdf((1 + NINE) / 2)
    )
    return max(width, normal / float(np.sqrt(TWICE)) * deviation)


def _sorted_quantile(ordered: Numbers, level: float) -> float:
    """Returns the value that this share of sorted numbers, and of one more, stays below."""
    rank = min(int(np.ceil((len(ordered) + 1) * level)), len(ordered))
    return float(ordered[rank - 1]) if rank else 0.0


def _rehearse_zones(land: MeasuredLand, posterior: PosteriorLand, digits: Digits) -> list[Numbers]:
    """Returns the sorted errors, in deviations, of the answers of all walks about discs and about
    corridors.
    """
    from scipy.special import ndtri

    cropped, totals = land.crop(np.maximum(posterior.belief.mean, 0.0))
    overlap = cropped.sample_zones()
    even = cropped.regions.even_out(totals)
    errors = []
    for walk in range(1, WALKS + 1):
        truth = totals if walk % EVEN_IN else even
        rehearsed = cropped.estimate(
            cropped.regions.sums(truth) + digits.noise(cropped.regions), posterior.uneven
        )
        answers, variance = rehearsed.totals(overlap)
        cut_errors = np.sqrt(posterior.cut_variance(overlap, truth, 0.0)) * ndtri(
            digits.uniform(overlap.zones)
        )
        error = np.abs(
            answers - overlap.sum_by_zone(overlap.share * truth[overlap.region]) - cut_errors
        )
        errors.append(error / np.sqrt(np.maximum(variance, 1e-300)))
    met = np.bincount(overlap.zone, minlength=overlap.zones) > 0
    return [np.sort(np.array(errors)[:, kind::2][:, met[kind::2]].ravel()) for kind in (0, 1)]


def _round_to_single(values: Numbers) -> Numbers:
    """Rounds to single precision, which map pages carry: they then give the same answers."""
    return values.astype(np.float32).astype(np.float64)
