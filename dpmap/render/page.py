"""What the interactive page is told: the public facts of a record as plain JSON values.

The page computes every number it shows from these facts by the noise law, so nothing here is a finished sentence
about a cell.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.axes import Axis, Times
from dpmap.grid.together import window
from dpmap.inference import Estimate, discoveries
from dpmap.inference.flat import FlatEstimate
from dpmap.inference.hotspots import hotspots as find
from dpmap.numbers import decimal_text
from dpmap.record import Measurement, Record
from dpmap.render.ground import Facts, Values, array, bits, blocks, context, geometry

LARGEST = 4_000_000
DOUBLES_UP_TO = 200_000
"""Above this many cells values travel as single floats: 24 bits of precision, far finer than any noise."""
RUNGS = 24
SURE_STEP = 16


def layered(
    parts: list[tuple[Record, Estimate]], axes: tuple[Axis, ...], *, level: float, per_km2: bool
) -> list[Facts]:
    """What all layers of a release have in common, then what is each one's own; their colours have the same edges."""
    colours = [_edges(*part, per_km2=per_km2) for part in parts]
    shared = style.class_breaks(np.concatenate([sure for sure, _ in colours]))
    shared = shared or style.class_breaks(np.concatenate([values for _, values in colours])) or [0.0, 1.0]
    each = [facts(*part, level=level, per_km2=per_km2, edges=shared) for part in parts]
    common = {key: value for key, value in each[0].items() if all(one[key] == value for one in each[1:])}
    common["axes"] = [
        {"column": axis.column, "names": list(axis.layers), "times": isinstance(axis, Times)} for axis in axes
    ]
    return [common, *({key: value for key, value in one.items() if key not in common} for one in each)]


def _edges(record: Record, estimate: Estimate, *, per_km2: bool) -> tuple[Values, Values]:
    """The values that colours are for: of the cells that stand out, and of all."""
    inside = record.grid.inside
    values = estimate.values[inside] / (record.grid.square_km[inside] if per_km2 else 1.0)
    return values[style.distinguishable(estimate)[inside]], values


def facts(
    record: Record, estimate: Estimate, *, level: float, per_km2: bool, edges: list[float] | None = None
) -> Facts:
    """Everything the page needs to draw, to answer and to say where it comes from."""
    grid = record.grid
    if grid.size > LARGEST:
        raise BadInput(
            f"interactive map: {grid.size:,} cells, above the {LARGEST:,} a browser holds; "
            "draw a picture (--to map.png), or release on larger cells"
        )
    inside = grid.inside
    area = grid.square_km[inside]
    sure = style.distinguishable(estimate)[inside]
    if edges is None:
        of_sure, values = _edges(record, estimate, per_km2=per_km2)
        edges = style.class_breaks(of_sure) or style.class_breaks(values) or [0.0, 1.0]
    return {
        **_words(record, level=level, per_km2=per_km2),
        "local": record.reports is not None,
        "cells": grid.cells_inside,
        "geometry": {**geometry(grid), "blocks": blocks(record)},
        "area": array(area if np.ptp(area) > 1e-9 * area.max() else area[:1], np.float32),
        "reading": reading(record, estimate, level),
        "zones": zones(record, estimate),
        "sure": bits(sure),
        "edges": edges,
        "colours": style.class_colours(len(edges) - 1),
        "dark_colours": on_dark(len(edges) - 1),
        "labels": style.class_labels(edges),
        "alone": None if style.alone(record)[inside].all() else bits(style.alone(record)[inside]),
        "hot": hot(record, estimate),
        "confidence_colours": style.class_colours(6),
        "dark_confidence_colours": on_dark(6),
        "context": context(grid),
    }


