"""Replays: a release is recorded at the vault's door, and a neighbour that is handed back its noisy answers must not differ.

With every set of tools that is allowed and each way to spend; the readers are replayed by tests/premise/test_replays.py.
"""

import os
import random
import re
import threading
from fractions import Fraction

import numpy as np
import pytest
from builders import replayed

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import Refused
from dpmap.selftest import replay, replayed_surveys
from dpmap.selftest.check import Broken
from dpmap.selftest.replay import Change, KeptDuckDB, RecordedDoor, tell_apart, watch
from dpmap.vault import laplace

DEEP = os.environ.get("DPMAP_DEEP") == "1"
SETS = [*replayed.sets(3 if DEEP else 2)]
EVERY = 1 if DEEP else 12
"""Of the sets of tools `make test` takes each twelfth, another one for each way to spend."""


@pytest.fixture(scope="module")
def engine():
    kept = KeptDuckDB()
    yield kept
    kept.close()


@pytest.mark.parametrize("spending", replayed.SPENDING)
def test_whatever_tools_are_used_together_noisy_answers_are_all_that_tells(
    spending, tmp_path, engine
):
    """One unit less, more, moved or renamed: the same questions, events, words and bytes, within the cap, for every set of tools."""
    allowed = [tools for tools in SETS if not replayed.refused(tools, spending)]
    first = list(replayed.SPENDING).index(spending) % EVERY
    found, pairs = [], 0
    for tools in allowed[first::EVERY]:
        grid = "squares" if spending in ("adaptive", "adaptive tiers", "prior") else "row"
        tried = replayed.Tried(tools, spending, tmp_path, engine=engine, grid=grid)
        number, told = tried.look(random.Random(f"{tools} {spending}"))
        pairs, found = pairs + number, [*found, *told]
    assert not found, "\n".join(found[:3])
    assert pairs >= (100 if DEEP else 4)


def released(engine, rows, policy, grid=None, **how):
    """What releases these rows of (who, x, y, limit)."""
    grid = grid or dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:3857")

    def make(folder, say):
        path = folder / "s.csv"
        lines = ["who,x,y,limit", *(",".join(map(str, row)) for row in rows), ""]
        path.write_text("\n".join(lines))
        survey = dm.read(path, x="x", y="y", crs="EPSG:3857")
        out = folder / "out"
        dm.release(survey, grid, policy, ledger=out / "l.ledger", dataset="d", budget=9, engine=engine,
                   progress=say, to=out / "r.dpmap", **how)  # fmt: skip

    return make


ROWS = [(f"p{i % 9}", i % 4 + 0.5, i % 3 + 0.5, ("1", "0.5", "0.25")[i % 3]) for i in range(45)]


@pytest.mark.parametrize("gone", range(9))
def test_no_one_loses_more_than_a_limit_of_her_own(gone, tmp_path, engine):
    """The answers of a release with personal limits cost each person her own limit at most, counted from the totals themselves."""
    policy = dm.Policy(epsilon=1, unit="who", cap=4, epsilon_by="limit=0.25,0.5,1")
    own = {"1": Fraction(1), "0.5": Fraction(1, 2), "0.25": Fraction(1, 4)}
    limit = min(own[row[3]] for row in ROWS if row[0] == f"p{gone}")
    left = [row for row in ROWS if row[0] != f"p{gone}"]
    first = watch(released(engine, ROWS, policy), tmp_path, b"limits")
    second = watch(released(engine, left, policy), tmp_path, b"limits", first)
    assert not tell_apart(first, second, Change(limit=limit))
    assert "cost" in tell_apart(first, second, Change(limit=limit / 2))


