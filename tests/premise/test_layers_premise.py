"""The premise for files that declare their own columns, and how many pairs of all kinds are looked at."""

import folder_files
import layer_files
import pytest
import record_files
import text_files
from side_by_side import DEEP, held, share


@pytest.mark.parametrize("family", layer_files.FAMILIES, ids=lambda one: one.name)
def test_one_persons_values_change_no_others(family, tmp_path):
    """Whatever one person's values are, everybody else's rows in a layer or Parquet file stay as they are, or it is refused."""
    assert held([family], tmp_path) == share(family)


def test_so_many_pairs_are_looked_at():
    """`make test` looks at 1,000 pairs of surveys, `make deep` at 200,000."""
    families = [
        one
        for module in (text_files, record_files, folder_files, layer_files)
        for one in module.FAMILIES
    ]
    assert sum(map(share, families)) >= (200_000 if DEEP else 1_000)
    assert len({one.name for one in families}) == len(families)
