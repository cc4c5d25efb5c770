"""No unit moves the totals by more than its cap, whatever it and the others hold, and nothing else of theirs changes.

The check is run against the limiter's own SQL on random surveys, and against broken SQL, which it must catch.
"""

import os
import random
from contextlib import contextmanager

import duckdb
import given_rows
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines import BESIDE
from dpmap.engines.duckdb import DuckDB
from dpmap.promise.limiters import LIMITERS
from dpmap.survey.sources import Source
from dpmap.survey.survey import Roles
from dpmap.survey.unit_names import is_missing, normalise
from dpmap.vault.cap_sql import capped_totals

DEEP = os.environ.get("DPMAP_DEEP") == "1"
EXAMPLES = 2_500 if DEEP else 100
WIDTH = 6
GRID = dm.Grid(bounds=(0, 0, WIDTH, 1), shape=(1, WIDTH), crs="EPSG:3857")
NAMES = (
    None,
    "",
    " ",
    "Ana",
    "ana",
    "ANA ",
    "a\u0301na",
    "\u00e1na",
    "\u00c1NA",
    "bob",
    "Bob\u200b",
    "BOB",
    "n/a",
    "NULL",
    "c",
    "stra\u00dfe",
    "STRASSE",
)


class Kept(DuckDB):
    """The embedded engine on one connection that stays open, so that thousands of small surveys go quickly."""

    def __init__(self):
        super().__init__()
        self.database = duckdb.connect(":memory:", config={"threads": 1})

    @contextmanager
    def connected(self):
        try:
            yield self.database
        finally:
            for kind in ("view", "table"):
                left = self.database.execute(
                    f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE NOT internal AND NOT temporary"
                )
                for (name,) in left.fetchall():
                    self.database.execute(f'DROP {kind} "{name}" CASCADE')


def survey_of(database, rows):
    """A survey over (name, cell) rows without any file."""
    names, places = (
        pa.array([name for name, _ in rows], pa.string()),
        [cell + 0.5 for _, cell in rows],
    )
    database.register(
        "seen",
        pa.table({"who": names, "x": pa.array(places, pa.float64()), "y": [0.5] * len(rows)}),
    )
    return dm.Survey(Source(("who", "x", "y"), sql="seen"), Roles(crs="EPSG:3857", x="x", y="y"))


def direct(database, rows, policy, shares=1, sabotage=str):
    """The limiter's SQL over (unit, cell, weight) rows given as they are."""
    if not rows:
        return {}
    sql = sabotage(capped_totals(policy, shares))
    found = database.execute(
        given_rows.parsed(f"WITH {given_rows.given(database, rows)}, {BESIDE} {sql}")
    ).fetchall()
    assert len(dict(found)) == len(found)
    return {cell: steps for cell, steps in found if steps}


def totals_of(engine, rows, policy, sabotage=str):
    """Through the engine, or where `engine` is a bare connection by the limiter's SQL over rows folded here."""
    if not isinstance(engine, DuckDB):
        return direct(
            engine,
            [(person(name), cell, 1) for name, cell in rows if person(name)],
            policy,
            sabotage=sabotage,
        )
    if all(person(name) is None for name, _ in rows):
        return {}  # the engine would say that the unit column is blank
    found = engine.totals(
        survey_of(engine.database, rows),
        GRID,
        policy,
        sabotage(capped_totals(policy)),
        lambda step: None,
    )
    return {
        cell: steps
        for cell, steps in zip(found._cells.tolist(), found._steps.tolist(), strict=True)
        if steps
    }


def person(name):
    folded = normalise(name or "")
    return None if is_missing(folded) else folded


def distance(one, other):
    return sum(abs(one.get(cell, 0) - other.get(cell, 0)) for cell in {*one, *other})


def check_cap(engine, rows, removed, policy, sabotage=str):
    """Removing one unit moves the totals by at most C, by exactly what it adds alone, and the others not at all."""
    whole = totals_of(engine, rows, policy, sabotage)
    others = totals_of(engine, [row for row in rows if person(row[0]) != removed], policy, sabotage)
    alone = totals_of(engine, [row for row in rows if person(row[0]) == removed], policy, sabotage)
    count = sum(person(name) == removed for name, _ in rows)
    assert distance(whole, others) <= policy.cap * policy.lattice
    assert {cell: whole.get(cell, 0) - others.get(cell, 0) for cell in range(WIDTH)} == {
        cell: alone.get(cell, 0) for cell in range(WIDTH)
    }
    assert all(0 <= steps for steps in alone.values())
    assert sum(alone.values()) <= min(count, policy.cap) * policy.lattice
    if LIMITERS[policy.limiter].by_cell:
        assert all(steps <= policy.lattice for steps in alone.values())
    else:
        assert sum(alone.values()) >= min(count, policy.cap) * policy.lattice - count


