"""Engines count: they read a sealed survey, find each row's cell, run the limiter's SQL, and hand back sealed totals."""

from collections.abc import Callable
from typing import Protocol

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.policy import Policy
from dpmap.sealed import Totals
from dpmap.survey import Survey

Progress = Callable[[str], None]
LimiterSql = Callable[[str, str], str]
"""From the engine's words for whole division and for its 64-bit integer type to the limiter's SQL."""


class Engine(Protocol):
    """What a counting engine must do; every one passes the contract suite in the tests."""

    def totals(self, survey: Survey, grid: Grid, policy: Policy, limiter: LimiterSql, progress: Progress) -> Totals:
        """The capped total of every occupied cell, bit for bit the same on every engine, row order and file split."""
        ...


def named(name: str) -> Engine:
    """The engine of this name, with its usual settings."""
    if name == "duckdb":
        from dpmap.engines.duckdb import DuckDB

        return DuckDB()
    raise BadInput("engine: not one of duckdb")
