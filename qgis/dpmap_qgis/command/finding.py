"""Finds the dpmap command: the one that is set, the one on the PATH, or the plugin's own."""

import os

from . import places
from .standing import MINIMUM, standing, written

__all__ = ["MINIMUM", "Found", "NotFound", "found", "looked"]

CHOOSE = "under Settings > Options > dpmap"
SETTING, PATH, USUAL, OWN = (
    "the setting",
    "the PATH",
    "a usual place",
    "the plugin's own environment",
)


class NotFound(Exception):
    """Raised where no dpmap is found; its text says what to do."""


class Found:
    """A dpmap that the plugin can work with: the words that start it, `where` it was found, and its standing."""

    def __init__(self, words, where, told):
        self.words, self.where, self.standing = words, where, told


def found(told="", own=None):
    """Returns the words that start dpmap: `told` by the setting, else from the PATH, else the plugin's own."""
    return looked(told, own).words


def looked(told="", own=None):
    """Finds dpmap and says where; raises NotFound with one line for people.

    What somebody chose is taken or refused: another one in its place would be a surprise. Else the first that works is taken.
    `own` is the folder of the plugin's own environments; by default the one in QGIS's profile.
    """
    if told:
        return _chosen(told)
    worst = None
    for words, where in _candidates(own):
        answer = standing(words)
        if answer.good:
            return Found(words, where, answer)
        worst = (
            worst or f"The dpmap of {where} cannot be used: {answer.says}. Choose another {CHOOSE}"
        )
    raise NotFound(
        worst or f"dpmap is not on this machine, or not found: choose its program, or a zip of wheels to make it from, {CHOOSE}"
    )  # fmt: skip


def _chosen(told):
    words = places.in_environment(told) if os.path.isdir(told) else [told]
    if not os.path.isabs(told) or words is None:
        raise NotFound(
            f"What the settings name is no program and no folder of a Python environment: choose it again {CHOOSE}"
        )
    answer = standing(words)
    if answer.kind == "missing":
        raise NotFound(f"dpmap is not where the settings say: choose its program again {CHOOSE}")
    if not answer.good:
        raise NotFound(
            f"The dpmap of the settings cannot be used: {answer.says}. Choose another {CHOOSE}"
        )
    return Found(words, SETTING, answer)


def _candidates(own):
    for place in places.on_path():
        yield [place], PATH
    environment = _own() if own is None else own
    if environment:
        from .own import current

        if (folder := current(environment)) is not None and (
            words := places.in_environment(folder)
        ):
            yield words, OWN
    for place in places.usual():
        yield [place], USUAL


def _own():
    """Returns the folder of the plugin's own environments; without QGIS there is none."""
    try:
        from .settings import own_environments
    except ImportError:
        return None
    return own_environments()


def minimum():
    """Returns the oldest version that can be used, as people write it."""
    return written(MINIMUM)
