"""The premise for files that declare their own columns, and how many pairs of all kinds are looked at."""

import folder_files
import layer_files
import pytest
import record_files
import text_files
from side_by_side import TIMES, held


@pytest.mark.parametrize("family", layer_files.FAMILIES, ids=lambda one: one.name)
def test_one_persons_values_change_no_others(family, tmp_path):
    """Whatever one person's values are, everybody else's rows in a layer or Parquet file stay as they are, or it is refused."""
    assert held([family], tmp_path) == family.pairs * TIMES


def test_so_many_pairs_are_looked_at():
    """Every day's tests look at 5,000 pairs of surveys, the long ones at 200,000."""
    families = [
        one
        for module in (text_files, record_files, folder_files, layer_files)
        for one in module.FAMILIES
    ]
    assert sum(one.pairs for one in families) * TIMES >= 5_000 * TIMES
    assert len({one.name for one in families}) == len(families)
