"""Says to whoever is in a survey what can be learned about her, in half a page."""

from fractions import Fraction

from dpmap.maps import kind_of_layers
from dpmap.noise.theory import odds_factor
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record import Record
from dpmap.statement.document import fill_document

TEMPLATES = {"merged": "merged_participant.md", "reports": "reports_participant.md"}
"""The template of each kind of map that no single curator released."""


def participant_text(record: Record) -> str:
    """Return the page in Markdown: a paragraph for each question, and a table of chances."""
    policy = record.policy
    return fill_document(
        TEMPLATES.get(kind_of_layers(record), "participant.md"),
        record,
        chance=_chance_of_failure(policy),
        counts_cells=LIMITERS[policy.limiter].by_cell,
    )


def _chance_of_failure(policy: Policy) -> Fraction | None:
    """Return the chance that the numbers of the page do not hold; about where somebody is, it is up
    to 1 + e^epsilon deltas.
    """
    if policy.delta is None:
        return None
    return policy.delta * (2 + int(odds_factor(policy.epsilon)))
