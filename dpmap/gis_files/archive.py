"""Unpacks an archive with one layer into a private folder."""

import os
import shutil
import zipfile
from collections.abc import Iterator, Sequence

from dpmap.errors import BadInput
from dpmap.plain_file import shown_name

MOST_UNPACKED = 4 << 30
RATIO = 200
"""How many times its packed size an archive may unpack to, once that is more than `MOST_SMALL`."""
MOST_SMALL = 64 << 20


def unpack_layer(path: str, folder: str, role: str) -> str:
    """Unpack an archive into a private folder and return the one layer in it."""
    name = shown_name(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            _check_unpacks(members, name, role)
            for one in members:
                target = os.path.join(folder, *_safe_parts(one.filename))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.open(one) as packed, open(target, "xb") as out:
                    shutil.copyfileobj(packed, out)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        OSError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        EOFError,
    ):
        raise BadInput(
            f"{role}: {name} is no archive that can be unpacked; unpack it and give the layer"
        ) from None
    layers = sorted(_layers_below(folder))
    if len(layers) != 1:
        has = "holds several layers" if layers else "holds no layer"
        raise BadInput(f"{role}: {name} {has}; unpack it and give the one that is meant")
    return layers[0]


def _check_unpacks(members: Sequence[zipfile.ZipInfo], name: str, role: str) -> None:
    """Refuse an archive that says it unpacks to more than it may; `zipfile` reads no more than
    it says.
    """
    size = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if (
        size > MOST_UNPACKED
        or (size > MOST_SMALL and size > RATIO * packed)
        or len(members) > 10_000
    ):
        raise BadInput(f"{role}: {name} unpacks to too much; unpack it and give the layer")


def _safe_parts(member: str) -> list[str]:
    parts = member.replace("\\", "/").split("/")
    if any(part in ("", ".", "..") or "\0" in part or ":" in part for part in parts):
        raise ValueError
    return parts


def _layers_below(folder: str) -> Iterator[str]:
    """Find the layers in an unpacked archive."""
    endings = (".shp", ".gpkg", ".fgb", ".geojson", ".json", ".kml", ".gpx")
    for base, folders, files in os.walk(folder):
        yield from (os.path.join(base, one) for one in folders if one.lower().endswith(".gdb"))
        folders[:] = [
            one for one in folders if not one.lower().endswith(".gdb") and one != "__MACOSX"
        ]
        yield from (
            os.path.join(base, file)
            for file in files
            if file.lower().endswith(endings) and file[0] != "."
        )
