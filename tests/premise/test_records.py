"""The premise for files whose records name their own fields."""

import pytest
from record_files import FAMILIES
from side_by_side import held, share


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_records_change_no_others(family, tmp_path):
    """Whatever one person's records hold and call their fields, everybody else's rows stay as they are, or the file is refused."""
    assert held([family], tmp_path) == share(family)
