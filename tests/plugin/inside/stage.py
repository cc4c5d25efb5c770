"""A window of QGIS for scripts of tests: a real canvas and what a plugin asks of QGIS's interface, in a few lines."""

import time

from qgis.core import QgsProject, QgsVectorLayer
from qgis.gui import QgsMapCanvas, QgsMapToolPan
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QKeySequence, QPalette
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication, QMainWindow

LONG = 600
"""Seconds after which what is waited for has failed (`builders/waiting.py`, which QGIS's own Python does not find)."""


class Iface(QObject):
    """What the plugin asks of QGIS's window; notes what was added and what is still there."""

    currentLayerChanged = pyqtSignal(object)

    def __init__(self, width=500):
        super().__init__()
        self.window = QMainWindow()
        self.canvas = QgsMapCanvas()
        self.canvas.setCanvasColor(QColor(255, 255, 255))
        self.window.setCentralWidget(self.canvas)
        self.window.resize(900, 700)
        self.active, self.there, self.opened, self.factories = None, [], [], []
        self.pan = QgsMapToolPan(self.canvas)
        self.canvas.setMapTool(self.pan)
        self.window.show()

    def mainWindow(self):
        return self.window

    def mapCanvas(self):
        return self.canvas

    def activeLayer(self):
        return self.active

    def choose(self, layer):
        self.active = layer
        self.currentLayerChanged.emit(layer)

    def addDockWidget(self, area, dock):
        self.there.append("dock")
        self.window.addDockWidget(area, dock)

    def removeDockWidget(self, dock):
        self.there.remove("dock")
        self.window.removeDockWidget(dock)

    def addPluginToMenu(self, name, action):
        self.there.append("menu")

    def removePluginMenu(self, name, action):
        self.there.remove("menu")

    def addToolBarIcon(self, action):
        self.there.append("icon")

    def removeToolBarIcon(self, action):
        self.there.remove("icon")

    def registerMainWindowAction(self, action, keys):
        action.setShortcut(QKeySequence(keys))
        self.there.append("keys")
        self.window.addAction(action)
        return True

    def unregisterMainWindowAction(self, action):
        self.there.remove("keys")
        return True

    def registerOptionsWidgetFactory(self, factory):
        self.factories.append(factory)

    def unregisterOptionsWidgetFactory(self, factory):
        self.factories.remove(factory)

    def showOptionsDialog(self, parent=None, page=""):
        self.opened.append(page)

    def openLayoutDesigner(self, layout):
        self.opened.append(layout.name())


def until(true):
    """Lets QGIS work until something is so, however long that takes beside other work."""
    end = time.monotonic() + LONG
    while not true():
        if time.monotonic() > end:
            raise AssertionError("it never came to be")
        QApplication.processEvents()
        time.sleep(0.01)


def deleted():
    """Takes away what was to be deleted later, as QGIS does by itself."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()


def settled(panel):
    """Lets QGIS work until the panel awaits no answer."""
    until(lambda: not panel.asker.tasks)
    QApplication.processEvents()


def opened(folder, *names):
    """Adds layers of a release's cells.gpkg to the project, the first on top."""
    found = []
    for name in names or ("patches",):
        layer = QgsVectorLayer(f"{folder}/cells.gpkg|layername={name}", name, "ogr")
        assert layer.isValid(), folder
        found.append(layer)
    QgsProject.instance().addMapLayers(found)
    return found


def shows(iface, *layers):
    """Shows layers on the canvas, all of the first one's extent."""
    iface.canvas.setDestinationCrs(layers[0].crs())
    iface.canvas.setLayers(list(layers))
    iface.canvas.setExtent(layers[0].extent())
    iface.canvas.refresh()
    QApplication.processEvents()


def pixel(iface, point):
    """Returns where a point of the map is on the canvas."""
    place = iface.canvas.getCoordinateTransform().transform(point)
    return QPoint(round(place.x()), round(place.y()))


def click(iface, place, button=Qt.MouseButton.LeftButton):
    """Clicks on the canvas."""
    QTest.mouseClick(iface.canvas.viewport(), button, Qt.KeyboardModifier.NoModifier, place)
    QApplication.processEvents()


def press(iface, key):
    """Presses a key on the canvas."""
    QTest.keyClick(iface.canvas, key)
    QApplication.processEvents()


def darken(application):
    """Gives all of QGIS a dark palette."""
    palette = QPalette()
    dark, light = QColor(38, 38, 42), QColor(232, 232, 232)
    for role in ("Window", "Base", "Button", "AlternateBase", "ToolTipBase"):
        palette.setColor(getattr(QPalette.ColorRole, role), dark)
    for role in ("WindowText", "Text", "ButtonText", "ToolTipText", "BrightText"):
        palette.setColor(getattr(QPalette.ColorRole, role), light)
    for role in ("WindowText", "Text", "ButtonText"):
        palette.setColor(
            QPalette.ColorGroup.Disabled, getattr(QPalette.ColorRole, role), QColor(150, 150, 150)
        )
    application.setPalette(palette)
