"""`dpmap release --tier` and `dpmap unseal`: a folder for each reader from one draw, paid for once, whatever interrupts it."""

import json
import os
import signal
from dataclasses import replace

import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.release_folder import save_all
from dpmap.ledger.ledger import Ledger
from dpmap.record import About
from dpmap.releases.release import Release
from dpmap.releases.tiers import Tiers

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
)
READERS = ("--tier", "manager=3", "--tier", "public=0.3", "--tier", "partners=1")
NAMES = ["public", "partners", "manager"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to stand in, with a survey; of each file beside release.dpmap only a stub is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1])
    surveys.written(tmp_path, surveys.scattered(300, people=50), name="s.csv")
    return tmp_path


def said(capsys, code, *words):
    """What a command prints, on stdout if it succeeds, in one line on stderr if not."""
    capsys.readouterr()
    found = run([str(word) for word in words])
    out, err = capsys.readouterr()
    assert found == code, err
    assert code == 0 or err.count("\n") == 1
    return out if code == 0 else err


def released(capsys, code, *words):
    return said(capsys, code, "release", "s.csv", *TYPED, "--budget", "9", *words)


def spent(folder):
    book = folder / "dpmap.ledger"
    return (
        [
            body["epsilon"]
            for event in Ledger(book).events()
            if (body := event.body)["kind"] == "reserve"
        ]
        if book.exists()
        else []
    )


def test_a_folder_for_each_reader_and_one_event(here, capsys):
    """Every tier's folder has all that a release's has; --epsilon is left out; the ledger shows one event of the dearest."""
    told = json.loads(released(capsys, 0, *READERS, "--out", "o", "--json"))
    assert sorted(os.listdir("o")) == sorted(NAMES)
    assert len({tuple(sorted(os.listdir(here / "o" / name))) for name in NAMES}) == 1
    assert "statement.md" in os.listdir("o/public")
    assert (told["epsilon"], told["tiers"]) == (
        "3",
        {"public": "0.3", "partners": "1", "manager": "3"},
    )
    assert spent(here) == ["3"]
    assert "tiers=public=0.3, partners=1, manager=3" in said(
        capsys, 0, "ledger", "dpmap.ledger", "--against", "o/partners/release.dpmap"
    )
    released(capsys, 0, *READERS, "--epsilon", "3", "--out", "again")


def test_the_ledger_refuses_a_file_that_says_otherwise_than_it_paid(here, capsys):
    """A tier of another name or epsilon than its event's, one that hides the others, and a plain release of another epsilon."""
    released(capsys, 0, *READERS, "--out", "o")
    record = dm.open("o/partners/release.dpmap").record
    other = {"public": "0.3", "friends": "1", "manager": "3"}
    alone = {name: value for name, value in record.about.to_dict().items() if name != "tiers"}
    for about in (record.about.of_tier("friends", other), About.from_mapping(alone)):
        Release(replace(record, about=about)).save("odd.dpmap")
        line = said(capsys, 3, "ledger", "dpmap.ledger", "--against", "odd.dpmap")
        assert "event 2 paid for public=0.3, partners=1, manager=3" in line
    released(capsys, 0, "--epsilon", "1", "--out", "plain")
    record = dm.open("plain/release.dpmap").record
    os.remove("odd.dpmap")
    Release(replace(record, policy=replace(record.policy, epsilon="2"))).save("odd.dpmap")
    said(capsys, 0, "ledger", "dpmap.ledger", "--against", "plain/release.dpmap")
    told = said(capsys, 3, "ledger", "dpmap.ledger", "--against", "odd.dpmap")
    assert "says epsilon 2, and event 4 paid for 1" in told


