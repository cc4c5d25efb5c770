"""A slip of the pen is an error to mypy and to pyright, and what users rightly write is none."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from builders.waiting import LONG

from dpmap.promise.limiters import LIMITERS, LimiterName
from dpmap.steward import release_run

ROOT = Path(__file__).parents[2]
PYRIGHT = ROOT / ".ci" / "page" / "node_modules" / "pyright" / "index.js"
PAGES = ("right_uses.py", "typos.py")
NOT_SPREAD = {"survey", "grid", "policy", "ledger", "dataset", "tiers", "seal"}


def marked_lines(page: str) -> set[tuple[str, int]]:
    """The lines of a page that must be errors."""
    lines = (Path(__file__).parent / page).read_text("utf-8").splitlines()
    return {(page, number) for number, line in enumerate(lines, 1) if line.endswith("# error")}


def run_mypy(folder: Path) -> set[tuple[str, int]]:
    """The lines of the pages that are errors to mypy."""
    options = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / ".mypy_cache"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--output", "json", *PAGES],
        cwd=folder,
        env={"MYPYPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {(one["file"], one["line"]) for one in found if one["severity"] == "error"}


def run_pyright(folder: Path) -> set[tuple[str, int]]:
    """The lines of the pages that are errors to pyright, to which dpmap is an installed package."""
    assert PYRIGHT.is_file(), "pyright is missing; type: make lint"
    libraries = folder / "env" / "lib" / "python3.11" / "site-packages"
    libraries.mkdir(parents=True)
    (libraries / "dpmap").symlink_to(ROOT / "dpmap")
    (libraries / "others.pth").write_text(sysconfig.get_path("purelib"))
    settings = {"venvPath": ".", "venv": "env", "include": PAGES}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [Path(sys.executable).parent / "node", PYRIGHT, "--outputjson"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found}


@pytest.mark.parametrize("run_checker", [run_mypy, run_pyright])
def test_typos_are_errors_and_nothing_else_is(run_checker, tmp_path):
    """Each line marked so is an error to the checker, and no other line of the two pages."""
    for page in PAGES:
        shutil.copy(Path(__file__).parent / page, tmp_path)
    assert run_checker(tmp_path) == marked_lines("typos.py")


def test_the_overloads_of_release_take_what_it_takes():
    """What a checker lets pass in a call of `release` is what `release` takes."""
    taken = get_type_hints(release_run.release).keys() - NOT_SPREAD - {"return"}
    assert taken == release_run.Options.__annotations__.keys()


def test_a_policy_takes_each_limiter_by_its_name():
    """What a checker lets pass as a limiter is what there is."""
    assert get_args(LimiterName) == tuple(LIMITERS)
