"""Files that declare their own columns, as `schema_files` writes them, under the same property."""

from datetime import date, datetime
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq
import schema_files
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
        row = {name: as_utf8(value) if isinstance(value, str) else value for name, value in row.items()}
        who = row["who"] if isinstance(row["who"], (str, int, float, type(None))) else str(row["who"])
        if self.kind == "shp typed":  # a column of whole numbers, in which GDAL takes every other text for one
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
        usual = {"who": "tess", "lon": 1.5, "lat": 1.5, "date": "2020-01-01", "consent": "yes", "note": "seen"}
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
            if isinstance(row["who"], int) and not isinstance(row["who"], bool) and abs(row["who"]) < 2**62
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
            pq.write_table(pa.Table.from_pylist(rows[number::2], schema=self.schema), path / f"part-{number}.parquet")
        for name, table in (one for one in records if not isinstance(one, dict)):
            pq.write_table(table, path / name)
        return path


PARTS = TypedParts()
FAMILIES = (*map(Layer, schema_files.FAMILIES), PARTS)
