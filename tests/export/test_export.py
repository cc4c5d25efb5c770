"""GIS layers: every format holds the release's own numbers, opens in other people's software, and opens styled."""

import csv
import json
import os
import sqlite3
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyarrow.parquet
import pyogrio
import pyproj
import pytest
import rasterio
import rasterio.features
import rasterio.warp
import shapely
import xarray as xr
from builders.qgis import looked
from builders.records import CASES, NAMES, SQUARES, case, million
from PIL import Image
from scipy import ndimage

from dpmap import style
from dpmap.errors import BadInput, SystemFailed
from dpmap.export import export, files_beside, styles
from dpmap.export.raster import to_xarray, write_geotiff
from dpmap.export.vector import cells_frame, guard_formulas
from dpmap.maps import read_map
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import NOT_DISTINGUISHABLE, NOT_TOLD

FORMATS = ("gpkg", "fgb", "parquet", "geojson", "csv", "nc", "qml", "sld", "tif")
NUMBERS = ("estimate", "low", "high", "noisy", "area_km2", "per_km2")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Every case in every format that can hold it, written once."""
    place = tmp_path_factory.mktemp("layers")
    for name in CASES:
        for suffix in FORMATS:
            if suffix != "tif" or name in SQUARES:
                export(*case(name), written(place, name, suffix))
    return place


def written(place, name, suffix):
    return place / f"{name.replace(' ', '_').replace('/', '_')}.{suffix}"


def expected(name):
    return cells_frame(*case(name))


def same_numbers(frame, name, rtol=1e-9):
    truth = expected(name)
    assert len(frame) == len(truth)
    for column in NUMBERS:
        assert np.allclose(
            frame[column].astype(float), truth[column], rtol=rtol, atol=1e-9, equal_nan=True
        ), column
    assert list(frame["distinguishable"].astype(bool)) == list(truth["distinguishable"])


def test_every_face_knows_each_format():
    """A format that is written has a title in the studio, a line in QGIS, and its ending in the page on layers."""
    from dpmap.export import WRITERS
    from dpmap.studio.draw_page import LAYERS

    root = Path(__file__).parents[2]
    qgis = (root / "qgis/dpmap_qgis/algorithms/export.py").read_text("utf-8")
    page = (root / "docs/howto/draw-and-export.md").read_text("utf-8")
    for suffix in WRITERS.keys() - {"tiff", "json"}:
        assert f".{suffix}" in LAYERS, f"studio/draw_page.py: LAYERS lacks .{suffix}"
        assert f"(*.{suffix})" in qgis, (
            f"qgis/dpmap_qgis/algorithms/export.py: KINDS lacks .{suffix}"
        )
        assert f".{suffix}" in page, f"docs/howto/draw-and-export.md lacks .{suffix}"


@pytest.mark.parametrize("name", CASES)
def test_the_frame_holds_the_release(name):
    """One polygon for each in-area cell, in order, with what the estimate says of it."""
    record, estimate = case(name)
    frame, inside = expected(name), record.grid.inside
    low, high = estimate.interval(0.9)
    assert list(frame["cell"]) == list(np.flatnonzero(inside))
    assert np.array_equal(frame["estimate"], estimate.values[inside])
    assert np.array_equal(frame["low"], low[inside]) and np.array_equal(frame["high"], high[inside])
    assert (frame["low"] <= frame["high"]).all() and (frame["estimate"] >= 0).all()
    assert np.array_equal(frame["noisy"], record.measurements[-1].values)
    assert np.allclose(frame["per_km2"] * frame["area_km2"], frame["estimate"])
    assert (
        frame.crs.equals(pyproj.CRS(record.grid.crs), ignore_axis_order=True)
        and frame.crs.name != "unknown"
    )
    assert frame.geometry.is_valid.all()
    assert list(frame.columns)[-1] == "geometry"


def test_noisy_values_only_where_a_cell_was_measured_by_itself():
    """A cell known through its block only has no noisy value of its own."""
    record, _ = case("blocks")
    blocks_only = type(record)(
        **{
            **{key: getattr(record, key) for key in record.__slots__},
            "measurements": record.measurements[:1],
        }
    )
    sizes = np.bincount(record.measurements[0].partition.labels[record.grid.inside])
    assert np.isfinite(read_map(blocks_only).noisy_cells()).sum() == (sizes == 1).sum()


@pytest.mark.parametrize("name", CASES)
def test_geopackage(folder, name):
    """Layers cells, patches, measurements and statement, sound, with a style each for what is drawn."""
    path = written(folder, name, "gpkg")
    record, _ = case(name)
    same_numbers(gpd.read_file(path, layer="cells"), name, rtol=0)
    regions = gpd.read_file(path, layer="measurements")
    assert len(regions) == sum(measurement.partition.regions for measurement in record.measurements)
    assert np.array_equal(regions["noisy"], np.concatenate([m.values for m in record.measurements]))
    assert set(regions["scale"]) == {float(m.scale) for m in record.measurements}
    assert regions.geometry.is_valid.all()
    area = shapely.area(gpd.read_file(path, layer="cells").geometry.array).sum()
    for _, part in regions.groupby("measurement"):
        assert shapely.area(part.geometry.array).sum() == pytest.approx(area)
    places, found = gpd.read_file(path, layer="patches"), read_map(record).patches(0.9)
    assert np.array_equal(places["told"], found.told) and np.array_equal(places["high"], found.high)
    assert shapely.area(places.geometry.array).sum() == pytest.approx(area)
    facts = gpd.read_file(path, layer="statement")
    assert dict(zip(facts["field"], facts["value"], strict=True)) == map_statement(record).facts()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    dates = set(connection.execute("SELECT last_change FROM gpkg_contents"))
    assert dates == {(f"{record.released_on}T00:00:00.000Z",)}
    rows = connection.execute(
        "SELECT f_table_name, useAsDefault, styleQML FROM layer_styles"
    ).fetchall()
    connection.close()
    assert [row[:2] for row in rows] == [
        ("cells", 1),
        ("cells", 0),
        ("measurements", 1),
        ("patches", 1),
    ]
    for row in rows:
        assert ElementTree.fromstring(row[2]).tag == "qgis"


@pytest.mark.parametrize(
    "suffix", ["gpkg", "fgb", "tif", "parquet", "geojson", "csv", "png", "svg"]
)
def test_equal_releases_make_equal_files(tmp_path, suffix):
    """No file tells when or how fast it was written; and GDAL's options are as they were."""
    release, option = Release(case("squares projected masked")[0]), "OGR_SQLITE_SYNCHRONOUS"
    usual = pyogrio.get_gdal_config_option(option)
    each = [tmp_path / f"{number}.{suffix}" for number in range(4)]
    for path in each:
        release.write(path)
    assert len({path.read_bytes() for path in each}) == 1
    assert pyogrio.get_gdal_config_option(option) == usual


