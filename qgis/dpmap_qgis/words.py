"""Writes words for people: in their language, and safe where QGIS would read marks in them."""

from html import escape

from qgis.PyQt.QtCore import QCoreApplication


def tr(text):
    """Returns a text of the plugin in the user's language."""
    return QCoreApplication.translate("dpmap", text)


def plain(text):
    """Returns a stranger's text (a layer's name, a release's words) so that QGIS shows it as it stands, marks and all."""
    return escape(str(text), quote=True)
