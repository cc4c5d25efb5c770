"""Says what changed between two releases, with both noises in each interval."""

import json

from qgis.core import QgsProcessingOutputString, QgsProcessingParameterFeatureSource

from ..command.private import private_folder
from ..compat import POLYGONS
from ..rows import polygons
from ..words import tr
from . import inputs
from .base import Algorithm


class Compare(Algorithm):
    """Compares two releases."""

    NAME, GROUP = "compare", "after"
    TITLE = "Compare"
    TAGS = (*Algorithm.TAGS, "change", "difference", "trend")
    HELP = """Says where two released maps differ by more than their noise, cell by cell or in your zones.

It costs nothing: it reads both releases and spends no epsilon."""
    BEFORE, AFTER, ZONES, OUTPUT, ANSWER = "BEFORE", "AFTER", "ZONES", "OUTPUT", "ANSWER"
    TEXTS = {  # noqa: RUF012  # read only
        "rate": "RATE", "level": "LEVEL", "layer": "LAYER", "layer-before": "LAYER_BEFORE", "layer-after": "LAYER_AFTER",
    }  # fmt: skip

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(
            inputs.release_parameter(self.BEFORE, tr("Earlier release")), tr(inputs.RELEASE_HELP)
        )
        self.put(inputs.release_parameter(self.AFTER, tr("Later release")), tr(inputs.RELEASE_HELP))
        self.put(
            QgsProcessingParameterFeatureSource(self.ZONES, tr("Zones"), [POLYGONS], optional=True),
            tr("Polygons to compare instead of cells; the cells of the two maps may then differ."),
        )
        self.put(
            inputs.text_parameter("RATE", tr("Rate of false changes"), "0.1", optional=False),
            tr(inputs.RATE_HELP),
        )
        self.put(
            inputs.text_parameter("LEVEL", tr("Level"), "0.9", optional=False),
            tr(inputs.LEVEL_HELP),
        )
        self.put(
            inputs.text_parameter("LAYER", tr("Layer of both maps")),
            tr(inputs.LAYER_HELP),
            advanced=True,
        )
        for name, title in (
            ("LAYER_BEFORE", "Layer of the earlier map"),
            ("LAYER_AFTER", "Layer of the later map"),
        ):
            self.put(
                inputs.text_parameter(name, tr(title)),
                tr("Where it is another than that of the other map."),
                advanced=True,
            )
        self.put(
            inputs.layer_parameter(self.OUTPUT, tr("Changes")),
            tr("A layer of the cells or zones with the change and its interval."),
        )
        self.addOutput(QgsProcessingOutputString(self.ANSWER, tr("Answer as JSON")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        releases = [
            one
            for name in (self.BEFORE, self.AFTER)
            for one in inputs.wrong_release(self, parameters, context, name)
        ]
        return releases + inputs.wrong_share(self, parameters, context, "RATE", "LEVEL")

    def prepareAlgorithm(self, parameters, context, feedback):
        """Looks at the zones' layer, in its own thread."""
        del feedback
        self.zones = polygons.chosen(self, parameters, self.ZONES, context)
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        going = inputs.Destination(self, parameters, self.OUTPUT, context)
        told = {
            flag: inputs.text(self, parameters, name, context) for flag, name in self.TEXTS.items()
        }
        both = [
            inputs.release(self, parameters, context, name) for name in (self.BEFORE, self.AFTER)
        ]
        with private_folder() as private:
            words = [
                "compare",
                "--json",
                *(f"--{flag}={value}" for flag, value in told.items() if value),
            ]
            if self.zones is not None:
                words += self.zones.words("zones", private, feedback)
            answer = self.ask([*words, *going.words("to", private), "--", *both], feedback)
            return {**going.finish(), self.ANSWER: json.dumps(answer, ensure_ascii=False)}
