"""Surveys in a real PostgreSQL with PostGIS: the same totals as from a file, nothing written, no password shown."""

import csv
import sys
import tomllib

import pytest
from builders.postgres import server
from fixtures import FIXTURES
from survey_totals import points, totals

import dpmap as dm
from dpmap.cli import run
from dpmap.engines.duckdb import RowTable
from dpmap.errors import BadInput, MissingExtra, SystemFailed

GRID = dm.Grid(bounds=(-10, 49, 3, 61), shape=(120, 130), crs="EPSG:4326")
PEOPLE = [
    ("Ana Ruiz", -3.55, 56.15),
    ("ana ruiz", -3.45, 56.25),
    ("Bo Lee", -3.35, 56.35),
    ("n/a", -3.25, 56.45),
    (None, -3, 56),
]

SECRET = "Zanzibarwitness"


@pytest.fixture(scope="module")
def database():
    with server() as running:
        rows = ", ".join(
            f"({'NULL' if who is None else repr(who)}, {x}, {y})" for who, x, y in PEOPLE
        )
        running.run(
            "CREATE SCHEMA raptors",
            "CREATE TABLE sightings (who text, longitude float8, latitude float8)",
            f"INSERT INTO sightings VALUES {rows}",
            "CREATE TABLE raptors.nests (who text, geom geometry(Point, 27700))",
            "INSERT INTO raptors.nests SELECT who, ST_Transform(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 27700) FROM sightings",
            "CREATE ROLE guarded LOGIN PASSWORD 'Swordfish'", "CREATE ROLE stranger LOGIN",
            "GRANT SELECT ON sightings TO guarded", "CREATE SEQUENCE counter",
            "CREATE TABLE secrets (who text, x text, y float8)", f"INSERT INTO secrets VALUES ('{SECRET}', '{SECRET}', 56)",
        )  # fmt: skip
        yield running


def policy(unit="who", **more):
    return dm.Policy(epsilon=1, unit=unit, cap=20, **more)


def expected(database):
    """The totals of `sightings`, which every other way of storing it must give."""
    return totals(dm.read(database.url(), table="sightings"), GRID, policy())


@pytest.mark.parametrize("fixture", [f for f in FIXTURES if f.key in ("gbif-tab", "ebird", "inaturalist", "movebank", "nbn")],
                         ids=lambda f: f.key)  # fmt: skip
def test_a_table_reads_as_its_file(database, tmp_path, fixture):
    """A known format copied into a table is recognised by its columns, with the same rows used and left out."""
    path = fixture.make(tmp_path)
    mark = "\t" if b"\t" in path.read_bytes()[:200] else ","
    with open(path, encoding="utf-8-sig", newline="") as lines:
        quoting = csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL
        columns, *rows = csv.reader(lines, delimiter=mark, quoting=quoting)
    database.load(
        f"copied_{fixture.key[:4]}", [column.lower() or "more" for column in columns], rows
    )
    survey = dm.read(database.url(), table=f"copied_{fixture.key[:4]}", **fixture.read)
    assert survey.roles.format == fixture.title
    found = dm.inspect(survey)
    assert (found.usable, found.left_out, found.units) == (
        fixture.usable,
        fixture.left_out,
        fixture.units,
    )


def test_geometry_of_postgis_needs_no_flags(database):
    """A geometry column knows its CRS by its SRID; the totals are those of longitude and latitude."""
    nests = dm.read(database.url(), table="raptors.nests")
    assert (nests.roles.crs, nests.roles.geometry, nests.columns) == (
        "EPSG:27700",
        "geom",
        ("who", "geom"),
    )
    assert totals(nests, GRID, policy()) == expected(database)
    database.run("CREATE VIEW raptors.seen AS SELECT who, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography AS spot FROM sightings")  # fmt: skip
    for asked in ({"table": "raptors.seen"}, {"query": "SELECT * FROM raptors.nests"}, {"query": "TABLE raptors.seen"},
                  {"query": "SELECT who, ST_Transform(geom, 3857) FROM raptors.nests -- on the web\n;"}):  # fmt: skip
        assert totals(dm.read(database.url(), **asked), GRID, policy()) == expected(database)


