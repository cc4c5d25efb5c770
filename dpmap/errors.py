"""What can go wrong, in one line each, never carrying data.

Every message says what is wrong, where (a column, a flag, a file; never a value from the survey) and what to type
instead. The command line turns each kind into its exit code.

>>> issubclass(BudgetExceeded, Refused), BadInput.exit_code, Refused.exit_code
(True, 2, 3)
"""

from collections.abc import Iterable
from difflib import get_close_matches


class DpmapError(Exception):
    """The root: `except dm.errors.DpmapError` catches everything dpmap raises on purpose."""

    exit_code = 1


class SystemFailed(DpmapError, RuntimeError):
    """The machine failed: disk, memory, rights, engine."""


class BadInput(DpmapError, ValueError):
    """The call cannot be understood or the file cannot be read."""

    exit_code = 2


class MissingExtra(BadInput, ImportError):
    """An optional library is needed for this; the message names the extra to install."""


class Refused(DpmapError, RuntimeError):
    """The call is understood, and declined to protect privacy."""

    exit_code = 3


class BudgetExceeded(Refused):
    """The ledger cannot afford this release."""


def near(wanted: str, known: Iterable[str]) -> str:
    """What to add to a message about a name that is not known: the known ones that look most like it, if any do.

    >>> near("--epsilom", ["--epsilon", "--epsilon-by", "--cap"]), near("--zzz", ["--cap"])
    (' (did you mean --epsilon or --epsilon-by?)', '')
    """
    folded = {name.lower(): name for name in known}
    found = [folded[name] for name in get_close_matches(wanted.lower(), folded, n=3, cutoff=0.7)]
    if not found:
        return ""
    return f" (did you mean {', '.join(found[:-1])}{' or ' * (len(found) > 1)}{found[-1]}?)"
