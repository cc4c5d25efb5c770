"""Differentially private heatmaps of sensitive points.

>>> import dpmap as dm
>>> grid = dm.Grid(bounds=(-5, 56, -3, 58), shape=(20, 20), crs="EPSG:4326")
>>> policy = dm.Policy(epsilon="1.0", unit="observer_id", cap=5)

Every public name is loaded when it is first used, so that the command line starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dpmap.version import __version__

if TYPE_CHECKING:
    from dpmap import engines as engines
    from dpmap import errors as errors
    from dpmap import local as local
    from dpmap.deprecation import DpmapDeprecationWarning as DpmapDeprecationWarning
    from dpmap.grid import Grid as Grid
    from dpmap.grid import Partition as Partition
    from dpmap.grid.layer_axes import Kinds as Kinds
    from dpmap.grid.layer_axes import Times as Times
    from dpmap.ledger.ledger import Ledger as Ledger
    from dpmap.noise import theory as theory
    from dpmap.promise.governance import Governance as Governance
    from dpmap.promise.policy import Consent as Consent
    from dpmap.promise.policy import Policy as Policy
    from dpmap.releases.comparison import Comparison as Comparison
    from dpmap.releases.comparison import compare as compare
    from dpmap.releases.merge import merge as merge
    from dpmap.releases.release import Release as Release
    from dpmap.releases.release import open_release
    from dpmap.releases.sealed_tiers import unseal as unseal
    from dpmap.releases.series import Series as Series
    from dpmap.releases.series import open_series as open_series
    from dpmap.releases.tiers import Tiers as Tiers
    from dpmap.selftest import contracts
    from dpmap.steward.ensure import ensure as ensure
    from dpmap.steward.inspection import inspect as inspect
    from dpmap.steward.planning import Goals as Goals
    from dpmap.steward.planning import Plan as Plan
    from dpmap.steward.planning import YearsPlan as YearsPlan
    from dpmap.steward.planning import epsilon_for as epsilon_for
    from dpmap.steward.planning import plan as plan
    from dpmap.steward.planning import plan_years as plan_years
    from dpmap.steward.release_run import choose as choose
    from dpmap.steward.release_run import release as release
    from dpmap.steward.simulation import simulate as simulate
    from dpmap.strategies.session import StrategySession as StrategySession
    from dpmap.survey import Survey as Survey
    from dpmap.survey import read as read
    from dpmap.survey.record_schema import guess as guess

    # a re-export under another name is private to type checkers; dm.open is the public contract
    open = open_release  # noqa: A001
    testing = contracts

_HOMES = {
    "Comparison": "dpmap.releases.comparison",
    "Consent": "dpmap.promise.policy",
    "DpmapDeprecationWarning": "dpmap.deprecation",
    "Goals": "dpmap.steward.planning",
    "Governance": "dpmap.promise.governance",
    "Grid": "dpmap.grid",
    "Kinds": "dpmap.grid.layer_axes",
    "Ledger": "dpmap.ledger.ledger",
    "Partition": "dpmap.grid",
    "Plan": "dpmap.steward.planning",
    "Policy": "dpmap.promise.policy",
    "Release": "dpmap.releases.release",
    "Series": "dpmap.releases.series",
    "StrategySession": "dpmap.strategies.session",
    "Survey": "dpmap.survey",
    "Tiers": "dpmap.releases.tiers",
    "Times": "dpmap.grid.layer_axes",
    "YearsPlan": "dpmap.steward.planning",
    "choose": "dpmap.steward.release_run",
    "compare": "dpmap.releases.comparison",
    "ensure": "dpmap.steward.ensure",
    "epsilon_for": "dpmap.steward.planning",
    "guess": "dpmap.survey.record_schema",
    "inspect": "dpmap.steward.inspection",
    "merge": "dpmap.releases.merge",
    "open": "dpmap.releases.release:open_release",
    "open_series": "dpmap.releases.series",
    "plan": "dpmap.steward.planning",
    "plan_years": "dpmap.steward.planning",
    "read": "dpmap.survey",
    "release": "dpmap.steward.release_run",
    "simulate": "dpmap.steward.simulation",
    "unseal": "dpmap.releases.sealed_tiers",
}
_ROOMS = {
    "engines": "dpmap.engines",
    "errors": "dpmap.errors",
    "local": "dpmap.local",
    "testing": "dpmap.selftest.contracts",
    "theory": "dpmap.noise.theory",
}

# the keys are the public words, as texts
__all__ = [*_HOMES, *_ROOMS, "__version__"]  # noqa: PLE0604


if not TYPE_CHECKING:  # a checker that saw it would let every misspelt name pass

    def __getattr__(name: str) -> object:
        if name in _ROOMS:
            return import_module(_ROOMS[name])
        if name not in _HOMES:
            raise AttributeError(f"module 'dpmap' has no attribute {name!r}")
        home, _, inner = _HOMES[name].partition(":")
        value = getattr(import_module(home), inner or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
