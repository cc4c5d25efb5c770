"""Fills the folder of a release, for every command that makes one."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpmap.errors import BadInput, SystemFailed

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


def refuse_unknown(only: Sequence[str] | None, grid: "Grid") -> None:
    """Refuses a name in `--only` that no file of such a folder has."""
    from dpmap.statement.file_names import CATALOGUED
    from dpmap.statement.folder import TITLES

    files = (*TITLES, *CATALOGUED)
    names = [name for name in files if grid.kind == "squares" or name not in RASTERS]
    for name in only or ():
        if name not in names:
            raise BadInput(
                f"--only: no file of a release's folder is called so; there are {', '.join(names)}"
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


DRAWN = ("map.html", "map.png")
DRESSED = ("cells", "map")
"""The files, by their stems, that have a style beside them in some formats."""
RASTERS = ("map.tif", "stac.json")
"""The files that only a map of square cells has."""


def save_all(
    made: "Release",
    place: Path,
    progress: Callable[[str], None],
    context: Any = True,
    *,
    missing: bool = False,
    only: Sequence[str] | None = None,
) -> list[Path]:
    """Saves the release file first, so that a later failure loses nothing paid for; then all files
    made from it, or those that are `missing`, or `only` those of these names. Each file is there
    whole or not at all.

    Of layers one picture and one page show all, and each has its own files in a folder of its own.
    `context` is drawn with each picture and page.
    """
    from dpmap.releases.planner_files import ENCLOSED
    from dpmap.statement.file_names import ENVELOPE
    from dpmap.statement.kinds import map_statement

    # the archive is of files that stand beside it
    names = {*(only or ()), *(ENCLOSED if only and ENVELOPE in only else ())}
    written = [] if missing else [place / "release.dpmap"]
    if not (place / "release.dpmap").exists():
        progress("saving the release")
        made.save(place / "release.dpmap")
    files = map_statement(made.record).files
    single = map_statement(made.record).layers
    todo = [(made, place / name) for name in (files if made.layers else files + single)]
    for folder, layer in _folders(made, place).items():
        todo += [(layer, folder / name) for name in ("map.png", *single)]
    # what is enclosed in the archive is there before it
    todo.sort(key=lambda release_path: release_path[1].name == ENVELOPE)
    within = {path.parent for _, path in todo} - {place}
    for folder in within:
        _unlink(folder)
    try:
        for release, path in todo:
            if (
                (path.name in RASTERS and made.grid.kind != "squares")
                or (names and path.name not in names)
                or (missing and _is_whole(path))
            ):
                continue
            progress(f"writing {path.relative_to(place)}")
            if path.parent in within:
                _make_folder(path.parent)
            written += _write_file(release, path, context)
    except Exception:
        typer.echo(
            f"{place / 'release.dpmap'} is safe; dpmap release --resume {place} makes the rest from"
            " it at no cost"
        )
        raise
    return written


def _write_file(release: "Release", path: Path, context: Any) -> list[Path]:
    """Writes a file beside the release, with `context` where it is a map; returns what was made."""
    from dpmap.statement.file_names import PLANNER

    if context is True or path.name not in (*DRAWN, *PLANNER):
        return release.write(path)
    if path.name in DRAWN:
        release.draw(path, context=context)
    else:
        from dpmap.releases.planner_files import write_planner_page

        write_planner_page(release, path, context=context)
    return [path]


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


def _is_whole(path: Path) -> bool:
    """Whether a file stands with what is written beside it, which comes after it; only maps and
    layers have such.
    """
    from dpmap.export import files_beside

    return path.exists() and (
        path.stem not in DRESSED or all(one.exists() for one in files_beside(path))
    )


def _folders(made: "Release", place: Path) -> "dict[Path, Release]":
    """Names a folder for each layer."""
    from dpmap.statement.folder import layer_folders

    return {
        place / folder: made.layers[names] for names, folder in layer_folders(made.record).items()
    }


def _unlink(folder: Path) -> None:
    """Takes away a link that stands for a folder within the release's: like a file's, it is not
    followed to where it leads.
    """
    if folder.is_symlink():
        folder.unlink()


def _make_folder(folder: Path) -> None:
    """Makes a folder within the release's, if it is not there."""
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        raise SystemFailed(
            f"{folder.name} is a file, and has to be a folder; move the file away"
        ) from None


def free_folder(out: Path) -> Path:
    """Returns the folder itself, or the first numbered one beside it that holds no release yet."""
    number = 1
    while (
        (candidate := out if number == 1 else out.with_name(f"{out.name}-{number}"))
        / "release.dpmap"
    ).exists():
        number += 1
    return candidate
