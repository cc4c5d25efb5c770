"""What `init` and `release` say last, in a line."""

import tomllib

import pytest

from dpmap.cli import run

SAMPLES = "data_samples/raptors.csv"


def _init(tmp_path, capsys, *flags):
    code = run(["init", SAMPLES, "--out", str(tmp_path / "d.toml"), *flags])
    return code, capsys.readouterr()


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        (["--bounds", "-3,40,0,42"], "shape"),
        (["--shape", "20,20"], "bounds"),
        (["--bounds", "200000,4500000,300000,4600000", "--shape", "20,20"], "grid-crs"),
    ],
)
def test_init_names_what_bounds_still_need(tmp_path, capsys, flags, missing):
    """A grid by its bounds is not called complete where `release` would refuse it, and the file has the line to fill in."""
    code, told = _init(tmp_path, capsys, *flags)
    text = (tmp_path / "d.toml").read_text("utf-8")
    assert code == 0 and f", {missing}" in told.out and f"# {missing} = " in text
    assert "# area" not in text and tomllib.loads(text)


def test_init_says_that_a_cell_does_not_stand_beside_bounds(tmp_path, capsys):
    """Where `release` would refuse a cell beside bounds, `init` says what is missing and what to take out."""
    code, told = _init(tmp_path, capsys, "--bounds", "-3,40,0,42", "--cell", "5 km")
    assert code == 0 and ", shape, then: " in told.out and "take cell out of " in told.out


def test_a_release_says_which_file_to_open_first(tmp_path, capsys):
    """The last lines name the map and the statement, and what to print for the board and for whoever is in the survey."""
    words = ["release", SAMPLES, "--area", "data_samples/study_area.gpkg", "--cell", "20 km", "--unit", "observer_id", "--cap", "5",
             "--epsilon", "0.5", "--budget", "3", "--dataset", "d", "--ledger", str(tmp_path / "l"), "--out", str(tmp_path / "made")]  # fmt: skip
    assert run(words) == 0
    first, printed = capsys.readouterr().out.splitlines()[-2:]
    assert first.startswith(f"open {tmp_path / 'made' / 'map.html'} first")
    assert str(tmp_path / "made" / "statement.md") in first
    assert (
        str(tmp_path / "made" / "attestation.html") in printed
        and "for-the-protected.html" in printed
    )
