"""privacy.yaml is valid in the registry's schema, whatever the names in it, and governance reaches every output."""

import dataclasses
import json
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import yaml
from builders import records
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

import dpmap as dm
from dpmap.cli import main
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.promise.governance import Governance
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import emit, privacy_yaml

SCHEMA = yaml.safe_load(
    (Path(__file__).parents[1] / "schemas" / "deployments-schema.yaml").read_text("utf-8")
)
DECLARED = Governance(
    "Elders' council", "planning", "2031-12-31", ("TK Attribution", "BC Provenance")
)


def record_of(grid=None, *, dataset="Raptors 2026", governance=DECLARED, **promise):
    grid = grid or dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326")
    policy = records.promise(**promise)
    made = records.measured(Partition.cells(grid), np.arange(grid.cells_inside), policy)
    notes = {"governance": governance.to_dict()} if governance else {}
    return records.record(grid, policy, [made], dataset, notes)


def problems(text):
    validator = Draft7Validator(SCHEMA, format_checker=Draft7Validator.FORMAT_CHECKER)
    return [
        f"{list(error.path)}: {error.message}"
        for error in validator.iter_errors(yaml.safe_load(text))
    ]


GRIDS = {
    "degrees": lambda: dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326"),
    "metres": lambda: dm.Grid.covering((-2, 40, -1, 41), cell="20 km"),
    "hexagons": lambda: dm.Grid.hexagons((-2, 40, -1, 41), resolution=4),
    "areas": lambda: dm.Grid.areas((-2, 40, -1, 41)),
}


@pytest.mark.parametrize("kind", GRIDS)
@pytest.mark.parametrize(
    "promise", [{}, {"unit": "row"}, {"consent": None}, {"epsilon": "1/3"}, {"limiter": "presence"}]
)
def test_it_is_valid(kind, promise):
    """Every kind of grid and promise is described within the registry's schema."""
    assert problems(privacy_yaml(record_of(GRIDS[kind](), **promise))) == []


def test_the_schema_refuses_what_it_should():
    """The check itself notices a missing and an unknown field."""
    plain = yaml.safe_load(privacy_yaml(record_of()))
    del plain["status"]
    plain["deployment"]["basic"]["surprise"] = "x"
    assert len(problems(yaml.safe_dump(plain))) == 2


def test_it_says_what_was_promised():
    """Epsilon, unit, cap, region, budget and governance stand in their fields."""
    found = yaml.safe_load(privacy_yaml(record_of()))["deployment"]
    assert found["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5}
    assert found["privacy_loss"]["privacy_unit"] == "All rows of one observer_id"
    assert "at most 2 in L1" in found["privacy_loss"]["privacy_unit_details"]
    assert found["basic"]["data_curators"] == ["Elders' council"]
    assert found["basic"]["intended_use"] == "planning"
    assert found["basic"]["data_product_region"].endswith("40.0 N to 41.0 N, 2.0 W to 1.0 W")
    assert "1 of 3 is spent" in found["deployment_model"]["release_type_details"]
    assert "TK Attribution, BC Provenance" in found["administrative"]["notes"]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_no_text_acts_as_yaml(text):
    """Whatever a name holds, it comes back as the same text."""
    assert yaml.safe_load(emit({"a": text, "b": [text]})) == {"a": text, "b": [text]}


@pytest.mark.parametrize(
    "name",
    ["a: b", "- x", "no", "1e5", "{x}", "|\n  x", "#", "'\"", "\x85\u2028\ufeff\x7f", "&a *a"],
)
def test_hostile_names(name):
    """A data set's name cannot add a field or change another."""
    record = record_of(dataset=name)
    assert problems(privacy_yaml(record)) == []
    assert (
        yaml.safe_load(privacy_yaml(record))["deployment"]["basic"]["name"]
        == f"{name} (private heatmap)"
    )


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"expires": "soon"}, "expires"),
        ({"expires": "2031-02-30"}, "expires"),
        ({"purpose": "x" * 241}, "purpose"),
        ({"authorised_by": "x" * 121}, "authorised_by"),
        ({"labels": ("x" * 61,)}, "label"),
        ({"labels": tuple("abcdefghijklm")}, "label"),
    ],
)
def test_governance_checks_itself(fields, option):
    """A date that is none, and texts too long to stand beside a map, are one-line errors that carry the option."""
    with pytest.raises(BadInput) as wrong:
        Governance(**fields)
    assert wrong.value.option == option
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    "notes",
    [{}, {"governance": 7}, {"governance": {"labels": "x", "expires": []}}, {"governance": []}],
)
def test_a_strangers_notes_are_harmless(notes):
    """Notes of any shape are read as no declaration."""
    assert not Governance.from_notes(notes)


def test_governance_survives_the_file(tmp_path):
    """What was declared is read back from a saved release."""
    Release(record_of()).save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap").record.about.governance == DECLARED


def test_governance_reaches_every_output(tmp_path):
    """Map, page, layers, raster, statement and registry file all carry the declaration."""
    release = Release(record_of())
    for name in ("m.svg", "m.html", "c.gpkg", "c.tif", "c.geojson", "s.md", "p.yaml"):
        release.write(tmp_path / name)
    for name in ("m.html", "c.geojson", "s.md", "p.yaml"):
        text = (tmp_path / name).read_text("utf-8")
        assert "council" in text and "2031-12-31" in text and "BC Provenance" in text, name
    assert "council" in release.plot().figure.__dict__.get("_dpmap_alt", "") or "council" in (
        tmp_path / "m.svg"
    ).read_text("utf-8")
    facts = gpd.read_file(tmp_path / "c.gpkg", layer="statement").set_index("field")["value"]
    assert facts["labels"] == "TK Attribution, BC Provenance" and facts["expires"] == "2031-12-31"
    with rasterio.open(tmp_path / "c.tif") as raster:
        assert raster.tags()["authorised_by"] == "Elders' council"


def test_without_a_declaration_nothing_is_said():
    """The provenance line and the statement stay as they are."""
    record = record_of(governance=None)
    from dpmap.statement.statement import statement

    assert "authorised" not in map_statement(record).provenance() and "governs" not in statement(
        record
    )
    assert dataclasses.asdict(Governance())["labels"] == ()


def test_the_command_line_declares_it(tmp_path, monkeypatch, capsys):
    """Flags and config keys become the release's governance, and privacy.yaml is written beside it."""
    rows = "\n".join(f"u{i % 7},{-1.5 + i / 100},{40.5}" for i in range(30))
    (tmp_path / "s.csv").write_text("who,lon,lat\n" + rows)
    (tmp_path / "c.toml").write_text(
        'label = ["TK Attribution", "BC Provenance"]\npurpose = "planning"\n'
    )
    monkeypatch.chdir(tmp_path)
    flags = "--bounds=-2,40,-1,41 --shape 4,5 --unit who --epsilon 1 --cap 2 --dataset d --budget 1 --out out --x lon --y lat"
    arguments = [
        "release",
        "s.csv",
        *flags.split(),
        "--crs",
        "EPSG:4326",
        "--config",
        "c.toml",
        "--expires",
        "2031-12-31",
    ]
    monkeypatch.setattr("sys.argv", ["dpmap", *arguments, "--authorised-by", "Elders' council"])
    try:
        assert not main()
    except SystemExit as ended:
        assert not ended.code
    assert dm.open("out/release.dpmap").record.about.governance == DECLARED
    assert problems((tmp_path / "out" / "privacy.yaml").read_text("utf-8")) == []
    assert json.loads(json.dumps(DECLARED.to_dict()))["labels"] == [
        "TK Attribution",
        "BC Provenance",
    ]
