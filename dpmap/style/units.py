"""Chooses the unit that a density is read in: per hectare, per square kilometre or per hundreds
of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dpmap.style.classes import class_labels, number

SMALL = 8
"""A number below 1 is as hard to read as one with so many digits more."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Holds what colours are read in: so many square kilometres, and the words for it."""

    square_km: float
    words: str

    def labels(self, edges: Sequence[float]) -> list[str]:
        """Return the names of classes whose edges are given per square kilometre.

        >>> HECTARE.labels([0.0, 1000.0, 5000.0])
        ['under 10', '10 to 50']
        """
        return class_labels([edge * self.square_km for edge in edges])

    def number(self, density: float) -> str:
        """Write a density, given per square kilometre, in this unit."""
        return number(density * self.square_km)


HECTARE = Unit(0.01, "hectare")
KM2 = Unit(1.0, "km\N{SUPERSCRIPT TWO}")
UNITS = (
    KM2,
    HECTARE,
    Unit(100.0, "100 km\N{SUPERSCRIPT TWO}"),
    Unit(10_000.0, "10,000 km\N{SUPERSCRIPT TWO}"),
)


def density_unit(edges: Sequence[float], whole: float) -> Unit:
    """Return the unit in which these densities are shortest to read, none larger than the whole
    map.

    >>> density_unit([0, 0.003, 0.03, 0.3], 5000.0).words, density_unit([0, 1, 5, 20], 5000.0).words
    ('100 km²', 'km²')
    >>> density_unit([0, 1000, 5000], 5000.0).words
    'hectare'
    """
    return _shortest([unit for unit in UNITS if unit.square_km <= max(whole, KM2.square_km)], edges)


def amount_unit(edges: Sequence[float], whole: float, words: str) -> Unit:
    """Return for how much of a public amount these rates are shortest to read, for none more than
    the whole map has.

    >>> amount_unit([0, 0.0002, 0.001], 1e6, "people").square_km
    10000.0
    """
    powers = [10.0**power for power in range(10)]
    return _shortest([Unit(many, words) for many in powers if many <= max(whole, 1.0)], edges)


def _shortest(units: Sequence[Unit], edges: Sequence[float]) -> Unit:
    """Return the unit in which edges are shortest to read; of equals the first."""
    return min(
        units,
        key=lambda unit: sum(
            _effort(unit.number(edge), edge * unit.square_km) for edge in edges if edge
        ),
    )


def _effort(text: str, value: float) -> int:
    """Return how hard a number is to read: its length, and more if it is a fraction of one."""
    return len(text) + (SMALL if abs(value) < 1 else 0)
