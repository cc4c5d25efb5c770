"""The page docs/qgis.md is true: what it types works as it stands, and its pictures are there."""

import os
import re
import shlex
import shutil
import subprocess

from builders import plugin
from builders.waiting import LONG

PAGE = plugin.ROOT / "docs" / "qgis.md"


def test_the_line_of_the_page_works_as_it_stands(home, real_path, tmp_path):
    """The line for a terminal, typed beside copies of the samples, makes the map."""
    block = next(
        one
        for one in re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.S)
        if "qgis_process" in one
    )
    for name in ("raptors.csv", "study_area.gpkg"):
        shutil.copy(plugin.ROOT / "data_samples" / name, tmp_path)
    words = shlex.split(block.replace("\\\n", " "))
    assert words[0] == "qgis_process"
    done = subprocess.run(
        [plugin.PROCESS, *words[1:]], cwd=tmp_path, env=plugin.surroundings(home, real_path), capture_output=True, text=True, timeout=LONG
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        os.path.isfile(tmp_path / "first-map" / "release.dpmap")
        and "Spent epsilon 1; 2 of 3 remains" in done.stdout
    )


def test_the_pictures_of_the_page_are_there_and_small():
    """Each picture of the page exists, is under 150 kB, and none is still to be taken."""
    text = PAGE.read_text("utf-8")
    named = re.findall(r"\]\((qgis/[^)]+\.png)\)", text)
    assert len(named) >= 7 and "<!-- picture" not in text
    assert all((PAGE.parent / name).stat().st_size < 150_000 for name in named)
