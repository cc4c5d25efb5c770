"""Runs the command line in a process of its own, so that a crash of the engine does not take the
page with it.

What a command answers is JSON, and so is what went wrong; what it tells of its progress is a line
of JSON each.
"""

import json
import secrets
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpmap import relaunch
from dpmap.errors import BadInput
from dpmap.studio.child_env import environment, start_apart
from dpmap.studio.error_fields import name_fields
from dpmap.studio.spool import Spool

PATIENCE = 120.0
"""Seconds that a page waits for a command that should be quick."""
MOST_JOBS = 200
MOST_KEPT = 1 << 28
"""How many ended commands are remembered, and bytes of their answers."""
MOST_SAID = 1 << 26
TAIL = 1 << 14
"""Bytes of one answer, and of the last lines beside it, in which the progress stands."""
STOPPED = 130


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """What a command said: its exit code, its JSON, and the line for people where it failed, with
    the option that this is about.
    """

    code: int
    output: Any = None
    error: str = ""
    size: int = 0
    option: str = ""

    @property
    def good(self) -> bool:
        """Whether the command did what it was asked."""
        return self.code == 0

    @property
    def failure(self) -> BadInput:
        """Why the command failed, as an error of this process."""
        return BadInput(self.error, option=self.option)


def type_command(words: Sequence[str]) -> str:
    """Writes the command as somebody would type it.

    >>> type_command(["plan", "--config", "my map.toml"])
    "dpmap plan --config 'my map.toml'"
    """
    return shlex.join(["dpmap", *words])


def path(name: str) -> str:
    """Writes a file's path so that no command takes it for a flag.

    >>> path("-x.csv"), path("a.csv")
    ('./-x.csv', 'a.csv')
    """
    return f"./{name}" if name.startswith("-") else name


