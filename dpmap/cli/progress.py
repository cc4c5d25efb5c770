"""Shows progress on stderr: on a terminal a bar of rich, in a log nothing; another program asks for
JSON, a scheduler for lines with the time.
"""

import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from dpmap.errors import BadInput

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress_shown(how: str | None = None) -> Iterator[Callable[[str], None]]:
    """Shows the current step, its percentage and the time left on stderr: a bar on a terminal,
    lines of JSON or of the log if asked for, else nothing.
    """
    if how not in (None, "json", "log"):
        raise BadInput("--progress: give json or log, or leave it out for a line on a terminal")
    if how == "log":
        with _log_shown() as log_step:
            yield log_step
        return
    if how is None and not sys.stderr.isatty():
        yield lambda step: None
        return
    from dpmap.steward.progress import ProgressMeter

    if how == "json":
        yield ProgressMeter(lambda *told: print(in_json(*told), file=sys.stderr, flush=True))
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn

    columns = SpinnerColumn(), *Progress.get_default_columns()
    with Progress(*columns, console=Console(stderr=True), transient=True) as lines:
        yield ProgressMeter(Bar(lines))


@contextmanager
def _log_shown() -> Iterator[Callable[[str], None]]:
    """Writes the log `dpmap` on stderr, each line with its time in UTC."""
    from dpmap.steward.progress import LOG, log_step

    handler = logging.StreamHandler(sys.stderr)
    layout = logging.Formatter(
        "%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"
    )
    layout.converter = time.gmtime
    handler.setFormatter(layout)
    level = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield log_step
    finally:
        LOG.setLevel(level)
        LOG.removeHandler(handler)


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
