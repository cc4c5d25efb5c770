"""Replays a release on a neighbouring survey: with the same noisy answers, all else is the same.

At the one door (`vault/session`) a first run records each question and the totals that were
measured for it. A second run, over a survey that differs in one unit, is handed back the noisy
answers of the first.

**Theorem.** Let a release be what follows from noisy answers and public inputs alone. Then in the
second run (a) every later question, event, file, length and word is the same, and (b) the totals
differ by so little that the transcript costs no more than what was reserved. Where both hold for
all neighbours, the release keeps its promise.

*Proof.* The transcript fixes all output by (a), so the odds of an output are the sum of those of
the transcripts that lead to it. The odds of one transcript differ by the product over its answers,
each of the noise's stated law, whose exponent is what (b) adds up: |difference| / scale over all
answers that are no noisier copies of later ones. QED

So one pair of runs decides, without statistics, what no number of releases would: whatever hangs on
the survey and is no noisy answer (a peek, a length, a name of a file, an order) differs, or it does
not. That the noise has its law is what other checks are about. The idea is that of deterministic
replay, as in Re:cord-play (arXiv 2602.17454).

**No way round the vault.** Nothing in the release's own code takes given noise: what stands here
replaces names in the vault of *this* process, for as long as a block lasts, and answers the thread
that stands in it alone. In the meantime every event of a ledger outside the replay's own folder is
refused, from whatever thread: what is paid for elsewhere is never answered from a record, and no
true ledger gets a salt that is known. `dpmap selftest` does it on surveys that it invents.

What may differ is declared: the clock, the identifiers of runs and the ledger's salts, which are
fixed here (`FIXED`); and, of a sparse release and of a choice, how much entropy is drawn, which the
promise page names as a matter of time.
"""

import hashlib
import io
import logging
import os
import secrets
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from threading import get_ident
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.engines.duckdb import DuckDB
from dpmap.errors import DpmapError, Refused
from dpmap.grid import Partition
from dpmap.grid.partition import Shown
from dpmap.ledger import ledger as ledger_room
from dpmap.ledger.ledger import Ledger
from dpmap.noise.zcdp import rho
from dpmap.record import Measurement
from dpmap.selftest.check import replace_attribute
from dpmap.selftest.privacy_audit import final_answers
from dpmap.steward import release_run
from dpmap.vault import laplace, permute_and_flip, sampling
from dpmap.vault import session as session_room
from dpmap.vault.mechanism import GaussianMechanism, LaplaceMechanism
from dpmap.vault.session import Session

if TYPE_CHECKING:
    import duckdb

FIXED = ("the clock", "identifiers of runs and of parts of a page", "the ledger's salts")
"""What a release takes from its machine, and not from the survey: the same in all runs here."""
NOON = datetime(2026, 1, 1, 12)  # noqa: DTZ001  # the zone is the caller's
Steps = NDArray[np.int64]


class StoppedClock(datetime):
    """Stands still, so that no run has another date."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Returns one moment."""
        return cls(NOON.year, NOON.month, NOON.day, NOON.hour, tzinfo=tz)


class KeptDuckDB(DuckDB):
    """Counts in one database that stays open, emptied after each survey: small ones go quickly."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self._open = ExitStack()
        self._database = self._open.enter_context(super().connected())

    def close(self) -> None:
        """Closes the database and wipes its folder."""
        self._open.close()

    @contextmanager
    def connected(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Hands out the one database, and empties it afterwards."""
        try:
            yield self._database
        finally:
            for kind in ("view", "table"):
                listed = f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE NOT internal"
                for (name,) in self._database.execute(listed).fetchall():
                    self._database.execute(f'DROP {kind} IF EXISTS "{name}" CASCADE')
            place = "SELECT current_setting('temp_directory')"
            ((folder,),) = self._database.execute(place).fetchall()
            shutil.rmtree(folder, ignore_errors=True)
            Path(folder).mkdir(mode=0o700)


