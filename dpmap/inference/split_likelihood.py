"""Likelihoods of the totals of a node's children, shared by every estimate of a tree of totals."""

import math

import numpy as np

from dpmap.inference.estimate import Cells

FAR = -30.0
"""Deviations below which a normal tail is its own leading term; exact to a thousandth, and
nothing overflows.
"""
NOTHING = 1e-9
"""A parent with less than this many points has nothing to share out."""


def normal_likelihoods(
    mean: Cells, variance: Cells, rate: Cells
) -> tuple[Cells, Cells, Cells, Cells]:
    """Returns, for normal noise, the log likelihoods of being empty and of an exponential total,
    its mean and mean square.
    """
    from scipy.special import log_ndtr

    deviation = np.sqrt(variance)
    shifted = (mean - rate * variance) / deviation
    below = log_ndtr(shifted)
    half_log = 0.5 * math.log(2 * math.pi)
    empty = -0.5 * mean * mean / variance - np.log(deviation) - half_log
    occupied = np.log(rate) - rate * mean + 0.5 * rate * rate * variance + below
    near = np.maximum(shifted, FAR)
    hazard = np.exp(-0.5 * near * near - half_log - np.maximum(below, log_ndtr(FAR)))
    first = np.where(shifted < FAR, -1 / np.minimum(shifted, FAR), near + hazard)
    second = np.where(
        shifted < FAR, 2 / np.minimum(shifted, FAR) ** 2, 1 + near * near + near * hazard
    )
    return empty, occupied, deviation * first, variance * second


def laplace_likelihoods(
    noisy: Cells, scale: Cells, rate: Cells
) -> tuple[Cells, Cells, Cells, Cells]:
    """Returns the same for Laplace noise in closed form: below and above the noisy value the
    posterior is exponential.
    """
    # the formulas have a removable pole where rate * scale is 1
    rate = np.where(np.abs(rate * scale - 1) < 0.03, 1.03 / scale, rate)
    rise = 1 / scale - rate
    fall = 1 / scale + rate
    value = np.maximum(noisy, 0.0)
    steep = rise < 0
    by_rate = np.where(steep, np.exp(np.clip(rise * value, -700, 0)), 1.0)
    by_noise = np.where(steep, 1.0, np.exp(-np.clip(rise * value, 0, 700)))
    common = np.where(steep, -value / scale, -rate * value)
    zeroth = (by_rate - by_noise) / rise + by_rate / fall
    first = by_rate * (value / rise - 1 / rise**2 + value / fall + 1 / fall**2) + by_noise / rise**2
    second = (
        by_rate * (value**2 / rise - 2 * value / rise**2 + 2 / rise**3) - 2 * by_noise / rise**3
    )
    second += by_rate * (value**2 / fall + 2 * value / fall**2 + 2 / fall**3)
    start = np.log(rate) - np.log(2 * scale)
    positive = noisy > 0
    above = start + common + np.log(np.maximum(zeroth, 1e-300))
    occupied = np.where(positive, above, start + noisy / scale - np.log(fall))
    empty = -np.log(2 * scale) - np.abs(noisy) / scale
    zeroth = np.maximum(zeroth, 1e-300)
    return (
        empty,
        occupied,
        np.where(positive, first / zeroth, 1 / fall),
        np.where(positive, second / zeroth, 2 / fall**2),
    )


def project(rows: Cells, total: Cells) -> Cells:
    """Returns each row's nearest point of {x >= 0, sum x = total}.

    >>> project(np.array([[5.0, -1.0, 2.0]]), np.array([6.0]))
    array([[4.5, 0. , 1.5]])
    """
    ordered = -np.sort(-rows, axis=1)
    lowered = (np.cumsum(ordered, 1) - total[:, None]) / np.arange(1, rows.shape[1] + 1)
    last_positive = np.maximum((ordered > lowered).sum(1) - 1, 0)
    level = lowered[np.arange(len(rows)), last_positive]
    projected: Cells = np.maximum(rows - level[:, None], 0.0)
    return projected
