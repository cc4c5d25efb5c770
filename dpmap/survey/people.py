"""Who a row belongs to: spellings of one person become one unit, and non-names become no unit."""

import re
import unicodedata

PLACEHOLDERS = frozenset(
    (
        "none", "null", "nil", "nan", "na", "n/a", "n.a.", "#n/a", "-", "--", "---", ".", "?", "??", "unknown", "unk",
        "anon", "anonymous", "anonymous user", "anónimo", "anonimo", "anonyme", "unbekannt", "desconocido", "inconnu",
        "no disponible", "not available", "not recorded", "not provided", "not known", "no data", "no name",
        "name withheld", "withheld", "sin nombre",
    )
)  # fmt: skip

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode says to ignore when it is shown (Default_Ignorable_Code_Point): two names that differ in it look alike."""


SIMPLE = "[!-~]+( [!-~]+)*"
"""Names that match this whole pattern (plain ASCII, single inner spaces) need only lower case; a test holds
`normalise` to it, so engines may fold them without Python."""


def normalise(name: str) -> str:
    r"""The one spelling of a name: compatibility forms, invisible characters, case and spaces folded.

    >>> normalise("  Ana\u200b  MARIA ")
    'ana maria'
    """
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    folded = unicodedata.normalize("NFKC", visible.casefold())
    return " ".join(folded.split())


def is_missing(name: str) -> bool:
    """Whether a normalised name names nobody.

    >>> is_missing("n/a"), is_missing(""), is_missing("ana maria")
    (True, True, False)
    """
    return not name or name in PLACEHOLDERS
