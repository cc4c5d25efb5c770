"""The plugin runs dpmap apart from QGIS: it is told, stopped and cleaned up after, whatever dpmap does."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from builders import command
from builders.waiting import LONG, until

running, private, child, surroundings, held = map(
    command.part, ("running", "private", "child", "surroundings", "held")
)
NEVER = "time.sleep(600)"
"""What a command does that would come to no end in the time of a test."""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files of the test's own."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def program(tmp_path, body):
    return [str(command.pretending(tmp_path / "pretended" / "dpmap", body))]


def test_an_answer_its_steps_and_its_surroundings(tmp_path, temporary):
    """dpmap's JSON comes back, its steps are told in the thread that asked, and it works in a private folder that is gone afterwards."""
    it = program(tmp_path, """
        print('{"step": "counting", "fraction": 0.5}', file=sys.stderr)
        print(json.dumps({"words": argv, "at": os.getcwd(), "tmp": os.environ["TMPDIR"], "mode": os.stat(".").st_mode & 0o777}))
    """)  # fmt: skip
    heard = []
    answer = running.run(
        it,
        ["about", "-x"],
        progress=lambda told: heard.append((told["step"], threading.get_ident())),
    )
    assert answer.good and answer.told["words"] == ["about", "-x"] and answer.error == ""
    assert heard == [("counting", threading.get_ident())]
    assert answer.told["at"] == answer.told["tmp"] and answer.told["mode"] == 0o700
    assert answer.told["at"].startswith(str(temporary)) and not list(temporary.iterdir())


def test_a_refusal_comes_back_in_dpmaps_words(tmp_path):
    """The error and its option are in the JSON, else the last line that begins with `dpmap:` is the error; a command that dies without a word is said to have done so."""
    refusing = (
        "print('noise\\ndpmap: first\\ndpmap: the budget is spent', file=sys.stderr); sys.exit(3)"
    )
    answer = running.run(program(tmp_path, refusing), ["release"])
    assert (answer.code, answer.error) == (3, "the budget is spent")
    assert answer.option == ""
    in_json = """print('{"error": "cap: a whole number", "option": "cap"}'); print('dpmap: first', file=sys.stderr); sys.exit(2)"""
    answer = running.run(program(tmp_path, in_json), ["release", "--json"])
    assert (answer.error, answer.option) == ("cap: a whole number", "cap")
    answer = running.run(program(tmp_path, "os.kill(os.getpid(), 9)"), ["release"])
    assert not answer.good and "ledger" in answer.error


@pytest.mark.parametrize("words", [["/nowhere/dpmap"], [__file__]])
def test_what_cannot_be_started_is_an_answer(words):
    """A program that is gone, or is none, is one line that says what to do."""
    assert "Settings" in running.run(words, ["about"]).error


def test_a_flood_of_words_fills_no_memory(tmp_path, monkeypatch):
    """A long answer is refused, lines for people are kept to the last ones, and the command still comes to its end."""
    monkeypatch.setattr(child, "MOST_SAID", 1 << 16)
    flood = "\nfor n in range(3000): print('x' * 1000); print('y' * 1000, file=sys.stderr)\nprint('dpmap: end', file=sys.stderr)"
    answer = running.run(program(tmp_path, flood), ["about"])
    assert not answer.good and "too long" in answer.error


def test_rows_go_through_whole(tmp_path):
    """Rows that are streamed arrive as they were, more of them than any pipe holds, while dpmap talks all the time."""
    it = program(tmp_path, """
        import hashlib
        whole, size = hashlib.sha256(), 0
        while piece := sys.stdin.buffer.read1(5000):
            whole.update(piece); size += len(piece)
            print('{"step": "reading", "fraction": null}', file=sys.stderr); print("." * 500)
        print(json.dumps({"size": size, "hash": whole.hexdigest()}))
    """)  # fmt: skip
    import hashlib

    pieces = [bytes([n % 251]) * 70_000 for n in range(60)]
    answer = running.run(it, ["release", "-"], rows=iter(pieces), progress=lambda told: None)
    assert answer.told == {
        "size": 60 * 70_000,
        "hash": hashlib.sha256(b"".join(pieces)).hexdigest(),
    }


