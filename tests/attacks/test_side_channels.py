"""Side channels: what a release's files, their sizes, their dates and the order of steps tell beyond the noisy totals."""

import datetime
import hashlib
import os
import re
import shutil
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.ledger import ledger
from dpmap.vault import mechanism, session

FOLIUM_ID = re.compile(rb"[0-9a-f]{32}")
"""Folium names the parts of a page at random, always in as many letters."""
HEAD = "who,ok,longitude,latitude,notes"


def rows(extra=0):
    """The rows that count, and as many that do not: without consent, outside the area, without a place, unreadable."""
    count = [
        f"p{i % 7},yes,{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100},n" for i in range(60)
    ]
    kinds = (
        "q{0},no,0.5,50.5,x",
        "q{0},yes,9.5,50.5,x",
        "q{0},yes,,,x",
        "q{0},yes,abc,50.5,x",
        ",yes,0.5,50.5,x",
    )
    return count, [kinds[i % 5].format(i) for i in range(extra)]


SURVEYS = {
    "as it is": lambda: rows()[0],
    "the other way round": lambda: rows()[0][::-1],
    "with 3,000 rows that do not count": lambda: sum(rows(3000)[::-1], []),
    "with long notes": lambda: [row + "o" * 900 for row in rows()[0]],
    "with its people renamed": lambda: [
        row.replace("p", "somebody with a long name ", 1) for row in rows()[0]
    ],
}


@pytest.fixture
def same_chance(monkeypatch):
    """The same noise, names and moment for every release: whatever still differs comes from the survey."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("OGR_CURRENT_DATE", "2026-01-01T00:00:00Z")

    def noise(n, scale, **_):
        return np.arange(n, dtype=np.int64) * int(scale) // 7

    monkeypatch.setattr(mechanism, "discrete_laplace", noise)
    monkeypatch.setattr(
        mechanism, "laplace_with_copies", lambda n, scales: [noise(n, scale) for scale in scales]
    )
    monkeypatch.setattr(ledger.secrets, "token_hex", lambda n: "ab" * n)

    class Stopped(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.datetime(2026, 1, 1, tzinfo=tz)

    for module in ("dpmap.ledger.ledger", "dpmap.steward.release_run"):
        monkeypatch.setattr(f"{module}.datetime", Stopped)


PLAIN = ("--bounds=0,50,1,51", "--shape=4,5")
SHAPES = {
    "squares": PLAIN,
    "official squares": ("--area=area.geojson", "--grid=eea-50km"),
    "squares that borders of zones cut": ("--area=area.geojson", "--grid=mgrs-100km"),
    "layers": (*PLAIN, "--kinds=notes=n,x,=1+1"),
    "tiers": (*PLAIN, "--tier=public=0.3", "--tier=manager=1"),
}
"""Maps that differ in what stands in their folders: codes of official cells, folders of layers, folders of tiers."""
AREA = (
    '{"type": "Polygon", "coordinates": [[[-0.5, 50], [1, 50], [1, 51], [-0.5, 51], [-0.5, 50]]]}'
)


def hashes(folder):
    """The hash of every file below a folder, by its place there."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(
            FOLIUM_ID.sub(b"id", path.read_bytes())
        ).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def made(folder, lines, capsys, shape=PLAIN):
    """The hash of every output, the ledger's events and what the screen said; each is made at one and the same place,
    which the ledger names."""
    kept, folder = folder, folder.parent / "survey"
    folder.mkdir()
    surveys.written(folder, lines, HEAD)
    (folder / "area.geojson").write_text(AREA)
    epsilon = [] if "--tier=public=0.3" in shape else ["--epsilon=1"]
    before = os.getcwd()
    os.chdir(folder)
    try:
        code = run(["release", "survey.csv", *shape, *epsilon, "--unit=who", "--cap=3", "--consent=ok=yes", "--dataset=d",
                    "--budget=1", "--out=out", "--licence=CC-BY-4.0", "--also-published=nothing"])  # fmt: skip
    finally:
        os.chdir(before)
    assert code == 0, capsys.readouterr().err
    folder.rename(kept)
    return (
        hashes(kept / "out"),
        [event.body for event in dm.Ledger(kept / "dpmap.ledger").events()],
        capsys.readouterr(),
    )


def test_every_byte_that_leaves_is_a_function_of_noisy_totals_and_public_inputs(
    tmp_path, same_chance, capsys
):
    """Surveys of very different size, order and people but equal capped totals give, at equal noise, equal files to the
    last byte (sizes, dates and metadata among them), equal ledgers and equal words on the screen."""
    cap = {}
    for number, (name, lines) in enumerate(SURVEYS.items()):
        cap[name] = made(tmp_path / str(number), lines(), capsys)
    first = cap.pop("as it is")
    assert len(first[0]) >= 7
    for name, other in cap.items():
        assert other[0] == first[0], name
        assert other[1] == first[1], name
        assert other[2] == first[2], name


