"""Build the SQL that selects a survey's rows: unit, place, weight, and why a row is left out.

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
from dpmap.survey.formats import fold_name
from dpmap.survey.place_columns import split_columns, spot_of
from dpmap.survey.place_parser import Spot
from dpmap.survey.sources import ANYTHING, Needs, People, literal, printable_name, quote_column
from dpmap.survey.unit_names import PLACEHOLDERS

JOINT = "\x01"
"""Between the parts of a unit of several columns; it is removed from the parts themselves."""
PART = "dp_part"
"""The column that says which part of a row's value this is: 0 at its low end, 1 at its high end."""
OWN = "\x02"
"""Begins the name of a row that names nobody and is a unit of its own."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold SQL expressions over one row of the source, and the columns they read.

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
    def alike(self) -> bool:
        """Whether every row has the same weight, and states nothing else."""
        reading = self.roles.reading
        return reading.count is None and reading.mean is None and not self.level

    @property
    def who_counts(self) -> str:
        """The condition under which a name's rows count, beside `gone`, the units that withdrew."""
        gone = " AND name NOT IN (SELECT unit FROM gone)" if self.withdraws else ""
        return f"name IS NOT NULL{gone}"

    @property
    def sums(self) -> str:
        """The sums over all rows of one text: their weight, and how many they are."""
        whole = f"{self.weight} * count(*)" if self.alike else "CAST(sum(weight) AS BIGINT)"
        return f"{whole} AS whole, count(*) AS row_count"

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
        """Return the relation that the expressions read: each row once, or once for each part
        of its value.
        """
        if PART in self.layer:
            relation = f"(SELECT *, unnest([0, 1]) AS {PART} FROM {relation})"
        return self.spot.over(relation)

    def keep(self) -> str:
        """Return the condition under which a row may count, before its place is known."""
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
    """Build the SQL for one survey, unit and consent rule; obscured records count only in cells
    wide enough.

    With a `site`, each row is a link of its contributor and its site, named in this order, and
    needs no place. For a survey in several parts it builds that of each from the part's own header,
    whatever other parts there are.
    """
    if not header.parts:
        return _select_part(header, unit, consent, cell_metres, axes, limits, site)
    parts = tuple(
        _select_part(part, unit, consent, cell_metres, axes, limits, site) for part in header.parts
    )
    return replace(parts[0], team=_team(header.roles, unit, site), parts=parts)


def _select_part(
    header: Header,
    unit: str | None,
    consent: Consent | None,
    cell_metres: float | None,
    axes: tuple[Axis, ...],
    limits: Limits | None,
    site: str | None,
) -> Selection:
    """Return the SQL for one header: a survey of one part, or one of several parts."""
    roles = header.roles
    spot, shape, columns_read = spot_of(header)
    unit_parts = _unit_parts(header, unit, site)
    team = _team(roles, unit, site)
    consents, refuses, consent_columns = _consent(header, consent)
    filters, filter_columns = row_rules(header)
    unit_sql, missing_unit = _unit_or_own(unit_parts, roles)
    reasons = [*filters, *missing_unit]
    columns_read += [rule.column for rule in roles.honoured()] + consent_columns + filter_columns
    reasons += [(rule.reason, _rule(rule, cell_metres)) for rule in roles.honoured()]
    if consent is not None:
        reasons.append(("no consent", f"NOT coalesce({consents}, false)"))
    if roles.reading.max_uncertainty is not None:
        accuracy = _accuracy(spot, header)
        reasons.append(("too uncertain", f"{accuracy} > {roles.reading.max_uncertainty!r}"))
    weight, weight_columns, no_value = _weight_or_value(header, axes)
    layer, layer_columns = _layer(header, axes)
    columns_read += weight_columns + layer_columns
    reasons += no_value
    if layer:
        reasons.append(("undeclared kind or time", f"{layer} IS NULL"))
    level = ""
    if limits is not None:
        limit_column = header.require(limits.column, flag="--epsilon-by")
        no_limit, level = _level(limit_column, limits)
        columns_read.append(limit_column)
        reasons.append(("no limit stated", no_limit))
    unit_names = [column for part in unit_parts for column in part]
    if team != "none":
        _check_only_names(unit_names, columns_read)
    all_columns = tuple(dict.fromkeys([*columns_read, *unit_names]))
    return Selection(
        columns=all_columns,
        unit=unit_sql,
        spot=spot,
        shape=shape,
        weight=weight,
        reasons=tuple(reasons),
        consent=consents,
        refused=refuses,
        roles=roles,
        team=team,
        layer=layer,
        level=level,
        needs=_needs(header, consent_columns) if site is None else _link_needs(unit_parts),
        selected=" AND ".join(["true", *(f"NOT ({condition})" for _, condition in filters)]),
        dated=dated_columns(header, axes),
        lacking=header.lacking(all_columns),
        people=tuple(map(tuple, unit_parts)),
    )


