"""Offers other sizes of an official grid by their names: cells of any other size have no codes,
and no atlas takes them.
"""

from typing import Any

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.official import find_official_grid, sizes
from dpmap.grid.official.base import Official

FINER = COARSER = 2
"""How many sizes on either side are laid beside the one that is planned."""


def alternatives(
    grid: Grid,
    name: str | None,
    most: int,
    area: Any = None,
    *,
    layer: str | None = None,
    only: str | None = None,
) -> dict[str, Grid]:
    """Returns an official grid and the next sizes of its publisher over the same ground, by their
    names, fine to coarse.

    It is empty where the cells are those of none, and for hexagons that were not asked for by such
    a name. `most` is how many cells a finer one may have; `area` is the ground, where that is known
    by more than the cells themselves.

    >>> here = Grid(
    ...     bounds=(4_200_000, 2_600_000, 4_300_000, 2_700_000), shape=(10, 10), crs="EPSG:3035"
    ... )
    >>> {name: grid.cells_inside for name, grid in alternatives(here, None, 5_000).items()}
    {'eea-2km': 2500, 'eea-5km': 400, 'eea-10km': 100, 'eea-50km': 4}
    """
    one = sizes.called(grid) if name is None else find_official_grid(name)
    if one is None or (name is None and grid.kind == "hexagons"):
        return {}
    family = sizes.family(one.name)
    at = family.index(one)
    finer = [
        other
        for other in family[max(0, at - FINER) : at]
        if grid.cells_inside * _times(one, other) <= most
    ]
    others = (*finer, one, *family[at + 1 : at + 1 + COARSER])
    ground = _ground(grid) if area is None else area
    grids = {
        other.name: grid if other is one else _lay_size(other, ground, layer, only)
        for other in others
    }
    laid = {sizes.sized(name): made for name, made in grids.items() if made is not None}
    return {words: made for words, made in laid.items() if made is grid or made.cells_inside > 1}


def _lay_size(other: Any, ground: Any, layer: str | None, only: str | None) -> Grid | None:
    """Lays another size over the ground; None where that would be too many cells for its
    publisher's grid, as of MGRS across UTM zones.
    """
    try:
        made: Grid = other.covering(ground, layer=layer, only=only)
    except BadInput:
        return None
    return made


def _times(one: Official, finer: Official) -> float:
    """Returns about how many cells of a finer grid lie in a cell of this one."""
    own_side = sizes.side(one)
    other = sizes.side(finer)
    return 1.0 if own_side is None or other is None else (own_side[0] / other[0]) ** 2


def _ground(grid: Grid) -> Any:
    """Returns the ground of all cells in the area, as a frame that knows where it lies."""
    import geopandas as gpd
    import shapely

    return gpd.GeoDataFrame(geometry=[shapely.union_all(grid.polygons())], crs=grid.crs)
