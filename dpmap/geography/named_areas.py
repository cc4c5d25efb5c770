"""Areas that are given by a name: `country:Kenya` or `region:Dorset`."""

from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from dpmap.errors import BadInput, near
from dpmap.geography import countries, regions

COARSENESS = 1.0
"""Kilometres: the bundled outlines leave out and straighten what is smaller."""


def is_named(area: object) -> bool:
    """Whether an area is given by the name of a country or a region.

    >>> is_named("region:Dorset"), is_named("Country: KE"), is_named("dorset.gpkg")
    (True, True, False)
    """
    names = (countries.name_after_prefix(area), regions.name_after_prefix(area))
    return any(name is not None for name in names)


def outline(area: str) -> tuple[NDArray[Any], dict[str, list[str]]]:
    """Returns the outline of a named area in degrees, with its name as texts; an unknown name is
    refused with what to type.
    """
    region = regions.name_after_prefix(area)
    if region is not None:
        return regions.outline(region)
    name = countries.name_after_prefix(area) or ""
    if countries.country_name(name) is None and (mend := _advice_for_region(name)):
        raise countries.unknown(name, f"; {mend}")
    return countries.outline(name)


def advice(name: str) -> str:
    """Returns what to type for a country or a region whose name was given as a path, or nothing.

    >>> advice("kenya"), advice("districts.gpkg")
    ('for the country write --area "country:Kenya"', '')
    >>> advice("england")
    'for the region write --area "region:England"'
    """
    country = countries.country_name(name)
    if country:
        return f'for the country write --area "{countries.PREFIX}{country}"'
    return _advice_for_region(name)


def _advice_for_region(name: str) -> str:
    """Returns what to type for a region of that name, or nothing."""
    found = regions.find_regions(name)
    if not found:
        return ""
    if len(found) > 1:
        return f'for a region write --area "{regions.PREFIX}{found[0].full_name}"'
    return f'for the region write --area "{regions.PREFIX}{found[0].name}"'


def coarseness_note(area: object, cell_km: float) -> str:
    """Returns the line that says that bundled outlines are coarser than the cells; empty where
    they are not.

    >>> coarseness_note("region:Dorset", 0.5)
    'The outline of the area comes with dpmap and is about 1 km coarse, more than a cell is wide.'
    >>> coarseness_note("region:Dorset", 5), coarseness_note("dorset.gpkg", 0.5)
    ('', '')
    """
    if not is_named(area) or cell_km >= COARSENESS:
        return ""
    return (
        f"The outline of the area comes with dpmap and is about {COARSENESS:g} km coarse, more than"
        " a cell is wide."
    )


def find_named_area(name: str) -> str:
    """Returns the country or region that somebody named as an area is written; the error for an
    unknown name lists the nearest ones of both.

    >>> find_named_area("kenya"), find_named_area("dorset, united kingdom")
    ('country:Kenya', 'region:Dorset, United Kingdom')
    """
    if country := countries.country_name(name):
        return countries.PREFIX + country
    matches = regions.find_regions(name)
    if len(matches) == 1:
        return regions.PREFIX + matches[0].full_name
    if matches:
        regions.outline(name)  # refuses, and says how to tell them apart
    hint = near(name, [shown for _, shown in _known_names()])
    raise BadInput(
        f"area: no country or region is named {countries.printable(name)!r}"
        f"{hint or '; choose a file of its outline, or draw it'}",
        option="area",
    )


def suggest_names(typed: str, most: int = 10) -> list[str]:
    """Returns the countries and regions whose names begin as what was typed, then those of which a
    word does.

    >>> suggest_names("dorse"), suggest_names("keny", most=1), suggest_names(" ")
    (['Dorset, United Kingdom'], ['Kenya'], [])
    """
    wanted = countries.plain(typed)
    if not wanted:
        return []
    beginning = [name for key, name in _known_names() if key.startswith(wanted)]
    later = [name for key, name in _known_names() if f" {wanted}" in key and name not in beginning]
    return (beginning + later)[:most]


@lru_cache(maxsize=1)
def _known_names() -> tuple[tuple[str, str], ...]:
    """Returns every name made plain, with the name as it is shown; countries first."""
    names = [*countries.names(), *(region.full_name for region in regions.all_regions())]
    return tuple((countries.plain(name), name) for name in names)
