"""The rule of delimited text: the ways in which lines are cut have one meaning."""

import gzip
import io
import random
import sys
import tarfile
import zipfile

import numpy as np
import pytest
from side_by_side import SEED, TIMES, Family, Question, Reader, Refusal

from dpmap.errors import BadInput
from dpmap.survey.files import lines, strict_csv, tables
from dpmap.survey.files.strict_csv import Cutter, level
from dpmap.survey.files.tables import Cut, plain_file, table
from dpmap.survey.files.text_columns import inside_quotes

COLUMNS = ("a", "b", "c")
TABLE, DECLARED_BY_META = Family(), Family()
DECLARED_BY_META.placed = True
PIECES = (
    '"', '"', '""', ",", ",", ",", "\n", "\n", "\r\n", "\r", " ", "x", "1", "\0", ";", '","', '",\n', ',"', '\n"', "\u00e9", "\\", "#", "'", '"x"', ',"y y"', ',"a""b"', '"\n', "x,y\n", "1,2,3\n",
)  # fmt: skip


@pytest.fixture(scope="module")
def reader():
    made = Reader()
    yield made
    made.close()


def by_the_rule(data, mark, quote='"'):
    """The records of some bytes, mark by mark, as the rule's words have them; None where it ends inside a quoted text."""
    lines = data.replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    text = "\n".join(decoded(line) for line in lines)
    at, records = 0, []
    while at < len(text):
        fields, keeps, ended = [], True, False
        at += text[at] == "\ufeff"
        while not ended:
            start = at
            while text[at : at + 1] == " " and mark != " ":
                at += 1
            value = ""
            if text[at : at + 1] == quote:
                at += 1
                while True:
                    if at >= len(text):
                        return None
                    if text[at] == quote and text[at + 1 : at + 2] == quote:
                        value, at = value + quote, at + 2
                    elif text[at] == quote:
                        at += 1
                        break
                    else:
                        value, at = value + text[at].replace("\n", " "), at + 1
                while at < len(text) and text[at] not in (mark, "\n"):
                    keeps, at = keeps and text[at] == " ", at + 1
            else:
                at = start
                while at < len(text) and text[at] not in (mark, "\n"):
                    value, at = value + text[at], at + 1
                keeps = keeps and value.count(quote) % 2 == 0
            fields.append(value)
            ended = at >= len(text) or text[at] == "\n"
            at += 1
        if keeps:
            records.append(tuple([*fields, "", "", ""][: len(COLUMNS)]))
    return records


def decoded(line):
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def some_bytes(dice, mark):
    """Soups of marks; some such that each line is a record, as most files are."""
    if dice.random() < 0.3:
        field = lambda: dice.choice(
            ("x", "", "1.5", '"x"', '"a,b"', '"a""b"', '""', "a b", '""""', '"\u00e9"')
        )
        end = dice.choice(("\n", "\n", "\r\n"))
        text = "".join(
            mark.join(field() for _ in range(dice.choice((1, 2, 3, 3, 3, 4)))) + end
            for _ in range(dice.randrange(30))
        )
    else:
        text = "".join(dice.choices(PIECES, k=dice.choice((1, 3, 8, 20, 60, 300)))).replace(
            ",", mark
        )
    data = text.encode()
    return (
        data
        if dice.random() < 0.9
        else data + dice.choice((b"\xff", b"\xe9x\n", b"\xc3,\n", b"\xef\xbb\xbf"))
    )


