"""Gathers dpmap and all that it needs as wheels in one zip, for machines of this system and this Python that have no network; then tries it.

`wheelhouse.py [EXTRAS]`; without a word the extras are the studio and hexagons.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK, OUT = ROOT / "build" / "wheelhouse", ROOT / "dist"
TELLS = """dpmap and all that it needs, for {system} and Python {python}. No network is needed:

  python -m venv dpmap-env
  dpmap-env/bin/python -m pip install --no-index --find-links . 'private-heatmaps[{extras}]'
  dpmap-env/bin/dpmap demo

On Windows write dpmap-env\\Scripts in place of dpmap-env/bin, and "private-heatmaps[{extras}]" in double quotes.
"""


def main(extras: str) -> None:
    """Gathers, packs and tries."""
    shutil.rmtree(WORK, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--wheel-dir", WORK, f"{ROOT}[{extras}]"], check=True)
    (wheel,) = WORK.glob("private_heatmaps-*.whl")
    system, python = sysconfig.get_platform(), ".".join(map(str, sys.version_info[:2]))
    (WORK / "READ-ME-FIRST.txt").write_text(
        TELLS.format(system=system, python=python, extras=extras), "utf-8"
    )
    name = f"dpmap-{wheel.name.split('-')[1]}-wheels-{system}-py{python}"
    OUT.mkdir(exist_ok=True)
    with zipfile.ZipFile(made := OUT / f"{name}.zip", "w", zipfile.ZIP_STORED) as packed:
        for one in sorted(WORK.iterdir()):
            packed.write(one, f"{name}/{one.name}")
    print(
        f"made {made.relative_to(ROOT)}: {len(list(WORK.glob('*.whl')))} wheels, {made.stat().st_size / 1e6:.0f} MB"
    )
    tried(made, extras)


def tried(zipped: Path, extras: str) -> None:
    """Installs from the zip alone into a new environment, runs the demo there, and says how long it took and how large it is."""
    with tempfile.TemporaryDirectory() as place:
        with zipfile.ZipFile(zipped) as opened:
            opened.extractall(place)
        (wheels,) = Path(place).iterdir()
        subprocess.run([sys.executable, "-m", "venv", wheels / "env"], check=True)
        programs = wheels / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        begun = time.monotonic()
        install = [
            programs / "python",
            "-m",
            "pip",
            "--isolated",
            "install",
            "--quiet",
            "--no-index",
            "--find-links",
            wheels,
            f"private-heatmaps[{extras}]",
        ]
        subprocess.run(cut_off([*install]), check=True, env=without_settings())
        print(
            f"installed with no index and no network in {time.monotonic() - begun:.0f} s, {size(wheels / 'env') / 1e6:.0f} MB"
        )
        begun = time.monotonic()
        subprocess.run(
            cut_off([programs / "dpmap", "demo"]), check=True, cwd=place, stdout=subprocess.DEVNULL
        )
        print(f"ran dpmap demo in {time.monotonic() - begun:.0f} s")


def cut_off(words: list) -> list:
    """Runs a command without a network, where the system can do that."""
    able = (
        shutil.which("unshare")
        and subprocess.run(["unshare", "--net", "--map-root-user", "true"], check=False).returncode
        == 0
    )
    return ["unshare", "--net", "--map-root-user", *words] if able else words


def without_settings() -> dict[str, str]:
    """Returns this environment without what pip would be told by it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}


def size(folder: Path) -> int:
    """Returns how many bytes a folder takes."""
    return sum(one.lstat().st_size for one in folder.rglob("*"))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "hex,studio")
