"""The QGIS plugin in a real QGIS without a window: by qgis_process, and by scripts of Python."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from builders.waiting import LONG

from . import warm

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "qgis"
PROCESS = "/usr/bin/qgis_process.bin"
PYTHON = "/usr/bin/python3"


def dpmap_at(folder: Path, code: str = "") -> Path:
    """Writes a program `dpmap` into a folder, which runs the one that is tested, or `code` that changes it first."""
    words = ["-c", code] if code else ["-m", "dpmap"]
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "dpmap"
    program.write_text(
        f'#!/bin/sh\nexport PYTHONPATH={shlex.quote(str(ROOT))}\nexec {shlex.join([sys.executable, "-P", *words])} "$@"\n'
    )
    program.chmod(0o755)
    return program


def dpmap_warm(folder: Path, door: str) -> Path:
    """Writes a program `dpmap` that hands its words to the stand-by behind a door (`builders.warm`), and ends as the command ends."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "dpmap"
    program.write_text(
        f'#!/bin/sh\nexport PYTHONPATH={shlex.quote(str(ROOT))}\nexec {shlex.join(warm.messenger(door, []))} "$@"\n'
    )
    program.chmod(0o755)
    return program


def surroundings(home: Path, path: str = "", **more: str) -> dict[str, str]:
    """The environment of a QGIS with its own home; `path` stands first on its PATH."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "PATH": os.pathsep.join(filter(None, [path, "/usr/bin", "/bin"])), "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "LC_ALL": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen", "QGIS_PLUGINPATH": str(PLUGINS), **more,
    }  # fmt: skip


def enabled(home: Path) -> Path:
    """A home in which the plugin is switched on."""
    done = subprocess.run(
        [PROCESS, "plugins", "enable", "dpmap_qgis"],
        env=surroundings(home),
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return home


def process(home: Path, algorithm: str, path: str = "", **inputs) -> subprocess.CompletedProcess:
    """Runs an algorithm by qgis_process; a list is given item by item. The results stand in `json.loads(done.stdout)["results"]`."""
    words = [
        f"--{name}={one}"
        for name, value in inputs.items()
        for one in (value if isinstance(value, list) else [value])
    ]
    return subprocess.run(
        [PROCESS, "--json", "run", algorithm, *words],
        env=surroundings(home, path),
        capture_output=True,
        text=True,
        timeout=LONG,
    )


def inside(home: Path, script: Path, *words: str, path: str = "", **more: str):
    """Runs a script in QGIS's own Python and returns what it printed after JSON; it ends with `tell(...)` of tests/plugin/inside."""
    done = subprocess.run(
        [PYTHON, str(script), *map(str, words)], capture_output=True, text=True, timeout=2 * LONG,
        env=surroundings(home, path, PYTHONPATH=os.pathsep.join([str(PLUGINS), str(ROOT / "tests" / "plugin" / "inside"), "/usr/share/qgis/python/plugins"]), **more),
    )  # fmt: skip
    line = next((line for line in done.stdout.splitlines() if line.startswith("JSON")), None)
    assert line, done.stdout[-1000:] + done.stderr[-3000:]
    return json.loads(line[4:])
