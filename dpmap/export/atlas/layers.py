"""One layer of a release as an atlas takes it: of which kind, of which days, with its estimate."""

from dataclasses import dataclass
from datetime import date

from dpmap.inference import Estimate
from dpmap.record import Record


@dataclass(frozen=True, slots=True)
class Layer:
    """Holds a map of one kind and one span of time.

    - `kind`: the declared name of the kind; empty if the map does not tell kinds apart.
    - `first`, `last`: the first and the last day of the span; None if the map does not tell times apart.
    """

    record: Record
    estimate: Estimate
    kind: str = ""
    first: date | None = None
    last: date | None = None
