"""A double-click start of the studio: what is written for each system runs this folder and nothing else, whatever its name holds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpmap.cli import run
from dpmap.errors import BadInput, SystemFailed
from dpmap.studio import shortcut
from dpmap.studio.default_folder import own_folder

NAMES = [
    "survey",
    "Žluťoučké  náměstí",
    "a \"b\" 'c'",
    "50% $HOME %f %%",
    "back\\slash`id`",
    "-P; touch x & $(id) !x! ^",
    "#~=|<>*?",
]
"""Names of folders that some reader of shortcuts would take apart."""
STARTS = {"a module of Python": ("-P", "-m", "dpmap"), "the program of an installer": ()}
"""What stands behind the first word of the command that starts dpmap."""


def tried(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """Returns a folder of this name and an interpreter in it that writes down what it is given."""
    folder = tmp_path / name
    folder.mkdir()
    python = folder / f"{name} python"
    python.write_text('#!/bin/sh\nfor one in "$@"; do printf "%s\\n" "$one"; done\n')
    python.chmod(0o755)
    return folder, python


def ran(words: list[str]) -> str:
    """Runs a shortcut's words in a folder of no meaning, with nobody at the keyboard."""
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd="/"
    )
    return done.stdout.decode()


def installed(tmp_path: Path, folder: Path, python: Path, system: str, *module: str) -> list[Path]:
    home = tmp_path / "home"
    (home / "Desktop").mkdir(parents=True, exist_ok=True)
    return shortcut.install(
        folder, system=system, start=[str(python), *module], home=home, environment={}
    )


def exec_words(text: str) -> list[str]:
    """Reads the words of a desktop entry's Exec line, by the rules of the Desktop Entry Specification."""
    value = re.search(r"^Exec=(.*)$", text, re.M)[1]
    value = re.sub(
        r"\\(.)",
        lambda found: {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}[found[1]],
        value,
    )
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', value)
    assert re.fullmatch(r'(?:"(?:[^"`$\\]|\\["`$\\])*"(?: |$))+', value)
    assert all(set(re.findall("%(.)", word.replace("%%", ""))) == set() for word in words)
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in words]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_desktop_entry_runs_the_folder_as_it_is_named(tmp_path, name, start):
    """On Linux the entry gives dpmap this very folder, and the window waits for Enter at the end."""
    folder, python = tried(tmp_path, name)
    listed, desktop = installed(tmp_path, folder, python, "linux", *STARTS[start])
    assert (listed.parent.name, desktop.parent.name) == ("applications", "Desktop")
    words = exec_words(listed.read_text("utf-8"))
    assert words[0] == "sh"
    said = ran(words)
    assert said.startswith("\n".join([*STARTS[start], "studio", f"{folder}\n"]))
    assert shortcut.ENDED in said
    assert "Terminal=true" in listed.read_text("utf-8")
    assert os.access(desktop, os.X_OK)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_command_file_runs_the_folder_as_it_is_named(tmp_path, name, start):
    """On macOS the file on the desktop gives dpmap this very folder."""
    folder, python = tried(tmp_path, name)
    (made,) = installed(tmp_path, folder, python, "darwin", *STARTS[start])
    said = ran(["sh", str(made)])
    assert said.startswith("\n".join([*STARTS[start], "studio", f"{folder}\n"]))
    assert shortcut.ENDED in said
    assert os.access(made, os.X_OK)


@pytest.mark.parametrize("name", [r"C:\Users\Žofie\50% & (1)", r"D:\!x! ^ %PATH%", "E:\\"])
def test_a_batch_file_holds_the_folder_as_it_is_named(name):
    """On Windows percent signs are doubled, all stands in quotes, a last backslash leaves the quote alone, and the window stays."""
    lines = shortcut.batch([r"C:\py 3\python.exe", "-P", "-m", "dpmap"], name, "mark").split("\r\n")
    line = next(one for one in lines if "dpmap studio" in one and one.startswith('"'))
    python, folder = re.findall(r'"([^"]*)"', line)
    assert python == r"C:\py 3\python.exe"
    assert "%" not in folder.replace("%%", "")
    read = folder.replace("%%", "%")
    assert (read[:-1] if name.endswith("\\") else read) == name
    assert lines[3] == "setlocal DisableDelayedExpansion"
    assert "pause" in lines


def test_a_batch_file_is_written_for_windows(tmp_path):
    """The file on the desktop is UTF-8 with the line ends that Windows reads."""
    folder, python = tried(tmp_path, "Žofie 50%")
    (made,) = installed(tmp_path, folder, python, "win32")
    assert made.name == "dpmap studio Žofie 50.cmd"
    assert b"\r\n" in made.read_bytes()
    assert "50%%" in made.read_bytes().decode("utf-8")


