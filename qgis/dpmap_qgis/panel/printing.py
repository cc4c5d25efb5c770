"""Makes a print layout from the panel."""

from ..words import tr


def make(panel):
    """Makes the layout, opens it, and returns what to say."""
    try:
        from ..shown import layout
    except ImportError:
        return [tr("This version of the plugin makes no print layout yet.")]
    made = layout.make(panel.chosen_layer())
    panel.iface.openLayoutDesigner(made)
    return []
