"""The budget: an append-only, hash-chained SQLite file that every release of a data set goes through.

A reservation is on disk, flushed, before the session that spends it can exist; a crash after that wastes budget and
leaks nothing. Each event carries the hash of the one before, so an edit shows; each release carries the hash of its
own event, so a ledger that was cut short or restored from an old copy shows beside any later release.

That hash is in public releases, and an event names its second. So each event also holds a *salt*, random bytes that stay in
the ledger: without it, trying all seconds of a year finds no hash again.
"""

import hashlib
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from threading import Lock
from typing import Any, NoReturn

from dpmap.errors import BadInput, BudgetExceeded, Refused, SystemFailed
from dpmap.ledger.accounting import check_disjoint, check_lifetime, season, shares, spent, terms
from dpmap.numbers import decimal_text, exact
from dpmap.numbers import epsilon as parse_epsilon

APPLICATION = 0x64706D70
GENESIS = "0" * 64
PATIENCE_SECONDS = 60
MOMENT_SECONDS = 2
"""How long a ledger may be a file with nothing in it while another process is making it."""
SALT_BYTES = 32
MOST_DELTA = Fraction(1, 10**4)
_MINT = object()


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger: `body` is what happened, `digest` seals it, its salt and all before it."""

    number: int
    body: dict[str, Any]
    digest: str


class Reservation:
    """Epsilon set aside on disk for one release; made by `Ledger.reserve` only, and no part of it claimed twice.

    It is of one process: a fork copies its memory, and what both copies claimed would be spent twice.
    """

    __slots__ = (
        "_left", "_lock", "_process", "budget", "budget_delta", "dataset", "delta", "epsilon", "event", "head", "release_id",
        "spent", "spent_delta", "terms",
    )  # fmt: skip

    def __init__(self, mint: object, *, dataset: str, release_id: str, epsilon: Fraction, budget: Fraction,
                 spent: Fraction, event: Event, terms: dict[str, Any], delta: Fraction = Fraction(0),
                 budget_delta: Fraction = Fraction(0), spent_delta: Fraction = Fraction(0)) -> None:  # fmt: skip
        if mint is not _MINT:
            raise TypeError("reservations are made by Ledger.reserve")
        self._left, self._lock, self._process = epsilon, Lock(), os.getpid()
        self.dataset, self.release_id, self.epsilon = dataset, release_id, epsilon
        self.budget, self.spent, self.event, self.head = budget, spent, event.number, event.digest
        self.terms = terms
        self.delta, self.budget_delta, self.spent_delta = delta, budget_delta, spent_delta

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Refused("a reservation cannot be copied: it is spent once")

    def claim(self, part: Fraction | None = None) -> Fraction:
        """`part` of the reserved epsilon, or all that is left of it; what is handed out once cannot be spent again."""
        own_process(self._process, "reservation")
        with self._lock:
            share = self._left if part is None else part
            if not 0 < share <= self._left:
                raise Refused("this reservation is already in use; reserve again")
            self._left -= share
        return share


def own_process(process: int, what: str) -> None:
    """Refuses what was made in another process: after a fork both hold a copy, and only the one that made it may spend."""
    if os.getpid() != process:
        raise Refused(f"this {what} was made in another process, before a fork; reserve again in this one")


class Ledger:
    """One budget, kept in one file. All data sets named in it add up, since they may share people; those declared
    to share none count once, at the dearest.

    `Ledger(path)` only names the file; `reserve`, `plan` and `disjoint` make it when it is not there.
    """

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = os.fspath(path)
        self.name = os.path.basename(self.path)

    def reserve(
        self,
        *,
        dataset: str,
        epsilon: Fraction,
        budget: Fraction | None,
        details: dict[str, Any],
        lifetime: Fraction | None = None,
        delta: Fraction = Fraction(0),
        budget_delta: Fraction | None = None,
    ) -> Reservation:
        """Sets `epsilon` aside for one release of `dataset`, or refuses, in one transaction that is flushed to disk.

        With a `delta`, that too, out of a budget of its own that the first such release declares.

        The write lock is taken before the chain is read (BEGIN IMMEDIATE), so that of many processes racing for the
        last epsilon exactly those it suffices for succeed. `lifetime` is the share of every personal limit that it takes.
        """
        with self._transaction() as database:
            events = self._begun(database)
            total = self._check(events, dataset, epsilon, budget, lifetime)
            most = self._check_delta(events, dataset, delta, budget_delta)
            agreed = terms(_bodies(events), dataset)
            if "site" in details and "disjoint" in agreed:
                raise Refused(
                    "disjoint: this data set shares no contributors with others, but a site may be in two of them; leave --site "
                    "out, or give a --dataset outside the group, where losses add up"
                )
            if dataset not in _opened(events):
                events.append(
                    _append(database, events, {"kind": "open", "dataset": dataset, "budget": decimal_text(total)})
                )
            if delta and not _budget_delta(events):
                events.append(_append(database, events, {"kind": "delta", "budget": decimal_text(most)}))
            release_id = secrets.token_hex(8)
            body = {
                **{name: told for name, told in details.items() if name not in ("delta", "lifetime")},
                "kind": "reserve",
                "dataset": dataset,
                "release": release_id,
                "epsilon": decimal_text(epsilon),
                **({} if lifetime is None else {"lifetime": decimal_text(lifetime)}),
                **({"delta": decimal_text(delta)} if delta else {}),
            }
            event = _append(database, events, body)
            after = [*_bodies(events), event.body]
        return Reservation(_MINT, dataset=dataset, release_id=release_id, epsilon=epsilon, budget=total,
                           spent=spent(after), event=event, terms=agreed, delta=delta, budget_delta=most,
                           spent_delta=spent(after, "delta"))  # fmt: skip

    def plan(self, total: object, releases: int = 12, scheme: str = "even") -> tuple[Fraction, ...]:
        """Deals `total` out to the next `releases` of a growing data set, in shares that are `even` or `decaying`.

        From then on release number k may bring what is spent since the plan to the first k shares, and no further;
        `next_share` says what that leaves. In a new ledger the total is its budget. A later plan replaces this one.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [str(share) for share in Ledger(f"{folder}/nests.ledger").plan("3", releases=4)]
        ['3/4', '3/4', '3/4', '3/4']
        """
        sum_of_all = parse_epsilon(total, name="plan")
        dealt = shares(sum_of_all, releases, scheme)
        self.refuse_emptied()
        with self._transaction() as database:
            events = self._begun(database)
            budget = _budget(events) or sum_of_all
            remains = budget - spent(_bodies(events))
            if sum_of_all > remains:
                raise BudgetExceeded(f"plan: {decimal_text(remains)} remains in {self.name}; plan no more than that")
            body = {"kind": "plan", "budget": decimal_text(budget), "scheme": scheme}
            _append(database, events, {**body, "shares": [decimal_text(share) for share in dealt]})
        return dealt

    def next_share(self, dataset: str) -> Fraction:
        """What the plan allows the next release of this data set."""
        place = season(_bodies(self.events()), dataset)
        if place is None:
            raise BadInput(f"ledger: {self.name} holds no plan; make one with Ledger.plan or dpmap ledger --plan 12")
        if not place.share:
            raise BudgetExceeded(
                f"plan: nothing is left for release {place.place} of {place.releases}; make a new plan"
            )
        return place.share

    def disjoint(self, datasets: Sequence[str], *, signed_by: str) -> None:
        """Declares that no unit is in two of these data sets, signed by name: of them, only the dearest counts.

        If that is not so, the people who are in two of them lose more than the ledger says.
        """
        for name in (*datasets, signed_by):
            _check_name(name)
        check_disjoint((), datasets)
        self.refuse_emptied()
        with self._transaction() as database:
            events = self._begun(database)
            check_disjoint(_bodies(events), datasets)
            _append(database, events, {"kind": "disjoint", "datasets": list(datasets), "signed_by": signed_by})

    def check(
        self,
        *,
        dataset: str,
        epsilon: Fraction,
        budget: Fraction | None,
        lifetime: Fraction | None = None,
        delta: Fraction = Fraction(0),
        budget_delta: Fraction | None = None,
    ) -> None:
        """Refuses now what `reserve` would refuse, before any row is read; reserves nothing, creates nothing."""
        folder = os.path.dirname(os.path.abspath(self.path))
        if not os.path.isdir(folder):
            raise BadInput(f"ledger: the folder for {self.name} is not there; make it or give another --ledger")
        if not os.access(self.path if os.path.exists(self.path) else folder, os.W_OK):
            raise SystemFailed(f"ledger: no right to write {self.name}; give another --ledger")
        self.refuse_emptied()
        events = self.events() if os.path.exists(self.path) else []
        self._check(events, dataset, epsilon, budget, lifetime)
        self._check_delta(events, dataset, delta, budget_delta)

    def events(self) -> list[Event]:
        """Every event in order, the whole chain verified."""
        if not os.path.exists(self.path):
            raise BadInput(f"ledger: there is no file {self.name}; check the path")
        with self._connected(write=False) as database:
            return list(_read_chain(database, self.name))

    def balance(self) -> tuple[Fraction, Fraction]:
        """(budget, spent) of the whole ledger."""
        events = self.events()
        return _budget(events) or Fraction(0), spent(_bodies(events))

    def balance_delta(self) -> tuple[Fraction, Fraction]:
        """(budget, spent) of delta; both are 0 where no release had one."""
        events = self.events()
        return _budget_delta(events), spent(_bodies(events), "delta")

    def attests(self, *, event: int, head: str) -> None:
        """Refuses unless the release with this place and head is in the chain: else the ledger was cut or restored."""
        events = self.events()
        if event < 1 or event > len(events) or events[event - 1].digest != head:
            raise Refused(
                f"ledger: {self.name} does not contain this release; it was cut short, restored from an old copy, "
                "or belongs to other data"
            )

    def _check(
        self, events: list[Event], dataset: str, epsilon: Fraction, budget: Fraction | None, lifetime: Fraction | None
    ) -> Fraction:
        """The ledger's budget, or the refusal."""
        if epsilon <= 0:
            raise BadInput("epsilon: a reservation must be above 0")
        _check_name(dataset)
        total, before = _budget(events), _bodies(events)
        place = season(before, dataset)
        if dataset not in _opened(events) and budget is None and place is None:
            raise Refused(
                "no budget: this is the data set's first release in this ledger; add --budget B (budget=), "
                "the most epsilon that all its releases may ever spend together"
            )
        total = total or budget or Fraction(0)
        if budget is not None and budget != total:
            raise Refused(
                f"budget: this ledger holds one budget of {decimal_text(total)} for all its data sets, fixed at the "
                "first release; leave --budget as it was"
            )
        check_lifetime(before, dataset, lifetime)
        if spent([*before, {"kind": "reserve", "dataset": dataset, "epsilon": decimal_text(epsilon)}]) > total:
            raise BudgetExceeded(
                f"budget: {decimal_text(total - spent(before))} of {decimal_text(total)} remains in {self.name}, and "
                f"this release asks for {decimal_text(epsilon)}; lower --epsilon"
            )
        if place is not None and epsilon > place.share:
            raise BudgetExceeded(
                f"plan: release {place.place} of {place.releases} may take {decimal_text(place.share)} and asks for "
                f"{decimal_text(epsilon)}; write --epsilon next, or make a new plan"
            )
        return total

    def _check_delta(
        self, events: list[Event], dataset: str, delta: Fraction, budget_delta: Fraction | None
    ) -> Fraction:
        """The ledger's budget for delta (0 where it needs none), or the refusal."""
        total = _budget_delta(events)
        if delta < 0 or (budget_delta is not None and not 0 < budget_delta <= MOST_DELTA):
            raise BadInput(
                "budget-delta: above 0, and at most 0.0001 for all releases together; write for example 1e-5"
            )
        if budget_delta is not None and total and budget_delta != total:
            raise Refused(
                f"budget-delta: this ledger holds one of {decimal_text(total)}, fixed at the first release with a delta; "
                "leave --budget-delta as it was"
            )
        if not delta:
            return total
        total = total or budget_delta or Fraction(0)
        if not total:
            raise Refused(
                "no budget for delta: this is the ledger's first release with one; add --budget-delta B (budget_delta=), "
                "the most that the deltas of all releases may ever add up to, like 1e-5"
            )
        before = _bodies(events)
        asked = {"kind": "reserve", "dataset": dataset, "epsilon": "0", "delta": decimal_text(delta)}
        if spent([*before, asked], "delta") > total:
            left = decimal_text(total - spent(before, "delta"))
            raise BudgetExceeded(
                f"budget-delta: {left} of {decimal_text(total)} remains in {self.name}, and this release asks for "
                f"{decimal_text(delta)}; lower --delta, or leave it out"
            )
        return total

    def refuse_emptied(self) -> None:
        """Refuses a file that is there and holds nothing: a ledger that was emptied would pass for a new one.

        While another process is making a ledger it is such a file too: for a moment, and then until that process, which
        holds the write lock, lets go of it.
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
                    f"ledger: {self.name} is there but empty; delete it if it is meant to be new, restore it if it held events"
                )

    def _is_empty(self) -> bool:
        """Whether there is a file, and nothing in it."""
        try:
            return os.path.isfile(self.path) and os.path.getsize(self.path) == 0
        except OSError:
            return False

    def _begun(self, database: sqlite3.Connection) -> list[Event]:
        """The events so far; a file without any is laid out first."""
        events = list(_read_chain(database, self.name))
        if not events:
            _lay_out(database)
        return events

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commits when the block ends well; then the event is on the disk itself (synchronous = EXTRA)."""
        with self._connected(write=True) as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")

    @contextmanager
    def _connected(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """A connection whose failures are one clear line. Leaving without COMMIT rolls back."""
        if os.path.isdir(self.path):
            raise BadInput(f"ledger: {self.name} is a folder; give a file name to --ledger")
        if os.path.exists(self.path) and os.stat(self.path).st_nlink > 1:
            raise Refused(f"ledger: {self.name} has a second name (a hard link), under which a crash could undo "
                          "what was spent; remove the other name or copy the file")  # fmt: skip
        try:
            address = f"file:{_quoted(os.path.abspath(self.path))}?mode={'rwc' if write else 'rw'}"
            opened = sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)
            with closing(opened) as database:
                database.execute("PRAGMA journal_mode = DELETE").fetchone()
                database.execute("PRAGMA synchronous = EXTRA")
                # tables before the id: both appear in one commit
                (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
                (application,) = database.execute("PRAGMA application_id").fetchone()
                if tables and application != APPLICATION:
                    raise BadInput(f"ledger: {self.name} is another program's database; give another --ledger")
                _check_own(database, self.name)
                yield database
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            reason = (
                "is in use by another process; try again"
                if busy
                else "cannot be opened for writing; check disk and rights"
            )
            raise SystemFailed(f"ledger: {self.name} {reason}") from None
        except sqlite3.DatabaseError:
            raise Refused(
                f"ledger: {self.name} is damaged or is no ledger; restore the file, do not start a new one"
            ) from None


def _quoted(path: str) -> str:
    """A path as SQLite's URI form wants it."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


_LAYOUT = (
    "CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL, digest TEXT NOT NULL) STRICT",
    *(
        f"CREATE TRIGGER no_{verb.lower()} BEFORE {verb} ON events "
        "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)


def _lay_out(database: sqlite3.Connection) -> None:
    """The one table, with triggers that refuse to change or remove a line by accident."""
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute("PRAGMA user_version = 1")
    for statement in _LAYOUT:
        database.execute(statement)


def _check_own(database: sqlite3.Connection, name: str) -> None:
    """Refuses a ledger with anything but the one table and its triggers: a planted trigger could eat what is spent."""
    found = {text for (text,) in database.execute("SELECT sql FROM sqlite_master")}
    if found - set(_LAYOUT):
        raise Refused(f"ledger: {name} holds tables, views or triggers dpmap did not make; restore the file")


def _digest(previous: str, number: int, body: str) -> str:
    """SHA-256 over the previous digest, the number and the exact text of the event, its salt in it."""
    return hashlib.sha256(f"{previous}\n{number}\n{body}".encode()).hexdigest()


def _append(database: sqlite3.Connection, events: list[Event], body: dict[str, Any]) -> Event:
    """One more event at the end of the chain, its salt in the file only."""
    number = len(events) + 1
    body = {"time": datetime.now(UTC).isoformat(timespec="seconds"), **body}
    text = json.dumps({**body, "salt": secrets.token_hex(SALT_BYTES)}, sort_keys=True, ensure_ascii=False)
    event = Event(number, body, _digest(events[-1].digest if events else GENESIS, number, text))
    database.execute("INSERT INTO events VALUES (?, ?, ?)", (number, text, event.digest))
    return event


def _read_chain(database: sqlite3.Connection, name: str) -> Iterator[Event]:
    """The events, each checked to follow from the one before."""
    if not database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'events'").fetchone()[0]:
        return
    previous = GENESIS
    rows = database.execute("SELECT number, body, digest FROM events ORDER BY number")
    for expected, (number, text, digest) in enumerate(rows, start=1):
        if number != expected or digest != _digest(previous, number, text):
            raise Refused(f"ledger: {name} was changed at event {expected}; restore the file, do not start a new one")
        previous = digest
        yield Event(number, _understood(text, name, expected), digest)
    if previous == GENESIS:
        raise Refused(f"ledger: {name} lost its events; restore the file, do not start a new one")


_SAID: dict[str, tuple[list[str], list[str]]] = {
    "open": (["budget"], ["dataset"]),
    "reserve": (["epsilon"], ["dataset"]),
    "plan": (["budget"], ["scheme"]),
    "disjoint": ([], ["signed_by"]),
    "delta": (["budget"], []),
}
"""The amounts and the texts that an event of each kind must hold."""


def _understood(text: str, name: str, number: int) -> dict[str, Any]:
    """The event's body, once it says all that its kind must say."""
    try:
        body = dict(json.loads(text))
        amounts, texts = _SAID[body["kind"]]
        stated = [body[key] for key in amounts] + [body[key] for key in ("delta", "lifetime") if key in body]
        dealt = body["shares"] if body["kind"] == "plan" else ()
        if any(exact(amount, name="ledger", longest=10_000) <= 0 for amount in (*stated, *dealt)):
            raise ValueError  # noqa: TRY301  # told below, with the other forgeries
        apart = body["datasets"] if body["kind"] == "disjoint" else ()
        "".join([body["time"], *(body[key] for key in texts), *apart])
    except (BadInput, KeyError, TypeError, ValueError, RecursionError):
        raise Refused(f"ledger: {name} holds an event {number} dpmap did not write; restore the file") from None
    body.pop("salt", None)  # ledgers begun with an earlier dpmap have none; it is for the digest alone
    return body


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise BadInput(
            "dataset: give the data set a name of at most 200 printable characters, like --dataset 'Raptors 2026'"
        )


def _bodies(events: list[Event]) -> list[dict[str, Any]]:
    return [event.body for event in events]


def _opened(events: list[Event]) -> set[str]:
    """The data sets that have declared the budget."""
    return {event.body["dataset"] for event in events if event.body["kind"] == "open"}


def _budget(events: list[Event]) -> Fraction | None:
    """The one budget, as the first event that names it declares; by `_check` and `plan` no other names another."""
    named = (event.body["budget"] for event in events if event.body["kind"] in ("open", "plan"))
    return next((exact(budget, name="budget", longest=10_000) for budget in named), None)


def _budget_delta(events: list[Event]) -> Fraction:
    """The one budget for delta, as the first release with one declared it; 0 before."""
    named = (event.body["budget"] for event in events if event.body["kind"] == "delta")
    return next((exact(budget, name="budget", longest=10_000) for budget in named), Fraction(0))
