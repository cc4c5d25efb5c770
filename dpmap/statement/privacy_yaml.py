"""Writes `privacy.yaml`: the release in the schema of OpenDP's registry of deployments, ready to be
submitted.

The schema is `schemas/deployments-schema.yaml` of github.com/opendp/deployments-registry-data. It
allows no fields of its own, so the governance declared by the steward stands in its free-text
fields: the purpose as the intended use, who authorised it as the curator, and all of it again in
the notes.
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid import official
from dpmap.maps import kind_of_layers, read_map
from dpmap.noise.zcdp import rho
from dpmap.numbers import decimal_text, percent
from dpmap.promise.governance import WORDS
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record import Record
from dpmap.statement import local_deployment
from dpmap.statement.extent import box
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import (
    again_words,
    clean,
    noun,
    priors_words,
    rows_chosen_words,
    selection_rule,
    tier_words,
)

UNKNOWN = "Not declared"


def privacy_yaml(record: Record) -> str:
    """Returns the whole file, made from the record alone."""
    return (
        "# Schema: github.com/opendp/deployments-registry-data, schemas/deployments-schema.yaml\n"
        + emit(description(record))
    )


def write_privacy_yaml(record: Record, path: "str | os.PathLike[str]") -> None:
    """Writes `privacy.yaml`."""
    with written_aside(path) as aside:
        aside.write_text(privacy_yaml(record), encoding="utf-8")


def description(record: Record) -> dict[str, Any]:
    """Describes the release in the registry's words; every field is filled, as its third and
    most complete tier asks.
    """
    return {
        "url_slug": slug(f"{record.heading} dpmap {record.released_on}"),
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": _basic(record),
            **DEPLOYMENTS.get(kind_of_layers(record), central)(record),
            "administrative": _administrative(record),
        },
    }


def central(record: Record) -> dict[str, Any]:
    """Says how a curator's map was made; this part differs where no curator is trusted."""
    return {
        "dp_variant": _variant(record),
        "privacy_loss": _loss(record),
        "deployment_model": _model(record),
        "accounting": _accounting(record),
        "implementation": _implementation(record),
    }


def _refuse_merged(record: Record) -> NoReturn:
    """Refuse a merged map, which is no deployment."""
    del record
    raise BadInput(
        "privacy.yaml: a merged map is no deployment of its own; keep those of the partners'"
        " releases"
    )


DEPLOYMENTS: dict[str, Callable[[Record], dict[str, Any]]] = {
    "merged": _refuse_merged,
    "reports": local_deployment.description,
}
"""How a map was made, in the registry's words, for kinds that no single curator released."""


def _basic(record: Record) -> dict[str, Any]:
    governance = record.about.governance
    return {
        "name": f"{record.receipt.dataset} (private heatmap)",
        "data_curators": [governance.authorised_by or UNKNOWN],
        "intended_use": governance.purpose or UNKNOWN,
        "data_product_type": "Summary statistics",
        "data_product_region": _region(record),
        "description": (
            f"{map_statement(record).product} of {noun(record)} in {map_statement(record).cells:,}"
            f" cells ({record.grid.cell_text}), with noise added to each measured total. No point"
            f" was moved and none is shown.{_coded(record)}"
        ),
        "publication_date": record.released_on,
    }


def _coded(record: Record) -> str:
    """Says of which official grid the cells are, if of one."""
    title = official.title(record.grid)
    return f" The {title}." if title else ""


def _variant(record: Record) -> dict[str, str]:
    policy = record.policy
    columns = "place" if policy.unit == "row" else f"place and unit ({policy.unit})"
    return {
        "variant_name": "Pure DP" if policy.delta is None else "Approximate DP",
        "data_domain": f"All surveys whose rows have a {columns}. {_consent(record)}",
        "unprotected_quantities": (
            "None read off the data. Declared and public: study area, grid, cap, epsilon, consent"
            f" rule, {'rule over rows, ' if selection_rule(record) else ''}strategy, name of the"
            " data"
            f" set, date.{_priors(record)}"
        ),
    }


