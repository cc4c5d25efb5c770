"""Rows that a format itself marks as absent or misplaced are left out, each by its own words and by a rule that is stated."""

import pytest
from fixtures import delimited

import dpmap as dm

COLUMNS = ["gbifID", "decimalLatitude", "decimalLongitude", "recordedBy", "occurrenceStatus", "individualCount", "issue", "hasGeospatialIssues"]  # fmt: skip


def left_out(folder, rows, **options):
    """Why rows are left out of a GBIF table, and how many."""
    place = {"decimalLatitude": 56.1, "decimalLongitude": -3.1, "recordedBy": "Ana Ruiz"}
    path = delimited(folder / "a.tsv", COLUMNS, [{"gbifID": at, **place, **row} for at, row in enumerate(rows)], "\t")
    return dm.inspect(dm.read(path, **options)).left_out


@pytest.mark.parametrize("count", ["0", "00", "0.0", "0,0", " 0 ", "0."])
def test_a_plain_count_of_none_is_an_absence(count, tmp_path):
    """Whoever counted none reports that nothing was there."""
    assert left_out(tmp_path, [{"individualCount": count}]) == {"an absence": 1}


@pytest.mark.parametrize("count", ["", "--", "X", "10", "0.5", "0-5", "<10", "NA", "-0", "none", "0 adults"])
def test_any_other_count_is_none(count, tmp_path):
    """A count that is missing or unclear does not make an absence."""
    assert left_out(tmp_path, [{"individualCount": count}]) == {}


@pytest.mark.parametrize("status", ["absent", "ABSENT", " Absent ", "absence", "ausente", "ausência", "0", "false"])
def test_absent_in_other_words(status, tmp_path):
    """Absences are known in the words that exports write."""
    assert left_out(tmp_path, [{"occurrenceStatus": status}]) == {"an absence": 1}


@pytest.mark.parametrize("status", ["present", "", "excluded", "doubtful", "not absent", "1"])
def test_other_status_counts(status, tmp_path):
    """Nothing but an absence is taken for one."""
    assert left_out(tmp_path, [{"occurrenceStatus": status}]) == {}


@pytest.mark.parametrize(("issue", "flag", "counts"), [
    ("ZERO_COORDINATE", "", False), ("COORDINATE_OUT_OF_RANGE", "", False), ("A_B;COORDINATE_INVALID;C", "", False), ("country_coordinate_mismatch", "", False),
    ("['COORDINATE_ROUNDED', 'COUNTRY_COORDINATE_MISMATCH']", "", False), ("", "TRUE", False), ("", "t", False),
    ("COORDINATE_ROUNDED;GEODETIC_DATUM_INVALID", "false", True), ("COORDINATE_INVALID_NOT", "", True), ("", "", True), ("PRESUMED_NEGATED_LONGITUDE", "", True),
])  # fmt: skip
def test_what_gbif_takes_off_its_maps_is_left_out(issue, flag, counts, tmp_path):
    """The four issues by which GBIF flags a place, or the flag: a simple and a full download count the same rows."""
    told = left_out(tmp_path, [{"issue": issue, "hasGeospatialIssues": flag}])
    assert told == ({} if counts else {"a geospatial issue": 1})


def test_these_are_no_signals_of_obscuring(tmp_path):
    """Whatever `signals` says, an absence is no sighting and a wrong place no place; the statement's words name both columns."""
    rows = [{"individualCount": "0"}, {"hasGeospatialIssues": "true"}, {}]
    for signals in ("all", "wishes", "none"):
        assert left_out(tmp_path, rows, signals=signals) == {"an absence": 1, "a geospatial issue": 1}
    said = dm.read(tmp_path / "a.tsv").roles.described()
    assert ("left out", "an absence (by occurrenceStatus, individualCount)") in said
    assert ("left out", "a geospatial issue (by hasGeospatialIssues, issue)") in said
