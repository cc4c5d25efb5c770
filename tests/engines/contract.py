"""What every counting engine has to do: the same survey gives the same totals, bit for bit, and the right ones.

A test module subclasses `EngineContract` and says in `engine` how to make its engine. The model it is held to shares
no code with dpmap: integers and fractions, one row after the other, and people's spellings listed by hand.
"""

import hashlib
import math
import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

import dpmap as dm
from dpmap.engines.prefilter import make_prefilter
from dpmap.promise.limiters import LIMITERS
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.permute_and_flip import unit_sizes

DEEP = os.environ.get("DPMAP_DEEP") == "1"

SPELLINGS = {
    "ana mar\u00eda": ("Ana Mar\u00eda", "ANA MAR\u00cdA", " ana  mar\u00eda ", "Ana Mari\u0301a", "Ana\u200b Mar\u00eda", "\uff21na Mar\u00eda"),
    "bob": ("bob", "BOB", " Bob ", "bob"),
    "o'neil-smith": ("O'Neil-Smith", "o'neil-smith", "O'NEIL-SMITH"),
    "strasse": ("stra\u00dfe", "STRASSE", "Strasse"),
    "\u674e": ("\u674e", " \u674e", "\u674e\u200b"),
    "17": ("17", " 17"),
    "very heavy": ("very heavy", "Very Heavy", "very\tHeavy", "very\u00a0heavy"),
    None: ("", None, "NULL", "n/a", "  ", "-", "Unknown", "\u200b", "ANONYMOUS"),
}  # fmt: skip
PERSON = {spelling: person for person, spellings in SPELLINGS.items() for spelling in spellings}
WEST, SOUTH, EAST, NORTH, ROWS, COLUMNS = -2, 50, 1, 52, 8, 12
LAYER_FORMATS = ("gpkg", "geoparquet", "geojson", "shp", "fgb")
TABLE_FORMATS = ("csv", "tsv", "parquet")

Row = tuple[str | None, str | None, str | None, str | None]
Totals = dict[int, int]


def some_rows(count: int, seed: int = 1) -> list[Row]:
    """(who, x, y, consent) as texts: cell edges, corners, places outside and blanks among them."""
    dice = random.Random(seed)
    people = [*SPELLINGS, *["very heavy"] * 8]
    rows: list[Row] = []
    for _ in range(count):
        who = dice.choice(SPELLINGS[dice.choice(people)])
        x = (
            Fraction(dice.randrange(-2100, 1101), 1000)
            if dice.random() < 0.7
            else Fraction(dice.randrange(-9, 6), 4)
        )
        y = (
            Fraction(dice.randrange(49900, 52101), 1000)
            if dice.random() < 0.7
            else Fraction(dice.randrange(199, 210), 4)
        )
        placed = dice.random() < 0.97
        consent = dice.choice(("yes", "YES", " yes", "no", "", None, "yes"))
        rows.append(
            (
                who,
                f"{float(x):.3f}" if placed else None,
                f"{float(y):.3f}" if placed else None,
                consent,
            )
        )
    return rows


def the_grid() -> dm.Grid:
    return dm.Grid(bounds=(WEST, SOUTH, EAST, NORTH), shape=(ROWS, COLUMNS), crs="EPSG:4326")


def model_cell(x: str | None, y: str | None) -> int | None:
    """The cell by exact fractions: an edge belongs to the east or north, the outer edge to the outermost cell."""
    if x is None or y is None:
        return None
    column = (Fraction(x) - WEST) * COLUMNS // (EAST - WEST) if Fraction(x) != EAST else COLUMNS - 1
    up = (Fraction(y) - SOUTH) * ROWS // (NORTH - SOUTH) if Fraction(y) != NORTH else ROWS - 1
    if not (0 <= column < COLUMNS and 0 <= up < ROWS):
        return None
    return int((ROWS - 1 - up) * COLUMNS + column)


