"""Writes words for people: in their language, and safe where QGIS would read marks in them."""

from functools import cache
from html import escape

from . import language


def tr(text):
    """Returns a text of the plugin in the user's language; in English where nobody has translated it.

    The text is written out here, or where it is marked, so that translators find it: `tr("{kept} of {all} rows").format(...)`.
    """
    return _texts().get(text, text)


def mark(text):
    """Returns a text as it is, and marks it for the translators where `tr` is called later, on a variable."""
    return text


def plain(text):
    """Returns a stranger's text (a layer's name, a release's words) so that QGIS shows it as it stands, marks and all."""
    return escape(str(text), quote=True)


def unmarked(text):
    """Returns a stranger's text for a log or an error, where none of its marks acts; an apostrophe stays one, for those who read it outside QGIS.

    >>> unmarked("--taxon 'Red <b>kite'")
    "--taxon 'Red &lt;b&gt;kite'"
    """
    return escape(str(text), quote=False)


@cache
def _texts():
    """Reads the texts once: QGIS asks to be started again when its language is changed."""
    return language.texts()
