"""Invented densities on which nothing was tuned, to try what was chosen on `shapes.py`: each a function of a grid's shape."""

from functools import partial

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter


def rough(shape, seed, slope, height):
    """Land whose densities differ by powers, smoothly or roughly."""
    random = np.random.RandomState(seed)
    north, east = (
        np.fft.fftfreq(shape[0])[:, None] * shape[0],
        np.fft.fftfreq(shape[1])[None, :] * shape[1],
    )
    frequency = np.hypot(north, east) / 64
    frequency[0, 0] = 1
    surface = np.fft.ifft2(np.fft.fft2(random.randn(*shape)) / frequency**slope).real
    return np.exp(height * (surface - surface.mean()) / surface.std())


def villages(shape, seed):
    """A hundred and twenty places, the second half as full as the first, and so on."""
    random, density = np.random.RandomState(seed), np.zeros(shape)
    for rank in range(1, 120):
        density[random.randint(shape[0]), random.randint(shape[1])] += rank**-1.1
    return gaussian_filter(density, 0.7) + 1e-5


def tracks(shape, seed):
    """Twelve winding paths."""
    random, density = np.random.RandomState(seed), np.full(shape, 1e-4)
    for _ in range(12):
        place, heading = random.uniform(0, 1, 2) * shape, random.uniform(0, 2 * np.pi)
        for _ in range(150):
            heading += random.normal(0, 0.25)
            place = (place + [np.sin(heading), np.cos(heading)]) % shape
            density[int(place[0]) % shape[0], int(place[1]) % shape[1]] += 1
    return gaussian_filter(density, 0.5)


def fjords(shape):
    """A rough shore, dense at the water."""
    land = rough(shape, 7, 1.6, 1) > 1
    return np.where(land, 1 / (1 + distance_transform_edt(land)), 0)


def city(shape):
    """One city, and land around it."""
    random = np.random.RandomState(9)
    y, x = np.mgrid[: shape[0], : shape[1]]
    middle = shape[0] * random.uniform(0.3, 0.7), shape[1] * random.uniform(0.3, 0.7)
    return 40 * np.exp(-np.hypot(y - middle[0], x - middle[1]) / 3) + 0.3 * rough(
        shape, 10, 1.2, 0.8
    )


def ring(shape):
    """A ring, as around a lake."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    away = np.hypot(y - shape[0] / 2, x - shape[1] / 2) - 0.3 * shape[0]
    return np.exp(-((away / 1.5) ** 2)) + 0.01


def slope(shape):
    """Land that is denser the further east."""
    return np.broadcast_to((np.arange(shape[1]) / shape[1]) ** 2 + 0.02, shape)


UNSEEN = {
    **{f"rough {seed}": partial(rough, seed=seed, slope=power, height=height)
       for seed, power, height in ((101, 0.8, 1.2), (102, 1.3, 1.8), (103, 2.0, 1.0))},
    **{f"villages {seed}": partial(villages, seed=seed) for seed in (101, 102, 103)},
    **{f"tracks {seed}": partial(tracks, seed=seed) for seed in (101, 102, 103)},
    "fjords": fjords, "city": city, "ring": ring, "slope": slope,
}  # fmt: skip
GROUNDS = (((40, 90), 1_500, "1"), ((56, 50), 8_000, "0.5"), ((80, 80), 40_000, "0.25"))
"""Rows and columns, points and epsilon: other sizes and promises than those that were tuned on."""


def cases():
    """Name, density and promise of each."""
    for shape, points, epsilon in GROUNDS:
        for name, density in UNSEEN.items():
            yield f"{name}, {shape[0]} x {shape[1]}", density(shape), points, epsilon
