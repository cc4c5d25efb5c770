"""The code of a cell on the interactive page, for a planner who must quote it."""

import csv
import json

import numpy as np
import pytest
from builders.official import case, grid, shifted
from builders.pages import Watch, launched
from builders.records import told_of

from dpmap.grid import Grid
from dpmap.releases.release import Release
from dpmap.render.page_geometry import codes, geometry

EEA = "eea-10km"


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


def opened(browser, folder, record):
    Release(record).draw(folder / "map.html", context=False)
    watch = Watch(browser)
    return watch, watch.open(folder / "map.html")


def test_a_cell_that_is_pointed_at_tells_its_code(browser, tmp_path):
    """Pointing at any single cell, or choosing it in the table, tells the code that Python has for it, and its grid."""
    ground = grid(EEA)
    record, _ = told_of(
        ground, np.where(np.arange(ground.cells_inside) % 2, 4000.0, 20.0), noise=0.0
    )
    watch, page = opened(browser, tmp_path, record)
    buttons, seen = page.locator("#dp-strongest-rows tr"), set()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for row in range(buttons.count()):
        code = buttons.nth(row).locator(".dp-code").inner_text()
        buttons.nth(row).locator("button").click()
        assert f"{code} in the EEA reference grid" in page.locator(".dp-tip").inner_text()
        seen.add(code)
    assert seen and seen <= set(ground.codes()["eeaCellCode"])
    assert watch.complaints == []
    watch.close()


def test_the_table_that_the_page_hands_out_has_the_codes(browser, tmp_path):
    """In the CSV of single cells each has the code that Python has for it; on other grids there is no such column."""
    page_rows = {}
    for name, record in (("official", case(EEA)[0]), ("aside", told_of(shifted(EEA))[0])):
        watch, page = opened(browser, tmp_path, record)
        page.locator("#dp-by label:has([value=cells])").click()
        with page.expect_download() as loaded:
            page.locator("#dp-csv").click()
        with open(loaded.value.path(), encoding="utf-8", newline="") as file:
            page_rows[name] = list(csv.DictReader(file))
        watch.close()
    assert [row["eeaCellCode"] for row in page_rows["official"]] == grid(EEA).codes()[
        "eeaCellCode"
    ].tolist()
    assert "eeaCellCode" not in page_rows["aside"][0]


def test_codes_make_a_page_hardly_larger():
    """The codes of ten thousand cells take less than a tenth of a byte each; those of very many are left to the layers."""
    ground = Grid(
        bounds=(4_000_000, 2_000_000, 4_100_000, 2_100_000), shape=(100, 100), crs="EPSG:3035"
    )
    assert len(json.dumps(codes(ground))) < 1000
    many = Grid(
        bounds=(4_000_000, 2_000_000, 4_500_000, 2_500_000), shape=(500, 500), crs="EPSG:3035"
    )
    assert codes(many) is None
    assert "codes" not in geometry(shifted(EEA))


def test_cells_of_degrees_have_a_code_on_the_page_where_their_size_has_a_name():
    """Quarter degrees and pentads tell their codes; a tenth of a degree, which is six minutes by chance, is not made to."""
    named = Grid(bounds=(24, -22, 25, -21), shape=(4, 4), crs="EPSG:4326")
    by_chance = Grid(bounds=(24, -22, 25, -21), shape=(10, 10), crs="EPSG:4326")
    assert (
        codes(named)["column"] == "eqdgcCellCode" and by_chance.codes() and codes(by_chance) is None
    )
