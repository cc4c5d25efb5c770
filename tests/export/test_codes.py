"""Codes of official grids: each layer and table has them, cell by cell the same, and no other cells have any."""

import csv
import json

import numpy as np
import pyarrow.parquet
import pyogrio
import pytest
import rasterio
import xarray as xr
from builders import surveys
from builders.official import BORDER, SQUARES, area, case, grid, shifted
from builders.qgis import looked
from builders.records import case as record_of
from builders.records import told_of
from scipy.io import netcdf_file

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.export import embedded_metadata, export
from dpmap.export.raster import layers_to_xarray, to_xarray
from dpmap.export.vector import _cell_tip, cells_frame
from dpmap.grid import Grid, official
from dpmap.grid.official import code_titles
from dpmap.releases.release import Release
from dpmap.releases.summary import summarise
from dpmap.statement.kinds import map_statement
from dpmap.statement.statement import statement

SUFFIXES = ("gpkg", "fgb", "geojson", "parquet", "csv", "nc")
EEA = "eea-10km"
COLUMNS = set(code_titles.DESCRIPTIONS)
WRITTEN = ("eea-10km", "os-tetrad", "irish-1km", "maille-5km", "qdgc", "pentad", "mgrs-1km")
"""Grids that are written in every format: together they have every column of codes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small map on each official grid in every format, written once."""
    place = tmp_path_factory.mktemp("codes")
    for name in WRITTEN:
        for suffix in SUFFIXES:
            export(*case(name), place / f"{name}.{suffix}")
    return place


def codes(name):
    return {column: values.tolist() for column, values in grid(name).codes().items()}


def from_gpkg(path):
    return pyogrio.read_dataframe(path, layer="cells")


def from_fgb(path):
    return pyogrio.read_dataframe(path).sort_values("cell")


def from_geojson(path):
    rows = [feature["properties"] for feature in json.loads(path.read_text("utf-8"))["features"]]
    return {column: [row[column] for row in rows] for column in rows[0]}


def from_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        column: [
            int(row[column]) if column in ("cell", "gridSizeInMeters") else row[column]
            for row in rows
        ]
        for column in rows[0]
    }


def from_parquet(path):
    return pyarrow.parquet.read_table(path).to_pydict()


READERS = {
    "gpkg": from_gpkg,
    "fgb": from_fgb,
    "geojson": from_geojson,
    "csv": from_csv,
    "parquet": from_parquet,
}


@pytest.mark.parametrize("name", SQUARES)
def test_every_cell_has_a_code_of_its_own(name):
    """Cells of an official grid have its codes, no two the same, in the table that Python returns; each column is explained."""
    found, frame = codes(name), cells_frame(*case(name))
    assert found and list(frame.columns[: len(found) + 1]) == ["cell", *found]
    assert official.columns(grid(name)) == tuple(found)
    for column, values in found.items():
        assert frame[column].tolist() == values and embedded_metadata.COLUMNS[column]
        if column in code_titles.TITLES:
            assert all(isinstance(code, str) for code in values) and len(set(values)) == len(values)


def test_every_column_of_codes_is_written_and_read_back():
    """The grids that are written in every format have, together, all columns that official grids have."""
    assert (
        {column for name in WRITTEN for column in codes(name)}
        == COLUMNS
        == {column for name in SQUARES for column in codes(name)}
    )


@pytest.mark.parametrize("suffix", READERS)
@pytest.mark.parametrize("name", WRITTEN)
def test_each_format_has_the_same_codes_cell_by_cell(folder, name, suffix):
    """Read back by other people's software, each cell has the code that Python told for it."""
    table = READERS[suffix](folder / f"{name}.{suffix}")
    assert list(table["cell"]) == np.flatnonzero(grid(name).inside).tolist()
    for column, values in codes(name).items():
        assert list(table[column]) == values


