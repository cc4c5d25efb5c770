"""Adds derived numbers to a release file, for readers that cannot derive them themselves.

They stand in entries of their own (`table.json`, `table_*.npy`), which no version of dpmap reads:
what it shows, it derives from the noisy answers. `docs/file-format.md` describes them.
"""

import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from dpmap.atomic_write import opened_private, written_aside
from dpmap.record.release_file import add_arrays, add_entry

TABLE = "table.json"


def append_table(
    path: "str | os.PathLike[str]", document: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> None:
    """Add a table to a release file that has none, in one step; all its other bytes stay."""
    with zipfile.ZipFile(path) as archive:
        if TABLE in archive.namelist():
            return
    content = json.dumps(document, indent=1, ensure_ascii=False).encode()
    with written_aside(path) as aside:
        with opened_private(aside) as file, open(Path(path), "rb") as saved:
            shutil.copyfileobj(saved, file)
        with zipfile.ZipFile(aside, "a", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            add_entry(archive, TABLE, content)
            add_arrays(archive, arrays)
