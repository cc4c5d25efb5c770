"""Reads a declared rule: takes its text apart, and refuses it in one line with the place where it
stops being one.

The grammar:

    rule    = all {"or" all}                      all = one {"and" one}
    one     = "not" one | "(" rule ")" | COLUMN test
    test    = ("=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") VALUE
            | ["not"] "in" "(" VALUE {"," VALUE} ")" | ["not"] "between" VALUE "and" VALUE
            | ["not"] ("contains" | "starts with") TEXT | "is" ["not"] "empty"
    COLUMN  = a bare word, or any name in "double quotes" or `backticks`
    VALUE   = a TEXT in 'single quotes' (a quote inside it is doubled), a number, or a date
              like 2020-05-31 or 2020-05
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from dpmap.errors import BadInput
from dpmap.survey.row_filter import (
    BLANKS,
    RESERVED,
    SIGNS,
    All,
    Among,
    Day,
    Either,
    Empty,
    Holds,
    Not,
    Ordered,
    Rule,
    Value,
    kind_of,
    readings,
)

LONGEST = 10_000
DEEPEST = 100
MOST = 200
MOST_DATED = 5
"""The most characters of a rule, parts inside one another, comparisons, and columns that are
read as dates.
"""


@lru_cache(maxsize=64)
def parse(text: str) -> Rule:
    """Reads a rule, or refuses it in one line with the place where it stops being one.

    >>> parse("species = 'Aquila' and year >= 2020")
    All(rules=(Among(column='species', values=('Aquila',)), Ordered(column='year', sign='>=',
    value=2020.0)))
    >>> parse("species == Aquila")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: where: at character 12 a value was expected: a text in 'single quotes',
    a number, or a date like 2020-05-31
    """
    if len(text) > LONGEST:
        raise BadInput(
            f"--where: a rule has at most {LONGEST:,} characters; shorten it, or select the rows"
            " beforehand"
        )
    return _Parser(_tokens(text)).whole()


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
_A_TEST = (
    "a comparison was expected: = != < <= > >=, in, between, contains, starts with, is empty (a"
    " column with blanks in its name stands in double quotes)"
)
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
    tokens = list[_Token]()
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _wrong(at, _why_not(text[at]))
        kind = str(token.lastgroup)
        if kind in ("text", "name"):
            _check_visible(token[kind], at)
        if kind != "blank":
            tokens.append(_Token(kind, token[0], at))
        at = token.end()
    return [*tokens, _Token("end", "", at)]


def _why_not(mark: str) -> str:
    """Says what is wrong with a character at which nothing of a rule begins."""
    if mark in "'\"`":
        return (
            "a quote opens that nothing closes; one inside a quoted text or name is written twice"
        )
    if mark in (
        "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
        "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
    ):
        return "stands a curly quote; write straight ones: 'text', \"column\""
    if mark in "0123456789+-.":
        return (
            "a number or date is not understood: write 2020, 2.5, 2020-05-31 or 2020-05, and texts"
            " in single quotes"
        )
    return (
        "stands a mark that no rule has; put texts in 'single quotes' and names of columns in"
        ' "double quotes"'
    )


def _check_visible(text: str, start: int) -> None:
    """Refuses characters that nobody sees in a rule: it must be what it looks like."""
    for at, mark in enumerate(text):
        if not mark.isprintable() and unicodedata.category(mark) != "Zs":
            raise _wrong(start + at, "stands an invisible character; type the text again")


class _Parser:
    """Reads a rule from its tokens by descent, one function for each line of the grammar."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._tests = 0

    def whole(self) -> Rule:
        """Reads the rule to its end."""
        rule = self._any()
        if self._now.kind != "end":
            raise _wrong(self._now.at, "AND, OR or the end of the rule was expected")
        if sum(kind == "date" for _, kind in readings(rule)) > MOST_DATED:
            raise BadInput(
                f"--where: more than {MOST_DATED} columns are compared with dates; use fewer"
            )
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
        rules = [self._read_comparison()]
        while self._is("and"):
            rules.append(self._read_comparison())
        return rules[0] if len(rules) == 1 else All(tuple(rules))

    def _read_comparison(self) -> Rule:
        start = self._now
        self._depth += 1
        if self._depth > DEEPEST:
            raise _wrong(
                start.at,
                f"more than {DEEPEST} parts stand inside one another; write the rule flatter",
            )
        rule: Rule
        if self._is("not"):
            rule = Not(self._read_comparison())
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
            raise _wrong(
                token.at,
                'a column was expected, which stands bare or in "double quotes", not in single'
                " ones",
            )
        if token.kind != "word" or token.text.lower() in RESERVED:
            raise _wrong(token.at, _A_RULE)
        return token.text

    def _test(self, column: str) -> Rule:
        self._tests += 1
        if self._tests > MOST:
            raise _wrong(
                self._now.at,
                f"begins more than the {MOST} comparisons that a rule may have; use in (...)",
            )
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
            if len(set(map(kind_of, values))) > 1:
                raise _wrong(
                    self._now.at,
                    "ends a list of several kinds; put texts, numbers and dates into lists of"
                    " their own",
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
        token = self._now
        value = self._value()
        if not isinstance(value, str):
            return value
        if not re.fullmatch("[0-9]{4}(-[0-9]{2}){0,2}", value.strip(BLANKS)):
            raise _wrong(
                token.at,
                "a number or a date was expected, like 5, 2020-05-31 or '2020'; texts are compared"
                " by = and in",
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
            token.at,
            "stands a number of more than 15 digits; compare ids as long as that as texts, in"
            " 'single quotes'",
        )
    return value


def _day_of(token: _Token, text: str) -> Day:
    day = Day(text)
    try:
        day.ends()
    except BadInput:
        raise _wrong(
            token.at, "stands a date that no calendar has; write dates like 2020-05-31 or 2020-05"
        ) from None
    return day
