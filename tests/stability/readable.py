"""Writes JSON for people: what fits on a line stands on one."""

import json
from typing import Any

WIDTH = 150


def readable(plain: Any, indent: int = 0) -> str:
    """Returns the JSON of plain values.

    >>> print(readable({"a": [1, 2], "b": {"c": "d"}}))
    {"a": [1, 2], "b": {"c": "d"}}
    """
    line = json.dumps(plain, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(plain, (dict, list)):
        return line
    inner = " " * (indent + 1)
    if isinstance(plain, list) and all(isinstance(one, str) for one in plain):
        return f"[\n{_wrapped([json.dumps(one, ensure_ascii=False) for one in plain], inner)}\n{' ' * indent}]"
    if isinstance(plain, list):
        parts = [readable(one, indent + 1) for one in plain]
        return "[\n" + ",\n".join(inner + part for part in parts) + f"\n{' ' * indent}]"
    parts = [
        f"{json.dumps(name, ensure_ascii=False)}: {readable(one, indent + 1)}"
        for name, one in plain.items()
    ]
    return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{' ' * indent}}}"


def _wrapped(words: list[str], inner: str) -> str:
    """Fills lines with words."""
    lines = [inner]
    for number, word in enumerate(words):
        word += "," * (number < len(words) - 1)
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append(inner)
        lines[-1] += ("" if lines[-1] == inner else " ") + word
    return "\n".join(lines)
