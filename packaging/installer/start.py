"""Starts dpmap as a program that needs no Python of the machine: what PyInstaller puts at the beginning of the bundle."""

import multiprocessing
import os


def as_it_was() -> None:
    """Gives programs that dpmap starts, such as the browser, the machine's own libraries and not those of the bundle."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before:
            os.environ[name] = before


if __name__ == "__main__":
    multiprocessing.freeze_support()  # a helper process of dpmap selftest begins here too, and ends here
    as_it_was()
    from dpmap.cli.entry_point import program

    program()
