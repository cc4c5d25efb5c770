"""Several partners' maps in one: totals add up, and so do the noises."""

from collections import Counter
from typing import NoReturn

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.together import coarsest, window
from dpmap.inference.estimate import Cells
from dpmap.inference.kinds import of
from dpmap.inference.kinds.totals import Totals
from dpmap.inference.merged import MergedEstimate
from dpmap.noise.theory import sum_quantile
from dpmap.record import Record


class Merged(Totals):
    """The sum of the partners' maps; it has no measurements of its own."""

    def estimate(self) -> MergedEstimate:
        """The sum of the partners' readings."""
        parts = [(one.grid, one.measurements[-1], of(one).estimate()) for one in self.record.partners]
        return MergedEstimate(self.record.grid, parts)

    def parts(self) -> tuple[Record, ...]:
        """The partners' records, each on its own grid."""
        return self.record.partners

    def half_width(self, level: float = 0.9) -> float:
        """The same of a cell that all partners reach and measured by themselves."""
        return sum_quantile(level, self.noise_law())

    def noise_law(self) -> tuple[tuple[float, int], ...]:
        """The scales, in points, of the noises that add up in a cell that all partners reach."""
        counts = Counter(float(one.measurements[-1].scale) for one in self.record.partners)
        return tuple(sorted(counts.items()))

    def known_regions(self) -> Partition:
        """Cells that some partner measured as one are in one region."""
        return coarsest(self.record.grid, [(one.grid, one.measurements[-1].partition) for one in self.record.partners])

    def noisy_cells(self) -> Cells:
        """The sum of those that each partner's intervals are from, where all who reach the cell measured it alone."""
        total = np.zeros(self.record.grid.shape)
        for one in self.record.partners:
            last = one.measurements[-1]
            here = np.where(one.grid.inside, last.partition.spread(last.values), 0.0)
            total[window(self.record.grid, one.grid)] += here
        return np.where(self.alone(), total, np.nan)

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Refused: the partners' noises are not known region by region together."""
        del threshold, rate, level
        raise BadInput("hotspots: of a merged map there are none; ask each partner's own release")


kind = Merged
