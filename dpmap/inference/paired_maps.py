"""Two maps on common pieces of land, estimated from all their answers, and draws of their noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.patches.calibration import Digits, seed
from dpmap.inference.patches.pieces import Ground, ReleasePieces
from dpmap.inference.patches.region_growing import sum_by_place
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Releases = Sequence[tuple[Grid, tuple[Measurement, ...]]]
DRAWS = 600
"""Noise is drawn so many times."""
FEWEST = 100
"""On large maps noise is drawn at least so many times."""
NUMBERS = 12_000_000
"""Between these two, noise is drawn until so many numbers were."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedMaps:
    """Two maps on common pieces of land: `before` and `after` are the signed weighted means of all
    answers.

    `noises` are the errors of the earlier and of the later map under drawn noise, a row for each
    piece and a column for each draw. `chosen` says whether noisy answers chose which regions were
    measured.
    """

    ground: Ground
    before: Numbers
    after: Numbers
    believed: Numbers
    noises: tuple[Numbers, Numbers]
    chosen: bool

    @classmethod
    def pair(cls, grid: Grid, before: Releases, after: Releases) -> Self:
        """Estimates both maps on the finest pieces that no smallest region of either cuts."""
        ground = Ground.lay_out(grid, [*before, *after])
        parts = ground.parts[: len(before)], ground.parts[len(before) :]
        pieces = len(ground.area)
        sums = [_piece_means(side, [part.regions.noisy for part in side], pieces) for side in parts]
        usual = ground.estimate_pieces([part.regions.noisy for part in ground.parts])
        digits = Digits(seed(part.regions.noisy.tobytes() for part in ground.parts))
        answers = sum(len(part.regions.noisy) for part in ground.parts)
        draws = min(DRAWS, max(FEWEST, NUMBERS // max(answers, 1)))
        noises = [np.empty((pieces, draws)) for _ in parts]
        for draw in range(draws):
            for errors, side in zip(noises, parts, strict=True):
                errors[:, draw] = _piece_means(
                    side, [digits.noise(part.regions) for part in side], pieces
                )
        chosen = any(len(measurements) > 1 for _, measurements in (*before, *after))
        return cls(
            ground, sums[0], sums[1], np.maximum(usual.total, 0.0), (noises[0], noises[1]), chosen
        )


def _piece_means(parts: Sequence[ReleasePieces], noisy: Sequence[Numbers], pieces: int) -> Numbers:
    """Returns the weighted mean of the answers about each piece, without a prior."""
    total = np.zeros(pieces)
    for part, answers in zip(parts, noisy, strict=True):
        tree = part.regions
        mean = tree.combine(answers, answers[tree.smallest], tree.variance[tree.smallest]).mean
        total += sum_by_place(part.piece, mean, pieces)
    return total
