"""Gaussian noise, asked for by a delta: what it promises, what it refuses, and what readers of the map are told."""

import json
import math
import zipfile
from fractions import Fraction

import numpy as np
import pytest
from builders import surveys
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs.gaussian import assembly

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, BudgetExceeded, Refused, SystemFailed
from dpmap.inference.hotspots import Search
from dpmap.ledger.ledger import Ledger
from dpmap.maps import infer
from dpmap.noise.distributions import DiscreteGaussian, DiscreteLaplace
from dpmap.noise.zcdp import deviation, rho
from dpmap.numbers import one_in
from dpmap.promise.policy import Policy
from dpmap.record.release_file import read_record
from dpmap.selftest.check import Effort
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import description
from dpmap.statement.statement import statement
from dpmap.steward.planning import planner
from dpmap.vault import gaussian, laplace
from dpmap.vault.gaussian import discrete_gaussian
from dpmap.vault.session import Session

GRID = dm.Grid(bounds=(0, 0, 12, 10), shape=(10, 12), crs="EPSG:3857")
DELTA = Fraction(1, 10**6)


def promise(**more):
    return Policy(**{"epsilon": 1, "unit": "who", "cap": 25, "delta": "1e-6", **more})


@pytest.fixture
def survey(tmp_path):
    rows = [(f"p{i % 30}", i % 12 + 0.5, i % 10 + 0.5) for i in range(900)]
    return surveys.survey(tmp_path, rows, "who,x,y", **surveys.METRES)


def released(survey, folder, policy=None, **more):
    asked = {"budget_delta": "1e-5", "dataset": "D", **more}
    return surveys.released(survey, folder, GRID, policy or promise(), **asked)


def test_the_sampler_takes_whole_sigmas_only():
    """What it cannot draw exactly is refused, and no draws are none."""
    for sigma in (0, -1, 2**52 + 1):
        with pytest.raises(BadInput):
            discrete_gaussian(3, sigma)
    with pytest.raises(BadInput):
        discrete_gaussian(-1, 3)
    assert discrete_gaussian(0, 3).tolist() == []


@pytest.mark.parametrize("word", [0, 2**64 - 1])
def test_a_stuck_entropy_source_is_reported(monkeypatch, word):
    """It is an error of the system, neither an endless loop nor noise of one value."""
    for module in (gaussian, laplace):
        monkeypatch.setattr(
            module, "random_words", lambda count: np.full(count, word, dtype=np.uint64)
        )
    with pytest.raises(SystemFailed, match="no noise was drawn"):
        discrete_gaussian(100, 3 * 2**20)


def test_draws_are_fresh_and_wide():
    """Two calls share no number, and a million draws are as wide as they should be."""
    one, other = discrete_gaussian(500, 2**50), discrete_gaussian(500, 2**50)
    assert not set(one.tolist()) & set(other.tolist())
    draws = discrete_gaussian(100_000, 2**32) / 2**32
    assert abs(float((draws**2).mean()) - 1) < 7 * math.sqrt(2 / 100_000)


def test_every_outcome_of_the_sampler_has_its_exact_chance():
    """All outcomes of its coins are enumerated, to 30 decimals: no chance is involved."""
    assert assembly(Effort()).tried


@pytest.mark.parametrize("cap", [1, 25, 10**4])
@pytest.mark.parametrize("loss", ["0.1", "1", "8"])
def test_the_noise_keeps_epsilon_and_delta(loss, cap):
    """No set of outputs betrays a unit of the greatest length by more, worked out on the masses of the noise itself."""
    one = Policy(epsilon=loss, unit="who", cap=cap, delta="1e-6")
    sigma, reach = float(one.scale), math.isqrt(cap) if cap > 1 else 1
    steps = 400 / sigma
    values = np.arange(-round(12 * 400), round(12 * 400) + 1)
    shift = round(reach * steps)
    here, there = (np.exp(-((values - at) ** 2) / (2 * 400.0**2)) for at in (0, shift))
    excess = np.maximum(
        here / here.sum() - math.exp(float(Fraction(loss))) * there / there.sum(), 0
    ).sum()
    assert 1e-8 < excess <= 1e-6


@settings(max_examples=25, deadline=None)
@given(st.fractions(min_value="0.001", max_value=20, max_denominator=1000), st.integers(6, 12))
def test_more_epsilon_or_delta_never_needs_more_noise(loss, places):
    """rho grows with both, never passes what epsilon alone allows, and nothing is lost to a simpler bound."""
    delta = Fraction(1, 10**places)
    found = rho(loss, delta)
    assert rho(loss, delta / 2) < found < rho(loss * 2, delta)
    simple = (math.sqrt(math.log(1 / delta) + float(loss)) - math.sqrt(math.log(1 / delta))) ** 2
    assert simple < float(found) < float(loss)


