r"""Reads delimited text by one strict rule for where each record begins and ends, whatever other records hold.

**The rule.** Lines end with a line feed, a carriage return or both. A field whose first mark, blanks aside, is a quote goes to
its closing quote; in between, two quotes mean one, and line ends and separators are text. Any other field goes to the next separator
or line end, and a quote in it is a mark like any other. A record ends with the first line that ends outside quotes. Fields
that are missing at a record's end are empty, those beyond the header's are ignored.

*What breaks the rule drops alone*: a record with text between a closing quote and the next separator, or with an odd number
of quotes in a field that does not begin with one, or of more than 8 MB.

*A file is refused whole* where its end lies inside a quoted text, and where a line inside a quoted text, read afresh, would be
a record that can be placed: two stray quotes may have swallowed it.

**Theorem.** Let S be records that each keep the rule by themselves, and T any bytes that end with a line end. In an accepted
file in which they stand side by side, each record of S that can be placed is read as it is read by itself. *Proof.* A record of S
begins with a line. If that line ends up inside quotes that another record opened, the reading afresh from there (a shadow of `Mending`) sees
exactly the bytes of that record, finds that it keeps the rule and can be placed, and the file is refused. Else the line before it
ended outside quotes, so a record begins there; from then on the reading is a function of the bytes that follow. QED

Lines are cut in three ways with one meaning: DuckDB reads a file in place where each record is one line in which only whole fields are
quoted (`stands`); else it reads a copy in which each record is such a line, written block by block where only whole fields are quoted
(`_levelled`) and else line by line (`Mending`). A test holds the ways together.

By hand, since CSV libraries (csv, pandas, pyarrow, DuckDB alone) let a stray quote in one record change how the next ones are read.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.survey.files.lines import LONGEST, lines_of

if TYPE_CHECKING:
    from typing import BinaryIO

    import numpy as np
    from numpy.typing import NDArray

CHECKED = 1 << 18
"""Bytes looked at together where a file is only checked: what fits a processor's cache is looked at five times as fast."""
MOST_SHADOWS = 64

Placing = tuple[tuple[tuple[int, ...], bool], ...]
"""Some groups of a record's fields: a record that counts holds something in each group, a digit where the flag says so."""


def stands(stream: "BinaryIO", delimiter: str, quote: str) -> bool:
    """Whether DuckDB reads the file as it is by the same rule: each line is one record.

    That is so where it is UTF-8 without null bytes, ends all lines alike, and quotes whole fields within a line only.
    """
    rest, ends = b"", ""
    while chunk := stream.read(CHECKED):
        if len(rest) + chunk.find(b"\n") > LONGEST:
            return False
        cut = chunk.rfind(b"\n") + 1
        block, rest = (rest + chunk[:cut], chunk[cut:]) if cut else (b"", rest + chunk)
        ends = ends or ("\r\n" if block.endswith(b"\r\n") else "\n" if block else "")
        if len(rest) > LONGEST or not (_fits(block, delimiter, quote) and _ends(block, ends)):
            return False
    return b"\r" not in rest and _fits(rest, delimiter, quote)


def _ends(block: bytes, ends: str) -> bool:
    """Whether all lines of a block end in the same way."""
    if ends != "\r\n":
        return b"\r" not in block
    return block.count(b"\r") == block.count(b"\n") == block.count(b"\r\n")


def _fits(block: bytes, delimiter: str, quote: str) -> bool:
    """Whether lines are UTF-8 without null bytes, and quotes stand only around whole fields."""
    return _is_text(block) and (not quote or quote.encode() not in block or _is_one_a_line(block, delimiter, quote))


def _is_text(block: bytes) -> bool:
    """Whether some bytes are UTF-8 without null bytes."""
    if b"\0" in block:
        return False
    if not block.isascii():
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


