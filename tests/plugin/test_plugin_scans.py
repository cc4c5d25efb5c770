"""The plugin passes the scans of QGIS's public repository of plugins, run as that repository runs them."""

import json
import re
import subprocess
import sys

import pytest
from builders.plugin_code import PLUGIN
from builders.waiting import LONG

SECURITY = (
    "B101,B102,B103,B104,B105,B106,B107,B108,B110,B111,B112,B113,B201,B202,B301,B302,B303,B304,B305,B306,B307,B308,B310,B311,B312,B313,B314,B315,"
    "B316,B317,B318,B319,B321,B323,B324,B401,B402,B403,B405,B406,B407,B408,B409,B412,B413,B501,B502,B503,B504,B505,B506,B507,B508,B509,B601,B602,"
    "B603,B604,B605,B606,B607,B608,B609,B610,B611,B612,B613,B614,B615,B701,B702,B703,B704"
)
"""What that repository looks for with bandit (July 2026)."""
QUALITY = "E101,E711,E712,E713,E714,E721,E722,E731,E741,E742,E743,E9,W605,F402,F403,F404,F405,F811,F821,F822,F823,F831,F901,C901"
"""The same, with flake8."""


def scanned(*words, cwd=PLUGIN.parent):
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=cwd, capture_output=True, text=True, timeout=LONG
    )


def findings(folder) -> list[dict]:
    """What bandit finds of what the repository looks for; it is not told the list, since its versions know different checks."""
    done = scanned("bandit", "-r", str(folder), "-f", "json", "--quiet")
    return [
        one for one in json.loads(done.stdout)["results"] if one["test_id"] in SECURITY.split(",")
    ]


def test_bandit_finds_nothing():
    """No finding of security is left; what is answered is answered where it stands, with its reason (`# nosec B603  # why`)."""
    found = [
        f"{one['filename']}:{one['line_number']} {one['test_id']} {one['issue_text']}"
        for one in findings(PLUGIN)
    ]
    assert not found, "\n".join(found)


def test_each_answer_to_bandit_names_its_check_and_its_reason():
    """No line is excused as a whole, and each excuse says why."""
    lines = [
        line
        for path in PLUGIN.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if "nosec" in line
    ]
    for line in lines:
        told = re.search(r"# nosec B\d{3}(, B\d{3})*  # (.+)$", line)
        assert told and len(told[2].split()) >= 3, line


def test_no_secret_is_found():
    """Nothing in the plugin looks like a key or a password."""
    done = scanned(
        "detect_secrets", "scan", "--all-files", "--exclude-files", r"metadata\.txt", "--exclude-files", r"\.secrets\.baseline",
        "--exclude-files", "__pycache__", PLUGIN.name,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"] == {}


def test_flake8_finds_nothing():
    """No name is unknown, no exception caught bare, nothing imported by a star."""
    done = scanned(
        "flake8", "--isolated", "--max-line-length=120", "--select", QUALITY, PLUGIN.name
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("code", "check"),
    [("import subprocess\nsubprocess.run('ls', shell=True)\n", "B602"), ("import pickle\npickle.loads(b'')\n", "B301"), ("eval('1')\n", "B307"), ("exec('1')\n", "B102"),
     ("import tarfile\ntarfile.open('x').extractall()\n", "B202")],
)  # fmt: skip
def test_the_scan_has_teeth(tmp_path, code, check):
    """What the repository refuses is found by the scan as it is run here."""
    (tmp_path / "a.py").write_text(code)
    assert check in {one["test_id"] for one in findings(tmp_path)}
