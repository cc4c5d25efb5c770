"""Decides who a row belongs to: spellings of one person become one unit, and placeholders become
no unit.
"""

import re
import unicodedata
from functools import cache
from math import inf

PLACEHOLDERS = frozenset(
    (
        "none",
        "null",
        "(null)",
        "nil",
        "nan",
        "na",
        "n/a",
        "n.a.",
        "#n/a",
        "nd",
        "n/d",
        "n.d.",
        "s/d",
        "-",
        "--",
        "---",
        ".",
        "?",
        "??",
        "unknown",
        "(unknown)",
        "[unknown]",
        "<unknown>",
        "unk",
        "unknown collector",
        "unknown observer",
        "unknown recorder",
        "collector unknown",
        "observer unknown",
        "recorder unknown",
        "collector: unknown",
        "collectors: unknown",
        "collector(s): unknown",
        "observer: unknown",
        "observer(s): unknown",
        "recorder(s): unknown",
        "unspecified",
        "not specified",
        "unnamed",
        "various",
        "not applicable",
        "not available",
        "not recorded",
        "not provided",
        "not stated",
        "not known",
        "no data",
        "no name",
        "name withheld",
        "withheld",
        "anon",
        "anon.",
        "anonymous",
        "[anonymous]",
        "(anonymous)",
        "<anonymous>",
        "anonymous user",
        "anonymous observer",
        "an\u00f3nimo",
        "anonimo",
        "an\u00f4nimo",
        "anonyme",
        "anonym",
        "unbekannt",
        "desconocido",
        "desconocida",
        "desconhecido",
        "desconhecida",
        "inconnu",
        "inconnue",
        "sconosciuto",
        "onbekend",
        "no disponible",
        "no aplica",
        "no aplicable",
        "n\u00e3o aplic\u00e1vel",
        "no registrado",
        "no registrada",
        "n\u00e3o registrado",
        "n\u00e3o informado",
        "no especificado",
        "no identificado",
        "sin dato",
        "sin datos",
        "sin informaci\u00f3n",
        "sin informacion",
        "sin nombre",
        "sem dados",
        "sem nome",
    )
)
"""What stands where no name does, each as `normalise` leaves it."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode says to ignore when it is shown (Default_Ignorable_Code_Point), and control
marks: two names that differ in it look alike.
"""


SIMPLE = "[!-~]+( [!-~]+)*"
"""Names that match this whole pattern (plain ASCII, single inner spaces), and not `NUMBER`, need
only lower case; a test holds `normalise` to it, so engines may fold them without Python.
"""
NUMBER = r"(?:-?[0-9]+\.0*|-0|-?[1-9](?:\.[0-9]+)?[eE]\+?[0-9]{2,3})"
"""A number written with a point or an exponent, as a column of numbers with gaps holds its ids:
1000.0 is the id 1000, and 1e+16 is 10000000000000000.
"""
LEAST_EXPONENT = 1e15
"""From here on programs write whole numbers with an exponent; below it, 1e10 may be somebody's
name.
"""
_WHOLE = re.compile(NUMBER)
_SIGNS = frozenset("-0123456789")


def normalise(name: str) -> str:
    r"""Returns the one spelling of a name: compatibility forms, invisible characters, case, spaces
    and whole numbers folded.

    >>> normalise("  Ana\u200b  MARIA "), normalise("1000.0"), normalise("-5.0"), normalise("1E+16")
    ('ana maria', '1000', '-5', '10000000000000000')
    """
    if name.isascii() and name.isprintable():  # which the next lines would leave as it is
        folded = " ".join(name.lower().split())
    else:
        visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
        folded = " ".join(unicodedata.normalize("NFKC", visible.casefold()).split())
    return _whole_digits(folded) if folded[:1] in _SIGNS and _WHOLE.fullmatch(folded) else folded


def _whole_digits(text: str) -> str:
    """Returns a number of this pattern in digits if it is whole: its exact value as a double."""
    if "e" not in text:
        digits = text.partition(".")[0]
        return "0" if digits == "-0" else digits
    value = float(text)
    whole = LEAST_EXPONENT <= abs(value) < inf and value.is_integer()
    return str(int(value)) if whole else text


def is_missing(name: str) -> bool:
    """Whether a normalised name is a placeholder that means nobody.

    >>> is_missing("n/a"), is_missing(""), is_missing("ana maria")
    (True, True, False)
    """
    return not name or name in PLACEHOLDERS


