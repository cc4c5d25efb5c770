"""Says on stderr what is to be known beside an answer, in the form that its reader expects
there.
"""

import json
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from itertools import pairwise

_AS_PROGRESS: ContextVar[bool] = ContextVar("as_progress", default=False)


def for_programs(typed: Sequence[str]) -> None:
    """Notes whether `--progress json` was typed: then each line on stderr is an object, as of a
    step.
    """
    pairs = pairwise([*typed, ""])
    _AS_PROGRESS.set(
        any(pair == ("--progress", "json") or pair[0] == "--progress=json" for pair in pairs)
    )


def say_beside(line: str) -> None:
    """Prints one line on stderr; an answer in JSON on stdout stays whole."""
    message = {"step": line, "fraction": None, "seconds_left": None}
    print(
        json.dumps(message, ensure_ascii=False) if _AS_PROGRESS.get() else f"dpmap: {line}",
        file=sys.stderr,
    )
