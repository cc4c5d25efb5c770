"""The rule of delimited text: the ways in which lines are cut have one meaning."""

import random

import pytest
from side_by_side import SEED, TIMES

from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput
from dpmap.survey.files import strict_csv
from dpmap.survey.files.strict_csv import Cutter, mended, stands
from dpmap.survey.files.tables import Cut, plain_file, table

COLUMNS = ("a", "b", "c")
PIECES = (
    '"', '"', '""', ",", ",", ",", "\n", "\n", "\r\n", "\r", " ", "x", "1", "\0", ";", '","', '",\n', ',"', '\n"', "\u00e9", "\\", "#", "'", '"x"', ',"y y"', ',"a""b"', '"\n', "x,y\n", "1,2,3\n",
)  # fmt: skip


def by_the_rule(data, mark, quote='"'):
    """The records of some bytes, mark by mark, as the rule's words have them; None where it ends inside a quoted text."""
    lines = data.replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    text = "\n".join(decoded(line) for line in lines)
    at, records = 0, []
    while at < len(text):
        fields, keeps, ended = [], True, False
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
        field = lambda: dice.choice(("x", "", "1.5", '"x"', '"a,b"', '"a""b"', '""', "a b", '""""', '"\u00e9"'))
        end = dice.choice(("\n", "\n", "\r\n"))
        text = "".join(
            mark.join(field() for _ in range(dice.choice((1, 2, 3, 3, 3, 4)))) + end for _ in range(dice.randrange(30))
        )
    else:
        text = "".join(dice.choices(PIECES, k=dice.choice((1, 3, 8, 20, 60, 300)))).replace(",", mark)
    data = text.encode()
    return data if dice.random() < 0.9 else data + dice.choice((b"\xff", b"\xe9x\n", b"\xc3,\n", b"\xef\xbb\xbf"))


@pytest.mark.parametrize("mark", [",", ";", "\t", " "])
def test_lines_are_cut_by_one_rule(mark, tmp_path):
    """A file read in place and one that is mended first give the records that the rule gives, none more and none fewer."""
    dice, path = random.Random(f"{SEED}-{mark}"), tmp_path / "s.csv"
    ways = {"in place": 0, "mended": 0, "refused": 0}
    with DuckDB(threads=1).connected() as database:
        database.execute("SET preserve_insertion_order = true")
        for _ in range(150 * TIMES):
            data = some_bytes(dice, mark)
            path.write_bytes(data)
            expected = by_the_rule(data.removeprefix(b"\xef\xbb\xbf"), mark)
            with path.open("rb") as stream:
                way = "in place" if stands(stream, mark, '"') else "mended"
            try:
                source = table([plain_file(str(path))], Cut(COLUMNS, "utf-8", mark)) if data else None
                sql = source.prepare(str(tmp_path), ()) if source else "(SELECT '' AS a, '' AS b, '' AS c LIMIT 0)"
                found = [
                    tuple(one or "" for one in row) for row in database.execute(f"SELECT a, b, c FROM {sql}").fetchall()
                ]
            except BadInput:
                way, found = "refused", None
            ways[way] += 1
            filled = lambda records: records if records is None else [row for row in records if any(row)]
            assert filled(found) == filled(expected), (way, data)
    print(ways)
    assert min(ways.values()) >= 5 * TIMES


QUOTED = ('"a\nb"', '"a, ""b""\n1,2,3"', '"said ""x"""', '"\n"', '"x\r\ny"', '"1,2\n, "', '"a\n""b"",c"')


@pytest.mark.parametrize("mark", [",", ";", " "])
def test_blocks_are_read_as_lines_are(mark, monkeypatch):
    """Wherever a file is cut into blocks, the records are those of reading it line by line, and so is a refusal."""
    dice, ways = random.Random(f"{SEED}-{mark}"), {"read": 0, "refused": 0, "at once": 0}
    level, at_once = strict_csv._levelled, []

    def counted(block, mending):
        done = level(block, mending)
        at_once.append(done is not None and b"\n" in block and b'"' in block)
        return done

    for _ in range(300 * TIMES):
        data = some_bytes(dice, mark)
        if dice.random() < 0.6:
            field = lambda: dice.choice((*QUOTED, "x", "1.5", "", '"y"'))
            text = "".join(mark.join(field() for _ in range(3)) + "\n" for _ in range(dice.randrange(1, 20)))
            data = text.replace(",", mark).encode() + (data if dice.random() < 0.2 else b"")
        placing = dice.choice(((), ((((1,), True), ((2,), True)),), ((((2,), False),),), ((((1, 2), True),),)))
        chunks = [data[at : at + 50] for at in range(0, len(data), 50)]
        found = []
        for levelled in (counted, lambda block, mending: None):
            monkeypatch.setattr(strict_csv, "_levelled", levelled)
            monkeypatch.setattr(strict_csv, "CHECKED", dice.choice((1, 3, 10, 40, 1000)))
            try:
                found.append(b"".join(mended(chunks, Cutter(mark, '"'), placing, "s.csv")).split(b"\n"))
            except BadInput as error:
                found.append(str(error))
        quick, slow = (
            [as_read(one, mark) for one in some if one] if isinstance(some, list) else some for some in found
        )
        assert quick == slow, (data, placing)
        ways["refused" if isinstance(slow, str) else "read"] += 1
    ways["at once"] = sum(at_once)
    print(ways)
    assert min(ways.values()) >= 10 * TIMES


def as_read(line, mark):
    """The fields of a line in which only whole fields are quoted."""
    record = Cutter(mark, '"').cut(line, strict_csv.Record())
    assert record.keeps and not record.open
    return record.fields
