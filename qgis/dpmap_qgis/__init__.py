"""Private maps in QGIS: this plugin asks the dpmap command, which runs apart from QGIS, and shows what it answers."""


def classFactory(iface):
    """Makes the plugin for QGIS; `iface` is None where QGIS has no window."""
    from .plugin import Plugin

    return Plugin(iface)
