"""Gathers the texts of the QGIS plugin for translators, into qgis/dpmap_qgis/i18n: the source file and each language's.

    python packaging/qgis_texts.py                 # after a text was added, changed or removed
    python packaging/qgis_texts.py --new pt        # begins a language
    python packaging/qgis_texts.py --check         # says whether the files name every text, and changes nothing

A text is what stands in `tr("...")` and `mark("...")`, in a TITLE, HELP or GROUP of a class, and in what is raised; `tr(name)` takes what the same file
gives to that name, and what another file gives is marked there. A translation stays as long as its English does; a new text is marked as unfinished, and shown in English until somebody writes it (by hand, or with Qt Linguist).
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

PLUGIN = Path(__file__).resolve().parents[1] / "qgis" / "dpmap_qgis"
CALLS, CONSTANTS = ("tr", "mark"), ("TITLE", "HELP", "GROUP")
SOURCE = "dpmap_source.ts"


class Text(NamedTuple):
    """One text, and the file that says it."""

    file: str
    said: str


def texts(plugin=PLUGIN) -> list[Text]:
    """Every text of the plugin once, by the first file that says it, in the order in which they stand."""
    found = {}
    for path in sorted(plugin.rglob("*.py")):
        for said in sayings(path.read_text("utf-8")):
            found.setdefault(said, path.relative_to(plugin).as_posix())
    return [Text(file, said) for said, file in found.items()]


def sayings(code: str) -> list[str]:
    """The texts of one file."""
    found = {
        (text.lineno, text.col_offset): text.value
        for node, scope in reached(code)
        for text in literals(node, scope)
    }
    return list(dict.fromkeys(said for _, said in sorted(found.items()) if said))


def reached(code: str) -> Iterator[tuple[ast.expr, "Scope"]]:
    """What is handed to the translator, and where it stands: of calls, of titles and helps, of what is raised."""
    module = ast.parse(code)
    for node, within in walked(module):
        scope = Scope(module, within)
        if isinstance(node, ast.Call) and called(node) in CALLS and node.args:
            yield node.args[0], scope
        elif (
            isinstance(node, ast.Raise)
            and isinstance(node.exc, ast.Call)
            and node.exc.args
            and isinstance(node.exc.args[0], ast.Constant)
        ):
            yield node.exc.args[0], scope
        elif isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id in CONSTANTS for one in node.targets
        ):
            yield node.value, scope


class Scope(NamedTuple):
    """Where something stands: its file, and the functions around it, the innermost first."""

    module: ast.Module
    within: tuple[ast.FunctionDef, ...]


def walked(module: ast.AST, within=()) -> Iterator[tuple[ast.AST, tuple]]:
    """Each node, with the functions around it."""
    for node in ast.iter_child_nodes(module):
        yield node, within
        yield from walked(node, (node, *within) if isinstance(node, ast.FunctionDef) else within)


def literals(node: ast.expr, scope: Scope, depth=0) -> list[ast.Constant]:
    """The texts that an expression may be; those of a name are looked for in the same file: what calls hand to it, what a loop runs over, what it is set to."""
    if depth > 9:
        return []
    if isinstance(node, ast.Constant):
        return [node] if isinstance(node.value, str) else []
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        held = node.elts
    elif isinstance(node, ast.Dict):
        held = node.values
    elif isinstance(node, ast.IfExp):
        held = [node.body, node.orelse]
    elif isinstance(node, ast.Call) and called(node) in ("items", "values", "get"):
        held = [node.func.value, *node.args[1:]]
    elif isinstance(node, (ast.Subscript, ast.Starred)):
        held = [node.value]
    elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls"):
        held = sources(node.attr, Scope(scope.module, ()))
    elif isinstance(node, ast.Name):
        held = sources(node.id, scope)
    else:
        held = []
    return [text for one in held for text in literals(one, scope, depth + 1)]


def sources(name: str, scope: Scope) -> list[ast.expr]:
    """The expressions that a name stands for."""
    for function in scope.within:
        given = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if name in given:
            return handed(
                function, given.index(name) - (given[0] in ("self", "cls")), name, scope.module
            )
        if name in (keyword := [one.arg for one in function.args.kwonlyargs]):
            return handed(function, len(given) + keyword.index(name) + 99, name, scope.module)
        if found := set_to(name, ast.walk(function)):
            return found
    return set_to(name, (node for node, within in walked(scope.module) if not within))


def handed(function: ast.FunctionDef, place: int, name: str, module: ast.Module) -> list[ast.expr]:
    """What the calls of a function in its file hand to one of its inputs."""
    calls = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and called(node) == function.name
    ]
    by_name = [one.value for node in calls for one in node.keywords if one.arg == name]
    return by_name + [node.args[place] for node in calls if 0 <= place < len(node.args)]


def set_to(name: str, nodes) -> list[ast.expr]:
    """What a name is set to, or runs over in a loop."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Assign):
            found += [part for target in node.targets for part in picked(target, node.value, name)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            of = (
                node.iter.func.value
                if isinstance(node.iter, ast.Call) and called(node.iter) == "items"
                else node.iter
            )
            rows = of.elts if isinstance(of, (ast.Tuple, ast.List)) else [of]
            found += [part for row in rows for part in picked(node.target, row, name)]
    return found


def picked(target: ast.expr, value: ast.expr, name: str) -> list[ast.expr]:
    """The part of a value that a name takes: the whole, or where both are rows, its place in it."""
    if isinstance(target, ast.Name):
        return [value] if target.id == name else []
    if not isinstance(target, ast.Tuple) or not any(
        isinstance(one, ast.Name) and one.id == name for one in target.elts
    ):
        return []
    at = next(place for place, one in enumerate(target.elts) if getattr(one, "id", "") == name)
    return (
        [value.elts[at]]
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
        else [value]
    )


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def translated(path: Path) -> dict[str, str]:
    """What a file of texts has translated already, by its English."""
    found = {}
    for message in ElementTree.parse(path).iter("message"):
        told = message.find("translation")
        if told is not None and told.text and told.get("type") != "unfinished":
            found[message.findtext("source")] = told.text
    return found


def written(language: str, known: dict[str, str], plugin=PLUGIN) -> str:
    """The file of a language as Qt Linguist reads it; without a language the source file."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>"]
    lines.append(
        f'<TS version="2.1"{f" language={chr(34)}{language}{chr(34)}" if language else ""} sourcelanguage="en">'
    )
    file = None
    for text in texts(plugin):
        if text.file != file:
            lines += ["</context>"] * (file is not None) + [
                "<context>",
                f"  <name>{escape(text.file)}</name>",
            ]
            file = text.file
        told = known.get(text.said, "")
        lines += ["  <message>", f"    <source>{escape(text.said)}</source>"]
        lines += [
            f"    <translation>{escape(told)}</translation>"
            if told
            else '    <translation type="unfinished"></translation>',
            "  </message>",
        ]
    return "\n".join([*lines, *["</context>"] * (file is not None), "</TS>", ""])


def files(plugin=PLUGIN) -> dict[Path, str]:
    """Each file of texts as it should stand."""
    folder = plugin / "i18n"
    found = {folder / SOURCE: written("", {}, plugin)}
    for path in sorted(folder.glob("dpmap_*.ts")):
        if path.name != SOURCE:
            found[path] = written(path.stem.removeprefix("dpmap_"), translated(path), plugin)
    return found


def main() -> None:
    asked = argparse.ArgumentParser(
        description="gathers the texts of the QGIS plugin for translators"
    )
    asked.add_argument(
        "--check",
        action="store_true",
        help="change nothing; end in an error where a file is behind",
    )
    asked.add_argument(
        "--new", metavar="LANGUAGE", help="begin a language, by QGIS's word for it: pt, pt_BR"
    )
    given = asked.parse_args()
    made = files()
    if given.new:
        made.setdefault(PLUGIN / "i18n" / f"dpmap_{given.new}.ts", written(given.new, {}))
    behind = [
        path for path, text in made.items() if not path.is_file() or path.read_text("utf-8") != text
    ]
    if given.check:
        sys.exit(
            f"behind: {', '.join(path.name for path in behind)}; type: python packaging/qgis_texts.py"
            if behind
            else 0
        )
    for path in behind:
        path.parent.mkdir(exist_ok=True)
        path.write_text(made[path], "utf-8", newline="\n")
    for path, text in made.items():
        left = text.count('type="unfinished"')
        print(
            f"{path.name}: {text.count('<message>')} texts{'' if path.name == SOURCE else f', {left} to translate'}"
        )


if __name__ == "__main__":
    main()
