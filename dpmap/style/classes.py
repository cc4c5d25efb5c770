"""Makes classes of values: round edges, and their names in a legend."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.float64]


def class_breaks(values: Cells, classes: int = 5) -> list[float]:
    """Return round edges of at most `classes` classes that hold all of these positive values, as
    evenly filled as possible.

    Candidates are edges in equal steps and in the steps 1, 2, 5, 10 (and 1, 3, 10); a skewed map
    gets the second.

    >>> class_breaks(np.array([0.3, 1.0, 4.0, 9.0]))
    [0.0, 1.0, 2.0, 5.0, 10.0]
    >>> class_breaks(np.array([]))
    []
    >>> class_breaks(np.array([7.0]))
    [0.0, 10.0]
    """
    positive = values[np.isfinite(values) & (values > 0)]
    if not len(positive):
        return []
    classes = min(classes, len(np.unique(positive)))
    low = float(positive.min())
    high = float(positive.max())
    candidates = [_equal_steps(high, classes)]
    candidates += [
        _growing_steps(low, high, classes, mantissas)
        for mantissas in ((1, 2, 5), (1, 3), (1,), (1, 4, 20))
    ]
    return max(candidates, key=lambda edges: _evenness(positive, edges))


def even_breaks(values: Cells, least: float, classes: int = 5) -> list[float]:
    """Return edges in equal round steps from the least to the most of these values, which may be
    negative; a step is no finer than `least` spread over so many classes asks for.

    >>> even_breaks(np.array([-2.0, 5.0]), 0.1)
    [-2.0, 0.0, 2.0, 4.0, 6.0]
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return []
    low = float(finite.min())
    high = float(finite.max())
    step = _equal_steps(max(high - low, least), classes)[1]
    first = math.floor(low / step + 1e-9)
    count = max(1, math.ceil(high / step - 1e-9) - first)
    return [float(f"{step * (first + i):.12g}") for i in range(count + 1)]


RATIOS = ((1, 3, 10, 30), (1, 5, 20), (1, 10), (1,))
"""Round numbers from 1 up to 100 that grow by about 3, 5, 10 and 100."""


def growing_breaks(least: float, high: float, classes: int = 5) -> list[float]:
    """Return edges that grow by one round ratio, from about `least` to above `high`; what is below
    `least` is one class.

    The ratio is the smallest that gives at most so many classes.

    >>> growing_breaks(0.012, 30.0)
    [0.0, 0.01, 0.1, 1.0, 10.0, 100.0]
    >>> growing_breaks(0.2, 30.0)
    [0.0, 0.3, 1.0, 3.0, 10.0, 30.0]
    >>> growing_breaks(1.0, 0.5)
    [0.0, 1.0]
    """
    edges: list[float] = []
    for ratio in RATIOS:
        steps = sorted(float(f"{m * 100.0**e:.12g}") for e in range(-12, 13) for m in ratio)
        first = min(range(len(steps)), key=lambda i: abs(math.log(steps[i] / least)))
        last = next(i for i, edge in enumerate(steps) if i >= first and edge >= high)
        edges = [0.0, *steps[first : last + 1]]
        if len(edges) <= classes + 1:
            break
    return edges


def place_breaks(
    density: Cells, told: NDArray[np.bool_], nearly_empty: float, classes: int = 5
) -> list[float]:
    """Return the edges of a map of places, from nearly empty land to the densest told place; the
    lowest class holds some place.

    >>> place_breaks(np.array([0.3, 2.0, 40.0]), np.array([True, True, True]), 0.01, 9)
    [0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
    """
    if nearly_empty <= 0 or not told.any():
        return class_breaks(density[told], classes)
    edges = growing_breaks(nearly_empty, float(density[told].max()), classes)
    first = int(np.searchsorted(edges, float(density[told].min()), side="right")) - 1
    return edges[max(0, min(first, len(edges) - 2)) :]


def _equal_steps(high: float, classes: int) -> list[float]:
    """Return edges from 0 to above `high` in steps of 1, 2, 2.5 or 5 times a power of ten."""
    magnitude = 10 ** math.floor(math.log10(high / classes))
    step = next(
        m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude * classes >= high * (1 - 1e-9)
    )
    count = max(1, math.ceil(high / step - 1e-9))
    return [float(f"{step * i:.12g}") for i in range(count + 1)]


def _growing_steps(
    low: float, high: float, classes: int, mantissas: tuple[int, ...]
) -> list[float]:
    """Return edges that grow by about a constant ratio, ending above `high`; the lowest class
    starts at 0.
    """
    exponents = range(math.floor(math.log10(low)) - 2, math.ceil(math.log10(high)) + 2)
    ladder = sorted({float(f"{m * 10.0**e:.12g}") for e in exponents for m in mantissas})
    top = next(i for i, edge in enumerate(ladder) if edge >= high)
    chosen = [
        edge for edge in ladder[max(0, top - classes + 1) : top + 1] if edge > low or edge >= high
    ]
    return [0.0, *chosen]


def _evenness(values: Cells, edges: Sequence[float]) -> float:
    """Return the entropy of the classes' filling; empty classes count for nothing."""
    filled, _ = np.histogram(values, edges)
    share = filled[filled > 0] / max(1, filled.sum())
    return float(-(share * np.log(share)).sum())


def number(value: float) -> str:
    """Write a short number for legends.

    >>> number(0.25), number(1500), number(2.0), number(0)
    ('0.25', '1,500', '2', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-4 else f"{value:.1e}"


def class_labels(edges: Sequence[float]) -> list[str]:
    """Return the classes' names, such as `0 to 2` and `2 to 4`.

    >>> class_labels([0.0, 2.0, 5.0])
    ['under 2', '2 to 5']
    """
    return [
        f"under {number(high)}" if low == 0 else f"{number(low)} to {number(high)}"
        for low, high in pairwise(edges)
    ]
