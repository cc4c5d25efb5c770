"""Rows handed to a limiter's SQL as a table: DuckDB takes seconds to parse thousands of them written out."""

from functools import cache

import duckdb
import pyarrow as pa

SCHEMA = pa.schema(
    [("unit", pa.string()), ("cell", pa.int64()), ("weight", pa.int64()), ("level", pa.int64())]
)


def given(database, rows):
    """The words that make `rows` of tuples (unit, cell, weight) or (unit, cell, weight, level)."""
    columns = SCHEMA.names[: len(rows[0])]
    table = pa.table(
        {
            name: pa.array([row[at] for row in rows], SCHEMA.field(name).type)
            for at, name in enumerate(columns)
        }
    )
    database.register("given", table)
    return f"rows({', '.join(columns)}) AS (SELECT * FROM given)"


@cache
def parsed(text):
    """The statement, parsed once however often it is asked."""
    (statement,) = duckdb.extract_statements(text)
    return statement
