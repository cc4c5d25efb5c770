"""Checks what guards the data: sealed types refuse, the ledger holds, debits come before draws."""

import copy
import json
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from dpmap.errors import DpmapError, Refused
from dpmap.grid import Partition
from dpmap.ledger.ledger import Reservation
from dpmap.private_totals import PrivateRungCounts
from dpmap.selftest import cap
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.selftest.guards import SHOWN, _reserved, _session, _totals, refuses
from dpmap.survey import Survey, read
from dpmap.vault.noise_chains import Chains
from dpmap.vault.session import FreshMeasurement, Session

WAYS_OUT: dict[str, Callable[[Any], Any]] = {
    "iterating": list,
    "its length": len,
    "an array of it": np.asarray,
    "a copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "a pickle": lambda value: value.__reduce_ex__(4),
    "comparing": lambda value: value == 1,
    "a hash": hash,
    "a number of it": float,
    "an index": lambda value: value[0],
    "its names": dir,
    "truth": bool,
    "JSON": json.dumps,
    "bytes": bytes,
}


def sealed(_: Effort) -> CheckResult:
    """Checks that every ordinary way out of private values is shut, and only the vault can make
    its own measurements.
    """
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        path = Path(folder) / "survey.csv"
        cap.write(cap.over_spread(), path)
        values: list[Any] = [
            _totals(),
            PrivateRungCounts(np.array([1]), np.array([SHOWN])),
            Chains([Fraction(SHOWN)]),
            read(path, x="x", y="y", crs="EPSG:3857"),
        ]
        for value in values:
            if str(SHOWN) in f"{value}{value!r}{value:}" or (
                isinstance(value, Survey) and "na" in repr(value)
            ):
                raise Broken(f"{type(value).__name__} shows what it holds when printed")
            for way, take in WAYS_OUT.items():
                refuses(
                    f"{way} of {type(value).__name__}",
                    take,
                    value,
                    errors=(Refused, TypeError, ValueError),
                )
        reservation = _reserved(folder)
        session = Session(_totals(), cap.grid(), reservation, cap=1, lattice=1)
        for part in (reservation, session):
            refuses(f"a copy of a {type(part).__name__}", copy.copy, part)
        refuses("a reservation claimed twice", reservation.claim)
        for kind in (Reservation, FreshMeasurement):
            refuses(
                f"a {kind.__name__} made outside the vault", kind, object(), errors=(TypeError,)
            )
        for paid in (Fraction(1), None):
            refuses(
                "a session that no ledger paid for",
                Session,
                _totals(),
                cap.grid(),
                paid,
                1,
                1,
                errors=(TypeError,),
            )
        measured = session.measure(Partition.whole(cap.grid()), Fraction(1))
        copied = copy.copy(measured)
        if not measured.fresh or copied.fresh:
            raise Broken("a copied measurement passes for one that the vault has just made")
    return CheckResult(
        f"{len(WAYS_OUT)} ways out of {len(values)} private types; 7 ways to forge",
        "any that is open",
    )


def strategies_are_held(_: Effort) -> CheckResult:
    """Checks that a session refuses what a greedy strategy may ask of it."""
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        session, cells = _session(folder), Partition.cells(cap.grid())
        overlapping = Partition(np.zeros(cap.grid().shape, dtype=np.int64), 20)
        object.__setattr__(overlapping, "packed", np.zeros((2, *cap.grid().shape), dtype=np.int64))
        asked: dict[str, Callable[[], Any]] = {
            "more than all of epsilon": lambda: session.measure(cells, Fraction(11, 10)),
            "an answer for nothing": lambda: session.measure(cells, Fraction(0)),
            "an answer for less than nothing": lambda: session.measure(cells, Fraction(-1)),
            "a partition whose regions overlap": lambda: session.measure(overlapping, Fraction(1)),
            "something that is no partition": lambda: session.measure(
                cells.labels,  # type: ignore[arg-type]
                Fraction(1),
            ),
            "a partition of another grid": lambda: session.measure(
                Partition(np.zeros((2, 2))), Fraction(1)
            ),
            "less noise": lambda: setattr(session, "cap", 0),
            "more epsilon": lambda: setattr(session, "epsilon", Fraction(9)),
        }
        for what, ask in asked.items():
            refuses(what, ask, errors=(DpmapError, AttributeError))
        if session.left != 1:
            raise Broken("a refused question was paid for, or not refused at all")
        session.measure(cells, Fraction(1))
        refuses("a question when nothing is left", session.measure, cells, Fraction(1, 10**4))
    return CheckResult(f"{len(asked) + 1} greedy questions", "any that is answered")
