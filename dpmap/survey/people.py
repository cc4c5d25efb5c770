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

_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")

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
