"""The cluster engine gives the embedded one's totals on any pieces of any survey, and keeps what it reads to itself."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contract import (
    DEEP,
    EngineContract,
    counted,
    model_totals,
    policy_of,
    some_rows,
    the_grid,
    write,
)

import dpmap as dm
from dpmap.engines import spark as spark_engine
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.spark import Spark, _check_unwatched, _error_of_job, _started
from dpmap.engines.spark_blocks import _hashed
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.permute_and_flip import unit_sizes

RUNNING = {}
PLAIN = {
    "spark.sql.shuffle.partitions": "2", "spark.sql.adaptive.enabled": "false", "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}  # fmt: skip
"""Compiling a query takes longer than answering it over so few rows."""


@pytest.fixture(scope="module", autouse=True)
def session():
    """One session for all tests of this file: starting Spark takes seconds."""
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        '--driver-java-options "-XX:TieredStopAtLevel=1" --master local[2] pyspark-shell'
    )
    with tempfile.TemporaryDirectory() as private:
        RUNNING["session"], RUNNING["folder"] = _started(private), private
        for key, value in PLAIN.items():
            RUNNING["session"].conf.set(key, value)
        yield RUNNING["session"]
        RUNNING.pop("session").stop()
    del os.environ["PYSPARK_SUBMIT_ARGS"]


def several(pieces=3):
    return Spark(RUNNING["session"], pieces=pieces)


if DEEP:  # two hundred counts of a second each

    class TestSpark(EngineContract):
        """Spark under the whole contract of all engines, each survey in several pieces."""

        @staticmethod
        def engine(threads):
            return several(1 + threads)


@pytest.mark.parametrize(
    ("kind", "limiter", "consent"), [("csv", "scale", "ok=yes"), ("parquet", "sample", None), ("gpkg", "presence", "ok=yes"), ("csv", "length", None)]
)  # fmt: skip
def test_spark_counts_what_the_model_counts(tmp_path, kind, limiter, consent):
    """Each limiter gives what its definition says, from a table, from Parquet cut in pieces, and from a layer."""
    rows = some_rows(900, seed=2)
    survey = dm.read(write(rows, tmp_path / "s", kind, group=100))
    expected = model_totals(rows, limiter=limiter, cap=3, consent=consent is not None)
    assert (
        counted(several(), survey, the_grid(), policy_of(limiter, 3, consent=consent)) == expected
    )


READ = dict(
    team=";",
    missing_unit="own-unit",
    consent_by="unit",
    count="n",
    max_count=5,
    x="lon",
    y="lat",
    crs="EPSG:4326",
)


def hard_rows(count=1200):
    """Teams, rows that name nobody, refusals elsewhere, counts: all that a unit's other rows have a say in."""
    rows = some_rows(count, seed=6)
    names = [
        who if i % 3 else f"{who or 'n/a'}; Person {i % 40};  bob "
        for i, (who, *_) in enumerate(rows)
    ]
    told = ["no" if i % 90 == 0 else "yes" for i in range(count)]
    table = pa.table({"who": pa.array(names, pa.string()), "ok": told, "n": [str(i % 8) for i in range(count)],
                      "own": [("1", "0.5", "0,7", "", "little", "0.1")[i % 97 % 6] for i in range(count)]})  # fmt: skip
    for place, name in ((1, "lon"), (2, "lat")):
        column = [None if row[place] is None else float(row[place]) for row in rows]
        table = table.append_column(name, pa.array(column, pa.float64()))
    return table


def test_what_crosses_pieces_is_the_same_in_all_of_them(tmp_path):
    """Teams, withdrawn units, rows that are units of their own, counts: a file in pieces and Spark's own table in any
    partitioning give the very totals of one machine.
    """
    pq.write_table(hard_rows(), tmp_path / "s.parquet", row_group_size=100)
    frame = RUNNING["session"].read.parquet(str(tmp_path / "s.parquet"))
    for limiter, table in (
        ("scale", frame.repartition(5)),
        ("sample", None),
        ("presence", frame.coalesce(1)),
    ):
        policy = policy_of(limiter, 7, consent="ok=yes")
        survey = dm.read(tmp_path / "s.parquet", **READ)
        expected = counted(DuckDB(), survey, the_grid(), policy)
        cut = dm.read(table, **READ) if table is not None else survey
        assert counted(several(), cut, the_grid(), policy) == expected
        assert len(expected) > 20