def test_a_very_large_map_has_no_layer_of_patches(tmp_path, monkeypatch):
    """Parting it would take longer than writing it; its cells and measurements are there as ever."""
    monkeypatch.setattr("dpmap.export.vector.MOST_PARTED", 1)
    export(*case("hexagons"), tmp_path / "map.gpkg")
    assert set(gpd.list_layers(tmp_path / "map.gpkg")["name"]) - {"layer_styles"} == {
        "cells",
        "measurements",
        "statement",
    }


@pytest.mark.parametrize("name", CASES)
def test_geoparquet(folder, name):
    """GeoParquet 1.1 with its reference system and a bounding-box column."""
    path = written(folder, name, "parquet")
    same_numbers(gpd.read_parquet(path), name, rtol=0)
    meta = json.loads(pyarrow.parquet.read_schema(path).metadata[b"geo"])
    assert meta["version"] == "1.1.0" and meta["columns"]["geometry"]["covering"]
    assert pyproj.CRS.from_json_dict(meta["columns"]["geometry"]["crs"]).equals(expected(name).crs)
    told = json.loads(pyarrow.parquet.read_schema(path).metadata[b"dpmap"])
    assert told == map_statement(case(name)[0]).facts()


@pytest.mark.parametrize("name", CASES)
def test_flatgeobuf(folder, name):
    """The cells as the GeoPackage has them, in its system, by an index, with the statement in the file and a style beside it."""
    path = written(folder, name, "fgb")
    frame = gpd.read_file(path).sort_values("cell", ignore_index=True)
    same_numbers(frame, name, rtol=0)
    layer = gpd.read_file(written(folder, name, "gpkg"), layer="cells")
    assert frame.crs.equals(layer.crs, ignore_axis_order=True)
    assert list(frame.columns) == list(layer.columns)
    assert shapely.equals(frame.geometry.array, layer.geometry.array).all()
    told = pyogrio.read_info(path)
    assert told["capabilities"]["fast_spatial_filter"]
    statement = map_statement(case(name)[0])
    assert told["layer_metadata"] == {"DESCRIPTION": statement.provenance(), **statement.facts()}
    assert files_beside(path) == [path.with_suffix(".qml")]
    assert files_beside(path)[0].is_file()


