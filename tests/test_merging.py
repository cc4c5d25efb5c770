"""Partners' releases become one map: totals add up, the noise's law is worked out, and nobody is promised too much."""

import json
import math
import os
import zipfile
from dataclasses import replace
from fractions import Fraction

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records

import dpmap as dm
from dpmap import strategies
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.common_grid import coarsest, together
from dpmap.grid.layer_axes import Kinds
from dpmap.maps import read_map
from dpmap.noise.theory import sum_quantile, sum_tail_bound
from dpmap.promise.policy import Policy
from dpmap.record import Measurement
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.vault.session import Session

DEEP = os.environ.get("DPMAP_DEEP") == "1"
ROUNDS = 40 if DEEP else 4
GRID = dm.Grid(bounds=(0, 0, 32_000, 16_000), shape=(16, 32), crs="EPSG:3035")


def truth(grid=GRID, seed=3, most=60):
    """Public numbers: half of the cells empty."""
    dice = np.random.default_rng(seed)
    counts = np.where(dice.random(grid.shape) < 0.5, 0, dice.integers(1, most, grid.shape))
    return np.where(grid.inside, counts, 0).astype(float)


def released(name, counts=None, *, grid=GRID, epsilon="1", strategy="flat", notes=None, **policy):
    """A release of public numbers with real noise, as a partner would send it."""
    counts = truth(grid) if counts is None else counts
    promise = Policy(**{"epsilon": epsilon, "unit": "who", "cap": 5, **policy})
    session = Session(counts, grid, promise.measuring, promise.cap, promise.lattice)
    strategies.find_strategy(strategy)(session)
    receipt = records.receipt(
        name, release_id=f"id of {name}", budget=Fraction(9), spent=promise.epsilon
    )
    return Release(
        records.record(grid, promise, session.made, notes=notes, strategy=strategy, receipt=receipt)
    )


def enough(held, level, count):
    """Whether so many hold that a chance of `level` each makes fewer than that once in 10^9."""
    return held.sum() >= level * count - 6.2 * math.sqrt(count * level * (1 - level))


def test_estimates_add_up_and_the_area_is_that_of_all():
    """Each cell's estimate is the sum of the partners' estimates; cells that nobody reaches have none."""
    mask = np.ones(GRID.shape, dtype=bool)
    mask[:4] = False
    part = dm.Grid(cells=GRID.cells, crs=GRID.crs, mask=mask)
    north = np.zeros(GRID.shape, dtype=bool)
    north[:8, :9] = True
    other = dm.Grid(cells=GRID.cells, crs=GRID.crs, mask=north)
    one, two = released("A", grid=part), released("B", grid=other)
    merged = dm.merge([one, two])
    assert np.array_equal(merged.grid.inside, mask | north)
    added = np.nan_to_num(one.estimate) + np.nan_to_num(two.estimate)
    assert np.allclose(merged.estimate[mask | north], added[mask | north])
    assert np.isnan(merged.estimate[~(mask | north)]).all()


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_intervals_hold_the_sum_as_often_as_they_say_and_no_oftener(level):
    """Partners with other epsilons and caps, every cell by itself: the bounds are those of the noises' sum."""
    held, empty = [], []
    for _ in range(ROUNDS):
        counts = [truth(seed=seed, most=900) for seed in (1, 2, 3)]
        parts = [released(str(i), one, epsilon=e, cap=c) for i, (one, e, c) in enumerate(zip(counts, ("1", "1/2", "2"), (5, 3, 9), strict=True))]  # fmt: skip
        low, high = dm.merge(parts).reading.own.interval(level)
        total = np.sum(counts, axis=0)
        held.append((low <= total) & (total <= high))
        empty.append(total == 0)
    held, empty = np.array(held), np.array(empty)
    assert enough(held, level, held.size)
    assert enough(~held[~empty], 1 - level - 0.01, int((~empty).sum()))


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_intervals_hold_where_partners_measured_blocks(level):
    """Adaptive maps beside flat ones: some cells known alone by some, in blocks by others; still held often enough."""
    held = []
    for _ in range(ROUNDS):
        counts = [truth(seed=seed, most=40) for seed in (1, 2, 3)]
        parts = [released("A", counts[0], strategy="adaptive"), released("B", counts[1], epsilon="2", strategy="adaptive"), released("C", counts[2])]  # fmt: skip
        low, high = dm.merge(parts).reading.own.interval(level)
        held.append((low <= sum(counts)) & (sum(counts) <= high))
    assert enough(np.array(held), level, np.array(held).size)


