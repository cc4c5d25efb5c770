"""How often `dm.compare(...).clusters()` finds a doubling, and how often it tells of a change that is none.

    python benchmarks/clusters.py [runs] [--sides 16 32 64] [--strategies flat adaptive]        # 500 runs of one case take some ten minutes

Land of six shapes of `shapes.py`, 3,000 points expected on so many cells along a side, is released twice with the vault's own noise, epsilon 1 and
cap 1 each. In the later season a square of 16 cells that is expected to hold 30 points holds twice as many, or nothing changes. Each run
draws both seasons anew from the shape (`fresh`), or draws one season and adds 30 points to it, or none (`same`). Prints the share of the runs in which

found      land is told to hold more that shares a cell with the square
false      something is told of which the points of both seasons say otherwise (nothing changed there, or the other way)
still      with no square doubled something is told: of `same` points false each time, of `fresh` ones chance may have moved points

for ours; for a z-test of each cell with Benjamini and Hochberg's rule (`cells`), and a scan by likelihood as if noisy counts were counts
(`raw scan`): what people do with two maps; for the test that is told the 16 cells in advance, which nobody is (`floor`, at a rate of
0.1), and for the one that is told a tiling of such squares with the doubled one among them (`tiling`). Both read flat maps' cells.
"""

import argparse
import sys
import time
from statistics import NormalDist

import numpy as np
from shapes import SHAPES

import dpmap as dm
from dpmap.inference.estimate import discoveries
from dpmap.promise.policy import Policy
from dpmap.record import Receipt, Record
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

POINTS, HELD, SQUARE, RATE = 3_000, 30, 4, 0.1
POLICY = Policy(epsilon="1", unit="who", cap=1)
NAMES = tuple(SHAPES)[:6]
FLAT_DEVIATION = np.sqrt(2 * 2)
"""Of the difference of two flat maps' answers about one cell, at epsilon 1 and cap 1."""
SCANNED = (1, 2, 3, 4, 6, 8)
SIMULATED = 99


def grid_of(side):
    """The grid with so many cells along a side."""
    return dm.Grid(bounds=(0, 0, side * 1000, side * 1000), shape=(side, side), crs="EPSG:3035")


