"""Dates are read in the forms that were declared, each text by itself, and a column of which nothing is read costs nothing."""

import os
import re
import tomllib
from calendar import monthrange
from datetime import date, timedelta

import duckdb
import pytest
from builders import surveys
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.statement.statement import statement
from dpmap.steward import date_formats
from dpmap.survey import dates
from dpmap.survey.column_roles import ReadingOptions

DEEP = os.environ.get("DPMAP_DEEP") == "1"
GRID = surveys.grid()
SEEN = dm.Times("seen", ("2024", "2025", "2025-02", "2025-03", "2026"))
ONE = date(2025, 2, 1)


def read(texts, told):
    """The first and last day of each text, as these forms read it."""
    number = f"SELECT {dates.reckon_sql('text', dates.parse(told))} AS n FROM (SELECT unnest(CAST(? AS VARCHAR[])) AS text)"
    found = duckdb.connect().execute(
        f"SELECT {dates.first('n')}, {dates.last_day_sql('n')} FROM ({number})", [texts]
    )
    return [pair if pair[0] is not None else None for pair in found.fetchall()]


def span(text):
    """What is expected, written as `first last`, `day` or nothing."""
    ends = [date.fromisoformat(one) for one in text.split()]
    return (ends[0], ends[-1]) if ends else None


@pytest.mark.parametrize("told", ["dmy", "mdy", "ymd", "iso", "excel", "epoch"])
def test_a_whole_iso_day_is_read_under_every_form(told):
    """Typed dates of a file come as such texts, so no declared form can break them."""
    texts = [
        "2025-02-01",
        "2025-02-01T23:59:59.5Z",
        " 2025-02-01 00:00:00+01 ",
        "2025-02-01 00:00:00",
        "2025-02-01t1030",
    ]
    assert read(texts, told) == [(ONE, ONE)] * len(texts)


