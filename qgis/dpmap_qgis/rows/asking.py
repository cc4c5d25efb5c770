"""Looks at the layer that was chosen: what chose its rows, and why dpmap should not begin with it yet."""

import os
from typing import Any, NamedTuple

from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProcessingUtils

from ..compat import COMPUTED, JOINED
from ..words import mark

FILTER, SELECTION, MADE = (
    mark("a filter in QGIS"),
    mark("a selection in QGIS"),
    mark("a join or a computed column in QGIS"),
)
MIXING = (FILTER, SELECTION, MADE)
"""What may let one person's rows decide about another's: it needs a word from the user."""
OTHERS = {
    "memory": "a layer in QGIS's memory", "virtual": "a virtual layer in QGIS", "postgres": "a database as QGIS reads it", "mssql": "a database as QGIS reads it",
    "oracle": "a database as QGIS reads it", "hana": "a database as QGIS reads it", "spatialite": "a database as QGIS reads it", "WFS": "a server as QGIS reads it",
    "OAPIF": "a server as QGIS reads it", "arcgisfeatureserver": "a server as QGIS reads it",
}  # fmt: skip
TOOL, WHOLE = "another tool in QGIS", "QGIS, which hands on every row of a layer"

EXACT = ("ogr", "memory", "delimitedtext")
"""Providers that know how many rows they hold; others estimate it."""
LONGEST = 120
"""As many characters dpmap takes."""


class Asked(NamedTuple):
    """What was asked for: the layer, and what of it. `limited` where only a number of rows is asked for."""

    layer: Any
    selected: bool
    ruled: bool
    limited: bool


def asked(algorithm, parameters, name, context):
    """Returns what a parameter asks for; its layer is None where there is none."""
    value = parameters.get(name)
    if not isinstance(value, QgsProcessingFeatureSourceDefinition):
        return Asked(
            algorithm.parameterAsVectorLayer(parameters, name, context), False, False, False
        )
    layer = algorithm.parameterAsVectorLayer({**parameters, name: value.source}, name, context)
    ruled = bool(getattr(value, "filterExpression", ""))
    return Asked(layer, bool(value.selectedFeaturesOnly), ruled, value.featureLimit != -1)


def chosen_by(of):
    """Lists what chose the rows, in words for the statement: never an expression, which may hold a name."""
    layer, found = of.layer, []
    if of.ruled or layer.subsetString():
        found.append(FILTER)
    if of.selected:
        found.append(SELECTION)
    if has_made_columns(layer):
        found.append(MADE)
    if is_temporary(layer):
        found.append(TOOL)
    if layer.providerType() in OTHERS:
        found.append(OTHERS[layer.providerType()])
    return found


def chooser(found, *, streamed):
    """Returns what is stated; of rows that are streamed it is said in any case.

    >>> chooser([FILTER, SELECTION], streamed=True), chooser([], streamed=False)
    ('a filter in QGIS and a selection in QGIS', '')
    """
    told = found or ([WHOLE] if streamed else [])
    while len(" and ".join(told)) > LONGEST:
        told = told[:-1]
    return " and ".join(told)


def has_made_columns(layer):
    """Whether some columns come from another layer or from an expression, and so perhaps from other people's rows."""
    fields = layer.fields()
    made = (JOINED, COMPUTED)
    return bool(layer.vectorJoins()) or any(
        fields.fieldOrigin(place) in made for place in range(fields.count())
    )


def is_temporary(layer):
    """Whether the layer lies among QGIS's temporary files: another algorithm made it."""
    path, own = (
        os.path.realpath(layer.source().partition("|")[0]),
        os.path.realpath(QgsProcessingUtils.tempFolder()),
    )
    return path.startswith(own + os.sep)


def is_unsaved(layer):
    """Whether somebody has changed the layer and neither saved nor discarded that."""
    return layer.isEditable() and layer.isModified()


def rows_of(layer, source):
    """Returns how many rows a source must give; -1 where that is not known exactly."""
    return max(-1, source.featureCount()) if layer.providerType() in EXACT else -1
