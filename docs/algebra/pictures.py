"""Draws the pictures of these pages: `python docs/algebra/pictures.py [NAME ...]`, all of them without a name.

One function for each tool draws what it buys on the sample data. The survey is invented, so the truth may be looked at
here; each map and each choice in a picture is a real release, with fresh noise. They differ from run to run.
"""

import math
import sys
import tempfile
from fractions import Fraction
from itertools import count
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

import dpmap as dm
from dpmap.noise.scales import before_sampling
from dpmap.noise.theory import reports_standard_error
from dpmap.vault.permute_and_flip import choose

mpl.use("agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "data_samples"
DARK, RED, PALE = "#21114e", "#d2426f", "#fd9869"
TRUE = 10**6
"""An epsilon that hides nothing: for the truth of invented data only."""
_numbers = count()


def survey(**options):
    """The invented raptors."""
    return dm.read(SAMPLES / "raptors.csv", **options)


def grid(cell="10 km"):
    """Square cells over their study area."""
    return dm.Grid.covering(SAMPLES / "study_area.gpkg", cell=cell)


def released(rows, cells, folder, **policy):
    """A real release under a ledger of its own."""
    options = {
        name: policy.pop(name) for name in ("strategy", "sites", "tiers", "prior") if name in policy
    }
    options |= {"budget_delta": "1e-5"} if "delta" in policy else {}
    promise = dm.Policy(**{"unit": "observer_id", "cap": 5, **policy})
    number = next(_numbers)
    name, book = f"Raptors {number} (invented)", folder / f"{number}.ledger"
    return dm.release(
        rows,
        cells,
        promise,
        ledger=book,
        dataset=name,
        budget=TRUE,
        confirm_epsilon=True,
        **options,
    )


def half_width(epsilon, cap=5):
    """Half of the 90 % interval of one cell with its own noise."""
    return float(cap / Fraction(epsilon)) * math.log(10)


def plain(ax, **labels):
    """No box around a plot."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set(**labels)


def field(ax, release, title, top):
    """A map without its furniture."""
    shown = ax.imshow(release.estimate, vmin=0, vmax=top, cmap="magma_r")
    ax.set_axis_off()
    ax.set_title(title, fontsize=9)
    return shown


def layers(folder):
    """Two seasons of one release, and of two releases that share its epsilon."""
    rows, place = survey(), grid("5 km")
    spans = {"2025": ("2025", "2026"), "2026": ("2026", "2027")}
    both = place.layered(dm.Times("date", ("2025", "2026", "2027")))
    one = released(rows, both, folder, epsilon="1")
    truth = released(rows, both, folder, epsilon=TRUE, strategy="flat")
    figure, axes = plt.subplots(3, 2, figsize=(6, 6.6), layout="constrained")
    top = np.nanquantile(truth.estimate, 0.995)
    for name, (truly, above, below) in zip(spans, axes.T, strict=True):
        apart = released(rows, place.layered(dm.Times("date", spans[name])), folder, epsilon="0.5")
        field(truly, truth.layer(name), f"{name}: the truth, capped", top)
        shown = field(above, one.layer(name), f"{name}: one release, epsilon 1", top)
        field(below, apart.layer(name), f"{name}: its own, epsilon 0.5", top)
    figure.colorbar(shown, ax=axes, shrink=0.5, label="points in a cell", extend="max")


def choosing(folder):
    """How often the best district is named: by choosing, and off two maps."""
    rows, areas = survey(), dm.Grid.areas(SAMPLES / "districts.gpkg")
    totals = released(rows, areas, folder, epsilon=TRUE, strategy="flat").estimate.ravel()
    best, losses, cap = int(np.argmax(totals)), ("0.02", "0.04", "0.06", "0.1", "0.2"), 5

    def chosen(epsilon):
        return choose(
            [Fraction(total) for total in totals], Fraction(epsilon), Fraction(cap), rising=True
        )

    def read_off(epsilon):
        return int(np.argmax(dm.simulate(totals, epsilon=epsilon, cap=cap, strategy="flat")))

    def added_up(epsilon):
        told = released(rows, grid(), folder, epsilon=epsilon).ask(SAMPLES / "districts.gpkg")
        return int(np.argmax(told.estimate))

    figure, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
    ways = (
        (chosen, 400, "dpmap choose", DARK),
        (read_off, 400, "read off a map of the districts", RED),
        (added_up, 30, "added up from a map of 10 km cells", PALE),
    )
    for way, runs, words, colour in ways:
        right = [np.mean([way(epsilon) == best for _ in range(runs)]) for epsilon in losses]
        ax.plot([float(epsilon) for epsilon in losses], right, "o-", color=colour, label=words)
    ax.axhline(1 / len(totals), color="#9a9a9a", linestyle=":")
    ax.text(0.2, 1 / len(totals) + 0.02, "blind guess", ha="right", fontsize=8, color="#555555")
    plain(ax, xlabel="epsilon (cap 5)", ylabel="how often the best is named", ylim=(0, 1.03))
    ax.legend(frameon=False, fontsize=8, loc=(0.45, 0.14))


def auto_cap(folder):
    """The error of each cap, and the caps that were chosen."""
    rows, place = survey(), grid()
    caps, epsilon = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100), "1"
    whole = released(rows, place, folder, epsilon=TRUE, cap=2000, strategy="flat").estimate
    kept = [
        released(rows, place, folder, epsilon=TRUE, cap=cap, strategy="flat").estimate
        for cap in caps
    ]
    share = [np.nansum(part) / np.nansum(whole) for part in kept]
    runs = [
        released(rows, place, folder, epsilon=epsilon, cap="auto:0.05", strategy="flat").policy.cap
        for _ in range(30)
    ]
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(5.6, 4.4), layout="constrained", sharex=True, height_ratios=(3, 2)
    )
    above.plot(caps, np.array(share) * 100, "o-", color=DARK, label="of all sightings kept, %")
    above.plot(
        caps,
        [half_width(epsilon, cap) for cap in caps],
        "s-",
        color=RED,
        label="noise of a cell, points",
    )
    plain(above, xscale="log", ylim=(0, 100))
    above.legend(frameon=False, fontsize=8)
    below.bar(caps, [runs.count(cap) for cap in caps], width=np.array(caps) * 0.25, color=PALE)
    plain(below, xscale="log", xlabel="cap", ylabel="times chosen")
    below.set_xticks(caps, [str(cap) for cap in caps])
    below.minorticks_off()


def sample(_):
    """The noise of a cell: in the sample's own points, and scaled up."""
    rates = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0.999])
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained", sharey=True)
    for ax, epsilon in zip(axes, ("0.1", "1"), strict=True):
        own = [
            half_width(before_sampling(Fraction(epsilon), Fraction(str(rate)))) for rate in rates
        ]
        ax.loglog(rates * 100, own, "o-", color=DARK, label="as released, points of the sample")
        ax.loglog(rates * 100, own / rates, "s-", color=RED, label="scaled up to the whole survey")
        ax.axhline(half_width(epsilon), color="#9a9a9a", linestyle=":", label="without a sample")
        plain(ax, xlabel="share drawn, %", title=f"epsilon {epsilon}, cap 5")
        ax.set_xticks([1, 5, 20, 100], ["1", "5", "20", "100"])
        ax.minorticks_off()
    axes[0].set_ylabel("90 % half-width of a cell")
    axes[1].legend(frameon=False, fontsize=7.5)


