"""Tables and layers that atlases and portals take as they are, each by the name of its form.

They hold what is told: cells that noise alone does not explain. A cell that is not there is not a
cell without records, and every form says so in its own words. None has a row for each record, since
a portal would index noise as sightings.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.errors import BadInput, near
from dpmap.export.atlas.taxa import Taxa

if TYPE_CHECKING:
    from dpmap.export.atlas.layers import AtlasLayer


@dataclass(frozen=True, slots=True)
class AtlasForm:
    """Names a form: the file of this folder that writes it, the suffixes it is written with, and
    what takes it.
    """

    module: str
    suffixes: tuple[str, ...]
    words: str


FORMS = {
    "occurrence-cube": AtlasForm(
        "cube", (".csv", ".parquet"), "an occurrence cube, a row for each taxon, time and cell"
    ),
    "atlas-csv": AtlasForm(
        "grid_atlas", (".csv",), "the table of a grid atlas, a row for each kind, time and cell"
    ),
    "inspire-sd": AtlasForm(
        "inspire",
        (".gpkg",),
        "INSPIRE's Species Distribution, a flat GeoPackage with a unit for each species, time and"
        " cell",
    ),
    "ebv-cube": AtlasForm(
        "ebv", (".nc",), "an EBVCube, the netCDF of the portal for essential biodiversity variables"
    ),
}


def check(form: str, path: "str | os.PathLike[str]") -> AtlasForm:
    """Return the form of this name, if it is written with the suffix of `path`; else says which
    there are.

    >>> check("table", "cube.csv")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: form: no form is called 'table'; choose among occurrence-cube...
    """
    known_form = FORMS.get(form)
    if known_form is None:
        raise BadInput(
            f"--as: no form is called {str(form)[:60]!r}{near(form, FORMS)}; choose among"
            f" {', '.join(FORMS)}"
        )
    if Path(path).suffix.lower() not in known_form.suffixes:
        raise BadInput(
            f"--to: {form} is written as {' or '.join(known_form.suffixes)}; choose one of these"
            " suffixes"
        )
    return known_form


def write(
    layers: "Sequence[AtlasLayer]", form: str, taxa: Taxa, path: "str | os.PathLike[str]"
) -> list[Path]:
    """Write the layers of a release in this form, and return the files made."""
    known_form = check(form, path)
    written: list[Path] = import_module(f"dpmap.export.atlas.{known_form.module}").write(
        layers, taxa, path
    )
    return written
