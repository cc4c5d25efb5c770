"""Counting engines: they read a sealed survey, find each row's cell, run the limiter's SQL and
return sealed totals.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpmap.engines.engine import BESIDE as BESIDE
from dpmap.engines.engine import NUMBERED as NUMBERED
from dpmap.engines.engine import WHOLES as WHOLES
from dpmap.engines.engine import Engine as Engine
from dpmap.engines.engine import Pairing as Pairing
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.engines.duckdb import DuckDB as DuckDB
    from dpmap.engines.spark import Spark as Spark

_CLASSES = {"duckdb": "DuckDB", "spark": "Spark"}


def make_engine(name: str, **settings: Any) -> Engine:
    """Makes the engine of this name, with settings such as `memory` (for each task, on a
    cluster).
    """
    if name not in _CLASSES:
        raise BadInput(f"engine: not one of {', '.join(_CLASSES)}")
    engine: Engine = _load_class(_CLASSES[name])(**settings)
    return engine


def _load_class(name: str) -> Any:
    """Returns `DuckDB` or `Spark`, loaded when it is first used."""
    if name not in _CLASSES.values():
        raise AttributeError(f"module 'dpmap.engines' has no attribute {name!r}")
    return getattr(import_module(f"dpmap.engines.{name.lower()}"), name)


if not TYPE_CHECKING:  # a checker that saw it would let every misspelt name pass
    __getattr__ = _load_class
