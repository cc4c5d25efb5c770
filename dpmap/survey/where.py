"""Reads a declared rule over one row's own columns, says it again in words, and turns it into SQL.

    rule    = all {"or" all}                      all = one {"and" one}
    one     = "not" one | "(" rule ")" | COLUMN test
    test    = ("=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") VALUE | ["not"] "in" "(" VALUE {"," VALUE} ")"
            | ["not"] "between" VALUE "and" VALUE | ["not"] ("contains" | "starts with") TEXT | "is" ["not"] "empty"
    COLUMN  = a bare word, or any name in "double quotes" or `backticks`
    VALUE   = a TEXT in 'single quotes' (a quote inside it is doubled), a number, or a date like 2020-05-31 or 2020-05

**Two values.** Of any row a rule is true or false, whatever stands in it. What a cell lacks fulfils nothing: an empty one, or one
without a number where a number is asked, or without a date where a date is. `!=` and `not` are the opposite, and so hold there; whoever
wants neither adds `and COLUMN is not empty`.

**The value decides** how a cell is read, and never what other cells hold: beside a text its text, without outer blanks, in
lower case; beside a number its number, as all of dpmap reads one (`12,5` is 12.5); beside a date its date, in the declared
forms, of which every day that it may mean must fulfil the comparison. After `<`, `<=`, `>`, `>=` and `between` a quoted date, month or year is a date too.

**No SQL passes through.** The rule is taken apart into the few kinds of parts below, and only those are written as SQL: columns that the
survey has, and values with their quotes doubled. So a row is selected by its own cells, and a rule that is declared
keeps premise and cap: `rows(S with T)` that fulfil it are those of S and those of T. Only a rule about a column that is taken apart into names
would break that, since a name struck from a text could take the row from the others: `selection` refuses it.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from dpmap.errors import BadInput
from dpmap.grid.axes import span_of
from dpmap.survey import dates, places
from dpmap.survey.sources import literal, quoted

LONGEST, DEEPEST, MOST, MOST_DATED = 10_000, 100, 200, 5
"""The most characters of a rule, parts inside one another, comparisons, and columns that are read as dates."""
BLANKS = " \t\r\n\x0b\x0c\N{NO-BREAK SPACE}"
RESERVED = frozenset(("and", "or", "not", "in", "is", "between"))
SIGNS = ("<", "<=", ">", ">=")


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


@lru_cache(maxsize=64)
def parse(text: str) -> Rule:
    """Reads a rule, or refuses it in one line with the place where it stops being one.

    >>> parse("species = 'Aquila' and year >= 2020")
    All(rules=(Among(column='species', values=('Aquila',)), Ordered(column='year', sign='>=', value=2020.0)))
    >>> parse("species == Aquila")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: --where: at character 12 a value was expected: a text in 'single quotes', a number, or a date like 2020-05-31
    """
    if len(text) > LONGEST:
        raise BadInput(f"--where: a rule has at most {LONGEST:,} characters; shorten it, or select the rows beforehand")
    return _Parser(_tokens(text)).whole()


def words(rule: Rule) -> str:
    """Writes a rule in its one spelling; `parse` reads the same rule from it.

    >>> print(words(parse("NOT (`Common name` IN ('kite','owl')) and (year<2020 or seen between 2020-05 and 2020-07)")))
    "Common name" not in ('kite', 'owl') and (year < 2020 or seen between 2020-05 and 2020-07)
    """
    match rule:
        case Not(Among() | Empty() | Holds() as inside):
            return _test_words(inside, "not ")
        case Not(inside):
            return f"not {_within(inside)}"
        case All((Ordered(column, ">=", low), Ordered(other, "<=", high))) if column == other:
            return f"{_name(column)} between {_written(low)} and {_written(high)}"
        case All(rules):
            return " and ".join(map(_within, rules))
        case Either(rules):
            return " or ".join(words(one) if isinstance(one, All) else _within(one) for one in rules)
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
            return f"{_name(column)} {'!=' if negated else '='} {_written(value)}"
        case Among(column, values):
            return f"{_name(column)} {negated}in ({', '.join(map(_written, values))})"
        case Ordered(column, sign, value):
            return f"{_name(column)} {sign} {_written(value)}"
        case Holds(column, text, at_start):
            return f"{_name(column)} {negated}{'starts with' if at_start else 'contains'} {literal(text)}"
        case Empty(column):
            return f"{_name(column)} is {negated}empty"
    raise AssertionError(test)


def _name(column: str) -> str:
    """Writes a column as a rule names it."""
    return column if _BARE.fullmatch(column) and column.lower() not in RESERVED else quoted(column)


def _written(value: Value) -> str:
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
    """Writes the SQL for where a row fulfils the rule, true or false and never NULL; `named` finds a column of the survey.

    Where numbers or dates are compared, all that is read of the row's cells is bound first, each once.
    """
    held, binds = dict[str, str](), bool(_readings(rule))

    def read(value: str) -> str:
        """Returns what stands for a value that is read of a cell."""
        return held.setdefault(value, f"dp_r.r{len(held)}") if binds else value

    def tested(test: Test) -> str:
        """Writes one comparison; what the cell lacks makes it NULL."""
        cell = places.text(quoted(named(test.column)))
        match test:
            case Among(_, values) if isinstance(values[0], str):
                texts = ", ".join(f"lower({literal(str(value).strip(BLANKS))})" for value in values)
                return read(f"lower({_bare(cell)}) IN ({texts})")
            case Among(_, values):
                return " OR ".join(_compared("=", value, read(_reading(value, cell, forms))) for value in values)
            case Ordered(_, sign, value):
                return _compared(sign, value, read(_reading(value, cell, forms)))
            case Holds(_, text, at_start):
                return read(
                    f"{'starts_with' if at_start else 'contains'}(lower({_bare(cell)}), lower({literal(text)}))"
                )
            case Empty():
                return read(f"coalesce({_bare(cell)}, '') = ''")

    whole = _joined(rule, tested)
    each = ", ".join(f"'{name.removeprefix('dp_r.')}': {value}" for value, name in held.items())
    return places.let("dp_r", f"{{{each}}}", whole) if binds else whole


def _joined(rule: Rule, tested: Callable[[Test], str]) -> str:
    """Writes the SQL for a rule by that for each of its comparisons."""
    match rule:
        case Not(inside):
            return f"(NOT {_joined(inside, tested)})"
        case All(rules):
            return f"({' AND '.join(_joined(one, tested) for one in rules)})"
        case Either(rules):
            return f"({' OR '.join(_joined(one, tested) for one in rules)})"
        case _:
            return f"coalesce({tested(rule)}, false)"


def _readings(rule: Rule) -> set[tuple[str, str]]:
    """Returns the columns that a rule reads otherwise than as texts, each with how: by a number or by a date."""
    match rule:
        case Not(inside):
            return _readings(inside)
        case All(rules) | Either(rules):
            return {reading for one in rules for reading in _readings(one)}
        case Among(column, values):
            return {(column, _kind(value)) for value in values} - {(column, "text")}
        case Ordered(column, _, value):
            return {(column, _kind(value))}
        case _:
            return set()


def dated(rule: Rule) -> tuple[str, ...]:
    """Returns the columns of which a rule reads dates."""
    return tuple(sorted(column for column, kind in _readings(rule) if kind == "date"))


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


def _kind(value: Value) -> str:
    return "date" if isinstance(value, Day) else "text" if isinstance(value, str) else "number"


def _bare(cell: str) -> str:
    """Writes the SQL for a cell's text without outer blanks."""
    return rf"regexp_replace({cell}, '^[\s\x0b\x{{a0}}]+|[\s\x0b\x{{a0}}]+$', '', 'g')"