def test_tiers_stand_in_dpmap_toml_as_a_table_or_a_list(here, capsys):
    """A table of names and epsilons, or the list that `init` writes of what was typed."""
    common = 'survey = "s.csv"\nbounds = "0,50,1,51"\nshape = "8,10"\nunit = "who"\ncap = 3\ndataset = "d"\nbudget = 9\n'
    (here / "dpmap.toml").write_text(common + 'out = "a"\ntier = {public = 0.3, manager = 3}\n')
    said(capsys, 0, "release")
    assert str(dm.open("a/public/release.dpmap").policy.epsilon) == "3/10"
    os.remove("dpmap.toml")
    assert "epsilon" not in said(capsys, 0, "init", "s.csv", *TYPED, *READERS)
    assert "epsilon =" not in (here / "dpmap.toml").read_text()
    assert 'tier = ["manager=3", "public=0.3", "partners=1"]' in (here / "dpmap.toml").read_text()
    said(capsys, 0, "release", "--out", "b")
    assert sorted(os.listdir("b")) == sorted(NAMES)


@pytest.mark.parametrize(
    ("code", "told", "words"),
    [
        (2, "like --tier public=0.3", ("--tier", "public", "--tier", "a=1")),
        (2, "like --tier public=0.3", ("--tier", "=3", "--tier", "a=1")),
        (2, "a name stands twice", ("--tier", "a=3", "--tier", "a=1")),
        (2, "one is given; for one reader write --epsilon 3", ("--tier", "a=3")),
        (2, "holds '/'", ("--tier", "a/b=3", "--tier", "a=1")),
        (2, "write --epsilon 3", (*READERS, "--epsilon", "1")),
        (2, "there already", (*READERS, "--seal", "s.csv")),
        (2, "name them, like --tier", ("--epsilon", "1", "--seal", "x.sealed")),
        (2, "leave --epsilon out", (*READERS, "--epsilon", "next")),
        (3, "--tier has no proof with --epsilon-by", (*READERS, "--epsilon-by", "who=1,3")),
        (3, "--tier has no proof with --delta", (*READERS, "--delta", "1e-6", "--strategy", "flat", "--budget-delta", "1e-5")),
        (3, "lower .* the dearest --tier", (*READERS, "--tier", "all=10")),
    ],
)  # fmt: skip
def test_nothing_is_spent_on_tiers_typed_wrong(here, capsys, code, told, words):
    """One line with what to type, no ledger, no folder."""
    import re

    line = released(capsys, code, *words, "--out", "o")
    assert re.search(told, line), line
    assert sorted(os.listdir()) == ["s.csv"]


def test_a_folder_that_holds_a_tier_already_is_not_overwritten(here, capsys):
    """The same command again is refused before anything is spent."""
    released(capsys, 0, *READERS, "--out", "o")
    assert "public is there already" in released(capsys, 2, *READERS, "--out", "o")
    assert spent(here) == ["3"]


def test_a_sealed_file_opens_into_folders_later(here, capsys):
    """Only the noisiest tier has a folder at first; another is opened beside it later, at no cost; a second time is refused."""
    assert "dpmap unseal r.sealed --tier manager --out o" in released(
        capsys, 0, *READERS, "--out", "o", "--seal", "r.sealed"
    )
    assert os.listdir("o") == ["public"]
    assert "it holds sealed tiers; open one: dpmap unseal" in said(
        capsys, 2, "draw", "r.sealed", "--to", "x.png"
    )
    assert "spent nothing" in said(
        capsys, 0, "unseal", "r.sealed", "--tier", "partners", "--out", "o"
    )
    assert sorted(os.listdir("o")) == ["partners", "public"] and sorted(
        os.listdir("o/partners")
    ) == sorted(os.listdir("o/public"))
    assert (
        dm.open("o/partners/release.dpmap").record.receipt
        == dm.open("o/public/release.dpmap").record.receipt
    )
    assert "already holds a release" in said(
        capsys, 2, "unseal", "r.sealed", "--tier", "partners", "--out", "o"
    )
    assert "holds public, partners, manager" in said(
        capsys, 2, "unseal", "r.sealed", "--tier", "../x", "--out", "p"
    )
    assert spent(here) == ["3"] and not (here / "p").exists()
    (here / "elsewhere").mkdir()
    (here / "o" / "manager").symlink_to(here / "elsewhere", target_is_directory=True)
    assert "manager is there already" in said(
        capsys, 2, "unseal", "r.sealed", "--tier", "manager", "--out", "o"
    )
    assert not os.listdir("elsewhere")


