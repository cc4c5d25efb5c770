"""Secrets planted in every column of a survey turn up nowhere: not in a file, a name, a line, a log or an error.

Canaries are words and coordinates that occur nowhere else. Runs that go well and runs that break at each step are
searched, files also inside: zip entries, decompressed streams, layers, rasters, base64.
"""

import base64
import logging
import os
import subprocess
import sys
import warnings
import zipfile
import zlib
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from builders.planted import BOUNDS, LAT, LON, SHAPE, WORDS, leaks, search_folder, survey_file
from builders.waiting import LONG

import dpmap as dm
from dpmap import cli
from dpmap.steward.release_run import release as make

DEEP = os.environ.get("DPMAP_DEEP") == "1"
FORMATS = ("csv", "parquet", "gpkg", "geoparquet", "geojson")


def arguments(survey: Path, out: Path, *more: str) -> list[str]:
    return ["release", str(survey), "--bounds", BOUNDS, "--shape", SHAPE, "--epsilon", "1", "--unit", "who", "--cap", "2",
            "--consent", "ok=yes", "--dataset", "Canary", "--budget", "100", "--out", str(out), *declared(survey), *more]  # fmt: skip


def declared(survey: Path) -> list[str]:
    """What must be declared of files whose records name their own fields."""
    return (
        ["--format", "geojson", "--columns", "who,ok,notes,species,date"]
        if survey.suffix == ".geojson"
        else []
    )


def chain(error: BaseException | None):
    """An error with all its causes, contexts and grouped errors."""
    seen = []
    pending = [error]
    while pending:
        one = pending.pop()
        if one is None or one in seen:
            continue
        seen.append(one)
        pending += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return seen


def search_error(error: BaseException) -> None:
    for one in chain(error):
        told = f"{type(one).__name__} {one} {one.args!r} {getattr(one, '__notes__', '')} {getattr(one, '__dict__', '')}"
        assert not leaks(told.encode()), (
            f"{type(one).__name__} behind {type(error).__name__} holds {leaks(told.encode())}"
        )


@pytest.mark.parametrize("kind", FORMATS if DEEP else FORMATS[::3])
def test_a_release_from_the_command_line_leaks_nothing(tmp_path, kind):
    """A whole run in a process of its own, with all output files, holds no secret in any of them nor on the screen."""
    survey = survey_file(tmp_path / "in", kind)
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "default", "-c", "from dpmap.cli import main; main()", *arguments(survey, tmp_path / "out")],
                          capture_output=True, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}, timeout=LONG)  # fmt: skip
    assert done.returncode == 0, done.stderr[-400:]
    assert not leaks(done.stdout)
    assert not leaks(done.stderr)
    assert search_folder(tmp_path, but=survey) >= 6


def test_every_export_leaks_nothing(tmp_path, monkeypatch):
    """Each format that a release can be written to is free of secrets, as are its printed forms."""
    survey = survey_file(tmp_path / "in", "csv")
    policy = dm.Policy(epsilon=1, unit="who", cap=2, consent="ok=yes")
    grid = dm.Grid(bounds=(-2, 50, 2, 54), shape=(7, 9), crs="EPSG:4326")
    made = make(
        dm.read(survey), grid, policy, ledger=tmp_path / "l.ledger", dataset="Canary", budget=100
    )
    made.save(tmp_path / "r.dpmap")
    for name in (
        "a.md",
        "a.png",
        "a.svg",
        "a.pdf",
        "a.html",
        "a.gpkg",
        "a.tif",
        "a.geojson",
        "a.parquet",
        "a.csv",
    ):
        made.write(tmp_path / name)
    assert search_folder(tmp_path, but=survey) >= 9
    told = f"{made!r} {made.record!r} {made.measurements!r} {made.grid!r} {policy!r} {made.to_geodataframe()}"
    assert not leaks(told.encode())
    ledger = "".join(str(event) for event in dm.Ledger(tmp_path / "l.ledger").events())
    assert not leaks(ledger.encode())


class Planted(Exception):
    """What a library might raise: an error that quotes the row it failed on."""


def secret_error(kind=Planted):
    return kind(f"could not convert {WORDS['who']} at {LON!r} {LAT!r}: {WORDS['notes']}")


def raising(kind=Planted):
    def broken(*args, **named):
        try:
            raise secret_error(ValueError)
        except ValueError as inner:
            raise secret_error(kind) from inner

    return broken


