"""Reads tables and queries of PostgreSQL over Arrow: read-only, at one moment, with no password in
any message.

Every column is asked for as plain numbers, booleans or text, so that it reads as it would from a
file. A geometry of PostGIS comes as WKB, its CRS from the SRID that its column declares or, where
none is declared, from each row's own.
"""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpmap import postgresql
from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.grid import crs as crs_tools
from dpmap.postgresql import EXAMPLE
from dpmap.survey.sources import Source, distinct, list_columns, literal

if TYPE_CHECKING:
    import pyarrow as pa

SRID = "dpmap srid"
"""The column that says each row's CRS, where its geometry column declares none."""
NATIVE = ("int2", "int4", "int8", "float8", "bool", "text", "varchar")
SPATIAL = ("geometry", "geography")
BATCH_BYTES = 4 << 20
SETTINGS = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL extra_float_digits = 1",
)


def is_address(path: str) -> bool:
    """Whether this is a PostgreSQL address rather than a path.

    >>> is_address("postgresql://ana@localhost/nests"), is_address("nests.csv"), is_address(
    ...     "C:/nests.csv"
    ... )
    (True, False, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path) is not None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Holds what is read of a relation: an SQL expression for each column, by its name here."""

    relation: str
    expressions: dict[str, str]


def open_database(address: str, *, table: str | None, query: str | None) -> Source:
    """Opens one table or query, looking at its columns only."""
    _check_address(address)
    if table is not None and query is not None:
        raise BadInput("--table: a query names its own tables; give --table or --query")
    with _session(address) as session:
        relation = _relation(session, table, query)
        fields = postgresql.serve(lambda: _columns(session, relation), _error_of_state)
        names = tuple(distinct([field.name for field in fields]))
        spots = [at for at, field in enumerate(fields) if _kind(field) in SPATIAL]
        if len(spots) > 1:
            which = list_columns(tuple(names[at] for at in spots))
            raise BadInput(
                f"place: several columns hold geometry ({which}); give a --query that selects one"
                " of them"
            )
        home = _home_of_postgis(session) if spots else ""
        column_sql = {
            name: _plain(field, at, home)
            for at, (name, field) in enumerate(zip(names, fields, strict=True))
        }
        wanted = _Wanted(
            f"{relation} AS survey ({', '.join(f'c{at}' for at in range(len(names)))})", column_sql
        )
        if not spots:
            return _source(address, wanted, Source(names))
        crs = (
            _declared_crs(session, relation, fields[spots[0]].name, home)
            if table is not None
            else None
        )
        if crs is None:
            srid = f"{home}.ST_SRID(c{spots[0]}::{home}.geometry)"
            column_sql[SRID] = f"(SELECT {_SYSTEM} FROM {home}.spatial_ref_sys WHERE srid = {srid})"
    return _source(
        address, wanted, Source(names, names[spots[0]], crs, systems=SRID if crs is None else "")
    )


def _source(address: str, wanted: _Wanted, about: Source) -> Source:
    """Returns the source: it opens a session for each reading, or one for several that must
    agree.
    """

    @contextmanager
    def alone(columns: list[str]) -> "Iterator[pa.RecordBatchReader]":
        with _session(address) as session, _stream(session, wanted, columns) as reader:
            yield reader

    @contextmanager
    def moment() -> Iterator[Source]:
        with _session(address) as session:
            yield replace(about, stream=lambda columns: _stream(session, wanted, columns))

    return replace(about, stream=alone, moment=moment)


def _check_address(address: str) -> None:
    """Refuses an invalid address, and one with a password."""
    if not postgresql.is_postgresql(address):
        raise BadInput(
            f"survey: of addresses only PostgreSQL's are read, like {EXAMPLE}, and s3://, gs:// and"
            " https://; else give a file"
        )
    postgresql.check_no_password(address, "survey")


@contextmanager
def _session(address: str) -> Iterator[Any]:
    """Opens a connection with one read-only transaction, which sees the database at one moment."""
    with closing(postgresql.connect(address, _error_of_state)) as session:
        for setting in SETTINGS:
            _ask(session, setting)
        yield session


def _ask(session: Any, statement: str) -> list[tuple[Any, ...]]:
    return postgresql.ask(session, _error_of_state, statement)


def _tables(session: Any, which: str = "true") -> tuple[str, ...]:
    """Lists the tables and views by quoted name, without those of extensions."""
    rows = _ask(
        session,
        "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid ="
        " c.relnamespace WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND"
        " n.nspname !~ '^(pg_|information_schema$)' AND NOT EXISTS (SELECT FROM pg_depend d WHERE"
        f" d.objid = c.oid AND d.deptype = 'e') AND {which} ORDER BY 1",
    )
    return tuple(str(row[0]) for row in rows)


def _relation(session: Any, table: str | None, query: str | None) -> str:
    """Returns the text that follows FROM; a table's name is taken as it is written, or else in
    lower case as SQL would.
    """
    if query is not None:
        bare = query.strip().rstrip("; \n\t")
        if not bare:
            raise BadInput("--query: it is empty; give one SELECT")
        return f"({bare}\n)"
    if table is None:
        raise BadInput(
            f"survey: a database holds many tables; add --table NAME ({_offer(session)}) or --query"
            " SELECT"
        )
    bare = table.replace('"', "")
    for name in (literal(bare), literal(bare.lower())):
        named = (
            f"(c.relname = {name} AND pg_table_is_visible(c.oid) OR n.nspname || '.' || c.relname ="
            f" {name})"
        )
        if matching := _tables(session, named):
            return matching[0]
    raise BadInput(f"--table: there is no such table; the database has {_offer(session)}")


