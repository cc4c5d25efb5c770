"""What the noise costs is said as a share of the observers, alike in plan, statement, attestation and page."""

import re
from pathlib import Path

import numpy as np
import pytest
from builders import records

import dpmap as dm
from dpmap.grid import Grid, Partition
from dpmap.maps import read_map
from dpmap.noise.theory import survey_share
from dpmap.record import Record
from dpmap.render.page_data import facts as page_facts
from dpmap.statement.attestation.writers import FILES
from dpmap.statement.phrases import survey_words
from dpmap.statement.statement import statement
from dpmap.steward.planning import landscapes, planner
from dpmap.steward.planning.plan_text import summary
from dpmap.steward.planning.report import page

SAVED = Path(__file__).parent / "stability" / "saved" / "0.2.0"
GRID = Grid(bounds=(0, 0, 16_000, 12_000), shape=(12, 16), crs="EPSG:3857")
POLICY = dm.Policy(epsilon="1", unit="observer", cap=1)
SENTENCE = (
    "For a project area of 25 cells that holds 100 points the noise costs as much as if only 67 % of the observers "
    "had reported; for 1,000 points 95 %."
)
"""25 noises of scale 1 have a variance of 50: 100 of 150, and 1,000 of 1,050."""


def made() -> Record:
    return records.record(GRID, POLICY, [records.measured(Partition.cells(GRID), 0, POLICY)])


@pytest.mark.parametrize(("points", "variance"), [(100, 50.0), (1, 1e4), (1e6, 2.5), (30, 0.0)])
def test_the_share_is_that_whose_chance_alone_is_chance_and_noise_together(
    points: float, variance: float
) -> None:
    """A survey of the share without noise varies as much as that of all observers with it."""
    share = survey_share(points, variance)
    assert 0 < share <= 1
    assert points / share == pytest.approx(points + variance)


def test_a_thinned_survey_is_as_unsure_as_a_noised_one() -> None:
    """Drawn 40,000 times, both miss the same truth by as much: within 5 %, seven deviations of chance."""
    dice, points, scale, cells = np.random.default_rng(5), 100, 1.5, 25
    share = survey_share(points, cells * 2 * scale**2)
    noised = dice.poisson(points, 40_000) + dice.laplace(0, scale, (40_000, cells)).sum(1)
    thinned = dice.poisson(points * share, 40_000) / share
    assert np.var(thinned) == pytest.approx(np.var(noised), rel=0.05)


def test_statement_attestation_and_page_say_it_once() -> None:
    """Each of them has the one sentence, of the noise that the record has."""
    record = made()
    assert read_map(record).noise_variance(25, 100) == pytest.approx(50, rel=1e-6)
    assert statement(record).count(SENTENCE) == 1
    for name in ("attestation.md", "attestation.json", "attestation.html"):
        assert re.sub(r"\s+", " ", FILES[name](record)).count(SENTENCE) == 1, name
    about = page_facts(record, read_map(record).estimate(), level=0.9, per_km2=True)["about"]
    assert ["What the noise costs", SENTENCE] in about


def test_a_plan_says_it_in_words_on_its_page_and_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan's sentence is the map's, and says what the default strategy makes of it."""
    monkeypatch.setattr(planner, "MOST", 4)
    monkeypatch.setattr(landscapes, "LIBRARY", dict(landscapes.SHAPES))
    plan = dm.plan(GRID, POLICY, units=400)
    few, many = plan.to_dict()["survey_shares"]
    assert SENTENCE in summary(plan)
    assert SENTENCE in page(plan)
    assert (few["cells"], few["points"], many["points"]) == (25, 100, 1000)
    assert few["share"] == pytest.approx(100 / 150, rel=1e-6)
    assert few["adaptive"] == pytest.approx(100 / (100 + 50 * plan.adaptive_times**2), rel=1e-6)
    assert few["adaptive"] < few["share"]


def test_a_small_map_and_areas_speak_of_what_they_have() -> None:
    """A map of fewer cells speaks of all of them, one of areas of an area."""
    small = Grid(bounds=(0, 0, 3, 3), shape=(3, 3), crs="EPSG:3857")
    said = [
        survey_words(grid, read_map(made()).noise_variance)
        for grid in (small, Grid.areas(records.districts()))
    ]
    assert said[0].startswith("For a project area of 9 cells that holds 100 points")
    assert said[1].startswith("For an area that holds 100 points")


def test_coins_of_devices_vary_as_their_law_says() -> None:
    """The variance for reports is that of the supports of each cell: drawn 20,000 times, within 7 %, seven deviations."""
    record = dm.open(SAVED / "reports-grr.dpmap").record
    reports, dice, points = record.reports, np.random.default_rng(6), 40
    assert reports is not None
    truth, other, count = float(reports.truth), float(reports.other), reports.count
    drawn = dice.binomial(points, truth, 20_000) + dice.binomial(count - points, other, 20_000)
    expected = read_map(record).noise_variance(1, points)
    assert np.var((drawn - count * other) / (truth - other)) == pytest.approx(expected, rel=0.07)


@pytest.mark.parametrize("stem", sorted(path.stem for path in SAVED.glob("*.dpmap")))
def test_every_kind_says_it_or_has_no_totals(stem: str) -> None:
    """Each kind of map says it, but for means and for maps that list some cells only."""
    record = dm.open(SAVED / f"{stem}.dpmap").record
    silent = record.sparse or record.grid.mean is not None
    assert ("of the observers had reported" in statement(record)) == (not silent)


def test_partners_noises_add_up() -> None:
    """Of two maps added up the variance is the sum of both."""
    record = dm.open(SAVED / "merged.dpmap").record
    parts = [read_map(one).noise_variance(9, 0) for one in record.partners]
    assert read_map(record).noise_variance(9, 0) == pytest.approx(sum(parts))
    assert len(parts) > 1
