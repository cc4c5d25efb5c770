"""Builds the installer of dpmap for the system on which it is typed, tries it, and says what it saw.

Needs Python 3.11 or later, and nothing of dpmap: it makes an environment of its own, with dpmap's wheel and PyInstaller. All that it makes lies in
`build/installer`, but for the installers themselves, which lie in `dist/installer`.
"""

import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK, OUT = ROOT / "build" / "installer", ROOT / "dist" / "installer"
EXTRAS = "hex,postgres,studio"
"""What the program can do besides: hexagons, databases, the studio. Spark and OpenDP are for those who have Python."""


def main() -> None:
    """Does all steps in order."""
    python = environment()
    os.chdir(WORK)  # away from the checkout, or its package would be taken in place of the wheel's
    wheel = built_wheel(python)
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", f"{wheel}[{EXTRAS}]", "pyinstaller"], check=True
    )
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel],
        check=True,
    )
    folder = bundled(python)
    version = subprocess.run(
        [python, "-c", "import dpmap; print(dpmap.__version__)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    subprocess.run([python, HERE / "licences.py", folder, WORK / "from-the-system.txt"], check=True)
    made = packed(folder, version)
    for one in made:
        print(f"made {one.relative_to(ROOT)}, {one.stat().st_size / 1e6:.0f} MB")
    if sys.platform == "linux":
        subprocess.run([python, HERE / "try.py", *made], check=True)
    else:
        print(
            "try it by hand: install it, start the studio from its icon, type dpmap demo, and remove it"
        )


def environment() -> Path:
    """Makes the environment from which the bundle is taken, and returns its interpreter."""
    place = WORK / "venv"
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        venv.create(place, with_pip=True)
    return python


def built_wheel(python: Path) -> Path:
    """Builds dpmap's wheel and returns where it lies."""
    place = WORK / "wheel"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run(
        [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", place, ROOT],
        check=True,
    )
    (wheel,) = place.glob("private_heatmaps-*.whl")
    return wheel


def bundled(python: Path) -> Path:
    """Has PyInstaller gather the program, and returns its folder."""
    places = ["--distpath", WORK / "bundle", "--workpath", WORK / "work"]
    words = [
        python,
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--log-level",
        "ERROR",
        *places,
        HERE / "dpmap.spec",
    ]
    subprocess.run(
        words,
        check=True,
        env={**os.environ, "DPMAP_FROM_THE_SYSTEM": str(WORK / "from-the-system.txt")},
    )
    folder = WORK / "bundle" / "dpmap"
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    without_debugging(folder)
    return folder


def without_debugging(folder: Path) -> None:
    """Takes from Python's own libraries what only debuggers read; those of wheels are left as their makers packed them."""
    strip = shutil.which("strip")
    if sys.platform != "linux" or strip is None:
        return
    for one in [
        *folder.glob("_internal/libpython*.so*"),
        *folder.glob("_internal/python3*/lib-dynload/*.so"),
    ]:
        subprocess.run([strip, "--strip-unneeded", one], check=True)


def packed(folder: Path, version: str) -> list[Path]:
    """Packs the folder as this system installs programs."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    if sys.platform == "linux":
        from linux import deb, tarball

        return [deb(folder, version, WORK / "deb", OUT), tarball(folder, version, OUT)]
    if sys.platform == "win32":
        made = OUT / f"dpmap-{version}-windows-{platform.machine().lower()}.exe"
        makensis = shutil.which("makensis") or r"C:\Program Files (x86)\NSIS\makensis.exe"
        subprocess.run(
            [
                makensis,
                f"/DVERSION={version}",
                f"/DBUNDLE={folder}",
                f"/DOUT={made}",
                HERE / "windows.nsi",
            ],
            check=True,
        )
        return [made]
    if sys.platform == "darwin":
        made = OUT / f"dpmap-{version}-macos-{platform.machine()}.dmg"
        subprocess.run(["sh", HERE / "macos.sh", folder, version, WORK / "app", made], check=True)
        return [made]
    sys.exit(
        f"there is no recipe for {sys.platform}; install dpmap with pip, as docs/installing.md says"
    )


if __name__ == "__main__":
    main()
