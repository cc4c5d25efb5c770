"""Keeps answers about zones as a layer of the project, in memory."""

from datetime import date

from qgis.core import (
    QgsFeature,
    QgsGeometry,
    QgsProject,
    QgsVectorLayer,
)

from ..words import plain, tr

FIELDS = (
    ("zone", "integer"), ("estimate", "double"), ("mean", "double"), ("low", "double"), ("high", "double"), ("distinguishable", "boolean"), ("least", "double"),
    ("most", "double"), ("count", "double"), ("per_km2", "double"), ("area_km2", "double"), ("in_map", "double"),
    ("note", "string"), ("map", "string"), ("asked_on", "string"),
)  # fmt: skip
MARK = "dpmap/zones"


def keep(shapes, crs, told, name):
    """Adds zones with their answers to the layer of this CRS, which is made where there is none; returns the layer."""
    layer = _layer(crs)
    names = [name_ for name_, _ in FIELDS]
    features = []
    for at, (shape, answer) in enumerate(zip(shapes, told.get("zones") or []), start=1):
        feature = QgsFeature(layer.fields())
        values = {**answer, "zone": at, "map": name, "asked_on": date.today().isoformat()}  # noqa: DTZ011  # the day on this desk
        feature.setAttributes([values.get(one) for one in names])
        whole = QgsGeometry(shape)
        whole.convertToMultiType()
        feature.setGeometry(whole)
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    _say(layer, told)
    layer.updateExtents()
    layer.triggerRepaint()
    return layer


def _layer(crs):
    project = QgsProject.instance()
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsVectorLayer) and layer.customProperty(MARK) and layer.crs() == crs:
            return layer
    fields = "".join(f"&field={name}:{kind}" for name, kind in FIELDS)
    layer = QgsVectorLayer(f"MultiPolygon?index=yes{fields}", tr("zones asked"), "memory")
    layer.setCrs(crs)
    layer.setCustomProperty(MARK, True)
    project.addMapLayer(layer)
    return layer


def _say(layer, told):
    """Notes in the layer's metadata what the numbers are."""
    metadata = layer.metadata()
    metadata.setAbstract(plain(told.get("provenance") or ""))
    layer.setMetadata(metadata)
