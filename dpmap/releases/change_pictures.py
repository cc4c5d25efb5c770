"""Chooses what a picture or a page shows of a comparison: its zones, or its patches with the
clusters over them.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.export.answer_layer import SUFFIXES
from dpmap.releases.ask import zone_name

if TYPE_CHECKING:
    from dpmap.releases.comparison import Comparison
    from dpmap.render.changes import ShownChanges


DRAWN = (".html", ".png", ".svg", ".pdf")


def is_drawn(path: "str | os.PathLike[str]") -> bool:
    """Whether a file's suffix is that of a page or a picture; one that is not that of a layer
    either is refused.

    >>> is_drawn("change.html"), is_drawn("change.gpkg")
    (True, False)
    """
    suffix = Path(path).suffix.lower()
    if suffix in DRAWN:
        return True
    if suffix not in SUFFIXES:
        raise BadInput(
            "--to: a picture ends in .png, .svg or .pdf, a page in .html, a layer in"
            f" {' '.join(SUFFIXES)}; choose one of these"
        )
    return False


def shown(found: "Comparison") -> "ShownChanges":
    """Returns what is shown of a comparison: its zones, or its patches with the clusters over
    them.
    """
    from dpmap.render.changes import ShownChanges

    records, share = (found.before.record, found.after.record), f"{100 * found.rate:g} %"
    if not found.zoned:
        falsely = f"{share} chance of any false place,\nand as much of any false cluster"
        return ShownChanges(
            records,
            found.patches(),
            found.clusters(),
            None,
            "places",
            found.level,
            falsely,
            _rules(found),
            found.notes,
        )
    plain = found.frame.drop(columns=found.frame.geometry.name).to_dict("records")
    names = [zone_name(row, number) for number, row in enumerate(plain, start=1)]
    rules = {name: found.words[name] for name in ("interval", "rate")}
    return ShownChanges(
        records,
        found.frame,
        None,
        names,
        "zones",
        found.level,
        f"{share} chance of any false one",
        rules,
        found.notes,
    )


def _rules(found: "Comparison") -> dict[str, str]:
    """Returns the rule by which the changes of patches and clusters are told."""
    rules = {
        "interval": (
            f"the intervals of all places hold together at least {100 * found.level:g} % of the"
            " time, and so do those of all clusters; both noises are in them"
        ),
        "rate": (
            f"the chance that even one place is told falsely is at most {100 * found.rate:g} %, and"
            " that even one cluster is too"
        ),
    }
    if len(found.clusters()):
        rules["clusters"] = (
            "a cluster is land that changed as a whole: how that lies within it is not known"
        )
    return rules
