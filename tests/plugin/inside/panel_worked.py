"""What the panel says in harder hands, told by a script in a QGIS without a window: `panel_worked.py RELEASES SCRATCH`."""

import json
import os
import sys

from started import start, tell

application = start()
import stage  # noqa: E402
from dpmap_qgis.command import settings  # noqa: E402
from dpmap_qgis.options.page import Page  # noqa: E402
from dpmap_qgis.panel.labels import Words  # noqa: E402
from dpmap_qgis.plugin import Plugin  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsDateTimeRange,
    QgsFeature,
    QgsGeometry,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDateTime, Qt  # noqa: E402
from qgis.PyQt.QtTest import QTest  # noqa: E402
from qgis.PyQt.QtWidgets import QAction, QLabel, QPushButton, QWidget  # noqa: E402

releases, scratch = sys.argv[1:3]
project = QgsProject.instance()
found = {}
iface = stage.Iface()
plugin = Plugin(iface)
application.plugin.unload()  # the one of start(), without a window
processing = plugin.provider


def here(*names):
    """Returns a path among the releases."""
    return os.path.join(releases, *names)


def clicked(layer, feature):
    """Returns what a click on a feature says, with the layer's own numbers."""
    stage.click(iface, stage.pixel(iface, feature.geometry().pointOnSurface().asPoint()))
    values = {name: feature[name] for name in ("estimate", "mean", "low", "high", "told", "answered", "distinguishable", "place", "cell", "eeaCellCode") if name in feature.fields().names()}  # fmt: skip
    return {"values": values, "name": panel.place.name.said(), "said": panel.place.lines.said()}


# Switched on, off and on again, as the plugin reloader does: nothing is there twice
plugin.initGui()
once = sorted(iface.there)
actions = len(iface.window.findChildren(QAction))
tools = len(iface.canvas.children())
factories = len(iface.factories)
plugin.unload()
stage.deleted()
stage.until(lambda: not iface.window.findChildren(QWidget, "dpmapPanel"))
found["off"] = [
    list(iface.there),
    len(iface.factories),
    QgsApplication.processingRegistry().providerById("dpmap") is None,
]
plugin.initGui()
stage.until(lambda: len(iface.window.findChildren(QWidget, "dpmapPanel")) == 1)
stage.deleted()
found["twice"] = [sorted(iface.there) == once, len(iface.factories) == factories]
application.processEvents()
found["doubled"] = [
    len(iface.window.findChildren(QAction)) - actions,
    len(iface.canvas.children()) - tools,
]
panel = plugin.hung.panel
keys = [action.shortcut().toString() for action, _ in plugin.hung.actions]
found["keys"] = keys

# Each kind of release: a click says the layer's own numbers, a zone those of a second run
found["kinds"] = {}
for kind in ("codes", "means", "merged", "tiers/public", "seasons/02-2026"):
    project.clear()
    layers = stage.opened(here(*kind.split("/")), "cells")
    stage.shows(iface, *layers)
    iface.choose(layers[0])
    stage.settled(panel)
    if iface.canvas.mapTool() is not panel.place_tool:
        panel.take_place_tool()
    clicks = [clicked(layers[0], feature) for feature in list(layers[0].getFeatures())[::4]]
    zone = QgsGeometry.fromRect(layers[0].extent())
    panel.zone.ask([zone], layers[0].crs())
    stage.settled(panel)
    found["kinds"][kind] = {
        "clicks": clicks, "zone": panel.zone.lines.said(), "told": panel.zone.answer and panel.zone.answer[0],
        "release": panel.promise.name.said(), "promise": panel.promise.lines.said(),
        "ledger": [panel.ledger.sums.said(), panel.ledger.lines.said()],
    }  # fmt: skip

