"""Checks the cap on pairs of surveys that differ in one unit, through files and the real engine, to
the last step.

The totals are also counted a second time, here, in plain Python over rows whose unit and cell the
check wrote itself.
"""

import csv
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, get_args

from dpmap import engines
from dpmap.engines.prefilter import CapPrefilter, make_prefilter
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.promise import limiters
from dpmap.promise.limiters import LimiterName, count_plainly
from dpmap.promise.policy import Policy
from dpmap.selftest.check import Broken, CheckResult, Effort, NotHere
from dpmap.steward.release_run import _limiter
from dpmap.survey import Survey, read

WIDE = 5
HIGH = 4
LIMITERS = get_args(LimiterName)
KINDS = ("column", "team", "row")
Cells = dict[int, int]


@lru_cache
def grid(fine: int = 1) -> Grid:
    """Makes twenty cells, more than the adaptive strategy measures one by one; or cuts each into
    fine x fine.
    """
    return Grid(bounds=(0, 0, WIDE, HIGH), shape=(HIGH * fine, WIDE * fine), crs="EPSG:3857")


@dataclass(frozen=True, slots=True)
class NamedRow:
    """One line of an invented survey: the text that says who, the people meant (None for
    nobody), where, and consent.
    """

    who: str
    means: tuple[str | None, ...]
    x: float
    y: float
    consent: str = "yes"

    def cell(self, fine: int = 1) -> int:
        """The cell, found in another way than the grid does it; -1 outside."""
        if not (0 <= self.x <= WIDE and 0 <= self.y <= HIGH):
            return -1
        across = min(int(self.x * fine), WIDE * fine - 1)
        up = min(int(self.y * fine), HIGH * fine - 1)
        return (HIGH * fine - 1 - up) * WIDE * fine + across


def row(who: str, cell: int, consent: str = "yes", *, means: str | None = "") -> NamedRow:
    """Makes a row of one person in the middle of a cell."""
    down, across = divmod(cell, WIDE)
    return NamedRow(
        who, (who.lower() if means == "" else means,), across + 0.5, HIGH - down - 0.5, consent
    )


Rows = list[NamedRow]
ANA = "ana"


def over_spread() -> Rows:
    """Makes rows over the cap, spread out."""
    return [row("Ana", (7 * i) % 17) for i in range(23)]


def one_cell() -> Rows:
    """Makes rows far over the cap, in one cell."""
    return [row("ana", 3) for _ in range(40)]


def under() -> Rows:
    """Makes rows under the cap, in cells of their own and of others."""
    return [row("ana", 19), row("ana", 0), row("ana", 0)]


def spellings() -> Rows:
    """Makes rows under many spellings of one name."""
    variants = ("Ana", " ana", "ANA ", "a\u200bna", "\uff21na", "Ana\u00a0")
    return [row(name, i % 9, means=ANA) for i, name in enumerate(variants * 3)]


def half_refused() -> Rows:
    """Makes rows of which only some have consent."""
    return [row("ana", i % 8, "yes" if i % 2 else ("no", "", "maybe")[i % 3]) for i in range(21)]


def about_the_edge() -> Rows:
    """Makes rows on the area's edges and just outside."""
    spots = (
        (0, 1),
        (WIDE, HIGH),
        (-0.4, 1.5),
        (1.5, -0.4),
        (WIDE + 0.3, 2),
        (2, HIGH + 0.3),
        (-1e9, 0),
        (4.0, 2.0),
        (1e-9, 0.5),
    )
    return [NamedRow("ana", (ANA,), x, y) for x, y in spots]


def heavy_and_uneven() -> Rows:
    """Makes rows whose total divides nothing evenly, mostly in one cell."""
    return [row("ana", 0 if i % 3 else i % 20) for i in range(997)]


def in_teams() -> Rows:
    """Makes rows of one person alone and in teams of two and three, one with somebody who names
    nobody.
    """
    texts = {
        "Ana; Bo": ("ana", "bo"),
        "bo;ANA;Cy": ("bo", "ana", "cy"),
        "Ana": ("ana",),
        "unknown; Ana": (None, "ana"),
    }
    teams = [*texts.items()] * 5
    return [
        replace(row(text, (3 * i) % 11), means=people) for i, (text, people) in enumerate(teams)
    ]


