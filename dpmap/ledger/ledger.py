"""The budget: an append-only, hash-chained ledger that every release of a data set must pass.

A reservation is on disk, flushed, before the session that spends it can exist; a crash after that
wastes budget and leaks nothing. Each event carries the hash of the one before, so an edit shows;
each release carries the hash of its own event, so a ledger that was cut short or restored from an
old copy shows beside any later release.

That hash is in public releases, and an event names its second. So each event also holds a *salt*,
random bytes that stay in the ledger: without it, trying all seconds of a year finds no hash again.
"""

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from threading import Lock
from typing import Any, NoReturn, Protocol

from dpmap.errors import BadInput, BudgetExceeded, DpmapError, MissingFile, Refused
from dpmap.ledger.accounting import (
    agreed_budget,
    agreed_delta_budget,
    budget_of,
    check_disjoint,
    check_name,
    declared_budget,
    delta_budget_of,
    opened_datasets,
    remainder,
    season,
    spent,
    terms,
    without_release,
)
from dpmap.ledger.events import Body, Event, Meaning, Spend, parse_event, parse_line
from dpmap.ledger.postgresql_table import PostgresqlTable
from dpmap.ledger.sqlite_file import SqliteFile
from dpmap.ledger.units import check_unit, unit_terms
from dpmap.noise.budget_plans import shares
from dpmap.numbers import decimal_text, exact
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.postgresql import EXAMPLE, is_postgresql

GENESIS = "0" * 64
SALT_BYTES = 32
ASKED = ("delta", "lifetime", "unit", "site")
"""What only the amounts and the unit that are asked for may say in an event, and no detail
beside them.
"""
_MINT = object()


class Reservation:
    """Holds epsilon set aside on disk for one release; only the ledger makes it, and no part can be
    claimed twice.

    It is of one process: a fork copies its memory, and what both copies claimed would be spent
    twice.
    """

    __slots__ = (
        "_left",
        "_lock",
        "_process",
        "event",
        "head",
        "release_id",
        "spend",
        "spent",
        "spent_delta",
        "terms",
    )

    def __init__(
        self,
        mint: object,
        *,
        spend: Spend,
        release_id: str,
        event: Event,
        spent: Fraction,
        spent_delta: Fraction,
        terms: Body,
    ) -> None:
        if mint is not _MINT:
            raise TypeError("reservations are made by Ledger.reserve")
        self._left = spend.epsilon
        self._lock = Lock()
        self._process = os.getpid()
        self.spend = spend
        self.release_id = release_id
        self.event = event.number
        self.head = event.digest
        self.spent = spent
        self.spent_delta = spent_delta
        self.terms = terms

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Refused("a reservation cannot be copied: it is spent once")

    def claim(self, part: Fraction | None = None) -> Fraction:
        """Hands out `part` of the reserved epsilon, or all that is left, which then cannot be
        spent again.
        """
        own_process(self._process, "reservation")
        with self._lock:
            share = self._left if part is None else part
            if not 0 < share <= self._left:
                raise Refused("this reservation is already in use; reserve again")
            self._left -= share
        return share


class Payment(Protocol):
    """Says which event paid: a reservation, or the receipt that a release keeps of it."""

    @property
    def event(self) -> int:
        """The event's number."""

    @property
    def head(self) -> str:
        """The ledger's head after it."""


def own_process(process: int, what: str) -> None:
    """Refuses an object made in another process: after a fork both hold a copy, and only the
    first may spend.
    """
    if os.getpid() != process:
        raise Refused(
            f"this {what} was made in another process, before a fork; reserve again in this one"
        )


