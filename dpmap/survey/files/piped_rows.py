"""Keeps what comes through a pipe as a file in a private folder, once it is known that all of it
came.

A pipe that breaks looks to its reader like one that ends. So the stream is packed with gzip, whose
own end holds the length and a checksum: without it nothing is read. It is one gzip stream, since of
several, one after another, the last could be missing unseen. What is kept is what was packed, and
it is read as that file would be: by its first bytes, and its columns by its own header.
"""

import os
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from dpmap.errors import BadInput, SystemFailed
from dpmap.survey.files.tables import CHUNK, FilePiece, check_unpacks

NAME = "standard input"
"""What the stream is called in messages, whatever is behind it; and the file that it becomes."""
HOW = "send it as  gzip -c FILE | dpmap"
_MAGIC = b"\x1f\x8b"
_GZIP = 31
"""How zlib is told to read gzip's own head and end."""
_AT_ONCE = 1 << 18


class Piped(str):
    """Holds the path of a file whose bytes came through a pipe."""

    __slots__ = ()


def keep_stream(stream: BinaryIO, folder: "str | os.PathLike[str]") -> Piped:
    """Unpacks a stream into a new file of a folder and returns its path; refuses what is not one
    whole gzip stream.

    >>> import gzip, io
    >>> from dpmap.private_folder import private_folder
    >>> with private_folder() as folder:
    ...     os.path.getsize(keep_stream(io.BytesIO(gzip.compress(b"who,lon,lat")), folder))
    11
    """
    path = os.path.join(folder, NAME)
    try:
        with open(path, "xb") as file:
            file.writelines(_unpacked(_chunks(stream)))
    except zlib.error:
        raise BadInput(f"survey: {NAME} is damaged inside; pack it and send it again") from None
    except OSError:
        raise SystemFailed(
            f"survey: {NAME} does not fit into the temporary folder; free some space, or name"
            " another folder with --temp"
        ) from None
    return Piped(path)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of a stream until its end."""
    try:
        while chunk := stream.read(_AT_ONCE):
            yield chunk
    except OSError:
        raise BadInput(f"survey: {NAME} cannot be read; {HOW}") from None


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields what is packed in one whole gzip stream, and raises at anything else, at the latest
    at its end.
    """
    unpacker = zlib.decompressobj(_GZIP)
    head = b""
    packed = 0
    count = 0
    for chunk in chunks:
        head = (head + chunk)[:2]
        packed = packed + len(chunk)
        data = chunk
        if not _MAGIC.startswith(head):
            raise BadInput(
                f"survey: {NAME} is not packed with gzip, and so would look whole where it breaks"
                f" off; {HOW}"
            )
        while data:
            if unpacker.eof:
                raise _more(data)
            part = unpacker.decompress(data, CHUNK)
            count += len(part)
            check_unpacks(FilePiece(NAME, _gone, packed=packed), count)
            yield part
            data = unpacker.unconsumed_tail or unpacker.unused_data
    yield unpacker.flush()
    if not unpacker.eof:
        fault = "breaks off before gzip's own end" if packed else "holds nothing"
        raise BadInput(
            f"survey: {NAME} {fault}, so nothing of it was counted and nothing spent; {HOW}"
        )


def _more(data: bytes) -> BadInput:
    """Says what stands behind the end of a gzip stream."""
    if data.startswith(_MAGIC):
        return BadInput(
            f"survey: {NAME} holds several gzip streams, of which the last could be missing unseen;"
            " pack all as one: gzip -dc FILE | gzip -c | dpmap"
        )
    return BadInput(f"survey: {NAME} goes on behind gzip's own end; {HOW}")


def _gone() -> BinaryIO:
    """Stands where a stream is opened again, which one that passes by cannot be."""
    raise AssertionError
