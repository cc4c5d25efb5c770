"""Says what a release promises, and what can be made of it, as plain values: for whoever holds
the file and nothing else.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpmap.export import suffixes
from dpmap.grid import crs as crs_tools
from dpmap.grid import official
from dpmap.grid.layer_axes import Times
from dpmap.maps import kind, kind_of_layers, read_map
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.folder import layer_folders
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun, priors_words
from dpmap.statement.statement import statement


def summarise(record: Record) -> dict[str, Any]:
    """Return what the statement says, and which pictures and layers there are; exact numbers are
    texts.

    A release in layers is drawn and written layer by layer, as `layer_kind` says.
    """
    policy = record.policy
    return {
        "kind": kind(record),
        "layer_kind": kind_of_layers(record),
        "dataset": clean(record.receipt.dataset),
        "unit": clean(policy.unit),
        "site": None if policy.site is None else clean(policy.site),
        "epsilon": decimal_text(policy.epsilon),
        "delta": None if policy.delta is None else decimal_text(Fraction(policy.delta)),
        "cap": policy.cap,
        "capped": map_statement(record).capped_words(),
        "counted": noun(record),
        "colours": map_statement(record).unit_words(),
        "cell": clean(record.grid.cell_text),
        "cell_codes": official.columns(record.grid),
        "crs": clean(crs_tools.name(record.grid.crs)),
        "cells": map_statement(record).cells,
        "made": clean(record.released_on),
        **_governed(record),
        "layers": [", ".join(names) for names in record.grid.maps if names],
        "layers_told": _layers(record),
        "tier": _tier(record),
        "priors": [{"name": clean(prior.name), "sha256": prior.sha256} for prior in record.priors],
        "priors_told": priors_words(record) or None,
        "promise": map_statement(record).promise_words(),
        "in_short": clean(map_statement(record).provenance()),
        "half_width_90": map_statement(record).facts().get("half_width_90"),
        "release_id": clean(record.receipt.release_id),
        "odds": {
            about: odds and {"factor": odds[0], "words": odds[1]}
            for about, odds in map_statement(record).odds().items()
        },
        "draw_options": read_map(record).draw_options(),
        "exports": suffixes(record),
        "statement": statement(record),
    }


def _layers(record: Record) -> list[dict[str, Any]]:
    """Return each layer's labels apart, its span of time from its first day to the day after
    its last, and its folder beside the release.
    """
    folders = layer_folders(record)
    spans = {
        (at, name): days
        for at, axis in enumerate(record.grid.axes)
        if isinstance(axis, Times)
        for name, days in zip(axis.layers, pairwise(axis.days), strict=True)
    }
    layers = []
    for names in filter(None, record.grid.maps):
        first, after = next((spans[one] for one in enumerate(names) if one in spans), (None, None))
        labels = [
            {"column": clean(axis.column), "label": name}
            for axis, name in zip(
                record.grid.axes, names, strict=False
            )  # the ends of a mean are no layers of their own
        ]
        span = {"from": first and first.isoformat(), "until": after and after.isoformat()}
        layers.append(
            {"layer": ", ".join(names), "labels": labels, **span, "folder": folders[names]}
        )
    return layers


def _governed(record: Record) -> dict[str, Any]:
    """Return what the steward declared about the map's use."""
    declared = record.about.governance
    return {
        "authorised_by": clean(declared.authorised_by) or None,
        "purpose": clean(declared.purpose) or None,
        "expires": declared.expires or None,
        "labels": [clean(label) for label in declared.labels],
    }


def _tier(record: Record) -> dict[str, Any] | None:
    """Return whose map this is of those of one draw, and the epsilon of each; None if the draw
    was for one reader.
    """
    tier = record.about.tier
    if tier is None:
        return None
    return {
        "name": clean(tier.name),
        "epsilons": {clean(name): clean(one) for name, one in tier.epsilons.items()},
    }
