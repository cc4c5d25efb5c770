"""Tells whether a definition of a CRS names files: PROJ would open them, whatever they are.

A CRS is a code, or a definition without files. PROJ reads WKT, PROJJSON and its own strings, and
each can name a grid of shifts or a file of definitions by a path (`PARAMETERFILE`, `+nadgrids`,
`+init`); PROJ and GDAL open that path when they only look at the definition. So the text is looked
at first.
"""

import json
import mmap
import os
import re

LONGEST = 1 << 16
"""Characters of a definition; the longest of EPSG's has some 10,000."""
_PROJ = re.compile(
    r"grids\s*=\s*(?!@null(?![^\s,\"]))|(?:file|catalog|model|xy_src|t_obs_file)\s*=|"
    r"\binit\s*=\s*(?!(?:epsg|esri):\d)|\bproj\s*=\s*pipeline|\bstep\b|[=,]\s*\.{0,2}[/~\\]",
    re.IGNORECASE,
)
"""What names files in a PROJ string: `@null` is PROJ's word for no grid."""
_WKT = re.compile(r"parameterfile|proj4_grids", re.IGNORECASE)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_RAW = re.compile(
    rb"parameterfile|proj4_grids|\"PROJ4\"\s*,\s*\"[^\"]{0,4096}|\"PROJ[- ][^\"]{0,4096}",
    re.IGNORECASE,
)


def names_files(text: str) -> bool:
    """Return whether this definition names a file, or is too long or too deep to tell.

    >>> names_files("EPSG:27700"), names_files("+proj=longlat +nadgrids=/tmp/x.gsb +type=crs")
    (False, True)
    >>> names_files("+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext")
    False
    """
    if len(text) > LONGEST:
        return True
    plain = text.strip()
    if plain.startswith("{"):
        try:
            return _json_names_files(json.loads(plain))
        except (ValueError, RecursionError):
            return True
    if "[" in plain or "(" in plain:
        strings = (found[1] for found in _QUOTED.finditer(plain))
        return bool(_WKT.search(plain)) or any(_looks_like_proj(string) for string in strings)
    return bool(_PROJ.search(plain))


def _looks_like_proj(text: str) -> bool:
    """Return whether a text within a definition is a PROJ string that names files."""
    return ("=" in text) and bool(_PROJ.search(text))


def _json_names_files(value: object, key: str = "") -> bool:
    """Return whether PROJJSON has a parameter whose value is a text, or a PROJ string with
    files.
    """
    if isinstance(value, dict):
        return any(_json_names_files(one, str(name)) for name, one in value.items())
    if isinstance(value, list):
        return any(_json_names_files(one) for one in value)
    return isinstance(value, str) and (key == "value" or _looks_like_proj(value))


def file_names_files(path: str) -> bool:
    """Return whether somewhere in a file's bytes a CRS is defined by other files.

    For kinds whose definitions stand among binary values, in ASCII or in UTF-16.
    """
    if not os.path.getsize(path):
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if any(_raw_names_files(found[0]) for found in _RAW.finditer(content)):
            return True
        return any(
            _wide(word) in content
            for word in ("PARAMETERFILE", "ParameterFile", "PROJ4", "PROJ-based")
        )


def bytes_name_files(content: bytes) -> bool:
    """Return whether a CRS is defined by other files in these bytes."""
    return any(_raw_names_files(found[0]) for found in _RAW.finditer(content))


def _raw_names_files(found: bytes) -> bool:
    if not found.startswith(b'"'):
        return True
    return bool(_PROJ.search(found.decode("latin-1")))


def _wide(word: str) -> bytes:
    return word.encode("utf-16-le")
