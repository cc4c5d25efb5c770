"""Checks the cap on pairs of surveys that differ in one unit, through files and the real engine, to
the last step.

The totals are also counted a second time, here, in plain Python over rows whose unit and cell the
check wrote itself.
"""

import secrets
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

from dpmap.selftest.cap import (
    ANA,
    KINDS,
    LIMITERS,
    Counter,
    NamedRow,
    _exact,
    check_pair,
    grid,
    others,
    over_spread,
    policy,
    row,
    spellings,
    without,
)
from dpmap.selftest.check import Broken, CheckResult, Effort


def _random(job: tuple[int, str]) -> int:
    """Makes surveys whose rows the system's entropy chose."""
    count, engine = job
    dice = secrets.SystemRandom()
    names = {"Ana": (ANA,), "ANA ": (ANA,), "Bo": ("bo",), "cy": ("cy",), "n/a": (None,)}
    teams = {**names, "Ana; Bo": ("ana", "bo"), "cy;ana;bo": ("cy", "ana", "bo")}
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        for _ in range(count):
            kind, limiter = dice.choice(KINDS), dice.choice(LIMITERS)
            known = teams if kind == "team" else names
            rows = [row("ana", 0)]
            for _ in range(dice.randrange(60)):
                who = dice.choice(list(known))
                spot, yes = dice.randrange(grid().size), dice.choice(("yes", "yes", "YES ", "no"))
                rows.append(replace(row(who, spot, yes), means=known[who]))
            rows = [replace(one, consent=one.consent.strip().lower()) for one in rows]
            check_pair(
                Counter(policy(limiter, kind, dice.choice((1, 2, 7))), kind, engine),
                rows,
                ANA,
                Path(folder),
            )
    return count


def random_pairs(effort: Effort) -> CheckResult:
    """Checks pairs as `pairs` does, in random surveys."""
    tried = sum(
        effort.spread(
            _random, [(count, "duckdb") for count in effort.shares(effort.many(60, least=6))]
        )
    )
    return _exact(tried, "drawn at random")


def nobody(_: Effort) -> CheckResult:
    """Checks that rows that must not count change nothing (refused, nameless, outside), nor does
    the order of rows.
    """
    tried = 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        for limiter, kind in product(LIMITERS, ("column", "team")):
            counter, place = Counter(policy(limiter, kind, 5), kind), Path(folder)
            base = [*over_spread(), *others(("bo", "cy"))]
            totals = counter.totals(base, place)
            shuffled = [*base]
            secrets.SystemRandom().shuffle(shuffled)
            counting = [
                one for one in base if one.means[0] and one.consent == "yes" and one.cell() >= 0
            ]
            for what, rows in {
                "the order of rows changes": shuffled,
                "rows without consent or without a name change": counting,
                "rows outside the area change": [
                    *base,
                    *(NamedRow("bo", ("bo",), x, -0.3) for x in (0.5, 1.5)),
                ],
                "a refused row of the same unit changes": [
                    *base,
                    row("ana", 2, "no"),
                    row("bo", 2, ""),
                ],
            }.items():
                tried += 1
                if counter.totals(rows, place) != totals:
                    raise Broken(f"limiter {limiter}, unit {kind}: {what} the totals")
    return CheckResult(f"{tried} pairs of surveys that must count the same", "any difference")


def withdrawn(_: Effort) -> CheckResult:
    """Checks that who withdraws once is left out whole, wherever that was said, and nobody
    else's rows change.
    """
    tried = 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        for limiter in LIMITERS:
            counter, rows = (
                Counter(policy(limiter, "column", 3), "column"),
                [*spellings(), *others(("bo", "cy"))],
            )
            rows = [one for one in rows if one.consent == "yes"]
            left = counter.totals(
                [*rows, NamedRow("ana", (ANA,), -5, -5, "no")], Path(folder), consent_by="unit"
            )
            tried += 1
            if left != counter.counted(without(rows, ANA)):
                raise Broken(
                    f"limiter {limiter}: withdrawing takes more or less than the unit's own rows"
                )
    return CheckResult(f"{tried} surveys in which somebody withdraws", "any difference")
