"""Says which part each column plays, fixed before a row is read. Column names and rules are
public, not data.
"""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Values
from dpmap.numbers import NumberLike
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.policy import Consent
from dpmap.survey import dates, filter_parser
from dpmap.survey import row_filter as declared
from dpmap.survey.format_rules import ExclusionRule
from dpmap.survey.formats import Place, fold_name
from dpmap.survey.unit_names import separators

Missing = Literal["drop", "own-unit"]
ConsentBy = Literal["row", "unit"]
Signals = Literal["all", "wishes", "none"]

PARTS = 1 << 20
"""The parts of a point in which a row is shared out between the two ends of its value, where a
map tells a mean.
"""
MOST_COUNT = 200_000
LONGEST_CHOOSER = 120


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Holds the options for reading rows, beside where they are; each has one honest default.

    `team` says what stands between the names in one cell (`auto`: `;` and `|`; `none`; or marks and
    words of your own, like `; & and`), and where it is not said, only a format's own lists of
    people are taken apart, as by `auto`; `missing_unit` what becomes of rows that name nobody;
    `consent_by` whether a refusal takes the row or its whole unit; `signals` which of the format's
    own signs of obscuration and refusal are honoured. `count` is a column of how many, at most
    `max_count` each. `mean` is a column of which a map tells the mean, `between` its declared least
    and most. `max_uncertainty` is in metres. `dates` says how dates are written, like `dmy,iso`
    (see `survey/dates.py`). `where` is a rule over a row's own columns (`survey/row_filter.py`),
    `since` and `until` are the first and the last date of rows that count, each also as
    COLUMN=DATE. `chosen_by` says, in the steward's words, who or what chose the rows before dpmap
    read them.
    """

    team: str | None = None
    missing_unit: Missing = "drop"
    consent_by: ConsentBy = "row"
    signals: Signals = "all"
    count: str | None = None
    max_count: int | None = None
    mean: str | None = None
    between: str | Sequence[NumberLike] | None = None
    max_uncertainty: float | None = None
    where: str | None = None
    since: str | int | dt.date | None = None
    until: str | int | dt.date | None = None
    swap: bool = False
    west_positive: bool = False
    surface: bool = False
    dates: str | Sequence[str] | None = None
    chosen_by: str | None = None

    def __post_init__(self) -> None:
        choices = (("missing_unit", Missing), ("consent_by", ConsentBy), ("signals", Signals))
        for name, allowed in choices:
            if getattr(self, name) not in get_args(allowed):
                flag = name.replace("_", "-")
                raise BadInput(f"--{flag}: not one of {', '.join(get_args(allowed))}")
        if self.count is not None and self.max_count is None:
            raise BadInput(
                "--count: add --max-count N, the most that one row may count for, for example 10"
            )
        if self.max_count is not None and not 1 <= self.max_count <= MOST_COUNT:
            raise BadInput("--max-count: give a whole number from 1 to 200000, for example 10")
        if self.max_uncertainty is not None and not 0 < self.max_uncertainty < float("inf"):
            raise BadInput("--max-uncertainty: give a length, like 1000 or '1 km'")
        if (self.mean is None) != (self.between is None):
            raise BadInput(
                "--mean: name its column and, with --between LOW,HIGH, the least and most of a"
                " value, like 0,30"
            )
        _ = self.values, self.forms, self.rule, declared.period_rule(self.since, self.until, "date")
        if self.team not in (None, "auto", "none"):
            _check_separators(str(self.team))
        if self.chosen_by is not None:
            object.__setattr__(self, "chosen_by", _chooser(self.chosen_by))
        refuse_unproven(self.tools)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools in use, as `combinations` knows them, apart from those that
        depend on the unit.
        """
        used = {
            "counts": self.count is not None,
            "withdrawal": self.consent_by == "unit",
            "means": self.mean is not None,
            "own units": self.missing_unit == "own-unit",
        }
        return tuple(name for name, is_used in used.items() if is_used)

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms in which dates are read, in the order they are tried."""
        return dates.parse(self.dates)

    @property
    def rule(self) -> declared.Rule | None:
        """The rule over a row's own columns that rows which count fulfil; None if there is none."""
        return None if self.where is None else filter_parser.parse(str(self.where))

    @property
    def values(self) -> Values | None:
        """The column and range of which a map is to tell the mean; None if it tells totals."""
        if self.mean is None or self.between is None:
            return None
        ends = self.between.split(",") if isinstance(self.between, str) else self.between
        if len(ends) != 2:
            raise BadInput(
                "--between: write the least and the most of a value, like --between 0,30"
            )
        return Values(self.mean, *ends)


