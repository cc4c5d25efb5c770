"""Declared rules over a row's own columns: read by a grammar, said again in words, and never passed on as SQL."""

import json
import os
import random
import sys
from dataclasses import fields
from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import typer
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.errors import BadInput, Refused
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.steward.inspection import inspect
from dpmap.survey.filter_parser import parse
from dpmap.survey.row_filter import All, Among, Day, Either, Empty, Holds, Not, Ordered, sql, words
from dpmap.survey.row_sql import selection

sys.path.insert(0, str(Path(__file__).parent))
from survey_totals import points

DEEP = os.environ.get("DPMAP_DEEP") == "1"

# --- what stands in a cell, as a person reads it: its number, and the first and last day that it may mean ------------

NONE = (None, None)
CELLS = {
    None: NONE, "": NONE, "  ": NONE, "\t\u00a0": NONE, "Aquila": NONE, " AQUILA\u00a0\n": NONE, "aquila'": NONE, "it''s": NONE,
    'a \\ "b"': NONE, "\u00c9": NONE, "\u00e9": NONE, "e\u0301": NONE, "\u0130": NONE, "\u03a3": NONE, "\u03c2": NONE, "\U0001f985": NONE, "%": NONE, "_": NONE,
    "'; DROP TABLE t; --": NONE, "/* x */": NONE, "null": NONE, "true": NONE, "nan": NONE, "inf": NONE, "-Infinity": NONE,
    "1e999": NONE, "0x10": NONE, "\u0662\u0660\u0662\u0660": NONE, "2020 or 1=1": NONE, "2020-13-45": NONE, "05/01/2020": NONE, "soon": NONE,
    "2020": (2020, ("2020-01-01", "2020-12-31")), " 2020.0 ": (2020, ("2020-01-01", "2020-12-31")), "12,5": (12.5, None),
    "1,234": (1234, None), "1.234,5": (1234.5, None), "-0": (0, None), "1e300": (1e300, None), "9007199254740993": (9007199254740992, None),
    "0.1": (0.1, None), "0.10": (0.1, None), "2020-05-01": (None, ("2020-05-01", "2020-05-01")), "2020-05": (None, ("2020-05-01", "2020-05-31")),
    "2020-05-01T23:59:59Z": (None, ("2020-05-01", "2020-05-01")), "2020-04-30/2020-06-02": (None, ("2020-04-30", "2020-06-02")),
    "2019-12-31": (None, ("2019-12-31", "2019-12-31")),
}  # fmt: skip
TEXTS = tuple(text for text in CELLS if text and text.strip())
SEEN = tuple(text for text in TEXTS if text.strip().isprintable())
NUMBERS = (0.0, 2020.0, 12.5, 1234.0, 1234.5, -3.0, 1e300, 0.1, 2019.5, 5e-324)
DAYS = tuple(
    map(
        Day,
        (
            "2020-05",
            "2020-05-01",
            "2019-12-31",
            "2020-12",
            "2020-06-02",
            "0001-01-01",
            "9999-12-31",
        ),
    )
)
COLUMNS = ("a", "When it was", 'say "x"', "and")
BLANKS = " \t\r\n\x0b\x0c\u00a0"


def fulfils(rule, row):
    """Whether a row, as a dict over the columns, fulfils a rule, by the words of the page alone."""
    match rule:
        case Not(inside):
            return not fulfils(inside, row)
        case All(rules):
            return all(fulfils(one, row) for one in rules)
        case Either(rules):
            return any(fulfils(one, row) for one in rules)
        case Empty(column):
            return not (row[column] or "").strip(BLANKS)
        case Holds(column, text, at_start):
            told = lowered(row[column])
            return told is not None and (
                told.startswith(lowered(text, "")) if at_start else lowered(text, "") in told
            )
        case Among(column, values):
            return any(compares("=", value, row[column]) for value in values)
    return compares(rule.sign, rule.value, row[rule.column])


def lowered(text, blanks=BLANKS):
    return (
        None
        if text is None
        else "".join(one if one == "\u1e9e" else one.lower()[0] for one in text.strip(blanks))
    )


def compares(sign, value, cell):
    number, days = CELLS[cell]
    if isinstance(value, str):
        return cell is not None and lowered(cell) == lowered(value)
    if isinstance(value, Day):
        if days is None:
            return False
        (first, last), (start, end) = map(date.fromisoformat, days), value.ends()
        return {
            "=": start <= first and last <= end, "<": last < start, "<=": last <= end, ">": first > end, ">=": first >= start,
        }[sign]  # fmt: skip
    if number is None:
        return False
    return {
        "=": number == value, "<": number < value, "<=": number <= value, ">": number > value, ">=": number >= value,
    }[sign]  # fmt: skip


