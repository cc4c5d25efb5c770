"""The premise where one person's record is larger than what engines hold at once."""

import random

import pytest
from record_files import GEOJSON, JSON, KML
from side_by_side import DEEP, QUESTIONS, Odd, Pairs, Reader, a_row, ordinary
from text_files import CSV

MB = 1 << 20
BASE = "tess,0.5,0.5,2020-01-01,yes,1,1,,,,Kestrel,1,1,"
LARGE = {
    "a line of 9 MB": (CSV, lambda dice: Odd("line", (BASE + "x" * (9 * MB) + "\n").encode())),
    "a text of 9 MB over lines": (CSV, lambda dice: Odd("text", (BASE + '"' + ("x" * 99 + "\n") * (9 * MB // 100) + '"\n').encode())),
    "a field of quotes": (CSV, lambda dice: Odd("quotes", (BASE + '"' + '""' * (3 * MB) + '"\n').encode())),
    "lines of 40 MB": (CSV, lambda dice: Odd("lines", ((BASE + "x" * 4000 + "\n") * (40 * MB // 4050)).encode())),
    "lines of 40 MB to mend": (CSV, lambda dice: Odd("lines", ((BASE + '"a\nb ""c""" \n' + BASE + "x" * 4000 + "\n") * (40 * MB // 4130)).encode())),
    "quoted notes of 40 MB": (CSV, lambda dice: Odd("notes", (BASE + '"a ""b"", ""c"""\n').encode() * (40 * MB // 66))),
    "one end of a quote in 9 MB": (CSV, lambda dice: Odd("open", (BASE + '"' + "x" * (9 * MB) + "\n").encode(), whole=False)),
    "a JSON text of 40 MB": (JSON, lambda dice: Odd("text", '{"who": "tess", "lon": 0.5, "lat": 0.5, "note": "' + "x" * (40 * MB) + '"}')),
    "a JSON nest of 2 MB": (JSON, lambda dice: Odd("nest", '{"who": "tess", "a": ' + "[" * MB + "]" * MB + "}")),
    "a GeoJSON shape of 4 MB": (GEOJSON, lambda dice: Odd("shape", GEOJSON.feature('{"who": "tess"}', '{"type": "LineString", "coordinates": [' + "[0.5, 0.5]," * (4 * MB // 12) + "[1, 1]]}"))),
    "a KML text of 20 MB": (KML, lambda dice: Odd("text", KML.mark("<who>tess</who><note>" + "x" * (20 * MB) + "</note>", KML.point("0.5,0.5")))),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_a_large_record_changes_no_others(name, tmp_path):
    """A record of tens of megabytes, or tens of megabytes of records, leaves everybody else's rows as they are."""
    family, made = LARGE[name]
    dice, reader = random.Random(name), Reader()
    try:
        pairs = Pairs(family, reader, tmp_path)
        ours = [Odd("row", family.record(row, dice)) for row in ordinary("names", dice, 40)]
        theirs = [made(dice), Odd("row", family.record(a_row(dice, "tess"), dice))]
        for question in ("plain", "notes") if DEEP else ("plain",):
            what = pairs.broken(
                ours, theirs, QUESTIONS[question], dice, ("S", question), ("T", question)
            )
            assert not what, f"{name}: {what}"
    finally:
        reader.close()
