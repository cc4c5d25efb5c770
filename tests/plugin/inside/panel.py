"""What the panel says of a release, told by a script in a QGIS without a window: `panel.py DEMO SCRATCH`."""

import json
import os
import sys

from started import start, tell

application = start()
import stage  # noqa: E402
from dpmap_qgis.panel import releases  # noqa: E402
from dpmap_qgis.panel.hung import Hung  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt  # noqa: E402
from qgis.PyQt.QtWidgets import QAbstractButton, QLabel  # noqa: E402

demo, scratch = sys.argv[1:3]
project = QgsProject.instance()
found = {}
iface = stage.Iface()
hung = Hung(iface)
panel = hung.panel
found["empty"] = panel.promise.name.said()
layer, cells = stage.opened(demo, "patches", "cells")
stage.shows(iface, layer, cells)
iface.choose(layer)
stage.settled(panel)

# What a click holds
panel.take_place_tool()
found["places"] = []
for feature in layer.getFeatures():
    stage.click(iface, stage.pixel(iface, feature.geometry().pointOnSurface().asPoint()))
    values = {name: feature[name] for name in ("place", "estimate", "low", "high", "area_km2")}
    found["places"].append(
        {
            **values,
            "told": bool(feature["told"]),
            "name": panel.place.name.said(),
            "said": panel.place.lines.said(),
        }
    )
stage.press(iface, Qt.Key.Key_Return)
found["middle"] = panel.place.name.said()
panel.place.ask(QgsPointXY(9e6, 9e6))
found["outside"] = panel.place.lines.said()

# A drawn zone, by mouse, with a point taken back
panel.take_zone_tool()
for x, y in ((-20000, -20000), (20000, -20000), (20000, 20000), (5000, 45000)):
    stage.click(iface, stage.pixel(iface, QgsPointXY(x, y)))
stage.press(iface, Qt.Key.Key_Backspace)
drawn = QgsGeometry.fromPolygonXY([[*panel.zone_tool.points, panel.zone_tool.points[0]]])
stage.click(iface, stage.pixel(iface, QgsPointXY(0, 0)), Qt.MouseButton.RightButton)
stage.settled(panel)
found["zone"] = {
    "said": panel.zone.lines.said(),
    "provenance": panel.zone.provenance.said(),
    "told": panel.zone.answer[0],
}
panel.zone.keep()
kept = next(one for one in project.mapLayers().values() if one.name() == "zones asked")
found["kept"] = {
    "estimate": next(kept.getFeatures())["estimate"],
    "area": next(kept.getFeatures()).geometry().area(), "drawn": drawn.area(),
}  # fmt: skip
stage.click(iface, stage.pixel(iface, QgsPointXY(0, 0)))
stage.press(iface, Qt.Key.Key_Escape)
found["escaped"] = len(panel.zone_tool.points)

# Zones of a layer in another CRS, one outside, one tiny, one that crosses itself
lonlat = QgsCoordinateReferenceSystem("EPSG:4326")
zones = QgsVectorLayer("Polygon?crs=EPSG:4326", "zones", "memory")
zones_told = {}
for name, words in {
    "outside": "POLYGON((10 10, 11 10, 11 11, 10 10))",
    "tiny": "POLYGON((-1.9 40.4, -1.899 40.4, -1.899 40.401, -1.9 40.4))",
    "crossing": "POLYGON((-1.9 40.4, -1.6 40.6, -1.6 40.4, -1.9 40.6, -1.9 40.4))",
}.items():
    panel.zone.ask([QgsGeometry.fromWkt(words)], lonlat)
    stage.settled(panel)
    zones_told[name] = panel.zone.lines.said()
found["zones"] = zones_told

# The promise and its pages
found["promise"] = panel.promise.lines.said()
found["pages"] = {name: one.isEnabled() for name, one in panel.promise.buttons.items()}
folder = os.path.join(scratch, "stranger")
os.makedirs(folder)
open(os.path.join(folder, "release.dpmap"), "w").close()
os.symlink("/etc/hostname", os.path.join(folder, "map.html"))
found["stranger"] = releases.page(
    releases.Release(os.path.join(folder, "release.dpmap")), "map.html"
)

# What remains, remembered in a project beside it
found["ledger"] = [panel.ledger.sums.said(), panel.ledger.lines.said(), panel.ledger.bar.value()]
project.setFileName(os.path.join(scratch, "p.qgs"))
panel.ledger.path.setText(os.path.join(demo, "demo.ledger"))
panel.ledger._typed()
stage.settled(panel)
found["chosen"] = panel.ledger.sums.said()
found["remembered"] = project.readEntry("dpmap", "ledger", "")[0]
panel.ledger.path.setText(os.path.join(demo, "privacy.yaml"))
panel.ledger._typed()
stage.settled(panel)
found["no ledger"] = panel.ledger.sums.said()

# Accessibility: plain text everywhere, a name on each button, nothing wider than a narrow dock
labels = [one for one in panel.findChildren(QLabel) if one.text() and one.buddy() is None]
found["rich"] = [one.text() for one in labels if one.textFormat() != Qt.TextFormat.PlainText]
found["unnamed"] = [
    type(one).__name__
    for one in panel.widget().findChildren(QAbstractButton)
    if one.isVisible() and not (one.text() or one.accessibleName())
]
panel.setFloating(True)
panel.resize(300, 700)
application.processEvents()
found["beyond"] = panel.widget().horizontalScrollBar().maximum()
shown = panel.grab().save(os.path.join(scratch, "panel.png"))

# A layer that is removed, a project that is closed, while dpmap is asked; then all is taken away
panel.zone.ask([drawn], layer.crs())
project.removeMapLayer(layer.id())
project.clear()
application.processEvents()
found["forgotten"] = [panel.place.name.said(), len(panel.asker.tasks)]
panel.zone.ask_extent()
hung.remove()
application.processEvents()
found["left"] = iface.there
found["tool"] = iface.canvas.mapTool() is not None and type(iface.canvas.mapTool()).__name__
tell(json.loads(json.dumps(found, default=str)))