def test_each_row_may_name_its_own_srid(database):
    """Where a geometry column declares no SRID each row's own holds; a row with none is in --crs, or has no place."""
    database.run(
        "CREATE TABLE mixed (who text, spot geometry)",
        "INSERT INTO mixed SELECT who, ST_Transform(geom, srid) FROM raptors.nests CROSS JOIN (VALUES (4326), (3857)) AS s (srid)",
        "INSERT INTO mixed SELECT who, ST_SetSRID(ST_Transform(geom, 4326), 0) FROM raptors.nests",
        "INSERT INTO mixed VALUES ('Ana Ruiz', NULL), ('Ana Ruiz', 'SRID=4326;POINT EMPTY'), ('Ana Ruiz', 'SRID=4326;LINESTRING(0 50, 1 51)')",
    )  # fmt: skip
    once = sum(expected(database).values()) / policy().lattice
    assert points(dm.read(database.url(), table="mixed"), GRID, policy()) == 2 * once
    survey = dm.read(database.url(), table="mixed", crs="EPSG:4326")
    assert points(survey, GRID, policy()) == 3 * once
    assert (
        "each row in the CRS of its SRID, else EPSG:4326" in dict(survey.roles.described())["place"]
    )
    with pytest.raises(BadInput, match="no row of 'spot' holds a coordinate"):
        points(
            dm.read(database.url(), query="SELECT * FROM mixed WHERE ST_SRID(spot) = 0"),
            GRID,
            policy(),
        )


def test_postgis_may_live_off_the_search_path(database):
    """PostGIS in a schema of its own, as hosts install it, and a CRS of the steward's own in its table."""
    database.run("CREATE DATABASE elsewhere")
    database.run(
        'CREATE SCHEMA "Ex tensions"', 'CREATE EXTENSION postgis SCHEMA "Ex tensions"',
        """INSERT INTO "Ex tensions".spatial_ref_sys SELECT 990001, 'us', 1, srtext, proj4text FROM "Ex tensions".spatial_ref_sys WHERE srid = 27700""",
        'CREATE TABLE "Odd Name" ("The Who" text, "Geom" "Ex tensions".geometry(Point, 990001))',
        """INSERT INTO "Odd Name" SELECT 'Ana Ruiz', 'SRID=990001;POINT(307000 700000)'""", database="elsewhere",
    )  # fmt: skip
    for asked in (
        {"table": "Odd Name"},
        {"table": 'public."Odd Name"'},
        {"query": 'SELECT * FROM "Odd Name"'},
    ):
        assert points(dm.read(database.url("elsewhere"), **asked), GRID, policy("The Who")) == 1


