"""Makes `dcat.jsonld`: the release as a data set of a catalogue, after the W3C's DCAT 3 and
Europe's profile of it, DCAT-AP 3.

Addresses are relative to the folder `metadata`, so they hold wherever the release's folder is laid
as it is. Conditions of use stand as `dct:rights`: DCAT-AP keeps `dct:accessRights` for a term of
Europe's list (public, restricted), which nobody declared.
"""

from typing import Any

from dpmap.catalogue.common_fields import (
    KEYWORDS,
    abstract,
    conditions,
    days,
    degrees,
    project,
    release_day,
    terms,
    title,
)
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.record import Record
from dpmap.statement.extent import split_box
from dpmap.statement.folder import Standing, standing
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
TYPES = "https://www.iana.org/assignments/media-types/"
SYSTEMS = "http://www.opengis.net/def/crs/EPSG/0/"


def dcat(record: Record) -> dict[str, Any]:
    """Return the description."""
    governance = record.about.governance
    day = release_day(record)
    licence_terms = terms(record.about.governance)
    by = clean(governance.authorised_by)
    where = project(governance)
    licence = (
        {"dct:license": _licence(licence_terms.address, licence_terms.name)}
        if licence_terms
        else {}
    )
    return {
        "@context": CONTEXT,
        "@id": governance.doi_address or "../",
        "@type": "dcat:Dataset",
        "dct:title": title(record),
        "dct:description": abstract(record),
        "dct:identifier": clean(record.receipt.release_id) or title(record),
        **({"dct:issued": _typed(day.isoformat(), "date")} if day else {}),
        **({"dct:creator": {"@type": "foaf:Agent", "foaf:name": by}} if by else {}),
        "dct:spatial": {
            "@type": "dct:Location",
            "dcat:bbox": {"@value": _wkt(record), "@type": "geo:wktLiteral"},
        },
        **_temporal(record),
        **_resolution(record),
        **licence,
        "dct:rights": {"@type": "dct:RightsStatement", "rdfs:label": conditions(governance)},
        "dct:provenance": {
            "@type": "dct:ProvenanceStatement",
            "rdfs:label": clean(map_statement(record).provenance()),
        },
        **_conforms(record),
        **({"dct:relation": {"@id": where}} if where else {}),
        "dcat:keyword": [*KEYWORDS, noun(record)],
        "dcat:distribution": [_distribution(one, licence) for one in standing(record)],
    }


def _distribution(one: Standing, licence: dict[str, Any]) -> dict[str, Any]:
    """Describe a file of the folder."""
    address = f"../{one.place}"
    return {
        "@type": "dcat:Distribution",
        "dct:title": clean(one.title),
        "dcat:accessURL": {"@id": address},
        "dcat:downloadURL": {"@id": address},
        "dcat:mediaType": {"@id": f"{TYPES}{one.media}", "@type": "dct:MediaType"},
        **licence,
    }


def _licence(address: str, name: str) -> dict[str, Any]:
    """Return the terms of use by their address, or by their name alone."""
    identifier = {"@id": address} if address else {}
    return {**identifier, "@type": "dct:LicenseDocument", "rdfs:label": name}


def _typed(value: str, kind: str) -> dict[str, str]:
    """Return a value of an XML Schema type."""
    return {"@value": value, "@type": f"xsd:{kind}"}


def _wkt(record: Record) -> str:
    """Write the box of the declared cells, longitude first, as GeoSPARQL's default has it; in
    two parts over the antimeridian.
    """
    rings = [
        f"(({west} {south},{east} {south},{east} {north},{west} {north},{west} {south}))"
        for west, south, east, north in split_box(degrees(record))
    ]
    return f"POLYGON{rings[0]}" if len(rings) == 1 else f"MULTIPOLYGON({','.join(rings)})"


def _temporal(record: Record) -> dict[str, Any]:
    """Return the declared days."""
    if (about := days(record)) is None:
        return {}
    ends = {
        "dcat:startDate": _typed(about[0].isoformat(), "date"),
        "dcat:endDate": _typed(about[1].isoformat(), "date"),
    }
    return {"dct:temporal": {"@type": "dct:PeriodOfTime", **ends}}


def _resolution(record: Record) -> dict[str, Any]:
    """Return the longer side of square cells, in metres."""
    if not isinstance(record.grid.cells, Squares) or crs_tools.is_lonlat(record.grid.crs):
        return {}
    side = max(record.grid.cells.cell) * crs_tools.unit_metres(record.grid.crs)
    return {
        "dcat:spatialResolutionInMeters": _typed(f"{side:.3f}".rstrip("0").rstrip("."), "decimal")
    }


def _conforms(record: Record) -> dict[str, Any]:
    """Name the cells' reference system, if a register has it."""
    authority, _, code = record.grid.crs.partition(":")
    if authority != "EPSG" or not code.isdigit():
        return {}
    name = clean(crs_tools.name(record.grid.crs))
    return {
        "dct:conformsTo": {"@id": f"{SYSTEMS}{code}", "@type": "dct:Standard", "dct:title": name}
    }
