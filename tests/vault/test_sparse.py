"""A sparse release is a flat one of which only the cells above a public threshold are told, drawn without a dense array."""

from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest
import rasterio
from builders import surveys
from scipy import stats

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference import sparse_bounds
from dpmap.record import Record
from dpmap.record.release_file import write_record
from dpmap.vault import laplace
from dpmap.vault.session import Session

CELLS, MAPS = 6, 20_000
COUNTS = np.array([[0, 0, 2, 0, 9, 0]])
GRID = dm.Grid(bounds=(0, 0, CELLS, 1), shape=(1, CELLS), crs="EPSG:3857")


def p_value(seen, expected):
    """Chi-square of counts against what is expected, sparse classes joined."""
    rare = np.asarray(expected) < 8
    seen, expected = (
        np.append(one[~rare], one[rare].sum()) for one in (np.asarray(seen), np.asarray(expected))
    )
    kept = expected > 0
    return stats.chisquare(seen[kept], expected[kept] * seen.sum() / expected[kept].sum()).pvalue


def law_of(threshold, scale, top):
    """P(K = threshold + g), g = 0 ... top, and how likely a cell is shown, by floating point."""
    ratio = np.exp(-1 / float(scale))
    mass = (1 - ratio) / (1 + ratio) * ratio ** (threshold + np.arange(top))
    return mass, ratio**threshold / (1 + ratio)


