"""Words for a map made from answers that volunteers' own devices randomised."""

import math
from typing import TYPE_CHECKING, Any

from dpmap import style
from dpmap.grid import crs as crs_tools
from dpmap.inference.kinds import map_reader
from dpmap.inference.kinds.reports import reports_of
from dpmap.noise.theory import odds_factor, reports_standard_error
from dpmap.numbers import decimal_text
from dpmap.record import Record, Reports
from dpmap.statement.curator_statement import governance
from dpmap.statement.kinds.totals import Odds, TotalsStatement
from dpmap.statement.phrases import ONLY_TOTALS, factor, official_words, plain, survey_words

if TYPE_CHECKING:
    from dpmap.statement.attestation.participant_page import Page
    from dpmap.statement.attestation.questions import Answering

DEVICE = "randomised on each volunteer's own device before it was sent"


class ReportsStatement(TotalsStatement):
    """Words for totals of volunteers, who had to trust nobody."""

    unpaid = "is made of reports of devices, which no ledger pays for"
    unmerged = ONLY_TOTALS

    def capped_words(self) -> str:
        """Says how often each volunteer counts."""
        return "each volunteer counts once"

    def error_words(self) -> str:
        """Says how large the noise is where few volunteers are."""
        return f"90 % interval of a cell with few: {self.reach()}"

    def provenance(self) -> str:
        """Returns one line, as for any map, but with other words for who is protected from whom."""
        record = self.record
        declared = record.about.governance.words()
        return (
            f"Differentially private: \N{GREEK SMALL LETTER EPSILON} ="
            f" {decimal_text(record.policy.epsilon)} for each answer, randomised on each"
            f" volunteer's own device before it was sent \N{MIDDLE DOT}"
            f" {reports_of(record).count:,} reports \N{MIDDLE DOT} cells: {record.grid.cell_text}"
            f" \N{MIDDLE DOT} {self.error_words()}"
            + (f" \N{MIDDLE DOT} {declared}" if declared else "")
        )

    def promise_words(self) -> str:
        """Says what holds against everyone, whoever collected the reports too."""
        epsilon = self.record.policy.epsilon
        return (
            "Nobody's odds between any two answers of a volunteer can change by more than a factor"
            f" of {factor(odds_factor(epsilon))} (epsilon {decimal_text(epsilon)}), whatever they"
            " know already; not those of whoever collected the reports, either."
        )

    def odds(self) -> Odds:
        """Returns what is promised about the answer, which says where; that a volunteer sent one
        is no secret.
        """
        return {
            "took_part": None,
            "where": (odds_factor(self.record.policy.epsilon), _answered(self.record)),
        }

    def noised_words(self) -> str:
        """Says where answers were randomised."""
        return f"Each answer was {DEVICE}."

    def withheld_words(self) -> str:
        """Says that there is nothing to withhold."""
        return (
            "Nothing is withheld by whoever made the map: true answers never left the volunteers'"
            " own devices."
        )

    def noise_words(self) -> str:
        """Says the law of the devices' coins."""
        reports = reports_of(self.record)
        p, q = (decimal_text(chance) for chance in (reports.truth, reports.other))
        return (
            f"{reports.count} reports, randomised on devices ({reports.mechanism}): p = {p}, q"
            f" = {q}"
        )

    def statement(self) -> str:
        """Returns the statement: what was done, without a curator."""
        *body, account = sections(self.record)
        parts = (head(self.record), *body, governance(self.record), account)
        return "\n\n".join(part for part in parts if part) + "\n"

    def accuracy(self) -> str:
        """Returns the statement's section on how sure the map is."""
        return _accuracy(self.record)

    def attested(self) -> "Answering":
        """Returns what answers each question, where it is otherwise than of a curator's map."""
        from dpmap.statement.attestation import local

        return local.ANSWERS

    def protected(self) -> "Page":
        """Returns the page for whoever is protected."""
        from dpmap.statement.attestation import participant_page

        return participant_page.local(self.record)

    def deployment(self) -> dict[str, Any]:
        """Returns the registry's words for a map without a curator."""
        return description(self.record)

    def ledger_words(self) -> str:
        """Says that there is no ledger to keep."""
        return "No ledger: no raw data was collected"


