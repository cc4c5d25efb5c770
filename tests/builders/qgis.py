"""A real QGIS, headless: what it reports of every layer of some files."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from builders.waiting import LONG

SCRIPT = Path(__file__).parents[1] / "export" / "open_in_qgis.py"


def looked(files, shots):
    """Returns what QGIS says of each layer in `files`, with its pictures in the folder `shots`; without QGIS the test fails."""
    probe = subprocess.run(
        ["/usr/bin/python3", "-c", "import qgis.core"], capture_output=True, check=False
    )
    if probe.returncode:
        pytest.fail(
            "QGIS is missing; type: apt-get install -y --no-install-recommends qgis python3-qgis"
        )
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(shots),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_RUNTIME_DIR": str(shots),
    }
    done = subprocess.run(
        ["/usr/bin/python3", SCRIPT, shots, *files],
        capture_output=True,
        text=True,
        env=env,
        check=False,
        timeout=LONG,
    )
    line = next((line for line in done.stdout.splitlines() if line.startswith("JSON")), None)
    assert line, done.stderr[-2000:]
    return json.loads(line[4:])
