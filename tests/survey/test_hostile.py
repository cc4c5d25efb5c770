"""Hostile files: each ends in a survey that can be released or in one clear line, and says nothing of its values."""

import gzip
import io
import os
import resource
import zipfile

import pytest
from fixtures import FIXTURES, delimited, gbif_tab
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from survey_totals import totals

import dpmap as dm
from dpmap.errors import DpmapError

DEEP = os.environ.get("DPMAP_DEEP") == "1"
EXAMPLES = 10_000 if DEEP else 1_000
GRID = dm.Grid(bounds=(-180, -90, 180, 90), shape=(18, 36), crs="EPSG:4326")
TEXTS = [
    f
    for f in FIXTURES
    if f.key
    not in ("geopackage", "shapefile", "flatgeobuf", "geojson", "geoparquet", "kml", "gpx", "gbif-shards", "dwc-events")
]
_BYTES = {}


def whole(fixture, folder):
    """A fixture's file name and bytes, made once."""
    if fixture.key not in _BYTES:
        made = fixture.make(folder)
        _BYTES[fixture.key] = (made.name, made.read_bytes())
    return _BYTES[fixture.key]


def ends_well(path, **read):
    """The survey is read and counted, or one line of dpmap's own says why not."""
    try:
        survey = dm.read(path, **read)
        unit = survey.roles.unit or "row"
        found = totals(survey, GRID, dm.Policy(epsilon=1, unit=unit, cap=2))
        assert all(steps > 0 for steps in found.values())
    except DpmapError as error:
        line = str(error)
        assert "\n" not in line
        assert len(line) < 4000
        assert error.exit_code in (1, 2, 3)
        return line
    return ""


def mutated(data, edits):
    """The bytes with cuts, flips, foreign pieces and repeats."""
    raw = bytearray(data)
    for kind, place, value in edits:
        at = place % max(1, len(raw))
        if kind == "cut":
            del raw[at:]
        elif kind == "flip" and raw:
            raw[at] ^= value % 255 + 1
        elif kind == "put":
            raw[at:at] = PIECES[value % len(PIECES)]
        elif kind == "drop":
            del raw[at : at + value % 64]
        elif kind == "again":
            raw[at:at] = raw[: value % 4096]
    return bytes(raw)


PIECES = [b"\0", b"\xff\xfe", b'"', b"'", b"\r", b"\n", b"\t", b",", b";", b"=cmd|' /C calc'!A0", b"\xf0\x9f\xa6\x85", b"9" * 400, b"nan", b"-inf", b"1e999",
          b"\xe9", b"../../etc/passwd", b"<!ENTITY a 'b'>", b'"' * 3, b"\x1a", b"\xef\xbb\xbf", b"x" * 70000, b"POINT(", b"{", b"[", b"\\", b"%s%n", b"\x85\xe2\x80\xa8"]  # fmt: skip
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "put", "drop", "again"]), st.integers(0, 1 << 16), st.integers(0, 1 << 16)
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS), EDITS)
def test_mutated_exports(tmp_path_factory, fixture, edits):
    """Any mutation of any format's file is read, or refused in one line."""
    base = tmp_path_factory.getbasetemp()
    (base / "whole" / fixture.key).mkdir(parents=True, exist_ok=True)
    name, data = whole(fixture, base / "whole" / fixture.key)
    place = base / "mutated"
    place.mkdir(exist_ok=True)
    path = place / name
    path.write_bytes(mutated(data, edits))
    ends_well(path)


@settings(max_examples=EXAMPLES // 20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(
        ["gbif-parquet", "geopackage", "flatgeobuf", "geojson", "geoparquet", "kml", "gpx", "zipped-shapefile"]
    ),
    EDITS,
)
def test_mutated_layers(tmp_path_factory, key, edits):
    """The same for layers with geometry."""
    fixture = next(f for f in FIXTURES if f.key == key)
    base = tmp_path_factory.getbasetemp()
    (base / "whole" / key).mkdir(parents=True, exist_ok=True)
    name, data = whole(fixture, base / "whole" / key)
    place = base / "mutated"
    place.mkdir(exist_ok=True)
    (place / name).write_bytes(mutated(data, edits))
    ends_well(place / name)


