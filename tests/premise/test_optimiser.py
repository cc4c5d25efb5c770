"""What the engine may choose by itself, its plan and how many threads it takes, changes no row."""

import random
import re

import folder_files
import layer_files
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import record_files
import text_files
import workbook_files
from side_by_side import FIRST, QUESTIONS, SEED, Pairs, Reader, mingled, ordinary

FAMILIES = [
    family
    for module in (text_files, record_files, folder_files, layer_files, workbook_files)
    for family in module.FAMILIES
]
WAYS = ((1, ()), (1, ("PRAGMA disable_optimizer",)), (2, ()), (2, ("PRAGMA disable_optimizer",)))


@pytest.fixture(scope="module")
def readers():
    several = [Reader(threads, *settings) for threads, settings in WAYS]
    yield several
    for reader in several:
        reader.close()


@pytest.mark.matrix(26)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_no_plan_of_the_engine_changes_a_row(family, readers, tmp_path):
    """With its optimiser off and on, on one thread and on two, the engine answers the same questions by the same rows."""
    dice, compared = random.Random(f"{SEED}-{family.name}"), 0
    pairs = [Pairs(family, reader, tmp_path / f"{at}") for at, reader in enumerate(readers)]
    odd = list(pairs[0]._odd())
    first = [one for one in odd if one.name in FIRST]
    for number, question in enumerate(pairs[0]._questions()[:4]):
        ours = [
            record
            for row in ordinary("names", dice, 12)
            if (record := family.record(row, dice)) is not None
        ]
        theirs = [
            one.data
            for one in dice.sample(first or odd, k=1) + dice.sample(odd, k=3 * (number % 2))
        ]
        both = mingled(ours, theirs, dice)
        found = []
        for at, pair in enumerate(pairs):
            path = family.write(_emptied(tmp_path / f"{number}-{at}"), both, random.Random(number))
            found.append(pair.reader.rows(path, question, family))
        plain = [
            re.sub(r"/[^ ]*/", "", str(one)) if hasattr(one, "message") else one for one in found
        ]
        assert all(one == plain[0] for one in plain[1:]), (question.name, plain)
        compared += not hasattr(found[0], "message")
    assert compared


LAYOUTS = {"plain": {}, "a row a group": {"row_group_size": 1}, "no statistics": {"write_statistics": False},
           "a page index": {"write_page_index": True}}  # fmt: skip
NOWHERE = (float("nan"), float("inf"), -float("inf"), None)


def _beside(path, reader, theirs, layout, ours=30):
    """How many rows of each group are read from one Parquet file, S's all at one place."""
    lon = [1.5] * ours + list(theirs)
    table = {
        "who": ["sam"] * ours + ["tess"] * len(theirs),
        "longitude": lon,
        "latitude": [1.5] * len(lon),
    }
    pq.write_table(pa.table(table), path, **layout)
    found = reader.rows(path, QUESTIONS["plain"], layer_files.Layer("parquet"))
    return {
        name: sum(many for row, many in found.items() if row[0] == name) for name in ("sam", "tess")
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_a_file_says_of_all_its_values_places_nobody(layout, readers, tmp_path):
    """Parquet states the least and the greatest number of a column without those that are none; they have no place beside others' either."""
    for value in NOWHERE:
        for reader in readers:
            told = _beside(tmp_path / "s.parquet", reader, [value] * 9, LAYOUTS[layout])
            assert told == {"sam": 30, "tess": 0}, value
            assert (
                _beside(tmp_path / "s.parquet", reader, [value] * 9, LAYOUTS[layout], ours=0)[
                    "tess"
                ]
                == 0
            )


def test_a_planner_that_believes_a_file_is_noticed(tmp_path, monkeypatch):
    """Were the engine to believe the least and greatest values that a file states, the tests of every day would say so."""
    monkeypatch.setattr("dpmap.engines.duckdb.DISABLED", "join_filter_pushdown")
    reader = Reader()
    try:
        assert _beside(tmp_path / "s.parquet", reader, [float("nan")] * 9, {})["tess"] == 9
    finally:
        reader.close()


def _emptied(folder):
    folder.mkdir()
    return folder
