"""Puts a release's layers into the tree of layers: a group for the data set, one in it for each kind, one truth drawn at first."""

from ..words import tr


def place(layer, carried, project):
    """Puts a layer into its release's group; the cells and the raster wait there unticked, since the places tell the same more surely."""
    group = _group(project.layerTreeRoot(), title(carried), layer)
    node = group.addLayer(layer)
    node.setExpanded(carried.get("shows") == "patches")
    node.setItemVisibilityChecked(not _said_better(layer, carried, project))
    return node


def title(carried):
    """Returns the group's name."""
    return carried.get("dataset") or tr("A private map")


def _said_better(layer, carried, project):
    """Whether another layer of the same map already shows it."""
    if carried.get("shows") == "patches":
        return False
    from .layers import told_of

    same = ("release", "layer")
    for other in project.mapLayers().values():
        seen = told_of(other)
        if (
            other.id() != layer.id()
            and seen.get("shows") == "patches"
            and all(seen.get(k) == carried.get(k) for k in same)
        ):
            return True
    return False


def _group(root, name, layer):
    """Returns the group of this release on top of the tree: the one that holds its layers, or a new one."""
    from .layers import release_of

    for group in root.findGroups():
        held = [node.layer() for node in group.findLayers()]
        if group.name() == name and any(one is not None and release_of(one) == release_of(layer) for one in held):
            return group
    return root.insertGroup(0, name)
