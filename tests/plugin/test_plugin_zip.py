"""The zip of the plugin: the same bytes for everybody, with what the public repository of plugins asks and nothing that it refuses."""

import configparser
import io
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from builders import plugin
from builders.waiting import LONG

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "packaging" / "qgis_plugin.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SECOND = 1_790_000_000
REQUIRED = {"name", "description", "version", "qgisMinimumVersion", "author", "about"}
"""What the public repository's check asks for, addresses aside."""
ADDRESSES = {"email", "homepage", "tracker", "repository"}


@pytest.fixture(scope="module")
def made():
    """The script's own names."""
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        yield runpy.run_path(str(SCRIPT))
    finally:
        sys.path.remove(str(SCRIPT.parent))


@pytest.fixture(scope="module")
def content(made):
    """The zip of the files as they lie here."""
    return made["packed"](ROOT, SECOND)


def metadata(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        told = (
            configparser.ConfigParser()
        )  # as the repository and QGIS read it: a single % would end it
        told.optionxform = str
        told.read_string(archive.read("dpmap_qgis/metadata.txt").decode("utf-8"))
    return dict(told["general"])


def test_the_zip_is_the_same_wherever_it_is_packed(made, content, tmp_path):
    """Another folder, other rights and times, leftovers of running: the bytes stay the same."""
    shutil.copytree(ROOT / "qgis", tmp_path / "qgis")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "qgis" / "dpmap_qgis" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "qgis" / "dpmap_qgis" / "__pycache__" / "x.cpython-39.pyc").write_bytes(b"\0")
    (tmp_path / "qgis" / "dpmap_qgis" / "plugin.py").chmod(0o755)
    assert made["packed"](tmp_path, SECOND) == content


def test_the_zip_holds_plain_files_in_one_folder(content):
    """One folder, sorted names, no program, nothing hidden, no test; every file can be read as text."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        names = [one.filename for one in entries]
        assert names == sorted(names)
        assert {name.split("/")[0] for name in names} == {"dpmap_qgis"}
        assert not [
            name
            for name in names
            if any(
                part.startswith((".", "test", "__MACOSX", "__pycache__"))
                for part in name.split("/")
            )
        ]
        assert {one.external_attr >> 16 for one in entries} == {0o100644}
        for name in names:
            assert "\0" not in archive.read(name).decode("utf-8")
    assert {
        "dpmap_qgis/__init__.py",
        "dpmap_qgis/metadata.txt",
        "dpmap_qgis/LICENSE",
        "dpmap_qgis/icon.svg",
    } <= set(names)
    assert len(content) < 2_000_000


@pytest.mark.parametrize("name", ["library.so", "picture.png", "dpmap_de.qm", "words.txt"])
def test_a_binary_ends_the_build(made, tmp_path, name):
    """The public repository takes no binaries, so none can come in by mistake."""
    shutil.copytree(ROOT / "qgis", tmp_path / "qgis")
    (tmp_path / "qgis" / "dpmap_qgis" / name).write_bytes(b"a\0b")
    with pytest.raises(SystemExit, match="no binaries"):
        made["packed"](tmp_path, SECOND)


def test_the_metadata_are_complete(content):
    """Everything that the public repository asks is there, but for addresses that the project does not have yet."""
    told = metadata(content)
    assert {name for name in REQUIRED if not told.get(name)} == set()
    assert told["version"] == PROJECT["version"]
    assert told["author"] == PROJECT["authors"][0]["name"]
    assert (told["qgisMinimumVersion"], told["qgisMaximumVersion"]) == ("3.22", "4.99")
    assert told["hasProcessingProvider"] == "yes" and told["icon"] == "icon.svg"
    assert PROJECT["version"].partition(".dev")[0] in told["changelog"].splitlines()[0]
    assert "needs the dpmap command" in told["about"]


def test_no_address_is_invented(made, content):
    """Addresses come from pyproject.toml; while there are none the zip has none, and who packs it is told what will be asked."""
    told, left = metadata(content), made["missing"](PROJECT)
    for name in ADDRESSES:
        assert (name in told) != (name in left)


def test_addresses_come_from_one_place(made):
    """What pyproject.toml says is what the plugin says."""
    project = {
        "authors": [{"name": "A"}, {"name": "B", "email": "b@c.example"}],
        "urls": {
            "Homepage": "https://a.example/50%25",
            "Issues": "https://a.example/i",
            "Repository": "https://a.example/r",
        },
    }
    found = made["addresses"](project)
    assert found == {
        "email": "b@c.example",
        "homepage": "https://a.example/50%%25",
        "tracker": "https://a.example/i",
        "repository": "https://a.example/r",
    }
    assert made["missing"](project) == ""


def test_the_licence_is_the_projects():
    """The plugin carries the licence of the project, word for word."""
    assert (plugin.PLUGINS / "dpmap_qgis" / "LICENSE").read_bytes() == (
        ROOT / "LICENSE"
    ).read_bytes()


def test_the_zip_works_in_a_fresh_qgis(content, tmp_path, real_path):
    """Unpacked as QGIS unpacks it into a new profile and switched on, the plugin reads a ledger."""
    home = tmp_path / "home"
    plugin.surroundings(home)
    profile = (
        home / ".local" / "share" / "QGIS" / "QGIS3" / "profiles" / "default" / "python" / "plugins"
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(profile)
    told = {
        name: value
        for name, value in plugin.surroundings(home, real_path).items()
        if name != "QGIS_PLUGINPATH"
    }
    subprocess.run(
        [sys.executable, "-m", "dpmap", "demo", "--out", tmp_path / "demo"],
        check=True,
        capture_output=True,
    )
    for words in (
        ["plugins", "enable", "dpmap_qgis"],
        ["--json", "run", "dpmap:ledger", f"--LEDGER={tmp_path / 'demo' / 'demo.ledger'}"],
    ):
        done = subprocess.run(
            [plugin.PROCESS, *words], env=told, capture_output=True, text=True, timeout=LONG
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert '"REMAINING": "2"' in done.stdout
