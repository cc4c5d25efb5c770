"""Builds the SQL that selects a survey's rows: unit, place, weight, and why a row is left out.

The same words serve a release and `inspect`. Everything is fixed by the header and the flags; each
row is then read by itself.
"""

import math
import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from dpmap.errors import BadInput, Refused
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import LARGEST
from dpmap.grid.layer_axes import Axis, Kinds, Times, Values
from dpmap.grid.mgrs_cells import MgrsCells
from dpmap.grid.squares import Squares
from dpmap.numbers import decimal_text
from dpmap.promise.policy import Consent, Limits
from dpmap.survey import dates, place_parser, row_filter
from dpmap.survey.column_roles import Roles
from dpmap.survey.columns import Header, share_text
from dpmap.survey.format_rules import DEGREE, ExclusionRule
from dpmap.survey.formats import folded
from dpmap.survey.place_columns import split_columns, spot_of
from dpmap.survey.place_parser import Spot
from dpmap.survey.sources import ANYTHING, Needs, People, literal, quoted, shown
from dpmap.survey.unit_names import PLACEHOLDERS

JOINT = "\x01"
"""Between the parts of a unit of several columns; it is removed from the parts themselves."""
PART = "dp_part"
"""The column that says which part of a row's value this is: 0 at its low end, 1 at its high end."""
OWN = "\x02"
"""Begins the name of a row that names nobody and is a unit of its own."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Holds SQL expressions over one row of the source, and the columns they read.

    `shape` is the geometry column, or text to read as WKT where `x` is NULL. `reasons` are pairs of
    what makes a row leave and its condition. `layer` is the number of the row's layer, empty where
    the grid has none; `level` that of the declared limit that the row states, empty where none are
    declared; `selected` the condition of `--where`, `--from` and `--to`; `dated` are the columns of
    which dates are read, `people` those that say whose a row is. Of the columns a part of a survey
    may be `lacking` some; a survey in several `parts` has expressions for each, and its own are the
    first part's.
    """

    columns: tuple[str, ...]
    unit: str
    spot: Spot
    shape: str
    weight: str
    reasons: tuple[tuple[str, str], ...]
    consent: str
    refused: str
    roles: Roles
    team: str
    layer: str
    level: str
    needs: Needs = ANYTHING
    selected: str = "true"
    dated: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    people: People = ()
    parts: "tuple[Selection, ...]" = ()

    @property
    def counted(self) -> str:
        """The columns of a counted row besides its unit and cell."""
        return "weight, level" if self.level else "weight"

    @property
    def joined(self) -> bool:
        """Whether the unit is made of several columns."""
        return _JOINED in self.unit

    @property
    def by_row(self) -> bool:
        """Whether every row is its own unit."""
        return self.unit == "''"

    @property
    def withdraws(self) -> bool:
        """Whether one refusing row removes its whole unit."""
        return (
            self.roles.reading.consent_by == "unit" and self.refused != "false" and not self.by_row
        )

    def over(self, relation: str) -> str:
        """Returns the relation that the expressions read: each row once, or once for each part
        of its value.
        """
        parted = (
            f"(SELECT *, unnest([0, 1]) AS {PART} FROM {relation})"
            if PART in self.layer
            else relation
        )
        return self.spot.over(parted)

    def keep(self) -> str:
        """Returns the condition under which a row may count, before its place is known."""
        return " AND ".join(
            ["true", *(f"NOT coalesce({condition}, false)" for _, condition in self.reasons)]
        )

    def in_sql(self, grid: Grid) -> bool:
        """Whether SQL alone can place the points: square cells in the survey's own CRS, and not
        too many.
        """
        return (
            not self.shape
            and (grid.mask is None or grid.mask.size <= LARGEST)
            and self.spot.crs == "NULL"
            and isinstance(grid.cells, Squares)
            and crs_tools.same(self.roles.crs, grid.crs)
        )


