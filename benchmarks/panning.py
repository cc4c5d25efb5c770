"""How smoothly the saved page moves with 30,000 patches, in a real Chromium, by Chromium's own trace of its frames.

    python benchmarks/panning.py [ROUNDS] [--ratio 2]      # 5 rounds take some ten minutes; --ratio 2 for a fine screen

Two releases of invented land: squares, and parishes that are drawn as polygons. Each page is opened, dragged about, zoomed by the
wheel and dragged again, all by scripted mouse, with a dot on it that changes in every frame, so that each frame which Chromium
could have drawn and did not shows up as a gap. Printed for each page, in milliseconds, as the median of the rounds and the worst:

frame     the longest time from one frame drawn to the next (the trace's DrawFrame)
99 %      its 99th percentile
rAF       the longest time between two calls of requestAnimationFrame, as the page itself sees it
task      the longest task of the page's main thread (the trace's RunTask), and the processor time of the dearest one, which a busy
          machine stretches less

and of the page the seconds until it is drawn, and the size of its file. Beside ours, in the same minutes: the rival, the same patches
as folium writes them on Leaflet's canvas; the floor, folium's page without any patch. Whatever they would fetch but Leaflet is refused.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import folium
import numpy as np
import shapely
from public_release import make_release

import dpmap as dm
from dpmap.grid.polygon_cells import Areas

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from builders.pages import Watch, launched  # noqa: E402

MAP = (920, 849)
"""Pixels of our map in a window of 1280 x 900, beside its panel; the others get as many."""
KINDS = (
    "devtools.timeline",
    "toplevel",
    *(f"disabled-by-default-devtools.timeline{part}" for part in ("", ".frame")),
)
DOT = """() => { const dot = document.createElement("div"); let n = 0; globalThis.ticks = [];
    dot.style.cssText = "position: fixed; left: 0; top: 0; width: 2px; height: 2px; z-index: 9999";
    document.body.append(dot);
    const tick = (now) => { ticks.push(now); dot.style.background = n++ % 2 ? "#123456" : "#123457"; requestAnimationFrame(tick); };
    requestAnimationFrame(tick); }"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
DRAGS = (
    ((0.6, 0.6), (0.4, 0.4)),
    ((0.4, 0.5), (0.65, 0.55)),
    ((0.5, 0.4), (0.45, 0.65)),
    ((0.6, 0.5), (0.4, 0.5)),
)


def land(across, down, points):
    """Invented totals of places, given from 0 to 1 each way: hills of many widths."""
    dice = np.random.default_rng(8)
    hills = zip(
        *dice.uniform(0.1, 0.9, (2, 40)),
        dice.uniform(0.02, 0.15, 40),
        dice.uniform(0.2, 1, 40),
        strict=True,
    )
    density = sum(
        high * np.exp(-((across - x) ** 2 + (down - y) ** 2) / 2 / wide**2)
        for x, y, wide, high in hills
    )
    return dice.poisson(points * density / density.sum())


def squares(side, points):
    down, across = np.indices((side, side)) / side
    grid = dm.Grid(
        bounds=(3.4e6, 3.3e6, 3.4e6 + 1000 * side, 3.3e6 + 1000 * side),
        shape=(side, side),
        crs="EPSG:3035",
    )
    return released(grid, land(across, down, points), "adaptive")


def parishes(count, points):
    """Voronoi cells, as parishes are: unequal polygons of five or six sides."""
    west, south, side = 3.4e6, 3.3e6, 256_000
    places = np.random.default_rng(5).uniform(0, side, (count, 2)) + [west, south]
    box = shapely.box(west, south, west + side, south + side)
    shapes = shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(places), extend_to=box))
    shapes = shapely.intersection(shapes, box)
    middle = (shapely.get_coordinates(shapely.centroid(shapes)) - [west, south]) / side
    grid = dm.Grid(cells=Areas(shapes, tuple(f"Parish {i}" for i in range(count))), crs="EPSG:3035")
    return released(grid, land(*middle.T, points).reshape(grid.shape), "flat")


def released(grid, counts, strategy):
    """A release of public counts by the vault's own noise, without a ledger."""
    policy = dm.Policy(epsilon="1", unit="observer", cap=1)
    return make_release(counts, grid, policy, strategy)


def by_folium(path, patches):
    """The same patches as folium writes them, in five colours."""
    shapes = patches[["geometry", "per_km2"]].to_crs(4326)
    edges = np.quantile(shapes["per_km2"], [0.2, 0.4, 0.6, 0.8])
    west, south, east, north = shapes.total_bounds
    page = bare(((south, west), (north, east)))
    colours = ("#fff3b2", "#fec57b", "#f97b5c", "#d6446d", "#9f2a85")
    shown = {"weight": 0.6, "color": "#333333", "fillOpacity": 1}
    folium.GeoJson(
        shapes.to_json(),
        style_function=lambda one: (
            shown | {"fillColor": colours[np.searchsorted(edges, one["properties"]["per_km2"])]}
        ),
    ).add_to(page)
    page.save(path)


def bare(corners):
    """folium's page with nothing on it."""
    page = folium.Map(prefer_canvas=True, tiles=None, width=MAP[0], height=MAP[1])
    page.fit_bounds(corners)
    return page