def _unit_or_own(parts: list[list[str]], roles: Roles) -> tuple[str, list[tuple[str, str]]]:
    """Return SQL for a row's unit, and why a row that names none is left out, unless each such
    row is a unit of its own.
    """
    unit = _unit_sql(parts, roles)
    if not parts:
        return unit, []
    if roles.reading.missing_unit == "own-unit":
        return f"coalesce({unit}, {literal(OWN)})", []
    return unit, [("no unit", f"{unit} IS NULL")]


def _weight_or_value(
    header: Header, axes: tuple[Axis, ...]
) -> tuple[str, list[str], list[tuple[str, str]]]:
    """Return SQL for a row's weight, or for the part of it that a mean asks for, the columns it
    reads, and why rows without a value are left out.
    """
    roles = header.roles
    weight, columns = _weight(header)
    if any(isinstance(axis, Values) and axis != roles.reading.values for axis in axes):
        raise BadInput(
            "mean: name it when the survey is opened, like dm.read(..., mean=, between=)"
        )
    mean = roles.reading.values
    if mean is None:
        return weight, columns, []
    value_column = header.require(mean.column, flag="--mean")
    value = place_parser.number(quote_column(value_column))  # NULL if it is no number
    # Rows without a value leave every map of the survey, not only its means.
    if axes and isinstance(axes[-1], Values):
        weight = _weight_part_sql(weight, value, mean, roles.shares)
    no_value = ("no value", f"NOT coalesce(isfinite({value}), false)")
    return weight, [*columns, value_column], [no_value]


def _consent(header: Header, consent: Consent | None) -> tuple[str, str, list[str]]:
    """Return SQL for when a row consents and when it refuses, and the columns read."""
    if consent is None:
        return "true", "false", []
    column = header.require(consent.column, flag="--consent")
    answer = f"lower(trim(CAST({quote_column(column)} AS VARCHAR)))"
    agreeing = ", ".join(f"lower({literal(value.strip())})" for value in consent.values)
    consents = f"{answer} IN ({agreeing})"
    # An empty answer neither consents nor refuses.
    return consents, f"({answer} <> '' AND NOT {consents})", [column]


def row_rules(header: Header) -> tuple[list[tuple[str, str]], list[str]]:
    """Return why rows are left out by `--where` and by `--from` and `--to`, each with its
    condition over one row's own cells, which is never NULL, and the columns that these read.
    """
    reasons = list[tuple[str, str]]()
    columns_read = list[str]()
    reading = header.roles.reading
    for flags, rule in (("--where", reading.rule), ("--from and --to", header.roles.within)):
        if rule is None:
            continue
        require = partial(header.require, flag=flags)
        selected = row_filter.sql(rule, require, reading.forms)
        reasons.append((f"not selected by {flags}", f"NOT {selected}"))
        columns_read += map(require, row_filter.columns(rule))
        for column in map(require, row_filter.years(rule)):
            if column == header.roles.dated or DATED.fullmatch(fold_name(column)):
                raise BadInput(
                    f"{flags}: {printable_name(column)} holds dates, and a year alone is a number;"
                    " quote"
                    " it, like '2020'"
                )
    return reasons, columns_read


DATED = re.compile("(.*_)?(date|datetime|timestamp|fecha|datum)|event_?date")
"""Columns that hold dates, by their folded names."""


def _check_only_names(names: list[str], others: list[str]) -> None:
    """Refuse a column that is split into names and also decides something else about its rows.

    Neighbours differ by a name struck from every text, which must leave the rows of those who stand
    beside it as they were.
    """
    shared_columns = [
        name
        for name in sorted(set(names))
        if any(share_text(name, other) for other in (*others, *(set(names) - {name})))
    ]
    if shared_columns:
        raise Refused(
            f"--team: {printable_name(shared_columns[0])} is taken apart into names, so nothing"
            " else about a"
            " row may depend on it (--where, --consent, --kinds ...): one name less would change"
            " the rows of those beside it; use another column, or --team none"
        )


def dated_columns(header: Header, axes: tuple[Axis, ...]) -> tuple[str, ...]:
    """Return the columns of which dates are read, for a map's times or for which rows count, as
    the file spells them.
    """
    rules = [rule for rule in (header.roles.reading.rule, header.roles.within) if rule is not None]
    date_columns = [
        *(axis.column for axis in axes if isinstance(axis, Times)),
        *(column for rule in rules for column in row_filter.date_columns(rule)),
    ]
    return tuple(dict.fromkeys(header.require(column, flag="--times") for column in date_columns))


