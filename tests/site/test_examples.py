"""Every example of the API reference does what it shows, typed as the page has it, with nothing else at hand."""

import doctest
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))

import api_pages  # noqa: E402  # found by the line above
import examples  # noqa: E402

PAGES = api_pages.pages(ROOT, set())
AS_SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str) -> str:
    """The examples of a piece of a page, one below the other."""
    return "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.S))


def things(page: str) -> list[str]:
    """What a page shows of each name, which a reader may type alone."""
    return [
        found
        for piece in re.split(r"^:{4,}\{py:", PAGES[page], flags=re.M)
        if (found := blocks(piece))
    ]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample data with the map that the first page makes, in its own words."""
    folder = tmp_path_factory.mktemp("reader") / "samples"
    shutil.copytree(ROOT / "data_samples", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert typed(blocks(PAGES["reference/api/index"])) == ""
    return folder


def typed(text: str) -> str:
    """Types examples at a bare prompt, and returns what went otherwise than they show."""
    faults: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, "example", None, 0)
    doctest.DocTestRunner(optionflags=AS_SHOWN, verbose=False).run(test, out=faults.append)
    return "".join(faults)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != "reference/api/index" and things(page)]
)
def test_each_example_runs_as_the_page_has_it(
    page: str, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name's examples begin with all that they need, and answer what the page shows, one after the other in one folder."""
    folder = tmp_path / "samples"
    shutil.copytree(samples, folder)
    monkeypatch.chdir(folder)
    for text in things(page):
        assert typed(text) == "", text


def test_no_example_imports_what_is_not_promised() -> None:
    """Whatever an example needs of dpmap is in `dm`."""
    for page in PAGES:
        for text in things(page):
            taken = re.findall(r"(?:import|from) (dpmap.*)", text)
            assert set(taken) <= {"dpmap as dm"}, text


def test_bare_names_are_found_in_their_places() -> None:
    """A name of dpmap is typed with its place, a name that the example made is its own, and imports come once, first."""
    one = examples.Typed({"Grid": "dm.Grid", "plan": "dm.plan", "ask": "dm.local.ask"})
    assert one.block(">>> plan = plan(Grid())\n>>> [cell for cell in plan]").splitlines() == [
        ">>> import dpmap as dm",
        ">>> plan = dm.plan(dm.Grid())",
        ">>> [cell for cell in plan]",
    ]
    assert (
        one.block(">>> ask(plan, np.ones(3))")
        == ">>> import numpy as np\n>>> dm.local.ask(plan, np.ones(3))"
    )
