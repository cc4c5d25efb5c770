"""A map that is being prepared is a file of flags; the studio reads and writes nothing outside its folder by way of it."""

import pytest
from builders.studios import studio


@pytest.mark.parametrize(
    "line",
    [
        'survey = "/etc/passwd"', 'survey = ["../other.csv"]', 'survey = [{file = "../other.csv", x = "lon"}]', 'survey = "linked.csv"',
        'survey = "postgresql://steward@localhost/nests"', 'survey = "s3://bucket/a.csv"', 'area = "../area.gpkg"', 'area = "/vsicurl/http://x/a"',
        'out = "../elsewhere"', 'ledger = "/tmp/x.ledger"', 'sites = "../sites.csv"', 'context = ["../roads.gpkg:roads"]', 'seal = "../all.seal"',
    ],
)  # fmt: skip
def test_a_file_of_flags_that_leads_out_of_the_folder_is_refused(tmp_path, line):
    """Whoever can put a file of flags into the folder cannot make the studio read or write elsewhere."""
    browser = studio(tmp_path)
    (tmp_path / "other.csv").write_text("lon,lat\n1,2\n")
    (browser.folder / "linked.csv").symlink_to(tmp_path / "other.csv")
    from dpmap.studio.folder import short

    (browser.folder / "bad.toml").write_text(f"{line}\ndataset = 'd'\n")
    for step in ("data", "sure", "confirm"):
        page = browser.get(f"/map/{short('bad.toml')}/{step}")
        assert page.status in (400, 404), step
        if page.status == 400:
            assert "bad.toml" in page.text


def test_two_windows_do_not_write_over_each_other(tmp_path):
    """A form that was filled in before the map was changed elsewhere changes nothing, and says so."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    old = browser.mark(f"{place}/data")
    browser.change(f"{place}/data", texts="yes", where="year >= 2020", stay="yes")
    late = browser.post(f"{place}/data", {"mark": old, "texts": "yes", "where": "", "stay": "yes"})
    assert late.status == 400
    assert "changed meanwhile" in late.text
    assert "year" in (browser.folder / "raptors-2026.toml").read_text()


@pytest.mark.parametrize(
    "value",
    ["5", "[1, 2]", '[["a"], {b = 1}]', "{a = 1}", "true", "nan", "1979-05-27", f'"{"a" * 5000}"'],
)
def test_a_flag_of_another_kind_breaks_no_page(tmp_path, value):
    """Whatever stands behind a flag of a planted file, each page shows it or says what is wrong in one line."""
    from dpmap.studio.folder import short

    browser = studio(tmp_path, "raptors.csv")
    for flag in ("tier", "zones", "label", "out"):
        rest = {"survey": "raptors.csv", "dataset": "d", "out": "d-map", "unit": "observer_id"}
        lines = [
            f"{flag} = {value}",
            *(f'{key} = "{told}"' for key, told in rest.items() if key != flag),
        ]
        (browser.folder / "bad.toml").write_text("\n".join(lines))
        for place in ("/", *(f"/map/{short('bad.toml')}/{step}" for step in ("sure", "confirm"))):
            assert browser.get(place).status in (200, 400), (flag, place)
