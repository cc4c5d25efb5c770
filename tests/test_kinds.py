"""A new kind of map is one module in each of three rooms and one line in the table of kinds, and nothing else."""

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records

import dpmap as dm
import dpmap.inference.kinds
import dpmap.render.kinds
import dpmap.statement.kinds
from dpmap import strategies
from dpmap.record.kinds import KINDS, kind
from dpmap.releases.release import Release
from dpmap.statement.statement import statement
from dpmap.vault.session import Session

GRID = dm.Grid(bounds=(0, 0, 6_000, 4_000), shape=(4, 6), crs="EPSG:3035")
ROOMS = {
    dpmap.inference.kinds: """
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.kinds.totals import TotalsReader

class Halved(FlatEstimate):
    @property
    def values(self):
        return self._halves

    @values.setter
    def values(self, whole):
        self._halves = whole / 2

class Halves(TotalsReader):
    def estimate(self):
        return Halved(self.record.measurements[-1])

kind = Halves
""",
    dpmap.statement.kinds: """
from dpmap.statement.kinds.totals import TotalsStatement

class Halves(TotalsStatement):
    numbers = "half totals per cell"

    def unit_words(self, unit=None):
        return "half records"

kind = Halves
""",
    dpmap.render.kinds: """
from dataclasses import replace

from dpmap.render.kinds.totals import TotalsDrawing

class Halves(TotalsDrawing):
    def paint(self, estimate, view):
        return replace(super().paint(estimate, view), title="Halves")

kind = Halves
""",
}


def release(strategy="flat"):
    policy = dm.Policy(epsilon=5, unit="who", cap=1)
    session = Session(np.full(GRID.shape, 80.0), GRID, policy.measuring, policy.cap, policy.lattice)
    strategies.find_strategy("flat")(session)
    return Release(records.record(GRID, policy, session.made, "Owls", strategy=strategy))


@pytest.fixture
def halves(tmp_path, monkeypatch):
    """A seventh kind: its three modules, and its line in the table."""
    for room, text in ROOMS.items():
        folder = tmp_path / room.__name__
        folder.mkdir()
        (folder / "halves.py").write_text(text)
        monkeypatch.setattr(room, "__path__", [*room.__path__, str(folder)])
    line = {"halves": lambda record: record.strategy == "halves"}
    monkeypatch.setattr("dpmap.record.kinds.KINDS", line | KINDS)


def test_a_seventh_kind_estimates_states_and_draws(halves, tmp_path):
    """With no more than its modules and its line it has an estimate, zones, a statement, a picture, a page and layers."""
    made = release("halves")
    assert kind(made.record) == "halves" and kind(release().record) == "totals"
    noisy = made.measurements[0].values
    assert made.estimate.ravel() == pytest.approx(np.maximum(noisy, 0) / 2, abs=0.5)
    zone = gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 6_000, 4_000)], crs=GRID.crs)
    assert made.ask(zone).note[0] == "" and made.ask(zone).cells_inside[0] == 24
    assert "The numbers are half totals per cell" in statement(made.record)
    ax = made.plot()
    assert any(
        "half records" in text.get_text()
        for text in ax.figure.findobj(lambda artist: hasattr(artist, "get_text"))
    )
    assert any(
        text.get_text() == "Halves"
        for text in ax.figure.findobj(lambda artist: hasattr(artist, "get_text"))
    )
    made.draw(tmp_path / "map.svg")
    made.draw(tmp_path / "map.html")
    assert "half records" in (tmp_path / "map.html").read_text("utf-8")
    for name in ("cells.gpkg", "map.tif", "map.csv", "privacy.yaml", "statement.md"):
        assert made.write(tmp_path / name)


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_its_own_file_in_each_room(name):
    """What a kind answers stands in three files of its name."""
    from importlib import import_module

    for room in ROOMS:
        assert callable(import_module(f"{room.__name__}.{name}").kind)
