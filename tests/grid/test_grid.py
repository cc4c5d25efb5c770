"""The public grid: every place in the area is in exactly one cell, and the grid is what was declared."""

import math
import random
import re

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.grid import Partition, partition
from dpmap.grid.grid import LARGEST_SPARSE
from dpmap.grid.h3_cells import Hexagons

BRITAIN = shapely.Polygon([(-4.0, 51.0), (-1.0, 51.2), (-1.5, 53.0), (-3.0, 53.4), (-4.2, 52.0)])
ACROSS = shapely.MultiPolygon([shapely.box(177, -19, 180, -16), shapely.box(-180, -19, -179, -16)])
"""An area on both sides of the antimeridian, split there."""
WALES = shapely.MultiPolygon(
    [shapely.box(-4.5, 51.6, -3.2, 53.0), shapely.box(-4.7, 53.2, -4.1, 53.4)]
)


def corners_of(grid):
    """(west, south, east, north) of every cell of a square grid, from its outlines."""
    return shapely.bounds(dm.Grid(cells=grid.cells, crs=grid.crs).polygons())


def random_points(shape, count, seed=0):
    """Points of the polygon, in its own coordinates."""
    west, south, east, north = shape.bounds
    dice = np.random.default_rng(seed)
    x, y = dice.uniform(west, east, count), dice.uniform(south, north, count)
    within = shapely.contains_xy(shape, x, y)
    return x[within], y[within]


@settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([0.1, 0.25, 1.0, 1000.0, 0.3]),
    st.integers(-300, 300),
    st.integers(-200, 200),
)
def test_a_point_on_an_edge_is_in_exactly_one_cell(rows, columns, size, column0, row0):
    """Cell corners, written as decimals, fall in one cell each: the one east and north, on the outer edge the outermost."""
    west, south = round(column0 * size, 6), round(row0 * size, 6)
    east, north = round((column0 + columns) * size, 6), round((row0 + rows) * size, 6)
    grid = dm.Grid(bounds=(west, south, east, north), shape=(rows, columns), crs="EPSG:3857")
    for column in {0, 1, columns // 2, columns - 1, columns}:
        for up in {0, 1, rows // 2, rows - 1, rows}:
            x, y = round((column0 + column) * size, 6), round((row0 + up) * size, 6)
            (cell,) = grid.locate([x], [y])
            if column > columns or up > rows:
                assert cell == -1
                continue
            assert cell == (rows - 1 - min(up, rows - 1)) * columns + min(column, columns - 1)


def test_what_lies_outside_is_dropped():
    """Points beyond the bounds, or in a cell of no area, or with no finite coordinates, are in no cell and raise nothing."""
    grid = dm.Grid(
        bounds=(0, 0, 2, 2),
        shape=(2, 2),
        crs="EPSG:4326",
        mask=np.array([[True, False], [True, True]]),
    )
    x = np.array([0.5, 1.5, -0.001, 2.001, 0.5, np.nan, np.inf, -np.inf, 1e308, 0.5])
    y = np.array([1.5, 1.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, np.inf])
    assert grid.locate(x, y).tolist() == [0, -1, -1, -1, -1, -1, -1, -1, -1, -1]


def test_points_that_no_projection_can_place_are_dropped():
    """Coordinates that PROJ cannot move into the grid's system are outside, with no warning and no error."""
    x, y = (
        np.array([-2.5, 400.0, np.nan, np.inf, -2.5, 177.0]),
        np.array([52.0, 95.0, 52.0, 52.0, -1e9, -52.0]),
    )
    for grid in (
        dm.Grid.covering(BRITAIN, cell="10 km"),
        dm.Grid.covering(BRITAIN, cell="10 km", crs="EPSG:27700"),
    ):
        cells = grid.locate(x, y, "EPSG:4326")
        assert cells[0] >= 0
        assert (cells[1:] == -1).all()


@pytest.mark.parametrize(
    "grid",
    [
        lambda: dm.Grid.covering(BRITAIN, cell="5 km"),
        lambda: dm.Grid.covering(BRITAIN, cell="5 km", crs="EPSG:27700"),
        lambda: dm.Grid.covering(BRITAIN, cell="0.1 deg"),
        lambda: dm.Grid.covering(BRITAIN, cell="3 mi", crs="EPSG:2263"),
        lambda: dm.Grid.covering(WALES, cell="7 km"),
    ],
)
def test_every_point_of_the_area_has_its_cell(grid):
    """A covering grid leaves no ground of the area out, and the cell that locate names holds the point."""
    grid = grid()
    area = WALES if "7 km" in repr(grid) else BRITAIN
    x, y = random_points(area, 4000)
    cells = grid.locate(x, y, "EPSG:4326")
    if "2263" not in grid.crs:  # far from New York straight lines bend
        assert (cells >= 0).all()
    px, py = pyproj.Transformer.from_crs("EPSG:4326", grid.crs, always_xy=True).transform(x, y)
    west, south, east, north = corners_of(grid)[cells[cells >= 0]].T
    near = 1e-6 * (east - west)
    px, py = px[cells >= 0], py[cells >= 0]
    assert (
        (west - near <= px) & (px <= east + near) & (south - near <= py) & (py <= north + near)
    ).all()


@pytest.mark.parametrize(
    ("cell", "crs", "size"),
    [
        ("5 km", None, 5000),
        ("5 km", "EPSG:27700", 5000),
        ("0.1 deg", None, 0.1),
        ("250 m", "EPSG:3035", 250),
        ("1 mi", "EPSG:27700", 1609.344),
    ],
)
def test_cell_edges_lie_on_multiples_of_the_cell_size(cell, crs, size):
    """Two grids of one cell size and system fit together: their edges are multiples of the size, their cells square."""
    area = BRITAIN if size != 250 else shapely.box(-2, 52, -1.8, 52.1)
    grid = dm.Grid.covering(area, cell=cell, crs=crs)
    for edge in grid.cells.bounds:
        assert abs(edge / size - round(edge / size)) < 1e-6
    assert grid.cells.cell == pytest.approx((size, size), rel=1e-9)


@pytest.mark.parametrize(
    "area",
    [BRITAIN, WALES, BRITAIN.buffer(0.3).difference(BRITAIN), shapely.box(-3, 51, -2.5, 51.5)],
)
@pytest.mark.parametrize("cell", ["0.1 deg", "0.37 deg", "9 deg"])
def test_the_mask_is_the_cells_that_share_ground_with_the_area(area, cell):
    """A cell is in the map exactly when it and the area overlap in more than an edge or a corner."""
    grid = dm.Grid.covering(area, cell=cell)
    boxes = shapely.box(*corners_of(grid).T)
    shared = shapely.area(shapely.intersection(boxes, area))
    inside = grid.inside.ravel()
    assert inside[shared > 1e-9].all()
    west, south, east, north = corners_of(grid).T
    within = shapely.box(west + 1e-9, south + 1e-9, east - 1e-9, north - 1e-9)
    assert not inside[~shapely.intersects(within, area)].any()


def test_an_area_on_the_cells_own_edges_brings_no_neighbours():
    """An area that is exactly so many cells gives exactly those cells."""
    for west, south in ((-3.0, 51.0), (0.3, 50.7), (10.1, -0.7)):
        area = shapely.box(west, south, round(west + 0.6, 6), round(south + 0.4, 6))
        assert dm.Grid.covering(area, cell="0.1 deg").shape == (4, 6)
    metres = gpd.GeoDataFrame(
        geometry=[shapely.box(400000, 200000, 407000, 203000)], crs="EPSG:27700"
    )
    grid = dm.Grid.covering(metres, cell="1 km", crs="EPSG:27700")
    assert grid.shape == (3, 7)
    assert grid.cells_inside == 21


@pytest.mark.parametrize(
    "area",
    [
        shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]),
        shapely.Polygon([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (-5, -5), (0, 0)]),
        shapely.Polygon([(0, 0), (4, 0), (4, 1), (9, 1), (4, 1), (4, 4), (0, 4)]),
        shapely.GeometryCollection([shapely.box(0, 0, 1, 1), shapely.LineString([(5, 5), (6, 6)])]),
    ],
    ids=["bow tie", "spike", "spur", "with a line"],
)
@pytest.mark.parametrize("cell", ["0.5 deg", "20 km"])
def test_invalid_areas_cover_their_ground_only(area, cell):
    """Crossed outlines, spikes and stray lines, as real files have them, make no error and no cells without ground."""
    ground = shapely.make_valid(area)
    ground = shapely.union_all(
        [part for part in shapely.get_parts(ground) if shapely.area(part) > 0]
    )
    grid = dm.Grid.covering(area, cell=cell)
    if cell == "0.5 deg":
        boxes = shapely.box(*corners_of(grid).T)
        shared = shapely.area(shapely.intersection(boxes, ground))
        assert grid.inside.ravel().tolist() == (shared > 1e-12).tolist()
    x, y = random_points(ground, 500)
    assert (grid.locate(x, y, "EPSG:4326") >= 0).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: dm.Grid.covering((170, -20, 190, -10), cell="10 km"),
        lambda: dm.Grid.covering((-190, 10, -170, 20), cell="1 deg"),
        lambda: dm.Grid.covering(gpd.GeoDataFrame(geometry=[ACROSS], crs=4326), cell="1 deg"),
        lambda: dm.Grid.hexagons(ACROSS, resolution=3),
        lambda: dm.Grid.covering(gpd.GeoDataFrame(geometry=[shapely.box(-5e5, -5e5, 5e5, 5e5)], crs="EPSG:3832").to_crs("EPSG:3832").set_geometry([shapely.box(3.2e6, -1e6, 3.6e6, 1e6)]), cell="10 km"),
        lambda: dm.Grid.hexagons((170, -20, 190, -10), resolution=3),
        lambda: dm.Grid.areas(gpd.GeoDataFrame(geometry=[shapely.box(170, -20, 190, -10)], crs=4326)),
        lambda: dm.Grid(bounds=(170, -20, 190, -10), shape=(5, 5), crs="EPSG:4326"),
    ],
)  # fmt: skip
def test_the_antimeridian_is_refused(make):
    """Cells of degrees, hexagons or an unsplit area across the 180th meridian is refused with the word and what to do, never mapped round the globe."""
    with pytest.raises(dm.errors.BadInput, match=r"antimeridian.*(split|national|within)"):
        make()


