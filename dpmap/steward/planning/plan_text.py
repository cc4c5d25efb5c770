"""Lays a plan out in lines for a terminal."""

from collections.abc import Sequence

from dpmap import style
from dpmap.statement.phrases import official_words
from dpmap.steward.planning.plan_passages import fill_passages
from dpmap.steward.planning.plan_tables import (
    by_cell,
    noise_rows,
    option_words,
    percent_words,
    promise_table,
    readers_table,
)
from dpmap.steward.planning.results import Figures, ZoneGoal

NAME_WIDTH = 60
OPTION_WIDTH = 19


def summary(plan: Figures) -> str:
    """Return the plan in lines for a terminal."""
    passages = fill_passages(plan)
    official = official_words(plan.grid)
    lands, ranges = promise_table(plan)
    parts = [
        "\n".join([passages["title"], *passages["brief"].split("\n\n")]),
        passages["basis"],
        official,
        plan.advice,
        passages["goals"],
        _zone_table(plan),
        plan.years.words if plan.years and plan.years.allows_release else "",
        _table(passages["promise_head"], lands, ranges),
        passages["promise"],
        _table(passages["readers_head"], *readers_table(plan)) if plan.readers else "",
        passages["readers"],
        "\n".join([passages["noise_head"], *_noise_lines(plan)]),
        passages["noise"],
        passages["survey_cost"],
        "\n".join([passages["options_head"], *_option_lines(plan)]),
        "\n".join(_expected_lines(plan)),
        passages["rehearsed"],
        plan.other_noise,
    ]
    return "\n\n".join(part for part in parts if part)


def _table(title: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a table with names on the left, its columns as wide as the longest of their words."""
    width = max(len(words) for words in (*heads, *(cell for _, row in rows for cell in row))) + 2
    lines = [f"{title:<{NAME_WIDTH}}" + "".join(f"{head:>{width}}" for head in heads)]
    for name, row in rows:
        cells = "".join(f"{cell:>{width}}" for cell in row)
        lines.append(f"  {name:<{NAME_WIDTH - 2}}{cells}")
    return "\n".join(lines)


def _zone_table(plan: Figures) -> str:
    """Return what is expected in each zone that was asked for; empty where none was."""
    if not plan.zones:
        return ""
    head = f"{'zone':<{NAME_WIDTH}}{'expected':>12}{'90 % within':>14}{'of expected':>14}"
    return "\n".join([head, *map(_zone_line, plan.zones)])


def _zone_line(zone: ZoneGoal) -> str:
    share = "-" if zone.share is None else percent_words(zone.share)
    width = "-"
    if zone.half_width is not None:
        width = f"\N{PLUS-MINUS SIGN}{style.number(zone.half_width)}"
    expected = style.number(zone.expected)
    line = f"  {zone.name:<{NAME_WIDTH - 2}}{expected:>12}{width:>14}{share:>14}"
    return line + ("" if zone.kept else "  not kept")


def _noise_lines(plan: Figures) -> list[str]:
    return [f"  {words:>18}  {name}" for name, words in noise_rows(plan)]


def _option_lines(plan: Figures) -> list[str]:
    """Return the table of cell sizes and epsilons, the recommended entry with a star."""
    rows = by_cell(plan.options)
    epsilons = [option.epsilon for option in next(iter(rows.values()))]
    lines = [f"  {'epsilon':>24}" + "".join(f"{epsilon:>{OPTION_WIDTH}}" for epsilon in epsilons)]
    for cell, options in rows.items():
        words = (f"{option_words(option)}{'*' if option.chosen else ' '}" for option in options)
        lines.append(f"  {cell:>24}" + "".join(f"{word:>{OPTION_WIDTH}}" for word in words))
    return lines


def _expected_lines(plan: Figures) -> list[str]:
    """Return the table of the errors that were rehearsed."""
    head = (
        f"  {'expected on':<22}{'strategy':<12}{'error a cell':>14}{'90 % within':>14}"
        f"{'overlap':>10}"
    )
    return [
        head,
        *(
            f"  {row.shape:<22}{row.strategy:<12}{style.number(row.cell_error):>14}"
            f"{style.number(row.cell_within):>14}{percent_words(row.overlap):>10}"
            for row in plan.expected
        ),
    ]
