"""Says how the page gets each cell's estimate, interval and confidence: by the noise law, or
from an estimate's own numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.inference import RATE, Estimate, discoveries
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.maps import read_map
from dpmap.record import Measurement, Record
from dpmap.render.page_geometry import Facts, Values, array, bits

DOUBLES_UP_TO = 200_000
"""Above this many cells values travel as single floats: 24 bits of precision, far finer than any
noise.
"""
RUNGS = 24
SURE_STEP = 16


def float_type(count: int) -> Any:
    """Return the number type in which so many values are sent."""
    return np.float64 if count <= DOUBLES_UP_TO else np.float32


def noise_law_estimate(estimate: Estimate) -> Estimate:
    """Return the estimate by the noise law alone, whose intervals the page takes from the
    belief about all land (see `zones`).
    """
    from dpmap.inference.posterior_estimate import BelievedEstimate  # scipy too

    return estimate.own if isinstance(estimate, BelievedEstimate) else estimate


def reading(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return how the page gets each cell's estimate, interval and confidence.

    Where every cell was measured by itself the noisy values and the noise law suffice, for any
    threshold; where some were measured in blocks, the blocks' noisy values too (see `zones`) and
    the estimate. For any other reading its own numbers are written out, its p-values at a ladder of
    thresholds. Intervals are those of the belief about all land, where there is one.
    """
    from dpmap.inference.tree_estimate import (
        TreeEstimate,
    )  # scipy, which importing the page does not need

    inside = record.grid.inside
    values = estimate.values[inside]
    top = float(values.max(initial=0.0))
    kind = float_type(len(values))
    measurement = cell_by_cell(record)
    plain = noise_law_estimate(estimate)
    if isinstance(plain, FlatEstimate) and measurement is not None:
        noisy = plain.noisy[inside]
        positive = values > 0
        return {
            "law": measurement.kind,
            "noisy": array(noisy, kind),
            "lowered": float((noisy - values)[positive].max()) if positive.any() else None,
            "lattice": measurement.lattice,
            "scale": float(measurement.scale_steps),
            "one": measurement.law.one_sided(level) / measurement.lattice,
            "two": measurement.law.two_sided(level) / measurement.lattice,
            "thresholds": thresholds(top, read_map(record).half_width(), 60),
        }
    if isinstance(plain, TreeEstimate):
        last = record.last
        return {
            "law": "regions",
            "estimate": array(values, kind),
            "one": last.law.one_sided(level) / last.lattice,
            "two": last.law.two_sided(level) / last.lattice,
            "thresholds": thresholds(top, read_map(record).half_width(), 60),
        }
    return ladder(record, estimate, level)


def ladder(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return an estimate's own numbers, with its p-values at a series of thresholds."""
    inside = record.grid.inside
    values = estimate.values[record.grid.inside]
    kind = float_type(len(values))
    top = float(values.max(initial=0.0))
    low, high = estimate.interval(level)
    steps = thresholds(
        top, read_map(record).half_width(), RUNGS if len(values) <= DOUBLES_UP_TO else RUNGS // 4
    )
    return {
        "law": "ladder",
        "estimate": array(values, kind),
        "low": array(low[inside], kind),
        "high": array(high[inside], kind),
        "thresholds": steps,
        "rungs": [_rung(read_map(record).exceedance(estimate, step), inside) for step in steps],
    }


def _rung(p_values: Values, inside: NDArray[np.bool_]) -> Facts:
    """Return p-values at one threshold as bytes, p <= exp(-byte / 16), and the cells that
    exceed it after correction.
    """
    with np.errstate(divide="ignore"):
        sureness = np.floor(
            -np.log(np.clip(np.nan_to_num(p_values[inside], nan=1.0), 1e-300, 1.0)) * SURE_STEP
        )
    return {
        "p": array(np.minimum(sureness, 255), np.uint8),
        "exceeds": bits(discoveries(p_values, RATE)[inside]),
    }


def cell_by_cell(record: Record) -> Measurement | None:
    """Return the measurement that the flat estimate reads, if its regions are the cells
    themselves.
    """
    if not record.measurements:
        return None
    measurement = record.measurements[-1]
    labels = measurement.partition.labels[record.grid.inside]
    return measurement if np.array_equal(labels, np.arange(record.grid.cells_inside)) else None


def thresholds(top: float, half_width: float, most: int) -> list[float]:
    """Return 0 and round steps up to the largest estimate, no finer than a twentieth of the noise.

    >>> thresholds(10, 20, 60)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    """
    finest = max(top / most, half_width / 20, 1e-9)
    magnitude = 10 ** np.floor(np.log10(finest))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= finest * (1 - 1e-9))
    return [
        float(f"{step * i:.10g}")
        for i in range(max(2, min(most, int(np.ceil(top / step - 1e-9)) + 1)))
    ]