@pytest.mark.parametrize("kind", ["areas", "hexagons", "official"])
def test_the_same_of_areas_hexagons_and_official_cells(kind, tmp_path, engine):
    """Whatever the cells are, a neighbour differs by noisy answers alone."""
    pytest.importorskip("h3")
    area = tmp_path / "area.geojson"
    area.write_text(
        '{"type": "Polygon", "coordinates": [[[5, 50], [6, 50], [6, 51], [5, 51], [5, 50]]]}'
    )
    if kind == "areas":
        (tmp_path / "areas").mkdir()
        grid, places = replayed.areas(tmp_path / "areas"), ("EPSG:3857", 0.0, 0.0, 1.0)
    elif kind == "hexagons":
        grid, places = dm.Grid.hexagons(area, resolution=5), ("EPSG:4326", 5.0, 50.0, 0.2)
    else:
        grid, places = dm.Grid.official(area, grid="eea-50km"), ("EPSG:4326", 5.0, 50.0, 0.2)
    crs, x, y, width = places
    rows = [
        (f"p{i % 7}", x + width * (i % 4) + 0.1 * width, y + width * (i % 5) / 5) for i in range(40)
    ]
    policy = dm.Policy(epsilon=1, unit="who", cap=3)

    def make(lines):
        def release(folder, say):
            path = folder / "s.csv"
            path.write_text("\n".join(["who,x,y", *(",".join(map(str, row)) for row in lines), ""]))
            out = folder / "out"
            dm.release(dm.read(path, x="x", y="y", crs=crs), grid, policy, ledger=out / "l", dataset="d", budget=1,
                       engine=engine, progress=say, to=out / "r.dpmap")  # fmt: skip

        return release

    first = watch(make(rows), tmp_path, b"cells")
    assert not first.refusal
    for name in ("p1", "p6"):
        left = [row for row in rows if row[0] != name]
        assert not tell_apart(first, watch(make(left), tmp_path, b"cells", first), Change())


WHOLE = {
    "squares": ("--epsilon=1",),
    "tiers": ("--tier=public=0.3", "--tier=manager=1"),
    "layers": ("--epsilon=1", "--kinds=kind=owl,kite"),
}


