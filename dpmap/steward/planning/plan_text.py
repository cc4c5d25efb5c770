"""Says what a plan says, in words and tables: for the terminal, and for the page and picture
that show the same.
"""

import math

from dpmap import style
from dpmap.numbers import decimal_text
from dpmap.statement.phrases import (
    SURVEY_CHANCE,
    counted,
    listed,
    official_words,
    share_words,
    survey_words,
)
from dpmap.steward.planning.predicted_map import MOST_CELLS as STAND_IN
from dpmap.steward.planning.results import (
    ANY,
    LANDS,
    ZONE_KM2,
    CellSizeOption,
    Expected,
    Figures,
    Preview,
    Promised,
    ZoneGoal,
)

PROMISE_HEAD = "What the map will show"
READERS_HEAD = "What each tier's map will show (epsilon)"
NOISE_HEAD = (
    "What the noise does where every cell is measured by itself with all of epsilon, as --strategy"
    " flat does"
)
NAMES, OPTION = 60, 19
"""How wide names and options are on a terminal."""
KM2 = "km\N{SUPERSCRIPT TWO}"


def summary(plan: Figures) -> str:
    """Returns the plan in lines for a terminal."""
    rows = by_cell(plan.options)
    heads = [option.epsilon for option in next(iter(rows.values()))]
    lands, promised = promise_table(plan)
    wide = max(len(words) for _, told in promised for words in (*lands, *told)) + 2
    lines = [
        title_words(plan),
        *brief_lines(plan),
        "",
        basis_words(plan),
        *(["", official_words(plan.grid)] if official_words(plan.grid) else []),
        "",
        plan.advice,
        "",
        *_asked_lines(plan),
        f"{PROMISE_HEAD + about_words(plan):<{NAMES}}"
        + "".join(f"{land:>{wide}}" for land in lands),
    ]
    lines += [
        f"  {name:<{NAMES - 2}}" + "".join(f"{words:>{wide}}" for words in told)
        for name, told in promised
    ]
    lines += ["", promise_words(plan), *_readers_lines(plan), "", noise_head(plan)]
    lines += [
        *(f"  {told:>18}  {name}" for name, told in noise_rows(plan)),
        "",
        noise_words(plan),
        "",
        survey_cost_words(plan),
        "",
    ]
    lines += [
        (
            f"share of all points seen cell by cell{about_words(plan)}, by size of the cells and"
            f" epsilon. {reading_words(plan)}"
        ),
        f"  {'epsilon':>24}" + "".join(f"{head:>{OPTION}}" for head in heads),
    ]
    for cell, options in rows.items():
        told = (f"{option_words(o)}{'*' if o.chosen else ' '}" for o in options)
        lines.append(f"  {cell:>24}" + "".join(f"{words:>{OPTION}}" for words in told))
    lines += [
        "",
        (
            f"  {'expected on':<22}{'strategy':<12}{'error a cell':>14}{'90 % within':>14}"
            f"{'overlap':>10}"
        ),
    ]
    lines += [
        (
            f"  {row.shape:<22}{row.strategy:<12}{style.number(row.cell_error):>14}"
            f"{style.number(row.cell_within):>14}{percent_words(row.overlap):>10}"
        )
        for row in plan.expected
    ]
    lines += ["", rehearsed_words(plan)]
    return "\n".join([*lines, *(["", plan.other_noise] if plan.other_noise else [])])


def brief_lines(plan: Figures) -> list[str]:
    """Says in three sentences what is planned, what the map will tell, and what to do next."""
    cells, found = (
        plan.cells_named,
        {one.figure: one for one in plan.promise if one.land == plan.promise[0].land},
    )
    about = plan.promise[0].land not in LANDS
    places, size = (
        _ranged(found[what], unit, about=about)
        for what, unit in (("places", ""), ("place_km2", f" {KM2}"))
    )
    many = "" if cells[0].isdigit() else f"{plan.grid.cells_inside:,} "
    whose = f"The map for {plan.readers[0].tier}, the noisiest," if plan.readers else "It"
    epsilon = "the same tiers" if plan.readers else f"--epsilon {decimal_text(plan.policy.epsilon)}"
    return [
        f"This plans a map of {many}{cells}; nothing is spent, and no survey was read.",
        (
            f"{whose} will tell the colour of {places} {'place' if places == '1' else 'places'}"
            " (cells joined until that can be told); half of the points lie in places no larger"
            f" than {size}, depending on how they lie."
        ),
        (
            f"If that is enough, type dpmap release with the same cells and cap and {epsilon}; if"
            " not, take more epsilon, a lower cap or larger cells."
        ),
    ]


