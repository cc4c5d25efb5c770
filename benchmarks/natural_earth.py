"""Makes `dpmap/geography/assets/natural_earth.npz`, the land, borders, rivers and lakes behind the maps.

    npm pack world-atlas@2.0.2 plotly.js@3.7.0       # Natural Earth as TopoJSON, in two public packages
    mkdir atlas plotly && tar xzf world-atlas-*.tgz -C atlas && tar xzf plotly.js-*.tgz -C plotly
    python benchmarks/natural_earth.py atlas/package plotly/package OUT.npz

Land and borders are Natural Earth 1:10 million (world-atlas), rivers and lakes 1:50 million (the geo assets of
plotly.js). Lines are simplified by 0.002 degrees and rounded to 0.001 degrees (about 100 m), far less than what the
sources generalise away. Runs in seconds; needs node, numpy and shapely.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import shapely

STEP = 0.001
SMOOTH = 0.002
READ = (
    "globalThis.window = globalThis; globalThis.self = globalThis;"
    "process.stdout.write(JSON.stringify(require(process.argv[1]).topojson.world_50m))"
)


def arcs_of(topology: dict[str, Any]) -> list[np.ndarray]:
    """Every arc's coordinates in degrees."""
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    return [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in topology["arcs"]]


def joined(arcs: list[np.ndarray], indices: list[int]) -> np.ndarray:
    """One line from arcs end to end; a negative index means the arc reversed."""
    parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def polygons(topology: dict[str, Any], name: str) -> list[shapely.Geometry]:
    """The polygons of an object, each made valid."""
    arcs, found = arcs_of(topology), []
    for geometry in topology["objects"][name]["geometries"]:
        shapes = {"Polygon": [geometry.get("arcs")], "MultiPolygon": geometry.get("arcs")}.get(
            geometry["type"], []
        )
        for rings in shapes:
            lines = [line for line in (joined(arcs, ring) for ring in rings) if len(line) >= 4]
            if lines:
                found += split_at_180(lines)
    return found


def split_at_180(rings: list[np.ndarray]) -> list[shapely.Geometry]:
    """A polygon whose rings may cross the antimeridian or go round a pole, as valid parts within -180 to 180."""
    shell, *holes = [unwrapped(ring) for ring in rings]
    whole = shapely.make_valid(shapely.Polygon(shell))
    for hole in holes:
        hole[:, 0] += 360 * np.round((shell[:, 0].mean() - hole[:, 0].mean()) / 360)
        whole = shapely.difference(whole, shapely.make_valid(shapely.Polygon(hole)))
    parts = []
    for turn in (-360, 0, 360):
        part = shapely.intersection(whole, shapely.box(turn - 180, -90, turn + 180, 90))
        if not part.is_empty:
            parts.append(shapely.transform(part, lambda xy, turn=turn: xy - [turn, 0]))
    return parts


def unwrapped(ring: np.ndarray) -> np.ndarray:
    """Longitudes without jumps; a ring round the south pole is closed along it."""
    xy = ring.copy()
    xy[:, 0] = np.unwrap(xy[:, 0], period=360)
    if abs(xy[-1, 0] - xy[0, 0]) > 180:
        xy = np.concatenate([xy, [[xy[-1, 0], -90], [xy[0, 0], -90], xy[0]]])
    return xy


def lines(topology: dict[str, Any], name: str) -> list[shapely.Geometry]:
    """The lines of an object."""
    arcs, found = arcs_of(topology), []
    for geometry in topology["objects"][name]["geometries"]:
        parts = [geometry["arcs"]] if geometry["type"] == "LineString" else geometry["arcs"]
        found += [shapely.LineString(joined(arcs, part)) for part in parts]
    return found


def borders(topology: dict[str, Any]) -> list[shapely.Geometry]:
    """The arcs that two countries share."""
    used: Counter[int] = Counter()
    for geometry in topology["objects"]["countries"]["geometries"]:
        used.update({i if i >= 0 else ~i for i in flat(geometry.get("arcs", []))})
    arcs = arcs_of(topology)
    shared = [shapely.LineString(arcs[i]) for i, count in used.items() if count > 1]
    return list(shapely.get_parts(shapely.line_merge(shapely.union_all(shared))))


def flat(nested: Any) -> list[int]:
    """All numbers of nested lists."""
    return [nested] if isinstance(nested, int) else [i for part in nested for i in flat(part)]


def rounded(shapes: list[shapely.Geometry], kind: str) -> np.ndarray:
    """Simplified, on the lattice of STEP, valid, in single parts."""
    smooth = shapely.simplify(np.array(shapes, dtype=object), SMOOTH)
    parts = shapely.get_parts(shapely.set_precision(shapely.segmentize(smooth, 20.0), STEP))
    parts = shapely.get_parts(parts)
    return parts[[part.geom_type == kind and not part.is_empty for part in parts]]


def packed(name: str, parts: np.ndarray) -> dict[str, np.ndarray]:
    """Lines or rings as a start and int16 steps from vertex to vertex, with the number of rings of each polygon."""
    if parts[0].geom_type == "Polygon":
        rings = shapely.get_rings(parts)
        counts = shapely.get_num_interior_rings(parts) + 1
    else:
        rings, counts = parts, np.ones(len(parts), dtype=int)
    xy = np.rint(shapely.get_coordinates(rings) / STEP).astype(np.int32)
    lengths = shapely.get_num_coordinates(rings)
    first = np.cumsum(lengths) - lengths
    steps = np.diff(xy, axis=0, prepend=xy[:1])
    steps[first] = 0
    assert np.abs(steps).max() < 1 << 15
    return {
        f"{name}_starts": xy[first],
        f"{name}_steps": steps.T.astype(np.int16),
        f"{name}_lengths": lengths.astype(np.int32),
        f"{name}_rings": counts.astype(np.int16),
    }


def main(atlas: str, plotly: str, out: str) -> None:
    countries = json.loads(Path(atlas, "countries-10m.json").read_text())
    land = json.loads(Path(atlas, "land-10m.json").read_text())
    assets = str(Path(plotly, "dist", "plotly-geo-assets.js").resolve())
    physical = json.loads(
        subprocess.run(["node", "-e", READ, assets], check=True, capture_output=True).stdout
    )
    layers = {
        "land": rounded(polygons(land, "land"), "Polygon"),
        "lakes": rounded(polygons(physical, "lakes"), "Polygon"),
        "borders": rounded(borders(countries), "LineString"),
        "rivers": rounded(lines(physical, "rivers"), "LineString"),
    }
    arrays: dict[str, np.ndarray] = {"step": np.array(STEP)}
    for name, parts in layers.items():
        arrays |= packed(name, parts)
        print(
            f"{name}: {len(parts):,} parts, {shapely.get_num_coordinates(parts).sum():,} vertices"
        )
    np.savez_compressed(out, **arrays)
    print(f"{Path(out).stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
