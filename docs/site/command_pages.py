"""The command reference, a page a command, made from the program's own help: what `--help` says, no more and no less."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer

MOST_EXAMPLES = 3
FENCE = re.compile(r"^```sh\s*\n(.*?)^```\s*$", re.M | re.S)
PLAIN = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "Path": "file or folder",
    "bool": "",
}
NO_PANEL = "Flags"


@dataclass(frozen=True)
class Named:
    """A command with the words that call it."""

    words: str
    command: Any

    @property
    def docname(self) -> str:
        """The command's page."""
        return "reference/commands/" + "-".join(self.words.split()[1:])


def commands() -> list[Named]:
    """Returns every command in the order of `dpmap --help`, those within a group after it."""
    app = importlib.import_module("dpmap.cli.commands").app
    return list(_inner("dpmap", typer.main.get_command(app)))


def _inner(words: str, group: Any) -> Iterator[Named]:
    for name, command in group.commands.items():
        if getattr(command, "hidden", False):
            continue
        yield Named(f"{words} {name}", command)
        if hasattr(command, "commands"):
            yield from _inner(f"{words} {name}", command)


def pages(texts: dict[str, str]) -> dict[str, str]:
    """Returns the text of every page of the command reference; `texts` are the written pages, whose commands are the examples."""
    found = {one.docname: _page(one, texts) for one in commands()}
    found["reference/commands/index"] = _list()
    return found


def _list() -> str:
    lines = [
        "# Commands",
        "",
        (
            "Every command of `dpmap`, as its own `--help` tells it. [The command line](../../command-line.md) says what holds for all of them: a file of flags, areas by name, "
            "dates and rules, interruptions, answers as JSON."
        ),
        "",
    ]
    for one in commands():
        first = _first(one.command)
        lines.append(
            f"{'  ' if one.words.count(' ') > 1 else ''}- [`{one.words}`]({one.docname.rsplit('/', 1)[1]}.md): {_lower(first)}"
        )
    return "\n".join(lines) + "\n"


def _page(one: Named, texts: dict[str, str]) -> str:
    parts = [
        f"# `{one.words}`",
        "",
        _escaped(_help(one.command)),
        "",
        "```text",
        _usage(one),
        "```",
        "",
        f":::{{program}} {one.words}",
        ":::",
        "",
    ]
    if hasattr(one.command, "commands"):
        parts += [
            f"- [`{inner.words}`]({inner.docname.rsplit('/', 1)[1]}.md): {_lower(_first(inner.command))}"
            for inner in _inner(one.words, one.command)
        ]
        return "\n".join(parts) + "\n"
    for panel, flags in _panels(one.command).items():
        parts += [f"## {panel}", "", *[line for flag in flags for line in _flag(flag)]]
    shown = list(_examples(one.words, texts))
    if shown:
        parts += ["## Examples", "", *[line for example in shown for line in example]]
    return "\n".join(parts) + "\n"


def _panels(command: Any) -> dict[str, list[Any]]:
    """Returns the command's arguments and flags under their headings, in the order of `--help`."""
    found: dict[str, list[Any]] = {}
    for one in _parameters(command):
        panel = (
            "What it takes"
            if is_argument(one)
            else getattr(one, "rich_help_panel", None) or NO_PANEL
        )
        found.setdefault(panel, []).append(one)
    return found


def _parameters(command: Any) -> list[Any]:
    context = command.context_class(command, info_name=command.name)
    return [one for one in command.get_params(context) if not getattr(one, "hidden", False)]


def is_argument(one: Any) -> bool:
    """Whether a parameter is given by its place and not by a flag."""
    return not one.opts[0].startswith("-")


def _flag(one: Any) -> list[str]:
    kind, default = _kind(one), _default(one)
    names = (
        ", ".join([*one.opts, *one.secondary_opts])
        if not is_argument(one)
        else one.metavar or one.name.upper()
    )
    said = [_escaped((one.help or "").strip())]
    if default:
        said.append(f"Default: `{default}`.")
    if one.required:
        said.append("It must be given.")
    if (getattr(one, "multiple", False) or one.nargs == -1) and "repeat" not in (one.help or ""):
        said.append(
            "May be given several times." if not is_argument(one) else "Several may be given."
        )
    if is_argument(one):
        return [f"`{names}`", f": {' '.join(said)}", ""]
    return [
        f"::::{{option}} {names}{f' <{kind}>' if kind else ''}",
        "",
        *[f"{' '.join(part for part in said if part)}", ""],
        "::::",
        "",
    ]


def _kind(one: Any) -> str:
    """Returns what a flag is followed by: its own word for it, else the type in plain words; nothing for a switch."""
    if getattr(one, "is_flag", False) or getattr(one, "count", False):
        return ""
    if one.metavar:
        return {"INTEGER": "whole number"}.get(one.metavar, one.metavar)
    descriptor = getattr(one, "type_descriptor", None)
    name = (
        getattr(descriptor.annotation, "__name__", "str")
        if descriptor
        else {"text": "str", "integer": "int", "path": "Path"}.get(one.type.name, "str")
    )
    choices = getattr(getattr(one, "type", None), "choices", None)
    return "|".join(map(str, choices)) if choices else PLAIN.get(name, "text")


def _default(one: Any) -> str:
    value = one.default
    if value is None or value is False or value is True or callable(value) or value in ((), [], ""):
        return ""
    return str(value)


def _usage(one: Named) -> str:
    if hasattr(one.command, "commands"):
        return f"{one.words} COMMAND [FLAGS]"
    shown = []
    for given in _parameters(one.command):
        if is_argument(given):
            name = (given.metavar or given.name.upper()) + (" ..." if given.nargs == -1 else "")
            shown.append(name if given.required else f"[{name}]")
    needed = [
        f"{given.opts[0]} {_kind(given).upper()}"
        for given in _parameters(one.command)
        if given.required and not is_argument(given)
    ]
    return " ".join([one.words, *shown, *needed, "[FLAGS]"])


def _help(command: Any) -> str:
    return re.sub(r"(?<!\n)\n(?!\n)", " ", (command.help or "").strip())


def _first(command: Any) -> str:
    return _escaped(_help(command).split("\n")[0])


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _escaped(text: str) -> str:
    """Returns plain text as Markdown that reads the same; flags that it names are set as code, and never with a typographer's dash."""
    text = re.sub(r"([\\*_<>\[\]|$])", r"\\\1", text)
    return re.sub(r"(?<![\w`-])(--[a-z][\w-]*)", r"`\1`", text)


def _examples(words: str, texts: dict[str, str]) -> Iterator[list[str]]:
    """Shows commands of the written pages, which all run in the tests, each with the page where it stands; pages differ, and so do the examples."""
    number = 0
    for docname, text in texts.items():
        for block in FENCE.findall(text):
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                if number < MOST_EXAMPLES and re.match(rf"{re.escape(words)}(?: |$)", line.strip()):
                    number += 1
                    title = next(
                        (one[2:] for one in text.splitlines() if one.startswith("# ")), docname
                    )
                    yield [
                        "```sh",
                        line.split(" #")[0].strip(),
                        "```",
                        "",
                        f"From [{title}](/{docname}.md).",
                        "",
                    ]
                    break
            else:
                continue
            break
