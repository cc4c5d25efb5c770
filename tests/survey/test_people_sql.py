"""What engines do in SQL is what the Python beside it says: names folded, points placed."""

import hashlib
import os
from contextlib import contextmanager

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines import duckdb as engine
from dpmap.grid.squares import Squares
from dpmap.survey.sources import Source
from dpmap.survey.survey import Roles
from dpmap.survey.unit_names import PLACEHOLDERS, SIMPLE, is_missing, normalise

DEEP = os.environ.get("DPMAP_DEEP") == "1"
MANY = settings(
    max_examples=1000 if DEEP else 60,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
DATABASE = duckdb.connect(":memory:", config={"threads": 1})


class Kept(engine.DuckDB):
    """The embedded engine on one connection that stays open."""

    @contextmanager
    def connected(self):
        try:
            yield DATABASE
        finally:
            for kind in ("view", "table"):
                left = (
                    f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE NOT internal AND NOT temporary"
                )
                for (name,) in DATABASE.execute(left).fetchall():
                    DATABASE.execute(f'DROP {kind} "{name}" CASCADE')


def folded_by_the_engine(names):
    """What the engine makes of each name: each in a cell of its own, a digest of its unit read back from there."""
    if not names:
        return []
    everyone = [*names, "someone"]
    DATABASE.register(
        "given_names",
        pa.table({"who": pa.array(everyone, pa.string()), "x": np.arange(len(everyone)) + 0.5}),
    )
    survey = dm.Survey(
        Source(("who", "x", "y"), sql="(SELECT who, x, 0.5 AS y FROM given_names)"),
        Roles(crs="EPSG:3857", x="x", y="y"),
    )
    grid = dm.Grid(bounds=(0, 0, len(everyone), 1), shape=(1, len(everyone)), crs="EPSG:3857")
    digests = "SELECT cell, CAST('0x' || substr(md5(name), 1, 15) AS BIGINT) AS steps FROM rows JOIN names USING (unit)"
    totals = Kept().totals(survey, grid, dm.Policy(epsilon=1, unit="who", cap=1), digests, str)
    found = dict(zip(totals._cells.tolist(), totals._steps.tolist(), strict=True))
    return [found.get(number) for number in range(len(names))]


def digest(name):
    return None if name is None else int(hashlib.md5(name.encode()).hexdigest()[:15], 16)


def expected(name):
    folded = normalise(name)
    return None if is_missing(folded) else folded


@MANY
@given(st.lists(st.from_regex(SIMPLE, fullmatch=True), max_size=40))
@example(sorted(PLACEHOLDERS))
@example([word.upper() for word in sorted(PLACEHOLDERS)])
@example(
    [
        "-5.0",
        "1e+16",
        "1E16",
        "1.0",
        "-0",
        "12e20",
        "1e14",
        "-1.5E+300",
        "1e999",
        "1000.5",
        "01000.0",
    ]
)
@example(["a b", "A B", "~", "!", "a''b", 'a"b', "a\\b", "%", "_"])
def test_plain_names_are_folded_alike_in_sql_and_python(names):
    """A plain name folded inside the engine is the very text that `normalise` gives, placeholders dropped."""
    names = [name for name in names if name.endswith("\n") is False]
    assert folded_by_the_engine(names) == [digest(expected(name)) for name in names]


@MANY
@given(
    st.lists(
        st.text(max_size=12)
        | st.sampled_from(["A\u0301", "\u0130", "\u0131", "\ufb01", "\u1e9e", "\u03c3\u03c2"]),
        max_size=30,
    )
)
@example(
    [
        "\u00a0ana\u00a0",
        "ana",
        "ANA\t",
        "\u3000ana",
        "an\u00ada",
        "\ufeffana",
        "a\u0000b",
        "\u2126",
        "\u03c9",
        "\x1fana",
        "\x0bana",
    ]
)
def test_any_name_is_folded_alike_end_to_end(names):
    """Whatever characters a name has, the engine ends with the one spelling that `normalise` gives it."""
    names = [name.replace("\x01", "") for name in names]
    assert folded_by_the_engine(names) == [digest(expected(name)) for name in names]


@pytest.mark.parametrize("same", [
    ("Jos\u00e9", "Jose\u0301", "JOS\u00c9", "jos\u00e9\u200b", "\ufeffjos\u00e9", " jos\u00e9 ", "jos\u00e9\u00a0"),
    ("stra\u00dfe", "STRASSE", "Stra\u1e9ee"),
    ("\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2", "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3"),
    ("\uff21\uff22\uff23", "abc", "ABC"),
    ("\ufb01ona", "fiona", "FIONA"),
    ("\u0646\u0648\u0631", "\u0646\u0648\u0631\u200f", "\u200e\u0646\u0648\u0631"),
    ("van  der\tBerg", "Van der Berg", "van\nder berg", "van\u2003der berg"),
])  # fmt: skip
def test_spellings_of_one_person_are_one_unit(same):
    """Compatibility forms, accents composed or not, case, spaces and zero-width marks do not split a person."""
    assert len(set(folded_by_the_engine(list(same)))) == 1


@pytest.mark.parametrize(
    "mark",
    [
        "\u202a",
        "\u202c",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u061c",
        "\u180e",
        "\u034f",
        "\ufe0f",
        "\u2063",
    ],
    ids=lambda m: f"U+{ord(m):04X}",
)
def test_no_invisible_mark_splits_a_person(mark):
    """Direction marks, isolates, joiners and variation selectors come along when names are pasted; they name nobody."""
    assert normalise(f"ana{mark} lee") == normalise(f"{mark}Ana Lee{mark}") == "ana lee"


def test_blank_in_every_alphabet_names_nobody():
    """A name made only of spaces or invisible marks of any kind is no name."""
    blanks = ["", " ", "\u00a0", "\u200b", "\u3000", "\t", "\u00ad", "\u2003 \u200b", "\n"]
    assert folded_by_the_engine(blanks) == [None] * len(blanks)


GRIDS = [
    Squares(bounds=(0.0, 0.0, 2.0, 1.0), shape=(1, 2)),
    Squares(bounds=(-5.3, 49.9, 1.9, 55.8), shape=(59, 72)),
    Squares(bounds=(-180.0, -90.0, 180.0, 90.0), shape=(1800, 3600)),
    Squares(bounds=(100000.0, 200000.0, 102000.0, 207000.0), shape=(7, 2)),
    Squares(bounds=(-1e-9, -1e-9, 1e-9, 1e-9), shape=(3, 3)),
    Squares(bounds=(0.1, 0.1, 0.7, 0.7), shape=(6, 6)),
]


def placed_by_sql(cells, x, y):
    DATABASE.register(
        "points",
        pa.table(
            {
                "n": np.arange(len(x)),
                "x": pa.array(x, pa.float64(), from_pandas=False),
                "y": pa.array(y, pa.float64(), from_pandas=False),
            }
        ),
    )
    found = dict(DATABASE.execute(cells.sql("SELECT n, x, y FROM points", "n")).fetchall())
    return [found.get(place, -1) for place in range(len(x))]


def test_sql_places_points_on_edges_as_python_does():
    """Edges, corners, their nearest neighbours, NaN, infinities and huge numbers fall in the same cell either way."""
    for cells in GRIDS:
        west, south, east, north = cells.bounds
        xs = [west + (east - west) * i / cells.shape[1] for i in range(cells.shape[1] + 1)][:80]
        ys = [south + (north - south) * i / cells.shape[0] for i in range(cells.shape[0] + 1)][:20]
        xs += [
            value for x in xs[:40] for value in (np.nextafter(x, -np.inf), np.nextafter(x, np.inf))
        ]
        odd = [
            np.nan,
            np.inf,
            -np.inf,
            1e308,
            -1e308,
            5e-324,
            -0.0,
            2.0**63,
            -(2.0**63),
            east,
            north,
            west,
            south,
        ]
        x, y = (side.ravel() for side in np.meshgrid(np.array([*xs, *odd]), np.array([*ys, *odd])))
        assert placed_by_sql(cells, x, y) == cells.locate(x, y).tolist()


@MANY
@given(
    st.sampled_from(GRIDS),
    st.lists(st.tuples(st.floats(), st.floats()), max_size=30),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30),
)
def test_sql_places_any_point_as_python_does(cells, anywhere, within):
    """Any two doubles fall in the same cell, or outside, in SQL and in Python."""
    west, south, east, north = cells.bounds
    x = np.array([p[0] for p in anywhere] + [west + (east - west) * p[0] for p in within])
    y = np.array([p[1] for p in anywhere] + [south + (north - south) * p[1] for p in within])
    assert placed_by_sql(cells, x, y) == cells.locate(x, y).tolist()
