"""Nothing is spent that cannot be delivered: places are tried first, and what fails later is saved beside the ledger."""

import os
import shutil
from fractions import Fraction
from pathlib import Path

import geopandas
import pytest
import shapely
from builders import surveys

import dpmap as dm
from dpmap import atomic_write, stores
from dpmap.cli import delivery, promise_check, run
from dpmap.cli import release_folder as folders
from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.ledger.ledger import Ledger
from dpmap.record import release_file as record_file
from dpmap.releases.release import Release
from dpmap.releases.tiers import Tiers
from dpmap.steward import release_run

TYPED = (
    "--bounds",
    "0,50,1,51",
    "--shape",
    "8,10",
    "--unit",
    "who",
    "--cap",
    "3",
    "--dataset",
    "d",
    "--budget",
    "9",
)
PRICE = ("--epsilon", "1")
READERS = ("--tier", "public=0.5", "--tier", "manager=1")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to stand in, with a survey; of each file beside release.dpmap only a stub is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1])
    surveys.written(tmp_path, surveys.scattered(300, people=50), name="s.csv")
    return tmp_path


def typed(*words):
    """The exit code of a command."""
    return run([str(word) for word in words])


def spent(folder):
    book = Path(folder) / "dpmap.ledger"
    return Ledger(book).balance()[1] if book.exists() else Fraction(0)


def blocked(name, kind):
    """Puts a folder or a file at a path."""
    path = Path("out") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir() if kind == "folder" else path.write_text("in the way")


BLOCKED = {
    "a folder called release.dpmap": ("release.dpmap", "folder"),
    "a folder called map.png": ("map.png", "folder"),
    "a folder within metadata": ("metadata/datacite.json", "folder"),
    "a file called metadata": ("metadata", "file"),
    "a file within its path": (".", "parent"),
}
ADDRESSES = [
    "s4://bucket/x",
    "s4:/bucket/x",
    "https://example.org/x",
    "file:///x",
    "/vsis3/bucket/x",
    "/vsimem/x",
]
NAMES = ["x" * 300, "/".join(["y" * 200] * 21), "wow!", "two\nlines"]


def deliver(out, *words):
    """A release that must fail before anything is spent, and leave the folder as it was."""
    before = sorted(Path().rglob("*"))
    code = typed("release", "s.csv", *TYPED, *(words or PRICE), "--out", out)
    assert code in (1, 2, 3), code
    assert spent(".") == 0, "spent in vain"
    assert sorted(Path().rglob("*")) == before, "something is left"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [PRICE, READERS], ids=["one", "tiers"])
@pytest.mark.parametrize("out", [*ADDRESSES, *NAMES], ids=lambda out: ascii(out)[:16])
def test_a_place_that_is_none_is_refused_before_anything_is_spent(out, words):
    """An address, a name that is too long, or one that formats read as something else costs nothing and leaves no folder."""
    deliver(out, *words)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("way", BLOCKED)
def test_what_stands_in_the_way_is_refused_before_anything_is_spent(way):
    """Folders where files belong and files where folders belong are seen before the reservation."""
    name, kind = BLOCKED[way]
    if kind == "parent":
        Path("out").write_text("a file")
        deliver("out/release")
    else:
        blocked(name, kind)
        deliver("out")


@pytest.mark.parametrize("name", ["cells.gpkg", "map.tif"])
def test_a_release_never_replaces_the_survey_it_is_made_of(here, name):
    """A survey that lies in the folder under the name of a file of the release is left alone, and nothing is spent."""
    (here / name).write_text("the survey")
    with pytest.raises(BadInput):
        folders.check_new(here, surveys.grid(), [str(here / name), None])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [PRICE, READERS], ids=["one", "tiers"])
@pytest.mark.parametrize("fault", ["ENOSPC", "EROFS", "EACCES", "EIO", "EDQUOT"])
@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_disk_that_takes_nothing_is_found_before_anything_is_spent(
    step, fault, words, monkeypatch
):
    """Full, read-only, forbidden, broken or over its quota: a file is written and renamed first, and fails for nothing."""
    import errno

    number = getattr(errno, fault)

    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic_write.os, step, fail)
    deliver("out", *words)


@pytest.mark.usefixtures("here")
def test_a_disk_with_too_little_room_is_found_before_anything_is_spent(monkeypatch):
    """Where the disk says that what will be written does not fit, nothing is spent."""
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 10**6, 10**6)
    )
    monkeypatch.setattr(folders, "BYTES_A_CELL", 10**6)
    deliver("out")


