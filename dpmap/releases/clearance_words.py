"""Says what a clearance found and what it does not mean, and reads the number of points that it is about."""

from dpmap.errors import BadInput
from dpmap.inference.clearance import LESS, MORE, UNKNOWN, Clearance
from dpmap.numbers import real


def read_below(below: str) -> float:
    """Reads the number of points a cell.

    >>> read_below("5")
    5.0
    """
    try:
        return real(below)
    except ValueError:
        raise BadInput("--below: a number of points per cell, above 0, like --below 5") from None


def describe(found: Clearance) -> dict[str, str]:
    """Says the three shares, the rule, and that less is not none."""
    shares = found.shares()
    than = f"than {found.threshold:,.12g} points a cell"
    said = f"{100 * shares[MORE]:.0f} % of the land holds {MORE} {than}, {100 * shares[LESS]:.0f} % {LESS}"
    return {
        "found": f"{said}; of {100 * shares[UNKNOWN]:.0f} % the map cannot say",
        "rate": f"a cell is told on a side if its interval at {100 * (1 - found.rate):g} % lies wholly there",
        "absence": f"{LESS} {than} is no proof of absence: such land may hold some",
    }
