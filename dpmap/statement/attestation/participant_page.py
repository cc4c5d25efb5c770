"""Says to whoever is in a survey what can be learned about her: in half a page, in words for
people without mathematics.
"""

from dataclasses import dataclass
from fractions import Fraction

from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor
from dpmap.numbers import one_in, percent
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record import Record
from dpmap.statement.attestation.odds import most_of_even, most_of_rare, spent_on_unit
from dpmap.statement.phrases import WEAK, counted, listed, plain

Said = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Holds the page: what it is about, sentences before the table of chances, its rows, and
    sentences after it.
    """

    about: str
    before: Said
    rows: tuple[tuple[str, str], ...]
    after: Said


def curated(record: Record) -> Page:
    """Returns the page for a map that one curator released."""
    policy = record.policy
    moved, where = odds_factor(policy.epsilon), odds_factor(policy.epsilon, 2)
    you = "your record is in the survey" if policy.unit == "row" else "you are in the survey"
    one = "kinds, times or places" if record.grid.axes else "places"
    return Page(
        f"About the map {plain(record.heading)}, released {plain(record.released_on)}.",
        (
            (
                "Who is \N{LEFT DOUBLE QUOTATION MARK}you\N{RIGHT DOUBLE QUOTATION MARK} here?",
                _you(policy),
            ),
            _stranger(policy),
        ),
        (
            (f"50 in 100 that {you}", most_of_even(moved)),
            (f"1 in 1,000 that {you}", most_of_rare(moved)),
            (
                f"50 in 100 for one of two {one} that may be yours, knowing that {you}",
                most_of_even(where),
            ),
        ),
        (
            ("Your part in the map.", _part(policy)),
            ("What stays visible.", _visible(policy)),
            ("Other maps.", _others(record)),
            ("Whom to ask.", _ask(record, survey=True)),
        ),
    )


def _you(policy: Policy) -> str:
    """Says who comes and goes as one."""
    if policy.unit == "row":
        return (
            "The giver of one record. If you gave several, each is hidden by itself; **you as a"
            " person are not**."
        )
    site = f" Each {plain(policy.site)} is hidden in the same way." if policy.site else ""
    return (
        f"Whoever or whatever the survey's column {plain(policy.unit)} names; all records under one"
        " such name are yours. If you speak for a place or an animal that is named there, read"
        f" \N{LEFT DOUBLE QUOTATION MARK}it\N{RIGHT DOUBLE QUOTATION MARK} for"
        f" \N{LEFT DOUBLE QUOTATION MARK}you\N{RIGHT DOUBLE QUOTATION MARK}.{site}"
    )


def _stranger(policy: Policy) -> tuple[str, str]:
    """Says against whom the numbers hold."""
    chance = policy.delta and policy.delta * (
        2 + int(odds_factor(policy.epsilon))
    )  # about where it is up to 1 + e^epsilon deltas
    but = f" But for a chance of {one_in(chance)}, the" if chance else " The"
    weak = (
        " **These numbers are so high that the map hides next to nothing about you.**"
        if policy.epsilon > WEAK
        else ""
    )
    own = " If you stated a lower limit, yours are lower." if policy.epsilon_by else ""
    return (
        "What can a stranger learn?",
        (
            f"Take somebody who knows everything about everybody else.{but} map changes what she"
            f" can think of you by no more than this.{own}{weak}"
        ),
    )


def _part(policy: Policy) -> str:
    """Says the cap in words."""
    drawn = (
        f" Only about {percent(policy.sample)} of all were drawn by lot to count; nobody knows who."
        if policy.sample
        else ""
    )
    if policy.unit == "row":
        return f"A record counts for at most {counted(f'{policy.cap:,}', 'point')}.{drawn}"
    if policy.site:
        return (
            f"You count for at most {counted(f'{policy.cap:,}', 'visit')} in the whole map, each"
            f" {plain(policy.site)} for at most {policy.site_cap:,}."
        )
    what = "cell" if LIMITERS[policy.limiter].by_cell else "record"
    own = ", or for less if you stated a lower limit" if policy.epsilon_by else ""
    return (
        f"However many records are yours, you count for at most {counted(f'{policy.cap:,}', what)}"
        f" in the whole map{own}.{drawn}"
    )


def _visible(policy: Policy) -> str:
    """Says what is not hidden."""
    group = (
        "A place where many of you have records may be seen, but not who is among them."
        if policy.unit != "row"
        else "A place with many records may be seen."
    )
    return (
        f"{group} What is true without you is shown, too: where there is much, the map says so,"
        " with you or without you. And several who belong together, a family, a team, neighbouring"
        " sites, are hidden less well than one alone."
    )


def _others(record: Record) -> str:
    """Says what all maps of the ledger, and other publications, mean."""
    tier, others, spent = record.about.tier, record.about.others, spent_on_unit(record)
    all_of = "All of them" if others is None else "Those that protect you,"
    told = "The survey's ledger keeps count of all its maps."
    if spent is not None:
        told += (
            f" {all_of} up to this one, put together, bring 50 in 100 to at most"
            f" {most_of_even(odds_factor(spent))}; all that it will ever allow, to"
            f" {most_of_even(odds_factor(record.receipt.budget))}."
        )
    if others is not None:
        told += " Its others protect somebody else, and promise you nothing."
    if tier is not None:
        told += (
            " Some readers have finer maps than this: the finest brings 50 in 100 to at most"
            f" {most_of_even(odds_factor(Fraction(tier.dearest)))}."
        )
    said = record.about.governance.also_published
    also = (
        f" Published besides: {'; '.join(plain(line) for line in said)}."
        if said
        else " Whether anything else was published of these records: not declared."
    )
    return told + also


def _ask(record: Record, *, survey: bool) -> str:
    """Says whom to ask, until when the map may be used, and who can read the survey."""
    said = record.about.governance
    who = (
        f"{plain(said.authorised_by)}."
        if said.authorised_by
        else "Whoever gave you this page; who authorised the map is not declared."
    )
    until = (
        f" The map may be used until {plain(said.expires)}."
        if said.expires
        else " Until when the map may be used is not declared."
    )
    kept = (
        f" Who can read the records themselves, and for how long: {plain(said.retention)}."
        if said.retention
        else " Who can read the records themselves, and for how long, is not declared."
    )
    return who + until + (kept if survey else "")


def merged(record: Record) -> Page:
    """Returns the page for several partners' maps in one."""
    policy, apart = record.policy, record.about.disjoint
    moved = odds_factor(policy.epsilon)
    names = listed([plain(one.receipt.dataset) for one in record.partners])
    one = (
        f"That holds if you are in one of these surveys only; {plain(apart.signed_by)} declares"
        " that nobody is in two."
        if apart
        else (
            "That holds even if you are in all of these surveys; in one alone, the numbers are"
            " lower."
        )
    )
    caps = listed([f"{one.policy.cap:,}" for one in record.partners])
    return Page(
        f"About a map that adds up {len(record.partners)} maps ({names}), released"
        f" {plain(record.released_on)}.",
        (
            (
                "Who is \N{LEFT DOUBLE QUOTATION MARK}you\N{RIGHT DOUBLE QUOTATION MARK} here?",
                _you(policy),
            ),
            (_stranger(policy)[0], f"{_stranger(policy)[1]} {one}"),
        ),
        (
            ("50 in 100 that you are in them", most_of_even(moved)),
            ("1 in 1,000 that you are in them", most_of_rare(moved)),
        ),
        (
            (
                "Your part in the map.",
                (
                    f"However many records are yours, you count for at most {caps} in these"
                    " surveys, in their order."
                ),
            ),
            ("What stays visible.", _visible(policy)),
            (
                "Other maps.",
                (
                    "Each partner may have released other maps of the same records; the page beside"
                    " each partner's own map says what they come to."
                ),
            ),
            ("Whom to ask.", _ask(record, survey=True)),
        ),
    )