class Storage(Protocol):
    """Keeps the rows of a ledger: what `writing` commits is durable, and between processes only one
    is in its block. A connection is what its methods take it for.
    """

    kind: str
    name: str

    def exists(self) -> bool:
        """Returns whether the ledger is there."""

    def check_writable(self) -> None:
        """Refuses a place that cannot be written to; creates nothing."""

    def refuse_emptied(self) -> None:
        """Refuses a place that is there but holds nothing, where that is possible."""

    def reading(self) -> AbstractContextManager[Any]:
        """Opens a connection to a ledger that is there."""

    def writing(self, *, new: bool) -> AbstractContextManager[Any]:
        """Opens a transaction of one writer at a time; it is durable once the block ends well."""

    def rows(self, connection: Any) -> Iterator[tuple[int, str, str]] | None:
        """Returns the number, text and digest of each event in order; None before the first."""

    def append(self, connection: Any, number: int, text: str, digest: str) -> None:
        """Adds a row at the end, and makes the ledger for the first one."""


def _storage(path: str) -> Storage:
    """Returns what keeps the ledger of this path or address."""
    if is_postgresql(path):
        return PostgresqlTable(path)
    if re.match(r"[A-Za-z][\w+.-]+:/", path):
        raise BadInput(
            f"ledger: give a file, or as a text an address like {EXAMPLE}; other stores"
            " lock nothing"
        )
    return SqliteFile(path)


