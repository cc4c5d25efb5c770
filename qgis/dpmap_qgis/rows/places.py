"""Writes where a row is: x and y with all their digits, or a shape as WKT. A row without a place keeps its other columns."""

from math import isfinite

from qgis.core import QgsMultiPoint, QgsPoint

NOWHERE = ","
"""Two empty fields: neither x nor y."""
DIGITS = 17


def point(shape):
    """Returns x and y as two fields: of a point, or of the only point of several, as dpmap reads a layer's own file."""
    if isinstance(shape, QgsMultiPoint) and shape.numGeometries() == 1:
        shape = shape.geometryN(0)
    if not isinstance(shape, QgsPoint):
        return NOWHERE
    x, y = shape.x(), shape.y()
    return f"{x!r},{y!r}" if isfinite(x) and isfinite(y) else NOWHERE


def drawn(shape):
    """Returns a shape as one field."""
    return "" if shape is None or shape.isEmpty() else f'"{shape.asWkt(DIGITS)}"'
