"""The headline and the sentences of a planner's page, about numbers that are printed with them."""

from collections.abc import Sequence

from dpmap.maps.totals import TotalsMap
from dpmap.releases.region_answers import RegionAnswer, digits
from dpmap.statement.phrases import clean, list_words, noun
from dpmap.style import KM2

MOST_NAMED = 3
"""So many parts are named that may hold the most; of more it says that none can be told."""
ROWS_ARE = ("part", "layer")
"""The rows of which a sentence says how many may hold none: their intervals hold together."""


def mean_column(map_: TotalsMap) -> str:
    """Return the name of what a map tells the mean of; empty for totals."""
    return "" if map_.mean is None else clean(map_.mean.column)


def headline(
    map_: TotalsMap,
    most: Sequence[RegionAnswer],
    denser: Sequence[RegionAnswer],
    whole: RegionAnswer | None,
    rows_are: str,
) -> str:
    """Return the finding in one line."""
    if map_.mean is not None:
        return _mean_headline(map_, most, whole, rows_are)
    what = noun(map_.record)
    of_all = ""
    if whole is not None and whole.words.startswith("about"):
        of_all = f" of some {digits(whole.estimate)}"
    if len(most) == 1 and most[0].told:
        return f"Most {what}: {most[0].name}, {most[0].words}{of_all}"
    if 1 < len(most) <= MOST_NAMED and any(row.told for row in most):
        return f"Most {what}: {either(most)}; which of them cannot be told"
    if denser:
        names = [row.name for row in denser[:MOST_NAMED]]
        others = len(denser) - len(names)
        if others:
            names.append("one other" if others == 1 else f"{others:,} others")
        numbers = f", {denser[0].words}{of_all}" if len(denser) == 1 else ""
        return f"More {what} per {KM2.words} than elsewhere: {list_words(names)}{numbers}"
    unsure = f"; which {rows_are} holds the most cannot be told" if most else ""
    if whole is None:
        return f"Where most {what} lie cannot be told on this page"
    if not whole.told and any(row.told for row in most):
        return f"At most {digits(whole.high)} {what} in the whole area{unsure}"
    if not whole.told:
        return (
            f"Nothing can be told: the whole area may hold no {what}, and holds at most"
            f" {digits(whole.high)}"
        )
    return f"{capital(whole.words)} {what} in the whole area{unsure}"


def _mean_headline(
    map_: TotalsMap, most: Sequence[RegionAnswer], whole: RegionAnswer | None, rows_are: str
) -> str:
    """Return the finding of means in one line."""
    column = mean_column(map_)
    if len(most) == 1 and most[0].told:
        return f"Highest mean of {column}: {most[0].name}, {most[0].words}"
    if 1 < len(most) <= MOST_NAMED and all(row.told for row in most):
        return f"Highest mean of {column}: {either(most)}; which of them cannot be told"
    if whole is None or not whole.told:
        return f"No mean of {column} can be told: too few {noun(map_.record)}"
    unsure = f"; which {rows_are} has the highest cannot be told" if most else ""
    return f"Mean of {column} in the whole area: {whole.words}{unsure}"


def either(rows: Sequence[RegionAnswer]) -> str:
    """Write the names of rows of which one is meant.

    >>> names = "the north", "the west", "the middle"
    >>> either([RegionAnswer(name, 3, 2, 4, True) for name in names])
    'the north, the west or the middle'
    """
    *firsts, last = [row.name for row in rows]
    return f"{', '.join(firsts)} or {last}" if firsts else last


def capital(words: str) -> str:
    """Return words with a capital letter."""
    return words[:1].upper() + words[1:]


def whole_words(map_: TotalsMap, whole: RegionAnswer | None) -> list[str]:
    """Return the sentence about the whole area; none where the headline has it already."""
    if whole is None or not whole.told:
        return []
    if map_.mean is not None:
        return [f"In the whole area the mean of {mean_column(map_)} is {whole.words}."]
    return [f"{capital(whole.name)}: {whole.words} {noun(map_.record)}."]


def fewest_words(
    map_: TotalsMap, rows: Sequence[RegionAnswer], fewest: Sequence[RegionAnswer], rows_are: str
) -> list[str]:
    """Return the sentence about what holds the fewest, and whether any may hold none."""
    lead = []
    if len(fewest) == 1 and fewest[0].told:
        lead.append(f"Fewest: {fewest[0].name}, {fewest[0].words}.")
    elif len(fewest) == 1:
        high = digits(fewest[0].high)
        lead.append(f"Fewest: {fewest[0].name}; it may hold none, and holds at most {high}.")
    if map_.mean is not None:
        if len(fewest) == 1 and fewest[0].told:
            return [f"Lowest mean: {fewest[0].name}, {fewest[0].words}."]
        return [f"Which {rows_are} has the lowest mean cannot be told."]
    unsure = [row for row in rows if not row.told]
    has_all = len(fewest) == 1 and unsure == list(fewest)
    if rows_are in ROWS_ARE and not has_all:
        lead.append(_empty_words(rows, rows_are))
    return [" ".join(lead)] if lead else []


def _empty_words(rows: Sequence[RegionAnswer], rows_are: str) -> str:
    """Return how many rows may hold none, which shows none of them to be empty."""
    unsure = [row for row in rows if not row.told]
    if not unsure:
        return f"Each of the {len(rows):,} {rows_are}s surely holds some."
    lead = f"{len(unsure):,} of the {len(rows):,} {rows_are}s cannot"
    if len(unsure) == len(rows):
        lead = f"None of the {len(rows):,} {rows_are}s can"
    high = digits(max(row.high for row in unsure))
    may = "it may hold" if len(unsure) == 1 else "each may hold"
    return f"{lead} be told from none. That shows no {rows_are} to be empty: {may} up to {high}."


def told_words(map_: TotalsMap, rows: Sequence[RegionAnswer], rows_are: str) -> str:
    """Return the sentence about how many rows say something."""
    told_rows = [row for row in rows if row.told]
    if map_.mean is not None:
        return f"There is an answer for {len(told_rows):,} of the {len(rows):,} {rows_are}s."
    some = f"can be told to hold some {noun(map_.record)}"
    if len(told_rows) == len(rows):
        return f"Each of the {len(rows):,} {rows_are}s {some}."
    high = digits(max(row.high for row in rows if not row.told))
    lead = f"{len(told_rows):,} of the {len(rows):,} {rows_are}s {some}"
    return f"{capital(lead)}; each of the others may hold none, or up to {high}."


def largest_words(largest: Sequence[RegionAnswer], whole: RegionAnswer) -> str:
    """Return the sentence about what a few rows hold at least, by bounds that hold together."""
    names = list_words([row.name for row in largest])
    low = sum(row.low for row in largest)
    share = int(100 * low / whole.high)
    return f"{names} together hold at least {digits(low)}, and at least {share} % of all."


def area_words(square_km: float) -> str:
    """Return an area in words.

    >>> area_words(75.2), area_words(0.31)
    ('75 km²', '31 hectares')
    """
    if square_km < 1:
        return f"{square_km * 100:.2g} hectares"
    return f"{square_km:,.0f} {KM2.words}"
