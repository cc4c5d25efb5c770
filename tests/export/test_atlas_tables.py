"""Tables for atlases: an occurrence cube and a grid atlas name only cells that noise does not explain, and their readers take them."""

import csv
import json
from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest
from builders.cube_reader import eea_corner, eqdgc_middle, process_cube, rows_of
from builders.records import measured, promise, receipt, record
from builders.surveys import released, survey

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.export import atlas
from dpmap.export.atlas.cell_selection import half_diagonal, middles, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.grid import Partition, Shown, official
from dpmap.grid.layer_axes import Values
from dpmap.maps import infer
from dpmap.record import Measurement, Reports
from dpmap.record.release_file import write_record
from dpmap.releases.release import Release

BOX = (12.3, 47.9, 13.1, 48.4)
KEY = {"Red deer": ("2440958", "Cervus elaphus")}
EEA = dm.Grid(bounds=(4280000, 2670000, 4480000, 2770000), shape=(10, 20), crs="EPSG:3035")
READ = {"eea-1km": "eea", "eea-10km": "eea", "mgrs-10km": "mgrs", "qdgc": "eqdgc"}
"""Grids whose codes the cubes' reader knows, and what it calls them."""
LANDS = {
    "eurostat-10km": BOX, "os-hectad": (-3.5, 53.0, -2.0, 54.0), "irish-hectad": (-8.5, 53.0, -7.0, 54.0), "maille-10km": (2.0, 46.0, 3.0, 47.0),
    "pentad": (30.0, -1.0, 31.0, 0.5), "dms-15min": BOX, "qdgc-3": (-1.0, -1.0, 1.0, 1.0), "mgrs-10km": (11.5, 47.9, 12.6, 48.4), "h3-6": BOX,
}  # fmt: skip
"""Grids of every family, each over land where it is used; the one of MGRS has cells cut at borders of its zones."""
DARWIN_CORE = (
    "occurrenceID catalogNumber basisOfRecord occurrenceStatus recordedBy individualCount organismQuantity eventDate eventID year month day "
    "scientificName scientificNameID taxonID taxonRank vernacularName decimalLatitude decimalLongitude geodeticDatum locality locationID "
    "coordinateUncertaintyInMeters footprintWKT identifiedBy datasetName"
)
"""The terms by which upload forms know a record."""


def hills(grid, seed=1, heavy=0.1, size=400):
    """Totals of a map's cells: most are empty, some hold many."""
    drawn = np.random.default_rng(seed)
    count = Partition.cells(grid).regions
    return np.where(drawn.random(count) < heavy, np.floor(drawn.exponential(size, count)), 0.0)


def flat(grid=EEA, totals=None, seed=2, **changed):
    """A release in which every cell was measured by itself."""
    policy = promise()
    cells = Partition.cells(grid)
    noise = np.random.default_rng(seed).laplace(0, float(policy.scale), cells.regions)
    totals = hills(grid) if totals is None else totals
    return Release(record(grid, policy, [measured(cells, totals, policy, noise)], **changed))


def layered(*axes, **options):
    return flat(EEA.layered(*axes), **options)


def sparse():
    """A release that lists only cells above a threshold."""
    policy, places = promise(), np.arange(0, 200, 7)
    drawn = np.random.default_rng(3).integers(60, 400, len(places))
    steps = (drawn * policy.lattice).astype(np.int64)
    shown = Shown(places, Fraction(60))
    measurement = Measurement(
        shown, steps, lattice=policy.lattice, scale=policy.scale, epsilon=policy.epsilon
    )
    return Release(record(EEA, policy, [measurement], strategy="sparse:60"))


def merged():
    parts = [
        flat(seed=seed, dataset=name, receipt=receipt(name)).record
        for seed, name in ((4, "North"), (5, "South"))
    ]
    return Release(record(EEA, promise(), (), "Both", partners=tuple(parts)))


