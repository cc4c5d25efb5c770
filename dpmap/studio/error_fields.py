"""Maps the option that an error is about to the field of the page where it is asked for."""

import re

from dpmap.errors import DpmapError

WHERE_A_ROW_IS = {
    "x": "Longitude, or x",
    "y": "Latitude, or y",
    "place": "Or one column that holds a whole place",
    "uncertainty": "Column that says how uncertain a place is, in metres",
    "datum": "Column that names the datum of each row",
    "crs": "Coordinate system of these numbers",
    "max_uncertainty": "Leave out places less certain than",
    "swap": "x and y are the other way round",
    "west_positive": "Longitudes count westwards",
    "surface": "Lines and areas count, at a point on them",
}
WHICH_ROWS = {
    "where": "A rule about a row's own columns",
    "from": "From this date",
    "to": "To this date, included",
    "dates": "How dates are written",
}
HOW_IT_IS_CUT = {
    "format": "What the file is",
    "columns": "Names of the columns, with commas between",
    "header_row": "Line that holds the names",
    "delimiter": "Mark between the fields",
    "encoding": "Encoding",
}
PANELS = {"place": WHERE_A_ROW_IS, "rows": WHICH_ROWS, "cut": HOW_IT_IS_CUT}
"""The closed parts of the first page: the labels of their fields, by flag, which is also the
field's name.
"""
FIELDS = {
    **{flag: ("data", flag, label) for panel in PANELS.values() for flag, label in panel.items()},
    "team": ("data", "marks", "Marks and words between names"),
    "unit": ("data", "unit_other", "Column"),
    "cap": ("sure", "cap", "At most so many points"),
    "consent": ("data", "consent_column", "Column of consent"),
    "site": ("data", "site", "Column of the site, in the survey and in that file"),
    "sites": ("data", "sites", "File that says where each site is"),
    "site_cap": ("data", "site_cap", "How many contributors may one site count for?"),
    "area": ("data", "area", "File of polygons"),
    "area_name": ("data", "area_name", "Only one district of it"),
    "area_layer": ("data", "area_layer", "Layer of the file"),
    "bounds": ("data", "bounds", "West, south, east, north"),
    "shape": ("data", "shape", "Rows, columns"),
    "cell": ("data", "cell", "Side of a square"),
    "grid": ("data", "grid", "Official grid"),
    "grid_crs": ("data", "grid_crs", "National grid that the squares lie in"),
    "times": ("data", "times_column", "Column of the date"),
    "kinds": ("data", "kinds_column_1", "Column of the kind"),
    "units": ("sure", "units", "About how many take part"),
    "also_published": ("confirm", "also_published", "What else was published of this data?"),
    "retention": (
        "confirm",
        "retention",
        "Who can reach the survey and the ledger, and for how long?",
    ),
    "licence": ("confirm", "licence", "Licence"),
    "reason": ("confirm", "reason", "Why its places are sensitive"),
    "doi": ("confirm", "doi", "DOI"),
    "local_contexts": ("confirm", "local_contexts", "Local Contexts project"),
    "label": ("confirm", "label", "Local Contexts labels"),
    "expires": ("confirm", "expires", "Until when it may be used"),
    "authorised_by": ("confirm", "authorised_by", "Who authorises it"),
    "purpose": ("confirm", "purpose", "What it may be used for"),
}
"""Where each flag is asked for: the step, the field's id and its label."""
Place = tuple[str, str, str]
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*[a-z0-9])")
"""A flag of the command line, in a sentence."""


def fields_of(error: DpmapError | str) -> list[Place]:
    """Returns the field that an error is about; a sentence of a page's own is about none.

    >>> fields_of(DpmapError("name the coordinate system", option="crs")), fields_of("tick it too")
    ([('data', 'crs', 'Coordinate system of these numbers')], [])
    """
    field = FIELDS.get(error.option) if isinstance(error, DpmapError) else None
    return [] if field is None else [field]


def name_fields(line: str) -> str:
    """Returns a line of the command line as a page says it: each flag by its field's label.

    >>> name_fields("name the system: --crs EPSG:27700, or --no-pages")
    'name the system: “Coordinate system of these numbers” EPSG:27700, or “no pages”'
    """
    return FLAG.sub(_label, line)


def _label(flag: re.Match[str]) -> str:
    name = flag[1].replace("-", "_")
    field = FIELDS.get(name)
    return f"“{name.replace('_', ' ') if field is None else field[2]}”"


def back_to(place: str, error: DpmapError) -> tuple[str, str]:
    """Returns the page to go back to after a refusal, and its step: the one where the field is,
    else the one it came from.

    >>> back_to("/map/a1/confirm", DpmapError("no row of it is read", option="dates"))
    ('/map/a1/data#dates', 'data')
    """
    at_fault = fields_of(error)
    if not at_fault or not place.startswith("/map/"):
        return place, ""
    step, field, _ = at_fault[0]
    return f"{place.rpartition('/')[0]}/{step}#{field}", step
