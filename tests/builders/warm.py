"""Commands that begin warm: each is a process of its own, forked from one that has loaded the libraries already.

A command of the studio takes most of its time to load libraries, and the studio's tests start hundreds. Here a *stand-by* loads
them once, and what the studio (or QGIS) starts is a messenger of a few milliseconds. It hands its words, folder, surroundings and
streams to the stand-by, passes signals on, and ends with the command's exit code.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress

ALL_REAL = (
    os.environ.get("DPMAP_DEEP") == "1"
    or "COVERAGE_PROCESS_CONFIG" in os.environ
    or not hasattr(os, "fork")
)
"""Whether each command is started as users start it: so `make deep` and `make coverage` do."""


def stand_by(place: str) -> None:
    """Loads the libraries of all commands, then forks a process for each messenger that comes to this place."""
    import duckdb  # noqa: F401
    import geopandas  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import rasterio  # noqa: F401
    import scipy.spatial  # noqa: F401
    import scipy.stats  # noqa: F401

    import dpmap.cli.commands
    import dpmap.engines.duckdb
    import dpmap.releases.release
    import dpmap.steward.planning
    import dpmap.steward.release_run
    import dpmap.survey  # noqa: F401

    for name in dpmap.cli.commands.LISTED:
        dpmap.cli.commands.load_command(name)
    _rehearse_briefly()
    gc.collect()
    gc.freeze()  # what is loaded is shared by all commands, and none of them looks through it
    waiting, (ended, wake) = {}, socket.socketpair()
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen(64)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([door, ended], [], [])
            if door in ready:
                line = door.accept()[0]
                try:
                    waiting[_forked(line)] = line
                except (OSError, ValueError):  # its messenger was killed before it had said all
                    line.close()
            if ended in ready:
                ended.recv(1 << 10)
            while waiting and (found := os.waitpid(-1, os.WNOHANG))[0]:
                with (
                    waiting.pop(found[0]) as line,
                    suppress(OSError),
                ):  # its messenger may have been killed
                    line.sendall(b"%d\n" % os.waitstatus_to_exitcode(found[1]))


def _rehearse_briefly() -> None:
    """Lets plans rehearse few shapes few times: how fine their numbers are is tried in `tests/test_plan.py` and `tests/test_goals.py`."""
    from dpmap.steward.planning import invented_survey, landscapes, planner, zone_goals

    landscapes.LIBRARY = landscapes.SHAPES | {
        name: landscapes.LIBRARY[name] for name in (*zone_goals.LANDS, invented_survey.LANDSCAPE)
    }
    planner.MOST = 2


def _forked(line: socket.socket) -> int:
    """Forks the process of one command, tells its messenger the number and returns it."""
    told, streams, *_ = socket.recv_fds(line, 1 << 10, 3)
    try:
        rest = _heard(line, told)
    except (OSError, ValueError):
        for stream in streams:
            os.close(stream)
        raise
    if (number := os.fork()) == 0:
        line.close()
        _run(streams, **json.loads(rest))
    for stream in streams:
        os.close(stream)
    with suppress(OSError):
        line.sendall(b"%d\n" % number)
    return number


def _heard(line: socket.socket, told: bytes) -> bytes:
    """Returns all that a messenger has to say, of which this much was told."""
    length, _, rest = told.partition(b"\n")
    while len(rest) < int(length):
        if not (piece := line.recv(1 << 20)):
            raise ConnectionError("the messenger was killed")
        rest += piece
    return rest


def _run(
    streams: list[int], *, words: list[str], folder: str, surroundings: dict[str, str]
) -> None:
    """Becomes the command: its folder, surroundings, streams, signals and words, as if it had been started."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(surroundings)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")
    )
    sys.argv = ["dpmap", *words]
    try:
        from dpmap.cli.entry_point import program

        program()
    finally:
        os._exit(1)


MESSENGER = """
import json, os, signal, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])
asked = json.dumps({"words": sys.argv[2:], "folder": os.getcwd(), "surroundings": dict(os.environ)}).encode()
socket.send_fds(line, [b"%d\\n" % len(asked)], [0, 1, 2])
line.sendall(asked)
answers = line.makefile("rb")
number = int(answers.readline())
for one in (signal.SIGINT, signal.SIGTERM):
    signal.signal(one, lambda caught, _: os.kill(number, caught))
code = int(answers.readline())
if code < 0:
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


def messenger(place: str, words: list[str]) -> list[str]:
    """The command that hands these words to the stand-by at a place."""
    return [sys.executable, "-I", "-S", "-c", MESSENGER, place, *words]


if __name__ == "__main__":
    stand_by(sys.argv[1])
