"""How stewards publish sensitive points today, each method written anew from its description in a few lines.

Every method turns the rows that a mask keeps into a `PublishedMap`: what a reader believes of each cell, and which cells it hides.
Where a description leaves a choice, the choice is the one that protects or serves better: thresholds count people or sites, not records; what
is published of a block is read as spread evenly in it, and what is hidden as none. `tests/test_benchmarks.py` holds three of them against
examples that their authors published. Descriptions:

counts        true counts on squares of 10 km, as atlases print them
generalised   coordinates rounded to 0.1 degrees: category 2 of Chapman (2020), Current Best Practices for Generalizing Sensitive Species
              Occurrence Data, GBIF
obscured      a place drawn at random in the fixed cell of 0.2 degrees: iNaturalist's help page on geoprivacy
twenty        totals of cells of 400 square kilometres: eBird's page on sensitive species
below 5, 10   squares of fewer than 5 or 10 people (sites) are left blank, as empty ones are
merged        blocks are merged until each holds ten, and the two largest add at most 85 %: Skoien and others (2025), arXiv 2410.17601, MRG; and
              with its `suppresslim` of 0.1, by which a block of less than a tenth of the next is left blank instead
smoothed      Gaussian smoothing, then masks where one dominates or too few are near: de Jonge and de Wolf (2016, 2018), sdcSpatial; a
              bandwidth of one cell, the package's default, and of two, as in its example; masks of people, of records, and none
cell key      bounded noise of mean 0 that depends on who is in a square: Fraser and Wooton (2005); Giessing (2016), ptable; of all rows,
              and of as many of each unit as dpmap's cap
nothing       no map: all land is alike
dpmap         strategy `adaptive` with the vault's own noise, the rows of a unit capped by `scale`
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from public_release import make_release
from scipy.ndimage import convolve1d
from scipy.optimize import fsolve

import dpmap as dm
from dpmap.releases.release import Release

FEWEST, DOMINATED = 10, 0.85
"""MRG's rules: at least so many units in a block, of which the two largest add at most such a share of its rows."""
MOST_RISK = 0.95
"""sdcSpatial's default: the largest record may be such a share of a total."""
SMOOTHING_FACTOR = 5
"""sdcSpatial's default: a cell is cut into so many by so many before it is smoothed."""
MOST_NOISE, NOISE_VARIANCE = 5, 2.0


@dataclass(frozen=True)
class PublishedMap:
    """What a reader believes of each cell, which cells are hidden, and the release behind it if dpmap made it."""

    cells: np.ndarray
    hidden: np.ndarray
    release: Release | None = None


class Counts:
    """Publishes the total of each block of so many cells to a side; of squares, where none is named."""

    def __init__(self, side_in_squares=1):
        self.side_in_squares = side_in_squares

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        block = survey.blocks(survey.per_square * self.side_in_squares)
        return PublishedMap(_spread(block[survey.cell[rows]], block), np.zeros(len(block), bool))


class Generalised:
    """Publishes each place as the cell of so many degrees that holds it; cells end at multiples, or half-way between."""

    def __init__(self, degrees, *, centred):
        self.degrees, self.shift = degrees, degrees / 2 if centred else 0.0

    def cells_of(self, degrees):
        """Return a number for the cell of each place."""
        steps = np.floor((degrees + self.shift) / self.degrees + 1e-9).astype(int)
        return steps[0] * 10_000 + steps[1]

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        of_cell = self.cells_of(survey.cell_degrees)
        names, block = np.unique(of_cell, return_inverse=True)
        of_row = self.cells_of(survey.degrees[:, rows])
        place = np.minimum(np.searchsorted(names, of_row), len(names) - 1)
        place = place[names[place] == of_row]
        return PublishedMap(_spread(place, block), np.zeros(len(block), bool))

    def move(self, degrees, dice):
        """Return a place for each, drawn evenly from its cell: what is shown of it."""
        lower = np.floor((degrees + self.shift) / self.degrees + 1e-9) * self.degrees - self.shift
        return lower + self.degrees * dice.random(degrees.shape)


