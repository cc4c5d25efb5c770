"""Shows a steward the true numbers of a survey before anything is spent: not private, and never in
a release.

It reads the rows with the same words a release uses, spends nothing, and writes nothing unless told
to.
"""

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, single_number
from dpmap.errors import name_keywords
from dpmap.grid import Grid
from dpmap.grid.cell_sizes import parse_cell
from dpmap.numbers import NumberLike, decimal_text
from dpmap.promise.policy import Consent, Limits, Policy
from dpmap.steward import count_shapes, date_formats
from dpmap.survey import Survey, read
from dpmap.survey.cell_lookup import IMPOSSIBLE, NOWHERE, OUTSIDE, WHY
from dpmap.survey.column_roles import length
from dpmap.survey.column_suggestions import (
    ROW,
    Candidate,
    best_of_each,
    degrees_alone,
    uncertainties,
    who,
)
from dpmap.survey.format_rules import DEGREE
from dpmap.survey.formats import shell
from dpmap.survey.row_sql import JOINT, Selection, cell_metres, selection
from dpmap.survey.sources import literal, quote_column
from dpmap.templates import fill_page
from dpmap.vault.two_unit_cap import count_refused, edges

if TYPE_CHECKING:
    from dpmap.survey.files.frames import Table

CAPS = (1, 2, 5, 10, 20, 50)
BINS = (1, 2, 3, 6, 11, 21, 51, 101, 1001)
LENGTHS = {
    "above_100m_share": (100.0, "100 m"),
    "above_1km_share": (1000.0, "1 km"),
    "above_10km_share": (10_000.0, "10 km"),
}
"""Shares of rows whose places are less certain than these many metres, where no cell is known to
compare with.
"""
BLANKS = f" \t\r\n\N{NO-BREAK SPACE}{JOINT}"
"""What a unit that is blank consists of: blanks, and what joins the parts of one."""
MOST_IN_VOCABULARY = 10
ROWS_PER_WORD = 10
"""A column of so few different values, each in so many rows on average, holds words that rows share
rather than who or what they belong to.
"""
FEW_VALUES = "not an identifier: few distinct values"
WARNING = (
    "For the operator's eyes only: these are true numbers of the survey, not private. Do not share"
    " them."
)

