"""Finds where a release surely holds more: above a number, or more than its surroundings."""

import json

from qgis.core import QgsProcessingOutputNumber, QgsProcessingOutputString

from ..command.private import private_folder
from ..words import tr
from . import inputs
from .base import Algorithm


class HotSpots(Algorithm):
    """Finds hot spots."""

    NAME, GROUP = "hotspots", "after"
    TITLE = "Hot spots"
    TAGS = (*Algorithm.TAGS, "hotspot", "cluster", "density")
    HELP = """Draws where a released map holds more than a number, or more than the land around: only places that noise alone does not explain.

It costs nothing: it reads the release and spends no epsilon."""
    RELEASE, ABOVE, RATE, LEVEL, LAYER, OUTPUT, COUNT, ANSWER = (
        "RELEASE", "ABOVE", "RATE", "LEVEL", "LAYER", "OUTPUT", "COUNT", "ANSWER",
    )  # fmt: skip

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(inputs.release_parameter(), tr(inputs.RELEASE_HELP))
        self.put(
            inputs.text_parameter(self.ABOVE, tr("Above"), "surroundings", optional=False),
            tr("A number that a cell must exceed, like 20; or the word surroundings."),
        )
        self.put(
            inputs.text_parameter(self.RATE, tr("Rate of false ones"), "0.1", optional=False),
            tr(inputs.RATE_HELP),
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
            inputs.layer_parameter(self.OUTPUT, tr("Hot spots")),
            tr("A layer of their outlines with totals and intervals."),
        )
        self.addOutput(QgsProcessingOutputNumber(self.COUNT, tr("How many")))
        self.addOutput(QgsProcessingOutputString(self.ANSWER, tr("Answer as JSON")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        shares = inputs.wrong_share(self, parameters, context, self.RATE, self.LEVEL)
        return inputs.wrong_release(self, parameters, context) + shares

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        going = inputs.Destination(self, parameters, self.OUTPUT, context)
        flags = {"above": self.ABOVE, "rate": self.RATE, "level": self.LEVEL, "layer": self.LAYER}
        told = {flag: inputs.text(self, parameters, name, context) for flag, name in flags.items()}
        with private_folder() as private:
            words = [
                "hotspots",
                "--json",
                *(f"--{flag}={value}" for flag, value in told.items() if value),
            ]
            words += going.words("to", private)
            answer = self.ask([*words, "--", inputs.release(self, parameters, context)], feedback)
            result = {
                self.COUNT: len(answer["spots"]),
                self.ANSWER: json.dumps(answer, ensure_ascii=False),
            }
            return {**going.finish(), **result}