def a_rule(dice, depth=4):
    """A rule of a few parts, one inside another."""
    if depth and dice.random() < 0.6:
        if dice.random() < 0.3:
            return Not(a_rule(dice, depth - 1))
        joined = All if dice.random() < 0.5 else Either
        return joined(tuple(a_rule(dice, depth - 1) for _ in range(dice.randrange(2, 4))))
    column = dice.choice(COLUMNS)
    values = dice.choice((SEEN, NUMBERS, DAYS))
    way = dice.randrange(5)
    if way == 0:
        return Empty(column)
    if way == 1:
        return Holds(
            column,
            dice.choice(("a", "AQ", "'", "20", "\u00c9", "5", "%", "_", "--", "\\", " ")),
            dice.random() < 0.5,
        )
    if way == 2 or values is SEEN:
        return Among(
            column,
            tuple(
                dice.choice(values).strip() if values is SEEN else dice.choice(values)
                for _ in range(dice.randrange(1, 4))
            ),
        )
    return Ordered(
        column,
        dice.choice(("<", "<=", ">", ">=")),
        dice.choice((*values, Day("2020")) if values is DAYS else values),
    )


# --- the grammar ---------------------------------------------------------------------------------------------------


def test_a_rule_said_in_words_is_the_same_rule_again():
    """Whatever a rule is made of, what the statement says of it is read as that rule, and as no other."""
    dice = random.Random(7)
    for _ in range(20_000 if DEEP else 1500):
        rule = a_rule(dice)
        assert parse(words(rule)) == rule, words(rule)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("species='Aquila' AND year>=2020", "species = 'Aquila' and year >= 2020"),
        ("a = 1 or b = 2 and c = 3", "a = 1 or b = 2 and c = 3"),
        ("(a = 1 or b = 2) and c = 3", "(a = 1 or b = 2) and c = 3"),
        ("not a = 1 and b = 2", "a != 1 and b = 2"),
        ("not (a = 1 and b = 2)", "not (a = 1 and b = 2)"),
        ("a between 1 and 2 and b = 3", "a between 1 and 2 and b = 3"),
        ("a not between 2020-05 and '2021'", "not a between 2020-05 and '2021'"),
        ("a <> 1 or b == 2.50", "a != 1 or b = 2.5"),
        ("`observer's name` not in ('O''Neil', 'x')", "\"observer's name\" not in ('O''Neil', 'x')"),
        ("$createdAt >= '2020' and location-long < -1e1", "$createdAt >= '2020' and location-long < -10"),
        ("contains contains 'x' or starts starts with 'y' or empty is not empty", "contains contains 'x' or starts starts with 'y' or empty is not empty"),
        ("a in (1)\n and \"and\" is empty", 'a = 1 and "and" is empty'),
    ],
)  # fmt: skip
def test_rules_read_as_people_mean_them(typed, meant):
    """`and` binds closer than `or`, `not` closest; blanks, capitals and other spellings of the signs make no difference."""
    assert words(parse(typed)) == meant and words(parse(meant)) == meant


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("", "character 1 a column was expected"),
        ("year", "character 5 a comparison was expected"),
        ("scientific name = 'x'", "character 12 a comparison was expected"),
        ("species = Aquila", "character 11 a value was expected"),
        ('species = "Aquila"', "double quotes name a column"),
        ("species = 'Aquila", "character 11 a quote opens"),
        ("species = \u2018Aquila\u2019", "curly quote"),
        ("species = 'a\u200bb'", "character 13 stands an invisible"),
        ("species = ''", "is empty"),
        ("'species' = 'x'", "not in single ones"),
        ("species < 'Aquila'", "texts are compared by = and in"),
        ("species in ('a', 2)", "of several kinds"),
        ("species in 'a'", "opening parenthesis"),
        ("species in ('a'", "comma or a closing parenthesis"),
        ("species like 'a%'", "contains"),
        ("a is null", "EMPTY was expected"),
        ("a = 1,5", "character 6 AND, OR"),
        ("a = 1_000", "number or date is not understood"),
        ("a = 1)", "character 6 AND, OR"),
        ("(a = 1", "closing parenthesis"),
        ("a = b", "character 5 a value was expected"),
        ("a = 12345678901234567", "more than 15 digits"),
        ("a = 1e999", "more than 15 digits"),
        ("date >= 2020-13", "no calendar has"),
        ("date >= 2020-5-1", "2020-05-31"),
        ("a = 1; DROP TABLE t", "character 6 stands a mark"),
        ("a = 1 -- more", "character 7"),
        ("a = 1\x00", "character 6"),
        ("lower(a) = 'x'", "comparison was expected"),
        ("(" * 101 + "a = 1", "more than 100 parts"),
        ("not " * 5000 + "a = 1", "at most 10,000 characters"),
        ("not " * 2400 + "a = 1", "more than 100 parts"),
        ("a=1 or " * 201 + "a=1", "the 200 comparisons"),
        ("a" * 10_001, "at most 10,000 characters"),
        (" or ".join(f"c{at} > 2020-05" for at in range(6)), "columns are compared with dates"),
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused_in_one_line_that_says_where(rule, line):
    """One line names the character where a rule stops being one, and what was expected there."""
    with pytest.raises(BadInput, match="^where: [^\n]*$") as told:
        parse(rule)
    assert line in str(told.value)


