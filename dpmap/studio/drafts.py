"""Keeps a map that is being prepared: a file of flags such as `dpmap.toml`, which the command
line reads as well.
"""

import glob
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpmap import toml
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.studio.folder import BrowsedFolder, FoundFile

HEAD = (
    "# A private map, prepared in dpmap's studio. The same flags serve the command line: dpmap"
    " release --config {name}\n"
)
LONGEST = toml.LONGEST
PATHS = (
    "survey",
    "area",
    "sites",
    "zones",
    "like",
    "among",
    "context",
    "ledger",
    "out",
    "to",
    "html",
    "seal",
    "temp",
)
"""Flags that name a file or folder, of any command that reads a file of flags."""
SEVERAL = ("survey", "context", "kinds", "label", "tier", "also_published")
TABLES = ("survey", "tier")
"""Flags that take several values, and those of which one may be a table."""
OF_ONE_MAP = ("doi", "also_published")
"""What is declared of one map: a second one has a DOI of its own, and the first was published
meanwhile.
"""
READ = ("survey", "area", "sites", "zones", "context")
"""Those of them that may be folders of files, or patterns of names, which are read."""
MOST_PARTS = 10_000
NAMED = ("country:", "region:")
"""How an area begins that is no file, but land by its name."""


@dataclass(frozen=True)
class Draft:
    """A map that is being prepared: the file's name, its flags, and a mark of what it held when
    it was read.
    """

    kept: FoundFile
    flags: dict[str, Any] = field(hash=False)
    mark: str

    @property
    def name(self) -> str:
        """Returns the file's name."""
        return self.kept.name

    @property
    def config(self) -> list[str]:
        """Returns the words that make a command read this file."""
        return ["--config", f"./{self.name}" if self.name.startswith("-") else self.name]

    @property
    def survey(self) -> list[str]:
        """Lists the survey's own files."""
        listed = self.flags.get("survey", [])
        held = listed if isinstance(listed, list) else [listed]
        return [str(one.get("file", "") if isinstance(one, Mapping) else one) for one in held]

    @property
    def files(self) -> list[str]:
        """Lists the files that this map is made of, this file first."""
        return [
            self.name,
            *self.survey,
            *(str(self.flags[key]) for key in ("area", "zones", "like") if key in self.flags),
        ]

    def get(self, key: str, other: Any = "") -> Any:
        """Returns a flag's value."""
        return self.flags.get(key, other)


def open_draft(folder: BrowsedFolder, draft_file: FoundFile) -> Draft:
    """Reads a draft; a file that is no list of flags is refused in words."""
    try:
        with open(folder.path / draft_file.name, "rb") as file:
            content = file.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise BadInput(f"{draft_file.name} is too long for a file of flags")
        flags = {
            key.replace("-", "_"): value
            for key, value in toml.read(content.decode("utf-8-sig")).items()
        }
    except (OSError, UnicodeDecodeError, ValueError, RecursionError):
        raise BadInput(
            f"{draft_file.name} cannot be read as a file of flags; mend it in an editor, or begin a"
            " new map"
        ) from None
    flags = {key: _value(value, key, draft_file.name) for key, value in flags.items()}
    _refuse_outside(folder, flags, draft_file.name)
    return Draft(draft_file, flags, hashlib.sha256(content).hexdigest()[:16])


def _value(value: Any, key: str, name: str) -> Any:
    """Returns a flag's value, a date as its text; a list or table is refused where the flag
    takes one value.
    """
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list) and key in SEVERAL:
        return [
            one if isinstance(one, dict) and key in TABLES else _value(one, "", f"{name}, {key}")
            for one in value
        ]
    if isinstance(value, dict) and key in TABLES:
        return {
            inner: one if isinstance(one, list) else _value(one, "", f"{name}, {key}")
            for inner, one in value.items()
        }
    if isinstance(value, list | dict):
        where = f"{name}, {key}" if key else name
        raise BadInput(
            f"{where}: that is a list or table, where one value is needed; mend it in an editor"
        )
    return str(value)


def _refuse_outside(folder: BrowsedFolder, flags: Mapping[str, Any], name: str) -> None:
    """Refuses a draft that names a file outside the folder: somebody else may have put it there."""
    for key in PATHS:
        for path in _named_paths(flags.get(key, [])):
            if key == "area" and path.lower().startswith(NAMED):
                continue
            try:
                for one in _readings(key, path):
                    folder.within(one)
                if key in READ:
                    _refuse_parts(folder, folder.within(path))
            except BadInput as error:
                raise BadInput(f"{name}, {key}: {error.terminal_line}") from None


