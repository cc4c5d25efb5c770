"""The embedded engine passes the contract, leaves nothing behind, and stays in the memory it is given."""

import json
import os
import subprocess
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contract import EngineContract, counted, model_totals, policy_of, some_rows, the_grid, write

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.prefilter import make_prefilter
from dpmap.engines.rows import UnitRows
from dpmap.engines.spill_buckets import Buckets
from dpmap.promise.limiters import LIMITERS
from dpmap.survey.files import strict_csv, text_columns
from dpmap.survey.row_sql import Selection
from dpmap.vault.cap_sql import CAPS, capped_totals


class TestDuckDB(EngineContract):
    """DuckDB under the contract of all engines."""

    @staticmethod
    def engine(threads):
        return DuckDB(threads=threads)


def test_the_spill_folder_is_private_and_wiped(tmp_path, monkeypatch):
    """What the engine writes on the way is readable by its user only, and gone afterwards, also after a failure."""
    spill = tmp_path / "spill"
    spill.mkdir()
    modes = []
    survey = dm.read(write(some_rows(100), tmp_path / "s", "csv"))

    def look(step):
        modes.extend(os.stat(spill / name).st_mode & 0o777 for name in os.listdir(spill))

    engine = DuckDB(folder=str(spill))
    counted(engine, survey, the_grid(), policy_of())
    engine.totals(survey, the_grid(), policy_of(), "SELECT 1 AS cell, 1 AS steps", look)
    with pytest.raises(dm.errors.DpmapError):
        engine.totals(survey, the_grid(), policy_of(), "SELECT nonsense", look)
    assert modes and set(modes) == {0o700}
    assert os.listdir(spill) == []


def test_little_memory_is_enough(tmp_path):
    """A survey is counted right with 100 MB for the engine."""
    rows = some_rows(8_000)
    survey = dm.read(write(rows, tmp_path / "s", "csv"))
    for limiter in LIMITERS:
        policy = policy_of(limiter, 5)
        assert counted(DuckDB(memory="100MB"), survey, the_grid(), policy) == counted(
            DuckDB(), survey, the_grid(), policy
        )


@pytest.mark.parametrize("at_once", [1, 7, 100])
@pytest.mark.parametrize("limiter", [*(name for name in LIMITERS if CAPS[name].first), "length"])
def test_units_are_counted_alike_some_at_a_time(tmp_path, monkeypatch, at_once, limiter):
    """However few units are counted at once, the same of their rows are kept."""
    rows = some_rows(400, seed=4)
    survey = dm.read(write(rows, tmp_path / "s", "csv"))
    monkeypatch.setattr("dpmap.engines.run_sql.AT_ONCE", at_once)
    for cap in (2, 30):
        found = counted(DuckDB(), survey, the_grid(), policy_of(limiter, cap))
        assert found == model_totals(rows, limiter=limiter, cap=cap)


def test_heavy_units_are_counted_alike_cell_by_cell(tmp_path, monkeypatch):
    """What is remembered of units with many rows gives the totals that their rows give, for a cap that is chosen too."""
    rows = some_rows(600, seed=6)
    survey = dm.read(write(rows, tmp_path / "s", "parquet"))
    monkeypatch.setattr("dpmap.engines.run_sql.AT_ONCE", 20)
    counted_heavy = []
    count_heavy = Buckets._count_heavy

    def count(buckets, batch):
        counted_heavy.append(len(buckets._heavy))
        return count_heavy(buckets, batch)

    monkeypatch.setattr(Buckets, "_count_heavy", count)
    for limiter in (name for name in LIMITERS if CAPS[name].first):
        for most_heavy in (0, 2, 8):
            monkeypatch.setattr("dpmap.engines.run_sql.MOST_HEAVY", most_heavy)
            found = counted(DuckDB(), survey, the_grid(), policy_of(limiter, 5))
            assert found == model_totals(rows, limiter=limiter, cap=5)
    assert min(counted_heavy) == 2 < max(counted_heavy)


