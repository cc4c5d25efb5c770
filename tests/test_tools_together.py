"""Every tool, every pair and every triple of tools, tried by brute force: one unit less moves the map by at most the cap.

Small surveys drawn at random, full of what tempts a tool to look at other people's rows, are read from real files and
counted by the real engine, with one unit and without it. What is refused is not counted, but must be refused.
"""

import csv
import itertools
import os
import random
from contextlib import contextmanager

import duckdb
import pytest

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable
from dpmap.errors import Refused
from dpmap.promise import compatibility
from dpmap.promise.compatibility import APART, DECIDED, TOOLS, UNPROVEN, refuse_unproven
from dpmap.promise.limiters import LIMITERS
from dpmap.steward.release_run import _tools
from dpmap.survey.column_roles import Roles
from dpmap.survey.row_sql import JOINT
from dpmap.survey.unit_names import members, strike
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.permute_and_flip import unit_sizes
from dpmap.vault.sampling import restrict_to_drawn
from dpmap.vault.two_unit_cap import capped_pairs, edges

DEEP = os.environ.get("DPMAP_DEEP") == "1"
SURVEYS = (30, 30, 20) if DEEP else (2, 1, 1)
"""How many surveys are tried for each tool by itself, for each pair and for each three."""
WIDTH = 4
GRID = dm.Grid(bounds=(0, 0, WIDTH, 1), shape=(1, WIDTH), crs="EPSG:3857")
AXES = (dm.Kinds("kind", ("owl", "kite")), dm.Times("day", ("2024", "2025", "2026")))
TEAM = "; | & and"
RULE = "not (kind = 'rat' and nest = 'n3')"
"""Asked whatever else is: a rule over a row's own columns goes with every tool, since each row fulfils it by itself."""
SECRET = bytes(range(64))

POLICY = {
    "rows": {"unit": "row"},
    "chosen cap": {"cap": "auto:0.05:1-4"},
    **{spec.tool: {"limiter": name} for name, spec in LIMITERS.items() if spec.tool},
    "sample": {"sample": "60%"},
    "sites": {"site": "nest"},
    "limits": {"epsilon_by": "comfort=0.25,1"},
    "delta": {"delta": "1e-6"},
}
READING = {
    "counts": {"count": "n", "max_count": 7},
    "teams": {"team": TEAM},
    "withdrawal": {"consent_by": "unit"},
    "means": {"mean": "height", "between": (0, 10)},
    "own units": {"missing_unit": "own-unit"},
}
"""How a tool is asked for; `layers` are the grid's."""
SET = (*POLICY, *READING, "layers")
COLUMNS = ("who", "nest", "x", "y", "kind", "day", "n", "height", "ok", "comfort")
WHO = (
    "ana", "Ana ", "ana; bo", "Bo|ANA", "ana and cy", "bo & Cy & ana", "bo", "cy;", "1000", "1000.0; bo", "ana; n/a", "n/a; -", "",
    "unknown", "n/a",
)  # fmt: skip
ANCHOR = ("zed", "n9", "0.5", "0.5", "owl", "2024-05-01", "1", "5", "yes", "1")
"""A row that counts whatever is asked: so many of it that no survey is one in which nothing counts."""


class Kept(DuckDB):
    """The embedded engine on one connection that stays open, so that many small surveys go quickly."""

    def __init__(self):
        super().__init__()
        self.database = duckdb.connect(":memory:", config={"threads": 1})

    @contextmanager
    def connected(self):
        try:
            yield self.database
        finally:
            made = "SELECT view_name, 'VIEW' FROM duckdb_views() WHERE NOT internal UNION ALL SELECT table_name, 'TABLE' FROM duckdb_tables()"
            for name, kind in self.database.execute(made).fetchall():
                self.database.execute(f'DROP {kind} IF EXISTS "{name}" CASCADE')


ENGINE = Kept()


def told_of(tools):
    """What the table is asked about: a row by itself is nobody's, whoever stands in it."""
    return set(tools) - ({"teams"} if "rows" in tools else set())


def refused_together(tools):
    return any(map(DECIDED.get, map(frozenset, itertools.combinations(told_of(tools), 2))))


def cannot_be_meant(tools):
    """Whether no policy or survey can be asked for with all of these at once."""
    return any(
        {first, other} <= set(tools)
        for first, (others, _) in APART.items()
        for other in others
        if first != "teams"
    )


