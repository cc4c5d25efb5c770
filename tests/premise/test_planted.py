"""Each fault that the readers once had, planted back, is found within the pairs that `make test` looks at, and that a deep run with any seed does."""

import re
import zipfile
from dataclasses import replace

import folder_files
import frame_files
import layer_files
import pandas as pd
import pytest
import record_files
import text_files
import workbook_files
from side_by_side import SEED, TIMES, USUAL, Pairs, Reader

from dpmap.errors import BadInput
from dpmap.survey import multi_file, row_sql, unit_names
from dpmap.survey import survey as surveys
from dpmap.survey.columns import Header
from dpmap.survey.files import (
    archives,
    containers,
    darwin_core,
    events,
    frames,
    json_records,
    json_text,
    layers,
    lines,
    ods,
    partitions,
    records,
    strict_csv,
    tables,
    workbook,
    workbook_cells,
    xls,
    xlsx,
    xml_records,
    zip_layout,
)
from dpmap.survey.files import parquet as parquet_files

COLUMN = records._column
LEVELLED = strict_csv._levelled


def _typed(change):
    """A column of records read as its values, all together, suggest."""

    def column(rows, field):
        texts = [row.get(field.name) for row in rows]
        if field.name != records.GEOMETRY and any(isinstance(one, str) for one in texts):
            texts = change(texts)
        return COLUMN([{field.name: text} for text in texts], field)

    return lambda patch: patch.setattr(records, "_column", column)


def a_date_column(texts):
    """Where all are dates they are written as a reader of dates writes them."""
    dates = [one for one in texts if one]
    if dates and all(re.match(r"\d{4}(-|$)", one) for one in dates):
        return texts
    return [one and re.sub(r"^(\d{4})-(\d\d)-(\d\d)", r"\1/\2/\3", one) for one in texts]


def a_day_first_column(texts):
    """One text that begins with the 13th or a later day makes all of them begin with the day, and else with the month."""
    if any(one and re.match(r"(1[3-9]|2\d|3[01])/", one) for one in texts):
        return texts
    return [one and re.sub(r"^(\d\d)/(\d\d)/", r"\2/\1/", one) for one in texts]


def a_column_of_truths(texts):
    """One number among truth values makes numbers of all."""
    told = {one for one in texts if one}
    if told <= {"true", "false", "0", "1", "1.0"} and told & {"0", "1", "1.0"}:
        return [{"true": "1", "false": "0"}.get(one, one) for one in texts]
    return texts


def a_column_of_numbers(texts):
    """One fraction makes doubles of all."""
    told = [one for one in texts if one]
    if (
        told
        and all(re.fullmatch(r"-?\d{1,40}(\.\d+)?", one) for one in told)
        and any("." in one and not one.endswith(".0") for one in told)
    ):
        return [one and str(float(one)) for one in texts]
    return texts


def recognised_by_records(patch):
    """The keys of records are columns too, by which a format is recognised that has its own place columns."""
    plain = containers._records

    def found(pieces, asked):
        some = [row for piece in pieces for row in json_records.records(piece, ("features",))]
        keys = {
            key
            for row in some
            if isinstance(row.get("properties"), dict)
            for key in row["properties"]
        }
        more = [
            one
            for one in (
                "user_login",
                "positional_accuracy",
                "geoprivacy",
                "quality_grade",
                "coordinates_obscured",
            )
            if one in keys
        ]
        made = plain(pieces, asked)
        return made if len(more) < 3 else replace(made, columns=("who", *more), geometry=None)

    patch.setattr(containers, "_records", found)


def keys_of_any_case(patch):
    """A column is called as one record writes it, capitals before others."""
    plain = records.as_arrow

    def read(rows, wanted):
        kept = list(rows)
        spelt = {
            key.lower(): key for key in sorted({key for row in kept for key in row}, reverse=True)
        }
        return plain(
            ({name: row.get(spelt.get(name.lower(), name)) for name in wanted} for row in kept),
            wanted,
        )

    patch.setattr(records, "as_arrow", read)


def keys_in_errors(patch):
    """An error names the keys there are."""
    plain = records.as_arrow

    def read(rows, wanted):
        kept = list(rows)
        if odd := [key for row in kept for key in row if key.startswith("tess")]:
            raise BadInput(
                f"survey: cannot be read; it may be damaged or cut short; it has {odd[0][:40]}"
            )
        return plain(iter(kept), wanted)

    patch.setattr(records, "as_arrow", read)


