"""Records built by hand from public numbers, with noise from a seed: what is shown, exported and stated of them."""

from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256

import numpy as np
import shapely

from dpmap.grid import Grid, Partition
from dpmap.maps import infer
from dpmap.promise.policy import Policy
from dpmap.record import About, Measurement, Receipt, Record

LAND = shapely.Polygon([(-2.4, 40.2), (-1.9, 40.9), (-1.2, 41.0), (-1.0, 40.5), (-1.5, 40.1)])
NAMES = (
    "=cmd|'/c calc'!A0",
    "@SUM(A1)",
    "-Óbidos & <script>alert(1)</script>",
    'São $x^2$ "quoted"',
    "ᓄᓇᕗᑦ",
    "plain",
)


def districts():
    import geopandas as gpd

    boxes = [shapely.box(x, y, x + 0.5, y + 0.4) for x in (-2.4, -1.9, -1.4) for y in (40.1, 40.5)]
    boxes[0] = shapely.difference(boxes[0], shapely.Point(-2.15, 40.3).buffer(0.1))
    return gpd.GeoDataFrame({"name": list(NAMES)}, geometry=boxes, crs="EPSG:4326").to_crs(
        "EPSG:25830"
    )


GRIDS = {
    "squares lon/lat": lambda: Grid(bounds=(-2.5, 40, -1, 41), shape=(20, 30), crs="EPSG:4326"),
    "squares projected masked": lambda: Grid.covering(LAND, cell="5 km"),
    "squares web mercator": lambda: Grid.covering(LAND, cell="5 km", crs="EPSG:3857"),
    "hexagons": lambda: Grid.hexagons(LAND, resolution=6),
    "areas": lambda: Grid.areas(districts()),
    "1 cell": lambda: Grid(bounds=(-2, 40, -1.9, 40.1), shape=(1, 1), crs="EPSG:4326"),
    "all zero": lambda: Grid.covering(LAND, cell="10 km"),
    "negative noise": lambda: Grid.covering(LAND, cell="10 km"),
    "blocks": lambda: Grid.covering(LAND, cell="5 km", crs="EPSG:25830"),
}
CASES = tuple(GRIDS)
SQUARES = tuple(case for case in CASES if case not in ("hexagons", "areas"))


def hill(grid):
    """Public totals with one peak."""
    middle = shapely.centroid(grid.polygons())
    x, y = shapely.get_x(middle), shapely.get_y(middle)
    reach = max(np.ptp(x), np.ptp(y), 1e-9) * 0.15
    at = len(x) // 3
    return np.floor(300 * np.exp(-((x - x[at]) ** 2 + (y - y[at]) ** 2) / (2 * reach**2)))


def promise(**changed):
    """A plain promise, or what is changed of it."""
    return Policy(
        **{"epsilon": "0.5", "unit": "observer_id", "cap": 2, "consent": "consent=yes", **changed}
    )


def receipt(dataset="Raptor survey 2026", **changed):
    """What a ledger gives for a release of this data set."""
    plain = dict(
        release_id=sha256(dataset.encode()).hexdigest()[:16],
        head="cd" * 32,
        event=3,
        budget=Fraction(3),
        spent=Fraction(1),
    )
    return Receipt(dataset=dataset, **{**plain, **changed})


def measured(partition, totals, policy, noise=0.0, share=Fraction(1)):
    """One noisy answer: these totals of the regions and this noise, on the policy's lattice."""
    values = np.broadcast_to(totals, partition.regions) + noise
    steps = np.rint(values * policy.lattice).astype(np.int64)
    told = dict(lattice=policy.lattice, epsilon=policy.epsilon * share, kind=policy.noise)
    return Measurement(partition, steps, scale=policy.scale / share, **told)


def record(grid, policy, measurements, dataset="Raptor survey 2026", notes=None, **changed):
    """A record of these answers, with every other part of a release filled in."""
    plain = dict(
        grid=grid, policy=policy, strategy="flat", measurements=tuple(measurements), receipt=receipt(dataset),
        released_on="2026-11-21", versions={"dpmap": "0.1.0"}, about=About.from_mapping(notes or {}),
    )  # fmt: skip
    return Record(**{**plain, **changed})


def told_of(
    grid,
    totals=None,
    *,
    noise=None,
    dataset="Raptor survey 2026",
    consent="consent=yes",
    blocks=False,
    **notes,
):
    """A record and its estimate."""
    policy = promise(consent=consent)
    cells = Partition.cells(grid)
    totals = np.zeros(cells.regions) if totals is None else np.asarray(totals, dtype=float)
    if noise is None:
        noise = np.random.default_rng(7).laplace(0, float(policy.scale), cells.regions)
    measurements = []
    if blocks:
        rows = np.arange(grid.shape[0])[:, None] // 4
        labels = np.where(grid.inside, rows * 100 + np.arange(grid.shape[1]) // 4, -1)
        known, labels = np.unique(labels, return_inverse=True)
        coarse = Partition(labels.reshape(grid.shape) - 1)
        measurements.append(
            measured(coarse, coarse.sums(cells.spread(totals, 0)), policy, 0.5, Fraction(1, 4))
        )
    measurements.append(
        measured(cells, totals, policy, noise, Fraction(3, 4) if blocks else Fraction(1))
    )
    return record(grid, policy, measurements, dataset, notes), infer(grid, tuple(measurements))


@cache
def case(name):
    """The record and estimate of a case."""
    grid = GRIDS[name]()
    if name == "all zero":
        return told_of(grid, noise=0.0)
    if name == "negative noise":
        return told_of(grid, noise=-25.0)
    return told_of(grid, hill(grid), blocks=name == "blocks")


@lru_cache(maxsize=1)
def million():
    """A thousand by a thousand cells."""
    grid = Grid(
        bounds=(400_000, 4_400_000, 500_000, 4_500_000), shape=(1000, 1000), crs="EPSG:25830"
    )
    row, column = np.indices(grid.shape)
    totals = np.floor(400 * np.exp(-((row - 300) ** 2 + (column - 600) ** 2) / (2 * 80**2))).ravel()
    return told_of(grid, totals)
