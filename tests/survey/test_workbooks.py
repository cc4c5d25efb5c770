"""Workbooks: which sheet is meant, where its header stands, and what each cell is, by itself."""

import struct
import zipfile
from collections import Counter
from datetime import date, datetime, time, timedelta

import pytest
from builders.workbooks import Raw, compound, ods, record, xls, xlsx, xlsx_sheet, zipped

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, SystemFailed
from dpmap.survey.files import workbook
from dpmap.survey.files.source_opener import open_source
from dpmap.survey.files.tables import Cut

HEAD = ["who", "longitude", "latitude"]
ROWS = [HEAD, ["ann", 0.1, 50.1], ["bob", 0.2, 50.2], ["ann", 0.3, 50.3]]
BEGIN = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)
WRITERS = {"a.xlsx": xlsx, "a.ods": ods, "a.xls": xls}
each = pytest.mark.parametrize("name", WRITERS)


def rows_of(path, wanted=None, *, layer=None, sheet=None, **cut):
    """The rows of a workbook as engines get them."""
    source = open_source(path, layer=layer, sheet=sheet, cut=Cut(**cut))
    with source.stream(list(wanted or source.columns)) as reader:
        return [tuple(row.values()) for row in reader.read_all().to_pylist()]


def refused(path, match, **reading):
    """Asserts that reading the survey is refused in one line that says this."""
    with pytest.raises(BadInput, match=match) as caught:
        dm.inspect(dm.read(path, unit="who", **reading))
    assert "\n" not in str(caught.value)


@each
def test_each_cell_is_a_text_by_its_own_type(tmp_path, name):
    """Numbers stand in their shortest form, dates as ISO, truths as true and false, errors as nothing."""
    cells = [
        "Zo\u00eb\n& <b>",
        1000.0,
        0.1 + 0.2,
        1e-5,
        12345678901234,
        True,
        False,
        date(2024, 5, 15),
        datetime(2024, 5, 15, 10, 30),
        time(6, 5),
        timedelta(hours=30),
    ]
    path = WRITERS[name](tmp_path / name, [[f"c{at}" for at in range(len(cells))], cells])
    assert rows_of(path) == [
        ("Zo\u00eb\n& <b>", "1000", "0.30000000000000004", "0.00001", "12345678901234", "true", "false", "2024-05-15", "2024-05-15T10:30:00", "06:05:00", "30:00:00")
    ]  # fmt: skip


@each
def test_a_workbook_is_released_as_its_csv_is(tmp_path, name):
    """What counts of a sheet is what would count of it as text."""
    found = dm.inspect(dm.read(WRITERS[name](tmp_path / name, ROWS), unit="who"))
    assert (found.rows, found.usable, found.units) == (3, 3, 2)


@each
def test_a_file_is_told_by_its_first_bytes(tmp_path, name):
    """A workbook called .csv is one, and so is one in an archive; a text called .xlsx is a text."""
    path = WRITERS[name](tmp_path / "survey.csv", ROWS)
    assert dm.inspect(dm.read(path, unit="who")).usable == 3
    packed = zipped(tmp_path / "a.zip", {name: path.read_bytes(), "readme.txt": "x"})
    assert dm.inspect(dm.read(packed, unit="who")).usable == 3
    (tmp_path / name).write_text("who,longitude,latitude\nann,0.1,50.1\n")
    assert dm.inspect(dm.read(tmp_path / name, unit="who")).usable == 1


@each
def test_rows_and_columns_count_as_spreadsheet_programs_show_them(tmp_path, name):
    """Empty rows and columns have their place; what lies beyond the header is left out, and no cell moves."""
    told = [
        [],
        ["Report of 2024"],
        [],
        [None, "who", None, "n"],
        [None, "ann", None, 1, "beyond"],
        [],
        ["x", None, "y", 2],
    ]
    path = WRITERS[name](tmp_path / name, told)
    assert open_source(path, cut=Cut(header_row=4)).columns == ("column_1", "who", "column_3", "n")
    assert rows_of(path, header_row=4) == [(None, "ann", None, "1"), ("x", None, "y", "2")]
    assert rows_of(path, ["n"], header_row=4) == [("1",), ("2",)]
    assert rows_of(path, columns=("a", "b"))[0] == ("Report of 2024", None)
    refused(path, "row 1 of a.* holds no names; say which row does with header_row=N")
    refused(path, "row 3 of a.* holds no names", header_row=3)
    refused(path, "row 900 of a.* holds no names", header_row=900)


