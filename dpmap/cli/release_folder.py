"""Fills the folder of a release, for every command that makes one."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.releases.release import Release
    from dpmap.releases.tiers import Tiers


SAVED = "release.dpmap"


_MISREAD = re.compile(r"[!\x00-\x1f\x7f]")
"""What the library that writes layers takes for an archive's member."""


def check_new(out: Path, grid: "Grid | None" = None, private: Iterable[str | None] = ()) -> None:
    """Refuses a folder that already holds a release, or in which something stands in the way of a
    file of this grid's map.

    The files that are `private`, such as the survey, are never replaced.
    """
    from dpmap.atomic_write import refuse_address

    refuse_address(out, "--out")
    if _MISREAD.search(str(out)):
        raise BadInput(
            "--out: GIS formats take ! and line breaks in a path for something else; choose another"
            " name"
        )
    if os.path.exists(out / SAVED):
        raise BadInput(f"--out: {out.name or out} already holds a release; choose a new folder")
    if grid is not None:
        refuse_obstacles(out, grid, private)


BYTES_A_CELL = 700
"""What the files of a folder take together: measured, 450 (adaptive) to 700 (flat) on grids of
45,000 cells, and the archive of some of them again about half as much.
"""


def room_for_folder(grid: "Grid", strategy: str) -> int:
    """Returns about how many bytes a release's folder takes; a sparse one lists few cells,
    nobody knows how many.
    """
    return (
        1 << 20 if strategy.startswith("sparse") else (1 << 20) + BYTES_A_CELL * grid.cells_inside
    )


def file_facts(path: Path) -> dict[str, str | int]:
    """Returns the path, size and SHA-256 of a file, as programs are told of it."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"path": str(path), "bytes": os.path.getsize(path), "sha256": digest}


def is_one_of(path: Path, files: Iterable[str | None]) -> bool:
    """Whether a path leads to one of these files."""
    there = [file for file in files if file is not None and os.path.exists(file)]
    return os.path.exists(path) and any(os.path.samefile(path, one) for one in there)


def refuse_obstacles(out: Path, grid: "Grid", private: Iterable[str | None]) -> None:
    """Refuses a folder that has a folder where a file belongs, a file where a folder belongs, or
    the survey under a file's name.
    """
    from dpmap.statement.file_names import ATTESTED, METADATA
    from dpmap.statement.folder import TITLES, folders_of

    files = {*TITLES, *ATTESTED, *METADATA}
    for folder in ("metadata", *folders_of(grid).values()):
        place = out / folder
        if os.path.exists(place) and not os.path.isdir(place):
            raise BadInput(
                f"--out: {folder} in it is a file, and has to be a folder; choose a new folder"
            )
        files |= {f"{folder}/{name}" for name in TITLES}
    for name in sorted(files):
        if os.path.isdir(out / name):
            raise BadInput(
                f"--out: {name} in it is a folder, and has to be a file; choose a new folder"
            )
        if is_one_of(out / name, private):
            raise BadInput(f"--out: {name} in it is the survey itself; choose a new folder")


def save_all(
    made: "Release",
    place: Path,
    progress: Callable[[str], None],
    context: Any = True,
    *,
    missing: bool = False,
    only: Sequence[str] | None = None,
) -> list[Path]:
    """Saves the release and all files made from it; where one fails, says how to go on."""
    from dpmap.releases.folder_writer import fill_folder

    try:
        return fill_folder(made, place, progress, context, missing=missing, only=only)
    except Exception:
        if (place / SAVED).exists():
            typer.echo(
                f"{place / SAVED} is safe; dpmap release --resume {place} makes the rest from it at"
                " no cost"
            )
        raise


def save_tiers(
    made: "Tiers",
    place: Path,
    progress: Callable[[str], None],
    context: Any = True,
    *,
    missing: bool = False,
    only: Sequence[str] | None = None,
) -> list[Path]:
    """Fills a folder for each tier, whose release files are there already."""
    written: list[Path] = []
    for number, (name, one) in enumerate(made.items()):
        try:
            written += save_all(one, place / name, progress, context, missing=missing, only=only)
        except Exception:
            for later in list(made)[number + 1 :]:
                typer.echo(
                    f"so is {place / later / 'release.dpmap'}; dpmap release --resume {place} makes"
                    " all their files"
                )
            raise
    return written


def free_folder(out: Path) -> Path:
    """Returns the folder itself, or the first numbered one beside it that holds no release yet."""
    number = 1
    while (
        (candidate := out if number == 1 else out.with_name(f"{out.name}-{number}"))
        / "release.dpmap"
    ).exists():
        number += 1
    return candidate
