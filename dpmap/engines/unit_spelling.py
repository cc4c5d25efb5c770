"""Finds whom a text names: in SQL where it is one plain name, in Python where it is not.

Each text is read by itself, so whom it names never depends on another.
"""

from typing import TYPE_CHECKING

import numpy as np

from dpmap.survey.row_sql import JOINT, OWN, Selection
from dpmap.survey.sources import literal
from dpmap.survey.unit_names import MAYBE_OTHERS, NUMBER, PLACEHOLDERS, SIMPLE, members, separators

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

NOBODY = ", ".join(literal(word) for word in sorted(PLACEHOLDERS))


def folded_name_sql(chosen: Selection) -> str:
    """Builds SQL for the one spelling of a plain name in the column `unit`; NULL for what
    `name_units` must read.
    """
    text, parts = (
        ("unit", f"{SIMPLE}({JOINT}{SIMPLE})*") if chosen.joined else ("trim(unit)", SIMPLE)
    )
    plain = f"regexp_full_match({text}, {literal(parts)})"
    plain += (
        f" AND NOT list_has_any(string_split(lower({text}), {literal(JOINT)}), [{NOBODY}])"
        if chosen.joined
        else f" AND lower({text}) NOT IN ({NOBODY})"
    )
    plain += f" AND NOT regexp_matches({text}, {literal(f'(^|{JOINT}){NUMBER}({JOINT}|$)')})"
    if chosen.team != "none":
        marks, words = separators(chosen.team)
        plain += f" AND NOT regexp_matches(lower({text}), {literal(MAYBE_OTHERS)})"
        plain += "".join(f" AND NOT contains(unit, {literal(mark)})" for mark in marks)
        alone = f"' ' || lower({text}) || ' '"
        plain += "".join(
            f" AND NOT contains({alone}, {literal(f' {word.lower()} ')})" for word in words
        )
    return f"CASE WHEN {plain} THEN lower({text}) END"


def name_units(
    spellings: "pa.RecordBatchReader", team: str, *, own_unit: bool, joined: bool
) -> "pa.RecordBatchReader":
    """Yields (spelling, name) for everyone whom each spelling names, or for nobody, batch by
    batch.
    """
    import pyarrow as pa

    schema = pa.schema([("spelling", pa.large_string()), ("name", pa.large_string())])
    nobody = OWN if own_unit else None

    def to_arrow(texts: "Sequence[str | None]") -> pa.Array:  # pa.array loads pandas
        encoded = [b"" if text is None else text.encode() for text in texts]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        known = np.packbits([text is not None for text in texts], bitorder="little")
        buffers = [pa.py_buffer(known), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
        return pa.Array.from_buffers(pa.large_string(), len(texts), buffers)

    def batches() -> "Iterator[pa.RecordBatch]":
        for batch in spellings:
            texts = batch.column(0).to_pylist()
            pairs = [
                (text, name)
                for text in texts
                for name in people_in(text, team, joined=joined) or (nobody,)
            ]
            columns = [to_arrow([pair[i] for pair in pairs]) for i in range(2)]
            yield pa.record_batch(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def people_in(text: str, team: str, *, joined: bool) -> list[str]:
    """Returns whom a unit's text names; a unit of several columns names nobody if any of them
    does.
    """
    if text == OWN:
        return []
    if not joined:
        return members(text, team)
    parts = [members(part, "none") for part in text.split(JOINT)]
    return [JOINT.join(part for (part,) in parts)] if all(parts) else []
