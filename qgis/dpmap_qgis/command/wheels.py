"""Checks a zip of wheels, as `make wheelhouse` makes it, before anything of it runs, and unpacks it."""

import os
import re
import stat
import zipfile
from typing import NamedTuple

MOST_FILES, LARGEST, MOST_BYTES = 500, 1 << 30, 3 << 30
TOP = re.compile(
    r"dpmap-(?P<version>[0-9][0-9A-Za-z.+!]*)-wheels-(?P<system>[a-z0-9]+(?:-[0-9.]+)?-[A-Za-z0-9_]+)-py(?P<major>3)\.(?P<minor>\d{1,2})"
)
WHEEL = re.compile(r"[A-Za-z0-9][\w.]*-[\w.!+]+(-\d\w*)?-[\w.]+-[\w.]+-[\w.]+\.whl", re.ASCII)
TEXT = "READ-ME-FIRST.txt"
PIECE = 1 << 20


class BadZip(Exception):
    """Raised where a zip is not one that can be used; its text says why."""


class Wheels(NamedTuple):
    """What a zip holds: dpmap's version, the system and the Python that it is for, its wheels, and their bytes."""

    version: str
    system: str
    python: tuple
    names: tuple
    size: int


def looked_at(path):
    """Reads a zip's list of names and says what it is for; nothing is unpacked."""
    try:
        with zipfile.ZipFile(path) as opened:
            return _checked(opened.infolist())
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        raise BadZip(
            "This is no zip that can be read: choose the one that `make wheelhouse` made"
        ) from None


def unpacked(path, folder, said=None, stopped=None):
    """Writes the wheels of a zip into a folder, no byte more than the zip's list says. Returns whether it was not stopped."""
    known = looked_at(path)
    done = 0
    try:
        with zipfile.ZipFile(path) as opened:
            for one in opened.infolist():
                if one.is_dir() or os.path.basename(one.filename) not in known.names:
                    continue
                with (
                    opened.open(one) as read,
                    open(os.path.join(folder, os.path.basename(one.filename)), "xb") as out,
                ):
                    left = one.file_size
                    while piece := read.read(min(PIECE, left + 1)):
                        left -= len(piece)
                        if left < 0:
                            raise BadZip("This zip holds more than it says: get it again")
                        if stopped is not None and stopped():
                            return False
                        out.write(piece)
                        done += len(piece)
                        if said is not None:
                            said(done / max(known.size, 1))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, RuntimeError):
        raise BadZip("This zip is damaged: get it again") from None
    except OSError as error:
        if isinstance(error, FileExistsError):
            raise BadZip("This zip holds two files of one name: get it again") from None
        raise BadZip(
            "The wheels cannot be unpacked: free some room on the disk of QGIS's profile"
        ) from None
    return True


def _checked(members):
    files = [one for one in members if not one.is_dir()]
    tops = {one.filename.split("/")[0] for one in members}
    told = TOP.fullmatch(next(iter(tops))) if len(tops) == 1 else None
    if told is None:
        raise BadZip(
            "This is not a zip of wheels for dpmap: choose the one that `make wheelhouse` made"
        )
    if (
        len(members) > MOST_FILES
        or any(one.file_size > LARGEST for one in files)
        or sum(one.file_size for one in files) > MOST_BYTES
    ):
        raise BadZip(
            "This zip is too large to be dpmap's: choose the one that `make wheelhouse` made"
        )
    names = [_name(one) for one in files]
    wheels = tuple(sorted(name for name in names if name != TEXT))
    if len({name.lower() for name in names}) != len(names):
        raise BadZip("This zip holds two files of one name: get it again")
    if sum(name.startswith("private_heatmaps-") for name in wheels) != 1:
        raise BadZip(
            "This zip holds no dpmap, or more than one: choose the one that `make wheelhouse` made"
        )
    return Wheels(
        told["version"], told["system"], (int(told["major"]), int(told["minor"])), wheels, sum(one.file_size for one in files)
    )  # fmt: skip


def _name(member):
    """Returns a member's own name, where it is a wheel or the text, a plain file, and directly in the zip's one folder."""
    _, _, name = member.filename.partition("/")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if (
        not (name == TEXT or WHEEL.fullmatch(name))
        or kind not in (0, stat.S_IFREG)
        or member.flag_bits & 1
    ):
        raise BadZip(
            "This zip holds something that is no wheel: choose the one that `make wheelhouse` made"
        )
    return name
