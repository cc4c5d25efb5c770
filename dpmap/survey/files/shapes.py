"""Finds a point for each shape of a column, one by one; odd, broken, vast or endlessly nested
shapes have none.
"""

import re
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

Sides = tuple[NDArray[np.float64], NDArray[np.float64]]

DEEPEST = 16
"""A shape within shapes within shapes, more than this often, is none: the geometry library would
follow it until it dies.
"""
LARGEST = 16 << 20
"""No shape of a record takes more bytes than this, about a million corners."""

_POINT = 1
_MULTIPOINT = 4
_COLLECTION = 7
_FLAT = frozenset(
    struct.pack("<BI", 1, kind + more)
    for kind in (1, 2, 3)
    for more in (0, 1000, 2000, 3000, 1 << 31)
)
"""The first bytes of shapes in which no other can be nested."""
_Z = 1 << 31
_M = 1 << 30
_SRID = 1 << 29


def points(shapes: "pa.Array", *, surface: bool) -> Sides:
    """Returns east and north of each shape, NaN if it has no point; for other shapes than points, a
    point on them if asked.

    Which shapes are texts (WKT) and which are bytes (WKB) is told by the column's type.
    """
    import pyarrow as pa

    if (
        pa.types.is_string(shapes.type)
        or pa.types.is_large_string(shapes.type)
        or pa.types.is_string_view(shapes.type)
    ):
        return _of_texts(shapes.to_pylist(), surface=surface)
    if not (pa.types.is_binary(shapes.type) or pa.types.is_large_binary(shapes.type)):
        shapes = shapes.cast(pa.binary())
    return _of_bytes(shapes, surface=surface)


def _of_texts(texts: list[str | None], *, surface: bool) -> Sides:
    """Returns the points of WKT texts."""
    import shapely

    sane = np.array(
        [text if text is not None and _shallow_text(text) else None for text in texts], dtype=object
    )
    return _sides(
        _convert_each(lambda some: shapely.from_wkt(some, on_invalid="ignore"), sane),
        surface=surface,
    )


def _shallow_text(text: str) -> bool:
    """Whether brackets are nested no deeper than in a real shape."""
    if len(text) > LARGEST:
        return False
    if text.count("(") <= DEEPEST:
        return True
    deep = 0
    for mark in re.finditer("[()]", text):
        deep += 1 if mark[0] == "(" else -1
        if deep > DEEPEST:
            return False
    return True


def _of_bytes(shapes: "pa.Array", *, surface: bool) -> Sides:
    """Returns the points of WKB: plain points all at once, the rest one by one."""
    import shapely

    x, y, left = _plain_points(shapes)
    if not len(left):
        return x, y
    rest = [shapes[at].as_py() for at in left.tolist()]
    if surface:
        sane = np.array([one if _shallow(one) else None for one in rest], dtype=object)
        x[left], y[left] = _sides(
            _convert_each(lambda some: shapely.from_wkb(some, on_invalid="ignore"), sane),
            surface=True,
        )
    else:
        x[left], y[left] = (
            np.array([_lone_point(one) for one in rest], dtype=np.float64).reshape(-1, 2).T
        )
    return x, y


def _plain_points(
    shapes: "pa.Array",
) -> "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]":
    """Returns east and north of the plain points, with or without height, and which shapes are
    something else.
    """
    count = len(shapes)
    x = np.full(count, np.nan)
    y = np.full(count, np.nan)
    there, ends, held = shapes.buffers()
    if not count or held is None:
        return x, y, np.array([], dtype=np.int64)
    wide = np.int64 if str(shapes.type).startswith("large") else np.int32
    bounds = np.frombuffer(ends, wide, count + 1, wide().itemsize * shapes.offset).astype(np.int64)
    data = np.frombuffer(held, np.uint8)
    start = bounds[:-1]
    size = np.diff(bounds)
    exists = np.ones(count, dtype=bool)
    if there is not None:
        bits = np.unpackbits(np.frombuffer(there, np.uint8), bitorder="little")
        exists = bits[shapes.offset : shapes.offset + count] != 0
    rows = np.flatnonzero(exists & ((size == 21) | (size == 29) | (size == 37)))
    heads = _gather_bytes(data, start[rows], size[rows], 0, 5)
    kind = np.ascontiguousarray(heads[:, 1:]).view("<u4").ravel().astype(np.int64)
    bare = kind & ~(_Z | _M)
    high = (((kind & _Z) != 0) | np.isin(bare, (1001, 3001))).astype(np.int64)
    high += ((kind & _M) != 0) | np.isin(bare, (2001, 3001))
    point = (
        (heads[:, 0] == 1) & np.isin(bare, (1, 1001, 2001, 3001)) & (size[rows] == 21 + 8 * high)
    )
    if not point.all():
        rows = rows[point]
    sides = (
        np.ascontiguousarray(_gather_bytes(data, start[rows], size[rows], 5, 21))
        .view("<f8")
        .reshape(-1, 2)
    )
    x[rows], y[rows] = sides.T
    exists[rows] = False
    return x, y, np.flatnonzero(exists)


