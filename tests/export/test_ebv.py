"""EBVCube: the rules of its format and of the programs that read it, written again as checks, on what dpmap writes."""

import re
from datetime import date, timedelta
from pathlib import Path

import h5netcdf
import numpy as np
import pytest
import rasterio
import xarray as xr
from builders.records import GRIDS, LAND, SQUARES, case, hill, measured, promise, record, told_of

import dpmap as dm
from dpmap.errors import BadInput, MissingExtra
from dpmap.export.atlas.area_coverage import reach
from dpmap.export.atlas.cell_selection import select_cells
from dpmap.export.atlas.taxa import Taxa
from dpmap.grid import Partition
from dpmap.releases.release import Release

ROOT = {"lon", "lat", "time", "entity", "crs"}
"""All that readers know at the root: any other name there they take for a metric."""
CLASSES = {"Species populations": {"Species distributions", "Species abundances"}}
SCOPES = {"Continental/Regional", "National", "Sub-national/Local", "Global"}
DOMAINS = {"Terrestrial", "Marine", "Freshwater"}
CONTENT = {
    "image", "thematicClassification", "physicalMeasurement", "auxiliaryInformation", "qualityInformation",
    "referenceInformation", "modelResult", "coordinate",
}  # fmt: skip
MANDATORY = (
    "title", "date_created", "summary", "source", "creator_name", "creator_institution", "license", "publisher_name",
    "publisher_email", "publisher_institution", "creator_url", "publisher_url", "ebv_class", "ebv_name", "ebv_geospatial_scope", "ebv_geospatial_description",
    "time_coverage_resolution", "time_coverage_start", "time_coverage_end", "ebv_domain", "Conventions", "ebv_vocabulary",
    "ebv_cube_dimensions", "keywords", "history", "id", "naming_authority", "geospatial_bounds_crs", "geospatial_bounds",
    "geospatial_lat_resolution", "geospatial_lon_resolution", "geospatial_lat_units", "geospatial_lon_units",
)  # fmt: skip
KESTREL = {"Kestrel": ("2481047", "Falco tinnunculus")}
EPOCH = date(1860, 1, 1)


def both():
    """A map of two kinds in two years."""
    grid = dm.Grid(bounds=(-2.5, 40, -1, 41), shape=(4, 6), crs="EPSG:4326").layered(
        dm.Kinds("species", ("Kestrel", "Búho")), dm.Times("date", ("2023", "2024", "2025"))
    )
    cells, policy = Partition.cells(grid), promise()
    totals = np.resize([0, 0, 60, 90, 120], cells.regions)
    return Release(record(grid, policy, [measured(cells, totals, policy)]))


def written(path, made=None, **given):
    """The file of a release with one peak, opened as a reader does."""
    made = made or Release(case("squares lon/lat")[0])
    made.export(path, **{"form": "ebv-cube", "taxa": KESTREL, "year": 2024, **given})
    return h5netcdf.File(path)


def names(file):
    """The entities' names, as the format's readers put letters together."""
    return [b"".join(row).decode().rstrip() for row in file["entity"][:]]


@pytest.mark.parametrize("name", SQUARES)
def test_the_hierarchy_is_the_formats(name, tmp_path):
    """Dimensions, coordinates and names stand at the root and nothing else does; each metric is a group with one cube of four dimensions."""
    made = Release(case(name)[0])
    try:
        file = written(tmp_path / "cube.nc", made)
    except BadInput as refused:
        assert "no cell of this map is told" in str(refused) and not list(tmp_path.iterdir())
        return
    rows, columns = made.grid.shape
    assert set(file.variables) == ROOT and list(file.groups) == ["metric_1", "metric_2"]
    assert file.dimensions["time"].isunlimited() and not file.dimensions["lon"].isunlimited()
    assert file["entity"].dimensions == ("entity", "nchar") and file["entity"].dtype == "S1"
    for group in file.groups.values():
        assert {"standard_name", "long_name", "units"} <= set(group.attrs) and list(
            group.variables
        ) == ["ebv_cube"]
        cube = group["ebv_cube"]
        assert cube.dimensions == ("entity", "time", "lat", "lon") and cube.shape == (
            1,
            1,
            rows,
            columns,
        )
        assert (cube.attrs["grid_mapping"], cube.attrs["coordinates"]) == ("/crs", "/entity")
        assert (
            cube.attrs["coverage_content_type"] in CONTENT
            and np.isnan(cube.attrs["_FillValue"]).all()
        )
        assert {"long_name", "units"} <= set(cube.attrs)
    lat, lon = file["lat"][:], file["lon"][:]
    assert (
        (np.diff(lat) < 0).all()
        and (np.diff(lon) > 0).all()
        and len(lat) == rows
        and len(lon) == columns
    )
    assert made.grid.locate(lon[:1], lat[:1]).tolist() in ([0], [-1])


