"""What a public file comes to on the cells of a grid: amounts, of which nothing is lost or counted twice."""

import hashlib

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely

import dpmap as dm
from dpmap.grid.allocate import lay

WORLD = (-4, 50, -3, 51)
GRIDS = {
    "squares in metres": dm.Grid.covering(WORLD, cell="5 km"),
    "squares in degrees": dm.Grid.covering(WORLD, cell="0.1 deg"),
    "hexagons": dm.Grid.hexagons(WORLD, resolution=6),
    "areas": dm.Grid.areas(
        gpd.GeoDataFrame(
            geometry=[shapely.box(-4, 50, -3.45, 51), shapely.box(-3.45, 50, -3, 51)], crs=4326
        )
    ),
}
each_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)


def raster(path, pixels, bounds=WORLD, **more):
    pixels = np.atleast_3d(pixels.T).T
    count, high, wide = pixels.shape
    profile = {
        "driver": "GTiff",
        "height": high,
        "width": wide,
        "count": count,
        "dtype": pixels.dtype,
        "crs": "EPSG:4326",
    }
    west, south, east, north = bounds
    where = rasterio.Affine((east - west) / wide, 0, west, 0, (south - north) / high, north)
    with rasterio.open(path, "w", **profile | {"transform": where} | more) as file:
        file.write(pixels)
    return path


def layer(path, *shapes, crs=4326, **columns):
    gpd.GeoDataFrame(columns, geometry=list(shapes), crs=crs).to_file(path)
    return path


@each_grid
@pytest.mark.parametrize("side", [4, 150], ids=["pixels larger than cells", "smaller"])
def test_what_pixels_hold_is_shared_out_and_nothing_is_lost(grid, side, tmp_path):
    pixels = np.random.default_rng(1).random((side, side))
    laid = lay(raster(tmp_path / "effort.tif", pixels), grid, role="--per")
    assert np.nansum(laid.values) == pytest.approx(pixels.sum(), rel=1e-6)
    assert np.isnan(laid.values[~grid.inside]).all() and (laid.values[grid.inside] >= 0).all()


def test_pixels_of_another_reference_system_lie_where_they_should(tmp_path):
    grid = GRIDS["squares in metres"]
    pixels = np.zeros((100, 100))
    pixels[30:40, 60:70] = 1.0  # 0.1 degrees a side, whose middle is 3.35 west, 50.65 north
    laid = lay(raster(tmp_path / "effort.tif", pixels), grid, role="--per")
    ground = gpd.GeoSeries([shapely.box(-3.4, 50.6, -3.3, 50.7)], crs=4326)
    covered = lay(ground, grid, role="--per")
    assert covered.what == "km2"
    np.testing.assert_allclose(
        laid.values / 100, covered.values / np.nansum(covered.values), atol=0.01
    )


def test_squares_that_run_like_the_pixels_get_their_exact_share(tmp_path):
    grid = dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    path = raster(tmp_path / "effort.tif", np.array([[4.0, 8.0]]), (-1, 0, 4, 2), crs="EPSG:3857")
    np.testing.assert_allclose(lay(path, grid, role="--per").values, [[0.8, 1.2, 1.6]])


def test_a_cell_of_which_nothing_is_known_is_said_and_one_known_in_part_counts_that_part(tmp_path):
    grid = dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    path = raster(
        tmp_path / "effort.tif",
        np.array([[1.0, -1, 2, 2, -1, -1]]),
        (0, 0, 3, 1),
        crs="EPSG:3857",
        nodata=-1,
    )
    laid = lay(path, grid, role="--per")
    assert laid.values.tolist() == [[1, 4, 0]] and laid.missing.tolist() == [[False, False, True]]


