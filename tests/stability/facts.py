"""What a release file must say for ever: its values, scales, grid, promise and receipt, as plain numbers and texts.

Estimates, intervals and pictures are left out on purpose: they may get better.
"""

import hashlib
import json
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import dpmap as dm
from dpmap.maps import kind
from dpmap.numbers import decimal_text
from dpmap.record import Reports
from dpmap.statement.statement import statement

FIRST = 6
"""So many numbers are written out, for people; all others stand in a hash."""


def described(path: Path) -> dict[str, Any]:
    """Returns what a saved file of any kind says."""
    return {".dpmap": facts, ".ledger": ledger_facts, ".sealed": sealed_facts}[path.suffix](path)


def ledger_facts(path: Path) -> dict[str, Any]:
    """Verifies a ledger's chain and returns its events, its budgets and what its plan allows next."""
    book = dm.Ledger(path)
    found = book.events()
    events = [f"{event.number} {event.body['kind']} {event.digest}" for event in found]
    sums = {"balance": book.balance(), "balance_delta": book.balance_delta()}
    told = {name: [_text(value) for value in values] for name, values in sums.items()}
    planned = any(event.body["kind"] == "plan" for event in found)
    following = _text(book.next_share("Invented owls")) if planned else None
    return {"file": f"sha256:{sha(path.read_bytes())}", "events": events, **told, "next": following}


def sealed_facts(path: Path) -> dict[str, Any]:
    """Opens each tier of a sealed file and returns the hash of what came out of it."""
    opened = {}
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        tiers = json.loads(archive.read("dpmap.json"))["tiers"]
        for name in tiers:
            dm.unseal(path, name, Path(folder) / f"{name}.dpmap")
            opened[name] = sha((Path(folder) / f"{name}.dpmap").read_bytes())
    return {"file": f"sha256:{sha(path.read_bytes())}", "tiers": tiers, "opened": opened}


def facts(path: Path) -> dict[str, Any]:
    """Opens a file with the dpmap at hand and returns what it says."""
    with zipfile.ZipFile(path) as archive:
        version = json.loads(archive.read("dpmap.json"))["format_version"]
    release = dm.open(path)
    words = statement(release.record)
    said = {one for one in _numbers_said(release.record) if says(words, one)}
    return {
        "file": f"sha256:{sha(path.read_bytes())}",
        "format_version": version,
        **_of(release.record),
        "said": sorted(said),
    }


def _of(record: Any) -> dict[str, Any]:
    return {
        "kind": kind(record),
        "strategy": record.strategy,
        "released_on": record.released_on,
        "made_with": record.versions,
        "grid": _grid(record.grid),
        "promise": record.policy.to_dict(),
        "receipt": {
            name: _text(getattr(record.receipt, name)) for name in record.receipt.__slots__
        },
        "measurements": [_measurement(one) for one in record.measurements],
        "notes": record.about.to_dict(),
        **({} if record.remarks is None else {"remarks": record.remarks}),
        **({"priors": [_prior(one) for one in record.priors]} if record.priors else {}),
        **({"partners": [_of(one) for one in record.partners]} if record.partners else {}),
    }


def _prior(one: Any) -> dict[str, Any]:
    """Tells what was public beforehand: its name, its own hash, and its numbers."""
    numbers = one.values.ravel()
    return {
        "name": one.name,
        "sha256": one.sha256,
        "values": sha(numbers.astype("<f4").tobytes()),
        "first_values": [float(value) for value in numbers[:FIRST]],
    }


def _grid(grid: Any) -> dict[str, Any]:
    """Tells the cells, where the first and the last lie, and the names of layers and areas."""
    shapes = (
        []
        if grid.size > 10_000
        else [[round(side, 6) for side in grid.polygons()[number].bounds] for number in (0, -1)]
    )
    return {
        "kind": grid.kind,
        "crs": grid.crs,
        "shape": list(grid.shape),
        "cells": grid.cells_inside,
        "inside": sha(np.packbits(grid.inside).tobytes()),
        "first_and_last": shapes,
        "names": [] if grid.kind != "areas" else list(grid.cells.names),
        "layers": [list(names) for names in grid.maps if names],
    }


def _measurement(one: Any) -> dict[str, Any]:
    """Tells the numbers as drawn, what they are of, and the law of their noise."""
    told = {
        "regions": one.partition.regions,
        "cells_of_regions": _cells(one.partition),
        "steps": sha(one.steps.astype("<i8").tobytes()),
        "first_values": [
            float(value)
            for value in (one.steps if isinstance(one, Reports) else one.values)[:FIRST]
        ],
        "epsilon": decimal_text(one.epsilon),
    }
    if isinstance(one, Reports):
        chances = {"truth": decimal_text(one.truth), "other": decimal_text(one.other)}
        return {
            **told,
            "reports": one.count,
            "elsewhere": one.elsewhere,
            "mechanism": one.mechanism,
            **chances,
        }
    told |= {"noise": one.kind, "lattice": one.lattice, "scale": decimal_text(one.scale)}
    if one.earlier:
        return told | {
            "pooled": sha(one.pooled.tobytes()),
            "scales": [decimal_text(scale) for scale in one.pooled_scales],
        }
    return told | {"within_9_times_in_10": one.law.two_sided(0.9) / one.lattice}


def _cells(partition: Any) -> str:
    """Returns the hash of each cell's region, or of the listed cells of a sparse release with their threshold."""
    if hasattr(partition, "places"):
        return (
            sha(partition.places.astype("<i8").tobytes())
            + f" of {decimal_text(partition.threshold)} and more"
        )
    return sha(partition.labels.astype("<i4").tobytes())


def _numbers_said(record: Any) -> list[str]:
    """Returns what a statement may have to name of a promise."""
    policy, receipt = record.policy, record.receipt
    values = (
        policy.epsilon, policy.unit, policy.cap, policy.consent, policy.site, policy.delta, policy.sample, policy.epsilon_by,
        receipt.dataset, receipt.release_id, receipt.head, receipt.event, receipt.budget, receipt.spent,
    )  # fmt: skip
    return [_text(value) for value in values if value is not None]


def says(words: str, wanted: str) -> bool:
    """Whether a number or a name stands in a text, by itself and not as a part of another."""
    return re.search(rf"(?<![\w.]){re.escape(wanted)}(?!\w|\.\d)", words) is not None


def _text(value: Any) -> str:
    return decimal_text(value) if hasattr(value, "denominator") else str(value)


def sha(content: bytes) -> str:
    """Returns the first half of a SHA-256, which tells a change as surely as anyone needs."""
    return hashlib.sha256(content).hexdigest()[:32]
