"""Stacks the estimates of several layers in the shape of a layered grid."""

import numpy as np

from dpmap.errors import BadInput
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions, distinguishable
from dpmap.read_only_arrays import read_only_property


class LayeredEstimate:
    """The estimates of all layers, each made by itself: layers share neither noise nor priors."""

    def __init__(self, shape: tuple[int, ...], layers: list[Estimate]) -> None:
        self.layers = layers
        self._shape = shape

    def _stack(self, parts: list[Cells]) -> Cells:
        return np.stack(parts).reshape(self._shape)

    @read_only_property
    def values(self) -> Cells:
        """The estimated capped total of each cell of each layer."""
        return self._stack([layer.values for layer in self.layers])

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell of each layer that hold its capped total with probability
        at least `level`.
        """
        low, high = zip(*(layer.interval(level) for layer in self.layers), strict=True)
        return self._stack(list(low)), self._stack(list(high))

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Always refused: ask one layer about a zone."""
        del within, touched, level
        raise BadInput(
            "ask: this release has layers; ask one of them, like release.layers[names].ask(zones)"
        )

    def distinguishable(self, rate: float) -> Mask:
        """Returns the cells of each layer that surely hold something."""
        return np.stack([distinguishable(layer, rate) for layer in self.layers]).reshape(
            self._shape
        )

    @property
    def regions(self) -> Regions:
        """The regions of all layers, none of which reaches beyond its own."""
        layer_regions = []
        region_count = 0
        for layer in self.layers:
            layer_regions.append(np.where(layer.regions >= 0, layer.regions + region_count, -1))
            region_count += int(layer.regions.max(initial=-1)) + 1
        return np.stack(layer_regions).reshape(self._shape)

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the p-values, layer by layer."""
        return self._stack([layer.p_values(threshold) for layer in self.layers])