SCENARIOS: tuple[Callable[[], Rows], ...] = (
    over_spread,
    one_cell,
    under,
    spellings,
    half_refused,
    about_the_edge,
    heavy_and_uneven,
    in_teams,
)
"""What the unit that differs did. To try another, write a function that returns its rows and
name it here.
"""


def others(names: Iterable[str] = ("bo", "cy", "Dee Eff", "e.g.", "zo\u00eb")) -> Rows:
    """Makes everybody else's rows, some over the cap too, and rows that name nobody."""
    rows = [row(name, (5 * i + j) % 20) for i, name in enumerate(names) for j in range(2 + 3 * i)]
    rows += [
        row(name, j, means=None) for name in ("n/a", "", "Unknown", "NULL", " ") for j in range(6)
    ]
    return rows + [row("refuser", j % 5, "no") for j in range(9)]


def without(rows: Rows, unit: str) -> Rows:
    """Returns the neighbouring survey: the name is struck from every row, and rows that name
    nobody else are gone.
    """
    left = []
    for one in rows:
        others = tuple(name for name in one.means if name != unit)
        if others == one.means:
            left.append(one)
        elif any(others):
            left.append(with_team(one, others))
    return left


def only(rows: Rows, unit: str) -> Rows:
    """Returns the survey of the unit's own rows, with nobody else named in them."""
    return [
        one if one.means == (unit,) else with_team(one, (unit,))
        for one in rows
        if unit in one.means
    ]


def with_team(one: NamedRow, people: tuple[str | None, ...]) -> NamedRow:
    """Returns the same row with a team of these people; None is one that names nobody."""
    return replace(one, means=people, who="; ".join(name or "unknown" for name in people))


def write(rows: Rows, path: Path) -> None:
    """Writes a survey file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("who", "x", "y", "consent"))
        writer.writerows((one.who, repr(one.x), repr(one.y), one.consent) for one in rows)


@dataclass(frozen=True, slots=True)
class Counter:
    """Goes the whole way from a survey file to capped totals, under one policy."""

    policy: Policy
    kind: str
    engine: str = "duckdb"
    fine: int = 1

    def totals(self, rows: Rows, folder: Path, **reading: Any) -> Cells:
        """Returns capped totals in steps by the engine, read from a file written here."""
        path = folder / "survey.csv"
        write(rows, path)
        reading["team"] = ";" if self.kind == "team" else "none"
        survey = read(path, x="x", y="y", crs="EPSG:3857", **reading)
        limiter = _limiter(self.policy, survey.roles.shares)
        thin = make_prefilter(self.policy, survey.roles.shares) if len(rows) % 3 == 0 else None
        several = [None] if thin is None else [None, thin]
        try:
            whole, *thinned = (self._totals(survey, limiter, one) for one in several)
        except BadInput:
            return {}  # nobody is named at all, which the operator is told
        if any(other != whole for other in thinned):
            raise Broken(
                f"limiter {self.policy.limiter}: totals change when rows are thinned first"
            )
        return whole

    def _totals(self, survey: Survey, limiter: str, thin: CapPrefilter | None) -> Cells:
        """Returns what the engine counts, with or without leaving out early what the cap leaves
        out.
        """
        engine = engines.make_engine(self.engine)
        totals = engine.totals(
            survey, grid(self.fine), self.policy, limiter, lambda step: None, thin
        )
        return {
            cell: steps
            for cell, steps in zip(totals._cells.tolist(), totals._steps.tolist(), strict=True)
            if steps
        }

    def counted(self, rows: Rows) -> Cells:
        """Returns the same totals by plain Python."""
        return plain_totals(self._named(rows), self.policy, 1)

    def _named(self, rows: Rows) -> list[tuple[str, int, int]]:
        """Returns (unit, cell, weight) of every row that counts, for each person whom it names."""
        usable = [
            (one, one.cell(self.fine)) for one in rows if one.cell() >= 0 and one.consent == "yes"
        ]
        if self.kind == "row":
            return [(str(number), cell, 1) for number, (_, cell) in enumerate(usable)]
        return [(name, cell, 1) for one, cell in usable for name in one.means if name is not None]


def plain_totals(rows: list[tuple[str, int, int]], policy: Policy, shares: int) -> Cells:
    """Counts by the limiter's own plain count, without SQL."""
    return count_plainly(
        rows, policy.limiter, policy.cap, policy.lattice, shares, length=policy.delta is not None
    )


