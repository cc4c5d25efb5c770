"""Collects what the interactive page needs: the public facts of a record as plain JSON values.

The page computes every number it shows from these facts by the noise law, so nothing here is a finished sentence
about a cell.
"""

import numpy as np

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.axes import Axis, Times
from dpmap.inference import RATE, Estimate, distinguishable
from dpmap.inference.kinds import of as told
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.render.ground import Facts, Values, array, bits, blocks, geometry
from dpmap.render.ground import context as around
from dpmap.render.kinds import of
from dpmap.render.own import Context, once
from dpmap.statement.kinds import of as said
from dpmap.statement.words import noun

LARGEST = 4_000_000


def layered(
    parts: list[tuple[Record, Estimate]],
    axes: tuple[Axis, ...],
    *,
    level: float,
    per_km2: bool,
    context: Context = True,
) -> list[Facts]:
    """Returns what all layers of a release share, then what each one has of its own; their colours have the same edges."""
    colours = [_edges(*part, per_km2=per_km2) for part in parts]
    shared = style.class_breaks(np.concatenate([sure for sure, _ in colours]))
    shared = shared or style.class_breaks(np.concatenate([values for _, values in colours])) or [0.0, 1.0]
    context = once(context, parts[0][0].grid)
    each = [facts(*part, level=level, per_km2=per_km2, context=context, edges=shared) for part in parts]
    common = {key: value for key, value in each[0].items() if all(one[key] == value for one in each[1:])}
    common["axes"] = [
        {"column": axis.column, "names": list(axis.layers), "times": isinstance(axis, Times)} for axis in axes
    ]
    return [common, *({key: value for key, value in one.items() if key not in common} for one in each)]


def _edges(record: Record, estimate: Estimate, *, per_km2: bool) -> tuple[Values, Values]:
    """Returns the values that colours stand for: those of the cells that stand out, and of all."""
    inside = record.grid.inside
    values = estimate.values[inside] / (record.grid.square_km[inside] if per_km2 else 1.0)
    return values[distinguishable(estimate)[inside]], values


def facts(
    record: Record,
    estimate: Estimate,
    *,
    level: float,
    per_km2: bool,
    context: Context = True,
    edges: list[float] | None = None,
) -> Facts:
    """Returns everything the page needs to draw, to answer and to say where it comes from."""
    grid = record.grid
    if grid.size > LARGEST:
        raise BadInput(
            f"interactive map: {grid.size:,} cells, above the {LARGEST:,} a browser holds; "
            "draw a picture (--to map.png), or release on larger cells"
        )
    inside = grid.inside
    area = grid.square_km[inside]
    sure = distinguishable(estimate)[inside]
    if edges is None:
        of_sure, values = _edges(record, estimate, per_km2=per_km2)
        edges = style.class_breaks(of_sure) or style.class_breaks(values) or [0.0, 1.0]
    unit = said(record).unit(edges)
    return {
        **_words(record, unit, level=level, per_km2=per_km2),
        "local": of(record).local,
        "cells": grid.cells_inside,
        "geometry": {**geometry(grid), "blocks": blocks(record)},
        "area": array(area if np.ptp(area) > 1e-9 * area.max() else area[:1], np.float32),
        "reading": of(record).page_reading(estimate, level),
        "zones": of(record).zones(estimate, level),
        "sure": bits(sure),
        "edges": edges,
        "colours": style.class_colours(len(edges) - 1),
        "dark_colours": on_dark(len(edges) - 1),
        "labels": unit.labels(edges) if per_km2 else style.class_labels(edges),
        "alone": None if told(record).alone()[inside].all() else bits(told(record).alone()[inside]),
        "hot": of(record).hot(estimate),
        "confidence_colours": style.class_colours(6),
        "dark_confidence_colours": on_dark(6),
        "context": around(grid, context),
    }


def _words(record: Record, unit: style.Unit, *, level: float, per_km2: bool) -> Facts:
    """Returns names and sentences; the page shows them as text only."""
    policy, receipt = record.policy, record.receipt
    kind, counted = of(record), noun(record)
    about = [
        ["Data set", receipt.dataset],
        ["Released on", record.released_on],
        ["Privacy loss (epsilon)", decimal_text(policy.epsilon)],
        ["Who it protects", kind.who()],
        *kind.terms(),
        ["Cells", f"{record.grid.cells_inside:,}, {record.grid.cell_text}, {crs_tools.name(record.grid.crs)}"],
        ["Error", said(record).error_words()],
        ["Strategy", record.strategy],
        ["Release", receipt.release_id],
    ]
    return {
        "title": record.title,
        "noun": counted,
        "per_km2": per_km2,
        "units": said(record).unit_words(unit) if per_km2 else f"{counted} per cell",
        "unit": {"square_km": unit.square_km, "words": unit.words},
        "capped": said(record).capped_words(),
        "level": level,
        "rate": RATE,
        "provenance": said(record).provenance(),
        "about": about,
    }


def on_dark(classes: int) -> list[str]:
    """Returns the ramp from dark to light for a dark page, so that more stands out more; it leaves out the darkest end.

    >>> on_dark(2)
    ['#842681', '#fecc8f']
    """
    shares = np.linspace(0.85, 0.02, classes) if classes > 3 else np.linspace(0.72, 0.125, classes)
    return [style.hex_colour(float(share)) for share in shares]
