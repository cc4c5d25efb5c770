"""Secrets planted in every column of a survey, and the search for them, also inside files: zip entries, streams, base64."""

import base64
import contextlib
import io
import re
import struct
import zipfile
import zlib
from pathlib import Path

import geopandas as gpd
import pandas as pd
import shapely

WORDS = {
    "who": "Zanzibarwitness",
    "ok": "Yesquetzal",
    "notes": "Notesaxolotl",
    "species": "Speciesokapi",
    "date": "Dateibex",
}
LON, LAT = 1.2345987651, 51.9876512349
BOUNDS, SHAPE = "-2,50,2,54", "7,9"


def needles():
    """Each secret in the forms in which it could leak."""
    found = []
    for word in WORDS.values():
        found += [text.encode() for text in (word, word.lower(), word.upper())] + [
            word.encode("utf-16-le")
        ]
        found += [base64.b64encode(word.encode())[:-4]]
    for number in (LON, LAT):
        found += [
            repr(number)[:9].encode(),
            struct.pack("<d", number),
            struct.pack(">d", number),
            struct.pack("<f", number),
        ]
    return found


NEEDLES = needles()


def leaks(content: bytes) -> list[bytes]:
    return [needle for needle in NEEDLES if needle in content]


def survey_file(folder: Path, kind: str) -> Path:
    """A small survey in which some rows carry the secrets in every column, and one is broken on purpose."""
    folder.mkdir(exist_ok=True)
    rows = [
        dict(
            who=f"p{i % 7}",
            ok="yes",
            notes="n",
            species="s",
            date="d",
            lon=-1 + i % 3,
            lat=51.5 + i % 2,
        )
        for i in range(60)
    ]
    rows += [dict(WORDS, ok="yes", lon=LON, lat=LAT) for _ in range(5)]
    rows += [
        dict(WORDS, lon=LON, lat=LAT),
        dict(WORDS, ok="yes", lon=None, lat=LAT),
        dict(WORDS, who=None, lon=LON, lat=None),
    ]
    frame = pd.DataFrame(rows)
    path = folder / f"survey.{'parquet' if kind == 'geoparquet' else kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{','.join(WORDS.values())},{LON},{LAT},{WORDS['who']},{WORDS['notes']}\n")
            file.write(f"{WORDS['who']},yes,{WORDS['notes']},,,{WORDS['notes']},{LAT}\n")
    elif kind == "parquet":
        frame.to_parquet(path)
    else:
        points = [
            None if pd.isna(x) or pd.isna(y) else shapely.Point(x, y)
            for x, y in zip(frame.lon, frame.lat, strict=True)
        ]
        layer = gpd.GeoDataFrame(
            frame.drop(columns=["lon", "lat"]), geometry=points, crs="EPSG:4326"
        )
        layer.to_parquet(path) if kind == "geoparquet" else layer.to_file(path)
    return path


def insides(name: str, content: bytes, depth: int = 0):
    """The bytes of a file, and what can be unpacked from them."""
    yield name, content
    if depth > 2:
        return
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                assert not leaks(entry.filename.encode())
                yield from insides(f"{name}/{entry.filename}", archive.read(entry), depth + 1)
    for match in re.finditer(rb"x[\x01\x5e\x9c\xda]|\x1f\x8b\x08", content):
        reader = zlib.decompressobj(wbits=47)
        with contextlib.suppress(zlib.error):
            yield f"{name}@{match.start()}", reader.decompress(content[match.start() :], 1 << 22)
    for match in re.finditer(rb"[A-Za-z0-9+/]{200,}={0,2}", content):
        with contextlib.suppress(ValueError):
            text = match[0][: len(match[0]) // 4 * 4]
            yield from insides(f"{name}~{match.start()}", base64.b64decode(text), depth + 1)


def search_folder(folder: Path, *, but: Path) -> int:
    """Asserts that no file below a folder, the survey aside, holds a secret in its name or bytes; how many there were."""
    count = 0
    for path in folder.rglob("*"):
        assert not leaks(str(path.relative_to(folder)).encode())
        if path.is_file() and path != but and but.stem != path.stem:
            count += 1
            for name, content in insides(path.name, path.read_bytes()):
                assert not leaks(content), f"{name} holds {leaks(content)}"
    return count
