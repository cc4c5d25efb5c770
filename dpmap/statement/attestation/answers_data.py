"""Answers the questions of the head *data*: whose records, and what became of them."""

from fractions import Fraction

from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, percent
from dpmap.record import Record
from dpmap.statement.attestation.odds import most_of_even
from dpmap.statement.attestation.questions import (
    Answering,
    AttestedAnswer,
    Evidence,
    checked,
    promised,
    proved,
    recorded,
    tried,
)
from dpmap.statement.curator_statement import capped, origin, told_of_reading, unit_told
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import and_site, factor, given, plain, selected, unit_words


def unit(record: Record) -> AttestedAnswer:
    """Says who comes and goes as one, and that surveys may differ in size (the unbounded form)."""
    policy = record.policy
    own = (
        "Each single row is its own unit, so a person with many rows is not protected as a whole. "
        if policy.unit == "row"
        else ""
    )
    told = unit_told(record, "protected", "What comes and goes as one unit:")
    return AttestedAnswer(
        f"Protected: **{unit_words(policy)}**{and_site(policy)}. {own}Surveys that the promise"
        " compares differ by *all* rows of one unit, added or removed (the unbounded form: their"
        f" sizes differ too, and the number of units is no public fact).\n\n{told}".strip(),
        "record",
        (
            recorded(
                "policy.unit" + (", policy.site" if policy.site else ""),
                "declared before the release",
            ),
            promised("Definition", "what a unit and neighbouring surveys are"),
            tried(
                "vault/test_cap.py::test_removing_one_unit_moves_the_totals_by_at_most_the_cap",
                "neighbours of many kinds, tried",
            ),
            *(
                (
                    tried(
                        "vault/test_pairs.py::test_the_theorem",
                        "both units are protected by one noise",
                    ),
                )
                if policy.site
                else ()
            ),
        ),
    )


def contributions(record: Record) -> AttestedAnswer:
    """Says the cap and how it was kept."""
    policy = record.policy
    layers = "" if () in record.grid.maps else " All layers together count under this one cap."
    return AttestedAnswer(
        f"{capped(policy)}{layers}",
        "record",
        (
            recorded("policy.cap, policy.limiter", f"cap {policy.cap}, limiter {policy.limiter}"),
            *_cap_evidence(record),
        ),
    )


def _cap_evidence(record: Record) -> tuple[Evidence, ...]:
    """Names the theorem of this cap, its tests, and the selftest's checks of it."""
    policy = record.policy
    room = "personal_caps" if policy.epsilon_by else "two_unit_cap" if policy.site else "cap_sql"
    check = "limits" if policy.epsilon_by else "sites" if policy.site else "pairs"
    return (
        proved(f"dpmap/vault/{room}.py", "the cap holds in any partition of the cells"),
        tried("vault/test_cap.py::test_the_cap_holds_through_files", "from files to totals"),
        tried(
            "attacks/test_rows.py::test_a_million_copies_of_a_row_add_no_more_than_the_cap",
            "copies gain nothing",
        ),
        checked(check),
        *((checked("layers"),) if () not in record.grid.maps else ()),
        *((checked("means"),) if record.grid.mean else ()),
        *((checked("lengths"),) if policy.delta is not None else ()),
    )


def correlated(record: Record) -> AttestedAnswer:
    """Says what several units together lose, and what the promise does not hide."""
    epsilon, policy = record.policy.epsilon, record.policy
    factors = "; ".join(group_words(k, epsilon, "units") for k in (2, 5))
    hidden = unit_told(record, "not protected", "Nor does it hide:")
    who = (
        "a person with several rows"
        if policy.unit == "row"
        else (
            f"several {plain(policy.unit)} that belong together (a family, a team, neighbouring"
            " sites)"
        )
    )
    return AttestedAnswer(
        f"Of {who}, odds move by at most a factor e^(k epsilon) for k of them together: {factors}."
        " What many show alike, a place where many are or a fact that holds without any one of"
        " them, is shown: the promise is about taking part, and does not say that nothing can be"
        " inferred." + (f"\n\n{hidden}".rstrip() if hidden else ""),
        "program",
        (
            tried("test_theory.py::test_a_group_of_five_costs_five_times_epsilon", "groups"),
            tried(
                "test_promise.py::test_a_site_that_many_report_shows_unless_it_is_the_unit",
                "a place that many report shows",
            ),
            promised("What is not protected", "the list of what is not"),
        ),
    )