def asked(tools, cap, path):
    """The survey, grid and policy that use just these tools; or what refuses them."""
    read = {"where": RULE}
    policy = {"epsilon": 1, "unit": "who", "cap": cap, "consent": "ok=yes"}
    for tool in tools:
        read.update(READING.get(tool, {}))
        policy.update(POLICY.get(tool, {}))
    if {"sample", "own units"} <= set(tools):
        policy["sample"] = (
            "99.9999%"  # rows without a name have none by which both surveys would draw alike
        )
    policy = dm.Policy(**policy)
    survey = dm.read(path, x="x", y="y", crs="EPSG:3857", **read)
    grid = GRID.layered(*AXES) if "layers" in tools else GRID
    used = _tools(survey, grid, policy)
    refuse_unproven(used)
    assert set(used) == told_of(tools), "a tool is used of which the table does not know"
    return survey, grid.layered(survey.roles.reading.values) if "means" in tools else grid, policy


def a_row(dice):
    return (
        dice.choice(WHO), f"n{dice.randrange(4)}", str(dice.randrange(WIDTH) + 0.5), "0.5", dice.choice(("owl", "kite", "Owl", "rat")),
        dice.choice(("2024-02-29", "2025", "2024-12", "May", "2025-07-01")), dice.choice(("1", "7", "6", "0", "X", "99")),
        dice.choice(("0", "10", "5", "3.3", "-4", "99", "", "tall")), dice.choice(("yes", "yes", "yes", "no", "")),
        dice.choice(("1", "0.25", "0.5", "0.1", "")),
    )  # fmt: skip


def neighbours(rows, tools, dice):
    """Surveys without one unit: whose name, or which row, it was, and the rows that are left."""
    if "rows" in tools:
        for at in dice.sample(range(len(rows)), 2):
            yield rows[:at] + rows[at + 1 :]
        return
    team = TEAM if "teams" in tools else "none"
    named = sorted({name for row in rows for name in members(row[0], team)} & {"ana", "bo", "1000"})
    for name in dice.sample(named, min(2, len(named))):
        left = [
            row if name not in members(row[0], team) else (strike(row[0], name, team), *row[1:])
            for row in rows
        ]
        yield [
            now for now, row in zip(left, rows, strict=True) if now is row or members(now[0], team)
        ]
    nameless = [at for at, row in enumerate(rows) if not members(row[0], team)]
    if "own units" in tools and nameless:
        for at in dice.sample(nameless, min(2, len(nameless))):
            yield rows[:at] + rows[at + 1 :]


def written(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def totals(tools, cap, rows, sites, folder):
    """The capped totals before noise, and how many units have which size where the cap is to be chosen."""
    path = written(folder / "s.csv", COLUMNS, [*rows, *[ANCHOR] * 101])
    survey, grid, policy = asked(tools, cap, path)
    if policy.site is not None:
        listed = written(folder / "nests.csv", ("nest", "x", "y"), [*sites, ("n9", "0.5", "0.5")])
        places = dm.read(listed, x="x", y="y", crs="EPSG:3857", unit="nest")
        found = capped_pairs(ENGINE.pairs(survey, places, grid, policy, edges(JOINT), str), policy)
        return cells_of(found), {}, policy
    shares = survey.roles.shares
    with ENGINE.opened(survey, grid, policy, str) as kept:
        sizes = {}
        if policy.cap_choice is not None:
            tally = kept.tally(unit_sizes(policy, shares))
            sizes = dict(zip(tally._bins.tolist(), tally._units.tolist(), strict=True))
        return (
            cells_of(kept.totals(restrict_to_drawn(capped_totals(policy, shares), policy, SECRET))),
            sizes,
            policy,
        )


def cells_of(found):
    return dict(zip(found._cells.tolist(), found._steps.tolist(), strict=True))


def moved(one, other):
    return [abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}]


def check(tools, seed, folder):
    """One survey, and all neighbours that are tried: in L1 they differ by the cap at most, and with a delta in L2 by its root."""
    dice = random.Random(f"{tools} {seed}")
    cap = dice.choice((2, 5)) if "sites" in tools else dice.choice((1, 2, 5))
    rows = [a_row(dice) for _ in range(dice.randrange(8, 22))]
    rows += [dice.choice(rows) for _ in range(3)]
    sites = [(f"n{site}", f"{dice.randrange(WIDTH) + 0.5}", "0.5") for site in range(4)]
    whole, sizes, policy = totals(tools, cap, rows, sites, folder)
    assert min(whole.values()) >= 0
    others = [(left, sites) for left in neighbours(rows, tools, dice)]
    if policy.site is not None:
        gone = f"n{dice.randrange(4)}"
        others.append(
            ([row for row in rows if row[1] != gone], [site for site in sites if site[0] != gone])
        )
    for left, listed in others:
        rest, rest_sizes, _ = totals(tools, cap, left, listed, folder)
        change = moved(whole, rest)
        assert sum(change) <= policy.cap * policy.lattice, (
            tools,
            seed,
            sum(change) / policy.lattice,
        )
        if policy.delta is not None:
            assert sum(one * one for one in change) <= policy.cap * policy.lattice**2, (tools, seed)
        assert sum(moved(sizes, rest_sizes)) <= 1, (tools, seed)


