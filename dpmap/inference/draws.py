"""Draws whole maps from the posterior of a release, given all its noisy answers.

Each smallest region is drawn from a law with its mean and variance that is never negative: a share
of nothing, else a gamma law. What the answers about larger regions say is then brought in: a
region's drawn total moves towards its answer with new noise (Matheron's rule), by as much as such
totals differ from draw to draw; how far they then lie about is what an answer for such a zone
states; and the parts below are made to add up, nearly empty land by how much of it holds anything,
other land by how unsure each part is. Within a region that was measured as a whole a cascade of
halves, as uneven as neighbours are on this map, says where its points lie. So the sums of cells,
zones and the whole agree in each draw, and no cell is below 0.

What is believed is learned from the map, and may itself be wrong. So some of the maps are drawn
about land that is as even, and some about land that is as bare, as the noise allows; and how far
single regions lie from what is believed differs from map to map.

The coins are digits of a hash of the noisy answers and of the map's number: the same for everybody,
and the seventh map is the same whether ten are drawn or a hundred.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.patches.calibration import Digits, seed

if TYPE_CHECKING:
    from dpmap.inference.patches.region_tree import Regions
    from dpmap.inference.patches.zone_intervals import ReleaseBelief

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

LEVEL = 0.9
"""The level of the answers for zones that the maps are as wide as."""
EVEN = 0.25
BARE = 0.15
"""The shares of the maps that are drawn about even land, and about bare land."""
BARE_STEPS = (0.0, 3.0, 5.0, 7.0)
"""Bare land holds nothing where it may hold nothing, and where no more is believed than so many
noise scales.
"""
BARE_UNEVEN = 4.0
"""Within regions bare land is so many times as uneven as is usual."""
CLEARLY = 3.0
MISSED = 3.0
"""Noise explains the answers if their squares lie so many deviations above what is usual, and a
large region's answer so many off.
"""
CONTRAST = 1.0
COMMON = 0.7
"""How much from map to map the logarithm differs of the variance of single regions, and of how
common points are on thin land.
"""
EVEN_SHARE = 0.3
"""Even land still differs by this share from region to region, beyond the chance of single
points.
"""
LEANING = {4: 0.15, 16: 0.05}
"""Errors of neighbours lean the same way: so much of each, at most, is shared by squares of so
many cells along a side.
"""
LEANS = (0.1, 1.0)
"""The shares of that which are rehearsed, to see which one makes sums over zones as wide as
answers state.
"""
LAYERS = 3
"""Squares of each size are laid so many times, shifted."""
REHEARSED = 32
LARGE = 20_000
"""So many maps are drawn to see how widely sums differ; of maps of more regions half of that,
which have zones enough.
"""
FACTORS = (0.7, 4.0)
"""Larger regions' totals are made so many times as wide, at least and at most."""
ROUNDS = 4
FILLS = 3
"""Rounds of moving parts until they add up; what then is missing is a trifle, which is shared by
size.
"""
NEGLIGIBLE = 1e-3
"""What is missing is a trifle below this share of the total, or of a point."""
DECAY = 0.7
"""Quarters of a region are so many times as uneven as its halves."""
QUANTILES = 256
SHARES = 32
"""The resolution of a beta law's quantiles, and of the shares of ground of two halves."""
UNEVEN = np.array(
    [0, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.26, 0.33, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97]
)
"""The unevennesses that beta laws are made for: 0 shares by ground, 1 gives all to one half."""
TINY = 1e-12


def draw_maps(
    parts: "Sequence[ReleaseBelief]", area: Numbers, count: int, wide: float, whole: Sequence[bool]
) -> Iterator[Numbers]:
    """Yields so many maps: the total of each cell, NaN where nothing was measured.

    `parts` are what is believed of each release whose totals add up, `area` is each cell's, `wide`
    says how many deviations about an answer for a zone reaches at `LEVEL`, and `whole` of which
    releases points were counted as whole ones.
    """
    coins = seed(part.land.regions.noisy.tobytes() for part in parts)
    samplers = [
        MapSampler(part, area, coins + number.to_bytes(4, "big"), wide, whole=counted)
        for number, (part, counted) in enumerate(zip(parts, whole, strict=True))
    ]
    outside = np.all([part.smallest < 0 for part in parts], axis=0)
    for number in range(count):
        total = np.zeros(len(area))
        for sampler in samplers:
            total += sampler.draw(number)
        total[outside] = np.nan
        yield total


