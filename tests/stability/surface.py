"""Lists the public surface of the dpmap at hand: names, parameters, commands, flags, exit codes, answers, files and columns.

`surface.json` holds what was promised. This adds what is new, and refuses where something listed is gone or changed:

    python tests/stability/surface.py

What goes for good, after its deprecation, is moved by hand to the list `retired`, with the version in which it went.
"""

import inspect
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import dpmap as dm

LISTED = Path(__file__).parent / "surface.json"
Surface = dict[str, dict[str, list[str]]]

REACHED = {
    "About": "dpmap.record",
    "Choice": "dpmap.record.choice",
    "Estimate": "dpmap.inference",
    "HotSpots": "dpmap.inference.hotspots",
    "ListedSpots": "dpmap.inference.sparse_bounds",
    "Measurement": "dpmap.record",
    "Receipt": "dpmap.record",
    "Record": "dpmap.record",
    "Reports": "dpmap.record",
    "Shown": "dpmap.grid",
}
"""Classes that no public name makes but public calls return, and their homes, which may move."""


MADE_BY_USERS = {
    "Consent", "Goals", "Governance", "Grid", "Kinds", "Ledger", "Partition", "Policy", "Times", "local.Question",
    "engines.DuckDB", "engines.Spark",
}  # fmt: skip
"""Classes that users make themselves. Of all others only what they hold is promised, and not how dpmap makes them."""

OWN = {
    "dm.Goals": {"given", "in_cells", "laid"},
    "dm.Governance": {"check_new", "from_notes", "facts", "words"},
    "dm.Grid": {"cells", "axes", "ground", "layout", "check_held", "single", "mean", "square_km_at", "polygons_at"},
    "dm.Ledger": {"check", "take", "reserve", "made", "refuse_emptied"},
    "dm.Partition": {"packed", "same_in"},
    "dm.Policy": {"tools", "choosing", "noise_scale", "lattice", "own_limits", "own_shares", "cap_choice", "unit_columns"},
    "dm.Survey": {"header", "held", "parts", "read_otherwise", "roles", "schema", "drawn"},
    "dm.Tiers": {"save_paid"},
    "dm.engines.DuckDB": {"answered", "connected", "opened", "pairs", "totals"},
    "dm.engines.Spark": {"opened", "pairs", "totals"},
    "dm.local.Question": {"answers", "entropy", "cell_named"},
    "About": {"from_mapping", "of_layer", "of_tier"},
    "Estimate": {"zone", "p_values", "regions"},
    "Measurement": {"noisy_totals", "within", "law"},
    "Reports": {"noisy_totals", "within", "law", "scale", "scales", "scale_steps", "pooled", "pooled_scales", "earlier", "lattice", "kind", "together"},
    "Record": {"last", "open_top", "layer", "mean", "heading"},
    "Shown": {"packed", "same_in", "cells", "whole", "labels", "polygons", "sizes", "spread", "sums"},
}  # fmt: skip
"""What dpmap's own rooms say to each other: no promise."""


def python() -> dict[str, list[str]]:
    """Lists every public name with its parameters; of a class also what it has, and its methods."""
    found: dict[str, list[str]] = {}
    for name in sorted(dm.__all__):
        thing = getattr(dm, name)
        if inspect.ismodule(thing):
            for inner in sorted(_names(thing)):
                _add(found, f"dm.{name}.{inner}", getattr(thing, inner))
        elif name != "__version__":
            _add(found, f"dm.{name}", thing)
    for name, home in REACHED.items():
        _add(found, name, getattr(import_module(home), name))
    return found


def _names(room: Any) -> list[str]:
    """Returns the public names of a room: its `__all__`, or what it defines itself; of engines their classes."""
    if room.__name__.endswith("engines"):
        return ["DuckDB", "Spark"]
    if hasattr(room, "__all__"):
        return list(room.__all__)
    own = {
        name: thing
        for name, thing in vars(room).items()
        if getattr(thing, "__module__", "") == room.__name__
    }
    classes = [name for name, thing in own.items() if inspect.isclass(thing)]
    return [
        name
        for name in (classes if room.__name__.endswith("errors") else own)
        if not name.startswith("_")
    ]


