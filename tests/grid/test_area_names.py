"""No name of an area is lost: names that repeat are told apart, and that is said before anything is paid."""

import json
import random
import unicodedata
from pathlib import Path

import geopandas
import pytest
import shapely
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.grid import area_names, grid
from dpmap.grid.area_names import AreaNames, name_areas
from dpmap.statement.statement import statement

COUNT = 231
TYPED = (
    "--by-area",
    "--unit",
    "who",
    "--cap",
    "3",
    "--dataset",
    "d",
    "--budget",
    "9",
    "--epsilon",
    "1",
)


def districts(**columns):
    """231 districts with a name each, and other columns."""
    return {"name": [f"District {mark}" for mark in _letters(COUNT)], **columns}


def _letters(count):
    return ["".join(chr(97 + digit) for digit in divmod(number, 26)) for number in range(count)]


def layer(folder, columns):
    """A layer of squares, each with its values of the columns."""
    count = len(next(iter(columns.values())))
    boxes = [shapely.box(number / count, 50, (number + 1) / count, 51) for number in range(count)]
    path = Path(folder) / "areas.gpkg"
    geopandas.GeoDataFrame(columns, geometry=boxes, crs="EPSG:4326").to_file(path)
    return path


def repeated(columns, *places):
    """The same with the first name again at these places."""
    names = list(columns["name"])
    for place in places:
        names[place] = names[0]
    return {**columns, "name": names}


def test_one_name_that_repeats_loses_no_other():
    """Of 231 districts two are called alike: 230 keep their names, and the second gets a number."""
    names = name_areas(repeated(districts(), 7), COUNT).names
    assert names[0] == "District aa" and names[7] == "District aa (2)"
    assert [name for name in names if name not in (names[0], names[7])] == [
        name for place, name in enumerate(districts()["name"]) if place not in (0, 7)
    ]


@pytest.mark.parametrize("first", [True, False])
def test_a_column_that_differs_tells_names_apart(first):
    """ "Halton (Cheshire)": the column beside the name, of words sooner than of codes, wherever it stands."""
    counties = ["Cheshire" if place == 0 else "Durham" for place in range(COUNT)]
    codes = [f"E{place:08}" for place in range(COUNT)]
    extra = {"county": counties, "code": codes} if first else {"code": codes, "county": counties}
    found = name_areas(repeated(districts(**extra), 7), COUNT)
    assert (found.names[0], found.names[7]) == ("District aa (Cheshire)", "District aa (Durham)")
    assert found.names[1] == "District ab" and found.beside == "county" and found.repeated == 2
    assert "'county'" in found.words and found.is_changed


def test_codes_do_not_take_the_place_of_names():
    """A unique code is no reason to lose 230 names, whether a column is called name or not."""
    codes = [f"E{place:08}" for place in range(COUNT)]
    columns = repeated(districts(code=codes), 7)
    assert name_areas(columns, COUNT).column == "name"
    plain = {"LAD23NM": columns["name"], "LAD23CD": codes}
    assert name_areas(plain, COUNT).column == "LAD23NM"
    assert name_areas(plain, COUNT).names[7] == "District aa (E00000007)"


ALIKE = {
    "case": ("Halton", "HALTON"),
    "composed and not": ("Orléans", unicodedata.normalize("NFD", "Orléans")),
    "blanks": ("North  Moor ", "North Moor"),
    "a mark nobody sees": ("Halton", "Hal\u200bton"),
    "sharp s": ("Weißensee", "WEISSENSEE"),
}


@pytest.mark.parametrize("way", ALIKE)
def test_names_that_look_alike_are_told_apart(way):
    """Names that differ by case, by how a letter is composed or by blanks alone would be taken for one."""
    first, second = ALIKE[way]
    names = name_areas({"name": [first, second, "Leeds"]}, 3).names
    assert names[1].endswith("(2)") and names[2] == "Leeds"


@pytest.mark.parametrize("blank", ["", "  ", "None", "nan", "\u200b"])
def test_an_area_without_a_name_is_called_by_its_number(blank):
    """The others keep their names; the count is told."""
    found = name_areas({"name": ["Halton", blank, "Leeds", blank]}, 4)
    assert found.names == ("Halton", "area 2", "Leeds", "area 4")
    assert found.blank == 2 and "2 without a name" in found.words


def test_a_name_that_is_made_is_never_another_areas():
    """Where "Halton (2)", "Halton (Cheshire)" or "area 3" stand in the file already, what is made is called otherwise."""
    names = name_areas({"name": ["Halton", "Halton", "Halton (2)", "", "area 4"]}, 5).names
    assert len(set(names)) == 5 and names[2] == "Halton (2)" and names[4] == "area 4"
    columns = {
        "name": ["Halton", "Halton", "Halton (Cheshire)"],
        "county": ["Cheshire", "Durham", "Durham"],
    }
    names = name_areas(columns, 3).names
    assert len(set(names)) == 3 and names[2] == "Halton (Cheshire)"


