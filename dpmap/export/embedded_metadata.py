"""Puts the statement and the steward's declaration into formats without tables or tags for them.

A GeoPackage has a statement layer and a GeoTIFF tags. GeoParquet keeps them in the file's own
key-value metadata and GeoJSON in a member of its top level, both under the name `dpmap`. A CSV must
stay a plain table that every program reads, so a file stands beside it, named and written after the
W3C's CSV on the Web: `map.csv-metadata.json`.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.record import Record
from dpmap.statement.columns import COLUMNS
from dpmap.statement.kinds import map_statement

KEY = "dpmap"


def into_parquet(path: Path, record: Record) -> None:
    """Add the statement to a Parquet file's key-value metadata, where GDAL and Arrow show it."""
    facts_into_parquet(path, map_statement(record).facts())


def facts_into_parquet(path: Path, facts: Mapping[str, str]) -> None:
    """Add these facts to a Parquet file's key-value metadata."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    member = json.dumps(facts, ensure_ascii=False)
    pq.write_table(
        table.replace_schema_metadata({**table.schema.metadata, KEY: member}),
        path,
        compression="zstd",
    )


def into_geojson(plain: Path, record: Record, path: Path) -> None:
    """Write the GeoJSON file `plain` to `path` with the statement as a foreign member, as RFC
    7946 allows (6.1).
    """
    facts_into_geojson(plain, map_statement(record).facts(), path)


def facts_into_geojson(plain: Path, facts: Mapping[str, str], path: Path) -> None:
    """Write the GeoJSON file `plain` to `path` with these facts as a foreign member.

    GDAL writes the brace and the type, by which readers know the format, on two lines of their own.
    """
    member = json.dumps(facts, ensure_ascii=False)
    with open(plain, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as target:
        opening = source.readline() + source.readline()
        target.write(f'{opening}"{KEY}": {member},\n')
        shutil.copyfileobj(source, target)
    plain.unlink()


def beside_csv(path: "str | os.PathLike[str]", columns: list[str], record: Record) -> None:
    """Write what the columns of a CSV mean, and the statement, to the file where readers of CSV
    on the Web look.
    """
    write_csvw(
        path,
        column_meanings(columns),
        map_statement(record).facts(),
        map_statement(record).provenance(),
    )


def column_meanings(columns: Sequence[str]) -> list[dict[str, str]]:
    """Return each column with what it means, where that is known."""
    return [
        {"name": name, **({"dc:description": COLUMNS[name]} if name in COLUMNS else {})}
        for name in columns
    ]


def write_csvw(
    path: "str | os.PathLike[str]",
    columns: Sequence[Mapping[str, str]],
    facts: Mapping[str, str],
    document: str,
    **schema: Any,
) -> Path:
    """Write the file of CSV on the Web that stands beside a CSV: its columns, what it is, and
    the statement; return where it is.
    """
    metadata = {
        "@context": "http://www.w3.org/ns/csvw",
        "url": Path(path).name,
        "dc:title": facts["dataset"],
        "dc:description": document,
        "tableSchema": {
            "columns": [
                {"name": column["name"], "titles": column["name"], **column} for column in columns
            ],
            **schema,
        },
        "notes": [facts],
    }
    beside = Path(f"{os.fspath(path)}-metadata.json")
    with written_aside(beside) as aside:
        aside.write_text(json.dumps(metadata, ensure_ascii=False, indent=1), encoding="utf-8")
    return beside
