"""The premise at the seams of the readers of records, and that what broke it there is found when it is planted again."""

import io
import json
import random
import threading

import pytest
import seam_files
from record_files import JSON
from seam_files import FAMILIES, make_seams_small, nested_values
from side_by_side import TIMES, Family, Pairs, Question, Reader, held, share

import dpmap as dm
from dpmap.errors import BadInput, Refused, SystemFailed
from dpmap.survey import columns, row_sql
from dpmap.survey.files import json_records, json_text, lines, records, tables, xml_records
from dpmap.survey.files.tables import FilePiece

GRID = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_records_change_no_others_at_any_seam(family, tmp_path, monkeypatch):
    """Where chunks end, and what limits of length and depth one person's records cross, changes nobody else's rows."""
    make_seams_small(monkeypatch)
    assert held([family], tmp_path) == share(family)


def what_a_record_holds_reaches_around_it(patch):
    """Elements within a record are told to those that enclose it."""
    begin, end = xml_records._Walk.start, xml_records._Walk.end

    def start(self, tag, attributes):
        begin(self, tag, attributes)
        if self._record_depth and len(self.path) > self._record_depth:
            self.enter(xml_records.local(tag), attributes)
            if xml_records.local(tag) in ("trk", "rte", "legs", "patrol"):
                names = self._names if hasattr(self, "_names") else self._around
                names[-2] = names[-1]  # as one memory for all depths has it

    def stop(self, tag):
        if (
            self._record_depth
            and len(self.path) > self._record_depth
            and self.path[-1] in ("trk", "rte", "legs", "patrol")
        ):
            self.leave(self.path[-1], "")
        end(self, tag)

    patch.setattr(xml_records._Walk, "start", start)
    patch.setattr(xml_records._Walk, "end", stop)


def texts_cut_by_pieces(patch):
    """So many pieces of a text are kept, however long they are."""
    most = len(seam_files.LONG_NOTE.encode()) // seam_files.CHUNK + 1

    def text(self, data):
        if self._texts and self._texts[-1].pieces < most:
            self._texts[-1].pieces += 1
            self._texts[-1].write(data)

    class Pieces(io.StringIO):
        pieces = 0

    patch.setattr(xml_records.io, "StringIO", Pieces)
    patch.setattr(xml_records._Walk, "text", text)


def depth_left_to_the_decoder(patch):
    """How deep a record may be is what the standard library can follow just then, and what is deeper ends the reading."""
    patch.setattr(json_text, "NESTED", 10**9)


def the_first_line_loses_its_mark(patch):
    """A mark of order is taken from the first line alone."""
    plain = json_records._record_of_line
    patch.setattr(
        json_records,
        "_record_of_line",
        lambda line: None if line.startswith("\ufeff") else plain(line),
    )
    first = lines.raw_lines

    def raw(chunks):
        found = first(chunks)
        yield from (line.removeprefix(b"\xef\xbb\xbf") for line in [next(found, b"")])
        yield from found

    patch.setattr(lines, "raw_lines", raw)


PLANTED = {
    "GPX: an element called like a track clears it": (
        what_a_record_holds_reaches_around_it,
        seam_files.TRACK,
    ),
    "SMART: an element called like a leg clears it": (
        what_a_record_holds_reaches_around_it,
        seam_files.LEG,
    ),
    "KML: texts are cut by their pieces": (texts_cut_by_pieces, seam_files.KML),
    "JSON: depth is what the decoder can follow": (depth_left_to_the_decoder, seam_files.JSON),
    "JSON lines: the first loses its mark of order": (
        the_first_line_loses_its_mark,
        seam_files.LINES,
    ),
}


@pytest.mark.parametrize("row", PLANTED)
def test_a_fault_planted_at_a_seam_is_found(row, tmp_path, monkeypatch):
    """Were a reader to let a seam, or an element's name, change another's records again, the tests of every day would say so."""
    plant, family = PLANTED[row]
    make_seams_small(monkeypatch)
    plant(monkeypatch)
    reader = Reader()
    try:
        outcome = Pairs(family, reader, tmp_path).look(family.pairs * TIMES, shrink=False)
    finally:
        reader.close()
    print(
        f"{row}: found after {outcome.pairs} pairs; {[one.what[:90] for one in outcome.violations]}"
    )
    assert outcome.violations
    assert not any(one.what.startswith("S is refused") for one in outcome.violations)


def rows_read(text, frames=0):
    """How many of a JSON list's records are read, from so many frames deep."""
    if frames:
        return rows_read(text, frames - 1)
    return len(
        list(json_records.records(FilePiece("s.json", lambda: io.BytesIO(text.encode())), ()))
    )


