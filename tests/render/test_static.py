"""The static map: it says what it shows, shows what the release says, and nothing on it overlaps or is cut."""

import itertools
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib import resources

import matplotlib
import numpy as np
import pytest
import shapely
from PIL import Image

matplotlib.use("agg")

import matplotlib.pyplot as plt
from builders.records import CASES, LAND, SQUARES, case, hill, measured, million, told_of
from matplotlib.collections import PathCollection
from matplotlib.text import Text

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid.crs import transform_shapes
from dpmap.inference import distinguishable
from dpmap.maps import infer, read_map
from dpmap.releases.release import Release
from dpmap.render import cell_drawing as cells_module
from dpmap.render import layout, legend_scalebar, static, typeface
from dpmap.render.colouring import View, paint
from dpmap.render.map_frame import MapFrame
from dpmap.render.natural_earth import context, frame, lonlat_box
from dpmap.render.static import draw, panels, write_picture
from dpmap.statement.kinds import map_statement

COAST_AND_SEA = Grid(bounds=(-10, 38, -9, 39), shape=(10, 10), crs="EPSG:4326")
VIEWS = (
    {},
    {"what": "low"},
    {"what": "high"},
    {"what": "exceedance", "threshold": 10},
    {"suppress": True},
    {"classes": None},
    {"show": "patches"},
    {"show": "patches", "what": "high", "unsure": "hatch"},
    {"unsure": "hatch", "hotspots": 5},
    {"hotspots": "surroundings"},
)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def texts(ax):
    """Every word on the figure of an Axes."""
    return "\n".join(text.get_text() for text in ax.figure.findobj(Text) if text.get_visible())


def boxes(ax):
    """Name and extent, in pixels, of everything around the map and of the frame itself."""
    ax.figure.draw_without_rendering()
    column = [child for child in ax.get_children() if child.get_gid() == legend_scalebar.COLUMN]
    found = {"frame": ax.get_window_extent(), "column": column[0].get_window_extent()}
    for i, text in enumerate(ax.texts):
        found[f"words {i}"] = text.get_window_extent()
    found["title"] = ax._left_title.get_window_extent()
    for axis in (ax.xaxis, ax.yaxis):
        for label in axis.get_ticklabels():
            found[f"{axis.axis_name} {label.get_text()}"] = label.get_window_extent()
    return found


