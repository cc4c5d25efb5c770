"""What the intervals of a flat map are promised."""

import os

import numpy as np
import pytest

import dpmap as dm
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.promise.policy import Policy
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

RUNS = 2000 if os.environ.get("DPMAP_DEEP") else 200
SIDE = 24


def a_map() -> np.ndarray:
    """Half empty land, half heavy-tailed counts."""
    dice = np.random.default_rng(3)
    counts = dice.poisson(np.exp(dice.normal(-1, 2, (SIDE, SIDE)))).astype(float)
    counts[: SIDE // 2] = 0
    return counts


@pytest.mark.parametrize(("epsilon", "cap"), [(1, 1), (0.1, 1), (1, 10)])
def test_a_stated_ninety_per_cent_is_ninety_per_cent(epsilon, cap):
    """The noise law's own 90 % bounds hold 88 to 92 % of empty cells, of occupied ones, of the heaviest and of zones, each by itself."""
    counts, dice = a_map(), np.random.default_rng(4)
    grid = dm.Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
    policy = Policy(epsilon=epsilon, unit="row", cap=cap)
    kinds = {
        "empty": counts == 0,
        "occupied": counts > 0,
        "heaviest": counts >= np.quantile(counts, 0.98),
    }
    held = {kind: [] for kind in (*kinds, "zones")}
    for _ in range(RUNS):
        session = Session(counts, grid, policy.epsilon, policy.cap, policy.lattice)
        find_strategy("flat")(session)
        reading = FlatEstimate(session.made[-1])
        low, high = reading.interval(0.9)
        for kind, cells in kinds.items():
            held[kind].append(((low <= counts) & (counts <= high))[cells].mean())
        zones = []
        for _ in range(5):
            row, column, tall, wide = (
                int(n) for n in dice.integers((0, 0, 1, 1), (SIDE - 6, SIDE - 6, 7, 7))
            )
            zone = np.zeros((SIDE, SIDE), dtype=bool)
            zone[row : row + tall, column : column + wide] = True
            _, least, most = reading.zone(zone, zone, 0.9)
            zones.append(least <= counts[zone].sum() <= most)
        held["zones"].append(np.mean(zones))
    for kind, shares in held.items():
        chance = 4.5 * np.std(shares) / len(shares) ** 0.5
        assert 0.88 - chance <= np.mean(shares) <= 0.92 + chance, kind
