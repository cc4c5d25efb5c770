"""The installers' recipes say what is true of the package: its files, its version, its needs, how it starts. Building them is `make installer`."""

import ast
import importlib.util
import os
import plistlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from dpmap import relaunch
from dpmap.cli import run
from dpmap.errors import MissingExtra
from dpmap.studio import commands

ROOT = Path(__file__).parents[2]
INSTALLER, CONDA = ROOT / "packaging" / "installer", ROOT / "packaging" / "conda"
SPEC = (INSTALLER / "dpmap.spec").read_text("utf-8")
WINDOWS = (INSTALLER / "windows.nsi").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def loaded(path: Path):
    """A script as a module, by its path."""
    found = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


def told(name: str):
    """What the spec gives this name, read and not run."""
    value = next(
        node.value
        for node in ast.parse(SPEC).body
        if isinstance(node, ast.Assign) and node.targets[0].id == name
    )
    return ast.literal_eval(value.args[0] if isinstance(value, ast.Call) else value)


def test_the_program_holds_every_file_of_the_package():
    """Code, pictures, fonts of pages and the sample survey: what the bundle leaves out as heavy is none of dpmap's own."""
    assert 'collect_data_files("dpmap", include_py_files=True)' in SPEC
    assert '{"dpmap": "pyz+py"}' in SPEC, "a release names the hash of the code that made it"
    heavy = re.compile(told("HEAVY"))
    own = [one.relative_to(ROOT).as_posix() for one in (ROOT / "dpmap").rglob("*") if one.is_file()]
    own += [
        "dpmap/samples/raptors.csv",
        "dpmap/samples/study_area.gpkg",
        "dpmap/studio/texts/moving.md",
    ]
    assert not [one for one in own if heavy.search(one)]