@pytest.mark.parametrize("name", ("squares lon/lat", "squares projected masked", "blocks"))
def test_attributes_are_those_that_the_portal_asks_for(name, tmp_path):
    """Each mandatory attribute is there, each word of a closed list is in it, dates and steps are in the format's letters."""
    told_of_it = written(tmp_path / "cube.nc", Release(case(name)[0])).attrs
    assert all(str(told_of_it[one]) for one in MANDATORY)
    assert (
        told_of_it["Conventions"] == "CF-1.8, ACDD-1.3, EBV-1.0"
        and len(told_of_it["summary"]) <= 1500
    )
    assert told_of_it["ebv_name"] in CLASSES[told_of_it["ebv_class"]]
    assert (
        told_of_it["ebv_geospatial_scope"] in SCOPES
        and set(told_of_it["ebv_domain"].split(", ")) <= DOMAINS
    )
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", told_of_it["time_coverage_start"])
    assert re.fullmatch(
        r"P\d{4}-?\d{0,2}-?\d{0,2}|Irregular", told_of_it["time_coverage_resolution"]
    )
    assert told_of_it["ebv_cube_dimensions"] == "lon, lat, time, entity"
    for side in ("lat", "lon"):  # readers strip all letters from it, an exponent's too
        number, unit = told_of_it[f"geospatial_{side}_resolution"].split(" ")
        assert float(re.sub("[A-Za-z _-]", "", number)) > 0 and unit in ("degree", "meter")
    file = h5netcdf.File(tmp_path / "cube.nc")
    metres = name != "squares lon/lat"
    for axis, (short, standard, unit) in {
        "X": ("lon", "longitude", "degree_east"),
        "Y": ("lat", "latitude", "degree_north"),
    }.items():
        attrs = file[short].attrs
        assert attrs["axis"] == axis and attrs["units"] == ("meter" if metres else unit)
        assert attrs["standard_name"] == (
            f"projection_{axis.lower()}_coordinate" if metres else standard
        )
    assert (
        file["time"].attrs["units"] == "days since 1860-01-01 00:00:00.0"
        and file["time"].attrs["calendar"] == "standard"
    )
    assert {"grid_mapping_name", "spatial_ref", "GeoTransform", "long_name"} <= set(
        file["crs"].attrs
    )


def test_a_cell_that_is_not_told_holds_the_fill_value_and_never_0(tmp_path):
    """As many numbers as cells are told; none of them is 0, and a bound of the interval lies a half-width away at most."""
    made = Release(case("squares lon/lat")[0])
    file = written(tmp_path / "cube.nc", made)
    (one,) = select_cells(made._atlas_layers(Taxa.from_kinds(KESTREL, 2024)))
    estimate, half = (file[f"metric_{number}/ebv_cube"][0, 0].ravel() for number in (1, 2))
    assert (
        np.flatnonzero(~np.isnan(estimate)).tolist()
        == one.cells.tolist()
        == np.flatnonzero(~np.isnan(half)).tolist()
    )
    assert 0 < len(one.cells) < made.grid.size and (estimate[one.cells] >= 1).all()
    assert (estimate[one.cells] - half[one.cells] <= one.low).all() and (
        estimate[one.cells] + half[one.cells] >= one.high
    ).all()


