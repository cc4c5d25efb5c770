"""Finds the release that a layer is of, and what stands beside it."""

import os
from typing import NamedTuple

from qgis.core import QgsProviderRegistry, QgsRasterLayer, QgsVectorLayer

from ..shown.layers import release_of, told_of
from ..words import mark
from .place import kind_of

SAVED = "release.dpmap"
LAYERS = ("cells.gpkg", "map.tif")
MOST = 12
"""So many ledgers are asked whether they hold a release."""
PAGES = (
    ("statement.md", mark("Statement")),
    ("attestation.html", mark("Attestation")),
    ("for-the-protected.html", mark("The protected")),
    ("map.html", mark("Map page")),
)
"""The pages of a release's folder, and what their buttons say."""


class Release(NamedTuple):
    """A release's file, and which of its layers is meant where it has several: by name, or by the folder that the layer's file is in."""

    path: str
    layer: str = ""
    inner: str = ""

    @property
    def folder(self):
        """Where it stands."""
        return os.path.dirname(self.path)


def told_by(layer):
    """Returns "patches" or "cells" for a layer of dpmap, else ""."""
    if not isinstance(layer, QgsVectorLayer) or not layer.isValid():
        return ""
    return kind_of(layer.fields().names())


def of(layer):
    """Returns the release that a layer is of, or None: that which the plugin noted, else release.dpmap beside its file."""
    if not isinstance(layer, (QgsVectorLayer, QgsRasterLayer)) or not layer.isValid():
        return None
    noted = release_of(layer)
    if noted:
        return Release(noted, told_of(layer).get("layer", ""))
    path = file_of(layer)
    return beside(path) if path else None


def file_of(layer):
    """Returns the path of the file that a layer is read from; empty for one that has none."""
    told = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    return str(told.get("path") or "")


def beside(path):
    """Returns the release that stands beside a file of its layers, or one folder up where they are in a folder of their own."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.basename(path) not in LAYERS:
        return None
    if os.path.isfile(os.path.join(folder, SAVED)):
        return Release(os.path.join(folder, SAVED))
    above = os.path.join(os.path.dirname(folder), SAVED)
    return Release(above, inner=os.path.basename(folder)) if os.path.isfile(above) else None


def name_of_layer(release, about):
    """Returns the name of the layer that is meant; empty where the release has one map.

    >>> told = {"layers_told": [{"layer": "2024", "folder": "01-2024"}, {"layer": "2025", "folder": "02-2025"}]}
    >>> name_of_layer(Release("r", inner="02-2025"), told), name_of_layer(Release("r", "2024"), told), name_of_layer(Release("r"), told)
    ('2025', '2024', '')
    """
    told = (about or {}).get("layers_told") or []
    inner = next(
        (
            str(one.get("layer"))
            for one in told
            if release.inner and one.get("folder") == release.inner
        ),
        "",
    )
    return release.layer or inner


def layer_words(release, about):
    """Returns the words by which dpmap is told which layer of a release is meant.

    >>> layer_words(Release("r", "Kestrel, 2025"), {}), layer_words(Release("r"), {})
    (['--layer=Kestrel, 2025'], [])
    """
    name = name_of_layer(release, about)
    return [f"--layer={name}"] if name else []


def page(release, name):
    """Returns the path of a page beside a release, or "" where it is missing or leads somewhere else than into this folder."""
    path = os.path.join(release.folder, name)
    true = os.path.join(os.path.realpath(release.folder), name)
    return path if os.path.isfile(path) and os.path.realpath(path) == true else ""


def ledgers_beside(release):
    """Returns the ledgers in a release's folder and in the two above it (a tier lies in one more): which is its own, dpmap says."""
    found = []
    above = os.path.dirname(release.folder)
    for folder in dict.fromkeys((release.folder, above, os.path.dirname(above))):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        found += [os.path.join(folder, name) for name in names if name.endswith(".ledger")]
    return [path for path in found if os.path.isfile(path)][:MOST]