def selection(
    header: Header,
    unit: str | None,
    consent: Consent | None,
    cell_metres: float | None,
    axes: tuple[Axis, ...] = (),
    limits: Limits | None = None,
    site: str | None = None,
) -> Selection:
    """Builds the SQL for one survey, unit and consent rule; obscured records count only in cells
    wide enough.

    With a `site`, each row is a link of its contributor and its site, named in this order, and
    needs no place. For a survey in several parts it builds that of each from the part's own header,
    whatever other parts there are.
    """
    if not header.parts:
        return _of_one(header, unit, consent, cell_metres, axes, limits, site)
    own = tuple(
        _of_one(part, unit, consent, cell_metres, axes, limits, site) for part in header.parts
    )
    return replace(own[0], team=_team(header.roles, unit, site), parts=own)


def _of_one(
    header: Header,
    unit: str | None,
    consent: Consent | None,
    cell_metres: float | None,
    axes: tuple[Axis, ...],
    limits: Limits | None,
    site: str | None,
) -> Selection:
    """Builds it from one header."""
    roles = header.roles
    spot, shape, columns = spot_of(header)
    parts = _named_columns(header, unit, site)
    team = _team(roles, unit, site)
    names = [column for part in parts for column in part]
    rules = [(rule.reason, _rule(rule, cell_metres)) for rule in roles.honoured()]
    rule_columns = [rule.column for rule in roles.honoured()]
    asked, refused, answered = _consent(header, consent)
    rule_columns += answered
    who = _unit_sql(parts, roles)
    left, asked_of = row_rules(header)
    early = [*left, *((("no unit", f"{who} IS NULL"),) if names else ()), *rules]
    if consent is not None:
        early.append(("no consent", f"NOT coalesce({asked}, false)"))
    if roles.reading.max_uncertainty is not None:
        early.append(
            ("too uncertain", f"{_accuracy(spot, header)} > {roles.reading.max_uncertainty!r}")
        )
    weight, counted = _weight(header)
    if any(isinstance(axis, Values) and axis != roles.reading.values for axis in axes):
        raise BadInput(
            "mean: name it when the survey is opened, like dm.read(..., mean=, between=)"
        )
    if (mean := roles.reading.values) is not None:
        value, column = _value(header, mean)
        counted.append(column)
        early.append(("no value", f"NOT coalesce(isfinite({value}), false)"))
        if axes and isinstance(axes[-1], Values):
            weight = _part(weight, value, mean, roles.shares)
    if roles.reading.missing_unit == "own-unit" and names:
        who, early = (
            f"coalesce({who}, {literal(OWN)})",
            [pair for pair in early if pair[0] != "no unit"],
        )
    layer, sorting = _layer(header, axes)
    if layer:
        early.append(("undeclared kind or time", f"{layer} IS NULL"))
    level, stated = "", list[str]()
    if limits is not None:
        stated = [header.require(limits.column, flag="--epsilon-by")]
        none, level = _level(stated[0], limits)
        early.append(("no limit stated", none))
    others = [*columns, *rule_columns, *asked_of, *counted, *sorting, *stated]
    if team != "none":
        _check_only_names(names, others)
    everything = tuple(dict.fromkeys([*others, *names]))
    return Selection(
        everything,
        who,
        spot,
        shape,
        weight,
        tuple(early),
        asked,
        refused,
        roles,
        team,
        layer,
        level,
        _needs(header, answered) if site is None else _link_needs(parts),
        " AND ".join(["true", *(f"NOT ({condition})" for _, condition in left)]),
        dated_columns(header, axes),
        header.lacking(everything),
        tuple(map(tuple, parts)),
    )


def _consent(header: Header, consent: Consent | None) -> tuple[str, str, list[str]]:
    """Returns SQL for when a row consents and when it refuses, and the column that says it."""
    if consent is None:
        return "true", "false", []
    column = header.require(consent.column, flag="--consent")
    told = f"lower(trim(CAST({quoted(column)} AS VARCHAR)))"
    asked = (
        f"{told} IN ({', '.join(f'lower({literal(value.strip())})' for value in consent.values)})"
    )
    return asked, f"({told} <> '' AND NOT {asked})", [column]


