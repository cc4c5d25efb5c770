"""Answers the vault's SQL from the rows of one database: in one pass over the files, or some
units at a time.
"""

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.engines.engine import NAMES, NUMBERED, WHOLES, RowPrefilter
from dpmap.engines.row_runs import Numbers, RowRuns
from dpmap.engines.rows import UnitRows, single_number
from dpmap.engines.spill_buckets import Buckets, most_files
from dpmap.engines.spill_buckets import Rows as Columns
from dpmap.errors import SystemFailed
from dpmap.private_totals import BY_ITSELF

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

AT_ONCE = 1 << 20
"""So many rows are counted at once on each thread, or fewer where little memory is allowed."""
EACH = 100
"""So many bytes a row takes meanwhile."""
MOST_HEAVY = 8
"""Of so many units at most, with more rows than are counted at once, rows are counted by cell."""
MOST_CELLS = 1 << 20
"""Rows are counted by cell on grids of at most so many cells, for little memory."""


class QueryMeter:
    """Returns how many percent are done: of the database's own query, or where many make one step,
    of that (`done`).
    """

    def __init__(self, database: "duckdb.DuckDBPyConnection") -> None:
        self._database = database
        self.done = -1.0

    def __call__(self) -> float:
        """Returns the percentage, below 0 where it is unknown."""
        return self.done if self.done >= 0 else self._database.query_progress()


