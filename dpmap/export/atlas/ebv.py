"""Writes an EBVCube: the netCDF in which the portal for essential biodiversity variables takes
maps.

Its rules are those of EBVCube-format (EBV-1.0) and of the programs that read it: dimensions `lon`,
`lat`, `time` and `entity`, and a group for each metric, `metric_1` the estimate and `metric_2` its
half-width, each with one array `ebv_cube`. The root holds no other variable than the format's own,
since its readers take anything else there for a metric.

A number stands where the cell is told from noise by itself, as in every other table for atlases.
Elsewhere is the fill value, and never 0: such a cell may hold records or none.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput, MissingExtra
from dpmap.export import acdd
from dpmap.export.atlas.area_coverage import reach
from dpmap.export.atlas.cell_selection import SelectedCells, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.atlas.tables import with_rows
from dpmap.export.atlas.taxa import Taxa
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.crs_label import reference
from dpmap.grid.squares import Squares
from dpmap.maps import read_map
from dpmap.promise.licences import LICENCES
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

FIRST_DAY = date(1860, 1, 1)
SUMMARY = 1500
"""The portal takes no longer summary."""
OF_ACDD = ("processing_level", "standard_name_vocabulary", "project")
PENDING = "pending"
NONE = "N/A"
SILENT = "not declared"
"""What the portal will give; what does not apply; what a steward may declare and did not."""
FIXED = {
    "Conventions": "CF-1.8, ACDD-1.3, EBV-1.0",
    "naming_authority": (
        "The German Centre for Integrative Biodiversity Research (iDiv) Halle-Jena-Leipzig"
    ),
    "ebv_vocabulary": "https://portal.geobon.org/api/v1/ebv",
    "ebv_cube_dimensions": "lon, lat, time, entity",
    "ebv_class": "Species populations",
    "ebv_name": "Species distributions",
    "id": PENDING,
    "date_issued": PENDING,
    "product_version": "1",
    "creator_url": NONE,
    "publisher_url": NONE,
    "project_url": NONE,
    "contributor_name": NONE,
}
"""What the format or the portal fixes. Records in cells tell where a kind occurs and not how
many individuals live there, so they are distributions.
"""


def write(layers: Sequence[AtlasLayer], taxa: Taxa, path: "str | os.PathLike[str]") -> list[Path]:
    """Write all layers into one cube, and return the file: a kind is an entity, and a span of
    time is the day it begins.
    """
    _check(layers)
    _check_library()
    selected = select_cells(layers)
    with_rows(selected)
    made = BytesIO()
    _write(made, selected, taxa)
    with written_aside(path) as aside, open(aside, "wb") as file:
        file.write(made.getbuffer())
    return [Path(path)]


def _check(layers: Sequence[AtlasLayer]) -> None:
    """Refuse maps that the format cannot hold, each in one line."""
    record = layers[0].record
    if not isinstance(record.grid.cells, Squares):
        raise BadInput(
            f"--as: ebv-cube holds square cells, not {record.grid.kind}; leave --as out and write"
            " .nc or .gpkg instead"
        )
    if any(read_map(layer.record).local for layer in layers):
        raise BadInput(
            "--as: ebv-cube counts records, and this map counts volunteers; leave --as out and"
            " write .nc"
        )
    record.grid.check_held()
    if any(layer.first is None or layer.last is None for layer in layers):
        raise BadInput("--year: an ebv-cube says which time it is of; add it, like --year 2024")


def _check_library() -> None:
    """Ask for the library that writes groups, which the classic netCDF of other exports has
    not.
    """
    if find_spec("h5netcdf") is None or find_spec("h5py") is None:
        raise MissingExtra(
            'ebv-cube needs h5netcdf; type: pip install "h5netcdf>=1.8.2" "h5py>=3.12"'
        )


def _write(into: BytesIO, selected: Sequence[SelectedCells], taxa: Taxa) -> None:
    """Write the root, then each metric, layer by layer, so that only one of them is held as it is,
    and the others packed.

    In memory, since the library that writes HDF5 brings the whole program down where a disk is
    full.
    """
    import h5netcdf

    layers = [one.layer for one in selected]
    kinds = list(dict.fromkeys(layer.kind for layer in layers))
    spans = sorted(set(map(_span, layers)))
    record = layers[0].record
    names = [taxa.name(kind) or clean(record.receipt.dataset) for kind in kinds]
    rows, columns = record.grid.ground.shape
    letters = max(len(name.encode()) for name in names)
    with h5netcdf.File(into, "w", invalid_netcdf=False) as file:
        file.dimensions = {
            "lon": columns,
            "lat": rows,
            "time": None,
            "entity": len(kinds),
            "nchar": letters,
        }
        file.resize_dimension("time", len(spans))
        _set(
            file.attrs,
            {**_facts(layers), **attributes(layers[0].whole or record, record, kinds, spans, taxa)},
        )
        _write_root(file, record.grid, [(first - FIRST_DAY).days for first, _ in spans])
        entity = file.create_variable("entity", ("entity", "nchar"), "S1")
        padded = [list(name.encode().ljust(letters)) for name in names]
        entity[:] = np.array(padded, dtype=np.uint8).view("S1")
        _set(entity.attrs, {"units": "1", "long_name": "entity", **_entity(kinds, names, taxa)})
        cubes = [
            _metric(file, number, words, (1, 1, rows, columns))
            for number, words in _metrics(record).items()
        ]
        for one in selected:
            at = kinds.index(one.layer.kind), spans.index(_span(one.layer))
            for cube, values in zip(cubes, numbers(one), strict=True):
                cube[at] = values


def _span(layer: AtlasLayer) -> tuple[date, date]:
    """Return the first and the last day of a layer, which every layer here has."""
    return layer.first or FIRST_DAY, layer.last or FIRST_DAY


def numbers(one: SelectedCells) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the estimates and the half-widths of a layer, NaN where the cell is not told.

    The half-width is the larger distance to a bound: an estimate give or take it holds wherever the
    bounds do.
    """
    shape = one.layer.record.grid.ground.shape
    half = np.maximum(one.high - one.estimate, one.estimate - one.low)
    estimates = np.full(shape, np.nan, np.float32)
    halves = np.full(shape, np.nan, np.float32)
    estimates.ravel()[one.cells], halves.ravel()[one.cells] = one.estimate, half
    return estimates, halves


