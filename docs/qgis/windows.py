"""Opens windows of QGIS and keeps how they look; docs/qgis/pictures.py runs it within QGIS's own Python: `windows.py FOLDER MAP SEASONS LEDGER`; FOLDER holds what dpmap tells of both maps."""

import json
import os
import sys
from pathlib import Path

from started import start, tell

application = start()

import qgis.utils  # noqa: E402
import stage  # noqa: E402
from dpmap_qgis.panel.hung import Hung  # noqa: E402
from dpmap_qgis.shown import layers, layout  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsPointXY,
    QgsProcessingContext,
    QgsProject,
    QgsTemporalNavigationObject,
    QgsVectorLayer,
)
from qgis.gui import (  # noqa: E402
    QgsLayerTreeView,
    QgsProcessingToolboxProxyModel,
    QgsProcessingToolboxTreeView,
    QgsTemporalControllerWidget,
)
from qgis.PyQt.QtCore import QModelIndex, Qt  # noqa: E402
from qgis.PyQt.QtWidgets import QComboBox, QDockWidget  # noqa: E402

TO, MAP, SEASONS, LEDGER = map(Path, sys.argv[1:])
kept = []


def keep(window, name, wide, high):
    """Keeps how a window looks."""
    window.resize(wide, high)
    window.show()
    settle()
    window.grab().save(str(TO / f"{name}.png"))
    kept.append(name)
    window.hide()


def settle():
    for _ in range(20):
        application.processEvents()


def toolbox():
    """The algorithms as the toolbox lists them."""
    registry = QgsApplication.processingRegistry()
    tree = QgsProcessingToolboxTreeView(None, registry)
    model = QgsProcessingToolboxProxyModel(tree, registry)
    tree.setToolboxProxyModel(model)
    tree.setHeaderHidden(True)
    tree.setFilterString("dpmap")
    tree.expandAll()
    tree.setCurrentIndex(QModelIndex())
    keep(tree, "toolbox", 420, 310)


def survey():
    """The sample survey and its land, as they are dragged into QGIS."""
    folder = MAP.parent.parent
    raptors = QgsVectorLayer(
        f"{(folder / 'raptors.csv').as_uri()}?delimiter=,&xField=longitude&yField=latitude&crs=EPSG:4326",
        "raptors",
        "delimitedtext",
    )
    area = QgsVectorLayer(str(folder / "study_area.gpkg"), "study_area", "ogr")
    QgsProject.instance().addMapLayers([raptors, area])
    return raptors, area


def heatmap():
    """The dialog of Private heatmap, filled in as the page says."""
    from processing.gui.AlgorithmDialog import AlgorithmDialog

    raptors, area = survey()
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("dpmap:privateheatmap")
    dialog = AlgorithmDialog(algorithm)
    wrappers = dialog.mainWidget().wrappers
    dialog.show()
    settle()
    for name, layer in (("INPUT", raptors), ("AREA", area)):  # as by hand
        box = wrappers[name].wrappedWidget().findChildren(QComboBox)[0]
        for at in range(box.count()):
            if layer.name() in box.itemText(at):
                box.setCurrentIndex(at)
    context = QgsProcessingContext()
    wanted = {
        "CELL": "5 km", "UNIT": "observer_id", "CAP": "5", "EPSILON": "1", "CONSENT": "consent",
        "CONSENT_VALUES": "yes", "LEDGER": "/home/ada/raptors.ledger", "DATASET": "Raptors 2026", "BUDGET": "3", "FOLDER": "/home/ada/first-map",
    }  # fmt: skip
    for name, value in wanted.items():
        wrappers[name].setWidgetValue(value, context)
    keep(dialog, "heatmap", 1100, 1180)
    QgsProject.instance().clear()


def settings():
    """The page of settings, when dpmap was found."""
    from dpmap_qgis.options.page import Page

    page = Page(None)
    stage.until(lambda: page.found.text() != "Looking...")
    page.found.setText(
        page.found.text().replace(os.environ["PATH"].split(":")[0], "/usr/local/bin")
    )
    keep(page, "settings", 820, 500)


