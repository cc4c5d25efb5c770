"""Defines every error that dpmap raises: one line each, never carrying data.

Every message says what is wrong, where (a column, a flag, a file; never a value from the survey)
and what to type instead. The command line turns each kind into its exit code.

>>> issubclass(BudgetExceeded, Refused), BadInput.exit_code, Refused.exit_code
(True, 2, 3)
"""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class DpmapError(Exception):
    """Base class of all errors: `except dm.errors.DpmapError` catches everything dpmap raises on
    purpose.

    >>> import dpmap as dm
    >>> try: dm.open("nothing.dpmap")
    ... except dm.errors.DpmapError as error: print(error, error.exit_code)
    there is no file nothing.dpmap; give a release.dpmap 2
    """

    exit_code = 1


class SystemFailed(DpmapError, RuntimeError):
    """Raised when the machine failed: disk, memory, rights, engine."""


class BadInput(DpmapError, ValueError):
    """Raised when the call cannot be understood or a file cannot be read."""

    exit_code = 2


class NoPlace(BadInput):
    """Raised when no column is known to say where a row is; `flags` is what to add, `columns`
    are those there are.
    """

    def __init__(self, message: str, flags: str, columns: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.flags, self.columns = flags, columns


class SeveralTables(BadInput):
    """Raised when a file holds several tables and none was chosen; `flag` chooses one of these
    `names`.
    """

    def __init__(self, message: str, flag: str, names: Iterable[str]) -> None:
        super().__init__(message)
        self.flag, self.names = flag, tuple(names)


class NoTier(BadInput, KeyError):
    """Raised when a draw has no map for the reader of this name, or keeps it sealed."""

    def __str__(self) -> str:
        return str(self.args[0])


class MissingExtra(BadInput, ImportError):
    """Raised when an optional library is needed; the message names the library itself, since an
    index may hold another dpmap.
    """


class Refused(DpmapError, RuntimeError):
    """Raised when a call is understood but declined, to protect privacy.

    >>> import dpmap as dm
    >>> try: dm.Policy(epsilon=1, unit="observer_id")
    ... except dm.errors.Refused as refused: print(refused)
    no cap: add --cap C (cap=), the most points one unit may add to the whole map, for example 5
    """

    exit_code = 3


class BudgetExceeded(Refused):
    """Raised when the ledger has too little budget left for this release."""


def near(wanted: str, known: Iterable[str]) -> str:
    """Returns the end of a message about an unknown name: the known names most like it, or nothing.

    >>> near("--epsilom", ["--epsilon", "--epsilon-by", "--cap"]), near("--zzz", ["--cap"])
    (' (did you mean --epsilon or --epsilon-by?)', '')
    """
    folded = {name.lower(): name for name in known}
    found = [folded[name] for name in get_close_matches(wanted.lower(), folded, n=3, cutoff=0.7)]
    if not found:
        return ""
    return f" (did you mean {', '.join(found[:-1])}{' or ' * (len(found) > 1)}{found[-1]}?)"


def one_line(call: Callable[P, R]) -> Callable[P, R]:
    """Answers an unknown option of a call with one line: the options most like it, or all that it
    has.

    >>> @one_line
    ... def draw(path, *, title=None, legend=True): return path
    >>> try: draw("map.png", titel="Owls")
    ... except BadInput as error: print(error)
    draw: titel is no option (did you mean title?)
    """
    known = [
        name for name, one in signature(call).parameters.items() if one.default is not one.empty
    ]

    @wraps(call)
    def checked(*args: P.args, **given: P.kwargs) -> R:
        for name in given:
            if name not in signature(call).parameters:
                nearest = near(name, known) or f"; it has {', '.join(known)}"
                raise BadInput(f"{call.__name__}: {name} is no option{nearest}")
        return call(*args, **given)

    return checked
