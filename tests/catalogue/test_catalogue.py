"""What stands in a release's folder `metadata` is what catalogues can read: valid by their own schemas, of every kind of map."""

import csv
import dataclasses
import json
import re
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import rasterio
import shapely
from builders import records
from builders.schemas import problems
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.catalogue.access_restriction import NEVER, NO_TERM
from dpmap.catalogue.tableschema import PROFILE
from dpmap.catalogue.write import MADE, text
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.export import acdd
from dpmap.export.atlas.cell_selection import half_diagonal
from dpmap.grid import Partition
from dpmap.promise.governance import Governance
from dpmap.promise.licences import LICENCES
from dpmap.promise.sensitivity_reasons import REASONS, VOCABULARY
from dpmap.statement.file_names import CATALOGUED, METADATA
from dpmap.statement.folder import layer_folders, standing
from dpmap.statement.kinds import map_statement

SAVED = Path(__file__).parents[1] / "stability" / "saved"
FILES = sorted(path.relative_to(SAVED).as_posix() for path in SAVED.rglob("*.dpmap"))
PROJECT = "71b32571-0176-4627-8e01-4d78818432a7"
DECLARED = Governance(
    "Elders' council", "planning", "2031-12-31", ("TK Attribution", "BC Provenance"), PROJECT, "CC-BY-4.0", "10.5072/raptors",
    "speciesLocation", "the steward, for five years", ("nothing",),
)  # fmt: skip
CHECKED = ("datacite.json", "dcat.jsonld", "stac.json", "tableschema.json")


def record_of(grid=None, *, dataset="Raptors 2026", governance=DECLARED, **changed):
    grid = grid or dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326")
    made = records.measured(Partition.cells(grid), np.arange(grid.cells_inside), records.promise())
    notes = {"governance": governance.to_dict()} if governance else {}
    return records.record(grid, records.promise(), [made], dataset, notes, **changed)


def plain(record, name):
    return json.loads(text(record, name))


def made(record):
    """All files of a record that it has, by their names."""
    return {
        name: text(record, name)
        for name in MADE
        if name != "stac.json" or record.grid.kind == "squares"
    }


def wrong(record):
    return [
        line
        for name, one in made(record).items()
        if name in CHECKED
        for line in problems(name, json.loads(one))
    ]


def test_the_names_are_those_of_the_folder():
    """What a release writes is what can be made."""
    assert tuple(MADE) == CATALOGUED and METADATA[0] == "metadata/datacite.json"


@pytest.mark.parametrize("file", FILES)
def test_every_release_that_was_ever_saved_has_valid_metadata(file):
    """Whatever kind of map it is and however old, its metadata keep to the schemas of DataCite, DCAT, STAC and Table Schema."""
    record = dm.open(SAVED / file).record
    assert wrong(record) == []
    restricted = plain(record, "restricted-access.json")
    assert restricted["notes"][:2] == [NEVER, NO_TERM] and NEVER in text(
        record, "restricted-access.md"
    )


@pytest.mark.parametrize("case", records.CASES)
def test_every_kind_of_cell_is_described(case):
    """Squares in degrees and metres, hexagons and areas: all have a box, a table and an uncertainty."""
    record = dataclasses.replace(records.case(case)[0], about=record_of().about)
    assert wrong(record) == []


def test_the_schemas_refuse_what_they_should():
    """The checks themselves notice what is missing, unknown or of the wrong kind."""
    record = record_of()
    spoilt = {name: plain(record, name) for name in CHECKED}
    spoilt["datacite.json"] |= {"publicationYear": 2026, "surprise": 1}
    del spoilt["dcat.jsonld"]["dcat:distribution"][0]["dcat:accessURL"]
    spoilt["dcat.jsonld"]["dct:issued"]["@value"] = "soon"
    spoilt["stac.json"]["properties"]["datetime"] = "2026"
    spoilt["stac.json"]["properties"]["proj:shape"] = [1, 2, 3]
    spoilt["stac.json"]["assets"]["map.tif"]["bands"][0]["nodata"] = "none"
    spoilt["tableschema.json"]["fields"][0]["type"] = "whole"
    assert all(problems(name, one) for name, one in spoilt.items())


