"""The lines of a text in UTF-8, whatever encoding and line ends it has; each is taken by itself."""

import codecs
from collections.abc import Iterable, Iterator
from itertools import islice

from dpmap.errors import BadInput

LONGEST = 8 << 20
"""Bytes of the longest record; of a line that is longer only so much is held as shows it."""


def lines_of(block: bytes) -> Iterator[bytes]:
    """The lines of a block, each in UTF-8 by itself and without null bytes."""
    for line in raw_lines([block, b"\n" if block.endswith(b"\r") else b""]):
        yield clean(line)


def utf8_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """The lines of a text as UTF-8, without null bytes: one that is no UTF-8 is taken as cp1252 by itself."""
    if encoding not in ("utf-8", "utf-8-sig"):
        yield from _decoded_lines(chunks, encoding, name)
        return
    lines = map(clean, raw_lines(chunks))
    yield from (first.removeprefix(codecs.BOM_UTF8) for first in islice(lines, 1))
    yield from lines


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


def clean(line: bytes) -> bytes:
    """A line in UTF-8, without null bytes; one that is in no UTF-8 is taken as cp1252."""
    line = line.replace(b"\0", b"") if b"\0" in line else line
    if not line.isascii():
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
