"""Makes a print layout from the panel."""

from qgis.core import QgsProject

from ..shown import layout
from ..shown.layers import told_of
from . import releases


def make(panel):
    """Makes the layout of the release that the panel shows and opens it; returns what to say where that cannot be."""
    try:
        made = layout.add(QgsProject.instance(), _layer(panel))
    except layout.NoMap as error:
        return str(error)
    panel.iface.openLayoutDesigner(made)
    return ""


def _layer(panel):
    """Returns the chosen layer, or the topmost one of the panel's release that is shown and knows its promise."""
    of_release = [one for one in panel.canvas.layers() if releases.of(one) == panel.release]
    layers = [one for one in (panel.chosen_layer(), *of_release) if one is not None]
    return next((one for one in layers if told_of(one).get("promise")), None)