def goals_line(plan: Figures) -> str:
    """Says in one line which errors were asked for, whether each is kept, and which of them set
    epsilon; empty if none was.
    """
    if not plan.goals:
        return ""
    setting = [NAMED[goal.what] for goal in plan.goals if goal.sets_epsilon]
    found = (
        f" Epsilon {decimal_text(plan.policy.epsilon)} is the least that keeps"
        f" {'it' if len(plan.goals) == 1 else 'all'}"
    )
    by = f"{found}, set by {' and '.join(setting)}." if setting else ""
    return f"Asked for. {' '.join(goal.words for goal in plan.goals)}{by}"


NAMED = {"error": "--error", "tail": "--tail", "detect": "--detect", "zones": "--zones"}


def _asked_lines(plan: Figures) -> list[str]:
    """Returns the errors asked for, each zone, and what the budget leaves, in lines for a
    terminal.
    """
    lines = [goals_line(plan), ""] if plan.goals else []
    if plan.zones:
        lines += [f"{'zone':<{NAMES}}{'expected':>12}{'90 % within':>14}{'of expected':>14}"]
        lines += [_zone_line(zone) for zone in plan.zones]
        lines += [""]
    return lines + ([plan.years.words, ""] if plan.years else [])


def _zone_line(zone: ZoneGoal) -> str:
    share = "-" if zone.share is None else percent_words(zone.share)
    wide = "-" if zone.half_width is None else f"\N{PLUS-MINUS SIGN}{style.number(zone.half_width)}"
    told = f"  {zone.name:<{NAMES - 2}}{style.number(zone.expected):>12}{wide:>14}{share:>14}"
    return told + ("" if zone.kept else "  not kept")


def title_words(plan: Figures) -> str:
    """Names the plan: its cells, epsilon and cap."""
    told = plan.cells_named
    cells = (
        f"{plan.grid.cells_inside:,} {told}"
        if told.startswith("cells")
        else f"{plan.grid.cells_inside:,} cells, {told}"
    )
    delta = "" if plan.policy.delta is None else f", delta {decimal_text(plan.policy.delta)}"
    loss = f"epsilon {decimal_text(plan.policy.epsilon)}"
    if plan.readers:
        tiers = ", ".join(f"{one.tier} {one.epsilon}" for one in plan.readers)
        loss = f"costs epsilon {plan.readers[-1].epsilon}, once, for tiers {tiers}"
    return f"Plan: {cells}, {loss}{delta}, {_cap(plan)}"


def about_words(plan: Figures) -> str:
    """Returns for a table's heading whose map it is about, where there are several."""
    return f" ({plan.readers[0].tier}, the noisiest tier)" if plan.readers else ""


def _cap(plan: Figures) -> str:
    choice = plan.policy.cap_choice
    return (
        f"cap {plan.policy.cap}"
        if choice is None
        else f"cap chosen privately, at most {plan.policy.cap}"
    )


def basis_words(plan: Figures) -> str:
    """Says on what the plan rests: what was assumed, and that no survey was read."""
    said = (
        f"No survey was read. Assumed: {plan.units:,} units of protection ({plan.policy.unit}) with"
        f" {counted(f'{plan.each:g}', 'point')} each after the cap, a public guess."
    )
    if plan.policy.cap_choice is not None:
        said += (
            f" {decimal_text(plan.policy.choosing)} of epsilon goes to choosing the cap; all"
            f" numbers are for the largest it may become, {plan.policy.cap}."
        )
    return said


