"""Names the reasons for which places are treated as sensitive: the terms of the vocabulary that
TDWG's task group drafts.

They are those of version 0.1 (github.com/tdwg/sensitive-species-extension,
`Vocabularies/RASD_vocabulary_v0.1.ttl`).
"""

from dpmap.errors import BadInput, near

VOCABULARY = "http://rs.gbif.org/vocabulary/dwc/rasd/"
REASONS = {
    "personalInformation": "it would tell of persons",
    "lackOfConsent": "people could be named who did not agree",
    "requestForPrivacy": "an owner or manager of the land asked for it",
    "speciesLocation": "where a species lives puts it at risk",
    "highlyRestrictedSpecies": "the species lives in very few places",
    "threatenedPopulations": "a threatened population would be disturbed",
    "crypticLocations": "nests, roosts and the like would be found",
    "exposureViaSurveyInformation": "what the survey tells gives places away",
    "exposureViaContextualAttribute": "another species gives the place away",
    "potentialHarmToPeopleOrProperty": "people or property would be at risk",
    "deficiencyOfInformationOrResources": "species could not be judged one by one",
    "biosecurity": "it concerns biosecurity",
    "tradeSensitive": "it would hinder trade",
    "invasiveSpecies": "a species is being eradicated",
    "speciesAttributes": "what is told of the species is sensitive",
    "physicalAttributes": "a detail of its life is sensitive",
    "taxonomicUncertainty": "which species it is, is not sure",
    "usageRestrictions": "an agreement restricts its use",
    "legalContract": "a contract restricts its use",
    "nonLegal": "an agreement that is no contract restricts its use",
    "firstNationsCulturalSignificance": "First Nations people restrict it",
    "culturallySignificantSpecies": "the species matters to a First Nations community",
    "culturallySignificantSpeciesInformation": "it tells knowledge of a First Nations community",
    "culturallySignificantLocation": "it would give away a First Nations site",
}
"""Each term, and what it means in a few words."""
_FOLDED = {name.lower(): name for name in REASONS}


def spell_reason(reason: str) -> str:
    """Returns a known term as the vocabulary spells it, and anything else as it is.

    >>> spell_reason("specieslocation")
    'speciesLocation'
    """
    return _FOLDED.get(reason.lower(), reason)


def check(reason: str) -> None:
    """Refuses a reason that is no term of the vocabulary.

    >>> check("speciesLocations")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: reason: 'speciesLocations' is no term of the vocabulary (did you mean
    speciesLocation...
    """
    if reason and reason not in REASONS:
        raise BadInput(
            f"--reason: {reason!r} is no term of the vocabulary{near(reason, REASONS)}; the broad"
            " ones are personalInformation, speciesLocation, biosecurity, speciesAttributes,"
            " usageRestrictions and firstNationsCulturalSignificance"
        )