def test_squares_in_metres_lie_across_the_antimeridian():
    """An area that is split at 180 degrees is one grid centred on it, with a cell for each place and none beside it."""
    grid = dm.Grid.covering(ACROSS, cell="10 km")
    assert "+lon_0=179.0 " in grid.crs and grid.shape[1] < 50
    assert (
        grid.locate([177.1, 179.999, -179.999, -179.1], [-18, -17, -17, -18], "EPSG:4326") >= 0
    ).all()
    assert (grid.locate([176.5, -178.5, 0], [-18, -17, -17], "EPSG:4326") == -1).all()
    ground = pyproj.Geod(ellps="WGS84").geometry_area_perimeter(shapely.segmentize(ACROSS, 0.01))[0]
    assert grid.square_km[grid.inside].sum() == pytest.approx(abs(ground) / 1e6, rel=0.1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: dm.Grid.covering((-20, 85, 20, 90), cell="10 km"),
        lambda: dm.Grid.covering((-20, -90, 20, -80), cell="1 deg"),
        lambda: dm.Grid.hexagons((-20, 85, 20, 90), resolution=2),
        lambda: dm.Grid.covering(
            gpd.GeoDataFrame(geometry=[shapely.box(-3e5, -3e5, 3e5, 3e5)], crs="EPSG:3413"),
            cell="10 km",
        ),
        lambda: dm.Grid(bounds=(-20, 80, 20, 95), shape=(5, 5), crs="EPSG:4326"),
    ],
)
def test_the_poles_are_refused(make):
    """An area at a pole is refused in one line."""
    with pytest.raises(dm.errors.BadInput, match="pole|antimeridian"):
        make()


