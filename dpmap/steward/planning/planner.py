"""Plans one release: noise, error and choices, worked out from public numbers only."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap import strategies
from dpmap.errors import BadInput, WrongType
from dpmap.grid import Grid
from dpmap.grid.crs import CrsLike
from dpmap.grid.squares import Squares
from dpmap.grid.study_area import Shapes
from dpmap.noise.distributions import LAWS, Law
from dpmap.numbers import NumberLike, decimal_text, exact
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.promise.tiers import split_policy
from dpmap.steward.planning import cost, goals, landscapes, official, predicted_map, report
from dpmap.steward.planning.results import (
    ANY,
    LANDS,
    ZONE_KM2,
    CellSizeOption,
    Expected,
    Figures,
    Goal,
    NoiseFigures,
    PredictedMap,
    Preview,
    Promised,
    Reader,
    ZoneGoal,
    describe_cells,
)
from dpmap.steward.planning.zone_goals import LANDS as LANDS_OF_ZONES
from dpmap.steward.simulation import rehearse
from dpmap.strategies.adaptive import least_last_share

if TYPE_CHECKING:
    import pandas as pd

    from dpmap.steward.planning.zone_goals import ZoneGoals

Values = NDArray[np.float64]
LEVELS = (0.5, 0.9, 0.95)
ENOUGH = 0.5
"""A cell size is recommended when at least this share of the points lies in cells that are
places of their own.
"""
SIZES = tuple(m * 10**e for e in range(1, 6) for m in (1, 2, 5))
FINEST = 250_000
COARSEST = 12
MOST_UNITS = 10**8
MANY = 65_536
"""On larger grids the table of cell sizes is over the shapes that are drawn, not the whole
library.
"""
FACTORS = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
TOLERANCE = 0.06
FEWEST = 6
MOST = 160
MOST_CELLS = 2_000_000
"""A shape is rehearsed until the standard error of its expected error is within `TOLERANCE`: at
least `FEWEST` times, and at most `MOST` times or until `MOST_CELLS` cells were drawn (then twice at
least).
"""


class Plan(Figures):
    """What a release with this grid and policy is worth, made by `dm.plan`: to print, draw and
    read.

    >>> grid = Grid(bounds=(0, 0, 8_000, 8_000), shape=(4, 4), crs="EPSG:3857")
    >>> worth = plan(grid, Policy(epsilon=1, unit="who", cap=5), units=300)
    >>> round(worth.noise.cell["90"], 2)
    11.51
    >>> worth.draw("plan.html")
    """

    def to_frame(self, what: str = "expected") -> "pd.DataFrame":
        """Returns one of the plan's tables as a DataFrame of pandas.

        - `what`: `"expected"`, the errors expected of each strategy; `"promise"`, the ranges
          promised; `"shown"`, the maps they are over; or `"options"`, the table of cell sizes and
          epsilons.

        >>> grid = Grid(bounds=(0, 0, 8_000, 8_000), shape=(4, 4), crs="EPSG:3857")
        >>> plan(grid, Policy(epsilon=1, unit="who", cap=5), units=300).to_frame(
        ...     "options"
        ... ).columns.tolist()[:4]
        ['cell', 'cells', 'epsilon', 'half_width']
        """
        from pandas import DataFrame

        tables: dict[str, tuple[Any, ...]] = {
            "expected": self.expected,
            "promise": self.promise,
            "shown": self.shown,
            "options": self.options,
        }
        if what not in tables:
            raise BadInput('to_frame: "expected", "promise", "shown" or "options"')
        return DataFrame([asdict(row) for row in tables[what]])

    def draw(self, path: "str | os.PathLike[str]") -> None:
        """Writes the plan as a page (.html) that fetches nothing, or as a picture (.png, .svg,
        .pdf), by the suffix of `path`.
        """
        report.write(self, path)

    def __repr__(self) -> str:
        return (
            f"<Plan: {self.grid.cells_inside:,} cells of {self.grid.cell_text}, epsilon "
            f"{decimal_text(self.policy.epsilon)}, cap {self.policy.cap}: 90 % of cells within "
            f"{self.noise.cell['90']:.4g} points>"
        )

    def _repr_html_(self) -> str:
        return report.body(self)


def plan(
    where: Grid | Shapes,
    policy: Policy,
    *,
    units: int = 1000,
    each: NumberLike | None = None,
    like: "str | os.PathLike[str] | None" = None,
    grid: str | None = None,
    crs: CrsLike | None = None,
    layer: str | None = None,
    name: str | None = None,
    tiers: Mapping[str, NumberLike] | None = None,
    wanted: goals.Goals | None = None,
    find: bool = False,
    budget: NumberLike | None = None,
    spent: NumberLike | None = None,
) -> Plan:
    """Plans what a map will be worth before anything is spent; it touches no data.

    - `where`: a grid, or an area (as for `Grid.covering`), for which a cell size is then chosen;
      `layer` and `name` say which polygons of its file, `crs` which national grid.
    - `grid`: the official grid to lay over that area, such as `"eea-10km"`: the other sizes in the
      plan are then those that its publisher has.
    - `policy`: the promise; its `unit` may be any name.
    - `units`, `each`: how large a survey is expected: so many contributors, each adding that many
      points once capped (half-way between 1 and the cap unless said). They are a public guess; do
      not read them off the survey.
    - `like`: a public raster to rehearse on instead of the invented shapes.
    - `tiers`: the readers of one draw, as for `release`: the plan is that of the noisiest, and
      `readers` says beside it what each one's map will show.
    - `wanted`: a `Goals`, the errors that can be borne: the plan says of each whether it is kept.
      With `find=True` it is the plan of the least epsilon that keeps all of them, whatever the
      policy's own is.
    - `budget`, `spent`: a ledger's budget and what of it is spent; the plan says how many more such
      releases that allows.

    Returns a `Plan`, which prints, draws and makes tables of itself. Raises `BadInput` where a
    number is none that can be meant.

    >>> grid = Grid(bounds=(0, 0, 20_000, 20_000), shape=(20, 20), crs="EPSG:3857")
    >>> plan(grid, Policy(epsilon=1, unit="who", cap=5), units=300)
    <Plan: 400 cells of 1 km, epsilon 1, cap 5: 90 % of cells within 11.51 points>
    """
    if not isinstance(policy, Policy):
        raise WrongType("plan: give a dm.Grid (or an area) and a dm.Policy, in this order")
    check_units(units)
    promises = {} if tiers is None else split_policy(policy, tiers)
    refuse_unproven((*policy.tools, *(["tiers"] if promises else [])))
    dearest = policy
    policy = next(iter(promises.values()), policy)
    share_each = points_each(policy, each)
    total = units * float(share_each) * float(policy.sample or 1)
    area = None if isinstance(where, Grid) else where
    where = where.ground if isinstance(where, Grid) else _asked_area(where, grid, layer, name)
    densities = _densities(like)
    aims = _Aims(wanted or goals.Goals(), densities, total, find=find)
    if promises and aims.goals.given:
        raise BadInput(
            "plan: tiers have an epsilon each; leave out --error, --tail, --detect and --zones"
        )
    if find:
        dearest = policy = aims.found(policy, where)
    amounts = cost.read_budget(budget, spent)
    left = None if amounts is None else amounts[0] - amounts[1]
    grids, known = _candidates(where, area, grid, crs, layer, name)
    table = [_options(one, policy, densities, total, cells) for cells, one in grids.items()]
    best, advice = _recommended(table, total, official=bool(known))
    laid = where if isinstance(where, Grid) else list(grids.values())[best]
    marked = [
        [replace(row, chosen=i == best and j == _MIDDLE) for j, row in enumerate(rows)]
        for i, rows in enumerate(table)
    ]
    maps, promise, drawn = _promised(laid, policy, densities, total, public=like is not None)
    few = densities if like is not None else {name: densities[name] for name in landscapes.SHAPES}
    expected, previews = _rehearsed(laid, policy, few, total, drawn)
    readers = _readers(laid, promises, promise, densities, total, public=like is not None)
    share = (
        least_last_share(laid, several=len(promises) > 1) if policy.delta is None else Fraction(1)
    )
    return Plan(
        laid,
        policy,
        units,
        float(share_each),
        _noise(laid, policy),
        tuple(maps),
        promise,
        tuple(expected),
        tuple(row for rows in marked for row in rows),
        advice,
        tuple(previews),
        _other_noise(policy),
        readers,
        *aims.judged(policy, laid, share),
        cost.odds(dearest, tiers=bool(promises)),
        () if promises else cost.choices(policy, float(1 / share), left),
        cost.years(dearest.epsilon, budget, spent, aims.needed(policy, share, left)),
        float(1 / share),
        known,
    )


def check_units(units: object) -> None:
    """Refuses a number of contributors that cannot be meant."""
    if isinstance(units, bool) or not isinstance(units, int) or not 1 <= units <= MOST_UNITS:
        raise BadInput(
            "units: a whole number of expected contributors from 1 to 100000000, like --units 500"
        )


def points_each(policy: Policy, each: object) -> Fraction:
    """Returns how many points each contributor is expected to add: half-way between 1 and the
    cap unless said.
    """
    expected = Fraction(1 + policy.cap, 2) if each is None else exact(each, name="each")
    if not 0 < expected <= policy.cap:
        raise BadInput(
            "each: the points a unit is expected to add lie above 0 and not above the cap, like"
            " --each 2"
        )
    return expected


def _asked_area(where: Any, grid: str | None, layer: str | None, name: str | None) -> Any:
    """Returns the area as it is, or the official grid that is asked for over it."""
    return where if grid is None else Grid.official(where, grid=grid, layer=layer, name=name)


def _candidates(
    where: Any, area: Any, grid: str | None, crs: Any, layer: str | None, name: str | None
) -> tuple[dict[str, Grid], str]:
    """Returns the grids to compare by what their cells are called, fine to coarse, and the name of
    the official one among them that was asked for.

    Beside an official grid stand those that its publisher has, and no size of which no cell has a
    code.
    """
    if not isinstance(where, Grid):
        return {one.cell_text: one for one in _covering(where, crs, layer, name)}, ""
    known = official.alternatives(where, grid, 2 * FINEST, area, layer=layer, only=name)
    if known:
        return known, next(words for words, one in known.items() if one is where)
    return {one.cell_text: one for one in _alternatives(where)}, ""


Densities = dict[str, Callable[[Grid], Values]]


class _Aims:
    """Holds what is wanted of a plan to the points that it expects: spread as in the public raster,
    if there is one, else evenly, and on uneven land too.
    """

    def __init__(
        self, wanted: goals.Goals, densities: Densities, total: float, *, find: bool
    ) -> None:
        self.goals = wanted
        self._total = total
        self._find = find
        names = [name for name in LANDS_OF_ZONES if name in densities] or densities
        self._lands = {name: densities[name] for name in names}
        self._zoned: ZoneGoals | None = None
        self._rows: tuple[ZoneGoal, ...] = ()

    def found(self, policy: Policy, where: Any) -> Policy:
        """Returns the policy at the least epsilon that keeps all that is wanted."""
        if self.goals.zones is not None and not isinstance(where, Grid):
            raise BadInput(
                'plan: which epsilon zones need hangs on the cells; add --cell "1 km" (or --grid,'
                " --by-area), or --epsilon"
            )
        if isinstance(where, Grid):
            self._lay(where)
        epsilon, self._rows = goals.find_policy(policy, self.goals, self._zoned)
        return epsilon

    def judged(
        self, policy: Policy, grid: Grid, last_share: Fraction
    ) -> tuple[tuple[Goal, ...], tuple[ZoneGoal, ...]]:
        """Says of each goal whether the policy keeps it, and what is told of each zone."""
        self._lay(grid)
        if self._zoned is not None and not self._rows:
            self._rows = self._zoned.rehearse(policy)
        goals_judged = goals.judge_goals(
            policy, self.goals, self._zoned, self._rows, sought=self._find, last_share=last_share
        )
        return goals_judged, self._rows

    def needed(self, policy: Policy, last_share: Fraction, left: Fraction | None) -> str:
        """Says how much epsilon is needed, how much is left of the budget and what that keeps;
        nothing where it is enough, or where epsilon was not sought.
        """
        if not self._find or left is None or policy.epsilon <= left:
            return ""
        words = (
            f"What was asked for needs epsilon {decimal_text(policy.epsilon)}, and"
            f" {decimal_text(left)} is left of the budget"
        )
        if left < cost.LEAST:
            return f"{words}."
        affordable = replace(policy, epsilon=left)
        rows = () if self._zoned is None else self._zoned.rehearse(affordable)
        judged = goals.judge_goals(
            affordable, self.goals, self._zoned, rows, sought=False, last_share=last_share
        )
        goal_words = "; ".join(
            goal.words[0].lower() + goal.words[1:].rstrip(".") for goal in judged
        )
        return f"{words}; with all of that, {goal_words}."

    def _lay(self, grid: Grid) -> None:
        if self._zoned is None and self.goals.zones is not None:
            self._zoned = self.goals.laid(
                grid, {name: land(grid) for name, land in self._lands.items()}, self._total
            )


_MIDDLE = FACTORS.index(Fraction(1))


def _densities(like: "str | os.PathLike[str] | None") -> Densities:
    """Returns for each shape's name the share of each in-area cell."""
    if like is None:
        return {name: partial(landscapes.invent, name) for name in landscapes.LIBRARY}
    return {
        os.path.splitext(os.path.basename(os.fspath(like)))[0] or "raster": partial(
            landscapes.like, like
        )
    }


