"""Puts together what answers for a map that one curator released."""

from dpmap.statement.attestation import (
    answers_context,
    answers_data,
    answers_governance,
    answers_identifiability,
)
from dpmap.statement.attestation.questions import Answering

ANSWERS: Answering = {
    **answers_context.ANSWERS,
    **answers_data.ANSWERS,
    **answers_identifiability.ANSWERS,
    **answers_governance.ANSWERS,
}
