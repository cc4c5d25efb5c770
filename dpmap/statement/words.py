"""Words that statements and maps share: what is counted, declared texts shown as they are, who is protected, and by how much odds may move."""

from dpmap.promise.policy import Policy
from dpmap.record import Record

NOT_DISTINGUISHABLE = "not distinguishable from noise"
NO_ANSWER = "no answer: too few records"
ONLY_TOTALS = "merge: the noise of totals with Laplace noise is known together; maps of means, of reports and with --delta are not merged"
BLOCKS = "outlined: measured as one\nblock; how it lies within\nis a guess"


def plain(text: str) -> str:
    """Declared text as a code span, in which Markdown and HTML mean nothing, without marks that are not shown."""
    shown = "".join(mark if mark.isprintable() else " " for mark in text if mark != "`").strip()
    return f"`{shown or 'unnamed'}`"


def unit_words(policy: Policy) -> str:
    """Who is protected."""
    return "one row" if policy.unit == "row" else f"all rows of one {plain(policy.unit)}"


def and_site(policy: Policy) -> str:
    """What is protected besides, where a site is."""
    return "" if policy.site is None else f", and also **one {plain(policy.site)}**: that it exists, and where"


def factor(odds: float) -> str:
    """A factor of odds, as far as its size tells anything."""
    return f"{odds:.3g}" if odds < 1e6 else "over a million"


def noun(record: Record) -> str:
    """What is counted, in the plural: the steward's own word if the record has one."""
    return clean(record.about.noun or "records")[:40] or "records"


def clean(text: str) -> str:
    """Text on one line, without the control characters that XML and metadata cannot hold.

    >>> clean("one" + chr(9) + "two" + chr(7))
    'one two'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
