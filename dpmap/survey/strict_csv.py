r"""Delimited text by one rule: where each record begins and ends, whatever the other records hold.

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
begins with a line. If that line ends up inside quotes that another record opened, the reading afresh from there (`_Shadow`) sees
exactly the bytes of that record, finds that it keeps the rule and can be placed, and the file is refused. Else the line before it
ended outside quotes, so a record begins there; from then on the reading is a function of the bytes that follow. QED

Lines are cut in three ways with one meaning: DuckDB reads a file in place where each record is one line in which only whole fields are
quoted (`stands`); else it reads a copy in which each record is such a line (`mended`), and a test holds the ways together.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dpmap.errors import BadInput

if TYPE_CHECKING:
    from typing import BinaryIO

LONGEST = 8 << 20
CHECKED = 1 << 18
"""Bytes looked at together where a file is only checked: what fits a processor's cache is looked at five times as fast."""
MOST_SHADOWS = 64

Placing = tuple[tuple[tuple[int, ...], bool], ...]
"""Some groups of a record's fields: a record that counts holds something in each group, a digit where the flag says so."""


def stands(stream: "BinaryIO", delimiter: str, quote: str) -> bool:
    """Whether each line of a file is one record as the rule and DuckDB read it alike.

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
    """Whether all lines of a block end alike."""
    if ends != "\r\n":
        return b"\r" not in block
    return block.count(b"\r") == block.count(b"\n") == block.count(b"\r\n")


def _fits(block: bytes, delimiter: str, quote: str) -> bool:
    """Whether whole lines are UTF-8 without null bytes, and quoted by whole fields only."""
    if b"\0" in block:
        return False
    if not block.isascii():
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return not quote or quote.encode() not in block or _quoted_by_fields(block, delimiter, quote)


def _quoted_by_fields(block: bytes, delimiter: str, quote: str) -> bool:
    """Whether every quote of a block opens or closes a whole field, or is one of two inside, and no line ends inside.

    Of the quotes in their order every second one closes: what opens stands after a separator, a line end or a quote (which it
    doubles), and what closes before one.
    """
    import numpy as np

    marks = np.frombuffer(block, np.uint8)
    mark, separator = ord(quote), ord(delimiter)
    quotes = np.flatnonzero(marks == mark)
    if len(quotes) % 2 or (np.searchsorted(quotes, np.flatnonzero(marks == 10)) & 1).any():  # a line that ends inside
        return False
    opening, closing = quotes[::2], quotes[1::2]
    before = marks[np.maximum(opening, 1) - 1]
    after = marks[np.minimum(closing + 1, len(marks) - 1)]
    begins = (before == separator) | (before == 10) | (before == mark) | (opening == 0)
    ends = (
        (after == separator) | (after == 10) | (after == 13) | ((after == mark) & (closing + 1 < len(marks)))
        | (closing + 1 == len(marks))
    )  # fmt: skip
    return bool(begins.all() and ends.all())


@dataclass(slots=True)
class Record:
    """A record as far as it was read: its fields, whether it keeps the rule, whether a quoted text is still open."""

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
        """Whether a line is a record in which only whole fields are quoted: it needs no mending."""
        return self._whole.fullmatch(line) is not None

    def cut(self, line: bytes, record: Record) -> Record:
        """The record with one line more, which begins inside quotes where the record is open."""
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
        """Adds what stands inside quotes from `at` on to the last field; the place of the separator, or the end."""
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
        """The fields as one line in which only whole fields are quoted."""
        mark = self.mark
        return self.separator.join(
            mark + text.replace(mark, mark * 2) + mark if mark in text or self.separator in text else text
            for text in fields
        )


def mended(lines: Iterable[bytes], cutter: Cutter, placing: tuple[Placing, ...], name: str) -> Iterator[bytes]:
    """Records that keep the rule, each as one line in which only whole fields are quoted; the others are dropped.

    `lines` have no line ends; a record that may count fulfils one of `placing`.
    """
    record, shadows = Record(), list[Record]()
    for line in lines:
        if not record.open and (cutter.mark not in line or cutter.is_plain(line)):
            if len(line) <= LONGEST:
                yield line
            shadows = _watched(line, cutter, shadows, placing, name) if shadows else shadows
            continue
        if record.open:
            shadows.append(Record())
        shadows = _watched(line, cutter, shadows, placing, name)
        record = cutter.cut(line, record if record.open else Record())
        if not record.open and record.keeps and record.size <= LONGEST + 1:
            yield cutter.joined(record.fields)
    if record.open:
        raise BadInput(
            f"survey: {name} ends inside a quoted text; it may be cut short, so mend that line or export it again"
        )


def _watched(
    line: bytes, cutter: Cutter, shadows: list[Record], placing: tuple[Placing, ...], name: str
) -> list[Record]:
    """The readings afresh that go on after this line; a file is refused where one ends as a record that may count."""
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
    """Whether each group of fields holds something, a digit where there must be one."""
    return all(
        any(
            at < len(fields)
            and (any(49 <= mark <= 57 or mark == 48 for mark in fields[at]) if digit else fields[at].strip())
            for at in group
        )
        for group, digit in placing
    )


def utf8_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """The lines of a text as UTF-8, without null bytes: one that is no UTF-8 is taken as cp1252 by itself."""
    if encoding not in ("utf-8", "utf-8-sig"):
        yield from _decoded_lines(chunks, encoding, name)
        return
    first = True
    for line in raw_lines(chunks):
        clean = line.replace(b"\0", b"") if b"\0" in line else line
        if first:
            clean, first = clean.removeprefix(codecs.BOM_UTF8), False
        yield clean if clean.isascii() else _clean(clean)


def raw_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines between line ends of any kind; a return that ends a chunk waits for the line feed that may follow."""
    rest: list[bytes] = []
    held = b""
    for piece in chunks:
        chunk = held + piece
        held = b"\r" if chunk.endswith(b"\r") else b""
        chunk = chunk[:-1] if held else chunk
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, last = chunk.split(b"\n")
        for line in lines:
            yield b"".join([*rest, line])
            rest = []
        rest.append(last)
        if len(rest) > 64:
            rest = [b"".join(rest)[: LONGEST + 2]]
    if last := b"".join(rest):
        yield last


def _clean(line: bytes) -> bytes:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace").encode()
    return line


SWAPPED = "\u0a00"
"""What a line feed becomes where a text of two bytes a mark is read one byte off; it is no mark of any writing."""


def _decoded_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """The lines of a text in another encoding; one whose bytes do not come in whole marks is refused."""
    wide = encoding.startswith("utf-")
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict" if encoding.startswith("utf-32") else "replace")
    broken = BadInput(
        f"survey: {name} is not whole {encoding.upper()}: some bytes do not come in whole marks; export it again as UTF-8"
    )

    def texts() -> Iterator[bytes]:
        count = 0
        try:
            for chunk in chunks:
                count += len(chunk)
                text = decoder.decode(chunk)
                if wide and SWAPPED in text:
                    raise broken
                yield text.removeprefix("\ufeff").replace("\0", "").encode("utf-8", "replace")
            yield decoder.decode(b"", final=True).encode("utf-8", "replace")
        except UnicodeDecodeError:
            raise broken from None
        if wide and count % (4 if encoding.startswith("utf-32") else 2):
            raise broken

    yield from raw_lines(texts())
