"""Keeps a map that is being prepared: a file of flags such as `dpmap.toml`, which the command line reads as well."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpmap import toml
from dpmap.errors import BadInput
from dpmap.files import written_aside
from dpmap.studio.folder import Folder, Kept

HEAD = "# A private map, prepared in dpmap's studio. The same flags serve the command line: dpmap release --config {name}\n"
LONGEST = 1 << 20
PATHS = ("area", "sites", "zones", "like", "ledger", "out", "seal", "temp")
"""Flags that name a file or folder."""
BY_NAME = "country:"
"""How an area begins that is no file."""


@dataclass(frozen=True)
class Draft:
    """A map that is being prepared: the file's name, its flags, and a mark of what it held when it was read."""

    kept: Kept
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


def opened(folder: Folder, kept: Kept) -> Draft:
    """Reads a draft; a file that is no list of flags is refused in words."""
    try:
        with open(folder.path / kept.name, "rb") as file:
            content = file.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise BadInput(f"{kept.name} is too long for a file of flags")
        flags = {key.replace("-", "_"): value for key, value in tomllib.loads(content.decode("utf-8-sig")).items()}
    except (OSError, UnicodeDecodeError, ValueError, RecursionError):
        raise BadInput(
            f"{kept.name} cannot be read as a file of flags; mend it in an editor, or begin a new map"
        ) from None
    _refuse_outside(folder, flags, kept.name)
    return Draft(kept, flags, hashlib.sha256(content).hexdigest()[:16])


def _refuse_outside(folder: Folder, flags: Mapping[str, Any], name: str) -> None:
    """Refuses a draft that names a file outside the folder: somebody else may have put it there."""
    listed = flags.get("survey", [])
    survey = [
        one.get("file") if isinstance(one, Mapping) else one
        for one in (listed if isinstance(listed, list) else [listed])
    ]
    context = flags.get("context", [])
    layers = [str(one).partition(":")[0] for one in (context if isinstance(context, list) else [context])]
    named: dict[str, list[Any]] = {key: [flags[key]] for key in PATHS if key in flags}
    named |= {"survey": survey, "context": layers}
    for key, paths in named.items():
        for path in paths:
            if key == "area" and str(path).startswith(BY_NAME):
                continue
            try:
                folder.within(str(path))
            except BadInput as error:
                raise BadInput(f"{name}, {key}: {error}") from None


def changed(folder: Folder, draft: Draft, seen: str, told: Mapping[str, Any]) -> Draft:
    """Writes flags into a draft, unless it is no longer what the page had shown; an empty value takes the flag out."""
    if draft.mark != seen:
        raise BadInput(
            "this map was changed meanwhile, in another window or an editor; look at it again, then change it"
        )
    flags = {key: value for key, value in {**draft.flags, **told}.items() if value not in ("", None, [], False)}
    if flags == draft.flags:
        return draft
    return _written(folder, draft.name, flags)


def begun(folder: Folder, title: str, survey: list[str]) -> Draft:
    """Begins a draft about these files of a survey, under a name that is free."""
    stem = _stem(title)
    flags = {"survey": survey[0] if len(survey) == 1 else survey, "dataset": title.strip()}
    out = folder.free(f"{stem}-map", "")
    return _written(folder, folder.free(stem, ".toml"), {**flags, "out": out, "ledger": "dpmap.ledger"})


def copied(folder: Folder, draft: Draft) -> Draft:
    """Begins another map of the same data set with the same flags, to be released into a folder of its own."""
    stem = _stem(str(draft.get("dataset")))
    out = folder.free(f"{stem}-map", "")
    return _written(folder, folder.free(stem, ".toml"), {**draft.flags, "out": out})


def _stem(title: str) -> str:
    """Returns the start of a file's name, made of a data set's.

    >>> _stem("Raptors of the North, 2026"), _stem("...")
    ('raptors-of-the-north-2026', 'map')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40] or "map"


def _written(folder: Folder, name: str, flags: Mapping[str, Any]) -> Draft:
    with written_aside(folder.path / name) as aside:
        aside.write_text(HEAD.format(name=name) + toml.lines(flags), encoding="utf-8")
    return opened(folder, next(one for one in folder.drafts() if one.name == name))