class MapSampler:
    """Draws the totals of the cells of one release."""

    def __init__(
        self, part: "ReleaseBelief", area: Numbers, coins: bytes, wide: float, *, whole: bool
    ) -> None:
        measured = np.flatnonzero(part.land.regions.of_cell >= 0)
        row, column = np.divmod(part.land.at[measured].astype(np.int64), part.land.shape[1])
        code = interleave(row, column)
        self._regions = RegionSampler(part, coins, wide)
        self._coins = coins
        self._cells = len(area)
        self._inside = np.flatnonzero(part.smallest >= 0)
        self._along = self._inside[np.argsort(code, kind="stable")]
        self._cascade = Cascade.halve(part.smallest[self._inside], code, area[self._inside])
        self._uneven = part.posterior.uneven
        self._whole = whole

    def draw(self, number: int) -> Numbers:
        """Returns the map of this number: the total of each cell of the whole grid, 0 outside
        this release.
        """
        digits = Digits(self._coins + b"map" + number.to_bytes(4, "big"))
        scene = Scene.draw(digits)
        totals = self._regions.draw(scene, digits)
        cells = np.zeros(self._cells)
        cells[self._inside] = self._cascade.spread(totals, scene.unevenness * self._uneven, digits)
        if self._whole:
            cells[self._along] = round_along(cells[self._along], float(digits.uniform(1)[0]))
        return cells


@dataclass(frozen=True, slots=True)
class Scene:
    """What all the land of one map has in common: its rank among maps from even to bare, and how
    common points are on thin land.
    """

    rank: float
    common: float

    @classmethod
    def draw(cls, digits: Digits) -> "Scene":
        """Draws the scene of one map."""
        rank = float(digits.uniform(1)[0])
        return cls(rank, float(np.exp(COMMON * digits.normal(1)[0] - COMMON**2 / 2)))

    @property
    def even(self) -> bool:
        """Whether the map is drawn about even land."""
        return self.rank < EVEN

    @property
    def bare(self) -> bool:
        """Whether the map is drawn about bare land."""
        return self.rank > 1 - BARE

    @property
    def contrast(self) -> float:
        """The factor of the variance of single regions."""
        return float(np.exp(CONTRAST * NormalDist().inv_cdf(self.rank)))

    @property
    def unevenness(self) -> float:
        """The factor of how uneven land is within regions: even land is so by chance alone, bare
        land holds its points in few places.
        """
        if self.even:
            return 0.0
        return BARE_UNEVEN if self.bare else 2 * self.rank