# --- the SQL -------------------------------------------------------------------------------------------------------


def asked(database, rule):
    """The rows that the engine selects."""
    return [
        one
        for (one,) in database.execute(
            f"SELECT {sql(rule, str, ('iso',))} FROM t ORDER BY n"
        ).fetchall()
    ]


@pytest.fixture(scope="module")
def table():
    """A table of 150 rows of odd cells in any mixture, and the rows."""
    dice = random.Random(11)
    rows = [{column: dice.choice(list(CELLS)) for column in COLUMNS} for _ in range(150)]
    database = duckdb.connect(config={"threads": 1})
    names = ", ".join('"' + column.replace('"', '""') + '" VARCHAR' for column in COLUMNS)
    database.execute(f"CREATE TABLE t ({names}, n INTEGER)")
    database.executemany(
        "INSERT INTO t VALUES (?, ?, ?, ?, ?)", [(*row.values(), at) for at, row in enumerate(rows)]
    )
    return database, rows


def test_the_engine_selects_what_the_words_say(table):
    """For any rule and rows full of odd texts the engine and a reading of the page by itself select the same rows."""
    database, rows = table
    dice = random.Random(int(os.environ.get("DPMAP_SEED", "3")))
    some = {False: 0, True: 0}
    for _ in range(1500 if DEEP else 50):
        rule = a_rule(dice, 3)
        expected = [fulfils(rule, row) for row in rows]
        assert asked(database, rule) == expected, words(rule)
        for one in expected:
            some[one] += 1
    assert min(some.values()) > 500


def test_each_value_is_compared_as_it_is_written(table):
    """Each number, date and text with each sign, over every odd cell: a cell that lacks what is asked fulfils nothing."""
    database, rows = table
    for values in (NUMBERS, DAYS):
        for value in values:
            rule = Either(
                tuple(
                    All((Ordered("a", sign, value), Among("and", (one,))))
                    for sign, one in zip(("<", "<=", ">", ">="), SEEN, strict=False)
                )
            )
            assert asked(database, rule) == [fulfils(rule, row) for row in rows], words(rule)
            equal = Among("a", (value,))
            assert asked(database, equal) == [fulfils(equal, row) for row in rows], words(equal)
    rule = Among("a", tuple(one.strip() for one in SEEN))
    assert asked(database, rule) == [fulfils(rule, row) for row in rows]


SNIPPETS = (
    "'; DROP TABLE t; --", "' OR '1'='1", "--", "/*", "*/", ";", "\x00", "''", "'", '"', '""', "`", "\\", "\\'", "$$", "U&'\\0027'", "E'\\''", "x'41'", "||",
    "1=1", "UNION SELECT", "(SELECT 1)", "read_csv('/etc/passwd')", "COPY t TO 'x'", "::", "{}", "[1]", "a.b", "$1", "?", "%", "\u2019", "\uff07", "\u0000",
    "\n", "\ud800", "and", "or", "not", "in (", ")", "between", "is empty", "= 'x'", ">= 2020", "a", '"and"', "contains 'x'", "1e5", "2020-05-01",
)  # fmt: skip


