"""Shows progress while a survey is counted: the step, its percentage and the time left; never a count of the survey.

On a terminal it is a line of words, in a log nothing; another program asks for JSON.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

LOOKED_EVERY = 0.5
STALE = 20.0
"""Seconds after which a percentage that stands still is not shown any more: the engine has lost sight of it."""


class Meter:
    """Tracks a step and how far its query is; `told` makes a line of them and `show` displays it."""

    def __init__(
        self, show: Callable[[str], None], told: "Callable[[str, float | None, float | None], str] | None" = None
    ) -> None:
        self._show, self._line, self._step, self._told = show, told or in_words, "starting", TimeLeft()

    def __call__(self, step: str) -> None:
        """Begins another step."""
        self._step, self._told = step, TimeLeft()
        self._show(self._line(step, None, None))

    @contextmanager
    def follow(self, percent: Callable[[], float]) -> Iterator[None]:
        """Asks how far the engine's query is, in a thread of its own, for as long as the block lasts."""
        done = Event()

        def look() -> None:
            while not done.wait(LOOKED_EVERY):
                self._show(self._line(self._step, *self._told.after(percent(), time.monotonic())))

        looking = Thread(target=look, daemon=True)
        looking.start()
        try:
            yield
        finally:
            done.set()
            looking.join()


def in_words(step: str, percent: float | None, seconds: float | None) -> str:
    """Returns the line for a person.

    >>> in_words("counting", None, None), in_words("counting", 25, 30)
    ('counting', 'counting: 25 %, about 30 s left')
    """
    far = "" if percent is None else f": {percent:.0f} %"
    return step + far + ("" if seconds is None else f", about {duration(seconds)} left")


def in_json(step: str, percent: float | None, seconds: float | None) -> str:
    """Returns the line for a program, with rounded numbers.

    >>> in_json("counting", 25.4, 30.2)
    '{"step": "counting", "fraction": 0.25, "seconds_left": 30}'
    """
    fraction = None if percent is None else round(percent / 100, 2)
    left = None if seconds is None else round(seconds)
    return json.dumps({"step": step, "fraction": fraction, "seconds_left": left}, ensure_ascii=False)


class TimeLeft:
    """Estimates the seconds left from the percentages so far; each query of a step starts again at 0."""

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
        risen, passed = percent - self._first[0], now - self._first[1]
        return percent, None if risen < 1 or passed < 2 else (100 - percent) / risen * passed


def duration(seconds: float) -> str:
    """Writes a span of time roughly, in words.

    >>> duration(3.2), duration(47), duration(400), duration(9000)
    ('3 s', '47 s', '7 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
