"""Stacks the estimates of several layers in the shape of a layered grid."""

import numpy as np

from dpmap.errors import BadInput
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions, distinguishable
from dpmap.read_only_arrays import read_only_property


class LayeredEstimate:
    """Reads each layer by itself: its noise is its own, and what is learned of one layer changes
    no other.
    """

    def __init__(self, shape: tuple[int, ...], layers: list[Estimate]) -> None:
        self.layers, self._shape = layers, shape

    def _stacked(self, parts: list[Cells]) -> Cells:
        return np.stack(parts).reshape(self._shape)

    @read_only_property
    def values(self) -> Cells:
        """The estimated capped total of each cell of each layer."""
        return self._stacked([layer.values for layer in self.layers])

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell of each layer that hold its capped total with probability
        at least `level`.
        """
        low, high = zip(*(layer.interval(level) for layer in self.layers), strict=True)
        return self._stacked(list(low)), self._stacked(list(high))

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
        found, most = [], 0
        for layer in self.layers:
            found.append(np.where(layer.regions >= 0, layer.regions + most, -1))
            most += int(layer.regions.max(initial=-1)) + 1
        return np.stack(found).reshape(self._shape)

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the p-values, layer by layer."""
        return self._stacked([layer.p_values(threshold) for layer in self.layers])
