"""Opens a release, a stranger's too: its layers with their style, its statement and its promise."""

import os

from qgis.core import (
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingOutputString,
    QgsProcessingOutputVectorLayer,
    QgsProcessingParameterFolderDestination,
    QgsProcessingUtils,
    QgsVectorLayer,
)

from ..shown import layers
from ..shown.parts import missing, parts
from ..words import tr
from . import inputs
from .base import Algorithm


class OpenRelease(Algorithm):
    """Opens a release."""

    NAME, GROUP = "open", "after"
    TITLE = "Open a release"
    TAGS = (*Algorithm.TAGS, "load", "release.dpmap", "statement")
    HELP = """Reads a release.dpmap, your own or a stranger's, and shows its places and cells with their style, statement and promise.

It costs nothing and changes nothing in the release. Where the layers are not beside it, they are made of it first."""
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
                self.FOLDER, tr("Folder for layers that are not beside it"), optional=True
            ),
            tr(
                "Where layers are written that do not stand beside the release; QGIS clears its temporary folder when it ends."
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
        """Asks dpmap what the release is, and makes the layers that are missing."""
        release = inputs.release(self, parameters, context)
        told = self.ask(["about", "--json", "--", release], feedback)
        folder = os.path.dirname(release)
        if missing(told, folder):
            folder = self._folder(parameters, context)
            self._make(release, told, folder, feedback)
        layers.on_completion(release, told, folder, context)
        found = {self.STATEMENT: told["statement"], self.PROMISE: told["promise"] or ""}
        return {**found, **sources(parts(told, folder)[0].geopackage)}

    def _folder(self, parameters, context):
        given = parameters.get(self.FOLDER)
        if given in (None, "", QgsProcessing.TEMPORARY_OUTPUT):
            folder = os.path.dirname(QgsProcessingUtils.generateTempFilename("cells.gpkg"))
        else:
            folder = os.path.abspath(self.parameterAsFileOutput(parameters, self.FOLDER, context))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            raise QgsProcessingException(tr("Folder: it cannot be made here; choose another")) from None
        return folder

    def _make(self, release, told, folder, feedback):
        """Exports each layer of the map that is not there yet."""
        wanted = parts(told, folder)
        for done, part in enumerate(wanted):
            if feedback.isCanceled():
                return
            os.makedirs(os.path.dirname(part.geopackage), exist_ok=True)
            words = [f"--layer={part.layer}"] if part.layer else []
            self.ask(["export", "--json", f"--to={part.geopackage}", *words, "--", release], feedback)
            feedback.setProgress(100 * (done + 1) / len(wanted))


def sources(path):
    """Returns where the places and the cells of a GeoPackage are, by the name of their output; what is not there is left out."""
    found = {"PATCHES": f"{path}|layername=patches", "CELLS": f"{path}|layername=cells"}
    return {name: source for name, source in found.items() if QgsVectorLayer(source, name, "ogr").isValid()}
