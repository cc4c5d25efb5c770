"""Words for a map of totals, which every other kind uses unless it has its own."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.grid import official
from dpmap.inference import Estimate, count_regions, distinguishable
from dpmap.inference.estimate import Believing
from dpmap.maps import read_map
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, one_in, part_text, percent, regions_text
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Record
from dpmap.statement.columns import Columns
from dpmap.statement.file_names import ATTESTED, ENVELOPE, METADATA, PLANNER
from dpmap.statement.phrases import (
    NOT_DISTINGUISHABLE,
    NOT_TOLD,
    clean,
    noun,
    odds_words,
    priors_words,
    selection_rule,
    survey_line,
    survey_words,
    tier_words,
    took_part_words,
    where_words,
)
from dpmap.statement.phrases import count_words as counted_words

Cells = NDArray[np.float64]
Odds = dict[str, tuple[float, str] | None]


class TotalsStatement:
    """Words for totals per cell, released by one curator."""

    files: tuple[str, ...] = (
        "statement.md",
        "statement.html",
        "privacy.yaml",
        *ATTESTED,
        "map.png",
        "map.html",
        *METADATA,
        *PLANNER,
        ENVELOPE,
    )
    """What a release's folder holds beside it."""
    layers: tuple[str, ...] = ("cells.gpkg", "map.tif")
    """What it holds of each map besides."""
    columns = Columns()
    """What the columns of its GIS layers are."""
    numbers = "totals per cell"
    product = "Totals"
    value_words = "densities"
    value_word = "density"
    untold_words = NOT_TOLD
    """The name for land whose colour is not told."""
    unpaid = ""
    """Why no ledger attests to such a release, where none does."""
    unmerged = ""
    """Why such releases are not merged, where they are not."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.map = read_map(record)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.record.grid.cells_inside

    def unit(self, edges: Sequence[float]) -> style.Unit:
        """Return the unit in which classes with these edges are shortest to read."""
        ground = self.record.grid.ground
        return style.density_unit(edges, float(ground.square_km[ground.inside].sum()))

    def unit_words(self, unit: style.Unit = style.KM2) -> str:
        """Return what colours stand for: a density, since cells may differ in area."""
        return f"{noun(self.record)} per {unit.words}"

    def capped_words(self) -> str:
        """Say in one short line what the cap does to the numbers."""
        cap = self.record.policy.cap
        unit = self.record.policy.unit
        whose = "each row" if unit == "row" else f"each {clean(unit)[:24]}"
        return f"capped: {whose} counts for at most {cap:,}"

    def band_unit(self, name: str) -> str:
        """Return the unit of a raster's band."""
        return (
            f"{noun(self.record)} per cell, capped"
            if name in self.columns.bands
            else f"{self.unit_words()}, capped"
        )

    def unsure_words(self) -> str:
        """Return the name for a grey cell."""
        return NOT_DISTINGUISHABLE

    def breaks(self, values: Cells, classes: int = 5) -> list[float]:
        """Return the edges of the map's classes."""
        return style.class_breaks(values, classes)

    def error_words(self) -> str:
        """Say how large the noise is: in a cell if some were measured by themselves, else in a
        block of them.
        """
        if self.map.alone().any():
            return f"noise in a cell measured alone: {self.reach()}, nine times in ten"
        return (
            f"no cell was measured alone; noise in a block of cells: {self.reach()}, nine times in"
            " ten"
        )

    def sure_words(self) -> str:
        """Say how sure the numbers are, where there is no picture to look at."""
        return self.error_words()

    def reach(self) -> str:
        """Say how large the noise is."""
        return f"\N{PLUS-MINUS SIGN}{style.number(self.map.half_width())} {noun(self.record)}"

    def survey_words(self) -> str:
        """Say in one sentence of which share of the observers a survey without noise would be
        as good; empty where that says nothing.
        """
        return survey_words(self.record.grid, self.map.noise_variance)

    def provenance(self) -> str:
        """One line: the privacy loss, who it protects, the cap, the cell size, the error, the
        consent rule, and what the steward declared about who may use the map.
        """
        record = self.record
        policy = self.record.policy
        declared = record.about.governance.words()
        unit = (
            "each single row"
            if policy.unit == "row"
            else f"each {policy.unit}" + (f" and each {policy.site}" if policy.site else "")
        )
        consent = f"only rows with {policy.consent}" if policy.consent else "no consent rule"
        plural = "" if policy.cap == 1 else "s"
        return (
            f"Differentially private: \N{GREEK SMALL LETTER EPSILON} ="
            f" {decimal_text(policy.epsilon)}{_delta(policy)} for {unit},"
            f" {'at most, and for each no more than its own limit, ' if policy.epsilon_by else ''}"
            "capped"
            f" at {policy.cap:,} point{plural} \N{MIDDLE DOT} cells: {record.grid.cell_text}"
            f" \N{MIDDLE DOT} {self.error_words()} \N{MIDDLE DOT} {consent}"
            + (
                f" \N{MIDDLE DOT} only {rule}"
                if (rule := selection_rule(record, briefly=True))
                else ""
            )
            + (
                f" \N{MIDDLE DOT} of a sample of {percent(policy.sample)} of the units"
                if policy.sample
                else ""
            )
            + (f" \N{MIDDLE DOT} {tier_words(tier)}" if (tier := record.about.tier) else "")
            + (f" \N{MIDDLE DOT} {declared}" if declared else "")
        )

    def protected_words(self) -> str:
        """Return whom the map protects."""
        unit = self.record.policy.unit
        return "each single row" if unit == "row" else f"each {unit}"

    def consent_words(self) -> str:
        """Return the consent rule."""
        consent = self.record.policy.consent
        return f"only rows with {consent}" if consent else "none was declared"

    def terms(self) -> list[list[str]]:
        """Return the cap, the consent rule, and any rule over rows, each with its name."""
        policy = self.record.policy
        points = counted_words(f"{policy.cap:,}", "point")
        cap = (
            f"at most {points} in the whole map from {self.protected_words()} ({policy.cap_origin})"
        )
        rule = selection_rule(self.record)
        return [
            ["Cap", cap],
            ["Consent rule", self.consent_words()],
            *([["Selected", f"only {rule}"]] if rule else []),
        ]

    def promise_words(self) -> str:
        """Say in a sentence or two what the map promises, for a reader who sees no more of the
        statement.
        """
        return odds_words(self.record.policy, one_of_several=self.record.about.tier is not None)

    def odds(self) -> Odds:
        """Return how far odds may move about whether anyone took part, and about where: the
        factor, and the statement's sentence.

        None stands for what such a statement says nothing of.
        """
        epsilon = self.record.policy.epsilon
        return {
            "took_part": (odds_factor(epsilon), took_part_words(epsilon)),
            "where": (odds_factor(epsilon, 2), where_words(epsilon)),
        }

    def alt_text(self, estimate: Estimate) -> str:
        """Describe the map for a reader who cannot see it."""
        sure = distinguishable(estimate)
        words = self.seen(estimate, sure)
        if sure.any():
            values = np.where(sure, self.map.shown(estimate.values), np.nan)
            low, high = (style.number(float(end)) for end in (np.nanmin(values), np.nanmax(values)))
            words.append(f"Their {self.value_words} run from {low} to {high}.")
        return " ".join([*words, self.provenance() + "."])

    def seen(self, estimate: Estimate, sure: NDArray[np.bool_]) -> list[str]:
        """Describe what is to be seen: how much of the land surely holds something."""
        grid = self.record.grid
        share = float(grid.square_km[sure].sum() / grid.square_km[grid.inside].sum())
        alone, blocks = (
            (int(sure.sum()), 0)
            if isinstance(estimate, Believing)
            else count_regions(estimate, sure)
        )
        hold = "holds" if alone + blocks == 1 else "hold"
        holding = (
            f"{regions_text(alone, blocks)}, {part_text(share)} of the area, surely {hold}"
            " something"
            if sure.any()
            else ""
        )
        return [
            f"Map of {clean(self.record.title)}: {noun(self.record)} per square kilometre, capped,",
            f"in {grid.cells_inside:,} cells ({grid.cell_text}).",
            (
                f"{holding}; the rest is not distinguishable from none, which does not mean that it"
                " is empty."
                if holding
                else "Nothing is distinguishable from none, which does not mean that all is empty."
            ),
        ]

    def facts(self) -> dict[str, str]:
        """Return the statement as plain pairs, for the tags and tables of GIS layers."""
        record = self.record
        policy = self.record.policy
        receipt = self.record.receipt
        plain = {
            "dataset": record.title,
            "released_on": record.released_on,
            "release_id": receipt.release_id,
            "ledger_head": receipt.head,
            "epsilon": decimal_text(policy.epsilon),
            **({} if policy.delta is None else {"delta": decimal_text(policy.delta)}),
            **({"tier": tier_words(tier)} if (tier := record.about.tier) else {}),
            "unit": policy.unit,
            "cap": str(policy.cap),
            "cap_origin": policy.cap_origin,
            "limiter": policy.limiter,
            **({} if policy.epsilon_by is None else {"epsilon_by": str(policy.epsilon_by)}),
            "consent": str(policy.consent) if policy.consent else "none",
            **({"selected": rule} if (rule := selection_rule(record)) else {}),
            "cells": record.grid.cell_text,
            **({"cell_codes": title} if (title := official.title(record.grid)) else {}),
            "noise": self.noise_words(),
            **self.error_facts(),
            "strategy": record.strategy,
            **({"priors": priors_words(record)} if record.priors else {}),
            **record.about.governance.facts(),
            "statement": self.provenance(),
            "reading": (
                f"Cells marked {self.unsure_words()} may hold records or none; they must not be"
                " read as absence."
            ),
        }
        return {key: clean(value) for key, value in plain.items()}

    def error_facts(self) -> dict[str, str]:
        """Return how sure the map is, as a pair."""
        return {"half_width_90": style.number(self.map.half_width())}

    def noise_words(self) -> str:
        """Say the law of the noise, for the tags of a layer."""
        return law_words(self.record.policy, list(self.record.measurements))

    def regions_words(self, measurement: Measurement) -> str:
        """Say what the noise of a measurement was added to."""
        regions = measurement.partition.regions
        return f"{regions:,} {'region' if regions == 1 else 'regions'}"

    def noised_words(self) -> str:
        """Say in one sentence where and when the noise came in."""
        return "Random noise was added to each measured number before it left the survey."

    def withheld_words(self) -> str:
        """Say in one sentence what exists of the survey and is not given."""
        unit = self.record.policy.unit
        who = "" if unit == "row" else f", who or what stands behind them ({clean(unit)})"
        return (
            f"Exact places, dates and other details of {noun(self.record)}{who}, and exact totals,"
            " are withheld."
        )

    def listed_words(self) -> str:
        """Say which cells the map tells about."""
        return "every cell is in the map, empty ones too"

    def mean_words(self) -> str:
        """Say what the map tells the mean of, if it does."""
        return ""

    def accuracy(self) -> str:
        """Return the statement's section on how sure the map is."""
        record = self.record
        last = self.record.last
        scale = float(last.scale)
        detectable = last.law.detectable(0.9) / last.lattice
        mean = "the mean absolute error" if record.policy.delta is None else "the standard error"
        what = "cell" if self.map.alone().any() else "block of cells"
        return (
            f"## How sure it is\n\n- Noise scale of a {what} measured by itself: {scale:.4g} points"
            f" ({mean}).\n- In 90 % of draws its noise is at most {self.map.half_width():.4g}"
            " points, either way. Where answers were combined, intervals rest on all of them, and"
            " can be narrower or wider."
            f"\n- Smallest total of such a {what} that is distinguishable from none at least half"
            f" of the time: about {detectable:.3g}"
            f" points.\n{survey_line(self.survey_words())}- All intervals are for the capped"
            " totals; what the cap left out is not in them."
        )

    def ledger_words(self) -> str:
        """Say where the registry's reader finds the ledger."""
        receipt = self.record.receipt
        return f"Ledger event {receipt.event}, head {receipt.head}"


def law_words(policy: Policy, measurements: list[Measurement]) -> str:
    """Say the law of the noise and its scales."""
    scales = sorted(
        {decimal_text(scale) for measurement in measurements for scale in measurement.pooled_scales}
    )
    law = "discrete Laplace, scale" if policy.delta is None else "discrete Gaussian, deviation"
    return f"{law} {', '.join(scales)} points"


def _delta(policy: Policy) -> str:
    """Say the chance that epsilon does not hold, if one was allowed."""
    if policy.delta is None:
        return ""
    return f", \N{GREEK SMALL LETTER DELTA} = {decimal_text(policy.delta)} ({one_in(policy.delta)})"
