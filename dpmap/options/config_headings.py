"""Headings of the dpmap.toml that `dpmap init` writes, in their order."""

DECIDED = "The promise. These are yours to decide before looking at the data; nothing is filled in."
DECLARED_PLACE = "Where, declared and never read off the survey."
READ = "How the survey is read."
ANSWERS_FOR_IT = "Who answers for it, shown on the map."
TOLD = 'What portals and auditors are told. What is left out, the attestation calls "not declared".'
MADE = "What is made."
HEADINGS = (DECIDED, DECLARED_PLACE, READ, ANSWERS_FOR_IT, TOLD, MADE)
