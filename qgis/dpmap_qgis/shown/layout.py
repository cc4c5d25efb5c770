"""Makes a print layout of a release's layer: map, legend, promise, scale and who authorised it, ready for A4."""

import os
from pathlib import Path

from qgis.core import (
    QgsLayoutExporter,
    QgsLegendRenderer,
    QgsLegendStyle,
    QgsPrintLayout,
    QgsReadWriteContext,
)
from qgis.PyQt.QtXml import QDomDocument

from ..compat import KILOMETRES, METRES
from ..words import tr
from . import fitting
from .describing import line
from .layers import told_of

TEMPLATES = {
    name: str(Path(__file__).parent / "templates" / f"{name}.qpt")
    for name in ("landscape", "portrait")
}
"""The sheets that the plugin has; another template can hold items of the same names, or only some of them."""
SIZES = {
    "title": 18.0,
    "subtitle": 11.0,
    "promise": 10.0,
    "in_short": 8.0,
    "notes": 8.0,
    "governance": 8.0,
    "source": 7.0,
}
BOLD = ("title", "promise")
AROUND = 1.06
LENGTHS = {"m": 1.0, "km": 1000.0}


class NoMap(Exception):
    """Raised where a layer shows no release, or a template cannot be read; its text says what to do."""


def make(project, layer, name="", template="landscape"):
    """Returns a print layout of the layer; it is not yet in the project's layout manager.

    `template` is `landscape`, `portrait`, or the path of a .qpt whose items have the same names.
    """
    carried = {} if layer is None else told_of(layer)
    if not carried.get("promise"):
        raise NoMap(
            tr("This layer is not one of dpmap's: open a release, then choose one of its layers")
        )
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    _read(layout, TEMPLATES.get(template, template))
    layout.setName(name or carried.get("dataset") or tr("A private map"))
    _draw_map(layout, layer, project)
    _list_classes(layout, layer, carried)
    for item, text in words(carried).items():
        label = layout.itemById(item)
        if label is not None:
            fitting.fit(label, text, SIZES[item], bold=item in BOLD)
    layout.refresh()
    return layout


def add(project, layer, name="", template="landscape"):
    """Makes the layout and puts it into the project, in the place of an older one of that name; returns it."""
    layout = make(project, layer, name, template)
    manager = project.layoutManager()
    older = manager.layoutByName(layout.name())
    if older is not None:
        manager.removeLayout(older)
    manager.addLayout(layout)
    return layout


def write(layout, path):
    """Writes the sheet as a PDF or a picture, by the suffix of the path; returns whether it was written."""
    exporter = QgsLayoutExporter(layout)
    if path.lower().endswith(".pdf"):
        settings = QgsLayoutExporter.PdfExportSettings()
        settings.exportMetadata = True
        done = exporter.exportToPdf(path, settings)
    else:
        settings = QgsLayoutExporter.ImageExportSettings()
        settings.dpi = 200
        settings.generateWorldFile = False
        done = exporter.exportToImage(path, settings)
    return done == QgsLayoutExporter.ExportResult.Success and os.path.isfile(path)


def words(carried):
    """Returns what each label of the sheet says; a stranger's `[% %]` stays text."""
    told = {name: line(text) for name, text in carried.items()}
    governed = (
        ("authorised_by", "Authorised by"),
        ("purpose", "Purpose"),
        ("expires", "Not to be used after"),
    )
    return {
        "title": told.get("dataset") or tr("A private map"),
        "subtitle": ": ".join(filter(None, [told.get("layer"), _shows(told)])),
        "promise": told.get("promise", ""),
        "in_short": told.get("in_short", ""),
        "notes": _notes(told),
        "governance": "\n".join(
            f"{tr(title)}: {told[name]}" for name, title in governed if told.get(name)
        ),
        "source": _source(told),
    }


def _shows(told):
    if told.get("shows") == "patches":
        return tr("the smallest places whose value can be told")
    return tr("cell by cell, as sure as noise allows")


