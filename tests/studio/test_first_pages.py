"""The studio's first pages: what is in the folder, and how a survey's file is read."""

import pytest
from builders.studios import studio
from builders.workbooks import xlsx


def test_a_map_is_begun_from_a_file_of_the_folder(tmp_path):
    """A file that is ticked and a name make a file of flags, which the command line reads as well."""
    browser = studio(tmp_path)
    assert "raptors.csv" in browser.get("/").text
    place = browser.begin("raptors.csv")
    assert 'survey = "raptors.csv"' in (browser.folder / "raptors-2026.toml").read_text()
    assert browser.get(f"{place}/data").status == 200


def test_true_numbers_are_shown_to_the_operator_who_asks(tmp_path):
    """The first page of a survey holds no number of it; the page behind the button does, and warns."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    shown = browser.finished(browser.post(f"{place}/look"))
    assert "operator" in shown.text
    assert "usable" in shown.text
    assert "name one with" not in shown.text, "who is protected is chosen on a page, not by a flag"
    assert "You choose it on the page" in shown.text


def test_the_first_page_keeps_what_remains_in_sight(tmp_path):
    """Each ledger of the folder is named with what remains in it, in a piece that the first page does not wait for."""
    from fractions import Fraction

    from dpmap.ledger.ledger import Ledger

    browser = studio(tmp_path)
    Ledger(browser.folder / "raptors.ledger").reserve(
        dataset="Raptors", epsilon=Fraction(1), budget=Fraction(3), details={}
    )
    assert 'data-load="/brief"' in browser.get("/").text
    assert (
        "Spent: epsilon 1 of 3 (33%). <strong>Remaining: 2.</strong>" in browser.get("/brief").text
    )


@pytest.mark.parametrize("part", ["sheet", "layer"])
def test_a_file_of_several_sheets_or_layers_is_asked_for_one_before_who(tmp_path, part):
    """No step goes on, and no page confirms, while it is open which of them is the survey; one chosen leaves no doubt."""
    browser = studio(tmp_path)
    name = several(browser.folder, part)
    place = browser.begin(name)
    asked = browser.change(f"{place}/data")
    assert asked.status == 400
    assert f"this file has several {part}s: choose one below" in asked.text
    assert f"this file has several {part}s: choose one<" in browser.get(f"{place}/confirm").text
    where = {"sheet": {"x": "x", "y": "y", "crs": "EPSG:4326"}, "layer": {}}
    browser.change(f"{place}/data", **{part: "second"} | where[part])
    page = browser.get(f"{place}/data")
    assert page.status == 200
    assert "each person who observed (by observer)" in page.text


def several(folder, part):
    """Writes a workbook of two sheets, or a GeoPackage of two layers, and returns its name."""
    if part == "sheet":
        notes, rows = [["notes"]], [["observer", "x", "y"], ["Ana", 1, 2]]
        xlsx(folder / "survey.xlsx", {"first": notes, "second": rows})
        return "survey.xlsx"
    import geopandas

    for layer in ("first", "second"):
        table = geopandas.GeoDataFrame(
            {"observer": ["Ana"], "x": [1.0], "y": [2.0]},
            geometry=geopandas.points_from_xy([1], [2]),
            crs=4326,
        )
        table.to_file(folder / "survey.gpkg", layer=layer)
    return "survey.gpkg"