def test_zones_hold_their_total():
    """The strict bounds of a merged map hold a project area's true total as often as they say, wherever in cut cells it lies."""
    boxes = [
        shapely.box(x, y, x + 4_500, y + 4_500) for x in range(0, 30_000, 6_000) for y in (0, 6_000)
    ]
    frame = gpd.GeoDataFrame(geometry=boxes, crs=GRID.crs)
    inside = [
        shapely.covers(box, shapely.centroid(GRID.polygons())).reshape(GRID.shape) for box in boxes
    ]
    held = []
    for _ in range(4 * ROUNDS):  # no cell is in two zones, so their noises are independent
        counts = [truth(seed=seed) for seed in (4, 5)]
        answers = dm.merge([released("A", counts[0]), released("B", counts[1], epsilon="3")]).ask(
            frame
        )
        totals = [sum(counts)[within].sum() for within in inside]
        held += [
            low <= total <= high
            for total, low, high in zip(totals, answers["least"], answers["most"], strict=True)
        ]
    assert enough(np.array(held), 0.9, len(held))


def test_zones_add_up_whole_regions_below_and_all_that_are_met_above():
    """Of every partner its own regions, with the law of all their noises together."""
    whole, halves = (
        Partition.whole(GRID),
        Partition(np.repeat([[0, 1]], [16, 16], axis=1).repeat(16, axis=0)),
    )
    parts = [released("A"), released("B")]
    for number, partition in enumerate((whole, halves)):
        m = Measurement(partition, np.array([9_000, 5_000][: partition.regions]) << 30, lattice=1 << 30, scale=Fraction(5), epsilon=Fraction(1))  # fmt: skip
        parts[number] = Release(replace(parts[number].record, measurements=(m,)))
    west = np.zeros(GRID.shape, dtype=bool)
    west[:, :16] = True
    _, low, high = dm.merge(parts).reading.zone(west, west, 0.9)
    assert low == 9_000 - sum_quantile(0.9, ((5.0, 1),))
    assert high == 9_000 + 9_000 + sum_quantile(0.9, ((5.0, 2),))


def test_noise_alone_is_seldom_called_more():
    """Where nothing is, p-values fall below a level no oftener than that level; a strong cell has a small one."""
    nothing = np.zeros(GRID.shape)
    small = []
    for _ in range(ROUNDS):
        merged = dm.merge(
            [released("A", nothing), released("B", nothing, epsilon="1/3"), released("C", nothing)]
        )
        small.append(merged.reading.p_values())
    for level in (0.2, 0.05, 0.01):
        assert enough(~(np.array(small) <= level), 1 - level, np.array(small).size)
    counts = nothing.copy()
    counts[3, 3] = 500
    strong = dm.merge([released("A", counts), released("B", counts)])
    assert strong.reading.p_values()[3, 3] < 1e-20
    assert strong.distinguishable()[3, 3]
    assert strong.reading.p_values(400.0)[3, 3] < 1e-6 < strong.reading.p_values(2000.0)[3, 3]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 60])
def test_the_tail_of_equal_noises_is_exact(count):
    """It agrees with the quantile that is read off the characteristic function."""
    for level in (0.5, 0.9, 0.99):
        q = sum_quantile(level, ((4.0, count),))
        assert float(sum_tail_bound(np.array([q]), ((4.0, count),))[0]) == pytest.approx(
            (1 - level) / 2, rel=0.02
        )


