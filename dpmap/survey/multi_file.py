"""Puts several files together as one survey: each is read by its own header, and their rows stand
side by side.

*Union by name.* A name that the steward declares (unit, consent, dates, counts ...) is looked up in
each part's own header, ignoring case; a part that lacks it is empty there in all of its rows.
*Theorem*: for parts p, q ... the rows of the survey are rows(p) and rows(q) ... side by side, and
rows(p) depends on p's own bytes and on what was declared, so a file that one person brings,
whatever its columns are called, changes no other file's rows, or the whole is refused. *Proof*: SQL
for the rows of p is built from p's header alone (`Header.require`, `selection`): its format, its
places, its rules and the columns that it lacks; a column that only q has is nowhere in it. What
holds for all parts is declared once (`ONE_FOR_ALL`), and where two headers would say different
things about what one name means (the unit, whether texts are taken apart), nothing is chosen
between them: the survey is refused with what to declare.

*What leaves.* The words of a release say how rows are read, so those must not tell which files are
there. Files that are named one by one are declared, as their headers are: where they are read in
different ways, each is described. Members that are found, in a folder, an archive or by a pattern,
may be anybody's: they may differ in columns only as far as those words are the same.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.column_roles import Roles
from dpmap.survey.sources import Source, printable_name, union

OWN = (
    "x",
    "y",
    "place",
    "crs",
    "datum",
    "swap",
    "west_positive",
    "surface",
    "uncertainty",
    "count",
    "format",
    "layer",
    "columns",
    "encoding",
    "delimiter",
    "table",
    "query",
    "sheet",
    "header_row",
)
"""What may be declared of one file alone, beside its `file`; all else holds for the whole
survey.
"""
File = Mapping[str, Any]


def named_files(given: Sequence[Any]) -> list[dict[str, Any]]:
    """Returns each file that is named with what is declared of it alone, and the name that
    messages use for it.
    """
    files = [dict(one) if isinstance(one, Mapping) else {"file": one} for one in given]
    if not files:
        raise BadInput("survey: no file is named; give one, or several")
    for one in files:
        if not isinstance(one.get("file"), str | os.PathLike):
            raise BadInput(
                "survey: among several files give paths, or {file = ...}; a frame or table stands"
                " alone"
            )
        if unknown := sorted(set(one) - {"file", *OWN}):
            raise BadInput(
                f"survey: {', '.join(map(str, unknown))} cannot differ between files; declare it"
                f" for all, beside survey (one file alone has {', '.join(OWN)})"
            )
    paths = [os.fspath(file["file"]) for file in files]
    real = [os.path.realpath(path) for path in paths]
    for at, path in enumerate(real):
        if any(
            path == other or other.startswith(os.path.join(path, ""))
            for other in (*real[:at], *real[at + 1 :])
        ):
            raise BadInput(
                f"survey: {printable_name(os.path.basename(path))} is named twice, so its rows"
                " would count"
                " twice"
            )
    bases = [os.path.basename(path.rstrip("/")) or path for path in paths]
    names = [
        base if bases.count(base) == 1 else path for base, path in zip(bases, paths, strict=True)
    ]
    return [{**one, "name": name} for one, name in zip(files, names, strict=True)]


def alone(error: BadInput) -> BadInput:
    """Returns a refusal of one of several files with where its flags are declared for one alone,
    since typed flags hold for all.

    >>> alone(BadInput("--sheet: a.csv has no sheets; leave it out")).terminal_line
    '--sheet: a.csv has no sheets; leave it out; what holds for one file alone stands with it in
    dpmap.toml: survey = ["a.csv", {file = "b.csv", sheet = ...}]'
    """
    words = error.terminal_line
    flags = dict.fromkeys(
        flag for flag in re.findall(r"--([a-z-]+)", words) if flag.replace("-", "_") in OWN
    )
    if not flags:
        return error
    keys = ", ".join(f"{flag} = ..." for flag in flags)
    return BadInput(
        f'{words}; what holds for one file alone stands with it in dpmap.toml: survey = ["a.csv",'
        f' {{file = "b.csv", {keys}}}]'
    )


def name_source(source: Source, name: str) -> Source:
    """Returns the source, and each of its parts, with the name that messages use for it."""
    parts = tuple(replace(part, name=f"{part.name} in {name}") for part in source.parts)
    return replace(source, name=name, parts=parts)


def merge_roles(roles: Sequence[Roles], columns: Sequence[tuple[str, ...]]) -> tuple[Source, Roles]:
    """Returns the columns and roles of a survey in several files: the unit is what all of them
    say, or must be named.
    """
    first = roles[0]
    units = {role.unit.lower() if role.unit else None for role in roles}
    return Source(union(columns)), replace(
        first,
        unit=first.unit if len(units) == 1 else None,
        unit_named=all(role.unit_named for role in roles),
        files=tuple(roles),
    )


def check_alike(
    roles: Sequence[Roles], names: Sequence[str], columns: Sequence[tuple[str, ...]]
) -> None:
    """Refuses members of a folder or archive that are read in different ways, or spell a column in
    capitals and not: the release's words would tell of them.
    """
    spelt: dict[str, str] = {}
    for file_columns, name in zip(columns, names, strict=True):
        if any(spelt.setdefault(column.lower(), column) != column for column in file_columns):
            raise unlike(name, names[0], "capital letters")
    first = _words(roles[0])
    for one, name in zip(roles, names, strict=True):
        if _words(one) != first:
            part = next(
                (
                    words[0]
                    for words, its in zip(_words(one)[0], first[0], strict=False)
                    if words != its
                ),
                "format",
            )
            raise unlike(name, names[0], part)


def unlike(name: str, first: str, part: str) -> BadInput:
    """Says that a member is not read like the others, and what to type."""
    return BadInput(
        f"survey: {printable_name(name)} has another header than {printable_name(first)} and is"
        " read in another way"
        f" ({part}); declare how for all, like --format or --unit, take it away, or name the files"
        " one by one: dpmap release A.csv B.csv"
    )


def _words(one: Roles) -> tuple[Any, ...]:
    """Returns what must be the same in members that are found: all that a release says of how
    rows are read.
    """
    return one.described(), one.unit, one.atomic, one.lists, one.crs


def unit_of(roles: Roles) -> str | None:
    """Returns the unit, or what would say it for all files where each names people in columns of
    its own.
    """
    if roles.unit is not None or not roles.files or not all(file.unit for file in roles.files):
        return roles.unit
    return "|".join(
        dict.fromkeys(part for file in roles.files for part in str(file.unit).split("|"))
    )


def units_differ(roles: Roles) -> str:
    """Says what to type where the files of a survey name people in different columns, or some
    name nobody.
    """
    together = unit_of(roles)
    if together is None:
        return (
            "no unit of protection: not every file has a known identity column; add --unit COLUMN"
            " (unit=) naming who is protected, or --unit 'COLUMN|COLUMN' where files call it"
            " differently"
        )
    return (
        "no unit of protection: the files name people in different columns; add --unit"
        f" '{printable_name(together)}' (unit=): in each row the first of these that is filled in"
        " says who"
    )