def _needs(header: Header, consent: list[str]) -> Needs:
    """Return which fields a row must fill to have a place; if refusals remove whole units, a
    filled consent field is enough too.
    """
    ways: list[tuple[tuple[tuple[str, ...], bool], ...]] = []
    for place in header.roles.ways:
        if place.x:
            sides = [
                (tuple(split_columns(header, coordinate, flag)), True)
                for coordinate, flag in ((place.x, "--x"), (place.y, "--y"))
            ]
            ways.append(tuple(sides))
        elif place.cell:
            ways.append((((place.cell,), False),))
    if consent and header.roles.reading.consent_by == "unit":
        ways.append(((tuple(consent), False),))
    return tuple(ways) or ANYTHING


def _unit_parts(header: Header, unit: str | None, site: str | None) -> list[list[str]]:
    """Return the columns that say whose a row is, part by part. A site is a part of its own,
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
    """Return what separates names; a contributor beside a site is one unit, as units of several
    columns are.
    """
    return roles.team(unit if site is None else f"{unit}+{site}")


def _link_needs(parts: list[list[str]]) -> Needs:
    """Return which fields a row must fill to link a contributor and a site; it needs no place."""
    return (tuple((tuple(part), False) for part in parts),)


def _level(column: str, limits: Limits) -> tuple[str, str]:
    """Return SQL for when a row states no limit, and for the declared level that its limit is
    rounded down to: 0 below the lowest, or if it is no plain number. Digits past the tenth are cut,
    so nothing is rounded up.
    """
    text = f"trim(CAST({quote_column(column)} AS VARCHAR))"
    cut = f"regexp_extract({text}, '^[0-9]{{0,9}}([.,][0-9]{{0,10}})?')"
    plain = f"regexp_full_match({text}, '[0-9]{{0,9}}([.,][0-9]{{1,60}})?')"
    stated = f"TRY_CAST(replace({cut}, ',', '.') AS DECIMAL(28, 10))"
    # The first branch that holds wins, so the highest level is tried first.
    descending = reversed(list(enumerate(map(decimal_text, limits.levels), start=1)))
    branches = " ".join(
        f"WHEN {stated} >= CAST('{least}' AS DECIMAL(28, 10)) THEN {level}"
        for level, least in descending
    )
    no_limit = f"coalesce(lower({text}), '') IN ('', {_NOBODY})"
    return no_limit, f"CAST(CASE WHEN NOT {plain} THEN 0 {branches} ELSE 0 END AS BIGINT)"


def _layer(header: Header, axes: tuple[Axis, ...]) -> tuple[str, list[str]]:
    """Return SQL for the number of a row's layer (NULL if undeclared), in the order of the
    axes, and the columns it reads.
    """
    number = ""
    columns = list[str]()
    for axis in axes:
        if isinstance(axis, Values):
            number = f"({number} * 2 + {PART})" if number else PART
            continue
        flag = "--kinds" if isinstance(axis, Kinds) else "--times"
        column = header.require(axis.column, flag=flag)
        columns.append(column)
        text = f"trim(CAST({quote_column(column)} AS VARCHAR))"
        if isinstance(axis, Kinds):
            position = _kind(text, axis)
        else:
            position = _time(text, axis, header.roles.reading.forms)
        number = f"({number} * {len(axis.layers)} + {position})" if number else position
    return number and f"CAST({number} AS BIGINT)", columns


def _kind(text: str, axis: Kinds) -> str:
    """Return SQL for the position of a declared value, ignoring case."""
    branches = " ".join(
        f"WHEN lower({literal(name)}) THEN {position}" for position, name in enumerate(axis.names)
    )
    return f"(CASE lower({text}) {branches} END)"


def _time(text: str, axis: Times, forms: tuple[str, ...]) -> str:
    """Return SQL for the span that contains every day the date may mean, as the declared forms
    read it.
    """
    branches = " ".join(
        f"WHEN {dates.first('dp_day')} >= DATE '{start}'"
        f" AND {dates.last_day_sql('dp_day')} < DATE '{after}' THEN {position}"
        for position, (start, after) in enumerate(pairwise(axis.days))
    )
    return place_parser.let("dp_day", dates.reckon_sql(text, forms), f"CASE {branches} END")


def unit_columns(header: Header, unit: str) -> list[list[str]]:
    """Split a unit into its columns: parts joined by `+`, each a column or the first filled one
    of `COLUMN|COLUMN`.
    """
    column = header.known(unit)
    # A column may itself be called "a+b"; in a survey of several files the sign always joins, so
    # that a unit has the same form in each.
    if column is not None and not (header.name and set("+|") & set(unit)):
        return [[column]]
    parts = [[name.strip() for name in part.split("|")] for part in unit.split("+")]
    for part in parts if header.name else ():
        if not any(header.known(column) for column in part):
            raise BadInput(
                f"--unit: {printable_name(header.name)} has no column"
                f" {' or '.join(map(printable_name, part))}, and"
                " each file must say who; name its column too, like --unit 'COLUMN|COLUMN' (the"
                " first filled one counts), or take it away"
            )
    return [[header.require(column, flag="--unit") for column in part] for part in parts]


def cell_metres(grid: Grid) -> float:
    """Return the cells' width in metres along a meridian; for shapes, the side of a square as
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
    """Return SQL for when one of the format's rules leaves a row out."""
    column = quote_column(rule.column)
    if rule.metres:
        return f"{place_parser.number(column)} > {cell if cell is not None else 0.0!r}"
    if rule.coarse and cell is not None and cell >= rule.coarse:
        return "false"
    text = f"lower(trim(CAST({column} AS VARCHAR)))"
    # A pattern that only lists words needs no regular expression.
    if re.fullmatch(r"[a-z0-9 ]+(\|[a-z0-9 ]+)*", rule.pattern):
        return f"{text} IN ({', '.join(map(literal, rule.pattern.split('|')))})"
    return f"regexp_full_match({text}, {literal(rule.pattern)})"


