"""Gives layers to other libraries, and takes theirs, as GeoJSON in `__geo_interface__`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools

if TYPE_CHECKING:
    import geopandas


def feature_collection(frame: "geopandas.GeoDataFrame") -> dict[str, Any]:
    """Return a table as a FeatureCollection after RFC 7946: in degrees, outlines anticlockwise, and
    cut where they cross the antimeridian.
    """
    import shapely

    shapes = np.asarray(frame.geometry.array)
    span = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max())
    source = crs_tools.text_of(frame.crs)
    lonlat = crs_tools.transform_shapes(shapes, source, crs_tools.LONLAT, step=span / 64)
    cut = [_cut_at_antimeridian(shape) for shape in lonlat]
    outlines = shapely.orient_polygons(np.array(cut, dtype=object))
    table = frame.set_geometry(outlines, crs=crs_tools.LONLAT)
    document: dict[str, Any] = table.to_geo_dict(na="null", drop_id=True)
    return document


def _cut_at_antimeridian(shape: Any) -> Any:
    """Return a shape whose corners lie on both sides of 180 degrees as parts that do not."""
    import shapely

    west, _, east, _ = shapely.bounds(shape)
    if not east - west > 180:
        return shape
    turned = shapely.transform(shape, lambda xy: np.column_stack([xy[:, 0] % 360, xy[:, 1]]))
    before = shapely.intersection(turned, shapely.box(0, -90, 180, 90))
    after = shapely.intersection(turned, shapely.box(180, -90, 360, 90))
    parts = [before, shapely.transform(after, lambda xy: xy - [360, 0])]
    return shapely.union_all([part for part in parts if shapely.area(part) > 0])


def as_frame(layer: Any, role: str) -> Any:
    """Return an object with a `__geo_interface__` in degrees (a geometry, a feature or a collection
    of them) as a GeoDataFrame; what is one already, a shapely geometry and others as they are.
    """
    if not hasattr(layer, "__geo_interface__") or hasattr(layer, "geom_type"):
        return layer
    import geopandas as gpd

    document = layer.__geo_interface__
    try:
        if document["type"] == "FeatureCollection":
            features = document["features"]
        elif document["type"] == "Feature":
            features = [document]
        else:
            features = [{"type": "Feature", "properties": {}, "geometry": document}]
        return gpd.GeoDataFrame.from_features(features, crs=crs_tools.LONLAT)
    except Exception:  # noqa: BLE001  # whatever the parsers of a stranger's object raise
        raise BadInput(
            f"{role}: its __geo_interface__ is no GeoJSON; give polygons, a feature or a collection"
        ) from None
