"""What a cluster's tasks do, without a cluster: pieces are read, dealt and counted here, one after the other, as often as a
test likes, so that a task that runs twice or a bin that is read late is a line of a test and no luck."""

import random
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contract import counted, policy_of, some_rows, the_grid, write
from test_spark import READ, hard_rows

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.engine import Engine, EngineRows
from dpmap.engines.rows import chosen_for
from dpmap.engines.spark_task import KEPT, Task
from dpmap.promise.limiters import LIMITERS
from dpmap.survey.sources import Source


class ByHand(Engine):
    """Does what Spark does with tasks. `attempts` says how often each piece is done: each bin then takes the blocks of one
    attempt, as a partition does of a map task that ran twice."""

    def __init__(self, pieces=3, bins=4, attempts=1, memory="1GB"):
        self.pieces, self.bins, self.attempts, self.memory = pieces, bins, attempts, memory

    @contextmanager
    def opened(self, survey, grid, policy, progress):
        task = Task(
            chosen_for(survey, grid, policy), grid, list(range(self.bins)), self.memory, None
        )
        source = survey._source
        pieces = source.cut(self.pieces) if source.cut else [source]
        blocks = defaultdict(list)
        for number, piece in enumerate(pieces):
            attempts = [
                [bin_ for batch in task.rows(piece, str(number)) for bin_ in batch.to_pylist()]
                for _ in range(self.attempts)
            ]
            for bin_ in range(self.bins):
                rows = attempts[bin_ % self.attempts]
                blocks[bin_] += [row for row in rows if row["bin"] == bin_]
        yield ByHandRows(progress, task, blocks)


class ByHandRows(EngineRows):
    """The blocks of all pieces, bin by bin."""

    __slots__ = ("_blocks", "_task")

    def __init__(self, progress, task, blocks):
        super().__init__(progress)
        self._task, self._blocks = task, blocks

    def _run_sql(self, sql, key, value, prefilter):
        answers = defaultdict(list)
        for rows in self._blocks.values():
            random.Random(len(rows)).shuffle(rows)
            for batch in self._task.answers(iter([_batch(rows)]), sql, key, value, prefilter):
                for row in batch.to_pylist():
                    answers[row["bin"]].append(row)
        summed = [
            (row["key"], row["value"])
            for rows in answers.values()
            for batch in self._task.sums(iter([_batch(rows)]))
            for row in batch.to_pylist()
            if row["key"] != KEPT
        ]
        keys, values = np.array(sorted(summed) or np.empty((0, 2)), dtype=np.int64).T
        return keys, values


def _batch(rows):
    return pa.RecordBatch.from_pylist(rows, pa.schema([
        ("bin", pa.int64()), ("piece", pa.string()), ("kind", pa.string()), ("block", pa.binary())]))  # fmt: skip


@pytest.mark.parametrize("limiter", [*LIMITERS, "length"])
def test_a_unit_is_one_wherever_its_rows_are(tmp_path, limiter):
    """Teams, withdrawn units, rows that are units of their own, counts: the totals of one machine, in any pieces and bins.

    Pieces call different units by the same code, and one unit by different codes.
    """
    pq.write_table(hard_rows(), tmp_path / "s.parquet", row_group_size=100)
    survey = dm.read(tmp_path / "s.parquet", **READ)
    policy = policy_of(limiter, 7, consent="ok=yes")
    expected = counted(DuckDB(), survey, the_grid(), policy)
    assert len(expected) > 20
    for pieces, bins in ((5, 1), (6, 3)):
        assert counted(ByHand(pieces, bins), survey, the_grid(), policy) == expected


@pytest.mark.parametrize("limiter", ["sample", "presence", "length"])
@pytest.mark.parametrize("at_once", [100])
def test_a_partition_is_counted_some_units_at_a_time(tmp_path, monkeypatch, limiter, at_once):
    """The rows of one partition that are counted in buckets give the very totals, thinned or not."""
    monkeypatch.setattr("dpmap.engines.run_sql.AT_ONCE", at_once)
    rows = some_rows(900, seed=3)
    survey = dm.read(write(rows, tmp_path / "s", "parquet", group=100))
    for policy in (policy_of(limiter, 3), policy_of(limiter, 200, consent="ok=yes")):
        expected = counted(DuckDB(), survey, the_grid(), policy)
        assert counted(ByHand(), survey, the_grid(), policy) == expected


def test_a_piece_that_is_done_twice_counts_once_and_names_the_same(tmp_path):
    """Each bin takes one attempt's blocks, some the first's and some the second's, whose rows came in another order: no
    row is lost or counted twice, and rows that are units of their own are the same units.
    """
    table = hard_rows(600)
    pq.write_table(table, tmp_path / "s.parquet", row_group_size=100)
    survey = dm.read(tmp_path / "s.parquet", **READ)
    for limiter in ("scale", "sample"):
        policy = policy_of(limiter, 2, consent="ok=yes")
        expected = counted(DuckDB(), survey, the_grid(), policy)
        assert counted(ByHand(2, 3, attempts=2), survey, the_grid(), policy) == expected
    task = Task(chosen_for(survey, the_grid(), policy), the_grid(), list(range(5)), "1GB", None)
    order = random.Random(1).sample(range(len(table)), len(table))
    names = [_named(task, rows) for rows in (table, table.take(order))]
    assert names[0] == names[1]
    assert any(name.startswith("\x02") for _, name in names[0])


