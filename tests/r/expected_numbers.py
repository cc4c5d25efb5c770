"""Writes what Python says of every saved release, and the releases with their table, for R."""

import json
import math
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import dpmap as dm
from dpmap.record import Reports
from dpmap.releases.derived_table import carry_table

ROOT = Path(__file__).parents[2]


def numbers(values: Any) -> list[float | None]:
    """Returns numbers as JSON has them."""
    return [None if math.isnan(value) else value for value in np.asarray(values, float).ravel()]


def measured(release: Any) -> list[dict[str, Any]]:
    """Returns the noisy answers of a release, with their scales and what 90 % of the noise is within."""
    told = []
    for part in release._map.parts():  # noqa: SLF001
        for one in part.measurements:
            shown = hasattr(one.partition, "places")
            plain: dict[str, Any] = {"values": numbers(one.values)}
            if not isinstance(one, Reports):
                plain["scales"] = [
                    float(scale) for scale in np.broadcast_to(one.scales, len(one.values))
                ]
                if not one.earlier and one.kind == "laplace":
                    plain["half"] = one.law.two_sided(0.9) / one.lattice
            if not shown:
                plain["regions"] = numbers(one.partition.labels[part.grid.inside] + 1)
            told.append(plain)
    return told


def derived(release: Any) -> list[dict[str, Any]]:
    """Returns estimates, intervals and places of each layer, as users get them in Python."""
    layers = []
    for layer in (release.layers or {(): release}).values():
        plain: dict[str, Any] = {"cells": {}, "places": {}}
        if layer._map.complete:  # noqa: SLF001
            cells = layer.to_geodataframe()
            value = "mean" if "mean" in cells else "estimate"
            plain["cells"] = {name: numbers(cells[name]) for name in (value, "low", "high")}
            places = layer.patches()
            names = [name for name in (value, "low", "high", "told", "area_km2") if name in places]
            plain["places"] = {name: numbers(places[name]) for name in names}
        layers.append(plain)
    return layers


def write(folder: Path) -> int:
    """Fills the folder; returns how many releases are in it."""
    told = []
    for path in sorted((ROOT / "tests" / "stability" / "saved").glob("*/*.dpmap")):
        name = f"{path.parent.name}-{path.name}"
        release = dm.open(path)
        release.save(folder / name)
        carry_table(release, folder / name)
        with zipfile.ZipFile(folder / name) as archive:
            assert "table.json" in archive.namelist()
        assert dm.open(folder / name).record.receipt == release.record.receipt
        plain = {"file": name, "measurements": measured(release), "layers": derived(release)}
        if release.grid.kind != "hexagons":
            plain["bounds"] = (
                list(release.grid.ground.polygons()[0].bounds)
                if release.grid.mask is None
                else None
            )
        told.append({**plain, "epsilon": float(release.policy.epsilon)})
        (folder / f"old-{name}").write_bytes(path.read_bytes())
        told.append({**told[-1], "file": f"old-{name}", "layers": []})
    (folder / "expected.json").write_text(json.dumps(told), "utf-8")
    return len(told)


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
