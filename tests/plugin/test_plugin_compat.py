"""Names that QGIS moved are found at their old and at their new place: the same plugin runs in 3.22 and in 4."""

import sys
from types import ModuleType

import pytest
from builders.plugin_code import FILES, PLUGIN, chains, named, tree

COMPAT = PLUGIN / "compat.py"
NEW = {
    "ADVANCED": "ProcessingParameterFlag.Advanced", "NO_THREADING": "ProcessingAlgorithmFlag.NoThreading",
    "WHOLE_NUMBER": "ProcessingNumberParameterType.Integer", "TABLE": "ProcessingSourceType.Vector",
    "PLACES": "ProcessingSourceType.VectorAnyGeometry", "POLYGONS": "ProcessingSourceType.VectorPolygon",
    "POLYGON_LAYERS": "LayerFilter.PolygonLayer", "AS_IT_IS": "ProcessingFeatureSourceFlag.SkipGeometryValidityChecks",
    "LINE": "GeometryType.Line", "POLYGON": "GeometryType.Polygon", "JOINED": "FieldOrigin.Join", "COMPUTED": "FieldOrigin.Expression",
    "METRES": "DistanceUnit.Meters", "KILOMETRES": "DistanceUnit.Kilometers",
    "DAYS": "TemporalUnit.Days", "MONTHS": "TemporalUnit.Months", "YEARS": "TemporalUnit.Years",
}  # fmt: skip
"""Where QGIS 4 has each name, as its own documentation says."""


class Anything:
    """A class of which every name exists, and is told by its path."""

    def __init__(self, path):
        self.path = path

    def __getattr__(self, name):
        """Returns the name's own path."""
        return Anything(f"{self.path}.{name}")


class Nothing:
    """A class of which no name exists."""


def place(path: str, value: object) -> type:
    """A `Qgis` in which one dotted name exists, and stands for a value."""
    home, name = path.split(".")
    return type("Qgis", (), {home: type(home, (), {name: value})})


def names(monkeypatch, qgis, others) -> dict:
    """What compat.py says in a QGIS whose `Qgis` and whose other classes are these."""
    core = ModuleType("qgis.core")
    core.__getattr__ = lambda name: qgis if name == "Qgis" else others(name)
    monkeypatch.setitem(sys.modules, "qgis", ModuleType("qgis"))
    monkeypatch.setitem(sys.modules, "qgis.core", core)
    found = {}
    exec(compile(tree(COMPAT), str(COMPAT), "exec"), found)
    return {name: value for name, value in found.items() if name.isupper()}


def test_a_qgis_with_new_names_alone_is_enough(monkeypatch):
    """Where the old names are gone, each is found at its new place."""
    found = names(monkeypatch, Anything("Qgis"), lambda name: Nothing)
    assert {name: value.path.removeprefix("Qgis.") for name, value in found.items()} == NEW


def test_a_qgis_with_old_names_alone_is_enough(monkeypatch):
    """Where nothing has moved yet, each is found where it was."""
    found = names(monkeypatch, Nothing, Anything)
    assert found.keys() == NEW.keys()
    assert all(
        value.path.startswith("Qgs") and value.path.count(".") == 2 for value in found.values()
    )


@pytest.mark.parametrize("name", NEW)
def test_a_new_name_that_stands_for_nought_is_taken(name, monkeypatch):
    """A value may be 0, as metres and days are."""
    assert names(monkeypatch, place(NEW[name], 0), Anything)[name] == 0


@pytest.mark.parametrize("path", [path for path in FILES if path != COMPAT], ids=named)
def test_only_one_file_knows_the_old_names(path):
    """No other file names what was moved: it asks compat.py."""
    old = {".".join(parts[:-1]) + "." + parts[-1] for _, parts, _ in chains(COMPAT)}
    assert not old & {".".join(parts) for _, parts, _ in chains(path)}
    assert not [parts for _, parts, _ in chains(path) if parts[0] == "QgsUnitTypes"]
