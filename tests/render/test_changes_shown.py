"""What changed is shown so that nobody is misled: a picture, a page with a slider, and layers that open styled."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records
from builders.pages import OVERLAPS, Watch, axe_faults, driver, launched, until

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.releases.comparison import Comparison
from dpmap.releases.release import Release

SAVED = Path(__file__).parents[1] / "stability" / "saved"
GRID = dm.Grid(bounds=(3_350_000, 3_700_000, 3_410_000, 3_760_000), shape=(12, 12), crs="EPSG:3035")
NAME = "Raptors <b>2026</b>"


def released(totals: Any, dataset: str, seed: int) -> Release:
    """A release of these totals, each cell measured by itself."""
    policy, cells = records.promise(epsilon="1"), Partition.cells(GRID)
    noise = np.random.default_rng(seed).laplace(0, float(policy.scale), cells.regions)
    return Release(
        records.record(
            GRID, policy, [records.measured(cells, totals.ravel(), policy, noise)], dataset
        )
    )


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases: in the later one sixteen cells hold far more and four far less."""
    before = np.full(GRID.shape, 20.0)
    before[0:2, 0:2] = 90
    after = before.copy()
    after[6:10, 6:10], after[0:2, 0:2] = 120, 10
    paths = tuple(tmp_path_factory.mktemp("two") / name for name in ("before.dpmap", "after.dpmap"))
    released(before, "Raptors 2025", 1).save(paths[0])
    released(after, NAME, 2).save(paths[1])
    return paths[0], paths[1]


@pytest.fixture(scope="module")
def found(two: tuple[Path, Path]) -> Comparison:
    """Their comparison, region by region."""
    return dm.compare(*map(dm.open, two))


@pytest.fixture(scope="module")
def zoned(two: tuple[Path, Path]) -> Comparison:
    """Their comparison in zones, one of them beyond the maps."""
    boxes = [
        (3_380_000, 3_710_000, 3_400_000, 3_730_000),
        (3_400_000, 3_735_000, 3_409_000, 3_755_000),
        (1e6, 1e6, 1e6 + 9, 1e6 + 9),
    ]
    zones = gpd.GeoDataFrame(
        {"name": ["gained", "still", "beyond"]},
        geometry=[shapely.box(*box) for box in boxes],
        crs="EPSG:3035",
    )
    return dm.compare(*map(dm.open, two), zones=zones)


def words_of(ax: Any) -> str:
    """All texts of a picture."""
    from matplotlib.text import Text

    return "\n".join(text.get_text() for text in ax.figure.findobj(Text))


