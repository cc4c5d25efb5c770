"""MGRS as an official grid: every place is in exactly the cell that its reference names, wherever zones and bands meet."""

import math
import pickle
import zipfile

import geopandas as gpd
import numpy as np
import pytest
import shapely

import dpmap as dm
from dpmap.errors import BadInput, Refused
from dpmap.grid import utm
from dpmap.grid.mgrs_cells import MgrsCells, recognise_mgrs
from dpmap.grid.official import advice, find_official_grid
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.sensitive_species import check_sensitivity
from dpmap.steward.planning.official import alternatives
from dpmap.survey.row_sql import cell_metres

FLATTENING = 1 / 298.257223563
BORDERS = {
    "Germany and Austria, at 12 E and 48 N": (11.2, 47.2, 12.8, 48.3),
    "Kenya, at the equator and 36 E": (35.4, -0.8, 36.7, 0.9),
    "south-west Norway, where 32V is wider": (2.2, 55.6, 6.6, 57.1),
    "the north end of 32V": (2.4, 63.5, 12.6, 64.4),
    "Svalbard, where 32X, 34X and 36X are not": (7.5, 71.6, 22.0, 72.5),
    "the top of band X": (32.0, 83.3, 43.0, 84.0),
    "the far south": (-67.0, -80.0, -65.0, -79.2),
    "west of the antimeridian": (178.5, -17.5, 180.0, -15.6),
    "east of the antimeridian": (-180.0, -17.5, -178.5, -15.6),
    "the corner of zones and bands at 6 W and 8 S": (-6.9, -8.7, -5.2, -7.3),
}


