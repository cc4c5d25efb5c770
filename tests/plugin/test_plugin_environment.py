"""The plugin makes dpmap's own environment from a zip of wheels: whole, or not at all."""

import os
import stat
import sys
import tempfile
import zipfile
from types import SimpleNamespace

import pytest
from builders import command

own, wheels, pythons, places, standing, held = map(
    command.part, ("own", "wheels", "pythons", "places", "standing", "held")
)
HERE = [[getattr(sys, "_base_executable", sys.executable)]]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files of the test's own."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    standing.forget()


def test_a_zip_of_wheels_becomes_the_environment_that_is_found(tmp_path, monkeypatch):
    """From the zip alone a dpmap is made, found and started; a second zip takes its place, and the first is wiped later."""
    finding = command.part("finding")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "wrong"))
    monkeypatch.setattr(places, "_folders", list)
    top, steps = str(tmp_path / "a profile" / "env"), []
    made = own.from_zip(
        command.wheelhouse(tmp_path / "w.zip"),
        top,
        lambda step, part: steps.append((step, part)),
        candidates=HERE,
    )
    it = finding.looked("", top)
    assert (
        it.where == finding.OWN and it.words[0].startswith(made) and it.standing.version == "1.0.0"
    )
    assert [part for _, part in steps] == sorted(part for _, part in steps) and steps[-1] == (
        "done",
        1.0,
    )
    assert stat.S_IMODE(os.stat(top).st_mode) == 0o700 and not (tmp_path / "wrong").exists()
    again = own.from_zip(command.wheelhouse(tmp_path / "w.zip"), top, candidates=HERE)
    assert own.current(top) == again != made and os.path.isdir(made)
    own.sweep(top)
    assert sorted(os.listdir(top)) == sorted(
        [own.CURRENT, os.path.basename(os.path.dirname(again))]
    )
    assert not os.listdir(tmp_path / "temporary")


@pytest.fixture
def earlier(tmp_path):
    """The place of environments with one in it, of a fixed name."""
    top = tmp_path / "env"
    (top / "0123abcd" / "env").mkdir(parents=True)
    (top / own.CURRENT).write_text("0123abcd")
    return str(top)


def as_before(top):
    return own.current(top) == os.path.join(top, "0123abcd", "env") and sorted(os.listdir(top)) == [
        "0123abcd",
        own.CURRENT,
    ]


@pytest.mark.matrix(2)
@pytest.mark.parametrize(
    "at",
    ["looking at the zip", "unpacking", "making the environment", "installing dpmap", "trying it"],
)
def test_a_making_that_is_stopped_changes_nothing(tmp_path, earlier, at):
    """Stopped at whichever step, the earlier environment is as it was and nothing half-made is left."""
    heard = []
    with pytest.raises(own.Stopped):
        own.from_zip(
            command.wheelhouse(tmp_path / "w.zip"),
            earlier,
            lambda step, part: heard.append(step),
            lambda: at in heard,
            HERE,
        )
    assert as_before(earlier)


def test_wheels_that_do_not_fit_together_change_nothing(tmp_path, earlier):
    """A zip that lacks a wheel which dpmap needs is refused in one line, and nothing is fetched for it."""
    zipped = command.wheelhouse(tmp_path / "w.zip")
    lacking = tmp_path / "lacking.zip"
    with zipfile.ZipFile(zipped) as old, zipfile.ZipFile(lacking, "w") as new:
        for one in old.infolist():
            new.writestr(
                one,
                command.wheel(needs="no-such-thing-anywhere")
                if one.filename.endswith(".whl")
                else old.read(one),
            )
    with pytest.raises(own.NotMade, match="do not fit together"):
        own.from_zip(lacking, earlier, candidates=HERE)
    assert as_before(earlier)


def test_a_dpmap_that_is_too_old_is_not_taken(tmp_path, earlier, monkeypatch):
    """What was made is tried before it is named, and an old one is refused with both versions."""
    monkeypatch.setattr(standing, "MINIMUM", (1, 0, 1))
    with pytest.raises(own.NotMade, match=r"1\.0\.0.*1\.0\.1"):
        own.from_zip(command.wheelhouse(tmp_path / "w.zip"), earlier, candidates=HERE)
    assert as_before(earlier)


