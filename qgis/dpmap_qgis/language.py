"""Finds the texts of the user's language: plain files (`i18n/dpmap_XX.ts`) that are read, not compiled, so that nothing binary is shipped."""

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QXmlStreamReader

FOLDER = Path(__file__).parent / "i18n"


def texts(name=None, folder=FOLDER):
    """Returns the texts of a language by their English; none for English and for a language that has no file.

    `name` is QGIS's own word for the language: `de`, or `de_AT`, which takes `dpmap_de.ts` where there is no file for Austria.
    """
    name = (QgsApplication.locale() if name is None else name).replace("-", "_")
    for one in (name, name.partition("_")[0]):
        path = Path(folder) / f"dpmap_{one}.ts"
        if one.replace("_", "").isalnum() and path.is_file():
            return read(path.read_text("utf-8"))
    return {}


def read(written):
    """Returns what a file of texts holds; what nobody has translated yet is left out, and so is shown in English."""
    found, source, part, done = {}, "", "", True
    reader = QXmlStreamReader(written)
    while not reader.atEnd():
        reader.readNext()
        name = reader.name()
        if reader.isStartElement() and name == "translation":
            done = reader.attributes().value("type") != "unfinished"
        if reader.isStartElement() and name in {"source", "translation"}:
            part = reader.readElementText()
            if name == "source":
                source = part
            elif done and part:
                found[source] = part
    return {} if reader.hasError() else found
