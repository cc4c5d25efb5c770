"""The premise for workbooks."""

import pytest
from side_by_side import held, share
from workbook_files import FAMILIES


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_cells_change_no_others(family, tmp_path, monkeypatch):
    """Whatever stands in one person's cells, and wherever stretches and records end, everybody else's rows stay as they are, or the file
    is refused."""
    for knob, small in family.knobs:
        monkeypatch.setattr(knob, small)
    assert held([family], tmp_path) == share(family)
