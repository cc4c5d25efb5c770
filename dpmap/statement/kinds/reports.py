"""Words for a map made from answers that volunteers' own devices randomised."""

import math

from dpmap.maps import read_map
from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor, reports_standard_error
from dpmap.numbers import decimal_text
from dpmap.record import Record, Reports
from dpmap.statement.kinds.totals import Odds, TotalsStatement
from dpmap.statement.phrases import ONLY_TOTALS, factor, survey_words

DEVICE = "randomised on each volunteer's own device before it was sent"


class ReportsStatement(TotalsStatement):
    """Words for totals of volunteers, who had to trust nobody."""

    unpaid = "is made of reports of devices, which no ledger pays for"
    unmerged = ONLY_TOTALS

    def capped_words(self) -> str:
        """Say how often each volunteer counts."""
        return "each volunteer counts once"

    def protected_words(self) -> str:
        """Say that each answer is private by itself."""
        return "each volunteer's answer"

    def consent_words(self) -> str:
        """Say that nothing is sent without consent."""
        return "each volunteer sends her own report, or none"

    def error_words(self) -> str:
        """Say how large the noise is where few volunteers are."""
        return f"90 % interval of a cell with few: {self.reach()}"

    def provenance(self) -> str:
        """Return one line, as for any map, but with other words for who is protected from whom."""
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
        """Say what holds against everyone, the collector of the reports too."""
        epsilon = self.record.policy.epsilon
        return (
            "Nobody's odds between any two answers of a volunteer can change by more than a factor"
            f" of {factor(odds_factor(epsilon))} (epsilon {decimal_text(epsilon)}), whatever they"
            " know already; not those of whoever collected the reports, either."
        )

    def odds(self) -> Odds:
        """Return what is promised about the answer, which says where; that a volunteer sent one
        is no secret.
        """
        return {
            "took_part": None,
            "where": (odds_factor(self.record.policy.epsilon), answered_words(self.record)),
        }

    def noised_words(self) -> str:
        """Say where answers were randomised."""
        return f"Each answer was {DEVICE}."

    def withheld_words(self) -> str:
        """Say that there is nothing to withhold."""
        return (
            "Nothing is withheld by whoever made the map: true answers never left the volunteers'"
            " own devices."
        )

    def noise_words(self) -> str:
        """Say the law of the devices' coins."""
        reports = reports_of(self.record)
        p, q = (decimal_text(chance) for chance in (reports.truth, reports.other))
        return (
            f"{reports.count} reports, randomised on devices ({reports.mechanism}): p = {p}, q"
            f" = {q}"
        )

    def accuracy(self) -> str:
        """Return the statement's section on how sure the map is."""
        return accuracy(self.record)

    def ledger_words(self) -> str:
        """Say that there is no ledger to keep."""
        return "No ledger: no raw data was collected"


def answered_words(record: Record) -> str:
    """Say how far odds may move about what a volunteer answered."""
    return (
        "Whatever she answered, which cell or elsewhere: nobody's odds between any two answers can"
        f" change by more than a factor e^epsilon = {odds_factor(record.policy.epsilon):.3g},"
        " whatever they know already and whatever they compute."
    )


def accuracy(record: Record) -> str:
    """Return the section on how sure a map of reports is."""
    reports = reports_of(record)
    epsilon = float(record.policy.epsilon)
    error = standard_error(reports)
    central = math.sqrt(2) / epsilon
    return (
        f"## How sure it is\n\n- Standard error of a cell with few volunteers: {error:.4g}"
        f" points.\n- Half-width of its 90 % interval: {read_map(record).half_width():.4g}"
        " points. Intervals follow the exact law of the devices' coins.\n- A trusted curator with"
        f" the same answers would have needed a standard error of about {central:.3g} points at"
        f" this epsilon, {error / central:,.3g} times less: that is the price of trusting"
        f" nobody.\n- {survey_words(record.grid, read_map(record).noise_variance)}\n- Each"
        " volunteer counts for one point. The map tells of those who answered; of others it knows"
        " nothing."
    )


def standard_error(reports: Reports) -> float:
    """Return the standard error of an empty cell, in points."""
    return reports_standard_error(reports.count, float(reports.truth), float(reports.other))