def looked_at(browser, path, ratio):
    """What a page makes of being opened, dragged, zoomed and dragged again."""
    watch = Watch(browser, device_scale_factor=ratio)
    watch.page.route(lambda url: url.startswith("http"), stood_in)
    start = time.perf_counter()
    watch.page.goto(path.resolve().as_uri(), timeout=300_000)
    if path.stem == "ours":
        watch.page.wait_for_selector("html[data-ready]")
    watch.page.evaluate(DRAWN)
    found = {"opened": time.perf_counter() - start}
    watch.page.evaluate(DOT)
    box = watch.page.locator(".folium-map").bounding_box()
    found["panning"] = traced(browser, watch.page, lambda: dragged(watch.page, box))
    found["zooming"] = traced(browser, watch.page, lambda: zoomed(watch.page, box))
    found["panning, closer"] = traced(browser, watch.page, lambda: dragged(watch.page, box))
    watch.close()
    return found


def stood_in(route):
    """Leaflet from our own copy where folium would fetch it; nothing else is given."""
    file = ROOT / "dpmap" / "render" / "assets" / route.request.url.rsplit("/", 1)[-1]
    if file.name in ("leaflet.js", "leaflet.css"):
        route.fulfill(path=file)
    else:
        route.abort()


def dragged(page, box):
    """Four ways across the map, a step some sixty times a second, and a rest after each."""
    for start, end in DRAGS:
        page.mouse.move(*at(box, start))
        page.mouse.down()
        for share in np.linspace(0, 1, 30):
            page.mouse.move(*at(box, np.add(start, share * np.subtract(end, start))))
            page.wait_for_timeout(12)
        page.mouse.up()
        page.wait_for_timeout(400)


def zoomed(page, box):
    """Three turns of the wheel inwards, one out."""
    page.mouse.move(*at(box, (0.5, 0.5)))
    for turn in (-120, -120, -120, 120):
        page.mouse.wheel(0, turn)
        page.wait_for_timeout(900)


def at(box, share):
    return box["x"] + box["width"] * share[0], box["y"] + box["height"] * share[1]


def traced(browser, page, act):
    """What the trace says of an act, in milliseconds."""
    page.evaluate("() => { ticks.length = 0; }")
    browser.start_tracing(page=page, categories=list(KINDS))
    act()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    ticks = page.evaluate("() => ticks")
    frames = defaultdict(list)
    for one in events:
        if one["name"] == "DrawFrame":
            frames[one["pid"], one["args"]["layerTreeId"]].append(one["ts"] / 1e3)
    gaps = np.diff(max(frames.values(), key=len))
    threads = {
        (one["pid"], one["tid"]): one["args"]["name"]
        for one in events
        if one["name"] == "thread_name"
    }
    tasks = [one for one in events if one["name"] == "RunTask" and "dur" in one]
    tasks = [one for one in tasks if threads.get((one["pid"], one["tid"])) == "CrRendererMain"]
    return {
        "frame": gaps.max(), "99 %": np.quantile(gaps, 0.99), "rAF": np.diff(ticks).max(),
        "task": max(one["dur"] for one in tasks) / 1e3, "its CPU": max(one.get("tdur", 0) for one in tasks) / 1e3,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rounds", nargs="?", type=int, default=5)
    parser.add_argument(
        "--ratio", type=int, default=1, help="pixels of the screen for each of the page's, each way"
    )
    given = parser.parse_args()
    small = squares(72, 4.2e4)
    with tempfile.TemporaryDirectory() as folder:
        small.draw(Path(folder, "small.html"))
        print(
            f"a page of {len(small.patches()):,} patches: {Path(folder, 'small.html').stat().st_size / 1e3:.0f} kB"
        )
    for name, release in (("squares", squares(250, 4.5e5)), ("parishes", parishes(30_500, 3e6))):
        compared(name, release, given)


def compared(name, release, given):
    """Ours, folium's and the bare page in turn, round by round."""
    patches = release.patches()
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        pages = {kind: Path(folder, f"{kind}.html") for kind in ("ours", "folium", "bare")}
        release.draw(pages["ours"])
        by_folium(pages["folium"], patches)
        bare(((50, -5), (53, 0))).save(pages["bare"])
        busy, found = [os.getloadavg()[0]], defaultdict(list)
        for _ in range(given.rounds):
            for kind, path in pages.items():
                found[kind].append(looked_at(browser, path, given.ratio))
            busy.append(os.getloadavg()[0])
        print(
            f"\n{name}: {len(patches):,} patches, {given.rounds} rounds, load {min(busy):.1f} to {max(busy):.1f}"
        )
        for kind, rounds in found.items():
            told(kind, rounds, pages[kind].stat().st_size / 1e6)


def told(kind, rounds, megabytes):
    """Prints one page: the median of its rounds, and the worst."""
    opened = [one["opened"] for one in rounds]
    print(
        f"  {kind}: opened in {np.median(opened):.1f} s ({max(opened):.1f}), {megabytes:.1f} MB",
        flush=True,
    )
    for act in ("panning", "zooming", "panning, closer"):
        numbers = {key: [one[act][key] for one in rounds] for key in rounds[0][act]}
        words = (f"{key} {np.median(each):.0f} ({max(each):.0f})" for key, each in numbers.items())
        print("    ", f"{act:15}", *(f"{word:16}" for word in words), flush=True)


if __name__ == "__main__":
    main()
