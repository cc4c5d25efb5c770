"""Holds a folder while somebody works in it, so that nobody else takes it for one that was left behind."""

import os
import shutil
import stat
from contextlib import suppress

LOCK = "held"
"""The file in a folder that is locked while the folder is used; it is the last that goes."""


class Taken(OSError):
    """Raised where another process holds the folder."""


def hold(folder):
    """Locks a folder and returns the number of the open lock.

    The lock ends with the last process that has this number, however it ends: a command that inherits it keeps its folder
    when QGIS is killed.
    """
    number = os.open(
        os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600
    )  # fmt: skip
    try:
        _lock(number)
        still_there = _same(os.fstat(number), os.lstat(os.path.join(folder, LOCK)))
    except OSError:
        still_there = False
    if (
        not still_there
    ):  # another process holds the folder, or a sweep wiped it between opening and locking
        os.close(number)
        raise Taken("another process holds this folder")
    return number


def _same(ours, named):
    return os.name == "nt" or (ours.st_dev, ours.st_ino) == (named.st_dev, named.st_ino)


def _lock(number):
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_ours(folder):
    """Whether this is a real folder of this user, and no link to one."""
    try:
        told = os.lstat(folder)
    except OSError:
        return False
    linked = getattr(told, "st_reparse_tag", 0)  # a junction of Windows
    return (
        stat.S_ISDIR(told.st_mode)
        and not linked
        and (os.name == "nt" or told.st_uid == os.getuid())
    )


def wipe(folder, number=None):
    """Deletes a folder that this process holds, the lock last, and lets go of it. Returns whether it is gone.

    What cannot be deleted now (Windows keeps files that a program reads) is found by the next sweep.
    """
    try:
        for name in sorted(os.listdir(folder)):
            if name != LOCK:
                _remove(os.path.join(folder, name))
    except OSError:
        pass
    whole = _emptied(folder)
    if os.name == "nt" and number is not None:
        os.close(number)  # Windows deletes no file that is open
        number = None
    if whole:
        with suppress(OSError):
            os.unlink(os.path.join(folder, LOCK))
        with suppress(OSError):
            os.rmdir(folder)
    if number is not None:
        os.close(number)
    return not os.path.lexists(folder)


def _emptied(folder):
    try:
        return set(os.listdir(folder)) <= {LOCK}
    except OSError:
        return False


def _remove(place):
    """Deletes a file or a folder; never what a link points to."""
    if not os.path.isdir(place) or os.path.islink(place):
        os.unlink(place)
    else:
        shutil.rmtree(place, onerror=_again)


def _again(step, place, _trouble):
    """Tries once more after giving the rights to delete: some programs make files that are read-only."""
    try:
        os.chmod(os.path.dirname(place), 0o700)
        if not os.path.islink(place):
            os.chmod(place, 0o700)
        if step in (os.unlink, os.remove, os.rmdir):
            step(place)
        else:  # the folder could not be listed or opened
            shutil.rmtree(place, ignore_errors=True)
    except OSError:
        pass


def sweep(top, begins="", spare=()):
    """Wipes folders in `top` that nobody holds: left by a QGIS or a computer that was stopped on its way."""
    try:
        names = os.listdir(top)
    except OSError:
        return
    for name in names:
        place = os.path.join(top, name)
        if name.startswith(begins) and name not in spare and is_ours(place):
            _swept(place)


def _swept(place):
    if os.name == "nt" and not _movable(place):  # a program works in it
        return
    if not os.path.lexists(
        os.path.join(place, LOCK)
    ):  # just being made, or empty: whoever makes it begins anew
        with suppress(OSError):
            os.rmdir(place)
        return
    try:
        number = hold(place)
    except OSError:
        return
    wipe(place, number)


def _movable(place):
    """Whether Windows lets the folder be renamed, which it does not while a program works in it."""
    try:
        os.rename(place, place + "-")
        os.rename(place + "-", place)
    except OSError:
        return False
    return True
