"""What is published: two builds have the same bytes, hold what they should and nothing else, and work without network."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

import dpmap
from dpmap.version import own_code

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VENDORED = tomllib.loads((ROOT / "packaging" / "vendored.toml").read_text("utf-8"))["vendored"]
VERSION = PROJECT["project"]["version"]
NAME = "private_heatmaps"
INFO = f"{NAME}-{VERSION}.dist-info"
SUFFIXES = {
    ".css",
    ".csv",
    ".gpkg",
    ".html",
    ".js",
    ".json",
    ".md",
    ".npz",
    ".png",
    ".py",
    ".sql",
    ".svg",
    ".toml",
    ".ts",
    ".ttf",
    ".typed",
}
SIGHTLESS = "import socket\ndef none(*_, **__): raise OSError('no network in this test')\nsocket.socket.connect = socket.getaddrinfo = none\n"


def build(source, out, **surroundings):
    """Builds the source archive of a folder, and the wheel from that, with the tools that are installed."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source]
    done = subprocess.run(
        command,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1763900000", **surroundings},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.name: path for path in out.iterdir()}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def archive(files):
    return files[f"{NAME}-{VERSION}.tar.gz"]


@pytest.fixture(scope="module")
def wheel(files):
    return files[f"{NAME}-{VERSION}-py3-none-any.whl"]


@pytest.fixture(scope="module")
def content(wheel):
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.fixture(scope="module")
def bill(content):
    return json.loads(content[f"{INFO}/sboms/dpmap.cdx.json"])


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment that holds the wheel; what it depends on is seen in the one that runs, and no network is."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        wheel,
    ]
    subprocess.run(
        install,
        check=True,
        env={**os.environ, "PIP_FIND_LINKS": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    own = next(folder.glob("lib/python*/site-packages" if os.name != "nt" else "Lib/site-packages"))
    elsewhere = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (own / "what_runs.pth").write_text("\n".join(elsewhere), "utf-8")
    (own / "sitecustomize.py").write_text(SIGHTLESS, "utf-8")
    return python


def cut_off():
    """What takes the network away from a command, where the system can: the socket is blocked in any case."""
    words = ["unshare", "-rn"]
    there = (
        shutil.which("unshare")
        and subprocess.run([*words, "true"], capture_output=True).returncode == 0
    )
    return words if there else []


def typed(python, *words, cwd):
    """Runs a command of the empty environment without network, in a folder that is not the repository."""
    surroundings = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "COVERAGE"))
    }
    done = subprocess.run(
        [*cut_off(), python, *words], cwd=cwd, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_builds_have_the_same_bytes(files, archive, tmp_path):
    """Whoever has the source archive alone, in another folder and with other rights of files, builds the very same two files."""
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    source = tmp_path / f"{NAME}-{VERSION}"
    for path in source.rglob("*"):
        os.utime(path, (10**9, 10**9))
        path.chmod(path.stat().st_mode & 0o700)
    again = build(source, tmp_path / "out", TZ="Asia/Kolkata", LC_ALL="C", PYTHONHASHSEED="7")
    assert {name: path.read_bytes() for name, path in again.items()} == {
        name: path.read_bytes() for name, path in files.items()
    }


def test_the_wheel_holds_the_package_and_nothing_else(content):
    """Code, its assets, the sample survey and the help: no tests, caches, notebooks or files of somebody's folder."""
    given = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    own = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dpmap").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    expected = {*own, *given.values()}
    licenses = {
        "LICENSE",
        *(path.relative_to(ROOT).as_posix() for path in (ROOT / "dpmap").rglob("assets/LICENSE.*")),
    }
    about = {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "sboms/dpmap.cdx.json",
        *(f"licenses/{name}" for name in licenses),
    }
    assert set(content) == expected | {f"{INFO}/{name}" for name in about}
    kinds = {Path(name).suffix for name in expected if "LICENSE" not in name}
    assert kinds <= SUFFIXES
    assert not [
        name
        for name in content
        if re.search(r"(^|/)(test_|conftest|\.)|\.ledger$|\.ipynb$|\.dpmap$", name)
    ]


def test_the_wheel_is_what_git_knows(content):
    """No file that nobody committed gets into the wheel."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git here: this is an unpacked source archive")
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "dpmap"],
        check=True,
        capture_output=True,
        text=True,
    )
    given = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    packed = {name for name in content if not name.startswith(INFO)} - set(given.values())
    assert packed == {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def test_the_source_archive_holds_what_building_testing_and_reading_need(archive):
    """Package, tests, samples, documents, notebooks and how it is built; nothing made, cached or installed."""
    with tarfile.open(archive) as packed:
        members = packed.getmembers()
    names = {member.name.partition("/")[2] for member in members}
    asked = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert {name.split("/")[0] for name in names} == {
        *(name for name in asked if (ROOT / name).exists()),
        "PKG-INFO",
        "pyproject.toml",
    }
    assert {*asked} >= {
        "dpmap",
        "tests",
        "docs",
        "data_samples",
        "notebooks",
        "packaging",
        "Makefile",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
    }
    made = r"(^|/)(__pycache__|node_modules|\.venv|\.git|build|dist)/|\.pyc$|\.ledger$"
    saved = re.compile(
        r"tests/stability/saved/[^/]+/[^/]+\.ledger"
    )  # of invented surveys, kept so that every version reads them
    assert not [name for name in names if re.search(made, name) and not saved.fullmatch(name)]
    assert {member.mode & 0o777 for member in members if member.isfile()} <= {0o644, 0o755}
    assert {(member.uid, member.gid, member.mtime) for member in members} == {(0, 0, 1763900000)}


def test_an_index_shows_the_description(files):
    """The two files pass the index's own check, and their description has no picture or link that leads nowhere."""
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *files.values()],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_metadata_say_what_it_is(content):
    """Name, version, licences, Pythons and dependencies stand in the wheel; no address is named that nobody answers."""
    said = BytesParser().parsebytes(content[f"{INFO}/METADATA"])
    assert (said["Name"], said["Version"], said["Requires-Python"]) == (
        "private-heatmaps",
        dpmap.__version__,
        ">=3.11",
    )
    assert said["License-Expression"] == "Apache-2.0 AND BSD-2-Clause AND ISC AND MIT AND OFL-1.1"
    assert said["Project-URL"] is said["Home-page"] is said["Author-email"] is None
    assert (
        f"Programming Language :: Python :: {sys.version_info[0]}.{sys.version_info[1]}"
        in said.get_all("Classifier")
    )
    assert not re.search(r"\]\((?!https?://|#)", said.get_payload())


