"""Makes a print layout from the panel."""

from qgis.core import QgsProject

from ..shown import layout


def make(panel):
    """Makes the layout of the chosen layer and opens it; returns what to say where that cannot be."""
    try:
        made = layout.add(QgsProject.instance(), panel.chosen_layer())
    except layout.NoMap as error:
        return [str(error)]
    panel.iface.openLayoutDesigner(made)
    return []
