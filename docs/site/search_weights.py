"""How much each page is about each word, so that a search tells first where the answer stands: `scorer.js` adds these up for what was typed.

Sphinx notes whether a page holds a word, not how often; pages with equal scores then follow the alphabet. Here a word counts by how often it
stands in a page of its length, more in a heading, and most in the page's title. A flag (`--where`) is a word of its own.
"""

import re
from collections import Counter

from sphinx.search import SearchLanguage
from sphinx.search.en import SearchEnglish

USUAL = 800  # words of a usual page: a longer one needs a word more often to be about it
LEAST = 2  # what counts for less is left out, which keeps the table small
OF_TITLE, OF_HEADING = 12, 3
FLAGS_THAT_ARE_STOP_WORDS = {"where", "from", "to", "each", "out", "between"}


class English(SearchEnglish):
    """English without the stop words that are flags of dpmap, so that `--where` finds the page that teaches it."""

    stopwords = frozenset(SearchEnglish.stopwords) - FLAGS_THAT_ARE_STOP_WORDS


def weights(pages: dict[str, str]) -> dict[str, dict[str, int]]:
    """Returns for each page, by its docname, the weight of each word that it is about."""
    language = English({})
    return {docname: _of_page(text, language) for docname, text in sorted(pages.items())}


def _of_page(text: str, language: SearchLanguage) -> dict[str, int]:
    counts = Counter(_words(text, language))
    length = max(counts.total(), USUAL / 4) / USUAL
    found = {word: 10 * count / (count + 1 + 2 * length) for word, count in counts.items()}
    for marks, heading in re.findall(r"^(#{1,4}) (.*)$", text, re.M):
        for word in set(_words(heading, language)):
            found[word] += (
                OF_TITLE / max(1, len(heading.split()) / 4) if len(marks) == 1 else OF_HEADING
            )
    return {word: round(weight) for word, weight in sorted(found.items()) if weight >= LEAST}


def _words(text: str, language: SearchLanguage) -> list[str]:
    """Returns the words of a text as the search knows them, and its flags as they are typed; addresses of links are no words."""
    text = re.sub(r"\]\([^)]*\)", "]", text).lower()
    plain = (
        word
        for word in re.findall(r"\w+", text)
        if word not in SearchEnglish.stopwords and not word.isdigit()
    )
    return [
        *(language.stem(word) for word in plain),
        *re.findall(r"(?<![\w-])--[a-z][a-z-]*", text),
    ]
