"""Spark on two executors: time over Spark's own bare count, bytes shuffled per row, and an executor killed in mid-job.

    python benchmarks/spark_scale.py [ROWS] [--runs 5] [--check]

The floor is Spark's own count per cell of the same file, with no privacy, in the same session: its Parquet reader, the same
arithmetic for the cell in its SQL, compiled. Beside it, the same with the cell found by numpy in its Python workers, as one
does for any other grid. Each run asks all of them in turn, after three that warm Java up; printed are the medians and spread of
the runs' own ratios, of wall time and of CPU seconds of all processes, which other work on the machine moves least.
All in one `local-cluster`: two executors of one core each, as separate processes. `--check` compares totals instead, with a
straggler, with a killed executor and with all of them killed again and again.
"""

import argparse
import os
import signal
import statistics
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
from dpmap.engines.prefilter import make_prefilter
from dpmap.engines.spark import Spark
from dpmap.promise.limiters import LIMITERS
from dpmap.vault.cap_sql import capped_totals

warnings.simplefilter("ignore")
GRID = dm.Grid(bounds=(-10, 35, 30, 60), shape=(500, 800), crs="EPSG:4326")


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
    made = engine.totals(
        survey, GRID, policy, capped_totals(policy), lambda step: None, make_prefilter(policy, 1)
    )
    order = np.argsort(made._cells)
    return made._cells[order], made._steps[order]


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def floor(session, path):
    """Spark's own count per cell, all in its SQL."""
    west, south, _, _ = GRID.cells.bounds
    (width, height), (rows, columns) = GRID.cells.cell, GRID.cells.shape
    step = "CAST(least(floor({0}), {1} - 1) AS BIGINT)"
    return (
        session.read.parquet(path)
        .selectExpr(
            f"(lon - {west!r}D) / {width!r}D + 1e-9D AS across",
            f"(lat - {south!r}D) / {height!r}D + 1e-9D AS up",
        )
        .where(f"across >= 0 AND across - 2e-9D <= {columns} AND up >= 0 AND up - 2e-9D <= {rows}")
        .selectExpr(
            f"({rows} - 1 - {step.format('up', rows)}) * {columns} + {step.format('across', columns)} AS cell"
        )
        .groupBy("cell")
        .count()
        .toArrow()
    )


def floor_in_python(session, path):
    """Spark's own count per cell, the cells found by numpy."""

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


def processes():
    """All processes that this one started, and their own: {pid: (command, CPU seconds)}."""
    found = subprocess.run(
        ["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True
    ).stdout.splitlines()
    rows = [line.split(None, 2) for line in found[1:]]
    mine, grown = {str(os.getpid())}, True
    while grown:
        grown = {pid for pid, parent, _ in rows if parent in mine} - mine
        mine |= grown
    return {int(pid): words for pid, _, words in rows if pid in mine}


def cpu_seconds():
    """What all of them have used so far; those that ended count with whoever waited for them."""
    used = 0
    for pid in processes():
        try:
            told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        used += sum(map(int, told[11:15]))
    return used / os.sysconf("SC_CLK_TCK")


def shuffled(session):
    """Bytes that all stages so far wrote for others to read."""
    stages = (
        session.sparkContext._jsc.sc()
        .statusStore()
        .stageList(
            None,
            False,
            False,
            session.sparkContext._gateway.new_array(session._jvm.double, 0),
            None,
        )
    )
    return sum(stages.apply(i).shuffleWriteBytes() for i in range(stages.size()))


def executors():
    """The process ids of this cluster's executors."""
    return [
        pid
        for pid, words in processes().items()
        if "CoarseGrainedExecutorBackend" in words and "java" in words
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
                survey,
                GRID,
                policy,
                ledger=book,
                dataset="d",
                budget=1,
                engine=Spark(session, pieces=8),
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
    """(answer, wall seconds, CPU seconds)"""
    used, start = cpu_seconds(), time.perf_counter()
    answer = work()
    wall = time.perf_counter() - start
    return answer, wall, cpu_seconds() - used


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
    expected = {
        limiter: totals(DuckDB(memory="1GB", threads=1), survey, limiter) for limiter in LIMITERS
    }
    print("straggler, same totals:", same(totals(Spark(session), slow, "scale"), expected["scale"]))
    for limiter in LIMITERS:
        left = killed(
            session, lambda limiter=limiter: totals(Spark(session, pieces=8), survey, limiter)
        )
        print(
            f"executor killed, {limiter}, same totals:", same(left, expected[limiter]), flush=True
        )
    print(
        "executors lost for good, one line, nothing spent:",
        lost_for_good(session, survey, os.path.dirname(path)),
    )


def spread(numbers):
    return f"{statistics.median(numbers):5.2f} ({min(numbers):.2f} to {max(numbers):.2f})"


def compare(session, survey, path, rows, runs):
    """Every contender in turn, `runs` times after three that are not counted; then the ratios."""
    contenders = {
        "bare count": lambda: floor(session, path),
        "bare count, cells in Python": lambda: floor_in_python(session, path),
        **{
            limiter: lambda limiter=limiter: totals(Spark(session), survey, limiter)
            for limiter in LIMITERS
        },
    }
    bare = [floor(session, path), floor_in_python(session, path)]
    print(
        "both bare counts alike:", same(*[one.sort_by("cell").to_pydict().values() for one in bare])
    )
    taken, sent = {name: [] for name in contenders}, {}
    for run in range(runs + 3):
        for name, work in contenders.items():
            before = shuffled(session)
            answer, *times = timed(work)
            sent[name] = (shuffled(session) - before) / rows
            if run >= 3:
                taken[name].append(times)
            if name in LIMITERS and run == 0:
                print(f"{name}: same totals as one machine's:",
                      same(answer, totals(DuckDB(memory="2GB"), survey, name)), flush=True)  # fmt: skip
        print(f"run {run}, load {os.getloadavg()[0]:.1f}", {name: [round(one, 2) for one in taken[name][-1]] for name in taken if taken[name]},
              flush=True)  # fmt: skip
    for name, times in taken.items():
        walls, cpus = ([one[at] for one in times] for at in (0, 1))
        print(
            f"{name:28} {statistics.median(walls):6.2f} s  CPU {statistics.median(cpus):6.2f} s  shuffled {sent[name]:5.1f} B a row"
        )
        for bare in list(contenders)[:2] if name in LIMITERS else ():
            ratios = [
                [one[at] / other[at] for one, other in zip(times, taken[bare], strict=True)]
                for at in (0, 1)
            ]
            print(f"{'':8} over {bare:28} wall {spread(ratios[0])}   CPU {spread(ratios[1])}")


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("rows", nargs="?", type=lambda word: int(float(word)), default=2_000_000)
    asked.add_argument("--runs", type=int, default=5)
    asked.add_argument("--check", action="store_true")
    asked = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "survey.parquet")
        write_survey(path, asked.rows)
        survey, session = dm.read(path), cluster()
        print(
            f"{asked.rows:,} rows, {max(asked.rows // 50, 1):,} units, {GRID.size:,} cells, two executors of one core"
        )
        if asked.check:
            check(session, survey, path)
        else:
            compare(session, survey, path, asked.rows, asked.runs)
        session.stop()


if __name__ == "__main__":
    main()
