"""Writes what the QGIS plugin knows of dpmap's options, from their one table, into
qgis/dpmap_qgis/data/options.json.

    PYTHONPATH=. python packaging/qgis_options.py     # after an option, a grid or a rule changed

The file holds each option of `dpmap release` that the plugin asks for: its flag, what it takes, its
default, and its choices where they are a list.
"""

import json
from pathlib import Path
from typing import get_args

from dpmap.grid.official import NAMES
from dpmap.grid.sensitive_species import PRESETS
from dpmap.options import all_options
from dpmap.promise.limiters import LIMITERS
from dpmap.survey.column_roles import ConsentBy, Missing

FILE = Path(__file__).resolve().parents[1] / "qgis" / "dpmap_qgis" / "data" / "options.json"
CHOICES = {
    "consent_by": get_args(ConsentBy),
    "grid": NAMES,
    "limiter": LIMITERS,
    "missing_unit": get_args(Missing),
    "sensitivity": PRESETS,
}


def options_as_json() -> str:
    """Return the file as it should stand."""
    options = {}
    for option in all_options():
        if not option.not_in_plugin:
            options[option.key] = {
                "flag": option.typed.removeprefix("--"),
                "kind": option.kind,
                "default": option.default,
                "choices": list(CHOICES.get(option.key, ())),
            }
    return json.dumps(options, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(options_as_json(), "utf-8", newline="\n")