def lax_quotes(patch):
    """A quote opens a field wherever it stands."""
    patch.setattr(strict_csv, "_are_whole_fields", lambda marks, quotes, delimiter: True)


def a_row_lost_at_a_buffers_end(patch):
    """Where a buffer ends within a quoted text the row before that text is lost."""

    def cut_short(block, mending):
        levelled = LEVELLED(block, mending)
        if not levelled or not levelled[1]:
            return levelled
        text, rest = levelled
        return text[: text.rfind(b"\n", 0, -1) + 1], rest

    patch.setattr(strict_csv, "_levelled", cut_short)


def a_mark_at_each_chunk(patch):
    """A mark of order is taken away where a chunk begins with it."""
    plain = tables.decode_lines

    def without(chunks, encoding, name):
        return (text.removeprefix(b"\xef\xbb\xbf") for text in plain(chunks, encoding, name))

    patch.setattr(tables, "decode_lines", without)


def no_shadows(patch):
    """What is inside a quoted text is not looked at again."""
    patch.setattr(strict_csv, "_watched", lambda line, cutter, shadows, placing, name: [])


def separator_of_the_first_row(patch):
    """A text without header is cut by what its first row holds most."""
    plain = tables.dialect_of

    def told(piece, declared=tables.Cut()):
        dialect = plain(piece, declared)
        first = piece.head().splitlines()[:1] or [b""]
        return (
            replace(dialect, delimiter=max(",\t;|", key=lambda mark: first[0].count(mark.encode())))
            if declared.columns
            else dialect
        )

    patch.setattr(tables, "dialect_of", told)


def width_of_the_first_row(patch):
    """A text without header has as many columns as the first row of each block."""
    plain = tables.cut_columns

    def cut(block, delimiter, quote, columns):
        width = block.partition(b"\n")[0].count(delimiter.encode()) + 1
        arrays, rows = plain(block, delimiter, quote, columns)
        return [
            a if at < width else plain(block, delimiter, quote, [10**6])[0][0]
            for at, a in zip(columns, arrays, strict=True)
        ], rows

    patch.setattr(tables, "cut_columns", cut)


def bytes_refuse_the_file(patch):
    """One line that is no UTF-8 stops the reading."""

    def strict(line):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise BadInput("survey: a line is not UTF-8") from None
        return line

    patch.setattr(lines, "clean", strict)


def a_part_overrides(patch):
    """Of two parts of one name, in whatever folder and case, the last is read."""
    plain = containers._open_members

    def among(pieces, name, asked, depth):
        last = {member.lower().rpartition("/")[2]: member for member in pieces}
        return plain({member: pieces[member] for member in last.values()}, name, asked, depth)

    patch.setattr(containers, "_open_members", among)


def the_first_kind_wins(patch):
    """The kind of the first part decides which others are read."""
    plain = containers._open_members

    def among(pieces, name, asked, depth):
        kinds = {member: containers._part_kind(member, piece) for member, piece in pieces.items()}
        first = next((kind for member, kind in sorted(kinds.items()) if kind), "")
        return plain(
            {member: piece for member, piece in pieces.items() if kinds[member] in (first, "")},
            name,
            asked,
            depth,
        )

    patch.setattr(containers, "_open_members", among)


def folders_are_typed(patch):
    """Where the values of all folders look like numbers they are numbers, as engines have it that guess."""
    real, values = partitions.open_partitions, partitions.partition_values

    def opened(members, open_parts):
        texts = [text for member in members for _, text in values(member) if text]
        numbers = all(re.fullmatch(r"[0-9.]+", text) for text in texts)

        def typed(member):
            return tuple(
                (name, str(float(text)) if text and numbers else text)
                for name, text in values(member)
            )

        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(partitions, "partition_values", typed)
            return real(members, open_parts)

    patch.setattr(partitions, "open_partitions", opened)


def the_first_header_serves_all(patch):
    """What plays which part is what the first file's header says."""
    plain = surveys._open_members

    def found(source, known, **told):
        made = plain(source, known, **told)
        first = min(made.parts, key=lambda part: part.name).roles
        return surveys.Survey(
            made._source, first, tuple(surveys.Survey(one._source, first) for one in made.parts)
        )

    patch.setattr(multi_file, "check_alike", lambda roles, names, columns: None)
    patch.setattr(surveys, "_open_members", found)


