"""Makes private folders, in which copies of a survey lie while they are needed, and sweeps away
what killed processes left.

A folder is held by a lock on a file in it, which the system lets go of when the process ends,
however it ends. So a folder whose lock can be had is nobody's any more, and goes before the next
one is made beside it. What goes is this user's own, under a name and with a mark that only dpmap
writes; no link is followed, and no folder of another user is entered.

*No race.* A maker makes the folder, then the lock's file, locks it, marks it, and then looks
whether that file still stands there. A sweeper wipes what has the mark, and only while it has the
lock itself. If the sweeper had the lock first, the maker is refused it or finds its file gone, and
makes another folder; if the maker had it first, the sweeper is refused it. Nothing of a survey is
in a folder before it has the mark, and one without goes only if it is empty and old.
"""

import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from dpmap.errors import SystemFailed

LOCK = "held"
"""The file in each folder that its process keeps locked."""
PREFIX = "dpmap-"
HIDDEN = ".dpmap-"
"""How a folder's name begins; the second beside files that people look at."""
YOUNG = 600
"""Seconds for which an empty folder may still be in the making."""
LONG = 7 * 86_400
"""Seconds after which a folder that another machine marked goes too: on a shared disk, locks may
not reach from one to the other.
"""
TRIES = 20
_NAME = re.compile(r"\.?dpmap-[a-z0-9_]{8}")
_MARK = "a private folder of dpmap, made on "
_BY_HANDLE = os.open in os.supports_dir_fd and shutil.rmtree.avoids_symlink_attacks
"""Whether the system lets a folder be spoken to by its handle, so that nobody can put another
one in its place meanwhile.
"""
_UNIX = hasattr(os, "geteuid")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_living: set[str] = set()


@contextmanager
def private_folder(
    parent: "str | os.PathLike[str] | None" = None, *, prefix: str = PREFIX
) -> Iterator[str]:
    """Gives a new folder that its owner alone may enter, and wipes it when the block ends; first it
    sweeps away what was left beside it.

    >>> with private_folder() as folder, open(os.path.join(folder, "copy.csv"), "w") as copy:
    ...     _ = copy.write("who,lon,lat")
    >>> os.path.exists(folder)
    False
    """
    place = os.path.abspath(parent or tempfile.gettempdir())
    sweep(place)
    folder, lock = _make_folder(place, prefix)
    _living.add(folder.path)
    try:
        yield folder.path
    finally:
        with folder:
            folder.wipe(lock)
        _living.discard(folder.path)


def sweep(place: str) -> None:
    """Wipes the private folders in a place that no process holds; what cannot be wiped stays."""
    names: list[str] = []
    with suppress(OSError), os.scandir(place) as found:
        names += (one.name for one in found if _NAME.fullmatch(one.name))
    for name in names:
        path = os.path.join(place, name)
        if path not in _living:
            with suppress(OSError):
                _sweep(path)


def _sweep(path: str) -> None:
    """Wipes one folder, if it is this user's own and nobody holds it."""
    if not _is_own(os.lstat(path), stat.S_IFDIR):
        return
    with _Folder(path) as folder:
        if not folder.is_own():
            return
        try:
            lock = folder.lock_file(os.O_RDWR)
        except FileNotFoundError:
            folder.remove_unmade()
            return
        try:
            _take(lock)
            left = _is_left_over(lock)
            if not left:
                folder.remove_unmade()
        except OSError:  # somebody holds it, or this disk knows no locks
            left = False
        if left:
            folder.wipe(lock)
        else:
            os.close(lock)


def _make_folder(place: str, prefix: str) -> "tuple[_Folder, int]":
    """Makes a folder and holds it; another one where a sweeper was faster."""
    for _ in range(TRIES):
        folder = _Folder(tempfile.mkdtemp(prefix=prefix, dir=place))
        with suppress(FileNotFoundError):
            lock = folder.lock_file(os.O_RDWR | os.O_CREAT | os.O_EXCL)
            if _lock_folder(lock) and folder.has(lock):
                return folder, lock
            os.close(lock)
        folder.remove_unmade(older_than=0)
        folder.close()
    raise SystemFailed(
        "engine: no private folder can be held in the temporary folder; name another with --temp"
    )


