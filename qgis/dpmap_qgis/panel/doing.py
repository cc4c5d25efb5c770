"""Leads to the algorithms."""

from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import QMenu, QPushButton

from ..words import tr
from .section import Section, button

HEATMAP = "dpmap:privateheatmap"


class DoSection(Section):
    """Opens the dialogs of the algorithms."""

    def __init__(self, panel):
        super().__init__(tr("Make and export"))
        del panel
        self.heatmap = button(
            tr("Private &heatmap..."), lambda: run(HEATMAP), tr("Makes a private map of a layer of points")
        )
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._list)
        self.more = QPushButton(tr("&All algorithms"))
        self.more.setMenu(self.menu)
        self.add(self.heatmap, self.more)

    def _list(self):
        """Lists what the toolbox has of dpmap."""
        self.menu.clear()
        provider = QgsApplication.processingRegistry().providerById("dpmap")
        for algorithm in [] if provider is None else provider.algorithms():
            name = algorithm.id()
            self.menu.addAction(algorithm.displayName(), lambda name=name: run(name))


def run(name):
    """Opens an algorithm's dialog."""
    import processing  # it is there only where QGIS has Processing switched on

    processing.execAlgorithmDialog(name)
