"""Finds the outline of a county, province or state by its name in a file inside the package:
`region:Dorset`, or `region:Amazonas, Peru`.

Natural Earth, public domain, first-order divisions of 1:10 million, simplified: borders are about
1 km coarse and of no legal standing. `assets/README.md` says where the file comes from.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, near
from dpmap.geography import countries
from dpmap.geography.countries import plain
from dpmap.geography.outlines import read_outlines

PREFIX = "region:"
COARSE_KM = 1.0
"""How far a border may lie off, about."""
MOST_LISTED = 6
FEWEST_PARTS = 3
"""So many regions of a country with another name in common are the parts of a larger one, as the
provinces of Andalucía are.
"""
Places = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NamedRegions:
    """The regions' names, with other ways to write them, the country and the larger unit that each
    belongs to, and their outlines in degrees.
    """

    names: tuple[str, ...]
    others: tuple[str, ...]
    countries: tuple[str, ...]
    larger: tuple[str, ...]
    shapes: NDArray[Any]


def name_after_prefix(area: object) -> str | None:
    """Returns the name after `region:`, or nothing where an area is no such text.

    >>> name_after_prefix("region: Dorset"), name_after_prefix("dorset.gpkg")
    ('Dorset', None)
    """
    if not isinstance(area, str) or area[: len(PREFIX)].lower() != PREFIX:
        return None
    return area[len(PREFIX) :].strip()


def region_name(name: str) -> str | None:
    """Returns how the only region of this name is written; nothing where there is none, or several.

    >>> region_name("dorset"), region_name("England"), region_name("Amazonas")
    ('Dorset', 'England', None)
    """
    matches = _matches(name)
    return next(iter(matches)) if len(matches) == 1 else None


def full_names() -> tuple[str, ...]:
    """Returns the names of all regions, with the country where several are called alike.

    >>> [name for name in full_names() if name.startswith("Amazonas")]
    ['Amazonas, Brazil', 'Amazonas, Colombia', 'Amazonas, Peru', 'Amazonas, Venezuela']
    """
    return tuple(sorted({*_places_by_name()[1]}, key=plain))


def outline(name: str) -> tuple[NDArray[Any], dict[str, list[str]]]:
    """Returns a region's outline in degrees, with its name and country as texts; the error for an
    unknown name lists the nearest ones, and that for a name of several regions says how to tell
    them apart.
    """
    import shapely

    matches = _matches(name)
    printable = _printable(name)
    if not matches:
        hint = near(name, full_names()) or f"; write it like {PREFIX}Dorset, or give its file"
        raise BadInput(f"area: no region is named {printable!r}{hint}")
    if len(matches) > 1:
        listed = [f'"{PREFIX}{full}"' for full in sorted(matches)]
        more = f" and {len(listed) - MOST_LISTED} more" if len(listed) > MOST_LISTED else ""
        ways = ", ".join(listed[:MOST_LISTED])
        raise BadInput(f"area: several regions are named {printable!r}; write {ways}{more}")
    ((full, places),) = matches.items()
    regions = _read_regions()
    whole = shapely.union_all(regions.shapes[list(places)])
    return np.array([whole]), {"name": [full], "country": [regions.countries[places[0]]]}


def borders_within(box: tuple[float, float, float, float]) -> NDArray[Any]:
    """Returns the borders of the regions in a box of degrees (west, south, east, north)."""
    import shapely

    shapes = _read_regions().shapes
    frame = shapely.box(*box)
    near = shapes[shapely.intersects(frame, shapely.envelope(shapes))]
    lines = shapely.clip_by_rect(shapely.boundary(near), *box)
    borders: NDArray[Any] = shapely.get_parts(shapely.line_merge(shapely.union_all(lines)))
    return borders


def _printable(name: str) -> str:
    """Returns a name as it was typed, on one line and not at any length."""
    return "".join(mark if mark.isprintable() else " " for mark in name)[:60]


def _matches(name: str) -> dict[str, Places]:
    """Returns the regions that a name stands for: each full name with its places in the list."""
    by_plain, by_full = _places_by_name()
    return {full: by_full[full] for full in by_plain.get(plain(name), ())}


@lru_cache(maxsize=1)
def _places_by_name() -> tuple[dict[str, set[str]], dict[str, Places]]:
    """Maps each name made plain to the full names that it stands for, and those to their places.

    Names of one country that are alike stand for one region of several parts. A name that a region
    is also known by counts where no region has it as its own; one that several regions share stands
    for all of them.
    """
    regions = _read_regions()
    own = _group_places(enumerate(zip(regions.names, regions.countries, strict=True)))
    larger = enumerate(zip(regions.larger, regions.countries, strict=True))
    own |= _group_places((place, key) for place, key in larger if key[0])
    countries_of = defaultdict[str, set[str]](set)
    for name, country in own:
        countries_of[plain(name)].add(country)
    by_plain = defaultdict[str, set[str]](set)
    by_full: dict[str, Places] = {}
    for (name, country), places in own.items():
        full = name if len(countries_of[plain(name)]) == 1 else f"{name}, {country}"
        by_full[full] = (*by_full.get(full, ()), *places)
        _enter(by_plain, name, country, {full})
    full_of = {place: full for full, places in by_full.items() for place in places}
    full_of |= {
        place: name for name, places in by_full.items() if len(places) == 1 for place in places
    }
    taken = set(by_plain)
    others = (
        (place, (other, regions.countries[place]))
        for place, texts in enumerate(regions.others)
        for other in texts.split("|")
        if other and plain(other) not in taken
    )
    spelled: dict[str, str] = {}
    for (typed, country), places in _group_places(others).items():
        other = spelled.setdefault(plain(typed), typed)
        if len(places) < FEWEST_PARTS:
            _enter(by_plain, other, country, {full_of[place] for place in places})
        else:
            by_full.setdefault(other, places)
            _enter(by_plain, other, country, {other})
    return by_plain, by_full


def _group_places(named: Iterable[tuple[int, tuple[str, str]]]) -> dict[tuple[str, str], Places]:
    """Returns the places of each name within its country."""
    grouped = defaultdict[tuple[str, str], list[int]](list)
    for place, key in named:
        grouped[key].append(place)
    return {key: tuple(places) for key, places in grouped.items()}


def _enter(by_plain: dict[str, set[str]], name: str, country: str, full: set[str]) -> None:
    """Adds what a name stands for, by itself and with its country."""
    for text in (name, f"{name}, {country}"):
        by_plain[plain(text)].update(full)


@lru_cache(maxsize=1)
def _read_regions() -> NamedRegions:
    shapes, texts = read_outlines("regions.npz", ("names", "others", "countries", "larger"))
    return NamedRegions(**texts, shapes=shapes)


def coarseness_km(area: object) -> float:
    """Returns how far the outline of an area may lie off, in kilometres; 0 where it is not a named
    land's.

    >>> coarseness_km("country:Kenya"), coarseness_km("Region:Dorset"), coarseness_km("a.gpkg")
    (2.0, 1.0, 0.0)
    """
    if countries.name_after_prefix(area) is not None:
        return countries.COARSE_KM
    return COARSE_KM if name_after_prefix(area) is not None else 0.0


def find_named_land(name: str) -> str:
    """Returns a country or region that somebody named as an area is written; the error for an
    unknown name lists the nearest ones of both.

    >>> find_named_land("kenya"), find_named_land("dorset")
    ('country:Kenya', 'region:Dorset')
    """
    if country := countries.country_name(name):
        return countries.PREFIX + country
    matches = _matches(name)
    if len(matches) == 1:
        return PREFIX + next(iter(matches))
    if matches:
        outline(name)  # says how to tell them apart
    hint = near(name, (*countries.names(), *full_names()))
    raise BadInput(
        f"area: no country or region is named {_printable(name)!r}"
        f"{hint or '; choose a file of its outline, or draw it'}",
        option="area",
    )


def suggest_lands(typed: str, most: int = 12) -> list[str]:
    """Returns the countries and regions whose names hold what was typed, those that begin so first.

    >>> suggest_lands("dors"), suggest_lands("kenia")
    (['Dorset'], [])
    """
    wanted = plain(typed)
    if not wanted:
        return []
    known = _known_lands()
    beginning = [name for text, name in known if text.startswith(wanted)]
    within = [name for text, name in known if f" {wanted}" in text and name not in beginning]
    return [*beginning, *within][:most]


@lru_cache(maxsize=1)
def _known_lands() -> tuple[tuple[str, str], ...]:
    """Returns every name as it is searched for and as it is shown; a region that is called like a
    country with the country that it lies in.
    """
    names = list(countries.names())
    named = {plain(name) for name in names}
    regions = _read_regions()
    for full, places in _places_by_name()[1].items():
        is_taken = plain(full) in named
        names.append(f"{full}, {regions.countries[places[0]]}" if is_taken else full)
    return tuple((plain(name), name) for name in sorted(set(names), key=plain))
