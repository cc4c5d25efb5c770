"""Runs one dpmap command: tells its progress, stops it gently, and returns its answer as JSON."""

import json
import os
import signal
import subprocess
import threading
from typing import Any, NamedTuple

from .private import private_folder
from .surroundings import environment

LOOKED_EVERY = 0.2
INTERRUPTED = 130


class Answer(NamedTuple):
    """What a command said: its exit code, its JSON, and the line for people where it failed."""

    code: int
    told: Any
    error: str

    @property
    def good(self):
        """Whether the command did what it was asked."""
        return self.code == 0


def run(program, words, progress=None, stopped=None, rows=None):
    """Runs `program` with `words` and returns its answer.

    `progress` is told each step (a dict with step, fraction, seconds_left); `stopped` says whether somebody wants it to end;
    `rows` are pieces of bytes for the command's standard input.
    """
    with private_folder() as private:
        process = subprocess.Popen(  # noqa: S603  # dpmap itself, its words as a list
            [*program, *words], cwd=private, env=environment(private), stdin=subprocess.PIPE if rows is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **apart(),
        )  # fmt: skip
        said, lines = [], []
        threads = [
            threading.Thread(target=lambda: said.append(process.stdout.read()), daemon=True),
            threading.Thread(target=_listen, args=(process.stderr, lines, progress), daemon=True),
        ]
        for thread in threads:
            thread.start()
        if rows is not None:
            _feed(process, rows, stopped)
        _wait(process, stopped)
        for thread in threads:
            thread.join()
    return _answer(process.returncode, b"".join(said), lines)


def apart():
    """Starts a command in a group of its own, without a window."""
    if os.name == "nt":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def stop(process):
    """Asks the command to stop as Ctrl-C does, so that it can say what was spent."""
    process.send_signal(signal.CTRL_BREAK_EVENT if os.name == "nt" else signal.SIGINT)


def _wait(process, stopped):
    asked = False
    while not _ended(process):
        if not asked and stopped is not None and stopped():
            asked = True
            stop(process)


def _ended(process):
    try:
        process.wait(LOOKED_EVERY)
    except subprocess.TimeoutExpired:
        return False
    return True


def _feed(process, rows, stopped):
    """Writes the rows; a stream that is not brought to its end is refused by dpmap."""
    try:
        for piece in rows:
            if stopped is not None and stopped():
                break
            process.stdin.write(piece)
        process.stdin.close()
    except OSError:  # the command has ended: its own line says why
        pass


def _listen(stream, lines, progress):
    for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip()
        told = _parsed(line) if line.startswith("{") else None
        if isinstance(told, dict):
            if progress is not None:
                progress(told)
        else:
            lines.append(line)


def _answer(code, said, lines):
    errors = [line[len("dpmap: ") :] for line in lines if line.startswith("dpmap: ")]
    error = "" if code == 0 else errors[-1] if errors else f"dpmap ended by itself (code {code})"
    return Answer(code, _parsed(said.decode("utf-8", "replace")), error)


def _parsed(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
