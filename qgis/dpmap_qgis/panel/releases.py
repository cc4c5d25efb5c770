"""Finds the release that a layer is of, and what stands beside it."""

import os
import re
from typing import NamedTuple, Optional

from qgis.core import QgsProviderRegistry, QgsVectorLayer

from .place import kind_of

SAVED = "release.dpmap"
PAGES = (
    ("statement.md", "Statement"),
    ("attestation.html", "Attestation"),
    ("for-the-protected.html", "For the protected"),
    ("map.html", "Map as a page"),
)
"""The pages of a release's folder, and what their buttons say."""
OF_A_LAYER = re.compile(r"(\d{2,})-")


class Release(NamedTuple):
    """A release's file; `number` is that of the layer of it that is meant, where it has several."""

    path: str
    number: Optional[int] = None  # noqa: UP045  # Python 3.9 reads it

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
    """Returns the release that a layer is of, or None: that which its maker noted, else release.dpmap beside its file."""
    if not isinstance(layer, QgsVectorLayer):
        return None
    path = file_of(layer)
    return beside(path) if path else None


def file_of(layer):
    """Returns the path of the file that a layer is read from; empty for one that has none."""
    told = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    return str(told.get("path") or "")


def beside(path):
    """Returns the release that stands beside a file, or one folder up where the file's folder is that of a layer."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isfile(os.path.join(folder, SAVED)):
        return Release(os.path.join(folder, SAVED))
    numbered = OF_A_LAYER.match(os.path.basename(folder))
    above = os.path.join(os.path.dirname(folder), SAVED)
    return Release(above, int(numbered.group(1))) if numbered and os.path.isfile(above) else None


def layer_words(release, about):
    """Returns the words by which dpmap is told which layer of a release is meant.

    >>> layer_words(Release("r", 2), {"layers": ["Kestrel, 2024", "Kestrel, 2025"]})
    ['--layer', 'Kestrel, 2025']
    >>> layer_words(Release("r"), {"layers": []})
    []
    """
    names = (about or {}).get("layers") or []
    if release.number is None or not 1 <= release.number <= len(names):
        return []
    return ["--layer", names[release.number - 1]]


def page(release, name):
    """Returns the path of a page beside a release, or "" where it is missing or leads somewhere else than into this folder."""
    path = os.path.join(release.folder, name)
    true = os.path.join(os.path.realpath(release.folder), name)
    return path if os.path.isfile(path) and os.path.realpath(path) == true else ""


def ledgers_beside(release):
    """Returns the ledgers in a release's folder and in the one above it: which of them is its own, dpmap says."""
    found = []
    for folder in (release.folder, os.path.dirname(release.folder)):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        found += [os.path.join(folder, name) for name in names if name.endswith(".ledger")]
    return [path for path in found if os.path.isfile(path)][:MOST]


MOST = 4
"""So many ledgers are asked whether they hold a release."""
