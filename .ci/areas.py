"""Prints what `make check` tests: the rooms that are named, or those that differ from the last commit, and what always holds.

python .ci/areas.py [room ...]
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALWAYS = (
    "tests/test_house.py",
    "tests/test_audit.py",
    "dpmap/noise",
    "dpmap/numbers.py",
    "dpmap/record",
)
UNCHANGED = ("dpmap/grid", "tests/grid", "tests/inference", "tests/test_statement.py")


def changed_rooms() -> list[str]:
    """Returns the rooms of dpmap and of its tests whose files differ from the last commit, new files too."""
    listing = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],  # noqa: S607  # the git of whoever checks
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    paths = [Path(line[3:].split(" -> ")[-1]) for line in listing.stdout.splitlines()]
    rooms = {
        path.parts[1]
        for path in paths
        if len(path.parts) > 2 and path.parts[0] in ("dpmap", "tests")
    }
    if any(path.parts[0] == "qgis" for path in paths):
        rooms.add("plugin")
    if rooms & {"options", "promise"}:
        rooms |= {"stability", "catalogue"}
    return sorted(rooms)


def tests_of(room: str) -> list[str]:
    """Returns what tests one room: its doctests, its folder of tests, and the test files that begin with its name."""
    if not (ROOT / "dpmap" / room).is_dir() and not (ROOT / "tests" / room).is_dir():
        rooms = sorted(
            path.name for path in (ROOT / "dpmap").iterdir() if (path / "__init__.py").exists()
        )
        sys.exit(f"AREA: no room is called {room}; one of {' '.join(rooms)}")
    folders = [ROOT / "dpmap" / room, ROOT / "tests" / room]
    files = (ROOT / "tests").glob(f"test_{room.rstrip('s')}*.py")
    return [
        path.relative_to(ROOT).as_posix() for path in (*folders, *sorted(files)) if path.exists()
    ]


def main() -> None:
    """Prints the paths on one line."""
    rooms = sys.argv[1:] or changed_rooms()
    chosen = [path for room in rooms for path in tests_of(room)] or UNCHANGED
    print(*dict.fromkeys((*ALWAYS, *chosen)))  # noqa: T201  # for make


if __name__ == "__main__":
    main()