class Unplugged:
    """A disk that takes the probes and fails once noise is drawn."""

    def __init__(self, monkeypatch, folder):
        real = record_file.opened_private

        def opened(path):
            if Path(path).resolve().is_relative_to(Path(folder).resolve()):
                raise OSError(28, "No space left on device")
            return real(path)

        monkeypatch.setattr(record_file, "opened_private", opened)


@pytest.mark.parametrize("words", [PRICE, READERS], ids=["one", "tiers"])
def test_what_is_paid_for_is_saved_beside_the_ledger(here, words, monkeypatch, capsys):
    """When the folder fails after the draw, the release is whole beside the ledger, the line says where, and --resume goes on there."""
    (here / "books").mkdir()
    book = here / "books" / "b.ledger"
    with monkeypatch.context() as patch:
        Unplugged(patch, here / "out")
        assert typed("release", "s.csv", *TYPED, *words, "--out", "out", "--ledger", book) == 1
    line = capsys.readouterr().err
    (kept,) = (path for path in (here / "books").iterdir() if path.is_dir())
    assert line.count("\n") == 1 and str(kept) in line and "is spent" in line
    assert Ledger(book).balance()[1] == 1 and Ledger(book).events()[-1].body["kind"] == "made"
    assert typed("release", "--resume", kept) == 0
    names = ["public", "manager"] if words == READERS else [""]
    for name in names:
        receipt = dm.open(kept / name / "release.dpmap").record.receipt
        Ledger(book).attests(event=receipt.event, head=receipt.head)
        assert (kept / name / "statement.md").exists()
    assert not (here / "out").exists()


def test_sealed_tiers_are_kept_sealed_beside_the_ledger(here, monkeypatch):
    """Where the sealed file's disk fails after the draw, another sealed file holds all tiers, for its owner alone."""
    (here / "books").mkdir()
    (here / "stick").mkdir()
    real = atomic_write.os.replace

    def replaced(source, target):
        if Path(target).parent.name == "stick":
            raise OSError(5, "Input/output error")
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(atomic_write.os, "replace", replaced)
        words = (*READERS, "--seal", "stick/r.sealed", "--out", "out", "--ledger", "books/b.ledger")
        assert typed("release", "s.csv", *TYPED, *words) == 1
    (kept,) = (here / "books").glob("release-*/*.sealed")
    assert kept.stat().st_mode & 0o077 == 0
    assert dm.unseal(kept, "manager", here / "m.dpmap").policy.epsilon == 1
    assert not (here / "stick" / "r.sealed").exists() and not list(here.glob("out/*/release.dpmap"))


