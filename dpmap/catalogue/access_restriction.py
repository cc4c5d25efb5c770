"""Makes `restricted-access.json` and `.md`: what was done to sensitive places, in the words that
biodiversity portals read.

The words are Darwin Core's, and those of the draft vocabulary and extension for restricted-access
species data of TDWG's task group (github.com/tdwg/sensitive-species-extension). They are for the
description of a data set that is published beside the map, and for nothing else: cells of the map
are no occurrences.
"""

import json
import math
from typing import Any

from dpmap.catalogue.common_fields import NO_ABSENCE, project, release_day, sentence, title
from dpmap.grid import crs as crs_tools
from dpmap.grid.polygon_cells import Areas
from dpmap.promise.sensitivity_reasons import REASONS, VOCABULARY
from dpmap.record import Record
from dpmap.statement.extent import half_diagonal
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun, plain

TERMS = "http://rs.tdwg.org/dwc/terms/"
PLACES = ("decimalLatitude", "decimalLongitude")
NEVER = (
    "Never upload the map's cells as occurrence records: their numbers are noisy, so a portal would"
    " show sightings where there were none. Give the map as what it is, a layer or a table of"
    " totals."
)
NO_TERM = (
    "The vocabulary has no term for noisy aggregates. The nearest one is named here, and what was"
    " really done stands in the descriptions."
)
END = (
    "treatmentEndDate is the last day on which the map may be used, as declared. It does not say"
    " that exact places are open from then on."
)


def restricted(record: Record) -> dict[str, Any]:
    """Return the words by their terms."""
    done = _generalised(record)
    return {
        "title": title(record),
        "notes": [NEVER, NO_TERM, *([END] if record.about.governance.expires else [])],
        "terms": _darwin_core(record, done),
        "treatments": [_treatment(record, name, done) for name in PLACES],
    }


def _darwin_core(record: Record, done: str) -> dict[str, Any]:
    """Return the terms of Darwin Core, with what was done."""
    where = project(record.about.governance)
    return {
        f"{TERMS}dataGeneralizations": done,
        f"{TERMS}informationWithheld": _withheld(record),
        f"{TERMS}coordinateUncertaintyInMeters": math.ceil(half_diagonal(record.grid)),
        f"{TERMS}georeferenceRemarks": (
            "No point was moved. Uncertainty is that of the largest cell: how far from its cell's"
            " middle a record may lie."
        ),
        **(
            {f"{TERMS}dynamicProperties": json.dumps({"local_contexts_project_id": where})}
            if where
            else {}
        ),
    }


def _generalised(record: Record) -> str:
    """Say what was made of exact places."""
    grid = record.grid
    words = map_statement(record)
    return clean(
        f"Places are given as cells only: {words.numbers}, in {grid.ground.cells_inside:,} cells"
        f" ({grid.cell_text}, {crs_tools.name(grid.crs)}). {sentence(words.capped_words())}"
        f" {words.noised_words()} {sentence(words.sure_words())} No coordinates of {noun(record)}"
        f" are given, and none were moved. {NO_ABSENCE}"
    )


def _withheld(record: Record) -> str:
    """Say what exists and is not given, and who may be asked."""
    by = clean(record.about.governance.authorised_by)
    return f"{map_statement(record).withheld_words()}{f' Ask {by}.' if by else ''}"


def _treatment(record: Record, name: str, done: str) -> dict[str, Any]:
    """Say how one field was treated, in the words of the extension; a reason stands there if
    one was declared.
    """
    governance = record.about.governance
    day = release_day(record)
    how = (
        "obfuscateCoordinates"
        if isinstance(record.grid.cells, Areas)
        else "coordinatesReplacedByGrid"
    )
    return {
        "treatmentField": f"{TERMS}{name}",
        **(
            {"treatmentReason": f"{VOCABULARY}reason/{governance.reason}"}
            if governance.reason in REASONS
            else {}
        ),
        "treatmentType": f"{VOCABULARY}treatment/{how}",
        "treatmentDescription": done,
        **({"treatmentStartDate": day.isoformat()} if day else {}),
        **({"treatmentEndDate": governance.expires} if governance.expires else {}),
        **(
            {"treatmentOrganisation": clean(governance.authorised_by)}
            if governance.authorised_by
            else {}
        ),
        "treatmentInEffect": True,
    }


def restricted_words(record: Record) -> str:
    """Return the same in Markdown, to paste from."""
    restriction = restricted(record)
    terms = [(name.removeprefix(TERMS), value) for name, value in restriction["terms"].items()]
    first = {
        name: value
        for name, value in restriction["treatments"][0].items()
        if name not in ("treatmentField", "treatmentDescription")
    }
    reason = record.about.governance.reason
    missing = (
        ""
        if reason in REASONS
        else "- `treatmentReason`: not declared; `--reason` at the release names one\n"
    )
    return (
        f"# What was done to sensitive places: {plain(record.heading)}\n\nPortals for biodiversity"
        " ask this where a data set is described. Copy each line into the field of its"
        f" name.\n\n**{NEVER}**\n\n## Darwin Core\n\n{_lines(terms)}\n## Restricted-access"
        " words\n\nThe vocabulary and the extension of TDWG's task group are drafts."
        f" {NO_TERM}\n\n- `treatmentField`:"
        f" {' and '.join(f'`{name}`' for name in PLACES)}\n{missing}{_lines(list(first.items()))}-"
        " `treatmentDescription`: as `dataGeneralizations` above\n"
        + (f"\n{END}\n" if record.about.governance.expires else "")
    )


def _lines(pairs: list[tuple[str, Any]]) -> str:
    """Write terms and their values as a list."""
    return "".join(
        f"- `{name}`: {plain(value if isinstance(value, str) else json.dumps(value))}\n"
        for name, value in pairs
    )