@each
def test_a_row_of_numbers_is_no_header(tmp_path, name):
    """A sheet without header is refused unless its columns are named; a header's row is judged alone."""
    path = WRITERS[name](tmp_path / name, ROWS[1:])
    refused(path, "row 1 of a.* holds numbers, no names")
    assert dm.inspect(dm.read(path, columns=HEAD, unit="who")).usable == 3
    refused(path, "columns= means that there is no header", columns=HEAD, header_row=2)
    for row in (0, 1001, "2"):
        refused(path, "header_row: give the header's row", header_row=row)


@each
def test_one_of_several_sheets_is_named(tmp_path, name):
    """Sheets are named, or numbered where two have one name; none is taken for what it holds."""
    sheets = [
        ("Data", ROWS),
        ("Sites\x1b[31m" if name == "a.xls" else "Sites", []),
        ("data ", [HEAD, ["eve", 1, 2]]),
        ("7", [["a"], [1]]),
        ("DATA", ROWS),
    ]
    path = WRITERS[name](tmp_path / name, sheets)
    refused(
        path,
        r"has several sheets \(1 Data, 2 Sites.*, 3 data , 4 7, 5 DATA\); add sheet=NAME, or its number",
    )
    refused(path, "has no sheet of that name; it has 1 Data", sheet="sightings")
    refused(
        path, "several sheets of that name; write which by its number: 1 and 3 and 5", sheet="dAta"
    )
    assert rows_of(path, sheet="3") == rows_of(path, sheet="data ") == [("eve", "1", "2")]
    assert (
        rows_of(path, sheet="Data")
        == rows_of(path, sheet="5")
        == [("ann", "0.1", "50.1"), ("bob", "0.2", "50.2"), ("ann", "0.3", "50.3")]
    )
    assert rows_of(path, sheet="7") == [("1",)]
    refused(path, "row 1 of a.* holds no names", sheet="2")
    assert dm.read(path, sheet=3).columns == dm.read(path, sheet="3").columns


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods"])
def test_the_only_sheet_in_sight_is_taken(tmp_path, name):
    """Hidden sheets are read where they are named; hidden rows count as any; charts are no sheets."""
    sheets = [("Lists", [["a"]]), ("Data", ROWS), ("More", [["a"]])]
    path = WRITERS[name](tmp_path / name, sheets, hidden=("Lists", "More"))
    assert dm.inspect(dm.read(path, unit="who")).usable == 3
    assert open_source(path, sheet="Lists").columns == ("a",)
    refused(
        path,
        r"has no sheet of that name; it has 1 Lists \(hidden\), 2 Data, 3 More \(hidden\)",
        sheet="x",
    )
    charts = xlsx(tmp_path / "b.xlsx", sheets, charts=("Lists", "More"))
    assert dm.inspect(dm.read(charts, unit="who")).usable == 3


SPANNED = '<table:table-cell table:number-rows-spanned="{}" table:number-columns-spanned="{}" office:value-type="string"><text:p>ann</text:p></table:table-cell>'


def merged_workbooks(folder, high, wide):
    """Workbooks of the three kinds in which a cell in row 3 is merged over so many rows and columns."""
    told = [["Seen", None], ["who", "when", "longitude", "latitude"], ["ann", None, 0.1, 50.1]]
    told += [[None, None, 0.2, 50.2], ["bob", 2021, 0.3, 50.3]]
    corner = f"{'ABCDEFGHIJ'[wide - 1]}{2 + high}"
    yield xlsx(folder / "a.xlsx", told, merged=("A1:B1", f"A3:{corner}"))
    yield xls(folder / "a.xls", told, merged=((0, 0, 0, 1), (2, 1 + high, 0, wide - 1)))
    told[2][0] = Raw(SPANNED.format(high, wide))
    yield ods(folder / "a.ods", told)


def test_one_persons_merged_cell_fills_nobodys_row(tmp_path):
    """Cells merged over several rows below the header are refused, by column and rows; within one row they fill nothing."""
    for path in merged_workbooks(tmp_path, 2, 1):
        for reading in (dict(header_row=2), dict(columns=("a", "b", "c", "d"))):
            refused(
                path, "cells of (who|a) in a.* are merged over rows 3 to 4.*unmerge them", **reading
            )
    for path in merged_workbooks(tmp_path, 1, 2):
        assert rows_of(path, header_row=2) == [
            ("ann", None, "0.1", "50.1"),
            (None, None, "0.2", "50.2"),
            ("bob", "2021", "0.3", "50.3"),
        ]
    told = [["who"], ["ann"], [None, None, "note"], ["bob"]]
    assert rows_of(xlsx(tmp_path / "b.xlsx", told, merged=("C3:D9",))) == [
        ("ann",),
        (None,),
        ("bob",),
    ]


