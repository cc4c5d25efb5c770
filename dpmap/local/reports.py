"""Makes a release from the reports that came back; all that is read here was randomised before it
was sent.

Every report is private already, whatever it says, so all that is made of them is post-processing:
their exact number, how many were left out and why, and each answer's exact count may be told, and
nothing needs a ledger. Whoever sends reports may lie; a line is believed to be a report of this
question, and no more.

The estimate of a cell is (s - n q) / (p - q): s of n reports support it, each with chance p where
it is true and q where not, so that s has the mean x p + (n - x) q where x of them are true, and the
estimate the mean x.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.local.device import ROUND, Question
from dpmap.local.questions import grid_of
from dpmap.plain_file import check_plain
from dpmap.promise.governance import Governance
from dpmap.promise.policy import Policy
from dpmap.record import About, Receipt, Record, Reports
from dpmap.record.reports import MOST_REPORTS
from dpmap.releases.release import Release
from dpmap.version import made_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = "volunteer"
AT_ONCE = 1 << 24
"""Answers unpacked at a time."""


@dataclass(slots=True)
class LineCounts:
    """Counts the lines that were accepted, or left out as of another question, as damaged, or as
    a repeated id.
    """

    counted: int = 0
    other: int = 0
    damaged: int = 0
    repeated: int = 0

    def words(self) -> str:
        """Says the counts in one sentence.

        >>> LineCounts(812, 3, 0, 5).words()
        '812 reports counted; left out: 3 of another question, 0 damaged, 5 repeated'
        """
        return (
            f"{self.counted:,} reports counted; left out: {self.other:,} of another question,"
            f" {self.damaged:,} damaged, {self.repeated:,} repeated"
        )


def aggregate(
    lines: Iterable[str], question: Question, *, governance: Governance | None = None
) -> Release:
    """Makes the map of a question's reports, and returns it as a release.

    - `lines`: the reports, one each. A report that comes twice, by its id, counts once; what is no
      report of this question is left out.
    - `question`: the one that they answer.
    - `governance`: who authorised the map, and for what.

    Raises `BadInput` where no line is a report of this question.

    >>> import dpmap as dm
    >>> grid = dm.Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    >>> question = dm.local.ask(grid, "2", title="Owls", text="Where did you hear one?")
    >>> lines = [dm.local.randomise(cell, question) for cell in [5] * 300 + [None] * 200]
    >>> aggregate(lines, question).estimate.shape
    (4, 4)
    """
    grid = grid_of(question)
    counts, said = _counts(lines, question)
    if counts.counted > MOST_REPORTS:
        raise BadInput(
            f"reports: at most {MOST_REPORTS:,} are added up; ask more than one question"
        )
    if not counts.counted:
        raise BadInput(
            "reports: no line is a report of this question; give the reports, and the question they"
            " answer"
        )
    measurement = Reports(
        Partition.cells(grid),
        said.counts[:-1],
        count=counts.counted,
        elsewhere=int(said.counts[-1]),
        epsilon=question.epsilon,
        mechanism=question.mechanism,
        truth=question.truth,
        other=question.other,
    )
    notes: dict[str, Any] = {
        "noun": "volunteers",
        "round": question.round,
        "question": question.text,
        "lines": asdict(counts),
    }
    if governance:
        notes["governance"] = governance.to_dict()
    return Release(
        Record(
            grid=grid,
            policy=Policy(epsilon=question.epsilon, unit=UNIT, cap=1),
            strategy="reports",
            measurements=(measurement,),
            receipt=Receipt(
                question.title, said.digest(question), "none", 0, question.epsilon, question.epsilon
            ),
            released_on=datetime.now(UTC).date().isoformat(),
            versions=made_with(),
            about=About.from_mapping(notes),
        )
    )


def lines_of(paths: Iterable[Path], question: Question) -> Iterator[str]:
    """Yields the lines of report files; of a line longer than any report it holds only enough to
    show that it is none.
    """
    longest = 1024 + question.answers
    for path in paths:
        check_plain(path, "reports")
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                while line := file.readline(longest):
                    yield line
                    while len(line) == longest and not line.endswith("\n"):
                        line = file.readline(longest)  # the rest of a line that is no report
        except OSError:
            raise BadInput(
                f"reports: {path.name} cannot be read; give a file with a report on each line"
            ) from None


class _Tally:
    """Counts how many reports support each answer, and remembers which ids were seen."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self.counts = np.zeros(question.answers, dtype=np.int64)
        self._waiting: list[bytes] = []
        self._seen: set[bytes] = set()

    def is_new(self, number: bytes) -> bool:
        """Whether this id comes for the first time."""
        before = len(self._seen)
        self._seen.add(number)
        return len(self._seen) > before

    def add(self, answer: int | bytes) -> None:
        """Adds one report: the number of an answer, or a bit for each."""
        if isinstance(answer, int):
            self.counts[answer] += 1
            return
        self._waiting.append(answer)
        if len(self._waiting) * self._question.answers >= AT_ONCE:
            self.unpack()

    def unpack(self) -> None:
        """Adds up the waiting bits."""
        if self._waiting:
            rows: NDArray[np.uint8] = np.frombuffer(b"".join(self._waiting), np.uint8).reshape(
                len(self._waiting), -1
            )
            self.counts += np.unpackbits(rows, axis=1, count=self._question.answers).sum(
                axis=0, dtype=np.int64
            )
            self._waiting.clear()

    def digest(self, question: Question) -> str:
        """Returns a name for the release, the same for the same reports."""
        return hashlib.sha256(question.round.encode() + b"".join(sorted(self._seen))).hexdigest()[
            :32
        ]


def _counts(lines: Iterable[str], question: Question) -> tuple[LineCounts, _Tally]:
    """Sorts the lines and counts the support of each answer."""
    counts = LineCounts()
    tally = _Tally(question)
    for line in lines:
        if not line.strip():
            continue
        read = _read_report(line, question)
        if isinstance(read, str):
            setattr(counts, read, getattr(counts, read) + 1)
        elif tally.is_new(read[0]):
            counts.counted += 1
            tally.add(read[1])
        else:
            counts.repeated += 1
    tally.unpack()
    return counts, tally


def _read_report(line: str, question: Question) -> "str | tuple[bytes, int | bytes]":
    """Returns a report's id and answer, or why it is not a valid report."""
    try:
        plain = json.loads(line)
        number = plain["id"]
        answer = plain["answer"]
        if not isinstance(plain["round"], str) or not ROUND.fullmatch(number):
            return "damaged"
        if plain["round"] != question.round:
            return "other"
        said = (
            _answer_number(answer, question)
            if question.mechanism == "grr"
            else _packed(answer, question)
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return "damaged"
    return "damaged" if said is None else (bytes.fromhex(number), said)


def _answer_number(answer: object, question: Question) -> int | None:
    """Returns the number of an answer that was asked about."""
    good = (
        isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < question.answers
    )
    return answer if good and isinstance(answer, int) else None


def _packed(answer: str, question: Question) -> bytes | None:
    """Returns a bit for each answer; the bits after the last must be 0."""
    said = base64.b64decode(answer, validate=True)
    beyond = -question.answers % 8
    good = len(said) == -(-question.answers // 8) and not said[-1] & ((1 << beyond) - 1)
    return said if good else None
