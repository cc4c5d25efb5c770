"""What the pages about choosing unit, cell, cap and epsilon say is what the plan says."""

import math
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import dpmap as dm
from dpmap.cli import run
from dpmap.grid import Grid
from dpmap.noise.theory import odds_factor
from dpmap.steward.planning import epsilon_for
from dpmap.steward.planning.cost import choices
from dpmap.steward.planning.planner import _densities, _options
from dpmap.strategies.adaptive import least_last_share
from dpmap.survey.unit_names import PLACEHOLDERS

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "choose"
PAGES = sorted(FOLDER.glob("*.md"))
SUBJECTS = [page for page in PAGES if page.name != "README.md"]
SAMPLES = ROOT / "data_samples"
EPSILONS = ("0.125", "0.25", "0.5", "1", "2")


def rows(page: str, heading: str) -> dict[str, list[str]]:
    """The table of a page whose first line begins with a heading: the cells of each row by its first one."""
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    table = text[text.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {first: rest for first, *rest in cells}


def policy(epsilon: object = "1", cap: int = 5) -> dm.Policy:
    """The promise of the pages' examples."""
    return dm.Policy(epsilon=epsilon, unit="observer_id", cap=cap)


@cache
def shares(cell: str, epsilon: str = "0.5", cap: int = 5, each: float = 3) -> dict[str, str]:
    """The plan's share of points seen cell by cell, for each epsilon of its table, as it is printed."""
    place = Grid.covering(SAMPLES / "study_area.gpkg", cell=cell)
    options = _options(place, policy(epsilon, cap), _densities(None), 800 * each)
    return {option.epsilon: f"{100 * option.single:.0f} %" for option in options}


@pytest.mark.parametrize("page", SUBJECTS, ids=lambda page: page.stem)
def test_the_pages_are_short_and_pictured(page: Path) -> None:
    """Each page about a choice is short, is in the index, asks real questions, and shows the picture that is drawn for it."""
    text, pictures = page.read_text("utf-8"), (FOLDER / "pictures.py").read_text("utf-8")
    assert len(text.splitlines()) <= 115
    assert f"({page.name})" in (FOLDER / "README.md").read_text("utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(([\w-]+)\.png\)", text)
    assert page.stem in shown
    for name in shown:
        assert (FOLDER / f"{name}.png").stat().st_size <= 120_000
        assert f'"{name}": {name}' in pictures
    asked = text[text.index("## Questions people ask") :]
    assert len(re.findall(r"^\*\*[^*]+[?.]\*\* ", asked, re.M)) >= 5


def test_no_picture_is_left_over() -> None:
    """Every picture of these pages is shown on one of them."""
    text = "".join(page.read_text("utf-8") for page in PAGES)
    assert {picture.name for picture in FOLDER.glob("*.png")} == set(
        re.findall(r"\]\((\w+\.png)\)", text)
    )


def test_the_caps_of_the_page_are_those_of_the_law() -> None:
    """What the page about caps says of noise, least totals and epsilon is what the plan says of any survey."""
    table = rows("cap", "cap | noise of a cell measured by itself at epsilon 1, nine times in ten")
    assert len(table) >= 5
    for cap, (noise, least, epsilon) in table.items():
        assert (noise.removesuffix(" points"), least) == _exact("1", int(cap))
        assert float(epsilon) == float(epsilon_for(int(cap), detect=20))


def test_the_guess_of_the_plan_is_told_as_it_is() -> None:
    """The page about caps shows what the plan makes of its own guess, and of what the sample's volunteers add."""
    for cap, told in rows("cap", "cap | as the plan guesses").items():
        for words in told:
            share, each = re.match(r"(\d+ %) \(([\d.]+) each\)", words).groups()
            assert shares("5 km", "1", int(cap), float(each))["1"] == share, (cap, words)


def test_the_sample_is_told_as_inspect_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    """How many sightings a cap keeps, and how active the sample's volunteers are, is what `dpmap inspect` shows of it."""
    survey, area = str(SAMPLES / "raptors.csv"), str(SAMPLES / "study_area.gpkg")
    assert (
        run(
            [
                "inspect",
                survey,
                "--unit",
                "observer_id",
                "--area",
                area,
                "--cell",
                "5 km",
                "--cap",
                "5",
            ]
        )
        == 0
    )
    said, page = capsys.readouterr().out, (FOLDER / "cap.md").read_text("utf-8")
    for cap, (_, kept, *_) in rows("cap", "cap | volunteers counted in full").items():
        away = float(re.search(rf"cap {cap} +([\d.]+)%", said)[1])
        assert kept == f"{round(100 - away)} %"
    assert all(number in said and number in page for number in ("795", "1,802", "19,238"))
    assert "median 4," in said and "4 sightings or fewer" in page


def test_the_table_of_cells_is_that_of_the_plan() -> None:
    """The page about cells shows the table that the plan prints for the sample area."""
    for cell, told in rows("cell", "cell | epsilon 0.125").items():
        assert told == [shares(cell)[epsilon] for epsilon in EPSILONS], cell
    for cell, (many, *_) in rows("cell", "cell | cells | points in a cell, on average").items():
        assert f"{Grid.covering(SAMPLES / 'study_area.gpkg', cell=cell).cells_inside:,}" == many


def test_the_table_of_epsilons_is_that_of_the_plan() -> None:
    """The page about epsilon shows the noise, odds, shares and number of maps that the plan shows."""
    table = rows("epsilon", "epsilon | noise of a cell measured by itself, nine times in ten")
    assert tuple(table) == EPSILONS
    for epsilon, (noise, least, small, large, odds, maps) in table.items():
        assert (noise, least) == _exact(epsilon, 5)
        assert (small, large) == (shares("5 km")[epsilon], shares("10 km")[epsilon])
        assert odds == f"{odds_factor(policy(epsilon).epsilon):.3g} times"
        assert int(maps) == int(3 / float(epsilon))


def test_the_numbers_in_the_sentences_hold() -> None:
    """Numbers that stand in sentences are those of the plan and of the law."""
    text = {page.stem: page.read_text("utf-8") for page in PAGES}
    found = epsilon_for(5, detect=20)
    assert all(f"{float(found):g}" in text[name] for name in ("README", "epsilon"))
    assert f"{3 - float(found):g} of the budget" in text["epsilon"]
    assert int((3 - found) / found) == 6
    assert f"{_exact('0.01', 5)[0].split('.')[0]} points" in text["epsilon"]
    after = [
        round(100 * _moved(before, by))
        for before, by in ((0.05, 1), (0.05, 3), (0.5, 1), (0.5, -1))
    ]
    assert after == [13, 51, 73, 27]
    assert all(str(number) in text["epsilon"] for number in after)


def test_the_odds_are_those_of_the_law() -> None:
    """Both tables of odds, here and in the studio's help, go up to an epsilon of 10 and say what e^epsilon is."""
    table = rows("epsilon", "epsilon | odds move by at most")
    for epsilon, (odds, *after) in table.items():
        assert _times(epsilon) == odds
        told = [100 * _moved(before, float(epsilon)) for before in (0.05, 0.5)]
        assert after == [
            f"{share:.0f} in 100" if share < 99.5 else "nearly all 100" for share in told
        ]
    studio = (ROOT / "docs" / "studio" / "epsilon.md").read_text("utf-8")
    told = re.findall(r"^\| ([\d.]+) \| (.+?) \| (.+?) \|$", studio, re.M)
    assert {"5", "10"} <= {epsilon for epsilon, *_ in told} & set(table)
    for epsilon, took_part, where in told:
        assert (took_part, where) == (_times(epsilon), _times(str(2 * float(epsilon)))), epsilon


def test_why_not_five_is_answered_with_the_numbers_of_the_plan() -> None:
    """What the page says is gained by an epsilon of 5, and had in other ways, is what the plan says."""
    text = (FOLDER / "epsilon.md").read_text("utf-8")
    answer = text[text.index("**Why not 5") : text.index("**Why not 0.01")]
    assert _exact("5", 5)[0] == _exact("1", 1)[0] == "±2.3"
    for number in (
        shares("5 km", "5")["5"],
        shares("5 km", "1", 1, 1)["1"],
        shares("10 km")["1"],
        shares("5 km")["1"],
        "±2.3",
        _exact("1", 5)[0],
    ):
        assert number in answer, number


@pytest.mark.deep
def test_how_many_volunteers_are_needed_is_what_the_plan_recommends() -> None:
    """The page for those who ask how many people they need shows the cells that the plan recommends for them."""
    text = (ROOT / "docs" / "howto" / "plan-before.md").read_text("utf-8")
    told = re.findall(r"^\| (\d+) \| (\d+ km) \|", text, re.M)
    assert [units for units, _ in told] == ["50", "200", "800"]
    for units, cell in told:
        planned = dm.plan(SAMPLES / "study_area.gpkg", policy(), units=int(units))
        assert f"cells of {cell}" in str(planned), units


def _times(epsilon: str) -> str:
    """The factor of an epsilon as the pages write it: three digits, and whole thousands in full."""
    factor = odds_factor(policy(epsilon).epsilon)
    return (
        "over a million"
        if factor >= 1e6
        else f"{float(f'{factor:.3g}'):,.4g} times"
        if factor < 1000
        else f"{float(f'{factor:.3g}'):,.0f} times"
    )


def _moved(before: float, epsilon: float) -> float:
    factor = odds_factor(policy(abs(epsilon)).epsilon) ** (1 if epsilon > 0 else -1)
    return before * factor / (1 - before + before * factor)


def _exact(epsilon: str, cap: int) -> tuple[str, str]:
    """The noise of a cell measured by itself, and the least total that it tells from none, as they are printed."""
    as_asked = choices(policy(epsilon, cap))[2]
    return f"±{as_asked.cell_half_width:,.1f}", f"{as_asked.detect:.1f}"


def test_the_pages_say_what_adaptive_makes_of_a_cell() -> None:
    """The factors, and what they make of 20 points and of the demo's noise, are those of the default strategy's single cells."""
    text = {
        page.stem: page.read_text("utf-8")
        for page in (
            *PAGES,
            FOLDER.parent / "howto" / "plan-before.md",
            FOLDER.parent / "glossary.md",
        )
    }
    times = {
        cell: 1 / float(least_last_share(Grid.covering(SAMPLES / "study_area.gpkg", cell=cell)))
        for cell in ("2 km", "5 km", "10 km")
    }
    assert times["5 km"] == times["10 km"] and round(times["5 km"], 2) == 1.37
    told, half_width = (choices(policy(one))[2] for one in ("0.403", "1"))
    assert all(
        f"about {told.detect * times['10 km']:.1f} points on" in text[page]
        for page in ("epsilon", "plan-before")
    )
    widths = [f"{half_width.cell_half_width * times[cell]:.1f}" for cell in ("5 km", "2 km")]
    assert (
        f"±{widths[0]}" in text["epsilon"]
        and all(f"±{one}" in text["cell"] for one in widths)
        and f"says {widths[0]}" in text["glossary"]
    )
    assert (
        f"up to {math.ceil(times['2 km'] * 100) / 100} times" in text["epsilon"]
        and "1.37 times" in text["cap"]
    )
    assert policy(epsilon_for(5, detect="14.5")).epsilon * Fraction(73, 100) >= epsilon_for(
        5, detect=20
    )


def test_the_words_for_nobody_are_those_that_are_read_so() -> None:
    """Each word that the page on who is protected lists as nobody's name is one."""
    page = (FOLDER.parent / "howto" / "who-is-protected.md").read_text("utf-8")
    listed = page[page.index("in any capitals:") : page.index("and their kin")]
    words = re.findall("`([^`]+)`", listed)
    assert len(words) > 15 and set(words) <= PLACEHOLDERS
