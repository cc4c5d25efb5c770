"""Everything that reads what people or strangers wrote, as functions of bytes; each may raise dpmap's own errors only.

`SEEDS` is the corpus: honest inputs and those that once broke something, a few lines each.
"""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import zipfile
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.errors import DpmapError
from dpmap.grid import crs
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.layer_axes import parse_axes, span_of
from dpmap.grid.study_area import read_shapes
from dpmap.ledger import ledger
from dpmap.numbers import decimal_text, epsilon, exact
from dpmap.promise.governance import Governance
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import CapChoice, Consent
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.record.release_file import read_record
from dpmap.steward.planning.tradeoff import epsilon_for, parse_tail
from dpmap.survey.unit_names import members, normalise, strike

PLACE = Path(".")
"""Where the targets may write; `prepare` sets it."""
PIECES = [b"0", b"-1", b"1e999", b"1e-30", b"9" * 400, b"0x" + b"f" * 4000, b"nan", b"inf", b"1/0", b"/", b"e", b"E+", b"_", b"\xd9\xa3", b"\xc2\xb2",
          b"auto:", b":", b",", b"=", b"\0", b"\n", b"\r", b"\t", b"'", b'"', b"\xff", b"\xed\xa0\x80", b"\xe2\x80\x8b", b"\xf0\x9f\xa6\x85", b"\x1b[2J",
          b"[" * 3000, b"{" * 3000, b"(" * 3000, b"null", b"true", b"[]", b"{}", b'""', b"-" * 40, b" " * 300, b"row", b"next", b"+", b"|", b";", b"%", b"deg", b"km",
          b"EPSG:4326", b"+proj=", b"+init=", b"POLYGON((", b"Point", b"9999-12-31", b"0000-00-00", b"2026-02-30", b"..", b"2026-W53"]  # fmt: skip


def text(data):
    """The bytes as text, as a terminal or a file would give them."""
    return data.decode("utf-8", "surrogateescape" if len(data) % 7 == 0 else "replace")


def tried(step, *arguments, **named):
    """The answer, or None where dpmap refuses in one line."""
    try:
        return step(*arguments, **named)
    except DpmapError as error:
        line = str(error)
        assert line
        assert "\n" not in line, line
        assert len(line) < 4000, len(line)
        return None


def numbers(data):
    """What is written for epsilon, cap, budget, shares, tails and consent."""
    words = text(data)
    loss = tried(epsilon, words)
    assert loss is None or (
        Fraction(1, 10**4) <= loss <= 10**9 and exact(decimal_text(loss), name="x") == loss
    )
    tried(exact, words, name="budget", longest=10_000)
    for made in (tried(CapChoice.parse, words), tried(Consent.parse, words)):
        assert made is None or str(made)
    policy = tried(dm.Policy, epsilon="1", unit=words or None, cap=words, consent="a=b")
    assert policy is None or (policy.cap >= 1 and dm.Policy.from_dict(policy.to_dict()) == policy)
    tried(parse_tail, words)
    tried(epsilon_for, 3, error=words, tail="20:1%")


def words(data):
    """What is written for cells, CRS, kinds, times, governance and names."""
    said = text(data)
    tried(parse_cell, said)
    tried(span_of, said)
    tried(parse_axes, [said], said)
    first, _, rest = said.partition("\n")
    made = tried(Governance, first, rest, said[:10], (said[:40],))
    assert made is None or Governance.from_notes({"governance": made.to_dict()}) == made
    Governance.from_notes(
        {"governance": {"authorised_by": first, "labels": [rest, 1], "expires": said}}
    )
    once = normalise(said)
    assert normalise(once) == once
    for team in ("auto", "none", first[:3]):
        people = members(said, team)
        for name in people[:3]:
            assert members(strike(said, name, team), team) == [one for one in people if one != name]


def systems(data):
    """What is written for a CRS; each unknown name is looked up in PROJ's database, which takes a while."""
    tried(crs.text_of, text(data))


