"""Tables in memory, and columns inside others: pandas of objects, GeoPandas, Arrow, Polars and nested Parquet.

A table's types are its schema, so S, T and both are written with the same ones; what T puts into a column of objects,
whose values have no common type, may be anything.
"""

import geopandas as gpd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import shapely
from builders.frames import OBJECTS
from side_by_side import FIELDS, Family, Odd, a_row


class Objects(Family):
    """A pandas table without any types, its index and its notes full of nonsense."""

    name, pairs, accepted = "pandas of objects", 40, 0.95

    def record(self, row, dice):
        return row

    def odd(self, dice):
        for name, values in OBJECTS.items():
            for value in values:
                yield Odd(
                    f"{name} of type {type(value).__name__}", a_row(dice, "tess") | {name: value}
                )

    def write(self, folder, records, dice):
        frame = pd.DataFrame(index=[dice.random() for _ in records])
        for name in FIELDS:
            column = np.empty(len(records), dtype=object)
            for at, record in enumerate(records):
                column[at] = record.get(name)
            frame[name] = pd.Series(column, index=frame.index, dtype=object)
        frame.attrs = {"note": "tess"}
        return frame


class Categories(Objects):
    """The same where three columns are of categories, which are what the rows hold."""

    name, pairs = "pandas of categories", 8

    def write(self, folder, records, dice):
        frame = super().write(folder, records, dice)
        for name in ("ok", "kind", "when"):
            frame[name] = pd.Series(
                [_worded(one) for one in frame[name]], index=frame.index, dtype=object
            ).astype("category")
        return frame

    def odd(self, dice):
        return []


class Shapes(Objects):
    """A GeoPandas table in metres, whose shapes may be of any kind or missing."""

    name, pairs, placed = "GeoPandas", 12, True
    shapes = (None, shapely.Point(), shapely.Point(np.nan, 1), shapely.Point(np.inf, 1), shapely.box(1, 1, 2, 2), shapely.MultiPoint([(1.5, 1.5)]), shapely.Point(1.5, 1.5, 7),
              shapely.GeometryCollection([shapely.Point(1, 1)]), shapely.LineString([(1, 1), (2, 2)]))  # fmt: skip

    def odd(self, dice):
        for shape in self.shapes:
            yield Odd(f"shape {shape}", a_row(dice, "tess") | {"lon": shape})

    def write(self, folder, records, dice):
        frame = super().write(folder, records, dice)
        shapes = []
        for record in records:
            lon, lat = record["lon"], record["lat"]
            sides = all(isinstance(one, int | float) for one in (lon, lat))
            shapes.append(
                lon
                if isinstance(lon, shapely.Geometry)
                else shapely.Point(lon, lat)
                if sides
                else None
            )
        return gpd.GeoDataFrame(
            frame, geometry=gpd.GeoSeries(shapes, index=frame.index, crs=4326)
        ).to_crs(3857)


def _worded(value):
    """A text as Arrow may hold it."""
    return None if value is None else str(value).encode("utf-8", "replace").decode()


def _number(value):
    try:
        return None if value is None or len(str(value)) > 400 else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _pair(record):
    lon, lat = _number(record["lon"]), _number(record["lat"])
    return None if lon is None else [lon] if lat is None else [lon, lat]


NUMBERS = ("lon", "lat", "n", "value", "sure")


class Arrow(Family):
    """An Arrow table of texts (some are not UTF-8), numbers and places as lists of two numbers."""

    name, pairs, accepted = "Arrow", 16, 0.95

    def record(self, row, dice):
        return row

    def columns(self, records):
        made = {name: [_worded(record[name]) for record in records] for name in FIELDS}
        made |= {name: [_number(record[name]) for record in records] for name in NUMBERS}
        return made | {"spot": [_pair(record) for record in records]}

    def odd(self, dice):
        for lon in (np.nan, np.inf, -1e308, None, 0.0, -0.0):
            yield Odd(f"lon {lon}", a_row(dice, "tess") | {"lon": lon})
        for who in ("tess\x00", "", " tess", "77.0", "x" * 70_000):
            yield Odd(f"who {who[:9]}", a_row(dice, who))

    def write(self, folder, records, dice):
        held = self.columns(records)
        kinds = {name: pa.float64() if name in NUMBERS else pa.string() for name in held} | {
            "spot": pa.list_(pa.float64())
        }
        table = pa.table({name: pa.array(values, kinds[name]) for name, values in held.items()})
        raw = [b"\xfftess" if record["note"] == "\x00" else str(record["note"]).encode("utf-8", "replace") for record in records]  # fmt: skip
        bytewise = pa.array(raw, pa.binary())
        broken = pa.Array.from_buffers(pa.string(), len(raw), bytewise.buffers())
        table = table.set_column(table.column_names.index("note"), "note", broken)
        return dice.choice(
            (table, table.to_reader(), *table.combine_chunks().to_batches()[: len(records)][:1])
        )


class Polars(Arrow):
    """The same in Polars, with categories."""

    name, pairs = "Polars", 8

    def write(self, folder, records, dice):
        schema = {name: pl.Float64 if name in NUMBERS else pl.String for name in FIELDS}
        schema |= {"spot": pl.List(pl.Float64), "kind": pl.Categorical, "ok": pl.Categorical}
        return pl.DataFrame(self.columns(records), schema=schema, strict=False)


ABOUT = pa.struct(
    [
        ("who", pa.string()),
        ("ok", pa.string()),
        ("day", pa.struct([("when", pa.string())])),
        ("spot", pa.struct([("longitude", pa.float64()), ("latitude", pa.float64())])),
        ("moment", pa.timestamp("us")),
    ]
)


class Nested(Family):
    """Parquet, or the same table in memory, in which all lies in one struct: who, the day in another struct, the place in a third."""

    questions, placed, pairs, accepted = ("nested",), True, 4, 0.95

    def __init__(self, kind):
        self.name, self.kind = f"nested {kind}", kind

    def record(self, row, dice):
        return row

    def odd(self, dice):
        for gone in ("about", "day", "spot", "longitude"):
            yield Odd(f"no {gone}", a_row(dice, "tess") | {"gone": gone})
        for far in (2**62, -(2**62)):
            yield Odd("a moment far off", a_row(dice, "tess") | {"moment": far})

    def _about(self, record):
        gone = record.get("gone")
        spot = (
            None
            if gone == "spot"
            else {"longitude": _number(record["lon"]), "latitude": _number(record["lat"])}
        )
        if gone == "longitude":
            spot["longitude"] = None
        day = None if gone == "day" else {"when": _worded(record["when"])}
        told = {"who": _worded(record["who"]), "ok": _worded(record["ok"]), "day": day, "spot": spot, "moment": record.get("moment")}  # fmt: skip
        return None if gone == "about" else told

    def write(self, folder, records, dice):
        table = pa.table({"about": pa.array([self._about(record) for record in records], ABOUT)})
        if self.kind == "in memory":
            return table
        if self.kind == "GeoParquet":
            shapes = [shapely.Point(_number(one["lon"]) or 0, 1).wkb for one in records]
            geo = '{"version":"1.0.0","primary_column":"g","columns":{"g":{"encoding":"WKB","geometry_types":[]}}}'
            table = table.append_column("g", pa.array(shapes)).replace_schema_metadata({"geo": geo})
        pq.write_table(table, folder / "survey.parquet")
        return folder / "survey.parquet"


FAMILIES = (
    Objects(),
    Categories(),
    Shapes(),
    Arrow(),
    Polars(),
    Nested("Parquet"),
    Nested("GeoParquet"),
    Nested("in memory"),
)
