"""Every row of the table of formats: recognised, right columns, right number of rows, right drops with reasons."""

import csv
import io
import json
import os
import random
import shutil

import geopandas as gpd
import pyarrow.parquet as pq
import pytest
from fixtures import FIXTURES, GBIF, delimited, ebird, gbif_records, gbif_tab, kobo, opened, vector
from survey_totals import totals
from variants import VARIANTS

import dpmap as dm
from dpmap.errors import BadInput, Refused
from dpmap.survey import formats
from dpmap.survey.files import tables

DEEP = os.environ.get("DPMAP_DEEP") == "1"


def test_every_format_has_a_file_of_its_own():
    """No format is in the table that no file of these tests is recognised as."""
    tried = {fixture.title for fixture in [*FIXTURES, *VARIANTS]}
    assert {known.title for known in formats.FORMATS} - tried == {"eBird sampling events"}, (
        "add a fixture in fixtures.py or variants.py"
    )


@pytest.mark.parametrize("fixture", [*FIXTURES, *VARIANTS], ids=lambda f: f.key)
def test_format(fixture, tmp_path):
    """Each format is known by its sign, and gives the right rows, units and reasons."""
    survey = opened(fixture.make(tmp_path), **fixture.read)
    assert survey.roles.format == fixture.title
    if not fixture.read:
        assert survey.roles.unit == fixture.unit
        assert survey.roles.sign
    found = dm.inspect(survey)
    assert (found.usable, found.left_out, found.units) == (
        fixture.usable,
        fixture.left_out,
        fixture.units,
    )


@pytest.mark.parametrize(
    "fixture",
    [f for f in [*FIXTURES, *VARIANTS] if f.unit is None and not f.read],
    ids=lambda f: f.key,
)
def test_no_identity_is_refused(fixture, tmp_path):
    """A format without an identity column names --unit and unit=row, and refuses."""
    with pytest.raises(Refused, match="unit=COLUMN.*unit=row"):
        opened(fixture.make(tmp_path)).unit  # noqa: B018


def test_released_without_flags(tmp_path, capsys):
    """`dpmap release` needs no column flags for a known format, and says what it recognised."""
    from dpmap.cli import run

    code = run(["release", str(gbif_tab(tmp_path)), "--bounds=-5,55,0,58", "--shape=10,10", "--epsilon=1", "--cap=2",
                "--dataset=Kites", "--budget=3", f"--out={tmp_path / 'out'}"])  # fmt: skip
    told = capsys.readouterr()
    assert code == 0, told.err
    assert "GBIF occurrences (by gbifID, decimalLatitude)" in told.out
    assert "recordedBy" in told.out
    assert (tmp_path / "out" / "release.dpmap").exists()


def test_unknown_file_offers_columns(tmp_path):
    """A file of no known format names the columns that may hold places and the flags to add."""
    path = delimited(
        tmp_path / "a.csv",
        ["who", "easting_m", "northing_m"],
        [{"who": "a", "easting_m": 1, "northing_m": 2}],
    )
    with pytest.raises(
        BadInput, match=r"add x=easting_m y=northing_m crs=CODE .*easting_m, northing_m"
    ):
        dm.read(path)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("Longitude (deg)", "Latitude (deg)"),
        ("longitud", "latitud"),
        ("L\u00e4ngengrad", "Breitengrad"),
        ("gps_lon", "gps_lat"),
    ],
)
def test_plain_names_of_degrees(x, y, tmp_path):
    """Columns anyone would call longitude and latitude need no flags; the first line that holds anything is the header."""
    path = delimited(tmp_path / "a.csv", ["who", x, y], [{"who": "ana", x: -3.2, y: 56.1}])
    path.write_text("\n\n" + path.read_text("utf-8"), "utf-8")
    found = dm.inspect(dm.read(path, unit="who"))
    assert (found.rows, found.usable) == (1, 1)


