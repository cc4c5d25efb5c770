"""A session over public numbers whose noise follows a seed, so that a test is the same in every run."""

from fractions import Fraction
from itertools import accumulate

import numpy as np

from dpmap.record import Measurement
from dpmap.vault.noise_chains import Chains


class Seeded:
    """Draws what the vault's sampler draws, by numpy: each copy stays as it was or gets fresh noise of its own scale."""

    def __init__(self, seed):
        self.dice = np.random.default_rng(seed)

    def laplace(self, count, scale):
        drawn = self.dice.geometric(-np.expm1(-1 / float(scale)), (2, count))
        return drawn[0] - drawn[1]

    def copies(self, count, scales):
        chain = [self.laplace(count, scales[0])]
        for narrow, wide in zip(scales, scales[1:], strict=False):
            stays = (np.sinh(0.5 / float(wide)) / np.sinh(0.5 / float(narrow))) ** 2
            chain.append(
                chain[-1] + np.where(self.dice.random(count) < stays, 0, self.laplace(count, wide))
            )
        return chain


class PublicSession:
    """Measures public counts under a course, keeps everything asked and answered, and debits nothing."""

    priors = ()

    def __init__(self, counts, grid, epsilon, cap=1, seed=0, lattice=1 << 20):
        self.counts, self.grid, self.lattice = np.asarray(counts, dtype=float), grid, lattice
        self.epsilon, self.cap, self.made = Fraction(epsilon), cap, []
        self.mechanism, self._course, self._chains = Seeded(seed), [], Chains()

    def course(self, shares):
        self._course, self._chains = list(shares), Chains(copying=True)

    def measure(self, partition, epsilon):
        if not self._course:
            self.course([epsilon])
        assert epsilon == self._course[0], "asked as declared"
        scales = [
            [Fraction(self.cap) * self.lattice / pooled] for pooled in accumulate(self._course)
        ]
        self._course.pop(0)
        (noise,) = self._chains.drawn(partition, scales, self.mechanism)
        steps = np.rint(self.totals(partition) * self.lattice).astype(np.int64) + noise
        earlier, pooled = [one.epsilon for one in reversed(self.made)], self._chains.pooled
        scale = Fraction(self.cap) / epsilon
        self.made.append(
            Measurement(partition, steps, lattice=self.lattice, scale=scale, epsilon=epsilon, pooled=pooled, earlier=earlier)
        )  # fmt: skip
        return self.made[-1]

    @property
    def finest(self):
        return self.epsilon

    def totals(self, partition):
        return partition.sums(self.counts)