def row_rules(header: Header) -> tuple[list[tuple[str, str]], list[str]]:
    """Returns why rows are left out by `--where` and by `--from` and `--to`, each with its
    condition over one row's own cells, which is never NULL, and the columns that these read.
    """
    left, read = list[tuple[str, str]](), list[str]()
    named = (("--where", header.roles.reading.rule), ("--from and --to", header.roles.within))
    for flags, rule in named:
        if rule is not None:
            find = partial(header.require, flag=flags)
            left.append(
                (
                    f"not selected by {flags}",
                    f"NOT {row_filter.sql(rule, find, header.roles.reading.forms)}",
                )
            )
            read += map(find, row_filter.columns(rule))
            for column in map(find, row_filter.years(rule)):
                if column == header.roles.dated or DATED.fullmatch(folded(column)):
                    raise BadInput(
                        f"{flags}: {shown(column)} holds dates, and a year alone is a number; quote"
                        " it, like '2020'"
                    )
    return left, read


DATED = re.compile("(.*_)?(date|datetime|timestamp|fecha|datum)|event_?date")
"""Columns that hold dates, by their folded names."""


def _check_only_names(names: list[str], others: list[str]) -> None:
    """Refuses a column that is taken apart into names and decides something else about its rows
    too.

    Neighbours differ by a name struck from every text, which must leave the rows of those who stand
    beside it as they were.
    """
    shared = [
        name
        for name in sorted(set(names))
        if any(share_text(name, other) for other in (*others, *(set(names) - {name})))
    ]
    if shared:
        raise Refused(
            f"--team: {shown(shared[0])} is taken apart into names, so nothing else about a row may"
            " depend on it (--where, --consent, --kinds ...): one name less would change the rows"
            " of those beside it; use another column, or --team none"
        )


def dated_columns(header: Header, axes: tuple[Axis, ...]) -> tuple[str, ...]:
    """Returns the columns of which dates are read, for a map's times or for which rows count, as
    the file spells them.
    """
    rules = [rule for rule in (header.roles.reading.rule, header.roles.within) if rule is not None]
    named = [
        *(axis.column for axis in axes if isinstance(axis, Times)),
        *(one for rule in rules for one in row_filter.dated(rule)),
    ]
    return tuple(dict.fromkeys(header.require(column, flag="--times") for column in named))


def _needs(header: Header, consent: list[str]) -> Needs:
    """Returns which fields a row must fill to have a place; if refusals remove whole units, a
    filled consent field is enough too.
    """
    ways: list[tuple[tuple[tuple[str, ...], bool], ...]] = []
    for place in header.roles.ways:
        if place.x:
            sides = [
                (tuple(split_columns(header, one, flag)), True)
                for one, flag in ((place.x, "--x"), (place.y, "--y"))
            ]
            ways.append(tuple(sides))
        elif place.cell:
            ways.append((((place.cell,), False),))
    if consent and header.roles.reading.consent_by == "unit":
        ways.append(((tuple(consent), False),))
    return tuple(ways) or ANYTHING


def _named_columns(header: Header, unit: str | None, site: str | None) -> list[list[str]]:
    """Returns the columns that say whose a row is, part by part. A site is a part of its own,
    whatever columns are called.
    """
    parts = [] if unit in (None, "row") else unit_columns(header, unit or "")
    if site is None:
        return parts
    site_parts = unit_columns(header, site)
    if len(site_parts) > 1:
        raise BadInput("--site: name one column; a site of several columns joined by + is not read")
    return [*parts, *site_parts]


def _team(roles: Roles, unit: str | None, site: str | None) -> str:
    """Returns what separates names; a contributor beside a site is one unit, as units of several
    columns are.
    """
    return roles.team(unit if site is None else f"{unit}+{site}")


def _link_needs(parts: list[list[str]]) -> Needs:
    """Returns which fields a row must fill to be a link of a contributor and a site: wherever it
    lies, it counts.
    """
    return (tuple((tuple(part), False) for part in parts),)


