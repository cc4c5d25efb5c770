"""FILE `-`: rows that come through a pipe are read as the file would be, or refused before anything is spent."""

import gzip
import io
import json
import random
import tempfile
import tomllib
import zlib

import pytest

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, SystemFailed
from dpmap.releases.release import Release
from dpmap.statement.attestation.writers import markdown
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.survey.files.piped_rows import NAME, keep_stream

ROWS = (
    "\n".join(
        [
            "who,longitude,latitude,ok",
            *(f"p{i % 7},{i % 10 / 10},{50 + i % 9 / 10},yes" for i in range(60)),
        ]
    )
    + "\n"
)
FLAGS = [
    "--bounds",
    "0,50,1,51",
    "--shape",
    "4,5",
    "--epsilon",
    "0.1",
    "--unit",
    "who",
    "--cap",
    "3",
    "--dataset",
    "d",
    "--budget",
    "1",
]
LEFT = "the promise is about the rows that were left"


class Pipe:
    """Stands where standard input is: what another program writes, or a terminal."""

    def __init__(self, content=b"", terminal=False):
        self.buffer, self.terminal = io.BytesIO(content), terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def piped(tmp_path, monkeypatch, capsys):
    """Runs a command with bytes on its standard input: exit code, stdout, stderr. Nothing may be left in the temporary folder."""
    (temp := tmp_path / "temp").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(temp))
    real = Release.write

    def write(self, path):
        if path.suffix in (".md", ".yaml"):
            return real(self, path)
        path.write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", write)

    def call(content, *words):
        monkeypatch.setattr(
            "sys.stdin", content if isinstance(content, Pipe) or content is None else Pipe(content)
        )
        capsys.readouterr()
        code = run(list(words))
        told = capsys.readouterr()
        assert not list(temp.iterdir())
        assert str(temp) not in told.out + told.err and told.err.count("\n") <= 1
        return code, told.out, told.err

    return call


def released(piped, content, *more):
    return piped(content, "release", "-", "--ledger", "d.ledger", "--out", "out", *FLAGS, *more)


def test_a_survey_through_a_pipe_is_released(piped, tmp_path):
    """Rows on standard input make a release like those of a file, and the statement says that they came through a pipe."""
    code, out, err = released(piped, gzip.compress(ROWS.encode()))
    assert code == 0, err
    assert (
        "spent epsilon 0.1" in out
        and "read from: a pipe: the promise is about its rows as they came" in out
    )
    told = (tmp_path / "out" / "statement.md").read_text()
    assert "`a pipe`, and who or what chose them is not declared: " + LEFT in told
    assert str(tmp_path) not in told and "temp" not in json.dumps(
        dm.open("out/release.dpmap").record.about.to_dict()
    )


def test_it_is_read_as_the_file_would_be(piped, tmp_path):
    """Whatever the rows hold, through a pipe the same of them count as from a file."""
    odd = ROWS + 'p1,0.5,50.5,"a ""quote"", and no end\n\0,p2;;\n\xff,0.5,50.5\r\np9,0.5,50.5,no\n'
    texts = {
        "plain.csv": ROWS.encode(),
        "odd.csv": odd.encode("latin-1"),
        "mark.csv": b"\xef\xbb\xbf" + ROWS.encode(),
    }
    texts |= {
        "hiding.csv": ROWS.encode() + b'p1,0.5,50.5,"a\np2,0.5,50.5,yes\n"\n',
        "headless.csv": b"1,2,3\n4,5,6\n",
    }
    for name, content in texts.items():
        (tmp_path / name).write_bytes(content)
        flags = ["--unit", "who", "--consent", "ok=yes", "--json"]
        code, out, err = piped(gzip.compress(content), "inspect", "-", *flags)
        file = piped(b"", "inspect", name, *flags)
        assert (code, err) == (file[0], file[2].replace(name, NAME))
        came, stood = json.loads(out or "{}"), json.loads(file[1].replace(name, NAME) or "{}")
        came["roles"] = [line for line in came.get("roles", []) if line[0] != "read from"]
        assert came == {"roles": [], **stood}, name  # an error too


