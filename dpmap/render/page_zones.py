"""What the page needs for project areas and hot spots, by the kind of map: the last measurement,
and what is believed of the smallest regions.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import window
from dpmap.inference import RATE, Estimate
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.patches.zone_intervals import UPWARDS, ReleaseBelief
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.maps import kind, read_map
from dpmap.maps.reports import reports_of
from dpmap.maps.totals import LEVEL, SURROUNDINGS
from dpmap.record import Record
from dpmap.render import page_readings
from dpmap.render.page_geometry import Facts, array, bits

if TYPE_CHECKING:
    from dpmap.inference.hotspots import HotSpots


def zone_beliefs(
    record: Record, estimate: Estimate, last: list[tuple[Grid, Partition]], level: float
) -> Facts | None:
    """Return how wide intervals are, and of each release what its regions hold; None where the
    estimate has no belief about all land.

    `last` are the grids and partitions whose labels the page has.
    """
    if not isinstance(estimate, BelievedEstimate):
        return None
    law = estimate.law
    parts = [
        _smallest_regions(record.grid, part, *noise_scale)
        for part, noise_scale in zip(law.parts, last, strict=True)
    ]
    return {"wide": law.width_factor(level), "upwards": UPWARDS, "parts": parts}


def _smallest_regions(whole: Grid, part: ReleaseBelief, grid: Grid, partition: Partition) -> Facts:
    """Return one release's smallest regions in the order of the labels that the page has, else
    with labels of their own.
    """
    labels = np.full(whole.shape, -1)
    labels[window(whole, grid)] = partition.labels
    page_labels = labels[whole.inside]
    smallest = part.smallest[whole.inside.ravel()]
    order = np.full(partition.regions + 1, -1)
    order[page_labels] = smallest
    has_label = page_labels >= 0
    same = bool(
        (order[page_labels[has_label]] == smallest[has_label]).all()
        and (smallest[~has_label] < 0).all()
    )
    order = order[:-1] if same else np.arange(len(part.area))
    return {
        "labels": None if same else array(smallest, np.int32),
        **_tree(part, order),
        "uneven": part.posterior.uneven,
        "common": part.posterior.common,
    }


def _tree(part: ReleaseBelief, order: NDArray[np.int64]) -> Facts:
    """Return mean and spread of the smallest regions in this order (-1: of none), and the
    regions around them, outer ones first.
    """
    tree = part.land.regions
    usual = part.posterior.belief
    used = np.ones(len(tree.noisy), dtype=bool)
    used[tree.smallest] = False
    above = np.flatnonzero(used)
    above = above[np.argsort(tree.depth[above], kind="stable")]
    place = np.full(len(tree.noisy) + 1, -1)
    place[above] = np.arange(len(above))
    node = np.append(tree.smallest, -1)[order]
    return {
        "mean": array(np.append(part.posterior.mean, 0)[order], np.float32),
        "spread": array(np.append(usual.spread, 0)[node], np.float32),
        "parent": array(place[np.append(tree.parent, -1)[node]], np.int32) if len(above) else None,
        "above": {
            "spread": array(usual.spread[above], np.float32),
            "wide": array(usual.wide[above], np.float32),
            "parent": array(place[tree.parent[above]], np.int32),
        },
    }


def zone_facts(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return what the page needs to answer for a project area as `release.ask` does."""
    return ZONES.get(kind(record), _totals_zones)(record, estimate, level)


def _totals_zones(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return the last measurement, for strict bounds, and what is believed of all land.

    Each region of the measurement that lies wholly inside an area is added up; those that the area
    cuts are bracketed.
    """
    last = record.last
    by_cell = page_readings.cell_by_cell(record) is not None and isinstance(
        page_readings.noise_law_estimate(estimate), FlatEstimate
    )
    return {
        "regions": last.partition.regions,
        "kind": last.kind,
        "scale": float(last.scale_steps),
        "lattice": last.lattice,
        "noisy": (
            None
            if by_cell
            else array(last.values, page_readings.float_type(last.partition.regions))
        ),
        "labels": (None if by_cell else array(last.partition.labels[record.grid.inside], np.int32)),
        "believed": zone_beliefs(record, estimate, [(record.grid, last.partition)], level),
    }


def _merged_zones(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return every partner's last measurement, and what is believed of its land."""
    regions = read_map(record).known_regions()
    last = [(partner.grid, partner.measurements[-1].partition) for partner in record.partners]
    return {
        "regions": regions.regions,
        "labels": array(regions.labels[record.grid.inside], np.int32),
        "lattice": max(partner.measurements[-1].lattice for partner in record.partners),
        "partners": [_partner(record, partner) for partner in record.partners],
        "believed": zone_beliefs(record, estimate, last, level),
    }


def _partner(record: Record, partner: Record) -> Facts:
    """Return a partner's last measurement over the cells of the whole map, -1 where it does not
    reach.
    """
    last = partner.last
    labels = np.full(record.grid.shape, -1, dtype=np.int32)
    labels[window(record.grid, partner.grid)] = last.partition.labels
    return {
        "scale": float(last.scale),
        "noisy": array(last.values, page_readings.float_type(last.partition.regions)),
        "labels": array(labels[record.grid.inside], np.int32),
    }


def _reports_zones(record: Record, estimate: Estimate, level: float) -> Facts:
    """Return the support of each cell, and the chances of the devices' coins."""
    del estimate, level
    reports = reports_of(record)
    return {
        "regions": reports.partition.regions,
        "noisy": None,
        "labels": None,
        "support": array(reports.steps, np.float64),
        "believed": None,
        "kind": "reports",
        "count": reports.count,
        "mechanism": reports.mechanism,
        "truth": float(reports.truth),
        "other": float(reports.other),
    }


ZONES: dict[str, Callable[[Record, Estimate, float], Facts]] = {
    "merged": _merged_zones,
    "reports": _reports_zones,
}
"""The facts of kinds that do not rest on one measurement."""


def hot_spots(record: Record) -> Facts | None:
    """Return the regions and clusters above their surroundings, as `release.hotspots()` finds them;
    None where a kind of map has none.
    """
    map_ = read_map(record)
    if SURROUNDINGS not in cast("tuple[str, ...]", map_.draw_options()["hotspots"]):
        return None
    # maps with listed cells have no page
    spots = cast("HotSpots", map_.hot_spots(None, RATE, LEVEL))
    inside = record.grid.inside
    labels = spots.labels[inside]
    cells = np.flatnonzero(labels >= 0)
    return {
        "cells": array(cells, np.int32),
        "clusters": array(labels[cells], np.int32),
        "tested": bits(np.isfinite(spots.p_values[inside])),
        "regions": np.column_stack([spots.alone, spots.blocks]).tolist(),
        "totals": np.column_stack([spots.estimate, spots.low, spots.high]).tolist(),
        "level": spots.level,
    }
