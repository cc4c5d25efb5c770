"""Every way in which dpmap was broken on purpose is noticed by the checks that docs/mutants.md names.

A tenth of the mutants is tried here; DPMAP_DEEP=1 tries them all.
"""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutants  # noqa: E402  # beside this file
from proofs import PROOFS  # noqa: E402

from dpmap import selftest  # noqa: E402

DEEP = os.environ.get("DPMAP_DEEP") == "1"
QUICK = {
    "the noise is 10 % too narrow": "session",
    "zero is counted twice": "assembly",
    "places are taken from the lower bound, all but the last half": "places",
    "Gaussian: whole sigmas are not thinned": "gaussian",
    "Gaussian: regions of several cells are measured too": "regions",
    "the debit follows the draw": "order",
    "regions that differ are taken for the same": "course",
    "a partition may have overlapping regions": "strategies",
    "not the strictest of a unit's limits holds": "limits",
    "choosing the cap is not billed": "whole",
    "text: the first row picks the separator": "texts",
    "Parquet: the first part types all others": "tables",
    "a sample's secret has 8 bits": "sampled",
    "a data set gets into two groups": "partners",
    "a device: one word decides all bits": "words",
    "the chain is not verified": "ledger",
    "a limiter that counts every row joins the others": "lengths",
}  # one of each part, by one check


@pytest.mark.parametrize("one", mutants.MUTANTS, ids=lambda one: one.name)
def test_a_mutant_is_noticed(one):
    """Each check that the table names finds the promise broken by it, rather than merely stumbling."""
    if not DEEP and one.name not in QUICK:
        pytest.skip("tried by make deep")
    by = one.caught if DEEP else (QUICK[one.name],)
    for check, said in mutants.noticed(one, by).items():
        assert said, f"{check} has not noticed that {one.name}"
        assert "could not be carried out" not in said


@pytest.mark.parametrize("one", mutants.MUTANTS, ids=lambda one: one.name)
def test_a_mutant_still_applies(tmp_path, one):
    """The sources hold what the mutant changes, so the table speaks of today's code."""
    for place, old, new in one.changes:
        source = (mutants.ROOT / "dpmap" / place.partition("::")[0]).read_text("utf-8")
        assert len(mutants.occurrences(source, place, old)) == 1
        assert new != old


def test_the_table_names_what_there_is():
    """docs/mutants.md is the table that is tested, names checks and tests that exist, and leaves no check without a mutant."""
    assert mutants.PAGE.read_text("utf-8") == mutants.table()
    names = {check.name for check in (*selftest.CHECKS, *selftest.DEEP, *PROOFS)}
    named = {check for one in mutants.MUTANTS for check in one.caught}
    for check in named:
        file, _, test = check.partition("::")
        assert (
            f"def {test}(" in (mutants.ROOT / file).read_text("utf-8") if test else check in names
        )
    assert names - named <= {"opendp", "files", "spark"}
    assert all(one.caught for one in mutants.MUTANTS) and set(QUICK) <= {
        one.name for one in mutants.MUTANTS
    }
