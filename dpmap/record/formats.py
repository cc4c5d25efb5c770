"""Finds which format number a release file needs: the lowest whose readers know all that stands in
it.

`FIRST` holds every word of the file's own language, such as a limiter or a key, and the number that
first had it. A file carries the highest number of its words, so a reader of before refuses it in
one line instead of reading it as something else. A reader refuses as well what no number has,
whatever number the file carries, and what its number cannot have.

A new word is one line here (a limiter's or a strategy's stands in its spec) with a number above
those of the release before, which `tests/stability/formats.json` keeps; `FORMAT` follows.
"""

from collections.abc import Iterator
from typing import Any, get_args

from dpmap.errors import BadInput
from dpmap.local.device import Mechanism
from dpmap.noise.distributions import LAWS
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import CapOrigin, Policy
from dpmap.promise.strategies import CUSTOM, STRATEGY_SPECS
from dpmap.record.reports import MECHANISMS

LATER = "it was written by a newer dpmap; update yours the way you installed it"

FIRST: dict[str, dict[str, int]] = {
    "file": {
        **dict.fromkeys(
            (
                "format",
                "format_version",
                "grid",
                "policy",
                "strategy",
                "measurements",
                "receipt",
                "released_on",
                "versions",
                "notes",
                "remarks",
            ),
            1,
        ),
        "partners": 2,
        "priors": 5,
    },
    "policy": {
        **dict.fromkeys(
            ("epsilon", "unit", "cap", "limiter", "consent", "cap_origin", "cap_choice"), 1
        ),
        **dict.fromkeys(("sample", "site", "site_cap", "epsilon_by", "lifetime"), 2),
        **dict.fromkeys(("delta", "units"), 3),
    },
    "cap's origin": dict.fromkeys(("declared", "after inspection", "chosen privately"), 1),
    "limiter": {name: spec.since for name, spec in LIMITERS.items()},
    "strategy": {
        **{name: spec.since for name, spec in STRATEGY_SPECS.items()},
        **dict.fromkeys(("merged", "reports"), 2),
        CUSTOM: 6,
    },
    "grid": {
        **dict.fromkeys(
            ("kind", "crs", "shape", "masked", "bounds", "resolution", "names", "lengths"), 1
        ),
        "axes": 2,
    },
    "kind of cells": dict.fromkeys(("squares", "hexagons", "areas"), 1),
    "axis": dict.fromkeys(("kinds", "names", "times", "edges", "mean", "between"), 2),
    "measurement": {
        **dict.fromkeys(("partition", "regions", "lattice", "scale", "epsilon"), 1),
        **dict.fromkeys(("threshold", "reports", "elsewhere", "mechanism", "truth", "other"), 2),
        "noise": 3,
        "pooled": 4,
    },
    "partition": {"cells": 1, "labels": 1, "shown": 2},
    "noise": {"laplace": 1, "gaussian": 3},
    "devices' mechanism": dict.fromkeys(("grr", "oue"), 2),
}
"""Of what, the words of it, and the first format number that has each."""

for _what, _names in {
    "policy": Policy.__slots__,
    "cap's origin": set(get_args(CapOrigin)) - {"to be chosen privately"},  # no release says that
    "noise": LAWS,
    "devices' mechanism": get_args(Mechanism),
}.items():
    if FIRST[_what].keys() != set(_names) or set(get_args(Mechanism)) != set(MECHANISMS):
        raise TypeError(
            f"each word that a {_what} may have needs the number of the format that first had it"
        )

OF_BEFORE = {("strategy", "sparse"), ("partition", "shown"), ("measurement", "threshold")}
"""What a dpmap of before the second number already wrote, under the first."""

FORMAT = max(number for words in FIRST.values() for number in words.values())
"""The highest number that this version writes and reads."""


def _words_of(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields each word of a document, and of what it is one."""
    policy = document["policy"]
    grid = document["grid"]
    for what, plain in (("file", document), ("policy", policy), ("grid", grid)):
        for key in plain:
            yield what, key
    yield "limiter", policy["limiter"]
    yield "cap's origin", policy["cap_origin"]
    yield "strategy", document["strategy"].partition(":")[0]
    yield "kind of cells", grid["kind"]
    for axis in grid.get("axes", ()):
        for key in axis:
            yield "axis", key
    for measurement in document["measurements"]:
        for key in measurement:
            yield "measurement", key
        yield "partition", measurement["partition"]
        yield "noise", measurement.get("noise", "laplace")
        if "mechanism" in measurement:
            yield "devices' mechanism", measurement["mechanism"]


def format_needed(document: dict[str, Any]) -> int:
    """Returns the lowest format number whose readers know all that stands in a document.

    >>> format_needed({"policy": {"limiter": "scale", "cap_origin": "declared", "delta": "1/10"},
    ...     "grid": {"kind": "squares"}, "strategy": "flat", "measurements": []})
    3
    """
    return max(FIRST[what][word] for what, word in _words_of(document))


def check_format(document: dict[str, Any]) -> None:
    """Refuses a document of a later number, of a word that no number has, or of one that its own
    number cannot have.
    """
    number = int(document["format_version"])
    if number > FORMAT:
        raise BadInput(LATER)
    for what, word in _words_of(document):
        first = FIRST[what].get(word)
        if first is None:
            raise BadInput(f"this version does not know its {what}; {LATER}")
        if first > number and (what, word) not in OF_BEFORE:
            raise BadInput(
                f"files of its format version never have such a {what}; get the file again from"
                " whoever made it"
            )
