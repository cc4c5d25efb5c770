"""What a real QGIS makes of layers: run by the system's Python, which has PyQGIS; prints one JSON list.

    QT_QPA_PLATFORM=offscreen /usr/bin/python3 open_in_qgis.py FOLDER FILE [FILE ...]

Every layer in every file is opened as on drag and drop, with the style saved in or beside it, and drawn by itself to
FOLDER as a PNG of 400 x 400 pixels over white, in the layer's own reference system and in Web Mercator.
"""

import json
import os
import sys

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsProject,
    QgsProviderRegistry,
    QgsRasterLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor


def opened(path):
    """The layers of a file, each with whether a saved style was found."""
    context = QgsProject.instance().transformContext()
    for part in QgsProviderRegistry.instance().querySublayers(path):
        layer = part.toLayer(part.LayerOptions(context))
        found = layer.loadDefaultStyle()
        yield layer, bool(found[-1] if isinstance(found, tuple) else found)


def drawn(layer, crs, path):
    """The picture of one layer, and how many colours it has."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setBackgroundColor(QColor("white"))
    settings.setOutputSize(QSize(400, 400))
    settings.setDestinationCrs(crs)
    settings.setFlag(QgsMapSettings.Antialiasing, False)
    change = QgsCoordinateTransform(layer.crs(), crs, QgsProject.instance())
    settings.setExtent(change.transformBoundingBox(layer.extent()))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    job.renderedImage().save(path, "PNG")


def told(layer, styled):
    """What QGIS knows of a layer."""
    raster = isinstance(layer, QgsRasterLayer)
    crs = layer.crs()
    return {
        "name": layer.name(),
        "valid": layer.isValid(),
        "styled": styled,
        "raster": raster,
        "count": layer.bandCount() if raster else layer.featureCount(),
        "crs": crs.authid() or crs.description(),
        "crs_valid": crs.isValid(),
        "renderer": layer.renderer().type() if layer.renderer() else None,
        "bands": [layer.bandName(i + 1) for i in range(layer.bandCount())] if raster else [],
        "legend": [item.label() for item in layer.renderer().legendSymbolItems()]
        if not raster and layer.renderer()
        else [],
        "fields": [] if raster else [field.name() for field in layer.fields()],
        "aliases": [] if raster else [field.alias() for field in layer.fields()],
        "tip": "" if raster else layer.mapTipTemplate(),
        "labelled": not raster and layer.labelsEnabled(),
    }


def main(folder, *paths):
    app = QgsApplication([], False)
    app.initQgis()
    mercator = QgsCoordinateReferenceSystem("EPSG:3857")
    found = []
    for path in paths:
        for layer, styled in opened(path):
            entry = {"file": os.path.basename(path), **told(layer, styled), "pictures": []}
            if layer.isValid() and layer.isSpatial():
                for name, crs in (("own", layer.crs()), ("mercator", mercator)):
                    out = os.path.join(
                        folder, f"{os.path.basename(path)}.{layer.name()}.{name}.png"
                    )
                    drawn(layer, crs, out)
                    entry["pictures"].append(out)
            found.append(entry)
    print("JSON" + json.dumps(found))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
