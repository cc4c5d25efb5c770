"""Writes and runs the notebooks in this folder: `python notebooks/build.py [NUMBER ...]`.

Their text and code live here, so that they can be read and reviewed as plain text. It needs nbformat, nbclient and
ipykernel (the extra `test`).
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent

SETUP = """
import tempfile
from pathlib import Path

import geopandas as gpd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import dpmap as dm

plt.rcParams["figure.dpi"] = 150
data = Path("../data_samples")
folder = Path(tempfile.mkdtemp())  # stands for the steward's own folder
"""

STEWARD = [
    """
# 1. The steward's first map

You hold an export of sightings and work in Python. Planners need to know where the birds are dense. The volunteers must
not be given away. All data here is invented.
""",
    SETUP,
    """
## Open the survey

`dm.read` recognises the file and seals it: it can be released from, and not printed, sliced or pickled by accident.
""",
    """
survey = dm.read(data / "raptors.csv")
print(survey)
try:
    list(survey)
except dm.errors.Refused as refused:
    print("refused:", refused)
""",
    """
## Declare, before looking at the data

**Where**: 5 km cells over the study area. **Who** is protected: each observer, with all of their rows. **The cap**: no
observer adds more than 5 to the whole map, so a keen one with 1,800 sightings weighs no more than five. **Consent**: only
rows that say yes. **Epsilon**: how much the map may give away.
""",
    """
grid = dm.Grid.covering(data / "study_area.gpkg", cell="5 km")
policy = dm.Policy(epsilon="1", unit="observer_id", cap=5, consent="consent=yes")
governance = dm.Governance(
    authorised_by="Sierra raptor trust (invented)", purpose="Planning of wind farms and power lines", expires="2029-12-31"
)
grid
""",
    """
What would another epsilon have cost? The noise is known beforehand, so no data is needed to ask. Try a public shape of
your own first: `dm.simulate` shows what a map of it would look like.
""",
    """
public = np.outer(np.hanning(18), np.hanning(24)) * 60     # a hill: not the survey
figure, axes = plt.subplots(1, 3, figsize=(9, 2.6), layout="constrained")
for ax, epsilon in zip(axes, ("truth", "1", "0.2")):
    shown = public if epsilon == "truth" else dm.simulate(public, epsilon=epsilon, cap=5)
    ax.imshow(shown, vmin=0, vmax=60, cmap="magma_r")
    ax.set_title("a public hill" if epsilon == "truth" else f"as released with epsilon = {epsilon}", fontsize=9)
    ax.set_axis_off()
""",
    """
## Release

The capped totals are counted, epsilon is written into the ledger, and only then is noise drawn. The **budget** is the
most this data set may ever spend; it is declared once.
""",
    """
release = dm.release(
    survey, grid, policy, ledger=folder / "raptors.ledger", dataset="Raptors 2026 (invented)", budget="2", governance=governance
)
release.plot();
""",
    """
Grey and hatched cells are *not distinguishable from none*. That does not mean that they are empty.

## The ledger says no

A second map of the same data adds to the first. The ledger adds up, and refuses what the budget cannot pay.
""",
    """
coarse = dm.Grid.covering(data / "study_area.gpkg", cell="20 km")
for epsilon in ("0.5", "1"):
    asked = dm.Policy(epsilon=epsilon, unit="observer_id", cap=5, consent="consent=yes")
    try:
        dm.release(survey, coarse, asked, ledger=folder / "raptors.ledger", dataset="Raptors 2026 (invented)")
        print(f"epsilon {epsilon}: released")
    except dm.errors.Refused as refused:
        print(f"epsilon {epsilon}: {refused}")
""",
    """
## Hand it over

One file keeps everything, and everything else derives from it for free: maps, a web page that works offline
(`release.explore()` shows it here), GIS layers, the statement, and `privacy.yaml` for the public registry.
""",
    """
release.save(folder / "raptors.dpmap")
for name in ("map.png", "map.html", "cells.gpkg", "statement.md", "privacy.yaml"):
    release.write(folder / name)
    print(f"{name:14} {(folder / name).stat().st_size / 1000:6.0f} kB")
""",
    """
text = (folder / "statement.md").read_text("utf-8")
print(text[text.index("## What it protects") : text.index("## How sure")])
""",
]

PLANNER = [
    """
# 2. The planner reads it

You were handed `raptors.dpmap`. Where is it dense, what can you rely on, and how many in *your* project area? Asking
costs no privacy. All data here is invented.
""",
    SETUP
    + """
policy = dm.Policy(epsilon="1", unit="observer_id", cap=5, consent="consent=yes")
grid = dm.Grid.covering(data / "study_area.gpkg", cell="5 km")
made = dm.release(dm.read(data / "raptors.csv"), grid, policy, ledger=folder / "l", dataset="Raptors 2026 (invented)", budget="1")
made.save(folder / "raptors.dpmap")     # what the steward did
""",
    """
## What you can rely on

