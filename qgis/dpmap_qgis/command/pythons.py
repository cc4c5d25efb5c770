"""Finds a Python that can make an environment for dpmap: QGIS's own is often too old, or cannot make one."""

import json
import os
import shutil
import sys

from .places import on_path, usual
from .standing import short

OLDEST = (3, 11)
TRIED = ((3, 12), (3, 13), (3, 11), (3, 14))
"""Which versions are looked for, in this order: wheels of all that dpmap needs come late for the newest."""
PATIENCE = 30.0
QUESTION = (
    "import sys, sysconfig, json, importlib.util as u;"
    "print(json.dumps([list(sys.version_info[:2]), sysconfig.get_platform(), bool(u.find_spec('venv') and u.find_spec('ensurepip'))]))"
)


class NoPython(Exception):
    """Raised where no Python on this machine can make the environment; its text says what to install."""


def python_for(needed=None, system=None, candidates=None):
    """Returns the words that start a Python of the version `needed` (else any from 3.11 on) on `system`, which can make environments."""
    half = other = None
    for words in _candidates(needed) if candidates is None else candidates:
        told = asked(words)
        if told is None or not _fits(told, needed):
            continue
        if system is not None and not same_system(told[1], system):
            other = other or told[1]
            continue
        if told[2]:
            return words
        half = half or told[0]
    if half is None and other is not None:
        raise NoPython(
            f"This zip is for {system}, and Python is for {other} here: get a zip that was made on a machine like this one"
        )
    wanted = "Python " + ".".join(map(str, needed or half or TRIED[0]))
    if half is not None:
        raise NoPython(
            f"{wanted} is here, but cannot make environments: install its package for that (on Debian and Ubuntu: python{'.'.join(map(str, half))}-venv)"
        )
    raise NoPython(
        f"{wanted} is not on this machine: install it from your system's packages or from python.org, and try again"
    )


def asked(words):
    """Returns a Python's version, its system, and whether it can make environments; None where it is no Python."""
    code, said, late = short([*words, "-I"], ["-c", QUESTION], PATIENCE)
    if code != 0 or late:
        return None
    try:
        version, system, able = json.loads(said)
        return tuple(version), str(system), bool(able)
    except (ValueError, TypeError):
        return None


def _fits(told, needed):
    return told[0] == needed if needed else told[0] >= OLDEST


def same_system(here, needed):
    """Whether wheels gathered on the system `needed` are for `here`. Versions of macOS are left to pip, which reads them from each wheel.

    >>> same_system("linux-x86_64", "linux-x86_64"), same_system("macosx-14.0-arm64", "macosx-11.0-arm64")
    (True, True)
    >>> same_system("win-amd64", "linux-x86_64"), same_system("macosx-11.0-universal2", "macosx-11.0-x86_64")
    (False, True)
    """
    (first, *_, kind), (other, *_, wanted) = here.split("-"), needed.split("-")
    return first == other and (kind == wanted or "universal2" in (kind, wanted))


def _candidates(needed):
    versions = (needed,) if needed else TRIED
    if os.name == "nt":
        launcher = shutil.which(
            "py", path=os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"))
        )
        for version in versions:
            if launcher:
                yield [launcher, f"-{version[0]}.{version[1]}"]
        names = ["python.exe"]
    else:
        names = [f"python{version[0]}.{version[1]}" for version in versions] + ["python3"]
    for name in names:
        for place in dict.fromkeys([*on_path(name), *usual(name), *_framework(name)]):
            yield [place]
    yield from ([place] for place in beside_qgis())


def _framework(name):
    """Where the installer of python.org puts it on macOS."""
    version = name[len("python") :]
    place = f"/Library/Frameworks/Python.framework/Versions/{version}/bin/{name}"
    return [place] if os.path.isfile(place) else []


def beside_qgis():
    """Lists the Pythons that QGIS itself brought. QGIS's own program is never among them: it would open a second QGIS."""
    base = getattr(sys, "_base_executable", "") or ""
    names = ("python.exe", "python3.exe") if os.name == "nt" else ("bin/python3",)
    places = [
        base,
        *(
            os.path.join(top, name)
            for top in (sys.base_prefix, os.path.dirname(base))
            for name in names
        ),
    ]
    return [
        one for one in dict.fromkeys(places)
        if os.path.isabs(one) and os.path.isfile(one) and os.path.basename(one).lower().startswith("python")
    ]  # fmt: skip
