"""Whom a text names, and that nobody's part in it depends on who else is named."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput, Refused
from dpmap.statement.statement import statement
from dpmap.survey.unit_names import PLACEHOLDERS, is_missing, members, normalise, separators, strike

sys.path.insert(0, str(Path(__file__).parent))
from survey_totals import points

DEEP = os.environ.get("DPMAP_DEEP") == "1"
MANY = settings(
    max_examples=20_000 if DEEP else 1500,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
GRID = dm.Grid(bounds=(-5, 55, 5, 60), shape=(5, 10), crs="EPSG:4326")
TEAMS = ("auto", ";", "|", ",", "; , |", "and", "; | & and y et und with", "/ + y")
PIECES = (
    "Ana", "ana ", "ANA", "Bo Lee", "Ruiz, A.", "et al.", "et al", " et al. ", "& team", "and others", "team", "others", "unknown", "n/a", "",
    " ", "\u00a0", "\u200b", "1000", "1000.0", "1000.", "and", "And", "y", " y ", "andy", "sandy", "a,nd", ";", "|", ",", "&", "/", "+", "\uff1b",
    "\u037e", "\uff5c", "  and  ", "\tand\n", "e\u0301", "\u0301", "\ufb01", "\u212a", "Sigma\u03c2", "u.a.", "y otros",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=9).map("".join)


@MANY
@given(texts, st.sampled_from(TEAMS), st.randoms(use_true_random=False))
@example("w and;q and z", "; and", None)
@example("x and q;and y", "; and", None)
@example("q;and y", "; and", None)
@example("a;a and a", "; and", None)
def test_striking_a_name_leaves_all_others_as_they_were(text, team, dice):
    """Whatever a text holds, taking one name out of it takes that name out of those it names, and changes nothing else."""
    people = members(text, team)
    for name in people if dice is None else people[:1] + [dice.choice(people)] if people else []:
        assert members(strike(text, name, team), team) == [one for one in people if one != name]


@MANY
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), min_size=2, max_size=6), st.data())
def test_either_mark_beside_a_name_may_go_with_it(pieces, data):
    """Between `;` and `|` a name may be struck with the mark before it or with the one behind it: the others stay."""
    marks = data.draw(
        st.lists(st.sampled_from(";|"), min_size=len(pieces) - 1, max_size=len(pieces) - 1)
    )
    text = "".join(one for pair in zip(pieces, [*marks, ""], strict=True) for one in pair)
    at = data.draw(st.integers(0, len(pieces) - 1))
    struck = members(pieces[at])
    for mark in {max(0, at - 1), min(at, len(marks) - 1)}:
        left, between = pieces[:at] + pieces[at + 1 :], marks[:mark] + marks[mark + 1 :]
        rest = "".join(one for pair in zip(left, [*between, ""], strict=True) for one in pair)
        again = [name for piece in left for name in members(piece)]
        assert members(rest) == list(dict.fromkeys(again))
        assert set(members(text)) == {*again, *struck}


def by_commas(text):
    """A wrong way, as it was once: commas separate where there are three names or more."""
    pieces = [
        piece
        for part in text.split(";")
        for piece in (part.split(",") if part.count(",") > 1 else [part])
    ]
    return [name for name in dict.fromkeys(map(normalise, pieces)) if not is_missing(name)]


def few_only(text):
    """A wrong way, as it was once: a text of too many names names nobody."""
    return members(text) if len(members(text)) <= 2 else []


@pytest.mark.parametrize("wrong", [by_commas, few_only])
def test_the_law_is_no_formality(wrong):
    """Reading commas by how many there are, or dropping long lists, breaks the law that the tests above check."""
    for text in ("Ruiz, Ana, Lee", "Ana; Bo; Cy"):
        if any(
            wrong(strike(text, name)) != [one for one in wrong(text) if one != name]
            for name in ("bo", "ruiz", "lee")
        ):
            return
        shorter = text.replace(", Lee", "")
        if wrong(shorter) != [name for name in wrong(text) if name != "lee"]:
            return
    pytest.fail("nothing was caught")


@pytest.mark.parametrize(("text", "team", "people"), [
    ("Ana Ruiz; Bo Lee", "auto", ["ana ruiz", "bo lee"]), ("Bo Lee|ANA  RUIZ", "auto", ["bo lee", "ana ruiz"]),
    ("Ana Ruiz & Bo Lee and Cy Dee", "auto", ["ana ruiz & bo lee and cy dee"]),
    ("Ana Ruiz & Bo Lee and Cy Dee", "& and", ["ana ruiz", "bo lee", "cy dee"]),
    ("Ruiz, Ana", "auto", ["ruiz, ana"]), ("Ana, Bo, Cy", "auto", ["ana, bo, cy"]), ("Ruiz, Ana", ",", ["ruiz", "ana"]),
    ("Ana Ruiz et al.", "auto", ["ana ruiz"]), ("Ana, et al.; Bo & team", "auto", ["ana", "bo"]), ("Ana and others", "and", ["ana"]),
    ("Ana Ruiz; unknown", "auto", ["ana ruiz"]), ("; ;", "auto", []), ("n/a|unknown", "auto", []), ("Sandy Andrews", "and y", ["sandy andrews"]),
    ("Ana y Bo et Cy und Di with Ed", "y et und with", ["ana", "bo", "cy", "di", "ed"]), ("Ana AND Bo", "and", ["ana", "bo"]),
    ("Ana; ana ;ANA", "auto", ["ana"]), ("Ana\uff1bBo\uff5cCy", "auto", ["ana", "bo", "cy"]), ("Ana/Bo+Cy", "/+", ["ana", "bo", "cy"]),
    ("1000; 1000.0", "auto", ["1000"]), ("Ana; Bo", "none", ["ana; bo"]), ("Ana et al.", "none", ["ana et al."]),
    (";".join(f"p{i}" for i in range(500)), "auto", [f"p{i}" for i in range(500)]),
])  # fmt: skip
def test_whom_a_text_names(text, team, people):
    """Only `;` and `|` separate by themselves; anything else is declared, a comma too; no list is too long."""
    assert members(text, team) == people


def test_ids_of_whole_numbers_are_one_id(tmp_path):
    """1000 and 1000.0, as one file and another write it, are one unit; 1000.5 and v1.0 are others."""
    assert [
        normalise(text) for text in ("1000.0", "1000.", " 1000.000 ", "\uff11\uff10.0", "0.0")
    ] == [
        "1000",
        "1000",
        "1000",
        "10",
        "0",
    ]
    assert [normalise(text) for text in ("1000.5", "v1.0", "1.0.0", "-1.0", "1e3")] == [
        "1000.5",
        "v1.0",
        "1.0.0",
        "-1",
        "1e3",
    ]
    who = ["1000", "1000.0", "1000.00", " 1000", "1000.5"]
    assert points(survey(tmp_path, who), GRID, dm.Policy(epsilon=1, unit="who", cap=1)) == 2
    joined = survey(tmp_path, who, unit="who+longitude")
    assert points(joined, GRID, dm.Policy(epsilon=1, unit="who+longitude", cap=1)) == 2


def test_placeholders_are_kept_as_they_are_compared():
    """Each word that stands where no name does is listed as `normalise` leaves it, so that none is missed."""
    assert all(normalise(word) == word for word in PLACEHOLDERS)
    seen = (
        "NO APLICA", "ND", "n/d", "s/d", "sin dato", "Sin datos", "not applicable", "unspecified", "various", "no registrado", "Desconhecido",
        "(null)", "[anonymous]", "Unknown Collector", "Collector(s): unknown",
    )  # fmt: skip
    assert all(is_missing(normalise(word)) for word in seen)


@pytest.mark.parametrize(("team", "parts"), [
    ("auto", (";|", ())), (";", (";", ())), ("; | and", (";|", ("and",))), ("y et", ("", ("y", "et"))), (";|&", (";|&", ())),
])  # fmt: skip
def test_what_stands_between_names_is_written_with_blanks(team, parts):
    """Marks together or apart, and words by themselves."""
    assert separators(team) == parts


@pytest.mark.parametrize("team", ["", " ", "a1", "x;", "3", "auto ;", "none and", ";2"])
def test_other_ways_of_writing_it_are_refused(tmp_path, team):
    """What is neither a mark nor a word is one line that says what to write."""
    with pytest.raises(BadInput, match="team: write auto, none, or what stands between names"):
        survey(tmp_path, ["a"], team=team)


def survey(folder, who, columns="who", unit=None, **read):
    """A survey of rows in one cell, each naming one of these."""
    path = folder / "s.csv"
    lines = [f'"{name}",1,57,x,{at}' for at, name in enumerate(who)]
    x, y = (
        ("decimalLongitude", "decimalLatitude")
        if columns == "recordedBy"
        else ("longitude", "latitude")
    )
    path.write_text(
        "\n".join([f"{columns},{x},{y},locality,occurrenceID", *lines]) + "\n", encoding="utf-8"
    )
    return dm.read(path, unit=unit, **read)


def policy(cap=9, unit="who"):
    return dm.Policy(epsilon=1, unit=unit, cap=cap)


def test_a_row_counts_whole_for_each_whom_it_names(tmp_path):
    """Sightings by person: nothing is shared out, nobody counts twice in a row, and who names nobody adds nothing."""
    who = ["Ana; Bo; Cy", "ana", "Bo; unknown", "Ana;ana", "n/a; -", "; "]
    assert points(survey(tmp_path, who, team="auto"), GRID, policy()) == 3 + 1 + 1 + 1
    assert (
        points(survey(tmp_path, who, team="auto", missing_unit="own-unit"), GRID, policy())
        == 3 + 1 + 1 + 1 + 2
    )
    assert points(survey(tmp_path, who, team="none"), GRID, policy()) == 6
    assert points(survey(tmp_path, who, team="auto"), GRID, policy(cap=1)) == pytest.approx(3)
    assert survey(tmp_path, who, team="auto").roles.shares == 1


def test_the_first_filled_column_alone_says_whom_a_row_names(tmp_path):
    """Of two columns the first filled one names people; who stands in the second counts where nobody stands in the first."""
    path = tmp_path / "s.csv"
    path.write_text(
        "a,b,longitude,latitude\nAna; Cy,Bo,0.5,57.5\n,Bo; Cy,1.5,57.5\nn/a,Di,2.5,57.5\n"
    )
    survey = dm.read(path, team=";", unit="a|b")
    policy = dm.Policy(epsilon=1, unit="a|b", cap=5)
    with DuckDB().connected() as database:
        rows = RowTable(database, survey, chosen_for(survey, GRID, policy))
        rows.place(GRID)
        rows.name()
        named = database.execute(
            "SELECT unit, count(*) FROM rows GROUP BY unit ORDER BY unit"
        ).fetchall()
    assert named == [("ana", 1), ("bo", 1), ("cy", 2), ("di", 1)]


def test_only_a_lists_own_column_is_taken_apart(tmp_path):
    """A format's own list of recorders is split by itself; a place, an event or an animal that is the unit never is."""
    who = ["Ana; Bo", "Ana & Cy"]
    opened = survey(tmp_path, who, columns="recordedBy")
    told = {
        unit: opened.roles.team(unit)
        for unit in ("recordedBy", "RECORDEDBY", "locality", "occurrenceID", "row")
    }
    assert told == {
        "recordedBy": "auto",
        "RECORDEDBY": "auto",
        "locality": "none",
        "occurrenceID": "none",
        "row": "none",
    }
    assert opened.roles.team("recordedBy+locality") == "none"
    for unit in ("recordedBy", "recordedby"):
        named = survey(tmp_path, who, columns="recordedBy", unit=unit)
        assert points(named, GRID, policy(1, unit)) == pytest.approx(3)
    (tmp_path / "p.csv").write_text(
        "occurrenceID,recordedBy,locality,decimalLongitude,decimalLatitude\n"
        + 'a,Bo,"Lake; North",1,57\n' * 3
    )
    place = dm.read(tmp_path / "p.csv", unit="locality")
    assert points(place, GRID, policy(1, "locality")) == pytest.approx(1)
    assert points(
        dm.read(tmp_path / "p.csv", unit="locality", team=";"), GRID, policy(1, "locality")
    ) == pytest.approx(2)
    with pytest.raises(BadInput, match="team: a unit of several columns is one unit"):
        points(survey(tmp_path, who, team=";"), GRID, policy(1, "who+locality"))