@pytest.mark.parametrize("seed", range(60))
def test_names_all_differ_and_none_is_lost(seed):
    """Whatever stands in the columns, all names differ as they are compared, and each begins with what the file calls its area."""
    chance = random.Random(seed)
    count = chance.randint(1, 12)
    words = [
        "Halton",
        "halton",
        "Halton (2)",
        "Halton (x)",
        "",
        "None",
        "Leeds",
        "x",
        "area 1",
        "area 2",
        "Ö",
        "O\u0308",
        "7",
    ]
    columns = {
        key: [chance.choice(words) for _ in range(count)]
        for key in chance.sample(["name", "county", "NAME2", "id"], 3)
    }
    found = name_areas(columns, count)
    assert len({area_names._plain(name) for name in found.names}) == count
    if found.column is not None:
        for name, text in zip(found.names, columns[found.column], strict=True):
            assert area_names._is_blank(text) or name.startswith(" ".join(text.split()))


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        ({"code": ["a1", "a2"], "name": ["x", "y"]}, "name"),
        ({"code": ["a1", "a2"], "label": ["x", "y"]}, "code"),
        ({"id": ["1", "2"], "label": ["x", "y"]}, "label"),
        ({"country_name": ["x", "x", "x"], "code": ["a", "b", "c"]}, "code"),
        ({"country_name": ["x", "x", "y"], "long_name": ["a", "b", "c"]}, "long_name"),
        ({"id": ["1", "2"], "length": ["0.5", "0.7"]}, None),
        ({"kind": ["wood", "wood", "wood"]}, None),
        ({}, None),
    ],
)
def test_which_column_names_the_areas(columns, chosen):
    """As before: the first whose values all differ, preferring one called name; never numbers, and none that says the same of all."""
    count = len(next(iter(columns.values()), [0]))
    assert name_areas(columns, count).column == chosen


def test_a_column_that_is_named_is_used(tmp_path):
    """`name=` chooses the column, and its names are told apart too."""
    path = layer(tmp_path, {"name": ["a", "b", "c"], "old": ["Halton", "Halton", "Leeds"]})
    assert dm.Grid.areas(path, name="old").names == ("Halton (a)", "Halton (b)", "Leeds")


def test_names_are_said_before_anything_is_paid_and_in_the_statement(tmp_path, monkeypatch, capsys):
    """`plan` and `release` say how areas are called where names repeat; the statement, the layers and the file have the names."""
    monkeypatch.chdir(tmp_path)
    surveys.written(tmp_path, surveys.scattered(100, people=30), name="s.csv")
    layer(tmp_path, repeated(districts(), 7))
    assert (
        run(["release", "s.csv", *TYPED, "--area", "areas.gpkg", "--out", "out", "--epsilon", "30"])
        == 2
    )
    assert "areas: named by the column 'name'; 2 that repeat a name" in capsys.readouterr().err
    assert not Path("dpmap.ledger").exists()
    assert run(["plan", "--area", "areas.gpkg", "--by-area", "--epsilon", "1", "--cap", "3"]) == 0
    assert "2 that repeat a name" in capsys.readouterr().err
    assert run(["release", "s.csv", *TYPED, "--area", "areas.gpkg", "--out", "out", "--json"]) == 0
    told = capsys.readouterr()
    assert (
        "named by the column 'name'" in json.loads(told.out)["read_as"]["areas"]
        and "2 that repeat" in told.err
    )
    made = dm.open("out/release.dpmap")
    assert made.grid.names[7] == "District aa (2)"
    assert "named by the column 'name'" in statement(made.record)
    assert list(geopandas.read_file("out/cells.gpkg", layer="cells")["name"]) == list(
        made.grid.names
    )
    assert made.to_geodataframe()["name"].is_unique


# --- planted -------------------------------------------------------------------------------------------------------------


def _numbers_for_all(texts, count, column=None):
    """What dpmap did before: one repeated name, and all are numbers."""
    for key in sorted(texts, key=lambda key: "name" not in key.lower()):
        if len(set(texts[key])) == count:
            return AreaNames(tuple(texts[key]), key)
    return AreaNames(tuple(str(number + 1) for number in range(count)), None)


PLANTED = {"all names become numbers": _numbers_for_all}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_of_names_is_found(fault, monkeypatch, tmp_path):
    """Were names lost again, the tests of every day would say so."""
    monkeypatch.setattr(f"{__name__}.name_areas", PLANTED[fault])
    monkeypatch.setattr(grid, "name_areas", PLANTED[fault])
    with pytest.raises(AssertionError):
        test_one_name_that_repeats_loses_no_other()
    with pytest.raises(AssertionError):
        test_a_column_that_is_named_is_used(tmp_path)
