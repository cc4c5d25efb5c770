"""Says how the parts of a declaration are written that portals read: licence, DOI, reason,
project at Local Contexts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dpmap.errors import BadInput
from dpmap.promise import licences, sensitivity_reasons

FOLDED = re.IGNORECASE | re.ASCII
"""In any case; a letter or a digit is one of ASCII's, of which no other sign is a spelling."""


@dataclass(frozen=True, slots=True)
class FieldFormat:
    """Says how a part is written: `before` is cut off, `whole` must then fit; else `error` is
    what is told.
    """

    before: str
    whole: str
    error: str
    spelled: Callable[[str], str] = str

    def check(self, text: str) -> str:
        """Returns a text in this form, or refuses it; an empty one is not declared."""
        left = re.sub(self.before, "", text, count=1, flags=FOLDED)
        if not text:
            return ""
        match = re.fullmatch(self.whole, left, FOLDED)
        if match is None:
            raise BadInput(self.error)
        return self.spelled(match[1])


_ADDRESS = r"""https://[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#][^\s<>"'`\\^{}|[\]]*)?"""
FORMS = {
    "licence": FieldFormat(
        "",
        rf"([a-z0-9][a-z0-9.+-]*|{_ADDRESS})",
        "--licence: write an SPDX id, like CC-BY-4.0, or the https:// address of your terms",
        licences.spell_licence,
    ),
    "doi": FieldFormat(
        r"^(https?://(dx\.)?doi\.org/|doi:\s*)",
        r"""(10\.\d{4,9}/[^\s<>"'`\\^{}|]+)""",
        "--doi: write a DOI, like 10.5072/example",
    ),
    "reason": FieldFormat(
        f"^{re.escape(sensitivity_reasons.VOCABULARY)}reason/",
        "([a-z]+)",
        "--reason: write one term of the vocabulary, like speciesLocation",
        sensitivity_reasons.spell_reason,
    ),
    "local_contexts": FieldFormat(
        r"^https?://localcontextshub\.org/projects/(?=[^/]+/?$)",
        r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?",
        "--local-contexts: write the id of the project, like 71b32571-0176-4627-8e01-4d78818432a7,"
        " or the address of its page",
        str.lower,
    ),
}
"""How the parts are written that portals read."""
