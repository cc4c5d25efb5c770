"""Defines the events of a ledger: one frozen class for each kind, and the one function that reads
them.

A field that no value below names stays in the event's `body` as it was written, sealed by its
digest like all others.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpmap.errors import BadInput, Refused
from dpmap.numbers import decimal_text, exact

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """Records a data set's first release, which declares or agrees to the one budget."""

    dataset: str
    budget: Fraction


@dataclass(frozen=True, slots=True)
class Reserved:
    """Records what one release costs its data set: epsilon, and a delta or a share of lifetime
    limits if it takes one.

    `unit` and `site` are whom it protects, as its policy declares them: columns' names, or `row`.
    """

    dataset: str
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    lifetime: Fraction | None = None
    site: str | None = None
    awaited: bool = False
    """Whether a `Made` is to follow; ledgers of earlier versions have none."""
    unit: str | None = None
    elsewhere: bool = False
    """Whether it was spent by another program: a fact, and no release of a plan."""


@dataclass(frozen=True, slots=True)
class Made:
    """Records that what the reservation of this number paid for is there."""

    event: int


@dataclass(frozen=True, slots=True)
class PlannedShares:
    """Records a total dealt out to releases to come."""

    budget: Fraction
    scheme: str
    shares: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class DisjointDatasets:
    """Records data sets declared to share no unit, and who answers for that."""

    datasets: tuple[str, ...]
    signed_by: str


@dataclass(frozen=True, slots=True)
class DeltaBudget:
    """Records the one budget of all deltas."""

    budget: Fraction


Meaning = Opened | Reserved | Made | PlannedShares | DisjointDatasets | DeltaBudget


@dataclass(frozen=True, slots=True)
class Event:
    """Holds one line of the ledger: `body` as written, `meaning` what it says, `digest` the seal
    over it, its salt and all before.
    """

    number: int
    body: Body
    digest: str
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Spend:
    """Asks the ledger to pay for one release, naming the budgets that it declares or repeats, if
    any.

    `lifetime` is the share of every personal limit that it takes; `unit` and `site` are whom it
    protects.
    """

    dataset: str
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    lifetime: Fraction | None = None
    budget: Fraction | None = None
    budget_delta: Fraction | None = None
    unit: str | None = None
    site: str | None = None

    @property
    def reserved(self) -> Reserved:
        """The event that this release would add."""
        return Reserved(
            self.dataset,
            self.epsilon,
            self.delta,
            self.lifetime,
            self.site,
            awaited=True,
            unit=self.unit,
        )

    @property
    def body(self) -> Body:
        """The fields it adds to the written line."""
        return {
            "kind": "reserve",
            "then": "made",
            "dataset": self.dataset,
            "epsilon": decimal_text(self.epsilon),
            **({} if self.lifetime is None else {"lifetime": decimal_text(self.lifetime)}),
            **({"delta": decimal_text(self.delta)} if self.delta else {}),
            **({} if self.unit is None else {"unit": self.unit}),
            **({} if self.site is None else {"site": self.site}),
        }


def parse_line(text: str, ledger: str, number: int) -> tuple[Body, Meaning]:
    """Returns the event's body without its salt, and its meaning, after checking that it says what
    its kind must.

    >>> parse_line('{"kind": "delta", "budget": "0.00001", "time": "", "later": 1}', "x.ledger", 3)[
    ...     1
    ... ]
    DeltaBudget(budget=Fraction(1, 100000))
    """
    try:
        body = dict(json.loads(text))
        # for the digest alone; ledgers begun with an earlier dpmap have none
        body.pop("salt", None)
        _text(body["time"])
        return body, parse_event(body)
    except (BadInput, KeyError, TypeError, ValueError, RecursionError):
        raise Refused(
            f"ledger: {ledger} holds an event {number} dpmap did not write; restore it"
        ) from None


def parse_event(body: Body) -> Meaning:
    """Returns the meaning of an event's body; raises an error for one that dpmap does not write."""
    amounts: dict[str, Any] = {
        name: _amount(body[name]) for name in ("delta", "lifetime") if name in body
    }
    match body["kind"]:
        case "open":
            return Opened(_text(body["dataset"]), _amount(body["budget"]))
        case "reserve":
            unit, site = (str(body[name]) if name in body else None for name in ("unit", "site"))
            return Reserved(
                _text(body["dataset"]),
                _amount(body["epsilon"]),
                **amounts,
                site=site,
                awaited=body.get("then") == "made",
                unit=unit,
            )
        case "elsewhere":
            unit, _ = _text(body["unit"]), _text(body["reason"])
            return Reserved(
                _text(body["dataset"]),
                _amount(body["epsilon"]),
                **amounts,
                unit=unit,
                elsewhere=True,
            )
        case "made":
            return Made(_number(body["event"]))
        case "plan":
            return PlannedShares(
                _amount(body["budget"]), _text(body["scheme"]), tuple(map(_amount, body["shares"]))
            )
        case "disjoint":
            return DisjointDatasets(tuple(map(_text, body["datasets"])), _text(body["signed_by"]))
        case "delta":
            return DeltaBudget(_amount(body["budget"]))
    raise ValueError("no kind of event")


def _amount(value: object) -> Fraction:
    """Reads an amount above 0."""
    amount = exact(value, name="ledger", longest=10_000)
    if amount <= 0:
        raise ValueError("not above 0")
    return amount


def _number(value: object) -> int:
    """Reads the number of an event."""
    if type(value) is not int or value < 1:
        raise ValueError("no number of an event")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
