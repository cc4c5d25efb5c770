"""Makes `datacite.json`: the release in the words of DataCite's Metadata Schema 4, as its service
takes them.

Without a DOI it is what the service calls the attributes of a draft: what registers it adds `doi`,
or a `prefix`, and the `url` of its page.
"""

from typing import Any

from dpmap.catalogue.common_fields import (
    KEYWORDS,
    abstract,
    days,
    degrees,
    project,
    release_day,
    terms,
    title,
)
from dpmap.promise.governance import Governance
from dpmap.record import Record
from dpmap.statement.folder import standing
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

UNKNOWN = ":unav"
LATER = ":tba"
"""DataCite's own words for a value that is not known here, and for one that is to come."""


def datacite(record: Record) -> dict[str, Any]:
    """Return the metadata; who published it is not known when it is made."""
    governance = record.about.governance
    day = release_day(record)
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        **({"doi": governance.doi} if governance.doi else {}),
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Differentially private map"},
        "creators": [{"name": clean(governance.authorised_by) or UNKNOWN}],
        "titles": [{"title": title(record)}],
        "publisher": {"name": LATER},
        "publicationYear": f"{day.year:04d}" if day else "0000",
        "subjects": [{"subject": word} for word in (*KEYWORDS, noun(record))],
        "language": "en",
        "dates": _dates(record),
        "alternateIdentifiers": _identifiers(record),
        "sizes": _sizes(record),
        "formats": list(dict.fromkeys(one.media for one in standing(record))),
        **({"rightsList": rights} if (rights := _rights(governance)) else {}),
        "descriptions": [
            {"descriptionType": "Abstract", "description": abstract(record)},
            {
                "descriptionType": "Methods",
                "description": clean(map_statement(record).provenance()),
            },
            {"descriptionType": "TechnicalInfo", "description": f"Made with {_versions(record)}."},
        ],
        "geoLocations": [{"geoLocationBox": _box(record)}],
        **({"relatedIdentifiers": _related(governance)} if governance.local_contexts else {}),
    }


def _dates(record: Record) -> list[dict[str, str]]:
    """Say when it was issued, until when it may be used, and which days it is about."""
    day = release_day(record)
    until = record.about.governance.expires
    about = days(record)
    issued = [{"date": day.isoformat(), "dateType": "Issued"}] if day else []
    used = {"dateType": "Valid", "dateInformation": "declared last day of use"}
    valid = (
        [{"date": f"{day.isoformat()}/{until}", **used}]
        if until and day and until >= day.isoformat()
        else []
    )
    resource = {
        "dateType": "Collected",
        "dateInformation": "declared days that the map's layers are about",
    }
    collected = (
        [{"date": f"{about[0].isoformat()}/{about[1].isoformat()}", **resource}] if about else []
    )
    return issued + valid + collected


def _identifiers(record: Record) -> list[dict[str, str]]:
    """Name the release as its file and ledger do."""
    name = clean(record.receipt.release_id)
    return (
        [{"alternateIdentifier": name, "alternateIdentifierType": "dpmap release"}] if name else []
    )


def _sizes(record: Record) -> list[str]:
    """Say how many cells and layers there are."""
    cells = record.grid.ground.cells_inside
    maps = [names for names in record.grid.maps if names]
    return [f"{cells:,} cells"] + ([f"{len(maps):,} layers"] if maps else [])


def _rights(governance: Governance) -> list[dict[str, str]]:
    """Return the terms of use and, as DataCite advises, a line for each label of Local Contexts
    with the project's address.
    """
    rights = terms(governance)
    lines = (
        []
        if rights is None
        else [{"rights": rights.name, **({"rightsUri": rights.address} if rights.address else {})}]
    )
    if rights is not None and rights.id:
        lines[0] |= {
            "rightsIdentifier": rights.id.lower(),
            "rightsIdentifierScheme": "SPDX",
            "schemeUri": "https://spdx.org/licenses/",
        }
    where = {"rightsUri": project(governance)} if governance.local_contexts else {}
    scheme = {"rightsIdentifierScheme": "Local Contexts", "schemeUri": "https://localcontexts.org/"}
    lines += [
        {"rights": clean(label), **where, **scheme} for label in dict.fromkeys(governance.labels)
    ]
    return lines


def _related(governance: Governance) -> list[dict[str, str]]:
    """Name the project at Local Contexts."""
    where = {"relatedIdentifier": project(governance), "relatedIdentifierType": "URL"}
    return [{**where, "relationType": "IsDescribedBy"}]


def _box(record: Record) -> dict[str, float]:
    """Return the box of the declared cells."""
    west, south, east, north = degrees(record)
    return {
        "westBoundLongitude": west,
        "eastBoundLongitude": east,
        "southBoundLatitude": south,
        "northBoundLatitude": north,
    }


def _versions(record: Record) -> str:
    """Name what made it."""
    return (
        clean(", ".join(f"{name} {version}" for name, version in record.versions.items()))
        or "dpmap"
    )
