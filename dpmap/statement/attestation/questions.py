"""Lists the questions of an attestation, and says what an answer consists of.

The heads are those of ISO/IEC 27559:2022 (context, data, identifiability, governance); the
questions are those that NIST SP 800-226 puts to whoever promises differential privacy. An answer is
a fact with its evidence. Where nobody declared it, or no record can tell, it says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpmap.record import Record

HEADS = {
    "context": "Context: what the map is for, and who sees it",
    "data": "Data: whose records, and what became of them",
    "identifiability": "Identifiability: what can be learned about one, and how that was tried",
    "governance": "Governance: who answers for it",
}
"""The heads, in their order."""

NOT_DECLARED, NOT_MEASURED = "Not declared.", "Not measured."


@dataclass(frozen=True, slots=True)
class AttestedQuestion:
    """One question: its name in the JSON, its head, and its words."""

    id: str
    head: str
    asked: str


QUESTIONS = (
    AttestedQuestion(
        "purpose", "context", "What is it for, who authorised it, and until when may it be used?"
    ),
    AttestedQuestion("published", "context", "What is published?"),
    AttestedQuestion("trust", "context", "Who is trusted, with what, and who is not?"),
    AttestedQuestion("other-publications", "context", "What else was published of the same data?"),
    AttestedQuestion("unit", "data", "Whom does the promise protect?"),
    AttestedQuestion("contributions", "data", "How much can one unit add?"),
    AttestedQuestion(
        "correlated", "data", "What of those who belong together, and of what many show alike?"
    ),
    AttestedQuestion("rows", "data", "Which rows counted?"),
    AttestedQuestion("choices", "data", "What was chosen by looking at the data?"),
    AttestedQuestion("invariants", "data", "What is published exactly, without noise?"),
    AttestedQuestion(
        "epsilon", "identifiability", "What does epsilon mean for one who is protected, in numbers?"
    ),
    AttestedQuestion(
        "variant",
        "identifiability",
        "Which form of differential privacy is it, and with what delta?",
    ),
    AttestedQuestion(
        "composition",
        "identifiability",
        "What do all releases add up to, and does that ever start anew?",
    ),
    AttestedQuestion("attacks", "identifiability", "Which attacks were tried?"),
    AttestedQuestion(
        "correctness", "identifiability", "How is it known that the program does what it says?"
    ),
    AttestedQuestion(
        "randomness",
        "identifiability",
        "Where does the noise come from, and does floating point touch it?",
    ),
    AttestedQuestion(
        "side-channels", "identifiability", "What do time, sizes, errors and files betray?"
    ),
    AttestedQuestion("utility", "identifiability", "How far off are the numbers?"),
    AttestedQuestion("vanishing", "identifiability", "Who vanishes in the noise?"),
    AttestedQuestion(
        "access", "governance", "Who can reach the survey and the ledger, and for how long?"
    ),
    AttestedQuestion("terms", "governance", "Under what terms is it published?"),
    AttestedQuestion("checking", "governance", "How can somebody else check this?"),
)
"""All questions, in the order in which they are answered."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer rests on: a `test`, a check of the `selftest`, a section of the `promise`, a
    `theorem`'s file, the `ledger`, a field of the `record`, a flag that `declared` it, or a
    `command` to type; `ref` says which, `says` what it shows.
    """

    kind: str
    ref: str
    says: str


@dataclass(frozen=True, slots=True)
class AttestedAnswer:
    """A fact in Markdown with what it rests on; `source` is `record`, `declared` or `program`,
    and `lacking` are the flags that nobody gave.
    """

    text: str
    source: str
    evidence: tuple[Evidence, ...]
    lacking: tuple[str, ...] = ()


Answering = Mapping[str, Callable[[Record], AttestedAnswer]]
"""What answers each question, by its name."""


def tried(ref: str, says: str) -> Evidence:
    """Names a test of dpmap's own, which anybody can run: `tests/test_x.py::test_y`."""
    return Evidence("test", f"tests/{ref}", says)


def proved(ref: str, says: str) -> Evidence:
    """Names the file in which a theorem stands with its proof."""
    return Evidence("theorem", ref, says)


