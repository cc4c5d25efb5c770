"""Lists the pairs of tools that have no proof together, and refuses them before anything is counted or reserved.

Each tool's own proof stands beside its code. Two at once are allowed where both proofs hold as they stand; every other pair is
a line here with its reason, and refused. To bring a new tool in, name it in `TOOLS` and decide on it with each of the others.
"""

import itertools
from collections.abc import Iterable

from dpmap.errors import Refused

TOOLS = {
    "rows": "--unit row",
    "chosen cap": "--cap auto",
    "limiter": "--limiter",
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
    "sampled rows": "--limiter sample",
    "adaptive": "--strategy adaptive",
    "sparse": "--strategy sparse",
    "opendp": "--noise opendp",
    "tiers": "--tier",
}
"""Each tool and the flag that asks for it."""

UNPROVEN = {
    ("sample", "rows"): "rows have no names by which to draw each alone, so equal rows would be drawn together",
    ("sample", "chosen cap"): "the choice of the cap would look at units that were not drawn",
    ("sites", "chosen cap"): "the choice of the cap bounds what a contributor adds, and nothing of a site",
    ("sites", "sample"): "drawing contributors hides contributors, and no site",
    ("sites", "limiter"): "two units at once have a limiter of their own",
    ("sites", "layers"): "its cap is proved for one cell a site",
    ("sites", "counts"): "its cap is proved for whole links of a contributor and a site",
    ("sites", "teams"): "its cap is proved for one contributor a link (--team none makes each text one)",
    ("sites", "own units"): "a link is made of two names",
    ("sites", "withdrawal"): "its cap is proved for rows that stay or go by themselves",
    ("limits", "rows"): "a limit is a person's, and single rows name none",
    ("limits", "chosen cap"): "the choice of the cap takes no account of personal limits",
    ("limits", "limiter"): "a cap that is no whole number of points is proved where all rows are scaled",
    ("limits", "sites"): "its cap is proved for one cap for all",
    ("choice", "limits"): "the chance of a name is told for one epsilon",
    ("means", "rows"): "the two parts of a row would be two units",
    ("means", "own units"): "the two parts of a row that names nobody would be two units",
    ("teams", "withdrawal"): "one refusal on a row would take out everybody whom it names",
    ("limits", "teams"): "a limit on a row would be that of everybody whom it names",
    ("means", "limiter"): "the two parts of a row count together, which only the limiter scale keeps",
    ("means", "counts"): "the cap is shared out by rows, and a row would count many times",
    ("means", "sites"): "its cap is proved for whole links of a contributor and a site",
    ("means", "choice"): "one unit more can lower a mean",
    ("choice", "chosen cap"): "two choices in one call would be billed as one",
    ("choice", "sites"): "its score is bounded for a contributor, and not for a site",
    ("devices", "layers"): "one report tells of one cell; ask a question of its own for each kind or time",
    ("delta", "rows"): "a row is in one cell, where Laplace noise is the smaller",
    ("delta", "sampled rows"): "it keeps the cap for the sum of a unit's cells, and not for their length",
    ("delta", "sample"): "that a draw amplifies is proved here for epsilon alone",
    ("delta", "sites"): "its caps are proved for sums, and not for lengths",
    ("delta", "limits"): "its caps in proportion to epsilon are proved for Laplace noise",
    ("delta", "means"): "their intervals are proved for Laplace noise",
    ("delta", "choice"): "a choice keeps epsilon without it",
    (
        "delta",
        "adaptive",
    ): "the length of a unit is bounded in single cells, which --strategy flat measures, and not in regions",
    ("delta", "sparse"): "its cells are drawn by the law of Laplace noise",
    ("delta", "opendp"): "it is asked for Laplace noise only",
    ("tiers", "delta"): "that a noisier copy costs nothing is proved for Laplace noise",
    ("tiers", "sparse"): "that it has noisier copies is not proved",
    ("tiers", "opendp"): "only dpmap's own noise is drawn with its noisier copies",
    ("tiers", "limits"): "each person's cap would follow from one reader's epsilon, and there are several",
    ("tiers", "choice"): "a name has no noisier copy",
    ("tiers", "devices"): "a device answers once, at one epsilon",
}
"""Pairs that are refused, and why."""


def refuse_unproven(used: Iterable[str]) -> None:
    """Raises at the first pair of tools that has no proof.

    >>> refuse_unproven(["sample", "layers"])
    >>> refuse_unproven(["rows", "sample"])
    Traceback (most recent call last):
    ...
    dpmap.errors.Refused: --sample has no proof with --unit row: rows have no names by which to draw each alone, so equal \
rows would be drawn together; leave one of them out
    """
    for first, second in itertools.permutations(dict.fromkeys(used), 2):
        if reason := UNPROVEN.get((first, second)):
            raise Refused(f"{TOOLS[first]} has no proof with {TOOLS[second]}: {reason}; leave one of them out")