def promise_table(plan: Figures) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Returns the kinds of land that ranges are promised for, and for each figure its name and
    its ranges in words.
    """
    lands = list(dict.fromkeys(one.land for one in plan.promise))
    rows = []
    for figure, (name, unit) in FIGURES.items():
        found = {one.land: one for one in plan.promise if one.figure == figure}
        rows.append((name, [_ranged(found[land], unit, about=land not in LANDS) for land in lands]))
    return lands, rows


FIGURES = {
    "places": ("places of which the colour is told", ""),
    "place_km2": ("half of the points in places of at most", f" {KM2}"),
    "within": ("half in places whose total is known within \N{PLUS-MINUS SIGN}", " %"),
    "single": ("points in places of one cell", " %"),
    "own_from": ("a cell is a place by itself, its colour told, from", " points"),
    "told": ("points in land whose colour is told", " %"),
    "cleared": ("empty land surely below what is told from noise", " %"),
}


def readers_table(plan: Figures) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Returns the tiers, and for each figure its name and what it is on each tier's map, in
    words.
    """
    rows = [
        (
            name,
            [
                _ranged(one, unit, about=one.land not in LANDS)
                for reader in plan.readers
                for one in reader.promise
                if one.figure == figure
            ],
        )
        for figure, (name, unit) in FIGURES.items()
    ]
    alone = [
        f"\N{PLUS-MINUS SIGN}{style.number(reader.half_width)} points" for reader in plan.readers
    ]
    return [f"{reader.tier} ({reader.epsilon})" for reader in plan.readers], [
        *rows,
        ("90 % interval of a cell measured by itself", alone),
    ]


def _readers_lines(plan: Figures) -> list[str]:
    """Returns the tiers' table in lines for a terminal; none where the map is for one reader."""
    if not plan.readers:
        return []
    names, rows = readers_table(plan)
    wide = max(len(words) for words in (*names, *(words for _, told in rows for words in told))) + 2
    lines = ["", f"{READERS_HEAD:<{NAMES}}" + "".join(f"{name:>{wide}}" for name in names)]
    lines += [
        f"  {name:<{NAMES - 2}}" + "".join(f"{words:>{wide}}" for words in told)
        for name, told in rows
    ]
    return [*lines, "", readers_words(plan)]


def readers_words(plan: Figures) -> str:
    """Says what the tiers' maps have in common and in what they differ."""
    if not plan.readers:
        return ""
    noisiest, *finer = plan.readers
    less = [
        f"{_whose(one.tier)} noise is {style.number(noisiest.half_width / one.half_width)} times"
        f" smaller than {_whose(noisiest.tier)}"
        for one in finer
    ]
    return (
        f"All tiers are made from one draw, which costs epsilon {finer[-1].epsilon}, once. Whoever"
        f" holds several can learn no more than the finest of them tells. {'; '.join(less)}. All"
        f" maps have the same regions, which {noisiest.tier} settles: where many regions are large,"
        " a finer map is coarser than one of its own would be. All other tables of this plan are"
        f" about {noisiest.tier}."
    )


def _whose(name: str) -> str:
    """Returns the name as an owner's."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _ranged(one: Promised, unit: str, *, about: bool) -> str:
    """Returns a range in words."""
    if one.low is None:
        return "none is empty" if one.figure == "cleared" else "no cell is"
    times = 100 if unit == " %" else 1
    least = 1.0 if one.figure == "places" else 0.0
    low = _rounded(one.low * times, least, up=False)
    high = None if one.high is None else _rounded(one.high * times, least, up=True)
    if one.figure == "within" and one.low < SMALL and high is not None and not about:
        return f"{high}{unit} or less"
    words = (
        f"{low}{unit} or more"
        if high is None
        else f"{low}{unit}"
        if low == high
        else f"{low} to {high}{unit}"
    )
    if not about or one.middle is None or low == high:
        return words
    return f"about {style.number(float(f'{one.middle * times:.2g}'))}{unit} ({words})"


SMALL = 0.05
"""Whoever's intervals are narrower than this share need not know how much."""


def _rounded(value: float, least: float, *, up: bool) -> str:
    """Rounds a bound outwards, to two figures, in steps of `least` at least."""
    if value == 0:
        return "0"
    step = max(10.0 ** (math.floor(math.log10(value)) - 1), least)
    return f"{(math.ceil if up else math.floor)(round(value / step, 6)) * step:,.12g}"


def promise_words(plan: Figures) -> str:
    """Explains what the table of promises says."""
    words = (
        "The picture shows places: cells joined until the colour of each can be told, by a 90 %"
        " interval of its density that reaches from one value to four times that (to sixteen, where"
        " a place stands apart from all around it), or lies below half of the mean. Places below an"
        " eighth of the mean are nearly empty and not counted here. For its colour to be told by"
        " itself a cell needs more points than to be told from none. "
    )
    if any(one.land in LANDS for one in plan.promise):
        words += (
            f"Each range is that of {len(plan.shown)} invented shapes of land, one rehearsal of"
            " each with the true noise, and somewhat more: nine maps in ten of any other land"
            " should lie in the first column. If you can say how the points lie, read further:"
            " half of them fill less than 1 % of the ground (gathered), up to 5 % (uneven), or"
            " more (even)."
        )
        if plan.grid.cells_inside > STAND_IN:
            words += (
                f" Rehearsed on a square of {STAND_IN:,} such cells, with as many points to a cell."
            )
        return f"{words} {cleared_words(plan)}".rstrip()
    words += (
        f"{len(plan.shown)} rehearsals with the true noise on {plan.shown[0].shape}: half of them"
        " reach what is said first, all lie in the range behind it. It holds if the points lie as"
        " the raster has them."
    )
    return f"{words} {cleared_words(plan)}".rstrip()


