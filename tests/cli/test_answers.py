"""What programs ask the command line, and what people read: a ledger by its data sets, and what a release file promises."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from builders import records, surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.export import WRITERS
from dpmap.ledger.ledger import Ledger
from dpmap.local.questions import read_question
from dpmap.local.reports import aggregate
from dpmap.releases.merge import merge
from dpmap.releases.release import Release
from dpmap.releases.summary import summarise

SAMPLES = Path(__file__).parents[2] / "data_samples"


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command with --json, which must end well, and returns its answer."""

    def call(*words: object) -> Any:
        capsys.readouterr()
        code = run([*map(str, words), "--json"])
        told = capsys.readouterr()
        assert (code, told.err) == (0, "")
        return json.loads(told.out)

    return call


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and returns its exit code, its answer for people, and its line on stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, words)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


# --- the ledger --------------------------------------------------------------------------------------------------


def paid(
    book: Ledger, dataset: str, epsilon: str, *, made: bool = True, budget: str | None = "3"
) -> None:
    """A reservation, and that what it paid for is there."""
    one = book.reserve(
        dataset=dataset,
        epsilon=Fraction(epsilon),
        budget=None if budget is None else Fraction(budget),
        details={},
    )
    if made:
        book.made(one)


def test_a_ledger_adds_up_each_data_set(tmp_path: Path, asked: Any) -> None:
    """Each data set's spending is an exact text beside how many releases came of it and when the last did."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.1")
    paid(book, "Owls", "0.2")
    paid(book, "Nests", "1/3")
    told = asked("ledger", book.path)
    time = book.events()[3].body["time"]
    assert told["datasets"][0] == {
        "name": "Owls",
        "spent": "0.3",
        "elsewhere": "0",
        "releases": 2,
        "last": time,
        "next": None,
        "units": [],
    }
    assert [(one["name"], one["spent"]) for one in told["datasets"]] == [
        ("Owls", "0.3"),
        ("Nests", "1/3"),
    ]
    assert (told["plan"], told["disjoint"]) == (None, [])


def test_each_event_is_told_with_what_remained_after_it(tmp_path: Path, asked: Any) -> None:
    """What remains falls by each release; of data sets that share nobody, by the dearest only."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "North", "1")
    paid(book, "South", "0.75")
    book.disjoint(["North", "South"], signed_by="R. Keeper")
    paid(book, "South", "0.5")
    left = [one["remaining"] for one in asked("ledger", book.path)["events"]]
    assert left == ["3", "2", "2", "2", "1.25", "1.25", "2", "1.75", "1.75"]


def test_what_was_spent_in_vain_is_no_release(tmp_path: Path, asked: Any) -> None:
    """A reservation of which nothing came counts as spent, not as a release."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.1", made=False)
    (account,) = asked("ledger", book.path)["datasets"]
    assert (account["spent"], account["releases"], account["last"]) == ("0.1", 0, None)


def test_a_plan_is_told_with_what_it_allows_next(tmp_path: Path, asked: Any, said: Any) -> None:
    """A plan is told by its total, its shares and what was used of it; each data set by what its next release may take."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.5")
    book.plan("2", releases=4)
    paid(book, "Owls", "0.3", budget=None)
    told = asked("ledger", book.path)
    assert told["plan"] == {
        "total": "2",
        "releases": 4,
        "scheme": "even",
        "used": "0.3",
        "first": "0.2",
    }
    assert told["datasets"][0]["next"] == "0.7"
    code, out, _ = said("ledger", book.path)
    assert code == 0
    assert "Owls: 2 releases, the last " in out
    assert "; epsilon 0.8; the plan allows 0.7 next" in out


def test_a_plan_that_is_used_up_allows_nothing(tmp_path: Path, asked: Any) -> None:
    """After the last planned release the next may take 0."""
    book = Ledger(tmp_path / "x.ledger")
    book.plan("1", releases=1)
    paid(book, "Owls", "1", budget=None)
    assert asked("ledger", book.path)["datasets"][0]["next"] == "0"


def test_disjoint_data_sets_are_told_with_who_signed(tmp_path: Path, asked: Any) -> None:
    """A declared group is told by its data sets, also those without a release, and who answers for it."""
    book = Ledger(tmp_path / "x.ledger")
    book.disjoint(["North", "South"], signed_by="R. Keeper")
    paid(book, "North", "1")
    told = asked("ledger", book.path)
    assert told["disjoint"] == [{"datasets": ["North", "South"], "signed_by": "R. Keeper"}]
    assert [(one["name"], one["releases"]) for one in told["datasets"]] == [
        ("North", 1),
        ("South", 0),
    ]


# --- what a release promises -------------------------------------------------------------------------------------


def saved(folder: Path, made: Release) -> Path:
    made.save(folder / "release.dpmap")
    return folder / "release.dpmap"


def layered(folder: Path) -> Release:
    rows = [f"{row},{'AB'[at % 2]}" for at, row in enumerate(surveys.scattered(100))]
    kinds = surveys.grid().layered(dm.Kinds("kind", ("A", "B")))
    return surveys.released(surveys.survey(folder, rows, surveys.HEAD + ",kind"), folder, kinds)


