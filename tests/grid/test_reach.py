"""An official grid is laid where its publisher has it, and refused elsewhere before anything is paid for."""

import pytest
import shapely

import dpmap as dm
from dpmap.errors import BadInput

SPAIN, ENGLAND, KENYA = (-2, 40, -1, 41), (-2.5, 52, -1, 53), (34, -4, 41, 4)


@pytest.mark.parametrize(
    ("area", "grid", "take"),
    [
        (SPAIN, "os-hectad", "take --grid eea-10km, mgrs-10km or qdgc"),
        (SPAIN, "irish-tetrad", "take --grid eea-2km, mgrs-1km or qdgc"),
        (ENGLAND, "irish-10km", "take --grid os-hectad, eea-10km or qdgc"),
        (KENYA, "eea-10km", "take --grid mgrs-10km or qdgc"),
        (KENYA, "eurostat-10km", "take --grid mgrs-10km or qdgc"),
        ((55.2, -21.4, 55.85, -20.87), "maille-10km", "take --grid mgrs-10km or qdgc"),
        ((15, 85.2, 25, 85.5), "eea-10km", "take --grid qdgc"),
    ],
)
def test_a_grid_of_elsewhere_is_refused_with_one_that_fits(area, grid, take):
    """Squares far from their publisher's land would be distorted or without codes: one line says which grid reaches there."""
    with pytest.raises(BadInput, match="the area lies outside") as caught:
        dm.Grid.official(area, grid=grid)
    told = caught.value.terminal_line
    assert told.endswith(take), told
    for name in told.split("take --grid ")[1].replace(" or ", ", ").split(", "):
        assert len(dm.Grid.official(area, grid=name).codes())


def test_a_part_of_an_area_that_lies_elsewhere_is_noticed():
    """A country with land overseas is refused too, and told that it is a part; the grid that has codes there takes it."""
    mainland_and_guyane = shapely.union_all(
        [shapely.box(0, 45, 1, 46), shapely.box(-54, 3, -53, 4)]
    )
    with pytest.raises(BadInput, match="part of the area lies outside Europe"):
        dm.Grid.official(mainland_and_guyane, grid="eea-50km")
    assert "euroStatCellCode" in dm.Grid.official(mainland_and_guyane, grid="eurostat-10km").codes()


@pytest.mark.parametrize(
    ("area", "grid"),
    [
        ((-31.3, 38, -27, 39.8), "eea-10km"),
        ((-18, 27.6, -13.4, 29.4), "eea-10km"),
        ((43.5, 40, 46.7, 43.5), "eea-50km"),
        ((10, 77, 33, 80.8), "eea-100km"),
        ((-8.7, 54, 1.8, 60.9), "os-100km"),
        ((-10.6, 51.4, -5.4, 55.4), "irish-100km"),
        ((8.5, 41.3, 9.6, 43.1), "maille-10km"),
        (KENYA, "pentad"),
    ],
)
def test_a_grid_reaches_all_its_land(area, grid):
    """The Azores, the Canaries, the Caucasus and Svalbard are in the EEA's squares, Shetland in Britain's, Corsica in France's."""
    assert dm.Grid.official(area, grid=grid).cells_inside