@pytest.mark.parametrize("shape", WHOLE)
def test_the_whole_folder_and_the_screen_follow_from_noisy_answers(shape, tmp_path, monkeypatch):
    """`dpmap release` to the last picture: every file beside a release, and every word on the screen, is the same for a neighbour."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("OGR_CURRENT_DATE", "2026-01-01T00:00:00Z")

    def make(rows):
        def release(folder, _):
            (folder / "survey.csv").write_text("\n".join(["who,x,y,kind", *rows, ""]))
            monkeypatch.chdir(folder)
            code = run(["release", "survey.csv", "--bounds=0,50,1,51", "--shape=4,5", "--x=x", "--y=y", "--crs=EPSG:4326",
                        "--unit=who", "--cap=3", "--dataset=d", "--budget=1", "--out=out/made", "--ledger=out/l", *WHOLE[shape]])  # fmt: skip
            assert code == 0

        return release

    rows = [
        f"p{i % 7},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100},{('owl', 'kite')[i % 2]}"
        for i in range(60)
    ]
    hers = ["tess,0.5,50.5,owl", "tess,9,abc,", 'tess,"0.5","50.5",rat' + "x" * 3000]
    first = watch(make(rows), tmp_path, b"whole")
    assert len(first.files) >= 7
    for others in ([*hers, *rows], [row for row in rows if not row.startswith("p3,")]):
        told = tell_apart(first, watch(make(others), tmp_path, b"whole", first), Change())
        assert not told


# The replay itself


def test_a_replay_writes_to_no_other_ledger(tmp_path, engine):
    """While answers are handed back nothing can be paid for elsewhere, from this thread or another: no true map is made of them."""
    policy = dm.Policy(epsilon=1, unit="who", cap=4)
    outside = tmp_path / "outside"
    (outside / "out").mkdir(parents=True)
    make = released(engine, ROWS, policy)
    refusals = []

    def attempt():
        with pytest.raises(Refused, match="a replay is going on") as caught:
            make(outside, str)
        refusals.append(caught.value)

    with RecordedDoor(tmp_path / "inside", b"seed").standing():
        attempt()
        other = threading.Thread(target=attempt)
        other.start()
        other.join()
    assert len(refusals) == 2 and not (outside / "out" / "r.dpmap").exists()
    make(outside, str)
    assert (outside / "out" / "r.dpmap").exists()


def test_a_replay_answers_its_own_thread_alone(tmp_path):
    """Another thread's noise is drawn from the system's entropy while a replay stands, and nothing is left standing after it."""
    before = laplace.os, dm.Ledger._append, laplace.discrete_laplace
    drawn = []
    with RecordedDoor(tmp_path, b"seed").standing():
        mine = [laplace.random_words(4).tolist()]
        for _ in range(2):
            thread = threading.Thread(target=lambda: drawn.append(laplace.random_words(4).tolist()))
            thread.start()
            thread.join()
    with RecordedDoor(tmp_path, b"seed").standing():
        mine.append(laplace.random_words(4).tolist())
    assert mine[0] == mine[1] and drawn[0] != drawn[1]
    assert (laplace.os, dm.Ledger._append, laplace.discrete_laplace) == before


def test_answers_that_cost_more_than_was_paid_are_seen(tmp_path, engine):
    """Two people more than one are more than the cap of one, in totals, and in what the answers cost."""
    policy = dm.Policy(epsilon=1, unit="who", cap=4)
    left = [row for row in ROWS if row[0] not in ("p0", "p1")]
    for how in ({"strategy": "flat"}, {"strategy": "sparse:1"}):
        first = watch(released(engine, ROWS, policy, **how), tmp_path, b"cost")
        second = watch(released(engine, left, policy, **how), tmp_path, b"cost", first)
        assert "the totals differ by " in tell_apart(first, second, Change())
        assert not tell_apart(first, second, Change(2))


def test_a_session_that_draws_too_little_noise_is_seen_by_what_it_says(
    tmp_path, engine, monkeypatch
):
    """What all answers cost is counted by the scales that they state: half of the scale is twice the cost."""
    scale = replay.LaplaceMechanism.scale
    monkeypatch.setattr(
        replay.LaplaceMechanism, "scale", lambda self, share: scale(self, share) / 2
    )
    policy = dm.Policy(epsilon=1, unit="who", cap=4)
    left = [row for row in ROWS if row[0] != "p1"]
    first = watch(released(engine, ROWS, policy, strategy="flat"), tmp_path, b"half")
    second = watch(released(engine, left, policy, strategy="flat"), tmp_path, b"half", first)
    assert "cost 2.0" in tell_apart(first, second, Change())


def test_a_strategy_that_looks_at_the_survey_is_seen(tmp_path, engine):
    """A strategy that opens the survey's file, which no session can forbid, asks another question of a neighbour."""
    grid = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:3857")

    def peeks(session):
        lines = (tmp_path / "s.csv").read_text().splitlines()
        labels = np.arange(16).reshape(4, 4) if len(lines) % 2 else np.zeros((4, 4), dtype=int)
        session.measure(dm.Partition(labels), session.epsilon / 2)
        session.measure(dm.Partition.cells(grid), session.epsilon / 2)

    policy = dm.Policy(epsilon=1, unit="who", cap=4)
    how = {"strategy": peeks, "grid": grid}
    first = watch(released(engine, ROWS, policy, **how), tmp_path, b"peek")
    second = watch(released(engine, ROWS[1:], policy, **how), tmp_path, b"peek", first)
    assert re.search(r"question \d+ is measure", tell_apart(first, second, Change()))


def test_the_selftest_says_what_differs(monkeypatch):
    """A check that finds something names the way, the neighbour and the place."""
    monkeypatch.setattr(
        "dpmap.steward.release_run.Session.finest",
        property(lambda self: self._readers[-1] * (1 + 8 * (len(self._totals._cells) % 2))),
    )
    with pytest.raises(Broken, match="adaptive, .*: with the same noisy answers, question"):
        replayed_surveys.try_town(replayed_surveys.TownJob("adaptive", ""))
