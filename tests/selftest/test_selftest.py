"""`dpmap selftest` passes on an honest build, says how strong it was, and fails when a promise is broken.

That it fails for the right reasons is shown by the mutants, in test_mutants.py. Every test here fails by chance less than once in
a million runs, as the selftest itself.
"""

import json
import math
import os
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from proofs import PROOFS

from dpmap import selftest
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.selftest import cap, neighbour_files, page, privacy_audit, reader_neighbours, statistics
from dpmap.selftest.check import Broken, Check, CheckResult, Effort, NotHere
from dpmap.vault.laplace import discrete_laplace

DEEP = os.environ.get("DPMAP_DEEP") == "1"
CHECKS = {check.name: check for check in (*selftest.CHECKS, *selftest.DEEP)}
EVERY = CHECKS | {proof.name: proof for proof in PROOFS}


@pytest.mark.parametrize("name", EVERY)
def test_an_honest_build_passes(name):
    """Every check and every proof passes on this build, and says what it tried and what it would have caught.

    Spark starts a job for each of hundreds of surveys, which takes a quarter of an hour: deep only.
    """
    if name == "spark" and not DEEP:
        pytest.skip("DPMAP_DEEP=1 counts the surveys with Spark too")
    try:
        found = EVERY[name].run(Effort(times=1.0 if DEEP else 0.01))
    except NotHere as missing:
        pytest.skip(str(missing))
    assert found.tried and found.strength


def test_names_and_promises_are_plain():
    """No two checks share a name, and each is one promise that fits a line."""
    assert len(EVERY) == len(selftest.CHECKS) + len(selftest.DEEP) + len(PROOFS)
    assert all(
        check.part in page.PARTS and 10 < len(check.promise) < 90 for check in EVERY.values()
    )


def lines(*outcomes):
    return tuple(
        selftest.Line("noise", f"c{i}", "a promise", outcome, "tried", "caught", 0.1)
        for i, outcome in enumerate(outcomes)
    )


def test_the_verdict():
    """One broken promise breaks the verdict; one that cannot be checked here does not."""
    assert selftest.Verdict(lines("passed", "not here"), 1, deep=False).passed
    assert not selftest.Verdict(lines("passed", "broken"), 1, deep=False).passed


def stand_in(outcome):
    def answer(_):
        if outcome is None:
            return CheckResult("ten draws", "noise twice too narrow")
        raise outcome

    return Check("noise", "places", "a promise of ten words or so, to fill it", answer)


@pytest.mark.parametrize(
    ("outcome", "code", "said"),
    [(None, 0, "The promise held"), (NotHere("no OpenDP"), 0, "no OpenDP"), (Broken("too narrow"), 1, "Release nothing"),
     (KeyError("x"), 1, "could not be carried out: KeyError")],
)  # fmt: skip
def test_the_page_and_the_exit_status(monkeypatch, capsys, outcome, code, said):
    """Exit status 0 when all holds and 1 when a promise is broken; the page says so, and what is not covered."""
    monkeypatch.setattr(selftest, "CHECKS", (stand_in(outcome),))
    assert run(["selftest", "--only", "places"]) == code
    shown = capsys.readouterr().out
    assert said in shown and "Not covered" in shown and "would have caught" in shown


def test_the_verdict_as_json(monkeypatch, capsys):
    """Programs can read the verdict."""
    monkeypatch.setattr(selftest, "CHECKS", (stand_in(None),))
    assert run(["selftest", "--json", "--only", "places"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] and told["checks"][0]["caught"] == "noise twice too narrow"


def test_an_unknown_check_is_bad_input(capsys):
    """A misspelt check is one line that names those there are."""
    assert run(["selftest", "--only", "plcaes"]) == 2
    assert "there are places, frequencies" in capsys.readouterr().err


def test_the_page_fits_a_screen(monkeypatch, capsys):
    """The whole page of all checks has at most 40 lines."""
    found = CheckResult(
        "1,000,000 draws at each of 8 scales, which is a lot", "noise 1.046x too wide or narrow"
    )
    every = tuple(
        Check(check.part, check.name, check.promise, lambda _: found) for check in selftest.CHECKS
    )
    monkeypatch.setattr(selftest, "CHECKS", every)
    assert run(["selftest"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 40


# The statistics


@pytest.mark.parametrize(
    "scale", [Fraction(3, 10), Fraction(1), Fraction(5, 2), Fraction(2**32 * 7, 3)], ids=str
)
@pytest.mark.parametrize("wrong", [Fraction(9, 10), Fraction(11, 10)], ids=["-10%", "+10%"])
def test_a_wrong_width_is_caught(scale, wrong):
    """Noise a tenth too narrow or too wide breaks the checks of width and of ranges."""
    draws = discrete_laplace(300_000, scale * wrong)
    mean, deviation = statistics.standard_size(scale)
    with pytest.raises(Broken, match="times as wide"):
        statistics.check_size(np.abs(draws) / mean, deviation / mean, "x")
    with pytest.raises(Broken, match="as often as"):
        statistics.check_ranges(draws, scale, "x")


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2), Fraction(100)])
def test_the_stated_width(scale):
    """Mean and deviation of the size of the noise, against a plain sum."""
    k = np.arange(-4000, 4001)
    weights = np.exp(-np.abs(k) / float(scale))
    weights /= weights.sum()
    mean = (np.abs(k) * weights).sum()
    assert statistics.standard_size(scale) == pytest.approx(
        (mean, math.sqrt((k * k * weights).sum() - mean**2))
    )


