"""How a map of reports was made, in the words of OpenDP's registry: nobody was trusted."""

from typing import Any

from dpmap import style
from dpmap.maps.reports import reports_of
from dpmap.numbers import decimal_text
from dpmap.record import Record, Reports
from dpmap.statement.kinds.reports import DEVICE, standard_error


def mechanism_words(reports: Reports) -> str:
    """Say what the device did, with its chances."""
    truth = float(reports.truth)
    other = float(reports.other)
    answers = reports.partition.regions + 1
    if reports.mechanism == "grr":
        return (
            f"its report names one of {answers:,} answers, the true one with a chance of"
            f" {truth:.4g}, each other with one of {other:.4g} (k-ary randomised response)"
        )
    return (
        f"its report has a mark or none for each of {answers:,} answers, for the true one with a"
        f" chance of {truth:.4g}, for each other with one of {other:.4g} (optimised unary encoding)"
    )


def description(record: Record) -> dict[str, dict[str, Any]]:
    """Return the parts of `privacy.yaml` in which a map without a curator differs."""
    epsilon = record.policy.epsilon
    reports = reports_of(record)
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
                f"{reports.mechanism}: {mechanism_words(reports)}. Chances are whole numbers of"
                " 2^-32,"
                " rounded to the private side, and decided by the system's entropy without"
                " floating point."
            ),
            "justification": (
                f"The standard error of a cell is {style.number(standard_error(reports))} points,"
                " many times that of a trusted curator, who is not needed."
            ),
        },
    }
