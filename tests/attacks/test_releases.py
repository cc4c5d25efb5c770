"""Attacks on several releases: subtracting them, averaging them, asking again until the noise is gone."""

import os
from fractions import Fraction

import numpy as np
import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BudgetExceeded
from dpmap.noise.theory import randomised_response
from dpmap.vault.session import Session

DEEP = os.environ.get("DPMAP_DEEP") == "1"
RUNS = 400_000 if DEEP else 20_000
LATTICE = 2**30
CAP = 3


def grid(columns=4):
    return dm.Grid(bounds=(0, 0, columns, 1), shape=(1, columns), crs="EPSG:3857")


def noisy(counts, epsilon, runs=1):
    """As many releases' signed totals of a row of cells, in lattice steps, and the noise's scale.

    The runs lie beside one another in one long grid: their noises are as independent as those of single releases.
    """
    columns = len(counts) * runs
    session = Session(
        np.tile(np.array(counts, dtype=float), runs), grid(columns), Fraction(epsilon), CAP, LATTICE
    )
    made = session.measure(dm.Partition.cells(grid(columns)), Fraction(epsilon))
    return made.steps.reshape(runs, len(counts)), float(made.scale_steps)


def evidence(steps, scale, without, with_her):
    """Each run's log-likelihood ratio of her taking part, which no test of the same answers can beat (Neyman, Pearson)."""
    gone, there = (np.rint(np.array(counts) * LATTICE) for counts in (without, with_her))
    return (np.abs(steps - gone) - np.abs(steps - there)).sum(axis=1) / scale


WITHOUT, WITH_HER = (
    [4.0, 0.0, 7.0, 1.0],
    [6.0, 0.0, 8.0, 1.0],
)  # she is at her cap: 2 here and 1 there


def test_differencing_two_releases_gains_no_more_than_their_epsilons_added():
    """Whoever subtracts the map before she joined from the map after, everything else known, learns e^(sum of both)."""
    shares = (Fraction("0.4"), Fraction("0.7"))
    told = sum(evidence(*noisy(WITH_HER, share, RUNS), WITHOUT, WITH_HER) for share in shares)
    bound = float(sum(shares))
    assert np.abs(told).max() <= bound * (1 + 1e-9)
    assert np.abs(told).max() > 0.9 * bound  # and the bound is not far above what can happen


@pytest.mark.parametrize("releases", [1, 4])
def test_the_best_attacker_wins_no_more_often_than_epsilon_allows(releases):
    """Guessing by all the evidence whether she took part succeeds with at most e^epsilon / (1 + e^epsilon), epsilon summed."""
    epsilon, right = Fraction(1), 0
    for there in (True, False):
        counts = WITH_HER if there else WITHOUT
        told = sum(
            evidence(*noisy(counts, epsilon / releases, RUNS // 2), WITHOUT, WITH_HER)
            for _ in range(releases)
        )
        right += int((told > 0).sum() if there else (told < 0).sum()) + (told == 0).sum() / 2
    most = randomised_response(float(epsilon))
    assert right / RUNS <= most + 4.5 * 0.5 / np.sqrt(RUNS)
    assert right / RUNS > 0.55  # the attack is a real one


def test_averaging_is_stopped_by_the_ledger_and_wins_nothing(tmp_path):
    """Sixteen maps of 1/16 of the budget can be averaged, a seventeenth is refused; their mean is worse than one map of it all."""
    book = dm.Ledger(tmp_path / "x.ledger")
    made = 0
    with pytest.raises(BudgetExceeded, match="0 of 1 remains"):
        while True:
            book.reserve(dataset="d", epsilon=Fraction(1, 16), budget=Fraction(1), details={})
            made += 1
    assert made == 16
    once = noisy(WITHOUT, Fraction(1), RUNS)[0] / LATTICE - WITHOUT
    often = (
        np.mean([noisy(WITHOUT, Fraction(1, 16), RUNS)[0] for _ in range(16)], axis=0) / LATTICE
        - WITHOUT
    )
    assert np.square(often).mean() > 10 * np.square(once).mean()  # in theory 16 times


def test_asking_again_from_the_command_line_ends_with_the_budget(tmp_path, capsys, monkeypatch):
    """Other folders, cells, strategies and names of the data set are all paid from one budget; then every one is refused."""
    surveys.written(tmp_path, surveys.scattered(60))
    monkeypatch.setattr("dpmap.releases.release.Release.write", lambda self, path: [])
    tries = [
        ("flat", "4,5", "scale", "one name"),
        ("adaptive", "2,2", "sample", "another"),
        ("flat", "3,3", "presence", "one name"),
    ]
    codes = []
    for number, (strategy, shape, limiter, name) in enumerate(tries):
        codes.append(run(["release", str(tmp_path / "survey.csv"), "--bounds", "0,50,1,51", "--epsilon", "0.4", "--unit", "who",
                          "--cap", "3", "--budget", "1", "--out", str(tmp_path / f"out{number}"), "--dataset", name,
                          "--strategy", strategy, "--shape", shape, "--limiter", limiter]))  # fmt: skip
    assert codes == [0, 0, 3]
    assert dm.Ledger(tmp_path / "dpmap.ledger").balance() == (1, Fraction("0.8"))
    assert not (tmp_path / "out2").exists()
    capsys.readouterr()


def test_a_cap_or_limiter_changed_between_releases_is_still_the_sum():
    """Two maps under different caps, differenced, tell the sum of their epsilons and not the caps' difference for nothing."""
    bound = 0.0
    for cap, epsilon in ((3, Fraction(1, 2)), (1, Fraction(1, 3))):
        moved = np.array([2.0, 0.0, 1.0]) * cap / 3  # she is at the cap each time
        session = Session(np.array([9.0, 4.0, 2.0]) + moved, grid(3), epsilon, cap, LATTICE)
        made = session.measure(dm.Partition.cells(grid(3)), epsilon)
        gone = np.rint((np.array([9.0, 4.0, 2.0])) * LATTICE)
        there = np.rint((np.array([9.0, 4.0, 2.0]) + moved) * LATTICE)
        bound += abs(
            (np.abs(made.steps - gone) - np.abs(made.steps - there)).sum() / float(made.scale_steps)
        )
    assert bound <= float(Fraction(1, 2) + Fraction(1, 3)) * (1 + 1e-6)
