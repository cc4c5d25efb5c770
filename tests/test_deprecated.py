"""Old names go on, and say once in words what to write instead."""

import json
import subprocess
import sys
import textwrap
import warnings

import pytest

import dpmap as dm
from dpmap import deprecation
from dpmap.cli import run
from dpmap.deprecation import DpmapDeprecationWarning, renamed, use_instead
from dpmap.steward.planning import planner


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.setattr(deprecation, "_SAID", set())


@pytest.fixture
def old_flag(monkeypatch):
    """`--max-points` was the old name of `--cap`."""
    monkeypatch.setitem(deprecation.FLAGS, "--max-points", ("--cap", "0.4"))


@renamed("0.4", max_points="cap")
def promise(*, cap):
    return cap


def test_an_old_argument_goes_on_and_says_so_once():
    """It does what the new one does; the warning names the new one and when the old one goes, at the caller's own line."""
    with pytest.warns(DpmapDeprecationWarning) as told:
        assert promise(max_points=5) == 5
        assert promise(max_points=6) == 6
    assert [str(one.message) for one in told] == [
        "use cap= instead of max_points=; the old name goes in 0.4"
    ]
    assert told[0].filename == __file__
    assert promise(cap=7) == 7


def test_both_names_at_once_are_refused():
    """Which of two values is meant is never guessed."""
    with pytest.raises(
        dm.errors.BadInput, match="max_points= is the old name of cap=; give cap= alone"
    ):
        promise(cap=5, max_points=6)


def test_whoever_runs_a_script_sees_it():
    """Python shows it without being asked, once, however often the old name is used and in whatever module."""
    script = """
        from dpmap.deprecation import use_instead
        for _ in range(3):
            use_instead("record.notes", "record.about", "0.4")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )
    assert (
        done.stderr.count("use record.about instead of record.notes; the old name goes in 0.4") == 1
    )


def test_a_warning_ends_nothing_that_was_paid_for():
    """Where warnings are errors, the old name fails once, before anything is done."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DpmapDeprecationWarning):
            use_instead("a", "b", "0.4")


@pytest.fixture
def brief(monkeypatch):
    """Few rehearsals: no figure of a plan is looked at here."""
    monkeypatch.setattr(planner, "MOST", 2)


PLAN = ("plan", "--bounds", "0,50,1,51", "--shape", "2,2", "--epsilon", "1", "--units", "50")


def test_an_old_flag_goes_on_with_one_line_beside_the_answer(old_flag, brief, capsys):
    """The answer in JSON is whole; the line on stderr says what to type instead."""
    assert run([*PLAN, "--max-points", "5", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["policy"]["cap"] == 5
    assert told.err == "dpmap: use --cap instead of --max-points; the old name goes in 0.4\n"


def test_whoever_reads_progress_reads_it_as_a_step(old_flag, brief, capsys):
    """With `--progress json` each line on stderr is an object, also this one."""
    assert run([*PLAN, "--max-points=5", "--json", "--progress", "json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert lines[0] == {
        "step": "use --cap instead of --max-points; the old name goes in 0.4",
        "fraction": None,
        "seconds_left": None,
    }


def test_an_old_key_of_a_dpmap_toml_goes_on(old_flag, brief, capsys, tmp_path):
    """A file that an older dpmap wrote means what it meant."""
    (tmp_path / "dpmap.toml").write_text(
        'epsilon = "1"\nmax-points = 5\nbounds = "0,50,1,51"\nshape = "2,2"\nunits = 50\n'
    )
    assert run(["plan", "--config", str(tmp_path / "dpmap.toml"), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["policy"]["cap"] == 5
    assert (
        told.err
        == "dpmap: use cap instead of max-points (in the file of --config); the old name goes in 0.4\n"
    )


def test_no_flag_is_old_and_new():
    """An old name is never one that is in use, and its new one is there."""
    from typer.main import get_command

    from dpmap.cli.commands import app

    every = {
        flag
        for one in get_command(app).commands.values()
        for param in one.params
        for flag in param.opts
    }
    assert not set(deprecation.FLAGS) & every
    assert {new for new, _ in deprecation.FLAGS.values()} <= every