def test_rows_kept_open_answer_twice_and_tell_of_failures_in_one_line(tmp_path):
    """Units by size, then the totals, as from one machine; SQL that fails quotes nothing."""
    pq.write_table(hard_rows(500), tmp_path / "s.parquet")
    survey = dm.read(tmp_path / "s.parquet", **READ)
    policy, fixed = dm.Policy(epsilon=1, unit="who", cap="auto:0.1:1-70"), policy_of(cap=3)
    shares = survey.roles.shares
    found = []
    for engine in (DuckDB(), several()):
        with engine.opened(survey, the_grid(), policy, lambda step: None) as rows:
            tally = rows.tally(unit_sizes(policy, shares))
            totals = rows.totals(capped_totals(fixed, shares))
            found.append((sorted(zip(tally._bins.tolist(), tally._units.tolist(), strict=True)),
                          sorted(zip(totals._cells.tolist(), totals._steps.tolist(), strict=True))))  # fmt: skip
    assert found[0] == found[1]
    with (
        pytest.raises(dm.errors.SystemFailed) as told,
        several().opened(survey, the_grid(), policy, lambda step: None) as rows,
    ):
        rows.tally("SELECT nonsense")
    assert "nonsense" not in str(told.value) and told.value.__context__ is None


@pytest.mark.skipif(not DEEP, reason="a cluster of its own, killed again and again: minutes")
def test_a_cluster_that_loses_executors_counts_the_same_or_says_so():
    """A straggler, an executor killed in mid-job: the same totals. All of them, again and again: one line, nothing spent."""
    root = Path(dm.__file__).parents[1]
    done = subprocess.run([sys.executable, root / "benchmarks/spark_scale.py", "400000", "--check"], capture_output=True,
                          text=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root), "PYSPARK_SUBMIT_ARGS": "pyspark-shell"})  # fmt: skip
    told = [
        line
        for line in done.stdout.splitlines()
        if ": " in line and not line.startswith("  it says")
    ]
    assert len(told) == 5 and all(line.endswith("True") for line in told), (
        done.stdout + done.stderr[-500:]
    )


def test_a_damaged_shard_is_one_line_and_costs_nothing(tmp_path):
    """A shard that breaks off inside ends the count with one line, and the ledger still holds the whole budget."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for number in range(4):
        write(some_rows(60, seed=number), folder / f"s{number}", "parquet")
    whole = (folder / "s2.parquet").read_bytes()
    (folder / "s2.parquet").write_bytes(whole[:40] + b"\xff" * 400 + whole[440:])
    book = tmp_path / "l"
    with pytest.raises(dm.errors.BadInput, match="damaged") as told:
        dm.release(
            dm.read(folder),
            the_grid(),
            policy_of(),
            ledger=book,
            dataset="d",
            budget=1,
            engine=several(),
        )
    assert told.value.__context__ is None and "\n" not in str(told.value)
    assert not dm.Ledger(book).events() if book.exists() else True


def test_a_blank_unit_and_swapped_axes_are_told_as_on_one_machine(tmp_path):
    """What is for the operator's screen is the same line, found piece by piece."""
    swapped = [(who, y, x, said) for who, x, y, said in some_rows(300)]
    blank = [("n/a", *rest) for _, *rest in some_rows(300)]
    uncounted = [(who, x, y, "two") for who, x, y, _ in some_rows(300)]
    for number, rows in enumerate((swapped, blank, uncounted)):
        counts = {"count": "ok", "max_count": 9} if rows is uncounted else {}
        survey = dm.read(write(rows, tmp_path / f"s{number}", "parquet", group=50), **counts)
        said = []
        for engine in (DuckDB(), several()):
            with pytest.raises(dm.errors.BadInput) as told:
                counted(engine, survey, the_grid(), policy_of())
            said.append(str(told.value))
        assert said[0] == said[1]


def test_only_spark_counts_a_spark_table(tmp_path):
    """The embedded engine says which engine to name; a name such a table cannot have is refused."""
    frame = RUNNING["session"].createDataFrame(
        [("a", 0.1, 51.1)], "who string, lon double, lat double"
    )
    with pytest.raises(dm.errors.BadInput, match="engines.Spark"):
        counted(DuckDB(), dm.read(frame), the_grid(), policy_of())
    with pytest.raises(dm.errors.BadInput, match="layer: it is for files"):
        dm.read(frame, layer="x")


