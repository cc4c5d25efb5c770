"""Says what a ledger's answer means: what remains, what was spent, what the last releases were."""

from fractions import Fraction
from typing import NamedTuple

from ..words import tr

LAST = 5


class Remains(NamedTuple):
    """What the panel shows of a ledger: the part that is spent, from 0 to 1, and lines of words."""

    part: float
    sums: str
    lines: list


def of(told):
    """Reads what `dpmap ledger --json` answered.

    >>> told = {"budget": "3", "spent": "1", "remaining": "2", "datasets": [], "events": [], "without_release": [], "plan": None}
    >>> found = of(told)
    >>> round(found.part, 2), found.sums
    (0.33, '2 of 3 remains; 1 is spent')
    """
    budget, spent, remaining = (
        str(told.get(name, "?")) for name in ("budget", "spent", "remaining")
    )
    sums = tr("{} of {} remains; {} is spent").format(remaining, budget, spent)
    return Remains(
        part(spent, budget),
        sums,
        [*_delta(told), *_datasets(told), *_vain(told), *_plan(told), *_last(told)],
    )


def part(spent, budget):
    """Returns which part of the budget is spent.

    >>> part("1", "0"), part("?", "3"), part("4", "3")
    (1.0, 0.0, 1.0)
    """
    try:
        whole = Fraction(budget)
        return min(max(float(Fraction(spent) / whole), 0.0), 1.0) if whole > 0 else 1.0
    except (ValueError, ZeroDivisionError, OverflowError):
        return 0.0


def day(time):
    """Returns the day of a time.

    >>> day("2026-11-23T21:00:04+00:00")
    '2026-11-23'
    """
    return str(time or "")[:10]


def _delta(told):
    given = told.get("delta")
    if not given:
        return []
    return [tr("delta: {} of {} remains").format(given.get("remaining"), given.get("budget"))]


def _datasets(told):
    found = []
    for one in told.get("datasets") or []:
        releases = one.get("releases", 0)
        words = tr("1 release") if releases == 1 else tr("{} releases").format(releases)
        line = tr("{}: {}, epsilon {} spent").format(one.get("name"), words, one.get("spent"))
        if one.get("last"):
            line += tr(", the last on {}").format(day(one["last"]))
        if one.get("next") is not None:
            line += tr("; the plan allows {} next").format(one["next"])
        found.append(line)
    return found


def _vain(told):
    """Says which reservations were spent and no release came of them."""
    lost = set(told.get("without_release") or [])
    return [
        tr("Spent without a map: {} for {} on {} (unless one is being made now)").format(
            one.get("epsilon"), one.get("dataset"), day(one.get("time"))
        )
        for one in told.get("events") or []
        if one.get("number") in lost
    ]


def _plan(told):
    plan = told.get("plan")
    if not plan:
        return []
    words = tr("The plan: {} for {} releases, {} of it used").format(
        plan.get("total"), plan.get("releases"), plan.get("used")
    )
    first = plan.get("first")
    if first is None:
        return [words]
    if str(first) == "0":
        return [words + tr("; it leaves nothing for a data set without a release yet")]
    return [words + tr("; a data set without a release yet may take {}").format(first)]


def _last(told):
    lost = set(told.get("without_release") or [])
    made = [
        one
        for one in told.get("events") or []
        if one.get("kind") == "reserve" and one.get("number") not in lost
    ]
    if not made:
        return [tr("No release was made yet.")]
    return [tr("The last releases:")] + [
        tr("{}: {}, epsilon {}; {} remained").format(
            day(one.get("time")), one.get("dataset"), one.get("epsilon"), one.get("remaining")
        )
        for one in made[: -LAST - 1 : -1]
    ]
