"""Flags in groups: each declared once, shown in named panels, the few that are needed first on top."""

import inspect
import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
import shapely
import typer
from builders import surveys

import dpmap as dm
from dpmap.cli import choose, flags, release, run
from dpmap.cli import plan as planning
from dpmap.cli.commands import LISTED, app
from dpmap.cli.flag_groups import FIRST, FIRST_PANEL, LAST_PANEL
from dpmap.cli.reading_flags import ReadingFlags

COMMANDS = typer.main.get_command(app).commands
GROUPS = [one for one in vars(flags).values() if is_dataclass(one)]


def panels(command: str) -> dict[str, list[str]]:
    """The flags of each panel of a command's help, in the order in which they are shown."""
    context = typer.main.get_command(app).make_context("dpmap", [], resilient_parsing=True)
    found: dict[str, list[str]] = {}
    for one in COMMANDS[command].get_params(context):
        if one.param_type_name == "option":
            found.setdefault(one.rich_help_panel or "Options", []).append(one.opts[0])
    return found


@pytest.mark.parametrize("name", LISTED)
def test_the_list_of_commands_says_of_each_what_its_own_help_begins_with(name):
    """`dpmap --help` lists commands without loading them, in words that are theirs."""
    assert COMMANDS[name].name == name
    beginning = inspect.cleandoc(COMMANDS[name].help).split("\n\n")[0]
    assert LISTED[name].help == " ".join(beginning.split())


def test_what_a_first_release_needs_stands_on_top():
    """The first panel of `dpmap release --help` has the eight flags that a first release needs, and no other."""
    found = panels("release")
    assert next(iter(found)) == FIRST_PANEL
    assert found[FIRST_PANEL] == [f"--{name}" for name in FIRST]
    assert len(FIRST) == 8


@pytest.mark.parametrize("command", ["release", "choose", "plan", "inspect", "init"])
def test_every_flag_stands_in_a_named_panel(command):
    """No flag of these commands is left in a heap of options, and help itself comes last."""
    found = panels(command)
    assert "Options" not in found
    assert list(found)[-1] == LAST_PANEL and "--help" in found[LAST_PANEL]