class RegionSampler:
    """Draws the totals of the smallest regions of one release."""

    def __init__(self, part: "ReleaseBelief", coins: bytes, wide: float) -> None:
        self._part = part
        self._tree = part.land.regions
        self._wide = wide
        belief = part.posterior.belief
        self._law = RegionLaw.fit(part.posterior.mean, belief.alone)
        self._block, self._block_node = self._find_blocks()
        self._even = self._find_even()
        self._bare = self._find_bare()
        self._squares = self._lay_squares()
        self._stated = self._state_deviations()
        self._lean = self._find_lean(coins)
        self._pull = Pull.learn(self, coins)

    def draw(self, scene: Scene, digits: Digits) -> Numbers:
        """Returns the totals in one map."""
        center = self._law.mean
        common = np.full(len(self._law.mean), scene.common)
        variance = self._law.variance * scene.contrast
        if scene.even:
            center = self._even
            by_chance = np.minimum(variance, center + (EVEN_SHARE * center) ** 2)
            variance = np.where(center == self._law.mean, variance, by_chance)
        elif scene.bare:
            center = self._bare
        law = RegionLaw.fit(center, variance)
        chance = self.draw_chances(digits)
        proposed = law.quantile(chance, common)
        if not self._tree.depth.any():
            return proposed
        settled = self._settle(proposed, law.mean, digits, usual=center is self._law.mean)
        return self._fill(law, chance, settled)

    def draw_chances(self, digits: Digits) -> Numbers:
        """Returns the chance at which each region's law is read; those of neighbours lean the
        same way.
        """
        from scipy.special import ndtr

        leaning = [self._lean * share for share in LEANING.values()]
        normal = np.sqrt(1 - sum(leaning)) * digits.normal(len(self._law.mean))
        for share, layers in zip(leaning, self._squares, strict=True):
            for square in layers:
                normal += np.sqrt(share / LAYERS) * digits.normal(int(square.max()) + 1)[square]
        return np.asarray(ndtr(normal))

    def _settle(
        self, proposed: Numbers, center: Numbers, digits: Digits, *, usual: bool
    ) -> Numbers:
        """Returns the totals moved towards the answers about larger regions. Even and bare land was
        chosen by these answers already: there only the outermost regions' answers count.
        """
        tree = self._tree
        pull = self._pull
        sums = tree.sums(center)
        noise = digits.noise(tree)
        totals = np.zeros(len(tree.noisy))
        totals[tree.smallest] = proposed
        for level, at, gain, factor in pull.levels:
            if usual or not level:
                deviation = totals[at] - sums[at]
                moved = sums[at] + factor * (deviation + gain * (noise[at] - deviation))
                totals[at] = np.maximum(moved, 0.0)
            if level:
                same = np.flatnonzero(tree.depth == level)
                totals += np.bincount(tree.parent[same], totals[same], len(totals))
        for level in range(1, int(tree.depth.max()) + 1):
            at = np.flatnonzero(tree.depth == level)
            unsure = np.where(sums[at] > 0, pull.unsure[at], TINY)
            totals[at] = make_sum(totals[at], unsure, tree.parent[at], totals)
        return totals[tree.smallest]

    def _fill(self, law: "RegionLaw", chance: Numbers, settled: Numbers) -> Numbers:
        """Draws thin land again, so that as much of it holds something as makes up what was
        settled for all of it within a region.
        """
        outer = self._tree.parent[self._tree.smallest]
        groups = len(self._tree.noisy) + 1
        group = np.where(outer >= 0, outer, groups - 1)
        thin = np.where(law.thin, settled, 0.0)
        wanted = np.bincount(group, thin, groups).astype(np.float64)
        usual = np.bincount(group, np.where(law.thin, law.mean, 0.0), groups)
        common = wanted / np.maximum(usual, TINY)
        drawn = settled
        for attempt in range(FILLS + 1):
            drawn = np.where(law.thin, law.quantile(chance, common[group]), settled)
            if attempt < FILLS:
                held = np.bincount(group, np.where(law.thin, drawn, 0.0), groups)
                common = common * np.clip(wanted / np.maximum(held, TINY), 0.25, 4.0)
        totals = np.bincount(group, settled, groups).astype(np.float64)
        filled = make_sum(drawn, law.variance, group, totals)
        return np.asarray(np.where(outer >= 0, filled, settled))

    def _find_blocks(self) -> tuple[Index, Index]:
        """Returns for each smallest region the block that it lies in, and of each block its region:
        those of the first level that lie in another one, or those that do not.
        """
        tree = self._tree
        node = tree.smallest.copy()
        while (deep := tree.depth[node] > 1).any():
            node = np.where(deep, tree.parent[node], node)
        regions, block = np.unique(node, return_inverse=True)
        return block.astype(np.int64), regions

    def _find_even(self) -> Numbers:
        """Returns the most even totals whose distance from the answers noise explains: even all
        over, or within blocks.
        """
        mean = self._law.mean
        cells = self._tree.cells[self._tree.smallest].astype(np.float64)
        even = mean.sum() * cells / cells.sum()
        if self._like_noise(even, whole=True).all():
            return np.asarray(even)
        density = np.bincount(self._block, mean) / np.bincount(self._block, cells)
        even = cells * density[self._block]
        return np.where(self._like_noise(even), even, mean)

    def _find_bare(self) -> Numbers:
        """Returns the barest totals whose distance from the answers noise explains."""
        tree = self._tree
        mean = self._law.mean
        blocks = self._block_node
        scale = np.sqrt(tree.variance[tree.smallest] / 2)
        barest = mean
        for most in BARE_STEPS:
            bare = np.where(self._law.thin | (mean < most * scale), 0.0, mean)
            bare = np.where(self._like_noise(bare), bare, barest)
            missed = (tree.noisy - tree.sums(bare))[blocks].sum()
            if missed**2 < MISSED**2 * tree.variance[blocks].sum():
                barest = bare
        return barest

    def _like_noise(self, totals: Numbers, *, whole: bool = False) -> Mask:
        """Returns for each smallest region whether noise explains how far the answers in its block,
        or on the whole map, are from these totals.

        A Laplace noise's square, in variances, is 1 on average and has itself the variance 5; a
        normal one's has 2.
        """
        tree = self._tree
        off = (tree.noisy - tree.sums(totals)) ** 2 / tree.variance
        shape = 5.0 if tree.laplace else 2.0
        if whole:
            like = off.sum() < len(off) + CLEARLY * np.sqrt(shape * len(off))
            return np.full(len(totals), bool(like))
        block = np.full(len(off), -1)
        node = tree.smallest
        node_block = self._block
        while len(node):
            block[node] = node_block
            inner = tree.depth[node] > 1
            node = tree.parent[node[inner]]
            node_block = node_block[inner]
        known = block >= 0
        region_counts = np.bincount(block[known])
        squares = np.bincount(block[known], off[known])
        like = squares < region_counts + CLEARLY * np.sqrt(shape * region_counts)
        return np.asarray((like & (off[self._block_node] < MISSED**2))[self._block])

    def _lay_squares(self) -> list[list[Index]]:
        """Returns, for each size and layer of squares, the one that the middle of each smallest
        region lies in.
        """
        land = self._part.land
        known = self._tree.of_cell >= 0
        region = self._tree.of_cell[known]
        size = np.bincount(region)
        row, column = np.divmod(land.at[known], land.shape[1])
        down = np.bincount(region, row) / size
        right = np.bincount(region, column) / size
        squares = []
        for side in LEANING:
            layers = []
            for layer in range(LAYERS):
                shifted_down = (down / side + layer / LAYERS).astype(np.int64)
                shifted_right = (right / side + 2 * layer % LAYERS / LAYERS).astype(np.int64)
                layers.append(
                    np.unique(interleave(shifted_down, shifted_right), return_inverse=True)[1]
                )
            squares.append(layers)
        return squares

    def _state_deviations(self) -> Numbers:
        """Returns the deviation of each region's total, as an answer for it as a zone states it."""
        from dpmap.inference.patches.zone_intervals import ZoneOverlap

        tree = self._tree
        zones = []
        regions = []
        node = tree.smallest
        region = np.arange(len(tree.smallest))
        while len(node):
            zones.append(node)
            regions.append(region)
            inner = tree.parent[node] >= 0
            node = tree.parent[node[inner]]
            region = region[inner]
        zone = np.concatenate(zones)
        overlap = ZoneOverlap(len(tree.noisy), zone, np.concatenate(regions), np.ones(len(zone)))
        _, variance = self._part.posterior.totals(overlap)
        return np.asarray(self._wide / NormalDist().inv_cdf((1 + LEVEL) / 2) * np.sqrt(variance))

    def _find_lean(self, coins: bytes) -> float:
        """Returns how much neighbours' errors lean for discs and corridors to be as wide as
        answers for them state.
        """
        posterior = self._part.posterior
        overlap = self._part.land.sample_zones()
        total, variance = posterior.totals(overlap)
        variance = variance - posterior.cut_variance(
            overlap, self._law.mean, posterior.belief.alone
        )
        about = self._wide * np.sqrt(np.maximum(variance, 0.0))
        stated = about + np.minimum(np.maximum(total, 0.0), about)
        repeats = REHEARSED if len(self._law.mean) <= LARGE else REHEARSED // 2
        ratios = []
        for lean in LEANS:
            self._lean = lean
            self._pull = Pull.learn(self, coins)
            sums = []
            for number in range(repeats):
                digits = Digits(coins + b"lean" + number.to_bytes(4, "big"))
                regions = self.draw(Scene.draw(digits), digits)
                sums.append(overlap.sum_by_zone(overlap.share * regions[overlap.region]))
            low, high = np.quantile(
                np.array(sums), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0, method="median_unbiased"
            )
            known = stated > 0
            ratios.append(
                float(np.median((high - low)[known] / stated[known])) if known.any() else 1.0
            )
        least, most = (ratio**2 for ratio in ratios)
        if most <= least:
            return LEANS[1]
        return float(
            np.clip(LEANS[0] + (1 - least) / (most - least) * (LEANS[1] - LEANS[0]), 0.0, LEANS[1])
        )

    @property
    def parts(self) -> "tuple[Regions, RegionLaw, Numbers]":
        """The tree of regions, the law of the smallest, and the deviation that each region's
        answer states.
        """
        return self._tree, self._law, self._stated


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """Holds, level by level from the innermost, which regions hold others, how far each one's total
    moves towards its answer, and how many times as wide it then lies about; and how unsure each
    region is.
    """

    levels: list[tuple[int, Index, Numbers, Numbers]]
    unsure: Numbers

    @classmethod
    def learn(cls, sampler: RegionSampler, coins: bytes) -> "Pull":
        """Learns from maps that are drawn region by region how widely larger regions' totals
        differ.
        """
        tree, law, stated = sampler.parts
        digits = Digits(coins + b"pull")
        totals = np.zeros((REHEARSED, len(tree.noisy)))
        for row in totals:
            common = np.full(len(law.mean), Scene.draw(digits).common)
            row[tree.smallest] = law.quantile(sampler.draw_chances(digits), common) - law.mean
        noise = np.array([digits.noise(tree) for _ in range(REHEARSED)])
        inner = np.ones(len(tree.noisy), dtype=bool)
        inner[tree.smallest] = False
        unsure = np.zeros(len(tree.noisy))
        unsure[tree.smallest] = law.variance
        levels = []
        for level in range(int(tree.depth.max(initial=0)), -1, -1):
            at = np.flatnonzero((tree.depth == level) & inner)
            prior_variance = (totals[:, at] ** 2).mean(axis=0)
            gain = prior_variance / (prior_variance + tree.variance[at])
            conditional_variance = prior_variance * (1 - gain)
            factor = np.clip(stated[at] / np.sqrt(np.maximum(conditional_variance, TINY)), *FACTORS)
            totals[:, at] = factor * (totals[:, at] + gain * (noise[:, at] - totals[:, at]))
            unsure[at] = conditional_variance * factor**2
            levels.append((level, at, gain, factor))
            if level:
                same = np.flatnonzero(tree.depth == level)
                for number, row in enumerate(totals):
                    totals[number] += np.bincount(tree.parent[same], row[same], len(row))
        return cls(levels, unsure)


