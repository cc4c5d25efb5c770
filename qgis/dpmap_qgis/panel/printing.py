"""Makes a print layout from the panel."""

from qgis.core import QgsProject

from ..words import tr


def make(panel):
    """Makes the layout, opens it, and returns what to say."""
    try:
        from ..shown import layout
    except ImportError:
        return [tr("This version of the plugin makes no print layout yet.")]
    try:
        made = layout.add(QgsProject.instance(), panel.chosen_layer())
    except layout.NoMap as error:
        return [str(error)]
    panel.iface.openLayoutDesigner(made)
    return []
