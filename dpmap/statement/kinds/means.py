"""Words for a map of means."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Values
from dpmap.inference import Estimate, count_regions
from dpmap.numbers import regions_text
from dpmap.statement.columns import Columns
from dpmap.statement.kinds.totals import TotalsStatement
from dpmap.statement.phrases import NO_ANSWER, ONLY_TOTALS, clean, noun, plain

BANDS = {
    "mean": "mean of the values, missing where there is no answer",
    "low": "lower bound of the 90 % interval of the mean",
    "high": "upper bound of the 90 % interval of the mean",
    "count": "estimated capped total that the mean is of",
}
TABLE = ("mean", "low", "high", "answered", "count", "count_low", "count_high", "area_km2")


class MeansStatement(TotalsStatement):
    """Means per cell, from the totals at either end."""

    files = tuple(name for name in TotalsStatement.files if name != "map.html")
    columns = Columns(
        "mean",
        "answered",
        "mean",
        BANDS,
        band=1,
        meanings="no_answer answered",
        signed=True,
        table=TABLE,
        placed=False,
    )
    numbers = "means per cell, from totals"
    product = "Means, from totals,"
    value_words = "means"
    value_word = "mean"
    untold_words = NO_ANSWER
    unmerged = ONLY_TOTALS

    @property
    def mean(self) -> Values:
        """The axis of values that the mean is of."""
        mean = self.map.mean
        if mean is None:
            raise BadInput("this release tells no means")
        return mean

    @property
    def cells(self) -> int:
        """The number of cells of the ground, since two totals make one mean."""
        return self.record.grid.ground.cells_inside

    def unit(self, edges: Sequence[float]) -> style.Unit:
        """Return the means' own unit, whatever the edges."""
        del edges
        return style.KM2

    def unit_words(self, unit: style.Unit = style.KM2) -> str:
        """Return the name of the mean's column."""
        del unit
        return f"mean {clean(self.mean.column)}"

    def band_unit(self, name: str) -> str:
        """Return the unit of a raster's band: the mean's, for all but the count."""
        return f"{noun(self.record)} per cell, capped" if name == "count" else self.unit_words()

    def capped_words(self) -> str:
        """Say what the cap does to the means."""
        return f"{super().capped_words()} in all means together"

    def unsure_words(self) -> str:
        """Say that a grey cell is one whose mean is not told."""
        return NO_ANSWER

    def breaks(self, values: NDArray[np.float64], classes: int = 5) -> list[float]:
        """Return equal round steps from the least to the most of the means."""
        return style.even_breaks(values, float(self.mean.high - self.mean.low) / 100, classes)

    def error_words(self) -> str:
        """Say which means are told."""
        return (
            "grey where too little was counted, or the mean's 90 % interval spans over half of"
            f" {self.mean.words}"
        )

    def sure_words(self) -> str:
        """Say which means are told."""
        return (
            "a mean is told where enough was counted, and its 90 % interval spans at most half of"
            f" {clean(self.mean.words)}"
        )

    def seen(self, estimate: Estimate, sure: NDArray[np.bool_]) -> list[str]:
        """Describe what is to be seen: how many means are told."""
        grid, (count, _) = self.record.grid, count_regions(estimate, sure)
        answered = (
            f"{regions_text(count, 0)} of them {'has' if count == 1 else 'have'} an answer; in the"
            " others"
        )
        return [
            (
                f"Map of {clean(self.record.title)}: {self.unit_words()}, in {grid.cells_inside:,}"
                f" cells ({grid.cell_text})."
            ),
            f"{answered if count else 'In all of them'} too little was counted to tell a mean.",
        ]

    def error_facts(self) -> dict[str, str]:
        """Say what the mean is of."""
        return {
            "mean": f"{self.mean.column}, what is beyond {self.mean.words} counting as that end"
        }

    def mean_words(self) -> str:
        """Say what the map tells the mean of, and how."""
        return (
            f" It tells the mean of {plain(self.mean.column)} (declared: {plain(self.mean.words)};"
            " what is beyond counts as that end, rows without a number there were left out): each"
            " row is shared out between the two ends by its value, and of what lies at either end"
            " a total is measured."
        )

    def survey_words(self) -> str:
        """Return nothing: a mean is not read for how many were counted."""
        return ""

    def accuracy(self) -> str:
        """Say how sure the means are."""
        scale = float(self.record.measurements[-1].scale)
        return (
            f"## How sure it is\n\n- Noise scale of the total at either end of a cell: {scale:.4g}"
            " points (the mean absolute error).\n- A mean is given with an interval that holds it"
            " nine times in ten. Where too little was counted to be told from noise, or the"
            f" interval spans more than half of {plain(self.mean.words)}, there is no answer.\n- It"
            " is the mean over capped rows: no unit weighs more than the cap, so a unit with many"
            " rows counts for less than in a plain mean.\n- What lies beyond the declared ends"
            " counts as the end: the mean of such values is not told."
        )
