"""The colours and classes of changes: two ramps that meet at 0, the same for pictures, pages and
layers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpmap.style.classes import Cells, class_breaks
from dpmap.style.units import KM2, Unit

FEWER = ("#f5c98b", "#cf7a1c", "#7f3d00")
MORE = ("#c3bbe0", "#7d68b3", "#3a1a6b")
"""Light to dark, orange for fewer and purple for more: told apart with every kind of colour
blindness; steps of lightness are alike.
"""
ON_DARK = {
    "#f5c98b": "#f7d9ae",
    "#cf7a1c": "#e39a3c",
    "#7f3d00": "#b8640f",
    "#c3bbe0": "#d9d3f0",
    "#7d68b3": "#a494da",
    "#3a1a6b": "#7b57c8",
}
"""The same on a dark page, light to dark as on paper; all are seen on it."""
BEYOND = 1e300
MINUS = "\N{MINUS SIGN}"
PICKED = {1: (1,), 2: (0, 2), 3: (0, 1, 2)}


@dataclass(frozen=True, slots=True)
class ChangeClass:
    """Describes a class of changes: `low` <= change < `high` for each square kilometre, its
    words without a sign, and its colour.
    """

    words: str
    colour: str
    low: float
    high: float

    @property
    def on_dark(self) -> str:
        """The colour on a dark page."""
        return ON_DARK[self.colour]

    @property
    def more(self) -> bool:
        """Whether it is of increases."""
        return self.high > 0


@dataclass(frozen=True, slots=True)
class ChangeClasses:
    """Holds classes from the largest decrease to the largest increase, alike on both sides of 0,
    and the unit of their words.
    """

    classes: tuple[ChangeClass, ...]
    unit: Unit = KM2

    @classmethod
    def fit(cls, changes: Cells, unit_of: Callable[[Sequence[float]], Unit]) -> "ChangeClasses":
        """Make round classes for told changes; without any there are none.

        >>> made = ChangeClasses.fit(np.array([-3.0, 9.0]), lambda edges: KM2)
        >>> [(one.low, one.words) for one in made.classes if one.more]
        [(0.0, 'under 5'), (5.0, '5 to 10')]
        """
        sizes = np.abs(changes[np.isfinite(changes)])
        edges = class_breaks(sizes, len(MORE))
        if len(edges) < 2:
            return cls(())
        unit = unit_of(edges)
        picked = PICKED[len(edges) - 1]
        labels = unit.labels(edges)
        ends = [*edges[:-1], BEYOND]
        more = [
            ChangeClass(labels[i], MORE[at], ends[i], ends[i + 1]) for i, at in enumerate(picked)
        ]
        fewer = [
            ChangeClass(labels[i], FEWER[at], -ends[i + 1], -ends[i] if i else 0.0)
            for i, at in enumerate(picked)
        ]
        return cls((*fewer[::-1], *more), unit)

    def of_each(self, changes: Cells) -> "np.typing.NDArray[np.int64]":
        """Return the number of each change's class.

        >>> made = ChangeClasses.fit(np.array([-3.0, 9.0]), lambda edges: KM2)
        >>> made.of_each(np.array([-7.0, -1.0, 1.0, 9.0])).tolist()
        [0, 1, 2, 3]
        """
        lows = [class_.low for class_ in self.classes]
        return np.clip(np.searchsorted(lows, changes, side="right") - 1, 0, max(0, len(lows) - 1))


def signed(value: float) -> str:
    r"""Write a change with its sign, and no more digits than matter.

    >>> signed(52.63), signed(-4.567).encode("ascii", "namereplace").decode(), signed(0.0), signed(
    ...     float("nan")
    ... )
    ('+53', '\\N{MINUS SIGN}4.6', '0', '-')
    """
    if np.isnan(value):
        return "-"
    size = abs(value)
    text = f"{size:,.0f}" if size >= 10 else f"{size:.2g}" if size >= 0.05 else "0"
    return text if text == "0" else f"{'+' if value > 0 else MINUS}{text}"
