"""Reads delimited text; its header or the steward's declaration says how it is cut, and no record does."""

import codecs
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from dpmap.errors import BadInput
from dpmap.survey.files.lines import LONGEST, raw_lines, utf8_lines
from dpmap.survey.files.strict_csv import Cutter, Placing, below_header, mended, stands
from dpmap.survey.files.strict_csv import Record as CsvRecord
from dpmap.survey.formats import recognise
from dpmap.survey.sources import Needs, Schema, Source, distinct, file_literal, literal, shown

HEAD_BYTES = 1 << 20
CHUNK = 4 << 20
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
SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


@dataclass(frozen=True, slots=True)
class Piece:
    """Holds one file's bytes: its `path` if it is a plain file on disk, else its packed and declared unpacked sizes."""

    name: str
    open: Callable[[], BinaryIO]
    path: str | None = None
    packed: int = 0
    declared: int = 0

    def head(self, size: int = HEAD_BYTES) -> bytes:
        """Returns the first bytes."""
        with self.open() as stream:
            return stream.read(size)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Says how to cut a text into fields: `columns` are the names, `skip` the lines before the header or the rows."""

    columns: tuple[str, ...]
    delimiter: str
    quote: str = '"'
    encoding: str = "utf-8"
    skip: int = 0
    header: bool = True


@dataclass(frozen=True, slots=True)
class Cut:
    """Holds what the steward declared of a text or sheet: column names if it has no header, its encoding, its separator, and in which
    line or row the header stands.
    """

    columns: tuple[str, ...] | None = None
    encoding: str | None = None
    delimiter: str | None = None
    header_row: int = 1


def plain_file(path: str) -> Piece:
    """Makes a piece of a file on disk."""
    return Piece(os.path.basename(path), lambda: open(path, "rb"), path=path)


def table(pieces: list[Piece], declared: Cut = Cut()) -> Source:
    """Opens one table in one or several files with the same header."""
    dialects = [dialect_of(piece, declared) for piece in pieces]
    first = dialects[0]
    for piece, dialect in zip(pieces, dialects, strict=True):
        if dialect.columns != first.columns:
            raise BadInput(
                f"survey: {shown(piece.name)} has another header than {shown(pieces[0].name)}; all parts of a survey have "
                "one header, so take it away, or add --layer NAME"
            )
    return source_of(list(zip(pieces, dialects, strict=True)))


def source_of(parts: list[tuple[Piece, Dialect]]) -> Source:
    """Makes the source of pieces whose dialects are known."""

    def prepare(folder: str, needs: Needs) -> str:
        return relation(parts, folder, needs)

    files = (lambda _: [source_of([part]) for part in parts]) if len(parts) > 1 else None
    first = parts[0][1]
    told = Schema(first.columns, "header" if first.header else "declared", "text", first.encoding, first.delimiter)
    return Source(first.columns, prepare=prepare, cut=files, text=told)


def relation(parts: list[tuple[Piece, Dialect]], folder: str, needs: Needs) -> str:
    """Returns the FROM clause over the pieces, after copying those that DuckDB cannot read in place."""
    ready: dict[Dialect, list[str]] = {}
    for piece, dialect in parts:
        if _is_read_in_place(piece, dialect):
            ready.setdefault(dialect, []).append(piece.path or "")
        else:
            copied = Dialect(dialect.columns, dialect.delimiter, dialect.quote, header=False)
            ready.setdefault(copied, []).append(_copy(piece, dialect, folder, needs))
    reads = [_read_csv(paths, dialect) for dialect, paths in ready.items()]
    return reads[0] if len(reads) == 1 else f"({' UNION ALL '.join(f'SELECT * FROM {read}' for read in reads)})"


def _is_read_in_place(piece: Piece, dialect: Dialect) -> bool:
    """Whether DuckDB reads the file on disk by the rule of `strict_csv`."""
    if piece.path is None or dialect.skip or dialect.encoding not in ("utf-8", "utf-8-sig"):
        return False
    with piece.open() as stream:
        return stands(stream, dialect.delimiter, dialect.quote)


def _read_csv(paths: list[str], dialect: Dialect) -> str:
    """Builds DuckDB's call: every column is text and short rows are padded; each line is a record, so many are read at once."""
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in dialect.columns)
    files = ", ".join(file_literal(path) for path in paths)
    return (
        f"read_csv([{files}], auto_detect=false, header={str(dialect.header).lower()}, skip={dialect.skip}, delim={literal(dialect.delimiter)}, "
        f"quote={literal(dialect.quote)}, escape={literal(dialect.quote)}, columns={{{types}}}, null_padding=true, comment='', "
        f"strict_mode=false, ignore_errors=true, max_line_size={2 * LONGEST}, buffer_size={4 * LONGEST}, hive_partitioning=false, parallel=true)"
    )


