"""Says which files hold a release's layers: one GeoPackage, or one for each season and kind."""

import os
from typing import NamedTuple

GEOPACKAGE, RASTER = "cells.gpkg", "map.tif"


class Part(NamedTuple):
    """One map of a release: its words (empty where there is one map), its labels, its days, and where its files stand."""

    layer: str
    labels: list
    first: str
    after: str
    geopackage: str
    raster: str


def parts(told, folder):
    """Returns the maps of a release whose files stand in `folder`; `told` is what `dpmap about --json` answers.

    A file need not be there yet: `dpmap export RELEASE --layer LAYER --to GEOPACKAGE` makes it.

    >>> [one.geopackage for one in parts({"layers": []}, "out")] == [os.path.join("out", "cells.gpkg")]
    True
    """
    layers = told.get("layers_told") or []
    if not layers:
        return [_part({}, folder)]
    return [_part(one, os.path.join(folder, _inside(one.get("folder")))) for one in layers]


def _part(one, folder):
    return Part(
        str(one.get("layer") or ""), list(one.get("labels") or []), str(one.get("from") or ""), str(one.get("until") or ""),
        os.path.join(folder, GEOPACKAGE), os.path.join(folder, RASTER),
    )  # fmt: skip


def _inside(name):
    """Returns a folder's name so that it cannot lead out of the folder it is looked for in.

    >>> _inside("a/../..") == _inside("..") == "layer", _inside("../01-2024")
    (True, '01-2024')
    """
    last = os.path.basename(str(name or "").replace("\\", "/").rstrip("/"))
    return "layer" if last in ("", ".", "..") else last
