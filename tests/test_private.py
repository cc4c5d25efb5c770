"""Private folders: held while their process lives, wiped by the next one when it was killed, and nobody else's touched."""

import gzip
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from dpmap import private_folder as private
from dpmap.cli import run
from dpmap.private_folder import LOCK, private_folder, sweep

ROOT = Path(__file__).parents[1]
ROWS = (
    "\n".join(
        [
            "who,longitude,latitude",
            *(f"p{i % 7},{i % 10 / 10},{50 + i % 10 / 10}" for i in range(60)),
        ]
    )
    + "\n"
)
FLAGS = [
    "--bounds",
    "0,50,1,51",
    "--shape",
    "4,5",
    "--epsilon",
    "0.1",
    "--unit",
    "who",
    "--cap",
    "3",
    "--dataset",
    "d",
    "--budget",
    "1",
]


def left_over(place, name="dpmap-abcdefgh", mark=f"{private._MARK}{platform.node()}\n"):
    """A folder as a killed process leaves it: with its mark, and a copy of a survey."""
    (folder := place / name).mkdir(0o700)
    (folder / LOCK).write_text(mark)
    (folder / "copy.csv").write_text(ROWS)
    (folder / "spilt").mkdir()
    (folder / "spilt" / "part").write_text(ROWS)
    return folder


def begun(place, out):
    """A real release that waits for the rest of its rows, which it keeps in a private folder in `place`."""
    command = [
        sys.executable,
        "-m",
        "dpmap",
        "release",
        "-",
        "--ledger",
        str(place / f"{out}.ledger"),
        "--out",
        str(place / out),
        *FLAGS,
    ]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(place), "TEMP": str(place), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    packed = gzip.compress(ROWS.encode())
    process.stdin.write(packed[:-4])
    process.stdin.flush()
    while not (found := list(place.glob("dpmap-*/standard input"))):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    return process, found[0].parent, packed[-4:]


def test_what_a_killed_release_left_is_wiped_by_the_next(tmp_path, monkeypatch):
    """A release that is killed outright leaves its folder, and the next release wipes it before it makes its own."""
    process, folder, _ = begun(tmp_path, "killed")
    process.kill()
    process.communicate()
    assert (folder / "standard input").exists()
    (tmp_path / "survey.csv").write_text(ROWS)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(
        "dpmap.releases.release.Release.write", lambda self, path: path.write_bytes(b"-") and [path]
    )
    assert (
        run(["release", str(tmp_path / "survey.csv"), *FLAGS, "--out", str(tmp_path / "next")]) == 0
    )
    assert not folder.exists() and not list(tmp_path.glob("dpmap-*"))


def test_a_living_release_keeps_its_folder(tmp_path):
    """While a release still reads its rows, others that begin leave its folder alone, and it ends well."""
    process, folder, rest = begun(tmp_path, "living")
    with private_folder(tmp_path) as other:
        assert (folder / "standard input").exists() and other != str(folder)
    _, told = process.communicate(rest)
    assert process.returncode == 0, told
    assert (tmp_path / "living" / "release.dpmap").exists() and not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="signals that a console of Windows has not")
@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM"])
def test_a_release_that_is_stopped_while_rows_still_come_leaves_nothing(tmp_path, sign):
    """Stopped while it reads a pipe, a release says that nothing was spent, and leaves no folder and no ledger."""
    process, folder, _ = begun(tmp_path, "stopped")
    process.send_signal(getattr(signal, sign))
    _, told = process.communicate()
    assert (process.returncode, told.count(b"\n")) == (130, 1) and b"nothing was spent" in told
    assert not folder.exists() and not (tmp_path / "stopped.ledger").exists()


def test_a_folder_is_its_owners_alone_and_goes_with_its_block(tmp_path):
    """Nobody else may enter a private folder, and nothing of it is left, also where the block fails."""
    with pytest.raises(ValueError), private_folder(tmp_path) as folder:
        assert os.name != "posix" or os.stat(folder).st_mode & 0o777 == 0o700
        Path(folder, "deep").mkdir()
        Path(folder, "deep", "copy.csv").write_text(ROWS)
        raise ValueError
    assert not list(tmp_path.iterdir())


def test_a_folder_in_a_folder_of_the_same_process_is_left(tmp_path):
    """A process may have several private folders at once: none of them takes another for left over."""
    with private_folder(tmp_path) as one:
        Path(one, "copy.csv").write_text(ROWS)
        with private_folder(tmp_path), private_folder(tmp_path, prefix=private.HIDDEN):
            private._living.clear()  # so that only the locks tell
            sweep(str(tmp_path))
            assert Path(one, "copy.csv").exists()
    assert not list(tmp_path.iterdir())


def test_links_are_not_followed(tmp_path):
    """A link that is called like a private folder stays, and so does what it leads to; so does a folder whose mark is a link."""
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (place := tmp_path / "place").mkdir()
    target = left_over(elsewhere)
    (place / "dpmap-abcdefgh").symlink_to(target)
    (folder := place / "dpmap-ijklmnop").mkdir(0o700)
    (folder / LOCK).symlink_to(target / LOCK)
    (folder / "copy.csv").write_text(ROWS)
    sweep(str(place))
    assert (
        (target / "copy.csv").exists()
        and (place / "dpmap-abcdefgh").is_symlink()
        and (folder / "copy.csv").exists()
    )


