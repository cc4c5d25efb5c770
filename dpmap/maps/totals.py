"""A map of totals from one curator, and the answers that every other kind gives unless it says
otherwise.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Values
from dpmap.grid.squares import Squares
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.estimate import RATE, Cells, Estimate, Mask, distinguishable
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.zones import MeanAnswer, ZoneAnswer, answer
from dpmap.record import Measurement, Record

if TYPE_CHECKING:
    from dpmap.inference.clearance import Clearance
    from dpmap.inference.hotspots import HotSpots
    from dpmap.inference.patches import Patches
    from dpmap.inference.patches.zone_intervals import ZoneIntervals
    from dpmap.inference.posterior_estimate import BelievedEstimate
    from dpmap.inference.sparse_bounds import ListedSpots

What = Literal["estimate", "low", "high", "exceedance"]
Show = Literal["patches", "cells", "belief"]
SURROUNDINGS = "surroundings"
DrawOptions = dict[str, tuple[str, ...] | bool]
LEVEL = 0.9
LEAST = 1e-30
"""Above 0 in single precision too."""
SHOWN = "distinguishable_per_km2"
PLACE_SHOWN = "place_per_km2"
"""The column, and the band, of the density of the place that each cell is told as a part of."""
MOST_PARTED = 400_000
MOST_SMOOTH = 150_000
"""Of more cells a smooth picture takes minutes."""
MOST_DRAWN = 500_000_000
"""So many cells of drawn maps are held at once: 2 GB."""
_LAWS: "WeakKeyDictionary[Measurement, tuple[Grid, ZoneIntervals]]" = WeakKeyDictionary()
_PARTED: WeakKeyDictionary[Measurement, "dict[float, Patches]"] = WeakKeyDictionary()
"""What was found of a map's last measurement, by the level, for as long as that lives: a
picture, a page and a layer all ask for it.
"""
_BELIEVED: "WeakKeyDictionary[Measurement, tuple[Grid, NDArray[np.float64]]]" = WeakKeyDictionary()


class TotalsMap:
    """Totals of cells or of blocks of cells, with noise of a known law."""

    complete = True
    """Whether every cell has an estimate."""
    local = False
    """Whether nobody had to be trusted."""
    called = "a map of totals"
    counts = "totals"
    """What its numbers are; maps are compared that hold the same."""
    by_region = True
    """Whether it is compared region by region, and its zones by a rehearsal."""
    value = "estimate"
    """The column of a zone's number."""
    origin = ""
    """Where it is from, if not from a curator's survey."""
    answers: type[ZoneAnswer] | type[MeanAnswer] = ZoneAnswer
    """What a zone's answer consists of."""

    def __init__(self, record: Record) -> None:
        self.record = record

    @property
    def mean(self) -> Values | None:
        """The axis of values that the mean is of, if it is a map of means."""
        return None

    def estimate(self) -> Estimate:
        """Return the best estimate dpmap knows for the measurements.

        A map in which every cell was measured once by itself is read as the mechanism gave it;
        anything else through the tree of its regions, or by least squares if they make none.
        """
        grid = self.record.grid
        measurements = self.record.measurements
        last = self.record.last
        if last.kind == "gaussian" or (
            len(measurements) == 1 and last.partition.regions == grid.cells_inside
        ):
            return FlatEstimate(last)
        # scipy, which a flat map does not need
        from dpmap.inference.least_squares import LeastSquaresEstimate
        from dpmap.inference.tree_estimate import TreeEstimate

        return TreeEstimate.fit(grid, measurements, self.priors) or LeastSquaresEstimate(
            measurements
        )

    @cached_property
    def reading(self) -> Estimate:
        """The estimate, made once; where there is one belief about all land, with its intervals."""
        estimate = self.estimate()
        if not self.believes:
            return estimate
        # scipy, which a flat map's numbers do not need
        from dpmap.inference.posterior_estimate import BelievedEstimate

        return BelievedEstimate(self.record.grid, estimate, self._law)

    @property
    def believes(self) -> bool:
        """Whether one belief tells of all land; on maps of more measured regions it takes too
        long.
        """
        return self.parted

    def _law(self) -> "ZoneIntervals":
        """Find what is believed of all land, once for as long as the measurements live."""
        from dpmap.inference.patches.zone_intervals import ZoneIntervals

        grid = self.record.grid
        measurement = self.parts()[0].measurements[-1]
        known = _LAWS.get(measurement)
        if known is None or known[0] is not grid:
            known = (
                grid,
                ZoneIntervals(grid, [(part.grid, part.measurements) for part in self.parts()]),
            )
            _LAWS[measurement] = known
        return known[1]

    @property
    def priors(self) -> tuple[Cells, ...]:
        """What is public beforehand, in the shape of a map without layers."""
        return tuple(prior.values.astype(np.float64) for prior in self.record.priors)

    def single(self, what: str) -> Record:
        """Return the record of one map, as layers and pictures are made of it; `what` names the
        caller.
        """
        del what
        return self.record

    def parts(self) -> tuple[Record, ...]:
        """Return the records that hold the measurements."""
        return (self.record,)

    def half_width(self, level: float = 0.9) -> float:
        """Return half the width, in points, of the interval of a region of the last
        measurement.
        """
        last = self.record.last
        return last.law.two_sided(level) / last.lattice

    def within(self, cells: int, level: float = 0.9) -> float:
        """Return half the width, in points, of the interval of what so many cells add up to,
        each measured by itself.
        """
        last = self.record.last
        return (
            last.law.two_sided(level) / last.lattice
            if cells == 1
            else last.law.of_sum(level, cells) / last.lattice
        )

    def noise_variance(self, cells: int, points: float) -> float:
        """Return the variance of the noise, in points squared, of what so many cells add up to,
        each measured by itself; `points` is what they hold, which this noise does not depend on.
        """
        del points
        last = self.record.last
        return cells * (last.law.deviation / last.lattice) ** 2

    def whole(self, level: float = 0.9) -> tuple[float, float] | None:
        """Return what the last question's noisy answers add up to, in points, with half the width
        of its interval; None where they cover no whole map.
        """
        last = self.record.last
        return (
            float(last.values.sum()),
            last.law.of_sum(level, last.partition.regions) / last.lattice,
        )

    def scale(self, measurement: Measurement) -> float | Cells:
        """Return the scale of the noise of a measurement's regions, in points."""
        return measurement.scales

    def known_regions(self) -> Partition:
        """Return the regions of the last measurement, on which all intervals rest."""
        return self.record.measurements[-1].partition

    def alone(self) -> Mask:
        """Return the cells that were measured by themselves, in grid shape, as `known_regions`
        tells.
        """
        partition = self.known_regions()
        known = partition.labels >= 0
        sizes = np.bincount(partition.labels[known], minlength=partition.regions)
        return np.asarray(known & (sizes[partition.labels] == 1))

    def by_cell(self) -> list[Measurement]:
        """Return the measurements in which some region is a single cell, the least noisy first."""
        return sorted(self._with_single_cells(), key=lambda measurement: measurement.scale)

    def _with_single_cells(self) -> list[Measurement]:
        measurements = []
        for measurement in self.record.measurements:
            labels = measurement.partition.labels
            if (
                np.bincount(labels[labels >= 0], minlength=measurement.partition.regions) == 1
            ).any():
                measurements.append(measurement)
        return measurements

    def noisy_cells(self) -> Cells:
        """Return the signed noisy total of each cell measured by itself, as drawn; NaN
        elsewhere.
        """
        noisy = np.full(self.record.grid.shape, np.nan)
        for measurement in reversed(self.by_cell()):
            partition = measurement.partition
            sizes = np.bincount(
                partition.labels[partition.labels >= 0], minlength=partition.regions
            )
            values = partition.spread(np.where(sizes == 1, measurement.values, np.nan))
            noisy = np.where(np.isnan(values), noisy, values)
        return noisy

    def exceedance(self, estimate: Estimate, threshold: float) -> Cells:
        """Return for each cell measured by itself the chance that noise alone makes it look this
        high, if its total is at most `threshold`; NaN for cells in blocks, since no measurement
        says how a block's total lies within it.
        """
        return np.where(self.alone(), estimate.p_values(threshold), np.nan)

    def above(self, estimate: Estimate, threshold: float | None) -> Mask:
        """Return the land that `hot_spots` finds above a threshold or its surroundings, in grid
        shape.
        """
        from dpmap.inference.hotspots import Search

        del estimate
        return Search(self.record.grid, self.record.last, threshold, RATE).find()

    def hot_spots(
        self, threshold: float | None, rate: float, level: float
    ) -> "HotSpots | ListedSpots":
        """Find cells, joined to clusters, above a threshold or their surroundings; or say why
        there are none.
        """
        from dpmap.inference.hotspots import hotspots

        grid = self.record.grid
        believed = self._believed()
        return hotspots(
            grid, self.record.measurements, believed, threshold=threshold, rate=rate, level=level
        )

    def _believed(self) -> "BelievedEstimate":
        """Return the reading by the one belief, which of very large maps is made only when
        asked for.
        """
        from dpmap.inference.posterior_estimate import BelievedEstimate

        estimate = self.reading
        return (
            estimate
            if isinstance(estimate, BelievedEstimate)
            else BelievedEstimate(self.record.grid, estimate, self._law)
        )

    def clearance(self, threshold: float, rate: float) -> "Clearance":
        """Return which land surely holds more, and which surely less; refused by kinds that find
        hot spots in another way.
        """
        from dpmap.inference.clearance import clearance

        if type(self).hot_spots is not TotalsMap.hot_spots:
            raise BadInput(
                "clearance: only a map of totals of all cells has it; of several layers, ask one:"
                " --layer NAME"
            )
        return clearance(self.record.grid, self._believed(), threshold, rate)

    @property
    def parted(self) -> bool:
        """Whether its area is parted into patches where it is drawn; of maps with more measured
        regions it takes too long.
        """
        return sum(part.measurements[-1].partition.regions for part in self.parts()) <= MOST_PARTED

    def patches(self, level: float) -> "Patches":
        """Return the smallest places of which the colour can be told, found once; refuse where
        there are none.
        """
        grid = self.record.grid
        measurement = self.parts()[0].measurements[-1]
        by_level = _PARTED.setdefault(measurement, {})
        if level not in by_level or by_level[level].grid is not grid:
            by_level[level] = self.parting(level)
        return by_level[level]

    def parting(self, level: float) -> "Patches":
        """Find the places anew."""
        from dpmap.inference.patches import patches
        from dpmap.inference.tree_estimate import TreeEstimate

        estimate = self.reading
        smooth: Estimate | None = estimate
        # a flat estimate is each cell's noise too
        if isinstance(getattr(estimate, "own", estimate), FlatEstimate):
            laplace = all(measurement.kind == "laplace" for measurement in self.record.measurements)
            smooth = (
                TreeEstimate.fit(self.record.grid, self.record.measurements, self.priors)
                if laplace
                else None
            )
        drawn = None if smooth is None else smooth.values
        return patches(self.record.grid, self._law(), drawn, estimate.values, level)

    def shown(self, values: Cells) -> Cells:
        """Return what colours stand for: totals per square kilometre."""
        return np.asarray(values / self.record.grid.square_km)

    def draw_options(self) -> DrawOptions:
        """Return what `--what`, `--show` and `--hotspots` may ask of a picture, and whether there
        is a page.

        An exceedance takes a threshold too; TOTAL stands for any number.
        """
        return {
            "what": get_args(What),
            "show": tuple(show for show in get_args(Show) if show != "belief" or self.smooth),
            "hotspots": ("TOTAL", SURROUNDINGS),
            "page": True,
        }

    @property
    def smooth(self) -> bool:
        """Whether what is believed can be drawn as one smooth picture."""
        grid = self.record.grid
        return isinstance(grid.cells, Squares) and grid.cells_inside <= MOST_SMOOTH

    def believed_density(self) -> NDArray[np.float64]:
        """Return the density of drawn maps with the detail that is known, the draws along the
        last axis, made once; refuse where there is none.
        """
        from dpmap.inference.known_detail import DRAWS, keep_known_detail

        if not self.smooth:
            raise BadInput(
                f"show: one smooth picture is drawn of up to {MOST_SMOOTH:,} square cells with"
                " totals; leave it out to see places"
            )
        grid = self.record.grid
        measurement = self.parts()[0].measurements[-1]
        made = _BELIEVED.get(measurement)
        if made is None or made[0] is not grid:
            made = (grid, keep_known_detail(self.draws(DRAWS), grid.square_km, grid.inside))
            _BELIEVED[measurement] = made
        return made[1]

    def check_page(self, what: str) -> None:
        """Refuse `what` if the page has no place for such a map."""

    def check_picture(self, *, threshold: bool, suppress: bool, hotspots: bool) -> None:
        """Refuse a picture with options that such a map does not have."""

    def unsure(self, estimate: Estimate, what: str, low: Cells) -> Mask:
        """Return the in-area cells that are not told, for the estimate or a bound; `low` is the
        lower bound.
        """
        inside = self.record.grid.inside
        return {
            "estimate": ~distinguishable(estimate)[inside],
            "low": low[inside] <= 0,
            "high": np.zeros(self.record.grid.cells_inside, dtype=bool),
        }[what]

    def columns(self, estimate: Estimate, level: float) -> dict[str, NDArray[Any]]:
        """Return the columns of a layer, in grid shape.

        `estimate`, `low` and `high` are capped totals in points, the bounds at `level`; `noisy` is
        the signed total as drawn, where the cell was measured by itself; `distinguishable` says
        that the cell surely holds something. `place` is the number of the patch the cell lies in,
        with its density and whether that is told.
        """
        return {
            **self.bands(estimate, level),
            "distinguishable": distinguishable(estimate, level=level),
            "area_km2": self.record.grid.square_km,
            "per_km2": self.shown(estimate.values),
            **(self._place_columns(level) if self.parted else {}),
        }

    def _place_columns(self, level: float) -> dict[str, NDArray[Any]]:
        """Return each cell's place: its number, its density and whether that is told."""
        patches = self.patches(level)
        return {
            "place": patches.place + 1,
            "place_told": np.append(patches.told, False)[patches.place],
            PLACE_SHOWN: np.append(patches.density, np.nan)[patches.place],
        }

    def bands(self, estimate: Estimate, level: float) -> dict[str, Cells]:
        """Return the bands of a raster, NaN outside the area (and in `noisy` where a cell was
        not measured by itself).
        """
        low, high = estimate.interval(level)
        return {"estimate": estimate.values, "low": low, "high": high, "noisy": self.noisy_cells()}

    def coloured(self, estimate: Estimate) -> dict[str, Cells]:
        """Return the band that a raster's style colours if `bands` has none: the density of each
        cell's place if that is told, else 0; of a map without places each cell's own, if that is
        distinguishable from none.

        Land that is told is above 0 even where its estimate is not.
        """
        if self.parted:
            columns = self._place_columns(LEVEL)
            name = PLACE_SHOWN
            values = columns[PLACE_SHOWN]
            sure = columns["place_told"]
        else:
            name = SHOWN
            values = self.shown(estimate.values)
            sure = distinguishable(estimate)
        return {
            name: np.where(
                self.record.grid.inside, np.where(sure, np.maximum(values, LEAST), 0.0), np.nan
            )
        }

    @cached_property
    def zones(self) -> "ZoneIntervals | None":
        """What is believed of all land beyond strict bounds, made once; None where that is
        nothing.
        """
        return self._law()

    @cached_property
    def coverer(self) -> Coverer:
        """Finds which cells a zone covers."""
        return Coverer(self.record.grid.ground)

    def answer(self, zone: Any, square_km: float, level: float) -> ZoneAnswer | MeanAnswer:
        """Answer for one zone of so many square kilometres, given in the grid's CRS."""
        return answer(self.record.grid, self.reading, self.coverer.cover(zone), square_km, level)

    def draws(self, count: int) -> NDArray[np.float32]:
        """Return so many maps drawn from what is believed, in grid shape with one more, last
        axis; NaN outside the area.
        """
        from dpmap.inference.draws import LEVEL as STATED
        from dpmap.inference.draws import draw_maps

        grid = self.record.grid
        refuse_too_many(count, grid.size)
        known = self.zones
        if known is None:
            raise BadInput(
                "draws: nothing is known of this map beyond each cell's interval; use interval()"
                " instead"
            )
        whole = [counts_whole_points(part) for part in self.parts()]
        drawn = np.empty((grid.size, count), dtype=np.float32)
        maps = draw_maps(
            known.parts, grid.square_km.ravel(), count, known.width_factor(STATED), whole
        )
        for number, cells in enumerate(maps):
            drawn[:, number] = cells
        return drawn.reshape(*grid.shape, count)


def counts_whole_points(record: Record) -> bool:
    """Return whether every point counted as one or not at all; scaled to a cap, points of busy
    units count in part.
    """
    return record.policy.unit == "row" or record.policy.limiter in ("sample", "presence")


def refuse_too_many(count: int, cells: int) -> None:
    """Refuse to draw no maps, or more than fit into memory."""
    if count < 1:
        raise BadInput("n: how many maps to draw, 1 or more, like 100")
    if count * cells > MOST_DRAWN:
        most = MOST_DRAWN // cells
        raise BadInput(
            f"n: {count:,} maps of {cells:,} cells do not fit into memory; draw at most {most:,}"
        )
