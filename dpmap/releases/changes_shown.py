"""Chooses what a picture or a page shows of a comparison: its patches and clusters where it has any, else its regions or zones."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.export.one_layer import SUFFIXES
from dpmap.releases.ask import zone_name

if TYPE_CHECKING:
    from dpmap.releases.comparing import Comparison
    from dpmap.render.changes import Shown


DRAWN = (".html", ".png", ".svg", ".pdf")


def is_drawn(path: "str | os.PathLike[str]") -> bool:
    """Whether a file's suffix is that of a page or a picture; one that is not that of a layer either is refused.

    >>> is_drawn("change.html"), is_drawn("change.gpkg")
    (True, False)
    """
    suffix = Path(path).suffix.lower()
    if suffix in DRAWN:
        return True
    if suffix not in SUFFIXES:
        raise BadInput(
            f"--to: a picture ends in .png, .svg or .pdf, a page in .html, a layer in {' '.join(SUFFIXES)}; choose one of these"
        )
    return False


def shown(found: "Comparison") -> "Shown":
    """Returns what is shown of a comparison."""
    from dpmap.render.changes import Shown

    share = f"{100 * found.rate:g} %"
    single = not found.zoned and bool((found.frame["cells"] == 1).all())
    land, clusters, names = found.frame, None, None
    called, falsely = "cells" if single else "regions", f"at most {share} falsely so"
    if found.zoned:
        plain = land.drop(columns=land.geometry.name).to_dict("records")
        names = [zone_name(row, number) for number, row in enumerate(plain, start=1)]
        called, falsely = "zones", f"{share} chance of any false one"
    records = found.before.record, found.after.record
    return Shown(records, land, clusters, names, called, found.level, falsely, _rules(found), found.notes)


def _rules(found: "Comparison") -> dict[str, str]:
    """Returns the words that a picture has room for: how sure the intervals are, and how many changes may be told falsely."""
    return {name: found.words[name] for name in ("interval", "rate")}
