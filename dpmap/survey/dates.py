"""Builds the SQL that reads a date from a row's own text, in the forms that the steward declared,
and in no other.

A text is read by the first declared form that makes a day of the calendar of it, whatever stands in
other rows: nothing here looks for the form that suits a column. So 01/02/2025 is what `dmy` or
`mdy` says, and 31/02/2025 no date.

| form | reads |
|---|---|
| always | 2025-02-01, which means one day only; so a file's own typed dates come as well |
| `iso` | 2025, 2025-02, and ranges a/b of these and of days, the end shortened too: 2025-02-01/03 |
| `dmy` | 01/02/2025, 1.2.2025, 1-2-25, 1 Feb 2025, 1. Februar 2025, 02/2025, Feb 2025 |
| `mdy` | 02/01/2025, 2/1/25, Feb 1, 2025, 02/2025, Feb 2025 |
| `ymd` | 2025/02/01, 2025.2.1, 25-2-1, 20250201, 2025/02 |
| `excel` | 45689 and 45689.5: five digits, so no year; days from 10000 (1927-05-18) to 99999 |
| `epoch` | 1738368000000: milliseconds since 1970 of eleven to thirteen digits, their day in UTC |

A year of two digits is one from 1969 to 2068, as POSIX has it. A month's name (in English, German,
French, Spanish, Portuguese, Italian or Dutch) beside a year of four digits says by itself which
number is the day, so `dmy`, `mdy` and `ymd` all read it, in any order. A day may be followed by a
time, with or without a zone; the day counts as it is written. Years are 1000 to 9999, digits 0 to
9.
"""

from collections.abc import Sequence

from dpmap.errors import BadInput
from dpmap.survey.place_parser import let
from dpmap.survey.sources import literal

ISO = ("iso",)
"""How dates are read where nothing is declared."""
FORMS = {
    "dmy": "day, month, year",
    "mdy": "month, day, year",
    "ymd": "year, month, day",
    "iso": "as in 2025-02-01, 2025-02, 2025 and ranges a/b",
    "excel": "days as Excel counts them",
    "epoch": "milliseconds since 1970",
}
START = "start"
"""Declared beside `iso`: a range counts by its start."""

_MONTHS = (
    "jan january januar januari janner jaenner janvier janv ene enero janeiro gen gennaio",
    "feb february februar februari fevrier fevr fev febrero fevereiro febbraio",
    "mar march marz maerz mrz mars marzo marco mrt maart",
    "apr april avr avril abr abril aprile",
    "may mai mayo maio mag maggio mei",
    "jun june juni juin junio junho giu giugno",
    "jul july juli juillet juil julio julho lug luglio",
    "aug august aout ago agosto augustus",
    "sep sept september septembre septiembre setiembre set setembro settembre",
    "oct october okt oktober octobre octubre out outubro ott ottobre",
    "nov november novembre noviembre novembro",
    "dec december dez dezember decembre dic diciembre dezembro dicembre",
)
"""The months by their names and short names, without accents; no name stands for two of them."""
_NUMBER_OF = ", ".join(
    f"'{name}': '{at}'" for at, names in enumerate(_MONTHS, start=1) for name in names.split()
)

_HALF = r" ?[ap]\.?m\.?"
_ZONE = "(?:z|[a-z]{3,5})?(?: ?[+-][0-9]{1,2}(?::?[0-9]{2}){0,2})?"
_CLOCK = rf"[0-9]{{1,2}}(?:(?:[:.h][0-9]{{2}}){{1,2}}(?:[.,][0-9]+)?h?(?:{_HALF})?|{_HALF}| ?h)"
_TIME = rf"(?:(?:(?:t|[, ] *){_CLOCK}|t[0-9]{{2}}(?:[0-9]{{2}}){{0,2}}(?:[.,][0-9]+)?) ?{_ZONE})?"
"""What may follow a day: after a blank a clock's marks tell that it is a time."""
_ONE = "([0-9]{1,2})"
_YEAR = "([1-9][0-9]{3})"
_MARK = "(?: *[-/.] *| +)"
_SHORT = (("([0-5][0-9]|6[0-8])", "20"), ("(69|[7-9][0-9])", "19"))
"""The years of two digits, and the century of each."""
_NAME = "([a-z]{3,10})"
_BESIDE = "[-/., ]*(?:(?:of|de|del) )?"
_NTH = rf"{_ONE}(?:st|nd|rd|th|er|[.\x{{ba}}\x{{aa}}\x{{b0}}])?"

