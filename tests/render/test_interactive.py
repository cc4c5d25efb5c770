"""The interactive map: it asks for nothing, answers as the library does, and can be used by everyone."""

import json
import re
from fractions import Fraction

import folium
import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from builders import records
from builders.pages import (
    OVERLAPS,
    Watch,
    axe_faults,
    driver,
    geojson,
    hosts_asked,
    in_page,
    launched,
    until,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Kinds, Times
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference import discoveries, distinguishable
from dpmap.maps import infer, read_map
from dpmap.noise.distributions import DiscreteGaussian
from dpmap.noise.theory import sum_quantile
from dpmap.record import Measurement
from dpmap.releases.merge import merge
from dpmap.releases.release import Release
from dpmap.render.folium_map import explore
from dpmap.render.html_page import content_policy, tile_host, write_html
from dpmap.templates import safe_json

EVERY_LAYER = [
    *(("places", layer) for layer in ("estimate", "low", "high", "width", "compare")),
    *(("cells", layer) for layer in ("estimate", "low", "high", "sure", "hot", "exceeds")),
]
HOSTILE = [
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    '"><svg onload=window.pwned=1>',
    "'+(window.pwned=1)+'",
    "{{7*7}}{% raw %}${window.pwned=1}",
    "<!--<script>",
    "\u2028window.pwned=1//",
    "\u202eevil \u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "]]>&lt;script&gt;",
]
AREA = shapely.Polygon(
    [(-5.6, 56.6), (-4.9, 57.6), (-3.9, 57.7), (-2.9, 57.3), (-3.2, 56.5), (-4.4, 56.2)]
)


def truth(grid, peak=250):
    """A public bumpy surface to stand in for totals."""
    row, column = (axis[grid.inside.ravel()].astype(float) for axis in grid.layout())
    row, column = row / max(1, row.max()), column / max(1, column.max())
    hills = ((0.3, 0.3, 0.12, 1.0), (0.7, 0.35, 0.08, 0.7), (0.45, 0.75, 0.05, 0.9))
    return np.floor(
        sum(
            peak * h * np.exp(-((row - y) ** 2 + (column - x) ** 2) / 2 / s**2)
            for y, x, s, h in hills
        )
    )


def record(
    grid,
    totals=None,
    *,
    partitions=None,
    seed=7,
    cap=5,
    epsilon="1",
    name="Raptor survey 2026",
    **policy,
):
    """A record built by hand: noisy totals of public numbers."""
    totals = (
        truth(grid) if totals is None else np.broadcast_to(totals, grid.cells_inside).astype(float)
    )
    policy = records.promise(epsilon=epsilon, cap=cap, **policy)
    draw, steps = np.random.default_rng(seed), policy.lattice
    cells = np.zeros(grid.shape)
    cells[grid.inside] = totals
    measurements = []
    for partition in partitions or [Partition.cells(grid)]:
        scale = policy.scale * len(partitions or [1])
        law = draw.laplace if policy.delta is None else draw.normal
        noise = law(0, float(scale * steps), partition.regions).round()
        noisy = (partition.sums(cells) * steps + noise).astype(np.int64)
        measurements.append(
            Measurement(
                partition,
                noisy,
                lattice=steps,
                scale=scale,
                epsilon=policy.epsilon,
                kind=policy.noise,
            )
        )
    strategy = "flat" if not partitions else "blocks"
    return records.record(
        grid, policy, measurements, name, {"noun": "sightings"}, strategy=strategy
    )


def squares():
    return Grid.covering(AREA, cell="5 km")


def degrees(side=30):
    return Grid(bounds=(-5, 55, -2, 57), shape=(side, side), crs="EPSG:4326")


def districts(names=("North", "West", "East")):
    shapes = [
        shapely.box(0, 1, 2, 2),
        shapely.Polygon([(0, 0), (1, 0), (1.2, 1), (0, 1)]),
        shapely.box(1.2, 0, 2, 1),
    ]
    return Grid(cells=Areas(np.array(shapes), tuple(names)), crs="EPSG:4326")


def parishes():
    """Areas in a national projection: unequal, one with a hole, one of two parts."""
    shapes = [
        shapely.box(x, y, x + 60_000, y + 90_000)
        for x in (2e5, 2.6e5, 3.2e5)
        for y in (6e5, 6.9e5, 7.8e5)
    ]
    shapes[4] = shapes[4].difference(shapely.Point(2.9e5, 7.3e5).buffer(2e4))
    shapes[8] = shapely.union(
        shapely.affinity.scale(shapes[8], 0.4), shapely.box(4e5, 8e5, 4.2e5, 8.2e5)
    )
    return Grid(
        cells=Areas(np.array(shapes), tuple(f"Parish {i}" for i in range(9))), crs="EPSG:27700"
    )