def means(folder: Path) -> Release:
    rows = [f"{row},{at % 4 + 1}" for at, row in enumerate(surveys.scattered(100))]
    return surveys.released(
        surveys.survey(folder, rows, surveys.HEAD + ",n", mean="n", between="1,4"), folder
    )


def sparse(folder: Path) -> Release:
    return surveys.released(
        surveys.scattered(100), folder, surveys.grid(shape=(40, 50)), strategy="sparse:5"
    )


def merged(folder: Path) -> Release:
    return merge(
        [
            surveys.released(surveys.scattered(60), folder, dataset=name)
            for name in ("north", "south")
        ]
    )


def reported(folder: Path) -> Release:
    lines = (SAMPLES / "reports.jsonl").read_text("utf-8").splitlines()
    return aggregate(lines, read_question(SAMPLES / "question.json"))


def areas(folder: Path) -> Release:
    return Release(records.case("areas")[0])


def totals(folder: Path) -> Release:
    return surveys.released(surveys.scattered(100), folder)


MADE = {
    "totals": totals,
    "layered": layered,
    "means": means,
    "sparse": sparse,
    "merged": merged,
    "reports": reported,
}


def test_a_release_says_what_it_promises(tmp_path: Path, asked: Any) -> None:
    """Whoever has the file alone reads the promise, in exact texts, who governs the map's use, and when it was made."""
    declared = dict(
        authorised_by="Elders", purpose="planning", expires="2031-12-31", labels=("TK Attribution",)
    )
    policy = dm.Policy(epsilon="0.1", unit="who", cap=3)
    named = {"dataset": "Owls", "governance": dm.Governance(**declared)}
    path = saved(
        tmp_path, surveys.released(surveys.scattered(60), tmp_path, policy=policy, **named)
    )
    told = asked("about", path)
    plain = {
        name: told[name]
        for name in ("kind", "dataset", "unit", "site", "epsilon", "delta", "cap", "cells", "crs")
    }
    assert plain == {
        "kind": "totals", "dataset": "Owls", "unit": "who", "site": None, "epsilon": "0.1", "delta": None, "cap": 3, "cells": 20,
        "crs": "WGS 84",
    }  # fmt: skip
    assert {name: told[name] for name in declared} == {**declared, "labels": ["TK Attribution"]}
    assert told["made"] == dm.open(path).record.released_on
    assert (told["layers"], told["tier"], told["layer_kind"]) == ([], None, "totals")


def test_the_odds_are_those_of_the_statement(tmp_path: Path, asked: Any) -> None:
    """The factors are e^epsilon and e^(2 epsilon), each with the very sentence that the statement has."""
    told = asked("about", saved(tmp_path, totals(tmp_path)))
    factors = {about: one["factor"] for about, one in told["odds"].items()}
    assert factors == pytest.approx({"took_part": 2.71828, "where": 7.38906}, rel=1e-5)
    assert all(f"- {one['words']}\n" in told["statement"] for one in told["odds"].values())


@pytest.mark.parametrize("made", [merged, reported])
def test_odds_of_which_a_statement_says_nothing_are_left_out(tmp_path: Path, made: Any) -> None:
    """A merged map speaks of taking part alone, and a map of devices' reports of what was answered."""
    told = summarise(made(tmp_path).record)
    said = [one["words"] for one in told["odds"].values() if one]
    assert len(said) == 1
    assert f"- {said[0]}\n" in told["statement"]


def test_people_read_the_statement(tmp_path: Path, said: Any) -> None:
    """Without --json the answer is the statement, as `statement.md` holds it."""
    made = totals(tmp_path)
    made.write(tmp_path / "statement.md")
    code, out, err = said("about", saved(tmp_path, made))
    assert (code, out, err) == (0, (tmp_path / "statement.md").read_text("utf-8"), "")


def test_each_layer_is_named_as_it_is_asked_for(tmp_path: Path, asked: Any) -> None:
    """Each name under `layers` opens that layer."""
    path = saved(tmp_path, layered(tmp_path))
    names = asked("about", path)["layers"]
    assert names == ["A", "B"]
    for name in names:
        assert asked("export", path, "--to", tmp_path / f"{name}.csv", "--layer", name)["wrote"]


