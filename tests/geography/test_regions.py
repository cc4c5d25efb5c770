"""An area by the name of a county, province or state, of the bundled outlines."""

import pyproj
import pytest
import shapely

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.geography import regions
from dpmap.grid.study_area import read_shapes

GLOBE = pyproj.Geod(ellps="WGS84")


@pytest.mark.parametrize(
    ("name", "square_km"),
    [
        ("Dorset", 2_653), ("England", 130_279), ("Scotland", 77_933), ("Bayern", 70_550), ("Toscana", 22_987),
        ("Telangana", 112_077), ("Hokkaido", 78_421), ("Amazonas, Brazil", 1_559_168), ("Cork", 7_457),
    ],
)  # fmt: skip
def test_outlines_are_as_large_as_the_regions(name, square_km):
    """Counties, states and unions of them are as large as their offices state, within 3 %."""
    (shape,), crs, _ = read_shapes(f"region:{name}")
    assert crs == "EPSG:4326"
    assert abs(GLOBE.geometry_area_perimeter(shape)[0]) / 1e6 == pytest.approx(square_km, rel=0.03)


def test_neighbouring_regions_share_a_border_and_no_ground():
    """The outlines are valid, and of all neighbours no two share ground."""
    shapes = regions.read_outlines("regions.npz")
    assert len(shapes) == 4587 and shapely.is_valid(shapes).all()
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = one < other
    assert pairs.sum() > 9_000
    shared = shapely.area(shapely.intersection(shapes[one[pairs]], shapes[other[pairs]]))
    assert shared.max() < 1e-4 and (shared > 1e-9).mean() < 0.001


@pytest.mark.parametrize(
    ("written", "name", "country"),
    [
        ("region:dorset", "Dorset", "United Kingdom"), ("Region: DORSET , GB", "Dorset", "United Kingdom"),
        ("region:Bavaria", "Bayern", "Germany"), ("region:quebec", "Québec", "Canada"),
        ("region:Brittany", "Bretagne", "France"), ("region:US-TX", "Texas", "United States of America"),
        ("region:London", "Greater London", "United Kingdom"),
    ],
)  # fmt: skip
def test_a_region_is_found_in_its_own_language_in_english_and_by_code(written, name, country):
    """Case and accents do not count; the country may follow."""
    _, _, texts = read_shapes(written)
    assert (texts["name"], texts["country"]) == ([name], [country])


def test_a_county_holds_the_towns_that_left_it():
    """Bournemouth and Southampton lie in Dorset and Hampshire."""
    for county, lon, lat in (("Dorset", -1.88, 50.74), ("Hampshire", -1.40, 50.92)):
        grid = dm.Grid.covering(f"region:{county}", cell="5 km")
        assert grid.locate(lon, lat, "EPSG:4326") >= 0


@pytest.mark.parametrize(
    ("area", "words"),
    [
        ("region:Amazonas", '"region:Amazonas, Brazil" or "region:Amazonas, Colombia"'),
        ("region:Dorsett", "did you mean Dorset"),
        ("region:Kenya", '--area "country:Kenya"'),
        ("England", '--area "region:England"'),
        ("dorset", '--area "region:Dorset"'),
        ("country:England", '--area "region:England"'),
        ("region:", "write it like region:Dorset"),
    ],
)
def test_a_name_that_is_no_region_is_answered_with_what_to_type(area, words):
    """One line lists the full forms of a repeated name, or what is near."""
    with pytest.raises(BadInput) as caught:
        dm.Grid.covering(area, cell="10 km")
    assert words in caught.value.terminal_line and "\n" not in str(caught.value)
