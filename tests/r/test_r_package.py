"""R opens every release by itself and finds the numbers that Python finds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import expected_numbers
import pytest
from builders.waiting import LONG

ROOT = Path(__file__).parents[2]
NEEDED = ("jsonlite", "sf", "terra", "testthat")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of R packages with dpmapr in it; skips, and says what to type, where R is not there."""
    asked = ";".join(f"stopifnot(requireNamespace('{name}', quietly = TRUE))" for name in NEEDED)
    if (
        not shutil.which("Rscript")
        or subprocess.run(["Rscript", "-e", asked], check=False, capture_output=True).returncode
    ):
        pytest.skip("R or its packages are missing: `make r` installs them, and checks dpmapr")
    folder = tmp_path_factory.mktemp("library")
    ran("R", "CMD", "INSTALL", "--no-docs", "-l", folder, ROOT / "r" / "dpmapr")
    return folder


def ran(*words: "str | Path", **more: str) -> str:
    """Runs a program of R to its end and returns what it said."""
    answer = subprocess.run(
        [str(word) for word in words],
        check=False,
        capture_output=True,
        text=True,
        timeout=10 * LONG,
        env={**os.environ, **more},
    )
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-3000:]
    return answer.stdout


def test_r_finds_the_numbers_of_python_in_every_saved_release(
    library: Path, tmp_path: Path
) -> None:
    """Noisy values, scales, regions, estimates, intervals and places are the same to 1e-12."""
    count = expected_numbers.write(tmp_path)
    said = ran("Rscript", ROOT / "tests" / "r" / "compare.R", library, tmp_path)
    assert said.startswith(f"{count} releases")


def test_the_package_holds_what_it_promises(library: Path, tmp_path: Path) -> None:
    """Its own tests pass, with the dpmap of this copy as the command."""
    program = tmp_path / "dpmap"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dpmap "$@"\n', "utf-8")
    program.chmod(0o755)
    tests = ROOT / "r" / "dpmapr" / "tests" / "testthat"
    asked = (
        f"options(dpmapr.program = '{program}');"
        f"testthat::test_dir('{tests}', package = 'dpmapr', load_package = 'installed')"
    )
    ran("Rscript", "-e", asked, R_LIBS=str(library), PYTHONPATH=str(ROOT))
