"""Finds the columns inside nested ones, by their declared types alone: fields of structs, and
places held as pairs.

Parquet and tables in memory declare what lies in what, so the columns are known before a row is
read; SQL then takes each value out of its own row. `extra: struct<subject: struct<id>>` is read as
the column `extra__subject__id` too, as EarthRanger writes it, and a list of two numbers, or a
struct of longitude and latitude, as a place in one column.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput
from dpmap.survey.files.sanitize import plain
from dpmap.survey.formats import fold_name
from dpmap.survey.sources import MOST_COLUMNS, literal, quote_column

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

AT_ONCE = 1 << 16
BETWEEN = "__"
"""Stands between the names of a struct and of its field."""
DEEPEST = 16
PAIRS = (("longitude", "latitude"), ("lon", "lat"), ("lng", "lat"), ("long", "lat"), ("x", "y"))
"""What the two sides of a place in a struct are called, in lower case."""
LATITUDE_FIRST = ("_geolocation",)
"""Columns whose format writes latitude before longitude (KoboToolbox); every other pair is in
GeoJSON's order.
"""

Mended = Callable[[str, "pa.DataType", str], str]
"""Says how a value that is not nested is read: SQL from its own SQL, its type and its root;
empty if it is read as it stands.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """Holds a column that can be read: its name, its SQL (empty if it is read as it stands), and
    the `root` it is taken from.
    """

    name: str
    sql: str
    root: str

    @property
    def read(self) -> str:
        """The SQL that reads it from a relation of the roots."""
        return self.sql or quote_column(self.name)


def columns(schema: "pa.Schema", mended: Mended) -> tuple[Column, ...]:
    """Returns every column of a schema: those at the top as they are called, then the fields inside
    them.

    Where two would have one name (upper and lower case are not told apart), the one at the top
    stands, else the first.
    """
    top = [
        Column(field.name, _value(quote_column(field.name), field, mended, field.name), field.name)
        for field in schema
    ]
    taken = {one.name.lower() for one in top}
    names = list(top)
    for field in schema:
        for one in _inside(
            field.name, quote_column(field.name), plain(field.type), mended, field.name, 0
        ):
            if one.name.lower() not in taken:
                taken.add(one.name.lower())
                names.append(one)
            if len(names) > MOST_COLUMNS:
                raise BadInput(
                    f"survey: more than {MOST_COLUMNS:,} columns; export only those that are needed"
                )
    return tuple(names)


@contextmanager
def stream(
    columns: dict[str, Column],
    wanted: list[str],
    opened: "Callable[[list[str]], AbstractContextManager[pa.RecordBatchReader]]",
) -> "Iterator[pa.RecordBatchReader]":
    """Opens the wanted columns, given a way to open their roots; a small database of its own
    takes out what lies inside.
    """
    chosen = [columns[name] for name in wanted]
    roots = list(dict.fromkeys(one.root for one in chosen))
    if not any(one.sql for one in chosen):
        with opened(roots) as reader:
            yield reader
        return
    with opened(roots) as reader, _database() as database:
        database.register("roots", reader)
        selected = ", ".join(f"{one.read} AS {quote_column(one.name)}" for one in chosen)
        yield database.sql(f"SELECT {selected} FROM roots").to_arrow_reader(AT_ONCE)


@contextmanager
def _database() -> "Iterator[duckdb.DuckDBPyConnection]":
    """Opens a database in memory that loads nothing, and whose clock is UTC on every machine."""
    import duckdb

    config: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "threads": 1,
    }
    with duckdb.connect(":memory:", config=config) as database:
        database.execute("SET GLOBAL TimeZone = 'UTC'")
        yield database


def _inside(
    name: str, sql: str, kind: Any, mended: Mended, root: str, depth: int
) -> "Iterator[Column]":
    """Yields the fields of a struct and of the structs in it; a field whose name is no name of
    its own is passed over.
    """
    import pyarrow as pa

    if not pa.types.is_struct(kind) or depth >= DEEPEST:
        return
    for field in _fields(kind).values():
        called = f"{name}{BETWEEN}{field.name}"
        inner = _field(sql, field.name)
        column_type = plain(field.type)
        read = _value(inner, field, mended, root)
        if read or not pa.types.is_struct(column_type):
            yield Column(called, read or inner, root)
        yield from _inside(called, inner, column_type, mended, root, depth + 1)


def _fields(kind: Any) -> "dict[str, pa.Field]":
    """Returns a struct's fields by their names in lower case, without those that such a name
    does not tell apart.
    """
    fields = [kind.field(at) for at in range(kind.num_fields)]
    counts = Counter(field.name.lower() for field in fields)
    return {
        field.name.lower(): field
        for field in fields
        if counts[field.name.lower()] == 1 and field.name and field.name.isprintable()
    }


def _field(sql: str, name: str) -> str:
    return f"struct_extract({sql}, {literal(name)})"


def _value(sql: str, field: "pa.Field", mended: Mended, root: str) -> str:
    """Returns SQL that reads a value: a place as WKT, another list as text joined by "|"; empty
    if it is read as it stands.
    """
    import pyarrow as pa

    kind = plain(field.type)
    if pa.types.is_struct(kind):
        return _place(sql, kind)
    if not _is_list(kind):
        return mended(sql, kind, root)
    item = plain(kind.value_type)
    if _is_fraction(item) and getattr(kind, "list_size", 2) == 2:
        return _pair(sql, turned=fold_name(field.name) in LATITUDE_FIRST)
    inner = "item"
    if pa.types.is_struct(item) and item.num_fields == 1:
        inner = f"item.{quote_column(item.field(0).name)}"
        item = plain(item.field(0).type)
    inner = mended(inner, item, root) or inner
    return f"array_to_string(list_transform({sql}, lambda item: CAST({inner} AS VARCHAR)), '|')"


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_fraction(kind: Any) -> bool:
    """Whether numbers of this type may have a fraction: lists of whole numbers are ids, not
    places.
    """
    import pyarrow as pa

    return bool(pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _pair(sql: str, *, turned: bool = False, longer: bool = False) -> str:
    """Builds SQL that writes a list of two finite numbers as a point, longitude before latitude;
    any other list is empty.
    """
    both = f"CAST({sql} AS DOUBLE[])"
    first, second = (f"{both}[{at}]" for at in ((2, 1) if turned else (1, 2)))
    return _point(first, second, f"len({both}) {'>=' if longer else '='} 2")


def _place(sql: str, kind: Any) -> str:
    """Returns SQL for the place that a struct is by the names of its fields, as WKT; empty if it
    is none.
    """
    import pyarrow as pa

    fields = _fields(kind)
    for sides in PAIRS:
        if all(side in fields and not fields[side].type.num_fields for side in sides):
            x, y = (f"TRY_CAST({_field(sql, fields[side].name)} AS DOUBLE)" for side in sides)
            return _point(x, y)
    if {"type", "coordinates"} <= set(fields) and pa.types.is_string(plain(fields["type"].type)):
        position = plain(fields["coordinates"].type)
        if _is_list(position) and _is_fraction(plain(position.value_type)):
            pair = _pair(_field(sql, fields["coordinates"].name), longer=True)
            return f"CASE WHEN lower({_field(sql, fields['type'].name)}) = 'point' THEN {pair} END"
    return ""


def _point(x: str, y: str, also: str = "true") -> str:
    """Builds SQL that writes two numbers as WKT; NULL if one of them is missing or not finite."""
    return (
        f"CASE WHEN {also} AND isfinite({x}) AND isfinite({y}) THEN 'POINT (' || {x} || ' ' || {y}"
        " || ')' END"
    )
