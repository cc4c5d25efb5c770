"""Says what the three answers about cells and zones mean and what not, and reads the number of
points a cell.
"""

from dpmap.errors import BadInput
from dpmap.inference.clearance import LESS, MORE, UNKNOWN, Clearance
from dpmap.maps import read_map
from dpmap.numbers import real
from dpmap.record import Record


def read_below(below: str) -> float:
    """Read the number of points a cell.

    >>> read_below("5")
    5.0
    """
    try:
        return real(below)
    except ValueError:
        raise BadInput("--below: a number of points per cell, above 0, like --below 5") from None


def describe(clearance: Clearance) -> dict[str, str]:
    """Say the three shares, the rule, and that less is not none."""
    shares = clearance.shares()
    than = f"than {clearance.threshold:,.12g} points a cell"
    shares_text = (
        f"{100 * shares[MORE]:.0f} % of the land holds {MORE} {than}, {100 * shares[LESS]:.0f} %"
        f" {LESS}"
    )
    return {
        "found": f"{shares_text}; of {100 * shares[UNKNOWN]:.0f} % the map cannot say",
        "rate": _rule("a cell", 1 - clearance.rate),
        "absence": _absence(than),
    }


def describe_than(
    record: Record, than: float, level: float, rate_unit: str | None = None
) -> dict[str, str]:
    """Say by which rule zones are compared with a number of points, or of `rate_unit`, and that
    less is not none.
    """
    number = f"than {than:,.12g}"
    if rate_unit is not None:
        return {"rate": _rule("a zone's rate", level), "absence": _absence(f"{number} {rate_unit}")}
    if read_map(record).mean is not None:
        return {"rate": _rule("a zone's mean", level)}
    return {
        "rate": _rule("a zone's part in the map", level),
        "absence": _absence(f"{number} points"),
    }


def _rule(subject: str, level: float) -> str:
    return f"{subject} is told on a side if its interval at {100 * level:g} % lies wholly there"


def _absence(than: str) -> str:
    return f"{LESS} {than} is no proof of absence: such land may hold some"
