"""Thinning leaves out what the cap would leave out, and nothing else: with it and without it every total is the same."""

import os

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines import BESIDE
from dpmap.engines.prefilter import CapPrefilter, make_prefilter
from dpmap.engines.row_runs import RowRuns
from dpmap.promise.limiters import LIMITERS
from dpmap.vault.cap_sql import CAPS, PRIME, capped_totals

EXAMPLES = 600 if os.environ.get("DPMAP_DEEP") == "1" else 60


def orders(database, thin, rows):
    """Each heavy unit's order, by the vault's SQL."""
    units, many = np.unique(rows >> 32, return_counts=True)
    database.register("seen", {"unit": units, "row_count": many})
    return database.execute(
        "WITH names AS (SELECT unit, 'person ' || unit AS name FROM seen), "
        f"sizes AS (SELECT unit, row_count * {thin.weight} AS whole, row_count FROM seen) {thin.orders}"
    ).fetchnumpy()


def totals(database, rows, policy, shares):
    """The capped totals by the limiter's SQL."""
    database.register("given", {"row": rows})
    told = (
        f"WITH rows AS (SELECT row >> 32 AS unit, row & 4294967295 AS cell, CAST({shares} AS BIGINT) AS weight FROM given), "
        f"{BESIDE.replace('unit AS name', chr(39) + 'person ' + chr(39) + ' || unit AS name')} {capped_totals(policy, shares)}"
    )
    return {cell: steps for cell, steps in database.execute(told).fetchall() if steps}


def packed(pairs):
    return np.sort(np.array([unit << 32 | cell for unit, cell in pairs], dtype=np.int64))


surveys = st.lists(st.tuples(st.integers(5, 8), st.integers(0, 40)), min_size=1, max_size=300)


@pytest.mark.parametrize("limiter", [name for name in LIMITERS if CAPS[name].first])
@pytest.mark.parametrize("few", [3, 1 << 20])
def test_totals_are_the_same_with_and_without(limiter, few, monkeypatch):
    """Whatever units hold, and however few rows are looked at at once."""
    monkeypatch.setattr("dpmap.engines.row_runs.SLICE", few)
    database = duckdb.connect(config={"threads": 1})

    @settings(max_examples=EXAMPLES, deadline=None, database=None)
    @given(pairs=surveys, cap=st.integers(1, 30), shares=st.sampled_from([1, 60]))
    def same(pairs, cap, shares):
        rows, policy = packed(pairs), dm.Policy(epsilon=1, unit="who", cap=cap, limiter=limiter)
        thin = make_prefilter(policy, shares)
        kept = thin.kept(RowRuns.pack(rows), orders(database, thin, rows))
        units, many = np.unique(kept >> 32, return_counts=True)
        assert len(units) == len(np.unique(rows >> 32)) and many.max() <= cap
        assert totals(database, kept, policy, shares) == totals(database, rows, policy, shares)

    same()


@settings(max_examples=EXAMPLES, deadline=None, database=None)
@given(pairs=surveys, few=st.integers(1, 9))
def test_packed_rows_are_the_rows(pairs, few):
    """Packed, rows are the same, with the same copies and units, however few are unpacked at once."""
    rows = packed(pairs)
    expected = [(row, rows[: i + 1].tolist().count(row)) for i, row in enumerate(rows.tolist())]
    runs = RowRuns.pack(rows.copy())
    assert runs.unpack().tolist() == rows.tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpmap.engines.row_runs.SLICE", few)
        parts = [*runs.slices()]
        distinct = np.concatenate([*runs.distinct_slices()]).tolist()
    assert max(len(part) for part, _ in parts) <= few
    assert [(row, copy) for part in parts for row, copy in zip(*part, strict=True)] == expected
    assert distinct == sorted({*rows.tolist()})
    assert [array.tolist() for array in runs.count_by_unit()] == [
        array.tolist() for array in np.unique(rows >> 32, return_counts=True)
    ]
    unit = rows[0] >> 32
    alone = RowRuns.of_unit(int(unit), np.bincount(rows[rows >> 32 == unit] & 0xFFFFFFFF))
    assert alone.unpack().tolist() == rows[rows >> 32 == unit].tolist()


