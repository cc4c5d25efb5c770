"""Starts the studio's commands warm, but for the tests of how they are started, stopped and killed."""

import os
import subprocess
import sys

import pytest
from builders import warm

REAL = {"test_child", "test_killed", "test_in_a_browser"}
"""These start each command as users' studios do; under `make deep` and `make coverage` all do."""
ALL_REAL = os.environ.get("DPMAP_DEEP") == "1" or "COVERAGE_PROCESS_CONFIG" in os.environ or not hasattr(os, "fork")


@pytest.fixture(scope="session")
def standing_by(tmp_path_factory):
    """The place of a process that has loaded the libraries and forks the studio's commands."""
    place = str(tmp_path_factory.mktemp("warm") / "door")
    with subprocess.Popen([sys.executable, "-P", warm.__file__, place], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout.readline() == "ready\n"
        yield place
        started.terminate()


@pytest.fixture(autouse=True, scope="module")
def _warm_commands(request):
    if ALL_REAL or request.module.__name__ in REAL:
        yield
        return
    place = request.getfixturevalue("standing_by")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpmap.studio.child._command", lambda words: warm.messenger(place, words))
        yield