def two_units(folder):
    """Noise and points kept: with both protected at once, and by other ways."""
    rows, nests = survey(), dm.read(SAMPLES / "nests.gpkg", unit="nest_id")
    named = survey(unit="nest_id")
    place, epsilon, cap = grid("20 km"), 2, 5
    both = released(
        rows, place, folder, epsilon=TRUE, site="nest_id", cap=cap, sites=nests, strategy="flat"
    )
    one = released(named, place, folder, epsilon=TRUE, unit="nest_id", cap=1, strategy="flat")
    noisy = released(rows, place, folder, epsilon=epsilon, site="nest_id", cap=cap, sites=nests)
    figure, axes = plt.subplots(
        1, 3, figsize=(7.6, 2.9), layout="constrained", width_ratios=(1, 1, 1)
    )
    top = np.nanmax(one.estimate)
    field(axes[0], one, "the nests, each once", top)
    field(axes[1], both, "kept under both caps", top)
    shown = field(
        axes[2],
        noisy,
        f"as released, epsilon {epsilon}: \N{PLUS-MINUS SIGN}{half_width(epsilon, cap):.0f}",
        top,
    )
    figure.colorbar(shown, ax=axes, shrink=0.7, label="points in a cell", extend="max")


def personal_limits(folder):
    """The truth, and maps that keep everybody's stated limit in three ways, each with its mean error over ten releases."""
    rows, place = survey(), grid("5 km")
    truth = released(rows, place, folder, epsilon=TRUE, strategy="flat")
    ways = {
        "the strictest for all: epsilon 0.1": {"epsilon": "0.1"},
        "only who allows epsilon 1": {"epsilon": "1", "consent": "comfort=1"},
        "each to her own: 0.1, 0.5 or 1": {"epsilon": "1", "epsilon_by": "comfort=0.1,0.5,1"},
    }
    figure, axes = plt.subplots(2, 2, figsize=(6.6, 5.4), layout="constrained")
    top = np.nanquantile(truth.estimate, 0.995)
    shown = field(axes.flat[0], truth, "the truth: all volunteers,\nno limits", top)
    for ax, (title, policy) in zip(axes.flat[1:], ways.items(), strict=True):
        maps = [released(rows, place, folder, **policy) for _ in range(10)]
        error = np.mean([np.nanmean(np.abs(one.estimate - truth.estimate)) for one in maps])
        field(ax, maps[0], f"{title}\nmean error of a cell: {error:.1f}", top)
    figure.colorbar(shown, ax=axes, shrink=0.7, label="points in a cell", extend="max")


