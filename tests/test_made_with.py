"""The record says what it was made with: versions of all that computes, and a hash of dpmap's own code."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import duckdb
import numpy as np
import pyogrio
import pyproj
import pytest
import shapely
from builders import surveys

import dpmap as dm
from dpmap.statement.statement import statement
from dpmap.version import own_code

ROOT = Path(__file__).parents[1]


def released(folder, **options):
    return surveys.released(["ana,0.5,50.5"], folder, surveys.grid(shape=(2, 2)), **options)


def test_a_release_names_everything_that_computed_it(tmp_path):
    """The file holds the versions of dpmap, Python, numpy, DuckDB, pyogrio (which brings GDAL), PROJ and GEOS and the hash of dpmap's code."""
    released(tmp_path).save(tmp_path / "r.dpmap")
    told = dm.open(tmp_path / "r.dpmap").record.versions
    assert told == {
        "dpmap": dm.__version__,
        "code": own_code(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": np.__version__,
        "duckdb": duckdb.__version__,
        "pyogrio": pyogrio.__version__,
        "proj": pyproj.proj_version_str,
        "geos": shapely.geos_version_string,
    }


def test_the_statement_says_it_too(tmp_path):
    """Whoever holds only the statement can tell the code and the programs below it."""
    text = statement(released(tmp_path).record)
    assert f"`code {own_code()}`" in text
    assert f"`pyogrio {pyogrio.__version__}`" in text


def test_noise_of_opendp_is_named(tmp_path):
    """Where the noise is OpenDP's, its version stands with the others."""
    assert released(tmp_path, noise="opendp").record.versions["opendp"] == version("opendp")


def copied(folder):
    shutil.copytree(ROOT / "dpmap", folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def added(path, text):
    path.write_bytes(path.read_bytes() + text.encode())


CHANGES = {
    "one letter of the code": lambda top: added(top / "vault" / "laplace.py", "#"),
    "one byte of what a page is drawn with": lambda top: added(
        top / "render" / "assets" / "map.js", " "
    ),
    "a new file": lambda top: (top / "vault" / "other.py").write_text(""),
    "a file less": lambda top: (top / "vault" / "personal_caps.py").unlink(),
    "another name": lambda top: (top / "vault" / "personal_caps.py").rename(
        top / "vault" / "limit.py"
    ),
    "a line moved to the file after": lambda top: [
        (top / "a.py").write_text("12"),
        (top / "b.py").write_text("3"),
    ],
}


@pytest.mark.parametrize("name", CHANGES)
def test_any_change_of_the_code_changes_its_hash(tmp_path, name):
    """Whatever is changed, added, renamed or left out shows in the hash."""
    top = copied(tmp_path / "dpmap")
    (top / "a.py").write_text("1")
    (top / "b.py").write_text("23")
    before = own_code(tmp_path / "." / "dpmap")
    CHANGES[name](top)
    assert own_code(tmp_path / "dpmap" / ".." / "dpmap") != before


def test_the_hash_is_of_the_code_alone(tmp_path):
    """What Python compiles, hidden files and the packed example survey change nothing; nor does where the code lies."""
    top = copied(tmp_path / "elsewhere")
    (top / "__pycache__").mkdir()
    (top / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    (top / "samples").mkdir(exist_ok=True)
    (top / "samples" / "raptors.csv").write_text("who\n")
    (top / ".hidden").write_text("x")
    assert own_code(top) == own_code()


def test_the_hash_is_the_same_in_another_process(tmp_path):
    """The order of files is fixed, whatever order the disk lists them in."""
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); from dpmap.version import own_code; print(own_code())"],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert found.stdout.strip() == own_code(), found.stderr


def test_what_cannot_be_told_costs_nothing(tmp_path, monkeypatch):
    """If a program below cannot be asked for its version, that is known before anything is reserved."""

    def fails(*_):
        raise OSError("not there")

    monkeypatch.setattr("dpmap.steward.release_run.made_with_survey", fails)
    with pytest.raises(OSError):
        released(tmp_path)
    assert not (tmp_path / "x.ledger").exists()


def test_a_merged_map_says_what_merged_it(tmp_path):
    """A merged map names the code that added it up; what its partners were made with stands in theirs."""
    released(tmp_path).save(tmp_path / "a.dpmap")
    with zipfile.ZipFile(tmp_path / "a.dpmap") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(entries["dpmap.json"])
    document["versions"] = {"dpmap": "0.0.1", "numpy": "1", "python": "3"}
    document["receipt"] |= {"dataset": "older", "release_id": "another"}
    entries["dpmap.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(tmp_path / "b.dpmap", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    both = dm.merge([dm.open(tmp_path / "b.dpmap"), dm.open(tmp_path / "a.dpmap")]).record
    assert both.versions["code"] == own_code()
    assert both.partners[0].versions == {"dpmap": "0.0.1", "numpy": "1", "python": "3"}
