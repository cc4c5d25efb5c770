"""The cap that the vault chooses: its law is exact, its sensitivity holds, and every part of epsilon is accounted for."""

import math
import random
from collections import Counter
from fractions import Fraction

import duckdb
import numpy as np
import pytest
from builders import surveys
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import dpmap as dm
from dpmap.engines import WHOLES
from dpmap.errors import BadInput, Refused
from dpmap.ledger.ledger import Ledger
from dpmap.private_totals import PrivateRungCounts
from dpmap.promise.limiters import LIMITERS
from dpmap.vault import permute_and_flip as room
from dpmap.vault.permute_and_flip import (
    SENSITIVITY,
    bernoulli_exp,
    choose,
    choose_cap,
    scores,
    unit_sizes,
)


def law(values, epsilon, sensitivity):
    """The chances of permute-and-flip by its integral, exact for the polynomial inside it."""
    chances = np.exp(
        np.array([float(epsilon / (2 * sensitivity) * (value - max(values))) for value in values])
    )
    at, weight = np.polynomial.legendre.leggauss(16)
    tails = 1 - ((at + 1) / 2)[:, None] * chances
    return np.array(
        [p * (weight / 2 * np.delete(tails, r, 1).prod(1)).sum() for r, p in enumerate(chances)]
    )


def p_value(counts, chances, draws):
    return stats.chisquare(counts, chances * draws).pvalue


@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(1, 1000), Fraction(1, 3), Fraction(1), Fraction(7, 3), Fraction(4)]
)
def test_bernoulli_exp_has_its_chance(x):
    """Heads come up with probability e^-x, for whole, broken and zero x."""
    draws = 4000
    heads = sum(bernoulli_exp(x) for _ in range(draws))
    assert stats.binomtest(heads, draws, math.exp(-x)).pvalue > 1e-5


def test_bernoulli_exp_of_a_large_x_is_quick_and_false():
    """An x that no series could hold costs a coin or two."""
    assert not any(bernoulli_exp(Fraction(10**30, 7)) for _ in range(50))


def test_bernoulli_exp_refuses_what_is_no_probability():
    """e^-x for x below 0 is above 1."""
    with pytest.raises(BadInput, match="probability"):
        bernoulli_exp(Fraction(-1))


CASES = [
    ([0, 0, 0], 1),
    ([0, -1, -2, -3], 2),
    ([5, 4, 4, 1, 0, -3], 1),
    ([0, -40], Fraction(1, 10)),
    ([Fraction(-1, 3), 0, -2], 3),
]


@pytest.mark.parametrize(("values", "epsilon"), CASES)
def test_choices_follow_the_law(values, epsilon):
    """The choices match permute-and-flip's exact chances."""
    draws = 3000
    counts = Counter(choose(values, Fraction(epsilon), Fraction(1)) for _ in range(draws))
    chances = law(values, Fraction(epsilon), Fraction(1))
    assert chances.sum() == pytest.approx(1)
    assert p_value([counts[i] for i in range(len(values))], chances, draws) > 1e-5


@pytest.mark.parametrize("factor", [0.5, 2])
def test_a_wrong_epsilon_fails_the_same_test(factor):
    """The test above would catch a choice made with half or twice the epsilon."""
    values, draws = [0, -1, -2, -3], 3000
    counts = Counter(choose(values, Fraction(2 * factor), Fraction(1)) for _ in range(draws))
    assert (
        p_value([counts[i] for i in range(4)], law(values, Fraction(2), Fraction(1)), draws) < 1e-5
    )


@given(
    st.lists(st.tuples(st.integers(-8, 8), st.integers(-1, 1)), min_size=1, max_size=8),
    st.sampled_from([0.1, 1, 3]),
)
@settings(max_examples=300, deadline=None)
def test_the_theorem(moved, epsilon):
    """Scores that move by at most the sensitivity move no chance by more than e^epsilon."""
    before = law([score for score, _ in moved], epsilon, 1)
    after = law([score + by for score, by in moved], epsilon, 1)
    assert (before <= after * math.exp(epsilon) * (1 + 1e-9)).all()


def test_a_smaller_sensitivity_would_break_the_theorem():
    """Scores that move by twice the declared sensitivity do pass the bound: the theorem needs its premise."""
    before, after = law([0] + [0] * 7, 1.0, 0.5), law([1] + [-1] * 7, 1.0, 0.5)
    assert (after > before * math.e).any()


