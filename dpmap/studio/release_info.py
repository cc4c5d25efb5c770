"""Knows one released map: what its file promises, and which files lie beside it."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from dpmap.errors import BadInput
from dpmap.studio.auth import FRAMED
from dpmap.studio.commands import path
from dpmap.studio.folder import LAYERS, METADATA, TABLES, BrowsedFolder, FoundFile, short
from dpmap.studio.page import studio

WHOLE = "release.dpmap"
"""What a release is called in the folder that was made for it."""
OWN = (
    "map",
    "cells",
    "statement",
    "privacy",
    "release",
    "attestation",
    "for-the-protected",
    "for-the-planner",
    "planner",
)
DESCRIBED = ("datacite", "dcat", "stac", "tableschema", "restricted-access")
"""What the files for catalogues are called, in a folder of their own."""
DATA = (*TABLES, *LAYERS, ".ledger", ".toml")
"""Endings under which a survey, a ledger or flags may lie in the same folder: of these only what
is called as a release's files are is handed out.
"""
STILL = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
SEEN = {
    ".png": ("image/png", STILL),
    ".svg": ("image/svg+xml", STILL),
    ".html": ("text/html; charset=utf-8", FRAMED),
}
"""Which files a page may show, what they are, and what they may do: others are only handed out."""
PIECE = 1 << 16
KINDS = {
    "totals": "How many points each place holds, with noise added on purpose",
    "means": "A mean for each place, with noise added on purpose",
    "layered": "A map in layers, one for each kind or time, with noise added on purpose",
    "merged": "Several released maps, added up",
    "reports": "A map made of reports that each volunteer's own device had made noisy",
    "sparse": "The cells that hold most, with noise added on purpose",
}


@dataclass(frozen=True)
class Released:
    """A released map: its file, what that promises, and the files beside it."""

    kept: FoundFile
    output: dict[str, Any]
    beside: list[FoundFile]

    @property
    def name(self) -> str:
        """Returns the file's path from the folder."""
        return self.kept.name

    @property
    def title(self) -> str:
        """Returns the data set's name and the day of the release."""
        return f"{self.output['dataset']}, {self.output['made']}"

    @property
    def stem(self) -> str:
        """Returns how the names of its pictures begin: in a folder of its own that is known
        without the file's name.
        """
        place = PurePosixPath(self.name)
        return "" if place.name == WHOLE else f"{place.stem}-"

    def own(self, name: str) -> FoundFile | None:
        """Returns the file of this name that was made with the release, if it is there."""
        place = PurePosixPath(self.name).with_name(self.stem + name).as_posix()
        return next((one for one in self.beside if one.name == place), None)

    def one(self, short_name: str) -> FoundFile:
        """Returns the file beside it of this short name."""
        for file in self.beside:
            if file.id == short_name:
                return file
        raise BadInput(
            "this file is not beside the map any more; go back and look at its files again"
        )

    @property
    def over(self) -> bool:
        """Whether the last day on which it may be used has passed."""
        try:
            return date.fromisoformat(str(self.output["expires"])) < datetime.now(UTC).date()
        except ValueError:
            return False


def requested_release(request: Request, key: str = "id") -> Released:
    """Returns the released map that the page's address names."""
    return find_release(request, request.path_params[key])


def find_release(request: Request, wanted: str) -> Released:
    """Returns the released map of this short name; a file that is none is refused in its own
    words.
    """
    workspace = studio(request)
    listed = workspace.folder.releases()
    if wanted in (more := _typed(request)):
        listed.append(_requested_file(workspace.folder, workspace.folder.inside(more[wanted])))
    file = workspace.folder.one(listed, wanted)
    answer = workspace.commands.remembered("about", path(file.name), "--json", of=[file.name])
    if not answer.good or not isinstance(answer.output, dict):
        raise BadInput(
            answer.error or "this file cannot be read as a released map; ask for it again"
        )
    return Released(file, answer.output, beside(workspace.folder, file.name))


def typed_release(request: Request, typed: str) -> FoundFile:
    """Returns the released map at a path that somebody typed, or in the folder named so, and
    remembers it.
    """
    folder = studio(request).folder
    name = folder.inside(typed)
    if (folder.path / name).is_dir():
        name = folder.inside(f"{name}/{WHOLE}")
    file = _requested_file(folder, name)
    _typed(request)[file.id] = name
    return file


def _requested_file(folder: BrowsedFolder, name: str) -> FoundFile:
    return FoundFile(name, short(name), (folder.path / name).stat().st_size)


def _typed(request: Request) -> dict[str, str]:
    """Returns the maps that were opened by a path, which may lie deeper than the folder is
    looked through.
    """
    state = request.app.state
    if not hasattr(state, "opened"):
        state.opened = {}
    opened: dict[str, str] = state.opened
    return opened


