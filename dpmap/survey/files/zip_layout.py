"""Checks that a .zip is one chain of records, so that no two readers see other members.

A zip lists its members at its end, and a reader looks for that list backwards: a second archive
behind or before the first, a list inside a comment or gaps between members would show one reader
files that another does not see. Here the chain is followed: each member's own header stands where
the one before it ends and says what the list says; the list follows the last member, and the end
of the list, with a comment at most, ends the file.

*What is read is all there is.* Every byte belongs to one record, so a member that anybody packed
is in the list, and each in the list has bytes of its own, which no other shares.
"""

import struct
import zipfile
from typing import BinaryIO

_HEADER = b"PK\x03\x04"
_LISTED = b"PK\x01\x02"
_END = b"PK\x05\x06"
_LARGE_END = b"PK\x06\x06"
_LOCATOR = b"PK\x06\x07"
_DESCRIPTOR = b"PK\x07\x08"
_STREAMED = 0x8
_WIDE = 0xFFFFFFFF
"""The flag of a member whose sizes follow it, and the size that means one of 64 bits elsewhere."""


def is_seamless(stream: BinaryIO, archive: zipfile.ZipFile) -> bool:
    """Whether all bytes of a zip are members, their list and its end, one after the other."""
    if _END in archive.comment:
        return False
    at = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        after = _end_of_member(stream, info, at)
        if after is None:
            return False
        at = after
    return at == archive.start_dir and _ends_behind_list(stream, archive)


def _end_of_member(stream: BinaryIO, info: zipfile.ZipInfo, start: int) -> int | None:
    """Returns where a member that begins at `start` ends; None if its header says something
    else.
    """
    stream.seek(start)
    head = stream.read(30)
    if info.header_offset != start or len(head) < 30 or "\0" in info.orig_filename:
        return None
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra_length = struct.unpack(
        "<4s5H3I2H", head
    )
    name = stream.read(name_length)
    same_name = name.decode("utf-8" if flags & 0x800 else "cp437") == info.orig_filename
    if (
        mark != _HEADER
        or not same_name
        or method != info.compress_type
        or (flags ^ info.flag_bits) & 1
    ):
        return None
    declared = (crc, packed, size)
    listed = (info.CRC, info.compress_size, info.file_size)
    streamed = bool(flags & _STREAMED)
    same = all(
        one == other or (one == _WIDE and at) or (streamed and not one)
        for at, (one, other) in enumerate(zip(declared, listed, strict=True))
    )
    end = start + 30 + name_length + extra_length + info.compress_size
    return (
        end + _descriptor_length(stream, end, info) if same and streamed else end if same else None
    )


def _descriptor_length(stream: BinaryIO, at: int, info: zipfile.ZipInfo) -> int:
    """Returns how many bytes behind a member repeat its sizes, in one of four forms; 0 if none
    do.
    """
    stream.seek(at)
    descriptor = stream.read(24)
    for mark in (_DESCRIPTOR, b""):
        for form in ("<3I", "<IQQ"):
            if info.file_size <= _WIDE or form == "<IQQ":
                expected = mark + struct.pack(form, info.CRC, info.compress_size, info.file_size)
                if descriptor.startswith(expected) and descriptor[
                    len(expected) : len(expected) + 2
                ] in (
                    b"PK",
                    b"",
                ):
                    return len(expected)
    return 0


def _ends_behind_list(stream: BinaryIO, archive: zipfile.ZipFile) -> bool:
    """Whether the list of members ends in the records of a zip's end, and these end the file."""
    stream.seek(archive.start_dir)
    for _ in archive.infolist():
        head = stream.read(46)
        if len(head) < 46 or head[:4] != _LISTED:
            return False
        stream.seek(sum(struct.unpack("<3H", head[28:34])), 1)
    end = stream.read(56)
    if end[:4] == _LARGE_END:
        stream.seek(struct.unpack("<Q", end[4:12])[0] - 44, 1)
        if stream.read(20)[:4] != _LOCATOR:
            return False
        end = stream.read(22)
    tail = end[:22]
    if len(tail) < 22 or tail[:4] != _END or tail[4:8].strip(b"\0"):
        return False
    member_count = struct.unpack("<H", tail[10:12])[0]
    length = struct.unpack("<H", tail[20:22])[0]
    list_end = stream.seek(0, 1) - (len(end) - 22)
    return (
        member_count in (len(archive.infolist()), 0xFFFF)
        and length == len(archive.comment)
        and list_end + length == stream.seek(0, 2)
    )