def test_merged_cells_name_columns_but_fill_no_row_below(tmp_path):
    """A header over two rows names its columns by both; it never fills the rows of people."""
    told = [
        ["Person", "Place", None],
        [None, "longitude", None],
        [None, 0.1, 50.1],
        ["ann", None, 50.2],
    ]
    path = xlsx(tmp_path / "a.xlsx", told, merged=("A1:A4", "B1:C1", "B2:C2"))
    assert open_source(path).columns == ("Person", "Place", "Place_2")
    assert open_source(path, cut=Cut(header_row=2)).columns == (
        "Person",
        "longitude",
        "longitude_2",
    )
    assert rows_of(path, header_row=2) == [(None, "0.1", "50.1"), ("ann", None, "50.2")]


def test_damaged_merged_ranges_are_refused(tmp_path, monkeypatch):
    """A merged range that is none, or more ranges than any program writes, are one line."""
    refused(xlsx(tmp_path / "b.xlsx", ROWS, merged=("soon",)), "merged cells of b.xlsx are damaged")
    monkeypatch.setattr("dpmap.survey.files.workbook_cells.MOST_MERGED", 3)
    refused(
        xlsx(tmp_path / "b.xlsx", ROWS, merged=["A1:B1"] * 4), "b.xlsx has too many merged cells"
    )


