"""Answers the questions of the head *identifiability*: what can be learned about one, how that
was tried, and what the noise costs.
"""

from fractions import Fraction

from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, one_in, percent
from dpmap.record import Record
from dpmap.statement.attestation.group_size import sentence
from dpmap.statement.attestation.odds import (
    least_of_even,
    most_of_even,
    most_of_rare,
    spent_on_unit,
)
from dpmap.statement.attestation.questions import (
    NOT_MEASURED,
    Answering,
    AttestedAnswer,
    Evidence,
    checked,
    kept,
    promised,
    proved,
    recorded,
    tried,
    typed,
)
from dpmap.statement.curator_statement import chance, noise, own_limits, terms
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import WEAK, factor, plain


def epsilon(record: Record) -> AttestedAnswer:
    """Says epsilon as chances: about taking part, about where, for whoever holds several tiers."""
    policy, odds = record.policy, map_statement(record).odds()
    lines = [
        (
            f"Epsilon is {decimal_text(policy.epsilon)} for one unit"
            f" (delta {decimal_text(policy.delta or Fraction(0))}):\n"
        )
    ]
    lines += [f"- {told[1]} {chances_words(told[0])}" for told in odds.values() if told]
    if tier := record.about.tier:
        dearest = odds_factor(Fraction(tier.dearest))
        lines.append(
            f"- For whoever holds the finest tier too: epsilon {plain(tier.dearest)}, a factor of"
            f" {factor(dearest)}; {even_words(dearest)}. Epsilons of tiers never add up."
        )
    if policy.epsilon > WEAK:
        lines.append("- With epsilon this large the bound says next to nothing.")
    return AttestedAnswer(
        "\n".join(lines) + own_limits(policy) + chance(policy) + _drawn(record),
        "record",
        (
            recorded("policy.epsilon", decimal_text(policy.epsilon)),
            promised("Theorem", "with its proof, sentence by sentence"),
            tried(
                "test_theory.py::test_the_odds_of_every_set_of_outputs_move_by_e_to_the_epsilon",
                "the law of the odds",
            ),
            tried(
                (
                    "attacks/test_releases.py::"
                    "test_the_best_attacker_wins_no_more_often_than_epsilon_allows"
                ),
                "an attacker who knows all but one",
            ),
            checked(_odds_check(record)),
            *_drawn_evidence(record),
        ),
    )


def _drawn(record: Record) -> str:
    """Says what a sample does to epsilon, and on what that rests."""
    share = record.policy.sample
    if share is None:
        return ""
    asked = sum((one.epsilon for one in record.measurements), record.policy.choosing)
    return (
        f"\n- A secret draw let each unit take part with a chance of {percent(share)}. Of a unit"
        f" that was drawn the measurements tell epsilon {float(asked):.4g}; of one that may have"
        f" been, {decimal_text(record.policy.epsilon)}. That rests on nobody learning who was"
        " drawn: the draw is by MD5 under a secret key, taken to be a pseudo-random function."
    )


def _drawn_evidence(record: Record) -> tuple[Evidence, ...]:
    """Names what shows that a sample loses less."""
    if record.policy.sample is None:
        return ()
    return (
        proved("dpmap/vault/sampling.py", "what a sample loses"),
        tried(
            "vault/test_sampling.py::test_the_theorem_holds_for_randomised_response",
            "the theorem, where it can be worked out",
        ),
        tried(
            (
                "vault/test_sampling.py::"
                "test_a_release_of_a_sample_pays_the_amplified_epsilon_and_says_so"
            ),
            "what is paid",
        ),
        checked("sampled"),
    )


def _odds_check(record: Record) -> str:
    """Returns which check of the selftest tries the odds of such a release."""
    if record.about.tier:
        return "tiers"
    if record.policy.delta is not None:
        return "conversion"
    if record.sparse:
        return "sparse"
    return "flat" if record.strategy == "flat" else "adaptive"


def even_words(moved: float) -> str:
    """Says what even odds can become."""
    return (
        f"who gives it 50 in 100 can come to {most_of_even(moved)} at most and"
        f" {least_of_even(moved)} at least"
    )


def chances_words(moved: float) -> str:
    """Says a factor of odds as chances, from even odds and from a small chance."""
    words = even_words(moved)
    return (
        f"{words[0].upper()}{words[1:]}; who gives it 1 in 1,000, to {most_of_rare(moved)} at most."
    )


def variant(record: Record) -> AttestedAnswer:
    """Names the form of differential privacy, and its delta."""
    delta = record.policy.delta
    if delta is None:
        text = "Pure differential privacy (central model): epsilon alone, delta is 0."
        more = (
            proved("dpmap/vault/laplace.py", "the noise has exactly the law that is stated"),
            checked("assembly"),
        )
    else:
        text = (
            f"Approximate differential privacy (central model), delta = {decimal_text(delta)}: but"
            f" for a chance of at most {one_in(delta)} epsilon holds. It is worked out by"
            " zero-concentrated differential privacy, each number rounded towards more noise."
        )
        more = (
            proved("dpmap/noise/zcdp.py", "how much noise keeps epsilon and delta"),
            checked("gaussian"),
        )
    return AttestedAnswer(
        text,
        "record",
        (
            recorded("policy.delta", decimal_text(delta or Fraction(0))),
            *more,
            promised("Definition", "both forms"),
        ),
    )


