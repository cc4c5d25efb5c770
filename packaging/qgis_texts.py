"""Gathers the texts of the QGIS plugin for translators, into qgis/dpmap_qgis/i18n: the source file and each language's.

    python packaging/qgis_texts.py                 # after a text was added, changed or removed
    python packaging/qgis_texts.py --new pt        # begins a language
    python packaging/qgis_texts.py --check         # says whether the files name every text, and changes nothing

A text is what stands in `tr("...")` and `mark("...")`, in a TITLE, HELP or GROUP of a class, and in what is raised. A translation stays as long
as its English does; a new text is marked as unfinished, and shown in English until somebody writes it (by hand, or with Qt Linguist).
"""

import argparse
import ast
import sys
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
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and called(node) in CALLS and node.args:
            found.append(node.args[0])
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            found.append(node.exc.args[0])
        elif isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id in CONSTANTS for one in node.targets
        ):
            found.append(node.value)
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return [
        node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    ]


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
            lines += ["</context>"] * (file is not None) + ["<context>", f"  <name>{escape(text.file)}</name>"]
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
    asked = argparse.ArgumentParser(description="gathers the texts of the QGIS plugin for translators")
    asked.add_argument("--check", action="store_true", help="change nothing; end in an error where a file is behind")
    asked.add_argument("--new", metavar="LANGUAGE", help="begin a language, by QGIS's word for it: pt, pt_BR")
    given = asked.parse_args()
    made = files()
    if given.new:
        made.setdefault(PLUGIN / "i18n" / f"dpmap_{given.new}.ts", written(given.new, {}))
    behind = [path for path, text in made.items() if not path.is_file() or path.read_text("utf-8") != text]
    if given.check:
        sys.exit(
            f"behind: {', '.join(path.name for path in behind)}; type: python packaging/qgis_texts.py" if behind else 0
        )
    for path in behind:
        path.parent.mkdir(exist_ok=True)
        path.write_text(made[path], "utf-8", newline="\n")
    for path, text in made.items():
        left = text.count('type="unfinished"')
        print(f"{path.name}: {text.count('<message>')} texts{'' if path.name == SOURCE else f', {left} to translate'}")


if __name__ == "__main__":
    main()