def release_file(data):
    """The bytes as a whole release file, and as the document in an honest one."""
    (PLACE / "a.dpmap").write_bytes(data)
    tried(read_record, PLACE / "a.dpmap")
    with (
        zipfile.ZipFile(PLACE / "honest.dpmap") as old,
        zipfile.ZipFile(PLACE / "b.dpmap", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, data if name == "dpmap.json" else old.read(name))
    opened = tried(dm.open, PLACE / "b.dpmap")
    if opened is not None:
        opened.write(PLACE / "privacy.yaml")
        opened.write(PLACE / "statement.md")


def layer(data):
    """The bytes as an area, as districts and as zones."""
    for name in ("a.geojson", "a.gpkg"):
        (PLACE / name).write_bytes(data)
        tried(read_shapes, PLACE / name)
    tried(_asked, PLACE / "a.geojson")


def _asked(zones):
    return dm.open(PLACE / "honest.dpmap").ask(zones)


def ledger_file(data):
    """The bytes as a ledger, spliced into one, and as the body of an event with a right digest."""
    (PLACE / "a.ledger").write_bytes(data)
    _read(PLACE / "a.ledger")
    whole = (PLACE / "honest.ledger").read_bytes()
    at = int.from_bytes(data[:2], "big") % len(whole)
    (PLACE / "b.ledger").write_bytes(whole[:at] + data[2:] + whole[at + len(data) :])
    _read(PLACE / "b.ledger")
    shutil.copy(PLACE / "honest.ledger", PLACE / "c.ledger")
    with closing(sqlite3.connect(PLACE / "c.ledger")) as database:
        ((last, previous),) = database.execute(
            "SELECT number, digest FROM events ORDER BY number DESC LIMIT 1"
        )
        body = data.decode("utf-8", "replace")
        row = (last + 1, body, ledger._digest(previous, last + 1, body))
        database.execute("INSERT INTO events VALUES (?, ?, ?)", row)
        database.commit()
    _read(PLACE / "c.ledger")


def _read(path):
    for leftover in PLACE.glob(f"{path.name}-*"):
        leftover.unlink()
    book = dm.Ledger(path)
    tried(book.events)
    tried(book.balance)
    made = tried(book.reserve, dataset="d", epsilon=Fraction(1, 10), budget=Fraction(1), details={})
    if made is not None:
        assert book.balance()[1] <= book.balance()[0]


def survey_head(data):
    """The bytes as the beginning of surveys of several formats: the header is recognised, or refused."""
    for name in ("a.csv", "a.json", "a.gpx", "a.kml"):
        (PLACE / name).write_bytes(data)
        survey = tried(dm.read, PLACE / name)
        assert survey is None or repr(survey)
    if b"\n" in data:
        tried(
            dm.read, PLACE / "a.csv", unit="row", columns=text(data.split(b"\n")[0]), x="a", y="b"
        )


def config(data):
    """The bytes as a TOML file of flags; nothing is released, as the survey is not there."""
    (PLACE / "a.toml").write_bytes(data)
    command(["release", "no-such-survey.csv", "--out", "out", "--config", "a.toml"])
    command(
        [
            "plan",
            "--config",
            "a.toml",
            "--bounds=0,50,1,51",
            "--shape=2,2",
            "--units=50",
            "--epsilon=1",
            "--cap=1",
            "--json",
        ]
    )


def command(words):
    """Runs the command line: a known exit code, one line at most on stderr, and no failure inside."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    said = err.getvalue()
    assert code in (0, 1, 2, 3), (code, words)
    assert "failed inside" not in said, (said, words)
    assert "Traceback" not in said + out.getvalue(), words
    assert said.count("\n") <= 1, said
    assert code == 0 or said or out.getvalue(), words


VALUES = ["survey.csv", "honest.dpmap", "honest.ledger", "area.geojson", "no-such-file", "out", "", "0,50,1,51", "2,2", "1 km", "50 km", "1", "0.1", "-1", "3",
          "who", "row", "who+who", "auto:0.05", "auto:0.1:1-9", "next", *LIMITERS, *STRATEGY_SPECS, "consent=yes", "who=p1,p2", "d", "EPSG:4326",
          "EPSG:27700", "nonsense", "\x1b[2J", "\u202e", "é", "9" * 50, "1e400", "nan", "a.csv", "a.geojson", "a.md", "a.html", "a.png", "a.tif", "2026-01-01", "2027", "even",
          "decaying", "longitude", "latitude", "20:1%", "drop", "own-unit", "unit", "all", "none", "duckdb", "spark", "inat", "gbif-2", ".", "..", "2GB", "7", "15", "dpmap", "opendp"]  # fmt: skip


def arguments(data):
    """Each byte of the input is a word of a command line: a command, then its flags and values."""
    import typer

    commands = typer.main.get_command(app).commands
    names = sorted(set(commands) - {"demo", "selftest"})
    if not data:
        return command([])
    name = names[data[0] % len(names)]
    flags = sorted(
        flag for one in commands[name].params for flag in one.opts if flag.startswith("--")
    )
    line = [name]
    for byte, value in zip(data[1:40:2], data[2:40:2], strict=False):
        if byte % 4:
            line.append(flags[byte % len(flags)] if flags else "--help")
        line.append(VALUES[value % len(VALUES)])
    shutil.rmtree("out", ignore_errors=True)
    command(line)
    return None


def release_line(data):
    """An honest release line with some of its words replaced, dropped or added."""
    line = ["release", "survey.csv", "--bounds", "0,50,1,51", "--shape", "2,2", "--epsilon", "0.1", "--unit", "who", "--cap", "3", "--dataset", "d", "--budget", "1",
            "--out", "out", "--ledger", "fuzz.ledger", "--strategy", "flat"]  # fmt: skip
    for at, value in zip(data[0:8:2], data[1:8:2], strict=False):
        place = 1 + at % (len(line) - 1)
        if at % 5 == 0:
            del line[place]
        elif at % 5 == 1:
            line.insert(place, VALUES[value % len(VALUES)])
        else:
            line[place] = VALUES[value % len(VALUES)]
    shutil.rmtree("out", ignore_errors=True)
    (PLACE / "fuzz.ledger").unlink(missing_ok=True)
    command(line)


def prepare(folder):
    """The honest files that targets start from, in a folder that becomes the current one."""
    global PLACE
    PLACE = Path(folder)
    os.chdir(folder)
    rows = [f"p{i % 7},yes,{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100}" for i in range(40)]
    Path("survey.csv").write_text("\n".join(["who,consent,longitude,latitude", *rows]) + "\n")
    Path("area.geojson").write_bytes(SEEDS["layer"][0])
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326")
    made = dm.release(dm.read("survey.csv"), grid, dm.Policy(epsilon="0.1", unit="who", cap=3), ledger="honest.ledger",
                      dataset="d", budget="1", strategy="flat")  # fmt: skip
    made.save("honest.dpmap")
    with zipfile.ZipFile("honest.dpmap") as archive:
        SEEDS["release_file"] = [archive.read("dpmap.json"), Path("honest.dpmap").read_bytes()]
    body = {
        "dataset": "d",
        "epsilon": "0.1",
        "kind": "reserve",
        "release": "ab",
        "time": "2026-01-01T00:00:00+00:00",
    }
    plan = {
        "budget": "1",
        "kind": "plan",
        "scheme": "even",
        "shares": ["1/2"],
        "time": "2026-01-01T00:00:00+00:00",
    }
    apart = {
        "datasets": ["d", "e"],
        "kind": "disjoint",
        "signed_by": "A",
        "time": "2026-01-01T00:00:00+00:00",
    }
    SEEDS["ledger_file"] = [json.dumps(one).encode() for one in (body, plan, apart)] + [
        Path("honest.ledger").read_bytes()
    ]


SQUARE = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"a"},"geometry":{"type":"Polygon","coordinates":[[[0,50],[1,50],[1,51],[0,50]]]}}]}'
SEEDS = {
    "numbers": [b"0.1", b"1/3", b"1e-3", b"5", b"auto:0.05:1-30", b"consent=yes,true", b"20:1%", b"who+team"],
    "words": [b"1 km", b"0.1 deg", b"EPSG:27700", b"+proj=utm +zone=30", b"species=a,b", b"2026-01-01..2026-12-31", b"2026", b"Ana Ruiz; Bo Lee", b"Ruiz, A., Lee, B. & Cy", b"Council\nplanning"],
    "systems": [b"EPSG:27700", b"+proj=utm +zone=30", b"OGC:CRS84", b"3\rne=\x9430+e"],
    "release_file": [],
    "layer": [SQUARE.encode(), b'{"type":"Polygon","coordinates":[]}', SQUARE.replace("Polygon", "MultiPolygon").encode()],
    "ledger_file": [],
    "survey_head": [b"who,longitude,latitude\na,0.5,50.5\n", b"gbifID\tdecimalLatitude\tdecimalLongitude\trecordedBy\n1\t50\t0\tAna\n", b'[{"who":"a","longitude":0.5,"latitude":50.5}]',
                    b'{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"who":"a"},"geometry":{"type":"Point","coordinates":[0.5,50.5]}}]}',
                    b'<?xml version="1.0"?><gpx version="1.1"><wpt lat="50" lon="0"><name>a</name></wpt></gpx>', b'<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point><coordinates>0,50</coordinates></Point></Placemark></kml>',
                    b"sep=;\nwho;longitude;latitude\n"],
    "config": [b'cell = "1 km"\nepsilon = 0.5\ncap = 3\nlabel = ["TK A"]\nswap = true\n', b"[table]\na = 1\n", b"epsilon = 1e3\nbudget = inf\nshape = [2, 2]\n"],
    "arguments": [bytes([i, *range(i, 250, 17)]) for i in range(10)],
    "release_line": [b"", bytes(range(8)), bytes(range(100, 108)), bytes(range(200, 208))],
}  # fmt: skip
TARGETS = {name: globals()[name] for name in SEEDS}
