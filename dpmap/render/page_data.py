"""Collects what the interactive page needs: the public facts of a record as plain JSON values.

The page computes every number it shows from these facts by the noise law, so nothing here is a
finished sentence about a cell.
"""

import numpy as np

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Axis, Times
from dpmap.inference import RATE, Estimate, distinguishable
from dpmap.inference.patches import Patches
from dpmap.maps import read_map
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.render import page_readings
from dpmap.render.page_geometry import Facts, Values, array, bits, geometry, together
from dpmap.render.page_geometry import context as around
from dpmap.render.page_zones import hot_spots, zone_facts
from dpmap.render.user_layers import Context, read_once
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import SURVEY_HEAD, noun, tier_words

LARGEST = 4_000_000


def layered_data(
    parts: list[tuple[Record, Estimate]],
    axes: tuple[Axis, ...],
    *,
    level: float,
    per_km2: bool,
    context: Context = True,
) -> list[Facts]:
    """Return what all layers of a release share, then what each one has of its own; their
    colours have the same edges.
    """
    shared = shared_edges(parts, level=level, per_km2=per_km2)
    context = read_once(context, parts[0][0].grid)
    each = [
        facts(*part, level=level, per_km2=per_km2, context=context, edges=shared) for part in parts
    ]
    common = {
        key: value for key, value in each[0].items() if all(one[key] == value for one in each[1:])
    }
    common["axes"] = [
        {"column": axis.column, "names": list(axis.layers), "times": isinstance(axis, Times)}
        for axis in axes
    ]
    common["first"] = int(np.argmax([_count_told(*part, level) for part in parts]))
    return [
        common,
        *({key: value for key, value in one.items() if key not in common} for one in each),
    ]


def _count_told(record: Record, estimate: Estimate, level: float) -> int:
    """Return how much a layer tells: how many places, or cells where there are none, are told
    to hold something.
    """
    if not read_map(record).parted:
        return int(distinguishable(estimate).sum())
    patches = read_map(record).patches(level)
    return int((patches.told & (patches.density > patches.nearly_empty)).sum())


def shared_edges(
    parts: list[tuple[Record, Estimate]], *, level: float, per_km2: bool
) -> list[float]:
    """Return the edges of the classes in which all parts are shown: those of their places, or
    of their cells where there are none.
    """
    if per_km2 and parts[0][0].about.edges:
        return list(parts[0][0].about.edges)
    if all(read_map(record).parted for record, _ in parts):
        all_patches = [read_map(record).patches(level) for record, _ in parts]
        sizes = [sizes_of(layer_patches, per_km2=per_km2) for layer_patches in all_patches]
        density = np.concatenate(
            [one.estimate / size for one, size in zip(all_patches, sizes, strict=True)]
        )
        sure = np.concatenate([layer_patches.told for layer_patches in all_patches])
        least = float(
            np.mean(
                [
                    one.nearly_empty * one.square_km.sum() / size.sum()
                    for one, size in zip(all_patches, sizes, strict=True)
                ]
            )
        )
        edges = style.place_breaks(density, np.concatenate(sizes), sure, least)
    else:
        colours = [_cell_values(*part, per_km2=per_km2) for part in parts]
        edges = style.class_breaks(np.concatenate([sure for sure, _ in colours]))
        edges = edges or style.class_breaks(np.concatenate([values for _, values in colours]))
    return edges or [0.0, 1.0]


def _cell_values(record: Record, estimate: Estimate, *, per_km2: bool) -> tuple[Values, Values]:
    """Return the values that colours of cells stand for: those of the cells that stand out, and
    of all.
    """
    inside = record.grid.inside
    values = estimate.values[inside] / (record.grid.square_km[inside] if per_km2 else 1.0)
    return values[distinguishable(estimate)[inside]], values


def sizes_of(patches: Patches, *, per_km2: bool) -> Values:
    """Return what a place's total is divided by for its colour: square kilometres, or cells."""
    return (
        patches.square_km
        if per_km2
        else np.bincount(patches.place[patches.place >= 0], minlength=len(patches)).astype(float)
    )


def places(record: Record, level: float, *, per_km2: bool) -> Facts | None:
    """Return the smallest places of which the colour can be told, the default of the page; None
    where there are none.
    """
    if not read_map(record).parted:
        return None
    patches = read_map(record).patches(level)
    size = sizes_of(patches, per_km2=per_km2)
    kind = page_readings.float_type(len(patches))
    return {
        "place": array(patches.place[record.grid.inside], np.int32),
        "outlines": together(record.grid, patches.place),
        "told": bits(patches.told),
        "estimate": array(patches.estimate, kind),
        "low": array(patches.low, kind),
        "high": array(patches.high, kind),
        "nearly_empty": patches.nearly_empty * float(patches.square_km.sum() / size.sum()),
    }


