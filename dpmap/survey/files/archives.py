"""Takes archives apart: the members of a .zip, .kmz or .tar and the content of a .gz, with
bounds on all of them.
"""

import gzip
import io
import os
import re
import struct
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO, cast

from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files import zip_layout
from dpmap.survey.files.tables import CHUNK, FilePiece, unpack_bounded
from dpmap.survey.sources import printable_name

MOST_MEMBERS = 10_000
MOST_HELD = 256 << 20
DEEPEST = 2
"""An archive may hold an archive; that one may not."""
GLOBAL = {"path", "size", "linkpath", "hdrcharset"}
"""What no header may say of all members of a tar at once."""


def is_archive(magic: bytes) -> bool:
    """Whether a file is a .zip or a .tar, by its first 512 bytes."""
    return archive_kind(magic) is not None


def check_no_pack(name: str, head: bytes) -> None:
    """Refuse a packed file where a text is meant, by its first 512 bytes.

    As a text, the lengths and sums in its headers would tell of all records in it, and stand in
    somebody's record.
    """
    if head.startswith(b"\x1f\x8b") or is_archive(head):
        raise BadInput(
            f"survey: {printable_name(name)} is packed, though its name is a text's; unpack it, or"
            " give it the"
            " ending of what it is"
        )


def archive_kind(magic: bytes) -> str | None:
    """Returns `zip` or `tar` by a file's first 512 bytes, and nothing else is looked at; None if it
    is neither.

    *No record of a text table makes one.* A zip's mark would stand in the first line, which holds
    the names. A tar begins with its first member's name in 100 bytes, in which no line ends here,
    and then a field of octal digits: so the first line of a text that passes for one has octal
    digits from its 101st byte on, and that line is the header.
    """
    if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    numbers = (magic[100:108], magic[124:136], magic[136:148], magic[148:156])
    octal = all(
        re.fullmatch(rb"[0-7 \0]+|[\x80\xff][\0-\xff]+", number, re.DOTALL) for number in numbers
    )
    return (
        "tar"
        if magic[257:262] == b"ustar" and octal and not re.search(rb"[\r\n]", magic[:100])
        else None
    )


def ungzip(piece: FilePiece) -> FilePiece:
    """Returns the content of a .gz file, remembering its packed size."""
    name = piece.name[:-3] if piece.name.lower().endswith(".gz") else piece.name
    size = os.path.getsize(piece.path) if piece.path is not None else piece.packed

    def opened() -> BinaryIO:
        outer = piece.open()
        return cast("BinaryIO", io.BufferedReader(_Closing(outer, gzip.GzipFile(fileobj=outer))))

    return FilePiece(name, opened, packed=max(1, size))


def copy_to(piece: FilePiece, target: str) -> str:
    """Unpacks a file to a path, with the bounds of all that is unpacked, and returns the path."""
    with piece.open() as stream, open(target, "wb") as out:
        out.writelines(unpack_bounded(piece, stream))
    return target


def ungzip_by_name(piece: FilePiece) -> FilePiece:
    """Unzips a part if its name ends in .gz."""
    return ungzip(piece) if piece.name.lower().endswith(".gz") else piece


def members_of(piece: FilePiece) -> dict[str, FilePiece]:
    """Lists the files in an archive by name. Its kind is told once, by its first bytes, and it
    is read as that kind only.
    """
    reach: Callable[[], Any] = piece.open
    if piece.path is not None:
        reach = partial(str, piece.path)
        size = os.path.getsize(piece.path)
    elif piece.packed:
        reach = partial(_read_inner_archive, piece)
        size = piece.packed
    else:
        with piece.open() as whole:
            size = whole.seek(0, os.SEEK_END)
    kind = archive_kind(piece.head(512))
    try:
        if kind == "zip":
            return _zip_members(reach, piece.name, size)
        if kind == "tar":
            return _tar_members(reach, piece.name, size)
    except DpmapError:
        raise
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        OSError,
        ValueError,
        NotImplementedError,
        struct.error,
    ):
        pass
    raise _not_whole(piece.name) from None


def _not_whole(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} is not a whole archive; it may be cut short, so copy or"
        " export it"
        " again"
    )


