"""Names that QGIS moved between 3.22 and 4: each is asked at its new place first, and only where it is not there at its old one."""

from qgis.core import (
    Qgis,
    QgsFields,
    QgsMapLayerProxyModel,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingFeatureSource,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterNumber,
    QgsUnitTypes,
    QgsWkbTypes,
)


def _moved(home, name, old):
    """Returns `Qgis.<home>.<name>` where this QGIS has it, else the name as older ones have it; a value may well be 0."""
    found = getattr(getattr(Qgis, home, None), name, None)
    return old() if found is None else found


ADVANCED = _moved(
    "ProcessingParameterFlag",
    "Advanced",
    lambda: QgsProcessingParameterDefinition.Flag.FlagAdvanced,
)
NO_THREADING = _moved(
    "ProcessingAlgorithmFlag", "NoThreading", lambda: QgsProcessingAlgorithm.Flag.FlagNoThreading
)
WHOLE_NUMBER = _moved(
    "ProcessingNumberParameterType", "Integer", lambda: QgsProcessingParameterNumber.Type.Integer
)
TABLE = _moved("ProcessingSourceType", "Vector", lambda: QgsProcessing.SourceType.TypeVector)
PLACES = _moved(
    "ProcessingSourceType",
    "VectorAnyGeometry",
    lambda: QgsProcessing.SourceType.TypeVectorAnyGeometry,
)
POLYGONS = _moved(
    "ProcessingSourceType", "VectorPolygon", lambda: QgsProcessing.SourceType.TypeVectorPolygon
)
POLYGON_LAYERS = _moved(
    "LayerFilter", "PolygonLayer", lambda: QgsMapLayerProxyModel.Filter.PolygonLayer
)
AS_IT_IS = _moved(
    "ProcessingFeatureSourceFlag",
    "SkipGeometryValidityChecks",
    lambda: QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks,
)
"""Features are read whether their shapes are sound or not: dpmap itself says which are not."""
LINE = _moved("GeometryType", "Line", lambda: QgsWkbTypes.GeometryType.LineGeometry)
POLYGON = _moved("GeometryType", "Polygon", lambda: QgsWkbTypes.GeometryType.PolygonGeometry)
JOINED = _moved("FieldOrigin", "Join", lambda: QgsFields.FieldOrigin.OriginJoin)
COMPUTED = _moved("FieldOrigin", "Expression", lambda: QgsFields.FieldOrigin.OriginExpression)
METRES = _moved("DistanceUnit", "Meters", lambda: QgsUnitTypes.DistanceUnit.DistanceMeters)
KILOMETRES = _moved(
    "DistanceUnit", "Kilometers", lambda: QgsUnitTypes.DistanceUnit.DistanceKilometers
)
DAYS = _moved("TemporalUnit", "Days", lambda: QgsUnitTypes.TemporalUnit.TemporalDays)
MONTHS = _moved("TemporalUnit", "Months", lambda: QgsUnitTypes.TemporalUnit.TemporalMonths)
YEARS = _moved("TemporalUnit", "Years", lambda: QgsUnitTypes.TemporalUnit.TemporalYears)
