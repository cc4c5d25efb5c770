"""Archives are read as one kind, told by their first bytes, and hold nothing that their list does not show."""

import gzip
import io
import struct
import tarfile
import zipfile
from collections import Counter

import pytest
from folder_files import tarred
from side_by_side import QUESTIONS, Reader, Refusal
from text_files import Csv

HEAD = b"who,lon,lat\n"
OURS = HEAD + b"".join(f"sam {number},1.5,1.5\n".encode() for number in range(30))
HERS = HEAD + b"tess,2.5,2.5\n"
TWO = (("a.csv", OURS), ("b.csv", HERS))
WHOLE = {"sam": 30, "tess": 1}


class Sent(io.RawIOBase):
    """A pipe: what is written to it cannot be gone back to."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def seekable(self):
        return False

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def zipped(parts, comment=b"", how=zipfile.ZIP_DEFLATED, *, streamed=False, large=False):
    target = Sent() if streamed else io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as archive:
        for name, data in parts:
            with archive.open(name, "w", force_zip64=large) as member:
                member.write(data)
        archive.comment = comment
    return target.data if streamed else target.getvalue()


def unlisted(parts, left):
    """A zip of all these files whose list names only some of them."""
    raw = zipped(parts)
    start = zipfile.ZipFile(io.BytesIO(raw)).start_dir
    listing, at, kept = raw[start:-22], 0, []
    for name, _ in parts:
        length = 46 + sum(struct.unpack("<3H", listing[at + 28 : at + 34]))
        kept += [listing[at : at + length]] if name not in left else []
        at += length
    told = b"".join(kept)
    return (
        raw[:start]
        + told
        + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, len(kept), len(kept), len(told), start, 0)
    )


def with_member(kind):
    held = io.BytesIO(tarred(TWO))
    with tarfile.open(fileobj=held, mode="a") as archive:
        odd = tarfile.TarInfo("c.csv")
        odd.type, odd.linkname = kind, "a.csv"
        archive.addfile(odd)
    return held.getvalue()


def changed(data, old, new):
    at = data.index(old)
    return data[:at] + new + data[at + len(old) :]


WELL_FORMED = {
    "a zip": ("s.zip", zipped(TWO)),
    "a zip written to a pipe": ("s.zip", zipped(TWO, streamed=True)),
    "a stored zip written to a pipe": ("s.zip", zipped(TWO, how=zipfile.ZIP_STORED, streamed=True)),
    "a large zip": ("s.zip", zipped(TWO, large=True)),
    "a large zip written to a pipe": ("s.zip", zipped(TWO, large=True, streamed=True)),
    "a zip with a comment": ("s.zip", zipped(TWO, b"surveyed in May")),
    "a tar": ("s.tar", tarred(TWO)),
    "a tar with a folder": ("s.tar", with_member(tarfile.DIRTYPE)),
    "gzip in two members": ("s.csv.gz", gzip.compress(OURS) + gzip.compress(HERS[len(HEAD) :])),
    "a text whose first record holds a tar's mark": (
        "s.csv", HEAD + b"tess".ljust(257 - len(HEAD), b"-") + b"ustar,9,9\n" + HERS[len(HEAD) :] + OURS[len(HEAD) :],
    ),
    "a text with a long header and the same": (
        "s.csv", HEAD[:-1] + b"," + b"n" * 120 + b"\n" + b"tess".ljust(124, b"-") + b"ustar,9,9\n" + HERS[len(HEAD) :] + OURS[len(HEAD) :],
    ),
}  # fmt: skip
BROKEN = {
    "a zip behind a zip": ("s.zip", zipped(TWO[:1]) + zipped(TWO[1:])),
    "a zip before it": ("s.zip", zipped(TWO[1:]) + zipped(TWO[:1])),
    "a zip in the comment": ("s.zip", zipped(TWO[:1], zipped(TWO[1:]))),
    "bytes behind the end": ("s.zip", zipped(TWO) + b"\0\0"),
    "a member that the list leaves out": ("s.zip", unlisted(TWO, {"a.csv"})),
    "the last member left out": ("s.zip", unlisted(TWO, {"b.csv"})),
    "a header with another name": ("s.zip", changed(zipped(TWO), b"b.csv", b"c.csv")),
    "a name with a zero": ("s.zip", zipped(TWO).replace(b"b.csv", b"b\0csv")),
    "a tar behind a tar": ("s.tar", tarred(TWO[:1]) + tarred(TWO[1:])),
    "bytes behind a tar": ("s.tar", tarred(TWO) + b"x"),
    "a tar cut between members": ("s.tar", tarred(TWO)[: 512 + 1024]),
    "a damaged header within": ("s.tar", changed(tarred(TWO), b"b.csv", b"c.csv")),
    "a link": ("s.tar", with_member(tarfile.SYMTYPE)),
    "a hard link": ("s.tar", with_member(tarfile.LNKTYPE)),
    "a pipe": ("s.tar", with_member(tarfile.FIFOTYPE)),
    "a device": ("s.tar", with_member(tarfile.CHRTYPE)),
    "a kind of member nobody knows": ("s.tar", with_member(b"Z")),
    "a tar that begins like a zip": (
        "s.tar", tarred([("PK\x03\x04.csv", HERS), TWO[0], ("z.bin", zipped(TWO[1:], how=zipfile.ZIP_STORED))]),
    ),
    "gzip with bytes behind": ("s.csv.gz", gzip.compress(OURS) + b"xx"),
    "gzip cut short": ("s.csv.gz", gzip.compress(OURS)[:-5]),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader():
    one = Reader()
    yield one
    one.close()


def read(reader, folder, name, data):
    (folder / name).write_bytes(data)
    found = reader.rows(folder / name, QUESTIONS["plain"], Csv("archive"))
    if isinstance(found, Refusal):
        return found
    people = Counter()
    for row, many in found.items():
        people[row[0].split()[0]] += many
    return dict(people)


@pytest.mark.parametrize("case", WELL_FORMED)
def test_a_well_formed_archive_is_read_whole(case, reader, tmp_path):
    """Whichever program wrote a .zip, .tar or .gz by its rules, every file in it is read."""
    assert read(reader, tmp_path, *WELL_FORMED[case]) == WHOLE


@pytest.mark.parametrize("case", BROKEN)
def test_an_archive_that_two_readers_would_see_otherwise_is_refused(case, reader, tmp_path):
    """What an archive's own list leaves out, or only some readers see, is no survey of fewer people but a refusal."""
    found = read(reader, tmp_path, *BROKEN[case])
    assert isinstance(found, Refusal), found
    assert any(
        words in found.message
        for words in ("whole archive", "list of files", "links, devices", "cannot be read")
    )


def test_a_stored_zip_at_the_end_of_a_tar_hides_nobody(reader, tmp_path):
    """An archive's kind is told by its first bytes alone: the last member of a .tar may be a .zip, and is one of its members."""
    last = zipped(TWO[1:], how=zipfile.ZIP_STORED)
    assert read(reader, tmp_path, "s.tar", tarred([TWO[0], ("z.bin", last)])) == {"sam": 30}
    found = read(reader, tmp_path, "t.tar", tarred([TWO[0], ("b.zip", last)]))
    assert isinstance(found, Refusal) and "no parts of one table" in found.message
