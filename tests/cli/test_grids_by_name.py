"""Official grids by name at every door of the command line, and what is declared to portals and auditors."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from dpmap.cli import run
from dpmap.grid.official import NAMES, sizes

SAMPLES = Path(__file__).parents[2] / "data_samples"
AREA = ["--area", "study_area.gpkg"]
PROMISE = [
    "--unit",
    "observer_id",
    "--epsilon",
    "1",
    "--cap",
    "5",
    "--dataset",
    "Raptors",
    "--budget",
    "3",
]
HOSTILE = ["=HYPERLINK(1)<script>|*_`", "two\nlines\r\n\u202eand more", '\'; DROP TABLE "x"\\']
TOLD = {
    "licence": "CC-BY-4.0",
    "doi": "10.5072/example",
    "reason": "speciesLocation",
    "local-contexts": "71b32571-0176-4627-8e01-4d78818432a7",
    "retention": "two people of the office, until 2036",
    "also-published": ["Atlas of 2019", "records at a portal"],
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to stand in, with the sample survey and its area."""
    for name in ("raptors.csv", "study_area.gpkg"):
        shutil.copy(SAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys, *words: str) -> str:
    """The one line with which a command refuses; nothing else is printed."""
    capsys.readouterr()
    code = run(list(words))
    out, err = capsys.readouterr()
    assert code in (2, 3) and out == "" and err.count("\n") == 1, err
    return err


def done(capsys, *words: str) -> str:
    """What a command prints that does what it is told."""
    capsys.readouterr()
    assert run(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


COMMANDS = {
    "release": ["release", "raptors.csv", "--out", "o", *PROMISE, *AREA],
    "plan": ["plan", "--epsilon", "1", "--cap", "5", *AREA],
    "inspect": ["inspect", "raptors.csv", "--unit", "observer_id", *AREA],
    "init": ["init", "raptors.csv", *AREA],
    "local ask": ["local", "ask", "--to", "q.json", "--title", "t", "--epsilon", "2", *AREA],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_no_grid_has_is_one_line_with_those_that_are_near(here, capsys, command):
    """Every command that takes cells answers a mistyped grid with the name that was meant, and writes nothing."""
    before = sorted(path.name for path in here.iterdir())
    line = refused(capsys, *COMMANDS[command], "--grid", "eea10km")
    assert "--grid: no official grid is called 'eea10km' (did you mean eea-10km" in line
    assert sorted(path.name for path in here.iterdir()) == before


@pytest.mark.parametrize("name", ["x" * 10_000, "eea\n10km", "=1+1<b>", "", "\u202eeea-10km"])
def test_a_hostile_name_of_a_grid_stays_one_line(here, capsys, name):
    """Line breaks, markup and ten thousand characters in the place of a name are told in one short line."""
    assert len(refused(capsys, *COMMANDS["plan"], "--grid", name)) < 2_000


@pytest.mark.parametrize("command", ["release", "plan", "inspect", "local ask"])
@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--cell", "1 km"], "cells: give one of --cell"),
        (["--hexagons", "7"], "cells: give one of --cell"),
        (["--by-area"], "cells: give one of --cell"),
        (["--grid-crs", "EPSG:27700"], "--grid-crs: it is for --cell"),
        (["--bounds", "0,0,1,1", "--shape", "3,3"], "cells: --bounds stands with --shape"),
    ],
)
def test_an_official_grid_beside_another_way_to_say_the_cells_is_one_line(
    here, capsys, command, more, words
):
    """Two ways to say the cells are refused, whichever command they are typed for."""
    assert words in refused(capsys, *COMMANDS[command], "--grid", "eea-10km", *more)


def test_the_size_of_an_official_grid_is_known_without_an_area(here, capsys):
    """`inspect` holds the uncertainty of places against an official grid's cells, as against a size; a name that is none is told there too."""
    (here / "s.csv").write_text("who,lon,lat,off\n" + "a,1,50,700\nb,1,51,9000\n" * 9)
    words = [
        "inspect",
        "s.csv",
        "--unit",
        "who",
        "--x=lon",
        "--y=lat",
        "--crs=EPSG:4326",
        "--uncertainty",
        "off",
        "--json",
    ]
    sized, named = (
        json.loads(done(capsys, *words, *more))
        for more in (["--cell", "1 km"], ["--grid", "eea-1km"])
    )
    assert sized == named and "above_cell_share" in json.dumps(named)
    assert "did you mean eea-1" in refused(capsys, *words[:-1], "--grid", "eea1km")


def test_with_an_official_grid_no_size_is_asked_for(here, capsys):
    """A command that has its grid by name lacks everything else, and no cell size."""
    line = refused(capsys, "release", "raptors.csv", "--grid", "eea-10km")
    assert "--area FILE" in line and "--cell" not in line
    line = refused(capsys, "local", "ask", "--grid", "eea-10km")
    assert "--area FILE" in line and "--cell" not in line
    told = json.loads(done(capsys, "init", "raptors.csv", "--grid", "eea-10km", "--json"))
    assert "area" in told["fill_in"] and "cell" not in told["fill_in"]
    assert "no area" in refused(
        capsys, "plan", "--grid", "eea-10km", "--epsilon", "1", "--cap", "5"
    )


