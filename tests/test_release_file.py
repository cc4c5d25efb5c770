"""release.dpmap: what is saved comes back exactly, and a file from a stranger can do no harm."""

import copy
import io
import json
import os
import pickle
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import shapely
from builders import records
from builders.waiting import LONG

import dpmap as dm
from dpmap.errors import BadInput, DpmapError
from dpmap.grid import Grid, Partition
from dpmap.grid.polygon_cells import Areas
from dpmap.record import About, Measurement, Record
from dpmap.record.release_file import read_record, write_record
from dpmap.releases.release import Release

ROOT = Path(__file__).parents[1]
LATTICE = 2**30


def squares() -> Grid:
    mask = np.ones((7, 9), dtype=bool)
    mask[0, :5] = mask[6, 8] = False
    return Grid(
        cells=Grid(bounds=(0.1, 50, 1, 51.3), shape=(7, 9), crs="EPSG:4326").cells,
        crs="EPSG:4326",
        mask=mask,
    )


def metric() -> Grid:
    crs = (
        "+proj=laea +lat_0=57.1 +lon_0=-4.2 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs +type=crs"
    )
    return Grid(bounds=(-1e5, 0, 1e5, 1e5), shape=(3, 4), crs=crs)


def hexagons() -> Grid:
    return Grid.hexagons((0, 50, 0.5, 50.5), resolution=6)


def areas() -> Grid:
    shapes = np.array([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1).difference(shapely.box(1.2, 0.2, 1.4, 0.4)),
                       shapely.MultiPolygon([shapely.box(5, 5, 6, 6), shapely.box(7, 7, 8, 8)])])  # fmt: skip
    return Grid(cells=Areas(shapes, ("N\u00f8rd", 'the "south"', "islands <b>")), crs="EPSG:27700")


GRIDS: dict[str, Callable[[], Grid]] = {
    "squares": squares,
    "metric": metric,
    "hexagons": hexagons,
    "areas": areas,
}


def record(grid: Grid, parts: int = 1, **changed: object) -> Record:
    rng = np.random.default_rng(7)
    measurements = []
    for part in range(parts):
        if part == 0:
            partition = Partition.cells(grid)
        else:
            labels = np.where(grid.inside, rng.integers(-1, 3, grid.shape), -1)
            partition = Partition(labels, 4)  # its last region may be empty
        steps = rng.integers(-(2**50), 2**50, partition.regions)
        share = Fraction(1, 3 * parts)
        measurements.append(
            Measurement(partition, steps, lattice=LATTICE, scale=5 / share, epsilon=share)
        )
    plain = {
        "grid": grid,
        "policy": dm.Policy(epsilon="1/3", unit="who+team", cap=5, limiter="sample", consent="ok=yes,\u00edo", cap_origin="after inspection"),
        "measurements": measurements,
        "receipt": records.receipt("Raptors \N{OWL}", event=7, budget=Fraction(10, 3), spent=Fraction(7, 3)),
        "about": About.from_mapping({"noise": "dpmap", "nested": {"a": [1, 2.5, None]}}),
        **changed,
    }  # fmt: skip
    return records.record(**plain)


# --- round trip --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("kind", GRIDS)
def test_round_trip(tmp_path: Path, kind: str, parts: int) -> None:
    """Everything in a release comes back exactly: cells, mask, promise, every noisy step, fractions, receipt, notes."""
    before = record(GRIDS[kind](), parts)
    write_record(before, tmp_path / "a.dpmap")
    after = read_record(tmp_path / "a.dpmap")
    for name in ("policy", "strategy", "receipt", "released_on", "versions", "about"):
        assert getattr(after, name) == getattr(before, name), name
    grid, again = before.grid, after.grid
    assert (again.kind, again.crs, again.shape) == (grid.kind, grid.crs, grid.shape)
    np.testing.assert_array_equal(again.inside, grid.inside)
    np.testing.assert_array_equal(again.polygons(), grid.polygons())
    if kind in ("squares", "metric"):
        assert again.cells == grid.cells
    if kind == "areas":
        assert again.cells.names == grid.cells.names
    assert len(after.measurements) == parts
    for one, other in zip(before.measurements, after.measurements, strict=True):
        np.testing.assert_array_equal(one.steps, other.steps)
        np.testing.assert_array_equal(one.partition.labels, other.partition.labels)
        assert (one.lattice, one.scale, one.epsilon) == (other.lattice, other.scale, other.epsilon)
        assert one.partition.regions == other.partition.regions
        assert not other.fresh
    assert not after.fresh