def promised(section: str, says: str) -> Evidence:
    """Names a section of docs/promise.md, where each sentence leads to its test."""
    return Evidence("promise", f"docs/promise.md, {section}", says)


def kept(head: str, says: str) -> Evidence:
    """Names the ledger's head when the release was made, by which its place in the chain is
    found.
    """
    return Evidence("ledger", head, says)


def recorded(field: str, says: str) -> Evidence:
    """Names a field of `release.dpmap`."""
    return Evidence("record", field, says)


def declared(flag: str, says: str) -> Evidence:
    """Names the flag by which something was declared."""
    return Evidence("declared", flag, says)


PROOF_RUN = "selftest/test_selftest.py::test_an_honest_build_passes"
CHECKS = {
    "places": ("every probability the sampler uses is exact", "any place that is wrong"),
    "frequencies": (
        "what is drawn follows the law",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "fresh": (
        "no noise comes twice, and no seed steers it",
        "a seed, and noise that is used again",
    ),
    "pairs": (
        "no one moves the map by more than the cap, or what others add",
        "any excess, to 1 step in 2^32",
    ),
    "flat": (
        "no event betrays anyone by more than epsilon: flat",
        "an epsilon 1.3 times the stated one, in a usual run",
    ),
    "adaptive": (
        "the same where each question follows from the answers before",
        "an epsilon 3 times the stated one, in a usual run",
    ),
    "whole": (
        "from survey file to saved release: noise, bill and file are right",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "opendp": (
        "OpenDP's noise, where a policy asks for it, has the same law",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "order": (
        "epsilon is spent on disk before noise is drawn and data looked at",
        "any step out of order",
    ),
    "ledger": ("the ledger cannot be overspent, edited or cut unnoticed", "any that passes"),
}
"""Checks of `dpmap selftest` that answers name: what each promises, and what it can see. A test
holds them to the selftest's own list and strengths.
"""
PROOFS = {
    "assembly": ("the coins add up to the stated law, exactly", "any wrong probability"),
    "gaussian": ("the coins of Gaussian noise add up to its law, exactly", "any wrong probability"),
    "layers": ("the cap spans all kinds and times", "any excess, to 1 step in 2^32"),
    "sites": (
        "nor does a contributor or a site, where both are protected",
        "any excess, by 1 point",
    ),
    "limits": (
        "no one loses more than the limit stated for oneself",
        "any excess, to 1 step in 2^32",
    ),
    "tiers": (
        "several readers' answers in one hand betray no more than the finest",
        "an epsilon 1.3 times the stated one, in a usual run",
    ),
    "sparse": (
        "a sparse map shows what a whole one would",
        "noise or chances 1.2 times off, in a usual run",
    ),
    "conversion": (
        "epsilon and delta buy no less Gaussian noise than they must",
        "noise that is too small by more than a millionth",
    ),
    "lengths": (
        "with a delta, nor by more than the root of the cap in length",
        "any excess, to 1 step in 2^32",
    ),
    "sampled": (
        "a sample draws everyone with its chance, anew each time",
        "a bit of its secret that is lost, and any seed",
    ),
    "means": ("and both parts of every row of a mean", "any excess, to 1 step in 2^32"),
    "answers": (
        "whatever a volunteer answers, her report is about as likely",
        "an epsilon above the stated one",
    ),
    "thresholds": (
        "the chances keep epsilon at every size, and waste none of it",
        "any chance that is too large",
    ),
}
"""The same of proofs that hold on any machine, which the suite carries out (`tests/proofs`)."""


def checked(name: str) -> Evidence:
    """Names a check of the selftest, or a proof of the suite, and says what it can see; not that
    it was run.
    """
    if name in PROOFS:
        promise, sees = PROOFS[name]
        return tried(f"{PROOF_RUN}[{name}]", f"{promise}; it can see {sees}")
    promise, sees = CHECKS[name]
    return Evidence("selftest", name, f"{promise}; it can see {sees}")


def typed(command: str, says: str) -> Evidence:
    """Names a command by which anybody can check."""
    return Evidence("command", command, says)
