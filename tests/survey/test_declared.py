"""What a survey is, is known before its first record: from a header, from the file's own description, or declared."""

import json
import zipfile

import pytest

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files.lines import LONGEST

HEAD = "who,longitude,latitude,note\n"
POINTS = [("ana", 1.0, 50.0), ("ana", 1.1, 50.0), ("bo", 1.2, 50.1)]


def geojson():
    features = [
        {
            "type": "Feature",
            "properties": {"who": who},
            "geometry": {"type": "Point", "coordinates": [x, y]},
        }
        for who, x, y in POINTS
    ]
    return json.dumps({"type": "FeatureCollection", "features": features})


def records():
    return json.dumps(
        {
            "count": 3,
            "results": [{"who": who, "place": {"lon": x, "lat": y}} for who, x, y in POINTS],
        }
    )


def kml():
    marks = "".join(
        f"<Folder><Placemark><name>{who}</name><Point><coordinates>{x},{y},0</coordinates></Point></Placemark></Folder>"
        for who, x, y in POINTS
    )
    return f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{marks}</Document></kml>'


def gpx():
    points = "".join(f'<wpt lat="{y}" lon="{x}"><name>{who}</name></wpt>' for who, x, y in POINTS)
    return f'<gpx version="1.1">{points}<trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk></gpx>'


FILES = {
    "a.geojson": (geojson, "who", []),
    "a.json": (records, "who", ["--x=place.lon", "--y=place.lat", "--crs=EPSG:4326"]),
    "a.kml": (kml, "name", []),
    "a.gpx": (gpx, "name", []),
}


def written(folder, name):
    (folder / name).write_text(FILES[name][0]())
    return folder / name


@pytest.mark.parametrize("name", FILES)
def test_records_that_name_their_own_fields_must_be_declared(name, tmp_path):
    """Such a file is refused with what to type, and no key of a record is repeated."""
    path = tmp_path / name
    path.write_text(FILES[name][0]().replace("place", "Xanthippe").replace("who", "Secretson"))
    with pytest.raises(BadInput, match="format=.* columns=.*dpmap init") as told:
        dm.read(path)
    assert not any(word in str(told.value) for word in ("Xanthippe", "Secretson"))


