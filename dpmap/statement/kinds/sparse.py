"""Words for a map that lists only some cells."""

from dpmap.inference.sparse_bounds import hidden_below, listed_cells
from dpmap.numbers import decimal_text
from dpmap.record import Measurement
from dpmap.statement.columns import TOTALS, Columns
from dpmap.statement.kinds.totals import TotalsStatement

LEVEL = 0.9


class SparseStatement(TotalsStatement):
    """Words for the cells above a public threshold; the others are only known to be below it."""

    files = tuple(name for name in TotalsStatement.files if name != "map.html")
    layers = ("cells.parquet", "map.tif")
    columns = Columns(
        bands={"noisy": TOTALS["noisy"]}, table=("noisy", "low", "high"), placed=False
    )
    unmerged = "merge: a sparse release lists some cells only; merge releases that hold them all"

    def facts(self) -> dict[str, str]:
        """Return the statement's lines, with what is known of the cells that are not shown."""
        measurement, cells, _ = listed_cells(self.record)
        threshold = float(cells.threshold)
        below = hidden_below(measurement, threshold, LEVEL)
        return {
            **super().facts(),
            "reading": (
                "A cell that is not shown is not empty; its noisy total is below the threshold, and"
                " no more is told."
            ),
            "threshold": f"{threshold:g} points",
            "not_shown": (
                f"noisy total below {threshold:g} points; capped total at most {below:.4g} (90 %"
                " interval)"
            ),
        }

    def regions_words(self, measurement: Measurement) -> str:
        """Say that all cells were measured and some are listed."""
        del measurement
        least = decimal_text(listed_cells(self.record)[1].threshold)
        cells = self.record.grid.cells_inside
        return (
            f"each of {cells:,} cells, of which those of at least {least} noisy points are listed"
        )

    def survey_words(self) -> str:
        """Return nothing: of cells that are not listed a zone has no total."""
        return ""

    def listed_words(self) -> str:
        """Say which cells are listed, and what that tells of the others."""
        least = decimal_text(listed_cells(self.record)[1].threshold)
        return (
            f"cells are listed where the noisy total is at least {least} points, a threshold"
            " declared beforehand; a cell that is not listed is not empty, and no more is known of"
            " it than that its noisy total is below the threshold"
        )