@pytest.mark.deep
def test_a_plan_of_an_official_grid_compares_those_that_are_on_offer(here, capsys):
    """The sizes that a plan compares and recommends are official ones of the same publisher, by the names that are typed."""
    told = json.loads(
        done(
            capsys,
            "plan",
            *AREA,
            "--grid",
            "eurostat-5km",
            "--epsilon",
            "1",
            "--cap",
            "5",
            "--json",
        )
    )
    assert told["grid"]["official"] == "eurostat-5km"
    offered = {one["cell"] for one in told["options"]}
    assert (
        {"eurostat-5km", "eurostat-10km"}
        <= offered
        <= {name for name in NAMES if name.startswith("eurostat")}
    )
    assert re.search(r"eurostat-\d+km", told["advice"])


@pytest.mark.deep
def test_a_plan_that_recommends_the_finest_grid_offers_no_finer_one(here, capsys):
    """Where the smallest cells of a publisher do, the plan does not say that finer ones can be had."""
    words = ["--epsilon", "20", "--cap", "1", "--units", "1000000", "--json"]
    told = json.loads(
        done(capsys, "plan", "--area", "country:Andorra", "--grid", "eurostat-1km", *words)
    )
    assert "Recommended: the official grid eurostat-1km" in told["advice"]
    assert "Finer" not in told["advice"]


def test_the_page_of_a_plan_names_the_official_grids(here, capsys):
    """Whoever reads the plan as a page finds the names there that are typed."""
    done(
        capsys,
        "plan",
        *AREA,
        "--grid",
        "eea-10km",
        "--epsilon",
        "1",
        "--cap",
        "5",
        "--to",
        "plan.html",
    )
    page = (here / "plan.html").read_text()
    assert "cells of eea-10km" in page and "eea-50km" in page


def test_a_size_is_chosen_among_official_grids(here, capsys):
    """`choose --cells` takes official grids by their names, and answers a name that is none with one that is near."""
    words = ["choose", "raptors.csv", *PROMISE, *AREA, "--cells"]
    assert done(capsys, *words, "eea-10km, eea-50km").splitlines()[0] in ("eea-10km", "eea-50km")
    assert "--cells: no official grid is called 'eea-51km' (did you mean eea-5" in refused(
        capsys, *words, "eea-51km,1 km"
    )


def test_a_rule_of_practice_names_the_official_grid_that_keeps_it(here, capsys):
    """Cells that a rule forbids are answered with the smallest cells of the same publisher that it allows."""
    words = [*COMMANDS["release"], "--sensitivity", "nbn-10km"]
    assert "use --grid eea-10km or larger" in refused(capsys, *words, "--grid", "eea-5km")
    line = refused(capsys, *words, "--grid", "h3-6")
    assert "use --grid h3-" in line
    assert not (here / "o").exists()


def test_an_area_of_few_official_cells_is_answered_with_a_finer_grid(here, capsys):
    """A grid far too coarse for its area is refused with the name of the next finer one."""
    line = refused(capsys, *COMMANDS["release"], "--grid", "eea-100km")
    assert "--grid:" in line and "like eea-50km" in line


# --- dpmap.toml ------------------------------------------------------------------------------------------------


def begun(capsys, *words: str) -> dict:
    """What `init` writes with these words, as flags."""
    done(capsys, "init", "raptors.csv", *words)
    return tomllib.loads(Path("dpmap.toml").read_text())


def test_what_auditors_ask_stands_in_every_new_file_of_flags(here, capsys):
    """Both questions are there to be answered, as comments; what is for portals is there once it was said."""
    begun(capsys)
    text = (here / "dpmap.toml").read_text()
    assert (
        '# also-published = ["nothing"]' in text
        and "What else was published of the same data?" in text
    )
    assert (
        "# retention = " in text
        and "Who can reach the survey and the ledger, and for how long?" in text
    )
    assert '# grid = "eea-10km"' in text and "# doi" not in text


def test_what_a_board_asks_stands_in_every_new_file_of_flags(here, capsys):
    """Each declaration of which an attestation says that it is lacking has a line to be filled in."""
    begun(capsys)
    text = (here / "dpmap.toml").read_text()
    for key in ("purpose", "authorised-by", "expires", "licence", "also-published", "retention"):
        assert f"# {key} = " in text


def test_one_way_to_say_the_cells_hides_the_others(here, capsys):
    """A file of flags that has its cells offers no second way, which would be refused beside it."""
    begun(capsys, "--grid", "eea-10km")
    assert "cell =" not in (here / "dpmap.toml").read_text()


def test_each_thing_declared_is_read_back_as_it_was_written(here, capsys):
    """A file of flags carries the grid and every declaration through to the record of the release."""
    words = [
        f"--{key}={one}"
        for key, told in TOLD.items()
        for one in (told if isinstance(told, list) else [told])
    ]
    kept = begun(capsys, *words, "--grid", "eea-10km", *AREA, *PROMISE)
    assert {key: kept[key] for key in TOLD} == TOLD and kept["grid"] == "eea-10km"
    done(capsys, "release")
    found = governance(here / "release")
    assert {key.replace("_", "-"): found[key] for key in found} == TOLD