def _is_one_a_line(block: bytes, delimiter: str, quote: str) -> bool:
    """Whether every quote in a block opens or closes a whole field or is doubled inside one, and no line ends inside quotes."""
    import numpy as np

    marks = np.frombuffer(block, np.uint8)
    quotes = np.flatnonzero(marks == ord(quote))
    if len(quotes) % 2 or (np.searchsorted(quotes, np.flatnonzero(marks == 10)) & 1).any():  # a line that ends inside
        return False
    return _are_whole_fields(marks, quotes, delimiter)


def _are_whole_fields(marks: "NDArray[np.uint8]", quotes: "NDArray[np.intp]", delimiter: str) -> bool:
    """Whether quotes, an even number of them, open and close whole fields.

    Of the quotes in their order every second one closes: what opens stands after a separator, a line end or a quote (which it
    doubles), and what closes before one.
    """
    if not len(quotes):
        return True
    opening, closing = quotes[::2], quotes[1::2]
    separator, mark, last = ord(delimiter), marks[quotes[0]], len(marks) - 1
    before = marks[(opening - 1).clip(0)]
    after = marks[(closing + 1).clip(None, last)]
    begins = (before == separator) | (before == 10) | (before == mark) | (opening == 0)
    ends = (
        (after == separator) | (after == 10) | (after == 13) | ((after == mark) & (closing < last)) | (closing == last)
    )
    return bool(begins.all() and ends.all())


@dataclass(slots=True)
class Record:
    """Holds a record as far as it was read: its fields, whether it keeps the rule, whether a quote is still open."""

    fields: list[bytes | bytearray] = field(default_factory=list)
    keeps: bool = True
    open: bool = False
    size: int = 0


class Cutter:
    """Cuts lines into records by the rule of this module, for one separator and quote."""

    def __init__(self, delimiter: str, quote: str) -> None:
        self.mark, self.separator = quote.encode(), delimiter.encode()
        d, q = re.escape(self.separator), re.escape(self.mark)
        self._opens = re.compile(rb" *" + q) if self.separator != b" " else re.compile(q)
        self._inside = re.compile(rb"(?:[^%b]|%b%b)*+" % (q, q, q))
        self._plain = re.compile(rb"[^%b]*+" % d)
        self._whole = re.compile(
            rb"(?:[^%b%b]*+|%b(?:[^%b]|%b%b)*+%b)(?:%b(?:[^%b%b]*+|%b(?:[^%b]|%b%b)*+%b))*+"
            % (d, q, q, q, q, q, q, d, d, q, q, q, q, q, q)
        )

    def is_plain(self, line: bytes) -> bool:
        """Whether a line is a record that quotes whole fields only, and so needs no mending."""
        return self._whole.fullmatch(line) is not None

    def cut(self, line: bytes, record: Record) -> Record:
        """Adds one line to the record; the line begins inside quotes if the record is open."""
        at, record.size = 0, record.size + len(line) + 1
        if record.open:
            at = self._quoted(line, 0, record)
            if record.open or at >= len(line):
                return record
            at += 1  # past the separator
        while True:
            opening = self._opens.match(line, at)
            if opening is not None:
                record.fields.append(bytearray())
                record.open = True
                at = self._quoted(line, opening.end(), record)
                if record.open:
                    return record
            else:
                plain = self._plain.match(line, at)
                text, at = (plain[0], plain.end()) if plain else (b"", at)
                record.keeps &= text.count(self.mark) % 2 == 0
                record.fields.append(text)
            if at >= len(line):
                return record
            at += 1

    def _quoted(self, line: bytes, at: int, record: Record) -> int:
        """Adds the quoted text from `at` on to the last field; returns where its separator or the line's end is."""
        inside = self._inside.match(line, at)
        text, end = (inside[0], inside.end()) if inside else (b"", at)
        if record.size <= LONGEST + 1:
            record.fields[-1] += text.replace(self.mark * 2, self.mark)
        if end >= len(line):
            record.fields[-1] += b" "
            return end
        record.open = False
        rest = self._plain.match(line, end + 1)
        record.keeps &= rest is None or not rest[0].strip(b" ")
        return rest.end() if rest else end + 1

    def joined(self, fields: "list[bytes | bytearray]") -> bytes:
        """Writes the fields as one line that quotes whole fields only."""
        mark = self.mark
        return self.separator.join(
            mark + text.replace(mark, mark * 2) + mark if mark in text or self.separator in text else text
            for text in fields
        )


