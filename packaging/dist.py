"""Builds the wheel and the source archive of the last commit into dist/, twice, and compares them byte by byte.

    python packaging/dist.py [--out dist] [--no-isolation]      # `make dist` types it

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
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def committed_at(commit: str = "HEAD") -> str:
    """Returns the second of a commit, as SOURCE_DATE_EPOCH has it."""
    return subprocess.run(
        ["git", "-C", ROOT, "log", "-1", "--format=%ct", commit], check=True, capture_output=True, text=True
    ).stdout.strip()


def built(source: Path, out: Path, epoch: str, *, isolated: bool) -> dict[str, bytes]:
    """Builds the source archive, and the wheel from it; returns both by name."""
    command = [sys.executable, "-m", "build", "--outdir", out, source]
    surroundings = {
        **os.environ,
        "SOURCE_DATE_EPOCH": epoch,
        "PIP_CONSTRAINT": str(ROOT / "packaging" / "build-requirements.txt"),
    }
    done = subprocess.run(
        command if isolated else [*command, "--no-isolation"], env=surroundings, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"the build failed:\n{done.stdout}{done.stderr}")
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def main() -> None:
    asked = argparse.ArgumentParser(description="builds the wheel and the source archive of the last commit, twice")
    asked.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the two files [dist]")
    asked.add_argument("--commit", default="HEAD", help="commit or tag to build [HEAD]")
    asked.add_argument("--no-isolation", action="store_true", help="build with what is installed, without network")
    given = asked.parse_args()
    if (
        subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], check=True, capture_output=True).stdout
        and given.commit == "HEAD"
    ):
        print("note: what is not committed is not built", file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        first, second = (
            built(
                committed(Path(scratch, name), given.commit),
                Path(scratch, f"{name}-out"),
                committed_at(given.commit),
                isolated=not given.no_isolation,
            )
            for name in ("one", "another")
        )
    if first != second:
        sys.exit("two builds of one commit differ in their bytes")
    given.out.mkdir(parents=True, exist_ok=True)
    for name, content in first.items():
        (given.out / name).write_bytes(content)
    shown = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in first.items()]
    (given.out / "SHA256SUMS").write_text("".join(f"{line}\n" for line in shown), "utf-8", newline="\n")
    print("\n".join(shown))
    print(
        f"built twice with Python {'.'.join(map(str, sys.version_info[:3]))} and zlib {zlib.ZLIB_RUNTIME_VERSION}, the same bytes, into {given.out}"
    )


if __name__ == "__main__":
    main()
