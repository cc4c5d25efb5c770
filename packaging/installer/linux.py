"""Packs the program for Linux: a .deb that the software centre installs, and an archive for every other Linux."""

import os
import platform
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
PLACE = "opt/dpmap"


def deb(folder: Path, version: str, tree: Path, out: Path) -> Path:
    """Makes the .deb: the program in /opt, its command and icon where the system looks for them, and nothing run at installing."""
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    made = out / f"dpmap_{version}_{architecture}.deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(folder, tree / PLACE, symlinks=True)
    _copied(HERE / "dpmap-studio", tree / PLACE, 0o755)
    _copied(HERE / "dpmap-studio.desktop", tree / "usr/share/applications")
    shutil.copy(
        folder / "_internal/dpmap/studio/assets/icon.svg",
        _made(tree / "usr/share/icons/hicolor/scalable/apps") / "dpmap.svg",
    )
    documents = _made(tree / "usr/share/doc/dpmap")
    shutil.copy(folder / "LICENSE.txt", documents / "copyright")
    (documents / "THIRD-PARTY-LICENCES.txt").symlink_to(f"/{PLACE}/THIRD-PARTY-LICENCES.txt")
    for name in ("dpmap", "dpmap-studio"):
        (_made(tree / "usr/bin") / name).symlink_to(f"/{PLACE}/{name}")
    size = sum(one.lstat().st_size for one in tree.rglob("*") if one.is_file()) // 1024
    told = (HERE / "control.in").read_text("utf-8").format(
        version=version, architecture=architecture, size=size, libc=libc(folder)
    )  # fmt: skip
    (_made(tree / "DEBIAN") / "control").write_text(told, "utf-8")
    _readable(tree)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", tree, made],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return made


def tarball(folder: Path, version: str, out: Path) -> Path:
    """Makes the archive: one folder that runs from wherever it is unpacked."""
    name = f"dpmap-{version}-linux-{platform.machine()}"
    made = out / f"{name}.tar.gz"
    with tarfile.open(made, "w:gz", compresslevel=6) as packed:
        packed.add(folder, name, filter=_of_nobody)
        packed.add(HERE / "dpmap-studio", f"{name}/dpmap-studio", filter=_of_nobody)
        packed.add(HERE / "READ-ME-FIRST.txt", f"{name}/READ-ME-FIRST.txt", filter=_of_nobody)
    return made


def libc(folder: Path) -> str:
    """Returns the oldest C library with which all that is in the folder runs."""
    newest = 0
    for one in folder.rglob("*"):
        if one.is_file() and not one.is_symlink():
            content = one.read_bytes()
            if content[:4] == b"\x7fELF":
                newest = max(
                    [newest, *(int(found) for found in re.findall(rb"GLIBC_2\.(\d+)", content))]
                )
    return f"2.{newest}"


def _made(place: Path) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    return place


def _copied(file: Path, place: Path, mode: int = 0o644) -> None:
    shutil.copy(file, _made(place))
    (place / file.name).chmod(mode)


def _readable(tree: Path) -> None:
    """Lets every user read what is installed, whatever the rights of who built it."""
    for one in [tree, *tree.rglob("*")]:
        if not one.is_symlink():
            one.chmod(0o755 if one.is_dir() or os.access(one, os.X_OK) else 0o644)


def _of_nobody(one: tarfile.TarInfo) -> tarfile.TarInfo:
    one.uid = one.gid = 0
    one.uname = one.gname = ""
    if one.name.endswith("/dpmap-studio"):
        one.mode = 0o755
    return one