def test_saving_again_gives_the_same_bytes(tmp_path: Path) -> None:
    """Equal releases are equal files, so they can be compared and signed."""
    write_record(record(squares(), 2), tmp_path / "a.dpmap")
    write_record(read_record(tmp_path / "a.dpmap"), tmp_path / "b.dpmap")
    assert (tmp_path / "a.dpmap").read_bytes() == (tmp_path / "b.dpmap").read_bytes()


def test_every_reading_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    """Estimates and intervals of an opened release are those of the release that was saved."""
    before = Release(record(squares()))
    before.save(tmp_path / "a.dpmap")
    after = dm.open(tmp_path / "a.dpmap")
    np.testing.assert_array_equal(before.estimate, after.estimate)
    np.testing.assert_array_equal(before.interval(0.9), after.interval(0.9))
    assert "opened from a file" in repr(after)


def test_the_file_is_plain(tmp_path: Path) -> None:
    """The file is a zip of one JSON document and numpy arrays of plain numbers, readable without dpmap."""
    write_record(record(squares(), 2), tmp_path / "a.dpmap")
    with zipfile.ZipFile(tmp_path / "a.dpmap") as archive:
        assert archive.testzip() is None
        document = json.loads(archive.read("dpmap.json"))
        assert document["format"] == "dpmap release"
        for name in archive.namelist():
            if name != "dpmap.json":
                array = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
                assert array.dtype.kind in "iu"


def test_extreme_numbers_come_back(tmp_path: Path) -> None:
    """The largest and smallest totals, and scales that are long fractions, come back exactly."""
    grid = squares()
    partition = Partition.whole(grid)
    for epsilon in ("1.234567890123456789012345678901234567", "15", "0.0001"):
        policy = dm.Policy(epsilon=epsilon, unit="who", cap=5)
        for step in (-(2**63), 2**63 - 1):
            m = Measurement(
                partition,
                np.array([step]),
                lattice=LATTICE,
                scale=policy.scale,
                epsilon=policy.epsilon,
            )
            write_record(record(grid, policy=policy, measurements=(m,)), tmp_path / "a.dpmap")
            found = read_record(tmp_path / "a.dpmap").measurements[0]
            assert (int(found.steps[0]), found.scale) == (step, policy.scale)


# --- hostile files -----------------------------------------------------------------------------------------------


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def npy(array: np.ndarray, **named: object) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **named)
    return buffer.getvalue()


def header(descr: str, shape: str, fortran: str = "False") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.fixture
def entries(tmp_path: Path) -> dict[str, bytes]:
    write_record(record(squares(), 2), tmp_path / "good.dpmap")
    return parts_of(tmp_path / "good.dpmap")


def assert_refused(path: Path) -> str:
    with pytest.raises(BadInput) as caught:
        read_record(path)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 400
    assert path.name in text
    return text


def edited(entries: dict[str, bytes], edit: Callable[[dict], object]) -> dict[str, bytes]:
    document = json.loads(entries["dpmap.json"])
    edit(document)
    return {**entries, "dpmap.json": json.dumps(document).encode()}


