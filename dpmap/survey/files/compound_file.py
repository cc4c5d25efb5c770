"""Reads the container of old Office files (OLE, a compound file): a table says which sector follows
which in each stream.

Only streams in the topmost folder are seen: a workbook embedded in another lies in a folder of its
own.
"""

import struct
from dataclasses import dataclass

SIGNATURE = b"\xd0\xcf\x11\xe0"
BROKEN = (struct.error, IndexError)
"""What is raised where the container, or what lies in it, does not add up."""
_LAST = 0xFFFFFFFA
"""Numbers from here on name no sector."""
_SMALL = 64
_ROOT = 5
_STREAM = 2


@dataclass(frozen=True, slots=True)
class Chain:
    """Names the first sector of a stream, and how many bytes it has."""

    first: int
    size: int


class Compound:
    """Finds streams by their names, and joins their sectors when they are asked for."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        if raw[0x1E:0x20] not in (b"\x09\0", b"\x0c\0"):
            raise IndexError
        self._sector = 1 << raw[0x1E]
        self._next = self._sector_table()
        listing_start = struct.unpack_from("<I", raw, 0x30)[0]
        self._cutoff, small_start = struct.unpack_from("<II", raw, 0x38)
        listing = self._join_sectors(listing_start)
        self._entries = [listing[at : at + 128] for at in range(0, len(listing) - 127, 128)]
        small_table = self._join_sectors(small_start)
        self._next_small = struct.unpack(f"<{len(small_table) // 4}I", small_table)
        self._chains = self._topmost()

    def names(self) -> list[str]:
        """Returns the names of the topmost streams."""
        return list(self._chains)

    def stream(self, name: str) -> bytes:
        """Returns the bytes of a stream."""
        chain = self._chains[name]
        if chain.size >= self._cutoff:
            content = self._join_sectors(chain.first)
        else:
            root = self._entries[0]
            smalls = self._join_sectors(struct.unpack_from("<I", root, 0x74)[0])
            content = _linked(smalls, 0, _SMALL, self._next_small, chain.first)
        if chain.size > len(content):
            raise IndexError
        return content[: chain.size]

    def _join_sectors(self, first: int) -> bytes:
        return _linked(self._raw, self._sector, self._sector, self._next, first)

    def _sector_table(self) -> tuple[int, ...]:
        """Returns the table that says which sector follows which; its own sectors are listed in
        the header and beyond.
        """
        raw = self._raw
        size = self._sector
        sectors = [one for one in struct.unpack_from("<109I", raw, 0x4C) if one < _LAST]
        following = struct.unpack_from("<I", raw, 0x44)[0]
        seen = set[int]()
        while following < _LAST and following not in seen:
            seen.add(following)
            *more, following = struct.unpack_from(f"<{size // 4}I", raw, (following + 1) * size)
            sectors += [one for one in more if one < _LAST]
        if len(sectors) * size > len(raw):
            raise IndexError
        entries = f"<{size // 4}I"
        return tuple(
            one
            for sector in sectors
            for one in struct.unpack_from(entries, raw, (sector + 1) * size)
        )

    def _topmost(self) -> dict[str, Chain]:
        """Walks the tree of names below the root, each entry once; refuses two streams of one
        name.
        """
        streams = dict[str, Chain]()
        seen = set[int]()
        waiting = [struct.unpack_from("<I", self._entries[0], 0x4C)[0]]
        if self._entries[0][0x42] != _ROOT:
            raise IndexError
        while waiting:
            number = waiting.pop()
            if number >= _LAST:
                continue
            if number in seen:
                raise IndexError
            seen.add(number)
            entry = self._entries[number]
            waiting += struct.unpack_from("<II", entry, 0x44)
            if entry[0x42] == _STREAM:
                length = max(0, min(64, struct.unpack_from("<H", entry, 0x40)[0] - 2))
                name = entry[:length].decode("utf-16-le", "replace").lower()
                if name in streams:
                    raise IndexError
                streams[name] = Chain(*struct.unpack_from("<II", entry, 0x74))
        return streams


def _linked(raw: bytes, start: int, size: int, following: tuple[int, ...], sector: int) -> bytes:
    """Joins the sectors of one chain, which is no longer than what it lies in, and so has no
    loop.
    """
    parts = list[bytes]()
    left = (len(raw) - start + size - 1) // size
    while sector < _LAST:
        if not left or start + sector * size >= len(raw):
            raise IndexError
        parts.append(raw[start + sector * size : start + (sector + 1) * size])
        sector = following[sector]
        left -= 1
    return b"".join(parts)