def _promised(
    grid: Grid, policy: Policy, densities: Densities, total: float, *, public: bool
) -> tuple[list[PredictedMap], tuple[Promised, ...], dict[str, Values]]:
    """Rehearses what the default picture shows, and promises ranges: about a public raster, or
    over all invented shapes.
    """
    if public:
        ((name, density),) = densities.items()
        maps, drawn = predicted_map.like(name, density, grid, policy, total)
        return maps, predicted_map.promised_like(maps, grid), drawn
    maps, drawn = predicted_map.library(grid, policy, total)
    return maps, predicted_map.promised_ranges(maps, grid), drawn


def _readers(
    grid: Grid,
    promises: Mapping[str, Policy],
    noisiest: Sequence[Promised],
    densities: Densities,
    total: float,
    *,
    public: bool,
) -> tuple[Reader, ...]:
    """Rehearses what each tier's map shows; the noisiest one's is as promised already."""
    if not promises:
        return ()
    runs = predicted_map.RASTER_RUNS[0] if public else 1
    maps = predicted_map.tiers(densities, grid, list(promises.values()), total, runs)
    ranges = predicted_map.promised_like if public else predicted_map.promised_ranges
    promised = [noisiest, *(ranges(shown, grid) for shown in maps[1:])]
    return tuple(
        Reader(
            name,
            decimal_text(policy.epsilon),
            _noise(grid, policy).cell["90"],
            tuple(row for row in rows if row.land not in LANDS or row.land == ANY),
        )
        for (name, policy), rows in zip(promises.items(), promised, strict=True)
    )


