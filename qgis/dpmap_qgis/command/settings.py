"""Keeps what the user chose, in QGIS's own settings; nothing of a survey is ever kept there."""

import os

from qgis.core import QgsApplication, QgsSettings

PROGRAM = "dpmap/program"
CLOSED = "dpmap/panel_closed"
PAGE = "dpmapOptions"
"""The name of the plugin's page among QGIS's settings, by which `iface.showOptionsDialog` finds it."""


def program():
    """Returns the path of the program, or of the folder of a Python environment, that was chosen; empty where none was."""
    return str(QgsSettings().value(PROGRAM, "") or "")


def choose(path):
    """Keeps which program was chosen; an empty text lets it be found."""
    if path.strip():
        QgsSettings().setValue(PROGRAM, os.path.abspath(os.path.expanduser(path.strip())))
    else:
        QgsSettings().remove(PROGRAM)


def panel_closed():
    """Whether the panel was closed, and so stays closed when QGIS starts again."""
    return QgsSettings().value(CLOSED, False, type=bool)


def close_panel(closed):
    """Keeps whether the panel was closed."""
    QgsSettings().setValue(CLOSED, closed)


def own_environments():
    """Returns the folder of the plugin's own environments.

    On Windows it stands apart from QGIS's profile, which many offices copy over the network at each log-in.
    """
    local = os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else ""
    if os.path.isabs(local):
        return os.path.join(local, "dpmap-qgis", "env")
    return os.path.join(QgsApplication.qgisSettingsDirPath(), "dpmap", "env")