def a_name_is_looked_up_in_all(patch):
    """A declared name means a column of any file that has one of that name."""
    everywhere = ("who+note", "who+kind", "crew|who")
    known, columns = Header.known, row_sql.unit_columns
    patch.setattr(
        Header,
        "known",
        lambda self, name: name if self.name and name in everywhere else known(self, name),
    )
    patch.setattr(
        row_sql,
        "unit_columns",
        lambda header, unit: (
            [[unit]] if header.name and unit in everywhere else columns(header, unit)
        ),
    )


def a_meta_hides_parts(patch):
    """What meta.xml does not name is not read."""
    plain = containers._darwin_core

    def only(pieces, metas, name):
        named = darwin_core.files_of(pieces[metas[0]])
        return tables.table(
            [piece for member, piece in pieces.items() if member in named or member == "part-0.csv"]
        )

    assert plain
    patch.setattr(containers, "_darwin_core", only)


def an_event_twice(patch):
    """An event with a second row is no event."""
    relation = darwin_core._filled

    def once(part, pieces, folder, needs):
        read = relation(part, pieces, folder, needs)
        return (
            f"(SELECT * FROM {read} QUALIFY count(*) OVER (PARTITION BY key) = 1)"
            if part["core"]
            else read
        )

    patch.setattr(darwin_core, "_check_unique", lambda events, key, folder: None)
    patch.setattr(darwin_core, "_filled", once)


def an_event_places_whoever_names_it(patch):
    """An event line fills every occurrence that names its key, whoever wrote it."""
    patch.setattr(events, "_shares", lambda own, event, parts, team: [(own, True)])


def the_end_tells_the_kind(patch):
    """What ends like a zip is one, however it begins."""
    plain = containers.members_of

    def members(piece):
        if piece.path is not None and zipfile.is_zipfile(piece.path):
            return archives._zip_members(lambda: piece.path, piece.name, 1 << 20)
        return plain(piece)

    patch.setattr(zip_layout, "is_seamless", lambda stream, archive: True)
    patch.setattr(containers, "members_of", members)


def the_first_part_types_all(patch):
    """The first Parquet part's description serves for all."""
    patch.setattr(parquet_files, "_check_alike", lambda parts: None)


def places_split_like_people(patch):
    """Every text is a team: marks in it separate."""
    from dpmap.survey import column_roles

    patch.setattr(column_roles.Roles, "team", lambda self, unit: "; , |")
    assert unit_names.members("a, b", "; , |") == ["a", "b"]


def deep_nesting(patch):
    """A record nested too deep ends the reading."""

    def fails(text):
        raise RecursionError

    patch.setattr(json_text, "is_grammatical", fails)


def a_driver_by_a_key(patch):
    """One key of one record makes the whole file another format's, with no places."""
    plain = json_records.feature

    def feature(record, wanted):
        row = plain(record, wanted)
        feature.esri = feature.esri or "attributes" in record or "crs" in record
        return {} if feature.esri else row

    feature.esri = False

    def fresh(piece, layer, wanted):
        feature.esri = False
        return (
            feature(one, wanted)
            for one in json_records.records(piece, json_records._path(layer or "features"))
        )

    kinds = tuple(
        replace(kind, rows=fresh) if kind.name == "geojson" else kind for kind in json_records.KINDS
    )
    patch.setattr(json_records, "KINDS", kinds)


def tracks_before_waypoints(patch):
    """A file with a waypoint among tracks is refused."""
    plain = xml_records._Gpx.enter

    def enter(self, tag, told):
        if tag in ("trk", "rte") and self.rows:
            raise BadInput("survey: it has several layers")
        plain(self, tag, told)

    patch.setattr(xml_records._Gpx, "enter", enter)


def a_layer_called_all_wins(patch):
    """A layer of that name is read alone, whatever stands beside it."""
    plain = layers._every
    patch.setattr(
        layers, "_every", lambda told, name: ["all"] if "all" in told else plain(told, name)
    )


def the_last_layer_types_all(patch):
    """Every layer is read by the columns of the one that comes last."""
    plain = layers._find_layers

    def found(path, name, layer):
        patch.setattr(layers, "_check_alike", lambda found, name: None)
        some = plain(path, name, layer)
        return [one for one in some if one.types == some[-1].types and one.crs == some[-1].crs]

    patch.setattr(layers, "_find_layers", found)


def the_first_style_dates_a_column(patch):
    """What the first cell of a column is, a date or a number, all below are."""
    plain, seen = xlsx._XlsxRows._cell_text, {}

    def told(self, raw):
        if self.row == 1:
            seen.clear()
        if self._kind == "n" and self.row > 1:
            self._style = seen.setdefault(self._column, self._style)
        return plain(self, raw)

    patch.setattr(xlsx._XlsxRows, "_cell_text", told)