def _noise(grid: Grid, policy: Policy) -> NoiseFigures:
    """Works out the noise: by the exact law for a cell, by the law of sums for a zone of cells
    of mean size.
    """
    lattice = policy.lattice
    law = _law(policy)
    one = float(grid.square_km[grid.inside].mean())
    ground = max(ZONE_KM2, one)
    cell = {f"{level * 100:g}": law.two_sided(level) / lattice for level in LEVELS}
    cells = round(ground / one)
    zone = {
        key: law.of_sum(float(key) / 100, cells) / lattice if cells > 1 else cell[key]
        for key in cell
    }
    detectable = law.detectable(0.9) / lattice
    return NoiseFigures(
        float(policy.scale), law.deviation / lattice, cell, ground, zone, detectable
    )


def _law(policy: Policy) -> Law:
    """Returns the law of the noise if all is spent at once."""
    return LAWS[policy.noise](policy.scale * policy.lattice)


USUAL_DELTA = Fraction(1, 10**6)


def _other_noise(policy: Policy) -> str:
    """Both mechanisms' noise, and from which cap on the Gaussian one is the smaller; nothing where
    it cannot be had, or is neither asked for nor the smaller.

    Laplace noise grows as the cap and Gaussian noise as its root, so they meet once: at cap =
    variance of Laplace noise over that of Gaussian noise, both at cap 1, turned upside down.
    """
    if (
        policy.sample
        or policy.site
        or policy.unit == "row"
        or policy.cap_choice
        or LIMITERS[policy.limiter].length is None
    ):
        return ""
    gaussian = policy if policy.delta is not None else replace(policy, delta=USUAL_DELTA)
    laplace = replace(gaussian, delta=None, units=None)
    errors = [_law(one).deviation / one.lattice for one in (laplace, gaussian)]
    ones = [_law(replace(one, cap=1)).deviation / one.lattice for one in (laplace, gaussian)]
    even = math.ceil((ones[1] / ones[0]) ** 2)
    if policy.delta is None and policy.cap < even:
        return ""
    delta = decimal_text(gaussian.delta or USUAL_DELTA)
    smaller = "Gaussian" if errors[1] < errors[0] else "Laplace"
    return (
        f"At cap {policy.cap} the standard error of a cell measured by itself is {errors[0]:.3g}"
        f" points with Laplace noise, and {errors[1]:.3g} with Gaussian noise (--delta {delta}"
        f" --strategy flat): {smaller} noise is the smaller. At this epsilon and delta Gaussian"
        f" noise is so from a cap of {even} on, if units really touch about so many cells."
    )