@pytest.mark.parametrize("name", CASES)
def test_geojson(folder, name):
    """RFC 7946: longitudes and latitudes, outer rings anticlockwise, no foreign reference system."""
    path = written(folder, name, "geojson")
    plain = json.loads(path.read_text())
    assert "crs" not in plain and plain["description"] == map_statement(case(name)[0]).provenance()
    assert list(plain)[0] == "type" and plain["dpmap"] == map_statement(case(name)[0]).facts()
    frame = gpd.read_file(path)
    same_numbers(frame, name)
    west, south, east, north = frame.total_bounds
    assert -3 < west < east < 0 and 39 < south < north < 42
    assert all(shape.exterior.is_ccw for shape in shapely.get_parts(frame.geometry.array))
    truth = expected(name).to_crs(4326)
    assert shapely.hausdorff_distance(truth.geometry.array, frame.geometry.array).max() < 2e-7


@pytest.mark.parametrize("name", CASES)
def test_csv(folder, name):
    """A plain table in which each cell's middle lies in the cell and no text is a formula."""
    with open(written(folder, name, "csv"), newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    record, estimate = case(name)
    beside = json.loads(
        (folder / f"{written(folder, name, 'csv').name}-metadata.json").read_text("utf-8")
    )
    assert (
        beside["notes"] == [map_statement(record).facts()]
        and beside["url"] == written(folder, name, "csv").name
    )
    assert [column["name"] for column in beside["tableSchema"]["columns"]] == list(rows[0])
    assert all("dc:description" in column for column in beside["tableSchema"]["columns"])
    truth = expected(name)
    assert [float(row["estimate"]) for row in rows] == pytest.approx(
        list(truth["estimate"]), rel=1e-9
    )
    x = np.array([float(row["lon"]) for row in rows])
    y = np.array([float(row["lat"]) for row in rows])
    found = record.grid.locate(x, y, crs="EPSG:4326")
    holed = name == "areas"
    assert np.array_equal(found[holed:], truth["cell"].to_numpy()[holed:])
    for row in rows:
        for key in set(row) & {"name", "h3"}:
            assert row[key][0] not in "=+-@\t\r"


def test_names_survive_where_they_are_safe_and_are_guarded_where_they_are_not(folder):
    """Databases keep names as they are; tables and GeoJSON, which people open in spreadsheets, disarm them."""
    assert tuple(gpd.read_file(written(folder, "areas", "gpkg"), layer="cells")["name"]) == NAMES
    assert tuple(gpd.read_file(written(folder, "areas", "geojson"))["name"]) == tuple(
        map(guard_formulas, NAMES)
    )
    assert [guard_formulas(text) for text in ("=1", " =1", "+1", "-1", "@a", "\t=1", "a=1", "")] == [
        "'=1", "' =1", "'+1", "'-1", "'@a", "'\t=1", "a=1", ""
    ]  # fmt: skip


@pytest.mark.parametrize("name", SQUARES)
def test_geotiff(folder, name):
    """A cloud-optimised GeoTIFF: named bands with units, nodata, statistics and the statement."""
    record, estimate = case(name)
    low, high = estimate.interval(0.9)
    with rasterio.open(written(folder, name, "tif")) as source:
        assert source.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
        assert source.descriptions == ("estimate", "low", "high", "noisy", "place_per_km2")
        assert source.units == ("records per cell, capped",) * 4 + ("records per km², capped",)
        assert np.isnan(source.nodata) and source.block_shapes[0] == (512, 512)
        assert pyproj.CRS(source.crs.to_wkt()).equals(
            pyproj.CRS(record.grid.crs), ignore_axis_order=True
        )
        assert np.allclose(source.bounds, record.grid.cells.bounds)
        for band, values in enumerate(
            (estimate.values, low, high, read_map(record).noisy_cells()), start=1
        ):
            found = source.read(band)
            assert np.array_equal(np.isfinite(found), np.isfinite(values))
            assert np.allclose(found, values, rtol=1e-6, equal_nan=True)
            if np.isfinite(values).any():
                assert float(source.tags(band)["STATISTICS_MAXIMUM"]) == pytest.approx(
                    np.nanmax(values), rel=1e-6
                )
        assert {key: source.tags()[key] for key in map_statement(record).facts()} == map_statement(
            record
        ).facts()
        places = read_map(record).columns(estimate, 0.9)
        found, sure = source.read(5), places["place_told"] & record.grid.inside
        assert np.array_equal(found > 0, sure) and np.array_equal(
            found == 0, record.grid.inside & ~sure
        )
        assert np.allclose(found[sure], places["place_per_km2"][sure], rtol=1e-6)


def test_geotiff_is_for_squares_only(tmp_path):
    """Hexagons and areas are refused in a line that names what to write instead, and nothing is left behind."""
    for name in ("hexagons", "areas"):
        with pytest.raises(BadInput, match=r"\.gpkg"):
            export(*case(name), tmp_path / "map.tif")
    with pytest.raises(BadInput, match=r"\.tif .*\.csv"):
        export(*case("hexagons"), tmp_path / "map.shp")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", CASES)
def test_netcdf_and_xarray(folder, name):
    """CF coordinates and a grid mapping that both CF and GDAL readers follow; the file holds what the Dataset holds."""
    record, estimate = case(name)
    data = to_xarray(record, estimate)
    assert Release(record).to_xarray().identical(to_xarray(record, Release(record).reading))
    with xr.open_dataset(
        written(folder, name, "nc"), engine="scipy", decode_coords="all"
    ) as stored:
        for variable in ("estimate", "low", "high", "noisy", "distinguishable", "area"):
            assert np.array_equal(stored[variable], data[variable], equal_nan=True), variable
        assert stored.attrs["Conventions"].startswith("CF-") and stored.attrs["epsilon"] == "0.5"
        assert pyproj.CRS.from_cf(stored["crs"].attrs).equals(
            pyproj.CRS(record.grid.crs), ignore_axis_order=True
        )
    if name in SQUARES:
        x, y = data["estimate"].dims[1], data["estimate"].dims[0]
        assert {data[x].attrs["axis"], data[y].attrs["axis"]} == {"X", "Y"}
        columns, rows = np.meshgrid(data[x], data[y])
        cells = record.grid.locate(columns.ravel(), rows.ravel())
        assert np.array_equal(cells.reshape(record.grid.shape) >= 0, record.grid.inside)
        with rasterio.open(f"netcdf:{written(folder, name, 'nc')}:estimate") as source:
            assert np.allclose(source.bounds, record.grid.cells.bounds)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "look", [styles.default_look, styles.cells_look], ids=["places", "single cells"]
)
def test_styles_are_sound_and_cover_every_cell(folder, name, look):
    """Each cell falls into exactly one rule of the style that opens, and of the one for single cells; those not told into the grey one."""
    ElementTree.parse(written(folder, name, "sld"))
    assert ElementTree.parse(written(folder, name, "qml")).getroot().tag == "qgis"
    frame, found = expected(name), look(*case(name))
    hits = np.zeros(len(frame), dtype=int)
    for rule in found.rules:
        if rule.low is None:
            hits += ~frame[found.sure].to_numpy()
            assert rule.words in (NOT_DISTINGUISHABLE, NOT_TOLD) and rule.colour == style.UNSURE
        else:
            high = np.inf if rule.high is None else rule.high
            hits += (
                frame[found.sure] & (frame[found.shown] >= rule.low) & (frame[found.shown] < high)
            ).to_numpy()
    assert (hits == 1).all()


