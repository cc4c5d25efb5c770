"""A folder of a release, with everything that docs/publishing.md makes of it, opens in the programs of those whom it is for."""

import json
import re
import shlex
from pathlib import Path

import pandas as pd
import pyogrio
import pytest
import rasterio
import xarray as xr
from builders.qgis import looked
from builders.schemas import problems
from jsonschema import Draft202012Validator

import dpmap.statement.attestation
from dpmap.cli import run
from dpmap.export.atlas import FORMS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "publishing.md").read_text("utf-8")
SUFFIX = {"occurrence-cube": "csv", "atlas-csv": "csv", "inspire-sd": "gpkg", "ebv-cube": "nc"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page's own commands, and each form that the page names."""
    place = tmp_path_factory.mktemp("publishing")
    (place / "data_samples").symlink_to(ROOT / "data_samples")
    patch = pytest.MonkeyPatch()
    patch.chdir(place)
    try:
        for block in re.findall("```sh\n(.*?)```", PAGE, re.DOTALL):
            for line in block.replace("\\\n", " ").strip().splitlines():
                assert run(shlex.split(line)[1:]) == 0
        for form, suffix in SUFFIX.items():
            taxon = f"Falco tinnunculus={'eunis:1435' if form == 'inspire-sd' else '2481047'}"
            assert run(["export", "to-publish/release.dpmap", "--to", f"to-publish/{form}.{suffix}", "--as", form,
                        "--taxon", taxon, "--year", "2026"]) == 0  # fmt: skip
        assert run(["export", "to-publish/release.dpmap", "--to", "to-publish/cells.nc"]) == 0
    finally:
        patch.undo()
    return place / "to-publish"


def plain(path):
    return json.loads(path.read_text("utf-8"))


def test_the_page_names_every_form_and_every_file(folder):
    """Nothing in the folder is left without a word of whom it is for, and every form of an export is named."""
    assert set(SUFFIX) == set(FORMS)
    made = [
        path
        for path in folder.iterdir()
        if path.stem not in (*SUFFIX, "cells") and path.suffix != ".qml"
    ]
    for name in [path.name for path in made if not path.name.startswith(tuple(SUFFIX))]:
        assert name in PAGE or f"`{Path(name).suffix}`" in PAGE, name
    assert all(f"--as {form}" in PAGE for form in FORMS)


def test_gdal_opens_every_layer_and_raster(folder):
    """GDAL reads each layer with its reference system, and the codes of the cells are in it."""
    for path in folder.glob("*.gpkg"):
        for name, kind in pyogrio.list_layers(path):
            if kind is not None and name != "layer_styles":
                assert (
                    pyogrio.read_info(path, layer=name)["crs"]
                    and pyogrio.read_info(path, layer=name)["features"]
                )
    assert "eeaCellCode" in pyogrio.read_info(folder / "cells.gpkg", layer="cells")["fields"]
    with rasterio.open(folder / "map.tif") as raster:
        assert raster.crs.to_epsg() == 3035 and raster.count >= 4


def test_xarray_opens_every_netcdf(folder):
    """xarray reads the plain cube with its codes, and both metrics of the EBV cube."""
    with xr.open_dataset(folder / "cells.nc") as cube:
        assert {"estimate", "low", "high"} <= set(cube.data_vars) and "eeaCellCode" in cube.coords
        assert "ACDD-1.3" in cube.attrs["Conventions"]
    for metric in ("metric_1", "metric_2"):
        with xr.open_dataset(folder / "ebv-cube.nc", group=metric) as cube:
            assert cube.ebv_cube.ndim == 4


def test_qgis_opens_every_layer(folder, tmp_path):
    """A real QGIS opens the map's layers, the raster and INSPIRE's layer, each with its reference system."""
    told = looked(
        [folder / name for name in ("cells.gpkg", "map.tif", "inspire-sd.gpkg")], tmp_path
    )
    assert {Path(entry["file"]).name for entry in told} == {
        "cells.gpkg",
        "map.tif",
        "inspire-sd.gpkg",
    }
    assert all(entry["valid"] for entry in told)


def test_a_validator_finds_no_fault_in_any_json(folder):
    """Each file that describes the map to catalogues keeps to its published schema, and the attestation to its own."""
    for name in ("datacite.json", "dcat.jsonld", "stac.json", "tableschema.json"):
        assert problems(name, plain(folder / "metadata" / name)) == []
    schema = (
        Path(dpmap.statement.attestation.__file__).parent / "assets" / "attestation.schema.json"
    )
    assert (
        list(Draft202012Validator(plain(schema)).iter_errors(plain(folder / "attestation.json")))
        == []
    )


def test_the_tables_agree_with_the_layer(folder):
    """A cell of a table for atlases lies in the map under the same code, with an estimate that rounds to the same number."""
    cells = pyogrio.read_dataframe(folder / "cells.gpkg", layer="cells").set_index("eeaCellCode")
    cube = pd.read_csv(folder / "occurrence-cube.csv").set_index("eeaCellCode")
    atlas = pd.read_csv(folder / "atlas-csv.csv").set_index("eeaCellCode")
    assert len(cube) and set(cube.index) == set(atlas.index) <= set(cells.index)
    assert (cells.loc[cube.index, "distinguishable"]).all()
    assert (cube.occurrencesLow <= cube.occurrences).all() and (
        cube.occurrences <= cube.occurrencesHigh
    ).all()


def test_what_was_declared_stands_in_every_file_that_asks_for_it(folder):
    """Licence, DOI, reason and the answers to the auditor's two questions are where each reader looks for them."""
    assert (
        plain(folder / "metadata" / "datacite.json")["rightsList"][0]["rightsIdentifier"].upper()
        == "CC-BY-4.0"
    )
    assert "10.5072/raptors" in (folder / "metadata" / "datacite.json").read_text("utf-8")
    assert "speciesLocation" in (folder / "metadata" / "restricted-access.md").read_text("utf-8")
    attested = (folder / "attestation.md").read_text("utf-8")
    assert "species list of 2024, no places" in attested and "two curators, until 2031" in attested
