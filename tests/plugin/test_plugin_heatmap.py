"""Private heatmap in QGIS: what the command line would make, from any layer; every mistake is told before anything is spent."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders import plugin
from builders.waiting import LONG, waits_at_step

import dpmap

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data_samples"
INSIDE = Path(__file__).parent / "inside" / "heatmap.py"
SITES, AREA = SAMPLES / "sacred_sites.gpkg", SAMPLES / "sacred_area.gpkg"
SECRET = "Secret Name Not To Be Told"


def ran(home, path, place, what):
    return plugin.inside(
        home, INSIDE, copied(place.parent / f"{place.name} of samples"), place, what, path=path
    )


def copied(folder):
    """Copies the layers: QGIS writes into a GeoPackage's head when it opens one."""
    folder.mkdir()
    for layer in (SITES, AREA):
        shutil.copy(layer, folder)
    return folder


@pytest.fixture(scope="module")
def refused(home, path, tmp_path_factory):
    """What each mistake is answered with."""
    return ran(home, path, tmp_path_factory.mktemp("refused"), "refused")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a blank and an accent in its path."""
    folder = tmp_path_factory.mktemp("ways") / "my maps é"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def ways(home, path, place):
    """Releases of layers of each kind."""
    return ran(home, path, place, "ways")


def typed(*words, **more):
    """Runs the command line."""
    return subprocess.run(
        [sys.executable, "-m", "dpmap", *map(str, words)],
        capture_output=True,
        check=False,
        timeout=LONG,
        **more,
    )


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory):
    """The same map by the command line."""
    folder = tmp_path_factory.mktemp("by hand")
    done = typed(
        "release", SITES, "--layer=visits", f"--area={AREA}", "--cell=50 km", "--unit=site_id", "--cap=5", "--epsilon=0.1", "--consent=consent=yes",
        "--ledger", folder / "l.ledger", "--dataset=Visits", "--budget=100", "--strategy=flat", "--also-published=nothing", "--out", folder / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "out"


def facts(folder, *, read=True):
    """What a statement says, less its moment, its place in a ledger and its own marks."""
    text = (folder / "statement.md").read_text("utf-8")
    text = re.sub(r"\b[0-9a-f]{16,64}\b", "MARK", re.sub(r"[Ee]vent \d+", "event N", text))
    text = re.sub(r"released `[^`]*`|so far: .*", "", text)
    return (
        text
        if read
        else re.sub(
            r"(?m)^- `(read from|chosen by|place)`.*\n|^- The rows were chosen before.*\n", "", text
        )
    )


def test_a_file_layer_gives_the_command_lines_own_map(ways, by_hand, place):
    """Same cells, unit, cap, epsilon, reading and statement; only the noise, the day and the ledger's marks are others."""
    assert ways["file"]["good"], ways["file"]
    assert "Read: the layer's own file" in ways["file"]["info"]
    assert facts(place / "file") == facts(by_hand)
    mine, theirs = (
        dpmap.open(place / "file" / "release.dpmap"),
        dpmap.open(by_hand / "release.dpmap"),
    )
    assert mine.record.about.read_as == theirs.record.about.read_as
    assert mine.estimate.shape == theirs.estimate.shape
    assert sorted(one.name for one in (place / "file").iterdir()) == sorted(
        one.name for one in by_hand.iterdir()
    )


def test_results_name_what_was_made_and_spent(ways, place):
    """A model or a script goes on with the release, its statement, its layers, and what was spent and remains."""
    results = ways["file"]["results"]
    assert results["RELEASE"] == str(place / "file" / "release.dpmap")
    assert Path(results["STATEMENT"]).read_text("utf-8").startswith("# What this map is")
    assert results["CELLS"].endswith("cells.gpkg|layername=cells") and results["PATCHES"].endswith(
        "|layername=patches"
    )
    assert (results["SPENT"], results["REMAINING"], results["EVENT"]) == ("0.1", "99.9", "2")


def test_what_it_costs_and_leaves_is_said_first(ways):
    """Before anything is spent the log says what this map costs and what remains then."""
    first = ways["file"]["info"][0]
    assert (
        first
        == "This map spends epsilon 0.1 for good: 100 remains in the ledger now, 99.9 after it."
    )
    assert ways["memory"]["info"][0].endswith("99.9 remains in the ledger now, 99.8 after it.")


