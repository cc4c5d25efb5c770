"""Makes arrays read-only that are handed out, so that no released number is changed in place.

They are not copied: what is handed out is what everything else is made from. Whoever wants to
change numbers takes a copy (`release.estimate.copy()`), or the tables and data sets, which are
copies already.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

Array = TypeVar("Array", bound=np.ndarray[Any, Any])
Kind = TypeVar("Kind", bound=type)


def read_only(array: Array) -> Array:
    """Returns the array itself, which can no longer be written to.

    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    array.flags.writeable = False
    return array


def as_read_only(array: Array) -> Array:
    """Returns an array that nobody can write to: itself if that is so already, else a copy, as
    its owner may still write.
    """
    return read_only(array.copy()) if array.flags.writeable else array


class read_only_property(cached_property[Array]):  # noqa: N801  # as `cached_property` is called
    """Makes an array at first use, keeps it, and hands it out read-only.

    >>> class One:
    ...     @read_only_property
    ...     def values(self) -> np.ndarray:
    ...         return np.ones(2)
    >>> One().values.flags.writeable
    False
    """

    def __init__(self, make: Callable[[Any], Array]) -> None:
        @wraps(make)  # so that documents lead to it
        def made(owner: Any) -> Array:
            return read_only(make(owner))

        super().__init__(make)
        self.func = made


def read_only_fields(holder: Any) -> None:
    """Makes all arrays read-only that a dataclass holds, by themselves or in a tuple: those that
    were made for it, which nobody else writes to.
    """
    for field in fields(holder):
        value = getattr(holder, field.name)
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray):
                read_only(array)


class _CopiedTable:
    """Holds a table, and hands out a copy each time, which whoever gets it may change."""

    def __init__(self, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, holder: Any, owner: type) -> Any:
        return self if holder is None else getattr(holder, self._name).copy()

    def __set__(self, holder: Any, table: Any) -> None:
        object.__setattr__(holder, self._name, table)


def copied_tables(*names: str) -> Callable[[Kind], Kind]:
    """Makes these fields of a dataclass hand out copies of the tables that they hold.

    >>> from dataclasses import dataclass
    >>> @copied_tables("rows")
    ... @dataclass(frozen=True)
    ... class One:
    ...     rows: list[int]
    >>> one = One([3])
    >>> one.rows.append(4)
    >>> one.rows
    [3]
    """

    def made(kind: Kind) -> Kind:
        for name in names:
            setattr(kind, name, _CopiedTable(name))
        return kind

    return made
