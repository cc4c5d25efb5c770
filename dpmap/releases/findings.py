"""What a release lets a reader conclude: which part of the area holds the most, how many there are
in all, and what each part holds.

The parts are chosen without looking at the map: its named areas, its layers, or up to nine parts of
the area by compass. The intervals of all that are compared hold together at the level, so that a
part whose interval lies above all others holds the most at least so often.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid.squares import Squares
from dpmap.grid.zone_overlap import zone_square_km
from dpmap.inference.mean_estimate import MeanEstimate
from dpmap.inference.zones import MeanAnswer, ZoneAnswer
from dpmap.maps.totals import TotalsMap
from dpmap.releases.area_parts import MOST_PARTED_CELLS, AreaPart, area_parts
from dpmap.releases.ask import ask, zone_name
from dpmap.releases.finding_words import (
    MOST_NAMED,
    area_words,
    either,
    fewest_words,
    headline,
    largest_words,
    told_words,
    whole_words,
)
from dpmap.releases.region_answers import (
    RegionAnswer,
    digits,
    find_denser,
    find_fewest,
    find_most,
    print_answer,
    sort_answers,
)
from dpmap.statement.phrases import clean, noun

if TYPE_CHECKING:
    from dpmap.releases.public_map import PublicMap

LEVEL = 0.9
"""How often the headline holds, each sentence, and the interval of a row."""
RATE = 0.1
"""The largest expected share of places that do not stand out from the land around them."""
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Findings:
    """What a page says of a release, and what its sentences claim.

    `rows` are sorted, told ones first; `rows_are` says what each is, and `together` whether all
    their intervals hold at once. `most` and `fewest` name the rows of which one is so, `denser`
    those that hold more for their size than the whole area, `largest` those that are summed up;
    `place` is the land that stands out from its surroundings, `place_ground` its outline.
    """

    headline: str
    sentences: tuple[str, ...]
    rows: tuple[RegionAnswer, ...]
    rows_are: str
    together: bool
    most: tuple[str, ...]
    fewest: tuple[str, ...]
    denser: tuple[str, ...]
    largest: tuple[RegionAnswer, ...] = ()
    parts: tuple[AreaPart, ...] = ()
    whole: RegionAnswer | None = None
    place: RegionAnswer | None = None
    place_ground: Any = None


def find(release: "PublicMap", zones: Any = None) -> Findings:
    """Return what a release says of its parts, or of `zones` chosen without looking at it."""
    if not release.layers:
        return _compare_regions(release._map, zones)  # noqa: SLF001
    if zones is not None:
        raise BadInput("zones: this release has layers; take one of them, like --layer NAME")
    maps = {names: layer._map for names, layer in release.layers.items()}  # noqa: SLF001
    return _compare_layers(maps)


def _compare_layers(maps: "dict[tuple[str, ...], TotalsMap]") -> Findings:
    """Return what is found by comparing layers, each over the whole area."""
    level = 1 - (1 - LEVEL) / len(maps)
    rows = []
    by_name = {}
    for names, map_ in maps.items():
        whole = _answer_whole(map_, level)
        if whole is not None:
            name = clean(", ".join(names))[:LONGEST_NAME]
            by_name[name] = map_
            rows.append(replace(whole, name=name))
    first = next(iter(maps.values()))
    sums = [sum(getattr(row, part) for row in rows) for part in ("estimate", "low", "high")]
    # bounds that hold together add up to bounds of the sum
    whole = print_answer("all layers together", *sums) if rows and first.mean is None else None
    findings = _compare(first, rows, whole, "layer")
    where = {row.name: _where_most(by_name[row.name]) for row in rows if row.told}
    rows = [replace(row, where=where.get(row.name, "")) for row in findings.rows]
    lies = [f"Of {name} most lie in {where[name]}." for name in findings.most if where.get(name)]
    return replace(
        findings,
        rows=tuple(rows),
        sentences=(*whole_words(first, whole), *findings.sentences, *lies[:1]),
        together=True,
    )


def _where_most(map_: TotalsMap) -> str:
    """Return the names of the few parts of which one surely holds the most of a layer, else
    nothing.
    """
    ground = map_.record.grid.ground
    parts = () if ground.names else area_parts(ground)
    count = len(parts) or len(ground.names)
    if not count or map_.mean is not None:
        return ""
    most = find_most(_answer_regions(map_, parts, None, 1 - (1 - LEVEL) / count))
    return either(most) if len(most) <= MOST_NAMED else ""


def _compare_regions(map_: TotalsMap, zones: Any) -> Findings:
    """Return what is found by comparing the zones, named areas or parts of one map."""
    ground = map_.record.grid.ground
    parts = area_parts(ground) if zones is None and not ground.names else ()
    each = () if parts else _answer_regions(map_, parts, zones, LEVEL)
    level = 1 - (1 - LEVEL) / (max(len(parts), len(each)) + 1)
    rows = _answer_regions(map_, parts, zones, level)
    whole = _answer_whole(map_, level)
    rows_are = "zone" if zones is not None else "area" if ground.names else "part"
    findings = replace(_compare(map_, rows, whole, rows_are), parts=parts, together=bool(parts))
    if not each:
        findings = _with_place(map_, findings)
        whole_says = _whole_sentences(map_, level, whole)
        return replace(findings, sentences=(*whole_says, *findings.sentences))
    compared = {*findings.most, *findings.fewest, *findings.denser}
    printed = [wide if wide.name in compared else row for row, wide in zip(each, rows, strict=True)]
    sentences = [*_whole_sentences(map_, level, whole), told_words(map_, printed, rows_are)]
    largest = sorted(rows, key=lambda row: -row.low)[:MOST_NAMED]
    # zones may overlap, and be all there is
    sums_up = zones is None and map_.mean is None and len(rows) > 2 * MOST_NAMED
    if whole is not None and sums_up and largest[-1].low > 0:
        sentences.append(largest_words(largest, whole))
        findings = replace(findings, largest=tuple(largest))
    else:
        sentences += findings.sentences
    return replace(findings, rows=sort_answers(printed), sentences=tuple(sentences))


def _compare(
    map_: TotalsMap, rows: Sequence[RegionAnswer], whole: RegionAnswer | None, rows_are: str
) -> Findings:
    """Return the headline, and the sentence about what holds the fewest."""
    several = len(rows) > 1
    most = find_most(rows) if several else []
    fewest = find_fewest(rows) if several else []
    denser = find_denser(rows, whole) if several and map_.mean is None else []
    return Findings(
        headline(map_, most, denser, whole, rows_are),
        tuple(fewest_words(map_, rows, fewest, rows_are)) if several else (),
        sort_answers(rows),
        rows_are,
        together=False,
        most=tuple(row.name for row in most) if len(most) <= MOST_NAMED else (),
        fewest=tuple(row.name for row in fewest) if len(fewest) == 1 else (),
        denser=tuple(row.name for row in denser),
        whole=whole,
    )


def _answer_regions(
    map_: TotalsMap, parts: Sequence[AreaPart], zones: Any, level: float
) -> list[RegionAnswer]:
    """Return what each zone, part or named area holds, with an interval at the level."""
    if zones is not None:
        return _answer_zones(map_, zones, level)
    if map_.record.grid.ground.names and map_.complete:
        return _answer_areas(map_, level)
    answers = [_answer(map_, part.ground, level) for part in parts]
    return [
        replace(_print_zone(map_, part.name, answer), share=part.share)
        for part, answer in zip(parts, answers, strict=True)
    ]


def _answer_zones(map_: TotalsMap, zones: Any, level: float) -> list[RegionAnswer]:
    """Return what each zone holds; zones outside the map are left out."""
    ground = map_.record.grid.ground
    whole_km = float(ground.square_km[ground.inside].sum())
    frame = ask(map_, zones, level=level)
    rows = frame.drop(columns=frame.geometry.name).to_dict("records")
    mean = map_.mean is not None
    return [
        replace(
            print_answer(
                clean(zone_name(row, number)), row[map_.value], row["low"], row["high"], mean=mean
            ),
            share=row["area_km2"] * row["in_map"] / whole_km,
        )
        for number, row in enumerate(rows, start=1)
        if math.isfinite(row["low"])
    ]


def _answer_areas(map_: TotalsMap, level: float) -> list[RegionAnswer]:
    """Return what each named area holds."""
    ground = map_.record.grid.ground
    reading = map_.reading
    low, high = (bound[ground.inside] for bound in reading.interval(level))
    values = reading.values[ground.inside]
    if isinstance(reading, MeanEstimate):
        values = np.where(reading.answered()[ground.inside], values, np.nan)
    shares = ground.square_km[ground.inside] / ground.square_km[ground.inside].sum()
    mean = map_.mean is not None
    return [
        replace(
            print_answer(
                clean(name)[:LONGEST_NAME], float(value), float(least), float(most), mean=mean
            ),
            share=float(share),
        )
        for name, value, least, most, share in zip(
            ground.names, values, low, high, shares, strict=True
        )
    ]


def _answer(map_: TotalsMap, ground: Any, level: float) -> ZoneAnswer | MeanAnswer:
    """Return what some ground holds."""
    return map_.answer(ground, zone_square_km(ground, map_.record.grid.crs), level)


def _print_zone(map_: TotalsMap, name: str, answer: ZoneAnswer | MeanAnswer) -> RegionAnswer:
    """Return an answer about some ground as it is printed."""
    estimate = float(getattr(answer, map_.value))
    return print_answer(name, estimate, answer.low, answer.high, mean=map_.mean is not None)


def _whole_ground(map_: TotalsMap) -> Any:
    """Return the ground of the whole area; None of a grid that is too large to be added up here."""
    import shapely

    grid = map_.record.grid.ground
    if grid.size > MOST_PARTED_CELLS:
        return None
    if isinstance(grid.cells, Squares):
        return shapely.box(*grid.cells.bounds)
    return shapely.union_all(grid.polygons())


def _answer_whole(map_: TotalsMap, level: float) -> RegionAnswer | None:
    """Return what the whole area holds, if its ground can be added up."""
    ground = _whole_ground(map_)
    if ground is None:
        return None
    return _print_zone(map_, "the whole area", _answer(map_, ground, level))


def _whole_sentences(map_: TotalsMap, level: float, whole: RegionAnswer | None) -> list[str]:
    """Return the sentence about the whole area, and of means what they are of."""
    sentences = whole_words(map_, whole)
    if map_.mean is None or whole is None:
        return sentences
    answer = _answer(map_, _whole_ground(map_), level)
    if isinstance(answer, MeanAnswer):
        records = print_answer("", answer.count, answer.count_low, answer.count_high)
        sentences.append(f"The means are of {records.words} {noun(map_.record)}.")
    return sentences


def _with_place(map_: TotalsMap, findings: Findings) -> Findings:
    """Add the land that stands out from its surroundings, of a sparse map the fullest cell."""
    if map_.mean is not None:
        return findings
    from dpmap.render.towns import place_names

    try:
        count, ground, numbers = _strongest_place(map_)
    except BadInput:
        # kinds of maps in which no land is tested
        return findings
    stand_out = "stand out from the land around" if map_.complete else "surely hold some"
    outlined = ", outlined in green" if map_.complete else ""
    if not count:
        words = "No land can be told to stand out from the land around."
        if not map_.complete:
            words = "Of no listed cell can it be told that it holds some."
        return replace(findings, sentences=(*findings.sentences, words))
    grid = map_.record.grid.ground
    name = place_names(grid, [ground])[0]
    where = _within_part(findings.parts, ground, name)
    place = print_answer(name, *numbers)
    square_km = area_words(zone_square_km(ground, grid.crs))
    land = "place" if map_.complete else "listed cell"
    verb = stand_out.replace("stand", "stands").replace("hold", "holds")
    lead = f"One {land} {verb}: it" if count == 1 else f"{count:,} {land}s {stand_out}: one of them"
    held = place.words if place.told else f"at most {digits(place.high)}"
    words = f"{lead}, {where} ({square_km}{outlined}), holds {held}."
    findings = replace(
        findings, sentences=(*findings.sentences, words), place=place, place_ground=ground
    )
    if findings.most or findings.denser or (map_.complete and not place.told):
        return findings
    lead = (
        "Stands out from the land around: a place" if map_.complete else "Surely holds some: a cell"
    )
    line = f"{lead} {where}, {held} {noun(map_.record)} on {square_km}"
    return replace(findings, headline=line)


def _strongest_place(map_: TotalsMap) -> tuple[int, Any, tuple[float, float, float]]:
    """Return how many places stand out, and the outline, estimate and interval of the one with the
    largest estimate. All their intervals hold together, so that one may be chosen.
    """
    threshold = None if map_.complete else 0.0
    spots = map_.hot_spots(threshold, RATE, LEVEL)
    if len(spots) > 1:
        spots = map_.hot_spots(threshold, RATE, 1 - (1 - LEVEL) / len(spots))
    if not len(spots):
        return 0, None, (0.0, 0.0, 0.0)
    largest = spots.to_geodataframe().iloc[0]
    numbers = (float(largest.estimate), float(largest.low), float(largest.high))
    return len(spots), largest.geometry, numbers


def _within_part(parts: Sequence[AreaPart], ground: Any, name: str) -> str:
    """Say where a place lies, with the part of the area that holds its middle."""
    middle = ground.representative_point()
    part = next((part.name for part in parts if part.ground.intersects(middle)), "")
    return name if not part or " of the map" in name else f"in {part}, {name}"
