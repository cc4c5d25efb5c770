"""Checks answers randomised on a volunteer's device, by counting out their chances."""

import base64
import json
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

from dpmap.local import device
from dpmap.local.device import ID, Question, report
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.selftest.local import _question

EPSILONS = (Fraction(1, 10), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(7, 2))


BASES = tuple(bytes([level]) * 4 for level in (0, 40, 100, 127, 128, 255))


def _odds(epsilon: Fraction) -> Fraction:
    """Returns a number just below e^epsilon, by the decimal module: another arithmetic than the
    device's.
    """
    with localcontext(prec=60):
        found = (Decimal(epsilon.numerator) / epsilon.denominator).exp() * (1 - Decimal("1e-50"))
        return Fraction(found)


def answers(_: Effort) -> CheckResult:
    """Checks, over every outcome of the entropy, that no report is e^epsilon times as likely for
    one answer as for another.
    """
    tried = 0
    with replace_attribute(device, "WORD", 1):
        for question in _small():
            law = {true: _law(question, true) for true in (*range(question.cells), None)}
            tried += sum(sum(row.values()) for row in law.values())
            _check_law(question, law)
    return CheckResult(
        f"all {tried:,} outcomes of the entropy in words of one byte",
        "any chance that is off by one word",
    )


def _small() -> Iterator[Question]:
    """Returns questions of which all outcomes can be tried; the first by all numbers of cells
    that fit their epsilon.
    """
    for epsilon, cells in product(EPSILONS, range(1, 9)):
        if (cells + 1) * device.threshold(epsilon, cells) <= 256:
            yield _question(epsilon, "grr", cells)
    yield _question(Fraction(1, 3), "oue", 1)
    yield _question(Fraction(2), "oue", 1)


def _law(question: Question, true: int | None) -> dict[str, int]:
    """Counts how many of all values of the words lead to each answer."""
    found: dict[str, int] = {}
    for words in product(range(256), repeat=question.entropy - ID):
        said = str(json.loads(report(true, question, bytes(ID) + bytes(words)))["answer"])
        found[said] = found.get(said, 0) + 1
    return found


def _check_law(question: Question, law: dict[int | None, dict[str, int]]) -> None:
    """Checks the stated chances, and the ratio of any two rows of the table."""
    name, bound = f"{question.mechanism} with {question.cells} cells", _odds(question.epsilon)
    for said in {said for row in law.values() for said in row}:
        counts = [row.get(said, 0) for row in law.values()]
        if min(counts) == 0 or Fraction(max(counts), min(counts)) > bound:
            raise Broken(
                f"{name}: a report is more than e^{question.epsilon} times as likely for one as for"
                " another"
            )
    if question.mechanism == "grr":
        for true, row in law.items():
            spoken = row[str(question.cells if true is None else true)]
            if Fraction(spoken, 256) != question.truth or {*row.values()} - {spoken} - {
                int(256 * question.other)
            }:
                raise Broken(
                    f"{name}: the chances are not those that the totals are worked out with"
                )


def words(_: Effort) -> CheckResult:
    """Checks that each bit of many cells depends only on its own word and on whether it is the
    true one.
    """
    tried = 0
    for epsilon in EPSILONS:
        question = _question(epsilon, "oue", 10)
        for true, base in product((0, 7, None), BASES):
            stream = bytes(ID) + base * question.answers
            before = _set(true, question, stream)
            for place, word in product(range(question.answers), BASES):
                at = ID + 4 * place
                changed = _set(true, question, stream[:at] + word + stream[at + 4 :])
                tried += 1
                if (before ^ changed) - {place}:
                    raise Broken("one word of entropy decides more than one bit of a report")
        _check_bars(question)
    return CheckResult(
        f"{tried:,} changed words", "a word that serves two bits, or a bit decided by another's"
    )


def _set(true: int | None, question: Question, stream: bytes) -> set[int]:
    """Returns the numbers of the bits that are set."""
    packed = base64.b64decode(json.loads(report(true, question, stream))["answer"])
    return {i for i in range(question.answers) if packed[i >> 3] >> (7 - i % 8) & 1}


def _check_bars(question: Question) -> None:
    """Checks that words below a half set the true bit, and words below their threshold the
    others, exactly.
    """
    bars = {True: 2**31, False: int(question.other * 2**32)}
    for place, true in product(range(question.answers), (0, 7, None)):
        mine = place == (question.cells if true is None else true)
        for word in (bars[mine] - 1, bars[mine]):
            stream = bytes(ID) + word.to_bytes(4) * question.answers
            if (place in _set(true, question, stream)) != (word < bars[mine]):
                raise Broken("a bit of a report is not set with its stated chance")


def thresholds(_: Effort) -> CheckResult:
    """Checks the odds in words of four bytes: at most e^epsilon, and less by no more than one
    word's worth.
    """
    compared = 0
    for epsilon, others in product(
        (*EPSILONS, device.LEAST, device.MOST), (1, 2, 7, 100, 5_000, 65_535)
    ):
        t = device.threshold(epsilon, others)
        bound = _odds(epsilon)
        compared += 1
        if Fraction(2**32 - others * t, t) > bound:
            raise Broken(
                f"epsilon {epsilon}, {others} untrue answers: true ones are more than e^epsilon"
                " times as likely"
            )
        if t > 1 and Fraction(2**32 - others * (t - 1), t - 1) < bound * (1 - Fraction(1, 10**12)):
            raise Broken(
                f"epsilon {epsilon}, {others} untrue answers: more is randomised than epsilon"
                " asks for"
            )
    return CheckResult(
        f"{compared} pairs of epsilon and size, against an independent exponential",
        "a threshold one word off",
    )
