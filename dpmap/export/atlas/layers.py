"""One layer of a release as an atlas takes it: of which kind, of which days, with its estimate."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpmap.inference import Estimate
    from dpmap.record import Record


@dataclass(frozen=True, slots=True)
class AtlasLayer:
    """Holds a map of one kind and one span of time.

    - `estimate`: None of a sparse map, which lists only the cells above its threshold.
    - `kind`: the declared name of the kind; of a map that does not tell kinds apart the declared
      one; empty where none is declared.
    - `first`, `last`: the first and the last day of the span; of a map that does not tell times
      apart the declared ones; None where none are declared.
    - `whole`: the record of the release that it is a layer of, where that has several.
    """

    record: "Record"
    estimate: "Estimate | None"
    kind: str = ""
    first: date | None = None
    last: date | None = None
    whole: "Record | None" = None
