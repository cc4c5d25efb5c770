"""Where on earth: towns, layers of the reader's own, land and sea, north; all from the package or from declared files."""

from importlib import resources

import geopandas as gpd
import matplotlib
import numpy as np
import pyproj
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

matplotlib.use("agg")

import matplotlib.pyplot as plt
from builders.pages import Watch, launched
from builders.records import GRIDS, LAND, case, hill, told_of
from PIL import Image

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.maps import read_map
from dpmap.render import natural_earth as background
from dpmap.render import towns, user_layers
from dpmap.render.basemap import north
from dpmap.render.html_page import write_html
from dpmap.render.labels import MOST_NAMES, LabelPlacer
from dpmap.render.static import draw, write_picture
from dpmap.render.towns import (
    FARTHEST,
    POINTS,
    Towns,
    all_towns,
    land_name,
    place_name,
    place_names,
)

COAST = Grid.covering(shapely.box(-9.3, 41.9, -7.2, 43.9), cell="10 km")
SHORE = Grid(bounds=(-1.35, 50.55, -1.2, 50.65), shape=(50, 50), crs="EPSG:4326")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def layers(tmp_path):
    """A file of roads, and one with two layers."""
    roads = [
        shapely.LineString([(-2.5, 40.2), (-1.0, 40.9)]),
        shapely.LineString([(-2.2, 40.6), (-1.3, 40.3)]),
    ]
    gpd.GeoDataFrame({"NAME": ["A1", None]}, geometry=roads, crs="EPSG:4326").to_file(
        tmp_path / "roads.gpkg"
    )
    parks = [shapely.Point(-1.9, 40.5).buffer(0.15), shapely.Point(-1.2, 40.15).buffer(0.08)]
    named = gpd.GeoDataFrame(
        {"name": ["Montes", "Sabinar"]}, geometry=parks, crs="EPSG:4326"
    ).to_crs(25830)
    named.to_file(tmp_path / "parks.gpkg", layer="reserves")
    huts = gpd.GeoDataFrame(
        {"Name": ["Hut", ""]}, geometry=gpd.points_from_xy([-1.5, -2.3], [40.7, 40.25]), crs=4326
    )
    huts.to_file(tmp_path / "parks.gpkg", layer="huts")
    return tmp_path


def written(ax):
    """The names on a picture, with their places in pixels."""
    ax.figure.draw_without_rendering()
    found = [child for child in ax.get_children() if isinstance(child, LabelPlacer)]
    return found[0].written if found else {}


def test_the_towns_are_few_bytes_and_plain_names():
    """The list is small, lies on the globe, begins with the largest towns, and no name holds marks that cannot be seen."""
    known = all_towns()
    assert len(known.names) > 7000 and "Paris" in known.names[:20]
    assert np.abs(known.lon).max() <= 180 and np.abs(known.lat).max() <= 90
    assert all(name == " ".join(name.split()) and name.isprintable() for name in known.names)
    asset = resources.files("dpmap.geography") / "assets" / "towns.npz"
    assert len(asset.read_bytes()) < 400_000


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-179, 179),
    st.floats(-75, 75),
    st.integers(0, 7),
    st.floats(1, FARTHEST - 1),
    st.sampled_from([0.1, 1.0]),
)
def test_a_place_is_named_by_distance_and_direction(lon, lat, point, km, side):
    """From a lone town, so far in one of eight directions: the name says just that, as it is on the ellipsoid to a hundredth."""
    there = pyproj.Geod(ellps="WGS84").fwd(lon, lat, 45 * point, 1000 * km)
    told = place_name(
        Towns(("Somewhere",), np.array([lon]), np.array([lat])), there[0], there[1], side
    )
    if told.startswith("at "):
        assert km <= 1
        return
    number, unit, direction, word, name = told.split()
    assert (unit, word, name) == ("km", "of", "Somewhere")
    assert abs(float(number) - km) <= 0.01 * km + (0.05 if side < 1 else 0.5)
    assert direction == POINTS[point]


