"""Words that statements share: declared texts shown as they are, who is protected, and by how much odds may move."""

from dpmap.promise.policy import Policy


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
