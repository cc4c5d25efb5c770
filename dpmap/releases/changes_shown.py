"""Chooses what a picture or a page shows of a comparison: its patches and clusters where it has any, else its regions or zones."""

from typing import TYPE_CHECKING

from dpmap.releases.ask import zone_name

if TYPE_CHECKING:
    from dpmap.releases.comparing import Comparison
    from dpmap.render.changes import Shown


def shown(found: "Comparison") -> "Shown":
    """Returns what is shown of a comparison."""
    from dpmap.render.changes import Shown

    rows = found.frame
    single = not found.zoned and bool((rows["cells"] == 1).all())
    called = "zones" if found.zoned else "cells" if single else "regions"
    names = None
    if found.zoned:
        plain = rows.drop(columns=rows.geometry.name).to_dict("records")
        names = [zone_name(row, number) for number, row in enumerate(plain, start=1)]
    outlined = rows[rows["told"].to_numpy(dtype=bool)]
    return Shown(
        (found.before.record, found.after.record), rows, outlined, names, called, found.level, found.rate, found.words, found.notes,
    )  # fmt: skip