# A hostile release: shown as it stands
labels = [one for one in panel.findChildren(QLabel) if one.text() and one.buddy() is None]
found["rich"] = [one.text() for one in labels if one.textFormat() != Qt.TextFormat.PlainText]
panel.setFloating(True)
panel.resize(320, 900)
application.processEvents()
found["beyond"] = panel.widget().horizontalScrollBar().maximum()
panel.setFloating(False)

# Print layout and dialogs
layer = layers[0]
panel.print_layout()
found["no layout"] = panel.promise.lines.said()
import processing as desk  # noqa: E402

asked = []
desk.execAlgorithmDialog = lambda name, *more: asked.append(name)
panel.doing.heatmap.click()
panel.doing._list()
for action in panel.doing.menu.actions():
    action.trigger()
stage.settled(panel)
found["dialogs"] = asked

# The time slider: a click answers for the season that is drawn; a layer that is hidden is not asked
project.clear()
later, earlier = (
    stage.opened(here("seasons", "02-2026"), "cells")[0],
    stage.opened(here("seasons", "01-2025"), "cells")[0],
)
later.setName("2026")
earlier.setName("2025")
for one, year in ((later, 2026), (earlier, 2025)):
    times = one.temporalProperties()
    times.setMode(times.ModeFixedTemporalRange)
    times.setFixedTemporalRange(QgsDateTimeRange(QDateTime.fromString(f"{year}-01-01T00:00:00Z", Qt.DateFormat.ISODate), QDateTime.fromString(f"{year}-12-31T00:00:00Z", Qt.DateFormat.ISODate)))  # fmt: skip
    times.setIsActive(True)
stage.shows(iface, later, earlier)
iface.choose(later)
stage.settled(panel)
middle = later.extent().center()
panel.place.ask(middle)
found["chosen season"] = panel.place.lines.said().splitlines()[-1]
iface.canvas.setTemporalRange(earlier.temporalProperties().fixedTemporalRange())
panel.place.ask(middle)
stage.settled(panel)
found["drawn season"] = [panel.place.lines.said().splitlines()[-1], panel.promise.name.said()[-4:]]
iface.canvas.setTemporalRange(QgsDateTimeRange(QDateTime(), QDateTime()))
iface.canvas.setLayers([earlier])
panel.place.ask(middle)
found["hidden"] = panel.place.lines.said().splitlines()[-1]
iface.canvas.setLayers([])
panel.place.ask(middle)
found["all hidden"] = panel.place.name.said()

# Somebody who selects features in a layer of her own stays with the release that she looked at
project.clear()
demo, codes = stage.opened(here("demo"), "patches")[0], stage.opened(here("codes"), "cells")[0]
zones = QgsVectorLayer("Polygon?crs=EPSG:4258", "projects", "memory")
project.addMapLayer(zones)
stage.shows(iface, demo, codes)
iface.choose(codes)
stage.settled(panel)
iface.choose(zones)
stage.settled(panel)
found["stays"] = panel.promise.name.said()
square = "POLYGON((-1.9 40.4, -1.6 40.4, -1.6 40.6, -1.9 40.6, -1.9 40.4))"
for words in (square, "POLYGON((10 10, 11 10, 11 11, 10 10))"):
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(words))
    zones.dataProvider().addFeatures([feature])
panel.zone.layers.setLayer(zones)
panel.zone.selected_button.click()
found["unselected"] = panel.zone.lines.said()
zones.selectAll()
panel.zone.selected_button.click()
stage.settled(panel)
found["selected"] = [panel.zone.lines.said(), panel.zone.answer[0]["zones"]]

# The same square in other CRSs, some of which write the north first
found["square"] = {}
lonlat = QgsCoordinateReferenceSystem("EPSG:4326")
for name in (
    "EPSG:4326",
    "EPSG:4258",
    "EPSG:3035",
    "EPSG:3857",
    "EPSG:25830",
    "ESRI:102014",
    "EPSG:3832",
):
    crs = QgsCoordinateReferenceSystem(name)
    shape = QgsGeometry.fromWkt(square).densifyByDistance(0.01)
    shape.transform(QgsCoordinateTransform(lonlat, crs, project))
    panel.zone.ask([shape], crs)
    stage.settled(panel)
    found["square"][name] = panel.zone.answer and panel.zone.answer[0]["zones"][0]