def _named(task, table):
    """Whom a piece of these rows names, and to which bins, with how many rows there."""

    @contextmanager
    def opened(wanted):
        yield table.select(wanted).to_reader()

    found = []
    for batch in task.rows(Source(task.chosen.columns, stream=opened), "7"):
        for block in batch.to_pylist():
            if block["kind"] == "names":
                read = pa.ipc.open_stream(block["block"]).read_all()
                found += [(block["bin"], name) for name in read["name"].to_pylist()]
    return sorted(found)


def test_a_unit_that_withdraws_in_one_piece_is_gone_from_all(tmp_path):
    """One refusal in the last row of the last piece takes the unit's rows of all pieces with it."""
    rows = [(f"p{i % 9}", "0.1", "51.1", "yes") for i in range(90)]
    rows.append(("P3 ", "0.1", "51.1", "no"))
    survey = dm.read(write(rows, tmp_path / "s", "parquet", group=10), consent_by="unit")
    policy = policy_of("scale", 100, consent="ok=yes")
    ((_, steps),) = counted(ByHand(3, 2), survey, the_grid(), policy).items()
    assert steps == 80 * policy.lattice
    assert counted(DuckDB(), survey, the_grid(), policy) == counted(
        ByHand(3, 2), survey, the_grid(), policy
    )


def test_rows_as_units_are_counted_where_they_are(tmp_path):
    """With unit=row nothing is numbered, and each row counts at most the cap."""
    survey = dm.read(write(some_rows(300), tmp_path / "s", "parquet", group=50))
    policy = policy_of(cap=1, unit="row")
    expected = counted(DuckDB(), survey, the_grid(), policy)
    assert counted(ByHand(), survey, the_grid(), policy) == expected


def test_squares_cut_at_zones_are_the_same_on_a_cluster(tmp_path):
    """Executors place points in the cells of MGRS, cut at 0 degrees, as one machine does, to the bit."""
    rows = some_rows(900, seed=2)
    survey = dm.read(write(rows, tmp_path / "s", "parquet", group=100))
    grid = dm.Grid.official((-2, 50, 1, 52), grid="mgrs-10km")
    assert {name[:2] for name in grid.names} == {"30", "31"}
    expected = counted(DuckDB(), survey, grid, policy_of("scale", 3))
    assert counted(ByHand(), survey, grid, policy_of("scale", 3)) == expected
    assert len(expected) > 20


def test_personal_limits_are_the_same_on_a_cluster(tmp_path):
    """A unit's strictest limit may stand in any piece of the survey; the totals are those of one machine, to the bit."""
    pq.write_table(hard_rows(), tmp_path / "s.parquet", row_group_size=100)
    survey = dm.read(tmp_path / "s.parquet", **READ)
    policy = dm.Policy(epsilon=1, unit="who", cap=7, consent="ok=yes", epsilon_by="own=0.1,0.5,1")
    expected = counted(DuckDB(), survey, the_grid(), policy)
    assert counted(ByHand(), survey, the_grid(), policy) == expected
    assert len(expected) > 20
    assert expected != counted(
        DuckDB(), survey, the_grid(), policy_of("scale", 7, consent="ok=yes")
    )


def test_a_mean_is_counted_alike(tmp_path):
    """The two parts of each row, with teams and clipped values, add up to the very totals of one machine."""
    pq.write_table(hard_rows(400), tmp_path / "s.parquet", row_group_size=60)
    given = {
        name: value
        for name, value in READ.items()
        if name not in ("missing_unit", "count", "max_count")
    }
    survey = dm.read(tmp_path / "s.parquet", **given, mean="n", between=(1, 6))
    grid = the_grid().layered(survey.roles.reading.values)
    expected = counted(DuckDB(), survey, grid, policy_of(cap=7, consent="ok=yes"))
    assert (
        counted(ByHand(), survey, grid, policy_of(cap=7, consent="ok=yes")) == expected
        and len(expected) > 20
    )


def test_layers_are_counted_as_on_one_machine(tmp_path):
    """Kinds and times: one cap over all layers, the same totals in pieces as in one."""
    rows = [(f"p{i % 37}", -1 + (i * 7 % 100) / 60, 50.1 + (i * 13 % 100) / 60, ("Owl", "kestrel", "Crow")[i % 3],
             f"202{i % 4}-05-01") for i in range(900)]  # fmt: skip
    names = ("who", "lon", "lat", "species", "date")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    pq.write_table(pa.table({name: list(column) for name, column in columns.items()}), tmp_path / "s.parquet",
                   row_group_size=100)  # fmt: skip
    grid = the_grid().layered(
        dm.Kinds("species", ("Owl", "Kestrel")), dm.Times("date", ("2020", "2021", "2023"))
    )
    survey = dm.read(tmp_path / "s.parquet", x="lon", y="lat", crs="EPSG:4326")
    expected = counted(DuckDB(), survey, grid, policy_of("sample", 5))
    assert counted(ByHand(), survey, grid, policy_of("sample", 5)) == expected
    assert max(expected) > the_grid().size