@dataclass(slots=True)
class DoorQuestion:
    """Holds one question at the door: what was asked, and what was measured for it."""

    kind: str
    words: tuple[object, ...]
    """All that must follow from earlier answers and public inputs alone."""
    totals: list[Any] = field(default_factory=list)
    """What was measured, exactly: the totals of regions or cells, or the scores of a choice."""
    cells: Steps | None = None
    """Which cells the totals are of, where they are those of a sparse map."""
    measured: tuple[Measurement, ...] = ()
    """The answer for each reader."""
    left: Fraction = Fraction(0)
    """What the session said is left, once it had answered."""
    chosen: int = -1
    """Which candidate a choice named."""
    least: int = 0
    """From how many steps on a sparse answer lists a cell."""
    session: Session | None = None


@dataclass(slots=True)
class Transcript:
    """Holds all that passed the door in one run, in order."""

    questions: list[DoorQuestion] = field(default_factory=list)
    entropy: list[object] = field(default_factory=list)
    """How many random bytes were asked for at a time, or for what noise of how many cells."""
    noise: list[tuple[object, list[Steps]]] = field(default_factory=list)
    """By what mechanism noise was drawn, how much and at what scales; and the noise."""


@dataclass(frozen=True, slots=True)
class Run:
    """Holds what a run let out, and what passed its door."""

    transcript: Transcript
    difference: str
    """The first question that was not that of the run before."""
    refusal: str
    events: tuple[str, ...]
    words: tuple[str, ...]
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Change:
    """Says how two neighbouring surveys differ: by how many units, and what each may lose at
    most, where it states a limit of its own.
    """

    units: int = 1
    limit: Fraction | None = None


