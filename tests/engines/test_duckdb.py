"""The embedded engine passes the contract, leaves nothing behind, and stays in the memory it is given."""

import os

import pytest
from contract import EngineContract, counted, policy_of, some_rows, the_grid, write

import dpmap as dm
from dpmap.engines.duckdb import DuckDB


class TestDuckDB(EngineContract):
    """DuckDB under the contract of all engines."""

    @staticmethod
    def engine(threads):
        return DuckDB(threads=threads)


def test_the_spill_folder_is_private_and_wiped(tmp_path, monkeypatch):
    """What the engine writes on the way is readable by its user only, and gone afterwards, also after a failure."""
    spill = tmp_path / "spill"
    spill.mkdir()
    modes = []
    survey = dm.read(write(some_rows(100), tmp_path / "s", "csv"))

    def look(step):
        modes.extend(os.stat(spill / name).st_mode & 0o777 for name in os.listdir(spill))

    engine = DuckDB(folder=str(spill))
    counted(engine, survey, the_grid(), policy_of())
    engine.totals(survey, the_grid(), policy_of(), lambda divide, integer: "SELECT 1 AS cell, 1 AS steps", look)
    with pytest.raises(dm.errors.DpmapError):
        engine.totals(survey, the_grid(), policy_of(), lambda divide, integer: "SELECT nonsense", look)
    assert modes and set(modes) == {0o700}
    assert os.listdir(spill) == []


def test_little_memory_is_enough(tmp_path):
    """A survey is counted right with 100 MB for the engine."""
    rows = some_rows(8_000)
    survey = dm.read(write(rows, tmp_path / "s", "csv"))
    for limiter in ("scale", "sample", "presence"):
        policy = policy_of(limiter, 5)
        assert counted(DuckDB(memory="100MB"), survey, the_grid(), policy) == counted(
            DuckDB(), survey, the_grid(), policy
        )
