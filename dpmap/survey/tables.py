"""Delimited text: separator, quoting and encoding are told by the header line; a row that does not fit drops alone."""

import codecs
import csv
import io
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from dpmap.errors import BadInput
from dpmap.survey.formats import plain_places, recognise
from dpmap.survey.sources import Source, distinct, file_literal, literal, shown

HEAD_BYTES = 1 << 20
CHUNK = 4 << 20
CHECKED = 1 << 18
"""Bytes looked at together where a file is only checked: what fits a processor's cache is decoded five times as fast."""
LONGEST_LINE = 8 << 20
UNPACK_FREE, UNPACK_RATIO = 64 << 20, 200
"""An archive may unpack to 64 MB, or to 200 times its own size: real exports reach 30, bombs 1,000."""

ENCODINGS = {
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "latin-1",
    "cp1252",
    "iso8859-1",
    "mac-roman",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One file's bytes: `path` where it lies open on disk; where it does not, the packed size and what it is declared
    to unpack to.
    """

    name: str
    open: Callable[[], BinaryIO]
    path: str | None = None
    packed: int = 0
    declared: int = 0

    def head(self, size: int = HEAD_BYTES) -> bytes:
        """Its first bytes."""
        with self.open() as stream:
            return stream.read(size)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to cut a text into fields. `columns` are the names, `skip` the lines before the header or the rows."""

    columns: tuple[str, ...]
    delimiter: str
    quote: str = '"'
    encoding: str = "utf-8"
    skip: int = 0
    header: bool = True


def plain_file(path: str) -> Piece:
    """A file on disk."""
    return Piece(os.path.basename(path), lambda: open(path, "rb"), path=path)


def table(pieces: list[Piece], *, columns: tuple[str, ...] | None = None, encoding: str | None = None) -> Source:
    """The source of one table in one or several files with the same header."""
    dialects = [sniff(piece, columns=columns, encoding=encoding) for piece in pieces]
    first = dialects[0]
    for piece, dialect in zip(pieces, dialects, strict=True):
        if dialect.columns != first.columns:
            raise BadInput(
                f"survey: {shown(piece.name)} has another header than {shown(pieces[0].name)}; add --layer NAME"
            )
    return source_of(list(zip(pieces, dialects, strict=True)))


def source_of(parts: list[tuple[Piece, Dialect]]) -> Source:
    """The source of pieces whose dialects are known."""

    def prepare(folder: str) -> str:
        return relation(parts, folder)

    files = (lambda _: [source_of([part]) for part in parts]) if len(parts) > 1 else None
    return Source(parts[0][1].columns, prepare=prepare, cut=files)


def relation(parts: list[tuple[Piece, Dialect]], folder: str) -> str:
    """The FROM clause over the pieces, once those that DuckDB cannot read in place are copied as clean UTF-8."""
    ready: dict[Dialect, list[str]] = {}
    for piece, dialect in parts:
        clean = piece.path is not None and is_clean(piece, dialect)
        path = piece.path if clean and piece.path is not None else _copy(piece, dialect, folder)
        if dialect.quote:
            check_quotes_close(path, shown(piece.name), dialect)
        ready.setdefault(dialect, []).append(path)
    reads = [_read_csv(paths, dialect) for dialect, paths in ready.items()]
    return reads[0] if len(reads) == 1 else f"({' UNION ALL '.join(f'SELECT * FROM {read}' for read in reads)})"


def _read_csv(paths: list[str], dialect: Dialect) -> str:
    """Every column as text; short rows padded, broken ones dropped."""
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in dialect.columns)
    files = ", ".join(file_literal(path) for path in paths)
    return (
        f"read_csv([{files}], auto_detect=false, header={str(dialect.header).lower()}, skip={dialect.skip}, delim={literal(dialect.delimiter)}, "
        f"quote={literal(dialect.quote)}, escape={literal(dialect.quote)}, columns={{{types}}}, null_padding=true, "
        f"strict_mode=false, ignore_errors=true, max_line_size={LONGEST_LINE}, buffer_size={4 * LONGEST_LINE}, hive_partitioning=false, parallel=true)"
    )