def in_blocks(grid):
    """Cells alone in the middle, blocks of four by four around, as an adaptive strategy leaves them."""
    row, column = np.indices(grid.shape)
    alone = np.isin(row // 4, (2, 3, 4)) & np.isin(column // 4, (2, 3, 4, 5))
    labels = np.where(alone, 10_000 + row * 100 + column, row // 4 * 100 + column // 4)
    labels[~grid.inside] = -1
    known, labels = np.unique(labels, return_inverse=True)
    return Partition(labels.reshape(grid.shape) - (known[0] < 0))


GRIDS = {
    "squares": squares,
    "degrees": degrees,
    "hexagons": lambda: Grid.hexagons(AREA, resolution=5),
    "areas": districts,
    "areas in metres": parishes,
    "mercator": lambda: Grid.covering(AREA, cell="9 km", crs="EPSG:3857"),
    "blocks": squares,
    "one cell": lambda: Grid(bounds=(4e6, 3e6, 4.1e6, 3.1e6), shape=(1, 1), crs="EPSG:3035"),
    "with a delta": squares,
    "many blocks": lambda: Grid.covering(AREA, cell="1.4 km"),
    "many squares": lambda: Grid.covering(AREA, cell="1.4 km"),
    "many hexagons": lambda: Grid.hexagons(shapely.box(-4, 56, -3.2, 56.7), resolution=8),
}


class Blocks:
    """An estimate whose cells were measured in blocks only: each takes its block's even share."""

    def __init__(self, made):
        self.partition, self.noisy = made.measurements[-1].partition, made.measurements[-1].values
        size = np.bincount(self.partition.labels.ravel(), minlength=self.partition.regions)
        self.high = self.partition.spread(np.maximum(self.noisy + 30, 0))
        self.values = self.partition.spread(np.maximum(self.noisy, 0) / size)

    @property
    def regions(self):
        return self.partition.labels

    def interval(self, level):
        return np.zeros(self.values.shape), self.high

    def p_values(self, threshold=0.0):
        return np.where(self.values > 20 + threshold, 1e-6, 1.0)


@pytest.fixture(scope="module")
def browser(playwright):
    """One Chromium for the whole file."""
    with launched() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def playwright():
    """Playwright runs while this file does, and no longer."""
    with driver():
        yield


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Maps by the name of their grid, made when first asked for."""
    folder, made = tmp_path_factory.mktemp("maps"), {}

    def get(name):
        if name not in made:
            grid = GRIDS[name]()
            partitions = [Partition.whole(grid), in_blocks(grid)] if "blocks" in name else None
            release = record(
                grid, partitions=partitions, delta="1e-6" if name == "with a delta" else None
            )
            path = folder / f"{name}.html"
            write_html(release, infer(release.grid, release.measurements), path)
            made[name] = (release, path)
        return made[name]

    return get


@pytest.fixture
def watch(browser):
    """A fresh page, watched."""
    watched = Watch(browser)
    yield watched
    watched.close()


def choose(page, layer, by="cells"):
    if page.locator("#dp-by").is_visible():
        page.locator(f"#dp-by label:has([value={by}])").click()
    page.locator(f"input[name=dp-layer][value={layer}]").check()


def drag(page, box, start=(0.35, 0.35), end=(0.6, 0.6)):
    page.mouse.move(box["x"] + box["width"] * start[0], box["y"] + box["height"] * start[1])
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end[0], box["y"] + box["height"] * end[1], steps=4)
    page.mouse.up()


def downloaded(page, name):
    """The file that a button of the page hands out."""
    with page.expect_download() as given_out:
        page.locator(f"#dp-{name}").click()
    return given_out.value.path()


def drop(page, text, name="areas.geojson"):
    page.evaluate(
        """([text, name]) => { const data = new DataTransfer(); data.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }""",
        [text, name],
    )


def use_everything(page):
    """Hovers, slides, draws, drops, takes files along, reads the table and prints, on every layer."""
    box = page.locator(".dp-map").bounding_box()
    for by, layer in EVERY_LAYER:
        choose(page, layer, by)
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.45)
        page.mouse.wheel(0, -200)
    page.locator("#dp-slider").focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.locator("#dp-rectangle").click()
    drag(page, box)
    drop(page, geojson(("Wind farm", shapely.box(-4.5, 56.6, -4.2, 56.9))))
    until(page, "document.querySelectorAll('#dp-answers li').length === 2")
    for name in ("csv", "png", "link"):
        page.locator(f"#dp-{name}").click()
    page.locator("#dp-strongest summary").click()
    page.locator("#dp-strongest-rows button").first.click()
    page.emulate_media(color_scheme="dark")
    page.pdf()


def page_total(page, zone):
    """What the page answers about a polygon or several."""
    rings = [
        list(map(list, ring.coords))
        for part in shapely.get_parts(zone)
        for ring in [part.exterior, *part.interiors]
    ]
    told = in_page(page, "(rings) => dpmap.page.areas.zones.total(rings)", rings)
    return {**told, **told.get("found", {})}


def blob(draw, west, south, east, north):
    """A ragged polygon, sometimes with a hole or a second part, or one whose edges cross."""
    x, y = draw.uniform(west, east), draw.uniform(south, north)
    turns = np.sort(draw.uniform(0, 2 * np.pi, 9))
    if draw.random() < 0.2:
        draw.shuffle(turns)
    reach = draw.choice([0.01, 0.05, 0.2, 0.6]) * (east - west) * draw.uniform(0.4, 1, 9)
    ring = shapely.Polygon(
        np.column_stack([x + reach * np.cos(turns), y + reach * np.sin(turns) / 2])
    )
    hole = shapely.affinity.scale(ring, 0.4, 0.4)
    if ring.is_valid and ring.contains(hole):
        return shapely.union(ring.difference(hole), shapely.affinity.scale(hole, 0.5, 0.5))
    return ring


def slivers(grid, zone):
    """Whether a zone meets or leaves out less of a cell than the page's own precision."""
    moved = crs_tools.transform_shapes(np.array([zone]), crs_tools.LONLAT, grid.crs, step=0.01)
    shares = Coverer(grid).cover(shapely.make_valid(moved)[0]).shares
    return bool((np.minimum(shares, 1 - shares) < 1e-6).any())


def same_answer(found, answer, rel=1e-6):
    """Whether the page's answer about a zone is that of `release.ask`, notes and all."""
    assert (found["within"], found["cut"]) == (answer.cells_inside, answer.cells_cut)
    assert found["note"].replace(" % of", "% of") == answer.note
    assert found["km2"] == pytest.approx(answer.area_km2, rel=1e-4)
    assert found["inMap"] == pytest.approx(answer.in_map, abs=2e-3)
    if answer.cells_inside + answer.cells_cut:
        for name in ("estimate", "low", "high", "least", "most"):
            assert found[name] == pytest.approx(getattr(answer, name), rel=rel, abs=rel)
        assert found["perKm2"] == pytest.approx(answer.per_km2, rel=2e-3, abs=1e-9)


class TestStaysOffline:
    """Nothing is fetched, ever."""

    def test_the_check_sees_requests(self):
        """A page with an outside picture shows up in the network log: a check that cannot fail is no check."""
        assert "canary.invalid" in hosts_asked(
            lambda watch: watch.page.set_content(
                '<img src="https://canary.invalid/x.png">', wait_until="load"
            )
        )

    def test_no_requests_whatever_is_done(self, saved):
        """Opening, hovering, sliding, drawing, dropping a file and printing ask for nothing, on every layer."""
        seen = {}

        def act(watch):
            for name in ("squares", "many squares"):
                use_everything(watch.open(saved(name)[1]))
            seen["requests"], seen["complaints"] = watch.outside, watch.complaints

        assert hosts_asked(act) == set()
        assert seen == {"requests": [], "complaints": []}

    def test_a_smuggled_tile_layer_fetches_nothing(self, saved, tmp_path):
        """Tiles and remote scripts added through folium are refused by the page's policy."""
        release, _ = saved("squares")
        page = explore(release, infer(release.grid, release.measurements))
        folium.TileLayer("OpenStreetMap").add_to(page)
        page.get_root().header.add_child(
            folium.Element('<script src="https://smuggled.invalid/a.js"></script>')
        )
        page.save(tmp_path / "smuggled.html")
        assert (
            hosts_asked(lambda watch: use_everything(watch.open(tmp_path / "smuggled.html")))
            == set()
        )

    def test_tiles_only_by_name_and_with_a_warning(self, saved, browser, tmp_path):
        """Chosen tiles warn, say on the map what they disclose, and open the policy to exactly their host."""
        release, _ = saved("squares")
        tiles = "https://tiles.invalid/{z}/{x}/{y}.png"
        with pytest.warns(UserWarning, match="tiles.invalid"):
            write_html(
                release, infer(release.grid, release.measurements), tmp_path / "t.html", tiles=tiles
            )
        watch = Watch(browser)
        page = watch.open(tmp_path / "t.html")
        assert "tiles.invalid" in page.locator("#dp-tiles").inner_text()
        assert {url.split("/")[2] for url in watch.outside} == {"tiles.invalid"}
        watch.close()
        assert "img-src data: blob: https://tiles.invalid;" in content_policy(tile_host(tiles))

    @pytest.mark.parametrize(
        "tiles",
        [
            "http://a.org/{z}/{x}/{y}.png",
            "https://a.org/x.png",
            "https://{s}.a.org/{z}/{x}/{y}",
            "https://a;b/{z}{x}{y}",
        ],
    )
    def test_only_one_secure_host_may_serve_tiles(self, tiles):
        """Plain http, wildcards and addresses that would rewrite the policy are refused."""
        with pytest.raises(BadInput, match="tiles"):
            tile_host(tiles)

    def test_the_policy_comes_first(self, saved):
        """Nothing stands before the policy that it would not govern."""
        head = saved("squares")[1].read_text(encoding="utf-8")[:900]
        assert re.search(
            r"<head>\s*<meta charset=\"utf-8\">\s*<meta http-equiv=\"Content-Security-Policy\"",
            head,
        )
        assert "default-src 'none'" in head

    def test_no_outside_address_is_linked(self, saved):
        """The file names no address to load, and folium's lists of remote files are untouched."""
        text = saved("squares")[1].read_text(encoding="utf-8")
        assert not re.search(r"<link|src\s*=\s*[\"']?(?:https?:)?//", text)
        assert not re.search(r"url\((?!data:|#)", text)
        assert folium.Map.default_js

    def test_a_notebook_saves_what_is_written_to_a_file(self, saved, tmp_path):
        """A map that is explored and saved is the page that stands beside a release, but for the name it draws for itself."""
        release, written = saved("squares")
        explore(release, infer(release.grid, release.measurements)).save(
            str(tmp_path / "explored.html")
        )
        pages = [path.read_text(encoding="utf-8") for path in (written, tmp_path / "explored.html")]
        assert len({re.sub("map_[0-9a-f]{32}", "map", page) for page in pages}) == 1
        assert len({re.search("map_[0-9a-f]{32}", page)[0] for page in pages}) == 2

    def test_in_a_notebook(self, saved, browser, tmp_path):
        """Embedded in a notebook the map opens in a sandboxed frame, its policy intact."""
        release, _ = saved("squares")
        cell = explore(release, infer(release.grid, release.measurements))._repr_html_()
        watch = Watch(browser)
        (tmp_path / "notebook.html").write_text(cell, encoding="utf-8")
        watch.page.goto((tmp_path / "notebook.html").as_uri())
        frame = watch.page.frame_locator("iframe")
        frame.locator("html[data-ready]").wait_for(state="attached")
        assert frame.locator("#dp-title").inner_text() == "Raptor survey 2026"
        assert not watch.outside
        assert not watch.complaints
        watch.close()


class TestSaysWhatTheReleaseSays:
    """Every number on the page is the library's."""

    @pytest.mark.parametrize("name", GRIDS)
    def test_cells(self, name, saved, watch):
        """Estimates, intervals, confidences and discoveries equal the library's for every cell of every grid."""
        release, path = saved(name)
        page, reading, inside = (
            watch.open(path),
            infer(release.grid, release.measurements),
            release.grid.inside,
        )
        got = in_page(page, """() => { const r = dpmap.page.reading, f = (value) => Array.from({length: r.count}, (_, i) => value(i));
            return { estimate: f(r.estimate), low: f(r.low), high: f(r.high), sure: Array.from(r.sure), t: r.thresholds[1],
                     confidence: f(r.confidence(1)), exceeds: f(r.exceeding(1)) }; }""")  # fmt: skip
        low, high = reading.interval(0.9)
        expected = {
            "estimate": reading.values,
            "low": low,
            "high": high,
            "confidence": 1 - reading.p_values(got["t"]),
        }
        for key, value in expected.items():
            np.testing.assert_allclose(got[key], value[inside], rtol=1e-9, atol=1e-9)
        assert (np.array(got["sure"], bool) == distinguishable(reading)[inside]).all()
        sure = discoveries(read_map(release).exceedance(reading, got["t"]))[inside]
        assert (np.array(got["exceeds"]) == sure).all()
        assert watch.complaints == []

    @pytest.mark.parametrize(
        "name", ["squares", "degrees", "hexagons", "areas", "many squares", "many blocks"]
    )
    def test_hover(self, name, saved, watch):
        """The words shown over a place are those of the cell the grid finds there."""
        release, path = saved(name)
        page, reading = watch.open(path), infer(release.grid, release.measurements)
        low, high = reading.interval(0.9)
        choose(page, "estimate")
        box, checked = page.locator(".dp-map").bounding_box(), 0
        for across, down in np.random.default_rng(3).uniform(0.15, 0.85, (25, 2)).tolist():
            x, y = round(box["width"] * across), round(box["height"] * down)
            page.mouse.move(box["x"] + x, box["y"] + y)
            lon, lat = in_page(
                page,
                "(x, y) => { const p = dpmap.page.map.containerPointToLatLng([x, y]); return [p.lng, p.lat]; }",
                x,
                y,
            )
            cell = int(release.grid.locate([lon], [lat], "EPSG:4326")[0])
            assert page.locator(".dp-tip").is_visible() == (cell >= 0)
            if cell >= 0:
                checked += 1
                words = page.locator(".dp-tip").inner_text()
                shown = [
                    float(n.replace(",", ""))
                    for n in re.findall(
                        r"(?<![\w.])[\d,]+(?:\.\d+)?(?:e[+-]\d+)?", words.split("\n", 1)[1]
                    )
                ]
                expected = [reading.values.ravel()[cell], 90, low.ravel()[cell], high.ravel()[cell]]
                for got, true in zip(shown, expected, strict=False):
                    assert got == pytest.approx(true, abs=0.051 if true < 100 else 0.51)
        assert checked > 5

    @pytest.mark.parametrize(
        "name", ["squares", "hexagons", "areas in metres", "blocks", "many hexagons", "one cell"]
    )
    def test_places(self, name, saved, watch):
        """Places, what each holds and which class each reading puts it in are those of `release.patches()`; their outlines
        hold the very cells; pointing at one and the table of strongest ones tell its numbers."""
        made, path = saved(name)
        page, grid = watch.open(path), made.grid
        found, frame = read_map(made).patches(0.9), Release(made).patches()
        got = in_page(page, """() => { const p = dpmap.page.places, f = (x) => Array.from(x); return { of: f({length: dpmap.page.facts.cells}).map((_, i) => p.of(i)),
            told: f(p.told), estimate: f(p.estimate), low: f(p.low), high: f(p.high), km2: f(p.squareKm), edges: dpmap.page.facts.edges }; }""")  # fmt: skip
        place = found.place[grid.inside]
        assert np.array_equal(got["of"], place)
        for key, values in {"told": found.told, "estimate": found.estimate, "low": found.low, "high": found.high, "km2": found.square_km}.items():  # fmt: skip
            np.testing.assert_allclose(np.array(got[key], float), values.astype(float), rtol=1e-6)
        edges = got["edges"]
        for what in ("estimate", "low", "high"):
            choose(page, what, "places")
            density = getattr(found, what) / found.square_km
            classes = np.clip(np.searchsorted(edges, density, side="right") - 1, 0, len(edges) - 2)
            tints = np.where(found.told, classes, len(edges) - 1)[place]
            assert np.array_equal(
                in_page(page, "() => Array.from(dpmap.page.layer.scene.tints)"), tints
            )
        choose(page, "estimate", "places")
        for number in {0, len(found) // 2, len(found) - 1}:
            members = np.flatnonzero(place == number)
            outline = in_page(
                page, "(n) => dpmap.outlineOf(dpmap.page.cells, dpmap.page.places, n)", int(number)
            )
            parts = [
                shapely.Polygon(outer, holes)
                for outer, *holes in in_page(page, "dpmap.polygonsIn", outline)
            ]
            drawn = shapely.MultiPolygon(parts)
            assert drawn.is_valid
            true = crs_tools.transform_shapes(
                frame.geometry.to_numpy()[[number]], grid.crs, crs_tools.LONLAT, step=1e4
            )[0]
            slack = 0.5 if name == "many hexagons" else 2e-3
            assert shapely.area(shapely.symmetric_difference(drawn, true)) < slack * true.area
            in_page(
                page,
                "(cell) => { dpmap.page.pointing.show(cell, { x: 0, y: 0 }); }",
                int(members[0]),
            )
            words = page.locator(".dp-tip").inner_text()
            assert (f"{len(members):,} cell" in words) and ("is not known" in words) == (
                len(members) > 1
            )
        strongest = (
            found.told & (found.low > 0) & (found.high / found.square_km > found.nearly_empty)
        )
        page.locator("#dp-strongest summary").click()
        assert page.locator("#dp-strongest-rows tr").count() == min(50, strongest.sum())
        assert watch.complaints == []

    @pytest.mark.parametrize(
        "name", ["squares", "hexagons", "areas in metres", "with a delta", "blocks", "many squares"]
    )
    def test_hot_spots(self, name, saved, watch):
        """Cells, clusters and totals above their surroundings are those of `release.hotspots()`, on the map, over a cell
        and in the table; cells that could not be tested are named so."""
        made, path = saved(name)
        found, page = Release(made).hotspots(), watch.open(path)
        choose(page, "hot")
        tints = np.array(in_page(page, "() => Array.from(dpmap.page.layer.scene.tints)"))
        assert np.array_equal(tints == 1, found.cells[made.grid.inside])
        assert np.array_equal(tints == 2, np.isnan(found.p_values[made.grid.inside]))
        totals = found.to_geodataframe()[["estimate", "low", "high"]].to_numpy()
        np.testing.assert_allclose(
            np.reshape(in_page(page, "() => dpmap.page.hot.totals"), (-1, 3)), totals
        )
        page.locator("#dp-hot summary").click()
        assert page.locator("#dp-hot-rows tr").count() == min(50, len(found))
        words = f"{len(found):,} hot spot" if len(found) else "No cell is shown to be denser"
        assert words in page.locator("#dp-explain").inner_text()
        if len(found):
            page.locator("#dp-hot-rows button").first.click()
            assert "in hot spot 1 (" in page.locator(".dp-tip").inner_text()
        assert watch.complaints == []

    def test_blocks_are_shown_as_one(self, saved, watch):
        """Cells measured in a block are told so and outlined together, and no confidence is claimed for one of them."""
        made, path = saved("blocks")
        page, alone = watch.open(path), read_map(made).alone()[made.grid.inside]
        sizes = in_page(
            page,
            "() => Array.from({length: dpmap.page.facts.cells}, (_, i) => dpmap.page.regions.sizeOf(i))",
        )
        assert np.array_equal(np.array(sizes) == 1, alone) and not alone.all() and alone.any()
        several = np.flatnonzero(
            np.bincount(made.measurements[-1].partition.labels[made.grid.inside]) > 1
        )
        choose(page, "exceeds")
        assert in_page(
            page, "() => dpmap.page.cells.shapes.outlined(dpmap.page.regions).length"
        ) == len(several)
        tints = in_page(page, "() => Array.from(dpmap.page.layer.scene.tints)")
        assert np.array_equal(np.array(tints) == 7, ~alone)
        assert "not known cell by cell" in page.locator("#dp-legend").inner_text()
        in_page(
            page,
            "(cell) => { dpmap.page.pointing.show(cell, { x: 0, y: 0 }); }",
            int(np.argmin(alone)),
        )
        words = page.locator(".dp-tip").inner_text()
        assert "cells measured as one block" in words and "confidence" not in words

    @pytest.mark.parametrize(
        "name",
        [
            "squares",
            "degrees",
            "mercator",
            "hexagons",
            "areas",
            "areas in metres",
            "one cell",
            "with a delta",
            "blocks",
            "many blocks",
        ],
    )
    def test_zones(self, name, saved, watch):
        """What the page says of a project area is what `release.ask` says: cells inside and cut, estimate, bounds, ground
        and notes, for ragged areas with holes, parts and crossing edges, small, large, along cell edges and outside."""
        made, path = saved(name)
        release, page = Release(made), watch.open(path)
        (south, west), (north, east) = in_page(page, "() => dpmap.page.facts.geometry.bounds")
        draw = np.random.default_rng(5)
        zones = [
            shapely.box(west - 1, south - 1, east + 1, north + 1),
            shapely.box(west - 2, south, west - 1, north),
        ]
        zones += [shapely.box(-4, 55.4, -3, 56.2)] if name == "degrees" else []
        zones += [blob(draw, west, south, east, north) for _ in range(40)]
        zones = [zone for zone in zones if not slivers(made.grid, zone)]
        assert len(zones) > 30
        answers = release.ask(gpd.GeoDataFrame(geometry=zones, crs="EPSG:4326"))
        for zone, answer in zip(zones, answers.itertuples(), strict=True):
            same_answer(page_total(page, zone), answer)
        assert len(set(answers["note"])) > 3 or name in ("one cell", "areas")

    def test_zones_on_an_image_of_cells_are_never_too_narrow(self, saved, watch):
        """Where cells are known by pixels only, at least and at most hold the exact ones."""
        release, path = saved("many hexagons")
        page, reading = watch.open(path), infer(release.grid, release.measurements)
        cells = release.grid.polygons()
        shapely.prepare(cells)
        asked = Release(release)
        assert in_page(page, "() => Boolean(dpmap.page.facts.geometry.image)")
        for zone in [
            shapely.box(-3.9, 56.1, -3.6, 56.4),
            shapely.Point(-3.7, 56.3).buffer(0.1),
            shapely.box(-3.8, 56.2, -3.5, 56.2001),
        ]:
            _, low, high = reading.zone(
                shapely.covered_by(cells, zone), shapely.intersects(cells, zone), 0.9
            )
            found, answer = page_total(page, zone), asked.ask(zone).iloc[0]
            assert found["least"] <= low + 1e-6
            assert found["most"] >= high - 1e-6
            assert found["estimate"] == pytest.approx(answer["estimate"], rel=0.02, abs=5)

    def test_sums_of_noise(self, saved, watch):
        """The page's quantile of a sum of noises is the library's."""
        page = watch.open(saved("one cell")[1])
        for level in (0.5, 0.9, 0.95, 0.99):
            for count in (1, 2, 17, 400, 100_000):
                got = in_page(page, "dpmap.law.sumQuantile", level, 3.5, count)
                assert got == pytest.approx(sum_quantile(level, ((3.5, count),)), rel=1e-9)
                got = in_page(page, "dpmap.law.sumQuantile", level, 3.5, count, "gaussian")
                assert got == pytest.approx(
                    DiscreteGaussian(Fraction(7, 2)).of_sum(level, count), rel=1e-9
                )

    def test_gaussian_tails(self, saved, watch):
        """The page's chances of Gaussian noise are the library's, near the middle and far out."""
        page, law = watch.open(saved("one cell")[1]), DiscreteGaussian(Fraction(1000))
        for steps in (-5, 0, 1, 2, 700, 2999, 3001, 8000, 30_000):
            got = in_page(page, "dpmap.law.pValue", steps / 10, 0, 1000, 10, "gaussian")
            assert got == pytest.approx(float(law.at_least(np.array(steps))), rel=1e-9)

    def test_a_merged_map(self, watch, tmp_path):
        """The page of partners' maps in one answers for project areas as `ask` does, whoever measured blocks, and offers no
        hot spots."""
        grid = degrees(24)
        row, column = np.divmod(np.arange(576), 24)
        blocks = Partition((row // 3 * 8 + column // 3).reshape(24, 24))
        part = Grid(
            bounds=(-5, 55, -3, 57),
            shape=(24, 16),
            crs="EPSG:4326",
            mask=np.indices((24, 16))[0] > 9,
        )
        for others in ([record(part, 30.0, name="B")], [record(grid, 9.0, partitions=[blocks], name="B"), record(part, 5.0, name="C", cap=2)]):  # fmt: skip
            merged = merge([Release(one) for one in [record(grid, name="A"), *others]])
            merged.draw(tmp_path / "m.html")
            page = watch.open(tmp_path / "m.html")
            (south, west), (north, east) = in_page(page, "() => dpmap.page.facts.geometry.bounds")
            draw = np.random.default_rng(5)
            zones = [
                shapely.box(west, south, east, north),
                *(blob(draw, west, south, east, north) for _ in range(12)),
            ]
            zones = [zone for zone in zones if not slivers(merged.grid, zone)]
            for zone, answer in zip(zones, merged.ask(gpd.GeoDataFrame(geometry=zones, crs="EPSG:4326")).itertuples(), strict=True):  # fmt: skip
                same_answer(page_total(page, zone), answer)
            choose(page, "estimate")
            assert page.locator("input[name=dp-layer]").count() == 5
            assert page.locator("#dp-hot").is_hidden()
            for layer in ("low", "sure", "exceeds", "estimate"):
                choose(page, layer)
            assert watch.complaints == []

    def test_measurements_of_blocks(self, watch, tmp_path):
        """Cells measured in blocks only: whole blocks are added up, cut ones bracketed; the ladder gives confidences."""
        grid = degrees(12)
        row, column = np.divmod(np.arange(144), 12)
        partition = Partition((row // 3 * 4 + column // 3).reshape(12, 12))
        release = record(
            grid, np.arange(144) % 7 * 6.0, partitions=[Partition.whole(grid), partition]
        )
        reading = Blocks(release)
        write_html(release, reading, tmp_path / "blocks.html")
        page = watch.open(tmp_path / "blocks.html")
        zone = shapely.box(-5, 55, -5 + 3 / 12 * 7, 56)
        noisy, scale = (
            release.measurements[-1].values.reshape(4, 4),
            float(release.measurements[-1].scale),
        )
        inside, reach = noisy[2:, :2].sum(), noisy[2:, :3].sum()
        found = page_total(page, zone)
        assert found["least"] == pytest.approx(
            max(0, inside - sum_quantile(0.95, ((scale, 4),))), rel=1e-6
        )
        assert found["most"] == pytest.approx(reach + sum_quantile(0.95, ((scale, 6),)), rel=1e-6)
        choose(page, "exceeds")
        exceeds = in_page(
            page, "() => Array.from({length: 144}, (_, i) => dpmap.page.reading.exceeding(0)(i))"
        )
        assert not np.array(exceeds).any()
        assert watch.complaints == []


class TestTakingItAlong:
    """Files and links of what is shown, made in the page."""

    @pytest.mark.parametrize("name", ["squares", "areas", "many hexagons"])
    def test_tables_and_outlines(self, name, saved, watch):
        """The table and the GeoJSON have each place with the numbers of `release.patches()`, or each cell; a name that a
        spreadsheet would take for a formula is a text there."""
        made, path = saved(name)
        page, found = watch.open(path), read_map(made).patches(0.9)
        rows = pd.read_csv(downloaded(page, "csv"))
        outlined = gpd.read_file(downloaded(page, "geojson"))
        for table in (rows, outlined):
            for column in ("estimate", "low", "high", "per_km2"):
                expected = found.density if column == "per_km2" else getattr(found, column)
                np.testing.assert_allclose(table[column], expected, rtol=1e-6, atol=1e-6)
            assert (
                np.array_equal(table["told"], found.told)
                and table["cells"].sum() == made.grid.cells_inside
            )
        sizes = crs_tools.transform_shapes(
            outlined.geometry.to_numpy(), crs_tools.LONLAT, "EPSG:6933", step=0.01
        )
        np.testing.assert_allclose(
            shapely.area(sizes).sum() / 1e6, found.square_km.sum(), rtol=0.02
        )
        assert outlined.is_valid.all() and outlined.crs == "EPSG:4326"
        choose(page, "estimate")
        cells, inside = pd.read_csv(downloaded(page, "csv")), made.grid.inside
        np.testing.assert_allclose(
            cells["estimate"],
            infer(made.grid, made.measurements).values[inside],
            rtol=1e-6,
            atol=1e-6,
        )
        got = in_page(
            page, "dpmap.csvOf", [{"name": "=1+1", "note": 'a "b", c', "number": -2, "none": None}]
        )
        assert got.splitlines()[1].startswith('\'=1+1,"a ""b"", c",-2')
        assert watch.complaints == [] and not watch.outside

    def test_the_picture(self, saved, watch):
        """The picture is a PNG of the map as it is seen, wider by its legend."""
        page = watch.open(saved("blocks")[1])
        drop(page, geojson((HOSTILE[1], shapely.box(-4.5, 56.6, -4.2, 56.9))))
        until(page, "document.querySelectorAll('#dp-answers li').length === 1")
        assert (
            HOSTILE[1] in page.locator(".dp-label").inner_text()
            and "interval" in page.locator(".dp-label").inner_text()
        )
        with Image.open(downloaded(page, "png")) as picture:
            wide = 2 * page.locator(".dp-map").bounding_box()["width"]
            assert picture.format == "PNG" and picture.width > wide + 400
            assert len(picture.convert("RGB").getcolors(2**24)) > 50
        assert watch.complaints == [] and not watch.outside

    def test_a_link_opens_the_view(self, saved, browser, watch):
        """The page's address keeps place, zoom, what is shown, the threshold and the areas; a page opened by it has them."""
        page = watch.open(saved("squares")[1])
        choose(page, "exceeds")
        page.locator("#dp-slider").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        in_page(page, "() => { dpmap.page.map.setView([56.8, -4.1], 9, { animate: false }); }")
        page.locator("#dp-rectangle").click()
        drag(page, page.locator(".dp-map").bounding_box())
        until(
            page, "location.hash.includes('areas=') && location.hash.includes('show=cells.exceeds')"
        )
        other = Watch(browser)
        other.page.goto(page.evaluate("location.href"))
        other.page.wait_for_selector("html[data-ready]")
        state = """() => { const p = dpmap.page, c = p.map.getCenter(); return [p.shown.by, p.shown.current, p.shown.slider.value,
            c.lat.toFixed(3), c.lng.toFixed(3), p.map.getZoom(), document.querySelector("#dp-answers strong").textContent]; }"""
        assert in_page(other.page, state) == in_page(page, state)
        other.page.evaluate("location.hash = '#at=56.9,-4,8.5&show=places.low'")
        until(
            other.page, "dpmap.page?.shown.current === 'low' && dpmap.page.areas.drawn.length === 0"
        )
        assert other.complaints == []
        other.close()

    @pytest.mark.parametrize(
        "text",
        [
            *HOSTILE[:5],
            "at=56,-4,9&show=cells.constructor&index=99999&layer=-1",
            "at=56,-4,9&show=places.__proto__",
            "at=56,-4,9&areas=" + "1,2;" * 900,
            "at=56,-4,9&areas=<b>,2;3,4;5,6",
            "at=999,-4,9",
            "at=NaN,0,1",
            "at=56,-4,9&layer=77&at=javascript:1",
        ],
    )
    def test_a_hostile_link_does_nothing(self, text, saved, watch):
        """A link that is not one of ours opens the page as it is; no part of it is run or shown."""
        page = watch.page
        page.goto(f"{saved('one cell')[1].as_uri()}#{text}")
        page.wait_for_selector("html[data-ready]")
        assert in_page(page, "() => [dpmap.page.shown.current, dpmap.page.areas.drawn.length]") == [
            "estimate",
            0,
        ]
        assert page.evaluate("window.pwned") is None
        assert watch.complaints == [] and not watch.outside


class TestDrawing:
    """Project areas by mouse, touch, keyboard and file."""

    def test_rectangle_by_mouse(self, saved, watch):
        """A dragged rectangle is answered once."""
        page = watch.open(saved("squares")[1])
        page.locator("#dp-rectangle").click()
        drag(page, page.locator(".dp-map").bounding_box())
        assert page.locator("#dp-answers li").count() == 1
        assert "90 % interval" in page.locator("#dp-answers").inner_text()
        page.locator("#dp-clear").click()
        assert page.locator("#dp-answers li").count() == 0

    def test_polygon_by_mouse(self, saved, watch):
        """Clicked corners and Finish make a polygon."""
        page = watch.open(saved("squares")[1])
        page.locator("#dp-polygon").click()
        box = page.locator(".dp-map").bounding_box()
        for across, down in ((0.3, 0.3), (0.6, 0.35), (0.5, 0.7)):
            page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        page.locator("#dp-finish").click()
        assert page.locator("#dp-answers li").count() == 1

    def test_by_touch(self, saved, browser):
        """Two taps set a rectangle's corners on a phone, and a tap reads a cell."""
        watch = Watch(browser, 390, 844, has_touch=True, is_mobile=True)
        page = watch.open(saved("squares")[1])
        page.locator("#dp-rectangle").tap()
        box = page.locator(".dp-map").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.5)
        page.touchscreen.tap(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6)
        assert page.locator("#dp-answers li").count() == 1
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(600)
        box = page.locator(".dp-map").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.5)
        page.wait_for_selector(".dp-tip:not([hidden])")
        assert watch.complaints == []
        watch.close()

    def test_by_keyboard_alone(self, saved, watch):
        """Tab, arrows and Enter reach a drawn rectangle; the cross reads out cells; Escape leaves."""
        page = watch.open(saved("squares")[1])
        page.locator("#dp-rectangle").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        for key in ("ArrowRight", "ArrowDown"):
            until(page, "!dpmap.page.map._panAnim?._inProgress")
            page.keyboard.press(key)
        until(page, "!dpmap.page.map._panAnim?._inProgress")
        page.keyboard.press("Enter")
        assert page.locator("#dp-answers li").count() == 1
        assert page.locator(".dp-cross").is_visible()
        assert "interval" in page.locator(".dp-tip").inner_text()
        page.locator("#dp-polygon").press("Enter")
        page.keyboard.press("Escape")
        assert page.locator("#dp-polygon").get_attribute("aria-pressed") == "false"

    def test_typed_corners(self, saved, watch):
        """Corners can be typed; nonsense is explained."""
        page = watch.open(saved("squares")[1])
        page.locator(".dp-typed summary").click()
        for name, value in {"west": "-4.6", "south": "56.5", "east": "-4.1", "north": "57"}.items():
            page.locator(f"#dp-corners [name={name}]").fill(value)
        page.keyboard.press("Enter")
        assert page.locator("#dp-answers li").count() == 1
        page.locator("#dp-corners [name=east]").fill("-9")
        page.keyboard.press("Enter")
        assert "west below east" in page.locator("#dp-problem").inner_text()

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("not json", "not a GeoJSON"),
            ('{"type":"Point","coordinates":[0,0]}', "no polygon"),
            (
                '{"type":"Polygon","coordinates":[[[500000,6000000],[500001,6000000],[500001,6000001]]]}',
                "WGS 84",
            ),
            ('{"type":"Polygon","coordinates":[[["a",null],[1,1],[2,2]]]}', "not a number"),
        ],
    )
    def test_bad_files_are_explained(self, text, words, saved, watch):
        """A dropped file that cannot be read says what to do."""
        page = watch.open(saved("squares")[1])
        drop(page, text)
        until(page, "document.querySelector('#dp-problem').textContent !== ''")
        assert words in page.locator("#dp-problem").inner_text()
        assert watch.complaints == []

    def test_dropped_areas_keep_their_names(self, saved, watch):
        """Each polygon of a file is answered under its own name, shown as text."""
        page = watch.open(saved("squares")[1])
        drop(page, geojson(*((name, shapely.box(-4.5, 56.5, -4.2, 56.8)) for name in HOSTILE)))
        until(page, f"document.querySelectorAll('#dp-answers li').length === {len(HOSTILE)}")
        assert page.locator("#dp-answers .dp-name").all_text_contents() == HOSTILE
        assert page.evaluate("window.pwned") is None


class TestNothingInjects:
    """Names are text, whatever they hold."""

    @settings(max_examples=60, deadline=None)
    @given(st.recursive(st.text() | st.sampled_from(HOSTILE), st.lists))
    def test_facts_cannot_leave_their_element(self, plain):
        """Any strings survive the trip and contain nothing that ends a script."""
        written = safe_json(plain)
        assert json.loads(written) == plain
        assert not set("<>&'\u2028\u2029") & set(written)

    def test_hostile_names(self, watch, tmp_path):
        """A data set, a unit, a consent rule and areas with hostile names show as they are and run nothing."""
        grid = districts(HOSTILE[:3])
        for i, bad in enumerate([" ".join(HOSTILE), *HOSTILE[2:5]]):
            made = record(grid, 100, name=bad, unit=bad.replace("+", "-"), consent=None)
            write_html(made, infer(grid, made.measurements), tmp_path / f"{i}.html")
            page = watch.open(tmp_path / f"{i}.html")
            page.locator("#dp-strongest summary").click()
            assert page.locator("#dp-title").text_content() == bad
            assert set(page.locator("#dp-strongest-rows th").all_text_contents()) == set(
                HOSTILE[:3]
            )
            assert page.evaluate("window.pwned") is None
        assert watch.complaints == []


class TestForEveryone:
    """Readable by eye, by ear, on paper and on a phone."""

    @pytest.mark.parametrize(
        ("width", "scheme"), [(360, "light"), (768, "dark"), (1440, "light"), (360, "dark")]
    )
    def test_nothing_overlaps(self, width, scheme, saved, browser):
        """At phone, tablet and desk widths nothing overlaps or sticks out, with everything open; axe finds no fault."""
        watch = Watch(browser, width, 900, color_scheme=scheme)
        page = watch.open(saved("squares")[1])
        assert page.evaluate(OVERLAPS) == []
        drop(
            page,
            geojson(("A wind farm with a rather long name", shapely.box(-4.5, 56.6, -4.2, 56.9))),
        )
        page.wait_for_selector("#dp-answers li")
        for summary in page.locator("summary").all():
            summary.click()
        choose(page, "exceeds")
        assert page.evaluate(OVERLAPS) == []
        assert axe_faults(page) == []
        page.locator("#dp-polygon").click()
        assert page.evaluate(OVERLAPS) == []
        assert watch.complaints == []
        watch.close()

    def test_the_overlap_check_sees_overlaps(self, saved, watch):
        """A panel moved over another is found: the check can fail."""
        page = watch.open(saved("squares")[1])
        page.evaluate("document.querySelector('.dp-buttons').style.marginTop = '-60px'")
        assert page.evaluate(OVERLAPS)

    def test_the_tip_stays_inside(self, saved, watch):
        """Near every edge of the map the words stay on it."""
        page = watch.open(saved("degrees")[1])
        stage = page.locator(".dp-stage").bounding_box()
        page.evaluate("dpmap.page.map.setZoom(dpmap.page.map.getZoom() + 2, {animate: false})")
        for across in (0.01, 0.5, 0.99):
            for down in (0.02, 0.5, 0.9):
                page.mouse.move(
                    stage["x"] + stage["width"] * across, stage["y"] + stage["height"] * down
                )
                tip = page.locator(".dp-tip").bounding_box()
                if tip:
                    assert tip["x"] >= stage["x"]
                    assert tip["x"] + tip["width"] <= stage["x"] + stage["width"]

    def test_prints(self, saved, watch):
        """On paper the tools go, the facts unfold, and the colours are those for light pages."""
        page = watch.open(saved("squares")[1])
        page.emulate_media(media="print")
        until(page, "document.querySelector('#dp-about').open")
        assert not page.locator("#dp-rectangle").is_visible()
        assert page.locator("#dp-facts").is_visible()
        assert page.locator("#dp-provenance").is_visible()
        whole = "dpmap.page.map.getBounds().contains(dpmap.page.facts.geometry.bounds)"
        until(page, f"{whole} && document.querySelector('.dp-map').clientWidth < 720")
        page.emulate_media(media="screen")
        until(page, "!document.querySelector('#dp-about').open")

    @pytest.mark.parametrize("name", ["squares", "hexagons", "areas"])
    def test_prints_on_one_sheet(self, name, saved, watch):
        """Map, legend, two project areas and all facts take one sheet of A4."""
        page = watch.open(saved(name)[1])
        drop(
            page,
            geojson(
                ("One", shapely.box(-4.5, 56.6, -4.2, 56.9)),
                ("Other", shapely.box(-4.1, 56.9, -3.8, 57)),
            ),
        )
        until(page, "document.querySelectorAll('#dp-answers li').length === 2")
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1

    def test_nobody_comes_closer_than_cells_mean(self, saved, watch):
        """At the nearest a cell is a quarter of the map's width, give or take; a map of one cell is still seen whole."""
        page = watch.open(saved("squares")[1])
        width = """() => { const { map, cells } = dpmap.page; map.setZoom(99, { animate: false });
            const xs = cells.outlineOf([400]).flat().map(([x, y]) => map.latLngToContainerPoint([y, x]).x);
            return (Math.max(...xs) - Math.min(...xs)) / map.getSize().x; }"""
        assert 0.15 < in_page(page, width) < 0.3
        page = watch.open(saved("one cell")[1])
        assert page.evaluate("dpmap.page.map.getZoom() <= dpmap.page.map.getMaxZoom()")

    def test_colours_run_the_same_way_in_the_dark(self, saved, watch):
        """On a dark page as on paper the lowest class is the lightest, as in the picture, and all stand out from the ground."""
        page = watch.open(saved("squares")[1])
        page.emulate_media(color_scheme="dark")
        light = [
            sum(style.rgb(colour)) for colour in page.evaluate("dpmap.page.facts.dark_colours")
        ]
        assert light == sorted(light, reverse=True) and light[-1] > 2 * sum(style.rgb("#22272d"))
        assert in_page(page, "() => dpmap.page.layer.scene.palette[0].fill") == page.evaluate(
            "dpmap.page.facts.dark_colours[0]"
        )

    def test_opacity(self, saved, watch):
        """The slider lets the ground through, and the keyboard moves it."""
        page = watch.open(saved("squares")[1])
        middle = "() => { const c = dpmap.page.layer._container; return [...c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data]; }"  # fmt: skip
        before = in_page(page, middle)
        page.locator("#dp-opacity").focus()
        page.keyboard.press("Home")
        until(page, "dpmap.page.layer.scene.opacity === 0.2")
        until(
            page, f"JSON.stringify(({middle})()) !== '{json.dumps(before, separators=(',', ':'))}'"
        )

    def test_provenance_is_on_the_map(self, saved, watch):
        """Epsilon, unit, cap, cell size, half-width and consent rule stand under the map, the data set above its tools."""
        page = watch.open(saved("squares")[1])
        words = page.locator("#dp-provenance").inner_text()
        for part in ("\u03b5 = 1", "observer_id", "5 points", "5 km", "\u00b111.5", "consent=yes"):
            assert part in words
        assert page.locator("#dp-title").inner_text() == "Raptor survey 2026"


class TestEveryGrid:
    """The contract of all renderers."""

    @pytest.mark.parametrize("totals", [0, -500], ids=["all zero", "negative noise"])
    @pytest.mark.parametrize(
        "name",
        [
            "squares",
            "hexagons",
            "areas",
            "one cell",
            pytest.param("many squares", marks=pytest.mark.deep),
        ],
    )
    def test_empty_and_negative(self, name, totals, watch, tmp_path):
        """Maps of nothing, and of noise far below zero, open and claim nothing."""
        grid = GRIDS[name]()
        made = record(grid, totals, seed=11)
        write_html(made, infer(grid, made.measurements), tmp_path / "m.html")
        page = watch.open(tmp_path / "m.html")
        choose(page, "exceeds")
        assert in_page(page, "() => dpmap.page.reading.sure.reduce((a, b) => a + b, 0)") <= 2
        assert watch.complaints == []

    def test_a_hundred_thousand_cells(self, watch, tmp_path):
        """100,000 cells weigh less than 6 MB and answer when hovered."""
        grid = Grid(bounds=(4e6, 3e6, 4.317e6, 3.317e6), shape=(317, 317), crs="EPSG:3035")
        made = record(grid)
        write_html(made, infer(grid, made.measurements), tmp_path / "m.html")
        assert (tmp_path / "m.html").stat().st_size < 6e6
        page = watch.open(tmp_path / "m.html")
        page.mouse.move(450, 400)
        page.wait_for_selector(".dp-tip:not([hidden])")
        assert watch.complaints == []

    def test_a_million_cells(self, watch, tmp_path):
        """A million cells still open, show values and answer for a zone."""
        grid = Grid(bounds=(-10, 40, 10, 60), shape=(1000, 1000), crs="EPSG:4326")
        made = record(grid)
        reading = infer(grid, made.measurements)
        write_html(made, reading, tmp_path / "m.html")
        page = watch.open(tmp_path / "m.html")
        zone = shapely.box(-4, 52, 0, 56)
        same_answer(page_total(page, zone), next(Release(made).ask(zone).itertuples()), rel=1e-5)
        assert watch.complaints == []

    def test_too_many_cells_are_refused_with_advice(self):
        """A grid no browser holds is refused with what to do instead."""
        grid = Grid(bounds=(-10, 40, 10, 60), shape=(2100, 2000), crs="EPSG:4326")
        made = record(grid, 0)
        with pytest.raises(BadInput, match="map.png"):
            explore(made, infer(grid, made.measurements))


def test_one_page_turns_from_layer_to_layer(watch, tmp_path):
    """By a list of kinds and a slider of times; numbers are each layer's own, the view and the areas drawn stay."""
    grid = degrees(12).layered(
        Kinds("species", ("Kestrel", HOSTILE[0])), Times("seen", ("2023", "2024", "2025"))
    )
    release = Release(record(grid, totals=np.arange(grid.cells_inside) % 97 * 3.0))
    release.draw(tmp_path / "map.html")
    page = watch.open(tmp_path / "map.html")
    page.locator(".dp-typed summary").click()
    for side, degree in {"west": -4.5, "south": 55.5, "east": -3, "north": 56.5}.items():
        page.locator(f"input[name={side}]").fill(str(degree))
    page.locator(".dp-typed button").click()
    in_page(page, "() => { dpmap.page.map.setView([56.2, -3.4], 9, { animate: false }); }")
    for names, steps in {
        ("Kestrel", "2024"): [(0, 0), (1, 1)],
        (HOSTILE[0], "2023"): [(0, 1), (1, 0)],
    }.items():
        for axis, place in steps:
            page.evaluate(
                "([id, place]) => { const one = document.getElementById(id); one.value = place;"
                " one.dispatchEvent(new Event('change')); }",
                [f"dp-axis-{axis}", str(place)],
            )
            until(page, "document.documentElement.dataset.ready === 'yes' && Boolean(dpmap.page)")
        layer = release.layers[names]
        shown = in_page(
            page,
            "() => [...Array(dpmap.page.facts.cells).keys()].map((c) => dpmap.page.reading.estimate(c))",
        )
        assert np.allclose(shown, layer.estimate[layer.grid.inside], rtol=1e-6)
        assert page.locator("#dp-title").inner_text() == f"Raptor survey 2026: {', '.join(names)}"
        centre = in_page(
            page,
            "() => { const c = dpmap.page.map.getCenter(); return [c.lat, c.lng, dpmap.page.map.getZoom()]; }",
        )
        assert np.allclose(centre, [56.2, -3.4, 9], atol=0.01)
        answer = layer.ask(shapely.box(-4.5, 55.5, -3, 56.5))
        assert page.locator(".dp-answers strong").all_inner_texts() == [
            f"about {plain(answer['estimate'].iloc[0])}"
        ]
        assert page.evaluate("document.activeElement.id").startswith("dp-axis-")
    assert not axe_faults(page)
    assert not watch.outside
    assert not watch.complaints


def test_seasons_play(browser, tmp_path):
    """The page opens on the season that tells most and plays through the others, keeping what is shown; anything that the
    reader does stops it, and whoever asked for nothing that moves has no such button."""
    grid = degrees(12).layered(Times("seen", ("2022", "2023", "2024", "2025")))
    totals = np.concatenate([np.full(144, 0.0), np.full(144, 0.0), np.arange(144) * 2.0])
    Release(record(grid, totals=totals)).draw(tmp_path / "map.html")
    watch = Watch(browser)
    page = watch.open(tmp_path / "map.html")
    assert page.locator("output[for], .dp-switches output").first.inner_text() == "2024"
    choose(page, "low", "places")
    page.locator("#dp-play-0").click()
    until(
        page,
        "document.querySelector('.dp-switches output')?.textContent === '2022' && Boolean(dpmap.page)",
    )
    assert page.locator("#dp-play-0").inner_text() == "Pause"
    assert in_page(page, "() => dpmap.page.shown.current") == "low"
    page.mouse.move(400, 400)
    page.mouse.wheel(0, 100)
    until(page, "document.querySelector('#dp-play-0').textContent === 'Play'")
    assert axe_faults(page) == [] and watch.complaints == []
    watch.close()
    watch = Watch(browser, reduced_motion="reduce")
    assert watch.open(tmp_path / "map.html").locator("#dp-play-0").count() == 0
    watch.close()


def plain(value):
    """As the page writes a large number."""
    return f"{round(value):,}"