def test_a_delta_that_promises_nothing_is_refused():
    """Above a tenth of one over the declared units, or of 100,000 where none are declared: exit status 3."""
    for more in (
        {"delta": "2e-6"},
        {"delta": "1e-5", "units": 20_000},
        {"delta": "2e-5", "units": 10},
    ):
        with pytest.raises(Refused, match="delta: at most"):
            promise(**more)
    assert promise(delta="1e-5", units=5_000).delta == Fraction(1, 10**5)
    for more in (
        {"delta": "0"},
        {"delta": "-1e-9"},
        {"delta": "1"},
        {"delta": "1e-6", "units": "many"},
        {"delta": None, "units": 9},
    ):
        with pytest.raises(BadInput):
            promise(**more)


@pytest.mark.parametrize(
    "more", [{"unit": "row"}, {"limiter": "sample"}, {"sample": "5%"}, {"site": "nest"}]
)
def test_what_has_no_proof_with_a_delta_is_refused(more):
    """Single rows, sampled rows, a sample of the units, two units at once."""
    with pytest.raises(Refused, match="has no proof with"):
        promise(**more)


@pytest.mark.parametrize(
    "more", [{"cap": "auto:0.1:4-30"}, {"limiter": "presence"}, {"consent": "who=p1,p2,p3"}]
)
def test_what_has_its_proof_is_used_together(survey, tmp_path, more):
    """A cap chosen privately, cells counted once, a consent rule: their proofs hold as they stand."""
    made = released(survey, tmp_path, promise(**more))
    made.save(tmp_path / "release.dpmap")
    opened = dm.open(tmp_path / "release.dpmap")
    assert opened.policy == made.policy and opened.measurements[0].kind == "gaussian"
    assert made.measurements[0].scale == made.policy.scale
    assert Ledger(tmp_path / "x.ledger").balance() == (9, 1)


def test_layers_share_one_length(survey, tmp_path):
    """A unit's length spans all layers of a layered grid, and each layer is read by the law of its noise."""
    layered = GRID.layered(dm.Kinds("who", ("p1", "p2", "p3")))
    made = dm.release(
        survey,
        layered,
        promise(),
        ledger=tmp_path / "x.ledger",
        dataset="D",
        budget=9,
        budget_delta="1e-5",
        strategy="flat",
    )
    assert made.measurements[0].scale == promise().scale
    assert {part.measurements[0].kind for part in made.layers.values()} == {"gaussian"}
    low, high = next(iter(made.layers.values())).interval(0.9)
    assert (low <= high).all()


@pytest.mark.parametrize(
    "more", [{"strategy": "adaptive"}, {"strategy": "sparse:20"}, {"noise": "opendp"}]
)
def test_what_measures_otherwise_is_refused_before_anything_is_spent(survey, tmp_path, more):
    """Strategies beyond single cells, and noise of another library."""
    with pytest.raises(Refused, match="delta= has no proof"):
        released(survey, tmp_path, **more)
    assert not (tmp_path / "x.ledger").exists()


def test_the_deltas_of_all_releases_add_up(survey, tmp_path):
    """Their budget is declared once, kept by the ledger, and the release that would pass it is refused."""
    with pytest.raises(Refused, match="add budget_delta="):
        released(survey, tmp_path, budget_delta=None)
    with pytest.raises(BadInput, match="budget-delta"):
        released(survey, tmp_path, budget_delta="0.1")
    first = released(survey, tmp_path, budget_delta="2e-6").record.receipt
    assert (first.spent_delta, first.budget_delta) == (DELTA, 2 * DELTA)
    with pytest.raises(Refused, match="fixed at the first release"):
        released(survey, tmp_path, budget_delta="3e-6")
    released(survey, tmp_path, budget_delta=None)
    with pytest.raises(BudgetExceeded, match="0 of 0.000002 remains"):
        released(survey, tmp_path, budget_delta=None)
    plain = released(survey, tmp_path, promise(delta=None), budget_delta=None)
    assert "delta" not in plain.record.policy.to_dict()
    assert Ledger(tmp_path / "x.ledger").balance_delta() == (2 * DELTA, 2 * DELTA)


def test_of_disjoint_data_sets_the_dearest_delta_counts(tmp_path):
    """As for epsilon."""
    book = Ledger(tmp_path / "x.ledger")
    for name in ("a", "b"):
        book.reserve(
            dataset=name,
            epsilon=Fraction(1),
            budget=Fraction(9),
            details={},
            delta=DELTA,
            budget_delta=Fraction(1, 10**5),
        )
    assert book.balance_delta()[1] == 2 * DELTA
    book.disjoint(["a", "b"], signed_by="Ana")
    assert book.balance_delta()[1] == DELTA