def test_links_in_a_folder_go_without_what_they_lead_to(tmp_path):
    """What is left over may hold links: they go, and the files and folders at their other end stay."""
    (kept := tmp_path / "kept").mkdir()
    (kept / "file").write_text("kept")
    folder = left_over(tmp_path)
    (folder / "to-folder").symlink_to(kept)
    (folder / "to-file").symlink_to(kept / "file")
    sweep(str(tmp_path))
    assert not folder.exists() and (kept / "file").read_text() == "kept"


@pytest.mark.skipif(os.name != "posix", reason="each user has a temporary folder")
def test_another_users_folder_is_not_touched(tmp_path, monkeypatch):
    """A folder that another user put there is not entered, whatever it is called and holds."""
    folder = left_over(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    opened = []
    monkeypatch.setattr(private, "_Folder", opened.append)
    sweep(str(tmp_path))
    assert (folder / "copy.csv").exists() and not opened


@pytest.mark.parametrize(
    "name", ["dpmap-demo", "dpmap-releases", "dpmap-abcdefg", "dpmap-ABCDEFGH", "my-dpmap-abcdefgh"]
)
def test_a_folder_of_ones_own_is_left(tmp_path, name):
    """What somebody calls dpmap-something herself stays, old or not, since it has no mark."""
    (folder := tmp_path / name).mkdir()
    (folder / "release.dpmap").write_text("mine")
    (folder / LOCK).write_text("not the mark")
    os.utime(folder, (0, 0))
    sweep(str(tmp_path))
    assert (folder / "release.dpmap").exists() and (folder / LOCK).exists()


@pytest.mark.parametrize("locked", [False, True])
def test_a_folder_in_the_making_is_left_until_it_is_old(tmp_path, locked):
    """A folder that is only just being made stays; one that never got further goes when it is old."""
    (folder := tmp_path / "dpmap-abcdefgh").mkdir(0o700)
    if locked:
        (folder / LOCK).touch()
    sweep(str(tmp_path))
    assert folder.exists()
    os.utime(folder, (0, 0))
    sweep(str(tmp_path))
    assert not folder.exists()


@pytest.mark.parametrize("faster", ["has the lock", "has taken it away"])
def test_who_is_swept_while_making_a_folder_makes_another(tmp_path, monkeypatch, faster):
    """If a sweeper comes between a new folder and its lock, its maker sees it, and works in another one."""
    take, made = private._take, []

    def slow(lock):
        made.append(lock)
        if len(made) > 1:
            return take(lock)
        if faster == "has the lock":
            raise BlockingIOError
        next(tmp_path.glob(f"*/{LOCK}")).unlink()
        return take(lock)

    monkeypatch.setattr(private, "_take", slow)
    with private_folder(tmp_path) as folder:
        assert [str(one) for one in tmp_path.iterdir()] == [folder] and os.listdir(folder) == [LOCK]
    assert len(made) == 2


RACER = """
import os, sys
from pathlib import Path
from dpmap.private_folder import private_folder
for turn in range(150):
    with private_folder(sys.argv[1]) as folder:
        copy = Path(folder, "copy")
        copy.write_text(sys.argv[2])
        with private_folder(sys.argv[1]):
            assert copy.read_text() == sys.argv[2]
"""


def test_many_at_once_never_sweep_each_other(tmp_path):
    """However many processes make and sweep folders in one place, none loses a folder that it holds, and none is left."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    racing = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(tmp_path), str(at)], env=env, stderr=subprocess.PIPE
        )
        for at in range(4)
    ]
    told = [one.communicate()[1] for one in racing]
    assert [one.returncode for one in racing] == [0] * 4, told
    assert not list(tmp_path.iterdir())


def test_what_another_machine_marked_goes_when_it_is_old(tmp_path):
    """On a shared disk a lock may not reach from one machine to another, so another's folder goes after a week only."""
    folder = left_over(tmp_path, mark=f"{private._MARK}elsewhere\n")
    sweep(str(tmp_path))
    assert folder.exists()
    os.utime(folder / LOCK, (0, 0))
    sweep(str(tmp_path))
    assert not folder.exists()


def test_what_cannot_be_wiped_now_is_wiped_later(tmp_path, monkeypatch):
    """Where a file resists, its folder keeps its mark, and a later sweep tries again."""
    folder = left_over(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(private._Folder, "_remove", lambda *_: None)
        sweep(str(tmp_path))
    assert (folder / LOCK).exists() and (folder / "copy.csv").exists()
    sweep(str(tmp_path))
    assert not folder.exists()


def test_a_disk_without_locks_sweeps_nothing(tmp_path, monkeypatch):
    """Where a disk knows no locks, a folder is made and wiped as ever, and none is taken for left over."""

    def none(_):
        raise OSError(95, "not supported")

    monkeypatch.setattr(private, "_take", none)
    folder = left_over(tmp_path)
    with private_folder(tmp_path) as own:
        assert Path(own).exists()
    assert not Path(own).exists() and folder.exists()


def test_a_link_put_in_a_folders_place_is_not_wiped(tmp_path, monkeypatch):
    """Somebody who may rename things beside a folder cannot have another one wiped in its stead."""
    if not private._BY_HANDLE:
        pytest.skip("this system speaks to folders by name")
    folder, mine = left_over(tmp_path), tmp_path / "mine"
    mine.mkdir()
    (mine / "copy.csv").write_text("mine")
    names = private._Folder._names

    def swapped(self):
        found = names(self)
        if folder.exists() and not folder.is_symlink():
            folder.rename(tmp_path / "away")
            folder.symlink_to(mine)
        return found

    monkeypatch.setattr(private._Folder, "_names", swapped)
    sweep(str(tmp_path))
    assert (mine / "copy.csv").read_text() == "mine" and not (
        tmp_path / "away" / "copy.csv"
    ).exists()
