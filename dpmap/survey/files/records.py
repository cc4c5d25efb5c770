"""Reads files whose records name their own fields: each record by itself, in columns declared
beforehand.

JSON, GeoJSON, KML and GPX have no header: every record says anew what its fields are called. So the
steward declares which columns there are (`dpmap init` looks into the file and writes them down); a
record without one of them has nothing there, and what else it holds is not looked at. Every value
becomes text by itself.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.sources import Schema, Source, check_told_apart, distinct

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]
GEOMETRY = "wkb_geometry"
"""The column of a record's place as WKB, where its format has one."""
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Kind:
    """Describes a kind of record file: its name, its reader, and whether its records have a
    geometry in degrees.
    """

    name: str
    title: str
    rows: Callable[[FilePiece, str | None, "frozenset[str]"], Iterator[Row]]
    placed: bool


def source(
    pieces: list[FilePiece], kind: Kind, columns: tuple[str, ...], layer: str | None
) -> Source:
    """Opens one or several files of records with declared columns."""
    if list(columns) != distinct(list(columns)):
        raise BadInput("--columns: name every column once, as the records write it")
    check_told_apart(columns, "--columns")

    def over(some: list[FilePiece]) -> Source:
        return Source(
            columns,
            geometry=GEOMETRY if kind.placed else None,
            crs="EPSG:4326" if kind.placed else None,
            stream=lambda wanted: _stream(some, kind, layer, wanted),
            text=Schema(columns, "declared", kind.title),
        )

    whole = over(pieces)
    if len(pieces) == 1:
        return whole
    from dataclasses import replace

    return replace(whole, cut=lambda _: [over([piece]) for piece in pieces])


def _stream(
    pieces: list[FilePiece], kind: Kind, layer: str | None, wanted: list[str]
) -> "AbstractContextManager[pa.RecordBatchReader]":
    return stream_rows(
        (row for piece in pieces for row in kind.rows(piece, layer, frozenset(wanted))), wanted
    )


@contextmanager
def stream_rows(
    rows: Iterable[Row], wanted: list[str], expected: Callable[[], int] | None = None
) -> "Iterator[pa.RecordBatchReader]":
    """Opens a reader over rows of texts; what they refuse is said in their own words. After the
    last, as many must have come out as were read, or as are `expected`.
    """
    failed = list[DpmapError]()
    rows_read = 0

    def counted_rows() -> Iterator[Row]:
        nonlocal rows_read
        try:
            for row in rows:
                rows_read += 1
                yield row
        except DpmapError as error:
            failed.append(error)
            raise

    try:
        yield _check_counted(
            as_arrow(counted_rows(), wanted), expected or (lambda: rows_read), failed
        )
    except Exception:
        if failed:  # the engine's own words for it would quote it
            raise failed[0] from None
        raise


def _check_counted(
    reader: "pa.RecordBatchReader", expected: Callable[[], int], failed: list[DpmapError]
) -> "pa.RecordBatchReader":
    """Returns a reader of the same batches that fails at their end if rows were lost or made up."""
    import pyarrow as pa

    def batches() -> "Iterator[pa.RecordBatch]":
        count = 0
        for batch in reader:
            count += batch.num_rows
            yield batch
        if count != expected():
            failed.append(
                SystemFailed(
                    "survey: not as many rows came out as are in the file; nothing was spent, so"
                    " please report it"
                )
            )
            raise failed[0]

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


def as_arrow(rows: Iterable[Row], wanted: list[str]) -> "pa.RecordBatchReader":
    """Converts rows of texts to Arrow batches: every column is text except the geometry."""
    import pyarrow as pa

    schema = pa.schema(
        [(name, pa.binary() if name == GEOMETRY else pa.string()) for name in wanted]
    )

    def batches() -> "Iterator[pa.RecordBatch]":
        left = iter(rows)
        while some := list(islice(left, AT_ONCE)):
            yield from _batches_of(some, schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _batches_of(rows: list[Row], schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    """Makes one batch of some rows, or several where a column's texts are more than one batch
    can hold (2 GB).
    """
    import pyarrow as pa

    columns = [_column(rows, field) for field in schema]
    if any(isinstance(column, pa.ChunkedArray) for column in columns) and len(rows) > 1:
        half = len(rows) // 2
        yield from _batches_of(rows[:half], schema)
        yield from _batches_of(rows[half:], schema)
    else:
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


def _column(rows: list[Row], field: "pa.Field") -> "pa.Array":
    """Makes one Arrow column of some rows; a text that UTF-8 cannot hold (half a surrogate pair)
    is mended by itself.
    """
    import pyarrow as pa

    values = [row.get(field.name) for row in rows]
    try:
        return pa.array(values, field.type)
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return pa.array(
            [
                None if value is None else value.encode("utf-8", "replace").decode()
                for value in values
            ],
            field.type,
        )
