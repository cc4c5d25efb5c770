"""Tools are used together where that has a proof, and refused where it has none."""

import itertools

import pytest

from dpmap import Policy
from dpmap.errors import Refused
from dpmap.promise.combinations import TOOLS, UNPROVEN, refuse_unproven


@pytest.mark.parametrize("pair", UNPROVEN)
def test_a_pair_without_proof_is_refused_with_its_reason(pair):
    """Whatever else is used beside it, and in whatever order."""
    for order in (pair, pair[::-1], (*pair, *TOOLS), (*TOOLS, *pair)):
        with pytest.raises(Refused, match="has no proof with .*: .*leave one of them out") as refused:
            refuse_unproven(order)
        assert refused.value.exit_code == 3
    assert set(pair) <= set(TOOLS)


def test_a_pair_is_decided_once():
    """No pair stands in the table in both orders, and those that are not in it pass."""
    assert not {pair[::-1] for pair in UNPROVEN} & set(UNPROVEN)
    for pair in itertools.combinations(TOOLS, 2):
        if pair not in UNPROVEN and pair[::-1] not in UNPROVEN:
            refuse_unproven(pair)


@pytest.mark.parametrize(
    ("asked", "tools"),
    [
        ({}, ()),
        ({"unit": "row"}, ("rows",)),
        ({"cap": "auto:0.05"}, ("chosen cap",)),
        ({"limiter": "presence"}, ("limiter",)),
        ({"sample": "5%"}, ("sample",)),
        ({"site": "nest"}, ("sites",)),
        ({"epsilon_by": "comfort=0.5,1"}, ("limits",)),
    ],
)
def test_a_policy_says_which_tools_it_uses(asked, tools):
    """So that the table can be asked."""
    assert Policy(**{"epsilon": 1, "unit": "who", "cap": 5, **asked}).tools == tools