def test_interrupted_tiers_are_made_from_what_is_saved(here, capsys, monkeypatch):
    """Stopped while the folders are filled, the line names each release file and what to type, which makes the rest at no cost."""

    def stopped(made, place, progress, context=True, *, missing=False, only=None):
        if place.name == "partners":
            raise KeyboardInterrupt
        return save_all(made, place, progress, context, missing=missing, only=only)

    monkeypatch.setattr("dpmap.cli.release_folder.save_all", stopped)
    line = released(capsys, 130, *READERS, "--out", "o")
    monkeypatch.undo()
    monkeypatch.chdir(here)
    monkeypatch.setattr(Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1])
    assert (
        all(f"o/{name}/release.dpmap" in line for name in NAMES)
        and "dpmap release --resume o " in line
    )
    said(capsys, 0, "release", "--resume", "o/partners")
    assert sorted(os.listdir("o/partners")) == sorted(os.listdir("o/public"))
    said(capsys, 0, "release", "--resume", "o")
    assert sorted(os.listdir("o/manager")) == sorted(os.listdir("o/public"))
    os.remove("o/partners/release.dpmap")
    assert "the release of tier 'partners' is not here" in said(
        capsys, 0, "release", "--resume", "o"
    )
    assert spent(here) == ["3"]


def test_tiers_that_could_not_be_saved_are_told_as_spent(here, capsys, monkeypatch):
    """Stopped between the reservation and the files, the line says what was spent and that nothing came of it."""

    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Tiers, "save", stopped)
    assert "spent epsilon 3" in released(capsys, 130, *READERS, "--out", "o")
    assert not (here / "o").exists()
    assert "no release came of it" in said(capsys, 0, "ledger", "dpmap.ledger")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="terminals of this kind are POSIX")
def test_an_opening_that_is_interrupted_says_what_stands(here, capsys, monkeypatch):
    """Stopped while a tier's folder is filled, also by a terminal that is closed, the line names its release file and --resume."""
    released(capsys, 0, *READERS, "--out", "o", "--seal", "r.sealed")
    usual = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a shell may have had it ignored
    try:
        with monkeypatch.context() as patch:
            patch.setattr(Release, "write", lambda *_: signal.raise_signal(signal.SIGHUP))
            line = said(capsys, 130, "unseal", "r.sealed", "--tier", "manager", "--out", "o")
    finally:
        signal.signal(signal.SIGHUP, usual)
    assert (
        "o/manager/release.dpmap is whole" in line and "dpmap release --resume o/manager " in line
    )
    said(capsys, 0, "release", "--resume", "o/manager")
    assert sorted(os.listdir("o/manager")) == sorted(os.listdir("o/public")) and spent(here) == [
        "3"
    ]


def test_what_is_sealed_is_not_lost(here, capsys, monkeypatch):
    """Stopped when only the sealed file is in its place, the line says so, and every tier can be opened from it."""
    real = Tiers.save

    def stopped(tiers, folder, *, seal=None):
        real(tiers, None, seal=seal)
        raise KeyboardInterrupt

    monkeypatch.setattr(Tiers, "save", stopped)
    line = released(capsys, 130, *READERS, "--out", "o", "--seal", "r.sealed")
    assert "r.sealed is whole and paid for; type  dpmap unseal r.sealed --tier NAME" in line
    said(capsys, 0, "unseal", "r.sealed", "--tier", "public", "--out", "o")
