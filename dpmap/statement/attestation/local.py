"""Answers what is otherwise for a map made from answers that volunteers' own devices randomised."""

from dataclasses import replace

from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.attestation import curator_attestation
from dpmap.statement.attestation.answers_data import group_words
from dpmap.statement.attestation.answers_identifiability import even_words
from dpmap.statement.attestation.questions import (
    NOT_DECLARED,
    NOT_MEASURED,
    Answering,
    AttestedAnswer,
    checked,
    promised,
    proved,
    recorded,
    tried,
    typed,
)
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import factor, plain

DEVICE = proved("dpmap/local/device.py", "the chances of each report")
LAW = tried(
    "local/test_device.py::test_no_answer_makes_a_report_more_likely_than_epsilon_allows",
    "every report's chance",
)
SECTION = promised("Without a curator", "sentence by sentence")


def published(record: Record) -> AttestedAnswer:
    """Says that sums of randomised reports are out."""
    return AttestedAnswer(
        f"Totals of {reports_of(record).count:,} reports, each randomised on a volunteer's own"
        f" device before it was sent, for {map_statement(record).cells:,} cells of"
        f" {record.grid.cell_text}. Nobody held the true answers.",
        "record",
        (recorded("measurements", "how many reports support each cell"), SECTION),
    )


def trust(record: Record) -> AttestedAnswer:
    """Says that no curator is trusted."""
    del record
    return AttestedAnswer(
        "Nobody is trusted with answers (local model): not whoever collects the reports, and not"
        " whoever reads them on the way. Trusted are each volunteer's own device and the page or"
        " program that ran on it. Volunteers are believed to answer as asked; false reports count"
        " like others.",
        "program",
        (
            SECTION,
            LAW,
            tried(
                "local/test_reports.py::test_the_statement_says_that_nobody_is_trusted",
                "it is said",
            ),
        ),
    )


def unit(record: Record) -> AttestedAnswer:
    """Says that one answer is protected, in its bounded form."""
    question = record.about.question
    asked = f" to the question {plain(question)}" if question else ""
    return AttestedAnswer(
        f"Protected: **what one volunteer answered**{asked}. Compared are any two answers of hers"
        " (the bounded form: how many answered is public, and that somebody sent a report is not"
        " hidden).",
        "record",
        (recorded("policy.epsilon, about.question", "the question, as asked"), SECTION),
    )


def contributions(record: Record) -> AttestedAnswer:
    """Says that each report counts once."""
    del record
    return AttestedAnswer(
        "One report of one device to this question counts once. A device sends the same report"
        " again when it is asked again, and copies are left out; several devices of one volunteer"
        " are several reports.",
        "program",
        (
            tried(
                "local/test_device.py::test_a_question_is_answered_once", "once for each question"
            ),
            DEVICE,
        ),
    )


def correlated(record: Record) -> AttestedAnswer:
    """Says what several volunteers' answers lose together."""
    epsilon = record.policy.epsilon
    factors = "; ".join(group_words(k, epsilon, "volunteers") for k in (2, 5))
    return AttestedAnswer(
        "Of k volunteers who belong together odds move by at most a factor e^(k epsilon):"
        f" {factors}. Answers of one volunteer to several questions add up, epsilon by epsilon. A"
        " fact that holds whatever any one of them answered is shown.",
        "program",
        (tried("test_theory.py::test_a_group_of_five_costs_five_times_epsilon", "groups"), SECTION),
    )


def rows(record: Record) -> AttestedAnswer:
    """Says which reports counted."""
    told = record.about.lines
    left = "" if told is None else "; ".join(f"{name}: {many:,}" for name, many in told.items())
    return AttestedAnswer(
        "Reports to this question that are whole, each once."
        + (
            f" Lines by what became of them: {plain(left)}."
            if left
            else " How many lines were left out is not in the record."
        ),
        "record",
        (recorded("about.lines", "how many lines were left out, and why"), SECTION),
    )


def choices(record: Record) -> AttestedAnswer:
    """Says that nothing was chosen by the answers."""
    del record
    return AttestedAnswer(
        "Cells, epsilon and mechanism are declared in the question, before anybody answers.",
        "program",
        (recorded("grid, policy.epsilon", "as declared in the question"), SECTION),
    )


def invariants(record: Record) -> AttestedAnswer:
    """Says that the number of reports is public."""
    return AttestedAnswer(
        f"That {reports_of(record).count:,} reports were sent. Public by declaration: question,"
        " cells, epsilon, mechanism, date.",
        "record",
        (recorded("measurements", "the number of reports"), SECTION),
    )


def epsilon(record: Record) -> AttestedAnswer:
    """Says epsilon as chances about an answer."""
    moved = odds_factor(record.policy.epsilon)
    return AttestedAnswer(
        f"Epsilon is {decimal_text(record.policy.epsilon)} for each answer. Between any two answers"
        f" that a volunteer may have given, odds move by at most a factor of {factor(moved)}:"
        f" {even_words(moved)}. That holds for whoever collected the reports, too.",
        "record",
        (recorded("policy.epsilon", decimal_text(record.policy.epsilon)), LAW, checked("answers")),
    )


