"""Finds the outline of a country by its name in a file inside the package: `country:Kenya`, or
`country:KE`.

Natural Earth, public domain, 1:50 million: borders are the de facto ones that it draws, and no
statement about any dispute; coasts and borders are 1 to 2 km coarse. `assets/README.md` says where
the file comes from.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from dpmap.errors import BadInput, near
from dpmap.geography.outlines import read_outlines, read_texts

PREFIX = "country:"
ADVICE = f"; write it in English, like {PREFIX}Kenya, or its ISO code, like {PREFIX}KE"


@dataclass(frozen=True, slots=True, eq=False)
class Countries:
    """The countries' names, written out and as Natural Earth shortens them, their codes
    and their outlines in degrees.
    """

    names: tuple[str, ...]
    short: tuple[str, ...]
    codes: tuple[str, ...]
    shapes: NDArray[Any]


def names() -> tuple[str, ...]:
    """Returns the names of all countries that an area can be given by, as a list shows them.

    >>> names()[:3], len(names())
    (('Afghanistan', 'Åland', 'Albania'), 241)
    """
    return _read_countries().names


def name_after_prefix(area: object) -> str | None:
    """Returns the name after `country:`, or nothing where an area is no such text.

    >>> name_after_prefix("country: Kenya"), name_after_prefix("kenya.gpkg")
    ('Kenya', None)
    """
    if not isinstance(area, str) or area[: len(PREFIX)].lower() != PREFIX:
        return None
    return area[len(PREFIX) :].strip()


def country_name(name: str) -> str | None:
    """Returns the name of the country that is called so, or has this code; nothing if there is
    none.

    >>> country_name("cote d'ivoire"), country_name("KE"), country_name("kenya.gpkg")
    ("Côte d'Ivoire", 'Kenya', None)
    """
    place = _place_by_name().get(plain(name))
    return None if place is None else names()[place]


def outline(name: str) -> tuple[NDArray[Any], dict[str, list[str]]]:
    """Returns a country's outline in degrees, with its name and codes as texts; the error
    for an unknown name lists the nearest ones.
    """
    place = _place_by_name().get(plain(name))
    if place is None:
        raise unknown(name, name_hint(name) or ADVICE)
    countries = _read_countries()
    return countries.shapes[[place]], {
        "name": [countries.names[place]],
        "code": [countries.codes[place]],
    }


def unknown(name: str, mend: str) -> BadInput:
    """Returns the error about a name that no country has, with what to do."""
    return BadInput(f"area: no country is named {printable(name)!r}{mend}")


def name_of_code(code: str) -> str | None:
    """Returns the name of the country that has this code of two letters.

    >>> name_of_code("GB"), name_of_code("")
    ('United Kingdom', None)
    """
    return country_name(code) if code else None


def printable(name: str) -> str:
    """Returns a name as it was typed, on one line and not at any length."""
    return "".join(mark if mark.isprintable() else " " for mark in name)[:60]


def plain(name: str) -> str:
    """Returns a name without case, accents, signs and small words, so that all ways to write it are
    one.

    >>> plain("Côte d'Ivoire"), plain("Trinidad & Tobago"), plain("The Gambia")
    ('cote d ivoire', 'trinidad tobago', 'gambia')
    """
    bare = unicodedata.normalize("NFKD", name.casefold())
    words = re.findall(r"\w+", "".join(mark for mark in bare if not unicodedata.combining(mark)))
    return " ".join([word for word in words if word not in ("the", "and")] or words)


def name_hint(wanted: str) -> str:
    """Returns the few names that hold the long words of an unknown one, or else are spelled much
    like it.

    >>> name_hint("DR Congo"), name_hint("Kenia")
    (' (did you mean Congo or Democratic Republic of the Congo?)', ' (did you mean Kenya?)')
    """
    words = {word for word in plain(wanted).split() if len(word) > 3}
    holding = [name for name in names() if words and words <= set(plain(name).split())]
    if 0 < len(holding) <= 3:
        return f" (did you mean {' or '.join(holding)}?)"
    return near(wanted, names())


@lru_cache(maxsize=1)
def _place_by_name() -> dict[str, int]:
    """Maps every name and code, made plain, to its country's place in the list."""
    countries = _read_countries()
    codes = {
        plain(code): place
        for place, code_pair in enumerate(countries.codes)
        for code in code_pair.split()
    }
    by_name = {
        plain(name): place
        for texts in (countries.short, countries.names)
        for place, name in enumerate(texts)
    }
    return codes | by_name


@lru_cache(maxsize=1)
def _read_countries() -> Countries:
    """Reads the file."""
    return Countries(**read_texts("countries.npz"), shapes=read_outlines("countries.npz"))