def _named_paths(value: Any) -> list[str]:
    """Returns the paths that a flag names, however it is written."""
    listed = value if isinstance(value, list) else [value]
    return [str(one.get("file", "")) if isinstance(one, Mapping) else str(one) for one in listed]


def _readings(key: str, path: str) -> list[str]:
    """Returns every path that a command could take this for: with a layer behind a colon it is
    also FILE:LAYER.
    """
    parts = path.split(":") if key == "context" else [path]
    return [":".join(parts[: number + 1]) for number in range(len(parts))]


def _refuse_parts(folder: BrowsedFolder, name: str) -> None:
    """Refuses what is in several files, by a pattern or in a folder, if one of them is a link or
    a pipe.
    """
    place = folder.path / name
    if os.path.isdir(place):
        inside: Iterator[str] = _below(place)
    elif glob.has_magic(name):
        inside = glob.iglob(name, root_dir=folder.path, recursive=True)
    else:
        return
    for number, one in enumerate(inside):
        if number == MOST_PARTS:
            raise BadInput(f"that names more than {MOST_PARTS:,} files; name fewer")
        folder.within(one)


def _below(place: Path) -> Iterator[str]:
    """Finds all that lies below a folder and is not hidden."""
    for base, folders, files in os.walk(place):
        folders[:] = [folder for folder in folders if not folder.startswith((".", "_"))]
        yield from (os.path.join(base, entry) for entry in (*folders, *files))


def change_draft(
    folder: BrowsedFolder, draft: Draft, seen: str, submitted: Mapping[str, Any]
) -> Draft:
    """Writes flags into a draft, unless it is no longer what the page had shown; an empty value
    takes the flag out.
    """
    if draft.mark != seen:
        raise BadInput(
            "this map was changed meanwhile, in another window or an editor; look at it again, then"
            " change it"
        )
    flags = {
        key: value
        for key, value in {**draft.flags, **submitted}.items()
        if value not in ("", None, [], False)
    }
    if flags == draft.flags:
        return draft
    return _write_flags(folder, draft.name, flags)


def begun(folder: BrowsedFolder, title: str, survey: list[str]) -> Draft:
    """Begins a draft about these files of a survey, under a name that is free."""
    stem = _stem(title)
    flags = {"survey": survey[0] if len(survey) == 1 else survey, "dataset": title.strip()}
    out = folder.free(f"{stem}-map", "")
    return _write_flags(
        folder,
        folder.free(stem, ".toml"),
        {**flags, "out": out, "ledger": f"{stem}.ledger"},
    )


def copy_draft(folder: BrowsedFolder, draft: Draft) -> Draft:
    """Begins another map of the same data set with the same flags, to be released into a folder of
    its own.

    What names one map, or stops being true with it, is asked anew.
    """
    stem = _stem(str(draft.get("dataset")))
    flags = {key: value for key, value in draft.flags.items() if key not in OF_ONE_MAP}
    out = folder.free(f"{stem}-map", "")
    return _write_flags(folder, folder.free(stem, ".toml"), {**flags, "out": out})


def _stem(title: str) -> str:
    """Returns the start of a file's name, made of a data set's.

    >>> _stem("Raptors of the North, 2026"), _stem("...")
    ('raptors-of-the-north-2026', 'map')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40] or "map"


def _write_flags(folder: BrowsedFolder, name: str, flags: Mapping[str, Any]) -> Draft:
    shown = "".join(mark if mark.isprintable() else "?" for mark in name)
    try:
        content = (HEAD.format(name=shown) + toml.lines(flags)).encode()
    except (BadInput, UnicodeEncodeError, RecursionError):
        raise BadInput(
            "a name in it holds marks that are no text; rename the file or column with plain"
            " letters, then choose it again"
        ) from None
    if len(content) > LONGEST:
        raise BadInput("what was typed is longer than a file of flags; say it shorter")
    with written_aside(folder.path / name) as aside:
        aside.write_bytes(content)
    return open_draft(folder, next(draft for draft in folder.drafts() if draft.name == name))
