"""How heavy the interactive map is, and how soon it can be used, in a real Chromium.

    python benchmarks/page.py            # 100,000 cells; --million for 1,000,000 too

Prints for each map the size of the file, the seconds to write it, and the seconds until its cells are drawn, a cell's
words are shown under the pointer, and a project area is answered; then the processor time of the page's thread in all
of this, which a busy machine does not stretch. Beside them: the page folium makes of the same cells
(its size only, since it would fetch its scripts from the network), and the floor, the released values as single floats.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import folium
import numpy as np
import shapely

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))
from builders.pages import Watch, launched  # noqa: E402
from builders.records import measured, told_of  # noqa: E402

from dpmap.grid import Grid, Partition  # noqa: E402
from dpmap.maps import infer  # noqa: E402
from dpmap.render.html_page import write_html  # noqa: E402


def squares(side):
    return Grid(
        bounds=(4e6, 3e6, 4e6 + 1000 * side, 3e6 + 1000 * side), shape=(side, side), crs="EPSG:3035"
    )


def blocks(side):
    """Cells alone in the middle half, blocks of four by four around."""
    grid = squares(side)
    row, column = np.indices(grid.shape)
    middle = (abs(row // 4 * 4 - side // 2) < side // 4) & (
        abs(column // 4 * 4 - side // 2) < side // 4
    )
    labels = np.where(middle, side * side + row * side + column, row // 4 * side + column // 4)
    partition = Partition(np.unique(labels, return_inverse=True)[1].reshape(grid.shape))
    record, _ = told_of(grid)
    noise = np.random.default_rng(1).laplace(0, 4, partition.regions)
    last = measured(partition, partition.sums(np.full(grid.shape, 3.0)), record.policy, noise)
    made = type(record)(
        **{**{key: getattr(record, key) for key in record.__slots__}, "measurements": (last,)}
    )
    return made, infer(grid, made.measurements)


def flat(grid):
    row, column = (axis / max(1, axis.max()) for axis in grid.layout())
    totals = np.floor(300 * np.exp(-((row - 0.3) ** 2 + (column - 0.6) ** 2) / 0.02))
    return told_of(grid, totals[grid.inside.ravel()])


def used(browser, path):
    """Seconds until the page is drawn, tells of a cell, and has answered about an area; and its thread's own seconds."""
    watch, start = Watch(browser), time.perf_counter()
    inspector = watch.context.new_cdp_session(watch.page)
    inspector.send("Performance.enable", {"timeDomain": "threadTicks"})
    page = watch.open(path)
    drawn = time.perf_counter() - start
    box = page.locator(".dp-map").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".dp-tip:not([hidden])")
    told = time.perf_counter() - start
    page.evaluate(
        """() => { const [[s, w], [n, e]] = dpmap.page.facts.geometry.bounds, x = (e - w) / 3, y = (n - s) / 3;
        dpmap.page.areas.zones.total([[[w + x, s + y], [e - x, s + y], [e - x, n - y], [w + x, n - y]]]); }"""
    )
    answered = time.perf_counter() - start
    spent = {
        one["name"]: one["value"] for one in inspector.send("Performance.getMetrics")["metrics"]
    }["TaskDuration"]
    assert not watch.complaints, watch.complaints
    watch.close()
    return drawn, told, answered, spent


def folium_megabytes(grid):
    shapes = grid.to_geodataframe().iloc[:2000].to_crs(4326)
    shapes["estimate"] = 0.123456
    page = folium.Map()
    folium.GeoJson(shapes.to_json()).add_to(page)
    return len(page.get_root().render()) * grid.cells_inside / len(shapes) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--million", action="store_true")
    cases = {
        "100,489 squares, flat": lambda: flat(squares(317)),
        "102,400 squares, blocks": lambda: blocks(320),
        "100,000 hexagons, flat": lambda: flat(
            Grid.hexagons(shapely.Point(-4, 56).buffer(1.7), resolution=8)
        ),
    }
    if parser.parse_args().million:
        cases["1,000,000 squares, flat"] = lambda: flat(squares(1000))
    print(
        f"{'':26} {'MB':>6} {'folium':>7} {'floor':>6} {'write s':>8} {'drawn s':>8} {'cell s':>7} {'area s':>7} {'its CPU s':>9}"
    )
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        for name, make in cases.items():
            record, estimate = make()
            path, start = Path(folder, "map.html"), time.perf_counter()
            write_html(record, estimate, path)
            wrote, count = time.perf_counter() - start, record.grid.cells_inside
            sizes = (path.stat().st_size / 1e6, folium_megabytes(record.grid), count * 4 / 1e6)
            times = (wrote, *min(used(browser, path) for _ in range(3)))
            print(f"{name:26} {sizes[0]:6.2f} {sizes[1]:7.0f} {sizes[2]:6.2f} {times[0]:8.1f} "
                  f"{times[1]:8.2f} {times[2]:7.2f} {times[3]:7.2f} {times[4]:9.2f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
