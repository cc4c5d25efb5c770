"""Holds a declared rule over one row's own columns, says it again in words, and turns it into SQL;
`grammar` reads it.

**Two values.** Of any row a rule is true or false, whatever stands in it. What a cell lacks fulfils
nothing: an empty one, or one without a number where a number is asked, or without a date where a
date is. `!=` and `not` are the opposite, and so hold there; whoever wants neither adds `and COLUMN
is not empty`.

**The value decides** how a cell is read, and never what other cells hold: beside a text its text,
without outer blanks, in lower case; beside a number its number, as all of dpmap reads one (`12,5`
is 12.5); beside a date its date, in the declared forms, of which every day that it may mean must
fulfil the comparison. After `<`, `<=`, `>`, `>=` and `between` a quoted date, month or year is a
date too.

**No SQL passes through.** The rule is taken apart into the few kinds of parts below, and only those
are written as SQL: columns that the survey has, and values with their quotes doubled. So a row is
selected by its own cells, and a rule that is declared keeps premise and cap: `rows(S with T)` that
fulfil it are those of S and those of T. Only a rule about a column that is taken apart into names
would break that, since a name struck from a text could take the row from the others: `selection`
refuses it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import span_of
from dpmap.survey import dates, place_parser
from dpmap.survey.sources import literal, quote_column

BLANKS = " \t\r\n\x0b\x0c\N{NO-BREAK SPACE}"
RESERVED = frozenset(("and", "or", "not", "in", "is", "between"))
SIGNS = ("<", "<=", ">", ">=")
BARE = re.compile(r"[^\W\d][\w.:/\-]*|[$][\w.:/\-]+")
"""What a column may be called to stand bare in a rule."""


@dataclass(frozen=True, slots=True)
class Day:
    """A date in a rule: a day, a month or a year, as written."""

    text: str

    def ends(self) -> tuple[date, date]:
        """Returns its first and its last day."""
        return span_of(self.text)


Value = str | float | Day


@dataclass(frozen=True, slots=True)
class Among:
    """True where the cell is one of the values."""

    column: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Ordered:
    """True where the cell's number or date lies on this side of the value."""

    column: str
    sign: str
    value: float | Day


@dataclass(frozen=True, slots=True)
class Holds:
    """True where the cell's text holds another, or starts with it."""

    column: str
    text: str
    at_start: bool


@dataclass(frozen=True, slots=True)
class Empty:
    """True where nothing but blanks stands."""

    column: str


@dataclass(frozen=True, slots=True)
class Not:
    """True where the rule is false."""

    rule: "Rule"


