"""What one part of a map holds, as it is printed: rounded to what its interval lets be told."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDE = 3.0
"""An interval that reaches so many times above or below its estimate is stated without it."""
FINENESS = 12
"""Bounds are rounded by about so small a part of the interval's width."""
TEN = 10.0
"""From here on points are told in whole numbers."""


@dataclass(frozen=True, slots=True)
class RegionAnswer:
    """What one part of the map holds, as printed: a total or a mean with its interval.

    `told` says whether it surely holds something or, of a mean, whether there is an answer;
    `share` is its part of the area's ground, where that is compared; `where` names the part
    of a layer's area that holds the most of it.
    """

    name: str
    estimate: float
    low: float
    high: float
    told: bool
    share: float = 0.0
    where: str = ""

    @property
    def words(self) -> str:
        """The numbers in words.

        >>> RegionAnswer("the north", 1200, 900, 1500, True).words
        'about 1,200 (900 to 1,500)'
        >>> RegionAnswer("the south", 3, 0, 40, False).words
        'cannot be told from none; at most 40'
        """
        low, estimate, high = map(digits, (self.low, self.estimate, self.high))
        if math.isnan(self.estimate):
            return "no answer: too few"
        if not self.told:
            return f"cannot be told from none; at most {high}"
        if 0 < self.low < self.estimate / WIDE or self.high > WIDE * self.estimate > 0:
            return f"between {low} and {high}"
        return f"about {estimate} ({low} to {high})"


def digits(value: float) -> str:
    """Write a number with all its digits, which are as many as can be told.

    >>> digits(12340.0), digits(0.4), digits(0.0)
    ('12,340', '0.4', '0')
    """
    text = f"{value:,.9f}" if abs(value) < 1 else f"{value:,.4f}"
    return text.rstrip("0").rstrip(".")


def round_interval(estimate: float, low: float, high: float) -> tuple[float, float, float]:
    """Return the numbers rounded to what the width of the interval lets be told, the bounds
    outwards.

    >>> round_interval(1234.5, 912.3, 1488.8)
    (1200.0, 900.0, 1500.0)
    >>> round_interval(31.2, 0.4, 88.0)
    (30.0, 0.4, 90.0)
    """
    width = max(high - low, abs(high) * 1e-6, 1e-6)
    coarse_step = 10.0 ** math.floor(math.log10(width / 2))
    tens = 10.0 ** math.floor(math.log10(width / FINENESS))
    step = max(tens * digit for digit in (1, 2, 5) if tens * digit <= width / FINENESS * (1 + 1e-9))
    if high >= TEN and coarse_step >= 1:
        step = max(step, 1.0)
    rounded_low = math.floor(low / step + 1e-9) * step
    if low > 0 and rounded_low <= 0:
        fine_step = 10.0 ** math.floor(math.log10(low))
        rounded_low = math.floor(low / fine_step) * fine_step
    rounded_high = math.ceil(high / step - 1e-9) * step
    rounded = estimate
    if math.isfinite(estimate):
        estimate_step = coarse_step if abs(estimate) >= 2 * coarse_step else step
        rounded = round(estimate / estimate_step) * estimate_step
        rounded = min(max(rounded, rounded_low), rounded_high)
    first, second, third = (
        float(f"{value:.12g}") for value in (rounded, rounded_low, rounded_high)
    )
    return first, second, third


def print_answer(
    name: str, estimate: float, low: float, high: float, *, mean: bool = False
) -> RegionAnswer:
    """Return an answer as it is printed."""
    is_told = math.isfinite(estimate) and (mean or low > 0)
    return RegionAnswer(name, *round_interval(estimate, low, high), is_told)


def sort_answers(rows: Sequence[RegionAnswer]) -> tuple[RegionAnswer, ...]:
    """Return the rows with told ones first, each kind from most to least."""
    return tuple(
        sorted(rows, key=lambda row: (not row.told, -row.estimate if row.told else -row.high))
    )


def find_most(rows: Sequence[RegionAnswer]) -> list[RegionAnswer]:
    """Return the rows that may hold the most: those that no other lies wholly above.

    >>> north = RegionAnswer("the north", 1200, 900, 1500, True)
    >>> south = RegionAnswer("the south", 400, 300, 600, True)
    >>> [row.name for row in find_most([north, south])]
    ['the north']
    """
    bound = max((row.low for row in rows), default=0.0)
    most = [row for row in rows if row.high >= bound]
    return sorted(most, key=lambda row: -row.estimate)


def find_fewest(rows: Sequence[RegionAnswer]) -> list[RegionAnswer]:
    """Return the rows that may hold the fewest: those that no other lies wholly below."""
    bound = min((row.high for row in rows), default=0.0)
    return [row for row in rows if row.low <= bound]


def find_denser(rows: Sequence[RegionAnswer], whole: RegionAnswer | None) -> list[RegionAnswer]:
    """Return the rows that surely hold more for their size than the whole area, the densest
    first.
    """
    if whole is None:
        return []
    denser = [row for row in rows if row.share and row.low > row.share * whole.high]
    return sorted(denser, key=lambda row: -row.low / row.share)