def _gather_bytes(
    data: NDArray[np.uint8],
    start: NDArray[np.int64],
    size: NDArray[np.int64],
    first: int,
    last: int,
) -> NDArray[np.uint8]:
    """Returns some bytes of each shape; as a plain block where shapes of one size follow each
    other.
    """
    if (
        len(start)
        and start[-1] - start[0] == (len(start) - 1) * size[0]
        and (np.diff(start) == size[0]).all()
    ):
        whole = data[start[0] : start[-1] + size[-1]]
        if len(whole) == len(start) * size[0]:
            return whole.reshape(len(start), -1)[:, first:last]
    gathered: NDArray[np.uint8] = data[start[:, None] + np.arange(first, last)]
    return gathered


def _lone_point(raw: bytes) -> tuple[float, float]:
    """Returns east and north of a point, or of a collection's only point, in any form of WKB."""
    try:
        order, kind, corner, at = _head(raw, 0)
        if kind == _MULTIPOINT and struct.unpack_from(f"{order}I", raw, at) == (1,):
            order, kind, corner, at = _head(raw, at + 4)
        if kind == _POINT and at + corner <= len(raw):
            x, y = struct.unpack_from(f"{order}dd", raw, at)
            return x, y
    except (struct.error, IndexError):
        pass
    return np.nan, np.nan


def _head(raw: bytes, at: int) -> tuple[str, int, int, int]:
    """Reads a shape's head: the byte order, its kind (0: none), the bytes of a corner, and where
    its content begins.
    """
    order = ">" if raw[at] == 0 else "<"
    (kind,) = struct.unpack_from(f"{order}I", raw, at + 1)
    iso, bare = divmod(kind & ~(_Z | _M | _SRID), 1000)
    corner = 16 + 8 * (bool(kind & _Z) or iso in (1, 3)) + 8 * (bool(kind & _M) or iso in (2, 3))
    return order, bare if iso < 4 and raw[at] < 2 else 0, corner, at + (9 if kind & _SRID else 5)


def _shallow(raw: bytes) -> bool:
    """Whether the bytes are points, lines and polygons nested no deeper than real shapes are."""
    if len(raw) > LARGEST:
        return False
    if raw[:5] in _FLAT:
        return True
    at = 0
    left = [1]
    try:
        while left:
            if not left[-1]:
                left.pop()
                continue
            left[-1] -= 1
            order, kind, corner, at = _head(raw, at)
            if _MULTIPOINT <= kind <= _COLLECTION:
                left.extend(struct.unpack_from(f"{order}I", raw, at))
                at += 4
            elif kind == _POINT:
                at += corner
            elif kind in (2, 3):
                at = past_lines(raw, at, order, corner, rings=kind == 3)
            else:
                return False
            if len(left) > DEEPEST or at > len(raw):
                return False
    except (struct.error, IndexError):
        return False
    return True


def past_lines(raw: bytes, at: int, order: str, corner: int, *, rings: bool) -> int:
    """Returns where a line, or a polygon's last ring, ends."""
    lines = 1
    if rings:
        (lines,) = struct.unpack_from(f"{order}I", raw, at)
        at += 4
    for _ in range(lines):
        (line_count,) = struct.unpack_from(f"{order}I", raw, at)
        at += 4 + corner * line_count
    return at


def _sides(read: NDArray[Any], *, surface: bool) -> Sides:
    """Returns east and north of the shapes that the geometry library has read."""
    import shapely

    single = (shapely.get_type_id(read) == _MULTIPOINT) & (shapely.get_num_geometries(read) == 1)
    read[single] = shapely.get_geometry(read[single], 0)
    read[shapely.is_empty(read)] = None
    if surface:
        other = np.flatnonzero(~shapely.is_missing(read) & (shapely.get_type_id(read) != 0))
        read[other] = _on_surface(read[other])
    return shapely.get_x(read), shapely.get_y(read)


def _on_surface(shapes: NDArray[Any]) -> NDArray[Any]:
    """Returns a point on each shape; none for one that has a corner at infinity or that the
    library cannot handle.
    """
    import shapely

    corners, owner = shapely.get_coordinates(shapes, return_index=True)
    shapes[np.unique(owner[~np.isfinite(corners).all(axis=1)])] = None
    with np.errstate(all="ignore"):
        return _convert_each(shapely.point_on_surface, shapes)


def _convert_each(
    act: "Callable[[NDArray[Any]], NDArray[Any]]", values: NDArray[Any]
) -> NDArray[Any]:
    """Converts each value with the geometry library; returns None for one that it cannot read."""
    import shapely

    if not len(values):
        return values
    try:
        return np.asarray(act(values), dtype=object)
    except (shapely.errors.GEOSException, NotImplementedError):  # the latter for curves
        if len(values) == 1:
            return np.array([None], dtype=object)
        half = len(values) // 2
        return np.concatenate(
            [_convert_each(act, values[:half]), _convert_each(act, values[half:])]
        )
