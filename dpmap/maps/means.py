"""A map of means, each worked out from a cell's two totals."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Values
from dpmap.inference.estimate import Cells, Estimate, Mask
from dpmap.inference.mean_estimate import MeanEstimate
from dpmap.inference.zones import MeanAnswer, mean_answer
from dpmap.maps.totals import DrawOptions, TotalsMap
from dpmap.record import Record

if TYPE_CHECKING:
    from dpmap.inference.patches import MeanPatches


ENDS = ("low", "high")


def refuse(what: str) -> NoReturn:
    """Refuse a call that is made for totals."""
    raise BadInput(
        f"{what}: this release tells means; draw it as .png, .svg or .pdf, ask or export it"
    )


def face(record: Record) -> Record:
    """Return what is drawn and exported: one ground, its two layers as measurements of it, and
    what the mean is of.
    """
    parts = (measurement.within((part,)) for measurement in record.measurements for part in (0, 1))
    measurements = tuple(part for part in parts if part is not None)
    return replace(
        record, grid=record.grid.ground, measurements=measurements, mean=record.grid.mean
    )


class MeansMap(TotalsMap):
    """The mean of each cell, told where its interval is narrow enough."""

    answers = MeanAnswer
    called = "a map of means"
    counts = "means"
    by_region = False
    value = "mean"

    @property
    def mean(self) -> Values | None:
        """The axis of values that the mean is of."""
        return self.record.mean or self.record.grid.mean

    def estimate(self) -> MeanEstimate:
        """Return the means, from the one measurement of both ends."""
        mean = self.record.grid.mean
        if mean is None:
            raise BadInput("means are read from the record itself, not from what is drawn of it")
        return MeanEstimate(mean, self.record.measurements[-1])

    def single(self, what: str) -> Record:
        """Return one ground, its two layers as measurements of it, and what the mean is of."""
        del what
        return face(self.record)

    def within(self, cells: int, level: float = 0.9) -> float:
        """Add up the noises of both ends of so many cells: of the records that the means are
        of.
        """
        return super().within(len(ENDS) * cells, level)

    def noise_variance(self, cells: int, points: float) -> float:
        """Add up the noises of both ends of so many cells, like `within`."""
        return super().noise_variance(len(ENDS) * cells, points)

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Refuse it: means have none."""
        del threshold, rate, level
        refuse("hotspots")

    believes = False
    smooth = False

    def draws(self, count: int) -> NoReturn:
        """Refuse it: of a mean no more than its bounds is known."""
        del count
        raise BadInput(
            "draws: of a map of means only bounds are known; use interval() or export, which have"
            " them"
        )

    def parting(self, level: float) -> "MeanPatches":
        """Find the places of which the mean is told."""
        from dpmap.inference.patches import mean_patches

        drawn = self.record if self.record.mean is not None else face(self.record)
        if drawn.mean is None or len(drawn.measurements) < len(ENDS):
            raise BadInput("a mean is read from cells that were measured one by one")
        low, high = drawn.measurements[-2:]
        return mean_patches(drawn.grid, drawn.mean, (low, high), level)

    def draw_options(self) -> DrawOptions:
        """Return what a picture of means shows: there is no page, and nothing is tested against
        a total.
        """
        return {
            **super().draw_options(),
            "what": ("estimate", "low", "high"),
            "hotspots": (),
            "page": False,
        }

    def check_page(self, what: str) -> NoReturn:
        """Refuse every page: it is made for totals."""
        refuse(what)

    def check_picture(self, *, threshold: bool, suppress: bool, hotspots: bool) -> None:
        """Refuse whatever a picture shows besides the means and their bounds."""
        if threshold or suppress or hotspots:
            raise BadInput(
                "a map of means shows the estimate, or the low or high bound of its interval; leave"
                " the rest out"
            )

    def unsure(self, estimate: Estimate, what: str, low: Cells) -> Mask:
        """Return the cells whose mean is not told, whatever is drawn."""
        del what
        return super().unsure(estimate, "estimate", low)

    def shown(self, values: Cells) -> Cells:
        """Return the means, which the colours stand for."""
        return values

    def columns(self, estimate: Estimate, level: float) -> dict[str, NDArray[Any]]:
        """`mean` with its bounds `low` and `high`, missing where there is no answer (`answered`);
        `count`, the sum of weights it is a mean of, with bounds. The bounds of a mean always hold:
        where nothing is known, the declared ends.
        """
        means = means_estimate(estimate)
        answered, (low, high) = means.answered(), means.interval(level)
        count, least, most = means.counts(level)
        return {
            "mean": np.where(answered, means.values, np.nan),
            "low": low,
            "high": high,
            "answered": answered,
            "count": count,
            "count_low": least,
            "count_high": most,
            "area_km2": self.record.grid.square_km,
        }

    def bands(self, estimate: Estimate, level: float) -> dict[str, Cells]:
        """Return the means that are told, their bounds, and the totals they are of; NaN
        elsewhere.
        """
        means, (low, high) = means_estimate(estimate), estimate.interval(level)
        mean = np.where(self.record.grid.inside & means.answered(), means.values, np.nan)
        return {"mean": mean, "low": low, "high": high, "count": means.counts(level)[0]}

    def coloured(self, estimate: Estimate) -> dict[str, Cells]:
        """Return nothing: the means are coloured themselves."""
        del estimate
        return {}

    def answer(self, zone: Any, square_km: float, level: float) -> MeanAnswer:
        """Answer with the mean of a zone."""
        return mean_answer(
            self.record.grid.ground,
            means_estimate(self.reading),
            self.coverer.cover(zone),
            square_km,
            level,
        )


def means_estimate(estimate: Estimate) -> MeanEstimate:
    """Return the estimate of a map of means."""
    if not isinstance(estimate, MeanEstimate):
        raise BadInput("a map of means is shown by its own reading")
    return estimate