def test_each_layer_tells_its_labels_and_its_days(tmp_path: Path, asked: Any) -> None:
    """A map of kinds and times tells each layer's labels apart, and its span from its first day to the day after its last."""
    rows = [f"p{at},{at % 4 + 0.5},0.5,{'ab'[at % 2]},202{at % 2}-03-05" for at in range(40)]
    (tmp_path / "a.csv").write_text("\n".join(["who,longitude,latitude,kind,day", *rows]))
    asked(
        "release", tmp_path / "a.csv", "--unit", "who", "--epsilon", 1, "--cap", 2, "--bounds", "0,0,4,4", "--shape", "4,4", "--dataset",
        "D", "--budget", 9, "--kinds", "kind=a,b", "--times", "day=2020,2020-07,2022", "--out", tmp_path / "out",
    )  # fmt: skip
    told = asked("about", tmp_path / "out" / "release.dpmap")
    assert [one["layer"] for one in told["layers_told"]] == told["layers"]
    assert told["layers_told"][1] == {
        "layer": "a, 2020-07 to 2021-12", "labels": [{"column": "kind", "label": "a"}, {"column": "day", "label": "2020-07 to 2021-12"}],
        "from": "2020-07-01", "until": "2022-01-01", "folder": "02-a-2020-07-to-2021-12",
    }  # fmt: skip
    assert (tmp_path / "out" / told["layers_told"][1]["folder"] / "cells.gpkg").is_file()
    ours = [one["file"] for one in told["files"] if one["layer"] == "a, 2020-07 to 2021-12"]
    assert "02-a-2020-07-to-2021-12/map.png" in ours and all(
        (tmp_path / "out" / one).is_file() for one in ours
    )


def test_layers_of_kinds_alone_have_no_days(tmp_path: Path, asked: Any) -> None:
    """A layer that is no span of time says so, and a map without layers has none to tell of; the ends of a mean are none."""
    told = asked("about", saved(tmp_path, layered(tmp_path)))["layers_told"]
    assert [(one["layer"], one["from"], one["until"]) for one in told] == [
        ("A", None, None),
        ("B", None, None),
    ]
    for number, made in enumerate((totals, means)):
        (folder := tmp_path / str(number)).mkdir()
        assert summarise(made(folder).record)["layers_told"] == []


def test_the_files_beside_a_release_are_told(tmp_path: Path, asked: Any) -> None:
    """`files` lists what dpmap itself writes beside a release and is there, and nothing else that lies in the folder."""
    path = saved(tmp_path, totals(tmp_path))
    path.rename(tmp_path / "other.dpmap")
    assert asked("about", tmp_path / "other.dpmap")["files"] == []
    (tmp_path / "other.dpmap").rename(path)
    (tmp_path / "statement.md").write_text("-")
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "stac.json").write_text("{}")
    (tmp_path / "survey-of-owls.csv").write_text("-")
    told = asked("about", path)["files"]
    assert [(one["file"], one["media"], one["layer"]) for one in told] == [
        ("release.dpmap", "application/zip", None), ("statement.md", "text/markdown", None), ("metadata/stac.json", "application/json", None),
    ]  # fmt: skip
    assert told[1]["what"].startswith("What the map promises")


@pytest.mark.parametrize("made", [*MADE.values(), areas])
def test_what_is_said_to_be_written_is_what_can_be(tmp_path: Path, made: Any) -> None:
    """`exports` lists each suffix that this release, or a layer of it, can be written with, and no other."""
    release = made(tmp_path)
    one = next(iter(release.layers.values()), release)
    done = []
    for suffix in (f".{name}" for name in WRITERS if name not in ("tiff", "json")):
        try:
            done += [suffix] if one.export(tmp_path / f"x{suffix}") else []
        except dm.errors.BadInput:
            continue
    assert sorted(summarise(release.record)["exports"]) == sorted(done)


@pytest.mark.parametrize("kind", MADE)
def test_a_picture_is_refused_what_is_not_offered(tmp_path: Path, kind: str) -> None:
    """What `draw_options` leaves out is refused, so that a page need not offer it."""
    release = MADE[kind](tmp_path)
    told = summarise(release.record)
    assert told["kind"] == kind
    offered, refused = told["draw_options"], []
    asked = [{"what": what} for what in ("low", "high")] + [
        {"show": "cells"},
        {"show": "belief"},
        {"hotspots": "surroundings"},
    ]
    asked += [{"hotspots": 3}, {"what": "exceedance", "threshold": 3}]
    for options in asked:
        name, value = next(iter(options.items()))
        if ("TOTAL" if value == 3 else value) not in offered[name]:
            refused.append(options)
    for options in refused:
        with pytest.raises(dm.errors.BadInput):
            release.draw(tmp_path / "x.png", **options)
    if not offered["page"]:
        with pytest.raises(dm.errors.BadInput):
            release.draw(tmp_path / "x.html")
    assert len(refused) == {"means": 4, "sparse": 7, "merged": 1, "reports": 2}.get(kind, 0)


def test_a_tier_says_whose_map_it_is(tmp_path: Path) -> None:
    """A tier names its reader and the epsilons of all of its draw."""
    record = totals(tmp_path).record
    of_tier = record.about.of_tier("public", {"public": "1", "manager": "3"})
    told = summarise(replace(record, about=of_tier))
    assert told["tier"] == {"name": "public", "epsilons": {"public": "1", "manager": "3"}}


@pytest.mark.parametrize("name", ["survey.csv", "missing.dpmap", "."])
def test_what_is_no_release_is_one_line(tmp_path: Path, said: Any, name: str) -> None:
    """Anything but a release file is bad input, told in one line."""
    surveys.written(tmp_path, surveys.scattered(5))
    code, out, err = said("about", tmp_path / name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("dpmap: ")