Every cell has an estimate and a 90 % interval. The lower bound is what is there at the least.
""",
    """
release = dm.open(folder / "raptors.dpmap")
from dpmap.render.static import panels

panels(release.record, release.reading, what=("low", "estimate", "high"));
""",
    """
cells = release.to_geodataframe()
strongest = cells.sort_values("estimate", ascending=False).head(5)
strongest[["estimate", "low", "high", "per_km2"]].round(1)
""",
    """
## Your project areas

Four zones: a corridor, a park, a turbine site smaller than a cell, and one that leaves the map. The answer is a
GeoDataFrame. Cells that a zone cuts count by their share; `least` leaves them out and `most` takes all of them.
""",
    """
from shapely import LineString, Point

metres = "EPSG:25830"
zones = gpd.GeoDataFrame(
    {"name": ["power line corridor", "park", "turbine site", "over the border"]},
    geometry=[
        LineString([(565000, 4470000), (605000, 4485000), (640000, 4500000)]).buffer(4000),
        Point(640000, 4510000).buffer(15000),
        Point(600000, 4500000).buffer(800),
        Point(668000, 4495000).buffer(14000),
    ],
    crs=metres,
)
answers = release.ask(zones)
answers.drop(columns="geometry").round({"estimate": 0, "low": 0, "high": 0, "least": 0, "most": 0, "per_km2": 2, "area_km2": 0, "in_map": 2})
""",
    """
ax = release.plot(title="the zones")
outlines = answers.to_crs(release.grid.crs)
sides = ax.axis()
outlines.boundary.plot(ax=ax, color="black", linewidth=1.6)
ax.axis(sides), ax.set(xlabel="", ylabel="")
for _, zone in outlines.iterrows():
    where = zone.geometry.representative_point()
    above = 11 if zone.geometry.area < 25e6 else 0
    ax.annotate(zone["name"], (min(where.x, sides[1]), where.y), (0, above), textcoords="offset points", va="center", ha="right" if where.x > sides[1] - 15000 else "center", fontsize=8, bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1.5})
""",
    """
Adding up the cells' own intervals would overstate the doubt: independent errors partly cancel, and `ask` knows by how much.
""",
    """
park = zones.to_crs(release.grid.crs).geometry[1]
inside = cells[cells.within(park)]
whole = gpd.GeoDataFrame(geometry=[inside.union_all()], crs=cells.crs)
told = release.ask(whole).iloc[0]
print(f"{len(inside)} whole cells of the park: {told.low:.0f} to {told.high:.0f} by ask")
print(f"the same cells' own bounds added up: {inside.low.sum():.0f} to {inside.high.sum():.0f}")
""",
    """
## Hot spots

Which land is truly above its surroundings, not by luck of the noise? Of the regions chosen, cells or blocks measured as one, at most a tenth is
expected to be false. Those that touch are one hot spot; their bounds allow for having been picked *because* they looked high.
""",
    """
spots = release.hotspots()
print(spots)
found = spots.to_geodataframe()
found.drop(columns="geometry").head(6).round(1)
""",
    """
release.plot(title="hot spots: above their surroundings", hotspots="surroundings");
""",
    """
above = release.hotspots(threshold=30)
print("above 30 points in a cell:", above)
""",
]

ATTACKS = [
    """
# 3. Why jitter, 3-anonymity and suppression fail

Three usual ways to hide places and people, each broken on the sample survey by an attacker with a notebook. Then the same
attacker against dpmap. All data is invented, which is why it may be looked at here.
""",
    SETUP
    + """
rng = np.random.default_rng(7)     # for the methods under attack; a real release never has a seed
rows = pd.read_csv(data / "raptors.csv").dropna(subset=["longitude", "latitude", "observer_id"])
rows = rows[rows.consent == "yes"]
points = gpd.GeoSeries.from_xy(rows.longitude, rows.latitude, crs=4326).to_crs("EPSG:25830")
rows = rows.assign(x=points.x, y=points.y)
ground = gpd.read_file(data / "study_area.gpkg").union_all().buffer(5000)
rows = rows[points.within(ground)]
nests = gpd.read_file(data / "nests.gpkg").to_crs("EPSG:25830").set_index("nest_id")
""",
    """
## Jitter: the average gives the nest away