def test_a_session_measures_single_cells_only():
    """A length that was capped in single cells bounds no region of several: a strategy that asks for one is refused."""
    session = Session(np.ones((10, 12)), GRID, Fraction(1), 25, 2**28, DELTA)
    with pytest.raises(Refused, match="single cells"):
        session.measure(dm.grid.Partition(np.zeros((10, 12), dtype=np.int64)), Fraction(1))
    one = session.measure(dm.grid.Partition.cells(GRID), Fraction(1, 2))
    assert one.kind == "gaussian"
    assert one.scale == promise().noise_scale(Fraction(1, 2), 2**28)
    assert one.scale_steps == deviation(25, 2**28, rho(Fraction(1), DELTA) / 2)


def test_the_file_keeps_the_law_and_a_forged_one_is_refused(survey, tmp_path):
    """A release with a delta comes back as it was, and noise smaller than its promise needs is no release."""
    made = released(survey, tmp_path)
    path = tmp_path / "release.dpmap"
    made.save(path)
    opened = dm.open(path)
    assert opened.policy == made.policy and opened.record.receipt == made.record.receipt
    assert (
        opened.measurements[0].law
        == made.measurements[0].law
        == DiscreteGaussian(made.measurements[0].scale_steps)
    )
    assert np.array_equal(opened.estimate, made.estimate, equal_nan=True)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    plain = json.loads(parts["dpmap.json"])
    assert plain["format_version"] == 3 and plain["measurements"][0]["noise"] == "gaussian"
    for change in ({"noise": "laplace"}, {"scale": "1"}, {"noise": "cauchy"}):
        forged = {**plain, "measurements": [{**plain["measurements"][0], **change}]}
        with zipfile.ZipFile(tmp_path / "forged.dpmap", "w") as archive:
            for name, content in {**parts, "dpmap.json": json.dumps(forged).encode()}.items():
                archive.writestr(name, content)
        with pytest.raises(BadInput):
            read_record(tmp_path / "forged.dpmap")


def test_readers_are_told_of_delta(survey, tmp_path):
    """In words, in the statement, on the map, in layers' facts and in the registry's form."""
    record = released(survey, tmp_path).record
    words = statement(record)
    assert (
        "a chance of at most one in a million (delta = 0.000001) that the promise of epsilon does not hold"
        in words
    )
    assert (
        "a discrete Gaussian law" in words
        and "0.000001 of 0.00001" in words
        and "the root of 25" in words
    )
    assert (
        "delta"
        not in statement(
            released(survey, tmp_path, promise(delta=None), budget_delta=None).record
        ).split("## Budget")[0]
    )
    assert one_in(Fraction(1, 10**6)) in map_statement(record).provenance()
    assert map_statement(record).facts()["noise"].startswith("discrete Gaussian")
    form = description(record)
    assert '"delta": 1e-06' in json.dumps(form) and "Approximate DP" in json.dumps(form)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_the_gaussian_law_says_what_the_sampler_does(level):
    """Quantiles and tails hold as often as they say, at a sigma of a few steps too: compared with the exact masses."""
    for sigma in (1, 3, 17):
        numbers = np.arange(-40 * sigma, 40 * sigma + 1)
        mass = np.exp(-(numbers.astype(float) ** 2) / (2 * sigma**2))
        mass /= mass.sum()
        law = DiscreteGaussian(Fraction(sigma))
        assert mass[np.abs(numbers) <= law.two_sided(level)].sum() >= level
        assert mass[numbers <= law.one_sided(level)].sum() >= level
        assert mass[np.abs(numbers) <= law.two_sided(level) - 2].sum() < level or sigma == 1
        for steps in (1, sigma, 4 * sigma):
            assert mass[numbers >= steps].sum() <= law.at_least(np.array([steps]))[0]
            assert mass[numbers >= steps].sum() <= law.contrast(np.array([steps]))[0]
        twice = np.convolve(mass, mass)
        assert (
            twice[np.abs(np.arange(-80 * sigma, 80 * sigma + 1)) <= law.of_sum(level, 2)].sum()
            >= level
        )


def test_the_best_of_many_is_within_its_bound():
    """The bound of sums chosen after seeing all noises holds for the worst choice."""
    law, held = DiscreteGaussian(Fraction(2**20)), 0
    reach = law.of_chosen(0.5, 3, 60)
    for row in discrete_gaussian(60 * 400, 2**20).reshape(400, 60):
        ordered = np.sort(row)
        held += max(ordered[-3:].sum(), -ordered[:3].sum()) <= reach
    assert held / 400 > 0.5
    assert law.of_chosen(0.9, 1, 1) == pytest.approx(law.two_sided(0.9), rel=1e-5)