class RecordedDoor:
    """Stands at the vault's door for one run: records it, or answers as it was answered
    `before`.
    """

    def __init__(self, folder: Path, seed: bytes, before: Transcript | None = None) -> None:
        self.folder = folder
        self.transcript = Transcript()
        self.difference = ""
        self.events: list[str] = []
        self._before = before
        self._seed = seed
        self._thread = get_ident()
        self._aside = 0
        self._drawn = 0
        self._asking: list[DoorQuestion] = []

    @contextmanager
    def standing(self) -> Iterator["RecordedDoor"]:
        """Stands in the vault of this process for as long as the block lasts."""
        drawing = SimpleNamespace(urandom=self._urandom)
        stands: tuple[tuple[Any, str, object], ...] = (
            (Session, "course", self._question(Session.course)),
            (Session, "measure", self._question(Session.measure)),
            (Session, "measure_from", self._question(Session.measure_from)),
            (Session, "choose", self._question(Session.choose)),
            (Session, "choose_size", self._question(Session.choose_size)),
            (session_room, "_region_totals", self._region_totals(session_room._region_totals)),
            (session_room, "choose", self._choose(permute_and_flip.choose)),
            (permute_and_flip, "choose", self._choose(permute_and_flip.choose)),
            (LaplaceMechanism, "copies", self._copies(LaplaceMechanism.copies)),
            (GaussianMechanism, "copies", self._copies(GaussianMechanism.copies)),
            (LaplaceMechanism, "noise_from", self._noise_from(LaplaceMechanism.noise_from)),
            (LaplaceMechanism, "noise", self._noise(LaplaceMechanism.noise)),
            (laplace, "os", drawing),
            (sampling, "os", drawing),
            (Ledger, "check", self._check(Ledger.check)),
            (Ledger, "_append", self._append(Ledger._append)),
            (secrets, "token_hex", _named_alike),
            (ledger_room, "datetime", StoppedClock),
            (release_run, "datetime", StoppedClock),
        )
        with ExitStack() as patches:
            for owner, name, value in stands:
                patches.enter_context(replace_attribute(owner, name, value))
            yield self

    def _recorded(self, question: DoorQuestion) -> DoorQuestion | None:
        """Returns the question of the run before that stands at the same place, if it is the same
        one and all before it were.
        """
        if self._before is None or self.difference:
            return None
        place = next(i for i, one in enumerate(self.transcript.questions) if one is question)
        if place >= len(self._before.questions):
            self.difference = f"one question more: {question.kind} {question.words}"
            return None
        recorded = self._before.questions[place]
        if (recorded.kind, recorded.words) != (question.kind, question.words):
            self.difference = (
                f"question {place + 1} is {question.kind} {question.words}"
                f" instead of {recorded.kind} {recorded.words}"
            )
            return None
        return recorded

    def _question(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the session's method, which notes what it is asked."""

        def asked_at_the_door(session: Session, *args: Any, **named: Any) -> Any:
            if get_ident() != self._thread:
                return ask(session, *args, **named)
            words = (*map(_public, args), *map(_public, named.items()), session.left)
            question = DoorQuestion(ask.__name__, words, session=session)
            self.transcript.questions.append(question)
            self._recorded(question)
            self._asking.append(question)
            try:
                answer = ask(session, *args, **named)
            finally:
                self._asking.pop()
            question.left = session.left
            if isinstance(answer, Measurement):
                question.measured = tuple(measurements[-1] for measurements in session._made)
            return answer

        return asked_at_the_door

    def _region_totals(self, total: Callable[..., Steps]) -> Callable[..., Steps]:
        """Returns what sums totals: noted, and answered as in the run before."""

        def region_totals(*args: Any) -> Steps:
            measured = total(*args)
            if not self._asking or get_ident() != self._thread:
                return measured
            question = self._asking[-1]
            question.totals = measured.tolist()
            recorded = self._recorded(question)
            if recorded is None or len(recorded.totals) != len(measured):
                return measured
            return np.array(recorded.totals, dtype=np.int64)

        return region_totals

    def _choose(self, choose: Callable[..., int]) -> Callable[..., int]:
        """Returns what chooses by scores: noted, and answered as in the run before."""

        def chosen(
            scores: Sequence[Any], epsilon: Fraction, sensitivity: Fraction, *, rising: bool = False
        ) -> int:
            if get_ident() != self._thread:
                return choose(scores, epsilon, sensitivity, rising=rising)
            question = DoorQuestion(
                "choice", (len(scores), epsilon, sensitivity, rising), list(scores)
            )
            self.transcript.questions.append(question)
            recorded = self._recorded(question)
            if recorded is not None:
                question.chosen = recorded.chosen
                return question.chosen
            self._aside += 1
            try:
                question.chosen = choose(scores, epsilon, sensitivity, rising=rising)
            finally:
                self._aside -= 1
            return question.chosen

        return chosen

    def _noise_from(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """Returns what draws the noise of a sparse map: the noise of empty cells that makes the
        answer of the run before.
        """

        def noise_from(mechanism: LaplaceMechanism, least: int, cells: int, scale: Fraction) -> Any:
            if get_ident() != self._thread:
                return draw(mechanism, least, cells, scale)
            question = self._asking[-1]
            totals = question.session._totals if question.session is not None else None
            if totals is not None:
                question.cells = totals._cells.astype(np.int64)
                question.totals = totals._steps.tolist()
            question.least = least
            self.transcript.entropy.append((least, cells, scale))
            recorded = self._recorded(question)
            if recorded is None:
                return draw(mechanism, least, cells, scale)
            (measured,) = recorded.measured
            return _shown(measured), measured.steps.astype(np.int64)

        return noise_from

    def _noise(self, draw: Callable[..., Steps]) -> Callable[..., Steps]:
        """Returns what draws noise: of the occupied cells of a sparse map, the noise that makes the
        answer of the run before.
        """

        def noise(mechanism: LaplaceMechanism, count: int, scale: Fraction) -> Steps:
            own = self._asking and get_ident() == self._thread
            question = self._asking[-1] if own else None
            if question is None or question.kind != "measure_from" or question.cells is None:
                return draw(mechanism, count, scale)
            recorded = self._recorded(question)
            if recorded is None:
                return draw(mechanism, count, scale)
            (measured,) = recorded.measured
            values = dict(zip(_shown(measured).tolist(), measured.steps.tolist(), strict=True))
            wanted = [values.get(cell, question.least - 1) for cell in question.cells.tolist()]
            return np.array(wanted, dtype=np.int64) - np.array(question.totals, dtype=np.int64)

        return noise

    def _copies(self, draw: Callable[..., list[Steps]]) -> Callable[..., list[Steps]]:
        """Returns what draws the noise of a question: the same as in the run before, if it is asked
        for as there.
        """

        def copies(mechanism: Any, count: int, scales: Sequence[Fraction]) -> list[Steps]:
            if get_ident() != self._thread:
                return draw(mechanism, count, scales)
            wanted = (mechanism, count, tuple(scales))
            place = len(self.transcript.noise)
            before = [] if self._before is None else self._before.noise[place : place + 1]
            if before and before[0][0] == wanted:
                noise = before[0][1]
            else:
                self._aside += 1
                try:
                    noise = draw(mechanism, count, scales)
                finally:
                    self._aside -= 1
            self.transcript.noise.append((wanted, noise))
            return [one.copy() for one in noise]

        return copies

    def _urandom(self, count: int) -> bytes:
        """Returns bytes that are the same in both runs, and notes how many were wanted; apart are
        those of noise and of choices, which the second run does not draw.
        """
        if get_ident() != self._thread:
            return os.urandom(count)
        aside = self._aside or (self._asking and self._asking[-1].kind == "measure_from")
        self._drawn += bool(aside)
        place = f"aside {self._drawn}" if aside else str(len(self.transcript.entropy))
        if not aside:
            self.transcript.entropy.append(count)
        return hashlib.shake_256(self._seed + place.encode()).digest(count)

    def _check(self, check: Callable[..., None]) -> Callable[..., None]:
        """Returns what a ledger checks before anything is counted: that it is the replay's, too."""

        def check_own(book: Ledger, spend: Any) -> None:
            self._refuse_other(book)
            check(book, spend)

        return check_own

    def _append(self, append: Callable[..., Any]) -> Callable[..., Any]:
        """Returns what writes an event: noted, and refused to a ledger that is not the replay's."""

        def append_event(book: Ledger, connection: Any, events: Any, body: Any) -> Any:
            self._refuse_other(book)
            event = append(book, connection, events, body)
            self.events.append(repr(sorted(event.body.items())))
            return event

        return append_event

    def _refuse_other(self, book: Ledger) -> None:
        """Refuses a ledger outside the replay's own folder."""
        if not Path(book.path).resolve().is_relative_to(self.folder.resolve()):
            raise Refused(
                "a replay is going on in this process, whose answers are not fresh: no other"
                " ledger is written to; wait for it to end"
            )


def _named_alike(count: int | None = None) -> str:
    """Names runs and parts of pages, and salts the replay's ledger: the same every time, in every
    thread, as pages are made by several.
    """
    return "ab" * (count or 32)


def _shown(measured: Measurement) -> Steps:
    """Returns the cells that a sparse answer lists."""
    if not isinstance(measured.partition, Shown):
        raise TypeError("a sparse answer lists its cells")
    return measured.partition.places


def _public(word: object) -> object:
    """Returns what a question says, to be compared with another's: a partition by its bytes."""
    if isinstance(word, Partition):
        content = hashlib.sha256(np.ascontiguousarray(word.labels).tobytes()).hexdigest()[:16]
        return ("regions", int(word.regions), word.labels.shape, content)
    if isinstance(word, list | tuple):
        return tuple(_public(one) for one in word)
    return word


Make = Callable[[Path, Callable[[str], None]], None]
"""Makes one release: into `out` below a folder, paid from the ledger there, saying its steps."""


def watch(
    make: Make, folder: Path, seed: bytes, before: Run | None = None, *, outputs: bool = True
) -> Run:
    """Runs `make` in a folder, which is emptied of what it made, and returns all that came out."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    ledger = out / "paid.ledger"
    door = RecordedDoor(folder, seed, None if before is None else before.transcript)
    words = list[str]()
    refusal = ""
    screen = io.StringIO()
    log = _Log(words)
    logger = logging.getLogger("dpmap")
    level = logger.level
    logger.addHandler(log)
    logger.setLevel(logging.DEBUG)
    try:
        with (
            door.standing(),
            warnings.catch_warnings(record=True) as warned,
            redirect_stdout(screen),
            redirect_stderr(screen),
        ):
            warnings.simplefilter("always")
            make(folder, words.append)
    except DpmapError as error:
        refusal = f"{type(error).__name__}: {error}"
    finally:
        logger.removeHandler(log)
        logger.setLevel(level)
    words += [str(one.message) for one in warned]
    words.append(screen.getvalue())
    files = {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if outputs and path.is_file() and path != ledger
    }
    return Run(door.transcript, door.difference, refusal, tuple(door.events), tuple(words), files)


class _Log(logging.Handler):
    """Keeps what the log says beside the other words."""

    def __init__(self, words: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._words = words

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps one line."""
        self._words.append(f"log: {record.getMessage()}")


def spent_nothing(run: Run) -> bool:
    """Whether a run ended before anything was asked or paid for, and left nothing behind."""
    return not run.transcript.questions and not run.events and not run.files


def tell_apart(first: Run, second: Run, change: Change) -> str:
    """Returns what tells two neighbours apart beyond noisy answers, in words; nothing where they
    are alike.
    """
    if second.refusal != first.refusal:
        return f"one is refused: {first.refusal!r} and {second.refusal!r}"
    if second.difference:
        return second.difference
    for what, here, there in (
        ("questions", len(first.transcript.questions), len(second.transcript.questions)),
        (
            "what is left",
            [question.left for question in first.transcript.questions],
            [question.left for question in second.transcript.questions],
        ),
        (
            "draws",
            [wanted for wanted, _ in first.transcript.noise],
            [wanted for wanted, _ in second.transcript.noise],
        ),
        ("entropy", first.transcript.entropy, second.transcript.entropy),
        ("events", first.events, second.events),
        ("words", first.words, second.words),
        ("names of files", [*first.files], [*second.files]),
    ):
        if here != there:
            return f"{what} differ: {_where(here, there)}"
    for name, data in first.files.items():
        if data != second.files[name]:
            sizes = f"{len(data)} and {len(second.files[name])} bytes"
            return f"the file {name} differs ({sizes}): {_where(data, second.files[name])}"
    return beyond_cap(first.transcript, second.transcript, change)


def _where(here: Any, there: Any) -> str:
    """Quotes two things where they first differ."""
    if not isinstance(here, bytes | list | tuple):
        return f"{here!r} and {there!r}"
    for place, (one, other) in enumerate(zip_longest(here, there)):
        if one != other:
            if isinstance(here, bytes):
                parts = slice(max(0, place - 30), place + 30)
                return f"at {place}, {here[parts]!r} and {there[parts]!r}"
            return f"at {place}, {one!r} and {other!r}"
    return "nowhere"


def beyond_cap(first: Transcript, second: Transcript, change: Change) -> str:
    """Returns which question, or which course of them, costs more than it may, in words.

    Each question's totals differ by the cap at most, in L1, and in L2 where the noise is Gaussian;
    each score by its sensitivity; and all answers of a reader together cost at most what the
    session was paid, by the law of the noise that they say they have.
    """
    for place, (here, there) in enumerate(
        zip(first.questions, second.questions, strict=True), start=1
    ):
        too_far = _too_far(here, there, change)
        if too_far:
            return f"question {place} ({here.kind}): {too_far}"
    sessions = list[Session]()
    for question in first.questions:
        if question.session is not None and all(question.session is not one for one in sessions):
            sessions.append(question.session)
    for session in sessions:
        pairs = [
            (here, there)
            for here, there in zip(first.questions, second.questions, strict=True)
            if here.session is session and here.measured
        ]
        for reader, epsilon in enumerate(session._readers):
            cost = _cost(pairs, reader)
            allowed = _allowed(session, epsilon, change)
            if cost > allowed:
                return (
                    f"all answers of reader {reader + 1} cost {float(cost):.6f}, and"
                    f" {float(allowed):.6f} was paid"
                )
    return ""


def _too_far(here: DoorQuestion, there: DoorQuestion, change: Change) -> str:
    """Returns by how much the totals of one question differ, where that is too much."""
    if here.kind == "choice":
        _, _, sensitivity, rising = here.words
        moves = [one - other for one, other in zip(here.totals, there.totals, strict=True)]
        most = max(map(abs, moves), default=0)
        if most > change.units * sensitivity:  # type: ignore[operator]
            return f"a score differs by {most}, and its sensitivity is {sensitivity}"
        if rising and change.units == 1 and min(moves) < 0 < max(moves):
            return "one score rises and another falls"
        return ""
    session = here.session
    if session is None or not here.totals:
        return ""
    moved = _moved(here, there)
    steps = session.cap * session.lattice
    if sum(map(abs, moved)) > change.units * steps:
        return f"the totals differ by {sum(map(abs, moved)) / session.lattice} points"
    if isinstance(session._mechanism, GaussianMechanism):
        square = sum(one * one for one in moved)
        if square > change.units**2 * session.cap * session.lattice**2:
            return f"the totals differ by {square**0.5 / session.lattice} points in length"
    return ""


def _moved(here: DoorQuestion, there: DoorQuestion) -> list[int]:
    """Returns the differences of a question's totals, region by region or cell by cell."""
    if here.cells is None or there.cells is None:
        return [one - other for one, other in zip(here.totals, there.totals, strict=True)]
    one = dict(zip(here.cells.tolist(), here.totals, strict=True))
    other = dict(zip(there.cells.tolist(), there.totals, strict=True))
    return [one.get(cell, 0) - other.get(cell, 0) for cell in sorted({*one, *other})]


def _cost(pairs: Sequence[tuple[DoorQuestion, DoorQuestion]], reader: int) -> Fraction:
    """Returns what all answers of a reader cost between the two surveys, by their own stated
    noise; noisier copies of later answers cost nothing.
    """
    answers = [here.measured[reader] for here, _ in pairs]
    cost = Fraction(0)
    if any(isinstance(answer.partition, Shown) for answer in answers):
        return sum(
            (
                Fraction(sum(map(abs, _moved(here, there)))) / answer.scale_steps
                for (here, there), answer in zip(pairs, answers, strict=True)
            ),
            cost,
        )
    for (here, there), answer, last in zip(pairs, answers, final_answers(answers), strict=True):
        moved = np.array(_moved(here, there), dtype=object)
        for pooled, scale in enumerate(answer.pooled_scales):
            these = moved[last & (answer.pooled == pooled)].tolist()
            steps = scale * answer.lattice
            if answer.kind == "gaussian":
                cost += Fraction(sum(one * one for one in these)) / (2 * steps**2)
            else:
                cost += Fraction(sum(map(abs, these))) / steps
    return cost


def _allowed(session: Session, epsilon: Fraction, change: Change) -> Fraction:
    """Returns what a reader's answers may cost: epsilon, or the limit that the unit states, or
    what (epsilon, delta) buys in rho.
    """
    mechanism = session._mechanism
    if isinstance(mechanism, GaussianMechanism):
        return change.units**2 * rho(mechanism.epsilon, mechanism.delta)
    return change.units * (epsilon if change.limit is None else min(epsilon, change.limit))
