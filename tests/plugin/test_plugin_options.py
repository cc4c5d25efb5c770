"""The page in QGIS's settings shows which dpmap is used, makes one, and verifies it."""

import sys
from pathlib import Path

from builders import command, plugin

import dpmap

INSIDE = Path(__file__).parent / "inside"


def test_each_part_of_the_page_does_what_it_says(tmp_path, real_path):
    """It names the dpmap that is found, verifies it, can be stopped, makes one from a zip after asking, and keeps what was chosen."""
    home, zipped = tmp_path / "home", command.wheelhouse(tmp_path / "wheels.zip")
    python = getattr(sys, "_base_executable", sys.executable)
    told = plugin.inside(home, INSIDE / "options.py", tmp_path, zipped, python, path=real_path)
    assert (
        f"dpmap {dpmap.__version__.partition('.dev')[0]}" in told["found"]
        and real_path in told["found"]
    )
    assert (
        told["verified"].startswith("All 7 checks passed") and "0.2.0 or newer" in told["verified"]
    )
    assert told["apart"], "the window is not held"
    assert "Stopped" in told["stopped"]
    assert (
        told["refused"] is None
        and len(told["asked"]) == 2
        and "programs that will run" in told["asked"][0]
    )
    assert told["made"] == "dpmap is made. Verify it now." and told["own"].startswith(str(home))
    assert "own environment: dpmap 1.0.0" in told["then"]
    assert "<b>" not in told["hostile"] and "not where the settings say" in told["hostile"]
    assert told["kept"] == "/<b>no</b>/dpmap" and told["emptied"] == "" and told["left"] == 0