def test_kinds_are_entities_and_spans_are_times(tmp_path):
    """Names keep their letters, times are the first days of their spans since 1860, and each layer is in its place."""
    made = both()
    file = written(tmp_path / "cube.nc", made, taxa=KESTREL, year="")
    assert names(file) == ["Falco tinnunculus", "Búho"]
    assert [EPOCH + timedelta(days=int(days)) for days in file["time"][:]] == [
        date(2023, 1, 1),
        date(2024, 1, 1),
    ]
    assert (
        file.attrs["time_coverage_resolution"] == "P0001-00-00"
        and file.attrs["time_coverage_end"] == "2024-01-01"
    )
    assert (
        "2024-12-31" in file.attrs["comment"]
        and file["entity"].attrs["taxon_keys"] == "Falco tinnunculus=2481047"
    )
    for at, one in enumerate(select_cells(made._atlas_layers(Taxa.from_kinds(KESTREL)))):
        values = file["metric_1/ebv_cube"][at // 2, at % 2].ravel()
        assert (
            values[one.cells].tolist() == one.estimate.tolist()
            and np.isnan(np.delete(values, one.cells)).all()
        )


def test_a_map_of_no_named_kind_has_one_entity(tmp_path):
    """It is called as the data set is, and the format's word for no entity stands beside it."""
    file = written(tmp_path / "cube.nc", taxa={})
    assert (
        names(file) == ["Raptor survey 2026"] and file["entity"].attrs["ebv_entity_type"] == "None"
    )


def test_what_nobody_declared_is_said_to_be_undeclared(tmp_path):
    """No maker, licence or address is made up; what was declared stands there, a known licence by its address."""
    silent = written(tmp_path / "silent.nc").attrs
    assert (
        silent["creator_name"] == silent["license"] == silent["publisher_email"] == "not declared"
    )
    assert silent["doi"] == silent["id"] == "pending"
    declared = {"authorised_by": "Elders' council", "licence": "CC-BY-4.0", "doi": "10.1234/abc"}
    made = Release(
        told_of(GRIDS["squares lon/lat"](), hill(GRIDS["squares lon/lat"]()), governance=declared)[
            0
        ]
    )
    found = written(tmp_path / "told.nc", made).attrs
    assert (
        found["creator_name"] == "Elders' council"
        and found["references"] == "https://doi.org/10.1234/abc"
    )
    assert found["license"] == "https://creativecommons.org/licenses/by/4.0/" and found["statement"]


@pytest.mark.parametrize(
    ("name", "crs"),
    [("blocks", "EPSG:25830"), ("squares lon/lat", "EPSG:4326"), ("official", "EPSG:3035")],
)
def test_gdal_and_xarray_open_it(name, crs, tmp_path):
    """Each metric is a raster in its place and system for GDAL, and a group of labelled numbers for xarray."""
    grid = dm.Grid.official(LAND, grid="eea-10km") if name == "official" else GRIDS[name]()
    made = Release(told_of(grid, hill(grid), blocks=name == "blocks")[0])
    written(tmp_path / "cube.nc", made).close()
    with xr.open_dataset(tmp_path / "cube.nc", engine="h5netcdf", group="metric_1") as found:
        values = found["ebv_cube"].to_numpy()[0, 0]
    with rasterio.open(f"netcdf:{tmp_path / 'cube.nc'}:/metric_1/ebv_cube") as raster:
        assert raster.crs.to_string() == crs and np.allclose(raster.bounds, made.grid.cells.bounds)
        assert np.array_equal(raster.read(1), values, equal_nan=True) and np.isnan(raster.nodata)


@pytest.mark.parametrize(
    ("name", "year", "words"),
    [
        ("hexagons", 2024, "holds square cells, not hexagons"),
        ("areas", 2024, "holds square cells, not areas"),
        ("blocks", "", "year"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(name, year, words, tmp_path):
    """Other cells, or a map of no declared time: the line says what to do, and no file is left."""
    with pytest.raises(BadInput, match=words) as refused:
        written(tmp_path / "cube.nc", Release(case(name)[0]), year=year)
    assert "\n" not in str(refused.value) and not list(tmp_path.iterdir())


def test_a_missing_library_is_said_in_one_line(tmp_path, monkeypatch):
    """It names the library and what to type, since nothing else of dpmap needs it."""
    monkeypatch.setattr("dpmap.export.atlas.ebv.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="pip install"):
        written(tmp_path / "cube.nc")


@pytest.mark.parametrize(
    ("area", "scope", "domain"),
    [
        ("country:Kenya", "National", "Terrestrial"),
        ("country:France", "National", "Terrestrial"),
        ((-2.5, 40, -1, 41), "Sub-national/Local", "Terrestrial"),
        ((-40, 20, -20, 40), "Sub-national/Local", "Marine"),
        ((-20, 40, 30, 60), "Continental/Regional", "Terrestrial"),
        ((-180, -90, 180, 90), "Global", "Marine"),
    ],
)
def test_how_far_an_area_reaches(area, scope, domain):
    """The scope is that of the countries that it covers whole, whatever it cuts; the domain is what most of it is."""
    grid = (
        dm.Grid.covering(area, cell="50 km")
        if isinstance(area, str)
        else dm.Grid(bounds=area, shape=(40, 60), crs="EPSG:4326")
    )
    assert (reach(grid).scope, reach(grid).domain) == (scope, domain)


def test_equal_releases_make_equal_files(tmp_path):
    """The file does not tell when it was written."""
    for name in ("one", "two"):
        written(tmp_path / f"{name}.nc").close()
    assert (tmp_path / "one.nc").read_bytes() == (tmp_path / "two.nc").read_bytes()


@pytest.mark.parametrize("form", ["ebv-cube", "inspire-sd"])
def test_maps_that_count_something_else_are_refused(form, tmp_path):
    """Means are no totals, and volunteers' reports are no records of a species: one line says so, and no file is left."""
    saved = Path(__file__).resolve().parents[1] / "stability" / "saved" / "0.2.0"
    path = tmp_path / ("cube.nc" if form == "ebv-cube" else "sd.gpkg")
    for name, words in (("means", "tells means"), ("reports-grr", "counts volunteers")):
        with pytest.raises(BadInput, match=words):
            dm.open(saved / f"{name}.dpmap").export(
                path, form=form, taxa={"Otter": "eunis:1435"}, year=2024
            )
    assert not list(tmp_path.iterdir())
