"""The one property of every reader: rows(S with T) are rows(S) and rows(T), side by side.

S and T are records of people who share nothing. A *family* writes records into a file or folder of its kind; a *question* says
how the survey is read and counted. What comes out is a multiset of (unit, cell, weight, level), read through the engine that
releases use. `DPMAP_SEED=N` repeats a run.
"""

import os
import random
import re
import shutil
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from acceptance import ALONE, TOGETHER

import dpmap as dm
from dpmap.engines.duckdb import DuckDB, describe_failure
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import DpmapError
from dpmap.grid.layer_axes import Kinds, Times
from dpmap.survey.row_sql import OWN, selection

DEEP = os.environ.get("DPMAP_DEEP") == "1"
USUAL = 13
SEED = int(
    os.environ.get("DPMAP_SEED") or (random.SystemRandom().randrange(10**9) if DEEP else USUAL)
)
TIMES = 47 if DEEP else 1
"""How many times as many pairs as a family names: `make deep` looks at 200,000 and more."""

FIELDS = (
    "who",
    "lon",
    "lat",
    "when",
    "ok",
    "n",
    "eps",
    "crew",
    "datum",
    "spot",
    "kind",
    "value",
    "sure",
    "note",
)
SECRET = "tess"
"""Part of every name in T: no refusal may repeat it."""


@dataclass(frozen=True)
class Question:
    """How a survey is read and counted. Without `place`, layers are placed by their own geometry, tables by lon and lat; with a
    `site`, rows are links of contributors and sites, and need no place.
    """

    name: str
    reading: dict[str, Any] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)
    axes: tuple[Any, ...] = ()
    crs: str = "EPSG:4326"
    place: str = ""
    site: str = ""

    def grid(self):
        return _grid(self.axes, self.crs)

    def options(self, family):
        told = dict(family.options) | self.reading
        if self.place == "cell":
            told |= dict(place="spot")
        elif self.place == "xy" or not family.placed:
            told |= dict(x="lon", y="lat", crs="EPSG:4326")
        return told


@cache
def _grid(axes, crs):
    bounds = (0, 0, 4, 4) if crs == "EPSG:4326" else (166_000, 0, 600_000, 440_000)
    return dm.Grid(bounds=bounds, shape=(4, 4), crs=crs, axes=axes)


RULE = "not kind starts with 'o' and (n >= 2 or value < 10.5 or note contains 'e' or ok is empty) and who != 'tess 9' and when != 2020-02"
YEARS = Times("when", ("2019", "2020", "2020-07", "2021"))
QUESTIONS = {
    one.name: one
    for one in (
        Question("plain"),
        Question("consent and times", dict(consent="ok=yes,true"), axes=(YEARS,)),
        Question("dates", dict(dates="dmy,mdy,excel,epoch,iso,ymd"), axes=(YEARS,)),
        Question("columns", place="xy"),
        Question("counts", dict(count="n", max_count=5)),
        Question("limits", policy=dict(epsilon_by="eps=0.1,0.5,1")),
        Question("withdrawal", dict(consent="ok=yes,true", consent_by="unit")),
        Question("own units", dict(missing_unit="own-unit")),
        Question("cells", place="cell"),
        Question("datum", dict(datum="datum"), place="xy"),
        Question("two columns", policy=dict(unit="who+kind")),
        Question("one or the other", policy=dict(unit="crew|who")),
        Question("kinds and times", axes=(Kinds("kind", ("Kestrel", "1", "true")), YEARS)),
        Question("means", dict(mean="value", between="0,30")),
        Question("uncertainty", dict(uncertainty="sure", max_uncertainty="1 km"), place="xy"),
        Question("another system", crs="EPSG:32631"),
        Question("rules", dict(where=RULE, since="when=2019", until="when=2020-08")),
        Question("notes", policy=dict(unit="who+note")),
        Question("sites", site="kind"),
        Question("declared"),
        Question(
            "declared dates",
            dict(consent="consent=yes,true"),
            axes=(Times("date", ("2019", "2020", "2020-07", "2021")),),
        ),
        Question("patrols", policy=dict(unit="Leader")),
        Question(
            "nested",
            dict(place="about__spot", consent="about__ok=yes,true"),
            policy=dict(unit="about__who"),
            axes=(Times("about__day__when", ("2019", "2020", "2020-07", "2021")),),
        ),
        Question("members", policy=dict(unit="Members"), crs="EPSG:32631"),
    )
}


