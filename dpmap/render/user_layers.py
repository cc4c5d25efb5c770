"""Reads layers of the reader's own as context: roads, parks, whatever is public, printed as it is.

They are declared, never looked for. They are read, cut to the map's reach and found small enough
before anything is drawn; `dpmap release` does so before it spends anything.
"""

import filecmp
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, MissingFile, SystemFailed
from dpmap.geography.natural_earth import clip_shapes
from dpmap.gis_files.vector import opened_layers
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.render import natural_earth as background
from dpmap.statement.phrases import clean
from dpmap.stores import is_url, local_copy, spell, split_url

Context = Any
"""True or False for the bundled background; a file, FILE:LAYER or GeoDataFrame, or a list of
these, to be drawn on it.
"""
MOST_FEATURES = 20_000
MOST_VERTICES = 80_000
"""In the map's reach: what a page can carry in some 2 MB."""
TOO_MANY = 4_000_000
LONGEST = 40
"""Characters of a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """Holds a layer's shapes in degrees (EPSG:4326), with a name for each or an empty text."""

    title: str
    shapes: NDArray[Any]
    names: tuple[str, ...]

    def parts(self, dimension: int) -> NDArray[Any]:
        """Return the points (0), lines (1) or areas (2)."""
        import shapely

        parts = shapely.get_parts(self.shapes)
        while (shapely.get_type_id(parts) == shapely.GeometryType.GEOMETRYCOLLECTION).any():
            parts = shapely.get_parts(parts)
        drawn_parts: NDArray[Any] = parts[
            (shapely.get_dimensions(parts) == dimension) & ~shapely.is_empty(parts)
        ]
        return drawn_parts


def read_layers(context: Context, grid: Grid) -> tuple[Own, ...]:
    """Return the layers that a `context` names, cut to the map's reach; none for True and
    False.
    """
    if isinstance(context, bool):
        return ()
    one = isinstance(context, str | os.PathLike | Own) or hasattr(context, "geometry")
    if not one and not isinstance(context, Sequence):
        raise BadInput(
            "context: True, False, or a list of files, like context=['roads.gpkg',"
            " 'parks.gpkg:NAME']"
        )
    layers = tuple(
        layer if isinstance(layer, Own) else _read_layer(layer, grid)
        for layer in ([context] if one else context)
    )
    vertices = sum(_vertices(layer) for layer in layers)
    if vertices > MOST_VERTICES:
        raise BadInput(
            f"context: {vertices:,} vertices in the map's reach, above the {MOST_VERTICES:,} that a"
            " page holds; give fewer or simpler features"
        )
    return layers


def read_once(context: Context, grid: Grid) -> Context:
    """Return a `context` with its files read, for maps of one area that are drawn one after the
    other.
    """
    return context if isinstance(context, bool) else read_layers(context, grid)


def titles(context: Context) -> list[str]:
    """Return what the credit calls the layers of a `context`, each once."""
    if isinstance(context, bool):
        return []
    one = isinstance(context, str | os.PathLike | Own) or hasattr(context, "geometry")
    return list(dict.fromkeys(_title(given) for given in ([context] if one else context)))


def _title(given: Any) -> str:
    """Return a layer's name: that of its file, or a word."""
    if isinstance(given, Own):
        return given.title
    return (
        clean(os.path.basename(spell(_file_and_layer(given)[0])))
        if isinstance(given, str | os.PathLike)
        else "a layer of ours"
    )


PRINTED = "context is printed as it is, so give public layers only"


def refuse_survey(
    context: Iterable[str],
    *private: "str | os.PathLike[str] | None",
    flag: str = "--context",
    why: str = PRINTED,
) -> None:
    """Refuse a public file that is the survey's own, or stands in its folder or beside it under
    its name.
    """
    for given in context:
        path = Path(spell(_file_and_layer(given)[0]))
        for survey in private:
            same_url = is_url(path) and survey is not None and spell(path) == spell(survey)
            if survey is not None and (same_url or _same_content(path, Path(survey))):
                raise BadInput(
                    f"{flag}: {path.name} is the survey itself, or lies under its name; {why}"
                )


