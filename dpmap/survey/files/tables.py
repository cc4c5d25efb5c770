"""Reads delimited text; its header or the steward's declaration says how it is cut, and no
record does.
"""

import codecs
import gzip
import lzma
import os
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files.lines import decode_lines, raw_lines, utf8_lines
from dpmap.survey.files.strict_csv import CsvRecord, Cutter, Placing, below_header, level
from dpmap.survey.files.text_columns import cut_columns
from dpmap.survey.formats import recognise
from dpmap.survey.sources import ANYTHING, Needs, Schema, Source, distinct, literal, printable_name

if TYPE_CHECKING:
    import pyarrow as pa

HEAD_BYTES = 1 << 20
CHUNK = 4 << 20
"""Bytes read at once. Where a chunk ends changes nothing that is read."""
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What unpacking raises where the packed bytes are not whole."""
AHEAD = 4
"""So many blocks are cut into columns while the engine takes earlier ones."""
UNPACK_FREE = 64 << 20
UNPACK_RATIO = 200
"""An archive may unpack to 64 MB, or to 200 times its own size: real exports reach 30, bombs
1,000.
"""

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
class FilePiece:
    """Holds one file's bytes: its `path` if it is a plain file on disk, else its packed and
    declared unpacked sizes.
    """

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
    """Says how to cut a text into fields: `columns` are the names, `skip` the lines before the
    header or the rows.
    """

    columns: tuple[str, ...]
    delimiter: str
    quote: str = '"'
    encoding: str = "utf-8"
    skip: int = 0
    header: bool = True


@dataclass(frozen=True, slots=True)
class Cut:
    """Holds what the steward declared of a text or sheet: column names if it has no header, its
    encoding, its separator, and in which line or row the header stands.
    """

    columns: tuple[str, ...] | None = None
    encoding: str | None = None
    delimiter: str | None = None
    header_row: int = 1


def plain_file(path: str) -> FilePiece:
    """Makes a piece of a file on disk."""
    return FilePiece(os.path.basename(path), lambda: open(path, "rb"), path=path)


def table(pieces: list[FilePiece], declared: Cut = Cut()) -> Source:
    """Opens one table in one or several files with the same header."""
    dialects = [dialect_of(piece, declared) for piece in pieces]
    first = dialects[0]
    for piece, dialect in zip(pieces, dialects, strict=True):
        if dialect.columns != first.columns:
            raise BadInput(
                f"survey: {printable_name(piece.name)} has another header than"
                f" {printable_name(pieces[0].name)}; all"
                " parts of a survey have one header, so take it away, or add --layer NAME"
            )
    return source_of(list(zip(pieces, dialects, strict=True)))


def source_of(parts: list[tuple[FilePiece, Dialect]]) -> Source:
    """Makes the source of pieces whose dialects are known."""
    first = parts[0][1]

    def bound(needs: Needs) -> Source:
        stream = partial(stream_columns, parts, needs)
        return replace(whole, stream=stream, bind=None)

    files = (lambda _: [source_of([part]) for part in parts]) if len(parts) > 1 else None
    schema = Schema(
        first.columns,
        "header" if first.header else "declared",
        "text",
        first.encoding,
        first.delimiter,
    )
    paths = tuple(piece.path for piece, _ in parts if piece.path is not None)
    whole = Source(
        first.columns,
        stream=partial(stream_columns, parts, ANYTHING),
        bind=bound,
        cut=files,
        text=schema,
        files=paths,
    )
    return whole


def relation(parts: list[tuple[FilePiece, Dialect]], folder: str, needs: Needs) -> str:
    """Returns the FROM clause over a copy of the pieces' columns in a private folder, for tables
    that are joined.
    """
    from pyarrow import parquet

    target = os.path.join(folder, f"table-{len(os.listdir(folder))}.parquet")
    with (
        stream_columns(parts, needs, list(parts[0][1].columns)) as reader,
        parquet.ParquetWriter(target, reader.schema, compression="lz4") as writer,
    ):
        for batch in reader:
            writer.write_batch(batch)
    return f"read_parquet([{literal(target)}])"


@contextmanager
def stream_columns(
    parts: list[tuple[FilePiece, Dialect]], needs: Needs, wanted: list[str]
) -> "Iterator[pa.RecordBatchReader]":
    """Opens a reader over some columns of pieces that have the same ones; what they refuse is
    said in their own words.
    """
    import pyarrow as pa

    names = wanted or [parts[0][1].columns[0]]
    schema = pa.schema([(name, pa.string()) for name in names])
    failures = list[DpmapError]()

    def batches() -> "Iterator[pa.RecordBatch]":
        try:
            with ThreadPoolExecutor(1, "dpmap-text") as cutting:
                for piece, dialect in parts:
                    for arrays in _cut_ahead(cutting, piece, dialect, needs, names):
                        yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        except DpmapError as error:
            failures.append(error)
            raise

    try:
        yield pa.RecordBatchReader.from_batches(schema, batches())
    except Exception:
        if failures:  # the engine's own words for it would quote it
            raise failures[0] from None
        raise


def _cut_ahead(
    cutting: ThreadPoolExecutor, piece: FilePiece, dialect: Dialect, needs: Needs, names: list[str]
) -> "Iterator[list[pa.Array]]":
    """Yields the columns of a piece block by block, in their order, each cut while earlier ones
    are taken.
    """
    columns = [dialect.columns.index(name) for name in names]
    waiting: deque[Future[tuple[list[pa.Array], int]]] = deque()
    with _damage_told(piece), piece.open() as stream:
        for block in _level_records(
            unpack_bounded(piece, stream), dialect, needs, printable_name(piece.name)
        ):
            if block:
                waiting.append(
                    cutting.submit(cut_columns, block, dialect.delimiter, dialect.quote, columns)
                )
            if len(waiting) > AHEAD:
                yield waiting.popleft().result()[0]
        while waiting:
            yield waiting.popleft().result()[0]


@contextmanager
def _damage_told(piece: FilePiece) -> Iterator[None]:
    """Says which file is damaged, where unpacking fails in the middle of its rows."""
    try:
        yield
    except DAMAGED:
        raise BadInput(
            f"survey: {printable_name(piece.name)} breaks off or is damaged inside; export it again"
        ) from None


def dialect_of(piece: FilePiece, declared: Cut = Cut()) -> Dialect:
    """Returns how a text is cut: by its header, the first line or the one declared, unless its
    columns are declared; then as declared, else by commas in UTF-8 (by tabs in a .tsv or .tab
    file).
    """
    head = piece.head()
    name = printable_name(piece.name)
    if not head:
        raise BadInput(f"survey: {name} is empty; export it again, with its header line")
    given = separator_of(declared.delimiter)
    if declared.columns is not None:
        encoding = encoding_of(b"", declared.encoding)  # a mark of order would be the first row's
        usual = "\t" if piece.name.lower().removesuffix(".gz").endswith((".tsv", ".tab")) else ","
        return Dialect(declared.columns, given or usual, encoding=encoding, header=False)
    encoding = encoding_of(head, declared.encoding)
    skip, separator, line = _top(head, encoding, name, declared.header_row - 1)
    delimiter = (
        given or separator or max("\t,;|", key=lambda mark: len(_cut_header(line, mark).fields))
    )
    fields = _fields(line, delimiter, '"', name)
    _check_header(fields, line, name)
    names = distinct([text.strip() for text in fields])
    recognised = recognise(names)
    unquoted = (
        delimiter == "\t"
        and recognised is not None
        and not recognised.format.quoting
        and not line.startswith(b'"')
    )
    if unquoted:
        names = distinct([text.strip() for text in _fields(line, delimiter, "", name)])
    return Dialect(tuple(names), delimiter, "" if unquoted else '"', encoding, skip)


def first_fields(piece: FilePiece, delimiter: str, quote: str, *, header: bool) -> list[str]:
    """Returns the fields of a text's first line, with separator and quote as declared; none if it
    is empty. Where it is no header but a record, it may end inside quotes.
    """
    lines = list(islice(utf8_lines([piece.head()], "utf-8", printable_name(piece.name)), 1))
    if not lines:
        return []
    if not header:
        return [
            bytes(text).decode(errors="replace").strip()
            for text in _cut_header(lines[0], delimiter, quote).fields
        ]
    return [
        text.strip() for text in _fields(lines[0], delimiter, quote, printable_name(piece.name))
    ]


def separator_of(declared: str | None) -> str | None:
    r"""Returns the character that a declared separator means.

    >>> separator_of("tab"), separator_of(";")
    ('\t', ';')
    """
    if declared is None:
        return None
    mark = SEPARATORS.get(declared.lower(), declared)
    if len(mark) != 1 or not mark.isascii() or mark in '"\n\r\0' or mark.isalnum():
        raise BadInput(
            "--delimiter: give one mark, like ';', or one of tab, comma, semicolon, pipe, space"
        )
    return mark


def _top(head: bytes, encoding: str, name: str, above: int) -> tuple[int, str, bytes]:
    """Returns how many lines precede the header, the separator that Excel's line `sep=;` names, and
    the header's line. Lines declared to stand above the header are passed over as they are, quotes
    or not.
    """
    lines = list(islice(utf8_lines([head], encoding, name), 2000))
    skip = above
    separator = ""
    while (
        not above
        and skip < len(lines)
        and (not lines[skip] or (not separator and _is_sep(lines[skip])))
    ):
        separator = separator or (lines[skip][4:5].decode() if lines[skip] else "")
        skip += 1
    if skip >= len(lines) or not lines[skip].strip():
        where = (
            f"in line {above + 1}; say where it stands with --header-row N"
            if above
            else "; export it again with one"
        )
        raise BadInput(f"survey: {name} has no header line{' ' * bool(above)}{where}")
    if encoding == "utf-8" and any(b"\0" in line for line in islice(raw_lines([head]), skip + 1)):
        raise BadInput(
            f"survey: {name} is not a text table in UTF-8; save it as CSV in UTF-8, or add"
            " --encoding"
        )
    return skip, separator, lines[skip]


def _is_sep(line: bytes) -> bool:
    return len(line) == 5 and line[:4].lower() == b"sep="


def _fields(line: bytes, delimiter: str, quote: str, name: str) -> list[str]:
    """Returns the fields of a header, which is one line; refuses one whose quotes are open at its
    end, since records would tell where it ends.
    """
    header = _cut_header(line, delimiter, quote)
    if header.open:
        raise BadInput(
            f"survey: the header of {name} is not whole in its line: a quote in it is not closed"
            " there; write the header in one line, without line breaks in names, or take the stray"
            " quote away"
        )
    return [bytes(text).decode(errors="replace") for text in header.fields]


def _cut_header(line: bytes, delimiter: str, quote: str = '"') -> CsvRecord:
    """Cuts a header's line into its fields."""
    return Cutter(delimiter, quote).cut(line, CsvRecord())


