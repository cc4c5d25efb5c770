"""Makes the page of a comparison: both maps in the same classes with a slider between them, and
the change; it fetches nothing.
"""

import os
import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.inference import Estimate, distinguishable
from dpmap.maps import read_map
from dpmap.record import Record
from dpmap.render.changes import (
    AS_A_WHOLE,
    MOST_NAMED,
    MOST_OUTLINED,
    UNTOLD,
    ShownChanges,
    names_of,
    row_of_cells,
    whole_class,
)
from dpmap.render.html_page import ROOM, page_of
from dpmap.render.page_data import LARGEST, on_dark, shared_edges, sizes_of
from dpmap.render.page_geometry import Facts, array, bits, extent, geometry, rings, together
from dpmap.render.page_geometry import context as around
from dpmap.render.user_layers import Context
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import both_titles, noun
from dpmap.templates import fill_page

MOST_ROWS = 200
"""Rows of the table; a layer (`--to change.gpkg`) has all."""
FINEST = 3000
"""Zones and outlines are simplified to so many steps along the map's longer side."""
Estimates = tuple[Estimate, Estimate]


class ChangesPage:
    """Holds the page of a comparison: a notebook shows it inline, and `save` writes it as one
    file.
    """

    def __init__(self, shown: ShownChanges, estimates: Estimates, context: Context) -> None:
        self.title = shown.title
        self.text = page_of(
            "changes",
            facts(shown, estimates, context),
            f"map_{secrets.token_hex(16)}",
            title=f"{shown.title}: private maps",
        )

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the page to a file."""
        from dpmap.atomic_write import written_aside

        with written_aside(path) as aside:
            aside.write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        """Return the page in a sandboxed frame: in a notebook it can reach neither the notebook
        nor the network.
        """
        return fill_page(ROOM, "frame.html", page=self.text, title=self.title)


def facts(shown: ShownChanges, estimates: Estimates, context: Context) -> Facts:
    """Return everything that the page needs: the two maps, the changes, the table and the
    words.
    """
    for record in shown.records:
        _check(record)
    grid = shown.records[1].grid
    change = _change(shown, grid)
    alike = _have_same_cells(shown.records)
    geometries = [None if alike else geometry(record.grid) for record in shown.records]
    edges = shared_edges(
        list(zip(shown.records, estimates, strict=True)), level=shown.level, per_km2=True
    )
    titles = both_titles(*shown.records)
    sides = [_side(*one, edges, shown.level) for one in zip(shown.records, estimates, strict=True)]
    return {
        "title": shown.title,
        "counted": shown.counted,
        "called": shown.called,
        "noun": noun(shown.records[1]),
        "level": shown.level,
        "provenance": shown.provenance,
        "capped": map_statement(shown.records[1]).capped_words(),
        "words": [*shown.words.values(), *shown.notes],
        "geometry": geometries[1] or geometry(grid),
        "before_geometry": geometries[0],
        "context": around(grid, context),
        "tiles": None,
        "before": {"title": titles[0], **sides[0]},
        "after": {"title": titles[1], **sides[1]},
        "classes": _classes(shown.records[1], edges, sides),
        "change": change,
        "table": _table(shown, grid),
    }


def _check(record: Record) -> None:
    """Refuse maps that no page shows."""
    if not read_map(record).draw_options()["page"]:
        raise BadInput(
            "a page with a slider shows maps of totals; write a picture of these, like --to"
            " change.png"
        )
    if record.grid.size > LARGEST:
        raise BadInput(
            f"a page with a slider: {record.grid.size:,} cells, above the {LARGEST:,} a browser"
            " holds; write a picture, like --to change.png"
        )


def _have_same_cells(records: tuple[Record, Record]) -> bool:
    """Whether both maps have the very same cells."""
    one, other = (record.grid for record in records)
    return one is other or (one == other and np.array_equal(one.inside, other.inside))


def _side(record: Record, estimate: Estimate, edges: list[float], level: float) -> Facts:
    """Return one map: the place of each cell, and the class of each place; without places each
    cell's own.
    """
    inside = record.grid.inside
    if read_map(record).parted:
        patches = read_map(record).patches(level)
        sizes = sizes_of(patches, per_km2=True)
        place = patches.place[inside]
        density = patches.estimate / sizes
        sure = patches.told
        empty = sure & (patches.high <= patches.nearly_empty * sizes * (1 + 1e-9))
        around_them = together(record.grid, patches.place)
    else:
        density = estimate.values[inside] / record.grid.square_km[inside]
        sure = distinguishable(estimate)[inside]
        place = np.arange(len(density))
        empty = np.zeros(len(density), dtype=bool)
        around_them = None
    class_count = len(edges) - 1
    classes = np.clip(np.searchsorted(edges, density, side="right") - 1, 0, class_count - 1)
    return {
        "place": array(place, np.int32),
        "classes": array(
            np.where(sure, np.where(empty, class_count + 1, classes), class_count), np.uint8
        ),
        "outlines": around_them,
        "above": bool((sure & (density > edges[-1])).any()),
        "empty": bool(empty.any()),
        "unsure": bool((~sure).any()),
    }


def _classes(record: Record, edges: list[float], sides: list[Facts]) -> Facts:
    """Return the classes of both maps, with their words and colours."""
    unit = map_statement(record).unit(edges)
    labels = unit.labels(edges)
    if any(side["above"] for side in sides):
        labels[-1] = f"{unit.number(edges[-2])} and more"
    return {
        "units": map_statement(record).unit_words(unit),
        "labels": labels,
        "colours": style.class_colours(len(edges) - 1),
        "dark_colours": on_dark(len(edges) - 1),
    }


def _change(shown: ShownChanges, grid: Grid) -> Facts:
    """Return the changes: which row each cell is in (zones are cells of their own), the rows'
    numbers and classes, and what is outlined.
    """
    made = shown.classes
    rows = shown.rows
    row = np.arange(len(rows)) if shown.zoned else row_of_cells(shown, grid)
    compared = rows["change"].notna().to_numpy()
    classes = np.where(
        shown.change_known, made.of_each(np.nan_to_num(shown.density)), len(made.classes)
    )
    whole = np.arange(len(rows)) >= len(shown.land)
    largest = whole_class(shown, row)
    classes = np.where(whole, classes + len(made.classes) + 2, classes)
    numbers = {
        name: array(rows[name].to_numpy(dtype=np.float64), np.float64)
        for name in ("before", "after", "change", "low", "high")
    }
    return {
        **numbers,
        "row": array(row, np.int32),
        "classes": array(np.where(compared, classes, len(made.classes) + 1), np.uint8),
        "told": bits(shown.change_known),
        "names": shown.names,
        "zones": _zones(shown) if shown.zoned else None,
        "heading": shown.heading,
        "labels": [
            f"{class_.words} {'more' if class_.more else 'fewer'}" for class_ in made.classes
        ],
        "colours": [class_.colour for class_ in made.classes],
        "dark_colours": [class_.on_dark for class_ in made.classes],
        "untold": UNTOLD,
        "whole": None if largest is None else [largest + len(made.classes) + 2, AS_A_WHOLE],
        "apart": not bool(compared.all()),
        "outlined": _outlined(shown),
    }


def _zones(shown: ShownChanges) -> Facts:
    """Return the zones as cells that may be drawn and pointed at."""
    shapes = _lonlat(shown.rows)
    west, south, east, north = extent(shapes)
    return {
        "kind": "areas",
        "few": True,
        "bounds": [[south, west], [north, east]],
        "rings": rings(shapes),
        "names": shown.names,
    }


def _lonlat(rows: Any) -> NDArray[Any]:
    """Return the shapes of rows in degrees, as fine as a page can show."""
    import shapely

    there = rows.geometry.to_crs(crs_tools.parse(crs_tools.LONLAT)).to_numpy()
    west, south, east, north = extent(there)
    simple = shapely.make_valid(shapely.simplify(there, max(east - west, north - south) / FINEST))
    simplified: NDArray[Any] = np.where(shapely.area(simple) > 0, simple, there)
    return simplified


def _outlined(shown: ShownChanges) -> list[Facts]:
    """Return the largest told changes, each with its outline, and the words for it."""
    import shapely

    rows = shown.outlined.iloc[:MOST_OUTLINED]
    if not len(rows):
        return []
    each = zip(_lonlat(rows), rows["change"], rows["low"], rows["high"], strict=True)
    return [
        {
            "rings": [
                np.round(shapely.get_coordinates(ring), 5).tolist()
                for ring in shapely.get_rings(shapely.get_parts(shape))
            ],
            "change": style.signed(change),
            "interval": f"({style.signed(low)} to {style.signed(high)})",
            "named": number < MOST_NAMED,
        }
        for number, (shape, change, low, high) in enumerate(each)
    ]


def _table(shown: ShownChanges, grid: Grid) -> Facts:
    """Return the rows of the table: every zone, or what is outlined, the largest change first."""
    import shapely

    rows = shown.rows if shown.zoned else shown.outlined
    left = max(0, len(rows) - MOST_ROWS)
    rows = rows.iloc[:MOST_ROWS]
    boxes = shapely.bounds(_lonlat(rows)).round(5).tolist() if len(rows) else []
    each = zip(names_of(shown, rows, grid), boxes, rows.to_dict("records"), strict=True)
    return {
        "left": left,
        "rows": [
            {
                "name": name,
                "box": box,
                "numbers": [
                    _plain(one["before"]),
                    _plain(one["after"]),
                    style.signed(one["change"]),
                ],
                "interval": (
                    "-"
                    if np.isnan(one["low"])
                    else f"{style.signed(one['low'])} to {style.signed(one['high'])}"
                ),
                "finding": one["finding"],
            }
            for name, box, one in each
        ],
    }


def _plain(value: float) -> str:
    """Write a total as people read it."""
    return style.signed(value).lstrip("+")
