"""Rows that a format itself marks as absent or misplaced are left out, each by its own words and by a rule that is stated."""

import pytest
from fixtures import delimited

import dpmap as dm

COLUMNS = ["gbifID", "decimalLatitude", "decimalLongitude", "recordedBy", "occurrenceStatus", "individualCount", "issue", "hasGeospatialIssues"]  # fmt: skip


def left_out(folder, rows, **options):
    """Why rows are left out of a GBIF table, and how many."""
    place = {"decimalLatitude": 56.1, "decimalLongitude": -3.1, "recordedBy": "Ana Ruiz"}
    path = delimited(
        folder / "a.tsv",
        COLUMNS,
        [{"gbifID": at, **place, **row} for at, row in enumerate(rows)],
        "\t",
    )
    return dm.inspect(dm.read(path, **options)).left_out


NONE_SEEN = ("0", "00", "0.0", "0,0", " 0 ", "0.")
SOME_OR_UNCLEAR = ("", "--", "X", "10", "0.5", "0-5", "<10", "NA", "-0", "none", "0 adults")
ABSENT = ("absent", "ABSENT", " Absent ", "absence", "ausente", "ausência", "0", "false")
NOT_ABSENT = ("present", "", "excluded", "doubtful", "not absent", "1")


@pytest.mark.parametrize(("column", "absent", "others"), [
    ("individualCount", NONE_SEEN, SOME_OR_UNCLEAR), ("occurrenceStatus", ABSENT, NOT_ABSENT),
])  # fmt: skip
def test_an_absence_is_told_by_status_or_by_a_plain_count_of_none(column, absent, others, tmp_path):
    """Whoever counted none, or says so in the words that exports write, reports that nothing was there; whatever is unclear counts."""
    assert left_out(tmp_path, [{column: text} for text in absent]) == {"an absence": len(absent)}
    assert left_out(tmp_path, [{column: text} for text in others]) == {}


WRONG = (("ZERO_COORDINATE", ""), ("COORDINATE_OUT_OF_RANGE", ""), ("A_B;COORDINATE_INVALID;C", ""), ("country_coordinate_mismatch", ""),
         ("['COORDINATE_ROUNDED', 'COUNTRY_COORDINATE_MISMATCH']", ""), ("", "TRUE"), ("", "t"))  # fmt: skip
FINE = (
    ("COORDINATE_ROUNDED;GEODETIC_DATUM_INVALID", "false"),
    ("COORDINATE_INVALID_NOT", ""),
    ("", ""),
    ("PRESUMED_NEGATED_LONGITUDE", ""),
)


def test_what_gbif_takes_off_its_maps_is_left_out(tmp_path):
    """The four issues by which GBIF flags a place, or the flag: a simple and a full download count the same rows."""
    told = [
        [{"issue": issue, "hasGeospatialIssues": flag} for issue, flag in some]
        for some in (WRONG, FINE)
    ]
    assert left_out(tmp_path, told[0]) == {"a geospatial issue": len(WRONG)}
    assert left_out(tmp_path, told[1]) == {}


def test_these_are_no_signals_of_obscuring(tmp_path):
    """Whatever `signals` says, an absence is no sighting and a wrong place no place; the statement's words name both columns."""
    rows = [{"individualCount": "0"}, {"hasGeospatialIssues": "true"}, {}]
    for signals in ("all", "wishes", "none"):
        assert left_out(tmp_path, rows, signals=signals) == {
            "an absence": 1,
            "a geospatial issue": 1,
        }
    said = dm.read(tmp_path / "a.tsv").roles.described()
    assert ("left out", "an absence (by occurrenceStatus, individualCount)") in said
    assert ("left out", "a geospatial issue (by hasGeospatialIssues, issue)") in said
