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

    Candidates are edges in equal steps, and edges among 1, 2, 5, 10 and so on; a skewed map gets
    the second.

    >>> class_breaks(np.array([0.3, 1.0, 4.0, 9.0]))
    [0.0, 0.5, 2.0, 5.0, 10.0]
    >>> class_breaks(np.array([]))
    []
    >>> class_breaks(np.array([7.0]))
    [0.0, 10.0]
    """
    positive = values[np.isfinite(values) & (values > 0)]
    if not len(positive):
        return []
    classes = min(classes, len(np.unique(positive)))
    candidates = [
        _equal_steps(float(positive.max()), classes),
        dividing_breaks(positive, np.ones(len(positive)), classes),
    ]
    return max(candidates, key=lambda edges: _evenness(positive, edges))


def dividing_breaks(
    density: Cells, area: Cells, classes: int = 5, least: float = 0.0
) -> list[float]:
    """Return edges among 1, 2, 5, 10 and so on, from 0 to above the highest density, that divide
    the area and what lies on it as evenly as they can; no class is empty.

    What is below `least` is one class.

    >>> dividing_breaks(np.array([0.3, 0.7, 2.0, 40.0]), np.array([100.0, 50.0, 30.0, 1.0]), 3)
    [0.0, 0.5, 1.0, 50.0]
    """
    steps = _ladder(float(density[density > 0].min()), float(density.max()))
    top = next(step for step in steps if step >= density.max())
    edges = np.array([0.0, *(step for step in steps if least <= step < top), top])
    place = np.clip(np.searchsorted(edges, density, side="right") - 1, 0, len(edges) - 2)
    parts = [np.bincount(place, weights, len(edges) - 1) for weights in (area, area * density)]
    below = [np.append(0.0, np.cumsum(part / part.sum())) for part in parts]
    filled = np.append(0, np.cumsum(np.bincount(place, minlength=len(edges) - 1)))
    return [float(edges[i]) for i in _most_even(below, filled, classes)]


def _most_even(below: Sequence[Cells], filled: Cells, classes: int) -> list[int]:
    """Return which edges part the shares `below` each edge most evenly into so many classes at
    most, by the sum of their entropies; `filled` counts what lies below, and no class is empty.
    """
    count = len(filled)
    gain = np.full((count, count), -np.inf)
    for first in range(count):
        for last in range(first + 1, count):
            if filled[last] > filled[first]:
                shares = np.array([side[last] - side[first] for side in below])
                shares = shares[shares > 0]
                gain[first, last] = -(shares * np.log(shares)).sum()
    best = np.full(count, -np.inf)
    best[0] = 0.0
    chosen: list[list[int]] = [[0] for _ in range(count)]
    answer = (-np.inf, [0, count - 1])
    for _ in range(classes):
        sums = best[:, None] + gain
        before = sums.argmax(axis=0)
        chosen = [[*chosen[before[last]], last] for last in range(count)]
        best = sums.max(axis=0)
        answer = max(answer, (float(best[-1]), chosen[-1]), key=lambda pair: pair[0])
    return answer[1]


def _ladder(low: float, high: float) -> list[float]:
    """Return the steps 1, 2, 5 times powers of ten above `low`, up to the first that is no less
    than `high`.
    """
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    steps = sorted({float(f"{m * 10.0**e:.12g}") for e in exponents for m in (1, 2, 5)})
    top = next(i for i, step in enumerate(steps) if step >= high)
    return [step for step in steps[: top + 1] if step > low or step >= high]


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
    density: Cells,
    area: Cells,
    told: NDArray[np.bool_],
    nearly_empty: float,
    classes: int = 5,
) -> list[float]:
    """Return the edges of a map of places, up to above the densest told place; nearly empty land
    is one class.

    >>> density = np.array([0.3, 2.0, 40.0])
    >>> place_breaks(density, np.ones(3), np.array([True, True, True]), 0.01, 9)
    [0.0, 0.5, 5.0, 50.0]
    """
    if not (density[told] > 0).any():
        return class_breaks(density[told], classes)
    return dividing_breaks(density[told], area[told], classes, nearly_empty)


def _equal_steps(high: float, classes: int) -> list[float]:
    """Return edges from 0 to above `high` in steps of 1, 2, 2.5 or 5 times a power of ten."""
    magnitude = 10 ** math.floor(math.log10(high / classes))
    step = next(
        m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude * classes >= high * (1 - 1e-9)
    )
    count = max(1, math.ceil(high / step - 1e-9))
    return [float(f"{step * i:.12g}") for i in range(count + 1)]


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
