"""What stewards do today beside dpmap: what each map is good for, and what it gives away.

    python benchmarks/practice.py [tries] [--only SURVEY] [--save] [--page] [--noise] [--enterprises F]     # 300 tries take an hour

Three surveys (`practice_survey.py`: invented people, invented sites, public check-ins by user) are published in each way of
`current_practice.py`. The first table of each is of use (`map_use.py`; mean of ten maps where chance makes the map):

overlap   what map and truth share, each made to add up to one: of cells, and of squares of 10 km
order     of pairs of zones of which one is half as dense again, how often it is shown as denser
zones     mean error of zones of 3 to 300 cells, over the mean zone
ten       what the ten densest places hold that the map names, of what the truly densest ten do
dense     "is this place three times as dense as the mean?": decided right; of dense places, how many are cleared; settled by the interval, and right then
any       "is there anything at all?": decided right; of places with something, how many are cleared

The second is of attacks (`intruder.py`): in how many of a hundred tries the intruder is right, then her best guess without the map. The last
line says what no attack whatever can pass where one release of dpmap is asked whether somebody is in. --save writes both tables into
`data/practice.csv`, --page those of all surveys into docs/learn/practice.md, whose picture reads them too. --noise compares Laplace and Gaussian noise. --enterprises F
prints two shares that the README of sdcSpatial has of its own example, from our smoothing and masks: F is that example with the columns x, y and
production, in R `write.csv(as.data.frame(sdcSpatial::enterprises), "F")`.
"""

import argparse
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
from current_practice import (
    METHODS,
    Nothing,
    Private,
    PublishedMap,
    is_sensitive,
    methods_of,
    smooth,
)
from intruder import GAMES, MovedAbout, play, targets_of
from map_use import MapUse
from practice_survey import BOUNDS, SURVEYS, people
from public_data import DATA
from public_release import make_release

import dpmap as dm
from dpmap.noise.theory import two_sided_quantile

TRIES, MAPS = 300, 10
MOVED = "moved about, 10 km"
CAPS = (10, 20, 50)
DELTA = "1e-6"
RESULTS = DATA / "practice.csv"
PAGE = Path(__file__).parents[1] / "docs" / "learn" / "practice.md"
COLUMNS = {
    "use": {
        "overlap of cells": "overlap, cells",
        "overlap of squares": "overlap, squares",
        "order": "order",
        "zone error": "zone error",
        "ten densest": "ten densest",
        "dense: right": "dense? right",
        "dense: cleared": "dense, but cleared",
        "any: right": "any? right",
    },
    "attack": {
        "knows others": "knows all others",
        "known to one": "knows the square",
        "alone": "alone there",
        "subtracted": "two maps",
        "last year": "last year's map",
        "peak": "lone place",
        "visited again": "visited again",
    },
}
"""The measures of the page's tables, and what heads them there."""


def judge_uses(survey):
    """Return a table of what the maps of each method are good for; the last line is the truth under the cap, without noise."""
    use, dice = MapUse(survey), np.random.default_rng(11)
    lines = {}
    for name, method in methods_of(survey).items():
        maps = MAPS if isinstance(method, Private) else 1
        measures = [
            use.judge(method.publish(survey, survey.everything(), dice)) for _ in range(maps)
        ]
        lines[name] = pd.DataFrame(measures).mean()
    capped = survey.counts(survey.everything(), survey.points)
    lines["the cap, no noise"] = use.judge(PublishedMap(capped, np.zeros(len(capped), bool)))
    return pd.DataFrame(lines).T


def judge_attacks(survey, tries, games=GAMES):
    """Return a table of how often the intruder is right, and her best guess."""
    guesses = guess_without(survey, tries, games)
    played = {**methods_of(survey), MOVED: MovedAbout()}
    lines = {name: {} for name in played}
    for game_name in guesses:
        for name, method in played.items():
            outcome = play(survey, method, games[game_name], tries, np.random.default_rng(12))
            if outcome is not None:
                # She need not follow the map where that is worse.
                lines[name][game_name] = max(outcome[0], guesses[game_name])
    lines["her best guess"] = guesses
    lines["targets"] = {name: len(targets_of(survey, games[name])) for name in guesses}
    return pd.DataFrame(lines).T


