"""Makes a release of an array of public totals with the vault's own noise, without a ledger: what the benchmarks measure."""

from fractions import Fraction

from dpmap.record import Receipt, Record
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session


def make_release(counts, grid, policy, strategy="adaptive"):
    """Return a release of so many points in each cell, with fresh noise."""
    session = Session(
        counts, grid, policy.measuring, policy.cap, policy.lattice, policy.delta or Fraction(0)
    )
    find_strategy(strategy)(session)
    receipt = Receipt("benchmark", "", "", 0, Fraction(0), Fraction(0))
    return Release(Record(grid, policy, strategy, session.made, receipt, "2026-11-29"))
