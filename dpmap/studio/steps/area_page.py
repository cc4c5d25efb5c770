"""Asks for the land of the map and its cells, for seasons and kinds; all of it is public and
declared.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.studio import drafts
from dpmap.studio.commands import CommandAnswer, path
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, short
from dpmap.studio.page import Studio, SubmittedForm, form, page, studio
from dpmap.studio.steps import choices, date_choice, drawn_area, grids
from dpmap.studio.steps.choices import NATIONAL
from dpmap.studio.steps.data import NOTHING, draft_of, inspect_names

SIDES = ("west", "south", "east", "north")
FIELDS = (
    "area_way",
    "area",
    "area_path",
    "area_layer",
    "area_name",
    "country",
    "corners",
    *SIDES,
    "bounds",
    "shape",
    "cell_way",
    "cell",
    "grid",
    "hexagons",
    "grid_crs",
    "grid_crs_other",
    "sensitivity",
    "times_column",
    "times_dates",
    "dates",
)
EQUAL_AREA = "EPSG:6933"
"""Where a square of some metres lies as long as nobody knows where the land is."""
USUAL_SIZE = "5 km"
SIZES = ("1 km", "2 km", "5 km", "10 km", "20 km", "0.1 deg", "0.2 deg")
RESOLUTIONS = {3: "12,400", 4: "1,770", 5: "253", 6: "36", 7: "5.2", 8: "0.74", 9: "0.105"}
"""About how many square kilometres a hexagon of each resolution has."""
FLAGS = (
    "area",
    "area_layer",
    "area_name",
    "bounds",
    "shape",
    "cell",
    "grid",
    "hexagons",
    "by_area",
    "grid_crs",
)
"""What a grid is made of; all but what the form says is taken out."""
MOST_TYPED = 60
PATIENCE = 60.0


def fill_area_section(
    workspace: Studio,
    draft: Draft,
    known: Mapping[str, Any],
    submitted: SubmittedForm | None,
    *,
    counted: bool,
) -> dict[str, Any]:
    """Returns what the page shows of the land and the cells, likely ones where none is declared;
    after a mistake what was typed. `counted` has the cells counted.
    """
    values = _values(workspace.folder, draft)
    if not values["area_way"]:
        values |= {"area_way": "country", "country": _likely_land(draft, known)}
        values["cell"] = values["cell"] or USUAL_SIZE
    kinds = _kinds(draft)
    few = bool(draft.get("few_cells"))
    if submitted is not None:
        values |= {name: submitted[name] for name in FIELDS}
        kinds = [
            (submitted[f"kinds_column_{at}"], submitted[f"kinds_values_{at}"])
            for at in _rows(submitted)
        ]
        few = submitted["few_cells"] == "yes"
    near = _usual(workspace, draft)
    values["grid"] = values["grid"] or next(iter(near), "")
    answer = _cells(workspace, draft) if counted else None
    return {
        "where": values,
        "kinds": [*kinds, *[("", "")] * (not kinds or all(kinds[-1]))],
        "few_cells": few,
        "area_files": choices.offer_files(workspace.folder.layers(), _file(draft)),
        "presets": _presets(),
        "sizes": SIZES,
        "national": NATIONAL,
        "grids": grids.offer_grids(near, values["grid"]),
        "resolutions": RESOLUTIONS,
        "hexagons": find_spec("h3") is not None,
        "cells": answer.output.get("cells") if answer and answer.good else None,
    }


def _likely_land(draft: Draft, known: Mapping[str, Any]) -> str:
    """Returns the country whose national grid the survey's format has, or nothing."""
    declared = f"{draft.get('crs')} {known['declare'].get('crs', '')} {known['roles']}"
    codes = re.findall(r"EPSG:\d+", declared)
    return next((choices.LANDS[code] for code in codes if code in choices.LANDS), "")


def _file(draft: Draft) -> str:
    """Returns the area's file, if it is one."""
    area = str(draft.get("area"))
    return "" if area.lower().startswith(drafts.NAMED) else area