def test_rows_that_dpmap_refuses_early_are_its_own_error(tmp_path):
    """Where dpmap ends before the rows do, its line is the answer and no broken pipe is seen."""
    it = program(
        tmp_path,
        "sys.stdin.buffer.read(1); print('dpmap: no such column', file=sys.stderr); sys.exit(2)",
    )

    def rows():
        while True:
            yield b"x" * 100_000

    assert running.run(it, ["release", "-"], rows=rows()).error == "no such column"


def test_rows_that_fail_stop_dpmap_and_come_up(tmp_path, temporary):
    """Where a layer cannot be read to its end, dpmap is stopped, nothing is left, and what went wrong is raised."""
    it = program(
        tmp_path,
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\nsys.stdin.buffer.read(); {NEVER}",
    )

    def rows():
        yield b"half a row"
        until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
        raise RuntimeError("the layer is gone")

    with pytest.raises(RuntimeError, match="layer is gone"):
        running.run(it, ["release", "-"], rows=rows())
    assert not list(temporary.iterdir())
    assert gone(int((tmp_path / "pid").read_text()))


STUBBORN = 'signal.signal(signal.SIGINT, signal.SIG_IGN)\nprint(\'{"step": "on"}\', file=sys.stderr, flush=True)\n'


def test_a_stop_is_gentle_and_dpmap_says_what_was_spent(tmp_path):
    """A command that is stopped gets what Ctrl-C sends, and its line is the answer."""
    it = program(tmp_path, f"""
        def stop(*_):
            print("dpmap: stopped; nothing was spent", file=sys.stderr, flush=True); os._exit(130)
        signal.signal(signal.SIGINT, stop)
        print('{{"step": "on"}}', file=sys.stderr, flush=True)
        {NEVER}
    """)  # fmt: skip
    heard = []
    answer = running.run(it, ["release"], progress=heard.append, stopped=lambda: bool(heard))
    assert (answer.code, answer.error) == (running.INTERRUPTED, "stopped; nothing was spent")
    assert any("stopping" in step["step"] for step in heard)


@pytest.fixture
def forced(monkeypatch):
    """The commands that were ended by force, and soon."""
    monkeypatch.setattr(running, "PATIENCE", 0.2)
    ended, by_force = [], running.stopping.by_force
    monkeypatch.setattr(
        running.stopping, "by_force", lambda process: ended.append(process.pid) or by_force(process)
    )
    return ended


def test_only_what_spends_nothing_is_ended_by_force(tmp_path, forced):
    """A command that ignores the stop is killed where it spends nothing, and waited for where it may have spent."""
    heard = []
    killed = running.run(
        program(tmp_path, STUBBORN + NEVER),
        ["ask"],
        progress=heard.append,
        stopped=lambda: bool(heard),
    )
    assert (killed.code, killed.error) == (running.INTERRUPTED, "dpmap was stopped")
    assert forced and gone(forced[0])
    heard.clear()
    forced.clear()
    spent = program(
        tmp_path,
        STUBBORN + "time.sleep(1.5); print('dpmap: 0.1 was spent', file=sys.stderr); sys.exit(130)",
    )
    answer = running.run(spent, ["release"], progress=heard.append, stopped=lambda: bool(heard))
    assert answer.error == "0.1 was spent" and not forced


