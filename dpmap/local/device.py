"""Runs on the volunteer's device: takes her cell and gives a randomised report, using the standard
library only.

A question has k cells and one answer more, *elsewhere*: K = k + 1 answers, so that whoever saw
nothing, or saw it outside, sends a report like everybody's. All chances are whole numbers of 2^-32,
decided by comparing 32-bit words of the system's entropy with whole numbers: no floating point
takes part, nothing is rejected and drawn again.

Write E for a rational number with 1 < E <= e^epsilon (`exp_below`), S = 2^32, and t = ceil(S / (E +
m)) (`threshold`).

**Theorem.** For any two answers v, w of a volunteer and any report r, P(r | v) <= e^epsilon P(r |
w).

*Proof.* The report's id is drawn by itself, so only its answer counts. From t >= S / (E + m)
follows (S - m t) / t <= E.

1. *`grr`, k-ary randomised response, m = K - 1.* One word u. If u < m t the answer is one of the m
   untrue ones, number floor(u / t): each for t values of u; otherwise the true one: for S - m t. So
   P(r | v) is (S - m t) / S for r = v and t / S for any other r. Their ratio is at most E, and at
   least 1 since K t <= S, which `Question` checks.
2. *`oue`, optimised unary encoding, m = 1.* Bit i of the report is 1 when word i is below S / 2 if
   i = v and below t otherwise. Words are independent, so P(r | v) / P(r | w) is the product over
   the two bits v and w (others have one law under both): the first is (1/2) / (t / S) or (1/2) / (1
   - t / S), the second the reverse of one of these. As t <= S / 2, the product is at most (1 - t /
   S) / (t / S) = (S - t) / t <= E. QED

Rounding t up makes reports a little more private than said, never less. Each further report about
the same thing multiplies the bound by e^epsilon again, so a device keeps what it answered and sends
the same line again (`answer_once`). That a report was sent at all is not hidden; what it says is.

>>> question = Question("Owls", "Where?", "0" * 32, Fraction(1), "grr", 4)
>>> report(2, question, bytes(16) + bytes.fromhex("ffffffff"))
'{"round":"00000000000000000000000000000000","id":"00000000000000000000000000000000","answer":2}'
"""

import base64
import json
import os
import re
import secrets
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

from dpmap.errors import BadInput
from dpmap.numbers import decimal_text, exact