def guess_without(survey, tries, games=GAMES):
    """Return how often the best guess without a map is right, of ten times as many tries, since it costs little."""
    outcomes = {
        name: play(survey, Nothing(), game, 10 * tries, np.random.default_rng(12))
        for name, game in games.items()
    }
    return {name: outcome[1] for name, outcome in outcomes.items() if outcome is not None}


def bound(epsilon):
    """Return the most often that anybody can be right whether somebody is in, of one release: e^epsilon against 1."""
    return 1 / (1 + math.exp(-float(epsilon)))


def compare_noise(maps=20):
    """Return a table of Laplace and Gaussian noise at wide caps: of a cell by the law, and of maps of the invented people.

    A person counts once in each cell, in as many cells as the cap says. Errors are means over all cells, over the mean cell.
    """
    survey, dice = people(), np.random.default_rng(6)
    squares = dm.Grid(bounds=BOUNDS, shape=(16, 24), crs="EPSG:3035")
    lines = {}
    for cap in CAPS:
        for noise, options, strategy in (
            ("Laplace, cell by cell", {}, "flat"),
            ("Gaussian, cell by cell", {"delta": DELTA}, "flat"),
            ("Laplace, adaptive", {}, "adaptive"),
        ):
            policy = dm.Policy(epsilon="1", unit="who", cap=cap, limiter="presence", **options)
            line = {}
            if strategy == "flat":
                line["90 % within"] = half_width(policy, 0.9)
                line["1 in 10,000 beyond"] = half_width(policy, 0.9999)
            for name, grid, place in (
                ("cells", survey.grid, survey.cell),
                ("squares", squares, survey.square),
            ):
                counts = count_presences(survey.unit, place, cap, grid, dice)
                releases = [make_release(counts, grid, policy, strategy) for _ in range(maps)]
                errors = [
                    np.abs(release.estimate - counts).mean() / counts.mean() for release in releases
                ]
                line[f"error, {name}"] = np.mean(errors)
            lines[f"cap {cap}: {noise}"] = line
    return pd.DataFrame(lines).T


def count_presences(unit, place, cap, grid, dice):
    """Return how many units have rows in each cell, each in as many cells as the cap allows, drawn at random."""
    unit, cell = np.divmod(np.unique(unit * grid.size + place), grid.size)
    rank = pd.Series(dice.random(len(unit))).groupby(unit).rank().to_numpy()
    counts = np.bincount(cell[rank <= cap], minlength=grid.size)
    return counts.reshape(grid.shape).astype(float)


def half_width(policy, level):
    """Return how far noise of a cell goes in such a share of cells, in points."""
    if policy.delta is None:
        scale = policy.scale * policy.lattice
        return two_sided_quantile(level, scale) / policy.lattice
    return float(policy.scale) * NormalDist().inv_cdf((1 + level) / 2)


def check_smoothing(path):
    """Return the shares of sensitive cells of sdcSpatial's example, at 200 m and at least three each: as it is, and smoothed by 400 m."""
    table = pd.read_csv(path)
    # A point on the line between two cells belongs to the southern one, as in R.
    places = np.floor(np.column_stack([-table.y, table.x]) / 200).astype(int)
    places -= places.min(0)
    shape = tuple(places.max(0) + 1)
    cell = np.ravel_multi_index(tuple(places.T), shape)
    count = np.bincount(cell, minlength=np.prod(shape)).astype(float)
    total = np.bincount(cell, table.production, np.prod(shape))
    largest = np.zeros(len(count))
    np.maximum.at(largest, cell, table.production)
    rasters = [raster.reshape(shape) for raster in (count, total, largest)]
    *smoothed, scale = smooth(rasters, bandwidth=2, factor=4)
    return [
        is_sensitive(*values, threshold, 3)[values[0] > 0].mean()
        for values, threshold in ((rasters, 1), (smoothed, scale))
    ]