def _options(
    grid: Grid, policy: Policy, densities: Densities, total: float, cells: str = ""
) -> list[CellSizeOption]:
    """Lists one grid at several epsilons around the policy's; its `cells` are called by their
    size unless they have a name.
    """
    few = grid.cells_inside > MANY and len(densities) > 1
    shares = [
        density(grid) for name, density in densities.items() if not few or name in landscapes.SHAPES
    ]
    lies = np.array(
        [landscapes.gathered_share(share, grid.square_km[grid.inside]) for share in shares]
    )
    alike = {
        land: (lies >= least) & (lies < most)
        for land, (least, most) in LANDS.items()
        if land != ANY
    }
    rows = []
    for factor in FACTORS:
        at = replace(policy, epsilon=policy.epsilon * factor)
        law = _law(at)
        width = law.two_sided(0.9) / at.lattice
        single = np.array([predicted_map.single(share, total, width) for share in shares])
        lands = {
            land: float(np.median(single[these]))
            for land, these in alike.items()
            if these.any() and len(shares) > 1
        }
        epsilon = (
            decimal_text(at.epsilon)
            if len(decimal_text(at.epsilon)) < 10
            else f"{float(at.epsilon):.4g}"
        )
        detectable = law.detectable(0.9) / at.lattice
        rows.append(
            CellSizeOption(
                cells or grid.cell_text,
                grid.cells_inside,
                epsilon,
                width,
                detectable,
                float(np.median(single)),
                lands,
            )
        )
    return rows


