"""The mailles of France's national inventory (INPN, SINP): squares of Lambert-93."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.official.base import (
    Codes,
    OfficialSquares,
    begins_within,
    lies_in,
    nearest,
    overlaps,
    steps,
    write_distinct,
)

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

CRS = "EPSG:2154"
NEWER = ("EPSG:9793", "EPSG:9794")
"""Lambert-93 in later realisations of the same system: the same squares to some centimetres, and
another code.
"""
_FORMS = {10_000: (10_000, "03d"), 5000: (1000, "04d"), 2000: (1000, "d"), 1000: (1000, "d")}
"""For each side, what a coordinate is counted in, and how it is written: in the published layers
mailles of 10 km have three digits (E077N623), those of 5 km four (E0740N6945), and finer ones no
leading zero (E370N6526).
"""
ENDS = (0, 6_000_000, 1_300_000, 7_200_000)
"""Where mainland France and Corsica lie in Lambert-93, in metres."""
_UNSURE = (
    "its codes follow examples from users of the published layer, not the layer itself: compare"
    " some before you join tables"
)
GRIDS = tuple(
    OfficialSquares(
        f"maille-{size}km",
        f"mailles of {size} km of Lambert-93, in which French inventories report",
        f"{size} km",
        CRS,
        "code_maille",
        unsure,
    )
    for size, unsure in ((1, _UNSURE), (2, _UNSURE), (5, ""), (10, ""))
)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns the codes of mailles: the side, and the south-west corner; none beyond mainland
    France and Corsica.

    >>> from dpmap.grid import Grid
    >>> codes(
    ...     Grid(bounds=(740000, 6950000, 750000, 6960000), shape=(1, 1), crs="EPSG:2154"),
    ...     np.array([0]),
    ... )["code_maille"].tolist()
    ['10kmL93E074N695']
    """
    position = steps(grid, cells, CRS, tuple(_FORMS))
    if position is None or not overlaps(grid, *ENDS):
        return {}
    side = int(position.side)
    unit, form = _FORMS[side]
    code = write_distinct(
        position.east, lambda x: f"{side // 1000}kmL93E{x * side // unit:{form}}"
    ) + write_distinct(position.north, lambda y: f"N{y * side // unit:{form}}")
    return {"code_maille": np.where(begins_within(position, ENDS), code, "")}


def advice(grid: "Grid") -> str:
    """Says what to change in squares of Lambert-93 that are no mailles."""
    if not lies_in(grid, CRS, *NEWER):
        return ""
    if not overlaps(grid, *ENDS):
        return (
            "the cells lie beyond mainland France and Corsica, where there are no mailles: take"
            " --grid mgrs-10km or qdgc"
        )
    name = nearest(grid, GRIDS, "code_maille")
    if not lies_in(grid, CRS):
        return (
            f"mailles have their codes in {CRS}, and these cells lie in {grid.crs[:40]}: take"
            f" --grid {name}"
        )
    return (
        "the cells are no mailles, whose sides are 1, 2, 5 or 10 km, with edges on whole multiples"
        f" of the side: take --grid {name}"
    )