def test_the_program_leaves_out_nothing_that_dpmap_loads():
    """No module that the package imports, wherever it does so, is on the bundle's list of what never goes in, but for its two optional engines."""
    never, optional = set(told("NEVER")), {"pyspark", "opendp"}
    trees = [ast.parse(one.read_text("utf-8")) for one in (ROOT / "dpmap").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    parts = {
        ".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 2)
    }
    assert parts & never == optional


@pytest.mark.parametrize("frozen", [True, False])
def test_dpmap_starts_itself_as_it_was_started(monkeypatch, frozen):
    """The program of an installer has no `python -m`: its studio runs the program again, one of Python runs Python's module."""
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    assert relaunch.installed_alone() is frozen
    assert commands._command(["plan", "--json"]) == [
        sys.executable,
        *([] if frozen else ["-P", "-m", "dpmap"]),
        "plan",
        "--json",
    ]


def test_no_other_file_starts_python_by_itself():
    """`sys.executable` is the program itself where an installer brought it, so one function alone says what to start."""
    users = {
        one.relative_to(ROOT).as_posix()
        for one in (ROOT / "dpmap").rglob("*.py")
        if re.search(r"sys\.executable|-m dpmap", one.read_text("utf-8"))
    }
    assert users == {
        "dpmap/relaunch.py",
        "dpmap/engines/spark.py",
        "dpmap/__main__.py",
    }, "Spark is not in the program of an installer"


@pytest.mark.parametrize(
    ("frozen", "advice"),
    [(True, "environment of Python"), (False, 'pip install "private-heatmaps[spark]"')],
)
def test_a_part_that_is_missing_is_told_with_advice_that_helps(monkeypatch, capsys, frozen, advice):
    """Pip adds an extra to a Python, but not to the program of an installer: that says where to have it instead."""

    def lacking(*_, **__):
        raise MissingExtra('Spark needs pyspark; type: pip install "private-heatmaps[spark]"')

    monkeypatch.setattr("dpmap.cli.commands.app", lacking)
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    assert run(["release"]) == 2
    assert re.search(rf"{re.escape(advice)}[^;]*(;|$)", capsys.readouterr().err.strip())


@pytest.mark.parametrize(("before", "after"), [("/usr/own", "/usr/own"), ("", None)])
def test_the_browser_gets_the_machines_own_libraries(monkeypatch, before, after):
    """What the bundle set for its own libraries is put back before any other program is started."""
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/dpmap/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    loaded(INSTALLER / "start.py").as_it_was()
    assert os.environ.get("LD_LIBRARY_PATH") == after
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_windows_removes_what_it_installs():
    """Every file and key that the installer of Windows writes is one that its uninstaller takes away, and it names no version of its own."""
    install, remove = WINDOWS.split('Section "Uninstall"')
    wrote = set(re.findall(r'File "\$\{__FILEDIR__\}\$\{SLASH\}([^"]+)"', install)) | {
        "remove-dpmap.exe"
    }
    gone = set(re.findall(r'Delete "\$INSTDIR\\([^"]+)"', remove))
    assert gone == wrote | {"dpmap.exe", "LICENSE.txt", "THIRD-PARTY-LICENCES.txt"}
    assert all((INSTALLER / one).is_file() for one in wrote - {"remove-dpmap.exe"})
    assert 'RMDir /r "$INSTDIR\\_internal"' in remove
    assert 'RMDir /r "$INSTDIR"' not in WINDOWS, "a folder may hold what somebody put there"
    assert set(re.findall(r'CreateShortcut "([^"]+)"', install)) == set(
        re.findall(r'Delete "(\$SM[^"]+)"', remove)
    )
    assert set(re.findall(r'WriteReg\w+ HKCU "([^"]+)"', install)) == set(
        re.findall(r'DeleteRegKey HKCU "([^"]+)"', remove)
    )
    assert not re.search(r"\b\d+\.\d+\.\d+\b", re.sub(r";.*", "", WINDOWS))


def test_windows_starts_the_studio_in_a_window_that_stays():
    """The batch file has the line ends of Windows, starts the program beside it, and waits at the end."""
    content = (INSTALLER / "dpmap-studio.cmd").read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n")
    assert b'"%~dp0dpmap.exe" studio --home\r\n' in content
    assert content.endswith(b"pause\r\n")


def test_linux_starts_the_studio_from_where_it_is_installed():
    """The icon starts a file that the .deb brings, and the system finds no fault in its entry."""
    entry, place = INSTALLER / "dpmap-studio.desktop", loaded(INSTALLER / "linux.py").PLACE
    assert f"Exec=/{place}/dpmap-studio\n" in entry.read_text("utf-8")
    assert os.access(INSTALLER / "dpmap-studio", os.X_OK)
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_macos_starts_the_studio_in_a_window_of_text(tmp_path):
    """The application of macOS names its parts rightly, holds the program whole, and has the version that it is given."""
    bundle = tmp_path / "bundle"
    (bundle / "_internal").mkdir(parents=True)
    for name in ("dpmap", "LICENSE.txt", "THIRD-PARTY-LICENCES.txt", "_internal/library"):
        (bundle / name).write_text("#!/bin/sh\necho started $*\n")
    (bundle / "dpmap").chmod(0o755)
    script = [
        "sh",
        INSTALLER / "macos.sh",
        bundle,
        "1.2.3",
        tmp_path / "made",
        tmp_path / "dpmap.dmg",
    ]
    subprocess.run(script, check=True, capture_output=True)
    inner = tmp_path / "made/dpmap.app/Contents"
    read = plistlib.loads((inner / "Info.plist").read_bytes())
    assert read["CFBundleShortVersionString"] == read["CFBundleVersion"] == "1.2.3"
    assert os.access(inner / "MacOS" / read["CFBundleExecutable"], os.X_OK)
    assert (inner / "Resources" / f"{read['CFBundleIconFile']}.icns").is_file()
    assert (inner / "Resources/program/_internal/library").is_file()
    opened = [inner / "Resources/dpmap-studio.command"]
    said = subprocess.run(
        opened, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    ).stdout
    assert said.startswith("started studio --home\n")


def test_the_licence_of_a_library_without_words_is_asked_for():
    """A library that a wheel carries compiled is named with its licence; one that nobody has looked up is not passed over in silence."""
    licences = loaded(INSTALLER / "licences.py")
    assert "LGPL" in licences._known("libgeos_c-cd18d4e7.so.1.20.4")
    assert licences._known("libnobody-knows.so") == ""


def test_the_conda_recipe_is_true():
    """Its version, bounds of every library, needs of the build and files of licences are those of pyproject.toml: `python packaging/conda/needs.py` writes them."""
    needs = loaded(CONDA / "needs.py")
    assert (CONDA / "recipe.yaml").read_text("utf-8") == needs.recipe()
    recipe = yaml.safe_load(needs.recipe())
    assert recipe["context"]["version"] == PROJECT["version"]
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    run = {re.sub(r" .*", "", one): one.partition(" ")[2] for one in recipe["requirements"]["run"]}
    for needed in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["studio"]]:
        name, bound = re.fullmatch(r"([\w-]+)(.*)", needed).groups()
        assert run[needs.CONDA_CALLS_IT.get(name, name)] == bound
    assert len(run) == 1 + len(PROJECT["dependencies"]) + len(
        PROJECT["optional-dependencies"]["studio"]
    )
    assert recipe["build"]["python"]["entry_points"] == [
        f"dpmap = {PROJECT['scripts']['dpmap']}",
    ]
    assert all((ROOT / one).is_file() for one in recipe["about"]["license_file"])