def _metrics(record: Record) -> dict[int, tuple[str, str]]:
    """Return the short and the long name of each metric, by its number."""
    what = f"number of {noun(record)} in the cell, capped and with noise"
    return {
        1: (
            f"estimated number of {noun(record)}",
            f"Estimated {what}, rounded; missing where noise alone may explain the cell",
        ),
        2: (
            "half-width of the interval",
            (
                f"Half-width of the interval of the estimated {what}, so wide that of all cells"
                " with a number a tenth is expected to miss at most"
            ),
        ),
    }


def _metric(file: Any, number: int, words: tuple[str, str], chunks: tuple[int, ...]) -> Any:
    """Make the group of a metric, and its empty array."""
    group, (short, long) = file.create_group(f"metric_{number}"), words
    _set(group.attrs, {"standard_name": short, "long_name": long, "units": "1"})
    cube = group.create_variable(
        "ebv_cube",
        ("entity", "time", "lat", "lon"),
        "f4",
        fillvalue=np.float32(np.nan),
        chunks=chunks,
        compression="gzip",
        compression_opts=5,
        shuffle=True,
    )
    _set(
        cube.attrs,
        {
            "long_name": short,
            "units": "1",
            "grid_mapping": "/crs",
            "coordinates": "/entity",
            "coverage_content_type": acdd.ESTIMATED if number == 1 else acdd.QUALITY,
        },
    )
    return cube