STAGES = {
    "opening": "dpmap.survey.survey.open_source",
    "reading": "dpmap.survey.read",
    "grid": "dpmap.grid.grid.Grid.__init__",
    "connecting": "duckdb.connect",
    "engine": "dpmap.engines.duckdb.DuckDB.totals",
    "limiter": "dpmap.steward.release_run.capped_totals",
    "totals": "dpmap.engines.engine.PrivateTotals",
    "checking the ledger": "dpmap.ledger.ledger.Ledger.check",
    "reserving": "dpmap.ledger.ledger.Ledger.take",
    "session": "dpmap.vault.session.Session.__init__",
    "noise": "dpmap.vault.mechanism.discrete_laplace",
    "adding": "dpmap.vault.session._region_totals",
    "measuring": "dpmap.vault.session.Session.measure",
    "record": "dpmap.steward.release_run.Record",
    "saving": "dpmap.releases.release.write_record",
    "inferring": "dpmap.inference.tree_estimate.TreeEstimate.__init__",
    "statement": "dpmap.statement.statement.write_statement",
    "picture": "dpmap.render.static.write_picture",
    "page": "dpmap.render.html_page.write_html",
    "export": "dpmap.export.export",
    "telling": "dpmap.cli.release.print_answer",
}
KINDS = (Planted, ValueError, OSError, MemoryError, KeyboardInterrupt, UserWarning)


def run_broken(arguments_given, capfd, caplog):
    """Runs the command line here and searches all it says; the exit code and its lines on stderr."""
    capfd.readouterr()
    with caplog.at_level(logging.DEBUG), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        code = cli.run(arguments_given)
    out, err = capfd.readouterr()
    said = "\n".join([out, err, caplog.text, *(str(w.message) for w in told)])
    assert not leaks(said.encode())
    return code, [line for line in err.splitlines() if line.strip()]


@pytest.mark.parametrize("stage", STAGES)
def test_a_run_that_breaks_at_any_step_says_one_line_without_the_row(
    tmp_path, monkeypatch, capfd, caplog, stage
):
    """Whatever fails, and however much of a row its error quotes, the screen shows one line that quotes nothing."""
    survey = survey_file(tmp_path / "in", "csv")
    for number, kind in enumerate(
        KINDS if DEEP or stage in ("engine", "saving", "picture") else (Planted,)
    ):
        with monkeypatch.context() as patch:
            patch.setattr(STAGES[stage], raising(kind))
            code, lines = run_broken(arguments(survey, tmp_path / f"out{number}"), capfd, caplog)
        assert code in (1, 2, 130)
        assert len(lines) == 1
        assert lines[0].startswith("dpmap: ")
        search_folder(tmp_path, but=survey)
        if stage in ("statement", "picture", "page", "export", "telling"):
            assert dm.open(tmp_path / f"out{number}" / "release.dpmap")


@pytest.mark.parametrize(
    "name",
    [
        "InvalidInputException",
        "ConversionException",
        "OutOfMemoryException",
        "IOException",
        "InternalException",
        "BinderException",
    ],
)
def test_an_engine_error_that_quotes_a_row_is_dropped_whole(tmp_path, monkeypatch, name):
    """In Python too, the error that users, loggers and crash reporters get has no row in it, nor behind it in its chain."""
    import duckdb

    survey = survey_file(tmp_path / "in", "csv")
    monkeypatch.setattr("dpmap.engines.duckdb.check_intended", raising(getattr(duckdb, name)))
    grid = dm.Grid(bounds=(-2, 50, 2, 54), shape=(7, 9), crs="EPSG:4326")
    with pytest.raises(dm.errors.DpmapError) as caught:
        make(
            dm.read(survey),
            grid,
            dm.Policy(epsilon=1, unit="who", cap=2),
            ledger=tmp_path / "l",
            dataset="Canary",
            budget=100,
        )
    search_error(caught.value)


BAD = {
    "text in both coordinates": lambda f: f.write_text(
        "who,ok,lon,lat\n" + f"{WORDS['who']},yes,{WORDS['notes']},{WORDS['species']}\n" * 3
    ),
    "a blank unit": lambda f: f.write_text(f"who,ok,lon,lat\n,yes,{LON},{LAT}\n"),
    "not UTF-8 far in": lambda f: f.write_bytes(
        b"who,ok,lon,lat\n"
        + f"p,yes,{LON},{LAT}\n".encode() * 5000
        + WORDS["who"].encode()
        + b"\xff\xfe,yes,0,51\n"
    ),
    "an unclosed quote": lambda f: f.write_text(
        f'who,ok,lon,lat\n"{WORDS["who"]},yes,{LON},{LAT}\n' + f"{WORDS['notes']},yes,0,51\n" * 100
    ),
    "a NUL": lambda f: f.write_bytes(
        b"who,ok,lon,lat\n" + f"{WORDS['who']}\0,yes,{LON},{LAT}\n".encode()
    ),
    "notes of several lines": lambda f: f.write_text(
        "who,ok,lon,lat,notes\n"
        + f'{WORDS["who"]},yes,0.5,51,"{WORDS["notes"]}\nand {LON}\n"\n' * 3000
    ),
    "an endless line": lambda f: f.write_text("who,ok,lon,lat\n" + WORDS["who"] * 1_000_000 + "\n"),
}


