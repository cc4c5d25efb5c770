"""Words and colours every map and layer shares. All of them come from the release, never from anything behind it.

Nothing here draws; the static map, the interactive map and the GIS styles take their ramp, their breaks and their
sentences from this file, so that one release looks and reads the same everywhere.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.together import coarsest, window
from dpmap.inference import Estimate, discoveries
from dpmap.noise.theory import reports_half_width, sum_quantile
from dpmap.numbers import decimal_text, one_in, percent
from dpmap.promise.governance import Governance
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Record, Reports

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Colour = tuple[float, float, float]

RAMP = ("#fcfdbf", "#fecc8f", "#fd9869", "#f3655c", "#d2426f", "#a6317d", "#792282", "#4f127b", "#21114e")
"""Light to dark, even steps of lightness, readable with every kind of colour blindness and in greyscale: the upper
six sevenths of matplotlib's `magma` (CC0), reversed."""

UNSURE = "#e3e3e3"
UNSURE_LINE = "#adadad"
WATER, LAND, RIVER, BORDER, INK = "#e9f0f4", "#f7f6f3", "#8fb3c9", "#8a8a8a", "#333333"

NOT_DISTINGUISHABLE = "not distinguishable from noise"
NO_ANSWER = "no answer: too few records"
BLOCKS = "outlined: measured as one\nblock; how it lies within\nis a guess"
RATE = 0.1
"""The expected share of falsely distinguished cells that every map and layer is drawn with."""


def noun(record: Record) -> str:
    """What is counted, in the plural: the steward's own word if the record has one."""
    return clean(str(record.notes.get("noun") or "records"))[:40] or "records"


def clean(text: str) -> str:
    """Text on one line, without the control characters that XML and metadata cannot hold.

    >>> clean("one" + chr(9) + "two" + chr(7))
    'one two'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def unit_words(record: Record) -> str:
    """The unit of the colours: a density, since cells may differ in area.

    >>> Record.__annotations__["grid"].__name__
    'Grid'
    """
    if record.mean is not None:
        return f"mean {clean(record.mean.column)}"
    return f"{noun(record)} per km\N{SUPERSCRIPT TWO}, capped"


def unsure_words(record: Record) -> str:
    """What a grey cell is called: of a map of means, one whose mean is not told."""
    return NOT_DISTINGUISHABLE if record.mean is None else NO_ANSWER


def ramp(share: "float | Cells") -> NDArray[np.float64]:
    """Red, green and blue (0 to 1) at a share 0 to 1 of the ramp.

    >>> ramp(0.0).round(2)
    array([0.99, 0.99, 0.75])
    """
    stops = np.array([rgb(colour) for colour in RAMP])
    places = np.linspace(0, 1, len(stops))
    at = np.clip(np.asarray(share, dtype=np.float64), 0, 1)
    return np.stack([np.interp(at, places, stops[:, channel]) for channel in range(3)], axis=-1)


def rgb(colour: str) -> Colour:
    """Red, green and blue of `#rrggbb`.

    >>> rgb("#ff0000")
    (1.0, 0.0, 0.0)
    """
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def hex_colour(share: float) -> str:
    """The ramp's colour at a share as `#rrggbb`.

    >>> hex_colour(0), hex_colour(1)
    ('#fcfdbf', '#21114e')
    """
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in ramp(share).tolist())


def class_colours(classes: int) -> list[str]:
    """One colour for each of so many classes, evenly along the ramp.

    >>> class_colours(2)
    ['#fecc8f', '#4f127b']
    """
    if classes == 1:
        return [hex_colour(0.5)]
    first, last = (0.02, 0.97) if classes > 3 else (0.125, 0.875)
    return [hex_colour(first + (last - first) * i / (classes - 1)) for i in range(classes)]


def density(grid: Grid, values: Cells) -> Cells:
    """Totals per square kilometre."""
    return np.asarray(values / grid.square_km)


def shown(record: Record, values: Cells) -> Cells:
    """What colours stand for: totals per square kilometre; means as they are."""
    return density(record.grid, values) if record.mean is None else values


def distinguishable(estimate: Estimate, threshold: float = 0.0) -> Mask:
    """Cells that noise alone does not explain; the expected share of false ones is at most `RATE`."""
    return discoveries(estimate.p_values(threshold), RATE)


def breaks(record: Record, values: Cells, classes: int = 5) -> list[float]:
    """The edges of a map's classes: of means in equal round steps from the least to the most of them."""
    if record.mean is None:
        return class_breaks(values, classes)
    found = values[np.isfinite(values)]
    if not len(found):
        return []
    low, high = float(found.min()), float(found.max())
    span = max(high - low, float(record.mean.high - record.mean.low) / 100)
    step = _equal_steps(span, classes)[1]
    first = math.floor(low / step + 1e-9)
    count = max(1, math.ceil(high / step - 1e-9) - first)
    return [float(f"{step * (first + i):.12g}") for i in range(count + 1)]