@pytest.mark.parametrize("name", WRITTEN)
def test_the_description_of_a_table_says_what_codes_are(folder, name):
    """The file beside a CSV explains each column of codes."""
    described = json.loads((folder / f"{name}.csv-metadata.json").read_text("utf-8"))[
        "tableSchema"
    ]["columns"]
    explained = {column["name"]: column.get("dc:description") for column in described}
    assert all(explained[column] for column in codes(name))


@pytest.mark.parametrize("name", WRITTEN)
def test_a_cube_has_codes_as_coordinates(folder, name):
    """In memory and in a netCDF file codes lie over the cells, empty outside the area, and the numbers still know where they lie."""
    ground = grid(name)
    assert not ground.inside.all()
    in_memory = to_xarray(*case(name))
    with (
        xr.open_dataset(folder / f"{name}.nc") as stored,
        netcdf_file(folder / f"{name}.nc", mmap=False) as plain,
    ):
        for column, values in codes(name).items():
            for found in (in_memory[column], stored[column]):
                assert found.dims == in_memory.estimate.dims and found.attrs["long_name"]
                assert column in in_memory.estimate.coords and column in stored.estimate.coords
                assert found.to_numpy()[ground.inside].tolist() == values
                assert not found.to_numpy()[~ground.inside].any()
            assert column in plain.variables["estimate"].coordinates.decode().split()
            if column in code_titles.TITLES:
                letters = plain.variables[column]
                assert letters.typecode() == "c" and letters.shape[:2] == ground.shape
                assert letters[:][ground.inside][0].tobytes().rstrip(b"\0").decode() == values[0]
    with rasterio.open(f"netcdf:{folder / f'{name}.nc'}:estimate") as band:
        assert band.shape == ground.shape and np.allclose(
            band.bounds, ground.cells.bounds, rtol=1e-9
        )


@pytest.mark.parametrize("name", SQUARES)
def test_cells_beside_an_official_grid_have_no_codes(name):
    """Half a cell aside there is no column of codes in any table or cube, and nothing claims one."""
    ground = shifted(name)
    record, estimate = told_of(ground)
    assert ground.codes() == {} and official.columns(ground) == () and official.title(ground) == ""
    assert not COLUMNS & set(cells_frame(record, estimate).columns)
    assert not COLUMNS & set(to_xarray(record, estimate).coords)
    assert "cell_codes" not in map_statement(record).facts()


def test_cells_off_an_official_grid_say_what_to_change():
    """A grid that nearly is an official one says so in the statement, naming the option to take."""
    record, _ = told_of(shifted(EEA))
    assert official.advice(record.grid) and "--grid eea-10km" in statement(record)
    assert "--grid" not in statement(case(EEA)[0])


def test_squares_that_a_border_cuts_have_a_code_each(tmp_path):
    """Where two zones of UTM meet, each part of a square has its own MGRS code, in tables, layers and cubes."""
    ground = Grid.official(area("mgrs-10km", BORDER), grid="mgrs-10km")
    record, estimate = told_of(ground)
    found = ground.codes()["mgrsCellCode"].tolist()
    assert {code[:2] for code in found} == {"32", "33"} and len(set(found)) == len(found)
    for suffix, read in READERS.items():
        export(record, estimate, tmp_path / f"cut.{suffix}")
        assert list(read(tmp_path / f"cut.{suffix}")["mgrsCellCode"]) == found
    assert to_xarray(record, estimate)["mgrsCellCode"].to_numpy().tolist() == found


def test_no_code_stands_between_the_totals_of_places(tmp_path):
    """QGIS writes the totals of places on the map; codes such as 33TTP71 among them would be read as numbers, so these are in the map tip."""
    record, estimate = told_of(Grid.official(area("mgrs-10km", BORDER), grid="mgrs-10km"))
    export(record, estimate, tmp_path / "cut.gpkg")
    styles = (
        pyogrio.read_dataframe(tmp_path / "cut.gpkg", layer="layer_styles")
        .set_index("f_table_name")
        .styleQML
    )
    assert not any(
        "<labeling" in qml for qml in styles.loc[["cells"]]
    ) and "mgrsCellCode" in _cell_tip(record)
    assert all("<labeling" in qml for qml in styles.loc[["patches"]])


