"""`dpmap grid`: the cells that a map would have, made of its area alone."""

from typing import Annotated, Any

import typer

from dpmap.cli.flags import AnswerFlags, Settings
from dpmap.cli.grid_flags import Gridding
from dpmap.cli.helpers import refuse_lacking
from dpmap.errors import BadInput, Refused


def grid(
    gridding: Gridding,
    settings: Settings,
    answer: AnswerFlags,
    outline: Annotated[
        bool, typer.Option("--outline", help="With --json: the cells' outlines in degrees.")
    ] = False,
) -> None:
    """Count the cells that a map would have, and say where they lie. Reads no survey.

    The cells are the same that `plan` and `release` lay with these flags.
    """
    from dpmap.geography import named_areas
    from dpmap.grid.official import columns
    from dpmap.grid.outline import outline_rings
    from dpmap.statement.extent import box

    refuse_lacking(
        "grid",
        (not gridding.framed and not gridding.ways, BadInput, '--cell "1 km"'),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
    )
    cells = gridding.grid()
    west, south, east, north = box(cells)
    described: dict[str, Any] = {
        "cells": cells.cells_inside,
        "cell": cells.cell_text,
        "crs": cells.crs,
        "codes": list(columns(cells)),
        "degrees": {"west": west, "south": south, "east": east, "north": north},
    }
    side_km = float(cells.square_km[cells.inside].min()) ** 0.5
    if note := named_areas.coarseness_note(gridding.area, side_km):
        described["note"] = note
    if outline:
        described["outline"] = outline_rings(cells)
    answer.tell(
        described,
        [
            f"{cells.cells_inside:,} cells of {cells.cell_text} ({cells.crs})",
            f"west {west:.6g}, south {south:.6g}, east {east:.6g}, north {north:.6g} in degrees",
        ],
    )