def _level(column: str, limits: Limits) -> tuple[str, str]:
    """Returns SQL for when a row states no limit, and for the declared level that its limit is
    rounded down to: 0 below the lowest, or if it is no plain number. Digits past the tenth are cut,
    so nothing is rounded up.
    """
    text = f"trim(CAST({quoted(column)} AS VARCHAR))"
    cut = f"regexp_extract({text}, '^[0-9]{{0,9}}([.,][0-9]{{0,10}})?')"
    plain = f"regexp_full_match({text}, '[0-9]{{0,9}}([.,][0-9]{{1,60}})?')"
    stated = f"TRY_CAST(replace({cut}, ',', '.') AS DECIMAL(28, 10))"
    falling = list(enumerate(map(decimal_text, limits.levels), start=1))[::-1]
    ways = " ".join(
        f"WHEN {stated} >= CAST('{least}' AS DECIMAL(28, 10)) THEN {level}"
        for level, least in falling
    )
    none = f"coalesce(lower({text}), '') IN ('', {_NOBODY})"
    return none, f"CAST(CASE WHEN NOT {plain} THEN 0 {ways} ELSE 0 END AS BIGINT)"


def _layer(header: Header, axes: tuple[Axis, ...]) -> tuple[str, list[str]]:
    """Returns SQL for the number of a row's layer (NULL if undeclared), in the order of the
    axes, and the columns it reads.
    """
    number, columns = "", []
    for axis in axes:
        if isinstance(axis, Values):
            number = f"({number} * 2 + {PART})" if number else PART
            continue
        column = header.require(
            axis.column, flag="--kinds" if isinstance(axis, Kinds) else "--times"
        )
        columns.append(column)
        text = f"trim(CAST({quoted(column)} AS VARCHAR))"
        place = (
            _kind(text, axis)
            if isinstance(axis, Kinds)
            else _time(text, axis, header.roles.reading.forms)
        )
        number = f"({number} * {len(axis.layers)} + {place})" if number else place
    return number and f"CAST({number} AS BIGINT)", columns


def _kind(text: str, axis: Kinds) -> str:
    """Returns SQL for the position of a declared value, ignoring case."""
    ways = " ".join(f"WHEN lower({literal(name)}) THEN {at}" for at, name in enumerate(axis.names))
    return f"(CASE lower({text}) {ways} END)"


def _time(text: str, axis: Times, forms: tuple[str, ...]) -> str:
    """Returns SQL for the span that contains every day the date may mean, as the declared forms
    read it.
    """
    chosen = " ".join(
        f"WHEN {dates.first('dp_day')} >= DATE '{start}'"
        f" AND {dates.last('dp_day')} < DATE '{after}' THEN {at}"
        for at, (start, after) in enumerate(pairwise(axis.days))
    )
    return place_parser.let("dp_day", dates.reckoned(text, forms), f"CASE {chosen} END")


def unit_columns(header: Header, unit: str) -> list[list[str]]:
    """Splits a unit into its columns: parts joined by `+`, each a column or the first filled one
    of `COLUMN|COLUMN`.
    """
    known = header.known(unit)
    if known is not None and not (
        header.name and set("+|") & set(unit)
    ):  # in parts a unit's form is the same in each
        return [[known]]
    parts = [[one.strip() for one in part.split("|")] for part in unit.split("+")]
    for part in parts if header.name else ():
        if not any(header.known(column) for column in part):
            raise BadInput(
                f"--unit: {shown(header.name)} has no column {' or '.join(map(shown, part))}, and"
                " each file must say who; name its column too, like --unit 'COLUMN|COLUMN' (the"
                " first filled one counts), or take it away"
            )
    return [[header.require(column, flag="--unit") for column in part] for part in parts]


def cell_metres(grid: Grid) -> float:
    """Returns the cells' width in metres along a meridian; for shapes, the side of a square as
    large as the smallest.

    For squares that borders of zones cut it is the uncut side: a row that lies too roughly for a
    cut one is at the edge of a whole one.
    """
    if isinstance(grid.cells, Squares):
        metres = DEGREE if crs_tools.is_lonlat(grid.crs) else crs_tools.unit_metres(grid.crs)
        return float(min(grid.cells.cell) * metres * (1 + 1e-9))
    if isinstance(grid.cells, MgrsCells):
        return float(grid.cells.squares.side)
    return math.sqrt(float(grid.square_km.min())) * 1000