def test_pointing_at_a_hexagon_in_qgis_tells_its_index():
    """The map tip of hexagons has the H3 index, as that of squares has the official code."""
    assert 'h3 [% "h3" %]' in _cell_tip(record_of("hexagons")[0]) and "h3" not in _cell_tip(
        case(EEA)[0]
    )


def test_a_release_says_whose_its_cells_are():
    """Statement, registry's form, tags of layers and `dpmap about` name the official grid and the column of its codes."""
    record, _ = case(EEA)
    words = "the EEA reference grid (column eeaCellCode)"
    assert words in statement(record) and words in map_statement(record).facts()["cell_codes"]
    assert words in str(official.title(record.grid))
    assert summarise(record)["cell_codes"] == ("eeaCellCode", "euroStatCellCode")
    assert Release(record).to_geodataframe()["eeaCellCode"].tolist() == codes(EEA)["eeaCellCode"]


def test_a_plan_says_whose_the_cells_are():
    """A plan names the official grid, or what to change, in its lines, its JSON keys and its page."""
    from dpmap.steward.planning.plan_text import summary

    policy = dm.Policy(epsilon=1, unit="observer_id", cap=2)
    good, off = (dm.plan(one, policy, units=20) for one in (grid(EEA), shifted(EEA)))
    assert "The cells are those of the EEA reference grid (column eeaCellCode)" in summary(good)
    assert good.to_dict()["grid"]["codes"] == ["eeaCellCode", "euroStatCellCode"]
    assert "take --grid eea-10km" in summary(off) and not off.to_dict()["grid"]["codes"]
    assert (
        "take --grid eea-10km" in off.to_dict()["grid"]["codes_advice"]
        and "take --grid eea-10km" in off._repr_html_()
    )


def test_a_survey_cannot_take_the_place_of_a_column(tmp_path):
    """A column of the survey that is called as one of the map's own names layers beside it, and writes nothing over it."""
    ground = Grid(bounds=(4280000, 2670000, 4300000, 2690000), shape=(2, 2), crs="EPSG:3035")
    for column in ("eeaCellCode", "estimate"):
        rows = [("a", 4285000, 2675000, "Owl"), ("b", 4295000, 2685000, "Kestrel")]
        found = surveys.survey(
            tmp_path, rows, f"who,x,y,{column}", unit="who", x="x", y="y", crs="EPSG:3035"
        )
        policy = dm.Policy(epsilon=1, unit="who", cap=1)
        release = dm.release(
            found, ground.layered(dm.Kinds(column, ("Owl", "Kestrel"))), policy,
            ledger=tmp_path / f"{column}.ledger", dataset=column, budget=5,
        )  # fmt: skip
        table = release.to_geodataframe()
        assert table["eeaCellCode"].tolist() == ground.codes()["eeaCellCode"].tolist() * 2
        assert table["estimate"].dtype == float and set(table[f"layer_{column}"]) == {
            "Owl",
            "Kestrel",
        }
        cube = release.to_xarray()
        assert cube["eeaCellCode"].dims == ("y", "x") and cube.estimate.dims == ("kind", "y", "x")


def test_a_map_of_layers_has_its_codes_once(monkeypatch):
    """All layers of a cube share one coordinate of codes, made once."""
    made = []
    monkeypatch.setattr(
        Grid,
        "codes",
        lambda self, cells=None, plain=Grid.codes: made.append(1) or plain(self, cells),
    )
    cube = layers_to_xarray([dm.Kinds("species", ("Owl", "Kestrel"))], [case(EEA)] * 2)
    assert cube["eeaCellCode"].dims == ("y", "x") and made == [1]


