"""Tools are used together where that has a proof, and refused where it has none."""

import itertools
from fractions import Fraction

import pytest

from dpmap import Policy
from dpmap.errors import Refused
from dpmap.promise import compatibility
from dpmap.promise.compatibility import PROVEN, TOOLS, UNPROVEN, refuse_unproven
from dpmap.vault.cap_sql import capped_totals


@pytest.mark.parametrize("pair", UNPROVEN)
def test_a_pair_without_proof_is_refused_with_its_reason(pair):
    """Whatever else is used beside it, and in whatever order."""
    for order in (pair, pair[::-1], (*pair, *TOOLS), (*TOOLS, *pair)):
        with pytest.raises(
            Refused, match="has no proof with .*: .*leave one of them out"
        ) as refused:
            refuse_unproven(order)
        assert refused.value.exit_code == 3
    assert set(pair) <= set(TOOLS)


def test_every_pair_is_proved_or_refused():
    """Each pair of tools passes where its line says why it is proved, and is refused in every other case."""
    proved = {
        frozenset({tool, other})
        for tool, (others, why) in PROVEN.items()
        for other in others
        if why
    }
    for pair in itertools.combinations(TOOLS, 2):
        if frozenset(pair) in proved:
            refuse_unproven(pair)
        else:
            with pytest.raises(Refused, match="has no proof with"):
                refuse_unproven(pair)


def test_a_tool_that_nobody_decided_on_is_refused():
    """Whoever uses a tool of another name is refused, alone and beside a tool that is known."""
    for used in (["quadtrees"], ["layers", "quadtrees"], ["quadtrees", "rows"]):
        with pytest.raises(Refused):
            refuse_unproven(used)


def changed(table, tool, other, way):
    """A copy of a table of pairs to which one is added, or from which it is taken away."""
    if table == "UNPROVEN":
        left = {pair: why for pair, why in UNPROVEN.items() if set(pair) != {tool, other}}
        return left | ({(tool, other): "no reason"} if way == "added" else {})
    others, why = PROVEN[tool]
    left = tuple(name for name in others if name != other)
    return PROVEN | {tool: ((*left, other) if way == "added" else left, why)}


@pytest.mark.parametrize(
    ("table", "tool", "other", "way"),
    [
        ("UNPROVEN", "sample", "rows", "taken away"),
        ("UNPROVEN", "layers", "rows", "added"),
        ("PROVEN", "layers", "rows", "taken away"),
        ("PROVEN", "limits", "rows", "added"),
        ("PROVEN", "layers", "quadtrees", "added"),
    ],
)
def test_the_list_of_pairs_is_whole_or_does_not_load(table, tool, other, way, monkeypatch):
    """A pair that is decided twice, or not at all, keeps dpmap from starting."""
    compatibility._decided()
    monkeypatch.setattr(compatibility, table, changed(table, tool, other, way))
    with pytest.raises(TypeError, match=f"{min(tool, other)} and {max(tool, other)}"):
        compatibility._decided()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_joins_only_with_a_word_on_each_of_the_others(tool, monkeypatch):
    """Naming a tool without saying how it combines keeps dpmap from starting."""
    monkeypatch.setattr(compatibility, "TOOLS", TOOLS | {"quadtrees": "--quadtrees"})
    with pytest.raises(TypeError, match=f"{min(tool, 'quadtrees')} and {max(tool, 'quadtrees')}"):
        compatibility._decided()


@pytest.mark.parametrize(
    ("asked", "tools"),
    [
        ({}, ()),
        ({"unit": "row"}, ("rows",)),
        ({"cap": "auto:0.05"}, ("chosen cap",)),
        ({"limiter": "presence"}, ("presence",)),
        ({"limiter": "sample"}, ("sampled rows",)),
        ({"sample": "5%"}, ("sample",)),
        ({"site": "nest"}, ("sites",)),
        ({"epsilon_by": "comfort=0.5,1"}, ("limits",)),
    ],
)
def test_a_policy_says_which_tools_it_uses(asked, tools):
    """So that the table can be asked."""
    assert Policy(**{"epsilon": 1, "unit": "who", "cap": 5, **asked}).tools == tools


def test_the_vault_itself_refuses_a_delta_that_has_no_length():
    """Were the pair let through above, the limiter's SQL would still not be made."""
    policy = Policy(epsilon=1, unit="who", cap=5, limiter="sample")
    object.__setattr__(policy, "delta", Fraction(1, 10**6))
    with pytest.raises(Refused):
        capped_totals(policy)