def class_breaks(values: Cells, classes: int = 5) -> list[float]:
    """Round edges of at most `classes` classes that hold all of these positive values, most evenly filled.

    Candidates are edges in equal steps and in the steps 1, 2, 5, 10 (and 1, 3, 10); a skewed map gets the second.

    >>> class_breaks(np.array([0.3, 1.0, 4.0, 9.0]))
    [0.0, 1.0, 2.0, 5.0, 10.0]
    >>> class_breaks(np.array([]))
    []
    >>> class_breaks(np.array([7.0]))
    [0.0, 10.0]
    """
    found = values[np.isfinite(values) & (values > 0)]
    if not len(found):
        return []
    classes = min(classes, len(np.unique(found)))
    low, high = float(found.min()), float(found.max())
    candidates = [_equal_steps(high, classes)]
    candidates += [_growing_steps(low, high, classes, mantissas) for mantissas in ((1, 2, 5), (1, 3), (1,), (1, 4, 20))]
    return max(candidates, key=lambda edges: _evenness(found, edges))


def _equal_steps(high: float, classes: int) -> list[float]:
    """0 to above `high` in steps of 1, 2, 2.5 or 5 times a power of ten."""
    magnitude = 10 ** math.floor(math.log10(high / classes))
    step = next(m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude * classes >= high * (1 - 1e-9))
    count = max(1, math.ceil(high / step - 1e-9))
    return [float(f"{step * i:.12g}") for i in range(count + 1)]


def _growing_steps(low: float, high: float, classes: int, mantissas: tuple[int, ...]) -> list[float]:
    """Edges that grow by a constant ratio or so, ending above `high`; the lowest class starts at 0."""
    exponents = range(math.floor(math.log10(low)) - 2, math.ceil(math.log10(high)) + 2)
    ladder = sorted({float(f"{m * 10.0**e:.12g}") for e in exponents for m in mantissas})
    top = next(i for i, edge in enumerate(ladder) if edge >= high)
    chosen = [edge for edge in ladder[max(0, top - classes + 1) : top + 1] if edge > low or edge >= high]
    return [0.0, *chosen]


def _evenness(values: Cells, edges: Sequence[float]) -> float:
    """The entropy of the classes' filling, in which empty classes count for nothing."""
    filled, _ = np.histogram(values, edges)
    share = filled[filled > 0] / max(1, filled.sum())
    return float(-(share * np.log(share)).sum())


def number(value: float) -> str:
    """A short number for legends.

    >>> number(0.25), number(1500), number(2.0), number(0)
    ('0.25', '1,500', '2', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-4 else f"{value:.1e}"


def class_labels(edges: Sequence[float]) -> list[str]:
    """`0 to 2`, `2 to 4` ...

    >>> class_labels([0.0, 2.0, 5.0])
    ['under 2', '2 to 5']
    """
    return [
        f"under {number(high)}" if low == 0 else f"{number(low)} to {number(high)}" for low, high in pairwise(edges)
    ]


def by_cell(record: Record) -> list[Measurement]:
    """The measurements in which some region is a single cell, the least noisy first."""
    with_single = []
    for measurement in record.measurements:
        labels = measurement.partition.labels
        if (np.bincount(labels[labels >= 0], minlength=measurement.partition.regions) == 1).any():
            with_single.append(measurement)
    return with_single if record.reports else sorted(with_single, key=lambda measurement: measurement.scale)


def noisy_cells(record: Record) -> Cells:
    """The signed noisy total of each cell that was measured by itself, as drawn; NaN elsewhere. Of a merged map the sum
    of those that each partner's intervals are from.
    """
    if record.partners:
        total = np.zeros(record.grid.shape)
        for one in record.partners:
            last = one.measurements[-1]
            total[window(record.grid, one.grid)] += np.where(one.grid.inside, last.partition.spread(last.values), 0.0)
        return np.where(alone(record), total, np.nan)
    noisy = np.full(record.grid.shape, np.nan)
    for measurement in reversed(by_cell(record)):
        partition = measurement.partition
        sizes = np.bincount(partition.labels[partition.labels >= 0], minlength=partition.regions)
        values = partition.spread(np.where(sizes == 1, measurement.values, np.nan))
        noisy = np.where(np.isnan(values), noisy, values)
    return noisy


def known_regions(record: Record) -> Partition:
    """The regions of the last measurement; of a merged map, cells that some partner measured as one are in one."""
    if not record.partners:
        return record.measurements[-1].partition
    return coarsest(record.grid, [(one.grid, one.measurements[-1].partition) for one in record.partners])


def alone(record: Record) -> Mask:
    """In grid shape: the cells that the last measurement, which all intervals are from, measured by themselves; in a merged
    map, those that every partner did who reaches them.
    """
    partition = known_regions(record)
    if isinstance(partition, Shown):
        return np.ones(1, dtype=bool)  # every cell by itself
    known = partition.labels >= 0
    sizes = np.bincount(partition.labels[known], minlength=partition.regions)
    return np.asarray(known & (sizes[partition.labels] == 1))


def exceedance(record: Record, estimate: Estimate, threshold: float) -> Cells:
    """For each cell measured by itself, the chance of noise alone making it look this high if its total were at most
    `threshold`; NaN for cells in blocks: how a block's total lies within it no measurement says.
    """
    return np.where(alone(record), estimate.p_values(threshold), np.nan)


def regions_words(record: Record, measurement: Measurement) -> str:
    """What a measurement's noise was added to."""
    regions = measurement.partition
    if isinstance(regions, Shown):
        least = decimal_text(regions.threshold)
        return f"each of {record.grid.cells_inside:,} cells, of which those of at least {least} noisy points are listed"
    return f"{regions.regions:,} {'region' if regions.regions == 1 else 'regions'}"


