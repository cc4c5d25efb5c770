"""Sizes of cells: minutes and seconds are read, their edges lie on whole seconds, and a map says its size as people write it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid.cell_sizes import edge, parse_cell, parse_metres


@pytest.mark.parametrize(
    ("typed", "degrees"),
    [
        ("5 min", Fraction(1, 12)), ("5min", Fraction(1, 12)), ("1 minute", Fraction(1, 60)), ("2.5 minutes", Fraction(1, 24)),
        ("30 s", Fraction(1, 120)), ("30 sec", Fraction(1, 120)), ("1 second", Fraction(1, 3600)), ("90 Seconds", Fraction(1, 40)),
        ("5 arcmin", Fraction(1, 12)), ("30arcsec", Fraction(1, 120)), ("5\N{PRIME}", Fraction(1, 12)), ("30\N{DOUBLE PRIME}", Fraction(1, 120)),
        ("15 MIN", Fraction(1, 4)), ("0.1 deg", Fraction(1, 10)), ("1\N{DEGREE SIGN}", Fraction(1)),
    ],
)  # fmt: skip
def test_minutes_and_seconds_are_read(typed, degrees):
    """A size in minutes or seconds, however people write the unit, is that share of a degree, to the last digit of a number."""
    assert parse_cell(typed) == (float(degrees), True)
    assert parse_metres(typed) is None


@pytest.mark.parametrize("typed", ["5 m", "5 mi", "5 km", "5 ft"])
def test_lengths_stay_lengths(typed):
    """`5 m` is five metres and `5 mi` five miles: a minute has three letters."""
    size, in_degrees = parse_cell(typed)
    assert not in_degrees
    assert size == {"5 m": 5.0, "5 mi": 8046.72, "5 km": 5000.0, "5 ft": 1.524}[typed]


@pytest.mark.parametrize(
    "typed", ["5'", '30"', "5 mins of arc", "min", "5 hours", "-5 min", "0 s", "nan min", "1e999 s"]
)
def test_what_is_no_size_is_answered_with_one(typed):
    """A mark that means feet as well, a unit of something else or no number at all: the answer shows how sizes are written."""
    with pytest.raises(BadInput) as refused:
        parse_cell(typed)
    assert (
        refused.value.terminal_line
        == 'cell: write a size with its unit, like --cell "1 km", "500 m", "0.1 deg" or "5 min"'
    )


def test_a_number_without_a_unit_is_asked_for_it():
    """Of `5` it is asked whether kilometres, metres, minutes or degrees were meant."""
    with pytest.raises(BadInput, match='"5 km", "5 m", "5 min" or "5 deg"'):
        parse_cell("5")


@settings(max_examples=300, deadline=None, database=None)
@given(
    st.integers(-180 * 3600, 180 * 3600),
    st.sampled_from([1, 6, 30, 60, 150, 300, 360, 600, 720, 900, 1800, 3600]),
)
def test_edges_are_as_exact_as_numbers_are(steps, seconds):
    """The edge that is so many sides from the origin is the number nearest to its true place."""
    steps //= seconds
    assert edge(steps, seconds / 3600, in_degrees=True) == float(Fraction(steps * seconds, 3600))


@pytest.mark.parametrize("cell", ["5 min", "10 min", "30 s", "0.1 deg", "0.05 deg", "0.25 deg"])
@pytest.mark.parametrize(
    "corner", [(10.7, 52.2), (-11.3, -52.9), (-0.4, -0.4), (179.3, 10.1), (-180.0, 60.0)]
)
def test_a_grid_of_minutes_lies_on_whole_seconds(cell, corner):
    """Bounds are the nearest numbers to whole multiples of the size, on both sides of the origin and up to the antimeridian."""
    west, south = corner
    grid = dm.Grid.covering((west, south, west + 0.7, south + 0.7), cell=cell)
    size, unit = cell.split()
    side = Fraction(size) / {"min": 60, "s": 3600, "deg": 1}[unit]
    for bound in grid.cells.bounds:
        steps = round(bound / float(side))
        assert bound == float(steps * side)
    assert grid.cells.bounds[0] <= west + 1e-9
    assert grid.cells.bounds[2] >= west + 0.7 - 1e-9


def test_an_area_that_ends_on_a_minute_has_no_cells_beyond_it():
    """An area drawn on the lines of the grid is covered by just its cells, though five minutes are no decimal of a degree."""
    grid = dm.Grid.covering((10 + 50 / 60, 52 + 5 / 60, 11 + 55 / 60, 52 + 40 / 60), cell="5 min")
    assert grid.shape == (7, 13)
    assert grid.cells_inside == 91


def test_a_point_on_a_whole_minute_is_in_the_cell_east_and_north_of_it():
    """Places written in whole minutes fall in one cell, the one that begins there, whatever their decimals round to."""
    grid = dm.Grid.covering((10, 52, 12, 54), cell="5 min")
    minutes = np.arange(0, 120, 5)
    lon, lat = 10 + minutes / 60, 52 + minutes / 60
    rows, columns = np.divmod(grid.locate(lon, lat), grid.shape[1])
    assert columns.tolist() == list(range(24))
    assert (grid.shape[0] - 1 - rows).tolist() == list(range(24))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("5 min", "5\N{PRIME}"), ("1 min", "1\N{PRIME}"), ("30 s", "30\N{DOUBLE PRIME}"), ("150 s", "2\N{PRIME}30\N{DOUBLE PRIME}"),
        ("10 min", "10\N{PRIME}"), ("80 min", "1\N{DEGREE SIGN}20\N{PRIME}"),
        ("15 min", "0.25\N{DEGREE SIGN}"), ("6 min", "0.1\N{DEGREE SIGN}"), ("0.1 deg", "0.1\N{DEGREE SIGN}"),
        ("0.3 deg", "0.3\N{DEGREE SIGN}"), ("1 deg", "1\N{DEGREE SIGN}"), ("0.123456789 deg", "0.123457\N{DEGREE SIGN}"),
    ],
)  # fmt: skip
def test_a_map_says_its_cell_as_people_write_it(cell, text):
    """Short decimals of a degree are said as such, other whole minutes and seconds as these."""
    assert dm.Grid.covering((10, 52, 12, 54), cell=cell).cell_text == text


def test_minutes_do_not_go_with_a_grid_in_metres():
    """`--cell "5 min"` with a national grid is refused with a size that goes with it."""
    with pytest.raises(BadInput, match='"1 km"'):
        dm.Grid.covering((10, 52, 12, 54), cell="5 min", crs="EPSG:27700")


def test_a_rule_for_sensitive_species_reads_minutes():
    """A rule of 0.1 degree holds cells of 5 minutes to be too small, and says so in minutes."""
    from dpmap.grid.sensitive_species import check_sensitivity

    with pytest.raises(dm.errors.Refused, match="5\N{PRIME}; use grid=dms-10min"):
        check_sensitivity(dm.Grid.covering((10, 52, 12, 54), cell="5 min"), "gbif-2")
    check_sensitivity(dm.Grid.covering((10, 52, 12, 54), cell="6 min"), "gbif-2")
