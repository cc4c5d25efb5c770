"""Knows the one folder that the studio was started on: which files it holds, each by a short
name that says nothing.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from dpmap.errors import BadInput

DEEPEST = 4
MOST = 5_000
MOST_SEEN = 50_000
"""How far below the folder files are looked for, how many are listed, and how many are looked
at.
"""
TABLES = (
    ".csv",
    ".tsv",
    ".txt",
    ".xlsx",
    ".xls",
    ".ods",
    ".parquet",
    ".zip",
    ".tar",
    ".gz",
    ".json",
    ".sqlite",
    ".db",
)
LAYERS = (
    ".gpkg",
    ".shp",
    ".geojson",
    ".fgb",
    ".kml",
    ".gpx",
    ".gml",
    ".json",
    ".geoparquet",
    ".parquet",
    ".zip",
)
RASTERS = (".tif", ".tiff")
METADATA = "metadata"
"""The folder beside a released map that describes it to catalogues."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file below the folder: its path from there, and the short name by which pages ask for
    it.
    """

    name: str
    id: str
    size: int


class BrowsedFolder:
    """Finds files below one folder; links and devices are passed over, and nothing outside is
    ever named.
    """

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = Path(path).resolve(strict=True)

    def files(self, *endings: str) -> list[FoundFile]:
        """Lists the files below the folder whose names end so, by name."""
        seen = islice(self._walk(self.path, DEEPEST), MOST_SEEN)
        matching = (one for one in seen if one.name.lower().endswith(endings))
        return sorted(matching, key=lambda one: (one.name.count("/"), one.name.lower()))[:MOST]

    def drafts(self) -> list[FoundFile]:
        """Lists the maps that were begun: files of flags."""
        return [
            one
            for one in self.files(".toml")
            if "/" not in one.name and one.name != "pyproject.toml"
        ]

    def surveys(self) -> list[FoundFile]:
        """Lists what may be a survey's file."""
        return [one for one in self.files(*TABLES, *LAYERS) if not self.within_release(one.name)]

    def layers(self) -> list[FoundFile]:
        """Lists what may hold polygons: an area or project areas."""
        return [one for one in self.files(*LAYERS) if not self.within_release(one.name)]

    def rasters(self) -> list[FoundFile]:
        """Lists what may be a public raster."""
        return [one for one in self.files(*RASTERS) if not self.within_release(one.name)]

    def ledgers(self) -> list[FoundFile]:
        """Lists the ledgers."""
        return self.files(".ledger")

    def releases(self) -> list[FoundFile]:
        """Lists the released maps."""
        return self.files(".dpmap")

    def within_release(self, name: str) -> bool:
        """Whether a file lies beside a released map, or in its folder for catalogues, and so was
        made from it.
        """
        place = PurePosixPath(name).parent
        place = place.parent if place.name == METADATA else place
        return str(place) != "." and (self.path / place / "release.dpmap").exists()

    def one(self, listed: list[FoundFile], short: str) -> FoundFile:
        """Returns the file of this short name among those listed."""
        for file in listed:
            if file.id == short:
                return file
        raise BadInput("this file is not in the folder any more; go back and choose another")

    def inside(self, typed: str) -> str:
        """Returns a path that somebody typed, from the folder; outside, through links or to
        devices there is none.
        """
        place = self.path / self.within(typed)
        if not os.path.isfile(place) and not os.path.isdir(place):
            raise BadInput("there is no such file in the folder; check the path, capitals too")
        return place.relative_to(self.path).as_posix()

    def within(self, typed: str) -> str:
        """Returns a path from the folder, whether or not anything is there yet; what leads out
        of it is refused.
        """
        if not typed.strip() or "\0" in typed:
            raise BadInput("name a file of this folder")
        if "://" in typed:
            raise BadInput(
                "an address of another machine is for the command line; here files of this folder"
                " are read"
            )
        parts = Path(typed)
        place = Path(os.path.normpath(parts if parts.is_absolute() else self.path / parts))
        leads_out = ".." in parts.parts or typed.startswith(
            "~"
        )  # through a link, or by whoever takes it for a home folder
        if leads_out or not place.is_relative_to(self.path) or place == self.path:
            raise BadInput(
                "that path leads out of the folder that the studio was started on; copy the file"
                " into it, or start there"
            )
        folder = self.path
        for part in place.relative_to(self.path).parts:
            folder = folder / part
            _refuse_unplain(folder)
        return place.relative_to(self.path).as_posix()

    def free(self, stem: str, ending: str) -> str:
        """Returns a name that is not taken: the stem, or the first number behind it that is
        free.
        """
        number = 1
        while os.path.lexists(
            self.path / (name := f"{stem}{'' if number == 1 else f'-{number}'}{ending}")
        ):
            number += 1
        return name

    def _walk(self, place: Path, deep: int) -> Iterator[FoundFile]:
        """Finds the plain files below a place, those of the place itself before those of the
        folders in it.
        """
        try:
            with os.scandir(place) as listed:
                entries = sorted(islice(listed, MOST_SEEN), key=lambda one: one.name)
        except OSError:
            return
        below = []
        for entry in entries:
            if entry.name.startswith((".", "~")) or entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                below += [Path(entry.path)] * (
                    deep > 1 and entry.name not in ("node_modules", "__pycache__")
                )
            elif (size := _plain_size(entry)) is not None:
                name = os.path.relpath(entry.path, self.path).replace(os.sep, "/")
                yield FoundFile(name, short(name), size)
        for one in below:
            yield from self._walk(one, deep - 1)


def _plain_size(entry: "os.DirEntry[str]") -> int | None:
    """Returns a plain file's size; of anything else, and of a file that is gone meanwhile,
    nothing.
    """
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _refuse_unplain(place: Path) -> None:
    """Refuses a link, and what is no file or folder: a pipe would make a command wait for ever."""
    try:
        kind = place.lstat().st_mode
    except OSError:
        return
    if stat.S_ISLNK(kind):
        raise BadInput("that path leads through a link; put the file itself into the folder")
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise BadInput("that path leads to a pipe or device; put a plain file into the folder")


def weight(size: int) -> str:
    """Writes a file's size.

    >>> weight(800), weight(41_000), weight(2_000_000_000)
    ('800 B', '41 kB', '2.0 GB')
    """
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size = round(size / 1000)
    return f"{size:.1f} GB"


def short(name: str) -> str:
    """Returns the short name of a file, which may stand in an address: of the file's own name it
    tells nothing readable.
    """
    return hashlib.sha256(b"dpmap studio\0" + name.encode("utf-8", "surrogateescape")).hexdigest()[
        :12
    ]