def dialect_of(piece: Piece, declared: Cut = Cut()) -> Dialect:
    """Returns how a text is cut: by its header, the first line or the one declared, unless its columns are declared; then
    as declared, else by commas in UTF-8 (by tabs in a .tsv or .tab file).
    """
    head, name = piece.head(), shown(piece.name)
    if not head:
        raise BadInput(f"survey: {name} is empty; export it again, with its header line")
    given = separator_of(declared.delimiter)
    if declared.columns is not None:
        encoding = encoding_of(b"", declared.encoding)  # a mark of order would be the first row's
        usual = "\t" if piece.name.lower().removesuffix(".gz").endswith((".tsv", ".tab")) else ","
        return Dialect(declared.columns, given or usual, encoding=encoding, header=False)
    encoding = encoding_of(head, declared.encoding)
    skip, told, lines = _top(head, encoding, name, declared.header_row - 1)
    delimiter = given or told or max("\t,;|", key=lambda mark: len(_fields(lines, mark, '"')))
    fields = _fields(lines, delimiter, '"')
    _check_header(fields, lines, name)
    names = distinct([text.strip() for text in fields])
    found = recognise(names)
    unquoted = delimiter == "\t" and found is not None and not found.format.quoting and not lines[0].startswith(b'"')
    if unquoted:
        names = distinct([text.strip() for text in _fields(lines, delimiter, "")])
    return Dialect(tuple(names), delimiter, "" if unquoted else '"', encoding, skip)


def first_fields(piece: Piece, delimiter: str, quote: str) -> list[str]:
    """Returns the fields of a text's first line, with separator and quote as declared; none if it is empty."""
    lines = list(islice(utf8_lines([piece.head()], "utf-8", shown(piece.name)), 100))
    return [text.strip() for text in _fields(lines, delimiter, quote)] if lines else []


def separator_of(declared: str | None) -> str | None:
    r"""Returns the character that a declared separator means.

    >>> separator_of("tab"), separator_of(";")
    ('\t', ';')
    """
    if declared is None:
        return None
    mark = SEPARATORS.get(declared.lower(), declared)
    if len(mark) != 1 or not mark.isascii() or mark in '"\n\r\0' or mark.isalnum():
        raise BadInput("--delimiter: give one mark, like ';', or one of tab, comma, semicolon, pipe, space")
    return mark


def _top(head: bytes, encoding: str, name: str, above: int) -> tuple[int, str, list[bytes]]:
    """Returns how many lines precede the header, the separator that Excel's line `sep=;` names, and the header's text. Lines declared to
    stand above the header are passed over as they are, quotes or not.
    """
    lines = list(islice(utf8_lines([head], encoding, name), 2000))
    skip, told = above, ""
    while not above and skip < len(lines) and (not lines[skip] or (not told and _is_sep(lines[skip]))):
        told = told or (lines[skip][4:5].decode() if lines[skip] else "")
        skip += 1
    if skip >= len(lines) or not lines[skip].strip():
        where = (
            f"in line {above + 1}; say where it stands with --header-row N" if above else "; export it again with one"
        )
        raise BadInput(f"survey: {name} has no header line{' ' * bool(above)}{where}")
    if encoding == "utf-8" and any(b"\0" in line for line in islice(raw_lines([head]), skip + 1)):
        raise BadInput(f"survey: {name} is not a text table in UTF-8; save it as CSV in UTF-8, or add --encoding")
    return skip, told, lines[skip : skip + 100]


