"""What the command line answers can be typed as it stands: from `init`'s words to a map, and from a mistake to its mending."""

import json
import re
import shlex

import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.releases.release import Release

SQUARE = {"type": "Polygon", "coordinates": [[[0, 50], [2, 50], [2, 51], [0, 51], [0, 50]]]}
POINTS = [("Ana", 0.5, 50.5), ("Bo", 1.5, 50.25), ("Bo", 1.25, 50.75), ("Cy", 0.25, 50.1)]
VALUES = {
    "epsilon": "1",
    "cap": "2",
    "budget": "3",
    "dataset": "Kites",
    "area": "area.geojson",
    "cell": "20 km",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to stand in, with an area; of a release only its record is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1])
    (tmp_path / "area.geojson").write_text(
        json.dumps({"type": "Feature", "properties": {"name": "a"}, "geometry": SQUARE})
    )
    return tmp_path


def said(capsys, code, *words):
    """What a command prints, on stdout if it succeeds, in one line on stderr if not."""
    capsys.readouterr()
    found = run(list(words))
    out, err = capsys.readouterr()
    assert found == code, err
    assert code == 0 or (out, err.count("\n")) == ("", 1)
    return out or err


# --- from init's own words -----------------------------------------------------------------------------------------


def comma(folder):
    """Rows with an uncertainty, of no known format."""
    rows = [f"{who},{x},{y},{at * 400}" for at, (who, x, y) in enumerate(POINTS)]
    surveys.written(
        folder,
        rows,
        "observer,decimalLongitude,decimalLatitude,coordinateUncertaintyInMeters",
        "s.csv",
    )
    return "s.csv", ["--max-uncertainty", "1 km"], 3


def semicolons(folder):
    rows = [f"{who};{x};{y}".replace(".", ",") for who, x, y in POINTS]
    surveys.written(folder, rows, "Beobachter;Laengengrad;Breitengrad", "s.csv")
    return "s.csv", [], 4


def in_parts(folder):
    """Degrees, minutes and a letter in columns of their own, in a folder of its own."""
    (folder / "field data").mkdir()
    rows = [f"{who},{int(x)},{60 * (x % 1)},E,{int(y)},{60 * (y % 1)},N" for who, x, y in POINTS]
    surveys.written(
        folder / "field data",
        rows,
        "ranger,lon_deg,lon_min,lon_hem,lat_deg,lat_min,lat_hem",
        "s.csv",
    )
    return "field data/s.csv", [], 4


def gbif(folder):
    rows = [f"{at}\t{who} | Ed\t{x}\t{y}\t10" for at, (who, x, y) in enumerate(POINTS)]
    surveys.written(
        folder,
        rows,
        "gbifID\trecordedBy\tdecimalLongitude\tdecimalLatitude\tcoordinateUncertaintyInMeters",
        "s.csv",
    )
    return "s.csv", [], 4


def layers(folder):
    """A GeoPackage of two layers, of which one must be named."""
    import geopandas as gpd
    import shapely

    frame = gpd.GeoDataFrame({"who": [who for who, _, _ in POINTS]}, geometry=[shapely.Point(x, y) for _, x, y in POINTS], crs=4326)  # fmt: skip
    for name in ("nests", "tracks"):
        frame.to_file(folder / "s.gpkg", layer=name)
    return "s.gpkg", [], 4


def features(folder):
    rows = [{"type": "Feature", "properties": {"collector": who}, "geometry": {"type": "Point", "coordinates": [x, y]}} for who, x, y in POINTS]  # fmt: skip
    (folder / "s.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": rows}))
    return "s.geojson", [], 4


def sixteen(folder):
    """UTF-16, as a spreadsheet saves a text, with tabs."""
    text = "observateur\tlongitude\tlatitude\n" + "".join(
        f"{who}\t{x}\t{y}\n" for who, x, y in POINTS
    )
    (folder / "s.txt").write_text(text, "utf-16")
    return "s.txt", [], 4


