"""Says in which surroundings dpmap runs: its own, since QGIS's Python, GDAL and PROJ are others than dpmap's."""

import os

CLEARED = (
    "PYTHONHOME", "PYTHONPATH", "PYTHONEXECUTABLE", "VIRTUAL_ENV", "PYTHONUSERBASE", "QGIS_PREFIX_PATH", "QGIS_PLUGINPATH",
    "PROJ_DATA", "PROJ_LIB", "GDAL_DATA", "GDAL_DRIVER_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD",
)  # fmt: skip
BEGINNINGS = ("PIP_", "DYLD_")


def environment(private, given=None):
    """Returns the environment of the command; `private` is the folder in which it may put what is only for a while."""
    given = os.environ if given is None else given
    kept = {name: value for name, value in given.items() if name not in CLEARED and not name.startswith(BEGINNINGS)}
    own = {"PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    return {**kept, **own, "TMPDIR": private, "TEMP": private, "TMP": private}