def _loss(record: Record) -> dict[str, Any]:
    policy = record.policy
    who = "One row" if policy.unit == "row" else f"All rows of one {policy.unit}"
    who += "" if policy.site is None else f"; also all rows of one {policy.site}"
    return {
        "privacy_unit": who,
        "privacy_unit_details": (
            f"Adjacent data sets differ by adding or removing all rows of one unit. {_cap(policy)}"
            f" So adjacent data sets differ by at most {policy.cap} in L1 over all cells"
            + (
                "."
                if policy.delta is None
                else f", and by at most the square root of {policy.cap} in L2."
            )
        ),
        "privacy_parameters": {
            "epsilon": float(policy.epsilon),
            **({} if policy.delta is None else {"delta": float(policy.delta)}),
        },
        "privacy_parameters_details": (
            f"epsilon is exactly {decimal_text(policy.epsilon)}; delta is"
            f" {decimal_text(policy.delta or Fraction(0))}. It bounds what can be learned about"
            " whether a unit took part; about where a unit that took part reported, the bound is"
            f" twice that.{_own_limits(policy)}{_tiers(record)}"
        ),
    }


def _model(record: Record) -> dict[str, str]:
    receipt = record.receipt
    others = record.about.others
    own_sum = (
        ""
        if others is None
        else (
            f" Releases by this one's unit come to {clean(others.spent)}; others protect other"
            " units."
        )
    )
    return {
        "model_name": "Central",
        "actors": (
            "The steward holds the survey and the ledger and is trusted. Everyone else sees only"
            " the release and may be an adversary with any knowledge and any means."
        ),
        "release_type": (
            "Many releases" if receipt.event > 1 or receipt.remaining > 0 else "One release"
        ),
        "release_type_details": (
            "Releases add up in a ledger with a fixed budget that never resets:"
            f" {decimal_text(receipt.spent)} of {decimal_text(receipt.budget)} is spent after this"
            f" one.{own_sum}"
        ),
        "data_source_type": "Static",
        "access_type": "Non-interactive",
    }


def _accounting(record: Record) -> dict[str, str]:
    policy = record.policy
    parts = " + ".join(decimal_text(measurement.epsilon) for measurement in record.measurements)
    if policy.choosing:
        parts = f"{decimal_text(policy.choosing)} (the choice of the cap) + {parts}"
    if policy.sample is not None:
        parts = (
            f"{parts}, on units drawn with a chance of {percent(policy.sample)}, amplified to"
            " epsilon"
        )
    if policy.delta is not None:
        parts = (
            f"{parts}, as zero-concentrated DP at rho"
            f" {decimal_text(rho(policy.measuring, policy.delta))}"
        )
    return {
        "post_processing": (
            "Estimates, intervals, maps, layers, zone totals and hot spots all derive from the"
            " noisy totals, which are kept in the release, signed, as drawn."
        ),
        "composition": (
            "Disjoint regions measured once compose in parallel; repeated measurements and later"
            f" releases add up. This release: {parts} ="
            f" {decimal_text(policy.epsilon)}.{_copies(record)}"
        ),
    }


def _implementation(record: Record) -> dict[str, str]:
    policy = record.policy
    origin = {
        "declared": "declared beforehand",
        "chosen privately": "chosen privately, paid for out of epsilon",
    }.get(policy.cap_origin, "chosen after looking at the data, which the guarantee does not cover")
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    brought = ", the releaser's own, told noisy answers only" if record.custom_strategy else ""
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"{_consent(record)} Rows without a usable place or unit, and rows outside the declared"
            f" area, were dropped one by one. The cap was {origin}; the area, grid and epsilon are"
            f" declared inputs.{_given(record)}"
        ),
        "mechanisms": (
            f"Discrete {record.measurements[-1].kind.title()} noise: {_noise(record)} (strategy"
            f" {record.strategy}{brought}). Weights are fixed-point integers and the noise is drawn"
            " exactly from the operating system's entropy, so no floating point stands between a"
            " total and its noise. Epsilon is reserved on disk, in a hash-chained ledger, before"
            f" the first draw. Software: {versions}."
        ),
        "justification": (
            "The noise of a region measured by itself is within"
            f" {style.number(read_map(record).half_width())} in 90 % of draws. " + _why(policy)
        ),
    }


def _why(policy: Policy) -> str:
    """Says why the mechanism was chosen."""
    if policy.delta is None:
        return (
            "Laplace noise on disjoint cells gives pure differential privacy with an error that is"
            " known beforehand."
        )
    return (
        "Gaussian noise is the smaller where one unit touches many cells. A unit's cells were"
        f" capped in L2 too, to the square root of {policy.cap}, and delta is bounded by a tenth of"
        " one over the declared number of units."
    )


def _administrative(record: Record) -> dict[str, Any]:
    receipt = record.receipt
    governance = record.about.governance
    notes = [f"{map_statement(record).ledger_words()}, release {receipt.release_id}."]
    notes += [f"{WORDS[name]}: {value}." for name, value in governance.facts().items()]
    return {
        "notes": "\n".join(notes),
        "registry_authors": [
            f"dpmap {record.versions.get('dpmap', '')}, from the release file".replace(" ,", ",")
        ],
    }