def _lock_folder(lock: int) -> bool:
    """Locks and marks the file of a new folder; whether no sweeper has the lock."""
    try:
        _take(lock)
    except (PermissionError, BlockingIOError):
        return False
    except OSError:  # this disk knows no locks, so no sweeper gets one either
        pass
    os.write(lock, f"{_MARK}{platform.node()}\n".encode())
    return True


def _take(lock: int) -> None:
    """Takes a lock that the system lets go of at this process's end, or raises at once."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(lock, 0, os.SEEK_SET)
        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_left_over(lock: int) -> bool:
    """Whether a file that is now locked here marks a folder that this machine's dpmap made, or
    another's long ago.
    """
    status = os.fstat(lock)
    os.lseek(lock, 0, os.SEEK_SET)
    text = os.read(lock, 1000).decode(errors="replace")
    if not _is_own(status, stat.S_IFREG) or not text.startswith(_MARK):
        return False
    return text == f"{_MARK}{platform.node()}\n" or time.time() - status.st_mtime > LONG


def _is_own(status: os.stat_result, kind: int) -> bool:
    """Whether this is a real folder or file, no link, of this user; on Windows each user's
    temporary folder is his own.
    """
    reparsed: int = getattr(status, "st_reparse_tag", 0)
    return (
        stat.S_IFMT(status.st_mode) == kind
        and not reparsed
        and (not _UNIX or status.st_uid == os.geteuid())
    )


class _Folder:
    """Holds a folder open, and speaks of what is in it by that handle, where the system can."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._handle = (
            os.open(path, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK) if _BY_HANDLE else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_own(self) -> bool:
        """Whether the folder that was opened is this user's."""
        return _is_own(
            os.lstat(self.path) if self._handle is None else os.fstat(self._handle), stat.S_IFDIR
        )

    def lock_file(self, flags: int) -> int:
        """Opens the file that is locked."""
        return os.open(self._at(LOCK), flags | _NO_LINK, 0o600, dir_fd=self._handle)

    def has(self, lock: int) -> bool:
        """Whether the lock's file still stands in the folder."""
        with suppress(FileNotFoundError):
            return os.path.samestat(self._stat(LOCK), os.fstat(lock))
        return False

    def wipe(self, lock: int) -> None:
        """Removes all that is in the folder, then the lock and the folder; where something
        stays, the mark does, for the next sweep.
        """
        try:
            for name in self._names():
                if name != LOCK:
                    self._remove(name)
        finally:
            os.close(lock)  # before its file goes: Windows removes none that is open
            if self._names() == [LOCK]:
                self._end()

    def remove_unmade(self, older_than: float = YOUNG) -> None:
        """Removes a folder that was never finished: nothing but an empty lock's file is in it,
        and it is old.
        """
        with suppress(OSError):
            names = self._names()
            empty = not names or (names == [LOCK] and not self._stat(LOCK).st_size)
            if empty and time.time() - os.lstat(self.path).st_mtime >= older_than:
                self._end()

    def close(self) -> None:
        """Lets go of the folder."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _at(self, name: str) -> str:
        return os.path.join(self.path, name) if self._handle is None else name

    def _names(self) -> list[str]:
        with suppress(OSError):
            return os.listdir(self.path if self._handle is None else self._handle)
        return []

    def _stat(self, name: str) -> os.stat_result:
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def _remove(self, name: str) -> None:
        """Removes a file, or a folder with all that is in it."""
        with suppress(OSError):
            if stat.S_ISDIR(self._stat(name).st_mode):
                shutil.rmtree(self._at(name), ignore_errors=True, dir_fd=self._handle)
            else:
                os.unlink(self._at(name), dir_fd=self._handle)

    def _end(self) -> None:
        """Removes the lock's file and the empty folder."""
        with suppress(OSError):
            os.unlink(self._at(LOCK), dir_fd=self._handle)
        with suppress(OSError):
            os.rmdir(self.path)
