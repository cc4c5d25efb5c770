"""Converts single Python values to text, each by itself, as tables in memory hold them among values
of other kinds.

1000, 1000.0 and "1000" are one text, so no value's kind depends on what stands above or below it.
"""

import datetime as dt
import json
from collections.abc import Iterable
from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from dpmap.survey.files.sanitize import readable

WHOLE = 10**22
"""Below it every whole number that a float holds is written in digits, without point or
exponent.
"""


def as_text(value: Any, *, turned: bool = False) -> str | None:
    """Converts a value to text; None if it is missing or has none.

    A list of two numbers, one of them at least with a fraction's point, is a place in GeoJSON's
    order (`turned`: latitude first).

    >>> as_text(1000.0), as_text(True), as_text([3.5, 50]), as_text(["Ana", "Bo"]), as_text(
    ...     {"id": 7}
    ... ), as_text(float("nan"))
    ('1000', 'true', 'POINT (3.5 50)', 'Ana|Bo', '{"id": 7}', None)
    """
    try:
        return _text_of(value, turned)
    except Exception:  # noqa: BLE001  # whatever a strange object does when it is asked what it is
        return None


def _text_of(value: Any, turned: bool) -> str | None:  # noqa: FBT001
    """Does what `as_text` says; fails on what has no text."""
    if value is None or isinstance(value, str):
        return (
            None if value is None else str.__str__(value)
        )  # what it holds, whatever its kind says of itself
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        if isinstance(value, float) or value.is_integer():
            return number_text(float(value))
        return number_text(float(str(value)))  # shorter floats by their own digits
    if isinstance(value, Decimal):
        return (
            (format(value, "f") if abs(value.adjusted()) < 40 else str(value))
            if value.is_finite()
            else None
        )
    if isinstance(value, bytes | bytearray | memoryview):
        return _of_bytes(bytes(value))
    if isinstance(value, dt.date | dt.time | np.datetime64):
        return _of_time(value)
    return (
        _of_many(value, turned)
        if isinstance(value, dict | list | tuple | set | frozenset | np.ndarray)
        else _other(value)
    )


def number_text(value: float) -> str | None:
    """Returns a number as text, the same in whatever kind of file it stands: a whole one in digits,
    so that it is the id that a text or a whole number of these digits is; None if it is none.

    >>> number_text(-5.0), number_text(1e16), number_text(1e-05), number_text(1e300), number_text(
    ...     float("nan")
    ... )
    ('-5', '10000000000000000', '0.00001', '1e+300', None)
    """
    if value != value:  # noqa: PLR0124  # not a number
        return None
    if value.is_integer() and abs(value) < WHOLE:
        return str(int(value))
    written = repr(value)
    return format(Decimal(written), "f") if "e-" in written and abs(value) > 1 / WHOLE else written


def _of_bytes(raw: bytes) -> str:
    """Decodes a text, or writes what begins as a shape does (WKB) in hexadecimals."""
    return raw.hex().upper() if raw[:1] in (b"\0", b"\1") else readable(raw)


def _of_time(value: Any) -> str | None:
    """Writes a day or a moment in ISO's form, a moment with a time zone in UTC."""
    if isinstance(value, dt.datetime):
        if value != value:  # noqa: PLR0124  # NaT
            return None
        return (value if value.tzinfo is None else value.astimezone(dt.UTC)).isoformat()
    text = value.isoformat() if not isinstance(value, np.datetime64) else str(value)
    return None if text == "NaT" else text


def _of_many(value: Any, turned: bool) -> str | None:  # noqa: FBT001
    """Writes a dictionary as JSON, two numbers as a place, and other lists joined by "|"."""
    if isinstance(value, dict):
        return json.dumps({str(key): _plain(one) for key, one in value.items()}, ensure_ascii=False)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    listed = value.tolist() if isinstance(value, np.ndarray) else list(value)
    if not isinstance(listed, list):
        return as_text(listed)
    if _is_pair(listed):
        x, y = listed[::-1] if turned else listed
        return (
            f"POINT ({number_text(float(x))} {number_text(float(y))})"
            if isfinite(x) and isfinite(y)
            else None
        )
    inner = (
        next(iter(one.values())) if isinstance(one, dict) and len(one) == 1 else one
        for one in listed
    )
    return "|".join(text for one in inner if (text := as_text(one)) is not None)


def _is_pair(listed: list[Any]) -> bool:
    """Whether these are two numbers that may be a place: two whole ones are ids."""
    kinds = (int, float, Decimal, np.integer, np.floating)
    return (
        len(listed) == 2
        and all(isinstance(one, kinds) and not isinstance(one, bool) for one in listed)
        and any(not isinstance(one, int | np.integer) for one in listed)
    )


def _plain(value: Any) -> Any:
    """Returns a value as JSON may hold it: numbers of a list as they are, all else as text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if isinstance(value, float) else int(value)
    return as_text(value)


def _other(value: Any) -> str | None:
    """Writes a shape as WKT, and anything else as it calls itself."""
    import shapely

    if shapely.is_geometry(value):
        return str(value.wkt)
    text = str(value)
    return None if text in ("<NA>", "NaT") else text


def texts(values: Iterable[Any]) -> list[str | None]:
    r"""Returns texts that UTF-8 can hold: half a surrogate pair becomes "?" by itself.

    >>> texts(["a\ud83e", None])
    ['a?', None]
    """
    return [
        value if value is None or value.isascii() else value.encode("utf-8", "replace").decode()
        for value in values
    ]
