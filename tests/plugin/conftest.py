"""A home of QGIS in which the plugin is switched on, and a dpmap on its PATH."""

import subprocess

import pytest
from builders import plugin, warm

collect_ignore = ["inside"]  # scripts for QGIS's own Python


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """A home of QGIS in which the plugin is switched on; without QGIS the test fails."""
    probe = subprocess.run(
        [plugin.PYTHON, "-c", "import qgis.core"], capture_output=True, check=False
    )
    if probe.returncode:
        pytest.fail(
            "QGIS is missing; type: apt-get install -y --no-install-recommends qgis python3-qgis"
        )
    return plugin.enabled(tmp_path_factory.mktemp("qgis") / "home")


@pytest.fixture(scope="session")
def real_path(tmp_path_factory):
    """A folder with the dpmap that is tested, for the PATH."""
    return str(plugin.dpmap_at(tmp_path_factory.mktemp("programs")).parent)


@pytest.fixture(scope="session")
def path(request, tmp_path_factory):
    """The same, but what it starts begins warm: for the tests of what is answered, not of how it is started, stopped and killed."""
    if warm.ALL_REAL:
        return request.getfixturevalue("real_path")
    return str(
        plugin.dpmap_warm(
            tmp_path_factory.mktemp("warm"), request.getfixturevalue("standing_by")
        ).parent
    )
