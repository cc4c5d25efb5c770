"""Makes the plugin's own environment for dpmap, from a zip of wheels, or from dpmap's own wheel and a download of what it needs.

dpmap itself is never asked of an index by a name, whose owner could be a stranger: the file or the address is named.

Each environment is a folder of its own, made whole and tried before a small file, `current`, names it: until that moment the earlier one
is used, and one that was not finished is wiped.
"""

import os
import re
import secrets
import shutil
import time
import urllib.parse
from contextlib import contextmanager, suppress
from pathlib import Path

from . import held, places, pythons, standing, stopping, wheels
from .child import LOOKED_EVERY, Child
from .private import private_folder

CURRENT = "current"
NAME = re.compile(r"[0-9a-f]{8}")
WHEEL = re.compile(r"private_heatmaps-\d[\w.+!]*-py3-none-any\.whl", re.ASCII)
EXTRAS = "private-heatmaps[hex]"
PATIENCE = 10.0
ROOM, LEAST = 5, 1 << 26
"""An environment takes four times the bytes of its zip, which lies unpacked beside it meanwhile; with fewer bytes left than this a disk is full."""
QUIET = ("--disable-pip-version-check", "--no-input", "--no-color", "--quiet")


class NotMade(Exception):
    """Raised where no environment was made; its text says why. The earlier one is as it was."""


class Stopped(NotMade):
    """Raised where somebody stopped it."""


def current(top):
    """Returns the folder of the environment in use, or None."""
    try:
        with open(os.path.join(top, CURRENT), encoding="ascii") as file:
            name = file.read(64).strip()
    except (OSError, ValueError):
        return None
    folder = os.path.join(top, name, "env")
    return folder if NAME.fullmatch(name) and os.path.isdir(folder) else None


def from_zip(path, top, said=None, stopped=None, candidates=None):
    """Makes the environment from a zip of wheels, with no network; returns its folder."""
    steps = _Steps(said, stopped)
    steps.say("looking at the zip", 0.0)
    try:
        known = wheels.looked_at(path)
        python = pythons.python_for(known.python, known.system, candidates)
        with _made_aside(top) as folder:
            _look_for_room(folder, ROOM * known.size)
            place = os.path.join(folder, "wheels")
            os.mkdir(place, 0o700)
            if not wheels.unpacked(
                path, place, lambda part: steps.say("unpacking", 0.05 + 0.15 * part), stopped
            ):
                raise Stopped("Stopped: no environment was made, and the earlier one is as it was")
            words = [
                "--isolated",
                "install",
                *QUIET,
                "--no-index",
                "--find-links",
                ".",
                *(f"./{one}" for one in known.names),
            ]
            _fill(folder, python, words, place, steps)
            _remove(place)
            return _named(top, folder, steps)
    except (wheels.BadZip, pythons.NoPython) as error:
        raise NotMade(str(error)) from None
    except OSError:
        _no_room()


def by_download(wheel, top, said=None, stopped=None, candidates=None):
    """Makes the environment from dpmap's own wheel, a file or an https address; what it needs comes from the index that pip is set to.

    Returns the environment's folder.
    """
    steps = _Steps(said, stopped)
    wanted = named(wheel)
    steps.say("looking for a Python", 0.0)
    try:
        python = pythons.python_for(candidates=candidates)
        with _made_aside(top) as folder:
            words = ["install", *QUIET, "--no-user", "--only-binary", ":all:", wanted]
            _fill(folder, python, words, None, steps)
            return _named(top, folder, steps)
    except pythons.NoPython as error:
        raise NotMade(str(error)) from None
    except OSError:
        _no_room()


def named(wheel):
    """Returns what pip is told of dpmap's own wheel: the file, or the address, that somebody named. Never a name that an index looks up.

    >>> named("https://maps.example/private_heatmaps-0.3.0-py3-none-any.whl")
    'private-heatmaps[hex] @ https://maps.example/private_heatmaps-0.3.0-py3-none-any.whl'
    """
    place = wheel.strip().strip('"')
    if os.path.isabs(place) and WHEEL.fullmatch(os.path.basename(place)) and os.path.isfile(place):
        return f"{EXTRAS} @ {Path(place).as_uri()}"
    if _is_address(place):
        return f"{EXTRAS} @ {place}"
    raise NotMade(
        "This names no wheel of dpmap: write the path of a file, or an address that begins with https, that ends in private_heatmaps-VERSION-py3-none-any.whl"
    )


