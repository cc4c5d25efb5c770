"""A mean is told with its cell's count by one noise: the cap holds for both parts, and what is unsure is no number."""

import os
from fractions import Fraction

import numpy as np
import pytest
from builders import surveys
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.cli import run
from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput, Refused
from dpmap.grid import Partition
from dpmap.grid.layer_axes import Values
from dpmap.inference.mean_estimate import MeanEstimate
from dpmap.record import Measurement
from dpmap.statement.statement import statement
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.laplace import discrete_laplace

DEEP = os.environ.get("DPMAP_DEEP") == "1"
GROUND = dm.Grid(bounds=(0, 0, 4, 2), shape=(2, 4), crs="EPSG:3857")
NEARLY_EXACT = 10**6


def survey(folder, rows, **options):
    return surveys.survey(
        folder,
        rows,
        "who,x,y,height,kind",
        **{**surveys.METRES, "mean": "height", "between": "0,10", **options},
    )


def totals(rows, policy, engine=None):
    """The two layers' capped totals, in points."""
    grid, shares = GROUND.layered(rows.roles.reading.values), rows.roles.shares
    found = (engine or DuckDB(threads=1)).totals(
        rows, grid, policy, capped_totals(policy, shares), lambda _: None
    )
    full = np.zeros(grid.size)
    full[found._cells] = found._steps / policy.lattice
    return full.reshape(2, -1)


def release(folder, rows, grid=GROUND, epsilon=NEARLY_EXACT, cap=1000, **options):
    policy = dm.Policy(epsilon=epsilon, unit="who", cap=cap)
    return surveys.released(
        rows, folder, grid, policy, **{"dataset": "Heights", "budget": 10**9, **options}
    )


PEOPLE = [
    (f"p{i % 40}", i % 4 + 0.5, 0.5, (i * 7) % 13 - 1, "oak" if i % 3 else "elm")
    for i in range(800)
]


def clipped_mean(rows, column, kind=None):
    return np.mean(
        [min(max(h, 0), 10) for _, x, _, h, k in rows if int(x) == column and kind in (None, k)]
    )


def test_the_mean_is_that_of_the_clipped_values(tmp_path):
    """With hardly any noise each cell tells the mean of its values, those beyond an end counted as that end, and how many
    there are.
    """
    made = release(tmp_path, survey(tmp_path, PEOPLE))
    for column in range(4):
        assert made.estimate[1, column] == pytest.approx(clipped_mean(PEOPLE, column), abs=1e-3)
    low, high = made.interval(0.9)
    assert ((low <= made.estimate) & (made.estimate <= high)).all() and (
        high[1] - low[1] < 0.01
    ).all()
    frame = made.to_geodataframe()
    assert frame.answered[4:].all() and frame["mean"][4:].notna().all()
    assert frame["count"].tolist()[4:] == pytest.approx([200] * 4, abs=0.1)


def test_a_sum_counts_individuals_under_the_cap(tmp_path):
    """A row that states how many counts as that many up to its most, the cap is in individuals, and the map says so."""
    rows = [
        ("a", 0.5, 0.5, 3, ""),
        ("a", 1.5, 0.5, 90, ""),
        ("b", 0.5, 0.5, 1, ""),
        ("c", 2.5, 0.5, 0, ""),
    ]
    opened = survey(tmp_path, rows, mean=None, between=None, count="height", max_count=5)
    made = release(tmp_path, opened, cap=1000)
    assert made.estimate[1].tolist() == pytest.approx([4, 5, 0, 0], abs=0.1)
    capped = release(tmp_path, opened, cap=4, epsilon=NEARLY_EXACT)
    assert capped.estimate[1].tolist() == pytest.approx([1.5 + 1, 2.5, 0, 0], abs=0.1)
    ax = capped.plot(context=False)
    words = " ".join(
        text.get_text() for text in ax.figure.findobj(lambda found: hasattr(found, "get_text"))
    )
    assert "individuals per hectare" in words


