"""Says which dpmap the plugin works with, and tries on this machine whether its promise holds."""

import json

from qgis.core import (
    QgsProcessingException,
    QgsProcessingOutputBoolean,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
)

from ..command import settings, verifying
from ..words import tr, unmarked
from .base import Algorithm

OUTCOMES = {"passed": "holds", "broken": "does not hold", "not here": "cannot be tried here"}


class VerifyDpmap(Algorithm):
    """Verifies dpmap."""

    NAME, GROUP = "verify", ""
    TITLE = "Verify dpmap"
    TAGS = (*Algorithm.TAGS, "selftest", "version", "installation", "check")
    HELP = """Says where dpmap was found and which version it is, and tries its promise on this machine: the noise, the cap, the ledger, the files.

It reads no survey, spends nothing and changes nothing. Where something does not hold, make no map with this dpmap."""
    WHOLE, GOOD, VERSION, MINIMUM, WHERE, SAYS, CHECKS = (
        "WHOLE",
        "GOOD",
        "VERSION",
        "MINIMUM",
        "WHERE",
        "SAYS",
        "CHECKS",
    )

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        whole = QgsProcessingParameterBoolean(self.WHOLE, tr("Every check there is"), False)
        self.put(
            whole,
            tr(
                "Tries all checks, which takes some minutes. Without it a part is tried, in seconds."
            ),
        )
        self.addOutput(QgsProcessingOutputBoolean(self.GOOD, tr("All that was tried holds")))
        for name, title in ((self.VERSION, "Version of dpmap"), (self.MINIMUM, "Oldest version that can be used"),
                            (self.WHERE, "Where it was found"), (self.SAYS, "In one sentence"), (self.CHECKS, "Checks as JSON")):  # fmt: skip
            self.addOutput(QgsProcessingOutputString(name, tr(title)))

    def processAlgorithm(self, parameters, context, feedback):
        """Looks for dpmap and tries it; what does not hold is the algorithm's error."""
        feedback.setProgressText(tr("looking for dpmap, and trying it"))
        whole = self.parameterAsBool(parameters, self.WHOLE, context)
        verdict = verifying.verify(
            settings.program(),
            whole=whole,
            progress=self.heard(feedback),
            stopped=feedback.isCanceled,
        )
        if verdict.version:
            found = tr("dpmap {} (the oldest that can be used is {}), found at {}: {}")
            place = " ".join(verdict.program)
            feedback.pushInfo(
                unmarked(found.format(verdict.version, verdict.minimum, tr(verdict.where), place))
            )
        for check in verdict.checks:
            outcome = str(check.get("outcome", ""))
            feedback.pushInfo(
                unmarked(f"{tr(OUTCOMES.get(outcome, outcome))}: {check.get('promise', '')}")
            )
        if not verdict.good:
            raise QgsProcessingException(tr(verdict.says))
        feedback.pushInfo(unmarked(verdict.says))
        return {
            self.GOOD: True, self.VERSION: verdict.version, self.MINIMUM: verdict.minimum, self.WHERE: " ".join(verdict.program),
            self.SAYS: verdict.says, self.CHECKS: json.dumps(verdict.checks, ensure_ascii=False),
        }  # fmt: skip
