"""Shows a release in QGIS and tells what arrived: layers, legends, metadata, days, and sheets.

shown.py RELEASE TOLD FOLDER
"""

import json
import os
import sys
from pathlib import Path

from started import start, tell

application = start()

from dpmap_qgis.shown import layers, layout  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsInterval,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsProcessingContext,
    QgsProject,
    QgsTemporalNavigationObject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402


def described(layer):
    """What QGIS knows of a layer."""
    found, days = layer.metadata(), layer.temporalProperties()
    raster = not hasattr(layer, "mapTipTemplate")
    return {
        "name": layer.name(), "carried": layers.told_of(layer), "release": layers.release_of(layer), "title": found.title(),
        "legend": [] if raster else [[one.label(), one.ruleKey()] for one in layer.renderer().legendSymbolItems()],
        "colours": [] if raster else [one.symbol().color().name() for one in layer.renderer().legendSymbolItems()],
        "abstract": found.abstract(), "rights": found.rights(), "history": found.history(), "links": [one.url for one in found.links()],
        "labelled": not raster and layer.labelsEnabled(), "tip": "" if raster else layer.mapTipTemplate(),
        "ticked": QgsProject.instance().layerTreeRoot().findLayer(layer.id()).itemVisibilityChecked(),
        "group": QgsProject.instance().layerTreeRoot().findLayer(layer.id()).parent().name(),
        "days": [days.fixedTemporalRange().begin().toString("yyyy-MM-dd"), days.fixedTemporalRange().end().toString("yyyy-MM-dd")]
        if days.isActive() else [],
    }  # fmt: skip


def pictured(found, path, days=None):
    """Draws layers, at a time if there is one."""
    settings = QgsMapSettings()
    settings.setLayers(found)
    settings.setBackgroundColor(QColor("white"))
    settings.setOutputSize(QSize(600, 480))
    settings.setDestinationCrs(found[0].crs())
    settings.setExtent(found[0].extent())
    if days is not None:
        settings.setIsTemporal(True)
        settings.setTemporalRange(days)
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    job.renderedImage().save(path, "PNG")


def slid(project):
    """The steps of QGIS's own time slider through the project."""
    told, slider = project.timeSettings(), QgsTemporalNavigationObject()
    if told.temporalRange().isInfinite():
        return []
    slider.setTemporalExtents(told.temporalRange())
    slider.setFrameDuration(QgsInterval(told.timeStep(), told.timeStepUnit()))
    return [
        slider.dateTimeRangeForFrameNumber(number) for number in range(slider.totalFrameCount())
    ]


def through_processing(release, told, folder):
    """What Processing is asked to load; the layers after they went through there in QGIS's order, which is that of their names."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    sources = layers.on_completion(release, told, folder, context)
    QgsProject.instance().clear()
    found = {}
    for source, waiting in sorted(context.layersToLoadOnCompletion().items()):
        found[source] = QgsVectorLayer(source, "as Processing names it", "ogr")
        found[source].setRenderer(None)
        QgsProject.instance().addMapLayer(found[source])
        waiting.postProcessor().postProcessLayer(found[source], context, None)
    listed = [
        [one.layer().name(), one.itemVisibilityChecked()]
        for one in QgsProject.instance().layerTreeRoot().findLayers()
    ]
    return {"sources": sources, "layer": described(found[sources[0]]), "listed": listed}


def main(release, told, folder):
    told = json.loads(Path(told).read_text(encoding="utf-8"))
    project = QgsProject.instance()
    found = layers.load(release, told, os.path.dirname(release), raster=True)
    layers.add(found, project)
    first = [one for one in found if layers.told_of(one)["shows"] == "patches"]
    steps = slid(project)
    for number, days in enumerate(steps or [None]):
        pictured(first, os.path.join(folder, f"season{number}.png"), days)
    sheets = {}
    for name in layout.TEMPLATES:
        made = layout.add(project, found[0], template=name)
        said = {item: made.itemById(item).currentText() for item in layout.SIZES}
        done = [
            layout.write(made, os.path.join(folder, f"{name}{end}")) for end in (".png", ".pdf")
        ]
        sheets[name] = {"said": said, "written": done}
    span = project.timeSettings().temporalRange()
    described_first = [described(one) for one in found]
    html = found[0].htmlMetadata()
    steps = [
        [one.name() for one in first if one.temporalProperties().isVisibleInTemporalRange(days)]
        for days in steps
    ]
    seasonal = first and first[0].temporalProperties().isActive()
    tell({
        "layers": described_first, "sheets": sheets, "html": html,
        "steps": steps,
        "span": [span.begin().toString("yyyy-MM-dd"), span.end().toString("yyyy-MM-dd")] if seasonal else [],
        "processing": through_processing(release, told, os.path.dirname(release)),
    })  # fmt: skip


main(*sys.argv[1:])
