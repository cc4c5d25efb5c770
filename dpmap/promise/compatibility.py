"""Decides for each pair of tools: proved together, refused together, or never asked for at once.

Each tool's own proof stands beside its code. A pair is proved where both proofs hold as they stand,
as its line in `PROVEN` says why; it is refused, before anything is counted or reserved, by its line
in `UNPROVEN`; what `APART` names cannot be meant at once. Every pair stands in one of the three, or
this file does not load, and what stands in none, such as a tool of another name, is refused. To
bring a new tool in, name it in `TOOLS` (a limiter names its own) and decide on it with each of the
others.
"""

import itertools
from collections import Counter
from collections.abc import Iterable

from dpmap.errors import Refused
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.strategies import CUSTOM, STRATEGY_SPECS

NOISE_SOURCES = ("dpmap", "opendp")
"""Who draws the noise; the first is no tool."""

TOOLS = {
    "rows": "--unit row",
    "chosen cap": "--cap auto",
    **{spec.tool: f"--limiter {name}" for name, spec in LIMITERS.items() if spec.tool is not None},
    "sample": "--sample",
    "sites": "--site",
    "limits": "--epsilon-by",
    "layers": "--kinds and --times",
    "counts": "--count",
    "teams": "--team",
    "withdrawal": "--consent-by unit",
    "choice": "choose",
    "means": "--mean",
    "own units": "--missing-unit own-unit",
    "devices": "local",
    "delta": "--delta",
    **{
        spec.tool: f"--strategy {name}"
        for name, spec in STRATEGY_SPECS.items()
        if spec.tool is not None
    },
    CUSTOM: "strategy= of your own",
    **{name: f"--noise {name}" for name in NOISE_SOURCES[1:]},
    "tiers": "--tier",
}
"""Each tool and the flag that asks for it."""

_OWN = {name: spec.tool for name, spec in LIMITERS.items()}
_OWN |= {name: spec.tool for name, spec in STRATEGY_SPECS.items()}
for _name, _tool in _OWN.items():
    if _tool is not None and not TOOLS[_tool].endswith(f" {_name}"):
        raise TypeError(
            f"{_name} is called as another tool is, and so would be decided on as that one"
        )

PLAIN = (*(name for name, spec in STRATEGY_SPECS.items() if spec.tool is None), NOISE_SOURCES[0])
"""What is no tool: every cell measured once, and dpmap's own noise. The proofs are about these,
and about the first limiter.
"""

UNPROVEN = {
    (
        "sample",
        "rows",
    ): "rows have no names by which to draw each alone, so equal rows would be drawn together",
    ("sample", "chosen cap"): "the choice of the cap would look at units that were not drawn",
    (
        "sites",
        "chosen cap",
    ): "the choice of the cap bounds what a contributor adds, and nothing of a site",
    ("sites", "sample"): "drawing contributors hides contributors, and no site",
    ("sites", "presence"): "two units at once have a limiter of their own",
    ("sites", "sampled rows"): "two units at once have a limiter of their own",
    ("sites", "layers"): "its cap is proved for one cell a site",
    ("sites", "counts"): "its cap is proved for whole links of a contributor and a site",
    (
        "sites",
        "teams",
    ): "its cap is proved for one contributor a link (--team none makes each text one)",
    ("sites", "own units"): "a link is made of two names",
    ("sites", "withdrawal"): "its cap is proved for rows that stay or go by themselves",
    ("limits", "rows"): "a limit is a person's, and single rows name none",
    ("limits", "chosen cap"): "the choice of the cap takes no account of personal limits",
    (
        "limits",
        "presence",
    ): "a cap that is no whole number of points is proved where all rows are scaled",
    (
        "limits",
        "sampled rows",
    ): "a cap that is no whole number of points is proved where all rows are scaled",
    ("limits", "sites"): "its cap is proved for one cap for all",
    ("choice", "limits"): "the chance of a name is told for one epsilon",
    ("means", "rows"): "the two parts of a row would be two units",
    ("means", "own units"): "the two parts of a row that names nobody would be two units",
    ("teams", "withdrawal"): "one refusal on a row would take out everybody whom it names",
    ("limits", "teams"): "a limit on a row would be that of everybody whom it names",
    (
        "means",
        "presence",
    ): "the two parts of a row count together, which only the limiter scale keeps",
    (
        "means",
        "sampled rows",
    ): "the two parts of a row count together, which only the limiter scale keeps",
    ("means", "counts"): "the cap is shared out by rows, and a row would count many times",
    ("means", "sites"): "its cap is proved for whole links of a contributor and a site",
    ("means", CUSTOM): "a mean is told cell by cell, which --strategy flat measures",
    ("means", "choice"): "one unit more can lower a mean",
    ("choice", "chosen cap"): "two choices in one call would be billed as one",
    ("choice", "sites"): "its score is bounded for a contributor, and not for a site",
    (
        "devices",
        "layers",
    ): "one report tells of one cell; ask a question of its own for each kind or time",
    ("delta", "rows"): "a row is in one cell, where Laplace noise is the smaller",
    (
        "delta",
        "sampled rows",
    ): "it keeps the cap for the sum of a unit's cells, and not for their length",
    ("delta", "sample"): "that a draw amplifies is proved here for epsilon alone",
    ("delta", "sites"): "its caps are proved for sums, and not for lengths",
    ("delta", "limits"): "its caps in proportion to epsilon are proved for Laplace noise",
    ("delta", "means"): "their intervals are proved for Laplace noise",
    ("delta", "choice"): "a choice keeps epsilon without it",
    (
        "delta",
        "adaptive",
    ): "a unit's length is bounded in single cells, which --strategy flat measures, not in regions",
    ("delta", CUSTOM): "a unit's length is bounded in single cells, and not in regions",
    ("delta", "sparse"): "its cells are drawn by the law of Laplace noise",
    ("delta", "opendp"): "it is asked for Laplace noise only",
    ("tiers", "delta"): "that a noisier copy costs nothing is proved for Laplace noise",
    ("tiers", "sparse"): "that it has noisier copies is not proved",
    ("tiers", "opendp"): "only dpmap's own noise is drawn with its noisier copies",
    (
        "tiers",
        "limits",
    ): "each person's cap would follow from one reader's epsilon, and there are several",
    ("tiers", "choice"): "a name has no noisier copy",
    ("tiers", "devices"): "a device answers once, at one epsilon",
    (
        "sparse",
        "opendp",
    ): "the noise of all empty cells at once is drawn by dpmap's own sampler alone",
}
"""Pairs that are refused, and why."""