def _values(folder: BrowsedFolder, draft: Draft) -> dict[str, str]:
    """Returns what the form shows of a draft."""
    area = str(draft.get("area"))
    file = _file(draft)
    crs = str(draft.get("grid_crs"))
    corners = drawn_area.read_corners(folder, file)
    sides = drawn_area.sides(corners) if corners else None
    times, _, dates = str(draft.get("times")).partition("=")
    way = (
        "sides" if sides else "drawn" if corners else "file" if file else "country" if area else ""
    )
    return {
        "area_way": "frame" if draft.get("bounds") else way,
        "area": short(file) if way == "file" else "",
        "area_path": "",
        "area_layer": str(draft.get("area_layer")),
        "area_name": str(draft.get("area_name")),
        "country": area.partition(":")[2].strip() if way == "country" else "",
        "corners": (
            "\n".join(f"{lon:.10g} {lat:.10g}" for lon, lat in corners) if way == "drawn" else ""
        ),
        **dict(zip(SIDES, [f"{side:.10g}" for side in sides] if sides else [""] * 4, strict=True)),
        "bounds": str(draft.get("bounds")),
        "shape": str(draft.get("shape")),
        "cell_way": _cell_way(draft, way),
        "cell": str(draft.get("cell")),
        "grid": str(draft.get("grid")),
        "hexagons": str(draft.get("hexagons", "6")),
        "grid_crs": crs if crs in NATIONAL else "other" if crs else "",
        "grid_crs_other": "" if crs in NATIONAL else crs,
        "sensitivity": str(draft.get("sensitivity")),
        "times_column": times,
        "times_dates": dates,
        "dates": str(draft.get("dates")),
    }


def _cell_way(draft: Draft, area_way: str) -> str:
    """Returns which way of saying the cells a draft has taken; a size is asked for where nothing
    is said yet.
    """
    ways = {"by_area": "areas", "grid": "official", "hexagons": "hexagons", "cell": "size"}
    return next(
        (way for flag, way in ways.items() if draft.get(flag)), "later" if area_way else "size"
    )


def _usual(workspace: Studio, draft: Draft) -> list[str]:
    """Lists the official grids that are usual for the area, once it is said."""
    area = str(draft.get("area"))
    file = _file(draft)
    try:
        middle = _middle_of(area) if area and not file else None
        if corners := drawn_area.read_corners(workspace.folder, file):
            lons, lats = zip(*corners, strict=True)
            middle = (min(lons) + max(lons)) / 2, (min(lats) + max(lats)) / 2
        elif file:
            choices.refuse_survey(draft, file, str(draft.get("area_layer")), "area")
            middle = _middle_of_file(workspace, draft)
    except BadInput:
        return []
    return grids.usual(*middle) if middle else []


def _middle_of_file(workspace: Studio, draft: Draft) -> tuple[float, float] | None:
    """Returns about the longitude and latitude of the middle of an area in a file, which a process
    of its own reads; none if it cannot.
    """
    area = _words(draft, ("area", "area_layer", "area_name"))
    words = ("grid", *area, "--cell=0.1 deg", "--json")
    answer = workspace.commands.remembered(*words, of=[_file(draft)])
    if not answer.good:
        return None
    sides = answer.output["degrees"]
    return (sides["west"] + sides["east"]) / 2, (sides["south"] + sides["north"]) / 2


def _middle_of(area: str) -> tuple[float, float]:
    """Returns the longitude and latitude of the middle of a named land's largest piece."""
    import shapely

    from dpmap.grid.study_area import read_shapes

    middle = max(shapely.get_parts(read_shapes(area)[0][0]), key=shapely.area).centroid
    return middle.x, middle.y


def _kinds(draft: Draft) -> list[tuple[str, str]]:
    """Returns the columns of kinds and their values."""
    kinds = draft.get("kinds", [])
    pairs = [str(one).partition("=") for one in (kinds if isinstance(kinds, list) else [kinds])]
    return [(column, values) for column, _, values in pairs]


