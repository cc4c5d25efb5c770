"""Draws Laplace noise with the OpenDP library, for those whose rules name it: the same law, at a
scale that is never smaller.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import MissingExtra


def opendp_laplace(count: int, scale: Fraction) -> NDArray[np.int64]:
    """Returns `count` draws of OpenDP's `make_laplace` on integers, at the least float >= scale."""
    try:
        import opendp.prelude as dp
    except ImportError:
        raise MissingExtra('OpenDP is not installed; type: pip install "opendp>=0.14.2"') from None
    rounded = float(scale)
    if Fraction(rounded) < scale:
        rounded = float(np.nextafter(rounded, np.inf))
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return np.array(dp.m.make_laplace(*space, scale=rounded)([0] * count), dtype=np.int64)
