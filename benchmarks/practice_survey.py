"""Three surveys on which today's practice and dpmap are compared: invented people, invented sites, public check-ins.

A survey is rows with a unit each (who is protected: a person, or a site) and a place in metres. Its land is cut into cells; a
square is what practice publishes counts of, 10 km in each survey. All of the first two is invented, from a fixed seed.
"""

import numpy as np
import pyproj
from public_data import load_check_ins
from scipy.ndimage import distance_transform_edt, gaussian_filter

import dpmap as dm

SQUARE_METRES = 10_000
WEST, SOUTH, WIDTH, HEIGHT = 3_000_000, 2_100_000, 240_000, 160_000
"""The invented land lies on no real one that matters: latitudes near 41 degrees, as in most of Europe's surveys."""
BOUNDS = (WEST, SOUTH, WEST + WIDTH, SOUTH + HEIGHT)
CELL_METRES = 2_500
PEOPLE, SITES, WATCHERS = 1_500, 1_500, 40
LONE_METRES = 8_500
"""No other row lies so near to the place of somebody who watches it alone, nor to a lone site."""


class PracticeSurvey:
    """Rows of units with their places, the grid of a map of them, and what each row counts under dpmap's cap."""

    def __init__(self, name, unit, x, y, bounds, grid, cap, levels):
        west, south, east, north = bounds
        inside = (x > west) & (x < east) & (y > south) & (y < north)
        self.name, self.grid, self.cap, self.levels = name, grid, cap, levels
        self.unit = np.unique(unit[inside], return_inverse=True)[1]
        self.x, self.y = x[inside], y[inside]
        self.units = self.unit.max() + 1
        self.cell_metres = (east - west) / grid.shape[1]
        self.per_square = round(SQUARE_METRES / self.cell_metres)
        row = ((north - self.y) / self.cell_metres).astype(int)
        column = ((self.x - west) / self.cell_metres).astype(int)
        self.cell = row * grid.shape[1] + column
        self.square = self.blocks(self.per_square)[self.cell]
        self.squares = self.square_count(self.per_square)
        rows_of_unit = np.bincount(self.unit)
        self.points = np.minimum(1, cap / rows_of_unit)[self.unit]
        at_row, at_column = np.divmod(np.arange(grid.size), grid.shape[1])
        self.cell_x = west + (at_column + 0.5) * self.cell_metres
        self.cell_y = north - (at_row + 0.5) * self.cell_metres
        to_degrees = pyproj.Transformer.from_crs(grid.crs, "EPSG:4326", always_xy=True)
        self.degrees = np.array(to_degrees.transform(self.x, self.y))
        self.cell_degrees = np.array(to_degrees.transform(self.cell_x, self.cell_y))
        self.order = np.argsort(self.unit, kind="stable")
        self.starts = np.append(0, np.cumsum(rows_of_unit))

    def blocks(self, side):
        """Return the number of the block of so many cells to a side in which each cell lies."""
        rows, columns = self.grid.shape
        row, column = np.divmod(np.arange(rows * columns), columns)
        return row // side * -(-columns // side) + column // side

    def square_count(self, side):
        """Return how many blocks of so many cells to a side there are."""
        rows, columns = self.grid.shape
        return -(-rows // side) * -(-columns // side)

    def rows_of(self, unit):
        """Return the rows of one unit."""
        return self.order[self.starts[unit] : self.starts[unit + 1]]

    def everything(self):
        """Return a mask that keeps all rows."""
        return np.ones(len(self.unit), dtype=bool)

    def without(self, unit):
        """Return a mask that keeps all rows but those of one unit."""
        rows = self.everything()
        rows[self.rows_of(unit)] = False
        return rows

    def counts(self, rows, weight=None):
        """Return the total of each cell, of the rows that a mask keeps."""
        weight = None if weight is None else weight[rows]
        return np.bincount(self.cell[rows], weight, self.grid.size).astype(float)

    def homes(self):
        """Return the square in which each unit has most of its rows."""
        pairs, rows = np.unique(self.unit * self.squares + self.square, return_counts=True)
        unit, square = np.divmod(pairs, self.squares)
        best = np.lexsort((rows, unit))
        last = np.append(unit[best][1:] != unit[best][:-1], True)
        return square[best][last]


def _land(dice, towns, roads):
    """Return densities on a fine raster: of where people live, along roads, and of what is wild."""
    shape = HEIGHT // 1000, WIDTH // 1000
    lived, along = np.full(shape, 3e-5), np.zeros(shape)
    middles = dice.random((towns, 2)) * shape
    sizes = dice.pareto(1.1, towns) + 0.3
    y, x = np.mgrid[: shape[0], : shape[1]]
    for (north, east), size in zip(middles, sizes, strict=True):
        spread = 1.5 + 1.5 * np.sqrt(size)
        distance = (y - north) ** 2 + (x - east) ** 2
        lived += size / spread**2 * np.exp(-distance / 2 / spread**2)
    for start, end in dice.integers(0, towns, (roads, 2)):
        length = int(np.hypot(*(middles[start] - middles[end]))) * 2 + 2
        line = np.linspace(middles[start], middles[end], length)
        line += np.cumsum(dice.normal(0, 0.15, line.shape), axis=0)
        row, column = np.clip(line.astype(int), 0, np.array(shape) - 1).T
        along[row, column] += 1
    wild = np.exp(1.4 * _standardised(gaussian_filter(dice.normal(size=shape), 7)))
    return lived / lived.sum(), gaussian_filter(along, 1) / along.sum(), wild / wild.sum()


def _lone_places(dice, x, y, number):
    """Return up to so many places that lie far from all others and from one another."""
    taken = np.zeros((HEIGHT // 1000, WIDTH // 1000), dtype=bool)
    taken[
        ((SOUTH + HEIGHT - y) / 1000).astype(int).clip(0, 159),
        ((x - WEST) / 1000).astype(int).clip(0, 239),
    ] = True
    places = []
    while len(places) < number:
        free = np.argwhere(distance_transform_edt(~taken) * 1000 > LONE_METRES + 1_000)
        if not len(free):
            break
        row, column = free[dice.integers(len(free))]
        taken[row, column] = True
        places.append(
            (
                WEST + column * 1000 + dice.random() * 1000,
                SOUTH + HEIGHT - row * 1000 - dice.random() * 1000,
            )
        )
    return np.array(places).T


def _standardised(surface):
    return (surface - surface.mean()) / surface.std()


def _draw(dice, density, number):
    """Return places drawn from a density, even within each of its places."""
    row, column = np.divmod(
        dice.choice(density.size, number, p=(density / density.sum()).ravel()), density.shape[1]
    )
    x = WEST + (column + dice.random(number)) * 1000
    y = SOUTH + HEIGHT - (row + dice.random(number)) * 1000
    return x, y


def _invented(name, unit, x, y, cap):
    """Return a survey of the invented land."""
    shape = (HEIGHT // CELL_METRES, WIDTH // CELL_METRES)
    grid = dm.Grid(bounds=BOUNDS, shape=shape, crs="EPSG:3035")
    return PracticeSurvey(name, unit, x, y, BOUNDS, grid, cap, (1, 2, 4, 8, 16, 32))


def people(seed=43):
    """Volunteers around towns and roads: half have three sightings or fewer, a few over a thousand; some watch one lone place each."""
    dice = np.random.default_rng(seed)
    lived, along, wild = _land(dice, 26, 40)
    home_x, home_y = _draw(dice, 0.7 * lived + 0.25 * along + 0.05 * wild * lived, PEOPLE)
    activity = np.minimum(1 + (dice.pareto(0.85, PEOPLE) * 2).astype(int), 1_800)
    reach = np.exp(dice.normal(np.log(4_000), 0.7, PEOPLE)).clip(500, 6_000)
    unit = np.repeat(np.arange(PEOPLE), activity)
    x = home_x[unit] + dice.normal(0, 1, len(unit)) * reach[unit]
    y = home_y[unit] + dice.normal(0, 1, len(unit)) * reach[unit]
    far = dice.random(len(unit)) < 0.01
    x[far], y[far] = _draw(dice, wild * (lived + along), far.sum())
    lone_x, lone_y = _lone_places(dice, x, y, WATCHERS)
    watcher = np.repeat(np.arange(len(lone_x)), dice.integers(20, 61, len(lone_x)))
    x = np.append(x, lone_x[watcher] + dice.normal(0, 200, len(watcher)))
    y = np.append(y, lone_y[watcher] + dice.normal(0, 200, len(watcher)))
    return _invented("people", np.append(unit, PEOPLE + watcher), x, y, 5)


def sites(seed=44):
    """Nests where land is wild, in loose clusters, and some alone; each is one row, as stewards publish them."""
    dice = np.random.default_rng(seed)
    lived, _, wild = _land(dice, 26, 40)
    x, y = _draw(dice, wild**1.3 / (lived + 0.05 * lived.max()), SITES)
    lone_x, lone_y = _lone_places(dice, x, y, WATCHERS)
    x, y = np.append(x, lone_x), np.append(y, lone_y)
    return _invented("sites", np.arange(len(x)), x, y, 1)


def check_ins():
    """The public check-ins by user of New York, in the middle 40 by 40 km, cells of 500 m."""
    table = load_check_ins()
    to_metres = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:32618", always_xy=True)
    x, y = to_metres.transform(table.x.to_numpy(), table.y.to_numpy())
    bounds = (567_000, 4_485_000, 607_000, 4_525_000)
    grid = dm.Grid(bounds=bounds, shape=(80, 80), crs="EPSG:32618")
    return PracticeSurvey(
        "check-ins", table.user.to_numpy(), x, y, bounds, grid, 20, (1, 5, 10, 20, 40, 80)
    )


SURVEYS = {"people": people, "sites": sites, "check-ins": check_ins}
