"""Official grids: a code says where its cell lies, no other cell has it, and cells that are not the publisher's have none."""

import re

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import official
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.official import FAMILIES, NAMES
from dpmap.grid.official.base import OfficialSquares

SQUARES = {name: one for name, one in NAMES.items() if isinstance(one, OfficialSquares) and one.crs}
REACH = {
    "EPSG:3035": (0, 0, 8_000_000, 7_000_000), "EPSG:27700": (0, 0, 700_000, 1_300_000), "EPSG:29903": (0, 0, 400_000, 500_000),
    "EPSG:2154": (0, 6_000_000, 1_300_000, 7_200_000), "EPSG:4326": (-180, -90, 180, 90),
}  # fmt: skip
"""Where each system's official cells lie: west, south, east and north."""
ALPHABET = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def metres(text):
    """A side as codes write it."""
    return (
        int(text.removesuffix("km")) * 1000 if text.endswith("km") else int(text.removesuffix("m"))
    )


def read_eea(code):
    """The bounds that an EEA code says."""
    size, east, north = re.fullmatch(r"(\d+k?m)E(\d+)N(\d+)", code).groups()
    side = metres(size)
    zeros = re.search("0*$", str(side))[0]
    return int(east + zeros), int(north + zeros), side


def read_eurostat(code):
    """The bounds that a code of Eurostat says."""
    side, north, east = map(int, re.fullmatch(r"CRS3035RES(\d+)mN(-?\d+)E(-?\d+)", code).groups())
    return east, north, side


def read_quarter(code):
    """The bounds that a quarter degree cell says: each letter takes a quarter of what is left."""
    across, lon, up, lat, letters = re.fullmatch(
        r"([EW])(\d{3})([NS])(\d{2})([A-D]*)", code
    ).groups()
    west = int(lon) if across == "E" else -int(lon) - 1
    south = int(lat) if up == "N" else -int(lat) - 1
    side = 1.0
    for letter in letters:
        side /= 2
        west += side * (letter in "BD")
        south += side * (letter in "AB")
    return west, south, side


def read_minutes(code):
    """The bounds that square minutes say, in degrees."""
    number = r"(-?)(\d+)-(\d+)-(\d+)"
    told = re.fullmatch(f"CRS4326RES{number}LON{number}LAT{number}", code).groups()
    side, west, south = (
        (-1 if told[at] else 1)
        * (int(told[at + 1]) + int(told[at + 2]) / 60 + int(told[at + 3]) / 3600)
        for at in (0, 4, 8)
    )
    return west, south, side


def read_reference(code):
    """The bounds that a grid reference says, with one letter in Ireland and two in Great Britain."""
    letters, digits, part = re.fullmatch(r"([A-Z]{1,2})(\d*)([A-Z]{0,2})", code).groups()
    places = [(ALPHABET.index(letter) % 5, 4 - ALPHABET.index(letter) // 5) for letter in letters]
    east, north = (100_000 * place for place in places[-1])
    if len(letters) == 2:
        east, north = east + 500_000 * (places[0][0] - 2), north + 500_000 * (places[0][1] - 1)
    half = len(digits) // 2
    side = 100_000 // 10**half
    if half:
        east, north = east + int(digits[:half]) * side, north + int(digits[half:]) * side
    if len(part) == 2:
        return east + 5000 * (part[1] == "E"), north + 5000 * (part[0] == "N"), 5000
    if part:
        at = "AFKQV BGLRW CHMSX DINTY EJPUZ".split()
        row = next(row for row, letters in enumerate(at) if part in letters)
        return east + 2000 * at[row].index(part), north + 2000 * row, 2000
    return east, north, side


def read_maille(code):
    """The bounds that a maille says: three digits are tens of kilometres, all else kilometres."""
    size, east, north = re.fullmatch(r"(\d+)kmL93E(\d+)N(\d+)", code).groups()
    unit = 10_000 if size == "10" else 1000
    return int(east) * unit, int(north) * unit, int(size) * 1000


READERS = {
    "eeaCellCode": read_eea,
    "euroStatCellCode": read_eurostat,
    "eqdgcCellCode": read_quarter,
    "dmsCellCode": read_minutes,
    "gridReference": read_reference,
    "code_maille": read_maille,
}


def side_of(one):
    """A named grid's side in the unit of its system."""
    return parse_cell(one.cell)[0]


def block(one, column, row, across=1, up=1):
    """Cells of a named grid, from the whole multiples of its side at which their south-west corner lies."""
    side = side_of(one)
    bounds = (column * side, row * side, (column + across) * side, (row + up) * side)
    return dm.Grid(bounds=bounds, shape=(up, across), crs=one.crs)


@settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(SQUARES)), st.floats(0, 1), st.floats(0, 1))
def test_a_code_read_back_says_where_its_cell_lies(name, across, up):
    """A small reader of each publisher's codes, which shares nothing with their writer, finds the cell's own bounds."""
    one = SQUARES[name]
    west, south, east, north = REACH[one.crs]
    side = side_of(one)
    column = round(west / side) + int(across * (round((east - west) / side) - 1))
    row = round(south / side) + int(up * (round((north - south) / side) - 1))
    grid = block(one, column, row)
    found = {name: told.tolist() for name, told in grid.codes().items()}
    assert one.column in found
    for told in set(found) & set(READERS):
        at_west, at_south, at_side = READERS[told](found[told][0])
        assert (at_west, at_south, at_west + at_side, at_south + at_side) == pytest.approx(
            grid.cells.bounds, abs=1e-9 * side
        )