def cleared_words(plan: Figures) -> str:
    """Says how much empty land a planner can expect to be cleared; empty where none is."""
    cleared = next(one for one in plan.promise if one.figure == "cleared")
    if cleared.middle is None:
        return ""
    loss = decimal_text(plan.policy.epsilon)
    share = f"about {percent_words(cleared.middle)}" if cleared.middle >= 0.005 else "none"
    half = (
        "in the middle one of all shapes" if cleared.land in LANDS else "in half of the rehearsals"
    )
    return (
        f"At epsilon {loss} {share} of empty land will be cleared {half}: told to hold surely less"
        f" than the {style.number(plan.noise.detectable)} points a cell that can be told from"
        " noise."
    )


def options_words(plan: Figures) -> str:
    """Explains the table of cell sizes and epsilons."""
    alike = ", ".join(ALIKE) if plan.options[0].lands else ""
    return (
        "About what share of all points would be seen cell by cell, in places of one cell; the"
        " others are seen in places of several. "
        + (
            f"In the middle one of all shapes, and in brackets of those whose points lie {alike}. "
            if alike
            else ""
        )
        + "A finer cell shows more single places and fewer of the points in them; a larger epsilon"
        " shows more and protects less. The column of your epsilon is"
        f" {decimal_text(plan.policy.epsilon)}."
    )


def lands_words(plan: Figures) -> str:
    """Returns what the brackets of the table of options hold."""
    return f": the middle one of all shapes ({', '.join(ALIKE)})" if plan.options[0].lands else ""


def reading_words(plan: Figures) -> str:
    """Explains one entry of the table of options, the recommended one if there is one, on a
    terminal.
    """
    option = next((one for one in plan.options if one.chosen), plan.options[0])
    star = "*" if option.chosen else ""
    told = f"Read {option_words(option)}{star} so: {percent_words(option.single)}"
    if option.lands:
        told += (
            " in the middle one of all shapes; in brackets that of shapes whose points lie"
            f" {ALIKE[0]}, {ALIKE[1]} and {ALIKE[2]}"
        )
        told += (
            "" if len(option.lands) == len(ALIKE) else " (\N{EN DASH}: no shape does in such cells)"
        )
    return told + ("; * is recommended." if star else ".")


def option_words(option: CellSizeOption) -> str:
    """Returns the share in the middle one of all shapes, and of those that lie alike."""
    found = (
        f"{100 * option.lands[land]:.0f}" if land in option.lands else "\N{EN DASH}"
        for land in ALIKE
    )
    return percent_words(option.single) + (f" ({', '.join(found)})" if option.lands else "")


ALIKE = [land for land in LANDS if land != ANY]


def expected_words(plan: Figures) -> str:
    """Explains the expected errors, and how often they were rehearsed, beside pictures."""
    return f"{rehearsed_words(plan)} Small maps: darker is more."


def rehearsed_words(plan: Figures) -> str:
    """Explains the expected errors, and how often they were rehearsed."""
    runs = min(row.rehearsals for row in plan.expected)
    return (
        f"Averages of {runs} or more rehearsals with the true noise on public numbers. Overlap: the"
        " share of the map that lies where it should. The cap's own effect on heavy contributors"
        " is not in these numbers."
    )


def noise_head(plan: Figures) -> str:
    """Heads the table of the noise: whose it is, and how much more it is in single cells of the
    default strategy.
    """
    there = (
        ""
        if plan.adaptive_times == 1
        else f" (adaptive, the default: up to {_times(plan)} times as much)"
    )
    return f"{NOISE_HEAD}{there}{about_words(plan)}"


def _times(plan: Figures) -> str:
    """Returns the factor, rounded up to two digits behind the point."""
    return f"{math.ceil(round(plan.adaptive_times * 100, 6)) / 100:g}"