def test_where_little_was_counted_there_is_no_answer():
    """A cell whose count noise explains has no mean, however lopsided its noise is, and the declared ends as its bounds;
    one of which much is known has both.
    """
    grid = dm.Grid(bounds=(0, 0, 4, 1), shape=(1, 4), crs="EPSG:3857").layered(
        Values("height", 0, 10)
    )
    drawn = {"scale": Fraction(5), "lattice": 1, "epsilon": Fraction(1)}
    made = MeanEstimate(
        grid.mean,
        Measurement(Partition.cells(grid), np.array([0, -9, 4, 300, 0, 15, -8, 100]), **drawn),
    )
    low, high = made.interval(0.9)
    assert made.answered().tolist() == [[False, False, False, True]]
    assert low[0, :3].tolist() == [0, 0, 0] and high[0, :3].tolist() == [10, 10, 10]
    assert 2.2 < low[0, 3] < 2.5 < high[0, 3] < 2.8


ROW = st.tuples(
    st.sampled_from(["ana", "bo", "cy; di", "Ana ", "n/a"]), st.integers(0, 3), st.integers(0, 1),
    st.one_of(st.floats(-20, 40, allow_nan=False), st.sampled_from(["", "tall", "nan", "inf", "3,5"])),
)  # fmt: skip


@given(st.lists(ROW, max_size=25), st.integers(1, 4), st.sampled_from(["none", ";"]))
@settings(max_examples=120 if DEEP else 12, deadline=None)
def test_the_cap_holds_for_both_parts_together(tmp_path_factory, rows, cap, team):
    """Whatever the values, removing a whole unit moves the two layers of all cells by at most the cap, and by no more
    than its rows weigh; no total is below 0.
    """
    folder, policy = tmp_path_factory.mktemp("s"), dm.Policy(epsilon=1, unit="who", cap=cap)
    placed = [
        (who, x + 0.5, y + 0.5, f'"{height}"', "oak")
        for who, x, y, height in [*rows, ("zed", 0, 0, 5.0)]
    ]
    whole = totals(survey(folder, placed, team=team), policy)
    assert (whole >= 0).all()
    for name in ("ana", "bo"):
        rest = [row for row in placed if row[0].strip().lower() != name]
        moved = np.abs(whole - totals(survey(folder, rest, team=team), policy)).sum()
        assert moved <= min(cap, len(placed) - len(rest)) + 1e-9


def test_a_row_without_a_number_is_left_out_and_inspect_says_so(tmp_path):
    """What is blank, words, or not finite counts nowhere, and is listed for the operator."""
    from dpmap.steward.inspection import inspect

    rows = [("a", 0.5, 0.5, told, "oak") for told in ("4", "", "tall", "nan", "inf", "6")]
    opened = survey(tmp_path, rows)
    assert totals(opened, dm.Policy(epsilon=1, unit="who", cap=9)).sum() == pytest.approx(2)
    assert inspect(opened, unit="who").left_out["no value"] == 4


@pytest.mark.parametrize("true", [(90.0, 30.0), (80.0, 80.0), (300.0, 0.0), (2.0, 1.0)])
def test_the_interval_holds_the_mean(true):
    """At least nine times in ten, however much was counted and wherever the mean lies; and where much was, narrowly."""
    trials, scale, lattice = 40_000, 5, 1 << 20
    grid = dm.Grid(bounds=(0, 0, trials, 1), shape=(1, trials), crs="EPSG:3857").layered(
        Values("height", 0, 10)
    )
    steps = np.repeat([int(part * lattice) for part in true], trials) + discrete_laplace(
        2 * trials, Fraction(scale * lattice)
    )
    made = MeanEstimate(
        grid.mean, Measurement(Partition.cells(grid), steps,
                               lattice=lattice, scale=Fraction(scale), epsilon=Fraction(1)))  # fmt: skip
    low, high = made.interval(0.9)
    mean = 10 * true[1] / sum(true)
    assert ((low <= mean) & (mean <= high)).mean() > 0.9 - 5.5 * np.sqrt(0.09 / trials)
    assert ((low >= 0) & (low <= made.values) & (made.values <= high) & (high <= 10)).all()
    assert made.answered().mean() > 0.85 if sum(true) > 40 else made.answered().mean() < 0.2


