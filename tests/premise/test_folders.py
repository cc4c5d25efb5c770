"""The premise for surveys in several files."""

import pytest
from folder_files import FAMILIES
from side_by_side import TIMES, held


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_parts_change_no_others(family, tmp_path):
    """Whatever a part of a folder or archive is called and holds, everybody else's rows stay as they are, or the survey is refused."""
    assert held([family], tmp_path) == family.pairs * TIMES
