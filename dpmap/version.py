"""What a release was made with: dpmap's version, a hash of its own code, and the programs below it
that compute.

A record keeps these, so that years later one can tell which code made it: the same version may have
been changed by hand.
"""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__version__ = "0.3.0.dev0"

LEFT_OUT = ("__pycache__", "samples", "texts")
"""Folders that are no code: what Python compiled, and the example survey and help, which stand
elsewhere before they are packed.
"""


def describe_version() -> str:
    """Returns the version; of a development version that runs from a checkout, with the commit.

    >>> describe_version().startswith(__version__)
    True
    """
    commit = _checked_out_commit(Path(__file__).parents[1]) if ".dev" in __version__ else ""
    return f"{__version__}+g{commit[:7]}" if commit else __version__


def _checked_out_commit(top: Path) -> str:
    """Returns the commit that a folder has checked out, or nothing where it is no checkout.

    It is read from git's own files, so that no program has to be there or is started.
    """
    git = top / ".git"
    try:
        if git.is_file():
            git = top / git.read_text("utf-8").removeprefix("gitdir:").strip()
        common = git / "commondir"
        shared = git / common.read_text("utf-8").strip() if common.exists() else git
        head = (git / "HEAD").read_text("ascii").strip()
        if not head.startswith("ref: "):
            return head
        branch = head.removeprefix("ref: ")
        if (shared / branch).exists():
            return (shared / branch).read_text("ascii").strip()
        lines = (shared / "packed-refs").read_text("utf-8").splitlines()
        return next((line.split()[0] for line in lines if line.endswith(f" {branch}")), "")
    except (OSError, UnicodeError):
        return ""


@cache
def own_code(folder: "str | os.PathLike[str] | None" = None) -> str:
    """Returns the SHA-256 of all files of the package, its code and its data for drawing, in the
    order of their names.

    Each file adds its path below the package (UTF-8, `/` between its parts), a zero byte, the
    length of its content (eight bytes, big-endian) and its content. It is of the files as they are
    when it is first asked for.

    >>> own_code() == own_code(), len(own_code())
    (True, 71)
    """
    import hashlib

    whole = hashlib.sha256()
    top = Path(__file__).parent if folder is None else Path(folder)
    for name, path in sorted(_files(top)):
        content = path.read_bytes()
        whole.update(name.encode() + b"\0" + len(content).to_bytes(8, "big") + content)
    return f"sha256:{whole.hexdigest()}"


def _files(top: Path) -> Iterator[tuple[str, Path]]:
    """Yields each file of the package with its path below the package."""
    for path in top.rglob("*"):
        parts = path.relative_to(top).parts
        if path.is_file() and not any(part in LEFT_OUT or part.startswith(".") for part in parts):
            yield "/".join(parts), path


def made_with() -> dict[str, str]:
    """Returns dpmap's version, its code's hash, and the versions of the libraries that it always
    computes with.

    >>> list(made_with())
    ['dpmap', 'code', 'python', 'numpy']
    """
    import numpy as np

    python = ".".join(map(str, sys.version_info[:3]))
    return {"dpmap": __version__, "code": own_code(), "python": python, "numpy": np.__version__}


def made_with_survey(*others: str) -> dict[str, str]:
    """Adds to `made_with` what reads, places and counts rows; `others` names further installed
    packages.

    pyogrio brings the GDAL that reads layers, PROJ turns coordinates, GEOS knows shapes. pyogrio is
    not loaded for its version, so that a release tells nothing of what this process did before.

    >>> sorted(made_with_survey("duckdb"))
    ['code', 'dpmap', 'duckdb', 'geos', 'numpy', 'proj', 'pyogrio', 'python']
    """
    from importlib.metadata import version

    import duckdb
    import pyproj
    import shapely

    return {
        **made_with(),
        "duckdb": duckdb.__version__,
        "pyogrio": version("pyogrio"),
        "proj": pyproj.proj_version_str,
        "geos": shapely.geos_version_string,
        **{name: version(name) for name in others},
    }