def test_the_tail_of_unequal_noises_is_never_too_small():
    """It bounds what is read off the characteristic function, and is not many times that."""
    parts = ((1.0, 3), (2.5, 2), (7.0, 1))
    for level in (0.5, 0.9, 0.99, 0.9999):
        q = sum_quantile(level, parts)
        found = float(sum_tail_bound(np.array([q]), parts)[0])
        assert (1 - level) / 2 * 0.97 <= found <= 25 * (1 - level)


def test_one_persons_loss_is_the_sum_or_where_signed_apart_the_largest():
    """What is added up follows from whether a unit may be in two data sets, and who says that none is."""
    parts = [released("A", epsilon="1/2"), released("B", epsilon="2", cap=3)]
    both = dm.merge(parts)
    assert (both.policy.epsilon, both.policy.cap) == (Fraction(5, 2), 8)
    assert "loses the sum of their epsilons, 2.5" in statement(both.record)
    signed = dm.merge(parts, signed_by="Ana Ruiz")
    assert (signed.policy.epsilon, signed.policy.cap) == (2, 5)
    assert "as `Ana Ruiz` declares" in statement(signed.record)


def test_what_a_ledger_has_signed_need_not_be_signed_again():
    """A group of disjoint data sets travels with each release; it counts where it names all that are merged."""
    group = {"disjoint": {"datasets": ["A", "B", "C"], "signed_by": "Bo Lee"}}
    parts = [released(name, notes=group) for name in "AB"]
    assert dm.merge(parts).policy.epsilon == 1
    assert "as `Bo Lee` declares" in statement(dm.merge(parts).record)
    assert dm.merge([*parts, released("D")]).policy.epsilon == 3


def test_a_site_may_be_in_two_data_sets_whoever_signs():
    """Signed for people, not for nests: where sites are protected too, losses add up."""
    parts = [released(name, site="nest") for name in "AB"]
    merged = dm.merge(parts, signed_by="Ana Ruiz")
    assert merged.policy.epsilon == 2
    assert merged.policy.site == "nest"


