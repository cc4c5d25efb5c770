"""Writes zones as GeoJSON, in a CRS that dpmap reads from it."""

import json

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsGeometry, QgsProject

LONLAT = "EPSG:4326"
PARTS = 200
"""Edges get so many vertices before they are brought to another CRS, so that straight ones stay in place."""


def collection(shapes, crs):
    """Returns zones as a GeoJSON document: in their own CRS where it has a number of the EPSG, else in degrees.

    They have no columns but their number: names that stand in a layer are nobody else's business.
    """
    own = crs.authid().startswith("EPSG:")
    moved = shapes if own else in_degrees(shapes, crs)
    name = f"urn:ogc:def:crs:{crs.authid().replace(':', '::')}"
    features = [
        {
            "type": "Feature",
            "properties": {"zone": at},
            "geometry": json.loads(straight(shape).asJson(17)),
        }
        for at, shape in enumerate(moved, start=1)
    ]
    told = (
        {"crs": {"type": "name", "properties": {"name": name}}}
        if own and crs.authid() != LONLAT
        else {}
    )
    return {"type": "FeatureCollection", **told, "features": features}


def in_degrees(shapes, crs):
    """Returns shapes as longitude and latitude."""
    move = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(LONLAT), QgsProject.instance())
    found = []
    for shape in shapes:
        box = shape.boundingBox()
        span = max(box.width(), box.height())
        moved = straight(shape).densifyByDistance(span / PARTS) if span > 0 else QgsGeometry(shape)
        moved.transform(move)
        found.append(moved)
    return found


def straight(shape):
    """Returns a shape whose arcs are straight pieces."""
    inner = shape.constGet()
    return QgsGeometry(inner.segmentize()) if inner.hasCurvedSegments() else QgsGeometry(shape)
