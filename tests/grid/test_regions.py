"""Counties, provinces and states by their names."""

import numpy as np
import pytest
import shapely

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.geography import countries, regions


def test_a_county_is_an_area_by_its_name():
    """A region lies where it does on the ground, whatever the case and accents of its name."""
    grid = dm.Grid.covering("region:dorset", cell="10 km")
    area = float(grid.square_km[grid.inside].sum())
    assert 2_500 < area < 5_500
    west, south, east, north = shapely.total_bounds(regions.outline("DORSET")[0])
    assert -3 < west < east < -1.6
    assert 50.4 < south < north < 51.2


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("England", "Dorset"),
        ("Andalusia", "Sevilla"),
        ("Catalonia", "Gerona"),
        ("Flanders", "Antwerp"),
    ],
)
def test_what_people_name_is_put_together_of_its_parts(name, parts):
    """A nation or autonomous community holds its counties and provinces."""
    whole = regions.outline(name)[0][0]
    part = regions.outline(parts)[0][0]
    assert shapely.area(shapely.intersection(whole, part)) > 0.999 * shapely.area(part)


def test_of_several_that_are_called_alike_the_country_says_which():
    """A name of several regions is refused in one line that lists how to write each, and each is then found."""
    with pytest.raises(BadInput, match="several regions") as refused:
        regions.outline("Amazonas")
    for country in ("Brazil", "Colombia", "Peru", "Venezuela"):
        full = f"Amazonas, {country}"
        assert f'"region:{full}"' in str(refused.value)
        assert regions.outline(full)[1]["country"] == [country]


def test_every_name_is_found_and_no_ground_is_in_two_regions():
    """Each listed name leads to some land; neighbours share their border."""
    for name in regions.full_names()[::7]:
        assert shapely.area(regions.outline(name)[0][0]) > 0
    shapes = regions._read_regions().shapes
    assert shapely.is_valid(shapes).all()
    first, second = shapely.STRtree(shapes).query(shapes, predicate="overlaps")
    pair = first < second
    shared = shapely.area(shapely.intersection(shapes[first[pair]], shapes[second[pair]]))
    assert float(np.sum(shared)) < 1e-4  # square degrees, of the whole world


@pytest.mark.parametrize("area", ["England", "country:England"])
def test_a_region_that_is_written_otherwise_is_pointed_at(area):
    """Whoever types England without its kind is told how to write it, and not of Greenland."""
    with pytest.raises(BadInput, match="region:England") as refused:
        dm.Grid.covering(area, cell="10 km")
    assert "Greenland" not in str(refused.value)


def test_what_is_typed_leads_to_names_and_each_name_to_land():
    """What is offered while a name is typed is what the field takes; a country comes before a region of its name."""
    assert regions.suggest_lands("dors") == ["Dorset"]
    assert regions.suggest_lands("") == []
    offered = regions.suggest_lands("georgia")
    assert offered[0] == "Georgia"
    assert regions.find_named_land("Georgia") == "country:Georgia"
    assert any(regions.find_named_land(name).startswith("region:Georgia") for name in offered)
    for name in regions.suggest_lands("an", most=40):
        assert regions.find_named_land(name)
    with pytest.raises(BadInput, match="did you mean"):
        regions.find_named_land("Engeland")


def test_a_coarse_outline_says_so():
    """An outline of the package that is coarser than the cells is known to be."""
    assert regions.coarseness_km("region:Dorset") == regions.COARSE_KM
    assert regions.coarseness_km("country:Kenya") == countries.COARSE_KM
    assert regions.coarseness_km("area.gpkg") == 0