def layer_labels(
    layers: Iterable[Own], box: background.Box | None = None
) -> list[tuple[str, tuple[float, float], bool]]:
    """Return each name of each layer once, with a place on its largest feature in a box of degrees
    and whether that is a point; the longest and largest first, then the points without a name.
    """
    import shapely

    best: dict[tuple[int, str], tuple[float, Any]] = {}
    unnamed: list[Any] = []
    for number, layer in enumerate(layers):
        shapes = layer.shapes if box is None else clip_shapes(layer.shapes, box)
        for shape, name in zip(shapes, layer.names, strict=True):
            dimension = shapely.get_dimensions(shape)
            size = 1e4 * dimension + max(shape.area, shape.length)
            if not name and dimension == 0 and not shape.is_empty:
                unnamed += list(shapely.get_parts([shape]))
            elif name and not shape.is_empty and size > best.get((number, name), (-1.0, None))[0]:
                best[number, name] = (size, shape)
    columns = sorted(((name, *sized) for (_, name), sized in best.items()), key=lambda one: -one[1])
    features = [*((name, shape) for name, _, shape in columns), *(("", shape) for shape in unnamed)]
    return [
        (name, _place(shape), bool(shapely.get_dimensions(shape) == 0)) for name, shape in features
    ]


def _place(shape: Any) -> tuple[float, float]:
    """Return a place on a shape: half-way along its longest line, or within its largest area."""
    import shapely

    parts = shapely.get_parts([shape])
    part = parts[int(np.argmax(np.maximum(shapely.area(parts), shapely.length(parts))))]
    line = part.geom_type == "LineString"
    at = (
        shapely.line_interpolate_point(part, 0.5, normalized=True)
        if line
        else shapely.point_on_surface(part)
    )
    return float(at.x), float(at.y)


def _same_content(path: Path, survey: Path) -> bool:
    """Whether a file is the survey or a copy of it, a part of it, or beside it under its name."""
    try:
        if path.exists() and survey.exists() and path.samefile(survey):
            return True
        layer_path = path.resolve()
        there = survey.resolve()
    except (OSError, ValueError):  # a path of null bytes
        return False
    if (survey.is_dir() and there in layer_path.parents) or _copied(path, survey):
        return True
    return layer_path.parent == there.parent and layer_path.stem.casefold() == there.stem.casefold()


def _copied(path: Path, survey: Path) -> bool:
    """Whether two files hold the same bytes."""
    both = path.is_file() and survey.is_file()
    return (
        both
        and path.stat().st_size == survey.stat().st_size
        and filecmp.cmp(path, survey, shallow=False)
    )


def _read_layer(given: Any, grid: Grid) -> Own:
    """Read one layer."""
    grid = _light(grid)
    reach = background.lonlat_box(grid, margin=background.AROUND)
    if hasattr(given, "geometry") and hasattr(given, "crs"):
        if given.crs is None:
            raise BadInput(
                "context: the layer has no CRS; set one, for example with .set_crs('EPSG:4326')"
            )
        column = (
            _name_column([str(name) for name in given.columns])
            if hasattr(given, "columns")
            else None
        )
        names = (
            given.iloc[:, [str(name) for name in given.columns].index(column)]
            if column
            else [None] * len(given)
        )
        return _cut(
            "a layer of ours",
            np.asarray(given.geometry.array),
            list(names),
            crs_tools.text_of(given.crs),
            reach,
            grid,
        )
    if not isinstance(given, str | os.PathLike):
        raise BadInput(
            "context: give files, FILE:LAYER or GeoDataFrames, like context=['roads.gpkg']"
        )
    path, layer = _file_and_layer(given)
    with local_copy(path, "context") as file:
        return _cut(*_from_file(os.fspath(file), layer, reach), reach, grid)


def _light(grid: Grid) -> Grid:
    """Return a grid that is light to frame: one cell over the bounds where the cells themselves
    are too many to hold.
    """
    ground = grid.ground
    if isinstance(ground.cells, Squares) and ground.size > TOO_MANY:
        return Grid(bounds=ground.cells.bounds, shape=(1, 1), crs=ground.crs)
    return ground


def _file_and_layer(given: "str | os.PathLike[str]") -> tuple[str, str | None]:
    """Parts FILE:LAYER, where FILE alone is no file of this machine."""
    if is_url(given):
        url, words = split_url(given)
        return url, ":".join(words) or None
    text = os.fspath(given)
    file, colon, layer = text.rpartition(":")
    if os.path.exists(text) or not colon or not os.path.exists(file):
        return text, None
    return file, layer or None


