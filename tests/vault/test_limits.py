"""Each to her own: no unit loses more than the limit it states itself, and nobody's limit moves what others add."""

import os
from collections import defaultdict
from fractions import Fraction

import duckdb
import given_rows
import pytest
from builders import surveys
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.promise.policy import Limits
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.steward.release_run import _limiter
from dpmap.vault.cap_sql import capped_totals

DEEP = os.environ.get("DPMAP_DEEP") == "1"
EXAMPLES = 2_000 if DEEP else 200
DATABASE = duckdb.connect(config={"threads": 1})
WIDTH = 5
GRID = dm.Grid(bounds=(0, 0, WIDTH, 1), shape=(1, WIDTH), crs="EPSG:3857")


def promise(levels="0.1,0.5,1", **more):
    return dm.Policy(
        **{"epsilon": 1, "unit": "who", "cap": 5, "epsilon_by": f"comfort={levels}", **more}
    )


def direct(rows, policy, shares=1, sabotage=str):
    """The limiter's SQL over (unit, cell, weight, level) rows."""
    sql = sabotage(capped_totals(policy, shares))
    found = (
        DATABASE.execute(
            given_rows.parsed(f"WITH {given_rows.given(DATABASE, rows)} {sql}")
        ).fetchall()
        if rows
        else []
    )
    return {cell: steps for cell, steps in found if steps}


def by_hand(rows, policy, shares=1):
    """What the definition says, in fractions: every row at min(1, own cap / the unit's weight), own cap the strictest."""
    own = defaultdict(list)
    for unit, cell, weight, level in rows:
        own[unit].append((cell, weight, level))
    totals = defaultdict(int)
    for kept in own.values():
        level = min(level for _, _, level in kept)
        limit = policy.epsilon_by.levels[level - 1] * (policy.lifetime or 1) if level else 0
        cap = int(min(Fraction(1), limit / policy.epsilon) * policy.cap * policy.lattice)
        whole = Fraction(sum(weight for _, weight, _ in kept), shares)
        for cell, weight, _ in kept:
            points = Fraction(weight, shares)
            totals[cell] += int(
                points * policy.lattice if whole * policy.lattice <= cap else points * cap / whole
            )
    return {cell: steps for cell, steps in totals.items() if steps}


def check(rows, policy, shares=1, sabotage=str):
    """The contract: any one unit's leaving moves the totals by at most its own share of the cap, and nobody else's part."""
    whole = direct(rows, policy, shares, sabotage)
    for unit in {row[0] for row in rows}:
        level = min(level for name, _, _, level in rows if name == unit)
        limit = policy.own_limits[level - 1] if level else 0
        others = direct([row for row in rows if row[0] != unit], policy, shares, sabotage)
        moved = {cell: whole.get(cell, 0) - others.get(cell, 0) for cell in range(WIDTH)}
        assert min(moved.values()) >= 0
        assert sum(moved.values()) <= policy.cap * policy.lattice * limit / policy.epsilon
    assert whole == by_hand(rows, policy, shares)


@pytest.mark.parametrize("shares", [1, 720720])
def test_no_unit_moves_the_map_by_more_than_its_own_limit_allows(shares):
    """In any survey, whatever anybody states, taking one unit out changes the totals by at most C times its share."""

    @settings(
        max_examples=EXAMPLES // 2,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        rows=st.lists(
            st.tuples(
                st.sampled_from("abcd"), st.integers(0, WIDTH - 1),
                st.integers(0, 9 * shares) | st.just(1 << 29), st.integers(0, 3),
            ),
            min_size=1, max_size=14,
        ),
        cap=st.integers(1, 7),
        epsilon=st.sampled_from(("0.3", "0.7", "1")),
        lifetime=st.sampled_from((None, "1/3", "75%")),
    )  # fmt: skip
    def holds(rows, cap, epsilon, lifetime):
        share = Fraction(3, 4) if lifetime == "75%" else Fraction(lifetime or 1)
        policy = promise(cap=cap, epsilon=min(Fraction(epsilon), share), lifetime=lifetime)
        check(rows, policy, shares)

    holds()