def test_each_flag_of_a_group_is_declared_once():
    """No two groups name the same flag, so that one place says what it means."""
    names = [field.name for group in GROUPS for field in fields(group)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("command", [release.release, choose.choose, planning.plan])
def test_a_command_takes_groups_and_not_dozens_of_flags(command):
    """A command's own signature stays short enough to be read."""
    assert len(inspect.signature(command).parameters) <= 15


# --- what is missing or mistyped -----------------------------------------------------------------------------------


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """A folder to stand in, with a survey of four columns."""
    monkeypatch.chdir(tmp_path)
    surveys.written(
        tmp_path, ["Xanthippe,0.5,50.5,4711"] * 9, "observer,longitude,latitude,seen", "s.csv"
    )
    return tmp_path


def told(capsys, code: int, *words: str) -> str:
    """The one line of a command that ends with this code."""
    capsys.readouterr()
    found = run(list(words))
    out, err = capsys.readouterr()
    assert (found, out, err.count("\n")) == (code, "", 1), err
    assert "Xanthippe" not in err and "4711" not in err
    return err


def test_all_that_a_release_lacks_is_said_at_once(survey, capsys):
    """One line names every flag that is missing, with what to type; what can be told from the format is not asked."""
    line = told(capsys, 2, "release", "s.csv")
    for flag in ("--out NEW_FOLDER", "--dataset NAME", "--epsilon 0.5", "--unit COLUMN", "--cap 5", '--cell "1 km"', "--area FILE", "--budget 3"):  # fmt: skip
        assert flag in line
    assert sorted(path.name for path in survey.iterdir()) == ["s.csv"]
    (survey / "e.txt").write_text(
        "GLOBAL UNIQUE IDENTIFIER\tCOMMON NAME\tOBSERVATION COUNT\tLATITUDE\tLONGITUDE\tOBSERVATION DATE\tOBSERVER ID\t"
        "SAMPLING EVENT IDENTIFIER\n"
    )
    line = told(capsys, 2, "release", "e.txt", "--out", "o")
    assert "--dataset NAME" in line and "--unit" not in line


@pytest.mark.parametrize(
    ("code", "words", "flags"),
    [
        (3, ["plan"], ["--epsilon", "--cap", "--area"]),
        (2, ["choose", "s.csv"], ["--dataset", "--epsilon", "--unit", "--cap", "--among"]),
        (2, ["local", "ask"], ["--to", "--title", "--cell", "--area", "--epsilon"]),
        (2, ["draw"], ["RELEASE", "--to"]),
        (2, ["ask"], ["RELEASE", "ZONES"]),
        (2, ["local", "aggregate"], ["REPORTS", "--question", "--out"]),
        (3, ["release", "s.csv", "--out=o", "--dataset=d", "--cell=1 km", "--area=a", "--budget=1"], ["--epsilon", "--cap", "--unit"]),
    ],
)  # fmt: skip
def test_all_that_any_command_lacks_is_said_at_once(survey, capsys, code, words, flags):
    """So does every other command, with the exit code that the first of them alone would have."""
    line = told(capsys, code, *words)
    assert all(flag in line for flag in flags), line


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["release", "s.csv", "--epsilom", "1"], "did you mean --epsilon"),
        (["release", "s.csv", "--Area", "x"], "did you mean --area"),
        (["local", "ask", "--titel", "x"], "did you mean --title"),
        (["relase"], "Did you mean 'release'"),
        (["inspect", "s.csv", "--unit", "obsever"], "did you mean observer?"),
        (["inspect", "s.csv", "--consent", "sen=yes"], "did you mean seen?"),
        (["plan", "--config", "c.toml"], "did you mean epsilon"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(survey, capsys, words, meant):
    """Mistyped flags, commands, columns and keys of dpmap.toml: one line that suggests what is there, and no value of a row."""
    (survey / "c.toml").write_text('epsilom = "1"\n')
    assert meant in told(capsys, 2, *words)


def test_values_are_never_suggested(survey, capsys):
    """Where a file's first line may hold somebody's row, nothing of it is offered as a name."""
    (survey / "h.csv").write_text("4711.5,-3.25,56.1,Xanthippa\n" * 9)
    assert "did you mean" not in told(
        capsys,
        2,
        "inspect",
        "h.csv",
        "--unit",
        "Xanthipp",
        "--x",
        "a",
        "--y",
        "b",
        "--crs=EPSG:4326",
    )


# --- dpmap.toml, the shortest way ----------------------------------------------------------------------------------

ODD = 'a "b" \\ c;\t# d\u00e9 \u202e \U0001f989'


FORMED = {
    "--expires": "2999-12-31", "--grid": "eea-10km", "--licence": "https://example.org/a?b=#c", "--doi": "10.5072/d\u00e9;#",
    "--reason": "speciesLocation", "--local-contexts": "71b32571-0176-4627-8e01-4d78818432a7",
}  # fmt: skip
"""Values of the flags whose form init checks."""


UNWRITTEN = ("out", "resume", "only", "config", "json", "progress")
"""Flags of the answer and of one run, which are no part of what is declared."""


def parsed(*words: str) -> dict:
    """What `dpmap release` understands of these words and of the dpmap.toml it finds."""
    return COMMANDS["release"].make_context("release", list(words)).params


def typed() -> list[str]:
    """Every flag of release but --out and those of its answer, with a value that is hard to write down."""
    words: list[str] = []
    for one in COMMANDS["release"].params:
        flag = one.opts[0]
        if not flag.startswith("--") or one.name in UNWRITTEN:
            continue
        if one.is_flag:
            words.append(flag)
        elif flag in FORMED:
            words += [flag, FORMED[flag]]
        elif one.multiple:
            words += [flag, f"{ODD} {flag}", flag, "two"]
        else:
            words += [
                flag,
                "0"
                if flag == "--hexagons"
                else "7"
                if one.metavar == "INTEGER"
                else f"{ODD} {flag}",
            ]
    return words


def test_every_flag_of_release_comes_back_from_dpmap_toml(survey, capsys, monkeypatch):
    """`dpmap init` writes every flag of release down, and `dpmap release` alone reads each as if it had been typed."""
    plain = dm.read("s.csv")
    monkeypatch.setattr(ReadingFlags, "opened", lambda *args, **named: plain)
    assert run(["init", "s.csv", *typed()]) == 0, capsys.readouterr().err
    assert "now: dpmap release" in capsys.readouterr().out
    asked = parsed("s.csv", "--out", "release", *typed())
    assert parsed() == asked
    (survey / "dpmap.toml").rename(survey / "else.toml")
    assert {**parsed("--config", "else.toml"), "config": None} == asked
    same = [name for name, value in parsed("s.csv").items() if asked[name] == value]
    assert set(same) <= {"survey", *UNWRITTEN}, same


@pytest.mark.usefixtures("survey")
@pytest.mark.parametrize("more", [["--delimiter", ";"], ["--delimiter", "tab"], ["--swap"], ["--x=longitude", "--y=latitude", "--crs=EPSG:27700"]])  # fmt: skip
def test_how_a_survey_is_read_comes_back(more):
    """Separators, axes and CRS that `dpmap init` was told are what `dpmap release` then reads by."""
    mark = {";": ";", "tab": "\t"}.get(more[-1], ",")
    Path("s.csv").write_text(Path("s.csv").read_text().replace(",", mark))
    assert run(["init", "s.csv", *more]) == 0
    context = parsed()
    for name, value in parsed("s.csv", *more).items():
        assert context[name] == value or name in (
            "survey",
            "out",
            "x",
            "y",
            "crs",
            "team",
            "dates",
        ), name


def test_three_commands_from_a_file_to_a_map(survey, capsys):
    """init, a few lines filled in, release: no flag more; what is left to fill in is said."""
    assert (
        run(["init", "s.csv", "--unit", "observer", "--bounds", "0,50,1,51", "--shape", "2,2"]) == 0
    )
    assert (
        "fill in epsilon, cap, dataset, budget, then: dpmap release --out release\n"
        in capsys.readouterr().out
    )
    path = survey / "dpmap.toml"
    text = path.read_text().replace("# epsilon", "epsilon").replace("# cap", "cap")
    path.write_text(text.replace("# budget", "budget").replace("# dataset", "dataset"))
    assert run(["release"]) == 0, capsys.readouterr().err
    assert (survey / "release" / "statement.md").exists()
    assert run(["release", "--out", "another", "--epsilon", "0.1"]) == 0, capsys.readouterr().err
    assert (
        dm.open("another/release.dpmap").policy.epsilon
        == dm.Policy(epsilon="0.1", unit="observer", cap=5).epsilon
    )


def test_a_survey_that_is_named_is_released_by_what_is_typed_alone(survey, capsys):
    """A dpmap.toml that happens to lie in the folder changes nothing where a file is named."""
    (survey / "dpmap.toml").write_text('survey = "s.csv"\nepsilon = "1"\nout = "o"\n')
    assert "--epsilon" in told(capsys, 2, "release", "s.csv")
    (survey / "dpmap.toml").unlink()
    assert "dpmap init" in told(capsys, 2, "release")


# --- answers and progress for programs -----------------------------------------------------------------------------

RELEASE = ["release", "s.csv", "--unit=observer", "--bounds=0,50,1,51", "--shape=2,2", "--epsilon=0.1", "--cap=2", "--dataset=d", "--budget=1"]  # fmt: skip


def answered(capsys, *words: str) -> dict:
    """The one JSON document that a command prints."""
    capsys.readouterr()
    assert run([*words, "--json"]) == 0, capsys.readouterr().err
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_every_command_that_answers_can_answer_in_json(survey, capsys):
    """init, release, ledger, ask, draw, export, choose and merge print one JSON document, of exact numbers as texts, if asked."""
    assert answered(capsys, "init", "s.csv", "--epsilon=1", "--area=a.gpkg", "--out=i.toml") == {
        "wrote": ["i.toml"],
        "fill_in": ["cap", "dataset", "budget", "unit", "cell"],
        "then": "dpmap release --config i.toml --out release",
    }
    made = answered(capsys, *RELEASE, "--out=a")
    assert (
        made["remaining"] == "0.9"
        and made["read_as"]
        and all(Path(one).exists() for one in made["wrote"])
    )
    book = answered(capsys, "ledger", "dpmap.ledger", "--against=a/release.dpmap")
    assert (book["spent"], book["remaining"], book["contains"], len(book["events"])) == (
        "0.1",
        "0.9",
        2,
        3,
    )
    halves = {"here": shapely.box(0, 50, 0.5, 51), "there": shapely.box(0.5, 50, 1, 51)}
    rows = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": shapely.geometry.mapping(half),
        }
        for name, half in halves.items()
    ]
    Path("zones.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": rows}))
    zones = answered(capsys, "ask", "a/release.dpmap", "zones.geojson")["zones"]
    assert [zone["name"] for zone in zones] == ["here", "there"] and zones[0]["low"] <= zones[0][
        "high"
    ]
    assert answered(capsys, "draw", "a/release.dpmap", "--to=m.png") == {"wrote": ["m.png"]}
    assert answered(capsys, "export", "a/release.dpmap", "--to=m.csv")["wrote"][0] == "m.csv"
    pay = ["--unit=observer", "--epsilon=0.1", "--cap=2", "--dataset=d"]
    chosen = answered(capsys, "choose", "s.csv", "--among=zones.geojson", *pay)
    assert chosen["chosen"] in chosen["candidates"]
    assert run([*RELEASE, "--out=b", "--dataset=e", "--ledger=e.ledger"]) == 0
    assert (
        answered(capsys, "merge", "a/release.dpmap", "b/release.dpmap", "--out=both")["maps"] == 2
    )


