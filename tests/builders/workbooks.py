"""Writers of workbooks, byte by byte: .xlsx, .ods and .xls of invented sightings, as odd as a sheet can hold them.

A sheet is a list of rows, a row a list of cells: None for none, a text, a number, a truth, a date, a moment, a time or a span; or
`Raw`, the cell as the format writes it.
"""

import struct
import zipfile
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from xml.sax.saxutils import escape

TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = {date: 1, datetime: 2, time: 3, timedelta: 4}
FORMATS = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 22, 21, 46, 164))
SHEETS = "office:mimetype:application/vnd.oasis.opendocument.spreadsheet"


@dataclass(frozen=True)
class Raw:
    """A cell as the format writes it; `PLACE` in it stands for its own place."""

    text: str


def letters(column):
    """The letters of a column, counted from 1."""
    return (letters((column - 1) // 26) if column > 26 else "") + chr(65 + (column - 1) % 26)


def serial(value):
    """The number by which Excel keeps a date or time."""
    if isinstance(value, datetime):
        return (value - datetime(1899, 12, 30)) / timedelta(days=1)
    if isinstance(value, date):
        return (value - date(1899, 12, 30)).days
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second) / 86400
    return value / timedelta(days=1)


def plain(text):
    """A text without the marks that XML has no place for."""
    return "".join(
        one
        for one in text
        if one in "\t\n\r" or " " <= one < "\ud800" or "\ue000" <= one < "\ufffe" or one > "\uffff"
    )


def xlsx_cell(value, place, shared):
    """A cell of .xlsx; texts are shared if `shared` is a list to put them in."""
    if isinstance(value, Raw):
        return value.text.replace("PLACE", place)
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    if isinstance(value, str):
        if shared is None:
            return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(plain(value))}</t></is></c>'
        shared.append(value)
        return f'<c r="{place}" t="s"><v>{len(shared) - 1}</v></c>'
    return f'<c r="{place}" s="{STYLES[type(value)]}"><v>{serial(value)}</v></c>'


def xlsx_sheet(rows, shared=None, merged=(), more=""):
    """The XML of one sheet."""
    lines = []
    for number, row in enumerate(rows, start=1):
        if isinstance(row, Raw):
            lines.append(row.text.replace("PLACE", str(number)))
        elif row:
            cells = (
                xlsx_cell(value, f"{letters(at)}{number}", shared)
                for at, value in enumerate(row, start=1)
                if value is not None
            )
            lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    ranges = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    return f"<worksheet {MAIN}><sheetData>{''.join(lines)}</sheetData>{ranges}{more}</worksheet>"


def xlsx(
    path,
    sheets,
    *,
    shared=True,
    merged=(),
    hidden=(),
    charts=(),
    formats=(),
    since_1904=False,
    parts=None,
):
    """Writes an .xlsx of sheets by name (a list of pairs, or the rows of one); merged ranges are the first sheet's."""
    pairs = list(sheets.items()) if isinstance(sheets, dict) else sheets
    if pairs and not (
        isinstance(pairs[0], tuple) and len(pairs[0]) == 2 and isinstance(pairs[0][0], str)
    ):
        pairs = [("Sheet1", pairs)]
    texts = [] if shared else None
    bodies = [
        xlsx_sheet(rows, texts, merged if not at else ()) for at, (_, rows) in enumerate(pairs)
    ]
    listed = "".join(
        f'<sheet name="{escape(name, {chr(34): "&quot;"})}" sheetId="{at}" r:id="rId{at}"{" state=" + chr(34) + "hidden" + chr(34) if name in hidden else ""}/>'
        for at, (name, _) in enumerate(pairs, start=1)
    )
    links = "".join(
        f'<Relationship Id="rId{at}" Type="{KINDS}/{"chartsheet" if name in charts else "worksheet"}" Target="worksheets/sheet{at}.xml"/>'
        for at, (name, _) in enumerate(pairs, start=1)
    )
    links += f'<Relationship Id="s" Type="{KINDS}/styles" Target="/xl/styles.xml"/>'
    links += (
        f'<Relationship Id="t" Type="{KINDS}/sharedStrings" Target="sharedStrings.xml"/>'
        if shared
        else ""
    )
    codes = "".join(
        f'<numFmt numFmtId="{164 + at}" formatCode="{escape(code, {chr(34): "&quot;"})}"/>'
        for at, code in enumerate(formats)
    )
    own = "".join(f'<xf numFmtId="{164 + at}"/>' for at in range(len(formats)))
    members = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": f'<Relationships {LINKS}><Relationship Id="r" Type="{KINDS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{KINDS}"><workbookPr date1904="{int(since_1904)}"/><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"<Relationships {LINKS}>{links}</Relationships>",
        "xl/styles.xml": f"<styleSheet {MAIN}><numFmts>{codes}</numFmts><cellStyleXfs><xf numFmtId='14'/></cellStyleXfs>"
        f"<cellXfs>{FORMATS.replace('<xf numFmtId=' + chr(34) + '164' + chr(34) + '/>', '')}{own}</cellXfs></styleSheet>",
        **{f"xl/worksheets/sheet{at}.xml": body for at, body in enumerate(bodies, start=1)},
    }
    if shared:
        items = "".join(
            f'<si><t xml:space="preserve">{escape(plain(text))}</t></si>' for text in texts
        )
        members["xl/sharedStrings.xml"] = f"<sst {MAIN}>{items}</sst>"
    return zipped(path, members | (parts or {}))


