"""Where a release goes that is paid for and whose own place has failed meanwhile: a new folder
beside the ledger.
"""

import os
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

from dpmap.atomic_write import ROOM, new_folder
from dpmap.errors import DpmapError
from dpmap.grid import Grid
from dpmap.postgresql import is_postgresql
from dpmap.record import Record

PathLike = str | os.PathLike[str]
BYTES_A_CELL = 8
"""A noisy total is 8 bytes before it is packed, a label 4; packed, both together take about as
much.
"""


def room_for(grid: Grid, *, sparse: bool = False) -> int:
    """Return about how many bytes a release file of this grid takes; a sparse one lists few
    cells, nobody knows how many.
    """
    return ROOM if sparse else ROOM + BYTES_A_CELL * grid.cells_inside


def free_path(path: Path) -> Path:
    """Return the path itself, or the first numbered one beside it, where nothing is."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(place for place in chain((path,), numbered) if not os.path.lexists(place))


def ledger_folder(ledger: PathLike) -> Path:
    """Return the folder of a ledger; of one that is a table, the working folder."""
    return Path.cwd() if is_postgresql(ledger) else Path(os.path.abspath(ledger)).parent


def paid_folder(ledger: PathLike, release_id: str) -> Path:
    """Return the folder beside the ledger that a release is saved in where its own place failed: it
    is called by the release's id, which the ledger's event holds.
    """
    return ledger_folder(ledger) / f"release-{release_id}"


def save_beside_ledger(
    record: Record, ledger: PathLike, save: Callable[[Path], object]
) -> Path | None:
    """Call `save` with a new folder beside the ledger, and return it; None where that fails, too.

    The ledger's disk took an event a moment ago, and its folder is the steward's own.
    """
    place = paid_folder(ledger, record.receipt.release_id)
    try:
        with new_folder(free_path(place)) as folder:
            save(folder)
    # whatever fails here, the first failure is the one to be told
    except Exception:  # noqa: BLE001
        return None
    return folder


def failed_line(failed: Exception) -> str:
    """Return the one line of a failure, whatever failed: the words of other programs' errors
    are not passed on.
    """
    return (
        failed.terminal_line
        if isinstance(failed, DpmapError)
        else f"saving failed ({type(failed).__name__})"
    )
