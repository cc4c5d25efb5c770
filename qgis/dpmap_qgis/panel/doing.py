"""Leads to the algorithms."""

from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import QMenu, QPushButton

from ..words import tr
from .labels import Words
from .section import Section, button

HEATMAP = "dpmap:privateheatmap"
OFF = "QGIS has Processing switched off: switch it on in Plugins, Manage and Install Plugins."


class DoSection(Section):
    """Opens the dialogs of the algorithms."""

    def __init__(self, panel):
        super().__init__(tr("Make and export"))
        self.panel = panel
        self.heatmap = button(
            tr("Private heatmap..."),
            lambda: self.run(HEATMAP),
            tr("Makes a private map of a layer of points"),
        )
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._list)
        self.more = QPushButton(tr("All algorithms"))
        self.more.setMenu(self.menu)
        self.said = Words(name=tr("Make and export"))
        self.add(self.heatmap, self.more, self.said)

    def _list(self):
        """Lists what the toolbox has of dpmap."""
        self.menu.clear()
        provider = QgsApplication.processingRegistry().providerById("dpmap")
        for algorithm in [] if provider is None else provider.algorithms():
            name = algorithm.id()
            self.menu.addAction(algorithm.displayName(), lambda name=name: self.run(name))
        if self.menu.isEmpty():
            self.said.say(tr(OFF))

    def run(self, name):
        """Opens an algorithm's dialog; what it spent is seen in the ledger afterwards."""
        self.said.say(run(name))
        self.panel.ledger.refresh()


def run(name):
    """Opens an algorithm's dialog; returns what to say where QGIS has Processing switched off."""
    if QgsApplication.processingRegistry().algorithmById(name) is None:
        return tr(OFF)
    try:
        import processing
    except ImportError:
        return tr(OFF)
    processing.execAlgorithmDialog(name)
    return ""