def test_a_zone_has_its_mean_and_cut_cells_are_bracketed(tmp_path):
    """Whole cells answer exactly; of a cut cell any part may lie in the zone, and the bounds hold each."""
    import geopandas as gpd
    from shapely import box

    made = release(tmp_path, survey(tmp_path, PEOPLE))
    zones = gpd.GeoDataFrame(
        {"name": ["whole", "cut", "none", "away"]},
        geometry=[box(0, 0, 2, 1), box(0, 0, 1.5, 1), box(0, 1, 4, 2), box(9, 9, 10, 10)], crs="EPSG:3857",
    )  # fmt: skip
    told = made.ask(zones)
    both = np.mean([clipped_mean(PEOPLE, 0), clipped_mean(PEOPLE, 1)])
    assert (
        told["mean"][0] == pytest.approx(both, abs=1e-3) and told["high"][0] - told["low"][0] < 0.02
    )
    assert told["count"][0] == pytest.approx(400, abs=0.1)
    assert (
        told["low"][1] < clipped_mean(PEOPLE, 0) < told["high"][1]
        and told["count_low"][1] < 201 < told["count_high"][1]
    )
    assert told["note"][3] == "outside the map" and np.isnan(told["mean"][3])


def test_a_zone_without_an_answer_has_no_mean(tmp_path):
    """Of half a cell any part may lie in it: the middle of the declared range is then no number to write down."""
    import geopandas as gpd
    from shapely import box

    half = gpd.GeoDataFrame(
        {"name": ["half a cell"]}, geometry=[box(0, 0, 0.5, 1)], crs="EPSG:3857"
    )
    told = release(tmp_path, survey(tmp_path, PEOPLE)).ask(half)
    assert np.isnan(told["mean"][0]) and told["note"][0].startswith("no answer")


def test_kinds_have_a_mean_each(tmp_path):
    """Layers and means go together: each layer is a map of means of its own, and all share one table."""
    grid = GROUND.layered(dm.Kinds("kind", ("oak", "elm")))
    made = release(tmp_path, survey(tmp_path, PEOPLE), grid)
    assert list(made.layers) == [("oak",), ("elm",)]
    for kind in ("oak", "elm"):
        assert made.layer(kind).estimate[1, 2] == pytest.approx(
            clipped_mean(PEOPLE, 2, kind), abs=1e-3
        )
    assert made.estimate.shape == (2, 2, 4)
    frame = made.to_geodataframe()
    assert set(frame.kind) == {"oak", "elm"} and len(frame) == 16


def test_a_release_of_means_is_kept_whole(tmp_path):
    """Its file opens with the same means, and a file that claims a mean over merged cells is refused."""
    made = release(tmp_path, survey(tmp_path, PEOPLE), epsilon=1)
    made.save(tmp_path / "r.dpmap")
    opened = dm.open(tmp_path / "r.dpmap")
    assert np.array_equal(opened.estimate, made.estimate) and opened.grid.mean == Values(
        "height", 0, 10
    )
    grid = GROUND.layered(Values("height", 0, 10))
    merged = Measurement(
        Partition(np.zeros(grid.shape, dtype=int), 1),
        np.array([5]),
        lattice=1,
        scale=Fraction(1),
        epsilon=Fraction(1),
    )
    with pytest.raises(BadInput, match="one by one"):
        MeanEstimate(grid.mean, merged)


