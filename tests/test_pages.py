"""Pages are templates: whatever a name holds is shown as text, and a template that asks for what nobody gave is an error."""

from pathlib import Path

import jinja2
import pytest

import dpmap as dm
import dpmap.render
from dpmap.render.folium_map import OfflineMap
from dpmap.steward import inspection
from dpmap.templates import fill_page, template

HOSTILE = "<script>window.pwned=1</script><img src=x onerror='pwned=1'>\"&{{ 7 * 7 }}"


def test_a_survey_with_hostile_names_is_shown_as_text(tmp_path):
    """The page of `dpmap inspect` quotes columns, and the file's name stands in its title."""
    rows = "".join(f"{i % 5},{i % 4},{i % 3}\n" for i in range(20))
    (tmp_path / "s.csv").write_text("x,y,<b>who</b>\n" + rows)
    survey = dm.read(tmp_path / "s.csv", unit="<b>who</b>", x="x", y="y", crs="EPSG:3035")
    page = inspection.page(inspection.inspect(survey, unit="<b>who</b>"), HOSTILE)
    assert "<script" not in page and "<img" not in page and "<b>who" not in page
    assert "&lt;b&gt;who" in page and page.count("{{ 7 * 7 }}") == 2
    assert "default-src 'none'" in page and page.count("<svg") == 2


def test_a_frame_in_a_notebook_holds_the_page_and_nothing_else():
    """A map's own page and its title stand within the frame's attributes, which no name can end."""
    frame = OfflineMap({"title": HOSTILE}).get_root()._repr_html_()
    assert (
        frame.count("<") == 2
        and frame.startswith("<iframe srcdoc=")
        and frame.endswith("</iframe>\n")
    )


def test_a_planner_reads_beside_the_legend_that_no_point_was_moved():
    """The page of a map says it where the colours are explained, without anything being opened first."""
    source = (Path(dpmap.render.__file__).parent / "assets" / "page.html").read_text("utf-8")
    assert (
        "No point was moved"
        in source.split('aria-labelledby="dp-legend-title"')[1].split("</section>")[0]
    )


def test_a_name_that_nobody_gave_is_an_error():
    """No page is written with a hole in it."""
    with pytest.raises(jinja2.UndefinedError, match="title"):
        fill_page("dpmap.local", "page.html", question="", script="")
    assert template("dpmap.local", "page.html") is template("dpmap.local", "page.html")
