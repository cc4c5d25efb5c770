"""Words for rates: what is counted, by how much of a public amount, and where that is from."""

from dataclasses import dataclass

from dpmap.grid.allocate import Laid
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

SINGLE = {"people": "person", "children": "child", "km2": "km\N{SUPERSCRIPT TWO}"}
LONGEST = 40
SURE = 12
"""Digits of a file's hash that are shown: enough to tell two files apart."""


@dataclass(frozen=True, slots=True)
class RateWords:
    """Says what rates are of: `counted` by `amount`, such as sightings by hours of effort."""

    counted: str
    amount: str
    source: str
    capped: str

    @classmethod
    def describe(cls, record: Record, laid: Laid, amount: str | None = None) -> "RateWords":
        """Takes the amount's own name, or makes one of the file's."""
        file = clean(laid.name)[:LONGEST]
        usual = f"{SINGLE.get(laid.what, laid.what) or 'units'} of {file}"
        named = clean(amount or "").strip()[:LONGEST] or usual
        source = (
            f"{named}: from {file}, public, SHA-256 {laid.sha256[:SURE]}"
            if named != usual
            else f"{file}: public, SHA-256 {laid.sha256[:SURE]}"
        )
        return cls(noun(record), named, source, map_statement(record).capped_words())

    def per(self, amount: float = 1) -> str:
        """Writes a rate's unit.

        >>> RateWords("sightings", "hours of effort", "", "").per(100)
        'sightings per 100 hours of effort'
        >>> RateWords("sightings", "hours of effort", "", "").per()
        'sightings per hour of effort'
        """
        return (
            f"{self.counted} per"
            f" {single(self.amount) if amount == 1 else f'{amount:,.0f} {self.amount}'}"
        )


def single(words: str) -> str:
    """Writes the first of these words for one of it.

    >>> single("people"), single("visits by boat"), single("km of road")
    ('person', 'visit by boat', 'km of road')
    """
    first, *rest = words.split(" ")
    one = SINGLE.get(
        first,
        (
            first[:-1]
            if len(first) > 3 and first.endswith("s") and not first.endswith("ss")
            else first
        ),
    )
    return " ".join([one, *rest])
