"""Rates: totals of places for each unit of a public amount, such as sightings per hour of effort.

A total's interval, divided by the amount, is the rate's interval, and holds exactly as often.
*Proof.* The amount a > 0 is public and so a fixed number: low <= t <= high if and only if low / a
<= t / a <= high / a. QED So a rate costs nothing, needs no law of its own, and is as sure as its
total; the error of the amount is not in it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.patches.region_growing import NEARLY_EMPTY, can_be_coloured

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

TINY = 1e-3
"""Where the amount for the ground is less than this share of the whole map's, there is no rate:
it would rest on the amount's own errors.
"""
PARTLY = 0.02
"""Where no more than this share of the ground is missing in the public file, nothing is said of
it.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """The public amount in each place, its square kilometres, and the share of them that the public
    file does not cover.
    """

    amount: Numbers
    square_km: Numbers
    missing: Numbers

    def is_enough(self, mean: float) -> Mask:
        """Returns where the amount is large enough for a rate; `mean` is the whole map's for
        each square kilometre.
        """
        return np.asarray(self.amount > TINY * mean * self.square_km)


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Each place's rate with the bounds of its interval, NaN where there is none, and whether it is
    told: its interval is narrow.
    """

    rate: Numbers
    low: Numbers
    high: Numbers
    told: Mask
    none: Mask
    least: float

    @classmethod
    def divide(
        cls,
        bounds: tuple[Numbers, Numbers, Numbers],
        amounts: Amounts,
        whole: tuple[float, float, float],
    ) -> "Rates":
        """Divides estimates and their bounds by the amounts; `whole` is the map's total, amount and
        square kilometres.

        A rate is told as densities are: its interval spans two neighbouring classes of colour at
        most, or shows that next to nothing is there for so much. That what holds next to nothing
        for its *ground* is told says nothing of its rate, if the amount is small too.
        """
        total, amount, square_km = whole
        enough = amounts.is_enough(amount / square_km)
        rate, low, high = (
            np.divide(part, amounts.amount, out=np.full(len(part), np.nan), where=enough)
            for part in bounds
        )
        least = NEARLY_EMPTY * max(total, 0.0) / amount
        sure = enough & can_be_coloured(
            bounds[1], bounds[2], np.where(enough, amounts.amount, 1.0), least
        )
        return cls(rate, low, high, sure, ~enough, least)


def notes(rates: Rates, amounts: Amounts, name: str) -> list[str]:
    """Returns the warnings about each place's rate, empty where there are none.

    >>> amounts = Amounts(np.array([0.0, 4.0]), np.ones(2), np.array([0.0, 0.25]))
    >>> rates = Rates.divide((np.ones(2), np.ones(2), np.ones(2)), amounts, (2.0, 4.0, 2.0))
    >>> notes(rates, amounts, "effort.tif")
    ['none of effort.tif here: no rate', 'effort.tif knows nothing of 25 % of it: the rate may be
    too high']
    """
    notes_of_places = []
    for none, amount, missing in zip(rates.none, amounts.amount, amounts.missing, strict=True):
        words = []
        if none and not (missing > 1 - PARTLY):
            words.append(f"{'next to none' if amount > 0 else 'none'} of {name} here: no rate")
        elif none:
            words.append(f"{name} knows nothing of it: no rate")
        elif missing > PARTLY:
            words.append(
                f"{name} knows nothing of {100 * missing:.0f} % of it: the rate may be too high"
            )
        notes_of_places.append("; ".join(words))
    return notes_of_places
