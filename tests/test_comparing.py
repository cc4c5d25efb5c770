"""`dpmap compare`: what it tells to have changed has, its intervals hold, and maps that do not compare are refused."""

import json
import sqlite3
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records
from builders.sessions import PublicSession

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference.changes import changes
from dpmap.noise.noise_sums import Sum
from dpmap.noise.theory import sum_tail_bound
from dpmap.record import Measurement
from dpmap.record.unpool import unpool
from dpmap.releases.comparison import compare
from dpmap.releases.merge import merge
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy

SAVED = Path(__file__).parent / "stability" / "saved"
LATTICE = 1 << 20
GRID = dm.Grid(bounds=(0, 0, 12_000, 12_000), shape=(12, 12), crs="EPSG:3035")


def test_two_releases_of_one_name_are_called_apart():
    """Maps of one data set are called by the days they were released on, or the first and the second."""
    from dpmap.statement.phrases import both_titles

    rng, totals = np.random.default_rng(0), np.zeros(GRID.shape)
    one, other = (released(totals, rng, "Raptors").record for _ in range(2))
    assert both_titles(one, other) == ("Raptors (the first release)", "Raptors (the second)")
    later = replace(other, released_on="2027-01-02")
    assert both_titles(one, later) == (f"Raptors ({one.released_on})", "Raptors (2027-01-02)")
    assert both_titles(one, released(totals, rng, "Owls").record) == ("Raptors", "Owls")


def measured(totals, scale, rng, partition=None, kind="laplace"):
    """A noisy answer about the regions of a partition, cell by cell without one."""
    partition = partition or Partition.cells(GRID)
    noise = (
        rng.laplace(0, scale, partition.regions)
        if kind == "laplace"
        else rng.normal(0, scale, partition.regions)
    )
    steps = np.rint((partition.sums(totals) + noise) * LATTICE).astype(np.int64)
    return Measurement(
        partition, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=Fraction(1), kind=kind
    )


def released(totals, rng, dataset="Raptors 2025", partition=None, grid=GRID, notes=None, **promise):
    """A release of these totals."""
    policy = records.promise(**promise)
    partition = partition or Partition.cells(grid)
    noise = rng.laplace(0, float(policy.scale), partition.regions)
    told = [records.measured(partition, partition.sums(totals), policy, noise)]
    return Release(records.record(grid, policy, told, dataset, notes))


