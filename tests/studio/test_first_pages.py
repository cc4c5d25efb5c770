"""The studio's first pages: what is in the folder, and how a survey's file is read."""

from builders.studios import studio


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


def test_the_first_page_keeps_what_remains_in_sight(tmp_path):
    """Each ledger of the folder is named with what remains in it, in a piece that the first page does not wait for."""
    from fractions import Fraction

    from dpmap.ledger.ledger import Ledger

    browser = studio(tmp_path)
    Ledger(browser.folder / "raptors.ledger").reserve(
        dataset="Raptors", epsilon=Fraction(1), budget=Fraction(3), details={}
    )
    assert 'data-load="/brief"' in browser.get("/").text
    assert "<strong>2</strong> of 3 epsilon remains" in browser.get("/brief").text