def variant(record: Record) -> AttestedAnswer:
    """Names the form."""
    reports = reports_of(record)
    return AttestedAnswer(
        "Pure differential privacy in the local model, delta is 0; mechanism"
        f" `{reports.mechanism}`.",
        "record",
        (
            recorded(
                "measurements",
                f"p = {decimal_text(reports.truth)}, q = {decimal_text(reports.other)}",
            ),
            DEVICE,
            checked("thresholds"),
        ),
    )


def composition(record: Record) -> AttestedAnswer:
    """Says that each device keeps account for itself."""
    return AttestedAnswer(
        f"Each report spends epsilon {decimal_text(record.policy.epsilon)} of the volunteer who"
        " sends it, and nothing can be learned later that the reports do not hold. Other questions"
        f" to the same volunteers add to it: {NOT_DECLARED} There is no ledger, since no survey was"
        f" collected. Round {plain(record.about.round)}, release"
        f" {plain(record.receipt.release_id)}.",
        "record",
        (
            tried(
                "local/test_device.py::test_a_question_is_answered_once",
                "a device answers a question once",
            ),
            SECTION,
            recorded("about.round", "the round"),
        ),
    )


def attacks(record: Record) -> AttestedAnswer:
    """Names what was tried against the coins of devices, and that nobody tried these reports."""
    del record
    return AttestedAnswer(
        "On invented answers: every outcome of the coins in words of one byte is counted, so that"
        " no answer makes a report more likely than epsilon allows; damaged and repeated reports,"
        " changed questions, and questions that hold a program. Reports that somebody sent in"
        " order to falsify the map are not told from others. On these reports themselves:"
        f" {NOT_MEASURED}",
        "program",
        (
            LAW,
            tried(
                "local/test_reports.py::test_strange_lines_are_left_out_and_counted",
                "damaged and repeated reports",
            ),
            tried("local/test_device.py::test_a_changed_question_is_refused", "changed questions"),
            tried(
                "local/test_page.py::test_a_hostile_question_runs_nothing",
                "questions that hold a program",
            ),
            checked("answers"),
        ),
    )


def correctness(record: Record) -> AttestedAnswer:
    """Says how the devices' chances and the map's intervals are held to what is said."""
    said = curator_attestation.ANSWERS["correctness"](record)
    tests = (
        tried(
            "local/test_page.py::test_python_and_the_browser_make_the_same_reports",
            "page and program do the same",
        ),
        tried(
            "local/test_reports.py::test_intervals_hold_the_truth_as_often_as_they_say",
            "the map's intervals",
        ),
    )
    return replace(
        said,
        evidence=(
            *(one for one in said.evidence if one.ref != "whole"),
            *tests,
            checked("answers"),
        ),
    )


def randomness(record: Record) -> AttestedAnswer:
    """Says whose coins they are."""
    del record
    return AttestedAnswer(
        "Coins of each volunteer's device, from its system's entropy, decided in whole numbers:"
        " chances are multiples of 2^-32, rounded to the private side. The quality of the entropy"
        f" on those devices: {NOT_MEASURED}",
        "program",
        (
            tried(
                "local/test_page.py::test_all_randomness_is_the_browsers_own", "the page's entropy"
            ),
            DEVICE,
            LAW,
        ),
    )


def side_channels(record: Record) -> AttestedAnswer:
    """Says that sending is seen."""
    del record
    return AttestedAnswer(
        "That a volunteer sent a report, when, and from which network address, is not hidden. What"
        f" the report says has been randomised before. Time on the device: {NOT_MEASURED}",
        "program",
        (SECTION,),
    )


def access(record: Record) -> AttestedAnswer:
    """Says that there is no survey to reach."""
    said = record.about.governance.retention
    text = f"Declared: {plain(said)}." if said else NOT_DECLARED
    return AttestedAnswer(
        f"{text} There is no survey and no ledger; the reports that were collected say what this"
        f" map says. The map is public from {plain(record.released_on)} on.",
        "declared",
        (SECTION,),
        () if said else ("--retention",),
    )


def checking(record: Record) -> AttestedAnswer:
    """Says how the map is made again."""
    versions = ", ".join(plain(f"{name} {version}") for name, version in record.versions.items())
    return AttestedAnswer(
        f"The same reports give the same release ({plain(record.receipt.release_id)}). With"
        " `release.dpmap` anybody makes this page again. Made with"
        f" {versions or 'versions that are not in the record'}.",
        "record",
        (
            typed("dpmap selftest", "the device's chances, counted out"),
            recorded("versions", "the program"),
        ),
    )


ANSWERS: Answering = {
    **curator_attestation.ANSWERS,
    "published": published,
    "trust": trust,
    "unit": unit,
    "contributions": contributions,
    "correlated": correlated,
    "rows": rows,
    "choices": choices,
    "invariants": invariants,
    "epsilon": epsilon,
    "variant": variant,
    "composition": composition,
    "attacks": attacks,
    "correctness": correctness,
    "randomness": randomness,
    "side-channels": side_channels,
    "access": access,
    "checking": checking,
}
