"""Writes files safely: to a temporary file, flushed to disk, then renamed into place."""

import errno
import glob
import os
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from dpmap.errors import BadInput, DpmapError, SystemFailed

ROOM = 1 << 18
"""Bytes that must fit on the disk before anything is spent: more than a release of a common size."""


@contextmanager
def written_aside(path: "str | os.PathLike[str]") -> Iterator[Path]:
    """Gives a temporary path beside `path`; renamed onto it when the block ends well, removed when it does not.

    The suffix is kept, since drivers choose their format by it. A symlink at `path` is replaced, never followed.
    """
    target = Path(path)
    if target.is_dir():
        raise BadInput(f"{target.name} is a folder; give a file name to write to")
    aside = target.with_name(f".{target.stem}.{secrets.token_hex(6)}{target.suffix}")
    try:
        yield aside
        with open(aside, "rb") as written:
            os.fsync(written.fileno())
        os.replace(aside, target)
        _flush_folder(target.parent)
    except DpmapError:
        raise
    except PermissionError:
        raise SystemFailed(f"no right to write {target.name}; choose another --out folder") from None
    except FileNotFoundError:
        raise SystemFailed(f"cannot write {target.name}: its folder is not there; make it or choose another") from None
    except OSError as error:
        raise SystemFailed(
            f"cannot write {target.name}: {os.strerror(error.errno or 5).lower()}; free some space or choose another disk"
        ) from None
    except Exception:
        if not _full(target.parent):
            raise
        raise SystemFailed(  # drivers of formats fail on a full disk with errors of their own
            f"cannot write {target.name}: no space left on device; free some space or choose another disk"
        ) from None
    finally:
        for leftover in target.parent.glob(f"{glob.escape(aside.name)}*") if target.parent.is_dir() else ():
            leftover.unlink(missing_ok=True)


def _full(folder: Path) -> bool:
    """Whether hardly anything more fits on the disk of a folder."""
    import shutil

    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


@contextmanager
def opened_private(path: Path) -> Iterator[IO[bytes]]:
    """Opens a new file that its owner alone may read until the block ends well; then it has the rights of any new file.

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
    """Holds Ctrl-C, SIGTERM, SIGHUP and SIGBREAK back while files that belong together are renamed; they are passed on afterwards.

    Only the main thread hears them, so there is nothing to hold back in another one. What is ignored stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    usual = {one: handler for one in known if (handler := signal.getsignal(one)) not in (None, signal.SIG_IGN)}
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
    """Flushes the folder, so that a new file name outlasts a power cut, where the system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_writable(folder: "str | os.PathLike[str]") -> Path:
    """Returns the folder, made if need be, after writing a test file in it; else raises one clear line."""
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise BadInput(f"--out: {place.name} is a file; give a folder")
    probe = place / f".dpmap-{secrets.token_hex(6)}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(bytes(ROOM))
    except OSError as error:
        reason = "the disk is full" if error.errno == errno.ENOSPC else "no right to write there"
        raise SystemFailed(f"--out: {reason} ({place.name or place}); choose another folder") from None
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return place


@contextmanager
def only_one_at_once(folder: Path) -> Iterator[None]:
    """Refuses while another process writes to the folder; the system frees the lock even of a killed process.

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
            raise BadInput(f"--out: another release is being written to {folder.name}; choose a new folder") from None
        except OSError:
            pass
        yield
    finally:
        os.close(handle)


@contextmanager
def new_folder(folder: "str | os.PathLike[str]") -> Iterator[Path]:
    """Gives a writable folder; if it was made here and the block fails before writing, it is removed."""
    there = Path(folder).exists()
    try:
        yield check_writable(folder)
    except BaseException:
        if not there:
            with suppress(OSError):
                Path(folder).rmdir()
        raise
