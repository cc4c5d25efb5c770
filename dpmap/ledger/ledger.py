"""The budget: an append-only, hash-chained SQLite file that every release of a data set must pass.

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
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from threading import Lock
from typing import NoReturn

from dpmap.errors import BadInput, BudgetExceeded, DpmapError, MissingFile, Refused, SystemFailed
from dpmap.ledger.accounting import (
    agreed_budget,
    agreed_delta_budget,
    budget_of,
    check_disjoint,
    check_name,
    delta_budget_of,
    opened_datasets,
    season,
    spent,
    terms,
    without_release,
)
from dpmap.ledger.events import Body, Event, Meaning, Spend, parse_event, parse_line
from dpmap.ledger.units import check_unit, unit_terms
from dpmap.noise.budget_plans import shares
from dpmap.numbers import decimal_text
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.plain_file import check_plain

APPLICATION = 0x64706D70
GENESIS = "0" * 64
PATIENCE_SECONDS = 60
MOMENT_SECONDS = 2
"""How long a ledger may be a file with nothing in it while another process is making it."""
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


def own_process(process: int, what: str) -> None:
    """Refuses an object made in another process: after a fork both hold a copy, and only the
    first may spend.
    """
    if os.getpid() != process:
        raise Refused(
            f"this {what} was made in another process, before a fork; reserve again in this one"
        )


class Ledger:
    """Keeps one budget in one file. All data sets named in it add up, since they may share people;
    of those declared to share none, only the dearest counts.

    - `path`: the file. `Ledger(path)` only names it; `release`, `plan` and `disjoint` make it when
      it is not there.

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
        self.name = os.path.basename(self.path)

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

        The write lock is taken before the chain is read (BEGIN IMMEDIATE), so that of many
        processes racing for the last epsilon exactly those it suffices for succeed, and of first
        releases by different units one.
        """
        with self._transaction() as database:
            events = self._begun(database)
            before = _meanings(events)
            total, most, agreed = self._agreed(before, spend)
            if spend.dataset not in opened_datasets(before):
                _append(
                    database,
                    events,
                    {"kind": "open", "dataset": spend.dataset, "budget": decimal_text(total)},
                )
            if spend.delta and not delta_budget_of(before):
                _append(database, events, {"kind": "delta", "budget": decimal_text(most)})
            release_id = secrets.token_hex(8)
            details = {name: value for name, value in details.items() if name not in ASKED}
            event = _append(database, events, {**details, **spend.body, "release": release_id})
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

    def made(self, paid: Reservation) -> None:
        """Writes down that what a reservation paid for is there, under the time of the reservation
        itself, so that the ledger does not tell how long drawing took.

        A process that is killed before this leaves a reservation that `without_release` names.
        """
        with self._transaction(new=False) as database:
            events = list(_read_chain(database, self.name))
            if not _holds(events, paid.event, paid.head):
                raise Refused(
                    f"ledger: {self.name} does not hold the reservation any more; restore the file"
                )
            time = events[paid.event - 1].body["time"]
            _append(database, events, {"kind": "made", "event": paid.event, "time": time})

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
        with self._transaction() as database:
            events = self._begun(database)
            budget = budget_of(_meanings(events)) or planned
            remains = budget - spent(_meanings(events))
            if planned > remains:
                raise BudgetExceeded(
                    f"plan: {decimal_text(remains)} remains in {self.name}; plan no more than that"
                )
            body = {"kind": "plan", "budget": decimal_text(budget), "scheme": scheme}
            _append(database, events, {**body, "shares": [decimal_text(share) for share in dealt]})
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
        with self._transaction() as database:
            events = self._begun(database)
            check_disjoint(_meanings(events), datasets)
            _append(
                database,
                events,
                {"kind": "disjoint", "datasets": list(datasets), "signed_by": signed_by},
            )

    def check(self, spend: Spend) -> None:
        """Refuses what `take` would refuse, before any row is read; reserves and creates
        nothing.
        """
        folder = os.path.dirname(os.path.abspath(self.path))
        if not os.path.isdir(folder):
            raise BadInput(
                f"ledger: the folder for {self.name} is not there; make it or give another --ledger"
            )
        if not os.access(self.path if os.path.exists(self.path) else folder, os.W_OK):
            raise SystemFailed(f"ledger: no right to write {self.name}; give another --ledger")
        self.refuse_emptied()
        self._agreed(_meanings(self.events()) if os.path.exists(self.path) else [], spend)

    def events(self) -> list[Event]:
        """Returns every event in order, after verifying the whole chain; `Refused` if it was
        changed, `BadInput` if there is no such file.

        >>> import dpmap as dm
        >>> ledger = dm.Ledger("events.ledger")
        >>> shares = ledger.plan("3", releases=4)
        >>> [(event.number, event.body["kind"]) for event in ledger.events()]
        [(1, 'plan')]
        """
        if not os.path.exists(self.path):
            raise MissingFile(f"ledger: there is no file {self.name}; check the path")
        with self._connected(write=False) as database:
            return list(_read_chain(database, self.name))

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
        """Refuses an empty file: a ledger that was emptied would pass for a new one.

        While another process is making a ledger it is such a file too: for a moment, and then until
        that process, which holds the write lock, lets go of it.
        """
        until = time.monotonic() + MOMENT_SECONDS
        while self._is_empty():
            if time.monotonic() < until:
                time.sleep(0.02)
                continue
            with self._connected(write=False) as database:
                database.execute("BEGIN IMMEDIATE")
                emptied = self._is_empty()
            if emptied:
                raise Refused(
                    f"ledger: {self.name} is there but empty; delete it if it is meant to be new,"
                    " restore it if it held events"
                )

    def _is_empty(self) -> bool:
        """Whether the file exists and is empty."""
        try:
            return os.path.isfile(self.path) and os.path.getsize(self.path) == 0
        except OSError:
            return False

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

    def _begun(self, database: sqlite3.Connection) -> list[Event]:
        """Returns the events so far, after laying out a new file."""
        events = list(_read_chain(database, self.name))
        if not events:
            _lay_out(database)
        return events

    @contextmanager
    def _transaction(self, *, new: bool = True) -> Iterator[sqlite3.Connection]:
        """Commits when the block ends well; the event is then on the disk itself (synchronous =
        EXTRA).
        """
        with self._connected(write=new) as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")

    @contextmanager
    def _connected(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """Opens a connection whose failures are one clear line; leaving it without COMMIT rolls
        back.
        """
        if os.path.isdir(self.path):
            raise BadInput(f"ledger: {self.name} is a folder; give a file name to --ledger")
        for ending in ("", "-journal", "-wal", "-shm"):
            check_plain(os.fspath(self.path) + ending, "ledger")
        if os.path.exists(self.path) and os.stat(self.path).st_nlink > 1:
            raise Refused(
                f"ledger: {self.name} has a second name (a hard link), under which a crash could"
                " undo what was spent; remove the other name or copy the file"
            )
        try:
            address = f"file:{_quoted(os.path.abspath(self.path))}?mode={'rwc' if write else 'rw'}"
            opened = sqlite3.connect(
                address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None
            )
            with closing(opened) as database:
                database.execute("PRAGMA journal_mode = DELETE").fetchone()
                database.execute("PRAGMA synchronous = EXTRA")
                # tables before the id: both appear in one commit
                (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
                (application,) = database.execute("PRAGMA application_id").fetchone()
                if tables and application != APPLICATION:
                    raise BadInput(
                        f"ledger: {self.name} is another program's database; give another --ledger"
                    )
                _check_own(database, self.name)
                yield database
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", None) in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            )
            reason = (
                "is in use by another process; try again"
                if busy
                else "cannot be opened for writing; check disk and rights"
            )
            raise SystemFailed(f"ledger: {self.name} {reason}") from None
        except sqlite3.DatabaseError:
            raise Refused(
                f"ledger: {self.name} is damaged or is no ledger; restore the file, do not start a"
                " new one"
            ) from None


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


def _quoted(path: str) -> str:
    """Writes a path for SQLite's URI form."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


