"""Names that QGIS moved between 3.22 and 4: each is asked at its new place first."""

from qgis.core import Qgis, QgsProcessing, QgsProcessingFeatureSource, QgsProcessingParameterDefinition, QgsWkbTypes


def _moved(home, name, old):
    """Returns `Qgis.<home>.<name>` where this QGIS has it, else the name as older ones have it."""
    return getattr(getattr(Qgis, home, None), name, None) or old()


ADVANCED = _moved("ProcessingParameterFlag", "Advanced", lambda: QgsProcessingParameterDefinition.FlagAdvanced)
POLYGONS = _moved("ProcessingSourceType", "VectorPolygon", lambda: QgsProcessing.TypeVectorPolygon)
AS_IT_IS = _moved(
    "ProcessingFeatureSourceFlag",
    "SkipGeometryValidityChecks",
    lambda: QgsProcessingFeatureSource.FlagSkipGeometryValidityChecks,
)
"""Features are read whether their shapes are sound or not: dpmap itself says which are not."""


def is_polygon(kind):
    """Whether a geometry type is one of areas."""
    areas = getattr(getattr(Qgis, "GeometryType", None), "Polygon", None)
    return QgsWkbTypes.geometryType(kind) == (QgsWkbTypes.PolygonGeometry if areas is None else areas)
