"""Writes files safely: to a temporary file, flushed to disk, then renamed into place."""

import errno
import glob
import os
import re
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from dpmap.errors import BadInput, DpmapError, Refused, SystemFailed
from dpmap.plain_file import LEDGER

ROOM = 1 << 18
"""Bytes that must fit on the disk before anything is spent: more than a release of a common
size.
"""
LONGEST_NAME = "for-the-protected.html"
"""The longest name of a file in a release's folder, by which the folder is tried."""


@contextmanager
def written_aside(path: "str | os.PathLike[str]") -> Iterator[Path]:
    """Gives a temporary path beside `path`; renamed onto it when the block ends well, removed when
    it does not.

    The suffix is kept, since drivers choose their format by it. A symlink at `path` is replaced,
    never followed.
    """
    target = Path(path)
    refuse_address(path, "--out or --to (path)")
    if os.path.isdir(target):
        raise BadInput(f"{target.name} is a folder; give a file name to write to")
    _refuse_ledger(target)
    aside = _aside(target)
    try:
        yield aside
        with open(aside, "rb") as written:
            os.fsync(written.fileno())
        os.replace(aside, target)
        _flush_folder(target.parent)
    except DpmapError:
        raise
    except PermissionError:
        raise SystemFailed(
            f"no right to write {target.name}; choose another --out folder"
        ) from None
    except FileNotFoundError:
        raise SystemFailed(
            f"cannot write {target.name}: its folder is not there; make it or choose another"
        ) from None
    except OSError as error:
        raise SystemFailed(
            f"cannot write {target.name}: {os.strerror(error.errno or 5).lower()}; free some space"
            " or choose another disk"
        ) from None
    except Exception:
        if not _full(target.parent):
            raise
        raise SystemFailed(  # drivers of formats fail on a full disk with errors of their own
            f"cannot write {target.name}: no space left on device; free some space or choose"
            " another disk"
        ) from None
    finally:
        for leftover in (
            target.parent.glob(f"{glob.escape(aside.name)}*") if target.parent.is_dir() else ()
        ):
            leftover.unlink(missing_ok=True)


def _refuse_ledger(target: Path) -> None:
    """Refuse to replace a ledger, whatever its name: with it goes what was spent."""
    try:
        with open(target, "rb") as file:
            head = file.read(72)
    except OSError:
        return  # what cannot be read or is not there shows when it is written
    if head.startswith(b"SQLite format 3\0") and head[68:] == LEDGER.to_bytes(4):
        raise Refused(f"{target.name} is a ledger, which only grows; name another file")


def _aside(target: Path) -> Path:
    """Returns a new name beside a file, under which it is written before it is renamed."""
    return target.with_name(f".{target.stem}.{secrets.token_hex(6)}{target.suffix}")


def _full(folder: Path) -> bool:
    """Whether hardly anything more fits on the disk of a folder."""
    import shutil

    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


@contextmanager
def opened_private(path: Path) -> Iterator[IO[bytes]]:
    """Opens a new file that its owner alone may read until the block ends well; then it has the
    rights of any new file.

    So what a killed process leaves of a file that was to be renamed is nobody else's.
    """
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file
    as_any_new(path)


def as_any_new(path: Path) -> None:
    """Gives a file the rights that a new file gets here, where the disk knows rights."""
    mask = os.umask(0o077)
    os.umask(mask)
    with suppress(OSError):
        path.chmod(0o666 & ~mask)


