"""Several partners' maps in one: their totals add up, and so do their noises."""

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.common_grid import coarsest, window
from dpmap.inference.estimate import RATE, Cells, Estimate, Mask, discoveries
from dpmap.inference.merged_estimate import MergedEstimate
from dpmap.maps.totals import DrawOptions, TotalsMap
from dpmap.noise.theory import sum_quantile
from dpmap.record import Record


class MergedMap(TotalsMap):
    """The sum of the partners' maps; it has no measurements of its own."""

    def __init__(self, record: Record, partners: Sequence[TotalsMap]) -> None:
        super().__init__(record)
        self.partners = partners

    def estimate(self) -> MergedEstimate:
        """Return the sum of the partners' estimates."""
        parts = [
            (partner.record.grid, partner.record.last, partner.estimate())
            for partner in self.partners
        ]
        return MergedEstimate(self.record.grid, parts)

    def parts(self) -> tuple[Record, ...]:
        """Return the partners' records, each on its own grid."""
        return self.record.partners

    def half_width(self, level: float = 0.9) -> float:
        """Return the half-width for a cell that all partners reach and measured by itself."""
        return sum_quantile(level, self.noise_law())

    def within(self, cells: int, level: float = 0.9) -> float:
        """Add up the partners' noises of so many cells."""
        return sum_quantile(
            level, tuple((scale, count * cells) for scale, count in self.noise_law())
        )

    def noise_variance(self, cells: int, points: float) -> float:
        """Add up the variances of the partners' noises of so many cells."""
        return sum(partner.noise_variance(cells, points) for partner in self.partners)

    def whole(self, level: float = 0.9) -> tuple[float, float]:
        """Add up the partners' answers, and their noises."""
        lasts = [partner.last for partner in self.record.partners]
        noises = tuple((float(last.scale), last.partition.regions) for last in lasts)
        return sum(float(last.values.sum()) for last in lasts), sum_quantile(level, noises)

    def noise_law(self) -> tuple[tuple[float, int], ...]:
        """Return the scales, in points, of the noises that add up in a cell that all partners
        reach.
        """
        counts = Counter(float(partner.last.scale) for partner in self.record.partners)
        return tuple(sorted(counts.items()))

    def known_regions(self) -> Partition:
        """Return regions that keep together all cells that some partner measured as one."""
        return coarsest(
            self.record.grid,
            [(partner.grid, partner.last.partition) for partner in self.record.partners],
        )

    def noisy_cells(self) -> Cells:
        """Add up the partners' noisy totals of each cell that all who reach it measured alone."""
        total = np.zeros(self.record.grid.shape)
        for partner in self.record.partners:
            last = partner.last
            noisy = np.where(partner.grid.inside, last.partition.spread(last.values), 0.0)
            total[window(self.record.grid, partner.grid)] += noisy
        return np.where(self.alone(), total, np.nan)

    def above(self, estimate: Estimate, threshold: float | None) -> Mask:
        """Return the cells above a threshold by their own p-values; above their surroundings
        there are none.
        """
        if threshold is None:
            self.hot_spots(threshold, RATE, 0.9)
        return discoveries(self.exceedance(estimate, threshold), RATE)

    def draw_options(self) -> DrawOptions:
        """Return what a picture shows; nothing is told of surroundings."""
        return {**super().draw_options(), "hotspots": ("TOTAL",)}

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Refuse it: the sum of the partners' noises is not known for each region."""
        del threshold, rate, level
        raise BadInput("hotspots: a merged map has none; ask each partner's own release")
