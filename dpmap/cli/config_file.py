"""Reads the configuration file: flags that were not typed are taken from it, under their own
names.
"""

import re
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import typer

from dpmap import deprecation, toml
from dpmap.cli.stderr import say_beside
from dpmap.cli.survey_paths import PIPE, Files, is_piped, one_file
from dpmap.errors import BadInput, near
from dpmap.plain_file import check_plain

DEFAULT = "dpmap.toml"


def survey_callback(context: typer.Context, survey: Files | None) -> Files | None:
    """Uses the dpmap.toml in the current folder if neither a survey nor a file of settings is
    given.

    A survey is the first of the flags that were not typed to be looked at, so the others are found
    there too.
    """
    if not survey and context.params.get("config") is None and Path(DEFAULT).is_file():
        config_callback(context, Path(DEFAULT))
        survey = [one_file(one) for one in context.lookup_default("survey") or ()]
    return survey or None


def config_callback(context: typer.Context, path: Path | None) -> Path | None:
    """Takes flags that were not typed from the file, whose keys are the flags' names."""
    if path is None:
        return None
    settings = _parsed(path)
    known = {_key(parameter): str(parameter.name) for parameter in context.command.params}
    declared = {_now(key.replace("_", "-")): value for key, value in settings.items()}
    unknown = sorted(set(declared) - set(known))
    if unknown and (unknown := sorted(set(unknown) - _of_others(context))):
        raise BadInput(
            f"--config: unknown key {', '.join(key + near(key, known) for key in unknown)}; keys"
            " are the flags' names, like cell or epsilon"
        )
    if is_piped(_files(declared.get("survey"))):
        raise BadInput(
            f"--config: {path.name} names {PIPE} as its survey, which is typed: dpmap release"
            f" {PIPE} --config {path.name}"
        )
    flat = {known[key]: value for key, value in declared.items() if key in known}
    for key, ending in (
        (("out", ".json"), ("to", (".html", ".png", ".svg", ".pdf")))
        if context.command.name != "release"
        else ()
    ):
        if not str(flat.get(key, "")).endswith(ending):
            flat.pop(key, None)  # a release's folder, or its last date; elsewhere these are files
    repeatable = {
        param.name
        for param in context.command.params
        if getattr(param, "multiple", False) or param.nargs == -1
    }
    try:
        context.default_map = {
            key: _as_flag(value, is_repeatable=key in repeatable) for key, value in flat.items()
        }
    except (ValueError, RecursionError):  # the same, where the file writes them in another base
        raise BadInput(
            f"--config: {path.name} holds a number or list too long for any flag"
        ) from None
    return path


def _files(survey: Any) -> Files:
    """Returns the files that a file of settings names, none where it names something else."""
    named = survey if isinstance(survey, list) else [survey]
    return [
        one for one in named if isinstance(one, str) or (isinstance(one, dict) and "file" in one)
    ]


def _now(key: str) -> str:
    """Returns what a key is called now, and says so where it was called otherwise."""
    new, line = deprecation.key(key)
    if line:
        say_beside(line)
    return new


def units_callback(context: typer.Context, units: int | None) -> int | None:
    """Passes over the units that a file of settings holds where there is no delta: they are then
    what `plan` was told to expect.
    """
    source = context.get_parameter_source("units")
    of_file = source is not None and source.name == "DEFAULT_MAP"
    return None if of_file and context.params.get("delta") is None else units


_RESUMED: ContextVar[typer.Context] = ContextVar("_RESUMED")


def resume_callback(context: typer.Context, resume: bool) -> bool:  # as typer calls it
    """Keeps the context, in which the sources of all flags stand once the line is read."""
    _RESUMED.set(context)
    return resume


def given_flags() -> set[str]:
    """Returns the names of the flags that were typed or stand in a file of settings."""
    context = _RESUMED.get()
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name for name, source in sources.items() if source is not None and source.name != "DEFAULT"
    }


def _parsed(path: Path) -> dict[str, Any]:
    """Reads a TOML file, or says at which line and column it is none; nothing that stands there
    is quoted.
    """
    import tomllib

    check_plain(path, "--config")
    if path.is_dir():
        raise BadInput("--config: that is a folder; give a TOML file")
    text = _text(path)
    advice = 'write lines like  cell = "1 km"'
    try:
        return toml.read(text)
    except tomllib.TOMLDecodeError as error:
        where = _place(str(error), text)
        if re.search("overwrite a value|Cannot mutate|declare .* twice", str(error)):
            advice = "a key of that line is there already, so leave one of them out"
    except (ValueError, RecursionError):  # whole numbers without end, nesting without end
        where = ""
    raise BadInput(f"--config: {path.name} is not TOML{where}; {advice}")


def _text(path: Path) -> str:
    """Returns the text of a file in UTF-8, with or without a mark, or says what else it is."""
    try:
        with open(path, "rb") as file:
            content = file.read(4 * toml.LONGEST + 1)
    except OSError:
        raise BadInput(f"--config: {path.name} cannot be read; check the path") from None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"--config: {path.name} is in UTF-16; save it as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
    raise BadInput(
        f"--config: {path.name} is not in UTF-8 at line {line} (it looks like Latin-1); save it as"
        " UTF-8"
    )


def _place(message: str, text: str) -> str:
    """Returns where a text stops being TOML, out of what its reader says.

    >>> _place("Invalid value (at line 3, column 9)", ""), _place(
    ...     "Expected (at end of document)", "a = [1"
    ... )
    (' at line 3, column 9', ' at its end (line 1)')
    """
    position = re.search(r"at line (\d+), column (\d+)\)$", message)
    return (
        f" at line {position[1]}, column {position[2]}"
        if position
        else f" at its end (line {len(text.splitlines()) or 1})"
    )


def _of_others(context: typer.Context) -> set[str]:
    """Returns the flags of all commands that read such a file: one made for `release` serves the
    others too, which pass over what is not theirs.
    """
    commands = getattr(context.find_root().command, "commands", {}).values()
    names = ({_key(param) for param in command.params} for command in commands)
    return set().union(*(flags for flags in names if "config" in flags))


def _key(parameter: Any) -> str:
    """Returns the key of a flag or argument: its name as it is typed, without the dashes."""
    return next(
        (opt[2:] for opt in parameter.opts if opt.startswith("--")),
        str(parameter.name).replace("_", "-"),
    )


def _as_flag(value: Any, *, is_repeatable: bool) -> Any:
    """Converts a value from the file to its form on the command line: text, a switch, or a list
    where a flag repeats.
    """
    if is_repeatable:
        return [
            one if isinstance(one, dict) else str(one)
            for one in (value if isinstance(value, list) else [value])
        ]
    return value if isinstance(value, bool) else str(value)