class Mending:
    """Takes a text's lines one by one and yields each record that keeps the rule as one line with only whole fields
    quoted; drops the others. A record that may count fulfils one of `placing`.
    """

    def __init__(self, cutter: Cutter, placing: tuple[Placing, ...], name: str) -> None:
        self.cutter, self.placing, self.name = cutter, placing, name
        self._record, self._shadows = Record(), list[Record]()
        needed = (max((min(group, default=LONGEST) for group, _ in one), default=0) for one in placing)
        self.separators = min(needed, default=LONGEST)
        """A line with fewer separators is no record that counts."""

    @property
    def between(self) -> bool:
        """Whether the last line ended its record and every shadow reading."""
        return not self._record.open and not self._shadows

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yields the records that end with these lines, which have no line ends."""
        cutter = self.cutter
        for line in lines:
            if not self._record.open and (cutter.mark not in line or cutter.is_plain(line)):
                if len(line) <= LONGEST:
                    yield line + b"\n"
                if self._shadows:
                    self._shadows = _watched(line, cutter, self._shadows, self.placing, self.name)
                continue
            if self._record.open:
                self._shadows.append(Record())
            self._shadows = _watched(line, cutter, self._shadows, self.placing, self.name)
            record = self._record = cutter.cut(line, self._record if self._record.open else Record())
            if not record.open and record.keeps and record.size <= LONGEST + 1:
                yield cutter.joined(record.fields) + b"\n"

    def ended(self) -> None:
        """Refuses a text that ends inside quotes."""
        if self._record.open:
            raise BadInput(
                f"survey: {self.name} ends inside a quoted text; it may be cut short, so mend that line or export it again"
            )

    def hides(self, line: bytes) -> bool:
        """Whether a line inside quotes, read as if outside, may be a record that counts, or stays open."""
        seen = self.cutter.cut(line, Record())
        return seen.open or (seen.keeps and any(_can_count(seen.fields, one) for one in self.placing))


def mended(chunks: Iterable[bytes], cutter: Cutter, placing: tuple[Placing, ...], name: str) -> Iterator[bytes]:
    """Yields the records of a UTF-8 text, as `Mending` does: block by block if possible, else line by line."""
    mending, rest = Mending(cutter, placing, name), b""
    for more in _blocks(chunks):
        block, rest = rest + more, b""
        levelled = _levelled(block, mending) if mending.between and len(block) <= LONGEST else None
        if levelled is None:
            yield from mending.lines(lines_of(block))
        else:
            text, rest = levelled
            yield text
    yield from mending.lines(lines_of(rest))
    mending.ended()


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields whole lines, about `CHECKED` bytes at a time; of a line that is far too long only its beginning."""
    rest = b""
    for chunk in chunks:
        for at in range(0, len(chunk), CHECKED):
            rest += chunk[at : at + CHECKED]
            if len(rest) < CHECKED:
                continue
            cut = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, -1)) + 1
            if cut:
                yield rest[:cut]
                rest = rest[cut:]
            elif len(rest) > 2 * LONGEST:
                rest = rest[: LONGEST + 2]
    if rest:
        yield rest


