"""Hangs the plugin into QGIS: the algorithms everywhere, the panel and the menu where there is a window."""

from qgis.core import QgsApplication

from .command import private, stopping
from .provider import Provider


class Plugin:
    """Adds the algorithms to QGIS and takes them away again."""

    def __init__(self, iface):
        self.iface = iface
        self.provider = None
        self.hung = None
        self.options = None

    def initProcessing(self):
        """Adds the algorithms to the toolbox, and wipes what a QGIS that was killed left behind."""
        stopping.hear_stops()
        private.sweep()
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        """Adds all of it where QGIS has a window."""
        self.initProcessing()
        if self.iface is not None:
            from .options.page import Options
            from .panel.hung import Hung

            self.options = Options(self.iface)
            self.hung = Hung(self.iface)

    def unload(self):
        """Takes all of it away."""
        for part in (self.hung, self.options):
            if part is not None:
                part.remove()
        self.hung = self.options = None
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