def _recommended(
    table: list[list[CellSizeOption]], total: float, *, official: bool
) -> tuple[int, str]:
    """Returns the finest cells of which half of the points are seen one by one at the policy's
    epsilon, and why; else the coarsest.
    """
    middle_rows = [rows[_MIDDLE] for rows in table]
    enough = [i for i, row in enumerate(middle_rows) if row.single >= ENOUGH]
    expected = f"{total:,.0f} points, spread as in the shapes rehearsed"
    if enough:
        best = max(enough, key=lambda i: middle_rows[i].cells)
        row = middle_rows[best]
        lands = "".join(f", {share:.0%} where they lie {land}" for land, share in row.lands.items())
        called = f"the official grid {row.cell}" if official else describe_cells(row.cell)
        finer = (
            ""
            if official and best == 0
            else "Finer cells can be had; most would be joined into larger places."
        )
        reason = (
            f"Recommended: {called}, the finest here at which half of {expected}, or more, would be"
            f" seen cell by cell ({row.single:.0%} in the middle one of the shapes{lands}; epsilon"
            f" {row.epsilon}). {finer}"
        )
        return best, reason.rstrip().replace("%", " %")
    best = max(
        range(len(middle_rows)), key=lambda i: (middle_rows[i].single, -middle_rows[i].cells)
    )
    row = middle_rows[best]
    size = "size of this official grid" if official else "cell size here"
    short = (
        f"No {size} shows half of {expected}, cell by cell: with {describe_cells(row.cell)},"
        f" {row.single:.0%} would be, and the others in larger places. "
    )
    return (
        best,
        short.replace("%", " %") + "Raise epsilon, lower the cap, or map a larger unit of ground.",
    )


def _rehearsed(
    grid: Grid, policy: Policy, densities: Densities, total: float, drawn: dict[str, Values]
) -> tuple[list[Expected], list[Preview]]:
    """Rehearses each strategy on each shape several times: the same session on public numbers as
    `simulate`.
    """
    expected = []
    previews = []
    for name, density in densities.items():
        truth = landscapes.points(density(grid), total, name)
        counts = landscapes.spread(grid, truth)
        maps = {}
        for strategy in strategies.STRATEGIES if policy.delta is None else ("flat",):
            again = partial(rehearse, counts, grid, policy, strategy=strategy)
            figures, maps[strategy] = _repeated(again, truth, grid)
            expected.append(Expected(name, strategy, *figures))
        maps[predicted_map.strategy(policy)] = (
            drawn[name] if name in drawn else predicted_map.draw_predicted(counts, grid, policy)
        )
        previews.append(Preview(name, landscapes.spread(grid, truth, np.nan), maps))
    return expected, previews


