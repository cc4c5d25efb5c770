"""Hostile surveys and flags of nonsense, of which each must end in one line that shows no value."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

SECRET = "Tessaly"
"""Part of every value of the survey: no line may show it."""
HEADER = "who,longitude,latitude,ok,kind,seen,n,note\n"
ROWS = [
    f"{SECRET}{i % 7},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100},yes{SECRET},kite{SECRET},2024-05-{i % 27 + 1:02d},{i % 3 + 1},{SECRET}"
    for i in range(150)
]
PLAIN = (HEADER + "\n".join(ROWS) + "\n").encode()
SPEND = {
    "epsilon": "0.5",
    "unit": "who",
    "cap": "3",
    "dataset": "Raptors",
    "bounds": "0,50,1,51",
    "shape": "8,9",
}


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return held.getvalue()


def tarred(content: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        info = tarfile.TarInfo("survey.csv")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


def parquet() -> bytes:
    held = io.BytesIO()
    pq.write_table(
        pa.table({"who": [SECRET] * 9, "longitude": [0.5] * 9, "latitude": [50.5] * 9}), held
    )
    return held.getvalue()


def geopackage(folder: Path) -> bytes:
    frame = gpd.GeoDataFrame(
        {"who": [SECRET] * 300}, geometry=[shapely.Point(0.5, 50.5)] * 300, crs=4326
    )
    frame.to_file(folder / "made.gpkg")
    content = (folder / "made.gpkg").read_bytes()
    (folder / "made.gpkg").unlink()
    return content


NO_SURVEYS = {
    "empty": b"",
    "one line end": b"\n",
    "blanks": b"   \n  \n\t\n",
    "a mark of order alone": b"\xef\xbb\xbf",
    "null bytes": b"\0" * 5000,
    "numbers, no header": b"1.5,50.2,7\n1.6,50.3,8\n",
    "a header alone of one column": b"note\n",
    "columns that say nothing": b"a,b,c\n1,2,3\n",
    "a page": b"<!DOCTYPE html><html><body>Please log in</body></html>",
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\n" + b"x" * 300,
    "a picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 300,
    "a photo": b"\xff\xd8\xff\xe0" + b"\0" * 300,
    "a program": b"\x7fELF" + b"\1" * 300,
    "7z": b"7z\xbc\xaf\x27\x1c" + b"\0" * 300,
    "rar": b"Rar!\x1a\x07\0" + b"\0" * 300,
    "bzip2": b"BZh91AY&SY" + b"\0" * 300,
    "xz": b"\xfd7zXZ\0" + b"\0" * 300,
    "zstd": b"\x28\xb5\x2f\xfd" + b"\0" * 300,
    "old Excel, broken": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 900,
    "R": gzip.compress(b"X\n\0\0\0\3" + b"\0" * 100),
    "R workspace": gzip.compress(b"RDX3\nX\n\0\0\0\3" + b"\0" * 100),
    "JSON cut short": b'{"type": "FeatureCollection", "features": [{"type": "Fea',
    "JSON of one number": b"[1]",
    "JSON nested": b"[" * 50_000,
    "XML cut short": b'<?xml version="1.0"?><gpx><wpt lat="1"',
    "XML with entities": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><gpx>&b;</gpx>',
    "GML": b'<?xml version="1.0"?><FeatureCollection></FeatureCollection>',
    "unknown XML": b'<?xml version="1.0"?><notes></notes>',
    "an empty archive": zipped(),
    "an archive of a picture": zipped(photo_png=b"\x89PNG"),
    "an archive of an archive of an archive": zipped(a_zip=zipped(b_zip=zipped(c_csv=PLAIN))),
    "an archive of two headers": zipped(a_csv=PLAIN, b_csv=b"who,where\nana,here\n"),
    "an archive of a table and a layer": zipped(a_csv=PLAIN, b_geojson=b"{}"),
    "gzip of nothing": gzip.compress(b""),
    "gzip cut short": gzip.compress(PLAIN)[:90],
    "a bomb": gzip.compress(HEADER.encode() + b"x" * (65 << 20)),
    "a tar of nothing": tarred(b""),
    "a database without tables": b"SQLite format 3\0" + b"\0" * 84,
    "Parquet cut short": parquet()[:200],
    "Parquet without its end": parquet()[:-8],
    "Parquet's name alone": b"PAR1PAR1",
    "FlatGeobuf cut short": b"fgb\x03fgb\x01" + b"\0" * 40,
    "a shapefile by itself": b"\0\0\x27\x0a" + b"\0" * 96,
    "a workbook of nothing": zipped(xl_workbook_xml=b"<workbook/>"),
    "quotes that never close": PLAIN + f'{SECRET},0.5,50.5,"yes\n'.encode() * 3,
    "UTF-16 without its mark": PLAIN.decode().encode("utf-16-le"),
    "half a UTF-16 character": b"\xff\xfe" + PLAIN.decode().encode("utf-16-le")[:-1],
    "ten thousand columns and one": ",".join(f"c{i}" for i in range(10_001)).encode() + b"\n",
    "an empty meta.xml": zipped(meta_xml=b"", occurrence_txt=PLAIN),
    "a meta.xml of another table": zipped(meta_xml=b"<archive><core><files><location>x.txt</location></files></core></archive>"),
    "a model": b"PK\x03\x04" + b"\0" * 40,
    "a mail": b"From: a@example.org\nTo: b@example.org\n\nSee attached.\n",
    "a calendar": b"BEGIN:VCALENDAR\nEND:VCALENDAR\n",
    "an ASCII grid": b"ncols 2\nnrows 2\nxllcorner 0\n1 2\n3 4\n",
}  # fmt: skip
NAMED = ("survey.csv", "survey.gpkg", "survey.zip")
NO_TEXTS = (
    "",
    " ",
    "\0",
    "\x1b[31m",
    "'; DROP TABLE rows; --",
    '"',
    "\u202e",
    "x" * 5000,
    "../../etc/passwd",
    "{}",
    "%s%n",
    "\ud800",
)
FLAGS = {
    "x": ("nobody", "longitude+nobody", *NO_TEXTS[2:6]),
    "place": ("nobody", *NO_TEXTS[2:6]),
    "crs": ("EPSG:0", "EPSG:999999", "degrees", "+proj=nothing", "EPSG:4978", *NO_TEXTS),
    "datum": ("nobody", *NO_TEXTS[2:5]),
    "uncertainty": ("nobody", "+", *NO_TEXTS[2:5]),
    "max_uncertainty": ("5 deg", "-1", "nan", "0", "1 parsec", *NO_TEXTS[2:5]),
    "layer": ("nobody", *NO_TEXTS[1:5]),
    "format": ("xls", "geojson", "ebird", "json+json", "gbif+", *NO_TEXTS[1:6]),
    "columns": (",", "a,a", "a,,b", *NO_TEXTS[:2]),
    "delimiter": ("ab", "a", "\n", "", "1", '"', "\u00e9"),
    "encoding": ("ebcdic", "utf-7", "rot13", "idna", *NO_TEXTS[2:5]),
    "team": ("", "a1", "-1-", "none auto"),
    "missing_unit": ("keep", *NO_TEXTS[:3]),
    "consent_by": ("people", *NO_TEXTS[:3]),
    "signals": ("some", *NO_TEXTS[:3]),
    "count": ("n", "nobody"),
    "between": ("1", "1,0", "a,b", "0,1,2", "nan,1", *NO_TEXTS[1:4]),
    "unit": ("nobody", "who+nobody", "|", "+", "who|", *NO_TEXTS[2:6]),
    "consent": ("ok", "=yes", "ok=", "nobody=yes", *NO_TEXTS[2:6]),
    "cap": ("0", "-1", "1.5", "1e9999", "auto", "auto:2", "auto:0", "ten", *NO_TEXTS[:4]),
    "epsilon": ("0", "-1", "nan", "inf", "1/0", "0x1", "1e999", "next", *NO_TEXTS[:4]),
    "kinds": ("kind", "=a", "kind=", "kind=a,A", "nobody=a", *NO_TEXTS[2:5]),
    "times": ("seen", "seen=2024", "seen=2025,2024", "seen=soon,later", "nobody=2024,2025", "seen=2024-13,2025", *NO_TEXTS[2:5]),
    "strategy": ("none", "sparse:", "sparse:0", "sparse:-1", "Flat!", *NO_TEXTS[:4]),
    "bounds": ("0,50,1", "1,50,0,51", "0,51,1,50", "nan,50,1,51", "a,b,c,d", "0,50,1,1e999", *NO_TEXTS[:3]),
    "shape": ("0,5", "5", "-4,5", "1.5,2", "1e9,1e9", "a,b", *NO_TEXTS[:3]),
    "sensitivity": ("gbif-9", "secret", *NO_TEXTS[2:5]),
    "expires": ("soon", "2026-02-30", "31/12/2031", *NO_TEXTS[2:5]),
    "licence": ("CC BY", "http://x.org", "javascript:alert(1)", "https://", "https://x.org/a b", "https://u:p@x.org/", "https://x.org/[1]", "CC-BY-\u0664.0", *NO_TEXTS[3:6], *NO_TEXTS[7:11]),
    "doi": ("owls", "10.5072/", "10.5072/a b", "10.\u0665\u0660\u0667\u0662/x", "10.5072/<b>", "doi:", *NO_TEXTS[3:6], *NO_TEXTS[7:11]),
    "reason": ("because", "specie\u017fLocation", "species location", *NO_TEXTS[3:6], *NO_TEXTS[7:11]),
    "local_contexts": ("{71b32571-0176-4627-8e01-4d78818432a7}", "71b3257101764627", "urn:uuid:71b32571-0176-4627-8e01-4d78818432a7", *NO_TEXTS[3:6], *NO_TEXTS[7:11]),
    "label": ("TK Nothing", *NO_TEXTS[3:6], *NO_TEXTS[7:11]),
    "retention": ("x" * 241, "x" * 10_000),
    "also_published": ("x" * 241, "x" * 10_000),
    "authorised_by": ("x" * 121,),
    "purpose": ("x" * 241,),
    "grid": ("eea-3km", "eea 10km", "10km", "maille", "mgrs-1m", *NO_TEXTS),
    "context": ("nowhere.gpkg", "survey.csv", "..", *NO_TEXTS[2:5]),
    "config": ("nowhere.toml", ".", "survey.csv", *NO_TEXTS[2:5]),
    "ledger": ("nowhere/deep/book", ".", "survey.csv"),
    "engine": ("postgres", *NO_TEXTS[:3]),
    "memory": ("lots", *NO_TEXTS[2:5]),
    "noise": ("gaussian", *NO_TEXTS[:3]),
    "dataset": ("", " ", "x" * 5000),
    "budget": ("0", "-1", "nan", "0.1", *NO_TEXTS[1:4]),
}  # fmt: skip
