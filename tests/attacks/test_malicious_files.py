"""Malicious files from strangers: releases, ledgers, GeoPackages and TOML made to harm whoever opens them."""

import json
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from fractions import Fraction

import geopandas as gpd
import pytest
import shapely
from builders import records, surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, DpmapError, Refused
from dpmap.record.release_file import write_record

SECRET = "Zanzibarwitness"


def told(capsys, *arguments):
    """A command's exit code and what it printed; it may say no more than one line on stderr, and never fail inside."""
    capsys.readouterr()
    code = run([str(word) for word in arguments])
    out, err = capsys.readouterr()
    assert err.count("\n") == (code != 0), err
    assert "failed inside" not in err, err
    assert "Traceback" not in out + err
    return code, out, err


# --- ledgers ------------------------------------------------------------------------------------------------------


PLANTED = {
    "a trigger that eats what is spent": ["DROP TRIGGER no_delete", "CREATE TRIGGER eat AFTER INSERT ON events BEGIN DELETE FROM events WHERE number = new.number; END"],
    "a trigger that drops every event": ["CREATE TRIGGER skip BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"],
    "a view in the table's place": ["ALTER TABLE events RENAME TO kept", "CREATE VIEW events AS SELECT * FROM kept", "CREATE TRIGGER skip INSTEAD OF INSERT ON events BEGIN SELECT 1; END"],
    "a table beside it": ["CREATE TABLE notes (words TEXT)"],
    "a question without end": ["CREATE VIEW slow AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"],
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_a_ledger_with_planted_sql_is_refused(tmp_path, planted):
    """Triggers, views and tables that dpmap did not make could swallow what is spent: such a ledger is never used."""
    book = dm.Ledger(tmp_path / "x.ledger")
    book.reserve(dataset="d", epsilon=Fraction(1, 2), budget=Fraction(1), details={})
    with closing(sqlite3.connect(tmp_path / "x.ledger")) as database:
        for statement in PLANTED[planted]:
            database.execute(statement)
        database.commit()
    for act in (
        book.events,
        book.balance,
        lambda: book.reserve(dataset="d", epsilon=Fraction(1, 2), budget=None, details={}),
    ):
        with pytest.raises(Refused, match="did not make"):
            act()


def test_a_ledgers_words_cannot_steer_the_screen(tmp_path, capsys):
    """A ledger rebuilt with terminal codes in its names is shown without them."""
    from dpmap.ledger import ledger

    book = dm.Ledger(tmp_path / "x.ledger")
    book.reserve(dataset="d", epsilon=Fraction(1, 2), budget=Fraction(1), details={})
    with closing(sqlite3.connect(tmp_path / "x.ledger")) as database:
        database.execute("DROP TRIGGER no_update")
        previous = ledger.GENESIS
        for number, text in database.execute("SELECT number, body FROM events").fetchall():
            body = {**json.loads(text), "dataset": "\x1b[2J\x1b]0;pwned\x07", "n\x1b[31m": "\r"}
            text = json.dumps(body, sort_keys=True)
            previous = ledger._digest(previous, number, text)
            database.execute(
                "UPDATE events SET body = ?, digest = ? WHERE number = ?", (text, previous, number)
            )
        database.commit()
    code, out, _ = told(capsys, "ledger", tmp_path / "x.ledger")
    assert code == 0
    assert all(mark.isprintable() or mark == "\n" for mark in out)


def test_a_planted_journal_never_lets_more_be_spent_unnoticed(tmp_path):
    """An old rollback journal put beside a ledger is ignored, or takes it back to a state any later release exposes."""
    book = dm.Ledger(tmp_path / "x.ledger")
    journals = []
    for _ in range(2):
        book.reserve(dataset="d", epsilon=Fraction(1, 10), budget=Fraction(1), details={})
    with closing(sqlite3.connect(tmp_path / "x.ledger", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA cache_spill = 1")
        database.execute("BEGIN IMMEDIATE")
        database.execute(
            "INSERT INTO events SELECT number + 1, body, digest FROM events WHERE number = 3"
        )
        journals += [path.read_bytes() for path in tmp_path.glob("*-journal")]
        database.execute("ROLLBACK")
    last = book.reserve(dataset="d", epsilon=Fraction(1, 10), budget=Fraction(1), details={})
    assert journals
    for journal in (*journals, b"\xd9\xd5\x05\xf9 \xa1c\xd7" + b"\0" * 504, b"garbage"):
        (tmp_path / "x.ledger-journal").write_bytes(journal)
        try:
            left = dm.Ledger(tmp_path / "x.ledger")
            spent = left.balance()[1]
            assert spent == Fraction(3, 10) or len(left.events()) < last.event
            if len(left.events()) < last.event:
                with pytest.raises(Refused):
                    left.attests(event=last.event, head=last.head)
        except Refused:
            pass


# --- releases -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """One honest release file."""
    folder = tmp_path_factory.mktemp("honest")
    surveys.released(surveys.scattered(60), folder, strategy="adaptive").save(folder / "r.dpmap")
    return folder / "r.dpmap"


def forged(released, path, edit):
    """The release with its document edited as text."""
    with zipfile.ZipFile(released) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, edit(content.decode()).encode() if name == "dpmap.json" else content)
    return path


DOCUMENTS = {
    "nested without end": lambda text: '{"notes":' * 50_000 + "1" + "}" * 50_000,
    "lists without end": lambda text: "[" * 200_000,
    "a whole number of a million digits": lambda text: re.sub('"format_version": [0-9]+', '"format_version": ' + "9" * 1_000_000, text),
    "an exponent without end": lambda text: text.replace('"cap": 3', '"cap": "1e999999999"'),
    "a fraction of great numbers": lambda text: text.replace('"epsilon": "1"', '"epsilon": "1/' + "9" * 100_000 + '"'),
    "NaN": lambda text: text.replace('"cap": 3', '"cap": NaN'),
    "one key twice": lambda text: text.replace('"cap": 3', '"cap": 3, "cap": 0'),
    "not UTF-8": lambda text: text.replace("dpmap release", "dpmap \udc80release".encode("utf-8", "surrogatepass").decode("utf-8", "ignore") + "\x00"),
    "a name of terminal codes": lambda text: text.replace('"dataset": "d"', '"dataset": "\\u001b[2J"'),
    "more epsilon measured than promised": lambda text: text.replace('"epsilon": "1"', '"epsilon": "0.05"', 1),
}  # fmt: skip


def test_a_budget_of_many_digits_is_said_as_any_other(released, tmp_path):
    """What a stranger's file claims of a ledger may be as large as a number can be: every page of the folder is made of it all the same."""
    long = "9" * 400
    path = forged(
        released,
        tmp_path / "evil.dpmap",
        lambda text: re.sub('"budget": "[0-9]+"', f'"budget": "{long}"', text),
    )
    opened = dm.open(path)
    assert opened.record.receipt.budget == int(long)
    for name in (
        "attestation.md",
        "attestation.json",
        "attestation.html",
        "for-the-protected.html",
        "for-the-planner.html",
        "for-the-planner.pdf",
        "statement.html",
        "statement.md",
    ):
        opened.write(tmp_path / name)


def test_names_that_are_not_one_for_each_area_are_refused(tmp_path):
    """A text where a list of names has to be, or a name too many, is no grid."""
    record = records.case("areas")[0]
    write_record(record, tmp_path / "r.dpmap")
    with zipfile.ZipFile(tmp_path / "r.dpmap") as archive:
        count = len(json.loads(archive.read("dpmap.json"))["grid"]["names"])
    for names in ("x" * (count + 1), ["x"] * (count + 1), []):

        def edit(text, names=names):
            document = json.loads(text)
            document["grid"]["names"] = names
            return json.dumps(document)

        with pytest.raises(BadInput, match="contradicts itself"):
            dm.open(forged(tmp_path / "r.dpmap", tmp_path / "evil.dpmap", edit))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_malicious_release_is_one_line(released, tmp_path, capsys, document):
    """A forged release file that would hang, crash or flood its reader is bad input in one line, quickly."""
    path = forged(released, tmp_path / "evil.dpmap", DOCUMENTS[document])
    with pytest.raises(BadInput):
        dm.open(path)
    assert told(capsys, "draw", path, "--to", tmp_path / "a.png")[0] == 2
    assert not (tmp_path / "a.png").exists()


def test_a_releases_words_harm_nothing_they_are_written_into(released, tmp_path, capsys):
    """Markup, terminal codes and YAML in a stranger's names stay words in the statement, the register and on the screen."""
    evil = "</td><script>alert(1)</script> - &x !!python/object:os.system [a](javascript:b)"
    path = forged(
        released,
        tmp_path / "evil.dpmap",
        lambda text: text.replace('"dataset": "d"', f'"dataset": "{evil}"'),
    )
    import yaml

    opened = dm.open(path)
    for name in ("statement.md", "privacy.yaml", "map.html"):
        opened.write(tmp_path / name)
    yaml.safe_load((tmp_path / "privacy.yaml").read_text("utf-8"))
    page = (tmp_path / "map.html").read_text("utf-8")
    assert "<script>alert(1)" not in page
    gpd.GeoDataFrame(
        {"name": ["z\x1b[2J"]}, geometry=[shapely.box(0, 50, 1, 51)], crs="EPSG:4326"
    ).to_file(tmp_path / "z.gpkg")
    _, out, _ = told(capsys, "ask", path, tmp_path / "z.gpkg")
    assert "\x1b" not in out


# --- layers -------------------------------------------------------------------------------------------------------


def layer(path, polygons=False):
    """An honest GeoPackage with one layer `it`."""
    shapes = (
        [shapely.box(0, 50, 1, 51)] if polygons else gpd.points_from_xy([0.1, 0.2], [50.1, 50.2])
    )
    gpd.GeoDataFrame(
        {"who": ["p1", "p2"][: len(shapes)]}, geometry=shapes, crs="EPSG:4326"
    ).to_file(path, layer="it")
    return path


def with_sql(path, *statements):
    """The GeoPackage with SQL of a stranger's in it, its own triggers dropped first."""
    with closing(sqlite3.connect(path)) as database:
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


ENDLESS = (
    "ALTER TABLE it RENAME TO real_it",
    "CREATE VIEW it AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT real_it.fid, geom, who FROM real_it, n",
)
WAYS = {
    "survey": lambda path: dm.inspect(dm.read(path, unit="who")),
    "area": lambda path: dm.Grid.covering(path, cell="5 km"),
    "cells": lambda path: dm.Grid.areas(path),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_view_without_end_is_not_run(tmp_path, way):
    """A GeoPackage whose layer is a view, which can compute for ever, is refused wherever layers are read."""
    path = with_sql(layer(tmp_path / "evil.gpkg", polygons=way != "survey"), *ENDLESS)
    with pytest.raises(BadInput, match="view"):
        WAYS[way](path)


def test_zones_that_are_a_view_are_refused(released, tmp_path, capsys):
    """The same for project areas that a stranger sends."""
    path = with_sql(layer(tmp_path / "evil.gpkg", polygons=True), *ENDLESS)
    assert told(capsys, "ask", released, path)[0] == 2


@pytest.mark.parametrize("event", ["INSERT", "UPDATE", "DELETE"])
def test_triggers_in_a_geopackage_never_fire(tmp_path, event):
    """Layers are opened to be read: a stranger's triggers do not run, and the file stays as it was, bit for bit."""
    trigger = f"CREATE TRIGGER evil AFTER {event} ON it BEGIN DELETE FROM it; END"
    path = with_sql(
        layer(tmp_path / "evil.gpkg"),
        trigger,
        "CREATE TRIGGER more AFTER INSERT ON gpkg_contents BEGIN DELETE FROM it; END",
    )
    before = path.read_bytes()
    assert dm.inspect(dm.read(path, unit="who")).units == 2
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["evil.gpkg"]


POINTERS = {
    "area.vrt": "<OGRVRTDataSource><OGRVRTLayer name='it'><SrcDataSource>{}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>",
    "area.gpkg": "<OGRVRTDataSource><OGRVRTLayer name='it'><SrcDataSource>{}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>",
    "area.gdalg.json": '{{"type": "gdal_streamed_alg", "command_line": "gdal vector pipeline ! read {} ! write --of stream streamed"}}',
    "area.xml": "<OGRWFSDataSource><URL>https://smuggled.invalid/{}</URL></OGRWFSDataSource>",
}  # fmt: skip


@pytest.mark.parametrize("name", POINTERS)
def test_areas_that_point_elsewhere_are_refused(released, tmp_path, name, capsys):
    """An area or zones file that would make GDAL read another file, or ask an address, is refused unopened."""
    secret = layer(tmp_path / "secret.gpkg", polygons=True)
    (tmp_path / name).write_text(POINTERS[name].format(secret))
    with pytest.raises(BadInput, match="points at other files"):
        dm.Grid.covering(tmp_path / name, cell="5 km")
    assert told(capsys, "ask", released, tmp_path / name)[0] == 2


def test_a_virtual_table_reads_no_other_file(tmp_path):
    """A GeoPackage that declares a virtual table over another file gets nothing of it."""
    secret = tmp_path / "secret.csv"
    secret.write_text(f"who,longitude,latitude\n{SECRET},0.5,50.5\n")
    path = layer(tmp_path / "evil.gpkg")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA writable_schema = ON")
        words = f"CREATE VIRTUAL TABLE evil USING VirtualOGR('{secret}', 0, 'secret')"
        database.execute(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', 'evil', 'evil', 0, ?)",
            (words,),
        )
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('evil', 'attributes', 'evil', 4326)"
        )
        database.commit()
    for wanted in (None, "evil"):
        try:
            assert dm.inspect(dm.read(path, unit="who", layer=wanted)).units == 2
        except DpmapError as error:
            assert SECRET not in str(error)


# --- TOML ---------------------------------------------------------------------------------------------------------


TOML = {
    "nested without end": "epsilon = " + "[" * 100_000,
    "tables without end": "[" + ".".join(["a"] * 20_000) + "]\nb = 1",
    "a number without end": "cap = " + "9" * 100_000,
    "a hexadecimal number without end": "cap = 0x" + "F" * 100_000,
    "infinity": "epsilon = inf",
    "not a number": "epsilon = nan",
    "a list for a number": "epsilon = [1, 2]",
    "a table for a number": "[epsilon]\nvalue = 1",
    "a date for a number": "cap = 2026-01-01",
    "a switch for a number": "cap = true",
    "a number for a switch": 'swap = "sometimes"',
    "an unknown key": "epsilom = 1",
    "the same key twice": "cap = 1\ncap = 2",
    "a key of terminal codes": '"\\u001b[2J" = 1',
    "a value of terminal codes": 'epsilon = "\\u001b[2J"',
    "its own config": 'config = "evil.toml"',
    "a deep list of labels": "label = [" + "[" * 200 + "]" * 200 + "]",
    "a table for a licence": "[licence]\nname = 'CC-BY-4.0'",
    "a list for a DOI": "doi = ['10.5072/a', '10.5072/b']",
    "a date for a reason": "reason = 2026-01-01",
    "a number for a project": "local-contexts = 71",
    "lists of lists of what was published": "also-published = [" + "[" * 200 + "]" * 200 + "]",
    "a table for a grid": "[grid]\nname = 'eea-10km'",
    "a licence of terminal codes": 'licence = "\\u001b[2J"',
    "a custody of ten thousand letters": "retention = '" + "x" * 10_000 + "'",
    "nothing but NULs": "\0" * 1000,
}


@pytest.mark.parametrize("text", TOML)
def test_a_malicious_config_is_one_line(tmp_path, capsys, text):
    """A TOML file that is deep, huge, of the wrong types or full of unknown keys is bad input in one line; nothing is spent."""
    (tmp_path / "evil.toml").write_text(TOML[text])
    (tmp_path / "survey.csv").write_text("who,longitude,latitude\np1,0.5,50.5\n")
    code, _, err = told(capsys, "release", tmp_path / "survey.csv", "--config", tmp_path / "evil.toml", "--out", tmp_path / "out",
                        "--bounds=0,50,1,51", "--shape=2,2", "--unit=who", "--dataset=d", "--budget=1")  # fmt: skip
    assert code in (2, 3)
    assert "\x1b" not in err
    assert len(err) < 2000
    assert not (tmp_path / "dpmap.ledger").exists()
    assert not (tmp_path / "out").exists()
    shutil.rmtree(tmp_path)
