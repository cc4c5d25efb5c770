"""Tells the texts of a language: `language_told.py LANGUAGE [FOLDER]`."""

import sys
from pathlib import Path

from dpmap_qgis import language
from started import tell

name = "" if sys.argv[1] == "none" else sys.argv[1]
tell(language.texts(name, Path(sys.argv[2]) if len(sys.argv) > 2 else language.FOLDER))