def test_no_sql_passes_through(table):
    """Thousands of crafted rules are refused in one line, or are one expression that keeps what the rule says and changes nothing."""
    database, rows = table
    dice = random.Random(5)
    read = 0
    for _ in range(30_000 if DEEP else 3000):
        pieces = dice.choices(SNIPPETS, k=dice.randrange(1, 7))
        typed = dice.choice(("", " ")).join(pieces)
        typed = (
            dice.choice(("a = ", "a = 'x' ", "a = 1 ", "a = '", "a contains '"))
            + typed
            + dice.choice(("", "'", "' or 'x' = 'x"))
        )
        try:
            rule = parse(typed)
        except BadInput as refusal:
            assert "\n" not in str(refusal) and len(str(refusal)) < 300
            continue
        read += 1
        assert parse(words(rule)) == rule
        (whole,) = duckdb.extract_statements(
            f"SELECT {sql(rule, lambda name: 'a', ('iso',))} FROM t"
        )
        assert whole.type == duckdb.StatementType.SELECT
    assert read > 100
    for text in SNIPPETS:
        if text.isprintable() and text.strip():
            rule = Either(
                (
                    Among("a", (text,)),
                    Holds("and", text, at_start=False),
                    Among('say "x"', (text, "x")),
                )
            )
            assert parse(words(rule)) == rule
            assert asked(database, rule) == [
                (lowered(row["a"]) == lowered(text)) or (lowered(text, "") in (lowered(row["and"]) or "")) or lowered(row['say "x"']) in (lowered(text), "x")
                for row in rows
            ]  # fmt: skip
    assert len(asked(database, Empty("a"))) == len(rows)


def test_typed_columns_are_read_by_their_texts():
    """A column's type is schema: numbers, truths, dates and times of a typed file are compared as their texts are."""
    database = duckdb.connect()
    database.execute(
        "CREATE TABLE t AS SELECT 2020.5::DOUBLE AS d, 3::INTEGER AS i, true AS b, DATE '2020-05-01' AS day, 0.1::FLOAT AS f, "
        "TIMESTAMP '2020-05-01 23:00:00' AS at, 12.50::DECIMAL(9, 2) AS m, 'x'::BLOB AS raw, [1, 2] AS l, NULL::DOUBLE AS z, 1 AS n"
    )
    rules = {
        "d > 2020 and d < 2021": True, "i = 3 and f = 0.1 and m = 12.5": True, "b = 'true'": True, "b = 1": False, "day = 2020-05": True,
        "at = 2020-05-01": True, "day = 20200501": False, "raw = 'x'": True, "l contains '2'": True, "z is empty": True, "z != 1": True, "z < 1": False,
    }  # fmt: skip
    for rule, expected in rules.items():
        assert asked(database, parse(rule)) == [expected], rule


# --- in a survey ---------------------------------------------------------------------------------------------------

HEAD = "who,longitude,latitude,species,year,seen,ok"
ROWS = [
    "ana,0.1,50.1,Aquila,2019,2019-05-01,yes", "ana,0.1,50.1,aquila ,2020,2020-05-01,yes", "bo,0.3,50.1,Owl,2021,2021-05,yes",
    "bo,0.3,50.1,,2021,2021,no", "cy,0.5,50.5,Aquila,soon,soon,yes", "cy,0.5,50.5,Aquila,2022,,no", "di,0.7,50.7,Kite,2022,2022-01-01,yes",
] * 20  # fmt: skip
POLICY = dict(epsilon=1, unit="who", cap=1000)


def counted(folder, rows=ROWS, head=HEAD, policy=POLICY, grid=None, **read):
    """How many rows count."""
    survey = surveys.survey(folder, rows, head, **read)
    return points(survey, grid or surveys.grid(), dm.Policy(**policy))


@pytest.mark.parametrize(
    ("read", "kept"),
    [
        (dict(where="species = 'Aquila'"), 80),
        (dict(where="species = 'AQUILA' and year >= 2020"), 40),
        (dict(where="species != 'aquila'"), 60),
        (dict(where="species != 'aquila' and species is not empty"), 40),
        (dict(where="Species in ('owl', 'kite')"), 40),
        (dict(where="not (year < 2021)"), 100),
        (dict(where="who = 'ana'"), 40),
        (dict(since="seen=2021"), 60),
        (dict(since="seen=2020-01-01", until="2021-05-15"), 20),
        (dict(since="2020", until="seen=2021-05"), 40),
        (dict(until="seen=2021"), 80),
        (
            dict(
                since=2021, until=date(2021, 12, 31), where="species is empty or seen is not empty"
            ),
            None,
        ),
        (dict(where="species = 'owl'", since="seen=2021-02"), 20),
        (dict(where="seen >= 2021-02"), 40),
    ],
)
def test_only_rows_that_fulfil_the_rule_count(tmp_path, read, kept):
    """Of a survey those rows count that fulfil `where` and lie, with every day their date may mean, between `since` and `until`."""
    if kept is None:
        with pytest.raises(BadInput, match="since: name the column of dates"):
            counted(tmp_path, **read)
    else:
        assert counted(tmp_path, **read) == kept