_LAYOUT = (
    (
        "CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL, digest TEXT NOT NULL)"
        " STRICT"
    ),
    *(
        f"CREATE TRIGGER no_{verb.lower()} BEFORE {verb} ON events "
        "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)


def _lay_out(database: sqlite3.Connection) -> None:
    """Makes the one table, with triggers that refuse to change or remove a line by accident."""
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute("PRAGMA user_version = 1")
    for statement in _LAYOUT:
        database.execute(statement)


def _check_own(database: sqlite3.Connection, name: str) -> None:
    """Refuses a ledger with anything but the one table and its triggers: a planted trigger could
    undo what is spent.
    """
    statements = {text for (text,) in database.execute("SELECT sql FROM sqlite_master")}
    if statements - set(_LAYOUT):
        raise Refused(
            f"ledger: {name} holds tables, views or triggers dpmap did not make; restore the file"
        )


def _digest(previous: str, number: int, body: str) -> str:
    """Returns the SHA-256 of the previous digest, the number and the exact text of the event,
    salt included.
    """
    return hashlib.sha256(f"{previous}\n{number}\n{body}".encode()).hexdigest()


def _append(database: sqlite3.Connection, events: list[Event], body: Body) -> Event:
    """Adds one event to the end of the chain and to `events`; its salt stays in the file only."""
    number = len(events) + 1
    body = {"time": datetime.now(UTC).isoformat(timespec="seconds"), **body}
    salted = {**body, "salt": secrets.token_hex(SALT_BYTES)}
    text = json.dumps(salted, sort_keys=True, ensure_ascii=False)
    previous = events[-1].digest if events else GENESIS
    event = Event(number, body, _digest(previous, number, text), parse_event(body))
    database.execute("INSERT INTO events VALUES (?, ?, ?)", (number, text, event.digest))
    events.append(event)
    return event


def _read_chain(database: sqlite3.Connection, name: str) -> Iterator[Event]:
    """Yields the events, checking that each follows from the one before."""
    tables = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchall()
    if not tables:
        return
    previous = GENESIS
    rows = database.execute("SELECT number, body, digest FROM events ORDER BY number")
    for expected, (number, text, digest) in enumerate(rows, start=1):
        if number != expected or digest != _digest(previous, number, text):
            raise Refused(
                f"ledger: {name} was changed at event {expected}; restore the file, do not start a"
                " new one"
            )
        previous = digest
        body, meaning = parse_line(text, name, expected)
        yield Event(number, body, digest, meaning)
    if previous == GENESIS:
        raise Refused(f"ledger: {name} lost its events; restore the file, do not start a new one")


def _meanings(events: list[Event]) -> list[Meaning]:
    """Returns the meanings of the events, to be added up."""
    return [event.meaning for event in events]
