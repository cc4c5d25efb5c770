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
    "[\x00-\x08\x0e-\x1b\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode says to ignore when it is shown (Default_Ignorable_Code_Point), and control marks: two names that differ in it look alike."""


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


MOST_MEMBERS = 200
# Each pattern begins where a run of blanks or marks begins, so that a text of a million of them takes no longer than any.
_AND_OTHERS = re.compile(r"(?<![\s,;])[\s,;]*\b(?:et\.? al\b\.?|and others|& others|y otros|u\.a\.)\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"[;|]\s*|(?<!\s)\s+(?:&|and)\s+", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,4}|[A-Z]{1,2}|[^\W\d_](?: [^\W\d_])*")
_HANDLE = re.compile(r"[^\sA-Z]+")

MAYBE_TEAM = "[;|&,]| and | et al"
"""What a team's text holds at least one of, in lower case; engines look for it before asking `members`."""


def members(text: str, team: str = "auto") -> list[str | None]:
    """The people one text names, normalised, None for each that names nobody; the order is as written.

    `team` is `auto`, `none`, or the marks that stand between names. Of commas, `auto` takes "Last, First" and
    "Last, F." for one person and longer lists for several; only the text itself decides.

    >>> members("Ana Ruiz; Bo Lee"), members("Ruiz, Ana"), members("Ruiz, A., Lee, B. & Cy Dee")
    (['ana ruiz', 'bo lee'], ['ruiz, ana'], ['ruiz, a.', 'lee, b.', 'cy dee'])
    """
    if team == "none":
        pieces = [text]
    elif team != "auto":
        pieces = re.split(f"[{re.escape(team)}]", text)
    else:
        pieces = [name for part in _BETWEEN.split(_AND_OTHERS.sub("", text)) for name in _comma_names(part)]
    names = [normalise(piece) for piece in pieces]
    kept = [None if is_missing(name) else name for name in names if name]
    return kept if 0 < len(kept) <= MOST_MEMBERS else [None]


def _comma_names(part: str) -> list[str]:
    """The names between commas of one part."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    if len(pieces) < 2:
        return [part]
    if len(pieces) > 2 and any(_INITIALS.fullmatch(piece) for piece in pieces[1:]):
        return _with_initials(pieces)
    one_word = [piece for piece in pieces if " " not in piece]
    if len(pieces) == 2 and one_word and not all(_HANDLE.fullmatch(piece) for piece in pieces):
        return [", ".join(pieces)]
    if len(pieces) == 2 and any(_INITIALS.fullmatch(piece) for piece in pieces):
        return [", ".join(pieces)]
    return pieces


def _with_initials(pieces: list[str]) -> list[str]:
    """Initials rejoined to the name before them."""
    names: list[str] = []
    for piece in pieces:
        if names and _INITIALS.fullmatch(piece):
            names[-1] += f", {piece}"
        else:
            names.append(piece)
    return names