def test_too_large_grids_are_refused_with_their_size_and_a_size_that_fits():
    """More than two thousand million cells: the message says how many, and the factor it names is enough."""
    for size in (2.0, 0.7, 0.01):
        with pytest.raises(
            dm.errors.BadInput, match=r"[\d,]+ x [\d,]+ = [\d,]+ cells.*times larger"
        ) as caught:
            dm.Grid.covering((-3, 51, -1, 53), cell=f"{size} m")
        factor = float(re.search(r"make cells ([\d.e+]+) times", str(caught.value))[1])
        assert factor >= 1.1
        side = 2 * 111_200 / (size * factor)
        assert side * side * math.cos(math.radians(52)) < LARGEST_SPARSE * 1.02
    with pytest.raises(dm.errors.BadInput, match="10,000,000,000 cells"):
        dm.Grid(bounds=(0, 0, 1, 1), shape=(100_000, 100_000), crs="EPSG:4326")


@pytest.mark.parametrize("cell", ["1e-200 m", "1e-310 m", "1e-310 deg"])
def test_absurdly_small_cells_are_refused_too(cell):
    """A cell size with a slipped exponent is bad input, not a crash."""
    with pytest.raises(dm.errors.BadInput):
        dm.Grid.covering((-3, 51, -1, 53), cell=cell)


def test_too_many_hexagons_are_refused_before_they_are_made(monkeypatch):
    """Hexagons beyond 100 million are refused with the size too, before memory and hours are spent on them."""

    def never(cls, area, resolution):
        raise AssertionError("it began to list the hexagons")

    monkeypatch.setattr(Hexagons, "covering", classmethod(never))
    with pytest.raises(dm.errors.BadInput, match="hexagons|cells"):
        dm.Grid.hexagons((-10, 40, 10, 55), resolution=14)


@pytest.mark.parametrize(
    "cell", ["", "0 m", "-1 km", "nan m", "inf m", "1 parsec", "km", "1 km 2", None, True]
)
def test_senseless_cell_sizes_are_refused(cell):
    """A cell size that is none is refused with how to write one."""
    with pytest.raises(dm.errors.BadInput, match="cell"):
        dm.Grid.covering(BRITAIN, cell=cell)


def test_no_extent_is_refused():
    """Without a declared extent there is no grid: it is never read off the survey."""
    for make in (
        lambda: dm.Grid(),
        lambda: dm.Grid(bounds=(0, 0, 1, 1), crs="EPSG:4326"),
        lambda: dm.Grid.covering(None, cell="1 km"),
        lambda: dm.Grid.hexagons(None, resolution=5),
        lambda: dm.Grid.areas(None),
    ):
        with pytest.raises(dm.errors.Refused):
            make()


def test_every_point_of_the_area_is_in_one_hexagon():
    """Hexagons cover the area, and a point is in the one whose outline holds it."""
    grid = dm.Grid.hexagons(BRITAIN, resolution=5)
    x, y = random_points(BRITAIN, 1500)
    cells = grid.locate(x, y)
    assert (cells >= 0).all()
    shapes = grid.polygons()
    assert (shapely.distance(shapes[cells], shapely.points(x, y)) < 1e-6).all()
    holders = shapely.STRtree(shapes).query(shapely.points(x, y), predicate="within")
    assert np.bincount(holders[0]).max() == 1
    assert grid.locate([100.0, np.nan, np.inf, 500.0], [0.0, 52.0, 52.0, 52.0]).tolist() == [-1] * 4


def test_outlines_are_those_of_the_h3_library():
    """Traced all at once, pentagons included, they are what the library gives one by one."""
    from dpmap.grid.h3_cells import Hexagons, library

    h3 = library()
    ids = np.sort(
        np.array(
            [*h3.get_pentagons(3)[:4], *h3.grid_disk(h3.latlng_to_cell(52, 0, 3), 4)],
            dtype=np.uint64,
        )
    )
    chosen = np.array([5, 0, 3, 40])
    outlines = Hexagons(ids, 3).polygons(chosen)
    for outline, cell in zip(outlines, ids[chosen], strict=True):
        assert outline.equals(
            shapely.Polygon([(lon, lat) for lat, lon in h3.cell_to_boundary(cell)])
        )


