"""Finds the values of a JSON text, one by one, however its bytes come, and decodes them.

Where a value ends and how deep it is nested is counted in its text before the standard library sees
it: how deep that can follow depends on the thread it runs in. Where a chunk of the file ends
changes nothing.
"""

import codecs
import json
import re
from collections.abc import Iterable
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.sources import printable_name

MOST = 256 << 20
"""Characters of the longest record, and of what stands beside the list of records."""
NESTED = 100
"""Objects and lists within each other, the record counted: what is nested deeper is no record.

It is counted in the text and far below what the standard library can follow, which depends on the
thread that reads.
"""
WITHIN = "."
"""Stands between the names of an object and of what it holds, in the name of a column."""
_BLANK = re.compile(r"[ \t\n\r\ufeff]*")
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN = r'[^"{}\[\]]*+'
_BRACKETS = re.compile(
    rf"([{{\[]++|[}}\]]++){_PLAIN}(?:(?:{_STRING}|(\[{_PLAIN}\])){_PLAIN})*+", re.DOTALL
)
"""A run of brackets that open or that close, and what is behind it: texts, numbers and lists of
numbers, up to the next other bracket or to a text that is cut off. The second group is one of those
lists, if there is any.
"""
_LEAF = re.compile(rf'{_STRING}|[^ \t\n\r\ufeff,:"{{}}\[\]]++', re.DOTALL)
_MARK = re.compile(rf"{_LEAF.pattern}|[,:{{}}\[\]]", re.DOTALL)


class Number(str):
    """Holds a number as the record writes it."""

    __slots__ = ()


DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=Number, parse_constant=Number, strict=False
)


class JsonText:
    """Holds the text read so far, the place where parsing goes on, and how many `lists` its
    reader has gone through.
    """

    def __init__(self, piece: FilePiece, chunks: Iterable[bytes]) -> None:
        self._name = printable_name(piece.name)
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.text = ""
        self.at = 0
        self._ended = False
        self.lists = 0

    def more(self) -> bool:
        """Reads more, twice as much each time nothing was used up; returns whether there was
        more.
        """
        if self._ended:
            return False
        unread = self.text[self.at :]
        parts = list[str]()
        wanted = 0
        if len(unread) > MOST:
            raise self._too_long()
        while wanted <= len(unread):
            chunk = next(self._chunks, None)
            self._ended = chunk is None
            parts.append(self._decoder.decode(chunk or b"", final=self._ended))
            if self._ended:
                break
            wanted += len(parts[-1]) or 1
        self.text = unread + "".join(parts)
        self.at = 0
        return True

    def next(self) -> str:
        """Skips blanks and returns the next character, empty at the end."""
        while True:
            blank = _BLANK.match(self.text, self.at)
            self.at = blank.end() if blank else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value(self) -> Any:
        """Parses the value that begins here; returns None if it is nested too deep."""
        while (extent := value_extent(self.text, self.at)) is None:
            if not self.more():
                raise self.broken()
        end, depth = extent
        if end - self.at > MOST:
            raise self._too_long()
        start = self.at
        self.at = end
        if depth > NESTED:
            if not is_grammatical(self.text[start:end]):
                raise self.broken()
            return None
        try:
            value, decoded_to = DECODER.raw_decode(self.text, start)
        except json.JSONDecodeError:
            raise self.broken() from None
        if decoded_to != end:
            raise self.broken()
        return value

    def expect(self, mark: str) -> None:
        """Skips a character that must stand here."""
        if self.next() != mark:
            raise self.broken()
        self.at += 1

    def _too_long(self) -> BadInput:
        """Returns the error for a record that is too long."""
        return BadInput(
            f"survey: {self._name} holds a record of more than {MOST >> 20} MB; export it as CSV"
        )

    def broken(self) -> BadInput:
        """Returns the error for a file that is not valid JSON."""
        return BadInput(
            f"survey: {self._name} is not whole JSON; it may be cut short or damaged, so export it"
            " again"
        )


def value_extent(text: str, start: int) -> tuple[int, int] | None:
    """Returns where the value at `start` ends and how deep it is nested; None if the text ends
    before that is certain.

    >>> value_extent('[{"a": "]"}], 5', 0), value_extent("17", 0), value_extent('["a', 0)
    ((12, 2), None, None)
    """
    if start >= len(text):
        return None
    if text[start] not in "{[":
        leaf = _LEAF.match(text, start)
        if leaf is None:
            return None if text[start] == '"' else (start, 0)
        return (leaf.end(), 0) if text[start] == '"' or leaf.end() < len(text) else None
    depth = deepest = 0
    reached = start
    for step in _BRACKETS.finditer(text, start):
        if step.start() != reached:  # a text is cut off: what look like brackets stand in it
            return None
        brackets = step[1]
        if brackets[0] in "{[":
            depth += len(brackets)
            deepest = max(deepest, depth + (step[2] is not None))
        elif len(brackets) < depth:
            depth -= len(brackets)
            deepest = max(deepest, depth + (step[2] is not None))
        else:
            return step.start() + depth, deepest
        reached = step.end()
    return None


def is_grammatical(text: str) -> bool:
    """Whether a text is one value by JSON's grammar, however deep it is nested; texts and numbers
    are judged by the decoder.

    >>> is_grammatical('[{"a": [1, {}]}]'), is_grammatical("[1}"), is_grammatical(
    ...     '{"a" 1}'
    ... ), is_grammatical("[1,]")
    (True, False, False, False)
    """
    opened = list[str]()
    expected = "value"
    for mark in _MARK.findall(text):
        empty = "first key" if mark == "}" else "first value"
        if mark in ("{", "[") and expected in ("value", "first value"):
            opened.append(mark)
            expected = "first key" if mark == "{" else "first value"
        elif mark in ("}", "]") and opened and expected in ("next", empty):
            if opened.pop() + mark not in ("{}", "[]"):
                return False
            expected = "next"
        elif mark == "," and opened and expected == "next":
            expected = "key" if opened[-1] == "{" else "value"
        elif mark == ":" and expected == "colon":
            expected = "value"
        elif mark[0] in ",:{}[]" or not _is_leaf(mark):
            return False
        elif mark[0] == '"' and expected in ("key", "first key"):
            expected = "colon"
        elif expected in ("value", "first value"):
            expected = "next"
        else:
            return False
    return not opened and expected == "next"


def _is_leaf(mark: str) -> bool:
    """Whether a mark is one whole text, number or word of JSON."""
    try:
        DECODER.decode(mark)
    except json.JSONDecodeError:
        return False
    return True