Mechanism = Literal["grr", "oue"]
WORD = 4
ID = 16
"""Bytes of entropy for each decision, and for a report's id."""
PLACES = 64
LEAST = Fraction(1, 100)
MOST = Fraction(10)
MOST_CELLS = 65_535
LONGEST = {"title": 200, "text": 500}
ROUND = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Question:
    """The public question that devices answer: made by `dm.local.ask`, and read by
    `dm.local.read_question`.

    - `title`, `text`: what is asked, as volunteers read it.
    - `round`: a random name, so that reports of one question are never counted for another.
    - `epsilon`, `mechanism`: how a device randomises its answer; `cells`: how many answers there
      are, beside elsewhere.
    - `places`: lets a device find the cell of a longitude and latitude, or lists the cells' names;
      `grid` is for whoever adds the reports up.

    A device believes none of it but what it shows to the volunteer: it works the chances out by
    itself.

    >>> question = Question("Owls", "Where?", "0" * 32, Fraction(1), "grr", 4)
    >>> Question.from_json(question.to_json()) == question
    True
    """

    title: str
    text: str
    round: str
    epsilon: Fraction
    mechanism: Mechanism
    cells: int
    places: dict[str, Any] = field(default_factory=dict)
    grid: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        if not isinstance(self.cells, int) or not 1 <= self.cells <= MOST_CELLS:
            raise BadInput(f"question: from 1 to {MOST_CELLS:,} cells; make the cells larger")
        if self.mechanism not in get_args(Mechanism) or not ROUND.fullmatch(self.round):
            raise BadInput(
                "question: its mechanism or round is none that dpmap makes; ask for the file again"
            )
        if (
            self.mechanism == "grr"
            and self.answers * threshold(self.epsilon, self.answers - 1) > 256**WORD
        ):
            raise BadInput(
                "question: so many cells cannot be asked by its mechanism; ask for the file again"
            )
        for name, longest in LONGEST.items():
            said = getattr(self, name)
            if not isinstance(said, str) or not said.isprintable() or not 0 < len(said) <= longest:
                raise BadInput(
                    f"question: its {name} is a line of 1 to {longest} characters; write another"
                )

    @property
    def answers(self) -> int:
        """K, the number of answers: the cells and, last, elsewhere."""
        return self.cells + 1

    @property
    def truth(self) -> Fraction:
        """The chance p that the true answer is reported, or its bit set."""
        if self.mechanism == "oue":
            return Fraction(1, 2)
        return 1 - (self.answers - 1) * self.other

    @property
    def other(self) -> Fraction:
        """The chance q that a certain untrue answer is reported, or its bit set."""
        return Fraction(
            threshold(self.epsilon, 1 if self.mechanism == "oue" else self.answers - 1), 256**WORD
        )

    @property
    def entropy(self) -> int:
        """How many bytes of randomness one report takes."""
        return ID + WORD * (self.answers if self.mechanism == "oue" else 1)

    def to_json(self) -> str:
        """Returns the text of the question file."""
        plain = {
            "format": "dpmap question",
            "format_version": 1,
            "round": self.round,
            "title": self.title,
            "text": self.text,
            "epsilon": decimal_text(self.epsilon),
            "mechanism": self.mechanism,
            "cells": self.cells,
            "places": self.places,
            "grid": self.grid,
        }
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Question":
        """Reads and checks the question in the `text` of its file."""
        try:
            plain = json.loads(text)
            if plain["format"] != "dpmap question" or plain["format_version"] != 1:
                raise BadInput(
                    "question: it was written by a newer dpmap; update yours the way you"
                    " installed it"
                )
            named = {
                name: plain[name]
                for name in ("title", "text", "round", "mechanism", "cells", "places", "grid")
            }
            return cls(epsilon=exact(plain["epsilon"], name="epsilon"), **named)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise BadInput(
                "question: this is no question file; make one with: dpmap local ask"
            ) from None

    def cell_named(self, name: str) -> int:
        """Returns the cell of this name."""
        names = self.places.get("names", [])
        if name not in names:
            raise BadInput(
                "question: there is no cell of this name; its cells' names are in the question file"
            )
        return int(names.index(name))

    def locate(self, lon: float, lat: float) -> int | None:
        """Returns the cell of a place at `lon` and `lat`, in degrees; None, which means elsewhere,
        outside the area.

        The file holds column and row on a lattice of longitudes and latitudes, fine enough that
        what lies between two of its points is found to within a hundredth of a cell.
        """
        places = self.places
        if "lattice" not in places:
            raise BadInput(
                "question: its cells go by name, not by coordinates; choose one of places['names']"
            )
        n: int = places["lattice"]
        west, south, east, north = places["box"]
        x = (lon - west) / (east - west) * n
        y = (lat - south) / (north - south) * n
        if not (0 <= x <= n and 0 <= y <= n):
            return None
        i = min(int(x), n - 1)
        j = min(int(y), n - 1)

        def between(table: list[float]) -> int:
            at = [table[(j + b) * (n + 1) + i + a] for b in (0, 1) for a in (0, 1)]
            low, high = (at[b] + (x - i) * (at[b + 1] - at[b]) for b in (0, 2))
            return int((low + (y - j) * (high - low)) // 1)

        row = between(places["rows"])
        column = between(places["columns"])
        rows, columns = places["shape"]
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        place = int(row * columns + column)
        bits = base64.b64decode(places["inside"])
        if not bits[place >> 3] >> (7 - place % 8) & 1:
            return None
        before = sum(byte.bit_count() for byte in bits[: place >> 3])
        return before + (bits[place >> 3] >> (8 - place % 8)).bit_count()


def check_epsilon(epsilon: Fraction) -> None:
    """Refuses an epsilon outside the range in which a device's own randomness makes sense."""
    if not LEAST <= epsilon <= MOST:
        raise BadInput(
            "epsilon: for answers randomised on the device it lies between 0.01 and 10; write for"
            " example 2"
        )


@lru_cache(maxsize=256)
def exp_below(x: Fraction, n: int) -> int:
    """Returns an integer at most 2^n e^x, for x >= 0: its series, each term rounded down; once one
    is 0, so are all after it.

    >>> exp_below(Fraction(1), 10), int(2**10 * 2.718281828)
    (2781, 2783)
    """
    total = term = 1 << n
    k = 0
    while term:
        k += 1
        term = term * x.numerator // (x.denominator * k)
        total += term
    return total


def threshold(epsilon: Fraction, others: int) -> int:
    """Returns how many of S = 2^32 words mean one certain untrue answer: t = ceil(S / (E + m)).

    >>> threshold(Fraction(1), 1) / 2**32, 1 / (1 + 2.718281828)
    (0.26894142..., 0.26894142...)
    """
    words: int = 256**WORD << PLACES
    return -(-words // (exp_below(epsilon, PLACES) + (others << PLACES)))


def better(epsilon: Fraction, cells: int) -> Mechanism:
    """Returns the mechanism of the smaller variance: `grr` while K < 3 e^epsilon + 2.

    >>> better(Fraction(1), 8), better(Fraction(1), 10)
    ('grr', 'oue')
    """
    return "grr" if (cells + 1 - 2) << PLACES < 3 * exp_below(epsilon, PLACES) else "oue"


def randomise(cell: int | None, question: Question) -> str:
    """Returns one line to send, the report of a volunteer to a `question`. It spends epsilon each
    time it is called.

    - `cell`: the cell she is in, by its number; None for elsewhere.

    >>> line = randomise(None, Question("Owls", "Where?", "0" * 32, Fraction(1), "oue", 40))
    >>> sorted(json.loads(line))
    ['answer', 'id', 'round']
    """
    return report(cell, question, os.urandom(question.entropy))


def answer_once(cell: int | None, question: Question, kept: MutableMapping[str, str]) -> str:
    """Returns the line that was sent for this `question` before, if `kept` has one; else makes and
    keeps a new one.

    - `cell`: the cell that the volunteer says, or None. Whatever she says the second time, the same
      line goes out, so that asking again tells nothing more.
    - `kept`: a dict, or a `ReportStore` folder, which lasts longer.

    >>> kept, question = {}, Question("Owls", "Where?", "0" * 32, Fraction(1), "grr", 4)
    >>> answer_once(1, question, kept) == answer_once(3, question, kept)
    True
    """
    if question.round not in kept:
        kept[question.round] = randomise(cell, question)
    return kept[question.round]


class ReportStore(MutableMapping[str, str]):
    """Keeps reports in a folder, one file for each round, for `answer_once`: the report only, never
    the answer.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     ReportStore(folder)["0" * 32] = "a line"
    ...     dict(ReportStore(folder))
    {'00000000000000000000000000000000': 'a line'}
    """

    def __init__(self, folder: "str | os.PathLike[str]") -> None:
        self._folder = os.fspath(folder)

    def _path(self, round: str) -> str:  # noqa: A002  # the word of the question file
        if not ROUND.fullmatch(round):
            raise KeyError(round)
        return os.path.join(self._folder, f"{round}.json")

    def __getitem__(self, round: str) -> str:  # noqa: A002  # the same
        try:
            with open(self._path(round), encoding="utf-8") as file:
                return file.read().strip()
        except FileNotFoundError:
            raise KeyError(round) from None

    def __setitem__(self, round: str, line: str) -> None:  # noqa: A002  # the same
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        aside = f"{self._path(round)}.{secrets.token_hex(6)}"
        with open(aside, "w", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, self._path(round))

    def __delitem__(self, round: str) -> None:  # noqa: A002  # the same
        os.unlink(self._path(round))

    def __iter__(self) -> Iterator[str]:
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else ()
        return (
            name[:32]
            for name in sorted(names)
            if ROUND.fullmatch(name[:32]) and name[32:] == ".json"
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)


def report(cell: int | None, question: Question, stream: bytes) -> str:
    """Computes the report from the answer and the entropy alone: what the proof is about, and what
    tests can check.

    The bytes are the id, then big-endian words. Steps 1 and 2 of the proof.
    """
    if cell is not None and not (isinstance(cell, int) and 0 <= cell < question.cells):
        raise BadInput(f"cell: a number from 0 to {question.cells - 1}, or None for elsewhere")
    if len(stream) != question.entropy:
        raise BadInput("entropy: a report takes as many bytes as question.entropy says")
    true = question.cells if cell is None else cell
    words = [int.from_bytes(stream[at : at + WORD]) for at in range(ID, len(stream), WORD)]
    said = (
        _choose_answer(true, question, words[0])
        if question.mechanism == "grr"
        else _bits(true, question, words)
    )
    plain = {"round": question.round, "id": stream[:ID].hex(), "answer": said}
    return json.dumps(plain, separators=(",", ":"))


def _choose_answer(true: int, question: Question, word: int) -> int:
    """Takes step 1: the true answer, or the untrue one of this number."""
    t = threshold(question.epsilon, question.answers - 1)
    if word >= (question.answers - 1) * t:
        return true
    untrue = word // t
    return untrue + (untrue >= true)


def _bits(true: int, question: Question, words: list[int]) -> str:
    """Takes step 2: a bit for each answer, the first in the highest place of the first byte, as
    base64.
    """
    t = threshold(question.epsilon, 1)
    half = 256**WORD // 2
    packed = bytearray(-(-len(words) // 8))
    for i, word in enumerate(words):
        packed[i >> 3] |= (word < (half if i == true else t)) << (7 - i % 8)
    return base64.b64encode(packed).decode()
