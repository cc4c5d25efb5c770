"""A fuzzer with coverage feedback, in one screen: inputs that reach new lines of dpmap are kept and changed further."""

import os
import random
import sys

import dpmap

HOME = os.path.dirname(dpmap.__file__) + os.sep


def reached(target, data):
    """The steps from line to line, within dpmap, that this input takes."""
    steps = set()

    def tracer(frame, event, _):
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        name, before = frame.f_code.co_filename, [0]

        def local(frame, event, _):
            steps.add((name, before[0], frame.f_lineno))
            before[0] = frame.f_lineno
            return local

        return local

    kept = sys.gettrace()
    sys.settrace(tracer)
    try:
        target(data)
    finally:
        sys.settrace(kept)
    return steps


def changed(data, others, pieces, chance):
    """The bytes with some cuts, flips, repeats, pieces of a dictionary and parts of another input."""
    raw = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randint(0, len(raw))
        kind = chance.randrange(7)
        if kind == 0 and raw:
            del raw[at : at + chance.choice((1, 2, 8, 64))]
        elif kind == 1 and raw:
            raw[at % len(raw)] ^= 1 << chance.randrange(8)
        elif kind == 2:
            raw[at:at] = raw[at : at + chance.randint(1, 32)] * chance.choice((1, 2, 100))
        elif kind == 3:
            raw[at:at] = bytes([chance.randrange(256)])
        elif kind == 4:
            other = chance.choice(others)
            start = chance.randint(0, len(other))
            raw[at : at + chance.randint(0, 16)] = other[start : start + chance.randint(1, 64)]
        else:
            raw[at : at + (chance.randint(1, 8) if kind == 5 else 0)] = chance.choice(pieces)
    return bytes(raw[: 1 << 16])


def fuzz(target, seeds, pieces, rounds, chance_seed=1):
    """Runs the target on changed inputs; those that reach something new join the corpus. The corpus at the end.

    An exception of the target ends it, with the input in a note.
    """
    chance, corpus, seen = random.Random(chance_seed), [], set()
    for number in range(rounds + len(seeds)):
        data = (
            seeds[number]
            if number < len(seeds)
            else changed(chance.choice(corpus), corpus, pieces, chance)
        )
        try:
            steps = reached(target, data)
        except Exception as error:
            error.add_note(f"input: {data[:2000]!r}")
            raise
        if number < len(seeds) or not steps <= seen:
            corpus.append(data)
        seen |= steps
    return corpus