@pytest.mark.parametrize(
    ("way", "chosen"),
    [
        ("memory", "a layer in QGIS's memory"), ("filter", "a filter in QGIS"), ("selection", "a selection in QGIS"),
        ("other CRS", "a layer in QGIS's memory"), ("a folder é '", "a layer in QGIS's memory"),
    ],
)  # fmt: skip
def test_a_layer_without_a_file_of_its_own_gives_the_same_map_and_says_who_chose_its_rows(
    ways, by_hand, place, way, chosen
):
    """Memory, filter, selection, another CRS, an area in memory, hostile names: the statement is the file's, and says what chose the rows."""
    run = ways["hostile name" if "folder" in way else way]
    assert run["good"], run
    assert "Read: rows streamed from the layer" in run["info"]
    text = (place / way / "statement.md").read_text("utf-8")
    assert f"The rows were chosen before dpmap read them, by `{chosen}`" in text
    if "folder" not in way:  # that one has a data set of its own
        assert facts(place / way, read=False) == facts(by_hand, read=False)


def test_a_filters_expression_stands_nowhere(ways, place):
    """A filter may hold a name: neither a file of the release, nor the ledger, nor a message has its text."""
    assert SECRET not in json.dumps(ways)
    for path in [one for one in place.rglob("*") if one.is_file()]:
        assert SECRET.encode() not in path.read_bytes(), path


def test_a_hostile_name_of_a_layer_stands_nowhere(ways, place):
    """A layer called like a flag or like a page's script is no flag, and no word of a page."""
    assert ways["hostile name"]["good"]
    for path in (place / "a folder é '").rglob("*"):
        assert path.is_dir() or b"onerror=alert" not in path.read_bytes(), path
    assert not (place.parent / "x '\"<img src=x onerror=alert(1)>").exists()


def test_each_row_as_a_unit_in_hexagons_of_a_country_with_numbers(ways, place):
    """Numbers may come as numbers or texts, and boxes as words: a script's ways of saying them are understood."""
    run = ways["rows"]
    assert run["good"], run
    about = dpmap.open(place / "rows" / "release.dpmap")
    assert (about.policy.unit, about.policy.cap, str(about.policy.epsilon)) == ("row", 1, "1/10")


def test_a_stream_counts_what_the_file_counts(ways, place):
    """Row by row the stream is the file: same rows, same units, same of each left out and for the same reasons."""
    flags = ["--unit=site_id", "--consent=consent=yes", f"--area={AREA}", "--cell=50 km", "--json"]
    names = (
        "rows",
        "usable",
        "left_out",
        "units",
        "rows_per_unit",
        "histogram",
        "scaled_away",
        "repeated",
        "nobody",
    )
    told = json.loads(typed("inspect", SITES, "--layer=visits", *flags).stdout)
    for name, words in ways["streams"].items():
        with (place / f"{name}.csv.gz").open("rb") as stream:
            done = typed("inspect", *words, *flags, "--", "-", stdin=stream)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert {one: found[one] for one in names} == {one: told[one] for one in names}, name


def test_nothing_is_wrong_with_what_is_right(refused):
    """Inputs that are well pass, numbers as numbers too."""
    for name in (
        "nothing",
        "cap as a number",
        "cap as another number",
        "private cap",
        "epsilon as a number",
        "confirmed",
    ):
        assert refused["told"][name] == "", name