@pytest.mark.parametrize("limiter", [name for name in LIMITERS if CAPS[name].first])
def test_what_is_kept_of_a_unit_depends_on_its_own_rows_only(limiter):
    """With others beside it or alone, first or last among them: the same of its rows are kept."""
    dice = np.random.default_rng(4)
    rows = packed(
        zip(dice.integers(3, 30, 5000).tolist(), dice.integers(0, 50, 5000).tolist(), strict=True)
    )
    thin = make_prefilter(dm.Policy(epsilon=1, unit="who", cap=12, limiter=limiter), 1)
    database = duckdb.connect()
    everybody = np.sort(thin.kept(RowRuns.pack(rows), orders(database, thin, rows)))
    for unit in np.unique(rows >> 32):
        alone = rows[rows >> 32 == unit]
        kept = np.sort(thin.kept(RowRuns.pack(alone), orders(database, thin, alone)))
        assert kept.tolist() == everybody[everybody >> 32 == unit].tolist()


def test_equal_places_are_kept_in_the_order_of_cells():
    """Should two rows have one place, the cap holds, and the lower cell comes first, as in the limiter's SQL."""
    none = np.zeros(1, dtype=np.int64)
    told = {"unit": none + 9, "bar": none + PRIME, "a": none, "b": none + 7, "c": none, "d": none}
    for cells in (False, True):
        kept = CapPrefilter(cap=3, weight=1, cells=cells).kept(
            RowRuns.pack(packed([(9, cell) for cell in (8, 5, 2, 6, 1)])), told
        )
        assert sorted((kept & 0xFFFFFFFF).tolist()) == [1, 2, 5]


def test_a_unit_of_many_rows_in_few_cells_keeps_each_cell():
    """Where few places lie below the first bar, presence looks further, until it has the cap or every cell."""
    rows = packed(
        [(1, cell) for cell in range(9) for _ in range(4000)] + [(2, cell) for cell in range(500)]
    )
    database = duckdb.connect()
    for cap in (5, 9, 20):
        thin = make_prefilter(dm.Policy(epsilon=1, unit="who", cap=cap, limiter="presence"), 1)
        kept = thin.kept(RowRuns.pack(rows), orders(database, thin, rows))
        assert np.bincount(kept >> 32).tolist() == [0, min(cap, 9), cap]


def test_what_puts_no_rows_in_order_is_not_thinned():
    """`scale` keeps every row, and so do units that state limits or are single rows."""
    for how in ({"limiter": "scale"}, {"unit": "row"}, {"epsilon_by": "comfort=0.5,1"}):
        assert (
            make_prefilter(dm.Policy(**{"epsilon": 1, "unit": "who", "cap": 3, **how}), 1) is None
        )


@pytest.mark.parametrize("limiter", LIMITERS)
def test_what_is_put_in_no_order_is_not_thinned(limiter):
    """Only what a limiter counts the first of is thinned, by rows or by cells as its own spec says, and an unknown one never."""
    thin = make_prefilter(dm.Policy(epsilon=1, unit="who", cap=3, limiter=limiter), 1)
    many = (np.int64(7) << 32) | np.arange(99)
    none = {name: np.array([], dtype=np.int64) for name in ("unit", "bar", "a", "b", "c", "d")}
    assert (thin is None) == (limiter == "scale")
    assert thin is None or thin.cells == LIMITERS[limiter].by_cell
    assert thin is None or len(thin.kept(RowRuns.pack(many[:3]), none)) == 3
    unknown = dm.Policy(epsilon=1, unit="who", cap=3)
    object.__setattr__(unknown, "limiter", "every")
    for asked in (make_prefilter, capped_totals):
        with pytest.raises(KeyError):
            asked(unknown, 1)
