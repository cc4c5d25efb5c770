"""Keeps the noise of regions that may be asked again, sealed until it is told or dropped."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Partition
from dpmap.private_totals import Sealed
from dpmap.vault.mechanism import Mechanism

Steps = NDArray[np.int64]
MOST_QUESTIONS = 256
"""What a course may ask: how many questions a region pools is held in a byte."""


class Chains(Sealed):
    """Draws each region's noise once, for all questions of a course at which it may still be the
    same and for all readers.

    When a region is first asked, its noise is drawn for the case that it stays whole to the end,
    and from there noisier copies for every earlier end and every other reader (copies). Each
    question tells one of them to each reader. Where a region is split, what was not told of its
    noise is dropped, and its parts start anew. So which noise is told depends on the partitions
    alone, and the law of what was told up to any question is that of a chain that ends there.
    Without `copying` every question starts anew.
    """

    __slots__ = ("_before", "_copying", "_to_come", "earlier", "pooled", "shares")

    def __init__(self, shares: Sequence[Fraction] = (), *, copying: bool = False) -> None:
        self._copying = copying
        self._before: Partition | None = None
        self._to_come: list[list[Steps]] = []
        self.shares = tuple(shares)
        """What the questions to come cost."""
        self.earlier = list[Fraction]()
        """What the questions before cost, the latest first."""
        self.pooled: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        """How many questions before the last one each of its regions was asked at, as the same
        region.
        """

    def drawn(
        self, partition: Partition, scales: Sequence[Sequence[Fraction]], mechanism: Mechanism
    ) -> list[Steps]:
        """Returns the noise of each region for each reader; `scales` are those of regions that
        start now, question by question.

        The partition is copied: who asked holds this one, and could change it before the next
        question is compared with it.
        """
        before = (
            np.full(partition.regions, -1, np.int32)
            if self._before is None
            else partition.same_in(self._before)
        )
        same = np.flatnonzero(before >= 0)
        fresh = before < 0
        before = before[same]
        wanted = scales if self._copying else scales[:1]
        rising = sorted({scale for readers in wanted for scale in readers})
        drawn = dict(
            zip(rising, mechanism.copies(partition.regions - len(same), rising), strict=True)
        )
        questions = [[drawn[scale] for scale in readers] for readers in wanted]
        if len(same):
            for noises, earlier in zip(questions, self._to_come, strict=True):
                noises[:] = [
                    _merge(fresh, noise, sealed[before])
                    for noise, sealed in zip(noises, earlier, strict=True)
                ]
        pooled = np.zeros(partition.regions, dtype=np.uint8)
        pooled[same] = self.pooled[before] + 1
        self._to_come = questions[1:]
        self.pooled = pooled
        self._before = Partition(partition.labels, partition.regions) if self._to_come else None
        return questions[0]

    def end_question(self) -> None:
        """Moves the share of the question that was drawn for to the earlier ones."""
        self.earlier.insert(0, self.shares[0])
        self.shares = self.shares[1:]


def _merge(fresh: NDArray[np.bool_], drawn: Steps, sealed: Steps) -> Steps:
    """Returns noise of all regions: drawn at the fresh ones, sealed earlier at the others."""
    noise = np.empty(len(fresh), dtype=np.int64)
    noise[fresh] = drawn
    noise[~fresh] = sealed
    return noise
