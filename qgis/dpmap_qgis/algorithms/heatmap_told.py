"""Holds what was typed for a private heatmap, as texts: numbers stay as they were written, 0.1 stays 0.1."""

import os
import re
from decimal import Decimal, InvalidOperation

from qgis.core import QgsProcessing

from ..rows import asking
from . import heatmap_inputs as inputs

NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")


class Told:
    """Reads the inputs of one run."""

    def __init__(self, algorithm, parameters, context):
        self._of, self._given, self._context = algorithm, parameters, context
        self.survey = asking.asked(algorithm, parameters, inputs.INPUT, context)
        self.area = asking.asked(algorithm, parameters, inputs.AREA, context)

    @property
    def names(self):
        """The names of all inputs, in the order of the dialog."""
        return [parameter.name() for parameter in self._of.parameterDefinitions()]

    def text(self, name):
        """Returns a text without outer blanks, empty where there is none."""
        return self._of.parameterAsString(self._given, name, self._context).strip()

    def lines(self, name):
        """Returns the lines of a text that hold something."""
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def choice(self, name):
        """Returns the word that was chosen."""
        return self._of.parameterAsEnumString(self._given, name, self._context).strip()

    def field(self, name):
        """Returns the name of a field, as it is."""
        return self._of.parameterAsString(self._given, name, self._context)

    def switch(self, name):
        """Whether a box is ticked."""
        return self._of.parameterAsBool(self._given, name, self._context)

    @property
    def hexagons(self):
        """The resolution of hexagons; empty where there is none."""
        told = self._given.get("HEXAGONS")
        asked = told is not None and str(told).strip() not in ("", "NULL", "None")
        return str(self._of.parameterAsInt(self._given, "HEXAGONS", self._context)) if asked else ""

    @property
    def cap(self):
        """The cap: a whole number as it is typed, however it came here."""
        return re.sub(r"^([0-9]+)\.0+$", r"\1", self.text("CAP"))

    @property
    def folder(self):
        """The release's folder; empty where it would be one that QGIS throws away."""
        given = self._given.get(inputs.FOLDER)
        if given in (None, "", QgsProcessing.TEMPORARY_OUTPUT):
            return ""
        path = self._of.parameterAsFileOutput(self._given, inputs.FOLDER, self._context)
        return os.path.abspath(path) if path else ""

    def file(self, name):
        """Returns a file's whole path: dpmap runs in another folder."""
        path = self._of.parameterAsFile(self._given, name, self._context)
        return os.path.abspath(path) if path else ""

    def source(self, name):
        """Returns the rows of a layer as they were asked for."""
        return self._of.parameterAsSource(self._given, name, self._context)

    @property
    def used(self):
        """Every name that may be one of the survey's fields."""
        texts = [self.text(name) for name in ("WHERE", "FROM", "TO", "TIMES", "KINDS")]
        return {self.field(name) for name in inputs.FIELDS} | {
            word for one in texts for word in re.findall(r"\w+", one)
        }


def amount(text):
    """Returns a typed number exactly, None where it is none.

    >>> amount("0.1"), amount("0,1"), amount("1e3")
    (Decimal('0.1'), None, None)
    """
    try:
        return Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None
