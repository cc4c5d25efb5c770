"""The statement of a map made from answers that volunteers' own devices randomised."""

from typing import Any

from dpmap import style
from dpmap.grid import crs as crs_tools
from dpmap.maps.reports import reports_of
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text
from dpmap.record import Record, Reports
from dpmap.statement.curator_statement import governance
from dpmap.statement.kinds.reports import DEVICE, accuracy, answered_words, standard_error
from dpmap.statement.phrases import official_words, plain


def statement(record: Record) -> str:
    """Return the statement: what was done, without a curator."""
    *body, account = sections(record)
    parts = (head(record), *body, governance(record), account)
    return "\n\n".join(part for part in parts if part) + "\n"


def sections(record: Record) -> tuple[str, ...]:
    """Return the sections on what was done, what is protected and what not, how sure it is, and
    who keeps account.
    """
    return (
        _done(record),
        _protects(record),
        _protects_not(record),
        accuracy(record),
        _account(record),
    )


def head(record: Record) -> str:
    """Return the first words of the statement."""
    version = record.versions.get("dpmap", "")
    return (
        f"# What this map is: {plain(record.receipt.dataset)}\n\nA differentially private heatmap,"
        f" added up {plain(record.released_on)} with dpmap {plain(version)} from answers each of"
        f" which was {DEVICE}. Nobody ever held the true answers: there was no trusted curator."
    )


def _done(record: Record) -> str:
    reports, grid = reports_of(record), record.grid
    question = record.about.question
    coded = f" {codes}" if (codes := official_words(grid)) else ""
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
    """Say what the device did, with its chances."""
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
    """Say what became of the incoming lines; these numbers are no secret, since each line is
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
        f" epsilon = {value}.\n\n- {answered_words(record)}\n- That holds against whoever"
        " collected the reports, too, and against whoever read them on the way.\n- For k"
        f" volunteers together (a family): e^(k epsilon), so 2 volunteers {odds_factor(epsilon, 2):.3g}."
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
    """Return the parts of `privacy.yaml` in which a map without a curator differs."""
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
