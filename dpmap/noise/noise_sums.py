"""Gives the tail of a sum of independent noises, Laplace or Gaussian, of any scales: that of the
change between two maps.

`Sum.tail` reads P(S >= x) off the moment generating function M. For every c > 0 below where M ends,

    P(S >= x) = 1 / (2 pi i) times the integral of M(s) exp(-s x) / s along s = c + i u,

(Bromwich's integral), worked out by the trapezoid rule, whose error falls as fast as exp(-2 pi c /
step) where M is as smooth as here. Of all c the one is taken at which the integrand is smallest on
the axis: there nothing cancels, so that small tails come out as exactly as large ones. Where even
that is too fine for double precision, Chernoff's bound M(c) exp(-c x) stands in, which is never too
small.

dpmap's noises are discrete, of steps so small that a continuous noise stands for each: a discrete
Laplace is floor(E) - floor(E') of exponential E and E', and so lies within a step of the Laplace E
- E'; for a discrete Gaussian see `laws`. A sum of n noises lies within n steps of the continuous
sum, and `Sum` takes its points so much nearer to 0: its tails are never too small, its quantiles
never too short.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
PULLS = 96
MOST_PULL = 0.85
"""So many values of c are tried, up to this share of where M ends; nearer to it only Chernoff's
bound is taken.
"""
FINE = 50.0
"""The trapezoid rule's own error is exp(-50)."""
MOST_STEPS = 20_000
SMALL = 1e-11
"""The integral ends after so many steps, or where what is left is this small beside the whole."""
LEAST = 1e-11
"""Tails below this are bounded by Chernoff's rule instead."""
SAFE = 1.001
"""Tails are given so much too large, for what is left of the errors."""
POINTS = 1_500
AT_ONCE = 128
FAR = 40.0
"""The tail is read off a table of so many points, up to 40 deviations; so many are worked out at
once.
"""


@dataclass(frozen=True)
class Sum:
    """Holds a sum of independent noises: (scale in points, how many) of the Laplace ones and of the
    Gaussian ones, whose scale is their deviation; `step` is the coarsest lattice's step, in points.

    >>> one = Sum(laplace=((10.0, 1), (10.0, 1)))
    >>> one.tail(np.array([10.0, 20.0])).round(3).tolist(), round(one.reach(0.9), 1)
    ([0.276, 0.135], 32.7)
    """

    laplace: tuple[tuple[float, int], ...] = ()
    gaussian: tuple[tuple[float, int], ...] = ()
    step: float = 0.0

    @property
    def noises(self) -> int:
        """How many noises add up."""
        return sum(count for _, count in (*self.laplace, *self.gaussian))

    @property
    def deviation(self) -> float:
        """The standard deviation, in points."""
        laplace = sum(2 * count * scale**2 for scale, count in self.laplace)
        return float(np.sqrt(laplace + sum(count * scale**2 for scale, count in self.gaussian)))

    def tail(self, points: Numbers) -> Numbers:
        """Returns P(S >= point) for each point from 0 on: some thousandths too large, never too
        small.
        """
        table, logarithm = self._table
        nearer = np.maximum(np.asarray(points, dtype=np.float64) - self.noises * self.step, 0.0)
        return np.asarray(np.exp(np.interp(nearer, table, logarithm)))

    def reach(self, level: float) -> float:
        """Returns a q with P(|S| <= q) >= level, in points: half the width of the interval of
        what S was added to.
        """
        table, logarithm = self._table
        q = float(np.interp(-np.log((1 - level) / 2), -logarithm, table))
        return q + self.noises * self.step

    @cached_property
    def _table(self) -> tuple[Numbers, Numbers]:
        """The logarithm of the tail at many points from 0 on. Between two of them it is taken as a
        line, above which the true one, whose density is log-concave, lies by less than `SAFE`
        allows for.
        """
        points = np.linspace(0.0, FAR * self.deviation, POINTS)
        return points, np.log(self._tail(points))

    @cached_property
    def _pulls(self) -> Numbers:
        """The values of c: below where M ends, or of Gaussian noise alone up to 12 deviations'
        pull.
        """
        share = (np.arange(PULLS) + 0.5) / PULLS
        if self.laplace:
            near = 1 - np.geomspace(1 - MOST_PULL, 1e-3, PULLS // 2)
            return np.append(MOST_PULL * share, near) / max(scale for scale, _ in self.laplace)
        return np.asarray(12 * share / self.deviation)

    def _log_mgf(self, pull: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Returns log M; of each part the branch that is real on the axis, as 1 - (scale s)^2
        has a positive real part there.
        """
        log_mgf = np.zeros_like(pull)
        for scale, count in self.laplace:
            log_mgf -= count * np.log(1 - (scale * pull) ** 2)
        for scale, count in self.gaussian:
            log_mgf += count * (scale * pull) ** 2 / 2
        return log_mgf

    def _tail(self, points: Numbers) -> Numbers:
        """Returns the tail at points from 0 on."""
        height = self._log_mgf(self._pulls.astype(np.complex128)).real
        tail = np.empty(points.shape)
        for start in range(0, points.size, AT_ONCE):
            x = points.ravel()[start : start + AT_ONCE]
            bound = height - self._pulls * x[:, None]
            best = (bound - np.log(self._pulls))[:, :PULLS].argmin(1)
            chernoff = np.exp(np.minimum(bound.min(1), 0.0))
            whole = self._integral(x, self._pulls[best])
            sure = np.minimum(whole * SAFE, chernoff)
            tail.ravel()[start : start + AT_ONCE] = np.where(whole > LEAST, sure, chernoff)
        return np.minimum(tail, 1.0)

    def _integral(self, points: Numbers, pull: Numbers) -> Numbers:
        """Returns Bromwich's integral for each point, at its own c."""
        integral = np.empty(len(points))
        for c in np.unique(pull):
            step = 2 * np.pi * c / FINE
            at_pull = pull == c
            s = c + 1j * step * np.arange(self._steps(float(c), float(step)))
            weight = np.exp(self._log_mgf(s) - self._log_mgf(s[:1]).real) / s
            weight[0] /= 2
            waves = np.exp(-1j * s.imag * points[at_pull][:, None])
            height = float(self._log_mgf(s[:1]).real[0])
            integral[at_pull] = (
                step / np.pi * np.exp(height - c * points[at_pull]) * (waves @ weight).real
            )
        return integral

    def _steps(self, c: float, step: float) -> int:
        """Returns after how many steps the integrand is small enough to end."""
        counts = np.unique(np.geomspace(32, MOST_STEPS, 40).astype(np.int64))
        s = np.asarray(c + 1j * step * counts, dtype=np.complex128)
        size = (
            self._log_mgf(s).real - self._log_mgf(np.array([c + 0j], dtype=np.complex128)).real
        ) + np.log(counts)
        small = np.flatnonzero(size - np.log(np.abs(s)) + np.log(c) < np.log(SMALL))
        return int(counts[small[0]]) if len(small) else MOST_STEPS
