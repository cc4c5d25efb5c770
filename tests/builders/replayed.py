"""Releases of small invented surveys, recorded once and replayed on neighbours: with every set of tools, each way to spend."""

from itertools import combinations
from pathlib import Path

import numpy as np
import test_tools_together as tools_of

import dpmap as dm
from dpmap.errors import Refused
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.selftest.replay import Change, tell_apart, watch
from dpmap.survey.unit_names import members

SAVED = ("release.dpmap", "statement.md", "privacy.yaml")


def quarters(session):
    """A strategy of the releaser's own: halves, then again as a course, then cells where the first half held more."""
    grid = session.grid
    layers = np.arange(grid.size // (grid.shape[-2] * grid.shape[-1]))
    halves = np.zeros(grid.shape, dtype=np.int64)
    halves[..., grid.shape[-1] // 2 :] = 1
    halves += 2 * layers.reshape(*grid.shape[:-2], 1, 1)
    session.course([session.epsilon / 4, session.epsilon / 4])
    first = session.measure(dm.Partition(halves), session.epsilon / 4)
    values = np.asarray(first.values)
    finer = dm.Partition.cells(grid) if values[0] > values[-1] else dm.Partition(halves)
    session.measure(finer, session.epsilon / 4)
    session.measure(dm.Partition.cells(grid), session.epsilon / 2)


TIERS = {"public": "0.3", "partners": "0.7", "manager": "1"}
SPENDING = {
    **{
        name: {"strategy": f"{name}:1" if spec.takes_number else name}
        for name, spec in STRATEGY_SPECS.items()
    },
    "custom": {"strategy": quarters},
    "opendp": {"noise": "opendp"},
    "tiers": {"tiers": TIERS},
    "adaptive tiers": {"strategy": "adaptive", "tiers": TIERS},
    "prior": {"strategy": "adaptive", "prior": "earlier"},
    "choice": {},
    "sizes": {},
}
"""Ways to spend epsilon: strategies, noise, readers, priors, choices of an area and of a cell size."""
GRIDS = {
    "squares": dm.Grid(bounds=(0, 0, 4, 1), shape=(4, 16), crs="EPSG:3857"),
    "row": tools_of.GRID,
}


def areas(folder):
    """Four areas that tile the grid."""
    path = folder / "areas.geojson"
    if not path.exists():
        import geopandas
        import shapely

        boxes = [shapely.box(x, 0, x + 1, 1) for x in range(4)]
        geopandas.GeoDataFrame({"name": list("abcd")}, geometry=boxes, crs="EPSG:3857").to_file(
            path
        )
    return dm.Grid.areas(path, name="name")


class Tried:
    """One set of tools and one way to spend: a base survey is released once, its neighbours are replayed."""

    def __init__(
        self, tools, spending, folder, *, engine, grid="row", seed=0, saved=SAVED, anchors=101
    ):
        self.tools, self.spending, self.folder, self.engine = tools, spending, Path(folder), engine
        self.grid, self.seed, self.saved, self.anchors = (
            grid,
            f"{tools} {spending} {seed}",
            saved,
            anchors,
        )

    def make(self, rows, sites=()):
        """What releases these rows, from a file on."""

        def release(folder, say):
            lines = [*rows, *[tools_of.ANCHOR] * self.anchors]
            path = tools_of.written(folder / "s.csv", tools_of.COLUMNS, lines)
            survey, grid, policy = asked(self.tools, self.cap, path, GRIDS[self.grid])
            paid = {"ledger": folder / "out" / "paid.ledger", "dataset": "d", "budget": 9, "engine": self.engine,
                    "progress": say}  # fmt: skip
            if "delta" in self.tools:
                paid["budget_delta"] = "1e-5"
            if self.spending in ("choice", "sizes"):
                among = areas(folder) if self.spending == "choice" else {
                    "fine": grid, "coarse": dm.Grid(bounds=(0, 0, 4, 1), shape=(1, 2), crs="EPSG:3857")}  # fmt: skip
                del paid["progress"]
                made = dm.choose(survey, among, policy, **paid)
                (folder / "out" / "choice.txt").write_text(repr(made))
                return
            if policy.site is not None:
                listed = [*sites, ("n9", "0.5", "0.5")]
                places = tools_of.written(folder / "nests.csv", ("nest", "x", "y"), listed)
                paid["sites"] = dm.read(places, x="x", y="y", crs="EPSG:3857", unit="nest")
            how = {"strategy": "flat", **SPENDING[self.spending]}
            if "prior" in how:
                how["prior"] = np.arange(64.0).reshape(grid.shape[-2:])
            if "tiers" in how:
                (folder / "out" / "tiers").mkdir()
                dm.release(survey, grid, policy, to=folder / "out" / "tiers", **paid, **how)
                return
            made = dm.release(survey, grid, policy, **paid, **how)
            for name in self.saved:
                made.save(folder / "out" / name) if name.endswith(".dpmap") else made.write(
                    folder / "out" / name
                )

        return release

    def look(self, dice, most=None):
        """Records one survey and replays its neighbours; how many there were, and what told any of them apart."""
        self.cap = dice.choice((2, 5)) if "sites" in self.tools else dice.choice((1, 2, 5))
        rows = [tools_of.a_row(dice) for _ in range(dice.randrange(8, 22))]
        rows += [dice.choice(rows) for _ in range(3)]
        sites = [(f"n{site}", f"{dice.randrange(4) + 0.5}", "0.5") for site in range(4)]
        first = watch(self.make(rows, sites), self.folder, self.seed.encode())
        if first.refusal:
            raise AssertionError(f"{self.seed}: {first.refusal}")
        found, pairs = [], 0
        others = [
            (kind, left, sites, units) for kind, left, units in neighbours(rows, self.tools, dice)
        ]
        if "sites" in self.tools:
            gone = f"n{dice.randrange(4)}"
            left = [row for row in rows if row[1] != gone]
            others.append(("a site less", left, [site for site in sites if site[0] != gone], 1))
        for kind, left, listed, units in others[:most]:
            second = watch(self.make(left, listed), self.folder, self.seed.encode(), first)
            pairs += 1
            if told := tell_apart(first, second, Change(units)):
                found.append(f"{self.seed}, {kind}: {told}\n  with {rows}\n  and  {left}")
        return pairs, found


def asked(tools, cap, path, grid):
    """The survey, grid and policy that use just these tools."""
    survey, _, policy = tools_of.asked(tools, cap, path)
    return survey, grid.layered(*tools_of.AXES) if "layers" in tools else grid, policy


def neighbours(rows, tools, dice):
    """(kind, rows, units that differ): one unit less, one more with odd rows, one moved, one renamed."""
    for left in tools_of.neighbours(rows, tools, dice):
        yield "one less", left, 1
    odd = [odd_row(dice) for _ in range(dice.randrange(1, 6))]
    if "rows" in tools or "own units" in tools:
        yield "one more", [*odd[:1], *rows], 1
        return
    her = "tess"
    yield "one more", mingle([(her, *row[1:]) for row in odd], rows, dice), 1
    team = tools_of.TEAM if "teams" in tools else "none"
    moved = [
        row
        if members(row[0], team) != ["ana"]
        else (row[0], row[1], str(dice.randrange(4) + 0.5), *row[3:])
        for row in rows
    ]
    yield "one moved", moved, 2
    renamed = [("zoe", *row[1:]) if members(row[0], team) == ["cy"] else row for row in rows]
    yield "one renamed", renamed, 2


def mingle(hers, others, dice):
    """Her rows anywhere among the others'."""
    lines = list(others)
    for row in hers:
        lines.insert(dice.randrange(len(lines) + 1), row)
    return lines


def odd_row(dice):
    """A row of one person's whose every field may be odd."""
    return (
        "tess", dice.choice(("n0", "n7", "", "n0|n1")), dice.choice(("0.5", "3.5", "x", "1e999", "", "-7")), dice.choice(("0.5", "nan")),
        dice.choice(("owl", "", "OWL", "1", "x" * 3000)), dice.choice(("2024-02-30", "soon", "", "99999", "2025")),
        dice.choice(("-1", "1e30", "3", "", "0x10")), dice.choice(("1e308", "-0.0", "nan", "7", "hoch")), dice.choice(("yes", "YES", "1", "")),
        dice.choice(("0.25", "1e-9", "", "inf", "0.5")),
    )  # fmt: skip


def sets(most=2):
    """Every set of so many tools and fewer that may be asked for together."""
    for count in range(most + 1):
        for tools in combinations(tools_of.SET, count):
            if not tools_of.cannot_be_meant(tools) and not tools_of.refused_together(tools):
                yield tools


def refused(tools, spending):
    """Whether this way to spend is refused with these tools."""
    more = {"adaptive": ["adaptive"], "custom": ["custom"], "sparse": ["sparse"], "opendp": ["opendp"], "tiers": ["tiers"], "prior": ["adaptive"],
            "adaptive tiers": ["tiers", "adaptive"], "choice": ["choice"], "sizes": ["choice"]}.get(spending, [])  # fmt: skip
    try:
        refuse_unproven([*tools, *more])
    except Refused:
        return True
    cell_by_cell = ("sizes", "choice", "sparse"), ("adaptive", "adaptive tiers", "prior")
    layered = spending in cell_by_cell[0] and {"layers", "means"} & set(tools)
    return bool(layered or (spending in cell_by_cell[1] and "means" in tools))
