"""`dpmap inspect` says as what it took the file, and how many rows name nobody in which way."""

import dpmap as dm
from dpmap.cli import run

LINES = [
    "wer;lon;lat",
    "Jürgen;8.1;50.1",
    "unbekannt;8.1;50.1",
    "Unknown;8.2;50.2",
    ";8.3;50.3",
    "   ;8.3;50.3",
]


def survey(folder, lines=LINES):
    path = folder / "sichtungen.csv"
    path.write_bytes("\n".join([*lines, ""]).encode("cp1252"))
    return path


def test_the_line_says_kind_encoding_and_separator(tmp_path):
    """What was taken for the file's encoding and separator is said, so that a wrong guess is seen."""
    found = dm.inspect(
        dm.read(
            survey(tmp_path),
            x="lon",
            y="lat",
            crs="EPSG:4326",
            unit="wer",
            encoding="cp1252",
            delimiter=";",
        )
    )
    assert "cp1252" in found.taken_as and found.taken_as.endswith("separator ;")
    assert found.tables()["How it is read"][0] == ("read as", found.taken_as)


def test_blank_names_and_words_for_nobody_are_counted_apart(tmp_path):
    """Rows whose unit is blank and rows that say "unknown" in words are told apart, and together are those left out."""
    found = dm.inspect(
        dm.read(
            survey(tmp_path),
            x="lon",
            y="lat",
            crs="EPSG:4326",
            unit="wer",
            encoding="cp1252",
            delimiter=";",
        )
    )
    assert found.left_out == {"no unit": 4} and found.units == 1
    assert found.nobody == {"blank": 2, "placeholder": 2}
    assert any(
        ": 2 blank, 2 with a word for nobody" in words
        for _, words in found.tables()["What it holds"]
    )


def test_a_survey_in_which_all_rows_name_somebody_says_nothing_of_it(tmp_path):
    """Where no row is left out for its name, nothing is said about blanks and placeholders."""
    path = survey(tmp_path, LINES[:2])
    assert (
        dm.inspect(
            dm.read(
                path,
                x="lon",
                y="lat",
                crs="EPSG:4326",
                unit="wer",
                encoding="cp1252",
                delimiter=";",
            )
        ).nobody
        == {}
    )


def test_the_command_prints_both(tmp_path, capsys):
    """Both lines stand on the operator's screen."""
    assert (
        run(
            [
                "inspect",
                str(survey(tmp_path)),
                "--x",
                "lon",
                "--y",
                "lat",
                "--crs",
                "EPSG:4326",
                "--unit",
                "wer",
                "--encoding",
                "cp1252",
                "--delimiter",
                ";",
            ]
        )
        == 0
    )
    told = " ".join(capsys.readouterr().out.split())
    assert "read as" in told and "separator ;" in told and "2 with a word for nobody" in told