def _accuracy(spot: Spot, header: Header) -> str:
    if spot.accuracy == "NULL" and not header.name:
        raise BadInput(
            "--max-uncertainty: no column of this survey says how certain its places are; leave"
            " it out"
        )
    return spot.accuracy


def _rule(rule: ExclusionRule, cell: float | None) -> str:
    """Returns SQL for when one of the format's rules leaves a row out."""
    column = quoted(rule.column)
    if rule.metres:
        return f"{place_parser.number(column)} > {cell if cell is not None else 0.0!r}"
    if rule.coarse and cell is not None and cell >= rule.coarse:
        return "false"
    told = f"lower(trim(CAST({column} AS VARCHAR)))"
    if re.fullmatch(r"[a-z0-9 ]+(\|[a-z0-9 ]+)*", rule.pattern):
        return f"{told} IN ({', '.join(map(literal, rule.pattern.split('|')))})"
    return f"regexp_full_match({told}, {literal(rule.pattern)})"


def _weight(header: Header) -> tuple[str, list[str]]:
    """Returns SQL for how much a row counts, in shares: 1 point, or a count column up to its
    most (a mark such as X is 1).
    """
    shares, reading = header.roles.shares, header.roles.reading
    if reading.count is None:
        return f"CAST({shares} AS BIGINT)", []
    column = header.require(reading.count, flag="--count")
    many = f"floor({place_parser.number(quoted(column))})"
    clipped = (
        f"CASE WHEN isfinite({many}) THEN greatest(0, least({many}, {reading.max_count})) ELSE"
        " 1 END"
    )
    return f"CAST({clipped} AS BIGINT) * {shares}", [column]


def _value(header: Header, mean: Values) -> tuple[str, str]:
    """Returns SQL for a row's value, NULL if it is no number, and its column."""
    column = header.require(mean.column, flag="--mean")
    return place_parser.number(quoted(column)), column


def _part(weight: str, value: str, mean: Values, shares: int) -> str:
    """Returns SQL for the part of a row's weight that `PART` asks for: at the high end, its value's
    distance from the low one, in whole shares; at the low end the rest, so that both add up to the
    weight.
    """
    low, high = float(mean.low), float(mean.high)
    share = f"(least(greatest({value}, {low!r}), {high!r}) - {low!r}) / {high - low!r}"
    above = f"CAST(least(greatest(floor({share} * {shares} + 0.5), 0), {shares}) AS BIGINT)"
    return f"CASE {PART} WHEN 1 THEN {above} ELSE {weight} - {above} END"


def _unit_sql(parts: list[list[str]], roles: Roles) -> str:
    """Returns SQL for a row's unit as written, its parts joined; NULL if a part is NULL. Spellings
    are joined later, once for each distinct text.
    """
    odd = len(parts) > 1 or roles.reading.missing_unit == "own-unit"
    pieces = []
    for part in parts:
        names = [_name_sql(column, roles) for column in part]
        piece = names[-1]
        for name in reversed(names[:-1]):
            piece = (
                f"CASE WHEN {name} IS NULL OR lower(trim({name})) IN ('', {_NOBODY}) THEN {piece}"
                f" ELSE {name} END"
            )
        pieces.append(f"translate({piece}, {literal(JOINT + OWN)}, '')" if odd else piece)
    return _JOINED.join(pieces) or "''"


_JOINED = f" || {literal(JOINT)} || "
_NOBODY = ", ".join(literal(word) for word in sorted(PLACEHOLDERS))


def _name_sql(column: str, roles: Roles) -> str:
    """Returns SQL for the text of a unit column; for EarthRanger's dictionaries, the id inside."""
    raw = f"CAST({quoted(column)} AS VARCHAR)"
    if roles.format != "EarthRanger events" or column != roles.unit:
        return raw
    found = (
        rf"""nullif(trim(regexp_extract({raw}, '[{{,]\s*["'']?id["'']?\s*:\s*["'']?"""
        r"""([^"'',}]+)', 1)), '')"""
    )
    return f"CASE WHEN starts_with(trim({raw}), '{{') THEN {found} ELSE {raw} END"
