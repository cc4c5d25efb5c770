"""Plans several seasons' maps under one budget: three ways to spend it, what each season's map,
all maps together, and a comparison tell.
"""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, WrongType
from dpmap.grid import Grid
from dpmap.noise.budget_plans import shares
from dpmap.noise.distributions import LAWS
from dpmap.numbers import NumberLike, decimal_text, exact
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.policy import Policy
from dpmap.steward.planning import landscapes, years_picture, years_text
from dpmap.steward.planning.planned_years import PlannedYears, SeasonPlanned, Suited, Way
from dpmap.steward.planning.planner import check_units, points_each
from dpmap.steward.planning.pooled_years import parts as stack_parts
from dpmap.steward.planning.seasons import (
    PATCH,
    POWER,
    RATE,
    ZONES,
    Curve,
    Densities,
    Seen,
    change_in_patch,
    change_in_zone,
    change_of_whole,
    trend_within,
    zone_cells,
)
from dpmap.steward.planning.tradeoff import TOLD
from dpmap.strategies.adaptive import least_last_share

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 2
MOST = 50
"""A plan is for so many seasons at least and at most."""
EVERY = {"even": 1, "decaying": 1, "alternate": 2}
"""Of each way: a map every season, or every second one."""


@dataclass(frozen=True)
class YearsPlan(PlannedYears):
    """What several seasons' maps under one budget are worth, made by `dm.plan_years`: to print,
    draw and read. It touched no data.

    >>> grid = Grid(bounds=(0, 0, 8_000, 8_000), shape=(4, 4), crs="EPSG:3857")
    >>> found = plan_years(grid, Policy(epsilon=1, unit="who", cap=5), years=5, budget=3, units=300)
    >>> [(way.scheme, way.releases) for way in found.ways]
    [('even', 5), ('decaying', 5), ('alternate', 3)]
    >>> found.ways[2].command
    'dpmap ledger years.ledger --plan 3 --total 3 --scheme alternate'
    """

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON."""
        promise = {
            name: value for name, value in self.policy.to_dict().items() if name != "epsilon"
        }
        cells = self.grid.cells_inside
        return {
            "grid": {"cells": cells, "cell": self.grid.cell_text, "crs": self.grid.crs},
            "policy": promise,
            "units": self.units,
            "points_each": self.each,
            "years": self.years,
            "budget": self.budget,
            "spent": self.spent,
            "total": self.total,
            "rehearsed_on": list(self.lands),
            "change": {
                "rate": RATE,
                "power": POWER,
                "patch_cells": min(PATCH, cells),
                "zone_cells": zone_cells(cells),
            },
            "ways": [asdict(way) for way in self.ways],
            "advice": [asdict(one) for one in self.advice],
        }

    def to_frame(self) -> "pd.DataFrame":
        """Returns every season of every way as a row of a DataFrame of pandas.

        >>> grid = Grid(bounds=(0, 0, 8_000, 8_000), shape=(4, 4), crs="EPSG:3857")
        >>> found = plan_years(
        ...     grid, Policy(epsilon=1, unit="who", cap=5), years=2, budget=3, units=300
        ... )
        >>> found.to_frame()[["scheme", "season", "epsilon"]].values.tolist()
        [['even', 1, '1.5'], ['even', 2, '1.5'], ['decaying', 1, '2'], ['decaying', 2, '1'],
        ['alternate', 1, '3'], ['alternate', 2, None]]
        """
        from pandas import DataFrame, Series

        rows = [
            {"scheme": way.scheme, **asdict(season)} for way in self.ways for season in way.seasons
        ]
        return DataFrame(rows).assign(
            epsilon=Series([row["epsilon"] for row in rows], dtype=object)
        )

    def draw(self, path: "str | os.PathLike[str]") -> None:
        """Writes a chart of each season's epsilon and error under the three ways (.png, .svg,
        .pdf), or a page (.html) that fetches nothing and says all of the plan.

        - `path`: where to; its suffix says which.

        >>> grid = Grid(bounds=(0, 0, 8_000, 8_000), shape=(4, 4), crs="EPSG:3857")
        >>> plan_years(grid, Policy(epsilon=1, unit="who", cap=5), years=2, budget=3).draw(
        ...     "years.html"
        ... )
        """
        years_picture.write(self, path)

    def __str__(self) -> str:
        return years_text.summary(self)

    def __repr__(self) -> str:
        return (
            f"<YearsPlan: {self.years} seasons, epsilon {self.total} together,"
            f" {self.grid.cells_inside:,} cells of {self.grid.cell_text}>"
        )


def plan_years(
    grid: Grid,
    policy: Policy,
    *,
    years: int,
    budget: NumberLike,
    spent: NumberLike | None = None,
    units: int = 1000,
    each: NumberLike | None = None,
    like: "str | os.PathLike[str] | None" = None,
) -> YearsPlan:
    """Plans several seasons' maps under one budget, spent in three ways; it touches no data.

    - `grid`: the cells of every season's map.
    - `policy`: the promise of every season; its own epsilon is left aside, since the budget is
      dealt out.
    - `years`: how many seasons, from 2 to 50.
    - `budget`, `spent`: the ledger's budget for all of them, and what of it is spent.
    - `units`, `each`: how large one season's survey is expected to be, as for `plan`.
    - `like`: a public raster to rehearse on instead of the invented shapes.

    Returns a `YearsPlan`, which prints, draws and makes a table of itself. Raises `BadInput` where
    a number is none that can be meant.

    >>> grid = Grid(bounds=(0, 0, 20_000, 20_000), shape=(4, 4), crs="EPSG:3857")
    >>> plan_years(grid, Policy(epsilon=1, unit="who", cap=5), years=3, budget=2, units=300)
    <YearsPlan: 3 seasons, epsilon 2 together, 16 cells of 5 km>
    """
    if not isinstance(grid, Grid) or not isinstance(policy, Policy):
        raise WrongType("plan_years: give a dm.Grid and a dm.Policy, in this order")
    check_years(years)
    if policy.delta is not None:
        raise BadInput("plan: --years is for Laplace noise; leave out --delta")
    refuse_unproven(policy.tools)
    check_units(units)
    most, gone = _budget_and_spent(budget, spent)
    share_each = points_each(policy, each)
    grid = grid.ground
    total = units * float(share_each) * float(policy.sample or 1)
    dealt = {scheme: _dealt(most - gone, years, scheme) for scheme in EVERY}
    lands = _lands(like)
    least = min(min(one for one in way if one) for way in dealt.values())
    curve = Curve.rehearsed(
        grid, policy, lands, total, float(least), max(float(max(way)) for way in dealt.values())
    )
    stacks = {
        scheme: stack_parts(grid, policy, lands, total, [one for one in way if one])
        for scheme, way in dealt.items()
    }
    ways = tuple(
        _way(grid, policy, curve, scheme, way, most - gone, stacks[scheme])
        for scheme, way in dealt.items()
    )
    return YearsPlan(
        grid,
        policy,
        units,
        float(share_each),
        years,
        decimal_text(most),
        decimal_text(gone),
        tuple(lands),
        ways,
        tuple(Suited(*row) for row in years_text.advice(ways, zone_cells(grid.cells_inside))),
    )


def check_years(years: object) -> None:
    """Refuses a number of seasons that no plan is made for."""
    if isinstance(years, bool) or not isinstance(years, int) or not FEWEST <= years <= MOST:
        raise BadInput(
            f"--years: a whole number of seasons from {FEWEST} to {MOST}, like --years 5"
        )


def _lands(like: "str | os.PathLike[str] | None") -> Densities:
    """Returns the land to rehearse on by its name: the invented shapes that a plan draws, or a
    public raster.
    """
    if like is None:
        return {name: partial(landscapes.invent, name) for name in landscapes.SHAPES}
    return {
        os.path.splitext(os.path.basename(os.fspath(like)))[0] or "raster": partial(
            landscapes.like, like
        )
    }


def _budget_and_spent(budget: object, spent: object) -> tuple[Fraction, Fraction]:
    """Returns the budget and what of it is spent."""
    if budget is None:
        raise BadInput("plan: --years deals a budget out; add --budget B, like --budget 3")
    most = exact(budget, name="--budget")
    gone = exact(0 if spent is None else spent, name="--spent")
    if most <= 0 or not 0 <= gone < most:
        raise BadInput(
            "--budget: above 0, and --spent at least 0 and below the budget, like --budget 3"
            " --spent 0.5"
        )
    return most, gone


def _dealt(total: Fraction, years: int, scheme: str) -> tuple[Fraction, ...]:
    """Returns the epsilon of each season; 0 where there is no map."""
    every = EVERY[scheme]
    each = iter(shares(total, -(-years // every), scheme))
    return tuple(Fraction(0) if season % every else next(each) for season in range(years))


def _way(
    grid: Grid,
    policy: Policy,
    curve: Curve,
    scheme: str,
    dealt: Sequence[Fraction],
    total: Fraction,
    left: Sequence[float],
) -> Way:
    """Tells every season under one way; `left` is which part of each map's error is left when it
    is read with those before.
    """
    releases = sum(one > 0 for one in dealt)
    command = (
        f"dpmap ledger years.ledger --plan {releases} --total {decimal_text(total)} --scheme"
        f" {scheme}"
    )
    made = [at for at, one in enumerate(dealt, start=1) if one]
    seen = {at: curve.at(float(dealt[at - 1])) for at in made}
    wider = float(1 / least_last_share(grid))
    off = [part * seen[at].cell_error for part, at in zip(left, made, strict=True)]
    rows = [_season(grid, policy, dealt[:at], seen, wider, off) for at in range(1, len(dealt) + 1)]
    return Way(scheme, releases, tuple(rows), command)


def _season(
    grid: Grid,
    policy: Policy,
    dealt: Sequence[Fraction],
    seen: dict[int, Seen],
    wider: float,
    stack: Sequence[float],
) -> SeasonPlanned:
    """Tells one season, the last of those dealt; `seen` is what each season's own map tells,
    `stack` each map's error together with those before.
    """
    season = len(dealt)
    epsilon = dealt[-1]
    made = [at for at in seen if at <= season]
    newest = seen[made[-1]].cell_error
    facts: dict[str, Any] = dict.fromkeys(
        (
            "epsilon",
            "cell_error",
            "detect",
            "change_patch",
            "change_zone",
            "change_whole",
            "trend_zone",
            "trend_whole",
        )
    )
    if epsilon:
        alone = replace(policy, epsilon=epsilon)
        law = LAWS[alone.noise](alone.scale * alone.lattice)
        detect = law.detectable(TOLD) / alone.lattice * wider
        facts |= {"epsilon": decimal_text(epsilon), "cell_error": newest, "detect": detect}
    if epsilon and len(made) > 1:
        first, second = (seen[at] for at in made[-2:])
        facts["change_patch"] = change_in_patch(first, second, grid.cells_inside)
        facts["change_zone"], facts["change_whole"] = (
            change_in_zone(first, second),
            change_of_whole(first, second),
        )
    if len(made) > 1:
        maps = [seen[at] for at in made]
        facts["trend_zone"], facts["trend_whole"] = (
            trend_within(maps, made, zones) for zones in (ZONES, 1)
        )
    return SeasonPlanned(season=season, stack_error=stack[len(made) - 1], **facts)
