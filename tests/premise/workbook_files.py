"""Workbooks: a row of a sheet is a record, or a few rows that merged cells hold together; odd cells are as the format writes them."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from builders.workbooks import Raw, letters, ods, ods_cell, xls, xlsx
from side_by_side import FIELDS, Family, Odd, a_row

WHO, LON, OK, NOTE = (FIELDS.index(name) for name in ("who", "lon", "ok", "note"))


SMALL = (
    ("dpmap.survey.files.tables.CHUNK", 13),
    ("dpmap.survey.files.workbook_cells.MOST_TEXT", 60),
)
"""A stretch of XML that ends within every cell, and a text that ends within a note."""


CHART = "0908100000062000" + "00" * 12 + "03020e00" + "00" * 14 + "0a000000"
"""A chart within a sheet of an .xls, with a number of its own."""


@dataclass(frozen=True)
class Some:
    """Rows of one person, and what is merged among them: first and last row, first and last column, counted from 0."""

    rows: tuple
    merged: tuple = ()


def value(one):
    """A value as a cell holds it: a text, a truth or a number that is one."""
    if one is None or isinstance(one, bool | str):
        return one
    return one if isinstance(one, int | float) and abs(one) < 1e300 else str(one)


class Workbook(Family):
    """Rows below a header in one sheet; `knobs` are limits made small, so that every seam is crossed."""

    pairs = 60
    first = ("lon dated", "crew merged", "ok merged", "many pieces")
    accepted = 0.5

    def __init__(self, name, file, pairs=60, knobs=(), **more):
        self.name, self.file, self.pairs, self.knobs, self.more = name, file, pairs, knobs, more

    def record(self, row, dice):
        return Some(([value(row[name]) for name in FIELDS],))

    def with_cell(self, dice, at, cell, **told):
        row = [value(one) for one in a_row(dice, "tess", **told).values()]
        row += [None] * (at + 1 - len(row))
        row[at] = cell
        return Some((row,))

    def odd(self, dice):
        for at in (WHO, LON, OK, FIELDS.index("when"), NOTE):
            for cell in (
                date(2020, 7, 1),
                date(1951, 5, 5),
                date(1999, 12, 31),
                datetime(2020, 7, 1, 23, 59, 59),
                time(23, 59),
                timedelta(days=400),
                43831,
                43831.75,
                2958466,
                True,
                1e-300,
                10**40,
            ):
                yield Odd(
                    "lon dated" if at == LON and isinstance(cell, date) else f"a cell at {at}",
                    self.with_cell(dice, at, cell),
                )
        for wide in (len(FIELDS), len(FIELDS) + 3, 200):
            yield Odd("a cell beyond the header", self.with_cell(dice, wide, "sam 1"))
        row = [value(one) for one in a_row(dice, "tess").values()]
        below = [None if at in (WHO, OK) else one for at, one in enumerate(row)]
        rows, last = (row, below, below), len(FIELDS) - 1
        for merged in (
            ((0, 0, WHO, LON),),
            ((0, 0, WHO, last), (2, 2, WHO, LON)),
            ((0, 0, WHO, 9000),),
            ((0, 2, last + 1, 400),),
            ((0, 0, WHO, LON), (0, 0, LON, OK)),
        ):
            yield Odd("merged", Some(rows, merged))
        yield Odd("merged rows", Some(rows, ((0, 2, WHO, WHO), (1, 2, WHO, OK))), whole=False)
        for name in ("crew", "ok"):
            at = FIELDS.index(name)
            here = [*row[:at], "tess" if name == "crew" else "yes", *row[at + 1 :]]
            yield Odd(f"{name} merged", Some((here,), ((0, 3, at, at),)), whole=False)
        yield Odd("many pieces", self.with_cell(dice, NOTE, "<a>&\n" * 60, kind="\u674e\n" * 40))
        yield Odd("no rows", Some(([], [], [])))
        yield Odd("one cell", Some(([None, 1.5],)))
        for at in (WHO, LON, OK, NOTE):
            yield from (
                Odd(f"{text[:40]} at {at}", self.with_cell(dice, at, Raw(text)), whole)
                for text, whole in self.raw()
            )
        yield from (
            Odd(f"row {row.text[:40]}", Some((row,)), whole) for row, whole in self.raw_rows(dice)
        )

    def raw(self):
        return ()

    def raw_rows(self, dice):
        return ()

    def write(self, folder, records, dice):
        rows, merged = [list(FIELDS)], []
        for record in records:
            merged += [
                (len(rows) + top, len(rows) + bottom, left, right)
                for top, bottom, left, right in record.merged
            ]
            rows += record.rows
        dice.shuffle(merged)
        return self.save(folder / self.file, rows, merged)

    def save(self, path, rows, merged):
        names = [
            f"{letters(left + 1)}{top + 1}:{letters(right + 1)}{bottom + 1}"
            for top, bottom, left, right in merged
        ]
        return xlsx(path, rows, merged=names, formats=("yyyy", '"tess"0', "[Red]d"), **self.more)


class Xlsx(Workbook):
    """As Excel and those that write like it save it."""

    first = (*Workbook.first, 'row <row r="1048576">')

    def raw(self):
        for inside in (
            ' t="s"><v>99999999</v>', ' t="s"><v>-1</v>', ' t="s"><v>x</v>', ' t="e"><v>#N/A</v>', ' t="str"><f>A1</f><v>tess</v>', "><f>A1</f>", ' s="99"><v>43831</v>', ' s="-1"><v>43831</v>',
            ' s="1"><v>-5</v>', ' s="1"><v>60</v>', ' s="1"><v>1e300</v>', ' s="1"><v>NaN</v>', ' s="5"><v>43831</v>', ' s="6"><v>43831</v>', ' s="7"><v>43831</v>', "><v>Infinity</v>", "><v>1_0</v>",
            "><v></v>", "><v>1</v><v>2</v>", ' t="b"><v>7</v>', ' t="d"><v>2020-01-02</v>', ' t="tess"><v>tess</v>', ' t="inlineStr"><is><r><t>te</t></r><r><t>ss</t></r><rPh><t>sam 1</t></rPh></is>',
            ' t="inlineStr"><is><t>_x0007_tess_xD800__x005F_x0041_</t></is>', ' t="inlineStr"><v>0</v>', ' t="s"><is><t>sam 1</t></is>', "><v>" + "1" * 6000 + "</v>", ' t="str"><v>' + "x" * 100_000 + "</v>",
            "><extLst><ext><v>5</v></ext></extLst>", "><v><!-- 1 -->2</v>", ' t="str"><v><![CDATA[<tess>]]></v>', ' cm="1" vm="1"><v>5</v>',
        ):  # fmt: skip
            yield f'<c r="PLACE"{inside}</c>', True
        for cell in ('<c r="A2"><v>1</v></c>', '<c r="ZZZZ2"><v>1</v></c>', '<c r="b2"><v>1</v></c>', '<c r=""/>', '<c r="PLACE"><c r="PLACE"/></c>', '<c r="PLACE"><v>&tess;</v></c>', '<c r="PLACE"><v>', '<c r="XFE1"/>',
                     '<c r="PLACE"/><c r="PLACE"><v>5</v></c>', "<row/>", "</row>", "</sheetData>"):  # fmt: skip
            yield cell, False

    def raw_rows(self, dice):
        here = '<c><v>1</v></c><c><v>1.5</v></c><c t="inlineStr"><is><t>tess</t></is></c>'
        yield from (
            (Raw(text), whole)
            for text, whole in (
                (f'<row r="PLACE" hidden="1" ht="0">{here}</row>', True), ('<row r="PLACE"/>', True), (f'<row r="PLACE" spans="1:99999">{here}</row>', True), (f"<row>{here}</row>", False), (f'<row r="2">{here}</row>', False),
                (f'<row r="9999999">{here}</row>', False), ('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', False), (f'<row r="-1">{here}</row>', False), ("<!-- tess -->", True), ("tess", True),
                (f'<tess>{here}</tess>', False), ('<mergeCell ref="A1:XFD1048576"/>', False), ('<mergeCells><mergeCell ref="tess"/></mergeCells>', False),
            )
        )  # fmt: skip


class Ods(Workbook):
    """As LibreOffice saves it; merged cells say so themselves."""

    def raw(self):
        for text in (
            ' office:value-type="float" office:value="NaN"/>', ' office:value-type="float"/>', ' office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>',
            ' office:value-type="boolean" office:boolean-value="maybe"/>', ' office:value-type="date" office:date-value="-0001-02-30"/>', ' office:value-type="time" office:time-value="PT99999999999H"/>',
            ' office:value-type="tess" office:value="1"><text:p>tess</text:p></table:table-cell>', ' table:number-columns-repeated="-4"/>', "><text:p>te<text:s text:c='99999999'/>ss</text:p></table:table-cell>",
            ' office:value-type="string"><text:p>te</text:p><text:p>ss</text:p><office:annotation><text:p>sam 1</text:p></office:annotation></table:table-cell>', ' table:number-columns-repeated="tess"/>',
            ' office:value-type="string"><table:table><table:table-row><table:table-cell><text:p>sam 1</text:p></table:table-cell></table:table-row></table:table></table:table-cell>',
        ):  # fmt: skip
            yield f"<table:table-cell{text}", True
        yield (
            '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="999999999999"/>',
            True,
        )
        yield "<table:table-cell", False

    def raw_rows(self, dice):
        here = '<table:table-cell office:value-type="string"><text:p>tess</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="2"/>'
        for times, whole in (
            ("3", True),
            ("2000", True),
            ("999999999999", False),
            ("1048577", False),
            ("-1", True),
            ("", True),
        ):
            yield (
                Raw(
                    f'<table:table-row table:number-rows-repeated="{times}">{here}</table:table-row>'
                ),
                whole,
            )
        yield (
            Raw(
                '<table:table-row table:number-rows-repeated="999999999999"><table:table-cell/></table:table-row>'
            ),
            False,
        )
        yield (
            Raw(
                f"<table:table-row-group><table:table-row>{here}</table:table-row></table:table-row-group>"
            ),
            True,
        )
        yield Raw(f'<table:table-row table:visibility="collapse">{here}</table:table-row>'), True

    def save(self, path, rows, merged):
        spans = {}
        for top, bottom, left, right in merged:
            spans[top, left] = (
                f' table:number-rows-spanned="{bottom - top + 1}" table:number-columns-spanned="{right - left + 1}"'
            )
        told = []
        for number, row in enumerate(rows):
            if isinstance(row, Raw):
                told.append(row)
                continue
            row = list(row) + [None] * (
                max([left for top, left in spans if top == number], default=-1) + 1 - len(row)
            )
            made = [ods_cell(one) for one in row]
            told.append(
                [
                    Raw(
                        text.replace(
                            "<table:table-cell", f"<table:table-cell{spans[number, at]}", 1
                        )
                    )
                    if (number, at) in spans
                    else Raw(text)
                    for at, text in enumerate(made)
                ]
            )
        return ods(path, told)


class Xls(Workbook):
    """As old Excel saves it; texts stand in their cells, or are shared in records of one of the sizes in `cuts`."""

    first = (*Workbook.first, "0a000000 at 0")

    def record(self, row, dice):
        """Names beyond U+FFFF, which take two marks."""
        made = super().record(row, dice)
        eagles = [
            one.replace("sam", "s\U0001f985m") if isinstance(one, str) else one
            for one in made.rows[0]
        ]
        return Some((self.fits(eagles),))

    def fits(self, row):
        return [
            one[:3000]
            if isinstance(one, str)
            else str(one)
            if isinstance(one, int) and abs(one) > 2**53
            else one
            for one in row
        ]

    def odd(self, dice):
        for one in super().odd(dice):
            some, merged = one.data.rows, one.data.merged
            if all(len(row) <= 256 for row in some) and all(right < 256 for *_, right in merged):
                yield Odd(one.name, Some(tuple(self.fits(row) for row in some), merged), one.whole)

    def write(self, folder, records, dice):
        self.cut = dice.choice(self.more["cuts"])
        return super().write(folder, records, dice)

    def save(self, path, rows, merged):
        return xls(path, [row[:256] for row in rows], merged=merged, cut=self.cut)

    def raw(self):
        text, its_text = "0300007465737a", "000000000000ffff"
        yield from (
            ("fd000a00PLACE0000ffffffff", True),
            ("7e020a00PLACE000003000000", True),
            (f"04020d00PLACE0000{text}3c00020001ff", True),
            (f"06001600PLACE0000{its_text}0000000000000000", True),
            (f"06001600PLACE0000{its_text}000000000000000007020700{text}07020700{text}", True),
            (f"07020700{text}", True),
            ("03020e00PLACE0000000000000000f87f", True),
            (CHART, True),
            ("04020900PLACE0000ff0001", False),
            ("bd000c00PLACE000000000000ff00", False),
            ("03020e000000ff010000000000000000f03f", False),
            ("03020e000000000000000000000000f03f", False),
            ("0a000000", False),
            ("0908100000061000000000000000000000000000", False),
            ("ff", False),
        )


FAMILIES = (
    Xlsx("xlsx", "survey.xlsx", 70),
    Xlsx("xlsx, texts in their cells", "survey.csv", 30, shared=False),
    Ods("ods", "survey.ods"),
    Xls("xls", "survey.xls", cuts=(None, 8224)),
    Xls("xls, records end anywhere", "survey.xls", cuts=(5, 6, 7, 11, 16, 31, 64)),
    Xlsx("xlsx, chunks end anywhere", "survey.xlsx", 70, knobs=SMALL),
    Xlsx(
        "xlsx, texts in their cells, chunks end anywhere",
        "survey.xlsx",
        70,
        knobs=SMALL,
        shared=False,
    ),
    Ods("ods, chunks end anywhere", "survey.ods", 60, knobs=SMALL),
)
