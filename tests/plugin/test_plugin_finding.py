"""The plugin finds a dpmap it can work with, or says in one line what to do."""

import os

import pytest
from builders import command

finding, standing, places, verifying = map(
    command.part, ("finding", "standing", "places", "verifying")
)


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    """A machine without any dpmap: an empty PATH and nothing in the usual places."""
    monkeypatch.setattr(places, "_folders", list)
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    standing.forget()


def refusal(told=""):
    with pytest.raises(finding.NotFound) as caught:
        finding.found(told)
    assert "\n" not in str(caught.value) and finding.CHOOSE in str(caught.value)
    return str(caught.value)


def test_the_setting_the_path_and_the_usual_places_in_this_order(tmp_path, monkeypatch):
    """What was chosen wins, then the PATH, then where installers put it."""
    chosen, first, usual = (
        str(command.pretending(tmp_path / name / "dpmap", ""))
        for name in ("chosen", "first", "usual")
    )
    monkeypatch.setattr(places, "_folders", lambda: [str(tmp_path / "usual")])
    assert finding.found() == [usual]
    monkeypatch.setenv("PATH", str(tmp_path / "first"))
    assert finding.found() == [first] and finding.looked().where == finding.PATH
    assert finding.found(chosen) == [chosen]


def test_a_path_with_spaces_and_accents(tmp_path):
    """A program may lie wherever people put it."""
    place = command.pretending(tmp_path / "Zoë's mäps; (1)" / "dpmap", "")
    assert finding.found(str(place)) == [str(place)]


def test_the_folder_of_a_python_environment_can_be_chosen(tmp_path):
    """A folder of a Python environment stands for the dpmap in it."""
    python = command.pretending(tmp_path / "env" / "bin" / "python", "argv = argv[3:]")
    assert finding.found(str(tmp_path / "env")) == [str(python), "-P", "-m", "dpmap"]
    (tmp_path / "empty").mkdir()
    assert "no folder of a Python environment" in refusal(str(tmp_path / "empty"))


@pytest.mark.parametrize("path", ["", ".", os.pathsep, "programs", f".{os.pathsep}programs"])
def test_the_folder_in_which_qgis_runs_supplies_no_program(tmp_path, monkeypatch, path):
    """A dpmap beside the survey is never started, whatever the PATH says."""
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')"
    command.pretending(tmp_path / "dpmap", trap)
    command.pretending(tmp_path / "programs" / "dpmap", trap)
    monkeypatch.setenv("PATH", path)
    assert "not on this machine" in refusal()
    assert not (tmp_path / "ran").exists()
    assert "no program" in refusal("dpmap")


BROKEN = {
    "print('dpmap 0.1.9')": "it is dpmap 0.1.9, and this plugin needs 0.2.0 or newer",
    "print('hello')": "does not answer as dpmap does",
    "print('{}')": "does not answer as dpmap does",
    "sys.exit(1)": "does not answer as dpmap does",
    "os.kill(os.getpid(), 11)": "does not answer as dpmap does",
    "while argv == ['--version']: time.sleep(1)": "does not answer",
    "while True: print('x' * 9999)": "does not answer",
    "print('dpmap 0.2.0'); sys.exit(2 if argv != ['--version'] else 0)": "has no hotspots, compare: update it",
}


@pytest.mark.parametrize("body", BROKEN)
def test_a_dpmap_that_is_too_old_or_broken_is_one_line(tmp_path, monkeypatch, body):
    """Too old, rubbish, a crash, a hang, a flood: each is said in one line that says what to do."""
    monkeypatch.setattr(standing, "PATIENCE", 0.0)
    patience = 0.5 if "sleep" in body or "while True" in body else 60.0
    monkeypatch.setattr(finding, "standing", lambda words: standing.standing(words, patience))
    place = command.pretending(tmp_path / "old" / "dpmap", body + "\nsys.exit(0)")
    assert BROKEN[body] in refusal(str(place))


def test_a_file_that_may_not_run_and_one_that_is_gone(tmp_path):
    """A file without the right to run and one that is no more are told apart."""
    (tmp_path / "text").write_text("no program")
    assert "no program that may be run" in refusal(str(tmp_path / "text"))
    assert "not where the settings say" in refusal(str(tmp_path / "gone"))


def test_the_first_that_works_is_taken(tmp_path, monkeypatch):
    """An old dpmap on the PATH does not stand before a good one; alone it is named."""
    command.pretending(tmp_path / "a" / "dpmap", "print('dpmap 0.1.0'); sys.exit()")
    good = command.pretending(tmp_path / "b" / "dpmap", "")
    monkeypatch.setenv("PATH", str(tmp_path / "a"))
    assert "0.1.0" in refusal() and "the PATH" in refusal()
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")]))
    assert finding.found() == [str(good)]


def test_a_program_is_asked_once_until_its_file_changes(tmp_path):
    """The version is remembered, and asked anew after an update."""
    count = tmp_path / "count"
    place = command.pretending(tmp_path / "x" / "dpmap", f"open({str(count)!r}, 'a').write('.')")
    for _ in range(3):
        finding.found(str(place))
    assert count.read_text() == "."
    os.utime(place, ns=(1, 1))
    finding.found(str(place))
    assert count.read_text() == ".."


def test_a_dpmap_from_a_later_age_is_warned_of(tmp_path):
    """A much newer dpmap is used, with a warning."""
    place = command.pretending(tmp_path / "x" / "dpmap", "print('dpmap 3.0.0'); sys.exit()")
    assert "newer" in finding.looked(str(place)).standing.says


SELFTEST = """
if argv[0] == 'selftest':
    print(json.dumps({{"passed": {passed}, "checks": [{{"outcome": "passed", "promise": "a"}}, {{"outcome": "{outcome}", "promise": "noise is exact"}}]}}))
    sys.exit({code})
"""


def test_verifying_names_the_version_the_minimum_and_what_was_tried(tmp_path):
    """The verdict says which dpmap, its version, the oldest that will do, and how many checks passed."""
    place = command.pretending(
        tmp_path / "x" / "dpmap", SELFTEST.format(passed=True, outcome="passed", code=0)
    )
    told = verifying.verify(str(place))
    assert (
        told.good
        and (told.version, told.minimum, told.where) == ("1.0.0", "0.2.0", finding.SETTING)
        and "All 2" in told.says
    )


def test_verifying_says_which_promise_is_broken(tmp_path):
    """A check that fails is named, and no map is to be made."""
    place = command.pretending(
        tmp_path / "x" / "dpmap", SELFTEST.format(passed=False, outcome="broken", code=1)
    )
    told = verifying.verify(str(place))
    assert not told.good and "noise is exact" in told.says
    assert not verifying.verify(str(tmp_path / "gone")).good