def noise_words(plan: Figures) -> str:
    """Says for which maps the noise of single cells counts."""
    if plan.policy.delta is not None:
        return "Gaussian noise is for --strategy flat, in which every cell is measured like that."
    if plan.adaptive_times == 1:
        return "With so few cells the default strategy, adaptive, measures like that too."
    return (
        "The strategy flat measures like that. The default, adaptive, spends part of epsilon on"
        " larger regions: the rehearsals below show on which land its maps are nearer the truth."
        f" The bounds of its single cells are up to {_times(plan)} times as wide as those of flat."
        " So its picture joins cells to places, whose intervals are above."
    )


def survey_cost_words(plan: Figures) -> str:
    """Says what the noise costs, as the share of the observers without whom a survey would be as
    good.
    """
    said = survey_words(
        plan.grid, lambda cells, points: plan.noise.variance(cells)
    )  # no points change it
    if plan.adaptive_times > 1:
        least = listed(
            [f"{share_words(row.adaptive)} ({row.points:,} points)" for row in plan.survey_shares]
        )
        said += f" With adaptive it is no less than about {least}."
    return f"{said} {SURVEY_CHANCE}"


def noise_rows(plan: Figures) -> list[tuple[str, str]]:
    """Returns what the noise alone does to cells measured by themselves, as pairs of words."""
    noise, number = plan.noise, style.number
    zone = (
        f"{ZONE_KM2:g} {KM2}"
        if noise.zone_km2 == ZONE_KM2
        else f"one cell ({number(noise.zone_km2)} {KM2})"
    )
    return [
        *(
            []
            if plan.policy.delta is not None
            else [("Noise scale (mean error of a cell)", f"{number(noise.scale)} points")]
        ),
        ("Standard error", f"{number(noise.standard_error)} points"),
        *(
            (f"{key} % of cells within", f"\N{PLUS-MINUS SIGN}{number(width)} points")
            for key, width in noise.cell.items()
        ),
        *(
            (f"{key} % of zones of {zone} within", f"\N{PLUS-MINUS SIGN}{number(width)} points")
            for key, width in noise.zone.items()
        ),
        (
            "Smallest cell total that can be told from noise",
            f"about {number(noise.detectable)} points",
        ),
        *_in_adaptive(plan),
        *_on_devices(plan),
    ]


def _in_adaptive(plan: Figures) -> list[tuple[str, str]]:
    """Returns what the two numbers that are asked for most are in single cells of the default
    strategy; empty if the same.
    """
    if plan.adaptive_times == 1:
        return []
    half_width, total = (
        style.number(one * plan.adaptive_times)
        for one in (plan.noise.cell["90"], plan.noise.detectable)
    )
    return [
        (
            "90 % of single cells of adaptive within, at most",
            f"\N{PLUS-MINUS SIGN}{half_width} points",
        ),
        ("Smallest that single cells of adaptive tell, at most", f"about {total} points"),
    ]


def _on_devices(plan: Figures) -> list[tuple[str, str]]:
    """Returns the price of trusting nobody; empty if that cannot be had."""
    if plan.on_devices is None:
        return []
    times = style.number(plan.on_devices / plan.noise.standard_error)
    told = f"{style.number(plan.on_devices)} points ({times} times)"
    return [("Standard error if nobody is trusted (dpmap local)", told)]


def by_cell(options: tuple[CellSizeOption, ...]) -> dict[str, list[CellSizeOption]]:
    """Groups the options by cell size, fine to coarse."""
    rows: dict[str, list[CellSizeOption]] = {}
    for option in options:
        rows.setdefault(option.cell, []).append(option)
    return rows


def percent_words(share: float) -> str:
    """Writes a share in percent."""
    return f"{share:.0%}".replace("%", " %")


def expected_of(plan: Figures, preview: Preview) -> list[Expected]:
    """Returns the expected errors of one shape."""
    return [row for row in plan.expected if row.shape == preview.shape]


def preview_words(plan: Figures, preview: Preview) -> str:
    """Says what the small maps of one shape show."""
    parts = [
        f"{row.strategy} is off by {style.number(row.cell_error)} points a cell, and"
        f" {percent_words(row.overlap)} of its map lies where it should"
        for row in expected_of(plan, preview)
    ]
    return (
        f"{preview.shape}: a public shape (left), a rehearsed map of it as its picture shows it, in"
        f" places, and others cell by cell. On average, cell by cell, {'; '.join(parts)}."
    )