KEPT = (
    "This notebook or session now holds true numbers of the survey: clear its outputs before you"
    " save or share it."
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """True numbers of a survey. `scaled_away` is the share of weight above each cap;
    `rows_per_unit` has the median, the 90th and 99th percentile and the most; `histogram` counts
    units by how many rows they have, `limits` by the declared level that their stated limit is
    rounded down to; `links` says what each of two caps leaves out. Where nobody says who is
    protected, `who` has the columns that may, the likeliest first, how many different values usable
    rows have there, and what each would mean; those that hold a vocabulary of few values are last,
    and not `offered`. `dates` counts, for columns of dates, the rows that each form reads, `two
    ways` those that two forms read differently, and `unread` those that the declared forms do not
    read; `date_forms` is what to declare in their place, several where the texts do not tell which.
    `files` holds the rows of each part of a survey in several, and how many of them may
    count. `taken_as` is the file's kind, encoding and separator as they were taken, and `nobody`
    counts the rows left out as they name no unit: those that are blank there, and those that hold a
    placeholder.
    """

    warning: str
    roles: list[tuple[str, str]]
    columns: list[str]
    rows: int
    usable: int
    left_out: dict[str, int]
    units: int | None
    rows_per_unit: dict[str, float]
    histogram: dict[str, int]
    scaled_away: dict[int, float]
    repeated: int
    uncertainty: dict[str, float]
    advice: list[str]
    limits: dict[str, int]
    links: dict[str, int]
    who: list[dict[str, Any]]
    dates: dict[str, dict[str, int]]
    date_forms: list[str]
    files: dict[str, dict[str, int]]
    taken_as: str
    nobody: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON."""
        return asdict(self)

    def tables(self) -> dict[str, list[tuple[str, str]]]:
        """Returns the numbers in words, under titles; what is not known has none."""
        per = ", ".join(f"{word} {value:,}" for word, value in self.rows_per_unit.items())
        holds = [("rows", f"{self.rows:,}"), ("usable", f"{self.usable:,}")]
        holds += [
            (f"in {name}", f"{of['rows']:,} rows, {of['usable']:,} usable")
            for name, of in self.files.items()
        ]
        holds += [
            (f"left out: {why}", f"{count:,}  ({count / self.rows:.1%}){self._nobody(why)}")
            for why, count in self.left_out.items()
        ]
        holds.append(("units", "no unit named" if self.units is None else f"{self.units:,}"))
        holds += [("rows per unit", per)] if per else []
        holds += [(f"units of limit {level}", f"{count:,}") for level, count in self.limits.items()]
        holds += self._links()
        alike = "same place" if self.units is None else "same unit, same place"
        holds.append(("repeated rows", f"{self.repeated:,}  ({alike})"))
        sections = {
            "How it is read": [("read as", self.taken_as), *self.roles],
            "What it holds": holds,
        }
        if self.who:
            sections["Who could be protected (--unit)"] = [
                (one["column"], _offer(one))
                for one in (
                    *best_of_each(one for one in self.who if one["offered"]),
                    *(one for one in self.who if not one["offered"]),
                )
            ]
        if self.dates:
            sections["How dates are written"] = date_formats.lines(self.dates)
        return (
            {**sections, "How certain places are": self._certainty()}
            if self.uncertainty
            else sections
        )

    def _python_tables(self) -> dict[str, list[tuple[str, str]]]:
        """Returns the tables of a notebook: those of `tables`, in the words of Python, and what a
        cap scales away.
        """
        tables = {
            name_keywords(title): [(part, name_keywords(words)) for part, words in lines]
            for title, lines in self.tables().items()
        }
        if self.scaled_away and self.units:
            tables["What a cap scales away, of all points"] = [
                (f"cap {cap}", f"{share:.1%}") for cap, share in self.scaled_away.items()
            ]
        return tables

    def __repr__(self) -> str:
        tables = self._python_tables()
        width = max(len(part) for lines in tables.values() for part, _ in lines)
        lines = [self.warning, KEPT]
        for title, rows in tables.items():
            lines += ["", title, *(f"  {part:<{width}}  {words}" for part, words in rows)]
        advice = [f"* {name_keywords(line)}" for line in self.advice]
        return "\n".join([*lines, "", *advice] if advice else lines)

    def _repr_html_(self) -> str:
        """Shows the numbers in a notebook as a table, below what they are."""
        return fill_page(
            __package__,
            "inspect_card.html",
            warning=self.warning,
            kept=KEPT,
            tables=self._python_tables(),
            advice=[name_keywords(line) for line in self.advice],
        )

    def _nobody(self, why: str) -> str:
        """Says of the rows that name no unit how they do not."""
        if why != "no unit" or not self.nobody:
            return ""
        return (
            f": {self.nobody['blank']:,} blank, {self.nobody['placeholder']:,} with a word for"
            " nobody, like unknown"
        )

    def _links(self) -> list[tuple[str, str]]:
        """Says what becomes of the links of contributors and listed sites."""
        words = {
            "links": "links to listed sites",
            "count": "links that count under both caps",
            "cap": "left out by the contributor's cap",
            "site cap": "left out by the site's cap",
        }
        return [(words[what], f"{count:,}") for what, count in self.links.items()]

    def _certainty(self) -> list[tuple[str, str]]:
        known = self.uncertainty
        lines = [
            ("median, 90th percentile", f"{known['median_m']:,.0f} m, {known['90th_m']:,.0f} m"),
            ("known for", f"{known['known_share']:.0%} of usable rows"),
        ]
        if "above_cell_share" in known:
            lines.append(
                (
                    "against cells",
                    f"{known['above_cell_share']:.0%} of points are less certain than your cells",
                )
            )
            return lines
        shares = ", ".join(f"{words}: {known[name]:.0%}" for name, (_, words) in LENGTHS.items())
        return [*lines, ("less certain than", f"{shares} of usable rows")]


def inspect(
    survey: "Survey | str | os.PathLike[str] | Table",
    *,
    unit: str | None = None,
    consent: "Consent | str | None" = None,
    grid: Grid | None = None,
    cell: NumberLike | None = None,
    epsilon_by: "Limits | str | None" = None,
    sites: Survey | None = None,
    pairs: Policy | None = None,
) -> Inspection:
    """Looks at a survey as a release would read it, and returns true numbers: for its operator's
    eyes, never to be passed on.

    In a notebook it shows as a table.

    - `survey`: from `dm.read`; or a path or a table in memory, which are read without options.
    - `unit`, `consent`: who is protected and which rows count, if the survey does not say so.
    - `grid`: tells what lies outside; a `cell` size is enough to compare with the uncertainty of
      places.
    - `epsilon_by`: counts units by the limit that they state.
    - `sites`, `pairs`: the survey of sites and the policy of a release that protects them too, to
      tell what each of its two caps leaves out.

    >>> import dpmap as dm
    >>> seen = dm.inspect("raptors.csv", unit="observer_id")
    >>> seen.rows, seen.units
    (20000, 795)
    """
    opened = survey if isinstance(survey, Survey) else read(survey)
    links = (
        {}
        if sites is None or pairs is None or grid is None
        else _linked(opened, sites, grid, pairs)
    )
    limits = Limits.parse(epsilon_by) if isinstance(epsilon_by, str) else epsilon_by
    rule = Consent.parse(consent) if isinstance(consent, str) else consent or opened.roles.consent
    chosen_unit = unit or opened.roles.unit
    metres = cell_metres(grid) if grid is not None else _metres(cell)

    def selected(one: Survey) -> Selection:
        return selection(one.header, chosen_unit, rule, metres, limits=limits)

    chosen = selected(opened)
    offered = {} if chosen_unit else _offered(opened)
    dated = date_formats.date_like(opened, *chosen.dated)
    chosen = date_formats.also(
        chosen,
        opened.header,
        (*(part for one in offered.values() for part in one.parts(opened.columns)), *dated),
    )

    def looked(database: Any) -> Inspection:
        with opened.held() as held:
            rows = RowTable(database, held, chosen)
            files = dict[str, dict[str, int]]()
            rows.each(lambda part: _look(part, offered, grid, files), "looked")
            left_out, every = _left_out(rows)
            placeless = WHY[NOWHERE] in left_out
            drawn = sum(
                count_shapes.count_outlined(
                    database, part, selected, grid, files[part.name]["usable"]
                )
                for part in (held.parts or (held,) if placeless else ())
            )
            shares = opened.roles.shares
            certain = _uncertainty(rows, metres)
            spelt = date_formats.spelt(rows, dated)
            date_forms = date_formats.better_forms(spelt, opened.roles.reading.forms)
            by_unit = (
                _people(rows, chosen, left_out, shares) if chosen_unit not in (None, "row") else {}
            )
            return Inspection(
                warning=WARNING,
                roles=opened.roles.described(chosen_unit, rule, metres, chosen.dated),
                columns=list(opened.columns),
                rows=every,
                usable=every - sum(left_out.values()),
                left_out=dict(sorted(left_out.items(), key=lambda one: -one[1])),
                units=by_unit.get("units"),
                rows_per_unit=by_unit.get("rows_per_unit", {}),
                histogram=by_unit.get("histogram", {}),
                scaled_away=by_unit.get("scaled_away", {}),
                repeated=_repeated(rows),
                uncertainty=certain,
                advice=[
                    *_advice(opened, left_out, every, chosen_unit, by_unit.get("lists", 0)),
                    *_uncertain(opened, certain, metres),
                    *count_shapes.advice(drawn, every),
                    *date_formats.advice(spelt, date_forms),
                ],
                limits=_limits(rows, limits) if by_unit and limits else {},
                links=links,
                who=_who(rows, offered) if chosen_unit is None else [],
                dates={column: one.numbers for column, one in spelt.items()},
                date_forms=date_forms,
                files=files if held.parts else {},
                taken_as=_taken_as(opened),
                nobody=_nobody(left_out, by_unit.get("placeholders", 0)),
            )

    inspection: Inspection = DuckDB().answered(looked)
    return inspection


def _taken_as(survey: Survey) -> str:
    """Says as what kind of file the survey was read, in which encoding and cut by which
    separator; each way once.
    """
    parts = []
    for part in survey.parts or (survey,):
        schema = part.schema
        cut = {"\t": "tab", " ": "blank"}.get(schema.separator, schema.separator)
        parts.append(
            ", ".join(
                [
                    schema.kind,
                    *([schema.encoding] if schema.encoding else []),
                    *([f"separator {cut}"] if cut else []),
                ]
            )
        )
    return " / ".join(dict.fromkeys(parts))


def _nobody(left_out: dict[str, int], placeholders: int) -> dict[str, int]:
    """Counts the rows that are blank where the unit stands, and those with a placeholder;
    nothing where all name somebody.
    """
    every = left_out.get("no unit", 0)
    return {"blank": every - placeholders, "placeholder": placeholders} if every else {}


def _linked(survey: Survey, sites: Survey, grid: Grid, policy: Policy) -> dict[str, int]:
    """Counts what each cap leaves out."""
    return count_refused(
        DuckDB().pairs(survey, sites, grid, policy, edges(JOINT), lambda step: None), policy
    )


def _metres(cell: object) -> float | None:
    if cell is None:
        return None
    size, in_degrees = parse_cell(cell)
    return size * (DEGREE if in_degrees else 1.0) * (1 + 1e-9)


def _look(
    part: RowTable,
    offered: dict[str, Candidate],
    grid: Grid | None,
    files: dict[str, dict[str, int]],
) -> None:
    """Reads one part's rows, and counts those that may count."""
    part.table("looked", _row_sql(part.chosen, offered), "true", grid, "true")
    counts = "SELECT count(*), count(*) FILTER (reason IS NULL AND cell >= 0) FROM looked"
    ((every, usable),) = part.database.execute(counts).fetchall()
    files[part.file] = {"rows": every, "usable": usable}


def _row_sql(chosen: Selection, offered: dict[str, Candidate]) -> dict[str, str]:
    """Returns what is kept of a row while looking: why it is left out, its unit and weight, a
    mark of its place, and what may say who.
    """
    cases = " ".join(
        f"WHEN coalesce({condition}, false) THEN {literal(reason)}"
        for reason, condition in chosen.reasons
    )
    at = f"hash({chosen.shape or f'{chosen.spot.x}, {chosen.spot.y}'})"
    return {
        "reason": f"CASE {cases} END" if cases else "CAST(NULL AS VARCHAR)",
        "unit": chosen.unit,
        "weight": chosen.weight,
        "accuracy": f"CAST({chosen.spot.accuracy} AS DOUBLE)",
        "spot": at,
        **({"level": chosen.level} if chosen.level else {}),
        **{alias: _first_filled(one.parts(chosen.columns)) for alias, one in offered.items()},
    }


def _first_filled(columns: list[str]) -> str:
    """Returns SQL for the text of the first of these columns that is filled in."""
    texts = [f"nullif(trim(CAST({quote_column(column)} AS VARCHAR)), '')" for column in columns]
    return f"coalesce({', '.join(texts)})"


def _offered(survey: Survey) -> dict[str, Candidate]:
    """Returns the columns that may say who is protected, by the name that each has in the table
    `looked`.
    """
    return {f"who_{at}": one for at, one in enumerate(who(survey.columns, survey.schema.nameless))}


def _who(rows: RowTable, offered: dict[str, Candidate]) -> list[dict[str, Any]]:
    """Says of each such column how many different values usable rows have there, and what
    protecting them would mean; a vocabulary of few values comes last, and is not offered.
    """
    usable = single_number(rows.database, "SELECT count(*) FROM placed")
    candidates = []
    for alias, candidate in offered.items():
        values, named = rows.different(alias, "placed")
        facts = {"values": values, "blank_share": 1 - named / usable if usable else 0.0}
        vocabulary = values <= MOST_IN_VOCABULARY and named >= ROWS_PER_WORD * values > 0
        verdict = {"meaning": FEW_VALUES, "reason": FEW_VALUES} if vocabulary else {}
        candidates.append({**asdict(candidate), **verdict, **facts, "offered": not vocabulary})
    candidates.append({**asdict(ROW), "values": usable, "blank_share": 0.0, "offered": True})
    return sorted(candidates, key=lambda one: not one["offered"])


def _offer(facts: dict[str, Any]) -> str:
    """Writes one such column in words."""
    if not facts["offered"]:
        return f"{facts['reason']} ({facts['values']:,})"
    blank = (
        f", {facts['blank_share']:.0%} of usable rows name nobody" if facts["blank_share"] else ""
    )
    more = f" ({facts['more']} more like it: --json)" if facts["more"] else ""
    return f"{facts['words']}: {facts['values']:,} different{blank}; {facts['meaning']}{more}"


def _left_out(rows: RowTable) -> tuple[dict[str, int], int]:
    """Counts the rows left out by the first reason that holds: place, then unit, consent and the
    format's rules.
    """
    place = " ".join(f"WHEN cell = {code} THEN {literal(words)}" for code, words in WHY.items())
    rows.database.execute(
        f"CREATE TABLE placed AS SELECT * REPLACE (CASE {place} ELSE reason END AS reason) FROM"
        " looked"
    )
    counts = rows.database.execute(
        "SELECT reason, count(*) FROM placed GROUP BY reason ORDER BY 2 DESC, 1"
    ).fetchall()
    rows.database.execute("DELETE FROM placed WHERE reason IS NOT NULL")
    return {str(reason): int(count) for reason, count in counts if reason is not None}, sum(
        int(c) for _, c in counts
    )


def _people(
    rows: RowTable, chosen: Selection, left_out: dict[str, int], shares: int
) -> dict[str, Any]:
    """Counts units after joining spellings and splitting teams, and what each cap would scale
    away.
    """
    ask = rows.database.execute
    ask("CREATE TABLE kept AS SELECT * FROM placed")
    if chosen.withdraws:
        rows.withdraw()
    rows.name()
    placeholders = ask(
        f"SELECT count(*) FROM kept WHERE unit IN ({rows.NAMELESS}) AND trim(unit,"
        f" {literal(BLANKS)}) <> ''"
    ).fetchall()[0][0]
    for reason, count in (
        ("no unit", rows.nameless("kept")),
        ("withdrawn", rows.withdrawn("kept")),
    ):
        if count:
            left_out[reason] = left_out.get(reason, 0) + count
    ask(
        "CREATE TABLE per AS SELECT unit, count(*) AS n, sum(weight) AS weight FROM rows GROUP BY"
        " unit"
    )
    units, median, high, higher, most = ask(
        "SELECT count(*), quantile_disc(n, 0.5), quantile_disc(n, 0.9), quantile_disc(n, 0.99),"
        " max(n) FROM per"
    ).fetchall()[0]
    cut = ", ".join(f"1 - sum(least(weight, {cap * shares})) / sum(weight)" for cap in CAPS)
    lost = ask(f"SELECT {cut} FROM per").fetchall()[0] if units else [0.0] * len(CAPS)
    bins = [(low, high_) for low, high_ in zip(BINS, (*BINS[1:], 1 << 62), strict=True)]
    tall = ask(
        f"SELECT {', '.join(f'count(*) FILTER (n >= {low} AND n < {top})' for low, top in bins)}"
        " FROM per"
    ).fetchall()[0]
    names = [
        f"{low}" if top == low + 1 else f"{low}-{top - 1}" if top < 1 << 62 else f"{low}+"
        for low, top in bins
    ]
    ((lists,),) = ask(
        "SELECT count(*) FROM kept WHERE regexp_matches(unit, '[^;|&][;|]|[^;|&] & ')"
    ).fetchall()
    return {
        "units": int(units),
        "lists": int(lists) if chosen.team == "none" else 0,
        "placeholders": int(placeholders),
        "rows_per_unit": {
            "median": median or 0,
            "90th": high or 0,
            "99th": higher or 0,
            "max": most or 0,
        },
        "histogram": dict(zip(names, map(int, tall), strict=True)),
        "scaled_away": {cap: max(0.0, float(share)) for cap, share in zip(CAPS, lost, strict=True)},
    }


def _limits(rows: RowTable, limits: Limits) -> dict[str, int]:
    """Counts the units of each level, those too low to count first."""
    names = ["too low to count", *map(decimal_text, limits.levels)]
    rows_by_level = rows.database.execute(
        "SELECT level, count(*) FROM (SELECT min(level) AS level FROM rows GROUP BY unit) GROUP BY"
        " level"
    ).fetchall()
    return {name: dict(rows_by_level).get(level, 0) for level, name in enumerate(names)}


def _repeated(rows: RowTable) -> int:
    """Counts usable rows that repeat another's unit and exact place."""
    table = (
        "kept"
        if rows.database.execute(
            "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'kept'"
        ).fetchall()[0][0]
        else "placed"
    )
    repeated = rows.database.execute(
        f"SELECT count(*) - count(DISTINCT (unit, spot)) FROM {table}"
    ).fetchall()[0][0]
    return int(repeated)


def _uncertainty(rows: RowTable, metres: float | None) -> dict[str, float]:
    """Says how certain places are, in metres, and the share less certain than the cells, or than
    some lengths where none are known.
    """
    wide = (
        {name: least for name, (least, _) in LENGTHS.items()}
        if metres is None
        else {"above_cell_share": metres}
    )
    shares = ", ".join(f"count(*) FILTER (accuracy > {least!r})" for least in wide.values())
    known, every, median, high, *above = rows.database.execute(
        "SELECT count(accuracy), count(*), quantile_disc(accuracy, 0.5), quantile_disc(accuracy,"
        f" 0.9), {shares} FROM looked WHERE cell >= 0 AND reason IS NULL"
    ).fetchall()[0]
    if not known:
        return {}
    facts = {"known_share": known / every, "median_m": float(median), "90th_m": float(high)}
    return {**facts, **{name: count / every for name, count in zip(wide, above, strict=True)}}


def _advice(
    survey: Survey, left_out: dict[str, int], every: int, unit: str | None, lists: int
) -> list[str]:
    """Says what to do about what was seen."""
    lines = []
    if unit is None:
        lines.append(
            "no unit of protection is known: add --unit COLUMN, or --unit row to protect single"
            " rows only"
        )
    named = [place for place in survey.roles.ways if place.x]
    if flags := degrees_alone(survey.columns, named):
        lines.append(
            f"degrees are read alone, and parts of coordinates stand beside them: {flags} reads"
            " them together"
        )
    if left_out.get(WHY[IMPOSSIBLE], 0) > every / 2:
        lines.append(
            "most coordinates are impossible: they may be swapped (--swap) or in another CRS"
            " (--crs)"
        )
    if left_out.get(WHY[OUTSIDE], 0) > every / 2:
        lines.append(
            "most rows lie outside the area: check --area, and what the coordinates are in (--crs)"
        )
    if "no consent" in left_out and every == sum(left_out.values()):
        lines.append("no row is left: check the words of --consent")
    if every and left_out.get("no unit", 0) > every / 2:
        lines.append(
            "most rows name nobody: another column may (--unit), or each may be its own"
            " (--missing-unit own-unit)"
        )
    if lists and unit != survey.roles.atomic:
        lines.append(
            f"{_rows(lists)} may name several people in one text, which is one unit as it stands:"
            " --team auto counts such a row once for each of them (between them ; or |, others as"
            " in --team '; & and')"
        )
    if survey.roles.reading.signals == "all" and "obscured" in left_out:
        lines.append(
            "obscured places count where cells are as wide as their squares: try larger cells"
        )
    return lines


def _uncertain(survey: Survey, certain: dict[str, float], metres: float | None) -> list[str]:
    """Says what to do about places that are less certain than a cell."""
    if survey.roles.reading.max_uncertainty:
        return []
    if not certain:
        named = [
            f"--uncertainty {shell(column)}"
            for column in uncertainties(survey.columns)
            if not survey.roles.accuracies
        ]
        return (
            [
                (
                    f"if {' or '.join(named)} names how certain places are, in metres, add it, and"
                    " --max-uncertainty"
                )
            ]
            if named
            else []
        )
    column = ", ".join(survey.roles.accuracies) or "of their own"
    if metres is None:
        what = (
            "--cell tells how many are less certain than your cells, and --max-uncertainty with"
            " their size leaves those out"
        )
        return [f"places say how certain they are (column {column}): {what}"]
    if not certain["above_cell_share"]:
        return []
    advice = (
        f"{certain['above_cell_share']:.0%} of points are less certain than your cells (column"
        f" {column})"
    )
    return [f"{advice}: --max-uncertainty '{length(metres)}' leaves them out, or take larger cells"]


def _rows(count: int) -> str:
    """Writes a number of rows in words."""
    return "1 usable row" if count == 1 else f"{count:,} usable rows"


def page(inspection: Inspection, title: str) -> str:
    """Returns one small HTML page with the same numbers and bars; it loads nothing from
    anywhere.
    """
    sizes = {
        f"{size} row{'s' if size != '1' else ''}": count
        for size, count in inspection.histogram.items()
    }
    caps = {f"cap {cap}": share for cap, share in inspection.scaled_away.items()}
    plots = {
        "Rows left out": _bars(inspection.left_out, "{:,.0f}"),
        "How many units have so many rows": _bars(sizes, "{:,.0f}"),
        "Share of points that a cap would scale away": _bars(caps, "{:.1%}", 1.0),
    }
    return fill_page(__package__, "inspect.html", found=inspection, title=title, plots=plots)


def _bars(
    values: "dict[str, int] | dict[str, float]", form: str, most: float | None = None
) -> list[tuple[str, float, str]]:
    """Returns each bar's name, width and number in words."""
    top = most or max([*values.values(), 1])
    return [(name, 400 * value / top, form.format(value)) for name, value in values.items()]
