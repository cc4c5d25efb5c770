"""Names what stands in a release's folder: files, what they are, their media types, and the
folders of layers.
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dpmap.grid import Grid
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import slug

SAVED = "release.dpmap"
MEDIA = {
    ".dpmap": "application/zip",
    ".gpkg": "application/geopackage+sqlite3",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonld": "application/ld+json",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".tif": "image/tiff",
    ".yaml": "application/yaml",
    ".zip": "application/zip",
}
LONGEST_FOLDER = 200
"""So many letters of a layer's name are in its folder's: disks take no name of more than 255."""
TITLES = {
    "release.dpmap": (
        "The release itself: its noisy numbers as drawn, from which dpmap makes every other file"
        " again"
    ),
    "statement.md": "What the map promises, to whom, and how sure it is",
    "statement.html": "The same, to be printed",
    "privacy.yaml": "The release in the words of the OpenDP registry of deployments",
    "map.png": "The map as a picture",
    "map.html": "The map as a page that needs no network",
    "map.tif": "The map as a raster",
    "cells.gpkg": "The cells as layers of a GeoPackage, with their intervals",
    "cells.parquet": "The cells that are listed, as GeoParquet",
    "attestation.md": "What a board or an auditor asks, each answer with its evidence",
    "attestation.json": "The same answers for programs",
    "attestation.html": "The same answers, to be printed",
    "for-the-protected.html": (
        "What can be learned about the person who is protected, in half a page"
    ),
    "for-the-planner.html": "What a planner may conclude, with the map, on one page",
    "for-the-planner.pdf": "The same page, to be printed",
    "planner.zip": "The files that a planner is handed",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """Names a file by its place in the release's folder, as an address has it; `layer` names the
    layer that it is of, if of one.
    """

    place: str
    layer: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name."""
        return PurePosixPath(self.place).name

    @property
    def title(self) -> str:
        """What it is, in a few words; a layer's with its names."""
        words = TITLES.get(self.name, self.name)
        return f"{', '.join(self.layer)}: {words}" if self.layer else words

    @property
    def media(self) -> str:
        """Its media type."""
        return MEDIA.get(PurePosixPath(self.place).suffix, "application/octet-stream")


def layer_folders(record: Record) -> dict[tuple[str, ...], str]:
    """Names a folder for each layer, with numbers so that no two names are the same; empty for a
    single map.
    """
    return folders_of(record.grid)


def folders_of(grid: Grid) -> dict[tuple[str, ...], str]:
    """Names the folders of the layers that a grid has."""
    named = [names for names in grid.maps if names]
    return {
        names: f"{number:02d}-{slug(' '.join(names))[:LONGEST_FOLDER]}"
        for number, names in enumerate(named, start=1)
    }


def standing(record: Record) -> list[Standing]:
    """Lists what stands in the folder besides its metadata: at the top, then of each layer."""
    words = map_statement(record)
    folders = layer_folders(record)
    single = tuple(
        name for name in words.layers if name != "map.tif" or record.grid.kind == "squares"
    )
    top = [SAVED, *(name for name in words.files if "/" not in name), *(() if folders else single)]
    below = [
        Standing(f"{folder}/{name}", names)
        for names, folder in folders.items()
        for name in ("map.png", *single)
    ]
    return [Standing(name) for name in top] + below


def list_saved_files(record: Record, saved: Path) -> list[Standing]:
    """Lists the files of a release that stand where it is saved; none where it has another name
    than in its folder, which may be another's.
    """
    if saved.name != SAVED:
        return []
    metadata = [Standing(name) for name in map_statement(record).files if "/" in name]
    return [one for one in (*standing(record), *metadata) if (saved.parent / one.place).is_file()]
