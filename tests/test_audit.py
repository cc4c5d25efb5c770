"""The list of what an auditor must read: held to what is imported, to what runs, and to how long it is."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "audit.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.+?)(?=^## |\Z)", PAGE, re.M | re.S))
ROOMS = ("survey", "engines", "vault")


def listed(text):
    """The files that a part of the page lists, with their lines."""
    found = re.findall(r"\[`([\w/]+\.py)`\]\(\.\./dpmap/\1\) (\d+)", text)
    return [(name, int(lines)) for name, lines in found]


def chapter(start):
    """The part of the page whose heading begins so."""
    (text,) = (text for heading, text in SECTIONS.items() if heading.startswith(start))
    return text


def number(pattern):
    """A number of lines that the page states."""
    return int(re.search(pattern, PAGE)[1].replace(",", ""))


CORE = dict(listed(chapter("The core")))
CSV = dict(
    listed(
        next(line for line in chapter("A chapter for each format").splitlines() if "| CSV" in line)
    )
)
NOT_BELIEVED = dict(listed(chapter("Imported, and not")))
ASKED = {
    (name, function)
    for functions, name in re.findall(r"((?:`\w+`(?: and )?)+) \(`([\w/]+\.py)`\)", PAGE)
    for function in re.findall(r"\w+", functions.replace(" and ", " "))
}
RELEASE = """
import json, sys, threading
from pathlib import Path
import dpmap as dm
from dpmap.engines.duckdb import DuckDB

package, samples = Path(dm.__file__).parent, Path(sys.argv[1])
seen, counted = set(), set()
counting = False


def note(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and code.co_name[0] != "<" and code.co_filename.startswith(str(package)):
        call = Path(code.co_filename).relative_to(package).as_posix(), code.co_name
        seen.add(call)
        if counting:
            counted.add(call)


real = DuckDB.totals


def totals(*args, **kwargs):
    global counting
    counting = True
    try:
        return real(*args, **kwargs)
    finally:
        counting = False


DuckDB.totals = totals
grid = dm.Grid.covering(samples / "study_area.gpkg", cell="20 km")
threading.setprofile(note)
sys.setprofile(note)
survey = dm.read(samples / "raptors.csv")
policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=5)
dm.release(survey, grid, policy, ledger="raptors.ledger", dataset="Raptors", budget=3)
sys.setprofile(None)
print(json.dumps([sorted(seen), sorted(counted)]))
"""


def trusted():
    """Every file of the rooms that hold private data, all they import from dpmap, and what calls them in order."""
    graph = grimp.build_graph("dpmap", cache_dir=None)
    pending = [
        module
        for module in graph.modules
        if module.split(".")[1:2] and module.split(".")[1] in ROOMS
    ]
    seen = set()
    while pending:
        module = pending.pop()
        if module not in seen:
            seen.add(module)
            pending += graph.find_modules_directly_imported_by(module)
    paths = {Path(*module.split(".")[1:]) for module in seen | {"dpmap.steward.release_run"}}
    package = ROOT / "dpmap"
    return {
        str(path / "__init__.py" if (package / path).is_dir() else path.with_suffix(".py"))
        for path in paths
    }


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """The functions that run in a release of a CSV, and those that run while its rows are read, capped and counted."""
    run = subprocess.run(
        [sys.executable, "-c", RELEASE, str(ROOT / "data_samples")],
        cwd=tmp_path_factory.mktemp("audited"), env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [{tuple(call) for call in part} for part in json.loads(run.stdout.splitlines()[-1])]


def test_the_list_is_what_the_promise_rests_on():
    """No file that could break the promise is missing from the list, and none stands on it that could not."""
    assert sorted(name for name, _ in listed(PAGE)) == sorted(trusted())


def test_the_lengths_are_true():
    """Files are as long as the list says, within a tenth."""
    for name, lines in listed(PAGE):
        real = len((ROOT / "dpmap" / name).read_text("utf-8").splitlines())
        assert abs(real - lines) <= max(10, lines / 10), name


def test_the_sums_are_true():
    """Each row's total, the core's, and that of core and CSV are the sums of what they list."""
    for row in PAGE.splitlines():
        if listed(row):
            assert sum(lines for _, lines in listed(row)) == int(row.split("|")[-2]), row[:60]
    core, csv = sum(CORE.values()), sum(CSV.values())
    assert number(r"## The core: ([\d,]+) lines") == core
    assert number(r"core and the chapter on CSV are ([\d,]+) lines") == core + csv
    assert number(r"\n([\d,]+) lines that trusted files import") == sum(NOT_BELIEVED.values())


def test_a_release_of_a_csv_runs_the_core_and_its_chapter(calls):
    """No trusted function that an auditor of a CSV need not read runs in its release."""
    read = CORE.keys() | CSV.keys() | NOT_BELIEVED.keys()
    names = {name for name, _ in listed(PAGE)}
    seen, _ = calls
    assert {call for call in seen if call[0] in names - read} == ASKED


def test_what_is_not_believed_sees_no_row(calls):
    """While rows are read, capped and counted, nothing of the last table runs."""
    _, counted = calls
    assert {name for name, _ in counted} > {"engines/duckdb.py", "survey/row_sql.py"}
    assert not [call for call in counted if call[0] in NOT_BELIEVED]


def test_the_versions_have_a_place_in_every_record():
    """What is trusted besides is named in the record of each release."""
    from dpmap import version

    text = Path(version.__file__).read_text("utf-8")
    for name in ("duckdb", "pyogrio", "proj", "geos"):
        assert name in text.lower()