def test_columns_of_every_type_read_as_text_would(database):
    """Numbers, dates, arrays, identifiers, JSON and booleans play the parts that their text would."""
    database.run(
        "CREATE TYPE answer AS ENUM ('yes', 'no')",
        "CREATE TABLE typed (id uuid DEFAULT gen_random_uuid(), team text[], ok boolean, said answer, day date, at timestamptz, "
        "x numeric(9, 4), y real, n smallint, more jsonb, photo bytea, code char(8), spot point, span interval)",
        "INSERT INTO typed (team, ok, said, day, at, x, y, n, more, code) VALUES "
        "('{Ana Ruiz,Bo Lee}', true, 'yes', '2026-05-01', now(), -3.5, 56.1, 3, '{\"a\": 1}', 'K1'), "
        "('{Cy Dee}', false, 'no', '2026-05-02', now(), -3.5, 56.1, 1, NULL, 'K2'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    )  # fmt: skip
    where = dict(table="typed", x="x", y="y", crs="EPSG:4326")
    survey = dm.read(database.url(), **where, team="|", count="n", max_count=5)
    assert points(survey, GRID, policy("team")) == 3 + 3 + 1
    assert points(survey, GRID, policy("team", consent="ok=true")) == 3 + 3
    for unit, units in (
        ("id", 2),
        ("said", 2),
        ("day", 2),
        ("at", 1),
        ("code", 2),
        ("more", 1),
        ("ok", 2),
        ("y", 1),
    ):
        assert dm.inspect(dm.read(database.url(), **where, unit=unit)).units == units


def test_one_reading_is_of_one_moment(database, monkeypatch):
    """A survey that must be read twice is read as it was at first, whoever changes it in between."""
    database.run(
        "CREATE TABLE asked AS SELECT who, longitude, latitude, 'yes' AS ok FROM sightings",
        "INSERT INTO asked VALUES ('Bo Lee', 0, 0, 'no')",
    )
    survey = dm.read(database.url(), table="asked", consent_by="unit")
    before = totals(survey, GRID, policy(consent="ok=yes"))
    withdraw = RowTable._withdraw

    def meanwhile(rows):
        database.run("UPDATE asked SET ok = 'yes'")
        withdraw(rows)

    monkeypatch.setattr(RowTable, "_withdraw", meanwhile)
    assert totals(survey, GRID, policy(consent="ok=yes")) == before
    monkeypatch.undo()
    assert totals(survey, GRID, policy(consent="ok=yes")) != before


def test_from_inspect_to_release(database, tmp_path, monkeypatch, capsys):
    """`inspect`, `init` and `release` take a database where they take a file; its ledger must be named."""
    monkeypatch.chdir(tmp_path)
    asked = [database.url(), "--table=raptors.nests"]
    assert run(["inspect", *asked, "--unit=who"]) == 0
    assert run(["init", *asked]) == 0
    settings = tomllib.loads((tmp_path / "dpmap.toml").read_text())
    assert settings["table"] == "raptors.nests"
    flags = ["--config=dpmap.toml", "--bounds=-5,55,0,58", "--shape=10,10", "--epsilon=1", "--cap=2", "--dataset=Kites",
             "--budget=3", "--unit=who", f"--out={tmp_path / 'out'}"]  # fmt: skip
    assert run(["release", database.url(), *flags]) == 3
    assert "--ledger" in capsys.readouterr().err
    assert run(["release", database.url(), *flags, f"--ledger={tmp_path / 'kites.ledger'}"]) == 0
    assert (tmp_path / "out" / "release.dpmap").exists()
    assert run(["release", *asked, "--query=SELECT 1", *flags, "--ledger=kites.ledger"]) == 2


def test_a_password_comes_from_the_environment_and_is_shown_nowhere(
    database, tmp_path, monkeypatch, capfd
):
    """PGPASSWORD and .pgpass open a guarded database; a password in the address is refused; none is in any word or file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PGPASSWORD", raising=False)
    guarded = database.url(user="guarded")
    flags = ["--table=sightings", "--bounds=-5,55,0,58", "--shape=10,10", "--epsilon=1", "--cap=2", "--dataset=Kites",
             "--budget=3", "--unit=who", f"--ledger={tmp_path / 'kites.ledger'}"]  # fmt: skip
    assert run(["release", guarded, *flags, "--out=none"]) == 1
    assert "PGPASSWORD or ~/.pgpass" in capfd.readouterr().err
    monkeypatch.setenv("PGPASSWORD", "Swordfish")
    assert run(["release", guarded, *flags, "--out=first"]) == 0
    assert run(["init", guarded, "--table=sightings"]) == 0
    monkeypatch.delenv("PGPASSWORD")
    passes = tmp_path / ".pgpass"
    passes.write_text("127.0.0.1:*:*:guarded:Swordfish\n")
    passes.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passes))
    assert run(["release", guarded, *flags, "--out=second"]) == 0
    passes.unlink()
    inside = f"postgresql://guarded:Swordfish@127.0.0.1:{database.port}/postgres"
    for address in (
        inside,
        database.url(more="?pass%77ord=Swordfish"),
        inside.replace("postgresql", "mysql"),
        inside[:12] + inside[13:],
    ):
        assert run(["inspect", address, "--table=sightings"]) == 2
        assert run(["init", address, "--out=more.toml"]) == 2
    assert "Swordfish" not in "".join(capfd.readouterr())
    assert not any(
        b"Swordfish" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()
    )


@pytest.mark.parametrize(("asked", "kind", "words"), [
    ({"table": "nothing"}, BadInput, "no such table; the database has .*sightings"),
    ({}, BadInput, "add table=NAME .*raptors.nests.*query"),
    ({"query": "SELECT * FROM nothing"}, BadInput, "not there"),
    ({"query": "SELEC who"}, BadInput, "one SELECT"),
    ({"query": " ;"}, BadInput, "it is empty"),
    ({"query": f"SELECT '{SECRET}'::int"}, BadInput, "fails on some of the rows"),
    ({"query": "DELETE FROM sightings"}, BadInput, "one SELECT"),
    ({"query": "SELECT 1; DELETE FROM sightings"}, BadInput, "one SELECT"),
    ({"query": "SELECT 1) AS a; DELETE FROM sightings; --"}, BadInput, "one SELECT"),
    ({"query": "WITH gone AS (DELETE FROM sightings RETURNING *) SELECT * FROM gone"}, BadInput, "one SELECT"),
    ({"query": "SELECT setval('counter', 9) AS longitude, 1 AS latitude"}, BadInput, "would have to write"),
    ({"query": "SELECT x::float AS longitude, y AS latitude FROM secrets"}, BadInput, "fails on some of the rows"),
    ({"query": "SELECT pg_terminate_backend(pg_backend_pid()) AS longitude, 1 AS latitude"}, SystemFailed, "broke off"),
    ({"query": "SELECT geom, ST_Centroid(geom) AS c FROM raptors.nests"}, BadInput, r"several columns hold geometry \(geom, c\)"),
    ({"table": "sightings", "layer": "x"}, BadInput, "layer: it is for files"),
    ({"table": "sightings", "who": "stranger"}, SystemFailed, "grant SELECT"),
    ({"table": "sightings", "who": "nobody_at_all"}, SystemFailed, "no connection"),
])  # fmt: skip
def test_what_the_server_refuses_is_one_line(database, asked, kind, words):
    """Each failure says what to do in one line, without a value, the address or the server's own words; nothing is written."""
    who = asked.pop("who", "steward")
    with pytest.raises(kind, match=words) as caught:
        dm.inspect(dm.read(database.url(user=who), **asked, unit="row"))
    asked["who"] = who
    assert caught.value.__context__ is None
    assert SECRET not in str(caught.value)
    assert str(database.port) not in str(caught.value)
    assert expected(database)
    database.run(
        "DO $$ BEGIN ASSERT (SELECT count(*) = 5 FROM sightings) AND (SELECT NOT is_called FROM counter); END $$"
    )


def test_no_server_and_no_driver_are_one_line(monkeypatch):
    """An address that nobody answers, and a missing driver, are told in one line; other addresses are no files."""
    with pytest.raises(SystemFailed, match="no connection"):
        dm.read("postgresql://ana@127.0.0.1:1/nests", table="nests")
    with pytest.raises(BadInput, match="only PostgreSQL's"):
        dm.read("mysql://ana@127.0.0.1/nests", table="nests")
    with pytest.raises(BadInput, match="table: it is for databases"):
        dm.read("nests.csv", table="nests")
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", None)
    with pytest.raises(MissingExtra, match='pip install "adbc-driver-manager>='):
        dm.read("postgresql://ana@127.0.0.1:1/nests", table="nests")