def zipped(path, members):
    """Writes a zip of texts or bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            if content is not None:
                archive.writestr(
                    name,
                    content
                    if isinstance(content, bytes)
                    else content.encode("utf-8", "surrogatepass"),
                )
    return path


def ods_cell(value):
    """A cell of .ods."""
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, bool):
        told = f'boolean" office:boolean-value="{str(value).lower()}'
    elif isinstance(value, int | float):
        told = f'float" office:value="{value}'
    elif isinstance(value, str):
        lines = "".join(f"<text:p>{escape(plain(line))}</text:p>" for line in value.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    elif isinstance(value, timedelta | time):
        seconds = round(serial(value) * 86400)
        told = f'time" office:time-value="PT{seconds // 3600:02}H{seconds // 60 % 60:02}M{seconds % 60:02}S'
    else:
        told = f'date" office:date-value="{value.isoformat()}'
    return f'<table:table-cell office:value-type="{told}"/>'


def ods(path, sheets, *, hidden=(), parts=None):
    """Writes an .ods of sheets by name (a list of pairs, or the rows of one)."""
    pairs = list(sheets.items()) if isinstance(sheets, dict) else sheets
    if pairs and not (
        isinstance(pairs[0], tuple) and len(pairs[0]) == 2 and isinstance(pairs[0][0], str)
    ):
        pairs = [("Sheet1", pairs)]
    body = ""
    for name, rows in pairs:
        told = "".join(
            row.text
            if isinstance(row, Raw)
            else f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>"
            for row in rows
        )
        body += f'<table:table table:name="{escape(name, {chr(34): "&quot;"})}" table:style-name="{"off" if name in hidden else "on"}">{told}</table:table>'
    spaces = " ".join(
        f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"'
        for one in ("office", "table", "text", "style")
    )
    styles = '<style:style style:name="on"><style:table-properties table:display="true"/></style:style><style:style style:name="off"><style:table-properties table:display="false"/></style:style>'
    content = (
        f'<office:document-content {spaces} xmlns:calcext="urn:calcext"><office:automatic-styles>{styles}</office:automatic-styles>'
        f"<office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(
        path,
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content,
            "META-INF/manifest.xml": "<a/>",
        }
        | (parts or {}),
    )


def record(kind, data):
    """A record of BIFF."""
    return struct.pack("<HH", kind, len(data)) + data


def biff_text(text, long=True):
    """A text of BIFF8, two bytes a mark."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return struct.pack("<H" if long else "<B", len(raw) // 2) + b"\x01" + raw


