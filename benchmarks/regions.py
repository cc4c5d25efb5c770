"""Makes `dpmap/geography/assets/regions.npz`, the outlines behind `--area region:Dorset`.

    apt-get download qgis-common && dpkg -x qgis-common_*.deb qgis     # QGIS carries Natural Earth's provinces
    python benchmarks/regions.py qgis/usr/share/qgis/resources/data/world_map.gpkg OUT.npz

Natural Earth's first-order divisions of 1:10 million, simplified as one coverage, so that neighbours share each vertex of
their border. Runs in a minute; needs geopandas and shapely.
"""

import sys
from pathlib import Path

import numpy as np
import pyogrio
import shapely
from countries import lines_of, packed

STEP = 0.0025
"""Degrees: corners lie on a lattice so fine, which is 280 m from south to north."""
SMOOTH = 0.0002
"""Square degrees: corners whose triangle is smaller are left out (about 1 km off a border at most)."""
LARGER = {
    ("GBR", "ENG"): "England",
    ("GBR", "SCT"): "Scotland",
    ("GBR", "WLS"): "Wales",
    ("GBR", "NIR"): "Northern Ireland",
    ("BEL", "BFR"): "Flanders",
    ("BEL", "BWR"): "Wallonia",
    ("BEL", "BCR"): "Brussels",
}
"""What the source's larger units are called, where people name them: by country and unit."""
WRONG = ("Ã", "Â", "?", "\ufffd")
"""Marks of a name that was read in another encoding than it was written in."""


def names_of(row: dict[str, object]) -> list[str]:
    """A region's name as the source writes it first, then the other ways to write it."""
    label = str(row["woe_label"] or "").partition(",")[0]
    texts = [str(row[key] or "") for key in ("name", "woe_name")] + [
        label,
        str(row["gn_name"] or ""),
    ]
    clean = [text.strip() for text in texts if text.strip() not in ("", "None", "nan", "NULL")]
    return list(dict.fromkeys(text for text in clean if not any(mark in text for mark in WRONG)))


def main(source: str, out: str) -> None:
    table = pyogrio.read_dataframe(source, layer="states_provinces")
    table = table[table["name"].notna() & table["admin"].notna()].reset_index(drop=True)
    lattice = shapely.set_precision(table.geometry.to_numpy(), STEP / 2)
    smooth = shapely.coverage_simplify(lattice, SMOOTH**0.5)
    counted = shapely.set_precision(shapely.transform(smooth, lambda xy: xy / STEP), 1.0)
    kept = []
    regions = []
    for row, shape in zip(table.to_dict("records"), counted, strict=True):
        parts = [
            part
            for part in shapely.get_parts(shapely.get_parts([shape]))
            if part.geom_type == "Polygon" and part.area > 0
        ]
        if parts:
            kept.append(row)
            regions.append([shapely.segmentize(part, 30_000) for part in parts])
    arrays = packed(regions)
    arrays["scale"] = np.array([STEP, STEP])
    arrays["translate"] = np.array([0.0, 0.0])
    names = [names_of(row) for row in kept]
    arrays["names"] = lines_of(
        [texts[0] if texts else str(row["name"]) for texts, row in zip(names, kept, strict=True)]
    )
    arrays["others"] = lines_of(["|".join(texts[1:]) for texts in names])
    arrays["countries"] = lines_of([str(row["admin"]) for row in kept])
    arrays["larger"] = lines_of(
        [LARGER.get((str(row["adm0_a3"]), str(row["gu_a3"])), "") for row in kept]
    )
    np.savez_compressed(out, **arrays)
    print(
        f"{len(kept)} regions, {arrays['steps'].shape[1]:,} vertices, {Path(out).stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
