"""Examples in docstrings run in a folder of their own, in which the sample survey and a release of it stand."""

import doctest
import shutil
import sys
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from examples import MADE  # noqa: E402  # found by the line above

GIVEN = {
    "study_area.gpkg": "data_samples/study_area.gpkg",
    "districts.gpkg": "data_samples/districts.gpkg",
}


@pytest.fixture(scope="session")
def map_of_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map that examples open, made as the reference tells its readers to."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "data_samples", folder, dirs_exist_ok=True)
    test = doctest.DocTestParser().get_doctest(MADE, {}, "raptors.dpmap", None, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        doctest.DebugRunner(verbose=False).run(test)
    return folder / "raptors.dpmap"


@pytest.fixture(autouse=True)
def beside_the_samples(request: pytest.FixtureRequest) -> None:
    """An example may read and write files by their bare names, as its reader would."""
    if isinstance(request.node, DoctestItem):
        folder = request.getfixturevalue("tmp_path")
        (folder / "raptors.csv").symlink_to(ROOT / "data_samples" / "raptors.csv")
        for name, place in GIVEN.items():
            shutil.copy(ROOT / place, folder / name)
        shutil.copy(request.getfixturevalue("map_of_examples"), folder / "raptors.dpmap")
        request.getfixturevalue("monkeypatch").chdir(folder)
