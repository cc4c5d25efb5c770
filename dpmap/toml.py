"""Reads and writes TOML, the form of `dpmap.toml`."""

import re
from collections.abc import Mapping
from typing import Any

from dpmap.errors import BadInput

LONGEST = 1 << 20
"""Characters of a file of flags."""
DEEPEST = 8
"""How deep lists and tables may stand in each other, and how many parts a dotted key may have."""
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}.=,\n]',
    re.DOTALL,
)


def read(text: str) -> dict[str, Any]:
    """Read TOML of bounded length and depth; `ValueError` where it is none.

    Python's reader goes on for minutes over a key of 100,000 parts, and over nested lists it runs
    out of its own frames; so both are counted here, in one pass, before it sees the text.

    >>> read('cell = "1 km"')
    {'cell': '1 km'}
    """
    import tomllib

    if len(text) > LONGEST or _is_deep(text):
        raise ValueError
    return tomllib.loads(text)


def _is_deep(text: str) -> bool:
    """Return whether lists, tables or keys are deeper than any flag's; what stands in quotes is
    passed over.
    """
    depth = dots = 0
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark == ".":
            dots += 1
        elif mark in ("=", ",", "\n"):
            dots = 0
        elif mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth = max(0, depth - 1)
        if max(depth, dots) > DEEPEST:
            return True
    return False


def toml_value(value: object) -> str:
    r"""Writes one value: a text, a number, a switch, a list or table of them; unprintable
    characters are escaped.

    >>> print(toml_value(["a.csv", {"file": 'b "2".csv', "header_row": 4}]))
    ["a.csv", {file = "b \"2\".csv", header-row = 4}]
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        held = ", ".join(f"{_key(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{{held}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(one) for one in value)}]"
    text = str(value)
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise BadInput("init: a name or flag holds bytes that are no text; rename it")
    return '"' + "".join(_mark(mark) for mark in text) + '"'


def lines(values: Mapping[str, object]) -> str:
    """Writes a file of flags, one a line.

    >>> print(lines({"cell": "1 km", "max_count": 4}), end="")
    cell = "1 km"
    max-count = 4
    """
    return "".join(f"{_key(key)} = {toml_value(one)}\n" for key, one in values.items())


def _key(name: str) -> str:
    """Writes a key as flags are typed; one with other marks stands in quotes."""
    bare = name.replace("_", "-")
    return bare if bare.replace("-", "").isalnum() and bare.isascii() else toml_value(name)


def _mark(mark: str) -> str:
    if mark in '"\\':
        return "\\" + mark
    return mark if mark.isprintable() else f"\\U{ord(mark):08x}"
