"""Builds the wheel and the source archive of the last commit into dist/, twice, and compares them byte by byte.

    python packaging/dist.py [--out dist] [--no-isolation]      # `make dist` types it
    python packaging/dist.py --archive private_heatmaps-0.3.0.tar.gz    # the wheel alone, of a source archive: no git is needed

What is built is what was committed, exported into empty folders: nothing else that lies in the work tree can get in.
The time in both files is the commit's. The tools are those of packaging/build-requirements.txt, so that somebody else
gets the same bytes from the same tag; `--no-isolation` takes the ones that are installed, and asks no network.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def committed(folder: Path, commit: str = "HEAD") -> Path:
    """Lays the files of a commit into a folder."""
    packed = subprocess.run(
        ["git", "-C", ROOT, "archive", commit], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def committed_at(commit: str = "HEAD") -> str:
    """Returns the second of a commit, as SOURCE_DATE_EPOCH has it."""
    return subprocess.run(
        ["git", "-C", ROOT, "log", "-1", "--format=%ct", commit],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def unpacked(archive: Path, folder: Path) -> tuple[Path, str]:
    """Unpacks a source archive; returns its folder and the second of its commit, which each file in it has."""
    try:
        with tarfile.open(archive) as members:
            members.extractall(folder, filter="data")
    except (OSError, tarfile.TarError):
        sys.exit(
            f"--archive: {archive.name} cannot be read; give the source archive of a release, private_heatmaps-VERSION.tar.gz"
        )
    told = next(folder.glob("*/PKG-INFO"), None)
    if told is None:
        sys.exit(
            f"--archive: {archive.name} is no source archive; give that of a release, private_heatmaps-VERSION.tar.gz"
        )
    return told.parent, str(int(told.stat().st_mtime))


def built(
    source: Path, out: Path, epoch: str, *, isolated: bool, only: tuple[str, ...] = ()
) -> dict[str, bytes]:
    """Builds the source archive, and the wheel from it, or one of them only; returns each by name."""
    command = [sys.executable, "-m", "build", *only, "--outdir", out, source]
    surroundings = {
        **os.environ,
        "SOURCE_DATE_EPOCH": epoch,
        "PIP_CONSTRAINT": str(ROOT / "packaging" / "build-requirements.txt"),
    }
    done = subprocess.run(
        command if isolated else [*command, "--no-isolation"],
        env=surroundings,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"the build failed:\n{done.stdout}{done.stderr}")
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def once(asked: argparse.Namespace, folder: Path, out: Path) -> dict[str, bytes]:
    """Builds what is asked for, from an empty folder into another."""
    if asked.archive is not None:
        source, epoch = unpacked(asked.archive, folder)
        return built(source, out, epoch, isolated=not asked.no_isolation, only=("--wheel",))
    source = committed(folder, asked.commit)
    return built(source, out, committed_at(asked.commit), isolated=not asked.no_isolation)


def check_clone(commit: str) -> None:
    """Ends in one line where there is no clone; says what is not built."""
    status = subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], capture_output=True)
    if status.returncode or not (ROOT / ".git").exists():
        sys.exit(
            "this folder is no clone of the repository; with the source archive type: python packaging/dist.py --archive FILE"
        )
    if status.stdout and commit == "HEAD":
        print("note: what is not committed is not built", file=sys.stderr)


def main() -> None:
    asked = argparse.ArgumentParser(
        description="builds the wheel and the source archive of the last commit, twice"
    )
    asked.add_argument(
        "--out", type=Path, default=ROOT / "dist", help="folder for the files [dist]"
    )
    asked.add_argument("--commit", default="HEAD", help="commit or tag to build [HEAD]")
    asked.add_argument("--archive", type=Path, help="build the wheel alone, of this source archive")
    asked.add_argument(
        "--no-isolation", action="store_true", help="build with what is installed, without network"
    )
    given = asked.parse_args()
    if given.archive is None:
        check_clone(given.commit)
    with tempfile.TemporaryDirectory() as scratch:
        first, second = (
            once(given, Path(scratch, name), Path(scratch, f"{name}-out"))
            for name in ("one", "another")
        )
    if first != second:
        sys.exit("two builds of one source differ in their bytes")
    given.out.mkdir(parents=True, exist_ok=True)
    for name, content in first.items():
        (given.out / name).write_bytes(content)
    shown = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in first.items()]
    if given.archive is None:
        (given.out / "SHA256SUMS").write_text(
            "".join(f"{line}\n" for line in shown), "utf-8", newline="\n"
        )
    print("\n".join(shown))
    print(
        f"built twice with Python {'.'.join(map(str, sys.version_info[:3]))} and zlib {zlib.ZLIB_RUNTIME_VERSION}, the same bytes, into {given.out}"
    )


if __name__ == "__main__":
    main()
