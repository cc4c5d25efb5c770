"""An area by name: a country of the bundled outlines, or the polygons of a layer that a text column names so."""

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.geography import countries
from dpmap.grid.study_area import read_shapes
from dpmap.steward.planning import plan

GLOBE = pyproj.Geod(ellps="WGS84")
KNOWN = {
    "France": 643_801, "Germany": 357_588, "Switzerland": 41_285, "Lesotho": 30_355, "Mongolia": 1_564_116,
    "Uruguay": 176_215, "Russia": 17_098_246, "Fiji": 18_274, "Brazil": 8_515_767, "New Zealand": 268_021,
}  # fmt: skip
"""Square kilometres, as the countries' own offices and the United Nations state them, overseas parts included."""


def square_km(name):
    """What a country's outline encloses."""
    (shape,), _, _ = read_shapes(f"country:{name}")
    return abs(GLOBE.geometry_area_perimeter(shape)[0]) / 1e6


@pytest.fixture
def districts(tmp_path):
    """A layer of three districts in two regions; the number of one is also the population of another."""
    frame = gpd.GeoDataFrame(
        {
            "name": ["North Moor", "South Moor", "Câmara"],
            "region": ["Moors", "Moors", "12"],
            "people": [12, 30, 40],
        },
        geometry=[shapely.box(0, 51, 1, 52), shapely.box(0, 50, 1, 51), shapely.box(2, 50, 3, 51)],
        crs=4326,
    )
    path = tmp_path / "districts.gpkg"
    frame.to_file(path)
    return path


def test_every_country_makes_a_grid():
    """Some hundred squares that hold each of its parts; Antarctica in a polar grid, as the message about poles advises."""
    for name in countries.names():
        crs = "EPSG:3031" if name == "Antarctica" else None
        size = max(0.1, (square_km(name) / 200) ** 0.5)
        grid = dm.Grid.covering(f"country:{name}", cell=f"{size:.6f} km", crs=crs)
        assert 10 < grid.cells_inside < 2000, name
        (shape,), _, _ = read_shapes(f"country:{name}")
        lon, lat = shapely.get_coordinates(shapely.point_on_surface(shape.geoms)).T
        assert (grid.locate(lon, lat, "EPSG:4326") >= 0).all(), name


def test_neighbours_share_a_border_and_no_ground():
    """The outlines are valid, and no two of them overlap by any area."""
    shapes = np.array([read_shapes(f"country:{name}")[0][0] for name in countries.names()])
    assert shapely.is_valid(shapes).all()
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = one < other
    assert pairs.sum() > 300
    assert shapely.area(shapely.intersection(shapes[one[pairs]], shapes[other[pairs]])).max() == 0


@pytest.mark.parametrize(("name", "known"), KNOWN.items())
def test_outlines_are_as_large_as_the_countries(name, known):
    """Within 2 % of what is stated."""
    assert square_km(name) == pytest.approx(known, rel=0.02)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("country:kenya", "Kenya"), ("Country: KE ", "Kenya"), ("country:ken", "Kenya"), ("country:cote d\u2019ivoire", "Côte d'Ivoire"),
        ("country:SAO TOME AND PRINCIPE", "São Tomé and Principe"), ("country:The Gambia", "Gambia"), ("country:AND", "Andorra"),
        ("country:S. Sudan", "South Sudan"), ("country:trinidad & tobago", "Trinidad and Tobago"),
    ],
)  # fmt: skip
def test_a_country_is_found_however_its_name_is_written(written, name):
    """Case, accents, signs and small words do not count; codes of two and of three letters are names too."""
    _, crs, texts = read_shapes(written)
    assert crs == "EPSG:4326" and texts["name"] == [name]


@pytest.mark.parametrize(
    ("area", "words"),
    [
        ("country:Kenia", "did you mean Kenya?"),
        ("country:DR Congo", "did you mean Congo or Democratic Republic of the Congo?"),
        ("country:", "write it in English, like country:Kenya, or its ISO code, like country:KE"),
        ("country:zz\nzz", "no country is named 'zz zz'; write it in English"),
        ("Kenya", 'there is no file Kenya; for the country write --area "country:Kenya"'),
        ("ke", 'for the country write --area "country:Kenya"'),
    ],
)
def test_an_unknown_country_is_answered_with_near_ones(area, words):
    """One line says what is near, or how names are written; a country without its word is told the word."""
    with pytest.raises(BadInput) as caught:
        dm.Grid.covering(area, cell="10 km")
    assert words in caught.value.terminal_line and "\n" not in str(caught.value)


def test_a_name_picks_the_polygons_that_have_it(districts):
    """Any text column counts, whatever the case and the blanks around; a number is no name."""
    for name, box in {
        " north moor ": (0, 51, 1, 52),
        "MOORS": (0, 50, 1, 52),
        "12": (2, 50, 3, 51),
        "Ca\u0302mara": (2, 50, 3, 51),
    }.items():
        for area in (districts, gpd.read_file(districts)):
            assert tuple(shapely.total_bounds(read_shapes(area, name=name)[0])) == box


def test_squares_hexagons_areas_and_plans_take_the_name(districts):
    """Each is of the named polygons only."""
    point = ([0.5, 0.5, 2.5], [51.5, 50.5, 50.5])
    held = {
        "squares": dm.Grid.covering(districts, cell="10 km", name="North Moor"),
        "hexagons": dm.Grid.hexagons(districts, resolution=5, name="North Moor"),
        "areas": dm.Grid.areas(districts, only="North Moor"),
    }
    for grid in held.values():
        assert (grid.locate(*point, "EPSG:4326") >= 0).tolist() == [True, False, False]
    assert dm.Grid.areas(districts, only="Moors").names == ("North Moor", "South Moor")
    made = plan(
        str(districts), dm.Policy(epsilon=1, unit="who", cap=1), units=50, name="North Moor"
    )
    assert (made.grid.locate(*point, "EPSG:4326") >= 0).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("North Moore", "no polygon has 'North Moore' in a text column (did you mean North Moor"),
        ("zzz", "no polygon has 'zzz' in a text column; the layer's text columns are name, region"),
        ("40", "no polygon has '40' in a text column"),
        (" ", "the name is blank"),
    ],
)
def test_a_name_that_no_polygon_has_is_answered_with_near_ones(districts, name, words):
    """One line says what is near, or which columns have names."""
    with pytest.raises(BadInput) as caught:
        dm.Grid.covering(districts, cell="10 km", name=name)
    assert words in caught.value.terminal_line and "\n" not in str(caught.value)


def test_nothing_that_stands_in_a_layer_of_points_is_told(tmp_path):
    """A survey given as the area is refused as such; a name like one in it is not answered with that one."""
    path = tmp_path / "survey.gpkg"
    gpd.GeoDataFrame(
        {"observer": ["Anna Moor"]}, geometry=[shapely.Point(0, 51)], crs=4326
    ).to_file(path)
    with pytest.raises(BadInput, match="polygon") as caught:
        dm.Grid.covering(path, cell="10 km", name="Anna Moore")
    assert "Anna" not in str(caught.value)


@pytest.mark.parametrize("area", ["country:Kenya", (0, 50, 1, 51), shapely.box(0, 50, 1, 51)])
def test_a_name_needs_a_layer(area):
    """A country, a box and a geometry have no text columns."""
    with pytest.raises(BadInput, match="leave name="):
        dm.Grid.covering(area, cell="10 km", name="North Moor")