def _write_root(file: Any, grid: Grid, days: list[int]) -> None:
    """Write the coordinates and the reference system; `lon` and `lat` are the format's names
    for x and y in metres too.
    """
    (west, _, _, north), (width, height) = _squares(grid).bounds, _squares(grid).cell
    rows, columns = grid.ground.shape
    x = west + width * (np.arange(columns) + 0.5)
    y = north - height * (np.arange(rows) + 0.5)
    degrees = crs_tools.is_lonlat(grid.crs)
    unit = _unit(grid)
    for name, axis, standard, values in (("lon", "X", "longitude", x), ("lat", "Y", "latitude", y)):
        variable = file.create_variable(name, (name,), "f8", data=values)
        attributes = {
            "standard_name": standard,
            "units": f"degree_{'east' if axis == 'X' else 'north'}",
        }
        metres = {"standard_name": f"projection_{axis.lower()}_coordinate", "units": unit}
        _set(
            variable.attrs, {"long_name": name, "axis": axis, **(attributes if degrees else metres)}
        )
    time = file.create_variable("time", ("time",), "i4", data=np.array(days, dtype=np.int32))
    attributes = {
        "axis": "T",
        "calendar": "standard",
        "units": "days since 1860-01-01 00:00:00.0",
        "long_name": "time",
    }
    _set(time.attrs, {**attributes, "standard_name": "time"})
    _set(file.create_variable("crs", (), "i4", data=np.int32(0)).attrs, _mapping(grid))


def _squares(grid: Grid) -> Squares:
    """Return the cells, which are squares, as was checked."""
    return cast("Squares", grid.cells)


def _unit(grid: Grid) -> str:
    """Return the unit of the coordinates, as the format spells it."""
    if crs_tools.is_lonlat(grid.crs):
        return "degree"
    unit = str(crs_tools.parse(grid.crs).axis_info[0].unit_name)
    return "meter" if unit == "metre" else unit


def _mapping(grid: Grid) -> dict[str, Any]:
    """Describe the reference system, for readers of CF and for GDAL."""
    west, _, _, north = _squares(grid).bounds
    width, height = _squares(grid).cell
    mapping = dict(reference(grid.crs).to_cf())
    return {
        **{name: value for name, value in mapping.items() if value is not None},
        "long_name": "CRS definition",
        "spatial_ref": mapping["crs_wkt"],
        "GeoTransform": f"{west!r} {width!r} 0.0 {north!r} 0.0 {-height!r}",
    }


def _entity(kinds: list[str], names: list[str], taxa: Taxa) -> dict[str, str]:
    """Say what the entities are: species only where each has its key; a map of one unnamed kind
    has none.
    """
    called = (
        "Species" if all(kind in taxa.keys for kind in kinds) else "Kinds as the survey names them"
    )
    keyed = [
        f"{name}={taxa.keys[one]}"
        for one, name in zip(kinds, names, strict=True)
        if one in taxa.keys
    ]
    return {
        "ebv_entity_type": called if any(kinds) else "None",
        "ebv_entity_scope": ", ".join(names) if any(kinds) else NONE,
        "ebv_entity_classification_name": NONE,
        "ebv_entity_classification_url": NONE,
        **({"taxon_keys": "; ".join(keyed)} if keyed else {}),
    }


def attributes(
    whole: Record, record: Record, kinds: list[str], spans: list[tuple[date, date]], taxa: Taxa
) -> dict[str, Any]:
    """Return the global attributes that the format asks for; what only the uploader knows says so.

    `whole` is the release, `record` its first layer. The scope and the domain follow from the
    declared area, and the comment says that the uploader can better them.
    """
    governance = whole.about.governance
    where = reach(record.grid)
    who = governance.authorised_by or SILENT
    called = _entity(kinds, [taxa.name(kind) for kind in kinds], taxa)["ebv_entity_type"]
    attributes = {
        **FIXED,
        "title": whole.title,
        "summary": acdd.summary(whole)[:SUMMARY],
        "source": acdd.source(record),
        "history": f"released on {record.released_on}; EBVCube written by dpmap",
        "comment": (
            f"{map_statement(record).facts()['reading']} Only told cells hold a number, and all"
            " others the fill value. A time is the first day of its span; the last span ends on"
            f" {max(last for _, last in spans).isoformat()}. ebv_geospatial_scope and ebv_domain"
            " follow from the declared area: correct them at upload where you know better."
        ),
        "references": governance.doi_address or NONE,
        "doi": governance.doi or PENDING,
        "project_name": record.receipt.dataset,
        "license": _licence(governance.licence) or SILENT,
        "ebv_geospatial_scope": where.scope,
        "ebv_geospatial_description": (
            ", ".join(where.covered) or f"the declared area, {record.grid.ground.cell_text} cells"
        ),
        "ebv_domain": where.domain,
        **dict.fromkeys(
            ("date_created", "date_modified", "date_metadata_modified"), record.released_on
        ),
        **dict.fromkeys(
            ("creator_name", "creator_institution", "publisher_name", "publisher_institution"), who
        ),
        **dict.fromkeys(("creator_email", "publisher_email"), SILENT),
        **{name: value for name, value in acdd.attributes(whole).items() if name in OF_ACDD},
        **_extent(record.grid),
        **_days(spans),
    }
    terms = ("ebv_class", "ebv_name", "ebv_domain", "ebv_geospatial_scope")
    attributes["keywords"] = ", ".join(
        [*(f"{term}: {attributes[term]}" for term in terms), f"ebv_entity_type: {called}"]
    )
    return attributes


