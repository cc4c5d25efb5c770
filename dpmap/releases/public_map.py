"""What a private map holds and answers: estimates, intervals, zones, patches and rates."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, one_line
from dpmap.grid import Grid
from dpmap.grid.layer_axes import axis_names
from dpmap.grid.study_area import Shapes
from dpmap.inference import Estimate, distinguishable
from dpmap.maps import read_map
from dpmap.maps.totals import TotalsMap
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Record

if TYPE_CHECKING:
    import geopandas
    import pyproj
    import xarray

    from dpmap.inference.clearance import Clearance
    from dpmap.inference.hotspots import HotSpots
    from dpmap.inference.sparse_bounds import ListedSpots

Cells = NDArray[np.float64]
MOST_NAMED = 12


class PublicMap:
    """The numbers of a private map: everything here is public, and using it costs nothing more."""

    def __init__(self, record: Record, whole: Record | None = None) -> None:
        self.record = record
        # of a layer the map that it is a part of, which says where both come from
        self._whole = whole or record
        # of a layer the release that it was taken from, whose layers are shown alike
        self._among: Self | None = None

    @property
    def grid(self) -> Grid:
        """The public grid."""
        return self.record.grid

    @property
    def policy(self) -> Policy:
        """The promise under which it was made."""
        return self.record.policy

    @property
    def crs(self) -> "pyproj.CRS":
        """The grid's reference system, with its name.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").crs.is_projected
        True
        """
        from dpmap.grid.crs_label import reference

        return reference(self.grid.crs)

    @property
    def epsilon(self) -> Fraction:
        """The privacy loss that was declared for it."""
        return self.policy.epsilon

    @property
    def id(self) -> str:
        """The release's own number in the ledger, which its files and catalogues carry as well."""
        return self._whole.receipt.release_id

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The released cells with their estimates and intervals as GeoJSON, in degrees (EPSG:4326).

        >>> import dpmap as dm
        >>> cells = dm.open("raptors.dpmap").__geo_interface__["features"]
        >>> sorted(cells[0]["properties"])[:3]
        ['area_km2', 'cell', 'density']
        """
        from dpmap.grid.geo_interface import feature_collection

        return feature_collection(self.to_geodataframe())

    @property
    def sparse(self) -> bool:
        """Whether only the cells above a public threshold are listed; of the others only that
        they are below is known.
        """
        return self.record.sparse

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The noisy totals as drawn, each with its partition, signed values in points and exact
        scale; of a merged map those of all partners, each on its own grid.

        >>> import dpmap as dm
        >>> (measured,) = dm.open("raptors.dpmap").measurements
        >>> measured.scale, measured.kind, len(measured.values)
        (Fraction(10, 1), 'laplace', 30)
        """
        return tuple(measurement for part in self._map.parts() for measurement in part.measurements)

    @property
    def fresh(self) -> bool:
        """True if this process made it; False for one opened from a file."""
        return self._whole.fresh

    @cached_property
    def _map(self) -> TotalsMap:
        """The reader of the record, by its kind."""
        return read_map(self.record)

    @property
    def reading(self) -> Estimate:
        """The best estimate that dpmap now makes of the measurements."""
        return self._map.reading

    @cached_property
    def layers(self) -> "dict[tuple[str, ...], Self]":
        """Each layer of a map of kinds and times as a release to draw, ask and export; empty for
        a single map.
        """
        layers = {
            names: type(self)(self.record.layer(names), self._whole)
            for names in self.grid.maps
            if names
        }
        for layer in layers.values():
            layer._among = self  # noqa: SLF001
        return layers

    def layer(self, name: str) -> Self:
        """Return one layer by its `name`, such as `"Kestrel, 2024"`, ignoring case; `BadInput`
        names those there are.
        """
        named = {", ".join(names).lower(): layer for names, layer in self.layers.items()}
        wanted = ", ".join(part.strip() for part in name.lower().split(","))
        if wanted not in named:
            known = "; ".join(", ".join(names) for names in list(self.layers)[:MOST_NAMED])
            raise BadInput(
                f"layer: not one of: {known}"
                if known
                else "layer: this release has none; leave it out"
            )
        return named[wanted]

    @property
    def estimate(self) -> Cells:
        """The estimated capped total (or mean) of each cell, in grid shape, NaN outside the area.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").estimate.shape
        (6, 6)
        """
        return self.reading.values

    def interval(self, level: float = 0.9) -> tuple[Cells, Cells]:
        """Return (low, high) in grid shape: bounds that hold each cell's capped total (or mean)
        with at least the probability `level`.

        >>> import dpmap as dm
        >>> low, high = dm.open("raptors.dpmap").interval(0.95)
        >>> bool((low <= high)[dm.open("raptors.dpmap").grid.inside].all())
        True
        """
        if not 0 < level < 1:
            raise BadInput("level: a probability between 0 and 1, like 0.9")
        return self.reading.interval(level)

    def distinguishable(self, rate: float = 0.1) -> NDArray[np.bool_]:
        """Return the cells that surely hold something, in grid shape: whose interval at the level
        1 - `rate` leaves out 0.

        Of maps whose intervals rest on the noise alone (of devices, of means, and those above
        400,000 regions) it is the land that noise does not explain, of which at most the share
        `rate` is expected to be there falsely.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").distinguishable().dtype
        dtype('bool')
        """
        return distinguishable(self.reading, rate)

    def to_geodataframe(self, level: float = 0.9) -> "geopandas.GeoDataFrame":
        """Return one polygon per in-area cell, and per layer, with its estimate, its interval at
        `level`, and its area; cells of an official grid have its codes (`eeaCellCode` and others).

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").to_geodataframe().columns.tolist()[:4]
        ['cell', 'estimate', 'low', 'high']
        """
        from dpmap.export.vector import cells_frame

        return self._join_tables(
            lambda map_: cells_frame(map_.single("to_geodataframe"), map_.reading, level)
        )

    def to_xarray(self) -> "xarray.Dataset":
        """Return the cells as a Dataset after the CF conventions; layers as a cube, over time,
        kind or both.

        With rioxarray imported, `data.rio.crs` is the grid's reference system.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").to_xarray().estimate.dims
        ('y', 'x')
        """
        from dpmap.export.raster import layers_to_xarray, to_xarray

        if self.layers:
            axes = [axis for axis in self.grid.axes if axis != self.grid.mean]
            layers = [
                (layer._map.single("to_xarray"), layer.reading)  # noqa: SLF001
                for layer in self.layers.values()
            ]
            return layers_to_xarray(axes, layers)
        return to_xarray(self._map.single("to_xarray"), self.reading)

    def _join_tables(
        self, table: "Callable[[TotalsMap], geopandas.GeoDataFrame]"
    ) -> "geopandas.GeoDataFrame":
        """Return the map's table; for layers their tables one below the other, with columns
        that name the layer, as the survey calls them and as `kind` and `time`.
        """
        if not self.layers:
            return _name_density(table(self._map))
        import pandas as pd

        frames = {
            names: _name_density(table(layer._map))  # noqa: SLF001
            for names, layer in self.layers.items()
        }
        axes = [axis for axis in self.grid.axes if axis != self.grid.mean]
        taken = next(iter(frames.values())).columns
        own_columns = _free_column_names([axis.column for axis in axes], taken)
        columns = _free_column_names(axis_names(axes), [*taken, *own_columns])
        named = [
            frame.assign(
                **dict(zip(own_columns, names, strict=True)),
                **dict(zip(columns, names, strict=True)),
            )
            for names, frame in frames.items()
        ]
        return pd.concat(named, ignore_index=True)

    @one_line
    def patches(self, level: float = 0.9) -> "geopandas.GeoDataFrame":
        """Return the smallest places of which the colour can be told, a partition of the area,
        told ones first, the densest at the top.

        `estimate`, `low` and `high` are capped totals. The map itself chose the places, so
        intervals are as wide as a rehearsal of the whole way needs for the share `level` of the
        `told` ones to hold. A place that is not told holds at most `high`, as surely.
        `distinguishable` places surely hold something: their `low` is above 0.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").patches().columns.tolist()
        ['cells', 'area_km2', 'estimate', 'low', 'high', 'distinguishable', 'density', 'per_km2',
        'told', 'geometry']
        """
        return self._join_tables(lambda map_: map_.patches(level).to_geodataframe())

    @one_line
    def ask(
        self,
        zones: Shapes,
        level: float = 0.9,
        *,
        layer: str | None = None,
        than: float | None = None,
        leave_outside: bool = False,
    ) -> "geopandas.GeoDataFrame":
        """Return the totals of zones with intervals for zones chosen without looking at the map.

        - `zones`: a polygon file, a GeoDataFrame, a shapely geometry or a box in degrees; the
          answer has their own columns and CRS, and a note says where the map cannot tell.
          `distinguishable` zones surely hold something: their `low` is above 0.
        - `level`: how often an interval holds. `low` and `high` are as wide as a rehearsal needs
          for this share of such intervals to hold; `least` and `most` are stricter, and hold at
          least so often whatever the map is like and wherever in a cut cell its points lie.
        - `layer`: of a file of zones, the layer to read.
        - `than`: a number of points; a column `answer` then says whether the zone's interval lies
          wholly above it (surely more), wholly below (surely less) or neither (cannot say). An
          answer is false only where the interval misses the truth, so over land of many kinds in
          about 1 - `level` of the cases at most, which may all be on one side. Surely less is no
          proof of absence. Of means it is the mean that is compared.
        - `leave_outside`: drop zones that lie outside the map; `attrs["left_out"]` names them.

        >>> import dpmap as dm
        >>> answers = dm.open("raptors.dpmap").ask("districts.gpkg")
        >>> len(answers), bool((answers.least <= answers.estimate).all())
        (24, True)
        >>> set(dm.open("raptors.dpmap").ask("districts.gpkg", than=1e6).answer)
        {'surely less'}
        """
        from dpmap.releases.ask import ask

        return self._join_tables(
            lambda map_: ask(
                map_, zones, level=level, layer=layer, than=than, leave_outside=leave_outside
            )
        )

    @one_line
    def draws(self, n: int = 100) -> NDArray[np.float32]:
        """Return `n` whole maps that may be the true one, given all that was answered: an array in
        grid shape with one more, last axis.

        Compute any number of each map, such as a share inside reserves: the middle 90 % of the
        results are its interval. Totals of zones then lie about as `ask` states. No cell is below
        0; cells outside the area are NaN. The maps are the same for everybody, and the first ones
        of many are those of few.

        >>> import dpmap as dm
        >>> maps = dm.open("raptors.dpmap").draws(20)
        >>> maps.shape
        (6, 6, 20)
        """
        return self._map.draws(n)

    @one_line
    def rates(
        self,
        per: Any,
        zones: Shapes | None = None,
        level: float = 0.9,
        *,
        by: Literal["places", "cells"] = "places",
        layer: str | None = None,
        than: float | None = None,
    ) -> "geopandas.GeoDataFrame":
        """Return rates: capped totals by a public amount, such as sightings per hour of effort; it
        costs nothing.

        - `per`: the public amount, a file (`"effort.tif"`, `"habitat.gpkg"`,
          `"districts.gpkg:people"` for a column), a GeoDataFrame, or numbers in the shape of the
          ground. Pixels hold amounts; polygons without a column count as km2, lines as km, points
          as how many they are.
        - `zones`: polygons to answer for, as in `ask`. Without them the rows are the places of
          `patches`, those first whose rate is told.
        - `level`: how often an interval holds.
        - `by`: `"cells"` for each cell by itself, whose rates are mostly noise.
        - `layer`: of a file of zones, the layer to read.
        - `than`: a rate; a column `answer` then says, as in `ask`, on which side of it the rate's
          interval lies, and is false as seldom.

        `estimate`, `low` and `high` are the total's, `per` is the amount there; `rate_low` to
        `rate_high` hold exactly as often as `low` to `high` do, since the amount is public. Where
        there is none of it there is no rate, and a `note` says so.

        >>> import dpmap as dm
        >>> release = dm.open("raptors.dpmap")
        >>> rates = release.rates(release.grid.square_km)
        >>> bool((rates.rate_low <= rates.rate_high).all())
        True
        """
        from dpmap.releases.rates import laid_on, rates

        first = next(iter(self.layers.values()), self)._map  # noqa: SLF001
        laid = laid_on(per, first)
        return self._join_tables(
            lambda map_: rates(map_, laid, zones=zones, by=by, level=level, layer=layer, than=than)
        )

    @one_line
    def hotspots(
        self, threshold: float | None = None, rate: float = 0.1, *, level: float = 0.9
    ) -> "HotSpots | ListedSpots":
        """Find clusters of land truly above a total, or above their surroundings, and return them
        with their totals.

        - `threshold`: the points that a cell must exceed; without it cells are compared with the
          land around them.
        - `rate`: the largest expected share of false ones among the chosen regions.
        - `level`: how often the totals' intervals hold, which they do for clusters as chosen.

        A block of cells measured as one is one test and stands for its mean cell. Those of a sparse
        release are single cells above a threshold.

        >>> import dpmap as dm
        >>> spots = dm.open("raptors.dpmap").hotspots(100)
        >>> spots.to_geodataframe().columns.tolist()[:4]
        ['cluster', 'cells', 'regions', 'estimate']
        """
        return self._map.hot_spots(threshold, rate, level)

    @one_line
    def clearance(self, threshold: float, rate: float = 0.1) -> "Clearance":
        """Tell which land surely holds more than `threshold` points a cell, which surely less, and
        of which the map cannot say.

        - `rate`: a cell is told on a side if its interval at the level 1 - `rate` lies wholly
          there.

        It is the interval that `ask` gives for the cell. Surely less is no proof of absence.

        >>> import dpmap as dm
        >>> shares = dm.open("raptors.dpmap").clearance(30).shares()
        >>> list(shares)
        ['surely more', 'surely less', 'cannot say']
        """
        return self._map.clearance(threshold, rate)


def _name_density(frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
    """Return a table with its densities under the name that they have in all tables; files keep the
    older `per_km2`.
    """
    if "per_km2" in frame and "density" not in frame:
        frame.insert(frame.columns.get_loc("per_km2"), "density", frame["per_km2"])
    return frame


def _free_column_names(columns: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Return names for columns of layers that no column of their table has: the survey may call a
    column as the map does.

    >>> _free_column_names(["species", "estimate"], ["cell", "estimate"])
    ['species', 'layer_estimate']
    """
    held = {name.lower() for name in taken}
    names = []
    for column in columns:
        name = column
        while name.lower() in held:
            name = f"layer_{name}"
        names.append(name)
        held.add(name.lower())
    return names