@dataclass(frozen=True)
class Refusal:
    message: str


class Parsed:
    """A database that parses each text of a question once: of a reading's time that was nearly half."""

    def __init__(self, database):
        self._database, self._statements = database, {}

    def execute(self, text):
        return self._database.execute(self._statement(text))

    def sql(self, text):
        return self._database.sql(self._statement(text))

    def __getattr__(self, name):
        return getattr(self._database, name)

    def _statement(self, text):
        if len(self._statements) > 500:
            self._statements.clear()
        if text not in self._statements:
            (self._statements[text],) = duckdb.extract_statements(text)
        return self._statements[text]


class Reader:
    """One database for many readings."""

    def __init__(self, threads=1, *settings):
        self._open = DuckDB(threads=threads).connected()
        self.database = Parsed(self._open.__enter__())
        for setting in settings:
            self.database.execute(setting)
        self._folder = self.database.execute("SELECT current_setting('temp_directory')").fetchall()[
            0
        ][0]

    def close(self):
        self._open.__exit__(None, None, None)

    def rows(self, path, question, family):
        """The survey's rows as a multiset, or why it is refused."""
        policy = question.policy | dict(consent=question.reading.get("consent"))
        try:
            with pytest.MonkeyPatch.context() as patch:
                for limit, size in getattr(family, "limits", {}).items():
                    patch.setattr(limit, size)
                found = self._counted(path, question, policy, family)
        except DpmapError as error:
            return Refusal(error.terminal_line)
        except (duckdb.Error, OSError, ValueError) as error:
            return Refusal(str(describe_failure(error)))
        finally:
            self._clear()
        return alike(found)

    def _counted(self, path, question, policy, family):
        """How often each row is there."""
        survey = dm.read(path, **question.options(family))
        if question.site:
            links = selection(survey.header, "who", None, None, site=question.site)
            RowTable(self.database, survey, links).pair()
            return Counter(self.database.execute("SELECT unit, 0, weight FROM rows").fetchall())
        chosen = chosen_for(
            survey, question.grid(), dm.Policy(**dict(epsilon="1", unit="who", cap=2) | policy)
        )
        rows = RowTable(self.database, survey, chosen)
        with rows.naming_part():
            rows.place(question.grid())
            rows.name()
        return Counter(
            self.database.execute(f"SELECT unit, cell, {chosen.counted} FROM rows").fetchall()
        )

    def _clear(self):
        for (name,) in self.database.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            self.database.execute(f'DROP TABLE "{name}"')
        for left in os.listdir(self._folder):
            if left.startswith("table-"):
                os.remove(os.path.join(self._folder, left))


def alike(found):
    """Rows that name nobody are units of their own, whatever number they got."""
    if not any(row[0].startswith(OWN) for row in found):
        return found
    rows = Counter()
    for (unit, *rest), many in found.items():
        rows[(OWN if unit.startswith(OWN) else unit, *rest)] += many
    return rows


@dataclass(frozen=True)
class Odd:
    """Something of T as its family writes it. `whole`: it keeps its format's own rules by itself."""

    name: str
    data: Any
    whole: bool = True

    def __repr__(self):
        text = repr(self.data)
        return f"{self.name}: {text if len(text) < 600 else f'{text[:300]} ... {text[-200:]} ({len(text)} long)'}"


ABOUT = {
    "who": ("plain", "columns"),
    "when": ("consent and times", "kinds and times", "dates", "rules"), "when '13/02/2020'": ("dates",), "ok": ("consent and times", "withdrawal", "rules"), "n": ("counts", "rules"), "eps": ("limits",), "crew": ("one or the other",),
    "datum": ("datum",), "spot": ("cells",), "kind": ("kinds and times", "two columns", "rules"), "value": ("means", "rules"), "sure": ("uncertainty",), "note": ("notes", "rules"),
}  # fmt: skip
"""Which questions look at a field."""
FIRST = (
    "when 'soon'",
    "when '13/02/2020'",
    "ok '1'",
    "who '1000.5'",
    "who 'tess; tess 2|tess 3'",
    "who 'Tess, sam 1'",
    "who '9007199254740995'",
)
"""What was found first, and is tried first in every family: by the names of odd things."""


