"""The exact totals behind a release, for tests only."""

from dpmap.engines.duckdb import DuckDB
from dpmap.vault.cap_sql import capped_totals


def totals(survey, grid, policy):
    found = DuckDB().totals(
        survey, grid, policy, capped_totals(policy, survey.roles.shares), lambda step: None
    )
    return {int(cell): int(steps) for cell, steps in zip(found._cells, found._steps) if steps}


def points(survey, grid, policy):
    return sum(totals(survey, grid, policy).values()) / policy.lattice