def zipped(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


HEAD = b"who,longitude,latitude\n"


def test_zip_bomb(tmp_path):
    """An archive that unpacks to more than any honest one is refused while it unpacks."""
    bomb = HEAD + (b"a,1,2\n" * (1 << 16)) * 400
    line = ends_well(zipped(tmp_path / "bomb.zip", {"a.csv": bomb}), unit="who")
    assert "unpacks to more than" in line
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(bomb))
    assert "unpacks to more than" in ends_well(tmp_path / "bomb.csv.gz", unit="who")


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "/etc/evil.csv", "a/../../evil.csv", "..\\evil.csv", "\x1b[2Jevil.csv", "{x}.csv"]
)
def test_names_that_climb(name, tmp_path):
    """A member's name never becomes a path: nothing is written outside the private folder."""
    place = tmp_path / "deep" / "er"
    place.mkdir(parents=True)
    line = ends_well(zipped(place / "a.zip", {name: HEAD + b"a,1,2\n"}), unit="who")
    assert line == "" or "no file dpmap reads" in line
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.zip", "deep", "er"]


def test_nested_and_locked_and_crowded_archives(tmp_path):
    """Archives in archives in archives, too many members, damaged directories: one line each."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.csv", HEAD)
    deeper = zipped(tmp_path / "a.zip", {"b.zip": inner.getvalue()}).read_bytes()
    assert ends_well(zipped(tmp_path / "f.zip", {"c.zip": deeper}))
    assert ends_well(zipped(tmp_path / "b.zip", {f"{i}.csv": b"" for i in range(10_001)}))
    assert ends_well(zipped(tmp_path / "c.zip", {"b.csv": inner.getvalue()}))
    data = zipped(tmp_path / "d.zip", {"a.csv": HEAD + b"a,1,2\n"}).read_bytes()
    (tmp_path / "e.zip").write_bytes(data[: len(data) // 2])
    assert ends_well(tmp_path / "e.zip")


LAUGHS = (
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {b} '{('&' + a + ';') * 10}'>" for a, b in zip("abcdefgh", "bcdefghi"))
    + "]>"
)


@pytest.mark.parametrize("root", ["gpx", "kml", "patrol", "archive"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_bombs(root, encoding, tmp_path):
    """XML that declares entities is refused before any is expanded."""
    text = LAUGHS.replace("version='1.0'", f"version='1.0' encoding='{encoding}'") + f"<{root}>&i;</{root}>"
    name = "meta.xml" if root == "archive" else f"a.{root}"
    (tmp_path / name).write_bytes(text.encode(encoding))
    line = ends_well(tmp_path if root == "archive" else tmp_path / name)
    assert "entities" in line or "XML of no kind" in line


def test_many_columns(tmp_path):
    """100,000 columns: refused at the header."""
    path = delimited(tmp_path / "a.csv", [f"c{i}" for i in range(100_000)], [])
    assert "columns" in ends_well(path)


def test_huge_fields(tmp_path):
    """A field of 20 MB drops its row alone."""
    path = tmp_path / "a.csv"
    path.write_bytes(HEAD + b"a,1,2\n" + b"x" * (20 << 20) + b",1,2\nb,1,2\n")
    survey = dm.read(path, unit="who")
    assert dm.inspect(survey).units == 2


def test_deep_json(tmp_path):
    """JSON nested without end is one line."""
    (tmp_path / "a.json").write_text("[" * 200_000)
    assert ends_well(tmp_path / "a.json")
    (tmp_path / "b.json").write_text('{"records": [' + '{"a":' * 5000 + "1" + "}" * 5000 + "]}")
    assert ends_well(tmp_path / "b.json")


def test_no_other_file_is_read(tmp_path):
    """A layer that points elsewhere (a GDAL virtual layer under any name) is no layer."""
    secret = gbif_tab(tmp_path)
    text = f"<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>{secret}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
    for name in ("a.geojson", "a.kml", "a.gpx", "a.vrt", "a.csv"):
        (tmp_path / name).write_text(text)
        assert "XML of no kind" in ends_well(tmp_path / name)


def test_messages_hold_no_value(tmp_path, capsys):
    """With secrets in every row, no failure says one."""
    from dpmap.cli import run

    secret = "Xanthippe Secretson"
    tables = {"blank.csv": f"who,longitude,latitude\n,{secret},{secret}\n", "swapped.csv": "who,longitude,latitude\n" + f"{secret},56.12345,-3.98765\n" * 3,
              "short.csv": f"{secret},56.12345,-3.98765\n", "quote.csv": f'who,longitude,latitude\n"{secret},56.12345,-3.98765\n'}  # fmt: skip
    for name, text in tables.items():
        (tmp_path / name).write_text(text)
        run(["release", str(tmp_path / name), "--bounds=-5,55,0,58", "--shape=10,10", "--epsilon=1", "--cap=2", "--unit=who", "--dataset=d",
             "--budget=9", f"--out={tmp_path / name}-out"])  # fmt: skip
        told = capsys.readouterr()
        assert told.err.count("\n") == 1
        for word in (secret, "Secretson", "56.12345", "3.98765"):
            assert word not in told.out + told.err


def test_memory_stayed_low():
    """All of the above took less than 2 GB."""
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 << 20
