"""Names the usual terms of use for data, by their SPDX ids."""

from dpmap.errors import BadInput, near

_CC = "https://creativecommons.org/licenses/"
LICENCES: dict[str, tuple[str, str]] = {
    "CC0-1.0": ("Creative Commons Zero 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", f"{_CC}by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution Share Alike 4.0", f"{_CC}by-sa/4.0/"),
    "CC-BY-NC-4.0": ("Creative Commons Attribution Non Commercial 4.0", f"{_CC}by-nc/4.0/"),
    "CC-BY-NC-SA-4.0": (
        "Creative Commons Attribution Non Commercial Share Alike 4.0",
        f"{_CC}by-nc-sa/4.0/",
    ),
    "CC-BY-ND-4.0": ("Creative Commons Attribution No Derivatives 4.0", f"{_CC}by-nd/4.0/"),
    "CC-BY-NC-ND-4.0": (
        "Creative Commons Attribution Non Commercial No Derivatives 4.0",
        f"{_CC}by-nc-nd/4.0/",
    ),
    "CC-BY-3.0": ("Creative Commons Attribution 3.0", f"{_CC}by/3.0/"),
    "CC-BY-SA-3.0": ("Creative Commons Attribution Share Alike 3.0", f"{_CC}by-sa/3.0/"),
    "ODbL-1.0": (
        "Open Data Commons Open Database License 1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
    "ODC-By-1.0": (
        "Open Data Commons Attribution License 1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
    ),
    "PDDL-1.0": (
        "Open Data Commons Public Domain Dedication and License 1.0",
        "https://opendatacommons.org/licenses/pddl/1-0/",
    ),
    "CDLA-Permissive-2.0": (
        "Community Data License Agreement Permissive 2.0",
        "https://cdla.dev/permissive-2-0/",
    ),
    "CDLA-Sharing-1.0": (
        "Community Data License Agreement Sharing 1.0",
        "https://cdla.dev/sharing-1-0/",
    ),
    "OGL-UK-3.0": (
        "Open Government Licence (United Kingdom) 3.0",
        "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
    ),
    "OGL-Canada-2.0": (
        "Open Government Licence (Canada) 2.0",
        "https://open.canada.ca/en/open-government-licence-canada",
    ),
    "NLOD-2.0": (
        "Norwegian Licence for Open Government Data 2.0",
        "https://data.norge.no/nlod/en/2.0",
    ),
    "DL-DE-BY-2.0": (
        "Data licence Germany, attribution, 2.0",
        "https://www.govdata.de/dl-de/by-2-0",
    ),
    "DL-DE-ZERO-2.0": ("Data licence Germany, zero, 2.0", "https://www.govdata.de/dl-de/zero-2-0"),
    "etalab-2.0": (
        "Etalab Open Licence 2.0",
        "https://www.etalab.gouv.fr/licence-ouverte-open-licence/",
    ),
}
"""Each id with its name and the address of its text."""
_FOLDED = {name.lower(): name for name in LICENCES}


def spell_licence(licence: str) -> str:
    """Returns a known id as SPDX spells it, and anything else as it is.

    >>> spell_licence("cc-by-4.0"), spell_licence("https://example.org/terms")
    ('CC-BY-4.0', 'https://example.org/terms')
    """
    return _FOLDED.get(licence.lower(), licence)


def check(licence: str) -> None:
    """Refuses an id that is not a usual one for data.

    >>> check("CC-BY-5.0")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: licence: 'CC-BY-5.0' is no usual licence for data (did you mean
    CC-BY-4.0...
    """
    if licence and licence not in LICENCES and not licence.startswith("https://"):
        raise BadInput(
            f"--licence: {licence!r} is no usual licence for data{near(licence, LICENCES)}; write"
            " an SPDX id such as CC-BY-4.0, or the https:// address of your terms"
        )
