"""A sample of units, drawn by a secret that nobody keeps, buys less noise for the same guarantee."""

import math
from fractions import Fraction

import duckdb
import given_rows
import numpy as np
import pytest
from builders import surveys
from hypothesis import given
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines import BESIDE
from dpmap.errors import BadInput, Refused
from dpmap.noise.scales import before_sampling
from dpmap.promise.limiters import LIMITERS
from dpmap.record.release_file import write_record
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.sampling import fresh_secret, restrict_to_drawn

POLICY = dm.Policy(epsilon=1, unit="who", cap=3, sample="25%")


@given(
    st.fractions(Fraction(1, 10_000), 50, max_denominator=10**6),
    st.fractions(Fraction(1, 1000), Fraction(99, 100), max_denominator=1000),
)
def test_the_draw_never_claims_more_than_the_theorem_gives(epsilon, rate):
    """What the session spends, amplified, is at most the guarantee, and short of it by a billionth."""
    spent = before_sampling(epsilon, rate)
    assert spent.denominator <= 10**9
    assert math.log1p(float(rate) * math.expm1(float(spent))) <= float(epsilon) * (1 + 1e-12)
    assert math.log1p(float(rate) * math.expm1(float(spent) + 3e-9)) >= float(epsilon) * (1 - 1e-9)


@pytest.mark.parametrize("rate", [0.05, 0.25, 0.9])
def test_the_theorem_holds_for_randomised_response(rate):
    """The two inequalities of the proof, on the pair of laws that is worst at this loss."""
    loss = 1.7
    with_unit, without = math.exp(loss) / (1 + math.exp(loss)), 1 / (1 + math.exp(loss))
    mixed = rate * with_unit + (1 - rate) * without
    rest = rate * without + (1 - rate) * with_unit
    bound = 1 + rate * math.expm1(loss)
    assert mixed / without == pytest.approx(bound)
    assert with_unit / rest <= bound
    assert without / mixed >= 1 / bound - 1e-12


def units_kept(rows, policy, secret):
    database, sql = duckdb.connect(), restrict_to_drawn(capped_totals(policy), policy, secret)
    given = given_rows.given(database, [(unit, cell, 1) for unit, cell in rows])
    return dict(database.execute(f"WITH {given}, {BESIDE} SELECT * FROM ({sql})").fetchall())


@pytest.mark.parametrize("limiter", LIMITERS)
def test_a_unit_is_drawn_with_all_its_rows_or_none_before_the_cap(limiter):
    """Each unit's part of the totals is what it would be alone, or nothing."""
    policy = dm.Policy(epsilon=1, unit="who", cap=2, sample="50%", limiter=limiter)
    rows = [(f"u{unit}", 10 * unit + cell) for unit in range(40) for cell in range(4)]
    found = units_kept(rows, policy, fresh_secret())
    parts = [sum(found.get(10 * unit + cell, 0) for cell in range(4)) for unit in range(40)]
    assert set(parts) == {0, 2 * policy.lattice}


def test_units_are_drawn_at_the_declared_rate_and_anew_each_time():
    """Of 4,000 units a quarter, and which ones is another matter in each release."""
    rows = [(f"u{unit}", unit) for unit in range(4000)]
    first, second = (set(units_kept(rows, POLICY, fresh_secret())) for _ in range(2))
    for kept in (first, second):
        assert abs(len(kept) - 1000) < 5 * math.sqrt(4000 * 0.25 * 0.75)
    assert abs(len(first & second) - 250) < 5 * math.sqrt(4000 / 16 * 15 / 16)


def survey(tmp_path):
    return surveys.survey(tmp_path, [(f"p{i}", i % 10 / 10, 50.5) for i in range(400)])


GRID = dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 5), crs="EPSG:4326")


def test_a_release_of_a_sample_pays_the_amplified_epsilon_and_says_so(tmp_path):
    ledger = dm.Ledger(tmp_path / "x.ledger")
    made = dm.release(
        survey(tmp_path), GRID, POLICY, ledger=ledger, dataset="d", budget="3", strategy="flat"
    )
    assert ledger.balance() == (3, 1)
    (measurement,) = made.measurements
    assert measurement.epsilon == before_sampling(Fraction(1), Fraction(1, 4)) > Fraction(2)
    assert abs(measurement.values.sum() - 100) < 80
    words = statement(made.record)
    assert "all numbers here are totals of that sample, about 25 % of the whole" in words
    assert "amplified to epsilon = 1." in privacy_yaml(made.record)
    made.save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap").policy == POLICY


def test_a_file_that_claims_more_than_its_sample_gives_is_refused(tmp_path):
    from dataclasses import replace

    made = dm.release(
        survey(tmp_path), GRID, POLICY, ledger=tmp_path / "x.ledger", dataset="d", budget="3"
    )
    forged = replace(made.record, policy=dm.Policy(epsilon=1, unit="who", cap=3, sample="26%"))
    write_record(forged, tmp_path / "r.dpmap")
    with pytest.raises(BadInput):
        dm.open(tmp_path / "r.dpmap")


def test_the_secret_is_nowhere_in_what_is_written(tmp_path, monkeypatch):
    """Neither half of it, in any form, is in the release, the ledger or their folder."""
    secret = bytes(range(64))
    monkeypatch.setattr("dpmap.steward.release_run.fresh_secret", lambda: secret)
    made = dm.release(
        survey(tmp_path), GRID, POLICY, ledger=tmp_path / "x.ledger", dataset="d", budget="3"
    )
    made.save(tmp_path / "r.dpmap")
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        assert not any(
            half in content or half.hex().encode() in content for half in (secret[:32], secret[32:])
        )


@pytest.mark.parametrize("wrong", [{"unit": "row"}, {"cap": "auto:0.05"}])
def test_what_has_no_proof_is_refused(wrong):
    with pytest.raises(Refused, match="sample"):
        dm.Policy(**{"epsilon": 1, "unit": "who", "cap": 1, "sample": "5%", **wrong})


@pytest.mark.parametrize("rate", ["0", "100%", "-5%", "1.5", "a few", "nan"])
def test_a_rate_is_a_share(rate):
    with pytest.raises(BadInput, match="sample"):
        dm.Policy(epsilon=1, unit="who", cap=1, sample=rate)


def test_a_large_sample_needs_the_noise_of_the_whole():
    """As q nears 1 the loss nears epsilon; small q leaves the epsilon of a far larger budget."""
    losses = [float(before_sampling(Fraction(1), Fraction(q, 1000))) for q in (999, 500, 50)]
    assert np.allclose(losses, [1.0006, 1.4899, 3.5657], atol=1e-3)
