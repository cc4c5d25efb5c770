"""Puts a release's layers into the tree of layers: a group for the data set, its maps in their order, one truth drawn at first."""

import os

from ..words import tr

ORDER = ("patches", "cells", "raster")
"""What lies on top: the first tells the most surely."""


def place(layer, carried, project):
    """Puts a layer into its release's group, wherever in the row of its layers it comes; ticks what is to be drawn at first."""
    group = _group(project.layerTreeRoot(), title(carried), layer)
    rank = _rank(layer)
    after = [at for at, node in enumerate(group.children()) if _rank(_layer(node)) > rank]
    node = group.insertLayer(after[0] if after else -1, layer)
    node.setExpanded(carried.get("shows") == "patches")
    _tick(group, layer)
    return node


def title(carried):
    """Returns the group's name."""
    return carried.get("dataset") or tr("A private map")


def _tick(group, layer):
    """Ticks one layer for each span of days: a second map of the same days, or the cells below the places, would lie unseen or lie over them."""
    from .layers import release_of, told_of

    release, drawn = release_of(layer), set()
    nodes = [
        node
        for node in group.children()
        if _layer(node) is not None and release_of(_layer(node)) == release
    ]
    for node in sorted(
        nodes, key=lambda one: ORDER.index(_shows(_layer(one)))
    ):  # places before cells; else as they lie
        told = told_of(_layer(node))
        days = (told.get("from", ""), told.get("until", ""))
        node.setItemVisibilityChecked(days not in drawn)
        drawn.add(days)


def _rank(layer):
    """Returns where a layer belongs among those of its release: its map's folder, then what it shows."""
    if layer is None:
        return ("", len(ORDER))
    return os.path.dirname(layer.source().split("|")[0]), ORDER.index(_shows(layer))


def _shows(layer):
    from .layers import told_of

    shows = told_of(layer).get("shows", "")
    return shows if shows in ORDER else ORDER[-1]


def _layer(node):
    """Returns a node's layer, None for a group."""
    return node.layer() if hasattr(node, "layer") else None


def _group(root, name, layer):
    """Returns the group of this release on top of the tree: the one that holds its layers, or a new one."""
    from .layers import release_of

    for group in root.findGroups():
        held = [node.layer() for node in group.findLayers()]
        if group.name() == name and any(
            one is not None and release_of(one) == release_of(layer) for one in held
        ):
            return group
    return root.insertGroup(0, name)
