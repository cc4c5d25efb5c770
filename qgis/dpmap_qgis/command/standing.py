"""Asks a program once whether it is a dpmap that the plugin can work with; its answer is remembered while its file stays as it is."""

import os
import re
import time

from . import stopping
from .child import LOOKED_EVERY, Child
from .private import private_folder

MINIMUM = (0, 2, 0)
"""The oldest dpmap that answers what the plugin asks."""
BESIDES = ("hotspots", "compare")
"""Commands that a dpmap of exactly the oldest version must have too: while a version is being made, its number is still the last one's."""
NEXT = (2, 0, 0)
"""From this dpmap on its answers may have changed; it is warned of, not refused."""
PATIENCE = 60.0
"""Seconds for a version: a first start may be slow where every file is looked at by a scanner."""
MOST = 1 << 16
MISSING, BROKEN, OLD, GOOD = "missing", "broken", "old", "good"
_remembered = {}


class Standing:
    """What a program is: `kind` (missing, broken, old or good), its `version`, and in `says` what to do, or a warning."""

    def __init__(self, kind, version="", says=""):
        self.kind, self.version, self.says = kind, version, says

    @property
    def good(self):
        """Whether the plugin can work with it."""
        return self.kind == GOOD


def written(version):
    """Writes a version as people do.

    >>> written((0, 2, 0))
    '0.2.0'
    """
    return ".".join(map(str, version))


def standing(words, patience=PATIENCE):
    """Returns what the program that `words` start is."""
    state = (tuple(words), patience, tuple(_state(word) for word in words if os.path.isabs(word)))
    if state not in _remembered:
        _remembered[state] = _asked(words, patience)
    return _remembered[state]


def forget():
    """Asks each program anew: a repair elsewhere on the machine changes no file of its own."""
    _remembered.clear()


def _asked(words, patience):
    place = words[0]
    if not os.path.isfile(place):
        return Standing(MISSING, says="there is no such file")
    if os.name != "nt" and not os.access(place, os.X_OK):
        return Standing(BROKEN, says="it is no program that may be run")
    code, said, late = short(words, ["--version"], patience)
    if late:
        return Standing(BROKEN, says="it does not answer")
    told = re.match(r"dpmap (\d+)\.(\d+)\.(\d+)(\S*)\s*$", said)
    if code != 0 or told is None:
        return Standing(BROKEN, says="it does not answer as dpmap does; install it anew")
    version = tuple(map(int, told.groups()[:3]))
    if version < MINIMUM:
        return Standing(
            OLD,
            written(version),
            f"it is dpmap {written(version)}, and this plugin needs {written(MINIMUM)} or newer",
        )
    if version == MINIMUM:
        lacks = [one for one in BESIDES if short(words, [one, "--help"], patience)[0] != 0]
        if lacks:
            return Standing(
                OLD,
                written(version),
                f"this dpmap {written(version)} has no {', '.join(lacks)}: update it",
            )
    warned = version >= NEXT
    newer = f"dpmap {written(version)} is newer than this plugin knows: update the plugin if something fails"
    return Standing(GOOD, written(version), newer if warned else "")


def short(program, words, patience):
    """Runs a quick command; returns its code, what it said, and whether it was too late or said too much."""
    with private_folder() as private:
        try:
            child = Child(program, words, private)
        except (OSError, ValueError):
            return 1, "", False
        until = time.monotonic() + patience
        try:
            while not child.ended and time.monotonic() < until and child.heard <= MOST:
                child.wait(LOOKED_EVERY)
            late = not child.ended
        finally:
            if not child.ended:
                stopping.by_force(child.process)
                child.wait(patience)
        child.last_words()
    return child.process.returncode, (child.said or b"")[:MOST].decode("utf-8", "replace"), late


def _state(place):
    try:
        told = os.stat(place)
    except OSError:
        return None
    return told.st_mtime_ns, told.st_size, told.st_ino