def test_intervals_hold_over_simulated_releases():
    """Cells and zones of maps with Gaussian noise are in their 90 % intervals at least so often, and by the noise alone hardly more."""
    truth = np.arange(120.0).reshape(10, 12) * 2
    zone = np.zeros((10, 12), dtype=bool)
    zone[2:6, 3:9] = True
    cells, strict, zones, runs = [], [], [], 300
    for _ in range(runs):
        session = Session(truth, GRID, Fraction(1), 25, 2**28, DELTA)
        session.measure(dm.grid.Partition.cells(GRID), Fraction(1))
        reading = infer(GRID, session.made)
        for held, (low, high) in (
            (cells, reading.interval(0.9)),
            (strict, reading.own.interval(0.9)),
        ):
            held.append(((low <= truth) & (truth <= high)).mean())
        _, below, above = reading.zone(zone, zone, 0.9)
        zones.append(below <= truth[zone].sum() <= above)
    margin = 6 * math.sqrt(0.09 / (runs * 120))
    assert np.mean(cells) > 0.9 - margin
    assert 0.9 - margin < np.mean(strict) < 0.92 + margin
    assert np.mean(zones) > 0.9 - 6 * math.sqrt(0.09 / runs)


def test_hot_spots_of_an_empty_map_are_rare():
    """Over maps of nothing, few find any hot spot: each that does is a false one."""
    falsely = 0
    for _ in range(60):
        session = Session(np.zeros((10, 12)), GRID, Fraction(1), 25, 2**28, DELTA)
        session.measure(dm.grid.Partition.cells(GRID), Fraction(1))
        falsely += Search(GRID, session.made[-1], 0.0, 0.1).find().any()
    assert falsely < 30  # 6 expected; 30 of 60 at a chance of a tenth is one in 10^13


def test_plan_says_when_gaussian_noise_wins():
    """From a cap of eight or ten on at the usual epsilons, in numbers for the declared cap and delta."""
    grid = dm.Grid(bounds=(0, 0, 20_000, 20_000), shape=(4, 4), crs="EPSG:3857")
    told = dm.plan(grid, promise(cap=25), units=300).other_noise
    assert "Gaussian noise is the smaller" in told and "from a cap of 11 on" in told
    assert "Laplace noise is the smaller" in planner._other_noise(promise(cap=5))
    assert planner._other_noise(promise(cap=5, delta=None)) == ""
    assert "Gaussian noise is the smaller" in planner._other_noise(promise(cap=25, delta=None))
    for delta, epsilon, least in (("1e-5", "0.3", 7), ("1e-5", 1, 9), ("1e-6", "0.3", 9)):
        one = promise(cap=1, delta=delta, epsilon=epsilon, units=1000)
        ratio = float(one.scale) / DiscreteLaplace(1 / one.epsilon * 2**32).deviation * 2**32
        assert math.ceil(ratio**2) == least


def test_plan_and_release_on_the_command_line(survey, tmp_path, capsys):
    """`--delta` is all there is to say, but for the strategy and the budget."""
    cells = ["--bounds", "0,0,20000,20000", "--shape", "4,4", "--grid-crs", "EPSG:3857"]
    assert (
        run(["plan", *cells, "--epsilon", "1", "--cap", "25", "--delta", "1e-6", "--units", "300"])
        == 0
    )
    assert "Gaussian noise is the smaller" in capsys.readouterr().out
    assert run(["plan", *cells, "--error", "9", "--cap", "25", "--delta", "1e-6"]) == 2
    small = [
        "--bounds",
        "0,0,12,10",
        "--shape",
        "10,12",
        "--grid-crs",
        "EPSG:3857",
        "--x",
        "x",
        "--y",
        "y",
        "--crs",
        "EPSG:3857",
    ]
    words = [
        "release",
        str(tmp_path / "survey.csv"),
        *small,
        "--unit",
        "who",
        "--epsilon",
        "1",
        "--cap",
        "25",
        "--dataset",
        "D",
    ]
    words += [
        "--budget",
        "3",
        "--ledger",
        str(tmp_path / "x.ledger"),
        "--strategy",
        "flat",
        "--delta",
        "1e-6",
    ]
    assert run([*words, "--out", str(tmp_path / "out")]) == 3
    assert run([*words, "--budget-delta", "1e-5", "--out", str(tmp_path / "out")]) == 0
    assert "delta 0.000001; 0.000009 of 0.00001 remains" in capsys.readouterr().out
    assert (
        run(
            [
                "ledger",
                str(tmp_path / "x.ledger"),
                "--against",
                str(tmp_path / "out" / "release.dpmap"),
            ]
        )
        == 0
    )
    assert "delta: spent 0.000001 of 0.00001" in capsys.readouterr().out
