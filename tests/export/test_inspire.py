"""INSPIRE's Species Distribution: mandatory properties, multiplicities, types and code lists of the specification, written again as checks."""

import sqlite3
import subprocess

import numpy as np
import pyogrio
import pytest
import shapely
from builders.records import GRIDS, LAND, hill, measured, promise, record, told_of

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.export.atlas.cell_selection import select_cells
from dpmap.export.atlas.inspire import CODE, WORDS
from dpmap.grid import Partition
from dpmap.inference import distinguishable
from dpmap.releases.release import Release

UNITS, SET = "SpeciesDistributionUnit", "SpeciesDistributionDataSet"
OTTER = {"Otter": ("eunis:1435", "Lutra lutra (Linnaeus, 1758)")}
INFO, SIZE = "distributionInfo", "distributionInfo_populationSize"
LOW, HIGH = f"{SIZE}_populationSize_lowerBound", f"{SIZE}_populationSize_upperBound"
MANDATORY = {
    "speciesName_referenceSpeciesId": "TEXT", "speciesName_referenceSpeciesScheme": "TEXT",
    f"{INFO}_occurrenceCategory": "TEXT", f"{SIZE}_countingMethod": "TEXT", f"{SIZE}_countingUnit": "TEXT",
    LOW: "INTEGER", HIGH: "INTEGER", f"{INFO}_sensitiveInfo": "BOOLEAN", "beginLifespanVersion": "DATETIME",
    "inspireId_localId": "TEXT", "inspireId_namespace": "TEXT", "geom": "POLYGON",
}  # fmt: skip
"""Properties of which the specification wants one value, and those that are given here; with the type of each."""
VOIDABLE = {
    "speciesName_referenceSpeciesName": "TEXT", f"{INFO}_residencyStatus": "TEXT", f"{INFO}_populationType": "TEXT",
    f"{INFO}_collectedFrom": "DATE", f"{INFO}_collectedTo": "DATE",
}  # fmt: skip
LISTS = {
    f"{INFO}_occurrenceCategory": (
        "OccurrenceCategoryValue",
        {"common", "rare", "veryRare", "present", "absent"},
    ),
    f"{SIZE}_countingMethod": ("CountingMethodValue", {"counted", "estimated", "calculated"}),
    "speciesName_referenceSpeciesScheme": (
        "ReferenceSpeciesSchemeValue",
        {"eunomen", "eunis", "natureDirectives"},
    ),
}
"""The register's lists, with their values."""


def written(path, made=None, **given):
    """The file of a release with one peak on the European grid, and the release."""
    grid = dm.Grid.official(LAND, grid="eea-10km")
    made = made or Release(told_of(grid, hill(grid))[0])
    made.export(path, **{"form": "inspire-sd", "taxa": OTTER, "year": 2024, **given})
    return made


def rows(path, layer=UNITS):
    return pyogrio.read_dataframe(path, layer=layer)


def types(path, table=UNITS):
    with sqlite3.connect(path) as file:
        return {name: kind for _, name, kind, *_ in file.execute(f"PRAGMA table_info({table})")}


def test_what_the_specification_asks_for_is_there(tmp_path):
    """Every mandatory property has one value of its type in every unit, every voidable one a value or the reason why there is none."""
    written(tmp_path / "sd.gpkg")
    found, kinds = rows(tmp_path / "sd.gpkg"), types(tmp_path / "sd.gpkg")
    for name, kind in {**MANDATORY, **VOIDABLE}.items():
        assert kinds[name] == kind, name
        if name in VOIDABLE:
            assert kinds[f"{name}_nilReason"] == "TEXT"
            assert (found[name].isna() == (found[f"{name}_nilReason"] == "Unpopulated")).all(), name
        elif name != "geom":
            assert found[name].notna().all() and (found[name].astype(str) != "").all(), name
    assert found.geometry.is_valid.all() and not found.geometry.is_empty.any()
    assert (
        found["inspireId_localId"].is_unique
        and found["inspireId_localId"].str.fullmatch(r"[A-Za-z0-9_.,\-]+").all()
    )
    data_set = rows(tmp_path / "sd.gpkg", SET)
    assert (
        len(data_set) == 1
        and data_set["name"][0]
        and data_set["beginLifespanVersion"].notna().all()
    )
    assert data_set.geometry[0].buffer(1).contains(shapely.union_all(found.geometry.to_numpy()))