class Ledger:
    """Keeps one budget in one place. All data sets named in it add up, since they may share people;
    of those declared to share none, only the dearest counts.

    - `path`: the file, or for a team `postgresql://user@host/database?ledger=table`. `Ledger(path)`
      only names it; `release`, `plan`, `disjoint` and `enter` make it when it is not there.

    Events are only ever added, and each is sealed over all before it. Raises `BudgetExceeded` where
    too little is left, and `Refused` where the file was changed, cut or emptied.

    >>> import dpmap as dm
    >>> ledger = dm.Ledger("nests.ledger")
    >>> [str(share) for share in ledger.plan("3", releases=4)]
    ['3/4', '3/4', '3/4', '3/4']
    >>> [str(amount) for amount in ledger.balance()]
    ['3', '0']
    """

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = os.fspath(path)
        self._storage = _storage(self.path)
        self.name = self._storage.name

    def __repr__(self) -> str:
        try:
            budget, used = self.balance()
        except DpmapError as error:
            return f"<Ledger: {error}>"
        remains = decimal_text(budget - used)
        return f"<Ledger {self.name}: {remains} of epsilon {decimal_text(budget)} remains>"

    def reserve(
        self,
        *,
        dataset: str,
        epsilon: Fraction,
        budget: Fraction | None,
        details: Body,
        lifetime: Fraction | None = None,
        delta: Fraction = Fraction(0),
        budget_delta: Fraction | None = None,
    ) -> Reservation:
        """Sets `epsilon` aside for one release of `dataset`, or refuses; the same as `take`, with
        its parts given one by one, and whom it protects among the `details`.
        """
        protected = {name: str(details[name]) for name in ("unit", "site") if name in details}
        return self.take(
            Spend(dataset, epsilon, delta, lifetime, budget, budget_delta, **protected), details
        )

    def take(self, spend: Spend, details: Body) -> Reservation:
        """Sets aside what is asked for, or refuses, in one transaction that is flushed to disk.

        A delta comes out of a budget of its own that the first such release declares. Whom it
        protects is what `spend` says, and its data set's first release settles that too.

        The write lock is taken before the chain is read, so that of many processes racing for the
        last epsilon exactly those it suffices for succeed, and of first releases by different units
        one.
        """
        with self._storage.writing(new=True) as connection:
            events = self._read(connection)
            before = _meanings(events)
            total, most, agreed = self._agreed(before, spend)
            self._open(connection, events, spend.dataset, total)
            if spend.delta and not delta_budget_of(before):
                self._append(connection, events, {"kind": "delta", "budget": decimal_text(most)})
            release_id = secrets.token_hex(8)
            details = {name: value for name, value in details.items() if name not in ASKED}
            body = {**details, **spend.body, "release": release_id}
            event = self._append(connection, events, body)
        after = _meanings(events)
        return Reservation(
            _MINT,
            spend=replace(spend, budget=total, budget_delta=most),
            release_id=release_id,
            event=event,
            spent=spent(after),
            spent_delta=spent(after, "delta"),
            terms=agreed,
        )

    def made(self, paid: Payment) -> None:
        """Writes down that what a reservation paid for is there, under the time of the reservation
        itself, so that the ledger does not tell how long drawing took.

        A process that is killed before this leaves a reservation that `without_release` names.
        """
        with self._storage.writing(new=False) as connection:
            events = self._read(connection)
            if not _holds(events, paid.event, paid.head):
                raise Refused(
                    f"ledger: {self.name} does not hold the reservation any more; restore it"
                )
            time = events[paid.event - 1].body["time"]
            body = {"kind": "made", "event": paid.event, "time": time}
            self._append(connection, events, body)

    def without_release(self) -> list[Event]:
        """Returns the reservations of which nothing has come, as far as the ledger knows."""
        events = self.events()
        return [events[number - 1] for number in without_release(_meanings(events))]

    def plan(self, total: object, releases: int = 12, scheme: str = "even") -> tuple[Fraction, ...]:
        """Deals a total out to the next releases of a growing data set, and returns their shares.

        - `total`: the epsilon to deal out; in a new ledger it is the budget.
        - `releases`: how many there will be.
        - `scheme`: `"even"`, `"decaying"` as 1, 1/2, 1/3, or `"alternate"` for even shares of which
          one is taken every second season.

        From then on release number k may bring what is spent since the plan to the first k shares,
        and no further; `next_share` says what that leaves. A later plan replaces this one.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [str(share) for share in Ledger(f"{folder}/nests.ledger").plan("3", releases=4)]
        ['3/4', '3/4', '3/4', '3/4']
        """
        planned = parse_epsilon(total, name="plan")
        dealt = shares(planned, releases, scheme)
        self.refuse_emptied()
        with self._storage.writing(new=True) as connection:
            events = self._read(connection)
            budget = budget_of(_meanings(events)) or planned
            remains = remainder(budget, spent(_meanings(events)))
            if planned > remains:
                raise BudgetExceeded(
                    f"plan: {decimal_text(remains)} remains in {self.name}; plan no more than that"
                )
            body: Body = {"kind": "plan", "budget": decimal_text(budget), "scheme": scheme}
            body["shares"] = [decimal_text(share) for share in dealt]
            self._append(connection, events, body)
        return dealt

    def next_share(self, dataset: str) -> Fraction:
        """Returns what the plan allows the next release of `dataset`; `BadInput` if there is no
        plan, `BudgetExceeded` if it is used up.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("nests.ledger")
        >>> shares = ledger.plan("3", releases=12)
        >>> ledger.next_share("Raptors 2026")
        Fraction(1, 4)
        """
        place = season(_meanings(self.events()), dataset)
        if place is None:
            raise BadInput(
                f"ledger: {self.name} holds no plan; make one with Ledger.plan or dpmap ledger"
                " --plan 12"
            )
        if not place.share:
            raise BudgetExceeded(
                f"plan: nothing is left for release {place.place} of {place.releases}; make a new"
                " plan"
            )
        return place.share

    def disjoint(self, datasets: Sequence[str], *, signed_by: str) -> None:
        """Declares that these data sets share no unit, signed by name; of them, only the dearest
        counts.

        - `datasets`: their names, two or more.
        - `signed_by`: who answers for it. If it is not so, the people who are in two of them lose
          more than the ledger says.

        >>> import dpmap as dm
        >>> dm.Ledger("nests.ledger").disjoint(["North", "South"], signed_by="R. Keeper")
        """
        for name in (*datasets, signed_by):
            check_name(name)
        check_disjoint((), datasets)
        self.refuse_emptied()
        with self._storage.writing(new=True) as connection:
            events = self._read(connection)
            check_disjoint(_meanings(events), datasets)
            body = {"kind": "disjoint", "datasets": list(datasets), "signed_by": signed_by}
            self._append(connection, events, body)

    def enter(
        self,
        dataset: str,
        epsilon: object,
        *,
        unit: str,
        reason: str,
        delta: object = None,
        budget: object = None,
    ) -> None:
        """Enters what another program spent on a data set's people, which then counts like a
        release.

        - `dataset`, `unit`: whose data, and whom that output protects, as for a release.
        - `epsilon`, `delta`: what it cost.
        - `reason`: what was made of it, with what, and when.
        - `budget`: the most epsilon ever, at a data set's first event.

        It has happened, so it is entered even where it exceeds the budget; nothing more is released
        then.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("elsewhere.ledger")
        >>> ledger.enter(
        ...     "Raptors", "0.5", unit="observer_id", reason="OpenDP: a table by parish", budget=3
        ... )
        >>> [str(amount) for amount in ledger.balance()]
        ['3', '1/2']
        """
        check_name(reason, "reason", "OpenDP: counts by parish, 2026-03")
        check_name(unit, "unit", "observer_id")
        spend = Spend(
            dataset,
            parse_epsilon(epsilon, name="spent-elsewhere"),
            Fraction(0) if delta is None else exact(delta, name="delta"),
            budget=None if budget is None else parse_epsilon(budget, name="budget"),
            unit=unit,
        )
        if not 0 <= spend.delta < 1:
            raise BadInput("delta: at least 0 and below 1; write for example 1e-6")
        self.refuse_emptied()
        # what is refused begins no file
        self._declared(self.events() if self.exists() else [], spend)
        with self._storage.writing(new=True) as connection:
            events = self._read(connection)
            self._open(connection, events, dataset, self._declared(events, spend))
            body = {name: value for name, value in spend.body.items() if name != "then"}
            self._append(connection, events, {**body, "kind": "elsewhere", "reason": reason})

    def check(self, spend: Spend) -> None:
        """Refuses what `take` would refuse, before any row is read; reserves and creates
        nothing.
        """
        self._storage.check_writable()
        self.refuse_emptied()
        self._agreed(_meanings(self.events() if self.exists() else []), spend)

    def exists(self) -> bool:
        """Returns whether there is such a file or table.

        >>> import dpmap as dm
        >>> dm.Ledger("not-begun.ledger").exists()
        False
        """
        return self._storage.exists()

    def events(self) -> list[Event]:
        """Returns every event in order, after verifying the whole chain; `Refused` if it was
        changed, `BadInput` if there is no such ledger.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("events.ledger")
        >>> shares = ledger.plan("3", releases=4)
        >>> [(event.number, event.body["kind"]) for event in ledger.events()]
        [(1, 'plan')]
        """
        if not self.exists():
            raise MissingFile(
                f"ledger: there is no {self._storage.kind} {self.name}; check the path"
            )
        with self._storage.reading() as connection:
            return self._read(connection)

    def balance(self) -> tuple[Fraction, Fraction]:
        """Returns (budget, spent) of the whole ledger.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("nests.ledger")
        >>> shares = ledger.plan("3", releases=4)
        >>> ledger.balance()
        (Fraction(3, 1), Fraction(0, 1))
        """
        events = _meanings(self.events())
        return budget_of(events) or Fraction(0), spent(events)

    def balance_delta(self) -> tuple[Fraction, Fraction]:
        """Returns (budget, spent) of delta; both are 0 if no release had one."""
        events = _meanings(self.events())
        return delta_budget_of(events), spent(events, "delta")

    def attests(self, *, event: int, head: str) -> None:
        """Refuses unless the release with this `event` and `head` (of its receipt) is in the chain;
        otherwise the ledger was cut or restored.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("nests.ledger")
        >>> shares = ledger.plan("3", releases=4)
        >>> ledger.attests(event=1, head=ledger.events()[0].digest)
        """
        if not _holds(self.events(), event, head):
            raise Refused(
                f"ledger: {self.name} does not contain this release; it was cut short, restored"
                " from an old copy, or belongs to other data"
            )

    def refuse_emptied(self) -> None:
        """Refuses a file that is there but empty, as a ledger that was emptied is."""
        self._storage.refuse_emptied()

    def _agreed(self, before: list[Meaning], spend: Spend) -> tuple[Fraction, Fraction, Body]:
        """Returns both budgets and what the statement must say, or refuses what does not fit
        into the ledger.
        """
        check_unit(before, spend)
        total = agreed_budget(before, spend, self.name)
        most = agreed_delta_budget(before, spend, self.name)
        agreed = terms(before, spend.dataset)
        _check_site(agreed, site=spend.site is not None)
        return total, most, {**agreed, **unit_terms(before, spend)}

    def _declared(self, events: list[Event], spend: Spend) -> Fraction:
        """Returns the budget of the data set of a fact, which need not fit into it."""
        check_unit(_meanings(events), spend)
        return declared_budget(_meanings(events), spend)

    def _read(self, connection: Any) -> list[Event]:
        """Returns the events, after checking that each follows from the one before."""
        rows = self._storage.rows(connection)
        if rows is None:
            return []
        events = list[Event]()
        previous = GENESIS
        for expected, (number, text, digest) in enumerate(rows, start=1):
            if number != expected or digest != _digest(previous, number, text):
                raise Refused(
                    f"ledger: {self.name} was changed at event {expected}; restore it, do not start"
                    " a new one"
                )
            previous = digest
            body, meaning = parse_line(text, self.name, expected)
            events.append(Event(number, body, digest, meaning))
        if not events:
            raise Refused(
                f"ledger: {self.name} lost its events; restore it, do not start a new one"
            )
        return events

    def _append(self, connection: Any, events: list[Event], body: Body) -> Event:
        """Adds one event to the end of the chain and to `events`; its salt stays in the ledger."""
        number = len(events) + 1
        body = {"time": datetime.now(UTC).isoformat(timespec="seconds"), **body}
        salted = {**body, "salt": secrets.token_hex(SALT_BYTES)}
        text = json.dumps(salted, sort_keys=True, ensure_ascii=False)
        previous = events[-1].digest if events else GENESIS
        event = Event(number, body, _digest(previous, number, text), parse_event(body))
        self._storage.append(connection, number, text, event.digest)
        events.append(event)
        return event

    def _open(self, connection: Any, events: list[Event], dataset: str, budget: Fraction) -> None:
        """Writes down the first time that a data set declares the budget or agrees to it."""
        if dataset not in opened_datasets(_meanings(events)):
            body = {"kind": "open", "dataset": dataset, "budget": decimal_text(budget)}
            self._append(connection, events, body)


def _check_site(agreed: Body, *, site: bool) -> None:
    """Refuses to protect sites in a data set of a disjoint group: the group shares no
    contributors, but a site may be in two.
    """
    if site and "disjoint" in agreed:
        raise Refused(
            "disjoint: this data set shares no contributors with others, but a site may be in two"
            " of them; leave --site out, or give a --dataset outside the group, where losses add up"
        )


def _holds(events: list[Event], number: int, head: str) -> bool:
    """Whether the event of this number is the one with this hash."""
    return 1 <= number <= len(events) and events[number - 1].digest == head


def _digest(previous: str, number: int, body: str) -> str:
    """Returns the SHA-256 of the previous digest, the number and the exact text of the event,
    salt included.
    """
    return hashlib.sha256(f"{previous}\n{number}\n{body}".encode()).hexdigest()


def _meanings(events: list[Event]) -> list[Meaning]:
    """Returns the meanings of the events, to be added up."""
    return [event.meaning for event in events]