class Suppressed:
    """Publishes the squares in which enough units have rows, and leaves the others blank."""

    def __init__(self, fewest):
        self.fewest = fewest

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        block = survey.blocks(survey.per_square)
        counts = np.bincount(survey.square[rows], minlength=survey.squares)
        shown = count_units(survey.square, survey.unit, rows, survey.squares) >= self.fewest
        cells = (counts * shown / np.bincount(block, minlength=survey.squares))[block]
        return PublishedMap(cells, ~shown[block])


class Adaptive:
    """Publishes blocks that were merged with their neighbours until each keeps the rules.

    A block that holds less than such a part of what the next coarser one holds is left blank instead, if any other in that may be shown.
    """

    def __init__(self, blank_below=0.0):
        self.blank_below = blank_below

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        levels = [survey.blocks(side) for side in survey.levels]

        def is_confidential(block):
            of_row = block[survey.cell]
            blocks = block.max() + 1
            units = count_units(of_row, survey.unit, rows, blocks)
            return (units > 0) & ((units < FEWEST) | _is_dominated(of_row, survey, rows, blocks))

        totals = [
            np.bincount(block[survey.cell[rows]], minlength=block.max() + 1) for block in levels
        ]
        confidential = [is_confidential(block) for block in levels]
        level, hidden = merge_blocks(levels, totals, confidential, self.blank_below)
        cells = np.zeros(len(level))
        for number, block in enumerate(levels):
            at_level = level == number
            cells[at_level] = _spread(block[survey.cell[rows]], block)[at_level]
        return PublishedMap(np.where(hidden, 0, cells), hidden)


def merge_blocks(levels, totals, confidential, blank_below=0.0):
    """Return the level of the block that each cell ends in, and whether it is hidden in the end.

    `levels` number the block of each cell, from fine to coarse. Where a block is confidential, all blocks of the next coarser one that
    holds it give way to that; but one that holds less than a part `blank_below` of it stays, and is hidden in the end, unless all are confidential.
    """
    level = np.zeros(len(levels[0]), dtype=int)
    for number in range(len(levels) - 1):
        coarser = levels[number + 1]
        held = _of_cells(level, levels, totals)
        fails = _of_cells(level, levels, confidential)
        ratio = np.sqrt(np.bincount(coarser).max() / np.bincount(levels[number]).max())
        small = held < blank_below / (ratio / 2) * totals[number + 1][coarser]
        can_be_shown = np.bincount(coarser[(held > 0) & ~fails], minlength=coarser.max() + 1) > 0
        gives_way = fails & (~small | ~can_be_shown[coarser])
        merged = np.bincount(coarser[gives_way], minlength=coarser.max() + 1) > 0
        level[merged[coarser]] = number + 1
    return level, _of_cells(level, levels, confidential).astype(bool)


def _of_cells(level, levels, values):
    """Return the value of the block that each cell is in."""
    cells = np.zeros(len(level))
    for number, (block, of_block) in enumerate(zip(levels, values, strict=True)):
        at_level = level == number
        cells[at_level] = of_block[block[at_level]]
    return cells if values[0].dtype != bool else cells.astype(bool)


class Smoothed:
    """Publishes totals smoothed by a Gaussian of so many cells, with masks where a person (or, by record, a record) may be disclosed."""

    def __init__(self, bandwidth, *, masked=True, by_record=False, fewest=10):
        self.bandwidth, self.masked, self.fewest = bandwidth, masked, fewest
        self.by_record = by_record

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        total = survey.counts(rows)
        count, largest = total, (total > 0).astype(float)
        if not self.by_record:
            count = count_units(survey.cell, survey.unit, rows, len(total)).astype(float)
            largest = _largest_unit(survey, rows, len(total))
        rasters = [raster.reshape(survey.grid.shape) for raster in (count, total, largest)]
        *smoothed, scale = smooth(rasters, self.bandwidth, SMOOTHING_FACTOR)
        count, total, largest = (_coarsen(raster) for raster in smoothed)
        hidden = is_sensitive(count, total, largest, scale, self.fewest)
        hidden = hidden.ravel() if self.masked else np.zeros(total.size, bool)
        return PublishedMap(np.where(hidden, 0, total.ravel()), hidden)


