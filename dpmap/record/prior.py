"""Public numbers that say beforehand where a map may hold more: declared, public before the
release, and named by their content.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput

MOST_PRIORS = 16
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Holds one public prior: its name, the hash of its content, and a number for each cell of a
    layer, none below 0.

    `values` are in the shape of the grid without its layers, the same for each layer, in the
    precision that the release file keeps, so that a map reads the same from memory and from its
    file. They cannot be changed.

    >>> Prior("effort.tif", "00" * 32, np.array([[0.0, 2.5]])).values
    array([[0. , 2.5]], dtype=float32)
    """

    name: str
    sha256: str
    values: NDArray[np.floating[Any]]

    def __post_init__(self) -> None:
        if not 0 < len(self.name) <= LONGEST_NAME or not self.name.isprintable():
            raise BadInput(
                f"prior: its name is printable and has at most {LONGEST_NAME} characters; rename"
                " the file"
            )
        if len(self.sha256) != 64 or set(self.sha256) - set("0123456789abcdef"):
            raise BadInput("prior: its hash is no SHA-256; write 64 hexadecimal digits")
        with np.errstate(over="ignore"):
            values = np.array(self.values, dtype=np.float32, order="C")
        if not np.isfinite(values).all() or (values < 0).any():
            raise BadInput(
                f"prior: {self.name} holds numbers below 0, or none that can be held; give finite"
                " ones of at least 0"
            )
        if not values.any():
            raise BadInput(
                f"prior: {self.name} is 0 everywhere, which says nothing of any place; leave it out"
            )
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @classmethod
    def of_array(cls, array: Any, shape: tuple[int, ...], *, name: str = "array") -> Self:
        """Makes a prior of an array of this shape; its hash is that of its numbers as
        little-endian doubles, row by row.
        """
        try:
            values = np.ascontiguousarray(np.asarray(array), dtype="<f8")
        except (TypeError, ValueError):
            raise BadInput(
                f"prior: {name} is no array of numbers; give one of shape {shape}, none below 0"
            ) from None
        if values.shape != shape:
            raise BadInput(
                f"prior: {name} has the shape {values.shape}, but the map's cells have {shape};"
                " give one number a cell"
            )
        return cls(name, hashlib.sha256(values.tobytes()).hexdigest(), values)

    @classmethod
    def of_arrays(cls, arrays: Any, shape: tuple[int, ...]) -> tuple[Self, ...]:
        """Makes priors of one array or a list of them, named by their places."""
        if isinstance(arrays, np.ndarray):
            arrays = [arrays]
        if not isinstance(arrays, list | tuple) or len(arrays) > MOST_PRIORS:
            raise BadInput(
                f"prior: give an array, or a list of at most {MOST_PRIORS}, each of shape {shape}"
            )
        return tuple(
            cls.of_array(array, shape, name=f"array {number}")
            for number, array in enumerate(arrays, 1)
        )

    def __reduce__(self) -> Any:
        """Copies and pickles by its parts, so that a copy cannot be changed either."""
        return type(self), (self.name, self.sha256, self.values)
