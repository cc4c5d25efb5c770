"""Finds what a place of the map holds: the feature of a dpmap layer under a point."""

from typing import Any, NamedTuple

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
    QgsRenderContext,
    QgsRuleBasedRenderer,
)

from . import releases

NEAR = 1e-9


class Found(NamedTuple):
    """What was found: the layer's id, the feature's columns and shape, and its class on the map."""

    layer: str
    values: dict
    shape: Any
    colour: str


def at(point, canvas, chosen=None):
    """Returns what a point of the canvas's map holds, and the layer that was asked; each None where there is none.

    The chosen layer is asked if it is one of dpmap's and is shown, else the topmost of those that are: what somebody
    clicks is what she sees.
    """
    seen = shown(canvas)
    layers = [chosen] if chosen in seen else seen
    for layer in layers:
        found = _in_layer(layer, point, canvas)
        if found is not None:
            return found, layer
    return None, layers[0] if layers else None


def shown(canvas):
    """Returns the layers of dpmap that are drawn, the topmost first: ticked, at this scale, in the time that the slider shows."""
    settings = canvas.mapSettings()
    return [
        one
        for one in canvas.layers()
        if releases.told_by(one)
        and one.isInScaleRange(settings.scale())
        and _in_time(one, settings)
    ]


def _in_time(layer, settings):
    """Whether the time slider, where it is in use, shows the layer."""
    times = layer.temporalProperties()
    return not (settings.isTemporal() and times.isActive()) or times.isVisibleInTemporalRange(
        settings.temporalRange()
    )


def _in_layer(layer, point, canvas):
    source = canvas.mapSettings().destinationCrs()
    try:
        here = QgsCoordinateTransform(source, layer.crs(), QgsProject.instance()).transform(
            QgsPointXY(point)
        )
    except QgsCsException:  # a place that the layer's CRS does not reach
        return None
    near = NEAR * max(1.0, abs(here.x()), abs(here.y()))
    request = QgsFeatureRequest().setFilterRect(
        QgsRectangle(here.x() - near, here.y() - near, here.x() + near, here.y() + near)
    )
    spot = QgsGeometry.fromPointXY(here)
    for feature in layer.getFeatures(request):
        if feature.hasGeometry() and feature.geometry().intersects(spot):
            values = dict(zip(feature.fields().names(), map(_plain, feature.attributes())))
            return Found(
                layer.id(), values, QgsGeometry(feature.geometry()), class_of(layer, feature)
            )
    return None


def _plain(value):
    """Returns a column's value; None where QGIS says NULL in a way of its own."""
    missing = getattr(value, "isNull", None)
    return None if missing is not None and missing() else value


def class_of(layer, feature):
    """Returns the words of the class in which the layer's style shows a feature; empty where it has none."""
    renderer = layer.renderer()
    if not isinstance(renderer, QgsRuleBasedRenderer):
        return ""
    context = QgsRenderContext()
    context.setExpressionContext(layer.createExpressionContext())
    context.expressionContext().setFeature(feature)
    for rule in renderer.rootRule().descendants():
        if rule.active() and rule.label() and rule.isFilterOK(feature, context):
            return rule.label()
    return ""
