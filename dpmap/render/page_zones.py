"""Tells the page what intervals rest on beyond the measurement itself: what is believed of the
smallest regions.
"""

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import window
from dpmap.inference import Estimate
from dpmap.inference.patches.zone_intervals import UPWARDS, ReleaseBelief
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.record import Record
from dpmap.render.page_geometry import Facts, array


def believed(
    record: Record, estimate: Estimate, last: list[tuple[Grid, Partition]], level: float
) -> Facts | None:
    """Returns how wide intervals are, and of each release what its regions hold; None where the
    estimate has no belief about all land.

    `last` are the grids and partitions whose labels the page has.
    """
    if not isinstance(estimate, BelievedEstimate):
        return None
    law = estimate.law
    parts = [_part(record.grid, part, *own) for part, own in zip(law.parts, last, strict=True)]
    return {"wide": law.wide(level), "upwards": UPWARDS, "parts": parts}


def _part(whole: Grid, part: ReleaseBelief, grid: Grid, partition: Partition) -> Facts:
    """Returns one release's smallest regions in the order of the labels that the page has, else
    with labels of their own.
    """
    labels = np.full(whole.shape, -1)
    labels[window(whole, grid)] = partition.labels
    mine, smallest = labels[whole.inside], part.smallest[whole.inside.ravel()]
    order = np.full(partition.regions + 1, -1)
    order[mine] = smallest
    known = mine >= 0
    same = bool((order[mine[known]] == smallest[known]).all() and (smallest[~known] < 0).all())
    order = order[:-1] if same else np.arange(len(part.area))
    return {
        "labels": None if same else array(smallest, np.int32),
        **_tree(part, order),
        "uneven": part.held.uneven,
        "common": part.held.common,
    }


def _tree(part: ReleaseBelief, order: NDArray[np.int64]) -> Facts:
    """Returns mean and spread of the smallest regions in this order (-1: of none), and the
    regions around them, outer ones first.
    """
    tree, usual = part.land.regions, part.held.usual
    used = np.ones(len(tree.noisy), dtype=bool)
    used[tree.smallest] = False
    above = np.flatnonzero(used)
    above = above[np.argsort(tree.depth[above], kind="stable")]
    place = np.full(len(tree.noisy) + 1, -1)
    place[above] = np.arange(len(above))
    node = np.append(tree.smallest, -1)[order]
    return {
        "mean": array(np.append(part.held.mean, 0)[order], np.float32),
        "spread": array(np.append(usual.spread, 0)[node], np.float32),
        "parent": array(place[np.append(tree.parent, -1)[node]], np.int32) if len(above) else None,
        "above": {
            "spread": array(usual.spread[above], np.float32),
            "wide": array(usual.wide[above], np.float32),
            "parent": array(place[tree.parent[above]], np.int32),
        },
    }
