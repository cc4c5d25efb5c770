"""Checks the promise on the installed version, for those who rely on it without reading proofs.

`selftest` tries everything in `CHECKS` and returns a verdict of one page. A check is a small
function that either says what it tried and what it would have caught, or raises `Broken`; to add
one, write it and name it in the list.
"""

import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from dpmap.selftest import (
    cap,
    correlated_laplace,
    disjoint_groups,
    end_to_end,
    gaussian,
    guards,
    laplace_bits,
    laplace_law,
    layers_means_sites,
    limits,
    local,
    noise,
    privacy_audit,
    reader_neighbours,
    weights,
)
from dpmap.selftest.check import Broken, Check, Effort, NotHere

CHECKS: tuple[Check, ...] = (
    Check("noise", "places", "every probability the sampler uses is exact", laplace_bits.places),
    Check("noise", "coins", "every coin is decided exactly", noise.coins),
    Check("noise", "assembly", "the coins add up to the stated law, exactly", laplace_law.assembly),
    Check("noise", "frequencies", "what is drawn follows the law", noise.frequencies),
    Check(
        "noise",
        "copies",
        "a noisier copy follows its law, alone and beside what it copies",
        correlated_laplace.drawn,
    ),
    Check("noise", "fresh", "no noise comes twice, and no seed steers it", noise.fresh),
    Check("noise", "choice", "a cap is chosen with its exact chances", noise.choice),
    Check("noise", "areas", "an area is chosen with its exact chances", layers_means_sites.areas),
    Check(
        "noise", "sparse", "a sparse map shows what a whole one would", layers_means_sites.sparse
    ),
    Check(
        "noise",
        "opendp",
        "OpenDP's noise, where a policy asks for it, has the same law",
        noise.other_source,
    ),
    Check(
        "noise",
        "gaussian",
        "the coins of Gaussian noise add up to its law, exactly",
        gaussian.assembly,
    ),
    Check("noise", "bell", "what is drawn follows it", gaussian.frequencies),
    Check(
        "noise",
        "conversion",
        "epsilon and delta buy no less Gaussian noise than they must",
        gaussian.conversion,
    ),
    Check(
        "cap", "pairs", "no one moves the map by more than the cap, or what others add", cap.pairs
    ),
    Check("cap", "random", "the same in surveys nobody chose", cap.random_pairs),
    Check("cap", "weights", "nor is there an exception, whatever a unit weighs", weights.weights),
    Check(
        "cap",
        "lengths",
        "with a delta, nor by more than the root of the cap in length",
        gaussian.lengths,
    ),
    Check(
        "cap", "nobody", "rows without consent, name or place in the area count nothing", cap.nobody
    ),
    Check(
        "cap",
        "withdrawn",
        "who withdraws is gone whole, and nobody else's rows change",
        cap.withdrawn,
    ),
    Check("cap", "limits", "no one loses more than the limit stated for oneself", limits.limits),
    Check("cap", "layers", "the cap spans all kinds and times", layers_means_sites.layers),
    Check("cap", "means", "and both parts of every row of a mean", layers_means_sites.means),
    Check(
        "cap",
        "sites",
        "nor does a contributor or a site, where both are protected",
        layers_means_sites.sites,
    ),
    Check("odds", "flat", "no event betrays anyone by more than epsilon: flat", privacy_audit.flat),
    Check(
        "odds",
        "adaptive",
        "the same where each question follows from the answers before",
        privacy_audit.adaptive,
    ),
    Check(
        "odds",
        "tiers",
        "several readers' answers in one hand betray no more than the finest",
        correlated_laplace.tiers,
    ),
    Check("runs", "session", "each answer carries all of its noise", end_to_end.session),
    Check(
        "runs",
        "course",
        "a region asked again pools what it cost, for every reader",
        correlated_laplace.course,
    ),
    Check(
        "runs",
        "whole",
        "from survey file to saved release: noise, bill and file are right",
        end_to_end.whole,
    ),
    Check(
        "runs",
        "texts",
        "in a text nobody's rows change how another's are read",
        reader_neighbours.texts,
    ),
    Check(
        "runs", "records", "nor among records that name their own fields", reader_neighbours.records
    ),
    Check("runs", "tables", "nor in formats with a schema of their own", reader_neighbours.tables),
    Check(
        "runs", "delta", "the same with a delta, and the ledger keeps count of it", gaussian.runs
    ),
    Check(
        "runs",
        "sampled",
        "a sample draws everyone with its chance, anew each time",
        end_to_end.sampled,
    ),
    Check(
        "local",
        "answers",
        "whatever a volunteer answers, her report is about as likely",
        local.answers,
    ),
    Check("local", "words", "each bit of a report has a coin of its own", local.words),
    Check(
        "local",
        "thresholds",
        "the chances keep epsilon at every size, and waste none of it",
        local.thresholds,
    ),
    Check(
        "local", "once", "a device draws afresh for each question, and answers it once", local.once
    ),
    Check("guards", "sealed", "private values cannot be shown, copied or saved", guards.sealed),
    Check(
        "guards",
        "strategies",
        "no strategy gets more than was reserved",
        guards.strategies_are_held,
    ),
    Check(
        "guards", "regions", "with a delta, no question goes beyond single cells", gaussian.regions
    ),
    Check(
        "guards",
        "order",
        "epsilon is spent on disk before noise is drawn and data looked at",
        guards.order,
    ),
    Check(
        "guards", "ledger", "the ledger cannot be overspent, edited or cut unnoticed", guards.ledger
    ),
    Check(
        "guards", "seasons", "plans and partners add up to what is said", layers_means_sites.seasons
    ),
    Check(
        "guards",
        "partners",
        "data sets count apart only where no unit can be in two of a group",
        disjoint_groups.partners,
    ),
    Check("guards", "race", "not even by many at once", guards.race),
)
DEEP: tuple[Check, ...] = (
    Check(
        "odds",
        "files",
        "no event betrays anyone by more than epsilon: through files",
        end_to_end.files,
    ),
    Check("cap", "spark", "Spark counts to the same digit", cap.spark),
)
"""Those that only `--deep` makes, or who names them."""
NIGHT = 12.0
"""A night's effort beside that of the usual run."""