def means(folder):
    """The mean group size: the truth, a naive ratio of noisy sums, and what a release of means tells."""
    place, cap, epsilon = grid("10 km"), 20, 2
    asked = {"cap": cap, "strategy": "flat"}
    rows = survey(mean="count", between=(1, 4))
    truth = released(rows, place, folder, epsilon=TRUE, **asked)
    made = released(rows, place, folder, epsilon=epsilon, **asked)
    law = np.random.default_rng()
    count, low = truth.reading.counts(0.9)[0], truth.reading.low
    total = 1 * low + 4 * (count - low)
    naive = (total + law.laplace(0, 4 * cap / (epsilon / 2), total.shape)) / (
        count + law.laplace(0, cap / (epsilon / 2), total.shape)
    )
    answered = np.where(made.distinguishable(), made.estimate, np.nan)
    held = np.where(count > 0.5, truth.estimate, np.nan)
    figure, axes = plt.subplots(1, 3, figsize=(7.6, 2.9), layout="constrained")
    titles = ("the truth, capped", "noisy sum / noisy count", "dpmap, grey: no answer")
    for ax, values, title in zip(axes, (held, naive, answered), titles, strict=True):
        ax.imshow(np.where(place.inside, 0, np.nan), cmap="Greys", vmin=-1, vmax=3)
        shown = ax.imshow(values, vmin=1, vmax=2.5, cmap="magma_r")
        ax.set_axis_off()
        ax.set_title(title, fontsize=9)
    figure.colorbar(shown, ax=axes, shrink=0.7, label="birds in a sighting", extend="both")


def gaussian(folder):
    """How wide a cell's interval is by either noise; and the same survey under both, at a cap of 25 cells."""
    rows, place, cap, delta = survey(), grid("5 km"), 25, "1e-6"
    options = {"strategy": "flat", "limiter": "presence", "cap": cap}
    truth = released(rows, place, folder, epsilon=TRUE, **options)
    figure, axes = plt.subplots(
        2, 2, figsize=(6.6, 5.4), layout="constrained", width_ratios=(1, 1.22)
    )
    caps = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100])
    axes[0, 0].loglog(caps, [half_width(1, one) for one in caps], "o-", color=RED, label="Laplace")
    normal = [
        1.645 * float(dm.Policy(epsilon=1, unit="who", cap=int(one), delta=delta).scale)
        for one in caps
    ]
    axes[0, 0].loglog(caps, normal, "s-", color=DARK, label="Gaussian")
    axes[0, 0].axvline(cap, color="#9a9a9a", linestyle=":")
    plain(axes[0, 0], xlabel="cap: cells a unit may touch")
    axes[0, 0].set_title("90 % half-width of a cell, points", fontsize=9)
    axes[0, 0].set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
    axes[0, 0].set_yticks([3, 10, 30, 100], ["3", "10", "30", "100"])
    axes[0, 0].minorticks_off()
    axes[0, 0].legend(frameon=False, fontsize=8)
    top = np.nanquantile(truth.estimate, 0.995)
    field(axes[0, 1], truth, "the truth, capped at 25 cells", top)
    for ax, name, more in ((axes[1, 0], "Laplace", {}), (axes[1, 1], "Gaussian", {"delta": delta})):
        made = [released(rows, place, folder, epsilon=1, **options, **more) for _ in range(10)]
        error = np.mean([np.nanmean(np.abs(one.estimate - truth.estimate)) for one in made])
        shown = field(ax, made[0], f"{name}, epsilon 1: error {error:.1f} a cell", top)
    figure.colorbar(shown, ax=axes[:, 1], shrink=0.6, label="points in a cell", extend="max")


