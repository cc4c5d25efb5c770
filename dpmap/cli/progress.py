"""What a steward sees while a survey is counted: the step, its percentage and the time left; never a count, never a log."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

LOOKED_EVERY = 0.5
STALE = 20.0
"""Seconds after which a percentage that stands still is not shown any more: the engine has lost sight of it."""


class Meter:
    """A step, and how far its query is; `show` puts the words where they are seen."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show, self._step, self._told = show, "starting", TimeLeft()

    def __call__(self, step: str) -> None:
        """Another step begins."""
        self._step, self._told = step, TimeLeft()
        self._show(step)

    @contextmanager
    def follow(self, percent: Callable[[], float]) -> Iterator[None]:
        """Asks how far the engine's query is, in a thread of its own, for as long as the block lasts."""
        done = Event()

        def look() -> None:
            while not done.wait(LOOKED_EVERY):
                self._show(self._step + self._told.after(percent(), time.monotonic()))

        looking = Thread(target=look, daemon=True)
        looking.start()
        try:
            yield
        finally:
            done.set()
            looking.join()


class TimeLeft:
    """Percentages as they come in, as words; each query of a step begins again at nought."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self._last = (0.0, 0.0)

    def after(self, percent: float, now: float) -> str:
        """The words for this percentage at this moment; none while there is nothing to tell.

        >>> told = TimeLeft()
        >>> told.after(-1, 0), told.after(0, 1), told.after(25, 11), told.after(75, 31)
        ('', ': 0 %', ': 25 %, about 30 s left', ': 75 %, about 10 s left')
        """
        if not 0 <= percent <= 100:
            return ""
        if self._first is None or percent < self._last[0]:
            self._first = self._last = (percent, now)
        elif percent > self._last[0]:
            self._last = (percent, now)
        elif now - self._last[1] > STALE:
            return ""
        risen, passed = percent - self._first[0], now - self._first[1]
        if risen < 1 or passed < 2:
            return f": {percent:.0f} %"
        return f": {percent:.0f} %, about {duration((100 - percent) / risen * passed)} left"


def duration(seconds: float) -> str:
    """A span of time in the words of a guess.

    >>> duration(3.2), duration(47), duration(400), duration(9000)
    ('3 s', '47 s', '7 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
