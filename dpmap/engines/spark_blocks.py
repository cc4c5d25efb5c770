"""Packs many rows into one of bytes: Spark moves a few blocks where it would else convert, hash and
copy every row.

A block holds rows of one kind, from one piece of the survey, that were all dealt to the same bin.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

PACKED = {"bin": "bigint", "piece": "string", "kind": "string", "block": "binary"}
"""The columns of what travels, with Spark's types for them."""
PACKED_AT_ONCE = 1 << 20
UNPACKED_AT_ONCE = 1 << 18
WORD = (1 << 32) - 1


def bins(partitions: int) -> list[int]:
    """Returns a number for each partition of Spark's shuffle, which its hash sends to that one: all
    get as many bins.

    Only that depends on the hash: rows of one bin meet wherever Spark puts them.
    """
    first: dict[int, int] = {}
    for number in range(64 * partitions):
        first.setdefault(_hashed(number) % partitions, number)
        if len(first) == partitions:
            break
    return sorted(first.values())


def _hashed(number: int) -> int:
    """Returns Spark's hash (Murmur3 with seed 42) of a 64-bit number below 2^32."""

    def turned(value: int, by: int) -> int:
        return (value << by | value >> 32 - by) & WORD

    digest = 42
    for word in (number, 0):
        mixed = turned(word * 0xCC9E2D51 & WORD, 15) * 0x1B873593 & WORD
        digest = (turned(digest ^ mixed, 13) * 5 + 0xE6546B64) & WORD
    digest ^= 8
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        digest = (digest ^ digest >> shift) * factor & WORD
    return digest - (1 << 32) if digest >> 31 else digest


def pack_blocks(
    batches: "Iterable[pa.RecordBatch]", bins: list[int], piece: str, kind: str
) -> "Iterator[pa.RecordBatch]":
    """Yields the rows of each batch as blocks, one for each place in `bins` that stands in their
    column `bin`.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for batch in batches:
        order = pc.sort_indices(batch.column("bin"))
        runs = pc.run_end_encode(batch.column("bin").take(order))
        rows = batch.drop_columns("bin").take(order)
        blocks = list[bytes]()
        start = 0
        for end in runs.run_ends.to_pylist():
            blocks.append(_write_stream(rows.slice(start, end - start)))
            start = end
        block_bins = [bins[place] for place in runs.values.to_pylist()]
        columns = [
            pa.array(block_bins, pa.int64()),
            pa.repeat(piece, len(blocks)),
            pa.repeat(kind, len(blocks)),
            pa.array(blocks, pa.binary()),
        ]
        yield pa.record_batch(columns, names=list(PACKED))


def unpack_blocks(batches: "Iterator[pa.RecordBatch]") -> "Iterator[tuple[str, pa.Table]]":
    """Yields the rows of the blocks by kind, many at once, each with the `number` of the piece
    that it is from.
    """
    import pyarrow as pa

    numbers = dict[str, int]()
    waiting = dict[str, list[pa.Table]]()
    for batch in batches:
        for piece, kind, block in zip(
            *(batch.column(name) for name in ("piece", "kind", "block")), strict=True
        ):
            number = numbers.setdefault(piece.as_py(), len(numbers))
            held = waiting.setdefault(kind.as_py(), [])
            held.append(_read_block(block.as_buffer(), number))
            if sum(map(len, held)) >= UNPACKED_AT_ONCE:
                yield kind.as_py(), pa.concat_tables(waiting.pop(kind.as_py()))
    for name, held in waiting.items():
        yield name, pa.concat_tables(held)


def _write_stream(rows: "pa.RecordBatch") -> bytes:
    """Writes rows as an Arrow stream."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_batch(rows)
    return bytes(sink.getvalue().to_pybytes())


def _read_block(block: "pa.Buffer", number: int) -> "pa.Table":
    """Reads the rows of a block where they lie in memory, and adds this number to each."""
    import pyarrow as pa

    with pa.ipc.open_stream(block) as stream:
        rows = stream.read_all()
    return rows.append_column("number", pa.repeat(pa.scalar(number, pa.int64()), len(rows)))
