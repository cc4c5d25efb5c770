"""Makes neighbouring files: a survey of 300 invented people, and the same with one person more,
whose rows are odd.

A *pair* says how one kind of file is written and read. The others' rows are plain and hold what is
easily spoilt: ids near 2^53, dates, answers, several rows a person. Hers are what once changed how
other people's rows were read; they stand at the beginning, in the middle and at the end, and all of
them name one unit, so at cap 1 she moves the map by 1.
"""

import json
import sqlite3
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from dpmap.grid.layer_axes import Times
from dpmap.promise.limiters import LimiterName

PEOPLE = 300
WIDE = 4
HER = 1000.5
"""Her id where others have whole numbers: a reader that types columns by their values makes
fractions of all.
"""
FAR = 2**53 + 1
"""The first of 200 ids that fractions cannot tell apart."""
DEEP = 5_000
FIELDS = ("who", "lon", "lat", "when", "ok", "note")
NAMES = ",".join(FIELDS)
Row = dict[str, Any]
Options = Mapping[str, Any]
YEARS = (Times("when", ("2020", "2021", "2022")),)
PLACED = {"x": "lon", "y": "lat", "crs": "EPSG:4326"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files that differ in one person: `write` puts the others into a file of a folder, and
    what is `hers`, or nothing.

    Both must be read, unless `refusal` is what a refusal of the whole file with her says, before
    anything is spent.
    """

    name: str
    write: Callable[[Path, Sequence[Any]], Path]
    hers: Sequence[Any]
    reading: Options = field(default_factory=dict)
    unit: str = "who"
    limiter: LimiterName = "sample"
    consent: str | None = "ok=true"
    axes: tuple[Any, ...] = YEARS
    policy: Options = field(default_factory=dict)
    refusal: str = ""


def people() -> list[Row]:
    """Makes the others' rows: one each, and for every fifth a second one elsewhere, so that a
    sample has a choice.
    """
    return [
        {
            "who": FAR + one if one % 3 else 1000 + one,
            "lon": at % WIDE + 0.5,
            "lat": 0.5,
            "when": f"202{one % 2}-05-01",
        }
        | {"ok": True, "note": "seen"}
        for one in range(PEOPLE)
        for at in (one, one + 2)[: 1 if one % 5 else 2]
    ]


def her_row(**values: Any) -> Row:
    """Makes a row of hers: like another's, except for what is given."""
    return {
        "who": HER,
        "lon": 0.5,
        "lat": 0.5,
        "when": "2020-05-01",
        "ok": True,
        "note": "x",
    } | values


def mingle(hers: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Puts her rows at the beginning, in the middle and at the end."""
    half = len(others) // 2
    return [*hers, *others[:half], *hers, *others[half:], *hers]


# Text


def line(row: Row) -> str:
    """Writes a row of a text."""
    return ",".join("true" if value is True else str(value) for value in row.values())


def _text(folder: Path, lines: Sequence[str]) -> Path:
    path = folder / "survey.csv"
    path.write_bytes("".join(f"{one}\n" for one in lines).encode("utf-8", "surrogateescape"))
    return path


def _lines() -> list[str]:
    return [line(row) for row in people()]


HER_LINES = (
    'tess, "5,.5',
    '"", x"',  # with the line before, one record over two lines
    "sep=;",
    "tess;tess;tess;tess;tess;tess;tess;tess;tess;tess",
    "te\0ss,0.5,0.5,soon,true,\udcff",
    "tess,0.5,0.5,2020-05-01,1,x" + ",y" * 40,
    'tess,0.5,0.5,2020-05-01,true,"a\n""b"""',
    # an odd number of quotes: swallows what follows, where quotes are read laxly
    '"te"ss"x,0.5,0.5,2020-05-01,true,x',
)
FIRST_LINE = "\udcff\udcfetess;a;b;c;d;e;f;g;h;i;j\tk\tl"
"""Begins as UTF-16 does, and holds more of other separators."""
STRAY = ('tess,0.5,0.5,2020-05-01,true,"x', 'tess",0.5,0.5,2020-05-01,true,x')


def headed(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes CSV: quotes after blanks and inside words, a separator's own line, nulls, bytes
    that are no UTF-8, too many fields.
    """
    return _text(folder, [NAMES, *mingle(hers, _lines())])


def headless(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes CSV without a header: the beginning of the first row must tell no encoding,
    separator or width.
    """
    return _text(folder, mingle(hers, _lines()))


def stray(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes two stray quotes, with the rows of others between them."""
    return _text(folder, [NAMES, *hers[:1], *_lines(), *hers[1:]])


# Parts


Part = tuple[str, bytes]


def _parts(hers: Sequence[Part]) -> list[Part]:
    """Puts the others' rows, in two parts, between her parts."""
    lines = _lines()
    half = len(lines) // 2
    some = (("b.csv", lines[:half]), ("c.csv", lines[half:]))
    return [
        *hers[:-1],
        *((name, "\n".join([NAMES, *rows, ""]).encode()) for name, rows in some),
        *hers[-1:],
    ]


def _zipped(folder: Path, parts: Sequence[Part]) -> Path:
    path = folder / "survey.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as archive:
        warnings.simplefilter("ignore")  # a name that is there already
        for name, data in parts:
            archive.writestr(name, data)
    return path


HER_PART = ("d.csv", f"{NAMES}\n1000.5,0.5,0.5,2020-05-01,true,x\n".encode())
HER_PARTS = (
    ("a.csv", f'sep=;\n{NAMES.replace(",", ";")}\n1000.5;0.5;0.5;soon;true;"x"\n'.encode()),
    ("b.txt", f"\ufeff{NAMES}\r\n1000.5,0.5,0.5,2020-05-01,1,x\r\n".encode("utf-16-le")),
    ("readme.csv", b"tess"),
    HER_PART,
)
META_OF_HERS = (
    b'<archive><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" fieldsTerminatedBy=","'
    b' ignoreHeaderLines="1"><files><location>d.csv</location></files><id'
    b' index="0"/></core></archive>'
)


def archived(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes an archive of parts, hers with another separator, encoding and line ends."""
    return _zipped(folder, _parts(hers))


def foldered(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes a folder of parts."""
    for name, data in _parts(hers):
        (folder / name).write_bytes(data)
    return folder


# Records that name their own fields


def her_records() -> list[Row]:
    """Makes records with other types, keys and nesting than everybody else's."""
    return [
        her_row(when="soon"),
        her_row(ok=1),
        her_row(lon="tess", when=7),
        {"Who": "1000", "WHO": 1000, "LON": 9, "Longitude": 9.5, "Latitude": 0.5, **her_row()},
        her_row(
            user_login="tess",
            user_id=7,
            positional_accuracy=9,
            quality_grade="x",
            coordinates_obscured=True,
            geoprivacy="private",
        ),
        her_row(
            gbifID=1,
            decimalLatitude=9,
            decimalLongitude=9,
            occurrenceStatus="absent",
            recordedBy="tess|1000",
        ),
        {"who": HER},
        {},
        her_row(note={"who": "1000", "a": [1]}),
        her_row(**{"who.x": 1, "": 2, " who": 3}),
    ]


def her_json() -> list[str]:
    """Makes the same as texts, and some that only JSON can hold."""
    start = json.dumps(her_row())[:-1]
    more = (
        f'{start}, "x": {"[" * DEEP}{"]" * DEEP}}}',
        f'{start}, "lon": 1e999}}',
        f'{start}, "who": 1000.5, "ok": 1}}',
    )
    return [*map(json.dumps, her_records()), *more]


def json_list(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes JSON records below a key."""
    path = folder / "survey.json"
    records = mingle(hers, [json.dumps(row) for row in people()])
    path.write_text(f'{{"note": 1, "results": [{", ".join(records)}]}}', "utf-8")
    return path


def geojson(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes GeoJSON features, some of hers without a point or with shapes nested without end."""
    path = folder / "survey.geojson"
    features = ", ".join(
        mingle(hers, [_feature(json.dumps(row), _point(row["lon"])) for row in people()])
    )
    path.write_text(f'{{"type": "FeatureCollection", "features": [{features}]}}', "utf-8")
    return path


def her_features() -> list[str]:
    """Makes her records as features at one place, and invalid or endlessly nested shapes."""
    shapes = ("null", "5", f'{{"type": "Point", "coordinates": {"[" * DEEP}{"]" * DEEP}}}')
    features = [_feature(one, _point(0.5)) for one in her_json()]
    return [*features, *(_feature(json.dumps(her_row()), shape) for shape in shapes)]


def _point(x: float) -> str:
    return json.dumps({"type": "Point", "coordinates": [x, 0.5]})


def _feature(properties: str, shape: str) -> str:
    return f'{{"type": "Feature", "properties": {properties}, "geometry": {shape}}}'


def kml(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes KML placemarks; hers lie in a folder and a document of their own with a schema that
    types the same fields.
    """
    path = folder / "survey.kml"
    head = '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">'
    marks = "\n".join(mingle(hers, [_placemark(row) for row in people()]))
    path.write_text(f"{head}<Document>{marks}</Document></kml>", "utf-8")
    return path


def her_placemarks() -> list[str]:
    """Makes her records, and two that lie deeper."""
    typed = "<Schema name='who' id='s'><SimpleField name='who' type='int'/></Schema>"
    return [
        "<Placemark/>",
        *map(_placemark, her_records()),
        f"<Folder><name>tess</name>{_placemark(her_row())}</Folder>",
        f"<Document>{typed}{_placemark(her_row(ok=1))}</Document>",
    ]


def _placemark(row: Row) -> str:
    fields = ((quoteattr(name), _xml(value)) for name, value in row.items())
    data = "".join(f"<Data name={name}><value>{value}</value></Data>" for name, value in fields)
    point = f"<Point><coordinates>{row.get('lon', 0.5)},0.5,0</coordinates></Point>"
    return f"<Placemark><ExtendedData>{data}</ExtendedData>{point}</Placemark>"


def _xml(value: object) -> str:
    return "true" if value is True else escape(str(value))


def gpx(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes GPX waypoints with their own elements; among hers a track, a waypoint in a
    waypoint, extensions.
    """
    path = folder / "survey.gpx"
    head = '<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">'
    points = "\n".join(mingle(hers, [_waypoint(row) for row in people()]))
    path.write_text(f"{head}{points}</gpx>", "utf-8")
    return path


def her_waypoints() -> list[str]:
    """Makes her records if their keys may be elements, and waypoints inside others and inside a
    track.
    """
    plain = [row for row in her_records() if all(name.isalpha() for name in row)]
    inside = _waypoint(her_row())
    track = (
        f"<trk><name>1000</name><trkseg><trkpt lat='0.5' lon='0.5'>{inside}</trkpt></trkseg></trk>"
    )
    return [*map(_waypoint, plain), _waypoint(her_row(), inside), track]


def _waypoint(row: Row, inside: str = "") -> str:
    data = "".join(f"<{name}>{_xml(value)}</{name}>" for name, value in row.items())
    return (
        '<wpt lat="0.5"'
        f" lon={quoteattr(str(row.get('lon', 0.5)))}><extensions>{data}{inside}</extensions></wpt>"
    )


def smart(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes SMART patrols; hers have legs without members, waypoints outside legs, a patrol in
    a patrol.
    """
    path = folder / "survey.xml"
    space = "http://www.smartconservationsoftware.org/xml/1.2/patrol"
    patrols = mingle(hers, [_leg(str(row["who"]), row["lon"]) for row in people()])
    whole = "\n".join(f"<patrol>{patrol}</patrol>" for patrol in patrols)
    path.write_text(f'<?xml version="1.0"?>\n<patrols xmlns="{space}">{whole}</patrols>', "utf-8")
    return path


def her_patrols() -> list[str]:
    """Makes what stands in patrols of hers."""
    leg = _leg("tess", 0.5)
    point = '<waypoints id="1" x="0.5" y="0.5"/>'
    alone = f"<legs>{point}</legs>"
    nested = f"<patrol>{leg}</patrol>{point}"
    return [leg + point, alone, nested, "<members givenName='x'/>" + leg, "<legs/>"]


def _leg(who: str, x: float) -> str:
    return (
        f'<legs><members givenName="{who}" isLeader="true"/><days><waypoints id="1" x="{x}"'
        ' y="0.5"/></days></legs>'
    )


# Formats with a schema of their own


def parquet_parts(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes a folder of Parquet, her part the first, of the same columns and types."""
    return _two_parts(folder, hers, {"who": "string"}, {})


def parquet_types(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes the same, with fractions as ids in her part."""
    return _two_parts(folder, hers, {"who": "int64"}, {"who": "double"})


def _two_parts(
    folder: Path, hers: Sequence[Any], kinds: Mapping[str, str], her_kinds: Mapping[str, str]
) -> Path:
    _parquet(folder / "b.parquet", people(), kinds)
    if hers:
        _parquet(folder / "a.parquet", list(hers), {**kinds, **her_kinds})
    return folder


def _parquet(path: Path, rows: list[Row], kinds: Mapping[str, str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    usual = {
        "who": "string",
        "lon": "double",
        "lat": "double",
        "when": "string",
        "ok": "string",
        "note": "string",
    }
    schema = pa.schema(
        [(name, pa.type_for_alias(kind)) for name, kind in {**usual, **kinds}.items()]
    )
    rows_of_text = [row | {"ok": str(row["ok"]).lower()} for row in rows]
    if kinds["who"] == "string":
        rows_of_text = [row | {"who": str(row["who"])} for row in rows_of_text]
    pq.write_table(pa.Table.from_pylist(rows_of_text, schema=schema), path)


def sqlite_table(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes an SQLite table whose columns have no types: any value may stand in any."""
    path = folder / "survey.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute('CREATE TABLE seen (who, lon, lat, "when", ok, note)')
        _insert(
            database, "?, ?, ?, ?, ?, ?", [list(row.values()) for row in mingle(hers, people())]
        )
    return path


def _insert(database: sqlite3.Connection, marks: str, rows: list[list[Any]]) -> None:
    values = [["true" if value is True else value for value in row] for row in rows]
    database.executemany(f"INSERT INTO seen VALUES ({marks})", values)
    database.commit()


def geopackage(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes a GeoPackage of points, in whose typed columns SQLite lets her keep other values,
    and no shape at all.
    """
    path = folder / "survey.gpkg"
    rows = [
        [number, _shape(row), str(row["who"]), row["when"], row["ok"]]
        for number, row in enumerate(mingle(hers, people()), start=1)
    ]
    with closing(sqlite3.connect(path)) as database:
        database.executescript(GEOPACKAGE)
        _insert(database, "?, ?, ?, ?, ?", rows)
    return path


def _shape(row: Row) -> bytes | None:
    if row["lon"] is None:
        return b"GP\0\1tess"
    return b"GP\0\1" + struct.pack("<iBIdd", 4326, 1, 1, row["lon"], row["lat"])


GEOPACKAGE = """
PRAGMA application_id = 1196444487;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY,
    organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL,
    description TEXT);
INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326,
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],\
PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]', NULL);
CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT,
    description TEXT, last_change TEXT NOT NULL,
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
INSERT INTO gpkg_contents VALUES ('seen', 'features', 'seen', '',
    '2020-01-01T00:00:00.000Z', 0, 0, 4, 1, 4326);
CREATE TABLE gpkg_geometry_columns (table_name TEXT PRIMARY KEY, column_name TEXT NOT NULL,
    geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL,
    m TINYINT NOT NULL);
INSERT INTO gpkg_geometry_columns VALUES ('seen', 'geom', 'POINT', 4326, 0, 0);
CREATE TABLE seen (fid INTEGER PRIMARY KEY, geom POINT, who TEXT, "when" DATE, ok TEXT);
"""


# Events and teams


def events(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes a Darwin Core Archive of events: hers are lines of the one table; in the other she
    was at an event of others too.
    """
    seen = ["A1,tess", "a1,tess", ",tess", "A1"] if hers else []
    event_lines = [f"A{number},{number % WIDE}.5,0.5,2020-05-01" for number in range(8)]
    occurrences = mingle(seen, [f"A{number % 8},p{number}" for number in range(PEOPLE)])
    tables = {
        "meta.xml": [META],
        "event.csv": [
            "eventID,decimalLongitude,decimalLatitude,eventDate",
            *event_lines,
            *hers,
            "",
        ],
        "occurrence.csv": ["eventID,recordedBy", *occurrences, ""],
    }
    return _zipped(folder, [(name, "\n".join(lines).encode()) for name, lines in tables.items()])


_TERMS = "http://rs.tdwg.org/dwc/terms/"
META = f"""<archive xmlns="http://rs.tdwg.org/dwc/text/">
<core rowType="{_TERMS}Event" fieldsTerminatedBy="," fieldsEnclosedBy=""\
 ignoreHeaderLines="1">\
<files><location>event.csv</location></files><id index="0"/>
<field index="0" term="{_TERMS}eventID"/><field index="1" term="{_TERMS}decimalLongitude"/>\
<field index="2" term="{_TERMS}decimalLatitude"/>
<field index="3" term="{_TERMS}eventDate"/></core>
<extension rowType="{_TERMS}Occurrence" fieldsTerminatedBy="," fieldsEnclosedBy=""\
 ignoreHeaderLines="1">\
<files><location>occurrence.csv</location></files><coreid index="0"/>
<field index="1" term="{_TERMS}recordedBy"/></extension></archive>"""


def teams(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes GBIF's own table, in which she is named beside everybody, so that striking her name
    changes each row.
    """
    return _gbif(folder, [f"{'|'.join([name, *hers])}{rest}" for name, rest in _gbif_rows()])


def gbif(folder: Path, hers: Sequence[Any]) -> Path:
    """Writes the same table, and rows of hers."""
    return _gbif(folder, [*("".join(parts) for parts in _gbif_rows()), *hers])


def _gbif_rows() -> list[tuple[str, str]]:
    return [
        (f"p{number}", f",{number % WIDE}.5,0.5,place {number + 100},true,20")
        for number in range(PEOPLE)
    ]


def _gbif(folder: Path, rows: Sequence[str]) -> Path:
    path = folder / "survey.csv"
    header = "recordedBy,decimalLongitude,decimalLatitude,locality,ok,eps,gbifID"
    path.write_text("\n".join([header, *(f"{row},1" for row in rows), ""]), "utf-8")
    return path


TEAM = "|".join(["tess", *(f"p{number}" for number in range(200))])
"""She and 200 others."""
PLACE = "; ".join(["x & y|z", *(f"place {number}" for number in range(99))])
"""The name of one place, with all that stands between people."""
DWC: dict[str, Any] = {"unit": "recordedBy", "consent": None, "axes": ()}
RECORDS = {"columns": NAMES}
TEXTS = (
    Pair("CSV", headed, HER_LINES, PLACED),
    Pair("CSV without a header", headless, (FIRST_LINE, *HER_LINES), {**RECORDS, **PLACED}),
    Pair(
        "CSV with stray quotes",
        stray,
        STRAY,
        PLACED,
        refusal="a line that could be a row of its own",
    ),
    Pair("an archive of parts", archived, HER_PARTS, PLACED),
    Pair("a folder of parts", foldered, HER_PARTS, PLACED),
    Pair(
        "an archive with one name twice",
        archived,
        (("b.csv", HER_PART[1]),),
        PLACED,
        refusal="two files of one name",
    ),
    Pair(
        "a folder with a meta.xml",
        foldered,
        (("meta.xml", META_OF_HERS), HER_PART),
        PLACED,
        refusal="does not name all of its tables",
    ),
    Pair("Darwin Core events", events, ("a1,0.5,0.5,soon", "A1 ,tess,0.5,2020"), **DWC),
    Pair(
        "Darwin Core events twice",
        events,
        [f"A{number},{(number + 1) % WIDE}.5,0.5,2020" for number in range(6)],
        **DWC,
        refusal="two events",
    ),
    Pair("teams", teams, ("tess",), **DWC, limiter="scale"),
    Pair(
        "places",
        gbif,
        [f"tess,0.5,0.5,{PLACE},true,1"] * 99,
        unit="locality",
        axes=(),
        limiter="scale",
    ),
    Pair(
        "a team that refuses",
        gbif,
        (f"{TEAM},0.5,0.5,x,no,1",),
        {"consent_by": "unit"},
        unit="recordedBy",
        axes=(),
        refusal="no proof with",
    ),
    Pair(
        "a team with a limit",
        gbif,
        (f"{TEAM},0.5,0.5,x,true,0.01",),
        **DWC,
        limiter="scale",
        policy={"epsilon_by": "eps=0.01,20"},
        refusal="no proof with",
    ),
)
TYPELESS = (
    Pair(
        "JSON",
        json_list,
        [*her_json(), "null", '"tess"', "[]"],
        {"format": "json", "layer": "results", **RECORDS},
    ),
    Pair("GeoJSON", geojson, her_features(), {"format": "geojson", **RECORDS}),
    Pair("KML", kml, her_placemarks(), {"format": "kml", **RECORDS}),
    Pair("GPX", gpx, her_waypoints(), {"format": "gpx", "layer": "waypoints", **RECORDS}),
    Pair("SMART patrols", smart, her_patrols(), unit="Leader", consent=None, axes=()),
)
ODD: tuple[Row, ...] = (
    {"when": "soon"},
    {"when": 7},
    {"ok": 1},
    {"lon": "x"},
    {"note": b"\xff\0"},
    {"lat": None},
    {},
)
TYPED = (
    Pair(
        "Parquet in parts",
        parquet_parts,
        [her_row(when="soon"), her_row(ok=1), her_row(lat=1e300)],
        PLACED,
    ),
    Pair(
        "Parquet in parts of other types",
        parquet_types,
        [her_row()],
        PLACED,
        refusal="another type in column",
    ),
    Pair("SQLite", sqlite_table, [her_row(**odd) for odd in ODD], PLACED),
    Pair(
        "GeoPackage",
        geopackage,
        [her_row(when="soon"), her_row(ok=1), her_row(lon=None), her_row(when=7.5)],
    ),
)
PAIRS = {pair.name: pair for pair in (*TEXTS, *TYPELESS, *TYPED)}