@dataclass(frozen=True, slots=True, eq=False)
class RegionLaw:
    """For each region a law that is never negative: 0 with the chance `1 - some`, else a gamma law
    of this shape.

    Where the variance is larger than the mean's square the gamma law is an exponential one.
    """

    mean: Numbers
    variance: Numbers
    some: Numbers
    shape: Numbers

    @classmethod
    def fit(cls, mean: Numbers, variance: Numbers) -> "RegionLaw":
        """Returns the laws of these means, at least 0, and variances."""
        mean = np.maximum(mean, 0.0)
        variance = np.maximum(variance, TINY)
        some = np.minimum(2 * mean**2 / (variance + mean**2), 1.0)
        return cls(mean, variance, some, np.maximum(mean**2 / variance, 1.0))

    @property
    def thin(self) -> Mask:
        """Which of them may hold nothing."""
        return self.some < 1

    def quantile(self, chance: Numbers, common: Numbers) -> Numbers:
        """Returns each region's quantile at this chance; thin land is occupied `common` times as
        often.
        """
        from scipy.special import ndtri

        occupied = np.where(self.thin, np.minimum(self.some * common, 1.0), 1.0)
        above = chance - (1 - occupied)
        totals = np.zeros(len(chance))
        at = np.flatnonzero(above > 0)
        normal = ndtri(np.clip(above[at] / occupied[at], 1e-9, 1 - 1e-9))
        shape = self.shape[at]
        root = 1 - 1 / (9 * shape) + normal / (3 * np.sqrt(shape))  # Wilson and Hilferty 1931
        totals[at] = self.mean[at] / self.some[at] * np.maximum(root, 0.0) ** 3
        return totals