def blocks():
    """A release in which blocks of 25 cells were measured as one."""
    partition = Partition(np.repeat(np.repeat(np.arange(8).reshape(2, 4), 5, axis=0), 5, axis=1))
    return Release(record(EEA, promise(), [measured(partition, np.full(8, 5000.0), promise())]))


def reported():
    """A map of the reports of 4,000 devices, of whom one in four names its first cell."""
    support = np.full(200, 1000)
    support[0] = 1250
    law = dict(
        mechanism="oue", truth=Fraction(1, 2), other=Fraction(1, 4), epsilon=Fraction(11, 10)
    )
    reports = Reports(Partition.cells(EEA), support, count=4000, elsewhere=1000, **law)
    return Release(record(EEA, promise(consent=None), [reports], strategy="local"))


def cube(release, folder, name="cube.csv", *, taxa=KEY, year="2024"):
    release.export(folder / name, form="occurrence-cube", taxa=taxa, year=year)
    return folder / name


KINDS = dm.Kinds("species", ("Red deer", "Hare"))
TIMES = dm.Times("seen", ("2023", "2024", "2025"))
BOTH = {"Red deer": "2440958", "Hare": "7952072"}


@pytest.mark.parametrize("name", READ)
def test_the_cubes_reader_takes_every_grid_that_it_knows(tmp_path, name):
    """A reader finds the codes of these grids by itself, reads every row, and calls the grid by its name."""
    release = flat(official.covering(BOX, name))
    kind, rows = process_cube(cube(release, tmp_path))
    assert kind == READ[name] and rows
    assert {row["scientificName"] for row in rows} == {"Cervus elaphus"} and {
        row["year"] for row in rows
    } == {2024}


@pytest.mark.parametrize("name", LANDS)
def test_every_official_grid_makes_a_cube(tmp_path, name):
    """A grid that the reader does not know is read too, once its column is named; no code is empty or stands for two cells."""
    table = cube(flat(official.covering(LANDS[name], name)), tmp_path)
    _, rows = process_cube(table, custom=list(rows_of(table)[0])[1])
    codes = [row["cellCode"] for row in rows]
    assert all(codes) and len(set(codes)) == len(codes)


def test_a_reader_puts_a_code_where_its_cell_is(tmp_path):
    """The corner that a reader works out from a code of 1 km, and the middle of a quarter degree cell, are those of the cell."""
    grid = official.covering(BOX, "eea-1km")
    (found,) = select_cells(_layers(flat(grid)))
    codes = grid.codes(found.cells)["eeaCellCode"]
    west, south, _, _ = grid.cells.corners(found.cells)
    assert np.array_equal([eea_corner(code) for code in codes], np.column_stack([west, south]))
    grid = official.covering(BOX, "qdgc")
    cells = np.flatnonzero(grid.inside)
    found = [eqdgc_middle(code) for code in grid.codes(cells)["eqdgcCellCode"]]
    assert np.allclose(found, np.column_stack(middles(grid, cells)))


def _layers(release):
    return release._atlas_layers(atlas.taxa.Taxa())


def test_a_row_is_a_told_cell_and_its_bounds_hold_its_number(tmp_path):
    """Every row is a cell that its map tells from noise; numbers are whole, at least 1, and lie within their bounds."""
    release = flat()
    rows = rows_of(cube(release, tmp_path))
    numbers = np.array(
        [
            [int(row[name]) for name in ("occurrencesLow", "occurrences", "occurrencesHigh")]
            for row in rows
        ]
    )
    assert (numbers[:, 0] >= 1).all() and (np.diff(numbers) >= 0).all()
    frame = (
        release.to_geodataframe().set_index("eeaCellCode").loc[[row["eeaCellCode"] for row in rows]]
    )
    assert frame["distinguishable"].all() and len(frame) < 200
    assert np.array_equal(numbers[:, 1], np.floor(frame["estimate"] + 0.5))
    assert (numbers[:, 0] <= np.maximum(frame["low"], 1)).all() and (
        numbers[:, 2] >= frame["high"]
    ).all()


