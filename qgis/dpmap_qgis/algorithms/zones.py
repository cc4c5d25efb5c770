"""Asks a release what project areas hold, each with its interval."""

import json

from qgis.core import (
    QgsProcessingException,
    QgsProcessingOutputString,
    QgsProcessingParameterFeatureSource,
)

from ..command.private import private_folder
from ..compat import POLYGONS
from ..rows import polygons
from ..words import tr
from . import inputs
from .base import Algorithm


class AskZones(Algorithm):
    """Answers for each zone."""

    NAME, GROUP = "ask", "after"
    TITLE = "Ask for zones"
    TAGS = (*Algorithm.TAGS, "project area", "total", "interval", "zonal")
    HELP = """Says how many a released map holds in each of your project areas, each with the interval that holds the truth.

It costs nothing: whatever is asked of a release, as often as you like, spends no epsilon."""
    RELEASE, ZONES, LEVEL, LAYER, OUTPUT, ANSWER = (
        "RELEASE",
        "ZONES",
        "LEVEL",
        "LAYER",
        "OUTPUT",
        "ANSWER",
    )

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(inputs.release_parameter(), tr(inputs.RELEASE_HELP))
        self.put(
            QgsProcessingParameterFeatureSource(self.ZONES, tr("Zones"), [POLYGONS]),
            tr(
                "The polygons that are asked for: project areas, districts, parks. A filter and a selection are honoured."
            ),
        )
        self.put(
            inputs.text_parameter(self.LEVEL, tr("Level"), "0.9", optional=False),
            tr(inputs.LEVEL_HELP),
        )
        self.put(
            inputs.text_parameter(self.LAYER, tr("Layer of the map")),
            tr(inputs.LAYER_HELP),
            advanced=True,
        )
        self.put(
            inputs.layer_parameter(self.OUTPUT, tr("Answers")),
            tr("A layer of the zones with their totals, intervals and notes."),
        )
        self.addOutput(QgsProcessingOutputString(self.ANSWER, tr("Answers as JSON")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        return inputs.wrong_release(self, parameters, context) + inputs.wrong_share(
            self, parameters, context, self.LEVEL
        )

    def prepareAlgorithm(self, parameters, context, feedback):
        """Looks at the zones' layer, in its own thread."""
        del feedback
        self.zones = polygons.chosen(self, parameters, self.ZONES, context)
        if self.zones is None:
            raise QgsProcessingException(tr("Zones: choose a polygon layer"))
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        going = inputs.Destination(self, parameters, self.OUTPUT, context)
        with private_folder() as private:
            at = self.zones.at(private, feedback)
            words = [
                "ask",
                "--json",
                "--level=" + inputs.text(self, parameters, self.LEVEL, context),
            ]
            words += [f"--zones-layer={at.layer}"] if at.layer else []
            layer = inputs.text(self, parameters, self.LAYER, context)
            words += [f"--layer={layer}"] if layer else []
            words += going.words("out", private)
            told = self.ask(
                [*words, "--", inputs.release(self, parameters, context), at.path], feedback
            )
            return {**going.finish(), self.ANSWER: json.dumps(told, ensure_ascii=False)}