def save_results(survey, uses, attacks):
    """Write what was measured of one survey into the file of results, in place of what stood there of it."""
    measured = pd.concat([uses, attacks], axis=1, keys=["use", "attack"])
    lines = measured.stack([0, 1], future_stack=True).dropna().round(3).reset_index()
    lines.columns = ["method", "table", "measure", "value"]
    lines.insert(0, "survey", survey)
    if RESULTS.exists():
        earlier = pd.read_csv(RESULTS)
        lines = pd.concat([earlier[earlier.survey != survey], lines])
    lines.to_csv(RESULTS, index=False)


def page_table(results, survey, table):
    """Return a table of the page, in hundredths, of one survey's results."""
    shown = results[(results.survey == survey) & (results.table == table)]
    shown = shown.pivot(index="method", columns="measure", values="value")
    columns = [column for column in COLUMNS[table] if column in shown]
    lines = ["| | " + " | ".join(COLUMNS[table][column] for column in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for name in (*METHODS, MOVED, "the cap, no noise", "her best guess", "targets"):
        if name in shown.index and (table, name) != ("attack", "nothing"):
            times = 1 if name == "targets" else 100
            values = shown.loc[name, columns]
            texts = ["" if np.isnan(value) else f"{times * value:,.0f}" for value in values]
            lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def interval_table(results):
    """Return the table of how often dpmap's interval settles whether land is dense, and is right then."""
    lines = ["| | " + " | ".join(f"{survey}: settled | right then" for survey in SURVEYS) + " |"]
    lines.append("|---" * (2 * len(SURVEYS) + 1) + "|")
    values = results.set_index(["survey", "method", "measure"]).value
    for name, method in METHODS.items():
        if isinstance(method, Private):
            cells = [
                f"{100 * values[survey, name, measure]:.0f}"
                for survey in SURVEYS
                for measure in ("dense: sure", "dense: right if sure")
            ]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write_page():
    """Put the tables of the results into the page, each below the line that names it."""
    results = pd.read_csv(RESULTS)
    text = PAGE.read_text("utf-8")
    tables = {
        f"{survey}: {table}": page_table(results, survey, table)
        for survey in SURVEYS
        for table in COLUMNS
    }
    for name, table in (tables | {"intervals": interval_table(results)}).items():
        mark = f"<!-- {name} -->\n"
        before, after = text.split(mark)
        rest = after[after.index("\n\n") :] if after.startswith("|") else "\n" + after
        text = before + mark + table + rest
    PAGE.write_text(text, "utf-8")


def main(tries, names, save):
    pd.set_option("display.width", 250, "display.max_columns", 30)
    for name in names:
        survey = SURVEYS[name]()
        print(f"\n{name}: {len(survey.unit):,} rows of {survey.units:,} units, cap {survey.cap}")
        uses = judge_uses(survey)
        print(uses.round(3).to_string(na_rep=""), flush=True)
        attacks = judge_attacks(survey, tries)
        for game in attacks:
            print(f"{game:14s}{GAMES[game].question}")
        print((100 * attacks.drop("targets")).round(0).to_string(na_rep=""), flush=True)
        if save:
            save_results(name, uses, attacks)
    most = ", ".join(f"{100 * bound(epsilon):.0f} at {epsilon}" for epsilon in ("0.3", "1", "3"))
    print(f"\nno attack on one release of dpmap is right more often: {most}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tries", type=int, nargs="?", default=TRIES)
    arguments.add_argument("--only", choices=SURVEYS)
    arguments.add_argument("--save", action="store_true")
    arguments.add_argument("--page", action="store_true")
    arguments.add_argument("--noise", action="store_true")
    arguments.add_argument("--enterprises", type=Path)
    asked = arguments.parse_args()
    if asked.enterprises:
        print("sensitive: {:.7f}, smoothed {:.9f}".format(*check_smoothing(asked.enterprises)))
    elif asked.page:
        write_page()
    elif asked.noise:
        print(compare_noise().round(3).to_string(na_rep=""))
    else:
        main(asked.tries, [asked.only] if asked.only else list(SURVEYS), asked.save)