def _words(record: Record, *, level: float, per_km2: bool) -> Facts:
    """Names and sentences; the page shows them as text only."""
    policy, receipt = record.policy, record.receipt
    unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
    noun = style.noun(record)
    consent = f"only rows with {policy.consent}" if policy.consent else "none was declared"
    if record.reports:
        unit, consent = "each volunteer's answer", "each volunteer sends her own report, or none"
    about = [
        ["Data set", receipt.dataset],
        ["Released on", record.released_on],
        ["Privacy loss (epsilon)", decimal_text(policy.epsilon)],
        ["Who it protects", unit],
        ["Cap", f"at most {policy.cap:,} points in the whole map from {unit} ({policy.cap_origin})"],
        ["Consent rule", consent],
        ["Cells", f"{record.grid.cells_inside:,}, {record.grid.cell_text}, {crs_tools.name(record.grid.crs)}"],
        ["Error", style.error_words(record)],
        ["Strategy", record.strategy],
        ["Release", receipt.release_id],
    ]
    if record.partners:  # caps and consent rules may differ: the statement lists each partner's
        about = [line for line in about if line[0] not in ("Cap", "Consent rule")]
    return {
        "title": record.title,
        "noun": noun,
        "per_km2": per_km2,
        "units": style.unit_words(record) if per_km2 else f"{noun} per cell, capped",
        "level": level,
        "rate": style.RATE,
        "provenance": style.provenance(record),
        "about": about,
    }


def on_dark(classes: int) -> list[str]:
    """The ramp from dark to light, so that more stands out more on a dark page too; it leaves out the darkest end.

    >>> on_dark(2)
    ['#842681', '#fecc8f']
    """
    shares = np.linspace(0.85, 0.02, classes) if classes > 3 else np.linspace(0.72, 0.125, classes)
    return [style.hex_colour(float(share)) for share in shares]


def _float_type(count: int) -> Any:
    return np.float64 if count <= DOUBLES_UP_TO else np.float32


def reading(record: Record, estimate: Estimate, level: float) -> Facts:
    """How the page gets each cell's estimate, interval and confidence.

    Where every cell was measured by itself the noisy values and the noise law suffice, for any threshold; where some
    were measured in blocks, the blocks' noisy values too (see `zones`) and the estimate. For any other reading its own
    numbers are written out, its p-values at a ladder of thresholds.
    """
    from dpmap.inference.tree import TreeEstimate  # scipy, which importing the page does not need

    inside = record.grid.inside
    values = estimate.values[inside]
    top = float(values.max(initial=0.0))
    kind = _float_type(len(values))
    measurement = _cell_by_cell(record)
    if isinstance(estimate, FlatEstimate) and measurement is not None:
        noisy = estimate.noisy[inside]
        kept = values > 0
        return {
            "law": measurement.kind,
            "noisy": array(noisy, kind),
            "lowered": float((noisy - values)[kept].max()) if kept.any() else None,
            "lattice": measurement.lattice,
            "scale": float(measurement.scale_steps),
            "one": measurement.law.one_sided(level) / measurement.lattice,
            "two": measurement.law.two_sided(level) / measurement.lattice,
            "thresholds": thresholds(top, style.half_width(record), 60),
        }
    if isinstance(estimate, TreeEstimate):
        last = record.measurements[-1]
        return {
            "law": "regions",
            "estimate": array(values, kind),
            "one": last.law.one_sided(level) / last.lattice,
            "two": last.law.two_sided(level) / last.lattice,
            "thresholds": thresholds(top, style.half_width(record), 60),
        }
    return _ladder(record, estimate, level, top)