def test_words_are_those_of_the_register(tmp_path):
    """Each word of a closed list is one of its values, and the column beside holds its address in the register."""
    written(tmp_path / "sd.gpkg")
    found = rows(tmp_path / "sd.gpkg")
    for name, (listed, values) in LISTS.items():
        assert set(found[name]) <= values
        assert (
            found[f"{name}_href"] == f"http://inspire.ec.europa.eu/codelist/{listed}/" + found[name]
        ).all()
    assert set(found["speciesName_referenceSpeciesId_href"]) == {
        "http://eunis.eea.europa.eu/species/1435"
    }


def test_the_words_are_true_of_a_noisy_estimate(tmp_path):
    """A unit is present and estimated, its place is sensitive, and none is called absent, counted, common or rare."""
    written(tmp_path / "sd.gpkg")
    found = rows(tmp_path / "sd.gpkg")
    assert set(found[f"{INFO}_occurrenceCategory"]) == {"present"} and set(
        found[f"{SIZE}_countingMethod"]
    ) == {"estimated"}
    assert found[f"{INFO}_sensitiveInfo"].astype(bool).all() and set(
        found[f"{SIZE}_countingUnit"]
    ) == {"records"}
    assert (found[f"{INFO}_collectedFrom"].astype(str) == "2024-01-01").all()
    assert (found[f"{INFO}_collectedTo"].astype(str) == "2024-12-31").all()


def test_only_told_cells_are_units_with_the_bounds_of_every_table(tmp_path):
    """As many units as cells are told from noise, each with its estimate between whole bounds; the code of its grid names it."""
    made = written(tmp_path / "sd.gpkg")
    found, (one,) = rows(tmp_path / "sd.gpkg"), select_cells(_layers(made))
    assert 0 < len(found) < made.grid.cells_inside and len(found) <= int(
        distinguishable(made.reading).sum()
    )
    assert found[LOW].tolist() == one.low.tolist() and found[HIGH].tolist() == one.high.tolist()
    assert (
        (found[LOW] >= 1) & (found[LOW] <= found["estimate"]) & (found["estimate"] <= found[HIGH])
    ).all()
    codes = made.grid.codes(one.cells)["eeaCellCode"].tolist()
    assert found["eeaCellCode"].tolist() == codes and found["inspireId_localId"].tolist() == [
        f"{code}.1" for code in codes
    ]


def _layers(made):
    from dpmap.export.atlas.taxa import Taxa

    return made._atlas_layers(Taxa.from_kinds(OTTER, 2024))


def test_kinds_and_times_have_their_own_units(tmp_path):
    """Of a map of two species in two years each unit says which it is of, and no two have one id."""
    grid = dm.Grid.official(LAND, grid="eea-10km").layered(
        dm.Kinds("species", ("Otter", "Kite")), dm.Times("date", ("2023", "2024", "2025"))
    )
    cells, policy = Partition.cells(grid), promise()
    totals = np.tile(np.resize([0, 200], grid.ground.cells_inside), 4)
    made = Release(record(grid, policy, [measured(cells, totals, policy)]))
    written(
        tmp_path / "sd.gpkg",
        made,
        taxa={**OTTER, "Kite": "urn:lsid:faunaeur.org:taxname:96617"},
        year="",
    )
    found = rows(tmp_path / "sd.gpkg")
    each = found.groupby(["speciesName_referenceSpeciesId", f"{INFO}_collectedFrom"]).size()
    assert len(each) == 4 and each.nunique() == 1 and found["inspireId_localId"].is_unique
    kites = found[found["speciesName_referenceSpeciesScheme"] == "eunomen"]
    assert kites["speciesName_referenceSpeciesName"].isna().all()
    assert set(kites["speciesName_referenceSpeciesId_href"]) == {
        "http://www.eu-nomen.eu/portal/taxon.php?GUID=urn:lsid:faunaeur.org:taxname:96617"
    }


@pytest.mark.parametrize("name", GRIDS)
def test_every_kind_of_cell_that_tells_something(name, tmp_path):
    """Squares, hexagons, areas and blocks all become units in their own system; a map that tells nothing is refused, and leaves no file."""
    made, path = (
        Release(told_of(GRIDS[name](), hill(GRIDS[name]()), blocks=name == "blocks")[0]),
        tmp_path / "sd.gpkg",
    )
    try:
        written(path, made, year="")
    except BadInput as refused:
        assert "no cell of this map is told" in str(refused) and not list(tmp_path.iterdir())
        return
    found = rows(path)
    assert (
        found.crs.to_2d() == made.to_geodataframe().crs.to_2d()
        or found.crs.name == made.to_geodataframe().crs.name
    )
    assert found[f"{INFO}_collectedFrom"].isna().all()