def beside(folder: BrowsedFolder, name: str) -> list[FoundFile]:
    """Lists the files that belong to a released map: in a folder of its own all but data under
    other names, elsewhere what is called after it.
    """
    place = PurePosixPath(name)
    prefix = "" if str(place.parent) == "." else f"{place.parent}/"
    files = [one for one in folder.files("") if one.name.startswith(prefix)]
    if place.name == WHOLE and prefix:
        others = {
            f"{PurePosixPath(file.name).parent}/"
            for file in files
            if file.name.endswith(f"/{WHOLE}")
        } - {prefix}
        pattern = re.compile(rf"(?:{'|'.join(OWN)})(?:[-.][^/]*)?")
        metadata = re.compile(rf"{re.escape(prefix)}{METADATA}/(?:{'|'.join(DESCRIBED)})\.[a-z]+")
        return [
            file
            for file in files
            if not file.name.startswith(tuple(others))
            and (
                pattern.fullmatch(PurePosixPath(file.name).name)
                or metadata.fullmatch(file.name)
                or not file.name.lower().endswith(DATA)
            )
        ]
    stems = "|".join(OWN) if place.name == WHOLE else re.escape(place.stem)
    pattern = re.compile(re.escape(prefix) + rf"(?:{stems})[-.][^/]*")
    return [file for file in files if pattern.fullmatch(file.name)]


def free(folder: BrowsedFolder, released: Released, stem: str, ending: str) -> str:
    """Returns a name beside the release that no file has, under any ending: a layer's style has
    the layer's name.
    """
    start = PurePosixPath(released.name).with_name(released.stem + stem).as_posix()
    taken = {one.split(".")[0] for one in os.listdir((folder.path / start).parent)}
    number = 1
    while (
        f"{PurePosixPath(start).name}{'' if number == 1 else f'-{number}'}".split(".")[0] in taken
    ):
        number += 1
    return f"{start}{'' if number == 1 else f'-{number}'}{ending}"


def download(place: Path) -> Response:
    """Hands a file to the browser to be saved, whatever it holds."""
    headers = {
        "content-disposition": (
            f"attachment; filename*=UTF-8''{quote(os.fsencode(place.name), safe='')}"
        )
    }
    return StreamingResponse(
        _pieces(_regular(place)), media_type="application/octet-stream", headers=headers
    )


def show_boxed(place: Path) -> Response:
    """Shows a picture or a page in a box of its own: it cannot reach the studio, whoever made
    it.
    """
    kind, policy = SEEN[place.suffix.lower()]
    headers = {
        "content-type": kind,
        "content-security-policy": policy,
        "cross-origin-opener-policy": "unsafe-none",
    }
    return StreamingResponse(
        _pieces(_regular(place)), headers=headers
    )  # by the standard no box opens under another


def can_be_shown(file: FoundFile) -> bool:
    """Whether a page may show this file."""
    return PurePosixPath(file.name).suffix.lower() in SEEN


def _regular(place: Path) -> BinaryIO:
    """Opens a file, unless it was changed for a link or a device since it was listed."""
    try:
        number = os.open(
            place,
            os.O_RDONLY
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
            | getattr(os, "O_BINARY", 0),
        )
    except OSError:
        raise BadInput("this file cannot be read; look at the files of the map again") from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise BadInput("this is no plain file; put the file itself into the folder")
    return os.fdopen(number, "rb")


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


def facts(released: Released) -> list[tuple[str, str]]:
    """Returns what the file says of itself, as names and words."""
    output = released.output
    unit = (
        "one row of the survey" if output["unit"] == "row" else f"all rows of one {output['unit']}"
    )
    delta = f" (delta {output['delta']})" if output["delta"] else ""
    tier = output["tier"]
    return [
        ("What it is", KINDS.get(output["kind"], output["kind"])),
        ("Released on", str(output["made"])),
        ("Whom it protects", unit + (f", and also one {output['site']}" if output["site"] else "")),
        ("Epsilon", f"{output['epsilon']}{delta}"),
        ("Cap", f"nobody adds more than {output['cap']}" if output["cap"] is not None else "none"),
        ("Cells", f"{_count_words(output['cells'])} of {output['cell']} ({output['crs']})"),
        *([("Layers", "; ".join(output["layers"]))] if output["layers"] else []),
        (
            "Made for",
            f"{tier['name']}, one of several readers of the same draw" if tier else "every reader",
        ),
        ("Authorised by", output["authorised_by"] or "nobody is named"),
        ("Purpose", output["purpose"] or "none is named"),
        ("May be used until", output["expires"] or "no day is named"),
        *([("Labels", "; ".join(output["labels"]))] if output["labels"] else []),
    ]


def _count_words(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)