Each sighting at a nest is published up to 5 km away from its place, in a random direction. The published table keeps which
sightings belong together (the nest's number, or just the same species and season). The attacker takes the mean.
""",
    """
at_nest = rows[rows.nest_id.isin(nests.index)].copy()
angle, reach = rng.uniform(0, 2 * np.pi, len(at_nest)), 5000 * np.sqrt(rng.uniform(0, 1, len(at_nest)))
at_nest["px"], at_nest["py"] = at_nest.x + reach * np.cos(angle), at_nest.y + reach * np.sin(angle)
guess = at_nest.groupby("nest_id").agg(px=("px", "mean"), py=("py", "mean"), sightings=("px", "size"))
truth = nests.geometry[guess.index]
guess["missed_m"] = np.hypot(guess.px - truth.x, guess.py - truth.y)
one = np.hypot(at_nest.px - nests.geometry[at_nest.nest_id].x.to_numpy(), at_nest.py - nests.geometry[at_nest.nest_id].y.to_numpy())
bins = pd.cut(guess.sightings, [0, 1, 4, 9, 19, 1000], labels=["1", "2-4", "5-9", "10-19", "20 or more"])
table = guess.groupby(bins, observed=True).missed_m.agg(nests="size", median_miss_m="median").round(0)
table
""",
    """
best = guess.sightings.idxmax()
shown = at_nest[at_nest.nest_id == best]
home = nests.geometry[best]
figure, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
ax.scatter((shown.px - home.x) / 1000, (shown.py - home.y) / 1000, s=12, color="#9a9a9a", label=f"{len(shown)} published, jittered points")
ax.plot((guess.px[best] - home.x) / 1000, (guess.py[best] - home.y) / 1000, "x", ms=11, mew=3, color="#d2426f", label="the attacker's mean")
ax.plot(0, 0, "*", ms=13, color="#21114e", label="the nest")
ax.set_aspect("equal"); ax.set_xlabel("km east of the nest"); ax.set_ylabel("km north"); ax.legend(fontsize=8, loc="upper right")
ax.set_ylim(-6, 8.5); ax.set_title(f"jittered by up to 5 km, found to {guess.missed_m[best]:.0f} m", fontsize=10);
""",
    """
More sightings, better aim: the very nests that are watched most are found best. Worse, readers take the points for real places.

## 3-anonymity: two maps, one person

Sightings are counted in 5 km cells, and a cell is published only if at least three different observers were there: exact
counts, 3-anonymous. Then one volunteer asks to be deleted, and the map is published again without her. Each map is
3-anonymous by itself. The attacker subtracts.
""",
    """
grid = dm.Grid.covering(data / "study_area.gpkg", cell="5 km")
rows["cell"] = grid.locate(rows.x, rows.y, crs="EPSG:25830")
inside = rows[rows.cell >= 0]

visits = inside.groupby(["cell", "observer_id"]).size().rename("sightings").reset_index()

def three_anonymous(visits):
    by_cell = visits.groupby("cell").sightings.agg(["sum", "size"])
    return by_cell[by_cell["size"] >= 3]["sum"]

before = three_anonymous(visits)
found = []
for person, hers in visits.groupby("observer_id"):
    after = three_anonymous(visits[visits.observer_id != person])
    change = before.sub(after, fill_value=0)
    told = set(change.index[change > 0])
    found.append((len(hers), len(told & set(hers.cell)), len(told - set(hers.cell))))
found = pd.DataFrame(found, columns=["cells", "right", "wrong"])
print(f"{len(found)} volunteers, deleted one at a time")
print(f"cells where the attacker says she was: {found.right.sum() + found.wrong.sum():,}, of them wrong: {found.wrong.sum()}")
print(f"share of all cells that volunteers visited and the attacker names: {found.right.sum() / found.cells.sum():.0%}")
print(f"volunteers with every one of their cells named: {(found.right == found.cells).mean():.0%}")
""",
    """
Never wrong, and nearly complete. Requiring more people per cell changes little: the difference of two exact tables is exact.

## Suppression: the totals fill the holes

A report counts sightings by district and month. Counts below five are replaced by a star; the totals of rows and columns
stay, as in many reports. The attacker solves for the stars: each is at least 1 and at most 4, and the totals must come out.
""",
    """
from scipy.optimize import linprog

districts = gpd.read_file(data / "districts.gpkg")
where = gpd.GeoDataFrame(inside, geometry=gpd.points_from_xy(inside.x, inside.y), crs="EPSG:25830").sjoin(districts[["name", "geometry"]])
table = pd.crosstab(where.name, where.date.str[2:7])
counts = table.to_numpy()
star = (counts > 0) & (counts < 5)
row, column = np.nonzero(star)
sums = np.zeros((sum(counts.shape), len(row)))
sums[row, np.arange(len(row))] = sums[counts.shape[0] + column, np.arange(len(row))] = 1
what_the_totals_leave = sums @ counts[star]
bounds = np.array([
    [sign * linprog(sign * np.eye(len(row))[n], A_eq=sums, b_eq=what_the_totals_leave, bounds=(1, 4)).fun for sign in (1, -1)]
    for n in range(len(row))
])
exact = bounds[:, 1] - bounds[:, 0] < 1e-6
assert np.allclose(bounds[exact, 0], counts[star][exact])
close = bounds[:, 1] - bounds[:, 0] < 1.5
print(f"{len(row)} small counts suppressed; given back exactly: {exact.sum()}; to within one: {close.sum()}")
""",
    """
given = np.zeros(counts.shape, dtype=bool)
given[row[exact], column[exact]] = True
figure, ax = plt.subplots(figsize=(7.6, 5.2), layout="constrained")
colours = plt.matplotlib.colors.ListedColormap(["#f7f6f3", "#c9c9c9", "#d2426f"])
ax.imshow(np.where(given, 2, np.where(star, 1, 0)), cmap=colours, vmin=0, vmax=2, aspect="auto")
for (i, j), value in np.ndenumerate(counts):
    ax.text(j, i, "*" if star[i, j] and not given[i, j] else value, ha="center", va="center", fontsize=7, color="white" if given[i, j] else "black")
ax.set_xticks(range(table.shape[1]), table.columns, fontsize=7, rotation=60); ax.set_yticks(range(table.shape[0]), table.index, fontsize=7)
ax.set_title("red: suppressed, and given back by the totals", fontsize=10);
""",
    """
## The same attacker against dpmap

The volunteer is deleted and the map released again; the attacker knows *everything else*: all other rows, the cap, epsilon,
the law of the noise. He must tell from one released map whether she is in it. This is the hardest test there is, and it is
what epsilon bounds. With even odds before, he is right at most e^&epsilon; / (1 + e^&epsilon;) of the time.
""",
    """
cap, cells = 5, int(grid.size)
sizes = inside.groupby("observer_id").size()
weights = np.minimum(1, cap / sizes[inside.observer_id].to_numpy())

def totals(table, weight):
    return np.bincount(table.cell, weight, minlength=cells)

full = totals(inside, weights)
persons = {"the busiest": sizes.idxmax(), "one in the middle": sizes.sort_values().index[len(sizes) // 2]}
results = []
for epsilon in (0.2, 0.5, 1.0, 2.0):
    for words, person in persons.items():
        without = full - totals(inside[inside.observer_id == person], weights[(inside.observer_id == person).to_numpy()])
        touched = full != without
        scale, right = cap / epsilon, 0
        for trial in range(4000):
            there = trial % 2 == 0
            seen = (full if there else without)[touched] + rng.laplace(0, scale, touched.sum())
            evidence = (np.abs(seen - without[touched]) - np.abs(seen - full[touched])).sum()
            right += (evidence > 0) == there      # the best decision there is
        results.append((epsilon, words, right / 4000, np.exp(epsilon) / (1 + np.exp(epsilon))))
odds = pd.DataFrame(results, columns=["epsilon", "volunteer", "attacker right", "promised at most"]).pivot(index="epsilon", columns="volunteer")
odds = pd.concat([odds["attacker right"], odds["promised at most"].iloc[:, :1].set_axis(["promised at most"], axis=1)], axis=1)
odds.round(2)
""",
    """
figure, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
for name, colour, mark in (("the busiest", "#d2426f", "o"), ("one in the middle", "#4f127b", "s")):
    ax.plot(odds.index, odds[name], mark, color=colour, label=f"dpmap, {name}")
line = np.linspace(0, 2.2, 50)
ax.plot(line, np.exp(line) / (1 + np.exp(line)), color="#333333", label="the most that is promised")
ax.axhline(1, color="#fd9869", linestyle="--"); ax.text(0.05, 0.96, "3-anonymity: never wrong", fontsize=8, va="top")
ax.axhline(0.5, color="#9a9a9a", linestyle=":"); ax.text(2.2, 0.505, "a coin", fontsize=8, ha="right", va="bottom")
ax.set_xlabel("epsilon"); ax.set_ylabel("how often the attacker is right"); ax.set_ylim(0.45, 1.03); ax.legend(fontsize=8, loc="center right");
""",
    """
And deleting her from two releases does not help: each pays epsilon out of one budget, so two maps at 0.5 give no more than one
at 1. The nests are hidden the same way when the *site* is the unit: `unit="nest_id"`. Protecting volunteers alone does
not hide a nest that many of them report.
""",
]

GRIDS = [
    """
# 4. Several grids side by side, and what cell size does

The noise of a cell does not depend on its size. So large cells are sure and coarse, small ones fine and unsure. Squares,
hexagons and districts are all cells to dpmap. All data here is invented.
""",
    SETUP,
    """
study, districts = data / "study_area.gpkg", data / "districts.gpkg"
grids = {
    "squares, 2 km": dm.Grid.covering(study, cell="2 km"),
    "squares, 5 km": dm.Grid.covering(study, cell="5 km"),
    "squares, 10 km": dm.Grid.covering(study, cell="10 km"),
    "hexagons, H3 resolution 6": dm.Grid.hexagons(study, resolution=6),
    "districts": dm.Grid.areas(districts),
    "degrees, 0.1": dm.Grid.covering(study, cell="0.1 deg"),
}
policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=5, consent="consent=yes")
survey = dm.read(data / "raptors.csv")
releases = {
    name: dm.release(survey, grid, policy, ledger=folder / "raptors.ledger", dataset="Raptors 2026 (invented)", budget="3", strategy="flat")
    for name, grid in grids.items()
}
""",
    """
Six maps of one data set at &epsilon; = 0.5 each spend 3 in all: they add up, and the ledger says so. **Choose one grid before
looking**, as a steward would; six are made here only to compare.
""",
    """
figure, axes = plt.subplots(2, 3, figsize=(12, 7.2), layout="constrained")
for ax, (name, release) in zip(axes.ravel(), releases.items()):
    release.plot(ax=ax, legend=False, notes=False, context=False, title=name)
""",
    """
Grey and hatched: not distinguishable from none. At 2 km nearly everything is; by district little or nothing.
""",
    """
rows = []
for name, release in releases.items():
    inside = release.grid.inside
    low, high = release.interval(0.9)
    half = np.median(high[inside] - release.measurements[0].values)
    area = release.grid.square_km[inside]
    sure = release.distinguishable()[inside]
    rows.append((
        name, int(inside.sum()), np.median(area), half, half / np.median(area),
        sure.mean(), np.nansum(release.estimate[inside] * sure) / max(1, np.nansum(release.estimate)),
    ))
names = ["cells", "cells in all", "median km2", "half-width per cell", "half-width per km2", "cells that surely hold something", "share of the total in them"]
pd.DataFrame(rows, columns=names).set_index("cells").round(2)
""",
    """
The half-width of a cell is the same everywhere; per square kilometre it falls as cells grow. The last column shows what
that buys: the share of all points that lies in cells one can speak about.

## One zone, asked of every map

A question about a large area has a similar answer from each grid, but where in a cell that its edge cuts points lie is unknown: small cells
follow the edge, and many cells mean more noise in the sum.
""",
    """
from shapely import Point

park = gpd.GeoDataFrame({"name": ["park"]}, geometry=[Point(635000, 4505000).buffer(18000)], crs="EPSG:25830")
asked = pd.concat([release.ask(park).assign(grid=name) for name, release in releases.items()])
asked = asked.set_index("grid")
figure, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
for at, (name, row) in enumerate(asked.iterrows()):
    ax.plot([row.low, row.high], [at, at], color="#792282", linewidth=4, solid_capstyle="butt", alpha=0.35)
    ax.plot(row.estimate, at, "o", color="#21114e")
ax.set_yticks(range(len(asked)), asked.index); ax.invert_yaxis(); ax.set_xlabel("points in the park, estimate and 90 % interval"); ax.set_xlim(left=0)
asked[["estimate", "low", "high", "cells_inside", "cells_cut"]].round(0)
""",
]

TEXTBOOK = [
    """
# 5. The textbook's numbers

The worked figures of the usual introductions to differential privacy, from dpmap's own functions (`dm.theory`), so that
you can check that the words mean here what they mean there.
""",
    """
import math
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import dpmap as dm
from dpmap import theory

plt.rcParams["figure.dpi"] = 150
LATTICE = 2**32  # noise is drawn in steps of 1 / LATTICE of a point
""",
    """
## One count

Sensitivity 1 at &epsilon; = 0.8 has noise of scale 1 / 0.8 = 1.25, which is also its mean absolute error. The variance is
2 / &epsilon;&sup2;, and half the &epsilon; makes it four times that.
""",
    """
scale = theory.laplace_scale(1, Fraction("0.8"))
steps = scale * LATTICE
print("scale", float(scale), "| the same from a policy", float(dm.Policy(epsilon="0.8", unit="row", cap=1).scale))
print("mean absolute error", round(theory.laplace_mean_absolute_error(steps) / LATTICE, 6))
print("variance", round(theory.laplace_variance(steps) / LATTICE**2, 6), "= 2 / 0.64 | at half of epsilon", round(theory.laplace_variance(2 * steps) / LATTICE**2, 6))
""",
    """
The answers for two neighbouring surveys, true counts 10 and 11: at every point the two densities differ by no more than
a factor of e<sup>&epsilon;</sup>, and left and right of both peaks by exactly that.
""",
    """
answers, epsilon = np.linspace(4, 17, 651), 0.8
without, with_her = (epsilon / 2 * np.exp(-epsilon * abs(answers - true)) for true in (10, 11))
figure, (above, below) = plt.subplots(2, 1, figsize=(7, 4.2), sharex=True, height_ratios=[2, 1], layout="constrained")
above.plot(answers, without, color="#21114e", label="without her: 10")
above.plot(answers, with_her, color="#d3436e", label="with her: 11")
above.set_ylabel("density"); above.set_ylim(bottom=0); above.legend(frameon=False)
below.plot(answers, with_her / without, color="#792282")
for bound, word in ((math.exp(epsilon), "e^0.8 = 2.23"), (math.exp(-epsilon), "e^-0.8 = 0.45")):
    below.axhline(bound, color="grey", linewidth=0.8, linestyle=":")
    below.annotate(word, (4, bound), xytext=(0, 3 if bound < 1 else -12), textcoords="offset points", color="#555555")
below.set_ylim(0, 2.5); below.set_ylabel("ratio"); below.set_xlabel("noisy count")
for ax in (above, below):
    ax.spines[["top", "right"]].set_visible(False)
""",
    """
## When the answer is useless

Two people's ages sum to 100. Capped at 100 each, &epsilon; = 0.5: the noise has scale 200, and in over 60 % of answers it is
larger than the answer. A mean of 500 values capped at 8 has sensitivity 8 / 500 instead: many people make it small.
""",
    """
scale = theory.laplace_scale(100, Fraction("0.5"))
print("scale", scale, "| chance of an error above 100:", round(2 * theory.laplace_upper_tail(100 * LATTICE, scale * LATTICE), 4))
print("sensitivity of the mean", float(theory.mean_sensitivity(8, 500)))
""",
    """
## What adds up and what does not
""",
    """
half = Fraction("0.5")
pd.Series({
    "three queries of 0.1, 0.25 and 0.65 about the same people": float(theory.sequential_cost([Fraction("0.1"), Fraction("0.25"), Fraction("0.65")])),
    "ten hospitals' disjoint counts at 0.5 each": float(theory.parallel_cost([half] * 10)),
    "one release for groups promised 1, 0.25 and 2": float(theory.strictest([Fraction(1), Fraction("0.25"), Fraction(2)])),
    "epsilon 1 on a secret 5 % sample": round(theory.amplified_by_sampling(1.0, 0.05), 4),
}, name="epsilon").to_frame()
""",
    """
pd.Series({
    "one person at epsilon 0.01: odds move by a factor of": theory.odds_factor(Fraction("0.01")),
    "a group of 5 at epsilon 0.2: e^(5 x 0.2)": theory.odds_factor(Fraction("0.2"), 5),
    "randomised response at ln 3: true with chance": theory.randomised_response(math.log(3)),
    "... and false with chance": 1 - theory.randomised_response(math.log(3)),
}, name="value").round(4).to_frame()
""",
    """
The exponential mechanism at &epsilon; = 0.1 chooses between scores of 30, 25, 8 and 2 with these chances:
""",
    """
chances = theory.exponential_choice([30, 25, 8, 2], 0.1)
pd.DataFrame({"score": [30, 25, 8, 2], "chance": np.round(chances, 3)}).set_index("score").T
""",
    """
## One month's budget, spent daily

Thirty daily releases share &epsilon; = 3. Even shares make every day equally good; decaying ones make the first days good and
the last ones worthless. Both add up to 3 exactly, and the ledger refuses a thirty-first.
""",
    """
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
for decay, colour in ((1, "#21114e"), (Fraction(9, 10), "#b73779"), (Fraction(4, 5), "#fc8961")):
    shares = theory.budget_shares(Fraction(3), 30, decay)
    errors = [theory.laplace_mean_absolute_error(theory.laplace_scale(1, share) * LATTICE) / LATTICE for share in shares]
    word = "even" if decay == 1 else f"each day {float(decay):g} of the day before"
    ax.semilogy(range(1, 31), errors, color=colour, label=f"{word}: sum {float(sum(shares)):g}")
ax.set_xlabel("day"); ax.set_ylabel("mean absolute error of a count"); ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
""",
    """
## Error against leakage

What an answer tells about one fair bit of one person is at most R nats, about &epsilon;&sup2; / 8 when &epsilon; is small; the
greatest divergence between neighbours is &epsilon; &minus; 1 + e<sup>&minus;&epsilon;</sup>. The mean squared error D is then about &Delta;&sup2; / (4 R):
halving the leak doubles the error.
""",
    """
epsilons = np.array([0.01, 0.1, 0.5, 1, 2, 4])
leaks = [theory.one_bit_leakage(one) for one in epsilons]
pd.DataFrame({
    "epsilon": epsilons,
    "R, nats": leaks,
    "eps^2 / 8": epsilons**2 / 8,
    "greatest divergence": [theory.greatest_divergence(one) for one in epsilons],
    "D = 2 / eps^2": 2 / epsilons**2,
    "1 / (4 R)": [theory.error_for_leakage(1, leak) for leak in leaks],
}).set_index("epsilon").round(5)
""",
    """
many = np.geomspace(0.01, 20, 200)
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.loglog([theory.one_bit_leakage(one) for one in many], 2 / many**2, color="#792282", label="a count with Laplace noise")
reach = np.geomspace(1e-5, math.log(2), 50)
ax.loglog(reach, [theory.error_for_leakage(1, leak) for leak in reach], color="grey", linestyle=":", label="1 / (4 R)")
ax.axvline(math.log(2), color="#cccccc", linewidth=0.8); ax.annotate("the whole bit", (math.log(2), 1e3), rotation=90, ha="right", va="center", color="#555555")
ax.set_xlabel("leakage R, nats"); ax.set_ylabel("mean squared error D"); ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
""",
]

NESTS = [
    """
# 6. The volunteers and the nests

Volunteers report nests of a raptor that poachers look for. Neither may show: that a volunteer took part, and that a nest
exists. Protecting one of the two does not protect the other. All data here is invented.
""",
    SETUP,
    """
## Why protecting volunteers is not enough

Say each volunteer counts for at most 2 links to nests, so a map protects her. But a nest that many of them report moves the
map by as many points as there are volunteers who report it. (The survey is invented, so we may look.)
""",
    """
rows = pd.read_csv(data / "raptors.csv")
rows = rows[rows.observer_id.notna() & rows.nest_id.notna()]
volunteers = rows.drop_duplicates(["observer_id", "nest_id"]).groupby("nest_id").size().sort_values(ascending=False)
figure, ax = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
ax.bar(range(len(volunteers)), volunteers, width=1, color="#792282")
ax.axhline(2, color="#d2426f"); ax.text(len(volunteers), 9, "red: by how much any one nest moves\\nthe map under two caps, at most", ha="right", color="#d2426f", fontsize=9)
ax.set_xlabel("nests, the most reported first"); ax.set_ylabel("volunteers who report it")
ax.spines[["top", "right"]].set_visible(False)
print(f"the most reported nest moves the map by {volunteers.iloc[0]} points")
""",
    """
## Both at once

`site` names the column of the nests. Their own file says where each one is, so that no row has a say in it. A volunteer
adds at most two nests; a nest counts for one volunteer. Removing a nest then moves the map by at most 2 points, and so does
removing a volunteer: noise for 2 covers both, and the nests come at no extra noise.
""",
    """
survey, nests = dm.read(data / "raptors.csv"), dm.read(data / "nests.gpkg", unit="nest_id")
grid = dm.Grid.covering(data / "study_area.gpkg", cell="20 km")
policy = dm.Policy(epsilon="1", unit="observer_id", site="nest_id", cap=2)
release = dm.release(
    survey, grid, policy, sites=nests, strategy="flat", ledger=folder / "nests.ledger", dataset="Raptor nests 2026 (invented)", budget="2"
)
release.plot(title="links to nests, volunteers and nests protected");
""",
    """
text = (release.write(folder / "statement.md"), (folder / "statement.md").read_text("utf-8"))[1]
print(text[text.index("## What it protects") : text.index("## How sure")])
""",
    """
## What each cap leaves out

That is for the steward alone, and in no release. Declare the caps before you look, or say that you looked
(`cap_origin="after inspection"`).
""",
    """
from dpmap import inspect

for caps in ((2, 1), (5, 1), (20, 1), (10, 5)):
    both = dm.Policy(epsilon="1", unit="observer_id", site="nest_id", cap=caps[0], site_cap=caps[1])
    print(caps, inspect(survey, unit="observer_id", grid=grid, sites=nests, pairs=both).links)
""",
    """
## What has no proof is refused

Layers, counts, teams, a sample or a cap chosen privately have no proof together with sites. dpmap says so and stops, before
anything is counted.
""",
    """
try:
    dm.Policy(epsilon="1", unit="observer_id", site="nest_id", cap=5, sample="5%")
except dm.errors.Refused as refused:
    print("refused:", refused)
""",
]

YEARS = [
    """
# 7. Five seasons

A survey comes back each year, and one budget must last. Planners ask: where are the birds, and has it changed? All data here
is invented, so the truth stands beside the maps.
""",
    SETUP,
    """
## Five years of an invented survey

Four flocks share the land. The eastern one fades from the third year on, a new one settles in the north. And each year more
volunteers go out: by the fifth, half as many again.
""",
    """
dice = np.random.default_rng(23)
west, south, side = 700_000, 5_200_000, 32_000  # UTM 32N, 32 x 32 cells of 1 km
flocks = {"west": (6, 18), "middle": (15, 12), "east": (26, 10), "south": (18, 5), "north": (14, 27)}  # km
people = {2021: 900, 2022: 1_000, 2023: 1_100, 2024: 1_250, 2025: 1_400}
shares = {year: [1, 1, max(0.15, 1 - 0.3 * max(0, year - 2022)), 0.8, 0.25 * (year - 2021)] for year in people}

def season(year):
    many = people[year]
    home = dice.choice(5, many, p=np.array(shares[year]) / sum(shares[year]))
    at = np.array(list(flocks.values()))[home] * 1_000 + dice.normal(0, 1_600, (many, 2))
    at = np.where(dice.random((many, 1)) < 0.2, dice.uniform(0, side, (many, 2)), at).clip(0, side - 1)
    return pd.DataFrame({"observer": [f"{year}-{i}" for i in range(many)], "x": west + at[:, 0], "y": south + at[:, 1]})

surveys = {year: season(year) for year in people}
grid = dm.Grid(bounds=(west, south, west + side, south + side), shape=(32, 32), crs="EPSG:32632")
{year: len(rows) for year, rows in surveys.items()}
""",
    """
## Plan before the first map

Three ways to spend an epsilon of 2 over five years; nothing is read and nothing spent. Here every year must have its map, and what
changed matters most: even shares.
""",
    """
plan = dm.plan_years(grid, dm.Policy(epsilon=1, unit="observer", cap=1), years=5, budget=2, units=1_100)
columns = ["season", "epsilon", "cell_error", "stack_error", "change_zone", "trend_whole"]
plan.to_frame().set_index("scheme").loc["even", columns].round(2)
""",
    """
book = dm.Ledger(folder / "years.ledger")
book.plan("2", releases=5, scheme="even")
releases = {}
for year, rows in surveys.items():
    policy = dm.Policy(epsilon=book.next_share("Birds (invented)"), unit="observer", cap=1)
    rows = dm.read(rows, unit="observer", x="x", y="y", crs="EPSG:32632")
    releases[year] = dm.release(rows, grid, policy, ledger=book, dataset="Birds (invented)", budget="2")
    releases[year].save(folder / f"{year}.dpmap")
""",
    """
## All seasons together

The series reads all five. How much one season helps another is decided by the noisy answers alone, and costs nothing. The
places and intervals of each map stay its own.
""",
    """
series = dm.open_series(list(releases.values()), labels=[str(year) for year in releases])
print(series, series.together)
series.plot();
""",
    """
Is the newest map nearer to its truth? (Only because all is invented may we look.)
""",
    """
def counted(rows):
    column, row = ((rows[name] - start) // 1_000 for name, start in (("x", west), ("y", south)))
    return np.histogram2d(31 - row, column, bins=32, range=[[0, 32], [0, 32]])[0]

truth = counted(surveys[2025])
alone, stacked = releases[2025].estimate, series.newest.estimate
pd.Series({"alone": np.abs(alone - truth).mean(), "with the four before": np.abs(stacked - truth).mean()}).round(3)
""",
    """
figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, cells, title in zip(axes, (alone, stacked, truth), ("2025 alone", "with the four before", "the truth")):
    shown = ax.imshow(cells, vmin=0, vmax=np.quantile(truth, 0.99), cmap="magma_r"); ax.set_title(title); ax.set_axis_off()
figure.colorbar(shown, ax=axes, label="points in a cell", extend="max");
""",
    """
## The trend

The line through all five totals of each region. More people went out each year, so the whole area rises, and that says nothing of
birds.
""",
    """
trend = series.trend()
print(trend.whole[["slope", "low", "high", "finding"]].to_string(index=False))
told = trend.frame[trend.frame.told]
print(f"{len(trend.frame)} regions, of {len(told)} a trend is told")
""",
    """
## What changed between the first and the last

Clusters are looked for in windows of several sizes, and single cells hardly show what a neighbourhood does. The eastern flock is
fewer, the northern one is new.
""",
    """
change = dm.compare(releases[2021], releases[2025])
clusters = change.clusters()
clusters[clusters.told][["before", "after", "change", "low", "high", "finding"]].round(0)
""",
    """
change.draw(folder / "change.png", dpi=110)
plt.figure(figsize=(8, 5.5)); plt.imshow(plt.imread(folder / "change.png")); plt.axis("off");
""",
    """
## Sightings by effort

A public raster of the hours spent tells rates: sightings an hour. Here people go out evenly over the land.
""",
    """
for year in (2021, 2025):
    hours = np.full(grid.shape, people[year] / grid.size * 3)
    half = releases[year].rates(hours, zones=(11.6, 46.8, 12.2, 47.3))
    print(year, half[["estimate", "per", "rate", "rate_low", "rate_high"]].round(2).to_string(index=False))
""",
    """
## What all of it cost

Every map, trend and comparison above came from five releases. Whoever took part in all five lost the sum.
""",
    """
budget, spent = book.balance()
print(f"epsilon {float(spent):g} of {float(budget):g} is spent")
""",
]

NOTEBOOKS = {
    "1_the_stewards_first_map": STEWARD,
    "2_the_planner_reads_it": PLANNER,
    "3_why_jitter_fails": ATTACKS,
    "4_grids_side_by_side": GRIDS,
    "5_the_textbooks_numbers": TEXTBOOK,
    "6_the_volunteers_and_the_nests": NESTS,
    "7_five_seasons": YEARS,
}


def is_text(cell: str) -> bool:
    """Whether a cell is prose: headings and sentences, not code."""
    try:
        compile(cell.strip(), "cell", "exec")
    except SyntaxError:
        return True
    return False


def notebook(cells: list[str]) -> nbformat.NotebookNode:
    """The notebook of these cells, unexecuted."""
    made = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )
    for number, cell in enumerate(cells):
        new = nbformat.v4.new_markdown_cell if is_text(cell) else nbformat.v4.new_code_cell
        made.cells.append(new(cell.strip(), id=f"cell-{number}"))
    return made


def run(made: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The same notebook, executed in this folder, with nothing left in it that changes by the clock."""
    NotebookClient(made, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in made.cells:
        cell.metadata.pop("execution", None)
    made.metadata.pop("language_info", None)
    return made


if __name__ == "__main__":
    for name, cells in NOTEBOOKS.items():
        if len(sys.argv) == 1 or name[0] in sys.argv[1:]:
            nbformat.write(run(notebook(cells)), HERE / f"{name}.ipynb")
            print(f"wrote {name}.ipynb")
