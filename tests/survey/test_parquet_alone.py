"""Parquet: what each file says of itself decides how it is read, never what is in another, nor one odd value."""

import io
import json
import os
import random
import struct
import subprocess
import sys
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpmap as dm
from dpmap.engines.duckdb import DuckDB, describe_failure
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput, SystemFailed

GRID = dm.Grid(bounds=(0, 50, 10, 60), shape=(10, 10), crs="EPSG:4326")
TIMES = GRID.layered(dm.Times("date", ("2024-01-01", "2024-05-01", "2024-05-02", "2025-01-01")))


def read_rows(path, *, grid=GRID, **reading):
    """Each row that counts, and how often."""
    survey = dm.read(path, unit="who", **reading)
    policy = dm.Policy(epsilon="1", unit="who", cap=5, consent=survey.roles.consent)
    with DuckDB().connected() as database, survey.held() as held:
        rows = RowTable(database, held, chosen_for(survey, grid, policy))
        rows.place(grid)
        rows.name()
        return Counter(database.execute("SELECT unit, cell FROM rows").fetchall())


def table(who, date=None, **more):
    """A table of these people, each in a column of cells of its own."""
    count = len(who)
    columns = {
        "who": who,
        "longitude": [i % 10 + 0.5 for i in range(count)],
        "latitude": [50.5] * count,
    }
    return pa.table(columns | ({} if date is None else {"date": date}) | more)


TEXTS, IDS = ["7", "8"], [7, 8]
MOMENT = datetime(2024, 5, 1, 12)
ALIKE = {
    "dictionaries": (table(TEXTS), table(pa.array(TEXTS).dictionary_encode())),
    "large texts": (table(TEXTS), table(pa.array(TEXTS, pa.large_string()))),
    "never empty": (table(IDS), table(IDS).cast(pa.schema([pa.field("who", pa.int64(), nullable=False), *list(table(IDS).schema)[1:]]))),
    "no rows": (table(TEXTS), table(pa.array([], pa.string())).cast(table(TEXTS).schema)),
    "one column more": (table(TEXTS), table(TEXTS, note=["a", "b"])),
    "another order": (table(TEXTS), table(TEXTS).select([1, 0, 2])),
    "other notes": (table(TEXTS), table(TEXTS).replace_schema_metadata({"pandas": "{}", "by": "another"})),
}  # fmt: skip
UNALIKE = {
    "texts for numbers": (table(TEXTS), table(IDS), "another type in column who"),
    "fractions for whole numbers": (table(IDS), table([7.0, 8.5]), "another type in column who"),
    "all empty": (table(TEXTS), table(pa.nulls(2)), "another type in column who"),
    "narrow numbers": (table(pa.array([7, 8], pa.int32())), table(IDS), "another type in column who"),
    "bytes for texts": (table(TEXTS), table([b"7", b"8"]), "another type in column who"),
    "a zone": (table(TEXTS, pa.array([MOMENT] * 2, pa.timestamp("us"))), table(TEXTS, pa.array([MOMENT] * 2, pa.timestamp("us", "UTC"))), "another type in column date"),
    "days": (table(TEXTS, pa.array([MOMENT] * 2, pa.timestamp("us"))), table(TEXTS, pa.array([MOMENT] * 2, pa.date32())), "another type in column date"),
    "nanoseconds": (table(TEXTS, pa.array([MOMENT] * 2, pa.timestamp("us"))), table(TEXTS, pa.array([MOMENT] * 2, pa.timestamp("ns"))), "another type in column date"),
    "letters of another size": (table(TEXTS), table(TEXTS).rename_columns(["Who", "longitude", "latitude"]), "another header"),
    "lists": (table(TEXTS), table([["7"], ["8"]]), "another type in column who"),
    "decimals": (table(pa.array([1, 2], pa.decimal128(9, 2))), table(pa.array([1, 2], pa.decimal128(9, 3))), "another type in column who"),
}  # fmt: skip


def folder(tmp_path, *tables, name="parts"):
    """The tables as the parts of one survey."""
    (tmp_path / name).mkdir()
    for number, one in enumerate(tables):
        pq.write_table(one, tmp_path / name / f"part-{number}.parquet")
    return tmp_path / name


