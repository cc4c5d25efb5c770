"""Lists where a dpmap may be on this machine; a folder that hangs on where QGIS runs is never among them."""

import os
import sys

from .surroundings import sure

NAME = "dpmap.exe" if os.name == "nt" else "dpmap"


def on_path(name=NAME, path=None):
    """Lists the programs of this name on the PATH, first to last."""
    path = os.environ.get("PATH", "") if path is None else path
    places = (os.path.join(folder, name) for folder in sure(path).split(os.pathsep) if folder)
    return _once(place for place in places if os.path.isfile(place))


def usual(name=NAME):
    """Lists the programs of this name where installers put them: a program with a window may not see the PATH of a terminal."""
    return [place for folder in _folders() if os.path.isfile(place := os.path.join(folder, name))]


def _folders():
    home = os.path.expanduser("~")
    if os.name == "nt":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return [
            os.path.join(local, "Programs", "dpmap"), os.path.join(home, ".local", "bin"), os.path.join(home, "pipx", "venvs", "dpmap", "Scripts"),
        ]  # fmt: skip
    apps = [f"{place}/Applications/dpmap.app/Contents/Resources/program" for place in ("", home)]
    everywhere = [os.path.join(home, ".local", "bin"), "/usr/local/bin", "/opt/dpmap", "/usr/bin"]
    if sys.platform == "darwin":
        return [*apps, "/opt/homebrew/bin", *everywhere, "/opt/local/bin"]
    return everywhere


def in_environment(folder):
    """Returns the words that start the dpmap of a Python environment, or None where the folder is none.

    Its Python is asked for the module: this works in an environment that was moved, too.
    """
    for python in (
        os.path.join(folder, "Scripts", "python.exe"),
        os.path.join(folder, "bin", "python"),
    ):
        if os.path.isfile(python):
            return [python, "-P", "-m", "dpmap"]
    return None


def _once(places):
    return list(dict.fromkeys(places))
