"""Fills a folder with a release and all files that are made from it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dpmap.errors import BadInput, SystemFailed
from dpmap.private_folder import private_folder
from dpmap.store_results import RELEASE, check_store, is_there, put_folder
from dpmap.stores import Location, is_url, spell

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.record import Record

SAVED = RELEASE
Place = str | os.PathLike[str]
DRAWN = ("map.html", "map.png")
DRESSED = ("cells", "map")
"""The files, by their stems, that have a style beside them in some formats."""
RASTERS = ("map.tif", "stac.json")
"""The files that only a map of square cells has."""


class Writable(Protocol):
    """Declares what a folder is filled from: a release that writes its own files."""

    @property
    def record(self) -> "Record":
        """The record of the release."""
        ...

    @property
    def grid(self) -> "Grid":
        """The public grid."""
        ...

    @property
    def fresh(self) -> bool:
        """Whether this process made it."""
        ...

    @property
    def layers(self) -> "dict[tuple[str, ...], Any]":
        """Each layer; empty for a single map."""
        ...

    def save(self, path: Place) -> None:
        """Write the release file."""
        ...

    def write(self, path: Place) -> list[Path]:
        """Write one of the files beside it, by its name."""
        ...


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


def fill_folder(
    release: "Writable",
    place: Path,
    progress: Callable[[str], None],
    context: Any,
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
    from dpmap.releases.derived_table import carry_table
    from dpmap.releases.planner_files import ENCLOSED
    from dpmap.statement.file_names import ENVELOPE
    from dpmap.statement.kinds import map_statement

    # the archive is of files that stand beside it
    names = {*(only or ()), *(ENCLOSED if only and ENVELOPE in only else ())}
    written = [] if missing else [place / SAVED]
    made_here = release.fresh or not (place / SAVED).exists()
    if not (place / SAVED).exists():
        progress("saving the release")
        release.save(place / SAVED)
    files = map_statement(release.record).files
    single = map_statement(release.record).layers
    todo = [(release, place / name) for name in (files if release.layers else files + single)]
    for folder, layer in _folders(release, place).items():
        todo += [(layer, folder / name) for name in ("map.png", *single)]
    # what is enclosed in the archive is there before it
    todo.sort(key=lambda release_path: release_path[1].name == ENVELOPE)
    within = {path.parent for _, path in todo} - {place}
    for folder in within:
        _unlink(folder)
    for part, path in todo:
        if (
            (path.name in RASTERS and release.grid.kind != "squares")
            or (names and path.name not in names)
            or (missing and _is_whole(path))
        ):
            continue
        progress(f"writing {path.relative_to(place)}")
        if path.parent in within:
            _make_folder(path.parent)
        written += _write_file(part, path, context)
    if made_here and not names:  # a file of before is left as it is, byte for byte
        progress("adding estimates to the release")
        carry_table(release, place / SAVED)
    return written


def _write_file(release: Any, path: Path, context: Any) -> list[Path]:
    """Writes a file beside the release, with `context` where it is a map; returns what was made."""
    from dpmap.statement.file_names import PLANNER

    if context is True or path.name not in (*DRAWN, *PLANNER):
        written: list[Path] = release.write(path)
        return written
    if path.name in DRAWN:
        release.draw(path, context=context)
    else:
        from dpmap.releases.planner_files import write_planner_page

        write_planner_page(release, path, context=context)
    return [path]


def _is_whole(path: Path) -> bool:
    """Whether a file stands with what is written beside it, which comes after it; only maps and
    layers have such.
    """
    from dpmap.export import files_beside

    return path.exists() and (
        path.stem not in DRESSED or all(one.exists() for one in files_beside(path))
    )


def _folders(release: "Writable", place: Path) -> dict[Path, Any]:
    """Names a folder for each layer."""
    from dpmap.statement.folder import layer_folders

    return {
        place / folder: release.layers[names]
        for names, folder in layer_folders(release.record).items()
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


def fill_new_folder(
    release: "Writable", folder: Place, context: Any, only: Sequence[str] | None
) -> list[Path]:
    """Fill a folder of this machine or of a store that holds no release yet."""
    refuse_unknown(only, release.grid)
    holds_one = "folder: it already holds a release; choose a new folder"
    if is_url(folder):
        target = Location.parse(folder, "folder", writing=True)
        if is_there(target.within(f"{target.key}/{SAVED}")):
            raise BadInput(holds_one)
        check_store(target)
        with private_folder() as here:
            place = Path(here) / "results"
            place.mkdir()
            written = fill_folder(release, place, lambda step: None, context, only=only)
            put_folder(place, target)
            return [Path(spell(folder)) / path.relative_to(place) for path in written]
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise BadInput(f"folder: {place.name} is a file; give a folder")
    if (place / SAVED).exists():
        raise BadInput(holds_one)
    place.mkdir(parents=True, exist_ok=True)
    return fill_folder(release, place, lambda step: None, context, only=only)
