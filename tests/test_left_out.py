"""Statement, screen and map agree about what the format's own signals left out, whatever the width of the cells."""

import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.statement.statement import statement

HEADS = {
    "iNaturalist": "user_id,longitude,latitude,quality_grade,coordinates_obscured",
    "NBN Atlas": "nbn_atlas_record_id,recorder,longitude,latitude,sensitive",
    "Atlas of Living Australia": "record_id,recorded_by,data_resource_name,decimal_longitude,decimal_latitude,generalisation_in_metres",
}
ROWS = {
    "iNaturalist": ["1,10.5,50.5,research,false", "2,10.5,50.5,research,true"],
    "NBN Atlas": ["n1,Ana,10.5,50.5,", "n2,Bo,10.5,50.5,true"],
    "Atlas of Living Australia": ["r1,Ana,x,10.5,50.5,", "r2,Bo,x,10.5,50.5,8000"],
}
UNITS = {
    "iNaturalist": "user_id",
    "NBN Atlas": "recorder",
    "Atlas of Living Australia": "recorded_by",
}
CELLS = {
    "0.05 degrees": (0.05, {}),
    "0.1 degrees": (0.1, {"NBN Atlas", "Atlas of Living Australia"}),
    "0.2 degrees": (0.2, set(HEADS)),
    "1 degree": (1.0, set(HEADS)),
}
"""How wide cells are, and in which formats the obscured row of `ROWS` counts in them."""


def survey(folder, name):
    return surveys.written(folder, ROWS[name], HEADS[name])


def grid(width):
    side = round(2 / width)
    return dm.Grid(bounds=(10, 50, 12, 52), shape=(side, side), crs="EPSG:4326")


def released(folder, name, cells, **options):
    policy = dm.Policy(epsilon=10**6, unit=UNITS[name], cap=1)
    read = dm.read(survey(folder, name), **options)
    return surveys.released(read, folder, cells, policy, budget=10**9)


def told(record, part):
    return [words for about, words in record.about.read_as if about == part and "obscured" in words]


@pytest.mark.parametrize("width", CELLS)
@pytest.mark.parametrize("name", HEADS)
def test_the_notes_say_what_was_done_with_obscured_records(tmp_path, name, width):
    """Where obscured records count, since the cells are wide enough, the release says so; where they do not, it says that."""
    size, counting = CELLS[width]
    made = released(tmp_path, name, grid(size))
    counted = round(made.estimate.sum()) == 2
    assert counted == (name in counting)
    if name == "Atlas of Living Australia":  # how wide its square is stands in each row
        assert told(made.record, "left out")[0].endswith("in squares wider than the cells")
        return
    said = told(made.record, "counted"), told(made.record, "left out")
    assert bool(said[0]) == counted
    assert bool(said[1]) != counted
    least = {"iNaturalist": "22.26 km", "NBN Atlas": "10 km"}[name]
    assert (
        f"cells are {'at least' if counted else 'narrower than'} {least}" in (said[0] or said[1])[0]
    )
    assert f"- `{'counted' if counted else 'left out'}`: `obscured" in statement(made.record)


@pytest.mark.parametrize(
    ("crs", "cell", "counts"), [("EPSG:3035", 22_000, False), ("EPSG:3035", 22_300, True)]
)
def test_metres_and_hexagons_are_told_by_the_same_width(tmp_path, crs, cell, counts):
    """In a grid in metres, too, the words turn where the map does."""
    cells = dm.Grid.covering((10, 50, 12, 52), cell=f"{cell} m", crs=crs)
    made = released(tmp_path, "iNaturalist", cells)
    assert (round(made.estimate[cells.inside].sum()) == 2) == counts
    assert bool(told(made.record, "counted")) == counts


@pytest.mark.parametrize(("resolution", "counts"), [(4, True), (6, False)])
def test_hexagons_are_as_wide_as_a_square_of_their_size(tmp_path, resolution, counts):
    """In hexagons the words turn where the map does."""
    cells = dm.Grid.hexagons((10, 50, 12, 52), resolution=resolution)
    made = released(tmp_path, "iNaturalist", cells)
    assert (round(made.estimate[cells.inside].sum()) == 2) == counts
    assert bool(told(made.record, "counted")) == counts


def test_signals_that_are_not_honoured_are_not_told(tmp_path):
    """With signals="none" obscured records count in any cell, and nothing is said to be left out."""
    made = released(tmp_path, "iNaturalist", grid(0.05), signals="none")
    assert round(made.estimate.sum()) == 2
    assert not told(made.record, "counted") + told(made.record, "left out")


def test_where_sites_count_no_obscured_record_does(tmp_path):
    """Pairs of a contributor and a site leave obscured records out in cells of any width, and the notes say so."""
    head, *rows = survey(tmp_path, "iNaturalist").read_text().splitlines()
    (tmp_path / "pairs.csv").write_text(
        "\n".join([f"{head},nest", *(f"{row},n{i}" for i, row in enumerate(rows))])
    )
    (tmp_path / "nests.csv").write_text("nest,longitude,latitude\nn0,10.5,50.5\nn1,10.5,50.5\n")
    policy = dm.Policy(epsilon=10**6, unit="user_id", cap=2, site="nest")
    made = dm.release(dm.read(tmp_path / "pairs.csv"), grid(1.0), policy, ledger=tmp_path / "l", dataset="d", budget=10**9,
                      strategy="flat", sites=dm.read(tmp_path / "nests.csv", unit="nest"), confirm_epsilon=True)  # fmt: skip
    assert round(made.estimate.sum()) == 1
    assert told(made.record, "left out") == ["obscured (by coordinates_obscured)"]
    assert not told(made.record, "counted")


@pytest.mark.parametrize("shape", ["40,40", "2,2"])
def test_the_screen_says_what_the_statement_says(tmp_path, capsys, shape):
    """What `dpmap release` prints of obscured records is what stands in the statement beside the map."""
    path = survey(tmp_path, "iNaturalist")
    words = ["release", str(path), "--bounds=10,50,12,52", f"--shape={shape}", "--epsilon=1", "--unit=user_id", "--cap=1",
             "--dataset=d", "--budget=1", f"--out={tmp_path / 'out'}"]  # fmt: skip
    assert run(words) == 0
    said = [
        line.split(":", 1)[1].strip()
        for line in capsys.readouterr().out.splitlines()
        if " obscured" in line
    ]
    text = (tmp_path / "out" / "statement.md").read_text()
    assert said
    assert all(f"`{line}`" in text for line in said)


def test_inspecting_agrees_with_what_it_counts(tmp_path):
    """`inspect` says with a grid or a cell size what that does to obscured records, and without one what it hangs on."""
    read = dm.read(survey(tmp_path, "iNaturalist"))
    fine, coarse, by_size, alone = (
        dm.inspect(read, **options)
        for options in ({"grid": grid(0.05)}, {"grid": grid(1.0)}, {"cell": "30 km"}, {})
    )
    for found, part, usable in (
        (fine, "left out", 1),
        (coarse, "counted", 2),
        (by_size, "counted", 2),
        (alone, "left out", 1),
    ):
        assert found.usable == usable
        assert [about for about, words in found.roles if words.startswith("obscured")] == [part]
    assert dict(alone.roles)["left out"].endswith("where cells are narrower than 22.26 km")