ALIKE = ("as it is", "the other way round", "with 3,000 rows that do not count")


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "squares"])
def test_the_same_holds_of_official_cells_layers_and_tiers(
    tmp_path, same_chance, capsys, monkeypatch, shape
):
    """Codes, folders of layers, metadata, attestations and every tier's own folder are a function of noisy totals too; and what stands
    beside a release is made again, to the byte, from that release alone: nothing of another tier's is in it.
    """
    monkeypatch.setattr(
        "dpmap.releases.release.Release.draw", lambda self, path, **_: path.write_bytes(b"picture")
    )
    told = [
        made(tmp_path / str(number), SURVEYS[name](), capsys, SHAPES[shape])
        for number, name in enumerate(ALIKE)
    ]
    assert told[1] == told[0] == told[2]
    assert any("metadata/" in name for name in told[0][0]) and any(
        "attestation" in name for name in told[0][0]
    )
    saved = sorted((tmp_path / "0" / "out").rglob("release.dpmap"))
    assert len(saved) == (2 if shape == "tiers" else 1)
    for number, one in enumerate(saved):
        alone = tmp_path / f"alone-{number}"
        alone.mkdir()
        shutil.copy(one, alone / "release.dpmap")
        assert run(["release", "--resume", str(alone)]) == 0
        assert hashes(alone) == hashes(one.parent)


def test_the_release_file_dates_nothing_and_names_no_machine(tmp_path, capsys):
    """Entries of release.dpmap carry no time, owner, comment or extra field; the day of release is all it says."""
    (tmp_path / "survey.csv").write_text("\n".join([HEAD, *rows()[0]]) + "\n")
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
    dm.release(dm.read(tmp_path / "survey.csv"), grid, dm.Policy(epsilon=1, unit="who", cap=3), ledger=tmp_path / "l",
               dataset="d", budget="1").save(tmp_path / "r.dpmap")  # fmt: skip
    with zipfile.ZipFile(tmp_path / "r.dpmap") as archive:
        assert archive.comment == b""
        for entry in archive.infolist():
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert entry.comment == entry.extra == b""
        text = archive.read("dpmap.json").decode()
    for word in (
        str(tmp_path),
        os.uname().nodename,
        "survey.csv",
        os.environ.get("USER", "nobody-by-this-name"),
    ):
        assert word not in text or len(word) < 4


def test_nothing_is_known_of_the_totals_while_noise_is_drawn(tmp_path, monkeypatch):
    """While noise is drawn the totals have not been touched: replaced by an object that fails at any touch, they change nothing."""
    order = []

    class Untouchable:
        def __getattr__(self, name):
            order.append("look")
            raise SystemError

    real = mechanism.discrete_laplace
    monkeypatch.setattr(
        mechanism, "discrete_laplace", lambda *a, **n: (order.append("draw"), real(*a, **n))[1]
    )
    grid = dm.Grid(bounds=(0, 0, 2, 2), shape=(2, 2), crs="EPSG:3857")
    asked = session.Session(np.zeros(4), grid, 1, 1, 2**32)
    asked._totals = Untouchable()
    with pytest.raises(SystemError):
        asked.measure(dm.Partition.cells(grid), 1)
    assert order == ["draw", "look"]


def test_the_noise_is_asked_for_with_public_numbers_only(monkeypatch):
    """What the sampler is given (how many, which scale) is the same for an empty survey and a full one."""
    asked = []
    real = mechanism.discrete_laplace
    monkeypatch.setattr(
        mechanism,
        "discrete_laplace",
        lambda *a, **n: (asked.append((a, tuple(n.items()))), real(*a, **n))[1],
    )
    grid = dm.Grid(bounds=(0, 0, 8, 8), shape=(8, 8), crs="EPSG:3857")
    for counts in (np.zeros(64), np.full(64, 10**6)):
        session.Session(counts, grid, 1, 1, 2**32).measure(dm.Partition.cells(grid), 1)
    assert asked[0] == asked[1]


def test_refusals_over_the_budget_say_public_numbers_only(tmp_path, capsys):
    """A refused release says the same whatever the survey holds: it is refused before a row is read."""
    said = []
    for number, lines in enumerate((rows()[0], rows(500)[1])):
        place = tmp_path / str(number)
        place.mkdir()
        (place / "survey.csv").write_text("\n".join([HEAD, *lines]) + "\n")
        code = run(["release", str(place / "survey.csv"), "--bounds=0,50,1,51", "--shape=4,5", "--epsilon=2", "--unit=who",
                    "--cap=3", "--dataset=d", "--budget=1", f"--out={place / 'out'}"])  # fmt: skip
        said.append(SimpleNamespace(code=code, err=capsys.readouterr().err))
    assert said[0] == said[1]
    assert said[0].code == 3


def test_a_sparse_release_draws_once_more_for_each_occupied_cell(monkeypatch):
    """What the page says of `sparse` is so, and no more: the noise of all cells is asked for first, by public numbers; then,
    after the look, as many numbers as cells are occupied, whatever they hold.
    """
    asked = []
    first, more = mechanism.discrete_laplace_from, mechanism.discrete_laplace
    monkeypatch.setattr(
        mechanism, "discrete_laplace_from", lambda *a: (asked.append(("first", *a)), first(*a))[1]
    )
    monkeypatch.setattr(
        mechanism,
        "discrete_laplace",
        lambda n, scale, **_: (asked.append(("more", n)), more(n, scale))[1],
    )
    grid = dm.Grid(bounds=(0, 0, 8, 8), shape=(8, 8), crs="EPSG:3857")
    for occupied, much in ((0, 0), (5, 1), (5, 10**6), (64, 3)):
        counts = np.zeros(64)
        counts[:occupied] = much
        session.Session(counts, grid, 1, 1, 2**32).measure_from(20, 1)
    firsts, seconds = asked[::2], asked[1::2]
    assert {kind for kind, *_ in firsts} == {"first"} and len(set(firsts)) == 1
    assert seconds == [("more", 0), ("more", 5), ("more", 5), ("more", 64)]