def _licence(licence: str) -> str:
    """Return the address of a licence's text, as the portal writes it; any other as it was
    declared.

    >>> _licence("CC-BY-4.0")
    'https://creativecommons.org/licenses/by/4.0/'
    """
    return LICENCES[licence][1] if licence in LICENCES else licence


def _extent(grid: Grid) -> dict[str, Any]:
    """Return the limits in the cube's own system; sides without an exponent, whose letter
    readers would strip.
    """
    west, south, east, north = _squares(grid).bounds
    width, height = _squares(grid).cell
    corners = ((west, south), (west, north), (east, north), (east, south), (west, south))
    unit = _unit(grid)
    degrees = crs_tools.is_lonlat(grid.crs)
    code = (
        reference(grid.crs).to_authority(min_confidence=100)
        if not grid.crs.startswith("+")
        else None
    )
    return {
        **{
            name: value
            for name, value in acdd.extent(grid.ground).items()
            if name.endswith(("_min", "_max"))
        },
        "geospatial_bounds_crs": ":".join(code) if code else reference(grid.crs).name,
        "geospatial_bounds": f"POLYGON(({', '.join(f'{x:.12g} {y:.12g}' for x, y in corners)}))",
        "geospatial_lat_resolution": f"{_plain(height)} {unit}",
        "geospatial_lon_resolution": f"{_plain(width)} {unit}",
        "geospatial_lat_units": "degree_north" if degrees else unit,
        "geospatial_lon_units": "degree_east" if degrees else unit,
    }


def _plain(side: float) -> str:
    """Write a number without an exponent.

    >>> _plain(0.000025), _plain(10000.0)
    ('0.000025', '10000')
    """
    return f"{side:.12f}".rstrip("0").rstrip(".")


def _days(spans: list[tuple[date, date]]) -> dict[str, str]:
    """Return the first and the last time of the cube, as the format asks, and the step between
    them in its letters: P0001-00-00 is a year.

    >>> _days([(date(2023, 1, 1), date(2023, 12, 31)), (date(2024, 1, 1), date(2024, 12, 31))])[
    ...     "time_coverage_resolution"
    ... ]
    'P0001-00-00'
    """
    last = max(last for _, last in spans)
    return {
        "time_coverage_start": spans[0][0].isoformat(),
        "time_coverage_end": spans[-1][0].isoformat(),
        "time_coverage_duration": f"P{(last - spans[0][0]).days + 1}D",
        "time_coverage_resolution": _step(spans),
    }


def _step(spans: list[tuple[date, date]]) -> str:
    """Return how far spans that follow each other without a gap lie apart; one span has no
    step.
    """
    if len(spans) == 1:
        return "P0000-00-00"
    days = [first for first, _ in spans]
    after = [last + timedelta(days=1) for _, last in spans]
    step = acdd.step([*days, after[-1]]) if after[:-1] == days[1:] else ""
    if not step:
        return "Irregular"
    count = int(step[1:-1])
    return {"Y": f"P{count:04}-00-00", "M": f"P0000-{count:02}-00", "D": f"P0000-00-{count:02}"}[
        step[-1]
    ]


def _facts(layers: Sequence[AtlasLayer]) -> dict[str, Any]:
    """Return the statement, as far as it is the same for all layers."""
    each = [map_statement(layer.record).facts() for layer in layers]
    return {
        name: value
        for name, value in each[0].items()
        if all(one.get(name) == value for one in each)
    }


def _set(attrs: Any, attributes: Mapping[str, Any]) -> None:
    """Set attributes, texts on one line."""
    for name, value in attributes.items():
        attrs[name] = clean(value) if isinstance(value, str) else value
