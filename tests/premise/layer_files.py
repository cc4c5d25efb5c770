"""Files that declare their own columns, as `schema_files` writes them, under the same property."""

import sqlite3
import struct
from contextlib import closing
from datetime import date, datetime
from zlib import crc32

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import schema_files
import shapely
from side_by_side import Family, Odd

ODD = {
    "who": ["tess; sam 1", 1000.5, 2**53 + 3, "", None, "n/a", "tess\x00", b"tess\xff", -1, 1e300],
    "lon": [None, float("nan"), float("inf"), 181.0, b"\x01", b"\x00" * 21, 1, "soon"],
    "date": ["soon", "", None, "2020-02-30", 2020, 20200101, "9999-12-31"],
    "consent": ["1", 1, True and 1, "", None, "no"],
    "note": ["x" * 300, "a\nb", '"', None, 7],
}


def as_utf8(text):
    """The text as these formats can hold it: half a character is a question mark."""
    return text.encode("utf-8", "replace").decode()


class Layer(Family):
    """One of the formats that declare their own columns."""

    pairs = 25
    accepted = 0.2
    questions = ("declared", "declared dates")

    def __init__(self, kind):
        self.name, self.kind = f"declared: {kind}", kind
        self.placed = True  # by its geometry, or by columns called longitude and latitude

    def record(self, row, dice):
        row = {
            name: as_utf8(value) if isinstance(value, str) else value for name, value in row.items()
        }
        who = (
            row["who"] if isinstance(row["who"], (str, int, float, type(None))) else str(row["who"])
        )
        if (
            self.kind == "shp typed"
        ):  # a column of whole numbers, in which GDAL takes every other text for one
            who = crc32(str(who).encode("utf-8", "replace")) % 10**8 + 10**8
        told = {
            "who": who,
            "lon": row["lon"],
            "lat": row["lat"],
            "date": row["when"],
            "consent": row["ok"],
            "note": row["note"],
        }
        return (
            {
                name: value
                if isinstance(value, (str, int, float, type(None))) and not isinstance(value, bool)
                else str(value).lower()
                for name, value in told.items()
            }
            if set(map(type, (row["lon"], row["lat"]))) <= {int, float}
            else None
        )

    def odd(self, dice):
        usual = {
            "who": "tess",
            "lon": 1.5,
            "lat": 1.5,
            "date": "2020-01-01",
            "consent": "yes",
            "note": "seen",
        }
        for name, values in ODD.items():
            for value in values:
                if self.kind == "shp typed" and name == "who":
                    continue
                yield Odd(f"{name} {str(value)[:20]!r}", {**usual, name: value})

    def write(self, folder, records, dice):
        return schema_files.FAMILIES[self.kind](folder / "survey", records)


class TypedParts(Family):
    """Parquet in two parts of one schema, ids whole numbers and dates dates; T may bring a part of another schema."""

    name, pairs, accepted = "Parquet parts, typed", 80, 0.1
    placed = True
    questions = ("declared", "declared dates")
    first = ("a part of who double", "a part of date string", "a part of longitude string")
    schema = pa.schema(
        [
            ("who", pa.int64()),
            ("longitude", pa.float64()),
            ("latitude", pa.float64()),
            ("date", pa.date32()),
            ("consent", pa.bool_()),
        ]
    )

    def record(self, row, dice):
        known = (
            row["who"]
            if isinstance(row["who"], int)
            and not isinstance(row["who"], bool)
            and abs(row["who"]) < 2**62
            else 10**7 + crc32(str(row["who"]).encode("utf-8", "replace"))
        )
        if not isinstance(row["lon"], (int, float)) or not isinstance(row["lat"], (int, float)):
            return None
        told = (
            isinstance(row["when"], str)
            and row["when"].startswith("2020-0")
            and len(row["when"]) == 10
            and not row["when"].startswith("2020-02-3")
        )
        return {
            "who": known,
            "longitude": row["lon"],
            "latitude": row["lat"],
            "date": date.fromisoformat(row["when"]) if told else None,
            "consent": row["ok"] in ("yes", True),
        }

    def odd(self, dice):
        usual = {
            "who": [7_000_000],
            "longitude": [1.5],
            "latitude": [1.5],
            "date": [date(2020, 1, 1)],
            "consent": [True],
        }
        kinds = {
            "who": (
                ([7_000_000.5], pa.float64()),
                (["tess"], pa.string()),
                ([7_000_000], pa.int32()),
                ([7_000_000], pa.uint64()),
            ),
            "longitude": ((["1,5"], pa.string()), ([1], pa.int64())),
            "date": (
                (["soon"], pa.string()),
                ([datetime(2020, 1, 1)], pa.timestamp("us")),
                ([datetime(2020, 1, 1)], pa.timestamp("us", "Asia/Tokyo")),
            ),
            "consent": (([1], pa.int64()), (["yes"], pa.string())),
        }
        for name, ways in kinds.items():
            for values, kind in ways:
                table = pa.table({**usual, name: pa.array(values, kind)})
                for file in ("0.parquet", "zz.parquet"):
                    yield Odd(f"a part of {name} {kind}", (file, table), whole=False)
        yield Odd("a part of other columns", ("0.parquet", pa.table({"tess": [1]})), whole=False)

    def write(self, folder, records, dice):
        path = folder / "survey"
        path.mkdir()
        rows = [one for one in records if isinstance(one, dict)]
        for number in (0, 1):
            pq.write_table(
                pa.Table.from_pylist(rows[number::2], schema=self.schema),
                path / f"part-{number}.parquet",
            )
        for name, table in (one for one in records if not isinstance(one, dict)):
            pq.write_table(table, path / name)
        return path