@pytest.mark.parametrize("at_once", [3, 1 << 21])
def test_individuals_in_a_row_are_counted_alike_some_at_a_time(tmp_path, monkeypatch, at_once):
    """Rows that count differently go with their weight, and each unit is capped whole."""
    lines = ["who,lon,lat,n", *(f"p{i % 7},{-1.9 + i % 11 / 4},51.1,{i % 5}" for i in range(200))]
    (tmp_path / "s.csv").write_text("\n".join(lines))
    survey = dm.read(tmp_path / "s.csv", count="n", max_count=4)
    monkeypatch.setattr("dpmap.engines.run_sql.AT_ONCE", at_once)
    for limiter in LIMITERS:
        found = counted(DuckDB(), survey, the_grid(), policy_of(limiter, 9))
        assert sum(found.values()) <= 7 * 9 * 2**32 and len(found) > 1
        monkeypatch.undo()
        assert found == counted(DuckDB(), survey, the_grid(), policy_of(limiter, 9))


def test_a_survey_that_is_written_to_while_it_is_read_is_refused(tmp_path):
    """What was capped must be what is counted: files that are read twice stay as they are, or nothing is released."""
    path = write(some_rows(300), tmp_path / "s", "parquet")
    policy = policy_of()
    with DuckDB().opened(dm.read(path), the_grid(), policy, lambda step: None) as rows:
        rows.totals(capped_totals(policy))
        write(some_rows(300), tmp_path / "s", "parquet")
        with pytest.raises(dm.errors.BadInput, match="s.parquet changed while it was read"):
            rows.totals(capped_totals(policy))


def test_an_engine_that_leaves_rows_behind_counts_nothing(tmp_path, monkeypatch):
    """Every row that is read from a file must reach the engine's question, or the release fails before anything is spent."""
    survey = dm.read(write(some_rows(20_000), tmp_path / "s", "csv"))
    monkeypatch.setattr(strict_csv, "BLOCK", 1 << 12)
    assert counted(DuckDB(), survey, the_grid(), policy_of())
    monkeypatch.setattr(
        Selection, "over", lambda self, relation: f"(SELECT * FROM {relation} LIMIT 5)"
    )
    with pytest.raises(dm.errors.SystemFailed):
        counted(DuckDB(threads=1), survey, the_grid(), policy_of())


@pytest.mark.parametrize("lost", [0, 1])
def test_records_that_do_not_all_become_rows_count_nothing(tmp_path, monkeypatch, lost):
    """The rows that are cut from a text are as many as its lines say, or the release fails."""
    survey = dm.read(write(some_rows(200), tmp_path / "s", "csv"))
    find = text_columns._find_field_ends
    fewer = lambda *told: np.delete(find(*told), -1) if lost else find(*told)
    monkeypatch.setattr(text_columns, "_find_field_ends", fewer)
    if not lost:
        assert counted(DuckDB(), survey, the_grid(), policy_of())
        return
    with pytest.raises(dm.errors.SystemFailed):
        counted(DuckDB(), survey, the_grid(), policy_of())


def test_what_a_file_says_of_its_names_makes_no_row_depend_on_others(tmp_path):
    """A Parquet file whose statistics are wrong about who is in it counts alike, whoever else is in the survey."""
    for name, who, x in (("a", "ana", -1.9), ("b", "bob", 0.1), ("z", "zzz", 0.9)):
        rows = {"who": [who] * 200, "lon": [x] * 200, "lat": [51.1] * 200}
        pq.write_table(pa.table(rows), tmp_path / f"{name}.parquet")
    wrong = (tmp_path / "a.parquet").read_bytes()
    start = len(wrong) - 8 - int.from_bytes(wrong[-8:-4], "little")
    (tmp_path / "a.parquet").write_bytes(wrong[:start] + wrong[start:].replace(b"ana", b"zzz"))
    several = counted(DuckDB(), dm.read(tmp_path / "*.parquet"), the_grid(), policy_of())
    (tmp_path / "z.parquet").unlink()
    fewer = counted(DuckDB(), dm.read(tmp_path / "*.parquet"), the_grid(), policy_of())
    assert len(several) == 3 and fewer.items() < several.items() and len(fewer) == 2


