"""The studio's commands: what runs is dpmap and nothing of the survey's folder, whatever the surroundings; and what is kept is bounded."""

import html
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from builders import warm
from builders.releasing import faulty
from builders.studios import SAMPLES, studio
from builders.waiting import LONG, until, waits_at_step

from dpmap.errors import BadInput, SystemFailed
from dpmap.studio import commands as child
from dpmap.studio import server
from dpmap.studio.child_env import environment
from dpmap.studio.commands import CommandAnswer, Commands, answer
from dpmap.studio.spool import Spool

POISON = "from pathlib import Path\nPath(__file__).with_name('poisoned').touch()\nraise SystemExit('poisoned')\n"


def poisoned(folder: Path) -> Path:
    """Puts files into a folder that Python, or a library, would load if it ran there as programs usually do."""
    for name in (
        "numpy.py",
        "sitecustomize.py",
        "usercustomize.py",
        "json.py",
        "evil.py",
        "typer.py",
        "dpmap/__init__.py",
        "dpmap/__main__.py",
        "pandas/__init__.py",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(POISON)
    (folder / ".env").write_text("PYTHONSTARTUP=evil.py\nWEB_CONCURRENCY=9\n")
    (folder / "pyvenv.cfg").write_text("home = .\n")
    (folder / "setup.cfg").write_text("[evil]\n")
    return folder


def test_a_program_in_the_folder_is_never_run(tmp_path):
    """Files called like libraries, in a folder that somebody else filled, are not loaded by any command."""
    browser = studio(tmp_path)
    poisoned(browser.folder)
    place = browser.begin("raptors.csv")
    assert browser.get(f"{place}/data").status == 200
    assert browser.finished(browser.post(f"{place}/look")).status == 200
    assert not list(browser.folder.rglob("poisoned"))


@pytest.mark.matrix(10)
@pytest.mark.parametrize(
    ("name", "value"),
    [("PYTHONPATH", "."), ("PYTHONPATH", ""), ("PYTHONPATH", "{own}:"), (("PYTHONPATH"), "{own}::dpmap/.."), ("PYTHONSTARTUP", "evil.py"), ("PYTHONHOME", "."),
     ("PYTHONINSPECT", "1"), ("PYTHONWARNINGS", "error::evil.Kind"), ("PYTHONBREAKPOINT", "evil.run"), ("PYTHONVERBOSE", "2"), ("PYTHONPYCACHEPREFIX", "."),
     ("PYTHONSAFEPATH", ""), ("PYTHONUSERBASE", "."), ("PYTHONIOENCODING", "ascii"), ("PYTHONUTF8", "0"), ("PYTHONOPTIMIZE", "2"), ("PYTHONDEVMODE", "1"),
     ("LD_LIBRARY_PATH", "."), ("LD_LIBRARY_PATH", ":"), ("LD_PRELOAD", "./evil.so"), ("GDAL_DRIVER_PATH", "."), ("PROJ_DATA", "."), ("PATH", "."),
     ("LANG", "C"), ("TERM", "dumb"), ("COLUMNS", "10"), ("FORCE_COLOR", "1"), ("_DPMAP_COMPLETE", "source_bash"), ("DPMAP_COMPLETE", "x")],
)  # fmt: skip
def test_hostile_surroundings_make_no_command_load_or_say_more(tmp_path, monkeypatch, name, value):
    """Whatever the environment holds, a command loads nothing from the survey's folder, and its answer is JSON alone."""
    own = str(Path(child.__file__).parents[2])
    folder = poisoned(tmp_path)
    (folder / "raptors.csv").write_bytes((SAMPLES / "raptors.csv").read_bytes())
    monkeypatch.setenv("PYTHONPATH", own)
    monkeypatch.setenv(name, value.format(own=own))
    if name == "PYTHONPATH" and own not in value.format(own=own) and not _installed():
        pytest.skip("here dpmap is found by PYTHONPATH alone")
    found = Commands(folder).ask("inspect", "raptors.csv", "--names-only", "--json")
    assert found.good, found
    assert "columns" in found.output
    assert not list(folder.rglob("poisoned"))


def _installed() -> bool:
    told = subprocess.run(
        [sys.executable, "-P", "-c", "import dpmap"],
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        check=False,
    )
    return told.returncode == 0


def test_places_that_depend_on_the_folder_are_taken_out(monkeypatch):
    """Lists of places from which programs are loaded keep what is sure, and are gone where nothing is."""
    monkeypatch.setenv("LD_LIBRARY_PATH", os.pathsep.join(["", os.path.abspath("lib"), ".", "lib"]))
    monkeypatch.setenv("GDAL_DRIVER_PATH", "plugins")
    assert environment()["LD_LIBRARY_PATH"] == os.path.abspath("lib")
    assert "GDAL_DRIVER_PATH" not in environment()


def test_settings_for_pictures_in_the_folder_are_not_followed(tmp_path):
    """A matplotlibrc that somebody put beside the survey neither makes a picture hold a file of this machine nor stops the release."""
    for name in ("raptors.csv", "study_area.gpkg"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    (tmp_path / "matplotlibrc").write_text(
        "text.usetex: True\ntext.latex.preamble: \\input{/etc/passwd}\nbackend: module://evil\n"
    )
    words = [
        "release",
        "raptors.csv",
        "--area",
        "study_area.gpkg",
        "--cell",
        "20 km",
        "--unit",
        "observer_id",
        "--cap",
        "5",
        "--epsilon",
        "1",
    ]
    found = Commands(tmp_path).ask(
        *words, "--budget", "3", "--dataset", "d", "--out", "map", "--json"
    )
    assert found.good, found
    assert (tmp_path / "map" / "map.png").exists()


def test_a_raster_that_points_elsewhere_is_not_followed(tmp_path):
    """A file called like a raster that names another file, or a server, as the place of its values is refused."""
    rasterio = pytest.importorskip("rasterio")
    folder = tmp_path / "survey"
    folder.mkdir()
    (folder / "study_area.gpkg").write_bytes((SAMPLES / "study_area.gpkg").read_bytes())
    about = dict(
        width=50,
        height=50,
        count=1,
        dtype="float32",
        crs="EPSG:4326",
        transform=rasterio.Affine(1.2, 0, -30, 0, -0.8, 60),
    )
    for place in (tmp_path / "outside.tif", folder / "inside.tif"):
        with rasterio.open(place, "w", driver="GTiff", **about) as target:
            target.write(numpy.ones((1, 50, 50), "float32"))
    source = f"<SimpleSource><SourceFilename>{tmp_path / 'outside.tif'}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>"
    place = "<SRS>EPSG:4326</SRS><GeoTransform>-30, 1.2, 0, 60, 0, -0.8</GeoTransform>"
    band = f'<VRTRasterBand dataType="Float32" band="1">{source}</VRTRasterBand>'
    (folder / "elsewhere.tif").write_text(
        f'<VRTDataset rasterXSize="50" rasterYSize="50">{place}{band}</VRTDataset>'
    )
    words = [
        "plan",
        "--area",
        "study_area.gpkg",
        "--cell",
        "20 km",
        "--cap",
        "5",
        "--epsilon",
        "1",
        "--units",
        "100",
        "--each",
        "3",
        "--json",
        "--like",
    ]
    assert Commands(folder).ask(*words, "inside.tif").good
    found = Commands(folder).ask(*words, "elsewhere.tif")
    assert found.code == 2
    assert "cannot be read as a raster" in found.error


def test_a_command_never_waits_for_somebody_to_type(tmp_path):
    """Nothing is read from the terminal in which the studio was started."""
    found = Commands(tmp_path).ask("release", "--json", seconds=60)
    assert not found.good
    assert found.error


def test_a_file_that_is_named_like_a_flag_stays_a_file(tmp_path):
    """A name that begins with a dash is handed over as a path."""
    (tmp_path / "--version").write_text("x")
    found = Commands(tmp_path).ask("about", child.path("--version"), "--json")
    assert found.code == 2


@pytest.mark.parametrize(
    "said",
    [b"", b"not json", b"[" * 100_000, b"9" * 100_000, b"\xff\xfe\x00", b'{"a": NaN}', b"null"],
)
def test_an_answer_that_is_none_breaks_no_page(said):
    """What a crashed or foreign program leaves behind is read as nothing, never as a failure of the studio."""
    assert answer(0, said).good
    assert answer(-9, said).error


def test_what_went_wrong_is_the_commands_own_answer():
    """A page shows the error that a command answers, and the option that it is about; a library's chatter is none."""
    told = {"error": "--cell: give a number", "option": "cell"}
    failed = answer(2, json.dumps(told).encode())
    assert failed == CommandAnswer(
        2, told, "“Side of a square”: give a number", len(json.dumps(told)), "cell"
    )
    assert failed.failure.option == "cell"
    assert "code 1" in answer(1, b"Traceback: Zanzibarwitness").error


def test_an_answer_longer_than_any_page_is_let_go(monkeypatch):
    """Memory is bounded: an answer that is too long is told so, not kept."""
    monkeypatch.setattr(child, "MOST_SAID", 100)
    told = answer(0, b'"' + b"x" * 200 + b'"')
    assert not told.good
    assert told.output is None


class Ended:
    """A command that has ended with an answer of some size."""

    running, kind, about = False, "ask", ""

    def __init__(self, number: int, size: int):
        self.id, self.answer = str(number), CommandAnswer(0, size=size)


@pytest.mark.parametrize(("size", "left"), [(0, 200), (100, 10)])
def test_answers_are_kept_up_to_a_number_and_a_size(tmp_path, monkeypatch, size, left):
    """A studio that runs for weeks keeps its last answers, not all; none is forgotten before there are too many."""
    monkeypatch.setattr(child, "MOST_KEPT", 1000)
    commands = Commands(tmp_path)
    for number in range(450):
        commands._forget()
        commands._jobs[str(number)] = Ended(number, size)
    assert left <= len(commands._jobs) <= left + 1
    assert commands.job("449")
    few = Commands(tmp_path)
    few._jobs = {str(number): Ended(number, 0) for number in range(199)}
    few._forget()
    assert len(few._jobs) == 199


def test_quick_answers_are_kept_up_to_a_number(tmp_path, monkeypatch):
    """Repeated questions are answered from memory, and memory does not grow with the questions."""
    commands, asked = Commands(tmp_path), []
    monkeypatch.setattr(
        Commands, "ask", lambda self, *words: asked.append(words) or CommandAnswer(0, words, size=1)
    )
    for _ in range(2):
        commands.remembered("a", of=["x"])
    assert len(asked) == 1
    for number in range(3 * child.MOST_JOBS):
        commands.remembered(str(number), of=["x"])
    assert len(commands._quick) == child.MOST_JOBS


def test_a_remembered_answer_is_asked_anew_once_the_file_changed(tmp_path):
    """An answer about a file that was replaced, in place or under the same size, is not repeated."""
    commands, asked = Commands(tmp_path), []
    commands.ask = lambda *words: asked.append(words) or CommandAnswer(0)  # type: ignore[method-assign]
    for text in ("a", "b"):
        (tmp_path / "x.new").write_text(text)
        os.replace(tmp_path / "x.new", tmp_path / "x")
        commands.remembered("about", of=["x"])
    assert len(asked) == 2


@pytest.mark.parametrize("kind", ["memory", "nameless", "named"])
def test_what_a_command_writes_can_be_read_on_every_system(monkeypatch, tmp_path, kind):
    """Where files without a name are unknown (macOS, Windows), one in the user's own folder stands in and is gone at the end."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if kind != "memory":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    with monkeypatch.context() as patch:
        if kind == "named":
            patch.setattr(os, "unlink", lambda _: (_ for _ in ()).throw(PermissionError()))
        spool = Spool()
    assert len(list(tmp_path.iterdir())) == (kind == "named")
    subprocess.run([sys.executable, "-c", "print('abc' * 4)"], stdout=spool.fileno(), check=True)
    assert spool.read(100) == b"abc" * 4 + b"\n"
    assert spool.read(-5) == b"cabc\n"[-5:]
    assert spool.read(4) == b"abca"
    os.write(spool.fileno(), b"more")
    assert spool.read(100).endswith(b"more")
    spool.close()
    assert not list(tmp_path.iterdir())


def start(folder: Path, *words: str, **more) -> subprocess.CompletedProcess:
    """Starts a studio that is expected to say no."""
    return subprocess.run(
        [sys.executable, "-m", "dpmap", "studio", str(folder), "--no-browser", *words],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
        **more,
    )


@pytest.mark.parametrize("port", ["-1", "80", "1023", "65536", "70000", "x", "1.5", "9" * 50])
def test_a_port_that_cannot_be_is_told_in_one_line(tmp_path, port):
    """A port out of range is refused with what to give instead."""
    done = start(tmp_path, "--port", port)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_port_in_use_is_told_in_one_line(tmp_path):
    """A second studio on a port never shares it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = start(tmp_path, "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_is_none_is_told_in_one_line(tmp_path):
    """A folder that is missing, or a file, is refused with what to type instead."""
    (tmp_path / "file.csv").touch()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("none", "file.csv", "loop", "a\0b", "x" * 5000):
        with pytest.raises(BadInput, match="dpmap studio"):
            server._folder(tmp_path / name)
    assert start(tmp_path / "none").stderr.count("\n") == 1


def test_a_folder_without_rights_is_told_in_one_line(tmp_path, monkeypatch):
    """A folder in which nothing may be written is refused before a page is shown."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SystemFailed, match="no right"):
        server._folder(tmp_path)


def test_an_empty_folder_says_what_to_put_there(tmp_path):
    """The first page of an empty folder says which files are meant, and where the folder is."""
    browser = studio(tmp_path)
    for one in browser.folder.iterdir():
        one.unlink()
    found = browser.get("/")
    assert found.status == 200
    assert f"{browser.folder} yet. Copy it there" in html.unescape(found.text)


def test_a_folder_that_is_deleted_while_the_studio_runs_is_told(tmp_path):
    """The pages go on answering."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    for one in browser.folder.iterdir():
        one.unlink()
    browser.folder.rmdir()
    assert browser.get("/").status == 200
    assert browser.get(f"{place}/data").status == 400
    assert browser.post("/begin", {"path": "a.csv", "dataset": "x"}).status == 400


def test_a_command_that_was_stopped_says_what_was_spent(tmp_path, monkeypatch):
    """Stopping sends what Ctrl-C sends, so the command's own last line comes back."""
    (tmp_path / "raptors.csv").write_bytes((SAMPLES / "raptors.csv").read_bytes())
    (tmp_path / "step").write_text("looking")
    monkeypatch.setattr(
        "dpmap.studio.commands._command", faulty(waits_at_step(tmp_path / "step"), only="inspect")
    )
    job = Commands(tmp_path).start(
        "inspect", "a", "inspect", "raptors.csv", "--json", "--progress", "json"
    )
    until(lambda: job.progress()["step"].startswith("looking") or not job.running)
    job.stop()
    found = job.wait(LONG)
    assert found is not None
    assert found.code == child.STOPPED
    assert "nothing was spent" in found.error


def test_the_tests_stand_by_outlives_a_command_that_is_killed_at_once(standing_by):
    """A command killed before it has said what it wants, or half of it, harms no later one."""
    for words in (b"", b"900\n{"):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(standing_by)
            if words:
                socket.send_fds(line, [words], [0, 1, 2])
    asked = subprocess.run(
        warm.messenger(standing_by, ["--version"]), capture_output=True, check=True, timeout=LONG
    )
    assert asked.stdout.startswith(b"dpmap ")
