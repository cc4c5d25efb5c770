"""The plugin's sources as tests read them: which file imports what, and what of Qt and QGIS each names."""

import ast
from collections.abc import Iterator
from pathlib import Path

PLUGIN = Path(__file__).parents[2] / "qgis" / "dpmap_qgis"
FILES = sorted(path for path in PLUGIN.rglob("*.py") if "__pycache__" not in path.parts)


def named(path: Path) -> str:
    """A file's name in the plugin."""
    return path.relative_to(PLUGIN).as_posix()


def room(path: Path) -> str:
    """The room of a file: its folder, or the file itself where it lies in none."""
    return Path(named(path)).parts[0].removesuffix(".py")


def tree(path: Path) -> ast.Module:
    """What a file says, read as the oldest Python that the plugin is for reads it."""
    return ast.parse(path.read_text("utf-8"), filename=named(path), feature_version=(3, 9))


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """What a file imports, wherever in it: the module, its own ones beginning with a dot and the room, and the name."""
    at = [*Path(named(path)).parent.parts]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((one.name, "") for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            above = at[: len(at) - node.level + 1]
            parts = [*above, *(node.module or "").split(".")] if node.module else above
            for one in node.names:
                whole = [*parts, one.name]
                yield "." + ".".join(part for part in (parts or [one.name]) if part), whole[-1]
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", one.name) for one in node.names)


def rooms(path: Path) -> set[str]:
    """The other rooms that a file imports from."""
    return {module.split(".")[1] for module, _ in imported(path) if module.startswith(".")} - {
        room(path)
    }


def chains(path: Path) -> Iterator[tuple[str, list[str], int]]:
    """Each dotted name that begins with something of QGIS or Qt: its module, its parts, and the line."""
    bound = {name: module for module, name in imported(path) if module.split(".")[0] == "qgis"}
    seen = set()
    for node in ast.walk(tree(path)):
        parts, left = [], node
        while isinstance(left, ast.Attribute):
            parts.insert(0, left.attr)
            left = left.value
        if parts and isinstance(left, ast.Name) and left.id in bound and id(node) not in seen:
            inner = node.value
            while isinstance(inner, ast.Attribute):
                seen.add(id(inner))
                inner = inner.value
            yield bound[left.id], [left.id, *parts], node.lineno