APART = {
    "sampled rows": (("presence",), "a cap is kept in one way"),
    "sites": (("rows",), "a single row names no contributor"),
    "teams": (("rows",), "a single row is its own unit, whoever is named in it"),
    "sparse": (("adaptive",), "epsilon is spent in one way"),
    CUSTOM: (("adaptive", "sparse"), "epsilon is spent in one way"),
    "choice": (
        ("adaptive", "sparse", CUSTOM, "opendp"),
        "a choice measures nothing: its coins are those of `choose`",
    ),
    "devices": (
        (
            "rows",
            "chosen cap",
            "presence",
            "sampled rows",
            "sample",
            "sites",
            "limits",
            "counts",
            "teams",
            "withdrawal",
            "choice",
            "means",
            "own units",
            "delta",
            "adaptive",
            "sparse",
            CUSTOM,
            "opendp",
        ),
        "each device randomises one answer, and nobody holds a survey",
    ),
}
"""Tools that cannot be asked for at once: of each, which others, and why."""

_EVERY_LIMITER = ("rows", "chosen cap", "presence", "sampled rows", "sample")
PROVEN = {
    "chosen cap": (
        ("rows",),
        (
            "the choice is paid for; given the cap, every proof is as for a declared one"
            " (vault/permute_and_flip)"
        ),
    ),
    "presence": (
        ("rows", "chosen cap"),
        (
            "a row by itself is capped alike by all; its size, by cells, is of its own rows"
            " (vault/permute_and_flip)"
        ),
    ),
    "sampled rows": (
        ("rows", "chosen cap"),
        (
            "a row by itself is capped alike by all; its size, by rows, is of its own rows"
            " (vault/permute_and_flip)"
        ),
    ),
    "sample": (
        ("presence", "sampled rows"),
        "whole units are drawn before any cap, so it may be any that holds (vault/sampling)",
    ),
    "limits": (
        ("sample",),
        "what a draw adds is proved for each unit's own cap (vault/personal_caps)",
    ),
    "layers": (
        (*_EVERY_LIMITER, "limits"),
        "cells of all layers are cells: a cap holds in all of them together (vault/cap_sql)",
    ),
    "counts": (
        (*_EVERY_LIMITER, "limits", "layers"),
        "a row's weight is a whole number that it says itself, as the limiters' proofs ask",
    ),
    "teams": (
        ("chosen cap", "presence", "sampled rows", "sample", "layers", "counts"),
        (
            "each name has rows of its own before any cap, and striking one leaves the others'"
            " (survey/unit_names)"
        ),
    ),
    "withdrawal": (
        (*_EVERY_LIMITER, "limits", "layers", "counts"),
        "a unit's rows go by what its own rows say, before any cap",
    ),
    "choice": (
        ("rows", "presence", "sampled rows", "sample", "layers", "counts", "teams", "withdrawal"),
        (
            "its score is a sum of capped totals, or evenness, for any cap that holds"
            " (vault/permute_and_flip)"
        ),
    ),
    "means": (
        ("chosen cap", "sample", "limits", "layers", "teams", "withdrawal"),
        (
            "both parts of a row are rows of its unit, whose weights add up to the row's own"
            " (grid/layer_axes)"
        ),
    ),
    "own units": (
        (*_EVERY_LIMITER, "limits", "layers", "counts", "teams", "withdrawal", "choice"),
        "a row without a name is a unit of one row before any cap",
    ),
    "delta": (
        ("chosen cap", "presence", "layers", "counts", "teams", "withdrawal", "own units"),
        (
            "the length is that of single cells of all layers, of units as the rows name them"
            " (vault/cap_sql)"
        ),
    ),
    "adaptive": (
        (
            *_EVERY_LIMITER,
            "sites",
            "limits",
            "layers",
            "counts",
            "teams",
            "withdrawal",
            "means",
            "own units",
        ),
        "a cap holds in every partition of the cells, and shares add up (vault/session)",
    ),
    CUSTOM: (
        (
            *_EVERY_LIMITER,
            "sites",
            "limits",
            "layers",
            "counts",
            "teams",
            "withdrawal",
            "own units",
        ),
        "the theorem is about any questions that follow from answers alone (vault/session)",
    ),
    "sparse": (
        (
            *_EVERY_LIMITER,
            "sites",
            "limits",
            "layers",
            "counts",
            "teams",
            "withdrawal",
            "means",
            "own units",
        ),
        "it leaves out some of what `flat` would answer, whatever the totals are (vault/session)",
    ),
    "opendp": (
        (
            *_EVERY_LIMITER,
            "sites",
            "limits",
            "layers",
            "counts",
            "teams",
            "withdrawal",
            "means",
            "own units",
            "adaptive",
            CUSTOM,
        ),
        "its noise has the same law (vault/opendp)",
    ),
    "tiers": (
        (
            *_EVERY_LIMITER,
            "sites",
            "layers",
            "counts",
            "teams",
            "withdrawal",
            "means",
            "own units",
            "adaptive",
            CUSTOM,
        ),
        "all readers are told of the same totals, whatever capped them (vault/session)",
    ),
}
"""Pairs that are proved: of each tool, with which others, and why."""


