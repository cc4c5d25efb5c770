"""Turns answers that pool earlier ones back into answers of their own question alone, for readings
whose proofs need that.

A region that stayed whole was kept so by its earlier answers, and its pooled answer depends on
them: where noise was low, land was kept whole. Intervals and tests rest on noise that no choice
looked at. Here is such an answer.

**Theorem.** Let Y = x + K be an answer with discrete Laplace noise of scale 1 / (a + b), and Z = Y
+ W its noisier copy of scale 1 / a (vault/correlated_laplace). Write p = e^-a, q = e^-b. Draw A,
given Y and Z, so: where Y differs from Z, A is Y with a chance in proportion to 1 - q^2, and t
steps beyond Y, away from Z, with (1 - p^2) (1 - q^2) q^t, t = 1, 2, ..; where they are equal, A is
Y with 1 - p^2 q^2, and t steps off on either side with (1 - p^2) q^t. Then A - x is a discrete
Laplace of scale 1 / b, and independent of Z.

*Proof.* Let g(y) = p^|z - y| q^|s - y|, and c g the chance that two independent answers of scales 1
/ a and 1 / b about y are z and s. Put h(y) = (1 + p^2 q^2) g(y) - p q (g(y - 1) + g(y + 1)).
Outside z .. s it is 0, and elsewhere g(y) times (1 - p^2)(1 - q^2) strictly between, 1 - p^2 at z,
1 - q^2 at s if these differ, and 1 - p^2 q^2 if z = s = y: never below 0. The chance of Y = y is in
proportion to (p q)^|y - x|, of which the sum over y of h(y) (p q)^|y - x| is (1 - p^2 q^2) g(x)
(summing by parts: the operator that made h of g makes of (p q)^|y - x| a single mass at x). So
drawing Z and A from Y by chances in proportion to h gives two independent answers; the law of Z
given Y is then that of a noisier copy, which is the only one that makes one scale of the other for
every x; and h is, given y and z, in proportion to what is stated. QED

So (A, all earlier answers) is what independent noise would have given: whoever holds the pooled
answers holds that too. Coins are the digits of a hash of the answers, which are public: the same on
every machine, and no secret depends on them.
"""

import hashlib
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpmap.record.measurement import Measurement

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_APART: WeakKeyDictionary[Measurement, Measurement] = WeakKeyDictionary()


def unpool(measurements: tuple[Measurement, ...]) -> Measurement:
    """Returns the last measurement with each answer as its question alone would have been
    answered, with noise of one scale.
    """
    last = measurements[-1]
    if not last.earlier:
        return last
    if last not in _APART:
        before = last.partition.same_in(measurements[-2].partition)
        pooled = np.flatnonzero(last.pooled > 0)
        steps = last.steps.copy()
        drawn = _draw_difference(last, pooled, measurements[-2].steps[before[pooled]])
        steps[pooled] = drawn
        noise = {name: getattr(last, name) for name in ("lattice", "scale", "epsilon", "kind")}
        _APART[last] = Measurement(last.partition, steps, **noise)
    return _APART[last]


def _draw_difference(
    last: Measurement, regions: NDArray[np.intp], before: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Draws A of the theorem for these regions; `before` are their noisier copies, of the
    question before.
    """
    answers = last.steps[regions]
    scales = np.array([float(scale * last.lattice) for scale in last.pooled_scales])[
        last.pooled[regions]
    ]
    b = 1 / float(last.scale_steps)
    a = 1 / scales - b
    alone = -np.expm1(-b)
    copy = -np.expm1(-2 * a)
    both = -np.expm1(-2 * (a + b))
    side = np.sign(answers - before)
    chance = np.where(
        side, alone / (alone + copy * np.exp(-b)), both / (both + 2 * copy * np.exp(-b) / alone)
    )
    stays, far, way = _digits(answers, before).T
    steps = 1 + np.floor(-np.log(far) / b).astype(np.int64)
    side = np.where(side, side, np.where(way < 0.5, -1, 1))
    return np.where(stays < chance, answers, answers + side * steps)


def _digits(answers: NDArray[np.int64], before: NDArray[np.int64]) -> Numbers:
    """Returns three numbers between 0 and 1 for each region, which its answers fix."""
    words = b"".join(
        hashlib.blake2b(pair.tobytes(), digest_size=24).digest()
        for pair in np.stack([answers, before], -1)
    )
    return np.asarray(
        ((np.frombuffer(words, dtype="<u8") >> np.uint64(11)) + 0.5).reshape(-1, 3) / 2.0**53,
        dtype=np.float64,
    )


def superseded_answers(measurements: Sequence[Measurement]) -> list[Mask]:
    """Returns, for each measurement, which regions' answers are only noisier copies of an answer
    of the next one.
    """
    masks = [np.zeros(measurement.partition.regions, dtype=bool) for measurement in measurements]
    for measurement, following, mask in zip(measurements, measurements[1:], masks, strict=False):
        if following.earlier:
            before = following.partition.same_in(measurement.partition)
            mask[before[following.pooled > 0]] = True
    return masks