class Family:
    """A kind of file or folder: how it writes records, and what odd things one person's records may hold there."""

    name = ""
    options: dict[str, Any] = {}
    placed = False
    """Whether it has a geometry of its own."""
    questions: tuple[str, ...] = tuple(
        name
        for name in QUESTIONS
        if name not in ("patrols", "members", "nested", "declared", "declared dates")
    )
    pairs = 200
    first: tuple[str, ...] = ()
    """The names of odd things of its own that are tried first."""
    limits: dict[str, int] = {}
    """Sizes of buffers and chunks of the readers, by where they stand, made small: so that every seam is crossed in a few rows."""
    accepted = 0.6
    """At least so many of its pairs must be read, or the property says little."""

    def record(self, row, dice):
        """A record as this family holds it: `row` is a dict over FIELDS, None where nothing is."""
        raise NotImplementedError

    def odd(self, dice):
        """Odd things that only this family's records may hold, made of T's rows."""
        return []

    def write(self, folder, records, dice):
        """Writes a file or folder below `folder`; its path."""
        raise NotImplementedError


PEOPLE = {
    "names": (["sam 1", "sam 2", "Sam  1", "SAM 3", "sam\u00eda"], ["2020-01-02", "2019", "2020-08", "2020-07-01T10:00"], ["yes", "YES", "no", ""]),
    "numbers": ([1000, "1001", 9007199254740993, 9007199254740992, 1002.0], ["2020-01-02", "2020-03-04"], [True, "true", False]),
    "texts": (["s'am; sam 5", "Sam, 6", "sam|7", "\u674e sam", "sa\u00dfm"], ["2019-05-05", "", "04/08/2020"], ["yes", "no", None]),
    "one": (["sam"], ["2020-02-02"], ["true"]),
}  # fmt: skip
"""What kinds of people S may be: their names, dates and answers."""


HERE = {"lon": 1.5, "lat": 1.5, "spot": "POINT(1.5 1.5)"}
"""On the grid, so that it counts."""


def ordinary(kind, dice, many):
    """Rows of S."""
    people, dates, answers = PEOPLE[kind]
    rows = [
        a_row(dice, people[at % len(people)], dice.choice(dates), dice.choice(answers))
        for at in range(many)
    ]
    return [rows[0] | HERE, *rows[1:]]


def a_row(dice, who, when="2020-01-01", ok="yes", **told):
    """A row somewhere on the grid or a little beside it."""
    x, y = (dice.choice((0.5, 1.5, 2.25, 3, 3.99, 0.75, 1.25, 2.5, 4.5)) for _ in range(2))
    return {
        "who": who, "lon": x, "lat": y, "when": when, "ok": ok, "n": dice.choice((1, 2, 30, None)), "eps": dice.choice(("0.1", "0.5", 1, "n/a")),
        "crew": None if dice.random() < 0.5 else who, "datum": dice.choice((None, "WGS84", "NAD27", "ED50")), "spot": f"POINT({x} {y})",
        "kind": dice.choice(("Kestrel", "kestrel", "Owl")), "value": dice.choice((3, 12.5, None)), "sure": dice.choice((10, 5000, None)), "note": dice.choice(("seen", None)),
    } | told  # fmt: skip