def _check_header(fields: list[str], line: bytes, name: str) -> None:
    """Refuses a first line that is not a header, judging by that line alone."""
    if not any(text.strip() for text in fields):
        raise BadInput(
            f"survey: {name} has no header line; export it again with one, or name its columns with"
            " --columns"
        )
    if is_headless(fields):
        raise BadInput(
            f"survey: the first line of {name} holds numbers, no names; name its columns with"
            " --columns A,B,C"
        )
    if line.startswith((b"{", b"[")) or len(line) > HEAD_BYTES - 1:
        raise BadInput(
            f"survey: {name} has no header line; export it again with one, or declare what it is"
            " with --format"
        )


def encoding_of(head: bytes, declared: str | None) -> str:
    """Returns the encoding: UTF-16 or UTF-32 if a byte order mark says so, else UTF-8 unless
    another is declared.
    """
    if declared is not None:
        try:
            name = codecs.lookup(declared).name
        except LookupError:
            name = ""
        if name not in ENCODINGS:
            raise BadInput(
                "--encoding: not one dpmap reads; write utf-8, utf-16, latin-1, cp1252 or mac-roman"
            )
        return name
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def is_headless(fields: list[str]) -> bool:
    """Whether the first line holds numbers instead of names: two or more, and at least a quarter
    of it.
    """

    def is_number(field: str) -> bool:
        try:
            float(field.strip().replace(",", "."))
        except ValueError:
            return False
        return True

    numbers = sum(map(is_number, fields))
    return numbers >= 2 and numbers * 4 >= len(fields)


