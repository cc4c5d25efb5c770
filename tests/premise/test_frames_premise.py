"""The premise for tables in memory and for columns inside others."""

import pytest
from frame_files import FAMILIES
from side_by_side import held, share


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_values_in_a_table_change_no_others(family, tmp_path):
    """Whatever one person's rows hold in a table in memory or in nested columns, everybody else's rows stay as they are."""
    assert held([family], tmp_path) == share(family)