def test_a_formats_own_dates_are_known(tmp_path):
    """Where the format says which column tells when, `since` and `until` need no column."""
    head = "gbifID\tdecimalLatitude\tdecimalLongitude\trecordedByID\teventDate"
    rows = [f"{at}\t50.5\t0.5\tp{at}\t{2019 + at % 4}-05-01" for at in range(40)]
    path = surveys.written(tmp_path, rows, head, "g.csv")
    assert (
        points(
            dm.read(path, since="2020", until="2021"),
            surveys.grid(),
            dm.Policy(epsilon=1, unit="recordedByID", cap=9),
        )
        == 20
    )
    with pytest.raises(
        BadInput, match="eventDate holds dates, and a year alone is a number; quote it"
    ):
        dm.read(path, where="eventDate >= 2020")


def test_unknown_columns_are_named_and_near_ones_offered(tmp_path):
    """A rule about a column that is not there is refused when the survey is opened, with the names like it."""
    with pytest.raises(
        BadInput, match=r"where: the survey has no column 'specie' \(did you mean species\?\)"
    ):
        surveys.survey(tmp_path, ROWS, HEAD, where="specie = 'Aquila'")
    with pytest.raises(BadInput, match="since= and until=: the survey has no column 'sen'"):
        surveys.survey(tmp_path, ROWS, HEAD, since="sen=2020")
    for ends in (
        dict(since="seen=2020-02-30"),
        dict(until="seen=soon"),
        dict(since="seen=2021", until="2020"),
    ):
        with pytest.raises(BadInput, match="^(since|until): "):
            surveys.survey(tmp_path, ROWS, HEAD, **ends)


def test_a_refusal_withdraws_its_unit_wherever_it_stands(tmp_path):
    """Who refuses in a row that no rule selects is left out all the same."""
    told = dict(consent="ok=yes", consent_by="unit")
    policy = POLICY | dict(consent="ok=yes")
    assert counted(tmp_path, policy=policy, **told) == 60
    assert (
        counted(
            tmp_path,
            policy=policy,
            where="species in ('owl', 'kite', 'aquila') and ok = 'yes'",
            **told,
        )
        == 60
    )
    assert counted(tmp_path, policy=policy, where="species in ('owl', 'kite')", **told) == 20


@pytest.mark.parametrize(
    ("read", "policy", "axes"),
    [
        (dict(where="recordedBy contains 'ana'"), {}, ()),
        (dict(since="recordedBy=2020"), {}, ()),
        ({}, dict(consent="recordedBy=ana|bo"), ()),
        ({}, {}, (dm.Kinds("recordedBy", ("ana|bo", "bo")),)),
        (dict(count="recordedBy", max_count=3), {}, ()),
    ],
)
def test_a_column_that_is_taken_apart_into_names_decides_nothing_else(tmp_path, read, policy, axes):
    """Striking one name must leave the rows of those beside it: a rule that reads the list of names is refused, before anything is spent."""
    rows = [f"{at},50.5,0.5,ana|bo" for at in range(9)]
    survey = surveys.survey(
        tmp_path, rows, "gbifID,decimalLatitude,decimalLongitude,recordedBy", **read
    )
    promise = dm.Policy(epsilon=1, unit="recordedBy", cap=3, **policy)
    with pytest.raises(Refused, match="team: recordedBy is taken apart into names"):
        surveys.released(survey, tmp_path, surveys.grid().layered(*axes) if axes else None, promise)
    assert not (tmp_path / "x.ledger").exists()


@pytest.mark.parametrize(
    "read",
    [dict(where="people contains 'ana'"), dict(consent="people=x"), dict(since="people=2020")],
)
def test_a_struct_that_holds_the_names_decides_nothing_else_either(read):
    """Its text holds theirs, so a name that is struck from them changes it too."""
    rows = [dict(people=dict(names="ana; bo", role="x"), longitude=0.5, latitude=50.5)]
    survey = dm.read(pa.Table.from_pylist(rows), team=";", **read)
    with pytest.raises(Refused, match="team: people__names is taken apart into names"):
        selection(survey.header, "people__names", survey.roles.consent, None)
    beside = dm.read(pa.Table.from_pylist(rows), team=";", where="people__role = 'x'")
    assert selection(beside.header, "people__names", None, None).selected != "true"


