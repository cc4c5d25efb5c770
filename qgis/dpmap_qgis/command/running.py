"""Runs one dpmap command: tells its progress, stops it gently, and returns its answer as JSON."""

import time
from typing import Any, NamedTuple

from . import stopping
from .child import LOOKED_EVERY, Child, parsed
from .private import private_folder

INTERRUPTED = 130
BY_THE_STOP = (-2, 0xC000013A)
"""How a command ends that the stop met before it could say a word (Unix, Windows)."""
PATIENCE = 20.0
"""Seconds that a command which spends nothing has to stop by itself."""
STOPPING = {
    "step": "stopping: dpmap ends what must not be left half done",
    "fraction": None,
    "seconds_left": None,
}


class Answer(NamedTuple):
    """What a command said: its exit code, its JSON, and where it failed the line for people and the option that it is about."""

    code: int
    told: Any
    error: str
    option: str = ""

    @property
    def good(self):
        """Whether the command did what it was asked."""
        return self.code == 0


def run(program, words, progress=None, stopped=None, rows=None):
    """Runs `program` with `words` and returns its answer. Paths among the words are absolute: the command works in a folder of its own.

    `progress` is told each step (a dict with step, fraction, seconds_left), in the thread that called; `stopped` says whether somebody
    wants it to end; `rows` are pieces of bytes for the command's standard input. Where `rows` raises, the command is
    stopped, and what was raised comes up.

    Somebody who stops a command asks it as Ctrl-C does. One that may have spent is then waited for as long as it takes, since only
    it can say what was spent: killed, it would have spent in vain. One that spends nothing, or has not all of its rows, is
    killed after `PATIENCE`. One that was stopped before it began is not started, and one that spends nothing has no answer any more.
    """
    spends = stopping.spends(words)
    if stopped is not None and stopped():
        return Answer(
            INTERRUPTED, None, f"dpmap was stopped{'; nothing was spent' if spends else ''}"
        )
    with private_folder() as private:
        try:
            child = Child(program, words, private, feeding=rows is not None)
        except (OSError, ValueError):
            return Answer(
                1,
                None,
                "dpmap could not be started: choose its program again under Settings > Options > dpmap",
            )
        watch = _Watch(child, progress, stopped, spends and rows is None)
        try:
            if rows is not None:
                watch.feed(rows, spends)
            watch.to_the_end()
        finally:
            watch.end()
    return _answer(child, spends, watch.asked_to_stop)


class _Watch:
    """Watches a command in the thread that started it."""

    def __init__(self, child, progress, stopped, precious):
        self._child, self._progress, self._stopped = child, progress, stopped
        self._precious = precious
        self._asked = None

    @property
    def asked_to_stop(self):
        """Whether the command was asked to stop."""
        return self._asked is not None

    def feed(self, rows, spends):
        """Hands the rows over; a stream that is not brought to its end is refused by dpmap."""
        for piece in rows:
            if not self._handed(piece):
                return
        self._precious = spends  # from here dpmap may have all rows
        if not self._handed(None):
            self._child.cut()

    def to_the_end(self):
        """Waits for the command's end."""
        while not self._child.ended:
            self._look()
            self._child.wait(LOOKED_EVERY)
        self._child.last_words()
        self._tell()

    def end(self):
        """Leaves no command behind where something went wrong here."""
        if self._child.ended:
            return
        self._ask_to_stop()
        while not self._child.ended:
            self._child.wait(LOOKED_EVERY)
            self._lose_patience()

    def _handed(self, piece):
        """Whether the command took this piece; it takes none when it has ended or is asked to stop."""
        while not self._child.offer(piece):
            self._look()
            if self._asked is not None or self._child.ended:
                return False
        self._look()
        return self._asked is None and not self._child.ended

    def _look(self):
        self._tell()
        if self._asked is None and self._stopped is not None and self._stopped():
            self._ask_to_stop()
            if self._precious and self._progress is not None:
                self._progress(dict(STOPPING))
        self._lose_patience()

    def _tell(self):
        for step in self._child.told():
            if self._progress is not None:
                self._progress(step)

    def _ask_to_stop(self):
        if self._asked is None:
            self._asked = time.monotonic()
            stopping.gently(self._child.process)
            if not self._precious:
                self._child.cut()

    def _lose_patience(self):
        if (
            self._asked is not None
            and not self._precious
            and time.monotonic() - self._asked > PATIENCE
        ):
            stopping.by_force(self._child.process)


def _answer(child, spends, stopped):
    """Reads what a command left. One that was stopped may end in any way: it was still loading, or ended by force, or just ready."""
    code, said = child.process.returncode, child.said
    if said is None:
        return Answer(
            code or 1,
            None,
            "dpmap did it, but its answer is too long for QGIS; ask it on the command line",
        )
    text = said.decode("utf-8", "replace")
    told = next(
        (
            found
            for part in (text, *reversed(text.splitlines()))
            if (found := parsed(part)) is not None
        ),
        None,
    )
    if code == 0 and (spends or not stopped):
        return Answer(0, told, "")
    error, option = _read_failure(told, child.lines)
    doubt = "; look into the ledger for what was spent" if spends else ""
    if code in (0, *BY_THE_STOP) or (stopped and not error):
        return Answer(INTERRUPTED, told, error if error and code else f"dpmap was stopped{doubt}")
    return Answer(code, told, error or f"dpmap ended by itself (code {code}){doubt}", option)


def _read_failure(document, lines):
    """Returns the error of a command and the option that it is about: from its JSON, else the last line for people, which names none."""
    if isinstance(document, dict) and isinstance(document.get("error"), str):
        option = document.get("option")
        return document["error"], option if isinstance(option, str) else ""
    errors = [line[len("dpmap: ") :] for line in lines if line.startswith("dpmap: ")]
    return errors[-1] if errors else "", ""
