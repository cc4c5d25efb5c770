"""Finds the dpmap command: the one that is set, the one on the PATH, or the plugin's own."""

import os
import shutil

MINIMUM = (0, 2, 0)
"""The oldest dpmap that answers what the plugin asks."""


class NotFound(Exception):
    """Raised where no dpmap is found; its text says what to do."""


def found(told=""):
    """Returns the words that start dpmap: `told` by the setting, else from the PATH."""
    if told:
        if not os.path.isfile(told):
            raise NotFound(
                "dpmap is not where the settings say: choose its program again under Settings > Options > dpmap"
            )
        return [told]
    path = shutil.which("dpmap")
    if path is None:
        raise NotFound(
            "dpmap is not on this machine, or not found: choose its program under Settings > Options > dpmap"
        )
    return [path]
