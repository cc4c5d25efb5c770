"""Writes vectors.json: questions, answers and fixed bytes instead of entropy, and the report that every code must make of them."""

import hashlib
import json
from fractions import Fraction
from pathlib import Path

from dpmap.local.device import Question, better, report, threshold
from dpmap.numbers import decimal_text

PAGE = Path(__file__).with_name("vectors.json")
SIZES = {
    "0.01": (1, 3, 4, 30),
    "1/3": (1, 2, 9),
    "1": (1, 8, 9, 65, 1000),
    "2": (20, 24, 400),
    "3.75": (127, 128),
    "10": (24, 65535),
}


def stream(seed: str, length: int) -> bytes:
    """SHAKE-256 of a name: fixed bytes as long as wanted."""
    return hashlib.shake_256(seed.encode()).digest(length)


def vectors():
    found = []
    for epsilon, sizes in SIZES.items():
        for cells in sizes:
            question = Question("t", "w", hashlib.md5(f"{epsilon} {cells}".encode()).hexdigest(), Fraction(epsilon),
                                better(Fraction(epsilon), cells), cells)  # fmt: skip
            if cells > 10_000 and question.mechanism == "oue":
                continue
            for cell in (0, cells // 2, cells - 1, None):
                for number in range(3):
                    given = stream(f"{question.round} {cell} {number}", question.entropy)
                    if number and question.mechanism == "oue" and cells > 100:
                        continue
                    found.append(case(question, cell, given))
            others = cells if question.mechanism == "grr" else 1
            bar = threshold(question.epsilon, others)
            edges = (0, bar - 1, bar, others * bar - 1, others * bar, 2**31 - 1, 2**31, 2**32 - 1)
            for edge in edges if cells < 50 else ():
                word = min(edge, 2**32 - 1).to_bytes(4)
                found.append(
                    case(question, cells // 2, (bytes(16) + word * (cells + 1))[: question.entropy])
                )
    return found


def case(question, cell, given):
    return {"epsilon": decimal_text(question.epsilon), "mechanism": question.mechanism, "cells": question.cells, "cell": cell,
            "round": question.round, "stream": given.hex(), "report": report(cell, question, given)}  # fmt: skip


if __name__ == "__main__":
    PAGE.write_text("[\n" + ",\n".join(json.dumps(one) for one in vectors()) + "\n]\n", "utf-8")
