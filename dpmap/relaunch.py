"""Says how dpmap starts itself once more: as a module of this Python, or as the program that an
installer brought.
"""

import sys


def installed_alone() -> bool:
    """Whether this is the program of an installer: it holds its own Python, which runs nothing
    but dpmap.
    """
    return bool(getattr(sys, "frozen", False))


def command() -> list[str]:
    """Returns the words before a command's own; -P keeps a file of the working folder from being
    loaded as a library.

    >>> command()[1:]
    ['-P', '-m', 'dpmap']
    """
    return [sys.executable] if installed_alone() else [sys.executable, "-P", "-m", "dpmap"]
