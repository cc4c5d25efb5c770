"""A new kind of map is one class in dpmap/maps and one for its words, each with its line in a table."""

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records

import dpmap as dm
import dpmap.statement.kinds
from dpmap import strategies
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.maps import KINDS, MapKind, kind
from dpmap.maps.totals import TotalsMap
from dpmap.releases.release import Release
from dpmap.statement.kinds.totals import TotalsStatement
from dpmap.statement.statement import statement
from dpmap.vault.session import Session

GRID = dm.Grid(bounds=(0, 0, 6_000, 4_000), shape=(4, 6), crs="EPSG:3035")


class HalvedEstimate(FlatEstimate):
    @property
    def values(self):
        return self._halves

    @values.setter
    def values(self, whole):
        self._halves = whole / 2


class HalvesMap(TotalsMap):
    def estimate(self):
        return HalvedEstimate(self.record.measurements[-1])


class HalvesStatement(TotalsStatement):
    numbers = "half totals per cell"

    def unit_words(self, unit=None):
        return "half records"

    def terms(self):
        return [["Halves", "of all totals"]]


def release(strategy="flat"):
    policy = dm.Policy(epsilon=5, unit="who", cap=1)
    session = Session(np.full(GRID.shape, 80.0), GRID, policy.measuring, policy.cap, policy.lattice)
    strategies.find_strategy("flat")(session)
    return Release(records.record(GRID, policy, session.made, "Owls", strategy=strategy))


@pytest.fixture
def halves(monkeypatch):
    """An eighth kind: its line in the table of kinds, and in that of their words."""
    known = MapKind(lambda record: record.strategy == "halves", HalvesMap)
    monkeypatch.setattr("dpmap.maps.KINDS", {"halves": known} | KINDS)
    monkeypatch.setitem(dpmap.statement.kinds.STATEMENTS, "halves", HalvesStatement)


def test_an_eighth_kind_estimates_states_and_draws(halves, tmp_path):
    """With no more than its two classes it has an estimate, zones, a statement, a picture, a page and layers."""
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
    made.draw(tmp_path / "map.svg")
    made.draw(tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text("utf-8")
    assert "half records" in page and "of all totals" in page
    for name in ("cells.gpkg", "map.tif", "map.csv", "privacy.yaml", "statement.md"):
        assert made.write(tmp_path / name)


def test_a_kind_of_map_is_asked_for_in_its_tables_alone():
    """Each kind with words, a drawer or facts of its own is a kind that there is."""
    from dpmap.render import drawers, page_zones
    from dpmap.statement import privacy_yaml
    from dpmap.statement.attestation import attestation, participant_page
    from dpmap.statement.statement import STATEMENTS

    tables = (
        dpmap.statement.kinds.STATEMENTS,
        STATEMENTS,
        privacy_yaml.DEPLOYMENTS,
        attestation.TEMPLATES,
        participant_page.TEMPLATES,
        drawers.DRAWERS,
        page_zones.ZONES,
    )
    for table in tables:
        assert table.keys() <= KINDS.keys()
