"""Reads surveys from object stores and web servers: tables and Parquet, copied once into the
engine's private folder. No address is repeated in a message: it may hold a signature.
"""

import fnmatch
import io
import os
import re
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, cast

from dpmap.errors import BadInput, MissingFile
from dpmap.stores import (
    BUFFER,
    MOST_FILES,
    PAGES,
    STORES,
    Location,
    connect,
    guard,
    open_object,
    open_page,
)
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.sources import Source, printable_name


def is_remote(path: str) -> bool:
    """Whether this is the address of a stored object or a web page.

    >>> is_remote("s3://bucket/nests.parquet"), is_remote(
    ...     "postgresql://localhost/nests"
    ... ), is_remote("nests.csv")
    (True, False, False)
    """
    return path.split("://", 1)[0].lower() in (*STORES, *PAGES) and "://" in path


def open_remote(address: str, gather: "Callable[[dict[str, FilePiece], str], Source]") -> Source:
    """Opens an address; `gather` finds the kind of its files, as for a folder.

    >>> open_remote("http://example.org/nests.csv", None)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: survey: over http:// anyone on the way can read it; use https://
    """
    location = Location.parse(address, "survey")
    name = printable_name(os.path.basename(location.key) or "the address")
    if location.scheme in STORES:
        objects = _list_objects(location.store, location.bucket, location.key, name)
    else:
        if "*" in location.key or location.url.partition("?")[0].endswith("/"):
            raise BadInput("survey: a web server does not list its files; give the address of one")
        objects = {os.path.basename(location.key): partial(open_page, location.url, name, "survey")}
    return gather(
        {
            member: FilePiece(os.path.basename(member), _opener(open_one))
            for member, open_one in objects.items()
        },
        name,
    )


def _opener(open_one: Callable[[], io.RawIOBase]) -> Callable[[], BinaryIO]:
    return lambda: cast("BinaryIO", io.BufferedReader(open_one(), BUFFER))


def _list_objects(
    store: str, bucket: str, key: str, name: str
) -> dict[str, Callable[[], io.RawIOBase]]:
    """Lists the objects that a key names: one, those of a folder, or those that match a pattern
    such as `2026/part-*.parquet`, by their paths within the folder.
    """
    from pyarrow import fs

    system = connect(store, "survey")
    pattern = re.search(r"[*\[]", key) is not None
    base = (
        # it matched
        key[: re.search(r"[^/]*[*\[]", key).start()].rstrip("/")  # type: ignore[union-attr]
        if pattern
        else key
    )

    def ask() -> list[str]:
        if not pattern and system.get_file_info(f"{bucket}/{key}").type == fs.FileType.File:
            return [f"{bucket}/{key}"]
        below = fs.FileSelector(
            f"{bucket}/{base}".rstrip("/"), recursive=True, allow_not_found=True
        )
        return [
            one.path
            for one in system.get_file_info(below)
            if one.type == fs.FileType.File and one.size
        ]

    files = [
        path
        for path in sorted(guard(ask, name, "survey"))
        if not os.path.basename(path).startswith((".", "_"))
    ]
    if pattern:
        files = [path for path in files if _fits(path.split("/", 1)[1], key)]
    if not files:
        raise MissingFile(f"survey: there is no {name} in the store; check the address")
    if len(files) > MOST_FILES:
        raise BadInput(f"survey: {name} names more than {MOST_FILES:,} files; name fewer")
    folder = f"{bucket}/{base}".rstrip("/")
    return {
        path.removeprefix(folder).strip("/") or os.path.basename(path): partial(
            open_object, store, path, printable_name(os.path.basename(path)), "survey"
        )
        for path in files
    }


def _fits(path: str, pattern: str) -> bool:
    """Whether a key matches a pattern, part by part; `**` stands for any folders.

    >>> _fits("a/b/c.csv", "a/*.csv"), _fits("a/c.csv", "a/*.csv"), _fits("a/b/c.csv", "a/**/*.csv")
    (False, True, True)
    """
    if "**" in pattern:
        return fnmatch.fnmatchcase(path, pattern.replace("**/", "*").replace("**", "*"))
    ours = path.split("/")
    theirs = pattern.split("/")
    return len(ours) == len(theirs) and all(map(fnmatch.fnmatchcase, ours, theirs))
