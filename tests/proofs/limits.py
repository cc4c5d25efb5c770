"""Checks personal limits: files in which people state their own epsilon, through the real engine,
to the last step.

How limits are read and what they allow is counted a second time here, in fractions and in plain
Python.
"""

import csv
import secrets
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dpmap import engines
from dpmap.errors import BadInput
from dpmap.promise.policy import Policy
from dpmap.selftest.cap import HIGH, WIDE, Cells, distance, grid
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.steward.release_run import _limiter
from dpmap.survey import read

LEVELS = ("0.1", "0.5", "1")
STATED = {
    "1": 3,
    "1.000": 3,
    "0.5": 2,
    " 2": 3,
    "0.99999999999999999999": 2,
    "0,5": 2,
    ".5": 2,
    "0.5000000000": 2,
    "0.49999999999999": 1,
    "0.1": 1,
    "0.09999999999999999999": 0,
    "0": 0,
    "-1": 0,
    "less": 0,
    "": None,
    "n/a": None,
}
"""What people write, and the number of the level that it means; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One line of an invented survey: who, in which cell, and the limit as written."""

    who: str
    cell: int
    stated: str


Rows = list[LimitRow]


def heavy_and_mixed() -> Rows:
    """Makes rows far over every cap, each with another limit."""
    return [LimitRow("ana", (7 * i) % 20, list(STATED)[i % 8]) for i in range(61)]


def one_strict_row() -> Rows:
    """Makes many rows, one of them stricter."""
    return [LimitRow("ana", i % 9, "1") for i in range(12)] + [LimitRow("ANA ", 3, "0.1")]


def one_row_each() -> Rows:
    """Makes a single row under a strict limit, which is less than a point."""
    return [LimitRow("ana", 4, "0.1")]


def just_below() -> Rows:
    """Makes rows whose limits are just below a level."""
    return [LimitRow("ana", i, "0.99999999999999999999") for i in range(9)]


def blanks() -> Rows:
    """Makes rows that state nothing beside some that do."""
    return [LimitRow("ana", i % 5, ("0.5", "", "n/a")[i % 3]) for i in range(20)]


def too_low() -> Rows:
    """Makes one row below every level among free ones."""
    return [LimitRow("ana", i, "1") for i in range(7)] + [
        LimitRow("ana", 8, "0.09999999999999999999")
    ]


SCENARIOS = (heavy_and_mixed, one_strict_row, one_row_each, just_below, blanks, too_low)


def others() -> Rows:
    """Makes everybody else's rows, one for each way to state a limit."""
    return [
        LimitRow(f"u{at}", (at + 3 * i) % 20, stated)
        for at, stated in enumerate(STATED)
        for i in range(1 + at % 4 * 5)
    ]


def policy(epsilon: str, lifetime: str | None, cap: int) -> Policy:
    """Returns the promise of a trial."""
    return Policy(
        epsilon=epsilon,
        unit="who",
        cap=cap,
        epsilon_by=f"comfort={','.join(LEVELS)}",
        lifetime=lifetime,
    )


def totals(rows: Rows, promise: Policy, folder: Path) -> Cells:
    """Returns capped totals in steps by the engine, from a file written here."""
    path = folder / "survey.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(("who", "x", "y", "comfort"))
        lines.writerows(
            (one.who, one.cell % WIDE + 0.5, HIGH - one.cell // WIDE - 0.5, one.stated)
            for one in rows
        )
    survey = read(path, x="x", y="y", crs="EPSG:3857")
    try:
        found = engines.make_engine("duckdb").totals(
            survey, grid(), promise, _limiter(promise, 1), lambda step: None
        )
    except BadInput:
        return {}  # nobody is left, which the operator is told
    return {
        cell: steps
        for cell, steps in zip(found._cells.tolist(), found._steps.tolist(), strict=True)
        if steps
    }


def allowed(own: Rows, promise: Policy) -> Fraction:
    """Returns what a unit of these rows may lose: the strictest level of its rows, or its share
    of it, at most the map's.
    """
    level = min(STATED[one.stated] or 0 for one in own)
    return (
        min(promise.epsilon, Fraction(LEVELS[level - 1]) * (promise.lifetime or 1))
        if level
        else Fraction(0)
    )


def counted(rows: Rows, promise: Policy) -> Cells:
    """Returns the same totals by plain Python."""
    by_unit, found = defaultdict(list), defaultdict[int, int](int)
    for one in rows:
        if STATED[one.stated] is not None:
            by_unit[one.who.strip().lower()].append(one)
    for own in by_unit.values():
        most = promise.cap * promise.lattice * allowed(own, promise) // promise.epsilon
        for one in own:
            found[one.cell] += (
                promise.lattice if len(own) * promise.lattice <= most else most // len(own)
            )
    return {cell: steps for cell, steps in found.items() if steps}


def check(rows: Rows, promise: Policy, folder: Path) -> None:
    """Checks that removing Ana takes what her own limit allows and no more, and nothing that
    others add.
    """
    hers = [one for one in rows if one.who.strip().lower() == "ana"]
    left = [one for one in rows if one not in hers]
    whole, rest, own = (totals(part, promise, folder) for part in (rows, left, hers))
    speaking = [one for one in hers if STATED[one.stated] is not None]
    limit = allowed(speaking, promise) if speaking else Fraction(0)
    lost = distance(whole, rest) * promise.epsilon / (promise.cap * promise.lattice)
    where = f"epsilon {promise.epsilon}, lifetime share {promise.lifetime or 1}, cap {promise.cap}"
    if lost > limit:
        raise Broken(f"{where}: a unit that allows {limit} loses {float(lost):.9f}")
    if distance({cell: whole.get(cell, 0) - rest.get(cell, 0) for cell in {*whole, *rest}}, own):
        raise Broken(f"{where}: one unit's leaving changes what others add")
    for part, found in ((rows, whole), (left, rest), (hers, own)):
        if found != counted(part, promise):
            raise Broken(f"{where}: the engine's totals are not those of a plain count")


def limits(effort: Effort) -> CheckResult:
    """Checks chosen surveys and random ones, under limits for a release and for a lifetime."""
    promises = [
        policy("1", None, 5),
        policy("0.3", None, 1),
        policy("0.25", "25%", 5),
        policy("0.1", "1/3", 7),
    ]
    dice, tried = secrets.SystemRandom(), 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        surveys = [[*make(), *others()] for make in SCENARIOS]
        for _ in range(effort.many(12, least=4)):
            names, words = ("ana", "Ana ", "bo", "cy"), list(STATED)
            surveys.append(
                [
                    LimitRow(
                        dice.choice(names),
                        dice.randrange(20),
                        dice.choice(words if dice.randrange(3) else words[:6]),
                    )
                    for _ in range(dice.randrange(1, 40))
                ]
            )
        for number, rows in enumerate(surveys):
            for promise in (
                promises[number % 2 :: 2] if number < len(SCENARIOS) else [dice.choice(promises)]
            ):
                check(rows, promise, Path(folder))
                tried += 1
    return CheckResult(
        f"{tried} surveys in which people state limits, 4 promises", "any excess, to 1 step in 2^32"
    )