def test_it_is_drawn_and_exported_with_its_unit(tmp_path):
    """The picture's legend names the mean and where there is no answer; tables, layers and rasters hold it, its bounds
    and its count; the statement says how it was made. What is made for totals is refused.
    """
    import geopandas as gpd
    import pandas as pd
    import rasterio

    made = release(tmp_path, survey(tmp_path, PEOPLE), epsilon=3, cap=20)
    (tmp_path / "exact").mkdir()
    exact = release(tmp_path / "exact", survey(tmp_path, PEOPLE), cap=20)
    ax = exact.plot(context=False)  # where nobody was, noise cannot make an answer of it
    words = " ".join(
        text.get_text() for text in ax.figure.findobj(lambda found: hasattr(found, "get_text"))
    )
    assert "mean height" in words and "no answer" in words and "noise" not in words
    for name in (
        "m.svg",
        "m.gpkg",
        "m.parquet",
        "m.geojson",
        "m.nc",
        "m.csv",
        "m.tif",
        "m.sld",
        "m.md",
        "m.yaml",
    ):
        made.write(tmp_path / name)
    names = ["mean", "low", "high", "answered", "count", "count_low", "count_high", "area_km2"]
    assert pd.read_csv(tmp_path / "m.csv").columns.tolist() == ["cell", "lon", "lat", *names]
    assert gpd.read_file(tmp_path / "m.gpkg", layer="measurements").measurement.nunique() == 2
    assert '"mean" >=' in (tmp_path / "m.qml").read_text().replace("&quot;", '"').replace(
        "&gt;", ">"
    )
    with rasterio.open(tmp_path / "m.tif") as raster:
        assert raster.descriptions == ("mean", "low", "high", "count")
    told = statement(made.record)
    assert "mean of `height`" in told and "no answer" in told and "8 cells" in told
    for refused in (lambda: made.explore(), lambda: made.hotspots(), lambda: made.write(tmp_path / "m.html"),
                    lambda: made.plot(hotspots=3, context=False)):  # fmt: skip
        with pytest.raises(BadInput, match="means"):
            refused()


def test_what_has_no_proof_with_a_mean_is_refused(tmp_path):
    """Row units, other limiters, sites and counts; and every strategy but the one that measures cells one by one."""
    opened = survey(tmp_path, PEOPLE)
    asked = {"epsilon": 1, "unit": "who", "cap": 5}
    for policy in (dm.Policy(epsilon=1, unit="row", cap=5), dm.Policy(**asked, limiter="presence")):
        with pytest.raises(Refused, match="no proof"):
            dm.release(
                opened,
                GROUND,
                policy,
                ledger=tmp_path / "l",
                dataset="H",
                budget=5,
                strategy="flat",
            )
    for options in ({"count": "x", "max_count": 3}, {"missing_unit": "own-unit"}):
        with pytest.raises(Refused, match="mean= has no proof"):
            release(tmp_path, survey(tmp_path, PEOPLE, **options))
    with pytest.raises(BadInput, match="strategy=flat"):
        release(tmp_path, opened, strategy="adaptive")
    for between in (None, "5", "10,0", "a,b"):
        with pytest.raises(BadInput, match="between|mean"):
            survey(tmp_path, PEOPLE, between=between)
    for asked in ({"mean": None, "between": None}, {"between": "0,9"}):
        with pytest.raises(BadInput, match="when the survey is opened|as its last axis"):
            release(
                tmp_path, survey(tmp_path, PEOPLE, **asked), GROUND.layered(Values("height", 0, 10))
            )
    with pytest.raises(BadInput, match="mean: the survey has no column"):
        survey(tmp_path, PEOPLE, mean="width")


def test_from_the_command_line(tmp_path, capsys):
    """`dpmap release --mean COLUMN --between LOW,HIGH`, then ask."""
    survey(tmp_path, PEOPLE)
    words = [
        "--bounds",
        "0,0,4,2",
        "--shape",
        "2,4",
        "--grid-crs",
        "EPSG:3857",
        "--x",
        "x",
        "--y",
        "y",
        "--crs",
        "EPSG:3857",
    ]
    asked = [
        "--unit",
        "who",
        "--epsilon",
        "2",
        "--cap",
        "20",
        "--mean",
        "height",
        "--between",
        "0,10",
        "--strategy",
        "flat",
    ]
    out = tmp_path / "out"
    code = run(
        [
            "release",
            str(tmp_path / "survey.csv"),
            *words,
            *asked,
            "--dataset",
            "H",
            "--budget",
            "2",
            "--out",
            str(out),
        ]
    )
    assert code == 0, capsys.readouterr().err
    assert {path.name for path in out.iterdir()} >= {
        "map.png",
        "cells.gpkg",
        "map.tif",
        "statement.md",
    }
    assert not (out / "map.html").exists()
    zone = tmp_path / "z.geojson"
    zone.write_text(
        '{"type":"Polygon","coordinates":[[[0,0],[0.00003,0],[0.00003,0.000009],[0,0.000009],[0,0]]]}'
    )
    assert run(["ask", str(out / "release.dpmap"), str(zone)]) == 0
    assert capsys.readouterr().out.splitlines()[-3].split()[:4] != []
