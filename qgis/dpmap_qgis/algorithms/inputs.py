"""Reads what several algorithms ask for alike: a release, a number that stays a text, where a layer shall be written."""

import os
from decimal import Decimal, InvalidOperation

from qgis.core import (
    QgsProcessingException,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingParameterFile,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorDestination,
    QgsVectorFileWriter,
    QgsVectorLayer,
)

from ..words import mark, tr

RELEASE_FILE = "release.dpmap"
RELEASE_HELP = mark(
    "A release.dpmap file, your own or a stranger's; its folder or its cells.gpkg is understood too. It is read, never changed."
)
LAYER_HELP = mark(
    'Which layer of a map of kinds and times, like "Kestrel, 2024"; leave it empty for a map that has one.'
)
LEVEL_HELP = mark(
    "How often an interval holds the truth: 0.9 is nine times in ten. More certain intervals are wider."
)
RATE_HELP = mark(
    "The largest expected share of false ones among all that are named: 0.1 is one in ten."
)
WRITTEN = (".gpkg", ".geojson", ".parquet", ".csv")
"""Kinds of layers that dpmap writes itself; into any other QGIS turns its GeoPackage."""


class ReleaseParameter(QgsProcessingParameterFile):
    """Takes a release's folder too, which a parameter for files refuses in words that help nobody."""

    def checkValueIsAcceptable(self, value, context=None):
        """Takes any text: `wrong_release` says what is wrong with it."""
        return (isinstance(value, str) and bool(value.strip())) or super().checkValueIsAcceptable(
            value, context
        )

    def clone(self):
        """Makes another of its kind."""
        return ReleaseParameter(self)


def release_parameter(name="RELEASE", title=""):
    """Makes the parameter of a release; its title is in the user's language already."""
    return ReleaseParameter(name, title or tr("Release"))


def text_parameter(name, title, default=None, *, optional=True):
    """Makes a parameter whose text dpmap reads as it stands: 0.1 stays 0.1."""
    return QgsProcessingParameterString(name, title, default, optional=optional)


def text(algorithm, parameters, name, context):
    """Returns a text without outer blanks, empty where there is none."""
    return algorithm.parameterAsString(parameters, name, context).strip()


def file(algorithm, parameters, name, context):
    """Returns a file's whole path, empty where there is none: dpmap runs in another folder."""
    path = algorithm.parameterAsFile(parameters, name, context)
    return os.path.abspath(path) if path else ""


def release(algorithm, parameters, context, name="RELEASE"):
    """Returns the release that was chosen: the file, or the one in the folder or beside the file that was."""
    path = file(algorithm, parameters, name, context).partition("|")[0]
    if os.path.isdir(path):
        return os.path.join(path, RELEASE_FILE)
    beside = os.path.join(os.path.dirname(path), RELEASE_FILE)
    return beside if path.endswith((".gpkg", ".tif")) and os.path.isfile(beside) else path


def wrong_release(algorithm, parameters, context, name="RELEASE"):
    """Lists what is wrong with the choice of a release, without reading it."""
    path, title = (
        release(algorithm, parameters, context, name),
        algorithm.parameterDefinition(name).description(),
    )
    if os.path.isfile(path):
        return []
    if os.path.isdir(os.path.dirname(path)) and os.path.isdir(
        file(algorithm, parameters, name, context)
    ):
        return [
            tr("{}: there is no release.dpmap in this folder; choose the file itself").format(title)
        ]
    return [tr("{}: there is no such file; check its path").format(title)]


def wrong_share(algorithm, parameters, context, *names):
    """Lists which of these are no numbers between 0 and 1."""
    found = []
    for name in names:
        try:
            good = 0 < Decimal(text(algorithm, parameters, name, context)) < 1
        except InvalidOperation:
            good = False
        if not good:
            title = algorithm.parameterDefinition(name).description()
            found.append(tr("{}: write a number between 0 and 1, like 0.9").format(title))
    return found


def wrong_file(algorithm, parameters, context, name):
    """Says that a file that was chosen is not there."""
    path = file(algorithm, parameters, name, context)
    title = algorithm.parameterDefinition(name).description()
    return (
        []
        if not path or os.path.isfile(path)
        else [tr("{}: there is no such file; check its path").format(title)]
    )


class Destination:
    """Where a layer of dpmap's answer goes: dpmap writes it, or QGIS turns it into a format that dpmap does not write."""

    def __init__(self, algorithm, parameters, name, context):
        self.path = algorithm.parameterAsOutputLayer(parameters, name, context)
        self.name, self.context = name, context
        if not self.path:
            return
        if not os.path.isdir(os.path.dirname(os.path.abspath(self.path))) or self.path.startswith(
            ("ogr:", "postgres:")
        ):
            raise QgsProcessingException(
                tr("{}: choose a file in a folder that is there, like answer.gpkg").format(
                    algorithm.parameterDefinition(name).description()
                )
            )

    def words(self, flag, private):
        """Returns the words that let dpmap write the layer; none where it is not wanted."""
        if not self.path:
            return []
        self.own = self.path.lower().endswith(WRITTEN)
        self.made = os.path.abspath(self.path) if self.own else os.path.join(private, "answer.gpkg")
        return [f"--{flag}={self.made}"]

    def finish(self):
        """Returns the layer's place as the algorithm's result, and lets QGIS load it as dpmap drew it."""
        if not self.path:
            return {}
        if not self.own:
            self._turned()
        if self.context.willLoadLayerOnCompletion(self.path):
            after = Styled()
            Styled.kept.append(after)
            self.context.layerToLoadOnCompletionDetails(self.path).setPostProcessor(after)
        return {self.name: self.path}

    def _turned(self):
        layer = QgsVectorLayer(self.made, "answer", "ogr")
        options = QgsVectorFileWriter.SaveVectorOptions()
        ending = os.path.splitext(self.path)[1].lstrip(".")
        options.driverName = QgsVectorFileWriter.driverForExtension(ending)
        done = QgsVectorFileWriter.writeAsVectorFormatV3(
            layer, self.path, self.context.transformContext(), options
        )
        if done[0] != QgsVectorFileWriter.WriterError.NoError:
            raise QgsProcessingException(
                tr("this kind of file cannot be written here; choose one like answer.gpkg")
            )


class Styled(QgsProcessingLayerPostProcessorInterface):
    """Shows a layer as dpmap drew it; Processing would choose a colour by chance."""

    kept: list = []  # noqa: RUF012  # Processing keeps no reference of its own

    def postProcessLayer(self, layer, context, feedback):
        """Takes the style that lies with the layer, where one does."""
        del context, feedback
        layer.loadDefaultStyle()
        if self in Styled.kept:
            Styled.kept.remove(self)


def layer_parameter(name, title):
    """Makes the parameter of a layer that is written; it may be left out."""
    return QgsProcessingParameterVectorDestination(name, title, optional=True)
