"""Docstrings' examples as their reader types them: each begins with its imports, and says `dm.` before every name of dpmap."""

import ast
import builtins
import doctest
from collections.abc import Iterator
from types import ModuleType

MADE = """\
>>> import dpmap as dm
>>> survey = dm.read("raptors.csv", consent="consent=yes")
>>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km")
>>> policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=5)
>>> paid = dict(ledger="examples.ledger", dataset="Raptors 2026", budget="3")
>>> made = dm.release(survey, grid, policy, **paid, strategy="flat")
>>> made.save("raptors.dpmap")
"""
"""How the map is made that examples open."""

IMPORTS = {
    "Fraction": "from fractions import Fraction",
    "date": "from datetime import date",
    "json": "import json",
    "math": "import math",
    "np": "import numpy as np",
    "dm": "import dpmap as dm",
}
"""Names of other libraries in examples, and where a reader has them from."""


class Typed:
    """Writes the examples of one docstring, which share their names."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places, self.known = places, set(dir(builtins))

    def block(self, text: str) -> str:
        """Returns one block of examples, with the imports that it is the first to need, each name of dpmap in its place."""
        lines = text.splitlines()
        wanted: list[str] = []
        for example in doctest.DocTestParser().get_examples(text):
            tree = ast.parse(example.source)
            inner = set(_bound(tree, own=True))
            for name in sorted(_loaded(tree), key=lambda one: (-one.lineno, -one.col_offset)):
                if name.id in self.known | inner:
                    continue
                place = self.places.get(name.id, name.id)
                at, column = example.lineno + name.lineno - 1, name.col_offset + len(">>> ")
                lines[at] = f"{lines[at][:column]}{place}{lines[at][column + len(name.id) :]}"
                wanted.append(place.partition(".")[0])
            self.known |= inner | set(_bound(tree, own=False))
        needed = [name for name in dict.fromkeys(wanted) if name not in self.known]
        self.known |= set(needed)
        return "\n".join([*(f">>> {IMPORTS[name]}" for name in needed), *lines])


def places(dm: ModuleType) -> dict[str, str]:
    """Returns where each public name is found, by its bare name; one of `dm` goes before one of its modules."""
    modules = [name for name in dm.__all__ if isinstance(getattr(dm, name), ModuleType)]
    listed = {
        name: getattr(getattr(dm, name), "__all__", vars(getattr(dm, name))) for name in modules
    }
    within = {
        own: f"dm.{name}.{own}"
        for name, names in listed.items()
        for own in names
        if not own.startswith("_")
    }
    return within | {name: f"dm.{name}" for name in dm.__all__} | {name: name for name in IMPORTS}


def _loaded(tree: ast.AST) -> Iterator[ast.Name]:
    return (
        one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    )


def _bound(tree: ast.AST, *, own: bool) -> Iterator[str]:
    """Yields the names that an example makes: those of its `own` loops, imports and calls, or those that it leaves for the next."""
    for one in ast.walk(tree):
        if own and isinstance(one, ast.comprehension):
            yield from (name.id for name in ast.walk(one.target) if isinstance(name, ast.Name))
        elif own and isinstance(one, ast.alias):
            yield one.asname or one.name
        elif own and isinstance(one, ast.arg):
            yield one.arg
        elif own and isinstance(one, ast.ExceptHandler) and one.name:
            yield one.name
        elif not own and isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id
        elif not own and isinstance(one, ast.FunctionDef):
            yield one.name
