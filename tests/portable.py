"""Runs the part of the tests that needs nothing but Python: what the forge's workflow types on macOS and Windows.

    python tests/portable.py [words for pytest]
    python tests/portable.py --as-elsewhere      # here, with what Windows lacks taken away first

What is left out is said aloud, each with its reason; on Linux `make test` runs all of it. `--as-elsewhere` takes away the modules and
calls that only Unix has. It cannot take away what else differs (paths, rights, open files), so it is no try on Windows itself.
"""

import os
import signal
import sys

PARTS = (
    "tests/grid", "tests/inference", "tests/strategies", "tests/vault", "tests/survey", "tests/stability/test_saved.py",
    "tests/test_ask.py", "tests/test_plan.py", "tests/test_release_file.py", "tests/test_statement.py", "tests/test_theory.py",
)  # fmt: skip
"""Reading, counting, noise, ledger, estimates, plans, questions, statements, and the saved files of every version."""

LEFT_OUT = {
    "tests/survey/test_database.py": "needs PostgreSQL",
    "tests/survey/test_hostile.py": "makes pipes and links, and measures memory as Unix does",
    "tests/vault/test_ledger.py": "copies its process by fork, kills it, and limits the disk as Unix does",
    "tests/vault/test_ledger_contract.py": "needs PostgreSQL, and copies its process by fork",
    "tests/test_release_file.py::test_bombs_stay_small": "limits memory as Unix does",
}
"""Files and tests that need more, each with what it needs."""

MODULES = ("resource", "pwd", "grp", "fcntl", "termios", "pty")
CALLS = (
    (os, ("fork", "mkfifo", "setsid", "killpg")),
    (signal, ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM")),
)


def as_elsewhere() -> None:
    """Takes away the modules and calls that Windows lacks."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for place, names in CALLS:
        for name in names:
            if hasattr(place, name):
                delattr(place, name)


def words() -> list[str]:
    """Returns what pytest is to be given, and says what is left out."""
    for name, reason in LEFT_OUT.items():
        print(f"left out here, and run by `make test` on Linux: {name} ({reason})", flush=True)
    return [*PARTS, *(f"--{'deselect' if '::' in name else 'ignore'}={name}" for name in LEFT_OUT)]


if __name__ == "__main__":
    more = sys.argv[1:]
    if "--as-elsewhere" in more:
        import pytest  # before its own modules are taken away

        more.remove("--as-elsewhere")
        as_elsewhere()
    else:
        import pytest
    sys.exit(pytest.main(["-q", *words(), *more]))