def opened(release, iface):
    """Shows a release as the algorithm does."""
    told = json.loads((TO / f"{release.parent.name}.json").read_text(encoding="utf-8"))
    found = layers.load(str(release), told, str(release.parent))
    layers.add(found, QgsProject.instance())
    ticked = [
        node.layer()
        for node in QgsProject.instance().layerTreeRoot().findLayers()
        if node.isVisible()
    ]
    stage.shows(iface, *ticked)
    box = ticked[0].extent()
    box.scale(1.05)
    iface.canvas.setExtent(box)
    iface.choose(ticked[0])
    return found


def listed(iface, wide):
    """Adds the list of layers with its legend, as QGIS has it on the left."""
    from qgis.core import QgsLayerTreeModel

    model = QgsLayerTreeModel(QgsProject.instance().layerTreeRoot())
    model.setFlag(QgsLayerTreeModel.ShowLegend)
    view = QgsLayerTreeView()
    view.setModel(model)
    dock = QDockWidget("Layers")
    dock.setWidget(view)
    dock.setMinimumWidth(wide)
    iface.window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    iface.kept = (model, view, dock)


def drawn(iface):
    """Waits until the map is drawn."""
    iface.canvas.refresh()
    stage.until(lambda: not iface.canvas.isDrawing())
    settle()


def a_map():
    """The map as it arrives, with its legend."""
    iface = stage.Iface()
    opened(MAP, iface)
    listed(iface, 340)
    iface.window.resize(1120, 640)
    settle()
    iface.canvas.setExtent(iface.canvas.extent())
    drawn(iface)
    keep(iface.window, "map", 1120, 640)
    QgsProject.instance().clear()


def panel():
    """The panel with a place that was clicked, and a zone that was drawn."""
    iface = stage.Iface()
    hung = Hung(iface)
    opened(MAP, iface)
    iface.window.resize(1200, 900)
    hung.panel.setMinimumWidth(400)
    hung.panel.ledger.path.setText(str(LEDGER))
    hung.panel.ledger._typed()
    stage.settled(hung.panel)
    settle()
    drawn(iface)
    box = iface.canvas.extent()
    hung.panel.take_place_tool()
    stage.click(iface, stage.pixel(iface, box.center()))
    stage.settled(hung.panel)
    hung.panel.take_zone_tool()
    for x, y in ((0.3, 0.3), (0.55, 0.28), (0.6, 0.5), (0.35, 0.55)):
        stage.click(
            iface,
            stage.pixel(
                iface,
                QgsPointXY(box.xMinimum() + x * box.width(), box.yMinimum() + y * box.height()),
            ),
        )
    stage.click(iface, stage.pixel(iface, box.center()), Qt.MouseButton.RightButton)
    stage.settled(hung.panel)
    keep(iface.window, "panel", 1200, 900)
    hung.remove()
    QgsProject.instance().clear()


def sheet():
    """The page that is printed."""
    iface = stage.Iface()
    found = opened(MAP, iface)
    layout.write(layout.add(QgsProject.instance(), found[0]), str(TO / "layout.png"))
    kept.append("layout")
    QgsProject.instance().clear()


def seasons():
    """The first of two years, by QGIS's own time slider."""
    iface = qgis.utils.iface = stage.Iface()
    slider = QgsTemporalControllerWidget()
    iface.canvas.setTemporalController(slider.temporalController())
    opened(SEASONS, iface)
    listed(iface, 340)
    dock = QDockWidget("Temporal Controller")
    dock.setWidget(slider)
    iface.window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
    controller = slider.temporalController()
    controller.setNavigationMode(QgsTemporalNavigationObject.Animated)
    iface.window.resize(1120, 640)
    settle()
    controller.setCurrentFrameNumber(0)
    drawn(iface)
    keep(iface.window, "seasons", 1120, 640)
    QgsProject.instance().clear()


for one in (toolbox, heatmap, settings, a_map, panel, sheet, seasons):
    one()
tell(kept)
