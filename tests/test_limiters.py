"""A limiter is specified once and whole, and every list of limiters is taken from its table."""

import ast
import json
import runpy
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.noise.distributions import LAWS
from dpmap.promise import limiters
from dpmap.promise.limiters import LIMITERS, Limiter, Steps
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.selftest import cap
from dpmap.vault import cap_sql as vault_limiter
from dpmap.vault.cap_sql import CAPS

ROOT = Path(__file__).parents[1]
WORDS = [
    one.name for one in fields(Limiter) if one.name in ("statement", "registry", "title", "hint")
]


def count_every(name, rows, cap, lattice, shares) -> Steps:
    """Counts every row in full."""
    return {cell: weight * lattice // shares for cell, weight in rows}


EVERY = replace(LIMITERS["sample"], count=count_every, tool="every row")


@pytest.mark.parametrize("lacking", ["count", *WORDS])
def test_a_limiter_that_lacks_anything_cannot_be_made(lacking):
    """Without its words, or a plain count that says what it does, there is no spec."""
    undocumented = {"count": lambda name, rows, cap, lattice, shares: {}}
    with pytest.raises(TypeError):
        replace(EVERY, **(undocumented if lacking == "count" else {lacking: ""}))
    given = {one.name: getattr(EVERY, one.name) for one in fields(Limiter) if one.name != lacking}
    with pytest.raises(TypeError):
        Limiter(**given)


def test_a_limiter_without_sql_does_not_load(monkeypatch):
    """A spec for which the vault has no SQL keeps the vault from loading, and so does SQL without a spec."""
    path = vault_limiter.__file__
    assert runpy.run_path(path)["CAPS"].keys() == LIMITERS.keys()
    monkeypatch.setattr(limiters, "LIMITERS", LIMITERS | {"every": EVERY})
    with pytest.raises(KeyError, match="every"):
        runpy.run_path(path)
    fewer = {name: spec for name, spec in LIMITERS.items() if name != "sample"}
    monkeypatch.setattr(limiters, "LIMITERS", fewer)
    with pytest.raises(KeyError, match="sample"):
        runpy.run_path(path)


@pytest.mark.parametrize("tool", [None, "presence", "layers"])
def test_a_limiter_passes_for_no_other_tool(tool, tmp_path):
    """One that takes the name of another limiter or tool, or none, keeps dpmap from starting: it would be taken for proved."""
    package = Path(dm.__file__).parent
    text = (package / "promise" / "limiters.py").read_text("utf-8")
    assert text.count('tool="sampled rows"') == 1
    (tmp_path / "limiters.py").write_text(
        text.replace('tool="sampled rows"', f"tool={tool!r}"), "utf-8"
    )
    again = "import importlib.util, sys, dpmap\n" + "\n".join(
        f"spec = importlib.util.spec_from_file_location({name!r}, {str(path)!r}); "
        f"module = importlib.util.module_from_spec(spec); sys.modules[{name!r}] = module; spec.loader.exec_module(module)"
        for name, path in (
            ("dpmap.promise.limiters", tmp_path / "limiters.py"),
            ("dpmap.promise.compatibility", package / "promise" / "compatibility.py"),
        )
    )
    done = subprocess.run([sys.executable, "-c", again], capture_output=True, text=True)
    assert done.returncode and "TypeError" in done.stderr


def test_a_strategy_or_noise_without_its_other_half_does_not_load(monkeypatch):
    """A strategy has a spec and its questions, a kind of noise a law and a mechanism, or dpmap does not start."""
    from dpmap import strategies
    from dpmap.noise import distributions
    from dpmap.promise import strategies as specs
    from dpmap.vault import mechanism

    more = {"quadtree": replace(STRATEGY_SPECS["flat"], tool="quadtrees")}
    for room, name, table in (
        (strategies, "STRATEGY_SPECS", STRATEGY_SPECS | more),
        (mechanism, "LAWS", LAWS | {"staircase": LAWS["laplace"]}),
    ):
        home = specs if name == "STRATEGY_SPECS" else distributions
        runpy.run_path(room.__file__)
        monkeypatch.setattr(home, name, table)
        with pytest.raises(TypeError):
            runpy.run_path(room.__file__)
    with pytest.raises(TypeError):
        replace(STRATEGY_SPECS["flat"], hint="")


@pytest.mark.parametrize("changed", [{"length": None}, {"length": LIMITERS["presence"].length}])
def test_what_holds_with_a_delta_is_said_alike_in_both_places(changed, monkeypatch):
    """A spec that claims a length that the vault does not keep, or the reverse, keeps it from loading."""
    name = "scale" if changed["length"] is None else "sample"
    changed_spec = {name: replace(LIMITERS[name], **changed)}
    monkeypatch.setattr(limiters, "LIMITERS", LIMITERS | changed_spec)
    with pytest.raises(TypeError, match=name):
        runpy.run_path(vault_limiter.__file__)


def test_sql_without_a_proof_does_not_load(tmp_path):
    """The SQL of each limiter says in its docstring why no unit adds more than the cap."""
    text = Path(vault_limiter.__file__).read_text("utf-8")
    assert all("(b)" in one.sql.__doc__ for one in CAPS.values())
    (tmp_path / "cap_sql.py").write_text(
        text.replace("(b) The cells of such a unit", "The cells of such a unit")
    )
    with pytest.raises(TypeError, match="presence"):
        runpy.run_path(str(tmp_path / "cap_sql.py"))


def test_an_unknown_limiter_is_refused():
    """A policy takes the limiters of the table and no other, and says which there are."""
    for name in LIMITERS:
        assert dm.Policy(epsilon=1, unit="who", cap=5, limiter=name).limiter == name
        assert f'"{name}"' in dm.Policy.__doc__
    with pytest.raises(BadInput):
        dm.Policy(epsilon=1, unit="who", cap=5, limiter="every")


def test_a_limiter_that_counts_every_row_fails_the_selftest(monkeypatch, tmp_path):
    """Brought in whole, with a plain count that agrees with it, it is found: one unit moves the map by more than the cap."""
    from dpmap.promise import compatibility
    from dpmap.selftest.check import Broken, Effort

    def every(cap, lattice, shares):
        """(b) is claimed, and false."""
        return f"SELECT cell, weight * {lattice} // {shares} AS steps FROM rows"

    honest = cap.LIMITERS
    monkeypatch.setitem(LIMITERS, "every", replace(EVERY, tool=None))
    monkeypatch.setitem(CAPS, "every", CAPS["sample"]._replace(sql=every, first=None))
    monkeypatch.setattr(cap, "LIMITERS", ("every",))
    with pytest.raises(Broken, match="moves the map by"):
        cap.pairs(Effort(times=0.2))
    assert compatibility.TOOLS and tuple(limiters.LIMITERS) == (*honest, "every")


def _literals(path):
    """The sets of strings that stand in one tuple, list, set or table of a file, with its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        found = {
            part.value
            for part in parts
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }
        if found:
            yield node.lineno, found


HOMES = {
    "limiters": (
        "dpmap/promise/limiters.py",
        "dpmap/vault/cap_sql.py",
    ),
    "strategies": ("dpmap/promise/strategies.py", "dpmap/statement/attestation/attestation.py"),
    "kinds of noise": ("dpmap/noise/distributions.py", "dpmap/record/formats.py"),
}
"""Where each list may be typed: its table, the vault's beside it, a plugin that cannot import dpmap, and checks called alike."""
LISTS = {"limiters": set(LIMITERS), "strategies": set(STRATEGY_SPECS), "kinds of noise": set(LAWS)}


@pytest.mark.parametrize("what", LISTS)
def test_no_list_is_typed_again(what):
    """A list on which the promise rests stands in one place: nothing else in dpmap, its tests or benchmarks types it anew."""
    again = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("dpmap", "tests", "benchmarks", "qgis")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, found in _literals(path)
        if found >= LISTS[what] and str(path.relative_to(ROOT)) not in HOMES[what]
    ]
    assert not again


def test_the_plugin_offers_the_same_limiters():
    """QGIS's plugin, which cannot import dpmap, offers what dpmap takes."""
    text = (ROOT / "qgis/dpmap_qgis/data/options.json").read_text("utf-8")
    assert json.loads(text)["limiter"]["choices"] == list(LIMITERS)