def hooks():
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "packaging" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_into_the_repository_become_words():
    """A reader of the index sees the words of a link that would lead nowhere there, and keeps the ones that lead somewhere."""
    text = "![A map](docs/a.png)\n\n[![B](b.svg)](c.md) See [the promise](docs/promise.md), [here](#here) and [NIST](https://www.nist.gov/)."
    assert (
        hooks().description(text).strip()
        == "See the promise, [here](#here) and [NIST](https://www.nist.gov/)."
    )


def test_the_bill_of_materials_keeps_to_its_schema(content):
    """Any program that reads CycloneDX 1.6 reads it."""
    assert (
        JsonStrictValidator(SchemaVersion.V1_6).validate_str(
            content[f"{INFO}/sboms/dpmap.cdx.json"].decode()
        )
        is None
    )


def test_the_bill_names_every_dependency_with_its_bounds(bill):
    """What gets installed with dpmap, and with which extra, can be told from the bill alone."""
    project = PROJECT["project"]
    told = {
        (prop["value"])
        for one in bill["components"]
        for prop in one.get("properties", ())
        if prop["name"] == "dpmap:requirement"
    }
    extras = [
        line
        for extra, lines in project["optional-dependencies"].items()
        if extra != "test"
        for line in lines
    ]
    assert told == {*project["dependencies"], *extras}
    assert {one["scope"] for one in bill["components"]} == {"required", "optional"}


