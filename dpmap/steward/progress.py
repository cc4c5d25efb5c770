"""Tracks progress while a survey is counted: the step, its percentage and the time left; never a
count of the survey. Each step is written to the log `dpmap`, too.
"""

import inspect
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import cast

from dpmap.engines.engine import Following
from dpmap.errors import BadInput

LOG = logging.getLogger("dpmap")
StepWords = Callable[[str], object]
StepFraction = Callable[[str, float | None], object]
Show = Callable[[str, float | None, float | None], None]
"""Takes a step, the percentage of it that is done and the seconds left; None where they are not
known.
"""
LOOKED_EVERY = 0.5
STALE = 20.0
"""Seconds after which a percentage that stands still is not shown any more: the engine has lost
sight of it.
"""


class ProgressMeter:
    """Tracks a step and how far its query is; `show` displays them."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._step = "starting"
        self._told = TimeLeft()

    def __call__(self, step: str) -> None:
        """Begins another step."""
        self._step = step
        self._told = TimeLeft()
        self._show(step, None, None)

    @contextmanager
    def follow(self, percent: Callable[[], float]) -> Iterator[None]:
        """Asks how far the engine's query is, in a thread of its own, for as long as the block
        lasts.
        """
        done = Event()

        def look() -> None:
            while not done.wait(LOOKED_EVERY):
                self._show(self._step, *self._told.after(percent(), time.monotonic()))

        looking = Thread(target=look, daemon=True)
        looking.start()
        try:
            yield
        finally:
            done.set()
            looking.join()


class TimeLeft:
    """Estimates the seconds left from the percentages so far; each query of a step starts again
    at 0.
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self._last = (0.0, 0.0)

    def after(self, percent: float, now: float) -> tuple[float | None, float | None]:
        """Returns the percentage and the seconds left at this moment; None while nothing is known.

        >>> told = TimeLeft()
        >>> told.after(-1, 0), told.after(0, 1), told.after(25, 11), told.after(75, 31)
        ((None, None), (0, None), (25, 30.0), (75, 10.0))
        """
        if not 0 <= percent <= 100:
            return None, None
        if self._first is None or percent < self._last[0]:
            self._first = self._last = (percent, now)
        elif percent > self._last[0]:
            self._last = (percent, now)
        elif now - self._last[1] > STALE:
            return None, None
        risen = percent - self._first[0]
        passed = now - self._first[1]
        return percent, None if risen < 1 or passed < 2 else (100 - percent) / risen * passed


def log_step(step: str) -> None:
    """Write a step to the log."""
    LOG.info("%s", step)


def track_steps(progress: StepWords | StepFraction) -> Callable[[str], None]:
    """Return what is called with each step: it writes the step to the log and calls `progress`.

    Where `progress` takes two arguments it is called with the step and the fraction of it that is
    done, again and again while a query runs; None while that is not known.

    >>> steps = []
    >>> track_steps(steps.append)("counting")
    >>> track_steps(lambda step, fraction: steps.append((step, fraction)))("drawing noise")
    >>> steps
    ['counting', ('drawing noise', None)]
    """
    if progress is log_step:
        return log_step
    if not callable(progress):
        raise BadInput(
            "progress: give a function of the step, or of the step and the fraction done"
        )
    follower = cast(
        "StepWords",
        _with_fractions(cast("StepFraction", progress)) if _takes_fraction(progress) else progress,
    )

    def track(step: str) -> None:
        log_step(step)
        follower(step)

    if isinstance(follower, Following):
        track.follow = follower.follow
    return track


def unfailing(progress: Callable[[str], None]) -> Callable[[str], None]:
    """Return what calls `progress` with each step, and goes on where that fails."""

    def track(step: str) -> None:
        try:
            progress(step)
        # whatever a caller's function raises
        except Exception:  # noqa: BLE001
            LOG.warning("progress could not be shown")

    return track


def _with_fractions(progress: StepFraction) -> ProgressMeter:
    def show(step: str, percent: float | None, seconds: float | None) -> None:
        del seconds
        progress(step, None if percent is None else percent / 100)

    return ProgressMeter(show)


def _takes_fraction(progress: Callable[..., object]) -> bool:
    """Whether a function takes a step and a fraction, rather than a step."""
    try:
        parameters = inspect.signature(progress).parameters.values()
    # some built-in functions have no signature
    except (TypeError, ValueError):
        return False
    needed = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]
    return len(needed) == 2