def test_what_a_killed_making_left_is_swept_and_a_living_one_stays(earlier):
    """Half of an environment goes at the next start; one that is being made, the one in use and a stranger's file stay."""
    for name in ("00000001", "00000002"):
        os.makedirs(os.path.join(earlier, name, "env"))
    lock = held.hold(os.path.join(earlier, "00000001"))
    os.close(held.hold(os.path.join(earlier, "00000002")))
    own.sweep(earlier)
    assert sorted(os.listdir(earlier)) == ["00000001", "0123abcd", own.CURRENT]
    os.close(lock)


@pytest.mark.parametrize("name", ["../x", "/etc", "", "0123abcd/..", "0123ABCD"])
def test_the_file_that_names_the_environment_leads_nowhere_else(earlier, name):
    """The name of the environment in use is a plain one, or there is none."""
    with open(os.path.join(earlier, own.CURRENT), "w") as file:
        file.write(name)
    assert own.current(earlier) is None


def link():
    one = zipfile.ZipInfo("dpmap-1.0.0-wheels-linux-x86_64-py3.11/a-1-py3-none-any.whl")
    one.external_attr = (stat.S_IFLNK | 0o777) << 16
    return one


HOSTILE = {
    "out of it": "TOP/../../evil-1-py3-none-any.whl", "deep": "TOP/a/b-1-py3-none-any.whl", "a script": "TOP/run.sh", "absolute": "/etc/a-1-py3-none-any.whl",
    "backslash": "TOP/..\\a-1-py3-none-any.whl", "beside": "other/a-1-py3-none-any.whl", "a flag": "TOP/-r.whl", "twice": "TOP/DPMAP-1.0.0-py3-none-any.whl",
    "two dpmaps": "TOP/private_heatmaps-2.0.0-py3-none-any.whl", "source": "TOP/private_heatmaps-1.0.0.tar.gz", "a line": "TOP/a-1-py3-none-any.whl\nx",
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_zip_with_anything_else_is_refused_before_anything_runs(tmp_path, kind):
    """Only wheels and the text, directly in the zip's one folder; everything else is refused, and nothing is written."""
    zipped = command.wheelhouse(tmp_path / "w.zip", {HOSTILE[kind]: b"x"})
    with pytest.raises(own.NotMade):
        own.from_zip(zipped, str(tmp_path / "env"), candidates=[["/never/started"]])
    assert not (tmp_path / "env").exists()


def test_links_bombs_and_no_zips_are_refused(tmp_path, monkeypatch):
    """A link in a zip, one that is too large, a text and a stranger's zip are refused in one line each."""
    with pytest.raises(wheels.BadZip, match="no wheel"):
        wheels.looked_at(
            command.wheelhouse(
                tmp_path / "l.zip", {link(): b"/etc/passwd"}, system="linux-x86_64", python="3.11"
            )
        )
    good = command.wheelhouse(tmp_path / "w.zip")
    monkeypatch.setattr(wheels, "LARGEST", 10)
    with pytest.raises(wheels.BadZip, match="too large"):
        wheels.looked_at(good)
    (tmp_path / "no.zip").write_text("no")
    with pytest.raises(wheels.BadZip, match="no zip"):
        wheels.looked_at(tmp_path / "no.zip")
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as other:
        other.writestr("holiday.jpg", "x")
    with pytest.raises(wheels.BadZip, match="not a zip of wheels"):
        wheels.looked_at(tmp_path / "s.zip")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"system": "win-amd64"}, "This zip is for win-amd64, and Python is for .* here"),
        ({"python": "3.99"}, r"Python 3\.99 is not on this machine: install it"),
    ],
)
def test_a_zip_for_another_system_or_python_says_which(tmp_path, earlier, told, says):
    """The system that the zip is for is named where it is another, and the Python that it needs where that is not here."""
    with pytest.raises(own.NotMade, match=says):
        own.from_zip(command.wheelhouse(tmp_path / "w.zip", **told), earlier, candidates=HERE)
    assert as_before(earlier)