@dataclass(frozen=True, slots=True)
class All:
    """True where all rules are."""

    rules: "tuple[Rule, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """True where any of the rules is."""

    rules: "tuple[Rule, ...]"


Test = Among | Ordered | Holds | Empty
Rule = Test | Not | All | Either


def words(rule: Rule) -> str:
    """Writes a rule in its one spelling; `parse` reads the same rule from it.

    >>> from dpmap.survey.filter_parser import parse
    >>> print(
    ...     words(
    ...         parse(
    ...             "NOT (`Common name` IN ('kite','owl')) and (year<2020 or seen between 2020-05"
    ...             " and 2020-07)"
    ...         )
    ...     )
    ... )
    "Common name" not in ('kite', 'owl') and (year < 2020 or seen between 2020-05 and 2020-07)
    """
    match rule:
        case Not(Among() | Empty() | Holds() as inside):
            return _test_words(inside, "not ")
        case Not(inside):
            return f"not {_within(inside)}"
        case All((Ordered(column, ">=", low), Ordered(other, "<=", high))) if column == other:
            return f"{_name(column)} between {_write_value(low)} and {_write_value(high)}"
        case All(rules):
            return " and ".join(map(_within, rules))
        case Either(rules):
            return " or ".join(
                words(one) if isinstance(one, All) else _within(one) for one in rules
            )
        case _:
            return _test_words(rule, "")


def _within(rule: Rule) -> str:
    """Writes a rule that is part of another, in parentheses if it would fall apart there."""
    match rule:
        case All((Ordered(column, ">=", _), Ordered(other, "<=", _))) if column == other:
            return words(rule)
        case All() | Either():
            return f"({words(rule)})"
    return words(rule)


def _test_words(test: Rule, negated: str) -> str:
    """Writes one comparison, or its opposite."""
    match test:
        case Among(column, (value,)):
            return f"{_name(column)} {'!=' if negated else '='} {_write_value(value)}"
        case Among(column, values):
            return f"{_name(column)} {negated}in ({', '.join(map(_write_value, values))})"
        case Ordered(column, sign, value):
            return f"{_name(column)} {sign} {_write_value(value)}"
        case Holds(column, text, at_start):
            return (
                f"{_name(column)} {negated}{'starts with' if at_start else 'contains'}"
                f" {literal(text)}"
            )
        case Empty(column):
            return f"{_name(column)} is {negated}empty"
    raise AssertionError(test)


def _name(column: str) -> str:
    """Writes a column as a rule names it."""
    return (
        column
        if BARE.fullmatch(column) and column.lower() not in RESERVED
        else quote_column(column)
    )


def _write_value(value: Value) -> str:
    """Writes a value as a rule holds it."""
    if isinstance(value, str):
        return literal(value)
    if isinstance(value, Day):
        return literal(value.text) if len(value.text) == 4 else value.text
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def columns(rule: Rule) -> tuple[str, ...]:
    """Returns the columns that a rule reads, each once."""
    match rule:
        case Not(inside):
            return columns(inside)
        case All(rules) | Either(rules):
            return tuple(dict.fromkeys(column for one in rules for column in columns(one)))
        case _:
            return (rule.column,)


def sql(rule: Rule, named: Callable[[str], str], forms: tuple[str, ...]) -> str:
    """Writes the SQL for where a row fulfils the rule, true or false and never NULL; `named` finds
    a column of the survey.

    Where numbers or dates are compared, all that is read of the row's cells is bound first, each
    once.
    """
    held = dict[str, str]()
    binds = bool(readings(rule))

    def read(value: str) -> str:
        """Returns what stands for a value that is read of a cell."""
        return held.setdefault(value, f"dp_r.r{len(held)}") if binds else value

    def tested(test: Test) -> str:
        """Writes one comparison; what the cell lacks makes it NULL."""
        cell = place_parser.text(quote_column(named(test.column)))
        match test:
            case Among(_, values) if isinstance(values[0], str):
                texts = ", ".join(f"lower({literal(str(value).strip(BLANKS))})" for value in values)
                return read(f"lower({_bare(cell)}) IN ({texts})")
            case Among(_, values):
                return " OR ".join(
                    _compared("=", value, read(_reading(value, cell, forms))) for value in values
                )
            case Ordered(_, sign, value):
                return _compared(sign, value, read(_reading(value, cell, forms)))
            case Holds(_, text, at_start):
                return read(
                    f"{'starts_with' if at_start else 'contains'}(lower({_bare(cell)}),"
                    f" lower({literal(text)}))"
                )
            case Empty():
                return read(f"coalesce({_bare(cell)}, '') = ''")

    whole = _rule_sql(rule, tested)
    each = ", ".join(f"'{name.removeprefix('dp_r.')}': {value}" for value, name in held.items())
    return place_parser.let("dp_r", f"{{{each}}}", whole) if binds else whole


def _rule_sql(rule: Rule, tested: Callable[[Test], str]) -> str:
    """Writes the SQL for a rule by that for each of its comparisons."""
    match rule:
        case Not(inside):
            return f"(NOT {_rule_sql(inside, tested)})"
        case All(rules):
            return f"({' AND '.join(_rule_sql(one, tested) for one in rules)})"
        case Either(rules):
            return f"({' OR '.join(_rule_sql(one, tested) for one in rules)})"
        case _:
            return f"coalesce({tested(rule)}, false)"


def readings(rule: Rule) -> set[tuple[str, str]]:
    """Returns the columns that a rule reads otherwise than as texts, each with how: by a number
    or by a date.
    """
    match rule:
        case Not(inside):
            return readings(inside)
        case All(rules) | Either(rules):
            return {reading for one in rules for reading in readings(one)}
        case Among(column, values):
            return {(column, kind_of(value)) for value in values} - {(column, "text")}
        case Ordered(column, _, value):
            return {(column, kind_of(value))}
        case _:
            return set()


def date_columns(rule: Rule) -> tuple[str, ...]:
    """Returns the columns of which a rule reads dates."""
    return tuple(sorted(column for column, kind in readings(rule) if kind == "date"))


def years(rule: Rule) -> tuple[str, ...]:
    """Returns the columns that a rule compares with numbers that look like years."""
    match rule:
        case Not(inside):
            return years(inside)
        case All(rules) | Either(rules):
            return tuple(column for one in rules for column in years(one))
        case Ordered(column, _, float() as value) | Among(column, (float() as value, *_)):
            return (column,) if value.is_integer() and 1500 <= value <= 2200 else ()
        case _:
            return ()


def kind_of(value: Value) -> str:
    """Returns as what a cell is read beside this value."""
    return "date" if isinstance(value, Day) else "text" if isinstance(value, str) else "number"


def _bare(cell: str) -> str:
    """Writes the SQL for a cell's text without outer blanks."""
    return rf"regexp_replace({cell}, '^[\s\x0b\x{{a0}}]+|[\s\x0b\x{{a0}}]+$', '', 'g')"


