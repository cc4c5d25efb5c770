"""The page on official grids lists every official grid, its column and a true code."""

import re
from pathlib import Path

import pytest

import dpmap as dm
from dpmap.grid.official import NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "official-grids.md").read_text("utf-8")
TABLE = PAGE.split("| column, and a code in it |")[1].split("\n\n")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()[2:]]
SPANS = re.compile(r"`([a-z0-9]+-)(\d+)`[^`|,]* to `\1(\d+)`")
PLACES = {
    "10kmE428N267": ("eea-10km", 47.168611, 9.508333),
    "CRS3035RES10000mN2670000E4280000": ("eurostat-10km", 47.168611, 9.508333),
    "SJ58": ("os-hectad", 53.36916, -2.69094),
    "C71T": ("irish-tetrad", 54.99451, -6.79750),
    "10kmL93E074N695": ("maille-10km", 49.701, 3.687),
    "1kmL93E742N6946": ("maille-1km", 49.614, 3.586),
    "E015N46AD": ("qdgc", 46.565825, 15.354675),
    "CRS4326RES0-5-0LON10-45-0LAT52-15-0": ("pentad", 52.3, 10.8127),
    "33TWM25": ("mgrs-10km", 46.565825, 15.354675),
    "851fb467fffffff": ("h3-5", 48.8566, 2.3522),
}
"""A grid and a place for each code of the page; of mailles, the middle of the cell."""


def names(text):
    """The names that a row lists, the spans from one to another written out."""
    told = set(re.findall(r"`([^`]+)`", text))
    for begin, first, last in SPANS.findall(text):
        told |= {f"{begin}{number}" for number in range(int(first), int(last) + 1)}
    return told


def test_the_page_lists_every_official_grid():
    """Each name that `--grid` takes stands in the table once, with no other."""
    listed = [name for row in ROWS for name in names(row[1])]
    assert sorted(listed) == sorted(NAMES)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_tells_the_truth(row):
    """The column and the code of a row are those of its grid, and it says so where codes are unverified."""
    column, *_, code = re.findall(r"`([^`]+)`", row[2])
    name, lat, lon = PLACES[code]
    assert name in names(row[1])
    assert {NAMES[one].column for one in names(row[1])} == {column}
    grid = dm.Grid.official((lon - 1e-5, lat - 1e-5, lon + 1e-5, lat + 1e-5), grid=name)
    frame = grid.to_geodataframe()
    at = grid.locate([lon], [lat], crs="EPSG:4326")[0]
    assert frame.loc[frame["cell"] == at, column].tolist() == [code]
    assert {bool(NAMES[one].unverified) for one in names(row[1])} == {"unverified" in row[0]}


def test_the_sizes_of_the_page_are_read():
    """Each size in minutes or seconds that the page shows makes cells with a code."""
    for size in re.findall(r'--cell "(\d+ (?:min|s))"', PAGE):
        assert "dmsCellCode" in dm.Grid.covering((10, 52, 10.1, 52.1), cell=size).codes()


def test_unverified_codes_are_called_so_wherever_they_are_told():
    """The help of `--grid` names the grids whose codes rest on an example, and statements and plans of such a map say it."""
    from dpmap.cli.grid_flags import Gridding
    from dpmap.statement.phrases import official_words

    told = (
        next(one for one in Gridding.__dataclass_fields__.values() if one.name == "official")
        .type.__metadata__[0]
        .help
    )
    unsure = [name for name, one in NAMES.items() if one.unverified]
    assert told.endswith(f"those of {' and '.join(unsure)} are unverified.")
    for name in ("maille-1km", "maille-10km"):
        said = official_words(dm.Grid.official((2.3, 48.8, 2.4, 48.9), grid=name))
        assert ("compare some before you join tables" in said) == (name in unsure)