@pytest.mark.parametrize(("told", "text", "expected"), [
    ("iso", "2025", "2025-01-01 2025-12-31"), ("iso", "2024-02", "2024-02-01 2024-02-29"), ("iso", "2025.0", "2025-01-01 2025-12-31"),
    ("iso", "2025-02-01/03", "2025-02-01 2025-02-03"), ("iso", "2025-02-01/03-05", "2025-02-01 2025-03-05"), ("iso", "2025-02/03", "2025-02-01 2025-03-31"),
    ("iso", "2024/2025", "2024-01-01 2025-12-31"), ("iso", "2025-02-01T10:00Z/2025-02-03T11:00Z", "2025-02-01 2025-02-03"),
    ("iso", "2025-02-01T10:00/15:30", "2025-02-01"), ("iso", "2025-02-01T10:00/03T15:30", "2025-02-01 2025-02-03"),
    ("iso", "2025-02-01 / 2025-02", "2025-02-01 2025-02-28"), ("iso,start", "2025-02-01/2025-04-03", "2025-02-01"), ("iso,start", "2024/2025", "2024-01-01 2024-12-31"),
    ("iso", "2025-02-01/..", ""), ("iso", "../2025-02-01", ""), ("iso", "2025-02-01/", ""), ("iso", "2025-03/2025-02", ""), ("iso", "2025/02", ""),
    ("iso,start", "2025-03/2025-02", ""), ("iso", "2025-02-01/2025-02-02/2025-02-03", ""), ("iso", "2025-02-01T10:00/11", ""), ("iso", "1/2/2025", ""),
    ("iso", "20250201", ""), ("iso", "2025-02-01 to 2025-03-01", ""), ("iso", "2025-02-30", ""), ("iso", "0044-03-15 (BC)", ""), ("dmy", "2025", ""),
    ("dmy", "01/02/2025", "2025-02-01"), ("dmy", "1.2.2025", "2025-02-01"), ("dmy", "2/1/25", "2025-01-02"), ("dmy", "1-2-2025 9:05 pm", "2025-02-01"),
    ("dmy", "01 Feb 2025", "2025-02-01"), ("dmy", "1 February 2025", "2025-02-01"), ("dmy", "Feb 1, 2025", "2025-02-01"), ("dmy", "01FEB2025", "2025-02-01"),
    ("dmy", "1. M\u00e4rz 2025", "2025-03-01"), ("dmy", "1er f\u00e9vrier 2025", "2025-02-01"), ("dmy", "1 de febrero de 2025", "2025-02-01"),
    ("dmy", "1\u00ba de fevereiro de 2025, 10h30", "2025-02-01"), ("dmy", "02/2025", "2025-02-01 2025-02-28"), ("dmy", "Feb 2025", "2025-02-01 2025-02-28"),
    ("dmy", "1 f\u00e9v 2025", "2025-02-01"), ("dmy", "1 fe\u0301v 2025", "2025-02-01"), ("dmy", "1 Feb 02", "2002-02-01"), ("dmy", "31/02/2025", ""), ("dmy", "0/0/00", ""), ("dmy", "13/13/2025", ""), ("dmy", "1 Foo 2025", ""),
    ("dmy", "\u0661/\u0662/\u0662\u0660\u0662\u0665", ""), ("dmy", "1/2/99999", ""), ("dmy", "1/2/20 25", ""), ("dmy", "before 1 Feb 2025", ""), ("dmy", "45689", ""),
    ("mdy", "02/01/2025", "2025-02-01"), ("mdy", "2/1/25", "2025-02-01"), ("mdy", "Feb 1, 2025", "2025-02-01"), ("mdy", "1 Feb 2025", "2025-02-01"),
    ("mdy", "Feb 1 25", "2025-02-01"), ("mdy", "13/2/2025", ""), ("ymd", "2025/02/01", "2025-02-01"), ("ymd", "20250201", "2025-02-01"),
    ("ymd", "20250201T101500", "2025-02-01"), ("ymd", "25-2-1", "2025-02-01"), ("ymd", "2025/2", "2025-02-01 2025-02-28"), ("ymd", "20251301", ""),
    ("excel", "45689", "2025-02-01"), ("excel", "45689.5", "2025-02-01"), ("excel", "10000", "1927-05-18"), ("excel", "99999", "2173-10-13"), ("excel", "2025", ""),
    ("excel", "9999", ""), ("excel", "00123", ""), ("excel", "456890", ""), ("excel", "-45689", ""), ("epoch", "1738368000000", "2025-02-01"),
    ("epoch", "1738367999999.0", "2025-01-31"), ("epoch", "-86400001000", "1967-04-06"), ("epoch", "1738368000", ""), ("epoch", "9" * 400, ""),
    ("dmy,mdy", "01/02/2025", "2025-02-01"), ("dmy,mdy", "02/13/2025", "2025-02-13"), ("mdy,dmy", "01/02/2025", "2025-01-02"), ("ymd,dmy", "25-02-01", "2025-02-01"),
    ("dmy,ymd", "25-02-01", "2001-02-25"), ("dmy,excel,iso", "45689", "2025-02-01"), ("excel,iso", "2025", "2025-01-01 2025-12-31"),
])  # fmt: skip
def test_each_form_reads_its_own_spellings_and_no_other(told, text, expected):
    """What is written on the page is what is read; what no calendar has is no date."""
    assert read([text], told) == [span(expected)]


# --- against a plain reader ----------------------------------------------------------------------------------------

ORDERS = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}