def governance(folder: Path) -> dict:
    """What a release's record declares of its use."""
    import dpmap as dm

    return dm.open(folder / "release.dpmap").record.about.governance.to_dict()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_declaration_is_carried_as_one_line(here, capsys, text):
    """Markup, formulas and line breaks in a declaration are written down, read back, and harmless on the page of the release."""
    begun(
        capsys,
        f"--retention={text}",
        f"--also-published={text}",
        "--grid",
        "eea-10km",
        *AREA,
        *PROMISE,
    )
    done(capsys, "release")
    found = governance(here / "release")
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    assert (found["retention"], found["also_published"]) == (line, [line])
    assert "<script>|" not in (here / "release" / "map.html").read_text()


@pytest.mark.parametrize("flag", TOLD)
def test_a_declaration_of_ten_thousand_characters_is_one_line_and_nothing_is_written(
    here, capsys, flag
):
    """What no release could carry is refused by `init` already, which then writes no file."""
    assert f"--{flag}: more than" in refused(
        capsys, "init", "raptors.csv", f"--{flag}={'x' * 10_000}"
    )
    assert not (here / "dpmap.toml").exists()


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("name", "column"),
    [("eea-10km", "eeaCellCode"), ("pentad", "dmsCellCode"), ("mgrs-10km", "mgrsCellCode")],
)
def test_a_map_from_init_to_release_on_an_official_grid(here, capsys, name, column):
    """A file of flags with an official grid, filled in by hand, is planned and released, and every cell has its code."""
    begun(capsys, "--grid", name)
    text = (here / "dpmap.toml").read_text()
    for key, value in (
        ("epsilon", "1"),
        ("cap", "5"),
        ("budget", "3"),
        ("dataset", "R"),
        ("unit", "observer_id"),
        ("area", "study_area.gpkg"),
    ):
        text = re.sub(rf"^# {key} = \S+", f'{key} = "{value}"', text, flags=re.MULTILINE)
    (here / "dpmap.toml").write_text(text)
    assert f"cells of {name}" in done(capsys, "plan", "--config", "dpmap.toml")
    done(capsys, "release")
    import dpmap as dm

    codes = dm.open(here / "release" / "release.dpmap").grid.codes()[column]
    assert len(set(codes)) == len(codes) > 50


# --- families --------------------------------------------------------------------------------------------------


def test_every_official_grid_has_a_family_with_itself_in_it():
    """From each grid one comes to the sizes of its publisher, from fine to coarse, each of them once."""
    for name in NAMES:
        family = sizes.family(name)
        found = [sizes.side(one)[0] for one in family if sizes.side(one)]
        assert name in [one.name for one in family]
        assert all(one.column == NAMES[name].column for one in family)
        assert found == sorted(set(found))


def test_two_ways_to_make_cells_are_named_also_where_one_stands_in_the_file(here, capsys):
    """Whoever types the atlas's grid beside last year's dpmap.toml reads which two flags clash, and that one may stand in the file."""
    done(capsys, "init", "raptors.csv", *AREA, *PROMISE, "--cell", "5 km")
    line = refused(capsys, "plan", "--config", "dpmap.toml", "--grid", "eea-10km")
    assert "here are --cell and --grid, typed or in dpmap.toml: leave out all but one" in line


def test_a_grid_of_another_country_is_refused_before_anything_is_paid(here, capsys):
    """Every command answers hectads asked for in Spain with a grid that reaches there; no ledger, no map and no file is made."""
    before = sorted(path.name for path in here.iterdir())
    for command in COMMANDS.values():
        if command[0] != "init":
            line = refused(capsys, *command, "--grid", "os-hectad")
            assert "outside Great Britain" in line and "take --grid eea-10km" in line
    assert sorted(path.name for path in here.iterdir()) == before


def test_a_year_that_is_typed_twice_is_refused(here, capsys):
    """A table of a map without times is of one year: the second is not taken silently in place of the first."""
    done(capsys, *COMMANDS["release"], "--grid", "eea-10km")
    line = refused(
        capsys,
        "export",
        "o/release.dpmap",
        "--to",
        "c.csv",
        "--as",
        "atlas-csv",
        "--year",
        "2024",
        "--year",
        "2025",
    )
    assert line.startswith("dpmap: --year:") and "give it once" in line
    assert not (here / "c.csv").exists()


def test_a_release_says_in_its_last_lines_what_to_open_and_whom_to_give_what(here, capsys):
    """The first file to open, the board's page and the page for whoever is in the survey are named; the catalogues' files take one line."""
    told = done(capsys, *COMMANDS["release"], "--grid", "eea-10km").splitlines()
    assert told[-2].startswith("open o/map.html first") and told[-1].startswith(
        "for your board print o/attestation.html"
    )
    (catalogues,) = (line for line in told if "metadata" in line)
    assert catalogues.startswith("wrote o/metadata  (6 files for catalogues, ")