def local(record: Record) -> Page:
    """Returns the page for a map of answers that devices randomised."""
    moved = odds_factor(record.policy.epsilon)
    question = record.about.question
    asked = f": {plain(question)}" if question else "."
    return Page(
        f"About the map {plain(record.heading)}, released {plain(record.released_on)}.",
        (
            (
                "Who is \N{LEFT DOUBLE QUOTATION MARK}you\N{RIGHT DOUBLE QUOTATION MARK} here?",
                f"Each volunteer who sent an answer{asked}",
            ),
            (
                "What can a stranger learn?",
                (
                    "Your own device changed your answer by chance before it sent it. So these"
                    " numbers hold for whoever collected the answers, too."
                ),
            ),
        ),
        (
            ("50 in 100 for one of two places that you may have named", most_of_even(moved)),
            ("1 in 1,000 for a place that you may have named", most_of_rare(moved)),
        ),
        (
            (
                "Your part in the map.",
                f"You count once, among {reports_of(record).count:,} answers.",
            ),
            (
                "What stays visible.",
                (
                    "That you sent an answer, and when. A place that many volunteers name, but not"
                    " who they are."
                ),
            ),
            (
                "Other questions.",
                (
                    "If you answered other questions, what can be learned adds up; which ones were"
                    " asked is not declared."
                ),
            ),
            ("Whom to ask.", _ask(record, survey=False)),
        ),
    )