@dataclass(frozen=True, slots=True)
class Roles:
    """Says which columns play which part, and how that was found out.

    `unit_named` says that the steward named the unit when reading; `atomic` is a unit whose cells
    each hold one identity, never a team; `lists` tells by their names the columns that the format
    defines as lists of people; `origin` is what the rows were read from, if no file; `dated` is the
    format's own column of when. Where several `files` are named, each has roles of its own, and
    these are the first one's.
    """

    crs: str
    geometry: str | None = None
    x: str | None = None
    y: str | None = None
    places: tuple[Place, ...] = ()
    unit: str | None = None
    consent: Consent | None = None
    rules: tuple[ExclusionRule, ...] = ()
    format: str | None = None
    sign: tuple[str, ...] = ()
    note: str = ""
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    unit_named: bool = False
    atomic: str | None = None
    lists: str = ""
    origin: str = ""
    dated: str | None = None
    files: "tuple[Roles, ...]" = ()

    @property
    def ways(self) -> tuple[Place, ...]:
        """The ways to place a row, tried in order."""
        return self.places or ((Place(self.x, self.y),) if self.x and self.y else ())

    def team(self, unit: str | None) -> str:
        """Returns what separates names in one cell of this unit; `none` if each text is one unit as
        written.

        Unless the steward says it with `--team`, only a format's own lists of people are taken
        apart, so that a place or an animal that is the unit never is. Identities that a format
        makes are never several under `auto`. Where files would say different things, the steward
        must: one name must mean the same in all of them.
        """
        if len(ways := {file.team(unit) for file in self.files}) > 1:
            raise BadInput(
                "--team: some of the files define this unit as a list of people and others do not;"
                " add --team auto, or what stands between names, or --team none"
            )
        if ways:
            return ways.pop()
        declared = self.reading.team
        if unit is None or unit == "row" or declared == "none":
            return "none"
        if "+" in unit:
            if declared is None:
                return "none"
            raise BadInput(
                "--team: a unit of several columns is one unit as it is written; leave --team out,"
                " or name one column"
            )
        if declared is None:
            return "auto" if self._lists_people(unit) else "none"
        return (
            "none"
            if declared == "auto" and _columns(unit) == _columns(self.atomic or "")
            else declared
        )

    def _lists_people(self, unit: str) -> bool:
        """Whether the format defines each column of this unit as a list of people."""
        return bool(self.lists) and all(
            re.fullmatch(self.lists, column) for column in _columns(unit)
        )

    @property
    def shares(self) -> int:
        """How many shares of weight make one point: 1, unless a row is split between the ends of
        its value.
        """
        return 1 if self.reading.mean is None else PARTS

    def noun(self, unit: str | None) -> str:
        """Returns the noun for what the map counts; empty if that is records."""
        what = "individuals" if self.reading.count is not None else "sightings"
        return (
            f"{what} by person"
            if self.team(unit) != "none"
            else what
            if what != "sightings"
            else ""
        )

    def honoured(self) -> tuple[ExclusionRule, ...]:
        """Returns those of the format's rules for leaving rows out that `signals` asks for."""
        kind = self.reading.signals
        signs = ("obscured", "the observer's wish")
        return tuple(
            rule
            for rule in self.rules
            if kind == "all" or rule.reason not in signs or (rule.wish and kind == "wishes")
        )

    def described(
        self,
        unit: str | None = None,
        consent: Consent | None = None,
        cell: float | None = None,
        dated: tuple[str, ...] = (),
    ) -> list[tuple[str, str]]:
        """Describes each part and what plays it, for the operator, the statement and the release's
        notes.

        `cell` is the cells' width in metres, where that is known: obscured records count only in
        cells wide enough. It is 0 where none of them does. `dated` are the columns of which dates
        are read. Files that are read in different ways are described one by one, by their place in
        the list.
        """
        if self.files:
            notes = _described([file.described(unit, consent, cell, dated) for file in self.files])
            other = (
                "not protected",
                "a person whom two files call by different names: each name has a cap of its own",
            )
            return [*notes, other] if any(part.startswith("file ") for part, _ in notes) else notes
        lines = [
            (
                "format",
                f"{self.format} (by {', '.join(self.sign)})" if self.format else "not a known one",
            )
        ]
        lines += [("read from", self.origin)] if self.origin else []
        lines += [("chosen by", self.reading.chosen_by)] if self.reading.chosen_by else []
        lines.append(("place", self._place_words()))
        lines.append(("unit", unit or self.unit or "none: name one with --unit"))
        lines += self._team_words(unit or self.unit)
        rule = consent or self.consent
        if rule is not None:
            whole = (
                "; a unit that refuses once is left out whole"
                if self.reading.consent_by == "unit"
                else ""
            )
            lines.append(("consent", f"{rule}{whole}"))
        lines += self._selected_words()
        lines += self._rule_words(cell)
        if dated:
            lines.append(("dates", f"{', '.join(dated)}: {dates.words(self.reading.forms)}"))
        if self.reading.count:
            lines.append(
                ("counted", f"{self.reading.count}, at most {self.reading.max_count} a row")
            )
        if (mean := self.reading.values) is not None:
            lines.append(
                ("mean of", f"{mean.column}, what is beyond {mean.words} counting as that end")
            )
            lines.append(("left out", "rows without a number there"))
        if self.reading.max_uncertainty:
            lines.append(("left out", f"less certain than {self.reading.max_uncertainty:g} m"))
        lines += self._uncertainty_words(cell)
        if self.reading.missing_unit == "own-unit":
            lines.append(("no unit", "each such row is a unit of its own"))
        return [*lines, *([("note", self.note)] if self.note else [])]

    @property
    def accuracies(self) -> tuple[str, ...]:
        """The columns that say how certain a place is, in metres."""
        return tuple(dict.fromkeys(way.accuracy for way in self.ways if way.accuracy))

    def _uncertainty_words(self, cell: float | None) -> list[tuple[str, str]]:
        """Says that nothing is left out for its uncertainty though a column tells it, and what
        would be; by the header alone.
        """
        if not self.accuracies or self.reading.max_uncertainty:
            return []
        column = ", ".join(self.accuracies)
        flag = (
            "--max-uncertainty and the size of your cells"
            if not cell
            else f"--max-uncertainty '{length(cell)}'"
        )
        return [
            (
                "uncertainty",
                (
                    f"rows count however uncertain their place is (column {column}); {flag} would"
                    " leave"
                    " out what is less certain than a cell"
                ),
            )
        ]

    @property
    def within(self) -> declared.Rule | None:
        """The rule that `--from` and `--to` stand for; None without them."""
        return declared.period_rule(self.reading.since, self.reading.until, self.dated)

    def _selected_words(self) -> list[tuple[str, str]]:
        """Says which rows were selected, as one rule over their own columns."""
        rule = self.reading.rule
        within = self.within
        if rule is not None and within is not None:
            rule = declared.All(
                (*(rule.rules if isinstance(rule, declared.All) else (rule,)), within)
            )
        return (
            [("selected", f"rows where {declared.words(whole)}")]
            if (whole := rule or within)
            else []
        )

    def _team_words(self, unit: str | None) -> list[tuple[str, str]]:
        """Says how a list of names in one cell is read, if there may be one."""
        team = self.team(unit)
        if team == "none":
            if unit is None or unit == "row" or _columns(unit) == _columns(self.atomic or ""):
                return []
            left = (
                "all rows of a person together, if she has several texts (her name, a group's):"
                " each has its own cap"
            )
            return [
                ("names", "each text is one unit, also where it lists several people"),
                ("protected", "one text of that column: all rows that hold it"),
                ("not protected", left),
            ]
        marks, words = separators(team)
        counted = (
            "sightings by person: a row that names several people counts once, whole, for each of"
            " them"
        )
        left = (
            "what a teammate's row still shows of an event; and somebody who writes 300 others into"
            " her row gives each of them one row more"
        )
        return [
            ("names", f"{counted} (between names: {' '.join([*marks, *words])})"),
            ("protected", "one name, struck from every row, with the rows that name nobody else"),
            ("not protected", left),
        ]

    def _place_words(self) -> str:
        if self.geometry:
            place_kind = self.ways[0].kind if self.ways else ""
            named = {
                "srid": f"each row in the CRS of its SRID, else {_short(self.crs)}",
                "srid or nowhere": "each row in the CRS of its SRID",
            }
            return f"the layer's geometry, {named.get(place_kind, _short(self.crs))}"
        ways = [f"{way.x}, {way.y}" if way.x else way.cell for way in self.ways]
        turned = ", swapped" if self.reading.swap else ""
        return f"{'; else '.join(ways)} ({_short(self.crs)}{turned})"

    def _rule_words(self, cell: float | None) -> list[tuple[str, str]]:
        """Says which rows the format's own rules leave out, and which still count in cells this
        wide.
        """
        grouped: dict[tuple[str, str, str], list[str]] = {}
        for rule in self.honoured():
            part = "left out"
            what = rule.reason
            why = ""
            if rule.metres:
                why = "" if cell == 0 else ", in squares wider than the cells"
            elif rule.coarse and cell is None:
                why = f", where cells are narrower than {rule.coarse / 1000:.4g} km"
            elif rule.coarse and cell is not None and cell >= rule.coarse:
                part = "counted"
                what = f"{what} records"
                why = f", as cells are at least {rule.coarse / 1000:.4g} km wide"
            elif rule.coarse and cell:
                why = f", as cells are narrower than {rule.coarse / 1000:.4g} km"
            grouped.setdefault((part, what, why), []).append(rule.column)
        return [
            (part, f"{what} (by {', '.join(dict.fromkeys(columns))}){why}")
            for (part, what, why), columns in grouped.items()
        ]


