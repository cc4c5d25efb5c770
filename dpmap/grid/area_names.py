"""Names areas by a column of their layer, so that no name is lost and no two areas have the same.

A layer often repeats a name: two districts are called Halton, or an island is a polygon of its own.
Such names get the value of another column, "Halton (Cheshire)", or else a number, "Halton (2)".
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BLANK = {"", "none", "nan", "nat", "<na>", "null"}
"""What empty cells of a layer become as texts."""
NEARLY = 0.9
"""A column with repeats is the areas' names if at least this share of its values differ."""
MOSTLY = 0.5
"""The same share for a column that is called name."""

Columns = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class AreaNames:
    """A name for each area, all different, the `column` they come from, and what was added."""

    names: tuple[str, ...]
    column: str | None
    beside: str | None = None
    repeated: int = 0
    blank: int = 0
    overlaps: tuple[tuple[str, str], ...] = ()
    """The names of areas that overlap, in pairs."""

    @property
    def words(self) -> str:
        """The source of the names in words, for the statement."""
        parts = [
            "called by their numbers: no column of the layer names them"
            if self.column is None
            else f"named by the column {self.column!r}"
        ]
        if self.repeated:
            by = "a number" if self.beside is None else f"{self.beside!r}, or a number, in brackets"
            parts.append(f"{self.repeated:,} that repeat a name are told apart by {by}")
        if self.blank:
            parts.append(f"{self.blank:,} without a name are called by their number")
        if self.overlaps:
            parts.append(self.overlap_words)
        return "; ".join(parts)

    @property
    def is_changed(self) -> bool:
        """Whether some area is called otherwise than its layer calls it, or lies over another."""
        return self.column is None or bool(self.repeated or self.blank or self.overlaps)

    @property
    def overlap_words(self) -> str:
        """What becomes of areas that overlap."""
        pairs = len(self.overlaps)
        one, other = self.overlaps[0]
        what = f"{one} and {other} overlap" if pairs == 1 else f"{pairs:,} pairs overlap, such as"
        example = "" if pairs == 1 else f" {one} and {other}"
        return f"{what}{example}: a point in both counts for the first only"


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
    area_texts = [" ".join(text.split()) for text in texts[named_by]]
    is_blank = [_is_blank(text) for text in area_texts]
    repeats = {
        key for key, times in Counter(_plain(text) for text in area_texts).items() if times > 1
    }
    repeated = [
        not blank and _plain(text) in repeats
        for text, blank in zip(area_texts, is_blank, strict=True)
    ]
    other_column = _choose_second_column(texts, named_by, area_texts, repeated)
    proposed_names = [
        (
            f"area {number}"
            if blank
            else f"{text} ({_text_of(texts, other_column, number)})"
            if is_repeated and other_column
            else text
        )
        for number, (text, blank, is_repeated) in enumerate(
            zip(area_texts, is_blank, repeated, strict=True), 1
        )
    ]
    names = _number_repeats(
        proposed_names,
        [blank or is_repeated for blank, is_repeated in zip(is_blank, repeated, strict=True)],
    )
    return AreaNames(names, named_by, other_column, sum(repeated), sum(is_blank))


def _text_of(texts: Columns, column: str | None, number: int) -> str:
    """Returns what an area has in a column, on one line."""
    return " ".join(texts[column or ""][number - 1].split())


def _number_repeats(proposed: Sequence[str], is_made: Sequence[bool]) -> tuple[str, ...]:
    """Adds a number to each made name that another area has already."""
    taken = {_plain(name) for name, made in zip(proposed, is_made, strict=True) if not made}
    names = []
    for name, made in zip(proposed, is_made, strict=True):
        free = name
        number = 1
        while made and _plain(free) in taken:
            number += 1
            free = f"{name} ({number})"
        taken.add(_plain(free))
        names.append(free)
    return tuple(names)


def _name_column(texts: Columns, count: int) -> str | None:
    """Returns the column that names the areas; None if none can be meant."""
    differing = {key: _count_names(column) for key, column in texts.items() if _are_names(column)}
    called_name = [key for key in differing if "name" in key.lower()]
    others = [key for key in differing if key not in called_name]
    candidates = (
        [key for key in called_name if differing[key] == count],
        sorted(
            (key for key in called_name if differing[key] >= MOSTLY * count),
            key=lambda key: -differing[key],
        ),
        [
            key
            for key in others
            if differing[key] == count or differing[key] >= max(2, NEARLY * count)
        ],
        sorted((key for key in called_name if differing[key] > 1), key=lambda key: -differing[key]),
        sorted(
            (key for key in others if differing[key] > MOSTLY * count),
            key=lambda key: -differing[key],
        ),
    )
    return next((keys[0] for keys in candidates if keys), None)


def _choose_second_column(
    texts: Columns, named_by: str, area_texts: Sequence[str], repeated: Sequence[bool]
) -> str | None:
    """Returns the column that distinguishes most of the areas whose names repeat; of equals a
    column of words before one of codes, then the first.
    """
    places = [place for place, is_repeated in enumerate(repeated) if is_repeated]
    best = None
    most = 0
    for key, column in texts.items():
        pairs = [
            (_plain(area_texts[place]), _plain(column[place]))
            for place in places
            if not _is_blank(column[place])
        ]
        times = Counter(pairs)
        distinguished = sum(1 for pair in pairs if times[pair] == 1 and pair[0] != pair[1])
        has_digits = any(mark.isdigit() for place in places for mark in column[place])
        rank = 0 if key == named_by else 2 * distinguished + (not has_digits) * bool(distinguished)
        if rank > most:
            best = key
            most = rank
    return best


def _count_names(column: Sequence[str]) -> int:
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