def sniff(piece: Piece, *, columns: tuple[str, ...] | None = None, encoding: str | None = None) -> Dialect:
    """The dialect of a text file, from its first line; `columns` names those of a file without a header."""
    head = piece.head()
    name = shown(piece.name)
    if not head:
        raise BadInput(f"survey: {name} is empty; export it again, with its header line")
    known = _encoding(head, encoding)
    text = _decoded(head, known)
    lines = _first_line(text, name)
    skip, first = lines
    if "\0" in first:
        raise BadInput(f"survey: {name} is not a text table; save it as CSV in UTF-8")
    told = text[4:5] if text[:4].lower() == "sep=" and skip else ""
    delimiter = told or max("\t,;|", key=lambda mark: len(_split(first, mark)))
    fields = _split(first, delimiter)
    if columns is None and len(fields) < 2:
        skip, first, delimiter = _below_title(text, skip, first, delimiter)
        fields = _split(first, delimiter)
    if columns is not None:
        if len(fields) > len(columns):
            raise BadInput(f"--columns: {name} has {len(fields)} columns; name all of them")
        return Dialect(columns, delimiter, encoding=known, skip=skip, header=False)
    if not any(field.strip() for field in fields):
        raise BadInput(
            f"survey: {name} has no header line; export it again with one, or name its columns with --columns"
        )
    if _headless(fields):
        raise BadInput(
            f"survey: the first line of {name} holds numbers, no names; name its columns with --columns A,B,C"
        )
    names = distinct([field.strip() for field in fields])
    found = recognise(names)
    unquoted = delimiter == "\t" and found is not None and not found.format.quoting and not first.startswith('"')
    if unquoted:
        names = distinct([field.strip() for field in first.split("\t")])
    if _rows_end_wider(text, skip, delimiter, len(names), quoted=not unquoted):
        names = distinct([*names, ""])
    return Dialect(tuple(names), delimiter, "" if unquoted else '"', known, skip)


def _encoding(head: bytes, declared: str | None) -> str:
    """UTF-16 and UTF-32 tell themselves; everything else is read as UTF-8, line by line as cp1252 where it is not."""
    if declared is not None:
        try:
            name = codecs.lookup(declared).name
        except LookupError:
            name = ""
        if name not in ENCODINGS:
            raise BadInput("--encoding: not one dpmap reads; write utf-8, utf-16, latin-1, cp1252 or mac-roman")
        return name
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    few = head[:400]
    odd, even = few[1::2].count(0), few[::2].count(0)
    if len(few) >= 8 and odd > 0.8 * len(few[1::2]) and even == 0:
        return "utf-16-le"
    return "utf-16-be" if len(few) >= 8 and even > 0.8 * len(few[::2]) and odd == 0 else "utf-8"


def _decoded(head: bytes, encoding: str) -> str:
    if encoding != "utf-8":
        return codecs.getincrementaldecoder(encoding)(errors="replace").decode(head).removeprefix("\ufeff")
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    except UnicodeDecodeError:
        return head.decode("cp1252", errors="replace").removeprefix("\u00ef\u00bb\u00bf")


def _first_line(text: str, name: str) -> tuple[int, str]:
    """How many lines stand before the first that says something, and that line (with its quoted line breaks)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    skip = 0
    while text.startswith("\n") or (skip == 0 and text[:4].lower() == "sep=" and "\n" in text[:8]):
        skip, text = skip + 1, text[text.index("\n") + 1 :]
    line, _, rest = text.partition("\n")
    while line.count('"') % 2 and "\t" not in line and rest and len(line) < 1 << 16:
        more, _, rest = rest.partition("\n")
        line = f"{line}\n{more}"
    if not line.strip():
        raise BadInput(f"survey: {name} has no header line; export it again with one")
    return skip, line


TITLE_LINES = 20


def _below_title(text: str, skip: int, first: str, delimiter: str) -> tuple[int, str, str]:
    """The header below a title: within the first lines, one whose names tell where rows are; else the first line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", skip + TITLE_LINES)
    for number, line in enumerate(lines[skip + 1 : skip + TITLE_LINES], start=skip + 1):
        for mark in "\t,;|":
            names = _split(line, mark)
            if len(names) > 2 and (recognise(names) or plain_places(names)):
                return number, line, mark
    return skip, first, delimiter