@pytest.mark.parametrize("depth", [-1, 0, 1, 300, 860])
def test_depth_is_counted_alike_in_every_thread(depth):
    """A record nested 100 deep is read and one of 101 is not, whichever thread reads it and however deep that stands itself."""
    for value in nested_values(json_text.NESTED + depth):
        # in a record, which is one object more
        text = f'[{{"who": "sam", "a": {value}}}, {{"who": "sam 2"}}]'
        expected = 2 if depth < 0 else 1
        counts = []
        reading = threading.Thread(
            target=lambda text=text, counts=counts: counts.append(rows_read(text, 300))
        )
        reading.start()
        reading.join()
        assert [rows_read(text), rows_read(text, 400), *counts] == [expected] * 3


def test_a_deep_value_keeps_the_grammar_too():
    """What is too deep to be decoded is JSON by the same rule as all else: else the file is refused."""
    dice = random.Random(35)
    marks = [
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"a"',
        "1",
        " ",
        "null",
        "-",
        '{"a":',
        "[1,2]",
        '{"a":1}',
        '"\\x"',
        "1 2",
    ]
    agreed = 0
    for _ in range(20_000):
        text = "".join(dice.choices(marks, k=dice.randrange(1, 9)))
        try:
            json_text.DECODER.decode(text)
            is_json = True
        except json.JSONDecodeError:
            is_json = False
        assert json_text.is_grammatical(text) == is_json, text
        agreed += is_json
    assert agreed > 100


@pytest.mark.parametrize(
    "text", ["[1,]", '[{"a": 1,}]', "[" * 200 + "}" * 200, '[{"a" 1}]', "[1", '["a', "[[1]", "[1]]"]
)
def test_text_that_is_no_json_is_refused(text):
    """A list with a comma too many, or brackets that do not match however deep they lie, is not read by guessing."""
    with pytest.raises(BadInput):
        rows_read(text)


def test_a_long_record_is_refused_wherever_chunks_end(monkeypatch):
    """The length of a record is its own, not how much of the file is held when it ends."""
    monkeypatch.setattr(json_text, "MOST", 1000)
    for length, is_read in ((1000, True), (1001, False)):
        record = json.dumps({"a": "x" * (length - len('{"a": ""}'))})
        assert len(record) == length
        for chunk in (1, 7, 999, 1000, 1001, 5000):
            monkeypatch.setattr(tables, "CHUNK", chunk)
            if is_read:
                assert rows_read(f"[{record}, {record}]") == 2
            else:
                with pytest.raises(BadInput, match="holds a record of more than"):
                    rows_read(f"[{record}]")


def feature(properties):
    """A GeoJSON of one feature."""
    place = {"type": "Point", "coordinates": [1.5, 1.5]}
    return json.dumps(
        {"features": [{"type": "Feature", "properties": properties, "geometry": place}]}
    )


SHARING = {
    "an object and what it holds": ("seen.by", "seen contains 'ann'"),
    "the same by another case": ("seen.by", "Seen contains 'ann'"),
    "deeper": ("seen.by.name", "seen.by contains 'ann'"),
    "turned": ("seen", "seen.by = 'ann'"),
}


@pytest.mark.parametrize("case", SHARING)
def test_a_column_of_names_decides_nothing_else_in_whatever_it_is_nested(case, tmp_path):
    """A rule over a column that holds the column of names, or lies in it, is refused; one over a neighbour is not."""
    name, rule = SHARING[case]
    path = tmp_path / "s.geojson"
    path.write_text(feature({"seen": {"by": {"name": "ann; bo"}, "on": "2020"}}))
    declared = [name, "seen", "seen.on"] if name != "seen" else ["seen", "seen.by", "seen.on"]
    if "seen.by contains" in rule:
        declared.append("seen.by")

    def chosen(where):
        survey = dm.read(path, format="geojson", columns=declared, team=";", where=where)
        return row_sql.selection(survey.header, name, None, 1.0)

    with pytest.raises(Refused, match="taken apart into names"):
        chosen(rule)
    if name != "seen":
        assert chosen("seen.on = '2020'").team == ";"


def test_a_leader_is_one_of_the_members(tmp_path):
    """Of a SMART patrol a member who is struck may be the leader, so no rule over leaders goes with a map by member."""
    path = tmp_path / "p.xml"
    path.write_text(seam_files.LEG.head + '<waypoints id="1" x="1" y="1"/>' + seam_files.LEG.tail)
    survey = dm.read(path, team=";", where="Leader = 'ann'")
    with pytest.raises(Refused, match="taken apart into names"):
        row_sql.selection(survey.header, "Members", None, 1.0)


