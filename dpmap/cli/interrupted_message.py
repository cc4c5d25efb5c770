"""Says what a command leaves that was stopped on its way: what stands, what was spent, and what
to type.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from dpmap.errors import DpmapError

if TYPE_CHECKING:
    from dpmap.ledger.events import Event

INTERRUPTED = "interrupted; nothing was spent, and nothing half-written is left"
LEFT: ContextVar[str] = ContextVar("LEFT", default=INTERRUPTED)
"""What to say if the command is interrupted; a `telling` block that ends early sets it."""


@contextmanager
def telling(
    book: Path | str,
    dataset: str | None,
    out: Path | None = None,
    tiers: Iterable[str] = (),
    seal: Path | None = None,
) -> Iterator[None]:
    """Works out, if the block ends early, what the ledger and the release's folder, or a folder for
    each tier, then hold.

    The ledger itself is asked, and not a note made on the way: a signal can come between a
    reservation and any such note.
    """
    LEFT.set(f"interrupted; type  dpmap ledger {quote(str(book))}  to see what was spent")
    begun = read_events(book)[-1:]
    try:
        yield
    except BaseException:
        places = [] if out is None else [out / name for name in tiers] or [out]
        whole = [
            str(place / "release.dpmap")
            for place in places
            if os.path.exists(place / "release.dpmap")
        ]
        LEFT.set(
            _standing(whole, out)
            if whole
            else _spent_line(book, dataset, begun[0].number if begun else 0, seal)
        )
        raise
    LEFT.set(INTERRUPTED)


@contextmanager
def opening(place: Path) -> Iterator[None]:
    """Says, if the block that opens a tier ends early, whether its release file is in its place;
    nothing is ever spent.
    """
    try:
        yield
    except BaseException:
        if os.path.exists(place / "release.dpmap"):
            LEFT.set(
                f"{_standing([str(place / 'release.dpmap')], place)}; opening it spent nothing"
            )
        raise


def _standing(whole: Sequence[str], out: Path | None) -> str:
    """Returns the line where release files are in their places."""
    is_whole, them = ("is", "it") if len(whole) == 1 else ("are", "them")
    return (
        f"interrupted; {' and '.join(whole)} {is_whole} whole and paid for; type  dpmap release"
        f" --resume {out}  and the rest is made from {them} at no cost"
    )


def _spent_line(book: Path | str, dataset: str | None, begun: int, seal: Path | None) -> str:
    """Returns the line where none is; `begun` is how many events the ledger held when the
    command began.
    """
    try:
        since = [
            event
            for event in read_events(book)
            if event.number > begun and event.body.get("dataset") == dataset
        ]
    except DpmapError:
        return LEFT.get()
    paid = [event for event in since if event.body["kind"] == "reserve"]
    if not paid:
        return f"{INTERRUPTED}; type the same again"
    if seal is not None and seal.exists():
        return (
            f"interrupted; {seal} is whole and paid for; type  dpmap unseal {seal} --tier NAME"
            " --out DIR  for each tier, at no cost"
        )
    from dpmap.cli.ledger import spent_by

    return (
        f"interrupted; {spent_by(paid[-1])}, and nothing came of it; the same again spends as much"
        f" again; type  dpmap ledger {quote(str(book))}  to see what remains"
    )


def read_events(book: Path | str) -> "list[Event]":
    """Returns the ledger's events, none where there is no ledger yet."""
    from dpmap.ledger.ledger import Ledger

    ledger = Ledger(book)
    return ledger.events() if ledger.exists() else []