@pytest.mark.parametrize(
    ("mistake", "begins"),
    [
        ("unit", "Unit: say who"), ("two units", "Unit: say who"), ("a field called row", "Unit: a field called row"), ("cap", "Cap: "), ("cap 0", "Cap: "),
        ("epsilon", "Epsilon: "), ("epsilon with a comma", "Epsilon: "), ("budget", "Budget: the ledger does not hold"), ("budget word", "Budget: it must"),
        ("full folder", "Folder: there is something"), ("a release", "Folder: it holds a release"), ("no folder around", "Folder: the folder around"),
        ("temporary folder", "Folder: name a new folder that stays"), ("ledger's folder", "Ledger: its folder"), ("broken ledger", "ledger: broken.ledger is damaged"),
        ("no area", "Area: choose"), ("two areas", "Area: choose"), ("empty area", "Area: the layer holds no polygons"), ("the survey's area", "Area: it is the survey's own"),
        ("no cells", "Cells: "), ("two cells", "Cells: "), ("consent", "Consent: "), ("no such field", "Unit: the layer has no such field"),
        ("lines", "Survey layer: it holds lines or areas"), ("no CRS", "Survey layer: nobody has said"), ("filter", "Survey layer: a filter in QGIS decides"),
        ("selection", "Survey layer: a selection in QGIS decides"), ("limit", "Survey layer: a limit"), ("unsaved", "Survey layer: it holds changes that are not saved"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_line_before_anything_runs(refused, mistake, begins):
    """The dialog says what is wrong and what to do instead, in one line."""
    said = refused["told"][mistake]
    assert said.startswith(begins) and "\n" not in said


def test_a_filter_that_nobody_confirmed_runs_nothing_in_a_model_either(refused):
    """A model asks nobody: the algorithm looks again when it begins. No ledger is begun and no folder is made."""
    late = refused["late"]
    assert not late["good"] and late["errors"][0].startswith(
        "Survey layer: a filter in QGIS decides"
    )
    assert refused["there"] == ["broken.ledger", "full", "made"]


def test_an_error_of_dpmap_begins_with_the_input_that_it_is_about(refused):
    """What dpmap refuses is said with the name that the dialog shows, and without the flag."""
    (error,) = refused["cells"]["errors"]
    assert error.startswith("Square cells, like 1 km or 0.1 deg: ") and "cell: " not in error


def test_a_model_runs_it(home, path, tmp_path):
    """In the modeller an expression comes first: the statement says that the rows were chosen before dpmap read them."""
    made = ran(home, path, tmp_path, "model")
    assert made["good"], made["errors"]
    assert "The rows were chosen before dpmap read them" in made["statement"]


def test_a_run_that_is_cancelled_says_what_was_spent(home, tmp_path):
    """At each step: what the last line says is what ledger and folder hold, and whole releases can be gone on with."""
    code = (
        f"{waits_at_step(tmp_path / 'step')}\nfrom dpmap.cli.entry_point import program\nprogram()"
    )
    waits = plugin.dpmap_at(tmp_path / "waits", code)
    told = ran(home, str(waits.parent), tmp_path, "stopped")
    left = told.pop("left")
    spent = 0
    for name, run in told.items():
        assert not run["good"] and len(run["errors"]) == 1, (name, run)
        line = run["errors"][0]
        if "nothing was spent" in line:
            assert left[name] in (None, []), name
        elif "--resume" in line:
            spent += 1
            assert "release.dpmap" in left[name]
            assert typed("release", "--resume", tmp_path / name).returncode == 0, name
        else:
            spent += 1
            assert "nothing came of it" in line and left[name] in (None, []), name
    book = tmp_path / "the ledger é.ledger"
    events = json.loads(typed("ledger", book, "--json").stdout)["events"] if spent else []
    assert len([one for one in events if one["kind"] == "reserve"]) == spent
    assert (
        "nothing was spent" in told["at once"]["errors"][0]
        and "nothing was spent" in told["reading"]["errors"][0]
    )
    assert "--resume" in told["drawing"]["errors"][0]


def test_without_dpmap_the_answer_is_one_line(home, tmp_path):
    """Where dpmap is not found, the run ends with what to do about it, and without a traceback."""
    given = copied(tmp_path / "given")
    done = plugin.process(
        home, "dpmap:privateheatmap", "", INPUT=f"{given / SITES.name}|layername=visits", AREA=given / AREA.name, CELL="50 km", UNIT="site_id", CAP="5", EPSILON="0.1",
        LEDGER=tmp_path / "l.ledger", DATASET="Visits", BUDGET="1", FOLDER=tmp_path / "out",
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert (
        done.returncode != 0 and "dpmap is not on this machine" in said and "Traceback" not in said
    )
    assert not (tmp_path / "out").exists() and not (tmp_path / "l.ledger").exists()