@each_grid
def test_polygons_lines_and_points_are_measured_and_columns_shared_out(grid, tmp_path):
    one, other = shapely.box(-3.9, 50.1, -3.3, 50.8), shapely.box(-3.5, 50.2, -3.1, 50.9)
    line = shapely.LineString([(-3.9, 50.1), (-3.2, 50.9), (-3.1, 50.2)])
    wood = layer(tmp_path / "wood.gpkg", one, other, people=[10.0, 20.0])
    road = layer(tmp_path / "road.gpkg", line, cars=[3])
    nest = layer(
        tmp_path / "nest.shp", shapely.Point(-3.55, 50.55), shapely.Point(-3.2, 50.3), eggs=[2, 3]
    )

    def whole(path):
        return np.nansum(lay(path, grid, role="--per").values)

    equal = (
        gpd.GeoSeries([one.union(other)], crs=4326)
        .segmentize(0.01)
        .to_crs(GRIDS["squares in metres"].crs)
    )
    assert whole(wood) == pytest.approx(
        equal.area.sum() / 1e6, rel=1e-3
    )  # ground in both counts once
    assert whole(f"{wood}:people") == pytest.approx(30, rel=1e-3)
    assert whole(road) == pytest.approx(180.1, rel=1e-3)
    assert whole(f"{road}:road:cars") == pytest.approx(3)
    assert whole(nest) == 2 and whole(f"{nest}:eggs") == pytest.approx(5)


def test_the_content_of_a_file_is_told_by_a_hash_that_changes_with_it(tmp_path):
    grid = GRIDS["areas"]
    path = raster(tmp_path / "effort.tif", np.ones((9, 9)))
    assert lay(path, grid, role="--per").sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    nests = [
        lay(
            layer(tmp_path / "nest.shp", shapely.Point(-3.5, 50.5), eggs=[n]), grid, role="p"
        ).sha256
        for n in (1, 2, 1)
    ]
    assert nests[0] == nests[2] != nests[1]


def bad(tmp_path):
    """Makes a file or an array of each kind that cannot be laid, with a word of what is said."""
    ones, point = np.ones((4, 4)), shapely.Point(-3.5, 50.5)
    (tmp_path / "empty.tif").touch()
    (tmp_path / "empty.gpkg").touch()
    (tmp_path / "text.tif").write_text("no raster")
    wood = layer(
        tmp_path / "wood.gpkg",
        point.buffer(0.1),
        point.buffer(0.2),
        n=[1.0, None],
        t=["a", "b"],
        minus=[-1, 2],
    )
    return {
        tmp_path / "nothing.tif": "no file",
        tmp_path: "is a folder",
        tmp_path / "empty.tif": "cannot be read",
        tmp_path / "empty.gpkg": "cannot be read",
        tmp_path / "text.tif": "cannot be read",
        raster(tmp_path / "nocrs.tif", ones, crs=None): "does not say its CRS",
        raster(tmp_path / "far.tif", ones, (10, 50, 11, 51)): "overlap",
        raster(tmp_path / "minus.tif", -ones): "below 0",
        raster(tmp_path / "zero.tif", 0 * ones): "nothing above 0",
        raster(tmp_path / "none.tif", ones, nodata=1): "knows nothing of the area",
        raster(tmp_path / "two.tif", np.ones((2, 4, 4))): "2 bands",
        f"{raster(tmp_path / 'one.tif', ones)}:2": "no such band",
        layer(tmp_path / "nocrs.gpkg", point, crs=None): "no CRS",
        layer(tmp_path / "far.gpkg", shapely.Point(10, 50)): "nothing in the area",
        layer(tmp_path / "mixed.gpkg", point, point.buffer(0.1)): "mixes",
        f"{wood}:cars": "no column of that name; it has n, minus",
        f"{wood}:t": "holds no numbers",
        f"{wood}:n": "missing",
        f"{wood}:minus": "below 0",
        f"{wood}:": "write",
    }


@pytest.mark.filterwarnings("ignore:.crs. was not provided")
def test_what_cannot_be_laid_is_refused_in_one_line(tmp_path):
    for source, said in bad(tmp_path).items():
        with pytest.raises(dm.errors.BadInput, match=said) as refused:
            lay(source, GRIDS["squares in metres"], role="--per")
        assert "\n" not in str(refused.value) and str(tmp_path) not in str(refused.value)
    two = dm.Grid(bounds=(0, 0, 2, 1), shape=(1, 2), crs="EPSG:3857")
    for numbers in ([1, 2], [[1, -2]], [[np.inf, 1]], [[0, 0]], [[np.nan, np.nan]], "x" * 3, None):
        with pytest.raises(dm.errors.BadInput):
            lay(numbers, two, role="per")