def plainly(text, form):
    """Reads a text without a month's name and without a time, as a person would program it."""
    text = text.strip(" \t\r\n\u00a0")
    try:
        if re.fullmatch("[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}", text):
            return (date.fromisoformat(text),) * 2
        if form == "excel" and re.fullmatch("[1-9][0-9]{4}([.,][0-9]+)?", text):
            return (date(1899, 12, 30) + timedelta(int(text[:5])),) * 2
        if form == "epoch" and re.fullmatch(r"-?[1-9][0-9]{10,12}(\.0+)?", text):
            return (date(1970, 1, 1) + timedelta(int(text.split(".")[0]) // 86_400_000),) * 2
        if form == "iso" and re.fullmatch(r"[1-9][0-9]{3}(\.0+)?", text):
            return date(int(text[:4]), 1, 1), date(int(text[:4]), 12, 31)
        if form == "iso" and re.fullmatch("[1-9][0-9]{3}-[0-9]{2}", text):
            return _month(int(text[:4]), int(text[5:]))
        if form == "ymd" and re.fullmatch(r"[1-9][0-9]{7}(\.0+)?", text):
            return (date(int(text[:4]), int(text[4:6]), int(text[6:8])),) * 2
        parts = re.split(" *[-/.] *| +", text)
        if form not in ORDERS or not all(re.fullmatch("[0-9]+", part) for part in parts):
            return None
        if len(parts) == 2:
            year, month = parts if form == "ymd" else parts[::-1]
            return (
                _month(int(year), int(month))
                if re.fullmatch("[1-9][0-9]{3}", year) and len(month) < 3
                else None
            )
        told = dict(zip(ORDERS[form], parts, strict=True))
        if (
            len(told["d"]) > 2
            or len(told["m"]) > 2
            or not re.fullmatch("[1-9][0-9]{3}|[0-9]{2}", told["y"])
        ):
            return None
        year = (
            int(told["y"])
            if len(told["y"]) == 4
            else int(told["y"]) + (2000 if told["y"] < "69" else 1900)
        )
        return (date(year, int(told["m"]), int(told["d"])),) * 2
    except ValueError:
        return None


def _month(year, month):
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


number = st.integers(0, 99).flatmap(lambda n: st.sampled_from([str(n), f"{n:02}"])) | st.integers(
    0, 33
).map(str)
year = (
    st.integers(1000, 9999).map(str)
    | st.integers(1900, 2099).map(str)
    | number
    | st.sampled_from(["99999", "0000", "0999", "123"])
)
mark = st.sampled_from(["/", "-", ".", " ", " . ", "/ "])
likely = st.one_of(
    st.builds(lambda a, m, b, n, c: a + m + b + n + c, number | year, mark, number, mark, number | year),
    st.builds(lambda a, m, b: a + m + b, number | year, mark, number | year),
    st.dates(date(1000, 1, 1)).map(str),
    st.integers(-(10**14), 10**14).map(str),
    st.integers(0, 10**9).map(str),
    st.decimals(0, 10**6, places=3).map(str),
    st.text("0123456789-/. T:Z+", max_size=14),
)  # fmt: skip


def clear(text):
    """Whether the plain reader covers it: no clock follows (14 digits are a date and one), no range."""
    return (
        not re.search(r"^\s*[0-9]{14}\b", text)
        and not re.search(r"[tTzZ:+]| [0-9]{1,2}\.[0-9]{2}", text)
        and not re.fullmatch(r"\s*[0-9]{4}[^/]*/[^/]+", text)
    )


@settings(max_examples=200 if DEEP else 12, deadline=None)
@given(texts=st.lists(likely, min_size=50, max_size=90), form=st.sampled_from(sorted(dates.FORMS)))
def test_every_form_reads_as_a_plain_reader_does(texts, form):
    """The patterns and the database's calendar agree with a few lines of Python, on dates and on what nearly is one."""
    texts = [text for text in texts if clear(text)]
    assert read(texts, form) == [plainly(text, form) for text in texts]


@settings(max_examples=100 if DEEP else 5, deadline=None)
@given(
    ranges=st.lists(st.tuples(st.dates(date(1000, 1, 1)), st.dates(date(1000, 1, 1))), max_size=50)
)
def test_a_range_is_its_days_or_its_start(ranges):
    """A range of two days counts as all between, or by its first; backwards it is none."""
    texts = [f"{first}/{last}T12:00Z" for first, last in ranges]
    assert read(texts, "iso") == [
        (first, last) if first <= last else None for first, last in ranges
    ]
    assert read(texts, "iso,start") == [
        (first, first) if first <= last else None for first, last in ranges
    ]


@settings(max_examples=100 if DEEP else 6, deadline=None)
@given(
    texts=st.lists(likely | st.text(max_size=20) | st.from_regex(r"\A[0-9]{1,400}[a-z\u00e9]{0,9}/?[0-9]*\Z"), min_size=20, max_size=60),
    forms=st.lists(st.sampled_from(sorted(dates.FORMS)), min_size=2, max_size=4, unique=True),
)  # fmt: skip
def test_whatever_stands_there_is_a_date_of_the_first_form_that_reads_it_or_none(texts, forms):
    """No text raises, and several forms read a text as the first of them that reads it alone."""
    texts = [text.replace("\x00", "") for text in texts if text.isprintable()]
    alone = [read(texts, form) for form in forms]
    expected = [
        next((found for found in column if found), None) for column in zip(*alone, strict=True)
    ]
    assert read(texts, ",".join(forms)) == expected
    assert all(found[0] <= found[1] for found in expected if found)


def test_a_months_name_means_one_month_only():
    """No two languages that are read use one name for two months."""
    names = [name for months in dates._MONTHS for name in months.split()]
    assert len(names) == len(set(names))
    assert read([f"3 {name.title()} 1999" for name in names], "ymd") == [
        (date(1999, at, 3),) * 2
        for at, months in enumerate(dates._MONTHS, start=1)
        for _ in months.split()
    ]


# --- in a release --------------------------------------------------------------------------------------------------


def seen(folder, texts, **options):
    """A survey of these dates, each of a person of her own."""
    rows = [(f"p{at}", 0.1, 50.1, f'"{text}"') for at, text in enumerate(texts)]
    return surveys.survey(folder, rows, f"{surveys.HEAD},seen", unit="who", **options)


def counted(folder, texts, **options):
    """How many of these dates a release counts in each span, with next to no noise."""
    policy = dm.Policy(epsilon=10**6, unit="who", cap=1)
    made = surveys.released(
        seen(folder, texts, **options), folder, GRID.layered(SEEN), policy, budget=10**6
    )
    return made, [round(float(one)) for one in made.estimate.sum(axis=(1, 2))]


def test_a_release_counts_dates_as_declared_and_says_so(tmp_path):
    """Several forms of one survey are read, a coarse date or range counts where all its days lie in one span, and the statement says how."""
    texts = [
        "03/02/2025",
        "2025-02-04 10:00",
        "45690",
        "2025-02-01/28",
        "2025-01-31/2025-02-01",
        "5 Jan 2024",
        "12/2025",
        "soon",
        "",
    ]
    made, found = counted(tmp_path, texts, dates="dmy, iso, excel")
    assert found == [1, 0, 4, 1]
    said = statement(made.record)
    assert "seen: dmy (day, month, year), else iso" in said and "a range by all its days" in said
    (folder := tmp_path / "start").mkdir()
    assert counted(folder, texts, dates=["dmy", "iso", "start"])[1] == [1, 1, 3, 1]


def test_a_column_of_which_nothing_is_read_as_a_date_is_refused(tmp_path):
    """An empty map is not paid for where dates are written otherwise than declared; blank ones make the empty map that is the truth."""
    policy, ledger = dm.Policy(epsilon=1, unit="who", cap=1), dm.Ledger(tmp_path / "x.ledger")
    for texts, told in (
        (["03/02/2025"] * 200, None),
        (["45690"] * 20, "dmy,iso,start"),
        (["2025"] * 3, "excel"),
    ):
        with pytest.raises(
            BadInput, match="^dates: no row of 'seen' holds a date written as "
        ) as caught:
            surveys.released(
                seen(tmp_path, texts, dates=told),
                tmp_path,
                GRID.layered(SEEN),
                policy,
                ledger=ledger,
            )
        assert "\n" not in str(caught.value) and texts[0] not in str(caught.value)
    assert not (tmp_path / "x.ledger").exists() or ledger.balance()[1] == 0
    for texts, told in (
        (["", " "], "dmy"),
        ([], "dmy"),
        (["03/02/2025", "soon"], "dmy"),
        (["2025-02-03"], "dmy"),
    ):
        (folder := tmp_path / f"{len(texts)}{texts[:1] == ['']}").mkdir(exist_ok=True)
        made = surveys.released(seen(folder, texts, dates=told), folder, GRID.layered(SEEN), policy)
        assert made.estimate.shape == (4, 4, 5)


def test_typed_dates_are_read_whatever_is_declared(tmp_path):
    """A column of dates or times in Parquet is no text, and no form of texts takes it away."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "who": ["a", "b"], "longitude": [0.1, 0.1], "latitude": [50.1, 50.1],
        "seen": pa.array([date(2025, 2, 1), date(2024, 12, 31)], pa.date32()),
        "told": pa.array([1738368000000, None], pa.timestamp("ms", "UTC")), "at": pa.array([1738368000 * 10**9, None], pa.timestamp("ns")),
    }  # fmt: skip
    pq.write_table(pa.table(columns), tmp_path / "s.parquet")
    for told in ("dmy", "excel,mdy", None):
        survey = dm.read(tmp_path / "s.parquet", unit="who", dates=told)
        for column, expected in (
            ("seen", [1, 0, 1, 0]),
            ("told", [0, 0, 1, 0]),
            ("at", [0, 0, 1, 0]),
        ):
            (folder := tmp_path / f"{told}{column}").mkdir()
            grid = GRID.layered(dm.Times(column, SEEN.edges))
            made = surveys.released(
                survey, folder, grid, dm.Policy(epsilon=10**6, unit="who", cap=1), budget=10**6
            )
            assert [round(float(one)) for one in made.estimate.sum(axis=(1, 2))] == expected


@pytest.mark.parametrize(
    "told",
    ["", "dym", "dmy,dmy", "start", "dmy,start", "dmy;iso", ",", "%d.%m.%Y", ["dmy", 3], "dmy,"],
)
def test_an_unknown_form_is_one_line(told):
    """What is no form is refused with the forms there are."""
    with pytest.raises(BadInput, match="^dates: ") as caught:
        ReadingOptions(dates=told)
    assert "\n" not in str(caught.value)


# --- inspect and init ----------------------------------------------------------------------------------------------

SLASHED = [f"{day:02}/{day % 12 + 1:02}/2024" for day in range(1, 29)]
EARLY = [f"{day:02}/{day % 12 + 1:02}/2024" for day in range(1, 11)]


def begun(folder, monkeypatch, texts, name="seen", *flags):
    """The lines about dates that `init` writes for a file with these texts."""
    monkeypatch.chdir(folder)
    surveys.written(
        folder,
        [f'p{at},0.1,50.1,"{text}"' for at, text in enumerate(texts)],
        f"{surveys.HEAD},{name}",
        "s.csv",
    )
    assert run(["init", "s.csv", "--out", f"{name}.toml", *flags]) == 0
    text = (folder / f"{name}.toml").read_text("utf-8")
    assert tomllib.loads(text)
    return [line.partition("  #")[0].strip() for line in text.splitlines() if "dates = " in line]


@pytest.mark.parametrize(("texts", "expected"), [
    (SLASHED, 'dates = "dmy"'),
    ([f"{text[3:6]}{text[:3]}{text[6:]}" for text in SLASHED], 'dates = "mdy"'),
    (["45689", "45690.5"], 'dates = "excel"'), (["1738368000000"], 'dates = "epoch"'), (["2024-02-03", "2024"], None),
    (["2024/02/13", "20240214"], 'dates = "ymd"'), ([*SLASHED, "2024-02-03", "45689", "soon"], 'dates = "dmy,iso,excel"'),
    (EARLY, '# dates = "dmy" or "mdy": the texts do not tell which; ask whoever wrote them'), (["soon"], None), ([""], None),
])  # fmt: skip
def test_init_writes_the_forms_that_read_most_and_leaves_open_what_is_not_clear(
    tmp_path, monkeypatch, texts, expected
):
    """The forms are looked at once and declared; where the day may be either number, the steward is asked; no count is written."""
    assert begun(tmp_path, monkeypatch, texts, "Fecha") == ([expected] if expected else [])


def test_init_keeps_what_is_told_and_looks_at_the_column_of_times(tmp_path, monkeypatch):
    """A flag wins over what is found, a column that is not called a date is left alone unless the map's times are read from it."""
    assert begun(tmp_path, monkeypatch, SLASHED, "date", "--dates", "mdy") == ['dates = "mdy"']
    assert begun(tmp_path, monkeypatch, SLASHED, "note") == []
    assert begun(tmp_path, monkeypatch, SLASHED, "remark", "--times", "remark=2024,2025") == [
        'dates = "dmy"'
    ]


def test_inspect_counts_what_each_form_reads(tmp_path):
    """The operator sees the rows that each form reads, those that two read differently, what is lost, and what to type."""
    found = dm.inspect(seen(tmp_path, [*SLASHED, "2024-02-30", "soon", ""]))
    assert found.dates["seen"] == {
        "filled in": 30,
        "dmy": 28,
        "mdy": 12,
        "two ways": 12,
        "unread": 30,
    }
    assert any("--dates dmy" in line and "--dates mdy" not in line for line in found.advice)
    assert ("  dmy", "28  (93.3%)") in found.tables()["How dates are written"]
    assert any(
        "--dates dmy or --dates mdy" in line for line in dm.inspect(seen(tmp_path, EARLY)).advice
    )
    assert not [
        line
        for line in dm.inspect(seen(tmp_path, SLASHED, dates="dmy")).advice
        if "--dates" in line
    ]
    assert dm.inspect(seen(tmp_path, ["soon", ""])).dates == {}


def test_columns_called_like_dates_are_looked_at(tmp_path):
    """Names of several languages are known, and words that only hold such a word are not taken for one."""
    dated = [
        "eventDate",
        "Datum",
        "fecha_obs",
        "observed_on",
        "Date observed",
        "CreationDate",
        "_submission_time",
        "when",
    ]
    plain = ["update", "metadata", "data_source", "candidate", "species", "region", "status"]
    for names, expected in ((dated, dated), (plain, [])):
        assert (
            list(
                date_formats.date_like(
                    surveys.survey(tmp_path, [], ",".join([surveys.HEAD, *names]))
                )
            )
            == expected
        )
