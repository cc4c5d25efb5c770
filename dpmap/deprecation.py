"""Keeps old names working: each goes on, and says once in words what to write instead, for at least
one minor version.

`docs/stability.md` says how a name goes. A renamed argument is a decorator on its call, a renamed
method or attribute is left as one that calls `use_instead`, and a renamed flag is a line of
`FLAGS`.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from dpmap.errors import BadInput

P = ParamSpec("P")
R = TypeVar("R")

FLAGS: dict[str, tuple[str, str]] = {}
"""Old flags, of the command line and of dpmap.toml: what each is called now, and the version in
which the old name goes.
"""

_SAID: set[str] = set()


class DpmapDeprecationWarning(FutureWarning):
    """Warns that a name of dpmap goes in a later version; a FutureWarning, so that whoever runs
    a script or a notebook sees it.
    """


def words(old: str, new: str, goes_in: str) -> str:
    """Says what to write instead.

    >>> words("max_points=", "cap=", "0.4")
    'use cap= instead of max_points=; the old name goes in 0.4'
    """
    return f"use {new} instead of {old}; the old name goes in {goes_in}"


def use_instead(old: str, new: str, goes_in: str) -> None:
    """Warns about an old name, once in a process, at the line of the user's own that used it."""
    message = words(old, new, goes_in)
    if message not in _SAID:
        _SAID.add(message)
        warnings.warn(message, DpmapDeprecationWarning, stacklevel=_outside())


def _outside() -> int:
    """Returns how many calls below `use_instead` the first line outside dpmap is."""
    # warnings themselves find the line so; before Python 3.12 they cannot skip a package
    level = 1
    frame = sys._getframe(1)  # noqa: SLF001
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] == "dpmap"
    ):
        level = level + 1
        frame = frame.f_back
    return level


def renamed(goes_in: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Lets a call take an argument by its old name too: `@renamed("0.4", max_points="cap")`.

    >>> @renamed("0.4", max_points="cap")
    ... def promise(*, cap): return cap
    >>> promise(cap=5)
    5
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     promise(max_points=5)
    5
    >>> print(told[0].message)
    use cap= instead of max_points=; the old name goes in 0.4
    """

    def bridged(call: Callable[P, R]) -> Callable[P, R]:
        @wraps(call)
        def taken(*args: P.args, **given: P.kwargs) -> R:
            for old, new in names.items():
                if old in given:
                    if new in given:
                        raise BadInput(
                            f"{call.__name__}: {old}= is the old name of {new}=; give {new}= alone"
                        )
                    use_instead(f"{old}=", f"{new}=", goes_in)
                    given[new] = given.pop(old)
            return call(*args, **given)

        return taken

    return bridged


def flags(typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns what was typed with old flags by their new names, and a line about each old one.

    Words after `--` are no flags.

    >>> FLAGS["--max-points"] = ("--cap", "0.4")
    >>> flags(["release", "--max-points=5", "--", "--max-points"])
    (['release', '--cap=5', '--', '--max-points'], ['use --cap instead of --max-points; the old name
    goes in 0.4'])
    >>> del FLAGS["--max-points"]
    """
    found = list[str]()
    names = dict[str, None]()
    end = list(typed).index("--") if "--" in typed else len(typed)
    for number, word in enumerate(typed):
        flag, equals, value = word.partition("=")
        if number < end and flag in FLAGS:
            new, goes_in = FLAGS[flag]
            names[words(flag, new, goes_in)] = None
            word = f"{new}{equals}{value}"  # noqa: PLW2901  # the same word under its new name
        found.append(word)
    return found, list(names)


def key(name: str) -> tuple[str, str]:
    """Returns what a key of dpmap.toml is called now, and a line about it if it was called
    otherwise.

    >>> key("cap")
    ('cap', '')
    """
    if f"--{name}" not in FLAGS:
        return name, ""
    new, goes_in = FLAGS[f"--{name}"]
    return new.removeprefix("--"), words(
        f"{name} (in the file of --config)", new.removeprefix("--"), goes_in
    )