def _described(files: list[list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Describes files together: first what holds for all, then what holds for some, with their
    numbers.
    """
    first, *others = files
    if all(other == first for other in others):
        return first
    common = [line for line in first if all(line in other for other in others)]
    notes_of_files = [
        (f"file {at}: {part}", words)
        for at, one in enumerate(files, 1)
        for part, words in one
        if (part, words) not in common
    ]
    return [*common, *notes_of_files]


def _chooser(chooser: object) -> str | None:
    """Returns who or what chose the rows, as a short line of plain text; None if it is blank."""
    text = chooser.strip() if isinstance(chooser, str) else ""
    if not isinstance(chooser, str) or len(text) > LONGEST_CHOOSER or not text.isprintable():
        raise BadInput(
            "--chosen-by: write who or what chose the rows, like 'a filter in QGIS', in at most"
            f" {LONGEST_CHOOSER} plain characters"
        )
    return text or None


def _columns(unit: str) -> list[str]:
    """Returns the columns of a unit `a|b` (the first filled one counts), folded as formats
    compare them.
    """
    return [fold_name(column) for column in unit.split("|")]


def _check_separators(team: str) -> None:
    """Checks that separators are words of letters, or marks that are neither letters nor digits;
    `auto` and `none` stand alone.
    """
    marks, words = separators(team)
    if (
        not marks + "".join(words)
        or any(mark.isalnum() for mark in marks)
        or {"auto", "none"} & set(words)
    ):
        raise BadInput(
            "--team: write auto, none, or what stands between names: marks, and words by"
            " themselves, like '; & and'"
        )


def length(metres: float) -> str:
    """Writes a cell's width in metres as `--max-uncertainty` takes it, a rounding error less than
    it may be.

    >>> length(1000.000001), length(250.0), length(1234.567)
    ('1 km', '250 m', '1230 m')
    """
    rounded = float(f"{metres:.3g}")
    return f"{rounded / 1000:g} km" if rounded >= 1000 and rounded % 100 == 0 else f"{rounded:g} m"


def _short(crs: str) -> str:
    from dpmap.grid import crs as crs_tools

    return crs if len(crs) < 30 else crs_tools.name(crs)
