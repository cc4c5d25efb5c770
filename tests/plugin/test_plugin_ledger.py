"""Reading a ledger in QGIS says what the command line says."""

import json
import subprocess
import sys

from builders import plugin


def test_what_remains_is_what_the_command_line_says(home, path, tmp_path):
    """The algorithm gives budget, spent and remaining exactly as `dpmap ledger` does."""
    subprocess.run(
        [sys.executable, "-m", "dpmap", "demo", "--out", tmp_path / "demo"],
        check=True,
        capture_output=True,
    )
    ledger = tmp_path / "demo" / "demo.ledger"
    done = plugin.process(home, "dpmap:ledger", path, LEDGER=str(ledger))
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert (results["BUDGET"], results["SPENT"], results["REMAINING"]) == ("3", "1", "2")


def test_a_refusal_is_the_algorithms_error_in_dpmaps_words(home, path, tmp_path):
    """A file that is no ledger is refused in dpmap's own line, without a traceback."""
    (tmp_path / "no.ledger").write_text("nothing")
    done = plugin.process(home, "dpmap:ledger", path, LEDGER=str(tmp_path / "no.ledger"))
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "ledger" in said and "Traceback" not in said