def test_what_is_kept_is_what_was_packed(tmp_path):
    """The file that is read is the one that was packed, byte for byte, however it was packed and in whatever pieces it came."""
    drawn = random.Random(1)

    class Slow(io.BytesIO):
        def read(self, most=-1):
            return super().read(drawn.randint(1, 1 + most // 97))

    for turn in range(40):
        content = drawn.randbytes(drawn.choice([0, 1, 100, 70_000])) * drawn.choice([1, 1, 50])
        (place := tmp_path / str(turn)).mkdir()
        path = keep_stream(Slow(gzip.compress(content, drawn.randint(0, 9))), place)
        assert (place / NAME).read_bytes() == content and path == str(place / NAME)


@pytest.mark.parametrize("kind", ["geojson", "layer", "parquet", "workbook", "zip"])
def test_other_formats_come_packed_too(piped, tmp_path, kind):
    """What dpmap reads from a file it reads from a pipe, once it is packed with gzip."""
    import geopandas
    import pandas
    import shapely

    table = pandas.DataFrame(
        {"who": ["a", "b"] * 9, "longitude": [0.5] * 18, "latitude": [50.5] * 18}
    )
    layer = geopandas.GeoDataFrame(
        table[["who"]], geometry=shapely.points([[0.5, 50.5]] * 18), crs="EPSG:4326"
    )
    flags = []
    if kind == "geojson":
        layer.to_file(path := tmp_path / "a.geojson")
        flags = ["--format", "geojson.gz", "--columns", "who"]
    elif kind == "layer":
        layer.to_file(path := tmp_path / "a.gpkg")
    elif kind == "parquet":
        table.to_parquet(path := tmp_path / "a.parquet")
    elif kind == "workbook":
        from builders import workbooks

        path = tmp_path / "a.xlsx"
        workbooks.xlsx(
            path,
            {"one": [["who", "longitude", "latitude"], *([who, 0.5, 50.5] for who in "ab" * 9)]},
        )
    else:
        import zipfile

        with zipfile.ZipFile(path := tmp_path / "a.zip", "w") as archive:
            archive.writestr("a.csv", ROWS)
    code, _, err = released(piped, gzip.compress(path.read_bytes()), *flags)
    assert code == 0, err
    assert "`a pipe`" in (tmp_path / "out" / "statement.md").read_text()


def broken():
    """Streams that are not one whole gzip stream, with words of the refusal of each."""
    packed = gzip.compress(ROWS.encode())
    return {
        "not packed": (ROWS.encode(), "is not packed with gzip"),
        "packed otherwise": (zlib.compress(ROWS.encode()), "is not packed with gzip"),
        "empty": (b"", "holds nothing"),
        "without its end": (packed[:-8], "breaks off before gzip's own end"),
        "without its last byte": (packed[:-1], "breaks off before gzip's own end"),
        "half": (packed[: len(packed) // 2], "breaks off before gzip's own end"),
        "its first byte": (packed[:1], "breaks off before gzip's own end"),
        "more behind it": (packed + b"\0" * 9, "goes on behind gzip's own end"),
        "two streams": (packed + packed, "holds several gzip streams"),
        "two, the last cut": (packed + packed[:-3], "holds several gzip streams"),
        "a damaged byte": (
            packed[:60] + bytes([packed[60] ^ 1]) + packed[61:],
            "is damaged inside",
        ),
        "another checksum": (packed[:-8] + b"\0\0\0\0" + packed[-4:], "is damaged inside"),
        "another length": (packed[:-4] + b"\0\0\0\0", "is damaged inside"),
        "a bomb": (gzip.compress(bytes(80 << 20), 9), "unpacks to more than 200 times its size"),
        "nothing packed": (gzip.compress(b""), "is empty"),
        "no table": (gzip.compress(b"\0\0\0\0\n"), "standard input"),
    }


@pytest.mark.parametrize("how", broken())
def test_what_is_not_whole_is_refused_before_anything_is_spent(piped, tmp_path, how):
    """A stream that is cut short, damaged or not packed is one line and exit code 2, and no ledger is begun."""
    content, words = broken()[how]
    code, _, err = released(piped, content)
    assert code == 2 and words in err, err
    assert not (tmp_path / "d.ledger").exists() and not (tmp_path / "out").exists()


def test_wherever_it_is_cut_it_is_refused(tmp_path):
    """No first part of a stream passes for a whole one, wherever the pipe broke."""
    packed = gzip.compress(ROWS.encode())
    for end in range(len(packed)):
        (place := tmp_path / str(end)).mkdir()
        with pytest.raises(BadInput):
            keep_stream(io.BytesIO(packed[:end]), place)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["release", "-", "--out", "out", *FLAGS], "add --ledger FILE"),
        (["release", "-", *FLAGS], "add --out NEW_FOLDER and --ledger FILE"),
        (["release", "-", "other.csv", "--ledger", "d.ledger", "--out", "out", *FLAGS], "- stands alone"),
        (["inspect", "other.csv", "-"], "- stands alone"),
        (["init", "-"], "init: rows on standard input leave no name"),
        (["release", "-", "--config", "piped.toml"], "names - as its survey, which is typed"),
        (["release", "--config", "piped.toml"], "names - as its survey, which is typed"),
        (["release", "--config", "among.toml"], "names - as its survey, which is typed"),
        (["inspect", "-", "--format", "csv.gz+nothing"], "--format: not one dpmap knows"),
        (["release", "-", "--ledger", "d.ledger", "--out", "out", *FLAGS, "--temp", "nowhere"], "--temp: there is no folder"),
    ],
)  # fmt: skip
def test_what_else_stands_with_it_is_refused(piped, tmp_path, words, told):
    """`-` stands alone, is typed, and needs a ledger that is named: one line each, before a byte of the stream is read."""
    (tmp_path / "other.csv").write_text(ROWS)
    (tmp_path / "piped.toml").write_text('survey = "-"\n')
    (tmp_path / "among.toml").write_text('survey = ["other.csv", {file = "-"}]\n')
    stream = Pipe(gzip.compress(ROWS.encode()))
    code, _, err = piped(stream, *words)
    assert code == 2 and told in err, err
    assert stream.buffer.tell() == 0 or "--format" in words
    assert not (tmp_path / "d.ledger").exists() and not (tmp_path / "out").exists()


@pytest.mark.parametrize("stream", [None, Pipe(terminal=True)])
def test_without_a_pipe_it_says_so(piped, stream):
    """Typed at a terminal, or where there is no standard input at all, `-` is refused at once and not waited for."""
    code, _, err = piped(stream, "inspect", "-")
    assert code == 2 and "reads rows from a pipe" in err


def test_settings_for_a_file_serve_the_stream(piped, tmp_path):
    """A dpmap.toml that was written for a file can be used for rows that are typed as `-`."""
    (tmp_path / "survey.csv").write_text(ROWS)
    code, _, err = piped(b"", "init", "survey.csv", "--ledger", "d.ledger", *FLAGS)
    assert code == 0, err
    code, out, err = piped(
        gzip.compress(ROWS.encode()), "release", "-", "--config", "dpmap.toml", "--out", "out"
    )
    assert code == 0 and "a pipe" in out, err


def test_a_full_disk_says_where_more_room_is_named(tmp_path, monkeypatch):
    """Where the temporary folder takes no more, nothing is spent, and the line says which flag names another."""

    class Full(io.BytesIO):
        def writelines(self, chunks):
            for _ in chunks:
                raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open", lambda *_: Full())
    with pytest.raises(SystemFailed, match="does not fit into the temporary folder.*folder"):
        keep_stream(io.BytesIO(gzip.compress(ROWS.encode())), tmp_path)


def test_a_stream_that_cannot_be_read_is_one_line(tmp_path):
    """Where the system cannot read what stands on standard input, the line says how to send it."""

    class Broken(io.BytesIO):
        def read(self, _=-1):
            raise IsADirectoryError

    with pytest.raises(BadInput, match="standard input cannot be read; send it as"):
        keep_stream(Broken(), tmp_path)


def test_one_name_is_chosen_from_a_stream(piped, tmp_path):
    """`choose` reads rows from a pipe as `release` does, and needs its ledger named too."""
    import geopandas
    import shapely

    areas = geopandas.GeoDataFrame(
        {"name": ["west", "east"]},
        geometry=[shapely.box(0, 50, 0.5, 51), shapely.box(0.5, 50, 1, 51)],
        crs=4326,
    )
    areas.to_file(tmp_path / "areas.gpkg")
    asked = ["choose", "-", "--among", "areas.gpkg", "--name", "name", "--epsilon", "0.1", "--unit", "who", "--cap", "3", "--dataset", "d",
             "--budget", "1"]  # fmt: skip
    code, out, err = piped(gzip.compress(ROWS.encode()), *asked, "--ledger", "d.ledger", "--json")
    assert code == 0 and json.loads(out)["chosen"] in ("west", "east"), err
    assert piped(gzip.compress(ROWS.encode()), *asked)[0] == 2


def test_who_chose_the_rows_is_said_wherever_the_promise_is(piped, tmp_path):
    """With --chosen-by the record, the statement, privacy.yaml and the attestation say who chose the rows, and what that leaves of the promise."""
    (tmp_path / "survey.csv").write_text(ROWS)
    code, _, err = piped(
        b"", "release", "survey.csv", "--out", "out", *FLAGS, "--chosen-by", " a filter in QGIS "
    )
    assert code == 0, err
    record = dm.open("out/release.dpmap").record
    assert ("chosen by", "a filter in QGIS") in record.about.read_as
    for told in (statement(record), privacy_yaml(record), markdown(record)):
        assert (
            "The rows were chosen before dpmap read them, by" in told
            and "a filter in QGIS" in told
            and LEFT in told
        )
    code, _, err = piped(b"", "release", "survey.csv", "--out", "as-it-is", *FLAGS)
    assert code == 0, err
    assert LEFT not in statement(dm.open("as-it-is/release.dpmap").record)


def test_who_chose_the_rows_is_written_down_and_read_again(piped, tmp_path):
    """`init` keeps --chosen-by, so that the release that follows says it."""
    (tmp_path / "survey.csv").write_text(ROWS)
    code, _, err = piped(b"", "init", "survey.csv", *FLAGS, "--chosen-by", "a ranger")
    assert code == 0, err
    assert tomllib.loads((tmp_path / "dpmap.toml").read_text())["chosen-by"] == "a ranger"
    code, out, err = piped(b"", "release", "--out", "out")
    assert code == 0 and "chosen by:" in out and "a ranger" in out, err


@pytest.mark.parametrize(
    "told", ["x" * 121, "two\nlines", "a\x1b[31mred", "turned \u202e round", 7]
)
def test_who_chose_the_rows_is_a_short_plain_line(tmp_path, told):
    """A text that is long or holds what does not print is refused, since it goes into everything that is made."""
    (tmp_path / "survey.csv").write_text(ROWS)
    with pytest.raises(BadInput, match="chosen_by: write who or what chose the rows"):
        dm.read(tmp_path / "survey.csv", chosen_by=told)


def test_in_python_too(tmp_path):
    """`dm.read(..., chosen_by=)` says the same, of several files and of a table in memory; a blank text says nothing."""
    import pandas

    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(ROWS)
    several = dm.read([tmp_path / "a.csv", tmp_path / "b.csv"], chosen_by="a colleague")
    assert ("chosen by", "a colleague") in several.roles.described("who")
    table = dm.read(pandas.read_csv(tmp_path / "a.csv"), chosen_by="a colleague")
    assert [part for part, _ in table.roles.described("who")][1:3] == ["read from", "chosen by"]
    assert "chosen by" not in dict(
        dm.read(tmp_path / "a.csv", chosen_by=" ").roles.described("who")
    )


def test_a_hostile_name_of_who_chose_does_nothing(piped, tmp_path):
    """What looks like Markdown, HTML or YAML in --chosen-by stays text in the statement and in privacy.yaml."""
    import yaml

    (tmp_path / "survey.csv").write_text(ROWS)
    evil = "`<script>alert(1)</script>` \"': # [x](http://a)"
    code, _, err = piped(b"", "release", "survey.csv", "--out", "out", *FLAGS, "--chosen-by", evil)
    assert code == 0, err
    record = dm.open("out/release.dpmap").record
    assert "`<script>alert(1)</script> \"': # [x](http://a)`" in statement(record)
    assert (
        "<script>"
        in yaml.safe_load(privacy_yaml(record))["deployment"]["implementation"][
            "preprocessing_and_hyperparameter_tuning"
        ]
    )
