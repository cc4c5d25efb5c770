"""Names areas by a column of their layer, so that no name is lost and no two areas have the same.

A layer often repeats a name: two districts are called Halton, or an island is a polygon of its own.
Such names are made different by what stands beside them in the file, "Halton (Cheshire)", or else
by a number, "Halton (2)".
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BLANK = {"", "none", "nan", "nat", "<na>", "null"}
"""What empty cells of a layer become as texts."""
NEARLY = 0.9
"""A column is the areas' names although some repeat, if so many of all differ."""
MOSTLY = 0.5
"""The same for one that says by its own name that it holds names."""

Columns = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class AreaNames:
    """Holds a name for each area, all different, and what is said of them: which `column` they
    are, and what was added.
    """

    names: tuple[str, ...]
    column: str | None
    beside: str | None = None
    repeated: int = 0
    blank: int = 0

    @property
    def words(self) -> str:
        """Says where the names come from, for the statement."""
        if self.column is None:
            return "called by their numbers: no column of the layer names them"
        parts = [f"named by the column {self.column!r}"]
        if self.repeated:
            by = "a number" if self.beside is None else f"{self.beside!r}, or a number, in brackets"
            parts.append(f"{self.repeated:,} that repeat a name are told apart by {by}")
        if self.blank:
            parts.append(f"{self.blank:,} without a name are called by their number")
        return "; ".join(parts)

    @property
    def is_changed(self) -> bool:
        """Whether some area is called otherwise than its layer calls it."""
        return self.column is None or bool(self.repeated or self.blank)


def name_areas(texts: Columns, count: int, column: str | None = None) -> AreaNames:
    """Returns names for all areas of a layer.

    - `texts`: its columns.
    - `count`: how many areas it has.
    - `column`: the one that names them; unless given, the first whose values all differ, preferring
      one called name, and one of which a few repeat to a column of codes or numbers.

    >>> columns = {
    ...     "name": ["Halton", "Halton", "Leeds"],
    ...     "county": ["Cheshire", "Durham", "Yorkshire"],
    ... }
    >>> name_areas(columns, 3).names
    ('Halton (Cheshire)', 'Halton (Durham)', 'Leeds')
    >>> name_areas({"name": ["Halton", "HALTON", "Leeds"]}, 3).names
    ('Halton', 'HALTON (2)', 'Leeds')
    """
    named_by = _name_column(texts, count) if column is None else column
    if named_by is None:
        return AreaNames(tuple(str(number) for number in range(1, count + 1)), None)
    given = [" ".join(text.split()) for text in texts[named_by]]
    is_blank = [_is_blank(text) for text in given]
    repeats = {key for key, times in Counter(_plain(text) for text in given).items() if times > 1}
    repeated = [
        not blank and _plain(text) in repeats for text, blank in zip(given, is_blank, strict=True)
    ]
    beside = _column_beside(texts, named_by, given, repeated)
    wanted = [
        (
            f"area {number}"
            if blank
            else f"{text} ({_at(texts, beside, number)})"
            if twice and beside
            else text
        )
        for number, (text, blank, twice) in enumerate(
            zip(given, is_blank, repeated, strict=True), 1
        )
    ]
    names = _told_apart(
        wanted, [blank or twice for blank, twice in zip(is_blank, repeated, strict=True)]
    )
    return AreaNames(names, named_by, beside, sum(repeated), sum(is_blank))


def _at(texts: Columns, column: str | None, number: int) -> str:
    """Returns what an area has in a column, on one line."""
    return " ".join(texts[column or ""][number - 1].split())


def _told_apart(wanted: Sequence[str], is_made: Sequence[bool]) -> tuple[str, ...]:
    """Adds a number to each name that an earlier area, or one whose name stands so in the file,
    has already.
    """
    taken = {_plain(name) for name, made in zip(wanted, is_made, strict=True) if not made}
    found = []
    for name, made in zip(wanted, is_made, strict=True):
        free, number = name, 1
        while made and _plain(free) in taken:
            number += 1
            free = f"{name} ({number})"
        taken.add(_plain(free))
        found.append(free)
    return tuple(found)


def _name_column(texts: Columns, count: int) -> str | None:
    """Returns the column that names the areas; None if none can be meant."""
    differing = {key: _differing(column) for key, column in texts.items() if _are_names(column)}
    called = [key for key in differing if "name" in key.lower()]
    others = [key for key in differing if key not in called]
    ways = (
        [key for key in called if differing[key] == count],
        sorted(
            (key for key in called if differing[key] >= MOSTLY * count),
            key=lambda key: -differing[key],
        ),
        [
            key
            for key in others
            if differing[key] == count or differing[key] >= max(2, NEARLY * count)
        ],
        sorted((key for key in called if differing[key] > 1), key=lambda key: -differing[key]),
        sorted(
            (key for key in others if differing[key] > MOSTLY * count),
            key=lambda key: -differing[key],
        ),
    )
    return next((found[0] for found in ways if found), None)


def _column_beside(
    texts: Columns, named_by: str, given: Sequence[str], repeated: Sequence[bool]
) -> str | None:
    """Returns the column that tells most of the areas apart whose names repeat: of words sooner
    than of codes, the first in the file.
    """
    places = [place for place, twice in enumerate(repeated) if twice]
    best, most = None, 0
    for key, column in texts.items():
        told = [
            (_plain(given[place]), _plain(column[place]))
            for place in places
            if not _is_blank(column[place])
        ]
        times = Counter(told)
        apart = sum(1 for pair in told if times[pair] == 1 and pair[0] != pair[1])
        has_digits = any(mark.isdigit() for place in places for mark in column[place])
        rank = 0 if key == named_by else 2 * apart + (not has_digits) * bool(apart)
        if rank > most:
            best, most = key, rank
    return best


def _differing(column: Sequence[str]) -> int:
    """Returns how many different names a column holds."""
    return len({_plain(text) for text in column if not _is_blank(text)})


def _are_names(column: Sequence[str]) -> bool:
    """Whether a column holds something else than numbers and blanks."""
    return any(not _is_blank(text) and not _is_number(text) for text in column)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_blank(text: str) -> bool:
    return _plain(text) in BLANK


def _plain(text: str) -> str:
    """Returns a name as it is compared: composed, without case, marks that nobody sees, and
    outer or double blanks.
    """
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    seen = "".join(mark for mark in composed if unicodedata.category(mark) != "Cf")
    return " ".join(seen.split())