STEP = re.compile(
    r'\{"step": "[^"\d]+", "fraction": (null|[01]\.\d+), "seconds_left": (null|\d+)\}'
)


@pytest.mark.parametrize(
    "words",
    [
        [*RELEASE, "--out=a"],
        ["inspect", "s.csv", "--unit=observer", "--json"],
        ["plan", "--bounds=0,50,1,51", "--shape=2,2", "--epsilon=1", "--cap=2", "--json"],
        ["selftest", "--only=nonsense"],
    ],
)
def test_progress_for_programs_tells_steps_and_nothing_of_the_survey(survey, capsys, words):
    """With --progress json each line on stderr is an object of a step, a fraction and seconds left: no count, no name."""
    code = run([*words, "--progress=json"])
    lines = capsys.readouterr().err.splitlines()
    if words[0] == "selftest":  # all of it takes minutes; here it only has to know the flag
        assert code == 2 and "no check nonsense" in lines[0]
        return
    assert code == 0 and lines
    assert all(STEP.fullmatch(line) for line in lines), lines
    assert not any("Xanthippe" in line or "observer" in line for line in lines)


def test_progress_is_json_or_nothing(survey, capsys):
    """Another word for --progress is one line that says what there is."""
    assert "--progress" in told(
        capsys,
        2,
        "plan",
        "--bounds=0,50,1,51",
        "--shape=2,2",
        "--epsilon=1",
        "--cap=2",
        "--progress=bar",
    )