def model_totals(
    rows: list[Row], *, limiter: str, cap: int, unit: str = "who", consent: bool = False
) -> Totals:
    """The capped totals in steps of the lattice, as the design's words have them."""
    seen: dict[Any, list[int]] = defaultdict(list)
    for number, (who, x, y, said) in enumerate(rows):
        person = number if unit == "row" else PERSON[who]
        cell = model_cell(x, y)
        if person is None or cell is None or (consent and (said or "").strip().lower() != "yes"):
            continue
        seen[person].append(cell)
    return limited(seen, limiter=limiter, cap=cap, by_row=unit == "row")


def limited(seen: dict[Any, list[int]], *, limiter: str, cap: int, by_row: bool = False) -> Totals:
    """What each unit's cells add up to under the cap."""
    lattice = 1
    while lattice * cap < 2**32:
        lattice *= 2
    totals: Counter[int] = Counter()
    for person, cells in seen.items():
        if limiter == "length":
            totals.update(shortened(cells, cap, lattice))
        elif by_row or limiter == "scale":
            for cell in cells:
                totals[cell] += lattice if len(cells) <= cap else cap * lattice // len(cells)
        else:
            many = Counter(set(cells)) if limiter == "presence" else Counter(cells)
            sampled = limiter == "sample"
            copies = [
                (place(person, cell, copy * sampled, sampled), cell)
                for cell, n in many.items()
                for copy in range(1, n + 1)
            ]
            bar = (2**31 - 1) // len(copies) + 1
            looked = [
                pair
                for pair in copies
                if limiter == "presence" or pair[0] < bar * min(2 * cap + 20, len(copies))
            ]
            for _, cell in sorted(looked if len(copies) > cap else copies)[:cap]:
                totals[cell] += lattice
    return {cell: steps for cell, steps in totals.items() if steps}


