"""Make the sample data in this folder. Everything in it is invented: people, birds, nests, sites and borders.

Run `python data_samples/make_samples.py`; it rewrites every data file beside it, the same bytes each time.
Lengths are metres in the CRS of the region at hand unless a name says otherwise.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import shapely
from numpy.random import Generator, default_rng
from numpy.typing import ArrayLike, NDArray
from pyproj import Transformer
from shapely.geometry.base import BaseGeometry

HERE = Path(__file__).parent
SEED = 417
LONLAT = "EPSG:4326"
UTM = "EPSG:25830"  # ETRS89 / UTM zone 30N: raptors, in the highlands of inland Spain
ALBERS = "EPSG:9473"  # GDA2020 / Australian Albers: sacred sites, inland Australia
TIMESTAMP = (
    "2026-10-01T00:00:00.000Z"  # written into the GeoPackages instead of the time of the run
)

Array = NDArray[np.float64]
Lines = list[Array]  # each a polyline: one (x, y) a row
Drawing = list[list[tuple[float, float]]]


# --- The raptor region: kilometres from its south-west corner ---------------------------------------------------

RAPTOR_ORIGIN = (550_000.0, 4_445_000.0)
RAPTOR_SIZE = (120_000.0, 90_000.0)

RIDGES_KM: Drawing = [
    [(6, 67), (22, 66), (38, 61), (56, 56), (72, 48), (88, 42), (112, 36)],
    [(44, 82), (58, 78), (74, 73), (90, 70), (106, 62)],
    [(10, 26), (24, 31), (38, 28), (52, 19), (60, 9)],
    [(38, 61), (33, 52), (31, 46)],
    [(72, 48), (66, 40)],
    [(74, 73), (79, 64)],
]
RIVERS_KM: Drawing = [
    [(2, 46), (18, 44), (34, 40), (50, 36), (66, 30), (84, 24), (100, 19), (117, 12)],
    [(24, 78), (42, 71), (58, 66), (76, 59), (94, 53), (117, 50)],
    [(52, 26), (58, 30), (63, 31)],
    [(84, 24), (80, 12), (76, 3)],
]
TOWNS = [
    "Almenara Vieja",
    "Puente Sardo",
    "Cabrilla",
    "Torrelosa",
    "Fuenteclara",
    "Belmirra",
    "Sanzuela",
    "Las Erizas",
    "Ojos de Tamo",
    "Villamielga",
    "Ribalzar",
    "Peñarrubla",
    "Aldealuz",
    "El Colmenil",
    "Oncejos",
    "Tres Lomas",
    "Mirabuena",
    "Casas de Lumia",
]
TOWNS_KM = [  # x, y, inhabitants
    (51, 36.5, 31_000), (85, 23, 12_500), (18, 45, 7_400), (76, 60, 6_200), (42, 71.5, 4_100), (104, 19, 3_300),
    (96, 54, 2_600), (34, 41, 2_100), (66, 31, 1_900), (80, 12, 1_700), (24, 19, 1_500), (60, 67, 1_200),
    (44, 13, 900), (108, 46, 800), (9, 56, 700), (90, 78, 500), (26, 57, 400), (70, 53, 300),
]  # fmt: skip
LOOKOUTS_KM = [
    (56, 55),
    (41, 60),
    (88, 43.5),
    (78, 71),
    (37, 28),
    (69, 29.5),
]  # hides and hermitages everyone visits
ROADS = [  # between towns, by their place in the list above
    (2, 7), (7, 0), (0, 8), (8, 1), (1, 5), (1, 9), (4, 11), (11, 3), (3, 6), (6, 13), (0, 17), (17, 3), (7, 16),
    (16, 4), (0, 12), (12, 10), (10, 2), (2, 14), (3, 15), (5, 13), (9, 12),
]  # fmt: skip

# --- The sacred-sites region: kilometres from its south-west corner ---------------------------------------------

SACRED_ORIGIN = (880_000.0, -2_960_000.0)
SACRED_SIZE = (160_000.0, 115_000.0)

CREEKS_KM: Drawing = [
    [(6, 84), (28, 80), (48, 70), (70, 62), (92, 48), (112, 40), (134, 22), (152, 12)],
    [(36, 110), (44, 94), (48, 70)],
    [(96, 106), (100, 88), (94, 68), (92, 48)],
    [(12, 34), (36, 40), (58, 34), (80, 38), (112, 40)],
    [(150, 78), (136, 60), (126, 44), (112, 40)],
]
RANGES_KM: Drawing = [
    [(16, 58), (32, 60), (50, 54)],
    [(108, 78), (122, 84), (140, 92)],
    [(64, 12), (84, 20), (100, 16)],
]


# --- Words ------------------------------------------------------------------------------------------------------

DISTRICTS = [
    "Altamerga", "Barrancal Bajo", "Brumedal", "Campolirio", "Cerrovenal", "Collado Tordo", "Dehesa Lunar",
    "Espinarda", "Fontelobra", "Hoz de Merla", "Llano Verdín", "Montecárabo", "Navacorzal", "Ombraleda",
    "Pedrarrisca", "Peñazulema", "Quintalobre", "Riomielga", "Sotobrunal", "Torremirla", "Umbriales",
    "Valderráspano", "Vegarrota", "Zarzamedia",
]  # fmt: skip
FIRST = [
    "Inés", "Jorge", "Lucía", "Mateo", "Aitana", "Raúl", "Elena", "Tomás", "Noa", "Andrés", "Pilar", "Íñigo",
    "Marta", "Óscar", "Carmen", "Hugo", "Sofía", "Rubén", "Clara", "Félix", "Irene", "Nuria", "Pau", "Greta",
    "Owen", "Hanna", "Lars", "Maeve", "Teun", "Julie",
]  # fmt: skip
LAST = [
    "Robledal", "Montesquivel", "Zarcero", "Albarranza", "Peñalosilla", "Corzuela", "Vadillano", "Tejedor Luz",
    "Arribalza", "Moraleño", "Quejigar", "Sabinosa", "Hontanal", "Cierzo", "Olmedrán", "Pinarés", "Marquesín",
    "Bardenal", "Ibarrondo", "Lacuesta", "Valdearce", "Escarpín", "Nogaledo", "Fresnal", "Brandwood", "Tarnfell",
    "Vliethof", "Åsheim",
]  # fmt: skip
HANDLE_A = [
    "ridge",
    "cierzo",
    "alas",
    "buitre",
    "monte",
    "talon",
    "risco",
    "cumbre",
    "thermal",
    "feather",
    "vega",
]
HANDLE_B = [
    "walker",
    "watcher",
    "libre",
    "_birds",
    "eye",
    "_norte",
    "runner",
    "spotter",
    "andante",
    "_field",
]
PLACEHOLDERS = ["NONE", "unknown", "Unknown", "n/a", "NO DISPONIBLE", "-"]
BEHAVIOURS = [
    "soaring",
    "perched",
    "hunting",
    "calling",
    "display",
    "carrying prey",
    "in flight",
    "",
]
BEHAVIOUR_ODDS = [0.27, 0.17, 0.12, 0.07, 0.06, 0.03, 0.16, 0.12]
AT_NEST = ["on nest", "feeding young", "alarm calling", "carrying stick", "perched"]
NOTES = [
    "juvenile", "pair", "distant view", "mobbed by crows", "ring on left leg, not read", "low over the road",
    "strong wind, brief view", "seen from the hermitage", 'local farmer calls it "la brasa"', "with vultures",
    "rain; poor light", "wing tag, white", "photo taken", "same bird as yesterday?", "gone after 5 min",
]  # fmt: skip


# --- Shapes -----------------------------------------------------------------------------------------------------


def to_metres(lines_km: Drawing, origin: tuple[float, float], rng: Generator) -> Lines:
    """Hand-drawn polylines, moved to their place and roughened as real ridges and rivers are."""
    return [roughen(np.array(line, float) * 1000 + origin, rng) for line in lines_km]


def roughen(line: Array, rng: Generator, times: int = 5, strength: float = 0.11) -> Array:
    """Split every stretch at a displaced midpoint, again and again."""
    for _ in range(times):
        start, step = line[:-1], np.diff(line, axis=0)
        across = np.column_stack([-step[:, 1], step[:, 0]])
        middle = start + step / 2 + across * rng.normal(0, strength, (len(step), 1))
        line = np.concatenate([np.stack([start, middle], 1).reshape(-1, 2), line[-1:]])
    return line


def branch(lines: Lines, every: float, length: float, rng: Generator) -> Lines:
    """Side branches: spurs of ridges, tributaries of rivers; on either side, at slanting angles."""
    sides = []
    for line in lines:
        whole = shapely.linestrings(line)
        for at in np.arange(every / 2, whole.length, every) + rng.uniform(-0.4, 0.4) * every:
            a, b = shapely.get_coordinates(shapely.line_interpolate_point(whole, [at, at + 1500]))
            angle = np.arctan2(*(b - a)[::-1]) + rng.choice([-1, 1]) * rng.uniform(0.6, 1.5)
            reach = length * rng.lognormal(0, 0.45)
            sides.append(
                roughen(
                    np.array([a, a + reach * np.array([np.cos(angle), np.sin(angle)])]),
                    rng,
                    4,
                    0.14,
                )
            )
    return sides


def waves(rng: Generator, lengths: tuple[float, ...]) -> Callable[[Array], Array]:
    """A smooth random displacement of the plane, with one part for each wavelength."""
    lengths_m = np.repeat(lengths, 3)
    angle, phase = rng.uniform(0, 2 * np.pi, (2, 2, len(lengths_m)))
    direction = np.stack([np.cos(angle), np.sin(angle)], -1) * (2 * np.pi / lengths_m[:, None])

    def displace(xy: Array) -> Array:
        shifts = [np.sin(xy @ direction[i].T + phase[i]) @ (lengths_m * 0.042) for i in range(2)]
        return np.asarray(xy + np.column_stack(shifts))

    return displace


def patchwork(
    origin: tuple[float, float], size: tuple[float, float], parts: int, rng: Generator
) -> NDArray[np.object_]:
    """`parts` polygons with irregular borders that share every border vertex, together one irregular area.

    A fine mesh is cut to a warped oval, each mesh cell goes to the nearest of `parts` seeds in warped space, and the
    cells of a seed are merged; borders are simplified together, so no gap or overlap can appear.
    """
    spacing = 1100.0
    grid = (
        np.stack(np.meshgrid(*(np.arange(-0.2 * s, 1.2 * s, spacing) for s in size)), -1).reshape(
            -1, 2
        )
        + origin
    )
    points = shapely.multipoints(grid + rng.uniform(-0.45, 0.45, grid.shape) * spacing)
    mesh = shapely.get_parts(shapely.voronoi_polygons(points))
    warped = waves(rng, (60_000, 24_000, 9_000))(shapely.get_coordinates(shapely.centroid(mesh)))
    oval = np.abs((warped - origin) / size * 2 - 1) * 1.06
    inside = (oval**2.3).sum(1) < 1
    mesh, warped = mesh[inside], warped[inside]
    distance = np.hypot(*(warped[:, None] - spread(warped, parts, rng)).transpose(2, 0, 1))
    simple = shapely.coverage_simplify(merge(mesh, distance), 900.0)
    return np.asarray(shapely.normalize(shapely.transform(simple, np.rint)))


def merge(mesh: NDArray[np.object_], distance: Array) -> NDArray[np.object_]:
    """One polygon a seed: each mesh cell goes to its nearest seed, cells cut off from the rest of it to the next."""
    distance = distance.copy()
    while True:
        owner = distance.argmin(axis=1)
        merged = [
            shapely.coverage_union_all(mesh[owner == seed]) for seed in range(distance.shape[1])
        ]
        largest = [max(shapely.get_parts(shape), key=shapely.area) for shape in merged]
        cut_off = ~shapely.contains(np.array(largest)[owner], shapely.point_on_surface(mesh))
        if not cut_off.any():
            return np.array(largest)
        distance[cut_off, owner[cut_off]] = np.inf


def spread(points: Array, n: int, rng: Generator) -> Array:
    """Centres of n clusters of the points: random starts, evened out by a few rounds of k-means."""
    centres = points[rng.choice(len(points), n, replace=False)]
    for _ in range(6):
        nearest = np.argmin(np.hypot(*(points[:, None] - centres).transpose(2, 0, 1)), axis=1)
        centres = np.array([points[nearest == i].mean(0) for i in range(n)])
    return centres


def along(lines: Lines, n: int, scatter: float, rng: Generator) -> Array:
    """n points near the lines: uniform along them, scattered across."""
    multi = shapely.linestrings(
        np.concatenate(lines), indices=np.repeat(range(len(lines)), [len(a) for a in lines])
    )
    ends = np.cumsum(shapely.length(multi))
    where = rng.uniform(0, ends[-1], n)
    line = np.searchsorted(ends, where)
    on = shapely.get_coordinates(shapely.line_interpolate_point(multi[line], ends[line] - where))
    return np.asarray(on + rng.normal(0, scatter, (n, 2)))


def within(xy: Array, area: BaseGeometry) -> NDArray[np.bool_]:
    return np.asarray(shapely.contains_xy(area, xy))


def thin(xy: Array, distance: float, n: int) -> Array:
    """The first n points that keep a distance from those before them."""
    kept: list[Array] = []
    for point in xy:
        if all(np.hypot(*(point - other)) >= distance for other in kept):
            kept.append(point)
        if len(kept) == n:
            break
    return np.array(kept)


def heavy_tailed(total: int, units: int, shift: float, power: float) -> NDArray[np.int64]:
    """Whole numbers >= 1 that add up to the total, falling with rank as the counts of volunteers do."""
    rank = np.arange(1, units + 1) + shift
    share = rank**-power - rank[-1] ** -power
    counts = 1 + np.rint(share / share.sum() * (total - units)).astype(np.int64)
    counts[0] += total - counts.sum()
    return np.asarray(counts)


def pick(
    words: list[str], n: int, rng: Generator, odds: list[float] | None = None
) -> NDArray[np.object_]:
    return np.array(words, dtype=object)[rng.choice(len(words), n, p=odds)]


def days(first: str, last: str, n: int, rng: Generator) -> pd.DatetimeIndex:
    """Days in the field: more in spring, more at weekends."""
    calendar = pd.date_range(first, last)
    season = 0.25 + np.exp(-(((calendar.day_of_year.to_numpy() - 135) / 55) ** 2))
    odds = season * np.where(calendar.day_of_week >= 5, 2.3, 1.0)
    return calendar[rng.choice(len(calendar), n, p=odds / odds.sum())]


# --- Raptors ----------------------------------------------------------------------------------------------------


@dataclass
class Landscape:
    """What draws birds and people: all of it public scenery, of which towns, roads and rivers are written to a file."""

    area: BaseGeometry
    ridges: Lines
    rivers: Lines
    roads: Lines
    paths: Lines
    lookouts: Array
    towns: Array
    inhabitants: Array


def make_landscape(area: BaseGeometry, rng: Generator) -> Landscape:
    towns = np.array(TOWNS_KM, float)
    places = towns[:, :2] * 1000 + RAPTOR_ORIGIN
    mains = to_metres(RIDGES_KM, RAPTOR_ORIGIN, rng)
    ridges = mains + branch(mains, 5500, 5000, rng)
    rivers = to_metres(RIVERS_KM, RAPTOR_ORIGIN, rng)
    lookouts = np.array(LOOKOUTS_KM) * 1000 + RAPTOR_ORIGIN
    roads = [roughen(places[[a, b]], rng, strength=0.08) for a, b in ROADS]
    crest = np.concatenate(ridges)
    tops = [
        crest[np.argsort(np.hypot(*(crest - town).T))[k]] for town in places for k in (0, 60, 200)
    ]
    paths = [
        roughen(np.array([town, top]), rng, 6)
        for town, top in zip(np.repeat(places, 3, 0), tops, strict=True)
    ]
    return Landscape(area, ridges, rivers, roads, paths, lookouts, places, towns[:, 2])


def make_nests(land: Landscape, rng: Generator) -> gpd.GeoDataFrame:
    """Nests on the crags: along ridges and in the gorges, with territories between them."""
    near = np.repeat(land.lookouts, 60, 0) + rng.normal(0, 2600, (60 * len(land.lookouts), 2))
    sites = np.concatenate(
        [along(land.ridges, 2500, 1200, rng), along(land.rivers, 350, 900, rng), near]
    )
    sites = sites[within(sites, shapely.buffer(land.area, -400))]
    xy = thin(rng.permutation(sites), 850, 240)
    status = ["occupied", "unoccupied", "lost", "unknown"]
    frame = pd.DataFrame(
        {
            "nest_id": [f"N{i:03d}" for i in range(1, len(xy) + 1)],
            "status": pick(status, len(xy), rng, [0.62, 0.22, 0.06, 0.10]),
            "first_year": 2026 - np.minimum(32, rng.geometric(0.09, len(xy)) - 1),
        }
    )
    return gpd.GeoDataFrame(frame, geometry=gpd.points_from_xy(*xy.T), crs=UTM)


@dataclass
class Spots:
    """Places where birds are seen: where, how far birds scatter around, how much they attract people, which nest."""

    xy: Array
    scatter: Array
    appeal: Array
    nest: NDArray[np.int64]  # -1: none


def make_spots(land: Landscape, nests: gpd.GeoDataFrame, rng: Generator) -> Spots:
    homes = np.repeat(land.towns, np.maximum(4, land.inhabitants / 250).astype(int), 0)
    used = np.flatnonzero(nests["status"].isin(["occupied", "unknown"]))
    at_nests = shapely.get_coordinates(nests.geometry.array)[used]
    hides = np.repeat(land.lookouts, 14, 0) + rng.normal(0, 1400, (14 * len(land.lookouts), 2))
    west, south, east, north = land.area.bounds
    kinds = [  # points, scatter of birds, appeal
        (hides, 450, 20.0),
        (rng.uniform((west, south), (east, north), (1100, 2)), 700, 0.45),
        (along(land.ridges, 1100, 500, rng), 700, 1.1),
        (along(land.paths, 800, 200, rng), 320, 1.3),
        (along(land.roads, 550, 300, rng), 300, 0.7),
        (along(land.rivers, 260, 250, rng), 300, 0.8),
        (homes + rng.normal(0, 1900, homes.shape), 450, 0.7),
        (at_nests, 330, 2.8),
    ]
    xy = np.concatenate([points for points, _, _ in kinds])
    scatter, appeal = (
        np.repeat([float(k[i]) for k in kinds], [len(k[0]) for k in kinds]) for i in (1, 2)
    )
    nest = np.concatenate([np.full(len(xy) - len(used), -1), used])
    appeal = appeal * rng.lognormal(0, 0.9, len(xy))
    keep = within(xy, land.area)
    return Spots(xy[keep], scatter[keep], appeal[keep], nest[keep])


def make_names(n: int, rng: Generator) -> list[str]:
    """n different people, as survey apps write them: full names, initials, handles, volunteer numbers."""
    names: dict[str, None] = {}
    while len(names) < n:
        first, last = str(rng.choice(FIRST)), str(rng.choice(LAST))
        handle = f"{rng.choice(HANDLE_A)}{rng.choice(HANDLE_B)}{rng.choice(['', str(rng.integers(2, 99))])}"
        forms = [f"{first} {last}", f"{first[0]}. {last}", handle, f"vol-{rng.integers(1000):04d}"]
        names[forms[rng.choice(4, p=[0.5, 0.12, 0.26, 0.12])]] = None
    return list(names)


def visit_spots(
    counts: NDArray[np.int64], land: Landscape, spots: Spots, rng: Generator
) -> NDArray[np.int64]:
    """The spot of every sighting: each volunteer has a home, a reach, and a few favourite spots within it."""
    chosen = []
    odds = land.inhabitants**0.8
    for count in counts:
        home = land.towns[rng.choice(len(odds), p=odds / odds.sum())] + rng.normal(0, 2500, 2)
        reach = rng.lognormal(np.log(9000), 0.7)
        appeal = spots.appeal * np.exp(-np.hypot(*(spots.xy - home).T) / reach) + 1e-9
        favourites = rng.choice(
            len(appeal), 2 + int(2.2 * count**0.6), replace=False, p=appeal / appeal.sum()
        )
        habit = (np.arange(len(favourites)) + 1.5) ** -1.0
        chosen.append(rng.choice(favourites, count, p=habit / habit.sum()))
    return np.concatenate(chosen)


def place_birds(
    spot: NDArray[np.int64], strays: int, land: Landscape, spots: Spots, rng: Generator
) -> Array:
    """Birds around their spots: inside the area, but for some strays just beyond its edge."""
    scatter = spots.scatter[spot] * (
        rng.random(len(spot)) > 0.12
    )  # some people always give the hide's own place
    xy = spots.xy[spot] + rng.normal(0, 1, (len(spot), 2)) * scatter[:, None]
    edge = shapely.distance(shapely.boundary(land.area), shapely.points(spots.xy))[spot]
    stray = np.zeros(len(spot), bool)
    stray[rng.choice(np.flatnonzero(edge < 3500), strays, replace=False)] = True
    scatter = np.where(stray, 2500.0, np.maximum(scatter, 50))
    while (wrong := np.flatnonzero(within(xy, land.area) == stray)).size:
        xy[wrong] = spots.xy[spot[wrong]] + rng.normal(0, 1, (len(wrong), 2)) * scatter[wrong, None]
    return np.asarray(xy)


def name_nests(
    xy: Array, spot: NDArray[np.int64], spots: Spots, nests: gpd.GeoDataFrame, rng: Generator
) -> pd.Series:
    """The nest a sighting belongs to, where the observer wrote it down; never one further away than 1.5 km."""
    places = shapely.get_coordinates(nests.geometry.array)
    distance = np.hypot(*(xy[:, None] - places).transpose(2, 0, 1))
    nearest = np.where(spots.nest[spot] >= 0, spots.nest[spot], distance.argmin(1))
    odds = np.where(spots.nest[spot] >= 0, 0.62, 0.10)
    named = (distance[np.arange(len(xy)), nearest] < 1500) & (rng.random(len(xy)) < odds)
    return pd.Series(np.where(named, nests["nest_id"].to_numpy(object)[nearest], ""))


def write_down(xy: Array, observer: NDArray[np.int64], rng: Generator) -> pd.DataFrame:
    """Longitude and latitude as text: each app keeps 5 or 6 decimals; some rows lack them, some say (0, 0)."""
    lon, lat = Transformer.from_crs(UTM, LONLAT, always_xy=True).transform(*xy.T)
    six = (rng.random(observer.max() + 1) < 0.6)[observer]
    text = [
        [f"{v:.{6 if s else 5}f}" for v, s in zip(axis, six, strict=True)] for axis in (lon, lat)
    ]
    frame = pd.DataFrame({"longitude": text[0], "latitude": text[1]})
    both, one, zero = np.split(rng.choice(len(frame), 270, replace=False), [225, 243])
    frame.loc[both, ["longitude", "latitude"]] = ""
    frame.loc[one[::2], "longitude"] = ""
    frame.loc[one[1::2], "latitude"] = ""
    frame.loc[zero, ["longitude", "latitude"]] = "0.0"
    return frame


def sign(names: list[str], observer: NDArray[np.int64], rng: Generator) -> NDArray[np.object_]:
    """Names as people typed them: mostly one way, at times in another case or spacing, blank, or a placeholder."""
    signed = np.array(names, dtype=object)[observer]
    variants: list[Callable[[str], str]] = [
        str.upper, str.lower, lambda s: s + " ", lambda s: " " + s, lambda s: s.replace(" ", "  "),
        lambda s: unicodedata.normalize("NFD", s), lambda s: s + "\u200b",
    ]  # fmt: skip
    sloppy = rng.choice(60, 16, replace=False)  # some of the busiest people
    for row in np.flatnonzero(np.isin(observer, sloppy) & (rng.random(len(observer)) < 0.06)):
        signed[row] = variants[rng.choice(len(variants))](signed[row])
    blank = rng.random(len(signed))
    blank[np.diff(observer, prepend=-1) != 0] = 1  # nobody loses all rows
    signed[blank < 0.018] = ""
    placeholder = (blank >= 0.018) & (blank < 0.026)
    signed[placeholder] = pick(PLACEHOLDERS, int(placeholder.sum()), rng)
    return signed


def give_consent(observer: NDArray[np.int64], rng: Generator) -> NDArray[np.object_]:
    """Most people agree, some never do, some leave the box empty."""
    people = int(observer.max()) + 1
    refuses = (rng.random(people) < 0.035) & (np.arange(people) >= 8)
    chance = rng.random(len(observer))
    answer = np.select([refuses[observer] | (chance < 0.018), chance < 0.048], ["no", ""], "yes")
    return answer.astype(object)


def state_comfort(observer: NDArray[np.int64]) -> NDArray[np.object_]:
    """How much privacy loss each volunteer allows, as an epsilon; some leave it empty, a few change their minds.

    By numbers of its own, so that the column came into the file without moving any other.
    """
    rng = default_rng(SEED + 1)
    people = int(observer.max()) + 1
    said = pick(["1", "0.5", "0.1", ""], people, rng, [0.62, 0.23, 0.10, 0.05])
    stricter = (rng.random(people) < 0.03)[observer] & (rng.random(len(observer)) < 0.2)
    return np.where(stricter & (said[observer] == "1"), "0.5", said[observer]).astype(object)


def make_raptors(
    land: Landscape, nests: gpd.GeoDataFrame, rng: Generator, rows: int = 20_000
) -> pd.DataFrame:
    resent = 40
    counts = heavy_tailed(rows - resent, 800, shift=3, power=1.3)
    spots = make_spots(land, nests, rng)
    observer = np.repeat(np.arange(len(counts)), counts)
    spot = visit_spots(counts, land, spots, rng)
    xy = place_birds(spot, 260, land, spots, rng)
    n = len(observer)
    nest_id = name_nests(xy, spot, spots, nests, rng)
    frame = pd.DataFrame(
        {"observer_id": sign(make_names(len(counts), rng), observer, rng), "nest_id": nest_id}
    )
    frame = pd.concat([frame, write_down(xy, observer, rng)], axis=1)
    frame["date"] = days("2025-02-01", "2026-09-20", n, rng).strftime("%Y-%m-%d")
    frame["species"] = pick(["Ember Kite", "ember kite", "Ember kite?"], n, rng, [0.95, 0.04, 0.01])
    frame["count"] = np.minimum(9, rng.geometric(0.72, n))
    frame["behaviour"] = np.where(
        nest_id != "", pick(AT_NEST, n, rng), pick(BEHAVIOURS, n, rng, BEHAVIOUR_ODDS)
    )
    frame["consent"] = give_consent(observer, rng)
    frame["comfort"] = state_comfort(observer)
    frame["notes"] = np.where(rng.random(n) < 0.07, pick(NOTES, n, rng), "")
    twice = frame.iloc[
        rng.choice(n, resent, replace=False)
    ]  # sent again by a phone that lost its signal
    frame = pd.concat([frame, twice]).iloc[rng.permutation(rows)].sort_values("date", kind="stable")
    frame.insert(0, "sighting_id", [f"S{i:05d}" for i in range(1, rows + 1)])
    return frame


# --- Sacred sites -----------------------------------------------------------------------------------------------


def make_visits(
    area: BaseGeometry, rng: Generator, sites: int = 1500, visits: int = 6200
) -> gpd.GeoDataFrame:
    """Visits to sites: by water mostly, some in the ranges; a few sites lie just beyond the area."""
    creeks, ranges = (to_metres(lines, SACRED_ORIGIN, rng) for lines in (CREEKS_KM, RANGES_KM))
    creeks = creeks + branch(creeks, 13_000, 11_000, rng)
    camps = along(creeks, 70, 900, rng)
    around = np.repeat(camps, 22, 0) + rng.standard_t(2, (70 * 22, 2)) * 1300
    far = rng.uniform(0, 1, (380, 2)) * SACRED_SIZE + SACRED_ORIGIN
    xy = np.concatenate([around, along(creeks, 900, 900, rng), along(ranges, 500, 2600, rng), far])
    inside = within(xy, area)
    beyond = within(xy, shapely.buffer(area, 5000)) & ~inside
    kept = thin(rng.permutation(xy[inside]), 120, sites - 14), thin(xy[beyond], 120, 14)
    xy = rng.permutation(np.concatenate(kept))
    centres = spread(xy, 9, rng)
    community = np.argmin(np.hypot(*(xy[:, None] - centres).transpose(2, 0, 1)), axis=1)
    site = np.repeat(
        np.arange(sites), heavy_tailed(visits, sites, shift=10, power=1.05)[rng.permutation(sites)]
    )
    where = np.round(xy[site] + rng.normal(0, 6, (visits, 2)), 1)
    frame = pd.DataFrame(
        {
            "site_id": pd.Series([f"site {i + 1:04d}" for i in site], dtype=object),
            "community": [f"community {i + 1}" for i in community[site]],
            "visited_on": days("2019-04-01", "2026-08-31", visits, rng).strftime("%Y-%m-%d"),
            "consent": pick(["yes", "no", ""], visits, rng, [0.91, 0.05, 0.04]),
        }
    )
    frame["consent"] = frame["consent"].replace("", None)
    again = np.flatnonzero(
        np.diff(site, prepend=-1) == 0
    )  # not the first row of a site, so every site stays
    lost, unnamed = np.split(rng.choice(again, 62, replace=False), [40])
    frame.loc[unnamed, "site_id"] = None
    points = shapely.points(where)
    points[lost] = None
    table = gpd.GeoDataFrame(frame, geometry=points, crs=ALBERS)
    table = table.iloc[rng.permutation(visits)].sort_values(
        "visited_on", kind="stable", ignore_index=True
    )
    table.insert(0, "visit_id", [f"V{i:05d}" for i in range(1, visits + 1)])
    return table


# --- Files ------------------------------------------------------------------------------------------------------


def save(frame: gpd.GeoDataFrame, name: str, layer: str, kind: str) -> None:
    path = HERE / name
    path.unlink(missing_ok=True)
    frame.to_file(
        path, layer=layer, driver="GPKG", engine="pyogrio", geometry_type=kind, SPATIAL_INDEX="NO"
    )


def save_landscape(land: Landscape) -> None:
    """Write towns, roads and rivers as a map's public context."""
    towns = gpd.GeoDataFrame(
        {"name": TOWNS, "inhabitants": land.inhabitants.astype(int)},
        geometry=shapely.points(land.towns),
        crs=UTM,
    )
    lines = {"roads": land.roads, "rivers": land.rivers}
    save(towns, "landscape.gpkg", "towns", "Point")
    for layer, parts in lines.items():
        shapes = shapely.simplify([shapely.LineString(part) for part in parts], 150)
        frame = gpd.GeoDataFrame({"number": np.arange(1, len(parts) + 1)}, geometry=shapes, crs=UTM)
        frame.to_file(
            HERE / "landscape.gpkg", layer=layer, driver="GPKG", engine="pyogrio", geometry_type="LineString", SPATIAL_INDEX="NO",
            mode="a",
        )  # fmt: skip