def _levelled(block: bytes, mending: Mending) -> tuple[bytes, bytes] | None:
    """Returns the complete records of a block, one on each line, and the rest of the block; None if only part of a
    field is quoted, or a line inside quotes may hide a record.

    A line end inside quotes becomes a blank, as in `Mending`: it follows an odd number of quotes, since all of them open or close
    whole fields.
    """
    import numpy as np

    block = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    if b"\r" in block or not _is_text(block) or not block.endswith(b"\n"):
        return None
    cutter = mending.cutter
    if cutter.mark not in block:
        return block, b""
    marks = np.frombuffer(block, np.uint8)
    quotes, ends = np.flatnonzero(marks == cutter.mark[0]), np.flatnonzero(marks == 10)
    inside = (np.searchsorted(quotes, ends) & 1).astype(bool)
    if inside.all():
        return None
    used = int(ends[~inside][-1]) + 1
    inner = ends[inside & (ends < used)]
    if not _are_whole_fields(marks[:used], quotes[quotes < used], cutter.separator.decode()):
        return None
    if any(mending.hides(block[start:stop]) for start, stop in _doubtful(marks, quotes, ends, inner, mending)):
        return None
    text = marks[:used].copy()
    text[inner] = ord(" ")
    return text.tobytes(), block[used:]


def _doubtful(
    marks: "NDArray[np.uint8]",
    quotes: "NDArray[np.intp]",
    ends: "NDArray[np.intp]",
    inner: "NDArray[np.intp]",
    mending: Mending,
) -> Iterator[tuple[int, int]]:
    """Yields start and end of each line inside quotes that might hide a record: it has enough separators for a place,
    or a quote after a separator, a blank or a line end.
    """
    import numpy as np

    starts = inner + 1
    stops = ends[np.searchsorted(ends, starts)]
    separator = mending.cutter.separator[0]
    before = marks[(quotes - 1).clip(0)]
    opening = quotes[(before == separator) | (before == 10) | (before == ord(" "))]
    separators = np.flatnonzero(marks == separator)
    many, quoted = (np.searchsorted(found, stops) - np.searchsorted(found, starts) for found in (separators, opening))
    doubtful = (many >= mending.separators) | (quoted > 0)
    return zip(starts[doubtful].tolist(), stops[doubtful].tolist(), strict=True)


LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r|\Z)")


def below_header(chunks: Iterable[bytes], head: int, skip: int, cutter: Cutter, *, header: bool) -> Iterator[bytes]:
    """Yields a UTF-8 text without its header, which lies within the first `head` bytes, and without the `skip` lines before it."""
    source, first, at, record = iter(chunks), b"", 0, Record()
    while len(first) < head and (more := next(source, b"")):
        first += more
    first = first.removeprefix(codecs.BOM_UTF8)
    for number, line in enumerate(LINE.finditer(first)):
        if number >= skip:
            if not header:
                break
            record = cutter.cut(next(lines_of(line[1]), b""), record)
            header = record.open
        at = line.end()
    yield first[at:]
    yield from source


def _watched(
    line: bytes, cutter: Cutter, shadows: list[Record], placing: tuple[Placing, ...], name: str
) -> list[Record]:
    """Returns the shadow readings still open after this line; refuses a file where one ends as a record that may count."""
    going = []
    for shadow in shadows:
        seen = cutter.cut(line, shadow)
        if seen.open:
            going.append(seen)
        elif seen.keeps and seen.size <= LONGEST + 1 and any(_can_count(seen.fields, one) for one in placing):
            raise BadInput(
                f"survey: in {name} a quoted text over several lines holds a line that could be a row of its own, so a stray "
                "quote may hide rows; mend it, or export without line breaks in texts, or as Parquet"
            )
    if len(going) > MOST_SHADOWS:
        raise BadInput(f"survey: the quotes of {name} are too tangled to tell its rows apart; export it again")
    return going


def _can_count(fields: "list[bytes | bytearray]", placing: Placing) -> bool:
    """Whether each group of fields holds something, and a digit if it must."""
    return all(
        any(
            at < len(fields)
            and (any(49 <= mark <= 57 or mark == 48 for mark in fields[at]) if digit else fields[at].strip())
            for at in group
        )
        for group, digit in placing
    )
