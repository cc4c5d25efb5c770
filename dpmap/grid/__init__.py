"""Public geometry: grids and partitions of them."""

from dpmap.grid.grid import Grid
from dpmap.grid.partition import Partition, Shown

__all__ = ["Grid", "Partition", "Shown"]
