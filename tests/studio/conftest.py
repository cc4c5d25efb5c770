"""Starts the studio's commands warm, but for the tests of how they are started, stopped and killed."""

from contextlib import contextmanager

import pytest
from builders import warm

REAL = {"test_child", "test_killed", "test_in_a_browser"}
"""These start each command as users' studios do; under `make deep` and `make coverage` all do."""


@pytest.fixture(autouse=True, scope="module")
def _warm_commands(request):
    if warm.ALL_REAL or request.module.__name__ in REAL:
        yield
        return
    with _begun_warm(request):
        yield


@pytest.fixture
def warm_commands(request):
    """Starts the commands of one test warm, in a file whose other tests start real ones."""
    if warm.ALL_REAL:
        yield
        return
    with _begun_warm(request):
        yield


@contextmanager
def _begun_warm(request):
    place = request.getfixturevalue("standing_by")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpmap.studio.commands._command", lambda words: warm.messenger(place, words))
        yield