def _most(record: Record, level: float) -> list[float]:
    """Return the density that land is below where nothing of the map is told: then the unit
    must suit that.
    """
    patches = read_map(record).patches(level) if read_map(record).parted else None
    if patches is None or patches.told.any():
        return []
    most = float(patches.as_shown(patches.high).max(initial=0.0))
    return [most] if np.isfinite(most) else []


def facts(
    record: Record,
    estimate: Estimate,
    *,
    level: float,
    per_km2: bool,
    context: Context = True,
    edges: list[float] | None = None,
) -> Facts:
    """Return everything the page needs to draw, to answer and to say where it comes from."""
    grid = record.grid
    if grid.size > LARGEST:
        raise BadInput(
            f"interactive map: {grid.size:,} cells, above the {LARGEST:,} a browser holds; "
            "draw a picture (--to map.png), or release on larger cells"
        )
    inside = grid.inside
    area = grid.square_km[inside]
    sure = distinguishable(estimate, level=level)[inside]
    edges = edges or shared_edges([(record, estimate)], level=level, per_km2=per_km2)
    most = [] if record.about.edges else _most(record, level)
    unit = map_statement(record).unit([*edges, *most]) if per_km2 else style.Unit(1.0, "cell")
    labels = unit.labels(edges)
    labels[-1:] = (
        [f"{unit.number(edges[-2])} and more"]
        if record.open_top and len(edges) > 1
        else labels[-1:]
    )
    return {
        **_words(record, unit, level=level, per_km2=per_km2),
        "local": read_map(record).local,
        "cells": grid.cells_inside,
        "geometry": geometry(grid),
        "blocks": together(grid, read_map(record).known_regions().labels),
        "area": array(area if np.ptp(area) > 1e-9 * area.max() else area[:1], np.float32),
        "patches": places(record, level, per_km2=per_km2),
        "reading": page_readings.reading(record, estimate, level),
        "zones": zone_facts(record, estimate, level),
        "sure": bits(sure),
        "edges": edges,
        "colours": style.class_colours(len(edges) - 1),
        "dark_colours": on_dark(len(edges) - 1),
        "labels": labels,
        "more": f"{unit.number(edges[-2])} and more",
        "alone": (
            None
            if read_map(record).alone()[inside].all()
            else bits(read_map(record).alone()[inside])
        ),
        "hot": hot_spots(record),
        "confidence_colours": style.class_colours(6),
        "dark_confidence_colours": on_dark(6),
        "context": around(grid, context),
    }


def _words(record: Record, unit: style.Unit, *, level: float, per_km2: bool) -> Facts:
    """Return names and sentences; the page shows them as text only."""
    policy = record.policy
    receipt = record.receipt
    counted = noun(record)
    statement = map_statement(record)
    about = [
        ["Data set", receipt.dataset],
        ["Released on", record.released_on],
        ["Epsilon", decimal_text(policy.epsilon)],
        *([["Tier", tier_words(tier)]] if (tier := record.about.tier) else []),
        ["Who it protects", statement.protected_words()],
        *statement.terms(),
        [
            "Cells",
            (
                f"{record.grid.cells_inside:,}, {record.grid.cell_text},"
                f" {crs_tools.name(record.grid.crs)}"
            ),
        ],
        ["Error", map_statement(record).error_words()],
        *([[SURVEY_HEAD, share]] if (share := map_statement(record).survey_words()) else []),
        ["Strategy", _strategy_words(record)],
        ["Release", receipt.release_id],
    ]
    return {
        "title": record.title,
        "noun": counted,
        "per_km2": per_km2,
        "units": map_statement(record).unit_words(unit) if per_km2 else f"{counted} per cell",
        "unit": {"square_km": unit.square_km, "words": unit.words},
        "capped": map_statement(record).capped_words(),
        "level": level,
        "rate": RATE,
        "provenance": map_statement(record).provenance(),
        "about": about,
    }


def on_dark(classes: int) -> list[str]:
    """Return the ramp for a dark page, light to dark as on paper; it leaves out the darkest end,
    which no dark page shows.

    >>> on_dark(2)
    ['#fecc8f', '#b23679']
    """
    first, last = (0.02, 0.62) if classes > 3 else (0.125, 0.59)
    return [
        style.hex_colour(first + (last - first) * i / max(1, classes - 1)) for i in range(classes)
    ]


def _strategy_words(record: Record) -> str:
    """Says by which strategy epsilon was spent, and whether the releaser brought it."""
    name = record.custom_strategy
    return f"{name}, the releaser's own" if name else record.strategy