@pytest.mark.parametrize("first", SET)
def test_no_unit_moves_the_map_by_more_than_the_cap_whatever_tools_are_used_together(
    first, tmp_path
):
    """Alone, in pairs and in threes: a set of tools either keeps the cap in every survey that is tried, or is refused."""
    later = SET[SET.index(first) + 1 :]
    tried = 0
    for count in (0, 1, 2):
        for others in itertools.combinations(later, count):
            tools = (first, *others)
            if cannot_be_meant(tools):
                continue
            if refused_together(tools):
                with pytest.raises(Refused, match="has no proof with"):
                    asked(tools, 2, written(tmp_path / "s.csv", COLUMNS, [ANCHOR]))
                continue
            for seed in range(SURVEYS[count]):
                check(tools, seed, tmp_path)
            tried += 1
    assert tried


def caught(tools, folder):
    """Whether the check notices, within so many surveys, that these tools break the cap."""
    for seed in range(8):
        try:
            check(tools, seed, folder)
        except AssertionError:
            return True
    return False


def test_the_check_sees_what_no_table_of_pairs_would(tmp_path, monkeypatch):
    """Let through, a row without a name of which a mean and a count are told is two units, and the check says so."""
    tools = ("counts", "means", "own units")
    with pytest.raises(Refused):
        check(tools, 0, tmp_path)
    allowed = {pair: "" if pair <= set(tools) else why for pair, why in DECIDED.items()}
    monkeypatch.setattr(compatibility, "DECIDED", allowed)
    assert caught(tools, tmp_path)


@pytest.mark.parametrize("beside", [(), ("own units",), ("presence",)])
def test_the_check_sees_shares_that_depend_on_how_many_are_named(beside, tmp_path, monkeypatch):
    """Were a row shared out among those whom it names, striking one name would move the others' shares."""
    named, parts = RowTable.name, 12

    def sharing(self):
        self._coded = False
        many = " + ".join(f"length(unit) - length(replace(unit, '{mark}', ''))" for mark in ";|&")
        self.database.execute(f"UPDATE placed SET weight = weight // (1 + {many})")
        named(self)

    assert not caught(("teams", *beside), tmp_path)
    monkeypatch.setattr(RowTable, "name", sharing)
    monkeypatch.setattr(Roles, "shares", parts)
    assert caught(("teams", *beside), tmp_path)


def test_what_is_asked_for_and_refused_spends_nothing(tmp_path):
    """Every pair without a proof that can be asked of a release ends in one line, and no ledger is begun."""
    told = {
        "adaptive": {"strategy": "adaptive"},
        "sparse": {"strategy": "sparse:20"},
        "opendp": {"noise": "opendp"},
    }
    path = written(tmp_path / "s.csv", COLUMNS, [ANCHOR])
    tried = 0
    for pair in UNPROVEN:
        if not set(pair) <= {*SET, *told} or not set(pair) & set(SET):
            continue
        how = {"strategy": "flat", **told.get(pair[0], {}), **told.get(pair[1], {})}
        with pytest.raises(Refused, match="has no proof with"):
            policy = {
                "epsilon": 1,
                "unit": "who",
                "cap": 5,
                **POLICY.get(pair[0], {}),
                **POLICY.get(pair[1], {}),
            }
            read = {**READING.get(pair[0], {}), **READING.get(pair[1], {})}
            survey = dm.read(path, x="x", y="y", crs="EPSG:3857", **read)
            grid = GRID.layered(*AXES) if "layers" in pair else GRID
            dm.release(
                survey,
                grid,
                dm.Policy(**policy),
                ledger=tmp_path / "l",
                dataset="d",
                budget=9,
                **how,
            )
        tried += 1
    assert tried > 25 and not (tmp_path / "l").exists()


def test_every_tool_is_tried_or_named_here():
    """A tool that joins the table is tried beside all others, or is one that counts nothing by itself."""
    counts_nothing = {"choice", "devices", "adaptive", "custom", "sparse", "opendp", "tiers"}
    assert set(SET) | counts_nothing == set(TOOLS)