def sections(record: Record) -> tuple[str, ...]:
    """Returns the sections on what was done, what is protected and what not, how sure it is, and
    who keeps account.
    """
    return (
        _done(record),
        _protects(record),
        _protects_not(record),
        _accuracy(record),
        _account(record),
    )


def head(record: Record) -> str:
    """Returns the first words of the statement."""
    version = record.versions.get("dpmap", "")
    return (
        f"# What this map is: {plain(record.receipt.dataset)}\n\nA differentially private heatmap,"
        f" added up {plain(record.released_on)} with dpmap {plain(version)} from answers each of"
        f" which was {DEVICE}. Nobody ever held the true answers: there was no trusted curator."
    )


def _done(record: Record) -> str:
    reports, grid = reports_of(record), record.grid
    question = record.about.question
    coded = f" {told}" if (told := official_words(grid)) else ""
    asked = f" Asked was: {plain(question)}." if question else ""
    return (
        f"## What was done\n\n1. Declared beforehand: {grid.cells_inside:,} cells of"
        f" {grid.cell_text} ({plain(crs_tools.name(grid.crs))}), and *elsewhere* as one answer"
        f" more.{coded}{asked} Each volunteer gave one answer.\n2. The answer was {DEVICE}:"
        f" {_mechanism(reports)}. The coins are the device's own entropy, in whole numbers.\n3."
        f" {_lines(record)}\n4. A cell's total is (s - n q) / (p - q), where s of the n ="
        f" {reports.count:,} reports support it, p = {float(reports.truth):.6g} and q ="
        f" {float(reports.other):.6g}. The map shows the nearest totals that are not negative and"
        " add up, with elsewhere, to n; the table keeps the signed ones."
    )


def _mechanism(reports: Reports) -> str:
    """Says what the device did, with its chances."""
    truth, other, answers = (
        float(reports.truth),
        float(reports.other),
        reports.partition.regions + 1,
    )
    if reports.mechanism == "grr":
        return (
            f"its report names one of {answers:,} answers, the true one with a chance of"
            f" {truth:.4g}, each other with one of {other:.4g} (k-ary randomised response)"
        )
    return (
        f"its report has a mark or none for each of {answers:,} answers, for the true one with a"
        f" chance of {truth:.4g}, for each other with one of {other:.4g} (optimised unary encoding)"
    )


def _lines(record: Record) -> str:
    """Says what became of the incoming lines; these numbers are no secret, since each line is
    private already.
    """
    lines = record.about.lines
    count = f"{reports_of(record).count:,} reports were added up"
    if lines is None:
        return f"{count}."
    left = {"other": "of another question", "damaged": "damaged", "repeated": "that came twice"}
    parts = [
        f"{int(lines[name]):,} {words}"
        for name, words in left.items()
        if isinstance(lines.get(name), int)
    ]
    return f"{count}; left out: {', '.join(parts)}."


def _protects(record: Record) -> str:
    epsilon = record.policy.epsilon
    value = decimal_text(epsilon)
    return (
        "## What it protects\n\nThe unit of protection is **what one volunteer answered**, with"
        f" epsilon = {value}.\n\n- {_answered(record)}\n- That holds against whoever collected the"
        " reports, too, and against whoever read them on the way.\n- For k volunteers together (a"
        f" family): e^(k epsilon), so 2 volunteers {odds_factor(epsilon, 2):.3g}."
    )


def _answered(record: Record) -> str:
    """Says how far odds may move about what a volunteer answered."""
    return (
        "Whatever she answered, which cell or elsewhere: nobody's odds between any two answers can"
        f" change by more than a factor e^epsilon = {odds_factor(record.policy.epsilon):.3g},"
        " whatever they know already and whatever they compute."
    )


