"""The list of what an auditor must read: held to what is really imported, and to how long it really is."""

import re
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "audit.md").read_text("utf-8")
LISTED = [
    (name, int(lines))
    for name, lines in re.findall(r"\[`([\w/]+\.py)`\]\(\.\./dpmap/\1\) (\d+)", PAGE)
]
ROOMS = ("survey", "engines", "vault")


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


def test_the_list_is_what_the_promise_rests_on():
    """No file that could break the promise is missing from the list, and none stands on it that could not."""
    assert sorted(name for name, _ in LISTED) == sorted(trusted())


def test_the_lengths_are_true():
    """Files are as long as the list says, within a tenth."""
    for name, lines in LISTED:
        real = len((ROOT / "dpmap" / name).read_text("utf-8").splitlines())
        assert abs(real - lines) <= max(10, lines / 10), name


def test_the_versions_have_a_place_in_every_record():
    """What is trusted besides is named in the record of each release."""
    from dpmap import version

    text = Path(version.__file__).read_text("utf-8")
    for name in ("duckdb", "gdal", "proj", "geos"):
        assert name in text.lower()