def composition(record: Record) -> AttestedAnswer:
    """Says what the ledger holds, that nothing resets, and how to check that this release is in
    it.
    """
    receipt, tier = record.receipt, record.about.tier
    cost = decimal_text(record.policy.epsilon) if tier is None else plain(tier.dearest)
    season = record.about.season
    plan = "" if season else "- No plan of releases is in the record.\n"
    delta = (
        f"- Delta: {decimal_text(receipt.spent_delta)} of {decimal_text(receipt.budget_delta)} is"
        " spent.\n"
        if receipt.budget_delta
        else ""
    )
    return AttestedAnswer(
        f"- {'This release' if tier is None else 'This draw, all its tiers together,'} spent"
        f" epsilon {cost}. All releases in its ledger up to this one spent"
        f" {decimal_text(receipt.spent)} of {decimal_text(receipt.budget)};"
        f" {decimal_text(receipt.remaining)} remains. {_sum(record)}\n- The budget never resets:"
        f" neither with time nor with a new file, folder or grid.\n{delta}{plan}{terms(record)}- It"
        f" is event {receipt.event} of the ledger, whose head then was {plain(receipt.head)}."
        " Releases after this one are in the ledger only.",
        "record",
        (
            typed(
                "dpmap ledger LEDGER --against release.dpmap",
                "that this release is in the ledger, and its chain whole",
            ),
            kept(plain(receipt.head).strip("`"), f"event {receipt.event}, kept in `receipt.head`"),
            promised("Over the years", "what adds up, and what does not"),
            tried(
                (
                    "attacks/test_releases.py::"
                    "test_averaging_is_stopped_by_the_ledger_and_wins_nothing"
                ),
                "asking again",
            ),
            tried(
                (
                    "attacks/test_releases.py::"
                    "test_differencing_two_releases_gains_no_more_than_their_epsilons_added"
                ),
                "subtracting",
            ),
            tried(
                "vault/test_ledger.py::test_a_restored_ledger_is_detected_against_a_later_release",
                "an older copy shows",
            ),
            checked("ledger"),
        ),
    )


def _sum(record: Record) -> str:
    """Says what one unit loses by all releases that protect it."""
    spent, whole = spent_on_unit(record), even_words(odds_factor(record.receipt.budget))
    if spent is None:
        return "What one unit loses by them is not in the record."
    which = (
        "all of them"
        if record.about.others is None
        else f"those that protect it, {decimal_text(spent)},"
    )
    return (
        f"What one unit loses by {which} is at most that sum: {even_words(odds_factor(spent))};"
        f" with the whole budget, {whole}."
    )


def attacks(record: Record) -> AttestedAnswer:
    """Names the attacks that the tests try, and says that nobody tried this release itself."""
    del record
    return AttestedAnswer(
        "On invented surveys, whose truth is known: the attacker with the highest odds of being"
        " right, averaging and subtracting releases, a million copies of a row, spellings and"
        " colliding hashes, files made to break the program, planted links, restored ledgers, and"
        " reading every byte that leaves. Pairs of files that differ in one person are released"
        " again and again, and epsilon is bounded from below by the outputs. On this release"
        f" itself: {NOT_MEASURED} An attack on one map says nothing about the law of its noise, of"
        " which it is one draw.",
        "program",
        (
            tried(
                (
                    "attacks/test_releases.py::"
                    "test_the_best_attacker_wins_no_more_often_than_epsilon_allows"
                ),
                "the odds",
            ),
            tried("attacks/test_rows.py::test_spellings_that_look_alike_share_one_cap", "names"),
            tried(
                "attacks/test_malicious_files.py::test_a_malicious_release_is_one_line",
                "strangers' files",
            ),
            tried(
                (
                    "attacks/test_paths.py::"
                    "test_links_planted_for_every_output_are_replaced_not_followed"
                ),
                "planted links",
            ),
            checked("flat"),
            checked("adaptive"),
        ),
    )


def correctness(record: Record) -> AttestedAnswer:
    """Says how the program is held to its promise, and how a run of the selftest is matched to
    this release.
    """
    code, version = (
        plain(record.versions.get(name, "") or "not in the record") for name in ("code", "dpmap")
    )
    return AttestedAnswer(
        "Theorems stand beside the code with their proofs; tests check each sentence of"
        " docs/promise.md, and fail when the cap, the noise or the ledger is broken on purpose."
        " `dpmap selftest` tries an installed program. Whether it was run is not in the record:"
        f" {NOT_MEASURED} An auditor runs `dpmap selftest --json` and keeps its answer beside this"
        " page; the hash named `code` there says of which program it speaks. This release was made"
        f" by dpmap {version}, code {code}.",
        "program",
        (
            promised("Theorem", "the proof in three steps"),
            typed(
                "dpmap selftest --json",
                "what was tried, and how small a fault that run would have caught",
            ),
            tried("selftest/test_selftest.py::test_an_honest_build_passes", "the selftest itself"),
            tried(
                "test_made_with.py::test_any_change_of_the_code_changes_its_hash",
                "the hash of the code",
            ),
            checked("whole"),
        ),
    )