WRONG = {
    "the limit is ignored": (("WHEN 1 THEN 2147483648", "WHEN 1 THEN 5368709120"),),
    "rounded up to the next level": (("MIN(level)", "LEAST(3, MIN(level) + 1)"),),
    "applied after the cap": (
        ("WHEN whole <= fits THEN weight *", "WHEN whole <= 5 THEN weight * most // 5368709120 *"),
    ),
    "not the strictest": (("MIN(level)", "MAX(level)"),),
    "everybody's strictest": (("MIN(level) AS level", "(SELECT MIN(level) FROM rows) AS level"),),
    "weights are rounded up": (("weight * most // whole", "(weight * most + whole - 1) // whole"),),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_check_catches_a_broken_limit(name):
    """The check above is no formality: it fails on every way in which personal limits are known to break."""

    def broken(sql):
        for old, new in WRONG[name]:
            assert old in sql, f"write this break anew: {old}"
            sql = sql.replace(old, new)
        return sql

    policy = promise("0.4,0.6,1")
    rows = [("a", i % 4, 1, 1 + i % 2) for i in range(23)] + [("b", i, 1, 3) for i in range(4)]
    rows += [("c", 1, 1, 2), ("d", 2, 3, 1)]
    check(rows, policy)
    with pytest.raises(AssertionError) as failure:
        check(rows, policy, sabotage=broken)
    assert "write this break anew" not in str(failure.value)


STATED = {
    "1": 5, "1.0": 5, "7": 5, " 0.99999999999999999999 ": 2.5, "0.5": 2.5, '"0,5"': 2.5, ".5": 2.5, "0.4999": 0.5,
    "0.1": 0.5, "0.100000": 0.5, "0.0999999999999999999999": 0, "0": 0, "-1": 0, "1e0": 0, "inf": 0, "low": 0, "½": 0,
}  # fmt: skip


def survey(tmp_path, lines):
    return surveys.survey(tmp_path, lines, "who,x,y,comfort", **surveys.METRES)


def counted(rows, policy, **more):
    found = DuckDB().totals(rows, GRID, policy, _limiter(policy, 1), str, **more)
    return {
        cell: steps / policy.lattice
        for cell, steps in zip(found._cells.tolist(), found._steps.tolist(), strict=True)
    }


def test_a_stated_limit_is_rounded_down_to_a_declared_level(tmp_path):
    """Whatever is written: what lies below the lowest level or cannot be read counts nothing, and nothing is rounded up."""
    for number, (text, points) in enumerate(STATED.items()):
        lines = [f"a{number},{cell}.5,0.5,{text}" for cell in (1, 1, 2, 3, 3, 3, 3)]
        assert sum(counted(survey(tmp_path, lines), promise()).values()) == pytest.approx(
            points, abs=1e-6
        ), text


def test_the_strictest_of_a_units_rows_holds_and_a_row_without_limit_is_left_out(tmp_path):
    """Spellings of one name are one unit; a blank leaves alone, an unreadable limit takes its unit with it."""
    lines = [
        *["Ana,0.5,0.5,1"] * 9, "ANA ,0.5,0.5,0.1",
        *["bo,1.5,0.5,1"] * 3, "bo,1.5,0.5,", "bo,1.5,0.5,n/a",
        *["cy,2.5,0.5,1"] * 3, "cy,2.5,0.5,as little as you can",
        *["dee,3.5,0.5,"] * 3,
    ]  # fmt: skip
    found = counted(survey(tmp_path, lines), promise())
    assert found.pop(0) == pytest.approx(0.5, abs=1e-6)
    assert {cell: points for cell, points in found.items() if points} == {1: 3.0}


def test_withdrawals_keep_their_limits(tmp_path):
    """Each has the strictest limit of her own rows, and who refuses is gone."""
    lines = [
        "Ana,0.5,0.5,0.5",
        "Ana,1.5,0.5,1",
        *["Bo,2.5,0.5,1"] * 9,
        "bo,0.5,0.5,0.5",
        "Cy,3.5,0.5,1",
    ]
    path = tmp_path / "s.csv"
    path.write_text(
        "\n".join(["who,x,y,comfort,ok", *(f"{line},yes" for line in lines), "cy,4.5,0.5,1,no"])
        + "\n"
    )
    rows = dm.read(path, x="x", y="y", crs="EPSG:3857", consent="ok=yes", consent_by="unit")
    policy = promise(consent="ok=yes")
    found = DuckDB().totals(rows, GRID, policy, _limiter(policy, rows.roles.shares), str)
    points = dict(zip(found._cells.tolist(), (found._steps / policy.lattice).tolist(), strict=True))
    bo = 2.5 / 10
    assert points == pytest.approx({0: 1 + bo, 1: 1.0, 2: 9 * bo}, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"epsilon_by": "comfort"}, "declared beforehand"),
        ({"epsilon_by": "=0.1"}, "name a column"),
        ({"epsilon_by": 5}, "name a column"),
        ({"epsilon_by": "comfort=0.1,x"}, "not a number"),
        ({"epsilon_by": "comfort=1/3"}, "decimals"),
        ({"epsilon_by": "comfort=0.1,0.5"}, "write epsilon=0.5"),
        ({"epsilon_by": "comfort=0.1,1", "lifetime": "25%"}, "write epsilon=0.25"),
        ({"epsilon_by": None, "lifetime": "25%"}, "epsilon_by"),
        ({"lifetime": "0"}, "share of every limit"),
        ({"lifetime": "101%"}, "share of every limit"),
    ],
)
def test_levels_are_declared_and_make_sense(given, says):
    """What is missing or contradicts itself is one line that says what to write."""
    with pytest.raises(BadInput, match=says):
        promise(**given)


