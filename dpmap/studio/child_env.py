"""Says in which surroundings a command of the studio runs: nothing of the survey's folder is
loaded as a program.
"""

import os
import subprocess
import sys
from typing import Any

FOREIGN = ("PYTHON", "_DPMAP", "_TYPER", "TYPER_")
PYTHONS_OWN = ("PYTHONPATH", "PYTHONUSERBASE", "PYTHONNOUSERSITE", "PYTHONDONTWRITEBYTECODE")
"""Settings that make a command load, print or keep more begin so; and what it keeps of Python's
own.
"""
PLACES = (
    "PATH",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_INSERT_LIBRARIES",
    "GDAL_DRIVER_PATH",
    "GDAL_CONFIG_FILE",
    "GDAL_DATA",
    "PROJ_DATA",
    "PROJ_LIB",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "MPLCONFIGDIR",
    "MATPLOTLIBRC",
)
"""Lists of places from which programs are loaded: one that is empty or relative would mean the
folder of the survey.
"""


def environment() -> dict[str, str]:
    """Returns the environment of a command, without what would make Python start otherwise."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(FOREIGN) or name in PYTHONS_OWN
    }
    sure = {name: _sure(inherited.pop(name)) for name in PLACES if name in inherited}
    inherited |= {name: places for name, places in sure.items() if places}
    return {
        **inherited,
        "PYTHONSAFEPATH": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }


def _sure(places: str) -> str:
    """Returns a list of places without those that depend on the folder in which a program runs.

    >>> _sure(os.pathsep.join(["", os.path.abspath("a"), "b", "./c"])) == os.path.abspath("a")
    True
    """
    return os.pathsep.join(one for one in places.split(os.pathsep) if os.path.isabs(one))


def start_apart() -> dict[str, Any]:
    """Starts a command in a group of its own: Ctrl-C in the studio's terminal does not reach it,
    and no window opens.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
