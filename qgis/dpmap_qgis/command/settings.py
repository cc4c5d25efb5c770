"""Keeps what the user chose, in QGIS's own settings."""

from qgis.core import QgsSettings

PROGRAM = "dpmap/program"


def program():
    """Returns the path of the program that was chosen; empty where none was."""
    return str(QgsSettings().value(PROGRAM, "") or "")
