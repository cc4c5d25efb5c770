"""Hostile files: each ends in a survey that can be released or in one clear line, and says nothing of its values."""

import faulthandler
import gzip
import io
import os
import re
import shutil
import tempfile
import zipfile

import pytest
from fixtures import FIXTURES, delimited, gbif_tab, opened
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from survey_totals import totals
from variants import VARIANTS

import dpmap as dm
from dpmap.errors import DpmapError

DEEP = os.environ.get("DPMAP_DEEP") == "1"
EXAMPLES = 1_000 if DEEP else 100
SLICES = range(10 if DEEP else 1)
HANGS = 300
GRID = dm.Grid(bounds=(-180, -90, 180, 90), shape=(18, 36), crs="EPSG:4326")
ALL = [*FIXTURES, *VARIANTS]
LAYERS = [
    "gbif-parquet",
    "geopackage",
    "flatgeobuf",
    "geojson",
    "geoparquet",
    "kml",
    "gpx",
    "zipped-shapefile",
    "kmz",
    "smart-shapes",
    "arcgis-mercator",
]
TEXTS = [f for f in ALL if f.key not in LAYERS]
_FILES = {}


@pytest.fixture(autouse=True)
def _no_hang():
    """A test that hangs ends with a traceback of where."""
    faulthandler.dump_traceback_later(HANGS * (12 if DEEP else 2), exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def files_of(fixture, folder):
    """A fixture's files by name, made once: one, or all of its folder."""
    if fixture.key not in _FILES:
        place = folder / "whole" / fixture.key
        place.mkdir(parents=True)
        made = fixture.make(place)
        parts = sorted(made.rglob("*")) if made.is_dir() else [made]
        if made.suffix == ".shp":
            parts = sorted(made.parent.glob(f"{made.stem}.*"))
        _FILES[fixture.key] = {part.name: part.read_bytes() for part in parts if part.is_file()}
    return _FILES[fixture.key]


def ends_well(path, **read):
    """The survey is read, looked at and counted, or one line of dpmap's own says why not; nothing is left behind."""
    private = path.parent / "private"
    private.mkdir(exist_ok=True)
    tempfile.tempdir = str(private)
    try:
        survey = opened(path, **read)
        unit = survey.roles.unit or "row"
        found = totals(survey, GRID, dm.Policy(epsilon=1, unit=unit, cap=2))
        assert all(steps > 0 for steps in found.values())
        dm.inspect(survey, unit=unit)
    except DpmapError as error:
        line = str(error)
        assert "\n" not in line
        assert len(line) < 4000
        assert error.exit_code in (1, 2, 3)
        assert not re.search(r"\d\.\d", line), "a number of the survey is in the message"
        return line
    finally:
        tempfile.tempdir = None
        private.rmdir()  # empty, or the engine left something behind
    return ""


def mutated(data, edits):
    """The bytes with cuts, flips, foreign pieces, repeats and other encodings."""
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
        elif kind == "swap":
            raw = raw.replace(*SWAPS[value % len(SWAPS)])
        elif kind == "encode" and len(raw) < 1 << 20:
            raw = bytearray(
                raw.decode("latin-1").encode(
                    ("utf-16", "utf-16-le", "utf-32", "utf-7", "cp037")[value % 5], "replace"
                )
            )
    return bytes(raw)


PIECES = [b"\0", b"\xff\xfe", b'"', b"'", b"\r", b"\n", b"\t", b",", b";", b"=cmd|' /C calc'!A0", b"\xf0\x9f\xa6\x85", b"9" * 400, b"nan", b"-inf", b"1e999",
          b"\xe9", b"../../etc/passwd", b"<!ENTITY a 'b'>", b'"' * 3, b"\x1a", b"\xef\xbb\xbf", b"x" * 70000, b"POINT(", b"{", b"[", b"\\", b"%s%n", b"\x85\xe2\x80\xa8",
          b"\0" * 5000, b"\n" * 3000, b"SRID=999999;POINT(1 1)", b"0101000020E6100000" + b"0" * 32, b"]" * 3000, b"{\"a\":" * 3000, b"SRID=4978;POINT(1 1)"]  # fmt: skip
SWAPS = [
    (b"\n", b"\r"),
    (b"\n", b""),
    (b",", b";"),
    (b"\t", b","),
    (b".", b","),
    (b"5", b"55555"),
    (b"-", b""),
    (b"a", b"\xc3\xa9"),
    (b"<", b"<<"),
    (b'"', b""),
]
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "put", "drop", "again", "put", "swap", "encode"]),
        st.integers(0, 1 << 16),
        st.integers(0, 1 << 16),
    ),
    min_size=1,
    max_size=5,
)
WRAPS = {"plain": lambda name, data: (name, data), "gz": lambda name, data: (name + ".gz", gzip.compress(data)),
         "zip": lambda name, data: (name + ".zip", archive_of({name: data})),
         "zip in zip": lambda name, data: ("outer.zip", archive_of({"inner.zip": archive_of({name: data})}))}  # fmt: skip
