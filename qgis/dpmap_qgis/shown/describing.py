"""Writes a release's statement as the metadata of its layers. A stranger wrote its words: marks of HTML are shown as they stand."""

import os
import unicodedata
from pathlib import Path

from qgis.core import (
    QgsAbstractMetadataBase,
    QgsBox3d,
    QgsLayerMetadata,
)

from ..words import plain, tr
from . import seasons

LINKED = (
    ("statement.md", "Statement"),
    ("attestation.html", "Attestation"),
    ("release.dpmap", "Release"),
)
LONGEST = 300


def line(text):
    r"""Returns a stranger's text as one line that QGIS never takes for an expression: what stands in `[% %]` would be worked out.

    >>> line("nests\n[% 1+1 %]")
    'nests [\u200b% 1+1 %]'
    """
    flat = " ".join(str("" if text is None else text).split())
    kept = "".join(mark for mark in flat if unicodedata.category(mark) not in ("Cc", "Cs"))
    return kept.replace("[%", "[\u200b%")


def metadata(release, told, part, layer):
    """Returns the metadata: title, promise and statement, who governs its use, links, extent, days and history."""
    found = QgsLayerMetadata()
    found.setType("dataset")
    found.setLanguage("en")
    found.setIdentifier(_shown(told.get("release_id") or ""))
    found.setTitle(
        _shown(" \u00b7 ".join(filter(None, [line(told.get("dataset")), line(part.layer)])))
    )
    found.setAbstract(_abstract(told))
    found.setKeywords(
        {
            "dpmap": [
                tr("differential privacy"),
                tr("heatmap"),
                *(_shown(one) for one in told.get("labels") or []),
            ]
        }
    )
    found.setRights([_shown(one) for one in _rights(told)])
    found.setLicenses([_shown(told["licence"])] if told.get("licence") else [])
    found.setConstraints(
        [QgsLayerMetadata.Constraint(_shown(words), kind) for words, kind in _constraints(told)]
    )
    found.setHistory(_history(told))
    found.setLinks(_links(release))
    if told.get("contact"):
        found.setContacts([QgsAbstractMetadataBase.Contact(_shown(told["contact"]))])
    found.setCrs(layer.crs())
    found.setExtent(_extent(part, layer))
    return found


def _shown(text):
    return plain(line(text))


def _abstract(told):
    """Returns the promise, then the whole statement, line by line."""
    rows = [
        line(told.get("promise")),
        "",
        *(line(one) for one in str(told.get("statement") or "").splitlines()),
    ]
    return "<br>".join(plain(row) for row in rows)


def _rights(told):
    found = [f"{tr('Authorised by')}: {told['authorised_by']}"] if told.get("authorised_by") else []
    return found + [str(one) for one in told.get("labels") or []]


def _constraints(told):
    found = [(f"{tr('Purpose')}: {told['purpose']}", "use")] if told.get("purpose") else []
    return found + (
        [(f"{tr('Not to be used after')} {told['expires']}", "use")] if told.get("expires") else []
    )


def _history(told):
    made = tr("Made with noise added on purpose; no point was moved, and none is shown.")
    return [f"{_shown(told.get('made'))}: {plain(made)}"] if told.get("made") else [plain(made)]


def _links(release):
    """Returns links to the files that stand beside the release."""
    folder = Path(os.path.abspath(release)).parent
    beside = [(folder / name, title) for name, title in LINKED[:2]] + [
        (Path(os.path.abspath(release)), LINKED[2][1])
    ]
    found = []
    for path, title in beside:
        if (
            path.is_file() and path.resolve().parent == folder.resolve()
        ):  # a stranger's link may lead elsewhere
            link = QgsAbstractMetadataBase.Link(tr(title), "WWW:LINK", path.as_uri())
            link.format = path.suffix.lstrip(".")
            found.append(link)
    return found


def _extent(part, layer):
    """Returns where and when the map is."""
    found = QgsLayerMetadata.Extent()
    where = QgsLayerMetadata.SpatialExtent()
    box = layer.extent()
    where.bounds = QgsBox3d(box.xMinimum(), box.yMinimum(), 0, box.xMaximum(), box.yMaximum(), 0)
    where.extentCrs = layer.crs()
    found.setSpatialExtents([where])
    span = seasons.days(part)
    if span is not None:
        found.setTemporalExtents([span])
    return found
