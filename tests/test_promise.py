"""The page on the promise: every sentence leads to a test that exists; and the limits it names are real."""

import re
from pathlib import Path

import numpy as np
import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.vault.session import Session

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promise.md"
TEXT = PAGE.read_text("utf-8")
BODY, _, LINKS = TEXT.partition("\n[unit]:")
CHECKS = dict(
    re.findall(r'^\[([\w-]+)\]: (\.\./tests/\S+ "\w+")$', f"[unit]:{LINKS}" if LINKS else "", re.M)
)
MARK = re.compile(r"\[\u2713\]\[([\w-]+)\]")


def sentences():
    """The sentences of the page, each with the marks behind it; headings, run-in labels and the introduction aside."""
    found = []
    for block in re.split(r"\n\s*\n|\n(?=- |#)", BODY.split("\n## ", 1)[1]):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        text = re.sub(r"(\(\d\) )?\*[A-Z][\w ]+\.\*", "", " ".join(" ".join(lines).split()))
        found += re.split(
            r"(?<=[.!?])\s+(?=[^\[\s])|(?<=\.\*\*)\s+(?=[^\[\s])|(?<=\])\s+(?=[^\[\s])", text
        )
    return [one.strip() for one in found if re.search(r"[a-z]{3}", one) and one != "Definition"]


def test_every_sentence_has_its_check():
    """Each sentence of the promise ends with a mark that links to a test."""
    bare = [one for one in sentences() if not re.search(r"\[\u2713\]\[[\w-]+\](?: QED)?$", one)]
    assert len(sentences()) > 40
    assert not bare


def test_every_check_is_there():
    """Each mark leads to a file in this repository that holds the test it names, and no link is left over."""
    used = set(MARK.findall(BODY))
    assert used == set(CHECKS)
    for key, target in CHECKS.items():
        path, name = re.fullmatch(r'\.\./(\S+) "(\w+)"', target).groups()
        assert re.search(rf"^ *def {name}\(", (ROOT / path).read_text("utf-8"), re.M), key


def test_linked_files_of_the_page_exist():
    """Every other link of the page leads to a file as well."""
    for target in re.findall(r"\]\(([^)#\s]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target


def test_a_sentence_without_its_check_would_be_noticed(monkeypatch):
    """The test above has teeth: one bare sentence, anywhere on the page, makes it fail."""
    places = [match.end() for match in re.finditer(r"\[\u2713\]\[[\w-]+\](?=\s)(?!\s+\[)", BODY)]
    for place in places[:: max(1, len(places) // 12)]:
        monkeypatch.setattr(
            f"{__name__}.BODY", BODY[:place] + " It also does your taxes." + BODY[place:]
        )
        with pytest.raises(AssertionError):
            test_every_sentence_has_its_check()


# --- the limits ---------------------------------------------------------------------------------------------------


def grid(columns=4):
    return dm.Grid(bounds=(0, 50, columns, 51), shape=(1, columns), crs="EPSG:4326")


def test_an_empty_survey_gives_a_map_of_the_same_cells(tmp_path):
    """With nobody in it, a survey gives a release with all cells of the area, at the same noise."""
    sizes = []
    for rows in ([], ["ana,0.5,50.5"] * 9):
        made = surveys.released(rows, tmp_path, grid())
        sizes.append([(one.partition.regions, one.scale) for one in made.measurements])
        assert np.isfinite(made.estimate).all()
    assert sizes[0] == sizes[1] == [(4, 3)]


def test_a_site_that_many_report_shows_unless_it_is_the_unit():
    """A nest reported by 50 people stands out when people are the unit, and is one point among the noise when it is the unit."""
    by_people = Session(np.array([0.0, 50, 0, 0]), grid(), 1, 1, 2**32)
    by_site = Session(np.array([0.0, 1, 0, 0]), grid(), 1, 1, 2**32)
    people, site = (one.measure(dm.Partition.cells(grid()), 1) for one in (by_people, by_site))
    assert people.values[1] > 15 * float(people.scale)  # e^-35 for this to fail
    assert site.scale == 1


def test_sealing_is_no_lock(tmp_path):
    """Whoever writes code in the same process can reach what the process reads; the page does not say otherwise."""
    assert surveys.survey(tmp_path, ["ana,0.5,50.5"])._source is not None


def test_a_query_that_ranks_mixes_units_before_they_are_capped():
    """Keep the three newest rows of a table: without Ana, another person's row moves up, so more than one unit's rows change."""
    table = [("bo", 4), ("ana", 3), ("cy", 2), ("dee", 1)]

    def newest(rows):
        return set(sorted(rows, key=lambda row: -row[1])[:3])

    without = newest([row for row in table if row[0] != "ana"])
    assert {who for who, _ in newest(table) ^ without} == {"ana", "dee"}


def test_inspect_says_that_its_numbers_are_not_private(tmp_path, capsys):
    """`dpmap inspect` begins or ends by saying that these are true numbers, for the operator only, and writes no file."""
    surveys.written(tmp_path, ["ana,0.5,50.5"])
    assert run(["inspect", str(tmp_path / "survey.csv")]) == 0
    assert "operator's eyes only" in " ".join(capsys.readouterr().out.split())
    assert [path.name for path in tmp_path.iterdir()] == ["survey.csv"]
