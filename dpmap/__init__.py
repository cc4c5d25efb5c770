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
    from dpmap import theory as theory
    from dpmap.governance import Governance as Governance
    from dpmap.grid import Grid as Grid
    from dpmap.grid import Partition as Partition
    from dpmap.grid.axes import Kinds as Kinds
    from dpmap.grid.axes import Times as Times
    from dpmap.inspection import inspect as inspect
    from dpmap.merging import merge as merge
    from dpmap.pipeline import choose as choose
    from dpmap.pipeline import release as release
    from dpmap.planning import Plan as Plan
    from dpmap.planning import epsilon_for as epsilon_for
    from dpmap.planning import plan as plan
    from dpmap.policy import Consent as Consent
    from dpmap.policy import Policy as Policy
    from dpmap.rehearsing import simulate as simulate
    from dpmap.released import Release as Release
    from dpmap.released import open_release as open  # noqa: A004, F401  # dm.open(path) is the public contract
    from dpmap.survey import Survey as Survey
    from dpmap.survey import read as read
    from dpmap.survey.guess import guess as guess
    from dpmap.vault.ledger import Ledger as Ledger

_HOMES = {
    "Consent": "dpmap.policy",
    "Governance": "dpmap.governance",
    "Grid": "dpmap.grid",
    "Kinds": "dpmap.grid.axes",
    "Ledger": "dpmap.vault.ledger",
    "Partition": "dpmap.grid",
    "Plan": "dpmap.planning",
    "Policy": "dpmap.policy",
    "Release": "dpmap.released",
    "Survey": "dpmap.survey",
    "Times": "dpmap.grid.axes",
    "choose": "dpmap.pipeline",
    "epsilon_for": "dpmap.planning",
    "guess": "dpmap.survey.guess",
    "inspect": "dpmap.inspection",
    "merge": "dpmap.merging",
    "open": "dpmap.released:open_release",
    "plan": "dpmap.planning",
    "read": "dpmap.survey",
    "release": "dpmap.pipeline",
    "simulate": "dpmap.rehearsing",
}
_ROOMS = ("engines", "errors", "local", "theory")

__all__ = [*_HOMES, *_ROOMS, "__version__"]  # noqa: PLE0604  # the keys are the public words, as texts


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"dpmap.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'dpmap' has no attribute {name!r}")
    home, _, inner = _HOMES[name].partition(":")
    found = getattr(import_module(home), inner or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
