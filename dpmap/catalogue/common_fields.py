"""Says of a release what every catalogue asks: title, abstract, days, terms of use."""

from dataclasses import dataclass
from datetime import date

from dpmap.grid.layer_axes import Times, first_and_last
from dpmap.maps import read_map
from dpmap.maps.totals import PLACE_SHOWN, SHOWN
from dpmap.promise.governance import Governance
from dpmap.promise.licences import LICENCES
from dpmap.record import Record
from dpmap.statement.columns import PLACE_WORDS, SHOWN_WORDS
from dpmap.statement.extent import Box, box
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun, selection_rule

PROJECTS = "https://localcontextshub.org/projects/"
KEYWORDS = ("differential privacy", "private map", "aggregated")
NO_ABSENCE = (
    "A cell that is not listed, has no number or is not distinguishable from none is no absence: it"
    " may hold many or none."
)
DIGITS = 6
"""Decimals of a degree: a tenth of a metre."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Holds the declared terms of use: the SPDX id if it is a known one, what they are called,
    and where they stand.
    """

    id: str
    name: str
    address: str


def title(record: Record) -> str:
    """Return what the map is called, all its layers together."""
    return clean(f"{record.title if record.about.layer else record.heading} (private map)")


def abstract(record: Record) -> str:
    """Say in a few plain sentences what the map is, how sure, and how not to read it."""
    words = map_statement(record)
    ground = record.grid.ground
    layers = len(record.grid.maps) if () not in record.grid.maps else 0
    each = f", {layers:,} layers of them" if layers else ""
    rule = f" Only {which} counted." if (which := selection_rule(record, briefly=True)) else ""
    return clean(
        f"A map of {noun(record)}: {words.numbers}, in {ground.cells_inside:,} cells"
        f" ({ground.cell_text}){each}.{rule} {words.noised_words()} {words.promise_words()}"
        f" {sentence(words.capped_words())} Numbers are noisy, so read them with their intervals."
        f" {sentence(words.sure_words())} {NO_ABSENCE}"
    )


def sentence(words: str) -> str:
    """Return a few words as a sentence.

    >>> sentence("capped: each row counts for at most 1")
    'Capped: each row counts for at most 1.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def release_day(record: Record) -> date | None:
    """Return the day of the release; None if a file holds no day."""
    try:
        return date.fromisoformat(record.released_on)
    except ValueError:
        return None


def days(record: Record) -> tuple[date, date] | None:
    """Return the first and the last day of the declared times; None if none were declared."""
    spans = next((first_and_last(axis) for axis in record.grid.axes if isinstance(axis, Times)), ())
    return (spans[0][0], spans[-1][1]) if spans else None


def degrees(record: Record) -> Box:
    """Return the box of the declared cells in degrees, rounded."""
    west, south, east, north = (round(side, DIGITS) for side in box(record.grid))
    return west, south, east, north


def terms(governance: Governance) -> Terms | None:
    """Return the declared terms of use; None if none were declared."""
    licence = governance.licence
    if not licence:
        return None
    if licence in LICENCES:
        return Terms(licence, *LICENCES[licence])
    return Terms("", licence, licence if licence.startswith("https://") else "")


def project(governance: Governance) -> str:
    """Return the address of the declared project at Local Contexts; empty if there is none."""
    return f"{PROJECTS}{governance.local_contexts}/" if governance.local_contexts else ""


def single(record: Record) -> Record:
    """Return the record of one map, whose columns and bands all layers share: the first layer,
    or the map itself.
    """
    return record if () in record.grid.maps else record.layer(next(iter(record.grid.maps)))


def coloured_band(record: Record) -> dict[str, str]:
    """Name the band besides the usual ones that a raster's style colours, with what it means;
    empty where there is none.
    """
    if not map_statement(record).columns.placed:
        return {}
    return {PLACE_SHOWN: PLACE_WORDS} if read_map(record).parted else {SHOWN: SHOWN_WORDS}


def conditions(governance: Governance) -> str:
    """Say who may use the map, for what and until when, as far as that was declared."""
    words = governance.words()
    return clean(
        f"As declared by its steward: {words}." if words else "Its steward declared no conditions."
    )
