"""A map that lists only the cells above a public threshold."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid.partition import SPARSE
from dpmap.grid.squares import EDGE
from dpmap.grid.zone_overlap import coverage_in_strips
from dpmap.inference import sparse_bounds
from dpmap.inference.estimate import Mask
from dpmap.inference.sparse_bounds import at_least, at_most, listed_cells
from dpmap.inference.zones import NOT_DISTINGUISHABLE, ZoneAnswer
from dpmap.maps.totals import DrawOptions, TotalsMap
from dpmap.record import Record

if TYPE_CHECKING:
    from dpmap.inference.patches.sparse_patches import ListedPatches
    from dpmap.inference.sparse_bounds import ListedSpots


class SparseMap(TotalsMap):
    """The listed cells, each with its own noisy total; the others are only known to be
    below the threshold.
    """

    complete = False
    called = "a sparse map"
    by_region = False

    def estimate(self) -> NoReturn:
        """Refuse it: cells that are not listed have no estimate."""
        raise BadInput(SPARSE)

    def alone(self) -> Mask:
        """Say that every cell was measured by itself."""
        return np.ones(1, dtype=bool)

    def whole(self, level: float = 0.9) -> None:
        """Return None: of cells that are not listed only a bound is known."""
        del level

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> "ListedSpots":
        """Find the listed cells above a threshold, cell by cell."""
        return sparse_bounds.hotspots(self.record, threshold, rate, level)

    def draws(self, count: int) -> NoReturn:
        """Refuse it: of cells that are not listed only a bound is known."""
        del count
        raise BadInput(
            "draws: a sparse release knows only a bound of cells that are not listed; ask about"
            " zones instead"
        )

    def draw_options(self) -> DrawOptions:
        """Return the one way there is: no option changes the picture, and there is no page."""
        return {"what": (), "show": (), "hotspots": (), "page": False}

    parted = False

    def patches(self, level: float) -> "ListedPatches":
        """Find places among the listed cells; of all other land it says what it holds at most."""
        from dpmap.inference.patches.sparse_patches import listed_patches

        return listed_patches(self.record, level)

    def answer(self, zone: Any, square_km: float, level: float) -> ZoneAnswer:
        """Add up the listed cells of a zone, with bounds that allow for all that is not listed."""
        return _answer(self.record, zone, square_km, level)


@dataclass(slots=True)
class _Met:
    """Holds what a zone meets of a sparse release: cells whole and cut, those of them listed,
    and the covered share.
    """

    whole: int = 0
    cut: int = 0
    covered: float = 0.0


def _answer(record: Record, zone: Any, square_km: float, level: float) -> ZoneAnswer:
    """Answer for one zone of a sparse release; each bound takes half the risk."""
    measurement, partition, squares = listed_cells(record)
    met = _Met()
    places = [np.zeros(0, dtype=np.int64)]
    shares = [np.zeros(0)]
    for part, top, left in coverage_in_strips(zone, squares):
        if record.grid.mask is not None:
            inside = record.grid.mask[top : top + part.shape[0], left : left + part.shape[1]]
            part = np.where(inside, part, 0.0)  # noqa: PLW2901  # the strip's parts inside the area
        met.whole += int((part >= 1 - EDGE).sum())
        met.cut += int(((part > EDGE) & (part < 1 - EDGE)).sum())
        met.covered += float(part.sum())
        first, last = np.searchsorted(
            partition.places, np.array([top, top + part.shape[0]]) * squares.shape[1]
        )
        row, column = np.divmod(partition.places[first:last], squares.shape[1])
        in_strip = (column >= left) & (column < left + part.shape[1])
        places.append(np.arange(first, last)[in_strip])
        shares.append(part[row[in_strip] - top, column[in_strip] - left])
    if not met.whole + met.cut:
        nothing = float("nan")
        return ZoneAnswer(
            nothing,
            nothing,
            nothing,
            False,
            nothing,
            nothing,
            nothing,
            square_km,
            0.0,
            0,
            0,
            "outside the map",
        )
    listed = np.concatenate(places)
    share = np.concatenate(shares)
    noisy = measurement.values[listed]
    risk = (1 - level) / 2
    low = at_least(measurement, noisy[share >= 1 - EDGE], met.whole, 1 - risk)
    high = max(low, at_most(measurement, noisy[share > EDGE], met.whole + met.cut, 1 - risk))
    total = min(max(float((noisy * share).sum()), low), high)
    width, height = squares.cell
    mapped = min(1.0, met.covered * width * height / max(zone.area, 1e-300))
    mapped = 1.0 if mapped > 1 - 1e-3 else mapped
    words = _note(met, int((share > EDGE).sum()), float(partition.threshold), mapped, low)
    per_km2 = total / (square_km * mapped)
    return ZoneAnswer(
        total, low, high, low > 0, low, high, per_km2, square_km, mapped, met.whole, met.cut, words
    )


def _note(met: _Met, listed: int, threshold: float, mapped: float, low: float) -> str:
    """Say what a planner must know about a zone in a sparse release."""
    others = met.whole + met.cut - listed
    known = f"{listed:,} of its {met.whole + met.cut:,} cells are listed"
    words = [
        f"{known}; of the other {others:,} it is known that each noisy total is below {threshold:g}"
    ]
    if met.cut:
        words.append(f"crosses {met.cut:,} cell{'s' if met.cut > 1 else ''}, bracketed")
    if mapped < 1:
        words.append(f"partly outside the map: {max(0.01, min(0.99, mapped)):.0%} of it is covered")
    if low == 0:
        words.append(NOT_DISTINGUISHABLE)
    return "; ".join(words)
