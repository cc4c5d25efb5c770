"""Cleans batches so that no value makes an engine fail: a bad value is mended or emptied by itself.

Engines ask that texts be UTF-8 and that dates lie where they can count, and fail for everybody
where one is not.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_YEAR_1 = -62_135_596_800
_YEAR_10000 = 253_402_300_800
"""The first second of the year 1 and of the year 10000, counted from 1970."""


def readable(raw: bytes) -> str:
    r"""Decodes a text of unknown encoding: as UTF-8 if it is valid, else as Windows' western
    encoding.

    >>> readable("Zo\u00eb".encode()) == readable(b"Zo\xeb")
    True
    """
    for encoding in ("utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def plain(kind: "pa.DataType") -> "pa.DataType":
    """Returns the type of the values themselves: what a dictionary lists, what an extension type
    stores.
    """
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        return plain(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return plain(kind.value_type)
    if pa.types.is_string_view(kind):
        return pa.string()
    return pa.binary() if pa.types.is_binary_view(kind) else kind


def sound(columns: "list[pa.Array]", schema: "pa.Schema") -> "pa.RecordBatch":
    """Returns the columns as a batch of this schema, with the types that `plain` returns."""
    import pyarrow as pa

    pairs = zip(columns, schema.types, strict=True)
    return pa.RecordBatch.from_arrays(
        [_mended(column, kind) for column, kind in pairs], schema=schema
    )


def _mended(column: "pa.Array", kind: "pa.DataType") -> "pa.Array":
    import pyarrow as pa

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if column.type != kind:
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        column = column.cast(kind)
    if pa.types.is_timestamp(kind):
        return _datable(column, kind)
    if pa.types.is_time(kind):
        return _between(column, kind, 0, _A_DAY[kind.unit])
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind.num_fields:
        return _valid(column, kind)
    return column


def _valid(column: "pa.Array", kind: "pa.DataType") -> "pa.Array":
    """Returns the column with invalid UTF-8 mended; a list or record that holds such a text is
    emptied.
    """
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        if not kind.num_fields:
            raw = column.cast(pa.large_binary() if pa.types.is_large_string(kind) else pa.binary())
            return pa.array(
                [None if one is None else readable(one) for one in raw.to_pylist()], kind
            )
        return pa.concat_arrays(
            [_one_valid(column.slice(at, 1), kind) for at in range(len(column))]
        )
    return column


def _one_valid(value: "pa.Array", kind: "pa.DataType") -> "pa.Array":
    import pyarrow as pa

    alone = pa.concat_arrays([value])  # without what lies beside it
    try:
        alone.validate(full=True)
    except pa.ArrowInvalid:
        return pa.nulls(1, kind)
    return alone


def _datable(column: "pa.Array", kind: Any) -> "pa.Array":
    """Empties timestamps before the year 1 or after 9999, which no engine writes as a date."""
    a_second = _A_DAY[kind.unit] // _A_DAY["s"]
    return _between(column, kind, _YEAR_1 * a_second, _YEAR_10000 * a_second)


def _between(column: "pa.Array", kind: Any, low: int, high: int) -> "pa.Array":
    """Empties numbers below `low`, or not below `high`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    bits = column.view(whole)
    most = (1 << kind.bit_width - 1) - 1
    inside = pc.and_(
        pc.greater_equal(bits, pa.scalar(max(low, -most), whole)),
        pc.less_equal(bits, pa.scalar(min(high - 1, most), whole)),
    )
    return pc.if_else(inside, bits, pa.scalar(None, whole)).view(kind)
