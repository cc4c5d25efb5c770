"""Remembers in a project where its ledger is: a place relative to the project, and nothing of what stands in the ledger."""

import os

from qgis.core import QgsProject

SCOPE, KEY = "dpmap", "ledger"


def ledger(project=None):
    """Returns the path of the project's ledger, or "" where none is remembered."""
    project = project or QgsProject.instance()
    kept = project.readEntry(SCOPE, KEY, "")[0]
    home = project.homePath()
    if not kept or os.path.isabs(kept):
        return ""
    return os.path.normpath(os.path.join(home, kept)) if home else ""


def remember(path, project=None):
    """Keeps it; a project that has no place yet, or one on another drive, keeps nothing, since a whole path may name its user."""
    project = project or QgsProject.instance()
    home = project.homePath()
    if not home:
        return False
    if not path:
        project.removeEntry(SCOPE, KEY)
        return True
    try:
        place = os.path.relpath(path, home)
    except ValueError:  # another drive
        return False
    project.writeEntry(SCOPE, KEY, place.replace(os.sep, "/"))
    return True
