"""The public words mean the same whatever was imported before them."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "first",
    [
        "dm.simulate([[1]], epsilon=1)",
        "dm.Release",
        "dm.open",
        "import dpmap.releases.release",
        "import dpmap.steward.release_run",
    ],
)
def test_release_is_a_function_whatever_came_first(first):
    """`dm.release` can be called although a module of the package has the same name."""
    code = f"import dpmap as dm\n{first}\nfrom dpmap import release\nassert callable(dm.release) and callable(release)"
    subprocess.run([sys.executable, "-c", code], check=True)
