"""Writes the `dpmap.toml` that a steward begins with: what the survey is, and what is hers to
decide as comments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput
from dpmap.options import ConfigLine, Option, all_options
from dpmap.options.config_headings import HEADINGS, READ
from dpmap.promise.limiters import DEFAULT
from dpmap.survey import Survey, multi_file
from dpmap.survey.column_suggestions import ROW, best_of_each, uncertainties, who
from dpmap.toml import toml_value

if TYPE_CHECKING:
    from dpmap.survey.formats import Format

SURVEY = Option("survey", "", in_config=ConfigLine(READ, "FILE"))
"""The survey itself, which is an argument of `dpmap release` and a key of dpmap.toml."""
WAYS = {"cell", "grid", "hexagons", "by_area"}
"""Flags for the cells of an area: where one is known, no other is offered."""


def starting_config(
    survey: Survey, files: list[Any], declared: dict[str, Any], remarks: Sequence[str] = ()
) -> str:
    """A commented dpmap.toml: what the survey is, as `told` or recognised, and safe defaults; no
    value of the survey, and no epsilon and no cap but as told. Its keys are the flags of `dpmap
    release`. Of several `files` each is written down by itself where they are not recognised alike.
    """
    roles = survey.roles
    if any(set("\n\r") & set(file if isinstance(file, str) else file["file"]) for file in files):
        raise BadInput("init: the file's name has line breaks; rename it")
    recognised_keys, files = recognise_files(survey, files, declared)
    known = {
        "survey": files if len(files) > 1 else files[0],
        "unit": multi_file.unit_of(roles),
        **recognised_keys,
        "limiter": DEFAULT,
        "consent_by": "row",
        "signals": "all",
        "team": roles.team(roles.unit),
        "missing_unit": "drop",
        "out": "release",
        "surface": survey.drawn,
    }
    said = {
        key: value
        for key, value in {**known, **declared}.items()
        if value or (value == 0 and value is not False)
    }
    said = {key: columns_text(value) if key == "columns" else value for key, value in said.items()}
    unsure = () if roles.accuracies else uncertainties(survey.columns)
    headings = _config_lines()
    shown = {key for lines in headings.values() for key, line in lines.items() if line.always} - (
        WAYS if WAYS & set(said) else set()
    )
    shown = (
        shown
        if not {"bounds", "shape"} & set(said)
        else {*shown, "bounds", "shape", "grid_crs"} - {"area", *WAYS}
    )
    lines = [
        "# dpmap release",
        *(f"# {_plain(part)}: {_plain(words)}" for part, words in roles.described()),
    ]
    for heading, keys in headings.items():
        begun = len(lines)
        for key, config_line in keys.items():
            words = config_line.words
            offered = unsure[0] if unsure and key == "uncertainty" else None
            if key == "epsilon" and "tier" in said and key not in said:  # the dearest tier says it
                continue
            if key in said or key in shown or offered:
                line = (
                    f"{'' if key in said else '# '}{key.replace('_', '-')} ="
                    f" {toml_value(said.get(key, offered or config_line.example))}"
                )
                lines.append(f"{line:<28} # {words}" if words else line)
            if key == "unit" and key not in said:
                lines += [
                    f"#   {toml_value(one['column'])}: {one['meaning']}"
                    for one in best_of_each(
                        map(asdict, (*who(survey.columns, survey.schema.nameless), ROW))
                    )
                ]
        lines += [*_place_words(survey), *remarks] if heading == READ else []
        lines[begun:begun] = ["", f"# {heading}"] if len(lines) > begun else []
    rest = [key for key in said if not any(key in keys for keys in headings.values())]
    lines += [
        "",
        "# More flags, as they were given.",
        *(f"{key.replace('_', '-')} = {toml_value(said[key])}" for key in rest),
    ]
    return "\n".join(lines if rest else lines[:-2]) + "\n"


def _config_lines() -> dict[str, dict[str, ConfigLine]]:
    """Returns what may stand under each heading, by its key, in the order of the table."""
    headings: dict[str, dict[str, ConfigLine]] = {heading: {} for heading in HEADINGS}
    for option in (SURVEY, *all_options()):
        if option.in_config is not None:
            headings[option.in_config.heading][option.key] = option.in_config
    return headings


def recognise_files(
    survey: Survey, files: list[Any], declared: Mapping[str, Any]
) -> tuple[dict[str, str | None], list[Any]]:
    """Returns what each file is, for all of them or, where they are not recognised alike,
    written down for each.
    """
    return (
        _recognised_alone(files, survey.files, declared)
        if survey.files
        else (_recognised(survey), files)
    )


def recognised_format(survey: Survey) -> "Format | None":
    """Returns the survey format that the header is known by."""
    from dpmap.survey.formats import recognise

    first = survey.parts[0] if survey.parts else survey
    known = recognise(first.columns, has_geometry=survey.roles.geometry is not None)
    return known.format if known else None


def columns_text(value: Any) -> Any:
    """Writes a list of columns as `--columns` takes it; any other value stays as it is.

    >>> columns_text(["who", "lon,lat"]), columns_text(4)
    ('who,"lon,lat"', 4)
    """
    if not isinstance(value, list):
        return value
    return ",".join(f'"{one}"' if "," in one or '"' in one else one for one in value)


def _recognised(survey: Survey) -> dict[str, str | None]:
    """Writes down what the file is, so that a later file of the same name is read in the same
    way.
    """
    first = survey.parts[0] if survey.parts else survey
    roles = survey.roles
    schema = first.schema
    known = recognised_format(survey)
    marks = {"\t": "tab", ";": ";", "|": "|"}
    cut = {
        "delimiter": marks.get(schema.separator),
        "encoding": None if schema.encoding in ("", "utf-8") else schema.encoding,
    }
    if roles.format:
        return {**cut, "format": known.key if known else None}
    if roles.geometry or len(roles.places) != 1:
        return cut
    (place,) = roles.places
    place_keys = {"x": place.x, "y": place.y} if place.x else {"place": place.cell}
    return {
        **cut,
        **place_keys,
        "crs": roles.crs,
        "uncertainty": place.accuracy,
        "datum": place.datum,
    }


def _recognised_alone(
    files: list[Any], alone: Sequence[Survey], declared: Mapping[str, Any]
) -> tuple[dict[str, str | None], list[Any]]:
    """Returns what holds for all files, or writes it down for each where they are not recognised
    alike.
    """
    keys_of_files = [_recognised(one) for one in alone]
    if all(isinstance(file, str) for file in files) and all(
        keys_of_file == keys_of_files[0] for keys_of_file in keys_of_files
    ):
        return keys_of_files[0], files
    tables = [file if isinstance(file, dict) else {"file": file} for file in files]
    undeclared = [
        {key: value for key, value in keys_of_file.items() if value and key not in declared}
        for keys_of_file in keys_of_files
    ]
    return {}, [
        {"file": one["file"], **more, **one} for one, more in zip(tables, undeclared, strict=True)
    ]


def _place_words(survey: Survey) -> list[str]:
    """Says where the places stand, if no flag has to say so."""
    roles = survey.roles
    if roles.geometry or not roles.places:
        return ["# the layer knows its places"]
    if len(roles.places) == 1 and not roles.format:
        return []
    ways = "; else ".join(
        f"{place.x}, {place.y}" if place.x else place.cell for place in roles.places
    )
    return [f"# places, as the format has them: {_plain(ways)}"]


def _plain(text: str) -> str:
    return "".join(mark if mark.isprintable() else " " for mark in text)