def test_far_from_every_town_a_place_is_its_coordinates():
    """To the decimals that a cell's side means, and never a town at the other end of an ocean."""
    none = Towns((), np.array([]), np.array([]))
    assert (
        place_name(none, -1.23456, 40.34567, 1) == "40.35\N{DEGREE SIGN} N, 1.23\N{DEGREE SIGN} W"
    )
    assert place_name(none, -1.23456, 40.34567, 100) == "40\N{DEGREE SIGN} N, 1\N{DEGREE SIGN} W"
    assert "km" not in place_name(all_towns(), -140, -50, 10)
    assert place_names(COAST, [COAST.polygons()[0]])[0].endswith(
        ("La Coruña", "Vigo", "Santiago de Compostela")
    )


TERUEL = Towns(("Teruel",), np.array([-1.1]), np.array([40.34]))
MAP = (-4.0, 39.0, -1.0, 42.0)


@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        ([(-1.2, 40.2, -1.0, 40.5)], "around Teruel"),
        ([(-1.3, 40.2, -1.2, 40.5)], "near Teruel"),
        ([(-1.3, 40.3, -1.25, 40.4)], "in the east of the map"),
        ([(-2.6, 40.2, -1.0, 40.6)], "in the east of the map, with Teruel"),
        ([(-4.0, 39.1, -1.2, 41.9)], "across the map"),
        ([(-3.9, 41.3, -3.0, 41.9)], "in the north-west of the map"),
        (
            [(-3.9, 41.3, -3.0, 41.9), (-1.2, 40.2, -1.0, 40.5)],
            "2 pieces, the largest in the north-west of the map",
        ),
        (
            [(-1.15, 40.3, -1.05, 40.4), (-3.5, 39.1, -3.47, 39.12)],
            "2 pieces, the largest around Teruel",
        ),
    ],
)
def test_land_is_named_by_a_town_only_where_one_is_in_it_or_close_by(boxes, said):
    """Several cells, or several pieces, have a town's name where it lies in the largest piece, or within half its width of it."""
    assert (
        land_name(TERUEL, shapely.union_all([shapely.box(*box) for box in boxes]), 5, MAP) == said
    )


def test_no_land_is_named_by_a_town_far_from_it():
    """Without a town, and with cells so small that half its width would be many of them, land is a part of the map."""
    none, strip = Towns((), np.array([]), np.array([])), shapely.box(-2.1, 40.3, -1.3, 40.4)
    assert land_name(none, strip, 5, MAP) == "in the east of the map"
    assert land_name(TERUEL, strip, 5, MAP) == "near Teruel"
    assert land_name(TERUEL, strip, 1, MAP) == "in the east of the map"


@pytest.mark.parametrize(
    "grid", [COAST, Grid.covering(shapely.box(-10, 36, 28, 60), cell="100 km")], ids=str
)
def test_names_on_a_picture_overlap_nothing_and_stay_in_the_frame(grid):
    """A few of the most important towns, each whole; and a picture without context has none."""
    record, estimate = told_of(grid, hill(grid))
    ax = draw(record, estimate)
    found = written(ax)
    assert 3 <= len(found) <= MOST_NAMES
    boxes, frame = list(found.values()), ax.get_window_extent()
    for i, one in enumerate(boxes):
        assert frame.contains(one.x0, one.y0) and frame.contains(one.x1, one.y1)
        assert not any(one.overlaps(other) for other in boxes[:i])
    assert not written(draw(record, estimate, context=False))


def test_layers_of_ones_own_are_drawn_with_their_names(layers):
    """Files, FILE:LAYER and frames, in any CRS, are in the picture with names and in its credit; one alone needs no list."""
    record, estimate = case("squares projected masked")
    parks = gpd.read_file(layers / "parks.gpkg", layer="reserves")
    given = [layers / "roads.gpkg", f"{layers / 'parks.gpkg'}:huts", parks]
    ax = draw(record, estimate, context=given)
    assert {"A1", "Hut", "Montes", "Sabinar"} <= set(written(ax))
    words = " ".join(text.get_text().replace("\n", " ") for text in ax.texts)
    assert "Natural Earth, generalised, roads.gpkg, parks.gpkg, a layer of ours" in words
    assert set(written(draw(record, estimate, context=parks))) >= {"Montes", "Sabinar"}