@given(
    st.lists(st.integers(1, 130), max_size=40),
    st.integers(1, 130),
    st.fractions(Fraction(1, 10), 10),
)
@settings(max_examples=300, deadline=None)
def test_one_unit_moves_every_score_by_at_most_the_sensitivity(sizes, one_more, epsilon):
    """The scores' sensitivity is proven in the docstring and holds here."""
    policy = dm.Policy(epsilon=epsilon, unit="who", cap="auto:0.1")
    ladder = policy.cap_choice.ladder

    def scored(units):
        return scores([sum(size > rung for size in units) for rung in ladder], len(units), policy)

    pairs = zip(scored(sizes), scored([*sizes, one_more]), strict=True)
    assert max(abs(a - b) for a, b in pairs) <= SENSITIVITY


def tallied(rows, policy):
    """The bins by the vault's own SQL over (unit, cell, weight)."""
    with duckdb.connect() as database:
        database.execute("CREATE TABLE rows (unit VARCHAR, cell BIGINT, weight BIGINT)")
        if rows:
            database.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows)
        database.execute(f"CREATE VIEW wholes AS {WHOLES}")
        return dict(database.execute(unit_sizes(policy)).fetchall())


@pytest.mark.parametrize("limiter", LIMITERS)
@pytest.mark.parametrize("unit", ["who", "row"])
def test_units_are_counted_by_size(limiter, unit):
    """The SQL's bins are those of a plain count, for each limiter."""
    dice = random.Random(3)
    rows = [(dice.choice("aaaaabbbcdefgh"), dice.randrange(6), 1) for _ in range(60)]
    policy = dm.Policy(epsilon=1, unit=unit, cap="auto:0.1:1-20", limiter=limiter)
    seen = {(who, cell) for who, cell, _ in rows} if limiter == "presence" else rows
    sizes = [1] * len(rows) if unit == "row" else Counter(row[0] for row in seen).values()
    ladder = policy.cap_choice.ladder
    expected = Counter(sum(size > rung for rung in ladder) for size in sizes)
    assert tallied(rows, policy) == dict(expected)


def test_no_rows_no_bins():
    """An empty survey has nothing to count, and a cap is chosen all the same."""
    policy = dm.Policy(epsilon=1, unit="who", cap="auto:0.1")
    assert tallied([], policy) == {}


def reserved(tmp_path, epsilon="1"):
    return Ledger(tmp_path / "x.ledger").reserve(
        dataset="d", epsilon=Fraction(epsilon), budget=Fraction(9), details={}
    )


def tally(bins):
    return PrivateRungCounts(
        np.array(list(bins), dtype=np.int64), np.array(list(bins.values()), dtype=np.int64)
    )


@pytest.mark.parametrize(
    ("sizes", "cap"),
    [
        ({0: 10**6}, range(1, 71)),
        ({2: 740_000, 4: 255_000, 12: 5_000}, [3, 5]),
        ({11: 10**6}, [100]),
    ],
)
def test_with_many_units_the_target_is_met(tmp_path, sizes, cap):
    """Of many units about a quarter is left above the cap; where all are of one size, the cap lies just above it."""
    policy = dm.Policy(epsilon=9, unit="who", cap="auto:0.5")
    found = choose_cap(tally(sizes), policy, reserved(tmp_path, "9")).cap
    assert found in cap


def test_the_choice_is_paid_before_it_is_made(tmp_path, monkeypatch):
    """A choice that fails half-way has spent its share; what is left is exactly the rest."""
    policy, reservation = (
        dm.Policy(epsilon="0.3", unit="who", cap="auto:0.1"),
        reserved(tmp_path, "0.3"),
    )
    monkeypatch.setattr(room, "choose", lambda *_: (_ for _ in ()).throw(OSError))
    with pytest.raises(OSError):
        choose_cap(tally({0: 1}), policy, reservation)
    assert reservation.claim() == Fraction("0.27")
    with pytest.raises(Refused, match="already in use"):
        reservation.claim()


def test_a_fixed_cap_is_not_chosen_again(tmp_path):
    """A declared cap and a chosen one are final."""
    reservation = reserved(tmp_path)
    once = choose_cap(tally({0: 5}), dm.Policy(epsilon=1, unit="who", cap="auto:0.1"), reservation)
    for policy in (once, dm.Policy(epsilon=1, unit="who", cap=5)):
        with pytest.raises(BadInput, match="fixed already"):
            choose_cap(tally({0: 5}), policy, reservation)


