"""Shows progress while a survey is counted: the step, its percentage and the time left; never a
count of the survey.

On a terminal it is a bar of rich, in a log nothing; another program asks for JSON.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

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


class Bar:
    """Draws one line of rich's own progress, which guesses the time left by itself.

    It begins anew with each step and each query: rich takes a total that is known, and an end that
    was reached, for final.
    """

    def __init__(self, lines: "Progress") -> None:
        self._lines = lines
        self._line = lines.add_task("starting", total=None)
        self._shown: tuple[str, float | None] = ("starting", None)
        self._one_at_a_time = Lock()

    def __call__(self, step: str, percent: float | None, seconds: float | None) -> None:
        """Shows the step and how far it is."""
        del seconds
        with (
            self._one_at_a_time
        ):  # a step begins in one thread while another asks how far the last one is
            self._show(step, percent)

    def _show(self, step: str, percent: float | None) -> None:
        before, known = self._shown
        if step != before or (percent is None) != (known is None) or (percent or 0) < (known or 0):
            self._lines.remove_task(self._line)
            self._line = self._lines.add_task(step, total=None if percent is None else 100)
        if percent is not None:
            self._lines.update(self._line, completed=percent)
        self._shown = (step, percent)


def in_json(step: str, percent: float | None, seconds: float | None) -> str:
    """Returns the line for a program, with rounded numbers.

    >>> in_json("counting", 25.4, 30.2)
    '{"step": "counting", "fraction": 0.25, "seconds_left": 30}'
    """
    fraction = None if percent is None else round(percent / 100, 2)
    left = None if seconds is None else round(seconds)
    return json.dumps(
        {"step": step, "fraction": fraction, "seconds_left": left}, ensure_ascii=False
    )


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
