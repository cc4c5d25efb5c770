"""Reports added up: true on average, with intervals that hold, whatever lines come in; and said plainly what they are."""

import json
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
import yaml
from builders import surveys
from builders.pages import OVERLAPS, Watch, axe_faults, launched
from jsonschema import Draft7Validator

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference.device_estimates import ReportedEstimate
from dpmap.local.device import Question, randomise
from dpmap.local.reports import aggregate, lines_of
from dpmap.noise.theory import binomials_at_least
from dpmap.record import Reports
from dpmap.record.release_file import read_record, write_record
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data_samples"


def grid(rows=4, columns=5):
    return dm.Grid(bounds=(0, 50, columns, 50 + rows), shape=(rows, columns), crs="EPSG:4326")


def question(epsilon="2", **shape):
    return dm.local.ask(grid(**shape), epsilon, title="Owls 2026", text="Where did you hear one?")


def reports(truth, epsilon, draw):
    """Reports of volunteers by their true answers, drawn by the stated law from a generator with a seed."""
    cells = len(truth) - 1
    asked = Question(
        "t",
        "w",
        "0" * 32,
        Fraction(epsilon),
        dm.local.ask(grid(1, cells), epsilon, title="t", text="w").mechanism,
        cells,
    )
    p, q, count = float(asked.truth), float(asked.other), int(truth.sum())
    if asked.mechanism == "oue":
        support = draw.binomial(truth, p) + draw.binomial(count - truth, q)
    else:
        law = np.full((cells + 1, cells + 1), q)
        np.fill_diagonal(law, 1 - cells * q)
        support = sum(draw.multinomial(number, row) for number, row in zip(truth, law, strict=True))
    return Reports(Partition.cells(grid(1, cells)), support[:-1], count=count, elsewhere=int(support[-1]), epsilon=asked.epsilon,
                   mechanism=asked.mechanism, truth=asked.truth, other=asked.other)  # fmt: skip


CASES = {
    "unary": ("1", np.array([0, 0, 3, 50, 400, 1, 0, 20, 700, 5, 0, 0, 321])),
    "response": ("4", np.array([0, 1, 5, 60, 200, 0, 34])),
}


