"""Several files on the command line: named one by one, in dpmap.toml, and what stands beside them."""

import json
import tomllib

import pytest

from dpmap.cli import run
from dpmap.ledger.ledger import Ledger
from dpmap.releases.release import Release

OLD = "who,lon,lat,ok\nana,0.5,0.5,yes\nbo,1.5,1.5,no\n"
NEW = "lat,lon,who,note\n0.5,0.5,ana,x\n2.5,2.5,cy,y\n"
EBIRD = "GLOBAL UNIQUE IDENTIFIER\tOBSERVER ID\tLATITUDE\tLONGITUDE\nu1\tobs1\t0.5\t0.5\n"
INAT = "id,user_id,latitude,longitude,positional_accuracy\n1,77,0.5,0.5,10\n"
GEOJSON = '{"type": "FeatureCollection", "features": [{"properties": {"who": "zed"}, "geometry": {"type": "Point", "coordinates": [3, 3]}}]}'
FLAGS = [
    "--epsilon",
    "1",
    "--cap",
    "2",
    "--bounds",
    "0,0,4,4",
    "--shape",
    "4,4",
    "--dataset",
    "D",
    "--budget",
    "9",
]


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    """Runs a command where files of several kinds stand: exit code, stdout, stderr. Maps are stand-ins."""
    texts = {
        "old.csv": OLD,
        "new.csv": NEW,
        "ebird.txt": EBIRD,
        "inat.csv": INAT,
        "points.geojson": GEOJSON,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    real = Release.write

    def write(self, path):
        if path.suffix == ".md":
            return real(self, path)
        path.write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", write)

    def call(*words):
        capsys.readouterr()
        code = run(list(map(str, words)))
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def test_files_named_one_by_one_are_one_release(cli, tmp_path):
    """Two files are one survey, paid for once, from the ledger in their folder."""
    code, out, err = cli("release", "old.csv", "new.csv", "--unit", "who", "--out", "out", *FLAGS)
    assert code == 0, err
    assert "spent epsilon 1" in out
    assert (tmp_path / "dpmap.ledger").exists() and (tmp_path / "out" / "release.dpmap").exists()
    assert "old.csv" not in (tmp_path / "out" / "statement.md").read_text()


@pytest.mark.parametrize(
    "named",
    [
        ["old.csv"],
        ["old.csv", "new.csv"],
        ["ebird.txt", "inat.csv"],
        ["old.csv", "points.geojson"],
        ["old.csv", "new.csv", "inat.csv", "points.geojson"],
    ],
)
def test_what_init_writes_is_released_as_it_stands(cli, tmp_path, named):
    """`init` writes the files and what it knows of each; `release` without a FILE then reads them so."""
    unit = ["--unit", "who|user_id"] if "inat.csv" in named and "old.csv" in named else []
    unit = unit or (["--unit", "who"] if "old.csv" in named else [])
    code, _, err = cli("init", *named, *unit, *FLAGS)
    assert code == 0, err
    told = tomllib.loads((tmp_path / "dpmap.toml").read_text())
    files = told["survey"] if isinstance(told["survey"], list) else [told["survey"]]
    assert [one["file"] if isinstance(one, dict) else one for one in files] == named
    code, out, err = cli("release", "--out", "out", "--json")
    assert code == 0, err
    if named == ["ebird.txt", "inat.csv"]:
        assert told["unit"] == "OBSERVER ID|user_id" and files[1]["format"] == "inaturalist"
        assert json.loads(out)["read_as"]["file 2: format"].startswith("iNaturalist")


def test_a_list_in_the_settings_is_taken_with_and_without_config(cli, tmp_path):
    """`survey = [...]` and an array of tables are the same to every command that reads such a file."""
    (tmp_path / "dpmap.toml").write_text('survey = ["old.csv", "new.csv"]\nunit = "who"\n')
    assert cli("release", "--out", "one", *FLAGS)[0] == 0
    (tmp_path / "other.toml").write_text(
        'unit = "who"\n[[survey]]\nfile = "old.csv"\n[[survey]]\nfile = "new.csv"\nx = "lon"\ny = "lat"\ncrs = "EPSG:4326"\n'
    )
    code, _, err = cli("release", "--config", "other.toml", "--out", "two", *FLAGS)
    assert code == 0, err
    (tmp_path / "other.toml").write_text('survey = [{x = "lon"}]\n')
    code, _, err = cli("release", "--config", "other.toml", "--out", "three", *FLAGS)
    assert code == 2 and "a table of one file names it" in err and err.count("\n") == 1


def test_files_of_several_folders_need_a_ledger_that_is_named(cli, tmp_path):
    """Beside which file the ledger stands is not chosen for the steward, since another budget may begin there."""
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "new.csv").write_text(NEW)
    code, _, err = cli(
        "release", "old.csv", "below/new.csv", "--unit", "who", "--out", "out", *FLAGS
    )
    assert code == 3 and "different folders; add --ledger FILE" in err
    assert not list(tmp_path.rglob("*.ledger"))
    same = ["old.csv", tmp_path / "new.csv"]  # one folder, written in two ways
    assert cli("release", *same, "--unit", "who", "--out", "out", *FLAGS)[0] == 0
    code, _, err = cli(
        "release",
        "old.csv",
        "below/new.csv",
        "--unit",
        "who",
        "--out",
        "more",
        "--ledger",
        "dpmap.ledger",
        *FLAGS,
    )
    assert code == 0, err
    assert len(Ledger(tmp_path / "dpmap.ledger").events()) >= 2


@pytest.mark.parametrize("context", ["old.csv", "new.csv"])
def test_none_of_the_files_is_drawn_as_context(cli, context):
    """Every file of the survey is private: none is taken for a public layer."""
    code, _, err = cli(
        "release",
        "old.csv",
        "new.csv",
        "--unit",
        "who",
        "--out",
        "out",
        "--context",
        context,
        *FLAGS,
    )
    assert code == 2 and f"--context: {context} is the survey itself" in err


def test_inspect_and_choose_take_several_files(cli):
    """The operator sees each file's rows; a choice is made over all of them."""
    code, out, err = cli("inspect", "old.csv", "points.geojson", "--unit", "who", "--json")
    assert code == 0, err
    assert json.loads(out)["files"] == {
        "old.csv": {"rows": 2, "usable": 2},
        "points.geojson": {"rows": 1, "usable": 1},
    }
    code, out, _ = cli("inspect", "old.csv", "new.csv", "--unit", "who")
    assert code == 0 and "old.csv and 1 more" in out and "in new.csv" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["old.csv", "ebird.txt"], "not every file has a known identity column"),
        (["ebird.txt", "inat.csv"], "add --unit 'OBSERVER ID|user_id'"),
        (["old.csv", "old.csv", "--unit", "who"], "old.csv is named twice"),
        (["old.csv", "none.csv", "--unit", "who"], "there is no file none.csv"),
        (["old.csv", "new.csv", "--unit", "whom"], "--unit"),
    ],
)
def test_what_is_wrong_with_the_files_is_one_line_and_nothing_is_spent(cli, tmp_path, words, said):
    """A list that cannot be read is one line, before anything is spent."""
    code, _, err = cli("release", *words, "--out", "out", *FLAGS)
    assert code in (2, 3) and said in err and err.count("\n") == 1
    assert not (tmp_path / "out").exists() and not (tmp_path / "dpmap.ledger").exists()