def shortened(cells: list[int], cap: int, lattice: int) -> Counter[int]:
    """A unit's cells where the noise is Gaussian: those of `scale`, with a root of the sum of squares of the cap's root."""
    steps: Counter[int] = Counter()
    for cell in cells:
        steps[cell] += lattice if len(cells) <= cap else cap * lattice // len(cells)
    length, square = (
        math.isqrt(cap * lattice**2),
        sum((-(-one // 8)) ** 2 for one in steps.values()),
    )
    if 64 * square <= cap * lattice**2:
        return steps
    return Counter(
        {
            cell: one // 8 * length // (math.ceil(math.sqrt(square)) + 1)
            for cell, one in steps.items()
        }
    )


def place(person: str, cell: int, copy: int, weight: int) -> int:
    """Where a row stands among those of its unit: the square of a line, drawn by the unit's name, through what it holds."""
    digest = hashlib.md5(person.encode()).hexdigest()
    a, b, c, d = (int(digest[start : start + 8][::-1], 16) for start in (0, 8, 16, 24))
    return (cell * a + b + copy * c + weight * d) ** 2 % (2**31 - 1)


def write(rows: list[Row], path: Path, kind: str, *, group: int | None = None) -> Path:
    """The rows as a file of this format."""
    who, xs, ys, said = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    )
    path = path.with_suffix(".parquet" if kind == "geoparquet" else f".{kind}")
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        lines = [mark.join(("who", "lon", "lat", "ok"))]
        for row in rows:
            lines.append(
                mark.join(
                    ""
                    if part is None
                    else f'"{part}"'
                    if part != part.strip() or mark in part
                    else part
                    for part in row
                )
            )
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif kind == "parquet":
        numbers = [[None if n is None else float(n) for n in column] for column in (xs, ys)]
        table = pa.table({"who": pa.array(who, pa.string()), "lon": pa.array(numbers[0], pa.float64()),
                          "lat": pa.array(numbers[1], pa.float64()), "ok": pa.array(said, pa.string())})  # fmt: skip
        pq.write_table(table, path, row_group_size=group or 1 << 20)
    else:
        points = [
            None if x is None else shapely.Point(float(x), float(y))
            for x, y in zip(xs, ys, strict=True)
        ]
        frame = gpd.GeoDataFrame(
            {"who": pd.Series(who, dtype=object), "ok": pd.Series(said, dtype=object)},
            geometry=points,
            crs="EPSG:4326",
        )
        if kind == "geoparquet":
            frame.to_parquet(path, row_group_size=group or 1 << 20)
        else:
            options = {"SPATIAL_INDEX": "NO"} if kind == "fgb" else {}
            frame.to_file(path, engine="pyogrio", **options)
    return path


def counted(
    engine: Any,
    survey: dm.Survey,
    grid: dm.Grid,
    policy: dm.Policy,
    sabotage: Callable[[str], str] = str,
) -> Totals:
    """The engine's totals, cells that got nothing left out."""
    totals = engine.totals(
        survey,
        grid,
        policy,
        sabotage(capped_totals(policy)),
        lambda step: None,
        make_prefilter(policy, 1),
    )
    cells, steps = totals._cells.tolist(), totals._steps.tolist()
    assert len(set(cells)) == len(cells)
    return {cell: step for cell, step in zip(cells, steps, strict=True) if step}


def policy_of(
    limiter: str = "scale", cap: int = 3, unit: str = "who", consent: str | None = None
) -> dm.Policy:
    how = {"limiter": "scale", "delta": "1e-6"} if limiter == "length" else {"limiter": limiter}
    return dm.Policy(epsilon=1, unit=unit, cap=cap, consent=consent, **how)


class EngineContract:
    """Subclass it as `Test...` and make `engine(threads)` return the engine under test."""

    @staticmethod
    def engine(threads: int) -> Any:
        raise NotImplementedError

    @pytest.mark.parametrize("cap", [1, 2, 5, 37, 10**9])
    @pytest.mark.parametrize("limiter", [*LIMITERS, "length"])
    def test_totals_are_those_of_the_model(self, tmp_path, limiter, cap):
        """Each limiter gives what its definition says, worked out by hand with integers."""
        rows = some_rows(6000 if DEEP else 1200, seed=cap % 1000)
        survey = dm.read(write(rows, tmp_path / "s", "csv"))
        for consent in (None, "ok=yes"):
            found = counted(
                self.engine(2), survey, the_grid(), policy_of(limiter, cap, consent=consent)
            )
            assert found == model_totals(
                rows, limiter=limiter, cap=cap, consent=consent is not None
            )

    @pytest.mark.parametrize("limiter", [name for name, spec in LIMITERS.items() if spec.length])
    def test_no_unit_is_longer_than_the_root_of_its_cap(self, tmp_path, limiter):
        """Where the noise is Gaussian: the sum of squares over its cells, counted alone, is at most C * L^2. Seven
        points in as many cells count in full under a cap of seven."""
        policy = dm.Policy(epsilon=1, unit="who", cap=7, limiter=limiter, delta="1e-6")
        for cells in (
            [3] * 40,
            list(range(50)),
            [5] * 7,
            list(range(7)),
            [i * i % 23 for i in range(300)],
        ):
            rows = [
                ("ana", f"{-2 + (cell % 12 + 0.5) / 4}", f"{52 - (cell // 12 + 0.5) / 4}", "yes")
                for cell in cells
            ]
            survey = dm.read(write(rows, tmp_path / "s", "csv"))
            found = counted(self.engine(1), survey, the_grid(), policy)
            assert sum(steps**2 for steps in found.values()) <= 7 * policy.lattice**2
            assert cells != list(range(7)) or set(found.values()) == {policy.lattice}
            assert limiter == "presence" or sum(found.values()) <= 7 * policy.lattice

    @pytest.mark.parametrize("limiter", LIMITERS)
    def test_open_rows_answer_for_a_cap_that_is_still_to_be_chosen(self, tmp_path, limiter):
        """Rows kept open count units by size, and then give the very totals that a declared cap gives."""
        rows = some_rows(900, seed=8)
        survey = dm.read(write(rows, tmp_path / "s", "csv"))
        policy = dm.Policy(epsilon=1, unit="who", cap="auto:0.1:1-70", limiter=limiter)
        seen = [(PERSON[who], model_cell(x, y)) for who, x, y, _ in rows]
        seen = [
            place for place in (set(seen) if limiter == "presence" else seen) if None not in place
        ]
        sizes = Counter(who for who, _ in seen).values()
        expected = Counter(sum(size > rung for rung in policy.cap_choice.ladder) for size in sizes)
        with self.engine(2).opened(survey, the_grid(), policy, lambda step: None) as opened:
            tally = opened.tally(unit_sizes(policy))
            assert dict(zip(tally._bins.tolist(), tally._units.tolist(), strict=True)) == dict(
                expected
            )
            for cap in (3, 20):
                fixed = policy_of(limiter, cap)
                totals = opened.totals(capped_totals(fixed), make_prefilter(fixed, 1))
                found = {
                    c: s
                    for c, s in zip(totals._cells.tolist(), totals._steps.tolist(), strict=True)
                    if s
                }
                assert found == counted(self.engine(2), survey, the_grid(), fixed)

    def test_open_rows_tell_of_failures_in_one_line(self, tmp_path):
        """SQL that fails while rows are open quotes nothing, and no engine error hangs on behind it."""
        survey = dm.read(write(some_rows(20), tmp_path / "s", "csv"))
        with (
            pytest.raises(dm.errors.DpmapError) as told,
            self.engine(1).opened(survey, the_grid(), policy_of(), lambda step: None) as opened,
        ):
            opened.tally("SELECT nonsense")
        assert "nonsense" not in str(told.value) and told.value.__context__ is None

    @pytest.mark.parametrize("cap", [1, 4])
    def test_rows_as_units_count_once_each(self, tmp_path, cap):
        """With unit=row every row in the area counts one point, nameless or not."""
        rows = some_rows(1200)
        survey = dm.read(write(rows, tmp_path / "s", "csv"))
        found = counted(self.engine(2), survey, the_grid(), policy_of(cap=cap, unit="row"))
        assert found == model_totals(rows, limiter="scale", cap=cap, unit="row")

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("kind", [*TABLE_FORMATS, *LAYER_FORMATS])
    def test_every_format_gives_the_same_totals(self, tmp_path, kind, threads):
        """The same rows give the same map whatever file they were exported to, on any number of threads."""
        rows = some_rows(900, seed=5)
        if kind == "fgb":
            rows = [row for row in rows if row[1] is not None]
        path = write(rows, tmp_path / "s", kind)
        survey = dm.read(path, **dm.guess(path))
        for limiter in LIMITERS:
            found = counted(
                self.engine(threads), survey, the_grid(), policy_of(limiter, 3, consent="ok=yes")
            )
            assert found == model_totals(rows, limiter=limiter, cap=3, consent=True)

    def test_flatgeobuf_features_without_geometry_drop_alone(self, tmp_path):
        """A FlatGeobuf in which some features have no place is read, those features left out."""
        rows = some_rows(200, seed=5)
        survey = dm.read(write(rows, tmp_path / "s", "fgb"))
        found = counted(self.engine(1), survey, the_grid(), policy_of(cap=3))
        assert found == model_totals(rows, limiter="scale", cap=3)

    @pytest.mark.parametrize("limiter", LIMITERS)
    def test_row_order_and_file_split_do_not_matter(self, tmp_path, limiter):
        """Sorting the export or cutting it into other row groups leaves every bit of the totals as it was."""
        rows = some_rows(20000 if DEEP else 3000, seed=9)
        expected = model_totals(rows, limiter=limiter, cap=7)
        for number, group in enumerate((1000, 7, 100000)):
            random.Random(number).shuffle(rows)
            for kind in ("csv", "parquet", "geoparquet"):
                survey = dm.read(write(rows, tmp_path / f"s{number}{kind}", kind, group=group))
                assert (
                    counted(self.engine(1 + number % 2), survey, the_grid(), policy_of(limiter, 7))
                    == expected
                )

    @pytest.mark.parametrize("kind", ["csv", "parquet", "gpkg"])
    @pytest.mark.parametrize("shape", ["metres", "hexagons", "areas", "zones"])
    def test_every_grid_counts_the_cells_that_locate_names(self, tmp_path, kind, shape):
        """Metric squares with a mask, hexagons, districts and squares cut where UTM zones meet: the engine places points as the public
        grid does."""
        rows = some_rows(700, seed=3)
        triangle = shapely.Polygon([(-1.9, 50.1), (0.9, 50.2), (-0.4, 51.8)])
        halves = gpd.GeoDataFrame(
            geometry=[shapely.box(-2, 50, -0.5, 52), shapely.box(-0.5, 50, 1, 52)], crs="EPSG:4326"
        )
        grid = {
            "metres": lambda: dm.Grid.covering(triangle, cell="20 km"),
            "hexagons": lambda: dm.Grid.hexagons(triangle, resolution=4),
            "areas": lambda: dm.Grid.areas(halves),
            "zones": lambda: dm.Grid.official(triangle, grid="mgrs-10km"),
        }[shape]()
        placed = [row for row in rows if row[1] is not None]
        cells = grid.locate(
            np.array([float(x) for _, x, _, _ in placed]),
            np.array([float(y) for _, _, y, _ in placed]),
            "EPSG:4326",
        )
        seen: dict[Any, list[int]] = defaultdict(list)
        for (who, *_), cell in zip(placed, cells.tolist(), strict=True):
            if PERSON[who] is not None and cell >= 0:
                seen[PERSON[who]].append(cell)
        survey = dm.read(write(rows, tmp_path / "s", kind))
        for limiter in LIMITERS:
            assert counted(self.engine(2), survey, grid, policy_of(limiter, 4)) == limited(
                seen, limiter=limiter, cap=4
            )

    def test_units_of_several_columns(self, tmp_path):
        """A unit of two columns is a pair: ('a b', 'c') is not ('a', 'b c'), case and spaces aside; half a pair is none."""
        rows = [
            ("a b", "c"),
            ("A  B", "C "),
            ("a", "b c"),
            ("a", ""),
            ("", "c"),
            ("\u00c9", "x"),
            ("e\u0301", "X"),
            ("n/a", "x"),
        ]
        lines = ["p,q,lon,lat", *(f'"{p}","{q}",0.1,51.1' for p, q in rows)]
        (tmp_path / "s.csv").write_text("\n".join(lines), encoding="utf-8")
        found = counted(
            self.engine(1), dm.read(tmp_path / "s.csv"), the_grid(), policy_of(cap=1, unit="p+q")
        )
        assert list(found.values()) == [3 * 2**32]

    @pytest.mark.parametrize("kind", ["csv", "parquet", "geojson"])
    def test_columns_may_be_called_what_the_engine_calls_its_own(self, tmp_path, kind):
        """A survey whose columns are called unit, cell, x, y, weight, rows or survey is read like any other."""
        rows = some_rows(300, seed=4)
        frame = pd.DataFrame(
            [(r[3], r[0], r[1], r[2]) for r in rows], columns=["unit", "cell", "y", "x"]
        )
        for extra in (
            "weight",
            "steps",
            "rows",
            "survey",
            "located",
            "inside",
            "whole",
            "place",
            "name",
            "spelling",
        ):
            frame[extra] = "999"
        path = tmp_path / f"s.{kind}"
        options = dict(x="y", y="x", crs="EPSG:4326")  # the x column is called y
        if kind == "csv":
            frame.to_csv(path, index=False)
        elif kind == "parquet":
            frame.to_parquet(path)
        else:
            points = gpd.points_from_xy(frame["y"].astype(float), frame["x"].astype(float))
            gpd.GeoDataFrame(frame, geometry=points, crs="EPSG:4326").to_file(path)
            options = dm.guess(path)
        expected = model_totals(rows, limiter="scale", cap=2, consent=True)
        area = dm.Grid(
            bounds=(WEST, SOUTH, EAST, NORTH), shape=(ROWS, COLUMNS), crs="EPSG:4326", mask=None
        )
        survey = dm.read(path, **options)
        assert (
            counted(self.engine(2), survey, area, policy_of(cap=2, unit="cell", consent="unit=yes"))
            == expected
        )

    @pytest.mark.parametrize("kind", ["csv", "parquet", "geojson"])
    def test_columns_that_differ_in_case_only_are_not_confused(self, tmp_path, kind):
        """Where `Who` and `who` are two columns, the one that was named is the unit."""
        path = tmp_path / f"s.{kind}"
        frame = pd.DataFrame(
            {
                "Who": ["a", "b", "c", "d"],
                "who": ["z", "z", "z", "z"],
                "lon": [0.1] * 4,
                "lat": [51.1] * 4,
            }
        )
        if kind == "csv":
            frame.to_csv(path, index=False)
        elif kind == "parquet":
            frame.to_parquet(path)
        else:
            gpd.GeoDataFrame(
                frame, geometry=gpd.points_from_xy(frame.lon, frame.lat), crs="EPSG:4326"
            ).to_file(path)
        try:
            survey = dm.read(path, **dm.guess(path))
            found = [
                sum(
                    counted(
                        self.engine(1), survey, the_grid(), policy_of(cap=1, unit=unit)
                    ).values()
                )
                / 2**32
                for unit in ("Who", survey._source.columns[1])
            ]
        except dm.errors.BadInput:
            return  # refusing such a file is right too
        assert found == [4, 1]

    def test_repeated_columns_are_told_apart(self, tmp_path):
        """A header with repeated names is read, each column under a name of its own."""
        (tmp_path / "s.csv").write_text("a,a,a_2,lon,lat\nu,v,w,0.1,51.1\n")
        survey = dm.read(tmp_path / "s.csv")
        assert len({name.lower() for name in survey._source.columns}) == 5
        assert (
            sum(counted(self.engine(1), survey, the_grid(), policy_of(cap=1, unit="a")).values())
            == 2**32
        )

    @pytest.mark.parametrize("kind", ["csv", "parquet"])
    @pytest.mark.parametrize(
        "name", ["s[1]", "s*", "s?", "s'x", "who=all/s", "lon=7/s", "s;x", "s%20x", "s{a,b}"]
    )
    def test_only_the_named_file_is_read(self, tmp_path, name, kind):
        """File and folder names are names: no pattern in them reads other files, no `column=value` in them fills a column."""
        for other in ("s1", "s2", "sa", "sb"):
            write([("intruder", "0.1", "51.1", "yes")] * 3, tmp_path / other, kind)
        path = tmp_path / f"{name}.{kind}"
        path.parent.mkdir(exist_ok=True)
        rows = some_rows(50, seed=8)
        write(rows, tmp_path / "plain", kind).rename(path)
        found = counted(self.engine(1), dm.read(path), the_grid(), policy_of(cap=1))
        assert found == model_totals(rows, limiter="scale", cap=1)

    def test_a_bad_line_drops_alone(self, tmp_path):
        """A line with too many fields, too few or a huge field takes no other row with it; one that is no UTF-8 is
        read as cp1252, as old Windows exports are, and so counts as the person it then names.
        """
        good = [f"u{i},{x},51.1,yes" for i, x in enumerate(["0.1"] * 40)]
        bad = [
            b"u,1,2,3,4,5,6",
            b"only",
            b"\xff\xfe,0.1,51.1,yes",
            b"u,abc,51.1,yes",
            b"u,,51.1,yes",
            b"x" * 3_000_000 + b",900,51.1,yes",
            b",,,",
            b"",
        ]
        content = [b"who,lon,lat,ok"]
        for i, line in enumerate(good):
            content += [line.encode(), bad[i % len(bad)] if i < 16 else b""]
        (tmp_path / "s.csv").write_bytes(b"\n".join(content) + b"\n")
        for threads in (1, 2):
            found = counted(
                self.engine(threads), dm.read(tmp_path / "s.csv"), the_grid(), policy_of(cap=1)
            )
            assert sum(found.values()) == (40 + 1) * 2**32

    def test_an_unclosed_quote_takes_no_other_row_with_it(self, tmp_path):
        """A quote that is opened and never closed would swallow other people's rows: such a file is refused."""
        lines = ["who,lon,lat,ok", *(f"u{i},0.1,51.1,yes" for i in range(50))]
        (tmp_path / "with.csv").write_text(
            "\n".join([*lines[:20], 'bad,0.1,51.1,"yes', *lines[20:]]) + "\n"
        )
        with pytest.raises(dm.errors.BadInput, match="stray quote"):
            counted(self.engine(1), dm.read(tmp_path / "with.csv"), the_grid(), policy_of(cap=1))

    def test_notes_of_several_lines_in_a_large_file(self, tmp_path):
        """Quoted notes with line breaks and commas are one field, also in files that are read by several threads."""
        count = 200_000
        note = '"first line\nsecond, line, 0.1,51.1,yes\n' + "x" * 60 + '"'
        lines = [
            "who,lon,lat,note",
            *(f"u{i % 1000},0.1,51.1,{note if i % 3 else 'plain'}" for i in range(count)),
        ]
        (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
        for threads in (1, 2):
            found = counted(
                self.engine(threads), dm.read(tmp_path / "s.csv"), the_grid(), policy_of(cap=10**6)
            )
            assert sum(found.values()) == count * policy_of(cap=10**6).lattice

    @pytest.mark.parametrize(
        "type_",
        [
            pa.timestamp("us"),
            pa.list_(pa.float64()),
            pa.bool_(),
            pa.binary(),
            pa.struct([("a", pa.int64())]),
        ],
    )
    def test_odd_coordinate_types_are_bad_input(self, tmp_path, type_):
        """A coordinate column of a type that holds no numbers is a plain mistake, told as one."""
        table = pa.table({"who": ["a"], "lon": pa.array([None], type_), "lat": [51.1]})
        pq.write_table(table, tmp_path / "s.parquet")
        with pytest.raises(dm.errors.BadInput):
            counted(self.engine(1), dm.read(tmp_path / "s.parquet"), the_grid(), policy_of())

    @pytest.mark.parametrize(
        "values",
        [pa.array([7, 7, 8]), pa.array([7.0, 7.0, 8.0]), pa.array([b"x", b"x", b"y"]), pa.array(["x", "X", "y"]).dictionary_encode(),
         pa.array([True, True, False])],
    )  # fmt: skip
    def test_units_may_be_of_any_plain_type(self, tmp_path, values):
        """Numbers, bytes, categories and truth values name units as well as texts do."""
        pq.write_table(
            pa.table({"who": values, "lon": [0.1] * 3, "lat": [51.1] * 3}), tmp_path / "s.parquet"
        )
        found = counted(
            self.engine(1), dm.read(tmp_path / "s.parquet"), the_grid(), policy_of(cap=1)
        )
        assert list(found.values()) == [2 * 2**32]

    def test_infinite_and_missing_coordinates_fall_nowhere(self, tmp_path):
        """NaN, infinities and numbers too large for any map are dropped in silence, whatever way points are placed."""
        odd = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "", "0.1"]
        lines = [
            "who,lon,lat,ok",
            *(f"{i},{x},51.1,yes" for i, x in enumerate(odd)),
            *(f"n{i},0.1,{y},yes" for i, y in enumerate(odd)),
        ]
        (tmp_path / "s.csv").write_text("\n".join(lines))
        survey = dm.read(tmp_path / "s.csv")
        for grid in (
            the_grid(),
            dm.Grid.covering((WEST, SOUTH, EAST, NORTH), cell="20 km"),
            dm.Grid.hexagons((WEST, SOUTH, EAST, NORTH), resolution=3),
        ):
            assert (
                sum(counted(self.engine(1), survey, grid, policy_of(cap=1)).values()) == 2 * 2**32
            )