def test_what_was_stopped_before_it_began_is_not_started(tmp_path):
    """Where somebody stops while the program is still looked for, no command begins and nothing is spent."""
    answer = running.run(
        program(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')"),
        ["release"],
        stopped=lambda: True,
    )
    assert (answer.code, answer.error) == (
        running.INTERRUPTED,
        "dpmap was stopped; nothing was spent",
    )
    assert not (tmp_path / "ran").exists()


def test_an_answer_that_comes_after_the_stop_is_none(tmp_path):
    """A question that was stopped has no answer, also where its command was just ready; a release that was just ready is told."""
    for word, good in (("ask", False), ("release", True)):
        heard = []
        answer = running.run(
            program(tmp_path, STUBBORN + "time.sleep(0.5); print('[1]')"), [word], progress=heard.append, stopped=lambda heard=heard: bool(heard)
        )  # fmt: skip
        assert answer.good == good and (answer.code == running.INTERRUPTED) != good


IGNORES = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.path.insert(0, {tests!r})
from builders import command
running, stopping = command.part("running"), command.part("stopping")
stopping.hear_stops()
heard = []
print(running.run([{program!r}], ["release"], progress=heard.append, stopped=lambda: bool(heard)).code)
"""


def test_a_stop_is_heard_where_qgis_ignores_ctrl_c(tmp_path):
    """A QGIS that a script started behind `&` ignores Ctrl-C; what it starts hears a stop all the same, from the first moment."""
    (it,) = program(
        tmp_path, 'print(\'{"step": "loading"}\', file=sys.stderr, flush=True); time.sleep(60)'
    )
    script = IGNORES.format(tests=str(Path(__file__).parents[1]), program=it)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=LONG
    )
    assert int(done.stdout) == running.INTERRUPTED


def test_a_stop_while_rows_wait_for_a_dpmap_that_reads_none(tmp_path, forced):
    """A stop is noticed while dpmap takes no row; as it cannot have spent without all rows, it is not waited for for ever."""
    heard = []
    pieces = (b"x" * 100_000 for _ in range(10**6))
    answer = running.run(
        program(tmp_path, STUBBORN + NEVER), ["release", "-"], rows=pieces, progress=heard.append, stopped=lambda: bool(heard)
    )  # fmt: skip
    assert answer.code == running.INTERRUPTED and forced


def test_who_closes_its_mouth_or_leaves_somebody_behind_blocks_nothing(tmp_path, monkeypatch):
    """A command that closes its output and lives is waited for; one whose own child holds the output open is not."""
    monkeypatch.setattr(child, "LINGER", 2.0)
    assert running.run(
        program(
            tmp_path,
            "print('[1]', flush=True); os.close(1); os.close(2); time.sleep(0.5); os._exit(0)",
        ),
        ["about"],
    ).told == [1]
    leaving = f"""
        print('[2]', flush=True)
        if os.fork() == 0:
            while os.path.exists({str(tmp_path)!r}) and not os.path.exists({str(tmp_path / "heard")!r}): time.sleep(0.02)
        os._exit(0)
    """
    assert running.run(program(tmp_path, leaving), ["about"]).told == [2]
    (tmp_path / "heard").touch()


def test_surroundings_are_dpmaps_own(tmp_path):
    """What QGIS sets for its own Python and libraries is gone, certificates that are not there too, and PATH holds whole paths only."""
    there = tmp_path / "cert.pem"
    there.write_text("")
    given = {
        "PYTHONHOME": "/q", "PYTHONPATH": "/q", "PYTHONEXECUTABLE": "/q", "VIRTUAL_ENV": "/q", "PIP_INDEX_URL": "q", "PIP_TARGET": "q", "PYTHONUSERBASE": "q",
        "QGIS_PREFIX_PATH": "/q", "QGIS_PLUGINPATH": "/q", "PROJ_DATA": "/q", "PROJ_LIB": "/q", "GDAL_DATA": "/q", "GDAL_DRIVER_PATH": "/q",
        "LD_LIBRARY_PATH": "/q", "LD_PRELOAD": "/q", "DYLD_INSERT_LIBRARIES": "/q", "SSL_CERT_FILE": "/nowhere/q.pem", "CURL_CA_BUNDLE": str(there),
        "PATH": os.pathsep.join(["", "relative", ".", "/usr/bin"]), "HTTPS_PROXY": "proxy", "_DPMAP_COMPLETE": "bash_source",
    }  # fmt: skip
    kept = surroundings.environment("/private", given)
    assert {name: kept[name] for name in given if name in kept} == {
        "CURL_CA_BUNDLE": str(there),
        "PATH": "/usr/bin",
        "HTTPS_PROXY": "proxy",
    }
    assert (
        kept["PYTHONSAFEPATH"],
        kept["PYTHONIOENCODING"],
        kept["TMPDIR"],
        kept["TEMP"],
        kept["TMP"],
    ) == (
        "1",
        "utf-8",
        *["/private"] * 3,
    )
    fetching = surroundings.environment("/private", given, fetching=True)
    assert fetching["PIP_INDEX_URL"] == "q" and "PIP_TARGET" not in fetching


def test_a_folder_that_is_swept_before_it_is_locked_is_made_again(temporary, monkeypatch):
    """Another thread that sweeps between the opening and the locking of a new folder's lock takes that folder, and no more."""
    lock, swept = held._lock, []

    def sweep_first(number):
        if not swept:
            swept.append(number)
            private.sweep()
        lock(number)

    monkeypatch.setattr(held, "_lock", sweep_first)
    with private.private_folder() as folder:
        assert swept and Path(folder).is_dir()
    assert not list(temporary.iterdir())


def test_a_sweep_wipes_what_nobody_holds_and_nothing_else(tmp_path, temporary):
    """Folders of a QGIS that was killed go at the next start; what somebody works in, a link and others' folders stay."""
    elsewhere = tmp_path / "precious"
    elsewhere.mkdir()
    (elsewhere / "survey.csv").write_text("rows")
    left = temporary / f"{private.BEGINS}left"
    (left / "work" / "deep").mkdir(parents=True)
    (left / held.LOCK).write_text("")
    (left / "work" / "deep" / "rows.csv").write_text("MARKER")
    (left / "work" / "deep" / "rows.csv").chmod(0o400)
    (left / "work" / "link").symlink_to(elsewhere)
    (left / "work" / "deep").chmod(0o500)
    (temporary / f"{private.BEGINS}link").symlink_to(elsewhere)
    (temporary / "another").mkdir()
    with private.private_folder() as mine:
        Path(mine, "rows").write_text("x")
        private.sweep()
        assert Path(mine, "rows").exists()
    assert sorted(one.name for one in temporary.iterdir()) == ["another", f"{private.BEGINS}link"]
    assert (elsewhere / "survey.csv").exists()


SCRIPT = """
import sys, time
sys.path.insert(0, {tests!r})
from builders import command
running = command.part("running")
def rows():
    while True:
        yield b"MARKER" * 100
        time.sleep(0.01)
rows = rows() if {streaming} else iter([b"MARKER"])
running.run([{program!r}], ["release", "-"], rows=rows)
"""


@pytest.mark.parametrize("streaming", [True, False])
def test_a_qgis_that_is_killed_leaves_nothing(tmp_path, temporary, streaming):
    """QGIS is killed while rows are streamed, or while dpmap works: dpmap keeps its folder until it ends, and the next run wipes it."""
    pid = tmp_path / "pid"
    body = f"""
        open(os.path.join(os.environ["TMPDIR"], "spill"), "w").write("MARKER")
        open({str(pid)!r} + "~", "w").write(str(os.getpid())); os.rename({str(pid)!r} + "~", {str(pid)!r})
        sys.stdin.buffer.read()
        while not os.path.exists({str(tmp_path / "end")!r}): time.sleep(0.02)
        open({str(tmp_path / "ended")!r}, "w")
    """
    (it,) = program(tmp_path, body)
    script = SCRIPT.format(tests=str(Path(__file__).parents[1]), program=it, streaming=streaming)
    parent = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(temporary)}
    )
    until(pid.exists)
    parent.kill()
    parent.wait()
    private.sweep()
    assert len(list(temporary.rglob("spill"))) == 1, "dpmap still works there"
    (tmp_path / "end").touch()
    until((tmp_path / "ended").exists)
    until(lambda: gone(int(pid.read_text())))
    private.sweep()
    assert not list(temporary.iterdir())


def test_a_dpmap_that_is_killed_leaves_nothing(tmp_path, temporary):
    """Where dpmap alone is killed, its folder is wiped as soon as it has ended."""
    it = program(
        tmp_path,
        "open(os.path.join(os.environ['TMPDIR'], 'spill'), 'w').write('MARKER'); os.kill(os.getpid(), 9)",
    )
    assert running.run(it, ["release"]).code == -signal.SIGKILL
    assert not list(temporary.iterdir())


def gone(pid):
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return (
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        if Path("/proc").exists()
        else False
    )