@pytest.mark.parametrize("name", sorted(SQUARES))
def test_no_two_cells_share_a_code(name):
    """Of a block of cells across the origin or the south-west of a system, each has a code of its own, in the order of the cells."""
    one = SQUARES[name]
    west, south, *_ = REACH[one.crs]
    side = side_of(one)
    corner = (-12, -9) if one.crs == "EPSG:4326" else (round(west / side), round(south / side))
    many = block(one, *corner, across=24, up=18)
    told = many.codes()[one.column]
    given = told[told != ""]
    assert len(set(given)) == len(given) > 0
    for place in (0, 23, 17 * 24, 200):
        row, column = divmod(place, 24)
        alone = block(one, corner[0] + column, corner[1] + 17 - row).codes()
        assert alone.get(one.column, [""])[0] == told[place]


@pytest.mark.parametrize("name", sorted(SQUARES))
def test_cells_that_are_not_the_publishers_have_no_code(name):
    """Cells shifted by a third of a side, made 3 % larger, twice as wide as high, or in another system are not called what they are not."""
    one = SQUARES[name]
    side = side_of(one)
    west, south = (
        (10.0, 50.0)
        if one.crs == "EPSG:4326"
        else (300_000.0, 6_500_000.0 if one.crs == "EPSG:2154" else 300_000.0)
    )
    assert (
        one.column
        in dm.Grid(
            bounds=(west, south, west + side, south + side), shape=(1, 1), crs=one.crs
        ).codes()
    )
    elsewhere = "EPSG:4258" if one.crs == "EPSG:4326" else "EPSG:25832"
    for bounds, crs in (
        ((west + side / 3, south, west + side * 4 / 3, south + side), one.crs),
        ((west, south + side / 3, west + side, south + side * 4 / 3), one.crs),
        ((west, south, west + side * 1.03, south + side * 1.03), one.crs),
        ((west, south, west + side * 2, south + side), one.crs),
        ((west, south, west + side, south + side), elsewhere),
    ):
        grid = dm.Grid(bounds=bounds, shape=(1, 1), crs=crs)
        assert grid.codes() == {}
        assert one.column not in grid.to_geodataframe().columns


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_official_grid_is_made_from_its_name_and_an_area(name):
    """A name and a small area are all that is needed; each cell inside has a text in the grid's column."""
    one = NAMES[name]
    lon, lat = {"EPSG:27700": (-1.9, 53.2), "EPSG:29903": (-7.9, 53.4)}.get(
        getattr(one, "crs", ""), (4.1, 46.2)
    )
    grid = dm.Grid.official((lon, lat, lon + 1e-4, lat + 1e-4), grid=name.upper())
    frame = grid.to_geodataframe()
    assert 1 <= len(frame) <= 2000
    assert all(isinstance(told, str) and told for told in frame[one.column])
    assert official.advice(grid) == ""
    assert one.words


