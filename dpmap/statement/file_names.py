"""Names the files of words beside a release: what boards, planners and the protected read, and, in
a folder of their own, what catalogues read.
"""

ATTESTED = ("attestation.md", "attestation.json", "attestation.html", "for-the-protected.html")
"""The attestation in its three forms, and the page for whoever is protected."""
PLANNER = ("for-the-planner.html", "for-the-planner.pdf")
"""The page that a planner is handed, to read on a screen and to print."""
ENVELOPE = "planner.zip"
"""The archive of all that a planner is handed."""
CATALOGUED = (
    "datacite.json",
    "dcat.jsonld",
    "stac.json",
    "tableschema.json",
    "restricted-access.json",
    "restricted-access.md",
)
METADATA = tuple(f"metadata/{name}" for name in CATALOGUED)
"""Those of catalogues, from the release's folder."""