def _rows(submitted: SubmittedForm) -> list[int]:
    """Lists the rows of kinds that a form has."""
    return sorted(
        int(name.rpartition("_")[2])
        for name in submitted
        if name.startswith("kinds_column_") and name[13:].isdecimal() and len(name) < 16
    )


def _countries() -> tuple[str, ...]:
    """Lists the countries that an area can be given by."""
    try:
        from dpmap.geography.countries import names
    except ImportError:
        return ()
    return names()


def _presets() -> list[tuple[str, str, str]]:
    """Returns the rules of practice: the name, whose it is, and the smallest cells that it
    allows.
    """
    from dpmap.grid.sensitive_species import PRESETS

    return [
        (name, one.whose, _least(one.size) if one.degrees else one.words)
        for name, one in PRESETS.items()
    ]


def _least(degrees: float) -> str:
    """Writes a number of degrees with what it is on the ground.

    >>> _least(1.0), _least(0.01)
    ('1 degree, about 111 km from south to north', '0.01 degrees, about 1.11 km from south to
    north')
    """
    return (
        f"{degrees:g} degree{'s' * (degrees != 1)}, about {degrees * 111:.3g} km from south to"
        " north"
    )


def check_area(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> DpmapError | None:
    """Returns why no grid can be made of the land and the cells of a draft, or why the dates of its
    seasons cannot be read; None where both can.
    """
    answer = _cells(workspace, draft)
    if answer is not None and not answer.good:
        return answer.failure
    if not submitted["times_dates"]:
        return None
    names = inspect_names(workspace, draft)
    if not names.good or (names.output or {}).get("lacks"):
        return None  # where a row is must be said first; the page looks again then
    try:
        dates = date_choice.looked_up(workspace, draft, NOTHING | (names.output or {}))
        drafts.change_draft(workspace.folder, draft, draft.mark, dates)
    except DpmapError as wrong:
        return wrong
    return None


def _cells(workspace: Studio, draft: Draft) -> CommandAnswer | None:
    """Makes the grid of a draft in a process of its own, and counts its cells; nothing where the
    size is not said yet.
    """
    if not any(key in draft.flags for key in ("cell", "grid", "hexagons", "by_area", "bounds")):
        return None
    return workspace.commands.ask("grid", *_words(draft, FLAGS), "--json", seconds=PATIENCE)


def grid_words(draft: Draft) -> list[str]:
    """Returns the words by which a command lays the grid of a draft."""
    return _words(draft, FLAGS)


def _words(draft: Draft, keys: Sequence[str]) -> list[str]:
    """Returns those flags of a draft as a command takes them."""
    said = {key: draft.flags[key] for key in keys if key in draft.flags}
    if "area" in said and _file(draft):
        said["area"] = path(str(said["area"]))
    return [
        f"--{key.replace('_', '-')}" + ("" if value is True else f"={value}")
        for key, value in said.items()
    ]


def read_area_section(
    workspace: Studio, draft: Draft, columns: list[str], submitted: SubmittedForm
) -> dict[str, Any]:
    """Returns the flags that the page's part about the land and the cells declares."""
    if any("\0" in submitted[name] for name in submitted):
        raise BadInput("a field holds a character that no text has; type it again")
    layers = _layers(submitted, columns)
    grid = _frame(submitted) if submitted["area_way"] == "frame" else _size(submitted)
    if submitted["area_way"] != "frame":
        grid |= _area(
            workspace.folder, draft, submitted
        )  # last: what was drawn is written to a file
    return {
        **dict.fromkeys(FLAGS, ""),
        **grid,
        **layers,
        "sensitivity": submitted["sensitivity"],
        "few_cells": submitted["few_cells"] == "yes",
        **(
            {"dates": submitted["dates"]}
            if "dates" in submitted and submitted["times_dates"]
            else {}
        ),
    }


def _frame(submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags of a grid that is known by its sides, rows and columns."""
    if not submitted["bounds"] or not submitted["shape"]:
        raise BadInput(
            "a known grid: give its sides, like -3,40,0,42, and its rows and columns, like 40,60"
        )
    return {"bounds": submitted["bounds"], "shape": submitted["shape"], "grid_crs": _crs(submitted)}


def _area(folder: BrowsedFolder, draft: Draft, submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags of the area; what was drawn becomes a file of the folder."""
    way = submitted["area_way"]
    before = _file(draft)
    if way == "country" and submitted["country"]:
        from dpmap.geography.named_areas import find_named_area

        return {"area": find_named_area(submitted["country"])}
    if way in ("drawn", "sides"):
        corners = (
            drawn_area.corners_of(submitted["corners"])
            if way == "drawn"
            else drawn_area.box(*(submitted[side] for side in SIDES))
        )
        return {
            "area": drawn_area.find_drawn(folder, corners) or drawn_area.write_area(folder, corners)
        }
    file = (
        choices.chosen_file(folder, folder.layers(), submitted, "area", before)
        if way == "file"
        else ""
    )
    if not file:
        raise BadInput(
            "say which land the map shows: choose a file, name a country, draw it or type its"
            " sides; it is never read off the survey"
        )
    choices.refuse_survey(draft, file, submitted["area_layer"], "area")
    return {
        "area": file,
        "area_layer": submitted["area_layer"],
        "area_name": submitted["area_name"],
    }


def _size(submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags of the cells' size and kind."""
    way = submitted["cell_way"]
    if way == "areas":
        return {"by_area": True}
    if way == "official":
        return {"grid": _official(submitted["grid"], submitted["sensitivity"])}
    if way == "hexagons":
        return {"hexagons": submitted["hexagons"]}
    if way == "later":
        return {"grid_crs": _crs(submitted)}
    cell = submitted["cell"] or _smallest(submitted["sensitivity"])
    if not cell:
        raise BadInput(
            'cells: write their size, like 5 km, 500 m or 0.1 deg, or choose "I do not know yet"'
        )
    _check_size(cell, submitted["sensitivity"])
    return {"cell": cell, "grid_crs": _crs(submitted)}


def _official(name: str, rule: str) -> str:
    """Returns the name of an official grid, unless a rule of practice forbids its cells."""
    from dpmap.grid import Grid
    from dpmap.grid.cell_sizes import parse_cell
    from dpmap.grid.official import find_official_grid
    from dpmap.grid.official.base import OfficialSquares
    from dpmap.grid.sensitive_species import check_sensitivity

    if not name:
        raise BadInput("cells: choose an official grid, or another way to say the cells")
    official_grid = find_official_grid(name)
    if rule and isinstance(official_grid, OfficialSquares):
        side, degrees = parse_cell(official_grid.cell)
        corner = side * ((10 if degrees else 300_000) // side)
        bounds = (corner, corner, corner + side, corner + side)
        check_sensitivity(
            Grid(bounds=bounds, shape=(1, 1), crs=official_grid.crs or EQUAL_AREA), rule
        )
    return official_grid.name


def _smallest(rule: str) -> str:
    """Returns the smallest cell that a rule of practice allows, as it is typed."""
    from dpmap.grid.sensitive_species import PRESETS

    return PRESETS[rule].words.replace("degrees", "deg") if rule in PRESETS else ""


def _check_size(cell: str, rule: str) -> None:
    """Refuses a size that cannot be read, or that a rule of practice forbids wherever the cells
    lie.
    """
    from dpmap.grid import Grid
    from dpmap.grid.cell_sizes import parse_cell
    from dpmap.grid.sensitive_species import check_sensitivity

    side, degrees = parse_cell(cell)
    if rule:
        crs = "EPSG:4326" if degrees else EQUAL_AREA
        check_sensitivity(Grid(bounds=(0, 0, side, side), shape=(1, 1), crs=crs), rule)


def _crs(submitted: SubmittedForm) -> str:
    """Returns the national grid that the cells lie in."""
    return (
        submitted["grid_crs_other"] if submitted["grid_crs"] == "other" else submitted["grid_crs"]
    )


def _layers(submitted: SubmittedForm, columns: list[str]) -> dict[str, Any]:
    """Returns the flags of seasons and kinds."""
    from dpmap.grid.layer_axes import parse_axes

    pairs = [
        (submitted[f"kinds_column_{at}"], submitted[f"kinds_values_{at}"])
        for at in _rows(submitted)
    ]
    kinds = [
        f"{choices.column_of(columns, column, 'kinds')}={values}"
        for column, values in pairs
        if column or values
    ]
    column = submitted["times_column"]
    dates = submitted["times_dates"]
    times = f"{choices.column_of(columns, column, 'times')}={dates}" if column or dates else ""
    parse_axes(kinds, times or None)
    return {"kinds": kinds, "times": times}


def preview(request: Request) -> Response:
    """Shows the land and the cells that a form names, and writes nothing."""
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    way = submitted["area_way"]
    if not submitted["country" if way == "country" else "bounds" if way == "frame" else "area"]:
        return HTMLResponse("")
    try:
        grid = _frame(submitted) if way == "frame" else _size(submitted)
        if way in ("country", "file"):
            grid |= _area(workspace.folder, draft, submitted)
    except DpmapError as wrong:
        return page(request, "land.html", outline=None, words=wrong.terminal_line)
    typed = Draft(draft.kept, {flag: value for flag, value in grid.items() if value}, draft.mark)
    answer = workspace.commands.remembered(
        "grid", *grid_words(typed), "--json", "--outline", of=[_file(typed)]
    )
    if not answer.good:
        return page(request, "land.html", outline=None, words=answer.error)
    described = answer.output
    words = f"{described['cells']:,} cells of {described['cell']}. {described.get('note', '')}"
    return page(request, "land.html", outline=_drawn(described["outline"]), words=words)


def _drawn(rings: list[list[float]]) -> dict[str, Any] | None:
    """Returns rings in degrees as the path of a picture whose sides are as long as on the ground at
    its middle.
    """
    lons = [lon for ring in rings for lon in ring[::2]]
    lats = [lat for ring in rings for lat in ring[1::2]]
    if not lons:
        return None
    narrow = max(math.cos(math.radians((min(lats) + max(lats)) / 2)), 0.05)
    west = min(lons)
    north = max(lats)
    scale = 1000 / max((max(lons) - west) * narrow, north - min(lats), 1e-9)
    paths = [
        "M"
        + "L".join(
            f"{(lon - west) * narrow * scale:.1f} {(north - lat) * scale:.1f}"
            for lon, lat in zip(ring[::2], ring[1::2], strict=True)
        )
        + "Z"
        for ring in rings
    ]
    width = (max(lons) - west) * narrow * scale
    height = (north - min(lats)) * scale
    return {"path": "".join(paths), "width": f"{width:.0f}", "height": f"{height:.0f}"}


def places(request: Request) -> Response:
    """Offers countries and regions whose names hold what is being typed."""
    from dpmap.geography.named_areas import suggest_names

    return JSONResponse({"places": suggest_names(request.query_params.get("q", "")[:MOST_TYPED])})


def outlines(_: Request) -> Response:
    """Hands out the bundled outlines of countries, for the map to draw on."""
    return JSONResponse(_outlines())


@lru_cache(maxsize=1)
def _outlines() -> dict[str, Any]:
    """Returns each country's name and outlines, in hundredths of a degree."""
    import numpy as np
    import shapely

    from dpmap.geography.countries import outline

    names = _countries()
    shapes = shapely.simplify([outline(name)[0][0] for name in names], 0.005)
    rings = [
        [
            np.rint(shapely.get_coordinates(part.exterior) * 100).astype(int).ravel().tolist()
            for part in shapely.get_parts(shape)
        ]
        for shape in shapes
    ]
    return {"names": names, "rings": rings}


routes = [
    Route("/places", places),
    Route("/outlines", outlines),
    Route("/map/{id}/preview", preview, methods=["POST"]),
]