def _reading(value: Value, cell: str, forms: tuple[str, ...]) -> str:
    """Writes the SQL that reads a cell as the value is written: as a date, or as a number that is finite."""
    if isinstance(value, Day):
        return dates.reckoned(cell, forms)
    return places.let("dp_w", places.number(cell), "CASE WHEN isfinite(dp_w) THEN dp_w END")


def _compared(sign: str, value: Value, read: str) -> str:
    """Writes the SQL that compares what was read of a cell with a number, or every day it may mean with a date."""
    if not isinstance(value, Day):
        return f"{read} {sign} CAST('{value!r}' AS DOUBLE)"
    (start, end), first, last = value.ends(), dates.first(read), dates.last(read)
    return {
        "=": f"({first} >= DATE '{start}' AND {last} <= DATE '{end}')",
        "<": f"{last} < DATE '{start}'",
        "<=": f"{last} <= DATE '{end}'",
        ">": f"{first} > DATE '{end}'",
        ">=": f"{first} >= DATE '{start}'",
    }[sign]


def within(since: object, until: object, known: str | None) -> Rule | None:
    """Returns the rule that `--from` and `--to` stand for, both ends included; `known` is the survey's own column of dates.

    >>> words(within("2020", "seen=2021-03", None))
    "seen between '2020' and 2021-03"
    """
    ends = [(flag, *_end(str(told), flag)) for flag, told in (("--from", since), ("--to", until)) if told is not None]
    named = next((column for _, column, _ in ends if column), known)
    rules = list[Ordered]()
    for flag, column, day in ends:
        if not (column or named):
            raise BadInput(f"{flag}: name the column of dates too, like {flag} date={day.text}")
        rules.append(Ordered(column or named or "", ">=" if flag == "--from" else "<=", day))
    if len(ends) == 2 and ends[0][2].ends()[0] > ends[1][2].ends()[1]:
        raise BadInput("--to: it ends before --from begins; exchange them")
    return All(tuple(rules)) if len(rules) > 1 else rules[0] if rules else None