@pytest.mark.parametrize(("header", "lists"), [
    ("OBSERVER ID,GLOBAL UNIQUE IDENTIFIER,LONGITUDE,LATITUDE", False), ("user_id,quality_grade,longitude,latitude", False),
    ("gbifID,recordedBy,decimalLongitude,decimalLatitude", True), ("gbifID,recordedByID,recordedBy,decimalLongitude,decimalLatitude", True),
    ("NBN Atlas record ID,Recorder,Longitude (WGS84),Latitude (WGS84)", True), ("recordID,dataResourceName,recordedBy,decimalLongitude,decimalLatitude", True),
    ("Patrol ID,Waypoint ID,Members,X,Y", True), ("Patrol ID,Waypoint ID,Leader,X,Y", False), ("who,longitude,latitude", False),
])  # fmt: skip
def test_which_formats_define_lists_of_people(tmp_path, header, lists):
    """Darwin Core and its kin, and the members of a SMART patrol; an id of one account is never taken apart."""
    (tmp_path / "s.csv").write_text(header.replace(",", "\t").replace("\t", ",") + "\n")
    roles = dm.read(tmp_path / "s.csv").roles
    assert roles.team(roles.unit or "who") == ("auto" if lists else "none")


@pytest.mark.parametrize(("read", "promise", "other"), [
    ({"consent_by": "unit"}, {}, "consent_by=unit"), ({}, {"epsilon_by": "longitude=0.5,1"}, "epsilon_by="),
    ({}, {"site": "locality"}, "site="),
])  # fmt: skip
def test_what_one_row_would_say_for_all_whom_it_names_is_refused(tmp_path, read, promise, other):
    """A refusal or a limit on a row of many would be everybody's: it ends in one line, before anything is spent."""
    opened = survey(tmp_path, ["Ana; Bo"], team="auto", **read)
    asked = dm.Policy(**{"epsilon": 1, "unit": "who", "cap": 5, **promise})
    with pytest.raises(Refused, match=f"has no proof with.*{other}|{other} has no proof with"):
        dm.release(opened, GRID, asked, ledger=tmp_path / "l", dataset="d", budget=1)
    assert not (tmp_path / "l").exists()


