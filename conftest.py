"""Examples in docstrings run in a folder of their own, in which the sample survey and a release of it stand."""

import shutil
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem

ROOT = Path(__file__).parent
GIVEN = {
    "study_area.gpkg": "data_samples/study_area.gpkg",
    "districts.gpkg": "data_samples/districts.gpkg",
    "raptors.dpmap": "tests/stability/older/0.1.0/release.dpmap",
}


@pytest.fixture(autouse=True)
def beside_the_samples(request: pytest.FixtureRequest) -> None:
    """An example may read and write files by their bare names, as its reader would."""
    if isinstance(request.node, DoctestItem):
        folder = request.getfixturevalue("tmp_path")
        (folder / "raptors.csv").symlink_to(ROOT / "data_samples" / "raptors.csv")
        for name, place in GIVEN.items():
            shutil.copy(ROOT / place, folder / name)
        request.getfixturevalue("monkeypatch").chdir(folder)