def randomness(record: Record) -> AttestedAnswer:
    """Says the law of the noise, its source, and that no float stands between total and noise."""
    library = record.about.written.get("noise")
    other = library is not None and "opendp" in str(library).lower()
    own = (
        "drawn by OpenDP, at the scale rounded up to the next floating-point number"
        if other
        else (
            "drawn exactly, in whole numbers, from the operating system's entropy; no seed,"
            " generator or floating-point number takes part"
        )
    )
    law = "Laplace" if record.policy.delta is None else "Gaussian"
    return AttestedAnswer(
        f"Discrete {law} noise, {own}: {noise(record)}. Totals are whole numbers of steps of"
        f" 1/{record.policy.lattice:,} point. The quality of the operating system's entropy on that"
        f" machine: {NOT_MEASURED}",
        "record",
        (
            *_noise_evidence(record, other=other),
            tried(
                (
                    "attacks/test_numbers.py::"
                    "test_the_low_bits_of_an_answer_are_even_whatever_the_total"
                ),
                "the low bits of an answer",
            ),
            checked("fresh"),
        ),
    )


def _noise_evidence(record: Record, *, other: bool) -> tuple[Evidence, ...]:
    """Names what shows the law of this noise: dpmap's own Laplace or Gaussian, or OpenDP's."""
    if other:
        return (
            tried(
                "vault/test_laplace.py::test_opendp_never_gets_a_smaller_scale",
                "its scale is rounded up",
            ),
            checked("opendp"),
        )
    if record.policy.delta is not None:
        return (
            proved("dpmap/vault/gaussian.py", "the sampler's law"),
            tried(
                "vault/test_gaussian.py::test_every_outcome_of_the_sampler_has_its_exact_chance",
                "every outcome's chance",
            ),
            checked("gaussian"),
        )
    return (
        proved("dpmap/vault/laplace.py", "the sampler's law"),
        tried(
            "vault/test_laplace.py::test_every_value_has_its_exact_probability",
            "every value's chance",
        ),
        tried("vault/test_laplace.py::test_no_seed_steers_the_noise", "no seed"),
        checked("places"),
        checked("frequencies"),
    )


def side_channels(record: Record) -> AttestedAnswer:
    """Says what is held fixed, and that time is not."""
    sparse = (
        " Of this kind of release, as many numbers more are drawn after the look as cells are"
        " occupied, so time and memory tell about that number."
        if record.sparse
        else ""
    )
    return AttestedAnswer(
        "Sizes, dates, metadata, errors and temporary files are functions of noisy totals and"
        " public inputs. Noise is drawn before totals are read. Running time and memory of the"
        " counting grow with the survey, and are not hidden from whoever can watch that"
        f" machine.{sparse} How long this run took: {NOT_MEASURED}",
        "program",
        (
            promised("Side channels", "what is held fixed, and what is not"),
            tried(
                (
                    "attacks/test_side_channels.py::"
                    "test_nothing_is_known_of_the_totals_while_noise_is_drawn"
                ),
                "the order of draws",
            ),
            tried(
                "test_canary.py::test_a_release_from_the_command_line_leaks_nothing",
                "errors, logs and files",
            ),
            tried(
                "vault/test_ledger.py::test_the_head_cannot_be_found_by_trying_every_second",
                "the ledger's head",
            ),
            checked("order"),
        ),
    )


def utility(record: Record) -> AttestedAnswer:
    """Repeats the statement's section on how sure the map is."""
    return AttestedAnswer(
        map_statement(record).accuracy().split("\n\n", 1)[1],
        "record",
        (
            recorded("measurements", "the exact scale of each"),
            tried(
                "test_statement.py::test_it_says_the_noise_and_how_sure_the_map_is",
                "these numbers are those of the law",
            ),
        ),
    )


def vanishing(record: Record) -> AttestedAnswer:
    """Says how many records a group needs to show; tables follow."""
    return AttestedAnswer(
        sentence(record),
        "record",
        (
            recorded(
                "measurements, policy.cap",
                "the law of the noise, and the noisy totals: no true count",
            ),
            promised("Public inputs", "cells, layers and names are declared"),
        ),
    )


ANSWERS: Answering = {
    "epsilon": epsilon,
    "variant": variant,
    "composition": composition,
    "attacks": attacks,
    "correctness": correctness,
    "randomness": randomness,
    "side-channels": side_channels,
    "utility": utility,
    "vanishing": vanishing,
}
