r"""Reads delimited text by one strict rule for where each record begins and ends, whatever other
records hold.

**The rule.** Lines end with a line feed, a carriage return or both. A field whose first mark,
blanks aside, is a quote goes to its closing quote; in between, two quotes mean one, and line ends
and separators are text. Any other field goes to the next separator or line end, and a quote in it
is a mark like any other. A record ends with the first line that ends outside quotes. Fields that
are missing at a record's end are empty, those beyond the header's are ignored.

*What breaks the rule drops alone*: a record with text between a closing quote and the next
separator, or with an odd number of quotes in a field that does not begin with one, or of more than
8 MB.

*A file is refused whole* where its end lies inside a quoted text, where a line has more than 64 MB,
and where a line inside a quoted text, read afresh, would be a record that can count: two stray
quotes may have swallowed it. The header is one line: records never tell where it ends.

**Theorem.** Let S be records that each keep the rule by themselves, and T any bytes that end with a
line end. In an accepted file in which they stand side by side, each record of S that can count is
read as it is read by itself. *Proof.* A record of S begins with a line. If that line ends up inside
quotes that another record opened, the reading afresh from there (a shadow of `Mending`) sees
exactly the bytes of that record, finds that it keeps the rule and can count, and the file is
refused. Else the line before it ended outside quotes, so a record begins there; from then on the
reading is a function of the bytes that follow. QED

`level` writes each record as one line in which only whole fields are quoted: block by block where
only whole fields are quoted (`_levelled`), and else line by line (`Mending`). A test holds both
ways together. `text_columns` cuts these lines into columns.

By hand, since CSV libraries (csv, pandas, pyarrow, DuckDB) let a stray quote in one record change
how the next ones are read, and one of them took up a wrong state of quotes where its buffers of 32
MB end.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.survey.files.lines import LONGEST, check_line, lines_of, without_mark
from dpmap.survey.files.text_columns import LINE_END, inside_quotes

if TYPE_CHECKING:
    from dpmap.survey.files.text_columns import Flags, Positions

BLOCK = 1 << 20
"""Bytes looked at together, of whole lines: about what fits a processor's cache. Where a block
ends changes no record.
"""
BOM_START = codecs.BOM_UTF8[:1]
"""One byte is looked for much faster than three."""
MOST_SHADOWS = 64

Placing = tuple[tuple[tuple[int, ...], bool], ...]
"""Some groups of a record's fields: a record that counts holds something in each group, a digit
where the flag says so.
"""


def _is_text(block: bytes) -> bool:
    """Whether some bytes are UTF-8 without null bytes and marks of order."""
    if b"\0" in block:
        return False
    if block.isascii():
        return True
    if BOM_START in block and codecs.BOM_UTF8 in block:
        return False
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _are_whole_fields(is_quote: "Flags", inside: "Flags", is_edge: "Flags") -> bool:
    """Whether the quotes of some lines, an even number of them, open and close whole fields.

    What opens stands after a separator, a line end or a quote (which it doubles), and what closes
    before one: these are the edges. The last mark is a line end.
    """
    opens = is_quote & inside
    closes = is_quote & ~inside
    return not ((opens[1:] > is_edge[:-1]).any() or (closes[:-1] > is_edge[1:]).any())


@dataclass(slots=True)
class CsvRecord:
    """Holds a record as far as it was read: its fields, whether it keeps the rule, whether a
    quote is still open.
    """

    fields: list[bytes | bytearray] = field(default_factory=list)
    keeps: bool = True
    open: bool = False
    size: int = 0


NO_QUOTE = "\0"
"""What stands for the quote of a text in which quotes mean nothing: no line holds it once it is
read.
"""


class Cutter:
    """Cuts lines into records by the rule of this module, for one separator and quote."""

    def __init__(self, delimiter: str, quote: str) -> None:
        self.mark = (quote or NO_QUOTE).encode()
        self.separator = delimiter.encode()
        d = re.escape(self.separator)
        q = re.escape(self.mark)
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

    def cut(self, line: bytes, record: CsvRecord) -> CsvRecord:
        """Adds one line to the record; the line begins inside quotes if the record is open."""
        at = 0
        record.size = record.size + len(line) + 1
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

    def _quoted(self, line: bytes, at: int, record: CsvRecord) -> int:
        """Adds the quoted text from `at` on to the last field; returns where its separator or
        the line's end is.
        """
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
            (
                mark + text.replace(mark, mark * 2) + mark
                if mark in text or self.separator in text
                else text
            )
            for text in fields
        )


class Mending:
    """Takes a text's lines one by one and yields each record that keeps the rule as one line with
    only whole fields quoted; drops the others. A record that may count fulfils one of `placing`.
    """

    def __init__(self, cutter: Cutter, placing: tuple[Placing, ...], name: str) -> None:
        self.cutter = cutter
        self.placing = placing
        self.name = name
        self._record = CsvRecord()
        self._shadows = list[CsvRecord]()
        needed = (
            max((min(group, default=LONGEST) for group, _ in one), default=0) for one in placing
        )
        self.separators = min(needed, default=LONGEST)
        """A line with fewer separators is no record that counts."""

    @property
    def between(self) -> bool:
        """Whether the last line ended its record and every shadow reading."""
        return not self._record.open and not self._shadows

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yields the records that end with these lines, which have no line ends."""
        cutter = self.cutter
        for read in lines:
            line = read if self._record.open else without_mark(read)
            if not self._record.open and (cutter.mark not in line or cutter.is_plain(line)):
                if len(line) <= LONGEST:
                    yield line + b"\n"
                if self._shadows:
                    self._shadows = _watched(read, cutter, self._shadows, self.placing, self.name)
                continue
            if self._record.open:
                self._shadows.append(CsvRecord())
            self._shadows = _watched(read, cutter, self._shadows, self.placing, self.name)
            record = self._record = cutter.cut(
                line, self._record if self._record.open else CsvRecord()
            )
            if not record.open and record.keeps and record.size <= LONGEST + 1:
                yield cutter.joined(record.fields) + b"\n"

    def ended(self) -> None:
        """Refuses a text that ends inside quotes."""
        if self._record.open:
            raise BadInput(
                f"survey: {self.name} ends inside a quoted text; it may be cut short, so mend that"
                " line or export it again"
            )

    def hides(self, line: bytes) -> bool:
        """Whether a line inside quotes, read as if outside, may be a record that counts, or
        stays open.
        """
        seen = self.cutter.cut(without_mark(line), CsvRecord())
        return seen.open or (
            seen.keeps and any(_can_count(seen.fields, one) for one in self.placing)
        )