@pytest.mark.parametrize("name", CASES)
def test_a_cell_names_its_place(folder, name):
    """The cells' table leads to the table of places, and both give the same density and say alike whether it is told."""
    cells, places = (
        gpd.read_file(written(folder, name, "gpkg"), layer=layer) for layer in ("cells", "patches")
    )
    mine = places.set_index("place").loc[cells["place"]]
    assert np.array_equal(mine["told"], cells["place_told"])
    assert np.allclose(mine["per_km2"], cells["place_per_km2"], equal_nan=True)
    assert np.array_equal(cells["place"].value_counts().sort_index(), places["cells"])


def test_hexagons_open_undistorted(folder):
    """In the GeoPackage they lie in an equal-area system, where each covers its own area."""
    frame = gpd.read_file(written(folder, "hexagons", "gpkg"), layer="cells")
    assert "equal-area" in frame.crs.name
    assert shapely.area(frame.geometry.array) / 1e6 == pytest.approx(frame["area_km2"], rel=2e-3)


@pytest.mark.parametrize("name", SQUARES)
def test_raster_and_polygons_overlay_to_the_pixel(folder, name):
    """Each polygon is its pixel's footprint with the same number, in the grid's system."""
    frame = gpd.read_file(written(folder, name, "gpkg"), layer="cells")
    with rasterio.open(written(folder, name, "tif")) as source:
        width, height = source.res
        middle = shapely.get_coordinates(shapely.centroid(frame.geometry.array))
        found = np.array([value[0] for value in source.sample(middle)])
        assert np.allclose(found, frame["estimate"], rtol=1e-6)
        for shape, (row, column) in zip(
            frame.geometry[::7], (source.index(*place) for place in middle[::7]), strict=True
        ):
            corner = source.transform @ (column, row)
            box = (corner[0], corner[1] - height, corner[0] + width, corner[1])
            assert np.allclose(shape.bounds, box, rtol=0, atol=1e-6 * width)


