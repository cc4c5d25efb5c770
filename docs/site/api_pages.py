"""The API reference, made from what every public name says of itself: its signature with types, its words, its examples."""

import functools
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import examples

GROUPS = {
    "reading": (
        "Reading a survey",
        "What you have, opened and sealed.",
        ("read", "Survey", "inspect", "guess"),
    ),
    "grids": (
        "Grids",
        "Where: the cells, the kinds and the times, declared before a survey is read.",
        ("Grid", "Kinds", "Times", "Partition"),
    ),
    "promise": (
        "The promise",
        "Who is protected, how much each may add, and epsilon.",
        ("Policy", "Consent", "Governance"),
    ),
    "planning": (
        "Planning",
        "What a map will show, before anything is spent. No survey is read.",
        ("plan", "Plan", "Goals", "epsilon_for", "simulate"),
    ),
    "releasing": (
        "Releasing",
        "One private map, paid for from a ledger.",
        ("release", "choose", "Tiers", "unseal", "Ledger"),
    ),
    "maps": (
        "Maps",
        "What users hold: to draw, ask, export, merge and save. It costs nothing.",
        ("Release", "open", "merge", "compare", "Comparison", "open_series", "Series"),
    ),
    "warnings": (
        "Warnings",
        "What says once, in words, that a name has a new one.",
        ("DpmapDeprecationWarning",),
    ),
}
"""Which names stand on one page; a name that nobody put here stands on the page of the others."""

STANDING = (
    "[What the examples stand on](index.md#examples): the sample data, and one map made of it."
)
"""The first words of each page."""

FEW = 5
"""The most methods that a class shows without a table of them."""

ROOMS = {
    "engines": "Engines count the rows: DuckDB on one machine, Spark on a cluster.",
    "errors": "What dpmap raises, each one line.",
    "local": "Maps without a trusted curator: each device randomises its own answer.",
    "theory": "The formulas that dpmap states and uses.",
}


def pages(root: Path, files: set[str]) -> dict[str, str]:
    """Returns the text of every page of the API reference, and adds the files that hold its sources to `files`."""
    import dpmap as dm

    maker = _Maker(root, files)
    groups = dict(GROUPS)
    grouped = {name for _, _, names in groups.values() for name in names}
    modules = [name for name in dm.__all__ if isinstance(getattr(dm, name), ModuleType)]
    others = tuple(
        name
        for name in dm.__all__
        if name not in grouped and name not in modules and not name.startswith("__")
    )
    if others:
        groups["others"] = ("Others", "Names that stand on no other page.", others)
    found, lines = {}, _head(dm)
    for page, (title, told, names) in groups.items():
        names = tuple(name for name in names if name in dm.__all__)
        found[f"reference/api/{page}"] = maker.group(
            title, told, "dpmap", [(name, getattr(dm, name)) for name in names]
        )
        lines += [
            f"## [{title}]({page}.md)",
            "",
            told,
            "",
            *[
                f"- {{py:obj}}`dm.{name} <dpmap.{name}>`: {_short(getattr(dm, name))}"
                for name in names
            ],
            "",
        ]
    for name in modules:
        module = getattr(dm, name)
        told = ROOMS.get(name, _short(module))
        found[f"reference/api/{name}"] = maker.room(f"dm.{name}", f"dpmap.{name}", module)
        lines += [f"## [`dm.{name}`]({name}.md)", "", told, ""]
    found["reference/api/index"] = "\n".join(lines) + "\n"
    return found


def _head(dm: ModuleType) -> list[str]:
    return [
        "# Python",
        "",
        (
            "Everything that `import dpmap as dm` offers, from its own docstrings. Things flow one way: read, grid, policy, release, map. "
            "Options are given by name; a mistyped one of reading or drawing is answered with what is near, and Python names any other."
        ),
        "",
        *_examples(),
        ":::{py:module} dpmap",
        ":::",
        "",
        ":::{py:data} __version__",
        ":type: str",
        "",
        "The version of the program, which every release carries.",
        ":::",
        "",
    ]


