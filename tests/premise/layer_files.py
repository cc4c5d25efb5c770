"""Files that declare their own columns, as `schema_files` writes them, under the same property."""

import schema_files
from side_by_side import Family, Odd

ODD = {
    "who": ["tess; sam 1", 1000.5, 2**53 + 3, "", None, "n/a", "tess\x00", b"tess\xff", -1, 1e300],
    "lon": [None, float("nan"), float("inf"), 181.0, b"\x01", b"\x00" * 21, 1, "soon"],
    "date": ["soon", "", None, "2020-02-30", 2020, 20200101, "9999-12-31"],
    "consent": ["1", 1, True and 1, "", None, "no"],
    "note": ["x" * 300, "a\nb", '"', None, 7],
}


class Layer(Family):
    """One of the formats that declare their own columns."""

    pairs = 25
    accepted = 0.2
    questions = ("declared", "declared dates")

    def __init__(self, kind):
        self.name, self.kind = f"declared: {kind}", kind
        self.placed = any(one in kind for one in ("gpkg", "shp", "fgb", "geoparquet", "spatialite"))

    def record(self, row, dice):
        who = row["who"] if isinstance(row["who"], (str, int, float, type(None))) else str(row["who"])
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
                yield Odd(f"{name} {str(value)[:20]!r}", {**usual, name: value})

    def write(self, folder, records, dice):
        return schema_files.FAMILIES[self.kind](folder / "survey", records)


FAMILIES = tuple(map(Layer, schema_files.FAMILIES))
PARTS = next(one for one in FAMILIES if one.kind == "parquet parts")