OTHERS = (
    "et al",
    "et al.",
    "et. al",
    "et. al.",
    "& team",
    "and team",
    "& others",
    "and others",
    "y otros",
    "y otras",
    "u.a.",
)
"""What follows a name in a list for people it does not name; it is cut off, and by itself names
nobody.
"""
_ENDS = tuple(mark + words for words in OTHERS for mark in " ,")
_REST = frozenset(("team", "others", "otros", "otras", *OTHERS))
MAYBE_OTHERS = "(team|others|otros|otras|et[.]? al[.]?|u[.]a[.])$"
"""How a text may end of which `members` cuts something off; engines look for it before asking."""


def members(text: str, team: str = "auto") -> list[str]:
    """Returns the people that one text names, each once and normalised, in the order written; none
    if it names nobody.

    `team` says what stands between names: `separators` reads it. A comma is part of a name unless
    it is declared, since "Ruiz, Ana" is one person, and what else a text holds must not decide what
    its commas mean.

    *Who else is named changes nothing.* For any text and any name in it, `members(strike(text,
    name))` is `members(text)` without that name: whether a mark or a word separates is told by
    itself alone, and each piece between is read by itself. So the rows of one person are the same
    whoever else took part.

    >>> members("Ana Ruiz; Bo Lee et al.|n/a"), members("Ruiz, Ana"), members(
    ...     "Ana y Bo, Cy", "y ,"
    ... ), members("n/a;")
    (['ana ruiz', 'bo lee'], ['ruiz, ana'], ['ana', 'bo', 'cy'], [])
    """
    pieces = [text] if team == "none" else _between(team).split(text)
    names = dict.fromkeys(_one_spelling(piece, team) for piece in dict.fromkeys(pieces))
    return [name for name in names if not is_missing(name)]


def strike(text: str, name: str, team: str = "auto") -> str:
    """Returns the text without one name: what neighbouring surveys hold of a row that names her and
    others.

    Each piece that is the name leaves, and one separator with it.

    >>> strike("Ana; Bo; Cy", "bo"), members(strike("Ana and Bo", "ana", "and"), "and")
    ('Ana ; Cy', ['bo'])
    """
    between = _between(team)
    pieces = between.split(text)
    marks = ["", *between.findall(text)]
    left = ""
    first = True
    for mark, piece in zip(marks, pieces, strict=True):
        if _one_spelling(piece, team) == name:
            left += " "  # so that a word beside it still stands by itself
        else:
            left = left + ("" if first else mark) + piece
            first = False
    return left


def _one_spelling(piece: str, team: str) -> str:
    """Returns the one spelling of a piece, without endings such as "et al" for people it does
    not name.
    """
    name = normalise(piece)
    if team == "none":
        return name
    end = len(name)
    while name.endswith(_ENDS, 0, end):
        end -= next(len(words) for words in _ENDS if name.endswith(words, 0, end))
        while end and name[end - 1] in " ,":
            end -= 1
    name_without_number = name if end == len(name) else normalise(name[:end])
    return "" if name_without_number in _REST else name_without_number


def separators(team: str) -> tuple[str, tuple[str, ...]]:
    """Returns the marks and the words that stand between names; they are written with blanks
    between, each word by itself, and marks together or apart.

    >>> separators("auto"), separators("; & and y"), separators("none")
    ((';|', ()), (';&', ('and', 'y')), ('', ()))
    """
    parts = {"auto": ";|", "none": ""}.get(team, team).split()
    return "".join(part for part in parts if not part.isalpha()), tuple(
        part for part in parts if part.isalpha()
    )


@cache
def _between(team: str) -> "re.Pattern[str]":
    """Returns the pattern of what separates two names: a mark, or a word by itself between
    blanks, marks or text ends.
    """
    marks, words = separators(team)
    forms = "".join(map(re.escape, marks + "".join(map(_other_forms, marks))))
    ways = [f"[{forms}]"] if forms else []
    if words:
        ways.append(rf"(?<![^\s{forms}])(?:{'|'.join(map(re.escape, words))})(?![^\s{forms}])")
    return re.compile("|".join(ways) or "(?!)", re.IGNORECASE)


@cache
def _other_forms(mark: str) -> str:
    """Returns the characters that are the same mark in a wider or older form, as NFKC says."""
    return "".join(
        chr(code)
        for code in range(0x80, 0x10000)
        if unicodedata.normalize("NFKC", chr(code)) == mark
    )
