"""Writes the files that describe a release to catalogues."""

import json
import os
from collections.abc import Callable
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.catalogue.access_restriction import restricted, restricted_words
from dpmap.catalogue.datacite import datacite
from dpmap.catalogue.dcat import dcat
from dpmap.catalogue.stac import stac
from dpmap.catalogue.tableschema import tableschema
from dpmap.record import Record

MADE: dict[str, Callable[[Record], Any]] = {
    "datacite.json": datacite,
    "dcat.jsonld": dcat,
    "stac.json": stac,
    "tableschema.json": tableschema,
    "restricted-access.json": restricted,
    "restricted-access.md": restricted_words,
}
"""Each file by its name, and what makes its values, or its text."""


def text(record: Record, name: str) -> str:
    """Return the text of the file of this name."""
    made = MADE[name](record)
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def write(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write the file that `path` names."""
    content = text(record, os.path.basename(path))
    with written_aside(path) as aside:
        aside.write_text(content, encoding="utf-8")
