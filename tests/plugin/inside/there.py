"""Looks up each name of Qt and QGIS that the plugin's files use, and tells those that are not there.

/usr/bin/python3 there.py FOLDER           # in the QGIS of this machine
python there.py FOLDER PyQt6               # Qt's own names with Qt 6, wherever PyQt6 is installed
"""

import importlib
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from builders.plugin_code import FILES, chains, imported, named  # noqa: E402

MOVED = {"QAction": "QtGui", "QActionGroup": "QtGui", "QShortcut": "QtGui"}
"""What Qt 6 keeps elsewhere; `qgis.PyQt` has it in both places."""


def module(name, binding):
    return importlib.import_module(name.replace("qgis.PyQt", binding) if binding else name)


def found(name, parts, binding):
    held = module(
        f"{binding}.{MOVED[parts[0]]}" if binding and parts[0] in MOVED else name,
        "" if parts[0] in MOVED else binding,
    )
    for part in parts:
        if not hasattr(held, part):
            return False
        held = getattr(held, part)
    return True


def main(binding=""):
    missing = []
    for path in FILES:
        names = {
            (where, (name,)) for where, name in imported(path) if where.startswith("qgis.") and name
        }
        names |= {(where, tuple(parts)) for where, parts, _ in chains(path)}
        looked = {
            (where, parts): found(where, parts, binding)
            for where, parts in sorted(names)
            if where.startswith("qgis.PyQt.") or not binding
        }
        there = {
            parts for (_, parts), good in looked.items() if good
        }  # a file may look in two places for one name
        missing += [
            f"{named(path)}: {where}.{'.'.join(parts)}"
            for where, parts in looked
            if parts not in there
        ]
    print("JSON" + json.dumps(missing))
    sys.stdout.flush()
    os._exit(0)


main(*sys.argv[1:])