def _reading(value: Value, cell: str, forms: tuple[str, ...]) -> str:
    """Writes the SQL that reads a cell as the value is written: as a date, or as a number that
    is finite.
    """
    if isinstance(value, Day):
        return dates.reckon_sql(cell, forms)
    return place_parser.let(
        "dp_w", place_parser.number(cell), "CASE WHEN isfinite(dp_w) THEN dp_w END"
    )


def _compared(sign: str, value: Value, read: str) -> str:
    """Writes the SQL that compares what was read of a cell with a number, or every day it may
    mean with a date.
    """
    if not isinstance(value, Day):
        return f"{read} {sign} CAST('{value!r}' AS DOUBLE)"
    (start, end), first, last = value.ends(), dates.first(read), dates.last_day_sql(read)
    return {
        "=": f"({first} >= DATE '{start}' AND {last} <= DATE '{end}')",
        "<": f"{last} < DATE '{start}'",
        "<=": f"{last} <= DATE '{end}'",
        ">": f"{first} > DATE '{end}'",
        ">=": f"{first} >= DATE '{start}'",
    }[sign]


def period_rule(since: object, until: object, known: str | None) -> Rule | None:
    """Returns the rule that `--from` and `--to` stand for, both ends included; `known` is the
    survey's own column of dates.

    >>> words(period_rule("2020", "seen=2021-03", None))
    "seen between '2020' and 2021-03"
    """
    ends = [
        (flag, *_end(str(date), flag))
        for flag, date in (("--from", since), ("--to", until))
        if date is not None
    ]
    named = next((column for _, column, _ in ends if column), known)
    rules = list[Ordered]()
    for flag, column, day in ends:
        if not (column or named):
            raise BadInput(f"{flag}: name the column of dates too, like {flag} date={day.text}")
        rules.append(Ordered(column or named or "", ">=" if flag == "--from" else "<=", day))
    if len(ends) == 2 and ends[0][2].ends()[0] > ends[1][2].ends()[1]:
        raise BadInput("--to: it ends before --from begins; exchange them")
    return All(tuple(rules)) if len(rules) > 1 else rules[0] if rules else None


def _end(date: str, flag: str) -> tuple[str, Day]:
    """Reads a date, or COLUMN=DATE."""
    column, _, text = date.rpartition("=")
    day = Day(text.strip())
    try:
        day.ends()
    except BadInput:
        raise BadInput(
            f"{flag}: write a date as 2020, 2020-03 or 2020-03-31, or COLUMN=DATE"
        ) from None
    return column.strip(), day
