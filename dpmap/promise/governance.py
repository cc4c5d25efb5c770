"""Carries a steward's declaration of who authorised a release, what for, until when, and its
community labels.

Indigenous communities govern data about their people and places beyond what privacy law asks: who
may speak for them, for which purpose, how long, and with which of the Local Contexts labels
(Traditional Knowledge and Biocultural: `TK Attribution`, `BC Provenance` ...) that communities
alone give to their own heritage. dpmap cannot check such a declaration. It keeps it in the release
and writes it into everything made from it, so that it travels with the map.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from dpmap.errors import BadInput, near
from dpmap.promise import licences, sensitivity_reasons
from dpmap.promise.field_formats import FORMS

LABELS = {
    "TK A": "TK Attribution",
    "TK CL": "TK Clan",
    "TK F": "TK Family",
    "TK MC": "TK Multiple Communities",
    "TK CV": "TK Community Voice",
    "TK CR": "TK Creative",
    "TK V": "TK Verified",
    "TK NV": "TK Non-Verified",
    "TK S": "TK Seasonal",
    "TK WG": "TK Women General",
    "TK MG": "TK Men General",
    "TK MR": "TK Men Restricted",
    "TK WR": "TK Women Restricted",
    "TK CS": "TK Culturally Sensitive",
    "TK SS": "TK Secret / Sacred",
    "TK OC": "TK Open to Commercialization",
    "TK NC": "TK Non-Commercial",
    "TK CO": "TK Community Use Only",
    "TK O": "TK Outreach",
    "TK CB": "TK Open to Collaboration",
    "TK C": "TK Commercial",
    "BC P": "BC Provenance",
    "BC MC": "BC Multiple Communities",
    "BC CL": "BC Clan",
    "BC CV": "BC Consent Verified",
    "BC CNV": "BC Consent Non-Verified",
    "BC R": "BC Research Use",
    "BC CB": "BC Open to Collaboration",
    "BC OC": "BC Open to Commercialization",
    "BC O": "BC Outreach",
    "BC NC": "BC Non-Commercial",
    "TK N": "TK Notice",
    "BC N": "BC Notice",
    "AI": "Attribution Incomplete Notice",
    "OC": "Open to Collaborate Notice",
}
"""The labels and notices of Local Contexts, by their short names."""
WORDS = {
    "authorised_by": "Authorised by",
    "purpose": "Purpose",
    "expires": "Last day of use",
    "labels": "Local Contexts labels",
    "local_contexts": "Local Contexts project",
    "licence": "Licence",
    "doi": "DOI",
    "reason": "Reason for the treatment",
    "retention": "Who can reach survey and ledger, and for how long",
    "also_published": "Also published of the same data",
}
"""What each part is called where it is listed."""
LONGEST = {
    "authorised_by": 120,
    "purpose": 240,
    "local_contexts": 120,
    "licence": 120,
    "doi": 120,
    "reason": 120,
    "retention": 240,
}
LISTS = {"labels": "--label", "also_published": "--also-published"}
"""The parts that are lists, and the flag that adds to each."""
LONGEST_LABEL = 60
LONGEST_PUBLISHED = 240
MOST_LABELS = 12
IN_ADDRESSES = "/:;()@!$&*+,=-._~"
"""The marks of a DOI that stand in an address as they are."""
ON_MAPS = ("authorised_by", "purpose", "expires", "labels")
"""The parts that stand on maps and in layers; the statement has all."""


@dataclass(frozen=True, slots=True)
class Governance:
    """What a steward declares about a map's use; every part may be left out. It is carried into
    everything made from the release.

    - `authorised_by`: who authorised the map.
    - `purpose`: what it may be used for.
    - `expires`: the last day of its use, like 2031-12-31.
    - `labels`: names of Local Contexts labels, such as `"TK Attribution"`; `local_contexts`: the id
      of the project there, which portals read.
    - `licence`: under what terms it is published, an SPDX id such as `"CC-BY-4.0"` or an https
      address; `doi`: under what name.
    - `reason`: why the places are treated as sensitive, a term of the vocabulary for restricted
      access, such as `"speciesLocation"`.
    - `retention`: who can reach the survey and the ledger, and for how long.
    - `also_published`: what else was published of the same data, each in a line.

    >>> Governance(
    ...     authorised_by="Elders' council", expires="2031-12-31", labels=("TK Attribution",)
    ... ).words()
    "authorised by Elders' council; until 2031-12-31; labels: TK Attribution"
    >>> Governance(expires="soon")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: expires: write the last day of use as YEAR-MONTH-DAY, like 2031-12-31
    >>> told = Governance(
    ...     licence="cc-by-4.0", doi="https://doi.org/10.5072/owls", reason="specieslocation"
    ... )
    >>> told.licence, told.doi, told.reason
    ('CC-BY-4.0', '10.5072/owls', 'speciesLocation')
    """

    authorised_by: str = ""
    purpose: str = ""
    expires: str = ""
    labels: tuple[str, ...] = ()
    local_contexts: str = ""
    licence: str = ""
    doi: str = ""
    reason: str = ""
    retention: str = ""
    also_published: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, longest in LONGEST.items():
            object.__setattr__(
                self, name, _line(getattr(self, name), longest, f"--{name.replace('_', '-')}")
            )
        for name, longest in {"labels": LONGEST_LABEL, "also_published": LONGEST_PUBLISHED}.items():
            object.__setattr__(self, name, _lines(getattr(self, name), longest, LISTS[name]))
        for name, form in FORMS.items():
            object.__setattr__(self, name, form.check(getattr(self, name)))
        try:
            day = date.fromisoformat(self.expires).isoformat() if self.expires else ""
        except (ValueError, TypeError):
            raise BadInput(
                "--expires: write the last day of use as YEAR-MONTH-DAY, like 2031-12-31"
            ) from None
        object.__setattr__(self, "expires", day)

    def __bool__(self) -> bool:
        return bool(self.facts())

    def check_new(self, today: date) -> None:
        """Refuses what cannot be meant of a map that is yet to be made: a last day that is past, a
        label nobody gives, an unknown licence or reason.

        A community's own title may follow the label's name, after a colon.

        >>> Governance(labels=("tk attribution: Wabanaki", "BC P"), expires="2031-12-31").check_new(
        ...     date(2031, 12, 31)
        ... )
        >>> Governance(labels=("TK Atribution",)).check_new(date(2031, 1, 1))
        Traceback (most recent call last):
        ...
        dpmap.errors.BadInput: labels: 'TK Atribution' is no Local Contexts label (did you mean TK
        Attribution?); https://localcontexts.org/labels lists them, and a title of your own may
        follow, as in 'TK Attribution: Wabanaki'
        """
        if self.expires and date.fromisoformat(self.expires) < today:
            raise BadInput(
                f"--expires: {self.expires} is past; write the last day on which the map may be"
                " used"
            )
        licences.check(self.licence)
        sensitivity_reasons.check(self.reason)
        known = {_letters(name) for pair in LABELS.items() for name in pair}
        for label in self.labels:
            name = re.split(r"[:(]", label)[0].strip()
            if _letters(name) not in known:
                raise BadInput(
                    f"--label: {name!r} is no Local Contexts label{near(name, LABELS.values())};"
                    " https://localcontexts.org/labels lists them, and a title of your own may"
                    " follow, as in 'TK Attribution: Wabanaki'"
                )

    def facts(self) -> dict[str, str]:
        """The declared fields as pairs of name and text.

        >>> Governance(purpose="planning", labels=("TK Clan", "BC Provenance")).facts()
        {'purpose': 'planning', 'labels': 'TK Clan, BC Provenance'}
        """
        pairs = {name: getattr(self, name) for name in WORDS}
        pairs |= {
            "labels": ", ".join(self.labels),
            "also_published": "; ".join(self.also_published),
        }
        return {name: value for name, value in pairs.items() if value}

    @property
    def doi_address(self) -> str:
        """The address of the declared DOI, in which a mark that addresses keep for themselves is
        written as they write it; empty without one.

        >>> Governance(doi="10.1000/456#789").doi_address
        'https://doi.org/10.1000/456%23789'
        """
        from urllib.parse import quote

        return f"https://doi.org/{quote(self.doi, safe=IN_ADDRESSES)}" if self.doi else ""

    def words(self) -> str:
        """The declaration on one line, for maps and layers; empty if nothing was declared."""
        said = {
            "authorised_by": "authorised by {}",
            "purpose": "for {}",
            "expires": "until {}",
            "labels": "labels: {}",
        }
        return "; ".join(
            said[name].format(value) for name, value in self.facts().items() if name in ON_MAPS
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the declared fields as plain values for a release's notes."""
        return {
            **self.facts(),
            **{name: list(getattr(self, name)) for name in LISTS if getattr(self, name)},
        }

    @classmethod
    def from_notes(cls, notes: Mapping[str, Any]) -> "Governance":
        """Reads the declaration from a release's notes, ignoring anything there that is not valid.

        >>> Governance.from_notes({"governance": {"purpose": "planning", "expires": 7}})
        Governance(authorised_by='', purpose='planning', expires='', labels=(), ...
        """
        given = notes.get("governance")
        plain: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        fields: dict[str, Any] = {}
        for name in cls.__slots__:
            value = plain.get(name)
            value = (
                tuple(line for line in value if isinstance(line, str))
                if isinstance(value, list)
                else value
            )
            if not isinstance(value, tuple if name in LISTS else str):
                continue
            one: dict[str, Any] = {name: value}
            try:
                cls(**one)
            except BadInput:
                continue
            fields |= one
        return cls(**fields)


def _letters(name: str) -> str:
    """Returns a label's name without case, blanks and marks, which people write in different
    ways.
    """
    return "".join(mark for mark in name.casefold() if mark.isalnum())


def _lines(given: object, longest: int, flag: str) -> tuple[str, ...]:
    """Returns texts as lines, or refuses more of them than fit."""
    # a list, or the one text
    lines = (given,) if isinstance(given, str) else tuple(given)  # type: ignore[arg-type]
    if len(lines) > MOST_LABELS:
        raise BadInput(
            f"{flag}: at most {MOST_LABELS} of them fit beside a map; give the ones that matter"
            " most"
        )
    return tuple(_line(line, longest, flag) for line in lines if line)


def _line(text: object, longest: int, flag: str) -> str:
    """Returns a text as one line of printable characters, or refuses it if it is too long."""
    if not isinstance(text, str):
        raise BadInput(f"{flag}: write it as text")
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if len(line) > longest:
        raise BadInput(
            f"{flag}: more than {longest} characters do not fit beside a map; write it shorter"
        )
    return line
