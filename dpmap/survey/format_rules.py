"""Says which rows a format itself marks as not to be counted: obscured, refused, wrong or
absent. Each row tells for itself.
"""

from dataclasses import dataclass

DEGREE = 111_320.0
"""Metres in one degree along a meridian, rounded as the sensitivity presets of the field do."""
INAT_SQUARE = 0.2 * DEGREE

WISH = (
    r"(?s).*(?:request of the (?:observer|recorder|contributor|user|owner)|(?:observer|user)(?:'s)?"
    r" (?:request|geoprivacy)).*"
)
HIDDEN = (
    r"(?s).*(?:obscured|hidden|uncertainty"
    r" increased|threatened|sensitive|generali[sz]ed|blurred|denatured|rounded|fuzz|withheld).*"
)
TRUE = "true|t|1|yes|y"
FALSE = "false|f|0|no|n"
YES = "yes|y|true|t|1|sensitive.*|(?:already.?)?generali[sz]ed.*|restricted.*"
ABSENT = (
    "absent|absente|absence|absences|ausente|ausencia|ausência|assente|assenza|abwesend|afwezig|not"
    " present|0|0\\.0|false"
)
"""What stands in a column of occurrence status where nothing was found. `excluded` and
`doubtful` say other things.
"""
NONE_SEEN = "0+(?:[.,]0*)?"
"""A count of none, as tables write it."""
MISPLACED = (
    r"(?s).*\b(?:zero_coordinate|coordinate_out_of_range|coordinate_invalid|"
    r"country_coordinate_mismatch)\b.*"
)
"""The four of GBIF's issues by which it sets `hasGeospatialIssues` and takes a record off its own
maps. A simple download has only the column `issue`, a full one both, and the same records must
count in either. Its other issues (a rounded or reprojected coordinate, a derived country) say what
GBIF did, not that a place is wrong.
"""


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """Rows whose `column` wholly matches `pattern` (folded to lower case) are left out for
    `reason`.

    A `wish` is the contributor's own; the others are policy. Where `coarse` is given the row's
    point stands for a square of so many metres, so it may count where cells are at least that wide.
    `metres` means the column itself says how wide that square is.
    """

    column: str
    pattern: str
    reason: str
    wish: bool = False
    coarse: float = 0.0
    metres: bool = False


def absences(count: str) -> tuple[ExclusionRule, ...]:
    """Returns the rules for rows that say nothing was there: by their status, or by a count of
    none.
    """
    return (
        ExclusionRule("occurrence_?status", ABSENT, "an absence"),
        ExclusionRule(count, NONE_SEEN, "an absence"),
    )


DARWIN_CORE = (
    ExclusionRule("information_?withheld", WISH, "the observer's wish", wish=True),
    ExclusionRule("information_?withheld", HIDDEN, "obscured", coarse=INAT_SQUARE),
    ExclusionRule("data_?generali[sz]ations?", HIDDEN, "obscured", coarse=INAT_SQUARE),
    ExclusionRule("has_?geospatial_?issues?", TRUE, "a geospatial issue"),
    *absences("individual_?count"),
)
GBIF = (*DARWIN_CORE, ExclusionRule("issues?", MISPLACED, "a geospatial issue"))
ATLAS = (
    ExclusionRule("information_?withheld", WISH, "the observer's wish", wish=True),
    ExclusionRule("data_?generali[sz]ations?", HIDDEN, "obscured", coarse=10_000.0),
    ExclusionRule(
        "spatially_?valid|geospatial(?:ly)?_?kosher",
        f"{FALSE}|spatially suspect",
        "a geospatial issue",
    ),
    ExclusionRule("has_?geospatial_?issues?", TRUE, "a geospatial issue"),
    *absences("individual_?count"),
)
"""Rules of the living atlases: Australia's, and the NBN's, which is built on it."""