def test_the_picture_says_what_is_told_and_what_is_not(found: Comparison) -> None:
    """It names both maps, both signs on equal classes, the largest changes with their intervals, the promise, and never calls land unchanged."""
    import matplotlib.pyplot as plt

    ax = found.plot()
    words = " ".join(words_of(ax).split())
    plt.close(ax.figure)
    assert "Raptors 2025" in words
    for said in (
        "no change can be told; there may be one",
        " more",
        " fewer",
        "ε = 1",
        "capped",
        "90 % intervals",
        "falsely",
    ):
        assert said in words, said
    assert "unchanged" not in words
    sizes = {
        way: re.findall(rf"((?:under )?[\d.]+(?: to [\d.]+)?) {way}\b", words)
        for way in ("more", "fewer")
    }
    largest = found.clusters()["change"].max()
    assert f"+{largest:,.0f} (" in words
    assert {size for size in sizes["more"] if " " in size} == {
        size for size in sizes["fewer"] if " " in size
    }


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_command_writes_the_picture(
    two: tuple[Path, Path], tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its suffix, with a description for those who cannot see it."""
    path = tmp_path / f"change.{suffix}"
    assert run(["compare", *map(str, two), "--to", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wrote"] == [str(path)]
    assert path.stat().st_size > 5_000
    if suffix == "svg":
        assert "<desc id=" in path.read_text("utf-8")


@pytest.mark.parametrize("dpi", [0, -3, float("nan"), 1e6, "many"])
def test_dots_per_inch_that_no_picture_has_are_one_line(
    found: Comparison, tmp_path: Path, dpi: Any
) -> None:
    """They are refused, and nothing is left behind."""
    with pytest.raises(BadInput, match="dots per inch"):
        found.draw(tmp_path / "change.png", dpi=dpi)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dpi", [60, 110, 150])
def test_no_words_stick_out_of_the_picture(found: Comparison, tmp_path: Path, dpi: int) -> None:
    """At any number of dots per inch the paper is white along its edges."""
    from PIL import Image

    found.draw(tmp_path / "change.png", dpi=dpi)
    dots = np.asarray(Image.open(tmp_path / "change.png").convert("L"))
    assert min(edge.min() for edge in (dots[0], dots[-1], dots[:, 0], dots[:, -1])) == 255


def test_zones_are_drawn_with_their_names(zoned: Comparison) -> None:
    """A told zone is named; one beyond the maps is not compared and does not pull the frame away."""
    import matplotlib.pyplot as plt

    ax = zoned.plot()
    words, (west, east) = words_of(ax), ax.get_xlim()
    plt.close(ax.figure)
    assert "gained" in words
    assert "; 1 not compared" in words
    assert 3_300_000 < west < east < 3_500_000


def test_layers_of_places_and_clusters_open_styled(found: Comparison, tmp_path: Path) -> None:
    """The GeoPackage of a comparison has its regions, patches and clusters, each with a style of its own; what lies below has no labels
    that would show through.
    """
    path = tmp_path / "change.gpkg"
    found.export(path)
    with sqlite3.connect(path) as file:
        styles = dict(file.execute("SELECT f_table_name, styleQML FROM layer_styles").fetchall())
    assert set(styles) == {"change", "change_patches", "change_clusters"}
    assert "no change can be told" in styles["change_patches"]
    assert {name for name, qml in styles.items() if 'labelsEnabled="1"' in qml} == {
        "change_patches",
        "change_clusters",
    }
    assert len(gpd.read_file(path, layer="change_clusters")) == len(found.clusters())


def test_land_told_by_its_cluster_alone_is_hatched_in_the_layer_too(tmp_path: Path) -> None:
    """That layer is the clusters without the places that are told by themselves, in the classes of the places."""
    before = np.full(GRID.shape, 20.0)
    after = before.copy()
    after[4:8, 4:8] += 8
    path = tmp_path / "change.gpkg"
    dm.compare(released(before, "Raptors 2025", 1), released(after, NAME, 2)).export(path)
    whole, patches, clusters = (
        gpd.read_file(path, layer=f"change_{name}") for name in ("whole", "patches", "clusters")
    )
    told, all_of_it = patches[patches["told"]].union_all(), clusters.union_all()
    assert len(whole) > 0
    assert whole.union_all().intersection(told).area < 1
    assert whole.union_all().symmetric_difference(all_of_it.difference(told)).area < 1
    with sqlite3.connect(path) as file:
        styles = dict(file.execute("SELECT f_table_name, styleQML FROM layer_styles").fetchall())
    rules = {
        name: set(re.findall(r'label="((?:more|fewer)[^"]*)"', qml)) for name, qml in styles.items()
    }
    assert rules["change_whole"] == rules["change_patches"]
    assert styles["change_whole"].count("LinePatternFill") == len(rules["change_whole"])


def test_a_trend_says_of_which_step_its_colours_are(tmp_path: Path) -> None:
    """The layer of a trend over years tells a slope for each year."""
    totals = [np.full(GRID.shape, 20.0 + 40 * year) for year in range(3)]
    series = dm.open_series(
        [released(one, f"Raptors {year}", year) for year, one in enumerate(totals, 2024)],
        labels=["2024", "2025", "2026"],
    )
    series.trend().export(tmp_path / "trend.gpkg")
    with sqlite3.connect(tmp_path / "trend.gpkg") as file:
        ((style,),) = file.execute("SELECT styleQML FROM layer_styles").fetchall()
    words = re.findall(r'label="((?:more|fewer)[^"]*)"', style)
    assert words
    assert all(one.endswith("every year") for one in words)


def of_partners(totals: Any, year: int) -> Release:
    """The map of two partners, each of whom released a half of these totals."""
    halves = [np.where(np.arange(12) < 6, totals, 0.0), np.where(np.arange(12) < 6, 0.0, totals)]
    each = [
        released(half, f"{who} {year}", year + at)
        for at, (who, half) in enumerate(zip("AB", halves, strict=True))
    ]
    return dm.merge(each, signed_by="the steward of both")


def of_partners_in_two_years() -> tuple[Release, Release]:
    """Two merged maps; in the later one sixteen cells hold far more."""
    before = np.full(GRID.shape, 20.0)
    after = before.copy()
    after[6:10, 6:10] = 120
    return of_partners(before, 2020), of_partners(after, 2030)


def of_two_layers() -> tuple[Release, Release]:
    """Two seasons of one release."""
    first, second = dm.open(SAVED / "0.2.0" / "times.dpmap").layers.values()
    return first, second


@pytest.mark.parametrize("maps", [of_partners_in_two_years, of_two_layers])
def test_merged_maps_and_layers_are_drawn_as_any(maps: Any, tmp_path: Path) -> None:
    """A picture, a page and layers of maps of several partners, and of two layers of one release."""
    compared = dm.compare(*maps())
    compared.draw(tmp_path / "change.png", dpi=50)
    compared.draw(tmp_path / "change.html")
    compared.export(tmp_path / "change.gpkg")
    assert {path.name for path in tmp_path.iterdir()} == {
        "change.png",
        "change.html",
        "change.gpkg",
    }
    layers = [
        gpd.read_file(tmp_path / "change.gpkg", layer=f"change_{name}")
        for name in ("patches", "clusters")
    ]
    assert [len(layer) for layer in layers] == [len(compared.patches()), len(compared.clusters())]
    assert layers[0].crs == layers[1].crs


def test_lines_do_not_cover_the_colours_of_many_small_clusters() -> None:
    """Fifty clusters of four cells among 160,000 have thin lines; the same of a quarter of the map each have broad ones, and a few small
    ones too, which would not be seen without.
    """
    from dpmap.render.changes import _crowded
    from dpmap.render.map_frame import MapFrame

    grid = dm.Grid(
        bounds=(3_350_000, 3_700_000, 3_410_000, 3_760_000), shape=(400, 400), crs="EPSG:3035"
    )
    small = shapely.box(
        3_360_000, 3_710_000 + np.arange(50) * 400, 3_360_300, 3_710_300 + np.arange(50) * 400
    )
    large = np.repeat(shapely.box(3_350_000, 3_700_000, 3_380_000, 3_730_000), 50)
    frame = MapFrame(grid, grid.crs)
    assert _crowded(small, frame)
    assert not _crowded(large, frame)
    assert not _crowded(small[:5], frame)


@pytest.mark.parametrize("name", ["means", "sparse"])
def test_maps_without_a_page_are_drawn_in_zones_only(name: str, tmp_path: Path) -> None:
    """A picture of their zones is drawn; a page with a slider is refused in one line, and nothing is left behind."""
    from dataclasses import replace

    one, other = (
        dm.open(SAVED / "0.2.0" / f"{name}.dpmap"),
        dm.open(SAVED / "0.1.0" / f"{name}.dpmap"),
    )
    other = Release(
        replace(other.record, receipt=replace(other.record.receipt, release_id="another"))
    )
    west, south, east, north = (
        gpd.GeoSeries(one.grid.ground.polygons(), crs=one.grid.crs).to_crs(4326).total_bounds
    )
    compared = dm.compare(one, other, zones=(west, south, (west + east) / 2, north))
    compared.draw(tmp_path / "change.png", dpi=50)
    with pytest.raises(BadInput, match="picture") as refused:
        compared.draw(tmp_path / "change.html")
    assert "\n" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["change.png"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--to", "change.tif"],
        ["--context", "roads.gpkg"],
        ["--to", "a.png", "--context", "no.gpkg"],
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    two: tuple[Path, Path], wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Another suffix, a context without a picture, and a context that is not there."""
    assert run(["compare", *map(str, two), *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_page_moves_its_divider_by_key_and_tells_each_change(
    found: Comparison, zoned: Comparison, tmp_path: Path
) -> None:
    """In a real browser it asks for nothing, has no fault of access and no overlap; keys move the divider, which cuts the later map; the
    change is switched to, pointed at and listed; names are text. On paper all of the map is seen.
    """
    with driver(), launched() as browser:
        for comparison, width, scheme in (
            (found, 1280, "light"),
            (found, 390, "dark"),
            (zoned, 1280, "light"),
        ):
            path = tmp_path / "change.html"
            comparison.explore().save(path)
            watch = Watch(browser, width, 860, color_scheme=scheme)
            page = watch.open(path)
            cut = "document.querySelector('.leaflet-after-pane').style.clip"
            before = page.evaluate(cut)
            page.focus("#dp-divider")
            page.keyboard.press("ArrowLeft")
            assert page.evaluate(cut) != before
            assert "49 %" in page.get_attribute("#dp-divider", "aria-valuetext")
            assert NAME in page.inner_text("#dp-name-after")
            page.keyboard.press("Home")
            assert "0 %" in page.get_attribute("#dp-divider", "aria-valuetext")
            page.focus("#dp-modes [value=both]")
            page.keyboard.press("ArrowRight")
            assert page.is_hidden("#dp-divider")
            assert "no change can be told" in page.inner_text("#dp-legend")
            assert page.locator("#dp-rows tr").count() > 0
            page.click("#dp-rows button >> nth=0")
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(".dp-tip:not([hidden])")
            assert "interval" in page.inner_text(".dp-tip")
            assert page.evaluate(OVERLAPS) == []
            assert axe_faults(page) == []
            page.emulate_media(media="print")
            until(page, "dpmap.page.map.getBounds().contains(dpmap.page.facts.geometry.bounds)")
            page.wait_for_selector("#dp-rules", state="visible")
            assert watch.outside == []
            assert watch.complaints == []
            watch.close()