def as_columns(path, mark):
    """The records of a file as its columns hold them, or None where it is refused."""
    try:
        source = table([plain_file(str(path))], Cut(COLUMNS, "utf-8", mark)).bind(())
        with source.stream(list(COLUMNS)) as reader:
            columns = reader.read_all().to_pydict()
    except BadInput:
        return None
    return [tuple(text or "" for text in row) for row in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize("mark", [",", ";", "\t", " "])
def test_lines_are_cut_by_one_rule(mark, tmp_path, monkeypatch):
    """A file read at once and one read by small blocks and chunks give the records that the rule gives, none more and none fewer."""
    dice, path = random.Random(f"{SEED}-{mark}"), tmp_path / "s.csv"
    ways = {"read": 0, "refused": 0}
    for _ in range(300 * TIMES):
        data = some_bytes(dice, mark) or b"x"
        path.write_bytes(data)
        monkeypatch.setattr(strict_csv, "BLOCK", dice.choice((1, 2, 3, 10, 40, 1 << 20)))
        monkeypatch.setattr(tables, "CHUNK", dice.choice((1, 2, 3, 7, 50, 1 << 20)))
        expected = by_the_rule(data, mark)
        records = as_columns(path, mark)
        filled = lambda rows: rows if rows is None else [row for row in rows if any(row)]
        ways["refused" if records is None else "read"] += 1
        assert filled(records) == filled(expected), data
    print(ways)
    assert min(ways.values()) >= 5 * TIMES


def test_quotes_counted_in_words_are_those_counted_one_by_one():
    """Which marks of a block stand inside quotes does not depend on where a word of 64 of them ends."""
    dice = np.random.default_rng(SEED)
    for length in [*range(1, 200), 4095, 4096, 4097]:
        for share in (0, 0.01, 0.3, 1):
            is_quote = dice.random(length) < share
            one_by_one = np.logical_xor.accumulate(is_quote)
            assert (inside_quotes(is_quote) == one_by_one).all(), (length, share)


def test_every_length_of_a_text_meets_every_end_of_a_block(tmp_path, monkeypatch):
    """One person's quoted note, however long, leaves the next thousand rows where they are, wherever a buffer ends within it."""
    path = tmp_path / "s.csv"
    monkeypatch.setattr(strict_csv, "BLOCK", 64)
    monkeypatch.setattr(tables, "CHUNK", 48)
    others = [(f"sam {at}", str(at), '"') for at in range(40)]
    for length in range(130):
        note = "n" * length + 'a "b", "c"'
        rows = [("tess", note, "x"), *others]
        quote = lambda text: '"' + text.replace('"', '""') + '"'
        path.write_text(
            "".join(
                ",".join(quote(field) if '"' in field else field for field in row) + "\n"
                for row in rows
            )
        )
        assert as_columns(path, ",") == rows


@pytest.mark.parametrize(
    "header",
    [
        'who,"lon,lat\n',
        'who,lon,"lat\n',
        '"who,lon,lat\n',
        'who,"lon\n(east)",lat\n',
        'who,lon,lat"\n',
        ' "who,lon,lat\n',
    ],
)
@pytest.mark.parametrize("record", ["", '"x",1,2\n', 'sam,"1",2\n"', 'a"\nb,1,2\n'])
def test_no_record_tells_where_a_header_ends(header, record, tmp_path):
    """A header is its first line, whatever quotes it and the records below it hold, or the file is refused."""
    path, columns = tmp_path / "s.csv", set()
    for below in (record, "sam,1,2\n", record + "sam,1,2\n"):
        path.write_text(header + below)
        try:
            columns.add(table([plain_file(str(path))]).columns)
        except BadInput:
            columns.add(None)
    assert len(columns) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("declared", [True, False])
def test_a_mark_of_order_is_a_records_own_business(encoding, declared, tmp_path, monkeypatch):
    """A record that begins with U+FEFF is read alike wherever it stands, and one that holds it elsewhere keeps it."""
    path = tmp_path / "s.csv"
    texts = ["sam,1,2\n", "\ufefftess,3,4\n", '\ufeff"tess",5\ufeff6,7\n', "bo,\ufeff8,9\n"]
    rows = [
        ("sam", "1", "2"),
        ("tess", "3", "4"),
        ("tess", "5\ufeff6", "7"),
        ("bo", "\ufeff8", "9"),
    ]
    for chunk in (2, 4, 6, 10, 1 << 20):
        monkeypatch.setattr(tables, "CHUNK", chunk)
        for order in ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 1, 0), (3, 2, 0, 1)):
            data = ("" if declared else "a,b,c\n") + "".join(texts[at] for at in order)
            path.write_bytes(data.encode(encoding))
            cut = Cut(COLUMNS if declared else None, encoding, ",")
            source = table([plain_file(str(path))], cut)
            with source.stream(list(COLUMNS)) as reader:
                columns = reader.read_all().to_pydict()
            assert list(zip(*columns.values(), strict=True)) == [rows[at] for at in order], (
                order,
                chunk,
            )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("last", ["x", "\u3042", "\u4e00", "\u0a85", "\u0d05", "\U0001f985"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_half_a_character_shifts_nobodys_records(encoding, last, end, tmp_path, monkeypatch):
    """Two odd halves around other people's records, whatever characters end their lines, refuse the file."""
    path = tmp_path / "s.csv"
    head = f"a,b,c{end}".encode(encoding)
    body = lambda text: text.encode(
        encoding
        if encoding != "utf-16"
        else f"utf-16-{'le' if sys.byteorder == 'little' else 'be'}"
    )
    ours = body(f"sam,1,{last}{end}") * 3
    for chunk in (1, 2, 3, 1 << 20):
        monkeypatch.setattr(tables, "CHUNK", chunk)
        path.write_bytes(head + ours)
        cut = Cut(None, encoding, ",")
        with table([plain_file(str(path))], cut).stream(["a", "c"]) as reader:
            assert reader.read_all().to_pylist() == [{"a": "sam", "c": last}] * 3
        path.write_bytes(head + b"\x41" + ours + b"\x41" + body(end))
        with pytest.raises(BadInput), table([plain_file(str(path))], cut).stream(["a"]) as reader:
            reader.read_all()


def test_a_line_that_no_record_has_refuses_the_file(tmp_path, monkeypatch):
    """A line beyond the limit is refused wherever chunks and blocks end; a record beyond its own limit drops alone."""
    path = tmp_path / "s.csv"
    monkeypatch.setattr(lines, "LINE_LIMIT", 400)
    monkeypatch.setattr(strict_csv, "LONGEST", 100)
    for chunk in (1, 7, 64, 1000):
        monkeypatch.setattr(tables, "CHUNK", chunk)
        monkeypatch.setattr(strict_csv, "BLOCK", 16)
        for long in ("x" * 150, '"' + "x" * 150 + '"', '"' + "x\n" * 80 + '"'):
            path.write_text(f"sam,1,2\ntess,{long},4\nbo,5,6\n")
            assert as_columns(path, ",") == [("sam", "1", "2"), ("bo", "5", "6")]
        path.write_text(f"sam,1,2\ntess,{'x' * 450},4\nbo,5,6\n")
        assert as_columns(path, ",") is None


QUOTED = (
    '"a\nb"',
    '"a, ""b""\n1,2,3"',
    '"said ""x"""',
    '"\n"',
    '"x\r\ny"',
    '"1,2\n, "',
    '"a\n""b"",c"',
)


@pytest.mark.parametrize("mark", [",", ";", " "])
def test_blocks_are_read_as_lines_are(mark, monkeypatch):
    """Wherever a file is cut into blocks, the records are those of reading it line by line, and so is a refusal."""
    dice, ways = random.Random(f"{SEED}-{mark}"), {"read": 0, "refused": 0, "at once": 0}
    at_once_if_whole, at_once = strict_csv._levelled, []

    def counted(block, mending):
        done = at_once_if_whole(block, mending)
        at_once.append(done is not None and b"\n" in block and b'"' in block)
        return done

    for _ in range(300 * TIMES):
        data = some_bytes(dice, mark)
        if dice.random() < 0.6:
            field = lambda: dice.choice((*QUOTED, "x", "1.5", "", '"y"'))
            text = "".join(
                mark.join(field() for _ in range(3)) + "\n" for _ in range(dice.randrange(1, 20))
            )
            data = text.replace(",", mark).encode() + (data if dice.random() < 0.2 else b"")
        placing = dice.choice(
            ((), ((((1,), True), ((2,), True)),), ((((2,), False),),), ((((1, 2), True),),))
        )
        chunks = [data[at : at + 50] for at in range(0, len(data), 50)]
        found = []
        for levelled in (counted, lambda block, mending: None):
            monkeypatch.setattr(strict_csv, "_levelled", levelled)
            monkeypatch.setattr(strict_csv, "BLOCK", dice.choice((1, 3, 10, 40, 1000)))
            try:
                found.append(
                    b"".join(level(chunks, Cutter(mark, '"'), placing, "s.csv")).split(b"\n")
                )
            except BadInput as error:
                found.append(str(error))
        quick, slow = (
            [as_read(one, mark) for one in some if one] if isinstance(some, list) else some
            for some in found
        )
        assert quick == slow, (data, placing)
        ways["refused" if isinstance(slow, str) else "read"] += 1
    ways["at once"] = sum(at_once)
    print(ways)
    assert min(ways.values()) >= 10 * TIMES


def as_read(line, mark):
    """The fields of a line in which only whole fields are quoted."""
    record = Cutter(mark, '"').cut(line, strict_csv.CsvRecord())
    assert record.keeps and not record.open
    return record.fields


@pytest.mark.parametrize("mark", ["\t", "\x0b", "\x0c", "\x1c", "\u00a0", "0"])
def test_a_refusal_of_unseen_marks_is_not_swallowed(mark, reader, tmp_path):
    """A row that refuses by a mark that nobody sees withdraws its unit, whatever quotes others left open before it."""
    path, rows = tmp_path / "s.csv", ["sam,yes,1.5,1.5,\n", f"sam,{mark},,,\n"]
    withdrawal = Question("withdrawal", dict(consent="ok=yes", consent_by="unit"))
    found = []
    for between in (rows, [rows[0], 'tess,yes,,,"x\n', rows[1], 'tess,yes,,,x"\n']):
        path.write_text("who,ok,lon,lat,note\n" + "".join(between), "utf-8")
        found.append(reader.rows(str(path), withdrawal, TABLE))
    alone, beside = found
    assert isinstance(beside, Refusal) or alone == beside


OF_PEOPLE = Question("declared", policy=dict(unit="recordedBy"))


def occurrences(folder, text, mark=",", quote="&quot;", header=1):
    """An archive of occurrences, all of one place unless they tell another latitude."""
    path, terms = folder / "occurrences.zip", "http://rs.tdwg.org/dwc/terms/"
    meta = (
        f'<archive><core fieldsTerminatedBy="{mark}" fieldsEnclosedBy="{quote}" ignoreHeaderLines="{header}" '
        f'rowType="{terms}Occurrence"><files><location>o.txt</location></files><id index="0"/>'
        f'<field index="1" term="{terms}recordedBy"/><field index="2" term="{terms}decimalLatitude" default="1.5"/>'
        f'<field index="3" term="{terms}habitat"/><field term="{terms}decimalLongitude" default="1.5"/></core></archive>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("meta.xml", meta)
        archive.writestr("o.txt", text)
    return str(path)


def test_a_line_that_defaults_complete_is_not_swallowed(reader, tmp_path):
    """Where meta.xml gives every row its place, a line without one counts, and stray quotes around it are refused."""
    others, found = [f"{at},sam {at},,wood\n" for at in range(40)], []
    for rows in (others, ['t,tess,,"x\n', *others, 't,tess,,x"\n']):
        path = occurrences(tmp_path, "id,recordedBy,decimalLatitude,habitat\n" + "".join(rows))
        found.append(reader.rows(path, OF_PEOPLE, DECLARED_BY_META))
    alone, beside = found
    assert sum(alone.values()) == 40
    assert isinstance(beside, Refusal)


@pytest.mark.parametrize("harm", ["cut short", "changed inside", "more behind it"])
def test_damage_in_the_middle_of_a_packed_text_names_the_file(harm, reader, tmp_path):
    """A packed survey that turns out to be damaged among its rows is refused by the survey's own name."""
    path, dice = tmp_path / "nests.csv.gz", random.Random(1)
    rows = "".join(f"sam {dice.random()},1.5,1.5\n" for _ in range(60_000))
    whole = bytearray(gzip.compress(("who,lon,lat\n" + rows).encode(), 1))
    if harm == "changed inside":
        whole[-6] ^= 255
    path.write_bytes({"cut short": whole[:-9], "more behind it": whole + b"more"}.get(harm, whole))
    refusal = reader.rows(str(path), Question("plain"), TABLE)
    assert isinstance(refusal, Refusal)
    assert "nests.csv" in refusal.message
    assert ".py" not in refusal.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("columns", [None, "who,lon,lat"])
def test_a_text_without_the_mark_that_its_encoding_asks_for_is_told(
    encoding, columns, reader, tmp_path
):
    """Where the declared encoding asks for a mark of order that is not there, the refusal says what to do about `--encoding`."""
    path, family = tmp_path / "nests.csv", Family()
    path.write_bytes("who,lon,lat\nsam,1.5,1.5\n".encode(f"{encoding}-le"))
    family.options = {"encoding": encoding} | ({"columns": columns} if columns else {})
    refusal = reader.rows(str(path), Question("plain"), family)
    assert isinstance(refusal, Refusal)
    assert refusal.message.startswith("--encoding:")


@pytest.mark.parametrize("mark", [".", " ", "&quot;", "1"])
def test_a_mark_that_separates_and_quotes_is_refused(mark, reader, tmp_path):
    """A meta.xml that declares one mark for both leaves no way to tell fields, and is refused."""
    names, plain = ["id", "recordedBy", "decimalLatitude", "habitat"], mark.replace("&quot;", '"')
    path = occurrences(
        tmp_path, f"{plain.join(names)}\n{plain.join(['t', 'tess', '2', 'x'])}\n", mark, mark
    )
    assert isinstance(reader.rows(path, OF_PEOPLE, DECLARED_BY_META), Refusal)


def test_a_first_record_of_several_lines_is_no_header(reader, tmp_path):
    """Where meta.xml says that there is no header, a first record with a quoted note of two lines is read as any other."""
    path = occurrences(tmp_path, 't,tess,,"a\nb"\nu,bo,,x\n', header=0)
    assert sorted(unit for unit, *_ in reader.rows(path, OF_PEOPLE, DECLARED_BY_META)) == [
        "bo",
        "tess",
    ]


@pytest.mark.parametrize("name", ["s.tar.gz", "s.csv", "s.dat"])
def test_an_archive_is_no_text_where_columns_are_declared(name, reader, tmp_path):
    """With `--columns` an archive under a text's name is refused, since its headers would become parts of records."""
    headless, data, packed = Family(), b"sam,1.5,1.5\nbo,1.5,1.5\n", io.BytesIO()
    headless.options = {"columns": "who,lon,lat"}
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("s.csv")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    tar = packed.getvalue()
    for written in (gzip.compress(tar),) if name.endswith(".gz") else (tar, gzip.compress(data)):
        (tmp_path / name).write_bytes(written)
        assert isinstance(reader.rows(str(tmp_path / name), Question("plain"), headless), Refusal)


@pytest.mark.parametrize("columns", [{"columns": "who,lon,lat"}, {}])
def test_a_packed_part_is_no_text_beside_others(columns, reader, tmp_path):
    """An archive under a text's name among the parts of a folder, or as a table of a Darwin Core Archive, is refused as it is alone."""
    head = b"" if columns else b"who,lon,lat\n"
    family, packed = Family(), io.BytesIO()
    family.options = columns
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x.csv", head + b"tess,1.5,1.5\nbo,1.5,1.5\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "0.csv").write_bytes(head + b"sam,1.5,1.5\n")
    assert len(reader.rows(str(folder), Question("plain"), family)) == 1
    (folder / "1.csv").write_bytes(packed.getvalue())
    assert isinstance(reader.rows(str(folder), Question("plain"), family), Refusal)
    table = occurrences(tmp_path, packed.getvalue(), header=0)
    refusal = reader.rows(table, OF_PEOPLE, DECLARED_BY_META)
    assert isinstance(refusal, Refusal) and "is packed" in refusal.message


def test_a_shadow_sees_a_line_as_it_stands(reader, tmp_path):
    """A refusal that is a mark of order at a line's start within quotes withdraws its unit, or the file is refused."""
    path, withdrawal = (
        tmp_path / "s.csv",
        Question("withdrawal", dict(consent="ok=yes", consent_by="unit")),
    )
    here, refusal = "sam,1.5,1.5,yes\n", ['sam,,,"\n', '\ufeff"\n']
    found = []
    for rows in ([here, *refusal], [here, 'tess,,,"\n', *refusal, '"\n']):
        path.write_text("who,lon,lat,ok\n" + "".join(rows), "utf-8")
        found.append(reader.rows(str(path), withdrawal, TABLE))
    alone, beside = found
    assert isinstance(beside, Refusal) or alone == beside
