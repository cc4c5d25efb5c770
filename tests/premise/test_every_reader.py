"""Every reader of survey files, and every kind of file that is recognised, is in a family whose premise is tried."""

import ast
import io
import pkgutil
import random
import re
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import folder_files
import frame_files
import layer_files
import pytest
import record_files
import text_files
import workbook_files
from side_by_side import QUESTIONS, Reader, Refusal, ordinary

import dpmap.survey.files as readers
from dpmap.survey.files import containers, json_records, xml_records

FAMILIES = [
    family
    for module in (text_files, record_files, folder_files, layer_files, frame_files, workbook_files)
    for family in module.FAMILIES
]
HOME = str(Path(readers.__file__).parent)
ELSEWHERE = {
    "database": "rows of a server, typed by its tables: tests/survey/test_database.py",
    "remote": "bytes of an address, read as those of a file: tests/survey/test_remote.py",
    "piped_rows": "bytes of a pipe, read as those of a file: tests/cli/test_piped.py",
}
"""Readers whose rows no family of files can hold, and where they are tried."""
ALIKE = {
    ".pq": ".parquet", ".tab": ".tsv", ".xlsm": ".xlsx", ".ndjson": ".jsonl", ".gml": ".xml", ".kmz": ".zip",
}  # fmt: skip
"""Other names of kinds that a family writes: nothing but the name differs."""


def endings(path):
    """How the names of a file, of what a folder holds and of what an archive packs end."""
    if not isinstance(path, str | Path):
        return set()
    files = (
        [one for one in Path(path).rglob("*") if one.is_file()]
        if Path(path).is_dir()
        else [Path(path)]
    )
    found = {one.suffix for one in files}
    for one in files:
        if zipfile.is_zipfile(one):
            found |= _members(one.read_bytes())
        elif one.suffix == ".tar":
            with tarfile.open(one) as archive:
                found |= {Path(name).suffix for name in archive.getnames()}
    return found


def _members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        inner = [archive.read(name) for name in names if name.endswith(".zip")]
    return {Path(name).suffix for name in names}.union(*map(_members, inner))


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What every family's files are called, and which readers' code they ran."""
    dice, reader = random.Random(7), Reader()
    ran, named, refused = set(), set(), {}

    def note(frame, event, _):
        if (
            event == "call"
            and frame.f_code.co_filename.startswith(HOME)
            and frame.f_code.co_name.isidentifier()
        ):
            ran.add((Path(frame.f_code.co_filename).stem, frame.f_code.co_firstlineno))

    for family in FAMILIES:
        folder = tmp_path_factory.mktemp(re.sub(r"\W+", "-", family.name))
        records = [
            one
            for row in ordinary("names", dice, 6)
            if (one := family.record(row, dice)) is not None
        ]
        path = family.write(folder, records, dice)
        named |= endings(path)
        sys.setprofile(note)
        threading.setprofile(note)
        found = reader.rows(path, QUESTIONS[family.questions[0]], family)
        sys.setprofile(None)
        threading.setprofile(None)
        if isinstance(found, Refusal):
            refused[family.name] = found.message
    reader.close()
    assert not refused
    return ran, named


def _functions(module):
    """How many functions a module of readers has."""
    tree = ast.parse(Path(HOME, f"{module}.py").read_text("utf-8"))
    return sum(isinstance(node, ast.FunctionDef) for node in ast.walk(tree))


def test_every_reader_has_a_family(seen):
    """A module that reads survey files is run by some family, or is named here with the tests that try it.

    One that only recognises an address for every file runs less than an eighth of its functions.
    """
    ran, _ = seen
    modules = [module.name for module in pkgutil.iter_modules(readers.__path__)]
    untried = [
        name for name in modules if 8 * sum(name == module for module, _ in ran) < _functions(name)
    ]
    assert set(untried) <= set(ELSEWHERE) <= set(modules)
    root = Path(__file__).parents[2]
    for where in ELSEWHERE.values():
        assert (root / where.rpartition(": ")[2]).exists()


def test_every_kind_of_record_has_a_family():
    """Each kind of file whose records name their own fields is written by some family."""
    written = {family.options.get("format") for family in FAMILIES}
    fixed = {xml_records.SMART.name}  # recognised by its own root
    assert {kind.name for kind in (*json_records.KINDS, *xml_records.KINDS)} <= written | fixed
    assert any(isinstance(family, record_files.Patrols) for family in FAMILIES)


def test_every_ending_has_a_family(seen):
    """Each ending by which a file is recognised is written by some family, or is another name of one that is."""
    _, named = seen
    wanted = set(containers._ENDINGS)
    assert ALIKE.keys() <= wanted and not ALIKE.keys() & named
    assert {ALIKE.get(one, one) for one in wanted} <= named
