"""Invented densities to measure maps on: each a 128 x 128 array that adds up to 1, the same in every run.

They span what land looks like (clusters, a river, a coast, roads, one village, rough land, even land), what tables
look like (stripes, steps, a diagonal, round numbers, a heavy corner or column, isolated heavy cells), and where few cells
hold most of a map (a roost, a haul-out, waterholes, camera traps, the middles of districts).
"""

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter

SIDE = 128


def _places():
    middle = (np.arange(SIDE) + 0.5) / SIDE
    return np.meshgrid(middle, middle, indexing="ij")


def _rough(seed, slope):
    """A random surface whose ups and downs shrink with their size, of mean 0 and deviation 1."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE)))
    frequency[0, 0] = 1
    noise = np.random.RandomState(seed).randn(SIDE, SIDE)
    surface = np.fft.ifft2(np.fft.fft2(noise) / frequency**slope).real
    return (surface - surface.mean()) / surface.std()


def clusters():
    """Twenty-five towns of very different sizes."""
    random = np.random.RandomState(11)
    y, x = _places()
    density = np.zeros((SIDE, SIDE))
    for _ in range(25):
        north, east = random.rand(2)
        width = np.exp(random.uniform(np.log(0.004), np.log(0.08)))
        weight = random.pareto(1.2) + 0.1
        density += weight / width**2 * np.exp(-((y - north) ** 2 + (x - east) ** 2) / 2 / width**2)
    return density


def river():
    """All along one winding line."""
    fine = np.zeros((4 * SIDE, 4 * SIDE))
    x = np.linspace(0, 1, 4000)
    y = 0.5 + 0.18 * np.sin(5 * x + 1) + 0.07 * np.sin(17 * x) + 0.03 * np.sin(41 * x)
    row, column = (np.clip((along * 4 * SIDE).astype(int), 0, 4 * SIDE - 1) for along in (y, x))
    fine[row, column] += 1 + 2 * np.exp(-(((x - 0.4) / 0.1) ** 2))
    return gaussian_filter(fine, 2).reshape(SIDE, 4, SIDE, 4).sum((1, 3))


def coast():
    """Dense along a rough shore, thin inland, nothing at sea."""
    _, x = _places()
    land = _rough(13, 1.8) + 3 * (x - 0.45) > 0
    inland = distance_transform_edt(land)
    return np.where(land, np.exp(-inland / 4) + 0.03, 0) * np.exp(0.8 * _rough(14, 1.2))


def roads():
    """Towns and the straight roads between some of them."""
    random = np.random.RandomState(15)
    towns, weights = random.rand(9, 2) * SIDE, random.pareto(1, 9) + 0.3
    y, x = np.mgrid[:SIDE, :SIDE]
    density = np.zeros((SIDE, SIDE))
    for (north, east), weight in zip(towns, weights, strict=True):
        density += weight * 20 * np.exp(-((y - north) ** 2 + (x - east) ** 2) / 18) / 9
    for i in range(9):
        for j in range(i):
            if random.rand() < 0.4:
                for part in np.linspace(0, 1, 600):
                    place = towns[i] * (1 - part) + towns[j] * part
                    density[int(place[0]), int(place[1])] += 0.05
    return density


def village():
    """One small place and nothing else."""
    y, x = _places()
    return np.exp(-((y - 0.31) ** 2 + (x - 0.67) ** 2) / 2 / 0.012**2)


def uniform():
    """The same everywhere."""
    return np.ones((SIDE, SIDE))


def two_cells():
    """Everything in two cells."""
    density = np.zeros((SIDE, SIDE))
    density[21, 90], density[101, 35] = 0.7, 0.3
    return density


def spikes():
    """One cell in fifty occupied, with heavy tails and no neighbourhoods."""
    random = np.random.RandomState(16)
    return np.where(random.rand(SIDE, SIDE) < 0.02, random.pareto(0.8, (SIDE, SIDE)), 0)


def sixty_cells():
    """Sixty cells, each lighter than the one before."""
    density = np.zeros((SIDE, SIDE))
    density.flat[np.random.RandomState(26).permutation(SIDE**2)[:60]] = 1 / np.arange(1, 61) ** 1.1
    return density


def stripes():
    """A table with a few common columns and round numbers favoured down the rows."""
    random = np.random.RandomState(17)
    across = np.where(
        random.rand(SIDE) < 0.12, random.pareto(1, SIDE) + 0.2, 0.002 * random.rand(SIDE)
    )
    rows = np.arange(SIDE)
    down = np.exp(-rows / 25.0) * (1 + 8 * (rows % 10 == 0))
    return np.outer(down, across) * np.exp(0.4 * random.randn(SIDE, SIDE))


def steps():
    """A table with most rows in one corner and some far columns."""
    across = np.zeros(SIDE)
    across[0], across[1:40] = 20, 1 / np.arange(1, 40)
    across[[50, 60, 75, 99, 127]] = [1, 0.5, 0.4, 0.3, 2]
    density = np.outer(np.exp(-np.arange(SIDE) / 12.0), across) + 1e-6
    density[0, 0] *= 5
    return density


def diagonal():
    """Two columns that nearly say the same."""
    y, x = _places()
    return np.exp(-(((y - x) / 0.02) ** 2) / 2) * np.exp(
        -(((x - 0.35) / 0.25) ** 2) / 2
    ) + 0.002 * np.exp(-3 * x)


def rough():
    """Land with ups and downs at every size."""
    return np.exp(2.2 * _rough(19, 1.3))


def ledger():
    """A table of two amounts that are mostly nothing: one corner, two edges, nothing else."""
    random = np.random.RandomState(41)
    density = np.zeros((SIDE, SIDE))
    density[0, 0] = 0.85
    density[random.permutation(np.arange(1, SIDE))[:40], 0] = 0.1 * random.dirichlet(
        np.full(40, 0.3)
    )
    density[0, random.permutation(np.arange(1, SIDE))[:25]] = 0.05 * random.dirichlet(
        np.full(25, 0.3)
    )
    return density


def round_numbers():
    """A table of two amounts that people round: to twenties, to tens, to fives, seldom not at all."""
    amount = np.arange(SIDE)
    favoured = np.select([amount % 20 == 0, amount % 10 == 0, amount % 5 == 0], [30, 8, 2], 0.05)
    return np.outer(favoured * np.exp(-amount / 30), favoured * amount * np.exp(-amount / 18))


def hubs():
    """Heavy cells scattered over thin, uneven land."""
    random = np.random.RandomState(43)
    land = np.exp(1.5 * _rough(44, 1.2))
    land /= land.sum()
    places, heavy = (
        random.choice(SIDE**2, 150, replace=False, p=land.ravel()),
        random.pareto(0.9, 150),
    )
    density = 0.4 * land
    density.flat[places] += 0.6 * heavy / heavy.sum()
    return density


def one_column():
    """A table in which one value is most common: a heavy line with steps, and little off it."""
    random = np.random.RandomState(45)
    density = np.outer(np.exp(-np.arange(SIDE) / 20), random.dirichlet(np.full(SIDE, 0.2)))
    density *= 0.2 / density.sum()
    density[:, 37] += 0.8 * random.dirichlet(np.full(SIDE, 0.25))
    return density


def galaxies():
    """Tight groups of heavy cells, most cells between them empty."""
    random = np.random.RandomState(46)
    density = np.zeros((SIDE, SIDE))
    for _ in range(12):
        middle, cells = random.rand(2) * SIDE, random.randint(5, 60)
        weight = random.pareto(1, cells) * random.pareto(1)
        row, column = (
            np.clip(middle + 2 * random.standard_t(2, (cells, 2)), 0, SIDE - 1).astype(int).T
        )
        np.add.at(density, (row, column), weight)
    return density


def roost():
    """One roost that holds two thirds of all, its birds scattered thinly over uneven land."""
    land = np.exp(1.2 * _rough(51, 1.2))
    density = land / 3 / land.sum()
    density[83, 46] += 2 / 3
    return density


def haul_out():
    """Seals on a few rocks of a rough shore, many on each, and a few of them at sea."""
    random = np.random.RandomState(52)
    _, x = _places()
    land = _rough(53, 1.8) + 3 * (x - 0.5) > 0
    at_sea = distance_transform_edt(~land)
    density = np.where(land, 0, np.exp(-at_sea / 3))
    density *= 0.05 / density.sum()
    rocks = random.choice(np.flatnonzero(at_sea == 1), 14, replace=False)
    density.flat[rocks] += 0.95 * random.dirichlet(np.full(14, 0.6))
    return density


def waterholes():
    """Ten waterholes in a desert, much alike, with what walks up to them in the cells around."""
    random = np.random.RandomState(54)
    y, x = np.mgrid[:SIDE, :SIDE]
    density = np.zeros((SIDE, SIDE))
    for north, east in random.randint(4, SIDE - 4, (10, 2)):
        density += random.uniform(0.5, 1.5) * 9.0 ** -np.hypot(y - north, x - east)
    return density


def cameras():
    """Camera traps on a loose grid: a few see much, most see little, and nothing is seen between them."""
    random = np.random.RandomState(55)
    density = np.zeros((SIDE, SIDE))
    for north in range(5, SIDE - 4, 11):
        for east in range(5, SIDE - 4, 11):
            down, right = random.randint(-3, 4, 2)
            density[north + down, east + right] = random.pareto(0.7)
    return density


def centroids():
    """Records on uneven land, half of them placed at the middles of their districts for want of a better place."""
    random = np.random.RandomState(56)
    land = np.exp(1.5 * _rough(57, 1.4))
    land /= land.sum()
    middles = random.randint(0, SIDE, (40, 2))
    y, x = np.mgrid[:SIDE, :SIDE]
    nearest = np.hypot(y[..., None] - middles[:, 0], x[..., None] - middles[:, 1]).argmin(-1)
    density = land / 2
    np.add.at(density, tuple(middles.T), np.bincount(nearest.ravel(), land.ravel(), 40) / 2)
    return density


SHAPES = {
    shape.__name__: lambda shape=shape: shape() / shape().sum()
    for shape in (clusters, river, coast, roads, village, uniform, two_cells, spikes)
    + (
        sixty_cells,
        stripes,
        steps,
        diagonal,
        rough,
        ledger,
        round_numbers,
        hubs,
        one_column,
        galaxies,
    )
    + (roost, haul_out, waterholes, cameras, centroids)
}
