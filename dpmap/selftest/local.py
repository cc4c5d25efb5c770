"""Checks answers randomised on a volunteer's device, by counting out their chances."""

import os
from fractions import Fraction

from dpmap.local import device
from dpmap.local.device import Question, report
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute

ROUND = "0" * 32


def _question(epsilon: Fraction, mechanism: device.Mechanism, cells: int) -> Question:
    return Question("invented", "where?", ROUND, epsilon, mechanism, cells)


def once(_: Effort) -> CheckResult:
    """Checks that a report's entropy is the system's, drawn for it alone, and that a second
    answer sends the first again.
    """
    drawn: list[bytes] = []

    def spied(count: int) -> bytes:
        drawn.append(os.urandom(count))
        return drawn[-1]

    listening = type("Listening", (), {"urandom": staticmethod(spied)})
    for question in (_question(Fraction(1), "grr", 5), _question(Fraction(1), "oue", 40)):
        with replace_attribute(device, "os", listening):
            lines = [device.randomise(3, question) for _ in range(50)]
        if (
            lines != [report(3, question, stream) for stream in drawn[-50:]]
            or len({*drawn[-50:]}) != 50
        ):
            raise Broken("a report is not made from fresh entropy of the operating system alone")
        reports: dict[str, str] = {}
        if len({device.answer_once(cell, question, reports) for cell in (3, 1, None, 3)}) != 1:
            raise Broken("a device answers one question twice with fresh randomness")
    if len(drawn) != 100:
        raise Broken("a report draws its entropy more than once")
    return CheckResult(
        "100 reports, and two questions answered four times each",
        "a seed, kept entropy, a second answer",
    )