def _zip_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, FilePiece]:
    with _stream(reach()) as stream, zipfile.ZipFile(stream) as archive:
        if any(info.flag_bits & 1 for info in archive.infolist()):
            raise BadInput(
                f"survey: {printable_name(name)} is locked with a password; unpack it and give the"
                " file"
                " inside"
            )
        if not zip_layout.is_seamless(stream, archive):
            raise _has_seams(name)
        infos = [info for info in archive.infolist() if not info.is_dir()]
    _check_members([info.filename for info in infos], name)

    def opener(info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
        return lambda: _open_member(zipfile.ZipFile(reach()), lambda archive: archive.open(info))

    return {
        info.filename: FilePiece(
            _base(info.filename), opener(info), packed=max(1, size), declared=info.file_size
        )
        for info in infos
    }


def _tar_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, FilePiece]:
    def archive() -> tarfile.TarFile:
        held = reach()
        return (
            tarfile.open(held, "r:")
            if isinstance(held, str)
            else tarfile.open(fileobj=held, mode="r:")
        )

    with _stream(reach()) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
        infos = tar.getmembers()
        if any(not (info.isreg() or info.isdir()) or info.issparse() for info in infos):
            raise BadInput(
                f"survey: {printable_name(name)} holds links, devices or files with gaps; pack the"
                " files"
                " themselves again"
            )
        if not _ends_in_zeros(stream, tar, infos):
            raise _has_seams(name)
    files = [info for info in infos if info.isreg()]
    _check_members([info.name for info in files], name)

    def opener(info: tarfile.TarInfo) -> Callable[[], BinaryIO]:
        return lambda: _open_member(archive(), lambda whole: whole.extractfile(info))

    return {
        info.name: FilePiece(
            _base(info.name), opener(info), packed=max(1, size), declared=info.size
        )
        for info in files
    }


def _stream(held: "str | BinaryIO") -> BinaryIO:
    return open(held, "rb") if isinstance(held, str) else held


def _ends_in_zeros(
    stream: BinaryIO, archive: tarfile.TarFile, infos: list[tarfile.TarInfo]
) -> bool:
    """Whether a tar's members follow each other and then two blocks of zeros or more, to its last
    byte.

    Python's reader takes any block that is no header for the end, so what stands behind it would be
    left out in silence.
    """
    if GLOBAL & set(archive.pax_headers):
        return False
    at = 0
    for info in infos:
        if info.offset != at:
            return False
        at = info.offset_data + -(-info.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
    stream.seek(at)
    zeros = 0
    while chunk := stream.read(CHUNK):
        if chunk.strip(b"\0"):
            return False
        zeros += len(chunk)
    return zeros >= 2 * tarfile.BLOCKSIZE


def _has_seams(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} holds more than its list of files says, or less; unpack"
        " it and pack"
        " the files again"
    )


def _check_members(names: list[str], name: str) -> None:
    if len(names) > MOST_MEMBERS:
        raise BadInput(
            f"survey: {printable_name(name)} holds more than {MOST_MEMBERS:,} files; unpack it and"
            " give one"
            " of them"
        )
    if len(set(names)) < len(names):
        raise BadInput(
            f"survey: {printable_name(name)} holds two files of one name; unpack it, mend that and"
            " pack it"
            " again"
        )


def _base(member: str) -> str:
    return os.path.basename(member) or member


def _open_member(archive: Any, member: "Callable[[Any], Any]") -> BinaryIO:
    """Opens a member as a stream that closes its archive when it is closed."""
    try:
        return cast("BinaryIO", io.BufferedReader(_Closing(archive, member(archive))))
    except BaseException:
        archive.close()
        raise


class _Closing(io.RawIOBase):
    """Reads a member of an archive and closes the archive with it."""

    def __init__(self, archive: Any, member: Any) -> None:
        self._archive = archive
        self._member = member

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._member.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._member.seek(offset, whence))

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._member.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._member.close()
        self._archive.close()
        super().close()


def _read_inner_archive(piece: FilePiece) -> io.BytesIO:
    """Reads an archive inside an archive into memory."""
    held = io.BytesIO()
    with piece.open() as stream:
        for chunk in unpack_bounded(piece, stream):
            held.write(chunk)
            if held.tell() > MOST_HELD:
                raise BadInput(
                    f"survey: {printable_name(piece.name)} is a large archive in an archive;"
                    " unpack the"
                    " outer one"
                )
    held.seek(0)
    return held