def _largest_unit(survey, rows, cells):
    """Return how many rows the unit with most of them has in each cell."""
    pairs, number = np.unique(
        survey.cell[rows] * survey.units + survey.unit[rows], return_counts=True
    )
    largest = np.zeros(cells)
    np.maximum.at(largest, pairs // survey.units, number)
    return largest


def smooth(rasters, bandwidth, factor):
    """Return rasters cut into smaller cells and smoothed, and the least weight of the window, which scales its threshold."""
    step = np.arange(-int(3 * bandwidth * factor), int(3 * bandwidth * factor) + 1)
    weight = np.exp(-((step / bandwidth / factor) ** 2) / 2)
    weight /= weight.sum()
    smoothed = []
    for raster in rasters:
        fine = raster.repeat(factor, 0).repeat(factor, 1)
        across = convolve1d(fine, weight, axis=0, mode="constant")
        smoothed.append(convolve1d(across, weight, axis=1, mode="constant"))
    return *smoothed, weight[0] ** 2


def is_sensitive(count, total, largest, scale, fewest):
    """Return where one record is nearly all of a total, or too few records are near; where there is nothing to tell, not."""
    risk = largest / np.maximum(total, 1e-300)
    return (count > 0) & ((risk > MOST_RISK) | (count < scale * fewest))


def _coarsen(raster):
    rows, columns = (side // SMOOTHING_FACTOR for side in raster.shape)
    return raster.reshape(rows, SMOOTHING_FACTOR, columns, SMOOTHING_FACTOR).mean((1, 3))


class CellKey:
    """Publishes squares with bounded noise, the same for the same rows whenever they are asked about; where capped, of so many rows of a unit as dpmap counts."""

    def __init__(self, *, capped=False):
        self.capped = capped

    def counted(self, survey, rows):
        """Return a mask of the rows that count: all, or as many of each unit as the cap says, the same ones in each map."""
        if not self.capped:
            return rows
        order = np.lexsort((np.random.default_rng(8).random(len(survey.unit)), survey.unit))
        rank = np.empty(len(order), dtype=int)
        rank[order] = np.arange(len(order)) - survey.starts[survey.unit[order]]
        return rows & (rank < survey.cap)

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps."""
        rows = self.counted(survey, rows)
        block = survey.blocks(survey.per_square)
        counts = np.bincount(survey.square[rows], minlength=survey.squares)
        keys = np.random.default_rng(5).random(len(survey.unit))
        key = np.bincount(survey.square[rows], keys[rows], survey.squares) % 1
        noisy = counts + [self.noise(count, part) for count, part in zip(counts, key, strict=True)]
        return PublishedMap((noisy / np.bincount(block))[block], np.zeros(len(block), bool))

    @staticmethod
    def noise(count, part):
        """Return the noise of a count, `part` being its key, even between 0 and 1."""
        if count == 0:
            return 0
        steps = noise_support(count)
        return steps[np.searchsorted(np.cumsum(noise_chances(tuple(steps))), part * (1 - 1e-12))]


def noise_support(count):
    """Return what may be added to a count: no more than the bound, nothing that leads below 0, and nothing at all to none."""
    if count == 0:
        return range(1)
    return range(max(-MOST_NOISE, -count), MOST_NOISE + 1)


@lru_cache(maxsize=64)
def noise_chances(steps, variance=NOISE_VARIANCE):
    """Return the chances of most entropy on some steps, of mean 0 and as near the variance as they allow."""
    steps = np.array(steps, dtype=float)
    if len(steps) == 1:
        return np.ones(1)

    def law(bends):
        powers = bends[0] * steps + bends[1] * steps**2
        chances = np.exp(powers - powers.max())
        return chances / chances.sum()

    def misses(bends):
        chances = law(bends)
        return chances @ steps, chances @ steps**2 - variance

    return law(fsolve(misses, (0.0, -0.2), full_output=True)[0])


class Nothing:
    """Publishes no map: a reader believes that all land is alike, and that something is everywhere."""

    def publish(self, survey, rows, dice):
        """Return a map of even land."""
        cells = np.ones(survey.grid.size)
        return PublishedMap(cells, np.ones(len(cells), bool))


class Private:
    """Publishes a map by dpmap."""

    def __init__(self, epsilon, strategy="adaptive"):
        self.epsilon, self.strategy = epsilon, strategy

    def publish(self, survey, rows, dice):
        """Return the map of the rows that a mask keeps: a new release, with noise that nobody can repeat."""
        counts = survey.counts(rows, survey.points).reshape(survey.grid.shape)
        policy = dm.Policy(epsilon=self.epsilon, unit="who", cap=survey.cap)
        release = make_release(counts, survey.grid, policy, self.strategy)
        return PublishedMap(release.estimate.ravel(), np.zeros(counts.size, bool), release)


def count_units(place, unit, rows, places):
    """Return how many units have rows in each place."""
    pairs = np.unique(place[rows] * (unit.max() + 1) + unit[rows])
    return np.bincount(pairs // (unit.max() + 1), minlength=places)


def _is_dominated(place, survey, rows, places):
    """Return where the two largest units of a place have more than their share of its rows."""
    pairs, number = np.unique(place[rows] * survey.units + survey.unit[rows], return_counts=True)
    order = np.lexsort((-number, pairs // survey.units))
    of_place = (pairs // survey.units)[order]
    rank = np.arange(len(of_place)) - np.searchsorted(of_place, of_place)
    largest = np.bincount(of_place[rank < 2], number[order][rank < 2], places)
    return largest > DOMINATED * np.bincount(of_place, number[order], places)


def _spread(of_row, block):
    """Return what each cell holds where the rows of a block are spread evenly over its cells."""
    blocks = block.max() + 1
    counts = np.bincount(of_row, minlength=blocks)
    return (counts / np.maximum(np.bincount(block, minlength=blocks), 1))[block]


OBSCURED = Generalised(0.2, centred=False)
METHODS = {
    "counts, 10 km": Counts(),
    "rounded to 0.1\N{DEGREE SIGN}": Generalised(0.1, centred=True),
    "obscured, 0.2\N{DEGREE SIGN}": OBSCURED,
    "totals, 20 km": Counts(2),
    "below 5 blank": Suppressed(5),
    "below 10 blank": Suppressed(10),
    "merged blocks": Adaptive(),
    "merged or blank": Adaptive(0.1),
    "smoothed, 1 cell": Smoothed(1),
    "smoothed, 2 cells": Smoothed(2),
    "smoothed, mask by record": Smoothed(1, by_record=True),
    "smoothed, no mask": Smoothed(1, masked=False),
    "cell key": CellKey(),
    "cell key, capped": CellKey(capped=True),
    "nothing": Nothing(),
    "dpmap, 0.3": Private("0.3"),
    "dpmap, 1": Private("1"),
    "dpmap, 3": Private("3"),
}
OF_MANY_ROWS = {"smoothed, mask by record", "cell key, capped"}
"""Methods that differ from the one before only where a unit has more than one row."""


def methods_of(survey):
    """Return the methods that say something of their own about a survey, by name."""
    one_row_each = len(survey.unit) == survey.units
    return {
        name: method
        for name, method in METHODS.items()
        if not (one_row_each and name in OF_MANY_ROWS)
    }