def _split(line: str, delimiter: str) -> list[str]:
    """The fields of one line of a table."""
    try:
        return next(csv.reader(io.StringIO(line), delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _headless(fields: list[str]) -> bool:
    """Whether the first line holds numbers where names should be: two or more, and at least a quarter of it."""

    def is_number(field: str) -> bool:
        try:
            float(field.strip().replace(",", "."))
        except ValueError:
            return False
        return True

    numbers = sum(map(is_number, fields))
    return numbers >= 2 and numbers * 4 >= len(fields)


def _rows_end_wider(text: str, skip: int, delimiter: str, width: int, *, quoted: bool) -> bool:
    """Whether the first row has exactly one field more than the header, an empty one: a separator ends each row."""
    lines = text.replace("\r\n", "\n").split("\n", skip + 2)[skip + 1 : skip + 2]
    if not lines or not lines[0].endswith(delimiter):
        return False
    return len(_split(lines[0], delimiter) if quoted else lines[0].split(delimiter)) == width + 1


def is_clean(piece: Piece, dialect: Dialect) -> bool:
    """Whether DuckDB can read a file in place: UTF-8 throughout, with line feeds, without null bytes."""
    if dialect.encoding not in ("utf-8", "utf-8-sig"):
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    ends = False
    with piece.open() as stream:
        while chunk := stream.read(CHECKED):
            ends = ends or b"\n" in chunk
            if b"\0" in chunk or (not ends and b"\r" in chunk):
                return False
            try:
                if not chunk.isascii() or decoder.getstate()[0]:
                    decoder.decode(chunk)
            except UnicodeDecodeError:
                return False
    return not decoder.getstate()[0]


def check_quotes_close(path: str, name: str, dialect: Dialect) -> None:
    """Refuses a table whose last quote is opened and never closed: all rows after it would be one field.

    Only a file with an odd number of quotes can be one; then a line put after its end must come out as a row, and no
    field may be longer than any honest one.
    """
    mark = dialect.quote.encode()
    with open(path, "rb") as stream:
        if sum(chunk.count(mark) for chunk in iter(lambda: stream.read(CHECKED), b"")) % 2 == 0:
            return
    end, last = "dpmap end of file", list[str]()
    csv.field_size_limit(LONGEST_LINE)
    with open(path, encoding="utf-8", errors="replace", newline="") as text, suppress(csv.Error):
        lines = iter(lambda: text.readline(LONGEST_LINE), "")
        for last in csv.reader(chain(lines, ["\n", end]), delimiter=dialect.delimiter, quotechar=dialect.quote):  # noqa: B007  # the last row is wanted
            pass
    if last != [end]:
        raise BadInput(f"survey: {name} opens a quote that is never closed; mend that line or export it again")


def _copy(piece: Piece, dialect: Dialect, folder: str) -> str:
    """The file as clean UTF-8 in the private folder."""
    target = os.path.join(folder, f"table-{len(os.listdir(folder))}.csv")
    with piece.open() as stream, open(target, "wb") as out:
        out.writelines(_utf8(unpacked(piece, stream), dialect.encoding))
    return target


def unpacked(piece: Piece, stream: BinaryIO) -> Iterator[bytes]:
    """The bytes of a file, stopped where an archive unpacks to more than any honest one."""
    check_unpacks(piece, piece.declared)
    count = 0
    while chunk := stream.read(CHUNK):
        count += len(chunk)
        check_unpacks(piece, count)
        yield chunk


def check_unpacks(piece: Piece, count: int) -> None:
    """Refuses a piece that unpacks to so many bytes, when no honest one would."""
    if piece.packed and count > max(UNPACK_FREE, UNPACK_RATIO * piece.packed):
        raise BadInput(
            f"survey: {shown(piece.name)} unpacks to more than {UNPACK_RATIO} times its size; unpack it yourself "
            "and give the file inside if it is honest"
        )


def _utf8(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Clean UTF-8: without null bytes, lines ended by a line feed, each line that is no UTF-8 taken as cp1252."""
    if encoding not in ("utf-8", "utf-8-sig"):
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        breaks = io.IncrementalNewlineDecoder(None, translate=True)
        for chunk in chunks:
            yield breaks.decode(decoder.decode(chunk).removeprefix("\ufeff").replace("\0", "")).encode(
                "utf-8", "replace"
            )
        yield breaks.decode(decoder.decode(b"", final=True), final=True).encode("utf-8", "replace")
        return
    rest = b""
    for chunk in chunks:
        text = rest + chunk
        cut = max(text.rfind(b"\n"), text.rfind(b"\r", 0, len(text) - 1)) + 1
        if not cut and len(text) > 2 * LONGEST_LINE:
            cut = len(text)
        rest = text[cut:]
        yield _clean_lines(text[:cut])
    yield _clean_lines(rest)


def _clean_lines(lines: bytes) -> bytes:
    lines = lines.replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError:
        return b"\n".join(_clean_line(line) for line in lines.split(b"\n"))
    return lines


def _clean_line(line: bytes) -> bytes:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace").encode()
    return line