def test_a_failure_while_units_are_put_together_is_told_as_what_it_is(tmp_path, monkeypatch):
    """Memory that runs out there is no damaged file."""
    survey = dm.read(write(some_rows(40), tmp_path / "s", "csv"))

    def full(buckets, at):
        raise duckdb.OutOfMemoryException("full")

    monkeypatch.setattr("dpmap.engines.spill_buckets.Buckets.rows", full)
    with pytest.raises(dm.errors.SystemFailed, match="memory ran out"):
        counted(DuckDB(), survey, the_grid(), policy_of("sample"))


def test_one_damaged_part_among_a_hundred_is_named(tmp_path):
    """One line names the part; nothing is spent."""
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(100):
        duckdb.sql(
            f"COPY (SELECT 'p' || i AS who, i % 10 + 0.5 AS x, 0.5 AS y FROM range(500) t(i)) TO '{parts}/part-{number:03}.parquet'"
        )
    bad = parts / "part-057.parquet"
    content = bytearray(bad.read_bytes())
    content[50:900] = bytes(850)
    bad.write_bytes(content)
    grid = dm.Grid(bounds=(0, 0, 10, 1), shape=(1, 10), crs="EPSG:3857")
    survey = dm.read(parts, x="x", y="y", crs="EPSG:3857")
    with pytest.raises(
        dm.errors.BadInput, match="part-057.parquet breaks off or is damaged"
    ) as told:
        dm.release(survey, grid, policy_of(), ledger=tmp_path / "l", dataset="d", budget=1)
    assert str(tmp_path) not in str(told.value) and "\n" not in str(told.value)
    assert not (tmp_path / "l").exists()


NO_ROOM = """
import resource, sys
import dpmap as dm
from dpmap.engines import run_sql
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.prefilter import make_prefilter
from dpmap.engines.rows import RowTable
from dpmap.engines.spill_buckets import Buckets
run_sql.AT_ONCE = 1 << 19
most, memory, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
survey = dm.read(folder + "/s.parquet", x="x", y="y", crs="EPSG:3857")
grid = dm.Grid(bounds=(0, 0, 1000, 1000), shape=(1000, 1000), crs="EPSG:3857")
policy = dm.Policy(epsilon=1, unit="who", cap=3, limiter="sample")
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
try:
    dm.release(survey, grid, policy, ledger=folder + "/l", dataset="d", budget=1, strategy="flat",
               engine=DuckDB(memory=memory, threads=1, folder=folder + "/spill"))
except dm.errors.SystemFailed as told:
    print(told)
"""


