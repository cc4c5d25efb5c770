"""Reads the public surface of the dpmap at hand: names, parameters, members, commands and flags.

`python tests/stability/surface.py` adds to `surface.json` what is new, and refuses where something listed is gone or changed.
"""

import inspect
from typing import Any

import dpmap as dm

REACHED = {
    "About": "dpmap.record",
    "Choice": "dpmap.record.chosen",
    "Estimate": "dpmap.inference",
    "HotSpots": "dpmap.inference.hotspots",
    "ListedSpots": "dpmap.inference.listed",
    "Measurement": "dpmap.record",
    "Receipt": "dpmap.record",
    "Record": "dpmap.record",
    "Reports": "dpmap.record",
    "Shown": "dpmap.grid",
}
"""Classes that no public name makes but public calls return, and their homes, which may move."""


def python() -> dict[str, list[str]]:
    """Lists every public name with its parameters; a class with its fields, methods and properties."""
    from importlib import import_module

    found: dict[str, list[str]] = {}
    for name in sorted(dm.__all__):
        if name == "__version__":
            continue
        thing = getattr(dm, name)
        if inspect.ismodule(thing):
            for inner in sorted(_names(thing)):
                _add(found, f"dm.{name}.{inner}", getattr(thing, inner))
        else:
            _add(found, f"dm.{name}", thing)
    for name, home in REACHED.items():
        if thing := getattr(_there(home), name, None):
            _add(found, name, thing)
    del import_module
    return found


def _there(home: str) -> object:
    from importlib import import_module

    try:
        return import_module(home)
    except ImportError:
        return None


def _names(room: Any) -> list[str]:
    """Returns the public names of a room: its `__all__`, or what it defines itself; of engines their classes."""
    if room.__name__.endswith("engines"):
        return ["DuckDB", "Spark"]
    if hasattr(room, "__all__"):
        return list(room.__all__)
    own = {name: thing for name, thing in vars(room).items() if getattr(thing, "__module__", "") == room.__name__}
    classes = [name for name, thing in own.items() if inspect.isclass(thing)]
    return [name for name in (classes if room.__name__.endswith("errors") else own) if not name.startswith("_")]


def _add(found: dict[str, list[str]], name: str, thing: Any) -> None:
    if not inspect.isclass(thing):
        found[name] = parameters(thing) if callable(thing) else ["a value"]
        return
    found[name] = [] if issubclass(thing, BaseException) else parameters(thing)
    if issubclass(thing, BaseException):
        found[name] = ["is " + base.__name__ for base in thing.__mro__[1:-1]]
        return
    for member in sorted(_members(thing)):
        raw = inspect.getattr_static(thing, member, None)
        if isinstance(raw, (classmethod, staticmethod)):
            found[f"{name}.{member}"] = ["on the class", *parameters(getattr(thing, member))]
        elif inspect.isfunction(raw):
            found[f"{name}.{member}"] = parameters(raw)[1:]
        else:
            found[f"{name}.{member}"] = ["a value"]


def _members(thing: type) -> set[str]:
    """Returns the public methods, properties and fields of a class and of those of ours below it."""
    found = set()
    for base in thing.__mro__[:-1]:
        if base.__module__.startswith("dpmap"):
            found |= {name for name in vars(base) if not name.startswith("_")}
            found |= {name for name in getattr(base, "__dataclass_fields__", {}) if not name.startswith("_")}
    return found


def parameters(call: Any) -> list[str]:
    """Writes the parameters of a call, one by one, with their defaults; `*` before those that go by name alone."""
    try:
        taken = inspect.signature(call).parameters.values()
    except (ValueError, TypeError):
        return []
    found, named = [], False
    for one in taken:
        if one.kind is one.KEYWORD_ONLY and not named:
            found.append("*")
        named = named or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        found.append(mark + one.name + ("" if one.default is one.empty else f"={_default(one.default)}"))
    return found


def _default(value: Any) -> str:
    if callable(value) or "factory" in repr(value) or " at 0x" in repr(value):
        return "..."
    return repr(value)


def commands() -> dict[str, list[str]]:
    """Lists each command with its arguments and flags, all their spellings and defaults."""
    from typer.main import get_command

    from dpmap.cli.commands import app

    found: dict[str, list[str]] = {}

    def look(path: str, command: Any) -> None:
        found[path] = [_flag(one) for one in command.params]
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            look(f"{path} {name}", inner)

    look("dpmap", get_command(app))
    return found


def _flag(one: Any) -> str:
    """Writes one flag: its spellings, what it takes, and its default; or the name of an argument."""
    if one.param_type_name == "argument":
        return (
            (one.metavar or one.name.upper())
            + (" ..." if one.nargs != 1 else "")
            + (" (required)" if one.required else "")
        )
    spelled = ", ".join([*one.opts, *one.secondary_opts])
    takes = "" if one.is_flag else " VALUE ..." if one.multiple else " VALUE"
    plain = isinstance(one.default, (str, int, float)) and not isinstance(one.default, bool)
    return spelled + takes + (" (required)" if one.required else f" = {one.default}" if plain else "")


if __name__ == "__main__":
    import json
    import sys

    json.dump({"python": python(), "commands": commands()}, sys.stdout, indent=1)