def _decided() -> dict[frozenset[str], str]:
    """Returns why each pair is refused, or "" where it is proved; fails unless each is decided
    once.
    """
    reasons = [(frozenset(pair), why) for pair, why in UNPROVEN.items()]
    reasons += [
        (frozenset({tool, other}), why) for tool, (others, why) in APART.items() for other in others
    ]
    reasons += [
        (frozenset({tool, other}), "") for tool, (others, _) in PROVEN.items() for other in others
    ]
    pairs = Counter(pair for pair, _ in reasons)
    wanted = Counter(map(frozenset, itertools.combinations(TOOLS, 2)))
    if wrong := (wanted - pairs) + (pairs - wanted):
        names = "; ".join(sorted(" and ".join(sorted(pair)) for pair in wrong))
        raise TypeError(
            f"it is to be decided once for each pair of tools whether it is proved: {names}"
        )
    return dict(reasons)


DECIDED = _decided()
"""Why each pair is refused; "" where it is proved."""


def refuse_unproven(used: Iterable[str]) -> None:
    """Raises at the first pair of tools that has no proof, and at a tool that nobody has decided
    on.

    >>> refuse_unproven(["sample", "layers"])
    >>> refuse_unproven(["rows", "sample"])
    Traceback (most recent call last):
    ...
    dpmap.errors.Refused: sample= has no proof with unit= row: rows have no names by which to draw
    each alone, so equal rows would be drawn together; leave one of them out
    """
    tools = [tool for tool in dict.fromkeys(used) if tool not in PLAIN]
    for tool in tools:
        if tool not in TOOLS:
            raise Refused(f"{tool}: nothing is proved of it with other tools; leave it out")
    for first, second in itertools.permutations(tools, 2):
        reason = DECIDED[frozenset({first, second})]
        if reason and (second, first) not in UNPROVEN:
            raise Refused(
                f"{TOOLS[first]} has no proof with {TOOLS[second]}: {reason}; leave one of them out"
            )