def _protects_not(record: Record) -> str:
    reports = reports_of(record)
    reach = float(1 / (reports.truth - reports.other))
    what = "one cell" if reports.mechanism == "grr" else "every cell at once"
    return (
        "## What it does not protect\n\n- That a volunteer sent a report, when, and from which"
        " network address: only what it says is randomised.\n- Answers to several questions add"
        " up, epsilon by epsilon; so do answers to one question from several devices. A device"
        " sends the same report again when the same question comes again.\n- It cannot tell honest"
        f" reports from false ones: each false report can move {what} by up to {reach:.3g}"
        " points.\n- A fact that holds whatever any one volunteer answered (where the species is"
        " common) is what the map is for, and is shown.\n- A cell that does not surely hold a"
        " volunteer is not a cell without volunteers."
    )


def _accuracy(record: Record) -> str:
    reports, epsilon = reports_of(record), float(record.policy.epsilon)
    error = standard_error(reports)
    central = math.sqrt(2) / epsilon
    return (
        f"## How sure it is\n\n- Standard error of a cell with few volunteers: {error:.4g}"
        f" points.\n- Half-width of its 90 % interval: {map_reader(record).half_width():.4g}"
        " points. Intervals follow the exact law of the devices' coins.\n- A trusted curator with"
        f" the same answers would have needed a standard error of about {central:.3g} points at"
        f" this epsilon, {error / central:,.3g} times less: that is the price of trusting"
        f" nobody.\n- {survey_words(record.grid, map_reader(record).noise_variance)}\n- Each"
        " volunteer counts for one point. The map tells of those who answered; of others it knows"
        " nothing."
    )


def standard_error(reports: Reports) -> float:
    """Returns the standard error of an empty cell, in points."""
    return reports_standard_error(reports.count, float(reports.truth), float(reports.other))


def _account(record: Record) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    return (
        "## Who keeps account\n\n- Each device for itself: a report spends epsilon ="
        f" {decimal_text(record.policy.epsilon)} of the volunteer who sends it. No ledger is"
        " needed: no raw data was collected, so nothing is left that a further release could"
        f" tell.\n- Round {plain(record.about.round)}, release {plain(record.receipt.release_id)}:"
        f" the same reports give the same release.\n- Made with {plain(versions)}."
    )


def description(record: Record) -> dict[str, dict[str, Any]]:
    """Returns the parts of `privacy.yaml` in which a map without a curator differs."""
    epsilon, reports = record.policy.epsilon, reports_of(record)
    return {
        "dp_variant": {
            "variant_name": "Pure DP",
            "data_domain": (
                f"One answer a volunteer: one of {record.grid.cells_inside:,} cells, or elsewhere."
            ),
            "unprotected_quantities": (
                "That a volunteer sent a report. Declared and public: cells, epsilon, mechanism,"
                " question."
            ),
        },
        "privacy_loss": {
            "privacy_unit": "What one volunteer answered",
            "privacy_unit_details": (
                "Adjacent data sets differ in one volunteer's answer to this question, whatever"
                " it is."
            ),
            "privacy_parameters": {"epsilon": float(epsilon)},
            "privacy_parameters_details": (
                f"epsilon is exactly {decimal_text(epsilon)}; delta is 0. Answers to further"
                " questions add their own."
            ),
        },
        "deployment_model": {
            "model_name": "Local",
            "actors": (
                f"Each answer was {DEVICE}. Nobody is trusted: who collects the reports may be an"
                " adversary with any knowledge and any means. Volunteers are believed to answer as"
                " asked."
            ),
            "release_type": "One release",
            "release_type_details": (
                "A round of answers to one question. Devices keep their report and send the same"
                " again."
            ),
            "data_source_type": "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {
            "post_processing": (
                "All but the devices' own coins: totals, intervals, maps and layers derive from the"
                " reports."
            ),
            "composition": (
                f"One report a volunteer, epsilon {decimal_text(epsilon)}. Answers to several"
                " questions add up."
            ),
        },
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": (
                "None: cells, epsilon and mechanism are declared in the question."
            ),
            "mechanisms": (
                f"{reports.mechanism}: {_mechanism(reports)}. Chances are whole numbers of 2^-32,"
                " rounded to the private side, and decided by the system's entropy without"
                " floating point."
            ),
            "justification": (
                f"The standard error of a cell is {style.number(standard_error(reports))} points,"
                " many times that of a trusted curator, who is not needed."
            ),
        },
    }


kind = ReportsStatement
