"""Places whose colour is known: a map as sharp as the noise allows, with intervals that hold for
places as chosen.
"""

from dpmap.inference.patches.mean_patches import MeanPatches, mean_patches
from dpmap.inference.patches.patch_map import Patches, patches

__all__ = ["MeanPatches", "Patches", "mean_patches", "patches"]
