"""Writes values in TOML, the form of `dpmap.toml`."""

from collections.abc import Mapping

from dpmap.errors import BadInput


def written(value: object) -> str:
    r"""Writes one value: a text, a number, a switch, a list or table of them; unprintable characters are escaped.

    >>> print(written(["a.csv", {"file": 'b "2".csv', "header_row": 4}]))
    ["a.csv", {file = "b \"2\".csv", header-row = 4}]
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        held = ", ".join(f"{_key(key)} = {written(one)}" for key, one in value.items())
        return f"{{{held}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(one) for one in value)}]"
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
    return "".join(f"{_key(key)} = {written(one)}\n" for key, one in values.items())


def _key(name: str) -> str:
    """Writes a key as flags are typed; one with other marks stands in quotes."""
    bare = name.replace("_", "-")
    return bare if bare.replace("-", "").isalnum() and bare.isascii() else written(name)


def _mark(mark: str) -> str:
    if mark in '"\\':
        return "\\" + mark
    return mark if mark.isprintable() else f"\\U{ord(mark):08x}"
