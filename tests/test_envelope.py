"""What a planner is handed: her page says nothing that is false more often than it says, and fits one sheet whatever the map."""

import re
import sys
import zipfile
from pathlib import Path

import pytest
from builders.surveys import grid, released, scattered
from scipy.stats import binom

import dpmap as dm
from dpmap.markdown import blocks
from dpmap.releases.planner_files import ENCLOSED, write_planner_page
from dpmap.releases.planner_page import MOST_ROWS, planner_page
from dpmap.releases.planner_pdf import SHEET, Sheet, _write_words
from dpmap.statement.file_names import PLANNER
from dpmap.statement.statement import statement

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
RUNS = 2
"""A tenth of what the benchmark runs."""
CHANCE = 1e-6
"""So seldom the first test fails where everything holds as often as it says."""


@pytest.fixture
def benchmark(monkeypatch):
    """The module that compares pages with the truth."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import envelope

    yield envelope
    for name in ("envelope", "shapes"):
        sys.modules.pop(name, None)


def test_no_claim_is_false_more_often_than_the_page_says(benchmark):
    """Headlines, sentences and lines, compared with the capped totals of invented surveys."""
    stands, false = benchmark.measure(RUNS)
    for kind in {kind for kind, _ in stands}:
        count, wrong = (
            sum(number for (one, _), number in table.items() if one == kind)
            for table in (stands, false)
        )
        assert wrong <= binom.ppf(1 - CHANCE, count, 1 - benchmark.LEVEL), kind


def kinds(folder):
    """A small release of each kind, by its name."""
    rows = scattered(200)
    kite = [f"{row},kite" for row in rows]
    yield "totals", released(rows, folder)
    yield "sparse", released(rows, folder, strategy="sparse:8")
    head = "who,longitude,latitude,kind"
    (folder / "k.csv").write_text("\n".join([head, *kite]))
    layers = grid().layered(dm.Kinds("kind", ["kite", "owl"]))
    yield "layers", released(dm.read(folder / "k.csv"), folder, layers)
    one = released(rows, folder, dataset="another")
    yield "merged", dm.merge([released(rows, folder, dataset="one"), one])


def test_each_kind_of_map_has_a_page_of_one_sheet(tmp_path):
    """The PDF has one page, the words on it stay on the sheet, and the map has room."""
    for name, release in kinds(tmp_path):
        release.write(tmp_path / "for-the-planner.pdf")
        pages = re.findall(rb"/Type /Page\b", (tmp_path / "for-the-planner.pdf").read_bytes())
        assert len(pages) == 1, name
        release.write(tmp_path / "for-the-planner.html")
        text = (tmp_path / "for-the-planner.html").read_text("utf-8")
        assert text.count("<img") == 1 and "<script" not in text


def test_a_long_name_and_many_districts_fit_the_sheet(tmp_path, benchmark):
    """Of 42 districts the first are listed, the rest counted; no line leaves the sheet or meets the map."""
    counts = benchmark.survey("clusters", 3_000, 1)
    areas = benchmark.districts(7, 6)
    totals = [counts.sum() // 42] * 42
    import numpy as np

    policy = dm.Policy(epsilon="1", unit="who", cap=1)
    release = benchmark.released(np.array(totals), areas, "flat", policy)
    object.__setattr__(release.record.receipt, "dataset", "<b>waders</b> " * 40)
    page = planner_page(release)
    assert len(page.rows) == MOST_ROWS and str(42 - MOST_ROWS) in page.rows_left
    sheet = Sheet()
    top, bottom = _write_words(sheet, page)
    assert 0 < top < bottom - 2 and bottom < SHEET[1]
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(sheet.figure).get_renderer()
    for text in sheet.figure.texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0 and box.x1 <= SHEET[0] * 72 and box.y0 >= 0, text.get_text()
    write_planner_page(release, tmp_path / PLANNER[0])
    assert "<b>waders" not in (tmp_path / PLANNER[0]).read_text("utf-8")


def test_the_archive_holds_what_stands_beside_it(tmp_path):
    """A planner's files and no other; two archives of the same files are equal to the byte."""
    release = released(scattered(100), tmp_path)
    release.save(tmp_path / "release.dpmap")
    for name in ("map.html", "cells.gpkg", "statement.html", *PLANNER):
        release.write(tmp_path / name)
    release.write(tmp_path / "planner.zip")
    first = (tmp_path / "planner.zip").read_bytes()
    release.write(tmp_path / "planner.zip")
    assert (tmp_path / "planner.zip").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "planner.zip") as archive:
        held = {name.removeprefix("planner/"): archive.read(name) for name in archive.namelist()}
    assert set(held) == {name for name in ENCLOSED if (tmp_path / name).exists()}
    assert all((tmp_path / name).read_bytes() == content for name, content in held.items())


def test_the_statement_is_a_page_of_the_same_words(tmp_path):
    """Nothing of the Markdown is missing in the page."""
    release = released(scattered(100), tmp_path)
    release.write(tmp_path / "statement.html")
    text = re.sub(r"<[^>]+>", "", (tmp_path / "statement.html").read_text("utf-8"))
    import html

    shown = re.sub(r"\s+", "", html.unescape(text))
    for block in blocks(statement(release.record)):
        for row in block.rows:
            for cell in row:
                assert re.sub(r"\s+", "", "".join(span.text for span in cell)) in shown


def test_zones_of_her_own_are_answered_in_place_of_the_parts(tmp_path):
    """A page for a planner's districts names them, and says so of those outside the map by leaving them out."""
    import geopandas as gpd
    import shapely

    release = released(scattered(300), tmp_path)
    boxes = [shapely.box(0, 50, 0.5, 51), shapely.box(0.5, 50, 1, 51), shapely.box(5, 5, 6, 6)]
    zones = gpd.GeoDataFrame({"name": ["West", "East", "Far"]}, geometry=boxes, crs="EPSG:4326")
    assert {row.name for row in planner_page(release, zones).rows} == {"West", "East"}