@pytest.mark.parametrize("factor", [1.0, 1.12])
def test_the_bound_on_epsilon_has_the_strength_it_names(factor):
    """Of twenty trials with epsilon 12 % too large nearly all are caught where the check names 1.1x; of an honest one, none."""
    runs, caught = 200_000, 0
    scale = Fraction(2**20) / Fraction(round(2000 * factor), 1000)
    for _ in range(20):
        noise = discrete_laplace(2 * runs, scale) / 2**20
        one, other = (np.abs(x) - np.abs(x - 1) for x in (noise[:runs] + 1, noise[runs:]))
        try:
            _, named = privacy_audit.check_loss(2 * one[:, None], 2 * other[:, None], 2.0, "x")
            assert 1.0 < named < 1.12
        except Broken:
            caught += 1
    assert caught == 0 if factor == 1.0 else caught >= 15


def test_a_bound_from_few_runs_is_never_more_than_was_lost():
    """Of 1,000 honest trials of 28 runs, where it is easiest to err, at most the stated share shows more than the loss there is."""
    dice, shown = (
        np.random.default_rng(5),
        cache(lambda hits, others: statistics.few_bound(hits, 28, others, 28, 0.05)),
    )
    trials = dice.binomial(28, (0.642, 0.642 * math.exp(-0.25)), (1000, 2)).tolist()
    assert sum(shown(*trial) > 0.25 for trial in trials) <= 50


@pytest.mark.parametrize("shift", [0, 1.1])
def test_the_shift_that_few_runs_catch_is_the_one_they_name(shift):
    """Somebody who moves a cell by little more than is named is caught nearly always, and one who moves nothing never."""
    moved = shift * statistics.caught_shift(28, 0.25, statistics.CHANCE)
    dice, caught = np.random.default_rng(6), 0
    for _ in range(200):
        here, there = dice.laplace(0, 4, (2, 28)) + [[moved], [0]]
        hits, others = (int((seen > moved / 2).sum()) for seen in (here, there))
        caught += statistics.few_bound(hits, 28, others, 28, statistics.CHANCE) > 0.25
    assert caught == 0 if not shift else caught >= 185


@pytest.mark.parametrize("rule", ["", "another rule"])
def test_only_the_rule_that_is_broken_may_refuse_a_file(tmp_path, rule):
    """A file with an odd person in it that is refused for anything else breaks the promise."""
    pair = replace(neighbour_files.PAIRS["an archive with one name twice"], refusal=rule)
    sides = [reader_neighbours.NeighbourSide(pair, tmp_path, her=her) for her in (True, False)]
    with pytest.raises(BadInput, match="two files of one name") as refused:
        sides[0].answers(reader_neighbours.EPSILON)
    with pytest.raises(Broken, match="is not read"):
        reader_neighbours._refused(sides, refused.value)


@pytest.mark.parametrize("pair", neighbour_files.PAIRS.values(), ids=lambda pair: pair.name)
def test_neighbouring_files_differ_in_her_alone(tmp_path, pair):
    """The files are written the same each time, and one of them holds more."""
    sizes = []
    for number, hers in enumerate((pair.hers, ())):
        (tmp_path / str(number)).mkdir()
        path = pair.write(tmp_path / str(number), hers)
        sizes.append(
            sum(one.stat().st_size for one in path.iterdir())
            if path.is_dir()
            else path.stat().st_size
        )
    assert sizes[0] >= sizes[1] and pair.hers


def test_bounds_of_shares():
    """Clopper and Pearson's bounds at the ends and in the middle."""
    assert statistics.shares_lower(0, 10, 0.05) == 0 and statistics.shares_upper(10, 10, 0.05) == 1
    assert statistics.shares_upper(0, 10, 0.05) == pytest.approx(1 - 0.05 ** (1 / 10))
    assert statistics.shares_lower(5, 10, 0.025) == pytest.approx(0.1871, abs=1e-4)


def test_a_partition_chosen_by_peeking_is_seen():
    """A partition that was chosen by peeking is an event, whatever the answers are."""
    peeking = np.zeros((20_000, 6))
    honest = peeking.copy()
    peeking[:, 4] = 1
    with pytest.raises(Broken, match="tells the two surveys apart"):
        privacy_audit.check_loss(peeking, honest, 2.0, "x")


@pytest.mark.parametrize("limiter", cap.LIMITERS)
def test_the_plain_count_is_a_count(limiter):
    """Under the cap, in cells of their own, rows are counted one by one."""
    policy = cap.policy(limiter, "column", 5)
    rows = [("ana", 1, 1), ("ana", 2, 1), ("bo", 2, 1)]
    assert cap.plain_totals(rows, policy, 1) == {1: policy.lattice, 2: 2 * policy.lattice}
