"""Hangs the panel into QGIS's window, with its menu and its buttons, and takes it away."""

from pathlib import Path

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QIcon

from ..command import settings
from ..words import tr
from .dock import Panel

try:
    from qgis.PyQt.QtGui import QAction  # Qt 6
except ImportError:
    from qgis.PyQt.QtWidgets import QAction

MENU = "dpmap"
# No Ctrl+Alt with a letter: on Windows that is AltGr, which writes letters in many languages.


class Hung:
    """The panel in a window of QGIS."""

    def __init__(self, iface):
        self.iface = iface
        self.panel = Panel(iface)
        iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.panel)
        window = iface.mainWindow()
        icon = QIcon(str(Path(__file__).parents[1] / "icon.svg"))
        self.show = QAction(icon, tr("Panel of private maps"), window)
        self.panel.setToggleVisibilityAction(self.show)
        if settings.panel_closed():
            self.panel.hide()
        self.show.triggered.connect(lambda open_: settings.close_panel(not open_))
        self.panel.closed.connect(lambda: settings.close_panel(True))
        self.place = QAction(icon, tr("Ask a place of a private map"), window)
        self.place.triggered.connect(lambda checked=False: self.panel.take_place_tool())
        self.zone = QAction(icon, tr("Draw a zone on a private map"), window)
        self.zone.triggered.connect(lambda checked=False: self.panel.take_zone_tool())
        self.actions = [(self.show, "Shift+F8"), (self.place, "Shift+F9"), (self.zone, "Shift+F11")]
        for action, keys in self.actions:
            iface.addPluginToMenu(MENU, action)
            iface.registerMainWindowAction(action, keys)
        iface.addToolBarIcon(self.show)

    def remove(self):
        """Takes all of it away."""
        self.iface.removeToolBarIcon(self.show)
        for action, _ in self.actions:
            self.iface.unregisterMainWindowAction(action)
            self.iface.removePluginMenu(MENU, action)
            action.deleteLater()
        self.panel.remove()
        self.panel = None
