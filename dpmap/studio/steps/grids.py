"""Offers official grids: for which land each is, and which one is usual for an area that is
known.
"""

from collections.abc import Sequence
from importlib.util import find_spec

LANDS = {
    "os": "Great Britain: Ordnance Survey",
    "irish": "Ireland: Irish Grid",
    "maille": "France: mailles",
    "eea": "Europe: the European Environment Agency",
    "eurostat": "Europe: Eurostat",
    "pentad": "Africa: pentads of the bird atlases",
    "qdgc": "Everywhere: quarter degree cells",
    "dms": "Everywhere: minutes of a degree",
    "mgrs": "Everywhere: MGRS",
    "h3": "Everywhere: H3 hexagons",
}
"""How grids of each name begin, and the land that they are for."""
USUAL = {
    "Ireland": ("irish-10km", "eea-10km"),
    "Great Britain": ("os-hectad", "eea-10km"),
    "Europe": ("eea-10km",),
    "Africa": ("pentad", "qdgc"),
    "elsewhere": ("qdgc", "pentad"),
}
"""The grids that most atlases of a land ask for, the usual one first."""
BOXES = (
    ("Ireland", (-10.8, 51.3, -5.3, 55.45)),
    ("Great Britain", (-8.8, 49.8, 1.9, 61.0)),
    ("Africa", (-2.0, 30.0, 11.6, 37.5)),
    ("Europe", (-25.0, 34.5, 45.0, 72.0)),
    ("Africa", (-26.0, -36.0, 52.0, 37.5)),
)
"""Lands by west, south, east and north in degrees: the first that holds a place counts."""


SMALLEST = 100.0
"""Cells with shorter sides, in metres, are not offered: the command line takes them by their
names.
"""


def land(lon: float, lat: float) -> str:
    """Returns the land, of those that have grids of their own, where a place lies.

    >>> land(-3.5, 55.0), land(-6.5, 54.6), land(13.4, 52.5), land(36.8, -1.3), land(-70, 10)
    ('Great Britain', 'Ireland', 'Europe', 'Africa', 'elsewhere')
    """
    return next(
        (name for name, (w, s, e, n) in BOXES if w <= lon <= e and s <= lat <= n), "elsewhere"
    )


def usual(lon: float, lat: float) -> list[str]:
    """Lists the grids that are usual where a place lies, the first one first."""
    from dpmap.grid.official import NAMES

    return [name for name in USUAL[land(lon, lat)] if name in NAMES]


def offer_grids(
    first: Sequence[str] = (), chosen: str = ""
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the official grids as a list shows them: by land, those that are `first` on top; each
    by its name, and its size where the name does not say it. Of two names for the same cells one
    stands there: the one that is `chosen` or `first`, else the first of them.
    """
    from dpmap.grid.official import NAMES, sizes

    top = [chosen if chosen in NAMES and _cells(chosen) == _cells(name) else name for name in first]
    shown = {
        _cells(name): name
        for name in reversed([*top, chosen, *(name for name in NAMES if _large(name))])
        if name in NAMES
    }
    groups: dict[str, list[tuple[str, str]]] = {
        "Usual for this land": [(name, sizes.sized(name)) for name in top]
    }
    for begin in sorted({name.partition("-")[0] for name in NAMES}, key=_place):
        names = [
            name
            for name in NAMES
            if name in shown.values() and name not in top and name.partition("-")[0] == begin
        ]
        groups[LANDS.get(begin, begin)] = [(name, sizes.sized(name)) for name in names]
    if find_spec("h3") is None and not chosen.startswith("h3"):
        groups.pop(LANDS["h3"], None)
    return [(words, names) for words, names in groups.items() if names]


def _cells(name: str) -> tuple[object, ...]:
    """Returns what two names have in common that stand for the same cells."""
    from dpmap.grid.official import find_official_grid, sizes

    one = find_official_grid(name)
    return one.column, one.crs, sizes.side(one)


def _large(name: str) -> bool:
    """Whether a grid's cells are of a size that maps of sightings have."""
    from dpmap.grid.official import find_official_grid, sizes

    size = sizes.side(find_official_grid(name))
    return size is None or size[1] or size[0] >= SMALLEST


def _place(begin: str) -> int:
    return list(LANDS).index(begin) if begin in LANDS else len(LANDS)
