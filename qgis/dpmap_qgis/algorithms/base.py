"""What the algorithms share: their names and help, and how each asks dpmap."""

import re
from pathlib import Path

from qgis.core import QgsProcessingAlgorithm, QgsProcessingException
from qgis.PyQt.QtGui import QIcon

from ..command import finding, running, settings
from ..compat import ADVANCED
from ..words import tr, unmarked

GROUPS = {"before": "Before a release", "after": "After a release"}


class Algorithm(QgsProcessingAlgorithm):
    """Asks dpmap one thing; a subclass says which."""

    NAME = ""
    TITLE = ""
    HELP = ""
    TAGS = ("privacy", "differential privacy", "heatmap")
    GROUP = ""
    """The key of `GROUPS` under which the toolbox lists it; empty: by itself, on top."""

    def name(self):
        """Returns the name that scripts type."""
        return self.NAME

    def displayName(self):
        """Returns what people read."""
        return tr(self.TITLE)

    def shortHelpString(self):
        """Returns the help beside the dialog."""
        return tr(self.HELP)

    def tags(self):
        """Returns words by which the toolbox finds it."""
        return list(self.TAGS)

    def group(self):
        """Returns the group's name in the toolbox."""
        return tr(GROUPS.get(self.GROUP, ""))

    def groupId(self):
        """Returns the group's name for scripts."""
        return self.GROUP

    def icon(self):
        """Returns the picture beside the name."""
        return QIcon(str(Path(__file__).parents[1] / "icon.svg"))

    def put(self, parameter, told, *, advanced=False):
        """Adds a parameter with its help: one plain sentence or two, in the user's language already."""
        parameter.setHelp(told)
        if advanced:
            parameter.setFlags(parameter.flags() | ADVANCED)
        self.addParameter(parameter)

    def wrong(self, parameters, context):
        """Lists what is wrong with the parameters, a line each; a subclass says what it can tell without running anything."""
        del parameters, context
        return []

    def checkParameterValues(self, parameters, context):
        """Says what is wrong before anything runs."""
        good, said = super().checkParameterValues(parameters, context)
        if not good:
            return good, said
        found = self.wrong(parameters, context)
        return not found, "\n".join(found)

    def createInstance(self):
        """Makes another of its kind."""
        return type(self)()

    def heard(self, feedback):
        """Returns what shows a step of dpmap as the algorithm's own progress."""

        def shown(told):
            feedback.setProgressText(unmarked(told.get("step", "")))
            if told.get("fraction") is not None:
                feedback.setProgress(100 * told["fraction"])

        return shown

    def ask(self, words, feedback, rows=None):
        """Runs dpmap and returns its JSON; what dpmap refuses is this algorithm's error, in dpmap's own words."""
        try:
            program = finding.found(settings.program())
        except finding.NotFound as error:
            raise QgsProcessingException(tr(str(error))) from None
        answer = running.run(
            program, words, progress=self.heard(feedback), stopped=feedback.isCanceled, rows=rows
        )
        if not answer.good:
            raise QgsProcessingException(unmarked(self._name_parameter(answer)))
        return answer.told

    def find_parameter(self, option):
        """Returns the parameter that gives an option of dpmap, None where there is none."""
        return self.parameterDefinition(option)  # QGIS does not tell capitals apart

    def _name_parameter(self, answer):
        """Returns an error that begins with its parameter, by the name that the dialog shows."""
        parameter = self.find_parameter(answer.option) if answer.option else None
        if parameter is None:
            return answer.error
        flag = answer.option.replace("_", "-")
        message = re.sub(rf"^(?:--)?{re.escape(flag)}: ", "", answer.error)
        return f"{parameter.description().partition(':')[0]}: {message}"