@pytest.mark.parametrize("name", ["squares lon/lat", "hexagons"])
def test_own_layers_go_with_every_kind_of_cell(name, layers, tmp_path):
    """Every grid is drawn with a layer across it."""
    record, estimate = case(name)
    write_picture(record, estimate, tmp_path / "with.png", dpi=50, context=[layers / "roads.gpkg"])
    write_picture(record, estimate, tmp_path / "without.png", dpi=50)
    with Image.open(tmp_path / "with.png") as one, Image.open(tmp_path / "without.png") as other:
        assert one.size != other.size or one.tobytes() != other.tobytes()


def planted(folder):
    """Files that are no context."""
    frame = gpd.GeoDataFrame(geometry=[shapely.Point(0, 0)], crs="EPSG:4326")
    frame.to_file(folder / "elsewhere.gpkg")
    frame[:0].to_file(folder / "empty.gpkg")
    with pytest.warns(UserWarning, match="crs"):
        frame.set_crs(None, allow_override=True).to_file(folder / "no-crs.gpkg")
    (folder / "text.gpkg").write_text("nothing of the kind")
    (folder / "nothing.geojson").write_bytes(b"")
    (folder / "points-away.vrt").write_text(
        '<OGRVRTDataSource><OGRVRTLayer name="x"/></OGRVRTDataSource>'
    )
    (folder / "table.csv").write_text("name,x\na,1\n")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("missing.gpkg", "no file missing.gpkg"),
        (".", "is a folder"),
        ("parks.gpkg", "several layers (reserves, huts); name one, like parks.gpkg:reserves"),
        ("parks.gpkg:nests", "no layer of that name; it has reserves, huts"),
        ("elsewhere.gpkg", "nothing in the map's reach; check its CRS"),
        ("empty.gpkg", "nothing in the map's reach"),
        ("no-crs.gpkg", "has no CRS"),
        ("text.gpkg", "cannot be read as a layer"),
        ("nothing.geojson", "cannot be read as a layer"),
        ("points-away.vrt", "points at other files"),
        ("table.csv", "cannot be read as a layer"),
        ("ftp://example.org/roads.geojson", "is not read"),
    ],
)
def test_a_layer_that_cannot_be_drawn_is_one_line(given, said, layers):
    """What is wrong with the file and what to do, never a path nor what stands in it."""
    planted(layers)
    with pytest.raises(BadInput) as caught:
        user_layers.read_layers(
            [given if "://" in given else f"{layers}/{given}"], case("areas")[0].grid
        )
    assert (
        said in str(caught.value)
        and "\n" not in str(caught.value)
        and str(layers) not in str(caught.value)
    )


@pytest.mark.parametrize("given", [None, 3, [3], {"roads.gpkg": 1}])
def test_what_is_no_context_is_refused(given):
    """One line that says what may be given."""
    with pytest.raises(BadInput, match="context: "):
        user_layers.read_layers(given, COAST)


def test_too_much_is_refused(layers, monkeypatch):
    """Features and vertices in the map's reach have a limit, before any of it is drawn."""
    grid = case("areas")[0].grid
    monkeypatch.setattr(user_layers, "MOST_FEATURES", 1)
    with pytest.raises(BadInput, match=r"roads\.gpkg has more than 1 features in the map's reach"):
        user_layers.read_layers([layers / "roads.gpkg"], grid)
    monkeypatch.undo()
    monkeypatch.setattr(user_layers, "MOST_VERTICES", 3)
    with pytest.raises(BadInput, match=r"4 vertices in the map's reach"):
        user_layers.read_layers([layers / "roads.gpkg"], grid)