def local(_):
    """Each volunteer's main cell: the truth, from her own device, from a trusted curator; and the price by their number."""
    sys.path.insert(0, str(SAMPLES))
    from make_reports import main_cells

    place, cells = main_cells()
    asked = dm.local.read_question(SAMPLES / "question.json")
    lines = [dm.local.randomise(cell, asked) for cell in cells]
    reported = dm.local.aggregate(lines, asked)
    count, epsilon = len(cells), float(asked.epsilon)
    truth = np.where(place.inside, 0.0, np.nan)
    truth[place.inside] = np.bincount(
        [cell for cell in cells if cell is not None], minlength=place.cells_inside
    )
    curated = np.where(
        place.inside, dm.simulate(np.nan_to_num(truth), epsilon=epsilon, strategy="flat"), np.nan
    )
    error = reports_standard_error(count, float(asked.truth), float(asked.other))
    figure = plt.figure(figsize=(7.2, 4.9), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.15, 1))
    axes, top = above.subplots(1, 3), np.nanmax(truth)
    maps = (
        (truth, f"the truth: {count} volunteers"),
        (reported.estimate, f"nobody trusted: \N{PLUS-MINUS SIGN}{error:.0f} a cell"),
        (curated, f"a trusted curator: \N{PLUS-MINUS SIGN}{math.sqrt(2) / epsilon:.1f} a cell"),
    )
    for ax, (values, title) in zip(axes, maps, strict=True):
        shown = ax.imshow(values, vmin=0, vmax=top, cmap="magma_r")
        ax.set_axis_off()
        ax.set_title(title, fontsize=9)
    above.colorbar(shown, ax=axes, shrink=0.8, label="volunteers in a cell", extend="max")
    many, ax = np.geomspace(100, 10**6, 30), below.subplots()
    chances = float(asked.truth), float(asked.other)
    ax.loglog(
        many,
        [100 * reports_standard_error(int(n), *chances) / n for n in many],
        color=RED,
        label="nobody trusted",
    )
    ax.loglog(many, 100 * math.sqrt(2) / epsilon / many, color=DARK, label="a trusted curator")
    plain(
        ax,
        xlabel=f"volunteers (epsilon {epsilon:g}, {place.cells_inside} cells)",
        ylabel="standard error of a\ncell, % of all",
    )
    ax.legend(frameon=False, fontsize=8)