@pytest.mark.parametrize(
    ("crs", "cell", "area"),
    [("EPSG:3035", "10 km", (36, -1, 37, 0)), ("EPSG:2154", "10 km", (55.2, -21.4, 55.8, -20.9))],
)
def test_squares_beyond_their_publishers_land_have_no_code(crs, cell, area):
    """Squares of Europe's system in Kenya and of Lambert-93 on La Réunion are nobody's: they have no code, and are told of a grid that fits."""
    grid = dm.Grid.covering(area, cell=cell, crs=crs)
    assert (
        grid.codes() == {} and "beyond" in official.advice(grid) and "qdgc" in official.advice(grid)
    )


def test_cells_outside_the_lettered_squares_have_no_grid_reference():
    """Of cells across the edge of the National Grid those within have a reference, those in the sea beyond an empty text."""
    grid = dm.Grid(bounds=(-10_000, 0, 20_000, 10_000), shape=(1, 3), crs="EPSG:27700")
    assert grid.codes()["gridReference"].tolist() == ["", "SV00", "SV10"]
    beyond = dm.Grid(bounds=(700_000, 0, 720_000, 10_000), shape=(1, 2), crs="EPSG:27700")
    assert beyond.codes() == {}
    assert "gridReference" not in beyond.to_geodataframe()


@pytest.mark.parametrize("crs", ["OGC:CRS84", "epsg:4326", 4326, pyproj.CRS(4326).to_wkt()])
def test_the_ways_to_write_longitude_and_latitude_are_one(crs):
    """A quarter degree cell has its code however WGS 84 is written."""
    grid = dm.Grid.covering((10.01, 52.01, 10.02, 52.02), cell="0.25 deg", crs=crs)
    assert grid.codes()["eqdgcCellCode"].tolist() == ["E010N52CC"]


def test_a_system_written_out_in_full_is_that_system():
    """Cells in the definition of EPSG:3035, as a file may hold it, have the codes of the EEA."""
    text = re.sub(r',\s*ID\["EPSG",3035\]', "", pyproj.CRS(3035).to_wkt())
    grid = dm.Grid(bounds=(4_280_000, 2_670_000, 4_290_000, 2_680_000), shape=(1, 1), crs=text)
    assert grid.codes()["eeaCellCode"].tolist() == ["10kmE428N267"]


@pytest.mark.parametrize(
    ("cell", "crs", "column"),
    [
        ("10 km", "EPSG:3035", "eeaCellCode"),
        ("2 km", "EPSG:27700", "gridReference"),
        ("5 km", "EPSG:2154", "code_maille"),
        ("0.25 deg", None, "eqdgcCellCode"),
        ("5 min", None, "dmsCellCode"),
        ("0.1 deg", None, "dmsCellCode"),
    ],
)
def test_cells_that_happen_to_be_official_have_their_codes(cell, crs, column):
    """`--cell` and `--grid-crs` lead to the same codes as the grid's name, from an area in any system."""
    area = gpd.GeoDataFrame(geometry=[shapely.box(-3.0, 50.6, -2.9, 50.7)], crs="EPSG:4258").to_crs(
        "EPSG:3857"
    )
    grid = dm.Grid.covering(area, cell=cell, crs=crs)
    assert column in grid.codes()
    assert all(grid.codes()[column])