@pytest.mark.parametrize("name", ["two\nlines", "a\rb", "bell\a"])
def test_a_path_that_no_shortcut_can_hold_is_refused(tmp_path, name):
    """A line break in a path could begin a command of its own, so nothing is written."""
    folder, python = tried(tmp_path, name)
    for system in ("linux", "darwin", "win32"):
        with pytest.raises(BadInput, match="line break"):
            installed(tmp_path, folder, python, system)
    assert not list((tmp_path / "home").rglob("*.*"))


def test_a_shortcut_is_renewed_and_no_other_file_is_lost(tmp_path):
    """Made again it replaces itself; a file of its name, another folder's shortcut or a link keeps its place."""
    folder, python = tried(tmp_path, "survey")
    assert installed(tmp_path, folder, python, "darwin") == installed(
        tmp_path, folder, python, "darwin"
    )
    (tmp_path / "other").mkdir()
    other, _ = tried(tmp_path / "other", "survey")
    (second,) = installed(tmp_path, other, python, "darwin")
    assert second.name == "dpmap studio survey 2.command"
    assert str(other) in second.read_text()


def test_the_desktop_is_where_the_system_says(tmp_path):
    """A desktop of another name is found; where there is none, only the list of programs has the entry."""
    folder, python = tried(tmp_path, "survey")
    home = tmp_path / "home"
    (home / ".config").mkdir(parents=True)
    assert (
        len(
            shortcut.install(folder, system="linux", start=[str(python)], home=home, environment={})
        )
        == 1
    )
    (home / "Plocha").mkdir()
    (home / ".config" / "user-dirs.dirs").write_text('# a list\nXDG_DESKTOP_DIR="$HOME/Plocha"\n')
    _, desktop = shortcut.install(
        folder, system="linux", start=[str(python)], home=home, environment={}
    )
    assert desktop.parent == home / "Plocha"


def test_desktop_entries_are_valid(tmp_path):
    """The system's own check finds no fault in an entry."""
    for name in NAMES:
        folder, python = tried(tmp_path, name)
        listed, _ = installed(tmp_path, folder, python, "linux")
        done = subprocess.run(["desktop-file-validate", listed], capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b""), name


@pytest.mark.skipif(sys.platform != "linux", reason="writes this system's own shortcut")
def test_the_command_line_says_what_it_wrote(tmp_path, monkeypatch, capsys):
    """`dpmap studio FOLDER --install-shortcut` writes, prints where, and starts nothing."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert run(["studio", str(tmp_path), "--install-shortcut"]) == 0
    (made,) = (tmp_path / ".local" / "share" / "applications").iterdir()
    said = capsys.readouterr().out
    assert f"wrote {made}" in said
    assert "menu" in said
    assert "double click" not in said, "there is no desktop here on which to click"
    (tmp_path / "Desktop").mkdir()
    assert run(["studio", str(tmp_path), "--install-shortcut"]) == 0
    assert "double click" in capsys.readouterr().out


def test_a_shortcut_starts_this_very_dpmap(tmp_path, monkeypatch):
    """Made by the program of an installer, the shortcut starts that program; made by Python, it starts Python's module."""
    (tmp_path / "Desktop").mkdir()
    for frozen, behind in ((True, "studio"), (False, "-P -m dpmap studio")):
        monkeypatch.setattr(sys, "frozen", frozen, raising=False)
        (made,) = shortcut.install(tmp_path, system="darwin", home=tmp_path)
        assert f"\n{sys.executable} {behind} {tmp_path}\n" in made.read_text()


def test_an_icon_opens_a_folder_of_the_users_own(tmp_path, monkeypatch, capsys):
    """`dpmap studio --home` makes the folder dpmap in the home folder once, says so, and opens it each time after; beside a FOLDER it is refused."""
    opened = []
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("dpmap.studio.serve", lambda folder, **_: opened.append(folder))
    for said in (f"made the folder {tmp_path / 'dpmap'}: copy the survey's file there\n", ""):
        assert run(["studio", "--home"]) == 0
        assert capsys.readouterr().out == said
    assert opened == [tmp_path / "dpmap"] * 2
    assert run(["studio", str(tmp_path), "--home"]) == 2
    assert "not both" in capsys.readouterr().err


def test_a_home_folder_that_takes_no_folder_is_told_in_one_line(tmp_path):
    """Where nothing can be made in the home folder, the error says what to type instead."""
    (tmp_path / "home").write_text("a file")
    with pytest.raises(SystemFailed, match="dpmap studio FOLDER"):
        own_folder(tmp_path / "home")
