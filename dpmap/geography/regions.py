"""Finds the outline of a county, province or state by its name in a file inside the package:
`region:Dorset`, or `region:Amazonas, Brazil`.

Natural Earth, public domain, 1:10 million: coasts and borders are about 1 km coarse, and as they
were known some years ago. `assets/README.md` says where the file comes from.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, near
from dpmap.geography import countries
from dpmap.geography.countries import plain, printable
from dpmap.geography.natural_earth import Box, clip_shapes
from dpmap.geography.outlines import read_outlines, read_texts

PREFIX = "region:"
MOST_LISTED = 8
"""So many full forms of a repeated name are listed."""
MOST_PLACES = 400
"""So many regions around a map are told of, the largest ones."""
GROUPS_IN_ENGLISH = {
    "Andalusia": ("Andalucía", "Spain"),
    "Basque Country": ("País Vasco", "Spain"),
    "Canary Islands": ("Canary Is.", "Spain"),
    "Catalonia": ("Cataluña", "Spain"),
    "Flanders": ("Flemish Region", "Belgium"),
    "Lombardy": ("Lombardia", "Italy"),
    "London": ("Greater London", "United Kingdom"),
    "Normandy": ("Normandie", "France"),
    "Piedmont": ("Piemonte", "Italy"),
    "Sardinia": ("Sardegna", "Italy"),
    "Tuscany": ("Toscana", "Italy"),
    "Wallonia": ("Walloon Region", "Belgium"),
}
"""Groups have one name in the source; these are known by another in English."""


@dataclass(frozen=True, slots=True)
class Region:
    """A region, or the group of regions that bears a name: its country, and where its parts
    stand in the file.
    """

    name: str
    country: str
    places: tuple[int, ...]

    @property
    def full_name(self) -> str:
        """The name with the country, which is unique."""
        return f"{self.name}, {self.country}"


def name_after_prefix(area: object) -> str | None:
    """Returns the name after `region:`, or nothing where an area is no such text.

    >>> name_after_prefix("region: Dorset"), name_after_prefix("country:Kenya")
    ('Dorset', None)
    """
    if not isinstance(area, str) or area[: len(PREFIX)].lower() != PREFIX:
        return None
    return area[len(PREFIX) :].strip()


def find_regions(name: str) -> list[Region]:
    """Returns the regions of that name or code, one for each country; those that are called so
    come before groups, and groups before other names of regions.

    >>> [region.full_name for region in find_regions("DORSET")], len(find_regions("England"))
    (['Dorset, United Kingdom'], 1)
    >>> [region.full_name for region in find_regions("Punjab")]
    ['Punjab, India', 'Punjab, Pakistan']
    >>> [region.full_name for region in find_regions("bavaria")], find_regions("Nowhere")
    (['Bayern, Germany'], [])
    """
    regions = _regions_by_name()
    if plain(name) in regions:
        return regions[plain(name)]
    region_name, comma, country = name.rpartition(",")
    if not comma:
        return []
    wanted = {plain(country), plain(countries.country_name(country) or country)}
    return [
        region for region in regions.get(plain(region_name), []) if plain(region.country) in wanted
    ]


def outline(name: str) -> tuple[NDArray[Any], dict[str, list[str]]]:
    """Returns a region's outline in degrees, with its name and country as texts; a repeated or
    an unknown name is refused with the forms to type.
    """
    import shapely

    regions = find_regions(name)
    if not regions:
        country = countries.country_name(name)
        mend = (
            f'; for the country write --area "{countries.PREFIX}{country}"'
            if country
            else name_hint(name) or f"; write it like {PREFIX}Dorset, or {PREFIX}Amazonas, Brazil"
        )
        raise BadInput(f"area: no region is named {printable(name)!r}{mend}")
    if len(regions) > 1:
        forms = [f'"{PREFIX}{region.full_name}"' for region in regions[:MOST_LISTED]]
        more = ", ..." if len(regions) > MOST_LISTED else ""
        raise BadInput(
            f"area: {len(regions)} regions are named {printable(name)!r}; write --area"
            f" {' or '.join(forms)}{more}"
        )
    (region,) = regions
    shapes = _read_shapes()[list(region.places)]
    whole = shapes if len(shapes) == 1 else np.array([shapely.coverage_union_all(shapes)])
    return whole, {"name": [region.name], "country": [region.country]}


def borders_near(box: Box) -> NDArray[Any]:
    """Returns the borders and coasts of the regions in a box of degrees, cut to it."""
    import shapely

    shapes = _read_shapes()
    bounds = _read_bounds()
    near = (
        (bounds[:, 0] <= box[2])
        & (bounds[:, 2] >= box[0])
        & (bounds[:, 1] <= box[3])
        & (bounds[:, 3] >= box[1])
    )
    return clip_shapes(shapely.boundary(shapes[near]), box)


def places_within(box: Box, most: int = MOST_PLACES) -> list[tuple[str, float, float]]:
    """Returns the largest regions in a box of degrees (west, south, east, north), each with a point
    of its part in the box.
    """
    import shapely

    shapes = _read_shapes()
    near = np.flatnonzero(shapely.intersects(shapely.box(*box), shapely.envelope(shapes)))
    parts = clip_shapes(shapes[near], box)
    area = shapely.area(parts)
    largest = [at for at in np.argsort(-area, kind="stable")[:most] if area[at] > 0]
    points = shapely.point_on_surface(parts[largest])
    texts = read_texts("regions.npz")["names"]
    names = [texts[at] for at in near[largest]]
    return list(
        zip(names, shapely.get_x(points).tolist(), shapely.get_y(points).tolist(), strict=True)
    )


def all_regions() -> tuple[Region, ...]:
    """Returns each region and each group of regions, by name.

    >>> len(all_regions()) > 4800
    True
    """
    return tuple(sorted(_read_regions(), key=lambda region: plain(region.full_name)))


def name_hint(wanted: str) -> str:
    """Returns the end of a message about an unknown name: the regions spelled most like it.

    >>> name_hint("Dorsett")
    ' (did you mean Dorset?)'
    """
    return near(wanted, {region.name for region in _read_regions()})


@lru_cache(maxsize=1)
def _regions_by_name() -> dict[str, list[Region]]:
    """Maps every name and code, made plain, to the regions that it may mean."""
    texts = read_texts("regions.npz")
    ranked: dict[str, dict[str, tuple[int, Region]]] = defaultdict(dict)

    def add(name: str, rank: int, region: Region) -> None:
        held = ranked[plain(name)].get(region.full_name)
        if held is None or rank < held[0]:
            ranked[plain(name)][region.full_name] = (rank, region)

    for region in _read_regions():
        add(region.name, 0, region)
        for place in region.places:
            if texts["names"][place] == region.name:
                for name in texts["others"][place].split("|"):
                    add(name, 1, region)
    for place, code in enumerate(texts["codes"]):
        region = Region(texts["names"][place], _country_names()[place], (place,))
        add(code, 0, region)
    ranked.pop("", None)
    for name, (group, country) in GROUPS_IN_ENGLISH.items():
        ranked[plain(name)] = {
            region.full_name: (0, region)
            for region in _read_regions()
            if (region.name, region.country) == (group, country)
        }
    groups = {(region.country, region.places): region for region in _read_regions()}
    return {name: _first_rank(list(held.values()), groups) for name, held in ranked.items()}


def _first_rank(
    held: Sequence[tuple[int, Region]], groups: Mapping[tuple[str, tuple[int, ...]], Region]
) -> list[Region]:
    """Returns the regions of the best rank; the group where they are all of its members."""
    best = min(rank for rank, _ in held)
    found = [region for rank, region in held if rank == best]
    places = tuple(sorted({place for region in found for place in region.places}))
    whole = groups.get((found[0].country, places))
    return [whole] if len(found) > 1 and whole else found


@lru_cache(maxsize=1)
def _read_regions() -> tuple[Region, ...]:
    """Returns the regions and their groups. Regions of one name in one country are one; a
    county that the source parts, such as Dorset and the towns that left it, is whole.
    """
    texts = read_texts("regions.npz")
    places_by_name: dict[tuple[str, str], set[int]] = defaultdict(set)
    groups: dict[tuple[str, str], set[int]] = defaultdict(set)
    for place, country in enumerate(_country_names()):
        places_by_name[country, texts["names"][place]].add(place)
        county = texts["region_sub"][place]
        for group in {county, texts["region"][place], texts["geonunit"][place]} - {"", country}:
            groups[country, group].add(place)
    counties = set(zip(_country_names(), texts["region_sub"], strict=True))
    for key, places in groups.items():
        if key not in places_by_name or key in counties:
            places_by_name[key] |= places
    return tuple(
        Region(name, country, tuple(sorted(places)))
        for (country, name), places in places_by_name.items()
    )


@lru_cache(maxsize=1)
def _country_names() -> tuple[str, ...]:
    """Returns the country of each region, as `country:` names it."""
    pairs = (line.split("|") for line in read_texts("regions.npz")["countries"])
    return tuple(countries.name_of_code(code) or name for name, code in pairs)


@lru_cache(maxsize=1)
def _read_shapes() -> NDArray[Any]:
    """Reads the outlines."""
    return read_outlines("regions.npz")


@lru_cache(maxsize=1)
def _read_bounds() -> NDArray[np.float64]:
    """Reads the outlines' west, south, east and north."""
    import shapely

    bounds: NDArray[np.float64] = shapely.bounds(_read_shapes())
    return bounds
