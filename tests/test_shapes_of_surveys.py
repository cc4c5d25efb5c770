"""Surveys of odd shapes give maps of the declared shape, and the plain mechanism is exactly the textbook's."""

import zipfile
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import surveys
from scipy import stats

import dpmap as dm
from dpmap import cli
from dpmap.promise.limiters import LIMITERS

GRID = dm.Grid(bounds=(0, 0, 6, 4), shape=(4, 6), crs="EPSG:4326")


def survey_of(folder, lines):
    return surveys.survey(folder, lines, "who,lon,lat")


def released(folder, survey, *, epsilon="1", cap=3, grid=GRID, unit="who", **more):
    policy = dm.Policy(epsilon=epsilon, unit=unit, cap=cap, **more)
    return surveys.released(survey, folder, grid, policy, budget=10**9, dataset=f"by {unit}")


SHAPES = {
    "empty": [],
    "one row": ["a,1.5,1.5"],
    "all but one outside": ["a,1.5,1.5", *(f"u{i},{50 + i},{-20}" for i in range(30))],
    "one unit": ["a,1.5,1.5"] * 500,
    "every row a unit": [f"u{i},{i % 6}.5,{i % 4}.5" for i in range(300)],
    "full": [f"u{i % 9},{i % 6}.5,{i // 6 % 4}.5" for i in range(2000)],
}


