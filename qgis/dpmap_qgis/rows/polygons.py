"""Gives dpmap a layer of polygons (a study area, zones) as a file: its own where that says the same, else a written copy.

These layers are public: what is declared about a map, never the survey. The copy stands in the private folder all the same.
"""

import os
import uuid
from typing import NamedTuple

from qgis.core import (
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProviderRegistry,
    QgsVectorFileWriter,
    QgsWkbTypes,
)

from ..compat import AS_IT_IS
from ..words import plain, tr

READ = (".gpkg", ".geojson", ".json", ".shp", ".fgb", ".parquet")
"""Files that dpmap reads as QGIS does; any other kind is copied."""
LAYER = "polygons"
ODD = ";!\n\r\t"
"""Marks in a path that other readers may take for parts of an address: such a file is copied too."""


class AtPath(NamedTuple):
    """Where dpmap finds the polygons: a file, and its layer where the file may hold several (else None)."""

    path: str
    layer: "str | None"


class Polygons:
    """A polygon layer that was chosen: looked at in `prepareAlgorithm`, given to dpmap in `processAlgorithm`."""

    def __init__(self, title, own, source, context):
        self.title, self.own, self.source, self.context = title, own, source, context

    def at(self, folder, feedback=None):
        """Returns where the polygons stand; a copy is written into `folder`, which whoever made it wipes."""
        return self.own or _written(self, folder, feedback)

    def words(self, flag, folder, feedback=None):
        """Returns the words that hand the polygons to dpmap: `--area=` and, where its file may hold several layers, `--area-layer=`."""
        at = self.at(folder, feedback)
        return [f"--{flag}={at.path}", *([f"--{flag}-layer={at.layer}"] if at.layer else [])]


def chosen(algorithm, parameters, name, context):
    """Returns the polygon layer of a feature source parameter, or None where it was left out.

    Call it in `prepareAlgorithm`, in the thread of the layers. A selection and a filter are honoured, by a copy.
    """
    source = algorithm.parameterAsSource(parameters, name, context)
    definition = algorithm.parameterDefinition(name)
    if source is None:
        if parameters.get(name) in (None, ""):
            return None
        raise QgsProcessingException(
            tr("{}: this layer cannot be read; choose a polygon layer").format(
                definition.description()
            )
        )
    if not source.sourceCrs().isValid():
        raise QgsProcessingException(
            tr("{}: the layer has no CRS; set one in its properties").format(
                definition.description()
            )
        )
    layer = algorithm.parameterAsVectorLayer(parameters, name, context)
    whole = not _partly(parameters.get(name))
    return Polygons(definition.description(), own_file(layer) if whole else None, source, context)


def own_file(layer):
    """Returns where a layer's own file says what the layer says, or None: it is filtered, edited, in another CRS, no file."""
    if layer is None or layer.providerType() != "ogr" or layer.subsetString() or layer.isModified():
        return None
    if (
        layer.crs() != layer.dataProvider().crs()
        or layer.vectorJoins()
        or layer.fields().count() != _stored(layer)
    ):
        return None
    told = QgsProviderRegistry.instance().decodeUri("ogr", layer.dataProvider().dataSourceUri(True))
    path, inner = _text(told, "path"), _text(told, "layerName")
    if (
        not os.path.isfile(path)
        or not path.lower().endswith(READ)
        or _text(told, "vsiPrefix")
        or set(path) & set(ODD)
    ):
        return None
    if (
        _text(told, "subset")
        or _text(told, "geometryType")
        or (_text(told, "layerId") and not inner)
    ):
        return None
    path = os.path.abspath(path)  # dpmap runs in another folder
    if path.lower().endswith(".gpkg"):
        several = len(layer.dataProvider().subLayers()) > 1
        return AtPath(path, inner or None) if inner or not several else None
    return AtPath(path, None)


def _text(told, name):
    """Returns a part of an address; QGIS may give an empty QVariant, which Python takes for true."""
    value = told.get(name)
    return str(value) if isinstance(value, (str, int)) else ""


def _stored(layer):
    """How many fields stand in the file: virtual and joined ones do not."""
    return layer.dataProvider().fields().count()


def _partly(value):
    """Whether a parameter asks for a part of a layer only: the selected features, the first ones, those of an expression."""
    if not isinstance(value, QgsProcessingFeatureSourceDefinition):
        return False
    return bool(
        value.selectedFeaturesOnly
        or value.featureLimit >= 0
        or getattr(value, "filterExpression", "")
    )


def _written(polygons, folder, feedback):
    """Writes a copy as a GeoPackage; columns of any name and shapes with arcs come over too."""
    path = os.path.join(folder, uuid.uuid4().hex + ".gpkg")
    source = polygons.source
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", LAYER
    free = uuid.uuid4().hex[:8]  # no column of the layer has this name
    options.layerOptions = ["FID=fid_" + free, "GEOMETRY_NAME=shape_" + free]
    kind = QgsWkbTypes.multiType(QgsWkbTypes.linearType(source.wkbType()))
    writer = QgsVectorFileWriter.create(
        path,
        source.fields(),
        kind,
        source.sourceCrs(),
        polygons.context.transformContext(),
        options,
    )
    _check(writer, polygons)
    for feature in source.getFeatures(QgsFeatureRequest(), AS_IT_IS):
        if feedback is not None and feedback.isCanceled():
            break
        if not writer.addFeature(_straight(feature)):
            _check(writer, polygons)
    del writer  # the file is whole only now
    return AtPath(path, LAYER)


def _straight(feature):
    """Returns a feature whose arcs are drawn as straight pieces, which is all that dpmap reads."""
    if not feature.hasGeometry() or not feature.geometry().constGet().hasCurvedSegments():
        return feature
    straight = QgsFeature(feature)
    straight.setGeometry(QgsGeometry(feature.geometry().constGet().segmentize()))
    return straight


def _check(writer, polygons):
    if writer.hasError() != QgsVectorFileWriter.WriterError.NoError:
        raise QgsProcessingException(
            tr("{}: no copy of the layer could be written; is the disk full?").format(
                plain(polygons.title)
            )
        )
