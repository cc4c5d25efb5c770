"""Fills the templates of statements and attestations with the facts of a record.

A template is a text that a lawyer can read: Markdown, wrapped, with the facts in double braces.
Whatever a steward or a stranger's file has written passes the filter `code`, so that it can be
neither markup nor a line of its own.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from dpmap.grid import crs as crs_tools
from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, one_in, percent
from dpmap.promise.governance import WORDS
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record import Record
from dpmap.record.metadata import Others, Tier
from dpmap.statement import odds, phrases
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, plain
from dpmap.templates import text_templates, unwrap

LONGEST_FOOT = 80
MOST_ENTRIES = 40
LONGEST_ENTRY = 500
"""So much of notes that a release file carries stands in its statement."""


def fill_document(name: str, record: Record, /, **facts: Any) -> str:
    """Return the document of template `name` for a record, as Markdown with a line for each
    paragraph and item.
    """
    values = {
        "record": record,
        "policy": record.policy,
        "grid": record.grid,
        "receipt": record.receipt,
        "tier": record.about.tier,
        "governance": record.about.governance,
        "map": map_statement(record),
        "dearest": None if record.about.tier is None else Fraction(record.about.tier.dearest),
        "spent_on_unit": odds.spent_on_unit(record),
        "reports": reports_of(record) if record.reports else None,
        "partner_names": [plain(partner.receipt.dataset) for partner in record.partners],
    }
    return unwrap(_templates().get_template(name).render(values | facts))


@cache
def _templates() -> Environment:
    """Return the reader of templates, with the words that they share."""
    environment = text_templates("dpmap.statement")
    environment.filters |= {
        "code": plain,
        "exact": decimal_text,
        "percent": percent,
        "one_in": one_in,
        "factor": phrases.factor,
        "listed": phrases.list_words,
        "digits": lambda number, digits: f"{float(number):.{digits}g}",
        "count": phrases.count_words,
        "sentence": lambda words: words[:1].upper() + words[1:],
        "in_code": lambda text: plain(text).strip("`"),
        "most_of_even": odds.most_of_even,
        "least_of_even": odds.least_of_even,
        "most_of_rare": odds.most_of_rare,
        "lower_first": lambda words: words[:1].lower() + words[1:],
        "listed_or": lambda parts, otherwise: ", ".join(parts) or otherwise,
    }
    environment.globals |= {
        "WEAK": phrases.WEAK,
        "DECLARED_PUBLIC": phrases.DECLARED_PUBLIC,
        "odds_factor": odds_factor,
        "team_words": odds.team_words,
        "zip": zip,
        "crs_name": crs_tools.name,
        "map_statement": map_statement,
        "unit_words": phrases.unit_words,
        "and_site": phrases.and_site,
        "took_part_words": phrases.took_part_words,
        "where_words": phrases.where_words,
        "again_words": phrases.again_words,
        "official_words": phrases.official_words,
        "selected": phrases.selection_rule,
        "rows_chosen_words": phrases.rows_chosen_words,
        "survey_words": phrases.survey_words,
        "other_tiers": other_tiers,
        "other_units": other_units,
        "first_entries": first_entries,
        "governance_words": WORDS,
        "reading_notes": reading_notes,
        "limiter_words": limiter_words,
        "length_words": length_words,
    }
    return environment


def reading_notes(record: Record) -> list[tuple[str, str]]:
    """Return the notes on how the survey was read, as pairs of a part and its description."""
    return [(part, plain(words)) for part, words in record.about.read_as or ()]


def limiter_words(policy: Policy) -> str:
    """Return how the limiter keeps the cap."""
    points = phrases.count_words(str(policy.cap), "point")
    cells = phrases.count_words(str(policy.cap), "cell")
    return LIMITERS[policy.limiter].statement.format(points=points, cells=cells)


def length_words(policy: Policy) -> str:
    """Return how the length of a unit is kept, which Gaussian noise asks for; empty without."""
    length = LIMITERS[policy.limiter].length
    if policy.delta is None or length is None:
        return ""
    return length.words.format(cap=policy.cap, points=phrases.count_words(str(policy.cap), "point"))


def other_tiers(tier: Tier) -> list[str]:
    """Return the other readers of a draw, each with the epsilon of her map."""
    return [f"{plain(name)} (epsilon {plain(epsilon)})" for name, epsilon in tier.others.items()]


def other_units(others: Others) -> list[str]:
    """Return the other units that releases in the same ledger protect."""
    return ["single rows" if unit == "row" else plain(unit) for unit in others.units]


def first_entries(entries: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the first entries that a release file carries, long ones cut."""
    return [
        (_cut(str(name)), _cut(text if isinstance(text, str) else json.dumps(text)))
        for name, text in list(entries.items())[:MOST_ENTRIES]
    ]


def _cut(text: str) -> str:
    ellipsis = "\N{HORIZONTAL ELLIPSIS}"
    return text if len(text) <= LONGEST_ENTRY else text[:LONGEST_ENTRY] + ellipsis


def running_foot(what: str, record: Record) -> Markup:
    """Return the running foot's words as a text of CSS: every mark that is no letter or digit
    of ASCII as its number, so that none can end it.
    """
    name = clean(record.heading)
    name = name if len(name) <= LONGEST_FOOT else name[:LONGEST_FOOT] + "\N{HORIZONTAL ELLIPSIS}"
    text = f"{what} \N{MIDDLE DOT} {name} \N{MIDDLE DOT} {clean(record.released_on)[:20]}"
    # escaped here
    return Markup(  # noqa: S704
        "".join(
            mark if mark.isascii() and mark.isalnum() else f"\\{ord(mark):06x}" for mark in text
        )
    )
