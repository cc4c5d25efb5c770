"""Names the files that describe a release to catalogues, which stand in a folder of their own beside it."""

CATALOGUED = (
    "datacite.json",
    "dcat.jsonld",
    "stac.json",
    "tableschema.json",
    "restricted-access.json",
    "restricted-access.md",
)
METADATA = tuple(f"metadata/{name}" for name in CATALOGUED)
"""The same, from the release's folder."""