def assert_tidy(ax):
    """Nothing overlaps anything, and nothing is cut by the edge of the figure."""
    found, edge = boxes(ax), ax.figure.bbox
    for name, box in found.items():
        assert box.x0 >= edge.x0 - 1 and box.x1 <= edge.x1 + 1, f"{name} is cut"
        assert box.y0 >= edge.y0 - 1 and box.y1 <= edge.y1 + 1, f"{name} is cut"
    for (one, a), (two, b) in itertools.combinations(found.items(), 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide <= 1 or high <= 1, f"{one} overlaps {two}"


@pytest.mark.parametrize("name", CASES)
def test_every_grid_is_drawn_tidily_with_its_promise(name):
    """Title, legend, scale bar and provenance are there, and nothing overlaps."""
    record, estimate = case(name)
    ax = draw(record, estimate)
    assert_tidy(ax)
    words = texts(ax).replace("\n", " ")
    for part in (
        "Raptor survey 2026",
        "records per ",
        "capped: each observer_id counts for at most 2",
        "ε = 0.5 for each observer_id",
        "capped at 2 points",
        record.grid.cell_text,
        "noise in a cell measured alone",
        "only rows with consent=yes",
        "Natural Earth",
    ):
        assert part in words, part
    assert ("not told" in words) == (not read_map(record).patches(0.9).told.all())
    assert "absent" not in words
    assert any(unit in words for unit in (" km", " m"))


def test_the_error_is_said_of_what_was_measured():
    """Where no cell was measured by itself the half-width is called a block's."""
    record, _ = case("blocks")
    whole = measured(Partition.whole(record.grid), [900.0], record.policy, 0.5)
    blocks = type(record)(
        **{**{key: getattr(record, key) for key in record.__slots__}, "measurements": (whole,)}
    )
    assert "noise in a cell measured alone: ±" in map_statement(record).provenance()
    assert (
        "no cell was measured alone; noise in a block of cells: ±"
        in map_statement(blocks).provenance()
    )
    assert not read_map(blocks).alone().any() and np.array_equal(
        read_map(record).alone(), record.grid.inside
    )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("options", VIEWS, ids=str)
def test_every_reading_is_painted_for_every_grid(name, options):
    """One colour for every in-area cell, none of them undefined."""
    record, estimate = case(name)
    painting = paint(record, estimate, View(**options))
    assert painting.colours.shape == (record.grid.cells_inside, 3)
    assert (
        np.isfinite(painting.colours).all()
        and painting.colours.min() >= 0
        and painting.colours.max() <= 1
    )


@pytest.mark.parametrize("name", CASES)
def test_a_place_has_one_colour_and_only_what_is_not_told_is_hatched(name):
    """All cells of a patch share its colour, that of its own density; what is hatched is what `release.patches` does not tell."""
    record, estimate = case(name)
    found, painting = read_map(record).patches(0.9), paint(record, estimate, View(show="patches"))
    place = found.place[record.grid.inside]
    assert np.array_equal(painting.places, place)
    assert np.array_equal(painting.unsure, ~found.told[place])
    assert painting.values == pytest.approx((found.estimate / found.square_km)[place], nan_ok=True)
    assert all(
        len(np.unique(painting.colours[place == one], axis=0)) == 1 for one in np.unique(place)
    )


def test_land_that_is_not_told_says_what_it_holds_at_most():
    """The legend gives the highest upper bound of the places without colour, in the units of the colours."""
    record, estimate = case("all zero")
    found = read_map(record).patches(0.9)
    assert not found.told.any()
    words = texts(draw(record, estimate)).replace("\n", " ")
    assert "records per 100 km²" in words
    assert (
        f"not told; at most {style.number(100 * float((found.high / found.square_km).max()))}"
        in words
    )


@pytest.mark.parametrize("options", VIEWS[1:], ids=str)
def test_every_reading_is_tidy(options):
    """Each kind of legend fits beside the map."""
    assert_tidy(draw(*case("squares projected masked"), **options))


@pytest.mark.parametrize("shape", [(3, 60), (60, 3)], ids=["wide", "tall"])
def test_long_maps_and_long_names_stay_tidy(shape):
    """A title of 120 characters and an odd shape are wrapped and placed, not cut."""
    width = 0.1 * shape[1]
    grid = Grid(bounds=(-2, 40, -2 + width, 40 + 0.1 * shape[0]), shape=shape, crs="EPSG:4326")
    assert_tidy(draw(*told_of(grid, hill(grid), dataset="A survey with a rather long name " * 4)))


def test_cells_have_the_colours_the_legend_names():
    """Each square's pixel is the colour of its class; squares that noise explains are grey; others are not drawn."""
    record, estimate = case("squares projected masked")
    ax = draw(record, estimate, show="cells")
    pixels = np.asarray(ax.images[0].get_array())
    assert np.array_equal(pixels[..., 3] == 1, record.grid.inside)
    sure = distinguishable(estimate)
    grey = np.all(np.isclose(pixels[..., :3], style.rgb(style.UNSURE)), axis=-1)
    assert np.array_equal(grey & record.grid.inside, ~sure & record.grid.inside)
    values = read_map(record).shown(estimate.values)
    edges = style.class_breaks(values[sure])
    named = [style.rgb(colour) for colour in style.class_colours(len(edges) - 1)]
    for row, column in np.argwhere(sure):
        place = np.searchsorted(edges, values[row, column], side="right") - 1
        assert np.allclose(pixels[row, column, :3], named[place])


def test_polygons_have_one_colour_each():
    """Hexagons and areas are drawn in order, with holes left open."""
    for name in ("hexagons", "areas"):
        record, estimate = case(name)
        ax = draw(record, estimate)
        cells = next(child for child in ax.collections if isinstance(child, PathCollection))
        assert np.allclose(cells.get_facecolor()[:, :3], paint(record, estimate, View()).colours)
    middle = shapely.centroid(record.grid.polygons()[0].interiors[0])
    ax = draw(record, estimate, context=False, unsure="hatch")
    ax.figure.canvas.draw()
    x, y = (round(place) for place in ax.transData.transform((middle.x, middle.y)))
    assert tuple(np.asarray(ax.figure.canvas.buffer_rgba())[-y, x, :3]) == (255, 255, 255)


@pytest.mark.parametrize("name", ["squares lon/lat", "hexagons", "blocks"])
def test_the_bars_of_the_legend_share_out_the_area(name):
    """Each class has the part of the area that its cells take, and together with what is not told they are all of it."""
    record, estimate = case(name)
    painting, area = paint(record, estimate, View()), record.grid.square_km[record.grid.inside]
    shares = [static._share(painting, colour, area) for _, colour in painting.labels]
    assert sum(shares) + static._share(painting, None, area) == pytest.approx(1)
    lightest = (painting.values < painting.edges[1]) & ~painting.unsure
    assert shares[-1] == pytest.approx(area[lightest].sum() / area.sum())


def test_the_exceedance_map_is_one_minus_p():
    """Its values are the confidence by the noise law, and it says so."""
    record, estimate = case("hexagons")
    painting = paint(record, estimate, View(what="exceedance", threshold=10))
    assert np.array_equal(painting.values, 1 - estimate.p_values(10))
    words = texts(draw(record, estimate, what="exceedance", threshold=10)).replace("\n", " ")
    assert (
        "more than 10 records" in words
        and "by the noise law" in words
        and "false ones at most 10 %" in words
    )


@pytest.mark.parametrize("name", ["squares projected masked", "hexagons", "areas", "blocks"])
@pytest.mark.parametrize("above", ["surroundings", 60, 0])
def test_the_hot_spots_outlined_are_those_of_the_release(name, above):
    """The map and `release.hotspots()` choose the same cells, and the legend says what they are above."""
    record, estimate = case(name)
    found = Release(record).hotspots(None if above == "surroundings" else above)
    assert np.array_equal(static._spots(record, estimate, above), found.cells)
    words = texts(draw(record, estimate, hotspots=above)).replace("\n", " ")
    assert ("denser than around" if above == "surroundings" else f"above {above} records") in words


def test_no_confidence_is_painted_for_a_cell_of_a_block():
    """Where a block was measured as one, the exceedance map says that its cells are not known."""
    record, estimate = case("blocks")
    coarse = type(record)(
        **{
            **{key: getattr(record, key) for key in record.__slots__},
            "measurements": record.measurements[:1],
        }
    )
    painting = paint(
        coarse, infer(coarse.grid, coarse.measurements), View(what="exceedance", threshold=0)
    )
    assert (
        np.array_equal(painting.unsure, ~read_map(coarse).alone()[coarse.grid.inside])
        and painting.unsure.any()
    )
    assert not paint(record, estimate, View(what="exceedance", threshold=0)).unsure.any()


def test_merged_colours_are_fewer_where_the_interval_is_wide():
    """The value-suppressing palette shows four, two and one colours as half-widths grow."""
    record, estimate = case("squares web mercator")
    painting = paint(record, estimate, View(suppress=True))
    low, high = (bound[record.grid.inside] for bound in estimate.interval(0.9))
    share = (high - low) / np.maximum(high + low, 1e-300)
    found = [
        len(
            np.unique(
                painting.colours[~painting.unsure & (share >= least) & (share < most)].round(4),
                axis=0,
            )
        )
        for least, most in ((0, 0.25), (0.25, 0.5), (0.5, 9))
    ]
    assert found[0] <= 4 and found[1] <= 2 and found[2] <= 1 and sum(found) > 0


@pytest.mark.parametrize("name", ["squares projected masked", "hexagons", "areas", "1 cell"])
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_picture_describes_itself(name, suffix, tmp_path):
    """Alternative text stands in the file, and equal records make equal files."""
    record, estimate = case(name)
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    write_picture(record, estimate, one)
    write_picture(record, estimate, two)
    assert one.read_bytes() == two.read_bytes()
    if suffix == "png":
        with Image.open(one) as image:
            told = image.info["Description"]
            assert image.width >= 1200 and round(image.info["dpi"][0]) == 300
    elif suffix == "svg":
        root = ElementTree.parse(one).getroot()
        assert (
            root[0].tag.endswith("title")
            and root[1].tag.endswith("desc")
            and root.get("role") == "img"
        )
        told = root[1].text
    else:
        told = one.read_bytes().decode("latin-1").replace("\\", "")
        assert "/Subject" in told
        return
    assert map_statement(record).alt_text(estimate) in told


def test_names_cannot_break_the_picture(tmp_path):
    """Dollar signs, angle brackets and control characters in a name are only text."""
    name = 'Nests $x_{1$ <script>alert("1")</script> & ]]> \x00\x1b end'
    record, estimate = told_of(Grid.covering(LAND, cell="20 km"), dataset=name, noun="<b>nests</b>")
    write_picture(record, estimate, tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    assert "<script>" in root[0].text
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    write_picture(record, estimate, tmp_path / "map.png", dpi=60)


def test_the_picture_needs_no_display_and_leaves_no_trace(tmp_path):
    """No pyplot figure, no changed setting, no half-written file."""
    before = dict(matplotlib.rcParams)
    write_picture(*case("hexagons"), tmp_path / "map.png", dpi=60)
    assert not plt.get_fignums()
    assert dict(matplotlib.rcParams) == before
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]
    with pytest.raises(BadInput, match=r"png, svg, pdf"):
        write_picture(*case("hexagons"), tmp_path / "map.bmp")


def test_the_users_own_settings_hold():
    """Fonts, sizes and dark backgrounds come from rcParams."""
    record, estimate = case("hexagons")
    with plt.rc_context(
        {"font.family": "monospace", "figure.figsize": (9, 4), "text.color": "#00ff00"}
    ):
        ax = draw(record, estimate)
        assert ax.figure.get_size_inches()[0] == 9
        assert (
            ax._left_title.get_color() == "#00ff00"
            or matplotlib.rcParams["axes.titlecolor"] == "auto"
        )
        assert {text.get_fontfamily()[0] for text in ax.texts} == {"monospace"}
        assert_tidy(ax)


def test_pictures_are_set_in_the_typeface_of_the_package():
    """Every word of a picture of dpmap's own is in it whatever fonts are installed; both files are small."""
    ax = draw(*case("hexagons"))
    ax.figure.draw_without_rendering()
    assert {text.get_fontfamily()[0] for text in ax.figure.findobj(Text)} == {typeface.FAMILY}
    files = [resources.files("dpmap.render") / "assets" / file for file in typeface.FILES]
    assert sum(len(file.read_bytes()) for file in files) < 250_000


@pytest.mark.parametrize("engine", [None, "constrained"])
def test_the_map_keeps_to_the_slot_it_was_given(engine):
    """Among other plots it stays in its place, legend, footer and all."""
    figure, axes = plt.subplots(2, 2, figsize=(12, 10), layout=engine)
    record, estimate = case("squares projected masked")
    assert draw(record, estimate, ax=axes[0, 0]) is axes[0, 0]
    figure.draw_without_rendering()
    mine = axes[0, 0].get_tightbbox()
    assert not mine.overlaps(axes[0, 1].get_tightbbox())
    assert not mine.overlaps(axes[1, 0].get_tightbbox())


def test_panels_share_their_classes():
    """Low, estimate and high side by side in the same colours, with one legend."""
    figure = panels(*case("squares projected masked"))
    assert len(figure.axes) == 3
    assert [child.get_gid() for ax in figure.axes for child in ax.get_children()].count(
        legend_scalebar.COLUMN
    ) == 1
    figure.draw_without_rendering()
    spans = [ax.get_tightbbox() for ax in figure.axes]
    assert all(not a.overlaps(b) for a, b in itertools.combinations(spans, 2))


@pytest.mark.parametrize(("count", "rows"), [(5, None), (12, 3), (2, None)])
def test_maps_side_by_side_fit_a_page(count, rows):
    """However many there are, nothing overlaps or is cut, one legend speaks for all, and the sheet fits a page of A4."""
    figure = plt.figure()
    parts = [
        (*case("squares projected masked"), View(title=f"Season {number}"))
        for number in range(count)
    ]
    static._side_by_side(figure, parts, rows=rows, heading="Raptors")
    figure.draw_without_rendering()
    wide, high = figure.get_size_inches()
    assert wide <= layout.PAGE[0] + 0.01 and high <= 11.0
    columns = [
        part
        for ax in figure.axes
        for part in ax.get_children()
        if part.get_gid() == legend_scalebar.COLUMN
    ]
    assert len(columns) == 1
    around = [
        *figure.axes,
        *(ax._left_title for ax in figure.axes),
        *columns,
        *(text for text in figure.texts if text.get_text()),
    ]
    found = [part.get_window_extent() for part in around]
    for one, other in itertools.combinations(found, 2):
        assert (
            min(one.x1, other.x1) - max(one.x0, other.x0) <= 1
            or min(one.y1, other.y1) - max(one.y0, other.y0) <= 1
        )
    assert all(
        box.x0 >= -1
        and box.y0 >= -1
        and box.x1 <= figure.bbox.x1 + 1
        and box.y1 <= figure.bbox.y1 + 1
        for box in found
    )
    assert [child.get_gid() for ax in figure.axes for child in ax.get_children()].count(
        legend_scalebar.COLUMN
    ) == 1


def test_cells_of_one_place_have_no_line_between_them():
    """Lines run between places, and the legend says what it means where there are none."""
    record, estimate = case("squares projected masked")
    words = texts(draw(record, estimate)).replace("\n", " ")
    assert "cells of one colour without a line between them are told as one place" in words
    found = read_map(record).patches(0.9)
    block = np.where(found.place >= 0, found.place + 1, 0)
    sides = len(cells_module._boundary(record.grid.cells, block))
    padded = np.pad(block, 1)
    assert sides == (padded[1:] != padded[:-1]).sum() + (padded[:, 1:] != padded[:, :-1]).sum()


def test_the_scale_bar_is_true():
    """Its length on the map is what it says, at the middle of the map, in any projection."""
    import pyproj

    for name in SQUARES:
        grid = case(name)[0].grid
        box = frame(grid)
        per_unit = legend_scalebar.metres_per_unit(grid.crs, box)
        metres, _ = legend_scalebar.scale_length((box[2] - box[0]) * per_unit / 4)
        x, y, half = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, metres / per_unit / 2
        to_lonlat = pyproj.Transformer.from_crs(grid.crs, "EPSG:4326", always_xy=True)
        (west, south), (east, north) = (to_lonlat.transform(x + side, y) for side in (-half, half))
        assert pyproj.Geod(ellps="WGS84").inv(west, south, east, north)[2] == pytest.approx(
            metres, rel=1e-3
        )


def test_land_in_degrees_is_drawn_without_squashing():
    """In a file, cells of equal ground take equal room wherever they lie, and the cells are cut at the coast."""
    grid = Grid.covering("country:Portugal", cell="0.25 deg")
    drawn = MapFrame.project(grid)
    shown = shapely.area(drawn.move(grid.polygons())) / 1e6
    assert shown == pytest.approx(grid.square_km[grid.inside], rel=1e-3)
    lisbon, sea = (
        shapely.get_coordinates(transform_shapes(np.array([place]), "EPSG:4326", drawn.crs))[0]
        for place in (shapely.Point(-9.1, 38.75), shapely.Point(-9.05, 38.4))
    )
    assert drawn.land.contains_point(lisbon) and not drawn.land.contains_point(sea)
    assert MapFrame.project(COAST_AND_SEA).land is None


def test_the_smooth_picture_is_of_squares_with_totals(tmp_path):
    """It is tidy, in files and on Axes, says that it is smooth, and is refused of other cells and for bounds."""
    record, estimate = case("squares projected masked")
    ax = draw(record, estimate, show="belief")
    assert_tidy(ax)
    assert "no finer than it is known" in texts(ax).replace("\n", " ")
    write_picture(*case("squares lon/lat"), tmp_path / "map.png", dpi=50, show="belief")
    with pytest.raises(BadInput, match="show"):
        draw(*case("hexagons"), show="belief")
    with pytest.raises(BadInput, match="show"):
        draw(record, estimate, show="belief", what="high")


def test_the_background_is_clipped_and_valid():
    """Land, lakes, borders and rivers are sound shapes inside the declared area's frame."""
    for name in ("squares projected masked", "squares lon/lat", "hexagons"):
        grid = case(name)[0].grid
        layers = context(grid)
        assert set(layers) == {"land", "borders", "rivers", "lakes"} and layers["land"]
        west, south, east, north = lonlat_box(grid)
        around = shapely.box(west - 1e-6, south - 1e-6, east + 1e-6, north + 1e-6)
        for shapes in layers.values():
            assert all(shapely.is_valid(shapes)) and all(shapely.covers(around, shapes))


def test_the_background_of_the_whole_world_has_no_stripes():
    """Nothing spans the globe at the antimeridian, and the sea is sea."""
    world = Grid(bounds=(-180, -85, 180, 85), shape=(17, 36), crs="EPSG:4326")
    land = shapely.union_all(context(world)["land"])
    dry = {
        (-1.5, 40.5): True,
        (-30, 40): False,
        (178.0, -17.8): True,
        (-150, 70.5): False,
        (-100, -17): False,
        (0, -84): True,
    }
    for place, expected in dry.items():
        assert shapely.contains_xy(land, *place) == expected, place


def lightness(colour):
    """CIE L* of an sRGB colour."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return 116 * np.cbrt(y) - 16 if y > 0.008856 else 903.3 * y


def test_the_ramp_is_even_and_survives_greyscale_and_colour_blindness():
    """Lightness falls in even steps; simulated colour blindness keeps every class apart from its neighbours."""
    fall = np.diff([lightness(style.ramp(share)) for share in np.linspace(0, 1, 30)])
    assert (fall < 0).all() and fall.std() < 0.35 * abs(fall.mean())
    machado = {
        "protan": [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        "deutan": [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        "tritan": [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    }
    colours = [np.array(style.rgb(colour)) for colour in style.class_colours(5)]
    for matrix in (np.eye(3), *map(np.array, machado.values())):
        seen = [lightness(np.clip(matrix @ colour, 0, 1)) for colour in colours]
        assert np.abs(np.diff(seen)).min() > 8


def test_breaks_hold_all_values_and_come_from_them_alone():
    """Classes are round, rising, and reach from 0 past the highest value, for any spread of values."""
    rng = np.random.default_rng(0)
    for scale in (1e-6, 1, 1e7):
        for values in (
            rng.exponential(size=300),
            rng.lognormal(0, 3, 300),
            np.ones(4),
            np.array([1e-9, 1.0]),
        ):
            edges = style.class_breaks(values * scale)
            assert edges[0] == 0 and edges[-1] >= values.max() * scale * (1 - 1e-12)
            assert np.all(np.diff(edges) > 0) and len(edges) <= 6
            told = np.ones(len(values), dtype=bool)
            for least in (0.0, float(np.median(values)) * scale):
                edges = style.place_breaks(values * scale, np.ones(len(values)), told, least)
                filled, _ = np.histogram(values * scale, edges)
                assert edges[0] == 0 and filled.min() > 0 and filled.sum() == len(values)
                assert len(edges) <= 6


def test_wrong_options_are_refused_in_words():
    """Each refusal names the option."""
    record, estimate = case("hexagons")
    for options, word in (
        ({"what": "truth"}, "what"), ({"what": "exceedance"}, "threshold"), ({"level": 1.5}, "level"),
        ({"threshold": 3}, "threshold"), ({"classes": [3, 1]}, "classes"), ({"classes": 40}, "classes"),
        ({"unsure": "hide"}, "unsure"), ({"what": "low", "suppress": True}, "suppress"),
        ({"what": "exceedance", "threshold": -1}, "threshold"), ({"hotspots": "neighbours"}, "hotspots"),
        ({"show": "blobs"}, "show"),
        ({"hotspots": -1}, "hotspots"), ({"hotspots": float("nan")}, "hotspots"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=word):
            draw(record, estimate, **options)


def test_a_million_cells_are_drawn(tmp_path):
    """The picture of 10^6 cells stays small."""
    record, estimate = million()
    write_picture(record, estimate, tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size < 3e6


def test_heavy_libraries_wait_until_a_map_is_drawn():
    """Importing the renderer loads neither matplotlib nor geopandas."""
    code = "import sys, dpmap.render.static, dpmap.export; print([m for m in ('matplotlib', 'geopandas', 'rasterio', 'xarray') if m in sys.modules])"
    out = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert out.strip() == "[]"
    assert static.FORMATS == ("png", "svg", "pdf")


def test_a_page_is_written_without_folium(tmp_path):
    """Only a map in a notebook is one of folium's, which with what it asks the web by takes a quarter of a second to load."""
    Release(case("squares projected masked")[0]).save(tmp_path / "release.dpmap")
    code = (
        "import sys, dpmap as dm; dm.open(sys.argv[1] + '/release.dpmap').draw(sys.argv[1] + '/map.html')\n"
        "print([m for m in ('folium', 'branca', 'requests', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True
    ).stdout
    assert out.strip() == "[]"
