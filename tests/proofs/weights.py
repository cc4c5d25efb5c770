"""Checks the cap without exception: units of every total weight, of every number of rows, under
every cap.

Surveys that one would think of hold few different totals. Here whole ranges go through the limiter,
a unit for each total, and are counted a second time in plain Python, to the last step.
"""

import csv
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmap import engines
from dpmap.engines.duckdb import DuckDB
from dpmap.grid import Grid
from dpmap.promise.policy import Policy
from dpmap.selftest import cap
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.steward.release_run import _limiter
from dpmap.survey import read
from dpmap.vault.cap_sql import capped_totals

if TYPE_CHECKING:
    import duckdb

Unit = list[tuple[int, int]]
"""Cell and weight of each of a unit's rows."""
Units = dict[int, Unit]
LEVELS = (Fraction(1, 10), Fraction(1, 2), Fraction(1))
"""What units may state for themselves; the number of each decides which it is, or that it is
none of them.
"""
MOST_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Trial:
    """Describes a policy tried on units that all differ: as heavy as their number, or of as many
    rows.
    """

    policy: Policy
    heavy: bool
    units: range
    shares: int = 1

    def made(self) -> Units:
        """Makes the units: unit n has total weight n in three rows (one, if rows are units), or
        n rows of one share of weight.
        """
        if self.policy.unit == "row":
            return {n: [(n, n)] for n in self.units}
        if self.heavy:
            return {n: [(n, n - n // 3 - n // 7), (n, n // 3), (n + 1, n // 7)] for n in self.units}
        return {n: [((7 * n + 3 * i) % 211, 1) for i in range(n)] for n in self.units}

    def name(self) -> str:
        """Says in few words what is tried."""
        tool = (
            " with limits" if self.policy.epsilon_by else " with delta" if self.policy.delta else ""
        )
        kind = "row" if self.policy.unit == "row" else self.policy.limiter
        return f"limiter {kind}{tool}, cap {self.policy.cap}, {self.shares} shares to the point"


def weights(effort: Effort) -> CheckResult:
    """Checks every total weight and every number of rows, through the limiter itself and through
    files.
    """
    most, rows = effort.many(4000, least=1000), min(MOST_ROWS, effort.many(150, least=40))
    caps, hashed = effort.many(101, least=40), effort.many(41, least=16)
    trials = [
        *(
            one
            for limit, part in ((1, 1), (77, 60))
            for one in _trials(range(1, most), limit, heavy=True, shares=part)
        ),
        *(one for limit in (1, 7) for one in _trials(range(1, rows), limit, heavy=False)),
        *(
            one
            for limit in range(1, 16)
            for one in _capped(range(1, 8 * limit + 20), limit, heavy=True)
        ),
    ]
    for limit in range(1, caps):
        limiters = (
            cap.LIMITERS if limit < hashed else ("scale",)
        )  # the others' SQL takes the engine ten times as long
        trials += _capped(
            range(max(1, limit - 2), limit + 4), limit, heavy=False, limiters=limiters
        )
    parts = [trials[start :: 4 * effort.cores] for start in range(4 * effort.cores)]
    tried = sum(effort.spread(_tried, [part for part in parts if part]))
    _through_files(min(rows, 120), most)
    return CheckResult(
        f"{tried:,} units: total weights to {most - 1:,}, rows to {rows - 1}; caps to {hashed - 1},"
        f" of scale to {caps - 1}",
        "any one of them that is an exception",
    )


def _capped(
    units: range,
    limit: int,
    *,
    heavy: bool,
    shares: int = 1,
    limiters: tuple[str, ...] = cap.LIMITERS,
) -> Iterator[Trial]:
    """Returns a trial of each of the limiters."""
    for limiter in limiters:
        yield Trial(Policy(epsilon=1, unit="who", cap=limit, limiter=limiter), heavy, units, shares)


def _trials(units: range, limit: int, *, heavy: bool, shares: int = 1) -> Iterator[Trial]:
    """Returns trials of each limiter, and of the tools that change what a limiter does."""
    yield from _capped(units, limit, heavy=heavy, shares=shares)
    stated = "comfort=" + ",".join(str(float(level)) for level in LEVELS)
    yield Trial(Policy(epsilon=1, unit="who", cap=limit, epsilon_by=stated), heavy, units, shares)
    yield Trial(Policy(epsilon=1, unit="who", cap=limit, delta="1e-6"), heavy, units, shares)
    if heavy:
        yield Trial(Policy(epsilon=1, unit="row", cap=limit), heavy, units, shares)


def _tried(trials: list[Trial]) -> int:
    """Runs some of them; returns how many units were tried."""
    with DuckDB(threads=1).connected() as database:
        for trial in trials:
            units = trial.made()
            _load(database, units)
            answer = database.execute(capped_totals(trial.policy, trial.shares)).fetchall()
            _same(
                {cell: steps for cell, steps in answer if steps},
                _counted(trial, units),
                trial.name(),
            )
    return sum(len(trial.units) for trial in trials)


def _same(found: cap.Cells, counted: cap.Cells, what: str) -> None:
    """Checks that both are the same in every cell."""
    for cell in sorted({*found, *counted}):
        if found.get(cell, 0) != counted.get(cell, 0):
            raise Broken(
                f"{what}: cell {cell} has {found.get(cell, 0)} steps, and by a plain count"
                f" {counted.get(cell, 0)}"
            )


def _load(database: "duckdb.DuckDBPyConnection", units: Units) -> None:
    """Loads the tables that the limiter reads."""
    rows = np.array(
        [(unit, cell, weight, unit % 4) for unit, own in units.items() for cell, weight in own],
        dtype=np.int64,
    )
    columns = dict(
        zip(("unit", "cell", "weight", "level"), np.ascontiguousarray(rows.T), strict=True)
    )
    database.register("given", columns)
    database.execute("CREATE OR REPLACE TABLE rows AS SELECT * FROM given")
    database.execute(
        "CREATE OR REPLACE TABLE names AS SELECT DISTINCT unit, CONCAT('u', unit) AS name FROM rows"
    )
    database.execute(f"CREATE OR REPLACE VIEW numbered AS {engines.NUMBERED}")
    database.execute(f"CREATE OR REPLACE VIEW wholes AS {engines.WHOLES}")
    database.unregister("given")


def _counted(trial: Trial, units: Units) -> cap.Cells:
    """Returns the same by plain Python."""
    policy, shares = trial.policy, trial.shares
    if policy.unit == "row":
        totals: cap.Cells = {}
        for cell, weight in (row for own in units.values() for row in own):
            totals[cell] = (
                totals.get(cell, 0) + min(weight, policy.cap * shares) * policy.lattice // shares
            )
        return {cell: steps for cell, steps in totals.items() if steps}
    if policy.epsilon_by is not None:
        return _to_each_her_own(trial, units)
    return cap.plain_totals(
        [(f"u{unit}", *row) for unit, own in units.items() for row in own], policy, shares
    )


def _to_each_her_own(trial: Trial, units: Units) -> cap.Cells:
    """Scales a unit to the part of the cap that is its own."""
    totals, policy, shares = dict[int, int](), trial.policy, trial.shares
    for unit, own in units.items():
        level = LEVELS[unit % 4 - 1] if unit % 4 else Fraction(0)
        most, whole = (
            int(policy.cap * policy.lattice * level / policy.epsilon),
            sum(weight for _, weight in own),
        )
        for cell, weight in own:
            fits = whole * policy.lattice <= most * shares
            totals[cell] = totals.get(cell, 0) + (
                weight * policy.lattice // shares if fits else weight * most // whole
            )
    return {cell: steps for cell, steps in totals.items() if steps}


def _through_files(rows: int, most: int) -> None:
    """Checks through a file and the whole engine: each number of rows, and each number of
    individuals in one row.
    """
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        people = [
            cap.row(f"u{n}", (3 * n + i) % cap.grid().size)
            for n in range(1, rows)
            for i in range(n)
        ]
        for limiter in cap.LIMITERS:
            counter = cap.Counter(cap.policy(limiter, "column", 5), "column")
            _same(
                counter.totals(people, Path(folder)),
                counter.counted(people),
                f"limiter {limiter}, from a file",
            )
        path, strip = (
            Path(folder) / "counts.csv",
            Grid(bounds=(0, 0, most, 1), shape=(1, most), crs="EPSG:3857"),
        )
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(
                [("who", "x", "y", "n"), *((f"u{n}", n + 0.5, 0.5, n) for n in range(1, most))]
            )
        survey = read(path, x="x", y="y", crs="EPSG:3857", count="n", max_count=most)
        policy = Policy(epsilon=1, unit="who", cap=5)
        limiter = _limiter(policy, survey.roles.shares)
        found = engines.make_engine("duckdb").totals(
            survey, strip, policy, limiter, lambda step: None
        )
        totals = dict(zip(found._cells.tolist(), found._steps.tolist(), strict=True))
        _same(
            totals,
            {n: min(n, 5) * policy.lattice for n in range(1, most)},
            "individuals, from a file",
        )