@contextmanager
def held_back() -> Iterator[None]:
    """Holds Ctrl-C, SIGTERM, SIGHUP and SIGBREAK back while files that belong together are renamed;
    they are passed on afterwards.

    Only the main thread hears them, so there is nothing to hold back in another one. What is
    ignored stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    known = [
        getattr(signal, name)
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        if hasattr(signal, name)
    ]
    usual = {
        one: handler
        for one in known
        if (handler := signal.getsignal(one)) not in (None, signal.SIG_IGN)
    }
    try:
        for one in usual:
            signal.signal(one, lambda number, _: heard.append(number))
        yield
    finally:
        for one, handler in usual.items():
            signal.signal(one, handler)
        if heard:
            signal.raise_signal(heard[0])


def _flush_folder(folder: Path) -> None:
    """Flushes the folder, so that a new file name outlasts a power cut, where the system allows
    it.
    """
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/|/vsi[a-z0-9_]+(/|$)")
"""An address, or what GDAL takes for one. A path holds one slash of two; a letter with a colon
is a disk.
"""


def refuse_address(path: "str | os.PathLike[str]", flag: str = "--out (to=)") -> None:
    """Refuses an address such as s3://bucket/x: as a path it would be a folder called `s3:`, here.

    >>> refuse_address("raptors/map.png")
    >>> refuse_address("s3://bucket/raptors")
    Traceback (most recent call last):
        ...
    dpmap.errors.BadInput: to: an address (s3:) is no place on this machine; name a folder
    or file here, and copy it afterwards
    """
    found = _ADDRESS.match(os.fspath(path))
    if found is not None:
        scheme = found[0].rstrip("/")
        raise BadInput(
            f"{flag}: an address ({scheme}) is no place on this machine; name a folder or file"
            " here, and copy it afterwards"
        )


def _refusal_of(error: OSError, place: Path, flag: str) -> DpmapError:
    """Returns the one line that says why nothing can be written to a place."""
    name = place.name or str(place)
    if error.errno == errno.ENAMETOOLONG:
        return BadInput(f"{flag}: its name is too long for this disk; choose a shorter one")
    if isinstance(error, FileExistsError | NotADirectoryError):
        return BadInput(
            f"{flag}: a file stands where a folder has to be ({name}); choose another folder"
        )
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk is full",
        errno.EROFS: "the disk is read-only",
        errno.EIO: "the disk does not answer",
    }
    reason = reasons.get(error.errno or 0, "no right to write there")
    return SystemFailed(f"{flag}: {reason} ({name}); choose another folder")


def try_place(path: "str | os.PathLike[str]", *, room: int = 0, flag: str = "--out (to=)") -> None:
    """Refuses a place for a file at which `written_aside` would fail, having done there all that it
    does.

    A file with a name as long is written, flushed, renamed and removed. `room` is how many bytes
    the disk should have left; what a disk does not tell beforehand (a quota, other programs) can
    still fail later.
    """
    import shutil

    refuse_address(path, flag)
    target = Path(path)
    if os.path.isdir(target):
        raise BadInput(f"{flag}: {target.name} is a folder; name a file that is not there yet")
    aside = _aside(target)
    renamed = target.with_name(f".dpmap-{secrets.token_hex(6)}")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as probe:
            probe.write(bytes(ROOM))
            probe.flush()
            os.fsync(probe.fileno())
        os.rename(aside, renamed)
    except OSError as error:
        raise _refusal_of(error, target.parent, flag) from None
    finally:
        for tried in (aside, renamed):
            with suppress(OSError):
                tried.unlink(missing_ok=True)
    free = None
    with suppress(OSError):  # some disks do not say
        free = shutil.disk_usage(target.parent).free
    if free is not None and free < room:
        raise SystemFailed(
            f"{flag}: about {room / 1e6:,.1f} MB will be written and {free / 1e6:,.1f} MB are free"
            " there; free some space or choose another disk"
        )


def check_writable(folder: "str | os.PathLike[str]") -> Path:
    """Returns the folder, made if need be, after trying to write in it; else raises one clear
    line.
    """
    refuse_address(folder, "--out")
    place = Path(folder)
    if os.path.exists(place) and not os.path.isdir(place):
        raise BadInput(f"--out: {place.name} is a file; give a folder")
    try:
        os.makedirs(place, exist_ok=True)
    except OSError as error:
        raise _refusal_of(error, place, "--out") from None
    try_place(place / LONGEST_NAME, flag="--out")
    return place


@contextmanager
def only_one_at_once(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """Refuses while another process writes to the folder; the system frees the lock even of a
    killed process. With `wait` it is said to be worth another try.

    Where folders cannot be locked (Windows, some network disks) nothing is refused.
    """
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if wait:
                raise SystemFailed(
                    f"--out: another dpmap is writing to {folder.name}; nothing was spent; try the"
                    " same again when it has ended"
                ) from None
            raise BadInput(
                f"--out: another release is being written to {folder.name}; choose a new folder"
            ) from None
        except OSError:
            pass
        yield
    finally:
        os.close(handle)


@contextmanager
def new_folder(folder: "str | os.PathLike[str]") -> Iterator[Path]:
    """Gives a writable folder; what was made for it here is removed if the block fails before
    writing.
    """
    place = Path(folder)
    made = [one for one in (place, *place.parents) if not os.path.lexists(one)]
    try:
        yield check_writable(folder)
    except BaseException:
        for one in made:
            with suppress(OSError):  # what is not empty stays, and so do the folders around it
                one.rmdir()
        raise