def test_at_most_a_tenth_of_the_rows_and_of_the_bounds_mislead():
    """Over tables of mostly empty layers, at most a tenth of the rows is noise, and at most a tenth of the bounds miss.

    It is the same each time.
    """
    grid = EEA.layered(dm.Kinds("species", tuple("ABCDEFGHIJ")))
    truth = hills(grid, heavy=0.005)
    false, missed, rows = [], [], 0
    for seed in range(16):
        true, low, high = _put_together(select_cells(_layers(flat(grid, truth, seed=seed))), truth)
        false.append((true == 0).mean())
        missed.append(((true < low) | (true > high)).mean())
        rows += len(true)
    assert np.mean(false) < 0.1 and np.mean(missed) < 0.1 and rows > 80


def _put_together(found, truth):
    """The true totals of all rows of a table, and their bounds."""
    true = [
        totals[one.cells] for one, totals in zip(found, truth.reshape(len(found), -1), strict=True)
    ]
    return tuple(
        np.concatenate(part)
        for part in (true, [one.low for one in found], [one.high for one in found])
    )


def test_no_cell_of_a_block_has_a_row():
    """A block that was measured as one is told as one: none of its cells is in a table, however heavy the block."""
    labels = np.repeat(np.repeat(np.arange(2 * 4).reshape(2, 4), 5, axis=0), 5, axis=1)
    labels[0, 0] = 8
    partition = Partition(labels)
    measurement = measured(partition, np.full(9, 5000.0), promise(), 0.0)
    made = record(EEA, promise(), [measurement])
    (found,) = select_cells([AtlasLayer(made, infer(EEA, (measurement,)))])
    assert found.cells.tolist() == [0] and (found.alone, found.inside) == (1, 200)


def test_all_layers_stand_in_one_table_and_one_by_its_name(tmp_path):
    """Kinds and times are one table, a row for each taxon, year and cell; `--layer` gives that layer alone."""
    release = layered(KINDS, TIMES)
    rows = rows_of(cube(release, tmp_path, taxa=BOTH, year=""))
    assert {(row["species"], row["year"]) for row in rows} == {
        (kind, year) for kind in KINDS.names for year in ("2023", "2024")
    }
    keys = [(row["year"], row["speciesKey"], row["eeaCellCode"]) for row in rows]
    assert len(set(keys)) == len(keys)
    one = rows_of(cube(release.layer("Hare, 2024"), tmp_path, taxa=BOTH, year=""))
    assert {(row["species"], row["year"]) for row in one} == {("Hare", "2024")}


@pytest.mark.parametrize(
    ("edges", "column", "values"),
    [
        (("2023", "2024", "2025"), "year", {"2023", "2024"}),
        (("2024-03", "2024-04", "2024-05"), "yearMonth", {"2024-03", "2024-04"}),
        (("2024-03-30", "2024-03-31", "2024-04"), "yearMonthDay", {"2024-03-30", "2024-03-31"}),
    ],
)
def test_the_column_of_time_is_the_one_that_fits(tmp_path, edges, column, values):
    """Years stand in year, months in yearMonth, days in yearMonthDay, each as GBIF writes it."""
    rows = rows_of(cube(layered(dm.Times("seen", edges)), tmp_path, year=""))
    assert next(iter(rows[0])) == column and {row[column] for row in rows} == values
    assert {row["year"] for row in process_cube(tmp_path / "cube.csv")[1]} <= {2023, 2024}


@pytest.mark.parametrize(
    "year, column", [("2024", "year"), ("2024-05", "yearMonth"), ("2024-05-06", "yearMonthDay")]
)
def test_the_time_of_a_map_without_times_is_declared(tmp_path, year, column):
    """A year, a month or a day that is given stands in every row."""
    assert {row[column] for row in rows_of(cube(flat(), tmp_path, year=year))} == {year}