class EveryLayer(Family):
    """A GeoPackage of two layers that are read as one table; T may bring a layer of her own."""

    name, pairs, accepted = "GeoPackage, every layer", 60, 0.25
    placed = True
    questions = ("declared", "declared dates")
    options = dict(layer="all")
    first = ("a layer of other columns", "a layer called all", "a table without places", "a folder")
    types = {"who": "TEXT", "date": "TEXT", "consent": "TEXT"}

    def record(self, row, dice):
        told = {
            "who": row["who"],
            "date": row["when"],
            "consent": row["ok"],
            "lon": row["lon"],
            "lat": row["lat"],
        }
        if not all(type(row[side]) in (int, float) for side in ("lon", "lat")):
            return None
        return {
            name: value if isinstance(value, (int, float)) or value is None else as_utf8(str(value))
            for name, value in told.items()
        }

    def odd(self, dice):
        usual = {"who": "tess", "date": "2020-01-01", "consent": "yes", "lon": 1.5, "lat": 1.5}
        for name in ("hers", "0", "zz", "Seen 1 ", "seen 3; --", "layer_styles2"):
            yield Odd(f"a layer {name}", (name, [usual], self.types, 4326, True))
        for name in ("layer_styles", "notes", "all "):
            yield Odd(
                "a table without places", (name, [usual], self.types, 4326, False), whole=False
            )
        for name, types, system, placed in (
            ("hers", {"who": "TEXT", "lon": "TEXT"}, 4326, True), ("hers", {**self.types, "more": "TEXT"}, 4326, True),
            ("hers", {**self.types, "who": "INTEGER"}, 4326, True), ("hers", {**self.types, "who": "BLOB"}, 4326, True),
            ("hers", self.types, 3857, True), ("all", self.types, 4326, True), ("all", self.types, 4326, False), ("hers", {"Who": "TEXT", **self.types}, 4326, True),
        ):  # fmt: skip
            called = "a layer called all" if name == "all" else "a layer of other columns"
            yield Odd(called, (name, [usual], types, system, placed), whole=False)

    def write(self, folder, records, dice):
        path = folder / "survey.gpkg"
        rows = [one for one in records if isinstance(one, dict)]
        parts = [
            ("seen 1", rows[0::2], self.types, 4326, True),
            ("seen 2", rows[1::2], self.types, 4326, True),
        ]
        empty = gpd.GeoDataFrame(geometry=[shapely.Point(0, 0)], crs="EPSG:4326")
        empty.to_file(path, layer="seen 1", driver="GPKG", SPATIAL_INDEX="NO")
        with closing(sqlite3.connect(path)) as database:
            database.execute('DELETE FROM "seen 1"')
            for part in [*parts, *(one for one in records if not isinstance(one, dict))]:
                self.layer(database, *part)
            database.commit()
        return path

    def layer(self, database, name, rows, types, system, placed):
        """Adds a layer as GDAL keeps it, its rows put in by SQLite."""
        called = '"' + name.replace('"', '""') + '"'
        if name != "seen 1":
            told = "".join(f', "{column}" {kind}' for column, kind in types.items())
            database.execute(f"CREATE TABLE {called} (fid INTEGER PRIMARY KEY, geom POINT{told})")
            kind = "features" if placed else "attributes"
            database.execute(
                "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES (?, ?, ?, ?)",
                (name, kind, name, 4326),
            )
            database.execute(
                "INSERT OR IGNORE INTO gpkg_spatial_ref_sys SELECT 'x', 3857, 'EPSG', 3857, definition, '' FROM gpkg_spatial_ref_sys WHERE srs_id = 4326"
            )
            if placed:
                database.execute(
                    "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'POINT', ?, 0, 0)",
                    (name, system),
                )
        else:
            for column, kind in types.items():
                database.execute(f'ALTER TABLE {called} ADD COLUMN "{column}" {kind}')
        for row in rows:
            shape = (
                b"GP\0\1"
                + struct.pack("<i", system)
                + struct.pack("<BIdd", 1, 1, row["lon"], row["lat"])
            )
            values = [schema_files._stored(row.get(column)) for column in types]
            marks = "".join(", ?" for _ in types)
            database.execute(
                f"INSERT INTO {called} (geom{''.join(f', {column}' for column in types)}) VALUES (?{marks})",
                [shape, *values],
            )


PARTS, LAYERS = TypedParts(), EveryLayer()
FAMILIES = (*map(Layer, schema_files.FAMILIES), PARTS, LAYERS)