def _end(told: str, flag: str) -> tuple[str, Day]:
    """Reads a date, or COLUMN=DATE."""
    column, _, text = told.rpartition("=")
    day = Day(text.strip())
    try:
        day.ends()
    except BadInput:
        raise BadInput(f"{flag}: write a date as 2020, 2020-03 or 2020-03-31, or COLUMN=DATE") from None
    return column.strip(), day


_BARE = re.compile(r"[^\W\d][\w.:/\-]*|[$][\w.:/\-]+")
_TOKEN = re.compile(
    r"""(?P<blank>[\s]+)
    |(?P<date>[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?)(?![\w.:/\-])
    |(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w.:/\-])
    |(?P<text>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`)
    |(?P<word>[^\W\d][\w.:/\-]*|[$][\w.:/\-]+)
    |(?P<mark><=|>=|<>|!=|==|[=<>(),])""",
    re.VERBOSE,
)
_A_VALUE = "a value was expected: a text in 'single quotes', a number, or a date like 2020-05-31"
_A_TEST = "a comparison was expected: = != < <= > >=, in, between, contains, starts with, is empty (a column with blanks in its name stands in double quotes)"
_A_RULE = "a column was expected (or not, or a parenthesis)"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def _wrong(at: int, why: str) -> BadInput:
    return BadInput(f"--where: at character {at + 1} {why}")


def _tokens(text: str) -> list[_Token]:
    """Cuts a rule into its words, names, texts, numbers, dates and marks."""
    found, at = list[_Token](), 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _wrong(at, _why_not(text[at]))
        kind = str(token.lastgroup)
        if kind in ("text", "name"):
            _check_visible(token[kind], at)
        if kind != "blank":
            found.append(_Token(kind, token[0], at))
        at = token.end()
    return [*found, _Token("end", "", at)]


def _why_not(mark: str) -> str:
    """Says what is wrong with a character at which nothing of a rule begins."""
    if mark in "'\"`":
        return "a quote opens that nothing closes; one inside a quoted text or name is written twice"
    if (
        mark
        in "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
    ):
        return "stands a curly quote; write straight ones: 'text', \"column\""
    if mark in "0123456789+-.":
        return "a number or date is not understood: write 2020, 2.5, 2020-05-31 or 2020-05, and texts in single quotes"
    return "stands a mark that no rule has; put texts in 'single quotes' and names of columns in \"double quotes\""


def _check_visible(text: str, start: int) -> None:
    """Refuses characters that nobody sees in a rule: it must be what it looks like."""
    for at, mark in enumerate(text):
        if not mark.isprintable() and unicodedata.category(mark) != "Zs":
            raise _wrong(start + at, "stands an invisible character; type the text again")


