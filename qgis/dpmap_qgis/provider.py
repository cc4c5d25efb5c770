"""Lists the algorithms for the toolbox, the modeller, batch runs and qgis_process."""

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .algorithms import ALGORITHMS


class Provider(QgsProcessingProvider):
    """Offers the algorithms under the name dpmap."""

    def id(self):
        """Returns the word before each algorithm's name."""
        return "dpmap"

    def name(self):
        """Returns what people read."""
        return "dpmap: private maps"

    def icon(self):
        """Returns the picture beside the name."""
        return QIcon(str(Path(__file__).parent / "icon.svg"))

    def loadAlgorithms(self):
        """Adds each algorithm."""
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm())
