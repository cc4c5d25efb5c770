"""Makes a private folder for one command, and wipes it however the command ends.

A QGIS that is killed can wipe nothing: the next one does, at its start and before each command (`sweep`). A folder in which somebody
still works is left alone: a lock says so, which the command inherits.
"""

import os
import tempfile
from contextlib import contextmanager

from . import held

BEGINS = "dpmap-qgis-"
WORK = "work"
TRIES = 10


class Private(str):
    """The path of a private folder; `lock` is the number that its command inherits."""

    __slots__ = ("lock",)


@contextmanager
def private_folder():
    """Gives a new folder that only this user can open; it is gone at the end of the block."""
    sweep()
    top, lock = _made()
    work = Private(os.path.join(top, WORK))
    work.lock = lock
    os.mkdir(work, 0o700)
    try:
        yield work
    finally:
        held.wipe(top, lock)


def sweep():
    """Wipes what a QGIS that was killed left behind; what another one uses stays."""
    held.sweep(tempfile.gettempdir(), BEGINS)


def _made():
    for _ in range(TRIES):
        top = tempfile.mkdtemp(prefix=BEGINS)  # 0700
        try:
            return top, held.hold(top)
        except OSError:  # a sweep came between the two
            continue
    raise OSError("no private folder can be made: free some room in the folder for temporary files")