def blocks(side):
    """The grid's cells in blocks of so many along a side."""
    rows = np.arange(12) // side
    return Partition(rows[:, None] * (11 // side + 1) + rows)


def land(rng):
    """Public totals, and what they are later: three cells in ten changed."""
    before = np.where(rng.random(GRID.shape) < 0.5, rng.uniform(0, 60, GRID.shape), 0.0)
    return before, np.maximum(
        before + np.where(rng.random(GRID.shape) < 0.3, rng.uniform(-40, 60, GRID.shape), 0), 0
    )


# --- the law of a sum of noises ----------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [2, 3, 17, 400])
def test_a_tail_is_that_of_the_closed_form(many):
    """Of equal scales the tail is the exact one: never smaller, and at most half a per cent larger where it is above 1e-10."""
    points = np.linspace(0.5, 15 * np.sqrt(many), 40) * 10
    exact = sum_tail_bound(points, ((10.0, many),))
    ratio = Sum(laplace=((10.0, many),)).tail(points) / exact
    assert (ratio >= 1).all()
    assert (ratio[exact > 1e-10] <= 1.005).all()


@pytest.mark.parametrize(("wide", "narrow"), [(10.0, 3.0), (10.0, 0.1), (7.0, 6.99)])
def test_a_tail_of_two_scales_is_that_of_their_convolution(wide, narrow):
    """Two Laplace noises of different scales have the tail that is worked out by hand."""
    points = np.linspace(0, 18 * wide, 30)
    a, b = wide, narrow
    exact = (a**2 * np.exp(-points / a) - b**2 * np.exp(-points / b)) / (2 * (a**2 - b**2))
    ratio = Sum(laplace=((wide, 1), (narrow, 1))).tail(points) / exact
    assert (ratio >= 1 - 1e-9).all()
    assert (ratio[exact > 1e-10] <= 1.005).all()


def test_many_points_are_read_off_a_table_that_is_never_too_small():
    """Read off the table a tail is within a per cent of the one worked out, and never below the exact one."""
    law, points = Sum(laplace=((5.0, 2),)), np.random.default_rng(1).uniform(0, 100, 4_000)
    exact = sum_tail_bound(points, ((5.0, 2),))
    ratio = law.tail(points) / exact
    assert (ratio >= 1).all()
    assert (ratio[exact > 1e-9] <= 1.01).all()


def test_laplace_and_gaussian_noises_add_up():
    """A sum of both kinds has the tail that four million draws have, within what so many can tell (one run in a million misses)."""
    rng, many = np.random.default_rng(3), 4_000_000
    drawn = rng.laplace(0, 4, many) + rng.normal(0, 6, many)
    points = np.array([1.0, 5.0, 10.0, 20.0, 30.0])
    seen = np.array([(drawn >= point).mean() for point in points])
    told = Sum(laplace=((4.0, 1),), gaussian=((6.0, 1),)).tail(points)
    assert (np.abs(told / 1.001 - seen) <= 5.5 * np.sqrt(seen / many) + 1e-4 * seen).all()


def test_the_reach_of_a_sum_holds_as_often_as_asked_whatever_the_lattice():
    """A coarse lattice widens the interval by a step for each noise."""
    fine, coarse = Sum(laplace=((2.0, 3),)), Sum(laplace=((2.0, 3),), step=0.25)
    assert coarse.reach(0.9) == pytest.approx(fine.reach(0.9) + 0.75)
    assert 2 * fine.tail(np.array([fine.reach(0.9)]))[0] <= 0.1 + 1e-9


# --- what is told holds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [0.1, 0.3])
@pytest.mark.parametrize("kind", ["cells", "blocks and cells", "other noise"])
def test_intervals_hold_and_few_told_changes_are_false(kind, rate):
    """Over simulated pairs each region's interval holds as often as stated, so do those of what was told, and the mean share of false ones
    among the told (no change, or the other way) is at most the rate; and most clear changes are told.

    300 pairs: a mean share differs by more than 0.06 from what is expected with a chance below one in a million.
    """
    rng, held, kept, false, seen = np.random.default_rng(4), [], [], [], []
    parts = (
        (Partition.cells(GRID), Partition.cells(GRID))
        if kind != "blocks and cells"
        else (blocks(2), blocks(3))
    )
    for _ in range(300):
        before, after = land(rng)
        one = measured(before, 3, rng, parts[0])
        other = measured(
            after,
            7 if kind == "other noise" else 3,
            rng,
            parts[1],
            "gaussian" if kind == "other noise" else "laplace",
        )
        found = changes(GRID, [(GRID, one)], [(GRID, other)], (before, after), rate=rate)
        truth = found.partition.sums(after - before)
        right = (found.low <= truth) & (truth <= found.high)
        held.append(right.mean())
        false.append(
            (found.told & (np.sign(found.change) != np.sign(truth))).sum()
            / max(1, found.told.sum())
        )
        kept.append((found.told & ~right).sum() / max(1, found.told.sum()))
        seen.append(found.told[np.abs(truth) > 45].mean() if (np.abs(truth) > 45).any() else 1.0)
    assert 0.9 - 0.01 <= np.mean(held)
    assert np.mean(kept) <= 0.1 + 0.02
    assert np.mean(false) <= rate + 0.02
    assert kind != "cells" or np.mean(seen) > 0.9


def test_where_nothing_changed_hardly_ever_anything_is_told():
    """With all regions unchanged, a false change is told in at most a tenth of the pairs: 300 pairs, at most 51 (once in a million by chance)."""
    rng = np.random.default_rng(6)
    before, _ = land(rng)
    pairs = ([(GRID, measured(before, 3, rng))] for _ in range(600))
    told = [
        changes(GRID, one, other, (before, before)).told.any()
        for one, other in zip(pairs, pairs, strict=True)
    ]
    assert sum(told) <= 51


def test_maps_of_blocks_chosen_by_their_own_noise_compare_as_surely():
    """Two `adaptive` maps, each of its own blocks: the intervals of what both measured as a whole hold.

    30 pairs of some 100 regions: the share differs by 0.05 with a chance below one in a million.
    """
    rng, held, told = np.random.default_rng(5), [], []
    before, after = (np.round(one) for one in land(rng))
    for number in range(30):
        sides = []
        for counts, seed in ((before, 2 * number), (after, 2 * number + 1)):
            session = PublicSession(counts, GRID, 1, seed=seed)
            find_strategy("adaptive")(session)
            sides.append([(GRID, unpool(tuple(session.made)))])
        found = changes(GRID, *sides, (before, after))
        truth = found.partition.sums(after - before)
        held.append(((found.low <= truth) & (truth <= found.high)).mean())
        told.append(
            (found.told & (np.sign(found.change) != np.sign(truth))).sum()
            / max(1, found.told.sum())
        )
    assert np.mean(held) >= 0.87
    assert np.mean(told) <= 0.13


def test_regions_are_the_finest_that_both_maps_measured_as_a_whole():
    """Blocks of two and of three cells along a side have blocks of six in common; with single cells, the blocks themselves."""
    rng, nothing = np.random.default_rng(7), np.zeros(GRID.shape)
    one, other, cells = (measured(nothing, 3, rng, part) for part in (blocks(2), blocks(3), None))
    assert (
        changes(GRID, [(GRID, one)], [(GRID, other)], (nothing, nothing)).cells.tolist() == [36] * 4
    )
    assert (
        changes(GRID, [(GRID, one)], [(GRID, cells)], (nothing, nothing)).cells.tolist() == [4] * 36
    )


# --- what users hold -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases: in the later one four cells hold far more and two far less."""
    rng, folder = np.random.default_rng(18), tmp_path_factory.mktemp("two")
    before = np.full(GRID.shape, 20.0)
    before[0, :2] = 90
    after = before.copy()
    after[5:7, 5:7], after[0, :2] = 150, 10
    paths = folder / "before.dpmap", folder / "after.dpmap"
    released(before, rng, "Raptors 2025").save(paths[0])
    released(after, rng, "Raptors <b>2026</b>").save(paths[1])
    return paths


@pytest.fixture(scope="module")
def areas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three zones: one that gained, one that hardly changed, and one beyond the map; with columns called as ours are."""
    shapes = [
        shapely.box(4_500, 4_500, 7_500, 7_500),
        shapely.box(8_000, 1_000, 11_500, 3_000),
        shapely.box(1e6, 1e6, 1e6 + 9, 1e6 + 9),
    ]
    names = ["gained", "=cmd()", "beyond"]
    path = tmp_path_factory.mktemp("areas") / "areas.gpkg"
    gpd.GeoDataFrame(
        {"name": names, "told": ["a", "b", "c"]}, geometry=shapes, crs="EPSG:3035"
    ).to_file(path)
    return path


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and returns its exit code, its answer, and its line on stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, words)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def test_the_command_tells_what_python_tells(said: Any, two: tuple[Path, Path]) -> None:
    """More, fewer and untold are counted, and every told region is listed, the largest change first."""
    code, out, err = said("compare", *two, "--json")
    told, found = json.loads(out), dm.compare(*map(dm.open, two))
    assert (code, err) == (0, "")
    assert told["found"] == found.found == {"more": 4, "fewer": 2, "untold": 138}
    assert told["compared"] == len(found) == 144
    assert [row["change"] for row in told["regions"]] == sorted(
        found.frame.change[found.frame.told], key=abs, reverse=True
    )
    assert all(row["low"] <= row["change"] <= row["high"] for row in told["regions"])
    assert {row["finding"] for row in told["regions"]} == {"more", "fewer"}
    assert "Raptors" not in json.dumps(told["words"])
    assert set(told["provenance"]) == {"before", "after"}


def test_clusters_and_places_are_told_before_single_cells(
    said: Any, two: tuple[Path, Path]
) -> None:
    """The command lists the clusters and places that Python finds, in its text and its JSON, and says that their rate is rehearsed."""
    told, found = json.loads(said("compare", *two, "--json")[1]), dm.compare(*map(dm.open, two))
    clusters, places = found.clusters(), found.patches()
    assert [row["change"] for row in told["clusters"]] == list(clusters.change)
    assert {row["finding"] for row in told["clusters"]} == {"more", "fewer"}
    assert len(told["places"]) == places.told.sum() > 0
    assert told["places_compared"] == len(places) == sum(told["places_found"].values())
    out = said("compare", *two)[1]
    assert out.startswith(f"{len(clusters)} clusters of land told to have changed as a whole.")
    assert (
        out.index("clusters of land")
        < out.index(f"Of {len(places)} places:")
        < out.index("Of 144 regions:")
    )
    assert "as rehearsed on public noise; that is no proof" in out
    assert "patch" not in out


def test_where_nothing_is_told_the_command_says_so(said: Any, tmp_path: Path) -> None:
    """Two maps of the same totals: no cluster is listed, and no table stands empty."""
    rng = np.random.default_rng(44)
    paths = tmp_path / "a.dpmap", tmp_path / "b.dpmap"
    for name, path in zip("AB", paths, strict=True):
        released(np.full(GRID.shape, 20.0), rng, name).save(path)
    out = said("compare", *paths)[1]
    assert out.startswith("No cluster of land is told to have changed.")
    assert "lat, lon" not in out


def test_people_read_what_was_found_and_what_it_does_not_mean(
    said: Any, two: tuple[Path, Path]
) -> None:
    """The words say how many may be false, that both noises count, and that an untold change is no proof of none."""
    code, out, _ = said("compare", *two)
    assert code == 0
    assert "Of 144 regions: 4 more, 2 fewer; of 138 no change can be told." in out
    assert "at most 10 % did not, or the other way" in out
    assert "both noises are in it" in out
    assert "may have changed: the noise hides it" in out
    assert "capped" in out


def test_zones_are_compared_with_their_own_columns_kept(
    said: Any, two: tuple[Path, Path], areas: Path
) -> None:
    """Each zone has its change and finding; one beyond the maps has none; columns of the same name are kept beside."""
    code, out, err = said("compare", *two, "--zones", areas, "--json")
    told = json.loads(out)
    assert (code, err, told["kind"]) == (0, "", "zones")
    gained, still, beyond = told["zones"]
    assert (gained["finding"], gained["told_given"]) == ("more", "a")
    assert gained["least"] <= gained["low"] <= gained["change"] <= gained["high"] <= gained["most"]
    assert still["finding"] == beyond["finding"] == "no change can be told"
    assert beyond["change"] is None
    assert "outside the map" in beyond["note"]


def test_maps_of_different_cells_are_compared_in_zones(areas: Path) -> None:
    """Without the same cells a zone still has its change; cell by cell such maps are refused."""
    rng = np.random.default_rng(9)
    coarse = dm.Grid(bounds=(0, 0, 12_000, 12_000), shape=(5, 5), crs="EPSG:3035")
    one = released(np.full(GRID.shape, 20.0), rng)
    other = released(np.full(coarse.shape, 20.0 * 144 / 25), rng, "Raptors 2026", grid=coarse)
    found = compare(one, other, zones=areas)
    assert not found.frame.told.any()
    assert np.isfinite(found.frame.change[:2]).all()
    with pytest.raises(BadInput, match="different cells; add zones"):
        compare(one, other)


def test_a_zone_of_which_the_maps_cover_different_parts_is_not_compared() -> None:
    """A change there would be that of the ground."""
    rng = np.random.default_rng(10)
    half = dm.Grid(bounds=(0, 0, 12_000, 6_000), shape=(6, 12), crs="EPSG:3035")
    one, other = (
        released(np.full(GRID.shape, 20.0), rng),
        released(np.full(half.shape, 20.0), rng, "B", grid=half),
    )
    (row,) = compare(
        one,
        other,
        zones=gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 12_000, 9_000)], crs="EPSG:3035"),
    ).frame.itertuples()
    assert np.isnan(row.change)
    assert "not compared: the maps cover different parts of it" in row.note


def test_zones_hold_as_often_as_stated() -> None:
    """Of zones that cut cells, 90 % intervals hold at least 85 % of the time: 25 pairs, 8 zones each (a chance of one in ten thousand)."""
    rng, dice, held, strict = np.random.default_rng(11), np.random.default_rng(12), [], []
    for number in range(25):
        before, after = (
            rng.multinomial(3_000, np.full(144, 1 / 144)).reshape(GRID.shape).astype(float)
            for _ in range(2)
        )
        corner = dice.uniform(500, 6_000, (8, 2))
        reach = dice.uniform(1_500, 5_500, (8, 2))
        shapes = shapely.box(*corner.T, *(corner + reach).T)
        zones = gpd.GeoDataFrame(geometry=shapes, crs="EPSG:3035")
        share = np.array(
            [
                [shapely.area(shapely.intersection(shape, cell)) / 1e6 for cell in GRID.polygons()]
                for shape in shapes
            ]
        )
        found = compare(
            released(before, rng, f"A{number}"), released(after, rng, f"B{number}"), zones=zones
        ).frame
        truth = share @ (after - before).ravel()  # points lie evenly within a cell
        held.append(((found.low <= truth) & (truth <= found.high)).mean())
        strict.append(((found.least <= truth) & (truth <= found.most)).mean())
    assert np.mean(held) >= 0.85
    assert np.mean(strict) >= 0.9


def test_a_layer_of_changes_opens_with_its_style_and_both_statements(
    said: Any, two: tuple[Path, Path], tmp_path: Path
) -> None:
    """The GeoPackage has a layer of regions, a style of two colours and a hatch, and the statements of both maps, without a stranger's markup."""
    path = tmp_path / "change.gpkg"
    code, _, _ = said("compare", *two, "--to", path)
    assert code == 0
    layer = gpd.read_file(path, layer="change")
    assert layer.finding.value_counts().to_dict() == {
        "no change can be told": 138,
        "more": 4,
        "fewer": 2,
    }
    with sqlite3.connect(path) as file:
        qml = dict(file.execute("SELECT f_table_name, styleQML FROM layer_styles").fetchall())[
            "change"
        ]
        facts = dict(file.execute("SELECT field, value FROM statement").fetchall())
    for words in (
        'label="more: ',
        'label="fewer: ',
        'label="no change can be told"',
        "LinePatternFill",
    ):
        assert words in qml
    assert "<b>2026" not in qml
    assert facts["before_dataset"] == "Raptors 2025"
    assert facts["after_epsilon"] == "0.5"


@pytest.mark.parametrize("suffix", ["geojson", "parquet", "csv"])
@pytest.mark.parametrize("zoned", [False, True])
def test_changes_are_written_in_other_forms_too(
    said: Any, two: tuple[Path, Path], areas: Path, tmp_path: Path, suffix: str, zoned: bool
) -> None:  # noqa: FBT001
    """Each has a row for each region or zone; texts that a spreadsheet would run are guarded."""
    path = tmp_path / f"change.{suffix}"
    code, out, err = said(
        "compare", *two, "--to", path, "--json", *(("--zones", areas) if zoned else ())
    )
    assert (code, err) == (0, "")
    assert len(json.loads(out)["wrote"]) == 2
    read = {"csv": gpd.pd.read_csv, "geojson": gpd.read_file, "parquet": gpd.read_parquet}[suffix]
    rows = read(path)
    assert len(rows) == (3 if zoned else 144)
    assert not zoned or suffix == "parquet" or rows.name[1] == "'=cmd()"


# --- what is refused -----------------------------------------------------------------------------------------------


def test_two_maps_of_one_draw_are_refused(two: tuple[Path, Path]) -> None:
    """The same release twice, and two tiers of one draw, whose difference is noise alone."""
    one = dm.open(two[0])
    tiers = [dm.open(SAVED / "0.2.0" / f"tiers-{name}.dpmap") for name in ("public", "manager")]
    for pair in ([one, dm.open(two[0])], tiers):
        with pytest.raises(BadInput, match="of one draw"):
            compare(*pair)
        with pytest.raises(BadInput, match="of one draw"):
            compare(*pair, zones=(0, 50, 1, 51))


def test_two_layers_of_one_release_are_compared(said: Any) -> None:
    """Seasons of one release have noise of their own; its layers are named for each side, and must be."""
    path = SAVED / "0.2.0" / "times.dpmap"
    first, second = list(dm.open(path).layers)[:2]
    code, out, err = said(
        "compare",
        path,
        path,
        "--layer-before",
        ", ".join(first),
        "--layer-after",
        ", ".join(second),
        "--json",
    )
    assert (code, err) == (0, "")
    assert json.loads(out)["compared"] > 0
    code, out, err = said("compare", path, path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "has layers; name one of them, like --layer" in err
    assert "of one draw" in said("compare", path, path, "--layer", ", ".join(first))[2]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cap": 3}, "different caps, 2 and 3"),
        ({"unit": "site_id"}, "different units, observer_id and site_id"),
        ({"limiter": "presence"}, "keep the cap in different ways"),
        ({"sample": "50%"}, "different samples"),
        ({"delta": "1e-6"}, "delta"),
        ({"epsilon_by": "comfort=0.5,1"}, "own limits"),
        ({"site": "nest_id"}, "sites are protected"),
    ],
)
def test_maps_of_other_promises_are_refused(changed: dict[str, Any], words: str) -> None:
    """Numbers of another unit, cap or way of keeping it are of another scale: refused in one line, also in zones."""
    rng, totals = np.random.default_rng(13), np.full(GRID.shape, 20.0)
    one, other = released(totals, rng), released(totals, rng, "Raptors 2026", **changed)
    for zones in (None, (0, 50, 1, 51)):
        with pytest.raises(BadInput, match=words) as refused:
            compare(one, other, zones=zones)
        assert "\n" not in str(refused.value)


def test_maps_that_count_other_things_are_refused() -> None:
    """Individuals are not compared with records, nor means with totals."""
    rng, totals = np.random.default_rng(14), np.full(GRID.shape, 20.0)
    one, other = (
        released(totals, rng),
        released(totals, rng, "Raptors 2026", notes={"noun": "individuals"}),
    )
    with pytest.raises(BadInput, match="count different things, records and individuals"):
        compare(one, other)
    with pytest.raises(BadInput, match="do not tell the same"):
        compare(dm.open(SAVED / "0.2.0" / "flat.dpmap"), dm.open(SAVED / "0.1.0" / "means.dpmap"))


def test_rules_that_differ_are_told() -> None:
    """Another consent rule may be why the totals differ, and is said."""
    rng, totals = np.random.default_rng(15), np.full(GRID.shape, 20.0)
    found = compare(released(totals, rng), released(totals, rng, "Raptors 2026", consent=None))
    (note,) = found.notes
    assert (
        note
        == "the consent rule differs, and a change may come of that: before: consent=yes; after: all"
    )


def test_merged_maps_are_compared_unless_they_share_a_partner() -> None:
    """All partners' noises of both maps are in the intervals; a release that is in both would make them depend on each other."""
    rng, totals = np.random.default_rng(16), np.full(GRID.shape, 20.0)
    a, b, c, d = (released(totals, rng, name) for name in "ABCD")
    one, other, shared = merge([a, b]), merge([c, d]), merge([a, c])
    found = compare(one, other).frame
    reach = Sum(laplace=((float(a.policy.scale), 4),), step=1 / a.policy.lattice).reach(0.9)
    assert (found.high - found.low)[~found.told].to_numpy() == pytest.approx(2 * reach)
    with pytest.raises(BadInput, match="of one draw"):
        compare(one, shared)


@pytest.mark.parametrize("name", ["sparse", "means", "reports-grr"])
def test_maps_without_totals_of_each_cell_are_compared_in_zones_only(name: str) -> None:
    """Sparse maps, means and reports of devices: refused cell by cell with what to add, and answered in zones."""
    one, other = (
        dm.open(SAVED / "0.2.0" / f"{name}.dpmap"),
        dm.open(SAVED / "0.1.0" / f"{name}.dpmap"),
    )
    other = Release(
        replace(other.record, receipt=replace(other.record.receipt, release_id="another"))
    )
    with pytest.raises(BadInput, match="zone by zone only; add zones"):
        compare(one, other)
    west, south, east, north = (
        gpd.GeoSeries(one.grid.ground.polygons(), crs=one.grid.crs).to_crs(4326).total_bounds
    )
    (row,) = compare(one, other, zones=(west, south, (west + east) / 2, north)).frame.itertuples()
    assert row.low <= row.change <= row.high or np.isnan(row.change)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--level", "1"],
        ["--rate", "0"],
        ["--rate", "nan"],
        ["--to", "change.shp"],
        ["--zones", "none.gpkg"],
        ["--layer", "x"],
    ],
)
def test_what_is_typed_wrong_is_one_line(
    said: Any, two: tuple[Path, Path], wrong: list[str]
) -> None:
    """A level, rate, file or layer that cannot be meant is bad input, told in one line."""
    code, out, err = said("compare", *two, *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("broken", ["folder", "cut", "missing"])
def test_what_is_no_release_is_one_line(
    said: Any, two: tuple[Path, Path], tmp_path: Path, broken: str
) -> None:
    """A folder, a damaged release or none at all, before or after."""
    path = {"folder": tmp_path, "cut": tmp_path / "cut.dpmap", "missing": tmp_path / "no.dpmap"}[
        broken
    ]
    if broken == "cut":
        path.write_bytes(two[0].read_bytes()[:200])
    for pair in ((path, two[1]), (two[0], path)):
        code, out, err = said("compare", *pair)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_zones_that_are_no_land_are_one_line(
    said: Any, two: tuple[Path, Path], tmp_path: Path
) -> None:
    """Corners that are no numbers, points for zones and an empty layer are refused before anything is written."""
    feature = '{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [NaN, 1], [1, 1], [0, 0]]]}}'
    texts = {
        "nan": f'{{"type": "FeatureCollection", "features": [{feature}]}}',
        "point": '{"type": "Point", "coordinates": [1, 1]}',
        "empty": '{"type": "FeatureCollection", "features": []}',
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.geojson").write_text(text)
        code, out, err = said(
            "compare", *two, "--zones", tmp_path / f"{name}.geojson", "--to", tmp_path / "a.gpkg"
        )
        assert (code, out, err.count("\n")) == (2, "", 1), name
    assert not (tmp_path / "a.gpkg").exists()