def _is_sep(line: bytes) -> bool:
    return len(line) == 5 and line[:4].lower() == b"sep="


def _fields(lines: list[bytes], delimiter: str, quote: str) -> list[str]:
    """Returns the fields of the record that begins with the first line."""
    if not quote:
        return lines[0].decode().split(delimiter)
    cutter, record = Cutter(delimiter, quote), CsvRecord()
    for line in lines:
        record = cutter.cut(line, record)
        if not record.open:
            break
    return [bytes(text).decode(errors="replace") for text in record.fields]


def _check_header(fields: list[str], lines: list[bytes], name: str) -> None:
    """Refuses a first line that is not a header, judging by that line alone."""
    if not any(text.strip() for text in fields):
        raise BadInput(
            f"survey: {name} has no header line; export it again with one, or name its columns with --columns"
        )
    if is_headless(fields):
        raise BadInput(
            f"survey: the first line of {name} holds numbers, no names; name its columns with --columns A,B,C"
        )
    if lines[0].startswith((b"{", b"[")) or len(lines[0]) > HEAD_BYTES - 1:
        raise BadInput(
            f"survey: {name} has no header line; export it again with one, or declare what it is with --format"
        )


def encoding_of(head: bytes, declared: str | None) -> str:
    """Returns the encoding: UTF-16 or UTF-32 if a byte order mark says so, else UTF-8 unless another is declared."""
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
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def is_headless(fields: list[str]) -> bool:
    """Whether the first line holds numbers instead of names: two or more, and at least a quarter of it."""

    def is_number(field: str) -> bool:
        try:
            float(field.strip().replace(",", "."))
        except ValueError:
            return False
        return True

    numbers = sum(map(is_number, fields))
    return numbers >= 2 and numbers * 4 >= len(fields)


def _copy(piece: Piece, dialect: Dialect, folder: str, needs: Needs) -> str:
    """Writes the records to the private folder without the header, each as one UTF-8 line that DuckDB reads by the rule."""
    target = os.path.join(folder, f"table-{len(os.listdir(folder))}.csv")
    with piece.open() as stream, open(target, "wb") as out:
        out.writelines(_records(unpacked(piece, stream), dialect, needs, shown(piece.name)))
    return target


def _records(chunks: Iterator[bytes], dialect: Dialect, needs: Needs, name: str) -> Iterator[bytes]:
    """Yields the lines of the records below the header, mended if quotes have a meaning."""
    if not dialect.quote:
        lines = islice(utf8_lines(chunks, dialect.encoding, name), dialect.skip + dialect.header, None)
        return (line + b"\n" for line in lines if len(line) <= LONGEST)
    if dialect.encoding not in ("utf-8", "utf-8-sig"):
        chunks = (line + b"\n" for line in utf8_lines(chunks, dialect.encoding, name))
    cutter = Cutter(dialect.delimiter, dialect.quote)
    below = below_header(chunks, HEAD_BYTES, dialect.skip, cutter, header=dialect.header)
    return mended(below, cutter, _placing(dialect.columns, needs), name)


def _placing(columns: tuple[str, ...], needs: Needs) -> tuple[Placing, ...]:
    """Returns, by the places of its fields, what a record must hold to count."""
    at = {column: index for index, column in enumerate(columns)}
    return tuple(
        tuple((tuple(at[column] for column in group if column in at), digit) for group, digit in one) for one in needs
    )


def unpacked(piece: Piece, stream: BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of a file, and stops an archive that unpacks to more than any honest one."""
    check_unpacks(piece, piece.declared)
    count = 0
    while chunk := stream.read(CHUNK):
        count += len(chunk)
        check_unpacks(piece, count)
        yield chunk


def check_unpacks(piece: Piece, count: int) -> None:
    """Refuses a piece that unpacks to more bytes than any honest one."""
    if piece.packed and count > max(UNPACK_FREE, UNPACK_RATIO * piece.packed):
        raise BadInput(
            f"survey: {shown(piece.name)} unpacks to more than {UNPACK_RATIO} times its size; unpack it yourself "
            "and give the file inside if it is honest"
        )