def half_width(record: Record, level: float = 0.9) -> float:
    """Half the width, in points, of the interval of a region of the last measurement; in a merged map, of a cell that all
    partners reach and measured by themselves.
    """
    if record.partners:
        return sum_quantile(level, noise_law(record))
    last = record.measurements[-1]
    if isinstance(last, Reports):
        return reports_half_width(level, last.count, float(last.truth), float(last.other))
    return last.law.two_sided(level) / last.lattice


def noise_law(record: Record) -> tuple[tuple[float, int], ...]:
    """The scales, in points, of the noises that add up in a cell that all partners of a merged map reach."""
    counts = Counter(float(one.measurements[-1].scale) for one in record.partners)
    return tuple(sorted(counts.items()))


def error_words(record: Record) -> str:
    """How far the noise reaches, and of what: a cell where some were measured by themselves, else a block of them."""
    if record.mean is not None:
        return f"grey where too little was counted, or the mean's 90 % interval spans over half of {record.mean.words}"
    reach = f"\N{PLUS-MINUS SIGN}{number(half_width(record))} {noun(record)}"
    if record.reports:
        return f"90 % interval of a cell with few: {reach}"
    if alone(record).any():
        return f"90 % interval of a cell measured alone: {reach}"
    return f"no cell was measured alone; 90 % interval of a block of cells: {reach}"


def provenance(record: Record) -> str:
    """One line: the privacy loss, who it protects, the cap, the cell size, the error, the consent rule, and what the
    steward declared about who may use the map.
    """
    policy = record.policy
    declared = Governance.of(record.notes).words()
    if record.reports:
        return (
            f"Differentially private: \N{GREEK SMALL LETTER EPSILON} = {decimal_text(policy.epsilon)} for each answer, randomised "
            f"on each volunteer's own device before it was sent \N{MIDDLE DOT} {record.reports.count:,} reports \N{MIDDLE DOT} "
            f"cells: {record.grid.cell_text} \N{MIDDLE DOT} {error_words(record)}"
            + (f" \N{MIDDLE DOT} {declared}" if declared else "")
        )
    if record.partners:
        return _merged_provenance(record)
    unit = (
        "each single row"
        if policy.unit == "row"
        else f"each {policy.unit}" + (f" and each {policy.site}" if policy.site else "")
    )
    consent = f"only rows with {policy.consent}" if policy.consent else "no consent rule"
    plural = "" if policy.cap == 1 else "s"
    return (
        f"Differentially private: \N{GREEK SMALL LETTER EPSILON} = {decimal_text(policy.epsilon)}{_delta(policy)} for {unit}, "
        f"{'at most, and for each no more than its own limit, ' if policy.epsilon_by else ''}"
        f"capped at {policy.cap:,} point{plural} \N{MIDDLE DOT} cells: {record.grid.cell_text} \N{MIDDLE DOT} "
        f"{error_words(record)} \N{MIDDLE DOT} {consent}"
        + (f" \N{MIDDLE DOT} of a sample of {percent(policy.sample)} of the units" if policy.sample else "")
        + (f" \N{MIDDLE DOT} {declared}" if declared else "")
    )


