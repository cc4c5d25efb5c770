"""Takes archives apart: the members of a .zip, .kmz or .tar and the content of a .gz, with bounds on all of them."""

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files.tables import Piece, unpacked
from dpmap.survey.sources import shown

MOST_MEMBERS = 10_000
MOST_HELD = 256 << 20
DEEPEST = 2
"""An archive may hold an archive; that one may not."""


def is_archive(magic: bytes) -> bool:
    """Whether a file is a .zip or a .tar, by its first 512 bytes."""
    return magic.startswith((b"PK\x03\x04", b"PK\x05\x06")) or magic[257:262] == b"ustar"


def ungzipped(piece: Piece) -> Piece:
    """Returns the content of a .gz file, remembering its packed size."""
    name = piece.name[:-3] if piece.name.lower().endswith(".gz") else piece.name
    size = os.path.getsize(piece.path) if piece.path is not None else piece.packed

    def opened() -> BinaryIO:
        outer = piece.open()
        return cast("BinaryIO", io.BufferedReader(_Closing(outer, gzip.GzipFile(fileobj=outer))))

    return Piece(name, opened, packed=max(1, size))


def unzipped(piece: Piece) -> Piece:
    """Unzips a part if its name ends in .gz."""
    return ungzipped(piece) if piece.name.lower().endswith(".gz") else piece


def members_of(piece: Piece) -> tuple[dict[str, Piece], str]:
    """Lists the files in an archive by name, and says whether it is a `zip` or a `tar`."""
    reach: Callable[[], Any] = piece.open
    if piece.path is not None:
        reach, size = (lambda: piece.path), os.path.getsize(piece.path)
    elif piece.packed:
        reach, size = (lambda: _held(piece)), piece.packed
    else:
        with piece.open() as whole:
            size = whole.seek(0, os.SEEK_END)
    try:
        if zipfile.is_zipfile(reach()):
            return _zip_members(reach, piece.name, size), "zip"
        return _tar_members(reach, piece.name, size), "tar"
    except DpmapError:
        raise
    except (zipfile.BadZipFile, tarfile.TarError, OSError, ValueError, NotImplementedError):
        raise BadInput(
            f"survey: {shown(piece.name)} is not a whole archive; it may be cut short, so copy or export it again"
        ) from None


def _zip_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, Piece]:
    with zipfile.ZipFile(reach()) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    _check_members([info.filename for info in infos], name)
    if any(info.flag_bits & 1 for info in infos):
        raise BadInput(f"survey: {shown(name)} is locked with a password; unpack it and give the file inside")

    def opener(info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
        return lambda: _opened(zipfile.ZipFile(reach()), lambda archive: archive.open(info.filename))

    return {
        info.filename: Piece(_base(info.filename), opener(info), packed=max(1, size), declared=info.file_size)
        for info in infos
    }


def _tar_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, Piece]:
    def archive() -> tarfile.TarFile:
        held = reach()
        return tarfile.open(held, "r:") if isinstance(held, str) else tarfile.open(fileobj=held, mode="r:")

    with archive() as found:
        infos = [info for info in found.getmembers() if info.isreg()]
    _check_members([info.name for info in infos], name)

    def opener(info: tarfile.TarInfo) -> Callable[[], BinaryIO]:
        return lambda: _opened(archive(), lambda whole: whole.extractfile(info))

    return {info.name: Piece(_base(info.name), opener(info), packed=max(1, size), declared=info.size) for info in infos}


def _check_members(names: list[str], name: str) -> None:
    if len(names) > MOST_MEMBERS:
        raise BadInput(f"survey: {shown(name)} holds more than {MOST_MEMBERS:,} files; unpack it and give one of them")
    if len(set(names)) < len(names):
        raise BadInput(f"survey: {shown(name)} holds two files of one name; unpack it, mend that and pack it again")


def _base(member: str) -> str:
    return os.path.basename(member) or member


def _opened(archive: Any, member: "Callable[[Any], Any]") -> BinaryIO:
    """Opens a member as a stream that closes its archive when it is closed."""
    try:
        return cast("BinaryIO", io.BufferedReader(_Closing(archive, member(archive))))
    except BaseException:
        archive.close()
        raise


class _Closing(io.RawIOBase):
    """Reads a member of an archive and closes the archive with it."""

    def __init__(self, archive: Any, member: Any) -> None:
        self._archive, self._member = archive, member

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


def _held(piece: Piece) -> io.BytesIO:
    """Reads an archive inside an archive into memory."""
    held = io.BytesIO()
    with piece.open() as stream:
        for chunk in unpacked(piece, stream):
            held.write(chunk)
            if held.tell() > MOST_HELD:
                raise BadInput(f"survey: {shown(piece.name)} is a large archive in an archive; unpack the outer one")
    held.seek(0)
    return held