_WHOLE = ("([1-9][0-9]{3}-[0-9]{2}-[0-9]{2})" + _TIME, r"\1")
_COARSE = ((r"([1-9][0-9]{3}-[0-9]{2})", r"\1-01"), (_YEAR + r"(?:\.0+)?", r"\1-01-01"))
_NAMED = (
    (f"{_NTH}{_BESIDE}{_NAME}{_BESIDE}{_YEAR}{_TIME}", r"\3-\2-\1"),
    (f"{_NAME}{_BESIDE}{_NTH}[-/., ]+{_YEAR}{_TIME}", r"\3-\1-\2"),
    (f"{_YEAR}{_BESIDE}{_NAME}{_BESIDE}{_NTH}{_TIME}", r"\1-\2-\3"),
    (f"{_NAME}{_BESIDE}{_YEAR}", r"\2-\1-01"),
)
"""Dates with a month's name and a year of four digits, of which nothing can be mistaken."""
_MONTH_YEAR = (f"{_ONE}{_MARK}{_YEAR}", r"\2-\1-01")
_WAYS = {
    "dmy": (
        (f"{_ONE}{_MARK}{_ONE}{_MARK}{_YEAR}{_TIME}", r"\3-\2-\1"),
        *(
            (f"{_ONE}{_MARK}{_ONE}{_MARK}{year}{_TIME}", rf"{before}\3-\2-\1")
            for year, before in _SHORT
        ),
        _MONTH_YEAR,
        *_NAMED,
        *(
            (f"{_NTH}{_BESIDE}{_NAME}{_BESIDE}{year}{_TIME}", rf"{before}\3-\2-\1")
            for year, before in _SHORT
        ),
    ),
    "mdy": (
        (f"{_ONE}{_MARK}{_ONE}{_MARK}{_YEAR}{_TIME}", r"\3-\1-\2"),
        *(
            (f"{_ONE}{_MARK}{_ONE}{_MARK}{year}{_TIME}", rf"{before}\3-\1-\2")
            for year, before in _SHORT
        ),
        _MONTH_YEAR,
        *_NAMED,
        *(
            (f"{_NAME}{_BESIDE}{_NTH}[-/., ]+{year}{_TIME}", rf"{before}\3-\1-\2")
            for year, before in _SHORT
        ),
    ),
    "ymd": (
        (f"{_YEAR}{_MARK}{_ONE}{_MARK}{_ONE}{_TIME}", r"\1-\2-\3"),
        *(
            (f"{year}{_MARK}{_ONE}{_MARK}{_ONE}{_TIME}", rf"{before}\1-\2-\3")
            for year, before in _SHORT
        ),
        (rf"{_YEAR}([0-9]{{2}})([0-9]{{2}})(?:\.0+|[0-9]{{6}})?{_TIME}", r"\1-\2-\3"),
        (f"{_YEAR}{_MARK}{_ONE}", r"\1-\2-01"),
        *_NAMED,
        *(
            (f"{year}{_BESIDE}{_NAME}{_BESIDE}{_NTH}{_TIME}", rf"{before}\1-\2-\3")
            for year, before in _SHORT
        ),
    ),
}
"""What each form reads, tried in order: patterns, and how their groups make an ISO day."""