@pytest.mark.parametrize(
    ("most", "memory", "words"), [(1 << 19, "50MB", "disk"), (1 << 40, "8MB", "memory ran out")]
)
def test_no_room_is_one_line_that_spends_nothing(tmp_path, most, memory, words):
    """A full disk where the engine spills, or too little memory: one line says which; no ledger, nothing left behind."""
    (tmp_path / "spill").mkdir()
    duckdb.sql(
        "COPY (SELECT 'person ' || i % 100000 AS who, (i * 7919) % 1000 + 0.5 AS x, (i * 104729) % 1000 + 0.5 AS y "
        f"FROM range(1000000) t(i)) TO '{tmp_path}/s.parquet'"
    )
    done = subprocess.run(
        [sys.executable, "-c", NO_ROOM, str(most), memory, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert words in done.stdout and done.stdout.count("\n") == 1, (done.stdout, done.stderr)
    assert (
        sorted(os.listdir(tmp_path)) == ["s.parquet", "spill"]
        and os.listdir(tmp_path / "spill") == []
    )


def test_rows_that_a_full_disk_does_not_take_are_missed(tmp_path):
    """However few bytes are left unwritten, nothing is counted without them."""
    code = """
import resource, signal, sys
from contextlib import ExitStack
import numpy as np
from dpmap.engines.prefilter import make_prefilter
from dpmap.engines.rows import RowTable
from dpmap.engines.spill_buckets import Buckets
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60, 60))
rows = np.repeat(np.arange(1, 3, dtype=np.int64) << 32, 10)
with ExitStack() as closing:
    Buckets(2, 2, sys.argv[1], closing).put([{"row": rows}]).rows(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True
    )
    assert "File too large" in done.stderr and os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_pattern_names_the_parts_of_one_survey(tmp_path, kind):
    """`part-*.csv` reads the parts it names, and no other file; one that names none says so."""
    rows = some_rows(120, seed=2)
    for part in range(3):
        write(rows[part::3], tmp_path / f"part-{part}", kind)
    write([("intruder", "0.1", "51.1", "yes")] * 9, tmp_path / "other", kind)
    survey = dm.read(f"{tmp_path}/part-*.{kind}")
    assert counted(DuckDB(), survey, the_grid(), policy_of()) == model_totals(
        rows, limiter="scale", cap=3
    )
    with pytest.raises(dm.errors.BadInput, match="there is no file none"):
        dm.read(f"{tmp_path}/none-*.{kind}")


@pytest.mark.parametrize("limiter", LIMITERS)
@pytest.mark.parametrize(
    "names",
    [
        ["ana", "bob", "cy"],  # as they are folded
        ["Ana", "BOB", "Žofie"],  # folding changes each, and joins none
        ["Ana", "ana ", "bob"],  # two texts of one unit
        ["ana|bob", "bob", "cy"],  # two units in one text
        ["ana|bob", "cy", "n/a"],  # as many names as texts, but not one each
        ["ana|bob", "bob", "n/a"],
        ["ana", "unknown", "cy"],
    ],
)
def test_a_text_is_a_unit_only_where_each_is_exactly_one(tmp_path, monkeypatch, limiter, names):
    """Whether rows are joined to codes or their texts serve as codes, the totals are the same."""
    rows = [(names[i % 3], f"{-1.9 + i % 7 / 4}", "51.1", "yes") for i in range(90)]
    survey = dm.read(write(rows, tmp_path / "s", "parquet"), team="auto")
    policy = policy_of(limiter, 4)
    found = counted(DuckDB(), survey, the_grid(), policy)
    each_is_one = names in (["ana", "bob", "cy"], ["Ana", "BOB", "Žofie"])
    with DuckDB().opened(survey, the_grid(), policy, lambda step: None) as opened:
        assert opened._rows.by_unit._one_text_each is each_is_one
        opened._rows.by_unit._one_text_each = False
        coded = opened.totals(capped_totals(policy), make_prefilter(policy, 1))
    pairs = zip(coded._cells.tolist(), coded._steps.tolist(), strict=True)
    assert found == {cell: steps for cell, steps in pairs if steps}


def test_a_text_that_is_taken_for_a_unit_wrongly_is_noticed(tmp_path, monkeypatch):
    """Were texts always taken for units, two spellings of one person would count up to the cap each."""
    rows = [(("Ana", "ana ")[i % 2], f"{-1.9 + i % 7 / 4}", "51.1", "yes") for i in range(90)]
    survey = dm.read(write(rows, tmp_path / "s", "parquet"))
    policy = policy_of(cap=4)
    most = 4 * policy.lattice
    assert sum(counted(DuckDB(), survey, the_grid(), policy).values()) <= most
    always = property(lambda _: True, lambda *_: None)
    monkeypatch.setattr(UnitRows, "_one_text_each", always, raising=False)
    assert sum(counted(DuckDB(), survey, the_grid(), policy).values()) > most


def test_joins_look_up_units_and_not_rows(tmp_path):
    """The table in memory of each join is that of units, however few rows the planner expects."""
    survey = dm.read(write(some_rows(20_000), tmp_path / "s", "parquet"))
    policy = policy_of("scale", 3)
    with DuckDB(threads=1).opened(survey, the_grid(), policy, lambda step: None) as opened:
        rows = opened._rows
        for sql in ("SELECT * FROM rows", "SELECT * FROM rows JOIN wholes USING (unit)"):
            plan = rows.database.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()[0][1]
            joins = _joins(json.loads(plan))
            assert joins
            for join in joins:
                assert "READ_PARQUET" not in json.dumps(join["children"][1]).upper()


def _joins(nodes):
    """All joins of a plan."""
    below = [join for node in nodes for join in _joins(node.get("children", []))]
    return below + [node for node in nodes if "JOIN" in node["name"].upper()]
