"""Files that dpmap does not read are called by their name, in one line that says the way out."""

import bz2
import gzip
import lzma
import pickle
import zipfile

import pytest

import dpmap as dm
from dpmap.errors import BadInput

RDATA, RDS = (
    b"RDX3\nX\n\0\0\0\3\0\4\2\0\0\3\5\0",
    b"X\n\0\0\0\3\0\4\2\0\0\3\5\0\0\0\0\5UTF-8\0\0\3\x13",
)
DBF = b"\3\x7c\5\x11\3\0\0\0\x61\0\x20\0" + b"\0" * 84 + b"\r"
FILES = [
    ("nests.RData", gzip.compress(RDATA), "an R data file; in R: write.csv"),
    ("nests.rds", gzip.compress(RDS), r"an R data file; .*sf::st_write\(x, 'survey.gpkg'\)"),
    ("plain.rds", RDS, "an R data file"),
    ("nests.rda", bz2.compress(RDATA), "an R data file"),
    ("nests.rda", bz2.compress(RDATA)[:8], "an R data file"),
    ("nests.rds", lzma.compress(RDS), "an R data file"),
    ("nests.csv", gzip.compress(RDS), "an R data file"),
    ("nests.sav", b"$FL2@(#) IBM SPSS STATISTICS", "an SPSS file; save its table as CSV"),
    ("nests.dta", b"<stata_dta><header>", "a Stata file"),
    ("old.dta", b"\x72\2\1\0\3\0", "a Stata file"),
    ("nests.sas7bdat", b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14", "a SAS file"),
    ("nests.xpt", b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "a SAS file"),
    ("nests.mdb", b"\0\1\0\0Standard Jet DB\0", "an Access database"),
    ("nests.accdb", b"\0\1\0\0Standard ACE DB\0", "an Access database"),
    ("nests.tab", b"!table\r\n!version 300\r\n!charset WindowsLatin1\r\n", "a MapInfo file; .*ogr2ogr survey.gpkg"),
    ("nests.mif", b'Version 300\nCharset "WindowsLatin1"\nDelimiter ","\n', "a MapInfo file"),
    ("nests.dbf", DBF, r"the table of a shapefile; give the .shp beside it"),
    ("nests.qgs", b"<?xml version='1.0'?>\n<!DOCTYPE qgis>\n<qgis projectname='nests'><layer-tree-group/></qgis>", "a QGIS project"),
    ("nests.nc", b"CDF\1\0\0\0\0", "an HDF5 or netCDF file"),
    ("nests.feather", b"ARROW1\0\0\xff\xff\xff\xff", "an Arrow .* save it as Parquet"),
    ("nests.pkl", pickle.dumps({"who": ["ana"]}), "a Python pickle, which is never opened"),
    ("nests.pdf", b"%PDF-1.7\n", "a PDF"),
    ("nests.7z", b"7z\xbc\xaf\x27\x1c\0\4", "an archive dpmap does not open; unpack it"),
    ("nests.csv.xz", lzma.compress(b"who,longitude,latitude\n"), "packed by bzip2 or xz; unpack it"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "words"), FILES, ids=[name for name, *_ in FILES])
def test_a_foreign_file_is_called_by_its_name(name, content, words, tmp_path):
    """What a file is stands in its first bytes, whatever it is called and whatever else was declared."""
    (tmp_path / name).write_bytes(content)
    for declared in ({}, {"columns": "who,longitude,latitude"}):
        with pytest.raises(BadInput, match=f"is {words}") as told:
            dm.read(tmp_path / name, unit="who", **declared)
        assert "\n" not in str(told.value)
    with pytest.raises(BadInput, match=f"is {words}"):
        dm.inspect(dm.read(tmp_path / name, **dm.guess(tmp_path / name)))


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (["nests.qgs", "nests.qgd"], "a QGIS project"),
        (["[Content_Types].xml", "word/document.xml", "docProps/app.xml"], "a Word document"),
    ],
)
def test_a_packed_document_is_called_by_its_name(members, words, tmp_path):
    """Projects and documents are archives of which no member is a survey."""
    with zipfile.ZipFile(tmp_path / "packed", "w") as archive:
        for member in members:
            archive.writestr(member, "<x/>")
    with pytest.raises(BadInput, match=f"is {words}"):
        dm.read(tmp_path / "packed")


@pytest.mark.parametrize(
    "header",
    [
        "Version",
        "X",
        "A",
        "i",
        "$FL2",
        "!table",
        "CDF",
        "RDX",
        "MM",
        "HEADER RECORD",
        "SAS",
        "ARROW1",
    ],
)
def test_no_table_is_taken_for_one(header, tmp_path):
    """No header of a text is taken for such a mark, and no row under it either."""
    path = tmp_path / "a.csv"
    path.write_text(f"{header},longitude,latitude\n300,1,50\n")
    assert dm.read(path, unit=header).columns[0] == header
    path.write_text(f"{header}\n3\n2\n\1\n")
    assert dm.read(path, unit="row", place=header).columns == (header,)


def test_a_project_beside_a_survey_is_no_matter(tmp_path):
    """An archive of a survey may hold a project file, too."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("nests.qgs", "<qgis/>")
        archive.writestr("nests.csv", "who,longitude,latitude\nana,1,50\n")
    assert dm.read(tmp_path / "a.zip", unit="who").columns == ("who", "longitude", "latitude")


def test_what_an_archive_or_folder_holds_is_called_by_its_name(tmp_path):
    """Where nothing else is there to read, the foreign file inside is named; beside a survey it is no matter."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("nests.rds", gzip.compress(RDS))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "nests.sav").write_bytes(b"$FL2@(#) IBM SPSS STATISTICS")
    for path, words in (
        ("a.zip", "nests.rds is an R data file"),
        ("folder", "nests.sav is an SPSS file"),
    ):
        with pytest.raises(BadInput, match=words):
            dm.read(tmp_path / path)
    with zipfile.ZipFile(tmp_path / "a.zip", "a") as archive:
        archive.writestr("nests.csv", "who,longitude,latitude\nana,1,50\n")
    assert dm.read(tmp_path / "a.zip", unit="who").columns == ("who", "longitude", "latitude")