def check_law(threshold, scale):
    """Maps of a few empty cells: how many are shown, which, and at what value, each against the exact law."""
    places, noise = laplace.discrete_laplace_from(threshold, CELLS * MAPS, scale)
    assert (np.diff(places) > 0).all() and (noise >= threshold).all()
    mass, tail = law_of(threshold, scale, 400)
    number = np.bincount(np.bincount(places // CELLS, minlength=MAPS), minlength=CELLS + 1)
    assert p_value(number, MAPS * stats.binom.pmf(np.arange(CELLS + 1), CELLS, tail)) > 1e-5
    assert stats.binomtest(len(places), CELLS * MAPS, tail).pvalue > 1e-5
    assert (
        p_value(np.bincount(places % CELLS, minlength=CELLS), np.full(CELLS, len(places) / CELLS))
        > 1e-5
    )
    values = np.bincount(np.minimum(noise - threshold, 399), minlength=400)
    assert p_value(values, len(places) * mass / tail) > 1e-5


@pytest.mark.parametrize(
    ("threshold", "scale"),
    [(1, Fraction(1)), (3, Fraction(2)), (5, Fraction(9, 2)), (2, Fraction(1, 2))],
)
def test_empty_cells_appear_as_if_each_had_its_noise(threshold, scale):
    """The number, the places and the values of the cells shown follow the law of the dense sampler, cut at the threshold."""
    check_law(threshold, scale)


@pytest.mark.parametrize(
    "broken", ["no thinning", "gaps are short", "one too high", "wrong scale", "too few candidates"]
)
def test_a_broken_sampler_is_caught(monkeypatch, broken):
    """The check above is no formality: it fails on the ways in which such a sampler is known to break."""
    real, law = laplace.CandidateThinning, laplace.LaplaceCoins
    if broken == "no thinning":
        monkeypatch.setattr(
            laplace, "CandidateThinning", lambda *_: laplace.Coin(Fraction(1, 1000), 0)
        )
    elif broken == "gaps are short":
        monkeypatch.setattr(laplace, "LaplaceCoins", lambda scale: law(scale * Fraction(9, 10)))
    elif broken == "one too high":
        monkeypatch.setattr(
            laplace, "CandidateThinning", lambda threshold, scale, y: real(threshold + 1, scale, y)
        )
    elif broken == "wrong scale":
        monkeypatch.setattr(
            laplace,
            "CandidateThinning",
            lambda threshold, scale, y: real(threshold, scale * Fraction(11, 10), y),
        )
    else:
        candidates = laplace._candidates
        monkeypatch.setattr(
            laplace, "_candidates", lambda *given: candidates(*given) * Fraction(9, 10)
        )
        monkeypatch.setattr(
            laplace,
            "CandidateThinning",
            lambda threshold, scale, y: real(threshold, scale, y * Fraction(10, 9)),
        )
    with pytest.raises(AssertionError):
        check_law(3, Fraction(2))


def test_the_session_shows_what_a_flat_map_would_show():
    """Occupied and empty cells alike: shown sets and values of many sparse maps against as many flat ones, cut."""
    threshold, epsilon, maps = 3, Fraction(1), 600
    seen = {"sparse": np.zeros((CELLS, 40)), "flat": np.zeros((CELLS, 40))}
    together = {"sparse": np.zeros(2**CELLS), "flat": np.zeros(2**CELLS)}
    for _ in range(maps):
        one = Session(COUNTS, GRID, epsilon, 2, 1).measure_from(Fraction(threshold), epsilon)
        other = Session(COUNTS, GRID, epsilon, 2, 1).measure(Partition.cells(GRID), epsilon)
        kept = np.flatnonzero(other.steps >= threshold)
        for name, places, steps in (
            ("sparse", one.partition.places, one.steps),
            ("flat", kept, other.steps[kept]),
        ):
            seen[name][places, np.minimum(steps, 39)] += 1
            together[name][(1 << places).sum()] += 1
    for name, counts in (("values", seen), ("cells together", together)):
        pair = np.array([counts["sparse"].ravel(), counts["flat"].ravel()])
        rare = pair.sum(axis=0) < 20
        table = np.column_stack([pair[:, ~rare], pair[:, rare].sum(axis=1)])
        assert stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > 1e-5, name


@pytest.fixture
def survey(tmp_path):
    rows = [("q", 50, 50), *((f"p{i}", 500_050 + 100 * (i % 7), 250_050) for i in range(700))]
    return surveys.survey(tmp_path, rows, "who,x,y", x="x", y="y", crs="EPSG:3035")


def sparse_release(survey, tmp_path, side, **options):
    grid = dm.Grid(
        bounds=(0, 0, 100 * side, 100 * side), shape=(side, side), crs="EPSG:3035", **options
    )
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    return surveys.released(survey, tmp_path, grid, policy, strategy="sparse:18", notes={})


def test_a_billion_cells_are_released_saved_and_written(survey, tmp_path):
    """10^9 cells: the few that hold much are there, the file comes back whole, layers agree, nothing is dense."""
    side = 31_623
    made = sparse_release(survey, tmp_path, side)
    measurement = made.measurements[0]
    (row, column), first = divmod(measurement.partition.places, side), 5000
    full = (row == side - 1 - 2500) & (column >= first) & (column < first + 7)
    assert full.sum() == 7 and abs(measurement.values[full] - 100).max() < 40
    assert measurement.values.min() >= 18 and made.fresh
    made.save(tmp_path / "r.dpmap")
    opened = dm.open(tmp_path / "r.dpmap")
    assert (opened.measurements[0].steps == measurement.steps).all() and opened.sparse
    assert (opened.measurements[0].partition.places == measurement.partition.places).all()
    opened.export(tmp_path / "cells.parquet")
    table = pq.read_table(tmp_path / "cells.parquet")
    assert table["cell"].to_pylist() == measurement.partition.places.tolist()
    assert (np.asarray(table["low"]) <= np.asarray(table["noisy"])).all()
    opened.write(tmp_path / "statement.md")
    assert (
        "of which those of at least 18 noisy points are listed"
        in (tmp_path / "statement.md").read_text()
    )
    assert "not listed is not empty" in (tmp_path / "statement.md").read_text()
    with pytest.raises(BadInput, match="export it to .parquet or .tif"):
        _ = opened.estimate
    with pytest.raises(BadInput, match=r"\.parquet or \.tif"):
        opened.export(tmp_path / "cells.gpkg")


def test_a_sparse_geotiff_holds_the_cells_shown_and_nothing_else(survey, tmp_path):
    """Each cell shown is where it belongs, with overviews; every other cell has no data."""
    made = sparse_release(survey, tmp_path, 3000)
    made.export(tmp_path / "map.tif")
    with rasterio.open(tmp_path / "map.tif") as raster:
        values, tags = raster.read(1), raster.tags()
        assert raster.overviews(1) and raster.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
    measurement = made.measurements[0]
    assert np.flatnonzero(np.isfinite(values)).tolist() == measurement.partition.places.tolist()
    assert values[np.isfinite(values)] == pytest.approx(measurement.values)
    assert tags["threshold"] == "18 points" and "at most" in tags["not_shown"]


def test_intervals_of_cells_shown_and_not_shown_hold_every_total():
    """For any total, the interval that a sparse map gives its cell holds it at least 9 times in 10."""
    for total in (0, 1, 5, 12, 30):
        counts = np.full((1, 4000), total)
        grid = dm.Grid(bounds=(0, 0, 4000, 1), shape=(1, 4000), crs="EPSG:3857")
        made = Session(counts, grid, Fraction(1), 3, 2**8).measure_from(Fraction(8), Fraction(1))
        low, high = sparse_bounds.interval(made, 0.9)
        hidden = (grid.size - len(low)) * (total <= sparse_bounds.hidden_below(made, 8.0, 0.9))
        assert ((low <= total) & (total <= high)).sum() + hidden >= 0.88 * grid.size


@pytest.mark.parametrize("threshold", ["", "0", "-3", "many", "1e9"])
def test_a_threshold_that_makes_no_sense_is_refused_before_anything_is_spent(
    survey, tmp_path, threshold
):
    """It is declared, above 0, and within reach of the noise."""
    grid = dm.Grid(bounds=(0, 0, 100, 100), shape=(10, 10), crs="EPSG:3035")
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    with pytest.raises(BadInput):
        dm.release(
            survey,
            grid,
            policy,
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
            strategy=f"sparse:{threshold}",
        )
    assert not (tmp_path / "l").exists()


def test_a_huge_grid_needs_a_threshold(survey, tmp_path):
    """Other strategies say at once what to type; nothing is counted or spent."""
    grid = dm.Grid(bounds=(0, 0, 4e6, 4e6), shape=(40_000, 40_000), crs="EPSG:3035")
    with pytest.raises(BadInput, match="strategy=sparse:20"):
        dm.release(
            survey,
            grid,
            dm.Policy(epsilon=1, unit="who", cap=1),
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
        )
    assert not (tmp_path / "l").exists()


def test_a_file_that_shows_cells_below_its_threshold_is_refused(survey, tmp_path):
    """What a file claims is checked when it is opened."""
    made = sparse_release(survey, tmp_path, 6000)
    measurement = made.measurements[0]
    steps = measurement.steps.copy()
    steps[0] = 5
    record = made.record
    forged = dm.record.Measurement(
        measurement.partition,
        steps,
        lattice=measurement.lattice,
        scale=measurement.scale,
        epsilon=measurement.epsilon,
    )
    forged_record = Record(
        record.grid, record.policy, record.strategy, (forged,), record.receipt, record.released_on
    )
    write_record(forged_record, tmp_path / "f.dpmap")
    with pytest.raises(BadInput, match="below its threshold"):
        dm.open(tmp_path / "f.dpmap")