def level(
    chunks: Iterable[bytes], cutter: Cutter, placing: tuple[Placing, ...], name: str
) -> Iterator[bytes]:
    """Yields the records of a UTF-8 text as blocks of lines, as `Mending` does: block by block
    if possible, else line by line.
    """
    mending = Mending(cutter, placing, name)
    rest = b""
    for more in _blocks(chunks):
        block = rest + more
        rest = b""
        levelled = _levelled(block, mending) if mending.between and len(block) <= LONGEST else None
        if levelled is None:
            yield b"".join(mending.lines(lines_of(block)))
        else:
            text, rest = levelled
            yield text
    yield b"".join(mending.lines(lines_of(rest)))
    mending.ended()


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields whole lines, about `BLOCK` bytes at a time; a return at the end of a chunk waits
    for what follows it.
    """
    rest = list[bytes]()
    size = 0
    held = b""
    for chunk in chunks:
        text = held + chunk
        held = b"\r" if text.endswith(b"\r") else b""
        stop = len(text) - len(held)
        start = 0
        while start < stop:
            end = min(start + BLOCK, stop)
            end += text[end - 1 : end + 1] == b"\r\n"  # one line end, which no block parts
            cut = text.rfind(b"\n", start, end) + 1
            cut = text.rfind(b"\r", max(start, cut), end) + 1 or cut
            if cut:
                yield b"".join([*rest, text[start:cut]]) if rest else text[start:cut]
                rest = []
                size = 0
            if tail := text[max(start, cut) : end]:
                rest.append(tail)
                size += len(tail)
                check_line(size)
            start = end
    if last := b"".join([*rest, held]):
        yield last


def _levelled(block: bytes, mending: Mending) -> tuple[bytes, bytes] | None:
    """Returns the complete records of a block, one on each line, and the rest of the block; None if
    only part of a field is quoted, a mark of order stands somewhere, or a line inside quotes may
    hide a record.

    A line end inside quotes becomes a blank, as in `Mending`: it follows an odd number of quotes,
    since all of them open or close whole fields.
    """
    import numpy as np

    block = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    if b"\r" in block or not _is_text(block) or not block.endswith(b"\n"):
        return None
    cutter = mending.cutter
    if cutter.mark not in block:
        return block, b""
    marks = np.frombuffer(block, np.uint8)
    is_quote = marks == cutter.mark[0]
    is_end = marks == LINE_END
    is_separator = marks == cutter.separator[0]
    inside = inside_quotes(is_quote)
    used = len(block)
    if inside[-1]:
        outer = np.flatnonzero(is_end & ~inside)
        if not len(outer):
            return None
        used = int(outer[-1]) + 1
    is_edge = is_quote | is_end | is_separator
    if not _are_whole_fields(is_quote[:used], inside[:used], is_edge[:used]):
        return None
    inner = np.flatnonzero((is_end & inside)[:used])
    if not len(inner):
        return block[:used], block[used:]
    is_begin = is_separator | is_end | (marks == ord(" "))
    opening = np.flatnonzero(is_quote[1:] & is_begin[:-1]) + 1
    starts = inner + 1
    ends = np.flatnonzero(is_end)
    stops = ends[np.searchsorted(ends, starts)]
    separators = np.flatnonzero(is_separator)
    if any(
        mending.hides(block[start:stop])
        for start, stop in _doubtful(starts, stops, separators, opening, mending.separators)
    ):
        return None
    text = marks[:used].copy()
    text[inner] = ord(" ")
    return text.tobytes(), block[used:]


def _doubtful(
    starts: "Positions",
    stops: "Positions",
    separators: "Positions",
    opening: "Positions",
    needed: int,
) -> Iterator[tuple[int, int]]:
    """Yields start and stop of each line inside quotes that might hide a record: it has enough
    separators for a place, or a quote that would open a field if the line were read afresh.
    """
    import numpy as np

    separator_counts, opening_counts = (
        np.searchsorted(places, stops) - np.searchsorted(places, starts)
        for places in (separators, opening)
    )
    doubtful = (separator_counts >= needed) | (opening_counts > 0)
    return zip(starts[doubtful].tolist(), stops[doubtful].tolist(), strict=True)


def below_header(chunks: Iterable[bytes], lines: int) -> Iterator[bytes]:
    """Yields a UTF-8 text without so many lines at its top, its header being the last of them.

    Which lines these are is told by their own bytes alone: each ends with its own line end,
    whatever quotes it holds.
    """
    source = iter(chunks)
    top = b""
    for _ in range(lines):
        while (end := LINE.match(top)) is None or (end[1] == b"\r" and end.end() == len(top)):
            more = next(source, None)  # an empty chunk, of half a character, is not the end
            if more is None:
                break
            top += more
            check_line(len(top) - len(more))
        top = top[end.end() :] if end else b""
    yield top
    yield from source


LINE = re.compile(rb"[^\r\n]*(\r\n|\n|\r)")


def _watched(
    line: bytes, cutter: Cutter, shadows: list[CsvRecord], placing: tuple[Placing, ...], name: str
) -> list[CsvRecord]:
    """Returns the shadow readings still open after this line; refuses a file where one ends as a
    record that may count.
    """
    going = []
    for shadow in shadows:
        seen = cutter.cut(line if shadow.open else without_mark(line), shadow)
        if seen.open:
            going.append(seen)
        elif (
            seen.keeps
            and seen.size <= LONGEST + 1
            and any(_can_count(seen.fields, one) for one in placing)
        ):
            raise BadInput(
                f"survey: in {name} a quoted text over several lines holds a line that could be a"
                " row of its own, so a stray quote may hide rows; mend it, or export without line"
                " breaks in texts, or as Parquet"
            )
    if len(going) > MOST_SHADOWS:
        raise BadInput(
            f"survey: the quotes of {name} are too tangled to tell its rows apart; export it again"
        )
    return going


def _can_count(fields: "list[bytes | bytearray]", placing: Placing) -> bool:
    """Whether each group of fields holds something but blanks, and a digit if it must. A tab is
    something, as SQL has it.
    """
    return all(
        any(
            at < len(fields)
            and (
                any(49 <= mark <= 57 or mark == 48 for mark in fields[at])
                if digit
                else fields[at].strip(b" ")
            )
            for at in group
        )
        for group, digit in placing
    )