def test_the_survey_is_never_taken_for_context(tmp_path):
    """Its file by any path, a copy of it, a file in its folder, or one beside it under its name is refused; another file is not."""
    for name in ("nests.csv", "nests.gpkg", "roads.gpkg", "survey/part.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "copy.txt").write_text("nests.csv")
    (tmp_path / "public.csv").symlink_to(tmp_path / "nests.csv")
    for name in (
        "nests.csv",
        "public.csv",
        "copy.txt",
        "nests.gpkg",
        "nests.gpkg:points",
        "./survey/../nests.csv",
    ):
        with pytest.raises(BadInput, match="is the survey itself"):
            user_layers.refuse_survey([f"{tmp_path}/{name}"], tmp_path / "nests.csv", None)
    with pytest.raises(BadInput, match="is the survey itself"):
        user_layers.refuse_survey([f"{tmp_path}/survey/part.csv"], tmp_path / "survey")
    user_layers.refuse_survey(
        [f"{tmp_path}/roads.gpkg"], tmp_path / "nests.csv", "postgresql://me@here/nests"
    )


def test_it_says_where_the_coast_is_drawn_coarser_than_the_cells():
    """Only where cells are small and a coast is in the frame."""
    assert background.coarse(SHORE)
    assert not background.coarse(COAST)
    assert not background.coarse(
        Grid(bounds=(-1.3, 50.66, -1.2, 50.72), shape=(60, 64), crs="EPSG:4326")
    )
    record, estimate = told_of(SHORE, hill(SHORE))
    ax = draw(record, estimate)
    shown = " ".join(text.get_text() for text in ax.figure.findobj(matplotlib.text.Text)).replace(
        "\n", " "
    )
    assert background.COARSE.replace("\n", " ") in shown
    assert "Middle of the map: " in shown and " of Portsmouth" in shown


@pytest.mark.parametrize(
    ("crs", "box", "turned"),
    [
        ("EPSG:4326", (0, 50, 2, 51), 0),
        ("EPSG:27700", (4e5, 1e5, 5e5, 2e5), 0),
        ("EPSG:3035", (6.0e6, 3.5e6, 6.6e6, 4.1e6), -25),
        ("EPSG:3995", (1e6, -1e6, 2e6, 1e6), -90),
    ],
)
def test_north_is_marked_where_it_is_not_up(crs, box, turned):
    """The arrow points as the meridian does in the middle of the map."""
    assert north(crs, box) == pytest.approx(turned, abs=2)
    grid = Grid(bounds=box, shape=(6, 6), crs=crs)
    ax = draw(*told_of(grid, hill(grid)))
    letters = [text for text in ax.figure.findobj(matplotlib.text.Text) if text.get_text() == "N"]
    assert bool(letters) == (turned != 0)


def test_a_corner_that_only_touches_the_frame_is_drawn():
    """A box that the fast way of cutting cannot cut leaves the background whole."""
    grid = Grid(bounds=(-1.3, 50.66, -1.2, 50.72), shape=(60, 64), crs="EPSG:4326")
    assert background.context(grid, margin=background.AROUND)["land"]


def test_the_page_names_places_as_the_library_does_and_finds_them(layers, tmp_path):
    """Cells have the names that Python gives them, a search moves the map there, own names are found too, and nothing is asked for."""
    grid = Grid.covering(LAND, cell="10 km")
    record, estimate = told_of(grid, hill(grid))
    path = tmp_path / "map.html"
    write_html(
        record, estimate, path, context=[layers / "roads.gpkg", f"{layers / 'parks.gpkg'}:reserves"]
    )
    names = towns.place_names(grid, grid.polygons())
    with launched() as browser:
        watch = Watch(browser)
        page = watch.open(path)
        page.locator("#dp-by label:has([value=cells])").click()
        told = page.evaluate(
            "Array.from({length: dpmap.page.facts.cells}, (_, i) => dpmap.page.pointing.tell(i).lines[0][0])"
        )
        assert sum(one != other for one, other in zip(told, names, strict=True)) <= 0.05 * len(
            names
        )
        page.fill("#dp-place", "SABÍNAR")
        page.press("#dp-place", "Enter")
        assert page.inner_text("#dp-found") == "Sabinar"
        centre = page.evaluate("[dpmap.page.map.getCenter().lng, dpmap.page.map.getCenter().lat]")
        assert centre == pytest.approx([-1.2, 40.15], abs=0.02)
        page.fill("#dp-place", "nowhere at all")
        page.click("#dp-search button")
        assert page.get_attribute("#dp-place", "aria-invalid") == "true"
        assert "roads.gpkg, parks.gpkg" in page.inner_text("#dp-ground")
        assert not watch.outside and not watch.complaints
        watch.close()


def test_the_page_finds_codes_references_coordinates_and_counties(tmp_path):
    """Whichever way a place is written, the map moves to where PROJ has it, within ten metres; a place elsewhere is refused."""
    grid = Grid.official(shapely.box(-2.4, 50.8, -1.2, 51.4), grid="os-10km")
    record, estimate = told_of(grid, hill(grid))
    path = tmp_path / "map.html"
    write_html(record, estimate, path)
    written = {
        "su 1234 5678": ("EPSG:27700", 412_345, 156_785),
        "SU12A": ("EPSG:27700", 411_000, 121_000),
        "412345, 134567": ("EPSG:27700", 412_345, 134_567),
        "30U WB 92 85": ("EPSG:32630", 592_500, 5_685_500),
        "51.07, -1.79": ("EPSG:4326", -1.79, 51.07),
        "51° 4′ 12″ N, 1° 47′ 24″ W": ("EPSG:4326", -1.79, 51.07),
        "W1 47.4 N51 4.2": ("EPSG:4326", -1.79, 51.07),
        "SU12": ("EPSG:27700", 415_000, 125_000),  # a cell's own code: all of it is shown
    }
    with launched() as browser:
        watch = Watch(browser)
        page = watch.open(path)
        page.evaluate("dpmap.page.map.setMaxZoom(18).setZoom(18)")

        def find(text):
            page.fill("#dp-place", text)
            page.press("#dp-place", "Enter")
            return page.get_attribute("#dp-place", "aria-invalid") == "false"

        for text, (crs, x, y) in written.items():
            assert find(text), text
            place = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True).transform(x, y)
            centre = page.evaluate(
                "[dpmap.page.map.getCenter().lng, dpmap.page.map.getCenter().lat]"
            )
            metres = pyproj.Geod(ellps="WGS84").inv(*place, *centre)[2]
            assert metres < (200 if text == "SU12" else 10), text
            assert grid.locate(*centre, "EPSG:4326") == grid.locate(x, y, crs), text
        assert find("wiltsh") and page.inner_text("#dp-found") == "Wiltshire"
        assert not find("O 15 34") and not find("nowhere at all")
        assert not watch.outside and not watch.complaints
        watch.close()


