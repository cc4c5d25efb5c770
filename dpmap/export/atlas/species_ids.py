"""Reads the key of a kind as the id of a species in one of the three lists that INSPIRE takes."""

import re
from dataclasses import dataclass

from dpmap.errors import BadInput
from dpmap.export.atlas.taxa import Taxa

EU_NOMEN = "http://www.eu-nomen.eu/portal/taxon.php?GUID="
EUNIS = "http://eunis.eea.europa.eu/species/"
NATURE = "http://inspire.ec.europa.eu/codelist/NatureDirectivesCodeValue/"
WRITE = "write urn:lsid:... as EU-Nomen gives it, or eunis:1435, or natureDirectives:1355"


@dataclass(frozen=True, slots=True)
class Species:
    """Holds the id of a species, its address, and the list that it is of, by the list's name in
    INSPIRE's register.
    """

    id: str
    address: str
    scheme: str


def species(kind: str, taxa: Taxa) -> Species:
    """Return the species that a kind is, which a specification of species cannot do without.

    >>> species("Otter", Taxa({"Otter": "eunis:1435"}))
    Species(id='1435', address='http://eunis.eea.europa.eu/species/1435', scheme='eunis')
    >>> species("Otter", Taxa({"Otter": "2433753"}))
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: taxa: '2433753' is no id of a list that INSPIRE takes; write
    urn:lsid:... as EU-Nomen gives it, ...
    """
    key = taxa.keys.get(kind, "")
    if not key:
        what = f"which species {kind[:60]!r} is" if kind else "which species the map is of"
        raise BadInput(
            f"--as: inspire-sd asks {what}; add it, like --taxon"
            f" '{kind[:60] or 'Otter'}=eunis:1435', or {WRITE}"
        )
    match = re.fullmatch(r"(?i:eunis:|https?://eunis\.eea\.europa\.eu/species/)(\d{1,9})", key)
    if match:
        return Species(match[1], EUNIS + match[1], "eunis")
    match = re.fullmatch(r"(?i:naturedirectives:)([A-Z]?\d{3,4})", key)
    if match:
        return Species(match[1], NATURE + match[1], "natureDirectives")
    if re.fullmatch(r"urn:lsid:[A-Za-z0-9.\-]+:[A-Za-z0-9.\-_]+:[A-Za-z0-9.\-_]+", key):
        return Species(key, EU_NOMEN + key, "eunomen")
    raise BadInput(f"--taxon: {key[:60]!r} is no id of a list that INSPIRE takes; {WRITE}")
