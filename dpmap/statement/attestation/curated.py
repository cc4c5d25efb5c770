"""Puts together what answers for a map that one curator released."""

from dpmap.statement.attestation import data, governed, learned, purpose
from dpmap.statement.attestation.questions import Answering

ANSWERS: Answering = {**purpose.ANSWERS, **data.ANSWERS, **learned.ANSWERS, **governed.ANSWERS}