def test_the_bill_names_what_others_made_with_the_hash_of_each_file(bill, content):
    """Leaflet and Natural Earth are named with version and licence, and their files are those of the wheel."""
    carried = {one["name"]: one for one in bill["components"] if "components" in one}
    assert set(carried) == {one["name"] for one in VENDORED}
    for one in VENDORED:
        assert carried[one["name"]]["licenses"]
        listed = {
            part["name"]: part["hashes"][0]["content"]
            for part in carried[one["name"]]["components"]
        }
        assert listed == {name: hashlib.sha256(content[name]).hexdigest() for name in one["files"]}


def test_nothing_that_others_made_is_left_out(content):
    """Each packed array, picture and foreign script of the assets is in the list, with its licence in the wheel."""
    foreign = {
        name
        for name in content
        if re.search(r"/assets/.*(\.npz|\.png|\.ttf|leaflet[^/]*\.(js|css))$", name)
    }
    assert foreign == {name for one in VENDORED for name in one["files"]}
    for one in (*VENDORED, *(through for one in VENDORED for through in one.get("through", ()))):
        if "license_file" in one:
            assert f"{INFO}/licenses/{one['license_file']}" in content


def test_the_bill_says_no_clock_and_no_machine(bill):
    """Its time is the source's, its number is made of its content, and no folder of a machine stands in it."""
    assert bill["metadata"]["timestamp"] == "2025-11-23T12:13:20Z"
    assert bill["metadata"]["component"]["version"] == VERSION
    assert str(ROOT) not in json.dumps(bill)


def test_installed_in_an_empty_environment_the_demo_runs_without_network(installed, tmp_path):
    """The wheel alone is enough: in another folder, offline, the first map of the sample survey is made."""
    out = typed(installed, "-m", "dpmap", "demo", "--out", "first", cwd=tmp_path)
    assert "map.html" in out
    assert {"map.html", "map.png", "release.dpmap", "statement.md", "cells.gpkg"} <= {
        path.name for path in (tmp_path / "first").iterdir()
    }


def test_what_is_installed_is_this_code(installed, tmp_path):
    """Version and code's hash, which every release keeps, are the same in the wheel as here, and its types are seen."""
    code = "import dpmap, dpmap.version as v, importlib.metadata as m; print(dpmap.__file__, v.own_code(), v.__version__, m.version('private-heatmaps'))"
    place, hashed, *versions = typed(installed, "-c", code, cwd=tmp_path).rsplit(maxsplit=3)
    assert Path(place).is_relative_to(Path(installed).parents[1])
    assert (Path(place).parent / "py.typed").exists()
    assert hashed == own_code()
    assert versions == [VERSION, VERSION]


def unpacked(archive, folder):
    """Lays the files of the source archive into a folder."""
    with tarfile.open(archive) as members:
        members.extractall(folder, filter="data")
    return folder / f"{NAME}-{VERSION}"


def dist(folder, *words):
    """Types packaging/dist.py as it lies in an unpacked source archive."""
    command = [sys.executable, folder / "packaging" / "dist.py", "--no-isolation", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_the_source_archive_alone_gives_the_same_wheel(archive, wheel, tmp_path):
    """Whoever has nothing but the source archive builds the wheel to the same bytes, with the program in it or by hand."""
    folder = unpacked(archive, tmp_path)
    done = dist(folder, "--archive", archive, "--out", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    assert [path.read_bytes() for path in (tmp_path / "again").iterdir()] == [wheel.read_bytes()]
    epoch = str(int((folder / "PKG-INFO").stat().st_mtime))
    words = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--wheel",
        "--outdir",
        tmp_path / "by hand",
        ".",
    ]
    subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": epoch},
        check=True,
        capture_output=True,
    )
    assert [path.read_bytes() for path in (tmp_path / "by hand").iterdir()] == [wheel.read_bytes()]


def test_a_folder_that_is_no_clone_is_told_in_one_line(archive, tmp_path):
    """In an unpacked source archive, where there is no commit, the build says what to type instead; so it does for other files."""
    folder = unpacked(archive, tmp_path)
    other = tmp_path / "other.tar.gz"
    other.write_bytes(b"none")
    for words, told in (
        ((), "--archive FILE"),
        (("--archive", other), "private_heatmaps-VERSION.tar.gz"),
    ):
        done = dist(folder, *words)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert told in done.stderr
