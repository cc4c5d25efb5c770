"""Code that several commands share: a required flag, the usual ledger, the next share of a plan,
progress.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap.errors import DpmapError, Refused

if TYPE_CHECKING:
    from fractions import Fraction


def require_flag(value: Any, flag: str) -> Any:
    """Returns the value of a required flag, or refuses."""
    if value is None:
        raise Refused(
            f"no {flag.lstrip('-')}: add {flag}; there is no default, since it is the promise"
            " itself"
        )
    return value


def refuse_lacking(
    command: str,
    *needed: tuple[bool | Callable[[], bool], type[DpmapError], str],
    place: Callable[[], str] = str,
) -> None:
    """Names everything that is missing at once: `needed` says what is, how that is refused, and
    what to type; `place` what would say where a row is.

    One alone has a sentence of its own, said where it is used. What must be looked up is a
    function, called only where something else is missing.
    """
    if not any(missing is True for missing, _, _ in needed):
        return
    lacking = [
        (kind, flag)
        for missing, kind, flag in needed
        if (missing() if callable(missing) else missing)
    ]
    if len(lacking) > 1 or (lacking and place()):
        kind = lacking[0][0]
        flags = [flag for _, flag in lacking]
        flags += [flag] if (flag := place()) else []
        raise kind(
            f"{command}: add {', '.join(flags[:-1])} and {flags[-1]}; there are no defaults, since"
            " they are the promise"
        )


def ledger_place(text: str) -> Path | str:
    """Reads a ledger's place: an address as it is typed, of which a path would drop a slash.

    >>> ledger_place("postgresql://ana@localhost/nests?ledger=raptors")
    'postgresql://ana@localhost/nests?ledger=raptors'
    """
    return text if "://" in text else Path(text)


def next_share(book: Path | str, dataset: str) -> "Fraction":
    """Returns what the ledger's plan allows the next release or choice, for `--epsilon next`."""
    from dpmap.ledger.ledger import Ledger

    return Ledger(book).next_share(dataset)