surveys = st.lists(
    st.tuples(st.sampled_from(NAMES) | st.text(max_size=3), st.integers(-1, WIDTH - 1)),
    min_size=1,
    max_size=24,
)


@pytest.mark.parametrize("way", ["the limiter's SQL", "the whole engine"])
@pytest.mark.parametrize("limiter", LIMITERS)
def test_removing_one_unit_moves_the_totals_by_at_most_the_cap(limiter, way):
    """In any survey, taking one person out changes the map before noise by at most C points, and nobody else's part."""
    engine = (
        Kept() if way == "the whole engine" else duckdb.connect(":memory:", config={"threads": 1})
    )

    @settings(
        max_examples=EXAMPLES // 10 if way == "the whole engine" else EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(rows=surveys, cap=st.integers(1, 6), pick=st.randoms(use_true_random=False))
    def holds(rows, cap, pick):
        rows = [(name, cell) for name, cell in rows if name is None or "\0" not in name]
        people = sorted({person(name) for name, cell in rows if cell >= 0} - {None})
        if not people:
            return
        inside = [row for row in rows if row[1] >= 0]
        policy = dm.Policy(epsilon=1, unit="who", cap=cap, limiter=limiter)
        check_cap(engine, inside, pick.choice(people), policy)

    holds()


@pytest.mark.parametrize("limiter", LIMITERS)
def test_the_cap_holds_for_weighted_rows(limiter):
    """Rows worth a share of a point, or many points, keep the cap too: what a mean or a count column needs."""
    database = duckdb.connect(":memory:", config={"threads": 1})
    rows_of = st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.integers(1, 30) | st.just(1 << 29)),
        min_size=1,
        max_size=12,
    )

    @settings(
        max_examples=EXAMPLES // 5,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        rows=rows_of, cap=st.integers(1, 9) | st.just(10**9), shares=st.sampled_from((1, 2, 6, 840))
    )
    def holds(rows, cap, shares):
        if cap == 10**9 and shares > 1:
            return
        policy = dm.Policy(epsilon=1, unit="who", cap=cap, limiter=limiter)
        whole = direct(database, rows, policy, shares)
        others = direct(database, [row for row in rows if row[0] != rows[0][0]], policy, shares)
        alone = direct(database, [row for row in rows if row[0] == rows[0][0]], policy, shares)
        assert distance(whole, others) == sum(alone.values()) <= cap * policy.lattice
        assert all(
            whole.get(cell, 0) == others.get(cell, 0) + alone.get(cell, 0) for cell in range(5)
        )
        assert all(steps > 0 for steps in alone.values())

    holds()


@pytest.mark.parametrize("limiter", LIMITERS)
def test_rows_as_units_keep_the_cap(limiter):
    """With unit=row, one row adds at most C whatever its weight, under each limiter."""
    database = duckdb.connect(":memory:", config={"threads": 1})
    for cap in (1, 3):
        policy = dm.Policy(epsilon=1, unit="row", cap=cap, limiter=limiter)
        found = direct(database, [("", 0, 1), ("", 1, 50), ("", 1, 2)], policy)
        assert found == {0: policy.lattice, 1: (cap + min(2, cap)) * policy.lattice}


