"""Names the files that describe a release to catalogues, which stand in a folder of their own beside it."""

METADATA = (
    "metadata/datacite.json",
    "metadata/dcat.jsonld",
    "metadata/stac.json",
    "metadata/tableschema.json",
    "metadata/restricted-access.json",
    "metadata/restricted-access.md",
)