class Answering:
    """Answers SQL over `rows` and what stands beside them; of buckets of units it adds up the
    answers, key by key.
    """

    def __init__(self, rows: UnitRows, meter: QueryMeter, closing: ExitStack) -> None:
        self._rows = rows
        self._database = rows.database
        self._meter = meter
        self._closing = closing
        self._buckets: Buckets | None = None

    def answer(
        self, sql: str, key: str, value: str, prefilter: RowPrefilter | None
    ) -> tuple[Numbers, Numbers]:
        """Returns what the SQL answers: its keys, each once, and their values."""
        ask = self._database.execute
        if not self._rows.units:
            for name, view in (("names", NAMES), ("numbered", NUMBERED), ("wholes", WHOLES)):
                ask(f"CREATE VIEW IF NOT EXISTS {name} AS {view}")
        if not self._rows.units or sql.startswith(BY_ITSELF):
            with self._rows.texts_as_units():
                columns: Mapping[str, NDArray[Any]] = ask(sql).fetchnumpy()
        else:
            ask("CREATE OR REPLACE TABLE answers (key BIGINT, value BIGINT)")
            self._by_buckets(
                f"INSERT INTO answers SELECT {key}, {value} FROM ({sql}) AS answer", prefilter
            )
            columns = ask(
                f"SELECT key AS {key}, CAST(SUM(value) AS BIGINT) AS {value} FROM answers GROUP"
                " BY key"
            ).fetchnumpy()
        return np.asarray(columns[key], dtype=np.int64), np.asarray(columns[value], dtype=np.int64)

    def _by_buckets(self, sql: str, prefilter: RowPrefilter | None) -> None:
        """Runs the SQL once over each bucket, on as many threads as the engine may use."""
        thinned = prefilter is not None and self._rows.chosen.alike
        buckets = self._buckets = self._buckets or self._scattered(thinned=thinned)
        order = buckets.largest_first()
        with ThreadPoolExecutor(
            single_number(self._database, "SELECT current_setting('threads')")
        ) as workers:
            answered = workers.map(
                lambda bucket: self._bucket(buckets, bucket, sql, prefilter),
                order,
            )
            for done, _ in enumerate(answered):
                self._meter.done = 50 + 50 * done / len(order)
        self._meter.done = -1.0

    def _scattered(self, *, thinned: bool) -> Buckets:
        """Puts the rows into buckets, which last as long as the rows; of heavy units they are
        only counted, where they are `thinned` before the SQL sees them.
        """
        threads, folder, memory_limit = self._database.execute(
            "SELECT current_setting('threads'), current_setting('temp_directory'),"
            " current_setting('memory_limit')"
        ).fetchall()[0]
        room = _bytes(memory_limit)
        at_once = max(
            min(AT_ONCE, room // (4 * threads * EACH)), self._rows.row_count // most_files()
        )
        largest = self._rows.largest(MOST_HEAVY + 1)
        heavy = dict[int, int]()
        if thinned and self._rows.cells <= MOST_CELLS:
            heavy = {
                unit: row_count
                for unit, row_count in list(largest.items())[:MOST_HEAVY]
                if row_count > at_once
            }
        most_rows = max(
            (row_count for unit, row_count in largest.items() if unit not in heavy), default=0
        )
        needed = (
            (8 if self._rows.chosen.alike else 64) * most_rows
            + 4 * 8 * self._rows.cells * len(heavy)
            + threads * at_once * EACH
        )
        if needed > 0.75 * room:
            raise SystemFailed(
                "engine: one unit's rows alone are more than the memory holds; allow more with"
                " --memory"
            )
        self._database.execute(f"SET memory_limit = '{room - needed}B'")
        self._closing.callback(self._database.execute, f"SET memory_limit = '{room}B'")
        light_rows = self._rows.row_count - sum(heavy.values())
        buckets = Buckets(
            self._rows.units, -(-light_rows // at_once), folder, self._closing, list(heavy)
        )
        all_at_once = buckets.count == 1 and not heavy
        return buckets.put(self._metered(self._rows.coded(at_once=all_at_once)))

    def _metered(self, batches: "Iterator[Columns]") -> "Iterator[Columns]":
        """Yields the batches, and tells how far they are: to put rows into buckets is about half
        of the work.
        """
        rows_read = 0
        for batch in batches:
            rows_read += len(batch["row"])
            self._meter.done = 50 * rows_read / self._rows.row_count
            yield batch

    def _bucket(
        self, buckets: Buckets, bucket: int, sql: str, prefilter: RowPrefilter | None
    ) -> None:
        """Runs the SQL over one bucket, with what stands beside its rows."""
        thinned = prefilter is not None and self._rows.chosen.alike
        runs = buckets.runs(bucket) if thinned else None
        columns = buckets.rows(bucket) if runs is None else {"row": runs.distinct}
        if not len(columns.get("row", ())):
            return
        with self._database.cursor() as database:
            first, last = buckets.units(bucket)
            database.execute(
                "CREATE TEMP VIEW names AS SELECT unit, name FROM memory.main.names WHERE unit"
                f" BETWEEN {first} AND {last}"
            )
            if prefilter is not None and runs is not None:
                counted = prefilter_rows(database, runs, prefilter, self._rows.chosen.weight)
                columns = {"row": counted}
            table = {
                "unit": (columns["row"] >> 32).astype(np.int32),
                "cell": columns["row"] & 0xFFFFFFFF,
                **columns,
            }
            database.register("bucket_rows", table)
            weight = (
                f"{self._rows.chosen.weight} AS weight"
                if self._rows.chosen.alike
                else self._rows.chosen.counted
            )
            database.execute(
                f"CREATE TEMP VIEW rows AS SELECT unit, cell, {weight} FROM bucket_rows"
            )
            database.execute(f"CREATE TEMP VIEW numbered AS {NUMBERED}")
            database.execute(f"CREATE TEMP VIEW wholes AS {WHOLES}")
            database.execute(sql)


def _bytes(text: str) -> int:
    """Reads how much memory the database says it may take, like 1.3 GiB."""
    # its own form
    number, unit = re.fullmatch(r"([0-9.]+) ?(\w+)", text).groups()  # type: ignore[union-attr]
    return int(
        float(number) * 1024 ** ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB").index(unit)
    )


def prefilter_rows(
    database: "duckdb.DuckDBPyConnection", runs: RowRuns, prefilter: RowPrefilter, weight: str
) -> Numbers:
    """Returns the rows that the cap counts, by the units' orders, which the vault's SQL answers."""
    units, row_count = runs.count_by_unit()
    database.register("seen", {"unit": units, "row_count": row_count})
    database.execute(
        f"CREATE TEMP VIEW sizes AS SELECT unit, row_count * {weight} AS whole, row_count FROM seen"
    )
    return prefilter.kept(runs, database.execute(prefilter.orders).fetchnumpy())