def packed(tmp_path, *tables):
    """The same in an archive."""
    with zipfile.ZipFile(tmp_path / "parts.zip", "w") as archive:
        for number, one in enumerate(tables):
            held = io.BytesIO()
            pq.write_table(one, held)
            archive.writestr(f"part-{number}.parquet", held.getvalue())
    return tmp_path / "parts.zip"


@pytest.mark.parametrize("case", ALIKE)
@pytest.mark.parametrize("put", [folder, packed])
def test_parts_that_are_alike_to_a_reader_are_read_as_each_alone(tmp_path, case, put):
    """How a part lists its values and columns, or what stands beside them, changes nothing."""
    for tables in (ALIKE[case], ALIKE[case][::-1]):
        for old in tmp_path.glob("*.zip"):
            old.unlink()
        alone = [
            read_rows(folder(tmp_path, one, name=f"{number}{id(tables)}"))
            for number, one in enumerate(tables)
        ]
        assert (
            read_rows(
                put(
                    tmp_path / "" if put is packed else tmp_path,
                    *tables,
                    **({} if put is packed else {"name": f"both{id(tables)}"}),
                )
            )
            == alone[0] + alone[1]
        )
        assert sum(map(len, alone)) >= 2


@pytest.mark.parametrize("case", UNALIKE)
@pytest.mark.parametrize("put", [folder, packed])
def test_parts_that_are_not_alike_are_refused_by_name(tmp_path, case, put):
    """A part with other types or spellings is named in one line before a row is read, whichever comes first."""
    one, other, why = UNALIKE[case]
    with pytest.raises(BadInput, match=rf"part-1\.parquet has {why} than part-0\.parquet"):
        read_rows(put(tmp_path, one, other))