def _consent(record: Record) -> str:
    """Says which rows count by declared rules: that of consent, and any over a row's own
    columns.
    """
    consent = record.policy.consent
    rule = selection_rule(record)
    consent_words = (
        f"Only rows with consent count ({consent})." if consent else "No consent rule was declared."
    )
    return (
        f"{consent_words} {'Of these, only' if consent else 'Only'}"
        f" {rule}{'' if consent else ' count'}."
        if rule
        else consent_words
    )


def _given(record: Record) -> str:
    """Says who or what chose the rows before they were read, if the record tells it."""
    chosen_words = rows_chosen_words(record).replace("`", '"')
    return f" {chosen_words}" if chosen_words else ""


def _priors(record: Record) -> str:
    """Names what was public beforehand, each by the hash of its content."""
    return f" {words}" if (words := priors_words(record)) else ""


def _own_limits(policy: Policy) -> str:
    """Says what personal limits mean for epsilon."""
    if policy.epsilon_by is None:
        return ""
    levels = ", ".join(map(decimal_text, policy.own_limits))
    return (
        " Personalised: that is for units who allow all of it; any other's epsilon is the limit"
        f" that its own rows state, rounded down to one of {levels}, by a cap smaller in that"
        " proportion."
    )


def _tiers(record: Record) -> str:
    """Says which tier of a draw this is, and what holding several means for epsilon."""
    if (tier := record.about.tier) is None:
        return ""
    return (
        f" This is the {tier_words(tier)}. (The registry's own field `tier` says how much is"
        " described here, and is not this.) Epsilon is that of whoever holds this map alone."
        " Whoever holds several learns no more than the finest of them tells: its epsilon, never"
        f" the sum. The draw cost epsilon {tier.dearest}, once for all its tiers."
    )


def _copies(record: Record) -> str:
    """Says how the tiers of one draw compose."""
    tier = record.about.tier
    copies_words = (
        " The noisier tiers of this draw are noisier copies of its finest one: together they cost"
        " what that costs."
    )
    return "" if tier is None else copies_words


def _cap(policy: Policy) -> str:
    how = LIMITERS[policy.limiter].registry
    return f"No unit adds more than {policy.cap} to the whole map ({how})."


def _noise(record: Record) -> str:
    parts = [
        f"scale {decimal_text(measurement.scale)}{again_words(measurement)} on"
        f" {map_statement(record).regions_words(measurement)}"
        for measurement in record.measurements
    ]
    return "; ".join(parts)


def _region(record: Record) -> str:
    """Says the declared area's bounds in words: public, and never the survey's own."""
    west, south, east, north = box(record.grid)
    return (
        f"Declared area within {_degrees(south, 'S', 'N')} to {_degrees(north, 'S', 'N')}, "
        f"{_degrees(west, 'W', 'E')} to {_degrees(east, 'W', 'E')}"
    )


def _degrees(value: float, below: str, above: str) -> str:
    """Writes a rounded coordinate.

    >>> _degrees(-3.25, "W", "E")
    '3.2 W'
    """
    return f"{abs(value):.1f} {below if value < 0 else above}"


def slug(text: str) -> str:
    """Makes lower-case words joined by hyphens.

    >>> slug("Águilas & nidos: 2026!")
    'aguilas-nidos-2026'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "release"


def emit(node: Any, depth: int = 0) -> str:
    """Writes nested mappings, lists of texts, texts, booleans and numbers as YAML.

    Every text is double-quoted with JSON's escapes, which are YAML's too, so that nothing in it can
    act as YAML; what does not print is escaped.

    >>> print(emit({"a": {"b": ["x: y", "no"]}, "n": 1.0}), end="")
    a:
      b:
        - "x: y"
        - "no"
    n: 1.0
    """
    space = "  " * depth
    if isinstance(node, dict):
        lines = []
        for key, value in node.items():
            nested = isinstance(value, dict | list)
            lines.append(
                f"{space}{key}:"
                + ("\n" + emit(value, depth + 1) if nested else f" {_scalar(value)}\n")
            )
        return "".join(lines)
    return "".join(f"{space}- {_scalar(value)}\n" for value in node)


def _scalar(value: object) -> str:
    if isinstance(value, bool | int | float | np.number):
        return json.dumps(value if isinstance(value, bool | int) else float(value))
    quoted = json.dumps(str(value), ensure_ascii=False)
    return "".join(mark if mark.isprintable() else f"\\U{ord(mark):08x}" for mark in quoted)
