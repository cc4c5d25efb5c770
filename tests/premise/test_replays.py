"""Every reader's releases, replayed: whatever one person's records hold, nothing but noisy answers follows from them.

It begins at the bytes of a file and ends at those of the release, its statement, the ledger and the screen; what is compared, and
why no statistics are needed, says dpmap/selftest/replay.py.
"""

import pytest
from replayed_files import held
from test_every_reader import FAMILIES


@pytest.mark.matrix(12)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_records_tell_by_noisy_answers_alone(family, tmp_path):
    """A neighbour, handed back the noisy answers, asks, pays, says and writes the same; its totals lie within the cap."""
    held(family, tmp_path)