def _level_records(
    chunks: Iterator[bytes], dialect: Dialect, needs: Needs, name: str
) -> Iterator[bytes]:
    """Yields the records below the header, each as one line of which `cut_columns` cuts the
    fields.
    """
    if dialect.encoding not in ("utf-8", "utf-8-sig"):
        chunks = decode_lines(chunks, dialect.encoding, name)
    below = below_header(chunks, dialect.skip + dialect.header)
    cutter = Cutter(dialect.delimiter, dialect.quote)
    return level(below, cutter, _placing(dialect.columns, needs), name)


def _placing(columns: tuple[str, ...], needs: Needs) -> tuple[Placing, ...]:
    """Returns, by the places of its fields, what a record must hold to count."""
    at = {column: index for index, column in enumerate(columns)}
    return tuple(
        tuple(
            (tuple(at[column] for column in group if column in at), digit) for group, digit in need
        )
        for need in needs
    )


def unpack_bounded(piece: FilePiece, stream: BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of a file, and stops an archive that unpacks to more than any honest one."""
    check_unpacks(piece, piece.declared)
    count = 0
    while chunk := stream.read(CHUNK):
        count += len(chunk)
        check_unpacks(piece, count)
        yield chunk


def check_unpacks(piece: FilePiece, count: int) -> None:
    """Refuses a piece that unpacks to more bytes than any honest one."""
    if piece.packed and count > max(UNPACK_FREE, UNPACK_RATIO * piece.packed):
        raise BadInput(
            f"survey: {printable_name(piece.name)} unpacks to more than {UNPACK_RATIO} times its"
            " size;"
            " unpack it yourself and give the file inside if it is honest"
        )