@pytest.mark.parametrize("kind", ["squares projected masked", "hexagons"])
def test_the_page_describes_places_of_several_cells_as_the_library_does(kind, tmp_path):
    """Each place's name says where it is in the words of `land_name`."""
    record, estimate = told_of(grid := GRIDS[kind](), hill(grid))
    path = tmp_path / "map.html"
    write_html(record, estimate, path)
    found = read_map(record).patches(0.9)
    several = [place for place in range(len(found)) if (found.place == place).sum() > 1]
    assert several
    with launched() as browser:
        watch = Watch(browser)
        page = watch.open(path)
        told = page.evaluate(
            "(places) => places.map((n) => dpmap.page.pointing.tell(dpmap.page.places.membersOf(n)[0]).lines[0][0])",
            several,
        )
        assert not watch.complaints
        watch.close()
    cells = grid.polygons()
    lands = [shapely.union_all(cells[found.place[grid.inside] == place]) for place in several]
    names = [
        f"Place {place + 1}: {name}"
        for place, name in zip(several, place_names(grid, lands), strict=True)
    ]
    assert sum(one != other for one, other in zip(told, names, strict=True)) <= 0.1 * len(names)


def test_a_map_across_the_antimeridian_is_one_map():
    """Fiji's page has its cells, coast and towns beside each other, beyond 180 degrees, and the picture a coast as fine as elsewhere."""
    from dpmap.render import natural_earth, page_geometry

    grid = Grid.covering("country:Fiji", cell="20 km")
    (south, west), (north, east) = page_geometry.geometry(grid)["bounds"]
    assert 170 < west < 178 and 180 < east < 184
    facts = page_geometry.context(grid, given=True)
    assert facts["box"][0] < west < east < facts["box"][2]
    assert {"Suva", "Apia"} <= {
        name for name, lon, *_ in facts["towns"] if west - 5 < lon < east + 10
    }
    assert any(180 < lon < 182 for line in facts["land"] for lon, _ in line)
    assert max(len(shape.exterior.coords) for shape in natural_earth.context(grid)["land"]) > 50


def test_a_page_of_land_around_the_pole_reaches_as_far_as_its_cells():
    """The frame of Russia's squares goes round the pole; the page is that of the cells, and of no more."""
    from dpmap.render import page_geometry

    (south, west), (north, east) = page_geometry.geometry(
        Grid.covering("country:Russia", cell="200 km")
    )["bounds"]
    assert 15 < west < 30 and 180 < east < 200 and 35 < south and north < 87
