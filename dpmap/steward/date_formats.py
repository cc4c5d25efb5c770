"""Shows the operator how the dates of a survey are written, and suggests what to declare; true
numbers, never in a release.

`inspect` and `init` look at whole columns; a release reads each date by itself, as it was declared.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable
from dpmap.survey import Survey, dates
from dpmap.survey.columns import Header
from dpmap.survey.row_sql import Selection, selection
from dpmap.survey.sources import printable_name, quote_column

_WORDS = (
    "date|datum|fecha|data|timestamp|datetime|horodatage|zeitstempel|dato|päivämäärä|pvm|tarih|"
    "дата|日付|日期|when|seen|today|observed|recorded|collected"
)
_NAME = re.compile(
    rf"(.*[_ .-])?({_WORDS})([_"
    r" .-].*)?|(event|start|end|obs|observation|survey|visit|collection|sighting|creation|"
    r"edit)dat(e|um)|\w+_(on|at|time)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    "(.*[_ .-])?(data|date)[_ .-](source|set|type|provider|quality|publisher|id|by).*",
    re.IGNORECASE,
)
Seen = Counter[tuple[tuple[str, ...], bool]]
"""How many cells are read by which forms, and whether as different days."""
MOST = 8
"""Columns that are looked at, at most."""
RARE = 0.01
OFTEN = 0.05
"""A form that reads a smaller share of the filled cells is not offered; nor, where forms read days
differently, is one that cannot read a larger share of these cells.
"""


@dataclass(frozen=True, slots=True)
class Spelt:
    """Counts the filled cells of a column by the forms that read them, and whether two of these
    read different days.

    `unread` are those that the declared forms do not read.
    """

    seen: Seen
    unread: int

    @property
    def numbers(self) -> dict[str, int]:
        """How many cells are filled in, each form reads, two forms read differently, and the
        declared forms do not read.
        """
        each = {form: _count_read(self.seen, {form}) for form in dates.FORMS}
        counts = {
            "filled in": self.seen.total(),
            **{form: count for form, count in each.items() if count},
        }
        return counts | {
            "two ways": sum(count for (_, differ), count in self.seen.items() if differ),
            "unread": self.unread,
        }


def date_like(survey: Survey, *kind: str) -> tuple[str, ...]:
    """Returns the columns that may hold dates: those that are told, the format's own, and those
    that are called like it.
    """
    header = survey.header
    roles = survey.roles
    known = (header.known(one) for one in (*kind, roles.dated or ""))
    like = (
        column
        for column in survey.columns
        if _NAME.fullmatch(_words(column)) and not _OTHERWISE.fullmatch(_words(column))
    )
    return tuple(dict.fromkeys(one for one in (*known, *like) if one is not None))[:MOST]


def _words(name: str) -> str:
    """Writes `eventDate` as `event_Date`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip())


def also(chosen: Selection, header: Header, columns: tuple[str, ...]) -> Selection:
    """Returns the selection that can be asked about these columns too; a part of several that
    lacks one has nothing there.
    """
    if header.parts:
        each = zip(chosen.parts, header.parts, strict=True)
        return replace(
            chosen, parts=tuple(also(columns_read, part, columns) for columns_read, part in each)
        )
    declared = [header.require(column, flag="--unit") for column in columns]
    every = tuple(dict.fromkeys([*chosen.columns, *declared]))
    return replace(chosen, columns=every, lacking=header.lacking(every))


def spelt(rows: RowTable, columns: tuple[str, ...]) -> dict[str, Spelt]:
    """Counts how each of the columns is written; one of which no form reads anything is left
    out.
    """
    spellings = {
        column: _together([_spelt(part, column) for part in rows.parts or [rows]])
        for column in columns
    }
    return {column: one for column, one in spellings.items() if any(forms for forms, _ in one.seen)}


def _together(parts: list[Spelt]) -> Spelt:
    """Adds up what was counted in each part of a survey."""
    return Spelt(sum((part.seen for part in parts), Seen()), sum(part.unread for part in parts))


def _spelt(rows: RowTable, column: str) -> Spelt:
    """Reads every text of a column in every form."""
    forms = tuple(dates.FORMS)
    text = f"CAST({quote_column(column)} AS VARCHAR)"
    each = ", ".join(f"{dates.alone('told', form)} AS {form}" for form in forms)
    with rows.relation() as relation:
        texts = (
            f"SELECT {text} AS told, count(*) AS many FROM {relation} WHERE trim({text}) <> ''"
            " GROUP BY ALL"
        )
        read = (
            f"SELECT many, {dates.reckon_sql('told', rows.chosen.roles.reading.forms)} IS NULL AS"
            f" lost, {each} FROM ({texts})"
        )
        names = ", ".join(f"CASE WHEN {form} IS NOT NULL THEN '{form}' END" for form in forms)
        counts = rows.database.execute(
            f"SELECT concat_ws(',', {names}), len(list_distinct([{', '.join(forms)}])) > 1, lost,"
            f" CAST(sum(many) AS BIGINT) FROM ({read}) GROUP BY ALL"
        ).fetchall()
    seen = Seen()
    for named, differ, _, count in counts:
        seen[tuple(named.split(",")) if named else (), differ] += count
    return Spelt(seen, sum(count for _, _, lost, count in counts if lost))