STRANGE = {
    "who": [
        1000.5, 0.5, 9007199254740995, 9.5e15, -1, 10**40, "tess\x01sam 1", "tess \x02", "\x02tess", "tess; tess 2|tess 3", "Tess, sam 1", "tess & sam 1",
        "tess and team", "TESS\u200b", "t\u00e9ss", "\uff34ess", "n/a", "", None, "unknown", "NULL", "anonymous", "tess\tx", " tess ", "tess'--", '"; DROP TABLE rows; --tess',
        "{'id': 'tess'}", "tess" * 3000, True, False, "1000.5", "1001.0e0", "1_000", "\u0661\u0660\u0660\u0660", "1,000", "1e3", "0x3e8", "01000", "+1000", "tess\u2028x",
        "tess\U0001f985", "-0.0", "1e999",
    ],
    "when": ["soon", "", None, "2020/01/02", "02.01.2020", "2020-13-45", "2020-02-30", "9999-12-31", "0000-00-00", "-2020", 2020, 2020.0, 20200102, 1577836800000,
             "2020-01-02T03:04:05Z", "2020-01-02 03:04+14", "infinity", "2020-1-2", "\u0662\u0660\u0662\u0660", True, "2019-12-31T24:00:00", "10000-01-01", "2020-W01", "tess",
             "13/02/2020", "02/13/2020", "01/02/20", "1 Feb 2020", "43831", "2019-12-30/2020-01-03", "31/02/2020", 43831.5, "0/0/00"],
    "ok": [1, 0, True, False, "TRUE", "t", "1", "yes ", "no", "nein", "", None, 1.0, "yes\x00", "y\u0435s", "true.", "null", [True], {"a": 1}],
    "lon": ["soon", "", None, "0,5", "1.5E", "0\u00b030'E", 1e300, -1e300, "1e999", "nan", "-inf", True, "1_0", "\u0661", 181, 500000, "0.5 ", "'0.5", "=0.5",
            "1" * 6000, "0." + "3" * 6000, [0.5], {"x": 1}],
    "lat": ["abc", None, "1;5", "51 30 N", 1e-320, "NaN", -91, "2.5N", 1e999, 7],
    "n": ["X", "", -3, 1e30, "1,000", 2.9, "nan", True, "1" * 400, "0x10", [2]],
    "eps": ["0,5", "", None, "1e-5", -1, "0.50000000000000000001", "inf", "1" * 70, True, 1, 0.5],
    "crew": ["tess;", ";;;", "tess | tess 9", "", "tess et al.", 7, None],
    "datum": ["EPSG:4267", "EPSG:999999", "nad 27", "", None, 4326, "EPSG:3857", "WGS84'; --", "EPSG:31370"],
    "spot": ["", None, "POINT(1 1", "POINT(nan nan)", "POINT Z (1.5 1.5 9)", "SRID=4326;POINT(1.5 2.5)", "MULTIPOINT((1.5 1.5))", "POLYGON((1 1,2 1,2 2,1 1))", "1.5, 1.5",
             "POINT EMPTY", "GEOMETRYCOLLECTION(" * 3000 + "POINT(1 1)" + ")" * 3000, "0101000000000000000000F83F000000000000F83F", "(" * 100_000, "CIRCULARSTRING(0 0,1 1,2 0)",
             "POINT(1e999 1)", "{\"type\":\"Point\",\"coordinates\":[1.5,1.5]}", "NH1234", "tess"],
    "kind": ["", None, 1, 1.0, True, "KESTREL", " kestrel ", "\u212aestrel", "'"],
    "value": ["", "warm", 1e308, -5, "12,5", "nan", True, 1e999, [3]],
    "sure": ["", "1 km", -1, "1e999", "nan", 999, "1.000", True],
    "note": ["a\nb", 'say "hi"', '"', '""', '"""', "a\r\nb", "a\rb", ",", ";", "\t", "|", "\\", "\\\"", "'", "#x", "=1+1", "\ufeff", "x" * 70_000, "\x00", "\x1a", "\x0b\x0c", "\x85\u2028",
             "sam 1", "null", "<b>&amp;</b>", "]]>", "--", "%s", "${x}", "a,b\nc,d\n", "\ud83e", "{", "[", "\n\n\n"],
}  # fmt: skip
"""Values that one row may hold and others do not."""


def strange_rows(dice):
    """A row of T for each strange value, and some that are strange in many ways."""
    for name, values in STRANGE.items():
        for value in values:
            told, called = (
                {"who": dice.choice(("tess", "tess 2", 1000.5)), name: value},
                f"{name} {str(value)[:40]!r}",
            )
            yield Odd(called, a_row(dice, **told) | (HERE if called in FIRST else {}))
    for _ in range(40):
        told = {
            name: dice.choice(STRANGE[name])
            for name in dice.sample(sorted(STRANGE), dice.randrange(2, 6))
        }
        yield Odd("several", a_row(dice, told.pop("who", "tess"), **told))


