"""Sealed things: values that hold private data and refuse to show it by accident.

Sealing guards against accident, not malice: a determined caller in the same process can always dig.
It stops the ordinary leaks: a notebook's echo, an f-string in a log, a pickle, a JSON dump, a numpy
or pandas conversion.
"""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import Refused

BY_ITSELF = "/* each row by itself */"
"""Begins SQL of the vault's that looks at each row once and alone, beside sums that are known,
so that no unit's rows need lie together.
"""

_REFUSED_VERBS = (
    "__iter__",
    "__len__",
    "__getitem__",
    "__contains__",
    "__bool__",
    "__array__",
    "__float__",
    "__int__",
    "__index__",
    "__reduce__",
    "__reduce_ex__",
    "__getstate__",
    "__copy__",
    "__deepcopy__",
    "__dir__",
    "__arrow_c_stream__",
    "__arrow_c_array__",
    "__dataframe__",
    "__bytes__",
    "__hash__",
    "__eq__",
)


class Sealed:
    """Base of the private types: a masked `repr`, and a refusal for each way out that Python knows.

    >>> class Secret(Sealed):
    ...     __slots__ = ("_value",)
    >>> f"{Secret()}"
    '<Secret: sealed>'
    >>> list(Secret())
    Traceback (most recent call last):
    ...
    dpmap.errors.Refused: Secret is sealed: it cannot be iterated, copied, converted or saved; ...
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: sealed>"

    def __format__(self, spec: str) -> str:
        return repr(self)


def _refuse(self: Sealed, *_: Any, **__: Any) -> NoReturn:
    raise Refused(
        f"{type(self).__name__} is sealed: it cannot be iterated, copied, converted or saved; "
        "only dpmap.release() may read it"
    )


for _verb in _REFUSED_VERBS:
    setattr(Sealed, _verb, _refuse)


class PrivateTotals(Sealed):
    """Holds the exact capped total of every occupied cell, in lattice steps: the most private value
    in dpmap.

    Engines and the vault's `pairs` make it, and only the vault's `session` and `choose` read it.
    """

    __slots__ = ("_cells", "_steps")

    _cells: NDArray[np.integer]
    _steps: NDArray[np.int64]

    def __init__(self, cells: NDArray[np.integer], steps: NDArray[np.int64]) -> None:
        self._cells = cells
        self._steps = steps


class PrivateRungCounts(Sealed):
    """Holds how many units fit under each rung of a public ladder: private, used by the vault to
    choose a cap.
    """

    __slots__ = ("_bins", "_units")

    _bins: NDArray[np.int64]
    _units: NDArray[np.int64]

    def __init__(self, bins: NDArray[np.int64], units: NDArray[np.int64]) -> None:
        self._bins = bins
        self._units = units


class Edges(Sealed):
    """Holds which contributor reported which site, and the site's cell, as numbers: private, for
    the vault's two-unit cap.
    """

    __slots__ = ("_cell", "_site", "_who")

    _who: NDArray[np.int64]
    _site: NDArray[np.int64]
    _cell: NDArray[np.int64]

    def __init__(
        self, who: NDArray[np.int64], site: NDArray[np.int64], cell: NDArray[np.int64]
    ) -> None:
        self._who = who
        self._site = site
        self._cell = cell
