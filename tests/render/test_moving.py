"""The map while it moves: what is shown stays until the next view is drawn, and that is the very view that was asked for."""

import pytest
from builders import records
from builders.pages import Watch, driver, in_page, launched, until

from dpmap.grid import Grid
from dpmap.render.html_page import write_html

GRIDS = {
    "squares": lambda: Grid(bounds=(4e6, 3e6, 4.2e6, 3.2e6), shape=(100, 100), crs="EPSG:3035"),
    "few squares": lambda: Grid(bounds=(4e6, 3e6, 4.2e6, 3.2e6), shape=(60, 60), crs="EPSG:3035"),
    "hexagons": lambda: Grid.hexagons(records.LAND, resolution=8),
}
AT_REST = "dpmap.page.layer.next === null && !dpmap.page.map._animatingZoom"
STRAY = """() => new Promise((resolve) => {
    const { layer, map } = dpmap.page, off = [];
    const look = () => {
        const canvas = layer._container.getBoundingClientRect(), frame = map.getContainer().getBoundingClientRect();
        const middle = map.latLngToContainerPoint(layer._center), scale = map.getZoomScale(map.getZoom(), layer._zoom);
        off.push(Math.abs(canvas.x - frame.x + canvas.width / 2 - middle.x), Math.abs(canvas.y - frame.y + canvas.height / 2 - middle.y),
            Math.abs(canvas.width - layer._bounds.getSize().x * scale));
        if (layer.next) requestAnimationFrame(look); else resolve([Math.max(...off), layer._zoom === map.getZoom()]);
    };
    look();
})"""
DRAWN = "() => dpmap.page.layer._container.toDataURL()"


@pytest.fixture(scope="module", autouse=True)
def playwright():
    """Playwright runs while this file does, and no longer."""
    with driver():
        yield


@pytest.fixture(scope="module")
def browser(playwright):
    with launched() as running:
        yield running


@pytest.fixture(scope="module", params=GRIDS)
def saved(request, tmp_path_factory):
    """A map in a file."""
    grid, path = GRIDS[request.param](), tmp_path_factory.mktemp("moving") / "map.html"
    write_html(*records.told_of(grid, records.hill(grid), blocks=request.param == "squares"), path)
    return path


@pytest.fixture
def page(browser, saved):
    """An open map that complains of nothing."""
    watch = Watch(browser)
    yield watch.open(saved)
    assert watch.complaints == []
    watch.close()


def moved(page, *ways):
    """Moves the map in these ways, one right after the other."""
    in_page(
        page,
        f"() => {{ const {{ map }} = dpmap.page; {'; '.join(f'map.{way}' for way in ways)}; }}",
    )


def moved_to_its_end(page, way):
    """Moves the map in this way, and returns when it has come to the end of it."""
    in_page(
        page,
        f"() => new Promise((done) => {{ const {{ map }} = dpmap.page; map.once('moveend', () => done()); map.{way}; }})",
    )


def at_rest(page):
    """Waits until the view is drawn. What is shown must lie in its place in every frame, and be at last what drawing at once makes."""
    until(page, "!dpmap.page.map._animatingZoom")
    off, whole = in_page(page, STRAY)
    assert off < 3 and whole
    drawn = in_page(page, DRAWN)
    in_page(page, "() => dpmap.page.layer.redraw()")
    assert in_page(page, DRAWN) == drawn
    return drawn


def test_a_view_is_the_same_drawn_slowly_or_at_once(page):
    """After panning, zooming and jumping the canvas is in its place, and each of its pixels is what drawing at once gives."""
    seen = [at_rest(page)]
    for way in (
        "panBy([90, -40])",
        "setZoom(map.getZoom() + 1)",
        "setView([40.6, -1.7], 9, { animate: false })",
    ):
        moved_to_its_end(page, way)
        seen.append(at_rest(page))
    assert len(set(seen)) == 4


def test_what_is_shown_stays_until_the_next_is_drawn(page):
    """A map that was moved shows the canvas it had, moved along, until the new view is whole."""
    before = at_rest(page)
    shown = "() => [dpmap.page.layer._container.toDataURL(), dpmap.page.layer.next !== null]"
    assert in_page(
        page,
        f"() => {{ dpmap.page.map.panBy([60, 0], {{ animate: false }}); return ({shown})(); }}",
    ) == [
        before,
        True,
    ]
    assert at_rest(page) != before


def test_a_map_that_moves_on_is_drawn_where_it_ends(page):
    """Moves while a view is being drawn, by a little, by another scale or to elsewhere, all end in the view of the last."""
    for first, then in (("panBy([80, 0])", "panBy([0, 80])"), ("panBy([80, 0])", "setZoom(8.5)"), ("setZoom(9)", "panBy([70, 9])"),
                        ("panBy([9, 9])", "setView([40.5, -1.6], 9)")):  # fmt: skip
        moved(page, *(way.replace(")", ", { animate: false })") for way in (first, then)))
        at_rest(page)


def test_another_layer_or_a_picture_waits_for_nothing(page):
    """Whoever chooses a layer or asks for a picture while a view is being drawn has it at once, as the map is now."""
    for ask in ("shown.show()", "layer.drawn(dpmap.page.map)"):
        moved(page, "panBy([33, 21], { animate: false })")
        in_page(page, f"() => {{ dpmap.page.{ask}; }}")
        assert in_page(page, f"() => {AT_REST}")
        at_rest(page)


def test_a_window_resized_and_back_has_its_new_view(page):
    """Whoever resizes the window and back while a view is being drawn sees that view whole, and not the one before for good."""
    at_rest(page)
    in_page(page, """async () => {
        const { map } = dpmap.page, box = map.getContainer();
        map.panBy([150, 90], { animate: false });
        for (const width of ["80%", ""]) {
            box.style.width = width;
            const ended = new Promise((done) => map.once("moveend", () => done()));
            map.invalidateSize({ debounceMoveend: true, pan: false });
            await (width ? new Promise((done) => setTimeout(done, 30)) : ended);
        }
    }""")  # fmt: skip
    at_rest(page)
