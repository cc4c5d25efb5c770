"""Lets Processing load a release's layers when an algorithm ends, with their own style instead of Processing's."""

from qgis.core import QgsProcessingContext, QgsProcessingLayerPostProcessorInterface

from . import layers, seasons, tree
from .parts import parts

KEPT = []
"""Processing holds no reference of its own to what follows a layer: Python would throw it away too early."""


class Dressing(QgsProcessingLayerPostProcessorInterface):
    """Dresses one layer after it was loaded, and puts it into its group."""

    def __init__(self, kind, release, told, part):
        super().__init__()
        self.given = (kind, release, told, part)

    def postProcessLayer(self, layer, context, feedback):
        """Gives the layer what `layers.load` gives."""
        del feedback
        kind, release, told, part = self.given
        layers.dress(layer, kind, release, told, part)
        project = context.project()
        if project is not None:
            _into_group(layer, project)
            seasons.spread(project, [layer])
        if self in KEPT:
            KEPT.remove(self)


def promise_to_load(release, told, folder, context, *, raster=False):
    """Adds the layers to those that Processing loads; returns their sources."""
    found = []
    for part in reversed(parts(told, folder)):
        for source, kind in reversed(layers.sources(part, raster=raster)):
            details = QgsProcessingContext.LayerDetails(
                layers.name_of(kind, part), context.project(), kind
            )
            after = Dressing(kind, release, told, part)
            KEPT.append(after)
            details.setPostProcessor(after)
            context.addLayerToLoadOnCompletion(source, details)
            found.append(source)
    return found[::-1]


def _into_group(layer, project):
    """Moves a layer from where Processing put it into its release's group."""
    root = project.layerTreeRoot()
    before = root.findLayer(layer.id())
    tree.place(layer, layers.told_of(layer), project)
    if before is not None:
        before.parent().removeChildNode(before)