def test_rows_that_none_fulfils_are_refused_before_anything_is_spent(tmp_path):
    """A rule that selects none of the rows there are ends in one line on the operator's screen; an empty survey is released."""
    survey = surveys.survey(tmp_path, ROWS, HEAD, where="species = 'Akila'")
    with pytest.raises(BadInput, match="where: the survey has rows and none is selected"):
        surveys.released(survey, tmp_path)
    with pytest.raises(BadInput, match="since: the survey has rows and none is selected"):
        surveys.released(surveys.survey(tmp_path, ROWS, HEAD, since="seen=2030"), tmp_path)
    assert not (tmp_path / "x.ledger").exists()
    surveys.released(surveys.survey(tmp_path, [], HEAD, where="species = 'Akila'"), tmp_path)


def test_inspect_says_how_many_a_rule_leaves_out(tmp_path):
    """The operator sees which rule was read, and how many rows it left out."""
    found = inspect(
        surveys.survey(tmp_path, ROWS, HEAD, where="species = 'owl'", until="seen=2021"), unit="who"
    )
    assert found.left_out == {"not selected by --where": 120} and found.usable == 20
    assert ("selected", "rows where species = 'owl' and seen <= '2021'") in found.roles


def test_a_release_says_its_rule_wherever_it_says_what_counted(tmp_path):
    """Statement, privacy.yaml, the map's own line and the layers' facts name the declared rule; a release without one says nothing of it."""
    rule = "species = 'Aquila' or year between 2020 and 2022"
    made = surveys.released(surveys.survey(tmp_path, ROWS, HEAD, where=rule), tmp_path)
    record = made.record
    assert f"only such rows counted: `rows where {rule}`" in statement(
        record
    ) and "rule over rows" in statement(record)
    assert f"Only rows where {rule} count." in privacy_yaml(
        record
    ) and "rule over rows" in privacy_yaml(record)
    from dpmap.statement.kinds import map_statement

    assert (
        f"only rows where {rule}" in map_statement(record).provenance()
        and map_statement(record).facts()["selected"] == f"rows where {rule}"
    )
    plain = surveys.released(surveys.survey(tmp_path, ROWS, HEAD), tmp_path).record
    assert "selected" not in map_statement(plain).facts() and "rule over rows" not in statement(
        plain
    ) + privacy_yaml(plain)
    long = surveys.released(
        surveys.survey(tmp_path, ROWS, HEAD, where=" or ".join([rule] * 20)), tmp_path
    ).record
    assert "only rows selected by a declared rule (see the statement)" in map_statement(
        long
    ).provenance() and rule in statement(long)


def test_the_command_line_and_its_file_say_the_same(tmp_path, monkeypatch, capsys):
    """`--where`, `--from` and `--to` are the keys where, from and to of dpmap.toml; with `--times` they are about its column."""
    monkeypatch.chdir(tmp_path)
    surveys.written(tmp_path, ROWS, HEAD, "s.csv")
    flags = [
        "--where",
        "species != 'Owl' and year >= 2020",
        "--from",
        "2020",
        "--to",
        "2022-06",
        "--times",
        "seen=2020,2021,2023",
    ]
    assert run(["init", "s.csv", *flags, "--unit=who"]) == 0, capsys.readouterr().err
    text = (tmp_path / "dpmap.toml").read_text()
    assert (
        "# selected: rows where species != 'Owl' and year >= 2020 and seen between '2020' and 2022-06"
        in text
    )
    assert (
        "where = \"species != 'Owl' and year >= 2020\"" in text
        and '\nfrom = "2020"' in text
        and '\nto = "2022-06"' in text
    )
    context = typer.main.get_command(app).commands["release"].make_context("release", [])
    read = ReadingFlags(**{one.name: context.params[one.name] for one in fields(ReadingFlags)})
    told = read.opened("s.csv", "who", **read.dated(context.params["times"])).roles.described()
    assert (
        "selected",
        "rows where species != 'Owl' and year >= 2020 and seen between '2020' and 2022-06",
    ) in told
    capsys.readouterr()
    assert run(["inspect", "s.csv", "--unit=who", "--from=seen=2021", "--to=2022", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"] == {
        "not selected by --from and --to": 80
    }
    (tmp_path / "c.toml").write_text('since = "2020"\n')
    assert run(["release", "s.csv", "--config=c.toml"]) == 2
    assert "unknown key since" in capsys.readouterr().err
