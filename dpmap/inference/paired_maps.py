"""Reads two maps side by side: the difference of each piece of land by all answers of both, and
how noise alone would make it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.patches.calibration import Digits, seed
from dpmap.inference.patches.pieces import Ground, ReleasePieces
from dpmap.inference.patches.region_growing import summed
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Releases = Sequence[tuple[Grid, tuple[Measurement, ...]]]
DRAWS, FEWEST, NUMBERS = 600, 100, 12_000_000
"""Noise is drawn anew so many times; on large maps at least so many times, and otherwise until
so many numbers were drawn.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """Holds two maps on common pieces of land: `before` and `after` as all answers have them by
    weighted means, signed.

    `noises` are how far rehearsed answers of the earlier and of the later map lie from the truth, a
    row for each piece and a column for each draw. `chosen` says whether noisy answers chose which
    regions were measured.
    """

    ground: Ground
    before: Numbers
    after: Numbers
    believed: Numbers
    noises: tuple[Numbers, Numbers]
    chosen: bool

    @classmethod
    def pair(cls, grid: Grid, before: Releases, after: Releases) -> Self:
        """Brings together what both maps were answered, on the finest pieces that no smallest
        region of either cuts.
        """
        ground = Ground.lay_out(grid, [*before, *after])
        parts = ground.parts[: len(before)], ground.parts[len(before) :]
        pieces = len(ground.area)
        sums = [_told(mine, [part.regions.noisy for part in mine], pieces) for mine in parts]
        usual = ground.known([part.regions.noisy for part in ground.parts])
        digits = Digits(seed(part.regions.noisy.tobytes() for part in ground.parts))
        answers = sum(len(part.regions.noisy) for part in ground.parts)
        draws = min(DRAWS, max(FEWEST, NUMBERS // max(answers, 1)))
        noises = [np.empty((pieces, draws)) for _ in parts]
        for draw in range(draws):
            for kept, mine in zip(noises, parts, strict=True):
                kept[:, draw] = _told(mine, [digits.noise(part.regions) for part in mine], pieces)
        chosen = any(len(measurements) > 1 for _, measurements in (*before, *after))
        return cls(
            ground, sums[0], sums[1], np.maximum(usual.total, 0.0), (noises[0], noises[1]), chosen
        )


def _told(parts: Sequence[ReleasePieces], noisy: Sequence[Numbers], pieces: int) -> Numbers:
    """Returns what answers tell of each piece by weighted means alone, nothing being taken for
    usual.
    """
    total = np.zeros(pieces)
    for part, answers in zip(parts, noisy, strict=True):
        tree = part.regions
        mean = tree.believed(answers, answers[tree.smallest], tree.variance[tree.smallest]).mean
        total += summed(part.piece, mean, pieces)
    return total