def test_a_sparse_release_has_codes_of_the_cells_it_lists(tmp_path):
    """Of a release that lists some cells, these have their codes, in its table and among its high cells."""
    side = 40
    ground = Grid(
        bounds=(4280000, 2670000, 4280000 + side * 1000, 2670000 + side * 1000),
        shape=(side, side),
        crs="EPSG:3035",
    )
    rows = [(f"p{i}", 4280500 + 1000 * (i % 5), 2670500, "") for i in range(400)]
    found = surveys.survey(
        tmp_path, rows, "who,x,y,note", unit="who", x="x", y="y", crs="EPSG:3035"
    )
    release = dm.release(
        found,
        ground,
        dm.Policy(epsilon=2, unit="who", cap=1),
        ledger=tmp_path / "l.ledger",
        dataset="d",
        budget=5,
        strategy="sparse:20",
    )
    release.export(tmp_path / "cells.parquet")
    table = from_parquet(tmp_path / "cells.parquet")
    assert (
        table["cell"]
        and table["eeaCellCode"] == ground.codes(np.array(table["cell"]))["eeaCellCode"].tolist()
    )
    spots = release.hotspots(30).to_geodataframe()
    assert len(spots) and set(spots["eeaCellCode"]) <= set(table["eeaCellCode"])


def test_no_code_is_made_where_nobody_asks(tmp_path, monkeypatch):
    """A picture, a raster, places and answers about zones make no codes."""

    def refuse(*_):
        raise AssertionError("codes were made")

    record, _ = case(EEA)
    release = Release(record)
    monkeypatch.setattr(Grid, "codes", refuse)
    release.plot(context=False)
    release.patches()
    release.ask([9.5, 47.1, 9.7, 47.3])
    release.export(tmp_path / "map.tif")
    release.write(tmp_path / "statement.md")


def test_a_grid_above_what_is_held_never_lists_all_codes():
    """Of two thousand million cells no code is made but of those asked for."""
    ground = Grid(
        bounds=(3000000, 2000000, 7000000, 7000000), shape=(50_000, 40_000), crs="EPSG:3035"
    )
    with pytest.raises(BadInput):
        ground.codes()
    assert ground.codes(np.array([0, 1]))["eeaCellCode"].tolist() == [
        "100mE30000N69999",
        "100mE30001N69999",
    ]


def test_cells_without_a_code_have_an_empty_one():
    """West of an official grid's origin cells have an empty text for a code, whichever cells are asked about; all of them, no column."""
    ground = Grid(bounds=(-10000, 10000, 10000, 20000), shape=(1, 2), crs="EPSG:3035")
    assert ground.codes()["eeaCellCode"].tolist() == ["", "10kmE0N1"]
    assert ground.codes(np.array([0]))["eeaCellCode"].tolist() == [""]
    beyond = Grid(bounds=(-20000, 10000, 0, 20000), shape=(1, 2), crs="EPSG:3035")
    assert "eeaCellCode" not in beyond.codes()


def test_merged_maps_have_codes_too():
    """Partners' maps on one official grid are added up to a map with its codes."""
    from dpmap.releases.merge import merge

    parts = [Release(told_of(grid(EEA), dataset=name, consent=None)[0]) for name in ("one", "two")]
    whole = merge(parts)
    assert whole.to_geodataframe()["eeaCellCode"].tolist() == codes(EEA)["eeaCellCode"]
    assert "EEA reference grid" in statement(whole.record)


def test_qgis_shows_the_code_of_a_cell(folder, tmp_path):
    """In a real QGIS the layer of cells has the columns of codes, and pointing at a cell tells its code."""
    told = looked([folder / f"{EEA}.gpkg", folder / f"{EEA}.geojson"], tmp_path)
    layers = [entry for entry in told if entry["name"] in ("cells", EEA)]
    assert len(layers) == 2
    for entry in layers:
        assert entry["valid"] and {"eeaCellCode", "euroStatCellCode"} <= set(entry["fields"])
    tip = next(entry["tip"] for entry in layers if entry["name"] == "cells")
    assert 'eeaCellCode [% "eeaCellCode" %]' in tip