def _ladder(record: Record, estimate: Estimate, level: float, top: float) -> Facts:
    """A reading's own numbers, its p-values at a ladder of thresholds."""
    inside, values = record.grid.inside, estimate.values[record.grid.inside]
    kind = _float_type(len(values))
    low, high = estimate.interval(level)
    steps = thresholds(top, style.half_width(record), RUNGS if len(values) <= DOUBLES_UP_TO else RUNGS // 4)
    return {
        "law": "ladder",
        "estimate": array(values, kind),
        "low": array(low[inside], kind),
        "high": array(high[inside], kind),
        "thresholds": steps,
        "rungs": [_rung(style.exceedance(record, estimate, step), inside) for step in steps],
    }


def _rung(p_values: Values, inside: NDArray[np.bool_]) -> Facts:
    """p-values at one threshold as bytes, p <= exp(-byte / 16), and the cells that exceed it after correction."""
    with np.errstate(divide="ignore"):
        sureness = np.floor(-np.log(np.clip(np.nan_to_num(p_values[inside], nan=1.0), 1e-300, 1.0)) * SURE_STEP)
    return {"p": array(np.minimum(sureness, 255), np.uint8), "exceeds": bits(discoveries(p_values, style.RATE)[inside])}


def _cell_by_cell(record: Record) -> Measurement | None:
    """The measurement the flat estimate reads, if its regions are the cells themselves."""
    if record.partners:
        return None
    measurement = record.measurements[-1]
    labels = measurement.partition.labels[record.grid.inside]
    return measurement if np.array_equal(labels, np.arange(record.grid.cells_inside)) else None


def thresholds(top: float, half_width: float, most: int) -> list[float]:
    """0 and round steps up to the largest estimate, no finer than a twentieth of the noise needs.

    >>> thresholds(10, 20, 60)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    """
    finest = max(top / most, half_width / 20, 1e-9)
    magnitude = 10 ** np.floor(np.log10(finest))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= finest * (1 - 1e-9))
    return [float(f"{step * i:.10g}") for i in range(max(2, min(most, int(np.ceil(top / step - 1e-9)) + 1)))]


def zones(record: Record, estimate: Estimate) -> Facts:
    """The last measurement, from which `release.ask` answers too: each of its regions wholly inside a project area is
    added up; regions that the area cuts are bracketed. Of a merged map, every partner's.
    """
    if record.partners:
        known = style.known_regions(record)
        return {
            "regions": known.regions,
            "labels": array(known.labels[record.grid.inside], np.int32),
            "lattice": max(one.measurements[-1].lattice for one in record.partners),
            "partners": [_partner(record, one) for one in record.partners],
        }
    last = record.measurements[-1]
    if reports := record.reports:
        told = {"kind": "reports", "count": reports.count, "mechanism": reports.mechanism}
        chances = {"truth": float(reports.truth), "other": float(reports.other)}
        support = array(reports.steps, np.float64)
        return {"regions": last.partition.regions, "noisy": None, "labels": None, "support": support, **told, **chances}
    by_cell = _cell_by_cell(record) is not None and isinstance(estimate, FlatEstimate)
    return {
        "regions": last.partition.regions,
        "kind": last.kind,
        "scale": float(last.scale_steps),
        "lattice": last.lattice,
        "noisy": None if by_cell else array(last.values, _float_type(last.partition.regions)),
        "labels": None if by_cell else array(last.partition.labels[record.grid.inside], np.int32),
    }


def _partner(record: Record, one: Record) -> Facts:
    """A partner's last measurement over the cells of the whole map, -1 where it does not reach."""
    last, labels = one.measurements[-1], np.full(record.grid.shape, -1, dtype=np.int32)
    labels[window(record.grid, one.grid)] = last.partition.labels
    return {
        "scale": float(last.scale),
        "noisy": array(last.values, _float_type(last.partition.regions)),
        "labels": array(labels[record.grid.inside], np.int32),
    }


def hot(record: Record, estimate: Estimate) -> Facts | None:
    """Cells and clusters above their surroundings, as `release.hotspots()` finds them; of a merged map, and of reports,
    there are none.
    """
    if record.partners or record.reports:
        return None
    found = find(record.grid, record.measurements, estimate.values, rate=style.RATE)
    labels = found.labels[record.grid.inside]
    cells = np.flatnonzero(labels >= 0)
    return {
        "cells": array(cells, np.int32),
        "clusters": array(labels[cells], np.int32),
        "tested": bits(np.isfinite(found.p_values[record.grid.inside])),
        "totals": np.column_stack([found.estimate, found.low, found.high]).tolist(),
        "level": found.level,
    }
