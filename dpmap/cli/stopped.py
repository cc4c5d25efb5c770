"""Says what a command leaves that was stopped on its way: what stands, what was spent, and what to type."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.errors import DpmapError

if TYPE_CHECKING:
    from dpmap.ledger.events import Event

INTERRUPTED = "interrupted; nothing was spent, and nothing half-written is left"
LEFT: ContextVar[str] = ContextVar("LEFT", default=INTERRUPTED)
"""What to say if the command is interrupted; a `telling` block that ends early sets it."""


@contextmanager
def telling(book: Path, dataset: str | None, out: Path | None = None) -> Iterator[None]:
    """Works out, if the block ends early, what the ledger and the release's folder then hold.

    The ledger itself is asked, and not a note made on the way: a signal can come between a reservation and any such note.
    """
    LEFT.set(f"interrupted; type  dpmap ledger {book}  to see what was spent")
    begun = _events(book)[-1:]
    try:
        yield
    except BaseException:
        LEFT.set(_left(book, dataset, out, begun[0].number if begun else 0))
        raise
    LEFT.set(INTERRUPTED)


def _left(book: Path, dataset: str | None, out: Path | None, begun: int) -> str:
    """Returns the line; `begun` is how many events the ledger held when the command began."""
    if out is not None and (out / "release.dpmap").exists():
        return (
            f"interrupted; {out / 'release.dpmap'} is whole and paid for; type  dpmap release --resume {out}  and the rest is "
            "made from it at no cost"
        )
    try:
        since = [event for event in _events(book) if event.number > begun and event.body.get("dataset") == dataset]
    except DpmapError:
        return LEFT.get()
    paid = [event for event in since if event.body["kind"] == "reserve"]
    if not paid:
        return f"{INTERRUPTED}; type the same again"
    from dpmap.cli.ledger import spent_by

    return (
        f"interrupted; {spent_by(paid[-1])}, and nothing came of it; the same again spends as much again; type  dpmap ledger "
        f"{book}  to see what remains"
    )


def _events(book: Path) -> "list[Event]":
    """Returns the ledger's events, none where there is no ledger yet."""
    from dpmap.ledger.ledger import Ledger

    return Ledger(book).events() if book.is_file() and book.stat().st_size else []