@pytest.mark.parametrize(
    "given",
    [
        {"unit": "row"},
        {"limiter": "sample"},
        {"limiter": "presence"},
        {"cap": "auto:0.05"},
        {"site": "nest"},
    ],
)
def test_what_has_no_proof_with_personal_limits_is_refused(given):
    """Each with its reason."""
    with pytest.raises(Refused, match="epsilon_by= has no proof with"):
        promise(**given)


def made(tmp_path, policy, *, ledger="x.ledger", budget=9, **more):
    rows = survey(
        tmp_path, [f"u{i},{i % WIDTH}.5,0.5,{('0.1', '0.5', '1')[i % 3]}" for i in range(60)]
    )
    return dm.release(
        rows, GRID, policy, ledger=tmp_path / ledger, dataset="d", budget=budget, **more
    )


def test_the_release_says_whose_limit_is_what(tmp_path):
    """The statement names the column, the levels, each level's cap and odds, and that careful units are counted for less."""
    release = made(tmp_path, promise(), strategy="flat")
    text = statement(release.record)
    assert "`comfort`, rounded down to a level declared beforehand" in text
    assert "a unit of limit 0.1 at most 0.5, 0.5 at most 2.5, 1 at most 5 points" in text
    assert "0.1 (a factor of 1.11), 0.5 (a factor of 1.65), 1 (a factor of 2.72)" in text
    assert "careful units count for less in the totals than they reported" in text
    assert (
        "Which limit a unit stated is private too: between two limits, by an epsilon of the two added up"
        in text
    )
    assert "for each no more than its own limit" in map_statement(release.record).provenance()
    assert map_statement(release.record).facts()["epsilon_by"] == "comfort=0.1,0.5,1"
    assert "Personalised" in privacy_yaml(release.record)
    release.save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap").policy == release.policy
    assert dm.Ledger(tmp_path / "x.ledger").events()[-2].body["epsilon_by"] == "comfort=0.1,0.5,1"


def test_the_map_is_the_same_noise_and_bill_as_without_limits(tmp_path):
    """The noise is made for the map's epsilon, and the ledger is charged that: what the freest unit may lose."""
    release = made(tmp_path, promise(), strategy="flat")
    assert release.measurements[0].scale == 5
    assert dm.Ledger(tmp_path / "x.ledger").balance() == (9, 1)


def test_lifetime_limits_are_shared_out_and_never_overdrawn(tmp_path):
    """Releases take shares of every unit's limit; the one that would pass the whole is refused, and says what is left."""
    policy = promise(epsilon="0.25", lifetime="40%")
    assert policy.own_limits == (Fraction(1, 25), Fraction(1, 5), Fraction(1, 4))
    release = made(tmp_path, policy)
    assert "took 40 % of the limit that each unit states for its lifetime" in statement(
        release.record
    )
    made(tmp_path, policy)
    with pytest.raises(BudgetExceeded, match="20 % of every limit remains"):
        made(tmp_path, policy)
    made(tmp_path, promise(epsilon="0.2", lifetime="20%"))
    with pytest.raises(BudgetExceeded, match="0 % of every limit"):
        made(tmp_path, promise(epsilon="0.01", lifetime="1%"))