HYPOTHESIS = dict(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def archive_of(members):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def mutate(base, fixture, edits, wrap, member):
    """A fixture with one of its files mutated, in some wrapping, as a path."""
    files = dict(files_of(fixture, base))
    name = sorted(files)[member % len(files)]
    files[name] = mutated(files[name], edits)
    place = base / "mutated"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    name, data = (
        WRAPS[wrap](name, files[name]) if len(files) == 1 else ("several.zip", archive_of(files))
    )
    (place / name).write_bytes(data)
    return place / name


@pytest.mark.parametrize("piece", SLICES)
@settings(max_examples=EXAMPLES, **HYPOTHESIS)
@given(st.sampled_from(TEXTS), EDITS, st.sampled_from(sorted(WRAPS)), st.integers(0, 9))
def test_mutated_exports(tmp_path_factory, piece, fixture, edits, wrap, member):
    """Any mutation of any format's file is read, or refused in one line."""
    ends_well(mutate(tmp_path_factory.getbasetemp(), fixture, edits, wrap, member))


@pytest.mark.parametrize("piece", SLICES)
@settings(max_examples=EXAMPLES // 10, **HYPOTHESIS)
@given(st.sampled_from(LAYERS), EDITS, st.sampled_from(["plain", "zip"]), st.integers(0, 9))
def test_mutated_layers(tmp_path_factory, piece, key, edits, wrap, member):
    """The same for layers with geometry."""
    fixture = next(f for f in ALL if f.key == key)
    ends_well(mutate(tmp_path_factory.getbasetemp(), fixture, edits, wrap, member))


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
    "name",
    [
        "../../evil.csv",
        "/etc/evil.csv",
        "a/../../evil.csv",
        "..\\evil.csv",
        "\x1b[2Jevil.csv",
        "{x}.csv",
    ],
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
    assert (
        ends_well(zipped(tmp_path / "c.zip", {"b.csv": inner.getvalue()})) == ""
    )  # told by its bytes, not its name
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
    text = (
        LAUGHS.replace("version='1.0'", f"version='1.0' encoding='{encoding}'")
        + f"<{root}>&i;</{root}>"
    )
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


@pytest.mark.parametrize("head", [HEAD, HEAD + b'"', b""], ids=["rows", "open quote", "no header"])
def test_one_endless_line(head, tmp_path):
    """A file that is one endless line ends in one line of ours, or in a survey without it."""
    path = tmp_path / "a.csv"
    with path.open("wb") as out:
        out.write(head + b"ana,1,2\n" if head == HEAD else head)
        for _ in range(1024 if DEEP else 24):
            out.write(b"x," * (1 << 19))
    line = ends_well(path, unit="who")
    assert (line == "") == (head == HEAD)


def test_what_is_no_file(tmp_path):
    """A pipe, a folder that holds itself and links that lead round are never waited for."""
    os.mkfifo(tmp_path / "pipe.csv")
    assert "is not a file" in ends_well(tmp_path / "pipe.csv")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert "there is no file" in ends_well(tmp_path / "round")
    place = tmp_path / "place" / "in"
    place.mkdir(parents=True)
    (place / "again").symlink_to(tmp_path / "place", target_is_directory=True)
    os.mkfifo(place / "pipe.csv")
    assert "holds no file dpmap reads" in ends_well(tmp_path / "place")
    delimited(
        place / "a.csv",
        ["who", "longitude", "latitude"],
        [{"who": "ana", "longitude": 1, "latitude": 2}],
    )
    assert ends_well(tmp_path / "place", unit="who") == ""


def test_formula_cells(tmp_path):
    """Cells that a spreadsheet would run are texts: a name like any other, and no place."""
    rows = [
        {"who": "=cmd|' /C calc'!A0", "longitude": "=1+2", "latitude": 1},
        {"who": "@SUM(1)", "longitude": 1, "latitude": "+1"},
    ]
    path = delimited(tmp_path / "a.csv", ["who", "longitude", "latitude"], rows)
    assert dm.inspect(dm.read(path, unit="who")).left_out == {"no coordinates": 1}


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
    import resource

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 << 20