def shared_texts(texts, cut):
    """The texts that cells of an .xls share, in records of at most `cut` bytes; where a text goes on in the next record, that
    begins with how it goes on, in one byte a mark or in two. Only a text's first three bytes stand together.
    """
    parts, room = [struct.pack("<II", len(texts), len(texts))], max(cut, 5)

    for text in texts:
        if len(parts[-1]) + 3 > room:
            parts.append(b"")
        narrow = all(mark < "\u0100" for mark in text)
        units = text.encode("latin-1" if narrow else "utf-16-le", "surrogatepass")
        wide = 1 if narrow else 2
        parts[-1] += struct.pack("<HB", len(units) // wide, not narrow)
        while units:
            fits = max(room - len(parts[-1]), 0) // wide * wide
            parts[-1] += units[:fits]
            units = units[fits:]
            if units:
                parts.append(bytes([not narrow]))
    return b"".join(record(0x3C if at else 0xFC, part) for at, part in enumerate(parts))


def xls_cell(value, row, column, shared=None):
    """A cell of .xls; texts are shared if `shared` is a list to put them in."""
    at = struct.pack("<HH", row, column)
    if isinstance(value, bool):
        return record(0x205, at + struct.pack("<HBB", 0, value, 0))
    if isinstance(value, str) and shared is not None:
        shared.append(value)
        return record(0xFD, at + struct.pack("<HI", 0, len(shared) - 1))
    if isinstance(value, str):
        return record(0x204, at + struct.pack("<H", 0) + biff_text(value))
    if isinstance(value, int | float):
        return record(0x203, at + struct.pack("<Hd", 0, value))
    if isinstance(value, Raw):
        return bytes.fromhex(value.text.replace("PLACE", at.hex()))
    return record(0x203, at + struct.pack("<Hd", STYLES[type(value)], serial(value)))


def xls(path, sheets, *, merged=(), more=b"", since_1904=False, cut=None, hidden=()):
    """Writes an .xls of sheets by name (a list of pairs, or the rows of one); `merged` are ranges of four numbers from 0: first
    row, last row, first column, last column; `more` are records for the list of sheets; with `cut` cells share texts, which
    stand in records of at most so many bytes.
    """
    pairs = sheets if sheets and isinstance(sheets[0], tuple) else [("Sheet1", sheets)]
    begin = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)
    bodies, shared = [], None if cut is None else []
    for number, (_, rows) in enumerate(pairs):
        body = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 6))
        for at, row in enumerate(rows):
            body += b"".join(
                xls_cell(value, at, column, shared)
                for column, value in enumerate(row)
                if value is not None
            )
        if merged and not number:
            body += record(
                0xE5,
                struct.pack("<H", len(merged))
                + b"".join(struct.pack("<4H", *one) for one in merged),
            )
        bodies.append(body + record(0x0A, b""))
    head = (
        record(0x809, begin)
        + record(0x42, struct.pack("<H", 1200))
        + record(0x22, struct.pack("<H", since_1904))
        + more
    )
    head += b"".join(record(0xE0, struct.pack("<HH16x", 0, code)) for code in (0, 14, 22, 21, 46))
    texts = b"" if cut is None else shared_texts(shared, cut)
    size = (
        len(head)
        + sum(len(record(0x85, bytes(6) + biff_text(name, long=False))) for name, _ in pairs)
        + len(texts)
        + 4
    )
    for (name, _), body in zip(pairs, bodies, strict=True):
        head += record(
            0x85, struct.pack("<IBB", size, name in hidden, 0) + biff_text(name, long=False)
        )
        size += len(body)
    path.write_bytes(compound({"Workbook": head + texts + record(0x0A, b"") + b"".join(bodies)}))
    return path


def compound(streams):
    """A compound file of a few streams."""
    chains, table, sectors = [], [], b""
    for content in streams.values():
        padded = content.ljust(4096, b"\0")
        padded += bytes(-len(padded) % 512)
        many = len(padded) // 512
        chains.append((len(table), max(4096, len(content))))
        table += [*range(len(table) + 1, len(table) + many), 0xFFFFFFFE]
        sectors += padded
    entries = [
        ("Root Entry", 5, 0xFFFFFFFE, 0),
        *((name, 2, *chain) for name, chain in zip(streams, chains, strict=True)),
    ]
    listing = b""
    for at, (name, kind, start, size) in enumerate(entries):
        raw = (name + "\0").encode("utf-16-le")
        child = 1 if at == 0 else 0xFFFFFFFF
        right = at + 1 if 0 < at < len(entries) - 1 else 0xFFFFFFFF
        listing += raw.ljust(64, b"\0") + struct.pack(
            "<HBBIII36xIII", len(raw), kind, 1, 0xFFFFFFFF, right, child, start, size, 0
        )
    listing = listing.ljust(-len(listing) % 512 + len(listing), b"\0")
    first = len(table)
    many = len(listing) // 512
    table += [*range(first + 1, first + many), 0xFFFFFFFE]
    wide = 0
    while wide * 128 < len(table) + wide:
        wide += 1
    own = range(len(table), len(table) + wide)
    table += [0xFFFFFFFD] * wide + [0xFFFFFFFF] * (wide * 128 - len(table) - wide)
    head = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack(
            "<HHHHH6xIIIIIIIII",
            0x3E,
            3,
            0xFFFE,
            9,
            6,
            0,
            wide,
            first,
            0,
            4096,
            0xFFFFFFFE,
            0,
            0xFFFFFFFE,
            0,
        )
    )
    head += struct.pack("<109I", *own, *[0xFFFFFFFF] * (109 - wide))
    return head + sectors + listing + struct.pack(f"<{len(table)}I", *table)