def test_where_everything_fails_the_ledger_says_that_nothing_came_of_it(tmp_path, monkeypatch):
    """If the ledger's disk takes no file either, the failure is raised as it is, and the reservation stands without a release."""
    monkeypatch.setattr(
        record_file, "opened_private", lambda path: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(SystemFailed):
        surveys.released(surveys.scattered(50), tmp_path, to=tmp_path / "r.dpmap")
    assert len(Ledger(tmp_path / "x.ledger").without_release()) == 1


def test_python_tries_its_place_too(tmp_path):
    """`dm.release(..., to=)` refuses an address, and so does `save`, before anything is spent or made."""
    with pytest.raises(BadInput):
        surveys.released(surveys.scattered(50), tmp_path, to="s4://bucket/r.dpmap")
    assert not (tmp_path / "x.ledger").exists()
    made = surveys.released(surveys.scattered(50), tmp_path)
    for verb in (made.save, made.draw, made.export):
        with pytest.raises(BadInput):
            verb("s4://bucket/x.png")
    assert not Path("s4:").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("out", ["s3://bucket/x.json", "no/such/x.json", "dpmap.ledger", "s.csv"])
def test_choosing_tries_where_its_answer_goes(out, here):
    """`dpmap choose --out` replaces neither ledger nor survey, and spends nothing where the answer could not be written."""
    survey = (here / "s.csv").read_bytes()
    geopandas.GeoDataFrame(geometry=[shapely.box(0, 50, 1, 51)], crs="EPSG:4326").to_file(
        "area.gpkg"
    )
    words = [
        "choose",
        "s.csv",
        "--cells",
        "20 km, 40 km",
        "--area",
        "area.gpkg",
        "--unit",
        "who",
        "--cap",
        "3",
    ]
    words += ["--dataset", "d", "--budget", "9", *PRICE]
    assert typed(*words, "--out", out) in (1, 2)
    assert spent(".") == 0 and (here / "s.csv").read_bytes() == survey
    assert typed(*words, "--out", "chosen.json") == 0 and Path("chosen.json").exists()
    if out == "dpmap.ledger":  # which is there by now
        assert typed(*words, "--out", out) == 2 and spent(".") == 1


# --- resumed under another promise ---------------------------------------------------------------------------------------

CHANGED = [
    ("--epsilon", "2"), ("--unit", "note"), ("--cap", "4"), ("--cap", "auto:0.05"), ("--limiter", "sample"),
    ("--dataset", "e"), ("--budget", "8"), ("--shape", "8,11"), ("--bounds", "0,50,1,52"), ("--grid-crs", "EPSG:4258"),
    ("--strategy", "flat"), ("--noise", "opendp"), ("--sample", "5%"), ("--delta", "1e-6"), ("--times", "date=2020,2021"),
    ("--consent", "x=y"), ("--licence", "CC0-1.0"), ("--authorised-by", "Others"), ("--where", "note = 'x'"),
    ("--tier", "a=1", "--tier", "b=0.1"),
]  # fmt: skip


def resume(words):
    return typed("release", "s.csv", *TYPED, *PRICE, "--out", "out", "--resume", *words)


@pytest.fixture
def whole(here):
    assert typed("release", "s.csv", *TYPED, *PRICE, "--out", "out") == 0
    return here


@pytest.mark.parametrize("words", CHANGED, ids=" ".join)
def test_a_release_is_not_resumed_under_another_promise(whole, words):
    """A changed flag is refused, not passed over: the release that is there was not made by it."""
    (whole / "out" / "map.png").unlink()
    assert resume(words) in (2, 3)
    assert not (whole / "out" / "map.png").exists() and spent(whole) == 1


@pytest.mark.parametrize(
    "words",
    [(), ("--epsilon", "1.0"), ("--cap", "3"), ("--budget", "9.00"), ("--unit", "WHO")],
    ids=str,
)
def test_the_same_promise_in_other_words_resumes(whole, words):
    """What says the same is the same, and what is not typed is not compared."""
    (whole / "out" / "map.png").unlink()
    assert resume(words) == 0 and (whole / "out" / "map.png").exists()
    assert typed("release", "--resume", "out") == 0


# --- planted -------------------------------------------------------------------------------------------------------------


def untried(patch):
    patch.setattr(atomic_write, "try_place", lambda *_, **__: None)
    patch.setattr(release_run, "try_place", lambda *_, **__: None)


def addresses_taken(patch):
    for module in (atomic_write, release_run, folders):
        patch.setattr(module, "refuse_address", lambda *_: None, raising=False)
    for module in (delivery, stores):
        patch.setattr(module, "is_url", lambda _: False)


def not_kept(patch):
    patch.setattr(release_run, "save_beside_ledger", lambda *_: None)


def tiers_not_kept(patch):
    patch.setattr(Tiers, "_saved_by_ledger", lambda *_, **__: None)


def resumed_anyhow(patch):
    patch.setattr(promise_check.TypedPromise, "refuse_changed", lambda *_: None)


PLANTED = {
    "a place is not tried": (untried, "disk"),
    "an address is a folder": (addresses_taken, "address"),
    "what fails is lost": (not_kept, "kept"),
    "tiers that fail are lost": (tiers_not_kept, "kept tiers"),
    "--resume passes over a changed epsilon": (resumed_anyhow, "resume"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_of_delivery_is_found(fault, here, monkeypatch, capsys):
    """Were a place not tried, or what is paid for not kept, the tests of every day would say so."""
    plant, test = PLANTED[fault]
    with monkeypatch.context() as patch:
        plant(patch)
        with pytest.raises((AssertionError, ValueError, DpmapError)):
            if test == "disk":
                test_a_disk_that_takes_nothing_is_found_before_anything_is_spent(
                    "rename", "EROFS", PRICE, patch
                )
            elif test == "address":
                deliver("s4://bucket/x")
            elif test.startswith("kept"):
                words = READERS if test.endswith("tiers") else PRICE
                test_what_is_paid_for_is_saved_beside_the_ledger(here, words, patch, capsys)
            else:
                assert typed("release", "s.csv", *TYPED, *PRICE, "--out", "out") == 0
                test_a_release_is_not_resumed_under_another_promise(here, ("--epsilon", "2"))


def test_neither_another_release_nor_a_ledger_is_replaced(tmp_path):
    """`save` writes over its own release only, and nothing that dpmap writes replaces a ledger, whatever it is called."""
    paid = {"ledger": tmp_path / "budget.dpmap", "budget": 9}
    first, second = (surveys.released(surveys.scattered(30), tmp_path, **paid) for _ in range(2))
    first.save(tmp_path / "r.dpmap")
    first.save(tmp_path / "r.dpmap")
    with pytest.raises(DpmapError, match="another release .* name a new file"):
        second.save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap").id == first.id
    with pytest.raises(DpmapError, match="is a ledger"):
        second.save(tmp_path / "budget.dpmap")
    assert Ledger(tmp_path / "budget.dpmap").balance()[1] == 2
