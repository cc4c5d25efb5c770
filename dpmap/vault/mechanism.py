"""Adds noise to totals and knows its cost: one class for Laplace noise, one for Gaussian.

A session asks its mechanism what noise a share of epsilon buys, and to draw it. Write C for the cap
and L for the lattice.

**Laplace.** Regions are disjoint, so one unit moves their totals by at most C * L steps in L1
(limiter, theorem b). Discrete Laplace noise of scale C * L / share on each then has privacy loss
`share` (Ghosh, Roughgarden and Sundararajan 2009: the ratio of two masses at distance d is at most
exp(d / scale)).

**Gaussian.** One unit moves the totals of single cells by at most D = sqrt(C) * L steps in L2
(limiter, theorem c), so discrete Gaussian noise of deviation sigma costs D^2 / (2 sigma^2) of rho,
which is at most the share's. Shares of epsilon add up to no more than epsilon, so those of rho add
up to no more than rho, which keeps (epsilon, delta) (concentrated). In a region of several cells a
unit's length may be up to the root of their number greater: such a partition is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import Refused
from dpmap.grid import Partition
from dpmap.noise.distributions import LAWS
from dpmap.noise.scales import gaussian_scale, laplace_scale
from dpmap.vault.correlated_laplace import laplace_with_copies
from dpmap.vault.gaussian import LARGEST_SIGMA, discrete_gaussian
from dpmap.vault.laplace import LARGEST_SCALE, discrete_laplace, discrete_laplace_from

Steps = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LaplaceMechanism:
    """Discrete Laplace noise, for epsilon alone; `source` says who draws it."""

    kind: ClassVar = "laplace"
    largest: ClassVar = LARGEST_SCALE
    cap: int
    lattice: int
    source: str = "dpmap"

    def check(self, partition: Partition) -> None:
        """Accepts any disjoint regions, for which the proof holds."""

    def scale(self, share: Fraction) -> Fraction:
        """Returns the noise scale in steps that a share of epsilon buys."""
        return laplace_scale(self.cap, self.lattice, share)

    @property
    def copied(self) -> bool:
        """Whether noisier copies are proved: of dpmap's own noise."""
        return self.source == "dpmap"

    def noise(self, count: int, scale: Fraction) -> Steps:
        """Draws independent noise for so many totals."""
        return discrete_laplace(count, scale, source=self.source)

    def copies(self, count: int, scales: Sequence[Fraction]) -> list[Steps]:
        """Draws noise for so many totals at the first scale, and a noisier copy of it for each
        later one (copies).
        """
        if len(scales) == 1:
            return [self.noise(count, scales[0])]
        return laplace_with_copies(count, scales)

    def noise_from(self, least: int, cells: int, scale: Fraction) -> tuple[Steps, Steps]:
        """Draws noise for so many cells and returns only what is at least `least` steps: places,
        and noise there.
        """
        return discrete_laplace_from(least, cells, scale)


@dataclass(frozen=True, slots=True)
class GaussianMechanism:
    """Discrete Gaussian noise, for an epsilon and a delta; each measurement takes a share of
    both.
    """

    kind: ClassVar = "gaussian"
    copied: ClassVar = False
    largest: ClassVar = LARGEST_SIGMA
    cap: int
    lattice: int
    epsilon: Fraction
    delta: Fraction

    def check(self, partition: Partition) -> None:
        """Refuses regions of several cells."""
        if (partition.sizes() > 1).any():
            raise Refused(
                "session: Gaussian noise is for single cells, in which the length of a unit was"
                " capped: merged into regions it can be longer; measure Partition.cells"
            )

    def scale(self, share: Fraction) -> Fraction:
        """Returns the deviation in steps for a share of rho as large as `share` is of epsilon."""
        return gaussian_scale(self.cap, self.lattice, self.epsilon, self.delta, share)

    def noise(self, count: int, scale: Fraction) -> Steps:
        """Draws independent noise for so many totals."""
        return discrete_gaussian(count, int(scale))

    def copies(self, count: int, scales: Sequence[Fraction]) -> list[Steps]:
        """Draws noise at the one scale there is: noisier copies are not proved here, and the
        session asks for none.
        """
        (scale,) = scales
        return [self.noise(count, scale)]


Mechanism = LaplaceMechanism | GaussianMechanism
if {LaplaceMechanism.kind, GaussianMechanism.kind} != LAWS.keys():
    raise TypeError("each kind of noise has its mechanism here and its law in noise/distributions")
