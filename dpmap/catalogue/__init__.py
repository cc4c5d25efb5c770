"""Describes a release to catalogues: a file for each kind, all made from the public record alone.

Portals, libraries and search engines find a data set by what stands in these files. They say of the map what its statement says, in the words
of others' standards, and nothing that the record does not hold.
"""

import json
import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpmap.files import written_aside

if TYPE_CHECKING:
    from dpmap.record import Record

MADE = {
    "datacite.json": ("datacite", "datacite"),
    "dcat.jsonld": ("dcat", "dcat"),
    "stac.json": ("stac", "stac"),
    "tableschema.json": ("tableschema", "tableschema"),
    "restricted-access.json": ("restricted", "restricted"),
    "restricted-access.md": ("restricted", "restricted_words"),
}
"""Each file, and the module and the function here that make it."""


def made(record: "Record", name: str) -> str:
    """Returns the text of one of the files, by its `name`."""
    module, function = MADE[name]
    make: Callable[[Record], Any] = getattr(import_module(f"{__name__}.{module}"), function)
    text = make(record)
    return text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, indent=1) + "\n"


def write(record: "Record", path: "str | os.PathLike[str]") -> None:
    """Writes the file that `path` names."""
    with written_aside(path) as aside:
        aside.write_text(made(record, os.path.basename(path)), encoding="utf-8")