@pytest.mark.parametrize("free", [[0], [1 << 40, 0]])
def test_a_full_disk_is_called_a_full_disk(tmp_path, earlier, monkeypatch, free):
    """Too little room is told before anything is unpacked; a disk that fills up meanwhile is not blamed on the zip."""
    told = iter(free)
    monkeypatch.setattr(own.shutil, "disk_usage", lambda _place: SimpleNamespace(free=next(told)))
    monkeypatch.setattr(own, "_ran", lambda *_words: 1)
    with pytest.raises(own.NotMade, match="free some room on the disk"):
        own.from_zip(command.wheelhouse(tmp_path / "w.zip"), earlier, candidates=HERE)
    assert as_before(earlier)


def test_a_python_that_cannot_make_environments_says_which_package(tmp_path):
    """Debian's Python without its package for environments is told from no Python at all."""
    half = command.pretending(
        tmp_path / "python3.12", "print('[[3, 12], \"linux-x86_64\", false]'); sys.exit()"
    )
    with pytest.raises(pythons.NoPython, match=r"python3\.12-venv"):
        pythons.python_for(candidates=[[str(half)]])
    with pytest.raises(pythons.NoPython, match="not on this machine"):
        pythons.python_for(
            candidates=[
                ["/nowhere/python3"],
                [str(command.pretending(tmp_path / "stub", "sys.exit(9)"))],
            ]
        )


def test_qgis_itself_is_never_started_as_a_python(monkeypatch, tmp_path):
    """Where QGIS's own program stands in Python's place, it is passed over: it would open a second QGIS."""
    other = command.pretending(tmp_path / "qgis-bin", "")
    monkeypatch.setattr(sys, "_base_executable", str(other), raising=False)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    assert pythons.beside_qgis() == []


def test_a_download_keeps_the_machines_own_index_and_nothing_else_of_pips(tmp_path, monkeypatch):
    """What dpmap needs comes from where the machine's pip is told to ask, here a folder, and goes nowhere but into the new environment."""
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "needed-1.0.0-py3-none-any.whl").write_bytes(command.wheel(name="needed"))
    (tmp_path / "given to us").mkdir()
    mine = tmp_path / "given to us" / "private_heatmaps-1.0.0-py3-none-any.whl"
    mine.write_bytes(command.wheel(needs="needed"))
    for name, value in {
        "NO_INDEX": "1",
        "FIND_LINKS": str(tmp_path / "index"),
        "TARGET": str(tmp_path / "wrong"),
        "USER": "1",
    }.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    made = own.by_download(str(mine), str(tmp_path / "env"), candidates=HERE)
    assert own.current(str(tmp_path / "env")) == made and not (tmp_path / "wrong").exists()


@pytest.mark.parametrize(
    "told",
    ["dpmap", "private-heatmaps", "private-heatmaps[hex]", "", "private_heatmaps-1.0.0-py3-none-any.whl", "/nowhere/private_heatmaps-1.0.0-py3-none-any.whl", "--index-url=https://x.example/",
     "http://x.example/private_heatmaps-1.0.0-py3-none-any.whl", "https://x.example/other-1.0.0-py3-none-any.whl", "https:///private_heatmaps-1.0.0-py3-none-any.whl",
     "https://x.example/private_heatmaps-1.0.0-py3-none-any.whl ; more", "https://a:b@x.example/private_heatmaps-1.0.0-py3-none-any.whl", "https://[/private_heatmaps-1-py3-none-any.whl"],
)  # fmt: skip
def test_dpmap_is_never_asked_of_an_index_by_its_name(tmp_path, told):
    """A name in an index may be a stranger's: without dpmap's own wheel, a file or an https address, nothing is started."""
    with pytest.raises(own.NotMade, match="names no wheel of dpmap"):
        own.by_download(told, str(tmp_path / "env"), candidates=[["/never/started"]])
    assert not (tmp_path / "env").exists()


def test_a_strangers_dpmap_in_the_index_is_not_taken(tmp_path, monkeypatch):
    """Though an index holds a newer dpmap, the one that was named is made, and no other."""
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "private_heatmaps-9.0.0-py3-none-any.whl").write_bytes(
        command.wheel("9.0.0")
    )
    mine = tmp_path / "private_heatmaps-1.0.0-py3-none-any.whl"
    mine.write_bytes(command.wheel())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    made = own.by_download(f'"{mine}"', str(tmp_path / "env"), candidates=HERE)
    assert standing.standing(places.in_environment(made)).version == "1.0.0"
