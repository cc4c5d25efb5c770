"""Whatever `dm` offers says of itself in plain words what it does, what it takes, and how it is used."""

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dpmap as dm

sys.path.insert(0, str(Path(__file__).parent / "stability"))
import surface

NO_EXAMPLE = {
    "dm.DpmapDeprecationWarning": "a warning is shown, not called",
    "dm.engines.Spark": "needs a cluster; docs/scale.md shows it",
    "dm.Tiers.save": "`release` saves them itself where `to=` is given; Tiers has an example",
    "dm.Ledger.balance_delta": "like `balance`, for delta",
    "dm.Ledger.without_release": "needs a release that was interrupted",
    "dm.StrategySession.course": "needs a session; docs/howto/strategy-of-your-own.md says when it pays",
    "dm.StrategySession.measure": "StrategySession's own example calls it",
    "dm.Plan.draw": "Plan's own example calls it",
    "dm.Release.open": "the same as `dm.open`",
    "dm.Release.layer": "needs a release of layers; `Grid.layered` shows how one is made",
    "dm.Policy.from_dict": "what `to_dict` returned",
    "dm.local.Question.from_json": "Question's own example calls it",
    "dm.local.Question.locate": "`local.ask`'s example calls it",
    "dm.Series.trend": "Series' own example calls it",
    "dm.Series.draw": "as `Release.draw`",
    "dm.Series.plot": "as `Release.plot`",
    **dict.fromkeys(
        (
            "dm.Comparison.cells",
            "dm.Comparison.clusters",
            "dm.Comparison.draw",
            "dm.Comparison.explore",
            "dm.Comparison.export",
            "dm.Comparison.patches",
            "dm.Comparison.plot",
        ),
        "needs two seasons; docs/howto/what-changed.md shows it",
    ),
    "dm.errors.SystemFailed": "a disk that is full cannot be shown",
    "dm.errors.BudgetExceeded": "a `Refused`, which has one",
    **dict.fromkeys(
        (
            "dm.errors.BadInput",
            "dm.errors.NoPlace",
            "dm.errors.SeveralTables",
            "dm.errors.NoTier",
            "dm.errors.MissingExtra",
        ),
        "as DpmapError",
    ),
    **dict.fromkeys(
        ("HotSpots", "HotSpots.to_geodataframe", "ListedSpots", "ListedSpots.to_geodataframe"),
        "`hotspots` has one",
    ),
    **dict.fromkeys(("Choice", "Choice.save", "Choice.words"), "`choose` has one"),
    **dict.fromkeys(("Estimate", "Estimate.interval"), "`Release.interval` has one"),
    **dict.fromkeys(("Receipt", "Record"), "read by their fields; `open` has an example"),
}
"""What has no example, and why. What only returns a fact of its object (a property, `to_dict`, `to_json`) needs none."""


def _parameters(call):
    try:
        taken = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in taken if name not in ("self", "cls")]


def _reachable():
    """Yields each public name with what it is and the parameters to be explained."""
    for name in dm.__all__:
        thing = getattr(dm, name)
        if inspect.ismodule(thing):
            yield from (
                (f"dm.{name}.{inner}", getattr(thing, inner)) for inner in surface._names(thing)
            )
        elif name != "__version__":
            yield f"dm.{name}", thing
    yield from (
        (name, getattr(import_module(home), name)) for name, home in surface.REACHED.items()
    )


def _told():
    for name, thing in _reachable():
        if not inspect.isclass(thing):
            yield name, thing, _parameters(thing), True
            continue
        made = name.removeprefix("dm.") in surface.MADE_BY_USERS
        yield (
            name,
            thing,
            _parameters(thing) if made else [],
            made or name in ("dm.Release", "dm.Plan", "dm.Tiers", "dm.Survey"),
        )
        for member in sorted(surface._members(thing) - surface.OWN.get(name, set())):
            raw = inspect.getattr_static(thing, member, None)
            if isinstance(raw, (classmethod, staticmethod)) or inspect.isfunction(raw):
                yield (
                    f"{name}.{member}",
                    getattr(thing, member),
                    _parameters(getattr(thing, member)),
                    not member.startswith("to_"),
                )
            elif isinstance(raw, property) or hasattr(raw, "func"):
                yield f"{name}.{member}", raw, [], False


TOLD = list(_told())
NAMES = [name for name, *_ in TOLD]


@pytest.mark.parametrize(("name", "thing", "parameters", "shown"), TOLD, ids=NAMES)
def test_a_public_name_explains_itself(name, thing, parameters, shown):
    """It begins with a sentence, names each of its parameters, and shows how it is used."""
    text = inspect.getdoc(thing) or ""
    first = " ".join(text.split("\n\n")[0].split())
    assert first[:1].isupper() or first.startswith("`"), f"{name}: begin with a sentence"
    assert first.endswith((".", ":")), f"{name}: end the first sentence"
    lacking = [one for one in parameters if not re.search(rf"\b{re.escape(one)}\b", text)]
    assert not lacking, f"{name}: say what {', '.join(lacking)} is"
    if shown and name not in NO_EXAMPLE:
        assert ">>>" in text, f"{name}: show how it is used, or say in NO_EXAMPLE why not"


def test_what_has_no_example_is_there():
    """The list of what has none holds no name that is gone, and none that has one."""
    known = {name: thing for name, thing, *_ in TOLD}
    assert set(NO_EXAMPLE) <= set(known)
    assert not [name for name in NO_EXAMPLE if ">>>" in (inspect.getdoc(known[name]) or "")]