def test_the_statement_names_who_may_come_and_go(tmp_path):
    """With lists of people it is one name struck from every row, else one whole text; and what each leaves open is said."""

    def said(**read):
        opened = survey(tmp_path, ["Ana; Bo"] * 200, unit="who", **read)
        made = dm.release(
            opened, GRID, policy(), ledger=tmp_path / "l", dataset="d", budget=9, strategy="flat"
        )
        return " ".join(statement(made.record).split()), made

    teams, made = said(team="auto")
    assert (
        "What comes and goes as one unit: `one name, struck from every row, with the rows that name nobody else`."
        in teams
    )
    assert (
        "`names`: `sightings by person: a row that names several people counts once, whole, for each of them"
        in teams
    )
    assert (
        "Nor does it hide: `what a teammate's row still shows of an event; and somebody who writes 300 others"
        in teams
    )
    assert made.record.about.noun == "sightings by person"
    whole, made = said()
    assert (
        "What comes and goes as one unit: `one text of that column: all rows that hold it`."
        in whole
    )
    assert (
        "Nor does it hide: `all rows of a person together, if she has several texts (her name, a group's)"
        in whole
    )
    assert (
        "each text is one unit, also where it lists several people" in whole
        and not made.record.about.noun
    )


def test_inspect_says_the_same(tmp_path):
    """The operator reads the neighbour that is protected before anything is spent."""
    told = dict(dm.inspect(survey(tmp_path, ["Ana; Bo"], team="; and"), unit="who").roles)
    assert told["protected"].startswith("one name, struck from every row") and told[
        "names"
    ].endswith("(between names: ; and)")
    assert dict(dm.inspect(survey(tmp_path, ["Ana; Bo"]), unit="who").roles)[
        "protected"
    ].startswith("one text")