def make_sum(parts: Numbers, unsure: Numbers, group: Index, totals: Numbers) -> Numbers:
    """Moves parts by how unsure each is until those of a group add up to its total; nothing falls
    below 0, or stays nothing while others of the group hold something.

    >>> make_sum(np.array([0.0, 1.0, 3.0]), np.ones(3), np.zeros(3, dtype=int), np.array([6.0]))
    array([0., 2., 4.])
    """
    groups = len(totals)
    every = np.bincount(group, unsure, groups)
    for _ in range(ROUNDS):
        missing = totals - np.bincount(group, parts, groups)
        if (np.abs(missing) <= NEGLIGIBLE * (1 + totals))[group].all():
            break
        weight = np.where(parts > 0, unsure, 0.0)
        weights = np.bincount(group, weight, groups)
        empty = weights <= 0
        weight = np.where(empty[group], unsure, weight)
        step = missing / np.maximum(np.where(empty, every, weights), TINY)
        parts = np.maximum(parts + step[group] * weight, 0.0)
    held = np.bincount(group, parts, groups)
    return np.asarray(parts * (totals / np.maximum(held, TINY))[group])


def round_along(values: Numbers, start: float) -> Numbers:
    """Returns whole numbers whose sums along any stretch are off by less than 1; `start` lies
    between 0 and 1.

    >>> round_along(np.array([0.4, 0.4, 0.4, 2.3]), 0.5)
    array([0., 1., 0., 3.])
    """
    return np.diff(np.floor(np.cumsum(values) + start), prepend=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Cascade:
    """Holds how regions are halved down to cells: `regions` in order, all `halvings` of them at
    once, and the place of each cell.

    Of each halving: the part of the one before that each part lies in, the first of each two
    halves, and its share of their ground.
    """

    regions: Index
    order: Index
    halvings: list[tuple[Index, Index, Numbers]]

    @classmethod
    def halve(cls, region: Index, code: Index, area: Numbers) -> "Cascade":
        """Halves regions along the digits of `code`, of which cells that lie together share the
        first.
        """
        order = np.lexsort((code, region))
        region = region[order]
        code = code[order]
        area = area[order]
        regions, part = np.unique(region, return_inverse=True)
        halvings = []
        for bit in range(int(code.max(initial=0)).bit_length() - 1, -1, -1):
            prefix = code >> bit
            new = (region[1:] != region[:-1]) | (prefix[1:] != prefix[:-1])
            starts = np.flatnonzero(np.append(True, new))
            parent = part[starts]
            first = np.flatnonzero(np.append(parent[1:] == parent[:-1], False))
            if not len(first):
                continue
            ground = np.add.reduceat(area, starts)
            halvings.append((parent, first, ground[first] / (ground[first] + ground[first + 1])))
            part = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(region))))
        return cls(regions, order, halvings)

    def spread(self, totals: Numbers, uneven: float, digits: Digits) -> Numbers:
        """Returns the total of each cell, given those of the regions and how unevenly halves
        share theirs.
        """
        values = totals[self.regions]
        for parent, first, ground in self.halvings:
            parts = values[parent]
            share = draw_share(ground, parts[first], uneven, digits.uniform(len(first)))
            parts[first] *= share
            parts[first + 1] *= 1 - share
            values = parts
            uneven *= DECAY
        cells = np.empty(len(values))
        cells[self.order] = values
        return cells


