"""Words the numbers of a plan, row by row: for its terminal, page and picture."""

import math

from dpmap import style
from dpmap.steward.planning.results import (
    ANY,
    LANDS,
    ZONE_KM2,
    CellSizeOption,
    Expected,
    Figures,
    Preview,
    Promised,
)

KM2 = "km\N{SUPERSCRIPT TWO}"


def promise_table(plan: Figures) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Returns the kinds of land that ranges are promised for, and for each figure its name and
    its ranges in words.
    """
    lands = list(dict.fromkeys(one.land for one in plan.promise))
    rows = []
    for figure, (name, unit) in FIGURES.items():
        by_land = {one.land: one for one in plan.promise if one.figure == figure}
        rows.append(
            (name, [range_words(by_land[land], unit, about=land not in LANDS) for land in lands])
        )
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
                range_words(one, unit, about=one.land not in LANDS)
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


def range_words(promised: Promised, unit: str, *, about: bool) -> str:
    """Returns a range in words."""
    if promised.low is None:
        return "none is empty" if promised.figure == "cleared" else "no cell is"
    times = 100 if unit == " %" else 1
    least = 1.0 if promised.figure == "places" else 0.0
    low = _rounded(promised.low * times, least, up=False)
    high = None if promised.high is None else _rounded(promised.high * times, least, up=True)
    if promised.figure == "within" and promised.low < SMALL and high is not None and not about:
        return f"{high}{unit} or less"
    words = (
        f"{low}{unit} or more"
        if high is None
        else f"{low}{unit}"
        if low == high
        else f"{low} to {high}{unit}"
    )
    if not about or promised.middle is None or low == high:
        return words
    return f"about {style.number(float(f'{promised.middle * times:.2g}'))}{unit} ({words})"


SMALL = 0.05
"""Whoever's intervals are narrower than this share need not know how much."""


def _rounded(value: float, least: float, *, up: bool) -> str:
    """Rounds a bound outwards, to two figures, in steps of `least` at least."""
    if value == 0:
        return "0"
    step = max(10.0 ** (math.floor(math.log10(value)) - 1), least)
    return f"{(math.ceil if up else math.floor)(round(value / step, 6)) * step:,.12g}"


def option_words(option: CellSizeOption) -> str:
    """Returns the share in the middle one of all shapes, and of those that lie alike."""
    shares = (
        f"{100 * option.lands[land]:.0f}" if land in option.lands else "\N{EN DASH}"
        for land in ALIKE
    )
    return percent_words(option.single) + (f" ({', '.join(shares)})" if option.lands else "")


ALIKE = [land for land in LANDS if land != ANY]


def noise_rows(plan: Figures) -> list[tuple[str, str]]:
    """Returns what the noise alone does to cells measured by themselves, as pairs of words."""
    noise = plan.noise
    number = style.number
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
    words = f"{style.number(plan.on_devices)} points ({times} times)"
    return [("Standard error if nobody is trusted (dpmap local)", words)]


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