def _notes(told):
    """Returns how to read the colours."""
    notes = [tr("not told: noise hides what is there. It is not empty land.")]
    notes += [told["capped"]] if told.get("capped") else []
    if told.get("shows") == "patches":
        notes.append(tr("Cells of one place are told together: how they differ is not known."))
        notes.append(
            tr(
                "A number is the estimate for its whole place; some are left out where they would overlap."
            )
        )
    return "\n".join(notes)


def _source(told):
    made = f"{tr('Made')} {told['made']}." if told.get("made") else ""
    named = f" ({tr('release')} {told['release_id']})" if told.get("release_id") else ""
    return f"{made} {tr('The whole promise, and what it does not protect: statement.md beside')} {_file(told)}{named}.".strip()


def _file(told):
    return line(os.path.basename(told.get("release") or "release.dpmap"))


def _read(layout, path):
    document = QDomDocument()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise NoMap(tr("The template cannot be read: choose another .qpt file")) from None
    read = document.setContent(text)
    if not (read[0] if isinstance(read, tuple) else bool(read)):
        raise NoMap(tr("The template is not one of QGIS: choose another .qpt file"))
    layout.loadFromTemplate(document, QgsReadWriteContext(), True)


def _draw_map(layout, layer, project):
    """Shows the layer over what else is ticked in the project; other maps of dpmap would lie over it and are left out."""
    drawn = layout.itemById("map")
    if drawn is None:
        return
    ticked = [node.layer() for node in project.layerTreeRoot().findLayers() if node.isVisible()]
    below = [
        one
        for one in ticked
        if one is not None and one.id() != layer.id() and not told_of(one).get("release")
    ]
    drawn.setLayers([layer, *below])
    drawn.setKeepLayerSet(True)
    drawn.setCrs(layer.crs())
    box = layer.extent()
    box.scale(AROUND)
    drawn.zoomToExtent(box)
    _measure(layout.itemById("scale"), drawn)
    north = layout.itemById("north")
    if north is not None:
        north.setLinkedMap(drawn)


def _measure(bar, drawn):
    """Gives the scale bar a round length of about a fifth of the map's width."""
    if bar is None:
        return
    bar.setLinkedMap(drawn)
    metres = _metres(drawn)
    unit = "km" if metres >= 5000 else "m"
    bar.setUnits(KILOMETRES if unit == "km" else METRES)
    bar.setUnitLabel(unit)
    bar.setNumberOfSegmentsLeft(0)
    bar.setNumberOfSegments(2)
    bar.setUnitsPerSegment(rounded(metres / LENGTHS[unit] / 10))
    bar.update()


def _metres(drawn):
    """Returns the map's width in metres, along its middle."""
    from qgis.core import QgsDistanceArea, QgsPointXY, QgsProject

    ruler = QgsDistanceArea()
    ruler.setSourceCrs(drawn.crs(), QgsProject.instance().transformContext())
    ruler.setEllipsoid("EPSG:7030")
    box = drawn.extent()
    middle = box.center().y()
    return ruler.measureLine(QgsPointXY(box.xMinimum(), middle), QgsPointXY(box.xMaximum(), middle))


def rounded(number):
    """Returns the largest of 1, 2, 5, 10, 20, ... that is no larger.

    >>> rounded(7.3), rounded(0.3), rounded(20)
    (5.0, 0.2, 20.0)
    """
    if not 0 < number < 1e12:
        return 1.0
    steps = [round(m * 10.0**e, 9) for e in range(-6, 13) for m in (1, 2, 5)]
    return max([step for step in steps if step <= number], default=1.0)


def _list_classes(layout, layer, carried):
    """Lists the layer's classes, and only them, under what is counted."""
    legend = layout.itemById("legend")
    if legend is None:
        return
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.removeAllChildren()
    node = root.addLayer(layer)
    QgsLegendRenderer.setNodeLegendStyle(node, QgsLegendStyle.Style.Hidden)
    counted = line(carried.get("counts") or "")
    legend.setTitle(counted[:1].upper() + counted[1:])
    legend.setLinkedMap(layout.itemById("map"))
    legend.setLegendFilterByMapEnabled(False)
    legend.adjustBoxSize()
