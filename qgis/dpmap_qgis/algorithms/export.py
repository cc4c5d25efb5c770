"""Writes a release in a form that another program, an atlas or a portal reads."""

import os

from qgis.core import (
    QgsProcessingException,
    QgsProcessingOutputFile,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
)

from ..words import tr
from . import inputs
from .base import Algorithm

FORMS = ("", "occurrence-cube", "atlas-csv", "inspire-sd", "ebv-cube")
KINDS = (
    "GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;"
    "QGIS style (*.qml);;SLD (*.sld)"
)


class Export(Algorithm):
    """Exports a release."""

    NAME, GROUP = "export", "after"
    TITLE = "Export"
    TAGS = (*Algorithm.TAGS, "GeoTIFF", "GeoPackage", "atlas", "GBIF", "INSPIRE", "EBV")
    HELP = """Writes a released map as a raster, a layer or a table, or in a form that an atlas or a portal takes as it is.

It costs nothing: the file holds what the release tells already. The ending of the file's name says which kind it is."""
    RELEASE, FORM, TAXON, YEAR, LAYER, TO, FILE = (
        "RELEASE",
        "FORM",
        "TAXON",
        "YEAR",
        "LAYER",
        "TO",
        "FILE",
    )

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(inputs.release_parameter(), tr(inputs.RELEASE_HELP))
        self.put(
            QgsProcessingParameterEnum(
                self.FORM, tr("Form"), FORMS, False, "", True, usesStaticStrings=True
            ),
            tr(
                "What an atlas or a portal takes: occurrence-cube, atlas-csv, inspire-sd or ebv-cube. Empty: a plain layer or raster."
            ),
        )
        self.put(
            QgsProcessingParameterString(self.TAXON, tr("Kinds' keys"), None, True, True),
            tr(
                "With a form: each kind's key in the portal's list, one a line, like Red deer=2440958,Cervus elaphus."
            ),
            advanced=True,
        )
        self.put(
            QgsProcessingParameterString(self.YEAR, tr("Year or month"), None, False, True),
            tr(
                "With a form: the year or month of a map without times, like 2024 or 2024-05; where there are several, with blanks between."
            ),
            advanced=True,
        )
        self.put(
            inputs.text_parameter(self.LAYER, tr("Layer of the map")),
            tr(inputs.LAYER_HELP),
            advanced=True,
        )
        self.put(
            QgsProcessingParameterFileDestination(self.TO, tr("File"), tr(KINDS)),
            tr("Where it is written; its ending says as what."),
        )
        self.addOutput(QgsProcessingOutputFile(self.FILE, tr("File that was written")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        return inputs.wrong_release(self, parameters, context)

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        to = os.path.abspath(self.parameterAsFileOutput(parameters, self.TO, context))
        if not os.path.isdir(os.path.dirname(to)):
            raise QgsProcessingException(tr("File: its folder is not there; choose another"))
        form = self.parameterAsEnumString(parameters, self.FORM, context)
        layer = inputs.text(self, parameters, self.LAYER, context)
        words = [f"--as={form}"] if form else []
        words += [f"--layer={layer}"] if layer else []
        lines = inputs.text(self, parameters, self.TAXON, context).splitlines()
        words += [f"--taxon={line.strip()}" for line in lines if line.strip()]
        words += [
            f"--year={one}" for one in inputs.text(self, parameters, self.YEAR, context).split()
        ]
        release = inputs.release(self, parameters, context)
        self.ask(["export", "--json", f"--to={to}", *words, "--", release], feedback)
        return {self.TO: to, self.FILE: to}
