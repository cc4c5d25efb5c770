"""Rows that travel as blocks arrive as they were, and every one in the bin it was dealt to."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmap.engines.spark_blocks import PACKED, _hashed, bins, pack_blocks, unpack_blocks


def batch_of(rows):
    """A batch of (bin, code, name)."""
    kinds = {"bin": pa.int32(), "code": pa.int32(), "name": pa.string()}
    columns = zip(*rows, strict=True) if rows else [[], [], []]
    return pa.record_batch([pa.array(column, kind) for column, kind in zip(columns, kinds.values(), strict=True)],
                           names=list(kinds))  # fmt: skip


@settings(deadline=None, database=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 99), st.text(max_size=3))), max_size=3
    )
)
def test_what_is_packed_is_unpacked_once(pieces):
    """Any rows of any pieces come back, each once, told apart by piece; a bin's blocks hold just its own rows."""
    numbers, sent = [7, 3, 11, 20, 5], []
    for piece, rows in enumerate(pieces):
        sent += pack_blocks([batch_of(rows)], numbers, str(piece), "names")
    for at, number in enumerate(numbers):
        of_bin = [
            batch.filter(pa.array([one == number for one in batch["bin"].to_pylist()], pa.bool_()))
            for batch in sent
        ]
        found = [table.to_pydict() for _, table in unpack_blocks(of_bin)]
        rows = sorted(
            (name, code)
            for one in found
            for code, name in zip(one["code"], one["name"], strict=True)
        )
        assert rows == sorted(
            (name, code) for rows in pieces for bin_, code, name in rows if bin_ == at
        )
    found = [(kind, table.to_pydict()) for kind, table in unpack_blocks(sent)]
    assert {kind for kind, _ in found} == ({"names"} if any(pieces) else set())
    told = {
        (number, code)
        for _, one in found
        for number, code in zip(one["number"], one["code"], strict=True)
    }
    assert len(told) == len(
        {(piece, code) for piece, rows in enumerate(pieces) for _, code, _ in rows}
    )
    assert all(batch.schema.names == list(PACKED) for batch in sent)


@pytest.mark.parametrize("partitions", [1, 2, 8, 200])
def test_each_partition_of_a_shuffle_gets_one_bin(partitions):
    """No partition of Spark's shuffle waits for another that was dealt two bins."""
    found = bins(partitions)
    assert len(found) == partitions == len({_hashed(number) % partitions for number in found})