def _weight(header: Header) -> tuple[str, list[str]]:
    """Return SQL for how much a row counts, in shares: 1 point, or a count column up to its
    most (a mark such as X is 1).
    """
    shares = header.roles.shares
    reading = header.roles.reading
    if reading.count is None:
        return f"CAST({shares} AS BIGINT)", []
    column = header.require(reading.count, flag="--count")
    count = f"floor({place_parser.number(quote_column(column))})"
    clipped = (
        f"CASE WHEN isfinite({count}) THEN greatest(0, least({count}, {reading.max_count})) ELSE"
        " 1 END"
    )
    return f"CAST({clipped} AS BIGINT) * {shares}", [column]


def _weight_part_sql(weight: str, value: str, mean: Values, shares: int) -> str:
    """Return SQL for the part of a row's weight that `PART` asks for: at the high end, its value's
    distance from the low one, in whole shares; at the low end the rest, so that both add up to the
    weight.
    """
    low = float(mean.low)
    high = float(mean.high)
    share = f"(least(greatest({value}, {low!r}), {high!r}) - {low!r}) / {high - low!r}"
    above = f"CAST(least(greatest(floor({share} * {shares} + 0.5), 0), {shares}) AS BIGINT)"
    return f"CASE {PART} WHEN 1 THEN {above} ELSE {weight} - {above} END"


def _unit_sql(parts: list[list[str]], roles: Roles) -> str:
    """Return SQL for a row's unit as written, its parts joined; NULL if a part is NULL. Spellings
    are joined later, once for each distinct text.
    """
    # A name must not hold the marks that a joined or missing unit is recognised by.
    has_markers = len(parts) > 1 or roles.reading.missing_unit == "own-unit"
    part_texts = []
    for part in parts:
        names = [_name_sql(column, roles) for column in part]
        text = names[-1]
        for name in reversed(names[:-1]):
            text = (
                f"CASE WHEN {name} IS NULL OR lower(trim({name})) IN ('', {_NOBODY}) THEN {text}"
                f" ELSE {name} END"
            )
        part_texts.append(f"translate({text}, {literal(JOINT + OWN)}, '')" if has_markers else text)
    return _JOINED.join(part_texts) or "''"


_JOINED = f" || {literal(JOINT)} || "
_NOBODY = ", ".join(literal(word) for word in sorted(PLACEHOLDERS))


def _name_sql(column: str, roles: Roles) -> str:
    """Return SQL for the text of a unit column; for EarthRanger's dictionaries, the id inside."""
    text = f"CAST({quote_column(column)} AS VARCHAR)"
    if roles.format != "EarthRanger events" or column != roles.unit:
        return text
    inner_id = (
        rf"""nullif(trim(regexp_extract({text}, '[{{,]\s*["'']?id["'']?\s*:\s*["'']?"""
        r"""([^"'',}]+)', 1)), '')"""
    )
    return f"CASE WHEN starts_with(trim({text}), '{{') THEN {inner_id} ELSE {text} END"