def _repeated(
    again: Callable[[], Values], truth: Values, grid: Grid
) -> tuple[tuple[float, float, float, int], Values]:
    """Returns the means of what `_errors` finds, how many rehearsals they took, and the first
    map.
    """
    most = int(np.clip(MOST_CELLS // grid.cells_inside, 2, MOST))
    first = again()
    errors = [_errors(truth, first[grid.inside])]
    while len(errors) < most:
        error = np.array(errors)[:, 0]
        sure = (
            np.std(error, ddof=1) <= TOLERANCE * error.mean() * math.sqrt(len(error))
            if len(error) > 1
            else False
        )
        if sure and len(errors) >= FEWEST:
            break
        errors.append(_errors(truth, again()[grid.inside]))
    cell, within, overlap = (float(mean) for mean in np.mean(errors, axis=0))
    return (cell, within, overlap, len(errors)), np.where(grid.inside, first, np.nan)


def _errors(truth: Values, estimate: Values) -> tuple[float, float, float]:
    """Returns the mean absolute error per cell, the error that nine in ten cells stay within,
    and the overlap.
    """
    off = np.abs(estimate - truth)
    return float(off.mean()), float(np.quantile(off, 0.9)), overlap(truth, estimate)


def overlap(truth: Values, estimate: Values) -> float:
    """Returns the share of the map that lies where it should."""
    whole = max(float(truth.sum()), 1e-9)
    estimated = float(estimate.sum())
    return float(np.minimum(truth / whole, estimate / estimated).sum()) if estimated > 0 else 0.0


def _covering(area: Any, crs: Any, layer: str | None, name: str | None) -> list[Grid]:
    """Makes grids of round cell sizes over an area, fine to coarse, of a dozen to a quarter of a
    million cells.
    """
    covering = partial(Grid.covering, area, crs=crs, layer=layer, name=name)
    coarse = covering(cell=f"{SIZES[-1]} m")
    square_m = _ground(area, layer, name, coarse)
    sizes = [size for size in SIZES if COARSEST <= square_m / size**2 <= FINEST]
    grids = [covering(cell=f"{size} m") for size in sizes or SIZES[:1]]
    return [grid for grid in grids if grid.cells_inside <= 2 * FINEST] or [coarse]


def _ground(area: Any, layer: str | None, name: str | None, coarse: Grid) -> float:
    """Returns about the area's own size in square metres."""
    import shapely

    from dpmap.grid import crs as crs_tools
    from dpmap.grid.study_area import read_shapes

    shapes, source, _ = read_shapes(area, layer=layer, name=name)
    moved = crs_tools.transform_shapes(shapes, source, coarse.crs)
    return float(shapely.area(shapely.union_all(moved))) * crs_tools.unit_metres(coarse.crs) ** 2


def _alternatives(grid: Grid) -> list[Grid]:
    """Returns the grid itself and, if its cells are squares, two finer and two coarser ones over
    the same ground.
    """
    if not isinstance(grid.cells, Squares):
        return [grid]
    others = (
        [_finer(grid, grid.cells, k) for k in (4, 2)]
        + [grid]
        + [_coarser(grid, grid.cells, k) for k in (2, 4)]
    )
    return [other for other in others if other is not None]


def _finer(grid: Grid, cells: Squares, k: int) -> Grid | None:
    rows, columns = cells.shape
    if grid.size * k * k > 2 * FINEST:
        return None
    mask = None if grid.mask is None else np.repeat(np.repeat(grid.mask, k, axis=0), k, axis=1)
    return Grid(cells=Squares(cells.bounds, (rows * k, columns * k)), crs=grid.crs, mask=mask)


def _coarser(grid: Grid, cells: Squares, k: int) -> Grid | None:
    """Joins k x k cells from the south-west corner; a block is in the area when any of its cells
    is.
    """
    rows, columns = (-(-side // k) for side in cells.shape)
    if rows * columns < 2:
        return None
    west, south, _, _ = cells.bounds
    width, height = cells.cell
    bounds = (west, south, west + columns * k * width, south + rows * k * height)
    padded = np.zeros((rows * k, columns * k), dtype=bool)
    padded[-cells.shape[0] :, : cells.shape[1]] = grid.inside
    mask = np.asarray(padded.reshape(rows, k, columns, k).any(axis=(1, 3)))
    return Grid(cells=Squares(bounds, (rows, columns)), crs=grid.crs, mask=mask)
