"""The command line as a process of its own: it ends at once, and nothing that it said or was to do is lost for that."""

import subprocess
import sys
from pathlib import Path

import pytest

from dpmap.statement.file_names import ATTESTED, METADATA

ROOT = Path(__file__).parents[2]


def started(before: str, *words: str, **how: object) -> subprocess.Popen[str]:
    """A process that runs the command line after some lines of its own."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {before}; from dpmap.cli.entry_point import program; program()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )  # type: ignore[call-overload,no-any-return]  # the options are the caller's


@pytest.mark.parametrize(
    ("words", "code"), [(["--version"], 0), (["release", "--nonsense"], 2), (["ledger", "."], 2)]
)
def test_the_exit_code_is_the_commands(words: list[str], code: int) -> None:
    """Scripts learn by the exit code whether a command was done."""
    process = started("pass", *words)
    out, err = process.communicate()
    assert process.returncode == code
    assert bool(out) == (code == 0)
    assert bool(err) == (code != 0)


def test_what_libraries_ask_to_be_done_last_is_done() -> None:
    """A library that cleans up after itself when a program ends still does, and what it says is still heard."""
    out, _ = started(
        "import atexit; atexit.register(print, 'cleaned up')", "--version"
    ).communicate()
    assert out.splitlines()[0].startswith("dpmap ")
    assert out.splitlines()[1:] == ["cleaned up"]


def test_a_reader_that_left_is_no_traceback() -> None:
    """`dpmap --help | head -1` ends quietly."""
    with started("pass", "release", "--help") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_release_waits_for_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    """All files of a release are made without what only notebooks, servers and other ways of drawing noise need."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from dpmap.cli import run; run(['demo', '--out', 'new'])\n"
        "print('LOADED', *({'folium', 'branca', 'requests', 'IPython', 'xarray', 'polars', 'h3', 'opendp', 'pyspark', 'scipy.stats',"
        " 'scipy.optimize', 'matplotlib.pyplot', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.splitlines()[-1].split() == ["LOADED"]
    made = {
        path.relative_to(tmp_path / "new").as_posix()
        for path in (tmp_path / "new").rglob("*")
        if path.is_file()
    }
    assert made >= {"map.png", "map.html", "cells.gpkg", "map.tif", *ATTESTED, *METADATA}
