"""Attacks on paths: symlinks and second names planted where outputs, ledger and temporary files go, and races for them."""

import os
import stat
import subprocess
import sys
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from builders import records

import dpmap as dm
from dpmap.atomic_write import only_one_at_once, written_aside
from dpmap.cli import run
from dpmap.errors import BadInput, Refused
from dpmap.export.atlas import FORMS
from dpmap.private_folder import private_folder
from dpmap.record.release_file import write_record
from dpmap.statement.file_names import METADATA
from dpmap.statement.kinds import map_statement

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a survey, in which pictures are stubs."""
    rows = [f"p{i % 7},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100}" for i in range(60)]
    (tmp_path / "survey.csv").write_text("\n".join(["who,longitude,latitude", *rows]) + "\n")
    monkeypatch.setattr("dpmap.releases.release.Release.write", _stub)
    return tmp_path


def _stub(self, path):
    with written_aside(path) as aside:
        aside.write_bytes(b"no picture")
    return [Path(path)]


def release(place, out="out", **changed):
    flags = {
        "bounds": "0,50,1,51",
        "shape": "4,5",
        "epsilon": "0.1",
        "unit": "who",
        "cap": "3",
        "dataset": "d",
        "budget": "1",
        **changed,
    }
    words = [word for flag, value in flags.items() for word in (f"--{flag}", str(value))]
    return run(["release", str(place / "survey.csv"), *words, "--out", str(place / out)])


def reserve(path):
    return dm.Ledger(path).reserve(
        dataset="d", epsilon=Fraction(1, 10), budget=Fraction(1), details={}
    )


def test_links_planted_for_every_output_are_replaced_not_followed(place, capsys):
    """Each file of a release whose name is a planted symlink becomes a file of its own; what the link named is untouched."""
    precious = place / "precious"
    precious.write_text("keep")
    (place / "out").mkdir()
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
    words = map_statement(records.record(grid, records.promise(), []))
    names = [*words.files, *words.layers]
    assert {*METADATA, "attestation.md", "for-the-protected.html", "map.tif"} <= {*names}
    (place / "out" / "metadata").mkdir()
    for name in names:
        (place / "out" / name).symlink_to(precious)
    assert release(place) == 0
    assert precious.read_text() == "keep"
    left = [path for path in (place / "out").rglob("*") if path.is_symlink()]
    assert left == [] and all((place / "out" / name).is_file() for name in names)


def test_links_planted_for_every_table_of_an_atlas_are_replaced_not_followed(place, capsys):
    """Nor does `dpmap export` follow a link, for the table or for what stands beside it, in any form."""
    precious = place / "precious"
    precious.write_text("keep")
    grid = dm.Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035")
    made = dm.Partition.cells(grid)
    record = records.record(
        grid, records.promise(), [records.measured(made, [900, 800], records.promise())]
    )
    write_record(record, place / "r.dpmap")
    for form, found in FORMS.items():
        for suffix in found.suffixes:
            out = [place / f"{form}{suffix}"] + [place / f"{form}.csv-metadata.json"] * (
                suffix == ".csv"
            )
            for path in out:
                path.symlink_to(precious)
            words = [
                "--as",
                form,
                "--to",
                str(out[0]),
                "--taxon",
                "Otter=eunis:1435",
                "--year",
                "2024",
            ]
            assert run(["export", str(place / "r.dpmap"), *words]) == 0, capsys.readouterr().err
            assert not any(path.is_symlink() for path in out) and precious.read_text() == "keep"


def test_a_link_planted_for_a_layers_folder_is_replaced_not_followed(place, capsys):
    """Nor when the rest of a folder is made anew: nothing appears, and nothing is replaced, where the link leads."""
    (place / "survey.csv").write_text("who,longitude,latitude,kind\nann,0.5,50.5,owl\n")
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / "map.png").write_text("keep")
    (place / "out").mkdir()
    (place / "out" / "01-owl").symlink_to(place / "elsewhere")
    assert release(place, kinds="kind=owl,kite") == 0
    (place / "out" / "02-kite" / "map.png").unlink()
    for left in (place / "out" / "01-owl").iterdir():
        left.unlink()
    (place / "out" / "01-owl").rmdir()
    (place / "out" / "01-owl").symlink_to(place / "elsewhere")
    assert run(["release", "--resume", str(place / "out")]) == 0
    assert (place / "out" / "01-owl" / "map.png").exists() and not (
        place / "out" / "01-owl"
    ).is_symlink()
    assert [(path.name, path.read_text()) for path in (place / "elsewhere").iterdir()] == [
        ("map.png", "keep")
    ]


def test_a_pipe_called_like_a_release_is_one_line(tmp_path, capsys):
    """Nobody waits for what is never written into it."""
    os.mkfifo(tmp_path / "release.dpmap")
    assert run(["release", "--resume", str(tmp_path)]) == 2
    assert "release.dpmap is not a file" in capsys.readouterr().err


def test_a_dangling_link_for_the_release_file_creates_nothing_elsewhere(place, capsys):
    """A symlink named release.dpmap that points to no file yet is replaced; nothing appears where it pointed."""
    (place / "out").mkdir()
    (place / "out" / "release.dpmap").symlink_to(place / "elsewhere")
    assert release(place) == 0
    assert not (place / "elsewhere").exists()
    assert dm.open(place / "out" / "release.dpmap")


def test_the_name_written_aside_cannot_be_guessed(tmp_path):
    """Files grow under names with 48 random bits, so nobody can plant a link where the next one will be."""
    names = set()
    for _ in range(50):
        with written_aside(tmp_path / "a.dpmap") as aside:
            names.add(aside.name)
            aside.write_bytes(b"x")
    assert len(names) == 50
    assert all(len(name) >= len(".a..dpmap") + 12 for name in names)
    assert [path.name for path in tmp_path.iterdir()] == ["a.dpmap"]


def test_the_engines_temporary_files_are_nobody_elses(place, monkeypatch, capsys):
    """The engine spills into a new folder only its owner can enter (0700), and the folder is gone afterwards."""
    seen = []

    @contextmanager
    def watched(parent=None):
        with private_folder(parent) as where:
            seen.append((where, stat.S_IMODE(os.stat(where).st_mode), os.path.islink(where)))
            yield where

    monkeypatch.setattr("dpmap.engines.duckdb.private_folder", watched)
    assert release(place) == 0
    assert seen
    assert all(
        mode == 0o700 and not link and not os.path.exists(where) for where, mode, link in seen
    )


def test_a_ledger_behind_a_symlink_is_one_ledger(tmp_path):
    """Two links to one ledger are one budget: what is spent through one is gone for the other."""
    (tmp_path / "links").mkdir()
    for name in ("one.ledger", "two.ledger"):
        (tmp_path / "links" / name).symlink_to(tmp_path / "x.ledger")
    for i in range(10):
        reserve(tmp_path / "links" / ("one.ledger" if i % 2 else "two.ledger"))
    with pytest.raises(dm.errors.BudgetExceeded):
        reserve(tmp_path / "x.ledger")
    assert dm.Ledger(tmp_path / "x.ledger").balance() == (1, 1)


def test_a_ledger_with_two_names_is_refused(tmp_path):
    """A hard link to a ledger is refused: after a crash under one name, use under the other could undo what was spent."""
    reserve(tmp_path / "x.ledger")
    os.link(tmp_path / "x.ledger", tmp_path / "y.ledger")
    for name in ("x.ledger", "y.ledger"):
        with pytest.raises(Refused, match="second name"):
            reserve(tmp_path / name)
    (tmp_path / "y.ledger").unlink()
    reserve(tmp_path / "x.ledger")
    assert dm.Ledger(tmp_path / "x.ledger").balance()[1] == Fraction(2, 10)


def test_a_ledger_put_aside_during_a_release_does_not_let_noise_be_drawn_unpaid(
    place, monkeypatch, capsys
):
    """When the ledger is swapped for a fresh file between the check and the reservation, the fresh one pays or refuses."""
    from dpmap.ledger.ledger import Ledger

    reserve(place / "dpmap.ledger")
    real = Ledger.take

    def swapped(self, asked, details):
        os.replace(place / "dpmap.ledger", place / "old.ledger")
        return real(self, asked, details)

    monkeypatch.setattr(Ledger, "take", swapped)
    assert release(place) == 0
    receipt = dm.open(place / "out" / "release.dpmap").record.receipt
    dm.Ledger(place / "dpmap.ledger").attests(event=receipt.event, head=receipt.head)
    with pytest.raises(Refused, match="does not contain this release"):
        dm.Ledger(place / "old.ledger").attests(event=receipt.event, head=receipt.head)


def test_two_releases_cannot_be_written_to_one_folder_at_once(place, capsys):
    """While one release is being written, another one to the same folder is refused before anything is spent."""
    (place / "out").mkdir()
    with only_one_at_once(place / "out"):
        assert release(place) == 2
    told = capsys.readouterr().err
    assert "another release is being written to out" in told
    assert not (place / "dpmap.ledger").exists()
    assert release(place) == 0


def test_a_folder_is_free_again_when_its_writer_is_killed(tmp_path):
    """The hold on a folder ends with the process that had it, even by SIGKILL: nothing has to be cleaned up by hand."""
    code = (
        "import os, signal, sys; from pathlib import Path; from dpmap.atomic_write import only_one_at_once\n"
        "with only_one_at_once(Path(sys.argv[1])):\n    os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT)
    assert done.returncode == -9
    with only_one_at_once(tmp_path):
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(BadInput), only_one_at_once(tmp_path):
            pass


def test_a_release_that_appears_while_another_is_made_is_never_written_over(
    place, monkeypatch, capsys
):
    """Of two users who race to one new folder, one is refused with nothing spent; the other's release stays as it was."""
    from dpmap.atomic_write import new_folder

    def late(folder):
        (place / "out").mkdir()
        (place / "out" / "release.dpmap").write_bytes(b"the other user's")
        return new_folder(folder)

    monkeypatch.setattr("dpmap.atomic_write.new_folder", late)
    assert release(place) == 2
    assert "already holds a release" in capsys.readouterr().err
    assert (place / "out" / "release.dpmap").read_bytes() == b"the other user's"
    assert not (place / "dpmap.ledger").exists()