def seasons(name, side, dice, *, fresh, doubled):
    """Two seasons' counts, and the square."""
    density = SHAPES[name]().reshape(side, 128 // side, side, 128 // side).sum((1, 3))
    expected = POINTS * density / density.sum()
    held = np.lib.stride_tricks.sliding_window_view(expected, (SQUARE, SQUARE)).sum((2, 3))
    likely = np.argsort(np.where(held > 0, np.abs(held - HELD), np.inf), axis=None)[:20]
    top, left = np.unravel_index(dice.choice(likely), held.shape)
    square = slice(top, top + SQUARE), slice(left, left + SQUARE)
    expected[square] *= HELD / max(expected[square].sum(), 1e-9)
    before, later = dice.poisson(expected), expected.copy()
    if doubled:
        later[square] *= 2
    if fresh:
        return before, dice.poisson(later), square
    after = before.copy()
    if doubled:
        share = (expected[square] / expected[square].sum()).ravel()
        after[square] += dice.multinomial(HELD, share).reshape(SQUARE, SQUARE)
    return before, after, square


def released(counts, grid, strategy, number):
    """A release of public counts."""
    session = Session(counts, grid, POLICY.measuring, POLICY.cap, POLICY.lattice)
    find_strategy(strategy)(session)
    return Release(
        Record(
            grid,
            POLICY,
            strategy,
            session.made,
            Receipt(f"map {number}", str(number), "", 0, 0, 0),
            "2026-11-23",
        )
    )


def ours(before, after):
    """What is told, as masks of cells with the sign of the change."""
    found = dm.compare(before, after, rate=RATE)
    rows = found.clusters()
    x, y = np.meshgrid(*(np.arange(side) * 1000 + 500 for side in after.grid.shape))
    import shapely

    for outline, change in zip(rows.geometry, rows.change, strict=True):
        yield shapely.contains_xy(outline, x, y[::-1]), np.sign(change)


def by_cells(one, other):
    """Cells told by a z-test each and Benjamini and Hochberg's rule, as if noise were normal."""
    apart = (other - one) / FLAT_DEVIATION
    p = np.array([2 * (1 - NormalDist().cdf(abs(value))) for value in apart.ravel()])
    for cell in np.flatnonzero(discoveries(p, RATE)):
        mask = np.zeros(one.shape, dtype=bool)
        mask.flat[cell] = True
        yield mask, np.sign(apart.flat[cell])


def raw_scan(one, other, dice):
    """The likeliest square window, by a scan that takes noisy counts for counts; told by simulation of the whole."""
    one, other = (np.maximum(np.rint(values), 0).astype(int) for values in (one, other))
    both = one + other
    share = other.sum() / max(both.sum(), 1)
    score, side, at = _likeliest(both, other, share)
    simulated = [_likeliest(both, dice.binomial(both, share), share)[0] for _ in range(SIMULATED)]
    if 1 + sum(value >= score for value in simulated) <= RATE * (1 + SIMULATED):
        mask = np.zeros(one.shape, dtype=bool)
        mask[at[0] : at[0] + side, at[1] : at[1] + side] = True
        yield mask, np.sign(other[mask].sum() - share * both[mask].sum())


def _likeliest(both, later, share):
    """The largest log likelihood ratio of windows, with its window's side and corner."""
    tables = [
        np.pad(values, ((1, 0), (1, 0))).cumsum(0).cumsum(1).astype(float)
        for values in (both, later)
    ]
    total, cases = tables[0][-1, -1], tables[1][-1, -1]
    best = (-1.0, 1, (0, 0))
    for side in SCANNED:
        n, c = (
            table[side:, side:]
            - table[:-side, side:]
            - table[side:, :-side]
            + table[:-side, :-side]
            for table in tables
        )
        score = _entropy(c, n) + _entropy(cases - c, total - n) - _entropy(cases, total)
        where = np.unravel_index(score.argmax(), score.shape)
        if score[where] > best[0]:
            best = (float(score[where]), side, where)
    return best


def _entropy(cases, of):
    """The log likelihood of so many cases at their own share."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = cases * np.log(cases / of) + (of - cases) * np.log(1 - cases / of)
    return np.nan_to_num(inside)


def known(one, other, square, tiles):
    """Whether a z-test of the known square, one of so many tiles, tells more."""
    apart = (other - one)[square].sum() / (FLAT_DEVIATION * SQUARE)
    return [(None, 1)] if apart > NormalDist().inv_cdf(1 - RATE / 2 / tiles) else []


def cells_of(release):
    """A flat map's noisy answers, in grid shape."""
    return np.asarray(release.record.last.values).reshape(release.grid.shape)


def judged(found, before, after, square):
    """Whether the square was found, whether anything false was told, and whether anything was told at all."""
    found, seen, false = list(found), False, False
    for mask, sign in found:
        if mask is None:
            seen = True
            continue
        seen |= bool(mask[square].any() and sign > 0)
        false |= bool(np.sign((after - before)[mask].sum()) != sign)
    return seen, false, bool(found)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=int, nargs="?", default=500)
    parser.add_argument("--sides", type=int, nargs="+", default=[16, 32, 64])
    parser.add_argument("--strategies", nargs="+", default=["flat", "adaptive"])
    asked = parser.parse_args()
    for side in asked.sides:
        grid = grid_of(side)
        for strategy in asked.strategies:
            for fresh in (True, False):
                started, rows = time.monotonic(), {}
                for run in range(asked.runs):
                    for doubled in (True, False):
                        dice = np.random.default_rng([run, side, fresh])
                        before, after, square = seasons(
                            NAMES[run % len(NAMES)], side, dice, fresh=fresh, doubled=doubled
                        )
                        pair = [
                            released(counts, grid, strategy, 2 * run + n)
                            for n, counts in enumerate((before, after))
                        ]
                        ways = {"ours": ours(*pair)}
                        if strategy == "flat":
                            one, other = map(cells_of, pair)
                            ways |= {
                                "cells": by_cells(one, other),
                                "raw scan": raw_scan(one, other, dice),
                            }
                            ways |= {"floor": known(one, other, square, 1)}
                            ways |= {"tiling": known(one, other, square, (side // SQUARE) ** 2)}
                        for way, found in ways.items():
                            rows.setdefault((way, doubled), []).append(
                                judged(found, before, after, square)
                            )
                took = (time.monotonic() - started) / asked.runs / 2
                print(
                    f"{side} x {side}, {strategy}, {'fresh' if fresh else 'same'}, {asked.runs} runs, {took:.2f} s each"
                )
                for way in ways:
                    found, false, _ = np.mean(rows[way, True], axis=0)
                    _, wrong, still = np.mean(rows[way, False], axis=0)
                    print(
                        f"  {way:10} found {found:.3f}   false {false:.3f}   still {still:.3f}, of which false {wrong:.3f}"
                    )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
