"""Takes the columns that the folders of a survey's parts name, as in `year=2024/part-0.parquet`.

A folder called NAME=VALUE says one text of every row of the files below it. The names are schema:
all parts lie in folders of the same names, in one order, or the survey is refused. A value is the
text of the part's own path, never a number or a date by how the values of others look. *Theorem*:
rows(p) of a part p depend on p's bytes, on its own path and on what is declared. *Proof*: parts of
one path are opened by the reader of their format, as they are without such folders, and each of
their rows gets the same texts beside it.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from dpmap.errors import BadInput
from dpmap.survey.sources import (
    Needs,
    Source,
    check_told_apart,
    literal,
    parts_name,
    printable_name,
    quote_column,
    together,
)

if TYPE_CHECKING:
    import pyarrow as pa

MISSING = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others call the folder of rows without a value."""
Values = tuple[tuple[str, str | None], ...]
"""The columns that a path names, with the text of each; None where it is missing."""


def partition_values(member: str) -> Values:
    """Returns what the folders of a part's path say of its rows.

    >>> partition_values("year=2024/area=North%20Moor/part-0.parquet")
    (('year', '2024'), ('area', 'North Moor'))
    >>> partition_values("raptors/year=__HIVE_DEFAULT_PARTITION__/a=b.csv")
    (('year', None),)
    """
    named = [folder.partition("=") for folder in member.replace(os.sep, "/").split("/")[:-1]]
    return tuple(
        (_decode(name).strip(), None if text == MISSING else _decode(text))
        for name, equals, text in named
        if equals and _decode(name).strip()
    )


def _decode(text: str) -> str:
    """Returns a part of a path without percent-escapes and control characters."""
    whole = unquote(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return re.sub(r"[\x00-\x1f\x7f]+", " ", whole)


def check_partitions(members: list[str], name: str) -> bool:
    """Whether the folders of a survey's parts name columns; refuses parts of which they name
    others.
    """
    first, *others = members
    columns = tuple(column for column, _ in partition_values(first))
    for other in others:
        if tuple(column for column, _ in partition_values(other)) != columns:
            raise BadInput(
                f"survey: {_base(other)} lies in folders that name other columns than those of"
                f" {_base(first)}; put all parts of a survey into folders like year=2024, or none"
            )
    check_told_apart(columns, f"the folders of {name}")
    return bool(columns)


def _base(member: str) -> str:
    return printable_name(os.path.basename(member))


def open_partitions(members: list[str], open_parts: Callable[[list[str]], Source]) -> Source:
    """Opens the parts of each path by themselves, and puts them beside each other with what their
    paths say.
    """
    groups: dict[Values, list[str]] = {}
    for member in members:
        groups.setdefault(partition_values(member), []).append(member)
    sources = [
        replace(
            add_columns(open_parts(some), values),
            name=parts_name([os.path.basename(member) for member in some]),
        )
        for values, some in groups.items()
    ]
    flat = [part for source in sources for part in source.parts or (source,)]
    if all(part.sql and part.columns == flat[0].columns for part in flat):
        return _unite(flat)
    return together(flat)


def _unite(sources: list[Source]) -> Source:
    """Returns one source of relations that have the same columns and types."""
    if len(sources) == 1:
        return replace(sources[0], name="")

    def cut(count: int) -> list[Source]:
        each = max(1, -(-count // len(sources)))
        return [
            piece
            for source in sources
            for piece in (source.cut(each) if source.cut is not None else [source])
        ]

    return replace(
        sources[0],
        sql=f"({' UNION ALL '.join(f'SELECT * FROM {source.sql}' for source in sources)})",
        cut=cut,
        name="",
        files=tuple(file for source in sources for file in source.files),
    )


def add_columns(source: Source, values: Values) -> Source:
    """Returns a source with columns that hold the same text, or nothing, in every row."""
    if not values:
        return source
    held = {column.lower() for column in source.columns}
    for name, _ in values:
        if name.lower() in held:
            raise BadInput(
                f"survey: the folders name a column {printable_name(name)} that the files hold as"
                " well; rename one of them"
            )
    names = tuple(name for name, _ in values)
    constants = "".join(
        f", CAST({'NULL' if text is None else literal(text)} AS VARCHAR) AS {quote_column(name)}"
        for name, text in values
    )
    prepare = source.prepare
    stream = source.stream
    bind = source.bind
    cut = source.cut
    of_unit = source.of_unit

    def add(one: Source) -> Source:
        return add_columns(one, values)

    return replace(
        source,
        columns=(*source.columns, *names),
        text=replace(source.schema, names=(*source.schema.names, *names)),
        parts=tuple(map(add, source.parts)),
        sql=source.sql and f"(SELECT *{constants} FROM {source.sql})",
        prepare=prepare and partial(_prepare, prepare, names, constants),
        stream=stream and partial(_stream, stream, source.columns[0], dict(values)),
        bind=bind and (lambda needs: add(bind(_own_needs(needs, names)))),
        cut=cut and (lambda count: list(map(add, cut(count)))),
        of_unit=of_unit and (lambda people, mark: add(of_unit(people, mark))),
    )


def _prepare(
    prepare: Callable[[str, Needs], str],
    names: tuple[str, ...],
    constants: str,
    folder: str,
    needs: Needs,
) -> str:
    """Returns the relation that a source unpacks, with columns that hold one text."""
    return f"(SELECT *{constants} FROM {prepare(folder, _own_needs(needs, names))})"


@contextmanager
def _stream(
    stream: "Callable[[list[str]], AbstractContextManager[pa.RecordBatchReader]]",
    first: str,
    texts: dict[str, str | None],
    wanted: list[str],
) -> "Iterator[pa.RecordBatchReader]":
    """Opens a reader over the wanted columns, of which some hold one text; of a file at least its
    first column is read, whose length is that of the others.
    """
    with stream([column for column in wanted if column not in texts] or [first]) as reader:
        yield _with_constants(reader, wanted, texts)


def _own_needs(needs: Needs, names: tuple[str, ...]) -> Needs:
    """Returns what a row must hold in the columns of its file; what its path may fill is left
    out.
    """
    return tuple(tuple(group for group in need if not set(group[0]) & set(names)) for need in needs)


def _with_constants(
    reader: "pa.RecordBatchReader", wanted: list[str], texts: dict[str, str | None]
) -> "pa.RecordBatchReader":
    """Returns a reader over the wanted columns, of which some hold one text."""
    import pyarrow as pa

    if not wanted:
        return reader
    file_schema = reader.schema
    schema = pa.schema(
        [pa.field(one, pa.string()) if one in texts else file_schema.field(one) for one in wanted]
    )

    def batches() -> "Iterator[pa.RecordBatch]":
        for batch in reader:
            columns = [
                pa.repeat(pa.scalar(texts[one], pa.string()), batch.num_rows)
                if one in texts
                else batch.column(file_schema.get_field_index(one))
                for one in wanted
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())