@pytest.mark.parametrize("name", FILES)
def test_what_init_writes_is_all_that_release_needs(name, tmp_path, monkeypatch, capsys):
    """`dpmap init` looks into the file and writes down what it is; with the promise filled in, `dpmap release` reads it so."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, name)
    _, unit, flags = FILES[name]
    assert run(["init", name, *flags]) == 0
    config = tmp_path / "dpmap.toml"
    declared = f'epsilon = "1"\ncap = 2\nbudget = "1"\ndataset = "d"\nunit = "{unit}"\nbounds = "0,49,2,51"\nshape = "4,4"\n'
    config.write_text(declared + config.read_text("utf-8"), "utf-8")
    assert run(["release", name, "--config", "dpmap.toml", "--out", "out"]) == 0, (
        capsys.readouterr().err
    )
    assert (tmp_path / "out" / "release.dpmap").exists()


@pytest.mark.parametrize("name", FILES)
def test_a_key_that_only_one_record_has_changes_nothing(name, tmp_path):
    """Columns are those declared: a later file whose records hold other keys too is read as before."""
    path = written(tmp_path, name)
    _, unit, flags = FILES[name]
    options = dm.guess(path) | {flag[2:].split("=")[0]: flag.split("=", 1)[1] for flag in flags}
    before = dm.inspect(dm.read(path, unit=unit, **options)).usable
    text = path.read_text().replace(
        '"who": "bo"', '"Who": "x", "gbifID": 1, "decimalLatitude": 2, "who": "bo"'
    )
    path.write_text(text.replace("<name>bo", "<Name>x</Name><gbifID>1</gbifID><name>bo"))
    assert (before, dm.inspect(dm.read(path, unit=unit, **options)).usable) == (3, 3)


def test_a_zipped_kml_is_looked_into(tmp_path):
    """A .kmz is read like the .kml in it."""
    with zipfile.ZipFile(tmp_path / "a.kmz", "w") as archive:
        archive.writestr("doc.kml", kml())
        archive.writestr("files/icon.png", b"x")
    assert (
        dm.inspect(dm.read(tmp_path / "a.kmz", unit="name", **dm.guess(tmp_path / "a.kmz"))).usable
        == 3
    )


@pytest.mark.parametrize("mark", [",", ";", "tab"])
def test_a_text_without_header_is_cut_as_declared(mark, tmp_path):
    """Without a header the separator is a comma, or the one declared; the first row tells nothing."""
    path, real = tmp_path / "a.csv", {"tab": "\t"}.get(mark, mark)
    path.write_text("sep=;\n" + "".join(f"{real.join(map(str, row))}\n" for row in POINTS))
    options = {} if mark == "," else {"delimiter": mark}
    survey = dm.read(path, columns="who,longitude,latitude", unit="who", **options)
    assert dm.inspect(survey).usable == 3


def test_what_is_no_format_or_separator_is_refused(tmp_path):
    """One line says which there are."""
    (tmp_path / "a.csv").write_text(HEAD)
    for options, line in (
        ({"format": "xls"}, "format: "),
        ({"delimiter": "ab"}, "delimiter: "),
        ({"format": "ebird"}, "lacks columns of eBird"),
    ):
        with pytest.raises(BadInput, match=line):
            dm.read(tmp_path / "a.csv", **options)


def many(rows):
    return HEAD + "".join(rows)


def test_texts_over_several_lines_are_read_in_files_of_any_size(tmp_path):
    """Free text with line breaks inside quotes is no obstacle, however large the file; nor is a quote inside a text."""
    path = tmp_path / "a.csv"
    row = '{i},1,50,"a nest, high\nup in the ""old"" oak,\r\nseen twice\n"\n'
    path.write_text(many(row.format(i=i % 9) for i in range(60_000)), newline="")
    found = dm.inspect(dm.read(path, unit="who"))
    assert (found.rows, found.units) == (60_000, 9)


HIDING = {
    "a quote after a blank": ['m, "5,.5,x\n'],
    "two stray quotes": ['m,1,50,"x\n', 'm,1,50,x"\n'],
    "a quote at the start": ['"m,1,50,x\n'],
    "another line end": ['m,1,50,"x\r'],
    "the last row": ['m,1,50,"x'],
}


@pytest.mark.parametrize("case", HIDING)
def test_stray_quotes_hide_no_rows(case, tmp_path):
    """A quote that is never closed, or closed far below, drops its own row alone or has the whole file refused."""
    path, odd = tmp_path / "a.csv", HIDING[case]
    others = [f"p{i},1,50,fine\n" for i in range(200)]
    rows = [*others, *odd] if case == "the last row" else [odd[0], *others, *odd[1:]]
    path.write_text(many(rows), newline="")
    try:
        assert dm.inspect(dm.read(path, unit="who")).units >= 200
    except DpmapError as told:
        assert "\n" not in str(told)  # noqa: PT017


def test_what_breaks_the_rule_drops_alone(tmp_path):
    """A row with text after a closing quote, or of more than 8 MB, is left out, and all others stay."""
    path = tmp_path / "a.csv"
    long = "x" * (LONGEST + 9)
    path.write_text(
        many(
            [
                "a,1,50,x\n",
                '"b"y,1,50,x\n',
                f"c,1,50,{long}\n",
                f'd,1,50,"{long}\n"\n',
                'e,1,50,a 5" x 6" nest\n',
                "f,1,50\n",
            ]
        )
    )
    assert dm.inspect(dm.read(path, unit="who")).units == 3


def test_the_schema_is_told_and_cannot_be_changed(tmp_path):
    """A survey says what it is, and who said so: a header, the file's own description, or the steward."""
    (tmp_path / "a.csv").write_text("who;longitude;latitude\nana;1;50\n")
    (tmp_path / "b.tsv").write_text("ana\t1\t50\n")
    declared = {"columns": "who,longitude,latitude", "unit": "who"}
    found = [
        dm.read(tmp_path / "a.csv").schema,
        dm.read(tmp_path / "b.tsv", **declared).schema,
        dm.read(written(tmp_path, "a.geojson"), format="geojson", columns="who").schema,
    ]
    assert [(one.told_by, one.kind, one.separator) for one in found] == [
        ("header", "text", ";"),
        ("declared", "text", "\t"),
        ("declared", "GeoJSON", ""),
    ]
    with pytest.raises(AttributeError):
        found[0].names = ("x",)