def group_words(many: int, epsilon: Fraction, who: str) -> str:
    """Says what a group loses: as a factor, and as the chance that even odds can become.

    >>> group_words(2, Fraction(1, 2), "units")
    '2 units by a factor of 2.72, so that 50 in 100 becomes 74 in 100 at most'
    """
    moved = odds_factor(epsilon, many)
    return (
        f"{many} {who} by a factor of {factor(moved)}, so that 50 in 100 becomes"
        f" {most_of_even(moved)} at most"
    )


def rows(record: Record) -> AttestedAnswer:
    """Says by which declared rules rows counted."""
    policy, rule = record.policy, selected(record)
    consent = (
        f"Only rows in which {plain(policy.consent.column)} is"
        f" {' or '.join(plain(value) for value in policy.consent.values)}."
        if policy.consent
        else "No consent rule was declared: rows counted whatever they say about consent."
    )
    drawn = (
        f" Of all units a secret draw let {percent(policy.sample)} take part."
        if policy.sample
        else ""
    )
    chosen = given(record)
    read = "" if told_of_reading(record) else " How the survey was read is not in the record."
    return AttestedAnswer(
        f"{consent}{f' A declared rule: {plain(rule)}.' if rule else ''}{drawn} Rows without a"
        f" place in the area{'' if policy.unit == 'row' else ' or without a unit'} were left out"
        f" one by one; how many is not published.{read}{f' {chosen}' if chosen else ''}",
        "record",
        (
            recorded("policy.consent, about.read_as", "the rules, as declared"),
            promised(
                "From the first byte", "nobody's records change how another's are read or left out"
            ),
            tried(
                "survey/test_where.py::test_the_engine_selects_what_the_words_say",
                "a rule selects what it says",
            ),
        ),
    )


def choices(record: Record) -> AttestedAnswer:
    """Says what of the declared inputs may hang on the data, and what the record cannot know."""
    policy = record.policy
    adaptive = (
        " The regions were chosen by noisy answers, which epsilon pays for."
        if record.strategy == "adaptive"
        else ""
    )
    return AttestedAnswer(
        f"The cap was {origin(policy)}.{adaptive} Area, cells, epsilon, unit and rules are declared"
        " inputs, of which the program reads nothing off the data; whether the steward had looked"
        " at the data before she declared them is not declared.",
        "record",
        (
            recorded("policy.cap_origin", plain(policy.cap_origin).strip("`")),
            tried(
                "test_statement.py::test_it_says_the_limiter_the_cap_and_its_origin",
                "the origin is said",
            ),
            *(
                (
                    tried(
                        "vault/test_choose.py::test_choices_follow_the_law",
                        "a private choice has its exact chances",
                    ),
                    proved("dpmap/vault/permute_and_flip.py", "what the choice of a cap costs"),
                )
                if policy.cap_choice
                else ()
            ),
            promised("Public inputs", "none is read off the survey's rows"),
        ),
    )


def invariants(record: Record) -> AttestedAnswer:
    """Says that no count is published without noise, and what is public by declaration."""
    rule = " rule over rows," if selected(record) else ""
    listed = map_statement(record).listed_words()
    return AttestedAnswer(
        "Nothing that was read off the data. Public by declaration: name of the data set, area,"
        f" cells, unit, cap, epsilon{', delta' if record.policy.delta else ''}, consent rule,{rule}"
        f" strategy, date. {listed[0].upper()}{listed[1:]}.",
        "program",
        (
            tried(
                (
                    "attacks/test_side_channels.py::"
                    "test_every_byte_that_leaves_is_a_function_of_noisy_totals_and_public_inputs"
                ),
                "every byte of a release",
            ),
            promised("Public inputs", "the list of what is public"),
            recorded("policy.epsilon", decimal_text(record.policy.epsilon)),
        ),
    )


ANSWERS: Answering = {
    "unit": unit,
    "contributions": contributions,
    "correlated": correlated,
    "rows": rows,
    "choices": choices,
    "invariants": invariants,
}