def look_at_dates(survey: Survey, *dates: str) -> dict[str, Spelt]:
    """Looks at a survey's columns of dates, for the operator."""
    columns = date_like(survey, *dates)
    if not columns:
        return {}
    chosen = also(selection(survey.header, None, None, None), survey.header, columns)

    def asked(database: Any) -> dict[str, Spelt]:
        with survey.held() as held:
            return spelt(RowTable(database, held, chosen), columns)

    spellings: dict[str, Spelt] = DuckDB().answered(asked)
    return spellings


def best(spellings: dict[str, Spelt]) -> tuple[tuple[str, ...], ...]:
    """Returns the forms that read most of these columns, in the order to declare; several answers
    where day and month (or year) may be meant either way and the texts do not say which; none where
    nothing is read.
    """
    seen = sum((spelling.seen for spelling in spellings.values()), Seen())
    rivals = {form for forms, differ in seen if differ for form in forms}
    about = _count_read(seen, rivals)
    lost = {form: about - _count_read(seen, {form}) for form in dates.FORMS if form in rivals}
    likely = [form for form in lost if lost[form] <= OFTEN * about] or list(lost)
    answers = [_greedy(seen, rivals - {likely_form}, likely_form) for likely_form in likely or [""]]
    return tuple(answer for answer in dict.fromkeys(answers) if answer)


def _greedy(seen: Seen, without: set[str], first: str) -> tuple[str, ...]:
    """Returns the forms that each read most of what those before them leave, as long as that is
    not rare.
    """
    order = sorted(
        (form for form in dates.FORMS if form not in without),
        key=lambda form: (form != first, form != "iso"),
    )
    forms = list[str]()
    left = seen
    while order:
        most = max(order, key=lambda form: _count_read(left, {form}))
        if not _count_read(left, {most}) or _count_read(left, {most}) < RARE * seen.total():
            break
        forms.append(most)
        order.remove(most)
        left = Counter({cell: count for cell, count in left.items() if most not in cell[0]})
    return tuple(forms)


def _count_read(seen: Seen, any_of: set[str]) -> int:
    """Counts the cells that any of these forms reads."""
    return sum(count for (forms, _), count in seen.items() if any_of & {*forms})


def lines(numbers_by_column: dict[str, dict[str, int]]) -> list[tuple[str, str]]:
    """Writes the numbers of each column in words."""
    rows = []
    for column, numbers in numbers_by_column.items():
        filled = numbers["filled in"]
        rows.append((printable_name(column), f"{filled:,} rows filled in"))
        rows += [
            (f"  {form}", _share(count, filled))
            for form, count in numbers.items()
            if form in dates.FORMS
        ]
        if numbers["two ways"]:
            rows.append(
                (
                    "  two ways",
                    f"{_share(numbers['two ways'], filled)}: two forms read another date",
                )
            )
        rows.append(
            (
                "  not read",
                f"{_share(numbers['unread'], filled)} as declared (--dates; iso if it is not said)",
            )
        )
    return rows


def _share(count: int, of: int) -> str:
    return f"{count:,}  ({count / of:.1%})"


def better_forms(spellings: dict[str, Spelt], declared: tuple[str, ...]) -> list[str]:
    """Returns the forms to declare, where those that are declared leave out dates that others
    read; several answers where the texts do not say which.
    """
    answers = best(spellings)
    if declared in answers or not any(
        spelling.unread > RARE * spelling.seen.total() for spelling in spellings.values()
    ):
        return []
    return [",".join(answer) for answer in answers]


def advice(spellings: dict[str, Spelt], forms: list[str]) -> list[str]:
    """Says which forms to declare, if any."""
    if not forms:
        return []
    ways = " or ".join(f"--dates {answer}" for answer in forms)
    unsure = (
        "; days and months cannot be told apart by the texts: ask whoever wrote them"
        if len(forms) > 1
        else ""
    )
    return [f"dates of {', '.join(map(printable_name, spellings))} are read by {ways}{unsure}"]


def dates_to_declare(survey: Survey, *forms: str) -> tuple[dict[str, str], list[str]]:
    """Returns what `init` declares of the dates, or comments that leave the choice to the
    steward; neither holds a number.
    """
    answers = [",".join(answer) for answer in best(look_at_dates(survey, *forms))]
    if answers == [",".join(dates.ISO)]:
        return {}, []  # as they are read where nothing is declared
    if len(answers) == 1:
        return {"dates": answers[0]}, []
    ways = " or ".join(f'"{answer}"' for answer in answers)
    return {}, (
        [f"# dates = {ways}: the texts do not tell which; ask whoever wrote them"]
        if answers
        else []
    )
