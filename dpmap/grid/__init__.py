"""Public geometry: grids and partitions of them."""

from dpmap.grid.grid import Grid
from dpmap.grid.partition import Partition

__all__ = ["Grid", "Partition"]
