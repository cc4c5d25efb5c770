"""Opens a survey's file, address, database or table in memory by finding the reader for it."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from dpmap import postgresql
from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files import containers, database, frames, remote, workbook
from dpmap.survey.files.piped_rows import Piped
from dpmap.survey.files.tables import Cut
from dpmap.survey.sources import Source, printable_name

if TYPE_CHECKING:
    from dpmap.survey.files.frames import Table


def open_source(
    path: "str | os.PathLike[str] | Table",
    *,
    layer: str | None = None,
    cut: "Cut | None" = None,
    kind: str | None = None,
    table: str | None = None,
    query: str | None = None,
    sheet: str | None = None,
) -> Source:
    """Opens a path, a database's address or a table in memory and returns its source: its columns
    are known, no row is read.

    `cut` is what is declared of a text, `kind` that of a file whose records name their own fields,
    such as `geojson`.
    """
    cut = cut or Cut()
    of_files = {
        "--layer": layer,
        "--sheet": sheet,
        "--header-row": None if cut.header_row == 1 else cut.header_row,
        "--columns": cut.columns,
        "--encoding": cut.encoding,
        "--delimiter": cut.delimiter,
    }
    if not isinstance(path, str | os.PathLike):
        return frames.open_frame(
            path, {"--format": kind, **of_files, "--table": table, "--query": query}
        )
    options = containers.SourceOptions(
        layer, cut, containers.kind_named(kind) if kind else None, sheet
    )
    if remote.is_remote(os.fspath(path)) and table is None and query is None:
        return _checked(containers.open_address(os.fspath(path), options), os.fspath(path), options)
    if database.is_address(os.fspath(path)) and not os.path.exists(path):
        for flag, value in of_files.items():
            if value is not None:
                raise BadInput(
                    f"{flag}: it is for files; a database has --table NAME and --query SELECT"
                )
        return database.open_database(os.fspath(path), table=table, query=query)
    if table is not None or query is not None:
        raise BadInput(
            f"--{'query' if table is None else 'table'}: it is for databases, like"
            f" {postgresql.EXAMPLE}; leave it out"
        )
    name = printable_name(os.path.basename(os.fspath(path).rstrip("/")))
    try:
        source = _checked(containers.open_path(os.fspath(path), options), name, options)
        return _of_pipe(source) if isinstance(path, Piped) else source
    except (DpmapError, MemoryError, PermissionError):
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"survey: {name} cannot be read; it may be damaged or cut short, so export it again"
        ) from None


def _of_pipe(source: Source) -> Source:
    """Returns the source, and each of its parts, as one whose rows came through a pipe."""
    return replace(source, piped=True, parts=tuple(map(_of_pipe, source.parts)))


def _checked(source: Source, name: str, options: containers.SourceOptions) -> Source:
    """Returns the source if it is of a kind that has the sheet and the header row that were
    declared.
    """
    kind = source.schema.kind
    if options.sheet is not None and kind != workbook.KIND:
        raise BadInput(
            f"--sheet: {printable_name(os.path.basename(name))} has no sheets; leave it out"
        )
    if options.text.header_row != 1 and (
        kind not in (workbook.KIND, "text") or source.schema.told_by != "header"
    ):
        raise BadInput(
            f"--header-row: {printable_name(os.path.basename(name))} has no header that could"
            " stand in"
            " another row; leave it out"
        )
    return source