def test_a_title_is_no_header(tmp_path):
    """Lines above the header are pointed out, as the first line is the header."""
    path = tmp_path / "a.csv"
    path.write_text("Nest survey\nwho,longitude,latitude\nana,-3.2,56.1\n")
    with pytest.raises(BadInput, match="first line is the header"):
        dm.read(path, unit="who")


def test_a_record_a_line(tmp_path):
    """JSON with one record a line is a list of records."""
    path = tmp_path / "a.jsonl"
    path.write_text(
        "\n".join(json.dumps({"user": who, "lat": 56.1, "lon": -3.2}) for who in ("ana", "bo"))
    )
    assert dm.inspect(opened(path, unit="user")).usable == 2


def test_no_value_is_offered_as_a_column(tmp_path):
    """Where a header is missing, a refusal offers no row's values as names of columns."""
    path = tmp_path / "a.csv"
    path.write_text("Ana Ruiz,2024-05-01,nest at 3.25 56.5,ana@x.org\n" * 3)
    with pytest.raises(
        BadInput, match="none that looks like a name; if the file has no header, add columns="
    ):
        dm.read(path)


def test_two_questions_are_asked(tmp_path):
    """A form with two places is ambiguous: both are offered as flags, and either can be typed."""
    columns = [
        "nest-Latitude",
        "nest-Longitude",
        "nest-Accuracy",
        "camp-Latitude",
        "camp-Longitude",
        "camp-Accuracy",
        "KEY",
        "SubmitterID",
    ]
    with pytest.raises(
        BadInput,
        match=r"x=nest-Longitude y=nest-Latitude; or x=camp-Longitude y=camp-Latitude",
    ):
        dm.read(delimited(tmp_path / "a.csv", columns, []))
    assert (
        dm.read(tmp_path / "a.csv", x="camp-Longitude", y="camp-Latitude").roles.x
        == "camp-Longitude"
    )


def test_flags_override(tmp_path):
    """Columns named by the steward come before those of the format."""
    survey = dm.read(
        gbif_tab(tmp_path), x="elevation", y="depth", crs="EPSG:27700", unit="identifiedBy"
    )
    assert (survey.roles.x, survey.roles.y, survey.roles.crs, survey.unit) == (
        "elevation",
        "depth",
        "EPSG:27700",
        "identifiedBy",
    )


def test_layers_are_asked(tmp_path):
    """Several layers: which one is asked, and --layer answers."""
    path = vector(tmp_path, "a.gpkg", layers=2)
    with pytest.raises(BadInput, match="several layers \\(layer0, layer1\\); add layer=NAME"):
        dm.read(path)
    assert dm.inspect(dm.read(path, layer="layer1", unit="observer")).usable == 3


def test_several_tables_are_asked(tmp_path):
    """A folder with two different known tables is refused; eBird's checklists are never mixed with its sightings."""
    ebird(tmp_path)
    delimited(
        tmp_path / "sampling.txt",
        ["SAMPLING EVENT IDENTIFIER", "OBSERVER ID", "LATITUDE", "LONGITUDE"],
        [{"OBSERVER ID": "o"}],
        "\t",
    )
    with pytest.raises(BadInput, match="is read in another way"):
        dm.read(tmp_path)
    assert dm.read(tmp_path, layer="ebd_kite.txt").roles.format == "eBird Basic Dataset"
    assert dm.read(tmp_path, layer="sampling").roles.format == "eBird sampling events"


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding, tmp_path):
    """The same table in every encoding gives the same units and rows; UTF-16 needs its mark at the start, or a flag."""
    columns = ["sichtung", "Beobachter", "longitude", "latitude"]
    records = [
        dict(zip(columns, (i, who, 3 + i / 10, 50)))
        for i, who in enumerate(["Jürgen Große", "JÜRGEN GROSSE", "Zoë"])
    ]
    path = delimited(tmp_path / "a.csv", columns, records, encoding=encoding)
    marked = encoding not in ("utf-16-le", "utf-16-be")
    if not marked:
        with pytest.raises(BadInput, match="encoding"):
            dm.read(path, unit="Beobachter")
    found = dm.inspect(dm.read(path, unit="Beobachter", encoding=None if marked else encoding))
    assert (found.usable, found.units) == (3, 2)


