"""Makes a print layout of a map, and writes it as a PDF and a picture."""

from qgis.core import (
    QgsProcessingException,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
    QgsProject,
)

from ..compat import NO_THREADING, POLYGONS
from ..shown import layers, layout
from ..words import tr
from . import anew, inputs
from .base import Algorithm

SHEETS = ("landscape", "portrait")


class PrintLayout(Algorithm):
    """Makes a sheet with the map, its legend and its promise."""

    NAME, GROUP = "layout", "after"
    TITLE = "Print layout of a map"
    HELP = (
        "Makes an A4 sheet of a released map: the map, its legend, the promise in one sentence, a scale and who authorised it. "
        "In QGIS's window the layout also stands in the project, to be changed by hand. "
        "Choose a layer of a release, or its release.dpmap. It reads no survey and costs nothing."
    )
    LAYER, RELEASE, SHEET, NAMED, PDF, PNG = "LAYER", "RELEASE", "SHEET", "NAMED", "PDF", "PNG"

    def flags(self):
        """Runs in QGIS's own thread: a layout belongs to the project."""
        return super().flags() | NO_THREADING

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        layer = QgsProcessingParameterVectorLayer(
            self.LAYER, tr("Layer of a release"), [POLYGONS], optional=True
        )
        self.put(layer, tr("A layer that dpmap drew; its classes become the legend of the sheet."))
        release = QgsProcessingParameterFile(
            self.RELEASE, tr("Or a release (release.dpmap)"), extension="dpmap", optional=True
        )
        self.put(release, tr("The release itself, where none of its layers is open."))
        sheet = QgsProcessingParameterEnum(
            self.SHEET, tr("Sheet"), [tr("A4 landscape"), tr("A4 portrait")], defaultValue=0
        )
        self.put(sheet, tr("Which way round the paper lies."))
        named = QgsProcessingParameterString(self.NAMED, tr("Name of the layout"), optional=True)
        self.put(named, tr("How the project lists the layout; empty: the name of the data set."))
        for name, title, kind in (
            (self.PDF, tr("PDF"), "PDF (*.pdf)"),
            (self.PNG, tr("Picture"), "PNG (*.png)"),
        ):
            file = QgsProcessingParameterFileDestination(
                name, title, kind, optional=True, createByDefault=False
            )
            self.put(
                file,
                tr(
                    "Where the sheet is written; leave it empty to have the layout in the project alone."
                ),
            )

    def processAlgorithm(self, parameters, context, feedback):
        """Makes the layout and writes what is asked for."""
        layer = self._layer(parameters, context, feedback)
        project = context.project() or QgsProject.instance()
        sheet = SHEETS[self.parameterAsEnum(parameters, self.SHEET, context)]
        try:
            made = layout.add(
                project, layer, self.parameterAsString(parameters, self.NAMED, context), sheet
            )
        except layout.NoMap as error:
            raise QgsProcessingException(str(error)) from None
        return {
            name: self._written(made, name, parameters, context) for name in (self.PDF, self.PNG)
        }

    def _layer(self, parameters, context, feedback):
        """Returns the layer, or the first of those that are made of the release."""
        layer = self.parameterAsVectorLayer(parameters, self.LAYER, context)
        if layer is not None and layers.told_of(layer).get("promise"):
            return layer
        release = inputs.file(self, parameters, self.RELEASE, context)
        if not release:
            raise QgsProcessingException(
                tr("No layer of a release is named: choose one, or its release.dpmap")
            )
        told = self.ask(["about", "--json", "--", release], feedback)
        folder = anew.temporary()
        anew.layers_made(self, release, told, folder, feedback)
        self.kept = layers.load(release, told, folder)  # they live as long as the algorithm does
        if not self.kept:
            raise QgsProcessingException(
                tr("No layer could be made of this release: try 'Open a release'")
            )
        return self.kept[0]

    def _written(self, made, name, parameters, context):
        path = self.parameterAsFileOutput(parameters, name, context)
        if path and not layout.write(made, path):
            raise QgsProcessingException(tr("The sheet could not be written: choose another file"))
        return path
