"""How a layer's rows reach dpmap: by its own file where that says exactly the same, else streamed, each row as by itself."""

import csv
from pathlib import Path

import pytest
from builders import plugin

from dpmap.survey import sources

INSIDE = Path(__file__).parent / "inside" / "rows.py"
WHOLE = "QGIS, which hands on every row of a layer"


@pytest.fixture(scope="module")
def told(home, path, tmp_path_factory):
    """What one QGIS said of layers of many kinds."""
    return plugin.inside(home, INSIDE, tmp_path_factory.mktemp("rows"), path=path)


def test_a_plain_file_goes_by_its_path_and_nothing_is_said_to_have_chosen_its_rows(told):
    """GeoPackage, FlatGeobuf, a shapefile that names its encoding and a plain delimited text are read by dpmap itself."""
    files = told["files"]
    assert files["plain"] == [["s é.gpkg", "--layer=sightings"], ""]
    assert files["named by its path"] == files["layerid"] == [["s é.gpkg"], ""]
    assert files["flatgeobuf"] == [["s.fgb"], ""]
    assert files["shapefile"] == [["s.shp"], ""]
    text = ["t.csv", "--x=lon", "--y=lat", "--crs=EPSG:4326", "--encoding=UTF-8", "--delimiter=,"]
    assert files["text"] == [text, ""]


def test_what_the_file_alone_would_not_say_is_streamed_and_stated(told):
    """A filter, a selection, a join, a computed column, another CRS, memory: dpmap gets the rows that the layer shows, and its statement says who chose them."""
    files = told["files"]
    for name, said in {
        "subset in the address": "a filter in QGIS", "filtered": "a filter in QGIS", "text filtered": "a filter in QGIS", "selected": "a selection in QGIS",
        "computed": "a join or a computed column in QGIS", "joined": "a join or a computed column in QGIS", "in memory": "a layer in QGIS's memory",
        "geometrytype": WHOLE, "row ids used": WHOLE, "a bar in the path": WHOLE, "changes beside it": WHOLE, "geojson": WHOLE,
        "shapefile without encoding": WHOLE, "text with lines above": WHOLE, "text with commas": WHOLE,
        "text with types beside it": WHOLE,
    }.items():  # fmt: skip
        assert files[name] == [None, said], name
    assert files["another CRS by hand"] == [[None, WHOLE], "--crs=EPSG:3035"]
    assert files["filtered rows"].splitlines()[1:] == ["1.5,2.5,1,Ana,1"]


def test_changes_that_are_not_saved_and_limits_are_seen(told):
    """A layer that is open for editing is streamed; one with changes is known, and so is a limit on the number of rows."""
    files = told["files"]
    assert files["edited, nothing changed"] == [None, False]
    assert files["edited"] is True
    assert files["limited"] is True


def test_a_layer_that_ends_early_is_no_whole_survey(told):
    """Where fewer rows come than there were, by another program or a row that cannot be read, the stream is broken off and dpmap counts nothing."""
    whole, said, broken = told["ends"]
    assert (
        whole and not broken and "changed while it was read" in said and "nothing was spent" in said
    )


def test_each_type_of_field_is_written_in_full_and_no_value_leaves_its_line(told):
    """Whole numbers keep all digits, 1000.0 is 1000, dates are ISO's; quotes, line ends, NUL and half characters stay in their own field."""
    text, words = told["values"]
    assert text.split("\n") == [
        '"qgis_x","qgis_y","who","n","big","v","d","t","h","b"',
        "0.1,51.123456789012344,Ana,1000,9007199254740993,1000,2025-03-01,2025-03-01T04:05:06,07:08:09,true",
        ",,,,,,,,,", ",,,0,0,0.1,,,,false",
        '1.0,2.0,"""; =1+1 ""Bo"",3,4 5",-1,-9223372036854775807,1e+300,0001-01-01,2025-03-01T04:05:00Z,00:00:00.005,true',
        '1.0,2.0,"ab",1,1,,,,,', "1.0,2.0,half ?,1,1,inf,,,,", "1.0,2.0,  'q,1,1,0.30000000000000004,,,,", "",
    ]  # fmt: skip
    assert words == [
        "--format=csv.gz",
        "--encoding=utf-8",
        "--delimiter=comma",
        "--x=qgis_x",
        "--y=qgis_y",
        "--crs=EPSG:4326",
    ]


def test_a_row_is_written_alike_whoever_stands_beside_it(told):
    """The premise of the promise begins in QGIS: each row of a hostile table is, byte for byte, what it is in a layer of its own."""
    assert told["apart"] is True


def test_the_place_of_a_shape_is_what_dpmap_reads_of_a_file(told):
    """The one point of a multipoint is a place, two are none; lines go whole where they count at a point on them."""
    points, surface, lines = told["shapes"]
    assert points[0].splitlines()[1:] == ["1.0,2.0,one", ",,two", ",,none"]
    assert surface[0].splitlines()[1:] == [
        '"MultiPoint ((1 2))",one',
        '"MultiPoint ((1 2),(3 4))",two',
        ",none",
    ]
    assert lines[0].splitlines()[1:] == ['"LineString (0 0, 1.10000000000000009 1)",a', ",none"]
    assert "--place=qgis_shape" in lines[1]


def test_names_of_fields_are_told_apart_from_the_places_own(told):
    """A field called like the place's column keeps its name, and the place's takes another; odd names are quoted."""
    text, words, named = told["names"]
    assert (
        text.splitlines()[0]
        == '"qgis_x_3","qgis_y","qgis_x","Qgis_X_2","a""b","c,d","e f","2020","{g"'
    )
    assert "--x=qgis_x_3" in words and named["e\nf"] == "e f"
    header = next(csv.reader([text.splitlines()[0]]))
    assert sources.distinct(header) == header, "dpmap calls them so too"


def test_a_reference_system_without_a_code_is_said_by_its_definition(told):
    """dpmap knows both ways of saying where coordinates are."""
    from dpmap.grid import crs

    code, definition = told["systems"]
    assert code == "EPSG:25830"
    assert '"Latitude of natural origin",40.5' in definition
    assert crs.parse(definition).is_projected


def test_the_examples_in_the_plugins_own_words_hold(told):
    """Examples in the docstrings run in QGIS's own Python."""
    assert told["examples"] == [0, 0, 0] and all(told["tried"])