def make_districts(rng: Generator) -> gpd.GeoDataFrame:
    shapes = patchwork(RAPTOR_ORIGIN, RAPTOR_SIZE, len(DISTRICTS), rng)
    x, y = shapely.get_coordinates(shapely.centroid(shapes)).T
    order = np.lexsort(
        [x, -np.round(y / 20_000)]
    )  # numbered as one reads: rows from the north, west to east
    ids = [f"D{i:02d}" for i in range(1, len(shapes) + 1)]
    names = rng.permutation(DISTRICTS)
    return gpd.GeoDataFrame({"district_id": ids, "name": names}, geometry=shapes[order], crs=UTM)


def one_area(shapes: ArrayLike, name: str, crs: str) -> gpd.GeoDataFrame:
    whole = shapely.normalize(shapely.coverage_union_all(shapes))
    return gpd.GeoDataFrame({"name": [name]}, geometry=[whole], crs=crs)


def main() -> None:
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": TIMESTAMP})
    rng = default_rng(SEED)
    districts = make_districts(rng)
    study_area = one_area(districts.geometry.array, "Raptor survey area", UTM)
    land = make_landscape(study_area.geometry[0], rng)
    nests = make_nests(land, rng)
    raptors = make_raptors(land, nests, rng)
    sacred_area = one_area(
        patchwork(SACRED_ORIGIN, SACRED_SIZE, 5, rng), "Sacred sites area", ALBERS
    )
    visits = make_visits(sacred_area.geometry[0], rng)

    raptors.to_csv(HERE / "raptors.csv", index=False, lineterminator="\n", encoding="utf-8")
    nests_lonlat = nests.to_crs(LONLAT)
    nests_lonlat.geometry = shapely.transform(
        nests_lonlat.geometry.array, lambda lonlat: np.round(lonlat, 6)
    )
    save(nests_lonlat, "nests.gpkg", "nests", "Point")
    save(study_area, "study_area.gpkg", "study_area", "Polygon")
    save(districts, "districts.gpkg", "districts", "Polygon")
    save_landscape(land)
    save(visits, "sacred_sites.gpkg", "visits", "Point")
    save(sacred_area, "sacred_area.gpkg", "sacred_area", "Polygon")


if __name__ == "__main__":
    main()
