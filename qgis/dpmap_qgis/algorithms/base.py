"""What the algorithms share: their names and help, and how each asks dpmap."""

from qgis.core import QgsProcessingAlgorithm, QgsProcessingException

from ..command import finding, running, settings
from ..words import plain, tr


class Algorithm(QgsProcessingAlgorithm):
    """Asks dpmap one thing; a subclass says which."""

    NAME = ""
    TITLE = ""
    HELP = ""
    TAGS = ("privacy", "differential privacy", "heatmap")

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

    def createInstance(self):
        """Makes another of its kind."""
        return type(self)()

    def ask(self, words, feedback, rows=None):
        """Runs dpmap and returns its JSON; what dpmap refuses is this algorithm's error, in dpmap's own words."""
        try:
            program = finding.found(settings.program())
        except finding.NotFound as error:
            raise QgsProcessingException(tr(str(error))) from None

        def heard(told):
            feedback.setProgressText(plain(told.get("step", "")))
            if told.get("fraction") is not None:
                feedback.setProgress(100 * told["fraction"])

        answer = running.run(program, words, progress=heard, stopped=feedback.isCanceled, rows=rows)
        if not answer.good:
            raise QgsProcessingException(plain(answer.error))
        return answer.told