@dataclass
class Violation:
    family: Family
    question: Question
    ours: list[Odd]
    theirs: list[Odd]
    what: str
    seed: str

    def __str__(self):
        lines = [
            f"{self.family.name}, {self.question.name}: {self.what}",
            f"  seed {self.seed}; options {self.question.options(self.family)}",
        ]
        lines += [f"  S {one!r}" for one in self.ours] + [f"  T {one!r}" for one in self.theirs]
        return "\n".join(lines)


@dataclass
class Outcome:
    pairs: int = 0
    accepted: int = 0
    refused: Counter = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)


class Pairs:
    """The pairs of one family: readings of S and of T kept, each S tried with each of some T."""

    def __init__(self, family, reader, folder, seed=SEED):
        self.family, self.reader, self.folder, self.seed = (
            family,
            reader,
            Path(folder),
            f"{seed}-{family.name}",
        )
        self.dice = random.Random(self.seed)
        self._kept = {}

    def read(self, records, question, key=None):
        """The rows of some records in a file of this family."""
        if key is not None and key in self._kept:
            return self._kept[key]
        below = self.folder / "f"  # always the same, so that the same question has the same text
        below.mkdir(parents=True)
        path = self.family.write(
            below, [one.data for one in records], random.Random(f"{self.seed}-{len(records)}")
        )
        found = self.reader.rows(path, question, self.family)
        shutil.rmtree(below)
        if key is not None:
            self._kept[key] = found
        return found

    def look(self, many, most=1, shrink=True, after=0):
        """Looks at so many pairs, until `most` violations are found; the first ones may be passed over, each dealt as if it had been read."""
        family, dice, outcome = self.family, self.dice, Outcome()
        ours = {}
        for at, kind in enumerate(PEOPLE):
            made = [family.record(row, dice) for row in ordinary(kind, dice, 2 + 3 * at)]
            ours[kind] = [Odd(kind, data) for data in made if data is not None]
        odd = list(self._odd())
        number, asked = 0, self._questions()
        while outcome.pairs < many and len(outcome.violations) < most:
            if number and number % len(odd) == 0:
                odd = list(self._odd())
            one = odd[number % len(odd)]
            alone = one.name in FIRST or one.name.startswith(family.first or "\n")
            theirs = [one, *([] if alone else dice.choices(odd, k=dice.choice((0, 0, 1, 2, 5))))]
            about = [
                name
                for name in ABOUT.get(one.name, ABOUT.get(one.name.partition(" ")[0], ()))
                if name in family.questions
            ]
            question = QUESTIONS[dice.choice(about)] if about else asked[number % len(asked)]
            number += 1
            for kind in dice.sample(sorted(ours), k=min(len(ours), many - outcome.pairs)):
                outcome.pairs += 1
                if outcome.pairs <= after:
                    mingled(ours[kind], theirs, dice)
                    continue
                what = self.broken(
                    ours[kind],
                    theirs,
                    question,
                    dice,
                    (kind, question.name),
                    (number, question.name),
                    outcome,
                )
                if what:
                    found = Violation(family, question, ours[kind], theirs, what, self.seed)
                    outcome.violations.append(
                        self.shrunk(ours[kind], theirs, question, what) if shrink else found
                    )
                    if len(outcome.violations) >= most:
                        break
        return outcome

    def _questions(self):
        """Those that this run asks of the family: each family others, and all of them in a long run."""
        names = list(self.family.questions)
        self.dice.shuffle(names)
        usual = [name for name in ("plain", "consent and times") if name in names]
        kept = names if DEEP else list(dict.fromkeys([*usual, *names]))[:7]
        return [QUESTIONS[name] for name in kept]

    def _odd(self):
        """What T may hold, each thing once, in any order."""
        dice, family = self.dice, self.family
        rows = list(strange_rows(dice))
        found = [
            Odd(one.name, data)
            for one in rows
            if (data := family.record(one.data, dice)) is not None
        ]
        dice.shuffle(found)
        own = list(family.odd(dice))
        dice.shuffle(own)
        first = [
            one
            for one in [*found, *own]
            if one.name in FIRST or one.name.startswith(family.first or "\n")
        ]
        found, own = ([one for one in some if one not in first] for some in (found, own))
        mixed = [one for pair in zip(own, found, strict=False) for one in pair]
        return first + mixed + own[len(found) :] + found[len(own) :]

    def broken(self, ours, theirs, question, dice, our_key=None, their_key=None, outcome=None):
        """How the pair breaks the property, if it does."""
        mine = self.read(ours, question, our_key)
        hers = self.read(theirs, question, their_key)
        if isinstance(mine, Refusal):
            return f"S is refused: {mine.message}"
        both = self.read(mingled(ours, theirs, dice), question)
        refusals = [one.message for one in (hers, both) if isinstance(one, Refusal)]
        if loud := [message for message in refusals if SECRET in message.lower()]:
            return f"a refusal repeats what a record holds: {loud[0]}"
        whole = all(one.whole for one in theirs) and not isinstance(hers, Refusal)
        if isinstance(both, Refusal):
            if outcome is not None:
                outcome.refused[both.message[:70]] += 1
            allowed = TOGETHER if whole else TOGETHER + ALONE
            return (
                ""
                if any(re.search(rule, both.message) for rule in allowed)
                else f"refused: {both.message}"
            )
        if outcome is not None:
            outcome.accepted += 1
        if isinstance(hers, Refusal) and not any(
            re.search(rule, hers.message) for rule in TOGETHER + ALONE
        ):
            return f"T alone is refused: {hers.message}"
        return compared(mine, hers, both, whole=whole)

    def shrunk(self, ours, theirs, question, what):
        """The pair with as few records as still break it."""
        dice = random.Random(1)
        for lists in (theirs, ours) * 2:
            for one in list(lists):
                less = [other for other in lists if other is not one]
                pair = (less, theirs) if lists is ours else (ours, less)
                if less and any(self.broken(*pair, question, dice) for _ in range(3)):
                    lists[:] = less
        again = next(
            (found for _ in range(10) if (found := self.broken(ours, theirs, question, dice))), ""
        )
        return Violation(
            self.family,
            question,
            list(ours),
            list(theirs),
            again or f"{what} (in some orders)",
            self.seed,
        )


