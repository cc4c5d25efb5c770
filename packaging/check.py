"""Installs a wheel with each Python that is here, with its oldest and its newest dependencies, and tries it without network.

    python packaging/check.py [--wheel dist/private_heatmaps-0.3.0-py3-none-any.whl] [--python PATH ...] [--only 3.12]   # `make release-check`

For each pair an empty environment, then in an empty folder: `dpmap demo`, some of `dpmap selftest`, and packaging/probe.py, which
reads each kind of file and makes, draws, exports and asks maps of each kind; then the extras are installed and used. "Oldest" is the
lowest release within pyproject's bounds that is there ready-made for that Python. Installing needs network; what is tried has none.
It prints a table in Markdown and ends in 1 where anything failed. It takes about two minutes for each row.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from datetime import UTC, datetime
from email.parser import BytesParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("ebv", "hex", "opendp", "postgres", "spark", "studio")
PROBE = ROOT / "packaging" / "probe.py"
CHECKS = ("places", "fresh", "tables", "order", "ledger")
"""Those of `dpmap selftest` that take seconds and touch each library below it."""

SETS = {"newest": "highest", "oldest": "lowest-direct"}


class Failed(Exception):
    """A step that did not work, with the last lines it said."""


def run(*command: object, offline: bool = False, cwd: Path | None = None, ends: int = 0) -> str:
    """Runs a command to its end, in a network of nothing where asked; returns what it printed."""
    words = [*(cut_off() if offline else ()), *map(str, command)]
    done = subprocess.run(words, cwd=cwd, env=clean(), capture_output=True, text=True)
    if done.returncode != ends:
        raise Failed("\n".join((done.stdout + done.stderr).strip().splitlines()[-25:]))
    return done.stderr if ends else done.stdout


def clean() -> dict[str, str]:
    """Returns the surroundings without what would let the work tree or another environment in."""
    return {
        key: value
        for key, value in os.environ.items()
        if key not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }


def cut_off() -> list[str]:
    """Returns what to put before a command so that it has no network: a namespace of its own, where the system has them."""
    for words in (["unshare", "-n"], ["unshare", "-rn"]):
        if (
            shutil.which("unshare")
            and subprocess.run([*words, "true"], capture_output=True).returncode == 0
        ):
            return words
    return []


def uv(*words: object) -> str:
    beside = Path(sys.executable).with_name("uv")
    return run(beside if beside.exists() else "uv", *words)


def python_of(minor: str) -> Path | None:
    """Returns a Python of that version, if there is one that runs."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{minor}.*/bin/python{minor}"))
    for path in (*kept, shutil.which(f"python{minor}")):
        if (
            path
            and subprocess.run([path, "-c", "import ssl, sqlite3"], capture_output=True).returncode
            == 0
        ):
            return Path(path)
    return None


def tried(wheel: Path, python: Path, resolution: str, folder: Path) -> dict[str, str]:
    """Installs the wheel into an empty environment and tries it; returns the versions that it stood on."""
    environment = folder / "venv"
    uv("venv", "--quiet", "--python", python, environment)
    python = environment / "bin" / "python"
    core, extras = declared(wheel)
    install = (
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        "--no-binary",
        "pyspark",
        "--resolution",
        resolution,
    )
    uv(*install, "--python", python, wheel, *core)
    program = environment / "bin" / "dpmap"
    works = empty(folder / "works")
    run(program, "release", "--help", offline=True, cwd=works)
    if "Missing RELEASE (A release" not in run(program, "draw", offline=True, cwd=works, ends=2):
        raise Failed("dpmap draw does not say what it lacks")
    run(program, "demo", "--out", works / "demo", offline=True, cwd=works)
    run(
        program,
        "selftest",
        *(word for name in CHECKS for word in ("--only", name)),
        offline=True,
        cwd=works,
    )
    run(python, PROBE, "core", offline=True, cwd=empty(folder / "core"))
    uv(*install, "--python", python, wheel, *core, *extras)
    told = run(python, PROBE, "extras", offline=True, cwd=empty(folder / "extras"))
    return json.loads(told.splitlines()[-1])


def declared(wheel: Path) -> tuple[list[str], list[str]]:
    """Returns what the wheel asks for with the extra `studio`, as the pages say to install it, and what its other extras ask for: asked for
    directly, so that "oldest" holds for each.
    """
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        lines = BytesParser().parsebytes(packed.read(name)).get_all("Requires-Dist")
    split = [line.partition("; extra == ") for line in lines]
    whole = ("", "studio")
    return [line for line, _, extra in split if extra.strip("'") in whole], [
        line for line, _, extra in split if extra.strip("'") in EXTRAS
    ]


def empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def rows(
    wheel: Path, pythons: list[Path], sets: list[str]
) -> list[tuple[str, str, str, dict[str, str]]]:
    """Tries every Python with every set of dependencies, and says how each went."""
    found = []
    for python in pythons:
        shown = run(python, "-c", "import platform; print(platform.python_version())").strip()
        for name in sets:
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    versions, result = tried(wheel, python, SETS[name], Path(scratch)), "works"
                except Failed as why:
                    versions, result = {}, "FAILED"
                    print(f"--- {shown}, {name}:\n{why}\n", file=sys.stderr, flush=True)
            print(
                f"{shown} {name}: {result}, {time.monotonic() - start:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            found.append((shown, name, result, versions))
    return found


def table(found: list[tuple[str, str, str, dict[str, str]]]) -> str:
    """Returns the results in Markdown: a column for each try, a line for each library."""
    names = sorted({name for *_, versions in found for name in versions})
    lines = [
        "| | " + " | ".join(f"{python} {which}" for python, which, *_ in found) + " |",
        "|---" * (len(found) + 1) + "|",
        "| **result** | " + " | ".join(result for _, _, result, _ in found) + " |",
        *(
            f"| {name} | " + " | ".join(versions.get(name, "") for *_, versions in found) + " |"
            for name in names
        ),
    ]
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(
        description="installs a wheel with each Python that is here and tries it without network"
    )
    asked.add_argument("--wheel", type=Path, help="the wheel to try [the newest in dist/]")
    asked.add_argument(
        "--python",
        type=Path,
        action="append",
        default=[],
        help="a Python to try beside those that are found",
    )
    asked.add_argument("--only", action="append", help="a version such as 3.12; may be repeated")
    asked.add_argument("--deps", choices=SETS, action="append", help="dependencies to try [both]")
    given = asked.parse_args()
    wheel = given.wheel or max(
        (ROOT / "dist").glob("private_heatmaps-*.whl"), key=os.path.getmtime, default=None
    )
    if wheel is None:
        sys.exit("there is no wheel in dist/; type: make dist")
    if not cut_off():
        sys.exit(
            "this system cannot take the network away from a command (unshare); nothing was tried"
        )
    pythons = {minor: python_of(minor) for minor in given.only or (() if given.python else PYTHONS)}
    for minor, path in pythons.items():
        if path is None:
            print(f"no Python {minor} here: not tried", file=sys.stderr)
    found = rows(
        wheel,
        [*(path for path in pythons.values() if path), *given.python],
        given.deps or list(SETS),
    )
    print(f"{wheel.name}, {datetime.now(UTC):%Y-%m-%d}, {sys.platform}:\n\n{table(found)}")
    sys.exit(any(result != "works" for _, _, result, _ in found))


if __name__ == "__main__":
    main()