def test_one_foreign_line(tmp_path):
    """One line in another encoding is read by itself and leaves the others as they are."""
    path = tmp_path / "a.csv"
    path.write_bytes(
        "who,longitude,latitude\nZoë,3,50\n".encode()
        + "Zoë,3,50\n".encode("cp1252")
        + b"Ana,3,50\n"
    )
    found = dm.inspect(dm.read(path, unit="who"))
    assert (found.usable, found.units) == (3, 2)


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators(mark, end, tmp_path):
    """Separators and line ends are told by the header line."""
    path = delimited(
        tmp_path / "a.txt",
        ["who", "longitude", "latitude"],
        [{"who": "Ana", "longitude": 3, "latitude": 50}] * 3,
        mark,
        end=end,
    )
    assert dm.inspect(dm.read(path, unit="who")).usable == 3


def test_excel_separator_line(tmp_path):
    """Excel's `sep=;` line stands before the header and says what it is."""
    path = tmp_path / "a.csv"
    path.write_text("sep=;\nwho;longitude;latitude\nAna;3,5;50,25\n")
    assert dm.inspect(dm.read(path, unit="who")).usable == 1


def test_quoted_line_breaks(tmp_path):
    """Fields that break over lines are read whole, and short rows are padded."""
    path = tmp_path / "a.csv"
    path.write_text('who,longitude,latitude,"note, long",more\nAna,3,50,"one\ntwo",x\nBo,4,51\n')
    survey = dm.read(path, unit="who")
    assert survey.columns[3] == "note, long"
    assert dm.inspect(survey).usable == 2


def test_headerless(tmp_path):
    """A file without a header says so, and --columns names its columns."""
    path = tmp_path / "a.csv"
    path.write_text("Ana,3.5,50.1\nBo,3.6,50.2\n")
    with pytest.raises(BadInput, match="columns"):
        dm.read(path, unit="who")
    found = dm.inspect(dm.read(path, columns="who,longitude,latitude", unit="who"))
    assert (found.rows, found.usable) == (2, 2)


def shuffled_table(path, shuffle):
    """A delimited file with its rows and columns in another order (its rows only, where a name repeats or meta.xml numbers them)."""
    dialect = tables.dialect_of(tables.plain_file(str(path)))
    options = {
        "delimiter": dialect.delimiter,
        "quoting": csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        "quotechar": dialect.quote or None,
    }
    with path.open(
        newline="",
        encoding="utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding,
        errors="surrogateescape",
    ) as text:
        head, *rows = csv.reader(text, **options)
    order = list(range(len(head)))
    if len(set(head)) == len(head) and not (path.parent / "meta.xml").exists():
        shuffle.shuffle(order)
    shuffle.shuffle(rows)
    with path.open("w", newline="", encoding="utf-8", errors="surrogateescape") as out:
        csv.writer(out, **options).writerows(
            [row[i] for i in order if i < len(row)] for row in [head, *rows]
        )


def shuffled_json(path, shuffle):
    """The same for JSON: every list of records and every record's keys, but no pair of coordinates."""

    def turn(value):
        if isinstance(value, dict):
            keys = list(value)
            shuffle.shuffle(keys)
            return {key: turn(value[key]) for key in keys}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = [turn(one) for one in value]
            shuffle.shuffle(value)
        return value

    path.write_text(json.dumps(turn(json.loads(path.read_text("utf-8-sig")))))