def _add(found: dict[str, list[str]], name: str, thing: Any) -> None:
    if not inspect.isclass(thing):
        found[name] = parameters(thing)
        return
    if issubclass(thing, BaseException):
        ends = [f"exit code {thing.exit_code}"] if hasattr(thing, "exit_code") else []
        found[name] = [*(f"is {base.__name__}" for base in thing.__mro__[1:-1]), *ends]
        return
    if name.removeprefix("dm.") in MADE_BY_USERS:
        found[name] = [
            one for one in parameters(thing) if one.split("=")[0] not in OWN.get(name, ())
        ]
    held: list[str] = []
    for member in sorted(_members(thing) - OWN.get(name, set())):
        raw = inspect.getattr_static(thing, member, None)
        if isinstance(raw, (classmethod, staticmethod)):
            found[f"{name}.{member}"] = parameters(getattr(thing, member))
        elif inspect.isfunction(raw):
            found[f"{name}.{member}"] = parameters(raw)[1:]
        else:
            held.append(member)
    if held:
        found[f"{name} has"] = held


def _members(thing: type) -> set[str]:
    """Returns the public methods, properties and fields of a class and of those of ours below it."""
    found = set()
    for base in thing.__mro__[:-1]:
        if base.__module__.startswith("dpmap"):
            found |= {name for name in vars(base) if not name.startswith("_")}
            found |= {
                name
                for name in getattr(base, "__dataclass_fields__", {})
                if not name.startswith("_")
            }
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
        found.append(
            mark + one.name + ("" if one.default is one.empty else f"={_default(one.default)}")
        )
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
    return (
        spelled + takes + (" (required)" if one.required else f" = {one.default}" if plain else "")
    )


EXIT_CODES = {
    "0": ["done"],
    "1": ["the system failed"],
    "2": ["bad input"],
    "3": ["refused to protect privacy"],
    "130": ["interrupted"],
}


def surface(folder: Path) -> Surface:
    """Returns all of it; `folder` is a new one, in which the commands that are tried may write."""
    import answers

    return {
        "python": python(),
        "commands": commands(),
        "exit codes": EXIT_CODES,
        "answers of --json": answers.answers(folder),
        "files of a release": answers.folders(folder),
        "columns and bands": answers.columns(folder),
    }


def differences(listed: Surface, now: Surface) -> tuple[list[str], list[str]]:
    """Returns what was listed and is gone or changed, and what is new.

    Parameters that may be given by position keep their order, and so do bands; what is only named may stand anywhere.
    """
    gone, new = [], []
    for part, names in listed.items():
        for name, words in names.items():
            have = now.get(part, {}).get(name)
            if have is None:
                gone.append(f"{part}: {name}")
                continue
            gone += [f"{part}: {name}: {word}" for word in words if word not in have]
            ordered = name == "map.tif" or (part == "python" and not name.endswith(" has"))
            if ordered and _in_order(have)[: len(_in_order(words))] != _in_order(words):
                gone.append(f"{part}: {name}: the order of {', '.join(_in_order(words))}")
    for part, names in now.items():
        for name, words in names.items():
            known = listed.get(part, {}).get(name)
            new += (
                [f"{part}: {name}"]
                if known is None
                else [f"{part}: {name}: {word}" for word in words if word not in known]
            )
    return gone, new


def _in_order(words: list[str]) -> list[str]:
    """Returns the parameters that may be given without their names."""
    return [word.split("=")[0] for word in (words[: words.index("*")] if "*" in words else words)]


def read() -> tuple[Surface, list[str]]:
    """Returns what `surface.json` lists, and what it lists as retired."""
    listed = json.loads(LISTED.read_text("utf-8"))
    return {part: names for part, names in listed.items() if part != "retired"}, listed["retired"]


def main() -> None:
    """Adds what is new."""
    import tempfile

    from readable import readable

    listed, retired = read() if LISTED.exists() else ({}, [])
    with tempfile.TemporaryDirectory() as folder:
        now = surface(Path(folder))
    gone, new = differences(listed, now)
    if gone:
        sys.exit("\n".join(["listed, and gone or changed:", *gone]))
    LISTED.write_text(readable({**now, "retired": retired}) + "\n", encoding="utf-8")
    print("\n".join(["added:", *new]) if new else "nothing is new")


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main()