REFUSED = {
    "no year, month or day": (
        lambda: layered(dm.Times("seen", ("2023", "2025", "2026"))),
        {"taxa": KEY},
    ),
    "some layers are years": (
        lambda: layered(dm.Times("seen", ("2023", "2024", "2024-02"))),
        {"taxa": KEY},
    ),
    "say its year": (flat, {"taxa": KEY}),
    "has its own times": (lambda: layered(TIMES), {"taxa": KEY, "year": "2024"}),
    "write a year": (flat, {"taxa": KEY, "year": "soon"}),
    "say the taxon": (flat, {"year": "2024"}),
    "say the key of 'Hare'": (lambda: layered(KINDS), {"taxa": {"Red deer": "1"}, "year": "2024"}),
    "no kind 'Eagle'": (lambda: layered(KINDS), {"taxa": {"Eagle": "1"}, "year": "2024"}),
    "does not tell kinds apart": (flat, {"taxa": BOTH, "year": "2024"}),
    "write a kind and its key": (flat, {"taxa": {"Red deer": "1\n2\x00"}, "year": "2024"}),
    "have one key": (
        lambda: layered(KINDS),
        {"taxa": {"Red deer": "1", "Hare": "1"}, "year": "2024"},
    ),
    "only blocks of them": (blocks, {"taxa": KEY, "year": "2024"}),
    "tells means": (
        lambda: flat(EEA.layered(Values("height", 0, 30))),
        {"taxa": KEY, "year": "2024"},
    ),
    "told from noise by itself": (
        lambda: flat(totals=np.zeros(200), seed=9),
        {"taxa": KEY, "year": "2024"},
    ),
    "take --grid eea-2km": (
        lambda: flat(
            dm.Grid(bounds=(4280000, 2670000, 4286000, 2673000), shape=(2, 4), crs="EPSG:3035"),
            np.full(8, 900.0),
        ),
        {"taxa": KEY, "year": "2024"},
    ),
    "counts volunteers": (reported, {"taxa": KEY, "year": "2024"}),
    "make the map with an official grid": (
        lambda: flat(
            dm.Grid(bounds=(0, 0, 30, 20), shape=(2, 3), crs="EPSG:3857"), np.full(6, 900.0)
        ),
        {"taxa": KEY, "year": "2024"},
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_a_cube_is_refused_in_one_line(tmp_path, words):
    """A map that a cube cannot hold, or of which too little is said, is refused with what to do; nothing is left behind."""
    make, options = REFUSED[words]
    with pytest.raises(BadInput) as refused:
        make().export(tmp_path / "cube.csv", form="occurrence-cube", **options)
    assert words in refused.value.terminal_line
    assert len(str(refused.value).splitlines()) == 1 and not list(tmp_path.iterdir())


@pytest.mark.parametrize("make", [sparse, merged])
def test_sparse_and_merged_maps_have_tables_too(tmp_path, make):
    """The cells that a sparse map lists, and those that all partners measured by themselves, are rows where they are told."""
    release = make()
    rows = rows_of(cube(release, tmp_path))
    assert rows and all(
        1 <= int(row["occurrencesLow"]) <= int(row["occurrences"]) <= int(row["occurrencesHigh"])
        for row in rows
    )
    assert len(rows) <= (29 if make is sparse else 200)


HOSTILE = (
    "=cmd|'/c calc'!A0",
    "@SUM(A1)",
    'Falco "quoted"; drop',
    "<script>alert(1)</script>",
    "Zoë's falcon",
)


@pytest.mark.parametrize("form", ["occurrence-cube", "atlas-csv"])
def test_hostile_names_are_text_and_nothing_else(tmp_path, form):
    """A kind that is called like a formula, a quote or a page stays one field of text, and no cell of the table starts a formula."""
    release = layered(dm.Kinds("species", HOSTILE))
    release.export(
        tmp_path / "table.csv",
        form=form,
        taxa={name: f"={at}" for at, name in enumerate(HOSTILE)},
        year="2024",
    )
    with open(tmp_path / "table.csv", encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert {len(row) for row in rows} == {len(head)}
    assert not any(field.startswith(("=", "+", "-", "@", "\t")) for row in rows for field in row)
    assert {
        row[head.index("species" if "species" in head else "kind")].lstrip("'") for row in rows
    } <= set(HOSTILE)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_two_runs_write_the_same_bytes(tmp_path, suffix):
    """A table hangs on the release and on what is declared, and on nothing else."""
    first, second = (cube(flat(), tmp_path, f"{name}{suffix}") for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()


def test_csv_and_parquet_hold_the_same_table(tmp_path):
    """Both forms have the same columns and values, and Parquet types them."""
    release = flat()
    table = pq.read_table(cube(release, tmp_path, "cube.parquet"))
    rows = rows_of(cube(release, tmp_path))
    assert table.column_names == list(rows[0])
    assert [[str(value) for value in row.values()] for row in table.to_pylist()] == [
        list(row.values()) for row in rows
    ]
    assert (
        str(table.schema.field("occurrences").type) == "int64"
        and str(table.schema.field("speciesKey").type) == "string"
    )


def test_words_beside_a_table_say_what_it_is_not(tmp_path):
    """The file beside a CSV, and a Parquet file itself, say that totals are capped and noisy, that a missing row is no absence, and the promise."""
    release = flat()
    beside = json.loads(
        cube(release, tmp_path).with_name("cube.csv-metadata.json").read_text("utf-8")
    )
    inside = pq.read_schema(cube(release, tmp_path, "cube.parquet")).metadata[b"dpmap"].decode()
    for words in (beside["dc:description"], inside):
        assert (
            "capped" in words
            and "noise was added" in words
            and "missing row is no absence" in words
        )
        assert "not a record of an occurrence" in words and "Differentially private" in words
    described = beside["tableSchema"]["columns"]
    assert [one["name"] for one in described] == list(rows_of(tmp_path / "cube.csv")[0])
    assert all(one["dc:description"] for one in described)
    assert beside["tableSchema"]["primaryKey"] == ["year", "speciesKey", "eeaCellCode"]
    assert (
        beside["notes"][0]["rows"] == str(len(rows_of(tmp_path / "cube.csv")))
        and beside["notes"][0]["epsilon"] == "0.5"
    )


def test_a_grid_atlas_is_no_table_of_records(tmp_path):
    """The atlas's table has a code, a kind, days, an estimate and bounds in each row, and no word by which an upload form knows a record."""
    wrote = flat().export(tmp_path / "atlas.csv", form="atlas-csv", taxa=KEY, year="2008/2011")
    assert [path.name for path in wrote] == ["atlas.csv", "atlas.csv-metadata.json"]
    rows = rows_of(tmp_path / "atlas.csv")
    assert not {name.lower() for name in DARWIN_CORE.split()} & {name.lower() for name in rows[0]}
    assert {
        (row["taxonKey"], row["kind"], row["dateFrom"], row["dateTo"], row["told"]) for row in rows
    } == {("2440958", "Cervus elaphus", "2008-01-01", "2011-12-31", "yes")}
    assert all(
        1 <= int(row["totalAtLeast"]) <= int(row["estimatedTotal"]) <= int(row["totalAtMost"])
        for row in rows
    )
    assert all("not an occurrence record" in row["note"] and row["eeaCellCode"] for row in rows)
    with pytest.raises(ValueError, match="no time"):
        process_cube(tmp_path / "atlas.csv")


def test_a_map_of_volunteers_is_an_atlas(tmp_path):
    """A map of devices' reports has a table of the cells in which volunteers can be told."""
    reported().export(tmp_path / "atlas.csv", form="atlas-csv")
    (row,) = rows_of(tmp_path / "atlas.csv")
    assert int(row["totalAtLeast"]) <= 1000 <= int(row["totalAtMost"])


def test_an_atlas_needs_neither_key_nor_time(tmp_path):
    """A map of which nothing is declared has a table: what it counts stands for the kind, and the days are empty."""
    flat(notes={"noun": "nests"}).export(tmp_path / "atlas.csv", form="atlas-csv")
    row = rows_of(tmp_path / "atlas.csv")[0]
    assert (row["kind"], row["taxonKey"], row["dateFrom"]) == ("nests", "", "")


@pytest.mark.parametrize("lat", [0.0, 40.0, 70.0, -35.0])
def test_the_stated_uncertainty_covers_the_cell(lat):
    """Half the diagonal of a cell of degrees reaches its farthest corner, and not much farther."""
    import pyproj

    grid = dm.Grid(bounds=(10, lat, 10.5, lat + 0.25), shape=(1, 2), crs="EPSG:4326")
    reach = half_diagonal(grid, np.array([0, 1]))
    lon, at = middles(grid, np.array([0, 1]))
    far = [
        max(
            pyproj.Geod(ellps="WGS84").inv(x, y, x + a, y + b)[2]
            for a in (-0.125, 0.125)
            for b in (-0.125, 0.125)
        )
        for x, y in zip(lon, at, strict=True)
    ]
    assert (reach >= far).all() and np.allclose(reach, far, atol=0.2)


def test_on_the_command_line(tmp_path, capsys):
    """`dpmap export --as` writes the table and names its files; a wrong flag is one line and exit code 2, and nothing is written."""
    write_record(layered(KINDS).record, tmp_path / "release.dpmap")
    command = [
        "export",
        str(tmp_path / "release.dpmap"),
        "--to",
        str(tmp_path / "cube.csv"),
        "--as",
        "occurrence-cube",
        "--year",
        "2024",
    ]
    taxa = ["--taxon", "Red deer=2440958,Cervus elaphus", "--taxon", "Hare=7952072"]
    assert run([*command, "--taxon", "Red deer=1"]) == 2
    said = capsys.readouterr().err.strip()
    assert "'Hare'" in said and len(said.splitlines()) == 1 and not (tmp_path / "cube.csv").exists()
    assert run([*command, *taxa, "--json"]) == 0
    assert [name.rpartition("/")[2] for name in json.loads(capsys.readouterr().out)["wrote"]] == [
        "cube.csv",
        "cube.csv-metadata.json",
    ]
    assert {row["species"] for row in rows_of(tmp_path / "cube.csv")} == {"Cervus elaphus", "Hare"}
    for wrong in (
        ["--as", "cube"],
        ["--as", "occurrence-cube", "--to", "cube.tif"],
        ["--taxon", "Red deer"],
        ["--taxon", "A=1", "--taxon", "A=2"],
    ):
        assert run([*command, *wrong]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert run(["export", command[1], "--to", str(tmp_path / "cells.gpkg"), "--year", "2024"]) == 2
    assert "--as" in capsys.readouterr().err


def test_a_release_of_a_survey_goes_the_whole_way(tmp_path):
    """A release made from rows, saved and opened again, has the same cube as the one in memory."""
    rows = [(f"p{one}", 4285000 + 10000 * (one % 3), 2675000) for one in range(400)]
    grid = dm.Grid(bounds=(4280000, 2670000, 4310000, 2680000), shape=(1, 3), crs="EPSG:3035")
    made = survey(tmp_path, rows, "who,x,y", x="x", y="y", crs="EPSG:3035")
    release = released(made, tmp_path, grid, dm.Policy(epsilon=2, unit="who", cap=1))
    release.save(tmp_path / "copy.dpmap")
    first, second = (
        cube(release, tmp_path, "one.csv"),
        cube(dm.open(tmp_path / "copy.dpmap"), tmp_path, "two.csv"),
    )
    assert first.read_bytes() == second.read_bytes() and [
        row["eeaCellCode"] for row in rows_of(first)
    ] == [
        "10kmE428N267",
        "10kmE429N267",
        "10kmE430N267",
    ]
