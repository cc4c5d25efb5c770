"""Cuts a text into lines in UTF-8, whatever its encoding and line ends; each line is read by
itself.
"""

import codecs
from collections.abc import Iterable, Iterator
from itertools import islice

from dpmap.errors import BadInput

LONGEST = 8 << 20
"""Bytes of the longest record; a longer one drops alone."""
LINE_LIMIT = 64 << 20
"""Bytes of the longest line: a text with a longer one is refused whole. Nothing is cut off before,
so that where a chunk ends never decides what a line holds.
"""


def without_mark(line: bytes) -> bytes:
    """Returns a record's first line without a mark of order before it: files put together end to
    end hold several.

    Each record is looked at by itself, so whether hers loses its mark does not depend on where it
    stands.
    """
    return line.removeprefix(codecs.BOM_UTF8)


def lines_of(block: bytes) -> Iterator[bytes]:
    """Yields the lines of a block, each in UTF-8 by itself and without null bytes."""
    for line in raw_lines([block, b"\n" if block.endswith(b"\r") else b""]):
        yield clean(line)


def utf8_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yields the lines of a text as UTF-8 without null bytes; a line that is not UTF-8 is read
    as cp1252.
    """
    if encoding not in ("utf-8", "utf-8-sig"):
        chunks = decode_lines(chunks, encoding, name)
    lines = map(clean, raw_lines(chunks))
    yield from (first.removeprefix(codecs.BOM_UTF8) for first in islice(lines, 1))
    yield from lines


def raw_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines between line ends of any kind; a return at the end of a chunk waits for a
    line feed.
    """
    rest: list[bytes] = []
    size = 0
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
            size = 0
        rest.append(last)
        size += len(last)
        check_line(size)
    if last := b"".join(rest):
        yield last


def check_line(size: int) -> None:
    """Refuses a text with a line of so many bytes, if that is more than any line may have."""
    if size > LINE_LIMIT:
        raise BadInput(
            f"survey: a line of the file has more than {LINE_LIMIT >> 20} MB, which no record has;"
            " it may be no text table, or its line ends are lost: export it again"
        )


def clean(line: bytes) -> bytes:
    """Returns a line in UTF-8 without null bytes; one that is not UTF-8 is read as cp1252."""
    line = line.replace(b"\0", b"") if b"\0" in line else line
    if not line.isascii():
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            return line.decode("cp1252", errors="replace").encode()
    return line


def decode_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yields a text in another encoding as UTF-8 without null characters; refuses one that does not
    end with a whole character.

    Where a chunk ends changes nothing: the decoder keeps what is left of a character. A mark of
    order (U+FEFF) is taken away by the encoding itself where it asks for one, at the start of the
    file and nowhere else.

    Half a character of UTF-16 in one record would shift all that follow by a byte, up to another
    such half. Each of these ends its line, and that line end then stands at an odd place, where
    `_OddLineEnds` sees it; an odd end of the file is refused as well.
    """
    wide = encoding.startswith("utf-")
    odd_line_ends = _OddLineEnds(encoding)
    decoder = codecs.getincrementaldecoder(encoding)(
        errors="strict" if encoding.startswith("utf-32") else "replace"
    )
    broken = BadInput(
        f"survey: {name} is not whole {encoding.upper()}: some bytes make no whole character;"
        " export it again as UTF-8"
    )
    count = 0
    try:
        for chunk in chunks:
            count += len(chunk)
            if odd_line_ends.are_in(chunk):
                raise broken
            text = decoder.decode(chunk)
            yield text.replace("\0", "").encode("utf-8", "replace")
        yield decoder.decode(b"", final=True).encode("utf-8", "replace")
    except UnicodeDecodeError:
        raise broken from None
    except (
        UnicodeError
    ):  # Python's word for a text without the mark that tells the order of its bytes
        way = (
            "add --encoding utf-16-le or utf-16-be" if encoding == "utf-16" else "save it as UTF-8"
        )
        raise BadInput(
            f"--encoding: {name} has no byte order mark at its start, which {encoding.upper()} asks"
            f" for; {way}"
        ) from None
    if wide and count % (4 if encoding.startswith("utf-32") else 2):
        raise broken


class _OddLineEnds:
    """Looks for line ends that begin at an odd byte of a text in UTF-16, chunk by chunk.

    In a whole text such bytes are the second half of one character and the first of the next: of a
    letter of U+0A00 to U+0AFF or U+0D00 to U+0DFF (Gurmukhi, Gujarati, Malayalam) beside a
    character whose own last byte is null, which no language puts there.
    """

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding if encoding.startswith("utf-16") else ""
        self._last = b""
        self._offset = 0

    def are_in(self, chunk: bytes) -> bool:
        """Whether a line end begins at an odd byte of this chunk, or where it meets the one
        before.
        """
        import numpy as np

        if not self._encoding or not chunk:
            return False
        if self._encoding == "utf-16" and self._offset == 0:
            is_big = (self._last + chunk).startswith(codecs.BOM_UTF16_BE)
            self._encoding = "utf-16-be" if is_big else "utf-16-le"
        marks = np.frombuffer(self._last + chunk, np.uint8)
        first = marks[:-1]
        second = marks[1:]
        if self._encoding.endswith("be"):
            first, second = second, first
        places = np.flatnonzero(((first == 10) | (first == 13)) & (second == 0))
        begin = self._offset - len(self._last)
        self._offset += len(chunk)
        self._last = chunk[-1:]
        return bool(((places + begin) & 1).any())
