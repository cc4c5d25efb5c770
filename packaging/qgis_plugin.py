"""Packs the QGIS plugin into dist/dpmap_qgis-VERSION.zip, twice, and compares the bytes.

    python packaging/qgis_plugin.py [--out dist]      # `make qgis-plugin` types it

What is packed is what was committed; in an unpacked source archive, its files. Names are sorted, the time of each file is the commit's, rights are
those of plain files, and nothing is compressed, so that no library's version shows: the same commit gives the same bytes on every machine.

The metadata get the newest changes (`CHANGELOG` of the plugin), and from `[project]` of pyproject.toml an e-mail address (`authors`) and the addresses
(`urls`: Homepage, Issues, Repository), as soon as they stand there. Where QGIS is on the machine, the zip is tried at the end.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import dist

ROOT = Path(__file__).resolve().parents[1]
NAME = "dpmap_qgis"
TEXTS = (".py", ".txt", ".svg", ".ts", ".md", ".qml", ".qpt", ".html", ".css", ".json")
WHOLE = ("LICENSE", "CHANGELOG")
MOST = 25_000_000
"""As many bytes the public repository takes."""
ASKED = {
    "email": "an e-mail address in `authors`",
    "homepage": "`Homepage`",
    "tracker": "`Issues`",
    "repository": "`Repository`",
}
"""What the public repository asks for, and where pyproject.toml has it."""
PROCESS = "/usr/bin/qgis_process.bin"


def packed(source: Path, epoch: int) -> bytes:
    """The zip of the plugin in a folder of the project's files."""
    plugin, held = source / "qgis" / NAME, io.BytesIO()
    moment = time.gmtime(max(epoch, 315_619_200))[:6]  # a zip knows no time before 2 January 1980
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for path in members(plugin):
            content = path.read_bytes()
            if path == plugin / "metadata.txt":
                content = metadata(content.decode("utf-8"), source).encode("utf-8")
            archive.writestr(
                entry(f"{NAME}/{path.relative_to(plugin).as_posix()}", moment), content
            )
    if held.tell() > MOST:
        sys.exit(
            f"the plugin has {held.tell() / 1e6:.0f} MB; the public repository takes {MOST / 1e6:.0f}"
        )
    return held.getvalue()


def members(plugin: Path) -> list[Path]:
    """The files of the plugin, sorted; a file that is no text ends the build."""
    found = [
        path
        for path in sorted(plugin.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    for path in found:
        if (
            path.is_symlink()
            or not (path.suffix in TEXTS or path.name in WHOLE)
            or b"\0" in path.read_bytes()
        ):
            sys.exit(
                f"{path.relative_to(plugin)} is no text: the public repository takes no binaries"
            )
    return sorted(found, key=lambda path: path.relative_to(plugin).as_posix())


def entry(name: str, moment: tuple) -> zipfile.ZipInfo:
    """One file's line in the zip: a plain file that everybody may read."""
    found = zipfile.ZipInfo(name, moment)
    found.create_system, found.external_attr = 3, 0o100644 << 16
    return found


def metadata(text: str, source: Path) -> str:
    """The metadata with the newest changes, and with the addresses that the project has."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    changes = (source / "qgis" / NAME / "CHANGELOG").read_text("utf-8").strip().partition("\n\n")[0]
    told = {"changelog": changes.replace("%", "%%").replace("\n", "\n    "), **addresses(project)}
    return text.rstrip() + "\n" + "".join(f"{name}={value}\n" for name, value in told.items())


def addresses(project: dict) -> dict[str, str]:
    """The addresses that pyproject.toml has."""
    urls = {name.lower(): url for name, url in project.get("urls", {}).items()}
    found = {
        "email": next((one["email"] for one in project.get("authors", ()) if "email" in one), ""),
        "homepage": urls.get("homepage", ""),
        "tracker": urls.get("issues", ""),
        "repository": urls.get("repository", ""),
    }
    return {name: value.replace("%", "%%") for name, value in found.items() if value}


def missing(project: dict) -> str:
    """Says which addresses the public repository will ask for; nothing where all are there."""
    left = [f"{name} ({where})" for name, where in ASKED.items() if name not in addresses(project)]
    return (
        f"for installing by file; the public repository will ask for {', '.join(left)}, which pyproject.toml does not have yet"
        if left
        else ""
    )


def once(folder: Path) -> bytes:
    """Packs the plugin of the last commit, or of the source archive that this folder is."""
    if (ROOT / ".git").exists():
        return packed(dist.committed(folder), int(dist.committed_at()))
    told = ROOT / "PKG-INFO"
    return packed(ROOT, int(told.stat().st_mtime) if told.is_file() else 0)


def tried(content: bytes) -> str:
    """Unpacks the zip into a fresh QGIS, switches it on, and lets an algorithm answer."""
    if not os.path.exists(PROCESS):
        return "not tried: QGIS is not on this machine"
    with tempfile.TemporaryDirectory() as place:
        home = Path(place, "home")
        home.mkdir(mode=0o700)
        plugins = (
            home
            / ".local"
            / "share"
            / "QGIS"
            / "QGIS3"
            / "profiles"
            / "default"
            / "python"
            / "plugins"
        )
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(plugins)
        surroundings = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home),
            "LC_ALL": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
        }
        for words in (["plugins", "enable", NAME], ["help", "dpmap:ledger"]):
            done = subprocess.run(
                [PROCESS, *words], env=surroundings, capture_output=True, text=True, timeout=300
            )
            if done.returncode or "Traceback" in done.stdout + done.stderr:
                sys.exit(
                    f"QGIS does not take the plugin: {' '.join(words)}\n{done.stdout}{done.stderr}"
                )
    return "tried: unpacked into a fresh QGIS, switched on, its algorithms are there"


def main() -> None:
    asked = argparse.ArgumentParser(description="packs the QGIS plugin, twice")
    asked.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the zip [dist]")
    given = asked.parse_args()
    if (ROOT / ".git").exists():
        dist.check_clone("HEAD")
    with tempfile.TemporaryDirectory() as scratch:
        first, second = (once(Path(scratch, name)) for name in ("one", "another"))
    if first != second:
        sys.exit("two builds of one source differ in their bytes")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    path = given.out / f"{NAME}-{project['version']}.zip"
    given.out.mkdir(parents=True, exist_ok=True)
    path.write_bytes(first)
    print(f"{hashlib.sha256(first).hexdigest()}  {path.name}")
    print(f"packed twice, the same bytes ({len(first) / 1000:.0f} kB), into {given.out}")
    if said := missing(project):
        print(said)
    print(tried(first))


if __name__ == "__main__":
    main()