def survey(tmp_path, sizes=(1, 2, 3, 40, 60)):
    rows = [(f"p{i}", 0.1 + (j % 9) / 10, 0.5) for i, size in enumerate(sizes) for j in range(size)]
    return surveys.survey(tmp_path, rows)


def released(tmp_path, budget=2, **promise):
    grid = dm.Grid(bounds=(0, 0, 1, 1), shape=(2, 5), crs="EPSG:4326")
    policy = dm.Policy(**{"epsilon": "0.7", "unit": "who", "cap": "auto:1/3:2-9", **promise})
    return surveys.released(
        survey(tmp_path), tmp_path, grid, policy, strategy="adaptive", budget=budget
    )


@pytest.mark.parametrize("limiter", LIMITERS)
def test_a_release_with_a_chosen_cap(tmp_path, limiter):
    """The record carries the chosen cap, its share and ladder; what was spent adds up to epsilon to the last digit."""
    release = released(tmp_path, limiter=limiter)
    policy = release.policy
    assert policy.cap in (2, 3, 5, 7, 9) and policy.cap_origin == "chosen privately"
    assert (
        policy.choosing + sum(m.epsilon for m in release.measurements)
        == policy.epsilon
        == Fraction("0.7")
    )
    assert release.measurements[0].scale == policy.cap / (Fraction("0.7") * Fraction(2, 3))
    assert release.measurements[0].lattice == policy.lattice
    assert release.record.receipt.spent == Fraction("0.7")
    release.save(tmp_path / "x.dpmap")
    assert dm.open(tmp_path / "x.dpmap").policy == policy
    release.write(tmp_path / "s.md")
    said = (tmp_path / "s.md").read_text()
    assert "chosen privately from 2, 3, 5, 7, 9" in said and "1/3 of epsilon (7/30)" in said


def test_the_totals_are_those_of_the_chosen_cap(tmp_path):
    """With hardly any noise, the released total is what the declared twin of the chosen cap gives."""
    grid = dm.Grid(bounds=(0, 0, 1, 1), shape=(2, 5), crs="EPSG:4326")
    policy = dm.Policy(epsilon=10**6, unit="who", cap="auto:0.5:4-30", limiter="sample")
    release = dm.release(survey(tmp_path), grid, policy, ledger=tmp_path / "y.ledger", dataset="d", budget=10**6, confirm_epsilon=True)  # fmt: skip
    expected = sum(min(size, release.policy.cap) for size in (1, 2, 3, 40, 60))
    assert release.measurements[0].values.sum() == pytest.approx(expected, abs=0.01)


def test_nothing_is_chosen_before_the_reservation(tmp_path, monkeypatch):
    """With a budget too small the refusal comes first, and no coin is flipped."""
    monkeypatch.setattr(room, "choose", lambda *_: pytest.fail("a coin was flipped"))
    with pytest.raises(Refused):
        released(tmp_path, epsilon=3)


def test_the_tally_is_sealed():
    """It shows nothing."""
    secret = tally({3: 17})
    assert "17" not in repr(secret) + f"{secret}"
    with pytest.raises(Refused):
        list(secret)


@pytest.mark.parametrize(
    "text",
    ["auto", "auto:", "auto:0", "auto:-0.1", "auto:1", "auto:2", "auto:x", "auto:0.1:0-5", "auto:0.1:9-3", "auto:0.1:5",
     "auto:0.1:-5", "auto:0.1:1-99999999999", "auto:0.1:a-b", "auto:0.1:1-" + "9" * 40, "auto:nan"],
)  # fmt: skip
def test_a_bad_choice_of_cap_is_one_line(text):
    """A share outside 0 to 1 and a ladder that does not rise are bad input, said in one line."""
    with pytest.raises(BadInput) as told:
        dm.Policy(epsilon=1, unit="who", cap=text)
    assert "cap" in str(told.value) and "\n" not in str(told.value)


def test_a_cap_above_its_declared_maximum_is_refused():
    """A record cannot claim a cap that its ladder does not hold."""
    plain = dm.Policy(epsilon=1, unit="who", cap="auto:0.1:1-10").to_dict()
    for wrong in ({"cap": 15}, {"cap_origin": "declared"}):
        with pytest.raises(BadInput):
            dm.Policy.from_dict({**plain, **wrong})
    with pytest.raises(BadInput):
        dm.Policy(epsilon=1, unit="who", cap=5, cap_origin="chosen privately")