def shuffled_layer(path, shuffle):
    """The same for layers and Parquet."""
    if path.suffix == ".parquet" and b"geo" not in (pq.read_schema(path).metadata or {}):
        table = pq.read_table(path)
        order = shuffle.sample(range(len(table)), len(table))
        pq.write_table(
            table.take(order).select(shuffle.sample(table.column_names, len(table.column_names))),
            path,
        )
        return
    frame = (
        gpd.read_parquet(path)
        if path.suffix == ".parquet"
        else gpd.read_file(path, layer="nests" if path.name == "b.gpkg" else None)
    )
    columns = shuffle.sample(list(frame.columns), len(frame.columns))
    frame = frame.iloc[shuffle.sample(range(len(frame)), len(frame))][columns].set_geometry(
        "geometry"
    )
    if path.suffix == ".parquet":
        frame.to_parquet(path)
        return
    for old in path.parent.glob(f"{path.stem}.*"):
        old.unlink()
    frame.to_file(path)


SHUFFLES = {".csv": shuffled_table, ".tsv": shuffled_table, ".txt": shuffled_table, ".json": shuffled_json, ".geojson": shuffled_json,
            ".gpkg": shuffled_layer, ".shp": shuffled_layer, ".fgb": shuffled_layer, ".parquet": shuffled_layer}  # fmt: skip
EVERY = [
    fixture
    for fixture in [*FIXTURES, *VARIANTS]
    if fixture.key not in ("kml", "kmz", "gpx", "smart-xml")
]


@pytest.mark.matrix(24)
@pytest.mark.parametrize("fixture", EVERY, ids=lambda f: f.key)
def test_order_is_nothing(fixture, tmp_path):
    """No order of columns, rows, keys or features changes the totals of any format."""
    path = fixture.make(tmp_path)
    declared = {**dm.guess(path, layer=fixture.read.get("layer")), **fixture.read}
    survey = dm.read(path, **declared)
    policy = dm.Policy(epsilon=1, unit=survey.roles.unit or "row", cap=2)
    grid = dm.Grid(bounds=(-180, -90, 180, 90), shape=(900, 1800), crs="EPSG:4326")
    first = totals(survey, grid, policy)
    assert sum(first.values()) > 0
    parts = [
        part
        for part in (path.rglob("*") if path.is_dir() else [path])
        if part.suffix in SHUFFLES and part.name != "_SUCCESS"
    ]
    for seed in range(20 if DEEP else 1):
        for part in parts:
            SHUFFLES[part.suffix](part, random.Random(seed))
        assert totals(dm.read(path, **declared), grid, policy) == first


def test_a_header_is_read_and_no_more(tmp_path, monkeypatch):
    """Recognition reads the first megabyte of a text only, whatever its size."""
    path, read = gbif_tab(tmp_path), []

    class Counted(io.FileIO):
        def read(self, size=-1):
            read.append(size)
            return super().read(size)

    with open(path, "r+b") as file:
        file.truncate(5 << 30)
    monkeypatch.setattr(tables, "open", lambda name, mode: Counted(name), raising=False)
    assert dm.read(path).roles.format == "GBIF occurrences"
    assert read
    assert max(read) <= tables.HEAD_BYTES
    assert min(read) >= 0


def test_kobo_without_its_own_columns_is_asked(tmp_path):
    """A known format whose coordinates are elsewhere names the format and the flags."""
    path = kobo(tmp_path)
    with path.open() as file:
        rows = list(csv.reader(file, delimiter=";"))
    kept = [i for i, name in enumerate(rows[0]) if "nde" not in name and "geo" not in name]
    with (tmp_path / "b.csv").open("w", newline="") as out:
        csv.writer(out, delimiter=";").writerows([row[i] for i in kept] for row in rows)
    with pytest.raises(BadInput, match="KoboToolbox without its usual coordinate columns"):
        dm.read(tmp_path / "b.csv")


def test_shards_with_other_columns_are_refused(tmp_path):
    """Shards whose headers differ so that rows would be read in another way are not one table."""
    place = tmp_path / "shards"
    place.mkdir()
    shutil.copy(gbif_tab(tmp_path), place / "a.tsv")
    delimited(place / "b.tsv", GBIF[:-1], gbif_records(), "\t")
    with pytest.raises(BadInput, match="is read in another way"):
        dm.read(place)
