"""Counts the records of a layer by the file's own bytes or by SQLite, beside the reader of its
rows.
"""

import os
import sqlite3
import struct
from contextlib import closing

from dpmap.survey.files.sqlite import open_unchanging
from dpmap.survey.sources import quote_column

_FLATGEOBUF = b"fgb\x03fgb"
_FEATURES = 8
_NODE_SIZE = 9
"""The places of two fields in a FlatGeobuf's header: the number of features and of an index
node's children.
"""


def count_table(path: str, table: str, condition: str) -> int | None:
    """Returns how many rows of an SQLite table fulfil a condition; None if SQLite cannot say."""
    try:
        with closing(open_unchanging(path)) as database:
            ((rows,),) = database.execute(
                f"SELECT count(*) FROM {quote_column(table)} WHERE {condition}"
            ).fetchall()
    except sqlite3.Error:
        return None
    return int(rows)


def count_dbase(path: str) -> int:
    """Returns how many records of a dBASE table are not marked deleted."""
    with open(path, "rb") as stream:
        records, start, width = struct.unpack("<IHH", stream.read(12)[4:12])
        stream.seek(start)
        return sum(stream.read(width)[:1] != b"*" for _ in range(records))


def count_flatgeobuf(path: str) -> int | None:
    """Returns how many features follow a FlatGeobuf's header and index; None if they do not end
    with the file.

    Each feature is led by its length, so the chain of lengths is followed to the last byte.
    """
    size = os.path.getsize(path)
    with open(path, "rb") as stream:
        if stream.read(8)[:7] != _FLATGEOBUF:
            return None
        header = stream.read(struct.unpack("<I", stream.read(4))[0])
        declared_count = _header_field(header, _FEATURES, "<Q", 0)
        at = (
            12
            + len(header)
            + _index_bytes(declared_count, _header_field(header, _NODE_SIZE, "<H", 16))
        )
        features = 0
        while at < size:
            stream.seek(at)
            at += 4 + int.from_bytes(stream.read(4), "little")
            features += 1
    return features if at == size and declared_count in (0, features) else None


def _header_field(header: bytes, field: int, form: str, default: int) -> int:
    """Returns a number of a FlatBuffers table, of which a table of places says where each field
    stands.
    """
    (root,) = struct.unpack_from("<I", header)
    places = root - struct.unpack_from("<i", header, root)[0]
    place = 4 + 2 * field
    if place >= struct.unpack_from("<H", header, places)[0]:
        return default
    (at,) = struct.unpack_from("<H", header, places + place)
    return int(struct.unpack_from(form, header, root + at)[0]) if at else default


def _index_bytes(features: int, node_size: int) -> int:
    """Returns how long the index is: a packed tree of nodes of 40 bytes, or none."""
    if not features or not node_size:
        return 0
    level = -(-features // node_size)
    nodes = features + level
    while level > 1:
        level = -(-level // node_size)
        nodes += level
    return nodes * 40