@pytest.mark.parametrize("name", ["squares projected masked", "squares lon/lat", "blocks"])
def test_raster_and_polygons_overlay_in_web_mercator(folder, name):
    """Warped to Web Mercator at a twentieth of a cell, the two differ on cell edges only."""
    frame = gpd.read_file(written(folder, name, "gpkg"), layer="cells").to_crs(3857)
    with rasterio.open(written(folder, name, "tif")) as source:
        west, south, east, north = rasterio.warp.transform_bounds(
            source.crs, "EPSG:3857", *source.bounds
        )
        step = (east - west) / source.width / 20
        shape = (int((north - south) / step), int((east - west) / step))
        transform = rasterio.Affine(step, 0, west, 0, -step, north)
        warped = np.full(shape, np.nan, dtype=np.float32)
        rasterio.warp.reproject(
            rasterio.band(source, 1), warped, dst_transform=transform, dst_crs="EPSG:3857", dst_nodata=np.nan, tolerance=0,
        )  # fmt: skip
    number = frame.index.to_numpy() + 1
    burnt = rasterio.features.rasterize(
        zip(frame.geometry, number, strict=True), shape, transform=transform, dtype="int32"
    )
    truth = np.append(np.nan, frame["estimate"].to_numpy()).astype(np.float32)[burnt]
    differ = ~((warped == truth) | (np.isnan(warped) & np.isnan(truth)))
    edge = np.zeros(shape, dtype=bool)
    for axis in (0, 1):
        for by in (-1, 1):
            edge |= np.roll(burnt, by, axis) != burnt
    assert not (differ & ~edge).any() and differ.mean() < 0.05


def test_a_million_cells_become_a_raster(tmp_path):
    """The raster of 10^6 cells has overviews, the right structure, and every value."""
    record, estimate = million()
    write_geotiff(record, estimate, tmp_path / "map.tif")
    with rasterio.open(tmp_path / "map.tif") as source:
        assert source.overviews(1) and source.block_shapes[0] == (512, 512)
        assert np.allclose(source.read(1), estimate.values, rtol=1e-6)
    head = (tmp_path / "map.tif").read_bytes()[:400]
    assert b"LAYOUT=IFDS_BEFORE_DATA" in head
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.qml", "map.tif"]


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    """When the disk fails, neither half a layer nor a temporary file stays, and the old file is as it was."""
    target = tmp_path / "map.gpkg"
    target.write_bytes(b"old")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpmap.export.vector.add_styles", fail)
    with pytest.raises(SystemFailed, match="no space left"):
        export(*case("1 cell"), target)
    assert [path.name for path in tmp_path.iterdir()] == [
        "map.gpkg"
    ] and target.read_bytes() == b"old"