@dataclass(frozen=True, slots=True)
class Line:
    """Says how one check ended: `passed`, `broken`, or `not here` if it needs something that is
    not installed.
    """

    part: str
    name: str
    promise: str
    outcome: str
    tried: str
    caught: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Holds all lines; a build is good when none is broken. A build is good when none is broken."""

    lines: tuple[Line, ...]
    seconds: float
    deep: bool

    @property
    def passed(self) -> bool:
        """Whether every promise that could be checked held."""
        return all(line.outcome != "broken" for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        from dpmap import __version__
        from dpmap.version import own_code

        about = {
            "dpmap": __version__,
            "code": own_code(),
            "python": platform.python_version(),
            "system": platform.platform(terse=True),
        }
        return {
            "passed": self.passed,
            "deep": self.deep,
            "seconds": round(self.seconds, 1),
            **about,
            "checks": [asdict(line) for line in self.lines],
        }


def selftest(
    effort: Effort, only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None
) -> Verdict:
    """Runs every check, or those named, one after the other."""
    began, lines = time.perf_counter(), []
    with effort.working():
        for check in (*CHECKS, *DEEP):
            if check.name in only or (not only and (effort.deep or check in CHECKS)):
                progress(f"{check.part}: {check.promise}")
                lines.append(_line(check, effort))
    return Verdict(tuple(lines), time.perf_counter() - began, effort.deep)


def _line(check: Check, effort: Effort) -> Line:
    """Runs one check and reports any failure in full, since all data is invented."""
    began, caught = time.perf_counter(), ""
    try:
        found = check.run(effort)
        outcome, tried, caught = "passed", found.tried, found.strength
    except NotHere as missing:
        outcome, tried = "not here", str(missing)
    except Broken as broken:
        outcome, tried = "broken", str(broken)
    # a part that fails is a promise that could not be kept
    except Exception as failure:  # noqa: BLE001
        outcome, tried = (
            "broken",
            f"the check could not be carried out: {type(failure).__name__}: {failure}",
        )
    seconds = time.perf_counter() - began
    return Line(check.part, check.name, check.promise, outcome, tried, caught, round(seconds, 1))