def seasons_and_partners(folder):
    """What each season's map is worth under either plan; and one of three partners' maps beside all three in one."""
    figure = plt.figure(figsize=(7.2, 5.6), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.15))
    axes, season = above.subplots(1, 2), np.arange(1, 13)
    for scheme, colour in (("even", DARK), ("decaying", RED)):
        dealt = dm.Ledger(folder / f"{scheme}.ledger").plan("3", releases=12, scheme=scheme)
        widths = np.array([half_width(share) for share in dealt])
        axes[0].plot(season, widths, "o-", color=colour, label=scheme, markersize=4)
        axes[1].plot(
            season, 100 * widths / (50 * season), "o-", color=colour, label=scheme, markersize=4
        )
    plain(axes[0], xlabel="season", ylim=(0, None))
    plain(axes[1], xlabel="season", ylim=(0, None))
    axes[0].set_title("90 % half-width of a cell, points", fontsize=9)
    axes[1].set_title("the same in % of a cell that gains 50 a season", fontsize=9)
    axes[0].legend(frameon=False, fontsize=8, title="12 shares of epsilon 3", title_fontsize=8)
    place, lines = grid("5 km"), (SAMPLES / "raptors.csv").read_text("utf-8").splitlines()
    partners = []
    for number in range(3):
        mine = [
            line
            for line in lines[1:]
            if sum(line.split(",")[1].strip().lower().encode()) % 3 == number
        ]
        (folder / f"{number}.csv").write_text("\n".join([lines[0], *mine]), "utf-8")
        partners.append(released(dm.read(folder / f"{number}.csv"), place, folder, epsilon="1"))
    truth = released(survey(), place, folder, epsilon=TRUE, strategy="flat")
    maps = (partners[0], "one partner's map: epsilon 1"), (dm.merge(partners, signed_by="A. Steward"), "three partners', merged"), (truth, "the truth, capped")  # fmt: skip
    axes, top = below.subplots(1, 3), np.nanquantile(truth.estimate, 0.995)
    for ax, (made, title) in zip(axes, maps, strict=True):
        shown = field(ax, made, title, top)
    below.colorbar(shown, ax=axes, shrink=0.8, label="points in a cell", extend="max")


def tiers(folder):
    """Three tiers of one draw, and how far each tier's cells are off, beside three releases that share its epsilon."""
    rows, place, readers = survey(), grid(), {"public": "0.3", "partners": "1", "manager": "3"}
    truth = released(rows, place, folder, epsilon=TRUE, strategy="flat").estimate
    shares = {name: Fraction(loss) * 3 / Fraction("4.3") for name, loss in readers.items()}

    def off(release):
        return np.nanmean(np.abs(release.estimate - truth))

    draws = [released(rows, place, folder, epsilon="3", tiers=readers) for _ in range(RUNS)]
    apart = [
        {name: released(rows, place, folder, epsilon=share) for name, share in shares.items()}
        for _ in range(RUNS)
    ]
    figure = plt.figure(figsize=(7.2, 4.6), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.1, 1))
    axes, top = above.subplots(1, 3), np.nanquantile(truth, 0.995)
    for ax, (name, loss) in zip(axes, readers.items(), strict=True):
        shown = field(ax, draws[0][name], f"{name}: epsilon {loss}", top)
    above.colorbar(shown, ax=axes, shrink=0.8, label="points in a cell", extend="max")
    ax, at = below.subplots(), np.arange(len(readers))
    ways = (
        (draws, "tiers of one draw: epsilon 3 for all", DARK),
        (apart, "three releases of 0.21, 0.7 and 2.1: epsilon 3 in all", RED),
    )
    for shift, (made, words, colour) in zip((-0.2, 0.2), ways, strict=True):
        ax.bar(
            at + shift,
            [np.mean([off(one[name]) for one in made]) for name in readers],
            0.38,
            color=colour,
            label=words,
        )
    ax.set_xticks(at, readers)
    plain(ax, ylabel="mean error of a cell, points")
    ax.legend(frameon=False, fontsize=8)


def prior(folder):
    """A thin map by itself and with an earlier one as prior; and how far its cells are off without, with a right and with a wrong prior."""
    rows, place, losses = survey(), grid("5 km"), ("0.1", "0.3", "1")
    truth = released(rows, place, folder, epsilon=TRUE, strategy="flat").estimate
    earlier = released(rows, place, folder, epsilon="1")
    wrong = np.nan_to_num(earlier.estimate[::-1, ::-1])
    ways = {
        "without a prior": None,
        "an earlier map of epsilon 1": earlier,
        "the same, upside down": wrong,
    }
    made = {
        (words, loss): [released(rows, place, folder, epsilon=loss, prior=one) for _ in range(RUNS)]
        for words, one in ways.items()
        for loss in losses
    }
    figure = plt.figure(figsize=(7.2, 4.8), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.1, 1))
    axes, top = above.subplots(1, 3), np.nanquantile(truth, 0.995)
    field(axes[0], earlier, "an earlier map: epsilon 1", top)
    for ax, words in zip(axes[1:], ways, strict=False):
        title = "epsilon 0.3, alone" if ways[words] is None else "epsilon 0.3, with the earlier map"
        shown = field(ax, made[words, "0.3"][0], title, top)
    above.colorbar(shown, ax=axes, shrink=0.8, label="points in a cell", extend="max")
    ax, at = below.subplots(), np.arange(len(losses))
    for shift, words, colour in zip((-0.27, 0, 0.27), ways, (DARK, RED, PALE), strict=True):
        off = [
            np.mean([np.nanmean(np.abs(one.estimate - truth)) for one in made[words, loss]])
            for loss in losses
        ]
        ax.bar(at + shift, off, 0.25, color=colour, label=words)
    ax.set_xticks(at, [f"epsilon {loss}" for loss in losses])
    plain(ax, ylabel="mean error of a cell, points")
    ax.legend(frameon=False, fontsize=8)