def _offer(session: Any) -> str:
    return list_columns(_tables(session)) or "none yet"


def _columns(session: Any, relation: str) -> "pa.Schema":
    with session.cursor() as cursor:
        return cursor.adbc_execute_schema(f"SELECT * FROM {relation} AS survey")


def _kind(field: "pa.Field") -> str:
    """Returns the name of a column's type in PostgreSQL."""
    return str((field.metadata or {}).get(b"POSTGRESQL:type", b"").decode())


def _plain(field: "pa.Field", at: int, home: str) -> str:
    """Converts a column in SQL to a number, a boolean, text or WKB; an array's items are joined
    by "|".
    """
    kind = _kind(field)
    column = f"c{at}"
    if kind in SPATIAL:
        return f"{home}.ST_AsBinary({column})"
    if kind in NATIVE:
        return column
    return f"array_to_string({column}, '|')" if kind.startswith("_") else f"{column}::text"


def _home_of_postgis(session: Any) -> str:
    """Returns the schema that PostGIS is installed in; it need not be on the search path."""
    rows = _ask(
        session,
        "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid ="
        " e.extnamespace WHERE e.extname = 'postgis'",
    )
    if not rows:
        raise BadInput(
            "place: the database has geometry but no PostGIS; give a --query with x and y columns"
        )
    return str(rows[0][0])


_SYSTEM = (
    "CASE WHEN auth_name IN ('EPSG', 'ESRI') THEN auth_name || ':' || auth_srid ELSE srtext END"
)


def _declared_crs(session: Any, relation: str, column: str, home: str) -> str | None:
    """Returns the CRS that a table's geometry column declares, or None."""
    srid = (
        "CASE WHEN format_type(a.atttypid, NULL) LIKE '%geography' AND a.atttypmod < 0 THEN 4326"
        f" ELSE {home}.postgis_typmod_srid(a.atttypmod) END"
    )
    rows = _ask(
        session,
        f"SELECT {_SYSTEM} FROM pg_attribute a JOIN {home}.spatial_ref_sys ON srid = {srid} "
        f"WHERE a.attrelid = {literal(relation)}::regclass AND a.attname = {literal(column)}",
    )
    return crs_tools.text_of(rows[0][0]) if rows and rows[0][0] is not None else None


@contextmanager
def _stream(session: Any, wanted: _Wanted, columns: list[str]) -> "Iterator[pa.RecordBatchReader]":
    """Streams some columns; if the server fails while rows arrive, its own one-line error is
    raised.
    """
    import pyarrow as pa

    selected = ", ".join(wanted.expressions[column] for column in columns) or "1"
    failed: list[DpmapError] = []
    with session.cursor() as cursor:
        cursor.adbc_statement.set_options(
            **{"adbc.postgresql.batch_size_hint_bytes": str(BATCH_BYTES)}
        )
        postgresql.serve(
            lambda: cursor.execute(f"SELECT {selected} FROM {wanted.relation}"), _error_of_state
        )
        reader = cursor.fetch_record_batch()
        kinds = [field.type for field in reader.schema]
        schema = pa.schema(list(zip(columns or ["one"], kinds, strict=True)))

        def batches() -> "Iterator[pa.RecordBatch]":
            while not failed:
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    return
                # Arrow's kinds, whose words are the server's and may hold values
                except Exception:  # noqa: BLE001
                    failed.append(_broken(session))
                    return
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

        yield pa.RecordBatchReader.from_batches(schema, batches())
    if failed:
        raise failed[0]


def _broken(session: Any) -> DpmapError:
    """Returns the error for rows that stop coming: Arrow keeps no SQLSTATE, so the session is
    asked whether it still lives.
    """
    try:
        postgresql.serve(session.rollback, _error_of_state)
        _ask(session, "SELECT 1")
    except DpmapError as failure:
        return failure
    return _error_of_state("25P02", "")


def _error_of_state(state: str, words: str) -> DpmapError:
    """Returns the error to raise for this SQLSTATE; without one there was no connection."""
    if failure := postgresql.explain_connection("database", state, words):
        return failure
    if not state or state.startswith(("08", "57P")):
        return SystemFailed("database: the connection broke off while rows were read; try again")
    if state == "25P02" or state.startswith(("21", "22", "P0")):
        return BadInput(
            "database: the server fails on some of the rows, or would have to write; find out why"
            " with psql"
        )
    if state in ("42P01", "3F000"):
        return BadInput("database: a table that is named is not there; check --table or --query")
    if state == "42501":
        return SystemFailed(
            "database: this user has no right to read that; ask its owner to grant SELECT"
        )
    if state == "25006":
        return BadInput("--query: it writes, and dpmap only reads; give one SELECT")
    if state.startswith("42") or state == "0A000":
        return BadInput(
            "--query: the server does not understand it; give one SELECT that runs in psql (dpmap"
            " only reads)"
        )
    return SystemFailed(f"database: the server stopped (SQLSTATE {state}); try the same with psql")