def test_every_point_is_in_one_area_the_first_where_they_overlap():
    """Districts: a shared border and an overlap go to the first polygon, a gap to none; a warning names those that overlap."""
    shapes = [shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1), shapely.box(0.5, 0, 3, 2)]
    layer = gpd.GeoDataFrame({"name": ["a", "b", "c"]}, geometry=shapes, crs=4326)
    with pytest.warns(UserWarning, match="a and c"):
        grid = dm.Grid.areas(layer)
    assert "a and c" in grid.cells.naming.words
    assert grid.locate(
        [0.2, 1.0, 1.5, 2.5, 9.0, 0.7, np.nan], [0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 0.5]
    ).tolist() == [
        0,
        0,
        1,
        2,
        -1,
        2,
        -1,
    ]
    assert grid.cells.names == ("a", "b", "c")


@pytest.mark.parametrize("make", [
    lambda: dm.Grid(bounds=(0, 0, 3, 2), shape=(4, 7), crs="EPSG:4326"),
    lambda: dm.Grid.hexagons(BRITAIN, resolution=4),
    lambda: dm.Grid.hexagons(BRITAIN, resolution=1),
    lambda: dm.Grid.areas(gpd.GeoDataFrame(geometry=[shapely.box(i % 5, i // 5, i % 5 + 1, i // 5 + 1) for i in range(23)], crs=4326)),
    lambda: dm.Grid.areas(gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)] * 9, crs=4326)),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*overlap")
def test_each_cell_has_a_place_of_its_own_in_the_layout(make):
    """The layout that hierarchies build on gives no two cells one place."""
    grid = make()
    rows, columns = grid.layout()
    assert len(rows) == len(columns) == grid.size
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == grid.size
    assert rows.min() >= 0
    assert columns.min() >= 0


@pytest.mark.parametrize(
    ("make", "near"),
    [
        (lambda: dm.Grid.covering(BRITAIN, cell="20 km"), 1e-3),
        (lambda: dm.Grid.covering(BRITAIN, cell="0.2 deg"), 1e-4),
        (lambda: dm.Grid(bounds=(-3, 51, -1, 60), shape=(9, 2), crs="EPSG:4326"), 1e-4),
        (lambda: dm.Grid.covering(BRITAIN, cell="20 km", crs="EPSG:3035"), 1e-3),
        (lambda: dm.Grid.covering(BRITAIN, cell="20 km", crs="EPSG:27700"), 1e-3),
        (lambda: dm.Grid.hexagons(BRITAIN, resolution=4), 1e-4),
        (lambda: dm.Grid.areas(gpd.GeoDataFrame(geometry=[BRITAIN], crs=4326)), 1e-3),
        (lambda: dm.Grid.covering(BRITAIN, cell="20 km", crs="EPSG:3857"), 1e-2),
        (lambda: dm.Grid.areas(gpd.GeoDataFrame(geometry=[BRITAIN], crs=4326).to_crs(3857)), 1e-2),
    ],
    ids=["laea", "degrees", "tall degrees", "3035", "27700", "hexagons", "areas", "web mercator", "areas in web mercator"],
)  # fmt: skip
def test_square_km_is_the_true_area_on_the_ellipsoid(make, near):
    """The area a cell is said to have is the ground's, whatever projection the grid is in."""
    grid = make()
    geod = pyproj.Geod(ellps="WGS84")
    fine = gpd.GeoSeries(grid.polygons(), crs=grid.crs).segmentize(
        np.ptp(shapely.total_bounds(grid.polygons()).reshape(2, 2), axis=0).max() / 300
    )
    true = np.array(
        [abs(geod.geometry_area_perimeter(shape)[0]) / 1e6 for shape in fine.to_crs(4326)]
    )
    assert grid.square_km.shape == grid.shape
    assert grid.square_km[grid.inside] == pytest.approx(true, rel=near)


def test_partitions_are_disjoint_by_construction():
    """A partition puts each cell in at most one region and says no to labels beyond its regions."""
    grid = dm.Grid.covering(BRITAIN, cell="30 km")
    cells = dm.Partition.cells(grid)
    assert sorted(cells.labels[cells.labels >= 0].tolist()) == list(range(grid.cells_inside))
    assert (cells.labels[~grid.inside] == -1).all()
    for labels, regions in (([0, 5], 5), ([-2, 0], None), ([[0, 1]], 1)):
        with pytest.raises(dm.errors.BadInput):
            dm.Partition(np.array(labels), regions)
    with pytest.raises(ValueError):
        cells.labels[0] = 7


def test_the_same_declaration_gives_the_same_grid_whatever_form_it_comes_in(tmp_path):
    """A GeoPackage, a GeoDataFrame and a geometry of one area give one grid, cell for cell."""
    frame = gpd.GeoDataFrame(geometry=[BRITAIN], crs=4326)
    frame.to_file(tmp_path / "area.gpkg")
    frame.to_file(tmp_path / "area.geojson", COORDINATE_PRECISION=15)
    grids = [
        dm.Grid.covering(area, cell="10 km")
        for area in (BRITAIN, frame, tmp_path / "area.gpkg", str(tmp_path / "area.geojson"))
    ]
    assert (
        len({(grid.crs, grid.cells.bounds, grid.shape, grid.inside.tobytes()) for grid in grids})
        == 1
    )


def test_random_grids_and_points_agree_with_fractions():
    """Over many grids, points away from edges are located as exact arithmetic locates them."""
    from fractions import Fraction

    dice = random.Random(5)
    for _ in range(200):
        rows, columns = dice.randrange(1, 60), dice.randrange(1, 60)
        west, south = dice.uniform(-170, 100), dice.uniform(-80, 0)
        east, north = west + dice.uniform(0.001, 60), south + dice.uniform(0.001, 60)
        grid = dm.Grid(bounds=(west, south, east, north), shape=(rows, columns), crs="EPSG:4326")
        x, y = dice.uniform(west, east), dice.uniform(south, north)
        across = (Fraction(x) - Fraction(west)) * columns / (Fraction(east) - Fraction(west))
        up = (Fraction(y) - Fraction(south)) * rows / (Fraction(north) - Fraction(south))
        if min(abs(across - round(across)), abs(up - round(up))) > Fraction(1, 10**6):
            assert grid.locate([x], [y]).tolist() == [
                (rows - 1 - math.floor(up)) * columns + math.floor(across)
            ]


@st.composite
def two_partitions(draw):
    """Two partitions of the same few cells, the second often made of regions of the first."""
    cells = draw(st.integers(1, 12))
    labels = st.lists(st.integers(-1, 4), min_size=cells, max_size=cells)
    first = draw(labels)
    renamed = draw(st.permutations(range(5)))
    kept = [renamed[label] if label >= 0 else -1 for label in first]
    second = [
        draw(st.sampled_from([label, label, label, other]))
        for label, other in zip(kept, draw(labels), strict=True)
    ]
    return Partition(first, 5), Partition(second, 6)


@settings(max_examples=300)
@given(two_partitions(), st.integers(1, 20))
def test_a_region_is_the_same_as_another_if_it_has_its_very_cells(both, strip):
    """Whatever the regions' numbers, gaps among these and cells in none, and however few cells are looked at at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "STRIP", strip)
        first, second = both
        cells = [
            [frozenset(np.flatnonzero(one.labels == region)) for region in range(one.regions)]
            for one in both
        ]
        there = {held: region for region, held in enumerate(cells[1]) if held}
        assert first.same_in(second).tolist() == [there.get(held, -1) for held in cells[0]]
        assert second.sizes().tolist() == [len(held) for held in cells[1]]


@pytest.mark.parametrize(
    ("highest", "bytes_each"), [(-1, 1), (0, 1), (127, 1), (128, 2), (32767, 2), (32768, 4)]
)
def test_few_regions_take_few_bytes(highest, bytes_each):
    """What the labels are is not changed by how they are held, to the last number that fits."""
    labels = np.array([[-1, highest], [highest, -1]])
    held = Partition(labels, 40_000)
    assert (held.labels == labels).all()
    assert (held.labels.dtype, held.packed.itemsize) == (np.int32, bytes_each)
    assert held.sizes()[highest] == (2 if highest >= 0 else 0)
