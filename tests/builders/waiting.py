"""How tests wait: for something that can be seen, however busy the machine is. A time is only the limit at which they give up."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONG = 600
"""Seconds after which what is waited for has failed: far more than it takes beside any other work."""


_WAITS = """
import time
from dpmap.steward.progress import ProgressMeter
begin = ProgressMeter.__call__
def begin_and_wait(self, step):
    begin(self, step)
    if step.startswith(open({place!r}, encoding="utf-8").read()):
        time.sleep(600)
ProgressMeter.__call__ = begin_and_wait
"""


def waits_at_step(place: Path) -> str:
    """Lines of Python after which a dpmap that tells its steps waits at the one that a file names, until it is stopped or killed."""
    return _WAITS.format(place=str(place))


def until(
    condition: Callable[[], Any],
    told: object = "it never came to be",
    *,
    pause: Callable[[], object] | None = None,
) -> Any:
    """Waits until something holds, and returns what the condition returned; `told`, or what it returns, says what failed.

    `pause` waits a moment where the caller's own thread has work to do meanwhile, as a page of a browser has.
    """
    end = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < end, told() if callable(told) else told
        pause() if pause is not None else time.sleep(0.01)
    return found
