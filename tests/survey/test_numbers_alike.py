"""A number is one text, and so one unit, in whatever kind of file it stands, and however that file writes it."""

import json
import math
import sqlite3
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.workbooks import ods, xls, xlsx
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.survey import unit_names
from dpmap.survey.files import cell_text, workbook_cells

GRID = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")
HEAD = ("who", "longitude", "latitude")
WHOLE = (
    5.0,
    -5.0,
    0.0,
    -0.0,
    1000.0,
    2.0**53,
    1e15,
    -1e15,
    1e16,
    2.0**57,
    123456789012345680.0,
    -1e17,
    1e21,
    2.0**100,
)


def units(survey, **reading):
    """The units of a survey as they are counted, and how many rows each has."""
    survey = dm.read(survey, unit="who", **reading)
    with DuckDB(threads=1).connected() as database:
        found = RowTable(
            database, survey, chosen_for(survey, GRID, dm.Policy(epsilon="1", unit="who", cap=5))
        )
        found.place(GRID)
        found.name()
        return dict(database.execute("SELECT unit, count(*) FROM rows GROUP BY unit").fetchall())


def as_text(folder, numbers):
    path = folder / "a.csv"
    path.write_text("\n".join([",".join(HEAD), *(f"{one},1,1" for one in numbers)]) + "\n")
    return path, {}


def as_json(folder, numbers):
    path = folder / "a.json"
    path.write_text(json.dumps([dict(zip(HEAD, (one, 1, 1), strict=True)) for one in numbers]))
    return path, dict(format="json", columns=HEAD)


def as_workbook(write, name):
    def written(folder, numbers):
        return write(folder / name, [list(HEAD), *([one, 1, 1] for one in numbers)]), {}

    return written


def as_parquet(folder, numbers):
    columns = {"who": numbers, "longitude": [1.0] * len(numbers), "latitude": [1.0] * len(numbers)}
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return folder / "a.parquet", {}


def as_sqlite(folder, numbers):
    with sqlite3.connect(folder / "a.sqlite") as database:
        database.execute("CREATE TABLE a (who, longitude REAL, latitude REAL)")
        database.executemany("INSERT INTO a VALUES (?, 1, 1)", [(one,) for one in numbers])
    database.close()
    return folder / "a.sqlite", {}


def as_table(kind):
    def written(_, numbers):
        return pd.DataFrame(
            {"who": pd.Series(numbers, dtype=kind), "longitude": 1.0, "latitude": 1.0}
        ), {}

    return written


def as_arrow(_, numbers):
    return pa.table(
        {"who": numbers, "longitude": [1.0] * len(numbers), "latitude": [1.0] * len(numbers)}
    ), {}


KINDS = {
    "text": as_text,
    "JSON": as_json,
    ".xlsx": as_workbook(xlsx, "a.xlsx"),
    ".ods": as_workbook(ods, "a.ods"),
    ".xls": as_workbook(xls, "a.xls"),
    "Parquet": as_parquet,
    "SQLite": as_sqlite,
    "pandas": as_table(float),
    "pandas of objects": as_table(object),
    "Arrow": as_arrow,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_number_is_one_unit_in_every_kind_of_file(kind, tmp_path):
    """-5.0 is -5 and 1e16 is 10000000000000000, as numbers and as texts, in whatever kind of file each of them stands."""
    expected = {str(int(one)): 1 for one in WHOLE if one} | {"0": 2}
    for number, written in enumerate(
        (WHOLE, [str(one) for one in WHOLE], [str(int(one)) for one in WHOLE])
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        survey, reading = KINDS[kind](folder, list(written))
        assert units(survey, **reading) == expected


SPELLINGS = (
    repr,
    "{:.1f}".format,
    lambda value: str(int(value)),
    lambda value: f"{value:.17G}",
    lambda value: f"{value:.16e}".replace("e", "E"),
    lambda value: repr(value).replace("e+", "e"),
    lambda value: workbook_cells.number_text(repr(value)),
    lambda value: workbook_cells.number_text(f"{value:.17G}"),
    cell_text.number_text,
    cell_text.as_text,
    lambda value: cell_text.as_text(np.float64(value)),
    lambda value: cell_text.as_text(Decimal(int(value))),
)


@settings(max_examples=300)
@given(
    st.one_of(
        st.floats(1e15, 1e300), st.floats(-1e300, -1e15), st.integers(-(2**53), 2**53).map(float)
    )
)
@example(-5.0)
@example(1e16)
@example(-0.0)
def test_every_spelling_of_a_whole_number_is_one_name(number):
    """However a program writes a whole number, with a point, an exponent or a sign, it names who its digits name."""
    if not number.is_integer():
        number = float(round(number))
    expected = {str(int(number))}
    told = {
        unit_names.normalise(spell(number))
        for spell in SPELLINGS
        if "e" not in spell(number).lower() or abs(number) >= 1e15
    }
    assert told == expected


@given(st.floats(allow_infinity=True, allow_nan=True))
def test_a_number_keeps_its_value(number):
    """A number's text is the number, and what is none is nothing."""
    text = cell_text.number_text(number)
    assert (text is None) == math.isnan(number)
    assert text is None or float(text) == number


@pytest.mark.parametrize(
    "name",
    [
        "1e3",
        "1e14",
        "12e20",
        "1.5e3",
        "01000",
        "+1000",
        "1e999",
        "1.0000000000000005e15",
        "-",
        "-.0",
        "e+16",
    ],
)
def test_what_is_no_whole_number_of_a_program_stays_a_name(name):
    """Names that only look like numbers are nobody else's."""
    assert unit_names.normalise(name) == name


def test_two_spellings_of_old_are_found(monkeypatch, tmp_path):
    """Were -5.0 or 1e+16 folded as they once were, the tests above would say so."""
    monkeypatch.setattr(
        unit_names,
        "_whole_digits",
        lambda text: text if text[0] == "-" or "e" in text else text.partition(".")[0],
    )
    found = units(*KINDS["Parquet"](tmp_path, list(WHOLE))[:1])
    assert {"-1000000000000000.0", "1e+16", "-5.0"} <= set(found)