def begun(capsys, file, flags):
    """What `init` answers, after typing what its refusal says, if it refuses; a layer is the first of those it lists."""
    if run(["init", file, *flags, "--json"]) != 0:
        line = capsys.readouterr().err
        asked = re.search(r"add (--.+?)(?: \(|;|, or |$)", line.strip())[1]
        asked = asked.replace(
            "--layer NAME", f"--layer {(re.findall(r'[(]([^,)]+)', line) or [''])[0]}"
        )
        assert run(["init", file, *flags, *shlex.split(asked), "--json"]) == 0, (
            capsys.readouterr().err
        )
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("make", [comma, semicolons, in_parts, gbif, layers, features, sixteen])
def test_from_inits_own_words_alone(here, capsys, make):
    """Filling in what `init` says is missing, from the examples that it writes, and typing what it says next makes the map; `inspect` then sees the same rows."""
    file, flags, usable = make(here)
    told = begun(capsys, file, flags)
    path = here / told["wrote"][0]
    text = path.read_text("utf-8")
    unit = re.search(r'^#   "(.+)": protects', text, re.MULTILINE)
    for key in told["fill_in"]:
        value = unit[1] if key == "unit" else VALUES[key]
        text, times = re.subn(
            rf'^# {key} = "[^"]*"', f'{key} = "{value}"', text, flags=re.MULTILINE
        )
        assert times == 1, key
    path.write_text(text, "utf-8")
    seen = json.loads(said(capsys, 0, "inspect", "--config", str(path), "--json"))
    assert seen["usable"] == usable
    assert said(capsys, 0, *shlex.split(told["then"])[1:])
    made = dm.open(here / "release" / "release.dpmap")
    assert dict(made.record.about.read_as) == dict(seen["roles"])


def test_the_next_command_keeps_the_folders(here, capsys):
    """A dpmap.toml in another folder than the survey is typed as it is printed, where it is printed, and the release goes to a new folder."""
    (here / "conf of mine").mkdir()
    (here / "release").mkdir()
    (here / "release" / "release.dpmap").write_bytes(b"")
    file, _, _ = in_parts(here)
    parts = [
        "--x=lon_deg+lon_min+lon_hem",
        "--y=lat_deg+lat_min+lat_hem",
        "--crs=EPSG:4326",
        "--unit=ranger",
    ]
    flags = [f"--{name}={value}" for name, value in VALUES.items()]
    told = json.loads(
        said(capsys, 0, "init", file, *parts, *flags, "--out=conf of mine/kites.toml", "--json")
    )
    assert told["then"] == "dpmap release --config 'conf of mine/kites.toml' --out release-2"
    assert told["fill_in"] == []
    assert said(capsys, 0, *shlex.split(told["then"])[1:])
    assert (here / "release-2" / "release.dpmap").exists() and (
        here / "field data" / "dpmap.ledger"
    ).exists()
    assert json.loads(said(capsys, 0, "init", file, *parts, "--json"))["fill_in"] == [
        "epsilon",
        "cap",
        "dataset",
        "area",
        "cell",
    ]


def test_a_file_made_for_release_serves_the_other_commands(here, capsys):
    """`plan`, `choose` and `inspect` pass over what is another command's flag, and take a release's folder for no file; a key of none is refused with what is near."""
    file, _, _ = comma(here)
    flags = [f"--{name}={value}" for name, value in VALUES.items()]
    assert said(
        capsys,
        0,
        "init",
        file,
        "--unit=observer",
        *flags,
        "--strategy=flat",
        "--expires=2999-01-01",
    )
    config = ["--config", "dpmap.toml"]
    assert "epsilon 1, cap 2" in said(capsys, 0, "plan", *config)
    assert json.loads(said(capsys, 0, "inspect", *config, "--json"))["units"] == 3
    squares = [
        {"type": "Feature", "properties": {"name": name}, "geometry": SQUARE}
        for name in ("here", "there")
    ]
    (here / "two.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": squares})
    )
    assert json.loads(
        said(capsys, 0, "choose", *config, "--among=two.geojson", "--epsilon=0.1", "--json")
    )["chosen"] in ("here", "there")
    assert not (here / "release").exists()
    with (here / "dpmap.toml").open("a", encoding="utf-8") as file:
        file.write('capp = "3"\n')
    for command in ("plan", "inspect", "release", "choose"):
        assert "unknown key capp (did you mean cap" in said(capsys, 2, command, *config)


def test_how_many_units_a_plan_expects_may_stand_in_a_release_s_file(here, capsys):
    """Where no delta is to be bounded, `units` in a file is what `plan` was told to expect; typed, or beside a delta, it bounds."""
    file, _, _ = comma(here)
    assert said(
        capsys,
        0,
        "init",
        file,
        "--unit=observer",
        *[f"--{name}={value}" for name, value in VALUES.items()],
    )
    with (here / "dpmap.toml").open("a", encoding="utf-8") as settings:
        settings.write('units = 800000000\neach = "2"\n')
    flat = ["--strategy=flat", "--delta=1e-6", "--budget-delta=1e-5"]
    assert "delta: at most" in said(capsys, 3, "release", "--config=dpmap.toml", *flat)
    assert "--delta" in said(capsys, 2, "release", "--config=dpmap.toml", "--units=700")
    assert said(capsys, 0, "release", "--config=dpmap.toml")


