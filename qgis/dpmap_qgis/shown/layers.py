"""Makes QGIS layers of a release: each with its own style, its statement as metadata, its season, and what the panel asks for.

What other rooms call:

- `load(release, told, folder)` returns the layers, the topmost first; nothing is added to the project.
- `add(layers, project)` puts them into the project, in groups.
- `on_completion(release, told, folder, context)` lets Processing load them when an algorithm ends.
- `release_of(layer)` returns the path of the release that a layer shows, or an empty text.
- `told_of(layer)` returns what the layer itself knows of its promise, as a dict of texts.

`told` is what `dpmap about --json` answers; `folder` holds the release's `cells.gpkg`, or one in a folder for each season
and kind, which the plugin made itself: a stranger's layers bring a stranger's style.
"""

import os

from qgis.core import QgsExpressionContextUtils, QgsRasterLayer, QgsVectorLayer

from ..words import tr
from . import describing, seasons, tree
from .parts import parts

TABLES = ("patches", "cells")
"""The layers of a GeoPackage that are shown, the topmost first: the second where the first is missing."""
TITLES = {"patches": "Places", "cells": "Cells", "raster": "Raster"}


def load(release, told, folder, *, raster=False):
    """Returns the layers of a release, the topmost first, styled and described; `raster` adds map.tif where it stands there."""
    found = []
    for part in parts(told, folder):
        for source, kind in sources(part, raster=raster):
            layer = _opened(source, kind)
            if layer.isValid():
                dress(layer, kind, release, told, part)
                found.append(layer)
    return found


def sources(part, *, raster=False):
    """Returns the source of each layer of a map and what it is; a file that is missing is left out."""
    found = []
    if os.path.isfile(part.geopackage):
        known = _tables(part.geopackage)
        found += [(f"{part.geopackage}|layername={name}", name) for name in TABLES if name in known]
    if raster and os.path.isfile(part.raster):
        found.append((part.raster, "raster"))
    return found


def dress(layer, kind, release, told, part):
    """Gives a layer its own style, name, statement, season and variables."""
    layer.loadDefaultStyle()
    layer.setName(name_of(kind, part))
    layer.setMetadata(describing.metadata(release, told, part, layer))
    seasons.dress(layer, part)
    for name, value in variables(kind, release, told, part).items():
        QgsExpressionContextUtils.setLayerVariable(layer, name, value)


def name_of(kind, part):
    """Returns what the layer is called: its season and kind where there are several, then what it shows."""
    words = describing.line(part.layer)
    return f"{words}: {tr(TITLES[kind])}" if words else tr(TITLES[kind])


def variables(kind, release, told, part):
    """Returns what the layer carries for the panel, for layouts and for people who label it: texts, never expressions."""
    return {
        "dpmap_release": os.path.abspath(release), "dpmap_layer": describing.line(part.layer), "dpmap_shows": kind,
        "dpmap_dataset": describing.line(told.get("dataset")), "dpmap_promise": describing.line(told.get("promise")),
        "dpmap_in_short": describing.line(told.get("in_short")), "dpmap_unit": describing.line(told.get("unit")),
        "dpmap_epsilon": describing.line(told.get("epsilon")), "dpmap_cap": describing.line(told.get("cap")),
        "dpmap_half_width": describing.line(told.get("half_width_90")), "dpmap_counts": describing.line(_counts(told)),
        "dpmap_capped": describing.line(told.get("capped")),
        "dpmap_made": describing.line(told.get("made")), "dpmap_authorised_by": describing.line(told.get("authorised_by")),
        "dpmap_purpose": describing.line(told.get("purpose")), "dpmap_expires": describing.line(told.get("expires")),
        "dpmap_release_id": describing.line(told.get("release_id")), "dpmap_from": part.first, "dpmap_until": part.after,
    }  # fmt: skip


def _counts(told):
    """Returns what the colours stand for; the classes themselves say per what area."""
    return told.get("colours") if told.get("layer_kind") == "means" else told.get("counted")


def told_of(layer):
    """Returns what the layer carries of its promise: the names of `variables` without their beginning."""
    names = QgsExpressionContextUtils.layerScope(layer)
    kept = (name for name in names.variableNames() if name.startswith("dpmap_"))
    return {name[len("dpmap_") :]: str(names.variable(name) or "") for name in kept}


def release_of(layer):
    """Returns the path of the release that the layer shows; empty where it shows none, or its file is gone."""
    if layer is None:
        return ""
    path = str(QgsExpressionContextUtils.layerScope(layer).variable("dpmap_release") or "")
    return path if os.path.isfile(path) else ""


def add(layers, project):
    """Puts layers of one release into the project: one group named by the data set, one truth drawn at first."""
    project.addMapLayers(layers, False)
    for layer in layers:
        tree.place(layer, told_of(layer), project)
    seasons.spread(project, layers)


def on_completion(release, told, folder, context, *, raster=False):
    """Lets Processing load the layers when the algorithm ends; returns their sources."""
    from .completing import promise_to_load

    return promise_to_load(release, told, folder, context, raster=raster)


def _opened(source, kind):
    name = os.path.basename(source)
    return (
        QgsRasterLayer(source, name, "gdal")
        if kind == "raster"
        else QgsVectorLayer(source, name, "ogr")
    )


def _tables(path):
    """Returns the names of a GeoPackage's layers."""
    from qgis.core import QgsProviderRegistry

    return {one.name() for one in QgsProviderRegistry.instance().querySublayers(path)}