def _is_address(place):
    try:
        parts = urllib.parse.urlsplit(place)
    except ValueError:
        return False
    plain = place.isascii() and place.isprintable() and " " not in place and "@" not in parts.netloc
    return (
        plain
        and parts.scheme == "https"
        and bool(parts.hostname)
        and WHEEL.fullmatch(parts.path.split("/")[-1]) is not None
    )


def sweep(top):
    """Wipes environments that are not in use, and those that were never finished; one that is being made stays."""
    folder = current(top)
    spare = () if folder is None else (os.path.basename(os.path.dirname(folder)),)
    if os.path.isdir(top):
        held.sweep(top, spare=spare)


class _Steps:
    def __init__(self, said, stopped):
        self._said, self._stopped = said, stopped

    def say(self, step, fraction):
        if self._said is not None:
            self._said(step, fraction)
        self.look()

    def look(self):
        if self._stopped is not None and self._stopped():
            raise Stopped("Stopped: no environment was made, and the earlier one is as it was")


@contextmanager
def _made_aside(top):
    """Gives a new folder that is held; it is wiped unless the block names it as the one in use."""
    os.makedirs(top, mode=0o700, exist_ok=True)
    folder = os.path.join(top, secrets.token_hex(4))
    os.mkdir(folder, 0o700)
    lock = held.hold(folder)
    try:
        yield folder
    finally:
        if current(top) == os.path.join(folder, "env"):
            os.close(lock)
        else:
            held.wipe(folder, lock)


def _fill(folder, python, words, wheelhouse, steps):
    """Makes the environment and puts the packages into it."""
    env = os.path.join(folder, "env")
    steps.say("making the environment", 0.2)
    if _ran([*python, "-I"], ["-m", "venv", env], steps):
        _look_for_room(folder)
        raise NotMade(
            "Python could not make an environment: install its package for that (on Debian and Ubuntu: python3-venv)"
        )
    steps.say("installing dpmap" if wheelhouse else "downloading what dpmap needs", 0.3)
    program = places.in_environment(env)
    if program is None or _ran([program[0], "-m", "pip"], words, steps, wheelhouse):
        _look_for_room(folder)
        raise NotMade(
            "The wheels do not fit together, or not this machine: get a zip that was made on a machine like this one" if wheelhouse else
            "pip could not download what dpmap needs: ask who looks after this machine for its proxy and index, or take a zip of wheels"
        )  # fmt: skip


def _look_for_room(folder, least=LEAST):
    """Says so where the disk is full, or will be."""
    if shutil.disk_usage(folder).free < least:
        _no_room()


def _no_room():
    raise NotMade(
        "The environment cannot be written: free some room on the disk of QGIS's profile (some 1.5 GB while it is made)"
    ) from None


def _ran(program, words, steps, wheelhouse=None):
    """Runs a step to its end, or ends it by force where somebody stops it: nothing can have been spent. Returns its exit code."""
    with private_folder() as private:
        shut = () if wheelhouse is None else (("PIP_CONFIG_FILE", os.devnull),)
        child = Child(
            program, words, private, fetching=wheelhouse is None, folder=wheelhouse, more=dict(shut)
        )
        try:
            while not child.ended:
                steps.look()
                child.wait(LOOKED_EVERY)
        finally:
            if not child.ended:
                stopping.by_force(child.process)
                child.wait(PATIENCE)
        return child.process.returncode


def _named(top, folder, steps):
    """Tries the environment, and only then names it as the one in use."""
    steps.say("trying it", 0.9)
    env = os.path.join(folder, "env")
    told = standing.standing(places.in_environment(env))
    if not told.good:
        raise NotMade(f"The dpmap in it cannot be used: {told.says}")
    steps.look()
    aside = os.path.join(folder, CURRENT)
    with open(aside, "w", encoding="ascii") as file:
        file.write(os.path.basename(folder))
        file.flush()
        os.fsync(file.fileno())
    _replaced(aside, os.path.join(top, CURRENT))
    if steps._said is not None:  # noqa: SLF001  # the end is told, and not stopped any more
        steps._said("done", 1.0)  # noqa: SLF001
    return env


def _replaced(aside, place):
    for _ in range(10):
        with suppress(PermissionError):  # another QGIS reads it just now, on Windows
            return os.replace(aside, place)
        time.sleep(LOOKED_EVERY)
    return os.replace(aside, place)


def _remove(place):
    for name in os.listdir(place):
        os.unlink(os.path.join(place, name))
    os.rmdir(place)
