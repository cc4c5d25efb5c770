"""Keeps an area that was drawn or typed by its corners: a file of one polygon, in degrees."""

import json
import os
import stat
from pathlib import Path
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.numbers import real
from dpmap.studio.folder import BrowsedFolder

Corner = tuple[float, float]
STEM = "area"
ENDING = ".geojson"
OURS = {"name": "the drawn area"}
"""What a drawn area says of itself, by which it is told from a file of the user's own that is
called alike.
"""
LONGEST = 1 << 20
MOST = 5_000


def corners_of(text: str) -> list[Corner]:
    r"""Reads corners as they are typed, a longitude and a latitude a line; the last need not repeat
    the first.

    >>> corners_of("-1.5 40\n-1 40\n-1, 40.5\n")
    [(-1.5, 40.0), (-1.0, 40.0), (-1.0, 40.5)]
    """
    corners = [_corner(line, at) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if len(set(corners)) < 3 or len(corners) > MOST:
        raise BadInput(
            f"corners: an area has from three to {MOST:,} of them, a line each, like -1.72 40.55"
        )
    return corners


def box(west: str, south: str, east: str, north: str) -> list[Corner]:
    """Returns the corners of an area between four sides in degrees."""
    left, low = _corner(f"{west} {south}", 1, "west and south")
    right, top = _corner(f"{east} {north}", 1, "east and north")
    if left >= right or low >= top:
        raise BadInput("sides: west must be less than east, and south less than north, in degrees")
    return [(left, low), (right, low), (right, top), (left, top)]


def _corner(line: str, at: int, what: str = "") -> Corner:
    parts = line.replace(",", " ").replace(";", " ").split()
    try:
        lon, lat = (real(part) for part in parts)
    except ValueError:
        lon = 999.0
        lat = 999.0
    if not (-180 <= lon <= 180 and -90 <= lat <= 90):
        raise BadInput(
            f"{what or f'corners, line {at}'}: write a longitude from -180 to 180 and a latitude"
            " from -90 to 90, like -1.72 40.55; metres belong into “A grid that I know by its"
            " sides”"
        )
    return lon, lat


def find_drawn(folder: BrowsedFolder, corners: list[Corner]) -> str:
    """Returns the file in which an area of these corners was kept before, or nothing."""
    names = (
        one.name for one in folder.files(ENDING) if same(read_corners(folder, one.name), corners)
    )
    return next(names, "")


def write_area(folder: BrowsedFolder, corners: list[Corner]) -> str:
    """Writes an area of these corners under a name that is free, and returns the name."""
    name = folder.free(STEM, ENDING)
    turning = sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    ring = corners if turning > 0 else corners[::-1]  # outer rings go against the clock
    shape = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    features = [{"type": "Feature", "properties": OURS, "geometry": shape}]
    with written_aside(folder.path / name) as aside:
        aside.write_text(
            json.dumps({"type": "FeatureCollection", "features": features}) + "\n", encoding="utf-8"
        )
    return name


def read_corners(folder: BrowsedFolder, name: str) -> list[Corner]:
    """Returns the corners of an area that was written here; none if the file is another's."""
    if not (name.startswith(STEM) and name.endswith(ENDING)) or "/" in name:
        return []
    try:
        layer: Any = json.loads(_text(folder.path / name))
        (feature,) = layer["features"]
        ((*ring, _),) = feature["geometry"]["coordinates"]
        is_ours = (
            feature["properties"] == OURS
            and feature["geometry"]["type"] == "Polygon"
            and "crs" not in layer
        )
        corners = [(float(lon), float(lat)) for lon, lat in ring]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return []
    in_degrees = all(-180 <= lon <= 180 and -90 <= lat <= 90 for lon, lat in corners)
    return corners if is_ours and in_degrees else []


def _text(path: Path) -> str:
    """Reads a file's start; one that is no plain file, such as a pipe that nobody writes to, is
    not waited for.
    """
    if not stat.S_ISREG(os.stat(path, follow_symlinks=False).st_mode):
        raise OSError
    with open(path, "rb", opener=_at_once) as file:
        return file.read(LONGEST).decode("utf-8")


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def sides(corners: list[Corner]) -> tuple[float, float, float, float] | None:
    """Returns west, south, east and north of corners that are a box; nothing of others.

    >>> sides([(0, 0), (2, 0), (2, 1), (0, 1)]), sides([(0, 0), (2, 0), (1, 1)])
    ((0, 0, 2, 1), None)
    """
    lons, lats = ({corner[axis] for corner in corners} for axis in (0, 1))
    if not len(corners) == len(set(corners)) == 4 or len(lons) != 2 or len(lats) != 2:
        return None
    return min(lons), min(lats), max(lons), max(lats)


def same(some: list[Corner], others: list[Corner]) -> bool:
    """Whether these are the same corners in the same order, begun anywhere and walked either way.

    >>> same([(0, 0), (2, 0), (1, 1)], [(2, 0), (0, 0), (1, 1)])
    True
    """
    if len(some) != len(others) or set(some) != set(others) or not some:
        return False
    ways = (way[at:] + way[:at] for way in (others, others[::-1]) for at in range(len(others)))
    return any(way == some for way in ways)