HOSTILE = (
    '"}]}<script>alert(1)</script>', "=cmd|'/c calc'!A0", "`code` [link](javascript:alert(1)) | cell |", "a\nb\r\tc\x07",
    "\N{RIGHT-TO-LEFT OVERRIDE}txt.exe", "\ud800 alone", "{{ x }} ${y}", "\\", "", "&amp; <b>", "\N{EURO SIGN}" * 120,
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    """Names of data sets, people and kinds from a stranger's file stand in the metadata as text, on one line, and change nothing else."""
    declared = dataclasses.replace(
        DECLARED,
        authorised_by=name[:100].replace("\ud800", ""),
        purpose=name[:100].replace("\ud800", ""),
    )
    record = record_of(governance=declared, released_on=name)
    record = dataclasses.replace(
        record, receipt=dataclasses.replace(record.receipt, dataset=name, release_id=name)
    )
    assert wrong(record) == []
    marked = text(record, "restricted-access.md")
    outside = re.sub(r"`[^`]*`", "", marked)
    assert (
        "<" not in outside
        and "javascript" not in outside
        and "\N{RIGHT-TO-LEFT OVERRIDE}" not in marked
    )
    for one in made(record).values():
        one.encode("utf-8")


def test_hostile_kinds_stay_within_the_folder():
    """A layer's name makes a folder of letters and hyphens, and no address leads out of the release's folder but to the one above."""
    layers = dm.Kinds("species", ("../../etc/passwd", "https://example.org/", "<b>", "Owl"))
    grid = dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326").layered(layers)
    record = record_of(grid)
    assert wrong(record) == []
    for one in standing(record):
        assert re.fullmatch(r"([0-9]{2}-[a-z0-9-]+/)?[a-z-]+\.[a-z]+", one.place), one.place


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_any_name_is_valid(dataset, name):
    """Whatever letters a name has, the files are valid."""
    record = record_of(dataset=dataset)
    assert (
        wrong(
            dataclasses.replace(
                record, receipt=dataclasses.replace(record.receipt, release_id=name)
            )
        )
        == []
    )


def test_datacite_says_what_was_declared():
    """Who authorised it, its DOI, licence, labels, days and box stand where DataCite's readers look."""
    found = plain(record_of(), "datacite.json")
    assert found["doi"] == "10.5072/raptors" and found["creators"] == [{"name": "Elders' council"}]
    assert found["publicationYear"] == "2026" and found["titles"] == [
        {"title": "Raptors 2026 (private map)"}
    ]
    assert found["dates"] == [
        {"date": "2026-11-21", "dateType": "Issued"},
        {
            "date": "2026-11-21/2031-12-31",
            "dateType": "Valid",
            "dateInformation": "declared last day of use",
        },
    ]
    licence, label, other = found["rightsList"]
    assert (
        licence["rightsIdentifier"] == "cc-by-4.0"
        and licence["rightsUri"] == "https://creativecommons.org/licenses/by/4.0/"
    )
    assert (label["rights"], other["rights"]) == (
        "TK Attribution",
        "BC Provenance",
    ) and PROJECT in label["rightsUri"]
    assert found["geoLocations"][0]["geoLocationBox"] == {
        "westBoundLongitude": -2.0, "eastBoundLongitude": -1.0, "southBoundLatitude": 40.0, "northBoundLatitude": 41.0,
    }  # fmt: skip
    abstract = found["descriptions"][0]["description"]
    for word in ("epsilon 0.5", "observer_id", "Capped", "noisy", "is no absence"):
        assert word in abstract


def test_what_was_not_declared_is_not_claimed():
    """Without a declaration the unknown is called unknown, in DataCite's own word, and nothing about rights is said."""
    record = record_of(governance=None)
    found = plain(record, "datacite.json")
    assert found["creators"] == [{"name": ":unav"}] and found["publisher"] == {"name": ":tba"}
    assert not {"doi", "rightsList", "relatedIdentifiers"} & set(found)
    assert plain(record, "stac.json")["properties"]["license"] == "other"
    assert "dct:license" not in plain(record, "dcat.jsonld") and "declared no conditions" in text(
        record, "dcat.jsonld"
    )
    restricted = plain(record, "restricted-access.json")
    assert not {"treatmentReason", "treatmentEndDate", "treatmentOrganisation"} & set(
        restricted["treatments"][0]
    )
    assert "not declared" in text(record, "restricted-access.md")


def test_days_are_those_of_the_declared_layers():
    """Times that were declared are what the data set is about, for DataCite, DCAT and STAC; else only the day of release is known."""
    times = dm.Times("date", ("2024", "2025", "2026-07"))
    grid = dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326").layered(times)
    record = record_of(grid)
    assert plain(record, "datacite.json")["dates"][-1]["date"] == "2024-01-01/2026-06-30"
    temporal = plain(record, "dcat.jsonld")["dct:temporal"]
    assert (temporal["dcat:startDate"]["@value"], temporal["dcat:endDate"]["@value"]) == (
        "2024-01-01",
        "2026-06-30",
    )
    item = plain(record, "stac.json")
    assert (
        item["properties"]["datetime"] is None
        and item["properties"]["end_datetime"] == "2026-06-30T23:59:59Z"
    )
    assert item["assets"]["01-2024-map.tif"]["end_datetime"] == "2024-12-31T23:59:59Z"
    single = plain(record_of(), "stac.json")["properties"]
    assert (
        single["datetime"] == "2026-11-21T00:00:00Z"
        and "of the release, not of the records" in single["description"]
    )


def test_which_rows_counted_is_said_wherever_the_map_is_described():
    """A map of one species in one year is not described as one of all records: the declared rule stands in each description."""
    rule = "rows where species = 'Ember Kite' and date between '2026' and '2026'"
    grid = dm.Grid(bounds=(-2, 40, -1, 41), shape=(4, 5), crs="EPSG:4326")
    made = records.measured(Partition.cells(grid), np.arange(grid.cells_inside), records.promise())
    record = records.record(
        grid, records.promise(), [made], "Kites", {"read_as": [["selected", rule]]}
    )
    for name in CHECKED:
        assert f"Only {rule} counted." in text(record, name), name
    assert wrong(record) == []
    assert "Only rows" not in text(record_of(), "stac.json")


def test_terms_of_use_in_words_are_no_access_right():
    """What the steward declared of a map's use stands as rights in words: DCAT-AP keeps accessRights for a term of Europe's list."""
    told = plain(record_of(), "dcat.jsonld")
    assert "Elders' council" in told["dct:rights"]["rdfs:label"] and "dct:accessRights" not in told


POLAR = {"EPSG:3031": [-180, -90, 180], "EPSG:3995": [-180, 77.0374, 180]}


@pytest.mark.parametrize("crs", POLAR)
def test_a_grid_around_a_pole_holds_the_pole(crs):
    """All longitudes and the pole itself are in the box of a polar map, though no side of its square comes near them."""
    record = record_of(dm.Grid(bounds=(-1e6, -1e6, 1e6, 1e6), shape=(4, 4), crs=crs))
    assert wrong(record) == []
    assert [round(side, 4) for side in plain(record, "stac.json")["bbox"]][:3] == POLAR[crs]
    attributes = acdd.attributes(record)
    assert crs == "EPSG:3995" or attributes["geospatial_lat_min"] == -90


BEYOND = {
    "corners off the earth": ((-1.8e7, -9e6, 1.8e7, 9e6), "ESRI:54009"),
    "all of it off the earth": ((1e8, 1e8, 2e8, 2e8), "EPSG:27700"),
    "numbers without end": ((0, 0, 1e300, 1e300), "EPSG:3857"),
    "one zone stretched over the earth": ((-2e7, -2e7, 2e7, 2e7), "EPSG:32633"),
}


@pytest.mark.parametrize("case", BEYOND)
@pytest.mark.filterwarnings("error")
def test_ground_without_a_place_in_degrees_is_the_whole_earth(case):
    """Where a declared cell has no longitude and latitude, metadata stay valid JSON of finite numbers, and claim no smaller box."""
    bounds, crs = BEYOND[case]
    record = record_of(dm.Grid(bounds=bounds, shape=(2, 2), crs=crs))
    assert wrong(record) == []
    for name, one in made(record).items():
        assert name.endswith(".md") or json.loads(one, parse_constant=pytest.fail)
    assert [abs(side) for side in plain(record, "stac.json")["bbox"]][2:] == [180, 90]


def test_a_mark_that_addresses_keep_for_themselves_leads_to_the_same_doi():
    """A DOI may hold marks that would end an address or make it another one; in addresses they are written out, elsewhere as they are."""
    record = record_of(governance=dataclasses.replace(DECLARED, doi="10.5072/a#b?c%d[e]"))
    assert wrong(record) == []
    address = "https://doi.org/10.5072/a%23b%3Fc%25d%5Be%5D"
    assert plain(record, "dcat.jsonld")["@id"] == address
    assert address in [one["href"] for one in plain(record, "stac.json")["links"]]
    assert plain(record, "datacite.json")["doi"] == "10.5072/a#b?c%d[e]"


def test_a_kind_with_a_long_name_has_a_folder():
    """What a layer is called can be longer than a disk allows a folder to be; no two such are one."""
    names = ("x" * 70_000, "x" * 70_001, "Owl")
    grid = dm.Grid(bounds=(-2, 40, -1, 41), shape=(1, 1), crs="EPSG:4326").layered(
        dm.Kinds("species", names)
    )
    folders = layer_folders(record_of(grid)).values()
    assert len(set(folders)) == 3 and max(map(len, folders)) < 255 and "03-owl" in folders


def test_over_the_antimeridian_the_box_is_in_two_parts():
    """Land on both sides of 180 degrees has a small box, as RFC 7946 writes it, and not one around the globe."""
    grid = dm.Grid.covering(
        shapely.MultiPolygon([shapely.box(177, -19, 180, -16), shapely.box(-180, -19, -179, -16)]),
        cell="50 km",
    )
    item = plain(record_of(grid), "stac.json")
    west, _, east, _ = item["bbox"]
    assert 176 < west < 178 and -180 < east < -178 and item["geometry"]["type"] == "MultiPolygon"
    assert plain(record_of(grid), "dcat.jsonld")["dct:spatial"]["dcat:bbox"]["@value"].startswith(
        "MULTIPOLYGON((("
    )
    assert wrong(record_of(grid)) == []


def release(folder, *more):
    rows = [
        f"w{i % 9},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100},2024-05-0{i % 9 + 1},{i % 30}\n"
        for i in range(300)
    ]
    (folder / "s.csv").write_text("who,longitude,latitude,date,height\n" + "".join(rows))
    flags = "--bounds 0,50,1,51 --shape 6,8 --epsilon 1 --unit who --cap 3 --dataset d --budget 9 --ledger l --out out"
    assert run(["release", str(folder / "s.csv"), *flags.split(), *more]) == 0
    return folder / "out"


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_raster_is_as_its_item_says(here):
    """Shape, way to coordinates, bands, units and missing values of `map.tif` are those of the STAC item, and every file named stands there."""
    out = release(here)
    item = json.loads((out / "metadata" / "stac.json").read_text("utf-8"))
    with rasterio.open(out / "map.tif") as raster:
        assert item["properties"]["proj:shape"] == list(raster.shape)
        assert item["properties"]["proj:transform"] == list(raster.transform)[:6]
        assert item["properties"]["proj:code"] == "EPSG:4326"
        bands = item["assets"]["map.tif"]["bands"]
        assert [one["name"] for one in bands] == list(raster.descriptions)
        assert [one["unit"] for one in bands] == list(raster.units)
        assert {one["data_type"] for one in bands} == set(raster.dtypes) and np.isnan(raster.nodata)
    for asset in item["assets"].values():
        assert (out / "metadata" / asset["href"]).exists(), asset["href"]
    for one in json.loads((out / "metadata" / "dcat.jsonld").read_text("utf-8"))[
        "dcat:distribution"
    ]:
        assert (out / "metadata" / one["dcat:accessURL"]["@id"]).exists()


def columns_fit(schema, table):
    """Whether a CSV has the columns of a schema, in their order, and values of their types."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [one["name"] for one in schema["fields"]] == list(rows[0]) and schema[
        "$schema"
    ] == PROFILE
    read = {
        "integer": int,
        "number": float,
        "string": str,
        "boolean": {"True": True, "False": False}.__getitem__,
    }
    for field in schema["fields"]:
        limits = field.get("constraints", {})
        values = [
            read[field["type"]](row[field["name"]]) for row in rows if row[field["name"]] != ""
        ]
        assert len(values) == len(rows) or not limits.get("required"), field["name"]
        assert len(set(values)) == len(values) or not limits.get("unique")
        assert all(
            limits.get("minimum", value) <= value <= limits.get("maximum", value)
            for value in values
        )


@pytest.mark.parametrize(
    "more",
    [(), ("--mean", "height", "--between", "0,30", "--strategy", "flat")],
    ids=["totals", "means"],
)
def test_a_table_is_as_its_schema_says(here, more):
    """The columns that a CSV of the release has are those that `tableschema.json` names, with values of their types and limits."""
    out = release(here, *more)
    dm.open(out / "release.dpmap").export("cells.csv")
    columns_fit(json.loads((out / "metadata" / "tableschema.json").read_text("utf-8")), "cells.csv")


@pytest.mark.parametrize("case", records.CASES)
def test_a_table_of_every_kind_of_cell_is_as_its_schema_says(here, case):
    """Names, H3 indices and codes have their columns, where cells have them."""
    found = dm.releases.release.Release(records.case(case)[0])
    found.export("cells.csv")
    columns_fit(plain(found.record, "tableschema.json"), "cells.csv")


def test_the_codes_of_an_official_grid_are_in_the_schema(here):
    """Cells of the EEA reference grid have their codes named as columns."""
    record = record_of(
        dm.Grid(bounds=(3270000, 1960000, 3300000, 1990000), shape=(3, 3), crs="EPSG:3035")
    )
    dm.releases.release.Release(record).export("cells.csv")
    schema = plain(record, "tableschema.json")
    assert [one["name"] for one in schema["fields"]][1:3] == ["eeaCellCode", "euroStatCellCode"]
    columns_fit(schema, "cells.csv")


def test_a_sparse_release_names_the_columns_of_the_cells_it_lists(here):
    """Of a release that lists some cells only, the schema is that of its `cells.parquet`."""
    out = release(here, "--strategy", "sparse:20")
    schema = json.loads((out / "metadata" / "tableschema.json").read_text("utf-8"))
    names = pq.read_schema(out / "cells.parquet").names
    assert [one["name"] for one in schema["fields"]] == [
        name for name in names if name != "geometry"
    ]
    bands = json.loads((out / "metadata" / "stac.json").read_text("utf-8"))["assets"]["map.tif"][
        "bands"
    ]
    assert [one["name"] for one in bands] == ["noisy"]


def test_layers_share_one_folder_of_metadata(here):
    """Of a map with layers the metadata stand once, at the top, and name the files of every layer."""
    out = release(here, "--times", "date=2024,2025,2026")
    assert sorted(path.name for path in (out / "metadata").iterdir()) == sorted(CATALOGUED)
    assert not list(out.glob("0*/metadata"))
    for one in standing(dm.open(out / "release.dpmap").record):
        assert (out / one.place).exists(), one.place


def test_what_is_missing_is_made_again_as_it_was(here, capsys):
    """`--resume` makes lost metadata again, the same to the letter, and leaves what is there."""
    out = release(here)
    before = {path.name: path.read_text("utf-8") for path in (out / "metadata").iterdir()}
    for name in ("stac.json", "restricted-access.md"):
        (out / "metadata" / name).unlink()
    capsys.readouterr()
    assert run(["release", "--resume", "out"]) == 0
    told = capsys.readouterr().out
    assert "metadata/stac.json" in told and "datacite.json" not in told
    assert {path.name: path.read_text("utf-8") for path in (out / "metadata").iterdir()} == before
    assert (
        run(["release", "--resume", "out"]) == 0 and "nothing is missing" in capsys.readouterr().out
    )


def test_a_link_planted_for_the_metadata_is_replaced_not_followed(here):
    """Whoever lays a link where the folder will be gets nothing written where it leads."""
    (here / "elsewhere").mkdir()
    (here / "out").mkdir()
    (here / "out" / "metadata").symlink_to(here / "elsewhere")
    out = release(here)
    assert not list((here / "elsewhere").iterdir()) and not (out / "metadata").is_symlink()


def test_a_file_where_the_folder_must_be_is_one_line(here, capsys):
    """A file in the way is told before anything is paid; once it is moved away, the release is made."""
    (here / "out").mkdir()
    (here / "out" / "metadata").write_text("mine")
    with pytest.raises(AssertionError):
        release(here)
    told = capsys.readouterr().err.strip().splitlines()
    assert told[-1].startswith("dpmap: --out: metadata in it is a file")
    assert not (here / "out" / "release.dpmap").exists()
    (here / "out" / "metadata").rename(here / "mine")
    assert (release(here) / "metadata" / "datacite.json").exists()


def test_cells_without_a_raster_have_no_item(here):
    """Hexagons and areas have no GeoTIFF, so no STAC item is written, and asking for one is one line."""
    record = records.case("areas")[0]
    assert "map.tif" not in [one.place for one in standing(record)]
    with pytest.raises(BadInput, match=r"stac.json: it describes a GeoTIFF"):
        dm.releases.release.Release(record).write("stac.json")
    assert not Path("stac.json").exists()


def test_uncertainty_is_half_the_diagonal_of_a_cell():
    """Of a square of 1 km that is 708 m, as Darwin Core asks; of cells in degrees that of the widest."""
    of = {
        707.2: dm.Grid(bounds=(0, 0, 2000, 1000), shape=(1, 2), crs="EPSG:3035"),
        78_700: dm.Grid(bounds=(0, 0, 2, 1), shape=(1, 2), crs="EPSG:4326"),
    }
    for least, grid in of.items():
        found = plain(record_of(grid), "restricted-access.json")["terms"]
        assert (
            least - 1
            <= found["http://rs.tdwg.org/dwc/terms/coordinateUncertaintyInMeters"]
            <= least * 1.005 + 1
        )


def test_restricted_access_words_are_those_of_the_vocabulary():
    """The reason is a term of it, the treatment a grid (of areas: a polygon), and the last day of use is not sold as an opening."""
    found = plain(record_of(), "restricted-access.json")
    for one in found["treatments"]:
        assert one["treatmentReason"] == f"{VOCABULARY}reason/speciesLocation"
        assert one["treatmentType"] == f"{VOCABULARY}treatment/coordinatesReplacedByGrid"
        assert one["treatmentEndDate"] == "2031-12-31" and one["treatmentInEffect"] is True
    assert any("does not say that exact places are open" in note for note in found["notes"])
    areas = plain(dataclasses.replace(records.case("areas")[0]), "restricted-access.json")
    assert areas["treatments"][0]["treatmentType"] == f"{VOCABULARY}treatment/obfuscateCoordinates"
    dynamic = json.loads(found["terms"]["http://rs.tdwg.org/dwc/terms/dynamicProperties"])
    assert dynamic == {
        "local_contexts_project_id": f"https://localcontextshub.org/projects/{PROJECT}/"
    }


def test_reports_of_devices_are_described_as_such():
    """Where nobody ever held true answers, none are said to be withheld."""
    record = dm.open(SAVED / "0.2.0" / "reports-grr.dpmap").record
    assert "never left the volunteers' own devices" in text(record, "restricted-access.json")
    assert "randomised on each volunteer's own device" in text(record, "datacite.json")


def test_nothing_is_said_that_the_record_does_not_hold():
    """Two records that differ in their noisy numbers alone have the same metadata: no fact hangs on what was counted."""
    one = record_of()
    moved = records.measured(
        Partition.cells(one.grid), 100 - np.arange(one.grid.cells_inside), one.policy
    )
    assert made(one) == made(dataclasses.replace(one, measurements=(moved,)))


@pytest.mark.parametrize("licence", LICENCES)
def test_every_licence_has_a_name_and_an_address(licence):
    """Each usual licence is named and linked where catalogues ask for it."""
    governance = dataclasses.replace(DECLARED, licence=licence.upper())
    governance.check_new(date(2026, 11, 23))
    assert governance.licence == licence
    assert wrong(record_of(governance=governance)) == []
    assert plain(record_of(governance=governance), "stac.json")["properties"]["license"] == licence


def test_terms_of_ones_own_are_linked():
    """An address stands where a licence would, and STAC is told that it is another."""
    record = record_of(
        governance=dataclasses.replace(DECLARED, licence="https://example.org/terms?a=1")
    )
    assert wrong(record) == []
    assert plain(record, "dcat.jsonld")["dct:license"]["@id"] == "https://example.org/terms?a=1"
    assert plain(record, "stac.json")["properties"]["license"] == "other"


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_an_address_of_the_vocabulary(reason):
    """Each term is spelled as the vocabulary has it, whatever its case and though its whole address be given."""
    for given_as in (reason, reason.lower(), f"{VOCABULARY}reason/{reason}"):
        governance = Governance(reason=given_as)
        governance.check_new(date(2026, 11, 23))
        assert governance.reason == reason


def test_the_statement_layer_tells_what_was_declared():
    """Tables and tags of GIS layers hold licence, DOI, reason and project too."""
    facts = map_statement(record_of()).facts()
    assert (facts["licence"], facts["doi"], facts["reason"]) == (
        "CC-BY-4.0",
        "10.5072/raptors",
        "speciesLocation",
    )
    assert facts["local_contexts"] == PROJECT


@pytest.mark.parametrize("cells", ["hexagons", "areas", "squares"])
def test_tables_and_metadata_agree_on_how_far_a_record_may_lie(cells):
    """The uncertainty that portals are told of the whole map is the largest that a table tells of its cells, rounded up."""
    record = records.case(cells if cells != "squares" else "squares projected masked")[0]
    told = json.loads(text(record, "restricted-access.json"))["terms"]
    each = half_diagonal(record.grid, np.flatnonzero(record.grid.inside))
    assert (
        0 <= told["http://rs.tdwg.org/dwc/terms/coordinateUncertaintyInMeters"] - each.max() <= 1.1
    )
