"""Says an attestation in a box, for a board that has one minute: who is protected, epsilon, cap,
budget, what shows, and what nobody declared.
"""

from fractions import Fraction

from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, one_in
from dpmap.record import Record
from dpmap.statement.attestation.group_size import needed
from dpmap.statement.attestation.odds import most_of_even
from dpmap.statement.attestation.questions import AttestedAnswer
from dpmap.statement.phrases import WEAK, and_site, listed, plain, unit_words

Line = tuple[str, str]
TEAM = 5
"""So many who belong together."""
ASKED = {
    "--purpose": "what it is for",
    "--authorised-by": "who authorised it",
    "--expires": "until when it may be used",
    "--also-published": "what else was published of the same data",
    "--retention": "who can reach the records",
    "--licence": "its licence",
}
"""What each flag declares, in a few words."""


def glance(record: Record, answers: tuple[AttestedAnswer, ...]) -> tuple[Line, ...]:
    """Returns the lines of the box: a name and a sentence or two each, in Markdown."""
    lines = (
        _of_reports(record)
        if record.reports
        else _of_partners(record)
        if record.partners
        else _curated(record)
    )
    return (*lines, ("What shows", needed(record)), ("Not declared", _lacking(answers)))


def _curated(record: Record) -> tuple[Line, ...]:
    """Says it of a map that one curator released."""
    policy, receipt, tier = record.policy, record.receipt, record.about.tier
    person = (
        " A person with several rows is not protected as a whole." if policy.unit == "row" else ""
    )
    finest = (
        f" Whoever has the finest map of this draw, to {_even(Fraction(tier.dearest))}."
        if tier
        else ""
    )
    delta = f", delta {decimal_text(policy.delta)}" if policy.delta else ""
    but = f" That holds but for a chance of {one_in(policy.delta)}." if policy.delta else ""
    own = " Whoever stated a lower limit has that one." if policy.epsilon_by else ""
    return (
        ("Protected", f"{unit_words(policy)}{and_site(policy)}.{person}"),
        (
            "Epsilon",
            f"{decimal_text(policy.epsilon)}{delta}: {_means(policy.epsilon)}{but}{finest}{own}",
        ),
        ("Not hidden", f"What many show alike. {_team(policy.epsilon, policy.delta)}"),
        ("Cap", _cap(record)),
        (
            "Budget",
            (
                f"{decimal_text(receipt.spent)} of {decimal_text(receipt.budget)} is spent, and it"
                f" never starts anew. {_all(receipt.budget)}"
            ),
        ),
    )


def _cap(record: Record) -> str:
    """Says how much one may add."""
    policy = record.policy
    most = (
        f"One {plain(policy.unit) if policy.unit != 'row' else 'row'} counts for at most"
        f" {policy.cap:,} in the whole map"
    )
    if policy.site:
        return f"{most}, one {plain(policy.site)} for at most {policy.site_cap:,}."
    return f"{most}{', or less by its own limit' if policy.epsilon_by else ''}."


def _of_partners(record: Record) -> tuple[Line, ...]:
    """Says it of several partners' maps in one."""
    policy, apart = record.policy, record.about.disjoint
    how = (
        f"the largest of the partners', as {plain(apart.signed_by)} declares that nobody is in two"
        " surveys"
        if apart
        else "the sum of the partners'"
    )
    caps = listed(
        [f"{one.policy.cap:,} by {plain(one.receipt.dataset)}" for one in record.partners]
    )
    spent = listed(
        [
            f"{decimal_text(one.receipt.spent)} of {decimal_text(one.receipt.budget)} by"
            f" {plain(one.receipt.dataset)}"
            for one in record.partners
        ]
    )
    return (
        ("Protected", f"{unit_words(policy)}{and_site(policy)}, in each partner's survey."),
        ("Epsilon", f"{decimal_text(policy.epsilon)}, {how}: {_means(policy.epsilon)}"),
        ("Not hidden", f"What many show alike. {_team(policy.epsilon)}"),
        ("Cap", f"One counts for at most {caps}."),
        ("Budget", f"Spent when these maps were made: {spent}. Merging costs nothing."),
    )


def _of_reports(record: Record) -> tuple[Line, ...]:
    """Says it of a map of answers that devices randomised."""
    epsilon = record.policy.epsilon
    return (
        (
            "Protected",
            "what one volunteer answered, from everybody: also from whoever collected the reports.",
        ),
        (
            "Epsilon",
            (
                f"{decimal_text(epsilon)}: whoever gives one of two answers of hers 50 in 100 can"
                f" come to {_even(epsilon)} at most.{_weak(epsilon)}"
            ),
        ),
        (
            "Not hidden",
            f"That a volunteer sent a report, and what many answer alike. {_team(epsilon)}",
        ),
        ("Cap", f"One report counts once, among {reports_of(record).count:,}."),
        (
            "Budget",
            (
                "None: no survey was collected. Other questions to the same volunteers add up, and"
                " are in no ledger."
            ),
        ),
    )


def _even(epsilon: Fraction) -> str:
    return most_of_even(odds_factor(epsilon))


def _all(budget: Fraction) -> str:
    return f"All of it would bring 50 in 100 to {_even(budget)}."


def _means(epsilon: Fraction) -> str:
    return (
        f"whoever gives it 50 in 100 that one took part can come to {_even(epsilon)} at"
        f" most.{_weak(epsilon)}"
    )


def _weak(epsilon: Fraction) -> str:
    return " **That hides next to nothing.**" if epsilon > WEAK else ""


def _team(epsilon: Fraction, delta: Fraction | None = None) -> str:
    """Says what several lose together; of k of them the chance that epsilon need not hold is k
    e^((k - 1) epsilon) times as large.
    """
    chance = TEAM * (1 + int(odds_factor(epsilon, TEAM - 1))) * delta if delta else Fraction(0)
    if chance >= 1:
        return f"Of {TEAM} who belong together nothing is said."
    but = f", but for a chance of {one_in(chance)}" if chance else ""
    return (
        f"Several who belong together are hidden less: of {TEAM} together 50 in 100 becomes"
        f" {most_of_even(odds_factor(epsilon, TEAM))} at most{but}."
    )


def _lacking(answers: tuple[AttestedAnswer, ...]) -> str:
    """Says what nobody declared, and with which flag it would have been."""
    flags = dict.fromkeys(flag for answer in answers for flag in answer.lacking)
    if not flags:
        return "Nothing that a board asks for is missing. What was declared, no program can check."
    told = listed([f"{ASKED[flag]} (`{flag}`)" for flag in flags])
    return f"{told[0].upper()}{told[1:]}."