# A map that is turned: the zone that is seen, and the click under the mouse
iface.choose(demo)
stage.settled(panel)
stage.shows(iface, demo)
box = iface.canvas.extent()
iface.canvas.setRotation(30)
application.processEvents()
found["turned"] = panel.shown_area().area() / QgsGeometry.fromRect(iface.canvas.extent()).area()
feature = max(demo.getFeatures(), key=lambda one: one.geometry().area())
if iface.canvas.mapTool() is not panel.place_tool:
    panel.take_place_tool()
stage.click(iface, stage.pixel(iface, feature.geometry().pointOnSurface().asPoint()))
found["turned click"] = [panel.place.name.said(), f"Place {feature['place']}"]
iface.canvas.setRotation(0)

# A picture alone
project.clear()
picture = QgsRasterLayer(here("sparse", "map.tif"), "map")
project.addMapLayer(picture)
stage.shows(iface, picture)
iface.choose(picture)
stage.settled(panel)
panel.place.ask(picture.extent().center())
found["picture"] = [panel.place.lines.said(), panel.promise.name.said()]
panel.zone.ask_extent()
stage.settled(panel)
found["sparse"] = panel.zone.lines.said()

# A map whose last day is past, a ledger that is gone
panel.promise.show_release(
    panel.release, {**panel.about, "expires": "2020-01-01", "dataset": "Nests\nAuthorised by: X"}
)
found["expired"] = [panel.promise.name.said(), panel.promise.lines.said().splitlines()[0]]
panel.ledger.path.setText(os.path.join(scratch, "gone.ledger"))
panel.ledger._typed()
stage.settled(panel)
found["gone"] = panel.ledger.sums.said()
panel.ledger.path.setText("")
panel.ledger._typed()
stage.settled(panel)

# By keyboard alone: Tab reaches each button, field and answer once, in the order in which they stand
panel.setFloating(True)
panel.resize(320, 1500)
application.setActiveWindow(panel)
application.processEvents()
panel.place.ask_button.setFocus()
walked = []
for _ in range(60):
    one = application.focusWidget()
    if one in walked:
        break
    walked.append(one)
    QTest.keyClick(one, Qt.Key.Key_Tab)
inner = panel.widget().widget()
heights = [one.mapTo(inner, one.rect().topLeft()).y() for one in walked if inner.isAncestorOf(one)]
found["walked"] = [
    type(one).__name__ + ":" + (one.text() if hasattr(one, "text") else "") for one in walked
]
found["ordered"] = heights == sorted(heights)
within = [one for one in walked if inner.isAncestorOf(one)]
found["missed"] = [
    one.text()
    for one in inner.findChildren(QPushButton)
    if one.isVisible() and one.isEnabled() and one not in within
]
found["silent"] = [one.said() for one in inner.findChildren(Words) if one.isVisible() and one.said() not in one.accessibleName().replace("\u200b", "")]  # fmt: skip
found["letters"] = [one.text() for one in inner.findChildren(QPushButton) if "&" in one.text()]

# QGIS opens the settings at a page by its name
page = Page()
found["page"] = [page.objectName(), settings.PAGE]
panel.missing.open_settings()
found["opened"] = iface.opened[-1]
stage.settled(panel)

# Closed once, it stays closed
plugin.hung.show.trigger()
plugin.unload()
application.processEvents()
plugin.initGui()
application.processEvents()
found["stays closed"] = plugin.hung.panel.isHidden()
plugin.hung.show.trigger()
found["opens again"] = not plugin.hung.panel.isHidden()
tell(json.loads(json.dumps(found, default=lambda one: None)))
