"""Makes a private folder for one command, and wipes it however the command ends."""

import shutil
import tempfile
from contextlib import contextmanager


@contextmanager
def private_folder():
    """Gives a new folder that only this user can open; it is gone at the end of the block."""
    folder = tempfile.mkdtemp(prefix="dpmap-qgis-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