@pytest.mark.parametrize(
    ("bounds", "crs", "suggested"),
    [
        ((4_000_000, 3_000_000, 4_003_000, 3_003_000), "EPSG:3035", "eea-2km"),
        ((4_000_500, 3_000_000, 4_001_500, 3_001_000), "EPSG:3035", "eea-1km"),
        ((300_000, 300_000, 303_000, 303_000), "EPSG:27700", "os-tetrad"),
        ((-10_000, 0, 0, 10_000), "EPSG:27700", "os-hectad"),
        ((200_000, 300_000, 203_000, 303_000), "EPSG:29903", "irish-tetrad"),
        ((200_000, 300_000, 210_000, 310_000), "EPSG:29901", "irish-hectad"),
        ((600_000, 700_000, 610_000, 710_000), "EPSG:2157", "irish-hectad"),
        ((600_000, 6_700_000, 603_000, 6_703_000), "EPSG:2154", "maille-2km"),
        ((600_000, 6_700_000, 610_000, 6_710_000), "EPSG:9794", "maille-10km"),
        ((10, 50, 10.3, 50.3), "EPSG:4326", "qdgc"),
        ((10, 50, 10.25, 50.25), "EPSG:4258", "dms-15min"),
    ],
)
def test_cells_beside_an_official_grid_are_told_what_to_change(bounds, crs, suggested):
    """Cells in an official grid's system, or one near it, that have no code lead to names that there are, in one line."""
    told = official.advice(dm.Grid(bounds=bounds, shape=(1, 1), crs=crs))
    names = re.findall(r"--grid ([a-z0-9-]+)", told.replace("--grid-crs", ""))
    assert suggested in names
    assert set(names) <= set(NAMES)
    assert "\n" not in told
    assert len(told) < 260


def test_nobody_is_told_to_change_cells_far_from_any_official_grid():
    """Equal-area squares, hexagons, areas and squares of another country need no code, so nothing is said of one."""
    area = (-3.0, 50.6, -2.6, 50.9)
    shapes = gpd.GeoDataFrame({"name": ["a"]}, geometry=[shapely.box(*area)], crs="EPSG:27700")
    for grid in (
        dm.Grid.covering(area, cell="1 km"),
        dm.Grid.hexagons(area, resolution=5),
        dm.Grid.areas(shapes.set_crs("EPSG:4326", allow_override=True)),
        dm.Grid.areas(shapes),
        dm.Grid.covering((10, 50, 10.2, 50.2), cell="1 km", crs="EPSG:25832"),
        dm.Grid.official(area, grid="os-hectad"),
    ):
        assert official.advice(grid) == ""


def test_hexagons_by_name_are_hexagons():
    """`h3-7` is the grid of `Grid.hexagons(area, resolution=7)`, with one column of indices."""
    area = (-3.0, 50.6, -2.9, 50.7)
    named, made = dm.Grid.official(area, grid="h3-7"), dm.Grid.hexagons(area, resolution=7)
    assert np.array_equal(named.cells.ids, made.cells.ids)
    assert named.to_geodataframe().columns.tolist() == ["cell", "h3", "geometry"]


@pytest.mark.parametrize(
    "wrong", ["eea-3km", "os-hektad", "", "bng", "qdgc-11", "x" * 500, "maille\n10km"]
)
def test_a_name_that_there_is_not_is_answered_in_one_line(wrong):
    """A wrong name leads to those most like it, and to the families of names; sixty names are not listed."""
    with pytest.raises(BadInput) as refused:
        dm.Grid.official((0, 50, 1, 51), grid=wrong)
    told = refused.value.terminal_line
    assert "\n" not in told
    assert len(told) < 420
    assert told.startswith("--grid: no official grid is called ")
    assert all(family.GRIDS[0].name in told for family in FAMILIES)


def test_one_layer_of_a_file_and_one_name_in_it_are_taken(tmp_path):
    """`--area-layer` and `--area-name` choose the ground of an official grid as of any other, hexagons included."""
    shapes = [shapely.box(-3.0, 50.6, -2.9, 50.7), shapely.box(-1.0, 51.6, -0.9, 51.7)]
    frame = gpd.GeoDataFrame({"name": ["West", "East"]}, geometry=shapes, crs="EPSG:4326")
    frame.to_file(tmp_path / "zones.gpkg", layer="zones")
    for name in ("os-hectad", "h3-5", "pentad"):
        grid = dm.Grid.official(tmp_path / "zones.gpkg", grid=name, layer="zones", name="east")
        west, *_ = grid.to_geodataframe().to_crs("EPSG:4326").total_bounds
        assert west > -1.5


def test_what_is_not_known_of_codes_is_said():
    """Grids whose codes rest on examples alone say so; those with published answers do not."""
    unsure = {name for name, one in NAMES.items() if one.unverified}
    assert unsure == {"maille-1km", "maille-2km"}