def reference(lon, lat, side):
    """The MGRS reference of one place, from the series of Krüger and the tables of letters; written for this test alone."""
    n = FLATTENING / (2 - FLATTENING)
    band = "CDEFGHJKLMNPQRSTUVWXX"[math.floor(lat / 8) + 10]
    zone = 1 if lon == 180 else math.floor((lon + 180) / 6) + 1
    if band == "V" and 3 <= lon < 12:
        zone = 32
    if band == "X" and 0 <= lon < 42:
        zone = 31 if lon < 9 else 33 if lon < 21 else 35 if lon < 33 else 37
    away = math.radians((lon - (6 * zone - 183) + 180) % 360 - 180)
    radius = 6378137 / (1 + n) * (1 + n**2 / 4 + n**4 / 64 + n**6 / 256)
    alpha = (
        n / 2
        - 2 * n**2 / 3
        + 5 * n**3 / 16
        + 41 * n**4 / 180
        - 127 * n**5 / 288
        + 7891 * n**6 / 37800,
        13 * n**2 / 48
        - 3 * n**3 / 5
        + 557 * n**4 / 1440
        + 281 * n**5 / 630
        - 1983433 * n**6 / 1935360,
        61 * n**3 / 240 - 103 * n**4 / 140 + 15061 * n**5 / 26880 + 167603 * n**6 / 181440,
        49561 * n**4 / 161280 - 179 * n**5 / 168 + 6601661 * n**6 / 7257600,
        34729 * n**5 / 80640 - 3418889 * n**6 / 1995840,
        212378941 * n**6 / 319334400,
    )
    e, sine = 2 * math.sqrt(n) / (1 + n), math.sin(math.radians(lat))
    t = math.sinh(math.atanh(sine) - e * math.atanh(e * sine))
    xi, eta = (
        math.atan2(t, math.cos(away)),
        math.asinh(math.sin(away) / math.hypot(t, math.cos(away))),
    )
    up = xi + sum(
        a * math.sin(2 * k * xi) * math.cosh(2 * k * eta) for k, a in enumerate(alpha, start=1)
    )
    across = eta + sum(
        a * math.cos(2 * k * xi) * math.sinh(2 * k * eta) for k, a in enumerate(alpha, start=1)
    )
    easting, northing = (
        500_000 + 0.9996 * radius * across,
        0.9996 * radius * up + (0 if lat >= 0 else 10_000_000),
    )
    columns = ("STUVWXYZ", "ABCDEFGH", "JKLMNPQR")[zone % 3]
    rows = "ABCDEFGHJKLMNPQRSTUV" if zone % 2 else "FGHJKLMNPQRSTUVABCDE"
    square = columns[int(easting // 100_000) - 1] + rows[int(northing // 100_000) % 20]
    digits = 5 - round(math.log10(side))
    tail = (
        "".join(f"{int(metres % 100_000 // side):0{digits}}" for metres in (easting, northing))
        if digits
        else ""
    )
    return f"{zone:02}{band}{square}{tail}"


def scattered(box, count=600, seed=1):
    """Places by chance in a box, and others on and beside its whole degrees; 180 degrees east is zone 1, on the other side of the globe."""
    west, south, east, north = box
    chance = np.random.default_rng(seed)
    lon, lat = chance.uniform(west, east, count), chance.uniform(south, north, count)
    lon[:60], lat[60:120] = np.round(lon[:60]), np.round(lat[60:120])
    lon[120:180] = np.round(lon[120:180]) + chance.choice([-1e-12, 1e-12, -1e-7, 1e-7], 60)
    lat[180:240] = np.round(lat[180:240]) + chance.choice([-1e-12, 1e-12, -1e-7, 1e-7], 60)
    inside = (lon >= west) & (lon <= east) & (lon < 180) & (lat >= south) & (lat <= north)
    return lon[inside], lat[inside]


@pytest.mark.parametrize(
    ("lat", "lon", "size", "code"),
    [
        (46.565825, 15.354675, 10, "33TWM25"), (46.565825, 15.354675, 1, "33TWM2756"), (52.0, 10.0, 100, "32UNC"),
        (52.0, 10.0, 10, "32UNC66"), (52.0, 10.0, 1, "32UNC6861"), (45.8631, 14.5367, 100, "33TVL"),
        (-79.0, -179.0, 100, "01CDN"), (0.0, 0.0, 1, "31NAA6600"), (-52.0, -10.0, 1, "29FMC3138"),
    ],
)  # fmt: skip
def test_known_answers(lat, lon, size, code):
    """Places that portals publish the reference of lie in the cell of that code, and its column says so."""
    grid = dm.Grid.official((lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01), grid=f"mgrs-{size}km")
    (cell,) = grid.locate([lon], [lat], "EPSG:4326")
    assert (
        grid.codes(np.array([cell]))["mgrsCellCode"].tolist()
        == [code]
        == [reference(lon, lat, 1000 * size)]
    )
    finer = {10: "32UNC68646151", 100: "32UNC686615"}
    assert [utm.places(np.array([10.0]), np.array([52.0]), side).codes()[0] for side in finer] == [
        *finer.values()
    ]


@pytest.mark.parametrize("size", [1, 10, 100])
@pytest.mark.parametrize("where", BORDERS)
def test_every_place_is_in_the_cell_that_its_reference_names(where, size):
    """Across zones, bands, the equator and the exceptions of the north: each place has one cell, by the code that another program writes."""
    west, south, east, north = box = BORDERS[where]
    if size == 1:
        middle = (round((west + east) / 2), round((south + north) / 2))
        box = tuple(max(low, min(high, side)) for low, high, side in zip(
            (west, south, west, south), (east, north, east, north),
            (middle[0] - 0.1, middle[1] - 0.1, middle[0] + 0.1, middle[1] + 0.1), strict=True))  # fmt: skip
    grid = dm.Grid.official(box, grid=f"mgrs-{size}km")
    lon, lat = scattered(box)
    cells = grid.locate(lon, lat, "EPSG:4326")
    codes = grid.codes(np.arange(grid.size))["mgrsCellCode"]
    assert (cells >= 0).all()
    assert codes[cells].tolist() == [
        reference(x, y, 1000 * size) for x, y in zip(lon, lat, strict=True)
    ]
    assert len(set(grid.codes()["mgrsCellCode"])) == grid.cells_inside


def test_places_on_a_border_belong_to_the_east_and_the_north():
    """A place on a meridian or parallel that parts two zones or bands has one cell, that of the zone or band which begins there."""
    grid = dm.Grid.official(BORDERS["Germany and Austria, at 12 E and 48 N"], grid="mgrs-10km")
    lon, lat = np.array([12.0, 12.0, 12.5]), np.array([47.5, 48.0, 48.0])
    assert [grid.names[cell][:3] for cell in grid.locate(lon, lat)] == ["33T", "33U", "33U"]
    assert grid.locate([np.nan, np.inf, 12.1], [47.5, 47.5, 85.0]).tolist() == [-1, -1, -1]
    assert grid.locate([1e300, -500.0], [47.5, 47.5]).tolist() == [-1, -1]


@pytest.mark.parametrize("where", BORDERS)
def test_outlines_leave_no_gap_and_overlap_nowhere(where):
    """The outlines of the parts fill the ground: neighbours share the vertices of their sides, and cut cells end on the very border."""
    box = BORDERS[where]
    grid = dm.Grid.official(box, grid="mgrs-10km")
    shapes = grid.polygons()
    assert shapely.is_valid(shapes).all() and not shapely.is_empty(shapes).any()
    assert shapely.union_all(shapes).buffer(1e-9).covers(shapely.box(*box))
    joined = shapely.union_all(shapes).area
    assert abs(shapely.area(shapes).sum() - joined) < 1e-9 * joined
    alike = (
        3 if box[1] > 55 else 2
    )  # where a band has wider zones, a cell's side on a parallel may be that of two beyond it
    zones = np.array([name[:alike] for name in grid.codes()["mgrsCellCode"]])
    for zone in set(zones):
        assert shapely.coverage_is_valid(shapes[zones == zone])
    if isinstance(grid.cells, MgrsCells):
        squares = grid.cells.squares
        for here, (west, south, east, north), _ in utm.parts_of(squares):
            bounds = shapely.bounds(shapes[here])
            assert (bounds >= [west, south, west, south]).all() and (
                bounds <= [east, north, east, north]
            ).all()


def test_an_area_in_one_zone_and_band_has_squares():
    """Where no border cuts a cell, the cells are squares in the zone's own system, and so can be a GeoTIFF; else areas with the same codes."""
    alone = dm.Grid.official((13, 46, 14, 47), grid="mgrs-10km")
    assert (
        alone.kind == "squares"
        and alone.crs == "EPSG:32633"
        and alone.cells.cell == (10_000, 10_000)
    )
    south = dm.Grid.official((37, -3, 38, -1), grid="mgrs-10km")
    assert (
        south.kind == "squares"
        and south.crs == "EPSG:32737"
        and south.codes()["mgrsCellCode"][0][:3] == "37M"
    )
    across = dm.Grid.official((11.5, 46, 14, 47), grid="mgrs-10km")
    assert across.kind == "areas" and across.crs == "EPSG:4326"
    assert set(alone.codes()["mgrsCellCode"]) < set(across.codes()["mgrsCellCode"])
    lon, lat = scattered((13, 46, 14, 47))
    by_squares = alone.codes(np.arange(alone.size))["mgrsCellCode"][
        alone.locate(lon, lat, "EPSG:4326")
    ]
    assert by_squares.tolist() == [across.names[cell] for cell in across.locate(lon, lat)]
    assert across.cell_text == "10 km MGRS" and cell_metres(across) == 10_000


@pytest.mark.parametrize("crs", ["EPSG:25832", "EPSG:3035", "EPSG:3857"])
def test_the_area_may_be_in_any_system(tmp_path, crs):
    """A layer in metres of another system gives the very cells that the same ground in degrees gives."""
    ground = gpd.GeoSeries(
        [shapely.Polygon([(11.3, 47.3), (12.7, 47.5), (12.2, 48.2)])], crs="EPSG:4326"
    ).segmentize(0.001)
    ground.to_crs(crs).to_file(tmp_path / "area.gpkg")
    found = dm.Grid.official(tmp_path / "area.gpkg", grid="mgrs-10km")
    assert found.names == dm.Grid.official(ground.iloc[0], grid="mgrs-10km").names


def test_ground_that_only_touches_a_border_has_no_cell_beyond_it():
    """An area that reaches 12 E in the south, and crosses it in the north alone, has no cells east of 12 E in the south."""
    ground = shapely.union_all([shapely.box(11.5, 46.2, 12, 47), shapely.box(11.5, 47, 12.5, 47.6)])
    grid = dm.Grid.official(ground, grid="mgrs-10km")
    east = np.array([name.startswith("33") for name in grid.names])
    assert east.any() and shapely.bounds(grid.polygons()[east])[:, 1].min() > 46.85
    assert shapely.area(shapely.intersection(grid.polygons(), ground)).min() > 0
    assert {
        name[:2] for name in dm.Grid.official((11.5, 46.2, 12, 47), grid="mgrs-10km").names
    } == {"32"}


def test_countries_on_both_sides_of_the_antimeridian_have_their_cells():
    """Fiji lies in zones 60 and 1; its cells end at 180 degrees on both sides, and none goes around the globe."""
    grid = dm.Grid.official("country:Fiji", grid="mgrs-10km")
    assert {name[:2] for name in grid.names} == {"01", "60"}
    bounds = shapely.bounds(grid.polygons())
    assert (
        (bounds[:, 2] - bounds[:, 0] < 0.2).all() and bounds.max() <= 180 and bounds.min() >= -180
    )
    at = grid.locate([180.0, -180.0, 179.9999999], [-16.5, -16.5, -16.5])
    assert [grid.names[cell] for cell in at] == [
        reference(lon, -16.5, 10_000) for lon in (180, -180, 179.9999999)
    ]


@pytest.mark.parametrize(
    ("area", "grid", "told"),
    [
        ((10, 79, 20, 84.5), "mgrs-10km", "ends at 80 degrees south and 84 degrees north"),
        ((10, -81, 20, -79), "mgrs-10km", "EPSG:3031"),
        ("country:Kenya", "mgrs-1km", "take grid=mgrs-10km or a smaller area"),
        ((175, -18, 185, -16), "mgrs-10km", "crosses the antimeridian"),
        ((10, 47, 11, 48), "mgrs-2km", "no official grid is called 'mgrs-2km'"),
    ],
)
def test_refusals_are_one_line(area, grid, told):
    """Beyond the reach of UTM, across the antimeridian and over too many cells dpmap refuses in one line that says what to take."""
    with pytest.raises(BadInput, match=told) as failed:
        dm.Grid.official(area, grid=grid)
    assert "\n" not in str(failed.value)


def test_a_large_area_of_one_zone_is_not_too_large():
    """Squares of one zone are a raster, so a hundred and thirty thousand of them are fine where as many polygons are refused."""
    grid = dm.Grid.official((12.5, 40.5, 17.5, 44.0), grid="mgrs-1km")
    assert grid.kind == "squares" and grid.cells_inside > 130_000


def test_squares_of_a_zone_have_codes_only_where_no_border_cuts_them():
    """A grid made by --cell and --grid-crs has MGRS codes if it is one; over a border none of its cells has, and advice says what to take."""
    inside = dm.Grid.covering((13, 46, 14, 47), cell="10 km", crs="EPSG:32633")
    assert inside.codes().keys() == {"mgrsCellCode"} and advice(inside) == ""
    assert (
        dm.Grid.covering((13, 46, 13.1, 46.1), cell="100 m", crs="EPSG:32633")
        .codes()["mgrsCellCode"][0]
        .startswith("33TUM")
    )
    for area, crs, cell in (
        ((11.9, 46, 14, 47), "EPSG:32633", "10 km"), ((13, 46, 14, 48.1), "EPSG:32633", "10 km"),
        ((13, 46, 14, 47), "EPSG:32633", "20 km"), ((37, -1, 38, 1), "EPSG:32637", "10 km"), ((13, 46, 14, 47), "EPSG:32632", "10 km"),
        ((7, 73, 8, 74), "EPSG:32632", "10 km"),
    ):  # fmt: skip
        grid = dm.Grid.covering(area, cell=cell, crs=crs)
        assert grid.codes() == {} and "--grid mgrs-10km" in advice(grid)
    shifted = dm.Grid(
        bounds=(505_000, 5_100_000, 525_000, 5_110_000), shape=(1, 2), crs="EPSG:32633"
    )
    assert shifted.codes() == {}
    assert dm.Grid.covering((13, 46, 14, 47), cell="10 km", crs="EPSG:25833").codes() == {}
    masked = dm.Grid(
        bounds=(200_000, 5_100_000, 400_000, 5_110_000),
        shape=(1, 20),
        crs="EPSG:32633",
        mask=np.arange(20)[None] > 9,
    )
    assert len(masked.codes()["mgrsCellCode"]) == 10 and masked.codes(np.array([0]))[
        "mgrsCellCode"
    ].tolist() == [""]


def test_codes_are_never_taken_from_a_claim():
    """A layer of areas that calls its polygons by codes of other squares has names, and no column of codes."""
    boxes = [shapely.box(12, 47, 12.1, 47.1), shapely.box(12.1, 47, 12.2, 47.1)]
    for names in (
        ["33TWM25", "33TWM35"],
        ["99XZZ", "33TWM35"],
        ["33TWM25", "North Moor"],
        ["٣٣TWM25", "33TWM35"],
    ):
        claimed = dm.Grid.areas(gpd.GeoDataFrame({"name": names}, geometry=boxes, crs="EPSG:4326"))
        assert claimed.codes() == {} and claimed.names == tuple(names)
    grid = dm.Grid.official((11.8, 47.2, 12.2, 47.6), grid="mgrs-10km")
    swapped = Areas(grid.cells.shapes[::-1], grid.names)
    assert type(recognise_mgrs(swapped)) is Areas
    assert dm.Grid(cells=Areas(grid.cells.shapes, grid.names), crs="EPSG:25832").codes() == {}


def test_the_cells_are_the_same_from_a_file(tmp_path):
    """A layer of the cells, read again with --by-area, has the codes and places each point as the grid did; so does a pickled grid."""
    grid = dm.Grid.official(BORDERS["Germany and Austria, at 12 E and 48 N"], grid="mgrs-10km")
    grid.to_geodataframe().to_file(tmp_path / "cells.gpkg")
    read = dm.Grid.areas(tmp_path / "cells.gpkg", name="mgrsCellCode")
    lon, lat = scattered(BORDERS["Germany and Austria, at 12 E and 48 N"])
    for again in (read, pickle.loads(pickle.dumps(grid))):
        assert again.codes()["mgrsCellCode"].tolist() == list(grid.names)
        assert again.locate(lon, lat).tolist() == grid.locate(lon, lat).tolist()


def test_every_part_of_the_globe_that_utm_reaches_is_in_one_zone_and_band():
    """The boxes of all zones and bands tile the ground from 80 south to 84 north, and each code is read back as the square it was made of."""
    boxes = {
        (zone, band): around
        for zone in range(1, 61)
        for band in range(20)
        if (around := utm.box(zone, band))
    }
    assert (
        sum((east - west) * (north - south) for west, south, east, north in boxes.values())
        == 360 * 164
    )
    chance = np.random.default_rng(3)
    lon, lat = chance.uniform(-180, 180, 5000), chance.uniform(-80, 84, 5000)
    for side in (10, 1000, 100_000):
        squares = utm.places(lon, lat, side)
        assert (utm.read(tuple(squares.codes().tolist())).keys == squares.keys).all()
        wanted = [reference(x, y, side) for x, y in zip(lon[:1000], lat[:1000], strict=True)]
        assert squares.codes()[:1000].tolist() == wanted
    assert [
        boxes[one, band]
        for one, band in zip(squares.zone.tolist(), squares.band.tolist(), strict=True)
    ]


def test_names_are_in_the_list():
    """The three sizes are among the official grids, and what they are is said in words."""
    assert [find_official_grid(f"mgrs-{size}km").cell for size in (1, 10, 100)] == [
        "1 km",
        "10 km",
        "100 km",
    ]


def test_a_plan_compares_the_sizes_that_fit():
    """Beside MGRS squares of 10 km a plan lays those of 1 and 100 km, and leaves out a size that would be too many polygons."""
    small, large = (10.5, 47, 12.5, 48), (9.5, 46, 14.5, 50)
    for area, names in (
        (small, ["mgrs-1km", "mgrs-10km", "mgrs-100km"]),
        (large, ["mgrs-10km", "mgrs-100km"]),
    ):
        grid = dm.Grid.official(area, grid="mgrs-10km")
        assert [*alternatives(grid, "mgrs-10km", 500_000, area)] == names


def test_a_sensitivity_holds_for_the_smallest_part():
    """A part of a square tells a place more closely than the square does; so a guide's smallest cell is held against it, and the refusal says so."""
    check_sensitivity(dm.Grid.official((13, 46, 14, 47), grid="mgrs-10km"), "nbn-10km")
    with pytest.raises(
        Refused, match="10 km MGRS, the smallest as large as a square of 0.5 km; use cell="
    ):
        check_sensitivity(dm.Grid.official((11.2, 47.2, 12.8, 48.3), grid="mgrs-10km"), "nbn-10km")


@pytest.mark.parametrize("strategy", ["flat", "adaptive"])
def test_a_release_over_a_border_keeps_its_codes(tmp_path, strategy):
    """A map over 12 E and 48 N can be released, saved, opened, asked and exported; each cell has its code again, though none is stored as one."""
    chance = np.random.default_rng(8)
    lon, lat = chance.normal(12, 0.2, 900), chance.normal(48, 0.2, 900)
    rows = [f"p{i % 90},{x:.6f},{y:.6f}" for i, (x, y) in enumerate(zip(lon, lat, strict=True))]
    (tmp_path / "s.csv").write_text("\n".join(["who,lon,lat", *rows]))
    grid = dm.Grid.official((11.7, 47.7, 12.3, 48.3), grid="mgrs-10km")
    policy = dm.Policy(epsilon=20, unit="who", cap=10)
    made = dm.release(
        dm.read(tmp_path / "s.csv"),
        grid,
        policy,
        ledger=tmp_path / "l.ledger",
        dataset="Owls",
        budget=20,
        strategy=strategy,
    )
    made.save(tmp_path / "m.dpmap")
    opened = dm.open(tmp_path / "m.dpmap")
    assert opened.grid.kind == "areas" and opened.grid.codes()["mgrsCellCode"].tolist() == list(
        grid.names
    )
    frame = opened.to_geodataframe()
    assert frame["mgrsCellCode"].tolist() == list(grid.names)
    fullest = frame.loc[frame["estimate"].idxmax(), "geometry"]
    assert shapely.distance(fullest, shapely.Point(12, 48)) < 0.4
    assert opened.to_xarray()["mgrsCellCode"].values.tolist() == list(grid.names)
    with zipfile.ZipFile(tmp_path / "m.dpmap") as saved:
        told = b"".join(saved.read(name) for name in saved.namelist() if name.endswith(".json"))
    assert b"mgrsCellCode" not in told
    assert (
        abs(
            float(opened.ask(shapely.box(11, 47, 13, 49))["estimate"].iloc[0])
            - (grid.locate(lon, lat) >= 0).sum()
        )
        < 60
    )
