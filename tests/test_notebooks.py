"""The notebooks run from start to end, and what is committed of them shows results and nothing of any machine."""

import re
import sys
from pathlib import Path

import nbformat
import pytest
from builders.waiting import LONG
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LONG_ONES = ("7_five_seasons",)
"""Those that take most of a minute."""
sys.path.insert(0, str(FOLDER))


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")


def outputs(notebook):
    return [
        output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    ]


def test_there_are_seven():
    """The steward's, the planner's, the attacker's, the grids', the textbook's, the nests' and the years' notebook are there."""
    assert [path.name[0] for path in NOTEBOOKS] == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.deep) if path.stem in LONG_ONES else path
        for path in NOTEBOOKS
    ],
    ids=lambda path: path.stem,
)
@pytest.mark.filterwarnings("default")
def test_it_runs(path):
    """Every cell runs without an error, in a fresh kernel."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LONG,
        startup_timeout=LONG,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
    )
    client.execute()
    assert outputs(notebook) and not any(
        output.output_type == "error" for output in outputs(notebook)
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_committed(path):
    """Outputs are there and small, figures among them; no warning, no error, no path and no name of a machine."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    shown = outputs(notebook)
    assert sum("image/png" in output.get("data", {}) for output in shown) >= 2
    assert path.stat().st_size < 900_000
    assert not any(
        output.output_type == "error" or output.get("name") == "stderr" for output in shown
    )
    text = re.sub(r'"image/png": "[^"]*"', "", path.read_text("utf-8"))
    assert not re.search(r"/(home|root|tmp|work|Users|usr|var)/|[A-Z]:\\\\|site-packages", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_sources_are_the_scripts(path):
    """The committed notebook has just the cells that `notebooks/build.py` writes."""
    import build

    expected = build.notebook(build.NOTEBOOKS[path.stem])
    assert [cell.source for cell in nbformat.read(path, as_version=4).cells] == [
        cell.source for cell in expected.cells
    ]