def distance(one: Cells, other: Cells) -> int:
    """Returns the L1 distance."""
    return sum(abs(one.get(cell, 0) - other.get(cell, 0)) for cell in {*one, *other})


def policy(limiter: LimiterName, kind: str, cap: int) -> Policy:
    """Returns the promise of a trial."""
    return Policy(
        epsilon=1,
        unit="row" if kind == "row" else "who",
        cap=cap,
        limiter=limiter,
        consent="consent=yes",
    )


def check_pair(counter: Counter, rows: Rows, unit: str, folder: Path) -> None:
    """Checks that removing one unit takes what it alone adds, at most C in all, and nothing of
    the others.
    """
    if counter.kind == "row":
        rows = [one for one in rows if len(one.means) == 1]
        away = next(
            number for number, one in enumerate(rows) if one.means == (unit,) and one.cell() >= 0
        )
        left = [one for number, one in enumerate(rows) if number != away]
        alone = rows[away : away + 1]
    else:
        left = without(rows, unit)
        alone = only(rows, unit)
    whole, rest, alone_totals = (counter.totals(part, folder) for part in (rows, left, alone))
    allowed = counter.policy.cap * counter.policy.lattice
    lattice = counter.policy.lattice
    where = f"limiter {counter.policy.limiter}, unit {counter.kind}, cap {counter.policy.cap}"
    if distance(whole, rest) > allowed:
        raise Broken(
            f"{where}: one unit moves the map by {distance(whole, rest) / lattice:.9f} points"
        )
    if distance(alone_totals, {}) > allowed or min(alone_totals.values(), default=0) < 0:
        raise Broken(
            f"{where}: one unit alone adds {distance(alone_totals, {}) / lattice:.9f} points"
        )
    if (
        counter.policy.delta is not None
        and sum(steps**2 for steps in alone_totals.values()) > allowed * lattice
    ):
        raise Broken(f"{where}: one unit alone is longer than the root of its cap")
    if {
        cell: steps
        for cell in range(grid().size)
        if (steps := whole.get(cell, 0) - rest.get(cell, 0))
    } != alone_totals:
        raise Broken(f"{where}: one unit's leaving changes what others add")
    by_cell = limiters.LIMITERS[counter.policy.limiter].by_cell and counter.kind != "row"
    if by_cell and max(alone_totals.values(), default=0) > lattice:
        raise Broken(f"{where}: one unit adds more than a point to one cell")
    for part, totals in ((rows, whole), (left, rest), (alone, alone_totals)):
        if totals != counter.counted(part):
            raise Broken(f"{where}: the engine's totals are not those of a plain count")


def _scenario(job: tuple[Counter, int]) -> int:
    """Runs one scenario for the unit that differs, among the others."""
    counter, number = job
    rows = SCENARIOS[number]()
    if counter.kind != "team" and any(len(one.means) > 1 for one in rows):
        return 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        check_pair(counter, [*rows, *others()], ANA, Path(folder))
    return 1


def pairs(effort: Effort) -> CheckResult:
    """Checks every scenario, limiter and kind of unit, with caps of 5 and 1; with less effort,
    an even choice of them.
    """
    counters = [Counter(policy(*which), which[1]) for which in product(LIMITERS, KINDS, (5, 1))]
    jobs = list(product(counters, range(len(SCENARIOS))))
    some = jobs[:: min(17, round(1 / effort.times)) | 1]  # an odd step meets every scenario
    return _exact(sum(effort.spread(_scenario, some)), "chosen to be hard")


def _exact(tried: int, kind: str) -> CheckResult:
    return CheckResult(
        f"{tried} pairs of surveys {kind}, {len(LIMITERS)} limiters, {len(KINDS)} kinds of unit",
        "any excess, to 1 step in 2^32",
    )


def spark(_: Effort) -> CheckResult:
    """Checks the hard pairs by the Spark engine."""
    if find_spec("pyspark") is None:
        raise NotHere(
            "PySpark is not installed (extra private-heatmaps[spark]); nothing here counts with it"
        )
    try:
        engines.make_engine("spark")
    except BadInput:
        raise NotHere("this version has no Spark engine") from None
    counters = [
        Counter(policy(limiter, kind, 5), kind, "spark")
        for limiter, kind in product(LIMITERS, KINDS)
    ]
    return _exact(sum(map(_scenario, product(counters, range(len(SCENARIOS))))), "counted by Spark")