def season(seed, *, folder, elsewhere=False, size=4_000):
    """Rows of one invented year: who reports differs from year to year, the land does not; or all lies elsewhere."""
    rows, dice = pd.read_csv(SAMPLES / "raptors.csv"), np.random.default_rng(seed)
    found = (
        rows[["longitude", "latitude"]]
        .dropna()
        .sample(size, replace=True, random_state=dice, ignore_index=True)
    )
    found["observer_id"] = range(size)
    if elsewhere:
        found.longitude = rows.longitude.quantile([0.01, 0.99]).sum() - found.longitude
    path = folder / f"{seed}-{elsewhere}.csv"
    found.to_csv(path, index=False)
    return dm.read(path)


def series(folder):
    """The newest of four seasons by itself and read with the others; and how far its cells are off, with and without, and after a jump."""
    place, losses = grid("5 km"), ("0.1", "0.3", "1")
    years = [season(seed, folder=folder) for seed in range(4)]
    jumped = [season(seed, folder=folder, elsewhere=True) for seed in range(3)]
    truth = released(years[-1], place, folder, epsilon=TRUE, cap=1, strategy="flat").estimate
    ways = {
        "alone": [],
        "with three seasons before": years[:3],
        "with three that lie elsewhere": jumped,
    }
    made = {(words, loss): [] for words in ways for loss in losses}
    for loss in losses:
        for _ in range(RUNS):
            newest = released(years[-1], place, folder, epsilon=loss, cap=1)
            for words, before in ways.items():
                told = [released(one, place, folder, epsilon=loss, cap=1) for one in before]
                made[words, loss].append(dm.open_series([*told, newest]).newest if told else newest)
    figure = plt.figure(figsize=(7.2, 4.8), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.1, 1))
    axes, top = above.subplots(1, 3), np.nanquantile(truth, 0.995)
    for ax, words in zip(axes, ("alone", "with three seasons before"), strict=False):
        field(ax, made[words, "0.3"][0], f"epsilon 0.3, {words}", top)
    shown = axes[2].imshow(truth, vmin=0, vmax=top, cmap="magma_r")
    axes[2].set_axis_off()
    axes[2].set_title("the truth of that season", fontsize=9)
    above.colorbar(shown, ax=axes, shrink=0.8, label="points in a cell", extend="max")
    ax, at = below.subplots(), np.arange(len(losses))
    for shift, words, colour in zip((-0.27, 0, 0.27), ways, (DARK, RED, PALE), strict=True):
        off = [
            np.mean([np.nanmean(np.abs(one.estimate - truth)) for one in made[words, loss]])
            for loss in losses
        ]
        ax.bar(at + shift, off, 0.25, color=colour, label=words)
    ax.set_xticks(at, [f"epsilon {loss} a season" for loss in losses])
    plain(ax, ylabel="mean error of a cell, points")
    ax.legend(frameon=False, fontsize=8)


RUNS = 12
"""So many draws make a mean error."""
PICTURES = {
    "tiers": tiers,
    "prior": prior,
    "series": series,
    "seasons-and-partners": seasons_and_partners,
    "layers": layers,
    "choosing": choosing,
    "auto-cap": auto_cap,
    "sample": sample,
    "two-units": two_units,
    "personal-limits": personal_limits,
    "means": means,
    "gaussian": gaussian,
    "local": local,
}
"""Each page's picture; a page `NAME.md` shows `NAME.png`."""


def main(names):
    """Draws the named pictures, or all."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            PICTURES[name](Path(folder))
        plt.savefig(HERE / f"{name}.png", dpi=150, pil_kwargs={"optimize": True})
        plt.close("all")
        print(f"wrote {name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