def test_lifetime_limits_and_releases_that_ignore_them_do_not_mix(tmp_path):
    """In one ledger every release takes a share or none does: a limit for good that one release passes over is none."""
    made(tmp_path, promise(epsilon="0.25", lifetime="25%"))
    for policy in (promise(), dm.Policy(epsilon=1, unit="who", cap=5)):
        with pytest.raises(Refused, match="all releases take a share"):
            made(tmp_path, policy)
    made(tmp_path, promise(), ledger="y.ledger")
    with pytest.raises(Refused, match="all releases take a share"):
        made(tmp_path, promise(epsilon="0.25", lifetime="25%"), ledger="y.ledger")


def test_a_sample_of_units_keeps_every_limit(tmp_path):
    """The amplified loss of a smaller cap is at most its own limit: the bound is convex and nothing at nothing."""
    import math

    policy = promise(sample="20%")
    loss = float(policy.measuring)
    for limit, share in zip(policy.own_limits, policy.own_shares, strict=True):
        assert math.log1p(0.2 * math.expm1(loss * float(share))) <= float(limit) * (1 + 1e-9)
    made(tmp_path, policy)


def test_inspect_counts_units_by_limit_for_the_operator(tmp_path):
    """How many units have which level, and how many rows state none: true numbers, never in a release."""
    lines = ["a,0.5,0.5,1", "a,0.5,0.5,0.1", "b,0.5,0.5,1", "c,0.5,0.5,", "d,0.5,0.5,0.01"]
    found = dm.inspect(survey(tmp_path, lines), unit="who", epsilon_by="comfort=0.1,0.5,1")
    assert found.limits == {"too low to count": 1, "0.1": 1, "0.5": 0, "1": 1}
    assert found.left_out == {"no limit stated": 1}
    assert ("units of limit 0.1", "1") in found.tables()["What it holds"]


def test_a_column_that_is_not_there_is_told_before_anything_is_spent(tmp_path):
    """The line names the flag, and no ledger is made."""
    with pytest.raises(BadInput, match="epsilon_by"):
        made(tmp_path, promise(epsilon_by=Limits.parse("nothing=1")))
    assert not (tmp_path / "x.ledger").exists()


class Unasked:
    """An engine that must not be asked."""

    def _asked(self, *_, **__):
        raise AssertionError("an engine was asked")

    totals = opened = pairs = _asked


def test_limits_of_rows_that_name_several_reach_no_engine(tmp_path):
    """Beside split teams, personal limits are refused before any engine is asked, by every call that pays for an answer: a
    limit in a row would be that of everybody whom it names."""
    (tmp_path / "s.csv").write_text("who,comfort,x,y\nana; bo,0.1,0.5,0.5\n", encoding="utf-8")
    survey = dm.read(tmp_path / "s.csv", x="x", y="y", crs="EPSG:3857", team=";")
    paid = dict(ledger=tmp_path / "l", dataset="d", budget=9, engine=Unasked())
    coarse = dm.Grid(bounds=(0, 0, WIDTH, 1), shape=(1, 1), crs="EPSG:3857")
    ways = {
        "every cell": lambda: dm.release(survey, GRID, promise(), strategy="flat", **paid),
        "regions": lambda: dm.release(survey, GRID, promise(), **paid),
        "readers": lambda: dm.release(
            survey, GRID, promise(), tiers={"a": "0.5", "b": "1"}, **paid
        ),
        "a choice": lambda: dm.choose(survey, {"fine": GRID, "coarse": coarse}, promise(), **paid),
    }
    for ask in ways.values():
        with pytest.raises(Refused, match="has no proof with"):
            ask()
    assert not (tmp_path / "l").exists()


def test_nothing_else_asks_an_engine_for_totals():
    """Those calls are the only ones in dpmap that ask an engine for capped totals, beside the selftest on invented data."""
    import ast
    from pathlib import Path

    package = Path(dm.__file__).parent
    asking = set()
    for path in package.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        named = {
            one.name for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names
        }
        called = {
            node.func.attr
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        engines = {"engines", "DuckDB", "Spark"} & named
        if engines and called & {"totals", "opened", "pairs"}:
            asking.add(str(path.relative_to(package)))
    assert {one for one in asking if not one.startswith(("selftest/", "engines/"))} == {
        "steward/release_run.py",
        "steward/inspection.py",  # pairs of a contributor and a site, with which limits are refused
    }