def test_two_binomials_added_have_their_exact_tail():
    """The tail of a sum of two binomials is that of the full table of its outcomes, and never smaller."""
    (n, a), (m, b) = (7, Fraction(3, 10)), (11, Fraction(1, 8))
    exact = {}
    for x in range(n + 1):
        for y in range(m + 1):
            chance = comb(n, x) * a**x * (1 - a) ** (n - x) * comb(m, y) * b**y * (1 - b) ** (m - y)
            exact[x + y] = exact.get(x + y, 0) + chance
    found = binomials_at_least(np.arange(n + m + 2), (n, float(a)), (m, float(b)))
    for least, chance in enumerate(found):
        true = float(sum(value for total, value in exact.items() if total >= least))
        assert true <= chance + 1e-17 or chance == pytest.approx(true, rel=1e-12)
        assert chance == pytest.approx(true, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_estimates_are_true_on_average(case):
    """Where support is as its mean says, the unbiased estimates are the true numbers to the digit."""
    epsilon, truth = CASES[case]
    made = reports(truth, epsilon, np.random.default_rng(1))
    p, q = made.truth, made.other
    expected = [number * p + (made.count - number) * q for number in truth.tolist()]
    assert [(s - made.count * q) / (p - q) for s in expected] == truth.tolist()
    draws = np.array(
        [reports(truth, epsilon, np.random.default_rng(seed)).values for seed in range(400)]
    )
    spread = draws.std(axis=0) / 20
    assert (np.abs(draws.mean(axis=0) - truth[:-1]) < 6 * spread).all()


@pytest.mark.parametrize("case", CASES)
def test_intervals_hold_the_truth_as_often_as_they_say(case):
    """At 90 %, of each cell and of zones, whether whole or with cells that are cut."""
    epsilon, truth = CASES[case]
    held = {"cell": [], "zone": [], "cut": []}
    whole = np.zeros((1, len(truth) - 1), bool)
    whole[0, 1:4] = True
    wider = whole.copy()
    wider[0, 4] = True
    for seed in range(100):
        found = ReportedEstimate(reports(truth, epsilon, np.random.default_rng(seed)))
        low, high = found.interval(0.9)
        held["cell"].append(((low <= truth[:-1]) & (truth[:-1] <= high)).mean())
        for name, touched, true in (
            ("zone", whole, truth[1:4].sum()),
            ("cut", wider, truth[1:4].sum() + truth[4] // 2),
        ):
            estimate, below, above = found.zone(whole, touched, 0.9)
            assert below <= estimate <= above
            held[name].append(below <= true <= above)
    for name, kept in held.items():
        assert np.mean(kept) > 0.9 - 5 * np.std(kept) / np.sqrt(len(kept)), name


@pytest.mark.parametrize("case", CASES)
def test_an_empty_cell_seldom_stands_out(case):
    """The chance that an empty cell's p-value is at most a level is at most that level."""
    epsilon, truth = CASES[case]
    empty = np.flatnonzero(truth[:-1] == 0)
    found = np.array(
        [
            ReportedEstimate(reports(truth, epsilon, np.random.default_rng(seed))).p_values()[
                0, empty
            ]
            for seed in range(400)
        ]
    )
    for level in (0.5, 0.1, 0.02):
        share = (found <= level).mean()
        assert share <= level + 6 * np.sqrt(level / found.size)


def test_the_map_is_never_negative_and_adds_up():
    """No estimate is below 0, and the cells hold no more volunteers than there were reports."""
    for case in CASES.values():
        made = reports(case[1], case[0], np.random.default_rng(2))
        found = ReportedEstimate(made).values
        assert (found >= 0).all()
        assert found.sum() <= made.count * (1 + 1e-9)


# --- lines --------------------------------------------------------------------------------------------------------


def test_real_reports_become_a_release(tmp_path):
    """What devices send becomes a release that is saved, opened and read like any other."""
    asked = question("4")
    truth = np.r_[np.full(600, 7), np.full(300, 12)]
    lines = [randomise(int(cell), asked) for cell in truth] + [
        randomise(None, asked) for _ in range(100)
    ]
    made = aggregate(lines, asked)
    assert made.record.reports.count == 1000
    assert abs(made.estimate.ravel()[7] - 600) < 200
    made.save(tmp_path / "r.dpmap")
    opened = dm.open(tmp_path / "r.dpmap")
    assert np.array_equal(opened.estimate, made.estimate)
    assert not opened.fresh
    assert statement(opened.record) == statement(made.record)
    assert aggregate(lines[::-1], asked).record.receipt.release_id == made.record.receipt.release_id


def mixed(asked):
    """Lines of every kind: good ones, and all that may come in from strangers."""
    good = [randomise(3, asked) for _ in range(20)]
    plain = json.loads(good[0])
    wrong = [
        "garbage", "[]", "3", "null", '"text"', "{}", "{" * 5000, "[" * 100_000, json.dumps({**plain, "id": "../x"}), json.dumps({**plain, "id": 3}),
        json.dumps({**plain, "answer": None}), json.dumps({**plain, "answer": "!!"}), json.dumps({**plain, "answer": ""}),
        json.dumps({**plain, "answer": -1}), json.dumps({**plain, "answer": True}), json.dumps({**plain, "answer": 10**400}),
        json.dumps({**plain, "answer": [1]}), json.dumps({**plain, "round": None}), '{"answer": 1e999, "id": "' + "0" * 32 + '"}',
        json.dumps({**plain, "answer": "A" * 9999}), "\ud800",
    ]  # fmt: skip
    other = [json.dumps({**plain, "round": "1" * 32})]
    return good, wrong, other


@pytest.mark.parametrize("epsilon", ["1", "4"])
def test_strange_lines_are_left_out_and_counted(epsilon):
    """Damaged lines, other questions' and repeated reports are left out, each kind by its exact number."""
    asked = question(epsilon)
    good, wrong, other = mixed(asked)
    made = aggregate([*wrong, *good, "", *other, *good[:5]], asked)
    assert made.record.about.lines == {
        "counted": 20,
        "other": 1,
        "damaged": len(wrong),
        "repeated": 5,
    }
    assert np.array_equal(made.record.reports.steps, aggregate(good, asked).record.reports.steps)


def test_a_report_that_sets_bits_beyond_its_answers_is_damaged():
    """A report has no room for anything but its answers."""
    asked = question("1")
    line = json.loads(randomise(3, asked))
    import base64

    packed = bytearray(base64.b64decode(line["answer"]))
    packed[-1] |= 1
    line["answer"] = base64.b64encode(packed).decode()
    with pytest.raises(BadInput, match="no line"):
        aggregate([json.dumps(line)], asked)


def test_a_line_without_end_is_not_held(tmp_path):
    """Of a line longer than any report only a part is held; what follows it is read."""
    asked = question("1")
    (tmp_path / "a.jsonl").write_text(
        "x" * 3_000_000 + "\n" + randomise(1, asked) + "\n\n" + randomise(2, asked)
    )
    lines = list(lines_of([tmp_path / "a.jsonl"], asked))
    assert max(map(len, lines)) < 2000
    assert aggregate(lines, asked).record.about.lines == {
        "counted": 2,
        "other": 0,
        "damaged": 1,
        "repeated": 0,
    }


@pytest.mark.parametrize("change", [
    {"count": 0}, {"count": 5}, {"elsewhere": -1}, {"truth": Fraction(9, 10)}, {"other": Fraction(1, 100)}, {"mechanism": "none"},
    {"epsilon": Fraction(1, 2)}, {"truth": Fraction(1, 8)},
])  # fmt: skip
def test_reports_that_cannot_be_are_refused(change):
    """A file whose counts or chances contradict each other is not opened."""
    made = reports(CASES["unary"][1], "1", np.random.default_rng(1))
    named = {
        name: getattr(made, name)
        for name in ("count", "elsewhere", "mechanism", "truth", "other", "epsilon")
    }
    with pytest.raises(BadInput, match="reports"):
        Reports(made.partition, made.steps, **{**named, **change})


def test_a_record_mixes_no_reports_with_other_measurements(tmp_path):
    """Reports stand alone in their record, under the promise that they were made with."""
    asked = question("4")
    record = aggregate([randomise(1, asked) for _ in range(9)], asked).record
    for changed in (
        replace(record, measurements=record.measurements * 2),
        replace(record, policy=dm.Policy(epsilon=1, unit="volunteer", cap=1)),
        replace(record, policy=dm.Policy(epsilon=4, unit="volunteer", cap=2)),
    ):
        write_record(changed, tmp_path / "x.dpmap")
        with pytest.raises(BadInput, match="reports"):
            read_record(tmp_path / "x.dpmap")


# --- what is said and shown ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made():
    asked = dm.local.ask(
        dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km"),
        "3",
        title="Raptors, spring",
        text="Where?",
    )
    return aggregate(
        [randomise(cell, asked) for cell in [30] * 500 + [31] * 200 + [None] * 100], asked
    )


def test_the_statement_says_that_nobody_is_trusted(made):
    """It says that answers were randomised on the device, the guarantee, what is not hidden, and that no ledger is needed."""
    told = statement(made.record)
    for words in (
        "randomised on each volunteer's own device before it was sent", "no trusted curator", "**what one volunteer answered**",
        "e^epsilon = 20.1", "against whoever collected the reports", "No ledger is needed", "800 reports were added up",
        "honest reports from false ones", "sent a report, when", "times less: that is the price",
    ):  # fmt: skip
        assert words in told
    assert "scale" not in told
    assert "randomised on each volunteer's own device" in map_statement(made.record).provenance()


def test_the_registry_form_names_the_local_model(made):
    """`privacy.yaml` keeps to the registry's schema and says Local."""
    plain = yaml.safe_load(privacy_yaml(made.record))
    schema = yaml.safe_load(
        (ROOT / "tests" / "schemas" / "deployments-schema.yaml").read_text("utf-8")
    )
    assert not list(Draft7Validator(schema).iter_errors(plain))
    assert plain["deployment"]["deployment_model"]["model_name"] == "Local"


def test_what_has_no_proof_for_reports_is_refused(made):
    """Hot spots are proved for a curator's noise only; one line says so."""
    with pytest.raises(BadInput, match="hotspots"):
        made.hotspots()
    with pytest.raises(BadInput, match="reports"):
        _ = made.measurements[0].scale


def test_it_is_written_in_every_form(made, tmp_path):
    """Pictures, layers and tables are made of it as of any release, and zones are answered."""
    for name in ("map.png", "map.html", "cells.gpkg", "map.tif", "cells.parquet", "cells.csv", "cells.geojson", "map.nc",
                 "statement.md", "privacy.yaml"):  # fmt: skip
        assert made.write(tmp_path / name)
    answers = made.ask(SAMPLES / "districts.gpkg")
    assert (answers["low"] <= answers["high"]).all()
    frame = made.to_geodataframe()
    assert frame["noisy"].min() < 0 <= frame["estimate"].min()


def test_the_page_shows_it_without_what_needs_a_curators_noise(made, tmp_path):
    """The interactive map draws it, says where it comes from, and offers no hot spots, which have no proof here."""
    made.draw(tmp_path / "map.html")
    with launched() as browser:
        watch = Watch(browser)
        shown = watch.open(tmp_path / "map.html")
        assert shown.locator("input[name=dp-layer]").count() == 4
        assert shown.is_hidden("#dp-hot")
        shown.evaluate("document.getElementById('dp-about').open = true")
        assert "randomised on a volunteer's own device" in shown.inner_text("#dp-about")
        assert "Totals are capped" not in shown.inner_text("#dp-about")
        assert not shown.evaluate(OVERLAPS)
        assert not axe_faults(shown)
        assert not watch.complaints
        assert not watch.outside
        watch.close()


@pytest.mark.parametrize("epsilon", ["1", "5"])
def test_the_page_answers_about_project_areas_as_the_library_does(tmp_path, epsilon):
    """Totals of areas, with whole and with cut cells, have the same bounds on the page as from `release.ask`, to a volunteer."""
    place = dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km")
    truth = np.random.default_rng(6).integers(0, 40, place.cells_inside + 1)
    drawn = reports(truth, epsilon, np.random.default_rng(7))
    asked = dm.local.ask(place, epsilon, title="t", text="w")
    assert (asked.mechanism, asked.other) == (drawn.mechanism, drawn.other)
    found = aggregate([randomise(0, asked)], asked).record
    moved = Reports(
        Partition.cells(place),
        drawn.steps,
        **{name: getattr(drawn, name) for name in (*Reports.__slots__, "epsilon")},
    )
    release = Release(replace(found, measurements=(moved,)))
    release.draw(tmp_path / "map.html")
    script = "(rings) => { const { found } = dpmap.page.areas.zones.total(rings); return found; }"
    with launched() as browser:
        watch = Watch(browser)
        shown = watch.open(tmp_path / "map.html")
        for west, south, east, north in (
            (-2.2, 40.3, -1.3, 40.8),
            (-1.9, 40.4, -1.75, 40.45),
            (-3, 40, 0, 42),
            (-1.8, 40.5, -1.2, 40.6),
        ):
            ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
            told = shown.evaluate(script, [ring])
            answer = release.ask((west, south, east, north)).iloc[0]
            assert abs(told["low"] - answer["low"]) <= 1
            assert abs(told["high"] - answer["high"]) <= 1
            assert told["estimate"] == pytest.approx(answer["estimate"], rel=1e-3, abs=1)
        assert not watch.complaints
        watch.close()


def test_no_ledger_is_asked_about_it(made, tmp_path, capsys):
    """`dpmap ledger --against` such a release says in one line that no ledger pays for it."""
    made.save(tmp_path / "r.dpmap")
    surveys.released(["ana,0.5,50.5"], tmp_path)
    capsys.readouterr()
    assert run(["ledger", str(tmp_path / "x.ledger"), "--against", str(tmp_path / "r.dpmap")]) == 2
    assert "no ledger pays for" in capsys.readouterr().err


def test_the_whole_way_on_the_command_line(tmp_path, monkeypatch, capsys):
    """From a question to a folder with everything in it; a second time into the same folder is refused."""
    monkeypatch.chdir(tmp_path)
    area = str(SAMPLES / "study_area.gpkg")
    run(
        [
            "local",
            "ask",
            "--area",
            area,
            "--cell",
            "10 km",
            "--epsilon",
            "3",
            "--title",
            "Owls",
            "--to",
            "q.json",
        ]
    )
    asked = dm.local.read_question("q.json")
    Path("a.jsonl").write_text("\n".join(randomise(5, asked) for _ in range(60)))
    Path("b.jsonl").write_text("\n".join(randomise(None, asked) for _ in range(30)) + "\nbroken\n")
    capsys.readouterr()
    words = [
        "local",
        "aggregate",
        "a.jsonl",
        "b.jsonl",
        "--question",
        "q.json",
        "--out",
        "out",
        "--authorised-by",
        "The board",
    ]
    assert run(words) == 0
    assert (
        "90 reports counted; left out: 0 of another question, 1 damaged, 0 repeated"
        in capsys.readouterr().out
    )
    files = {path.name for path in Path("out").iterdir()}
    assert files >= {
        "release.dpmap",
        "statement.md",
        "privacy.yaml",
        "map.png",
        "map.html",
        "cells.gpkg",
        "map.tif",
    }
    assert "The board" in Path("out/statement.md").read_text("utf-8")
    for changed, why in (
        (words, "already holds"),
        (["local", "aggregate", "q.json", "--question", "q.json", "--out", "new"], "no line"),
        (["local", "aggregate", "none.jsonl", "--question", "q.json", "--out", "new"], "cannot be read"),
    ):  # fmt: skip
        assert run(changed) == 2
        told = capsys.readouterr().err
        assert why in told
        assert len(told.splitlines()) == 1
    assert not Path("new").exists()
