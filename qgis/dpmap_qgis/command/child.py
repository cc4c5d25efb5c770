"""Starts one command and listens to it: what it says is bounded, and nothing waits for what never comes."""

import json
import queue
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress

from . import stopping
from .surroundings import environment

MOST_SAID, MOST_LINES, LONGEST_LINE = 1 << 26, 1000, 1 << 16
"""Bytes of one answer; lines for people, of which the last are kept; bytes of a line."""
LOOKED_EVERY = 0.1
LINGER = 5.0
"""Seconds for the last words of a command that has ended: something that it started may hold them open for ever."""
WAITING = 8
"""Pieces of rows that wait for a slow command."""
MOST_TOLD = 10_000
"""Steps of progress that wait to be told."""


class Child:
    """One command that runs. Its progress waits in a queue, so that whoever started it tells it in a thread of their own."""

    def __init__(
        self, program, words, private, *, feeding=False, fetching=False, folder=None, more=None
    ):
        lock = getattr(private, "lock", None)
        held = {} if lock is None or stopping.os.name == "nt" else {"pass_fds": (lock,)}
        self.process = subprocess.Popen(  # noqa: S603  # nosec B603  # dpmap itself, its words as a list
            [*program, *words], cwd=str(folder or private), env={**environment(private, fetching=fetching), **(more or {})},
            stdin=subprocess.PIPE if feeding else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0, **held, **stopping.apart(),
        )  # fmt: skip
        self._said, self._size, self.lines = [], 0, deque(maxlen=MOST_LINES)
        self._told = queue.Queue(MOST_TOLD)
        self._pieces = queue.Queue(WAITING)
        self._listeners = [_thread(self._hear_answer), _thread(self._hear_lines)]
        self._feeder = _thread(self._feed) if feeding else None

    @property
    def ended(self):
        """Whether the command has ended."""
        return self.process.poll() is not None

    @property
    def said(self):
        """What it wrote to its standard output; None where this was too long to keep."""
        return b"".join(self._said) if self._size <= MOST_SAID else None

    @property
    def heard(self):
        """How many bytes it wrote to its standard output so far."""
        return self._size

    def wait(self, seconds):
        """Waits so long for its end."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def told(self):
        """Returns the steps it has told since this was last asked."""
        found = []
        with suppress(queue.Empty):
            while True:
                found.append(self._told.get_nowait())
        return found

    def offer(self, piece):
        """Hands a piece of rows over, None at their end; returns whether there was room."""
        try:
            self._pieces.put(piece, timeout=LOOKED_EVERY)
        except queue.Full:
            return False
        return True

    def last_words(self):
        """Waits a moment for what a command that has ended still had to say."""
        until = time.monotonic() + LINGER
        for thread in self._listeners:
            thread.join(max(0.0, until - time.monotonic()))

    def cut(self):
        """Closes the command's standard input where it stands, so that a command which still reads sees that rows are missing."""
        if self._feeder is not None:
            with suppress(queue.Empty):
                while True:
                    self._pieces.get_nowait()
            self.offer(None)

    def _hear_answer(self):
        with self.process.stdout as stream:
            while piece := stream.read(1 << 16):
                self._size += len(piece)
                if self._size <= MOST_SAID:
                    self._said.append(piece)
                else:
                    self._said.clear()  # it may go on: a release is not stopped for a long answer

    def _hear_lines(self):
        rest = b""
        with self.process.stderr as stream:
            while piece := stream.read(1 << 14):
                *whole, rest = (rest + piece).split(b"\n")
                for line in whole:
                    self._hear(line)
                rest = rest[-LONGEST_LINE:]
        if rest:
            self._hear(rest)

    def _hear(self, raw):
        line = raw[:LONGEST_LINE].decode("utf-8", "replace").rstrip()
        told = parsed(line) if line.startswith("{") else None
        if not isinstance(told, dict):
            self.lines.append(line)
            return
        with suppress(queue.Full):  # nobody asks: a step less
            self._told.put_nowait(told)

    def _feed(self):
        try:
            while (piece := self._pieces.get()) is not None:
                view = memoryview(piece)
                while view:
                    view = view[self.process.stdin.write(view) :]
        except (OSError, ValueError):  # the command reads no more: its own line says why
            pass
        finally:
            with suppress(OSError):
                self.process.stdin.close()


def parsed(text):
    """Returns the JSON of a text, or None."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