def parse(declared: "str | Sequence[str] | None") -> tuple[str, ...]:
    """Reads the declared forms, as in `dmy,iso`; `start` beside `iso` takes a range by its start
    instead of all its days.

    >>> parse("dmy, iso"), parse(None)
    (('dmy', 'iso'), ('iso',))
    """
    if declared is None:
        return ISO
    named = declared.split(",") if isinstance(declared, str) else list(declared)
    forms = tuple(str(one).strip().lower() for one in named)
    if (
        not set(forms) <= {*FORMS, START}
        or len(set(forms)) < len(forms)
        or not set(forms) - {START}
    ):
        raise BadInput(
            f"--dates: write how dates are written, one of {', '.join(FORMS)}, or several in the"
            " order they are tried, like --dates dmy,iso"
        )
    if START in forms and "iso" not in forms:
        raise BadInput(
            "--dates: start is about ranges, which iso reads; add it, like --dates iso,start"
        )
    return forms


def words(forms: tuple[str, ...]) -> str:
    """Says in words how dates are read.

    >>> words(("dmy", "excel"))
    'dmy (day, month, year), else excel (days as Excel counts them)'
    """
    said = ", else ".join(f"{form} ({FORMS[form]})" for form in forms if form != START)
    return said + (
        f"; a range by {'its start' if START in forms else 'all its days'}"
        if "iso" in forms
        else ""
    )


def join_forms(forms: tuple[str, ...]) -> str:
    """Names the forms in one phrase.

    >>> join_forms(("iso", "dmy", "start"))
    'iso or dmy'
    """
    return " or ".join(form for form in forms if form != START)


def reckon_sql(text: str, forms: tuple[str, ...]) -> str:
    """Builds SQL that reads a cell's text into one number, of which `first` and `last` tell the
    days that it may mean; NULL if no declared form reads it.

    The row's own text decides, with the declared forms and nothing else: that is what the promise
    asks of a reader.
    """
    return _one_of(
        [
            _first_day_sql(text, [_WHOLE]),
            *(_form(text, form, forms) for form in forms if form != START),
        ]
    )


def alone(text: str, form: str) -> str:
    """Builds SQL that reads a cell's text in one form, and whole ISO days only if that form is
    `iso`: for the operator's counts.
    """
    return reckon_sql(text, ISO) if form == "iso" else _form(text, form, (form,))


def first(number: str) -> str:
    """Builds SQL for the first day that a text may mean, of the number that it was read into."""
    return f"(DATE '0001-01-01' + CAST({number} >> {_BITS} AS INTEGER))"


def last_day_sql(number: str) -> str:
    """Builds SQL for the last day that a text may mean, of the number that it was read into."""
    return let(
        "dp_n",
        number,
        f"DATE '0001-01-01' + CAST((dp_n >> {_BITS}) + (dp_n & {(1 << _BITS) - 1}) AS INTEGER)",
    )


_BITS = 22
"""A number holds the first day, counted from the year 1, and in its lowest bits how many days
more there may be.
"""
_BLANK = " \t\r\n\N{NO-BREAK SPACE}"
_BLANKS = r"[ \t\r\n\x{a0}]*"


def _number(start: str, end: str = "") -> str:
    """Builds SQL for the number that holds a day, or two; NULL if the second is before the
    first.
    """
    one = f"(({start} - DATE '0001-01-01') << {_BITS})"
    return f"CASE WHEN {end} >= {start} THEN {one} + ({end} - {start}) END" if end else one


def _form(text: str, form: str, forms: tuple[str, ...]) -> str:
    """Builds SQL for the days that one form reads."""
    if form == "iso":
        return _one_of([_first_day_sql(text, _COARSE), _range(text, by_start=START in forms)])
    if form == "excel":
        count = (
            f"TRY_CAST(regexp_extract({text},"
            f" '^{_BLANKS}([1-9][0-9]{{4}})(?:[.,][0-9]+)?{_BLANKS}$', 1) AS INTEGER)"
        )
        return _number(f"(DATE '1899-12-30' + {count})")
    if form == "epoch":
        count = (
            rf"TRY_CAST(regexp_extract({text},"
            rf" '^{_BLANKS}(-?[1-9][0-9]{{10,12}})(?:\.0+)?{_BLANKS}$', 1) AS DOUBLE)"
        )
        return _number(f"(DATE '1970-01-01' + CAST(floor({count} / 86400000) AS INTEGER))")
    return _first_day_sql(text, _WAYS[form])