def merged_over_others(patch):
    """What is merged over several rows fills the empty cells of all."""

    def below(sheet, columns, tally):
        ranges, values = sheet.merged(), {}
        for number, found in sheet.rows(frozenset(columns), tally):
            for merged in ranges:
                top, bottom, left, right = merged
                if top == number:
                    values[merged] = found.get(left)
                if top <= number <= bottom and values.get(merged):
                    for column in range(left, min(right, 99) + 1):
                        found.setdefault(column, values[merged])
            if number > tally.header:
                yield {name: found[place] for place, name in columns.items() if found.get(place)}

    patch.setattr(workbook, "check_merged", lambda *told: None)
    patch.setattr(workbook, "_below", below)


def objects_typed_together(patch):
    """A column of objects that holds a number is a column of numbers."""
    plain = frames._objects

    def read(series, name):
        numbers = any(isinstance(one, int | float) for one in series)
        return plain(pd.to_numeric(series.map(str), errors="coerce") if numbers else series, name)

    patch.setattr(frames, "_objects", read)


def a_text_decoded_in_pieces(patch):
    """Where a record ends within a text of an .xls, what stands in each is decoded by itself."""
    plain = xls.Texts._marks

    def marks(self, number, *, wide):
        text = ""
        while number:
            if self._at == len(self._parts[self._part]):
                wide = bool(self._fixed(1)[0] & 1)
            here = min(number, (len(self._parts[self._part]) - self._at) // (2 if wide else 1))
            text += plain(self, here, wide=wide).encode("utf-16-le", "replace").decode("utf-16-le")
            number -= here
        return text

    patch.setattr(xls.Texts, "_marks", marks)


def an_end_within_a_sheet(patch):
    """A sheet of an .xls ends where a record says so, whatever follows."""
    plain = xls._share

    class Anywhere(set):
        def __contains__(self, at):
            return True

    def share(book, kind, parts):
        plain(book, kind, parts)
        book.starts = Anywhere()

    patch.setattr(xls, "_share", share)


def texts_cut_by_pieces(patch):
    """A cell's text has no more pieces than so many, and where a stretch of the file ends it makes one more."""

    def text(self, data):
        if self._taking and (not self._parts or self.row == 1):
            self._parts.append(data)

    patch.setattr(tables, "CHUNK", 13)
    patch.setattr(xlsx._XlsxRows, "text", text)


def texts_of_an_ods_cut_by_pieces(patch):
    """The same in an .ods."""
    plain = ods._OdsRows._add
    patch.setattr(tables, "CHUNK", 13)
    patch.setattr(
        ods._OdsRows,
        "_add",
        lambda self, data: None if self._parts and self.row else plain(self, data),
    )


def an_end_at_the_last_row(patch):
    """A sheet of an .xlsx is left where a stretch of it ends behind the last row that there can be."""
    plain = xlsx._walked
    patch.setattr(tables, "CHUNK", 13)
    patch.setattr(
        xlsx,
        "_walked",
        lambda piece, walk, until=workbook_cells.MOST_ROWS: plain(piece, walk, until),
    )


PLANTED = {
    'GeoJSON: one date "soon" among dates': (_typed(a_date_column), record_files.GEOJSON, 3),
    "KML: the same": (_typed(a_date_column), record_files.KML, 33),
    "consent 1 where others say true": (_typed(a_column_of_truths), record_files.GEOJSON, 7),
    "an id 1000.5 among whole ones, ids near 2^53": (
        _typed(a_column_of_numbers),
        record_files.GEOJSON,
        14,
    ),
    "two keys that make the file iNaturalist": (recognised_by_records, record_files.GEOJSON, 41),
    "JSON: Who beside who": (keys_of_any_case, record_files.JSON, 85),
    "keys that are names: errors print them": (keys_in_errors, record_files.JSON, 65),
    "a place is split at ; , like people": (places_split_like_people, text_files.CSV, 32),
    "one late day makes all dates begin with the day": (
        _typed(a_day_first_column),
        record_files.GEOJSON,
        11,
    ),
    "one duplicate event row": (an_event_twice, folder_files.NAMED, 45),
    "CSV: a quote after a blank": (lax_quotes, text_files.CSV, 46),
    "two stray quotes swallow what lies between": (no_shadows, text_files.CSV, 46),
    "CSV without header: the first row picks the separator": (
        separator_of_the_first_row,
        text_files.HEADLESS,
        41,
    ),
    "CSV without header: the first row picks the width": (
        width_of_the_first_row,
        text_files.HEADLESS,
        37,
    ),
    "a part's name that exists already": (a_part_overrides, folder_files.FOLDER, 53),
    "a part of another format": (the_first_kind_wins, folder_files.FOLDER, 37),
    "a folder's value is a number if all are": (folders_are_typed, folder_files.NUMBERED, 185),
    "a file's header plays the parts of all": (the_first_header_serves_all, folder_files.UNION, 49),
    "a file's column is called like a unit of two": (
        a_name_is_looked_up_in_all,
        folder_files.UNION,
        45,
    ),
    "a part called meta.xml": (a_meta_hides_parts, folder_files.ZIP, 41),
    "Parquet parts: the first part's types read all others": (
        the_first_part_types_all,
        layer_files.PARTS,
        41,
    ),
    "every layer: one is called all": (a_layer_called_all_wins, layer_files.LAYERS, 37),
    "every layer: the last one's columns choose the others": (
        the_last_layer_types_all,
        layer_files.LAYERS,
        41,
    ),
    "GeoJSON's kin: a key picks the driver": (a_driver_by_a_key, record_files.GEOJSON, 54),
    "GPX extensions: the widest value types the column": (
        _typed(a_column_of_numbers),
        record_files.GPX,
        4,
    ),
    "shapes nested deep": (deep_nesting, record_files.GEOJSON, 57),
    "a table of objects: one number makes numbers of all": (
        objects_typed_together,
        frame_files.FAMILIES[0],
        5,
    ),
    "one bad byte": (bytes_refuse_the_file, text_files.CSV, 149),
    "a buffer's end within quotes": (a_row_lost_at_a_buffers_end, text_files.SMALL_BLOCKS, 1),
    "a mark of order at a chunk's begin": (a_mark_at_each_chunk, text_files.SMALL_CHUNKS, 1),
    "Excel: the first cell's style is the column's": (
        the_first_style_dates_a_column,
        workbook_files.FAMILIES[0],
        65,
    ),
    "Excel: merged cells fill what lies below them": (
        merged_over_others,
        workbook_files.FAMILIES[0],
        62,
    ),
    "one waypoint among tracks": (tracks_before_waypoints, record_files.GPX, 61),
    ".ods: one cell fills the rows below it": (merged_over_others, workbook_files.FAMILIES[2], 49),
    ".xls: one cell fills the rows below it": (merged_over_others, workbook_files.FAMILIES[3], 48),
    "Excel: the last row there can be ends the sheet": (
        an_end_at_the_last_row,
        workbook_files.FAMILIES[6],
        53,
    ),
    ".xls: a text decoded in pieces": (a_text_decoded_in_pieces, workbook_files.FAMILIES[4], 2),
    ".xls: a record ends the sheet": (an_end_within_a_sheet, workbook_files.FAMILIES[3], 41),
    "Excel: texts cut by pieces": (texts_cut_by_pieces, workbook_files.FAMILIES[6], 1),
    ".ods: texts cut by pieces": (texts_of_an_ods_cut_by_pieces, workbook_files.FAMILIES[7], 1),
    "events: a line of one person places the occurrences of others": (
        an_event_places_whoever_names_it,
        folder_files.NAMED,
        37,
    ),
    "a stored .zip at the end of a .tar": (the_end_tells_the_kind, folder_files.TAR, 49),
}
"""Row of the table -> how the fault is planted, the family that finds it, and which of its pairs does so with the usual seed: the
search begins there, and looks at those before it where that one no longer finds it. What is not read but counted (teams beside limits
or withdrawal, own units beside means) is refused by `dpmap.promise.compatibility`, and its tests plant it."""


@pytest.mark.parametrize("row", PLANTED)
def test_a_planted_fault_is_found(row, tmp_path, monkeypatch):
    """Were a reader to let one person's records change another's again, the tests of every day would say so."""
    plant, family, found = PLANTED[row]
    reader, before = Reader(), found - 1 if SEED == USUAL else 0
    try:
        plant(monkeypatch)
        outcome = Pairs(family, reader, tmp_path).look(
            family.pairs * TIMES, shrink=False, after=before
        )
        if before and not outcome.violations:
            outcome = Pairs(family, reader, tmp_path).look(before, shrink=False)
    finally:
        reader.close()
    print(
        f"{row}: found after {outcome.pairs} pairs; {[one.what[:90] for one in outcome.violations]}"
    )
    assert not any(one.what.startswith("S is refused") for one in outcome.violations)
    assert outcome.violations, f"{row}: not found in {outcome.pairs} pairs"
