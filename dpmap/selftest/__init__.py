"""Checks the promise on the machine at hand, for those who rely on it without reading proofs.

`selftest` tries everything in `CHECKS` and returns a verdict of one page: what depends on this
machine's entropy, libraries, disks and processes, and whole runs of the installed version. What
holds wherever the sources run is proved by the suite, in `tests/proofs`. A check is a small
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
    end_to_end,
    gaussian,
    guards,
    laplace_bits,
    local,
    noise,
    privacy_audit,
    reader_neighbours,
    replayed_surveys,
)
from dpmap.selftest.check import Broken, Check, Effort, NotHere

CHECKS: tuple[Check, ...] = (
    Check("noise", "places", "every probability the sampler uses is exact", laplace_bits.places),
    Check("noise", "frequencies", "what is drawn follows the law", noise.frequencies),
    Check("noise", "fresh", "no noise comes twice, and no seed steers it", noise.fresh),
    Check(
        "noise",
        "opendp",
        "OpenDP's noise, where a policy asks for it, has the same law",
        noise.other_source,
    ),
    Check("noise", "bell", "drawn Gaussian noise follows its law", gaussian.frequencies),
    Check(
        "cap", "pairs", "no one moves the map by more than the cap, or what others add", cap.pairs
    ),
    Check("odds", "flat", "no event betrays anyone by more than epsilon: flat", privacy_audit.flat),
    Check(
        "odds",
        "adaptive",
        "the same where each question follows from the answers before",
        privacy_audit.adaptive,
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
        "runs",
        "replay",
        "nothing but noisy answers follows from the survey, within the cap",
        replayed_surveys.replays,
    ),
    Check(
        "local", "once", "a device draws afresh for each question, and answers it once", local.once
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
REPLAY = 2.0
"""The effort of `--replay`, which makes nothing else."""
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
    """Holds all lines; a build is good when none is broken."""

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
    began = time.perf_counter()
    lines = []
    with effort.working():
        for check in (*CHECKS, *DEEP):
            if check.name in only or (not only and (effort.deep or check in CHECKS)):
                progress(f"{check.part}: {check.promise}")
                lines.append(_line(check, effort))
    return Verdict(tuple(lines), time.perf_counter() - began, effort.deep)


def _line(check: Check, effort: Effort) -> Line:
    """Runs one check and reports any failure in full, since all data is invented."""
    began = time.perf_counter()
    caught = ""
    try:
        result = check.run(effort)
        outcome = "passed"
        tried = result.tried
        caught = result.strength
    except NotHere as missing:
        outcome = "not here"
        tried = str(missing)
    except Broken as broken:
        outcome = "broken"
        tried = str(broken)
    # a part that fails is a promise that could not be kept
    except Exception as failure:  # noqa: BLE001
        outcome = "broken"
        tried = f"the check could not be carried out: {type(failure).__name__}: {failure}"
    seconds = time.perf_counter() - began
    return Line(check.part, check.name, check.promise, outcome, tried, caught, round(seconds, 1))