def test_formulas_have_their_cached_values(tmp_path):
    """The value that stands beside a formula counts; one without, or with an error, is empty."""
    cells = [
        Raw('<c r="PLACE" t="str"><f>A1</f><v>ann</v></c>'),
        Raw('<c r="PLACE"><f>1+1</f><v>0.5</v></c>'),
        Raw('<c r="PLACE"><f>50</f></c>'),
        Raw('<c r="PLACE" t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
    ]
    assert rows_of(xlsx(tmp_path / "a.xlsx", [["a", "b", "c", "d"], cells])) == [
        ("ann", "0.5", None, None)
    ]
    wrong = Raw(
        '<table:table-cell table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>'
    )
    right = Raw(
        '<table:table-cell table:formula="of:=1" calcext:value-type="float" office:value-type="float" office:value="1"><text:p>1.00</text:p></table:table-cell>'
    )
    assert rows_of(ods(tmp_path / "a.ods", [["a", "b"], [right, wrong]])) == [("1", None)]


def test_dates_are_those_of_the_cell_and_its_workbook(tmp_path):
    """A style makes a number a date by the workbook's own first day; a number that is no date there is empty, and the rest stay."""
    formats = (
        "yyyy-mm-dd",
        "d/m/yy h:mm",
        '0.00 "days"',
        "[h]:mm:ss",
        "[$-409]mmmm",
        "General",
        "@",
        '#,##0;[Red]-"d"',
    )
    numbers = (
        "45000",
        "45000.25",
        "0",
        "1",
        "59",
        "60",
        "61",
        "2958465",
        "2958465.9999",
        "2958466",
        "-1",
        "NaN",
        "1e300",
        "",
    )

    def cell(style, number):
        return Raw(f'<c r="PLACE" s="{style}"><v>{number}</v></c>')

    told = [
        ["s", *(f"n{at}" for at in range(len(numbers)))],
        *([str(at), *(cell(5 + at, one) for one in numbers)] for at in range(len(formats))),
    ]
    rows = rows_of(xlsx(tmp_path / "a.xlsx", told, formats=formats))
    day = (
        "2023-03-15",
        "2023-03-15",
        None,
        "1900-01-01",
        "1900-02-28",
        None,
        "1900-03-01",
        "9999-12-31",
        "9999-12-31",
        None,
        None,
        None,
        None,
        None,
    )
    assert rows[0][1:] == day
    assert rows[1][1:3] == ("2023-03-15T00:00:00", "2023-03-15T06:00:00")
    assert (
        rows[2][1:4] == ("45000", "45000.25", "0") == rows[5][1:4] == rows[6][1:4] == rows[7][1:4]
    )
    assert rows[3][1:3] == ("1080000:00:00", "1080006:00:00")
    assert rows[4][1:] == day
    later = rows_of(xlsx(tmp_path / "b.xlsx", told[:2], formats=formats, since_1904=True))
    assert later[0][1:5] == ("2027-03-16", "2027-03-16", "1904-01-01", "1904-01-02")
    old = xls(tmp_path / "b.xls", [["when"], [date(2020, 1, 1)]], since_1904=True)
    assert rows_of(old) == [("2024-01-02",)]


def test_what_a_repeated_cell_or_row_stands_for(tmp_path):
    """Each row counts as often as an .ods says it is there, within the largest sheet; a billion empty ones cost nothing."""
    row = '<table:table-row table:number-rows-repeated="{}"><table:table-cell office:value-type="string" table:number-columns-repeated="{}"><text:p>x</text:p></table:table-cell></table:table-row>'
    empty = Raw(
        '<table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999"/></table:table-row>'
    )
    path = ods(tmp_path / "a.ods", [["a", "b"], Raw(row.format(3, 999_999_999)), empty])
    assert rows_of(path) == [("x", "x")] * 3
    refused(ods(tmp_path / "b.ods", [["who"], empty, ["x"]]), "holds values below row 1,048,576")
    refused(
        ods(
            tmp_path / "c.ods", [["who", "longitude", "latitude"], Raw(row.format(999_999_999, 1))]
        ),
        "holds values below row 1,048,576",
    )
    refused(ods(tmp_path / "d.ods", [Raw(row.format(1, 999_999_999))]), "more than 10,000 columns")


def test_bombs_and_entities(tmp_path):
    """What unpacks to more than any honest file, or declares entities, is refused before it is read."""
    refused(
        xlsx(
            tmp_path / "a.xlsx", ROWS, parts={"xl/sharedStrings.xml": b"<sst>" + b" " * (80 << 20)}
        ),
        "unpacks to more than",
    )
    refused(
        ods(tmp_path / "a.ods", ROWS, parts={"content.xml": b"<a>" + b" " * (80 << 20)}),
        "unpacks to more than",
    )
    lol = '<!DOCTYPE a [<!ENTITY b "tess">]>'
    refused(
        xlsx(tmp_path / "b.xlsx", ROWS, parts={"xl/worksheets/sheet1.xml": lol + xlsx_sheet(ROWS)}),
        "declares XML entities",
    )
    refused(
        ods(tmp_path / "b.ods", ROWS, parts={"content.xml": lol + "<a>&b;</a>"}),
        "declares XML entities",
    )


def test_rows_keep_their_order_and_cells_their_row(tmp_path):
    """A row or cell that names another's place is no sheet's; what a sheet says of its own size is not believed."""
    sheet = xlsx_sheet(ROWS)
    for old, new in (
        ('<row r="3"', '<row r="2"'),
        ('r="A3"', 'r="A2"'),
        ('r="B3"', 'r="A3"'),
        ('<row r="3"', '<row r="1048577"'),
        ('r="B3"', 'r="XFE3"'),
        ('<row r="3"', '<row r="x"'),
        ('<row r="3">', '<row r="3"><row>'),
    ):
        assert old in sheet
        changed = sheet.replace(old, new, 1)
        refused(
            xlsx(
                tmp_path / "a.xlsx", ROWS, shared=False, parts={"xl/worksheets/sheet1.xml": changed}
            ),
            "do not stand in their order|damaged inside",
        )
    wide = sheet.replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')
    path = xlsx(tmp_path / "b.xlsx", ROWS, shared=False, parts={"xl/worksheets/sheet1.xml": wide})
    assert dm.inspect(dm.read(path, unit="who")).usable == 3
    far = [*ROWS, Raw('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')]
    assert dm.inspect(dm.read(xlsx(tmp_path / "c.xlsx", far), unit="who")).usable == 3


@pytest.mark.parametrize("chunk", [4 << 20, 13])
def test_no_row_stands_behind_the_last_there_can_be(tmp_path, monkeypatch, chunk):
    """One person's row with the largest number hides nobody's row behind it: the file is refused, wherever a stretch of it ends."""
    monkeypatch.setattr("dpmap.survey.files.tables.CHUNK", chunk)
    last = Raw('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    refused(xlsx(tmp_path / "a.xlsx", [*ROWS, last, ROWS[1]]), "do not stand in their order")
    assert dm.inspect(dm.read(xlsx(tmp_path / "b.xlsx", [*ROWS, last]), unit="who")).usable == 3


@each
def test_damaged_workbooks_are_one_line(tmp_path, name):
    """Cut short anywhere, or with bytes changed, a workbook is refused or read, and nothing else."""
    whole = WRITERS[name](tmp_path / name, [HEAD, ["tess", 0.1, 50.1]]).read_bytes()
    for at in range(0, len(whole), len(whole) // 25):
        for damaged in (
            whole[:at],
            whole[:at] + bytes(9) + whole[at + 9 :],
            whole[:at] + b"\xff" * 7 + whole[at + 7 :],
        ):
            (tmp_path / name).write_bytes(damaged)
            try:
                rows_of(tmp_path / name) if at % 2 else dm.read(tmp_path / name, unit="who")
            except dm.errors.DpmapError as error:
                assert "\n" not in str(error)
                assert "tess" not in str(error)


def test_parts_that_are_missing(tmp_path):
    """A workbook whose list, sheet or content is not there is refused; one without styles or shared texts is read."""
    for part in ("xl/worksheets/sheet1.xml", "xl/workbook.xml"):
        refused(
            xlsx(
                tmp_path / "a.xlsx",
                ROWS,
                parts={part: None, "xl/workbook2.xml": "<a/>", "xl/workbook.bin": "x"},
            ),
            "damaged inside",
        )
    refused(zipped(tmp_path / "b.ods", {"content.xml": "<a/>"}), "holds no sheet of rows")
    lean = xlsx(tmp_path / "c.xlsx", ROWS, shared=False, parts={"xl/_rels/workbook.xml.rels": None})
    refused(lean, "holds no sheet of rows")


def test_locked_workbooks_say_so(tmp_path):
    """A workbook with a password is called that."""
    for name, content in (
        ("a.xlsx", {"EncryptedPackage": bytes(5000), "EncryptionInfo": bytes(9)}),
        ("a.xls", {"Workbook": record(0x809, BEGIN) + record(0x2F, bytes(6)) + record(0x0A, b"")}),
    ):
        (tmp_path / name).write_bytes(compound(content))
        refused(tmp_path / name, f"{name} is locked with a password; save it without one")
    refused(
        ods(tmp_path / "a.ods", ROWS, parts={"META-INF/manifest.xml": "<a><encryption-data/></a>"}),
        "is locked with a password",
    )
    (tmp_path / "b.doc").write_bytes(compound({"WordDocument": bytes(5000)}))
    refused(tmp_path / "b.doc", "b.doc is no workbook")


def test_an_old_workbook_that_claims_too_much(tmp_path):
    """Cells beyond the 256 columns of an .xls, and texts that are not there, are refused; what it says of its size is not believed."""
    for cell in (record(0x203, bytes.fromhex("090060ea") + bytes(10)), wide_row(250, 8)):
        refused(
            xls(tmp_path / "a.xls", [*ROWS, [Raw(cell.hex())]]), "claims more than an .xls can hold"
        )
    for texts in (
        struct.pack("<II", 1 << 30, 1 << 30),
        struct.pack("<II", 2, 2) + b"\2\0\0ab",
        b"\0" * 8 + b"\1\0\0a",
    ):
        refused(xls(tmp_path / "a.xls", ROWS, more=record(0xFC, texts)), "damaged inside")
    for sizes in (
        struct.pack("<IIHHH", 0, 1 << 31, 0, 9, 0),
        struct.pack("<IIHHH", 0, 9, 0, 60_000, 0),
    ):
        path = xls(tmp_path / "b.xls", ROWS, more=record(0x200, sizes))
        assert dm.inspect(dm.read(path, unit="who")).usable == 3


def wide_row(column, many):
    """A record of many short numbers in row 9, from a column on: 1, 2.5, 3, 2.5 ..."""
    one, halves = struct.pack("<Hi", 0, (1 << 2) | 2), struct.pack("<Hi", 0, (250 << 2) | 3)
    body = b"".join((one, halves)[at % 2] for at in range(many))
    return record(0xBD, struct.pack("<HH", 8, column) + body + struct.pack("<H", column + many - 1))


def test_every_kind_of_cell_of_an_old_workbook(tmp_path):
    """Short numbers, rows of them, rich texts, errors and formulas of numbers, texts, truths and nothing are read as they stand."""
    text = b"\3\0\0ann"
    empty, truth, wrong, its_text = (
        bytes([kind, 0, 1, 0, 0, 0, 255, 255]) for kind in (3, 1, 2, 0)
    )

    def formula(column, value):
        return record(0x06, struct.pack("<HHH", 8, column, 0) + value + bytes(8))

    cells = [
        record(0xD6, struct.pack("<HHH", 8, 0, 0) + text + b"\1\0" + bytes(4)),
        record(0x27E, struct.pack("<HHHi", 8, 1, 0, (-500 << 2) | 3)),
        record(0x27E, struct.pack("<HHH", 8, 2, 0) + struct.pack("<d", 0.5)[4:]),
        wide_row(3, 2),
        record(0x201, struct.pack("<HHH", 8, 5, 0)),
        record(0x205, struct.pack("<HHHBB", 8, 6, 0, 42, 1)),
        formula(7, struct.pack("<d", 43831.0)),
        formula(8, its_text)
        + record(0x4BC, bytes(9))
        + record(0x207, text[:3] + b"bo")
        + record(0x3C, b"\1b\0"),
        formula(9, truth),
        formula(10, wrong),
        formula(11, empty),
        formula(12, its_text),
        record(0x205, struct.pack("<HHHBB", 8, 13, 0, 0, 0)),
        record(0x207, text),
    ]
    head = [f"c{at}" for at in range(14)]
    path = xls(tmp_path / "a.xls", [head, [Raw(b"".join(cells).hex())]])
    expected = (
        "ann",
        "-5",
        "0.5",
        "1",
        "2.5",
        None,
        None,
        "43831",
        "bob",
        "true",
        None,
        None,
        None,
        "false",
    )
    assert rows_of(path) == [expected]
    for odd in (
        cells[::-1],
        [cells[1], cells[1]],
        [cells[0][:-1]],
        [record(0xFD, bytes(4))],
        [wide_row(3, 2)[:-1] + b"\7"],
    ):
        refused(
            xls(tmp_path / "b.xls", [["who"], [Raw(b"".join(odd).hex())]]),
            "in their order|damaged inside",
        )


def test_a_text_is_read_to_its_own_last_mark(tmp_path):
    """Wherever a record ends within the texts that cells share, in an .xls each of them is what it is by itself."""
    texts = [
        "\U0001f985 eagle",
        "a",
        "",
        "sam\u00eda",
        "\u674e\U0001f985\U0001f985",
        "x" * 30,
        "\ud83e",
    ]
    rows = [["t"], *([one] for one in texts)]
    plain = rows_of(xls(tmp_path / "a.xls", rows), ["t"])
    assert len(plain) == 6
    for cut in range(5, 60):
        assert rows_of(xls(tmp_path / "a.xls", rows, cut=cut), ["t"]) == plain
    half = record(0xFC, struct.pack("<II", 1, 1) + b"\2\0\1a\0b") + record(0x3C, b"\1\0")
    refused(xls(tmp_path / "b.xls", ROWS, more=half), "damaged inside")
    refused(xls(tmp_path / "b.xls", ROWS, more=record(0xFC, bytes(8)) * 2), "damaged inside")


def test_texts_with_fonts_and_sounds(tmp_path):
    """What a shared text says of its fonts and how it is pronounced is passed over, in however many records it stands."""
    first = struct.pack("<II", 2, 2) + b"\3\0\x0c" + struct.pack("<HI", 2, 5) + b"an"
    more = (
        record(0xFC, first)
        + record(0x3C, b"\0n" + bytes(6))
        + record(0x3C, bytes(7))
        + record(0x3C, b"\3\0\0bob")
    )
    shares = [Raw("fd000a00PLACE0000" + struct.pack("<I", at).hex()) for at in (1, 0, 2)]
    path = xls(tmp_path / "a.xls", [["a", "b", "c"], shares], more=more)
    assert rows_of(path) == [("bob", "ann", None)]


def test_an_old_workbook_of_another_kind_is_one_line(tmp_path):
    """What Excel 95 saved is called that; chains of sectors that bite their own tails end."""
    for stream in ("Book", "Workbook"):
        content = {
            stream: record(0x809, struct.pack("<HH", 0x500, 5) + bytes(4)) + record(0x0A, b"")
        }
        (tmp_path / "a.xls").write_bytes(compound(content))
        refused(
            tmp_path / "a.xls",
            "a.xls was saved as Excel 95 or older did; open it in a spreadsheet program and save it as .xlsx",
        )
    whole = bytearray(xls(tmp_path / "b.xls", ROWS).read_bytes())
    table = 512 + 512 * struct.unpack_from("<I", whole, 0x4C)[0]
    for sector in range(3):
        looped = bytearray(whole)
        struct.pack_into("<I", looped, table + 4 * sector, 0)
        (tmp_path / "b.xls").write_bytes(looped)
        refused(tmp_path / "b.xls", "damaged inside")
    (tmp_path / "c.xls").write_bytes(compound({"Workbook": bytes(whole[512:]), "WORKBOOK": b"x"}))
    refused(tmp_path / "c.xls", "damaged inside")


def test_a_text_has_no_limit_in_pieces(tmp_path, monkeypatch):
    """However many pieces a parser hands a cell's text over in, it is the same text; only its own length has a limit."""
    pieces, cut = "ab" * 3000, "&amp;<!-- -->" * 3000
    runs = Raw('<c r="PLACE" t="inlineStr"><is>' + "<r><t>ab</t></r>" * 3000 + "</is></c>")
    spans = "".join(f"<text:span>{one}</text:span>" for one in ["ab"] * 3000)
    rich = Raw(
        f'<table:table-cell office:value-type="string"><text:p>{spans}</text:p></table:table-cell>'
    )
    many = Raw(f'<c r="PLACE" t="str"><v>{cut}</v></c>')
    for chunk in (4 << 20, 7):
        monkeypatch.setattr("dpmap.survey.files.tables.CHUNK", chunk)
        assert rows_of(xlsx(tmp_path / "a.xlsx", [["a", "b"], [runs, many]])) == [
            (pieces, "&" * 3000)
        ]
        assert rows_of(ods(tmp_path / "a.ods", [["a"], [rich]])) == [(pieces,)]
    monkeypatch.setattr("dpmap.survey.files.workbook_cells.MOST_TEXT", 1001)
    assert rows_of(xlsx(tmp_path / "a.xlsx", [["a", "b"], [runs, "c" * 2000]])) == [
        (pieces[:1001], "c" * 1001)
    ]
    assert rows_of(ods(tmp_path / "a.ods", [["a"], [rich]])) == [(pieces[:1001],)]


def test_what_lies_deeper_shifts_no_list(tmp_path):
    """A text within a shared text, a style within a style, and formats of other lists move nobody's; a format told twice is refused."""
    told = [
        ["a", "b"],
        ["ann", Raw('<c r="PLACE" s="5"><v>45000</v></c>')],
        ["bob", Raw('<c r="PLACE" s="1"><v>45000</v></c>')],
    ]
    path = xlsx(tmp_path / "a.xlsx", told, formats=("0.0",))
    expected = [("ann", "45000"), ("bob", "2023-03-15")]
    assert rows_of(path) == expected
    with zipfile.ZipFile(path) as archive:
        texts, styles = (
            archive.read(f"xl/{one}.xml").decode() for one in ("sharedStrings", "styles")
        )
    nested = (
        texts.replace("ann</t>", "ann</t><si><t>bob</t></si>")
        .replace("<sst", "<sst")
        .replace("</sst>", "<x><si><t>y</t></si></x></sst>")
    )
    formats = styles.replace(
        "</styleSheet>",
        '<dxfs><dxf><numFmt numFmtId="164" formatCode="yyyy"/></dxf></dxfs></styleSheet>',
    )
    formats = formats.replace(
        '<cellXfs><xf numFmtId="0"/>',
        '<cellXfs><xf numFmtId="0"><extLst><xf numFmtId="14"/></extLst></xf>',
    )
    assert len(formats) > len(styles) + 80
    assert rows_of(xlsx(tmp_path / "b.xlsx", told, parts={"xl/styles.xml": formats})) == expected
    found = rows_of(
        xlsx(
            tmp_path / "b.xlsx",
            told,
            parts={"xl/sharedStrings.xml": nested, "xl/styles.xml": styles},
        )
    )
    assert [found[1]] == expected[1:]
    twice = styles.replace("</numFmts>", '<numFmt numFmtId="164" formatCode="yyyy"/></numFmts>')
    refused(xlsx(tmp_path / "c.xlsx", told, parts={"xl/styles.xml": twice}), "damaged inside")
    formats = b"".join(
        record(0x41E, struct.pack("<HH", 170, len(one)) + b"\0" + one) for one in (b"yyyy", b"0.0")
    )
    refused(xls(tmp_path / "c.xls", ROWS, more=formats), "damaged inside")


@each
def test_rows_that_come_out_are_counted(tmp_path, name, monkeypatch):
    """Were a row lost on its way out of a workbook, nothing would be released: they are counted where they end, and at the last."""
    path = WRITERS[name](tmp_path / name, ROWS)
    plain = workbook._below

    def lossy(*told):
        yield from list(plain(*told))[1:]

    monkeypatch.setattr(workbook, "_below", lossy)
    with pytest.raises(SystemFailed, match="not as many rows came out as are in the file"):
        dm.inspect(dm.read(path, unit="who"))


def test_a_folder_of_workbooks_is_one_survey(tmp_path):
    """Workbooks of one header are parts of one table; another header, another kind of file or a table hidden in one is refused."""
    folder = tmp_path / "parts"
    folder.mkdir()
    xlsx(folder / "one.xlsx", ROWS)
    ods(folder / "two.ods", ROWS)
    xls(folder / "three.xls", ROWS)
    assert dm.inspect(dm.read(folder, unit="who")).usable == 9
    assert dm.inspect(dm.read(folder, layer="two.ods", unit="who")).usable == 3
    source = open_source(folder)
    assert Counter(len(one.columns) for one in source.cut(3)) == {3: 3}
    (folder / "four.csv").write_text("who,longitude,latitude\neve,0.5,50.5\n")
    refused(folder, "several files that are no parts of one table")
    (folder / "four.csv").unlink()
    xlsx(folder / "five.xlsx", [["name", "longitude", "latitude"]])
    refused(folder, "five.xlsx has another header")
    refused(
        xlsx(tmp_path / "a.xlsx", ROWS, parts={"hers.csv": "who,longitude,latitude\n"}),
        "holds tables beside the parts of a workbook",
    )


@pytest.mark.parametrize(
    "hers",
    [
        "s.jsonl",
        "s.xml",
        "s.kmz",
        "s.pq",
        "s.fgb",
        "Objects.csv",
        "Pictures/s.csv",
        "xl/s.geojson",
        "Objects/s.gpx.gz",
    ],
)
def test_a_workbooks_parts_hide_no_other_file_of_an_archive(tmp_path, hers):
    """Whoever adds the parts of a workbook to an archive of other people's files does not take these out of the survey."""
    refused(
        ods(tmp_path / "a.zip", ROWS, parts={hers: "who"}),
        "holds tables beside the parts of a workbook",
    )
    own = {
        "Object 1/content.xml": "<a/>",
        "Pictures/a.png": "",
        "__MACOSX/._content.xml": "",
        "readme.txt": "hers",
    }
    assert dm.inspect(dm.read(ods(tmp_path / "b.ods", ROWS, parts=own), unit="who")).usable == 3


def test_a_sheet_is_of_workbooks_only(tmp_path):
    """Other kinds of files have no sheets, and no header in another row."""
    (tmp_path / "a.csv").write_text("who,longitude,latitude\nann,0.1,50.1\n")
    refused(tmp_path / "a.csv", "sheet: a.csv has no sheets; leave it out", sheet="Data")
    (tmp_path / "a.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    declared = dict(format="geojson", columns="who")
    refused(tmp_path / "a.geojson", "sheet: a.geojson has no sheets", sheet="1", **declared)
    refused(xlsx(tmp_path / "b.xlsx", ROWS), "layer: b.xlsx has no layers", layer="Data")


def test_lines_above_the_header_of_a_text(tmp_path):
    """With --header-row the lines above are passed over as they are, quotes or not; the rest is cut by the rule for text."""
    body = 'who,longitude,latitude\nann,0.1,50.1\n"b,ob",0.2,50.2\n'
    for above in (
        "Report\n\n",
        '"Report\n of 2024"\n',
        'say "hi\n1,2\n',
        "sep=;\nx\n",
        ",,,\n\ufeff\n",
    ):
        (tmp_path / "a.csv").write_text(above + body, encoding="utf-8")
        survey = dm.read(tmp_path / "a.csv", header_row=3, unit="who")
        assert survey.columns == tuple(HEAD)
        assert dm.inspect(survey).usable == 2
    (tmp_path / "a.csv").write_text("Report\n\n" + body, encoding="utf-16")
    assert dm.inspect(dm.read(tmp_path / "a.csv", header_row=3, unit="who")).usable == 2
    refused(tmp_path / "a.csv", "has no header line in line 2; say where it stands", header_row=2)
    refused(tmp_path / "a.csv", "has no header line in line 99", header_row=99)


def test_init_writes_down_which_sheet_and_row(tmp_path, monkeypatch, capsys):
    """What `dpmap init` was told of a sheet stands in dpmap.toml, and is what release reads from there."""
    monkeypatch.chdir(tmp_path)
    xlsx(tmp_path / "a.xlsx", [("Data", [["Report"], *ROWS]), ("More", [])])
    assert run(["inspect", "a.xlsx"]) == 2
    assert "add --sheet NAME, or its number" in capsys.readouterr().err
    told = ["--sheet", "data", "--header-row", "2", "--unit", "who"]
    assert run(["init", "a.xlsx", *told]) == 0
    text = (tmp_path / "dpmap.toml").read_text()
    assert 'sheet = "data"' in text
    assert "header-row = 2" in text
    (tmp_path / "dpmap.toml").write_text(
        text
        + "epsilon = 1\ncap = 1\nbudget = 2\ndataset = 'd'\ncell = '1 km'\narea = 'none.gpkg'\n"
    )
    assert run(["release"]) == 2
    assert (
        "none.gpkg" in capsys.readouterr().err
    )  # the survey was opened, and only the area is missing