@pytest.mark.parametrize("limiter", LIMITERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_survey_gives_the_same_output_shape(tmp_path, shape, limiter):
    """Empty or full, a survey gives the same cells, the same columns and the same entries in the release file."""
    made = released(tmp_path, survey_of(tmp_path, SHAPES[shape]), limiter=limiter)
    assert made.estimate.shape == (4, 6)
    assert np.isfinite(made.estimate).all()
    assert (made.estimate >= 0).all()
    (measurement,) = made.measurements
    assert measurement.values.shape == (24,)
    assert measurement.scale == 3
    low, high = made.interval(0.9)
    assert ((low <= high) & (low >= 0)).all()
    assert len(made.to_geodataframe()) == 24
    made.save(tmp_path / "r.dpmap")
    with zipfile.ZipFile(tmp_path / "r.dpmap") as archive:
        assert sorted(archive.namelist()) == ["dpmap.json", "measurement_0.npy"]
        assert archive.getinfo("measurement_0.npy").file_size == 128 + 24 * 8


@pytest.mark.parametrize("shape", ["empty", "one row", "all but one outside"])
def test_the_command_line_maps_odd_surveys_too(tmp_path, shape, capfd):
    """With an empty survey every file is written as with a full one, and nothing on the screen tells them apart."""
    survey_of(tmp_path, SHAPES[shape])
    code = cli.run(["release", str(tmp_path / "survey.csv"), "--bounds", "0,0,6,4", "--shape", "4,6", "--epsilon", "1", "--unit", "who",
                    "--cap", "3", "--dataset", "d", "--budget", "1", "--out", str(tmp_path / "out")])  # fmt: skip
    out, err = capfd.readouterr()
    assert (code, err) == (0, "")
    written = {
        line.split()[1].rsplit("/", 1)[1] for line in out.splitlines() if line.startswith("wrote")
    }
    assert {
        "release.dpmap",
        "statement.md",
        "map.png",
        "map.html",
        "cells.gpkg",
        "map.tif",
    } <= written


@pytest.mark.parametrize("limiter", LIMITERS)
def test_one_unit_with_a_million_rows(tmp_path, limiter):
    """A single unit with a million rows gives a map like any other, and adds no more than its cap to it."""
    count = 1_000_000
    dice = np.random.default_rng(1)
    table = pa.table(
        {
            "who": pa.array(["heavy"] * count).dictionary_encode(),
            "lon": dice.uniform(0, 6, count),
            "lat": dice.uniform(0, 4, count),
        }
    )
    pq.write_table(table, tmp_path / "s.parquet")
    made = released(
        tmp_path, dm.read(tmp_path / "s.parquet"), epsilon=10**7, cap=5, limiter=limiter
    )
    assert made.estimate.shape == (4, 6)
    assert made.measurements[0].values.sum() == pytest.approx(5, rel=1e-3)
    if limiter == "scale":
        assert made.measurements[0].values.max() < 5 / 24 * 1.1


def test_an_empty_column_of_units_is_bad_input(tmp_path):
    """Where nobody is named in any row, or only in blanks and placeholders, that is said and nothing is spent."""
    for blanks in (["", ""], ["NULL", " "], ["n/a", "-"], ["\u200b", "\u00a0"]):
        survey = survey_of(tmp_path, [f'"{blank}",1,1' for blank in blanks])
        with pytest.raises(dm.errors.BadInput, match="unit"):
            released(tmp_path, survey)
    assert not (tmp_path / "x.ledger").exists()


def test_text_for_coordinates_is_bad_input(tmp_path):
    """Where no row has a number for a coordinate, that is said with the column's name and nothing is spent."""
    for lines in (
        ["a,east,1", "b,west,2"],
        ["a,1,x", "b,2,y"],
        ['a,"1,5,7","2,5,7"'],
        ["a,,", "b,,"],
    ):
        with pytest.raises(dm.errors.BadInput, match="lon|lat"):
            released(tmp_path, survey_of(tmp_path, lines))
    assert not (tmp_path / "x.ledger").exists()


def test_a_decimal_comma_is_read(tmp_path):
    """Degrees written with a decimal comma, as spreadsheets in half of Europe export them, are numbers."""
    made = released(
        tmp_path, survey_of(tmp_path, ['a,"1,5","2,5"', 'b,"1,6","2,6"']), epsilon=10**6, cap=1
    )
    assert made.measurements[0].values.round(3).sum() == 2


def test_one_good_row_is_enough(tmp_path):
    """Rows that cannot be read drop alone: one row with a name and a place makes a map."""
    made = released(
        tmp_path,
        survey_of(tmp_path, ["a,east,1", ",1,1", "b,1.5,1.5", "c,nan,1", "d,-inf,inf"]),
        epsilon=10**6,
        cap=1,
    )
    assert made.measurements[0].values.round(3).sum() == 1


def expected_scale(counts, cap):
    """The capped totals of rows counted per (unit, cell), by the definition of the limiter `scale`."""
    whole = counts.sum(axis=1, keepdims=True)
    return (counts * np.minimum(1, cap / np.maximum(whole, 1))).sum(axis=0)


def test_with_a_huge_epsilon_the_map_is_exact(tmp_path):
    """At epsilon a million the map is the capped totals themselves: nothing else has been done to them."""
    dice = np.random.default_rng(4)
    counts = dice.poisson(2, (40, 24))
    lines = [
        f"u{unit},{cell % 6}.5,{3 - cell // 6}.5"
        for unit in range(40)
        for cell in range(24)
        for _ in range(counts[unit, cell])
    ]
    made = released(tmp_path, survey_of(tmp_path, lines), epsilon=10**6, cap=7)
    expected = expected_scale(counts, 7).reshape(4, 6)
    assert np.abs(made.estimate - expected).max() < 1e-3
    assert np.abs(made.measurements[0].values.reshape(4, 6) - expected).max() < 1e-3
    rows = released(tmp_path, survey_of(tmp_path, lines), epsilon=10**6, cap=1, unit="row")
    assert np.abs(rows.estimate - counts.sum(axis=0).reshape(4, 6)).max() < 1e-3


def misfit(noise, scale):
    """The p-value of a chi-square of the noise over 40 slots of equal chance under the Laplace law."""
    share = stats.laplace.cdf(noise, scale=float(scale))
    counts = np.bincount(np.minimum((share * 40).astype(int), 39), minlength=40)
    return stats.chisquare(counts).pvalue


@pytest.mark.parametrize(("epsilon", "cap"), [("0.5", 3), ("1", 1), ("3", 20)])
def test_the_noise_of_a_release_is_laplace_of_cap_over_epsilon(tmp_path, epsilon, cap):
    """Over many cells of a real release the noise has the promised scale; five per cent more or less would show."""
    grid = dm.Grid(bounds=(0, 0, 300, 300), shape=(300, 300), crs="EPSG:3857")
    (tmp_path / "s.csv").write_text(
        "who,x,y\n" + "".join(f"u{i},{i}.5,{i}.5\n" for i in range(100))
    )
    survey = dm.read(tmp_path / "s.csv", x="x", y="y", crs="EPSG:3857")
    made = released(tmp_path, survey, epsilon=epsilon, cap=cap, grid=grid)
    true = np.zeros((300, 300))
    true[299 - np.arange(100), np.arange(100)] = 1
    noise = made.measurements[0].values - true.ravel()
    scale = Fraction(cap) / Fraction(epsilon)
    assert made.measurements[0].scale == scale
    assert misfit(noise, scale) > 1e-9
    assert misfit(noise, scale * Fraction(105, 100)) < 1e-9
    assert misfit(noise, scale * Fraction(95, 100)) < 1e-9


def test_simulate_is_the_same_mechanism(tmp_path):
    """A simulation of public counts has the shape, the noise and the non-negativity of a release, and costs nothing."""
    counts = np.zeros((250, 200))
    counts[10:20] = 10**6
    shown = dm.simulate(counts, epsilon="0.5", cap=4, strategy="flat")
    assert shown.shape == counts.shape
    assert (shown >= 0).all()
    noise = (shown - counts)[10:20].ravel()
    assert 8 * 0.9 < np.abs(noise - np.median(noise)).mean() < 8 * 1.1
    assert np.abs(dm.simulate([5, 0, 7], epsilon=10**6) - [5, 0, 7]).max() < 1e-3
    for bad in ([], [[[1]]], [-1], [np.nan], [np.inf]):
        with pytest.raises(dm.errors.BadInput):
            dm.simulate(bad, epsilon=1)


@pytest.mark.parametrize("large", [2.0**31, 1e12, 1e300])
def test_simulate_of_numbers_beyond_its_lattice_is_refused_or_right(large):
    """A public raster with very large numbers is simulated rightly or refused, never turned into nonsense."""
    try:
        shown = dm.simulate([large, 1.0], epsilon=10**6)
    except dm.errors.BadInput:
        return
    assert shown == pytest.approx([large, 1], rel=1e-3, abs=1)


def test_coordinates_are_in_the_crs_that_was_named(tmp_path):
    """Metres of a national grid on a grid in degrees, and the other way, land in the same cells."""
    (tmp_path / "s.csv").write_text("who,east,north\na,400000,200000\nb,450000,250000\n")
    survey = dm.read(tmp_path / "s.csv", x="east", y="north", crs="EPSG:27700")
    grid = dm.Grid(bounds=(-2.5, 51, -0.5, 53), shape=(4, 4), crs="EPSG:4326")
    made = released(tmp_path, survey, epsilon=10**6, cap=1, grid=grid)
    assert [tuple(place) for place in np.argwhere(made.estimate > 0.5).tolist()] == [(1, 2), (2, 0)]


@pytest.mark.parametrize("unit", ["who", "WHO", " who "])
def test_a_missing_consent_column_or_unit_is_told_with_what_there_is(tmp_path, unit):
    """A column that is not there is refused before anything is spent, and the message lists the columns."""
    survey = survey_of(tmp_path, ["a,1,1"])
    released(tmp_path, survey, unit=unit)
    for policy in (dict(unit="nobody"), dict(consent="agreed=yes")):
        with pytest.raises(dm.errors.BadInput, match="who, lon, lat"):
            released(tmp_path, survey, **policy)
