"""The plugin keeps its own rules: rooms, words of both Qts, the oldest Python, and nothing that a shop of plugins refuses."""

import ast
import re
import sys

import pytest
from builders import plugin
from builders.plugin_code import FILES, chains, imported, named, room, rooms, tree

GROUND = {"words", "language", "compat"}
"""What every room may use."""
ALLOWED = {
    "__init__": {"plugin"},
    "plugin": {"provider", "command", "options", "panel", "shown"},
    "provider": {"algorithms"},
    "algorithms": {"command", "rows", "shown"},
    "options": {"command"},
    "panel": {"command", "shown"},
    "shown": set(),
    "rows": set(),
    "command": set(),
    "language": set(),
    "compat": set(),
    "words": {"language"},
}
"""From which other rooms each may import, besides the ground."""
APART = {"language", "words"}
"""The ground itself stands on nothing but this."""
WITH_QGIS = {"command/__init__.py", "command/settings.py"}
"""Files of the room `command` that need QGIS: the rest can be tried alone."""
NEVER_CALLED = {
    "eval",
    "exec",
    "compile",
    "__import__",
    ".exec_",
    "os.system",
    "os.popen",
    "os.startfile",
    "os.spawnl",
    "os.execv",
}
NEVER_LOADED = {
    "pickle",
    "cPickle",
    "marshal",
    "shelve",
    "dill",
    "tarfile",
    "imp",
    "ctypes",
    "PyQt5",
    "PyQt6",
    "sip",
    "xmlrpc",
    "telnetlib",
    "ftplib",
}
EXCUSED = {
    "command/stopping.py": {"ctypes"}
}  # Windows has no other way to send Ctrl-Break from a program without a console
PLAIN = {"QVariant", "QgsWkbTypes"}
"""Classes whose values stand in the class itself with both Qts."""


def test_every_file_has_a_room():
    """Somebody who adds a file says from where it may import."""
    assert {room(path) for path in FILES} <= set(ALLOWED)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_rooms_import_from_below(path):
    """Rows, layers and panel know nothing of each other, and the command nothing of any of them."""
    allowed = ALLOWED[room(path)] | (GROUND if room(path) not in GROUND else APART)
    assert rooms(path) <= allowed


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_file_needs_nothing_but_python_and_qgis(path):
    """The plugin runs in any QGIS as it is: nothing has to be installed into QGIS's own Python, not even numpy."""
    loaded = {module.split(".")[0] for module, _ in imported(path)} - {""}
    assert loaded <= {*sys.stdlib_module_names, "qgis", "processing"}
    assert not loaded & NEVER_LOADED - EXCUSED.get(named(path), set())
    if room(path) == "command" and named(path) not in WITH_QGIS:
        assert not loaded & {"qgis", "processing"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_file_calls_nothing_that_runs_a_strangers_words(path):
    """No shell, nothing that is evaluated or unpickled, and no call that QGIS 4 has lost; the oldest Python of QGIS reads it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            assert _called(node) not in NEVER_CALLED, node.lineno
            assert not any(one.arg == "shell" for one in node.keywords), node.lineno
        if isinstance(node, ast.FunctionDef):
            assert node.name != "exec_", node.lineno


def _called(node: ast.Call) -> str:
    """The name of what is called: of a method with its module where that is `os`, else with the point alone."""
    if isinstance(node.func, ast.Attribute):
        of_the_system = getattr(node.func.value, "id", "") == "os"
        return f"{'os' if of_the_system else ''}.{node.func.attr}"
    return getattr(node.func, "id", "")


@pytest.mark.parametrize("path", FILES, ids=named)
def test_values_are_named_with_the_kind_they_are_of(path):
    """Qt.ItemDataRole.DisplayRole and not Qt.DisplayRole, which Qt 6 does not know; for its own classes QGIS 4 keeps both."""
    found = [
        f"{'.'.join(parts)} (line {line})"
        for module, parts, line in chains(path)
        if module.startswith("qgis.PyQt") and unscoped(parts)
    ]
    assert not found


def unscoped(parts: list[str]) -> bool:
    """Whether a dotted name is a value named without its kind: a class, and something that looks like a value."""
    return (
        len(parts) == 2
        and parts[0] not in PLAIN
        and bool(re.match(r"[A-Z]+[a-z]|[A-Z][A-Z0-9a-z]*$", parts[1]))
    )


def test_a_value_without_its_kind_is_noticed():
    """The test above has teeth, and lets methods and values with their kind pass."""
    assert (
        unscoped(["Qt", "AlignLeft"])
        and unscoped(["QgsProcessing", "TypeVectorPoint"])
        and unscoped(["QFrame", "HLine"])
    )
    assert not unscoped(["Qt", "ItemDataRole", "DisplayRole"]) and not unscoped(
        ["QgsProject", "instance"]
    )


def test_what_is_named_of_qt_and_qgis_is_there(home):
    """Each class and value that the plugin names exists in the QGIS of this machine."""
    assert plugin.inside(home, plugin.ROOT / "tests" / "plugin" / "inside" / "there.py") == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_only_what_has_a_window_uses_it(path):
    """Nothing asks QGIS's window at import: in qgis_process and on servers there is none."""
    for node in tree(path).body:
        if isinstance(node, ast.ImportFrom) and node.module == "qgis.utils":
            assert "iface" not in {one.name for one in node.names}
