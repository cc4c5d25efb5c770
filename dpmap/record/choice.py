"""The answer to one private question without a map: which area holds most, or which cell size
tells most.
"""

import json
import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.numbers import decimal_text, percent
from dpmap.promise.policy import Policy
from dpmap.record import Receipt


@dataclass(frozen=True, slots=True)
class Choice:
    """Holds which candidate was chosen, under which promise, and the ledger entry that paid for it.

    It is right the likelier the further the best is ahead: by `lead(0.9)` points, nine times in
    ten. For a cell size `spending` is the loss of the map it was chosen for, and the lead is in
    points wrongly placed.
    """

    chosen: str
    candidates: tuple[str, ...]
    policy: Policy
    receipt: Receipt
    released_on: str
    spending: Fraction | None = None

    def lead(self, level: float = 0.9) -> float:
        """Returns how many points ahead the best must be to be chosen with at least the probability
        `level`.

        Each of the k - 1 others comes before the best in half of the orders, and shows heads with a
        chance of at most e^(-lead epsilon / cap), so some other is chosen with at most (k - 1) / 2
        times that. A cell size needs four times the lead: one unit moves its score by two caps, and
        both ways.

        >>> from fractions import Fraction
        >>> policy = Policy(epsilon=1, unit="who", cap=5)
        >>> receipt = Receipt("d", "r", "h", 1, Fraction(1), Fraction(1))
        >>> round(
        ...     Choice("North", ("North", "South", "West"), policy, receipt, "2026-01-01").lead(), 1
        ... )
        11.5
        """
        import math

        others = len(self.candidates) - 1
        caps = 1 if self.spending is None else 4
        return (
            max(0.0, caps * float(self.policy.scale) * math.log(others / 2 / (1 - level)))
            if others
            else 0.0
        )

    def __str__(self) -> str:
        return self.chosen

    def words(self) -> str:
        """Returns in plain words what was asked, answered and spent."""
        policy = self.policy
        receipt = self.receipt
        unit = "any one row" if policy.unit == "row" else f"any one {policy.unit}"
        drawn = (
            ""
            if policy.sample is None
            else f" of a sample of {percent(policy.sample)} of the units"
        )
        return (
            f"Of {len(self.candidates)} {self._question_words()}{drawn}, privately: nobody's odds"
            " about"
            f" whether {unit} took part move by more than e^{decimal_text(policy.epsilon)}. No"
            f" total was told. One ahead of all others by {self.lead():.3g} points{drawn} (no unit"
            f" counts for more than {policy.cap}) is chosen at least 9 times in 10; nearer ones may"
            f" be passed over. Spent: {decimal_text(policy.epsilon)};"
            f" {decimal_text(receipt.remaining)} of {decimal_text(receipt.budget)} remains for"
            f" {receipt.dataset!r}."
        )

    def _question_words(self) -> str:
        """Returns the question and its answer in words."""
        if self.spending is None:
            return f"areas, {self.chosen} was chosen as the one that holds most"
        return (
            f"cell sizes, {self.chosen} was chosen as the one whose map, each cell measured by"
            f" itself at epsilon {decimal_text(self.spending)}, places fewest points wrongly among"
            " the smallest cells"
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the answer with its promise and receipt as plain values."""
        receipt = {
            name: getattr(self.receipt, name) for name in ("dataset", "release_id", "head", "event")
        }
        return {
            "chosen": self.chosen,
            "candidates": list(self.candidates),
            "policy": self.policy.to_dict(),
            "receipt": {
                **receipt,
                "budget": decimal_text(self.receipt.budget),
                "spent": decimal_text(self.receipt.spent),
            },
            "released_on": self.released_on,
            **({} if self.spending is None else {"spending": decimal_text(self.spending)}),
            "statement": self.words(),
        }

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the answer to a JSON file at `path`."""
        with written_aside(path) as aside:
            aside.write_text(
                json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
            )
