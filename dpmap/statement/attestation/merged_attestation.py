"""Answers what is otherwise for several partners' maps in one; what may differ between partners
stands in their own attestations.
"""

from dataclasses import replace

from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.attestation import curator_attestation
from dpmap.statement.attestation.odds import least_of_even, most_of_even, most_of_rare
from dpmap.statement.attestation.questions import (
    NOT_MEASURED,
    Answering,
    AttestedAnswer,
    Evidence,
    kept,
    promised,
    proved,
    recorded,
    tried,
    typed,
)
from dpmap.statement.phrases import WEAK, and_site, listed, plain, selected, unit_words

OWN = "Partners may differ in this: it stands in the attestation of each partner's own release."
ADDED = tried(
    "test_merging.py::test_one_persons_loss_is_the_sum_or_where_signed_apart_the_largest",
    "what one unit loses",
)
FILES = recorded("partners", "each partner's release, whole")


def _each(record: Record) -> str:
    return listed([plain(one.receipt.dataset) for one in record.partners])


def published(record: Record) -> AttestedAnswer:
    """Says that sums of released numbers are out, and nothing else."""
    return AttestedAnswer(
        f"Sums of {len(record.partners)} released maps ({_each(record)}), cell by cell. Adding them"
        " up read no survey and cost nothing. No record is published, and no point was moved.",
        "record",
        (
            FILES,
            tried(
                "test_merging.py::test_a_file_that_claims_what_its_partners_do_not_is_refused",
                "the sums are those of the partners",
            ),
        ),
    )


def trust(record: Record) -> AttestedAnswer:
    """Says that each partner is trusted with her own survey alone."""
    said = curator_attestation.ANSWERS["trust"](record)
    text = (
        "Each partner is trusted with her own survey and ledger, and so is her computer; no partner"
        " saw another's. Nobody else is: whoever has the map may know everything about all others,"
        " and compute whatever can be computed (central model at each partner, no questions"
        " answered later)."
    )
    return replace(said, text=text)


def unit(record: Record) -> AttestedAnswer:
    """Says whom all partners protect."""
    return AttestedAnswer(
        f"Protected: **{unit_words(record.policy)}**{and_site(record.policy)}, in each partner's"
        " survey. Surveys that the promise compares differ by *all* rows of one unit, added or"
        " removed (the unbounded form).",
        "record",
        (
            recorded("policy.unit", "the same in all partners' releases"),
            promised("Definition", "what a unit is"),
        ),
    )


def contributions(record: Record) -> AttestedAnswer:
    """Lists the partners' caps."""
    caps = "\n".join(
        f"- {plain(one.receipt.dataset)}: at most {one.policy.cap} points of one unit, limiter"
        f" `{one.policy.limiter}`."
        for one in record.partners
    )
    return AttestedAnswer(
        f"{caps}\n- A unit that is in several of them adds up to the sum of their caps.",
        "record",
        (FILES, proved("dpmap/vault/cap_sql.py", "each partner's cap")),
    )


def rows(record: Record) -> AttestedAnswer:
    """Lists the partners' consent rules and rules over rows."""
    lines = []
    for one in record.partners:
        rule = f"; {plain(selected(one))}" if selected(one) else ""
        consent = plain(str(one.policy.consent)) if one.policy.consent else "no consent rule"
        lines.append(f"- {plain(one.receipt.dataset)}: {consent}{rule}.")
    return AttestedAnswer(
        "\n".join(lines), "record", (FILES, promised("From the first byte", "how rows are read"))
    )


def choices(record: Record) -> AttestedAnswer:
    """Lists where the partners' caps came from."""
    lines = "\n".join(
        f"- {plain(one.receipt.dataset)}: cap {plain(one.policy.cap_origin)}."
        for one in record.partners
    )
    return AttestedAnswer(
        f"{lines}\n- {OWN}",
        "record",
        (FILES, promised("Public inputs", "none is read off the survey's rows")),
    )


def epsilon(record: Record) -> AttestedAnswer:
    """Says what one unit loses by all partners' maps together, and on whose word it is less than
    the sum.
    """
    policy, apart, moved = record.policy, record.about.disjoint, odds_factor(record.policy.epsilon)
    weak = (
        "\n- With epsilon this large the bound says next to nothing."
        if policy.epsilon > WEAK
        else ""
    )
    how = (
        "the largest of them, since no unit is in two of the data sets, as"
        f" {plain(apart.signed_by)} declares. Where one is in two, it is the sum"
        if apart
        else "the sum of theirs, for a unit that is in all of them"
    )
    each = "\n".join(
        f"- {plain(one.receipt.dataset)}: epsilon {decimal_text(one.policy.epsilon)}."
        for one in record.partners
    )
    return AttestedAnswer(
        f"Epsilon is {decimal_text(policy.epsilon)}: {how}.\n\n{each}\n- Whether any one unit took"
        f" part: who gives it 50 in 100 can come to {most_of_even(moved)} at most and"
        f" {least_of_even(moved)} at least; who gives it 1 in 1,000, to {most_of_rare(moved)} at"
        f" most.{weak}",
        "declared" if apart else "record",
        (FILES, ADDED, promised("Over the years", "how partners' maps add up")),
    )


def composition(record: Record) -> AttestedAnswer:
    """Lists each partner's place in her ledger."""
    lines = "\n".join(
        f"- {plain(one.receipt.dataset)}: event {one.receipt.event}, head"
        f" {plain(one.receipt.head)}; {decimal_text(one.receipt.spent)} of"
        f" {decimal_text(one.receipt.budget)} spent up to it."
        for one in record.partners
    )
    return AttestedAnswer(
        f"{lines}\n- Other releases of the same data sets add to this: each partner's ledger holds"
        " them. No budget resets.",
        "record",
        (
            *_heads(record),
            ADDED,
            typed("dpmap ledger LEDGER --against release.dpmap", "for each partner's own release"),
        ),
    )


def _heads(record: Record) -> tuple[Evidence, ...]:
    return tuple(
        kept(
            plain(one.receipt.head).strip("`"),
            f"event {one.receipt.event} of that partner's ledger",
        )
        for one in record.partners
    )


def randomness(record: Record) -> AttestedAnswer:
    """Says that the noise is the sum of the partners' noises."""
    lines = "\n".join(
        f"- {plain(one.receipt.dataset)}: scale {decimal_text(one.last.scale)} points in a cell"
        " measured by itself."
        for one in record.partners
    )
    return AttestedAnswer(
        "The noise is the sum of the partners' own, each drawn exactly from the entropy of the"
        f" partner's operating system:\n\n{lines}\n\nThat entropy's quality: {NOT_MEASURED}",
        "record",
        (
            FILES,
            proved("dpmap/vault/laplace.py", "the law of each"),
            tried("vault/test_laplace.py::test_no_seed_steers_the_noise", "no seed"),
        ),
    )


ANSWERS: Answering = {
    **curator_attestation.ANSWERS,
    "published": published,
    "trust": trust,
    "unit": unit,
    "contributions": contributions,
    "rows": rows,
    "choices": choices,
    "epsilon": epsilon,
    "composition": composition,
    "randomness": randomness,
}