def mingled(ours, theirs, dice):
    """The records of both in one of many orders: S's as they were, or shuffled too."""
    order = [0] * len(ours) + [1] * len(theirs)
    how = dice.random()
    if how < 0.2:
        order.sort(reverse=True)  # T first
    elif how < 0.9:
        dice.shuffle(order)
    left = [list(ours), list(theirs)]
    for some in left if dice.random() < 0.3 else ():
        dice.shuffle(some)
    return [left[which].pop(0) for which in order]


def compared(mine, hers, both, *, whole):
    """How the rows of both differ from those of each, if they do."""
    if whole:
        shared = {row[0] for row in mine} & {row[0] for row in hers} - {OWN}
        if shared:
            return f"T is read as somebody of S: {sorted(shared)[:3]}"
        expected = mine + hers
        return (
            ""
            if both == expected
            else f"lost {_few(expected - both)}, gained {_few(both - expected)}"
        )
    people = {row[0] for row in mine} - {OWN}
    there = Counter({row: many for row, many in both.items() if row[0] in people})
    expected = Counter({row: many for row, many in mine.items() if row[0] in people})
    return (
        ""
        if there == expected
        else f"lost {_few(expected - there)}, gained {_few(there - expected)}"
    )


def _few(rows):
    return [(tuple(str(one)[:40] for one in row), many) for row, many in list(rows.items())[:3]]


def share(family):
    """Returns how many pairs of a family this run looks at: `make test` takes a fifth of what the family names."""
    return family.pairs * TIMES if DEEP else max(8, family.pairs // 5)


def held(families, folder):
    """Looks at the pairs of some families, and says how many there were; fails with the smallest case found."""
    reader, number = Reader(), 0
    try:
        for family in families:
            outcome = Pairs(family, reader, Path(folder) / re.sub(r"\W+", "-", family.name)).look(
                share(family)
            )
            number += outcome.pairs
            print(
                f"{family.name}: {outcome.pairs} pairs, {outcome.accepted} read, seed {SEED}; {dict(outcome.refused.most_common(4))}"
            )
            assert not outcome.violations, f"\n{outcome.violations[0]}"
            assert outcome.accepted >= family.accepted * outcome.pairs, (
                f"{family.name}: only {outcome.accepted} of {outcome.pairs} are read"
            )
    finally:
        reader.close()
    return number
