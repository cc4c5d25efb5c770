"""Defines a check: one promise in one sentence, and a function that says how strongly it was
tried, or fails.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Broken(Exception):
    """Raised when a promise does not hold; the message says which and by how much. It may quote
    numbers: all data is invented.
    """


class NotHere(Exception):
    """Raised when the check needs something that is not installed."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Says what a passed check did, and what it would have caught."""

    tried: str
    strength: str


@dataclass(slots=True)
class Effort:
    """Says how much to try: `times` the usual work, on `cores` processes; `deep` adds what only a
    night has time for.

    >>> Effort(times=0.1).many(1000), Effort(times=0.001).many(1000, least=50)
    (100, 50)
    """

    times: float = 1.0
    cores: int = 1
    deep: bool = False
    _pool: ProcessPoolExecutor | None = field(default=None, repr=False)

    def many(self, usual: int, *, least: int = 1) -> int:
        """Returns that many, more or fewer with the effort."""
        return max(least, round(usual * self.times))

    def spread(self, work: Callable[[Job], Answer], jobs: Sequence[Job]) -> Iterator[Answer]:
        """Returns the answers to all jobs in order, worked out side by side on all cores. `work`
        is a module's own function.
        """
        if self.cores == 1 or len(jobs) == 1:
            return map(work, jobs)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.cores, mp_context=get_context("spawn"))
        return self._pool.map(work, jobs)

    def shares(self, count: int) -> list[int]:
        """Divides `count` into about equal parts, a few for each core.

        >>> Effort(cores=2).shares(10)
        [3, 3, 2, 2]
        """
        parts = min(count, 1 if self.cores == 1 else 2 * self.cores)
        return [count // parts + (part < count % parts) for part in range(parts)]

    @contextmanager
    def working(self) -> Iterator["Effort"]:
        """Stops the helper processes when the block ends."""
        try:
            yield self
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)
                self._pool = None


@dataclass(frozen=True, slots=True)
class Check:
    """Describes one check: `run` returns what it found, or raises `Broken`."""

    part: str
    name: str
    promise: str
    run: Callable[[Effort], CheckResult]


def all_cores() -> int:
    """Returns how many processes to use."""
    return max(1, os.cpu_count() or 1)


@contextmanager
def replace_attribute(owner: Any, name: str, value: object) -> Iterator[None]:
    """Sets `owner.name` to `value` for as long as the block lasts, to watch a part in its own
    process.
    """
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
