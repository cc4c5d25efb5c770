"""The studio or its command killed, stopped or out of disk at any step: nothing is lost, nothing is paid for twice."""

import os
import signal
import threading

import pytest
from builders.releasing import Program, confirmed, faulty, filled, paid, ready, shown, whole
from builders.studios import studio
from builders.waiting import LONG, until

from dpmap.ledger.ledger import Ledger
from dpmap.releases.release import Release

LOST = "event 2 spent 0.5 of Raptors 2026"


@pytest.fixture
def programs(tmp_path):
    """Starts studios in processes of their own over one folder, and ends them."""
    folder, begun = filled(tmp_path / "survey"), []

    def start():
        begun.append(Program(folder))
        return begun[-1]

    yield start
    for one in begun:
        if one.process.poll() is None:
            one.killed()


@pytest.mark.parametrize("late", [False, True], ids=["at once", "after it was paid"])
def test_a_release_goes_on_when_the_studio_is_killed(programs, late):
    """The release that was under way ends whole and is paid for once; the next studio shows it and releases nothing again."""
    first = programs()
    place = ready(first)
    told = shown(first.get(f"{place}/confirm"))
    confirmed(first, place)
    if late:
        until(lambda: paid(first.folder))
    first.killed()
    second = programs()
    page = second.get(f"{place}/confirm")
    if (
        'name="release"' in page.text
    ):  # the release holds its folder not yet: of two, one is refused there
        assert not late
        second.post(f"{place}/confirm", shown(page) | {"name": "Raptors 2026", "release": "yes"})
    until(lambda: whole(first.folder))
    until(lambda: "Released already" in second.get(f"{place}/confirm").text)
    again = second.post(f"{place}/confirm", told | {"name": "Raptors 2026", "release": "yes"})
    assert "Released already" in again.text
    assert paid(first.folder) == ["0.5"]
    assert Ledger(first.folder / "raptors-2026.ledger").without_release() == []
    assert (
        Release.open(first.folder / "raptors-2026-map" / "release.dpmap").record.receipt.event == 2
    )


def test_a_studio_that_is_closed_says_that_the_release_goes_on(programs):
    """Ctrl-C in the studio's terminal ends the studio and not the release, and says so."""
    first = programs()
    confirmed(first, ready(first))
    first.process.send_signal(signal.SIGINT)
    said, wrong = first.process.communicate(timeout=LONG)
    assert "goes on by itself" in said
    assert wrong == ""
    until(lambda: whole(first.folder))
    assert paid(first.folder) == ["0.5"]


def test_killed_at_each_step_what_was_entered_is_kept(programs):
    """A studio killed after any page before the release has spent nothing, and the next one goes on from what was typed."""
    one = programs()
    place = one.begin("raptors.csv", dataset="Raptors 2026")
    for step in ("data", "who", "where", "sure", "confirm"):
        one.get(f"{place}/{step}")
        one.killed()
        one = programs()
        assert "Raptors 2026" in one.get("/").text
        assert one.get(f"{place}/confirm").status == 200
    one.change(f"{place}/confirm", authorised_by="A. Ranger")
    one.killed()
    assert 'value="A. Ranger"' in programs().get(f"{place}/confirm").text
    assert paid(one.folder) == []


def test_two_studios_confirm_one_map_at_once(programs):
    """The same map confirmed in two studios at the same moment is released once and paid for once."""
    studios = [programs(), programs()]
    place = ready(studios[0])
    pages = at_once(studios, [place, place])
    assert sum("Spent: epsilon 0.5." in page.text for page in pages) == 1
    assert paid(studios[0].folder) == ["0.5"]
    assert all("Released already" in one.get(f"{place}/confirm").text for one in studios)


def test_two_studios_spend_exactly_the_budget(programs):
    """Maps confirmed in two studios on one ledger take turns; what the budget does not hold is refused and not drawn."""
    studios = [programs(), programs()]
    places = [
        ready(studios[0], epsilon="0.75", budget="1"),
        ready(studios[0], "Owls", epsilon="0.75", budget="1"),
    ]
    pages = at_once(studios, places, ["Raptors 2026", "Owls"])
    assert sum("Spent: epsilon 0.75." in page.text for page in pages) == 1
    assert sum("0.25" in page.text and "Nothing was spent" in page.text for page in pages) == 1
    assert paid(studios[0].folder) == ["0.75"]
    assert len(list(studios[0].folder.glob("*/release.dpmap"))) == 1


def at_once(studios, places, names=("Raptors 2026", "Raptors 2026")):
    """Confirms a map in each studio at the same moment, all pages read before; returns what each shows in the end."""
    forms = [shown(one.get(f"{place}/confirm")) for one, place in zip(studios, places, strict=True)]
    pages, gate = {}, threading.Barrier(len(studios))

    def click(number):
        gate.wait()
        told = forms[number] | {"name": names[number], "release": "yes"}
        pages[number] = studios[number].finished(
            studios[number].post(f"{places[number]}/confirm", told)
        )

    clicks = [threading.Thread(target=click, args=(number,)) for number in range(len(studios))]
    for one in clicks:
        one.start()
    for one in clicks:
        one.join()
    return [pages[number] for number in sorted(pages)]


