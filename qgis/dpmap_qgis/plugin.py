"""Hangs the plugin into QGIS: the algorithms everywhere, the panel and the menu where there is a window."""

from qgis.core import QgsApplication

from .provider import Provider


class Plugin:
    """Adds the algorithms to QGIS and takes them away again."""

    def __init__(self, iface):
        self.iface = iface
        self.provider = None
        self.hung = None

    def initProcessing(self):
        """Adds the algorithms to the toolbox."""
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        """Adds all of it where QGIS has a window."""
        self.initProcessing()
        if self.iface is not None:
            from .panel.hung import Hung

            self.hung = Hung(self.iface)

    def unload(self):
        """Takes all of it away."""
        if self.hung is not None:
            self.hung.remove()
            self.hung = None
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