@pytest.mark.parametrize(("name", "other", "shared"), [
    ("a.b", "a", True), ("a__b", "a", True), ("a", "a.b__c", True), ("a__b", "a.b.c", True), ("a.b", "a.c", False), ("ab", "a", False),
    ("a.b", "a__c", False), ("place.coordinates", "place.longitude", True), ("place.type", "place.latitude", True),
    ("place.longitude", "place.latitude", False), ("place.by", "place.latitude", False), ("Leader", "Members", True), ("type", "longitude", False),
])  # fmt: skip
def test_which_columns_share_text(name, other, shared):
    """Structs and paths of JSON nest alike, in any depth and either order; neighbours share nothing unless one is made of the other."""
    assert columns.share_text(name, other) is columns.share_text(other, name) is shared


def test_rows_are_counted_between_the_file_and_the_engine(tmp_path, monkeypatch):
    """Were a record lost or doubled on its way to the engine, the survey would be refused."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"who": "sam", "lon": 1.5, "lat": 1.5}] * 100))
    survey = dm.read(path, **JSON.options, x="lon", y="lat", crs="EPSG:4326")
    with survey._source.stream(["who"]) as reader:
        assert reader.read_all().num_rows == 100
    plain = records.as_arrow
    for change in (lambda rows: rows[1:], lambda rows: [*rows, rows[0]]):
        monkeypatch.setattr(
            records,
            "as_arrow",
            lambda rows, wanted, change=change: plain(change(list(rows)), wanted),
        )
        asked = dm.Policy(epsilon=1, unit="who", cap=1)
        with pytest.raises(SystemFailed):
            dm.release(survey, GRID, asked, ledger=tmp_path / "ledger", dataset="d", budget=1)
        assert "spent" not in (
            (tmp_path / "ledger").read_text() if (tmp_path / "ledger").exists() else ""
        )


def test_texts_beyond_one_batch_are_split_over_several(monkeypatch):
    """However long the texts of some records are together, each row is handed over once, in order."""
    import pyarrow as pa

    plain = records._column

    def column(rows, field):  # as Arrow does where they are more than 2 GB
        found = plain(rows, field)
        return found if sum(len(row["a"]) for row in rows) < 150 else pa.chunked_array([found])

    monkeypatch.setattr(records, "_column", column)
    rows = [{"a": str(number) * (number % 40)} for number in range(200)]
    with records.stream_rows(rows, ["a"]) as reader:
        table = reader.read_all()
    assert table.to_pylist() == rows
    assert len(table.column("a").chunks) > 10


@pytest.mark.parametrize(
    "text",
    ['{"a": [{}]}', '{"results": null}', '{"results": {"a": [{}]}}', '{"a": {"results": [{}]}}'],
)
def test_a_list_that_is_not_where_it_was_declared_is_refused(text):
    """A file without the declared list is no survey of nobody."""
    with pytest.raises(BadInput, match="holds no list of records there"):
        list(
            json_records.records(
                FilePiece("s.json", lambda: io.BytesIO(text.encode())), ("results",)
            )
        )


def shares_of_structs_alone(name, other):
    """As it was: only what is nested by the marks of structs shares text."""
    return name == other or name.startswith(f"{other}__") or other.startswith(f"{name}__")


STRUCK = {
    "seen.by in seen": (
        lambda names: feature({"seen": {"by": names}}),
        dict(format="geojson", columns=["seen", "seen.by"], where="seen contains 'ann'"), "seen.by", "s.geojson",
    ),
    "a leader among members": (
        lambda names: seam_files.LEG.head.replace(
            '<members givenName="ann" isLeader="true"/>',
            "".join(f'<members givenName="{name}" isLeader="{str(name == "ann").lower()}"/>' for name in names.split("; ")),
        ) + '<waypoints id="1" x="1.5" y="1.5"/>' + seam_files.LEG.tail,
        dict(where="Leader = 'ann'"), "Members", "s.xml",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STRUCK)
def test_without_the_refusal_a_struck_name_would_change_others_rows(case, tmp_path, monkeypatch):
    """What the refusal is for: with it planted out, bo's row comes and goes with ann's name."""
    write, options, unit, file = STRUCK[case]
    question = Question("struck", dict(team=";"), dict(unit=unit))
    family = Family()
    family.options, family.placed = options, True
    reader, seen = Reader(), {}
    try:
        for is_refused in (True, False):
            if not is_refused:
                monkeypatch.setattr(row_sql, "share_text", shares_of_structs_alone)
            for names in ("ann; bo", "bo"):
                (tmp_path / file).write_text(write(names))
                seen[is_refused, names] = reader.rows(tmp_path / file, question, family)
    finally:
        reader.close()
    assert all("taken apart into names" in seen[True, names].message for names in ("ann; bo", "bo"))
    assert sorted(row[0] for row in seen[False, "ann; bo"]) == ["ann", "bo"]
    assert not seen[False, "bo"]