class Commands:
    """Starts commands in one folder, and remembers the long ones as jobs until the studio ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._jobs = dict[str, CommandJob]()
        self._lock = threading.Lock()
        self._quick = dict[tuple[Any, ...], CommandAnswer]()

    def ask(self, *words: str, seconds: float = PATIENCE) -> CommandAnswer:
        """Runs a quick command and waits for its answer."""
        try:
            done = subprocess.run(  # noqa: S603  # our own command, its words as a list
                _command(words),
                cwd=self._folder,
                env=environment(),
                capture_output=True,
                timeout=seconds,
                stdin=subprocess.DEVNULL,
                check=False,
                **start_apart(),
            )
        except subprocess.TimeoutExpired:
            return CommandAnswer(1, None, "this took too long; try it on the command line")
        except OSError:
            return CommandAnswer(
                1, None, "the command could not be started; free some memory and try again"
            )
        return answer(done.returncode, done.stdout)

    def remembered(self, *words: str, of: Sequence[str]) -> CommandAnswer:
        """Runs a quick command, or repeats its last answer while the files that it reads are as
        they were.
        """
        key = (words, tuple(_as_it_is(self._folder / one) for one in of))
        with self._lock:
            answer = self._quick.get(key)
        if answer is None:
            answer = self.ask(*words)
            if answer.code in (0, 2, 3):
                with self._lock:
                    self._quick[key] = answer
                    while len(self._quick) > MOST_JOBS or _weight(self._quick.values()) > MOST_KEPT:
                        self._quick.pop(next(iter(self._quick)))
        return answer

    def start(
        self, kind: str, about: str, *words: str, then: Mapping[str, str] | None = None
    ) -> "CommandJob":
        """Starts a long command, unless one of its kind is under way about the same thing: then
        returns that one.

        A `mark` in `then` says what the thing held; where it is another by now, the command is
        started anew.
        """
        job_key = kind, about, (then or {}).get("mark")
        with self._lock:
            for job in self._jobs.values():
                if (job.kind, job.about, job.then.get("mark")) == job_key and job.running:
                    return job
            self._forget()
            job = CommandJob(kind, about, list(words), self._folder, dict(then or {}))
            self._jobs[job.id] = job
            return job

    def _forget(self) -> None:
        """Lets go of the oldest commands that have ended, where they or their answers are too
        many.
        """
        ended = [job for job in self._jobs.values() if not job.running]
        answers = [one.answer for one in ended if one.answer is not None]
        over = len(self._jobs) - MOST_JOBS + 1
        weight = _weight(answers) - MOST_KEPT
        for job in ended:
            if over <= 0 and weight <= 0:
                return
            over = over - 1
            weight = weight - (job.answer.size if job.answer is not None else 0)
            del self._jobs[job.id]

    def job(self, name: str) -> "CommandJob | None":
        """Returns the job of this name."""
        return self._jobs.get(name)

    def last(self, kind: str, about: str) -> "CommandJob | None":
        """Returns the newest job of a kind about a thing, under way or done."""
        listed = reversed(list(self._jobs.values()))
        return next((job for job in listed if (job.kind, job.about) == (kind, about)), None)

    def running(self, kind: str | None = None) -> "list[CommandJob]":
        """Lists jobs under way."""
        return [
            job for job in list(self._jobs.values()) if job.running and kind in (None, job.kind)
        ]

    def end(self) -> None:
        """Stops what only a page waits for; a release goes on by itself, since half of one would
        be paid for in vain.
        """
        for job in self.running():
            if job.kind != "release":
                job.stop()


@dataclass(eq=False)
class CommandJob:
    """A long command, watched while it runs: the step it is at, and at the end its answer."""

    kind: str
    about: str
    words: list[str]
    folder: Path
    then: dict[str, str]
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._said = Spool()
        self._wrong = Spool()
        self._answer: CommandAnswer | None = None
        self._one_at_a_time = threading.Lock()
        self.stopping = False
        try:
            # our own command
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(  # noqa: S603
                _command(self.words),
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=self._said.fileno(),
                stderr=self._wrong.fileno(),
                **start_apart(),
            )
        except OSError:
            self._process = None
            self._answer = CommandAnswer(
                1, None, "the command could not be started; free some memory and try again"
            )

    @property
    def running(self) -> bool:
        """Whether the command is still under way."""
        return self.answer is None

    @property
    def answer(self) -> CommandAnswer | None:
        """Returns what the command said in the end; None while it runs."""
        with self._one_at_a_time:
            if (
                self._answer is None
                and self._process is not None
                and (code := self._process.poll()) is not None
            ):
                self._answer = answer(code, self._said.read(MOST_SAID + 1))
                self._said.close()
                self._wrong.close()
            return self._answer

    def progress(self) -> dict[str, Any]:
        """Returns the step that the command is at, what share of it is done and the seconds
        left, as far as known.
        """
        with self._one_at_a_time:
            lines = (
                []
                if self._answer is not None
                else self._wrong.read(-TAIL).decode("utf-8", "replace").splitlines()
            )
        for line in reversed(lines):
            if line.startswith("{"):
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                if isinstance(message, dict):
                    return message
        return {"step": "starting", "fraction": None, "seconds_left": None}

    def stop(self) -> None:
        """Asks the command to stop as Ctrl-C does, so that it can say what was spent."""
        self.stopping = True
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))

    def wait(self, seconds: float) -> CommandAnswer | None:
        """Waits so long for the end, and returns the answer if there is one."""
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
        return self.answer


def _command(words: Sequence[str]) -> list[str]:
    """Returns the command as this dpmap starts itself."""
    return [*relaunch.command(), *words]


def answer(code: int, said: bytes) -> CommandAnswer:
    """Reads what a command left: its JSON, or the error in its place."""
    if len(said) > MOST_SAID:
        return CommandAnswer(
            1, None, "this answer is too long for a page; ask it on the command line"
        )
    output = _parsed(said)
    if code == 0:
        return CommandAnswer(0, output, size=len(said))
    failure = {
        "error": f"the command ended by itself (code {code}); try it on the command line",
        "option": "",
        **(output if isinstance(output, dict) else {}),
    }
    words = name_fields(failure["error"])
    return CommandAnswer(code, output, words, len(said), failure["option"])


def _weight(answers: Iterable[CommandAnswer]) -> int:
    """Returns how many bytes answers were when they came."""
    return sum(one.size for one in answers)


def _parsed(said: bytes) -> Any:
    """Returns the JSON document, or the last line that is one: a command may say more before it."""
    text = said.decode("utf-8", "replace")
    for part in (text, *reversed(text.splitlines())):
        try:
            return json.loads(part)
        except (ValueError, RecursionError):
            continue
    return None


def _as_it_is(place: Path) -> tuple[Any, ...]:
    """Returns what changes when a file does."""
    try:
        status = place.stat()
    except OSError:
        return (str(place), None)
    return str(place), status.st_mtime_ns, status.st_size, status.st_ino
