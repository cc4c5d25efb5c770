"""Checks what guards the data: sealed types refuse, the ledger holds, debits come before draws."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpmap.errors import BudgetExceeded, DpmapError, Refused
from dpmap.grid import Partition
from dpmap.ledger.ledger import Ledger, Reservation
from dpmap.private_totals import PrivateTotals
from dpmap.promise.policy import Policy
from dpmap.selftest import cap
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.steward.release_run import release
from dpmap.survey import read
from dpmap.vault import mechanism as room
from dpmap.vault.correlated_laplace import laplace_with_copies
from dpmap.vault.laplace import discrete_laplace
from dpmap.vault.session import Session

SHOWN = 8_675_309
"""The number that sealed values hold here and must not show."""


def refuses(
    what: str,
    call: Callable[..., Any],
    *words: Any,
    errors: tuple[type[Exception], ...] = (Refused,),
) -> None:
    """Fails unless the call is refused."""
    try:
        call(*words)
    except errors:
        return
    raise Broken(f"{what} was not refused")


def _reserved(folder: str, epsilon: Fraction = Fraction(1), name: str = "x.ledger") -> Reservation:
    return Ledger(Path(folder) / name).reserve(
        dataset="d", epsilon=epsilon, budget=Fraction(1), details={}
    )


def _totals(cells: int = 20) -> PrivateTotals:
    return PrivateTotals(np.arange(cells), np.full(cells, SHOWN))


def _session(folder: str, totals: PrivateTotals | None = None) -> Session:
    return Session(
        _totals() if totals is None else totals, cap.grid(), _reserved(folder), cap=1, lattice=1
    )


def order(_: Effort) -> CheckResult:
    """Checks the order: reserve on disk, debit, draw, and only then look; what fails on the way
    stays spent.
    """
    seen: list[str] = []
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:

        class Watched(PrivateTotals):
            """Says when its cells are read."""

            __slots__ = ()

            def __getattribute__(self, name: str) -> Any:
                if name in ("_cells", "_steps"):
                    seen.append("look")
                return super().__getattribute__(name)

        totals = Watched(np.arange(20), np.full(20, SHOWN))
        session = _session(folder, totals)
        with _before_drawing(lambda _: seen.append(f"draw with {session.left} left")):
            session.measure(Partition.cells(cap.grid()), Fraction(1, 3))
            alone = seen.copy()
            session.course([Fraction(1, 6)] * 2)
            session.measure(Partition.cells(cap.grid()), Fraction(1, 6))
        for seen_here, left in ((alone, "2/3"), (seen[len(alone) :], "1/3")):
            if seen_here[:1] != [f"draw with {left} left"] or "look" not in seen_here[1:]:
                raise Broken(
                    "the session looks or draws before it debits, or looks before it draws"
                )
        session.measure(Partition.cells(cap.grid()), Fraction(1, 6))
        _failing_draw(session)
        _visible_when_drawn(folder)
    return CheckResult(
        "debit, draw, look; a draw that fails; a ledger asked in the middle of a release",
        "any other order",
    )


@contextmanager
def _before_drawing(watch: Callable[[int], object]) -> Iterator[None]:
    """Tells, before every draw in this block, how many regions it is for."""

    def watched(draw: Callable[..., Any]) -> Callable[..., Any]:
        def draws(count: int, *words: Any, **named: Any) -> Any:
            watch(count)
            return draw(count, *words, **named)

        return draws

    with (
        replace_attribute(room, "discrete_laplace", watched(discrete_laplace)),
        replace_attribute(room, "laplace_with_copies", watched(laplace_with_copies)),
    ):
        yield


def _failing_draw(session: Session) -> None:
    """Checks that a failure between debit and answer spends."""

    def fails(*_: Any, **__: Any) -> Any:
        raise OSError

    left = session.left
    with replace_attribute(room, "discrete_laplace", fails):
        refuses(
            "a draw that failed",
            session.measure,
            Partition.whole(cap.grid()),
            left,
            errors=(OSError,),
        )
    refuses("a second try after a failed draw", session.measure, Partition.whole(cap.grid()), left)


def _visible_when_drawn(folder: str) -> None:
    """Checks that during a release's draw anyone who opens the ledger already sees its epsilon
    gone.
    """
    path = Path(folder) / "survey.csv"
    ledger = Path(folder) / "release.ledger"
    cap.write([*cap.over_spread(), *cap.others()], path)
    spent = list[Fraction]()

    def note_count(count: int) -> None:
        if count > 1:  # a single draw tries the noise source, before anything is counted
            spent.append(Ledger(ledger).balance()[1])

    with _before_drawing(note_count):
        release(
            read(path, x="x", y="y", crs="EPSG:3857"),
            cap.grid(),
            Policy(epsilon=1, unit="who", cap=2),
            ledger=ledger,
            dataset="d",
            budget=1,
        )
    if not spent or set(spent) != {Fraction(1)}:
        raise Broken("noise is drawn before the ledger on disk says that its epsilon is spent")


def ledger(_: Effort) -> CheckResult:
    """Checks that overspending is refused to the last digit, and any edit or cut of the ledger
    shows.
    """
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        path = Path(folder) / "x.ledger"
        book = Ledger(path)
        third = Fraction(1, 3)
        refuses("a first release without a budget", _reserve, book, "d", third, None)
        reservations = [_reserve(book, "d", third, Fraction(1)) for _ in range(3)]
        for name, budget in (("d", None), ("another", Fraction(1)), ("d", Fraction(2))):
            refuses("spending beyond the budget", _reserve, book, name, Fraction(1, 10**4), budget)
        refuses(
            "a reservation of less than nothing",
            _reserve,
            book,
            "d",
            -third,
            None,
            errors=(DpmapError,),
        )
        if book.balance() != (Fraction(1), Fraction(1)):
            raise Broken("the ledger's sums are not exact")
        for last in reservations:
            book.attests(event=last.event, head=last.head)
        edits = [
            _edited(path, number, field)
            for number in (1, 2, 4)
            for field in ("body", "digest", "number", "gone")
        ]
        for what, damaged in edits:
            refuses(f"a ledger with {what}", _whole, Ledger(damaged), reservations[-1])
    return CheckResult(
        f"3 thirds of one, 5 reservations too many, {len(edits)} edits of the file",
        "any that passes",
    )


def _reserve(book: Ledger, dataset: str, epsilon: Fraction, budget: Fraction | None) -> Reservation:
    return book.reserve(dataset=dataset, epsilon=epsilon, budget=budget, details={})


def _whole(book: Ledger, last: Reservation) -> None:
    """Refuses a ledger that is not the one the last release came from."""
    book.events()
    book.attests(event=last.event, head=last.head)


def _edited(path: Path, number: int, field: str) -> tuple[str, Path]:
    """Returns a copy of the ledger with one thing changed, as with a database browser."""
    damaged = path.with_name(f"{field}{number}.ledger")
    damaged.write_bytes(path.read_bytes())
    change = {
        "body": (
            "UPDATE events SET body = replace(replace(body, '1/3', '1/4'), '\"1\"', '\"2\"') WHERE"
            " number = ?"
        ),
        "digest": (
            "UPDATE events SET digest = replace(digest, substr(digest, 1, 1), 'z') WHERE number = ?"
        ),
        "number": "UPDATE events SET number = 99 WHERE number = ?",
        "gone": "DELETE FROM events WHERE number = ?",
    }[field]
    with closing(sqlite3.connect(damaged)) as database, database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute(change, (number,))
    return f"the {field} of event {number} changed", damaged


def race(effort: Effort) -> CheckResult:
    """Checks that of many who want the last epsilon at once only as many get it as it suffices
    for.
    """
    rounds = effort.many(6, least=3)
    third = Fraction(1, 3)
    with (
        tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder,
        ThreadPoolExecutor(8) as pool,
    ):
        for number in range(rounds):
            book = Ledger(Path(folder) / f"{number}.ledger")
            session = Session(
                _totals(), cap.grid(), _reserved(folder, name=f"s{number}.ledger"), cap=1, lattice=1
            )
            for grab in (
                partial(_reserve, book, "d", third, Fraction(1)),
                partial(session.measure, Partition.cells(cap.grid()), third),
            ):
                got = sum(pool.map(_granted, [grab] * 12))
                if got != 3:
                    raise Broken(f"{got} of 12 at once got a third of the epsilon each")
            if book.balance()[1] != 1 or session.left:
                raise Broken("what was given out at once is not what was debited")
    return CheckResult(
        f"{rounds} races of 12 for 3 places, at a ledger and at a session", "an unguarded debit"
    )


def _granted(grab: Callable[[], Any]) -> bool:
    try:
        grab()
    except BudgetExceeded:
        return False
    return True
