"""The premise for text tables."""

import pytest
from side_by_side import held, share
from text_files import FAMILIES


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_lines_change_no_others(family, tmp_path):
    """Whatever one person's lines hold, the rows of everybody else are read as if they were not there, or the file is refused."""
    assert held([family], tmp_path) == share(family)