def _examples() -> list[str]:
    return [
        "## Examples",
        "",
        (
            "Each example runs as it stands in a copy of the sample data, the folder `data_samples` of the project. Those that release spend from a "
            "ledger, so each runs a few times at most before its budget is spent. Many examples open a map, `raptors.dpmap`. Make it once in that folder:"
        ),
        "",
        f"```pycon\n{examples.MADE}```",
        "",
    ]


class _Maker:
    """Writes names as directives of the Python domain, which the search, the index and links know."""

    def __init__(self, root: Path, files: set[str]) -> None:
        import dpmap as dm

        self.root, self.files, self.places = root, files, examples.places(dm)

    def group(self, title: str, told: str, module: str, things: list[tuple[str, Any]]) -> str:
        """A page of some names."""
        lines = [
            f"# {title}",
            "",
            told,
            "",
            STANDING,
            "",
            f":::{{py:currentmodule}} {module}",
            ":::",
            "",
        ]
        for name, thing in things:
            lines += [f"## `{_called(module, name)}`", "", *self._thing(module, name, thing)]
        return "\n".join(lines) + "\n"

    def room(self, title: str, called: str, module: ModuleType) -> str:
        """A page of a module: its own words, then its public names in the order of its source."""
        words = _words(inspect.getdoc(module) or "", self.places)
        lines = [
            f"# `{title}`",
            "",
            words,
            "",
            STANDING,
            "",
            f":::{{py:module}} {called}",
            ":::",
            "",
        ]
        for name, thing in public(module):
            lines += [f"## `{name}`", "", *self._thing(called, name, thing)]
        return "\n".join(lines) + "\n"

    def _thing(self, module: str, name: str, thing: Any) -> list[str]:
        if not inspect.isclass(thing):
            return self._directive("function", name, _signature(thing), thing, 4)
        own = list(members(thing))
        inner = _table(f"{module}.{name}", own) if len(own) > FEW else []
        inner += [
            line
            for called, member in own
            for line in self._member(module, name, called, member, thing)
        ]
        kind = "exception" if issubclass(thing, BaseException) else "class"
        return self._directive(kind, name, _made(thing), thing, 5, inner)

    def _member(self, module: str, name: str, own: str, member: Any, home: type) -> list[str]:
        called = own
        if isinstance(member, property | functools.cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            return self._directive("property", called, "", getter, 4, options=_typed(getter))
        option = (
            [":classmethod:"]
            if isinstance(member, classmethod)
            else [":staticmethod:"]
            if isinstance(member, staticmethod)
            else []
        )
        bound = getattr(home, own)
        return self._directive(
            "method", called, _signature(bound, drop_self=not option), bound, 4, options=option
        )

    def _directive(
        self,
        kind: str,
        called: str,
        signature: str,
        thing: Any,
        fence: int,
        inner: list[str] | None = None,
        options: list[str] | None = None,
    ) -> list[str]:
        colons = ":" * fence
        words = _words(inspect.getdoc(thing) or "", self.places)
        return [
            f"{colons}{{py:{kind}}} {called}{signature}",
            *(options or []),
            "",
            words,
            "",
            self._source(thing),
            "",
            *(inner or []),
            colons,
            "",
        ]

    def _source(self, thing: Any) -> str:
        """A link to the lines that make the thing, in the site's own view of the file."""
        plain = inspect.unwrap(getattr(thing, "__func__", thing))
        try:
            path = (
                Path(inspect.getsourcefile(plain) or "").resolve().relative_to(self.root).as_posix()
            )
        except (TypeError, ValueError):
            return ""
        self.files.add(path)
        return f"[source](source:{path}#{plain.__qualname__})"


def _table(home: str, own: list[tuple[str, Any]]) -> list[str]:
    """Returns what a class of many methods holds: a line each, which leads to its whole words."""
    rows = [
        f"| {{py:obj}}`{name} <{home}.{name}>` | {_short(getattr(one, '__func__', one)).replace('|', chr(92) + '|')} |"
        for name, one in own
    ]
    return ["| name | what it is or does |", "|---|---|", *rows, ""]


def public(module: ModuleType) -> list[tuple[str, Any]]:
    """Returns the public names of a module: those that it lists, else the errors, or else the functions and classes that it makes, in its order."""
    if hasattr(module, "__all__"):
        return [(name, getattr(module, name)) for name in module.__all__]
    own = [
        (name, one)
        for name, one in vars(module).items()
        if not name.startswith("_") and getattr(one, "__module__", "") == module.__name__
    ]
    errors = [
        (name, one) for name, one in own if inspect.isclass(one) and issubclass(one, BaseException)
    ]
    return errors or [
        (name, one) for name, one in own if inspect.isclass(one) or inspect.isroutine(one)
    ]


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """Yields the public methods and properties that a class has of its own or from another class of dpmap, with the words they carry."""
    seen = set()
    for home in thing.__mro__:
        if not home.__module__.startswith("dpmap"):
            continue
        for name, one in vars(home).items():
            plain = isinstance(
                one, property | functools.cached_property | classmethod | staticmethod
            ) or inspect.isfunction(one)
            if (
                not name.startswith("_")
                and name not in seen
                and plain
                and inspect.getdoc(getattr(thing, name) if not isinstance(one, property) else one)
            ):
                seen.add(name)
                yield name, one


def _called(module: str, name: str) -> str:
    return f"{module.replace('dpmap', 'dm', 1)}.{name}"


def _short(thing: Any) -> str:
    """Returns the first sentence of a docstring."""
    text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", text)[0]


def _words(doc: str, places: dict[str, str]) -> str:
    """Returns a docstring as Markdown: its examples become blocks of Python as a reader types them, its headings none of the page's."""
    typed, parts = examples.Typed(places), []
    for part in re.split(r"\n\s*\n", doc.strip()):
        if part.lstrip().startswith(">>>"):
            parts.append(f"```pycon\n{typed.block(inspect.cleandoc(part))}\n```")
        else:
            parts.append(re.sub(r"<(?=[A-Za-z/!?])", r"\<", part))
    return "\n\n".join(parts)


def _made(thing: type) -> str:
    """Returns how a class is called; nothing for one that users never make."""
    if (
        issubclass(thing, BaseException | Enum)
        or thing.__init__ is object.__init__
        or thing.__name__ in ("Release", "Tiers", "Plan", "Partition", "Survey")
    ):
        return ""
    return re.sub(r" -> .*$", "", _signature(thing))


def _typed(getter: Any) -> list[str]:
    returned = inspect.signature(getter).return_annotation
    return [] if returned is inspect.Signature.empty else [f":type: {_type(returned)}"]


def _signature(thing: Any, *, drop_self: bool = False) -> str:
    given = inspect.signature(thing)
    parameters = list(given.parameters.values())
    if drop_self and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    shown, starred = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not starred:
            shown.append("*")
        starred = starred or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        kind = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
        default = (
            "" if one.default is one.empty else f"{' = ' if kind else '='}{_value(one.default)}"
        )
        shown.append(f"{mark}{one.name}{kind}{default}")
    returned = (
        ""
        if given.return_annotation is inspect.Signature.empty
        else f" -> {_type(given.return_annotation)}"
    )
    return f"({', '.join(shown)}){returned}"


def _type(annotation: Any) -> str:
    """Returns a type as a reader would write it: without modules, `Array` for the arrays of numpy."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(
        r"\bnumpy\.ndarray\[tuple\[.*?\], numpy\.dtype\[(?:\w+\.)?(\w+)\]\]", r"NDArray[\1]", text
    )
    text = re.sub(r"ForwardRef\('([^']*)'[^)]*\)", r"\1", text)
    return (
        re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", text)
        .replace('"', "")
        .replace("NoneType", "None")
    )


def _value(default: Any) -> str:
    text = repr(default)
    return "..." if text.startswith("<") or " at 0x" in text else text