def test_the_statement_and_the_meaning_of_each_column_travel_in_the_file(tmp_path):
    """Who opens the file alone finds the promise, how to read it, and what every column is; the layer's own words say that no row is an absence."""
    written(tmp_path / "sd.gpkg")
    facts = dict(rows(tmp_path / "sd.gpkg", "statement").to_numpy().tolist())
    assert facts["epsilon"] == "0.5" and "no absence" in facts["words"]
    meanings = dict(rows(tmp_path / "sd.gpkg", "columns").to_numpy().tolist())
    held = [name for name in types(tmp_path / "sd.gpkg") if name not in ("fid", "geom")]
    assert (
        list(meanings) == held
        and set(WORDS) - {"name"} <= set(held)
        and meanings["eeaCellCode"] == CODE
    )
    with sqlite3.connect(tmp_path / "sd.gpkg") as file:
        about = dict(file.execute("SELECT table_name, description FROM gpkg_contents"))
        styled = dict(
            file.execute("SELECT f_table_name, styleQML FROM layer_styles WHERE useAsDefault")
        )
    assert "no absence" in about[UNITS] and "\N{GREEK SMALL LETTER EPSILON} = 0.5" in about[UNITS]
    assert "At least" in styled[UNITS] and "records in a unit" in styled[UNITS]


@pytest.mark.parametrize(
    ("taxa", "words"),
    [
        ({}, "asks which species the map is of"),
        ({"Otter": "2433753"}, "'2433753' is no id of a list that INSPIRE takes"),
        ({"Otter": "eunis:otter"}, "is no id of a list"),
    ],
)
def test_a_species_without_an_id_is_refused_in_one_line(taxa, words, tmp_path):
    """The specification cannot do without one, so the line says which ids it takes, and no file is left."""
    with pytest.raises(BadInput, match=words) as refused:
        written(tmp_path / "sd.gpkg", taxa=taxa)
    assert "natureDirectives:1355" in str(refused.value) and "\n" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_texts_of_a_stranger_stay_text(tmp_path):
    """A release whose names hold markup and line breaks makes a sound file whose style is sound XML."""
    import xml.etree.ElementTree as ElementTree

    grid = dm.Grid.official(LAND, grid="eea-10km")
    hostile = Release(told_of(grid, hill(grid), dataset="<b>A\n&\x07", noun="<nests>&")[0])
    written(tmp_path / "sd.gpkg", hostile)
    assert rows(tmp_path / "sd.gpkg", SET)["name"][0] == "<b>A &"
    with sqlite3.connect(tmp_path / "sd.gpkg") as file:
        (qml,) = file.execute(
            "SELECT styleQML FROM layer_styles WHERE f_table_name = ?", (UNITS,)
        ).fetchone()
    root = ElementTree.fromstring(qml.split("\n", 1)[1])
    assert "nests" not in root.findtext("mapTip")


def test_equal_releases_make_equal_files(tmp_path):
    """The file does not tell when it was written."""
    for name in ("one", "two"):
        written(tmp_path / f"{name}.gpkg")
    assert (tmp_path / "one.gpkg").read_bytes() == (tmp_path / "two.gpkg").read_bytes()


def test_gdal_and_its_validator_take_it(tmp_path):
    """The validator that GDAL has for GeoPackages finds nothing, with its extra checks on; of a file that was damaged it finds something."""
    written(tmp_path / "sd.gpkg")
    check = "import sys; from osgeo_utils.samples import validate_gpkg as v; sys.exit(v.main(['v', '--extra', '--warning-as-error', sys.argv[1]]))"
    run = ["/usr/bin/python3", "-c", check, str(tmp_path / "sd.gpkg")]
    found = subprocess.run(run, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    with sqlite3.connect(tmp_path / "sd.gpkg") as file:
        file.execute("UPDATE gpkg_contents SET srs_id = 9999 WHERE table_name = ?", (UNITS,))
    assert subprocess.run(run, capture_output=True, text=True).returncode != 0