class _Parser:
    """Reads a rule from its tokens by descent, one function for each line of the grammar."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens, self._at, self._depth, self._tests = tokens, 0, 0, 0

    def whole(self) -> Rule:
        """Reads the rule to its end."""
        rule = self._any()
        if self._now.kind != "end":
            raise _wrong(self._now.at, "AND, OR or the end of the rule was expected")
        if sum(kind == "date" for _, kind in _readings(rule)) > MOST_DATED:
            raise BadInput(f"--where: more than {MOST_DATED} columns are compared with dates; use fewer")
        return rule

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._now
        self._at += token.kind != "end"
        return token

    def _is(self, *spelled: str) -> bool:
        """Takes these words or marks, if they come next."""
        coming = self._tokens[self._at : self._at + len(spelled)]
        if [one.text.lower() for one in coming if one.kind in ("word", "mark")] != list(spelled):
            return False
        self._at += len(spelled)
        return True

    def _any(self) -> Rule:
        rules = [self._all()]
        while self._is("or"):
            rules.append(self._all())
        return rules[0] if len(rules) == 1 else Either(tuple(rules))

    def _all(self) -> Rule:
        rules = [self._one()]
        while self._is("and"):
            rules.append(self._one())
        return rules[0] if len(rules) == 1 else All(tuple(rules))

    def _one(self) -> Rule:
        start = self._now
        self._depth += 1
        if self._depth > DEEPEST:
            raise _wrong(start.at, f"more than {DEEPEST} parts stand inside one another; write the rule flatter")
        rule: Rule
        if self._is("not"):
            rule = Not(self._one())
        elif self._is("("):
            rule = self._any()
            self._close()
        else:
            rule = self._test(self._column())
        self._depth -= 1
        return rule

    def _close(self) -> None:
        if not self._is(")"):
            raise _wrong(self._now.at, "a closing parenthesis was expected, or AND, or OR")

    def _column(self) -> str:
        token = self._take()
        if token.kind == "name" and len(token.text) > 2:
            mark = token.text[0]
            return token.text[1:-1].replace(2 * mark, mark)
        if token.kind == "text":
            raise _wrong(token.at, 'a column was expected, which stands bare or in "double quotes", not in single ones')
        if token.kind != "word" or token.text.lower() in RESERVED:
            raise _wrong(token.at, _A_RULE)
        return token.text

    def _test(self, column: str) -> Rule:
        self._tests += 1
        if self._tests > MOST:
            raise _wrong(self._now.at, f"begins more than the {MOST} comparisons that a rule may have; use in (...)")
        if self._is("is"):
            negated = self._is("not")
            if not self._is("empty"):
                raise _wrong(self._now.at, "EMPTY was expected: is empty, or is not empty")
            return Not(Empty(column)) if negated else Empty(column)
        if self._is("not"):
            return Not(self._named_test(column))
        sign = self._now
        if sign.kind == "mark" and sign.text in ("=", "==", "!=", "<>", *SIGNS):
            return self._compared(column, self._take().text)
        return self._named_test(column)

    def _compared(self, column: str, sign: str) -> Rule:
        if sign in SIGNS:
            return Ordered(column, sign, self._point())
        rule = Among(column, (self._value(),))
        return Not(rule) if sign in ("!=", "<>") else rule

    def _named_test(self, column: str) -> Rule:
        """Reads a test that begins with a word, and may be negated by one."""
        if self._is("in"):
            if not self._is("("):
                raise _wrong(self._now.at, "an opening parenthesis was expected, as in ('a', 'b')")
            values = [self._value()]
            while self._is(","):
                values.append(self._value())
            if not self._is(")"):
                raise _wrong(self._now.at, "a comma or a closing parenthesis was expected")
            if len(set(map(_kind, values))) > 1:
                raise _wrong(
                    self._now.at, "ends a list of several kinds; put texts, numbers and dates into lists of their own"
                )
            return Among(column, tuple(values))
        if self._is("between"):
            low = self._point()
            if not self._is("and"):
                raise _wrong(self._now.at, "AND was expected, as in: between 2 and 5")
            return All((Ordered(column, ">=", low), Ordered(column, "<=", self._point())))
        if self._is("contains"):
            return Holds(column, self._text(), at_start=False)
        if self._is("starts", "with"):
            return Holds(column, self._text(), at_start=True)
        raise _wrong(self._now.at, _A_TEST)

    def _text(self) -> str:
        token = self._take()
        if token.kind != "text" or token.text == "''":
            raise _wrong(token.at, "a text was expected, in 'single quotes'")
        return _unquoted(token)

    def _value(self) -> Value:
        token = self._take()
        match token.kind:
            case "text" if _unquoted(token).strip(BLANKS):
                return _unquoted(token)
            case "text":
                raise _wrong(token.at, "stands an empty text; write: is empty, or is not empty")
            case "number":
                return _number_of(token)
            case "date":
                return _day_of(token, token.text)
            case "name":
                raise _wrong(token.at, f"{_A_VALUE}; double quotes name a column")
        raise _wrong(token.at, _A_VALUE)

    def _point(self) -> float | Day:
        """Reads a number or a date, which may be quoted: what comes after `<` and its like."""
        token, value = self._now, self._value()
        if not isinstance(value, str):
            return value
        if not re.fullmatch("[0-9]{4}(-[0-9]{2}){0,2}", value.strip(BLANKS)):
            raise _wrong(
                token.at,
                "a number or a date was expected, like 5, 2020-05-31 or '2020'; texts are compared by = and in",
            )
        return _day_of(token, value.strip(BLANKS))


def _unquoted(token: _Token) -> str:
    return token.text[1:-1].replace("''", "'")


def _number_of(token: _Token) -> float:
    """Reads a number that floating point tells from all others as long: 15 digits."""
    digits = re.sub("[eE].*|[+.-]", "", token.text).lstrip("0")
    value = float(token.text) + 0.0
    if len(digits) > 15 or abs(value) > 1e300:
        raise _wrong(
            token.at, "stands a number of more than 15 digits; compare ids as long as that as texts, in 'single quotes'"
        )
    return value


def _day_of(token: _Token, text: str) -> Day:
    day = Day(text)
    try:
        day.ends()
    except BadInput:
        raise _wrong(token.at, "stands a date that no calendar has; write dates like 2020-05-31 or 2020-05") from None
    return day