def _one_of(numbers: list[str]) -> str:
    """Builds SQL for the first of some readings that is one."""
    return numbers[0] if len(numbers) == 1 else f"coalesce({', '.join(numbers)})"


def _first_day_sql(text: str, ways: Sequence[tuple[str, str]]) -> str:
    """Builds SQL for the days that the first of some patterns reads."""
    return _one_of([_by_pattern(text, pattern, day) for pattern, day in ways])


def _by_pattern(text: str, pattern: str, day: str) -> str:
    """Builds SQL for the days that one pattern reads, whose groups make an ISO day; what no
    calendar has is none.
    """
    named = _NAME in pattern
    whole = f"(?i){_BLANKS}{pattern}{_BLANKS}"
    text = f"lower(strip_accents({text}))" if named else text
    made = f"regexp_replace({text}, {literal(f'^{whole}$')}, {literal(day)})"
    if named:
        year, month, rest = (f"split_part(dp_m, '-', {at})" for at in (1, 2, 3))
        made = let("dp_m", made, f"{year} || '-' || MAP {{{_NUMBER_OF}}}[{month}] || '-' || {rest}")
    parsed = f"TRY_CAST({made} AS DATE)"
    coarse = day.count("-01")
    end = (
        "last_day(dp_d)" if coarse == 1 else "CAST(dp_d + INTERVAL 1 YEAR - INTERVAL 1 DAY AS DATE)"
    )
    number = let("dp_d", parsed, _number("dp_d", end)) if coarse else _number(parsed)
    return f"CASE WHEN regexp_full_match({text}, {literal(whole)}) THEN {number} END"


def _range(text: str, *, by_start: bool) -> str:
    """Builds SQL for the days of an ISO range a/b: all of them, or those its start may mean; none
    where one end is open, or before the other.
    """
    clock = f"{_CLOCK} ?{_ZONE}"
    month = "[0-9]{2}"
    day = "[0-9]{2}-[0-9]{2}"
    start = f"[1-9][0-9]{{3}}(?:-{month}|-{day}{_TIME})?"
    end = " ".join(
        f"WHEN regexp_full_match(dp_b, {literal('(?i)' + pattern)}) {more} THEN {whole}"
        for pattern, more, whole in (
            (start, "", "left(dp_b, 10)"),
            (month, "AND length(dp_a) IN (7, 10)", "left(dp_a, length(dp_a) - 2) || dp_b"),
            (day + _TIME, "AND length(dp_a) >= 10", "left(dp_a, 5) || left(dp_b, 5)"),
            (f"{month}t{clock}", "AND length(dp_a) > 10", "left(dp_a, 8) || left(dp_b, 2)"),
            (f"t?{clock}", "AND length(dp_a) > 10", "left(dp_a, 10)"),
        )
    )
    first_ = "TRY_CAST(left(dp_a, 10) || substr('0000-01-01', length(dp_a) + 1) AS DATE)"
    last_ = _end_of("dp_e")
    span = let("dp_f", first_, let("dp_g", last_, _number("dp_f", "dp_g")))
    if by_start:
        alone = let("dp_f", first_, let("dp_g", _end_of("left(dp_a, 10)"), _number("dp_f", "dp_g")))
        span = f"CASE WHEN {span} IS NOT NULL THEN {alone} END"
    a, b = (f"trim(split_part({text}, '/', {at}), {literal(_BLANK)})" for at in (1, 2))
    whole = let("dp_a", a, let("dp_b", b, let("dp_e", f"CASE {end} END", span)))
    return (
        f"CASE WHEN regexp_full_match({text}, {literal(f'(?i){_BLANKS}{start} */[^/]+')}) THEN"
        f" {whole} END"
    )


def _end_of(iso: str) -> str:
    """Builds SQL for the last day of an ISO year, month or day."""
    ends = (
        f"WHEN 7 THEN last_day(TRY_CAST({iso} || '-01' AS DATE)) WHEN 4 THEN TRY_CAST({iso} ||"
        " '-12-31' AS DATE)"
    )
    return f"CASE length({iso}) WHEN 10 THEN TRY_CAST({iso} AS DATE) {ends} END"