def test_its_own_session_is_quiet_and_private():
    """No UI, no event log; everything on disk lies in folders that only this user opens, on this machine only."""
    conf = RUNNING["session"].conf
    assert conf.get("spark.ui.enabled") == "false" and conf.get("spark.eventLog.enabled") == "false"
    assert conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert stat.S_IMODE(os.stat(RUNNING["folder"]).st_mode) == 0o700
    assert any(name.startswith("blockmgr") for name in os.listdir(RUNNING["folder"]))


@pytest.mark.parametrize(
    ("setting", "name"), [("spark.ui.enabled", "UI"), ("spark.eventLog.enabled", "event log")]
)
def test_a_session_that_keeps_counts_is_refused_unless_allowed(setting, name):
    """UI and event log keep exact counts of rows and units: refused, unless who sees them may see the survey; the
    secret of a sample is kept from them always.
    """
    values = {"spark.ui.enabled": "false", setting: "true"}
    session = SimpleNamespace(conf=SimpleNamespace(get=lambda key, usual: values.get(key, usual)))
    with pytest.raises(dm.errors.Refused, match=f"session's {name} would keep exact counts"):
        _check_unwatched(session, policy_of(), watched=False)
    _check_unwatched(session, policy_of(), watched=True)
    sampled = dm.Policy(epsilon=1, unit="who", cap=1, sample="1/2")
    with pytest.raises(dm.errors.Refused, match="secret"):
        _check_unwatched(session, sampled, watched=True)


def test_a_lost_executor_and_a_full_disk_are_one_line_each():
    """Spark's own many lines, which may quote rows, become one that does not."""
    lost = "Job aborted: Task 3 in stage 1.0 failed 4 times: ExecutorLostFailure (executor 1 exited) row: Ana 51.1"
    for text, line in ((lost, "lost more often"), ("java.io.IOException: No space left on device Ana", "disk is full"),
                       ("java.lang.OutOfMemoryError: Ana", "memory"), ("what nobody foresaw: Ana", "logs tell")):  # fmt: skip
        told = _error_of_job(RuntimeError(text), "mark")
        assert isinstance(told, dm.errors.SystemFailed) and line in str(told)
        assert "Ana" not in str(told) and "\n" not in str(told)
    own = _error_of_job(
        RuntimeError("Traceback\nRuntimeError: mark BadInput: survey: it is damaged\n at line 3"),
        "mark",
    )
    assert isinstance(own, dm.errors.BadInput) and str(own) == "survey: it is damaged"


def test_pieces_hold_every_row_once(tmp_path):
    """Cut in any number, a Parquet file's rows and those of a folder of shards are each in exactly one piece."""
    (tmp_path / "f").mkdir()
    for number, size in enumerate((1, 500, 37)):
        pq.write_table(pa.table({"i": range(number * 1000, number * 1000 + size), "lon": [0.0] * size, "lat": [1.0] * size}),
                       tmp_path / "f" / f"{number}.parquet", row_group_size=50)  # fmt: skip
    import duckdb

    for count in (1, 4, 1000):
        pieces = dm.read(tmp_path / "f")._source.cut(count)
        with duckdb.connect() as database:
            found = [
                i
                for piece in pieces
                for (i,) in database.sql(f"SELECT i FROM {piece.sql}").fetchall()
            ]
        assert sorted(found) == [0, *range(1000, 1500), *range(2000, 2037)]
        assert len(pieces) >= min(count, 3)


def test_bins_go_where_spark_sends_them():
    """Our hash of a bin's number is Spark's own, so that each partition of a shuffle gets as many."""
    ((found,),) = (
        RUNNING["session"]
        .sql("SELECT transform(sequence(0L, 99L), number -> hash(number))")
        .collect()
    )
    assert found == [_hashed(number) for number in range(100)]


def test_spark_that_cannot_start_says_what_it_needs(monkeypatch, tmp_path):
    """Without a Java that works there is one line that names what to install, and the screen is left as it was."""
    monkeypatch.setattr("pyspark.SparkConf", lambda: 1 / 0)
    with pytest.raises(dm.errors.SystemFailed, match="Java 17"):
        spark_engine._started(str(tmp_path))
