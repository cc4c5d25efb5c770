"""Reads the configuration file: flags that were not typed are taken from it, under their own names."""

from pathlib import Path
from typing import Any

import typer

from dpmap.errors import BadInput, near

DEFAULT = "dpmap.toml"


def survey_callback(context: typer.Context, survey: str | None) -> str | None:
    """Uses the dpmap.toml in the current folder if neither a survey nor a file of settings is given.

    A survey is the first of the flags that were not typed to be looked at, so the others are found there too.
    """
    if survey is None and context.params.get("config") is None and Path(DEFAULT).is_file():
        config_callback(context, Path(DEFAULT))
        survey = context.lookup_default("survey")
    return survey


def config_callback(context: typer.Context, path: Path | None) -> Path | None:
    """Takes flags that were not typed from the file, whose keys are the flags' names."""
    if path is None:
        return None
    import tomllib

    if path.is_dir():
        raise BadInput("--config: that is a folder; give a TOML file")
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise BadInput(f"--config: {path.name} cannot be read; check the path") from None
    except (ValueError, RecursionError):  # what is no TOML or no UTF-8, whole numbers without end, nesting without end
        raise BadInput(f'--config: {path.name} is not TOML; write lines like  cell = "1 km"') from None
    flat = {key.replace("-", "_"): value for key, value in settings.items()}
    known = {str(parameter.name).replace("_", "-") for parameter in context.command.params}
    unknown = sorted({key.replace("_", "-") for key in settings} - known)
    if unknown:
        raise BadInput(
            f"--config: unknown key {', '.join(key + near(key, known) for key in unknown)}; keys are the flags' names, like cell or epsilon"
        )
    many = {parameter.name for parameter in context.command.params if getattr(parameter, "multiple", False)}
    try:
        context.default_map = {key: _as_flag(value, many=key in many) for key, value in flat.items()}
    except (ValueError, RecursionError):  # the same, where the file writes them in another base
        raise BadInput(f"--config: {path.name} holds a number or list too long for any flag") from None
    return path


def _as_flag(value: Any, *, many: bool) -> Any:
    """Converts a value from the file to its form on the command line: text, a switch, or a list where a flag repeats."""
    if many:
        return [str(one) for one in (value if isinstance(value, list) else [value])]
    return value if isinstance(value, bool) else str(value)
