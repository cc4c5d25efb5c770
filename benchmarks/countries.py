"""Makes `dpmap/geography/assets/countries.npz`, the outlines behind `--area country:Kenya`.

    npm pack world-atlas@2.0.2 i18n-iso-countries@7.14.0       # Natural Earth as TopoJSON, and the codes of ISO 3166
    mkdir atlas iso && tar xzf world-atlas-*.tgz -C atlas && tar xzf i18n-iso-countries-*.tgz -C iso
    python benchmarks/countries.py atlas/package iso/package OUT.npz

Natural Earth's countries of 1:50 million, on the lattice of their own topology, so that neighbours share each vertex of
their border. What crosses the antimeridian is cut there. Runs in seconds; needs numpy and shapely.
"""

import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from natural_earth import arcs_of, joined, split_at_180

SPELLED = {
    "Antigua and Barb.": "Antigua and Barbuda",
    "Ashmore and Cartier Is.": "Ashmore and Cartier Islands",
    "Bosnia and Herz.": "Bosnia and Herzegovina",
    "Br. Indian Ocean Ter.": "British Indian Ocean Territory",
    "British Virgin Is.": "British Virgin Islands",
    "Cayman Is.": "Cayman Islands",
    "Central African Rep.": "Central African Republic",
    "Cook Is.": "Cook Islands",
    "Dem. Rep. Congo": "Democratic Republic of the Congo",
    "Dominican Rep.": "Dominican Republic",
    "Eq. Guinea": "Equatorial Guinea",
    "Faeroe Is.": "Faeroe Islands",
    "Falkland Is.": "Falkland Islands",
    "Fr. Polynesia": "French Polynesia",
    "Fr. S. Antarctic Lands": "French Southern and Antarctic Lands",
    "Heard I. and McDonald Is.": "Heard Island and McDonald Islands",
    "Indian Ocean Ter.": "Indian Ocean Territories",
    "Marshall Is.": "Marshall Islands",
    "N. Cyprus": "Northern Cyprus",
    "N. Mariana Is.": "Northern Mariana Islands",
    "Pitcairn Is.": "Pitcairn Islands",
    "S. Geo. and the Is.": "South Georgia and the Islands",
    "S. Sudan": "South Sudan",
    "Solomon Is.": "Solomon Islands",
    "St-Barthélemy": "Saint Barthélemy",
    "St-Martin": "Saint Martin",
    "St. Kitts and Nevis": "Saint Kitts and Nevis",
    "St. Pierre and Miquelon": "Saint Pierre and Miquelon",
    "St. Vin. and Gren.": "Saint Vincent and the Grenadines",
    "Turks and Caicos Is.": "Turks and Caicos Islands",
    "U.S. Virgin Is.": "United States Virgin Islands",
    "W. Sahara": "Western Sahara",
    "Wallis and Futuna Is.": "Wallis and Futuna Islands",
}
"""The source's shortened names, written out; nothing else about a name is changed."""
POLE = -89.9
"""Degrees: the source draws the south pole as a ring of its own."""
LONGEST = 30_000
"""Steps of the lattice from vertex to vertex: what an int16 holds."""


def lattice(topology: dict[str, Any], shape: shapely.Geometry) -> list[shapely.Geometry]:
    """A shape in degrees as valid polygons on the topology's lattice, counted from its corner."""
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    counted = shapely.transform(shape, lambda xy: np.rint((xy - shift) / scale))
    if not shapely.is_valid(counted):
        counted = shapely.set_precision(shapely.make_valid(counted), 1.0)
    counted = shapely.transform(shapely.segmentize(counted, LONGEST), np.rint)
    return [part for part in shapely.get_parts(shapely.get_parts([counted])) if part.area > 0]


def polygons(topology: dict[str, Any], geometry: dict[str, Any]) -> list[shapely.Geometry]:
    """The polygons of one country; those that reach over the antimeridian are cut there."""
    arcs, found = arcs_of(topology), []
    for rings in {"Polygon": [geometry["arcs"]], "MultiPolygon": geometry["arcs"]}[
        geometry["type"]
    ]:
        lines = [line for line in (joined(arcs, ring) for ring in rings) if line[:, 1].max() > POLE]
        across = any((np.abs(np.diff(line[:, 0])) > 180).any() for line in lines)
        for part in split_at_180(lines) if across else [shapely.Polygon(lines[0], lines[1:])]:
            found += lattice(topology, part)
    return found


def packed(countries: list[list[shapely.Geometry]]) -> dict[str, np.ndarray]:
    """Outlines as the start of each ring and int16 steps from vertex to vertex, the rings of each polygon, the polygons of each country."""
    parts = np.array([part for country in countries for part in country], dtype=object)
    rings = shapely.get_rings(parts)
    lengths = shapely.get_num_coordinates(rings)
    xy = shapely.get_coordinates(rings).astype(np.int32)
    first = np.cumsum(lengths) - lengths
    steps = np.diff(xy, axis=0, prepend=xy[:1])
    steps[first] = 0
    assert np.abs(steps).max() < 1 << 15
    return {
        "starts": xy[first],
        "steps": steps.T.astype(np.int16),
        "lengths": lengths.astype(np.int32),
        "rings": (shapely.get_num_interior_rings(parts) + 1).astype(np.int16),
        "parts": np.array([len(country) for country in countries], dtype=np.int16),
    }


def spelled(geometry: dict[str, Any]) -> str:
    """A country's name, written out."""
    name = geometry["properties"]["name"]
    return SPELLED.get(name, name)


def plain(name: str) -> str:
    """A name without accents and capitals, to sort by."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()


def lines_of(texts: list[str]) -> np.ndarray:
    """Texts as bytes, a line each."""
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def main(atlas: str, iso: str, out: str) -> None:
    topology = json.loads(Path(atlas, "countries-50m.json").read_text("utf-8"))
    alphas = {
        number: (two, three)
        for two, three, number, _ in json.loads(Path(iso, "codes.json").read_text())
    }
    found = sorted(
        topology["objects"]["countries"]["geometries"], key=lambda one: plain(spelled(one))
    )
    short = [one["properties"]["name"] for one in found]
    shared = Counter(one.get("id") for one in found)
    owns = [
        shared[one.get("id")] == 1 or name == "Australia"
        for one, name in zip(found, short, strict=True)
    ]
    codes = [
        alphas.get(one.get("id"), ("", "")) if own else ("", "")
        for one, own in zip(found, owns, strict=True)
    ]
    arrays = packed([polygons(topology, one) for one in found])
    for key in ("scale", "translate"):
        arrays[key] = np.array(topology["transform"][key])
    arrays["names"] = lines_of([spelled(one) for one in found])
    arrays["short"] = lines_of(short)
    arrays["codes"] = lines_of([" ".join(pair) for pair in codes])
    np.savez_compressed(out, **arrays)
    print(
        f"{len(found)} countries, {arrays['steps'].shape[1]:,} vertices, {Path(out).stat().st_size:,} bytes"
    )
    print(
        "without a code:",
        ", ".join(name for name, code in zip(short, codes, strict=True) if not code[0]),
    )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
