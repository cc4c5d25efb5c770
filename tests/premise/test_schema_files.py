"""Files that declare their own columns: one person's records never change how another's are read."""

import random
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schema_files
import shapely

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for

GROUND = dm.Grid(bounds=(-10, 40, 10, 60), shape=(40, 40), crs="EPSG:4326")
GRID = GROUND.layered(dm.Times("date", ("1900", "2023", "2024", "2025", "2030")))
NOT_UTF8 = (
    b"\xff\xfe",
    "Zo\u00eb".encode("cp1252"),
    b"a\x81b",
    b"\xed\xa0\x80",
    b"\xf8\x88\x80\x80\x80",
)
NUMBERS = (
    0,
    1,
    -1,
    7,
    2**31,
    2**53,
    2**53 + 1,
    2**62,
    -(2**63),
    2**63 - 1,
    1.5,
    1000,
    1000.0,
    1e300,
    float("inf"),
    float("nan"),
)
TEXTS = (
    "",
    " ",
    "ann",
    "ANN ",
    "1000",
    "1000.0",
    "soon",
    "true",
    "NULL",
    "x" * 300,
    "\u674e",
    "a\nb",
    "'\";|,",
    "-0",
    "{}",
    "01",
)


def deep(times: int) -> bytes:
    """A collection in a collection in a collection."""
    return struct.pack("<BII", 1, 7, 1) * times + struct.pack("<BIdd", 1, 1, 1.0, 50.0)


SHAPES = (b"", b"\1", b"GP", deep(40), deep(3), struct.pack("<BII", 1, 2, 1 << 31), struct.pack("<BII6d", 1, 8, 3, *range(6)),
          struct.pack("<BI", 1, 99), shapely.Point().wkb, shapely.box(0, 50, 1, 51).wkb, shapely.from_wkt("POINT Z (1 50 3)").wkb,
          struct.pack("<BIdd", 1, 1, float("nan"), 50.0), struct.pack("<BIdd", 1, 1, float("inf"), 1e308),
          shapely.MultiPoint([(1, 50)]).wkb, struct.pack(">BIdd", 0, 1, 2.0, 51.0))  # fmt: skip


def record(dice: random.Random, people: list[Any], *, odd: float) -> dict[str, Any]:
    """One record of one of these people, with some odd values."""
    told = {
        "who": dice.choice(people), "lon": dice.randrange(-80, 80) / 8 + 0.01, "lat": dice.randrange(320, 480) / 8 + 0.01,
        "date": f"202{dice.randrange(3, 6)}-0{dice.randrange(1, 10)}-15", "consent": dice.choice(("yes", 1, 1, None)), "note": "n",
    }  # fmt: skip
    for key in ("lon", "lat", "date", "consent", "note"):
        if dice.random() < odd:
            told[key] = dice.choice((*NUMBERS, *TEXTS, *NOT_UTF8, None, "deleted"))
    if dice.random() < odd:
        told["lon"] = dice.choice(SHAPES)
    return told


def rows_of(path: Path, **reading: Any) -> "Counter[tuple[Any, ...]]":
    """Every row that counts, as the engine has it: unit, cell and weight."""
    survey = dm.read(path, unit="who", consent="consent=yes,1,true", **reading)
    policy = dm.Policy(epsilon="1", unit="who", cap=5, consent=survey.roles.consent)
    with DuckDB().connected() as database:
        rows = RowTable(database, survey, chosen_for(survey, GRID, policy))
        rows.place(GRID)
        rows.name()
        return Counter(database.execute("SELECT unit, cell, weight FROM rows").fetchall())


@pytest.mark.parametrize("family", schema_files.FAMILIES)
def test_rows_of_two_groups_of_people_are_read_side_by_side(tmp_path, family):
    """Whatever odd records some people hand in, the rows of all the others are what they would be without."""
    write, dice = schema_files.FAMILIES[family], random.Random(family)
    whole = "typed" in family
    some: list[Any] = (
        [1, 7, 2**53, 41, 1000]
        if whole
        else ["bob", "eve", "ANN", "1000", "7", "\u674e", "dee dee"]
    )
    other: list[Any] = (
        [2, 8, 2**53 + 1, 2**62]
        if whole
        else ["cy", "2", "x" * 15, "o'neil", *NOT_UTF8[:2], 2**53 + 1]
    )
    counted = 0
    for number in range(2):
        first = [record(dice, some, odd=0.05) for _ in range(dice.randrange(40, 70))]
        second = [record(dice, other, odd=0.4) for _ in range(dice.randrange(10, 40))]
        both = [*first, *second]
        dice.shuffle(both)
        alone = [
            rows_of(write(tmp_path / f"{number}{at}", one))
            for at, one in enumerate((first, second))
        ]
        assert rows_of(write(tmp_path / f"{number}", both)) == alone[0] + alone[1]
        counted += sum(alone[0].values())
    assert counted > 5