def test_a_command_killed_after_it_was_paid_is_told_from_the_ledger(tmp_path, monkeypatch):
    """Killed before the map was saved, the page names the event that was spent, and so does the next confirm page."""
    kill = "import zipfile\nzipfile.ZipFile.writestr = lambda *_, **named: os.kill(os.getpid(), signal.SIGKILL)"
    browser = studio(tmp_path)
    place = ready(browser)
    monkeypatch.setattr("dpmap.studio.commands._command", faulty(kill, only="release"))
    page = browser.finished(confirmed(browser, place))
    assert page.status == 400
    assert LOST in page.text
    assert "The same again spends as much again" in page.text
    assert "1.5 is left" in page.text
    assert LOST in browser.get(f"{place}/confirm").text
    monkeypatch.undo()
    assert "Spent: epsilon 0.5." in browser.finished(confirmed(browser, place)).text
    assert paid(browser.folder) == [
        "0.5",
        "0.5",
    ]  # confirmed twice, and read in between what was lost


def test_a_command_killed_after_the_map_was_saved_is_made_whole_at_no_cost(tmp_path, monkeypatch):
    """Killed while pictures were drawn, the map is there and paid for; the rest is made from it, and nothing is spent."""
    kill = "from dpmap.releases.release import Release\nRelease.write = lambda *_, **named: os.kill(os.getpid(), signal.SIGKILL)"
    browser = studio(tmp_path)
    place = ready(browser)
    monkeypatch.setattr("dpmap.studio.commands._command", faulty(kill, only="release"))
    page = browser.finished(confirmed(browser, place))
    assert "whole and paid for" in page.text
    assert f'action="{place}/resume"' in page.text
    monkeypatch.undo()
    done = browser.finished(browser.post(f"{place}/resume"))
    assert "Nothing was spent" in done.text
    assert whole(browser.folder)
    assert paid(browser.folder) == ["0.5"]


def test_a_full_disk_is_said_with_what_it_cost(tmp_path, monkeypatch):
    """When the disk fills while the map is saved, the page says so, and which event was spent; no part of a file is left."""
    is_release = (
        "open(f'/proc/self/fd/{fd}', 'rb').read(2) == b'PK'"  # what is tried beforehand is none
    )
    full = f"real = os.fsync; os.fsync = lambda fd: (_ for _ in ()).throw(OSError(28, 'full')) if {is_release} else real(fd)"
    browser = studio(tmp_path)
    place = ready(browser)
    monkeypatch.setattr("dpmap.studio.commands._command", faulty(full, only="release"))
    page = browser.finished(confirmed(browser, place))
    assert page.status == 400
    assert "no space left" in page.text
    assert LOST in page.text
    assert not (browser.folder / "raptors-2026-map").exists()
    assert not [path for path in browser.folder.rglob(".*") if path.is_file()]


def test_a_full_disk_while_the_form_is_kept_loses_nothing(tmp_path, monkeypatch):
    """When the draft cannot be written, one line says why, what was typed stays in the form, and the old draft stands."""
    browser = studio(tmp_path)
    place = ready(browser)
    before = (browser.folder / "raptors-2026.toml").read_text()
    told = shown(browser.get(f"{place}/confirm"))

    def full(_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("dpmap.atomic_write.os.fsync", full)
    page = browser.post(f"{place}/confirm", told | {"authorised_by": "A. Ranger"})
    assert page.status == 400
    assert "free some space" in page.text
    assert 'value="A. Ranger"' in page.text
    assert (browser.folder / "raptors-2026.toml").read_text() == before


@pytest.mark.parametrize("when", ["at once", "after it was paid", "after it was saved"])
def test_a_release_that_is_stopped_says_what_was_spent(tmp_path, monkeypatch, when):
    """Stop ends the command as Ctrl-C does; the page says what the ledger then holds, and what can be done."""
    waits = "import time, zipfile\nfrom dpmap.releases.release import Release\n"
    waits += {
        "at once": "import dpmap.steward.release_run as r\nr.release = lambda *_, **named: time.sleep(600)",
        "after it was paid": "zipfile.ZipFile.writestr = lambda *_, **named: time.sleep(600)",
        "after it was saved": "Release.write = lambda *_, **named: time.sleep(600)",
    }[when]
    browser = studio(tmp_path)
    place = ready(browser)
    monkeypatch.setattr("dpmap.studio.commands._command", faulty(waits, only="release"))
    page = confirmed(browser, place)
    out = browser.folder / "raptors-2026-map"
    until({
        "at once": out.exists, "after it was paid": lambda: paid(browser.folder),
        "after it was saved": (out / "release.dpmap").exists,
    }[when])  # fmt: skip
    assert "This map is being made" in browser.get(f"{place}/confirm").text
    page = browser.finished(browser.post(f"{page.place}/stop"))
    assert "<h1>Stopped</h1>" in page.text
    said = {
        "at once": "Nothing was spent",
        "after it was paid": LOST,
        "after it was saved": "whole and paid for",
    }
    assert said[when] in page.text
    assert paid(browser.folder) == ([] if when == "at once" else ["0.5"])