# --- from a mistake to its mending ---------------------------------------------------------------------------------

PAY = ["--unit=observer", "--epsilon=1", "--cap=1", "--dataset=d", "--budget=9", "--out=o"]


@pytest.mark.parametrize(
    ("flags", "words", "never"),
    [
        (["--area=area.geojson", "--cell=5 km", "--grid-crs=EPSG:999999"], "--grid-crs", " --crs"),
        (["--area=area.geojson", "--cell=5 km", "--grid-crs=EPSG:4326"], "--grid-crs", " --crs"),
        (["--area=area.geojson", "--hexagons=5", "--grid-crs=EPSG:27700"], "--grid-crs: it is for --cell", " --crs"),
        (["--area=area.geojson", "--cell=5 km", "--crs=EPSG:999999"], "--crs: PROJ", "grid"),
        (["--area=area.geojson", "--cell=5 km", "--crs=EPSG:27700"], "add --crs EPSG:4326 (--crs is the survey's own", "EPSG:27700"),
        (["--area=polar.geojson", "--cell=5 km"], "--grid-crs", " --crs"),
        (["--area=bare.gpkg", "--cell=5 km"], "save it again with one", "or pass a GeoDataFrame"),
        (["--area=s.csv", "--cell=5 km"], "cannot be read as a polygon layer", "CRS"),
        (["--area=0,50,2,51", "--cell=5 km"], "--bounds west,south,east,north", "path"),
        (["--area=bare.gpkg", "--area-layer=no", "--cell=5 km"], "it has (bare)", "GeoJSON"),
        (["--bounds=400000,100000,500000,200000", "--shape=4,4"], "not degrees; say what they are in with --grid-crs", "antimeridian"),
        (["--bounds=0,50,1,51", "--cell=5 km"], "--shape rows,columns", "2 numbers"),
        (["--area=country:Kenia", "--cell=5 km"], "did you mean Kenya?", "file"),
        (["--area=Kenya", "--cell=5 km"], '--area "country:Kenya"', "path"),
        (["--area=country:Kenya", "--area-name=Kenya", "--cell=5 km"], "leave --area-name", "file"),
        (["--area=area.geojson", "--area-name=nowhere", "--cell=5 km"], "no polygon has 'nowhere'", "Traceback"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_the_flag_that_mends_it(here, capsys, flags, words, never):
    """Each line names the flag that was typed or is to be, says it for the command line, and nothing is spent."""
    import geopandas as gpd
    import shapely

    surveys.written(
        here, [f"Ana,{x},{y}" for _, x, y in POINTS] * 30, "observer,longitude,latitude", "s.csv"
    )
    pole = {"type": "Polygon", "coordinates": [[[0, 80], [10, 80], [10, 90], [0, 90], [0, 80]]]}
    (here / "polar.geojson").write_text(
        json.dumps({"type": "Feature", "properties": {}, "geometry": pole})
    )
    if any("bare" in flag for flag in flags):
        with pytest.warns(UserWarning, match="crs"):
            gpd.GeoDataFrame({"a": [1]}, geometry=[shapely.box(0, 50, 2, 51)]).to_file(
                here / "bare.gpkg"
            )
    line = said(capsys, 2, "release", "s.csv", *PAY, *flags)
    assert words in line and never not in line, line
    assert not (here / "o" / "release.dpmap").exists()


def test_a_place_that_nobody_says_is_named_with_all_else(here, capsys):
    """One line names the columns of the place beside the other flags that are missing."""
    in_parts(here)
    line = said(capsys, 2, "release", "field data/s.csv", "--out=o")
    assert "--x lon_deg+lon_min+lon_hem --y lat_deg+lat_min+lat_hem --crs EPSG:4326" in line
    assert all(
        flag in line for flag in ("--dataset NAME", "--unit COLUMN", "--area FILE", "--budget 3")
    )


def test_candidate_areas_are_called_by_their_flag(here, capsys):
    """A layer of `--among` that cannot serve is not called the area."""
    surveys.written(here, ["Ana,0.5,50.5"], "observer,longitude,latitude", "s.csv")
    assert "among: there is no file" in said(
        capsys, 2, "choose", "s.csv", *PAY[:-1], "--among=no.gpkg"
    )
