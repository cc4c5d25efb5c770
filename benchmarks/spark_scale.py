"""Spark on two executors: time over Spark's own bare count, bytes shuffled per row, and an executor killed in mid-job.

    python benchmarks/spark_scale.py [ROWS] [--check]

The floor reads the same file, finds each point's cell by the same grid step and counts per cell, with no privacy. All
in one run of a `local-cluster`: two executors of one core each, as separate processes. `--check` compares totals instead,
with a straggler, with a killed executor and with all of them killed again and again.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.spark import Spark
from dpmap.vault.limiter import capped_totals

warnings.simplefilter("ignore")
GRID = dm.Grid(bounds=(-10, 35, 30, 60), shape=(500, 800), crs="EPSG:4326")
LIMITERS = ("scale", "sample", "presence")


def write_survey(path, rows):
    """Points of `rows` / 50 people around a few towns."""
    dice = np.random.default_rng(7)
    writer = None
    for start in range(0, rows, 1 << 18):
        count = min(1 << 18, rows - start)
        town = dice.integers(0, 400, count)
        table = pa.table(
            {
                "who": [f"observer-{i}" for i in dice.integers(0, max(rows // 50, 1), count)],
                "lon": (town % 20) * 1.9 - 9 + dice.normal(0, 0.3, count),
                "lat": (town // 20) * 1.2 + 35.5 + dice.normal(0, 0.2, count),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def cluster():
    """Two executors of one core, which find dpmap where this process does."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    root = str(Path(dm.__file__).parents[1])
    settings = {
        "spark.ui.enabled": "false", "spark.eventLog.enabled": "false", "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF", "spark.executorEnv.PYTHONPATH": root, "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.speculation": "true", "spark.sql.shuffle.partitions": "8",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(),
    }  # fmt: skip
    building = SparkSession.builder.master("local-cluster[2,1,1024]")
    for key, value in settings.items():
        building = building.config(key, value)
    return building.getOrCreate()


def totals(engine, survey, limiter):
    policy = dm.Policy(epsilon=1, unit="who", cap=10, limiter=limiter)
    made = engine.totals(survey, GRID, policy, capped_totals(policy), lambda step: None)
    order = np.argsort(made._cells)
    return made._cells[order], made._steps[order]


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def floor(session, path):
    """Spark's own count per cell."""

    def located(batches):
        for batch in batches:
            cell = GRID.locate(batch.column(0).to_numpy(), batch.column(1).to_numpy())
            yield pa.record_batch({"cell": cell[cell >= 0]})

    return (
        session.read.parquet(path)
        .select("lon", "lat")
        .mapInArrow(located, "cell bigint")
        .groupBy("cell")
        .count()
        .toArrow()
    )


def shuffled(session):
    """Bytes that all stages so far wrote for others to read."""
    stages = (
        session.sparkContext._jsc.sc()
        .statusStore()
        .stageList(None, False, False, session.sparkContext._gateway.new_array(session._jvm.double, 0), None)
    )
    return sum(stages.apply(i).shuffleWriteBytes() for i in range(stages.size()))


def executors():
    """The process ids of this cluster's executors."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout.splitlines()
    rows = [line.split(None, 2) for line in found[1:]]
    mine, grown = {str(os.getpid())}, True
    while grown:
        grown = {pid for pid, parent, _ in rows if parent in mine} - mine
        mine |= grown
    return [
        int(pid)
        for pid, _, words in rows
        if pid in mine and "CoarseGrainedExecutorBackend" in words and "java" in words
    ]


def killed(session, work):
    """What the work answers although an executor dies while its first stage runs."""
    box = {}
    running = threading.Thread(target=lambda: box.update(answer=work()))
    running.start()
    tracker, victim = session.sparkContext.statusTracker(), None
    while running.is_alive() and victim is None:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numCompletedTasks >= 1 for stage in stages):
            victim = executors()[0]
            os.kill(victim, signal.SIGKILL)
        time.sleep(0.05)
    running.join()
    assert victim is not None, "the job was over before an executor could be killed; use more rows"
    return box["answer"]


def lost_for_good(session, survey, folder):
    """Whether a release whose executors are killed whenever they run ends in one line, and has spent nothing."""
    box, book = {}, os.path.join(folder, "lost.ledger")
    policy = dm.Policy(epsilon=1, unit="who", cap=10)

    def release():
        try:
            box["made"] = dm.release(
                survey, GRID, policy, ledger=book, dataset="d", budget=1, engine=Spark(session, pieces=8)
            )
        except dm.errors.SystemFailed as error:
            box["told"] = str(error)

    running = threading.Thread(target=release)
    running.start()
    tracker = session.sparkContext.statusTracker()
    while running.is_alive():
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numActiveTasks for stage in stages):
            for victim in executors():
                os.kill(victim, signal.SIGKILL)
        time.sleep(0.5)
    running.join()
    print("  it says:", box.get("told"))
    spent = os.path.exists(book) and dm.Ledger(book).balance()[1] > 0
    return "\n" not in box.get("told", "\n") and "engine: " in box["told"] and not spent


def timed(work):
    start = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - start


def check(session, survey, path):
    """A straggler and a killed executor change nothing; executors that are lost for good are one line."""

    def sleepy(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        if context.partitionId() == 0 and context.attemptNumber() == 0:
            time.sleep(8)
        yield from batches

    frame = session.read.parquet(path)
    slow = dm.read(frame.repartition(6).mapInArrow(sleepy, frame.schema))
    expected = {limiter: totals(DuckDB(memory="1GB", threads=1), survey, limiter) for limiter in LIMITERS}
    print("straggler, same totals:", same(totals(Spark(session), slow, "scale"), expected["scale"]))
    for limiter in LIMITERS:
        left = killed(session, lambda limiter=limiter: totals(Spark(session, pieces=8), survey, limiter))
        print(f"executor killed, {limiter}, same totals:", same(left, expected[limiter]), flush=True)
    print("executors lost for good, one line, nothing spent:", lost_for_good(session, survey, os.path.dirname(path)))


def main():
    numbers = [int(float(word)) for word in sys.argv[1:] if word[0].isdigit()]
    rows = numbers[0] if numbers else 5_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "survey.parquet")
        write_survey(path, rows)
        survey = dm.read(path)
        session = cluster()
        print(f"{rows:,} rows, {max(rows // 50, 1):,} units, {GRID.size:,} cells, two executors of one core")
        if "--check" not in sys.argv:
            floor(session, path)  # Python and Java are warm for all
            totals(Spark(session), survey, "scale")
            for limiter in LIMITERS:
                before = shuffled(session)
                _, bare = timed(lambda: floor(session, path))
                between = shuffled(session)
                found, ours = timed(lambda limiter=limiter: totals(Spark(session), survey, limiter))
                expected, alone = timed(lambda limiter=limiter: totals(DuckDB(memory="2GB"), survey, limiter))
                print(f"{limiter:9} {ours:6.1f} s   bare count {bare:6.1f} s   ratio {ours / bare:4.2f}   DuckDB alone {alone:6.1f} s"
                      f"   shuffled {(shuffled(session) - between) / rows:5.1f} B a row (bare {(between - before) / rows:4.2f})"
                      f"   same totals: {same(found, expected)}", flush=True)  # fmt: skip
        else:
            check(session, survey, path)
        session.stop()


if __name__ == "__main__":
    main()