def draw_share(ground: Numbers, total: Numbers, uneven: float, chance: Numbers) -> Numbers:
    """Returns the share of a total that one of two halves has, given its share of the ground, at
    this chance.

    It differs by the chance of single points, and by how uneven land is.
    """
    unsure = uneven + 1 / (total + 1.0)
    row = np.clip(np.rint(ground * SHARES).astype(np.int64), 1, SHARES - 1) - 1
    column = np.searchsorted((UNEVEN[1:] + UNEVEN[:-1]) / 2, unsure)
    return np.asarray(_beta_quantiles()[row, column, (chance * QUANTILES).astype(np.int64)])


@cache
def _beta_quantiles() -> Numbers:
    """Returns quantiles of beta laws, of each mean and unevenness."""
    from scipy.special import betaincinv

    mean = np.arange(1, SHARES)[:, None, None] / SHARES
    precision = 1 / np.maximum(UNEVEN, 1e-3)[:, None] - 1
    quantiles = betaincinv(
        mean * precision, (1 - mean) * precision, (np.arange(QUANTILES) + 0.5) / QUANTILES
    )
    quantiles[:, 0] = mean[:, 0]
    return np.asarray(quantiles)


def interleave(row: Index, column: Index) -> Index:
    """Returns numbers whose digits are those of row and column in turn: places with the same first
    digits lie together.

    >>> interleave(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0]))
    array([0, 1, 2, 3, 8])
    """
    interleaved = np.zeros(len(row), dtype=np.int64)
    for bit in range(31):
        interleaved |= ((column >> bit) & 1) << (2 * bit)
        interleaved |= ((row >> bit) & 1) << (2 * bit + 1)
    return interleaved