@pytest.mark.matrix(3)
@pytest.mark.parametrize("case", BAD)
def test_broken_tables_are_told_without_their_content(tmp_path, capfd, caplog, case):
    """What is wrong with a broken export is said by column and file, never by value: on the screen and in the error."""
    survey = tmp_path / "survey.csv"
    BAD[case](survey)
    code, lines = run_broken(arguments(survey, tmp_path / "out"), capfd, caplog)
    assert code in (0, 2)
    assert len(lines) == (code != 0)
    search_folder(tmp_path, but=survey)
    try:
        totals = make(dm.read(survey), dm.Grid(bounds=(-2, 50, 2, 54), shape=(7, 9), crs="EPSG:4326"),
                            dm.Policy(epsilon=1, unit="who", cap=2), ledger=tmp_path / "l.ledger", dataset="Canary", budget=100)  # fmt: skip
    except dm.errors.DpmapError as error:
        search_error(error)
    else:
        assert not leaks(repr(totals).encode())


@pytest.mark.matrix(2)
@pytest.mark.parametrize("declared", ["INTEGER", "DATE", "DATETIME", "REAL", "BOOLEAN"])
def test_a_layer_whose_values_break_their_columns_type_is_read_in_silence(
    tmp_path, capfd, caplog, declared
):
    """A GeoPackage that holds words in a number or date column makes GDAL complain; the complaint quotes the word."""
    import sqlite3

    layer = gpd.GeoDataFrame(
        {"who": ["p1", "p2", "p3"], "ok": ["yes"] * 3},
        geometry=gpd.points_from_xy([0.1, 0.2, LON], [51, 51, LAT]),
        crs="EPSG:4326",
    )
    layer.to_file(tmp_path / "survey.gpkg", layer="survey")
    with sqlite3.connect(tmp_path / "survey.gpkg") as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            'UPDATE sqlite_master SET sql = replace(sql, \'"who" TEXT\', \'"who" '
            + declared
            + "') WHERE name = 'survey'"
        )
        database.execute("DROP TRIGGER IF EXISTS trigger_insert_feature_count_survey")
    with sqlite3.connect(tmp_path / "survey.gpkg") as database:
        for trigger in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{trigger[0]}"')
        database.execute("UPDATE survey SET who = ?", (WORDS["who"],))
    code, lines = run_broken(arguments(tmp_path / "survey.gpkg", tmp_path / "out"), capfd, caplog)
    assert code in (0, 2)
    assert len(lines) == (code != 0)
    search_folder(tmp_path, but=tmp_path / "survey.gpkg")


@pytest.mark.parametrize("kind", ["gpkg", "parquet", "geoparquet", "geojson"])
def test_truncated_files_are_told_without_their_content(tmp_path, capfd, caplog, kind):
    """A file cut short at any place gives one line and the right exit code, and quotes nothing of what it held."""
    whole = survey_file(tmp_path / "in", kind).read_bytes()
    for number, share in enumerate((0.2, 0.6, 0.97)):
        survey = tmp_path / f"survey.{'parquet' if kind == 'geoparquet' else kind}"
        survey.write_bytes(whole[: int(len(whole) * share)])
        code, lines = run_broken(arguments(survey, tmp_path / f"out{number}"), capfd, caplog)
        assert code in (0, 2)
        assert len(lines) == (code != 0)


def test_the_search_finds_what_is_planted(tmp_path):
    """The search itself works: a secret in a zip entry, a compressed stream, base64 or a raster is found."""
    secret = WORDS["who"].encode()
    plain = tmp_path / "elsewhere"
    for content in (
        secret,
        zlib.compress(b"x" * 500 + secret),
        base64.b64encode(b"y" * 300 + secret),
        np.array([0.0, LON]).tobytes(),
        np.array([LAT], dtype="<f4").tobytes(),
    ):
        plain.write_bytes(b"head" + content)
        with pytest.raises(AssertionError):
            search_folder(tmp_path, but=tmp_path / "none")
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"z" * 100 + secret)
    with pytest.raises(AssertionError):
        search_folder(tmp_path, but=tmp_path / "none")