def _from_file(
    path: str, layer: str | None, reach: background.Box
) -> tuple[str, NDArray[Any], list[Any], str]:
    """Read the features of a file that may lie in the map's reach: title, shapes, names and
    CRS.
    """
    import shapely

    name = "".join(mark if mark.isprintable() else " " for mark in os.path.basename(path) or path)
    if os.path.isdir(path) and not path.endswith(".gdb"):
        raise BadInput(f"context: {name} is a folder; give a file with a layer, such as roads.gpkg")
    if not os.path.exists(path):
        raise MissingFile(
            f"context: there is no file {name}; check its path (a layer in it is named FILE:LAYER)"
        )
    try:
        with opened_layers(path, layer, "context") as file:
            layer = _one_of(file.names(), layer, name)
            info = file.info(layer)
            crs = crs_tools.text_of(info["crs"]) if info["crs"] else None
            column = _name_column([str(field) for field in info["fields"]])
            columns = [column] if column else []
            _, _, geometry, fields = file.read(
                layer, columns=columns, max_features=MOST_FEATURES + 1, bbox=_box_in(reach, crs)
            )
        shapes = shapely.from_wkb(geometry)
    except (BadInput, SystemFailed):
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"context: {name} cannot be read as a layer; give a GeoPackage, GeoJSON or shapefile,"
            " or leave it out"
        ) from None
    if crs is None:
        raise BadInput(
            f"context: {name} has no CRS; save it again with one, as a GeoPackage for example, or"
            " in Python give a GeoDataFrame"
        )
    if len(shapes) > MOST_FEATURES:
        raise BadInput(
            f"context: {name} has more than {MOST_FEATURES:,} features in the map's reach; give"
            " fewer, like major roads only"
        )
    return name, shapes, list(fields[0]) if column else [None] * len(shapes), crs


def _one_of(layers: list[str], wanted: str | None, name: str) -> str:
    """Return the layer that is meant."""
    if wanted is None and len(layers) == 1:
        return layers[0]
    names = ", ".join(layers[:8])
    if not layers:
        raise BadInput(
            f"context: {name} has no layer with shapes; give another file, or leave it out"
        )
    if wanted is None:
        raise BadInput(
            f"context: {name} has several layers ({names}); name one, like {name}:{layers[0]}"
        )
    if wanted not in layers:
        raise BadInput(f"context: {name} has no layer of that name; it has {names}")
    return wanted


def _name_column(fields: list[str]) -> str | None:
    """Return the column called name, in whatever case."""
    return next((field for field in fields if field.casefold() == "name"), None)


def _box_in(reach: background.Box, crs: str | None) -> background.Box | None:
    """Return the map's reach in a layer's own CRS; None, to read all, where that cannot be
    said.
    """
    if crs is None or crs_tools.is_lonlat(crs):
        return None if crs is None else reach
    along = np.linspace(0, 1, 33)
    west, south, east, north = reach
    x, y = (
        side.ravel()
        for side in np.meshgrid(west + (east - west) * along, south + (north - south) * along)
    )
    there = np.array(crs_tools.transform(x, y, crs_tools.LONLAT, crs))
    if not np.isfinite(there).all():
        return None
    return tuple(  # type: ignore[return-value]
        float(side) for side in (*there.min(axis=1), *there.max(axis=1))
    )


def _cut(
    title: str, shapes: NDArray[Any], names: list[Any], crs: str, reach: background.Box, grid: Grid
) -> Own:
    """Cut shapes to the map's reach and simplifies them to what a picture can show."""
    import shapely

    west, south, east, north = background.lonlat_box(grid)
    present = ~shapely.is_missing(shapes)
    placed = shapely.force_2d(crs_tools.transform_shapes(shapes[present], crs, crs_tools.LONLAT))
    sound = np.isfinite(shapely.bounds(placed)).all(axis=1)
    placed = shapely.make_valid(placed[sound])
    cut = shapely.simplify(clip_shapes(placed, reach), max(east - west, north - south) / 3000)
    there = ~shapely.is_empty(cut)
    if not there.any():
        raise BadInput(
            f"context: {title} has nothing in the map's reach; check its CRS, or leave it out"
        )
    words = [
        # NaN differs from itself
        ""
        if name is None or name != name  # noqa: PLR0124
        else clean(str(name)).strip()[:LONGEST]
        for name in names
    ]
    left = np.flatnonzero(present)[sound][there]
    return Own(title, cut[there], tuple(words[i] for i in left))


def _vertices(layer: Own) -> int:
    """Count a layer's vertices."""
    import shapely

    return int(shapely.get_num_coordinates(layer.shapes).sum())
