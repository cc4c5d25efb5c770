"""Finds the folder in which the studio works when an icon starts it, where nobody has named one.

It stands in the home folder and not among the documents: on many machines these are copied to a
cloud, where a survey of nests must not come unasked, and a ledger must not be put back to what it
was.
"""

from pathlib import Path

from dpmap.errors import SystemFailed

NAME = "dpmap"


def own_folder(home: Path | None = None) -> tuple[Path, bool]:
    """Returns the folder `dpmap` of the home folder, and whether it was made just now."""
    folder = (home or Path.home()) / NAME
    try:
        folder.mkdir()
    except FileExistsError:
        return folder, False
    except OSError:
        raise SystemFailed(
            "studio: no folder can be made in your home folder; name another, like dpmap studio"
            " FOLDER"
        ) from None
    return folder, True