def geo(crs=None, **column):
    """Parquet with a column of shapes, described so."""
    told = (
        {"encoding": "WKB", "geometry_types": []} | ({} if crs is None else {"crs": crs}) | column
    )
    about = {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": told}}
    rows = pa.table(
        {"who": TEXTS, "geometry": [struct.pack("<BIdd", 1, 1, i + 0.5, 50.5) for i in range(2)]}
    )
    return rows.replace_schema_metadata({"geo": json.dumps(about)})


def other_crs():
    """A CRS as GeoParquet writes it."""
    from pyproj import CRS

    return CRS.from_epsg(3857).to_json_dict()


def test_parts_in_another_crs_are_refused_by_name(tmp_path):
    """The first part's CRS never moves what lies in another: such a part is named."""
    same = folder(tmp_path, geo(), geo(geometry_types=["Point"], bbox=[0, 0, 1, 1]), name="same")
    assert sum(read_rows(same).values()) == 4
    others = {
        "crs": geo(other_crs()),
        "edges": geo(edges="spherical"),
        "bare": geo().replace_schema_metadata({}),
    }
    for name, other in others.items():
        for tables in ((geo(), other), (other, geo())):
            parts = folder(tmp_path, *tables, name=f"{name}{tables[0] is other}")
            with pytest.raises(
                BadInput,
                match=r"part-1\.parquet describes another geometry or CRS than part-0\.parquet",
            ):
                dm.read(parts, unit="who", x="geometry", y="geometry", crs="EPSG:4326")


def test_an_encrypted_file_is_told_as_one(tmp_path, monkeypatch):
    """Nobody is told that a file is cut short when it has a key."""
    pq.write_table(table(TEXTS), tmp_path / "s.parquet")

    def locked(*_, **__):
        raise OSError(
            "Could not read encrypted metadata, no decryption found in reader's properties"
        )

    monkeypatch.setattr(pq, "ParquetFile", locked)
    with pytest.raises(BadInput, match=r"s\.parquet is encrypted; write it again without a key"):
        dm.read(tmp_path / "s.parquet", unit="who")


DATED = """
import sys
sys.path.insert(0, sys.argv[2])
from test_parquet_alone import TIMES, read_rows
print(sorted(read_rows(sys.argv[1], grid=TIMES).items()))
"""


@pytest.mark.parametrize("shaped", [False, True])
def test_a_moment_is_dated_in_utc_whatever_the_clock_of_the_machine(tmp_path, shaped):
    """The same file is the same survey in Auckland, Honolulu and Greenwich."""
    late = datetime(2024, 5, 1, 23, 30)
    if shaped:
        rows = geo().append_column(
            "date", pa.array([late] * 2, pa.timestamp("us", "Europe/London"))
        )
    else:
        rows = table(TEXTS, pa.array([late] * 2, pa.timestamp("us", "America/New_York")))
    pq.write_table(rows, tmp_path / "s.parquet")
    found = set()
    for zone in ("Pacific/Auckland", "Pacific/Honolulu", "UTC"):
        words = [
            sys.executable,
            "-c",
            DATED,
            str(tmp_path / "s.parquet"),
            str(Path(__file__).parent),
        ]
        done = subprocess.run(
            words, capture_output=True, text=True, env={**os.environ, "TZ": zone}, check=True
        )
        found.add(done.stdout)
    assert found == {"[(('7', 190), 1), (('8', 191), 1)]\n"}


FAR = (0, 2**63 - 1, -(2**63), 2**62, -(2**62), 1714564800 * 10**6)


@pytest.mark.parametrize(
    "kind",
    [pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.timestamp("ns"), pa.timestamp("ns", "UTC")],
)
@pytest.mark.parametrize("shaped", [False, True])
def test_a_moment_far_off_drops_alone(tmp_path, kind, shaped):
    """Dates before the year 1 or after 9999 count nowhere, and no other row is lost with them."""
    dates = pa.array([*FAR, 1714564800 * 10**9], pa.int64()).view(kind)
    who = [f"p{i}" for i in range(len(dates))]
    if shaped:
        shapes = [struct.pack("<BIdd", 1, 1, 0.5, 50.5)] * len(who)
        rows = pa.table({"who": who, "date": dates, "geometry": shapes}).replace_schema_metadata(
            geo().schema.metadata
        )
    else:
        rows = table(who, dates)
    pq.write_table(rows, tmp_path / "s.parquet")
    seen = {unit for unit, _ in read_rows(tmp_path / "s.parquet", grid=TIMES)}
    assert seen == {"p5"} if kind.unit == "us" else {"p6"}


def random_column(dice, kind, count):
    """Values of this type, the oddest that it holds among them."""
    bits = {pa.int8(): 8, pa.int16(): 16, pa.int32(): 32, pa.int64(): 64}
    if kind in bits:
        most = 1 << bits[kind] - 1
        return pa.array(
            [
                dice.choice((None, 0, 1, -1, most - 1, -most, dice.randrange(-most, most)))
                for _ in range(count)
            ],
            kind,
        )
    if kind == pa.uint64():
        return pa.array(
            [
                dice.choice((None, 0, 1, (1 << 64) - 1, (1 << 53) + 1, 1 << 53))
                for _ in range(count)
            ],
            kind,
        )
    if pa.types.is_floating(kind):
        odd = (None, 0.0, -0.0, 0.1, 1e300, float("inf"), float("nan"), 1000.0, 2.0**53)
        return pa.array([dice.choice(odd) for _ in range(count)], pa.float64()).cast(kind)
    if pa.types.is_decimal(kind):
        return pa.array(
            [
                dice.choice((None, "0", "1.50", "99999999999999999.99", "-3.25"))
                for _ in range(count)
            ]
        ).cast(kind)
    raw = [
        dice.choice((None, b"", b"a", b"\xff", b"A ", "\u674e".encode(), b"x" * 40, b"7", b"a\0b"))
        for _ in range(count)
    ]
    raw = [one or b"none" for one in raw] if pa.types.is_dictionary(kind) else raw
    made = pa.array(raw, pa.binary())
    if kind == pa.binary():
        return made
    texts = pa.Array.from_buffers(pa.string(), count, made.buffers(), made.null_count)
    if pa.types.is_list(kind):
        ends = pa.array(range(count + 1), pa.int32())
        return pa.ListArray.from_arrays(ends, texts)
    if pa.types.is_struct(kind):
        return pa.StructArray.from_arrays([texts], names=["name"])
    return (
        texts
        if kind == pa.string()
        else pa.DictionaryArray.from_arrays(pa.array([*range(count)], pa.int32()), texts)
    )


KINDS = (pa.int8(), pa.int32(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(20, 2), pa.decimal128(38, 2),
         pa.binary(), pa.string(), pa.dictionary(pa.int32(), pa.string()), pa.list_(pa.string()), pa.struct([("name", pa.string())]))  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_odd_value_of_any_type_changes_no_other_row(tmp_path, kind):
    """Ids of any type that Parquet has: those of some people are read the same with and without those of others."""
    dice = random.Random(str(kind))
    for number in range(2):
        first, second = (
            pa.table(
                {
                    "who": random_column(dice, kind, many),
                    "longitude": [0.5] * many,
                    "latitude": [50.5] * many,
                }
            )
            for many in (40, 25)
        )
        alone = []
        for name, one in (
            ("first", first),
            ("second", second),
            ("both", pa.concat_tables([first, second], promote_options="permissive")),
        ):
            pq.write_table(one, tmp_path / f"{name}{number}.parquet")
            alone.append(read_rows(tmp_path / f"{name}{number}.parquet"))
        assert alone[0] + alone[1] == alone[2]
        assert alone[2]


def test_columns_with_names_of_the_engine_are_read_as_columns(tmp_path):
    """A column called file_row_number or filename is the survey's own, in one file and in parts."""
    rows = table(TEXTS, file_row_number=[5, 6], filename=["x", "y"], file_index=[1, 2])
    for path in (folder(tmp_path, rows, rows),):
        for unit, names in (
            ("file_row_number", {"5", "6"}),
            ("filename", {"x", "y"}),
            ("file_index", {"1", "2"}),
        ):
            survey = dm.read(path, unit=unit)
            for source in (survey._source, *survey._source.cut(3)):
                with DuckDB().connected() as database:
                    found = database.execute(f"SELECT {unit}::VARCHAR FROM {source.sql}").fetchall()
                assert {one for (one,) in found} == names


def test_failures_are_told_as_what_they_are():
    """A missing file, missing rights and odd values are no damage; and no line quotes what the engine quotes."""
    import duckdb

    cases = {
        "no longer where it was": duckdb.IOException(
            'Cannot open file "/x/secret": No such file or directory'
        ),
        "no right to read": duckdb.IOException('Cannot open file "/x/secret": Permission denied'),
        "check the disk": duckdb.IOException('Could not read "secret"'),
        "not UTF-8": duckdb.InvalidInputException('value "secret" is not valid UTF8!'),
        "beyond what its type can hold": duckdb.ConversionException(
            "Could not convert Timestamp(MS) secret to Timestamp(US)"
        ),
        "damaged inside": duckdb.InvalidInputException("secret"),
    }
    for words, error in cases.items():
        line = describe_failure(error)
        assert isinstance(line, BadInput | SystemFailed)
        assert words in str(line)
        assert "secret" not in str(line)
    assert isinstance(
        describe_failure(duckdb.InvalidInputException("No such file or directory")), BadInput
    )


def test_a_time_beyond_what_its_type_holds_is_refused_in_plain_words(tmp_path):
    """DuckDB reads no such file; the line says which column's kind to change, and quotes nothing."""
    odd = pa.array([0, 1 << 62], pa.int64()).view(pa.timestamp("ms"))
    pq.write_table(table(TEXTS, odd), tmp_path / "s.parquet")
    with pytest.raises(
        BadInput,
        match=r"holds a date or time beyond what its type can hold; export that column as text",
    ):
        dm.release(dm.read(tmp_path / "s.parquet", unit="who"), TIMES, dm.Policy(epsilon="1", unit="who", cap=5),
                   ledger=tmp_path / "l", dataset="d", budget=1)  # fmt: skip
    assert not (tmp_path / "l").exists()
    assert sum(read_rows(tmp_path / "s.parquet").values()) == 2
