"""Makes a release's layers anew, of release.dpmap itself, in a folder of their own.

What stands beside a stranger's release is never opened: its numbers may be others, and a style may hold expressions, pictures from the web
and Python.
"""

import os

from qgis.core import QgsProcessingException, QgsProcessingUtils

from ..shown.parts import parts
from ..words import tr


def temporary():
    """Returns a folder that nobody has used; QGIS clears it when it ends."""
    return os.path.dirname(QgsProcessingUtils.generateTempFilename("cells.gpkg"))


def layers_made(algorithm, release, told, folder, feedback):
    """Writes each layer of the map into a folder that is empty: what is there already may be a stranger's, or shown in a project."""
    try:
        os.makedirs(folder, exist_ok=True)
        empty = not os.listdir(folder)
    except OSError:
        raise QgsProcessingException(tr("Folder: it cannot be made here; choose another")) from None
    if not empty:
        raise QgsProcessingException(
            tr("Folder: there is something in it already; choose a new one")
        )
    wanted = parts(told, folder)
    for done, part in enumerate(wanted, start=1):
        if feedback.isCanceled():
            return
        os.makedirs(os.path.dirname(part.geopackage), exist_ok=True)
        words = [f"--layer={part.layer}"] if part.layer else []
        algorithm.ask(
            ["export", "--json", f"--to={part.geopackage}", *words, "--", release], feedback
        )
        feedback.setProgress(100 * done / len(wanted))