@pytest.mark.parametrize("limiter", LIMITERS)
def test_the_cap_holds_through_files(tmp_path, limiter):
    """The same through real CSV files and the engine as users get it."""
    dice = random.Random(7)
    policy = dm.Policy(epsilon=1, unit="who", cap=3, limiter=limiter)

    def through_file(rows):
        lines = ["who,x,y", *(f'"{name or ""}",{cell + 0.5},0.5' for name, cell in rows)]
        (tmp_path / "s.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        survey = dm.read(tmp_path / "s.csv", x="x", y="y", crs="EPSG:3857")
        found = DuckDB(threads=1).totals(survey, GRID, policy, capped_totals(policy), str)
        return dict(zip(found._cells.tolist(), found._steps.tolist(), strict=True))

    for _ in range(100 if DEEP else 12):
        rows = [(dice.choice(NAMES), dice.randrange(-1, WIDTH)) for _ in range(40)] + [
            ("someone", 0)
        ]
        removed = dice.choice(["ana", "bob", "c", "strasse", "\u00e1na"])
        others = [row for row in rows if person(row[0]) != removed]
        assert distance(through_file(rows), through_file(others)) <= policy.cap * policy.lattice


@pytest.mark.parametrize("cap", [1, 7, 1000, 10**6])
@pytest.mark.parametrize("limiter", LIMITERS)
def test_a_unit_of_a_million_rows_keeps_its_cap(limiter, cap):
    """A unit with a million rows in a million cells keeps at least 99.9 % of its cap, and never more than it."""
    policy = dm.Policy(epsilon=1, unit="who", cap=cap, limiter=limiter)
    with duckdb.connect(":memory:", config={"threads": 2}) as database:
        database.execute(
            "CREATE TABLE rows AS SELECT 'heavy' AS unit, i AS cell, CAST(1 AS BIGINT) AS weight FROM range(1000000) t(i)"
        )
        sql = f"WITH {BESIDE} SELECT sum(steps) FROM ({capped_totals(policy)})"
        ((kept,),) = database.execute(sql).fetchall()
    assert 0.999 * cap * policy.lattice <= kept <= cap * policy.lattice


@pytest.mark.parametrize(("cells", "cap"), [(30, 20), (4, 20), (500, 3), (1, 1)])
def test_presence_counts_a_unit_with_many_rows_in_few_cells_in_full(cells, cap):
    """Rows that repeat a cell take no other cell's place: C of a unit's cells count, or all if it has fewer."""
    policy = dm.Policy(epsilon=1, unit="who", cap=cap, limiter="presence")
    rooted = [("a", 7 * (i % cells), 1) for i in range(20_000)]
    roaming = [("b", 10_000 + i, 1) for i in range(2000)]
    alone, together = (
        direct(duckdb.connect(":memory:"), rows, policy) for rows in (rooted, rooted + roaming)
    )
    assert sum(alone.values()) == min(cells, cap) * policy.lattice
    assert {cell: steps for cell, steps in together.items() if cell < 10_000} == alone
    assert sum(together.values()) == (min(cells, cap) + cap) * policy.lattice


def broken(*changes):
    """SQL with each of these pieces replaced; a piece that is not there means that this test needs a new one."""

    def change(sql):
        for old, new in changes:
            assert old in sql, f"the limiter has no {old!r} any more: write this break anew"
            sql = sql.replace(old, new)
        return sql

    return change


BREAKS = {
    "scale: the cap is off by one": ("scale", broken(("whole <= 5", "whole <= 6"))),
    "scale: a little too much for everyone": ("scale", broken((f"weight * {5 * 2**30}", f"weight * {5 * 2**30 + 30}"))),
    "scale: rounded up": ("scale", broken((f"weight * {5 * 2**30} // whole", f"(weight * {5 * 2**30} + whole - 1) // whole"))),
    "scale: shared by all units": ("scale", broken(("FROM wholes GROUP BY unit) AS units\n        USING (unit)", "FROM rows) AS units ON true"), ("SELECT unit, CAST(SUM", "SELECT CAST(SUM"))),
    "sample: the cap is off by one": ("sample", broken(("WHERE earlier < 5", "WHERE earlier < 6"), ("5 - earlier", "6 - earlier"))),
    "sample: numbered over all units": ("sample", broken(("PARTITION BY unit ORDER BY place", "ORDER BY place"))),
    "sample: an order of the whole table": ("sample", broken(("MD5(name)", "MD5(CONCAT((SELECT count(*) FROM rows), name))"))),
    "presence: the cap is off by one": ("presence", broken(("WHERE earlier < 5", "WHERE earlier < 6"), ("5 - earlier", "6 - earlier"))),
    "presence: a cell counts all rows": ("presence", broken(("LEAST(1, CAST(SUM(weight) AS BIGINT))", "CAST(SUM(weight) AS BIGINT)"))),
    "presence: numbered over all units": ("presence", broken(("PARTITION BY unit ORDER BY place", "ORDER BY place"))),
}  # fmt: skip


@pytest.mark.matrix(4)
@pytest.mark.parametrize("name", BREAKS)
def test_the_check_catches_a_broken_limiter(name):
    """The check above is no formality: it fails on every way the cap is known to break."""
    limiter, sabotage = BREAKS[name]
    engine, dice = duckdb.connect(":memory:", config={"threads": 1}), random.Random(3)
    policy = dm.Policy(epsilon=1, unit="who", cap=5, limiter=limiter)
    caught = 0
    for _ in range(25):
        rows = [
            (dice.choice("aaaabbbbc"), dice.randrange(WIDTH)) for _ in range(dice.randrange(16, 40))
        ]
        check_cap(engine, rows, "b", policy)
        try:
            check_cap(engine, rows, "b", policy, sabotage)
        except AssertionError as failure:
            assert "write this break anew" not in str(failure)
            caught += 1
    assert caught
