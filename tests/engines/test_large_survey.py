"""What large surveys are promised."""

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

import dpmap as dm


def test_a_large_table_is_placed_in_another_projection(tmp_path):
    """A table of many batches in degrees is counted on a metric grid, every row once."""
    count = 400_000
    dice = np.random.default_rng(1)
    table = pa.table(
        {
            "who": pa.array([f"u{i % 5000}" for i in range(count)]),
            "longitude": dice.uniform(-2, -1, count),
            "latitude": dice.uniform(51, 52, count),
        }
    )
    pacsv.write_csv(table, tmp_path / "s.csv")
    grid = dm.Grid.covering((-2.1, 50.9, -0.9, 52.1), cell="10 km")
    policy = dm.Policy(epsilon=10**6, unit="who", cap=10**6)
    made = dm.release(
        dm.read(tmp_path / "s.csv"), grid, policy, ledger=tmp_path / "l", dataset="d", budget=10**6, strategy="flat",
        confirm_epsilon=True,
    )  # fmt: skip
    assert abs(np.nansum(made.estimate) - count) < 100
