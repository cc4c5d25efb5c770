"""Answers the vault's SQL from the rows of one database: in one pass over the files, or some
units at a time.
"""

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.engines.engine import NAMES, NUMBERED, WHOLES, RowPrefilter
from dpmap.engines.rows import RowTable, single_number
from dpmap.engines.spill_buckets import Buckets, most_files
from dpmap.engines.spill_buckets import Rows as Columns
from dpmap.errors import SystemFailed
from dpmap.private_totals import BY_ITSELF

if TYPE_CHECKING:
    import duckdb

Numbers = NDArray[np.int64]
AT_ONCE = 1 << 20
"""So many rows are counted at once on each thread, or fewer where little memory is allowed."""
EACH = 100
"""So many bytes a row takes meanwhile."""


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

    def __init__(self, rows: RowTable, meter: QueryMeter, closing: ExitStack) -> None:
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
        buckets = self._buckets = self._buckets or self._scattered()
        with ThreadPoolExecutor(
            single_number(self._database, "SELECT current_setting('threads')")
        ) as workers:
            answered = workers.map(
                lambda bucket: self._bucket(buckets, bucket, sql, prefilter),
                buckets.largest_first(),
            )
            for done, _ in enumerate(answered):
                self._meter.done = 50 + 50 * done / buckets.count
        self._meter.done = -1.0

    def _scattered(self) -> Buckets:
        """Puts the rows into buckets, which last as long as the rows."""
        threads, folder, memory_limit = self._database.execute(
            "SELECT current_setting('threads'), current_setting('temp_directory'),"
            " current_setting('memory_limit')"
        ).fetchall()[0]
        room = _bytes(memory_limit)
        at_once = max(
            min(AT_ONCE, room // (4 * threads * EACH)), self._rows.row_count // most_files()
        )
        needed = (8 if self._rows.alike else 64) * self._rows.largest() + threads * at_once * EACH
        if needed > 0.75 * room:
            raise SystemFailed(
                "engine: one unit's rows alone are more than the memory holds; allow more with"
                " --memory"
            )
        self._database.execute(f"SET memory_limit = '{room - needed}B'")
        self._closing.callback(self._database.execute, f"SET memory_limit = '{room}B'")
        buckets = Buckets(
            self._rows.units, -(-self._rows.row_count // at_once), folder, self._closing
        )
        return buckets.put(self._metered(self._rows.coded(at_once=buckets.count == 1)))

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
        columns = buckets.rows(bucket)
        if not len(columns.get("row", ())):
            return
        with self._database.cursor() as database:
            first, last = buckets.units(bucket)
            database.execute(
                "CREATE TEMP VIEW names AS SELECT unit, name FROM memory.main.names WHERE unit"
                f" BETWEEN {first} AND {last}"
            )
            if prefilter is not None and self._rows.alike:
                columns = {
                    "row": prefilter_rows(
                        database, columns["row"], prefilter, self._rows.chosen.weight
                    )
                }
            table = {
                "unit": (columns["row"] >> 32).astype(np.int32),
                "cell": columns["row"] & 0xFFFFFFFF,
                **columns,
            }
            database.register("bucket_rows", table)
            weight = (
                f"{self._rows.chosen.weight} AS weight"
                if self._rows.alike
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
    database: "duckdb.DuckDBPyConnection", rows: Numbers, prefilter: RowPrefilter, weight: str
) -> Numbers:
    """Returns the rows that the cap counts, by the units' orders, which the vault's SQL answers."""
    rows.sort()
    units = np.arange(rows[0] >> 32, (rows[-1] >> 32) + 1)
    row_count = np.diff(np.append(np.searchsorted(rows, units << 32), len(rows)))
    database.register("seen", {"unit": units, "row_count": row_count})
    database.execute(
        f"CREATE TEMP VIEW sizes AS SELECT unit, row_count * {weight} AS whole, row_count"
        " FROM seen WHERE row_count > 0"
    )
    return prefilter.kept(rows, database.execute(prefilter.orders).fetchnumpy())