def _delta(policy: Policy) -> str:
    """The chance that epsilon does not hold, where one was allowed."""
    if policy.delta is None:
        return ""
    return f", \N{GREEK SMALL LETTER DELTA} = {decimal_text(policy.delta)} ({one_in(policy.delta)})"


def _merged_provenance(record: Record) -> str:
    """The same line of a merged map."""
    policy, apart = record.policy, record.disjoint is not None
    unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
    how = "who is in one of them only" if apart else "for all of them together"
    return (
        f"Merged from {len(record.partners)} differentially private maps ({clean(record.receipt.dataset)}): "
        f"\N{GREEK SMALL LETTER EPSILON} = {decimal_text(policy.epsilon)} for {unit}, {how} \N{MIDDLE DOT} "
        f"cells: {record.grid.cell_text} \N{MIDDLE DOT} {error_words(record)}"
    )


def alt_text(record: Record, estimate: Estimate) -> str:
    """What a reader who cannot see the map needs to know of it."""
    grid = record.grid
    sure = distinguishable(estimate)
    count = int(sure.sum())
    words = [
        f"Map of {clean(record.title)}: {noun(record)} per square kilometre, capped,",
        f"in {grid.cells_inside:,} cells ({grid.cell_text}).",
        f"{count:,} of them can be told from noise; the others are not distinguishable from noise,",
        "which does not mean that they are empty.",
    ]
    if record.mean is not None:
        words = _alt_of_means(record, count)
    if count:
        values = np.where(sure, shown(record, estimate.values), np.nan)
        what = "densities" if record.mean is None else "means"
        words.append(f"Their {what} run from {number(float(np.nanmin(values)))} to {number(float(np.nanmax(values)))}.")
    return " ".join([*words, provenance(record) + "."])


def _alt_of_means(record: Record, count: int) -> list[str]:
    """The same of a map of means."""
    grid = record.grid
    return [
        f"Map of {clean(record.title)}: {unit_words(record)}, in {grid.cells_inside:,} cells ({grid.cell_text}).",
        f"{count:,} of them have an answer; in the others too little was counted to tell a mean.",
    ]


def facts(record: Record) -> dict[str, str]:
    """The statement as plain pairs, for the tags and tables of GIS layers."""
    policy, receipt = record.policy, record.receipt
    plain = {
        "dataset": record.title,
        "released_on": record.released_on,
        "release_id": receipt.release_id,
        "ledger_head": receipt.head,
        "epsilon": decimal_text(policy.epsilon),
        **({} if policy.delta is None else {"delta": decimal_text(policy.delta)}),
        "unit": policy.unit,
        "cap": str(policy.cap),
        "cap_origin": policy.cap_origin,
        "limiter": policy.limiter,
        **({} if policy.epsilon_by is None else {"epsilon_by": str(policy.epsilon_by)}),
        "consent": str(policy.consent) if policy.consent else "none",
        "cells": record.grid.cell_text,
        "noise": _noise_words(record),
        **(
            {"half_width_90": number(half_width(record))}
            if record.mean is None
            else {"mean": f"{record.mean.column}, what is beyond {record.mean.words} counting as that end"}
        ),
        "strategy": record.strategy,
        **Governance.of(record.notes).facts(),
        "statement": provenance(record),
        "reading": f"Cells marked {unsure_words(record)} may hold records or none; they must not be read as absence.",
    }
    if record.partners:  # what may differ from partner to partner stands in their own releases
        plain = {
            key: value for key, value in plain.items() if key not in ("cap_origin", "limiter", "consent", "ledger_head")
        }
    return {key: clean(value) for key, value in plain.items()}


def _noise_words(record: Record) -> str:
    """The law of the noise, for the tags of a layer."""
    if record.reports:
        p, q = (decimal_text(chance) for chance in (record.reports.truth, record.reports.other))
        return f"{record.reports.count} reports, randomised on devices ({record.reports.mechanism}): p = {p}, q = {q}"
    measurements = [one.measurements[-1] for one in record.partners] or record.measurements
    scales = sorted({decimal_text(measurement.scale) for measurement in measurements})
    law = "discrete Laplace, scale" if record.policy.delta is None else "discrete Gaussian, deviation"
    return f"{law} {', '.join(scales)} points"