EDITS = {
    "negative shape": lambda d: d["grid"].update(shape=[-7, -9]),
    "zero shape": lambda d: d["grid"].update(shape=[0, 9]),
    "huge shape": lambda d: d["grid"].update(shape=[10**9, 10**9]),
    "shape of texts": lambda d: d["grid"].update(shape=["a", "b"]),
    "shape of infinity": lambda d: d["grid"].update(shape=[float("inf"), 1]),
    "three sides": lambda d: d["grid"].update(shape=[7, 3, 3]),
    "no sides": lambda d: d["grid"].update(shape=[]),
    "one side": lambda d: d["grid"].update(shape=[63]),
    "other shape": lambda d: d["grid"].update(shape=[9, 9]),
    "nan bounds": lambda d: d["grid"].update(bounds=[float("nan")] * 4),
    "infinite bounds": lambda d: d["grid"].update(bounds=[0, 50, float("inf"), 51]),
    "turned bounds": lambda d: d["grid"].update(bounds=[1, 50, 0, 51]),
    "bounds off the globe": lambda d: d["grid"].update(bounds=[0, 50, 1000, 51]),
    "text bounds": lambda d: d["grid"].update(bounds="west"),
    "unknown kind": lambda d: d["grid"].update(kind="triangles"),
    "other kind": lambda d: d["grid"].update(kind="hexagons", resolution=5),
    "areas without shapes": lambda d: d["grid"].update(kind="areas", lengths=[10**12], names=["a"]),
    "negative lengths": lambda d: d["grid"].update(kind="areas", lengths=[-5, 5], names=["a", "b"]),
    "unknown crs": lambda d: d["grid"].update(crs="EPSG:999999"),
    "crs that is a file": lambda d: d["grid"].update(crs="+init=/etc/passwd:root"),
    "crs that is no text": lambda d: d["grid"].update(crs={"a": 1}),
    "newer format": lambda d: d.update(format_version=99),
    "other format": lambda d: d.update(format="something"),
    "version of text": lambda d: d.update(format_version="x"),
    "no measurements": lambda d: d.update(measurements=[]),
    "measurements of null": lambda d: d.update(measurements=None),
    "regions negative": lambda d: d["measurements"][0].update(regions=-1),
    "regions huge": lambda d: d["measurements"][0].update(regions=10**15),
    "regions too few": lambda d: d["measurements"][1].update(regions=1),
    "scale zero": lambda d: d["measurements"][0].update(scale="0"),
    "scale negative": lambda d: d["measurements"][0].update(scale="-1"),
    "scale nan": lambda d: d["measurements"][0].update(scale="nan"),
    "scale of odd text": lambda d: d["measurements"][0].update(scale="1e+-5"),
    "scale null": lambda d: d["measurements"][0].update(scale=None),
    "epsilon of a share negative": lambda d: d["measurements"][0].update(epsilon="-1"),
    "epsilon of a share zero": lambda d: d["measurements"][0].update(epsilon="0"),
    "lattice zero": lambda d: d["measurements"][0].update(lattice=0),
    "lattice huge": lambda d: d["measurements"][0].update(lattice=2**62),
    "epsilon negative": lambda d: d["policy"].update(epsilon="-1"),
    "epsilon missing": lambda d: d["policy"].pop("epsilon"),
    "cap zero": lambda d: d["policy"].update(cap=0),
    "unit null": lambda d: d["policy"].update(unit=None),
    "unit a number": lambda d: d["policy"].update(unit=7),
    "limiter unknown": lambda d: d["policy"].update(limiter="none"),
    "limiter a list": lambda d: d["policy"].update(limiter=[]),
    "consent odd": lambda d: d["policy"].update(consent=["a"]),
    "consent of numbers": lambda d: d["policy"].update(consent=[1, [2]]),
    "policy with more": lambda d: d["policy"].update(more=1),
    "receipt missing": lambda d: d.pop("receipt"),
    "event of text": lambda d: d["receipt"].update(event="x"),
    "budget of odd text": lambda d: d["receipt"].update(budget="lots"),
    "versions a list": lambda d: d.update(versions=[1]),
    "notes a number": lambda d: d.update(notes=5),
    "integer of a million digits": lambda d: d["grid"].update(shape=["9" * 10**6, 1]),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_a_contradictory_document_is_refused(
    tmp_path: Path, entries: dict[str, bytes], edit: str
) -> None:
    """Whatever the document claims that cannot be: one line of BadInput."""
    assert_refused(write(tmp_path / "bad.dpmap", edited(entries, EDITS[edit])))


class Bomb:
    """Touches a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return (os.system, (f"touch {self.path}",))


def test_pickles_are_never_executed(tmp_path: Path, entries: dict[str, bytes]) -> None:
    """An array of objects, which numpy stores as a pickle, is refused and nothing in it runs."""
    trace = tmp_path / "pwned"
    with_pickle = npy(np.array([Bomb(trace)] * 61, dtype=object), allow_pickle=True)
    for name in [name for name in entries if name.endswith(".npy")]:
        assert_refused(write(tmp_path / "bad.dpmap", {**entries, name: with_pickle}))
        assert_refused(write(tmp_path / "bad.dpmap", {**entries, name: pickle.dumps(Bomb(trace))}))
    assert_refused(
        write(tmp_path / "bad.dpmap", {**entries, "dpmap.json": pickle.dumps(Bomb(trace))})
    )
    (tmp_path / "bad.dpmap").write_bytes(pickle.dumps(Bomb(trace)))
    assert_refused(tmp_path / "bad.dpmap")
    assert not trace.exists()


ARRAYS = {
    "floats": npy(np.zeros(57)),
    "other length": npy(np.zeros(5, dtype="<i8")),
    "big endian": npy(np.zeros(57, dtype=">i8")),
    "two dimensions": npy(np.zeros((57, 1), dtype="<i8")),
    "version 2": npy(np.zeros(57, dtype="<i8"), version=(2, 0)),
    "cut": npy(np.zeros(57, dtype="<i8"))[:-8],
    "empty": b"",
    "no magic": b"x" * 600,
    "header only": header("'<i8'", "(57,)"),
    "objects": header("'|O'", "(57,)") + b"\0" * 456,
    "structured with objects": header("[('a', '|O')]", "(57,)") + b"\0" * 456,
    "negative": header("'<i8'", "(-57,)"),
    "huge": header("'<i8'", "(10000000000000,)"),
    "code in the header": header("__import__('os').system('touch pwned')", "(57,)"),
    "deep header": b"\x93NUMPY\x01\x00" + (60000).to_bytes(2, "little") + b"(" * 60000,
    "python 2 header": header("'<i8'", "(57L,)") + b"\0" * 456,
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_an_array_of_the_wrong_kind_is_refused(
    tmp_path: Path, entries: dict[str, bytes], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrays of another type, length, order or version than declared are refused, and headers are not executed."""
    monkeypatch.chdir(tmp_path)
    assert len(np.load(io.BytesIO(entries["measurement_0.npy"]))) == 57
    path = write(tmp_path / "bad.dpmap", {**entries, "measurement_0.npy": ARRAYS[kind]})
    if kind == "python 2 header":
        try:  # harmless if taken, but no warning may reach the screen (warnings are errors here)
            read_record(path)
        except BadInput as error:
            assert "\n" not in str(error)
    else:
        assert_refused(path)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("label", [-2, 4, 2**31 - 1, -(2**31)])
def test_labels_out_of_range_are_refused(
    tmp_path: Path, entries: dict[str, bytes], label: int
) -> None:
    """A cell cannot be in a region that does not exist."""
    labels = np.load(io.BytesIO(entries["partition_1.npy"]))
    labels[10] = label
    assert_refused(
        write(tmp_path / "bad.dpmap", {**entries, "partition_1.npy": npy(labels, version=(1, 0))})
    )


def test_missing_entries_are_refused(tmp_path: Path, entries: dict[str, bytes]) -> None:
    """Every entry is needed: without any one of them the file is refused."""
    for name in entries:
        rest = {other: content for other, content in entries.items() if other != name}
        assert_refused(write(tmp_path / "bad.dpmap", rest))


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"7", b'"x"', b"null", b"{", b"\xff\xfe", b"[" * 8_000_000, b'{"a":' * 500_000, b"9" * 5000, b'{"format": "dpmap release"}'],
    ids=["empty", "list", "number", "text", "null", "brace", "bytes", "deep list", "deep dict", "long number", "almost"],
)  # fmt: skip
def test_odd_documents_are_refused(
    tmp_path: Path, entries: dict[str, bytes], content: bytes
) -> None:
    """A document that is empty, odd, deep or broken is one line, not a crash."""
    assert_refused(write(tmp_path / "bad.dpmap", {**entries, "dpmap.json": content}))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A file cut anywhere, or with any byte changed, is refused or reads as it was: never something else."""
    before = record(squares(), 2)
    write_record(before, tmp_path / "good.dpmap")
    whole = (tmp_path / "good.dpmap").read_bytes()
    path = tmp_path / "bad.dpmap"
    for keep in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:keep])
        assert_refused(path)
    for place in range(0, len(whole), max(1, len(whole) // 200)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            after = read_record(path)
        except BadInput as error:
            assert "\n" not in str(error)
        else:
            np.testing.assert_array_equal(after.measurements[0].steps, before.measurements[0].steps)
            assert after.policy == before.policy


MEASURED = textwrap.dedent(
    """
    import resource, sys
    import numpy, json, zipfile, dpmap.record.release_file, dpmap.grid, pyproj, shapely
    from dpmap.errors import BadInput
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # so that a failing test spares the machine
    try:
        dpmap.record.release_file.read_record(sys.argv[1])
        told = "opened"
    except BadInput as error:
        told = str(error)
    print(told.count("\\n"), told == "opened", (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) // 1024)
    """
)


def hostile_bomb(entries: dict[str, bytes], path: Path, kind: str) -> Path:
    if kind in ("document", "array", "bzip2", "lzma"):
        bomb = (b" " if kind != "array" else b"\0") * (200 << 20)
        method = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}.get(
            kind, zipfile.ZIP_DEFLATED
        )
        target = "measurement_0.npy" if kind == "array" else "dpmap.json"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries.items():
                hit = name == target
                archive.writestr(name, (ARRAYS["header only"] + bomb if kind == "array" else bomb) if hit else content,
                                 compress_type=method if hit else None)  # fmt: skip
        return path
    if kind == "cells":
        return write(path, edited(entries, lambda d: (d["grid"].update(shape=[46340, 46340], masked=False), d.update(measurements=d["measurements"][:1]))))  # fmt: skip
    if kind == "regions":
        return write(
            path, edited(entries, lambda d: d["measurements"][0].update(regions=2**28 - 1))
        )
    if kind == "entries":
        return write(path, {**entries, **{f"x{i}": b"" for i in range(60_000)}})
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["document", "array", "bzip2", "lzma", "cells", "regions"])
def test_bombs_stay_small(tmp_path: Path, entries: dict[str, bytes], kind: str) -> None:
    """A small file that claims to be huge is refused in little memory."""
    path = hostile_bomb(entries, tmp_path / "bomb.dpmap", kind)
    assert path.stat().st_size < 4 << 20
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, path],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=LONG,
    )
    lines, opened, grown = done.stdout.split()
    assert (lines, opened) == ("0", "False")
    assert int(grown) < 120, f"grew by {grown} MB"


def test_many_entries_are_harmless(tmp_path: Path, entries: dict[str, bytes]) -> None:
    """Entries that the format does not know are ignored."""
    path = hostile_bomb(entries, tmp_path / "many.dpmap", "entries")
    assert not read_record(path).fresh


def test_paths_inside_the_zip_write_nothing(tmp_path: Path, entries: dict[str, bytes]) -> None:
    """Names such as ../x in the zip never become files: nothing is unpacked to disk."""
    path = write(tmp_path / "a.dpmap", {**entries, "../escaped": b"x", "/tmp/dpmap-escaped": b"x"})
    read_record(path)
    assert not (tmp_path.parent / "escaped").exists()
    assert not Path("/tmp/dpmap-escaped").exists()


@pytest.mark.parametrize("name", ["missing.dpmap", ".", "two\nlines.dpmap", "x" * 300])
def test_a_path_that_is_no_file(tmp_path: Path, name: str) -> None:
    """A missing file or a folder is one line of BadInput."""
    with pytest.raises(BadInput) as caught:
        read_record(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_a_file_without_measurements_is_never_fresh(
    tmp_path: Path, entries: dict[str, bytes]
) -> None:
    """Nothing opened from a file may call itself made here, whatever is or is not in it."""
    path = write(tmp_path / "none.dpmap", edited(entries, lambda d: d.update(measurements=[])))
    try:
        assert not read_record(path).fresh
    except BadInput:
        pass


def test_a_file_whose_numbers_contradict_its_promise_is_refused(
    tmp_path: Path, entries: dict[str, bytes]
) -> None:
    """A file cannot state a small epsilon while its noise, cap and scale say otherwise."""
    for edit in (
        lambda d: d["policy"].update(epsilon="0.001"),
        lambda d: d["measurements"][0].update(scale="0.0001"),
    ):
        assert_refused(write(tmp_path / "bad.dpmap", edited(entries, edit)))


# --- where it is written -----------------------------------------------------------------------------------------


def test_a_symlink_is_replaced_not_followed(tmp_path: Path) -> None:
    """A symlink planted at the target is replaced by the file; what it pointed to is untouched."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "a.dpmap").symlink_to(precious)
    write_record(record(squares()), tmp_path / "a.dpmap")
    assert precious.read_text() == "mine"
    assert not (tmp_path / "a.dpmap").is_symlink()
    assert not read_record(tmp_path / "a.dpmap").fresh


def test_a_folder_at_the_target_is_refused(tmp_path: Path) -> None:
    """Saving onto a folder, also through a symlink, is one line, and the folder stays."""
    (tmp_path / "a.dpmap").mkdir()
    (tmp_path / "link.dpmap").symlink_to(tmp_path / "a.dpmap")
    for name in ("a.dpmap", "link.dpmap"):
        with pytest.raises(BadInput, match="folder"):
            write_record(record(squares()), tmp_path / name)
    with pytest.raises(DpmapError):
        write_record(record(squares()), tmp_path / "missing" / "a.dpmap")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.dpmap", "link.dpmap"]


@pytest.mark.parametrize("name", ["a.dpmap", "[1].dpmap", "st*r.dpmap", "what?.dpmap", "a", ".x"])
def test_a_failed_save_leaves_nothing_and_keeps_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """When saving fails half-way the old file is intact and no part of the new one is left, whatever its name."""
    write_record(record(squares()), tmp_path / name)
    before = (tmp_path / name).read_bytes()
    monkeypatch.setattr(
        "os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    with pytest.raises(DpmapError):
        write_record(record(squares(), 3), tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == before


def test_an_opened_measurement_cannot_be_changed(tmp_path: Path) -> None:
    """What was read cannot be altered by accident, nor copied into something fresh."""
    write_record(record(squares()), tmp_path / "a.dpmap")
    m = read_record(tmp_path / "a.dpmap").measurements[0]
    with pytest.raises(AttributeError):
        m.scale = Fraction(1)
    with pytest.raises(AttributeError):
        m.fresh = True
    with pytest.raises(ValueError, match="read-only"):
        m.steps[0] = 0
    assert not copy.deepcopy(m).fresh