@pytest.fixture(scope="session")
def seen(folder, tmp_path_factory):
    """What a real QGIS reports of every layer that it can open."""
    shots = tmp_path_factory.mktemp("qgis")
    files = [
        written(folder, name, suffix)
        for name in CASES
        for suffix in ("gpkg", "fgb", "geojson", "tif")
    ]
    told = looked([path for path in files if path.exists()], shots)
    return {(entry["file"], entry["name"]): entry for entry in told}


def test_qgis_opens_every_layer_styled(seen):
    """Every layer is valid, knows its reference system, and comes with its style."""
    assert len(seen) == len(CASES) * 6 + len(SQUARES)
    for (file, layer), entry in seen.items():
        assert entry["valid"], (file, layer)
        if layer == "statement":
            continue
        assert entry["crs_valid"] and entry["crs"] != "unknown" and entry["styled"], (file, layer)
        wanted = (
            "singlebandpseudocolor"
            if entry["raster"]
            else "singleSymbol"
            if layer == "measurements"
            else "RuleRenderer"
        )
        assert entry["renderer"] == wanted
        if wanted == "RuleRenderer":
            assert NOT_TOLD in entry["legend"]
        if entry["raster"]:
            assert [name.split(": ")[-1].split(" (")[0] for name in entry["bands"]] == [
                "estimate",
                "low",
                "high",
                "noisy",
                "place_per_km2",
            ]


def test_qgis_explains_what_a_geopackage_holds(seen):
    """Columns have names that people read, pointing tells the interval, and places and named areas are labelled."""
    for name in CASES:
        file = written(Path(), name, "gpkg").name
        cells, places = seen[file, "cells"], seen[file, "patches"]
        assert {"Estimate", "At least (90 %)", "At most (90 %)"} <= set(cells["aliases"]) & set(
            places["aliases"]
        )
        assert "90 % interval" in cells["tip"] and "90 % interval" in places["tip"]
        assert places["labelled"] and cells["labelled"] == (name == "areas")


@pytest.mark.parametrize(
    "name", ["squares projected masked", "squares web mercator", "squares lon/lat", "blocks"]
)
def test_qgis_draws_raster_and_polygons_alike(seen, folder, name):
    """In the layer's own system and in Web Mercator, both have the same colour away from edges and hatching, and the
    same grey for land that is not told.
    """
    raster = next(
        entry for (file, _), entry in seen.items() if file == written(folder, name, "tif").name
    )
    vector = seen[written(folder, name, "gpkg").name, "cells"]
    for one, two in zip(raster["pictures"], vector["pictures"], strict=True):
        with Image.open(one) as a, Image.open(two) as b:
            a, b = (np.asarray(image.convert("RGB")).astype(int) for image in (a, b))
        ramped = (a.max(axis=-1) - a.min(axis=-1) > 30) | (b.max(axis=-1) - b.min(axis=-1) > 30)
        same = np.abs(a - b).max(axis=-1) < 8
        assert ramped.sum() > 500
        assert same[ramped].mean() > 0.93
        grey = np.abs(a - np.array(style.rgb(style.UNSURE)) * 255).max(axis=-1) < 8
        within = ndimage.binary_erosion(grey)
        assert within.sum() > 100
        assert (b[within].max(axis=-1) - b[within].min(axis=-1) < 12).mean() > 0.95


@pytest.mark.skipif(not os.environ.get("DPMAP_DEEP"), reason="minutes of work; make deep runs it")
@pytest.mark.parametrize("suffix", ["nc", "csv", "parquet", "gpkg", "fgb", "geojson"])
def test_a_million_cells_in_every_other_format(tmp_path, suffix):
    """Every format takes 10^6 cells: slowly where it is made for less, but whole."""
    export(*million(), tmp_path / f"map.{suffix}")
    if suffix in ("gpkg", "parquet"):
        read = {
            "gpkg": lambda path: gpd.read_file(path, layer="cells"),
            "parquet": gpd.read_parquet,
        }[suffix]
        assert np.array_equal(
            read(tmp_path / f"map.{suffix}")["estimate"], million()[1].values.ravel()
        )
    elif suffix == "csv":
        with open(tmp_path / "map.csv", encoding="utf-8") as lines:
            assert sum(1 for _ in lines) == 1_000_001
