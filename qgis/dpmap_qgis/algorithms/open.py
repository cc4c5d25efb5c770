"""Opens a release, a stranger's too: its layers with their style, its statement and its promise."""

import os

from qgis.core import (
    QgsProcessing,
    QgsProcessingOutputString,
    QgsProcessingOutputVectorLayer,
    QgsProcessingParameterFolderDestination,
    QgsVectorLayer,
)

from ..shown import layers
from ..shown.parts import parts
from ..words import tr
from . import anew, inputs
from .base import Algorithm


class OpenRelease(Algorithm):
    """Opens a release."""

    NAME, GROUP = "open", "after"
    TITLE = "Open a release"
    TAGS = (*Algorithm.TAGS, "load", "release.dpmap", "statement")
    HELP = """Reads a release.dpmap, your own or a stranger's, and shows its places and cells with their style, statement and promise.

It costs nothing and changes nothing in the release. The layers are made of release.dpmap itself: those that lie beside \
a stranger's release may hold other numbers, and a style that runs a stranger's code."""
    RELEASE, FOLDER, PATCHES, CELLS, STATEMENT, PROMISE = (
        "RELEASE",
        "FOLDER",
        "PATCHES",
        "CELLS",
        "STATEMENT",
        "PROMISE",
    )

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(inputs.release_parameter(), tr(inputs.RELEASE_HELP))
        self.put(
            QgsProcessingParameterFolderDestination(
                self.FOLDER, tr("New folder for its layers"), optional=True
            ),
            tr(
                "Where the layers are written. Name a folder beside your project to keep them: QGIS clears its temporary folder when it ends."
            ),
        )
        self.addOutput(QgsProcessingOutputVectorLayer(self.PATCHES, tr("Places")))
        self.addOutput(QgsProcessingOutputVectorLayer(self.CELLS, tr("Cells")))
        self.addOutput(QgsProcessingOutputString(self.STATEMENT, tr("Statement")))
        self.addOutput(QgsProcessingOutputString(self.PROMISE, tr("Promise")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        return inputs.wrong_release(self, parameters, context)

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap what the release is, and makes its layers."""
        release = inputs.release(self, parameters, context)
        told = self.ask(["about", "--json", "--", release], feedback)
        folder = self._folder(parameters, context)
        anew.layers_made(self, release, told, folder, feedback)
        layers.on_completion(release, told, folder, context)
        found = {self.STATEMENT: told["statement"], self.PROMISE: told["promise"] or ""}
        return {**found, **sources(parts(told, folder)[0].geopackage)}

    def _folder(self, parameters, context):
        given = parameters.get(self.FOLDER)
        if given in (None, "", QgsProcessing.TEMPORARY_OUTPUT):
            return anew.temporary()
        return os.path.abspath(self.parameterAsFileOutput(parameters, self.FOLDER, context))


def sources(path):
    """Returns where the places and the cells of a GeoPackage are, by the name of their output; what is not there is left out."""
    found = {"PATCHES": f"{path}|layername=patches", "CELLS": f"{path}|layername=cells"}
    return {
        name: source
        for name, source in found.items()
        if QgsVectorLayer(source, name, "ogr").isValid()
    }
