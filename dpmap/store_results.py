"""Puts results into object stores: they are written whole on this machine first, and then put."""

import io
import mimetypes
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from dpmap.errors import BadInput
from dpmap.plain_file import shown_name
from dpmap.private_folder import private_folder
from dpmap.stores import BUFFER, MOST_FILES, Location, PathLike, connect, fetch, guard, is_url

PLACE_NAME: ContextVar[Callable[[str], str]] = ContextVar("PLACE_NAME", default=str)
"""Gives the name of a place of this machine whose files will go into a store."""
RELEASE = "release.dpmap"
"""Put before all else: from it the other files can be made again."""


@contextmanager
def put_after(path: PathLike, role: str) -> Iterator[PathLike]:
    """Gives a path of this machine to write a file to: the same one, or for an address one in a
    private folder, from where it is put, with what was written beside it, when the block ends
    well.
    """
    if not is_url(path):
        yield path
        return
    location = Location.parse(path, role, writing=True)
    with private_folder() as folder:
        place = Path(folder) / "results"
        place.mkdir()
        yield place / location.file_name
        put_folder(place, location.within(location.key.rpartition("/")[0]))


def put_folder(place: Path, target: Location) -> None:
    """Puts all files of a folder under the same names into a store, release files first, and checks
    that they arrived.
    """
    system = connect(target.store, target.role)
    files = sorted(
        (path for path in place.rglob("*") if path.is_file()),
        key=lambda path: (path.name != RELEASE, path),
    )
    for file in files:
        key = f"{target.path}/{file.relative_to(place).as_posix()}"
        with open(file, "rb") as content:
            put = partial(_put, system, content, key)
            guard(put, shown_name(file), target.role, "write")


def refuse_other_release(place: Path, target: Location) -> None:
    """Refuses a folder of a store that holds another release than this folder does."""
    for file in place.rglob(RELEASE):
        there = target.within(f"{target.key}/{file.relative_to(place).as_posix()}")
        if not is_there(there):
            continue
        with there.open() as content:
            if content.readall() != file.read_bytes():
                raise BadInput(f"{target.role}: another release has come there; name a new folder")


def is_there(target: Location) -> bool:
    """Whether a store holds a file under this key."""
    from pyarrow import fs

    system = connect(target.store, target.role)
    info = guard(lambda: system.get_file_info(target.path), target.name, target.role)
    return bool(info.type == fs.FileType.File)


def _put(system: Any, content: BinaryIO, key: str) -> None:
    """Puts one file, with its kind, by which a browser opens it; checks that it arrived whole."""
    kind = mimetypes.guess_type(key)[0] or "application/octet-stream"
    with system.open_output_stream(key, metadata={"Content-Type": kind}) as sink:
        shutil.copyfileobj(content, sink, 8 * BUFFER)
    if system.get_file_info(key).size != content.tell():
        raise OSError


def check_store(target: Location) -> None:
    """Tries a store before anything is spent: puts a small object there and takes it away again.

    Where objects may be put but not taken away, it stays.
    """
    system = connect(target.store, target.role)
    probe = f"{target.path}/.dpmap-{secrets.token_hex(6)}"
    content = io.BytesIO(b"May results be put here?")
    guard(lambda: _put(system, content, probe), target.name, target.role, "write")
    with suppress(Exception):
        system.delete_file(probe)


def check_new(url: PathLike, role: str) -> None:
    """Refuses a place in a store that holds a file already, or that cannot be written to."""
    target = Location.parse(url, role, writing=True)
    if is_there(target):
        raise BadInput(f"{role}: {shown_name(target.file_name)} is there already; name another")
    check_store(target.within(target.key.rpartition("/")[0]))


def get_folder(source: Location, place: Path) -> None:
    """Copies a release's folder from a store, if there is one."""
    from pyarrow import fs

    system = connect(source.store, source.role)
    below = fs.FileSelector(source.path, recursive=True, allow_not_found=True)
    infos = guard(lambda: system.get_file_info(below), source.name, source.role, "read")
    paths = [info.path for info in infos if info.type == fs.FileType.File and info.size]
    if not any(path.endswith(f"/{RELEASE}") for path in paths):
        return
    if len(paths) > MOST_FILES:
        raise BadInput(f"{source.role}: {source.name} holds more than {MOST_FILES:,} files")
    for path in paths:
        target = place / path.removeprefix(f"{source.path}/")
        if not target.resolve().is_relative_to(place.resolve()):  # a key may hold // or ..
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        key = path.partition("/")[2]
        fetch(source.within(key), str(target))
