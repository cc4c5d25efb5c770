"""Refuses named pipes, devices and sockets where a file is meant: opening one may wait for ever."""

import os
import stat

from dpmap.errors import BadInput

LEDGER = 0x64706D70
"""What SQLite's `application_id` says of a ledger: what writes other files leaves such a one."""
PARTS = (
    ".dbf",
    ".shx",
    ".prj",
    ".qpj",
    ".cpg",
    ".qix",
    ".sbn",
    ".sbx",
    ".idm",
    ".ind",
    ".xml",
    "-wal",
    "-shm",
    "-journal",
    ".hdr",
    ".wld",
    ".tfw",
    ".pgw",
    ".jgw",
    ".ovr",
    ".msk",
    ".clr",
    ".stx",
    ".gdbtable",
    ".gdbtablx",
    ".gdbindexes",
)
"""How parts of layers and rasters end, which are no files of their own."""


def check_plain(path: "str | os.PathLike[str]", what: str = "") -> None:
    """Refuse a path, or a link, that leads to a pipe, a device or a socket; `what` is what messages
    call it.

    Whatever opens a path that somebody named calls this first. What is not there, or may not be
    looked at, is for whoever opens it to tell.

    >>> check_plain("/dev/null", "area")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: area: null is not a file but a pipe or device; give a plain file
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        begin = f"{what}: " if what else ""
        raise BadInput(
            f"{begin}{shown_name(path)} is not a file but a pipe or device; give a plain file"
        )


def check_parts(path: str, what: str) -> None:
    """Refuse a layer or raster of which a part is no plain file of the folder that it stands in.

    GDAL opens by itself what lies beside a file under its name (`.dbf`, `.prj`, `-wal`), and all
    that lies in a geodatabase's folder. Links are followed to where the main file itself stands.
    """
    check_plain(path, what)
    inside = os.path.isdir(path)
    folder = path if inside else os.path.dirname(os.path.abspath(path))
    home = os.path.realpath(path) if inside else os.path.dirname(os.path.realpath(path))
    begin = os.path.basename(path)
    stem = os.path.splitext(begin)[0].lower() + "."
    try:
        entries = os.listdir(folder)
    except OSError:
        return
    for entry in entries:
        part = os.path.join(folder, entry)
        beside = entry.lower().startswith((stem, begin.lower())) and entry != begin
        if not (inside or beside) or (beside and not inside and os.path.isdir(part)):
            continue
        check_plain(part, what)
        linked = entry.lower().endswith(PARTS) and os.path.islink(part)
        if linked and os.path.dirname(os.path.realpath(part)) != home:
            raise BadInput(
                f"{what}: {shown_name(part)} is a link to another folder; put the file itself there"
            )


def shown_name(path: "str | os.PathLike[str]") -> str:
    """Return a file's name on one line and without its folder."""
    name = os.path.basename(os.fspath(path).rstrip("/")) or os.fspath(path)
    return "".join(mark if mark.isprintable() else " " for mark in name)[:80]
