"""Reads a ledger: what was spent, what remains, and whether the chain is whole."""

from qgis.core import QgsProcessingOutputString, QgsProcessingParameterFile

from ..words import tr
from .base import Algorithm


class ReadLedger(Algorithm):
    """Says what remains in a ledger."""

    NAME = "ledger"
    TITLE = "Read the ledger"
    HELP = "Verifies a ledger and says what was spent and what remains. It changes nothing."
    LEDGER, BUDGET, SPENT, REMAINING = "LEDGER", "BUDGET", "SPENT", "REMAINING"

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.addParameter(QgsProcessingParameterFile(self.LEDGER, tr("Ledger")))
        for name, title in (
            (self.BUDGET, "Budget"),
            (self.SPENT, "Spent"),
            (self.REMAINING, "Remaining"),
        ):
            self.addOutput(QgsProcessingOutputString(name, tr(title)))

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        told = self.ask(["ledger", "--json", "--", self.parameterAsFile(parameters, self.LEDGER, context)], feedback)
        return {self.BUDGET: told["budget"], self.SPENT: told["spent"], self.REMAINING: told["remaining"]}