REFUSED = {
    "one release": (lambda: [released("A")], "two releases or more"),
    "something else": (lambda: [released("A"), "B"], "two releases or more"),
    "the same data set": (lambda: [released("A"), released("A")], "count twice"),
    "other units": (lambda: [released("A"), released("B", unit="nest")], "different units"),
    "one with sites": (lambda: [released("A"), released("B", site="nest")], "different units"),
    "a sample": (lambda: [released("A"), released("B", sample="50%")], "sample"),
    "other cells": (lambda: [released("A"), released("B", grid=dm.Grid(bounds=(0, 0, 9_000, 9_000), shape=(6, 6), crs=GRID.crs))], "different cells"),
    "squares that are shifted": (lambda: [released("A"), released("B", grid=dm.Grid(bounds=(500, 0, 9_500, 9_000), shape=(9, 9), crs=GRID.crs))], "different cells"),
    "another CRS": (lambda: [released("A"), released("B", grid=dm.Grid(bounds=(0, 0, 32_000, 16_000), shape=(16, 32), crs="EPSG:25830"))], "different CRSs"),
    "other layers": (lambda: [released("A"), released("B", grid=GRID.layered(Kinds("species", ("Kite", "Owl"))))], "different layers"),
    "a sparse release": (lambda: [released("A"), released("B", strategy="sparse:20")], "sparse"),
    "Gaussian noise": (lambda: [released("A"), released("B", delta="1e-9")], "delta"),
    "a merged one": (lambda: [released("A"), dm.merge([released("B"), released("C")])], "merged already"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_add_up_is_refused_in_one_line(name):
    """Each with what to do instead."""
    make, says = REFUSED[name]
    with pytest.raises(BadInput, match=says) as refused:
        dm.merge(make())
    assert "\n" not in str(refused.value)


def test_maps_of_one_draw_are_not_added_up_whatever_they_call_themselves(tmp_path):
    """Two of one receipt are refused under other names of their data set too, and so is a file that holds two such maps."""
    one, two = released("A"), released("B")
    receipt = replace(two.record.receipt, release_id=one.record.receipt.release_id)
    same = Release(replace(two.record, receipt=receipt))
    with pytest.raises(BadInput, match="have one receipt"):
        dm.merge([one, same])
    twice = Release(replace(two.record, receipt=replace(two.record.receipt, dataset="A")))
    merged = dm.merge([one, two]).record
    for other in (same, twice):
        Release(replace(merged, partners=(one.record, other.record))).save(tmp_path / "m.dpmap")
        with pytest.raises(BadInput, match="of one data set or one draw"):
            dm.open(tmp_path / "m.dpmap")


@pytest.mark.parametrize("name", ["", "x" * 201, "Ana\x1b[2J"])
def test_a_signature_is_a_name(name):
    """What could steer a screen or is nobody's name is refused."""
    with pytest.raises(BadInput, match="sign with a name"):
        dm.merge([released("A"), released("B")], signed_by=name)


def test_neighbouring_areas_of_one_lattice_lie_side_by_side():
    """Two partners' own areas in one national grid become one map; each cell is theirs who reach it."""
    west = dm.Grid(bounds=(0, 0, 4_000, 3_000), shape=(3, 4), crs="EPSG:3035")
    east = dm.Grid(bounds=(3_000, 1_000, 6_000, 5_000), shape=(4, 3), crs="EPSG:3035")
    a, b = released("A", np.full((3, 4), 1e4), grid=west, epsilon="100"), released("B", np.full((4, 3), 1e5), grid=east, epsilon="100")  # fmt: skip
    merged = dm.merge([a, b])
    assert merged.grid.shape == (5, 6)
    expected = np.full((5, 6), np.nan)
    expected[2:, :4] = 1e4
    expected[:4, 3:] = np.nan_to_num(expected[:4, 3:]) + 1e5
    assert np.allclose(merged.estimate, expected, rtol=1e-3, equal_nan=True)
    assert together([west, east]).cells_inside == 12 + 12 - 2
    low, high = merged.interval()
    assert ((low <= merged.estimate) & (merged.estimate <= high))[merged.grid.inside].all()


def test_cells_that_anyone_measured_together_stay_together():
    """On the map a block is outlined where some partner knows its cells as one only."""
    rows = Partition(np.arange(512).reshape(16, 32) // 64)
    columns = Partition(np.tile(np.arange(32) // 4, (16, 1)))
    assert coarsest(GRID, [(GRID, rows), (GRID, columns)]).regions == 1
    assert coarsest(GRID, [(GRID, rows), (GRID, Partition.cells(GRID))]).regions == 8
    merged = dm.merge([released("A"), released("B")])
    assert read_map(merged.record).alone().all()
    assert np.allclose(
        read_map(merged.record).noisy_cells(),
        sum(m.values.reshape(16, 32) for m in merged.measurements),
    )


def test_layers_are_merged_one_by_one():
    """Maps of the same kinds and times add up layer by layer."""
    grid = GRID.layered(Kinds("species", ("Kite", "Owl")))
    a, b = (released(name, truth(grid), grid=grid, epsilon="50") for name in "AB")
    merged = dm.merge([a, b])
    assert merged.estimate.shape == grid.shape
    assert np.allclose(
        merged.layer("owl").estimate, a.layer("owl").estimate + b.layer("owl").estimate
    )


def test_a_merged_map_is_saved_with_its_partners_and_opens_the_same(tmp_path):
    """One file, from which all can be drawn and asked again, and each partner's own numbers are still in it."""
    merged = dm.merge([released("A", strategy="adaptive"), released("B")], signed_by="Ana Ruiz")
    merged.save(tmp_path / "m.dpmap")
    again = dm.open(tmp_path / "m.dpmap")
    assert np.array_equal(again.estimate, merged.estimate, equal_nan=True)
    assert statement(again.record) == statement(merged.record)
    assert len(again.measurements) == len(merged.measurements)
    assert not again.fresh


def forged(path, change):
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(entries["dpmap.json"])
    change(document)
    entries["dpmap.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain["policy"].update(epsilon="0.1"),
        lambda plain: plain["policy"].update(cap=1),
        lambda plain: plain.update(notes={"disjoint": {"datasets": ["A", "B"], "signed_by": "x"}}),
        lambda plain: plain["grid"].update(shape=[8, 16]),
        lambda plain: plain.update(partners=7),
        lambda plain: plain.update(partners=-1),
    ],
)
def test_a_file_that_claims_what_its_partners_do_not_is_refused(tmp_path, change):
    """The promise of a merged map is worked out again when it is opened."""
    dm.merge([released("A"), released("B")]).save(tmp_path / "m.dpmap")
    forged(tmp_path / "m.dpmap", change)
    with pytest.raises(BadInput, match=r"m\.dpmap is not a"):
        dm.open(tmp_path / "m.dpmap")


def test_every_layer_and_word_of_a_merged_map_says_whose_it_is(tmp_path):
    """Pictures, layers and tables are made; the words name the partners and the noise of the sum."""
    merged = dm.merge([released("North", strategy="adaptive"), released("South", epsilon="1/2")])
    for name in ("m.png", "m.tif", "m.gpkg", "m.csv", "m.geojson", "m.md"):
        assert merged.write(tmp_path / name)
    assert (
        "Merged from 2 differentially private maps (North + South)"
        in map_statement(merged.record).provenance()
    )
    assert "limiter" not in map_statement(merged.record).facts()
    scales = tuple(sorted((float(one.measurements[-1].scale), 1) for one in merged.record.partners))
    assert read_map(merged.record).half_width() == sum_quantile(0.9, scales)
    text = statement(merged.record)
    assert "| `North` | `2026-11-21` | 1 | 5 | none | 3, `cdcdcdcdcdcdcdcd` |" in text
    assert "Adding them up looked at no survey and cost nothing" in text
    assert "South" in repr(merged)


def test_what_a_merged_map_has_not_is_told():
    """Hot spots and the registry's file are the partners' own."""
    merged = dm.merge([released("A"), released("B")])
    with pytest.raises(BadInput, match="partner's own release"):
        merged.hotspots()
    with pytest.raises(BadInput, match="partners' releases"):
        privacy_yaml(merged.record)


def test_dpmap_merge_makes_a_folder_and_spends_nothing(tmp_path, capsys):
    """The command line: two files in, one folder out, and the merged file answers like any other."""
    for name in "AB":
        released(name).save(tmp_path / f"{name}.dpmap")
    files = [str(tmp_path / f"{name}.dpmap") for name in "AB"]
    out, ledger = tmp_path / "both", tmp_path / "a.ledger"
    dm.Ledger(ledger).plan("3")
    assert run(["merge", *files, "--out", str(out), "--signed-by", "Ana Ruiz"]) == 0
    assert (
        "2 maps in one: epsilon 1 for any one unit, as no unit is in two of them"
        in capsys.readouterr().out
    )
    made = {path.name for path in out.iterdir()}
    assert {"release.dpmap", "map.png", "map.html", "cells.gpkg", "map.tif", "statement.md"} <= made
    assert "privacy.yaml" not in made
    assert run(["export", str(out / "release.dpmap"), "--to", str(tmp_path / "cells.csv")]) == 0
    assert run(["ledger", str(ledger), "--against", str(out / "release.dpmap")]) == 2
    assert "check each partner's own release" in capsys.readouterr().err
    assert run(["merge", *files, "--out", str(out)]) == 2
    assert run(["merge", files[0], "--out", str(tmp_path / "one")]) == 2
    assert not (tmp_path / "one").exists()


def test_individuals_and_records_are_not_added_up():
    """A map of birds and one of sightings have no sum that a legend could name."""
    with pytest.raises(BadInput, match="count"):
        dm.merge([released("north"), released("south", notes={"noun": "individuals"})])


def of_years(*spans, epsilon="1", name="Raptors", **policy):
    """Releases of one data set, each of the rows of one declared span."""
    read = [
        [["selected", f"rows where date between {span}"], ["dates", "date: iso"]] for span in spans
    ]
    made = [released(name, epsilon=epsilon, notes={"read_as": lines}, **policy) for lines in read]
    return [
        Release(
            replace(
                one.record, receipt=replace(one.record.receipt, release_id=f"{number} of {name}")
            )
        )
        for number, one in enumerate(made)
    ]


def test_two_years_of_one_data_set_become_one_map_and_a_unit_loses_the_sum(tmp_path):
    """Where --from and --to declare spans that share no day, no row counts twice; a unit of both years may lose both epsilons, which is said."""
    merged = dm.merge(of_years("2025-01 and 2025-12", "'2026' and 2026-03"))
    assert (merged.policy.epsilon, merged.policy.cap) == (2, 10)
    assert "loses the sum of their epsilons, 2" in statement(merged.record)
    assert "No row counts in two maps of the same data set" in statement(merged.record)
    merged.save(tmp_path / "merged.dpmap")
    assert np.allclose(dm.open(tmp_path / "merged.dpmap").estimate, merged.estimate)
    with pytest.raises(BadInput, match="leave signed_by= out"):
        dm.merge(of_years("2025-01 and 2025-12", "2026-01 and 2026-03"), signed_by="Ana Ruiz")


def test_years_that_may_share_a_row_are_refused():
    """Spans that share a day, of other columns or dates read otherwise, other rules, or none: rows might count twice."""
    for spans in (
        ("2025 and 2026", "2026 and 2027"),
        ("2025-01 and 2025-06-30", "2025-06-30 and 2025-12"),
    ):
        with pytest.raises(BadInput, match="would count twice"):
            dm.merge(of_years(*spans))
    one, two = of_years("2025 and 2025", "2026 and 2026")
    for lines in (
        [["selected", "rows where seen between 2026 and 2026"], ["dates", "date: iso"]],
        [["selected", "rows where date between 2026 and 2026"], ["dates", "date: day first"]],
        [["selected", "rows where date between 2026 and 2026 or age > 3"], ["dates", "date: iso"]],
        [["selected", "rows where date >= 2026"], ["dates", "date: iso"]],
        [],
    ):
        other = replace(two.record, about=type(two.record.about).from_mapping({"read_as": lines}))
        with pytest.raises(BadInput, match="would count twice"):
            dm.merge([one, Release(other)])
    with pytest.raises(
        BadInput, match="would count twice"
    ):  # a caller's own notes may say anything
        dm.merge([one, Release(replace(two.record, remarks=None))])


def test_layers_of_one_release_cost_its_epsilon_once(tmp_path):
    """Two seasons of one release share its cap and its noise: together they cost what it cost; one of them twice is refused."""
    layered = released("Raptors", grid=GRID.layered(dm.Times("date", ("2024", "2025", "2026"))))
    merged = dm.merge(list(layered.layers.values()))
    assert (merged.policy.epsilon, merged.policy.cap) == (1, 5)
    merged.save(tmp_path / "merged.dpmap")
    assert dm.open(tmp_path / "merged.dpmap").policy.epsilon == 1
    with pytest.raises(BadInput):
        dm.merge([layered.layer("2024"), layered.layer("2024")])


def test_a_file_that_calls_one_draw_two_years_is_refused(tmp_path):
    """A merged file in which two maps of one data set are not of times apart does not open."""
    one, two = of_years("2025 and 2025", "2026 and 2026")
    same = replace(two.record, about=one.record.about)
    merged = replace(dm.merge([one, two]).record, partners=(one.record, same))
    Release(merged).save(tmp_path / "merged.dpmap")
    with pytest.raises(BadInput, match="of one data set or one draw"):
        dm.open(tmp_path / "merged.dpmap")
